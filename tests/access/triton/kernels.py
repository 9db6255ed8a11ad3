"""Triton kernels of every kind of operation that is lowered, right ones and false neighbours."""

import triton
import triton.language as tl


# symcute: type x, y, out = *fp32
# symcute: type n = i32
# symcute: constexpr BLOCK = 32
# symcute: launch grid=(ceil_div(n,BLOCK))
# symcute: extent x = n
# symcute: extent y = n
# symcute: extent out = n
# symcute: assume n <= 2**30
# symcute: covers out
# run: n=1 n=32 n=70
@triton.jit
def add(x, y, out, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offs < n
    value = tl.load(x + offs, mask=mask, other=0.0) + tl.load(y + offs, mask=mask)
    tl.store(out + offs, value, mask=mask)


# symcute: type x, out = *fp32
# symcute: type n = i32
# symcute: constexpr BLOCK = 32
# symcute: launch grid=(ceil_div(n,BLOCK))
# symcute: extent x = n
# symcute: extent out = n
# symcute: assume n <= 2**30
# truth: in_bounds=no write_race_free=no
# run: n=1 n=33
@triton.jit
def halved_without_mask(x, out, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + offs // 2, tl.load(x + offs))


# symcute: type x, out = *fp32
# symcute: type n = i32
# symcute: constexpr BLOCK = 32
# symcute: launch grid=(ceil_div(n,BLOCK))
# symcute: extent x = 2*n
# symcute: extent out = n
# truth: no_overflow=no in_bounds=no
# run: n=70 n=2147483647,programs=50000000
@triton.jit
def wraps_at_the_end(x, out, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offs < n
    tl.store(out + offs, tl.load(x + 2 * offs, mask=mask), mask=mask)


# symcute: type x, out = *fp32
# symcute: type cols, stride = i32
# symcute: constexpr BLOCK = 16
# symcute: launch grid=(rows)
# symcute: extent x = rows*stride
# symcute: extent out = rows*cols
# symcute: assume cols <= stride and rows*stride <= 2**30
# symcute: assume cols <= 16
# symcute: covers out
# run: rows=3,cols=5,stride=7
@triton.jit
def softmax(x, out, stride, cols, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    v = tl.load(x + row * stride + at, mask=at < cols, other=-float("inf"))
    e = tl.exp(v - tl.max(v, 0))
    tl.store(out + row * cols + at, e / tl.sum(e, 0), mask=at < cols)


# The mean of a row is one number: another shape than its elements.
# symcute: type x, out, mean = *fp32
# symcute: type cols = i32
# symcute: constexpr BLOCK = 8
# symcute: launch grid=(rows)
# symcute: extent x = rows*cols
# symcute: extent out = rows*cols
# symcute: extent mean = rows
# symcute: assume rows*cols <= 2**30
# symcute: assume cols <= 2**30
# symcute: assume rows <= 2**30
# symcute: implements out = (cols,rows):(1,cols)
# symcute: covers mean
# run: rows=3,cols=5 rows=2,cols=17
@triton.jit
def layernorm(x, out, mean, cols, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    x += row * cols
    out += row * cols
    total = tl.zeros((BLOCK,), dtype=tl.float32)
    for start in range(0, cols, BLOCK):
        at = start + tl.arange(0, BLOCK)
        total += tl.load(x + at, mask=at < cols, other=0.0)
    m = tl.sum(total, 0) / cols
    tl.store(mean + row, m)
    for start in range(0, cols, BLOCK):
        at = start + tl.arange(0, BLOCK)
        mask = at < cols
        tl.store(out + at, tl.load(x + at, mask=mask, other=0.0) - m, mask=mask)


# symcute: type a, b, c = *fp16
# symcute: type M, N, K, sam, sak, sbk, sbn, scm, scn = i32
# symcute: constexpr BM = 16
# symcute: constexpr BN = 32
# symcute: constexpr BK = 16
# symcute: launch grid=(ceil_div(M,BM),ceil_div(N,BN))
# symcute: extent a = M*K
# symcute: extent b = K*N
# symcute: extent c = M*N
# symcute: arg sam = K
# symcute: arg sak = 1
# symcute: arg sbk = N
# symcute: arg sbn = 1
# symcute: arg scm = N
# symcute: arg scn = 1
# symcute: assume M <= 8192 and N <= 8192 and K <= 8192
# symcute: implements c = (N,M):(1,N)
# run: M=17,N=33,K=19
@triton.jit
def matmul(
    a, b, c, M, N, K, sam, sak, sbk, sbn, scm, scn,
    BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr,
):  # fmt: skip
    om = tl.program_id(0) * BM + tl.arange(0, BM)
    on = tl.program_id(1) * BN + tl.arange(0, BN)
    ok = tl.arange(0, BK)
    ap = a + om[:, None] * sam + ok[None, :] * sak
    bp = b + ok[:, None] * sbk + on[None, :] * sbn
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for k in range(0, tl.cdiv(K, BK)):
        left = K - k * BK
        x = tl.load(ap, mask=(om[:, None] < M) & (ok[None, :] < left), other=0.0)
        y = tl.load(bp, mask=(on[None, :] < N) & (ok[:, None] < left), other=0.0)
        acc += tl.dot(x, y)
        ap += BK * sak
        bp += BK * sbk
    cp = c + om[:, None] * scm + on[None, :] * scn
    tl.store(cp, acc.to(tl.float16), mask=(om[:, None] < M) & (on[None, :] < N))


# symcute: type x, out = *fp32
# symcute: type m, n = i32
# symcute: constexpr B = 8
# symcute: launch grid=(ceil_div(m,B),ceil_div(n,B))
# symcute: extent x = m*n
# symcute: extent out = m*n
# symcute: assume m <= 8192 and n <= 8192
# symcute: implements out = (m,n):(1,m)
# run: m=9,n=17
@triton.jit
def transpose(x, out, m, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    j = tl.program_id(1) * B + tl.arange(0, B)
    mask = (i[:, None] < m) & (j[None, :] < n)
    tile = tl.load(x + i[:, None] * n + j[None, :], mask=mask)
    tl.store(out + j[:, None] * m + i[None, :], tl.trans(tile), mask=tl.trans(mask))


# symcute: type ids = *i64
# symcute: type table, out = *fp16
# symcute: type width, V = i32
# symcute: constexpr BLOCK = 8
# symcute: launch grid=(tokens,ceil_div(width,BLOCK))
# symcute: extent ids = tokens
# symcute: extent table = V*width
# symcute: extent out = tokens*width
# symcute: contents ids in [0, V)
# symcute: assume tokens*width <= 2**30 and width <= 2**18
# symcute: assume tokens <= 2**30
# symcute: implements out = (width,tokens):(1,width)
# run: tokens=3,width=11,V=5
@triton.jit
def embedding(ids, table, out, width, V, BLOCK: tl.constexpr):
    token = tl.program_id(0)
    at = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    row = tl.load(ids + token)
    v = tl.load(table + row * width + at, mask=at < width)
    tl.store(out + token * width + at, v, mask=at < width)


# symcute: type lens = *i32
# symcute: type x, out = *fp32
# symcute: type n, stride = i32
# symcute: constexpr BLOCK = 8
# symcute: launch grid=(rows)
# symcute: extent lens = n
# symcute: extent x = n*stride
# symcute: extent out = n*stride
# symcute: contents lens in [0, stride]
# symcute: assume n*stride <= 2**30 and rows <= 2**20
# symcute: assume stride <= 2**29
# run: rows=5,n=3,stride=20
@triton.jit
def ragged_with_early_return(lens, x, out, n, stride, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    if row >= n:
        return
    many = tl.load(lens + row)
    i = 0
    while i < many:
        at = i + tl.arange(0, BLOCK)
        v = tl.load(x + row * stride + at, mask=at < many)
        if i > 8:
            tl.store(out + row * stride + at, v, mask=at < many)
        i += BLOCK


# symcute: type x = *i32
# symcute: type counts = *i32
# symcute: type n, bins = i32
# symcute: constexpr BLOCK = 16
# symcute: launch grid=(ceil_div(n,BLOCK))
# symcute: extent x = n
# symcute: extent counts = bins
# symcute: contents x in [0, bins)
# symcute: assume n <= 2**30
# run: n=20,bins=3
@triton.jit
def count(x, counts, n, bins, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    which = tl.load(x + offs, mask=offs < n, other=0)
    tl.atomic_add(counts + which, 1, mask=offs < n)


# symcute: type x = *i32
# symcute: type counts = *i32
# symcute: type n, bins = i32
# symcute: constexpr BLOCK = 16
# symcute: launch grid=(ceil_div(n,BLOCK))
# symcute: extent x = n
# symcute: extent counts = bins
# symcute: contents x in [0, bins)
# symcute: assume n <= 2**30
# truth: write_race_free=no read_write_race_free=no
# run: n=20,bins=3
@triton.jit
def count_without_atomics(x, counts, n, bins, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    which = tl.load(x + offs, mask=offs < n, other=0)
    tl.store(counts + which, tl.load(counts + which, mask=offs < n) + 1, mask=offs < n)


# symcute: type q = *fp32
# symcute: type heads = i32
# symcute: constexpr HALF = 8
# symcute: launch grid=(tokens,heads)
# symcute: extent q = tokens*heads*16
# symcute: assume tokens*heads <= 2**26
# symcute: assume heads <= 65535 and tokens <= 2**26
# run: tokens=2,heads=3
@triton.jit
def rope_in_place(q, heads, HALF: tl.constexpr):
    q += (tl.program_id(0) * heads + tl.program_id(1)) * 2 * HALF
    at = tl.arange(0, HALF)
    a = tl.load(q + at)
    b = tl.load(q + HALF + at)
    tl.store(q + at, a - b)
    tl.store(q + HALF + at, a + b)


# The second half of a head is the first half of the next.
# symcute: type q = *fp32
# symcute: type heads = i32
# symcute: constexpr HALF = 8
# symcute: launch grid=(tokens,heads)
# symcute: extent q = tokens*heads*16 + 16
# symcute: assume tokens*heads <= 2**26
# symcute: assume heads <= 65535 and tokens <= 2**26
# truth: write_race_free=no read_write_race_free=no
# run: tokens=2,heads=3
@triton.jit
def rope_by_the_wrong_stride(q, heads, HALF: tl.constexpr):
    q += (tl.program_id(0) * heads + tl.program_id(1)) * HALF
    at = tl.arange(0, HALF)
    a = tl.load(q + at)
    b = tl.load(q + HALF + at)
    tl.store(q + at, a - b)
    tl.store(q + HALF + at, a + b)


# symcute: type x, out = *fp32
# symcute: type m, n = i32
# symcute: constexpr B = 16
# symcute: launch grid=(ceil_div(m,B),ceil_div(n,B))
# symcute: extent x = m*n
# symcute: extent out = m*n
# symcute: assume m <= 8192 and n <= 8192
# symcute: assume n % 4 == 0
# symcute: implements out = (n,m):(1,n)
# run: m=17,n=20
@triton.jit
def described(x, out, m, n, B: tl.constexpr):
    source = tl.make_tensor_descriptor(x, [m, n], [n, 1], [B, B])
    target = tl.make_tensor_descriptor(out, [m, n], [n, 1], [B, B])
    i, j = tl.program_id(0) * B, tl.program_id(1) * B
    target.store([i, j], source.load([i, j]))


# symcute: type x, out = *i32
# symcute: type n = i32
# symcute: constexpr B = 16
# symcute: launch grid=(ceil_div(n,B))
# symcute: extent x = 2*n
# symcute: extent out = 2*n
# symcute: assume n <= 2**29
# run: n=16 n=21
@triton.jit
def reshaped(x, out, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    pair = tl.join(i * 2, i * 2 + 1)
    flat = tl.reshape(pair, (2 * B,))
    v = tl.load(x + flat, mask=flat < 2 * n, other=3)
    low, high = tl.split(tl.reshape(v, (B, 2)))
    tl.store(out + i * 2, high, mask=i < n)
    square = tl.trans(tl.reshape(i * 2 + 1, (4, 4)))
    tl.store(out + square, tl.trans(tl.reshape(low, (4, 4))), mask=square < 2 * n)


# symcute: type x = *i32
# symcute: type out = *fp32
# symcute: type n, low, high = i32
# symcute: constexpr B = 16
# symcute: launch grid=(2)
# symcute: extent x = 64
# symcute: extent out = 4096
# symcute: assume n <= 100 and low <= 10 and high <= 10
# truth: write_race_free=no
# run: n=1,low=3,high=2 n=77,low=1,high=9
@triton.jit
def integers(x, out, n, low, high, B: tl.constexpr):
    i = tl.arange(0, B)
    a = (i - 7) // 3 + 3
    b = (i - 7) % 3 + 3
    c = tl.where(i % 2 == 0, tl.minimum(i, n), tl.maximum(i, low))
    d = (i ^ 5) | (low & 3)
    e = (i.to(tl.int64) << 2) >> 1
    f = tl.abs(i - 8) + (i > high).to(tl.int32)
    g = (i.to(tl.uint32) // 3).to(tl.int32) + i.to(tl.int8).to(tl.int32)
    where = a + 8 * b + c + d + e + f + g
    odd = ((i & 1) == 1) & (i > 3) | (n > 50)
    tl.store(out + 1024 + where * 2, 1.0, mask=odd)
    base = x
    if n > 50:
        base = x + 16
    if low > 2 and high < 5:
        base += 3
    tl.store(out + 2048 + i, tl.load(base + i).to(tl.float32))


# symcute: type x = *fp32
# symcute: constexpr B = 4
# symcute: launch grid=(p)
# symcute: extent x = 4*4*4*8*p
# symcute: assume p <= 2**20
# symcute: covers x
# run: p=2
@triton.jit
def of_four_axes(x, B: tl.constexpr):
    i = tl.arange(0, B)[:, None, None, None]
    j = tl.arange(0, B)[None, :, None, None]
    k = tl.arange(0, B)[None, None, :, None]
    m = tl.arange(0, 2 * B)[None, None, None, :]
    at = ((i * B + j) * B + k) * 2 * B + m
    tl.store(x + tl.program_id(0) * 512 + at, 1.0)


# An element that one shape writes and another reads is of two threads.
# symcute: type x, out = *fp32
# symcute: constexpr B = 16
# symcute: launch grid=(1)
# symcute: extent x = 16
# symcute: extent out = 256
# truth: read_write_race_free=no
# run: *
@triton.jit
def written_and_read_by_two_shapes(x, out, B: tl.constexpr):
    i = tl.arange(0, B)
    tl.store(x + i, 1.0)
    square = i[:, None] * B + i[None, :]
    tl.store(out + square, tl.load(x + square % B))


# symcute: type x, out = *fp32
# symcute: constexpr B = 16
# symcute: launch grid=(1)
# symcute: extent x = 16
# symcute: extent out = 16
# run: *
@triton.jit
def reversed_behind_a_barrier(x, out, B: tl.constexpr):
    i = tl.arange(0, B)
    tl.store(x + i, 1.0)
    tl.debug_barrier()
    tl.store(out + i, tl.load(x + (B - 1 - i)))


# symcute: type x, out = *fp32
# symcute: constexpr B = 16
# symcute: launch grid=(1)
# symcute: extent x = 16
# symcute: extent out = 16
# truth: read_write_race_free=no
# run: *
@triton.jit
def reversed_without_a_barrier(x, out, B: tl.constexpr):
    i = tl.arange(0, B)
    tl.store(x + i, 1.0)
    tl.store(out + i, tl.load(x + (B - 1 - i)))


# What is assumed to hold is not believed.
# symcute: type x = *fp32
# symcute: type n = i32
# symcute: constexpr B = 16
# symcute: launch grid=(1)
# symcute: extent x = n
# truth: in_bounds=no promises_kept=no
# run: n=16 n=3
@triton.jit
def assumed(x, n, B: tl.constexpr):
    tl.assume(n >= 16)
    tl.device_assert(n >= 16)
    tl.store(x + tl.arange(0, B), 1.0)


# What is handed on from one shape to another is read once, before it is overwritten.
# symcute: type ids = *i32
# symcute: type x, out = *fp32
# symcute: type width = i32
# symcute: launch grid=(p)
# symcute: extent ids = 16*p
# symcute: extent x = 16*p*width
# symcute: extent out = 256*p
# symcute: contents ids in [0, width)
# symcute: assume p*width <= 2**20 and p <= 2**20
# symcute: covers out
@triton.jit
def indices_that_are_overwritten(ids, x, out, width, B: tl.constexpr = 16):
    i = tl.arange(0, B)
    at = tl.program_id(0) * B + i
    row = tl.load(ids + at)
    tl.store(ids + at, row + 100)
    square = at[:, None] * B + i[None, :]
    value = tl.load(x + at[:, None] * width + row[:, None] + 0 * i[None, :])
    tl.store(out + square, value, mask=row[:, None] > -B)


# A branch chooses what is written to, and a loop moves it.
# symcute: type x, y = *fp32
# symcute: type n = i32
# symcute: constexpr B = 16
# symcute: launch grid=(1)
# symcute: extent x = 16
# symcute: extent y = 8
# truth: in_bounds=no write_race_free=no
# run: n=1 n=9
@triton.jit
def one_of_two_arrays(x, y, n, B: tl.constexpr):
    where = y
    if n > 5:
        where = x
    for k in range(0, 2):
        where += 4 * k
    tl.store(where + tl.arange(0, B) // 2, 1.0)


# Rows of a descriptor begin at multiples of 16 bytes.
# symcute: type x = *fp32
# symcute: type m, n = i32
# symcute: constexpr B = 16
# symcute: launch grid=(ceil_div(m,B),ceil_div(n,B))
# symcute: extent x = m*n
# symcute: assume m <= 8192 and n <= 8192
# truth: promises_kept=no
# run: m=17,n=21
@triton.jit
def described_of_any_rows(x, m, n, B: tl.constexpr):
    target = tl.make_tensor_descriptor(x, [m, n], [n, 1], [B, B])
    target.store([tl.program_id(0) * B, tl.program_id(1) * B], tl.zeros((B, B), tl.float32))


# What argmax and max of integers give is one of what they are given.
# symcute: type x, out, more = *fp32
# symcute: type lens = *i32
# symcute: type most = i32
# symcute: constexpr B = 16
# symcute: launch grid=(rows)
# symcute: extent x = 16*rows
# symcute: extent lens = 16
# symcute: contents lens in [0, most)
# symcute: extent out = rows*16
# symcute: extent more = rows*most
# symcute: assume rows*most <= 2**20 and rows <= 2**20 and most <= 2**20
@triton.jit
def chosen(x, lens, out, more, most, B: tl.constexpr):
    row = tl.program_id(0)
    i = tl.arange(0, B)
    best = tl.argmax(tl.load(x + row * B + i), 0)
    tl.store(out + row * 16 + best, 1.0)
    longest = tl.max(tl.load(lens + i), 0)
    tl.store(more + row * most + longest, 1.0)


# symcute: type x, out = *fp32
# symcute: constexpr B = 16
# symcute: launch grid=(rows)
# symcute: extent x = 16*rows
# symcute: extent out = 15*rows
# symcute: assume rows <= 2**20
# truth: in_bounds=no write_race_free=no
@triton.jit
def chosen_one_too_many(x, out, B: tl.constexpr):
    row = tl.program_id(0)
    best = tl.argmax(tl.load(x + row * B + tl.arange(0, B)), 0)
    tl.store(out + row * 15 + best, 1.0)


# A hash wraps, and is meant to.
# symcute: type x = *i32
# symcute: type counts = *i32
# symcute: type n = i32
# symcute: constexpr B = 16
# symcute: launch grid=(ceil_div(n,B))
# symcute: extent x = n
# symcute: extent counts = 1024
# symcute: assume n <= 2**30
@triton.jit
def hashed(x, counts, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    key = tl.load(x + i, mask=i < n, other=0).to(tl.uint32)
    tl.atomic_add(counts + ((key * 2654435761) >> 22), 1, mask=i < n)


# Descriptors that a launch hands over: of x every other row, by a stride; blocks reach beyond both.
# symcute: type x, out = tensordesc<fp16[1,16,8]>
# symcute: launch grid=(ceil_div(m,16),ceil_div(n,8),2)
# symcute: arg x_shape_0 = 2
# symcute: arg x_shape_1 = m
# symcute: arg x_shape_2 = n
# symcute: arg x_stride_0 = 2*m*s
# symcute: arg x_stride_1 = 2*s
# symcute: arg out_shape_0 = 2
# symcute: arg out_shape_1 = m
# symcute: arg out_shape_2 = n
# symcute: arg out_stride_0 = m*s
# symcute: arg out_stride_1 = s
# symcute: extent x = 4*m*s
# symcute: extent out = 2*m*s
# symcute: assume m <= 8192 and s <= 8192 and n <= s and s % 8 == 0
# run: m=17,n=20,s=24 m=3,n=8,s=8
@triton.jit
def described_by_a_launch(x, out):
    k, i, j = tl.program_id(2), tl.program_id(0) * 16, tl.program_id(1) * 8
    block = x.load([k, i, j]).reshape(16, 8)
    out.store([k, i, j], block.reshape(1, 16, 8))


# Its shape, as the kernel knows it, has a last row that is not there.
# symcute: type x = tensordesc<fp32[16,16]>
# symcute: launch grid=(1)
# symcute: arg x_shape_0 = m
# symcute: arg x_shape_1 = n
# symcute: arg x_stride_0 = n
# symcute: extent x = m*n - 1
# symcute: assume m <= 8192 and n <= 8192 and n % 4 == 0
# truth: in_bounds=no
# run: m=3,n=4
@triton.jit
def described_beyond_the_end(x):
    for i in range(0, x.shape[0], 16):
        for j in range(0, x.shape[1], 16):
            x.store([i, j], tl.zeros((16, 16), tl.float32))


# Rows that begin where the one before has not ended.
# symcute: type x = tensordesc<fp32[16,16]>
# symcute: launch grid=(1)
# symcute: arg x_shape_0 = 16
# symcute: arg x_shape_1 = 16
# symcute: arg x_stride_0 = 12
# symcute: extent x = 256
# truth: write_race_free=no
# run: *
@triton.jit
def described_of_rows_that_meet(x):
    x.store([0, 0], tl.zeros((16, 16), tl.float32))


# Rows of a descriptor of a launch begin at multiples of 16 bytes.
# symcute: type x = tensordesc<fp32[16,16]>
# symcute: launch grid=(ceil_div(m,16))
# symcute: arg x_shape_0 = m
# symcute: arg x_shape_1 = n
# symcute: arg x_stride_0 = n
# symcute: extent x = m*n
# symcute: assume m <= 8192 and n <= 8192
# truth: promises_kept=no
# run: m=17,n=21
@triton.jit
def described_by_any_rows(x):
    x.store([tl.program_id(0) * 16, 0], tl.zeros((16, 16), tl.float32))


# An extent that a program is told as an integer of 32 bits, and the machine holds accesses to.
# symcute: type x = tensordesc<fp32[16,16]>
# symcute: launch grid=(1)
# symcute: arg x_shape_0 = 2**31
# symcute: arg x_shape_1 = 4
# symcute: arg x_stride_0 = 4
# symcute: extent x = 63
# truth: in_bounds=no
# run: *
@triton.jit
def described_of_many_rows(x):
    if x.shape[0] < 0:
        x.store([0, 0], tl.zeros((16, 16), tl.float32))


# What a descriptor gives beyond its shape is 0.
# symcute: type ids = tensordesc<i32[16]>
# symcute: type out = *i32
# symcute: type most = i32
# symcute: launch grid=(ceil_div(n,16))
# symcute: arg ids_shape_0 = n
# symcute: extent ids = n
# symcute: extent out = most
# symcute: contents ids in [0, most)
# symcute: assume n <= 2**20
# run: n=17,most=5 n=48,most=1
@triton.jit
def described_integers(ids, out, most):
    tl.atomic_add(out + ids.load([tl.program_id(0) * 16]), 1)


# Its neighbour has its numbers from 1 on, and knows not of the 0 beyond.
# symcute: type ids = tensordesc<i32[16]>
# symcute: type out = *i32
# symcute: type most = i32
# symcute: launch grid=(ceil_div(n,16))
# symcute: arg ids_shape_0 = n
# symcute: extent ids = n
# symcute: extent out = most
# symcute: contents ids in [1, most]
# symcute: assume n <= 2**20
# truth: in_bounds=no
# run: n=17,most=5
@triton.jit
def described_integers_from_one(ids, out, most):
    tl.atomic_add(out + ids.load([tl.program_id(0) * 16]) - 1, 1)


# The same of a descriptor that a kernel makes of an array of integers.
# symcute: type ids, out = *i32
# symcute: type n, most = i32
# symcute: launch grid=(ceil_div(n,16))
# symcute: extent ids = n
# symcute: extent out = most
# symcute: contents ids in [0, most)
# symcute: assume n <= 2**20
# run: n=17,most=5
@triton.jit
def described_integers_of_its_own(ids, out, n, most):
    made = tl.make_tensor_descriptor(ids, [n], [1], [16])
    tl.atomic_add(out + made.load([tl.program_id(0) * 16]), 1)
