"""Outputs that several stores cover: halves, branches, columns, rounds; and those with gaps."""

import triton
import triton.language as tl


# symcute: type x, out = *fp32
# symcute: type n = i32
# symcute: constexpr HALF = 16
# symcute: launch grid=(n//32)
# symcute: assume n % 32 == 0
# symcute: assume n <= 2**29
# symcute: extent x = n
# symcute: extent out = n
# symcute: covers out
@triton.jit
def a_store_for_each_half(x, out, n, HALF: tl.constexpr):
    first = tl.program_id(0) * 2 * HALF + tl.arange(0, HALF)
    tl.store(out + first, tl.load(x + first))
    tl.store(out + first + HALF, tl.load(x + first + HALF))


# symcute: type x, out = *fp32
# symcute: type n = i32
# symcute: constexpr HALF = 16
# symcute: launch grid=(ceil_div(n,32))
# symcute: assume n <= 2**29
# symcute: extent x = n
# symcute: extent out = n
# symcute: covers out
@triton.jit
def a_masked_store_for_each_half(x, out, n, HALF: tl.constexpr):
    first = tl.program_id(0) * 2 * HALF + tl.arange(0, HALF)
    tl.store(out + first, tl.load(x + first, mask=first < n), mask=first < n)
    behind = first + HALF
    tl.store(out + behind, tl.load(x + behind, mask=behind < n), mask=behind < n)


# symcute: type x, out = *fp32
# symcute: type n = i32
# symcute: constexpr HALF = 16
# symcute: launch grid=(ceil_div(n,32))
# symcute: assume n <= 2**29
# symcute: extent x = n
# symcute: extent out = n
# symcute: covers out
# truth: covers=no
@triton.jit
def halves_with_a_gap(x, out, n, HALF: tl.constexpr):
    first = tl.program_id(0) * 2 * HALF + tl.arange(0, HALF)
    tl.store(out + first, tl.load(x + first, mask=first < n), mask=first < n)
    behind = first + HALF
    tl.store(out + behind, tl.load(x + behind, mask=behind < n), mask=behind < n - 1)


# symcute: type x, out = *fp32
# symcute: type n = i32
# symcute: constexpr HALF = 16
# symcute: launch grid=(ceil_div(n,32))
# symcute: assume n <= 2**29
# symcute: extent x = n
# symcute: extent out = n
# symcute: covers out
# truth: covers=no write_race_free=no
@triton.jit
def halves_that_overlap(x, out, n, HALF: tl.constexpr):
    first = tl.program_id(0) * 2 * HALF + tl.arange(0, HALF)
    tl.store(out + first, tl.load(x + first, mask=first < n), mask=first < n)
    behind = first + HALF - 1
    tl.store(out + behind, tl.load(x + behind, mask=behind < n), mask=behind < n)


# symcute: type x, out = *fp32
# symcute: type n = i32
# symcute: constexpr BLOCK = 32
# symcute: launch grid=(ceil_div(n,BLOCK))
# symcute: assume n <= 2**29
# symcute: extent x = n
# symcute: extent out = n
# symcute: covers out
@triton.jit
def one_branch_or_the_other(x, out, n, BLOCK: tl.constexpr):
    pid = tl.program_id(0)
    offs = pid * BLOCK + tl.arange(0, BLOCK)
    if pid * BLOCK + BLOCK <= n:
        tl.store(out + offs, tl.load(x + offs))
    else:
        tl.store(out + offs, 0.0, mask=offs < n)


# symcute: type x, out = *fp32
# symcute: type n = i32
# symcute: constexpr BLOCK = 32
# symcute: launch grid=(ceil_div(n,BLOCK))
# symcute: assume n <= 2**29
# symcute: extent x = n
# symcute: extent out = n
# symcute: covers out
# truth: covers=no
@triton.jit
def whole_blocks_alone(x, out, n, BLOCK: tl.constexpr):
    pid = tl.program_id(0)
    offs = pid * BLOCK + tl.arange(0, BLOCK)
    if pid * BLOCK + BLOCK <= n:
        tl.store(out + offs, tl.load(x + offs))
    else:
        tl.store(out + offs, 0.0, mask=offs < n - 1)


