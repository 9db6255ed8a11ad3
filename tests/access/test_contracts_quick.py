"""Contracts that are one of many: what little work finds, and what is so just outside."""

from __future__ import annotations

from typing import Any

import pytest

from symcute import check_kernel
from symcute.frontends.cuda import read_kernels
from symcute.kernel.contracts.contract import contract
from symcute.kernel.contracts.search import Search
from symcute.kernel.findings import GOOD, verdict_of
from tests.full import some

#: Each access has a bound of its own: together they are one line for each array.
WINDOW = """__global__ void k(const float *x, float *y, int w, int r) {
    x += blockIdx.x * w; y += blockIdx.x * w;
    float t = x[0];
    for (int i = r + 1; i < w - r; i++) { t += x[i + r] - x[i - r - 1]; y[i] = t; }
    for (int i = w - r; i < w; i++) { t += x[w - 1] - x[i - r - 1]; y[i] = t; }
}
"""
#: Halves that are `n` rows apart: lines that contradict each other would prove it.
HALVES = """__global__ void k(float *y, int s, int n) {
    for (int i = 0; i < 2; i++) y[blockIdx.x * s + threadIdx.x + i * n * s] = 0;
}
"""
#: Parts of a sum are asked behind it, and have their numbers before it.
SUMS = """__global__ void k(float *x, long long s, long long c, int rows, int each) {
    int from = blockIdx.y * rows, at = blockIdx.x * each + threadIdx.x * 2;
    for (int r = from; r < from + rows; r++)
        x[(long long)(int)blockIdx.z * s + r * c + at] = 0;
}
"""
#: Blocks of two halves, each of which counts its rows from 0.
CHOSEN = """__global__ void k(float *x, int n) {
    int half = gridDim.x / 2, row = blockIdx.x < half ? blockIdx.x : blockIdx.x - half;
    x[row * n + threadIdx.x] = 0;
}
"""
#: Both ends are kept inside, the last by one less than what it is compared with.
KEPT = """__global__ void k(const float *x, float *y, int n, int low, int high) {
    float t = 0;
    if (low < 0) low = 0;
    if (high >= n) high = n - 1;
    for (int i = low; i <= high; i++) t += x[i];
    y[threadIdx.x] = t;
}
"""
ASSERTED = """#include <cassert>
__global__ void k(float *x, int n) { assert(SAID); if (threadIdx.x == 0) x[blockIdx.x] = n; }
"""


def lines(text: str, name: str) -> set[str]:
    found = contract(read_kernels(text).kernels["k"], [name], quick=True)
    assert found.verdicts() == {name: "proved"}
    return {c.text for c in found.conditions}


@pytest.mark.full
def test_bounds_of_many_accesses_are_one_line_for_each_array() -> None:
    said = lines(WINDOW, "in_bounds")
    assert {x for x in said if "numel" in x or "r" in x.split()[0]} == {
        "numel(x) >= gridDim.x*w", "numel(y) >= gridDim.x*w", "r*2 + 1 <= w",
        "gridDim.x*w <= w + 4294967295",
    }  # fmt: skip


def test_what_rests_on_parts_of_a_sum_has_lines() -> None:
    whole = "c*gridDim.y*rows + each*gridDim.x + gridDim.z*s + blockDim.x*2"
    assert f"{whole} <= c + each + s + 9223372036854775809" in lines(SUMS, "no_overflow")
    assert f"numel(x) >= {whole} - c - each - s - 1" in lines(SUMS, "in_bounds")
    some: dict[str, Any] = {
        "launch": "grid=(2, 3, 2) block=4", "properties": ["in_bounds"],
        "arguments": {"s": 1000, "c": 100, "rows": 5, "each": 8},
    }  # fmt: skip
    bound = 100 * 3 * 5 + 8 * 2 + 2 * 1000 + 4 * 2 - 100 - 8 - 1000 - 1
    for extent, verdict in ((bound, "proved"), (bound - 1, "refuted")):
        found = check_kernel(SUMS, extents={"x": extent}, **some)
        assert verdict_of(found) == {"in_bounds": verdict}


@pytest.mark.parametrize(
    ("text", "given"),
    [
        (WINDOW, "r*2 <= w"),
        (WINDOW.replace("i < w - r;", "i <= w - r;"), "r*2 + 1 <= w"),
        (WINDOW.replace("x[i - r - 1]; y", "x[i - r - 2]; y"), "r*2 + 1 <= w"),
    ],
)
def test_what_is_weaker_or_reaches_further_is_refuted(text: str, given: str) -> None:
    found = check_kernel(
        text, launch="grid=2 block=1", given=["1 <= w", "0 <= r", "w <= 100", given],
        extents={"x": "2*w", "y": "2*w"}, properties=["in_bounds"],
    )  # fmt: skip
    assert verdict_of(found)["in_bounds"] == "refuted"


def test_each_side_of_a_choice_has_its_bound() -> None:
    found = contract(read_kernels(CHOSEN).kernels["k"], ["in_bounds", "no_overflow"], quick=True)
    assert found.verdicts() == {"in_bounds": "proved", "no_overflow": "proved"}
    below, above = "n*(gridDim.x // 2)", "gridDim.x*n - n*(gridDim.x // 2)"
    assert {c.text for c in found.conditions if "numel" in c.text} == {
        f"numel(x) >= {rows} + blockDim.x - n" for rows in (below, above)
    }


