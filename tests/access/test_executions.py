"""The simulator's accesses are those of the CPU, one by one: front end and simulator together."""

from __future__ import annotations

import pytest

from tests.access.cases import Case, cases
from tests.access.ground_truth import launch_fault, violations
from tests.access.host import compiler, execute
from tests.access.replay import alike, records, simulate

RUNS = 1
pytestmark = pytest.mark.skipif(compiler() is None, reason="needs g++")
#: Kernels whose accesses depend on floats or on votes, which a program does not have.
CHOSEN = {"binary_search", "warp_votes", "same_value_flag"}


def compare(case: Case, runs: int, seed: int = 0) -> int:
    """How many accesses were the same; they fail where they are not."""
    sizes = [*case.small_runs(runs, seed), *case.runs]
    chosen = [r for r in sizes if not launch_fault(case, r.dims)]
    compared = 0
    for run, execution in zip(chosen, execute(case, chosen), strict=True):
        trace, asked = simulate(case, run)
        assert not trace.unsupported, trace.unsupported
        if asked:
            assert case.name in CHOSEN, asked[0]
            continue
        if execution.status != "done" or not trace.complete:
            continue
        ours, theirs = alike(list(records(case, run, trace))), alike(execution.records)
        assert ours[0] == theirs[0], (dict(run.dims), sorted(ours[0] ^ theirs[0])[:4])
        assert ours[1] == theirs[1], dict(run.dims)
        shown = violations(case, run, execution)
        assert bool(trace.divergence) == ("barrier_uniform" in shown)
        races = {"write_race_free" if r.both_write else "read_write_race_free" for r in trace.races}
        assert races == {name for name in shown if name.endswith("race_free")}, dict(run.dims)
        assert bool(trace.out_of_bounds) == ("in_bounds" in shown), dict(run.dims)
        assert bool(trace.misaligned) == ("aligned" in shown), dict(run.dims)
        wraps = [w for w in trace.wraps if w.role != "other" and not w.explicit]
        assert "no_overflow" not in shown or wraps
        assert not (wraps and case.truth["no_overflow"]), wraps
        compared += len(execution.records)
    return compared


@pytest.mark.parametrize("case", cases(), ids=lambda c: c.label)
def test_accesses_are_those_of_the_cpu(case: Case) -> None:
    if compare(case, RUNS) == 0:
        assert case.name in {*CHOSEN, "too_many_threads"}


@pytest.mark.full
@pytest.mark.parametrize("case", cases(), ids=lambda c: c.label)
def test_accesses_are_those_of_the_cpu_at_many_sizes(case: Case) -> None:
    for seed in range(1, 6):
        compare(case, 6, seed)
