"""Small kernels in CuTe DSL, each right or wrong in one thing; they are traced, never run."""

import cutlass
from cutlass import cute
from cutlass.cute.nvgpu import cpasync
from cutlass.cute.runtime import make_fake_tensor

HALF = cutlass.Float16
ROOM = 4096


def tensor():
    """A row-major matrix of any size, whose rows begin at whole vectors."""
    shape = (cute.sym_int32(), cute.sym_int32())
    stride = (cute.sym_int64(divisibility=8), 1)
    return make_fake_tensor(HALF, shape, stride=stride, assumed_align=16)


def vector():
    """A vector of any number of eights."""
    return make_fake_tensor(HALF, (cute.sym_int32(divisibility=8),), stride=(1,), assumed_align=16)


def wide():
    """Return what copies eight halves at once."""
    return cute.make_copy_atom(cute.nvgpu.CopyUniversalOp(), HALF, num_bits_per_copy=128)


# --- a thread reads vectors of its own ---------------------------------------------------------


def take(start, layout=None):
    """Read vectors of eight from shared memory."""
    layout = cute.make_layout(8) if layout is None else layout
    registers = cute.make_rmem_tensor(cute.make_layout(layout.shape), HALF)
    cute.copy(wide(), cute.make_tensor(start, layout), registers)


def at_threads(start, tidx, n):
    take(start + tidx * 8)


def at_half_vectors(start, tidx, n):
    take(start + tidx * 4)


def modulo_32(start, tidx, n):
    take(start + (tidx % 32) * 128)


def modulo_64(start, tidx, n):
    take(start + (tidx % 64) * 128)


def backwards(start, tidx, n):
    take(start + (127 - tidx) * 32)


def one_too_far_back(start, tidx, n):
    take(start + (126 - tidx) * 32)


@cute.jit
def counted(start: cute.Pointer, tidx: cutlass.Int32, n: cutlass.Int32):
    for k in cutlass.range(0, 64, unroll=1):
        take(start + (k * 64 + 56))


@cute.jit
def counted_too_far(start: cute.Pointer, tidx: cutlass.Int32, n: cutlass.Int32):
    for k in cutlass.range(0, 64, unroll=1):
        take(start + (k * 64 + 64))


@cute.jit
def in_steps(start: cute.Pointer, tidx: cutlass.Int32, n: cutlass.Int32):
    for k in cutlass.range(0, 4096, 8, unroll=1):
        take(start + k)


@cute.jit
def in_half_steps(start: cute.Pointer, tidx: cutlass.Int32, n: cutlass.Int32):
    for k in cutlass.range(0, 4096, 4, unroll=1):
        take(start + k)


@cute.jit
def nested(start: cute.Pointer, tidx: cutlass.Int32, n: cutlass.Int32):
    for i in cutlass.range(8, unroll=1):
        for j in cutlass.range(8, unroll=1):
            take(start + (i * 512 + j * 64))


@cute.jit
def nested_too_far(start: cute.Pointer, tidx: cutlass.Int32, n: cutlass.Int32):
    for i in cutlass.range(8, unroll=1):
        for j in cutlass.range(8, unroll=1):
            take(start + (i * 528 + j * 64))


@cute.jit
def never(start: cute.Pointer, tidx: cutlass.Int32, n: cutlass.Int32):
    for _ in cutlass.range(0, unroll=1):
        take(start + 4100)


@cute.jit
def perhaps_never(start: cute.Pointer, tidx: cutlass.Int32, n: cutlass.Int32):
    for _ in cutlass.range(n, 0, unroll=1):
        if n > 0:  # which is not where this is
            take(start + 4100)


def by_argument(start, tidx, n):
    take(start + n * 8)


@cute.jit
def by_argument_in_range(start: cute.Pointer, tidx: cutlass.Int32, n: cutlass.Int32):
    if n >= 0 and n < 512:
        take(start + n * 8)


def eight_by_one(start, tidx, n):
    take(start, cute.make_layout((1, 8), stride=(0, 1)))


