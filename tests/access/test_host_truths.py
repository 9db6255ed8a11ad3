"""Truths that host code hands to kernels: numbers of 0 and 1, as they are computed."""

from __future__ import annotations

import pytest

from .launched import told

TEXT = """
__global__ void k(int *p, bool b, int n) {
  int i = threadIdx.x;
  if (b && i < n) p[i] = 1;
  if (!b && i == 0) p[n] = 1;
}
void f(int n, int m, bool c) { int *p; cudaMalloc(&p, SIZE * 4); BODY }
"""


@pytest.mark.parametrize(
    ("body", "size", "status"),
    [
        ("k<<<1, 64>>>(p, c, n);", "n", "refuted"),
        ("k<<<1, 64>>>(p, c, n);", "(n + 1)", "proved"),
        ("if (c) k<<<1, 64>>>(p, c, n);", "n", "proved"),
        ("if (!c) k<<<1, 64>>>(p, c, n);", "n", "refuted"),
        ("k<<<1, 64>>>(p, !c, n);", "n", "refuted"),
        ("if (!c) k<<<1, 64>>>(p, !c, n);", "n", "proved"),
        ("k<<<1, 64>>>(p, m > 3, n);", "n", "refuted"),
        ("if (m > 3) k<<<1, 64>>>(p, m > 3, n);", "n", "proved"),
        ("if (m >= 3) k<<<1, 64>>>(p, m > 3, n);", "n", "refuted"),
        ("if (m < 4) k<<<1, 64>>>(p, m <= 3, n);", "n", "proved"),
        ("if (n >= 64) k<<<1, 64>>>(p, n >= 64, n);", "n", "proved"),
    ],
)
def test_a_truth_is_what_host_code_computes(body: str, size: str, status: str) -> None:
    text = TEXT.replace("BODY", f"if (n < 1 || n > 1000) return; {body}").replace("SIZE", size)
    assert told(text, "in_bounds") == {status}
