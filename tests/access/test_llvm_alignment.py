"""How copies are to be aligned, of which clang says less than their type asks (through LLVM)."""

from __future__ import annotations

import pytest

from symcute.frontends.llvm import compiling
from symcute.frontends.llvm.source import read_through_llvm
from symcute.kernel.checking import check
from symcute.kernel.findings import verdict_of
from symcute.kernel.ir.verify import verified
from symcute.kernel.launch.notes import read_setting

#: Statements with what they need of the alignment of pointers; here it is 4, or more than enough.
TYPES = """
struct P { float x, y; };
struct T { float a; P p; };
struct V { float v[4]; };
struct alignas(8) W { float x, y; };
struct B { char c[32]; };
struct Q { float x, y, z, w; };
struct L { P p; float4 f; };
struct alignas(16) D : P {};
__device__ float4 got(const float *p) { return *(const float4 *)p; }
__device__ void set(float *p, float4 v) { *(float4 *)p = v; }
__device__ float2 read(const P *p) { return *(const float2 *)&p->x; }
__device__ void put(const P &p, float2 v) { *(float2 *)&p.x = v; }
"""
#: Whoever reads or writes so goes to an address that is 4 or 20 bytes behind a multiple of 16.
WRONG = """
float2 v = *(const float2 *)&t[i].p.x; o[i] = v.x;
float2 v = *(const float2 *)(const void *)&t[i].p.x; o[i] = v.x;
float2 v; v = *(float2 *)&t[i].p; o[i] = v.y;
const float2 &v = *(float2 *)&t[i].p.x; float2 w = v; o[i] = w.x;
float a[2]; *(float2 *)a = *(float2 *)&t[i].p.x; o[i] = a[0];
P a; *(float2 *)&a = *(float2 *)&t[i].p.x; o[i] = a.x;
P a; *(float2 *)&a.x = *(float2 *)&t[i].p.x; o[i] = a.x;
o[i] = read(&t[i].p).x;
put(t[i].p, make_float2(1, 2));
*(float2 *)&t[i].p.x = float2{};
*(float2 *)&t[i].p.x = *(float2 *)&t[i + 2].p.x;
*(W *)&t[i].p = W{1, 2};
float a[4]; *(float4 *)a = *(const float4 *)&x[4 * i + 1]; o[i] = a[3];
V a; *(float4 *)a.v = *(const float4 *)&x[4 * i + 1]; o[i] = a.v[3];
float a[4] = {}; *(float4 *)&x[4 * i + 1] = *(float4 *)a;
float a[4] = {}; *(float4 *)&s[4 * i + 1] = *(float4 *)a; o[i] = s[i];
*(float4 *)&s[4 * i + 1] = *(const float4 *)&x[4 * i]; o[i] = s[i];
float4 v = *(float4 *)&s[4 * i + 1]; o[i] = v.x;
V a; *(float4 *)a.v = *(float4 *)&s[4 * i + 1]; o[i] = a.v[0];
float a[4]; float4 *q = (float4 *)a; *q = *(float4 *)&t[i].a; o[i] = a[0];
char a[8]; *(float2 *)a = *(float2 *)&b[i].c[3]; o[i] = a[0];
*(float2 *)&b[i].c[4] = *(float2 *)&b[i + 1].c[4];
W v[2] = {{1, 2}, *(W *)&t[i].p}; o[i] = v[1].x;
float a[5]; *(float4 *)(a + 1) = *(const float4 *)&x[4 * i]; o[i] = a[1];
float a[4]; set(a, got(&x[4 * i])); o[i] = a[1];
float a[8] = {}; set(&x[4 * i], got(a + 4));
float a[8] = {}; float4 v = *(float4 *)a; o[i] = v.x;
float a[8] = {}; *(float4 *)a = float4{1, 2}; o[i] = a[1];
float a[8] = {}; set(a + 4, float4{1, 2}); o[i] = a[5];
float a[8] = {}; float4 *q = (float4 *)a; q[0] = q[1]; o[i] = a[1];
alignas(16) float a[12] = {}; float4 v = got(&a[4 * (i & 1) + 1]); o[i] = v.x;
char a[8] = {}; *(int *)a = 3; o[i] = a[1];
"""
#: These ask for no more than is there.
RIGHT = """
P v = p[i]; p[i + 64] = v;
p[i + 64] = p[i];
P v; v = p[i]; o[i] = v.x;
T v = t[i]; o[i] = v.p.y;
V v = ((V *)x)[i]; o[i] = v.v[1];
W v = ((W *)x)[i]; ((W *)x)[i + 64] = v;
float2 v = *(const float2 *)&x[2 * i]; o[i] = v.x;
float4 v = *(const float4 *)&x[4 * i]; *(float4 *)&s[4 * i] = v; o[i] = s[i];
*(float4 *)&s[4 * i] = *(const float4 *)&x[4 * i]; o[i] = s[i];
float4 v = *(float4 *)&s[4 * i]; o[i] = v.x;
P v; memcpy(&v, &t[i].p, 8); o[i] = v.x;
float2 v; memcpy(&v, &t[i].p, 8); o[i] = v.x;
memcpy(&x[4 * i + 1], &t[i], 12);
alignas(16) float a[12] = {}; float4 v = got(&a[4 * (i & 1)]); o[i] = v.x;
float4 v[2]; v[i & 1] = *(float4 *)&x[4 * i]; *(float4 *)&s[4 * i] = v[i & 1]; o[i] = s[i];
Q v = *(Q *)&x[4 * i + 1]; *(Q *)&x[4 * i + 3] = v;
struct { short s; int b : 7; } f; f.s = 1; f.b = 5; o[i] = f.b;
struct { char s; int b : 24; } f; f.s = 1; f.b = 5; o[i] = f.b;
"""
#: These as well, but what is copied is a member, or lies at more alignment than it asks for, and
#: clang does not say whether it is copied as what it is.
OPEN = """
P v = t[i].p; o[i] = v.x;
t[i + 64].p = t[i].p;
__shared__ L l[8]; l[i & 7].f.x = 1; P v = l[i & 7].p; o[i] = v.x;
L l[3]; l[i & 1].f.x = 1; P v = l[i & 1].p; o[i] = v.x;
__shared__ alignas(16) Q q[64]; __shared__ Q r[64]; q[i].x = 0; r[i] = q[i];
__shared__ alignas(16) Q q; q = *(Q *)&x[4 * i + 1];
__shared__ D d[8]; d[i & 7].x = 1; P v = d[i & 7]; o[i] = v.x;
"""


