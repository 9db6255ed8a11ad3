"""Which kernels are read, what is said of them, and what is refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from symcute.frontends import Source, SourceError
from symcute.frontends.cuda import read_kernels
from symcute.kernel.ir.document import from_json, to_json
from symcute.kernel.ir.expression import Base
from symcute.kernel.ir.inside import every
from symcute.kernel.ir.place import Place
from symcute.kernel.ir.program import Array, Int, Load, NotUnderstood, Store
from tests.access.lowered import HEAD, kernel, program, unsupported

TEMPLATES = """
namespace lib { template <class T, int N> __global__ void k(T *p, int n) { p[n % N] = T(0); } }
// symcute: template N=4
template <int N> __global__ void __launch_bounds__(N * 2) noted(float *p) { p[N] = 0; }
template <int N = 3> __global__ void plain(float *p) { p[N] = 0; }
void host() { lib::k<float, 3><<<1, 32>>>(nullptr, 4); }
"""


# --- which kernels --------------------------------------------------------------------------------


def test_kernels_and_the_instances_that_a_file_asks_for() -> None:
    assert list(read_kernels(TEMPLATES).kernels) == ["lib::k<float, 3>", "noted<4>", "plain<>"]


@pytest.mark.parametrize(
    ("name", "args", "found", "offset"),
    [
        ("lib::k<double,7>", {}, "lib::k<double,7>", None),
        ("noted<9>", {}, "noted<9>", "36"),
        ("plain", {"N": 5}, "plain<5>", "20"),
        ("noted", {"N": 6}, "noted<6>", "24"),
    ],
)
def test_templates_are_made_as_asked(
    name: str, args: dict[str, object], found: str, offset: str | None
) -> None:
    source = read_kernels(TEMPLATES, name=name, template_args=args)
    assert list(source.kernels) == [found]
    store: Any
    (store,) = [s for s in every(source.kernels[found].body) if isinstance(s, Store)]
    if offset is None:
        assert store.width == 8
    else:
        assert int(offset) == store.pointer.index.value * 4


def test_an_explicit_instance_and_a_default_argument() -> None:
    text = "template <int N = 3> __global__ void k(int *x) { x[N] = 0; }\n"
    assert list(read_kernels(text, name="k<>").kernels) == ["k<>"]


@pytest.mark.parametrize(
    ("text", "name", "what", "fix"),
    [
        ("__global__ void abc(int *x) { x[0] = 1; }", "abd", "no kernel abd", "kernels here: abc"),
        ("void f() {}\nint x;", "k", "no kernel k", "a kernel is a function with __global__"),
        (TEMPLATES, "plain", "a template over N", "give its arguments"),
        (TEMPLATES, "noted<float>", "noted<float>", "see the template"),
    ],
)
def test_what_cannot_be_read_is_refused(text: str, name: str | None, what: str, fix: str) -> None:
    with pytest.raises(SourceError) as caught:
        read_kernels(text + "\n", name=name)
    assert what in caught.value.what
    assert fix in caught.value.fix


def lost(text: str, name: str = "k") -> NotUnderstood | None:
    """Return why nothing is known of a kernel, or None where it is read."""
    whole = None
    for asked in (None, name):
        body = read_kernels(text + "\n", name=asked).kernels[name].body
        whole = body[0] if len(body) == 1 and isinstance(body[0], NotUnderstood) else None
        if whole is None:
            break
        assert whole.variables is None and whole.arrays is None and whole.barrier
    return whole


@pytest.mark.parametrize(
    ("text", "what", "line"),
    [
        ("__global__ void k(int *x) { x[0] = y; }", "undeclared identifier 'y'", 1),
        ("typedef nothing t;\n__global__ void k(t *x) { *x = 0; }", "'nothing'", 1),
        ("struct S { none a; int b; };\n__global__ void k(S *x) { x->b = 0; }", "'none'", 1),
        ("typedef struct { no a; int b; } S;\n__global__ void k(S *x) { x->b = 0; }", "'no'", 1),
        ("struct { no a; int b; } __device__ v;\n__global__ void k() { v.b = 0; }", "'no'", 1),
        ("#error no\n__global__ void k(int *x) { x[1] = 0; }", "no", 1),
        ("__global__ void k(float *x { x[0] = 1; }", "expected ')'", 1),
    ],
)
def test_a_kernel_with_an_error_is_not_understood(text: str, what: str, line: int) -> None:
    found = lost(text)
    assert found is not None
    assert what in found.reason
    assert found.place.line == line
    more = read_kernels(text + "\n__global__ void other(int *x) { x[0] = 1; }\n").kernels
    assert {"k", "other"} == set(more)


def test_an_error_in_a_template_that_a_kernel_uses() -> None:
    text = """
