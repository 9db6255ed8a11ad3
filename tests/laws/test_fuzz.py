"""Random claims and operations, seeded, against plain loops."""

from __future__ import annotations

import pytest

from tests.full import many

from .fuzz import Tally, run

#: How many times as much is drawn with `--full`, and the seconds after which a run is hung.
TIMES, SECONDS = many(1, 6), 3600


def _sound(tally: Tally, least: int, decided: int) -> None:
    """No fault, with so much compared and so many verdicts that are not unknown at least."""
    assert not tally.faults, "\n".join(tally.faults)
    found = tally.counts
    compared = found["instances compared"] + found["counterexamples compared"]
    assert compared + found["operation results compared"] >= least * TIMES
    assert found["verdict proved"] >= decided * TIMES <= found["verdict refuted"]


@pytest.mark.parametrize("seed", [1, 2])
def test_static_verdicts_agree_with_loops(seed: int) -> None:
    _sound(run("static", SECONDS, seed, most=200 * TIMES), 150, 70)


@pytest.mark.parametrize("seed", [1, 2])
def test_symbolic_verdicts_agree_with_loops(seed: int) -> None:
    tally = run("claims", SECONDS, seed, work=500, most=40 * TIMES, solver_work=300)
    _sound(tally, 400, 8)


@pytest.mark.parametrize("seed", [1, 2])
def test_operations_agree_with_their_definitions(seed: int) -> None:
    tally = run("algebra", SECONDS, seed, most=60 * TIMES, solver_work=300)
    _sound(tally, 300, 0)
    results = sum(n for name, n in tally.counts.items() if name.endswith(": result"))
    assert results >= 25 * TIMES
