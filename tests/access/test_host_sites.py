"""Launches in host code: none is passed over, and those by a call are followed."""

from __future__ import annotations

import pytest

from symcute import check_kernel
from symcute.errors import InputError


@pytest.mark.parametrize(
    "other",
    [
        "struct Other { void go(float *x) { k<<<1, 2>>>(x, 9); } };",
        "struct Other { void go(float *x); }; void Other::go(float *x) { k<<<1, 2>>>(x, 9); }",
        "struct Other { Other(float *x) { k<<<1, 2>>>(x, 9); } }; Other other(nullptr);",
        "int at_the_start = [] { k<<<1, 2>>>(nullptr, 9); return 0; }();",
        "void other(void **all) { cudaLaunchKernel((void *)k, dim3(1), dim3(2), all); }",
        "void other(void *any) { float *x; int n; void *all[] = {&x, &n};"
        " void *p = (void *)k; cudaLaunchKernel(p, dim3(1), dim3(2), all); }",
        "void unseen(void *); void other() { unseen((void *)k); }",
        "void unseen(void (*)(float *, int)); void other() { unseen(k); }",
        "void (*held)(float *, int) = k; void other(float *x) { held<<<1, 2>>>(x, 9); }",
        "void other(float *x, int i) { void (*all[])(float *, int) = {k, k};"
        " all[i]<<<1, 2>>>(x, 9); }",
        "__global__ void j(float *x, int n) {} void other(float *x, bool b) {"
        " auto f = b ? k : j; f<<<1, 2>>>(x, 9); }",
        "__global__ void j(float *x, int n) {} void other(float *x, bool b) {"
        " auto f = j; if (b) f = k; f<<<1, 2>>>(x, 9); }",
        "struct A { void (*f)(float *, int); }; void other(float *x) {"
        " A a; a.f = k; a.f<<<1, 2>>>(x, 9); }",
        "void other(int *n) { float *x; void *all[] = {&x, n};"
        " cudaLaunchKernel((void *)k, dim3(1), dim3(2), all); }",
    ],
)
def test_no_launch_is_passed_over(other: str) -> None:
    text = """
    __global__ void k(float *x, int n) { if (threadIdx.x < n) x[threadIdx.x] = 0; }
    void f(int n) { float *x; cudaMalloc(&x, n * sizeof(float)); k<<<1, 32>>>(x, n); }
    """
    assert check_kernel(text, properties=("in_bounds",)).status == "proved"
    with pytest.raises(InputError, match=r"is not (followed|understood)"):
        check_kernel(text + other, properties=("in_bounds",))
    called = text + "struct A { void go(float *x) { k<<<1, 2>>>(x, 9); } };"
    called += "void g() { float *x; A a; cudaMalloc(&x, 4); a.go(x); }"
    found = check_kernel(called, properties=("in_bounds",))
    assert [f.status for f in found] == ["proved", "refuted"]


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("void *all[] = {&x, &n}; cudaLaunchKernel((void *)k, 1, 32, all);", "proved"),
        ("void *all[] = {&x, &n}; n = n + 1; cudaLaunchKernel((void *)k, 1, 32, all, 0, 0);",
         "refuted"),
        ("int m = n + 1; void *all[] = {&x, &m}; m--;"
         " cudaLaunchCooperativeKernel((const void *)k, dim3(1), dim3(32), all);", "proved"),
        ("long m = n; void *all[] = {&x, &m}; cudaLaunchKernel((void *)k, 1, 32, all);", "unknown"),
        ("void *all[] = {&x}; cudaLaunchKernel((void *)k, 1, 32, all);", "unknown"),
    ],
)  # fmt: skip
def test_launches_by_a_call(host: str, status: str) -> None:
    text = """
    __global__ void k(float *x, int n) { if (threadIdx.x < n) x[threadIdx.x] = 0; }
    void f(int n) { float *x; cudaMalloc(&x, n * sizeof(float)); HOST }
    """
    (found,) = check_kernel(text.replace("HOST", host), properties=("in_bounds",))
    assert found.status == status, found
