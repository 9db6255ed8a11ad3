"""Barriers among tensors of several shapes: what is written by some is read by others."""

import triton
import triton.language as tl


# Rows are written as a matrix, and their first elements read as a column.
# symcute: type x, out = *fp32
# symcute: constexpr ROWS = 8
# symcute: constexpr COLS = 16
# symcute: launch grid=(p)
# symcute: assume p <= 2**20
# symcute: extent x = p*128
# symcute: extent out = p*8
# symcute: covers out
@triton.jit
def heads_of_rows(x, out, ROWS: tl.constexpr, COLS: tl.constexpr):
    tile = tl.program_id(0) * ROWS * COLS
    row, col = tl.arange(0, ROWS), tl.arange(0, COLS)
    tl.store(x + tile + row[:, None] * COLS + col[None, :], 1.0)
    tl.debug_barrier()
    tl.store(out + tl.program_id(0) * ROWS + row, tl.load(x + tile + row * COLS))


# The barrier comes too early.
# symcute: type x, out = *fp32
# symcute: constexpr ROWS = 8
# symcute: constexpr COLS = 16
# symcute: launch grid=(p)
# symcute: assume p <= 2**20
# symcute: extent x = p*128
# symcute: extent out = p*8
# symcute: covers out
# truth: read_write_race_free=no
@triton.jit
def heads_of_rows_too_early(x, out, ROWS: tl.constexpr, COLS: tl.constexpr):
    tile = tl.program_id(0) * ROWS * COLS
    row, col = tl.arange(0, ROWS), tl.arange(0, COLS)
    tl.debug_barrier()
    tl.store(x + tile + row[:, None] * COLS + col[None, :], 1.0)
    tl.store(out + tl.program_id(0) * ROWS + row, tl.load(x + tile + row * COLS))


# No barrier orders what another program does.
# symcute: type x, out = *fp32
# symcute: constexpr ROWS = 8
# symcute: constexpr COLS = 16
# symcute: launch grid=(p)
# symcute: assume p <= 2**20
# symcute: extent x = p*128 + 16
# symcute: extent out = p*8
# symcute: covers out
# truth: read_write_race_free=no
@triton.jit
def heads_of_the_next_rows(x, out, ROWS: tl.constexpr, COLS: tl.constexpr):
    tile = tl.program_id(0) * ROWS * COLS
    row, col = tl.arange(0, ROWS), tl.arange(0, COLS)
    tl.store(x + tile + row[:, None] * COLS + col[None, :], 1.0)
    tl.debug_barrier()
    tl.store(out + tl.program_id(0) * ROWS + row, tl.load(x + tile + (row + 1) * COLS))


# What is read before the second write wants a barrier too.
# symcute: type x, out = *fp32
# symcute: constexpr ROWS = 8
# symcute: constexpr COLS = 16
# symcute: launch grid=(p)
# symcute: assume p <= 2**20
# symcute: extent x = p*128
# symcute: extent out = p*8
# symcute: covers out
@triton.jit
def written_again(x, out, ROWS: tl.constexpr, COLS: tl.constexpr):
    tile = tl.program_id(0) * ROWS * COLS
    row, col = tl.arange(0, ROWS), tl.arange(0, COLS)
    all_of_it = x + tile + row[:, None] * COLS + col[None, :]
    tl.store(all_of_it, 1.0)
    tl.debug_barrier()
    tl.store(out + tl.program_id(0) * ROWS + row, tl.load(x + tile + row * COLS))
    tl.debug_barrier()
    tl.store(all_of_it, 2.0)


# symcute: type x, out = *fp32
# symcute: constexpr ROWS = 8
# symcute: constexpr COLS = 16
# symcute: launch grid=(p)
# symcute: assume p <= 2**20
# symcute: extent x = p*128
# symcute: extent out = p*8
# symcute: covers out
# truth: read_write_race_free=no
@triton.jit
def written_again_at_once(x, out, ROWS: tl.constexpr, COLS: tl.constexpr):
    tile = tl.program_id(0) * ROWS * COLS
    row, col = tl.arange(0, ROWS), tl.arange(0, COLS)
    all_of_it = x + tile + row[:, None] * COLS + col[None, :]
    tl.store(all_of_it, 1.0)
    tl.debug_barrier()
    tl.store(out + tl.program_id(0) * ROWS + row, tl.load(x + tile + row * COLS))
    tl.store(all_of_it, 2.0)


