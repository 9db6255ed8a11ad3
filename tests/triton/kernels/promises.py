"""What kernels promise and assert, kept and broken: in loops, behind masks and early returns."""

import triton
import triton.language as tl


# symcute: type x, out = *fp32
# symcute: type n = i32
# symcute: constexpr BLOCK = 32
# symcute: launch grid=(n//BLOCK)
# symcute: assume n % 32 == 0
# symcute: assume n <= 2**29
# symcute: extent x = n
# symcute: extent out = n
@triton.jit
def kept_by_the_caller(x, out, n, BLOCK: tl.constexpr):
    n = tl.multiple_of(n, 16)
    tl.assume(n >= BLOCK)
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    offs = tl.max_contiguous(tl.multiple_of(offs, BLOCK), BLOCK)
    tl.device_assert(offs < n)
    tl.store(out + offs, tl.load(x + offs))


# symcute: type x, out = *fp32
# symcute: type n = i32
# symcute: constexpr BLOCK = 32
# symcute: launch grid=(ceil_div(n,BLOCK))
# symcute: assume n <= 2**29
# symcute: extent x = n
# symcute: extent out = n
# truth: promises_kept=no
@triton.jit
def size_of_no_multiple(x, out, n, BLOCK: tl.constexpr):
    n = tl.multiple_of(n, 16)
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + offs, tl.load(x + offs, mask=offs < n), mask=offs < n)


