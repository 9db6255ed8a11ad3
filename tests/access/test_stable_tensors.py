"""Host code against PyTorch's stable ABI, and what else new extensions launch kernels with."""

from __future__ import annotations

import pytest

from symcute.frontends.cuda.source import read_kernels
from tests.access.launched import told

_GOOD = {"proved", "not applicable"}
_HEAD = """#include <numeric>
#include <optional>
#include <string>
#include <cuda_runtime.h>
#include <torch/csrc/stable/tensor.h>
#include <torch/headeronly/core/Dispatch.h>
using torch::stable::Tensor;
"""
_ROWS = """
__global__ void k(float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = 1;
}
"""
_SMALL = 'STD_TORCH_CHECK(x.is_contiguous() && x.numel() < 100000, "small")\n'


def launches(text: str) -> bool:
    """Are all launches of a text followed?"""
    families = [f for k in read_kernels(text).kernels.values() for f in k.families]
    return bool(families) and not any(f.trouble for f in families)


@pytest.mark.parametrize(("more", "verdicts"), [("", {"proved"}), (" + 1", {"refuted"})])
@pytest.mark.parametrize("type", ["float", "c10::Half", "c10::BFloat16", "c10::Float8_e4m3fn"])
def test_types_are_told_apart(more: str, verdicts: set[str], type: str) -> None:
    text = f"""{_HEAD}
    template <class T> __global__ void k(T *x, int n) {{
      int i = blockIdx.x * blockDim.x + threadIdx.x;
      if (i < n) x[i] = T(1.0f);
    }}
    #define CASE(N, ...) THO_DISPATCH_CASE(torch::headeronly::ScalarType::N, __VA_ARGS__)
    void f(Tensor &x) {{
      {_SMALL}
      int n = x.numel(){more};
      THO_DISPATCH_SWITCH(x.scalar_type(), "f", CASE(Float, [&] {{
        k<scalar_t><<<(n + 63) / 64, 64>>>(x.mutable_data_ptr<scalar_t>(), n); }})
        CASE(Half, [&] {{
        k<scalar_t><<<(n + 63) / 64, 64>>>(x.mutable_data_ptr<scalar_t>(), n); }})
        CASE(BFloat16, [&] {{
        k<scalar_t><<<(n + 63) / 64, 64>>>(x.mutable_data_ptr<scalar_t>(), n); }})
        CASE(Float8_e4m3fn, [&] {{
        k<scalar_t><<<(n + 63) / 64, 64>>>(x.mutable_data_ptr<scalar_t>(), n); }}));
    }}
    """
    assert told(text, kernel=f"k<{type}>") == verdicts


@pytest.mark.parametrize(
    ("per_row", "verdicts"), [("x.size(0)", {"proved"}), ("x.size(0) + 1", {"refuted"})]
)
def test_what_is_made_anew_has_its_shape(per_row: str, verdicts: set[str]) -> None:
    text = f"""{_HEAD}{_ROWS}
    void f(Tensor &x) {{
      {_SMALL}
      Tensor y = torch::stable::new_empty(x, {{x.size(0)}}, torch::headeronly::ScalarType::Float);
      int n = {per_row};
      k<<<(n + 63) / 64, 64>>>(y.mutable_data_ptr<float>(), n);
    }}
    """
    assert told(text) == verdicts


@pytest.mark.parametrize(
    ("checks", "wrong"),
    [("w->is_contiguous() && w->numel() == x.numel()", False), ("w->is_contiguous()", True)],
)
def test_a_tensor_that_may_be_left_out_is_one(checks: str, wrong: bool) -> None:
    text = f"""{_HEAD}
    __global__ void k(float *x, const float *w, int n) {{
      int i = blockIdx.x * blockDim.x + threadIdx.x;
      if (i < n) x[i] = w[i];
    }}
    void f(Tensor &x, std::optional<Tensor> w) {{
      {_SMALL}
      if (!w.has_value()) return;
      STD_TORCH_CHECK({checks});
      int n = x.numel();
      k<<<(n + 63) / 64, 64>>>(x.mutable_data_ptr<float>(), w->const_data_ptr<float>(), n);
    }}
    """
    assert told(text) == ({"refuted"} if wrong else {"proved"})


@pytest.mark.parametrize(
    ("size", "verdicts"),
    [("16 / x.element_size()", {"proved"}), ("32 / x.element_size()", {"refuted"})],
)
def test_what_a_type_says_of_numbers_is_said_of_the_launch(size: str, verdicts: set[str]) -> None:
    text = f"""{_HEAD}
    __global__ void k(float4 *x) {{ x[blockIdx.x * blockDim.x + threadIdx.x] = float4(); }}
    void f(Tensor &x) {{
      STD_TORCH_CHECK(x.is_contiguous() && x.numel() < 100000);
      int vec = {size}, d = x.numel();
      STD_TORCH_CHECK(d % 128 == 0);
      k<<<d / 128, 128 / vec * ({size[:2]} / 16) * ({size[:2]} / 16)>>>(
          (float4 *)x.mutable_data_ptr<float>());
    }}
    """
    assert told(text) == verdicts


