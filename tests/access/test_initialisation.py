"""What references are bound to, in which order objects are begun, and which copies are made."""

from __future__ import annotations

import pytest

from tests.access.launched import told

TEXT = """
struct P { int v = 3; __device__ void set(int n) { v = n; } };
struct P2 : P { int w = 3; };
struct P3 : P2 { int x = 3; };
struct T { int &r; };
struct R { const int &r; __device__ R(int &z) : r{z} {} };
struct B { int z; __device__ B(int &x, int y) { x = y; z = y; } };
struct Own { int b; int a; __device__ Own(int x) : a(x), b(a = 5) {} };
struct Early { int b = 100; int a; __device__ Early(int x) : a(b), b(x) {} };
struct Late { int a; int b; __device__ Late(int x) : a(b), b(x) {} };
struct Default { int a; int b = (a = 100); __device__ Default(int x) : a(x) {} };
struct Held { int &r; int a; __device__ Held(int &x, int y) : a(r = y), r(x) {} };
struct Base : B { int a; __device__ Base(int &x, int n) : a(x = n), B(x, 100) {} };
struct Two { B p, q; __device__ Two(int &x, int m, int n) : q(x, n), p(x, m) {} };
struct Braces : P { int c; __device__ Braces(int n) : c(v + 1), P{n} {} };
struct Bits { int q : 9; int a[2]; };
struct Down : B { int w = z; using B::B; };
struct S { int v = 3; __device__ S() {} __device__ S(const S &o) : v(100) {} };
__device__ P plain() { P p; return p; }
__device__ S give() { S s; return s; }
__device__ S give(bool c) { S s, t; if (c) return s; return t; }
__device__ S pass(S q) { return q; }
__device__ S made() { return S(); }
__device__ int &ref(int &x) { return x; }
__device__ int both(const int &a, int &b) { b = 100; return a; }
// symcute: launch grid=1 block=32
__global__ void k(int n) { __shared__ int s[64]; int i = 0, y = 3, z = 3; const int w = 4; BODY s[i] = 0; }
"""  # noqa: E501


BODIES = {
    "refuted": [
        # References.
        "const int &r = static_cast<const int &>(z); z = 100; i = r;",
        "int a[2] = {3, 3}; const int &r = static_cast<const int &>(a[1]); a[1] = 100; i = r;",
        "P p; const int &r = static_cast<const int &>(p.v); p.v = 100; i = r;",
        "volatile int &r = static_cast<volatile int &>(z); r = 100; i = z;",
        "const int &r = static_cast<const int &>(z = 4); z = 100; i = r;",
        "int *p = &y; int *const &r = static_cast<int *const &>(p); z = 100; p = &z; i = *r;",
        "const int &r = {z}; z = 100; i = r;",
        "R q(z); z = 100; i = q.r;",
        "T q{z}; z = 100; i = q.r;",
        "P p; const P &r = {p}; p.v = 100; i = r.v;",
        "i = both({z}, z);",
        "const int &r = n ? z : w; z = 100; i = r;",
        "(n ? ref(z) : ref(y)) = 100; i = z;",
        "int &r = n ? (z = 4) : (y = 4); r = 100; i = z;",
        "int a[2] = {3, 3}, c[2] = {3, 3}; (n ? a : c)[1] = 100; i = a[1];",
        "int a[2] = {3, 3}, c[2] = {3, 3}; int *p = (n & 1) ? a : c; p[1] = 100; i = c[1];",
        "P p, q; (n ? static_cast<P &>(p) : q).v = 100; i = p.v;",
        "P3 p; p.set(100); i = p.v;",
        "P3 p; P &r = p; r.v = 100; i = p.v;",
        "int &&r = std::move(z); z = 100; i = r;",
        "i = both(std::move(z), z);",
        # The order of what is begun.
        "Own q(100); i = q.a;",
        "Default q(3); i = q.a;",
        "Held q(y, 100); i = y;",
        "Two q(y, 3, 100); i = y;",
        "for (int e : {z, y}) { i = e; z = 3; y = 100; } i = y;",
        "int v = 100; for (int e : {z, v}) { i = e; v = 3; }",
        "Braces q(100); i = q.v;",
        "Braces q(99); i = q.c;",
        # Parameters are copied where they are returned.
        "S q = pass(S()); i = q.v;",
        "S q = made(); S t = q; i = t.v;",
    ],
    "proved": [
        "int v = 100; const int &r = static_cast<const int &>(v); v = 3; i = r;",
        "const int &r = static_cast<const long &>(z); z = 100; i = r;",
        "const int &r = static_cast<const int &>(+z); z = 100; i = r;",
        "const int &r = static_cast<const int &>(z++); z = 100; i = r;",
        "int v = 100; const int &r{v}; v = 3; i = r;",
        "const long &r = {z}; z = 100; i = r;",
        "const int &r = n ? z : 3; z = 100; i = r;",
        "int r = n ? ref(z) : ref(y); z = y = 100; i = r;",
        "P3 p; P &r = p; r.v = 4; i = p.v;",
        "int &&r = std::move(z); i = r;",
        "Braces q(3); i = q.c;",
        "Bits q; q.q = q.a[1] = 3; const int &r = n ? q.q : q.a[1]; q.q = q.a[1] = 100; i = r;",
        "for (int e : {z, y}) { i = e; y = 100; }",
        "Own q(3); i = q.b;",
        "Early q(3); i = q.a;",
        "Base q(y, 5); i = y;",
        "Base q(y, 5); i = q.a;",
        "Two q(y, 100, 3); i = y;",
        "P q = plain(); i = q.v;",
        "S q = made(); i = q.v;",
        "int v = std::min(n, 3); i = v < 0 ? 0 : v;",
    ],
    "unknown": [
        # A compiler may leave these copies out.
        "S q = give(); i = q.v;",
        "S q = give(n); i = q.v;",
        "S q{give()}; i = q.v;",
        # What nobody set, and what is not understood.
        "Late q(3); i = q.a;",
        "struct L { int v; __device__ L(int n) : v(n) {} }; struct M { L l; }; M q{3}; i = q.l.v;",
        "struct L { int v; __device__ L(int n) : v(n) {} }; L q[1] = {3}; i = q[0].v;",
        "Down q(y, 100); i = q.w;",
        "int v = 100; const int &r = std::min(v, 200); v = 3; i = r;",
        "i = both(std::max(z, 1), z);",
        "int v = 100; const int &r = (n & 1) ? std::min(v, 200) : v; v = 3; i = r;",
        "int a[3] = {1, 100, 3}; memmove(a + 1, a, 8); i = a[2];",
        "int a[3] = {100, 1, 3}; memmove(a, a + 1, 8); i = a[0];",
        "unsigned char a[2] = {100, 2}; for (const int &e : a) { a[0] = 3; i = e; break; }",
    ],
}


