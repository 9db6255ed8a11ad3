"""Kernels in CuTe DSL that are ordered in ways that are not followed; traced, never run."""

import cutlass
from cutlass import cute
from cutlass.cute.nvgpu import cpasync
from cutlass.cute.runtime import make_fake_tensor

HALF = cutlass.Float16
THREADS, ROWS, COLUMNS, STAGES = 128, 16, 64, 3


@cute.jit
def order(bars: cute.Pointer, c: cutlass.Constexpr):
    """Order what the threads of a block did before what they do behind, or not."""
    if cutlass.const_expr(c == "barrier"):
        cute.arch.sync_threads()
    elif cutlass.const_expr(c == "fence"):
        cute.arch.fence_acq_rel_cta()
    elif cutlass.const_expr(c == "half of them"):
        cute.arch.barrier(barrier_id=1, number_of_threads=64)
    elif cutlass.const_expr(c == "cluster"):
        cute.arch.cluster_arrive()
        cute.arch.cluster_wait()
    elif cutlass.const_expr(c != "none"):
        cute.arch.mbarrier_arrive(bars)
        if cutlass.const_expr(c == "mbarrier, a phase of each thread"):
            t, _, _ = cute.arch.thread_idx()
            cute.arch.mbarrier_wait(bars, t % 2)
            cute.arch.sync_threads()
        else:
            cute.arch.mbarrier_wait(bars, 0)


@cute.kernel
def handing(a: cute.Tensor, b: cute.Tensor, c: cutlass.Constexpr):
    """A thread writes its place of a room, and reads that of its neighbour."""
    t, _, _ = cute.arch.thread_idx()
    bidx, _, _ = cute.arch.block_idx()
    smem = cutlass.utils.SmemAllocator()
    bars = smem.allocate_array(cutlass.Int64, 4)
    room = smem.allocate_tensor(HALF, cute.make_layout(THREADS), 16)
    i, more = bidx * THREADS + t, 0
    if cutlass.const_expr(c == "mbarrier, one too far"):
        more = 1
    if cutlass.const_expr(c == "mbarrier outside"):
        bars = bars + 64
    if t == 0:
        cute.arch.mbarrier_init(bars, THREADS)
    cute.arch.sync_threads()
    room[t] = HALF(1.0)
    order(bars, c)
    x = room[(t + 1) % THREADS]
    if i < b.shape[0]:
        b[i + more] = x


