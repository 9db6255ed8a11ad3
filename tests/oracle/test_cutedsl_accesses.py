"""What threads of CuTe DSL kernels access, right beside false neighbours, against plain integers.

A replay lists the accesses of each thread for sizes that are numbers, and knows nothing of the
package: what is untrue for some sizes must not be proved, and what holds for all must not be
refuted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from typing import Any, NamedTuple

import pytest

from symcute.frontends.cutedsl.checking import check_module
from symcute.kernel.findings import PROPERTIES, Finding
from tests.full import some

from ..full import full
from .cutedsl_modules import modules_of

THREADS = 128


@dataclass(frozen=True)
class Case:
    """A kernel of `accesses.py`, `predicates.py` or `widths.py`, and how it is right or wrong."""

    family: str
    tensors: str
    way: str


class Event(NamedTuple):
    """An access of so many elements, in the phases from one to another; a barrier; or a sum that
    leaves its type."""

    kind: str
    array: str = ""
    element: int = 0
    count: int = 1
    #: How many phases later it may still happen; of an asynchronous copy that is not waited for.
    late: int = 0


BARRIER, WRAPS = Event("barrier"), Event("wraps")
Events = Iterator[Event]


def read(array: str, element: int, count: int = 1) -> Event:
    return Event("read", array, element, count)


def write(array: str, element: int, count: int = 1, late: int = 0) -> Event:
    return Event("write", array, element, count, late)


# --- the replay -----------------------------------------------------------------------------------


def elements(way: str, t: int, block: int, n: int) -> Events:
    i = block * THREADS + t
    runs = {
        "guarded": i < n, "one too far": i <= n, "both sides": 0 <= i < n,
        "not the other side": i < n, "either": i < n or t < 4, "shifted": i + 1 < n,
        "shifted without": i < n, "halved": i < n, "in place": i + 1 < n, "none": True,
    }[way]  # fmt: skip
    if runs:
        shift = way in ("shifted", "shifted without", "in place")
        yield read("b" if way == "in place" else "a", i + shift)
        yield write("b", i // 2 if way == "halved" else i)


def tiles(way: str, t: int, block: int, m: int, n: int, lda: int, ldb: int) -> Events:
    rows = -(-m // 16)
    bm, bn = block % rows, block // rows
    tm, tn = divmod(t, 16)
    if way == "doubled":  # layout (8,16):(16,0) gives threads that differ in 16 one share
        tm, tn = t % 8, 0
    places = [(bm * 16 + 2 * tm + j, bn * 32 + 2 * tn + i) for i in range(2) for j in range(2)]
    allowed = {
        "rows": lambda x, y: x < m, "columns": lambda x, y: y < n,
        "turned": lambda x, y: x < n and y < m, "one too far": lambda x, y: x < m and y < n + 1,
    }.get(way, lambda x, y: x < m and y < n)  # fmt: skip
    for x, y in places:
        if way == "only stores" or allowed(x, y):
            yield read("a", x * lda + y)
    for x, y in places:
        if way == "only loads" or allowed(x, y):
            yield write("b", x * ldb + y)


def fours(way: str, t: int, block: int, n: int) -> Events:
    i = block * THREADS + t
    start, runs = {
        "whole": (4 * i, 4 * i + 4 <= n), "begun": (4 * i, 4 * i < n),
        "by threes": (3 * i, 3 * i + 4 <= n),
    }[way]  # fmt: skip
    if runs:
        yield read("a", start, 4)
        yield write("b", start, 4)


def turning(way: str, t: int, block: int, n: int) -> Events:
    if way in ("in turns", "in turns, one barrier"):
        for k in range(-(-n // THREADS)):
            if k * THREADS + t < n:
                yield read("a", k * THREADS + t)
                yield write("s", t)
            yield BARRIER
            if k * THREADS + t < n:
                yield read("s", THREADS - 1 - t)
                yield write("b", k * THREADS + t)
            if way == "in turns":
                yield BARRIER
        return
    if way == "one turn too many":
        for k in range(n // THREADS + 1):
            yield read("a", k * THREADS + t)
            yield write("b", k * THREADS + t)
        return
    if way == "divergent":
        if t < 64:
            yield from (read("a", 0), write("s", t), BARRIER)
        yield from (read("s", THREADS - 1 - t), write("b", t % n))
        return
    yield read("a", 0)
    yield write("s", t + (way == "too far"))
    # Threads that wait at a barrier of another number are not those that are waited for.
    if way not in ("no barrier", "its own") and (way != "barriers of several numbers" or t < 64):
        yield BARRIER
    if t < n:
        yield read("s", t if way == "its own" else THREADS - 1 - t)
        yield write("b", t)


def late(way: str, t: int, block: int, n: int) -> Events:
    other = THREADS - 1 - t
    if way == "unguarded" or 4 * t + 4 <= n:
        yield read("a", 4 * t, 4)
        yield write("s", 4 * t, 4, late=way in ("no wait", "one group left", "waits behind"))
    if way != "no barrier":
        yield BARRIER
    if other < n:
        yield read("s", 4 * other)
        yield write("b", other)


def piped(way: str, t: int, block: int, n: int) -> Events:
    tiles, stages = n // 512, 2 if way == "a stage too few" else 3
    barriers = way != "no barrier"
    behind = way in ("one group too many", "the wait behind the barrier")

    def copy(j: int) -> Events:
        """Tile j, which the wait of round j covers, or that of the next one."""
        begin = max(0, j - 1)
        end = j + behind
        if way == "groups of tiles alone" and 0 < j == tiles - 1:
            end = 1 << 20  # no other group is behind its own
        if way == "no wait":
            end = 1 << 20
        yield read("a", j * 512 + 4 * t, 4)
        yield write("s", j % stages * 512 + 4 * t, 4, late=(end - begin) * barriers)

    for j in range(min(2, tiles)):
        yield from copy(j)
    for k in range(tiles):
        if barriers:
            yield BARRIER
        if k + 2 < tiles:
            yield from copy(k + 2)
        yield read("s", k % stages * 512 + 4 * (THREADS - 1 - t))
        yield write("b", k * THREADS + t)


def filled(way: str, t: int, block: int, n: int) -> Events:
    held = {(i, j): t * 8 + i * 4 + j < n for i in range(2) for j in range(4)}
    match way:
        case "rows exchanged":
            held = {(i, j): t * 8 + (1 - i) * 4 + j < n for i, j in held}
        case "by columns":  # elements are numbered with the first coordinate fastest
            held = {(i, j): t * 8 + i + 2 * j < n for i, j in held}
        case "half of them":
            held = {(i, j): i + 2 * j < 4 and t * 8 + i + 2 * j < n for i, j in held}
        case "one more":
            held[1, 3] = True
        case "one less":
            held[1, 3] = False
        case "one by one, wrong":
            held = {(i, j): t * 8 + i * 4 + (j if j < 3 else 0) < n for i, j in held}
        case "none if short" | "all if short" if n < 64:
            held = dict.fromkeys(held, way.startswith("all"))
        case "of the last round" | "of a round too late":
            late = 2 if way == "of the last round" else -2
            held = {(i, j): t * 8 + i * 4 + j + late < n for i, j in held}
        case "and the other end":  # of two that store, the later one: of i and 7 - i
            held = {(i, j): _odd(t, i + 2 * j, n) if i + 2 * j > 3 else True for i, j in held}
        case "and the first":
            held = {(i, j): i + j == 0 or _odd(t, i + 2 * j, n) for i, j in held}
        case "and some more":
            held = {(i, j): i + 2 * j > 4 or x for (i, j), x in held.items()}
        case "of what a loop carries" | "of what a loop carries, too little":
            step = 8 if way.endswith("little") else -8
            steps = {(i, j): 1 + i + 2 * j for i, j in held}
            held = {c: t * 8 - 8 * step + step * k + k - 1 < n for c, k in steps.items()}
        case "one above the other":
            last: dict[int, bool] = {}
            for i, j in sorted(held):
                last[i + j] = t * 8 + i * 4 + j < n
            held = {(i, j): last[i + j] for i, j in held}
    for kind in ("read", "write"):
        for (i, j), asked in held.items():
            if asked:
                yield Event(kind, "a" if kind == "read" else "b", t * 8 + i * 4 + j)


def _odd(t: int, i: int, n: int) -> bool:
    return t * 8 + i // 2 + 4 * (i % 2) < n


def wrapped(x: int, bits: int) -> int:
    return (x + 2 ** (bits - 1)) % 2**bits - 2 ** (bits - 1)


def far(way: str, t: int, block: int, m: int, n: int, lda: int, ldb: int) -> Events:
    row, column = block, t
    if way == "there and back":
        row, column = block * THREADS + t, 0
        if row >= n:
            return
    # What has 32 bits is summed in as many, and widened then.
    narrow = wrapped(row * 4096 + column, 32)
    places = {
        "rows": (narrow, narrow), "widened too late": (narrow, narrow),
        "rows of 64 bits": (row * 4096 + column,) * 2, "widened": (row * 4096 + column,) * 2,
        "there and back": (narrow, wrapped(wrapped(row * 65536, 32) // 65536 * 4096, 32)),
    }  # fmt: skip
    source, target = places[way]
    if (source, target) != (row * 4096 + column,) * 2:
        yield WRAPS
    yield from (read("a", source), write("b", target))


def shifted(way: str, t: int, block: int, n: int) -> Events:
    for x in (1, 3, 63, 64, 127):
        twice = wrapped(2 * x, 8) if way == "in 8 bits" else 2 * x
        if twice != 2 * x:
            yield WRAPS
        if twice + t < n:
            yield from (read("a", twice + t), write("b", t))


def handed(way: str, t: int, block: int, n: int) -> Events:
    one, other = t, t + 128
    if way.startswith("exchanged"):
        for _ in range(n):
            one, other = other, one
            if (one if way == "exchanged" else other) < n:
                yield from (read("a", one), write("b", one))
    elif way.startswith("chosen"):
        one = t if t < 64 else t - 64
        if one < n and (t < 64 or way == "chosen for two"):
            yield from (read("a", one), write("b", one))
    else:
        far = way == "a pointer that moves too far"
        step = 64 if way == "in steps of less" else 128
        for number, k in enumerate(range(t, n + (way == "in steps past the end"), step)):
            yield from (read("a", t + 129 * number if far else k), write("b", k))


REPLAYS: dict[str, Callable[..., Events]] = {
    "elements": elements, "tiles": tiles, "fours": fours, "turning": turning, "late": late,
    "piped": piped, "filled": filled, "handed": handed, "far": far, "shifted": shifted,
}  # fmt: skip
#: The symbols of the sizes of a and b, in the order of the replay's arguments, and some sizes.
NAMES = {
    "vectors": (("N",), ("N",)), "long": (("N",), ("N",)), "fours": (("N",), ("N",)),
    "matrices": (("M", "N", "lda"), ("M", "N", "ldb")),
    "short strides": (("M", "N", "lda"), ("M", "N", "ldb")),
    "one row": (("M", "N", "lda"), ("M", "N")), "backwards": (("N",), ("N",)),
    "cubes": (("M", "N", "lda"), ("M", "N", "ldb")),
}  # fmt: skip
LENGTHS = [(n,) for n in (1, 2, 5, 63, 64, 127, 128, 129, 300)]
SHAPES = [(1, 1, 1, 1), (3, 2, 2, 5), (17, 33, 40, 33), (16, 32, 32, 32), (20, 5, 5, 7)]
SIZES: dict[str, list[tuple[int, ...]]] = {
    "vectors": LENGTHS, "long": [(512 * k + k,) for k in range(1, 7)],
    "fours": [(4 * n,) for n, in LENGTHS], "matrices": SHAPES,
    "short strides": SHAPES, "one row": [(*s[:3], 0) for s in SHAPES], "backwards": LENGTHS,
    "cubes": [(1, n, n * 4096, n * 4096) for n in (1, 3, 130, 40_000, 2**19 + 1)],
}  # fmt: skip
ROOMS = {"turning": THREADS, "late": 4 * THREADS, "piped": 3 * 4 * THREADS}


def blocks(case: Case, sizes: tuple[int, ...]) -> Iterable[int]:
    family = case.family
    if family in ("turning", "late", "piped", "filled", "handed", "shifted"):
        return range(1)
    if family == "far":  # the first and the last one
        count = -(-sizes[1] // THREADS) if case.way == "there and back" else sizes[1]
        return sorted({0, count - 1})
    if family == "tiles":
        return range(-(-sizes[0] // 16) * -(-sizes[1] // 32))
    return range(-(-sizes[0] // (4 * THREADS if family == "fours" else THREADS)))


def untrue(case: Case) -> set[str]:
    """The properties that do not hold for some sizes."""
    found: set[str] = set()
    for sizes in SIZES[case.tensors]:
        found |= untrue_at(case, sizes)
    if case.tensors == "short strides" and 2**20 * 2**20 >= 2**31:  # a row far enough down
        found |= {"no_overflow", "in_bounds"}
    return found


def untrue_at(case: Case, sizes: tuple[int, ...]) -> set[str]:
    wide = 4 if case.family in ("fours", "late", "piped") else 1
    m, n, *strides = sizes if len(sizes) > 1 else (1, sizes[0], 0, 0)
    row = 4096 * n if case.tensors == "cubes" else n
    extents = {"a": strides[0] * (m - 1) + row, "b": strides[1] * (m - 1) + row}
    extents["s"] = ROOMS.get(case.family, 0)
    found: set[str] = set()
    #: Who touches an element, in which phases.
    touched: dict[tuple[str, int, int], list[tuple[int, str, int, int]]] = {}
    for block in blocks(case, sizes):
        counts = set()
        for t in range(THREADS):
            phase = 0
            for e in REPLAYS[case.family](case.way, t, block, *sizes):
                if e.kind == "barrier":
                    phase += 1
                    continue
                if e.kind == "wraps":
                    found.add("no_overflow")
                    continue
                if e.element < 0 or e.element + e.count > extents[e.array]:
                    found.add("in_bounds")
                if e.count == wide > 1 and e.element % wide:
                    found.add("aligned")
                for k in range(e.element, e.element + e.count):
                    own = block if e.array == "s" else 0
                    who = (block * THREADS + t, e.kind, phase, phase + e.late)
                    touched.setdefault((e.array, own, k), []).append(who)
            counts.add(phase)
        if len(counts) > 1:
            found.add("barrier_uniform")
    for each in touched.values():
        for (one, how, first, last), (other, way, begin, end) in combinations(each, 2):
            apart = one // THREADS == other // THREADS and (last < begin or end < first)
            own = one == other and first == last  # in the order of the thread
            if not own and "write" in (how, way) and not apart:
                found.add("write_race_free" if how == way else "read_write_race_free")
    return found


# --- the cases ------------------------------------------------------------------------------------

CASES = [
    *(Case("elements", "vectors", way) for way in (
        "guarded", "one too far", "both sides", "not the other side", "either", "shifted",
        "shifted without", "halved", "in place", "none")),
    *(Case("tiles", "matrices", way) for way in (
        "right", "rows", "columns", "turned", "one too far", "only stores", "only loads",
        "doubled")),
    Case("tiles", "short strides", "right"), Case("tiles", "one row", "right"),
    Case("fours", "vectors", "whole"), Case("fours", "vectors", "begun"),
    Case("fours", "fours", "begun"), Case("fours", "fours", "by threes"),
    *(Case("turning", "vectors", way) for way in (
        "with a barrier", "no barrier", "its own", "too far", "in turns", "in turns, one barrier",
        "one turn too many", "divergent", "barriers of several numbers")),
    *(Case("late", "vectors", way) for way in (
        "right", "no wait", "one group left", "no barrier", "waits behind", "unguarded")),
    *(Case("filled", "vectors", way) for way in (
        "by rows", "rows exchanged", "by columns", "half of them", "one more", "one less",
        "one by one", "one by one, wrong", "none if short", "all if short", "of the last round",
        "of a round too late", "and the other end", "and the first", "and some more",
        "of what a loop carries", "of what a loop carries, too little", "one above the other")),
    *(Case("handed", "vectors", way) for way in (
        "exchanged", "exchanged, the other asked", "in steps", "in steps of less",
        "in steps past the end", "chosen", "chosen for two", "a pointer that moves",
        "a pointer that moves too far")),
    *(Case("far", "cubes", way) for way in (
        "rows", "rows of 64 bits", "widened", "widened too late", "there and back")),
    Case("shifted", "vectors", "in 32 bits"), Case("shifted", "vectors", "in 8 bits"),
    Case("elements", "backwards", "guarded"),
    *(Case("piped", "long", way) for way in (
        "right", "no wait", "one group too many", "no barrier", "the wait behind the barrier",
        "a stage too few", "groups of tiles alone")),
]  # fmt: skip
#: What is asked of the replay.
ASKED = (
    "in_bounds", "no_overflow", "aligned", "write_race_free", "read_write_race_free",
    "barrier_uniform",
)  # fmt: skip


@cache
def modules() -> dict[str, Any]:
    return modules_of("cutedsl_accesses", {str(i): c for i, c in enumerate(CASES)})


@cache
def told(number: int) -> tuple[Finding, ...]:
    case, text = CASES[number], modules()[str(number)]
    assert isinstance(text, str), text
    a, b = NAMES[case.tensors]
    found = check_module(text, kernel="host", tensors=(("a", a), ("b", b)))
    return tuple(f for f in found if f.property in PROPERTIES and f.kernel != "host")


def statuses(number: int, name: str) -> set[str]:
    return {f.status for f in told(number) if f.property == name}


def named(number: int) -> str:
    return f"{CASES[number].family}: {CASES[number].way}"


#: Those that take longest, and of which others are alike.
_SLOW = ("one less", "half of them", "one by one, wrong", "of the last round", "all if short",
         "exchanged, the other asked")  # fmt: skip
LONG = [
    k
    for k, c in enumerate(CASES)
    if c.way in _SLOW or (c.family == "tiles" and c.way not in ("right", "doubled"))
    or c.tensors in ("short strides", "one row")
]  # fmt: skip


@pytest.mark.parametrize(
    "number",
    some([k for k in range(len(CASES)) if full() or k not in LONG], 8),
    ids=named,
)
def test_no_verdict_is_wrong(number: int) -> None:
    wrong = untrue(CASES[number])
    for name in ASKED:
        found = statuses(number, name)
        assert found, name
        if name in wrong:
            assert "proved" not in found and "not applicable" not in found, (name, told(number))
        elif CASES[number].tensors != "short strides":
            assert "refuted" not in found, (name, told(number))


@pytest.mark.full
def test_most_is_decided() -> None:
    every = open_ = refuted = 0
    for number, case in enumerate(CASES):
        wrong = untrue(case)
        for name in ASKED:
            every += 1
            open_ += "unknown" in statuses(number, name)
            refuted += name in wrong and "refuted" in statuses(number, name)
    assert every == 6 * len(CASES) and every >= 400
    assert open_ <= 62, open_
    assert refuted >= 40, refuted