def cases(text: str) -> list[str]:
    return text.strip().split("\n")


@pytest.fixture(scope="module")
def said() -> dict[str, str]:
    return of_aligned(cases(WRONG) + cases(RIGHT) + cases(OPEN))


def of_aligned(every: list[str], types: str = TYPES) -> dict[str, str]:
    """Return what is said of `aligned` of each statement."""
    head = "float *x, float *o, P *p, T *t, B *b"
    kernels = [
        f"// symcute: launch grid=(1) block=(64)\n__global__ void k{n}({head}) {{"
        f" __shared__ alignas(16) float s[264]; int i = threadIdx.x; {statement} }}"
        for n, statement in enumerate(every)
    ]
    read = read_through_llvm(types + "\n".join(kernels)).kernels
    found: dict[str, str] = {}
    for n, statement in enumerate(every):
        kernel = verified(read[f"k{n}"])
        found[statement] = verdict_of(check(kernel, read_setting(kernel), ("aligned",)))["aligned"]
    return found


@pytest.mark.parametrize("statement", cases(WRONG))
def test_a_copy_of_what_may_not_be_aligned_is_not_proved(
    statement: str, said: dict[str, str]
) -> None:
    assert said[statement] in ("refuted", "unknown")


@pytest.mark.parametrize("statement", cases(RIGHT))
def test_a_copy_that_is_aligned_as_its_type_is_proved(statement: str, said: dict[str, str]) -> None:
    assert said[statement] in ("proved", "not applicable")


@pytest.mark.parametrize("statement", cases(OPEN))
def test_a_copy_of_a_member_is_not_refuted(statement: str, said: dict[str, str]) -> None:
    assert said[statement] == "unknown"


# --- files in which nothing is cast ---------------------------------------------------------------


def test_where_nothing_is_cast_a_copy_asks_for_no_more_than_is_known(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """As in NVIDIA's headers of tuples: what is copied there is what the members are."""
    monkeypatch.setattr(compiling, "known", lambda key: None)
    monkeypatch.setattr(compiling, "keep", lambda key, parts: None)
    monkeypatch.setattr(compiling, "_uncast", lambda seen, headers: frozenset({"kernel.cu"}))
    types = "".join(x for x in TYPES.splitlines(True) if x.startswith("struct"))
    said = of_aligned([x for x in cases(OPEN) if "*)" not in x], types)
    assert len(said) == 6 and set(said.values()) <= {"proved", "not applicable"}, said


@pytest.mark.parametrize(
    ("text", "cast"),
    [
        ("auto f(T &&t) { return F<T>{static_cast<T&&>(t), a * (b), a && (c)}.val_; }", False),
        ("float4 v = (float4 &&)x;", True),
        ("float4 v = *(float4 *)&x[0];", True),
        ("float4 v = *(float4 const *)&x[0];", True),
        ("float4 v = *(float4 *const)&x[0];", True),
        ("float4 v = (float4 &)x;", True),
        ("float4 v = reinterpret_cast<float4&>(x);", True),
        ("float4 v = *reinterpret_cast<float4*>(&x);", True),
    ],
)  # fmt: skip
def test_a_file_that_casts_is_told_from_others(text: str, cast: bool) -> None:
    seen = f'# 1 "/nv/a.hpp"\n{text}\n# 1 "/nv/b.hpp" 1\nint y;\n# 1 "/me/k.cu"\nint z;\n'
    assert compiling._uncast(seen, ("/nv",)) == {"/nv/b.hpp"} | (set() if cast else {"/nv/a.hpp"})
