"""The CUDA and the Triton version of a kernel, launched alike, get the same verdicts.

Right ones and false neighbours of ten kernels: what executions show of the Triton ones is so of
both. The notes of the CUDA ones are those of the Triton ones, so that the same is asked.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from symcute.frontends import CUDA_CPP
from symcute.frontends.triton.source import with_numbers
from symcute.kernel.checking import check
from symcute.kernel.findings import verdict_of
from symcute.kernel.launch.notes import read_setting
from tests.full import some
from tests.oracle.recorded import recorded

from .cases import Case, cases
from .verdicts import outcome, ttir

FILE = Path(__file__).with_name("pairs.cu")
TEN = ("add", "softmax", "layernorm", "matmul", "transpose", "embedding", "histogram", "rope",
       "attention", "top_k")  # fmt: skip


def texts() -> dict[str, tuple[str, str]]:
    """The block and the text of each CUDA kernel."""
    found = re.findall(r"// block=(\(.*\))\n(__global__ void (\w+)[\s\S]*?\n\}\n)",
                       FILE.read_text(encoding="utf-8"))  # fmt: skip
    return {name: (block, text) for block, text, name in found}


TEXTS = texts()
PAIRED = [c for c in cases() if c.name in TEXTS]


def notes(case: Case, block: str) -> list[str]:
    """What is said above the Triton kernel, as CUDA has it."""
    lines = case.file.read_text(encoding="utf-8").splitlines()
    end = next(k for k, s in enumerate(lines) if s.startswith(f"def {case.name}("))
    start = max(k for k, s in enumerate(lines[:end]) if not s)
    numbers = {k: v for k, v in case.constants.items() if isinstance(v, int)}
    found = []
    for line in lines[start + 1 : end]:
        _, _, note = line.partition("# symcute: ")
        if note and not note.startswith(("type ", "constexpr ")):
            more = f" block={block}" if note.startswith("launch ") else ""
            found.append(f"// symcute: {with_numbers(numbers, note)}{more}")
    return found


@cache
def made() -> dict[str, Any]:
    questions = [f"{c.label} {c.digest}" for c in PAIRED]
    answers = recorded("triton_pairs", ("triton",), questions, lambda: ttir(PAIRED))
    return {c.name: a for c, a in zip(PAIRED, answers, strict=True)}


def of_cuda(case: Case) -> dict[str, str]:
    block, text = TEXTS[case.name]
    kernel = CUDA_CPP.read("\n".join((*notes(case, block), text))).kernels[case.name]
    asked = [*case.truth]
    return dict(verdict_of(check(kernel, read_setting(kernel), asked)))


@pytest.mark.parametrize("case", some(PAIRED, 4), ids=lambda c: c.name)
def test_both_get_the_same_verdicts(case: Case) -> None:
    # Where a block of CUDA has shared memory, a race in it is there to be denied.
    same = {"not applicable": "proved"}
    said = outcome(case, made()[case.name])
    triton = {p: same.get(v, v) for p, v in said.verdicts.items()}
    assert triton == {p: same.get(v, v) for p, v in of_cuda(case).items()}
    assert not said.contradictions()
    assert sum(v != "unknown" for v in triton.values()) >= len(triton) - 1


def test_ten_have_both() -> None:
    right = {c.name for c in PAIRED if all(c.truth.values())}
    assert set(TEN) <= right and len(PAIRED) == len(TEXTS)
    assert len(PAIRED) - len(right) >= 8
