"""Right kernels with one thing changed: what executions show to be untrue of one is not proved.

Some are recorded; with `--full` there are many more, executed in Triton's interpreter, and so are
the counterexamples of those that are refuted.
"""

from __future__ import annotations

from hashlib import sha256

import pytest

from tests.full import many
from tests.oracle.recorded import recorded

from .cases import cases
from .executions import ORACLE
from .mutants import counted, drawn, executed, mutants
from .verdicts import unconfirmed

RECORDED, ALL = 24, many(120, 120, 40)


@pytest.mark.full
def test_no_mutant_that_is_wrong_is_proved() -> None:
    chosen = drawn(RECORDED)
    questions = [f"{m.label} {sha256(m.text.encode()).hexdigest()[:12]}" for m in chosen]
    said = recorded("triton_mutants", ORACLE, questions, lambda: executed(chosen))
    asked = chosen
    count, _, wrong = counted(asked, said)
    assert not wrong
    assert count["wrong ones"] >= len(asked) // 2
    assert count["untrue, refuted"] >= 4 * count["untrue, unknown"]


@pytest.mark.full
def test_no_mutant_of_many_is_proved() -> None:
    chosen = drawn(ALL, 2)
    count, outcomes, wrong = counted(chosen, executed(chosen))
    assert not wrong and not unconfirmed(outcomes)
    assert count["wrong ones"] >= ALL // 2
    assert count["untrue, refuted"] >= 4 * count["untrue, unknown"]


@pytest.mark.full
def test_mutants_are_of_all_kinds() -> None:
    right = [c for c in cases() if all(c.truth.values())]
    found = [m for c in right for m in mutants(c)]
    assert len(found) >= 1500
    changes = {m.change.partition(": ")[2] or m.change for m in found}
    assert {
        "the other side of equality", "a factor more", "one more", "a store of the next element",
        "a store without its mask", "the first condition alone", "no atomic", "no barrier",
        "rounded down", "programs + 1", "programs - 1", "BLOCK = 64",
    } <= changes  # fmt: skip
    assert len({m.case.label + m.text for m in found}) == len(found)