def four_by_four(start, tidx, n):
    take(start, cute.make_layout((4, 4), stride=(1, 4)))


def two_vectors(start, tidx, n):
    take(start, cute.make_layout((8, 2), stride=(1, 8)))


def vectors_of_halves(start, tidx, n):
    take(start, cute.make_layout(((4, 2), 2), stride=((1, 4), 8)))


def vectors_apart(start, tidx, n):
    take(start, cute.make_layout((8, 2), stride=(1, 12)))


def downwards(start, tidx, n):
    take(start + 8, cute.make_layout((8, 2), stride=(1, -8)))


def beyond_the_start(start, tidx, n):
    take(start, cute.make_layout((8, 2), stride=(1, -8)))


def the_same_twice(start, tidx, n):
    take(start, cute.make_layout((8, 2), stride=(1, 0)))


def at_the_end(start, tidx, n):
    take(start + 4088)


def past_the_end(start, tidx, n):
    take(start + 4096)


def rounded_up(start, tidx, n):
    take((start + n * 4).align(16))


def two_apart(start, tidx, n):
    a = cute.make_tensor(start, cute.make_layout(64))
    b = cute.make_tensor(start + 64, cute.make_layout(64))
    take(a.iterator)
    take(b.iterator)


def two_that_overlap(start, tidx, n):
    a = cute.make_tensor(start, cute.make_layout(72))
    b = cute.make_tensor(start + 64, cute.make_layout(72))
    take(a.iterator)
    take(b.iterator)


def one_in_the_other(start, tidx, n):
    a = cute.make_tensor(start, cute.make_layout(128))
    b = cute.make_tensor(start + 64, cute.make_layout(64))
    take(a.iterator)
    take(b.iterator)


def three_in_a_ring(start, tidx, n):
    a = cute.make_tensor(start, cute.make_layout(128))
    b = cute.make_tensor(start + 256, cute.make_layout(128))
    c = cute.make_tensor(start + 120, cute.make_layout(128))
    take(a.iterator)
    take(b.iterator)
    take(c.iterator)


@cute.jit
def ring(
    start: cute.Pointer,
    n: cutlass.Int32,
    first: cutlass.Constexpr,
    step: cutlass.Constexpr,
    end: cutlass.Constexpr,
    reset: cutlass.Constexpr,
):
    """Read at places of 512 each: `first`, and then `step` further, or `reset` at the end."""
    place = cutlass.Int32(first)
    for _ in cutlass.range(n, unroll=1):
        take(start + place * 512)
        place += step
        if place == end:
            place = cutlass.Int32(reset)


@cute.jit
def around(start: cute.Pointer, tidx: cutlass.Int32, n: cutlass.Int32):
    ring(start, n, 0, 1, 8, 0)


@cute.jit
def around_from_three(start: cute.Pointer, tidx: cutlass.Int32, n: cutlass.Int32):
    ring(start, n, 3, 1, 8, 1)


@cute.jit
def around_too_far(start: cute.Pointer, tidx: cutlass.Int32, n: cutlass.Int32):
    ring(start, n, 0, 1, 9, 0)


@cute.jit
def around_by_threes(start: cute.Pointer, tidx: cutlass.Int32, n: cutlass.Int32):
    ring(start, n, 0, 3, 8, 0)


@cute.jit
def around_from_beyond(start: cute.Pointer, tidx: cutlass.Int32, n: cutlass.Int32):
    ring(start, n, 8, 1, 8, 0)


@cute.jit
def around_to_the_end(start: cute.Pointer, tidx: cutlass.Int32, n: cutlass.Int32):
    ring(start, n, 0, 1, 8, 8)


@cute.jit
def around_before_zero(start: cute.Pointer, tidx: cutlass.Int32, n: cutlass.Int32):
    ring(start, n, 0, 1, 8, -1)