@pytest.mark.parametrize(("body", "status"), [(b, s) for s, each in BODIES.items() for b in each])
def test_what_an_element_is(body: str, status: str) -> None:
    assert told(TEXT.replace("BODY", body)) == {status}


BUFFERS = """
// symcute: launch grid=1 block=64
__global__ void k(int n) {
  __shared__ float s[2][64], s0[64], s1[64];
  for (int i = 0; i < n; i++) {
    float *at = WHICH;
    at[threadIdx.x SHARED] = i;
  }
}
"""


@pytest.mark.parametrize("which", ["(i & 1) ? s1 : s0", "(i & 1) ? s[0] : s[1]", "n ? s0 : s1"])
def test_one_of_two_arrays_is_no_copy_of_it(which: str) -> None:
    for shared, status in (("", "proved"), ("/ 2", "refuted")):
        text = BUFFERS.replace("WHICH", which).replace("SHARED", shared)
        assert told(text, "write_race_free") == {status}, which


def test_what_a_constructor_does_that_braces_call_may_be_anything() -> None:
    text = """
    __device__ int g[4];
    struct L { int v; __device__ L(int n) : v(n) { g[n] = 1; __syncthreads(); } };
    struct M { L l; };
    // symcute: launch grid=1 block=64
    __global__ void k() { if (threadIdx.x < 7) { M m{100}; } }
    """
    for property in ("in_bounds", "write_race_free", "barrier_uniform"):
        assert told(text, property) == {"unknown"}


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ("float *p; p = s; p[threadIdx.x + BY] = 0;", "refuted"),
        ("float *p; if (n & 1) p = s; else p = r; p[threadIdx.x + BY] = 0;", "refuted"),
        ("float *p; switch (n) { case 1: p = s; break; default: p = r; } p[threadIdx.x + BY] = 0;",
         "refuted"),
        # Nobody knows what it points to.
        ("float *p; if (n > 1) n = 2; p[threadIdx.x + BY] = 0;", "unknown"),
        ("float *p, *q = p; q[threadIdx.x + BY] = 0;", "unknown"),
    ],
)  # fmt: skip
def test_pointers_that_are_set_later(body: str, status: str) -> None:
    text = """
    // symcute: launch grid=1 block=64
    __global__ void k(int n) { __shared__ float s[64], r[64]; BODY }
    """
    for by, wanted in (("1", status), ("0", "proved" if status == "refuted" else status)):
        assert told(text.replace("BODY", body).replace("BY", by)) == {wanted}, by


HOST = """
struct S { int v = 100; S() {} S(const S &o) : v(6) {} };
S give() { S s; return s; }
S pass(S q) { return q; }
struct I { int v = 6; I() { v = 100; } };
struct Heir : I { int z; Heir() : z(1) {} };
struct Holder { I i; int z; Holder() : z(1) {} };
struct G { int &r; ~G() { r = 100; } };
int take(G g) { g.r = 6; return 0; }
struct A { union { int a; float f; }; A(int n) : a(n) {} };
int far(int &x) { x = 100; return 6; }
struct First { int a = 6; int b; First(int n) : b(far(a)) {} };
__global__ void k(int m) { __shared__ int s[64]; if (threadIdx.x == 0) s[m] = 0; }
void f(int n) { BODY k<<<1, 32>>>(n); }
"""


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ("n = pass(S()).v;", "proved"),
        ("First q(3); n = q.b;", "proved"),
        ("First q(3); n = q.a;", "refuted"),
        # The copy may be left out; what a constructor or a destructor does is not followed.
        ("n = give().v;", "unknown"),
        ("S q = give(); n = q.v;", "unknown"),
        ("auto give = [] { S s; return s; }; n = give().v;", "unknown"),
        ("Heir q; n = q.v;", "unknown"),
        ("Holder q; n = q.i.v;", "unknown"),
        ("A q(6); n = q.a;", "unknown"),
        ("take(G{n});", "unknown"),
        ("{ G g{n}; n = 6; }", "unknown"),
    ],
)
def test_what_objects_begin_with_on_the_way_to_a_launch(body: str, status: str) -> None:
    assert told(HOST.replace("BODY", body)) == {status}
