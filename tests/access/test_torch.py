"""Launches in host code of PyTorch extensions, against what the same code launches when executed.

g++ compiles it with tensors that have shapes and memory, and no elements. A launch that is executed
must be of a family, or the tensors are not what a family says it takes them for.
"""

from __future__ import annotations

import re
import subprocess
from functools import cache
from itertools import product
from pathlib import Path

import pytest

from symcute import check_kernel
from symcute.errors import InputError
from symcute.frontends.cuda.source import read_kernels
from symcute.kernel.findings import verdict_of
from symcute.kernel.ir.families import Family
from symcute.kernel.ir.program import Kernel
from tests.access.host import compiler
from tests.access.test_host import FOLDER, Launched, covers, executed, runs
from tests.full import some

FILE = FOLDER / "torch.cu"
_LAUNCH = re.compile(r"\w+(?:<\w+>)?<<<(.*?)>>>\(")
_FUNCTION = re.compile(r"^(?:void|torch::Tensor) (\w+)\((?:const )?\w+::Tensor &?x, ", re.MULTILINE)
#: Shape, strides (none where it is contiguous) and type of a tensor.
TENSORS = [
    "{6}, {}, kFloat", "{3, 5}, {}, kFloat", "{3, 5}, {}, kDouble", "{8, 4}, {1, 8}, kFloat",
    "{4, 2, 8}, {}, kFloat", "{7}, {}, kHalf", "{2, 0}, {7, 3}, kFloat", "{2, 3}, {40, 2}, kFloat",
    "{300, 70}, {}, kFloat", "{1, 9}, {3, 1}, kFloat",
]  # fmt: skip
PAIRS = [
    (a, b) for a, b in product(range(len(TENSORS)), repeat=2) if a == b or (a + 3 * b) % 4 == 1
]


