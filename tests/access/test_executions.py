"""The simulator's accesses are those of the CPU, one by one: front end and simulator together."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import NamedTuple

import pytest

from tests.access.cases import Case, Run, cases, some_cases
from tests.access.ground_truth import launch_fault, violations
from tests.access.host import Execution, Record, execute
from tests.access.replay import alike, records, simulate
from tests.full import at_length, recording, some
from tests.oracle.recorded import COMPILER, Json, recorded

#: Without `--full`, one of so many hard kernels is executed, and every second of the others.
STEP = 6
#: Kernels whose accesses depend on floats or on votes, which a program does not have.
CHOSEN = {
    "binary_search", "warp_votes", "same_value_flag",
    "bitonic_fixed", "bitonic_stage_too_many", "odd_even_sort",
}  # fmt: skip
#: Kernels with products that are meant to wrap by their large factor, which executions cannot know.
MEANT = {"hashed", "hashed_short", "congruential", "congruential_short"}


class Shown(NamedTuple):
    """What an execution on the CPU shows; its accesses as a digest."""

    status: str
    count: int
    accesses: str
    violated: list[str]


def digest(found: Iterable[Record]) -> str:
    """Return a text that stands for the accesses, as far as two executions have them in common."""
    reads, writes = alike(list(found))
    text = repr([list(map(tuple, sorted(reads))), list(map(tuple, writes))])
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def shown_by(case: Case, run: Run, execution: Execution) -> Shown:
    """Return what is written down of an execution."""
    names = sorted(violations(case, run, execution))
    return Shown(execution.status, len(execution.records), digest(execution.records), names)


def runs_of(case: Case, runs: int = 1, seed: int = 0) -> list[Run]:
    """Return the executions of a kernel that are compared."""
    sizes = [*case.small_runs(runs, seed), *case.runs]
    return [r for r in sizes if not launch_fault(case, r.dims)]


def compare(case: Case, run: Run, shown: Shown, execution: Execution | None = None) -> int:
    """Return how many accesses were the same, and fail where they are not."""
    trace, asked = simulate(case, run)
    assert not trace.unsupported, trace.unsupported
    if asked:
        assert case.name in CHOSEN, asked[0]
        return 0
    if shown.status != "done" or not trace.complete:
        return 0
    found = list(records(case, run, trace))
    if execution is not None:
        ours, theirs = alike(found), alike(execution.records)
        assert ours[0] == theirs[0], (dict(run.dims), sorted(ours[0] ^ theirs[0])[:4])
        assert ours[1] == theirs[1], dict(run.dims)
    assert digest(found) == shown.accesses, f"{dict(run.dims)}; pytest --full shows the difference"
    assert bool(trace.divergence) == ("barrier_uniform" in shown.violated)
    races = {"write_race_free" if r.both_write else "read_write_race_free" for r in trace.races}
    assert races == {x for x in shown.violated if x.endswith("race_free")}, dict(run.dims)
    assert bool(trace.out_of_bounds) == ("in_bounds" in shown.violated), dict(run.dims)
    assert bool(trace.misaligned) == ("aligned" in shown.violated), dict(run.dims)
    wraps = [w for w in trace.wraps if w.role != "other" and not w.explicit]
    assert "no_overflow" not in shown.violated or wraps
    assert not (wraps and case.truth["no_overflow"]) or case.name in MEANT, wraps
    return shown.count


@pytest.fixture(scope="module")
def answers() -> dict[tuple[str, int], Shown]:
    """What executions show, by kernel and number."""
    chosen = cases() if recording() else some_cases(STEP)
    runs = {case: runs_of(case) for case in chosen}

    def ask() -> list[Json]:
        done = ((c, zip(r, execute(c, r), strict=True)) for c, r in runs.items())
        return [[*shown_by(case, *one)] for case, pairs in done for one in pairs]

    keys = [(case.label, n) for case, r in runs.items() for n in range(len(r))]
    asked = [f"{case.label} {run}" for case, r in runs.items() for run in r]
    said = recorded("executions", COMPILER, asked, ask, part=not at_length())
    return {key: Shown(*x) for key, x in zip(keys, said, strict=True)}


@pytest.mark.parametrize("case", some_cases(STEP), ids=lambda c: c.label)
def test_accesses_are_those_of_the_cpu(case: Case, answers: dict[tuple[str, int], Shown]) -> None:
    runs = enumerate(runs_of(case))
    if sum(compare(case, run, answers[case.label, n]) for n, run in runs) == 0:
        assert case.name in {*CHOSEN, "too_many_threads"}


@pytest.mark.full
@pytest.mark.parametrize("case", some(cases(), 8, 0, 8), ids=lambda c: c.label)
def test_accesses_are_those_of_the_cpu_at_more_sizes(case: Case) -> None:
    """The sizes that are written down are compared above."""
    drawn = [r for seed in range(3) for r in case.small_runs(2, seed)]
    runs = [r for r in drawn if not launch_fault(case, r.dims)]
    compared = 0
    for run, execution in zip(runs, execute(case, runs), strict=True):
        compared += compare(case, run, shown_by(case, run, execution), execution)
    assert compared or not runs or case.name in {*CHOSEN, "too_many_threads"}
