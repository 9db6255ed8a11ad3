"""Loops, branches, atomics, barriers, promises, windows, attention."""

import triton
import triton.language as tl


# symcute: type x = *i32
# symcute: type counts = *i32
# symcute: type n = i32
# symcute: constexpr BLOCK = 64
# symcute: launch grid=(ceil_div(n,BLOCK))
# symcute: extent x = n
# symcute: extent counts = bins
# symcute: contents x in [0, bins)
@triton.jit
def histogram(x, counts, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offs < n
    tl.atomic_add(counts + tl.load(x + offs, mask=mask), 1, mask=mask)


# symcute: type x = *i32
# symcute: type counts = *i32
# symcute: type n = i32
# symcute: constexpr BLOCK = 64
# symcute: launch grid=(ceil_div(n,BLOCK))
# symcute: extent x = n
# symcute: extent counts = bins
# symcute: contents x in [0, bins)
# truth: write_race_free=no read_write_race_free=no
@triton.jit
def histogram_without_atomics(x, counts, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offs < n
    to = counts + tl.load(x + offs, mask=mask)
    tl.store(to, tl.load(to, mask=mask) + 1, mask=mask)


# Atomic for a program's own threads alone.
# symcute: type x = *i32
# symcute: type counts = *i32
# symcute: type n = i32
# symcute: constexpr BLOCK = 64
# symcute: launch grid=(ceil_div(n,BLOCK))
# symcute: extent x = n
# symcute: extent counts = bins
# symcute: contents x in [0, bins)
# truth: write_race_free=no
@triton.jit
def histogram_of_narrow_scope(x, counts, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offs < n
    tl.atomic_add(counts + tl.load(x + offs, mask=mask), 1, mask=mask, scope="cta")


# Values are not what the counts have room for.
# symcute: type x = *i32
# symcute: type counts = *i32
# symcute: type n = i32
# symcute: constexpr BLOCK = 64
# symcute: launch grid=(ceil_div(n,BLOCK))
# symcute: extent x = n
# symcute: extent counts = bins
# symcute: contents x in [0-1, bins)
# truth: in_bounds=no
@triton.jit
def histogram_of_missing_values(x, counts, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offs < n
    tl.atomic_add(counts + tl.load(x + offs, mask=mask), 1, mask=mask)


# symcute: type x = *i32
# symcute: type counts = *i32
# symcute: type n = i32
# symcute: constexpr BLOCK = 64
# symcute: constexpr BINS = 16
# symcute: launch grid=(ceil_div(n,BLOCK))
# symcute: assume n <= 2**30
# symcute: extent x = n
# symcute: extent counts = ceil_div(n,64)*16
# symcute: covers counts
@triton.jit
def histogram_of_each_program(x, counts, n, BLOCK: tl.constexpr, BINS: tl.constexpr):
    pid = tl.program_id(0)
    offs = pid * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + offs, mask=offs < n, other=0)
    tl.store(counts + pid * BINS + tl.arange(0, BINS), tl.histogram(v, BINS))


# symcute: type x, out = *fp32
# symcute: type n = i32
# symcute: constexpr BLOCK = 64
# symcute: launch grid=(ceil_div(n,BLOCK))
# symcute: extent x = n
# symcute: extent out = 1
@triton.jit
def largest(x, out, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + offs, mask=offs < n, other=float("-inf"))
    tl.atomic_max(out, tl.max(v, axis=0))


# The first program makes the sum zero, while the others add to it.
# symcute: type x, out = *fp32
# symcute: type n = i32
# symcute: constexpr BLOCK = 64
# symcute: launch grid=(ceil_div(n,BLOCK))
# symcute: extent x = n
# symcute: extent out = 1
# truth: write_race_free=no
@triton.jit
def sum_that_clears(x, out, n, BLOCK: tl.constexpr):
    pid = tl.program_id(0)
    if pid == 0:
        tl.store(out, 0.0)
    offs = pid * BLOCK + tl.arange(0, BLOCK)
    tl.atomic_add(out, tl.sum(tl.load(x + offs, mask=offs < n, other=0.0), axis=0))


# All programs write their sum to one place.
# symcute: type x, out = *fp32
# symcute: type n = i32
# symcute: constexpr BLOCK = 64
# symcute: launch grid=(ceil_div(n,BLOCK))
# symcute: extent x = n
# symcute: extent out = 1
# truth: write_race_free=no
@triton.jit
def sum_of_the_last(x, out, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out, tl.sum(tl.load(x + offs, mask=offs < n, other=0.0), axis=0))


# Places are handed out by a counter.
# symcute: type x, out = *fp32
# symcute: type counter = *i32
# symcute: type n = i32
# symcute: constexpr BLOCK = 64
# symcute: launch grid=(ceil_div(n,BLOCK))
# symcute: assume n <= 2**30
# symcute: extent x = n
# symcute: extent counter = 1
# symcute: extent out = n
@triton.jit
def filtered(x, counter, out, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offs < n
    v = tl.load(x + offs, mask=mask, other=0.0)
    tl.store(out + offs, v, mask=mask & (v > 0))
    tl.atomic_add(counter, tl.sum((v > 0).to(tl.int32), axis=0))


# One after the other takes an entry, until all are taken.
# symcute: type locks = *i32
# symcute: type x = *fp32
# symcute: type n = i32
# symcute: launch grid=(P)
# symcute: extent locks = n
# symcute: extent x = n
# symcute: assume P <= 2**16
@triton.jit
def claimed(locks, x, n):
    taken = tl.atomic_cas(locks + tl.program_id(0) % n, 0, 1)
    tl.atomic_add(x + tl.program_id(0) % n, taken.to(tl.float32))


# symcute: type x, out = *fp32
# symcute: type n = i32
# symcute: constexpr BLOCK = 32
# symcute: launch grid=(rows)
# symcute: assume rows*n <= 2**30
# symcute: assume n <= 32
# symcute: extent x = rows*n
# symcute: extent out = rows*n
# symcute: covers out
# truth: read_write_race_free=no
@triton.jit
def neighbours_without_barrier(x, out, n, BLOCK: tl.constexpr):
    row = tl.program_id(0) * n
    at = tl.arange(0, BLOCK)
    tl.store(out + row + at, tl.load(x + row + at, mask=at < n, other=0.0), mask=at < n)
    after = tl.load(out + row + at + 1, mask=at + 1 < n, other=0.0)
    tl.debug_barrier()
    here = tl.load(out + row + at, mask=at < n, other=0.0)
    tl.atomic_add(out + row + at, after - here, mask=at < 0)


# symcute: type x, out, tmp = *fp32
# symcute: type n = i32
# symcute: constexpr BLOCK = 32
# symcute: launch grid=(rows)
# symcute: assume rows*n <= 2**30
# symcute: assume n <= 32
# symcute: extent x = rows*n
# symcute: extent tmp = rows*n
# symcute: extent out = rows*n
# symcute: covers out
@triton.jit
def neighbours_with_barrier(x, tmp, out, n, BLOCK: tl.constexpr):
    row = tl.program_id(0) * n
    at = tl.arange(0, BLOCK)
    tl.store(tmp + row + at, tl.load(x + row + at, mask=at < n, other=0.0), mask=at < n)
    tl.debug_barrier()
    after = tl.load(tmp + row + at + 1, mask=at + 1 < n, other=0.0)
    tl.store(out + row + at, after, mask=at < n)


# The row of the next program is not there yet, whatever barriers there are.
# symcute: type x, out, tmp = *fp32
# symcute: type n = i32
# symcute: constexpr BLOCK = 32
# symcute: launch grid=(rows)
# symcute: assume rows*n <= 2**30
# symcute: assume n <= 32
# symcute: extent x = rows*n
# symcute: extent tmp = rows*n
# symcute: extent out = rows*n
# symcute: covers out
# truth: read_write_race_free=no
@triton.jit
def neighbours_of_the_next_row(x, tmp, out, n, BLOCK: tl.constexpr):
    row = tl.program_id(0) * n
    at = tl.arange(0, BLOCK)
    tl.store(tmp + row + at, tl.load(x + row + at, mask=at < n, other=0.0), mask=at < n)
    tl.debug_barrier()
    end = tl.num_programs(0) * n
    after = tl.load(tmp + row + at + 1, mask=(at < n) & (row + at + 1 < end), other=0.0)
    tl.store(out + row + at, after, mask=at < n)


# symcute: type x, w, out = *fp32
# symcute: type n = i32
# symcute: constexpr BLOCK = 32
# symcute: constexpr K = 5
# symcute: launch grid=(ceil_div(n,BLOCK))
# symcute: assume n <= 2**30
# symcute: extent x = n
# symcute: extent w = 5
# symcute: extent out = n
# symcute: covers out
@triton.jit
def convolution(x, w, out, n, BLOCK: tl.constexpr, K: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    acc = tl.zeros([BLOCK], dtype=tl.float32)
    for k in tl.static_range(K):
        at = offs + k - K // 2
        acc += tl.load(w + k) * tl.load(x + at, mask=(at >= 0) & (at < n), other=0.0)
    tl.store(out + offs, acc, mask=offs < n)


# The left end has no mask.
# symcute: type x, w, out = *fp32
# symcute: type n = i32
# symcute: constexpr BLOCK = 32
# symcute: constexpr K = 5
# symcute: launch grid=(ceil_div(n,BLOCK))
# symcute: assume n <= 2**30
# symcute: extent x = n
# symcute: extent w = 5
# symcute: extent out = n
# symcute: covers out
# truth: in_bounds=no
@triton.jit
def convolution_of_one_end(x, w, out, n, BLOCK: tl.constexpr, K: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    acc = tl.zeros([BLOCK], dtype=tl.float32)
    for k in tl.static_range(K):
        at = offs + k - K // 2
        acc += tl.load(w + k) * tl.load(x + at, mask=at < n, other=0.0)
    tl.store(out + offs, acc, mask=offs < n)


# Weights are as many as a launch says; channels have rows of their own.
# symcute: type x, w, out = *fp32
# symcute: type n, taps = i32
# symcute: constexpr BLOCK = 32
# symcute: launch grid=(channels,ceil_div(n,BLOCK))
# symcute: assume channels*n <= 2**28
# symcute: assume channels*taps <= 2**28
# symcute: assume n <= 2**20
# symcute: assume taps <= 2**20
# symcute: extent x = channels*n
# symcute: extent w = channels*taps
# symcute: extent out = channels*n
# symcute: covers out
@triton.jit
def causal_convolution(x, w, out, n, taps, BLOCK: tl.constexpr):
    channel = tl.program_id(0)
    offs = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    acc = tl.zeros([BLOCK], dtype=tl.float32)
    for k in range(taps):
        at = offs - k
        v = tl.load(x + channel * n + at, mask=(at >= 0) & (at < n), other=0.0)
        acc += v * tl.load(w + channel * taps + k)
    tl.store(out + channel * n + offs, acc, mask=offs < n)


# symcute: type x, out = *fp32
# symcute: type n, left, right = i32
# symcute: constexpr BLOCK = 32
# symcute: launch grid=(ceil_div(n + left + right,BLOCK))
# symcute: assume n + left + right <= 2**30
# symcute: extent x = n
# symcute: extent out = n + left + right
# symcute: covers out
@triton.jit
def pad(x, out, n, left, right, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    at = offs - left
    v = tl.load(x + at, mask=(at >= 0) & (at < n), other=0.0)
    tl.store(out + offs, v, mask=offs < n + left + right)


# Reflected at both ends, which needs more elements than are added.
# symcute: type x, out = *fp32
# symcute: type n, left = i32
# symcute: constexpr BLOCK = 32
# symcute: launch grid=(ceil_div(n + 2*left,BLOCK))
# symcute: assume n <= 2**28
# symcute: assume left <= 2**28
# symcute: assume left < n
# symcute: extent x = n
# symcute: extent out = n + 2*left
# symcute: covers out
@triton.jit
def pad_by_reflection(x, out, n, left, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offs < n + 2 * left
    at = offs - left
    at = tl.where(at < 0, -at, at)
    at = tl.where(at >= n, 2 * (n - 1) - at, at)
    tl.store(out + offs, tl.load(x + at, mask=mask), mask=mask)


# symcute: type x, out = *fp32
# symcute: type n, left = i32
# symcute: constexpr BLOCK = 32
# symcute: launch grid=(ceil_div(n + 2*left,BLOCK))
# symcute: assume n <= 2**28
# symcute: assume left <= 2**28
# symcute: extent x = n
# symcute: extent out = n + 2*left
# symcute: covers out
# truth: in_bounds=no
@triton.jit
def pad_by_reflection_of_too_few(x, out, n, left, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offs < n + 2 * left
    at = offs - left
    at = tl.where(at < 0, -at, at)
    at = tl.where(at >= n, 2 * (n - 1) - at, at)
    tl.store(out + offs, tl.load(x + at, mask=mask), mask=mask)


# Windows of 2 by 2; what is left of an odd side is not looked at.
# symcute: type x, out = *fp32
# symcute: type m, n = i32
# symcute: constexpr BLOCK = 32
# symcute: launch grid=(m//2,ceil_div(n//2,BLOCK))
# symcute: assume m >= 2
# symcute: assume n >= 2
# symcute: assume m*n <= 2**28
# symcute: assume n <= 2**20
# symcute: extent x = m*n
# symcute: extent out = (m//2)*(n//2)
# symcute: covers out
@triton.jit
def pool(x, out, m, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    col = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    mask = col < n // 2
    best = tl.full([BLOCK], float("-inf"), dtype=tl.float32)
    for i in tl.static_range(2):
        for j in tl.static_range(2):
            v = tl.load(x + (2 * row + i) * n + 2 * col + j, mask=mask, other=float("-inf"))
            best = tl.maximum(best, v)
    tl.store(out + row * (n // 2) + col, best, mask=mask)


# Rounded up, so that the last window has but half.
# symcute: type x, out = *fp32
# symcute: type m, n = i32
# symcute: constexpr BLOCK = 32
# symcute: launch grid=(ceil_div(m,2),ceil_div(n,2*BLOCK))
# symcute: assume m*n <= 2**28
# symcute: assume n <= 2**20
# symcute: assume m <= 2**20
# symcute: extent x = m*n
# symcute: extent out = ceil_div(m,2)*ceil_div(n,2)
# symcute: covers out
# truth: in_bounds=no
@triton.jit
def pool_rounded_up(x, out, m, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    col = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    mask = col < (n + 1) // 2
    best = tl.full([BLOCK], float("-inf"), dtype=tl.float32)
    for i in tl.static_range(2):
        for j in tl.static_range(2):
            v = tl.load(x + (2 * row + i) * n + 2 * col + j, mask=mask, other=float("-inf"))
            best = tl.maximum(best, v)
    tl.store(out + row * ((n + 1) // 2) + col, best, mask=mask)


# Halving: where a key belongs in a sorted array.
# symcute: type keys, queries = *fp32
# symcute: type out = *i32
# symcute: type n = i32
# symcute: launch grid=(q)
# symcute: assume n <= 2**30
# symcute: assume q <= 2**30
# symcute: extent keys = n
# symcute: extent queries = q
# symcute: extent out = q
# symcute: covers out
@triton.jit
def search(keys, queries, out, n):
    pid = tl.program_id(0)
    key = tl.load(queries + pid)
    low = 0
    high = n
    while low < high:
        middle = (low + high) // 2
        if tl.load(keys + middle) < key:
            low = middle + 1
        else:
            high = middle
    tl.store(out + pid, low)


# The end is searched, too.
# symcute: type keys, queries = *fp32
# symcute: type out = *i32
# symcute: type n = i32
# symcute: launch grid=(q)
# symcute: assume n <= 2**30
# symcute: assume q <= 2**30
# symcute: extent keys = n
# symcute: extent queries = q
# symcute: extent out = q
# symcute: covers out
# truth: in_bounds=no
# run: n=4 q=1 queries[0]=9
@triton.jit
def search_past_the_end(keys, queries, out, n):
    pid = tl.program_id(0)
    key = tl.load(queries + pid)
    low = 0
    high = n
    while low <= high:
        middle = (low + high) // 2
        if tl.load(keys + middle) < key:
            low = middle + 1
        else:
            high = middle - 1
    tl.store(out + pid, low)


# symcute: type x = *fp32
# symcute: type out = *i1
# symcute: type n, limit = i32
# symcute: constexpr BLOCK = 32
# symcute: launch grid=(ceil_div(n,BLOCK))
# symcute: assume n <= 2**30
# symcute: extent x = n
# symcute: extent out = n
# symcute: covers out
@triton.jit
def either_way(x, out, n, limit, BLOCK: tl.constexpr):
    pid = tl.program_id(0)
    offs = pid * BLOCK + tl.arange(0, BLOCK)
    if pid < limit:
        shift = 1.0
    else:
        shift = -1.0
        offs = offs + 0
    tl.store(out + offs, tl.load(x + offs, mask=offs < n, other=0.0) > shift, mask=offs < n)


# Only one of the two branches has a mask.
# symcute: type x, out = *fp32
# symcute: type n, limit = i32
# symcute: constexpr BLOCK = 32
# symcute: launch grid=(ceil_div(n,BLOCK))
# symcute: assume n <= 2**30
# symcute: extent x = n
# symcute: extent out = n
# symcute: covers out
# truth: in_bounds=no covers=no
@triton.jit
def mask_in_one_branch(x, out, n, limit, BLOCK: tl.constexpr):
    pid = tl.program_id(0)
    offs = pid * BLOCK + tl.arange(0, BLOCK)
    if pid + 1 < limit:
        tl.store(out + offs, tl.load(x + offs))
    else:
        tl.store(out + offs, tl.load(x + offs, mask=offs < n), mask=offs < n)


# Whole blocks without a mask, the last with one.
# symcute: type x, out = *fp32
# symcute: type n = i32
# symcute: constexpr BLOCK = 32
# symcute: launch grid=(ceil_div(n,BLOCK))
# symcute: assume n <= 2**30
# symcute: extent x = n
# symcute: extent out = n
# symcute: covers out
@triton.jit
def mask_of_the_last(x, out, n, BLOCK: tl.constexpr):
    pid = tl.program_id(0)
    offs = pid * BLOCK + tl.arange(0, BLOCK)
    if (pid + 1) * BLOCK <= n:
        tl.store(out + offs, tl.load(x + offs))
    else:
        tl.store(out + offs, tl.load(x + offs, mask=offs < n), mask=offs < n)


# Two loops, one in the other: tiles of a triangle.
# symcute: type x, out = *fp32
# symcute: type n = i32
# symcute: constexpr B = 8
# symcute: launch grid=(ceil_div(n,B))
# symcute: assume n <= 2**14
# symcute: extent x = n*n
# symcute: extent out = n
# symcute: covers out
@triton.jit
def triangle(x, out, n, B: tl.constexpr):
    pid = tl.program_id(0)
    rows = pid * B + tl.arange(0, B)
    acc = tl.zeros([B], dtype=tl.float32)
    for tile in range(0, pid + 1):
        for k in range(0, B):
            col = tile * B + k
            mask = (rows < n) & (col <= rows)
            acc += tl.load(x + rows * n + col, mask=mask, other=0.0)
    tl.store(out + rows, acc, mask=rows < n)


# The diagonal's tile is not masked along its columns.
# symcute: type x, out = *fp32
# symcute: type n = i32
# symcute: constexpr B = 8
# symcute: launch grid=(ceil_div(n,B))
# symcute: assume n <= 2**14
# symcute: extent x = n*n
# symcute: extent out = n
# symcute: covers out
# truth: in_bounds=no
@triton.jit
def triangle_unmasked(x, out, n, B: tl.constexpr):
    pid = tl.program_id(0)
    rows = pid * B + tl.arange(0, B)
    acc = tl.zeros([B], dtype=tl.float32)
    for tile in range(0, pid + 1):
        for k in range(0, B):
            col = tile * B + k
            v = tl.load(x + rows * n + col, mask=rows < n, other=0.0)
            acc += tl.where(col <= rows, v, 0.0)
    tl.store(out + rows, acc, mask=rows < n)


# symcute: type q, k, v, out = *fp16
# symcute: type n, scale = i32
# symcute: constexpr BM = 16
# symcute: constexpr BN = 16
# symcute: constexpr D = 16
# symcute: launch grid=(ceil_div(n,BM),heads)
# symcute: assume n*heads <= 2**24
# symcute: assume n <= 2**20
# symcute: extent q = heads*n*16
# symcute: extent k = heads*n*16
# symcute: extent v = heads*n*16
# symcute: extent out = heads*n*16
# symcute: covers out
@triton.jit
def attention(q, k, v, out, n, scale, BM: tl.constexpr, BN: tl.constexpr, D: tl.constexpr):
    start = tl.program_id(0) * BM
    base = tl.program_id(1) * n * D
    rows = start + tl.arange(0, BM)
    dims = tl.arange(0, D)
    own = rows[:, None] * D + dims[None, :]
    queries = tl.load(q + base + own, mask=rows[:, None] < n, other=0.0)
    m = tl.full([BM], float("-inf"), dtype=tl.float32)
    total = tl.zeros([BM], dtype=tl.float32)
    acc = tl.zeros([BM, D], dtype=tl.float32)
    for first in range(0, tl.minimum(start + BM, n), BN):
        cols = first + tl.arange(0, BN)
        mask = cols[:, None] < n
        keys = tl.load(k + base + cols[:, None] * D + dims[None, :], mask=mask, other=0.0)
        scores = tl.dot(queries, tl.trans(keys)) * scale
        scores = tl.where(rows[:, None] >= cols[None, :], scores, float("-inf"))
        new = tl.maximum(m, tl.max(scores, axis=1))
        p = tl.exp(scores - new[:, None])
        shrunk = tl.exp(m - new)
        total = total * shrunk + tl.sum(p, axis=1)
        values = tl.load(v + base + cols[:, None] * D + dims[None, :], mask=mask, other=0.0)
        acc = acc * shrunk[:, None] + tl.dot(p.to(tl.float16), values)
        m = new
    acc = acc / total[:, None]
    tl.store(out + base + own, acc.to(tl.float16), mask=rows[:, None] < n)


# Keys past the end of the last block belong to the next head.
# symcute: type q, k, out = *fp16
# symcute: type n = i32
# symcute: constexpr BM = 16
# symcute: constexpr BN = 16
# symcute: constexpr D = 16
# symcute: launch grid=(ceil_div(n,BM),heads)
# symcute: assume n*heads <= 2**24
# symcute: assume n <= 2**20
# symcute: extent q = heads*n*16
# symcute: extent k = heads*n*16
# symcute: extent out = heads*n
# symcute: covers out
# truth: in_bounds=no
@triton.jit
def attention_without_mask_of_keys(
    q, k, out, n, BM: tl.constexpr, BN: tl.constexpr, D: tl.constexpr
):
    start = tl.program_id(0) * BM
    base = tl.program_id(1) * n * D
    rows = start + tl.arange(0, BM)
    dims = tl.arange(0, D)
    own = rows[:, None] * D + dims[None, :]
    queries = tl.load(q + base + own, mask=rows[:, None] < n, other=0.0)
    m = tl.full([BM], float("-inf"), dtype=tl.float32)
    for first in range(0, start + BM, BN):
        cols = first + tl.arange(0, BN)
        keys = tl.load(k + base + cols[None, :] * D + dims[:, None])
        scores = tl.where(rows[:, None] >= cols[None, :], tl.dot(queries, keys), float("-inf"))
        m = tl.maximum(m, tl.max(scores, axis=1))
    tl.store(out + tl.program_id(1) * n + rows, m.to(tl.float16), mask=rows < n)


# Grouped heads: several of the queries share one of the keys.
# symcute: type q, k, out = *fp16
# symcute: type n, group = i32
# symcute: constexpr BM = 16
# symcute: constexpr D = 8
# symcute: launch grid=(ceil_div(n,BM),heads*group)
# symcute: assume n*heads*group <= 2**24
# symcute: assume n <= 2**20
# symcute: assume heads*group <= 65535
# symcute: extent q = heads*group*n*8
# symcute: extent k = heads*n*8
# symcute: extent out = heads*group*n
# symcute: covers out
@triton.jit
def grouped_heads(q, k, out, n, group, BM: tl.constexpr, D: tl.constexpr):
    head = tl.program_id(1)
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    dims = tl.arange(0, D)
    own = rows[:, None] * D + dims[None, :]
    mask = rows[:, None] < n
    a = tl.load(q + head * n * D + own, mask=mask, other=0.0)
    b = tl.load(k + (head // group) * n * D + own, mask=mask, other=0.0)
    tl.store(out + head * n + rows, tl.sum(a * b, axis=1).to(tl.float16), mask=rows < n)


# The key's head is taken as if there were one for each of the queries.
# symcute: type q, k, out = *fp16
# symcute: type n, group = i32
# symcute: constexpr BM = 16
# symcute: constexpr D = 8
# symcute: launch grid=(ceil_div(n,BM),heads*group)
# symcute: assume n*heads*group <= 2**24
# symcute: assume n <= 2**20
# symcute: assume heads*group <= 65535
# symcute: extent q = heads*group*n*8
# symcute: extent k = heads*n*8
# symcute: extent out = heads*group*n
# symcute: covers out
# truth: in_bounds=no
@triton.jit
def grouped_heads_ungrouped(q, k, out, n, group, BM: tl.constexpr, D: tl.constexpr):
    head = tl.program_id(1)
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    dims = tl.arange(0, D)
    own = rows[:, None] * D + dims[None, :]
    mask = rows[:, None] < n
    a = tl.load(q + head * n * D + own, mask=mask, other=0.0)
    b = tl.load(k + head * n * D + own, mask=mask, other=0.0)
    tl.store(out + head * n + rows, tl.sum(a * b, axis=1).to(tl.float16), mask=rows < n)


# Pages of a cache: a table says where each lies.
# symcute: type table = *i32
# symcute: type cache, out = *fp16
# symcute: type n, most = i32
# symcute: constexpr PAGE = 16
# symcute: launch grid=(seqs)
# symcute: assume n <= most*16
# symcute: assume seqs*most <= 2**26
# symcute: assume pages <= 2**26
# symcute: extent table = seqs*most
# symcute: extent cache = pages*16
# symcute: extent out = seqs*most*16
# symcute: contents table in [0, pages)
@triton.jit
def paged(table, cache, out, n, most, PAGE: tl.constexpr):
    seq = tl.program_id(0)
    at = tl.arange(0, PAGE)
    for block in range(0, tl.cdiv(n, PAGE)):
        page = tl.load(table + seq * most + block)
        v = tl.load(cache + page * PAGE + at, mask=block * PAGE + at < n)
        tl.store(out + (seq * most + block) * PAGE + at, v, mask=block * PAGE + at < n)


# A page more than the table has, where n is a multiple.
# symcute: type table = *i32
# symcute: type cache, out = *fp16
# symcute: type n, most = i32
# symcute: constexpr PAGE = 16
# symcute: launch grid=(seqs)
# symcute: assume n <= most*16
# symcute: assume seqs*most <= 2**26
# symcute: assume pages <= 2**26
# symcute: extent table = seqs*most
# symcute: extent cache = pages*16
# symcute: extent out = seqs*most*16
# symcute: contents table in [0, pages)
# truth: in_bounds=no
# run: n=16 most=1 seqs=1 pages=2
@triton.jit
def paged_by_one_more(table, cache, out, n, most, PAGE: tl.constexpr):
    seq = tl.program_id(0)
    at = tl.arange(0, PAGE)
    for block in range(0, n // PAGE + 1):
        page = tl.load(table + seq * most + block)
        v = tl.load(cache + page * PAGE + at, mask=block * PAGE + at < n)
        tl.store(out + (seq * most + block) * PAGE + at, v, mask=block * PAGE + at < n)


# What is assumed is true of every launch.
# symcute: type x, out = *fp32
# symcute: type n = i32
# symcute: constexpr BLOCK = 32
# symcute: launch grid=(ceil_div(n,BLOCK))
# symcute: assume n % 32 == 0
# symcute: extent x = n
# symcute: extent out = n
# symcute: covers out
@triton.jit
def assumed(x, out, n, BLOCK: tl.constexpr):
    tl.assume(n % BLOCK == 0)
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + offs, tl.load(x + offs))


# What is assumed is not, and it is no reason to believe it.
# symcute: type x, out = *fp32
# symcute: type n = i32
# symcute: constexpr BLOCK = 32
# symcute: launch grid=(ceil_div(n,BLOCK))
# symcute: assume n <= 2**30
# symcute: extent x = n
# symcute: extent out = n
# symcute: covers out
# truth: in_bounds=no covers=no promises_kept=no
@triton.jit
def assumed_wrongly(x, out, n, BLOCK: tl.constexpr):
    tl.assume(n % BLOCK == 0)
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + offs, tl.load(x + offs))


# symcute: type x, out = *fp32
# symcute: type ids = *i32
# symcute: type n, rows = i32
# symcute: constexpr BLOCK = 32
# symcute: launch grid=(ceil_div(n,BLOCK))
# symcute: assume n <= 2**30
# symcute: extent x = rows
# symcute: extent ids = n
# symcute: extent out = n
# symcute: contents ids in [0, rows]
# symcute: covers out
# truth: in_bounds=no promises_kept=no
@triton.jit
def asserted(x, ids, out, n, rows, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offs < n
    which = tl.load(ids + offs, mask=mask, other=0)
    tl.device_assert((which >= 0) & (which < rows), "a row that is not there")
    tl.store(out + offs, tl.load(x + which, mask=mask), mask=mask)


# symcute: type x, out = *fp16
# symcute: type n, stride = i32
# symcute: constexpr BLOCK = 32
# symcute: launch grid=(rows)
# symcute: assume n <= stride
# symcute: assume stride % 8 == 0
# symcute: assume n <= 32
# symcute: assume rows*stride <= 2**30
# symcute: extent x = rows*stride
# symcute: extent out = rows*n
# symcute: covers out
@triton.jit
def promised(x, out, n, stride, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    start = tl.multiple_of(row * stride, 8)
    v = tl.load(x + start + at, mask=at < n)
    tl.store(out + row * n + at, v, mask=at < n)


# Promised by the kernel, not kept by the caller.
# symcute: type x, out = *fp16
# symcute: type n, stride = i32
# symcute: constexpr BLOCK = 32
# symcute: launch grid=(rows)
# symcute: assume n <= stride
# symcute: assume n <= 32
# symcute: assume rows*stride <= 2**30
# symcute: extent x = rows*stride
# symcute: extent out = rows*n
# symcute: covers out
# truth: promises_kept=no
@triton.jit
def promised_and_not_kept(x, out, n, stride, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    start = tl.multiple_of(row * stride, 8)
    v = tl.load(x + start + at, mask=at < n)
    tl.store(out + row * n + at, v, mask=at < n)


@triton.jit
def _tile(pid, n, BLOCK: tl.constexpr):
    offs = pid * BLOCK + tl.arange(0, BLOCK)
    return offs, offs < n


@triton.jit(noinline=True)
def _shifted(start, by):
    return start + by


# symcute: type x, out = *fp32
# symcute: type n = i32
# symcute: constexpr BLOCK = 32
# symcute: launch grid=(ceil_div(n,BLOCK))
# symcute: assume n <= 2**30
# symcute: extent x = n + 3
# symcute: extent out = n
# symcute: covers out
@triton.jit
def calls(x, out, n, BLOCK: tl.constexpr):
    offs, mask = _tile(tl.program_id(0), n, BLOCK)
    start = _shifted(tl.program_id(0) * BLOCK, 3)
    tl.store(out + offs, tl.load(x + start + tl.arange(0, BLOCK), mask=mask), mask=mask)


# symcute: type x, out = *fp32
# symcute: type n = i32
# symcute: constexpr BLOCK = 32
# symcute: launch grid=(ceil_div(n,BLOCK))
# symcute: assume n <= 2**30
# symcute: extent x = n + 3
# symcute: extent out = n
# symcute: covers out
# truth: in_bounds=no
@triton.jit
def calls_too_far(x, out, n, BLOCK: tl.constexpr):
    offs, mask = _tile(tl.program_id(0), n, BLOCK)
    start = _shifted(tl.program_id(0) * BLOCK, 4)
    tl.store(out + offs, tl.load(x + start + tl.arange(0, BLOCK), mask=mask), mask=mask)


# The counter of the first loop is a pointer, too.
# symcute: type x, out = *fp32
# symcute: type rows, cols = i32
# symcute: constexpr BLOCK = 32
# symcute: launch grid=(ceil_div(cols,BLOCK))
# symcute: assume rows*cols <= 2**30
# symcute: assume cols <= 2**29
# symcute: assume rows <= 2**29
# symcute: extent x = rows*cols
# symcute: extent out = cols
# symcute: covers out
@triton.jit
def sums_of_columns(x, out, rows, cols, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offs < cols
    at = x + offs
    acc = tl.zeros([BLOCK], dtype=tl.float32)
    for _ in range(rows):
        acc += tl.load(at, mask=mask, other=0.0)
        at += cols
    tl.store(out + offs, acc, mask=mask)


# The pointer is moved before it is read.
# symcute: type x, out = *fp32
# symcute: type rows, cols = i32
# symcute: constexpr BLOCK = 32
# symcute: launch grid=(ceil_div(cols,BLOCK))
# symcute: assume rows*cols <= 2**30
# symcute: assume cols <= 2**29
# symcute: assume rows <= 2**29
# symcute: extent x = rows*cols
# symcute: extent out = cols
# symcute: covers out
# truth: in_bounds=no
@triton.jit
def sums_of_the_next_rows(x, out, rows, cols, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offs < cols
    at = x + offs
    acc = tl.zeros([BLOCK], dtype=tl.float32)
    for _ in range(rows):
        at += cols
        acc += tl.load(at, mask=mask, other=0.0)
    tl.store(out + offs, acc, mask=mask)


# A hash by unsigned numbers wraps, and is meant to.
# symcute: type keys = *i32
# symcute: type table = *i32
# symcute: type n = i32
# symcute: constexpr BLOCK = 32
# symcute: launch grid=(ceil_div(n,BLOCK))
# symcute: assume n <= 2**30
# symcute: extent keys = n
# symcute: extent table = 1024
@triton.jit
def hashed(keys, table, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offs < n
    key = tl.load(keys + offs, mask=mask, other=0).to(tl.uint32)
    slot = (key * 2654435761) >> 22
    tl.atomic_add(table + slot, 1, mask=mask)


# A remainder of a negative number is negative.
# symcute: type keys = *i32
# symcute: type table = *i32
# symcute: type n = i32
# symcute: constexpr BLOCK = 32
# symcute: launch grid=(ceil_div(n,BLOCK))
# symcute: assume n <= 2**30
# symcute: extent keys = n
# symcute: extent table = 1024
# truth: in_bounds=no
# run: n=3 keys[1]=-5
@triton.jit
def hashed_by_remainder(keys, table, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offs < n
    key = tl.load(keys + offs, mask=mask, other=0)
    tl.atomic_add(table + key % 1024, 1, mask=mask)
