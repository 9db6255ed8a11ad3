"""No verdict on our Triton kernels contradicts what executions show; what is refuted happens.

What Triton makes of a sample of them is recorded, so that nothing but symcute runs; with `--full`
it is all of them, made again, and the counterexamples are executed in Triton's interpreter.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from symcute.kernel.findings import Example, Finding
from tests.full import full, recording, some
from tests.oracle.recorded import recorded

from .cases import Case, cases
from .verdicts import Outcome, outcome, ttir, unconfirmed

#: Some of all files, right ones and wrong ones.
SAMPLE = cases()[2::6]
CHOSEN = some(cases(), 18, 2, 2) if not recording() else SAMPLE


@cache
def made() -> dict[str, Any]:
    """What Triton makes of the kernels, by their labels."""
    questions = [f"{c.label} {c.digest}" for c in SAMPLE]
    found = recorded("triton_ttir", ("triton",), questions, lambda: ttir(SAMPLE))
    said = {c.label: a for c, a in zip(SAMPLE, found, strict=True)}
    others = [c for c in CHOSEN if c.label not in said]
    return said | {c.label: a for c, a in zip(others, ttir(others), strict=True)}


@cache
def of(case: Case) -> Outcome:
    return outcome(case, made()[case.label])


@pytest.mark.parametrize("case", CHOSEN, ids=lambda c: c.label)
def test_verdicts_do_not_contradict_executions(case: Case) -> None:
    assert not of(case).contradictions()
    assert set(of(case).verdicts) == set(case.truth)


def test_most_is_decided() -> None:
    verdicts = [v for c in CHOSEN for v in of(c).verdicts.values()]
    assert sum(v != "unknown" for v in verdicts) >= (0.9 if full() else 0.85) * len(verdicts)
    for word in ("proved", "refuted"):
        assert verdicts.count(word) >= len(CHOSEN) // 3


@pytest.mark.full
def test_counterexamples_happen() -> None:
    outcomes = [of(c) for c in CHOSEN]
    assert sum(len(o.refuted()) for o in outcomes) >= 60
    assert not unconfirmed(outcomes)


# --- the harness itself -------------------------------------------------------------------------


def named(name: str) -> Case:
    return next(c for c in cases() if c.name == name)


def lie(case: Case, name: str, status: Any, example: Example | None = None) -> Outcome:
    place = of(SAMPLE[0]).findings[0].place
    return Outcome(case, (Finding(name, status, place, "", counterexample=example),), 0.0)


def test_a_wrong_verdict_is_seen() -> None:
    wrong = lie(named("copy_without_mask"), "in_bounds", "proved").contradictions()
    assert wrong == ["elementwise.copy_without_mask in_bounds is False and proved"]
    assert lie(named("add"), "in_bounds", "refuted").contradictions()


@pytest.mark.full
def test_a_counterexample_that_does_not_happen_is_seen() -> None:
    case = named("copy_without_mask")

    def claim(n: int, program: int) -> Outcome:
        at = Example({"n": n}, (1, 1, 1), (1, 1, 1), "", (program, 0, 0), (0, 0, 0))
        return lie(case, "in_bounds", "refuted", at)

    assert not unconfirmed([claim(70, 1)])
    assert len(unconfirmed([claim(64, 0)])) == 1
    assert len(unconfirmed([claim(70, 0)])) == 1
