"""Launches in host code: none is passed over, and those by a call are followed."""

from __future__ import annotations

import pytest

from symcute import check_kernel
from symcute.errors import InputError
from symcute.frontends.cuda.source import read_kernels
from tests.full import some


@pytest.mark.parametrize(
    "other",
    some(
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
            " auto f = k; f = b ? k : j; f<<<1, 2>>>(x, 9); }",
            "__global__ void j(float *x, int n) {} void other(float *x, bool b) {"
            " auto f = j; if (b) f = k; f<<<1, 2>>>(x, 9); }",
            "struct A { void (*f)(float *, int); }; void other(float *x) {"
            " A a; a.f = k; a.f<<<1, 2>>>(x, 9); }",
            "void other(int *n) { float *x; void *all[] = {&x, n};"
            " cudaLaunchKernel((void *)k, dim3(1), dim3(2), all); }",
        ],
        3,
    ),
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


@pytest.mark.parametrize(
    "other",
    [
        # Another function that is not followed calls it.
        "void other(int a) { float *x; cudaMalloc(&x, 4); void *to[] = {&&l1, &&l2}; goto *to[a];"
        " l1: CALL(x, 9); l2:; }",
        # It is called before anything else runs, where a method is that nobody follows, or
        # where a first value is computed.
        "struct Other { Other() { float *x; cudaMalloc(&x, 4); CALL(x, 9); } }; Other other;",
        "struct Other { float *x; void run() { CALL(x, 9); } };",
        "struct Other { float *x; void run(); }; void Other::run() { CALL(x, 9); }",
        "struct Other { float *x; ~Other() { CALL(x, 9); } };",
        "int first(int); float *held; int at_the_start = (CALL(held, 9), 1);",
        # It is handed on, by itself or within a lambda.
        "void unseen(void (*)(float *, int)); void other() { unseen(CALL); }",
        "void (*table[])(float *, int) = {CALL};",
        "void unseen(void (*)(float *)); void other() { unseen([](float *x) { CALL(x, 9); }); }",
        "template <class F> void twice(F f); void other(float *x) {"
        " auto go = [=] { CALL(x, 9); }; twice(go); }",
        # Clang does not understand the call, or what it is handed to.
        "void other(float *x) { CALL(x, UNSEEN(9)); }",
        "#define HERE(...) UNSEEN(__VA_ARGS__)\n void other(float *x) { HERE(CALL, x); }",
    ],
)
@pytest.mark.parametrize(
    ("launcher", "call"),
    some(
        [
            ("template <class T> void go(T *x, int n) { k<<<1, 32>>>(x, n); }", "go<float>"),
            ("struct S { static void go(float *x, int n) { k<<<1, 32>>>(x, n); } };", "S::go"),
        ],
        2,
    ),
)
def test_a_way_that_is_not_followed_is_not_made_up_for_by_another(
    launcher: str, call: str, other: str
) -> None:
    text = f"""
    __global__ void k(float *x, int n) {{ if (threadIdx.x < n) x[threadIdx.x] = 0; }}
    {launcher}
    void f(int n) {{ float *x; cudaMalloc(&x, n * sizeof(float)); {call}(x, n); }}
    """
    assert check_kernel(text, properties=("in_bounds",)).status == "proved"
    with pytest.raises(InputError, match=r"is not (followed|understood)"):
        check_kernel(text + other.replace("CALL", call), properties=("in_bounds",))


@pytest.mark.parametrize(
    "other",
    [
        "template void go(float *, int);",
        "extern template void go<float>(float *, int);",
        "void other(float *x) { UNSEEN_LAUNCH(k, 1, 32, x, 9); }",
        "#define RUN(f, ...) UNSEEN(f, __VA_ARGS__)\n void other(float *x) { RUN(k, x, 9); }",
    ],
)
def test_what_others_may_launch_is_said(other: str) -> None:
    text = """
    __global__ void k(float *x, int n) { if (threadIdx.x < n) x[threadIdx.x] = 0; }
    template <class T> void go(T *x, int n) { k<<<1, 32>>>(x, n); }
    """
    caller = "void f(int n) { float *x; cudaMalloc(&x, n * sizeof(float)); go(x, n); }"
    assert check_kernel(text + caller, properties=("in_bounds",)).status == "proved"
    with pytest.raises(InputError, match=r"is not (followed|understood)|for others"):
        check_kernel(f"{text} {other}\n {caller}", properties=("in_bounds",))


