"""Pointers that are compared: with each other, and with the null pointer, which may be given."""

from __future__ import annotations

import pytest

from symcute.frontends.cuda import read_kernels
from symcute.frontends.llvm.source import read_through_llvm
from symcute.kernel.checking import check
from symcute.kernel.contracts.contract import contract
from symcute.kernel.findings import verdict_of
from symcute.kernel.ir.verify import verified
from symcute.kernel.launch.notes import read_setting
from tests.access.launched import told

#: Of `x` and `y` nobody says anything, and they may be null, or one.
KERNEL = """
__device__ void far(const float *p, const float *q, float *o) { if (p == q) o[1000] = 1; }
__device__ float at(const float *p) { return p ? *p : 0; }
// symcute: launch grid=(4) block=(64)
// symcute: extent o = 256
__global__ void k(const float *x, const float *y, float *o, int n) {
  __shared__ float s[64];
  int t = threadIdx.x;
  STATEMENTS
}
"""
#: A launch of null pointers, or of one pointer twice, writes behind `o`.
REACHED = """
const float *p = x; if (p == nullptr) o[1000] = 1;
const float *p = x; if (n > 5) p = x + 1; if (!p) o[1000] = 1;
const float *p = n > 5 ? x : y; if (!p) o[1000] = 1;
const float *p = n > 5 ? x : nullptr; if (p == nullptr) o[1000] = 1;
far(x, nullptr, o);
far(x, y, o);
far(x + 1, y, o);
const float *p = x, *q = y; if (p == q) o[1000] = 1;
const float *p = x; if (p != o) {} else o[1000] = 1;
const float *p = n > 5 ? s : x; if (p == nullptr) o[1000] = 1;
const float *p = s + 64; if (p == x) o[64] = 1; else if (n > 5) p = nullptr; if (!p) o[1000] = 1;
const float *b[2] = {x, nullptr}; if (!b[t & 1]) o[1000] = 1;
"""
#: No launch does.
NEVER = """
const float *p = s; if (p == nullptr) o[1000] = 1;
const float *p = n > 5 ? s : o; if (p == nullptr && n > 5) o[1000] = 1;
const float *p = nullptr; if (p) o[1000] = 1;
const float *p = t > 3 ? nullptr : s + t; if (p && t > 3) o[1000] = 1;
const float *p = t > 3 ? nullptr : s + t; if (p == nullptr && t <= 3) o[1000] = 1;
if (s == o) o[1000] = 1;
const float *p = n > 5 ? nullptr : s + t; float v = 0; if (p != nullptr) v = *p; o[t] = v;
const float *p = !x || t > 0 ? nullptr : s + t; o[t] = at(p);
const float *b[2] = {s, nullptr}; if (b[t & 1]) o[t] = *b[t & 1];
"""


def cases(text: str) -> list[str]:
    return text.strip().split("\n")


def said(statements: str, through_llvm: bool) -> str:
    read = read_through_llvm if through_llvm else read_kernels
    kernel = verified(read(KERNEL.replace("STATEMENTS", statements)).kernels["k"])
    return verdict_of(check(kernel, read_setting(kernel), ("in_bounds",)))["in_bounds"]


@pytest.mark.parametrize("statements", cases(REACHED))
@pytest.mark.parametrize("through_llvm", [False, True])
def test_null_pointers_and_one_twice_are_thought_of(statements: str, through_llvm: bool) -> None:
    assert said(statements, through_llvm) in ("refuted", "unknown")


@pytest.mark.parametrize("statements", cases(NEVER))
def test_variables_are_where_no_null_pointer_is(statements: str) -> None:
    assert said(statements, False) in ("proved", "not applicable")


#: Host code that hands over null, or one pointer twice.
LAUNCHED = """
__global__ void k(const float *x, const float *y, float *o, int n) {
  const float *p = x, *q = y; int t = threadIdx.x;
  if (TEST) o[1000] = 1; else o[t] = 1;
}
void f() { float *x, *o; cudaMalloc(&x, 256); cudaMalloc(&o, 256); k<<<1, 64>>>(GIVEN, o, 3); }
"""


@pytest.mark.parametrize(
    ("test", "given"),
    [
        ("p != nullptr", "nullptr, x"), ("x", "nullptr, nullptr"), ("p != q", "x, x"),
        ("p + 4 != q", "x, x + 4"),
    ],
)  # fmt: skip
def test_executions_that_take_pointers_for_others_refute_nothing(test: str, given: str) -> None:
    for asked, verdict in ((test, "unknown"), ("n < 3", "proved"), ("n == 3", "refuted")):
        assert told(LAUNCHED.replace("TEST", asked).replace("GIVEN", given)) == {verdict}


#: An array of numbers is copied as vectors.
VECTORS = """__global__ void k(const float *x, float *o, int n) {
  __shared__ float s[256];
  float v[4];
  int i = blockIdx.x * 64 + threadIdx.x;
  if (i >= n) return;
  *(float4 *)v = *(const float4 *)&x[4 * i];
  *(float4 *)&s[4 * threadIdx.x] = *(float4 *)v;
  *(float4 *)&o[4 * i] = *(float4 *)&s[4 * threadIdx.x];
}
"""


def test_arrays_that_the_source_declares_have_lines_of_their_alignment() -> None:
    found = contract(read_kernels(VECTORS).kernels["k"], ["aligned"], quick=True)
    assert found.verdicts() == {"aligned": "proved"}
    assert {"v at a multiple of 16 bytes", "s at a multiple of 16 bytes"} <= {
        c.text for c in found.conditions
    }
    declared = VECTORS.replace("float s", "alignas(16) float s").replace(
        "float v", "alignas(16) float v"
    )
    found = contract(read_kernels(declared).kernels["k"], ["aligned"], quick=True)
    assert not any(c.text.startswith(("v ", "s ")) for c in found.conditions)
