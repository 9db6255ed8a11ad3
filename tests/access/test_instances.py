"""Which instances of templates are read: what other files ask for, or one that is tried."""

from __future__ import annotations

from pathlib import Path

import pytest

from symcute import check_kernel
from symcute.errors import InputError
from symcute.frontends.cuda.requests import _function
from symcute.frontends.cuda.source import read_kernels
from symcute.kernel.ir.program import NotUnderstood

TEXT = """
template <class T, int N> __global__ void k(T *x, int n) {
  if (threadIdx.x < n) x[threadIdx.x + N] = 0;
}
template <class T, int N> void go(int n) {
  T *x; cudaMalloc(&x, n * sizeof(T)); k<T, N><<<1, 32>>>(x, n);
}
"""


@pytest.mark.parametrize(
    ("more", "names"),
    [
        ("template void go<float, 0>(int);", ["k<float, 0>"]),
        ("template void go<float, (2 > 1)>(int n);", ["k<float, 1>"]),
        ("template __global__ void k<short, 7>(short *, int);", ["k<short, 7>"]),
        ("template void go<float, 0>(int); template void go<int, 3>(int);",
         ["k<float, 0>", "k<int, 3>"]),
        ("#define ASK(T) template void go<T, 2>(int);\nASK(float) ASK(double)\n",
         ["k<double, 2>", "k<float, 2>"]),
        ("#define ASK(T, N) template void go<T, N>(int);\n#define ALL(T) ASK(T, 1) \\\n ASK(T, 4)\n"
         "ALL(float)\n", ["k<float, 1>", "k<float, 4>"]),
        ("namespace a { typedef short S; namespace b {\n"
         "template <class T> void call(int n) { go<T, 5>(n); }\ntemplate void call<S>(int); } }",
         ["k<short, 5>"]),
        ("/* template void go<int, 1>(int); */ template void go<float, 0>(int);", ["k<float, 0>"]),
    ],
)  # fmt: skip
def test_what_is_made_for_other_files_is_read(more: str, names: list[str]) -> None:
    found = read_kernels(TEXT + more).kernels
    assert sorted(found) == names
    for name, kernel in found.items():
        assert not kernel.granted
        assert len(kernel.families) == (name != "k<short, 7>")


def test_a_request_is_followed_to_its_launch() -> None:
    right = check_kernel(TEXT + "template void go<float, 0>(int);", properties=("in_bounds",))
    assert right.status == "proved"
    wrong = check_kernel(TEXT + "template void go<float, 1>(int);", properties=("in_bounds",))
    assert wrong.status == "refuted"


@pytest.mark.parametrize(
    "more",
    [
        "extern template void go<float, 4>(int);",
        "template void go(unknown_type, int);",
        "#define ASK(T) template void go<T, 1>(int);\n",
        "template <class T> void other(int n) { go<T, 1>(n); } template void other(T *);",
        "#define NAME go\n#define ASK(T) template void NAME<T##t, 1>(int);\nASK(floa)\n",
        "".join(f"template void go<int, {n}>(int); " for n in range(9)),
    ],
)
def test_a_request_that_is_not_made_is_said(more: str) -> None:
    found = read_kernels(TEXT + more + "\nvoid f(int n) { go<float, 0>(n); }").kernels
    assert "k<float, 0>" in found
    assert "k<instantiated>" in found


def test_a_file_of_requests_alone_makes_what_it_includes(tmp_path: Path) -> None:
    (tmp_path / "go.cuh").write_text(TEXT)
    file = tmp_path / "go.cu"
    file.write_text('#include "go.cuh"\ntemplate void go<float, 3>(int);\n')
    assert [*read_kernels(file).kernels] == ["k<float, 3>"]
    assert [*read_kernels(tmp_path / "go.cuh").kernels] == ["k<float, 3>"]


def test_what_one_request_lacks_does_not_hide_others() -> None:
    more = "template <class T> struct Only; template <> struct Only<float> { enum { n = 0 }; };"
    more += "template <class T> void pick(int n) { go<T, Only<T>::n>(n); }"
    more += "template void pick<int>(int); template void pick<float>(int);"
    found = read_kernels(TEXT + more).kernels
    assert set(found) == {"k<float, 0>", "k<instantiated>"}
    assert found["k<float, 0>"].families