@pytest.mark.parametrize("blocks", [1, 2, 5])
def test_the_bounds_of_both_sides_are_just_enough(blocks: int) -> None:
    """The line of one side alone is too little for an odd number of blocks."""
    n, half = 7, blocks // 2
    below, above = n * half + 4 - n, n * blocks - n * half + 4 - n
    launch = f"grid={blocks} block=4"
    for extent, verdict in ((max(below, above), "proved"), (max(below, above) - 1, "refuted")):
        found = check_kernel(
            CHOSEN, launch=launch, arguments={"n": n}, extents={"x": extent},
            properties=["in_bounds"],
        )  # fmt: skip
        assert verdict_of(found) == {"in_bounds": verdict}
    assert (below < above) == (blocks % 2 == 1)


def test_what_is_kept_below_an_end_is_bounded_by_it() -> None:
    assert "numel(x) >= min(n - 1, high) + 1" in lines(KEPT, "in_bounds")
    given: dict[str, Any] = {"launch": "grid=1 block=1", "properties": ["in_bounds"]}
    for extent, verdict in (("n", "proved"), ("n - 1", "refuted")):
        found = check_kernel(KEPT, extents={"x": extent, "y": 1}, given=["n >= 2"], **given)
        assert verdict_of(found) == {"in_bounds": verdict}


@pytest.mark.full
def test_lines_that_no_launch_meets_are_none() -> None:
    said = lines(HALVES, "write_race_free")
    assert {"blockDim.x <= s", "gridDim.x*s + blockDim.x <= n*s + s"} <= said
    launch: dict[str, Any] = {"launch": "grid=g block=t", "extents": {"y": "(g + n)*s + t"}}
    for given in (["t <= s + 1", "g <= n"], ["t <= s", "g <= n + 1"]):
        bounded = ["1 <= s", "1 <= n", "s <= 100", "n <= 100", *given]
        found = check_kernel(HALVES, given=bounded, properties=["write_race_free"], **launch)
        assert verdict_of(found)["write_race_free"] == "refuted"


def test_accesses_that_never_happen_ask_for_nothing() -> None:
    text = """__global__ void k(float *x, int n) {
    for (int i = 0; i < n && n < 1 - (int)blockIdx.x % 4; i++) x[i] = 0;
}
"""
    assert lines(text, "in_bounds") == set()


#: What is asserted, the lines that it comes to, and launches that just meet them and just do not.
SAID = {
    "gridDim.x == 1": (["gridDim.x == 1"], "grid=1 block=32", "grid=2 block=32"),
    "blockDim.x <= 256": (["blockDim.x <= 256"], "grid=1 block=256", "grid=1 block=257"),
    "blockDim.x % 32 == 0": (["blockDim.x % 32 == 0"], "grid=2 block=32", "grid=2 block=33"),
    "gridDim.x == n": (["gridDim.x == n"], "grid=4 block=32", "grid=3 block=32"),
    "gridDim.x * 2 >= n": (["n <= gridDim.x*2"], "grid=2 block=32", "grid=1 block=32"),
    "threadIdx.x < n": (["blockDim.x <= n"], "grid=2 block=4", "grid=2 block=5"),
    "blockIdx.x < 5": (["gridDim.x <= 5"], "grid=5 block=1", "grid=6 block=1"),
    "blockDim.x == 32 || blockDim.x == 64": (
        ["blockDim.x == 32 or blockDim.x == 64"], "grid=2 block=64", "grid=2 block=63",
    ),
    "blockDim.x % 32 == 0 && blockDim.x <= 256": (
        ["blockDim.x % 32 == 0", "blockDim.x <= 256"], "grid=2 block=256", "grid=2 block=288",
    ),
    "threadIdx.x < 64 && blockIdx.x < 4": (
        ["blockDim.x <= 64", "gridDim.x <= 4"], "grid=4 block=64", "grid=5 block=64",
    ),
}  # fmt: skip


@pytest.mark.parametrize("said", some([*SAID], 3))
def test_what_is_asserted_of_a_launch_is_a_line(said: str) -> None:
    wanted, inside, outside = SAID[said]
    text = ASSERTED.replace("SAID", said)
    found = contract(read_kernels(text).kernels["k"], quick=True)
    lines = {c.text: c.known for c in found.conditions if "promises_kept" in c.properties}
    assert lines.keys() >= {*wanted}
    assert all(lines[text].startswith("necessary") for text in wanted)
    assert found.verdicts()["promises_kept"] != "unknown"
    for launch, verdicts in ((inside, GOOD), (outside, ("refuted",))):
        told = check_kernel(
            text, launch=launch, arguments={"n": "4"}, extents={"x": "300"},
            properties=["promises_kept"],
        )  # fmt: skip
        assert verdict_of(told)["promises_kept"] in verdicts


#: A product that may wrap, whatever the launch, and an access that does not rest on it.
BESIDE = """__global__ void k(float *x, int *y, int n) {
    y[threadIdx.x] = 1;
    __syncthreads();
    float a = 0;
    if (y[threadIdx.x ^ 1] * y[threadIdx.x ^ 1] < 0) a = 1;
    if (threadIdx.x < n) x[threadIdx.x] = a;
}
"""


def test_lines_are_not_left_out_again_of_what_stays_open(monkeypatch: pytest.MonkeyPatch) -> None:
    asked, fewer = [], Search._fewer

    def counted(self: Search, wanted: tuple[str, ...], lines: Any, open: int) -> Any:
        asked.append(wanted)
        return fewer(self, wanted, lines, open)

    monkeypatch.setattr(Search, "_fewer", counted)
    found = contract(read_kernels(BESIDE).kernels["k"], quick=True)
    assert found.verdicts()["no_overflow"] == "unknown"
    assert {p for p, v in found.verdicts().items() if v == "proved"} >= {
        "aligned", "write_race_free", "read_write_race_free",
    }  # fmt: skip
    assert asked and ("no_overflow",) not in asked
