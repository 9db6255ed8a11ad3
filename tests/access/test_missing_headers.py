"""Kernels of which something is not there: what cannot matter is passed over, nothing else is."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from symcute import check_kernel
from symcute.frontends.cuda import failing, read_kernels
from symcute.frontends.cuda.host.errors import Errors
from symcute.frontends.cuda.reading import read
from symcute.frontends.cuda.unit import Request
from symcute.frontends.cuda.words import macro_bodies
from symcute.kernel.ir.program import Kernel, NotUnderstood
from tests.full import some

HEAD = '#include "ours.h"\n#include <torch/extension.h>\n'


def reason(text: str, **options: Any) -> str | None:
    """Return why nothing is known of the kernel `k`, or None where it is read."""
    return why(read_kernels(HEAD + text, **options).kernels["k"])


def why(kernel: Kernel) -> str | None:
    whole = [s.reason for s in kernel.body if isinstance(s, NotUnderstood)]
    assert not whole or len(kernel.body) == 1
    return whole[0] if whole else None


KERNEL = "__global__ void k(int *a, int n) { int i = threadIdx.x; BODY }\n"


def test_headers_that_are_not_there_are_named() -> None:
    source = read_kernels(HEAD + KERNEL.replace("BODY", "a[i] = 0;"))
    assert source.missing == ("ours.h", "torch/extension.h")


def test_what_is_taken_for_granted_of_them_is_said() -> None:
    text = KERNEL.replace("BODY", "if (i < n) a[i] = 0;")
    given: Any = {"launch": "grid=1 block=32", "extents": {"a": "n"}}
    for head, said in ((HEAD, True), ("", False)):
        found = check_kernel(head + text, **given)
        proved = [f for f in found if f.status == "proved"]
        assert len(proved) > 3
        assert all(any("ours.h" in r for r in f.rests_on) == said for f in proved)


@pytest.mark.parametrize(
    "text",
    [
        KERNEL.replace("BODY", "if (i < n) a[i] = 0;"),
        # What host code does with what is missing.
        KERNEL.replace("BODY", "a[i] = 0;")
        + "torch::Tensor f(torch::Tensor x) { AT_DISPATCH(x, [&] { k<<<1, 1>>>(x); }); }\n"
        + "PYBIND11_MODULE(M, m) { m.def(f); }\nTORCH_LIBRARY(a, b) { b.impl(f); }\n",
        # Macros between declarations.
        "OURS_BEGIN(begin)\n;" + KERNEL.replace("BODY", "a[i] = 0;") + "REGISTER(k, float);\n",
        # A function that the kernel does not call.
        "__device__ Ours g(int i) { return {i}; }\n" + KERNEL.replace("BODY", "a[i] = 0;"),
        # What is asked about is known: a guard of a header's, reserved names, what is defined.
        "#ifdef __CUDA_ARCH__\n" + KERNEL.replace("BODY", "a[i] = 0;") + "#endif\n",
        "#define FAST 1\n" + KERNEL.replace("BODY", "\n#if FAST\na[i] = 0;\n#endif\n"),
        "#ifdef AT_MOST\nint j;\n#endif\n" + KERNEL.replace("BODY", "a[i] = 0;"),
    ],
)
def test_what_does_not_matter(text: str) -> None:
    assert reason(text) is None


@pytest.mark.parametrize(
    ("body", "name"),
    some(
        [
            # Clang drops what it does not know, and what stands beside it.
            ("GUARD(i < n) a[i] = 0;", "GUARD"),
            ("GUARD(i, n); a[i] = 0;", "GUARD"),
            ("a[i] = 0; SYNC; a[i + 1] = 0;", "SYNC"),
            ("a[i] = 0; SYNC() a[i + 1] = 0;", "SYNC"),
            ("STORE(a, i);", "STORE"),
            ("if (i < LIMIT) a[i] = 0;", "LIMIT"),
            ("if (GUARD(i)) return; a[i] = 0;", "GUARD"),
            ("FOR(j, n) a[j] = 0;", "'j'"),
            ("for (int j = 0; j < COUNT; j++) a[j] = 0;", "COUNT"),
            ("UNROLL for (int j = 0; j < n; j++) a[j] = 0;", "UNROLL"),
            # A declaration that is dropped leaves another of its name.
            ("{ Ours i = f(); a[i] = 0; }", "Ours"),
            ("{ Ours<int> i(3); a[i] = 0; }", "Ours"),
            ("{ ours::T i(3); a[i] = 0; }", "ours"),
            ("{ typename Ours::T i = 3; a[i] = 0; }", "Ours"),
            ("for (Ours i = 0; i < n; i++) a[i] = 0;", "Ours"),
            ("auto f = [&](Ours i) { a[i] = 0; }; f(i);", "Ours"),
            ("a[static_cast<Ours>(i)] = 0;", "Ours"),
            ("a[sizeof(Ours)] = 0;", "Ours"),
            ("__shared__ Ours s[32]; a[i] = sizeof(s);", "Ours"),
            ("ours::wait(); a[i] = 0;", "ours"),
            ("a[i] = ours(i); __syncthreads(); a[0] = 1;", "ours"),
            ("using namespace ours; a[i] = 0;", "ours"),
            ("using T = Ours; T j = i; a[j] = 0;", "Ours"),
            ("[[ours::inline]] ours_attribute a[i] = 0;", "ours_attribute"),
            ('#include "body.inc"\n a[i] = 0;', "body.inc"),
            ("switch (i) { case OURS: a[i] = 0; }", "OURS"),
        ],
        3,
    ),
)
def test_what_a_body_lacks_is_named(body: str, name: str) -> None:
    body = body if body[0] != "#" else "\n" + body
    found = reason(KERNEL.replace("BODY", body))
    assert found is not None and name in found


@pytest.mark.parametrize(
    ("before", "body"),
    some([
        # The better function is lost: the one that is left would be called.
        ("__device__ int f(long v) { return 0; }\n__device__ int f(int v, Ours = 0) { return 9; }",
         "a[f(i)] = 0;"),
        ("__device__ int f(long v) { return 0; }\nOurs f(int v) { return 9; }", "a[f(i)] = 0;"),
        ("__device__ int f(long v) { return 0; }\nOURS_INLINE int f(int v) { return 9; }",
         "a[f(i)] = 0;"),
        ("namespace n { __device__ int f(long v) { return 0; }\n OURS int f(int v) { return 9; } }",
         "a[n::f(i)] = 0;"),
        # The method that would be called is one that cannot be read.
        ("struct S { __device__ int f(long) { return 0; } __device__ int f(Ours) { return 9; } };",
         "S s; a[s.f(i)] = 0;"),
        # A specialisation is lost.
        ("template <class T> struct S { enum { N = 0 }; };\ntemplate <> struct S<Ours> { };\n",
         "a[S<int>::N] = 0;"),
        ("template <class T> struct S { enum { N = 0 }; };\n"
         "template <class T> struct S<ours<T>> { enum { N = 9 }; };", "a[S<int>::N] = 0;"),
        # An operator is lost.
        ("struct V { int x; __device__ operator int() const { return 0; } };\n"
         "OURS_INLINE V operator+(V a, V b) { return V{9}; }", "V v{i}; a[v + v] = 0;"),
        # A name of our own headers is given another meaning.
        ("OURS_INLINE int min(int a, long b) { return 9; }", "a[min(i, 3l)] = 0;"),
        # Values and types that are not what they seem.
        ("static const int C = OURS;", "a[C] = 0;"),
        ("__device__ Ours v;", "a[v] = 0;"),
        ("typedef Ours T;", "T t = i; a[t] = 0;"),
        ("using T = Ours;", "T t = i; a[t] = 0;"),
        ("enum { C = OURS };", "a[C] = 0;"),
        ("struct S { int a; Ours b; int c; };\n__device__ S s[2];", "a[i] = s[1].c;"),
        ("struct S : Ours { int c; };\n__device__ S s[2];", "a[i] = s[1].c;"),
        ("template <class T, int N = OURS> struct S { T v[N]; };", "S<int> s; a[sizeof(s)] = 0;"),
        # Macros hide it.
        ("#define CHECK OURS(i)\n", "CHECK a[i] = 0;"),
        ("__device__ Ours v;\n#define V v\n#define W V", "a[W] = 0;"),
    ], 3),
)  # fmt: skip
def test_what_a_declaration_lacks_reaches_those_that_name_it(before: str, body: str) -> None:
    other = KERNEL.replace("k(", "other(").replace("BODY", "a[i] = 0;")
    both = read_kernels(f"{HEAD}{before}\n{KERNEL.replace('BODY', body)}{other}").kernels
    assert why(both["k"]) is not None
    # Another kernel is none the worse for it, unless it is not known where operators are.
    assert "operator" in before or why(both["other"]) is None


@pytest.mark.parametrize(
    "text",
    some([
        KERNEL.replace("BODY", "\n#ifdef OURS_SYNC\n__syncthreads();\n#endif\na[i] = 0;"),
        KERNEL.replace("BODY", "\n#if OURS_SIZE > 3\nif (i < n)\n#endif\na[i] = 0;"),
        KERNEL.replace("BODY", "\n#ifndef OURS_FAST\nif (i < n)\n#endif\na[i] = 0;"),
        KERNEL.replace("BODY", "\n#if 0\n#elif defined(OURS)\nreturn;\n#endif\na[i] = 0;"),
        "#ifndef TILE\n#define TILE 16\n#endif\n" + KERNEL.replace("BODY", "a[i * TILE] = 0;"),
        "#define TILE 8\n#if OURS\n#undef TILE\n#define TILE 16\n#endif\n"
        + KERNEL.replace("BODY", "a[i * TILE] = 0;"),
        "__device__ int f(long v) { return 0; }\n#if OURS\n__device__ int f(int v) { return 9; }\n"
        "#endif\n" + KERNEL.replace("BODY", "a[f(i)] = 0;"),
        "struct S { int b;\n#ifdef OURS\nint d;\n#endif\nint c; };\n__device__ S s[2];\n"
        + KERNEL.replace("BODY", "a[i] = s[1].c;"),
        "#ifdef OURS\n" + KERNEL.replace("BODY", "a[i] = 1;") + "#else\n"
        + KERNEL.replace("BODY", "a[i] = 0;") + "#endif\n",
    ], 3),
)  # fmt: skip
def test_what_hangs_on_a_macro_of_a_missing_header(text: str) -> None:
    found = reason(text)
    assert found is not None and "ours.h" in found
    (name,) = {
        n for n in ("OURS_SYNC", "OURS_SIZE", "OURS_FAST", "OURS", "TILE") if f" {n}," in found
    }
    # Where it is given it is known, and where all headers are there nothing else defines it.
    assert reason(text, defines={name: 4}) is None
    kernel = read_kernels(text).kernels["k"]
    assert not any(isinstance(s, NotUnderstood) for s in kernel.body)


def test_a_header_that_is_there_is_read(tmp_path: Path) -> None:
    (tmp_path / "ours.h").write_text("#pragma once\n#include <gone.h>\n#define LIMIT n\n")
    file = tmp_path / "k.cu"
    file.write_text(HEAD + KERNEL.replace("BODY", "if (i < LIMIT) a[i] = 0;"))
    source = read_kernels(file)
    assert set(source.missing) == {"torch/extension.h", "gone.h"}
    assert not any(isinstance(s, NotUnderstood) for s in source.kernels["k"].body)


def test_kernels_that_clang_loses_are_named() -> None:
    text = """
