"""What copies, braces and conversions of structs and lambdas do, though the text names no function.

In each case the thread i of five writes to x[i + 1], by code that C++ runs of its own accord or by
a number that it computes so; with five elements that must not be proved in bounds.
"""

from __future__ import annotations

import pytest

from symcute.kernel.launch.sources import check_kernel
from tests.full import some

TYPES = """
typedef void (*put_t)(int *, int);
struct Copied {
  int *x, i;
  __device__ Copied(int *x, int i) : x(x), i(i) {}
  __device__ Copied(const Copied &o) : x(o.x), i(o.i + 1) { x[i] = 1; }
};
template <class T> struct Template {
  T *x; int i;
  __device__ Template(T *x, int i) : x(x), i(i) {}
  __device__ Template(const Template &o) : x(o.x), i(o.i + 1) { x[i] = 1; }
};
struct Holder { Copied c; int v; };
struct Heir : Copied { int v; __device__ Heir(int *x, int i) : Copied(x, i), v(0) {} };
struct Assigned {
  int *x, i;
  __device__ Assigned &operator=(const Assigned &o) { x[i + 1] = 1; return *this; }
};
struct AssignedInside { Assigned a; };
struct Begun { int a; int b = a + 1; };
struct BegunArray { int a; int t[2] = {a + 1, 0}; };
struct Bases : Begun { int c; };
struct Made { int v; __device__ Made() : v(1) {} };
struct Swapped { int a, b; __device__ Swapped(int p, int q) : a(q), b(p) {} };
struct From { int v; __device__ From(int p) : v(p + 1) {} };
struct MadeInside { Made m[2]; int w; };
__device__ void by(Holder h) {}
__device__ Copied &same(Copied &c) { return c; }
"""


def verdict(inside: str, size: int) -> str:
    text = f"{TYPES}__global__ void k(int *x) {{ int i = threadIdx.x; {inside} }}\n"
    found = check_kernel(
        text, launch="grid=1 block=5", extents={"x": str(size)}, properties=["in_bounds"]
    )
    return "not applicable" if not found else found.status


@pytest.mark.parametrize(
    "inside",
    some(
        [
            "Copied c(x, i); Copied d = c;",
            "Copied c(x, i); Copied d{c};",
            "Copied c(x, i); Copied d[1] = {c};",
            "Copied c(x, i); Copied d[2] = {Copied(x, 0), same(c)};",
            "Copied c(x, i); auto f = [c] {}; f();",
            "Copied c(x, i); auto f = [=] { return c.i; }; f();",
            "for (Copied c : {Copied(x, i)}) x[0] = 1;",
            "Template<int> c(x, i); auto f = [=] { return c.i; }; f();",
            "Template<int> c(x, i); Template<int> d[1] = {c};",
            "Holder h{Copied(x, i), 1}; Holder g = h;",
            "Holder h{Copied(x, i), 1}; Holder g{h};",
            "Holder h{Copied(x, i), 1}; Holder g[1] = {h};",
            "Holder h{Copied(x, i), 1}; by(h);",
            "Holder h{Copied(x, i), 1}; auto f = [=] { return h.v; }; f();",
            "Heir h(x, i); Heir g = h;",
            "Assigned a{x, i}, b{x, i}; a = b;",
            "AssignedInside a{{x, i}}, b{{x, i}}; a = b;",
            "struct Local { int *x, i; int w = (x[i + 1] = 1); } l{x, i};",
            "Begun b{i}; x[b.b] = 1;",
            "Begun b[2] = {{i}, {0}}; x[b[0].b] = 1;",
            "Begun b[2] = {}; x[i + b[1].b] = 1;",
            "BegunArray b{i}; x[b.t[0]] = 1;",
            "Bases b{{i, i + 1}, 0}; x[b.b] = 1;",
            "Bases b{{i}, 0}; x[b.b] = 1;",
            "Made m[2] = {}; x[i + m[1].v] = 1;",
            "MadeInside m{}; x[i + m.m[1].v] = 1;",
            "Swapped s[1] = {{i + 1, 0}}; x[s[0].b] = 1;",
            "From f[1] = {i}; x[f[0].v] = 1;",
            "auto f = [](int *x, int i) { x[i + 1] = 1; }; put_t g = f; g(x, i);",
            "(+[](int *x, int i) { x[i + 1] = 1; })(x, i);",
            "Begun b{.a = i}; x[b.b] = 1;",
            "int t[5] = {[4] = 1}; x[i + t[i]] = 1;",
        ],
        3,
    ),
)
def test_what_is_wrong_is_not_proved(inside: str) -> None:
    assert verdict(inside, 5) in ("refuted", "unknown")


@pytest.mark.parametrize(
    "inside",
    [
        "Copied c(x, i); Copied d = c; x[d.i] = 1;",
        "Begun b{i}; x[b.b] = 1;",
        "Begun b[2] = {{i}, {0}}; x[b[0].b + b[1].b - 1] = 1;",
        "BegunArray b{i}; x[b.t[0] + b.t[1]] = 1;",
        "Begun b{i, 0}, c; c = b; x[c.a + c.b] = 1;",
        "Begun b{i, 0}; auto f = [=] { x[b.a] = 1; }; f();",
        "Begun b{i, 0}; Begun c[1] = {b}; x[c[0].a + c[0].b] = 1;",
        "put_t g = [](int *x, int i) { x[i + 1] = 1; }; g(x, i);",
        "int2 p[2] = {{i, 0}, {0, 1}}; x[p[0].x + p[1].y] = 1;",
        "struct Two { int2 p; int c; } t{{i, 1}}; x[t.p.x + t.p.y + t.c] = 1;",
    ],
)
def test_what_is_right_is_still_proved(inside: str) -> None:
    assert verdict(inside, 6) == "proved"
