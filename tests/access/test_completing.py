"""Kernels that clang's syntax tree leaves open are read through LLVM, if that closes them."""

from __future__ import annotations

from pathlib import Path

import pytest

from symcute.frontends import for_file
from symcute.frontends.cuda import read_kernels
from symcute.frontends.llvm.source import read_through_llvm
from symcute.kernel.findings import verdict_of
from symcute.kernel.ir.inside import every
from symcute.kernel.ir.program import Kernel, NotUnderstood
from symcute.kernel.launch.project import Request, checked, each

#: CUB is no header that the first road knows; what the kernel does with it is asked of clang.
TEXT = """
#include <cub/cub.cuh>
#include <cublas_v2.h>
template <int N, bool Last> __global__ void k(const int *x, int *y, int n) {
  typedef cub::BlockReduce<int, N, cub::BLOCK_REDUCE_RAKING> Reduce;
  __shared__ typename Reduce::TempStorage held;
  int i = blockIdx.x * N + threadIdx.x;
  int sum = Reduce(held).Sum(i < n ? x[i] : 0);
  if (Last && threadIdx.x == 0) y[blockIdx.x] = sum;
}
template <class T> __global__ void plain(T *x) { x[threadIdx.x] = 0; }
void f(cublasHandle_t handle, const int *x, int *y, int n) {
  k<64, true><<<(n + 63) / 64, 64>>>(x, y, n);
  plain<<<1, 32>>>(y);
}
"""


def is_open(kernel: Kernel) -> bool:
    return any(isinstance(s, NotUnderstood) for s in every(kernel.body))


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "k.cu"
    path.write_text(TEXT, encoding="utf-8")
    return path


def test_what_one_road_leaves_open_the_other_closes(file: Path) -> None:
    first = read_kernels(file).kernels
    assert any(is_open(k) for t, k in first.items() if t.startswith("k"))
    found = for_file(file).read(file)
    assert set(found.kernels) == {"k<64, true>", "plain<int>"}
    assert not any(map(is_open, found.kernels.values()))
    # What was understood stays as it was.
    assert found.kernels["plain<int>"] == first["plain<int>"]
    assert "clang" in found.compiled
    # A part of a header that is not there was put in: that is said.
    assert any("cublas_v2.h" in said for said in found.kernels["k<64, true>"].granted)


def test_nothing_is_asked_of_what_is_understood(tmp_path: Path) -> None:
    path = tmp_path / "plain.cu"
    path.write_text("template <class T> __global__ void k(T *x) { x[threadIdx.x] = 0; }\n"
                    "void f(int *x) { k<<<1, 32>>>(x); }\n", encoding="utf-8")  # fmt: skip
    assert not for_file(path).read(path).compiled
    assert for_file(path).fingerprint(path, (), {})


@pytest.mark.full
def test_what_both_leave_open_stays_open(tmp_path: Path) -> None:
    path = tmp_path / "open.cu"
    path.write_text(TEXT.replace("if (Last", "unheard_of(y); if (Last"), encoding="utf-8")
    found = for_file(path).read(path).kernels
    assert any(is_open(k) for t, k in found.items() if t.startswith("k"))


@pytest.mark.parametrize(("store", "status"), [("y[i]", "proved"), ("y[i + 1]", "refuted")])
def test_launches_of_tests_have_one_name_on_both_roads(
    tmp_path: Path, store: str, status: str
) -> None:
    text = f"""#include <cstdlib>
    enum class E : char {{ a, b }};
    template <bool F, unsigned long N, E> __global__ void k(int *y, int n) {{
      int i = blockIdx.x * N + threadIdx.x;
      if (i < n) {store} = F;
    }}
    void f(int n) {{
      int *y;
      cudaMalloc(&y, n * sizeof(int));
      k<true, 128, E::b><<<(n + 127) / 128, 128>>>(y, n);
    }}"""
    path = tmp_path / "test.cu"
    path.write_text(text, encoding="utf-8")
    for reader in (read_kernels, read_through_llvm):
        (kernel,) = reader(path).kernels.values()
        assert kernel.name == "k<true, 128, 1>" and kernel.families
        (task,) = each(kernel, Request())
        assert verdict_of(checked(task)[0])["in_bounds"] == status


def test_which_instance_of_a_name_is_launched_has_to_be_known(tmp_path: Path) -> None:
    path = tmp_path / "twice.cu"
    path.write_text("template <auto N> __global__ void k(int *x) { x[sizeof(N)] = 0; }\n"
                    "void f(int *x) { k<1><<<1, 32>>>(x); k<1UL><<<2, 32>>>(x); }\n",
                    encoding="utf-8")  # fmt: skip
    kernels = read_through_llvm(path).kernels
    assert set(kernels) == {"k<1>", "k<1> (2)"}
    assert not any(k.families for k in kernels.values())


def test_what_ends_a_thread_within_a_function_ends_it() -> None:
    text = """#include <cstdio>
    [[noreturn]] static __device__ void stop(int line) { printf("%d", line); __trap(); }
    // symcute: launch grid=1 block=64
    // symcute: extent x=32
    __global__ void k(int *x) { if (threadIdx.x >= BOUND) stop(__LINE__); x[threadIdx.x] = 1; }
    """
    for bound, status in (("32", "proved"), ("33", "refuted")):
        (kernel,) = read_through_llvm(text.replace("BOUND", bound)).kernels.values()
        assert not is_open(kernel)
        (task,) = each(kernel, Request())
        assert verdict_of(checked(task)[0])["in_bounds"] == status
