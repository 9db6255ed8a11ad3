"""Grids of clusters: of whole ones, or no device launches them."""

from __future__ import annotations

import pytest

from symcute.frontends.cuda import read_kernels
from symcute.frontends.llvm.source import read_through_llvm
from symcute.kernel.checking import check
from symcute.kernel.findings import verdict_of
from symcute.kernel.ir.verify import verified
from symcute.kernel.launch.notes import read_setting

TEXT = """
constexpr int TWO = 2;
// symcute: launch grid=(GRID) block=(32)
// symcute: assume n <= 1000
__global__ void CLUSTER k(int *x) { }
"""


def text(grid: str, cluster: str) -> str:
    return TEXT.replace("GRID", grid).replace("CLUSTER", cluster)


@pytest.mark.parametrize(
    ("grid", "cluster", "status"),
    [
        ("2*n", "__cluster_dims__(2, 1, 1)", "proved"),
        ("n", "__cluster_dims__(2)", "refuted"),
        ("2*n+1", "__cluster_dims__(2, 1, 1)", "refuted"),
        ("n,4", "__cluster_dims__(1, 4)", "proved"),
        ("n,4", "__cluster_dims__(1, 3, 1)", "refuted"),
        ("n", "__cluster_dims__(1, 1, 2)", "refuted"),
        ("2*n", "__cluster_dims__(TWO, 1, 1)", "unknown"),
        ("n", "", "proved"),
    ],
)
def test_a_grid_is_of_whole_clusters(grid: str, cluster: str, status: str) -> None:
    kernel = verified(read_kernels(text(grid, cluster)).kernels["k"])
    found = check(kernel, read_setting(kernel), ("launch_valid",))
    assert verdict_of(found)["launch_valid"] == status


def test_through_llvm_clusters_are_not_seen() -> None:
    for cluster, status in (("__cluster_dims__(2, 1, 1)", "unknown"), ("", "proved")):
        kernel = verified(read_through_llvm(text("2*n", cluster)).kernels["k"])
        found = check(kernel, read_setting(kernel), ("launch_valid",))
        assert verdict_of(found)["launch_valid"] == status
