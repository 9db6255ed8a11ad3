"""Threads that wait in loops for rings of mbarriers, in CUDA C++, against a replay.

Two warps go round: of the first some lanes, of the second all that there are, which may wait for
each other. In the replay the threads go on in every order: where in one of them somebody waits for
ever, `barrier_uniform` of the barrier behind is not proved; where in none, it is not refuted.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import pytest

from symcute.kernel.launch.sources import check_kernel

from ..full import many, some
from .test_mbarriers import HEAD

WARP, SIZES = 32, (1, 2, 3, 4)
#: Of each mbarrier, the phases that are over, and the arrivals of this one.
Cells = tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class Step:
    """What threads of a role do in round k: arrive, wait for a turn's parity + flip, or sync.

    `when`: each does, the first of its role, all but that one, or each but in the last round.
    """

    kind: str  # arrive, wait, sync
    ring: int = 0
    flip: int = 0
    when: str = ""


@dataclass(frozen=True)
class Program:
    """Threads of the two roles, stages of the rings, arrivals of their phases, and steps."""

    threads: tuple[int, int]
    stages: int
    counts: tuple[int, ...]
    roles: tuple[tuple[Step, ...], tuple[Step, ...]]
    less: int = 0  # rounds that the second role goes less


def written(p: Program) -> str:
    lines = []
    for role, steps in enumerate(p.roles):
        body = " ".join(_line(s, p) for s in steps)
        rounds = f"n - {p.less}" if role and p.less else "n"
        lines.append(f"for (int k = 0; k < {rounds}; k++) {{ {body} }}")
    inits = " ".join(f"INIT(&r{r}[j], {n});" for r, n in enumerate(p.counts))
    rings = ", ".join(f"r{r}[{p.stages}]" for r in range(len(p.counts)))
    return f"""{HEAD}__global__ void k(int n) {{
  __shared__ unsigned long long {rings};
  int w = threadIdx.x / {WARP}, i = threadIdx.x % {WARP};
  if (threadIdx.x == 0) for (int j = 0; j < {p.stages}; j++) {{ {inits} }}
  __syncthreads();
  if (w == 0) {{ if (i < {p.threads[0]}) {lines[0]} }}
  else {{ {lines[1]} }}
  __syncthreads();
}}"""


def _line(s: Step, p: Program) -> str:
    cell = f"&r{s.ring}[k % {p.stages}]"
    text = {
        "wait": f"await({cell}, (k / {p.stages} + {s.flip}) & 1);",
        "arrive": f"ARRIVE({cell});",
        "sync": "__syncwarp();",
    }[s.kind]
    test = {"": "", "first": "i == 0", "rest": "i > 0", "more": "k + 1 < n"}[s.when]
    return f"if ({test}) {{ {text} }}" if test else text


# --- in plain integers ----------------------------------------------------------------------------


def _does(p: Program, role: int, i: int, n: int) -> Iterator[tuple[Step, int]]:
    for k in range(n - (p.less if role else 0)):
        for s in p.roles[role]:
            if {"": True, "first": i == 0, "rest": i > 0, "more": k + 1 < n}[s.when]:
                yield s, k


def hangs(p: Program, n: int) -> bool:
    """Return whether somebody waits for ever, in some order."""
    who = [(role, i) for role in (0, 1) for i in range(p.threads[role])]
    does = [list(_does(p, role, i, n)) for role, i in who]
    start = (0,) * len(who), ((0, 0),) * (len(p.counts) * p.stages)
    seen, todo = {start}, [start]
    while todo:
        places, cells = todo.pop()
        ready = list(_ready(p, who, does, places, cells))
        if not ready and any(at < len(x) for at, x in zip(places, does, strict=True)):
            return True
        for those, after in ready:
            moved = tuple(at + (t in those) for t, at in enumerate(places))
            if (moved, after) not in seen:
                seen.add((moved, after))
                todo.append((moved, after))
    return False


def _ready(
    p: Program, who: list[tuple[int, int]], does: list[list[tuple[Step, int]]],
    places: tuple[int, ...], cells: Cells,
) -> Iterator[tuple[list[int], Cells]]:  # fmt: skip
    """Yield which threads may go on together, and the cells then."""
    here = [x[at] if at < len(x) else None for at, x in zip(places, does, strict=True)]
    for t, found in enumerate(here):
        if found is None:
            continue
        step, k = found
        number = step.ring * p.stages + k % p.stages
        over, arrived = cells[number]
        if step.kind == "sync":
            warp = [u for u, (role, _) in enumerate(who) if role == who[t][0] and here[u]]
            if t == warp[0] and all(here[u] == found for u in warp):
                yield warp, cells
        elif step.kind == "arrive":
            ends = arrived + 1 == p.counts[step.ring]
            cell = (over + 1, 0) if ends else (over, arrived + 1)
            yield [t], (*cells[:number], cell, *cells[number + 1 :])
        elif over % 2 != (k // p.stages + step.flip) % 2:
            yield [t], cells


# --- the cases ------------------------------------------------------------------------------------

FULL, EMPTY = 0, 1
Kind = Callable[[tuple[int, int], int], Program]


def ring(threads: tuple[int, int], stages: int) -> Program:
    """The usual ring: one role waits for what is empty, the other for what is full."""
    return Program(
        threads, stages, threads,
        (
            (Step("wait", EMPTY, 1), Step("arrive", FULL)),
            (Step("wait", FULL), Step("arrive", EMPTY)),
        ),
    )  # fmt: skip


def alone(threads: int, stages: int) -> Program:
    """One warp does both, of which one lane arrives for all."""
    steps = (
        Step("wait", EMPTY, 1), Step("sync"), Step("arrive", FULL, 0, "first"),
        Step("wait", FULL), Step("sync"), Step("arrive", EMPTY, 0, "first"),
    )  # fmt: skip
    return Program((0, threads), stages, (1, 1), ((), steps))


def led(threads: tuple[int, int], stages: int) -> Program:
    """The usual ring, where one lane of the second role arrives for all behind a barrier."""
    usual = ring(threads, stages)
    second = Step("wait", FULL), Step("sync"), Step("arrive", EMPTY, 0, "first")
    return replace(usual, counts=(threads[0], 1), roles=(usual.roles[0], second))


def chain(threads: tuple[int, int], stages: int) -> Program:
    """Each role waits for the other twice in a round."""
    return Program(
        threads, stages, (threads[0], threads[1], threads[0], threads[1]),
        (
            (Step("wait", 3, 1), Step("arrive", 0), Step("wait", 1), Step("arrive", 2)),
            (Step("wait", 0), Step("arrive", 1), Step("wait", 2), Step("arrive", 3)),
        ),
    )  # fmt: skip


def drawn(rng: random.Random) -> Program:
    """A program that is right, or changed in up to two things."""
    threads, stages = (rng.randint(1, 2), rng.randint(1, 2)), rng.randint(1, 3)
    kind = rng.choice([ring, ring, led, chain, alone])
    found = alone(threads[1], stages) if kind is alone else kind(threads, stages)
    for _ in range(rng.choice([0, 1, 1, 2])):
        role = 1 if not found.roles[0] else rng.randrange(2)
        steps = [*found.roles[role]]
        at = rng.randrange(len(steps))
        counts = [*found.counts]
        how = rng.choice(["out", "in", "flip", "when", "exchanged", "count", "ring", "less"])
        if how == "out" and len(steps) > 1:
            del steps[at]
        elif how == "in":
            kinds = ["wait", "arrive", *(["sync"] * role)]
            made = Step(rng.choice(kinds), rng.randrange(len(counts)), rng.randint(0, 1))
            steps.insert(at, made)
        elif how == "flip":
            steps[at] = replace(steps[at], flip=1 - steps[at].flip)
        elif how == "when" and steps[at].kind != "sync":
            steps[at] = replace(steps[at], when=rng.choice(["", "first", "rest", "more"]))
        elif how == "exchanged":
            steps[at], steps[at - 1] = steps[at - 1], steps[at]
        elif how == "count":
            counts[rng.randrange(len(counts))] = rng.randint(1, 3)
        elif how == "ring":
            steps[at] = replace(steps[at], ring=rng.randrange(len(counts)))
        elif how == "less":
            found = replace(found, less=1)
        roles = (tuple(steps), found.roles[1]) if role == 0 else (found.roles[0], tuple(steps))
        found = replace(found, roles=roles, counts=tuple(counts))
    return found


def statuses(p: Program) -> set[str]:
    found = check_kernel(
        written(p), launch=f"grid=1 block={WARP + p.threads[1]}", properties=("barrier_uniform",),
        given=["1 <= n", "n <= 2**20"],
    )  # fmt: skip
    return {f.status for f in found}


THREADS = [(1, 1), (1, 2), (2, 1), (2, 2)]
#: Of two who arrive in a chain it is not known that they are held back, but by the round before.
RIGHT = [(kind, x) for kind in (ring, led, chain) for x in THREADS if kind is not chain or x[1] < 2]


@pytest.mark.parametrize("stages", [1, 2, 3])
@pytest.mark.parametrize(("kind", "threads"), RIGHT)
def test_waits_of_rings_end(kind: Kind, threads: tuple[int, int], stages: int) -> None:
    p = kind(threads, stages)
    assert not any(hangs(p, n) for n in SIZES)
    assert statuses(p) == {"proved"}


@pytest.mark.parametrize("stages", [1, 2, 3])
def test_one_warp_waits_for_what_it_does(stages: int) -> None:
    p = alone(2, stages)
    assert not any(hangs(p, n) for n in SIZES)
    assert statuses(p) == {"proved"}


@pytest.mark.parametrize("kind", some([alone, led], 2))
@pytest.mark.parametrize("stages", [1, 2])
def test_a_barrier_of_a_warp_left_out_or_elsewhere(kind: Kind, stages: int) -> None:
    right = alone(2, stages) if kind is alone else led((1, 2), stages)
    steps, proved, hang = right.roles[1], 0, 0
    without = [steps[:at] + steps[at + 1 :] for at in range(len(steps))]
    moved = [
        (*rest[:at], Step("sync"), *rest[at:]) for rest in without for at in range(len(rest) + 1)
    ]
    for changed in some([*without, *moved], 5 if kind is alone else 1):
        p = replace(right, roles=(right.roles[0], changed))
        found, ends = statuses(p), not any(hangs(p, n) for n in SIZES)
        assert ends or found != {"proved"}, (p, written(p))
        proved, hang = proved + (found == {"proved"}), hang + (not ends)
    assert proved > 0 < hang


def test_what_may_wait_for_ever_is_not_proved() -> None:
    rng = random.Random(29)
    ends = proved = never = 0
    for _ in range(many(8, 1500, 80)):
        p = drawn(rng)
        hang = any(hangs(p, n) for n in SIZES)
        found = statuses(p)
        assert not (hang and found == {"proved"}), (p, written(p))
        assert hang or "refuted" not in found, (p, written(p))
        ends, never = ends + (not hang), never + hang
        proved += found == {"proved"}
    assert proved * 2 > ends > 0 < never, (proved, ends, never)


#: One warp hands to another; who looks on arrives at a ring of its own, for which WHO waits.
LOOKS_ON = f"""{HEAD}
#define TURNS for (int k = 0; k < n; k++)
#define FULL await(&full[k % 2], (k / 2) & 1)
#define EMPTY(b) await(&b[k % 2], (k / 2 + 1) & 1)
__global__ void k(int n) {{
  __shared__ unsigned long long full[2], empty[2], seen[2];
  int t = threadIdx.x;
  if (t == 0) for (int j = 0; j < 2; j++) {{
    INIT(&full[j], 1); INIT(&empty[j], 1); INIT(&seen[j], 1);
  }}
  __syncthreads();
  if (t == 0) TURNS {{ EMPTY(empty); MORE ARRIVE(&full[k % 2]); }}
  if (t == 32) TURNS {{ FULL; ARRIVE(&empty[k % 2]); }}
  if (t == 65) TURNS {{ FULL; ARRIVE(&seen[k % 2]); }}
  if (WHO) TURNS {{ EMPTY(seen); ARRIVE(&full[k % 2]); }}
  __syncthreads();
}}"""


@pytest.mark.parametrize(
    ("more", "who", "status"),
    [
        ("EMPTY(seen);", "t > 96", "proved"),
        ("", "t > 96", "unknown"),
        ("", "t * t == 7", "unknown"),
        ("", "t % 4 == 1 && t * 3 % 8 == 1", "unknown"),
    ],
)
def test_an_arrival_that_nobody_makes_holds_nobody_back(more: str, who: str, status: str) -> None:
    text = LOOKS_ON.replace("MORE", more).replace("WHO", who)
    found = check_kernel(
        text, launch="grid=1 block=96", properties=("barrier_uniform",), given=["n <= 2**20"]
    )
    assert max((f.status for f in found), key=["proved", "unknown", "refuted"].index) == status
