"""Polynomials with rational coefficients as dicts, within a budget.

A monomial is a sorted tuple of (variable, exponent); coefficients are ints or Fractions, none is 0.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from fractions import Fraction
from math import lcm
from typing import TypeAlias

from symcute.checker.text import Refused

Number: TypeAlias = int | Fraction
Monomial: TypeAlias = tuple[tuple[str, int], ...]
Poly: TypeAlias = dict[Monomial, Number]

ONE: Poly = {(): 1}
MAX_WORK, MAX_BITS, MAX_DEGREE = 1_000_000, 8192, 512
#: The work that searches may take: a search that takes more has found nothing.
MAX_SEARCH = 1_000_000


class Exhausted(Refused):
    """The work that was allowed is done."""


class _Budget:
    """Work left for one document, in products of two terms; searches have a share of their own."""

    def __init__(self) -> None:
        self.renew()

    def renew(self) -> None:
        """Begin a document."""
        self.left, self.aside = MAX_WORK, MAX_SEARCH

    def spend(self, amount: int) -> None:
        self.left -= amount
        if self.left < 0:
            raise Exhausted("the certificate takes too much work to check")

    @contextmanager
    def searching(self) -> Iterator[None]:
        """Take what the block spends from the share of searches; beyond that the block ends."""
        self.left, self.aside = self.aside, self.left
        try:
            yield
        except Exhausted:
            self.left = 0
        finally:
            self.left, self.aside = self.aside, self.left


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
    """Return p + factor * shift * q."""
    budget.spend(1 + len(p) + sum(1 + (len(m) + len(shift)) // 8 for m in q))
    result = dict(p)
    for m, c in q.items():
        key = _times(m, shift)
        total = result.get(key, 0) + factor * c
        if total:
            if max(total.numerator.bit_length(), total.denominator.bit_length()) > MAX_BITS:
                raise Refused("a coefficient has too many bits")
            result[key] = total
        else:
            result.pop(key, None)
    return result


def sub(p: Poly, q: Poly) -> Poly:
    """Return p - q."""
    return combine(p, q, -1)


def mul(p: Poly, q: Poly) -> Poly:
    """Return p * q."""
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
    if not a or not b:
        return a or b
    powers = dict(a)
    for v, e in b:
        powers[v] = powers.get(v, 0) + e
    if sum(powers.values()) > MAX_DEGREE:
        raise Refused("a polynomial of too high a degree")
    return tuple(sorted(powers.items()))


def integral(p: Poly) -> bool:
    """Return whether all coefficients are integers: then the values are."""
    return all(c.denominator == 1 for c in p.values())


def over_integers(p: Poly, q: Poly) -> tuple[Poly, Poly]:
    """Return both times the least number that makes their coefficients integers."""
    k = lcm(*(c.denominator for r in (p, q) for c in r.values()))
    return combine({}, p, k), combine({}, q, k)


def divide(p: Poly, q: Poly, whole: bool) -> tuple[Poly, Poly]:
    """Return y, r with p == q*y + r; `whole`: for integer coefficients, those of y integers."""
    variables = sorted({v for r in (p, q) for m in r for v, _ in m})

    def order(m: Monomial) -> tuple[int, ...]:
        powers = dict(m)
        return tuple(powers.get(v, 0) for v in variables)  # lexicographic: a monomial order

    lead = max(q, key=order)
    y: Poly = {}
    r: Poly = {}
    rest = dict(p)
    while rest:
        budget.spend(len(rest) * (1 + len(variables) // 4))
        top = max(rest, key=order)
        powers, c = dict(top), Fraction(rest[top])
        fits = all(powers.get(v, 0) >= e for v, e in lead)
        k: Number = c / q[lead] if fits else 0
        if whole:
            k = (
                k.numerator // k.denominator
                if not top or k > 0
                else -(-k.numerator // k.denominator)
            )
        if k:
            for v, e in lead:
                powers[v] -= e
            shift = tuple(sorted((v, e) for v, e in powers.items() if e))
            y[shift] = y.get(shift, 0) + k
            rest = combine(rest, q, -k, shift)
        if top in rest:
            r[top] = rest.pop(top)
    return y, r


def reduced(p: Poly, q: Poly) -> tuple[Poly, Poly]:
    """Return p / q with less in common; with the divisor ONE where the quotient is a polynomial."""
    if not q:
        raise Refused("a division by 0")
    if c := value(q):
        return combine({}, p, 1 / Fraction(c)), ONE
    powers = [dict(m) for r in (p, q) for m in r]
    common = {v: min(m.get(v, 0) for m in powers) for v in powers[-1]}

    def cut(m: Monomial) -> Monomial:
        return tuple((v, e - common.get(v, 0)) for v, e in m if e > common.get(v, 0))

    p, q = ({cut(m): c for m, c in r.items()} for r in (p, q))
    y, r = divide(p, q, False)
    return (p, q) if r else (y, ONE)
