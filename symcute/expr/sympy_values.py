"""SymPy's expressions, read as leaves: the one road from SymPy into our own arithmetic.

This module imports SymPy; the rest of the package reaches it only with a value that SymPy made.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, reduce
from typing import Any

import sympy

from symcute.errors import InputError
from symcute.expr.leaf import NAME, Expression, dim, inert

__all__ = ["from_sympy"]


def from_sympy(value: Any, where: str) -> Any:
    """Return an expression of SymPy as an int or an expression of ours.

    Its integer functions (`//`, `%`, Min, Max) become ours.
    Errors: InputError for what is not an integer, a symbol that is no dim, and all other functions.
    """
    if not isinstance(value, sympy.Expr):
        raise InputError(
            f"{value!r} in {where} is a {type(value).__name__}, not an integer",
            "leaves are ints or expressions in dims",
        )
    try:
        return _read(value)
    except _Refused as refused:
        what, why, fix = refused.args
        raise InputError(f"{what} in {where} {why}", fix) from None


class _Refused(Exception):
    """What cannot be read, why not, and what to do."""


@lru_cache(maxsize=65536)
def _read(e: Any) -> Any:
    strange = (sympy.Float, sympy.I, sympy.oo, -sympy.oo, sympy.zoo, sympy.nan)
    for s in e.free_symbols:
        if s != sympy.Symbol(s.name, integer=True):
            raise _Refused(f"the symbol {s}", "is not a dim", f'make it with dims("{s}")')
        if not NAME.match(s.name):
            fix = "use letters, digits and _"
            raise _Refused(f"the symbol {s.name!r}", "has no name for a dim", fix)
    if e.is_integer is False or e.has(*strange):
        raise _Refused(str(e), "is not an integer", "use ints and dims")
    return _leaf(e)


def _leaf(e: Any) -> Any:
    if e.is_Integer:
        return int(e)
    if e.is_Rational:
        return Expression("/", int(e.p), int(e.q))
    if e.is_Symbol:
        return dim(e.name)
    if e.is_Add or e.is_Mul:
        parts = map(_leaf, e.args)
        return sum(parts) if e.is_Add else reduce(lambda a, b: a * b, parts)
    if e.is_Pow and e.exp.is_Integer:
        return _leaf(e.base) ** int(e.exp)
    for theirs, read in _FUNCTIONS.items():
        if isinstance(e, theirs):
            return read(e)
    raise _Refused(str(e), "is not an integer expression we know", "use + - * / // % min max")


def _rounded(kind: str) -> Callable[[Any], Any]:
    def read(e: Any) -> Any:
        return inert(kind, *map(_leaf, sympy.fraction(sympy.together(e.args[0]))))

    return read


def _folded(kind: str) -> Callable[[Any], Any]:
    return lambda e: reduce(lambda a, b: inert(kind, a, b), map(_leaf, e.args))


_FUNCTIONS = {
    sympy.floor: _rounded("FloorDiv"),
    sympy.ceiling: _rounded("CeilDiv"),
    sympy.Mod: _folded("Modulo"),
    sympy.Min: _folded("Minimum"),
    sympy.Max: _folded("Maximum"),
}
