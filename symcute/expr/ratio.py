"""Ratios of polynomials, and what is opaque to the arithmetic of both.

A `Ratio` is numerator over denominator. An `Atom` (`floor_div(M,128)`, a minimum ...) is a variable
of polynomials under its text, and looked up in `ATOMS`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import gcd
from typing import NamedTuple

from symcute.errors import InputError
from symcute.expr import limits
from symcute.expr.polynomial import (
    ONE,
    ZERO,
    Monomial,
    Poly,
    add,
    constant,
    divide,
    is_constant,
    mul,
    neg,
    over,
    show,
    variables,
)

__all__ = [
    "ATOMS",
    "Atom",
    "Ratio",
    "evaluate",
    "evaluate_ratio",
    "make_ratio",
    "names_in",
    "show_ratio",
]


class Ratio:
    """`num / den` with common integer and monomial factors removed; a leaf of formulas.

    >>> from symcute.expr.polynomial import ONE, constant, variable
    >>> r = Ratio(variable("M"), ONE)
    >>> str((r + 1) * 2 - r), (2 * r) / r == Ratio(constant(2), ONE)
    ('M+2', True)
    """

    __slots__ = ("_hash", "den", "num")

    def __init__(self, num: Poly, den: Poly) -> None:
        self.num, self.den = num, den
        self._hash: int | None = None

    def __eq__(self, other: object) -> bool:
        """Return whether numerator and denominator are the same polynomials."""
        if not isinstance(other, Ratio):
            return NotImplemented
        return self.num == other.num and self.den == other.den

    def __hash__(self) -> int:
        """Return the hash of numerator and denominator."""
        if self._hash is None:
            self._hash = hash((frozenset(self.num.items()), frozenset(self.den.items())))
        return self._hash

    def __add__(self, other: Ratio | int) -> Ratio:
        """Return the sum."""
        r = _ratio(other)
        if self.den == r.den:
            return make_ratio(add(self.num, r.num), r.den)
        num = add(mul(self.num, r.den), mul(r.num, self.den))
        return make_ratio(num, mul(self.den, r.den))

    def __neg__(self) -> Ratio:
        """Return the negative."""
        return Ratio(neg(self.num), self.den)

    def __sub__(self, other: Ratio | int) -> Ratio:
        """Return the difference."""
        return self + -_ratio(other)

    def __rsub__(self, other: int) -> Ratio:
        """Return the difference."""
        return _ratio(other) + -self

    def __mul__(self, other: Ratio | int) -> Ratio:
        """Return the product."""
        r = _ratio(other)
        return make_ratio(mul(self.num, r.num), mul(self.den, r.den))

    def __truediv__(self, other: Ratio | int) -> Ratio:
        """Return the quotient; InputError for a divisor that is 0."""
        r = _ratio(other)
        return make_ratio(mul(self.num, r.den), mul(self.den, r.num))

    __radd__ = __add__
    __rmul__ = __mul__

    def __str__(self) -> str:
        """Return the ratio as our grammar writes it."""
        return show_ratio(self)

    def __repr__(self) -> str:
        """Return the ratio as our grammar writes it."""
        return f"Ratio({self})"


def _ratio(x: Ratio | int) -> Ratio:
    return x if isinstance(x, Ratio) else Ratio(constant(x), ONE)


class Atom(NamedTuple):
    """An inert integer function of two ratios; kind is its name in `leaf.INERT`."""

    kind: str
    a: Ratio
    b: Ratio


#: Every atom met so far, by the name under which it occurs in polynomials.
ATOMS: dict[str, Atom] = {}


def names_in(r: Ratio) -> set[str]:
    """Return the dims of a ratio, those inside atoms included."""
    found: set[str] = set()
    for name in variables(r.num) | variables(r.den):
        if name in ATOMS:
            found |= names_in(ATOMS[name].a) | names_in(ATOMS[name].b)
        else:
            found.add(name)
    return found


def evaluate(p: Poly, values: Mapping[str, int]) -> int:
    """Return the value at integer dims; atoms are evaluated as the functions they are."""
    limits.spend(len(p) + 1)
    total = 0
    for m, c in p.items():
        for v, e in m:
            if v in values:
                c *= values[v] if e == 1 else values[v] ** e
            elif v in ATOMS:
                c *= _evaluate_atom(ATOMS[v], values) ** e
            else:
                raise InputError(f"the dim {v} has no value", f"give {v}=...")
        total += c
    return total


def evaluate_ratio(r: Ratio, values: Mapping[str, int]) -> int:
    """Return the value of a ratio; InputError where it is not an integer."""
    num = evaluate(r.num, values)
    if r.den == ONE:
        return num
    den = evaluate(r.den, values)
    if den == 0 or num % den:
        at = ", ".join(f"{k}={v}" for k, v in sorted(values.items()))
        raise InputError(
            f"({show(r.num)})/({show(r.den)}) is {num}/{den} at {at}, not an integer",
            "assume that the divisor divides",
        )
    return num // den


def _evaluate_atom(atom: Atom, values: Mapping[str, int]) -> int:
    a, b = evaluate_ratio(atom.a, values), evaluate_ratio(atom.b, values)
    if atom.kind in ("FloorDiv", "CeilDiv", "Modulo") and b == 0:
        raise InputError(f"{show(atom.b.num)} is 0 in a divisor", "divisors are at least 1")
    if atom.kind == "FloorDiv":
        return a // b
    if atom.kind == "CeilDiv":
        return -(-a // b)
    if atom.kind == "Modulo":
        return a % b
    return min(a, b) if atom.kind == "Minimum" else max(a, b)


def make_ratio(num: Poly, den: Poly) -> Ratio:
    """Return num/den with the common integer content and monomial removed, den leading positive."""
    if not den:
        raise InputError(f"{show(num)} is divided by 0", "divisors are at least 1")
    if not num:
        return Ratio(ZERO, ONE)
    if den == ONE:
        return Ratio(num, ONE)
    content = gcd(*num.values(), *den.values())
    common = _common_monomial((num, den))
    if den[max(den)] < 0:
        content = -content
    num, den = _over(num, common, content), _over(den, common, content)
    if den != ONE and is_constant(den) is None:
        whole = divide(num, den)
        if whole is not None:
            return Ratio(whole, ONE)
    return Ratio(num, den)


def _common_monomial(polys: Iterable[Poly]) -> Monomial:
    common: dict[str, int] | None = None
    for p in polys:
        for m in p:
            powers = dict(m)
            if common is None:
                common = powers
            else:
                common = {v: min(e, powers[v]) for v, e in common.items() if v in powers}
            if not common:
                return ()
    return tuple(sorted((common or {}).items()))


def _over(p: Poly, factor: Monomial, content: int) -> Poly:
    """Return a polynomial over a factor and a number of all its terms."""
    return {m: c // content for n, c in p.items() if (m := over(n, factor)) is not None}


def show_ratio(r: Ratio) -> str:
    """Return a ratio as our grammar writes it."""
    if r.den == ONE:
        return show(r.num)
    num = show(r.num) if len(r.num) == 1 else f"({show(r.num)})"
    den = show(r.den)
    return f"{num}/{den}" if den.isalnum() else f"{num}/({den})"
