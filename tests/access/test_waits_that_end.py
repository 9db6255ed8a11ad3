"""Threads that wait for mbarriers before a barrier of the block, in CUDA C++, against a replay.

In the replay the threads go on in every order: where in one of them somebody waits for ever, not
all come to the barrier, and `barrier_uniform` is not proved; where in none, it is not refuted.
"""

from __future__ import annotations

import random
from dataclasses import dataclass

from symcute.kernel.launch.sources import check_kernel

from ..full import many
from .test_mbarriers import HEAD

THREADS, BARS = 4, 2
#: Who takes a step, as C++ and as a function of a thread and n.
WHO = {
    "true": lambda t, n: True,
    "t == 0": lambda t, n: t == 0,
    "t < 2": lambda t, n: t < 2,
    "t >= 2": lambda t, n: t >= 2,
    "n > 1": lambda t, n: n > 1,
    "a[t] > 0": None,  # whoever
}


@dataclass(frozen=True)
class Step:
    """An arrival at an mbarrier, or with a parity a wait for it, by some of the threads."""

    who: str
    bar: int
    parity: int | None = None
    rounds: int = 1


@dataclass(frozen=True)
class Program:
    """How many arrivals each mbarrier waits for, and the steps in their order."""

    counts: tuple[int, ...]
    steps: tuple[Step, ...]


def written(p: Program) -> str:
    lines = []
    for s in p.steps:
        bar = f"&bars[{s.bar}]"
        text = f"ARRIVE({bar});" if s.parity is None else f"await({bar}, {s.parity});"
        loop = f"for (int k = 0; k < {s.rounds}; k++) " if s.rounds > 1 else ""
        lines.append(f"  if ({s.who}) {loop}{{ {text} }}\n")
    inits = " ".join(f"INIT(&bars[{k}], {n});" for k, n in enumerate(p.counts))
    return (
        f"{HEAD}__global__ void k(const int *a, int n) {{\n"
        f"  __shared__ unsigned long long bars[{BARS}];\n  int t = threadIdx.x;\n"
        f"  if (t == 0) {{ {inits} }}\n  __syncthreads();\n{''.join(lines)}  __syncthreads();\n}}"
    )


def may_hang(p: Program) -> bool:
    """Return whether somebody waits for ever, in some order, for some data and some n."""
    return any(
        _hangs(p, n, data) for n in (1, 2) for data in range(2 ** (THREADS * ("a[t]" in str(p))))
    )


def _hangs(p: Program, n: int, data: int) -> bool:
    does = [
        [
            s
            for s in p.steps
            for _ in range(s.rounds)
            if (test(t, n) if (test := WHO[s.who]) else data >> t & 1)
        ]
        for t in range(THREADS)
    ]
    start = (0,) * THREADS, ((0, 0),) * BARS
    seen, todo = {start}, [start]
    while todo:
        places, bars = todo.pop()
        stuck = True
        for t, steps in enumerate(does):
            if places[t] == len(steps):
                continue
            s = steps[places[t]]
            over, arrived = bars[s.bar]
            if s.parity is None:
                arrived += 1
                if arrived == p.counts[s.bar]:
                    over, arrived = over + 1, 0
            elif over % 2 == s.parity:
                continue
            stuck = False
            after = (*places[:t], places[t] + 1, *places[t + 1 :])
            cells = (*bars[: s.bar], (over, arrived), *bars[s.bar + 1 :])
            if (after, cells) not in seen:
                seen.add((after, cells))
                todo.append((after, cells))
        if stuck and any(place < len(x) for place, x in zip(places, does, strict=True)):
            return True
    return False


def drawn(rng: random.Random) -> Program:
    """Return mostly a program whose mbarriers are each arrived at, and then waited for."""
    usual = ["true", "t == 0", "t < 2", "t >= 2"]
    steps, counts = list[Step](), list[int]()
    for bar in range(BARS):
        arriving = rng.choice([["true"], ["t == 0"], ["t < 2"], ["t >= 2"], ["t < 2", "t >= 2"]])
        counts.append(sum(WHO[w](t, 2) for w in arriving for t in range(THREADS)))
        steps += [Step(w, bar) for w in arriving]
        steps += [Step(rng.choice(usual), bar, 0) for _ in range(rng.randint(1, 2))]
    for _ in range(rng.choice([0, 0, 1, 1, 2])):
        at = rng.randrange(len(steps))
        match rng.choice(["out", "in", "exchanged", "who", "parity", "count", "rounds", "n"]):
            case "out":
                del steps[at]
            case "in":
                steps.insert(
                    at, Step(rng.choice(usual), rng.randrange(BARS), rng.choice([None, 0]))
                )
            case "exchanged":
                steps[at], steps[at - 1] = steps[at - 1], steps[at]
            case "who":
                steps[at] = Step(rng.choice([*WHO]), steps[at].bar, steps[at].parity)
            case "parity":
                steps[at] = Step(steps[at].who, steps[at].bar, rng.choice([0, 1]))
            case "count":
                bar = rng.randrange(BARS)
                counts[bar] = max(1, counts[bar] + rng.choice([-1, 1]))
            case "rounds":
                steps[at] = Step(steps[at].who, steps[at].bar, steps[at].parity, 2)
            case "n":
                steps = [Step("n > 1", s.bar, s.parity) if s.who == "true" else s for s in steps]
    return Program(tuple(counts), tuple(steps))


def test_barriers_are_proved_where_waits_end() -> None:
    rng = random.Random(23)
    ends = proved = 0
    for _ in range(many(16, 1500, 150)):
        p = drawn(rng)
        found = check_kernel(
            written(p), launch=f"grid=1 block={THREADS}", properties=("barrier_uniform",),
            given=["n <= 2**20"], extents={"a": f"{THREADS}"},
        )  # fmt: skip
        statuses = {f.status for f in found}
        hangs = may_hang(p)
        assert not (hangs and statuses == {"proved"}), (p, written(p))
        assert hangs or "refuted" not in statuses, (p, written(p))
        ends += not hangs
        proved += statuses == {"proved"}
    assert proved * 2 > ends > 0, (proved, ends)