@cute.kernel
def choosing(a: cute.Tensor, b: cute.Tensor, c: cutlass.Constexpr):
    """Some of the threads write, each where a number says that is the same in its warp."""
    t, _, _ = cute.arch.thread_idx()
    smem = cutlass.utils.SmemAllocator()
    room = smem.allocate_tensor(HALF, cute.make_layout(4 if c == "warps" else THREADS), 16)
    if cutlass.const_expr(c == "elected"):
        if t < 32:
            with cute.arch.elect_one():
                room[0] = HALF(1.0)
    elif cutlass.const_expr(c == "elected in each warp"):
        with cute.arch.elect_one():
            room[0] = HALF(1.0)
    elif cutlass.const_expr(c == "warps"):
        w = cute.arch.make_warp_uniform(t // 32)
        if t % 32 == 0:
            room[w] = HALF(1.0)
    elif cutlass.const_expr(c == "lanes"):
        room[cute.arch.make_warp_uniform(t)] = HALF(1.0)
    elif cutlass.const_expr(c == "pairs of warps"):
        w = cute.arch.make_warp_uniform(t // 48)
        if t % 32 == 0:
            room[w] = HALF(1.0)


@cute.kernel
def numbering(a: cute.Tensor, b: cute.Tensor, c: cutlass.Constexpr):
    """A thread writes its place of a room, and reads that of its neighbour behind barriers."""
    t, _, _ = cute.arch.thread_idx()
    smem = cutlass.utils.SmemAllocator()
    room = smem.allocate_tensor(HALF, cute.make_layout(THREADS), 16)
    room[t] = HALF(1.0)
    whole, some = 1, 2
    if cutlass.const_expr(c == "0 of some" or c == "0 of half"):
        whole, some = 0, 0
    elif cutlass.const_expr(c == "some and all"):
        some = 1
    if cutlass.const_expr(c == "two places"):
        if t < 64:
            cute.arch.barrier(barrier_id=1, number_of_threads=THREADS)
        else:
            cute.arch.barrier(barrier_id=1, number_of_threads=THREADS)
    elif cutlass.const_expr(c == "two numbers"):
        if t < 64:
            cute.arch.barrier(barrier_id=1, number_of_threads=THREADS)
        else:
            cute.arch.barrier(barrier_id=2, number_of_threads=THREADS)
    elif cutlass.const_expr(c == "by threads, 0 among them" or c == "by threads"):
        first = 0 if cutlass.const_expr(c == "by threads, 0 among them") else 1
        cute.arch.barrier(barrier_id=t // 64 + first, number_of_threads=64)
        cute.arch.sync_threads()
    elif cutlass.const_expr(c == "all"):
        cute.arch.barrier(barrier_id=1, number_of_threads=THREADS)
    else:
        if t < 64:
            cute.arch.barrier(barrier_id=some, number_of_threads=64)
        if cutlass.const_expr(c == "0 of half"):
            cute.arch.sync_threads()
        else:
            cute.arch.barrier(barrier_id=whole, number_of_threads=THREADS)
    x = room[(t + 1) % THREADS]
    if t < b.shape[0]:
        b[t] = x


@cute.kernel
def sharing(a: cute.Tensor, b: cute.Tensor, n: cutlass.Int32, c: cutlass.Constexpr):
    """Two warps write a room, and read it behind a barrier of their own; a third may be told."""
    t, _, _ = cute.arch.thread_idx()
    smem = cutlass.utils.SmemAllocator()
    bars = smem.allocate_array(cutlass.Int64, 2)
    room = smem.allocate_tensor(HALF, cute.make_layout(96), 16)
    tells, late = c.startswith("told"), c == "told behind the wait"
    count = 3 if c.endswith("for three") else 1 if c.endswith("for one") else 2
    if t == 0:
        cute.arch.mbarrier_init(bars, count)
    cute.arch.sync_threads()
    x, come, number = HALF(0.0), 64, 16 if c == "of no number" else 1
    if cutlass.const_expr(c == "too many"):
        come = 96
    elif cutlass.const_expr(c == "too few"):
        come = 32
    if t < (48 if c == "a part of a warp" else 64):
        room[t] = HALF(1.0)
        if cutlass.const_expr(c == "where data says"):
            if b[t] > HALF(0.0):
                cute.arch.barrier(barrier_id=1, number_of_threads=come)
        elif cutlass.const_expr(c == "in a loop"):
            for _ in cutlass.range(n):
                cute.arch.barrier(barrier_id=1, number_of_threads=come)
                x = room[63 - t]
                cute.arch.barrier(barrier_id=2, number_of_threads=come)
                room[t] = x
        elif cutlass.const_expr(c != "none"):
            cute.arch.barrier(barrier_id=number, number_of_threads=come)
        x = room[63 - t]
        if cutlass.const_expr(tells and not late):
            with cute.arch.elect_one():
                cute.arch.mbarrier_arrive(bars)
    else:
        if cutlass.const_expr(tells):
            cute.arch.mbarrier_wait(bars, 1 if c == "told by the other phase" else 0)
        if cutlass.const_expr(tells or c == "the third reads"):
            x = room[t - 64]
    if cutlass.const_expr(late):  # noqa: SIM102 (traced)
        if t < 64:
            with cute.arch.elect_one():
                cute.arch.mbarrier_arrive(bars)
    cute.arch.sync_threads()
    room[t] = x
    if t < b.shape[0]:
        b[t] = room[t]


@cute.kernel
def loading(atom: cute.CopyAtom, far: cute.Tensor, b: cute.Tensor, c: cutlass.Constexpr):
    """A box of a matrix is loaded by TMA, and read."""
    t, _, _ = cute.arch.thread_idx()
    bidx, _, _ = cute.arch.block_idx()
    smem = cutlass.utils.SmemAllocator()
    bars = smem.allocate_array(cutlass.Int64, 2)
    size = ROWS * COLUMNS
    room = smem.allocate_tensor(HALF, cute.make_layout(2 * size), 1024)
    start = room.iterator
    if cutlass.const_expr(c == "outside"):
        start = start + (size + 64)
    elif cutlass.const_expr(c == "second"):
        start = start + size
    form = cute.make_layout((ROWS, COLUMNS), stride=(COLUMNS, 1))
    box = cute.make_tensor(start.align(128), form)
    tiles = cute.local_tile(far, (ROWS, COLUMNS), (None, None))
    near, away = cpasync.tma_partition(
        atom, 0, cute.make_layout(1), cute.group_modes(box, 0, 2), cute.group_modes(tiles, 0, 2)
    )
    bytes = size * 2
    if cutlass.const_expr(c == "fenced, too few bytes"):
        bytes = size
    elif cutlass.const_expr(c == "fenced, too many bytes"):
        bytes = size * 4
    by_arrival = c == "fenced, by arrival"
    if t == 0:
        cute.arch.mbarrier_init(bars, 2 if c == "fenced, two arrivals" else 1)
        if cutlass.const_expr(c != "fenced, no bytes" and not by_arrival):
            cute.arch.mbarrier_expect_tx(bars, bytes)
    if cutlass.const_expr(c.startswith("fenced")):
        cute.arch.mbarrier_init_fence()
    if cutlass.const_expr("written" in c):
        room[t] = HALF(1.0)
    if cutlass.const_expr("written and fenced" in c):
        cute.arch.fence_proxy("async.shared", space="cta")
    cute.arch.sync_threads()
    before = by_arrival or c == "fenced, with the arrival before"
    if cutlass.const_expr(before):  # noqa: SIM102 (traced)
        if t == 0:
            if cutlass.const_expr(by_arrival):
                cute.arch.mbarrier_arrive_and_expect_tx(bars, bytes)
            else:
                cute.arch.mbarrier_arrive(bars)
    if t < (64 if c == "fenced, two warps" else 32):
        bar = bars
        if cutlass.const_expr(c == "its mbarrier outside"):
            bar = bars + 4096
        row = bidx * (1 << 20) if cutlass.const_expr(c == "fenced, a row that wraps") else bidx
        cute.copy(atom, away[(None, row, 0)], near, tma_bar_ptr=bar)
    if cutlass.const_expr(not before):
        if t == 0:
            cute.arch.mbarrier_arrive(bars)
        if cutlass.const_expr(c == "fenced, two arrivals"):  # noqa: SIM102 (traced)
            if t == 32:
                cute.arch.mbarrier_arrive(bars)
    if cutlass.const_expr(not c.endswith("not awaited")):
        cute.arch.mbarrier_wait(bars, 1 if c == "fenced, the other phase" else 0)
    x = room[t]
    i, more = bidx * THREADS + t, 0
    if cutlass.const_expr(c == "one too far"):
        more = 1
    if i < b.shape[0]:
        b[i + more] = x


@cute.kernel
def piping(atom: cute.CopyAtom, far: cute.Tensor, n: cutlass.Int32, c: cutlass.Constexpr):
    """The first warp loads a box in each round, into a ring of stages; all threads read it."""
    t, _, _ = cute.arch.thread_idx()
    warp = cute.arch.make_warp_uniform(t // 32)
    smem = cutlass.utils.SmemAllocator()
    full = smem.allocate_array(cutlass.Int64, STAGES)
    empty = smem.allocate_array(cutlass.Int64, STAGES)
    size = ROWS * COLUMNS
    room = smem.allocate_tensor(HALF, cute.make_layout(STAGES * size), 1024)
    form = cute.make_layout((ROWS, COLUMNS, STAGES), stride=(COLUMNS, 1, size))
    box = cute.make_tensor(room.iterator.align(128), form)
    tiles = cute.local_tile(far, (ROWS, COLUMNS), (None, None))
    near, away = cpasync.tma_partition(
        atom, 0, cute.make_layout(1), cute.group_modes(box, 0, 2), cute.group_modes(tiles, 0, 2)
    )
    if t == 0:
        for k in cutlass.range_constexpr(STAGES):
            cute.arch.mbarrier_init(full + k, 1)
            cute.arch.mbarrier_init(empty + k, THREADS)
    cute.arch.mbarrier_init_fence()
    cute.arch.sync_threads()
    of = STAGES - 1 if cutlass.const_expr(c == "one stage less goes round") else STAGES
    flip = 1 if cutlass.const_expr(c != "the other phase of what is empty") else 0
    index, phase = cutlass.Int32(0), cutlass.Int32(0)
    early = 1 if cutlass.const_expr(c == "the other phase of what is full") else 0
    for k in cutlass.range(n):
        if warp == 0:
            if cutlass.const_expr(c != "no wait for what is empty"):
                cute.arch.mbarrier_wait(empty + index, phase ^ flip)
            with cute.arch.elect_one():
                bytes = size if cutlass.const_expr(c == "too few bytes") else size * 2
                cute.arch.mbarrier_arrive_and_expect_tx(full + index, bytes)
            cute.copy(atom, away[(None, k, 0)], near[(None, index)], tma_bar_ptr=full + index)
        if cutlass.const_expr(c == "an arrival too early"):
            cute.arch.mbarrier_arrive(empty + index)
        if cutlass.const_expr(c != "no wait for what is full"):
            cute.arch.mbarrier_wait(full + index, phase ^ early)
        x = room[index * size + t]
        if x > HALF(0.0):
            cute.printf("%f", x)
        if cutlass.const_expr(c != "an arrival too early"):
            cute.arch.mbarrier_arrive(empty + index)
        index += 1
        if index == of:
            index = cutlass.Int32(0)
            phase ^= 1


@cute.kernel
def storing(atom: cute.CopyAtom, far: cute.Tensor, c: cutlass.Constexpr):
    """A box of a matrix is written by all threads, and stored by TMA."""
    t, _, _ = cute.arch.thread_idx()
    bidx, _, _ = cute.arch.block_idx()
    smem = cutlass.utils.SmemAllocator()
    room = smem.allocate_tensor(HALF, cute.make_layout(ROWS * COLUMNS), 1024)
    form = cute.make_layout((ROWS, COLUMNS), stride=(COLUMNS, 1))
    box = cute.make_tensor(room.iterator.align(128), form)
    tiles = cute.local_tile(far, (ROWS, COLUMNS), (None, None))
    near, away = cpasync.tma_partition(
        atom, 0, cute.make_layout(1), cute.group_modes(box, 0, 2), cute.group_modes(tiles, 0, 2)
    )
    for k in cutlass.range_constexpr(ROWS * COLUMNS // THREADS):
        room[t + k * THREADS] = HALF(1.0)
    behind = c == "fence behind the barrier"
    if cutlass.const_expr(c != "no fence" and not behind):
        cute.arch.fence_proxy("async.shared", space="cta")
    if cutlass.const_expr(c != "no barrier"):
        cute.arch.sync_threads()
    if cutlass.const_expr(behind):
        cute.arch.fence_proxy("async.shared", space="cta")
    row = 0 if cutlass.const_expr(c == "one box") else bidx
    if cutlass.const_expr(c in ("a row that is not known", "a row of two blocks")):
        blocks, _, _ = cute.arch.grid_dim()
        if bidx > 4:
            index = bidx if cutlass.const_expr(c == "a row of two blocks") else bidx - 8
            row, _ = cute.make_layout((blocks, 2), stride=(2, 1)).get_flat_coord(index)
            row = row + 4
    if t < 32:
        cute.copy(atom, near, away[(None, row, 0)])
    if cutlass.const_expr(c == "written again"):
        cute.arch.sync_threads()
        room[t] = HALF(2.0)


@cute.jit
def by_handing(a: cute.Tensor, b: cute.Tensor, c: cutlass.Constexpr):
    blocks = cute.ceil_div(b.shape[0], THREADS)
    handing(a, b, c).launch(grid=[blocks, 1, 1], block=[THREADS, 1, 1])


@cute.jit
def by_choosing(a: cute.Tensor, b: cute.Tensor, c: cutlass.Constexpr):
    choosing(a, b, c).launch(grid=[1, 1, 1], block=[THREADS, 1, 1])


@cute.jit
def by_numbering(a: cute.Tensor, b: cute.Tensor, c: cutlass.Constexpr):
    numbering(a, b, c).launch(grid=[1, 1, 1], block=[THREADS, 1, 1])


@cute.jit
def by_sharing(a: cute.Tensor, b: cute.Tensor, c: cutlass.Constexpr):
    sharing(a, b, a.shape[0], c).launch(grid=[1, 1, 1], block=[96, 1, 1])


@cute.jit
def by_loading(a: cute.Tensor, b: cute.Tensor, c: cutlass.Constexpr):
    form = cute.make_layout((ROWS, COLUMNS), stride=(COLUMNS, 1))
    atom, far = cpasync.make_tiled_tma_atom(
        cpasync.CopyBulkTensorTileG2SOp(), a, form, (ROWS, COLUMNS)
    )
    blocks = cute.ceil_div(b.shape[0], THREADS)
    loading(atom, far, b, c).launch(grid=[blocks, 1, 1], block=[THREADS, 1, 1])


@cute.jit
def by_piping(a: cute.Tensor, b: cute.Tensor, c: cutlass.Constexpr):
    form = cute.make_layout((ROWS, COLUMNS), stride=(COLUMNS, 1))
    atom, far = cpasync.make_tiled_tma_atom(
        cpasync.CopyBulkTensorTileG2SOp(), a, form, (ROWS, COLUMNS)
    )
    blocks = cute.ceil_div(a.shape[0], ROWS)
    piping(atom, far, blocks, c).launch(grid=[1, 1, 1], block=[THREADS, 1, 1])


@cute.jit
def by_storing(a: cute.Tensor, b: cute.Tensor, c: cutlass.Constexpr):
    form = cute.make_layout((ROWS, COLUMNS), stride=(COLUMNS, 1))
    atom, far = cpasync.make_tiled_tma_atom(
        cpasync.CopyBulkTensorTileS2GOp(), a, form, (ROWS, COLUMNS)
    )
    blocks = cute.ceil_div(a.shape[0], ROWS)
    storing(atom, far, c).launch(grid=[blocks, 1, 1], block=[THREADS, 1, 1])


HOSTS = {
    "handing": by_handing,
    "choosing": by_choosing,
    "numbering": by_numbering,
    "sharing": by_sharing,
    "loading": by_loading,
    "storing": by_storing,
    "piping": by_piping,
}


def traced_as(case):
    """Return a host function and its arguments."""
    n, m = cute.sym_int32(symbol="N"), cute.sym_int32(symbol="M")
    stride = (cute.sym_int64(divisibility=8, symbol="lda"), 1)
    a = make_fake_tensor(HALF, (m, n), stride=stride, assumed_align=16)
    b = make_fake_tensor(HALF, (n,), stride=(1,), assumed_align=16)
    return HOSTS[case.family], (a, b, case.way)


@cute.kernel
def counting(b: cute.Tensor, n: cutlass.Int32, c: cutlass.Constexpr):
    """A product may wrap, behind a coordinate that is not known."""
    t, _, _ = cute.arch.thread_idx()
    below = 1 if cutlass.const_expr(c == "a coordinate of nothing") else 0
    index = t - 32 if cutlass.const_expr(c == "a coordinate of what is below 0") else t
    x, _ = cute.make_layout((n - below, 2), stride=(2, 1)).get_flat_coord(index)
    if cutlass.const_expr("a coordinate" in c):
        n = x
    if cutlass.const_expr(c == "a rest"):
        n = t % n
    if cutlass.const_expr(c == "a rest of nothing"):
        n = t % (n - 1)
    if t < b.shape[0] and n * n > t:
        b[t] = HALF(1.0)


@cute.jit
def by_counting(a: cute.Tensor, b: cute.Tensor, c: cutlass.Constexpr):
    counting(b, a.shape[0], c).launch(grid=[1, 1, 1], block=[THREADS, 1, 1])


HOSTS["counting"] = by_counting
