"""Lambdas in fields of structs, through which device code calls them."""

from __future__ import annotations

import pytest

from tests.access.launched import told

_EACH = """
template <class F> struct Each {
  F f;
  __device__ void operator()(float *x, int i) const { for (int j = 0; j < 2; j++) f(x, i + j); }
};
template <class F> __device__ void by_value(Each<F> each, float *x, int i) { each(x, i); }
template <class F> __device__ void by_name(F &&each, float *x, int i) { each(x, i); }
template <class F> struct Twice { Each<F> each; int by; };
"""
_HOST = """
void f() {
  float *x;
  cudaMalloc(&x, 256 * sizeof(float));
  k<<<2, 64>>>(x, 64);
}
"""


@pytest.mark.parametrize(
    "call",
    [
        "Each<decltype(one)> each{one}; each(x, i);",
        "by_name(Each<decltype(one)>{one}, x, i);",
        "by_value(Each<decltype(one)>{one}, x, i);",
        "Each<decltype(one)> each{one}; auto other = each; by_name(other, x, i);",
        "Twice<decltype(one)> two{{one}, n}; two.each(x, i);",
    ],
)
@pytest.mark.parametrize(("by", "verdict"), [("2 * n - 128", "proved"), ("1", "refuted")])
def test_a_lambda_in_a_field_is_the_one_it_begins_with(call: str, by: str, verdict: str) -> None:
    text = f"""{_EACH}
    __global__ void k(float *x, int n) {{
      int i = 2 * (blockIdx.x * blockDim.x + threadIdx.x), by = {by};
      auto one = [=](float *x, int i) {{ x[i + by] = 1; }};
      by = 1000;
      {call}
    }}{_HOST}"""
    assert told(text) == {verdict}
    races = text.replace("int i = 2 *", "int i =")
    assert told(text, "write_race_free") == {"proved"}
    assert told(races, "write_race_free") == {"refuted"}


def test_one_of_two_lambdas_is_not_taken_for_either() -> None:
    text = f"""{_EACH}
    __device__ auto made(int by) {{ return [by](float *x, int i) {{ x[i + by] = 1; }}; }}
    __device__ Each<decltype(made(0))> either(bool first) {{
      if (first) return {{made(0)}};
      return {{made(1)}};
    }}
    __global__ void k(float *x, int n) {{
      auto each = either(n == 64);
      each(x, blockIdx.x * 64 + threadIdx.x);
    }}{_HOST}"""
    assert told(text) == {"unknown"}


def test_a_lambda_that_changes_what_it_holds_is_not_followed_in_a_field() -> None:
    text = f"""
    template <class F> struct Each {{ F f; __device__ void operator()(float *x) {{ f(x); }} }};
    __global__ void k(float *x, int n) {{
      int at = 0;
      auto one = [at](float *x) mutable {{ x[at] = 1; at = 256; }};
      Each<decltype(one)> each{{one}}, other{{each}};
      each(x);
      each(x);
    }}{_HOST}"""
    assert told(text) == {"unknown"}


_COPYING = """
template <class F> __device__ void over(float *x, int i, F &&f) { f(x[i]); }
__device__ void fill(float *x, int i, float by) {
  over(x, i, [=](float &to) { float &also = to; also = by; });
}
__global__ void k(float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (n == 64) fill(x, i, 1); else fill(x, SECOND, 2);
  fill(x, THIRD, 3);
}
"""


@pytest.mark.parametrize(("second", "third"), [("i", "i"), ("i", "i + 129"), ("i + 129", "i")])
def test_what_a_lambda_declares_itself_it_holds_no_copy_of(second: str, third: str) -> None:
    host = _HOST.replace("256", "128").replace("(x, 64)", "(x, 32)")
    text = _COPYING.replace("SECOND", second).replace("THIRD", third) + host
    assert told(text) == ({"proved"} if second == third else {"refuted"})
    assert told(text, "write_race_free") == {"proved"}


@pytest.mark.parametrize(("second", "verdict"), [("i", "proved"), ("i + 64", "refuted")])
def test_what_a_lambda_writes_to_a_second_time_is_no_copy(second: str, verdict: str) -> None:
    text = (
        _COPYING.split("__global__")[0]
        + f"""
    __global__ void k(float *x, int n) {{
      int i = threadIdx.x;
      fill(x, i, 1);
      fill(x, {second}, 2);
    }}{_HOST.replace("256", "64").replace("2, 64>", "1, 64>")}"""
    )
    assert told(text) == {verdict}