# symcute: type x, out = *fp32
# symcute: type n = i32
# symcute: constexpr BLOCK = 32
# symcute: launch grid=(ceil_div(n,BLOCK))
# symcute: assume n <= 2**29
# symcute: extent x = n
# symcute: extent out = n
# symcute: covers out
@triton.jit
def a_store_for_each_sign(x, out, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    even = offs % 2 == 0
    tl.store(out + offs, 1.0, mask=(offs < n) & even)
    tl.store(out + offs, -1.0, mask=(offs < n) & (offs % 2 == 1))


# symcute: type x, out = *fp32
# symcute: type n = i32
# symcute: constexpr BLOCK = 32
# symcute: launch grid=(ceil_div(n,BLOCK))
# symcute: assume n <= 2**29
# symcute: extent x = n
# symcute: extent out = n
# symcute: covers out
# truth: covers=no
@triton.jit
def two_of_three_remainders(x, out, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + offs, 1.0, mask=(offs < n) & (offs % 3 == 0))
    tl.store(out + offs, -1.0, mask=(offs < n) & (offs % 3 == 1))


# symcute: type x, out = *fp32
# symcute: type rows = i32
# symcute: constexpr C = 16
# symcute: launch grid=(rows)
# symcute: assume rows <= 2**24
# symcute: extent x = rows*32
# symcute: extent out = rows*32
# symcute: covers out
@triton.jit
def rope_of_two_halves(x, out, rows, C: tl.constexpr):
    row = tl.program_id(0)
    left = row * 2 * C + tl.arange(0, C)
    right = left + C
    a, b = tl.load(x + left), tl.load(x + right)
    tl.store(out + left, a - b)
    tl.store(out + right, a + b)


# symcute: type x, out = *fp32
# symcute: type rows, half = i32
# symcute: constexpr C = 16
# symcute: launch grid=(rows, ceil_div(half,C))
# symcute: assume rows*half <= 2**28
# symcute: assume half <= 2**20
# symcute: assume rows <= 2**20
# symcute: extent x = rows*half*2
# symcute: extent out = rows*half*2
# symcute: implements out = (half,2,rows):(1,half,2*half)
@triton.jit
def rope_of_halves_of_any_size(x, out, rows, half, C: tl.constexpr):
    row = tl.program_id(0)
    at = tl.program_id(1) * C + tl.arange(0, C)
    left = row * half * 2 + at
    a = tl.load(x + left, mask=at < half)
    b = tl.load(x + left + half, mask=at < half)
    tl.store(out + left, a - b, mask=at < half)
    tl.store(out + left + half, a + b, mask=at < half)


# symcute: type x, out = *fp32
# symcute: type rows, half = i32
# symcute: constexpr C = 16
# symcute: launch grid=(rows, ceil_div(half,C))
# symcute: assume rows*half <= 2**28
# symcute: assume half <= 2**20
# symcute: assume rows <= 2**20
# symcute: extent x = rows*half*2
# symcute: extent out = rows*half*2
# symcute: implements out = (half,2,rows):(1,half,2*half)
# truth: implements=no
@triton.jit
def rope_that_forgets_the_last(x, out, rows, half, C: tl.constexpr):
    row = tl.program_id(0)
    at = tl.program_id(1) * C + tl.arange(0, C)
    left = row * half * 2 + at
    a = tl.load(x + left, mask=at < half)
    b = tl.load(x + left + half, mask=at < half)
    tl.store(out + left, a - b, mask=at < half)
    tl.store(out + left + half, a + b, mask=at < half - 1)


# symcute: type out = *fp32
# symcute: type rows, cols = i32
# symcute: constexpr C = 16
# symcute: launch grid=(rows)
# symcute: assume rows*cols <= 2**29
# symcute: assume cols <= 32
# symcute: assume rows <= 2**20
# symcute: extent out = rows*cols
# symcute: implements out = (cols,rows):(1,cols)
@triton.jit
def columns_in_two_blocks(out, rows, cols, C: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, C)
    tl.store(out + row * cols + at, 1.0, mask=at < cols)
    tl.store(out + row * cols + at + C, 1.0, mask=at + C < cols)


# symcute: type out = *fp32
# symcute: type rows, cols = i32
# symcute: constexpr C = 16
# symcute: launch grid=(rows)
# symcute: assume rows*cols <= 2**29
# symcute: assume cols <= 33
# symcute: assume rows <= 2**20
# symcute: extent out = rows*cols
# symcute: implements out = (cols,rows):(1,cols)
# truth: implements=no
# run: rows=2 cols=33
@triton.jit
def columns_in_two_blocks_and_one_more(out, rows, cols, C: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, C)
    tl.store(out + row * cols + at, 1.0, mask=at < cols)
    tl.store(out + row * cols + at + C, 1.0, mask=at + C < cols)


# symcute: type out = *fp32
# symcute: type n = i32
# symcute: constexpr BLOCK = 16
# symcute: launch grid=(1)
# symcute: assume n <= 2**12
# symcute: assume n >= 1
# symcute: extent out = n
# symcute: covers out
@triton.jit
def the_first_and_then_the_rest(out, n, BLOCK: tl.constexpr):
    tl.store(out, 0.0)
    for start in range(1, n, BLOCK):
        offs = start + tl.arange(0, BLOCK)
        tl.store(out + offs, 1.0, mask=offs < n)


# symcute: type out = *fp32
# symcute: type n = i32
# symcute: constexpr BLOCK = 16
# symcute: launch grid=(1)
# symcute: assume n <= 2**12
# symcute: assume n >= 1
# symcute: extent out = n
# symcute: covers out
# truth: covers=no write_race_free=no
@triton.jit
def the_first_twice(out, n, BLOCK: tl.constexpr):
    tl.store(out, 0.0)
    for start in range(0, n, BLOCK):
        offs = start + tl.arange(0, BLOCK)
        tl.store(out + offs, 1.0, mask=offs < n)


# symcute: type out = *fp32
# symcute: type n = i32
# symcute: constexpr BLOCK = 32
# symcute: launch grid=(ceil_div(n,BLOCK) + 1)
# symcute: assume n <= 2**28
# symcute: extent out = n + 1
# symcute: covers out
@triton.jit
def one_program_for_the_last(out, n, BLOCK: tl.constexpr):
    pid = tl.program_id(0)
    if pid == tl.num_programs(0) - 1:
        tl.store(out + n, 2.0)
        return
    offs = pid * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + offs, 1.0, mask=offs < n)
