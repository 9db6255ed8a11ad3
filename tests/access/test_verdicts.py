"""No verdict on our kernels contradicts what is true of them; what is refuted can be executed."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random

import pytest

from symcute.kernel.findings import Example, Finding
from tests.access import mutants
from tests.access.cases import Case, cases
from tests.access.confirm import confirmed
from tests.access.measure import Outcome, outcome
from tests.access.replay import kernel_of
from tests.full import full, many, some

EASY, HARD = ([c for c in cases() if c.hard == hard] for hard in (False, True))
#: Without `--full` one kernel of every fourteen is decided. Of the hard ones `--full` takes every
#: sixth: `python -m benchmarks.hard` runs them all.
SAMPLE = some([*EASY, *HARD[:: many(20, 6, 12)]], 28, 2)


def hold(case: Case) -> int:
    """How many properties were decided, none of them wrongly."""
    found = outcome(case)
    assert set(found.verdicts) == set(case.truth)
    assert not found.contradictions()
    assert not (full() and found.unconfirmed())
    return sum(v != "unknown" for v in found.verdicts.values())


@pytest.mark.parametrize("case", SAMPLE, ids=lambda c: c.label)
def test_verdicts_do_not_contradict_executions(case: Case) -> None:
    hold(case)


def test_most_is_decided() -> None:
    verdicts = [v for c in SAMPLE for v in outcome(c).verdicts.values()]
    assert sum(v != "unknown" for v in verdicts) >= 0.9 * len(verdicts)


# --- the harness itself -------------------------------------------------------------------------


def named(name: str) -> Case:
    return next(c for c in cases() if c.name == name)


def test_a_wrong_verdict_is_seen() -> None:
    case = named("saxpy_unguarded")
    place = kernel_of(case).place
    lie = Outcome(case, (Finding("in_bounds", "proved", place, ""),))
    assert lie.contradictions() == ["elementwise.saxpy_unguarded in_bounds is False and proved"]
    other = Outcome(named("saxpy"), (Finding("in_bounds", "refuted", place, ""),))
    assert len(other.contradictions()) == 1


@pytest.mark.full
def test_a_counterexample_that_does_not_happen_is_seen() -> None:
    case = named("saxpy_unguarded")
    place = kernel_of(case).place

    def claim(thread: int, n: int) -> Finding:
        at = Example({"N": n}, (1, 1, 1), (256, 1, 1), "", (0, 0, 0), (thread, 0, 0))
        return Finding("in_bounds", "refuted", place, "", counterexample=at)

    assert confirmed(case, claim(200, 100)) is True
    assert confirmed(case, claim(99, 100)) is False
    with pytest.raises(AssertionError, match="assumed"):
        confirmed(case, claim(0, 2**31))


@pytest.mark.full
@pytest.mark.parametrize("seed", range(4))
def test_mutants_are_not_contradicted(seed: int, tmp_path: Path) -> None:
    random, said = Random(seed), Counter[str]()
    chosen = [random.choice(EASY) for _ in range(10)]
    assert not [what for c in chosen for what in mutants.look(c, random, tmp_path, said)]
    assert said["proved"] >= 40 and said["refuted"] >= 5, said
