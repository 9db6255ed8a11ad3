"""Quotients of polynomials, these as terms, and work beside the core's."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from fractions import Fraction
from math import gcd, lcm

from symcute.checker.poly import ONE, Exhausted, Monomial, Number, Poly, budget, combine, value
from symcute.checker.terms import Node, Refused, dim, lit


@contextmanager
def searching() -> Iterator[None]:
    """Take what the block spends from the share of searches; beyond that the block ends.

    A search that takes more than there is has found nothing.
    """
    budget.left, budget.aside = budget.aside, budget.left
    try:
        yield
    except Exhausted:
        budget.left = 0
    finally:
        budget.left, budget.aside = budget.aside, budget.left


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
        return p if c == 1 else combine({}, p, 1 / Fraction(c)), ONE
    powers = [dict(m) for r in (p, q) for m in r]
    common = {v: min(m.get(v, 0) for m in powers) for v in powers[-1]}

    def cut(m: Monomial) -> Monomial:
        return tuple((v, e - common.get(v, 0)) for v, e in m if e > common.get(v, 0))

    p, q = ({cut(m): c for m, c in r.items()} for r in (p, q))
    y, r = divide(p, q, False)
    return (p, q) if r else (y, ONE)


def lowest(n: Poly, d: Poly) -> tuple[Poly, Poly]:
    """Return two polynomials over the integers without the number that divides both."""
    k = gcd(*(int(c) for p in (n, d) for c in p.values()))
    return combine({}, n, Fraction(1, k or 1)), combine({}, d, Fraction(1, k or 1))


def written(p: Poly) -> Node:
    """Return a polynomial with integer coefficients as a term."""
    found: Node | None = None
    for m in sorted(p, key=lambda m: (not m, m)):
        c = p[m]
        factors = [dim(v) for v, e in m for _ in range(e)]
        size = c if c > 0 else -c
        if size != 1 or not factors:
            factors.insert(0, lit(int(size)))
        product = factors[0]
        for x in factors[1:]:
            product = product * x
        if found is None:
            found = product if c > 0 else Node("neg", (product,))
        else:
            found = found + product if c > 0 else found - product
    return lit(0) if found is None else found


def parted(p: Poly, v: str) -> tuple[Poly, Poly]:
    """Return what a polynomial has beside a variable, and what it has without it."""
    beside = {tuple(x for x in m if x != (v, 1)): c for m, c in p.items() if (v, 1) in m}
    return beside, {m: c for m, c in p.items() if (v, 1) not in m}
