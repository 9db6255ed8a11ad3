"""Kernels in CuTe DSL, each right or wrong in what its threads access; traced, never run."""

import cutlass
from cutlass import cute
from cutlass.cute.nvgpu import cpasync
from cutlass.cute.runtime import make_fake_tensor

FLOAT = cutlass.Float32
THREADS = 128


def vector(name, divisor=1):
    """A vector of any size; the same name is the same size."""
    return make_fake_tensor(FLOAT, (name,), stride=(1,), assumed_align=16)


def vectors():
    n = cute.sym_int32(symbol="N")
    return vector(n), vector(n)


def vectors_of_fours():
    n = cute.sym_int32(divisibility=4, symbol="N")
    return vector(n), vector(n)


def matrices(stride=None):
    """Two row-major matrices of one size, each with a leading dimension of its own."""
    m, n = cute.sym_int32(symbol="M"), cute.sym_int32(symbol="N")
    make = stride or cute.sym_int64
    return tuple(
        make_fake_tensor(FLOAT, (m, n), stride=(make(symbol=s), 1), assumed_align=4)
        for s in ("lda", "ldb")
    )


def short_strides():
    return matrices(cute.sym_int32)


def one_row():
    """A matrix, and one of which all rows are one."""
    m, n = cute.sym_int32(symbol="M"), cute.sym_int32(symbol="N")
    a = make_fake_tensor(FLOAT, (m, n), stride=(cute.sym_int64(symbol="lda"), 1), assumed_align=4)
    return a, make_fake_tensor(FLOAT, (m, n), stride=(0, 1), assumed_align=4)


def backwards():
    n = cute.sym_int32(symbol="N")
    return tuple(make_fake_tensor(FLOAT, (n,), stride=(-1,), assumed_align=4) for _ in range(2))


# --- single elements --------------------------------------------------------------


