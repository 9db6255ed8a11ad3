"""Asynchronous copies in CUDA C++, right pipelines and false ones, against plain integers.

A pipeline is a short list of steps: what is done before the loop, in each round, and behind it. It
is written as C++ for `check_kernel`, and replayed here for sizes that are numbers, thread by
thread: a copy happens at any time from where it begins to the wait for it.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import combinations

import pytest

from symcute.kernel.launch.sources import check_kernel

from ..full import many, some
from .judged import judged, summed

THREADS = 32
#: The most stages that a pipeline has here, each of one number for each thread.
STAGES = 4
SIZES = (1, 2, 3, 4, 5, 7)
RACES = ("write_race_free", "read_write_race_free")

HEAD = r"""
#define COPY(t, f) asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" :: "r"(t), "l"(f))
#define COMMIT() asm volatile("cp.async.commit_group;\n" ::)
#define WAIT(n) asm volatile("cp.async.wait_group %0;\n" ::"n"(n))
#define ALL() asm volatile("cp.async.wait_all;\n" ::)
static __device__ unsigned at(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }
__global__ void k(int *a, int *o, int n, int m) {
  __shared__ int s[4 * 32];
  int i = threadIdx.x;
"""


@dataclass(frozen=True)
class Step:
    """One step: `kind` with the stage (k + ahead) % stages, or how many groups a wait leaves.

    `when`: only where k + ahead is a round, only threads below m, or always. A loop has its own k,
    and so many rounds, or n (0).
    """

    kind: str  # copy, read, other's, store, commit, wait, all, barrier, loop
    number: int = 0
    when: str = ""
    inner: tuple[Step, ...] = ()


@dataclass(frozen=True)
class Pipeline:
    """Stages in a ring, how many tiles are copied before the loop, and the steps of a round."""

    stages: int
    before: tuple[tuple[Step, ...], ...]
    round: tuple[Step, ...]
    behind: tuple[Step, ...]


# --- as C++ ---------------------------------------------------------------------------------------


def written(p: Pipeline) -> str:
    lines = [HEAD]
    for j, steps in enumerate(p.before):
        lines += (_line(s, str(j), p.stages) for s in steps)
    lines += ["for (int k = 0; k < n; k++) {"]
    lines += (_line(s, "k", p.stages) for s in p.round)
    lines += ["}", *(_line(s, "n", p.stages) for s in p.behind), "}"]
    return "\n".join(lines)


def _line(s: Step, k: str, stages: int) -> str:
    if s.kind == "loop":
        body = " ".join(_line(x, "l", stages) for x in s.inner)
        return f"for (int l = 0; l < {s.number or 'n'}; l++) {{ {body} }}"
    place = f"32 * (({k} + {s.number}) % {stages})"
    text = {
        "copy": f"COPY(at(&s[{place} + i]), a + i);",
        "read": f"o[i] = s[{place} + i];",
        "other's": f"o[i] = s[{place} + (i ^ 1)];",
        "store": f"s[{place} + i] = 1;",
        "commit": "COMMIT();", "wait": f"WAIT({s.number});", "all": "ALL();",
        "barrier": "__syncthreads();",
    }[s.kind]  # fmt: skip
    test = {"inside": f"{k} + {s.number} < n", "some": "i < m", "": ""}[s.when]
    return f"if ({test}) {{ {text} }}" if test else text


# --- in plain integers ----------------------------------------------------------------------------


def steps_of(p: Pipeline, n: int, m: int, i: int) -> Iterator[tuple[Step, int]]:
    """Yield the steps that a thread takes, each with its k."""
    every = [(s, j) for j, steps in enumerate(p.before) for s in steps]
    every += [(s, k) for k in range(n) for s in p.round] + [(s, n) for s in p.behind]
    for s, k in _unrolled(every, n):
        if s.when == "inside" and k + s.number >= n:
            continue
        if s.when != "some" or i < m:
            yield s, k


def _unrolled(steps: list[tuple[Step, int]], n: int) -> Iterator[tuple[Step, int]]:
    for s, k in steps:
        if s.kind == "loop":
            rounds = [(x, j) for j in range(s.number or n) for x in s.inner]
            yield from _unrolled(rounds, n)
        else:
            yield s, k


@dataclass
class Touch:
    """What is touched, by whom, from which step and barrier on, and up to which."""

    thread: int
    place: int
    writes: bool
    begin: tuple[int, int]
    end: tuple[int, int]


def races_at(p: Pipeline, n: int, m: int) -> set[str]:
    """Return what is untrue of a pipeline at a size."""
    touches: list[Touch] = []
    for i in range(4):  # of 32 threads that are alike but for m
        groups: list[list[Touch]] = []
        loose: list[Touch] = []
        epoch = 0
        for time, (s, k) in enumerate(steps_of(p, n, m, i)):
            here = (epoch, time)
            row = (k + s.number) % p.stages
            if s.kind == "barrier":
                epoch += 1
            elif s.kind == "commit":
                groups.append(loose)
                loose = []
            elif s.kind == "all":
                _landed([*groups, loose], here)
                groups, loose = [], []
            elif s.kind == "wait":
                done = max(0, len(groups) - s.number)
                _landed(groups[:done], here)
                groups = groups[done:]
            else:
                column = i ^ 1 if s.kind == "other's" else i
                touch = Touch(i, row * THREADS + column, s.kind in ("copy", "store"), here, here)
                touches.append(touch)
                if s.kind == "copy":
                    loose.append(touch)
        _landed([*groups, loose], (1 << 30, 1 << 30))
    found = set()
    for a, b in combinations(touches, 2):
        if a.place != b.place or not (a.writes or b.writes):
            continue
        part = 1 if a.thread == b.thread else 0  # own steps in order, others' by barriers
        if a.begin[part] <= b.end[part] and b.begin[part] <= a.end[part]:
            found.add(RACES[0] if a.writes and b.writes else RACES[1])
    return found


def _landed(groups: list[list[Touch]], when: tuple[int, int]) -> None:
    for group in groups:
        for touch in group:
            touch.end = when


def untrue(p: Pipeline) -> set[str]:
    return set().union(*(races_at(p, n, m) for n in SIZES for m in (1, 4)))


# --- the cases ------------------------------------------------------------------------------------


def pipeline(stages: int, ahead: int, left: int, read: str = "other's") -> Pipeline:
    """The usual pipeline: `ahead` tiles before the loop, and a wait that leaves `left` groups."""
    copy = Step("copy", 0, "inside")
    return Pipeline(
        stages,
        tuple((copy, Step("commit")) for _ in range(ahead)),
        (
            Step("wait", left), Step("barrier"), Step("copy", ahead, "inside"), Step("commit"),
            Step(read),
        ),
        (),
    )  # fmt: skip


def drawn(rng: random.Random) -> Pipeline:
    """A pipeline that is right or nearly so, changed in up to two steps."""
    stages = rng.randint(1, STAGES)
    ahead = rng.choice([max(stages - 1, 0), stages, max(stages - 2, 0)])
    found = pipeline(stages, ahead, max(0, ahead - 1), rng.choice(["other's", "read"]))
    steps = [*found.round]
    if rng.random() < 0.3:
        steps.append(Step("barrier"))
    for _ in range(rng.randint(0, 2)):
        at = rng.randrange(len(steps))
        other = [
            Step("wait", rng.randint(0, 3)), Step("all"), Step("barrier"), Step("commit"),
            Step("commit", 0, "some"), Step("wait", 0, "some"), Step("read", rng.randint(0, 2)),
            Step("store", rng.randint(0, 2)), Step("copy", rng.randint(0, 3), "inside"),
            Step("copy", rng.randint(0, 3)), Step("copy", rng.randint(0, 2), "some"),
        ]  # fmt: skip
        how = rng.choice(["out", "in", "instead", "exchanged"])
        if how == "out" and len(steps) > 1:
            del steps[at]
        elif how == "in":
            steps.insert(at, rng.choice(other))
        elif how == "instead":
            steps[at] = rng.choice(other)
        else:
            steps[at], steps[at - 1] = steps[at - 1], steps[at]
    behind = rng.choice([(), (Step("all"),), (Step("wait"), Step("barrier"), Step("other's"))])
    return Pipeline(stages, found.before, tuple(steps), behind)


def nested(rng: random.Random) -> Pipeline:
    """A pipeline of which some steps of a round are in a loop of their own."""
    found = drawn(rng)
    steps = [*found.round]
    at = rng.randrange(len(steps))
    size = rng.randint(1, 3)
    inner = Step("loop", rng.randint(0, 3), "", tuple(steps[at : at + size]))
    steps[at : at + size] = [inner]
    return Pipeline(found.stages, found.before, tuple(steps), found.behind)


def verdicts(p: Pipeline) -> dict[str, set[str]]:
    found = check_kernel(
        written(p), launch="grid=1 block=32", extents={"a": "32", "o": "32"},
        given=["n <= 2**20"], properties=RACES,
    )  # fmt: skip
    assert found
    about = [f for f in found if " of s" in f.text or "to s" in f.text or f.status == "proved"]
    return {name: {f.status for f in about if f.property == name} for name in RACES}


def judge(p: Pipeline) -> tuple[int, int, int]:
    """Return how many are true, decided of these, and refuted; none is decided wrongly."""
    return judged(untrue(p), verdicts(p), (p, written(p)))


@pytest.mark.parametrize("stages", [2, 3, 4])
def test_the_usual_pipeline(stages: int) -> None:
    right = pipeline(stages, stages - 1, stages - 2)
    assert not untrue(right)
    assert judge(right) == (2, 2, 0)


WRONG = [
    pipeline(3, 2, 2),  # a wait that leaves one group too many
    pipeline(2, 2, 1),  # a ring that is one stage too short
    pipeline(3, 3, 2),
    Pipeline(3, pipeline(3, 2, 1).before, pipeline(3, 2, 1).round[1:], ()),  # no wait
    Pipeline(3, pipeline(3, 2, 1).before, (Step("wait", 1), *pipeline(3, 2, 1).round[2:]), ()),
    Pipeline(  # the wait behind the barrier
        3, pipeline(3, 2, 1).before,
        (Step("barrier"), Step("wait", 1), *pipeline(3, 2, 1).round[2:]), (),
    ),
    Pipeline(  # some threads wait
        3, pipeline(3, 2, 1).before, (Step("wait", 1, "some"), *pipeline(3, 2, 1).round[1:]), ()
    ),
    Pipeline(  # groups of some threads
        3, pipeline(3, 2, 1).before,
        (*pipeline(3, 2, 1).round[:3], Step("commit", 0, "some"), Step("other's")), (),
    ),
    Pipeline(  # no group for tiles that there are not
        3, pipeline(3, 2, 1).before,
        (*pipeline(3, 2, 1).round[:3], Step("commit", 2, "inside"), Step("other's")), (),
    ),
]  # fmt: skip


@pytest.mark.parametrize("wrong", some(WRONG, 8))
def test_a_wrong_pipeline(wrong: Pipeline) -> None:
    assert "read_write_race_free" in untrue(wrong)
    _, _, refuted = judge(wrong)
    assert refuted >= 1


def test_what_another_thread_meets_is_not_said_of_the_one_that_copies() -> None:
    text = written(pipeline(3, 2, 2))  # each reads what its neighbour has copied
    found = check_kernel(
        text, launch="grid=1 block=32", extents={"a": "32", "o": "32"}, given=["n <= 2**20"],
        properties=RACES[1:],
    )  # fmt: skip
    refuted = [f for f in found if f.status == "refuted"]
    assert not any(f.status == "unknown" for f in found)
    assert refuted and all("o[i] =" in text.split("\n")[f.place.line - 1] for f in refuted)


@pytest.mark.parametrize(("draw", "least"), [(drawn, 0.9), (nested, 0.6)])
def test_drawn_pipelines(draw: Callable[[random.Random], Pipeline], least: float) -> None:
    rng = random.Random(19)
    true, proved, false, refuted = summed(judge(draw(rng)) for _ in range(many(2, 15)))
    assert proved >= least * true and refuted >= 0.7 * false, (true, proved, false, refuted)


# --- waits of which the number is said otherwise --------------------------------------------------


def reading_of(wait: str) -> str:
    """Return what is said of a read of what another thread has copied: one group came since."""
    text = f"""{HEAD} COPY(at(&s[i]), a + i); COMMIT(); COMMIT(); {wait} __syncthreads();
      o[i] = s[i ^ 1]; }}"""
    found = check_kernel(
        text, launch="grid=1 block=32", extents={"a": "32", "o": "32"}, properties=RACES[1:]
    )
    return found.status


@pytest.mark.parametrize(
    ("wait", "status"),
    [
        ("__pipeline_wait_prior(1);", "proved"),
        ("__pipeline_wait_prior(2);", "refuted"),
        ("constexpr int w = 2; __pipeline_wait_prior(w - 1);", "proved"),
        ("__pipeline_wait_prior(n);", "unknown"),
        ("__pipeline_wait_prior(n); __pipeline_wait_prior(1);", "proved"),
        ("int w = 1; w++; __pipeline_wait_prior(w);", "unknown"),
        ('asm volatile("cp.async.wait_group %0;" :: "n"(-1));', "unknown"),
    ],
)
def test_waits_for_a_number_of_groups(wait: str, status: str) -> None:
    assert reading_of(wait) == status
