"""Matrices: copies, transposes, products, the order of programs, batches, sums over K."""

import triton
import triton.language as tl


# symcute: type x, bias, out = *fp32
# symcute: type m, n = i32
# symcute: constexpr BM = 8
# symcute: constexpr BN = 16
# symcute: launch grid=(ceil_div(m,BM),ceil_div(n,BN))
# symcute: assume m*n <= 2**30
# symcute: assume n <= 2**19
# symcute: assume m <= 2**30
# symcute: extent x = m*n
# symcute: extent bias = n
# symcute: extent out = m*n
# symcute: implements out = (m,n):(n,1)
@triton.jit
def add_bias(x, bias, out, m, n, BM: tl.constexpr, BN: tl.constexpr):
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    cols = tl.program_id(1) * BN + tl.arange(0, BN)
    mask = (rows[:, None] < m) & (cols[None, :] < n)
    at = rows[:, None] * n + cols[None, :]
    b = tl.load(bias + cols, mask=cols < n)
    tl.store(out + at, tl.load(x + at, mask=mask) + b[None, :], mask=mask)


# Columns have no mask: a row's end is the next one's beginning.
# symcute: type x, out = *fp32
# symcute: type m, n = i32
# symcute: constexpr BM = 8
# symcute: constexpr BN = 16
# symcute: launch grid=(ceil_div(m,BM),ceil_div(n,BN))
# symcute: assume m*n <= 2**28
# symcute: assume n <= 2**19
# symcute: assume m <= 2**28
# symcute: extent x = m*n
# symcute: extent out = m*n
# symcute: implements out = (m,n):(n,1)
# truth: in_bounds=no write_race_free=no implements=no
@triton.jit
def copy_without_column_mask(x, out, m, n, BM: tl.constexpr, BN: tl.constexpr):
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    cols = tl.program_id(1) * BN + tl.arange(0, BN)
    at = rows[:, None] * n + cols[None, :]
    mask = (rows < m)[:, None] & (cols >= 0)[None, :]
    tl.store(out + at, tl.load(x + at, mask=mask), mask=mask)


# All four strides are the caller's.
# symcute: type x, out = *fp16
# symcute: type m, n, xr, xc, outr, outc = i32
# symcute: constexpr BM = 8
# symcute: constexpr BN = 8
# symcute: launch grid=(ceil_div(m,BM),ceil_div(n,BN))
# symcute: assume m <= 2**14
# symcute: assume n <= 2**14
# symcute: assume xr <= 2**14
# symcute: assume xc <= 2**14
# symcute: assume outc == 1
# symcute: assume outr <= 2**14
# symcute: assume outr >= n
# symcute: extent x = (m-1)*xr + (n-1)*xc + 1
# symcute: extent out = m*outr
# symcute: implements out = (m,n):(outr,1)
@triton.jit
def copy_of_any_strides(x, out, m, n, xr, xc, outr, outc, BM: tl.constexpr, BN: tl.constexpr):
    rows = (tl.program_id(0) * BM + tl.arange(0, BM))[:, None]
    cols = (tl.program_id(1) * BN + tl.arange(0, BN))[None, :]
    mask = (rows < m) & (cols < n)
    v = tl.load(x + rows * xr + cols * xc, mask=mask)
    tl.store(out + rows * outr + cols * outc, v, mask=mask)


# The caller's rows may overlap.
# symcute: type x, out = *fp16
# symcute: type m, n, outr = i32
# symcute: constexpr BM = 8
# symcute: constexpr BN = 8
# symcute: launch grid=(ceil_div(m,BM),ceil_div(n,BN))
# symcute: assume m <= 2**14
# symcute: assume n <= 2**14
# symcute: assume outr <= 2**14
# symcute: extent x = m*n
# symcute: extent out = (m-1)*outr + n
# truth: write_race_free=no
@triton.jit
def copy_into_any_rows(x, out, m, n, outr, BM: tl.constexpr, BN: tl.constexpr):
    rows = (tl.program_id(0) * BM + tl.arange(0, BM))[:, None]
    cols = (tl.program_id(1) * BN + tl.arange(0, BN))[None, :]
    mask = (rows < m) & (cols < n)
    tl.store(out + rows * outr + cols, tl.load(x + rows * n + cols, mask=mask), mask=mask)