template <class T> struct S { nothing a; T b; };
template <class T> __device__ void f(T *x) { x[missing] = 0; }
"""
    for use in ("S<int> s; x[s.b] = 0;", "f(x);"):
        assert lost(text + f"__global__ void k(int *x) {{ {use} }}")
    assert not lost(text + "__global__ void k(int *x) { x[0] = 0; }")


def test_an_error_in_a_definition_that_stands_elsewhere() -> None:
    text = """
struct S { __device__ int get(); int b; };
__device__ int f(int v);
template <class T> __device__ T g(T v);
__global__ void k(int *x) { S s; x[USE] = 0; }
__device__ int S::get() { return missing(); }
__device__ int f(int v) { missing(); return v; }
template <class T> __device__ T g(T v) { missing_too = 3; return v; }
"""
    for use in ("s.get()", "f(1)", "g(2)"):
        assert lost(text.replace("USE", use))
    assert not lost(text.replace("USE", "3"))


def test_an_error_in_a_method_that_is_not_called() -> None:
    text = """
struct S { void host() { missing(); } __device__ int on_device() { return BODY; } int b; };
__global__ void k(int *x) { S s; x[s.on_device()] = 0; }
"""
    assert not lost(text.replace("BODY", "3"))
    assert lost(text.replace("BODY", "missing()"))


def test_what_host_code_lacks_does_not_matter() -> None:
    text = """
#include <vector>
#include <thrust/device_vector.h>
int main() { std::vector<int> v; thrust::device_vector<int> d(v); k<<<1, 2>>>(d.data()); }
__global__ void k(int *x) { x[0] = 1; }
"""
    assert not lost(text)
    assert read_kernels(text).missing == ("thrust/device_vector.h",)


def test_a_file_that_is_not_there() -> None:
    with pytest.raises(SourceError, match=r"cannot read nowhere\.cu"):
        read_kernels(Path("nowhere.cu"))


def test_macros_that_explode_are_stopped() -> None:
    doubling = "\n".join(f"#define A{n} A{n - 1} A{n - 1}" for n in range(1, 40))
    text = f"#define A0 x[0] = 1;\n{doubling}\n__global__ void k(int *x) {{ A39 }}\n"
    with pytest.raises(SourceError):
        read_kernels(text, timeout=2)
    assert read_kernels("__global__ void k(int *x) { x[0] = 1; }").kernels


def test_nesting_without_end_is_refused() -> None:
    for inner in ("(" * 5000 + "1" + ")" * 5000, "-" + "-(" * 300 + "n" + ")" * 300):
        text = f"__global__ void k(int *x, int n) {{ x[0] = {inner}; }}\n"
        try:
            assert read_kernels(text).kernels
        except SourceError as error:
            assert error.what


def test_kernels_in_linkage_blocks_and_namespaces() -> None:
    text = """
extern "C" { __global__ void a(int *x) { x[0] = 1; } }
extern "C" __global__ void b(int *x);
namespace { __global__ void c(int *x) { x[0] = 1; } }
namespace n { namespace m { __global__ void d(int *x) { x[0] = 1; } } }
__device__ void e(int *x) { x[0] = 1; }
extern "C" __global__ void b(int *x) { e(x); }
"""
    assert list(read_kernels(text).kernels) == ["a", "c", "n::m::d", "b"]
    assert list(read_kernels(text, name="d").kernels) == ["n::m::d"]


def test_texture_references_and_a_long_switch() -> None:
    cases = "".join(f"case {n}: x[{n}] = 1; break; " for n in range(200))
    found = program(
        f"f[0] = tex2D(image, n, m); switch (n) {{ {cases} }}",
        "texture<float, 2, cudaReadModeElementType> image;",
    )
    assert not unsupported(found)
    assert sum(isinstance(s, Store) for s in every(found.body)) == 201


# --- what is said of them -------------------------------------------------------------------------


def test_notes_bounds_and_places(tmp_path: Path) -> None:
    text = """// symcute: assume n >= 1

