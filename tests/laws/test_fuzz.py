"""Random claims and operations, seeded, against plain loops; long runs are marked soak."""

from __future__ import annotations

import pytest

from .fuzz import Tally, run


def _sound(tally: Tally, least: int) -> None:
    assert not tally.faults, "\n".join(tally.faults)
    assert (
        tally.counts["instances compared"]
        + tally.counts["counterexamples compared"]
        + tally.counts["operation results compared"]
        >= least
    )


@pytest.mark.parametrize("seed", [1, 2])
def test_static_verdicts_agree_with_loops(seed: int) -> None:
    _sound(run("static", 20, seed, most=300), 20)


@pytest.mark.parametrize("seed", [1, 2])
def test_symbolic_verdicts_agree_with_loops(seed: int) -> None:
    _sound(run("claims", 20, seed, work=500, most=40, solver_work=300), 20)


@pytest.mark.parametrize("seed", [1, 2])
def test_operations_agree_with_their_definitions(seed: int) -> None:
    _sound(run("algebra", 20, seed, most=60, solver_work=300), 20)


@pytest.mark.soak
@pytest.mark.parametrize("kind", ["static", "claims", "algebra"])
def test_long_random_runs_find_no_fault(kind: str) -> None:
    _sound(run(kind, 300, 77, solver_work=300), 1000)
