"""Launches in Python code, against what the same code launches when it is executed.

A module that stands for CuPy keeps what kernels are launched with; its arrays are NumPy's. A launch
that is executed must be of a family, or its arrays are not what a family says it takes them for.
"""

from __future__ import annotations

import ast
import sys
import types
from collections.abc import Iterator
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from symcute.errors import InputError
from symcute.frontends.cuda.library import parse
from symcute.frontends.python.host import translated
from symcute.frontends.python.reading import document, read_python
from symcute.frontends.python.sources import Sources
from symcute.kernel.checking import check
from symcute.kernel.ir.families import Family
from symcute.kernel.ir.program import Int, Kernel, NotUnderstood
from symcute.kernel.launch.families import qualified, understood
from symcute.kernel.launch.notes import read_setting
from symcute.kernel.launch.project import Request, each
from tests.access.test_host import FOLDER, Launched, runs
from tests.access.test_torch import is_of, meant
from tests.full import some

FILES = [FOLDER / name for name in ("python.py", "deceiving.py", "shapes.py")]
FUNCTIONS = [
    (file, f.name) for file in FILES for f in ast.parse(file.read_text(encoding="utf-8")).body
    if isinstance(f, ast.FunctionDef) and [a.arg for a in f.args.args] == ["x", "y", "n"]
]  # fmt: skip
EXECUTED = some(FUNCTIONS, 16)
NUMBERS = [-3, -1, 0, 1, 2, 3, 4, 6, 33, 70]


def arrays() -> list[np.ndarray[Any, Any]]:
    return [
        np.zeros(6, np.float32), np.zeros((3, 5), np.float32), np.zeros((3, 5)),
        np.zeros((4, 8), np.float32).T, np.zeros((4, 2, 8), np.float32),
        np.zeros((2, 0), np.float32),
        np.zeros((40, 6), np.float32)[::2, ::2], np.zeros((300, 70), np.float32),
        np.zeros((1, 9), np.float32), np.zeros(7, np.float16),
        np.zeros(5, np.float32)[::-1], np.zeros((), np.float32),
        np.zeros((5, 3), np.float32), np.zeros((1, 9), np.float32)[::-1],
        np.zeros((2, 1, 2, 3, 2), np.float32), np.zeros((1, 7), np.int8)[:, :4].view(np.float32),
    ]  # fmt: skip


PAIRS = [
    (a, b, n) for a, b in product(range(16), repeat=2) for n in NUMBERS
    if a == b or (a + 3 * b + n) % 9 == 1
]  # fmt: skip


class Mock(types.ModuleType):
    """NumPy under the name of CuPy, with modules whose kernels are kept."""

    def __init__(self, launched: list[Launched]) -> None:
        super().__init__("cupy")
        self.launched = launched

    def __getattr__(self, name: str) -> Any:
        return getattr(np, name)

    def RawModule(self, code: str, options: Any = ()) -> Any:
        def get_function(name: str) -> Any:
            def launch(grid: Any, block: Any, args: Any, shared_mem: int = 0) -> None:
                frame = sys._getframe(1)
                three = ((*grid, 1, 1)[:3], (*block, 1, 1)[:3])
                given = tuple(map(said, args))
                self.launched.append(Launched(frame.f_lineno, *three, shared_mem, given))

            return launch

        return types.SimpleNamespace(get_function=get_function)


def said(value: Any) -> Any:
    """Return an argument as a launch has it: a number, nothing, or a place in memory."""
    if isinstance(value, np.ndarray):
        root = value
        while isinstance(root.base, np.ndarray):
            root = root.base
        begin = value.__array_interface__["data"][0]
        last = sum((n - 1) * s for n, s in zip(value.shape, value.strides, strict=True))
        return begin, 0, 0 if value.size == 0 else last + value.itemsize
    return int(value) if isinstance(value, (int, np.integer)) else None


@cache
def program(file: Path) -> tuple[dict[str, Any], list[Launched]]:
    launched: list[Launched] = []
    names: dict[str, Any] = {"__name__": "launches"}
    held = sys.modules.get("cupy")
    sys.modules["cupy"] = Mock(launched)
    try:
        exec(compile(file.read_text(encoding="utf-8"), str(file), "exec"), names)
    finally:
        if held is None:
            del sys.modules["cupy"]
        else:
            sys.modules["cupy"] = held
    return names, launched