#define BLOCK 128
int unused;
// symcute: launch grid=(n) block=(128)
// symcute: extent x = n
__global__ void __launch_bounds__(BLOCK * 2, 4) k(int *x, int n) {
  // symcute: invariant i <= n
  for (int i = 0; i < n; i++)
    x[i] = 0;
}
"""
    file = tmp_path / "noted.cu"
    file.write_text(text, encoding="utf-8")
    found = read_kernels(file).kernels["k"]
    assert [note for note, _ in found.notes] == [
        "assume n >= 1", "launch grid=(n) block=(128)", "extent x = n",
    ]  # fmt: skip
    assert found.notes[1][1] == Place(str(file), 5, 4)
    assert found.launch_bounds == 256
    (store,) = [s for s in every(found.body) if isinstance(s, Store)]
    assert store.place == Place(str(file), 10, 5)
    assert [s.invariants for s in found.body if hasattr(s, "invariants")] == [("i <= n",)]


def test_a_place_inside_our_headers_is_that_of_the_call() -> None:
    found = program("x[0] = __ldg(x + n);")
    (load,) = [s for s in every(found.body) if isinstance(s, Load)]
    assert (load.place.file, load.place.line) == ("kernel.cu", 2)


@pytest.mark.parametrize(
    ("declaration", "bytes", "alignment", "space"),
    [
        ("__shared__ float s[3][5]", 60, 4, "shared"),
        ("__shared__ __align__(16) float s[8]", 32, 16, "shared"),
        ("__shared__ alignas(128) char s[8]", 8, 128, "shared"),
        ("alignas(double) char s[8]", 8, 8, "private"),
        ("__shared__ __align__(sizeof(float4) * 2) char s[8]", 8, 32, "shared"),
        ("__shared__ __align__(WIDE) char s[8]", 8, 64, "shared"),
        ("__shared__ float4 s[2]", 32, 16, "shared"),
        ("extern __shared__ double s[]", None, 8, "shared"),
        ("short s[6]", 12, 2, "private"),
        ("__shared__ bool s[6]", 6, 1, "shared"),
    ],
)
def test_arrays(declaration: str, bytes: int | None, alignment: int, space: str) -> None:
    found = program(f"{declaration}; x[0] = sizeof(s[0]) + (s[1], 0);", "#define WIDE 64")
    (array,) = [a for a in found.arrays if a.name == "s"]
    assert (array.bytes, array.alignment, array.space) == (bytes, alignment, space)


def test_an_alignment_that_is_not_known_is_said() -> None:
    found = program(
        "__shared__ __align__(wide(2)) char s[8]; s[n] = 1;",
        "constexpr int wide(int n) { return 8 * n; }",
    )
    assert [(d.reason, d.arrays) for d in unsupported(found)] == [
        ("the alignment of s is not known", ("s",))
    ]


def test_names_of_dynamic_shared_memory_are_one_array() -> None:
    found = program(
        "extern __shared__ float p[]; p[n] = 0; g2(x);",
        "__device__ void g2(int *x) { extern __shared__ double q[]; q[1] = *x; }",
    )
    shared = [a for a in found.arrays if a.space == "shared"]
    assert [(a.bytes, a.alignment) for a in shared] == [(None, 8)]


def test_parameters_of_every_kind() -> None:
    text = """
