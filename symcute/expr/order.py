"""The order in which sums and products are kept and read: SymPy's.

Factors stand by name, terms by their powers, the highest of the first dim first.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from functools import lru_cache
from typing import Any, TypeAlias

__all__ = ["Number", "coefficient", "in_order", "ordered_terms", "powers", "sort_key"]

Number: TypeAlias = int | Fraction

#: Where the operators stand among the factors of a product; functions come last, by name.
_RANKS = {"dim": (2, 0, ""), "*": (3, 0, ""), "+": (3, 1, ""), "**": (3, 2, "")}


@lru_cache(maxsize=65536)
def coefficient(x: Any) -> tuple[Number, Any]:
    """Return the number in front, and what it stands before: 1 for a number.

    >>> from symcute.expr.leaf import dim
    >>> coefficient(-3 * dim("M"))
    (-3, M)
    """
    if isinstance(x, int):
        return x, 1
    if x.op == "/":
        return Fraction(*x.args), 1
    if x.op == "*" and (isinstance(x.args[0], int) or x.args[0].op == "/"):
        rest = x.args[1:]
        return coefficient(x.args[0])[0], rest[0] if len(rest) == 1 else type(x)("*", *rest)
    return 1, x


def powers(x: Any) -> dict[Any, int]:
    """Return the exponent of each factor of an expression without a coefficient."""
    if isinstance(x, int):
        return {}
    factors = x.args if x.op == "*" else (x,)
    return dict([f.args if f.op == "**" else (f, 1) for f in factors])


@lru_cache(maxsize=65536)
def sort_key(x: Any) -> tuple[Any, ...]:
    """Return what orders factors: operator, arguments, exponent, coefficient."""
    front, rest = coefficient(x)
    if isinstance(rest, int):
        return (1, 0, ""), (0, ()), 1, front
    base, exponent = rest.args if rest.op == "**" else (rest, 1)
    parts = ordered_terms(base) if base.op == "+" else base.args
    parts = parts if base.op == "dim" else tuple(map(sort_key, parts))
    return _RANKS.get(base.op, (4, 0, base.op)), (len(parts), parts), exponent, front


def in_order(terms: Iterable[Any]) -> list[Any]:
    """Return terms by their powers."""
    monomials = [(t, powers(coefficient(t)[1])) for t in terms]
    bases = sorted({b for _, found in monomials for b in found}, key=sort_key)
    monomials.sort(key=lambda m: [-m[1].get(b, 0) for b in bases])
    return [term for term, _ in monomials]


def ordered_terms(x: Any) -> tuple[Any, ...]:
    """Return the terms of a sum in the order in which it is written: `1-M`, but `M-1`."""
    if len(x.args) == 2:
        first, (front, last) = x.args[0], coefficient(x.args[1])
        negative, rest = coefficient(first)
        if last == 1 and isinstance(last, int) and front > 0 > negative and rest.op != "*":
            return x.args[1], first
    return tuple(x.args)