@cute.jit
def each(a: cute.Tensor, b: cute.Tensor, t: cutlass.Int32, c: cutlass.Constexpr):
    """An element for each thread of all blocks, as far as `c` says."""
    bidx, _, _ = cute.arch.block_idx()
    i = bidx * THREADS + t
    n = a.shape[0]
    if cutlass.const_expr(c == "guarded"):
        if i < n:
            b[i] = a[i]
    elif cutlass.const_expr(c == "one too far"):
        if i <= n:
            b[i] = a[i]
    elif cutlass.const_expr(c == "both sides"):
        if i >= 0 and i < n:
            b[i] = a[i]
    elif cutlass.const_expr(c == "not the other side"):
        if not (i >= n):
            b[i] = a[i]
    elif cutlass.const_expr(c == "either"):
        if i < n or t < 4:
            b[i] = a[i]
    elif cutlass.const_expr(c == "shifted"):
        if i + 1 < n:
            b[i] = a[i + 1]
    elif cutlass.const_expr(c == "shifted without"):
        if i < n:
            b[i] = a[i + 1]
    elif cutlass.const_expr(c == "halved"):
        if i < n:
            b[i // 2] = a[i]
    elif cutlass.const_expr(c == "in place"):
        if i + 1 < n:
            b[i] = b[i + 1]
    else:
        b[i] = a[i]


@cute.kernel
def elements(a: cute.Tensor, b: cute.Tensor, c: cutlass.Constexpr):
    t, _, _ = cute.arch.thread_idx()
    each(a, b, t, c)


@cute.jit
def by_elements(a: cute.Tensor, b: cute.Tensor, c: cutlass.Constexpr):
    grid = cute.ceil_div(a.shape[0], THREADS)
    elements(a, b, c).launch(grid=[grid, 1, 1], block=[THREADS, 1, 1])


# --- a tiled copy with predicates -------------------------------------------------


@cute.kernel
def tiles(
    a: cute.Tensor, b: cute.Tensor, coord: cute.Tensor, copy: cute.TiledCopy, c: cutlass.Constexpr
):
    t, _, _ = cute.arch.thread_idx()
    bidx, _, _ = cute.arch.block_idx()
    m, n = a.shape
    tile = (16, 32)
    bm = bidx % cute.ceil_div(m, 16)
    bn = bidx // cute.ceil_div(m, 16)
    mine = copy.get_slice(t)
    ga = mine.partition_S(cute.local_tile(a, tile, (bm, bn)))
    gb = mine.partition_D(cute.local_tile(b, tile, (bm, bn)))
    at = mine.partition_S(cute.local_tile(coord, tile, (bm, bn)))
    held = cute.make_fragment_like(ga)
    pred = cute.make_rmem_tensor(at.shape, cutlass.Boolean)
    for i in range(cute.size(pred)):
        if cutlass.const_expr(c == "rows"):
            pred[i] = cute.elem_less(at[i][0], m)
        elif cutlass.const_expr(c == "columns"):
            pred[i] = cute.elem_less(at[i][1], n)
        elif cutlass.const_expr(c == "turned"):
            pred[i] = cute.elem_less(at[i], (n, m))
        elif cutlass.const_expr(c == "one too far"):
            pred[i] = cute.elem_less(at[i], (m, n + 1))
        else:
            pred[i] = cute.elem_less(at[i], (m, n))
    if cutlass.const_expr(c == "only stores"):
        cute.copy(copy, ga, held)
        cute.copy(copy, held, gb, pred=pred)
    elif cutlass.const_expr(c == "only loads"):
        cute.copy(copy, ga, held, pred=pred)
        cute.copy(copy, held, gb)
    else:
        cute.copy(copy, ga, held, pred=pred)
        cute.copy(copy, held, gb, pred=pred)


@cute.jit
def by_tiles(a: cute.Tensor, b: cute.Tensor, c: cutlass.Constexpr):
    atom = cute.make_copy_atom(cute.nvgpu.CopyUniversalOp(), FLOAT)
    threads = cute.make_ordered_layout((8, 16), order=(1, 0))
    if cutlass.const_expr(c == "doubled"):
        threads = cute.make_layout((8, 16), stride=(16, 0))
    values = cute.make_ordered_layout((2, 2), order=(1, 0))
    copy = cute.make_tiled_copy_tv(atom, threads, values)
    coord = cute.make_identity_tensor(a.shape)
    grid = cute.ceil_div(a.shape[0], 16) * cute.ceil_div(a.shape[1], 32)
    tiles(a, b, coord, copy, c).launch(grid=[grid, 1, 1], block=[THREADS, 1, 1])


# --- vectors of four --------------------------------------------------------------


@cute.kernel
def fours(a: cute.Tensor, b: cute.Tensor, c: cutlass.Constexpr):
    t, _, _ = cute.arch.thread_idx()
    bidx, _, _ = cute.arch.block_idx()
    four_at(a, b, bidx * THREADS + t, c)


@cute.jit
def four_at(a: cute.Tensor, b: cute.Tensor, i: cutlass.Int32, c: cutlass.Constexpr):
    atom = cute.make_copy_atom(cute.nvgpu.CopyUniversalOp(), FLOAT, num_bits_per_copy=128)
    held = cute.make_rmem_tensor(cute.make_layout(4), FLOAT)
    bound = a.shape[0]
    if cutlass.const_expr(c == "whole"):
        if i * 4 + 4 <= bound:
            cute.copy(atom, cute.make_tensor(a.iterator + i * 4, cute.make_layout(4)), held)
            cute.copy(atom, held, cute.make_tensor(b.iterator + i * 4, cute.make_layout(4)))
    elif cutlass.const_expr(c == "begun"):
        if i * 4 < bound:
            cute.copy(atom, cute.make_tensor(a.iterator + i * 4, cute.make_layout(4)), held)
            cute.copy(atom, held, cute.make_tensor(b.iterator + i * 4, cute.make_layout(4)))
    else:
        if i * 3 + 4 <= bound:
            cute.copy(atom, cute.make_tensor(a.iterator + i * 3, cute.make_layout(4)), held)
            cute.copy(atom, held, cute.make_tensor(b.iterator + i * 3, cute.make_layout(4)))


@cute.jit
def by_fours(a: cute.Tensor, b: cute.Tensor, c: cutlass.Constexpr):
    grid = cute.ceil_div(a.shape[0], 4 * THREADS)
    fours(a, b, c).launch(grid=[grid, 1, 1], block=[THREADS, 1, 1])


# --- through shared memory --------------------------------------------------------


@cute.jit
def turn(a: cute.Tensor, b: cute.Tensor, s: cute.Tensor, t: cutlass.Int32, c: cutlass.Constexpr):
    n = a.shape[0]
    if cutlass.const_expr(c == "in turns"):
        for k in cutlass.range(cute.ceil_div(n, THREADS), unroll=1):
            if k * THREADS + t < n:
                s[t] = a[k * THREADS + t]
            cute.arch.sync_threads()
            if k * THREADS + t < n:
                b[k * THREADS + t] = s[THREADS - 1 - t]
            cute.arch.sync_threads()
    elif cutlass.const_expr(c == "in turns, one barrier"):
        for k in cutlass.range(cute.ceil_div(n, THREADS), unroll=1):
            if k * THREADS + t < n:
                s[t] = a[k * THREADS + t]
            cute.arch.sync_threads()
            if k * THREADS + t < n:
                b[k * THREADS + t] = s[THREADS - 1 - t]
    elif cutlass.const_expr(c == "one turn too many"):
        for k in cutlass.range(n // THREADS + 1, unroll=1):
            b[k * THREADS + t] = a[k * THREADS + t]
    elif cutlass.const_expr(c == "divergent"):
        if t < 64:
            s[t] = a[0]
            cute.arch.sync_threads()
        b[t % n] = s[THREADS - 1 - t]
    else:
        if cutlass.const_expr(c == "too far"):
            s[t + 1] = a[0]
        else:
            s[t] = a[0]
        if cutlass.const_expr(c == "barriers of several numbers"):
            cute.arch.barrier(barrier_id=1 + t // 64, number_of_threads=THREADS)
        elif cutlass.const_expr(c != "no barrier" and c != "its own"):
            cute.arch.sync_threads()
        if cutlass.const_expr(c == "its own"):
            if t < n:
                b[t] = s[t]
        else:
            if t < n:
                b[t] = s[THREADS - 1 - t]


@cute.kernel
def turning(a: cute.Tensor, b: cute.Tensor, c: cutlass.Constexpr):
    t, _, _ = cute.arch.thread_idx()
    smem = cutlass.memory.SmemAllocator()
    s = cute.make_tensor(smem.allocate_array(FLOAT, THREADS), cute.make_layout(THREADS))
    turn(a, b, s, t, c)


@cute.jit
def by_turning(a: cute.Tensor, b: cute.Tensor, c: cutlass.Constexpr):
    turning(a, b, c).launch(grid=[1, 1, 1], block=[THREADS, 1, 1])


# --- asynchronous copies ----------------------------------------------------------


@cute.kernel
def late(a: cute.Tensor, b: cute.Tensor, c: cutlass.Constexpr):
    t, _, _ = cute.arch.thread_idx()
    smem = cutlass.memory.SmemAllocator()
    room = smem.allocate_array(FLOAT, 4 * THREADS, byte_alignment=16)
    lately(a, b, room, t, c)


@cute.jit
def lately(
    a: cute.Tensor, b: cute.Tensor, room: cute.Pointer, t: cutlass.Int32, c: cutlass.Constexpr
):
    atom = cute.make_copy_atom(cpasync.CopyG2SOp(), FLOAT, num_bits_per_copy=128)
    n = a.shape[0]
    other = THREADS - 1 - t
    s = cute.make_tensor(room, cute.make_layout(4 * THREADS))
    four = cute.make_layout(4)
    source = cute.make_tensor(a.iterator + t * 4, four)
    if cutlass.const_expr(c == "unguarded") or 4 * t + 4 <= n:
        cute.copy(atom, source, cute.make_tensor(room + t * 4, four))
    cute.arch.cp_async_commit_group()
    if cutlass.const_expr(c == "one group left"):
        cute.arch.cp_async_wait_group(1)
    elif cutlass.const_expr(c not in ("no wait", "waits behind")):
        cute.arch.cp_async_wait_group(0)
    if cutlass.const_expr(c != "no barrier"):
        cute.arch.sync_threads()
    if cutlass.const_expr(c == "waits behind"):
        cute.arch.cp_async_wait_group(0)
    if other < n:
        b[other] = s[4 * other]


@cute.jit
def lately_by(a: cute.Tensor, b: cute.Tensor, c: cutlass.Constexpr):
    late(a, b, c).launch(grid=[1, 1, 1], block=[THREADS, 1, 1])


@cute.kernel
def piped(a: cute.Tensor, b: cute.Tensor, c: cutlass.Constexpr):
    t, _, _ = cute.arch.thread_idx()
    smem = cutlass.memory.SmemAllocator()
    room = smem.allocate_array(FLOAT, 3 * 4 * THREADS, byte_alignment=16)
    piping(a, b, room, t, c)


@cute.jit
def piping(
    a: cute.Tensor, b: cute.Tensor, room: cute.Pointer, t: cutlass.Int32, c: cutlass.Constexpr
):
    """Tiles of 512 elements go through a ring of stages, two of them ahead of the one in use."""
    atom = cute.make_copy_atom(cpasync.CopyG2SOp(), FLOAT, num_bits_per_copy=128)
    stages = 2 if cutlass.const_expr(c == "a stage too few") else 3
    tiles = a.shape[0] // 512
    four = cute.make_layout(4)
    s = cute.make_tensor(room, cute.make_layout(3 * 512))
    for j in cutlass.range_constexpr(2):
        if j < tiles:
            source = cute.make_tensor(a.iterator + (j * 512 + t * 4), four)
            cute.copy(atom, source, cute.make_tensor(room + (j * 512 + t * 4), four))
        cute.arch.cp_async_commit_group()
    read = cutlass.Int32(0)
    write = cutlass.Int32(2 % stages)
    for k in cutlass.range(tiles, unroll=1):
        if cutlass.const_expr(c == "one group too many"):
            cute.arch.cp_async_wait_group(2)
        elif cutlass.const_expr(c not in ("no wait", "the wait behind the barrier")):
            cute.arch.cp_async_wait_group(1)
        if cutlass.const_expr(c != "no barrier"):
            cute.arch.sync_threads()
        if cutlass.const_expr(c == "the wait behind the barrier"):
            cute.arch.cp_async_wait_group(1)
        if k + 2 < tiles:
            source = cute.make_tensor(a.iterator + ((k + 2) * 512 + t * 4), four)
            cute.copy(atom, source, cute.make_tensor(room + (write * 512 + t * 4), four))
            if cutlass.const_expr(c == "groups of tiles alone"):
                cute.arch.cp_async_commit_group()
        if cutlass.const_expr(c != "groups of tiles alone"):
            cute.arch.cp_async_commit_group()
        b[k * THREADS + t] = s[read * 512 + 4 * (THREADS - 1 - t)]
        read = read + 1
        if read == stages:
            read = cutlass.Int32(0)
        write = write + 1
        if write == stages:
            write = cutlass.Int32(0)


@cute.jit
def by_piping(a: cute.Tensor, b: cute.Tensor, c: cutlass.Constexpr):
    piped(a, b, c).launch(grid=[1, 1, 1], block=[THREADS, 1, 1])


# --- what loops and branches hand on ----------------------------------------------


@cute.jit
def handed(a: cute.Tensor, b: cute.Tensor, t: cutlass.Int32, c: cutlass.Constexpr):
    n = a.shape[0]
    one, other = t, t + 128
    if cutlass.const_expr(c == "exchanged"):
        for _ in cutlass.range(n, unroll=1):
            one, other = other, one
            if one < n:
                b[one] = a[one]
    elif cutlass.const_expr(c == "exchanged, the other asked"):
        for _ in cutlass.range(n, unroll=1):
            one, other = other, one
            if other < n:
                b[one] = a[one]
    elif cutlass.const_expr(c == "in steps"):
        for k in cutlass.range(t, n, 128, unroll=1):
            b[k] = a[k]
    elif cutlass.const_expr(c == "in steps of less"):
        for k in cutlass.range(t, n, 64, unroll=1):
            b[k] = a[k]
    elif cutlass.const_expr(c == "in steps past the end"):
        for k in cutlass.range(t, n + 1, 128, unroll=1):
            b[k] = a[k]
    elif cutlass.const_expr(c == "chosen"):
        if t >= 64:
            one = t - 64
        if one < n and t < 64:
            b[one] = a[one]
    elif cutlass.const_expr(c == "chosen for two"):
        if t >= 64:
            one = t - 64
        if one < n:
            b[one] = a[one]
    elif cutlass.const_expr(c == "a pointer that moves"):
        p = a.iterator + t
        for k in cutlass.range(t, n, 128, unroll=1):
            b[k] = cute.make_tensor(p, cute.make_layout(1))[0]
            p = p + 128
    elif cutlass.const_expr(c == "a pointer that moves too far"):
        p = a.iterator + t
        for k in cutlass.range(t, n, 128, unroll=1):
            b[k] = cute.make_tensor(p, cute.make_layout(1))[0]
            p = p + 129


@cute.kernel
def handing(a: cute.Tensor, b: cute.Tensor, c: cutlass.Constexpr):
    t, _, _ = cute.arch.thread_idx()
    handed(a, b, t, c)


@cute.jit
def by_handing(a: cute.Tensor, b: cute.Tensor, c: cutlass.Constexpr):
    handing(a, b, c).launch(grid=[1, 1, 1], block=[THREADS, 1, 1])


HOSTS = {
    "elements": by_elements, "tiles": by_tiles, "fours": by_fours, "turning": by_turning,
    "late": lately_by, "piped": by_piping, "handed": by_handing,
}  # fmt: skip
TENSORS = {
    "vectors": vectors, "long": vectors, "fours": vectors_of_fours, "matrices": matrices,
    "short strides": short_strides, "one row": one_row, "backwards": backwards,
}  # fmt: skip


def traced_as(case):
    """Return a host function and its arguments."""
    return HOSTS[case.family], (*TENSORS[case.tensors](), case.way)
