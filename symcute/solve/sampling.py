"""Points at which hypotheses hold, drawn at random: a goal that fails at one follows from nothing.

Names are drawn one after another, those that others are bounded by first, between the bounds that
hypotheses state; of the points drawn those are kept at which all hypotheses hold. The same
hypotheses give the same points, whatever their names are called.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import TypeAlias

import numpy as np

from symcute.expr.intervals import ANY
from symcute.expr.node import Node, Term
from symcute.expr.ranges import Names
from symcute.expr.terms import names
from symcute.solve.enumeration import WORD, Array, TooLarge, vector

__all__ = ["Points", "draw"]

#: How many points are drawn, and how large a number is that is drawn where nothing bounds it, one
#: that hypotheses multiply with another and any other: if results are too large for a word, the
#: next are taken.
DRAWN, SCALES = 1024, ((1 << 31, 1 << 31), (1 << 12, 1 << 31), (1 << 12, 1 << 12), (1 << 6, 1 << 6))
_Range: TypeAlias = tuple[int | float, int | float]


class Points:
    """Points at which all hypotheses hold: a column of values for each name."""

    def __init__(self, values: Mapping[str, Array], known: Names, size: int) -> None:
        self._values, self._known, self.size = values, known, size

    def breaks(self, goal: Term) -> dict[str, int] | None:
        """Return a point at which a goal fails, a small one, if there is any."""
        if not self.size or not names(goal) <= self._values.keys():
            return None
        try:
            failing = np.flatnonzero(vector(goal, self._values, self._known, self.size) == 0)
        except TooLarge:
            return None
        if not failing.size:
            return None
        small = np.zeros(len(failing))
        for column in self._values.values():
            small += np.abs(column[failing].astype(np.float64))
        first = failing[int(small.argmin())]
        return {n: int(column[first]) for n, column in self._values.items()}


def draw(hypotheses: Sequence[Term], known: Mapping[str, _Range]) -> Points:
    """Return points at which hypotheses hold, perhaps none; `known` are the ranges of the names.

    >>> from math import inf
    >>> few = [Node("<=", 0, "i"), Node("<", "i", "N"), Node("<=", 1, "N")]
    >>> found = draw(few, {"i": (0, inf), "N": (1, inf)}).breaks(Node("<", "i", 1))
    >>> 1 <= found["i"] < found["N"]
    True
    """
    factors = frozenset[str]().union(*map(_factors, hypotheses))
    for scale in SCALES:
        try:
            return _drawn(hypotheses, known, factors, scale)
        except TooLarge:
            continue
    return Points({}, Names(), 0)


def _factors(term: Term) -> frozenset[str]:
    """Return the names that a term multiplies with others."""
    if not isinstance(term, Node):
        return frozenset()
    if term.op == "*" and all(map(names, term.args)):
        return names(term)
    return frozenset[str]().union(*map(_factors, term.args))


def _drawn(
    hypotheses: Sequence[Term],
    known: Mapping[str, _Range],
    factors: frozenset[str],
    scales: tuple[int, int],
) -> Points:
    """Draw points, with numbers up to a scale, that of factors and that of others.

    Errors: TooLarge.
    """
    random = np.random.default_rng(0)
    bounds = _bounds(hypotheses)
    values: dict[str, Array] = {}
    box = Names()
    for name in _order(hypotheses, bounds):
        low, high = known.get(name, ANY)
        scale = scales[name not in factors]
        least = max(low, -scale) if high > -scale else high
        most = min(high, max(scale, least + scale))
        if max(abs(least), abs(most)) >= WORD:
            raise TooLarge(f"{name} may not fit a word")
        lows = np.full(DRAWN, int(least), dtype=np.int64)
        highs = np.full(DRAWN, int(most), dtype=np.int64)
        step = 1
        for side, term in bounds.get(name, ()):
            if isinstance(term, int):  # the ranges have what numbers bound
                step = term if side == "step" else step
            elif names(term) <= values.keys():
                end = vector(term, values, box, DRAWN)
                if side != "high":
                    lows = np.maximum(lows, end)
                if side != "low":
                    highs = np.minimum(highs, end)
        column = _column(random, lows, highs)
        column -= np.where(column % step <= column - lows, column % step, 0) if step > 1 else 0
        values[name] = column
        box[name] = int(column.min()), int(column.max())
    met = np.ones(DRAWN, dtype=bool)
    for h in hypotheses:
        if box.ranges.decides(h):
            continue
        met &= vector(h, values, box, DRAWN) != 0
    kept = np.flatnonzero(met)
    return Points({n: column[kept] for n, column in values.items()}, box, len(kept))


def _column(random: np.random.Generator, lows: Array, highs: Array) -> Array:
    """Return numbers between two columns: corners, near to an end, and of all sizes.

    The first rows are corners, where all names are at an end: the first at the upper one.
    """
    count = len(lows)
    rooms = np.maximum(highs - lows, 0).astype(np.float64)
    how = random.integers(0, 8, count)
    sizes = np.exp2(random.random(count) * np.log2(rooms + 1)) - 1
    far = np.minimum(np.where(how < 3, random.integers(0, 5, count), sizes), rooms)
    column = lows + far.astype(np.int64)
    column = np.where(how == 7, highs - np.minimum(far, 3).astype(np.int64), column)
    row = np.arange(count)
    column = np.where(row < count // 8, np.where((how < 4) | (row == 0), highs, lows), column)
    return np.where(rooms > 0, column, lows)


def _bounds(hypotheses: Sequence[Term]) -> dict[str, list[tuple[str, Term]]]:
    """Return what hypotheses state of names alone: bounds, values and what divides them."""
    found: dict[str, list[tuple[str, Term]]] = {}
    for h in hypotheses:
        if not isinstance(h, Node) or h.op not in ("<", "<=", "=="):
            continue
        a, b = h.args
        if h.op == "==" and b == 0 and isinstance(a, Node) and a.op == "%":
            if isinstance(a.args[0], str):
                found.setdefault(a.args[0], []).append(("step", a.args[1]))
            continue
        strict = h.op == "<"
        if isinstance(a, str):
            end = Node("+", b, -1) if strict else b
            found.setdefault(a, []).append(("both" if h.op == "==" else "high", end))
        if isinstance(b, str):
            end = Node("+", a, 1) if strict else a
            found.setdefault(b, []).append(("both" if h.op == "==" else "low", end))
    return found


def _order(
    hypotheses: Sequence[Term], bounds: Mapping[str, Collection[tuple[str, Term]]]
) -> list[str]:
    """Return all names, those that bound others before these, as they occur otherwise."""
    found: dict[str, None] = {}
    every = list(dict.fromkeys(n for h in hypotheses for n in _in_order(h)))

    def visit(name: str, path: tuple[str, ...]) -> None:
        if name in found or name in path:
            return
        for side, term in bounds.get(name, ()):
            if side in ("high", "both"):
                for other in _in_order(term):
                    visit(other, (*path, name))
        found[name] = None

    for name in every:
        visit(name, ())
    return list(found)


def _in_order(term: Term) -> Iterator[str]:
    """Yield the names of a term as they stand there."""
    if isinstance(term, str):
        yield term
    elif isinstance(term, Node):
        for x in term.args:
            yield from _in_order(x)
