"""Copies by TMA and MMAs beside threads, in rings that are right and in false ones, by a replay.

A program is what threads of two roles do in round k, agents among what they begin. It is written as
a program of the IR, and replayed here for sizes that are numbers, in every order in which threads
and agents may go on: two accesses race where in one of these orders no chain of arrivals and waits
leads from one to the other, with a fence on it where an agent sees what a thread wrote.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

import pytest

from symcute.expr.assumptions import Assumptions
from symcute.frontends.cuda.target import CUDA
from symcute.kernel.checking import check
from symcute.kernel.ir.expression import Base, Binary, Builtin, Const, Expr, PtrAdd, Var
from symcute.kernel.ir.place import Place
from symcute.kernel.ir.program import (
    Array,
    Barrier,
    Fence,
    If,
    Int,
    Kernel,
    Let,
    Load,
    Loop,
    Param,
    Signal,
    Stmt,
    Store,
)
from symcute.kernel.ir.setting import Setting
from symcute.kernel.ir.verify import verified

from ..full import many, some
from .judged import judged, summed
from .ring_programs import BYTES, RACES, Known, Program, Step, changed, most

SIZES = (1, 2, 3)
#: States that are gone through at a size; what is true is not known where there are more.
MOST = 4_000
I32, BOOL = Int(32, True), Int(1, False)


# --- as a program of the IR -----------------------------------------------------------------------


def written(p: Program) -> Kernel:
    lines = iter(range(1, 10**6))

    def at() -> Place:
        return Place("ring", next(lines), 1)

    def op(sign: str, left: Expr, right: Expr | int, type: Int = I32) -> Binary:
        right = Const(right, I32) if isinstance(right, int) else right
        return Binary(sign, left, right, type, at())

    def cell(ring: str, k: Expr) -> PtrAdd:
        return PtrAdd(Base(ring), op("%", k, p.stages), 8, at())

    def line(s: Step) -> list[Stmt]:
        k: Expr = Var("k", I32)
        if s.ahead:
            k = op("+", k, s.ahead)
        row = PtrAdd(Base("s"), op("%", k, p.rows), BYTES, at())
        parity = op("%", op("+", op("/", k, p.stages), s.flip), 2)
        values: dict[str, Expr] = {"wait": parity, "expect": Const(s.bytes, I32)}
        given = values.get(s.kind)
        match s.kind:
            case "write":
                return [Store(row, BYTES, at())]
            case "read":
                return [Load(row, BYTES, at())]
            case "mma":
                return [Load(row, BYTES, at(), agent="mma")]
            case "load":
                end = Signal("complete", cell("full", k), Const(BYTES, I32), at())
                return [Store(row, BYTES, at(), agent="load"), end]
            case "fence":
                return [Fence("proxy", at())]
        return [Signal(s.kind, cell(s.ring, k), given, at())]

    tx = Builtin("threadIdx.x", I32)

    def role(steps: tuple[Step, ...]) -> tuple[Stmt, ...]:
        zero = Let("k", Const(0, I32), at())
        body = tuple(x for s in steps for x in line(s))
        more = Let("k", op("+", Var("k", I32), 1), at())
        label = f"loop{next(lines)}"
        test = op("<", Var("k", I32), Var("n", I32), BOOL)
        return zero, Loop(label, (), test, body, (more,), at())

    made = tuple(
        Signal("init", PtrAdd(Base(ring), Const(j, I32), 8, at()), Const(count, I32), at())
        for ring, count in zip(("full", "empty"), p.counts, strict=True)
        for j in range(p.stages)
    )
    told = (Fence("init", at()),) if p.told else ()
    body = (
        If(op("==", tx, 0, BOOL), made, (), at()), *told, Barrier("block", at()),
        If(op("<", tx, p.threads[0], BOOL), role(p.roles[0]), role(p.roles[1]), at()),
    )  # fmt: skip
    here = at()
    arrays = (
        Array("s", "shared", BYTES, BYTES * p.rows, 128, here, "s"),
        *(Array(x, "shared", 8, 8 * p.stages, 8, here, x) for x in ("full", "empty")),
    )
    return verified(Kernel("ring", (Param("n", I32, here, "int"),), arrays, body, here, CUDA))


# --- in plain integers ----------------------------------------------------------------------------


class Cell(NamedTuple):
    """An mbarrier: phases over, arrivals and bytes of this one, what these and those know."""

    over: int = 0
    arrived: int = 0
    bytes: int = 0
    handed: Known = frozenset()
    known: Known = frozenset()


class Done(NamedTuple):
    """An access: who (a thread, or an agent by its number), when of that, where, and how."""

    who: int
    at: int
    row: int
    writes: bool
    agent: bool
    fenced: tuple[int, int]  # a thread's fence behind a write: who, and when; (-1, 0) for none


def steps_of(p: Program, role: int, n: int) -> Iterator[tuple[Step, int]]:
    for k in range(n):
        for s in p.roles[role]:
            yield s, k + s.ahead


def races_at(p: Program, n: int) -> tuple[set[str], bool]:
    """Return what is untrue of a program at a size, and whether every way was gone.

    Threads and agents have a number each, and each of their steps one. What a thread or an agent
    knows are pairs of a number and how many steps of it. An access of an agent is its first step,
    behind which it completes; a commit is an agent of its own, that comes behind MMAs.
    """
    roles = [role for role in (0, 1) for _ in range(p.threads[role])]
    does = [list(steps_of(p, role, n)) for role in roles]
    # Agents are numbered by who began them, and where.
    numbers: dict[tuple[int, int], int] = {}
    for t, steps in enumerate(does):
        for at, (s, _) in enumerate(steps):
            if s.kind in ("load", "mma", "commit"):
                numbers[t, at] = len(does) + len(numbers)
    start = (
        (0,) * len(does),
        (Known(),) * len(does),
        (Cell(),) * (2 * p.stages),
        frozenset[tuple[int, int, Known]](),  # agents that are on their way
        frozenset[Done](),
        frozenset[int](),  # agents that have ended
    )
    seen, todo, found = {start}, [start], set[str]()

    def meet(done: frozenset[Done], new: Done, known: Known) -> None:
        told: dict[int, int] = {}
        for who, steps in known:
            told[who] = max(told.get(who, 0), steps)
        for old in done:
            if old.row != new.row or not (old.writes or new.writes) or old.who == new.who:
                continue
            before = told.get(old.who, 0) > old.at
            if before and old.writes and not old.agent and new.agent:
                who, when = old.fenced
                before = who >= 0 and told.get(who, 0) > when
            if not before:
                found.add(RACES[0] if old.writes and new.writes else RACES[1])

    def fence_behind(t: int, at: int) -> tuple[int, int]:
        for later in range(at + 1, len(does[t])):
            if does[t][later][0].kind == "fence":
                return t, later
        return -1, 0

    while todo and len(found) < 2 and len(seen) < MOST:
        places, known, cells, away, done, ended = todo.pop()
        new = []
        for t, steps in enumerate(does):
            at = places[t]
            if at == len(steps):
                continue
            s, k = steps[at]
            mine, told, begun, made = known[t] | {(t, at + 1)}, cells, away, done
            number = k % p.stages + p.stages * (s.ring == "empty")
            cell = cells[number]
            match s.kind:
                case "wait":
                    if cell.over % 2 == (k // p.stages + s.flip) % 2:
                        continue
                    mine |= cell.known
                case "arrive" | "expect":
                    told = _put(cells, number, _signalled(p, number, cell, s, mine))
                case "write" | "read":
                    fenced = fence_behind(t, at) if s.kind == "write" else (-1, 0)
                    here = Done(t, at, k % p.rows, s.kind == "write", False, fenced)
                    meet(done, here, known[t])
                    made = done | {here}
                case "load" | "mma" | "commit":
                    begun = away | {(t, at, most(mine))}
            new.append((_put(places, t, at + 1), _put(known, t, most(mine)), told, begun, made,
                        ended))  # fmt: skip
        for agent in away:
            t, at, knows = agent
            s, k = does[t][at]
            me = numbers[t, at]
            told, made = cells, done
            if s.kind == "commit":
                mmas = [numbers[t, x] for x in range(at) if does[t][x][0].kind == "mma"]
                if any(x not in ended for x in mmas):
                    continue
                number = k % p.stages + p.stages * (s.ring == "empty")
                # What its thread had waited for, an MMA had before it.
                hands = frozenset((x, 1) for x in mmas) | {x for x in knows if x[0] != t}
            else:
                here = Done(me, 0, k % p.rows, s.kind == "load", True, (-1, 0))
                meet(done, here, knows)
                made = done | {here}
                number, hands = k % p.stages, frozenset({(me, 1)})
            if s.kind != "mma":
                cell = _signalled(p, number, cells[number], s, hands)
                told = _put(cells, number, cell)
            new.append((places, known, told, away - {agent}, made, ended | {me}))
        for state in new:
            if state not in seen:
                seen.add(state)
                todo.append(state)
    return found, not todo or len(found) == 2


def _signalled(p: Program, number: int, cell: Cell, s: Step, hands: Known) -> Cell:
    """Return an mbarrier behind an arrival, or behind bytes that are expected or come."""
    arrived = cell.arrived + (s.kind in ("arrive", "commit"))
    bytes = cell.bytes + {"expect": s.bytes, "load": -BYTES}.get(s.kind, 0)
    handed = most(cell.handed | hands)
    if arrived == p.counts[number >= p.stages] and bytes == 0:
        return Cell(cell.over + 1, 0, 0, handed, handed)
    return Cell(cell.over, arrived, bytes, handed, cell.known)


def _put(whole: tuple[Any, ...], k: int, x: Any) -> tuple[Any, ...]:
    return (*whole[:k], x, *whole[k + 1 :])


def untrue(p: Program) -> tuple[set[str], bool]:
    found, whole = set[str](), True
    for n in SIZES:
        wrong, every = races_at(p, n)
        found, whole = found | wrong, whole and every
        if len(found) == 2:
            return found, True
    return found, whole


# --- the cases ------------------------------------------------------------------------------------


def ring(stages: int, by: str = "mma", threads: int = 1) -> Program:
    """The usual ring: a copy fills what is empty; what is full an MMA reads, or threads."""
    told = {
        "mma": (Step("mma"), Step("commit", "empty")),
        "read": (Step("read"), Step("arrive", "empty")),
    }
    return Program(
        (1, threads), stages, stages, (1, threads),
        (
            (Step("wait", "empty", 0, 1), Step("expect", "full"), Step("arrive", "full"),
             Step("load")),
            (Step("wait", "full"), *told[by]),
        ),
    )  # fmt: skip


def filled(stages: int) -> Program:
    """A ring that a thread fills, with a fence, for an MMA of another."""
    return Program(
        (1, 1), stages, stages, (1, 1),
        (
            (Step("wait", "empty", 0, 1), Step("write"), Step("fence"), Step("arrive", "full")),
            (Step("wait", "full"), Step("mma"), Step("commit", "empty")),
        ),
    )  # fmt: skip


def alone(stages: int) -> Program:
    """One thread does both: it begins the copy, and the MMA."""
    copy, multiply = ring(stages).roles
    return Program((1, 1), stages, stages, (1, 1), ((*copy, *multiply), ()))


def usual(rng: random.Random) -> Program:
    stages = rng.randint(1, 2)
    return rng.choice(
        [ring(stages), ring(stages, "read"), ring(1, "read", 2), filled(stages), alone(stages)]
    )


def drawn(rng: random.Random) -> Program:
    """A ring that is right, or changed in up to two things."""

    def step() -> Step:
        kind = rng.choice(["wait", "arrive", "commit", "expect", "load", "mma", "write", "read"])
        side = rng.choice(["full", "empty"])
        return Step(kind, side, rng.randint(0, 1), rng.randint(0, 1))

    return changed(rng, usual(rng), step, lambda s: replace(s, bytes=rng.choice([8, 32])))


def verdicts(p: Program) -> dict[str, set[str]]:
    setting = Setting(
        (1, 1, 1), (sum(p.threads), 1, 1), given=Assumptions.of(["n >= 1", "n <= 40"])
    )
    found = check(written(p), setting, RACES)
    assert found
    return {name: {f.status for f in found if f.property == name} for name in RACES}


def judge(p: Program) -> tuple[int, int, int]:
    """Return how many are true, decided of these, and refuted; none is decided wrongly."""
    wrong, whole = untrue(p)
    found = verdicts(p)
    if not whole:  # what was not found may be untrue all the same
        assert all("proved" not in found[name] for name in wrong), p
        return 0, 0, 0
    return judged(wrong, found, p)


RIGHT = {
    **{f"an MMA, {s}": ring(s) for s in (1, 2, 3)},
    **{f"a thread, {s}": ring(s, "read") for s in (1, 2)},
    "two threads": ring(1, "read", 2),
    **{f"filled by a thread, {s}": filled(s) for s in (1, 2)},
    **{f"all by one, {s}": alone(s) for s in (1, 2)},
}


@pytest.mark.parametrize("name", some([*RIGHT], 3))
def test_the_usual_rings(name: str) -> None:
    assert judge(RIGHT[name]) in ((2, 2, 0), (0, 0, 0))
    assert verdicts(RIGHT[name]) == {name: {"proved"} for name in RACES}


def test_mbarriers_that_agents_are_not_told_of() -> None:
    assert {"unknown"} in verdicts(replace(ring(2), told=False)).values()


@pytest.mark.parametrize(
    ("made", "status"),
    [
        (("init", "expect"), "proved"),
        (("init", "init", "expect"), "proved"),
        (("init", "expect", "init other"), "proved"),
        (("init", "expect", "init"), "unknown"),  # it expects nothing
        (("init", "expect", "init", "expect"), "unknown"),
        (("expect", "init"), "unknown"),
        (("init",), "unknown"),
    ],
)
def test_bytes_that_are_expected_where_an_mbarrier_is_made(
    made: tuple[str, ...], status: str
) -> None:
    places = map(partial(Place, "once", column=1), range(1, 100))
    first = Binary("==", Builtin("threadIdx.x", I32), Const(0, I32), BOOL, next(places))

    def said(op: str, value: int | None = None) -> Signal:
        kind, _, other = op.partition(" ")
        at = PtrAdd(Base("bar"), Const(1 if other else 0, I32), 8, next(places))
        return Signal(kind, at, None if value is None else Const(value, I32), next(places))

    row = PtrAdd(Base("s"), Const(0, I32), BYTES, next(places))
    copy = Store(row, BYTES, next(places), agent="load"), said("complete", BYTES)
    body = (
        If(first, tuple(said(x, BYTES if x == "expect" else 1) for x in made), (), next(places)),
        Fence("init", next(places)),
        Barrier("block", next(places)),
        If(first, (*copy, said("arrive")), (said("wait", 0), Load(row, BYTES, next(places))),
           next(places)),
    )  # fmt: skip
    here = next(places)
    arrays = (
        Array("s", "shared", BYTES, BYTES, 128, here, "s"),
        Array("bar", "shared", 8, 16, 8, here, "bar"),
    )
    kernel = verified(Kernel("once", (), arrays, body, here, CUDA))
    found = check(kernel, Setting((1, 1, 1), (2, 1, 1)), RACES[1:])
    assert ("proved" if all(f.status == "proved" for f in found) else "unknown") == status


def test_drawn_programs() -> None:
    rng = random.Random(90)
    true, proved, false, refuted = summed(judge(drawn(rng)) for _ in range(many(6, 150)))
    assert proved >= 0.5 * true, (true, proved, false, refuted)
