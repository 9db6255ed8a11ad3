"""Kernels in CuTe DSL whose integers wrap where they are computed in too few bits; never run."""

import cutlass
from cutlass import cute
from cutlass.cute.runtime import make_fake_tensor

FLOAT = cutlass.Float32
THREADS = 128


def cubes():
    """Two matrices of rows of 4096, one behind the other, each with a stride of 64 bits."""
    m, n = cute.sym_int32(symbol="M"), cute.sym_int32(symbol="N")
    return tuple(
        make_fake_tensor(
            FLOAT, (m, n, 4096), stride=(cute.sym_int64(symbol=s), 4096, 1), assumed_align=4
        )
        for s in ("lda", "ldb")
    )


def vectors():
    n = cute.sym_int32(symbol="N")
    return tuple(make_fake_tensor(FLOAT, (n,), stride=(1,), assumed_align=16) for _ in range(2))


@cute.jit
def far(
    a: cute.Tensor, b: cute.Tensor, block: cutlass.Int32, t: cutlass.Int32, c: cutlass.Constexpr
):
    if cutlass.const_expr(c == "rows"):
        b[0, block, t] = a[0, block, t]
    elif cutlass.const_expr(c == "rows of 64 bits"):
        row = cutlass.Int64(block)
        b[0, row, t] = a[0, row, t]
    elif cutlass.const_expr(c == "widened"):
        i = cutlass.Int64(block) * 4096 + t
        b[0, 0, i] = a[0, 0, i]
    elif cutlass.const_expr(c == "widened too late"):
        i = cutlass.Int64(block * 4096 + t)
        b[0, 0, i] = a[0, 0, i]
    elif cutlass.const_expr(c == "there and back"):
        i = block * THREADS + t
        if i < a.shape[1]:
            b[0, (i * 65536) // 65536, 0] = a[0, i, 0]


@cute.kernel
def farther(a: cute.Tensor, b: cute.Tensor, c: cutlass.Constexpr):
    t, _, _ = cute.arch.thread_idx()
    block, _, _ = cute.arch.block_idx()
    far(a, b, block, t, c)


@cute.jit
def by_rows(a: cute.Tensor, b: cute.Tensor, c: cutlass.Constexpr):
    rows = a.shape[1]
    if cutlass.const_expr(c == "there and back"):
        rows = cute.ceil_div(rows, THREADS)
    farther(a, b, c).launch(grid=[rows, 1, 1], block=[THREADS, 1, 1])


@cute.jit
def shift(a: cute.Tensor, b: cute.Tensor, x: cutlass.Int8, t: cutlass.Int32, c: cutlass.Constexpr):
    if x > 0:
        twice = cutlass.Int32(x) * 2
        if cutlass.const_expr(c == "in 8 bits"):
            twice = cutlass.Int32(x + x)
        if twice + t < a.shape[0]:
            b[t] = a[twice + t]


@cute.kernel
def shifting(a: cute.Tensor, b: cute.Tensor, x: cutlass.Int8, c: cutlass.Constexpr):
    t, _, _ = cute.arch.thread_idx()
    shift(a, b, x, t, c)


@cute.jit
def by_shifting(a: cute.Tensor, b: cute.Tensor, x: cutlass.Int8, c: cutlass.Constexpr):
    shifting(a, b, x, c).launch(grid=[1, 1, 1], block=[THREADS, 1, 1])


HOSTS = {"far": by_rows, "shifted": by_shifting}


def traced_as(case):
    """Return a host function and its arguments."""
    if case.family == "shifted":
        return by_shifting, (*vectors(), cutlass.Int8(3), case.way)
    return by_rows, (*cubes(), case.way)
