"""Races among accesses that mbarriers order, against every pair of accesses."""

from __future__ import annotations

import random
from itertools import combinations

from symcute.kernel.ir.interpreter.mbarriers import Stamp
from symcute.kernel.ir.interpreter.races import find_races, ordered
from symcute.kernel.ir.interpreter.trace import Touch
from symcute.kernel.ir.place import Place
from symcute.kernel.ir.program import Array
from tests.full import many

BLOCK, AT = (0, 0, 0), Place("k.cu", 1, 1)


def drawn(rng: random.Random) -> list[Touch]:
    """What some threads write and read, who hand on what they have seen, and wait."""
    threads = rng.choice((2, 3, 4))
    stamps = [Stamp(k, 0, (0,) * threads) for k in range(threads)]
    told = [(0,) * threads]
    found: list[Touch] = []
    warps = [0] * threads
    for _ in range(rng.choice((6, 20, 60))):
        k = rng.randrange(threads)
        what = rng.choice(("touch", "touch", "touch", "release", "wait", "wait", "warp"))
        if what == "release":
            stamps[k] = stamps[k].released()
            told.append(stamps[k].seen)
        elif what == "wait":
            stamps[k] = stamps[k].joined([rng.choice(told)])
        elif what == "warp" and rng.random() < 0.1:
            warps[k] += 1
        else:
            place = Place("k.cu", 1, rng.choice((1, 2, 3)))
            kind, value = rng.choice((("write", None), ("write", 1), ("write", 2), ("read", None)))
            found.append(Touch("s", kind, 0, 4, BLOCK, (k, 0, 0), 0, (k // 2, warps[k]), (), place,
                               value, unit=4, stamp=stamps[k]))  # fmt: skip
    return found


def test_races_are_those_of_pairs() -> None:
    rng = random.Random(3)
    arrays = {"s": Array("s", "shared", 4, 4, 4, AT, "s")}
    racing = clean = 0
    for _ in range(many(150, 5000)):
        touches = drawn(rng)
        wanted = {
            frozenset(((a.place, a.kind), (b.place, b.kind)))
            for a, b in combinations(touches, 2)
            if "write" in (a.kind, b.kind) and not ordered(a, b, "shared")
        }
        races = find_races(touches, arrays)
        told = {frozenset(((r.first.place, r.first.kind), (r.second.place, r.second.kind)))
                for r in races}  # fmt: skip
        assert told == wanted
        assert all(not ordered(r.first, r.second, "shared") for r in races)
        racing, clean = racing + bool(wanted), clean + (not wanted)
    assert min(racing, clean) >= 5
