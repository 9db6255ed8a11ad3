"""Functions that C++ calls where nothing in the text does: what they do is never passed over.

Each statement calls one that writes beyond an array, or in host code throws.
"""

from __future__ import annotations

import pytest

from tests.access.launched import told
from tests.full import some

#: `FAR(n)` is what is seen: a write far away, or an exception.
TYPES = """
IN int w(int n) { FAR(n); return n; }
struct D { int n; IN ~D() LOUD { FAR(n); } };
struct Dm { D d; }; struct Db : D { int z; };
struct C { int n; IN C(int n) : n(n) { FAR(n); } };
struct Cm { C c; }; struct Cb : C { int z; }; struct Cp { int a; C c; };
struct Cd { C c{100}; }; struct Cw { int n = w(100); }; struct Cu { union { int n = w(100); float f; }; };
struct C0 { int n; IN C0() { FAR(100); } };
struct C0m { C0 c; }; struct C0b : C0 { int z; }; struct C0a { C0 c[2]; };
struct Cc { int n; IN Cc(int n) : n(n) {} IN Cc(const Cc &o) : n(o.n) { FAR(n); } }; struct Ccm { Cc c; };
struct Ci { int n; IN operator int() const { FAR(n); return n; } };
struct Ca { int n; IN Ca &operator=(const Ca &o) { FAR(n); return *this; } }; struct Cam { Ca c; };
struct G { int a; }; struct Gb : G { IN Gb(int n) : G{w(n)} {} };
struct Gf : G { IN static G made(int n) { w(n); return {n}; } IN Gf(int n) : G(made(n)) {} };
struct L { int a; int b = w(a); }; struct Lm { L l; }; struct Lb : L { int z; };
struct It { int i; IN int operator*() { FAR(100); return i; } IN It &operator++() { ++i; return *this; }
  IN bool operator!=(const It &o) const { return i != o.i; } };
struct Range { IN It begin() { return {0}; } IN It end() { return {2}; } };
IN int take(C c) { return c.n; } IN int takes(const Cm &c) { return 1; }
IN C make(int n) { return n; } IN Cm makes(int n) { return {n}; } IN int given(C a = 100) { return a.n; }
"""  # noqa: E501
STATEMENTS = [
    s.strip()
    for s in """
D{100}; | D d{100}; | (void)D{100}; | int z = D{100}.n; | const D &r = D{100}; | Dm m{{100}}; |
Dm{{100}}; | Db b{{100}, 1}; | D a[2] = {{1}, {100}}; | if (D{100}.n) {} |
D *p = new D{100}; delete p; | C c(100); | C c = 100; | C c{100}; | C{100}; | C(100); |
C c[1] = {100}; | Cm m{100}; | Cm{{100}}; | Cm m[1] = {100}; | Cp p{1, 100}; |
Cp p = {.a = 1, .c = 100}; | Cd d; | Cd d{}; | Cd d[2]; | Cd d[1] = {}; | Cw d; | Cw d{}; |
Cw d[2]; | Cu u; | Cu u{}; | Cb b{100, 2}; | take(100); | take({100}); | takes({100}); |
make(100); | makes(100); | given(); | const C &c = 100; | const C &c{100}; |
const Cm &c = {100}; | for (const C &c : {100, 100}) {} | Cw *p = new Cw{}; |
auto l = []() -> Cm { return {100}; }; l(); | auto l = [c = Cm{100}] {}; |
std::pair<C, int> p{100, 2}; | std::array<C, 1> p{100}; | std::pair<Cw, int> p; |
std::array<Cw, 2> p; | std::array<Cw, 2> p{}; | C0 c; | C0 c{}; | C0 c[2]; | C0m m; | C0m m{}; |
C0m m[1] = {}; | C0b b; | C0b b{}; | C0b b{{}, 1}; | C0a a; | C0a a{}; | Cc a(100); Cc b = a; |
Cc a(100); Cc b{a}; | Cc a(100); Cc b[1] = {a}; | Ccm a{100}; Ccm b = a; | Ccm a{100}; Ccm b{a}; |
Cc a(100); Ccm b{a}; | Cc a(100); auto l = [a] {}; | Cc a(100); for (auto c : {a}) {} |
Ccm a{100}; auto [c] = a; | Ci v{100}; int z = v; | Ci v{100}; long z{v}; |
Ci v{100}; long a[1] = {v}; | Ci v{100}; G l{v}; | Ci v{100}; if (v) {} |
Ci v{100}; const long &z = v; | Ci v{100}; switch (v) { default:; } | Ca a{100}, b{1}; a = b; |
Ca a{100}; a = {1}; | Cam a{100}, b{1}; a = b; | for (int x : Range{}) {} | Gb b(100); |
Gf b(100); | L l{100}; | L l[1] = {{100}}; | Lm m{{100}}; | Lm m{100}; | Lb m{{100}}; |
Lb m{100, 2}; | L l = L{100}; | auto f = [](L l) {}; f({100}); |
auto f = []() -> L { return {100}; }; f();
""".replace("\n", " ").split("|")
]  # fmt: skip


KERNEL = """
#define IN __device__
#define LOUD
#define FAR(n) g[n] = 1
__device__ int g[4];
TYPES
// symcute: launch grid=1 block=1
__global__ void k() { BODY }
"""
HOST = """
#define IN
#define LOUD noexcept(false)
#define FAR(n) throw n
TYPES
__global__ void k(int n) { __shared__ int s[64]; if (threadIdx.x == 0) s[n] = 0; }
void f(int n) { { BODY } k<<<1, 32>>>(n); }
"""


def said(text: str, body: str) -> set[str]:
    """Return what is said of the bounds of each launch, with a statement in the text."""
    headers = "#include <array>\n#include <utility>\n"
    return told(headers + text.replace("TYPES", TYPES).replace("BODY", body))


@pytest.mark.parametrize("statement", some(STATEMENTS, 4))
def test_what_is_called_in_a_kernel_is_not_passed_over(statement: str) -> None:
    assert said(KERNEL, statement) in ({"refuted"}, {"unknown"})


@pytest.mark.parametrize("statement", some(STATEMENTS, 4, 1))
def test_a_launch_behind_what_throws_is_not_refuted(statement: str) -> None:
    assert "refuted" not in said(HOST, statement)


def test_what_calls_nothing_is_decided() -> None:
    for statement in (
        "G g{100};",
        "Lm *m = nullptr;",
        "int z = sizeof(C(100));",
        "D *d = nullptr;",
    ):
        assert said(KERNEL, statement) == {"not applicable"}
        assert said(HOST, statement) == {"refuted"}
