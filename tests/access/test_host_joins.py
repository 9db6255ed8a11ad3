"""Host code: what one of two ways checked is known where a launch hangs on which it was."""

from __future__ import annotations

import pytest

from tests.access.launched import told

#: `w` has m elements, of which the kernel writes n.
PROGRAM = """
#include <torch/all.h>
__global__ void k(float *w, int n, int mode) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && mode == 1) w[i] = 0;
}
void f(int n, int m, TYPE mode, int other) {
  if (n < 1 || n > 9999 || m < 1 || m > 9999) return;
  float *w;
  cudaMalloc(&w, m * sizeof(float));
  CHECK
  LAUNCH
}
"""
LAUNCH = "k<<<(n + 63) / 64, 64>>>(w, n, 1);"


def said(check: str, launch: str, type: str = "int") -> set[str]:
    text = PROGRAM.replace("TYPE", type).replace("CHECK", check)
    return told(text.replace("LAUNCH", launch))


@pytest.mark.parametrize(
    ("check", "launch"),
    [
        ("if (mode == 1) { if (m != n) return; }", f"if (mode == 1) {LAUNCH}"),
        ("if (mode == 1) { if (m < n) return; if (n % 4) return; }", f"if (mode == 1) {LAUNCH}"),
        ("if (mode == 1) { if (m != n) return; }", LAUNCH.replace("1)", "mode)")),
        ("if (mode > 5) { if (m < n) return; }", f"if (mode > 7) {LAUNCH}"),
        ("if (mode == 1) { if (m != n) return; } else { if (m <= n) return; }", LAUNCH),
        (
            "switch (mode) { case 1: if (m != n) return; break;"
            " case 2: if (m != 2 * n) return; break; default: return; }",
            LAUNCH,
        ),
        (
            "if (mode == 1) { if (other == 2) { if (m < n) return; } }",
            f"if (mode == 1 && other == 2) {LAUNCH}",
        ),
    ],
)
def test_what_goes_with_a_condition_is_known_behind_it(check: str, launch: str) -> None:
    assert said(check, launch) == {"proved"}
    # The same of the other way, or of a smaller number.
    assert said(check.replace("return;", ";"), launch) == {"refuted"}
    assert said(check, launch.replace("(w, n,", "(w, n + 1,")) == {"refuted"}


def test_a_truth_tells_ways_apart() -> None:
    check = "if (mode) { TORCH_CHECK(m == n); }"
    launch = LAUNCH.replace("1)", "mode ? 1 : 0)")
    assert said(check, launch, "bool") == {"proved"}
    assert said(check, launch.replace("1 : 0", "0 : 1"), "bool") == {"proved", "refuted"}


@pytest.mark.parametrize("launch", [f"if (mode != 1) {LAUNCH}", f"if (other == 1) {LAUNCH}"])
def test_of_other_ways_nothing_is_known(launch: str) -> None:
    assert said("if (mode == 1) { if (m != n) return; }", launch) == {"refuted"}


def test_too_many_conditions_refute_nothing() -> None:
    checks = "".join(f"if (n % {i} == 1) return;" for i in range(3, 24))
    check = f"if (mode == 1) {{ if (m < n) return; {checks} }} else {{ if (m > n) return; }}"
    assert said(check, f"if (mode == 1) {LAUNCH}") == {"unknown"}


def test_an_optional_tensor_is_as_it_was_checked() -> None:
    text = """
    #include <optional>
    #include <torch/all.h>
    __global__ void k(float *x, const float *w, int n, bool has) {
      int i = blockIdx.x * blockDim.x + threadIdx.x;
      if (i < n) x[i] = has ? w[i] : 0;
    }
    void f(torch::Tensor &x, std::optional<torch::Tensor> w) {
      TORCH_CHECK(x.is_contiguous() && x.numel() < 100000);
      int n = x.numel();
      if (w.has_value()) TORCH_CHECK(w->is_contiguous() && w->numel() == x.numel());
      const float *p = w.has_value() ? w->data_ptr<float>() : nullptr;
      k<<<(n + 63) / 64, 64>>>(x.data_ptr<float>(), p, n, w.has_value());
    }
    """
    assert told(text) == {"proved"}
    assert told(text.replace(" == x.numel()", " + 1 == x.numel()")) == {"proved", "refuted"}


@pytest.mark.parametrize("size", ["x.nbytes()", "(int)x.nbytes()", "x.numel() * x.element_size()"])
@pytest.mark.parametrize(
    "check",
    ["TORCH_CHECK(x.element_size() == 2);", "if (x.scalar_type() != torch::kHalf) return;"],
)
def test_bytes_of_an_element_are_as_they_were_checked(size: str, check: str) -> None:
    text = f"""
    #include <torch/all.h>
    __global__ void k(float *w, int n) {{
      int i = blockIdx.x * blockDim.x + threadIdx.x;
      if (i < n) w[i] = 0;
    }}
    void f(torch::Tensor x) {{
      TORCH_CHECK(x.is_contiguous());
      TORCH_CHECK(x.numel() < 100000);
      int64_t n = {size} / 4;
      {check}
      k<<<(n + 63) / 64, 64>>>((float *)x.data_ptr(), n);
    }}
    """
    assert told(text) == {"proved"}
    assert told(text.replace(" / 4;", " / 3;")) == {"refuted"}
