"""What expressions are made of."""

from __future__ import annotations

from symcute.kernel.ir.expression import (
    Base,
    Binary,
    Builtin,
    Cast,
    Const,
    Expr,
    Select,
    Unary,
    Var,
)

__all__ = ["names_of", "size_of"]


def _parts(e: Expr) -> tuple[Expr, ...]:
    match e:
        case Binary(left=a, right=b):
            return a, b
        case Select(test=a, then=b, other=c):
            return a, b, c
        case Unary(arg=a) | Cast(arg=a):
            return (a,)
        case Const() | Var() | Builtin() | Base():
            return ()
    return e.pointer, e.index


def size_of(e: Expr) -> int:
    """Return how many nodes an expression has."""
    return 1 + sum(map(size_of, _parts(e)))


def names_of(e: Expr) -> set[str]:
    """Return the variables of an expression."""
    if isinstance(e, Var):
        return {e.name}
    return set[str]().union(*map(names_of, _parts(e)))
