"""What a GPU computed of expressions and device functions, and what the interpreter makes of it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from gpu.values import EXPRESSIONS, NAMES, OUT, digest, inputs, source
from symcute.frontends.cuda import read_kernels
from symcute.kernel.ir.interpreter import run
from symcute.kernel.ir.setting import Setting

EVIDENCE = json.loads((Path(__file__).parents[2] / OUT).read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def ours() -> list[list[int | None]]:
    """What the interpreter puts out for every row of inputs."""
    program = read_kernels(source()).kernels["values"]
    setting = Setting((1, 1, 1), (1, 1, 1), extents={"out": len(EXPRESSIONS)})
    rows = []
    for row in inputs():
        trace = run(program, setting, dict(zip(NAMES, row, strict=True)))
        assert trace.complete, trace.stopped
        assert not trace.unsupported, trace.unsupported
        found = {t.offset // 8: t.value for t in trace.accesses if t.array == "out"}
        rows.append([found[k] for k in range(len(EXPRESSIONS))])
    return rows


def test_the_evidence_is_about_these_expressions() -> None:
    assert EVIDENCE["code"] == digest()
    assert tuple(EVIDENCE["expressions"]) == EXPRESSIONS
    assert len(EVIDENCE["answers"]) == len(inputs()) >= 100


@pytest.mark.parametrize("k", range(len(EXPRESSIONS)), ids=EXPRESSIONS)
def test_the_interpreter_computes_what_the_hardware_computes(
    k: int, ours: list[list[int | None]]
) -> None:
    for given, mine, theirs in zip(inputs(), ours, EVIDENCE["answers"], strict=True):
        assert mine[k] == theirs[k], dict(zip(NAMES, given, strict=True))
