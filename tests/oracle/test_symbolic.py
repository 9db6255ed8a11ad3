"""Are symbolic results right at every point: against the static ones, and against CuTe C++?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import pytest

from symcute.errors import Undecided
from tests.full import many

from . import runtime
from .operations import OPERATIONS
from .recorded import HEADERS, Json, recorded, refused
from .symbolic import POINTS, SYMBOLIC, SymbolicCase, symbolic_cases

CASES = many(25, 200)
MOST_UNDECIDED = 0.2
CPP_CASES = 2
MORE_CPP_CASES = 8
#: What CuTe computes for static arguments only: a common divisor.
STATIC_ONLY = ("domain_distribute",)
#: Of these some cases want strides that are known to the compiler.
OFTEN_STATIC = ("complement", "left_inverse", "_divide", "_product")


@pytest.mark.parametrize("name", OPERATIONS)
def test_symbolic_results_are_the_static_ones_at_every_point(name: str) -> None:
    cases = symbolic_cases(name, CASES)
    assert len(cases) >= CASES
    undecided = 0
    for case in cases:
        try:
            result = case.result()
        except Undecided:
            undecided += 1
            continue
        assert len(case.points) == POINTS
        for point in case.points:
            why = case.difference(result, point)
            assert not why, f"{case} = {result} at {point} is {why}"
    assert undecided <= MOST_UNDECIDED * len(cases)


def test_every_operation_has_symbolic_cases() -> None:
    assert set(SYMBOLIC) == set(OPERATIONS)


Answers = Sequence[list[str] | str]


def _against_cpp(cases: Sequence[SymbolicCase], answers: Answers) -> Counter[str]:
    """How often each operation was compared with CuTe; fails at the first difference."""
    compared: Counter[str] = Counter()
    for case, answer in zip(cases, answers, strict=True):
        if isinstance(answer, str):
            continue  # CuTe wants the leaf at compile time
        try:
            result = case.result()
        except Undecided:
            continue
        for point, text in zip(case.points, answer, strict=True):
            assert not (why := runtime.difference(case, result, point, text)), why
        compared[case.name] += 1
    return compared


def test_symbolic_results_are_those_of_cute_on_run_time_integers() -> None:
    drawn = [case for name in OPERATIONS for case in symbolic_cases(name, CPP_CASES)]
    cases = {runtime.question(case): case for case in drawn if runtime.usable(case)}

    def ask() -> list[Json]:
        return [refused(x) if isinstance(x, str) else x for x in runtime.ask([*cases.values()])]

    said = recorded("runtime", HEADERS, [*cases], ask)
    answers = [x["refused"] if isinstance(x, dict) else x for x in said]
    compared = _against_cpp([*cases.values()], answers)
    missing = set(OPERATIONS) - set(compared) - set(STATIC_ONLY)
    assert all(name.endswith(OFTEN_STATIC) for name in missing), missing
    assert compared.total() >= 0.8 * len(drawn)


@pytest.mark.full
def test_more_symbolic_results_are_those_of_cute() -> None:
    drawn = [case for name in OPERATIONS for case in symbolic_cases(name, MORE_CPP_CASES)]
    cases = [case for case in drawn if runtime.usable(case)]
    compared = _against_cpp(cases, runtime.ask(cases))
    assert compared.total() >= 0.7 * len(drawn)
    assert len(compared) >= len(OPERATIONS) - len(STATIC_ONLY) - 5
