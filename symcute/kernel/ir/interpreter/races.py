"""Races among the accesses of an execution."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping
from heapq import merge
from math import gcd
from typing import TypeAlias

from symcute.kernel.ir.interpreter.mbarriers import Stamp, is_before
from symcute.kernel.ir.interpreter.trace import Coordinate, Race, Touch
from symcute.kernel.ir.place import Place
from symcute.kernel.ir.program import Array
from symcute.kernel.ir.semantics import atomic_to

__all__ = ["find_races", "ordered"]


#: A place with what is done there, and for atomic accesses in which scope and how much at once.
_Way: TypeAlias = tuple[Place, str, str, int]
#: Memory that all blocks share.
_COMMON = ("global", "constant")


def ordered(a: Touch, b: Touch, space: str) -> bool:
    """Return whether one of two accesses to an array comes before the other, for all that is known.

    A thread orders its own. A barrier orders those of a block, one of a warp those of the warp, and
    mbarriers those before arrivals of a phase and those behind a wait for it; only a barrier of the
    grid orders different blocks, which meet in global memory (and constant, which is a part of it)
    only. What moves elements among the threads of a block may order them.
    """
    if a.grid != b.grid:
        return True
    if a.block != b.block:
        return space not in _COMMON
    if a.thread == b.thread or space in ("private", "argument"):
        return True
    if (a.epoch, a.moves) != (b.epoch, b.moves) or (
        a.warp[0] == b.warp[0] and a.warp[1] != b.warp[1]
    ):
        return True
    return is_before(a.stamp, b.stamp) or is_before(b.stamp, a.stamp)


class _Strand:
    """What one thread did between two barriers, with its rank among all that is asked about.

    By what mbarriers hand on, what comes before an access of another thread is the first part of
    it, and what comes behind that the last: points and what was seen only grow.
    """

    def __init__(self) -> None:
        self.touches: list[tuple[int, Touch]] = []

    def beside(self, a: Touch, space: str) -> list[tuple[int, Touch]]:
        """Return those that are not ordered with an access."""
        if a.stamp is None or self.touches[0][1].stamp is None:
            return [x for x in self.touches if not ordered(a, x[1], space)]
        if ordered(a._replace(stamp=None), self.touches[0][1], space):  # by more than mbarriers
            return []
        own, points = a.stamp.number, a.stamp.points
        seen = a.stamp.seen[self.touches[0][1].stamp.number]
        low = bisect_left(self.touches, seen, key=lambda x: _stamp(x).points)
        high = bisect_right(self.touches, points, lo=low, key=lambda x: _stamp(x).seen[own])
        return self.touches[low:high]


def _stamp(ranked: tuple[int, Touch]) -> Stamp:
    stamp = ranked[1].stamp
    assert stamp is not None
    return stamp


def find_races(touches: Iterable[Touch], arrays: Mapping[str, Array]) -> list[Race]:
    """Return the races, one for every pair of places and kinds, in the order of the execution."""
    by_array: dict[str, list[Touch]] = {}
    for t in touches:
        by_array.setdefault(t.array, []).append(t)
    found: dict[frozenset[_Way], Race] = {}
    for name, group in by_array.items():
        space = arrays[name].space
        if space in (*_COMMON, "shared") and any(t.kind != "read" for t in group):
            for cell in _cells(group, space):
                _search(cell, space, found)
    return list(found.values())


def _cells(group: list[Touch], space: str) -> Iterator[list[Touch]]:
    """Yield accesses of several threads to a unit of memory, one a write, that may be unordered."""
    unit = 0
    for t in group:
        unit = gcd(unit, t.offset, t.width)
    blocks = {t.block for t in group}
    cells: dict[object, list[Touch]] = {}
    for t in group:
        # What a barrier orders cannot race: a cell is memory, in a stretch between barriers.
        apart: object = (t.block, t.grid, t.epoch)
        if space in _COMMON and len(blocks) > 1:
            apart = t.grid
        for k in range(t.offset // unit, (t.offset + t.width) // unit):
            cells.setdefault((k, apart), []).append(t)
    for cell in cells.values():
        first = cell[0]
        if any(t.kind != "read" for t in cell) and any(
            t.thread != first.thread or t.block != first.block for t in cell
        ):
            yield cell


def _search(cell: list[Touch], space: str, found: dict[frozenset[_Way], Race]) -> None:
    groups: dict[_Way, dict[object, Touch]] = {}
    for t in cell:
        alike = (t.block, t.thread, t.grid, t.epoch, t.warp, t.value, t.offset, t.stamp, t.moves)
        groups.setdefault((t.place, t.kind, t.scope, t.unit), {}).setdefault(alike, t)
    blocks = {t.block for t in cell}
    keys = list(groups)
    for i, a in enumerate(keys):
        for b in keys[i:]:
            if a[1] == b[1] == "read":
                continue
            if atomic_to(a[2], b[2], len(blocks) == 1) and a[3] == b[3]:
                starts = {t.offset % a[3] for k in (a, b) for t in groups[k].values()}
                if len(starts) == 1:
                    continue  # all of them, in a quicker way than pair by pair
            known = found.get(frozenset((a, b)))
            if known is not None and not known.same_value:
                continue
            race = _meet(list(groups[a].values()), list(groups[b].values()), space)
            if race is not None and (known is None or not race.same_value):
                found[frozenset((a, b))] = race


def _atomic(a: Touch, b: Touch) -> bool:
    """Return whether two accesses are atomic to each other: their units are the same or apart."""
    same = a.unit == b.unit and (a.offset - b.offset) % a.unit == 0
    return same and atomic_to(a.scope, b.scope, a.block == b.block)


def _meet(first: list[Touch], second: list[Touch], space: str) -> Race | None:
    """Return a race between two groups, rather one that is not of the same value."""
    values = {t.value for t in first} | {t.value for t in second}
    same_anyway = len(values) == 1 and None not in values
    by_time: dict[tuple[Coordinate, int], dict[object, _Strand]] = {}
    for rank, t in enumerate(second):
        strands = by_time.setdefault((t.block, t.epoch), {})
        alone = t.stamp and (t.thread, t.grid, t.warp, t.moves)
        strands.setdefault(alone, _Strand()).touches.append((rank, t))
    mild = None
    for a in first:
        for (block, epoch), strands in by_time.items():
            if (a.block != block and space not in _COMMON) or (
                a.block == block and a.epoch != epoch
            ):
                continue
            beside = [x for strand in strands.values() if (x := strand.beside(a, space))]
            for _, b in merge(*beside):
                if not _atomic(a, b):
                    if a.kind != b.kind or a.value is None or a.value != b.value:
                        return Race(a, b, False)
                    if same_anyway:
                        return Race(a, b, True)
                    mild = mild or Race(a, b, True)
    return mild
