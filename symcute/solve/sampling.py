"""Points at which hypotheses hold, drawn at random: a goal that fails at one follows from nothing.

Names are drawn one after another, those that others are bounded by first, between the bounds that
hypotheses state: of a name alone, or of a sum that it is a part of when all else in that is drawn.
As soon as all names of a hypothesis have values, points at which it does not hold are replaced by
others at which it does. The same hypotheses give the same points, whatever their names are called.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from symcute.expr import limits
from symcute.expr.intervals import ANY
from symcute.expr.node import Node, Term
from symcute.expr.ranges import Names
from symcute.expr.terms import from_polynomial, names, plus, polynomial
from symcute.expr.terms.operators import OPERATORS
from symcute.expr.terms.sums import Polynomial
from symcute.solve.enumeration import POINTS_A_STEP, POINTS_COST, WORD, Array

__all__ = ["Points", "draw"]

#: How many points are drawn.
DRAWN = 1024
#: How large a number is that is drawn where nothing bounds it: one that hypotheses multiply with
#: another, and any other. A share of the points is drawn with each.
SCALES = ((1 << 60, 1 << 60), (1 << 31, 1 << 31), (1 << 20, 1 << 31), (1 << 12, 1 << 31),
          (1 << 6, 1 << 10))  # fmt: skip
_Range: TypeAlias = tuple[int | float, int | float]
_Mask: TypeAlias = NDArray[np.bool_]
_Column: TypeAlias = NDArray[Any]


class Points:
    """Points at which all hypotheses hold: a column of values for each name."""

    def __init__(self, values: dict[str, Array], known: Names, size: int) -> None:
        self._values, self._known, self.size = values, known, size

    def breaks(self, goal: Term) -> dict[str, int] | None:
        """Return a point at which a goal fails, a small one, if there is any."""
        if not self.size or not names(goal) <= self._values.keys():
            return None
        with np.errstate(all="ignore"):  # what overflows is no value
            held, valued = _Table(self._values, self._known, self.size).holds(goal)
        failing = np.flatnonzero(~held & valued)
        if not failing.size:
            return None
        small = np.zeros(len(failing))
        for column in self._values.values():
            small += np.abs(column[failing].astype(np.float64))
        first = failing[int(small.argmin())]
        return {n: int(column[first]) for n, column in self._values.items()}


class _Table:
    """Values of terms at points; at some of these a term may have none that fits a word."""

    def __init__(self, values: dict[str, Array], known: Names, size: int) -> None:
        self.values, self.known, self.size = values, known, size
        self._found: dict[Node, _Column] = {}
        self._valued = np.ones(size, dtype=bool)
        self._exact = False

    def of(self, term: Term) -> tuple[Array, _Mask]:
        """Return a term at every point, truths as 1 and 0, and where it has a value in a word.

        A term with numbers that do not fit a word is computed in Python's.
        """
        self._found, self._valued = {}, np.ones(self.size, dtype=bool)
        self._exact = _is_far(term)
        found = self._at(term)
        if found.dtype == object:
            self._valued &= np.asarray(np.abs(found) < WORD, dtype=bool)
            found = np.where(self._valued, found, 0)
        found = np.asarray(found, dtype=np.int64)
        return found if found.ndim else np.full(self.size, found, dtype=np.int64), self._valued

    def holds(self, truth: Term) -> tuple[_Mask, _Mask]:
        """Return where a truth holds, and where it has a value."""
        found, valued = self.of(truth)
        return found != 0, valued

    def _at(self, x: Term) -> _Column:
        kind = object if self._exact else np.int64
        if isinstance(x, (bool, int)):
            return np.asarray(int(x), dtype=kind)
        if isinstance(x, str):
            return self.values[x].astype(kind, copy=False)
        found = self._found.get(x)
        if found is None:
            limits.spend(POINTS_COST + self.size // POINTS_A_STEP)
            args = [self._at(y) for y in x.args]
            low, high = self.known.ranges.of(x)
            if low <= -WORD or high >= WORD:
                self._look(x.op, args)
            found = np.asarray(OPERATORS[x.op].array(np, *args))
            found = found.astype(kind, copy=False)
            self._found[x] = found
        return found

    def _look(self, op: str, args: list[_Column]) -> None:
        """Take notice of points at which an operation has no value that fits a word."""
        a, b = args[0], args[-1]
        if op in ("//", "%"):
            met = b > 0
            args[1] = np.where(met, b, 1)
        elif op in ("<<", ">>"):
            met = (b >= 0) & (b < WORD.bit_length())
            args[1] = b = np.where(met, b, 0)
            if op == "<<":
                met &= np.abs(a.astype(np.float64) * np.exp2(b.astype(np.float64))) < WORD
        elif op in ("+", "*") and not self._exact:
            both = a.astype(np.float64), b.astype(np.float64)
            met = np.abs(both[0] + both[1] if op == "+" else both[0] * both[1]) < WORD
        else:
            return  # no more than what it is of, or any number
        self._valued &= np.asarray(met, dtype=bool)


@lru_cache(maxsize=4096)
def _is_far(term: Term) -> bool:
    """Return whether a number in a term does not fit a word."""
    if isinstance(term, Node):
        return any(map(_is_far, term.args))
    return isinstance(term, int) and abs(term) >= WORD


def draw(hypotheses: Sequence[Term], known: Mapping[str, _Range]) -> Points:
    """Return points at which hypotheses hold, perhaps none; `known` are the ranges of the names.

    >>> from math import inf
    >>> few = [Node("<=", 0, "i"), Node("<", "i", "N"), Node("<=", 1, "N")]
    >>> found = draw(few, {"i": (0, inf), "N": (1, inf)}).breaks(Node("<", "i", 1))
    >>> 1 <= found["i"] < found["N"]
    True
    """
    with np.errstate(all="ignore"):  # what overflows is no value
        return _Drawing(hypotheses, known).points()


class _Drawing:
    """Points while they are drawn, name after name."""

    def __init__(self, hypotheses: Sequence[Term], known: Mapping[str, _Range]) -> None:
        self._hypotheses, self._ranges = hypotheses, known
        self._random = np.random.default_rng(0)
        self._factors = frozenset[str]().union(*map(_factors, hypotheses))
        self._order = _order(hypotheses)
        #: Which of the scales a point has, and whether all numbers that may be are positive in it.
        self._scales = self._random.integers(0, len(SCALES), DRAWN)
        self._positive = self._random.integers(0, 4, DRAWN) > 0
        self._table = _Table({}, Names(), DRAWN)

    def points(self) -> Points:
        """Draw all names."""
        table = self._table
        place = {n: k for k, n in enumerate(self._order)}
        last: dict[str, list[Term]] = {}
        for h in self._hypotheses:
            said = names(h)
            if said:
                last.setdefault(max(said, key=place.__getitem__), []).append(h)
        for name in self._order:
            own = last.get(name, [])
            column = self._drawn(name, own)
            table.values[name] = column
            table.known[name] = int(column.min()), int(column.max())
            if not self._sift(own):
                return Points({}, Names(), 0)
        return Points(table.values, table.known, DRAWN)

    def _drawn(self, name: str, hypotheses: Iterable[Term]) -> Array:
        """Return values of a name, given those of the names before it."""
        low, high = self._ranges.get(name, ANY)
        least, most = (int(min(max(x, 1 - WORD), WORD - 1)) for x in (low, high))
        scale = np.array([s[name not in self._factors] for s in SCALES], dtype=np.int64)
        scale = scale[self._scales]
        lows = np.maximum(least, -scale) if most > 0 else np.maximum(least, most - scale)
        highs = np.minimum(most, np.maximum(scale, lows + scale))
        if least < 0 < most:
            lows = np.where(self._positive, 1, lows)
        for bound in (b for h in hypotheses for b in _bounds(h, name)):
            rest, valued = self._table.of(bound.rest)
            times, also = self._table.of(bound.times)
            up, down = valued & also & (times > 0), valued & also & (times < 0)
            by = np.where(times == 0, 1, times)
            if bound.equal:  # a factor below 0 turns a relation round
                up = down = up | down
            lows = np.where(up, np.maximum(lows, -(rest // by)), lows)
            highs = np.where(down, np.minimum(highs, rest // -by), highs)
        column = _column(self._random, lows, highs)
        step = max((_step(h, name) for h in hypotheses), default=1)
        return column - np.where(column % step <= column - lows, column % step, 0)

    def _sift(self, hypotheses: Iterable[Term]) -> bool:
        """Put points at which hypotheses hold in the place of others; return whether there are any.

        Those that are told apart by a name that is drawn later are no longer the same then.
        """
        table, met = self._table, np.ones(DRAWN, dtype=bool)
        for h in hypotheses:
            if not table.known.ranges.decides(h):
                held, valued = table.holds(h)
                met &= held & valued
        kept = np.flatnonzero(met)
        if len(kept) == DRAWN:
            return True
        if not len(kept):
            return False
        chosen = np.arange(DRAWN)
        chosen[~met] = kept[self._random.integers(0, len(kept), DRAWN - len(kept))]
        for n, column in table.values.items():
            table.values[n] = column = column[chosen]
            table.known[n] = int(column.min()), int(column.max())
        self._scales, self._positive = self._scales[chosen], self._positive[chosen]
        return True


class _Bound(NamedTuple):
    """A name, `times` something with the `rest` added, is at least 0, or `equal` to it."""

    times: Term
    rest: Term
    equal: bool


@lru_cache(maxsize=4096)
def _bounds(h: Term, name: str) -> tuple[_Bound, ...]:
    """Return what a hypothesis, or a part of it, says of a name that is added to others."""
    if not isinstance(h, Node):
        return ()
    if h.op in ("and", "or"):
        # What is equal in one case of some is seldom so.
        parts = (x for x in h.args if h.op == "and" or not (isinstance(x, Node) and x.op == "=="))
        return tuple(b for x in parts for b in _bounds(x, name))
    if h.op not in ("<", "<=", "=="):
        return ()
    low, high = (polynomial(x) for x in h.args)
    if low is None or high is None:
        return ()
    over = plus(plus(high, low, -1), {(): -1} if h.op == "<" else {})
    rest = {m: c for m, c in over.items() if name not in m}
    times: Polynomial = {}
    for m, c in over.items():
        if m not in rest:
            k = m.index(name)
            times[m[:k] + m[k + 1 :]] = c
    if not times or any(name in names(x) for p in (times, rest) for m in p for x in m):
        return ()
    return (_Bound(from_polynomial(times), from_polynomial(rest), h.op == "=="),)


def _step(h: Term, name: str) -> int:
    """Return what a hypothesis says that a name is a multiple of."""
    if not isinstance(h, Node) or h.op != "==" or h.args[1] != 0:
        return 1
    a = h.args[0]
    if not isinstance(a, Node) or a.op != "%" or a.args[0] != name:
        return 1
    return a.args[1] if isinstance(a.args[1], int) and a.args[1] > 0 else 1


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


def _factors(term: Term) -> frozenset[str]:
    """Return the names that a term multiplies with others."""
    if not isinstance(term, Node):
        return frozenset()
    if term.op == "*" and all(map(names, term.args)):
        return names(term)
    return frozenset[str]().union(*map(_factors, term.args))


def _order(hypotheses: Sequence[Term]) -> list[str]:
    """Return all names, those that bound others before these, as they occur otherwise."""
    found: dict[str, None] = {}
    every = list(dict.fromkeys(n for h in hypotheses for n in _in_order(h)))
    ends: dict[str, list[Term]] = {}
    for h in hypotheses:
        if isinstance(h, Node) and h.op in ("<", "<=", "=="):
            for a, b in (h.args, h.args[::-1]) if h.op == "==" else (h.args,):
                if isinstance(a, str):
                    ends.setdefault(a, []).append(b)

    def visit(name: str, path: tuple[str, ...]) -> None:
        if name in found or name in path:
            return
        for end in ends.get(name, ()):
            for other in _in_order(end):
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
