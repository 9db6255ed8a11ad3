"""Constructs of C++ in device code: what they become, and what of them is not passed over."""

from __future__ import annotations

import re

import pytest

from symcute.kernel.findings import verdict_of
from symcute.kernel.ir.inside import every
from symcute.kernel.ir.program import Barrier, NotUnderstood, Store
from symcute.kernel.ir.text import listing
from symcute.kernel.launch.sources import check_kernel
from tests.access.lowered import program, unsupported
from tests.full import some

# --- ranges, bindings, statements within expressions --------------------------------------------

COUNTS = "int c = 5; auto g = [c]() mutable { return c++; };"
Q = """
#include <cstdio>
#include <cuda_fp16.h>
template <class F> __device__ void twice(F f) { f(); f(); }
struct Q { int a, b; };
__device__ Q make(int i) { return {i, i + 1}; }
typedef int (*at_t)(int);
__device__ int same(int i) { return i; }
__device__ int next(int i) { return i + 1; }
template <int t> constexpr __device__ at_t chosen() {
  if constexpr (t == 0) { return same; }
  else if constexpr (t == 1) { return next; }
  else { return nullptr; }
}
typedef void (*put_t)(int *, int);
__device__ void put(int *x, int i) { x[i] = 1; }
__device__ put_t writer() { return put; }
struct W {
  __device__ put_t operator[](int) const { return put; }
  __device__ put_t at() const { return put; }
  __device__ operator put_t() const { return put; }
};
__device__ at_t one_of(int n) { if (n > 1) return same; return next; }
template <int t> __device__ at_t either(int n) { if (n > t) return next; return next; }
__device__ void said(int *x, const char *file, const char *what) {
  printf("%s: %s %d", file, what, x[0]);
}
"""


@pytest.mark.parametrize(
    ("inside", "size", "truth"),
    some(
        [
            ("int t[3] = {0, 2, 4}; for (int v : t) x[v + 5 * i] = 1;", 25, True),
            ("int t[3] = {0, 2, 5}; for (int v : t) x[v + 5 * i] = 1;", 25, False),
            ("int t[3]; for (auto &v : t) v = i; x[i] = t[2];", 5, True),
            ("for (int v : {1, 4}) x[v + 4 * i] = 1;", 21, True),
            ("for (int v : {1, 5}) x[v + 4 * i] = 1;", 21, False),
            ("for (int v : {9, 4}) { if (v > 5) continue; x[v + 4 * i] = 1; }", 21, True),
            ("for (int v : {4, 9}) { if (v > 5) break; x[v + 4 * i] = 1; }", 21, True),
            ("for (int v : {9, 4}) { if (v < 5) break; x[v + 4 * i] = 1; }", 21, False),
            ("auto [p, q] = make(i); x[q] = p;", 6, True),
            ("auto [p, q] = make(i); x[q] = p;", 5, False),
            ("Q h{i, 0}; auto &[p, q] = h; p = 9; x[h.a] = q;", 10, True),
            ("Q h{i, 0}; auto &[p, q] = h; p = 9; x[h.a] = q;", 9, False),
            ("Q h{i, 0}; auto [p, q] = h; p = 9; x[h.a] = q;", 5, True),
            ("auto [p, q] = make(i); auto f = [=](int k) { x[q + k] = 1; }; f(1);", 7, True),
            (
                "auto [p, q] = make(i); auto f = [&](int k) { x[q + k] = 1; }; q = 6; f(1);",
                7,
                False,
            ),
            (f"{COUNTS} auto h = g; g(); x[h() * 3 + g()] = 1;", 22, True),
            (f"{COUNTS} auto h = g; g(); x[h() * 3 + g()] = 1;", 21, False),
            (f"{COUNTS} auto h = [g]() mutable {{ return g(); }}; h(); x[g()] = 1;", 6, True),
            (f"{COUNTS} auto h = [=]() mutable {{ return g(); }}; g(); x[h()] = 1;", 6, True),
            (f"{COUNTS} auto h = [&]() mutable {{ return g(); }}; g(); x[h()] = 1;", 6, False),
            (f"{COUNTS} twice(g); x[g()] = 1;", 6, True),
            (f"{COUNTS} twice<decltype(g) &>(g); x[g()] = 1;", 7, False),
            ("int w = ({ int z = i; z + 1; }); x[w] = 0;", 6, True),
            ("int w = ({ int z = i; z + 2; }); x[w] = 0;", 6, False),
            ("writer()(x, i + 1);", 6, True),
            ("writer()(x, i + 1);", 5, False),
            ("const W w{}; w[0](x, i + 1); w.at()(x, i + 2); w(x, i);", 7, True),
            ("const W w{}; w[0](x, i + 1);", 5, False),
            ("const W w{}; w.at()(x, i + 1);", 5, False),
            ("const W w{}; w(x, i + 1);", 5, False),
            ("x[chosen<0>()(i)] = 1;", 5, True),
            ("constexpr at_t at = chosen<1>(); x[at(i)] = 1;", 6, True),
            ("constexpr at_t at = chosen<1>(); x[at(i)] = 1;", 5, False),
            ("at_t const at = either<1>(i); x[at(i)] = 1;", 6, True),
            ("at_t const at = either<1>(i); x[at(i)] = 1;", 5, False),
            ('if (i == 4 && "abcd"[i]) x[9] = 1; x["abcd"[i] ? i : 4] = 1;', 10, True),
            ('char c = "abc"[i]; x[0] = c;', 1, False),
            ("x[i + \"ab\"[0] - 'a'] = 1;", 5, True),
            ("x[i + \"ab\"[1] - 'a'] = 1;", 5, False),
            ('said(x, __FILE__, "fifth"); x[i] = 1;', 5, True),
            ('said(x, __FILE__, "fifth"); x[i] = 1;', 4, False),
            ("half2 v[2] = {{1.f, 2.f}}; x[i + (__low2float(v[1]) > 0)] = 1;", 6, True),
            ("half2 v[2] = {{1.f, 2.f}}; v[i / 2] = half2(1, 2); x[i] = 1;", 5, False),
        ],
        3,
    ),
)
def test_bounds_of_what_they_become(inside: str, size: int, truth: bool) -> None:
    text = f"{Q}__global__ void k(int *x) {{ int i = threadIdx.x; {inside} }}\n"
    found = check_kernel(
        text, launch="grid=1 block=5", extents={"x": str(size)}, properties=["in_bounds"]
    )
    assert found.status == ("proved" if truth else "refuted")


