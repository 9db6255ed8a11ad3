"""Pipelines, predicates that are cleared, and rooms that are used again, in CuTe DSL kernels.

As in `test_cutedsl_accesses`, a replay in plain integers says what is untrue for some sizes.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from itertools import combinations
from typing import Any

import pytest

from symcute.frontends.cutedsl.checking import check_module
from symcute.frontends.cutedsl.special import SHARED_ALIGNMENT
from symcute.kernel.findings import PROPERTIES, Finding
from tests.full import some

from .cutedsl_modules import modules_of
from .cutedsl_shared import FOR, begun
from .test_cutedsl_accesses import ASKED, THREADS, Case

TILE, STAGES, BLOCKS, NEVER = 512, 3, 4, 1 << 20


class Thread:
    """What a thread does: (how, array, first element, count, first phase, last phase)."""

    def __init__(self) -> None:
        self.events: list[list[Any]] = []
        self.phase, self.groups = 0, [[]]  # type: tuple[int, list[list[list[Any]]]]

    def touch(self, how: str, array: str, element: int, count: int = 1) -> None:
        self.events.append([how, array, element, count, self.phase, self.phase])

    def late(self, how: str, array: str, element: int, count: int) -> None:
        self.events.append([how, array, element, count, self.phase, NEVER])
        self.groups[-1].append(self.events[-1])

    def commit(self) -> None:
        self.groups.append([])

    def wait(self, groups: int) -> None:
        """Wait for all groups that are made but the last ones."""
        done, self.groups = self.groups[: -1 - groups], self.groups[-1 - groups :]
        for event in (e for group in done for e in group):
            event[-1] = self.phase

    def barrier(self) -> None:
        self.phase += 1


def staged(way: str, t: int, n: int) -> Thread:
    run, tiles = Thread(), -(-n // TILE)
    first = n - tiles * TILE

    def fetch(tile: int, stage: int, may: bool) -> None:
        if may:
            run.late("read", "a", first + tile * TILE + 4 * t, 4)
            run.late("write", "s", stage * TILE + 4 * t, 4)

    def together() -> None:
        if way not in ("no barrier", "a number for half"):  # of which any half may be
            run.barrier()

    fetch(0, 0, way == "the first tile whole" or first + 4 * t > -1)
    run.commit()
    fetch(1, 1, tiles > 1 or way == "not cleared")
    run.commit()
    may = tiles >= STAGES or way == "not cleared"
    index, read, write, here = 2, 0, STAGES - 1, 0
    run.wait(STAGES - 2)
    together()
    for _ in range(tiles):
        for block in range(BLOCKS):
            if block == BLOCKS - 1:
                here = read
                if way != "no wait":
                    run.wait(STAGES - 1 if way == "one group too many" else STAGES - 2)
                together()
            run.touch("read", "s", here * TILE + 4 * (THREADS - 1 - t) + (block + 1) % BLOCKS)
            if t < n:
                run.touch("write", "b", t)
            if block == 0:
                fetch(index, write, may)
                run.commit()
                write, read = read, (read + 1) % STAGES
                last = tiles + (way == "a tile too many")
                index = index + 1 if index + 1 < last else int(way != "the first tile again")
    run.wait(0)
    return run


def again(way: str, t: int, n: int) -> Thread:
    run = Thread()

    def turned(element: int) -> int:
        byte = 4 * element
        return (byte ^ (byte >> 7 & 3) << 4) // 4

    def together(missing: str) -> None:
        if way != missing:
            run.barrier()

    run.touch("write", "s", t)
    together("no barrier before")
    run.touch("read", "s", THREADS - 1 - t)
    if t < n:
        run.touch("write", "b", t)
    together("no barrier between")
    run.touch("write", "s", turned(t + (way == "one too far")))
    together("no barrier behind")
    run.touch("read", "s", turned(THREADS - 1 - t))
    if t < n:
        run.touch("write", "b", t)
    return run


REPLAYS: dict[str, Callable[[str, int, int], Thread]] = {"staged": staged, "again": again}
ROOMS = {"staged": STAGES * TILE, "again": THREADS}
SIZES = [4 * n for n in (1, 5, 32, 127, 128, 129, 256, 257, 385, 513, 700)]
CASES = [
    *(Case("staged", "fours", way) for way in (
        "right", "no wait", "no barrier", "a number for half", "one group too many", "not cleared",
        "the first tile whole", "a tile too many", "the first tile again")),
    *(Case("again", "fours", way) for way in (
        "right", "no barrier before", "no barrier between", "no barrier behind", "one too far")),
]  # fmt: skip
#: What is untrue and not refuted: whose order, or whose places, are not followed.
OPEN = {
    ("staged", "a number for half", "read_write_race_free"),
    ("again", "no barrier between", "read_write_race_free"),
}


def untrue(case: Case) -> set[str]:
    """The properties that do not hold for some sizes."""
    return {name for n in SIZES for name in _untrue_at(case, n)}


def _untrue_at(case: Case, n: int) -> set[str]:
    extents = {"a": n, "b": n, "s": ROOMS[case.family]}
    found: set[str] = set()
    touched: dict[tuple[str, int], dict[tuple[int, str, int, int], None]] = {}
    for t in range(THREADS):
        for how, array, element, count, first, last in REPLAYS[case.family](case.way, t, n).events:
            if element < 0 or element + count > extents[array]:
                found.add("in_bounds")
            if count > 1 and element % count:
                found.add("aligned")
            for k in range(element, element + count):
                touched.setdefault((array, k), {})[t, how, first, last] = None
    for each in touched.values():
        for (one, how, first, last), (other, way, begin, end) in combinations(each, 2):
            own = one == other and first == last  # in the order of the thread
            if not own and "write" in (how, way) and first <= end and begin <= last:
                found.add("write_race_free" if how == way else "read_write_race_free")
    return found


EXCHANGED = [Case("exchanged", "matrix", way) for way in ("right", "not exchanged")]
VECTORS = (("a", ("N",)), ("b", ("N",)))
#: A number that the host chooses, and what is untrue of a kernel that rests on it.
#: One of five blocks more copies a tile: the host never chooses so many.
CHOSEN = {
    "right": "",
    "one of five": "",
    "all of them": "write_race_free",
    "too many": "launch_valid",
}


@cache
def modules() -> dict[str, Any]:
    every = [*CASES, *(Case("chosen", "fours", way) for way in CHOSEN), *EXCHANGED]
    return modules_of("cutedsl_stages", {f"{c.family}, {c.way}": c for c in every})


def told(case: Case, tensors: Any = VECTORS) -> list[Finding]:
    text = modules()[f"{case.family}, {case.way}"]
    assert isinstance(text, str), text
    found = check_module(text, kernel="host", tensors=tensors)
    return [f for f in found if f.property in PROPERTIES and f.kernel != "host"]


@pytest.mark.parametrize("case", some(CASES, 6), ids=lambda c: f"{c.family}: {c.way}")
def test_what_is_untrue_is_refuted_and_all_else_is_proved(case: Case) -> None:
    found, wrong = told(case), untrue(case)
    assert (case.way == "right") is not bool(wrong)
    order = ("refuted", "unknown", "proved", "not applicable")
    for name in ASKED:
        worst = min((f.status for f in found if f.property == name), key=order.index)
        if (case.family, case.way, name) in OPEN:
            assert name in wrong and worst == "unknown", (name, found)
        elif name in wrong:
            assert worst == "refuted", (name, found)
        elif case.way == "a number for half" and name == "barrier_uniform":
            assert worst == "unknown"
        else:
            assert worst in ("proved", "not applicable"), (name, found)


@pytest.mark.parametrize("way", some([*CHOSEN], 3))
def test_what_the_host_chooses_is_known(way: str) -> None:
    for f in told(Case("chosen", "fours", way)):
        expected = ("refuted",) if f.property == CHOSEN[way] else ("proved", "not applicable")
        assert f.status in expected, f


@pytest.mark.parametrize("case", some(EXCHANGED, 2), ids=lambda c: c.way)
def test_tiles_whose_numbers_are_exchanged_are_seen_where_they_lie(case: Case) -> None:
    right = case.way == "right"
    found = {f.property: f.status for f in told(case, (("b", ("M", "N", "lda")),))}
    assert found["in_bounds"] == ("proved" if right else "refuted")
    assert found["write_race_free"] == ("proved" if right else "refuted")


@pytest.mark.parametrize("architecture", FOR)
def test_shared_memory_begins_where_ptx_says(architecture: str) -> None:
    assert begun()[architecture] == f".align {SHARED_ALIGNMENT}"
