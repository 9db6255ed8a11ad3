"""Small kernels in CuTe DSL, right ones beside false neighbours, against plain integers.

A replay lists the vectors of eight halves that the threads read, or the stages they write to, and
knows nothing of the package.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import product
from typing import Any

import pytest

from symcute.frontends.cutedsl.checking import check_module
from symcute.recheck import check
from tests.full import some

from .cutedsl_modules import FOLDER, modules_of

ROOM, THREADS, LENGTH = 4096, range(128), 8
Vectors = Iterable[tuple[int, ...]]


@dataclass(frozen=True)
class Take:
    """Vectors that are read of a room, by name."""

    name: str
    kind: str = "take"


@dataclass(frozen=True)
class Rooms:
    """So many rooms of 8 KiB."""

    count: int
    kind: str = "rooms"


@dataclass(frozen=True)
class Share:
    """A tiled copy of so many shares, in a block of threads, to one of several stages."""

    stage: str
    shared: int
    block: tuple[int, int, int]
    kind: str = "share"


@dataclass(frozen=True)
class Launched:
    """A kernel that is launched if a size is asked to be whole tiles, or always."""

    asked: bool
    kind: str = "launched"


@dataclass(frozen=True)
class Box:
    """A tile that TMA copies from a matrix to so many elements behind an allocation."""

    tile: tuple[int, int] = (64, 64)
    divisor: int = 8
    alignment: int = 16
    smem_align: int = 128
    behind: int = 0
    kind: str = "box"


@dataclass(frozen=True)
class Matrices:
    """Two tiles of 64 x 64 halves in swizzled rows, read by ldmatrix: four warps, 16 rows each."""

    swizzle: tuple[int, int, int] = (3, 3, 3)
    row: int = 64
    room: int = 2 * 64 * 64
    kind: str = "matrices"


def around(first: int, step: int, end: int, reset: int) -> Vectors:
    """Vectors at places of 512 that go round, for as long as all have been seen."""
    place, starts = first, []
    for _ in range(30):
        starts.append(512 * place)
        place = reset if place + step == end else place + step
    return runs(*starts)


def runs(*starts: int, stride: int = 1) -> Vectors:
    """Eight elements from each start."""
    return [tuple(start + stride * k for k in range(LENGTH)) for start in starts]


#: The vectors that each kernel of `pieces.py` reads; of an argument some values stand for all.
READ: dict[str, Callable[[], Vectors]] = {
    "at_threads": lambda: runs(*(8 * t for t in THREADS)),
    "at_half_vectors": lambda: runs(*(4 * t for t in THREADS)),
    "modulo_32": lambda: runs(*(t % 32 * 128 for t in THREADS)),
    "modulo_64": lambda: runs(*(t % 64 * 128 for t in THREADS)),
    "backwards": lambda: runs(*((127 - t) * 32 for t in THREADS)),
    "one_too_far_back": lambda: runs(*((126 - t) * 32 for t in THREADS)),
    "counted": lambda: runs(*(k * 64 + 56 for k in range(64))),
    "counted_too_far": lambda: runs(*(k * 64 + 64 for k in range(64))),
    "in_steps": lambda: runs(*range(0, 4096, 8)),
    "in_half_steps": lambda: runs(*range(0, 4096, 4)),
    "nested": lambda: runs(*(i * 512 + j * 64 for i in range(8) for j in range(8))),
    "nested_too_far": lambda: runs(*(i * 528 + j * 64 for i in range(8) for j in range(8))),
    "never": runs,
    "perhaps_never": runs,
    "by_argument": lambda: runs(*(n * 8 for n in range(-600, 600))),
    "by_argument_in_range": lambda: runs(*(n * 8 for n in range(-600, 600) if 0 <= n < 512)),
    "eight_by_one": lambda: [(k,) for k in range(8)],
    "four_by_four": lambda: [tuple(range(k, k + 4)) for k in range(0, 16, 4)],
    "two_vectors": lambda: runs(0, 8),
    "vectors_of_halves": lambda: runs(0, 8),
    "vectors_apart": lambda: runs(0, 12),
    "downwards": lambda: runs(8, 0),
    "beyond_the_start": lambda: runs(0, -8),
    "the_same_twice": lambda: runs(0, 0),
    "at_the_end": lambda: runs(4088),
    "past_the_end": lambda: runs(4096),
    "rounded_up": lambda: runs(*(-(-n * 4 // 8) * 8 for n in range(-600, 1200))),
    "two_apart": lambda: runs(0, 64),
    "two_that_overlap": lambda: runs(0, 64),
    "one_in_the_other": lambda: runs(0, 64),
    "three_in_a_ring": lambda: runs(0, 256, 120),
    "around": lambda: around(0, 1, 8, 0),
    "around_from_three": lambda: around(3, 1, 8, 1),
    "around_too_far": lambda: around(0, 1, 9, 0),
    "around_by_threes": lambda: around(0, 3, 8, 0),
    "around_from_beyond": lambda: around(8, 1, 8, 0),
    "around_to_the_end": lambda: around(0, 1, 8, 8),
    "around_before_zero": lambda: around(0, 1, 8, -1),
}
#: The elements of those that stand beside each other.
SIDE_BY_SIDE = {
    "two_apart": [range(64), range(64, 128)],
    "two_that_overlap": [range(72), range(64, 136)],
    "three_in_a_ring": [range(128), range(256, 384), range(120, 248)],
}
SHARES = {
    "each its share": Share("none", 128, (128, 1, 1)),
    "half of the threads": Share("none", 128, (64, 1, 1)),
    "twice the threads": Share("none", 128, (256, 1, 1)),
    "a stage for each block": Share("block", 128, (128, 1, 1)),
    "a stage for each thread": Share("tidx", 64, (64, 1, 1)),
    "a stage for eight threads": Share("octet", 128, (128, 1, 1)),
    "a stage for each row of threads": Share("tidy", 32, (32, 2, 1)),
    "rows of eight threads": Share("tidy", 8, (8, 4, 1)),
}
ROOMS = {"four rooms": Rooms(4), "28 rooms": Rooms(28), "29 rooms": Rooms(29)}
BOXES = {
    "a box": Box(),
    "a matrix of half rows": Box(divisor=4),
    "a matrix of odd rows": Box(divisor=1),
    "a matrix at 8 bytes": Box(alignment=8),
    "a box at 64 bytes": Box(smem_align=64),
    "a box 64 bytes further": Box(behind=32),
    "a box 128 bytes further": Box(behind=64),
    "a box of short rows": Box(tile=(64, 4)),
    "boxes side by side": Box(tile=(16, 512)),
}
LAUNCHED = {"launched where tiles are whole": Launched(True), "always launched": Launched(False)}
MATRICES = {
    "swizzled matrices": Matrices(),
    "matrices, two bits swizzled": Matrices(swizzle=(2, 3, 3)),
    "matrices, one bit swizzled": Matrices(swizzle=(1, 3, 3)),
    "matrices, other rows swizzled": Matrices(swizzle=(3, 3, 4)),
    "matrices of long rows": Matrices(swizzle=(3, 3, 4), row=128, room=2 * 64 * 128),
    "matrices of long rows, other bits": Matrices(row=128, room=2 * 64 * 128),
    "matrices a row too short": Matrices(room=2 * 64 * 64 - 64),
    "matrices in half a room": Matrices(room=64 * 64),
}
CASES: dict[str, Any] = {
    **{n: Take(n) for n in READ}, **SHARES, **ROOMS, **BOXES, **LAUNCHED, **MATRICES,
}  # fmt: skip
#: What a block may have of any device that is known, in bytes.
MOST = 227 * 1024


def conflicts(case: Share) -> bool:
    """Whether eight lanes that are served at once meet in banks, in any block of four."""
    across, down, _ = case.block
    for block in range(4):
        starts = []
        for number in range(across * down):
            tidx, tidy = number % across, number // across
            stage = {"none": 0, "tidx": tidx, "tidy": tidy, "octet": tidx // 8, "block": block}
            share = tidx // 8 * 64 + tidx % 8 * 8
            starts.append((share + 1016 * stage[case.stage]) * 2)
        for first in range(0, len(starts), 8):
            asked = [x // 16 for x in starts[first : first + 8]]
            if len({x % 8 for x in asked}) < len(set(asked)):
                return True
    return False


def lanes(case: Matrices) -> Iterator[list[int]]:
    """Where in the tiles the 32 lanes of each warp begin to read rows of eight, read by read."""
    for tile, warp, k in product(range(2), range(4), range(4)):
        rows = [(16 * warp + lane % 16, 16 * k + lane // 16 * 8) for lane in range(32)]
        yield [twisted((64 * tile + r) * case.row + c, case.swizzle) for r, c in rows]


def twisted(place: int, swizzle: tuple[int, int, int]) -> int:
    bits, base, shift = swizzle
    return place ^ ((place >> shift) & (((1 << bits) - 1) << base))


def of_matrices(case: Matrices) -> dict[str, bool]:
    """What is true of matrices: eight lanes are served at once, from 16 bytes of a bank each."""
    reads = list(lanes(case))
    eights = [r[k : k + 8] for r in reads for k in range(0, 32, 8)]
    return {
        "in_bounds": max(max(r) for r in reads) + 8 <= case.room,
        "vectorizable": all(x % 8 == 0 for r in reads for x in r),
        "bank_conflicts": all(len({x // 8 % 8 for x in each}) == 8 for each in eights),
        "fits": 2 * case.room <= MOST,
    }


def truth(name: str) -> dict[str, bool]:
    """What is true of a case, by property."""
    case = CASES[name]
    if isinstance(case, Matrices):
        return of_matrices(case)
    if isinstance(case, Rooms):
        return {"fits": case.count * 2 * ROOM <= MOST}
    if isinstance(case, Share):
        threads = case.block[0] * case.block[1] * case.block[2]
        shares = {"shares": threads == case.shared}
        return {**shares, "bank_conflicts": not conflicts(case)}
    if isinstance(case, Box):
        numbers = range(1, 40)
        rows = (2 * case.divisor * k % 16 == 0 for k in numbers)
        return {
            "tma global": all(rows) and all(case.alignment * k % 16 == 0 for k in numbers),
            "tma box": min(case.tile[1], 256) * 2 % 16 == 0,
            "tma shared": all((case.smem_align * k + 2 * case.behind) % 128 == 0 for k in numbers),
        }
    if isinstance(case, Launched):
        sizes = [8 * n for n in range(1, 1000) if not case.asked or 8 * n % 1024 == 0]
        return {"divides": all(size % 1024 == 0 for size in sizes)}
    vectors = list(READ[name]())
    found = {
        "in_bounds": all(0 <= x < ROOM for v in vectors for x in v),
        "vectorizable": all(
            v[0] % LENGTH == 0 and v == tuple(range(v[0], v[0] + LENGTH)) for v in vectors
        ),
        "fits": True,
    }
    if name in SIDE_BY_SIDE:
        every = [x for part in SIDE_BY_SIDE[name] for x in part]
        found["disjoint"] = len(every) == len(set(every))
    return found


@cache
def modules() -> dict[str, Any]:
    return modules_of("cutedsl_pieces", CASES)


@cache
def told(name: str) -> list[tuple[str, Any]]:
    """The findings of a case that the replay speaks of, by what it calls them."""
    result = []
    for finding in check_module(modules()[name], kernel=name, bank_conflicts=1, properties=()):
        key = finding.property
        if key == "tma":
            kinds = {"base and strides": "global", "each mode": "box", "box begins": "shared"}
            (kind,) = [v for k, v in kinds.items() if k in finding.text]
            key = f"tma {kind}"
        if key in truth(name):
            result.append((key, finding))
    return result


#: Right ones of which something is not proved, and false ones that are not refuted: what is open.
OPEN = {
    ("never", "in_bounds"), ("never", "vectorizable"),
    ("perhaps_never", "in_bounds"), ("perhaps_never", "vectorizable"),
    ("by_argument_in_range", "in_bounds"),
    ("rounded_up", "in_bounds"),
    ("downwards", "in_bounds"), ("beyond_the_start", "in_bounds"),
    ("two_that_overlap", "disjoint"), ("three_in_a_ring", "disjoint"),
    ("half of the threads", "bank_conflicts"), ("twice the threads", "bank_conflicts"),
    ("a stage for each thread", "bank_conflicts"),
    ("a stage for eight threads", "bank_conflicts"),
    ("a stage for each row of threads", "bank_conflicts"),
    ("rows of eight threads", "bank_conflicts"),
    ("launched where tiles are whole", "divides"),
    *((x, "in_bounds") for x in (
        "around_too_far", "around_by_threes", "around_from_beyond", "around_to_the_end",
        "around_before_zero",
    )),
}  # fmt: skip


@pytest.mark.parametrize("name", some([*CASES], 3))
def test_verdicts_are_true(name: str) -> None:
    said = truth(name)
    for key, finding in told(name):
        if finding.status != "unknown":
            assert said[key] == (finding.status == "proved"), finding
    for key, is_true in said.items():
        statuses = {f.status for k, f in told(name) if k == key}
        if (name, key) in OPEN:
            assert "unknown" in statuses, (key, statuses)
        elif statuses or key not in ("shares", "in_bounds"):
            # Each is decided: what is right proved, and of what is false one place at least.
            assert statuses == {"proved"} if is_true else "refuted" in statuses, (key, statuses)


def test_what_is_decided() -> None:
    pairs = [(name, key) for name in CASES for key in truth(name)]
    assert len(CASES) == 68 and len(pairs) >= 150
    assert len(OPEN) * 5 <= len(pairs)


def test_proofs_are_checked_again() -> None:
    documents = [
        line["certificate"]
        for name in ("in_steps", "backwards", "each its share", "two_apart", "swizzled matrices")
        for _, finding in told(name)
        for line in finding.certificates
    ]
    assert len(documents) >= 8
    for document in documents:
        assert check(document).status == "checked", document["claim"]


def test_a_finding_stands_at_its_line() -> None:
    lines = (FOLDER / "pieces.py").read_text(encoding="utf-8").splitlines()
    (refuted,) = [f for k, f in told("half of the threads") if f.status == "refuted"]
    assert "cute.copy(copy, thread.partition_S(gA)" in lines[refuted.place.line - 1]
    (open_,) = [f for k, f in told("two_that_overlap") if k == "disjoint"]
    assert "72:1 has the bytes from 0 to 143, and 72:1 those from 128 to 271" in open_.reason
