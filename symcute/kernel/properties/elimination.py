"""A polynomial shown to be at least 0 by taking away what is, until no term is negative.

Every variable is at least 0, and so is every hypothesis. A negative term is cancelled by a
hypothesis times a monomial; what is left is looked at again, the least negative first. It finds no
more than the products of `symcute.solve.obligations` do, but finds the usual ones at once: a
digit's bound times its stride.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple, TypeAlias

from symcute.expr import limits
from symcute.expr.formula import Formula
from symcute.expr.lowering import lower
from symcute.expr.polynomial import (
    ONE,
    Monomial,
    Poly,
    add,
    constant,
    mul,
    sub,
    substitute,
    variable,
    variables,
)
from symcute.solve.obligations.handelman import cofactor

__all__ = ["eliminates", "shows", "weights"]

#: A weight, a monomial, and the number of the hypothesis they are multiplied with.
Weight: TypeAlias = tuple[Fraction, Monomial, int]

#: How many polynomials are looked at, and how many steps one takes.
MAX_NODES, MAX_STEPS = 240, 12


def shows(target: Formula, given: Iterable[Formula], lows: Mapping[str, int]) -> bool:
    """Return whether a relation is shown under others, each variable being at least its bound.

    >>> from symcute.expr.assumptions import Assumptions
    >>> given = Assumptions.of(["16*b+t <= N-1", "r <= M-1"]).formulas
    >>> target = Assumptions.of("r*N + 16*b + t < M*N").formulas[0]
    >>> shows(target, given, {"b": 0, "t": 0, "r": 0, "M": 1, "N": 1})
    True
    """
    wanted = list(_gaps(target))
    if not wanted:
        return False
    known = [p for f in given for p in _gaps(f)]
    every = set().union(*(variables(p) for p in (*wanted, *known)))
    if not every <= lows.keys():
        return False
    shifted = {v: add(variable(v), constant(lows[v])) for v in every if lows[v]}
    hypotheses = [substitute(p, shifted) for p in known]
    return all(eliminates(substitute(p, shifted), hypotheses) for p in wanted)


def _gaps(f: Formula) -> Iterable[Poly]:
    """Yield what is at least 0 in a relation between polynomials."""
    if f.op not in ("le", "lt", "eq"):
        return
    a, b = (lower(x) for x in f.args)
    if a.den != ONE or b.den != ONE:
        return
    gap = sub(b.num, a.num)
    yield sub(gap, ONE) if f.op == "lt" else gap
    if f.op == "eq":
        yield sub(a.num, b.num)


def eliminates(p: Poly, hypotheses: Sequence[Poly]) -> bool:
    """Return whether p is shown to be at least 0, all variables and hypotheses being so."""
    return weights(p, hypotheses) is not None


def weights(p: Poly, hypotheses: Sequence[Poly]) -> list[Weight] | None:
    """Return weights, monomials and numbers of hypotheses whose products leave nothing negative.

    What is left of p, when those products are taken away, has no negative coefficient.

    >>> x = variable("x")
    >>> weights(sub(constant(9), mul(constant(2), x)), [sub(constant(4), x)])
    [(Fraction(2, 1), (), 0)]
    """
    budget = iter(range(MAX_NODES))
    seen: set[frozenset[tuple[Monomial, int]]] = set()

    def search(p: Poly, steps: int) -> list[_Step] | None:
        negative = [m for m, c in p.items() if c < 0]
        if not negative:
            return []
        key = frozenset(p.items())
        if steps == 0 or key in seen or next(budget, None) is None:
            return None
        seen.add(key)
        target = max(negative, key=lambda m: (sum(e for _, e in m), m))
        found: list[tuple[tuple[int, int], int, Poly, _Step]] = []
        for k, h in enumerate(hypotheses):
            limits.spend(len(h) + 1)
            step = _cancelling(p, target, h, k)
            if step is not None:
                scaled = p if step.scale == 1 else {m: c * step.scale for m, c in p.items()}
                rest = sub(scaled, mul({step.cofactor: step.times}, h))
                limits.spend(len(rest))
                found.append((_badness(rest), len(found), rest, step))
        for _, _, rest, step in sorted(found, key=lambda x: x[:2]):
            inner = search(rest, steps - 1)
            if inner is not None:
                return [step, *inner]
        return None

    taken = search(p, MAX_STEPS)
    if taken is None:
        return None
    scale, result = 1, []
    for step in taken:
        scale *= step.scale
        result.append((Fraction(step.times, scale), step.cofactor, step.hypothesis))
    return result


class _Step(NamedTuple):
    """A polynomial times `scale`, less `times` the cofactor times a hypothesis."""

    scale: int
    times: int
    cofactor: Monomial
    hypothesis: int


def _cancelling(p: Poly, target: Monomial, h: Poly, number: int) -> _Step | None:
    """Return a step after which the target is gone, if a hypothesis can do it."""
    for m, c in h.items():
        if c >= 0 or not m:
            continue
        left = cofactor(target, m)
        if left is not None:
            need, have = -p[target], -c
            exact = need % have == 0
            return _Step(1 if exact else have, need // have if exact else need, left, number)
    if target == () and h.get((), 0) < 0:
        return _Step(-h[()], -p[()], (), number)
    return None


def _badness(p: Poly) -> tuple[int, int]:
    """Return how many terms are negative, and how high they are."""
    negative = [m for m, c in p.items() if c < 0]
    return len(negative), sum(e for m in negative for _, e in m)
