"""Contracts of kernels whose indices are quotients by products of parameters, or whole vectors."""

from __future__ import annotations

import pytest

from symcute import check_kernel
from symcute.frontends.cuda import read_kernels
from symcute.kernel.contracts.contract import contract
from symcute.kernel.findings import verdict_of

#: A number for each pixel of images that are cut into rows, from a row of another.
ROWS = """__global__ void k(const float *x, float *y, int oh, int ow, int sh, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int image = i / (oh * ow), row = i % (oh * ow) / ow, column = i % (oh * ow) % ow;
    float *to = y + image * (oh * ow);
    to[row * ow + column] = x[row * sh];
}
void run(const float *x, float *y, int oh, int ow, int sh, int n) {
    k<<<(n + 255) / 256, 256>>>(x, y, oh, ow, sh, n);
}
"""
#: That a mode is one of two is asked before a loop and in it.
TWICE = """#include <cassert>
__global__ void k(float *x, unsigned mode, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    switch (mode % 4) { case 0: break; case 1: sum = 1; break; default: assert(false); }
    for (int j = i; j < n; j++)
        switch (mode % 4) { case 0: sum++; break; case 1: sum--; break; default: assert(false); }
    x[i] = sum;
}
"""
#: Threads write four numbers at once, to sixteen rows each.
VECTORS = """__global__ void k(float *y, int columns) {
    int c = blockIdx.y * blockDim.x + threadIdx.x;
    if (c * 4 >= columns) return;
    y += blockIdx.x * 16 * columns;
    for (int i = 0; i < 16; i++)
        reinterpret_cast<float4 *>(y + i * columns)[c] = make_float4(0, 0, 0, 0);
}
void run(float *y, int columns, int n) {
    k<<<dim3((n + 15) / 16, (columns / 4 + 127) / 128), 128>>>(y, columns);
}
"""


@pytest.fixture(scope="module")
def rows() -> dict[str, set[str]]:
    wanted = ["in_bounds", "no_overflow", "write_race_free"]
    kernel = read_kernels(ROWS).kernels["k"]
    found = contract(kernel, wanted, family=kernel.families[0], quick=True)
    assert found.verdicts() == dict.fromkeys(wanted, "proved")
    return {p: {c.text for c in found.conditions if p in c.properties} for p in wanted}


def test_a_quotient_of_a_remainder_is_bounded_by_what_is_not_cut(rows: dict[str, set[str]]) -> None:
    assert {"oh*ow <= 2147483647", "oh*sh <= sh + 2147483647"} <= rows["no_overflow"]


def test_a_quotient_and_its_remainder_come_to_the_whole(rows: dict[str, set[str]]) -> None:
    """The result has as many elements as there are pixels, and not a row more."""
    assert "numel(y) >= n" in rows["in_bounds"]


@pytest.mark.parametrize(("least", "verdict"), [("n", "proved"), ("n - 1", "refuted")])
def test_one_element_less_is_not_enough(least: str, verdict: str) -> None:
    found = check_kernel(
        ROWS, launch="grid=2 block=6", arguments={"oh": "2", "ow": "3", "sh": "1", "n": "n"},
        given=["n <= 12"], extents={"x": "2", "y": least}, properties=["in_bounds"],
    )  # fmt: skip
    assert verdict_of(found)["in_bounds"] == verdict


def test_what_is_promised_twice_has_one_line() -> None:
    found = contract(read_kernels(TWICE).kernels["k"], ["promises_kept"], quick=True)
    assert found.verdicts() == {"promises_kept": "proved"}
    said = {c.text for c in found.conditions}
    assert any("mode % 4 == 0" in x and "mode % 4 == 1" in x for x in said)


@pytest.mark.parametrize(("most", "verdict"), [("1", "not applicable"), ("2", "refuted")])
def test_what_is_promised_twice_is_so_of_its_cases_alone(most: str, verdict: str) -> None:
    found = check_kernel(
        TWICE, launch="grid=1 block=4", arguments={"mode": "m", "n": "4"}, extents={"x": "4"},
        given=["0 <= m", f"m % 4 <= {most}"], properties=["promises_kept"],
    )  # fmt: skip
    assert verdict_of(found)["promises_kept"] == verdict


def test_rows_of_whole_vectors_are_apart() -> None:
    kernel = read_kernels(VECTORS).kernels["k"]
    found = contract(kernel, ["write_race_free"], family=kernel.families[0], quick=True)
    assert found.verdicts() == {"write_race_free": "proved"}
    assert "columns % 4 == 0" in {c.text for c in found.conditions}


@pytest.mark.parametrize(("rest", "verdict"), [("0", "proved"), ("2", "refuted")])
def test_rows_of_other_sizes_are_not(rest: str, verdict: str) -> None:
    found = check_kernel(
        VECTORS, launch="grid=(2,2) block=8", arguments={"columns": "c"},
        given=["1 <= c", "c <= 60", f"c % 4 == {rest}"], properties=["write_race_free"],
    )  # fmt: skip
    assert verdict_of(found)["write_race_free"] == verdict
