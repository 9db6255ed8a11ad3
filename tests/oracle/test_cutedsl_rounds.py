"""Loops of CuTe DSL that go on while a condition holds, as schedulers of tiles do.

A replay in plain integers says what is untrue for some sizes: that is never proved, and what is
true of all of them never refuted.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from itertools import combinations
from typing import Any

import pytest

from symcute.frontends.cutedsl.checking import check_module
from symcute.kernel.findings import PROPERTIES, verdict_of

from .cutedsl_modules import modules_of
from .test_cutedsl_accesses import ASKED, Case

THREADS, BLOCKS = 32, 2
SIZES = (1, 31, 32, 33, 64, 65, 100, 128, 129)
WAYS = (
    "right", "no predicate", "one too far", "no barrier between", "no barrier behind",
    "the next block's too", "as each thread may",
)  # fmt: skip
#: How many of the properties of all ways are decided at least.
DECIDED = 41


def events(way: str, block: int, t: int, n: int) -> list[tuple[str, str, int]]:
    """What a thread does: an access of an array at an element, or a barrier."""
    found: list[tuple[str, str, int]] = []
    tile = block
    own = t if way == "as each thread may" else 0
    while tile * THREADS + own < n:
        found.append(("write", "room", t))
        if way != "no barrier between":
            found.append(("barrier", "", 0))
        found.append(("read", "room", THREADS - 1 - t))
        if way != "no barrier behind":
            found.append(("barrier", "", 0))
        i = tile * THREADS + t
        if i < n or way == "no predicate" or (way == "one too far" and i == n):
            found.append(("write", "b", i))
        tile += 1 if way == "the next block's too" else BLOCKS
    return found


def untrue(way: str) -> set[str]:
    """The properties that do not hold for some sizes."""
    return {name for n in SIZES for name in untrue_at(way, n)}


def untrue_at(way: str, n: int) -> set[str]:
    found: set[str] = set()
    touched: dict[tuple[str, int], set[tuple[int, int, int, str]]] = {}
    for block in range(BLOCKS):
        barriers = set()
        for t in range(THREADS):
            phase = 0
            for how, array, element in events(way, block, t, n):
                phase += how == "barrier"
                if how == "barrier":
                    continue
                if array == "b" and element >= n:
                    found.add("in_bounds")
                where = array if array == "b" else f"room of {block}"
                touched.setdefault((where, element), set()).add((block, t, phase, how))
            barriers.add(phase)
        if len(barriers) > 1:
            found.add("barrier_uniform")
    for each in touched.values():
        for (b, t, phase, how), (other, u, then, way_) in combinations(each, 2):
            at_once = b != other or (t != u and phase == then)
            if at_once and "write" in (how, way_):
                found.add("write_race_free" if how == way_ else "read_write_race_free")
    return found


@cache
def modules() -> dict[str, Any]:
    return modules_of("cutedsl_rounds", {way: Case("strided", "vector", way) for way in WAYS})


@cache
def told(way: str) -> Mapping[str, str]:
    """The worst that is found of each property."""
    text = modules()[way]
    assert isinstance(text, str), text
    found = check_module(text, kernel="host", tensors=(("b", ("N",)),))
    return verdict_of(f for f in found if f.property in PROPERTIES and f.kernel != "host")


def test_modules_have_such_loops() -> None:
    assert all('"scf.while"' in text for text in modules().values())


@pytest.mark.parametrize("way", WAYS)
def test_no_verdict_is_wrong(way: str) -> None:
    wrong = untrue(way)
    assert (way == "right") is not bool(wrong)
    for name in ASKED:
        assert told(way)[name] != ("proved" if name in wrong else "refuted"), (name, told(way))


def test_so_many_are_decided() -> None:
    verdicts = [told(way)[name] for way in WAYS for name in ASKED]
    assert sum(x != "unknown" for x in verdicts) >= DECIDED
