"""Tiles of a matrix that blocks of CuTe DSL take one after the other, by `FastDivmodDivisor`.

A replay in plain integers says what is untrue for some sizes: that is never proved, and what is
true of all of them never refuted.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from itertools import product
from typing import Any

import pytest

from symcute.frontends.cutedsl.checking import check_module
from symcute.kernel.findings import PROPERTIES, verdict_of

from .cutedsl_modules import modules_of
from .test_cutedsl_accesses import ASKED, Case

THREADS, BLOCKS = 32, 2
WAYS = (
    "right", "a column too many", "a tile too many", "the tile before's", "the block before's",
)  # fmt: skip
#: Whose comparison says whether a lane writes, and whether it is then inside for all sizes.
LANES = {"each lane's": True, "lane 0's": False, "the block's": True}
#: How many of the properties of all ways are decided at least.
DECIDED = 23


def tiles(way: str, block: int, rows: int, columns: int) -> list[tuple[int, int]]:
    """The tiles of a block, each by its row and column."""
    by = columns + (way == "a column too many")
    found = []
    tile, (row, column) = block, divmod(block, by)
    valid = tile < rows * columns
    while valid:
        found.append((row, column))
        moved = {"the block before's": -1, "the tile before's": -BLOCKS}.get(way, 0)
        tile += BLOCKS
        row, column = divmod(tile + moved, by)
        valid = tile < rows * columns + (way == "a tile too many")
    return found


@cache
def untrue(way: str) -> set[str]:
    """The properties that do not hold for some sizes."""
    found: set[str] = set()
    for rows, columns, more in product(range(1, 5), range(1, 5), (0, 7, THREADS)):
        stride = columns * THREADS + more
        size = (rows - 1) * stride + columns * THREADS
        written: dict[int, tuple[int, int]] = {}
        for block, t in product(range(BLOCKS), range(THREADS)):
            for row, column in tiles(way, block, rows, columns):
                at = row * stride + column * THREADS + t
                if not 0 <= at < size:
                    found.add("in_bounds")
                elif written.setdefault(at, (block, t)) != (block, t):
                    found.add("write_race_free")
    return found


@cache
def modules() -> dict[str, Any]:
    cases = {way: Case("scheduled", "matrix", way) for way in WAYS}
    cases |= {way: Case("asked", "matrix", way) for way in LANES}
    return modules_of("cutedsl_tiles", cases)


@cache
def told(way: str) -> Mapping[str, str]:
    """The worst that is found of each property."""
    text = modules()[way]
    assert isinstance(text, str), text
    tensors = (("b", ("R", "C", "ld")),)
    given = ("R <= 1024", "C <= 1024")
    found = check_module(text, kernel="host", tensors=tensors, given=given)
    return verdict_of(f for f in found if f.property in PROPERTIES and f.kernel != "host")


@pytest.mark.parametrize("way", WAYS)
def test_no_verdict_is_wrong(way: str) -> None:
    wrong = untrue(way)
    for name in ASKED:
        assert told(way)[name] != ("proved" if name in wrong else "refuted"), (name, told(way))


def test_the_right_one_is_proved() -> None:
    assert untrue("right") == set()
    assert set(told("right").values()) == {"proved", "not applicable"}


def test_false_ones_are_refuted() -> None:
    assert untrue("a column too many") == {"write_race_free"}
    assert told("a column too many")["write_race_free"] == "refuted"
    assert "in_bounds" in untrue("a tile too many")
    assert told("a tile too many")["in_bounds"] == "refuted"
    assert "write_race_free" in untrue("the block before's")
    assert told("the block before's")["write_race_free"] == "refuted"


def test_so_many_are_decided() -> None:
    verdicts = [told(way)[name] for way in WAYS for name in ASKED]
    assert sum(x != "unknown" for x in verdicts) >= DECIDED


@pytest.mark.parametrize("way", LANES)
def test_what_lane_0_has_is_not_what_each_lane_has(way: str) -> None:
    assert told(way)["in_bounds"] in (("proved",) if LANES[way] else ("refuted", "unknown"))
