"""What the accesses of a launch violate, and where."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import gcd
from typing import Any

import numpy as np

from .memory import Access, Array, Memory

Numbers = np.ndarray[Any, Any]


def faults(memory: Memory) -> dict[str, str]:
    """Return the properties that are violated, each with what shows it."""
    found: dict[str, str] = {}
    if memory.stray:
        found["in_bounds"] = memory.stray
    for a in memory.accesses:
        outside = (a.at < 0) | (a.at > a.array.size - a.width)
        if outside.any():
            found.setdefault(
                "in_bounds", f"{_told(a, int(a.at[outside][0]))} of {a.array.size} bytes"
            )
        crooked = (a.array.start + a.at) % a.width != 0
        if crooked.any():
            found.setdefault("aligned", _told(a, int(a.at[crooked][0])))
        if a.kind == "write":
            order = np.sort(a.at)
            near = np.flatnonzero(np.diff(order) < a.width)
            if near.size:
                found.setdefault(
                    "write_race_free", f"{_told(a, int(order[near[0]]))} twice in one store"
                )
    for array in memory.arrays.values():
        for name, why in _races([a for a in memory.accesses if a.array is array]):
            found.setdefault(name, why)
    return found


def _told(a: Access, at: int) -> str:
    return f"line {a.line}: program {a.program} {a.kind}s {a.array.name} at byte {at}"


def _cells(accesses: Sequence[Access]) -> tuple[Numbers, Numbers, Numbers, int]:
    """All that is touched, in units: the unit's number, its access's, its lane, and the unit."""
    unit, shapes = 0, dict[tuple[int, ...], int]()
    for a in accesses:
        unit = gcd(unit, a.width, int(np.gcd.reduce(a.at)) if a.at.size else 0)
    cells, which, lanes = [], [], []
    for k, a in enumerate(accesses):
        spots = (a.at // unit)[:, None] + np.arange(a.width // unit)
        cells.append(spots.ravel())
        which.append(np.full(spots.size, k))
        shape = shapes.setdefault(a.shape, len(shapes))
        lanes.append(np.repeat(a.lanes + (shape << 40), a.width // unit))
    return np.concatenate(cells), np.concatenate(which), np.concatenate(lanes), unit


def _races(accesses: Sequence[Access]) -> Iterable[tuple[str, str]]:
    """Yield the races on an array: between programs, and between the lanes of one.

    A lane is an element of a tensor of pointers of some shape; within a program a barrier orders
    all that comes before it and all that comes after.
    """
    accesses = [a for a in accesses if a.at.size]
    if all(a.kind == "read" for a in accesses):
        return
    cells, which, lanes, unit = _cells(accesses)
    kinds = np.array([_CODES[a.kind] for a in accesses])[which]
    programs = np.array([a.program for a in accesses])[which]
    phases = np.array([a.barriers for a in accesses])[which]
    for group, actors, what in (
        (cells[:, None], programs, "programs"),
        (np.stack([cells, programs, phases], axis=1), lanes, "lanes"),
    ):
        places, place = np.unique(group, axis=0, return_inverse=True)
        place = place.ravel()
        read, write, atomic, own = (_ends(place, actors, kinds == k, len(places)) for k in range(4))
        if what == "lanes":
            atomic, own = _either(atomic, own), _ends(place, actors, kinds < 0, len(places))
        raced = {
            "write_race_free": _apart(write) | _apart(own) | _meet(write, atomic)
            | _meet(own, atomic) | _meet(own, write),
            "read_write_race_free": _meet(read, _either(write, atomic, own)),
        }  # fmt: skip
        for name, bad in raced.items():
            for spot in np.flatnonzero(bad)[:1]:
                there = place == spot
                who = sorted({int(k) & (1 << 40) - 1 for k in actors[there]})[:4]
                lines = sorted({accesses[k].line for k in which[there].tolist()})[:4]
                at = int(places[spot][0]) * unit
                yield name, f"{accesses[0].array.name} at byte {at}: {what} {who}, lines {lines}"


_CODES = {"read": 0, "write": 1, "atomic": 2, "own atomic": 3}
_NONE = 1 << 60
Ends = tuple[Numbers, Numbers]


def _ends(cell: Numbers, programs: Numbers, chosen: Numbers, count: int) -> Ends:
    """The first and the last program of each place; the first is above the last where none is."""
    low, high = np.full(count, _NONE), np.full(count, -1)
    np.minimum.at(low, cell[chosen], programs[chosen])
    np.maximum.at(high, cell[chosen], programs[chosen])
    return low, high


def _either(*ends: Ends) -> Ends:
    lows, highs = zip(*ends, strict=True)
    return np.minimum.reduce(lows), np.maximum.reduce(highs)


def _apart(ends: Ends) -> Numbers:
    return (ends[1] >= 0) & (ends[0] != ends[1])


def _meet(a: Ends, b: Ends) -> Numbers:
    """Where a program of each is, and not only one in all."""
    low, high = _either(a, b)
    return (a[1] >= 0) & (b[1] >= 0) & (low != high)


def uncovered(memory: Memory, array: Array, elements: Iterable[int] | None) -> str:
    """What is not written exactly once: the elements of a layout, or all there are."""
    item = array.dtype.itemsize
    wanted = np.fromiter(range(array.size // item) if elements is None else elements, np.int64)
    spots = [np.arange(a.width) + a.at[:, None] for a in memory.accesses
             if a.array is array and a.kind != "read"]  # fmt: skip
    bytes_ = np.concatenate([s.ravel() for s in spots]) if spots else np.zeros(0, np.int64)
    touched, counts = np.unique(bytes_, return_counts=True)
    needed = np.unique((wanted[:, None] * item + np.arange(item)).ravel())
    if np.array_equal(touched, needed) and np.all(counts == 1):
        return ""
    if missing := sorted(set(needed.tolist()) - set(touched.tolist())):
        return f"byte {missing[0]} of {array.name} is not written"
    if extra := sorted(set(touched.tolist()) - set(needed.tolist())):
        return f"byte {extra[0]} of {array.name} is written and should not be"
    return f"byte {int(touched[counts > 1][0])} of {array.name} is written more than once"
