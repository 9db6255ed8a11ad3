"""Verdicts hang on work that is counted, never on time; where time strikes, they say so."""

from __future__ import annotations

import ast
import re
import time
from collections.abc import Iterator
from contextvars import ContextVar
from pathlib import Path
from types import SimpleNamespace

import pytest

from symcute.errors import InputError
from symcute.expr import limits
from symcute.prover import prove

PACKAGE = Path(__file__).parents[2] / "symcute"
#: Who may look at a clock. Limits and the solvers' deadlines are backstops that say so; the others
#: tell how long something took, or wait for another process.
CLOCKS = {
    "expr/limits.py", "prover/__init__.py", "prover/theorems.py", "solve/solvers/",
    "solve/workers/", "run/", "cli/", "evidence/", "frontends/cuda/source.py",
    "frontends/triton/compiler.py", "frontends/cutedsl/files.py",
    "processes/", "editor/",
}  # fmt: skip

CLAIMS = [
    ("injective((M,N):(LD,1))", ["LD >= N"], "proved"),
    ("injective((M,N):(LD,1))", [], "refuted"),
    ("injective((M,N,B):(LD,1,S))", ["LD >= N", "S >= LD*M"], "proved"),
    ("covers((M,N):(1,LD), M*N)", ["LD == M"], "proved"),
    ("no_overflow((M,N):(N,1), 32)", [], "refuted"),
    pytest.param("not x**3 + y**3 == z**3", [], "unknown", marks=pytest.mark.full),
]


def test_nothing_that_decides_looks_at_a_clock() -> None:
    found = set()
    for path in PACKAGE.rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        if not re.search(r"\b(import|from)\b.*\btime\b", text):
            continue
        for node in ast.walk(ast.parse(text)):
            names = [a.name for a in node.names] if isinstance(node, ast.Import) else []
            module = node.module if isinstance(node, ast.ImportFrom) else None
            if "time" in (*names, module):
                found.add(str(path.relative_to(PACKAGE)))
    assert found
    assert {f for f in found if not any(f.startswith(c) for c in CLOCKS)} == set()


class Hasty:
    """A clock that leaps ahead whenever anybody looks at it."""

    def __init__(self, leap: float) -> None:
        self.now, self.leap = 0.0, leap

    def monotonic(self) -> float:
        self.now += self.leap
        return self.now


@pytest.fixture
def hasty(monkeypatch: pytest.MonkeyPatch) -> Iterator[Hasty]:
    clock = Hasty(3.0)
    monkeypatch.setattr(limits, "time", clock)
    yield clock


@pytest.mark.parametrize(("claim", "given", "status"), CLAIMS)
def test_a_verdict_is_the_same_however_time_flies(
    claim: str, given: list[str], status: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    calm = prove(claim, given, work=300)
    monkeypatch.setattr(limits, "time", Hasty(3.0))
    hurried = prove(claim, given, work=300, timeout=1e6)
    assert calm.status == hurried.status == status
    assert (calm.how, calm.reason, calm.rests_on) == (hurried.how, hurried.reason, hurried.rests_on)
    assert calm.certificate == hurried.certificate
    assert str(calm.counterexample) == str(hurried.counterexample)


@pytest.mark.full
def test_work_and_time_are_told_apart() -> None:
    claim = "not x**3 + y**3 == z**3"
    worked = prove(claim, work=200)
    assert worked.status == "unknown"
    assert worked.reason.startswith("z3 and cvc5: the work limit of 200 was reached (--work)")
    assert prove(claim, work=200).reason == worked.reason
    late = prove(claim, work=10**6, timeout=0.5)
    assert late.status == "unknown" and late.certificate is None
    assert late.reason == (
        "the time limit of 0.5 s was reached (--timeout); more may be decided with more time"
    )


def test_the_backstop_strikes_wherever_the_time_is_spent(
    hasty: Hasty, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "BETWEEN", 1)
    monkeypatch.setattr(limits, "_work", ContextVar("work", default=limits.Budget()))  # noqa: B039
    for claim in ("injective((M,N):(LD,1))", "M*M + N*N != 3", "M*N >= M + N - 1"):
        verdict = prove(claim, timeout=0.001)
        assert verdict.status == "unknown"
        assert re.match(r"the time limit of 0.001 s was reached", verdict.reason)


@pytest.mark.parametrize("work", [0, -1, 2.5, True, "many"])
def test_a_work_limit_is_a_number(work: object) -> None:
    with pytest.raises(InputError, match=r"is no work limit; give a number, as work=6000"):
        prove("injective(4:1)", work=work)


def test_the_limit_of_a_block_is_no_more_than_what_is_left_around_it() -> None:
    with limits.budget(10) as outer:
        limits.spend(4000)
        with limits.budget(100) as inner:
            assert inner.left == 6
            limits.spend(5000)
        assert (outer.done, outer.left) == (9, 1)
        limits.spend(5000)  # what goes beyond is the last
        with pytest.raises(limits.WorkLimit):
            limits.spend(1)
        with pytest.raises(limits.WorkLimit), limits.budget(5):
            limits.spend(1)
    assert limits.allowance() == float("inf")


def test_a_block_within_a_block_does_not_last_longer() -> None:
    with limits.within(100), limits.within(1000):
        assert limits.left() <= 100
    with limits.within(100):
        with limits.within(1):
            assert limits.left() <= 1
        assert limits.left() > 90
    assert limits.left() == float("inf")


def test_time_is_looked_at_while_work_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "time", SimpleNamespace(monotonic=lambda: time.monotonic() + 100))
    with limits.within(1):
        monkeypatch.setattr(
            limits, "time", SimpleNamespace(monotonic=lambda: time.monotonic() + 200)
        )
        with pytest.raises(limits.TimeLimit), limits.budget(10**6):
            for _ in range(limits.BETWEEN + 1):
                limits.spend(1)
