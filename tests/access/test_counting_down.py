"""Blocks counted from the last one down: rows of a softmax, whose number is a remainder."""

from __future__ import annotations

import pytest

from symcute.kernel.findings import verdict_of
from symcute.kernel.launch.sources import check_kernel

#: As many warps as rows, in blocks of eight, counted in unsigned integers.
BLOCKS = "(((N*T*32 % 4294967296 + 256) % 4294967296 - 1) % 4294967296)//256"
GIVEN = ("1 <= N", "1 <= T", "N*T <= 134217719")
ROWS = """__global__ void rows(float *out, int N, int T) {
    int row = (gridDim.x - blockIdx.x - 1) * (blockDim.x / 32) + threadIdx.x / 32;
    if (row >= N * T) return;
    for (int i = threadIdx.x % 32; i <= row % T + MORE; i += 32) out[row * T + i] = 1;
}
"""
FOURS = """__global__ void fours(float *out, int N, int T) {
    int row = (gridDim.x - blockIdx.x - BACK) * (blockDim.x / 32) + threadIdx.x / 32;
    if (row >= N * T) return;
    int fours = row % T / 4, lane = threadIdx.x % 32;
    if (4 * fours + lane <= row % T) out[4 * fours + lane] = 1;
}
"""


@pytest.mark.parametrize(("more", "status"), [("0", "proved"), ("1", "refuted")])
def test_rows_of_a_grid_that_is_long_to_write_are_apart(more: str, status: str) -> None:
    (found,) = check_kernel(
        ROWS.replace("MORE", more), launch=f"grid=({BLOCKS}, 1, 1) block=256",
        given=(*GIVEN, "N*T*T <= 2147483647"), properties=["write_race_free"],
    )  # fmt: skip
    assert found.status == status


@pytest.mark.parametrize(
    ("back", "status"), [("0", "proved"), ("1", "proved"), ("2", "refuted"), ("3", "refuted")]
)
def test_what_is_counted_down_is_at_least_0(back: str, status: str) -> None:
    """Of the last block but one there is none where there is one block."""
    found = check_kernel(
        FOURS.replace("BACK", back), launch=f"grid=({BLOCKS}, 1, 1) block=256",
        given=GIVEN, properties=["in_bounds", "no_overflow"], extents={"out": "T"},
    )  # fmt: skip
    verdicts = verdict_of(found)
    assert verdicts["in_bounds"] == status
    assert status == "refuted" or verdicts["no_overflow"] == "proved"