def executed(
    file: Path, function: str, a: int, b: int, n: int
) -> Iterator[tuple[Launched, Any, Any]]:
    names, launched = program(file)
    launched.clear()
    x, y = arrays()[a], arrays()[b] if a != b else arrays()[a]
    try:
        names[function](x, y, n)
    except (ValueError, AssertionError, ZeroDivisionError, IndexError, TypeError, OverflowError):
        pass
    except AttributeError as error:  # NumPy refuses a shape
        assert "shape" in str(error)
    for one in launched[:12]:
        yield one, arrays()[a], arrays()[b]


@cache
def families(file: Path) -> list[tuple[Kernel, Family]]:
    found = read_python(file).kernels
    return [(k, f) for k in found.values() for f in k.families]


def asked(name: str, x: np.ndarray[Any, Any]) -> dict[str, int]:
    """Return what an array answers, under what families call that."""
    found = {
        "dim": x.ndim, "numel": x.size, "itemsize": x.itemsize,
        "contiguous": int(x.flags.c_contiguous),
    }  # fmt: skip
    titles = {"dim()": x.ndim, "numel()": x.size, "contiguous": found["contiguous"]}
    for axis, (size, stride) in enumerate(zip(x.shape, x.strides, strict=True)):
        for n in (axis, axis - x.ndim):
            found |= {f"size_{n}".replace("-", "_"): size}
            titles |= {f"size({n})": size}
            if size > 1 and x.size:  # what another is, is no part of the shape
                titles |= {f"stride({n})": stride // x.itemsize}
    return {f"{name}_{k}": v for k, v in found.items()} | {
        f"{k} of the tensor {name}": v for k, v in titles.items()
    }


def wrapped(kernel: Kernel, launched: Launched) -> Launched:
    """Return a launch with what CuPy makes of integers: as many bits as the parameter has."""
    given = []
    for p, value in zip(kernel.params, launched.arguments, strict=False):
        if isinstance(p.type, Int) and isinstance(value, int):
            half = 1 << (p.type.bits - 1)
            value = (value + half) % (2 * half) - half
        given.append(value)
    return launched._replace(arguments=(*given, *launched.arguments[len(given) :]))


@pytest.mark.parametrize(("file", "function"), EXECUTED, ids=[f for _, f in EXECUTED])
def test_what_is_launched_is_of_a_family(file: Path, function: str) -> None:
    here = [(k, f) for k, f in families(file) if f.host == function]
    seen = checked = 0
    for a, b, n in PAIRS[:: 1 if len(PAIRS) < 200 else 3]:
        for launched, x, y in executed(file, function, a, b, n):
            if not runs(launched):
                continue
            seen += 1
            given = asked("x", x) | asked("y", y)
            at = [(k, f) for k, f in families(file) if f.place.line == launched.line] or here
            assert at, f"nothing is said of line {launched.line}"
            known = any(
                is_of(k, f, wrapped(k, launched), given)
                for k, f in at
                if not f.trouble and len(k.params) == len(launched.arguments)
            )
            checked += known
            assert known or any(f.trouble or not meant(f, given) for _, f in at), (
                a,
                b,
                n,
                launched,
            )
    assert seen >= 3


@pytest.mark.parametrize("file", FILES, ids=lambda f: f.stem)
def test_clang_understands_what_is_written(file: Path) -> None:
    sources = Sources(ast.parse(file.read_text(encoding="utf-8")))
    assert sources.codes
    for code in sources.codes:
        text = "\n".join(x.text for x in document(code, translated(code, sources, "")[0]))
        unit, _ = parse("text.cu", text, defines={})
        assert not [d.spelling for d in unit.diagnostics if d.severity >= 3]


def test_most_launches_are_understood() -> None:
    good = [f for file in FILES for _, f in families(file) if not f.trouble]
    assert len(good) >= 45 and sum(not f.unknown for f in good) >= 25


def decided(text: str, prop: str = "in_bounds") -> set[str]:
    """Return what is said of a property of the kernels of a Python text."""
    found = read_python(text)
    assert found.kernels
    said: set[str] = set()
    for kernel in found.kernels.values():
        for task in each(kernel, Request(properties=(prop,))):
            assert task.family is not None
            try:
                family = understood(kernel, task.family)
                # What would help is a search of its own, longer than what is asked here.
                found_here = check(kernel, read_setting(kernel, family=family), (prop,), hints=0)
                said |= {f.status for f in qualified(found_here, family)}
            except InputError:
                said.add("not given")
    return said


_FILL = """
extern "C" __global__ void fill(float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n LESS) x[i] = WIDTH;
}
"""
_CODES = {
    "a raw kernel": ('import cupy\nk = cupy.RawKernel(r"""CODE""", "fill")\n', "cupy"),
    "a module": (
        'from cupy import RawModule as M\nm = M(code="""CODE""")\nk = m.get_function("fill")\n',
        "cupy",
    ),
    "a text that is joined": (
        'import cupy as cp\nW = 1\nHEAD = "#define W2 2\\n"\n'
        'k = cp.RawKernel(HEAD + """CODE""" + f"// {W}\\n", "fill")\n',
        "cupy",
    ),
    "a text with a value in it": (
        'import cupy as cp\nk = cp.RawKernel("""CODE""".replace("WIDTH", "1"), "fill")\n',
        "cupy",
    ),
    "from a function": (
        "import cupy as cp\nimport functools\n@functools.cache\ndef make():\n"
        '  return cp.RawKernel("""CODE""", "fill")\n',
        "made",
    ),
    "an attribute": (
        "import cupy as cp\nclass A:\n  def __init__(self):\n"
        '    self.k = cp.RawKernel("""CODE""", "fill")\n',
        "attribute",
    ),
    "a module of PyCUDA": (
        "from pycuda.compiler import SourceModule\nimport numpy as np\n"
        'k = SourceModule("""CODE""").get_function("fill")\n',
        "pycuda",
    ),
}
_HOSTS = {
    "cupy": "def f(x):\n  assert x.dtype == 'f4'\n  k((-(-x.size // 64),), (64,), (x, x.size))\n",
    "made": "def f(x):\n  make()((-(-x.size // 64),), (64,), (x, x.size))\n",
    "attribute": "  def f(self, x):\n    self.k((-(-x.size // 64),), (64,), (x, x.size))\n",
    "pycuda": "def f(x):\n  k(x, np.int32(x.size), block=(64, 1, 1), "
    "grid=((x.size + 63) // 64, 1))\n",
}


@pytest.mark.parametrize("what", some(list(_CODES), 2))
@pytest.mark.parametrize(("less", "status"), [("", "proved"), ("+ 1", "refuted")])
def test_kernels_in_texts_are_decided(what: str, less: str, status: str) -> None:
    code, host = _CODES[what]
    code = code.replace("CODE", _FILL.replace("LESS", less))
    if what != "a text with a value in it":
        code = code.replace("WIDTH;", "1;")
    small = _HOSTS[host].replace("):\n", "):\n    assert x.size < 1000000\n" if host == "attribute"
                                 else "):\n  assert x.size < 1000000\n", 1)  # fmt: skip
    assert decided(code + small) == {status}


def test_the_places_are_lines_of_the_file() -> None:
    text = 'import cupy\n\nk = cupy.RawKernel(r"""' + _FILL.replace("LESS", "").replace(
        "WIDTH", "1"
    )
    text += '""", "fill")\ndef f(x):\n  y = 1\n  k((1,), (64,), (x, x.size))\n'
    (kernel,) = read_python(text).kernels.values()
    lines = text.split("\n")
    assert "void fill" in lines[kernel.place.line - 1]
    (family,) = kernel.families
    assert lines[family.place.line - 1].strip().startswith("k((1,)")
    assert family.place.column == 3 and family.host == "f"


@pytest.mark.parametrize(
    "text",
    [
        'import cupy\nimport other\nk = cupy.RawKernel(other.TEXT, "k")\n',
        'import cupy\nk = cupy.RawKernel("__global__ void k(int *x) { x[0] = %d; }" % f(), "k")\n',
        'import cupy\nT = "__global__ void k() {}"\nT = T + "x"\nk = cupy.RawKernel(T, "k")\n',
        'import cupy\nk = cupy.RawKernel("__global__ void k(int *x) { *x = N; }", "k", o)\n',
    ],
)
def test_a_text_that_is_not_plain_is_not_understood(text: str) -> None:
    for kernel in read_python(text).kernels.values():
        assert isinstance(kernel.body[0], NotUnderstood)


def test_options_define_macros() -> None:
    text = (
        'import cupy\nk = cupy.RawKernel("__global__ void k(int *x) { x[N] = 0; }", "k", '
        "options=('-DN=5', '-O3'))\n"
        "def f():\n  x = cupy.empty(SIZE, dtype=cupy.int32)\n  k((1,), (1,), (x,))\n"
    )
    assert decided(text.replace("SIZE", "6")) == {"proved"}
    assert decided(text.replace("SIZE", "5")) == {"refuted"}


def test_an_extension_has_its_own_host_code() -> None:
    text = '''
from torch.utils.cpp_extension import load_inline
source = r"""
#include <torch/extension.h>
__global__ void k(float *x, int n) { int i = threadIdx.x; if (i < n) x[i] = 1; }
void run(torch::Tensor x) {
  TORCH_CHECK(x.is_contiguous() && x.numel() < 1000);
  k<<<1, 64>>>(x.data_ptr<float>(), x.numel() PLUS);
}
"""
module = load_inline(name="m", cpp_sources="void run(torch::Tensor x);", cuda_sources=[source],
                     functions=["run"])
'''
    assert decided(text.replace("PLUS", "")) == {"proved"}
    assert decided(text.replace("PLUS", "+ 1")) == {"refuted"}


def test_a_launch_that_is_not_followed_is_said() -> None:
    text = (
        'import cupy\nk = cupy.RawKernel("__global__ void k(int *x) { x[0] = 0; }", "k")\n'
        "def f(x, grid):\n  k(grid, (1,), (x,))\n"
    )
    (kernel,) = read_python(text).kernels.values()
    assert [f.trouble for f in kernel.families] == [
        "its grid, its block or its arguments are not understood"
    ]


_K = 'import cupy\nk = cupy.RawKernel("__global__ void k(int *x, int n) { x[0] = n; }", "k")\n'


@pytest.mark.parametrize(
    "text",
    some([
        _K + "f = lambda x: k((1,), (1,), (x, 2))\n",
        _K + "def f(x, go):\n  go(k, x)\n",
        _K + "kernels = {'k': k}\ndef f(x):\n  kernels['k']((1,), (1,), (x, 2))\n",
        _K + "def f(x, j=k):\n  j((1,), (1,), (x, 2))\n",
        _K + "def f(x, y=k((1,), (1,), (0, 2))):\n  pass\n",
        _K + "class A:\n  k((1,), (1,), (None, 2))\n",
        _K + "def f(x):\n  k[1, 1](x, 2)\n",
        _K + "def f(x):\n  k.prepared_call((1,), (1,), x, 2)\n",
        _K + "def f(x):\n  j = k\n  j = 3\n",
        _K.replace("k = ", "k = 0\nk = ") + "def f(x):\n  k((1,), (1,), (x, 2))\n",
        _K + "def f(x, n):\n  try:\n    k((1,), (1,), (x, 2))\n  except* ValueError:\n    pass\n",
        _K + "def f(x):\n  if x: pass\n" + "  elif f: pass\n" * 300 + "  k((1,), (1,), (x, 2))\n",
        "import cupy\nm = cupy.RawModule(code='template<class T> __global__ void k(T *x, int n) {}'"
        ", name_expressions=['k<int>'])\nk = m.get_function('k<int>')\n"
        "def f(x):\n  k((1,), (1,), (x, 2))\n",
        "import cupy\nm = cupy.RawModule(code='__global__ void k(int *x, int n) {}')\n"
        "def f(x, name):\n  m.get_function(name)((1,), (1,), (x, 2))\n",
    ], 2),
)  # fmt: skip
def test_no_launch_is_passed_over(text: str) -> None:
    text += "def plain(x):\n  pass\n"
    families = [f for k in read_python(text).kernels.values() for f in k.families]
    assert families and any(f.trouble for f in families)


@pytest.mark.parametrize(
    "test",
    some(["n in (1, 2)", "n is 1", "not isinstance(n, str) and n == 1", "g(n)"], 3),
)
@pytest.mark.parametrize("how", ["if {}:\n    raise ValueError", "assert not ({})"])
def test_a_condition_that_is_not_understood_refutes_nothing(test: str, how: str) -> None:
    text = (
        'import cupy\nk = cupy.RawKernel("__global__ void k(int *x, int n) '
        '{ x[n == 1 ? -1 : 0] = n; }", "k")\ndef f(n):\n  assert 0 < n < 100\n'
        f"  {how.format(test)}\n  x = cupy.empty(4, dtype=cupy.int32)\n  k((1,), (1,), (x, n))\n"
    )
    assert decided(text) == {"unknown"}
    assert decided(text.replace(test, "n > 7")) == {"refuted"}
    assert decided(text.replace(test, "n == 1")) == {"proved"}


def test_what_follows_from_such_a_condition_refutes_nothing_where_ways_meet() -> None:
    text = (
        'import cupy\nk = cupy.RawKernel("__global__ void k(int *x, int n) '
        '{ x[n == 1 ? -1 : 0] = n; }", "k")\ndef f(n):\n  assert n > 0 and n < 100\n'
        "  if n in (1, 2):\n    if n == 1:\n      return\n"
        "  x = cupy.empty(4, dtype=cupy.int32)\n  k((1,), (1,), (x, n))\n"
    )
    assert decided(text) == {"unknown"}
    assert decided(text.replace("if n == 1:\n      return", "pass")) == {"refuted"}


@pytest.mark.parametrize(
    ("given", "status"),
    [
        ("np.int32(n)", "proved"), ("np.int64(n)", "unknown"), ("np.int16(n)", "unknown"),
        ("int(np.int64(n))", "proved"), ("np.int32(n) + 0", "unknown"), ("True", "proved"),
    ],
)  # fmt: skip
def test_numbers_of_numpy_are_as_wide_as_they_are(given: str, status: str) -> None:
    text = (
        'import cupy\nimport numpy as np\nk = cupy.RawKernel("__global__ void k(int *x, int n) '
        '{ x[n > 90 ? -1 : 0] = n; }", "k")\ndef f(n):\n  assert 0 < n < 80\n'
        f"  x = cupy.empty(4, dtype=cupy.int32)\n  k((1,), (1,), (x, {given}))\n"
    )
    assert decided(text) == {status}


@pytest.mark.parametrize(
    "text",
    [
        "import cupy\nN = 5\nfrom config import *\n",
        "import cupy\nN = 5\nglobals()['N'] = 6\n",
        "import cupy\nN = 5\ndef g():\n  global N\n  N = 6\n",
        "import cupy\nN = 5\nimport config as N\n",
        "import cupy\nN = 5\nfor N in (1, 2): pass\n",
        "import cupy\nN = 5\nif N: N = 6\n",
        "import cupy\nN = 5\n(N := 6)\n",
        "import cupy\nN = 5\nmatch N:\n  case {**N}: pass\n",
    ],
)
def test_constants_that_may_change_are_none(text: str) -> None:
    text += 'k = cupy.RawKernel("__global__ void k(int *x) { x[%d] = 0; }" % N, "k")\n'
    (kernel,) = read_python(text).kernels.values()
    assert isinstance(kernel.body[0], NotUnderstood)


def test_an_object_with_a_shape_and_a_size_is_no_array() -> None:
    text = (
        'import cupy\nk = cupy.RawKernel("__global__ void k(float *x, int n) '
        '{ if (threadIdx.x < n) x[threadIdx.x] = 0; }", "k")\nclass Grid:\n  def f(self):\n'
        "    x = cupy.empty(self.shape, dtype=cupy.float32)\n"
        "    k((1,), (32,), (x, self.size))\n"
    )
    assert "proved" not in decided(text)


def test_python_is_not_executed(tmp_path: Path) -> None:
    file = tmp_path / "k.py"
    file.write_text(f"open({str(tmp_path / 'made')!r}, 'w')\nRawKernel = 1\n", encoding="utf-8")
    assert not read_python(file).kernels
    assert not (tmp_path / "made").exists()
    with pytest.raises(InputError, match="not Python"):
        read_python("def f(:\n  pass")
