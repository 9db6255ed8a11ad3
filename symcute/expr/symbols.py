"""The part of the leaf arithmetic that needs SymPy: symbols, and integer functions of our own.

SymPy carries and prints expressions here; it proves nothing. Its own `floor` and `Mod` simplify by
rules we do not control and treat negative divisors differently from SMT-LIB, so ours are inert:
they evaluate on integers and otherwise stay as written.

This module imports SymPy; the rest of the package reaches it only when a leaf is symbolic.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, lru_cache, reduce
from typing import Any, ClassVar, NamedTuple

import sympy

from symcute.errors import InputError
from symcute.expr.htuple import show_leaf

__all__ = [
    "CeilDiv",
    "FloorDiv",
    "Maximum",
    "Minimum",
    "Modulo",
    "Quotient",
    "check_leaf",
    "ours",
    "symbol",
    "unrounded",
]


@cache
def symbol(name: str) -> sympy.Symbol:
    """Return the one symbol of that name: an integer, nothing more is told to SymPy.

    Not telling SymPy that a dim is positive keeps it from deciding relations by itself, so that
    `r >= 0` stays an assumption one can read.
    """
    return sympy.Symbol(name, integer=True)


class _Binary(sympy.Function):  # type: ignore[misc]
    """A binary integer function that evaluates on integers and is inert otherwise."""

    nargs: ClassVar[Any] = 2
    is_integer = True
    sign: ClassVar[str] = ""

    @classmethod
    def apply(cls, a: int, b: int) -> int:
        raise NotImplementedError

    @classmethod
    def eval(cls, a: Any, b: Any) -> Any:
        if a.is_Integer and b.is_Integer:
            return sympy.Integer(cls.apply(int(a), int(b)))
        return None

    def _sympystr(self, printer: Any) -> str:
        a, b = (show_leaf(x) for x in self.args)
        return f"{self.sign}({a},{b})"


class _Division(_Binary):
    @classmethod
    def eval(cls, a: Any, b: Any) -> Any:
        if b.is_zero:
            raise InputError(f"{a} is divided by 0", "give a divisor of at least 1")
        return super().eval(a, b)


class FloorDiv(_Division):
    """`a // b`, rounded down."""

    sign = "floor_div"

    @classmethod
    def apply(cls, a: int, b: int) -> int:
        """Return the value on integers."""
        return a // b


class CeilDiv(_Division):
    """`a / b`, rounded up."""

    sign = "ceil_div"

    @classmethod
    def apply(cls, a: int, b: int) -> int:
        """Return the value on integers."""
        return -(-a // b)


class Quotient(_Division):
    """`a / b`, which is an integer wherever what it stands in has a value; nothing cancels it."""

    @classmethod
    def eval(cls, a: Any, b: Any) -> Any:
        """Return the value on integers where b divides a, and `a` over 1."""
        if b.is_zero:
            raise InputError(f"{a} is divided by 0", "give a divisor of at least 1")
        if a.is_Integer and b.is_Integer and int(a) % int(b) == 0:
            return sympy.Integer(int(a) // int(b))
        return a if b == 1 else None

    def _sympystr(self, printer: Any) -> str:
        return f"({show_leaf(self)})"


class Modulo(_Division):
    """`a % b`, the remainder of the rounded-down division."""

    sign = "mod"

    @classmethod
    def apply(cls, a: int, b: int) -> int:
        """Return the value on integers."""
        return a % b


class Minimum(_Binary):
    """The smaller of two integers."""

    sign = "min"

    @classmethod
    def apply(cls, a: int, b: int) -> int:
        """Return the value on integers."""
        return min(a, b)


class Maximum(_Binary):
    """The larger of two integers."""

    sign = "max"

    @classmethod
    def apply(cls, a: int, b: int) -> int:
        """Return the value on integers."""
        return max(a, b)


def check_leaf(leaf: Any, where: str) -> Any:
    """Return `leaf` as an int or an integer expression in our symbols, or raise InputError."""
    if not isinstance(leaf, sympy.Expr):
        raise InputError(
            f"{leaf!r} in {where} is a {type(leaf).__name__}, not an integer",
            "leaves are ints or expressions in dims",
        )
    if leaf.is_Integer:
        return int(leaf)
    found = _examined(leaf)
    if not isinstance(found, _Refusal):
        return found
    raise InputError(f"{found.what} in {where} {found.why}", found.fix)


class _Refusal(NamedTuple):
    what: str
    why: str
    fix: str


@lru_cache(maxsize=65536, typed=True)
def _examined(leaf: Any) -> Any:
    """Return an expression with our integer functions, as an int if it is one, or a refusal."""
    if _is_polynomial(leaf) or _is_quotient(leaf):
        return leaf
    for s in leaf.free_symbols:
        if s != symbol(s.name):
            return _Refusal(f"the symbol {s}", "is not a dim", f'make it with dims("{s}")')
    leaf = ours(leaf)
    if leaf.is_Integer:
        return int(leaf)
    strange = (sympy.Float, sympy.I, sympy.oo, -sympy.oo, sympy.zoo, sympy.nan)
    if leaf.is_integer is False or leaf.has(*strange):
        return _Refusal(str(leaf), "is not an integer", "use ints and dims")
    return leaf


def _is_polynomial(e: Any) -> bool:
    """Return whether only dims, integers, + * ** and our functions occur: integers throughout."""
    if e.is_Symbol:
        return bool(e == symbol(e.name))
    if e.is_Integer:
        return True
    if e.is_Pow:
        return bool(e.exp.is_Integer and e.exp.is_positive) and _is_polynomial(e.base)
    return (e.is_Add or e.is_Mul or isinstance(e, _Binary)) and all(map(_is_polynomial, e.args))


def _is_quotient(e: Any) -> bool:
    """Return whether this is a dim times polynomials over polynomials and integers, as `M*N/(4*P)`.

    It is an integer at least where the dim is 0, so SymPy need not be asked whether it never is.
    """

    def fits(x: Any) -> bool:
        over = x.is_Pow and x.exp.is_Integer and x.exp.is_negative
        return x.is_Rational or _is_polynomial(x.base if over else x)

    return e.is_Mul and any(x.is_Symbol for x in e.args) and all(map(fits, e.args))


def ours(leaf: Any) -> Any:
    """Return the expression with SymPy's own integer functions (`//`, `%`, Min, Max) made ours."""

    def quotient(kind: Any) -> Any:
        return lambda x: kind(*sympy.fraction(sympy.together(x)))

    def fold(kind: Any) -> Any:
        return lambda *xs: reduce(kind, xs)

    replacements = {
        sympy.floor: quotient(FloorDiv),
        sympy.ceiling: quotient(CeilDiv),
        sympy.Mod: Modulo,
        sympy.Min: fold(Minimum),
        sympy.Max: fold(Maximum),
    }
    for theirs, make in replacements.items():
        if leaf.has(theirs):
            leaf = leaf.replace(theirs, make)
    return leaf


def unrounded(leaf: Any, divides: Callable[[Any, Any], bool]) -> Any:
    """Return an expression in which what divides exactly is not rounded, and leaves no remainder.

    Pre-conditions: `divides(b, a)` only where b divides a in every instance.
    """

    def plain(e: Any) -> Any:
        a, b = e.args
        if not divides(b, a):
            return e
        return sympy.Integer(0) if isinstance(e, Modulo) else a / b

    return leaf.replace(lambda e: isinstance(e, _Division), plain)
