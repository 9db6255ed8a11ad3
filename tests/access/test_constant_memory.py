"""Constant memory that the source fills: the host may change it, and need not."""

from __future__ import annotations

import pytest

from symcute.frontends.cuda import read_kernels
from symcute.frontends.llvm.source import read_through_llvm
from symcute.kernel.checking import check
from symcute.kernel.findings import verdict_of
from symcute.kernel.ir.verify import verified
from symcute.kernel.launch.notes import read_setting

KERNEL = """
DECLARED;
// symcute: launch grid=(1) block=(4)
// symcute: extent x = 4
__global__ void k(int *x) { x[c[threadIdx.x]] = 0; }
"""


@pytest.mark.parametrize(
    ("declared", "verdict"),
    [
        ("__constant__ int c[4] = {0, 1, 2, 3}", "unknown"),
        ("__constant__ int c[4] = {0, 1, 2, 4}", "unknown"),
        ("__constant__ const int c[4] = {0, 1, 2, 3}", "proved"),
        ("__constant__ const int c[4] = {0, 1, 2, 4}", "refuted"),
        ("__constant__ int c[4] = {0}", "unknown"),
        ("__constant__ int c[4]", "refuted"),
    ],
)
@pytest.mark.parametrize("through_llvm", [False, True])
def test_what_it_holds_at_first_refutes_nothing(
    declared: str, verdict: str, through_llvm: bool
) -> None:
    read = read_through_llvm if through_llvm else read_kernels
    kernel = verified(read(KERNEL.replace("DECLARED", declared)).kernels["k"])
    told = verdict_of(check(kernel, read_setting(kernel), ("in_bounds",)))
    if through_llvm and "=" not in declared:
        verdict = "unknown"  # LLVM has zeros there, whether the source says so or nothing
    assert told == {"in_bounds": verdict}