@pytest.mark.parametrize(("n", "verdicts"), [("n", {"proved"}), ("n + 1", {"refuted"})])
def test_the_greatest_divisor(n: str, verdicts: set[str]) -> None:
    text = f"""{_HEAD}
    __global__ void k(float *x, int vectors, int per) {{
      int i = blockIdx.x * blockDim.x + threadIdx.x;
      if (i < vectors) for (int j = 0; j < per; j++) x[i * per + j] = 1;
    }}
    void f(Tensor &x) {{
      {_SMALL}
      int n = x.numel(), per = std::gcd(16 / sizeof(float), n);
      k<<<(n + 63) / 64, 64>>>(x.mutable_data_ptr<float>(), {n} / per, per);
    }}
    """
    if n == "n + 1":
        text = text.replace("n + 1 / per", "(n + per) / per")
    assert told(text) == verdicts


def test_one_comparison_of_texts_says_something_of_another() -> None:
    text = f"""{_HEAD}{_ROWS}
    void f(Tensor &x, const std::string &how) {{
      {_SMALL}
      int n = x.numel();
      if (how == "one") if (how != "one") n = n + 1;
      if (how == "two") k<<<(n + 63) / 64, 64>>>(x.mutable_data_ptr<float>(), n);
    }}
    """
    assert "refuted" not in told(text)
    right = text.replace('if (how == "one") if (how != "one") n = n + 1;', "")
    assert launches(right) and told(right) == {"proved"}


_EX = """
template <class F, class... A> void run(F f, dim3 grid, dim3 block, bool early, A... a) {
  cudaLaunchConfig_t config;
  config.gridDim = grid;
  config.blockDim = block;
  config.dynamicSmemBytes = 0;
  config.stream = 0;
  cudaLaunchAttribute attribute[1];
  attribute[0].id = cudaLaunchAttributeProgrammaticStreamSerialization;
  attribute[0].val.programmaticStreamSerializationAllowed = early;
  config.attrs = attribute;
  config.numAttrs = 1;
  cudaLaunchKernelEx(&config, f, a...);
}
void f(Tensor &x) {
  SMALL
  int n = x.numel();
  run(k, dim3((n + 63) / 64), dim3(64), n < 16, x.mutable_data_ptr<float>(), n);
}
"""


@pytest.mark.parametrize(("n", "verdicts"), [("n)", {"proved"}), ("n + 1)", {"refuted"})])
def test_a_launch_by_its_configuration_is_followed(n: str, verdicts: set[str]) -> None:
    text = _HEAD + _ROWS + _EX.replace("SMALL", _SMALL).replace("(), n)", f"(), {n}")
    assert launches(text) and told(text) == verdicts


def test_a_launch_of_clusters_is_not_taken_for_another() -> None:
    text = _HEAD + _ROWS + _EX.replace("SMALL", _SMALL)
    text = text.replace("ProgrammaticStreamSerialization;", "ClusterDimension;")
    assert not launches(text)


def test_overloads_of_templates_are_told_apart() -> None:
    text = """#include <type_traits>
    namespace n {
    template <class T, int W> __global__ std::enable_if_t<(W > 0)> k(T *x, int n) {
      int i = blockIdx.x * blockDim.x + threadIdx.x;
      if (i < n / W) for (int j = 0; j < W; j++) x[i * W + j] = 1;
    }
    template <class T, int W> __global__ std::enable_if_t<(W == 0)> k(T *x, int n) {
      int i = blockIdx.x * blockDim.x + threadIdx.x;
      if (i <= n) x[i] = 1;
    }
    }
    void f(int n) {
      if (n < 1 || n > 1000000) return;
      float *x;
      cudaMalloc(&x, n * sizeof(float));
      if (n % 4 == 0) n::k<float, 4><<<(n + 63) / 64, 64>>>(x, n);
      else n::k<float, 0><<<n / 64 + 1, 64>>>(x, n);
    }
    """
    assert [*read_kernels(text).kernels] == ["n::k<float, 4>", "n::k<float, 0>"]
    assert told(text, kernel="n::k<float, 4>") == {"proved"}
    assert told(text, kernel="n::k<float, 0>") == {"refuted"}


@pytest.mark.parametrize(("hangs", "followed"), [("n::k", True), ("n::k WITH", False)])
def test_what_hangs_on_the_device_matters_where_it_is_named(hangs: str, followed: bool) -> None:
    text = f"""namespace n {{
    __device__ int g() {{
    #ifdef __CUDA_ARCH__
      return 1;
    #else
      return 2;
    #endif
    }}
    __global__ void k(float *x, int n) {{ int i = threadIdx.x; if (i < n) x[i] = g(); }}
    }}
    #ifdef __CUDA_ARCH__
    #define WITH
    #else
    #define WITH
    #endif
    void f(float *x) {{ {hangs}<<<1, 64>>>(x, 64); }}
    """
    assert launches(text) == followed


@pytest.mark.parametrize("value", ["missing<T>::most()", "most<T>::val()", "T::most()", "T{}"])
def test_what_clang_makes_up_stands_in_no_file(value: str) -> None:
    text = f"""
    template <class T> struct most {{ static constexpr T val() {{ return missing<T>::max(); }} }};
    template <class T> static constexpr T big = {value};
    template <class T> __global__ void k(T *x) {{ x[threadIdx.x] = big<T>; }}
    void f(float *x) {{ k<float><<<1, 64>>>(x); }}
    """
    (kernel,) = read_kernels(text).kernels.values()
    assert (told(text, "launch_valid", "k<float>") <= _GOOD) == (value == "T{}"), kernel.body
