"""Copies in CuTe DSL with predicates that are filled in many ways, right or wrong; never run."""

import cutlass
from cutlass import cute
from cutlass.cute.runtime import make_fake_tensor

FLOAT = cutlass.Float32
THREADS = 128


@cute.jit
def fill(pred: cute.Tensor, t: cutlass.Int32, n: cutlass.Int32, c: cutlass.Constexpr):
    """Fill the predicates of eight elements, of which the first is 8*t, in two rows of four."""
    if cutlass.const_expr(c == "by rows"):
        for i in range(2):
            for j in range(4):
                pred[i, j] = t * 8 + i * 4 + j < n
    elif cutlass.const_expr(c == "rows exchanged"):
        for i in range(2):
            for j in range(4):
                pred[i, j] = t * 8 + (1 - i) * 4 + j < n
    elif cutlass.const_expr(c == "by columns"):
        for i in range(8):
            pred[i] = t * 8 + i < n
    elif cutlass.const_expr(c == "half of them"):
        for i in range(8):
            pred[i] = False
        for i in range(4):
            pred[i] = t * 8 + i < n
    elif cutlass.const_expr(c == "one more"):
        for i in range(2):
            for j in range(4):
                pred[i, j] = t * 8 + i * 4 + j < n
        pred[1, 3] = True
    elif cutlass.const_expr(c == "one less"):
        for i in range(2):
            for j in range(4):
                pred[i, j] = t * 8 + i * 4 + j < n
        pred[1, 3] = False
    elif cutlass.const_expr(c == "one by one"):
        for i in cutlass.range_constexpr(2):
            for j in cutlass.range_constexpr(4):
                pred[i, j] = t * 8 + i * 4 + j < n
    elif cutlass.const_expr(c == "one by one, wrong"):
        for i in cutlass.range_constexpr(2):
            for j in cutlass.range_constexpr(4):
                pred[i, j] = t * 8 + i * 4 + (j if j < 3 else 0) < n
    elif cutlass.const_expr(c == "none if short"):
        for i in range(2):
            for j in range(4):
                pred[i, j] = t * 8 + i * 4 + j < n
        if n < 64:
            for i in range(2):
                for j in range(4):
                    pred[i, j] = False
    elif cutlass.const_expr(c == "all if short"):
        for i in range(2):
            for j in range(4):
                pred[i, j] = t * 8 + i * 4 + j < n
        if n < 64:
            for i in range(2):
                for j in range(4):
                    pred[i, j] = True
    elif cutlass.const_expr(c == "of the last round"):
        for k in cutlass.range(3, unroll=1):
            for i in range(2):
                for j in range(4):
                    pred[i, j] = t * 8 + i * 4 + j + k < n
    elif cutlass.const_expr(c == "of a round too late"):
        for k in cutlass.range(3, unroll=1):
            for i in range(2):
                for j in range(4):
                    pred[i, j] = t * 8 + i * 4 + j - k < n
    elif cutlass.const_expr(c == "and the other end"):
        for i in range(8):
            pred[i] = t * 8 + i // 2 + 4 * (i % 2) < n
            pred[7 - i] = True
    elif cutlass.const_expr(c == "and the first"):
        for i in range(8):
            pred[i] = t * 8 + i // 2 + 4 * (i % 2) < n
            pred[0] = True
    elif cutlass.const_expr(c == "and some more"):
        for i in range(2):
            for j in range(4):
                pred[i, j] = t * 8 + i * 4 + j < n
        for i in cutlass.range(8, unroll=1):
            if i > 4:
                pred[i] = True
    elif cutlass.const_expr(c == "of what a loop carries"):
        x = t * 8 + 64
        for i in cutlass.range(8, unroll=1):
            x = x - 8
            pred[i] = x + i < n
    elif cutlass.const_expr(c == "of what a loop carries, too little"):
        x = t * 8 - 64
        for i in cutlass.range(8, unroll=1):
            x = x + 8
            pred[i] = x + i < n
    elif cutlass.const_expr(c == "one above the other"):
        above = cute.make_tensor(pred.iterator, cute.make_layout((2, 4), stride=(1, 1)))
        for i in range(2):
            for j in range(4):
                above[i, j] = t * 8 + i * 4 + j < n


@cute.jit
def fragment(a: cute.Tensor, b: cute.Tensor, t: cutlass.Int32, c: cutlass.Constexpr):
    atom = cute.make_copy_atom(cute.nvgpu.CopyUniversalOp(), FLOAT)
    rows = cute.make_layout((1, (2, 4)), stride=(0, (4, 1)))
    pred = cute.make_rmem_tensor((2, 4), cutlass.Boolean)
    fill(pred, t, a.shape[0], c)
    held = cute.make_rmem_tensor((1, (2, 4)), FLOAT)
    flat = cute.make_tensor(pred.iterator, cute.make_layout((1, (2, 4)), stride=(0, (1, 2))))
    if cutlass.const_expr(c == "one above the other"):
        flat = cute.make_tensor(pred.iterator, cute.make_layout((1, (2, 4)), stride=(0, (1, 1))))
    cute.copy(atom, cute.make_tensor(a.iterator + t * 8, rows), held, pred=flat)
    cute.copy(atom, held, cute.make_tensor(b.iterator + t * 8, rows), pred=flat)


@cute.kernel
def filling(a: cute.Tensor, b: cute.Tensor, c: cutlass.Constexpr):
    t, _, _ = cute.arch.thread_idx()
    fragment(a, b, t, c)


@cute.jit
def by_filling(a: cute.Tensor, b: cute.Tensor, c: cutlass.Constexpr):
    filling(a, b, c).launch(grid=[1, 1, 1], block=[THREADS, 1, 1])


HOSTS = {"filled": by_filling}


def traced_as(case):
    """Return a host function and its arguments."""
    n = cute.sym_int32(symbol="N")
    both = [make_fake_tensor(FLOAT, (n,), stride=(1,), assumed_align=16) for _ in range(2)]
    return HOSTS[case.family], (*both, case.way)
