"""Kernels made to deceive: what is said of each by executions is held against the verdicts."""

import triton
import triton.language as tl


# symcute: type x, out = *fp32
# symcute: type n = u32
# symcute: constexpr BLOCK = 1024
# symcute: launch grid=(ceil_div(n,BLOCK))
# symcute: assume n <= 2**32 - 2048
# symcute: extent x = n
# symcute: extent out = n
# run: n=4294965248 programs=4194300;2097152;0
@triton.jit
def unsigned_offsets(x, out, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0).to(tl.uint32) * BLOCK + tl.arange(0, BLOCK).to(tl.uint32)
    mask = offs < n
    tl.store(out + offs, tl.load(x + offs, mask=mask), mask=mask)


# symcute: type x, out = *fp32
# symcute: type n = u32
# symcute: constexpr BLOCK = 1024
# symcute: launch grid=(ceil_div(n,BLOCK))
# symcute: extent x = n
# symcute: extent out = n
# run: n=4294967295 programs=4194303;0
@triton.jit
def unsigned_offsets_of_all_sizes(x, out, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0).to(tl.uint32) * BLOCK + tl.arange(0, BLOCK).to(tl.uint32)
    mask = offs < n
    tl.store(out + offs, tl.load(x + offs, mask=mask), mask=mask)


# symcute: type x, out = *fp32
# symcute: type n = u32
# symcute: constexpr BLOCK = 32
# symcute: launch grid=(ceil_div(n,BLOCK))
# symcute: assume n <= 2**30
# symcute: extent x = n
# symcute: extent out = n
@triton.jit
def unsigned_difference(x, out, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0).to(tl.uint32) * BLOCK + tl.arange(0, BLOCK).to(tl.uint32)
    left = n - 1 - offs
    mask = left < n
    tl.store(out + offs, tl.load(x + left, mask=mask), mask=mask)


# symcute: type x, out = *fp32
# symcute: type n = u32
# symcute: constexpr BLOCK = 32
# symcute: launch grid=(ceil_div(n,BLOCK))
# symcute: assume n <= 2**30
# symcute: extent x = n
# symcute: extent out = n
# truth: in_bounds=no
@triton.jit
def unsigned_difference_not_masked(x, out, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0).to(tl.uint32) * BLOCK + tl.arange(0, BLOCK).to(tl.uint32)
    left = n - 1 - offs
    mask = left >= 0
    tl.store(out + offs, tl.load(x + left, mask=mask), mask=mask)


