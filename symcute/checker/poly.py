"""Polynomials with rational coefficients as dicts, within a budget.

A monomial is a sorted tuple of (variable, exponent); coefficients are ints or Fractions, none is 0.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TypeAlias

from symcute.checker.terms import Refused

Number: TypeAlias = int | Fraction
Monomial: TypeAlias = tuple[tuple[str, int], ...]
Poly: TypeAlias = dict[Monomial, Number]

ONE: Poly = {(): 1}
MAX_WORK, MAX_BITS, MAX_DEGREE = 1_000_000, 8192, 512


class Exhausted(Refused):
    """The work that was allowed is done."""


class _Budget:
    """Work left for one document, in products of two terms; `aside` is what others may take."""

    def __init__(self) -> None:
        self.renew()

    def renew(self) -> None:
        """Begin a document."""
        self.left = self.aside = MAX_WORK

    def spend(self, amount: int) -> None:
        self.left -= amount
        if self.left < 0:
            raise Exhausted("the certificate takes too much work to check")


budget = _Budget()


def constant(c: Number) -> Poly:
    """Return the constant polynomial."""
    return {(): c} if c else {}


def variable(name: str) -> Poly:
    """Return the polynomial that is one variable."""
    return {((name, 1),): 1}


def value(p: Poly) -> Number | None:
    """Return what a constant polynomial is, else None."""
    return 0 if not p else p[()] if len(p) == 1 and () in p else None


def combine(p: Poly, q: Poly, factor: Number = 1, shift: Monomial = ()) -> Poly:
    """Return p + factor * shift * q; what comes to integers are ints."""
    result, work = dict(p), 1 + len(p) + len(q)
    for m, c in q.items():
        key = _times(m, shift) if shift else m
        total = result.get(key, 0) + (c if factor == 1 else factor * c)
        work += len(key) // 8
        bits = total.numerator.bit_length()
        if type(total) is not int:
            bits = max(bits, total.denominator.bit_length())
            total = total if total.denominator > 1 else total.numerator
        if bits > MAX_BITS:
            raise Refused("a coefficient has too many bits")
        if total:
            result[key] = total
        else:
            result.pop(key, None)
    budget.spend(work)
    return result


def sub(p: Poly, q: Poly) -> Poly:
    """Return p - q."""
    return combine(p, q, -1)


def mul(p: Poly, q: Poly) -> Poly:
    """Return p * q."""
    if len(p) > len(q):
        p, q = q, p  # every term of p is a sum of its own
    result: Poly = {}
    for m, c in p.items():
        result = combine(result, q, c, m)
    return result


def power(p: Poly, exponent: int) -> Poly:
    """Return p to a power of at least 0."""
    result = ONE
    for _ in range(exponent):
        result = mul(result, p)
    return result


def _times(a: Monomial, b: Monomial) -> Monomial:
    if not a:
        return b
    powers = dict(a)
    for v, e in b:
        powers[v] = powers.get(v, 0) + e
    if sum(powers.values()) > MAX_DEGREE:
        raise Refused("a polynomial of too high a degree")
    return tuple(sorted(powers.items()))