TAKEN = {f.__name__: f for f in (
    at_threads, at_half_vectors, modulo_32, modulo_64, backwards, one_too_far_back, counted,
    counted_too_far, in_steps, in_half_steps, nested, nested_too_far, never, perhaps_never,
    by_argument, by_argument_in_range, eight_by_one, four_by_four, two_vectors, vectors_of_halves,
    vectors_apart, downwards, beyond_the_start, the_same_twice, at_the_end, past_the_end,
    rounded_up, two_apart, two_that_overlap, one_in_the_other, three_in_a_ring,
    around, around_from_three, around_too_far, around_by_threes, around_from_beyond,
    around_to_the_end, around_before_zero,
)}  # fmt: skip


@cute.kernel
def taking(mA: cute.Tensor, n: cutlass.Int32, name: cutlass.Constexpr):
    tidx, _, _ = cute.arch.thread_idx()
    smem = cutlass.memory.SmemAllocator()
    start = smem.allocate_array(HALF, ROOM, byte_alignment=1024)
    TAKEN[name](start, tidx, n)


@cute.jit
def take_from(mA: cute.Tensor, n: cutlass.Int32, name: cutlass.Constexpr):
    taking(mA, n, name).launch(grid=[1, 1, 1], block=[128, 1, 1])


# --- as many rooms as are asked for -------------------------------------------------------------


@cute.kernel
def rooms(mA: cute.Tensor, count: cutlass.Constexpr):
    smem = cutlass.memory.SmemAllocator()
    for _ in cutlass.range_constexpr(count):
        take(smem.allocate_array(HALF, ROOM, byte_alignment=1024))


@cute.jit
def many_rooms(mA: cute.Tensor, count: cutlass.Constexpr):
    rooms(mA, count).launch(grid=[1, 1, 1], block=[128, 1, 1])


# --- shares of a tiled copy ---------------------------------------------------------------------


