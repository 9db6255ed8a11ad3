"""Kernels that look like others: for what a reader, or a rule nearly right, may take them."""

import triton
import triton.language as tl


# A quotient rounds towards zero, so that -3 // 4 is 0, which is inside.
# symcute: type x, out = *fp32
# symcute: type n = i32
# symcute: constexpr BLOCK = 32
# symcute: launch grid=(ceil_div(n,BLOCK))
# symcute: assume n <= 2**30
# symcute: extent x = n
# symcute: extent out = n
# symcute: covers out
@triton.jit
def quotient_of_negatives(x, out, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offs < n
    tl.store(out + offs, tl.load(x + (offs - 3) // 4, mask=mask), mask=mask)


# -4 // 4 is -1 in any case.
# symcute: type x, out = *fp32
# symcute: type n = i32
# symcute: constexpr BLOCK = 32
# symcute: launch grid=(ceil_div(n,BLOCK))
# symcute: assume n <= 2**30
# symcute: extent x = n
# symcute: extent out = n
# symcute: covers out
# truth: in_bounds=no
@triton.jit
def quotient_of_more_negatives(x, out, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offs < n
    tl.store(out + offs, tl.load(x + (offs - 4) // 4, mask=mask), mask=mask)


# A ring: the one before the first is not the last, for its remainder is negative.
# symcute: type x, out = *fp32
# symcute: type n = i32
# symcute: constexpr BLOCK = 32
# symcute: launch grid=(ceil_div(n,BLOCK))
# symcute: assume n <= 2**30
# symcute: extent x = n
# symcute: extent out = n
# symcute: covers out
# truth: in_bounds=no
@triton.jit
def ring(x, out, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offs < n
    tl.store(out + offs, tl.load(x + (offs - 1) % n, mask=mask), mask=mask)


# symcute: type x, out = *fp32
# symcute: type n = i32
# symcute: constexpr BLOCK = 32
# symcute: launch grid=(ceil_div(n,BLOCK))
# symcute: assume n <= 2**29
# symcute: extent x = n
# symcute: extent out = n
# symcute: covers out
@triton.jit
def ring_made_positive(x, out, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offs < n
    tl.store(out + offs, tl.load(x + (offs - 1 + n) % n, mask=mask), mask=mask)


# One of two arrays, of which the second is shorter.
# symcute: type x, y, out = *fp32
# symcute: type n = i32
# symcute: constexpr BLOCK = 32
# symcute: launch grid=(ceil_div(n,BLOCK))
# symcute: assume n <= 2**29
# symcute: extent x = n
# symcute: extent y = ceil_div(n,2)
# symcute: extent out = n
# symcute: covers out
@triton.jit
def one_of_two(x, y, out, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offs < n
    at = tl.where(2 * offs < n, y + offs, x + offs)
    tl.store(out + offs, tl.load(at, mask=mask), mask=mask)


# symcute: type x, y, out = *fp32
# symcute: type n = i32
# symcute: constexpr BLOCK = 32
# symcute: launch grid=(ceil_div(n,BLOCK))
# symcute: assume n <= 2**29
# symcute: extent x = n
# symcute: extent y = ceil_div(n,2)
# symcute: extent out = n
# symcute: covers out
# truth: in_bounds=no
@triton.jit
def the_other_of_two(x, y, out, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offs < n
    at = tl.where(2 * offs < n, x + offs, y + offs)
    tl.store(out + offs, tl.load(at, mask=mask), mask=mask)


# Buffers change places in each round.
# symcute: type x, y = *fp32
# symcute: type n, rounds = i32
# symcute: constexpr BLOCK = 32
# symcute: launch grid=(ceil_div(n,BLOCK))
# symcute: assume n <= 2**29
# symcute: extent x = n
# symcute: extent y = n
@triton.jit
def ping_pong(x, y, n, rounds, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offs < n
    a = x + offs
    b = y + offs
    for _ in range(rounds):
        tl.store(b, tl.load(a, mask=mask, other=0.0) + 1.0, mask=mask)
        c = a
        a = b
        b = c


# The second of them is shorter.
# symcute: type x, y = *fp32
# symcute: type n, rounds = i32
# symcute: constexpr BLOCK = 32
# symcute: launch grid=(ceil_div(n,BLOCK))
# symcute: assume n <= 2**29
# symcute: assume n >= 2
# symcute: extent x = n
# symcute: extent y = n - 1
# truth: in_bounds=no
@triton.jit
def ping_pong_of_unequals(x, y, n, rounds, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    a = x + offs
    b = y + offs
    here = n
    there = n - 1
    for _ in range(rounds):
        tl.store(a, tl.load(a, mask=offs < here, other=0.0) + 1.0, mask=offs < here)
        c = a
        a = b
        b = c
        there = here - there


# What is loaded where the mask is false is the `other`, and is used as an index.
# symcute: type ids = *i32
# symcute: type x, out = *fp32
# symcute: type n, m = i32
# symcute: constexpr BLOCK = 32
# symcute: launch grid=(ceil_div(n,BLOCK))
# symcute: assume n <= 2**29
# symcute: extent ids = n
# symcute: extent x = m
# symcute: extent out = n
# symcute: contents ids in [0, m)
# symcute: covers out
# truth: in_bounds=no
@triton.jit
def other_is_an_index(ids, x, out, n, m, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offs < n
    which = tl.load(ids + offs, mask=mask, other=-1)
    tl.store(out + offs, tl.load(x + which), mask=mask)


# symcute: type ids = *i32
# symcute: type x, out = *fp32
# symcute: type n, m = i32
# symcute: constexpr BLOCK = 32
# symcute: launch grid=(ceil_div(n,BLOCK))
# symcute: assume n <= 2**29
# symcute: extent ids = n
# symcute: extent x = m
# symcute: extent out = n
# symcute: contents ids in [0, m)
# symcute: covers out
@triton.jit
def other_is_inside(ids, x, out, n, m, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offs < n
    which = tl.load(ids + offs, mask=mask, other=0)
    tl.store(out + offs, tl.load(x + which), mask=mask)


# Without an `other` it is any number.
# symcute: type ids = *i32
# symcute: type x, out = *fp32
# symcute: type n, m = i32
# symcute: constexpr BLOCK = 32
# symcute: launch grid=(ceil_div(n,BLOCK))
# symcute: assume n <= 2**29
# symcute: extent ids = n
# symcute: extent x = m
# symcute: extent out = n
# symcute: contents ids in [0, m)
# symcute: covers out
# truth: in_bounds=no
@triton.jit
def other_is_missing(ids, x, out, n, m, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offs < n
    which = tl.load(ids + offs, mask=mask)
    tl.store(out + offs, tl.load(x + which), mask=mask)


# The mask itself wraps, for rows that are not there.
# symcute: type x, out = *fp32
# symcute: type rows, cols = i32
# symcute: constexpr BR = 32
# symcute: constexpr BC = 32
# symcute: launch grid=(ceil_div(rows,BR))
# symcute: assume rows*cols < 2**31
# symcute: assume cols <= 2**24
# symcute: extent x = rows*cols
# symcute: extent out = rows*cols
# truth: no_overflow=no in_bounds=no
# run: rows=129 cols=16600000 programs=4
@triton.jit
def mask_that_wraps(x, out, rows, cols, BR: tl.constexpr, BC: tl.constexpr):
    row = tl.program_id(0) * BR + tl.arange(0, BR)
    at = row[:, None] * cols + tl.arange(0, BC)[None, :]
    mask = (at < rows * cols) & (tl.arange(0, BC)[None, :] < cols)
    tl.store(out + at, tl.load(x + at, mask=mask), mask=mask)


# Each has a place of its own, in another order.
# symcute: type x, out = *fp32
# symcute: constexpr BLOCK = 32
# symcute: launch grid=(G)
# symcute: assume G <= 2**20
# symcute: extent x = 32*G
# symcute: extent out = 32*G
# symcute: covers out
@triton.jit
def exclusive_or(x, out, BLOCK: tl.constexpr):
    start = tl.program_id(0) * BLOCK
    at = tl.arange(0, BLOCK)
    tl.store(out + start + (at ^ (at >> 2)), tl.load(x + start + at))


# Two have one place.
# symcute: type x, out = *fp32
# symcute: constexpr BLOCK = 32
# symcute: launch grid=(G)
# symcute: assume G <= 2**20
# symcute: extent x = 32*G
# symcute: extent out = 32*G
# symcute: covers out
# truth: write_race_free=no covers=no
@triton.jit
def inclusive_or(x, out, BLOCK: tl.constexpr):
    start = tl.program_id(0) * BLOCK
    at = tl.arange(0, BLOCK)
    tl.store(out + start + (at | (at >> 2)), tl.load(x + start + at))


# Offsets are moved about before they are used: a square that lies on its side.
# symcute: type x, out = *fp32
# symcute: type n = i32
# symcute: constexpr B = 8
# symcute: launch grid=(ceil_div(n,64))
# symcute: assume n <= 2**29
# symcute: extent x = n
# symcute: extent out = n
# symcute: covers out
@triton.jit
def offsets_turned(x, out, n, B: tl.constexpr):
    at = tl.program_id(0) * B * B + tl.trans(tl.arange(0, B * B).reshape(B, B))
    mask = at < n
    tl.store(out + at, tl.load(x + at, mask=mask), mask=mask)


# The mask is turned, the offsets are not.
# symcute: type x, out = *fp32
# symcute: type n = i32
# symcute: constexpr B = 8
# symcute: launch grid=(ceil_div(n,64))
# symcute: assume n <= 2**29
# symcute: extent x = n
# symcute: extent out = n
# symcute: covers out
# truth: in_bounds=no covers=no
@triton.jit
def mask_turned(x, out, n, B: tl.constexpr):
    at = tl.program_id(0) * B * B + tl.arange(0, B * B).reshape(B, B)
    mask = tl.trans(at) < n
    tl.store(out + at, tl.load(x + at, mask=mask), mask=mask)


# Pairs of offsets, one of each half.
# symcute: type x, out = *fp32
# symcute: type n = i32
# symcute: constexpr BLOCK = 16
# symcute: launch grid=(ceil_div(n,BLOCK))
# symcute: assume n <= 2**28
# symcute: extent x = 2*n
# symcute: extent out = 2*n
# symcute: covers out
@triton.jit
def interleaved_offsets(x, out, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    at = tl.interleave(offs, offs + n)
    inside = tl.interleave(offs < n, offs < n)
    tl.store(out + at, tl.load(x + at, mask=inside), mask=inside)


# The mask is of the offset itself, which in the second half is another.
# symcute: type x, out = *fp32
# symcute: type n = i32
# symcute: constexpr BLOCK = 16
# symcute: launch grid=(ceil_div(n,BLOCK))
# symcute: assume n <= 2**28
# symcute: extent x = 2*n
# symcute: extent out = 2*n
# symcute: covers out
# truth: write_race_free=no covers=no
# run: n=17
@triton.jit
def interleaved_offsets_of_one_mask(x, out, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    at = tl.interleave(offs, offs + n)
    inside = at < 2 * n
    tl.store(out + at, tl.load(x + at, mask=inside), mask=inside)


# A column of zeros makes every row write one place.
# symcute: type x, out = *fp32
# symcute: type n = i32
# symcute: constexpr B = 8
# symcute: launch grid=(ceil_div(n,B))
# symcute: assume n <= 2**28
# symcute: extent x = n
# symcute: extent out = n
# truth: write_race_free=no
@triton.jit
def broadcast_store(x, out, n, B: tl.constexpr):
    rows = (tl.program_id(0) * B + tl.arange(0, B))[:, None]
    at = rows + tl.zeros([B, B], dtype=tl.int32)
    mask = at < n
    tl.store(out + at, tl.load(x + at, mask=mask), mask=mask)


# Numbers of 8 bits end at 127.
# symcute: type x, out = *fp32
# symcute: constexpr BLOCK = 256
# symcute: launch grid=(G)
# symcute: assume G <= 2**20
# symcute: extent x = 256
# symcute: extent out = 256*G
# symcute: covers out
# truth: in_bounds=no
@triton.jit
def cast_to_8_bits(x, out, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    small = at.to(tl.int8)
    tl.store(out + tl.program_id(0) * BLOCK + at, tl.load(x + small))


# symcute: type x, out = *fp32
# symcute: constexpr BLOCK = 256
# symcute: launch grid=(G)
# symcute: assume G <= 2**20
# symcute: extent x = 256
# symcute: extent out = 256*G
# symcute: covers out
@triton.jit
def cast_to_8_bits_unsigned(x, out, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    small = at.to(tl.uint8)
    tl.store(out + tl.program_id(0) * BLOCK + at, tl.load(x + small))


# Both ends in one comparison, unsigned.
# symcute: type x, out = *fp32
# symcute: type n = i32
# symcute: constexpr BLOCK = 32
# symcute: launch grid=(ceil_div(n,BLOCK))
# symcute: assume n <= 2**28
# symcute: extent x = n
# symcute: extent out = n
# symcute: covers out
@triton.jit
def unsigned_mask(x, out, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    before = offs - 7
    inside = before.to(tl.uint32) < n.to(tl.uint32)
    tl.store(out + offs, tl.load(x + before, mask=inside, other=0.0), mask=offs < n)


# The same comparison, signed.
# symcute: type x, out = *fp32
# symcute: type n = i32
# symcute: constexpr BLOCK = 32
# symcute: launch grid=(ceil_div(n,BLOCK))
# symcute: assume n <= 2**28
# symcute: extent x = n
# symcute: extent out = n
# symcute: covers out
# truth: in_bounds=no
@triton.jit
def signed_mask(x, out, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    before = offs - 7
    tl.store(out + offs, tl.load(x + before, mask=before < n, other=0.0), mask=offs < n)


# A ticket from a counter of which nothing is known.
# symcute: type counter = *i32
# symcute: type out = *fp32
# symcute: launch grid=(G)
# symcute: assume G <= 2**16
# symcute: extent counter = 1
# symcute: extent out = G
# truth: in_bounds=no
@triton.jit
def ticket(counter, out):
    mine = tl.atomic_add(counter, 1)
    tl.store(out + mine, 1.0)


# In a loop each lane writes where its neighbour did the time before.
# symcute: type out = *fp32
# symcute: type rounds = i32
# symcute: constexpr BLOCK = 32
# symcute: launch grid=(G)
# symcute: assume G <= 2**16
# symcute: extent out = 32*G
# truth: write_race_free=no
@triton.jit
def rotating(out, rounds, BLOCK: tl.constexpr):
    start = tl.program_id(0) * BLOCK
    for k in range(rounds):
        at = (tl.arange(0, BLOCK) + k % BLOCK) % BLOCK
        tl.store(out + start + at, at.to(tl.float32))


# With a barrier between.
# symcute: type out = *fp32
# symcute: type rounds = i32
# symcute: constexpr BLOCK = 32
# symcute: launch grid=(G)
# symcute: assume G <= 2**16
# symcute: extent out = 32*G
@triton.jit
def rotating_with_barrier(out, rounds, BLOCK: tl.constexpr):
    start = tl.program_id(0) * BLOCK
    for k in range(rounds):
        at = (tl.arange(0, BLOCK) + k % BLOCK) % BLOCK
        tl.store(out + start + at, at.to(tl.float32))
        tl.debug_barrier()


# The pointer that is moved in one branch alone.
# symcute: type x, out = *fp32
# symcute: type n = i32
# symcute: constexpr BLOCK = 32
# symcute: launch grid=(ceil_div(n,BLOCK))
# symcute: assume n <= 2**28
# symcute: extent x = n + 32
# symcute: extent out = n
# symcute: covers out
@triton.jit
def moved_in_a_branch(x, out, n, BLOCK: tl.constexpr):
    pid = tl.program_id(0)
    offs = pid * BLOCK + tl.arange(0, BLOCK)
    if pid % 2 == 1:
        x += BLOCK
    tl.store(out + offs, tl.load(x + offs, mask=offs < n), mask=offs < n)


# symcute: type x, out = *fp32
# symcute: type n = i32
# symcute: constexpr BLOCK = 32
# symcute: launch grid=(ceil_div(n,BLOCK))
# symcute: assume n <= 2**28
# symcute: extent x = n + 32
# symcute: extent out = n
# symcute: covers out
# truth: in_bounds=no
@triton.jit
def moved_twice_in_a_branch(x, out, n, BLOCK: tl.constexpr):
    pid = tl.program_id(0)
    offs = pid * BLOCK + tl.arange(0, BLOCK)
    if pid % 2 == 1:
        x += BLOCK
    if pid % 3 == 0:
        x += BLOCK
    tl.store(out + offs, tl.load(x + offs, mask=offs < n), mask=offs < n)


# A loop that runs backwards, to the first.
# symcute: type x, out = *fp32
# symcute: type n = i32
# symcute: constexpr BLOCK = 32
# symcute: launch grid=(rows)
# symcute: assume rows*n <= 2**28
# symcute: extent x = rows*n
# symcute: extent out = rows
# symcute: covers out
@triton.jit
def backwards(x, out, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    acc = 0.0
    k = n
    while k > 0:
        k -= 1
        acc += tl.load(x + row * n + k)
    tl.store(out + row, acc)


# To the one before the first.
# symcute: type x, out = *fp32
# symcute: type n = i32
# symcute: constexpr BLOCK = 32
# symcute: launch grid=(rows)
# symcute: assume rows*n <= 2**28
# symcute: extent x = rows*n
# symcute: extent out = rows
# symcute: covers out
# truth: in_bounds=no
@triton.jit
def backwards_too_far(x, out, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    acc = 0.0
    k = n
    while k >= 0:
        k -= 1
        acc += tl.load(x + row * n + k)
    tl.store(out + row, acc)


# A byte of a float is a byte.
# symcute: type x = *fp32
# symcute: type out = *i8
# symcute: type n = i32
# symcute: constexpr BLOCK = 32
# symcute: launch grid=(ceil_div(n,BLOCK))
# symcute: assume n <= 2**28
# symcute: extent x = n
# symcute: extent out = 4*n
@triton.jit
def bytes_of(x, out, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    small = x.to(tl.pointer_type(tl.int8))
    for k in tl.static_range(4):
        v = tl.load(small + 4 * offs + k, mask=offs < n)
        tl.store(out + 4 * offs + k, v, mask=offs < n)


# Two bytes each, written one apart: they overlap.
# symcute: type out = *i8
# symcute: type n = i32
# symcute: constexpr BLOCK = 32
# symcute: launch grid=(ceil_div(n,BLOCK))
# symcute: assume n <= 2**28
# symcute: extent out = n + 1
# truth: write_race_free=no aligned=no
@triton.jit
def wide_and_narrow(out, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    wide = (out + offs).to(tl.pointer_type(tl.int16))
    tl.store(wide, offs.to(tl.int16), mask=offs < n)


# The grid's second side is asked for, the first is meant.
# symcute: type x, out = *fp32
# symcute: type n = i32
# symcute: constexpr BLOCK = 32
# symcute: launch grid=(P,Q)
# symcute: assume n <= 2**28
# symcute: assume P <= 2**10
# symcute: assume Q <= 2**10
# symcute: extent x = n
# symcute: extent out = n
# symcute: covers out
# truth: covers=no write_race_free=no
# run: n=200 P=2 Q=3
@triton.jit
def wrong_side(x, out, n, BLOCK: tl.constexpr):
    pid = tl.program_id(0) * tl.num_programs(0) + tl.program_id(1)
    step = tl.num_programs(0) * tl.num_programs(1) * BLOCK
    for start in range(pid * BLOCK, n, step):
        at = start + tl.arange(0, BLOCK)
        tl.store(out + at, tl.load(x + at, mask=at < n), mask=at < n)


# symcute: type x, out = *fp32
# symcute: type n = i32
# symcute: constexpr BLOCK = 32
# symcute: launch grid=(P,Q)
# symcute: assume n <= 2**28
# symcute: assume P <= 2**10
# symcute: assume Q <= 2**10
# symcute: extent x = n
# symcute: extent out = n
# symcute: covers out
@triton.jit
def both_sides(x, out, n, BLOCK: tl.constexpr):
    pid = tl.program_id(0) * tl.num_programs(1) + tl.program_id(1)
    step = tl.num_programs(0) * tl.num_programs(1) * BLOCK
    for start in range(pid * BLOCK, n, step):
        at = start + tl.arange(0, BLOCK)
        tl.store(out + at, tl.load(x + at, mask=at < n), mask=at < n)


# An index that is a number of ones.
# symcute: type x = *i32
# symcute: type out = *fp32
# symcute: constexpr BLOCK = 32
# symcute: launch grid=(G)
# symcute: assume G <= 2**20
# symcute: extent x = 32*G
# symcute: extent out = 33
# symcute: contents x in [0, 1]
@triton.jit
def counted(x, out, BLOCK: tl.constexpr):
    v = tl.load(x + tl.program_id(0) * BLOCK + tl.arange(0, BLOCK))
    tl.atomic_add(out + tl.sum(v, axis=0), 1.0)


# All of them may be ones.
# symcute: type x = *i32
# symcute: type out = *fp32
# symcute: constexpr BLOCK = 32
# symcute: launch grid=(G)
# symcute: assume G <= 2**20
# symcute: extent x = 32*G
# symcute: extent out = 32
# symcute: contents x in [0, 1]
# truth: in_bounds=no
# run: G=1 how=high
@triton.jit
def counted_to_the_last(x, out, BLOCK: tl.constexpr):
    v = tl.load(x + tl.program_id(0) * BLOCK + tl.arange(0, BLOCK))
    tl.atomic_add(out + tl.sum(v, axis=0), 1.0)


# A whole row is left out by who returns in a function.
@triton.jit
def _row(x, out, row, cols, BLOCK: tl.constexpr):
    if row % 2 == 1:
        return
    at = tl.arange(0, BLOCK)
    tl.store(out + row * cols + at, tl.load(x + row * cols + at, mask=at < cols), mask=at < cols)


# symcute: type x, out = *fp32
# symcute: type cols = i32
# symcute: constexpr BLOCK = 32
# symcute: launch grid=(rows)
# symcute: assume rows*cols <= 2**28
# symcute: assume cols <= 32
# symcute: extent x = rows*cols
# symcute: extent out = rows*cols
# symcute: covers out
# truth: covers=no
@triton.jit
def every_other_row(x, out, cols, BLOCK: tl.constexpr):
    _row(x, out, tl.program_id(0), cols, BLOCK)


# Sums leave 32 bits on the way, and come back.
# symcute: type x, out = *fp32
# symcute: type n = i32
# symcute: constexpr BLOCK = 32
# symcute: launch grid=(ceil_div(n,BLOCK))
# symcute: assume n <= 2**28
# symcute: extent x = n
# symcute: extent out = n
# symcute: covers out
@triton.jit
def there_and_back(x, out, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    at = (offs + 2147483647) - 2147483647
    tl.store(out + at, tl.load(x + offs, mask=offs < n), mask=offs < n)


# They leave 32 bits, and are made wide before they come back.
# symcute: type x, out = *fp32
# symcute: type n = i32
# symcute: constexpr BLOCK = 32
# symcute: launch grid=(ceil_div(n,BLOCK))
# symcute: assume n <= 2**28
# symcute: extent x = n
# symcute: extent out = n
# truth: no_overflow=no in_bounds=no
@triton.jit
def there_and_not_back(x, out, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    at = (offs + 2147483647).to(tl.int64) - 2147483647
    tl.store(out + at, tl.load(x + offs, mask=offs < n), mask=offs < n)
