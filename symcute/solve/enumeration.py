"""Terms at all points of a small box at once: a proof where everything is bounded, or a point."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import isinf, prod

import numpy as np
from numpy.typing import NDArray

from symcute.expr import limits
from symcute.expr.intervals import Range
from symcute.expr.node import Node, Term
from symcute.expr.ranges import Names
from symcute.expr.terms.operators import OPERATORS

__all__ = ["MAX_POINTS", "WORD", "TooLarge", "grid", "points_in", "vector"]

#: The largest box that is enumerated.
MAX_POINTS = 1 << 20
#: What an operation on all points costs in steps, and how many points cost a step more.
POINTS_COST, POINTS_A_STEP = 10, 200
#: Numbers that a machine word holds whatever is done next.
WORD = 1 << 62

Array = NDArray[np.int64]


class TooLarge(Exception):
    """The box has no end, too many points, or numbers beyond a word."""


def points_in(names: Iterable[str], known: Mapping[str, Range]) -> int:
    """Return how many points a box has.

    Errors: TooLarge when a range has no end.
    """
    sides = []
    for name in names:
        low, high = known.get(name, (-1, float("inf")))
        if isinf(low) or isinf(high):
            raise TooLarge(f"{name} has no constant range")
        sides.append(max(0, int(high) - int(low) + 1))
    return prod(sides)


def grid(
    names: Sequence[str], known: Mapping[str, Range], limit: int = MAX_POINTS
) -> dict[str, Array]:
    """Return the values of the names at all points of their box, the last name running fastest.

    Errors: TooLarge when there are more points than `limit`.

    >>> {k: v.tolist() for k, v in grid(["a", "b"], {"a": (0, 1), "b": (5, 6)}).items()}
    {'a': [0, 0, 1, 1], 'b': [5, 6, 5, 6]}
    """
    total = points_in(names, known)
    if total > limit:
        raise TooLarge(f"{total} points")
    found: dict[str, Array] = {}
    inner = total
    for name in names:
        low, high = (int(x) for x in known[name])
        count = max(0, high - low + 1)
        inner = inner // count if count else 0
        column = np.repeat(np.arange(low, high + 1, dtype=np.int64), inner)
        found[name] = np.resize(column, total)
    return found


def vector(term: Term, values: Mapping[str, Array], known: Names, size: int) -> Array:
    """Return a term at every point; truths are 1 and 0. `known` are the ranges of the names.

    Errors: TooLarge when a number may not fit a word, or where ranges leave open whether a divisor
    is positive.
    """
    memo: dict[Node, Array] = {}

    def at(x: Term) -> Array:
        if isinstance(x, (bool, int)):
            if abs(int(x)) >= WORD:
                raise TooLarge("a number is too large")
            return np.full(size, int(x), dtype=np.int64)
        if isinstance(x, str):
            return values[x]
        if x not in memo:
            low, high = known.ranges.of(x)
            if low <= -WORD or high >= WORD:
                raise TooLarge("a number may not fit a word")
            limits.spend(POINTS_COST + size // POINTS_A_STEP)
            found = OPERATORS[x.op].array(np, *map(at, x.args))
            memo[x] = np.asarray(found, dtype=np.int64)
        return memo[x]

    return at(term)
