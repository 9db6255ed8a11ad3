"""Kernels in CuTe DSL that keep stages, predicates and rooms over rounds; traced, never run."""

import cutlass
from cutlass import cute
from cutlass.cute.nvgpu import cpasync
from cutlass.cute.runtime import make_fake_tensor

FLOAT = cutlass.Float32
THREADS, BLOCKS, STAGES = 128, 4, 3
TILE = 512


def vectors():
    """Two vectors of one size, a multiple of 4."""
    n = cute.sym_int32(divisibility=4, symbol="N")
    return tuple(make_fake_tensor(FLOAT, (n,), stride=(1,), assumed_align=16) for _ in range(2))


@cute.jit
def all_threads(c: cutlass.Constexpr):
    if cutlass.const_expr(c == "a number for half"):
        cute.arch.barrier(barrier_id=1, number_of_threads=THREADS // 2)
    elif cutlass.const_expr(c != "no barrier"):
        cute.arch.barrier(barrier_id=1, number_of_threads=THREADS)


@cute.jit
def fetched(
    a: cute.Tensor, room: cute.Pointer, tile: cutlass.Int32, stage: cutlass.Int32,
    t: cutlass.Int32, may: cute.Tensor,
):  # fmt: skip
    """Fetch four elements of a tile, which ends with the vector: the first tile may be short."""
    atom = cute.make_copy_atom(cpasync.CopyG2SOp(), FLOAT, num_bits_per_copy=128)
    four = cute.make_layout(((4, 1), 1))
    tiles = cute.ceil_div(a.shape[0], TILE)
    first = a.shape[0] - tiles * TILE
    place = cute.assume(tile * TILE + t * 4, divby=4)
    source = cute.make_tensor(a.iterator + cute.assume(first, divby=4) + place, four)
    target = cute.make_tensor(room + cute.assume(stage * TILE + t * 4, divby=4), four)
    cute.copy(atom, source, target, pred=may)


@cute.kernel
def staged(a: cute.Tensor, b: cute.Tensor, c: cutlass.Constexpr):
    t, _, _ = cute.arch.thread_idx()
    smem = cutlass.memory.SmemAllocator()
    room = smem.allocate_array(FLOAT, STAGES * TILE, byte_alignment=16)
    tiles = cute.ceil_div(a.shape[0], TILE)
    first = a.shape[0] - tiles * TILE
    some = cute.make_rmem_tensor(cute.make_layout((1, 1)), cutlass.Boolean)
    may = cute.make_rmem_tensor(cute.make_layout((1, 1)), cutlass.Boolean)
    for i in range(1):
        some[i, 0] = cute.elem_less(cutlass.Int32(-1), first + t * 4)
    for i in range(1):
        may[i, 0] = cute.elem_less(t, cutlass.Int32(THREADS))
    if cutlass.const_expr(c == "the first tile whole"):
        fetched(a, room, cutlass.Int32(0), cutlass.Int32(0), t, may)
    else:
        fetched(a, room, cutlass.Int32(0), cutlass.Int32(0), t, some)
    cute.arch.cp_async_commit_group()
    index = cutlass.Int32(1)
    for k in range(1, STAGES - 1):
        if cutlass.const_expr(c != "not cleared"):  # noqa: SIM102
            if k >= tiles:
                may.fill(0)
        fetched(a, room, index, cutlass.Int32(k), t, may)
        index = index + 1
        cute.arch.cp_async_commit_group()
    if cutlass.const_expr(c != "not cleared"):  # noqa: SIM102
        if tiles < STAGES:
            may.fill(0)
    read, write = cutlass.Int32(0), cutlass.Int32(STAGES - 1)
    here = room + 4 * (THREADS - 1 - t)
    cute.arch.cp_async_wait_group(STAGES - 2)
    all_threads(c)
    for _ in range(tiles):
        for block in range(BLOCKS, unroll_full=True):
            if block == BLOCKS - 1:
                here = room + (read * TILE + 4 * (THREADS - 1 - t))
                if cutlass.const_expr(c == "one group too many"):
                    cute.arch.cp_async_wait_group(STAGES - 1)
                elif cutlass.const_expr(c != "no wait"):
                    cute.arch.cp_async_wait_group(STAGES - 2)
                all_threads(c)
            x = cute.make_tensor(here, cute.make_layout(4))[(block + 1) % BLOCKS]
            if t < b.shape[0]:
                b[t] = x
            if block == 0:
                fetched(a, room, index, write, t, may)
                cute.arch.cp_async_commit_group()
                write = read
                read = read + 1
                if read == STAGES:
                    read = cutlass.Int32(0)
                last = tiles + 1 if cutlass.const_expr(c == "a tile too many") else tiles
                again = 0 if cutlass.const_expr(c == "the first tile again") else 1
                index = index + 1 if index + 1 < last else cutlass.Int32(again)
    cute.arch.cp_async_wait_group(0)


@cute.jit
def by_stages(a: cute.Tensor, b: cute.Tensor, c: cutlass.Constexpr):
    staged(a, b, c).launch(grid=[1, 1, 1], block=[THREADS, 1, 1])


@cute.kernel
def used_again(a: cute.Tensor, b: cute.Tensor, c: cutlass.Constexpr):
    """A room is used, and once more with its places exchanged."""
    t, _, _ = cute.arch.thread_idx()
    smem = cutlass.memory.SmemAllocator()
    room = smem.allocate_array(FLOAT, THREADS, byte_alignment=16)
    plain = cute.make_tensor(room, cute.make_layout(THREADS))
    turned = cute.recast_ptr(room, cute.make_swizzle(2, 4, 3), dtype=FLOAT)
    other = cute.make_tensor(turned, cute.make_layout(THREADS))
    n = b.shape[0]
    plain[t] = FLOAT(1.0)
    if cutlass.const_expr(c != "no barrier before"):
        cute.arch.sync_threads()
    x = plain[THREADS - 1 - t]
    if t < n:
        b[t] = x
    if cutlass.const_expr(c != "no barrier between"):
        cute.arch.sync_threads()
    if cutlass.const_expr(c == "one too far"):
        other[t + 1] = FLOAT(2.0)
    else:
        other[t] = FLOAT(2.0)
    if cutlass.const_expr(c != "no barrier behind"):
        cute.arch.sync_threads()
    y = other[THREADS - 1 - t]
    if t < n:
        b[t] = y


@cute.jit
def by_using(a: cute.Tensor, b: cute.Tensor, c: cutlass.Constexpr):
    used_again(a, b, c).launch(grid=[1, 1, 1], block=[THREADS, 1, 1])


@cute.kernel
def spread(a: cute.Tensor, b: cute.Tensor, factor: cutlass.Int32, c: cutlass.Constexpr):
    """Of so many blocks one copies a tile."""
    t, _, _ = cute.arch.thread_idx()
    bidx, _, _ = cute.arch.block_idx()
    i = bidx // factor * THREADS + t
    first = bidx % factor == 0
    if cutlass.const_expr(c == "all of them"):
        first = bidx % factor >= 0
    if cutlass.const_expr(c == "one of five"):
        first = bidx % factor <= factor // 5
    if first and i < b.shape[0]:
        b[i] = FLOAT(1.0)


@cute.jit
def by_spreading(a: cute.Tensor, b: cute.Tensor, c: cutlass.Constexpr):
    n = b.shape[0]
    factor = 1
    if n > 512:
        factor = 1024 if cutlass.const_expr(c == "too many") else 4
    elif n > 128:
        factor = 2
    grid = cute.ceil_div(n, THREADS) * factor
    spread(a, b, factor, c).launch(grid=[grid, 1, 1], block=[THREADS, 1, 1])


@cute.kernel
def exchanged(b: cute.Tensor, coord: cute.Tensor, shape: cute.Shape, c: cutlass.Constexpr):
    """Tiles by their numbers in a row of tiles first."""
    t, _, _ = cute.arch.thread_idx()
    bidx, bidy, _ = cute.arch.block_idx()
    tile = b[((None, None), (bidx, bidy))]
    at = coord[((None, None), (bidy, bidx))]
    if cutlass.const_expr(c == "not exchanged"):
        at = coord[((None, None), (bidx, bidy))]
    place = (t // 32, t % 32)
    if cute.elem_less(at[place], shape):
        tile[place] = FLOAT(1.0)


@cute.jit
def by_exchanging(b: cute.Tensor, c: cutlass.Constexpr):
    tiles = cute.zipped_divide(b, (4, 32))
    form = cute.make_ordered_layout(cute.select(tiles.shape[1], mode=[1, 0]), order=(1, 0))
    coord = cute.zipped_divide(cute.make_identity_tensor(b.shape), (4, 32))
    grid = [cute.ceil_div(b.shape[1], 32), cute.ceil_div(b.shape[0], 4), 1]
    exchanged(cute.composition(tiles, (None, form)), coord, b.shape, c).launch(
        grid=grid, block=[THREADS, 1, 1]
    )


def matrix():
    m, n = cute.sym_int32(symbol="M"), cute.sym_int32(symbol="N")
    return make_fake_tensor(FLOAT, (m, n), stride=(cute.sym_int64(symbol="lda"), 1))


HOSTS = {"chosen": by_spreading, "staged": by_stages, "again": by_using,
         "exchanged": by_exchanging}  # fmt: skip


def traced_as(case):
    """Return a host function and its arguments."""
    if case.family == "exchanged":
        return by_exchanging, (matrix(), case.way)
    return HOSTS[case.family], (*vectors(), case.way)