OURS_BEGIN
__global__ void first(int *a) { a[0] = 1; }
__global__ OURS_ATTRIBUTE void second(int *a) { a[0] = 1; }
__global__ void __launch_bounds__(32) third(Ours *a) { a[0] = 1; }
template <class T> __global__ void fourth(T *a, ours::Tensor t) { a[0] = 1; }
extern "C" __global__ void OURS_CALL fifth(int *a) { a[0] = 1; }
__global__ void last(int *a) { a[0] = 1; }
#define MADE(name) __global__ void name(int *a) { a[0] = 1; }
// __global__ void comment(int *a) {}
"""
    names = ["first", "second", "third", "fourth<T>", "fifth", "last"]
    kernels = read_kernels(HEAD + text).kernels
    assert sorted(kernels) == sorted(names)
    for name in names[:-1]:
        (only,) = kernels[name].body
        assert isinstance(only, NotUnderstood), name
    assert kernels["last"].params
    assert list(read_kernels(HEAD + text, name="first").kernels) == ["first"]


def test_templates_are_made_behind_a_missing_header() -> None:
    """Behind what clang calls fatal, nothing would be made of a template, and nothing said."""
    text = """
template <class T> __device__ void f(T *a, int i) { a[i] = T(); }
__global__ void k(int *a) { ours(); }
__global__ void l(int *a) { f(a, 3); }
"""
    kernel = read_kernels(HEAD + text).kernels["l"]
    assert kernel.body and not any(isinstance(s, NotUnderstood) for s in kernel.body)


def test_overloads_are_kernels_of_their_own() -> None:
    text = """
