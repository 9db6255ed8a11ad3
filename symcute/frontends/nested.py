"""Loops over extents that are numbers, one in the other."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from symcute.kernel.ir.expression import Binary, Const, Expr, Var
from symcute.kernel.ir.place import Place
from symcute.kernel.ir.program import Int, Let, Loop, Stmt

__all__ = ["nested"]

_BOOL, _I32 = Int(1, False), Int(32, True)


def nested(
    extents: Sequence[int],
    name: Callable[[], str],
    inside: Callable[[Sequence[Expr]], Sequence[Stmt]],
    place: Place,
) -> list[Stmt]:
    """Return loops over some extents, the first one innermost, around what is made of counters."""
    counters = [Var(name(), _I32) for _ in extents]
    body = list(inside(counters))
    for counter, extent in zip(counters, extents, strict=True):
        more = Binary("<", counter, Const(extent, _I32), _BOOL, place)
        step = Let(counter.name, Binary("+", counter, Const(1, _I32), _I32, place), place)
        loop = Loop(counter.name, (), more, tuple(body), (step,), place)
        body = [Let(counter.name, Const(0, _I32), place), loop]
    return body