def test_a_method_that_calls_itself_launches_more_than_its_first_call() -> None:
    text = """
    __global__ void k(float *x, int n) { if (threadIdx.x < n) x[threadIdx.x] = 0; }
    struct S {
      float *x; int m;
      void go(int n) { k<<<1, 32>>>(x, m); m++; if (n) AGAIN; }
    };
    void f() { S s; s.m = 1; cudaMalloc(&s.x, 4); s.go(1); }
    """
    proved = check_kernel(text.replace("AGAIN", "m++"), properties=("in_bounds",))
    assert proved.status == "proved"
    with pytest.raises(InputError, match="is not followed"):
        check_kernel(text.replace("AGAIN", "go(n - 1)"), properties=("in_bounds",))


def test_a_launch_of_two_functions_on_one_line_is_of_both() -> None:
    text = """
    __global__ void k(float *x, int n) { if (threadIdx.x < n) x[threadIdx.x] = 0; }
    static void f(float *x, int n) { k<<<1, 32>>>(x, n); if (n < 3) f(x, n + 1); } void g() { float *x; cudaMalloc(&x, 4); f(x, 1); }
    """  # noqa: E501
    found = check_kernel(text, properties=("in_bounds",))
    assert sorted(f.status for f in found) == ["proved", "unknown"]


@pytest.mark.parametrize(
    "other",
    [
        "struct S { void go(float *x, int n) { k<128><<<1, 128>>>(x, n); } };"
        " void g() { S s; float *x; cudaMalloc(&x, 4); s.go(x, 1); }",
        "template <class T> struct S { void go(T *x, int n) { k<128><<<1, 128>>>(x, n); } };"
        " void g() { S<float> s; float *x; cudaMalloc(&x, 4); s.go(x, 1); }",
        "struct S { S() { float *x; cudaMalloc(&x, 4); k<128><<<1, 128>>>(x, 1); } } all;",
        "int first = [] { float *x; cudaMalloc(&x, 4); k<128><<<1, 128>>>(x, 1); return 0; }();",
        "struct N { static constexpr int value = 128; };"
        " void g(float *x) { auto go = [&](auto b) { k<decltype(b)::value><<<1, 128>>>(x, 1); };"
        " go(N{}); }",
        "template <> __global__ void k<128>(float *x, int n) { x[n] = 0; }",
        "template __global__ void k<128>(float *, int);",
        "void (*held)(float *, int) = k<128>;",
    ],
)
def test_every_instance_of_a_kernel_is_read(other: str) -> None:
    text = """
    template <int B> __global__ void k(float *x, int n) { if (threadIdx.x < n) x[n + B - 33] = 0; }
    void f(int n) { float *x; cudaMalloc(&x, n * sizeof(float)); k<32><<<1, 32>>>(x, n); }
    """
    assert list(read_kernels(text).kernels) == ["k<32>"]
    found = read_kernels(text + other).kernels
    assert set(found) in ({"k<32>", "k<128>"}, {"k<32>", "k<instantiated>"})
    again = read_kernels(text + other, name="k<128>").kernels
    assert list(again) == ["k<128>"]