# A place that is written before the barrier is read, and is an index behind it.
# symcute: type at, x = *i32
# symcute: type n = i32
# symcute: constexpr BLOCK = 32
# symcute: launch grid=(p)
# symcute: assume p <= 2**20
# symcute: extent at = p*32
# symcute: extent x = n
# symcute: contents at in [0, n)
# truth: in_bounds=no
@triton.jit
def index_written_before(at, x, n, BLOCK: tl.constexpr):
    here = tl.program_id(0) * BLOCK
    offs = here + tl.arange(0, BLOCK)
    tl.store(at + offs, n + offs)
    tl.debug_barrier()
    tl.store(x + tl.load(at + here), 1)


# Some programs have the barrier: those write as a matrix, and read as a column behind it.
# symcute: type x, out = *fp32
# symcute: constexpr ROWS = 8
# symcute: constexpr COLS = 16
# symcute: launch grid=(p)
# symcute: assume p <= 2**20
# symcute: extent x = p*128
# symcute: extent out = p*8
# symcute: covers out
# truth: read_write_race_free=no
@triton.jit
def barrier_of_some(x, out, ROWS: tl.constexpr, COLS: tl.constexpr):
    tile = tl.program_id(0) * ROWS * COLS
    row, col = tl.arange(0, ROWS), tl.arange(0, COLS)
    tl.store(x + tile + row[:, None] * COLS + col[None, :], 1.0)
    if tl.program_id(0) % 2 == 0:
        tl.debug_barrier()
    tl.store(out + tl.program_id(0) * ROWS + row, tl.load(x + tile + row * COLS))