# symcute: type x, out = *fp32
# symcute: type m, n = i32
# symcute: constexpr B = 16
# symcute: launch grid=(ceil_div(m,B),ceil_div(n,B))
# symcute: assume m <= 2**15
# symcute: assume n <= 2**15
# symcute: extent x = m*n
# symcute: extent out = m*n
# symcute: covers out
@triton.jit
def transpose(x, out, m, n, B: tl.constexpr):
    rows = tl.program_id(0) * B + tl.arange(0, B)
    cols = tl.program_id(1) * B + tl.arange(0, B)
    v = tl.load(
        x + rows[:, None] * n + cols[None, :], mask=(rows[:, None] < m) & (cols[None, :] < n)
    )
    tl.store(
        out + cols[:, None] * m + rows[None, :], tl.trans(v),
        mask=(cols[:, None] < n) & (rows[None, :] < m),
    )  # fmt: skip


# The mask of the output is that of the input, the wrong way around.
# symcute: type x, out = *fp32
# symcute: type m, n = i32
# symcute: constexpr B = 16
# symcute: launch grid=(ceil_div(m,B),ceil_div(n,B))
# symcute: assume m <= 2**15
# symcute: assume n <= 2**15
# symcute: extent x = m*n
# symcute: extent out = m*n
# symcute: covers out
# truth: in_bounds=no covers=no write_race_free=no
@triton.jit
def transpose_with_the_mask_of_the_input(x, out, m, n, B: tl.constexpr):
    rows = tl.program_id(0) * B + tl.arange(0, B)
    cols = tl.program_id(1) * B + tl.arange(0, B)
    mask = (rows[:, None] < m) & (cols[None, :] < n)
    v = tl.load(x + rows[:, None] * n + cols[None, :], mask=mask)
    tl.store(out + cols[:, None] * m + rows[None, :], tl.trans(v), mask=mask)


# symcute: type x = *fp32
# symcute: type n = i32
# symcute: constexpr B = 8
# symcute: launch grid=(ceil_div(n,B),ceil_div(n,B))
# symcute: assume n <= 2**15
# symcute: extent x = n*n
# symcute: covers x
# truth: read_write_race_free=no
@triton.jit
def transpose_in_place(x, n, B: tl.constexpr):
    rows = tl.program_id(0) * B + tl.arange(0, B)
    cols = tl.program_id(1) * B + tl.arange(0, B)
    mask = (rows[:, None] < n) & (cols[None, :] < n)
    v = tl.load(x + rows[:, None] * n + cols[None, :], mask=mask)
    tl.store(x + cols[None, :] * n + rows[:, None], v, mask=mask)