@pytest.mark.parametrize(
    ("host", "status"),
    some([
        ("Buf b(n); LAUNCH(b.p);", "proved"),
        ("float *q; { Buf b(n); q = b.p; } LAUNCH(q);", "unknown"),
        ("float *q = Buf(n).p; LAUNCH(q);", "unknown"),
        ("float *q; { Holder h(n); q = h.b.p; } LAUNCH(q);", "unknown"),
        ("float *q; ALLOCATE(q); { Told t; } LAUNCH(q);", "proved"),
        ("float *q; ALLOCATE(q); told(q); LAUNCH(q);", "proved"),
        ("float *q; ALLOCATE(q); gone(q); LAUNCH(q);", "unknown"),
        ("float *q; ALLOCATE(q); LAUNCH(q); gone(q);", "proved"),
        ("float *q; ALLOCATE(q); try { cudaFree(q); } catch (...) {} LAUNCH(q);", "unknown"),
        ("float *q; ALLOCATE(q); void (*f)(float *) = n > 3 ? gone : told; f(q); LAUNCH(q);",
         "unknown"),
        ("float *q; ALLOCATE(q); float *all[1] = {q}; cudaFree(all[0]); LAUNCH(q);", "unknown"),
        ("float *q; cudaFree(0); ALLOCATE(q); LAUNCH(q);", "proved"),
        ("float *q; ALLOCATE(q); cudaDeviceReset(); LAUNCH(q);", "unknown"),
        ("float *q; ALLOCATE(q); LAUNCH(q); cudaDeviceReset();", "proved"),
        ("float *q; ALLOCATE(q); cuMemFree((unsigned long long)q); LAUNCH(q);", "unknown"),
        # A function by its value.
        ("float *q; ALLOCATE(q); auto f = &cudaFree; f(q); LAUNCH(q);", "unknown"),
        ("float *q; ALLOCATE(q); through(cudaFree, q); LAUNCH(q);", "unknown"),
        ("float *q; ALLOCATE(q); auto f = &cudaMalloc<float>; f(&q, 4); LAUNCH(q);", "refuted"),
        ("float *q; auto f = &cudaMalloc<float>; f(&q, n * sizeof(float)); LAUNCH(q);", "proved"),
        ("float *q; ALLOCATE(q); held(q); LAUNCH(q);", "unknown"),
        ("float *q; ALLOCATE(q); picked()(q); LAUNCH(q);", "unknown"),
        # What stands in other files.
        ("float *q; ALLOCATE(q); away(q); LAUNCH(q);", "unknown"),
        ("float *q; ALLOCATE(q); away(q + 4); LAUNCH(q);", "unknown"),
        ("float *q; ALLOCATE(q); LAUNCH(q); away(q);", "proved"),
        ("float *q, *r = (float *)malloc(8); ALLOCATE(q); away(r); LAUNCH(q);", "proved"),
        ("float *q, *r; ALLOCATE(q); ALLOCATE(r); away(r); LAUNCH(q);", "proved"),
        ("float *q; ALLOCATE(q); to_away(q); LAUNCH(q);", "unknown"),
        ("float *q; ALLOCATE(q); float *r = q; by_place(&q); LAUNCH(r);", "unknown"),
        ("float *q; ALLOCATE(q); float *r = q; undeclared(q); LAUNCH(r);", "unknown"),
        ("float *q, *r; ALLOCATE(q); ALLOCATE(r); undeclared(r); LAUNCH(q);", "proved"),
        ("float *q; ALLOCATE(q); Away a; a.p = q; a.go(); LAUNCH(q);", "unknown"),
        ("float *q; ALLOCATE(q); { Guard g(q); } LAUNCH(q);", "unknown"),
        ("float *q; ALLOCATE(q); { Guard g(q); LAUNCH(q); }", "proved"),
        ("float *q; ALLOCATE(q); Timer t; t.start(3); LAUNCH(q);", "proved"),
    ], 3),
)  # fmt: skip
def test_memory_that_what_is_not_followed_may_give_back(host: str, status: str) -> None:
    text = """
    #define ALLOCATE(q) cudaMalloc(&q, n * sizeof(float))
    #define LAUNCH(q) k<<<1, 32>>>(q, n)
    struct Buf { float *p; Buf(int n) { ALLOCATE(p); } ~Buf() { cudaFree(p); } };
    struct Holder { Buf b; Holder(int n) : b(n) {} };
    struct Told { int n = 0; ~Told() { printf("%d", n); } };
    void gone(float *p) { Told t; cudaFree(p); }
    void told(float *p) { Told t; }
    void away(float *p);
    void by_place(float **p);
    void to_away(float *p) { away(p); }
    void through(cudaError_t (*f)(void *), float *p) { f(p); }
    extern void (*held)(float *);
    void (*picked())(float *);
    extern "C" int cuMemFree(unsigned long long p);
    struct Away { float *p; void go(); };
    struct Guard { float *p; Guard(float *p) : p(p) {} ~Guard(); };
    struct Timer { int n; void start(int m); };
    __global__ void k(float *x, int n) { int i = threadIdx.x; if (i < n) x[i] = 0; }
    void f(int n) { HOST }
    """
    found = check_kernel(text.replace("HOST", host), properties=("in_bounds",))
    assert {f.status for f in found} == {status}


@pytest.mark.parametrize("before", [97, 98, 99])
def test_launches_that_are_too_many_are_said(before: int) -> None:
    text = "__global__ void k(float *x, int n) { x[threadIdx.x] = n; }\n"
    for n in range(1, before + 1):
        text += f"void f{n}() {{ float *x; cudaMalloc(&x, 4096); k<<<1, {n}>>>(x, {n}); }}\n"
    # One launch on two ways, each of two signs.
    text += """
    void g(int a, int b) {
      float *x;
      cudaMalloc(&x, 4096);
      int n = 7;
      if (b > 3) n = 9;
      k<<<a / 3 + 20, 128>>>(x, n);
    }
    """
    (kernel,) = read_kernels(text).kernels.values()
    here = [f for f in kernel.families if f.host == "g"]
    assert len(here) == 4 or any(f.trouble for f in kernel.families), len(here)
    assert len(kernel.families) <= 101