@pytest.mark.parametrize(
    "inside",
    [
        "struct R { int *b, *e; __device__ int *begin() { return b; } __device__ int *end() "
        "{ return e; } } r{x, x + n}; for (int &v : r) v = 1;",
        "int u[2]; auto [a, b] = u; x[a] = b;",
        "struct S { int a; int &b; } s{n, m}; auto [a, b] = s; b = 1;",
        "struct S { int a : 3, b : 4; } s{n, m}; auto &[a, b] = s; b = 1;",
        "x[0] = ({ if (n) m = 1; });",
        "int (*f)(int) = n ? same : next; x[f(0)] = 1;",
        "x[one_of(n)(0)] = 1;",
        'printf("%s", (const char *)x);',
        'printf("%s", "abc" + n);',
        "printf((const char *)x);",
        "x[0] = *(int *)({ asm(\"bar.arrive 0, 64;\"); x; });",
    ],
)  # fmt: skip
def test_what_of_them_is_not_understood(inside: str) -> None:
    found = program(inside, Q)
    whole = any(isinstance(s, NotUnderstood) for s in every(found.body))
    assert whole, listing(found)


def test_types_that_say_what_their_parts_are() -> None:
    before = """
struct S { int a, b; };
namespace std { template <class T> struct tuple_size;
template <size_t N, class T> struct tuple_element;
template <> struct tuple_size<S> { static constexpr int value = 2; };
template <size_t N> struct tuple_element<N, S> { typedef int type; }; }
template <size_t N> __device__ int get(S s) { return N ? s.a : s.b; }
"""
    assert unsupported(program("S s{1, 2}; auto [p, q] = s; x[p] = q;", before))


# --- the lives of objects -------------------------------------------------------------------------

LIVES = """
struct Base { int v; __device__ Base(int *x) { x[0] = 1; v = 3; } };
struct Heir : Base { int w = 4; using Base::Base; };
template <class T> struct Of : T { int w; __device__ Of(int *x) : T(x), w(2) {} };
struct Quiet { int v; __device__ Quiet() : v(7) {} };
struct Loud { __device__ Loud() { __syncthreads(); } };
struct Guard { __device__ ~Guard() { __syncthreads(); } };
struct HasLoud { Loud l; int v; };
struct HasLoud2 { Loud l; int v; __device__ HasLoud2() : v(1) {} };
struct IsLoud : Loud { int v; __device__ IsLoud(int n) : v(n) {} };
template <class T> struct OfLoud : T { int v; __device__ OfLoud() : v(1) {} };
struct HasGuard { Guard g; int v; };
struct IsGuard : Guard { int v; };
__device__ int take(Guard g) { return 1; }
struct Told {
  int *x, n;
  __device__ ~Told() { x[n] = 1; __syncthreads(); }
  __device__ int get() const { return n; }
};
__device__ Told told(int *x, int n) { return Told{x, n}; }
__device__ int get(const Told &t) { return t.n; }
"""


@pytest.mark.parametrize(
    ("inside", "offsets"),
    [
        ("Heir h(x); x[h.v + h.w] = 2;", 2),
        ("Of<Base> o(x); x[o.v + o.w] = 2;", 2),
        ("Quiet q; x[q.v] = 2;", 1),
    ],
)
def test_base_classes_are_constructed(inside: str, offsets: int) -> None:
    found = program(inside, LIVES)
    assert not unsupported(found), listing(found)
    assert len(re.findall(r"store4 &?x", listing(found))) == offsets


