"""Random claims and operations, seeded, against plain loops."""

from __future__ import annotations

import pytest

from tests.full import many

from .fuzz import Tally, run

DRAWN = many(20, 150)


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
    _sound(run("static", DRAWN, seed, most=300), DRAWN)


@pytest.mark.parametrize("seed", [1, 2])
def test_symbolic_verdicts_agree_with_loops(seed: int) -> None:
    _sound(run("claims", DRAWN, seed, work=500, most=40, solver_work=300), DRAWN)


@pytest.mark.parametrize("seed", [1, 2])
def test_operations_agree_with_their_definitions(seed: int) -> None:
    _sound(run("algebra", DRAWN, seed, most=60, solver_work=300), DRAWN)
