"""Kernels in CuTe DSL that go on while there are tiles; traced, never run."""

import cutlass
from cutlass import cute
from cutlass.cute.runtime import make_fake_tensor

FLOAT = cutlass.Float32
THREADS, BLOCKS = 32, 2


@cute.kernel
def strided(b: cute.Tensor, c: cutlass.Constexpr):
    """Each block takes one tile after the other; of a tile all elements are handed over."""
    t, _, _ = cute.arch.thread_idx()
    bidx, _, _ = cute.arch.block_idx()
    smem = cutlass.memory.SmemAllocator()
    room = cute.make_tensor(
        smem.allocate_array(FLOAT, THREADS, byte_alignment=16), cute.make_layout(THREADS)
    )
    n = b.shape[0]
    tile = bidx
    own = 0
    if cutlass.const_expr(c == "as each thread may"):
        own = t
    valid = tile * THREADS + own < n
    while valid:
        room[t] = FLOAT(1.0)
        if cutlass.const_expr(c != "no barrier between"):
            cute.arch.sync_threads()
        x = room[THREADS - 1 - t]
        if cutlass.const_expr(c != "no barrier behind"):
            cute.arch.sync_threads()
        i = tile * THREADS + t
        if cutlass.const_expr(c == "no predicate"):
            b[i] = x
        elif cutlass.const_expr(c == "one too far"):
            if i <= n:
                b[i] = x
        elif i < n:
            b[i] = x
        if cutlass.const_expr(c == "the next block's too"):  # noqa: SIM108
            tile = tile + 1
        else:
            tile = tile + BLOCKS
        valid = tile * THREADS + own < n


@cute.jit
def by_rounds(b: cute.Tensor, c: cutlass.Constexpr):
    strided(b, c).launch(grid=[BLOCKS, 1, 1], block=[THREADS, 1, 1])


@cute.kernel
def scheduled(
    b: cute.Tensor, by: cute.FastDivmodDivisorV2, total: cutlass.Int32, c: cutlass.Constexpr
):
    """Each block takes one tile after the other, by its row and its column."""
    t, _, _ = cute.arch.thread_idx()
    tile, _, _ = cute.arch.block_idx()
    row, column = divmod(tile, by)
    valid = tile < total
    while valid:
        b[row, column * THREADS + t] = FLOAT(1.0)
        before = tile
        tile = tile + BLOCKS
        if cutlass.const_expr(c == "the block before's"):
            row, column = divmod(tile - 1, by)
        elif cutlass.const_expr(c == "the tile before's"):
            row, column = divmod(before, by)
        else:
            row, column = divmod(tile, by)
        valid = tile <= total if cutlass.const_expr(c == "a tile too many") else tile < total


@cute.jit
def by_tiles(b: cute.Tensor, c: cutlass.Constexpr):
    columns = b.shape[1] // THREADS
    total = b.shape[0] * columns
    by = columns
    if cutlass.const_expr(c == "a column too many"):
        by = columns + 1
    scheduled(b, cute.FastDivmodDivisorV2(by), total, c).launch(
        grid=[BLOCKS, 1, 1], block=[THREADS, 1, 1]
    )


@cute.kernel
def asked(b: cute.Tensor, c: cutlass.Constexpr):
    """What lane 0 has says for all lanes whether they write."""
    t, _, _ = cute.arch.thread_idx()
    flag = cutlass.Int32(t + (THREADS - 1) < b.shape[1])
    if cutlass.const_expr(c == "the block's"):
        flag = cutlass.Int32(b.shape[1] >= 2 * THREADS)
    if cutlass.const_expr(c != "each lane's"):
        flag = cute.arch.make_warp_uniform(flag)
    if flag != 0:
        b[0, t + (THREADS - 1)] = FLOAT(1.0)


@cute.jit
def by_lanes(b: cute.Tensor, c: cutlass.Constexpr):
    asked(b, c).launch(grid=[1, 1, 1], block=[THREADS, 1, 1])


HOSTS = {"strided": by_rounds, "scheduled": by_tiles, "asked": by_lanes}


def traced_as(case):
    """Return a host function and its arguments."""
    if case.family != "strided":
        rows = cute.sym_int32(symbol="R")
        columns = cute.sym_int32(divisibility=THREADS, symbol="C")
        b = make_fake_tensor(FLOAT, (rows, columns), stride=(cute.sym_int64(), 1), assumed_align=16)
        return HOSTS[case.family], (b, case.way)
    n = cute.sym_int32(symbol="N")
    b = make_fake_tensor(FLOAT, (n,), stride=(1,), assumed_align=16)
    return by_rounds, (b, case.way)
