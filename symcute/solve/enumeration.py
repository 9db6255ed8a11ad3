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
from symcute.expr.terms import names
from symcute.expr.terms.operators import OPERATORS

__all__ = [
    "MAX_POINTS",
    "POINTS_A_STEP",
    "POINTS_COST",
    "WORD",
    "TooLarge",
    "grid",
    "points_in",
    "points_where",
    "vector",
]

#: The largest box that is enumerated.
MAX_POINTS = 1 << 20
#: What an operation on all points costs in steps, and how many points cost a step more.
POINTS_COST, POINTS_A_STEP = 10, 200
#: Numbers that a machine word holds whatever is done next.
WORD = 1 << 62

Array = NDArray[np.int64]


class TooLarge(Exception):
    """The box has no end, too many points, or numbers beyond a word."""


def points_in(every: Iterable[str], known: Mapping[str, Range]) -> int:
    """Return how many points a box has.

    Errors: TooLarge when a range has no end.
    """
    sides = []
    for name in every:
        low, high = known.get(name, (-1, float("inf")))
        if isinf(low) or isinf(high):
            raise TooLarge(f"{name} has no constant range")
        sides.append(max(0, int(high) - int(low) + 1))
    return prod(sides)


def grid(
    every: Sequence[str], known: Mapping[str, Range], limit: int = MAX_POINTS
) -> dict[str, Array]:
    """Return the values of the names at all points of their box, the last name running fastest.

    Errors: TooLarge when there are more points than `limit`.

    >>> {k: v.tolist() for k, v in grid(["a", "b"], {"a": (0, 1), "b": (5, 6)}).items()}
    {'a': [0, 0, 1, 1], 'b': [5, 6, 5, 6]}
    """
    total = points_in(every, known)
    if total > limit:
        raise TooLarge(f"{total} points")
    found: dict[str, Array] = {}
    inner = total
    for name in every:
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
            return np.asarray(int(x), dtype=np.int64)
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

    found = at(term)
    return found if found.ndim else np.full(size, found, dtype=np.int64)


def points_where(
    hypotheses: Iterable[Term], order: Sequence[str], known: Names, limit: int = MAX_POINTS
) -> tuple[dict[str, Array], int]:
    """Return the values of names at the points of their box where hypotheses hold, and how many.

    Each hypothesis is looked at as soon as all its names have values, so that what it excludes is
    not taken further. The last name runs fastest.
    Errors: TooLarge when the box has more points than `limit`, and as for `vector`.

    >>> box = Names({"a": (0, 2), "b": (0, 2)})
    >>> found, count = points_where([Node("<", "a", "b")], ["a", "b"], box)
    >>> {n: column.tolist() for n, column in found.items()}, count
    ({'a': [0, 0, 1], 'b': [1, 2, 2]}, 3)
    """
    total = points_in(order, known)
    if total > limit:
        raise TooLarge(f"{total} points")
    if not total:
        return {name: np.empty(0, dtype=np.int64) for name in order}, 0
    if any(known[name][0] <= -WORD or known[name][1] >= WORD for name in order):
        raise TooLarge("a number may not fit a word")
    found: dict[str, Array] = {}
    size, left = 1, list(hypotheses)
    for name in (None, *order):
        if name is not None:
            low, high = (int(x) for x in known[name])
            side = np.arange(low, high + 1, dtype=np.int64)
            found = {n: np.repeat(column, len(side)) for n, column in found.items()}
            found[name] = np.tile(side, size)
            size *= len(side)
        asked = [h for h in left if names(h) <= found.keys()]
        left = [h for h in left if names(h) - found.keys()]
        for h in asked:
            met = vector(h, found, known, size) != 0
            if not met.all():
                found, size = {n: column[met] for n, column in found.items()}, int(met.sum())
    return found, size
