"""Tier: a sum of digits times strides lies below a product of sizes, place by place.

What is to be at least 0 is `s*a + b`, where s is a product of sizes: so it is where a and b are, or
where `a - 1` and `b + s` are. As in Horner's scheme the rest b speaks of one place, and of a the
same is asked again, so that no product of several sums is expanded. A sum that is to stay in a type
is shown to be below a product of sizes that does (`proofs/lemmas/places.py`).
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any, NamedTuple

from symcute.expr.node import Node, Term
from symcute.expr.polynomial import ONE, Poly, add, sub, variables
from symcute.expr.ratio import Ratio
from symcute.expr.terms import names
from symcute.solve.digits import splits
from symcute.solve.elimination import degree, shared, slackened
from symcute.solve.obligation import ARITHMETIC, Answer
from symcute.solve.obligations import By
from symcute.solve.search import RANGE, Search, gap_of
from symcute.solve.sequent import Sequent
from symcute.solve.wording import conjuncts, formula, term, text

__all__ = ["by_places"]

#: How many places a sum has at most; how many terms the rest in one, of what degree
#: those that are below 0.
MAX_PLACES, MAX_TERMS, MAX_DEGREE = 8, 6, 2


def by_places(here: Sequent, goal: Term) -> Answer | None:
    """Prove that sums of digits times strides are within bounds.

    >>> ends = [("x", "a"), ("y", "b"), ("z", "c")]
    >>> box = [Node(op, *side) for x, n in ends for op, side in (("<=", (0, x)), ("<", (x, n)))]
    >>> sum_ = Node("+", Node("*", Node("+", Node("*", "x", "b"), "y"), "c"), "z")
    >>> size = Node("*", "a", Node("*", "b", "c"))
    >>> by_places(Sequent(box, {"a", "b", "c"}), Node("<", sum_, size)).status
    'proved'
    >>> by_places(Sequent(box, {"a", "b", "c"}), Node("<", Node("+", sum_, 1), size)) is None
    True
    """
    named = here.stated(goal, named=True)
    search = named.search(used := named.rings[-1])
    found: list[By] = []
    for part in conjuncts(named.goal):
        by = RANGE if search.in_ranges(part) else _shown(search, part)
        if by is None:
            return None
        found.append(by)
    shown = named.shown(("and", found) if len(found) > 1 else found[0], used)
    return Answer("proved", "places", (ARITHMETIC,), shown=shown)


def _shown(search: Search, goal: Term) -> By | None:
    gap = gap_of(formula(goal)) if isinstance(goal, Node) and goal.op in ("<", "<=") else None
    if gap is None:
        return None
    plans = _Plans(search)
    for room, size in ((slackened(gap), None), *_sizes(search, gap)):
        if (plan := plans.of(room, MAX_PLACES)) is not None:
            return _written(search, plan, gap, size)
    return None


def _sizes(search: Search, gap: Poly) -> Iterator[tuple[Poly, int]]:
    """Yield what is left of a gap where a product of sizes is no larger than a number in it.

    With the number of the hypothesis that says so.
    """
    for k, (f, p, _) in enumerate(search.lines):
        if p and f.op in ("le", "lt") and variables(p) <= search.dims:
            products = any(sum(e for _, e in m) > 1 for m in p)
            if products and 0 < p.get((), 0) <= gap.get((), 0) + 1:
                yield sub(gap, p), k


class _Plan(NamedTuple):
    """Why a sum is at least 0: it is s*a + b, where a and b are; or what is near shows it."""

    p: Poly
    s: Poly
    parts: tuple[_Plan, ...] = ()

    @property
    def fact(self) -> Node:
        return Node("<=", 0, term(self.p))


class _Plans:
    """Finds plans; each sum is looked at once."""

    def __init__(self, search: Search) -> None:
        self.here = search
        self._found: dict[tuple[tuple[Any, ...], ...], _Plan | None] = {}

    def of(self, p: Poly, places: int) -> _Plan | None:
        """Return why a sum is at least 0, place by place, if that is seen."""
        key = *sorted(p.items()), (places > 0,)
        if key not in self._found:
            self._found[key] = self._look(p, places)
        return self._found[key]

    def _look(self, p: Poly, places: int) -> _Plan | None:
        for s, a, b in [*splits(p, self.here.dims)][::-1] if places else ():
            for above, below in ((a, b), (sub(a, ONE), add(b, s))):
                rest = self.of(below, 0)
                count = rest and self.of(above, places - 1)
                if rest is not None and count is not None:
                    return _Plan(p, s, (rest, count))
        if len(p) > MAX_TERMS or any(degree(m) > MAX_DEGREE for m, c in p.items() if c < 0):
            return None
        plan = _Plan(p, {})
        return plan if _near(self.here, plan.fact) is not None else None


def _written(here: Search, plan: _Plan, gap: Poly, size: int | None) -> By | None:
    """Return the proof that a gap is at least 0 by what a plan shows to be, and a size."""
    steps: list[tuple[Node, By]] = []

    def known(plan: _Plan, here: Search) -> Search | None:
        if plan.fact in here.given:
            return here
        for part in plan.parts:
            inner = known(part, here)
            if inner is None:
                return None
            here = inner
        by = _sum(here, plan) if plan.parts else _near(here, plan.fact)
        if by is None:
            return None
        steps.append((plan.fact, by))
        return here.plus(plan.fact)

    inner = known(plan, here)
    way = None if inner is None else inner.way(variables(gap) | variables(plan.p))
    if inner is None or way is None:
        return None
    weight = str(Fraction(1, shared(way.value(Ratio(gap, ONE)).num)))
    used = [inner.given.index(plan.fact), *([] if size is None else [size])]
    last: By = ("sum", way, [(weight, [("g", k)]) for k in used])
    for fact, by in reversed(steps):
        last = ("cut", text(fact), by, last)
    return last


def _sum(here: Search, plan: _Plan) -> By | None:
    """Return the proof of s*a + b >= 0 by b >= 0 and a >= 0."""
    way = here.way(variables(plan.p) | variables(plan.s))
    if way is None:
        return None
    stride = way.value(Ratio(plan.s, ONE)).num
    if not way.nonnegative(stride):
        return None
    below, above = (here.given.index(x.fact) for x in plan.parts)
    by = Fraction(1, shared(way.value(Ratio(plan.p, ONE)).num))
    times = [(str(c * by), [("g", above), *(v for v, e in m for _ in range(e))])
             for m, c in stride.items()]  # fmt: skip
    return ("sum", way, [*times, (str(by), [("g", below)])])


def _near(here: Search, fact: Node) -> By | None:
    """Return a proof by what speaks of the same names, by cases of one choice at most."""
    if not names(fact):
        return RANGE if here.in_ranges(fact) else None
    by = here.nearby(fact)
    if by is not None:
        return by
    for k, h in enumerate(here.given):
        if isinstance(h, Node) and h.op == "or" and names(h) & names(fact):
            found = [here.plus(part).nearby(fact, names(part)) for part in h.args]
            if None not in found:
                return ("either", k, found)
    return None
