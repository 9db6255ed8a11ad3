"""A relation between two leaves, proved by polynomials in one of several ways.

`plain` looks at coefficients alone; `harder` takes away what is known to be at least 0, then looks
at Bernstein forms and sums of products. Both return how the relation is settled, in the words of
`docs/reference/certificates.md`, a `Parametrisation` in place of its number.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, TypeAlias

from symcute.errors import InputError
from symcute.expr.assumptions import Assumptions
from symcute.expr.polynomial import ONE, Poly, divide, neg, sub, variables
from symcute.expr.ratio import Ratio
from symcute.solve.elimination import shared, slackened, weights
from symcute.solve.obligations.bernstein import holds_on_box, products
from symcute.solve.obligations.handelman import (
    Constraint,
    Terms,
    Work,
    constraints,
    factor_name,
    factors_of,
    handelman,
)
from symcute.solve.obligations.parametrisation import NoValue, Parametrisation

__all__ = ["By", "harder", "plain"]

#: How an obligation is settled: "-", or a kind and what belongs to it.
By: TypeAlias = Any
#: How many ways the harder roads are tried in.
MAX_HARD_WAYS = 3
#: How many polynomials an elimination looks at before other roads are taken.
FEW_NODES = 16


def plain(op: str, a: Ratio, b: Ratio, ways: Iterable[Parametrisation]) -> By | None:
    """Return how a relation is settled by coefficients in one of the ways, or None.

    >>> from symcute.solve.obligations.parametrisation import Definition
    >>> from symcute.expr.lowering import lower
    >>> way = Parametrisation([Definition("M", "from", lower(1))], {"M": 1}, {})
    >>> plain("le", lower(1), lower(1), [way]) == ("sum", way)
    True
    """
    for way in ways:
        try:
            if _holds(op, way.value(a), way.value(b), way):
                return ("sum", way)
        except NoValue:
            continue
    return None


def _holds(op: str, a: Ratio, b: Ratio, way: Parametrisation) -> bool:
    if op == "divides":
        # Only polynomials: a | b as values needs the quotient to be an integer everywhere.
        if a.den != ONE or b.den != ONE or not way.at_least(a.num, 1):
            return False
        return divide(b.num, a.num) is not None
    found = _gap(a, b)
    if found is None:
        return False
    if op == "eq":
        return not found
    if op == "ne":
        return way.at_least(found, 1) or way.at_least(neg(found), 1)
    return way.at_least(found, 1 if op == "lt" else 0)


def _gap(a: Ratio, b: Ratio) -> Poly | None:
    """Return b - a, or None when a quotient is left."""
    return sub(b.num, a.num) if a.den == b.den == ONE else None


def harder(
    op: str,
    a: Ratio,
    b: Ratio,
    ways: Sequence[Parametrisation],
    assumptions: Assumptions,
    work: Work | None = None,
) -> By | None:
    """Return how `a <= b` or `a < b` is settled by elimination, a Bernstein form or products.

    Products are looked for until the `work` is used up.
    """
    if op not in ("le", "lt"):
        return None
    for way in ways[:MAX_HARD_WAYS]:
        p = _target(op, a, b, way)
        terms = None if p is None else _eliminated(p, constraints(assumptions, way), way)
        if terms is not None:
            return ("sum", way, terms)
        if p is not None and way.boxes and holds_on_box(p, way):
            terms = products(p, way)
            if terms is not None:
                return ("sum", way, terms)
    for way in ways[:MAX_HARD_WAYS]:
        p = _target(op, a, b, way)
        if p is None or (work is not None and work.done):
            continue
        given, factors = constraints(assumptions, way), factors_of(assumptions, way)
        found = handelman(p, given, way, work, factors)
        if found is not None:
            return ("sum", way, *found)
    return None


def _eliminated(p: Poly, given: Iterable[Constraint], way: Parametrisation) -> Terms | None:
    """Return weights of products without which nothing negative is left of p, or None."""
    if not all(map(way.known, variables(p))):
        return None
    usable = [c for c in given if all(map(way.known, variables(c.p)))]
    signed = [(c, s) for c in usable for s in ((1, -1) if c.equation else (1,))]
    found = weights(slackened(p), [c.p if s == 1 else neg(c.p) for c, s in signed], FEW_NODES)
    if found is None:
        return None
    content = shared(p)
    terms: Terms = []
    for weight, monomial, k in found:
        c, sign = signed[k]
        named = [factor_name(v, way) for v, e in monomial for _ in range(e)]
        terms.append((str(weight * sign / content), [*c.factors, *named]))
    return terms


def _target(op: str, a: Ratio, b: Ratio, way: Parametrisation) -> Poly | None:
    """Return what has to be at least 0."""
    try:
        found = _gap(way.value(a), way.value(b))
    except (NoValue, InputError):
        return None
    return found if found is None or op == "le" else sub(found, ONE)
