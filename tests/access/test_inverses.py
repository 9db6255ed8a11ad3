"""Threads that a condition picks: what it settles tells them apart, with where they write."""

from __future__ import annotations

import pytest

from symcute.frontends.cuda import read_kernels
from symcute.kernel.checking import check
from symcute.kernel.findings import verdict_of
from symcute.kernel.ir.verify import verified
from symcute.kernel.launch.notes import read_setting

#: Packs of heads of tokens; what is kept of a head is written by the thread of its first pack.
KERNEL = """
// symcute: launch grid=(ceil_div(N*H*P,128)) block=(128)
// symcute: assume N*H*P <= 2**30
__global__ void k(float *o, unsigned N, unsigned H, unsigned P, unsigned a) {
  unsigned g = blockIdx.x * 128 + threadIdx.x;
  if (g >= N * H * P) return;
  unsigned q = g / P, p = g % P, t = q / H, h = q % H;
  if (CONDITION) o[INDEX] = 1;
}
"""
RIGHT = [
    ("p == 0", "h * N + t"), ("0 == p", "t * H + h"), ("p == P - 1", "h * N + t"),
    ("p == a % P", "h * N + t"), ("t == a", "h * P + p"), ("h == 0", "p * N + t"),
]  # fmt: skip
WRONG = [
    ("p <= 1", "h * N + t"), ("p >= 0", "h * N + t"), ("p == 0", "h + t"), ("p == h", "t"),
    ("p % 2 == 0", "h * N + t"), ("t == a", "p"), ("h == p", "p * N + t - p * N"),
]  # fmt: skip


def said(condition: str, index: str) -> str:
    text = KERNEL.replace("CONDITION", condition).replace("INDEX", index)
    kernel = verified(read_kernels(text).kernels["k"])
    return verdict_of(check(kernel, read_setting(kernel), ("write_race_free",)))["write_race_free"]


@pytest.mark.parametrize(("condition", "index"), RIGHT)
def test_what_a_condition_settles_is_used(condition: str, index: str) -> None:
    assert said(condition, index) == "proved"


@pytest.mark.parametrize(("condition", "index"), WRONG)
def test_what_it_leaves_open_is_not(condition: str, index: str) -> None:
    assert said(condition, index) == "refuted"
