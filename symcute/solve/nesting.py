"""Divisions, each written in one way: by products one factor after another.

`quotient_by_a_product` and its like of `proofs/lemmas/inverse.py`.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce

from symcute.expr.node import Node, Term
from symcute.expr.terms import add, at_most, build, from_polynomial, mul, polynomial
from symcute.solve.folding import Folding, divided

__all__ = ["measure", "nested", "plain"]

#: How often divisions are looked at.
PASSES = 3
#: How large an atom is taken to be where strides are put in order.
LARGE = 1009


def nested(terms: Sequence[Term], folding: Folding) -> list[Term]:
    """Return terms folded, with divisions by products one factor after another."""
    divisors: dict[Term, list[Term]] = {}
    found = [*terms]
    for _ in range(PASSES):
        found = [_nest(folding.fold(x), divisors, folding) for x in found]
    return found


def _nest(x: Term, divisors: dict[Term, list[Term]], folding: Folding) -> Term:
    if not isinstance(x, Node):
        return x
    args = [_nest(y, divisors, folding) for y in x.args]
    if x.op in ("//", "%"):
        return _divide(x.op, args[0], args[1], divisors, folding)
    return build(x.op, *args)


def _divide(op: str, a: Term, b: Term, divisors: dict[Term, list[Term]], folding: Folding) -> Term:
    """Return a division: `x % (d*b) // b` as `x // b % d`, `a // (d*e)` as `a // e // d`."""
    a, b = plain(a), plain(b)

    def by(op: str, a: Term, b: Term) -> Term:
        return _divide(op, a, b, divisors, folding)

    if isinstance(a, Node) and a.op == "%":
        inner, whole = a.args
        d = _exact(whole, b, folding)
        if d is not None:
            return by("%", inner, b) if op == "%" else by("%", by("//", inner, b), d)
    for e in divisors.get(a, ()):
        d = _exact(b, e, folding)
        if d is not None and d != 1:
            above = by("//", a, e)
            if op == "//":
                return by("//", above, d)
            return add(mul(by("%", above, d), e), by("%", a, e))
    every = divisors.setdefault(a, [])
    if b not in every:
        every.append(b)
        every.sort(key=measure, reverse=True)
    return build(op, a, b)


def plain(x: Term) -> Term:
    """Return a term as a sum, where it is one."""
    p = polynomial(x)
    return x if p is None else from_polynomial(p)


def _exact(a: Term, b: Term, folding: Folding) -> Term | None:
    """Return d with a == d*b, where d and b are at least 1."""
    p, q = polynomial(a), polynomial(b)
    if not p or not q:
        return None
    whole, over = divided(p, q)
    d = from_polynomial(whole)
    if over or not (folding.holds(at_most(1, b)) and folding.holds(at_most(1, d))):
        return None
    return d


def measure(x: Term) -> int:
    """Return how large a polynomial is taken to be where strides are put in order."""
    p = polynomial(x) or {}
    return reduce(lambda total, m: total + p[m] * LARGE ** len(m), p, 0)
