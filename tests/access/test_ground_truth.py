"""What the kernels' comments call true is what executions on the CPU show."""

from __future__ import annotations

import pytest

from tests.access.cases import PROPERTIES, Case, cases
from tests.access.ground_truth import launch_fault, violations
from tests.access.host import execute, program
from tests.full import some

RUNS = 3
#: Accesses of a launch at large sizes, which may be a loop without an end.
FEW = 1000


def test_there_are_kernels_enough() -> None:
    names = [c.name for c in cases()]
    assert len(names) == len(set(names)) >= 80
    wrong = [c for c in cases() if not all(c.truth.values())]
    assert len(wrong) >= 40 and len(cases()) - len(wrong) >= 40
    for name in PROPERTIES:
        assert any(not c.truth[name] for c in cases()), name


@pytest.mark.full
@pytest.mark.parametrize("case", some(cases(), 2, 0, 2), ids=lambda c: c.label)
def test_truth_is_what_executions_show(case: Case) -> None:
    runs = [*case.runs, *case.small_runs(RUNS)]
    assert runs, "no sizes meet the assumptions"
    assert all(case.admits(r.dims) for r in runs)
    valid = [r for r in runs if not launch_fault(case, r.dims)]
    shown: dict[str, str] = {}
    for run in runs:
        if run not in valid:
            shown.setdefault("launch_valid", launch_fault(case, run.dims))
    for run, execution in zip(valid, execute(case, valid), strict=True):
        for name, why in violations(case, run, execution).items():
            shown.setdefault(name, f"{dict(run.dims)}: {why}")
    wrongly = {name: why for name, why in shown.items() if case.truth[name]}
    assert not wrongly
    # Wraps of unsigned numbers are defined in C++, so the compiler says nothing of them.
    missing = {n for n, true in case.truth.items() if not true and n not in shown}
    assert missing <= {"no_overflow"}


@pytest.mark.full
@pytest.mark.parametrize(
    "case", some([c for c in cases() if c.dims()], 2, 1, 2), ids=lambda c: c.label
)
def test_truth_is_what_the_ends_of_large_launches_show(case: Case) -> None:
    runs = [r for r in map(case.large_run, range(RUNS)) if r is not None]
    assert runs or not case.truth["launch_valid"], "no sizes meet the assumptions"
    for run, execution in zip(runs, program(case.file).run(case, runs, FEW), strict=True):
        shown = violations(case, run, execution).items()
        assert not {name: why for name, why in shown if case.truth[name]}, dict(run.dims)
