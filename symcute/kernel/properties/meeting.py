"""Points of two accesses at which different threads touch the same unit of memory."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import lru_cache

import numpy as np

from symcute.expr import limits
from symcute.expr.node import Term
from symcute.expr.ranges import Names, ranges_under
from symcute.expr.terms import from_polynomial, names, polynomial
from symcute.solve.enumeration import Array, TooLarge, points_where, vector

__all__ = ["model_at", "points_meeting", "points_of", "ranges_from", "small", "without_common"]

#: A number with more values than this is not enumerated.
FEW_VALUES = 1 << 14


def points_meeting(
    first: Mapping[str, Array],
    second: Mapping[str, Array],
    widths: tuple[int, int],
    key: Sequence[str],
    differ: Sequence[str],
) -> tuple[int, int] | None:
    """Return a point of each at which different threads touch the same unit, or None."""
    cells, threads, at = [], [], []
    for values, width in zip((first, second), widths, strict=True):
        count = len(values["@offset"])
        units = (values["@offset"][:, None] + np.arange(width)[None, :]).ravel()
        at.append(np.repeat(np.arange(count), width))
        cells.append([*(np.repeat(values[n], width) for n in key), units])
        threads.append([np.repeat(values[n], width) for n in differ])
    limits.spend((len(cells[0][0]) + len(cells[1][0])) // 2 if cells[0] else 1)
    cell_a, cell_b = _numbered(cells)
    who_a, who_b = _numbered(threads)
    if not len(cell_a) or not len(cell_b):
        return None
    order = np.lexsort((who_b, cell_b))
    cell_b, who_b, at_b = cell_b[order], who_b[order], at[1][order]
    low = np.searchsorted(cell_b, cell_a, side="left")
    high = np.searchsorted(cell_b, cell_a, side="right") - 1
    found = low <= high
    for end in (low, high):
        inside = np.minimum(end, len(cell_b) - 1)
        hits = np.flatnonzero(found & (who_b[inside] != who_a))
        if hits.size:
            k = int(hits[0])
            return int(at[0][k]), int(at_b[inside[k]])
    return None


def model_at(
    columns: tuple[Mapping[str, Array], Mapping[str, Array]], at: tuple[int, int],
    shared: Collection[str],
) -> dict[str, int]:  # fmt: skip
    """Return the values at a point of each of two threads, whose own names get their numbers."""
    found: dict[str, int] = {}
    for values, k, who in zip(columns, at, (1, 2), strict=True):
        for n, column in values.items():
            if n != "@offset":
                found[n if n in shared else f"{n}__{who}"] = int(column[k])
    return found


def _numbered(groups: Sequence[Sequence[Array]]) -> tuple[Array, Array]:
    """Return rows of columns, in two groups, as one number each: equal rows get equal numbers."""
    count = len(groups[0][0]) if groups[0] else 0
    if not groups[0]:
        return np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64)
    joined = [np.concatenate(pair) for pair in zip(*groups, strict=True)]
    total = np.zeros(len(joined[0]), dtype=np.int64)
    room = 1
    for column in joined:
        if not len(column):
            break
        low, high = int(column.min()), int(column.max())
        room *= high - low + 1
        if room >= 1 << 62:
            raise TooLarge("too many cells")
        total = total * (high - low + 1) + (column - low)
    return total[:count], total[count:]


def without_common(x: Term, y: Term, shared: Collection[str]) -> tuple[Term, Term]:
    """Return two sums less the addends that both have and that are the same for both threads."""
    p, q = polynomial(x), polynomial(y)
    if p is None or q is None:
        return x, y
    for m in set(p) & set(q):
        if p[m] == q[m] and all(names(atom) <= set(shared) for atom in m):
            del p[m], q[m]
    return from_polynomial(p), from_polynomial(q)


def points_of(
    offset: Term, hypotheses: list[Term], always: int, key: Sequence[str], own: Collection[str],
    limit: int,
) -> tuple[dict[str, Array], bool]:  # fmt: skip
    """Return offset, shared values (`key`) and `own` ones where an access may happen.

    Also whether all hypotheses were looked at that speak of the names there. The first of them, so
    many, `always` hold.
    """
    known, plain = ranges_from((*hypotheses,), always), small(hypotheses, always)
    wanted = {*own}.union(key, names(offset))
    if not wanted <= plain:
        raise TooLarge("numbers without constant ranges")
    used = [h for h in hypotheses if names(h) <= plain and names(h) & wanted]
    more = wanted.union(*map(names, used))
    if _count_of(more, known) <= limit:
        wanted = more
    else:
        used = [h for h in used if names(h) <= wanted]
    order = [*key, *sorted(wanted - set(key))]
    found, size = points_where(used, order, known, limit)
    found["@offset"] = vector(offset, found, known, size)
    return found, all(h in used or not names(h) & wanted for h in hypotheses)


def small(hypotheses: Iterable[Term], always: int) -> set[str]:
    """Return the names that hypotheses give few values."""
    known = ranges_from((*hypotheses,), always)
    return {n for n, (low, high) in known.items() if high - low < FEW_VALUES}


def _count_of(wanted: Iterable[str], known: Names) -> int:
    """Return how many points the ranges of names have."""
    total = 1
    for n in wanted:
        low, high = known[n]
        total *= max(0, int(high) - int(low) + 1)
    return total


@lru_cache(maxsize=64)
def ranges_from(hypotheses: tuple[Term, ...], first: int) -> Names:
    """Return the ranges of names, starting from those under the first hypotheses."""
    if not 0 < first < len(hypotheses):
        return ranges_under(hypotheses)
    return ranges_under(hypotheses, ranges_from(hypotheses[:first], 0), first)