@pytest.mark.parametrize(
    ("template", "name"),
    [
        ("template <class T, int N> __global__ void k(T *x) { x[N] = 0; }", "k<float, 32>"),
        ("template <int N> __global__ void k(float *x) { static_assert(N == 48 || N == 96, \"\");"
         " x[N] = 0; }", "k<48>"),
        ("template <int N> __global__ void k(float *x) { static_assert(N < 8, \"\"); x[N] = 0; }",
         "k<4>"),
        ("template <class T, int N> __global__ void k(T *x) { static_assert(sizeof(T) == 2, \"\");"
         " x[N] = 0; }", "k<__half, 32>"),
        ("enum class E { a = 3, b = 5 }; template <E e> __global__ void k(float *x) {"
         " x[(int)e] = 0; }", "k<static_cast<E>(3)>"),
        ("template <bool B, int N = 9> __global__ void k(float *x) { x[N] = B; }", "k<false>"),
    ],
)  # fmt: skip
def test_an_instance_is_tried_where_nothing_makes_one(template: str, name: str) -> None:
    found = read_kernels(template).kernels
    assert list(found) == [name]
    assert "of this one alone" in found[name].granted[0]
    # What is told of it is told of none that the source makes.
    made = read_kernels(template + f"\nvoid f() {{ {name}<<<1, 1>>>(nullptr); }}").kernels
    assert all(not kernel.granted for kernel in made.values())


def test_a_proof_of_a_tried_instance_says_so() -> None:
    text = """
    // symcute: launch grid=(1) block=(32)
    // symcute: extent x = 64
    template <int N> __global__ void k(float *x) { x[threadIdx.x + (N == 33) * 64] = 0; }
    """
    found = check_kernel(text.replace("N == 33", "N - 32"), properties=("in_bounds",))
    assert [f.status for f in found] == ["proved"]
    assert any("of this one alone" in r for f in found for r in f.rests_on)
    # A number that the text compares with is the one that is tried.
    assert check_kernel(text, properties=("in_bounds",)).status == "refuted"


def test_no_instance_is_tried_of_what_is_no_number_or_type() -> None:
    found = read_kernels("template <template <class> class C>\n__global__ void k(C<int> *x) {}")
    assert list(found.kernels) == ["k<C>"]


def _status(text: str, kernel: str) -> str:
    found = check_kernel(text, properties=("in_bounds",))
    (status,) = {f.status for f in found if f.kernel == kernel}
    return status


BOTH = """
__global__ void k(float *x, int n) { if (threadIdx.x < n) x[threadIdx.x] = 0; }
__global__ void j(float *x, int n) { if (threadIdx.x < n) x[threadIdx.x + OFF] = 0; }
void f(int n, bool b) {
  float *x; cudaMalloc(&x, n * sizeof(float));
  auto which = BODY;
  which<<<1, 32>>>(x, n);
}
"""


@pytest.mark.parametrize("body", ["b ? k : j", "b ? &k : &j", "b ? j : k"])
@pytest.mark.parametrize(("off", "status"), [("0", "proved"), ("1", "refuted")])
def test_a_kernel_by_a_condition(body: str, off: str, status: str) -> None:
    text = BOTH.replace("OFF", off).replace("BODY", body)
    assert _status(text, "k") == "proved"
    assert _status(text, "j") == status


def test_the_condition_of_a_kernel_is_known_where_it_is_launched() -> None:
    text = BOTH.replace("OFF", "n - 9").replace("BODY", "n == 9 ? j : k")
    assert _status(text, "j") == "proved"
    # It is asked where the kernel is chosen, not where it is launched.
    later = text.replace("which<<<", "n = 12; which<<<")
    assert _status(later, "j") == "refuted"
    assert _status(later, "k") == "refuted"


@pytest.mark.parametrize(
    "other",
    [
        "which = n > 7 ? (b ? k : j) : j;",
        "which = k;",
        "auto *held = &which; *held = k;",
        "auto set = [&] { which = j; }; set();",
    ],
)
def test_a_choice_that_is_changed_is_none(other: str) -> None:
    text = (
        BOTH.replace("OFF", "1")
        .replace("BODY", "b ? k : j")
        .replace("which<<<", other + "which<<<")
    )
    with pytest.raises(InputError, match=r"not (followed|understood|known)"):
        check_kernel(text, properties=("in_bounds",))


@pytest.mark.parametrize(
    "change", ["auto *p = &which; *p = k;", "auto &p = which; p = k;", "change(&which, k);"]
)
def test_a_kernel_that_is_changed_through_an_address(change: str) -> None:
    text = "typedef void (*K)(float *, int); void change(K *p, K f) { *p = f; }" + BOTH
    text = text.replace("OFF", "0").replace("BODY", "j").replace("which<<<", change + "which<<<")
    with pytest.raises(InputError, match=r"not (followed|understood|known)"):
        check_kernel(text, properties=("in_bounds",))