@pytest.mark.parametrize(
    "inside",
    some([
        "Loud l; x[0] = 1;", "Loud l[2]; x[0] = 1;", "HasLoud h; x[0] = 1;",
        "HasLoud2 h; x[0] = 1;", "IsLoud i(3); x[0] = 1;", "OfLoud<Loud> o; x[0] = 1;",
        "Loud(); x[0] = 1;", "x[0] = (Loud(), 1);",
        "Guard g; x[0] = 1;", "Guard g[2]; x[0] = 1;", "HasGuard h; x[0] = 1;",
        "IsGuard i; x[0] = 1;", "Guard(); x[0] = 1;", "x[0] = (Guard(), 1);",
        "x[0] = take(Guard());", "Guard g = Guard(); x[0] = 1;", "{ const Guard &g = Guard(); }",
        # An object that braces or a function make, and that nothing names.
        "Told{x, n};", "told(x, n);", "x[Told{x, n}.get()] = 1;", "x[get(Told{x, n})] = 1;",
        "const Told &t = Told{x, n}; x[t.n] = 1;", "(void)Told{x, n};",
        "x[n ? Told{x, n}.get() : 0] = 1;",
    ], 3),
)  # fmt: skip
def test_what_runs_where_objects_begin_and_end(inside: str) -> None:
    found = program(inside, LIVES)
    steps = list(every(found.body))
    assert any(
        isinstance(s, Barrier) or (isinstance(s, NotUnderstood) and s.barrier) for s in steps
    )


FP8 = "#include <cuda_fp8.h>\n"


def test_what_a_constructor_without_a_body_here_constructs_is_not_known() -> None:
    found = program("*(__nv_fp8_e4m3 *)x = __nv_fp8_e4m3(1.f);", FP8)
    assert not unsupported(found)
    assert [s.width for s in every(found.body) if isinstance(s, Store)] == [1]
    text = FP8 + "__global__ void k(int *x) { __nv_fp8_e4m3 v(1.f); x[v.__x] = 1; }"
    for size, expected in (("256", "proved"), ("255", "unknown")):
        said = check_kernel(
            text, launch="grid=1 block=1", extents={"x": size}, properties=["in_bounds"]
        )
        assert said.status == expected


# --- packs of parameters --------------------------------------------------------------------------

PACK = """
struct Set {
  __device__ void operator()(float *x, int m) {
    int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < m) x[i] = 1;
  }
  __device__ void operator()(double *x, int m) {
    int i = blockIdx.x * blockDim.x + threadIdx.x; if (i <= m) x[i] = 1;
  }
  __device__ void operator()(float *x, float *y, int m, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < m && i < n) x[i] = y[i];
  }
};
template <class F, class... A> __global__ void k(F f, A... args) { f(args...); }
void f(int m) { float *x; cudaMalloc(&x, m * 4); k<<<(m + 255) / 256, 256>>>(Set(), x, m); }
void g(int m) { double *x; cudaMalloc(&x, m * 8); k<<<(m + 255) / 256, 256>>>(Set(), x, m); }
void h(int m, int n) {
  float *x, *y; cudaMalloc(&x, m * 4); cudaMalloc(&y, n * 4);
  k<<<(m + 255) / 256, 256>>>(Set(), x, y, m, n);
}
"""


def test_instances_that_differ_in_a_pack_are_told_apart() -> None:
    """What is made for other types of a pack is another kernel, and its parameters have names."""
    found = check_kernel(PACK, properties=["in_bounds"])
    assert {f.kernel: f.status for f in found} == {
        "k<Set, ?>": "proved",
        "k<Set, ?>(Set, double *, int)": "refuted",
        "k<Set, ?>(Set, float *, float *, int, int)": "proved",
    }


@pytest.mark.parametrize(("size", "truth"), [(8, True), (7, False)])
def test_a_field_and_a_parameter_of_the_same_name(size: int, truth: bool) -> None:
    """Each has a name of its own: the field `x` of `a`, and `a_x`."""
    text = "struct S { int x; };\n__global__ void k(S a, int a_x, int *p) { p[a.x + a_x] = 0; }\n"
    arguments = {"a_x": "5", "a_x_1": "2"}
    found = check_kernel(
        text, launch="grid=1 block=1", extents={"p": str(size)}, arguments=arguments,
        properties=["in_bounds"],
    )  # fmt: skip
    assert found.status == ("proved" if truth else "refuted")


@pytest.mark.parametrize(("index", "bounds"), [("i", "proved"), ("i + 1", "refuted")])
def test_methods_with_arguments_of_their_templates(index: str, bounds: str) -> None:
    """An argument of a template is no object, whether the object is written or not."""
    text = """struct S {
  int *at; int n;
  template <int K, class T> __device__ void put(T i) { if (i < n) at[i * K / 4] = K; }
  template <int K> __device__ void both(int i) { put<4>(i); this->put<K>(i); S(*this).put<K>(i); }
};
__global__ void k(int *x, int n) {
  S s = {x, n}; int i = blockIdx.x * blockDim.x + threadIdx.x; s.both<4>(INDEX);
}
""".replace("INDEX", index).replace("i < n", "i <= n" if bounds == "refuted" else "i < n")
    found = check_kernel(text, launch="grid=ceil_div(n,64) block=64", extents={"x": "n"},
                         given=["n <= 2**20"])  # fmt: skip
    assert verdict_of(found)["in_bounds"] == bounds
