"""Maps over vectors: masks, strides, tails, and what goes wrong without them."""

import triton
import triton.language as tl


# symcute: type x, y, out = *fp32
# symcute: type n = i32
# symcute: constexpr BLOCK = 64
# symcute: launch grid=(ceil_div(n,BLOCK))
# symcute: extent x = n
# symcute: extent y = n
# symcute: extent out = n
# symcute: covers out
# run: n=2147483647 programs=0;16777216;33554431
@triton.jit
def add(x, y, out, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offs < n
    tl.store(out + offs, tl.load(x + offs, mask=mask) + tl.load(y + offs, mask=mask), mask=mask)


# symcute: type x, out = *fp32
# symcute: type n = i32
# symcute: constexpr BLOCK = 64
# symcute: launch grid=(ceil_div(n,BLOCK))
# symcute: extent x = n
# symcute: extent out = n
# symcute: covers out
# truth: in_bounds=no covers=no
@triton.jit
def copy_without_mask(x, out, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + offs, tl.load(x + offs))


# symcute: type x, out = *fp32
# symcute: type n = i32
# symcute: constexpr BLOCK = 64
# symcute: launch grid=(ceil_div(n,BLOCK))
# symcute: assume n % 64 == 0
# symcute: extent x = n
# symcute: extent out = n
# symcute: covers out
# run: n=2147483584 programs=0;33554430
@triton.jit
def copy_of_whole_blocks(x, out, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + offs, tl.load(x + offs))


# symcute: type x, out = *fp32
# symcute: type n = i32
# symcute: constexpr BLOCK = 64
# symcute: launch grid=(ceil_div(n,BLOCK))
# symcute: assume n <= 2**30
# symcute: extent x = n
# symcute: extent out = n
# symcute: covers out
# truth: in_bounds=no covers=no
@triton.jit
def copy_off_by_one(x, out, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offs <= n
    tl.store(out + offs, tl.load(x + offs, mask=mask), mask=mask)


# symcute: type x, out = *fp32
# symcute: type n = i32
# symcute: constexpr BLOCK = 64
# symcute: launch grid=(ceil_div(n,BLOCK))
# symcute: extent x = n
# symcute: extent out = n
# symcute: covers out
# truth: in_bounds=no
@triton.jit
def mask_on_the_store_alone(x, out, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + offs, tl.load(x + offs) * 2.0, mask=offs < n)


# One program too few for the tail.
# symcute: type x, out = *fp32
# symcute: type n = i32
# symcute: constexpr BLOCK = 64
# symcute: launch grid=(n//BLOCK)
# symcute: assume n >= 64
# symcute: extent x = n
# symcute: extent out = n
# symcute: covers out
# truth: covers=no
@triton.jit
def tail_forgotten(x, out, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offs < n
    tl.store(out + offs, tl.load(x + offs, mask=mask, other=0.0), mask=mask)


# symcute: type x, out = *fp32
# symcute: type n = i32
# symcute: constexpr BLOCK = 64
# symcute: launch grid=(ceil_div(n,BLOCK))
# symcute: assume n <= 2**30
# symcute: extent x = n
# symcute: extent out = n
# symcute: covers out
@triton.jit
def difference(x, out, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offs < n
    here = tl.load(x + offs, mask=mask)
    there = tl.load(x + offs + 1, mask=offs + 1 < n, other=0.0)
    tl.store(out + offs, there - here, mask=mask)


# At 2**31 - 1 elements the neighbour of the last lane is at -2**31.
# symcute: type x, out = *fp32
# symcute: type n = i32
# symcute: constexpr BLOCK = 64
# symcute: launch grid=(ceil_div(n,BLOCK))
# symcute: extent x = n
# symcute: extent out = n
# truth: no_overflow=no in_bounds=no
# run: n=2147483647 programs=33554431
@triton.jit
def difference_at_all_sizes(x, out, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offs < n
    here = tl.load(x + offs, mask=mask)
    there = tl.load(x + (offs + 1), mask=offs + 1 < n, other=0.0)
    tl.store(out + offs, there - here, mask=mask)


# symcute: type x, out = *fp16
# symcute: type n = i64
# symcute: constexpr BLOCK = 64
# symcute: launch grid=(ceil_div(n,BLOCK))
# symcute: assume n <= 2**36
# symcute: extent x = n
# symcute: extent out = n
# symcute: covers out
# run: n=68719476736 programs=0;1;1073741823
# run: n=4294967301 programs=0;33554432;67108864
@triton.jit
def copy_64_bits(x, out, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    mask = offs < n
    tl.store(out + offs, tl.load(x + offs, mask=mask), mask=mask)


# symcute: type x, out = *fp16
# symcute: type n = i64
# symcute: constexpr BLOCK = 64
# symcute: launch grid=(ceil_div(n,BLOCK))
# symcute: assume n <= 2**36
# symcute: extent x = n
# symcute: extent out = n
# truth: no_overflow=no in_bounds=no write_race_free=no
# run: n=4294967301 programs=0;33554432;67108864
# run: n=8589934592 programs=0;67108864
@triton.jit
def copy_64_bits_but_the_offset(x, out, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offs < n
    tl.store(out + offs, tl.load(x + offs, mask=mask), mask=mask)


# symcute: type x = *bf16
# symcute: type n = i32
# symcute: constexpr BLOCK = 64
# symcute: launch grid=(ceil_div(n,BLOCK))
# symcute: extent x = n
# symcute: covers x
@triton.jit
def relu_in_place(x, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offs < n
    v = tl.load(x + offs, mask=mask).to(tl.float32)
    tl.store(x + offs, tl.where(v > 0, v, 0.0).to(tl.bfloat16), mask=mask)


# symcute: type x, out = *fp32
# symcute: type n = i32
# symcute: constexpr BLOCK = 64
# symcute: launch grid=(ceil_div(n,BLOCK))
# symcute: extent x = n
# symcute: extent out = n
# symcute: covers out
@triton.jit
def reverse(x, out, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offs < n
    tl.store(out + (n - 1 - offs), tl.load(x + offs, mask=mask), mask=mask)


# symcute: type x = *fp32
# symcute: type n = i32
# symcute: constexpr BLOCK = 64
# symcute: launch grid=(ceil_div(n,BLOCK))
# symcute: extent x = n
# symcute: covers x
# truth: read_write_race_free=no
@triton.jit
def reverse_in_place(x, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offs < n
    tl.store(x + (n - 1 - offs), tl.load(x + offs, mask=mask), mask=mask)


# symcute: type x, out = *fp32
# symcute: type n = i32
# symcute: constexpr BLOCK = 64
# symcute: launch grid=(ceil_div(n,BLOCK))
# symcute: extent x = n
# symcute: extent out = n
# symcute: covers out
# truth: in_bounds=no covers=no
@triton.jit
def reverse_off_by_one(x, out, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offs < n
    tl.store(out + (n - offs), tl.load(x + offs, mask=mask), mask=mask)


# An output that was expanded: all of it is one element.
# symcute: type x, out = *fp32
# symcute: type n, stride = i32
# symcute: constexpr BLOCK = 64
# symcute: arg stride = 0
# symcute: launch grid=(ceil_div(n,BLOCK))
# symcute: extent x = n
# symcute: extent out = 1
# truth: write_race_free=no
@triton.jit
def output_of_stride_0(x, out, n, stride, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offs < n
    tl.store(out + offs * stride, tl.load(x + offs, mask=mask), mask=mask)


# symcute: type x, out = *fp32
# symcute: type n, stride = i32
# symcute: constexpr BLOCK = 64
# symcute: launch grid=(ceil_div(n,BLOCK))
# symcute: assume n*stride <= 2**31
# symcute: extent x = (n-1)*stride + 1
# symcute: extent out = n
# symcute: covers out
# run: n=65536 stride=32768 programs=0;1;1023
@triton.jit
def from_strided(x, out, n, stride, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offs < n
    tl.store(out + offs, tl.load(x + offs * stride, mask=mask), mask=mask)


# symcute: type x, out = *fp32
# symcute: type n, stride = i32
# symcute: constexpr BLOCK = 64
# symcute: launch grid=(ceil_div(n,BLOCK))
# symcute: extent x = (n-1)*stride + 1
# symcute: extent out = n
# symcute: covers out
# truth: no_overflow=no in_bounds=no
# run: n=65536 stride=32769 programs=0;1;1023
@triton.jit
def from_strided_at_all_sizes(x, out, n, stride, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offs < n
    tl.store(out + offs, tl.load(x + offs * stride, mask=mask), mask=mask)


# symcute: type x, out = *fp32
# symcute: type n, stride = i32
# symcute: constexpr BLOCK = 64
# symcute: launch grid=(ceil_div(n,BLOCK))
# symcute: extent x = (n-1)*stride + 1
# symcute: extent out = n
# symcute: covers out
# run: n=65536 stride=32769 programs=0;1;1023
# run: n=1048576 stride=131072 programs=0;16383
@triton.jit
def from_strided_64_bits(x, out, n, stride, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offs < n
    tl.store(out + offs, tl.load(x + offs.to(tl.int64) * stride, mask=mask), mask=mask)


# The product is made in 32 bits, and cast too late.
# symcute: type x, out = *fp32
# symcute: type n, stride = i32
# symcute: constexpr BLOCK = 64
# symcute: launch grid=(ceil_div(n,BLOCK))
# symcute: extent x = (n-1)*stride + 1
# symcute: extent out = n
# truth: no_overflow=no in_bounds=no
# run: n=65536 stride=32769 programs=0;1;1023
@triton.jit
def cast_too_late(x, out, n, stride, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offs < n
    tl.store(out + offs, tl.load(x + (offs * stride).to(tl.int64), mask=mask), mask=mask)


# symcute: type x, out = *fp32
# symcute: type n, stride = i32
# symcute: constexpr BLOCK = 64
# symcute: arg stride = 0 - 2
# symcute: launch grid=(ceil_div(n,BLOCK))
# symcute: assume n <= 2**29
# symcute: extent x = 2*n
# symcute: extent out = n
# symcute: covers out
@triton.jit
def negative_stride(x, out, n, stride, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offs < n
    first = x + 2 * n - 1
    tl.store(out + offs, tl.load(first + offs * stride, mask=mask), mask=mask)


# The first element that is read lies one past the last.
# symcute: type x, out = *fp32
# symcute: type n, stride = i32
# symcute: constexpr BLOCK = 64
# symcute: arg stride = 0 - 2
# symcute: launch grid=(ceil_div(n,BLOCK))
# symcute: assume n <= 2**29
# symcute: extent x = 2*n
# symcute: extent out = n
# symcute: covers out
# truth: in_bounds=no
@triton.jit
def negative_stride_from_the_end(x, out, n, stride, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offs < n
    first = x + 2 * n
    tl.store(out + offs, tl.load(first + offs * stride, mask=mask), mask=mask)


# symcute: type x, out = *fp32
# symcute: type n = i32
# symcute: constexpr BLOCK = 32
# symcute: launch grid=(P)
# symcute: assume n <= 2**30
# symcute: assume P <= 2**20
# symcute: extent x = n
# symcute: extent out = n
# symcute: covers out
@triton.jit
def persistent(x, out, n, BLOCK: tl.constexpr):
    for start in range(tl.program_id(0) * BLOCK, n, tl.num_programs(0) * BLOCK):
        offs = start + tl.arange(0, BLOCK)
        mask = offs < n
        tl.store(out + offs, tl.load(x + offs, mask=mask), mask=mask)


# Every program goes to the end on its own.
# symcute: type x, out = *fp32
# symcute: type n = i32
# symcute: constexpr BLOCK = 32
# symcute: launch grid=(P)
# symcute: assume n <= 2**30
# symcute: assume P <= 2**20
# symcute: extent x = n
# symcute: extent out = n
# symcute: covers out
# truth: write_race_free=no covers=no
@triton.jit
def persistent_of_one_step(x, out, n, BLOCK: tl.constexpr):
    for start in range(tl.program_id(0) * BLOCK, n, BLOCK):
        offs = start + tl.arange(0, BLOCK)
        mask = offs < n
        tl.store(out + offs, tl.load(x + offs, mask=mask), mask=mask)


# The counter passes 2**31, and goes on from the other end.
# symcute: type x, out = *fp32
# symcute: type n = i32
# symcute: constexpr BLOCK = 32
# symcute: launch grid=(P)
# symcute: assume P == 2**20
# symcute: extent x = n
# symcute: extent out = n
# truth: no_overflow=no in_bounds=no
# run: n=2147483647 P=1048576 programs=1048575
@triton.jit
def persistent_at_all_sizes(x, out, n, BLOCK: tl.constexpr):
    for start in range(tl.program_id(0) * BLOCK, n, tl.num_programs(0) * BLOCK):
        offs = start + tl.arange(0, BLOCK)
        mask = offs < n
        tl.store(out + offs, tl.load(x + offs, mask=mask), mask=mask)


# symcute: type x, out = *fp32
# symcute: type n = i32
# symcute: constexpr BLOCK = 64
# symcute: launch grid=(ceil_div(n,BLOCK))
# symcute: extent x = n
# symcute: extent out = n
# symcute: covers out
@triton.jit
def clamped_load(x, out, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offs < n
    tl.store(out + offs, tl.load(x + tl.where(mask, offs, n - 1)), mask=mask)


# All that is past the end is written to the last element.
# symcute: type x, out = *fp32
# symcute: type n = i32
# symcute: constexpr BLOCK = 64
# symcute: launch grid=(ceil_div(n,BLOCK))
# symcute: extent x = n
# symcute: extent out = n
# truth: write_race_free=no
@triton.jit
def clamped_store(x, out, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = tl.minimum(offs, n - 1)
    tl.store(out + inside, tl.load(x + inside))


# symcute: type x, out = *fp32
# symcute: type n = i32
# symcute: constexpr BLOCK = 64
# symcute: launch grid=(P)
# symcute: assume P <= 2**24
# symcute: extent x = n
# symcute: extent out = n
@triton.jit
def early_return(x, out, n, BLOCK: tl.constexpr):
    start = tl.program_id(0) * BLOCK
    if start >= n:
        return
    offs = start + tl.arange(0, BLOCK)
    mask = offs < n
    tl.store(out + offs, tl.load(x + offs, mask=mask), mask=mask)


# Who returns early is right about the first element of its block, not about the last.
# symcute: type x, out = *fp32
# symcute: type n = i32
# symcute: constexpr BLOCK = 64
# symcute: launch grid=(P)
# symcute: assume P <= 2**24
# symcute: extent x = n
# symcute: extent out = n
# truth: in_bounds=no
@triton.jit
def early_return_without_mask(x, out, n, BLOCK: tl.constexpr):
    start = tl.program_id(0) * BLOCK
    if start >= n:
        return
    offs = start + tl.arange(0, BLOCK)
    tl.store(out + offs, tl.load(x + offs))


# symcute: type x, out = *fp32
# symcute: type n = i32
# symcute: constexpr BLOCK = 64
# symcute: constexpr bias = None
# symcute: launch grid=(ceil_div(n,BLOCK))
# symcute: extent x = n
# symcute: extent out = n
# symcute: covers out
@triton.jit
def no_bias(x, bias, out, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offs < n
    v = tl.load(x + offs, mask=mask)
    if bias is not None:
        v += tl.load(bias + offs)
    tl.store(out + offs, v, mask=mask)


# The same with a bias, whose mask is missing.
# symcute: type x, bias, out = *fp32
# symcute: type n = i32
# symcute: constexpr BLOCK = 64
# symcute: launch grid=(ceil_div(n,BLOCK))
# symcute: extent x = n
# symcute: extent bias = n
# symcute: extent out = n
# symcute: covers out
# truth: in_bounds=no
@triton.jit
def with_bias(x, bias, out, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offs < n
    v = tl.load(x + offs, mask=mask)
    if bias is not None:
        v += tl.load(bias + offs)
    tl.store(out + offs, v, mask=mask)


# symcute: type x, out = *fp32
# symcute: type n, seed = i32
# symcute: constexpr BLOCK = 64
# symcute: launch grid=(ceil_div(n,BLOCK))
# symcute: extent x = n
# symcute: extent out = n
# symcute: covers out
@triton.jit
def dropout(x, out, n, seed, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offs < n
    keep = tl.rand(seed, offs) > 0.25
    tl.store(out + offs, tl.where(keep, tl.load(x + offs, mask=mask) / 0.75, 0.0), mask=mask)


# What is dropped is not written at all.
# symcute: type x, out = *fp32
# symcute: type n, seed = i32
# symcute: constexpr BLOCK = 64
# symcute: launch grid=(ceil_div(n,BLOCK))
# symcute: extent x = n
# symcute: extent out = n
# symcute: covers out
# truth: covers=no
@triton.jit
def dropout_with_holes(x, out, n, seed, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offs < n
    keep = tl.rand(seed, offs) > 0.25
    tl.store(out + offs, tl.load(x + offs, mask=mask) / 0.75, mask=mask & keep)


# Two numbers of four bits in each byte.
# symcute: type x = *i8
# symcute: type out = *i8
# symcute: type n = i32
# symcute: constexpr BLOCK = 64
# symcute: launch grid=(ceil_div(n,BLOCK))
# symcute: assume n <= 2**29
# symcute: extent x = 2*n
# symcute: extent out = n
# symcute: covers out
@triton.jit
def pack(x, out, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offs < n
    low = tl.load(x + 2 * offs, mask=mask, other=0) & 15
    high = tl.load(x + 2 * offs + 1, mask=mask, other=0) & 15
    tl.store(out + offs, low | (high << 4), mask=mask)


# An odd number of them has no last one.
# symcute: type x = *i8
# symcute: type out = *i8
# symcute: type n = i32
# symcute: constexpr BLOCK = 64
# symcute: launch grid=(ceil_div(n,2*BLOCK))
# symcute: assume n <= 2**29
# symcute: extent x = n
# symcute: extent out = ceil_div(n,2)
# symcute: covers out
# truth: in_bounds=no
@triton.jit
def pack_of_an_odd_number(x, out, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = 2 * offs < n
    low = tl.load(x + 2 * offs, mask=mask, other=0) & 15
    high = tl.load(x + 2 * offs + 1, mask=mask, other=0) & 15
    tl.store(out + offs, low | (high << 4), mask=mask)


# symcute: type x = *i8
# symcute: type out = *i8
# symcute: type n = i32
# symcute: constexpr BLOCK = 32
# symcute: launch grid=(ceil_div(n,BLOCK))
# symcute: assume n <= 2**29
# symcute: extent x = n
# symcute: extent out = 2*n
# symcute: covers out
@triton.jit
def unpack(x, out, n, BLOCK: tl.constexpr):
    pid = tl.program_id(0)
    offs = pid * BLOCK + tl.arange(0, BLOCK)
    both = tl.load(x + offs, mask=offs < n, other=0)
    parts = tl.interleave(both & 15, both >> 4)
    to = pid * BLOCK * 2 + tl.arange(0, 2 * BLOCK)
    tl.store(out + to, parts, mask=to < 2 * n)


# The offset of a block forgets that there are two for each.
# symcute: type x = *i8
# symcute: type out = *i8
# symcute: type n = i32
# symcute: constexpr BLOCK = 32
# symcute: launch grid=(ceil_div(n,BLOCK))
# symcute: assume n <= 2**29
# symcute: extent x = n
# symcute: extent out = 2*n
# symcute: covers out
# truth: write_race_free=no covers=no
@triton.jit
def unpack_overlapping(x, out, n, BLOCK: tl.constexpr):
    pid = tl.program_id(0)
    offs = pid * BLOCK + tl.arange(0, BLOCK)
    both = tl.load(x + offs, mask=offs < n, other=0)
    parts = tl.join(both & 15, both >> 4).reshape(2 * BLOCK)
    to = pid * BLOCK + tl.arange(0, 2 * BLOCK)
    tl.store(out + to, parts, mask=to < 2 * n)


# Complex numbers: pairs, split into two halves of the output.
# symcute: type x, out = *fp32
# symcute: type n = i32
# symcute: constexpr BLOCK = 32
# symcute: launch grid=(ceil_div(n,BLOCK))
# symcute: assume n <= 2**29
# symcute: extent x = 2*n
# symcute: extent out = 2*n
# symcute: covers out
@triton.jit
def planes(x, out, n, BLOCK: tl.constexpr):
    pid = tl.program_id(0)
    offs = pid * 2 * BLOCK + tl.arange(0, 2 * BLOCK)
    pairs = tl.load(x + offs, mask=offs < 2 * n, other=0.0)
    real, imaginary = tl.split(pairs.reshape(BLOCK, 2))
    to = pid * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + to, real, mask=to < n)
    tl.store(out + n + to, imaginary, mask=to < n)


# symcute: type x, out = *fp32
# symcute: type n = i32
# symcute: constexpr BLOCK = 32
# symcute: launch grid=(ceil_div(n,BLOCK))
# symcute: assume n <= 2**29
# symcute: extent x = 2*n
# symcute: extent out = 2*n
# symcute: covers out
# truth: in_bounds=no covers=no
@triton.jit
def planes_in_one_mask(x, out, n, BLOCK: tl.constexpr):
    pid = tl.program_id(0)
    offs = pid * 2 * BLOCK + tl.arange(0, 2 * BLOCK)
    pairs = tl.load(x + offs, mask=offs < 2 * n, other=0.0)
    real, imaginary = tl.split(pairs.reshape(BLOCK, 2))
    to = pid * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + to, real, mask=to < n)
    tl.store(out + n + to, imaginary, mask=to < 2 * n)


# symcute: type x, y, out = *fp32
# symcute: constexpr BLOCK = 32
# symcute: launch grid=(G)
# symcute: assume G <= 2**20
# symcute: extent x = 32*G
# symcute: extent y = 32*G
# symcute: extent out = 64*G
@triton.jit
def side_by_side(x, y, out, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    both = tl.cat(tl.load(x + offs), tl.load(y + offs), can_reorder=True)
    tl.store(out + tl.program_id(0) * 2 * BLOCK + tl.arange(0, 2 * BLOCK), both)


# symcute: type x, out = *fp32
# symcute: type n = i32
# symcute: constexpr BLOCK = 64
# symcute: launch grid=(ceil_div(n,BLOCK))
# symcute: extent x = n
# symcute: extent out = n
# symcute: align x = 4
# symcute: covers out
@triton.jit
def view_that_starts_anywhere(x, out, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offs < n
    tl.store(out + offs, tl.load(x + offs, mask=mask), mask=mask)


# Two floats are read as one number of 64 bits.
# symcute: type x = *fp32
# symcute: type out = *i64
# symcute: type n = i32
# symcute: constexpr BLOCK = 64
# symcute: launch grid=(ceil_div(n,BLOCK))
# symcute: assume n <= 2**28
# symcute: extent x = 2*n
# symcute: extent out = n
# symcute: align x = 16
# symcute: covers out
@triton.jit
def two_at_once(x, out, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offs < n
    wide = x.to(tl.pointer_type(tl.int64))
    tl.store(out + offs, tl.load(wide + offs, mask=mask), mask=mask)


# symcute: type x = *fp32
# symcute: type out = *i64
# symcute: type n = i32
# symcute: constexpr BLOCK = 64
# symcute: launch grid=(ceil_div(n,BLOCK))
# symcute: assume n <= 2**28
# symcute: extent x = 2*n + 1
# symcute: extent out = n
# symcute: align x = 16
# symcute: covers out
# truth: aligned=no
@triton.jit
def two_at_once_from_the_second(x, out, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offs < n
    wide = (x + 1).to(tl.pointer_type(tl.int64))
    tl.store(out + offs, tl.load(wide + offs, mask=mask), mask=mask)