# symcute: type a, b, c = *fp16
# symcute: type m, n, k = i32
# symcute: constexpr BM = 16
# symcute: constexpr BN = 16
# symcute: constexpr BK = 16
# symcute: launch grid=(ceil_div(m,BM),ceil_div(n,BN))
# symcute: assume m <= 2**14
# symcute: assume n <= 2**14
# symcute: assume k <= 2**14
# symcute: extent a = m*k
# symcute: extent b = k*n
# symcute: extent c = m*n
# symcute: covers c
@triton.jit
def matmul(a, b, c, m, n, k, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    cols = tl.program_id(1) * BN + tl.arange(0, BN)
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for start in range(0, k, BK):
        inner = start + tl.arange(0, BK)
        left = tl.load(
            a + rows[:, None] * k + inner[None, :],
            mask=(rows[:, None] < m) & (inner[None, :] < k), other=0.0,
        )  # fmt: skip
        right = tl.load(
            b + inner[:, None] * n + cols[None, :],
            mask=(inner[:, None] < k) & (cols[None, :] < n), other=0.0,
        )  # fmt: skip
        acc += tl.dot(left, right)
    mask = (rows[:, None] < m) & (cols[None, :] < n)
    tl.store(c + rows[:, None] * n + cols[None, :], acc.to(tl.float16), mask=mask)


# K is taken to be a multiple of its block.
# symcute: type a, b, c = *fp16
# symcute: type m, n, k = i32
# symcute: constexpr BM = 16
# symcute: constexpr BN = 16
# symcute: constexpr BK = 16
# symcute: launch grid=(ceil_div(m,BM),ceil_div(n,BN))
# symcute: assume m <= 2**14
# symcute: assume n <= 2**14
# symcute: assume k <= 2**14
# symcute: extent a = m*k
# symcute: extent b = k*n
# symcute: extent c = m*n
# symcute: covers c
# truth: in_bounds=no
@triton.jit
def matmul_without_mask_of_k(
    a, b, c, m, n, k, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr
):
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    cols = tl.program_id(1) * BN + tl.arange(0, BN)
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for start in range(0, k, BK):
        inner = start + tl.arange(0, BK)
        left = tl.load(a + rows[:, None] * k + inner[None, :], mask=rows[:, None] < m, other=0.0)
        right = tl.load(b + inner[:, None] * n + cols[None, :], mask=cols[None, :] < n, other=0.0)
        acc += tl.dot(left, right)
    mask = (rows[:, None] < m) & (cols[None, :] < n)
    tl.store(c + rows[:, None] * n + cols[None, :], acc.to(tl.float16), mask=mask)


# Triton's tutorial: programs in groups of rows, rows and columns taken modulo, carried pointers.
# symcute: type a, b, c = *fp16
# symcute: type m, n, k = i32
# symcute: constexpr BM = 16
# symcute: constexpr BN = 16
# symcute: constexpr BK = 16
# symcute: constexpr GROUP = 4
# symcute: launch grid=(ceil_div(m,BM)*ceil_div(n,BN))
# symcute: assume m <= 2**14
# symcute: assume n <= 2**14
# symcute: assume k <= 2**14
# symcute: extent a = m*k
# symcute: extent b = k*n
# symcute: extent c = m*n
# symcute: covers c
# run: m=65 n=17 k=5
# run: m=97 n=49 k=33
@triton.jit
def matmul_grouped(
    a, b, c, m, n, k, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, GROUP: tl.constexpr
):
    pid = tl.program_id(0)
    num_m = tl.cdiv(m, BM)
    num_n = tl.cdiv(n, BN)
    in_group = GROUP * num_n
    first = (pid // in_group) * GROUP
    size = min(num_m - first, GROUP)
    pid_m = first + ((pid % in_group) % size)
    pid_n = (pid % in_group) // size
    rows = (pid_m * BM + tl.arange(0, BM)) % m
    cols = (pid_n * BN + tl.arange(0, BN)) % n
    inner = tl.arange(0, BK)
    left = a + rows[:, None] * k + inner[None, :]
    right = b + inner[:, None] * n + cols[None, :]
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for step in range(0, tl.cdiv(k, BK)):
        x = tl.load(left, mask=inner[None, :] < k - step * BK, other=0.0)
        y = tl.load(right, mask=inner[:, None] < k - step * BK, other=0.0)
        acc = tl.dot(x, y, acc)
        left += BK
        right += BK * n
    rows = pid_m * BM + tl.arange(0, BM)
    cols = pid_n * BN + tl.arange(0, BN)
    mask = (rows[:, None] < m) & (cols[None, :] < n)
    tl.store(c + rows[:, None] * n + cols[None, :], acc.to(tl.float16), mask=mask)


# The last group has fewer rows, which is forgotten: its columns are counted wrongly.
# symcute: type a, c = *fp16
# symcute: type m, n = i32
# symcute: constexpr BM = 16
# symcute: constexpr BN = 16
# symcute: constexpr GROUP = 4
# symcute: launch grid=(ceil_div(m,BM)*ceil_div(n,BN))
# symcute: assume m <= 2**14
# symcute: assume n <= 2**14
# symcute: extent a = m*n
# symcute: extent c = m*n
# symcute: covers c
# truth: covers=no
# run: m=80 n=32
@triton.jit
def grouped_without_remainder(a, c, m, n, BM: tl.constexpr, BN: tl.constexpr, GROUP: tl.constexpr):
    pid = tl.program_id(0)
    num_n = tl.cdiv(n, BN)
    in_group = GROUP * num_n
    pid_m = (pid // in_group) * GROUP + (pid % in_group) % GROUP
    pid_n = (pid % in_group) // GROUP
    rows = (pid_m * BM + tl.arange(0, BM))[:, None]
    cols = (pid_n * BN + tl.arange(0, BN))[None, :]
    mask = (rows < m) & (cols < n)
    tl.store(c + rows * n + cols, tl.load(a + rows * n + cols, mask=mask), mask=mask)


# The group is divided by the rows of all, so that programs meet.
# symcute: type a, c = *fp16
# symcute: type m, n = i32
# symcute: constexpr BM = 16
# symcute: constexpr BN = 16
# symcute: constexpr GROUP = 4
# symcute: launch grid=(ceil_div(m,BM)*ceil_div(n,BN))
# symcute: assume m <= 2**14
# symcute: assume n <= 2**14
# symcute: extent a = m*n
# symcute: extent c = m*n
# symcute: covers c
# truth: covers=no write_race_free=no
# run: m=128 n=65
@triton.jit
def grouped_by_the_wrong_size(a, c, m, n, BM: tl.constexpr, BN: tl.constexpr, GROUP: tl.constexpr):
    pid = tl.program_id(0)
    num_m = tl.cdiv(m, BM)
    in_group = GROUP * tl.cdiv(n, BN)
    first = (pid // in_group) * GROUP
    size = min(num_m - first, GROUP)
    pid_m = first + (pid % size)
    pid_n = (pid % in_group) // num_m
    rows = (pid_m * BM + tl.arange(0, BM))[:, None]
    cols = (pid_n * BN + tl.arange(0, BN))[None, :]
    mask = (rows < m) & (cols < n)
    tl.store(c + rows * n + cols, tl.load(a + rows * n + cols, mask=mask), mask=mask)


# symcute: type a, c = *fp16
# symcute: type m, n = i32
# symcute: constexpr BM = 16
# symcute: constexpr BN = 16
# symcute: launch grid=(ceil_div(m,BM),ceil_div(n,BN))
# symcute: assume m <= 2**14
# symcute: assume n <= 2**14
# symcute: extent a = m*n
# symcute: extent c = m*n
# symcute: covers c
@triton.jit
def swizzled(a, c, m, n, BM: tl.constexpr, BN: tl.constexpr):
    pid_m, pid_n = tl.swizzle2d(
        tl.program_id(0), tl.program_id(1), tl.num_programs(0), tl.num_programs(1), 4
    )
    rows = (pid_m * BM + tl.arange(0, BM))[:, None]
    cols = (pid_n * BN + tl.arange(0, BN))[None, :]
    mask = (rows < m) & (cols < n)
    tl.store(c + rows * n + cols, tl.load(a + rows * n + cols, mask=mask), mask=mask)


# symcute: type a, b, c = *fp32
# symcute: type m, n, k = i32
# symcute: constexpr BM = 16
# symcute: constexpr BN = 16
# symcute: constexpr BK = 16
# symcute: constexpr SPLIT = 3
# symcute: launch grid=(ceil_div(m,BM),ceil_div(n,BN),SPLIT)
# symcute: assume m <= 2**14
# symcute: assume n <= 2**14
# symcute: assume k <= 2**14
# symcute: extent a = m*k
# symcute: extent b = k*n
# symcute: extent c = m*n
@triton.jit
def matmul_split(
    a, b, c, m, n, k, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, SPLIT: tl.constexpr
):
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    cols = tl.program_id(1) * BN + tl.arange(0, BN)
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for start in range(tl.program_id(2) * BK, k, SPLIT * BK):
        inner = start + tl.arange(0, BK)
        left = tl.load(
            a + rows[:, None] * k + inner[None, :],
            mask=(rows[:, None] < m) & (inner[None, :] < k), other=0.0,
        )  # fmt: skip
        right = tl.load(
            b + inner[:, None] * n + cols[None, :],
            mask=(inner[:, None] < k) & (cols[None, :] < n), other=0.0,
        )  # fmt: skip
        acc += tl.dot(left, right)
    mask = (rows[:, None] < m) & (cols[None, :] < n)
    tl.atomic_add(c + rows[:, None] * n + cols[None, :], acc, mask=mask)


# symcute: type a, b, c = *fp32
# symcute: type m, n, k = i32
# symcute: constexpr BM = 16
# symcute: constexpr BN = 16
# symcute: constexpr BK = 16
# symcute: constexpr SPLIT = 3
# symcute: launch grid=(ceil_div(m,BM),ceil_div(n,BN),SPLIT)
# symcute: assume m <= 2**14
# symcute: assume n <= 2**14
# symcute: assume k <= 2**14
# symcute: extent a = m*k
# symcute: extent b = k*n
# symcute: extent c = m*n
# truth: write_race_free=no read_write_race_free=no
@triton.jit
def matmul_split_without_atomics(
    a, b, c, m, n, k, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, SPLIT: tl.constexpr
):
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    cols = tl.program_id(1) * BN + tl.arange(0, BN)
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for start in range(tl.program_id(2) * BK, k, SPLIT * BK):
        inner = start + tl.arange(0, BK)
        left = tl.load(
            a + rows[:, None] * k + inner[None, :],
            mask=(rows[:, None] < m) & (inner[None, :] < k), other=0.0,
        )  # fmt: skip
        right = tl.load(
            b + inner[:, None] * n + cols[None, :],
            mask=(inner[:, None] < k) & (cols[None, :] < n), other=0.0,
        )  # fmt: skip
        acc += tl.dot(left, right)
    mask = (rows[:, None] < m) & (cols[None, :] < n)
    to = c + rows[:, None] * n + cols[None, :]
    tl.store(to, tl.load(to, mask=mask, other=0.0) + acc, mask=mask)


# symcute: type a, c = *fp32
# symcute: type m, n = i32
# symcute: constexpr BM = 8
# symcute: constexpr BN = 8
# symcute: launch grid=(P)
# symcute: assume m <= 2**14
# symcute: assume n <= 2**14
# symcute: assume P <= 2**12
# symcute: extent a = m*n
# symcute: extent c = m*n
# symcute: covers c
@triton.jit
def persistent_tiles(a, c, m, n, BM: tl.constexpr, BN: tl.constexpr):
    tiles_n = tl.cdiv(n, BN)
    for tile in range(tl.program_id(0), tl.cdiv(m, BM) * tiles_n, tl.num_programs(0)):
        rows = ((tile // tiles_n) * BM + tl.arange(0, BM))[:, None]
        cols = ((tile % tiles_n) * BN + tl.arange(0, BN))[None, :]
        mask = (rows < m) & (cols < n)
        tl.store(c + rows * n + cols, tl.load(a + rows * n + cols, mask=mask), mask=mask)


# Tiles are counted along the other side.
# symcute: type a, c = *fp32
# symcute: type m, n = i32
# symcute: constexpr BM = 8
# symcute: constexpr BN = 8
# symcute: launch grid=(P)
# symcute: assume m <= 2**14
# symcute: assume n <= 2**14
# symcute: assume P <= 2**12
# symcute: extent a = m*n
# symcute: extent c = m*n
# symcute: covers c
# truth: covers=no
@triton.jit
def persistent_tiles_the_wrong_way(a, c, m, n, BM: tl.constexpr, BN: tl.constexpr):
    tiles_m = tl.cdiv(m, BM)
    for tile in range(tl.program_id(0), tiles_m * tl.cdiv(n, BN), tl.num_programs(0)):
        rows = ((tile // tiles_m) * BM + tl.arange(0, BM))[:, None]
        cols = ((tile % tiles_m) * BN + tl.arange(0, BN))[None, :]
        mask = (rows < m) & (cols < n)
        tl.store(c + rows * n + cols, tl.load(a + rows * n + cols, mask=mask), mask=mask)


# A batch of matrices; the batch may be large, and its stride is 64 bits.
# symcute: type x, out = *fp32
# symcute: type m, n, stride = i32
# symcute: constexpr BM = 8
# symcute: constexpr BN = 8
# symcute: launch grid=(ceil_div(m,BM),ceil_div(n,BN),batch)
# symcute: assume m*n <= stride
# symcute: assume m <= 2**14
# symcute: assume n <= 2**14
# symcute: assume batch <= 65535
# symcute: extent x = batch*stride
# symcute: extent out = batch*m*n
# symcute: covers out
# run: m=5 n=7 stride=100000 batch=65535 programs=0,0,0;0,0,65534
@triton.jit
def batched(x, out, m, n, stride, BM: tl.constexpr, BN: tl.constexpr):
    batch = tl.program_id(2).to(tl.int64)
    rows = (tl.program_id(0) * BM + tl.arange(0, BM))[:, None]
    cols = (tl.program_id(1) * BN + tl.arange(0, BN))[None, :]
    mask = (rows < m) & (cols < n)
    v = tl.load(x + batch * stride + rows * n + cols, mask=mask)
    tl.store(out + batch * m * n + rows * n + cols, v, mask=mask)


# symcute: type x, out = *fp32
# symcute: type m, n, stride = i32
# symcute: constexpr BM = 8
# symcute: constexpr BN = 8
# symcute: launch grid=(ceil_div(m,BM),ceil_div(n,BN),batch)
# symcute: assume m*n <= stride
# symcute: assume m <= 2**14
# symcute: assume n <= 2**14
# symcute: assume batch <= 65535
# symcute: extent x = batch*stride
# symcute: extent out = batch*m*n
# truth: no_overflow=no in_bounds=no
# run: m=5 n=7 stride=40000 batch=65535 programs=0,0,0;0,0,65534
@triton.jit
def batched_32_bits(x, out, m, n, stride, BM: tl.constexpr, BN: tl.constexpr):
    batch = tl.program_id(2)
    rows = (tl.program_id(0) * BM + tl.arange(0, BM))[:, None]
    cols = (tl.program_id(1) * BN + tl.arange(0, BN))[None, :]
    mask = (rows < m) & (cols < n)
    v = tl.load(x + batch * stride + rows * n + cols, mask=mask)
    tl.store(out + batch.to(tl.int64) * m * n + rows * n + cols, v, mask=mask)


# symcute: type x, out = *fp16
# symcute: type m, n = i32
# symcute: constexpr BM = 8
# symcute: constexpr BN = 16
# symcute: launch grid=(ceil_div(m,BM),ceil_div(n,BN))
# symcute: assume n % 8 == 0
# symcute: assume m <= 2**14
# symcute: assume n <= 2**14
# symcute: extent x = m*n
# symcute: align x = 16
# symcute: align out = 16
# symcute: extent out = m*n
# symcute: covers out
@triton.jit
def described(x, out, m, n, BM: tl.constexpr, BN: tl.constexpr):
    source = tl.make_tensor_descriptor(x, shape=[m, n], strides=[n, 1], block_shape=[BM, BN])
    target = tl.make_tensor_descriptor(out, shape=[m, n], strides=[n, 1], block_shape=[BM, BN])
    at = [tl.program_id(0) * BM, tl.program_id(1) * BN]
    target.store(at, source.load(at))


# The descriptor of the output has one row too many.
# symcute: type x, out = *fp16
# symcute: type m, n = i32
# symcute: constexpr BM = 8
# symcute: constexpr BN = 16
# symcute: launch grid=(ceil_div(m,BM),ceil_div(n,BN))
# symcute: assume n % 8 == 0
# symcute: assume m <= 2**14
# symcute: assume n <= 2**14
# symcute: extent x = m*n
# symcute: align x = 16
# symcute: align out = 16
# symcute: extent out = m*n
# symcute: covers out
# truth: in_bounds=no covers=no
@triton.jit
def described_too_large(x, out, m, n, BM: tl.constexpr, BN: tl.constexpr):
    source = tl.make_tensor_descriptor(x, shape=[m, n], strides=[n, 1], block_shape=[BM, BN])
    target = tl.make_tensor_descriptor(out, shape=[m + 1, n], strides=[n, 1], block_shape=[BM, BN])
    at = [tl.program_id(0) * BM, tl.program_id(1) * BN]
    target.store(at, source.load(at))


# A descriptor's rows have to begin at multiples of 16 bytes.
# symcute: type x, out = *fp16
# symcute: type m, n = i32
# symcute: constexpr BM = 8
# symcute: constexpr BN = 16
# symcute: launch grid=(ceil_div(m,BM),ceil_div(n,BN))
# symcute: assume m <= 2**14
# symcute: assume n <= 2**14
# symcute: extent x = m*n
# symcute: align x = 16
# symcute: align out = 16
# symcute: extent out = m*n
# symcute: covers out
# truth: promises_kept=no
@triton.jit
def described_of_any_row(x, out, m, n, BM: tl.constexpr, BN: tl.constexpr):
    source = tl.make_tensor_descriptor(x, shape=[m, n], strides=[n, 1], block_shape=[BM, BN])
    target = tl.make_tensor_descriptor(out, shape=[m, n], strides=[n, 1], block_shape=[BM, BN])
    at = [tl.program_id(0) * BM, tl.program_id(1) * BN]
    target.store(at, source.load(at))


# Programs step by half a tile: their tiles overlap.
# symcute: type x, out = *fp16
# symcute: type m, n = i32
# symcute: constexpr BM = 8
# symcute: constexpr BN = 16
# symcute: launch grid=(ceil_div(m,BM),ceil_div(n,8))
# symcute: assume n % 8 == 0
# symcute: assume m <= 2**14
# symcute: assume n <= 2**14
# symcute: extent x = m*n
# symcute: align x = 16
# symcute: align out = 16
# symcute: extent out = m*n
# symcute: covers out
# truth: write_race_free=no covers=no
@triton.jit
def described_overlapping(x, out, m, n, BM: tl.constexpr, BN: tl.constexpr):
    source = tl.make_tensor_descriptor(x, shape=[m, n], strides=[n, 1], block_shape=[BM, BN])
    target = tl.make_tensor_descriptor(out, shape=[m, n], strides=[n, 1], block_shape=[BM, BN])
    at = [tl.program_id(0) * BM, tl.program_id(1) * 8]
    target.store(at, source.load(at))


# Sums of the rows of a tensor of three dimensions, by a tensor of three dimensions.
# symcute: type x, out = *fp32
# symcute: type a, b, c = i32
# symcute: constexpr BA = 4
# symcute: constexpr BB = 4
# symcute: constexpr BC = 8
# symcute: launch grid=(ceil_div(a,BA),ceil_div(b,BB))
# symcute: assume c <= 8
# symcute: assume a <= 2**13
# symcute: assume b <= 2**13
# symcute: extent x = a*b*c
# symcute: extent out = a*b
# symcute: covers out
@triton.jit
def sum_of_three(x, out, a, b, c, BA: tl.constexpr, BB: tl.constexpr, BC: tl.constexpr):
    i = tl.program_id(0) * BA + tl.arange(0, BA)
    j = tl.program_id(1) * BB + tl.arange(0, BB)
    k = tl.arange(0, BC)
    at = (i[:, None, None] * b + j[None, :, None]) * c + k[None, None, :]
    mask = (i[:, None, None] < a) & (j[None, :, None] < b) & (k[None, None, :] < c)
    sums = tl.sum(tl.load(x + at, mask=mask, other=0.0), axis=2)
    to = i[:, None] * b + j[None, :]
    tl.store(out + to, sums, mask=(i[:, None] < a) & (j[None, :] < b))


# symcute: type x, out = *fp32
# symcute: type a, b, c = i32
# symcute: constexpr BA = 4
# symcute: constexpr BB = 4
# symcute: constexpr BC = 8
# symcute: launch grid=(ceil_div(a,BA),ceil_div(b,BB))
# symcute: assume c <= 8
# symcute: assume a <= 2**13
# symcute: assume b <= 2**13
# symcute: extent x = a*b*c
# symcute: extent out = a*b
# symcute: covers out
# truth: in_bounds=no
@triton.jit
def sum_of_three_with_two_masks(
    x, out, a, b, c, BA: tl.constexpr, BB: tl.constexpr, BC: tl.constexpr
):
    i = tl.program_id(0) * BA + tl.arange(0, BA)
    j = tl.program_id(1) * BB + tl.arange(0, BB)
    k = tl.arange(0, BC)
    at = (i[:, None, None] * b + j[None, :, None]) * c + k[None, None, :]
    mask = (i[:, None, None] < a) & (k[None, None, :] < c)
    sums = tl.sum(tl.load(x + at, mask=mask, other=0.0), axis=2)
    to = i[:, None] * b + j[None, :]
    tl.store(out + to, sums, mask=(i[:, None] < a) & (j[None, :] < b))


# A permutation of three dimensions, of whole blocks.
# symcute: type x, out = *fp32
# symcute: type a = i32
# symcute: constexpr B = 4
# symcute: launch grid=(a)
# symcute: assume a <= 2**20
# symcute: extent x = 64*a
# symcute: extent out = 64*a
# symcute: covers out
@triton.jit
def permute(x, out, a, B: tl.constexpr):
    k = tl.arange(0, B * B * B)
    block = tl.load(x + tl.program_id(0) * (B * B * B) + k).reshape(B, B, B)
    moved = tl.permute(block, 2, 0, 1).reshape(B * B * B)
    tl.store(out + k * a + tl.program_id(0), moved)


# Two outer rows of weights in eight bits, with a scale for each of 16 columns.
# symcute: type x = *i8
# symcute: type scale, out = *fp32
# symcute: type m, n = i32
# symcute: constexpr BM = 8
# symcute: constexpr BN = 32
# symcute: launch grid=(ceil_div(m,BM),ceil_div(n,BN))
# symcute: assume n % 16 == 0
# symcute: assume m <= 2**14
# symcute: assume n <= 2**14
# symcute: extent x = m*n
# symcute: extent scale = m*(n//16)
# symcute: extent out = m*n
# symcute: covers out
@triton.jit
def dequantize(x, scale, out, m, n, BM: tl.constexpr, BN: tl.constexpr):
    rows = (tl.program_id(0) * BM + tl.arange(0, BM))[:, None]
    cols = (tl.program_id(1) * BN + tl.arange(0, BN))[None, :]
    mask = (rows < m) & (cols < n)
    v = tl.load(x + rows * n + cols, mask=mask, other=0)
    s = tl.load(scale + rows * (n // 16) + cols // 16, mask=mask, other=0.0)
    tl.store(out + rows * n + cols, v * s, mask=mask)


# Columns that are no multiple of the group have a scale more than there are.
# symcute: type x = *i8
# symcute: type scale, out = *fp32
# symcute: type m, n = i32
# symcute: constexpr BM = 8
# symcute: constexpr BN = 32
# symcute: launch grid=(ceil_div(m,BM),ceil_div(n,BN))
# symcute: assume n >= 16
# symcute: assume m <= 2**14
# symcute: assume n <= 2**14
# symcute: extent x = m*n
# symcute: extent scale = m*(n//16)
# symcute: extent out = m*n
# symcute: covers out
# truth: in_bounds=no
@triton.jit
def dequantize_any_columns(x, scale, out, m, n, BM: tl.constexpr, BN: tl.constexpr):
    rows = (tl.program_id(0) * BM + tl.arange(0, BM))[:, None]
    cols = (tl.program_id(1) * BN + tl.arange(0, BN))[None, :]
    mask = (rows < m) & (cols < n)
    v = tl.load(x + rows * n + cols, mask=mask, other=0)
    s = tl.load(scale + rows * (n // 16) + cols // 16, mask=mask, other=0.0)
    tl.store(out + rows * n + cols, v * s, mask=mask)