@cute.kernel
def shares(mA: cute.Tensor, copy: cute.TiledCopy, stage: cutlass.Constexpr):
    tidx, tidy, _ = cute.arch.thread_idx()
    bidx, _, _ = cute.arch.block_idx()
    smem = cutlass.memory.SmemAllocator()
    start = smem.allocate_array(HALF, 1024 * 80, byte_alignment=1024)
    rows = cute.size(copy, mode=[0]) // 8
    # A stage begins 8 elements before the next whole 1024: lanes of other stages meet in banks.
    sA = cute.make_tensor(start, cute.make_layout((rows, 64, 64), stride=(64, 1, 1016)))
    number = {"none": 0, "tidx": tidx, "tidy": tidy, "octet": tidx // 8, "block": bidx % 4}[stage]
    gA = cute.local_tile(mA, (rows, 64), (0, 0))
    thread = copy.get_slice(tidx)
    cute.copy(copy, thread.partition_S(gA), thread.partition_D(sA[None, None, number]))


@cute.jit
def share(
    mA: cute.Tensor, stage: cutlass.Constexpr, shared: cutlass.Constexpr, block: cutlass.Constexpr
):
    threads = cute.make_ordered_layout((shared // 8, 8), order=(1, 0))
    values = cute.make_ordered_layout((1, 8), order=(1, 0))
    copy = cute.make_tiled_copy_tv(wide(), threads, values)
    shares(mA, copy, stage).launch(grid=[4, 1, 1], block=block)


# --- boxes by TMA ---------------------------------------------------------------------------------


@cute.kernel
def boxes(atom: cute.CopyAtom, tensor: cute.Tensor, layout: cute.Layout, case: cutlass.Constexpr):
    smem = cutlass.memory.SmemAllocator()
    bar = smem.allocate_array(cutlass.Int64, 1)
    room = smem.allocate_array(HALF, 2 * ROOM * 4 + case.behind, byte_alignment=case.smem_align)
    sA = cute.make_tensor(room + case.behind, layout)
    gA = cute.local_tile(tensor, case.tile, (0, 0))
    parts = cpasync.tma_partition(
        atom, 0, cute.make_layout(1), cute.group_modes(sA, 0, 2), cute.group_modes(gA, 0, 2)
    )
    cute.copy(atom, parts[1], parts[0], tma_bar_ptr=bar)


@cute.jit
def box(mA: cute.Tensor, case: cutlass.Constexpr):
    layout = cute.make_layout(case.tile, stride=(case.tile[1], 1))
    op = cpasync.CopyBulkTensorTileG2SOp()
    atom, tensor = cpasync.make_tiled_tma_atom(op, mA, layout, case.tile)
    boxes(atom, tensor, layout, case).launch(grid=[1, 1, 1], block=[32, 1, 1])


def matrix(divisor, alignment):
    """A row-major matrix of any size; `divisor` divides its leading dimension."""
    shape = (cute.sym_int32(), cute.sym_int32())
    stride = (cute.sym_int64(divisibility=divisor), 1)
    return make_fake_tensor(HALF, shape, stride=stride, assumed_align=alignment)


# --- matrices from a swizzled tile --------------------------------------------------------------


@cute.kernel
def matrices(mA: cute.Tensor, mma: cute.TiledMma, case: cutlass.Constexpr):
    tidx, _, _ = cute.arch.thread_idx()
    bidx, _, _ = cute.arch.block_idx()
    smem = cutlass.memory.SmemAllocator()
    room = smem.allocate_array(HALF, case.room, byte_alignment=1024)
    inner = cute.make_layout((64, 64, 2), stride=(case.row, 1, 64 * case.row))
    layout = cute.make_composed_layout(cute.make_swizzle(*case.swizzle), 0, inner)
    sA = cute.make_tensor(room, layout)
    atom = cute.make_copy_atom(cute.nvgpu.warp.LdMatrix8x8x16bOp(False, 4), HALF)
    copy = cute.make_tiled_copy_A(atom, mma)
    part = copy.get_slice(tidx).partition_S(sA)
    for k in cutlass.range_constexpr(4):
        share = part[None, None, k, bidx % 2]
        cute.copy(copy, share, cute.make_fragment_like(share))


@cute.jit
def load_matrices(mA: cute.Tensor, case: cutlass.Constexpr):
    op = cute.nvgpu.warp.MmaF16BF16Op(HALF, cutlass.Float32, (16, 8, 16))
    mma = cute.make_tiled_mma(op, cute.make_layout((4, 1, 1)), permutation_mnk=(64, 16, 16))
    matrices(mA, mma, case).launch(grid=[4, 1, 1], block=[128, 1, 1])


# --- a kernel that is launched under a condition ------------------------------------------------


@cute.kernel
def whole(mA: cute.Tensor, copy: cute.TiledCopy):
    tidx, _, _ = cute.arch.thread_idx()
    part = copy.get_slice(tidx).partition_S(mA)
    registers = cute.make_fragment_like(part[None, 0])
    cute.copy(copy, part[None, 0], registers)


@cute.jit
def launched(mA: cute.Tensor, asked: cutlass.Constexpr):
    copy = cute.make_tiled_copy_tv(wide(), cute.make_layout(128), cute.make_layout(8))
    if cutlass.const_expr(asked):
        if mA.shape[0] % 1024 == 0:
            whole(mA, copy).launch(grid=[1, 1, 1], block=[128, 1, 1])
    else:
        whole(mA, copy).launch(grid=[1, 1, 1], block=[128, 1, 1])


def traced_as(case):
    """Return a host function and its arguments."""
    if case.kind == "take":
        return take_from, (tensor(), cutlass.Int32(7), case.name)
    if case.kind == "rooms":
        return many_rooms, (tensor(), case.count)
    if case.kind == "share":
        return share, (tensor(), case.stage, case.shared, list(case.block))
    if case.kind == "box":
        return box, (matrix(case.divisor, case.alignment), case)
    if case.kind == "matrices":
        return load_matrices, (tensor(), case)
    return launched, (vector(), case.asked)
