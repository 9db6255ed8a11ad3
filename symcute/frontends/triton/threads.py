"""Which threads are the elements of which tensors: the layout that `lowering.py` speaks of."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from symcute.frontends.triton.accesses import ACCESSES
from symcute.frontends.triton.operations import Block
from symcute.frontends.triton.types import BOOL, I32
from symcute.frontends.triton.values import Coordinates, both, number
from symcute.kernel.ir.program import Binary, Builtin, Cast, Expr, Int, Place

__all__ = ["shapes_of", "thread_of"]


def shapes_of(blocks: Sequence[Block]) -> list[tuple[int, ...]]:
    """Return the shapes of which elements are accessed: those of stores first."""
    found: dict[tuple[int, ...], bool] = {}

    def look(blocks: Sequence[Block]) -> None:
        for block in blocks:
            for op in block.ops:
                if op.name in ACCESSES:
                    shape = ACCESSES[op.name].shape(op)
                    found[shape] = found.get(shape, False) or "store" in op.name
                for region in op.regions:
                    look(region)

    look(blocks)
    return sorted(found, key=lambda s: (not found[s], -prod(s), s))


def thread_of(
    shape: tuple[int, ...], start: int, extents: tuple[int, int, int], place: Place
) -> tuple[Coordinates, Expr | None]:
    """Return the coordinates of a thread's element, and which threads have one of the shape."""

    def axis(name: str) -> Expr:
        return Cast(Builtin(f"threadIdx.{name}", Int(32, False)), I32, place, True)

    guard: Expr | None = None
    found: list[Expr] = []
    for name, extent, size in (
        ("x", extents[0], shape[-1] if shape else 1),
        ("y", extents[1], shape[-2] if len(shape) > 1 else 1),
    ):
        if size < extent:
            guard = both(guard, Binary("<", axis(name), number(size), BOOL, place), place)
        found.insert(0, axis(name) if size > 1 else number(0))
    outer = prod(shape[:-2])
    if outer < extents[2]:
        low = Binary(">=", axis("z"), number(start), BOOL, place) if start else None
        high = Binary("<", axis("z"), number(start + outer), BOOL, place)
        if outer == 1:
            low, high = None, Binary("==", axis("z"), number(start), BOOL, place)
        guard = both(both(guard, low, place), high, place)
    left = Binary("-", axis("z"), number(start), I32, place) if start else axis("z")
    leading: list[Expr] = []
    for k, size in enumerate(shape[:-2]):
        inner = prod(shape[k + 1 : -2])
        digit = left if inner == 1 else Binary("/", left, number(inner), I32, place)
        digit = digit if k == 0 else Binary("%", digit, number(size), I32, place)
        leading.append(digit if size > 1 else number(0))
    return (*leading, *found[max(0, 2 - len(shape)) :]), guard