@pytest.mark.parametrize("change", ["auto *p = &f; *p = put;", "auto &p = f; p = put;"])
def test_a_function_that_is_changed_through_an_address(change: str) -> None:
    text = f"""
    __device__ void none(float *x) {{}}
    __device__ void put(float *x) {{ x[64] = 0; }}
    // symcute: launch grid=(1) block=(32)
    // symcute: extent x = 64
    __global__ void k(float *x) {{ auto f = none; {change} f(x); }}
    """
    assert check_kernel(text, properties=("in_bounds",)).status in ("refuted", "unknown")


def test_a_template_that_hands_a_kernel_on_is_seen() -> None:
    text = TEXT + "void f(int n) { go<float, 0>(n); }"
    assert check_kernel(text, properties=("in_bounds",)).status == "proved"
    more = "void unseen(void (*)(float *, int));"
    more += "template <class T> void hand() { unseen(k<T, 0>); } void g() { hand<float>(); }"
    with pytest.raises(InputError, match="not followed"):
        check_kernel(text + more, properties=("in_bounds",))


def test_a_lambda_that_is_called_at_once_is_followed() -> None:
    text = TEXT.replace("k<T, N><<<1, 32>>>(x, n);", "[&] { k<T, N><<<1, 32>>>(x, n); }();")
    found = read_kernels(text + "void f(int n) { go<float, 0>(n); }").kernels["k<float, 0>"]
    assert [f.trouble for f in found.families] == [""]
    handed = text.replace("}();", "};").replace("[&] {", "auto later = [&] {")
    handed += "void unseen(void *); template <class F> void run(F f) { unseen((void *)&f); }"
    handed = handed.replace("\n}\n\n", "\n run(later); }\n")
    found = read_kernels(handed + "void f(int n) { go<float, 0>(n); }").kernels
    assert all(not k.families or any(f.trouble for f in k.families) for k in found.values())


def test_the_function_of_a_request() -> None:
    assert _function(" void f<A<2>, (3 > 2)>(int *x)") == "f<A<2>, (3 > 2)>"
    assert _function(" std::vector<int> n::f<4>(int)") == "n::f<4>"
    assert _function(" class X<int>") == ""
    assert _function(" void f(int *x)") == ""


def test_what_the_source_makes_and_is_not_understood_is_tried_by_nothing_else() -> None:
    text = TEXT + "template <class T> void pick(int n) { lost::start(n); k<T, 0><<<1, 1>>>(0, n); }"
    found = read_kernels(text + "\ntemplate void pick<float>(int);").kernels
    assert not any(kernel.granted for kernel in found.values())
    (why,) = found["k<T, N>"].body
    assert isinstance(why, NotUnderstood)
    assert "what the source makes of it is not understood" in why.reason


@pytest.mark.parametrize(
    ("before", "body", "asked", "read"),
    [
        ("", "Only<N> o;", ["int, 4", "int, 5"], ["int, 4"]),
        ("template <int N> __device__ void g() { Only<N> o; }", "g<N>();", ["int, 4", "int, 5"],
         ["int, 4"]),
        ("", "Of<T> o;", ["float, 4", "double, 4"], ["float, 4"]),
        # Both use what is not there.
        ("", "Only<sizeof(T)> o;", ["double, 4", "double, 5"], []),
        ("", "Only<N == 4> o;", ["int, 4", "int, 5"], []),
        ("", "Of<T> o;", ["double, 4", "double, 5"], []),
        ("template <class T> struct Bad { typename T::none held; };", "Bad<T> o;",
         ["int, 4", "int, 5"], []),
        ("template <class T> __device__ auto g(T v) { return v.none; }", "auto o = g(T());",
         ["int, 4", "int, 5"], []),
        ("template <int N> __device__ void g() { Only<N> o; }", "g<5>();", ["int, 4", "int, 5"],
         []),
    ],
)  # fmt: skip
def test_what_fails_in_one_instance_is_no_fault_of_another(
    before: str, body: str, asked: list[str], read: list[str]
) -> None:
    calls = " ".join(f"k<{a}><<<1, 32>>>(nullptr);" for a in asked)
    text = f"""
    template <int N> struct Only;
    template <> struct Only<4> {{}};
    template <class T> struct Of;
    template <> struct Of<float> {{ typedef int type; }};
    {before}
    template <class T, int N> __global__ void k(T *x) {{ {body} x[threadIdx.x] = 0; }}
    void f() {{ {calls} }}
    """
    found = read_kernels(text).kernels
    whole = {
        name for name, k in found.items() if not any(isinstance(s, NotUnderstood) for s in k.body)
    }
    assert found.keys() == {f"k<{a}>" for a in asked} and whole == {f"k<{r}>" for r in read}
