"""Verdicts on random access maps against every thread of every small size."""

from __future__ import annotations

from collections import Counter
from itertools import product
from typing import Any

import hypothesis
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from symcute.expr.assumptions import Assumptions, dims
from symcute.expr.node import Node, Term
from symcute.expr.terms import add, at_most, evaluate, less, mul
from symcute.frontends.cuda.target import CUDA
from symcute.kernel.access_map import (
    Access,
    AccessMap,
    BarrierEvent,
    Computation,
    Phase,
    Variable,
)
from symcute.kernel.checking import check_map
from symcute.kernel.findings import verdict_of
from symcute.kernel.ir.place import Place
from symcute.kernel.ir.program import Array, Int
from symcute.kernel.ir.setting import Setting
from tests.full import many

AT = Place("map.cu", 1, 1)
N = dims("N")
#: The dim N, threads, blocks and rounds of the maps.
SIZES, MOST = range(1, 7), 6
VARIABLES = {
    "bx": Variable("bx", "block"),
    "tx": Variable("tx", "thread"),
    "k": Variable("k", "round", True, "L"),
}
RACES = ("write_race_free", "read_write_race_free")


@st.composite
def indices(draw: st.DrawFn, names: tuple[str, ...]) -> Term:
    """A sum of multiples of names, turned by a division, a remainder or bits now and then."""
    total: Term = draw(st.integers(-1, 2))
    for name in names:
        factors: list[Term] = [0, 1, 1, 2, 3, 4, "N"]
        factor = draw(st.sampled_from(factors))
        total = add(total, mul(name, factor))
    turn = draw(st.sampled_from(["", "", "", "//", "%", "^", "min", ">>", "if"]))
    if turn == "^":
        return Node("^", Node("max", total, 0), draw(st.sampled_from([*names, 1, 3])))
    if turn == "if":
        return Node("if", Node("<", total, "N"), total, draw(st.sampled_from([*names, 0])))
    if turn == "%" and draw(st.booleans()):
        return Node("%", total, "N")
    return Node(turn, total, draw(st.integers(1, 4))) if turn else total


@st.composite
def maps(draw: st.DrawFn) -> tuple[AccessMap, Setting]:
    """A map of one or two accesses to an array of N elements or of a few."""
    block = draw(st.integers(1, 5))
    grid = draw(st.sampled_from([1, 2, N]))
    space = draw(st.sampled_from(["global", "shared"]))
    array = Array("x", space, 4, 4 * block, 16, AT, "x")
    rounds = draw(st.booleans())
    names = ["tx"] if block > 1 else []
    names += ["bx"] if grid != 1 else []
    names += ["k"] if rounds else []
    ranges: list[Term] = []
    extents: dict[str, Term] = {"tx": block, "bx": 2 if grid == 2 else "N", "k": 3}
    for n in names:
        ranges += [at_most(0, n), less(n, extents[n])]
    events = (BarrierEvent("block", tuple(ranges), tuple(VARIABLES[n] for n in names), AT),)
    accesses = []
    for line in range(draw(st.integers(1, 2))):
        index = draw(indices(tuple(names)))
        guard = list(ranges)
        for _ in range(draw(st.integers(0, 2))):
            test = draw(st.sampled_from(["<", "<=", "==", "!="]))
            other = draw(st.sampled_from(["N", 1, 2]))
            guard.append(Node(test, draw(indices(tuple(names))), other))
        here: tuple[tuple[str, Term], ...] = (("L", "k"),) if rounds else ()
        before: tuple[tuple[str, Term], ...] = (("L", add("k", -1)),) if rounds else ()
        intervals = [Phase(-1)]
        if rounds:
            intervals = draw(
                st.sampled_from(
                    [
                        [Phase(0, here)],
                        [Phase(-1, (), (Node("==", "k", 0),)), Phase(0, before)],
                        [Phase(-1)],
                    ]
                )
            )
        width = draw(st.sampled_from([4, 4, 4, 8]))
        accesses.append(
            Access(
                "x",
                draw(st.sampled_from(["write", "read", "write"])),
                mul(index, 4),
                width,
                tuple(guard),
                tuple(VARIABLES[n] for n in names),
                tuple(intervals),
                Place("map.cu", line + 2, 1),
                needs=frozenset([line]),
            )
        )
    bits = draw(st.sampled_from([4, 32]))
    computations = tuple(
        Computation(a.offset, Int(bits + 4, True), a.guard, a.variables, a.place, "index")
        for a in accesses
    )
    bounded = draw(st.booleans())
    facts: list[Term] = [at_most(1, "N")] + ([at_most("N", MOST)] if bounded else [])
    found = AccessMap(
        "map", CUDA, (array,), tuple(accesses), computations, events if rounds else (), (),
        tuple(facts), frozenset(["N"]),
    )  # fmt: skip
    given_ = Assumptions.of(f"N <= {MOST}" if bounded else ())
    extent = {"x": draw(st.sampled_from([N, block, 2 * N]))} if space == "global" else {}
    return found, Setting((grid, 1, 1), (block, 1, 1), extents=extent, given=given_)