struct P { int n; const float *data; struct { short a, b; } in; };
__global__ void k(P p, const float4 *__restrict__ v, double d, bool b, unsigned long long u,
                  int **rows, void *raw, cudaTextureObject_t t) {
  if (b) ((char *)raw)[p.in.b] = 0;
}
"""
    found = kernel(text)
    named = {p.name: (p.type if isinstance(p.type, Int) else p.array) for p in found.params}
    assert named == {
        "p_n": Int(32, True), "p_data": "p_data", "p_in_a": Int(16, True),
        "p_in_b": Int(16, True), "v": "v", "d": None, "b": Int(1, False),
        "u": Int(64, False), "rows": "rows", "raw": "raw", "t": Int(64, False),
    }  # fmt: skip
    arrays = {a.name: (a.element, a.alignment, a.integer) for a in found.arrays}
    assert arrays["v"] == (16, 16, None)
    assert arrays["rows"] == (8, 8, None)
    assert arrays["raw"] == (1, 1, None)


# --- what is not understood -----------------------------------------------------------------------


def the_unsupported(inside: str, before: str = "") -> NotUnderstood:
    found = unsupported(program(inside, before))
    assert len(found) == 1, found
    return found[0]


def test_a_function_that_is_not_here_touches_what_it_is_given() -> None:
    before = "__device__ int seen[4]; __device__ void g2(int *, int &, float *);"
    found = the_unsupported(
        "int i = n; int *p = n ? x : (int *)u; seen[0] = 1; g2(p, i, f + 1);", before
    )
    assert found.variables == ("i",)
    assert found.arrays is not None
    assert set(found.arrays) == {"x", "u", "f", "seen"}
    assert found.barrier


@pytest.mark.parametrize(
    "inside",
    [
        'asm volatile("bar.arrive 0, 32;" ::: "memory");',
        "x[0] = (*table[n])(3);",
        "top: n--; if (n) goto top;",
        "Many many; for (int v : many) x[v] = 0;",
        "delete x;",
        "x[0] = static_cast<Poly *>((void *)x)->f();",
        "switch (n) { case 0: if (m) { case 1: x[1] = 2; } }",
        "static int kept; x[kept++] = 1;",
        "Guard guard; x[0] = 1;",
        "try { x[0] = 1; } catch (...) {}",
    ],
)
def test_what_is_not_understood_is_said(inside: str) -> None:
    before = """
__device__ int one(int v) { return v; }
__device__ int (*table[2])(int);
struct Poly { __device__ virtual int f() { return 1; } };
struct Guard { __device__ ~Guard() { __syncthreads(); } };
struct Many { int v[2]; __device__ int *begin() { return v; } __device__ int *end(); };
"""
    found = unsupported(program(inside, before))
    assert found, inside
    assert {(d.place.file, d.place.line) for d in found} == {("kernel.cu", 8)}


def test_inline_assembly_in_registers_is_any_number() -> None:
    found = program('unsigned r; asm("mov.u32 %0, %%laneid;" : "=r"(r)); x[r] = 1;')
    assert not unsupported(found)


# --- documents and speed --------------------------------------------------------------------------


def test_programs_survive_json() -> None:
    found = program("for (int i = 0; i < n; i++) { if (x[i] > 3) break; atomicAdd(&x[i], 1); }")
    assert from_json(to_json(found)) == found
    assert isinstance(found.arrays[0], Array)
    assert Base("x") == from_json(["Base", "x", ["Pointer"]])


def test_a_source_without_kernels() -> None:
    host = read_kernels("int f() { return 1; }  // no __global__ here")
    assert isinstance(host, Source) and not host.kernels


def test_a_long_file_is_read_in_good_time() -> None:
    one = "  if (a > {n}) y[a % n] = a * {n};\n"
    body = "".join(one.format(n=n) for n in range(40))
    text = "".join(
        f"__global__ void k{k}(const int *x, int *y, int n) {{\n  int a = x[n + {k}];\n{body}}}\n"
        for k in range(60)
    )
    source = read_kernels(text)  # the reader's own limit is 60 s
    assert isinstance(source, Source)
    assert len(source.kernels) == 60


def test_head_is_what_the_helpers_say() -> None:
    assert [p.name for p in program("").params] == [
        p.split()[-1].strip("*") for p in HEAD.split(",")
    ]


@pytest.mark.parametrize(
    ("statement", "reads"),
    [
        ("*(volatile float *)(x + t);", 1),
        ("(void)*(volatile float *)(x + t);", 1),
        ("*(v + t), t;", 1),
        ("t, *(v + t);", 1),
        ("*v; (*(v + t));", 2),
        ("-*(v + t);", 1),
        ("v[t]; (v[t]); (void)v[t];", 3),
        ("volatile float &y = *(v + t); y;", 1),
        ("*(x + t); (void)x[t];", 0),
        ("&v[t]; &*(v + t);", 0),
        ("*(v + t) = 1;", 0),
    ],
)
def test_what_is_volatile_is_read_though_nobody_looks_at_it(statement: str, reads: int) -> None:
    text = f"__global__ void k(float *x, volatile float *v) {{ int t = threadIdx.x; {statement} }}"
    found = read_kernels(text).kernels["k"]
    assert sum(isinstance(s, Load) for s in every(found.body)) == reads