# A sum over a loop in front of the barrier is written by one, and read by all behind it.
# symcute: type x, sums, out = *fp32
# symcute: type cols = i32
# symcute: constexpr BLOCK = 32
# symcute: launch grid=(rows)
# symcute: assume rows*cols <= 2**30
# symcute: extent x = rows*cols
# symcute: extent sums = rows
# symcute: extent out = rows*cols
# symcute: covers out
@triton.jit
def normalised_in_two_phases(x, sums, out, cols, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    total = tl.zeros([BLOCK], dtype=tl.float32)
    for start in range(0, cols, BLOCK):
        at = start + tl.arange(0, BLOCK)
        total += tl.load(x + row * cols + at, mask=at < cols, other=0.0)
    tl.store(sums + row, tl.sum(total, axis=0))
    tl.debug_barrier()
    for start in range(0, cols, BLOCK):
        at = start + tl.arange(0, BLOCK)
        v = tl.load(x + row * cols + at, mask=at < cols) / tl.load(sums + row)
        tl.store(out + row * cols + at, v, mask=at < cols)


# Programs that write as a matrix meet at a barrier in their branch, and read behind it.
# symcute: type x, out = *fp32
# symcute: constexpr ROWS = 8
# symcute: constexpr COLS = 16
# symcute: launch grid=(p)
# symcute: assume p <= 2**20
# symcute: extent x = p*128
# symcute: extent out = p*8
@triton.jit
def barrier_in_a_branch(x, out, ROWS: tl.constexpr, COLS: tl.constexpr):
    tile = tl.program_id(0) * ROWS * COLS
    row, col = tl.arange(0, ROWS), tl.arange(0, COLS)
    if tl.program_id(0) % 2 == 0:
        tl.store(x + tile + row[:, None] * COLS + col[None, :], 1.0)
        tl.debug_barrier()
        tl.store(out + tl.program_id(0) * ROWS + row, tl.load(x + tile + row * COLS))
    else:
        tl.store(out + tl.program_id(0) * ROWS + row, 0.0)


# The barrier is in the branch of those that do not write.
# symcute: type x, out = *fp32
# symcute: constexpr ROWS = 8
# symcute: constexpr COLS = 16
# symcute: launch grid=(p)
# symcute: assume p <= 2**20
# symcute: extent x = p*128
# symcute: extent out = p*8
# truth: read_write_race_free=no
@triton.jit
def barrier_in_the_other_branch(x, out, ROWS: tl.constexpr, COLS: tl.constexpr):
    tile = tl.program_id(0) * ROWS * COLS
    row, col = tl.arange(0, ROWS), tl.arange(0, COLS)
    if tl.program_id(0) % 2 == 0:
        tl.store(x + tile + row[:, None] * COLS + col[None, :], 1.0)
    else:
        tl.debug_barrier()
    tl.store(out + tl.program_id(0) * ROWS + row, tl.load(x + tile + row * COLS))


# What a label says is left out returns early; others write rows, and one element behind a barrier.
# symcute: type x, out = *fp32
# symcute: type labels = *i32
# symcute: type cols, skipped = i32
# symcute: constexpr BLOCK = 32
# symcute: launch grid=(rows)
# symcute: assume rows*cols <= 2**30
# symcute: extent x = rows*cols
# symcute: extent labels = rows
# symcute: extent out = rows
# symcute: contents labels in [0, cols)
@triton.jit
def label_behind_a_barrier(x, labels, out, cols, skipped, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    label = tl.load(labels + row)
    if label == skipped:
        for start in range(0, cols, BLOCK):
            at = start + tl.arange(0, BLOCK)
            tl.store(x + row * cols + at, 0.0, mask=at < cols)
        return
    for start in range(0, cols, BLOCK):
        at = start + tl.arange(0, BLOCK)
        tl.store(x + row * cols + at, 1.0, mask=at < cols)
    tl.debug_barrier()
    tl.store(x + row * cols + label, 2.0)
    tl.debug_barrier()
    tl.store(out + row, tl.load(x + row * cols + label))


# The barrier is missing between the row and its one element.
# symcute: type x, out = *fp32
# symcute: type labels = *i32
# symcute: type cols, skipped = i32
# symcute: constexpr BLOCK = 32
# symcute: launch grid=(rows)
# symcute: assume rows*cols <= 2**30
# symcute: extent x = rows*cols
# symcute: extent labels = rows
# symcute: extent out = rows
# symcute: contents labels in [0, cols)
# truth: write_race_free=no
@triton.jit
def label_without_a_barrier(x, labels, out, cols, skipped, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    label = tl.load(labels + row)
    if label == skipped:
        tl.debug_barrier()
        return
    for start in range(0, cols, BLOCK):
        at = start + tl.arange(0, BLOCK)
        tl.store(x + row * cols + at, 1.0, mask=at < cols)
    tl.store(x + row * cols + label, 2.0)
    tl.debug_barrier()
    tl.store(out + row, tl.load(x + row * cols + label))


# A barrier in a branch of a branch, and one behind both.
# symcute: type x, out = *fp32
# symcute: constexpr ROWS = 8
# symcute: constexpr COLS = 16
# symcute: launch grid=(p)
# symcute: assume p <= 2**20
# symcute: extent x = p*128
# symcute: extent out = p*8
@triton.jit
def barrier_in_a_branch_of_a_branch(x, out, ROWS: tl.constexpr, COLS: tl.constexpr):
    tile = tl.program_id(0) * ROWS * COLS
    row, col = tl.arange(0, ROWS), tl.arange(0, COLS)
    all_of_it = x + tile + row[:, None] * COLS + col[None, :]
    if tl.program_id(0) % 2 == 0:
        tl.store(all_of_it, 1.0)
        if tl.program_id(0) % 3 == 0:
            tl.debug_barrier()
            tl.store(out + tl.program_id(0) * ROWS + row, tl.load(x + tile + row * COLS))
    tl.debug_barrier()
    tl.store(all_of_it, 2.0)
