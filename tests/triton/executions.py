"""Executions of our Triton kernels in Triton's own interpreter, and what they show.

What the judge (`judge/`) answered is data, see `tests/oracle/recorded.py`; it is asked again where
Triton is installed. It knows nothing of symcute: it is given numbers, and has a process of its own.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from functools import cache
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from tests.oracle.recorded import recorded

from .cases import Case, Run, cases

ORACLE = ("triton", "numpy")
ROOT = Path(__file__).parents[2]
#: So many executions has a kernel besides those that its notes ask for.
USUAL = 8


def runs(case: Case) -> list[Run]:
    """The executions that a kernel's truth is held to."""
    return [*case.runs, *case.usual_runs(USUAL)]


def ask(questions: Sequence[str]) -> list[Any]:
    """Have the judge answer."""
    assert find_spec("triton"), "Triton's interpreter cannot be asked: pip install triton==3.9.0"
    done = subprocess.run(
        [sys.executable, "-m", "tests.triton.judge"],
        input="".join(q + "\n" for q in questions),
        capture_output=True, text=True, cwd=ROOT, env=os.environ | {"TRITON_INTERPRET": "1"},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-2000:]
    return [json.loads(line) for line in done.stdout.splitlines()]


def named(case: Case, run: Run) -> str:
    """A name for a question, which tells apart whatever changes its answer."""
    sizes = " ".join(f"{k}={v}" for k, v in run.dims.items())
    text = case.question(run) + case.source
    return f"{case.label} {sizes} {run.how} {sha256(text.encode()).hexdigest()[:12]}"


@cache
def answers(again: bool = False) -> dict[str, Any]:
    """What the executions of all kernels showed, by the names of the questions.

    With `--full` they are executed `again` for who asks for that.
    """
    asked = {named(case, run): case.question(run) for case in cases() for run in runs(case)}
    said = recorded("triton", ORACLE, list(asked), lambda: ask(list(asked.values())), again=again)
    return dict(zip(asked, said, strict=True))


def shown(case: Case, said: dict[str, Any] | None = None) -> dict[str, str]:
    """What the executions show to be untrue, each with a place."""
    said = answers() if said is None else said
    found: dict[str, str] = {}
    for run in runs(case):
        answer = said[named(case, run)]
        assert "failed" not in answer, (case.label, dict(run.dims), answer["failed"])
        for name, why in answer["faults"].items():
            if name != "any overflow":
                found.setdefault(name, f"{dict(run.dims)}: {why}")
    return found