__global__ void k(int *a) { a[0] = 1; }
__global__ void k(float *a) { a[0] = 1; }
template <class T> __global__ void t(T *a) { a[0] = 1; }
template <int N> __global__ void t(int *a) { a[N] = 1; }
"""
    found = read_kernels(text).kernels
    assert len(found) == 4 and {"k", "k(float *)"} <= set(found)


INDEXED = """#include <ATen/cuda/detail/IndexUtils.cuh>
#include <ATen/cuda/detail/TensorInfo.cuh>
using Info = at::cuda::detail::TensorInfo<float, int>;
// symcute: launch grid=(1) block=(64)
// symcute: extent x = n
__global__ void k(float *x, Info info, int n) {
  int i = threadIdx.x;
  int offset = at::cuda::detail::IndexToOffset<float, int, DIMS>::get(i, info);
  if (i < n) x[AT] = offset;
}
"""


@pytest.mark.parametrize("dims", some(["-1", "1", "3"], 3, 2))
def test_an_offset_of_a_tensor_with_any_strides(dims: str) -> None:
    text = INDEXED.replace("DIMS", dims)
    right = check_kernel(text.replace("AT]", "i]"), properties=("write_race_free",))
    assert right.status == "proved"
    wrong = check_kernel(text.replace("AT]", "offset]"), properties=("in_bounds",))
    assert wrong.status in ("refuted", "unknown")
    wrong = check_kernel(text.replace("AT]", "offset]"), properties=("write_race_free",))
    assert wrong.status in ("refuted", "unknown")
    if dims != "-1":
        found = check_kernel(text.replace("AT]", "i]"), properties=("in_bounds",))
        assert found.status == "proved"


@pytest.mark.full
def test_narrow_types_of_PyTorch_compute() -> None:
    text = """#include <ATen/ATen.h>
    // symcute: launch grid=(1) block=(64)
    // symcute: extent x = 64
    // symcute: extent y = 1
    __global__ void k(at::Half *x, at::BFloat16 *y, int n) {
      int i = threadIdx.x + (x[0] == x[1] ? OFF : 0);
      at::Half h = (x[i % 64] + x[0]) * x[1] / std::numeric_limits<at::Half>::max();
      __half nvidias = h;
      float f = h / 2.0f + (h > 0.5f ? 1.0f : (float)(h * 2)) - (1 < h) + (float)(h - h);
      f += -h == h;
      double d = 2.0 * h; h = f; h = 3 * h; if (h) y[0] = h / d;
      x[i] = nvidias;
    }
    """
    found = check_kernel(text.replace("OFF", "0"), properties=("in_bounds",))
    assert found.status == "proved"
    found = check_kernel(text.replace("OFF", "1"), properties=("in_bounds",))
    assert found.status in ("refuted", "unknown")


def test_errors_behind_a_line_that_includes_concern_who_leads_there() -> None:
    """What a template of ours cannot be made for is at the kernel, not where it is included."""
    text = KERNEL.replace("BODY", "S s = at::numeric_limits<S>::lower_bound(); a[s.i] = 0;")
    said = reason("struct S { int i; };\n" + text)
    assert said is not None and "numeric_limits<S>" in said
    assert reason(text.replace("<S>", "<int>").replace("S s", "int s").replace("s.i", "s")) is None


def test_what_macros_speak_of_is_looked_up_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """However many functions ask for it, and all words where clang does not know which."""
    macros = "#ifdef OURS\n#define SIZE 32\n#else\n#define SIZE 64\n#endif\n"
    kernel = macros + KERNEL.replace("BODY", "if (i < n) a[i] = SIZE;")
    host = "void h@(int *a, int n) { ours(&n); k<<<1, 32>>>(a, n); }\n"
    behind, looked, written = Errors._written, list[str](), list[frozenset[str] | None]()

    def bodies(text: str) -> Any:
        looked.append(text)
        return macro_bodies(text)

    def told(self: Errors, words: set[str] | None) -> set[str]:
        written.append(None if words is None else frozenset(words))
        return behind(self, words)

    monkeypatch.setattr(failing, "macro_bodies", bodies)
    monkeypatch.setattr(Errors, "_written", told)
    counts = []
    for hosts in (1, 6):
        looked.clear()
        written.clear()
        text = (
            HEAD
            + kernel
            + "void ours(int *);\n"
            + "".join(host.replace("@", str(n)) for n in range(hosts))
        )
        assert len(read(Request("mine.cu", text))[0]["k"].families) == hosts
        assert 0 < len(written) == len({*written})
        counts.append(sum("OURS" in x for x in looked))
    assert counts == [1, 1]