# symcute: type x, out = *fp32
# symcute: type n = i32
# symcute: constexpr BLOCK = 32
# symcute: launch grid=(ceil_div(n,BLOCK))
# symcute: assume n <= 2**29
# symcute: extent x = n
# symcute: extent out = n
# truth: promises_kept=no
@triton.jit
def row_that_wraps_around(x, out, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    around = tl.max_contiguous(tl.multiple_of(offs % n, BLOCK), BLOCK)
    tl.store(out + offs, tl.load(x + around), mask=offs < n)


# symcute: type x, out = *fp32
# symcute: type n = i32
# symcute: constexpr BLOCK = 32
# symcute: launch grid=(ceil_div(n,BLOCK))
# symcute: assume n <= 2**29
# symcute: assume n % 32 == 0
# symcute: extent x = n
# symcute: extent out = n
@triton.jit
def row_that_never_wraps(x, out, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    around = tl.max_contiguous(tl.multiple_of(offs % n, BLOCK), BLOCK)
    tl.store(out + offs, tl.load(x + around), mask=offs < n)


# symcute: type x, out = *fp32
# symcute: type n = i32
# symcute: constexpr BLOCK = 16
# symcute: launch grid=(1)
# symcute: assume n <= 2**12
# symcute: extent x = n
# symcute: extent out = n
@triton.jit
def assumed_in_a_loop(x, out, n, BLOCK: tl.constexpr):
    for start in range(0, n, BLOCK):
        tl.assume(start < n)
        start = tl.multiple_of(start, BLOCK)
        offs = start + tl.arange(0, BLOCK)
        tl.store(out + offs, tl.load(x + offs, mask=offs < n), mask=offs < n)


# symcute: type x, out = *fp32
# symcute: type n = i32
# symcute: constexpr BLOCK = 16
# symcute: launch grid=(1)
# symcute: assume n <= 2**12
# symcute: extent x = n
# symcute: extent out = n
# truth: promises_kept=no
# run: n=17
@triton.jit
def assumed_in_a_loop_of_the_first_round(x, out, n, BLOCK: tl.constexpr):
    for start in range(0, n, BLOCK):
        tl.assume(start == 0)
        offs = start + tl.arange(0, BLOCK)
        tl.store(out + offs, tl.load(x + offs, mask=offs < n), mask=offs < n)


# symcute: type x, out = *fp32
# symcute: type n = i32
# symcute: constexpr BLOCK = 32
# symcute: launch grid=(ceil_div(n,BLOCK) + 1)
# symcute: assume n <= 2**29
# symcute: extent x = n
# symcute: extent out = n
@triton.jit
def assumed_behind_an_early_return(x, out, n, BLOCK: tl.constexpr):
    first = tl.program_id(0) * BLOCK
    if first >= n:
        return
    tl.assume(first < n)
    offs = first + tl.arange(0, BLOCK)
    tl.store(out + offs, tl.load(x + offs, mask=offs < n), mask=offs < n)


# symcute: type x, out = *fp32
# symcute: type n = i32
# symcute: constexpr BLOCK = 32
# symcute: launch grid=(ceil_div(n,BLOCK) + 1)
# symcute: assume n <= 2**29
# symcute: extent x = n
# symcute: extent out = n
# truth: promises_kept=no
@triton.jit
def assumed_before_an_early_return(x, out, n, BLOCK: tl.constexpr):
    first = tl.program_id(0) * BLOCK
    tl.assume(first < n)
    if first >= n:
        return
    offs = first + tl.arange(0, BLOCK)
    tl.store(out + offs, tl.load(x + offs, mask=offs < n), mask=offs < n)


# symcute: type x, out = *fp32
# symcute: type n = i32
# symcute: constexpr BLOCK = 32
# symcute: launch grid=(ceil_div(n,BLOCK))
# symcute: assume n <= 2**29
# symcute: extent x = n
# symcute: extent out = n
@triton.jit
def asserted_where_the_mask_is(x, out, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.device_assert(offs < n, "inside", mask=offs < n)
    tl.store(out + offs, tl.load(x + offs, mask=offs < n), mask=offs < n)


# symcute: type x, out = *fp32
# symcute: type n = i32
# symcute: constexpr BLOCK = 32
# symcute: launch grid=(ceil_div(n,BLOCK))
# symcute: assume n <= 2**29
# symcute: extent x = n
# symcute: extent out = n
# truth: promises_kept=no
@triton.jit
def asserted_of_lanes_beyond(x, out, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.device_assert(offs < n, "inside")
    tl.store(out + offs, tl.load(x + offs, mask=offs < n), mask=offs < n)


# symcute: type x, out = *fp32
# symcute: type n = i32
# symcute: constexpr BLOCK = 32
# symcute: launch grid=(ceil_div(n,BLOCK))
# symcute: assume n <= 2**29
# symcute: extent x = n
# symcute: extent out = n
@triton.jit
def asserted_where_nothing_comes(x, out, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    if n < 0:
        tl.device_assert(n > 5, "never")
        tl.assume(n == 7)
    for k in range(n, 0):
        tl.assume(k > n + 1)
    tl.store(out + offs, tl.load(x + offs, mask=offs < n), mask=offs < n)


# symcute: type x, out = *fp32
# symcute: type n = i32
# symcute: constexpr BLOCK = 32
# symcute: launch grid=(ceil_div(n,BLOCK))
# symcute: assume n <= 2**29
# symcute: extent x = n
# symcute: extent out = n
# truth: promises_kept=no
# run: n=1
@triton.jit
def asserted_where_one_size_comes(x, out, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    if n < 2:
        tl.device_assert(n > 5, "never")
    tl.store(out + offs, tl.load(x + offs, mask=offs < n), mask=offs < n)


# symcute: type x, out = *fp32
# symcute: type n, shift = i32
# symcute: constexpr BLOCK = 32
# symcute: launch grid=(ceil_div(n,BLOCK))
# symcute: assume n <= 2**29
# symcute: assume shift <= 2**20
# symcute: extent x = n + shift
# symcute: extent out = n
@triton.jit
def multiples_that_are_none_or_negative(x, out, n, shift, BLOCK: tl.constexpr):
    back = tl.multiple_of(shift * 0, 16)
    down = tl.multiple_of(shift * -64, 64)
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    found = tl.load(x + offs + shift + back, mask=(offs < n) & (down <= 0))
    tl.store(out + offs, found, mask=offs < n)


# symcute: type x, out = *fp32
# symcute: type n, shift = i32
# symcute: constexpr BLOCK = 32
# symcute: launch grid=(ceil_div(n,BLOCK))
# symcute: assume n <= 2**29
# symcute: assume shift <= 2**20
# symcute: extent x = n + shift
# symcute: extent out = n
# truth: promises_kept=no
@triton.jit
def negative_and_no_multiple(x, out, n, shift, BLOCK: tl.constexpr):
    down = tl.multiple_of(0 - shift, 8)
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    found = tl.load(x + offs + shift, mask=(offs < n) & (down <= 0))
    tl.store(out + offs, found, mask=offs < n)


# symcute: type x, out = *fp32
# symcute: type rows, cols, stride = i32
# symcute: constexpr R = 4
# symcute: constexpr C = 16
# symcute: launch grid=(ceil_div(rows,R), ceil_div(cols,C))
# symcute: assume cols <= stride
# symcute: assume stride % 16 == 0
# symcute: assume (rows + 4)*stride <= 2**29
# symcute: extent x = rows*stride
# symcute: extent out = rows*stride
@triton.jit
def rows_of_whole_vectors(x, out, rows, cols, stride, R: tl.constexpr, C: tl.constexpr):
    i = tl.program_id(0) * R + tl.arange(0, R)
    j = tl.program_id(1) * C + tl.arange(0, C)
    at = i[:, None] * stride + j[None, :]
    at = tl.multiple_of(tl.max_contiguous(at, (1, C)), (1, C))
    mask = (i[:, None] < rows) & (j[None, :] < cols)
    tl.store(out + at, tl.load(x + at, mask=mask), mask=mask)


# symcute: type x, out = *fp32
# symcute: type rows, cols, stride = i32
# symcute: constexpr R = 4
# symcute: constexpr C = 16
# symcute: launch grid=(ceil_div(rows,R), ceil_div(cols,C))
# symcute: assume cols <= stride
# symcute: assume (rows + 4)*stride <= 2**29
# symcute: extent x = rows*stride
# symcute: extent out = rows*stride
# truth: promises_kept=no
@triton.jit
def rows_of_any_length(x, out, rows, cols, stride, R: tl.constexpr, C: tl.constexpr):
    i = tl.program_id(0) * R + tl.arange(0, R)
    j = tl.program_id(1) * C + tl.arange(0, C)
    at = i[:, None] * stride + j[None, :]
    at = tl.multiple_of(tl.max_contiguous(at, (1, C)), (1, C))
    mask = (i[:, None] < rows) & (j[None, :] < cols)
    tl.store(out + at, tl.load(x + at, mask=mask), mask=mask)


# symcute: type x, out = *fp32
# symcute: type n = i32
# symcute: constexpr BLOCK = 32
# symcute: launch grid=(ceil_div(n,BLOCK))
# symcute: assume n <= 2**29
# symcute: extent x = n
# symcute: extent out = n
@triton.jit
def the_same_for_four(x, out, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    group = tl.max_constancy(offs // 4, 4)
    tl.store(out + offs, tl.load(x + group, mask=offs < n), mask=offs < n)


# symcute: type x, out = *fp32
# symcute: type n = i32
# symcute: constexpr BLOCK = 32
# symcute: launch grid=(ceil_div(n,BLOCK))
# symcute: assume n <= 2**29
# symcute: extent x = n
# symcute: extent out = n
# truth: promises_kept=no
@triton.jit
def the_same_for_two_and_no_more(x, out, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    group = tl.max_constancy(offs // 2, 4)
    tl.store(out + offs, tl.load(x + group, mask=offs < n), mask=offs < n)


# symcute: type x, out = *fp32
# symcute: type n = i32
# symcute: constexpr BLOCK = 32
# symcute: launch grid=(ceil_div(n,BLOCK))
# symcute: assume n <= 2**29
# symcute: extent x = n
# symcute: extent out = n
# truth: promises_kept=no
@triton.jit
def every_second_is_not_contiguous(x, out, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    half = tl.max_contiguous(offs // 2, 2)
    tl.store(out + offs, tl.load(x + half, mask=offs < n), mask=offs < n)


# symcute: type idx = *i32
# symcute: type x, out = *fp32
# symcute: type n, m = i32
# symcute: constexpr BLOCK = 32
# symcute: launch grid=(ceil_div(n,BLOCK))
# symcute: assume n <= 2**29
# symcute: assume m <= 2**29
# symcute: extent idx = n
# symcute: extent x = m
# symcute: extent out = n
# symcute: contents idx in [0, m)
@triton.jit
def asserted_of_numbers_that_are_known(idx, x, out, n, m, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    k = tl.load(idx + offs, mask=offs < n, other=0)
    tl.device_assert((k >= 0) & (k < m))
    tl.store(out + offs, tl.load(x + k), mask=offs < n)


# symcute: type idx = *i32
# symcute: type x, out = *fp32
# symcute: type n, m = i32
# symcute: constexpr BLOCK = 32
# symcute: launch grid=(ceil_div(n,BLOCK))
# symcute: assume n <= 2**29
# symcute: assume m <= 2**29
# symcute: extent idx = n
# symcute: extent x = m
# symcute: extent out = n
# truth: promises_kept=no in_bounds=no
@triton.jit
def asserted_and_believed(idx, x, out, n, m, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    k = tl.load(idx + offs, mask=offs < n, other=0)
    tl.device_assert((k >= 0) & (k < m))
    tl.store(out + offs, tl.load(x + k), mask=offs < n)


@triton.jit
def _checked(row, rows):
    assert row < rows, "a row that there is"
    return row


# symcute: type x, out = *fp32
# symcute: type rows, cols = i32
# symcute: constexpr BLOCK = 16
# symcute: launch grid=(rows)
# symcute: assume rows*cols <= 2**29
# symcute: extent x = rows*cols
# symcute: extent out = rows*cols
@triton.jit
def asserted_in_a_function(x, out, rows, cols, BLOCK: tl.constexpr):
    row = _checked(tl.program_id(0), rows)
    for start in range(0, cols, BLOCK):
        at = start + tl.arange(0, BLOCK)
        tl.assume(start + BLOCK > start)
        value = tl.load(x + row * cols + at, mask=at < cols)
        tl.store(out + row * cols + at, value, mask=at < cols)


# symcute: type x, out = *fp32
# symcute: type rows, cols = i32
# symcute: constexpr BLOCK = 16
# symcute: launch grid=(rows)
# symcute: assume rows*cols <= 2**29
# symcute: extent x = rows*cols
# symcute: extent out = rows*cols
# truth: promises_kept=no
@triton.jit
def asserted_of_the_row_behind(x, out, rows, cols, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    _checked(row + 1, rows)
    for start in range(0, cols, BLOCK):
        at = start + tl.arange(0, BLOCK)
        value = tl.load(x + row * cols + at, mask=at < cols)
        tl.store(out + row * cols + at, value, mask=at < cols)


# symcute: type out = *i32
# symcute: type n = i64
# symcute: constexpr BLOCK = 32
# symcute: launch grid=(ceil_div(n,BLOCK))
# symcute: assume n <= 2**35
# symcute: extent out = n
# truth: promises_kept=no
# run: n=2147483649 programs=67108863;67108864
@triton.jit
def assumed_to_be_narrow(out, n, BLOCK: tl.constexpr):
    tl.assume(n < 2147483648)
    offs = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + offs, 1, mask=offs < n)


# symcute: type out = *i32
# symcute: type n = i32
# symcute: constexpr BLOCK = 32
# symcute: launch grid=(ceil_div(n,BLOCK))
# symcute: assume n <= 2**20
# symcute: extent out = n
@triton.jit
def assumed_of_a_counter(out, n, BLOCK: tl.constexpr):
    left = n
    while left > 0:
        tl.assume(left > 0)
        left = left - BLOCK
    tl.assume(left <= 0)
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + offs, 1, mask=offs < n)


# Launches that depend on each other: what begins before, or waits, orders no threads of one.
# symcute: type x, out = *fp32
# symcute: type n = i32
# symcute: constexpr BLOCK = 32
# symcute: launch grid=(ceil_div(n,BLOCK))
# symcute: assume n <= 2**29
# symcute: extent x = n
# symcute: extent out = n
# symcute: covers out
@triton.jit
def behind_another_launch(x, out, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.extra.cuda.gdc_wait()
    value = tl.load(x + offs, mask=offs < n)
    tl.extra.cuda.gdc_launch_dependents()
    tl.store(out + offs, value, mask=offs < n)


# symcute: type x, out = *fp32
# symcute: type n = i32
# symcute: constexpr BLOCK = 32
# symcute: launch grid=(ceil_div(n,BLOCK))
# symcute: assume n <= 2**29
# symcute: assume n >= 2
# symcute: extent x = n
# symcute: extent out = n
# truth: read_write_race_free=no
@triton.jit
def a_wait_that_is_no_barrier(x, out, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(x + offs, 1.0, mask=offs < n)
    tl.extra.cuda.gdc_wait()
    tl.store(out + offs, tl.load(x + n - 1 - offs, mask=offs < n), mask=offs < n)
