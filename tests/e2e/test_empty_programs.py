"""Programs of a launch that no launch runs are left out, where others are launched."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.full import some

HOST = """import torch
import triton
import triton.language as tl
@triton.jit
def row(x, n, stride, B: tl.constexpr):
    at = tl.arange(0, B)
    tl.store(x + tl.program_id(0).to(tl.int64) * stride + at, 0.0, mask=at < n{wrong})
def host(x):
    n = x.shape[-1]
    x = x.contiguous().view(-1, n)
    assert x.numel() <= 1000000
    assert n <= 64
{more}    row[(x.shape[0],)](x, n, x.stride(0) + x.numel() - x.numel(), B=64)
"""
NEVER = "    assert x.numel() * n < 0\n"


@pytest.mark.parametrize(
    ("wrong", "more", "expected"),
    some(
        [
            ("", "", {"proved", "not applicable"}),
            (" + 1", "", {"refuted", "not applicable"}),
            ("", NEVER, {"unknown"}),
        ],
        3,
        1,
    ),
)
def test_what_cannot_be_launched_is_left_out_beside_what_can(
    tmp_path: Path, wrong: str, more: str, expected: set[str]
) -> None:
    (tmp_path / "k.py").write_text(HOST.format(wrong=wrong, more=more))
    made = subprocess.run(
        [sys.executable, "-m", "symcute", "check", "--json", "--no-cache", "--jobs=1",
         "--property", "in_bounds", "k.py"],
        cwd=tmp_path, capture_output=True, text=True, check=False,
    )  # fmt: skip
    found = json.loads(made.stdout)["kernels"]
    assert {k["verdicts"]["in_bounds"] for k in found} == expected
    wide = [k for k in found if any(n["text"] == "type stride = i64" for n in k["launch"]["notes"])]
    for text in (f["text"] for k in wide if not more for f in k["findings"]):
        assert text.startswith("cannot be launched so: the assumptions contradict each other: ")
    assert made.returncode == (0 if expected == {"proved", "not applicable"} else 1)
