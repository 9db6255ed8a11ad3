"""Tier: every point, where what a goal hangs on is bounded."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

import numpy as np

from symcute.expr.node import Term
from symcute.expr.terms import names
from symcute.solve.enumeration import MAX_POINTS, TooLarge, points_in, points_where, vector
from symcute.solve.obligation import ARITHMETIC, ENUMERATION, Answer
from symcute.solve.sequent import Sequent

__all__ = ["by_all_points", "by_few_points"]

#: Points that are enumerated before a solver is asked.
FEW_POINTS = 1 << 16
#: How many values a name may have that is enumerated though no goal speaks of it.
FEW_VALUES = 1 << 12


def by_few_points(here: Sequent, goal: Term) -> Answer | None:
    """Evaluate the goal wherever what it hangs on is bounded, where that is not much."""
    return _by_points(here, goal, FEW_POINTS)


def by_all_points(here: Sequent, goal: Term) -> Answer | None:
    """Evaluate the goal wherever what it hangs on is bounded."""
    return _by_points(here, goal, MAX_POINTS)


def _by_points(here: Sequent, goal: Term, limit: int) -> Answer | None:
    wanted = names(goal)
    for relevant in _hops(here, wanted):
        every = sorted(wanted.union(*map(names, relevant)))
        try:
            if points_in(every, here.ranges) > limit:
                continue
            found = _over(here, every, relevant, goal, limit)
        except TooLarge:
            continue
        if found is None or found:
            return found or Answer("proved", "enumeration", (ARITHMETIC, ENUMERATION))
    return None


def _hops(here: Sequent, wanted: frozenset[str]) -> Iterator[list[Term]]:
    """Yield hypotheses: those that small ranges connect with the wanted names, then fewer."""
    small = wanted | {n for n, (a, b) in here.ranges.items() if b - a <= FEW_VALUES}
    among = [h for h in here.hypotheses if names(h) <= small]
    reached = wanted
    for _ in range(len(among)):
        more = reached.union(*(names(h) for h in among if names(h) & reached))
        if more == reached:
            break
        reached = more
    yield [h for h in among if names(h) <= reached]
    yield [h for h in among if names(h) <= wanted]


def _over(
    here: Sequent, every: list[str], relevant: list[Term], goal: Term, limit: int
) -> Answer | Literal[False] | None:
    """Return None when the goal holds at all points, False when the points do not tell."""
    values, size = points_where(relevant, every, here.ranges, limit)
    failing = np.flatnonzero(vector(goal, values, here.ranges, size) == 0)
    if not failing.size:
        return None
    model = {n: int(values[n][failing[0]]) for n in every}
    if len(relevant) < len(here.hypotheses) and not here.met(model):
        return False
    return Answer("refuted", "enumeration", model=model)