def value(leaf: Any, n: int) -> int:
    return leaf if isinstance(leaf, int) else int(leaf.subs(N, n))


def truth(map: AccessMap, setting: Setting, n: int) -> dict[str, bool]:
    """Every property at N = n, by looking at every thread."""
    good = dict.fromkeys(("in_bounds", "no_overflow", "aligned", *RACES), True)
    array = map.arrays[0]
    size = value(setting.extents["x"], n) * 4 if setting.extents else array.bytes
    assert size is not None
    happened = []
    for a, c in zip(map.accesses, map.computations, strict=True):
        names = [v.name for v in a.variables]
        most = {"tx": value(setting.block[0], n), "bx": value(setting.grid[0], n), "k": 3}
        for point in product(*(range(most[v]) for v in names)):
            at = {**dict(zip(names, point, strict=True)), "N": n}
            if not all(evaluate(g, at) for g in a.guard):
                continue
            offset = int(evaluate(a.offset, at))
            good["in_bounds"] &= offset >= 0 and offset + a.width <= size
            good["aligned"] &= offset % a.width == 0
            good["no_overflow"] &= c.type.low <= int(evaluate(c.value, at)) <= c.type.high
            starts = {
                (i.start, tuple(evaluate(t, at) for _, t in i.rounds))
                for i in a.phases
                if all(evaluate(w, at) for w in i.when)
            }
            happened.append((a, offset, at.get("bx", 0), at.get("tx", 0), starts))
    for k, (a, x, bx, tx, starts) in enumerate(happened):
        for b, y, by, ty, others in happened[k:]:
            if a.kind == b.kind == "read" or not (x < y + b.width and y < x + a.width):
                continue
            together = bx == by and tx != ty and bool(starts & others)
            if together or (bx != by and array.space == "global"):
                good[RACES[a.kind == "read" or b.kind == "read"]] = False
    return good


EXAMPLES = many(20, 400)
_DRAWN = {
    "deadline": None,
    "suppress_health_check": list(HealthCheck),
    "derandomize": True,
    "phases": [hypothesis.Phase.generate],
}
TALLY: Counter[str] = Counter()


@settings(max_examples=EXAMPLES, **_DRAWN)
@given(maps())
def test_what_is_proved_holds_for_every_thread(drawn: tuple[AccessMap, Setting]) -> None:
    TALLY.update(hold(*drawn))


def hold(map: AccessMap, setting: Setting) -> Counter[str]:
    """How often which verdict met which truth; fails where one contradicts the other."""
    wanted = ("in_bounds", "no_overflow", "aligned", *RACES)
    verdicts = verdict_of(check_map(map, setting, wanted, timeout=600, work=2_000))
    assert set(verdicts) == set(wanted)
    truths = [truth(map, setting, n) for n in SIZES]
    found: Counter[str] = Counter()
    for name in wanted:
        holds = all(t[name] for t in truths)
        found[f"{verdicts[name]} {holds}"] += 1
        assert verdicts[name] != "refuted", "nothing was executed"
        assert holds or verdicts[name] != "proved", (name, map)
    return found


def test_most_of_what_holds_is_proved() -> None:
    assert TALLY["proved False"] == 0 and TALLY["unknown False"] > many(12, 25)
    assert TALLY["proved True"] > max(many(35, 70), 2 * TALLY["unknown True"])
