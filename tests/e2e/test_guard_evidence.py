"""What a GPU said of kernels behind `symcute.guard`, and whether it is about these kernels."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from gpu.guard import CODE, digest
from symcute.evidence.backends import cupy_available
from symcute.frontends.cuda import read_kernels
from symcute.kernel.checking import check
from symcute.kernel.launch.notes import read_setting

ROOT = Path(__file__).parents[2]
EVIDENCE = json.loads((ROOT / "reports/gpu/guard/guard.json").read_text(encoding="utf-8"))
#: Sizes for every launch of a kernel; what is refuted of it.
LINEAR = {"launch": "grid=(ceil_div(n,256)) block=(256)", "given": "n <= 2**30"}
PLANE = {"launch": "grid=(ceil_div(x_dim,32),ceil_div(y_dim,32)) block=(32,32)",
         "given": ["x_dim <= 2**25", "y_dim <= 2**20"]}  # fmt: skip
KERNELS = {
    "saxpy": (LINEAR, {"x": "n", "y": "n"}, set()),
    "saxpy_too_far": (LINEAR, {"x": "n", "y": "n"}, {"in_bounds"}),
    "block_sums": (LINEAR, {"x": "n", "sums": "ceil_div(n,256)"}, set()),
    "block_sums_racy": (LINEAR, {"x": "n", "sums": "ceil_div(n,256)"}, {"read_write_race_free"}),
    "shift": (LINEAR, {"x": "n", "y": "n"}, set()),
    "shift_racy": (LINEAR, {"x": "n"}, {"read_write_race_free"}),
    "residuals": (PLANE, {"residuals": "x_dim*y_dim"}, {"in_bounds", "no_overflow"}),
    "residuals_wide": (PLANE, {"residuals": "x_dim*y_dim"}, set()),
}


def test_the_evidence_is_about_these_kernels() -> None:
    assert EVIDENCE["code"] == digest()
    cases = EVIDENCE["cases"]
    assert all(case["ok"] for case in cases)
    got = [case["got"] for case in cases]
    assert got.count("runs") >= 5
    assert got.count("refused") >= 9
    assert all(case["wrong"] == 0 for case in cases if case["got"] == "runs")
    assert EVIDENCE["times"]["guarded, us"] < 20


@pytest.mark.parametrize("name", KERNELS)
def test_what_is_so_for_all_sizes(name: str) -> None:
    options, extents, wrong = KERNELS[name]
    kernel = read_kernels(CODE, name=name).kernels[name]
    findings = check(kernel, read_setting(kernel, extents=extents, **options))
    assert {f.property for f in findings if f.status == "refuted"} == wrong
    if not wrong:
        assert {f.status for f in findings} <= {"proved", "not applicable"}


@pytest.mark.skipif(not cupy_available(), reason="there is a GPU: python -m gpu.guard runs there")
def test_without_a_gpu_it_says_so() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "gpu.guard"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert "no GPU" in done.stderr