# symcute: type x, out = *fp32
# symcute: type n, m = i32
# symcute: constexpr BLOCK = 32
# symcute: launch grid=(ceil_div(n,BLOCK))
# symcute: assume n <= 2**30
# symcute: assume m <= 2**30
# symcute: extent x = n
# symcute: extent out = n
# truth: in_bounds=no no_overflow=no
# run: n=1 m=1073741824
@triton.jit
def promoted_too_late(x, out, n, m, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    far = (offs + m * 4).to(tl.int64) - m.to(tl.int64) * 4
    mask = (offs < n) & (far < n)
    tl.store(out + offs, tl.load(x + far, mask=mask), mask=mask)


# symcute: type x, out = *fp32
# symcute: type n = i32
# symcute: constexpr BLOCK = 32
# symcute: launch grid=(ceil_div(n,BLOCK))
# symcute: assume n <= 2**30
# symcute: extent x = n
# symcute: extent out = n
@triton.jit
def exact_maximum(x, out, n, BLOCK: tl.constexpr):
    r = tl.arange(0, BLOCK)
    top = tl.max(r, axis=0) + 1
    offs = tl.program_id(0) * top + r
    mask = offs < n
    tl.store(out + offs, tl.load(x + offs, mask=mask), mask=mask)


# symcute: type out = *fp32
# symcute: constexpr BLOCK = 32
# symcute: launch grid=(1)
# symcute: extent out = 32
@triton.jit
def maximum_and_back(out, BLOCK: tl.constexpr):
    r = tl.arange(0, BLOCK)
    top = tl.max(r, axis=0)
    tl.store(out + r + (top - (BLOCK - 1)), 1.0)


# symcute: type out = *fp32
# symcute: constexpr BLOCK = 32
# symcute: launch grid=(1)
# symcute: extent out = 32
# truth: in_bounds=no
@triton.jit
def maximum_and_less(out, BLOCK: tl.constexpr):
    r = tl.arange(0, BLOCK)
    top = tl.min(r, axis=0)
    tl.store(out + r + (top - (BLOCK - 1)), 1.0)


# symcute: type ids = *i32
# symcute: type x, out = *fp32
# symcute: type n = i32
# symcute: constexpr BLOCK = 32
# symcute: launch grid=(ceil_div(n,BLOCK))
# symcute: assume n <= 2**30
# symcute: extent ids = n
# symcute: extent x = n
# symcute: extent out = n
# symcute: contents ids in [0,n)
# truth: in_bounds=no
@triton.jit
def index_overwritten(ids, x, out, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offs < n
    i = tl.load(ids + offs, mask=mask, other=0)
    tl.store(ids + offs, i + 1, mask=mask)
    j = tl.load(ids + offs, mask=mask, other=0)
    tl.store(out + offs, tl.load(x + j, mask=mask), mask=mask)


# symcute: type ids = *i32
# symcute: type x, out = *fp32
# symcute: type n = i32
# symcute: constexpr BLOCK = 32
# symcute: launch grid=(ceil_div(n,BLOCK))
# symcute: assume n <= 2**30
# symcute: extent ids = n
# symcute: extent x = n
# symcute: extent out = n
# symcute: contents ids in [0,n)
# truth: in_bounds=no
@triton.jit
def index_counted_up(ids, x, out, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offs < n
    tl.atomic_add(ids + offs, 1, mask=mask)
    j = tl.load(ids + offs, mask=mask, other=0)
    tl.store(out + offs, tl.load(x + j, mask=mask), mask=mask)


# symcute: type ids = *i32
# symcute: type x, out = *fp32
# symcute: type n = i32
# symcute: constexpr BLOCK = 32
# symcute: launch grid=(ceil_div(n,BLOCK))
# symcute: assume n <= 2**30
# symcute: extent ids = n
# symcute: extent x = n
# symcute: extent out = n
# symcute: contents ids in [0,n)
# truth: in_bounds=no
@triton.jit
def index_overwritten_by_address(ids, x, out, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offs < n
    where = (ids + offs).to(tl.int64).to(tl.pointer_type(tl.int32))
    tl.store(where, offs + n, mask=mask)
    j = tl.load(ids + offs, mask=mask, other=0)
    tl.store(out + offs, tl.load(x + j, mask=mask), mask=mask)


# symcute: type x, out = *fp32
# symcute: type n = i32
# symcute: constexpr BLOCK = 32
# symcute: launch grid=(ceil_div(n,BLOCK))
# symcute: assume n <= 2**30
# symcute: extent x = n
# symcute: extent out = n
# truth: in_bounds=no
@triton.jit
def truths_compared(x, out, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    small, even = offs < n, offs % 2 == 0
    mask = (small == even) | (small > even)
    tl.store(out + offs, tl.load(x + offs, mask=mask), mask=mask)


# symcute: type x, out = *fp32
# symcute: type n = i32
# symcute: constexpr BLOCK = 32
# symcute: launch grid=(ceil_div(n,BLOCK))
# symcute: assume n <= 2**30
# symcute: extent x = n
# symcute: extent out = n
@triton.jit
def truths_added(x, out, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    both = (offs < n).to(tl.int32) + (offs >= 0).to(tl.int32)
    mask = both == 2
    tl.store(out + offs, tl.load(x + offs, mask=mask), mask=mask)


# symcute: type x, out = *fp32
# symcute: type n = i32
# symcute: constexpr BLOCK = 32
# symcute: launch grid=(ceil_div(n,BLOCK))
# symcute: assume n <= 2**30
# symcute: extent x = n
# symcute: extent out = n
# truth: in_bounds=no
@triton.jit
def truths_added_as_truths(x, out, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = (offs < n) + (offs >= 0)
    tl.store(out + offs, tl.load(x + offs, mask=mask), mask=mask)


# symcute: type x, out = *fp32
# symcute: type n = i32
# symcute: constexpr BLOCK = 32
# symcute: launch grid=(ceil_div(n,BLOCK))
# symcute: assume n <= 2**30
# symcute: extent x = n
# symcute: extent out = n
@triton.jit
def not_twice(x, out, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = ~(offs >= n)
    tl.store(out + offs, tl.load(x + offs, mask=mask), mask=not (n < 0) and mask)


# symcute: type x, out = *fp32
# symcute: type n = i32
# symcute: constexpr BLOCK = 32
# symcute: launch grid=(ceil_div(n,BLOCK))
# symcute: assume n <= 2**30
# symcute: extent x = n
# symcute: extent out = n
@triton.jit
def sign_of_a_shift(x, out, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    back = (offs - 8) >> 2
    mask = (offs < n) & (back >= -1)
    tl.store(out + offs, tl.load(x + back + 1, mask=mask), mask=mask)


# symcute: type x, out = *fp32
# symcute: type n = i32
# symcute: constexpr BLOCK = 32
# symcute: launch grid=(ceil_div(n,BLOCK))
# symcute: assume n <= 2**30
# symcute: extent x = n
# symcute: extent out = n
@triton.jit
def sign_of_a_quotient(x, out, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    back = (offs - 8) // 4
    mask = (offs < n) & (back > -2)
    tl.store(out + offs, tl.load(x + back + 1, mask=mask), mask=mask)


# symcute: type x, out = *fp32
# symcute: type n = i32
# symcute: constexpr BLOCK = 32
# symcute: launch grid=(ceil_div(n,BLOCK))
# symcute: assume n <= 2**29
# symcute: extent x = n
# symcute: extent out = n
@triton.jit
def remainder_of_a_negative(x, out, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offs < n
    at = (-offs) % (-n)
    tl.store(out + offs, tl.load(x - at, mask=mask), mask=mask)


# symcute: type x, out = *fp32
# symcute: type n = i32
# symcute: constexpr BLOCK = 32
# symcute: launch grid=(ceil_div(n,BLOCK))
# symcute: assume n <= 2**29
# symcute: extent x = n
# symcute: extent out = n
@triton.jit
def remainder_unsigned(x, out, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offs < n
    at = (offs - 1).to(tl.uint32) % n.to(tl.uint32)
    tl.store(out + offs, tl.load(x + at, mask=mask), mask=mask)


# symcute: type x, out = *fp32
# symcute: type n = i32
# symcute: constexpr BLOCK = 32
# symcute: launch grid=(1)
# symcute: assume n <= 2**29
# symcute: extent x = n
# symcute: extent out = n
@triton.jit
def pointers_past_the_end(x, out, n, BLOCK: tl.constexpr):
    p = x + tl.arange(0, BLOCK)
    q = out + tl.arange(0, BLOCK)
    for k in range(0, n, BLOCK):
        mask = tl.arange(0, BLOCK) + k < n
        tl.store(q, tl.load(p, mask=mask), mask=mask)
        p += BLOCK
        q += BLOCK


# symcute: type x, out = *fp32
# symcute: type n = i32
# symcute: constexpr BLOCK = 32
# symcute: launch grid=(1)
# symcute: assume n <= 2**29
# symcute: extent x = n
# symcute: extent out = n
# truth: in_bounds=no
@triton.jit
def pointers_moved_before(x, out, n, BLOCK: tl.constexpr):
    p = x + tl.arange(0, BLOCK)
    q = out + tl.arange(0, BLOCK)
    for k in range(0, n, BLOCK):
        mask = tl.arange(0, BLOCK) + k < n
        p += BLOCK
        tl.store(q, tl.load(p, mask=mask), mask=mask)
        q += BLOCK


# symcute: type x, out = *fp32
# symcute: type n = i32
# symcute: constexpr BLOCK = 32
# symcute: launch grid=(1)
# symcute: assume n <= 2**29
# symcute: extent x = n
# symcute: extent out = n
@triton.jit
def counted_down(x, out, n, BLOCK: tl.constexpr):
    for k in range(tl.cdiv(n, BLOCK) - 1, -1, -1):
        offs = k * BLOCK + tl.arange(0, BLOCK)
        mask = offs < n
        tl.store(out + offs, tl.load(x + offs, mask=mask), mask=mask)


# symcute: type x, out = *fp32
# symcute: type n = i32
# symcute: constexpr BLOCK = 32
# symcute: launch grid=(1)
# symcute: assume n <= 2**29
# symcute: extent x = n
# symcute: extent out = n
# truth: in_bounds=no
@triton.jit
def counted_down_too_far(x, out, n, BLOCK: tl.constexpr):
    for k in range(tl.cdiv(n, BLOCK) - 1, -2, -1):
        offs = k * BLOCK + tl.arange(0, BLOCK)
        mask = offs < n
        tl.store(out + offs, tl.load(x + offs, mask=mask), mask=mask)


# symcute: type x, out = *fp32
# symcute: type n = i32
# symcute: constexpr A = 8
# symcute: constexpr B = 8
# symcute: launch grid=(1)
# symcute: extent x = 64
# symcute: extent out = 64
# symcute: covers out
@triton.jit
def turned_and_flat(x, out, n, A: tl.constexpr, B: tl.constexpr):
    at = tl.arange(0, A)[:, None] * B + tl.arange(0, B)[None, :]
    flat = tl.reshape(tl.trans(at), (A * B,))
    tl.store(out + flat, tl.load(x + tl.arange(0, A * B)))


# symcute: type x, out = *fp32
# symcute: launch grid=(1)
# symcute: extent x = 64
# symcute: extent out = 64
# symcute: covers out
@triton.jit
def three_axes_round(x, out):
    at = tl.reshape(tl.arange(0, 64), (2, 4, 8))
    round = tl.permute(at, (2, 0, 1))
    flat = tl.reshape(round, (8, 8))
    one = tl.arange(0, 8)[:, None] * 8 + tl.arange(0, 8)[None, :]
    mask = flat == (one // 8) + (one % 8) * 8
    tl.store(out + one, tl.load(x + flat), mask=mask)


# symcute: type x, out = *fp32
# symcute: launch grid=(1)
# symcute: extent x = 64
# symcute: extent out = 64
# symcute: covers out
# truth: covers=no
@triton.jit
def three_axes_round_the_other_way(x, out):
    at = tl.reshape(tl.arange(0, 64), (2, 4, 8))
    round = tl.permute(at, (1, 2, 0))
    flat = tl.reshape(round, (8, 8))
    one = tl.arange(0, 8)[:, None] * 8 + tl.arange(0, 8)[None, :]
    mask = flat == (one // 8) + (one % 8) * 8
    tl.store(out + one, tl.load(x + flat), mask=mask)


# symcute: type x, out = *fp32
# symcute: launch grid=(1)
# symcute: extent x = 32
# symcute: extent out = 32
# symcute: covers out
@triton.jit
def split_and_joined(x, out):
    at = tl.reshape(tl.arange(0, 32), (16, 2))
    even, odd = tl.split(at)
    both = tl.reshape(tl.join(odd, even), (32,))
    tl.store(out + both, tl.load(x + (both ^ 1)))


# symcute: type x, out = *fp32
# symcute: launch grid=(1)
# symcute: extent x = 32
# symcute: extent out = 32
# symcute: covers out
# truth: covers=no
@triton.jit
def split_and_lost(x, out):
    at = tl.reshape(tl.arange(0, 32), (2, 16))
    even, odd = tl.split(tl.trans(at))
    tl.store(out + even, tl.load(x + odd))
    tl.store(out + (odd ^ 16), tl.load(x + odd))


# symcute: type x, out = *fp32
# symcute: type n = i32
# symcute: constexpr BLOCK = 32
# symcute: launch grid=(ceil_div(n,BLOCK))
# symcute: assume n <= 2**29
# symcute: extent x = n
# symcute: extent out = n
# symcute: covers out
@triton.jit
def flipped(x, out, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    back = tl.flip(offs)
    mask = back < n
    tl.store(out + back, tl.load(x + back, mask=mask), mask=mask)


# symcute: type x, out = *fp32
# symcute: type n = i32
# symcute: constexpr BLOCK = 32
# symcute: launch grid=(ceil_div(n,BLOCK))
# symcute: assume n <= 2**29
# symcute: extent x = n
# symcute: extent out = n
# truth: in_bounds=no
@triton.jit
def flipped_mask(x, out, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = tl.flip(offs) < n
    tl.store(out + offs, tl.load(x + offs, mask=mask), mask=mask)


# symcute: type x, out = *fp32
# symcute: type n = i32
# symcute: constexpr BLOCK = 32
# symcute: launch grid=(1)
# symcute: assume n <= 2**29
# symcute: extent x = n
# symcute: extent out = n
@triton.jit
def while_doubling(x, out, n, BLOCK: tl.constexpr):
    i = 1
    while i < n:
        tl.store(out + i, tl.load(x + i - 1))
        i = i * 2


# symcute: type x, out = *fp32
# symcute: type n = i32
# symcute: constexpr BLOCK = 32
# symcute: launch grid=(1)
# symcute: extent x = n
# symcute: extent out = n
# truth: in_bounds=no no_overflow=no
# run: n=2147483647 programs=0
@triton.jit
def while_doubling_of_all_sizes(x, out, n, BLOCK: tl.constexpr):
    i = 1
    while i < n:
        tl.store(out + i, tl.load(x + i - 1))
        i = i * 2


# symcute: type x, out = *fp32
# symcute: type n, k = i32
# symcute: constexpr BLOCK = 4
# symcute: launch grid=(ceil_div(n,BLOCK))
# symcute: assume n <= 2**29
# symcute: extent x = n
# symcute: extent out = n
# truth: in_bounds=no
@triton.jit
def returns_in_a_branch(x, out, n, k, BLOCK: tl.constexpr):
    pid = tl.program_id(0)
    if k > 3:  # noqa: SIM102
        if pid * BLOCK + BLOCK > n:
            return
    offs = pid * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + offs, tl.load(x + offs))


# symcute: type x, out = *fp32
# symcute: type n, k = i32
# symcute: constexpr BLOCK = 4
# symcute: launch grid=(ceil_div(n,BLOCK))
# symcute: assume n <= 2**29
# symcute: extent x = n
# symcute: extent out = n
@triton.jit
def returns_in_either_branch(x, out, n, k, BLOCK: tl.constexpr):
    pid = tl.program_id(0)
    if k > 3:
        if pid * BLOCK + BLOCK > n:
            return
    else:
        if pid * BLOCK + BLOCK - 1 >= n:
            return
    offs = pid * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + offs, tl.load(x + offs))


# symcute: type x, out = *fp32
# symcute: type a, b, c = i32
# symcute: launch grid=(a,b,c)
# symcute: assume a <= 2**9
# symcute: assume b <= 2**9
# symcute: assume c <= 2**9
# symcute: extent x = a * b * c
# symcute: extent out = a * b * c
# symcute: covers out
@triton.jit
def three_axes_of_programs(x, out, a, b, c):
    i = tl.program_id(0) + tl.num_programs(0) * (
        tl.program_id(1) + tl.num_programs(1) * tl.program_id(2)
    )
    tl.store(out + i, tl.load(x + i))


# symcute: type x, out = *fp32
# symcute: type a, b, c = i32
# symcute: launch grid=(a,b,c)
# symcute: assume a <= 2**9
# symcute: assume b <= 2**9
# symcute: assume c <= 2**9
# symcute: extent x = a * b * c
# symcute: extent out = a * b * c
# symcute: covers out
# truth: covers=no in_bounds=no write_race_free=no
@triton.jit
def three_axes_of_programs_exchanged(x, out, a, b, c):
    i = tl.program_id(0) + tl.num_programs(1) * (
        tl.program_id(1) + tl.num_programs(0) * tl.program_id(2)
    )
    tl.store(out + i, tl.load(x + i))


# symcute: type x, out = *fp32
# symcute: type n = i32
# symcute: constexpr BLOCK = 32
# symcute: launch grid=(ceil_div(n,4 * BLOCK))
# symcute: assume n <= 2**29
# symcute: extent x = n
# symcute: extent out = n
# symcute: covers out
@triton.jit
def unrolled(x, out, n, BLOCK: tl.constexpr):
    for k in tl.static_range(4):
        offs = (tl.program_id(0) * 4 + k) * BLOCK + tl.arange(0, BLOCK)
        mask = offs < n
        tl.store(out + offs, tl.load(x + offs, mask=mask), mask=mask)


# symcute: type x, out = *fp32
# symcute: type n = i32
# symcute: constexpr BLOCK = 32
# symcute: launch grid=(ceil_div(n,4 * BLOCK))
# symcute: assume n <= 2**29
# symcute: extent x = n
# symcute: extent out = n
# symcute: covers out
# truth: covers=no
@triton.jit
def unrolled_once_too_few(x, out, n, BLOCK: tl.constexpr):
    for k in tl.static_range(3):
        offs = (tl.program_id(0) * 4 + k) * BLOCK + tl.arange(0, BLOCK)
        mask = offs < n
        tl.store(out + offs, tl.load(x + offs, mask=mask), mask=mask)


@triton.jit
def _larger(a, b):
    return tl.maximum(a, b)


@triton.jit
def _first(a, b):
    return a


@triton.jit
def _sum(a, b):
    return a + b


# symcute: type x, out = *fp32
# symcute: constexpr BLOCK = 32
# symcute: launch grid=(1)
# symcute: extent x = 32
# symcute: extent out = 32
@triton.jit
def reduced_by_sum(x, out, BLOCK: tl.constexpr):
    r = tl.arange(0, BLOCK)
    s = tl.reduce(r, 0, _sum)
    tl.store(out + r, tl.load(x + s // 16 + r - 31))


# symcute: type x, out = *fp32
# symcute: constexpr BLOCK = 32
# symcute: launch grid=(1)
# symcute: extent x = 32
# symcute: extent out = 32
@triton.jit
def reduced_to_the_first(x, out, BLOCK: tl.constexpr):
    r = tl.arange(0, BLOCK)
    s = tl.reduce(r + 5, 0, _first)
    tl.store(out + r, tl.load(x + s - 5))


# symcute: type x, out = *fp32
# symcute: constexpr BLOCK = 32
# symcute: launch grid=(1)
# symcute: extent x = 32
# symcute: extent out = 32
@triton.jit
def scanned(x, out, BLOCK: tl.constexpr):
    r = tl.arange(0, BLOCK)
    s = tl.associative_scan(r, 0, _larger)
    tl.store(out + s, tl.load(x + r))


# symcute: type x, out = *fp32
# symcute: type n = i32
# symcute: constexpr BLOCK = 32
# symcute: launch grid=(ceil_div(n,BLOCK))
# symcute: assume n <= 2**29
# symcute: extent x = n
# symcute: extent out = n
# truth: in_bounds=no
@triton.jit
def pointer_through_memory(x, out, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    at = (x.to(tl.int64) + offs * 4).to(tl.pointer_type(tl.float32))
    mask = offs < n
    tl.store(out + offs, tl.load(at + 1, mask=mask), mask=mask)


# symcute: type x, out = *fp32
# symcute: type n, m, s = i32
# symcute: constexpr B = 8
# symcute: launch grid=(ceil_div(m,B))
# symcute: assume n <= 2**10
# symcute: assume m <= 2**10
# symcute: extent x = m * n
# symcute: extent out = m * n
# truth: aligned=no in_bounds=no no_overflow=no write_race_free=no
# run: m=1 n=1 s=1073741824
@triton.jit
def described_of_a_wrong_stride(x, out, n, m, s, B: tl.constexpr):
    a = tl.make_tensor_descriptor(x, (m, n), (4 * s, 1), (B, B))
    tl.store(
        out + tl.arange(0, B)[:, None] * 0 + tl.program_id(0),
        tl.sum(a.load((tl.program_id(0) * B, 0)), 1)[:, None],
    )


# symcute: type x, out = *fp32
# symcute: type n = i32
# symcute: constexpr BLOCK = 32
# symcute: launch grid=(ceil_div(n,BLOCK))
# symcute: assume n <= 2**29
# symcute: extent x = n
# symcute: extent out = n
# truth: promises_kept=no in_bounds=no
@triton.jit
def assumed_and_wrong(x, out, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.assume(n % BLOCK == 0)
    offs = tl.max_contiguous(tl.multiple_of(offs, BLOCK), BLOCK)
    tl.device_assert(offs < n)
    tl.store(out + offs, tl.load(x + offs))


# symcute: type x, out = *fp32
# symcute: type n = i64
# symcute: constexpr BLOCK = 1024
# symcute: launch grid=(ceil_div(n,BLOCK))
# symcute: assume n <= 2**40
# symcute: extent x = n
# symcute: extent out = n
# truth: in_bounds=no
# run: n=2147484671 programs=2097152
@triton.jit
def mask_of_a_narrow_size(x, out, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    mask = offs.to(tl.int32) < n
    tl.store(out + offs, tl.load(x + offs, mask=mask), mask=mask)


# symcute: type x, out = *fp32
# symcute: type n = i32
# symcute: constexpr BLOCK = 32
# symcute: launch grid=(ceil_div(n,BLOCK))
# symcute: assume n <= 2**29
# symcute: extent x = n
# symcute: extent out = n
# truth: in_bounds=no write_race_free=no
@triton.jit
def step_that_is_negative(x, out, n, BLOCK: tl.constexpr):
    step = -tl.num_programs(0)
    for k in range(n, 0, step):
        tl.store(out + k, tl.load(x + k))


# symcute: type x, out = *fp32
# symcute: type n, d = i32
# symcute: constexpr BLOCK = 32
# symcute: launch grid=(ceil_div(n,BLOCK))
# symcute: assume n <= 2**29
# symcute: extent x = n
# symcute: extent out = n
@triton.jit
def absolute(x, out, n, d, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    away = tl.abs(offs - 7)
    mask = (away < n) & (offs < n)
    tl.store(out + offs, tl.load(x + away, mask=mask), mask=mask)


# symcute: type x, out = *fp32
# symcute: type n = i32
# symcute: constexpr BLOCK = 32
# symcute: launch grid=(ceil_div(n,BLOCK))
# symcute: assume n <= 2**29
# symcute: extent x = n
# symcute: extent out = n
# symcute: covers out
@triton.jit
def clamped(x, out, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    at = tl.minimum(tl.maximum(offs - 3, 0), n - 1)
    tl.store(out + offs, tl.load(x + at), mask=offs < n)


# symcute: type x, out = *fp32
# symcute: type n = i32
# symcute: constexpr BLOCK = 32
# symcute: launch grid=(ceil_div(n,BLOCK))
# symcute: assume n <= 2**29
# symcute: extent x = n
# symcute: extent out = n
# truth: in_bounds=no
@triton.jit
def clamped_in_the_wrong_order(x, out, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    at = tl.maximum(tl.minimum(offs - 3, n - 5), 0)
    tl.store(out + offs, tl.load(x + at + 4), mask=offs < n)


# symcute: type x, out = *fp32
# symcute: type keys = *i32
# symcute: type n = i32
# symcute: constexpr BLOCK = 32
# symcute: launch grid=(ceil_div(n,BLOCK))
# symcute: assume n <= 2**29
# symcute: extent x = 1024
# symcute: extent keys = n
# symcute: extent out = n
@triton.jit
def hashed_and_cut(keys, x, out, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offs < n
    h = tl.load(keys + offs, mask=mask, other=0).to(tl.uint32) * 2654435761
    tl.store(out + offs, tl.load(x + (h & 1023).to(tl.int32)), mask=mask)


# symcute: type x, out = *fp32
# symcute: type keys = *i32
# symcute: type n = i32
# symcute: constexpr BLOCK = 32
# symcute: launch grid=(ceil_div(n,BLOCK))
# symcute: assume n <= 2**29
# symcute: extent x = 1024
# symcute: extent keys = n
# symcute: extent out = n
# truth: no_overflow=no
# run: n=40 keys[1]=100000
@triton.jit
def hashed_as_signed(keys, x, out, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offs < n
    h = tl.load(keys + offs, mask=mask, other=0) * 40503
    tl.store(out + offs, tl.load(x + (h & 1023)), mask=mask)


# symcute: type x, out = *fp32
# symcute: type n = u32
# symcute: constexpr BLOCK = 1024
# symcute: launch grid=(ceil_div(n,BLOCK))
# symcute: extent x = n
# symcute: extent out = n
# run: n=4294967295 programs=4194303;0
@triton.jit
def unsigned_and_folded(x, out, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0).to(tl.uint32) * BLOCK + tl.arange(0, BLOCK).to(tl.uint32)
    mask = offs < n
    at = (offs + 7 + 9) - 16
    tl.store(out + at, tl.load(x + at, mask=mask), mask=mask)