def functions() -> list[str]:
    return _FUNCTION.findall(FILE.read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return torch.cu for the CPU: its name is followed by a function and two tensors."""
    gxx = compiler()
    assert gxx is not None, "g++ is not there"
    folder = tmp_path_factory.mktemp("torch")
    text = _LAUNCH.sub(r"launched(__LINE__, \1)(", FILE.read_text(encoding="utf-8"))
    text = text.replace("<torch/extension.h>", f'"{FOLDER}/mock_torch.h"')
    made = ", ".join(f"tensor({t.replace('k', 'torch::k')})" for t in TENSORS)
    calls = "".join(
        f'  if (!strcmp(argv[1], "{name}")) {name}(all[a], all[b]);\n' for name in functions()
    )
    text += f"""
    at::Tensor tensor(at::Sizes n, at::Sizes s, at::ScalarType t) {{
      return s.size() ? at::strided(n, s, t) : at::empty(n, {{t}});
    }}
    int main(int argc, char **argv) {{
      std::vector<at::Tensor> all = {{{made}}};
      int a = atoi(argv[2]), b = atoi(argv[3]);
      try {{ {calls} }} catch (int) {{}}
    }}"""
    (folder / "torch.cpp").write_text(text, encoding="utf-8")
    out = folder / "torch"
    subprocess.run([gxx, "-std=c++17", "-O0", "-w", "-o", out, folder / "torch.cpp"], check=True)
    return out


@cache
def families() -> list[tuple[Kernel, Family]]:
    text = FILE.read_text(encoding="utf-8")
    return [(k, f) for k in read_kernels(text).kernels.values() for f in k.families]


def asked(name: str, tensor: str) -> dict[str, int]:
    """Return what a tensor answers, under what families call that."""
    shape, strides = ([int(x) for x in re.findall(r"\d+", part)] for part in tensor.split("}")[:2])
    numel, last, steps = 1, 1, list[int]()
    for size in reversed(shape):
        steps.insert(0, steps[0] * max(last, 1) if steps else 1)
        numel, last = numel * size, size
    plain = (
        not strides
        or 0 in shape
        or all(n == 1 or s == t for n, s, t in zip(shape, strides, steps, strict=True))
    )
    item = {"kHalf": 2, "kFloat": 4, "kDouble": 8}[tensor.split()[-1]]
    found = {"dim()": len(shape), "numel()": numel, "itemsize": item, "contiguous": int(plain)}
    for axis, (size, stride) in enumerate(zip(shape, strides or steps, strict=True)):
        for n in (axis, axis - len(shape)):
            found |= {f"size({n})": size, f"stride({n})": stride}
    return {re.sub(r"\W+", "_", f"{name}_{what}").strip("_"): x for what, x in found.items()} | {
        f"{what} of the tensor {name}": x for what, x in found.items()
    }


def meant(family: Family, given: dict[str, int]) -> bool:
    """Are tensors what a family takes them for, and nothing checks?"""
    for note in family.notes:
        if not note.why.endswith("not checked"):
            continue
        said = re.fullmatch(r"assume (\w+) == (\d+)", note.text)
        if said is not None:
            if given[said[1]] != int(said[2]):
                return False
        elif 0 in given.values():  # that it has elements
            return False
    return True


def is_of(kernel: Kernel, family: Family, launched: Launched, given: dict[str, int]) -> bool:
    """Is a launch of a family, with the tensors as they were?"""
    fixed: dict[str, int] = {}
    for note in family.notes:
        what = re.match(r"(.* of the tensor \w+), ", note.why)
        name = re.match(r"assume (\w+) (?:<=|==) ", note.text)
        if what and name and what[1] in given:
            fixed[name[1]] = given[what[1]]
    return covers(kernel, family, launched, fixed, exactly=True)


@pytest.mark.full
@pytest.mark.parametrize("function", functions())
def test_what_is_launched_is_of_a_family(program: Path, function: str) -> None:
    seen = checked = 0
    for a, b in PAIRS:
        for launched in executed(program, function, a, b):
            if not runs(launched) or not launched.arguments:  # its arguments threw
                continue
            seen += 1
            given = asked("x", TENSORS[a]) | asked("y", TENSORS[b])
            here = [(k, f) for k, f in families() if f.host == function]
            known = any(is_of(k, f, launched, given) for k, f in here if not f.trouble)
            checked += known
            # It is of a family, or of one that takes tensors for what these are not.
            assert known or any(f.trouble or not meant(f, given) for _, f in here), (a, b, launched)
    assert seen >= 3 and (checked or function == "the_same_made_contiguous")


def test_what_is_not_checked_is_said() -> None:
    text = """#include <torch/extension.h>
    __global__ void k(float *x, int M, int N) {
      for (int j = threadIdx.x; j < N; j += blockDim.x) x[blockIdx.x * N + j] = 1;
    }
    void f(torch::Tensor x) {
      CHECK k<<<x.size(0), 64>>>(x.data_ptr<float>(), x.size(0), x.size(1));
    }
    """
    small = "TORCH_CHECK(x.numel() < 1000000);"
    (found,) = check_kernel(text.replace("CHECK", small), properties=("in_bounds",))
    assert found.status == "proved"
    rests = " ".join(found.rests_on)
    assert "x is contiguous: not checked" in rests and "how many dims x has is not checked" in rests
    assert "torch/extension.h" in rests
    checks = small + "TORCH_CHECK(x.dim() == 2 && x.is_contiguous());"
    (found,) = check_kernel(text.replace("CHECK", checks), properties=("in_bounds",))
    assert found.status == "proved" and "not checked" not in " ".join(found.rests_on)
    wrong = text.replace("CHECK", checks).replace("x.size(1))", "x.size(1) + 1)")
    (found,) = check_kernel(wrong, properties=("in_bounds",))
    assert found.status == "refuted"
    (found,) = check_kernel(
        text.replace("CHECK", small + "TORCH_CHECK(!x.is_contiguous());"), properties=("in_bounds",)
    )
    assert found.status == "unknown"


@pytest.mark.parametrize(
    ("change", "status"),
    [
        ("", "proved"),
        ("x = x.t();", "unknown"),
        ("helper(x);", "unknown"),
        ("x.resize_({1});", "unknown"),
    ],
)
def test_a_tensor_that_something_changes_is_not_known(change: str, status: str) -> None:
    text = """#include <torch/extension.h>
    void helper(torch::Tensor &x);
    __global__ void k(float *x, int n) { int i = threadIdx.x; if (i < n) x[i] = 1; }
    void f(torch::Tensor x) {
      int n = x.numel();
      CHANGE
      k<<<1, 64>>>(x.data_ptr<float>(), n);
    }
    """
    try:
        found = check_kernel(text.replace("CHANGE", change), properties=("in_bounds",))
    except InputError:
        assert status == "unknown"
    else:
        assert [f.status for f in found] == [status]


_ONE = """#include <torch/extension.h>
    __global__ void k(float *x, long n) { long i = threadIdx.x; if (i < n) x[i] = 1; }
    void f(torch::Tensor x, torch::Tensor y) { BODY }
"""
_LAUNCH_N = "k<<<1, 64>>>(x.data_ptr<float>(), n);"


@pytest.mark.parametrize(
    ("body", "wrong"),
    [
        # What is taken for so, where nothing checks it, is not taken where it is checked.
        ("long n = x.dim() == 3 ? x.numel() : x.size(0) * x.size(-1) * x.size(-2) + 1;", True),
        ("long n = x.dim() == 3 ? x.size(0) * x.size(-1) * x.size(-2) : 0;", False),
        ("long n = x.numel() + !(x.is_contiguous() && y.is_contiguous());", True),
        ("long n = x.numel(); if (x.dim() > 8) n = n + 1;", True),
        ("long n = (int)x.scalar_type() == 6 ? x.numel() + 1 : 0;", True),
        ("long n = 0; switch ((int)x.scalar_type()) { case 6: n = x.numel() + 1; }", True),
        ("long n = x.numel(); x.zero_() = y;", True),
    ],
)
def test_what_is_checked_is_not_taken_for_something_else(body: str, wrong: bool) -> None:
    try:
        found = check_kernel(_ONE.replace("BODY", body + _LAUNCH_N), properties=("in_bounds",))
    except InputError:
        return
    if wrong:
        assert not all(f.status in ("proved", "not applicable") for f in found)
    else:
        assert not any(f.status == "refuted" for f in found)


@pytest.mark.parametrize(
    ("checks", "n", "status"),
    [
        ("x.dtype() == torch::kHalf || x.dtype() == torch::kBFloat16", "x.numel()", "refuted"),
        ("x.dtype() == torch::kHalf || x.dtype() == torch::kBFloat16", "x.numel() / 2", "proved"),
        ("x.dtype() != torch::kHalf", "x.numel()", "proved"),
        ("true", "x.nbytes() / 4", "proved"),
        ("true", "x.nbytes() / 4 + 1", "refuted"),
    ],
)
def test_the_bytes_of_elements(checks: str, n: str, status: str) -> None:
    body = f"TORCH_CHECK(x.is_contiguous()); TORCH_CHECK({checks}); long n = {n};"
    text = _ONE.replace(
        "BODY", body + _LAUNCH_N.replace("x.data_ptr<float>()", "(float *)x.data_ptr()")
    )
    assert [f.status for f in check_kernel(text, properties=("in_bounds",))] == [status]


@pytest.mark.parametrize(
    ("body", "understood"),
    some(
        [
            ("if (x.size(i) != y.size(i)) throw 1;", True),
            ("if ((size_t)x.size((int64_t)i) != (size_t)y.size(i)) throw 1;", True),
            ("if ((char)x.size(i) != (char)y.size(i)) throw 1;", False),
            ("if (static_cast<short>(x.size(i)) != static_cast<short>(y.size(i))) throw 1;", False),
            ("if ((bool)x.size(i) != (bool)y.size(i)) throw 1;", False),
            ("if ((float)x.size(i) != y.size(i)) throw 1;", False),
            ("if (x.size((bool)i) != y.size(i)) throw 1;", False),
            ("try { if (x.size(i) != y.size(i)) throw 1; } catch (int) {}", False),
        ],
        3,
    ),
)
def test_sizes_that_are_compared_in_part_are_not_alike(body: str, understood: bool) -> None:
    text = f"""TORCH_CHECK(x.dim() == 3 && y.dim() == 3);
    TORCH_CHECK(x.is_contiguous() && y.is_contiguous());
    for (int i = 0; i < x.dim(); ++i) {{ {body} }} long n = y.numel();"""
    found = check_kernel(_ONE.replace("BODY", text + _LAUNCH_N), properties=("in_bounds",))
    assert (all(f.status == "proved" for f in found)) == understood


@pytest.mark.parametrize(
    ("number", "factor", "exactly"),
    [
        ("long m = 1;", "x.size(i)", True),
        ("long m = 1;", "(long)x.size(i)", True),
        ("long m = 1;", "(char)x.size(i)", False),
        ("long m = 1;", "static_cast<bool>(x.size(i))", False),
        ("char m = 1;", "x.size(i)", False),
    ],
)
def test_a_product_of_parts_of_sizes_is_another(number: str, factor: str, exactly: bool) -> None:
    text = f"""TORCH_CHECK(x.dim() == 2 && x.is_contiguous() && x.numel() < 10000);
    {number} for (int i = 0; i < x.dim(); ++i) m *= {factor};
    long n = m == x.numel() ? m : x.numel() + 1;"""
    whole = _ONE.replace("threadIdx.x", "threadIdx.x + 64 * blockIdx.x")
    launch = _LAUNCH_N.replace("1, 64", "1000, 64")
    found = check_kernel(whole.replace("BODY", text + launch), properties=("in_bounds",))
    assert (all(f.status in ("proved", "not applicable") for f in found)) == exactly


def test_a_bound_of_another_class_is_asked_each_time() -> None:
    text = "struct D { long d; long dim() { return d--; } };\n" + _ONE  # 3, then 2, then 1
    body = """TORCH_CHECK(x.dim() == 3 && x.is_contiguous() && x.numel() < 1000);
    D o{3}; long m = 1;
    for (int i = 0; i < o.dim(); ++i) m *= x.size(i);
    long n = m == x.numel() ? m : x.numel() + 1;"""
    found = check_kernel(text.replace("BODY", body + _LAUNCH_N), properties=("in_bounds",))
    assert not all(f.status == "proved" for f in found)


def test_what_is_made_of_a_tensor_has_strides_of_its_own() -> None:
    like = "auto z = torch::empty_like(x); long n = z.is_contiguous() ? z.numel() : z.numel() + 1;"
    text = _ONE.replace("BODY", like + _LAUNCH_N.replace("x.", "z."))
    assert "refuted" in {f.status for f in check_kernel(text, properties=("in_bounds",))}
    copy = (
        "TORCH_CHECK(x.dim() == 2 && x.size(0) < 999 && x.size(1) < 999); auto c = x.contiguous();"
    )
    for n, wrong in (("c.stride(0) * c.size(0)", False), ("c.stride(0) * c.size(0) + 1", True)):
        body = f"{copy} if (x.size(0) < 2 || x.size(1) < 1) return; long n = {n};"
        text = _ONE.replace("BODY", body + _LAUNCH_N.replace("x.", "c."))
        found = {f.status for f in check_kernel(text, properties=("in_bounds",))}
        assert ("refuted" in found) if wrong else found <= {"proved", "unknown"}, (n, found)


def test_that_a_tensor_has_elements_is_said() -> None:
    text = """#include <torch/extension.h>
    __global__ void k(float *x, long N, long s, long t) {
      for (long j = threadIdx.x; j < N; j += 64) x[blockIdx.x * s + j * t] = 1;
    }
    void f(torch::Tensor x) {
      TORCH_CHECK(x.dim() == 2 && x.size(0) < 999 && x.size(1) < 999 && x.stride(1) < 999);
      TORCH_CHECK(x.stride(0) == 0);
      k<<<x.size(0), 64>>>(x.data_ptr<float>(), x.size(1), x.stride(0), x.stride(1));
    }
    """
    (found,) = check_kernel(text, properties=("in_bounds",))
    assert found.status == "proved"
    assert any("assume N >= 1 (x has elements: not checked" in r for r in found.rests_on)


@pytest.mark.parametrize(("n", "status"), [("n", "not applicable"), ("n + 1", "refuted")])
def test_32_bits_reach_what_has_fewer_elements_than_the_most_of_them(n: str, status: str) -> None:
    """PyTorch asks for less than `INT_MAX` elements: one more than there are is still an int."""
    text = """#include <torch/extension.h>
    __global__ void k(int *x, int n) { int last = n + 1; if (last < 5) x[0] = last; }
    void f(torch::Tensor x) {
      TORCH_CHECK(x.is_contiguous() && x.scalar_type() == torch::kInt32 && x.numel() > 0);
      int n = x.numel();
      if (at::cuda::detail::canUse32BitIndexMath(x)) k<<<1, 1>>>(x.data_ptr<int>(), N);
    }
    """
    (found,) = check_kernel(text.replace("N)", f"{n})"), properties=("no_overflow",))
    assert found.status == status


_KERNELS = {
    "k": """(const float *x, float *y, long n) {
      long i = threadIdx.x; if (i < n) y[i] = x[i];
    }""",
    "steps": """(const float *x, float *y, long M, long N, long s) {
      for (long j = threadIdx.x; j < N; j += 64) y[blockIdx.x * s + j] = x[blockIdx.x * N + j];
    }""",
}
_SHAPES = """#include <torch/extension.h>
    __global__ void KERNEL
    void f(torch::Tensor x, torch::Tensor y) {
      TORCH_CHECK(x.is_contiguous() && x.scalar_type() == torch::kFloat);
      TORCH_CHECK(y.scalar_type() == torch::kFloat && x.numel() < 1000000);
      BODY
    }
"""
_PACKED = "TORCH_CHECK(y.is_contiguous()); "
_K = "k<<<1, 64>>>(x.data_ptr<float>(), y.data_ptr<float>(), n);"
_STEPS = """TORCH_CHECK(x.dim() == 2 && y.stride(0) >= y.size(1) && y.stride(1) == 1);
    TORCH_CHECK(y.size(1) > 0 && y.stride(0) < 1000); steps<<<x.size(0), 64>>>(
        x.data_ptr<float>(), y.data_ptr<float>(), x.size(0), x.size(1), y.stride(0));"""


@pytest.mark.parametrize(
    ("body", "status"),
    some([
        (_PACKED + "long n = x.numel(); " + _K, "refuted"),
        (_PACKED + "TORCH_CHECK(x.sizes() == y.sizes()); long n = x.numel(); " + _K, "proved"),
        (_PACKED + "TORCH_CHECK(x.sizes() == y.sizes()); long n = x.numel() + 1; " + _K, "refuted"),
        (_PACKED + "TORCH_CHECK(x.sizes() != y.sizes()); long n = x.numel(); " + _K, "refuted"),
        (_PACKED + "TORCH_CHECK(x.sizes().equals(y.sizes())); long n = y.numel(); " + _K, "proved"),
        # Of as many elements and dims, and of one dim, they are one: this is not executed.
        (
            "TORCH_CHECK(x.dim() == 1 && y.dim() == 1 && x.numel() == y.numel());" + _PACKED
            + "if (x.sizes() != y.sizes()) { long n = x.numel() + 1; " + _K + "}",
            "unknown",
        ),
        ("TORCH_CHECK(x.sizes() == y.sizes());" + _STEPS, "proved"),
        ("TORCH_CHECK(x.dim() == y.dim() && x.numel() == y.numel());" + _STEPS, "refuted"),
        ("auto v = x.view({-1}); y = torch::empty_like(v); long n = v.size(0); " + _K, "proved"),
        ("auto v = x.view({-1, 4}); y = torch::empty({4}); long n = v.size(0); " + _K, "refuted"),
        ("auto v = x.view({-1, 4}); y = torch::empty({v.size(0), 4}); long n = x.numel(); " + _K,
         "proved"),
        ("auto v = x.view({3, 5}); y = torch::empty({15}); long n = x.numel(); " + _K, "proved"),
        ("auto v = x.view({3, 5}); y = torch::empty({14}); long n = x.numel(); " + _K, "refuted"),
        ("x = x.view_as(y); y = torch::empty_like(x); long n = y.numel(); " + _K, "proved"),
        # Of these strides there is no such view: this is not executed.
        (
            "TORCH_CHECK(y.dim() == 2 && y.size(0) == 2 && y.size(1) == 3 && y.stride(0) == 1);"
            "TORCH_CHECK(y.stride(1) == 2); auto v = y.view({-1}); x = torch::empty({7});"
            "long n = v.size(0) + 1; " + _K,
            "unknown",
        ),
        # What is reshaped may be a copy, of which nothing is known, where it is not contiguous.
        ("x = y.reshape({-1}); y = torch::empty_like(x); long n = x.numel(); " + _K, "unknown"),
        ("x = x.flatten(); y = torch::empty_like(x); long n = x.numel(); " + _K, "proved"),
    ], 2),
)  # fmt: skip
def test_shapes_are_compared_and_changed(body: str, status: str) -> None:
    name = "steps" if "steps" in body else "k"
    text = _SHAPES.replace("KERNEL", name + _KERNELS[name]).replace("BODY", body)
    found = check_kernel(text, properties=("in_bounds",))
    said = {f.status for f in found}
    worst = next(s for s in ("refuted", "unknown", "proved") if s in said)
    assert worst == status, [f"{f} {f.reason}" for f in found]


DEVICE = """
#include <ATen/cuda/DeviceUtils.cuh>
template <class T> __global__ void k(T *x, T *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  T v = at::numeric_limits<T>::lowest();
  if (i < n) v = x[i];
  for (int o = 16; o; o /= 2) v = v + WARP_SHFL_XOR(v, o);
  v = WARP_SHFL(v, 0);
  if (i < n) ADD;
}
void f(int n, T *x, T *y) { k<<<(n + 255) / 256, 256>>>(x, y, n); }
"""


@pytest.mark.parametrize("type", some(["int", "float", "double", "at::Half", "at::BFloat16"], 2))
@pytest.mark.parametrize(
    ("add", "race", "bounds"),
    [
        ("gpuAtomicAdd(&y[i / 32], v)", "proved", "proved"),
        ("gpuAtomicAddNoReturn(y, v)", "proved", "proved"),
        ("y[i / 32] = v", "refuted", "proved"),
        ("gpuAtomicAdd(&y[i + 1], v)", "proved", "refuted"),
    ],
)
def test_what_device_code_takes_of_pytorch(type: str, add: str, race: str, bounds: str) -> None:
    text = DEVICE.replace("ADD", add).replace("T *x, T *y) {", f"{type} *x, {type} *y) {{")
    found = check_kernel(text, launch="grid=(ceil_div(n,256)) block=256",
                         extents={"x": "n", "y": "n"}, given=["n >= 2", "n <= 2**30"])  # fmt: skip
    said = {f.property: f.status for f in found if f.property in ("write_race_free", "in_bounds")}
    said |= {f.property: "refuted" for f in found if f.status == "refuted"}
    good = {"proved", "not applicable"} if race == "proved" else {race}
    assert said["in_bounds"] == bounds and said["write_race_free"] in good


@pytest.mark.parametrize(
    ("adds", "races"),
    [("gpuAtomicAdd(x, C(1.f, 2.f))", "not applicable"), ("*x = C(1.f, 2.f)", "refuted")],
)
def test_complex_numbers_are_added_by_their_parts(adds: str, races: str) -> None:
    text = f"""#include <ATen/cuda/Atomic.cuh>
#include <c10/util/complex.h>
typedef c10::complex<float> C;
__global__ void k(C *x) {{ {adds}; }}
"""
    found = check_kernel(text, launch="grid=2 block=64", extents={"x": "1"})
    assert verdict_of(found)["write_race_free"] == races


@pytest.mark.parametrize(("n", "bounds"), [("n", "proved"), ("n - 1", "refuted")])
def test_complex_numbers_of_pytorch(n: str, bounds: str) -> None:
    text = """#include <c10/util/complex.h>
typedef c10::complex<float> C;
__global__ void k(int n, C *x) {
  int i = threadIdx.x;
  C sum = 0.f;
  sum += x[0].real_;
  if (i < n) {
    sum += 2.f * (x[i] + C(x[i].real_, x[i].imag())) * -std::conj(x[i]);
    x[i] = sum * std::abs(x[i]);
  }
}
"""
    found = check_kernel(text, launch="grid=1 block=64", extents={"x": n}, given=["n >= 2"])
    said = verdict_of(found)
    assert said["in_bounds"] == bounds and said["aligned"] == "proved"


@pytest.mark.parametrize(
    ("loop", "extent", "status"),
    some(
        [
            ("for (int i = 0; i < d; ++i) { n *= x.size(i); }", "n", "proved"),
            ("for (int i = 0; i < d; ++i) { n *= x.size(i); }", "n + 1", "refuted"),
            ("for (auto i = 0; i != x.dim(); i++) n *= (x.size(i));", "n", "proved"),
            ("for (int64_t i = 0; i < d; i++) n *= x.size(i);", "n", "proved"),
            (
                "for (int i = 0; i < d; ++i) n *= static_cast<int>(x.size((int64_t)i));",
                "n",
                "proved",
            ),
            # One dim less, other dims, or another order of steps, is no product of all of them.
            ("for (int i = 1; i < d; ++i) n *= x.size(i);", "n", "unknown"),
            ("for (int i = 0; i < d; ++i) n *= x.size((bool)i);", "n", "unknown"),
            ("for (int i = 0; i < d; ++i) n *= (short)x.size(i);", "n", "unknown"),
            ("for (int i = 0; i < d; i += 2) n *= x.size(i);", "n", "unknown"),
            ("for (int i = 0; i < d; ++i) n += x.size(i);", "n", "unknown"),
            ("for (int i = 0; i < d; ++i) n *= x.stride(i);", "n", "unknown"),
            ("d = 5; for (int i = 0; i < d; ++i) n *= x.size(i);", "n", "unknown"),
            ("int &e = d; for (int i = 0; i < d; ++i) e *= x.size(i); n = d;", "n", "unknown"),
        ],
        3,
        1,
    ),
)
def test_sizes_that_a_loop_multiplies(loop: str, extent: str, status: str) -> None:
    text = f"""#include <torch/extension.h>
    __global__ void k(float *x, int n) {{
      int i = blockIdx.x * blockDim.x + threadIdx.x;
      if (i < n) x[i] = 1;
    }}
    void f(torch::Tensor x) {{
      TORCH_CHECK(x.is_contiguous() && x.numel() < 1000000);
      TORCH_CHECK(x.scalar_type() == torch::kFloat32);
      int d = x.dim();
      int n = 1;
      {loop}
      k<<<(n + 255) / 256, 256>>>(x.data_ptr<float>(), {extent});
    }}
    """
    found = check_kernel(text, properties=("in_bounds",))
    assert found.status == status, found


@pytest.mark.parametrize(
    ("loop", "status"),
    some([
        ("for (int i = 0; i < x.dim(); ++i) if (y.size(i) != x.size(i)) throw 1;", "proved"),
        ("for (int64_t i = 0; i < x.dim(); ++i) if (y.size(i) != x.size(i)) throw 1;", "proved"),
        ("for (int64_t i = 1; i < x.dim(); ++i) if (y.size(i) != x.size(i)) throw 1;", "unknown"),
        ("for (int64_t i = 0; i < x.dim() - 1; ++i) if (y.size(i) != x.size(i)) throw 1;",
         "unknown"),
        ("try { for (int i = 0; i < x.dim(); ++i) if (y.size(i) != x.size(i)) throw 1; }"
         " catch (int) {}", "unknown"),
        ("const int d = y.dim(); for (int i = 0; i < d; i++) { if (x.size(i) != y.size(i))"
         " { throw 1; } }", "proved"),
        # Not all of them, other ones, or nothing that comes of it.
        ("for (int i = 1; i < x.dim(); ++i) if (y.size(i) != x.size(i)) throw 1;", "unknown"),
        ("for (int i = 0; i < x.dim(); ++i) if (y.size(i) == x.size(i)) throw 1;", "unknown"),
        ("for (int i = 0; i < x.dim(); ++i) if (y.size(i) != x.stride(i)) throw 1;", "unknown"),
        ("for (int i = 0; i < x.dim(); ++i) if (x.size(i) != x.size(i)) throw 1;", "refuted"),
        ("for (int i = 0; i < x.dim(); ++i) if ((bool)y.size(i) != (bool)x.size(i)) throw 1;",
         "unknown"),
        ("for (int i = 0; i < x.dim(); ++i) if (y.size((bool)i) != x.size((bool)i)) throw 1;",
         "unknown"),
        ("int m = 0; for (int i = 0; i < x.dim(); ++i) if (y.size(i) != x.size(i)) m = 1;",
         "unknown"),
        ("for (int i = 0; i < 1; ++i) if (y.size(i) != x.size(i)) throw 1;", "unknown"),
    ], 3),
)  # fmt: skip
def test_sizes_that_a_loop_compares(loop: str, status: str) -> None:
    text = f"""#include <torch/extension.h>
    __global__ void k(const float *x, float *y, int n) {{
      int i = blockIdx.x * blockDim.x + threadIdx.x;
      if (i < n) y[i] = x[i];
    }}
    void f(torch::Tensor x, torch::Tensor y) {{
      TORCH_CHECK(x.is_contiguous() && x.numel() < 1000000 && x.dim() == y.dim());
      TORCH_CHECK(y.is_contiguous() && x.scalar_type() == torch::kFloat32);
      TORCH_CHECK(y.scalar_type() == torch::kFloat32);
      {loop}
      int n = x.numel();
      k<<<(n + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), n);
    }}
    """
    found = check_kernel(text, properties=("in_bounds",))
    assert found.status == status, found
