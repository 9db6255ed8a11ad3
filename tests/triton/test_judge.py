"""What the judge makes of accesses is what comes of the words, element by element."""

from __future__ import annotations

from itertools import combinations
from random import Random
from typing import Any

import numpy as np
import pytest

from tests.full import many

from .judge.faults import faults, uncovered
from .judge.memory import Array, Memory

KINDS = ("read", "write", "atomic", "own atomic")


def drawn(random: Random) -> Memory:
    """Some accesses of some programs to two arrays, some of them outside."""
    arrays = [Array(n, k, np.dtype("f4"), 4 * random.randint(3, 40)) for k, n in enumerate("xy")]
    memory = Memory(arrays)
    for program in range(random.randint(1, 3)):
        memory.program = program
        for _ in range(random.randint(1, 3)):
            memory.line += 1
            memory.barriers += random.random() < 0.3
            memory.shape = random.choice([(8,), (2, 4), (1,)])
            array, width = random.choice(arrays), random.choice([4, 4, 4, 2, 8])
            lanes = np.array(sorted(random.sample(range(8), random.randint(0, 3))), np.int64)
            low = random.choice([0, 0, 0, -1])
            at = np.array([4 * random.randint(low, 12) for _ in lanes], np.int64)
            memory.note(random.choice(KINDS), array, at, lanes, width)
    return memory


def by_the_words(memory: Memory) -> set[str]:
    """What is violated, by every pair of elements."""
    found = set()
    touched: list[tuple[Any, int, int]] = []
    for a in memory.accesses:
        for lane, at in zip(a.lanes.tolist(), a.at.tolist(), strict=True):
            touched.append((a, lane, at))
            if not 0 <= at <= a.array.size - a.width:
                found.add("in_bounds")
            if (a.array.start + at) % a.width:
                found.add("aligned")
    for (a, i, p), (b, j, q) in combinations(touched, 2):
        if a.array is not b.array or p + a.width <= q or q + b.width <= p:
            continue
        kinds = {a.kind, b.kind}
        if a.program == b.program:
            if a.barriers != b.barriers or (a.shape, i) == (b.shape, j):
                continue
            ordered = kinds <= {"atomic", "own atomic"}
        else:
            ordered = kinds == {"atomic"}
        if kinds == {"read"} or ordered:
            continue
        found.add("read_write_race_free" if "read" in kinds else "write_race_free")
    return found


@pytest.mark.parametrize("seed", range(many(80, 2000)))
def test_faults_are_those_of_the_pairs(seed: int) -> None:
    memory = drawn(Random(seed))
    assert set(faults(memory)) == by_the_words(memory)


def test_all_faults_are_drawn() -> None:
    found = [by_the_words(drawn(Random(seed))) for seed in range(400)]
    for name in ("in_bounds", "aligned", "write_race_free", "read_write_race_free"):
        assert 20 < sum(name in f for f in found) < 380, name


def test_an_array_holds_what_was_written_last() -> None:
    array = Array("x", 0, np.dtype("i4"), 4 << 40, low=3, high=9)
    far = np.array([0, 4, 1 << 41], np.int64)
    first = array.read(far, 4).view(np.int32).ravel()
    assert ((first >= 3) & (first < 9)).all()
    array.write(far[1:], np.array([[7], [-1]], np.int32).view(np.uint8))
    assert array.read(far, 4).view(np.int32).ravel().tolist() == [first[0], 7, -1]
    assert array.read(np.array([2]), 4).tolist()[0][2:] == [7, 0]


def test_what_is_written_once_is_told_from_what_is_not() -> None:
    array = Array("x", 0, np.dtype("f4"), 16)
    memory = Memory([array])
    lanes = np.arange(4)
    memory.note("write", array, 4 * lanes[:3], lanes[:3], 4)
    assert uncovered(memory, array, None) == "byte 12 of x is not written"
    assert uncovered(memory, array, [0, 1, 2]) == ""
    memory.note("write", array, np.array([12]), np.array([3]), 4)
    assert uncovered(memory, array, None) == ""
    memory.note("write", array, np.array([4]), np.array([3]), 4)
    assert "more than once" in uncovered(memory, array, None)
    memory.note("write", array, np.array([16]), np.array([3]), 4)
    assert "should not be" in uncovered(memory, array, None)
