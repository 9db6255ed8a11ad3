"""Kernels written to mislead: no verdict on them contradicts what is true of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.access.cases import Case, read
from tests.access.ground_truth import launch_fault, violations
from tests.access.host import execute
from tests.access.measure import outcome
from tests.full import full, some

FILES = sorted((Path(__file__).parent / "adversary").glob("*.cu"))
CASES = [case for file in FILES for case in read(file)]
#: Without `--full` one of every eight kernels is decided.
SAMPLE = some(CASES, 8)
#: Not for the CPU's compiler: assembly and masks, and signed sums that it takes never to wrap.
NOT_EXECUTED = ("unusual", "folded", "values")


def hold(case: Case) -> None:
    """No verdict is wrong, and what is refuted happens on the CPU."""
    found = outcome(case)
    assert set(found.verdicts) == set(case.truth)
    assert not found.contradictions()
    if full() and case.file.stem not in NOT_EXECUTED:
        assert not found.unconfirmed()


def test_there_are_true_and_false_ones_of_each_property() -> None:
    names = [c.name for c in CASES]
    assert len(names) == len(set(names)) >= 180
    for name in CASES[0].truth:
        answers = {c.truth[name] for c in CASES}
        assert answers == {True, False} or name == "aligned", name


@pytest.mark.parametrize("case", SAMPLE, ids=lambda c: c.label)
def test_verdicts_do_not_contradict_the_truth(case: Case) -> None:
    hold(case)


def test_most_is_decided() -> None:
    verdicts = [v for c in SAMPLE for v in outcome(c).verdicts.values()]
    assert len(verdicts) - verdicts.count("unknown") >= 0.85 * len(verdicts)


@pytest.mark.full
@pytest.mark.parametrize(
    "case", [c for c in CASES if c.file.stem not in NOT_EXECUTED], ids=lambda c: c.label
)
def test_what_is_called_true_is_what_executions_show(case: Case) -> None:
    runs = [r for r in (*case.runs, *case.small_runs(4)) if not launch_fault(case, r.dims)]
    for run, execution in zip(runs, execute(case, runs), strict=True):
        wrongly = {n for n in violations(case, run, execution) if case.truth[n]}
        assert not wrongly, (dict(run.dims), wrongly)
