"""Verdicts on launches in Python code: a refutation needs a launch that happens."""

from __future__ import annotations

import pytest

from tests.access.test_python import decided
from tests.full import some

_COPY = (
    """import cupy as cp
k = cp.RawKernel("""
    + '"' * 3
    + """
extern "C" __global__ void k(const float *x, float *y, int M, int N) {
  int i = blockIdx.x;
  for (int j = threadIdx.x; j < N; j += blockDim.x) if (i < M) y[i * N + j] = x[i * N + j];
}"""
    + '"' * 3
    + """, "k")
def check(n):
  if n > 4: raise ValueError
def f(x, y, n):
  assert x.dtype == cp.float32 and y.dtype == cp.float32 and x.size < 100000 and x.ndim == 2
  assert x.flags.c_contiguous and y.flags.c_contiguous
"""
)


#: The same with one access: of statements there are many, and each is decided.
_PLAIN = _COPY[: _COPY.index("  int i")] + "  y[N] = x[0];\n" + _COPY[_COPY.index('}"') :]


@pytest.mark.parametrize(
    ("before", "grid", "columns", "status"),
    some(
        [
            # Shapes that are one, and what was taken of them before.
            ("m = y.shape[0]\nassert x.shape == y.shape", "m", "x.shape[1]", "proved"),
            ("m = y.shape[0]\nassert x.shape == y.shape", "m", "x.shape[1] + 1", "refuted"),
            (
                "m = y.shape[0]\nassert x.size == y.size and y.ndim == 2",
                "m",
                "x.shape[1]",
                "refuted",
            ),
            ("z = y\nassert x.shape == y.shape", "z.shape[0]", "x.shape[1]", "proved"),
            ("z = y\nassert x.shape == y.shape", "z.shape[0]", "z.shape[0]", "refuted"),
            ("s = y.shape\nassert x.shape == y.shape", "s[0]", "x.shape[1]", "proved"),
            ("m, n = x.shape\nassert y.shape == x.shape", "y.shape[0]", "n", "proved"),
        ],
        2,
        1,
    ),
)
def test_sizes_that_are_one(before: str, grid: str, columns: str, status: str) -> None:
    lines = "".join(f"  {line}\n" for line in before.split("\n"))
    text = f"{_COPY}{lines}  k(({grid},), (32,), (x, y, {grid}, {columns}))\n"
    assert decided(text) == {status}


_RAISING = [
    "check(n)", "m = check(n)", "x.reshape(4, n)", "z = x.reshape(-1, n)", "z = x + y", "z = x @ y",
    "x[n]", "x[n] = 1", "x[:] = y", "x += y", "a, b = x[0].shape", "m = [check(n)]",
    "m = n and check(n)", "m = 1 if check(n) else 2", "z = cp.full(3, check(n), dtype=cp.int32)",
    "with check(n): pass", "for i in check(n): pass", "while check(n): pass", "if check(n): pass",
    "def g(m=check(n)): pass", "class A: m = check(n)", "assert check(n) or True",
    "m = (check(n), 3)[1]", "m = f'{check(n)}'", "m = {n: 1}[3]", "q = 1 / (n - 4)",
    "m = {1: check(n)}", "print(check(n))", "m = math.log2(n)", "x.shape = (n, 4)",
]  # fmt: skip
_CALM = [
    "print(n)", "z = cp.empty_like(x)", "z = x * 2", "x[:] = 0", "x *= 2", "m = [n, 4]", "x[1:n]",
    "z = x.astype(cp.float64)", "cp.cuda.Stream.null.synchronize()", "x.fill(0)", "s = x.shape",
    "a, b = x.shape", "import time", "m = n // 4", "with cp.cuda.Device(0): pass", "q = n / 4",
]  # fmt: skip


@pytest.mark.parametrize("statement", some([*_RAISING, *_CALM], 3))
def test_what_may_raise_on_the_way_refutes_nothing(statement: str) -> None:
    launch = "  k((1,), (1,), (x, y, 1, n))\n"
    text = f"import math\n{_PLAIN}  assert x.size == y.size and n > 0\n  {statement}\n{launch}"
    assert decided(text) == ({"refuted"} if statement in _CALM else {"unknown"})


@pytest.mark.parametrize(
    ("library", "test", "status"),
    [
        # The name of a type is none of PyTorch's types: with it, the launch may be the other.
        ("import cupy as cp", "x.dtype == 'float32'", "proved"),
        ("import cupy as cp", "x.dtype == cp.float32", "proved"),
        ("import cupy as cp", "x.dtype != cp.float32", "refuted"),
        ("import cupy as cp, torch", "x.dtype == 'float32'", "unknown"),
        ("import cupy as cp, torch", "x.dtype == cp.float32", "unknown"),
        ("import cupy as cp\nfrom torch import nn", "x.dtype == 'float32'", "unknown"),
        ("import cupy as cp, torch", "x.dtype == torch.float32", "proved"),
        ("import cupy as cp, torch", "x.dtype != torch.float32", "refuted"),
    ],
)
def test_names_of_types(library: str, test: str, status: str) -> None:
    text = (
        f"{library}\nk = cp.RawKernel('__global__ void k(float *x, int n) "
        "{ int i = threadIdx.x; if (i < n) x[i] = n; }', 'k')\ndef f(x):\n"
        "  assert x.size < 30 and x.itemsize == 4 and x.flags.c_contiguous\n"
        f"  if {test}: n = x.size\n  else: n = x.size + 1\n  k((1,), (64,), (x, n))\n"
    )
    assert decided(text) == {status, "proved"} if status == "refuted" else {status}


_FLAGGED = """import cupy as cp
k = cp.RawKernel('__global__ void k(int *x, int n) { x[n == 1 ? -1 : 0] = n; }', 'k')
def g(): pass
"""


@pytest.mark.parametrize(
    ("function", "status"),
    some([
        ("def f(n, flag):\n  if flag:\n    n = 1\n", {"refuted", "proved"}),
        ("def f(n, flag):\n  if not flag and n == 1: return\n", {"refuted", "proved"}),
        ("def f(n, flag=False):\n  if flag and n == 1: return\n  if not flag and n == 1: return\n",
         {"proved"}),
        ("def f(n, flag: bool):\n  for i in range(3):\n    if flag and n == 1: return\n"
         "    if not flag and n == 1: return\n  if flag and n == 1: return\n"
         "  if not flag and n == 1: return\n", {"proved"}),
        # What is no truth may be another one the next time.
        ("def f(n, flag):\n  if flag and n == 1: return\n  if not flag and n == 1: return\n",
         {"unknown", "proved"}),
        ("def f(n, flag):\n  flag = g()\n  if flag and n == 1: return\n", {"unknown", "proved"}),
        ("def f(n, flag):\n  def h():\n    nonlocal flag\n    flag = 0\n  if flag: n = 1\n",
         {"unknown", "proved"}),
        ("def f(n, todo):\n  while todo: g()\n  assert n < 100\n", {"unknown"}),
        ("def f(n, out=None):\n  if out is None:\n    out = 3\n  if n > 9: return\n", {"refuted"}),
        ("def f(n, out=None):\n  if out is not None:\n    n = 1\n", {"refuted", "proved"}),
        ("def f(n, out=None):\n  out = g()\n  if out is None:\n    n = 1\n",
         {"unknown", "proved"}),
        ("def f(n, out=None):\n  if out is None and n == 1: return\n", {"unknown", "proved"}),
        # None is no number, nor an array.
        ("def f(n):\n  if n is None: n = 1\n  assert n != 1 or n == 1\n", {"refuted"}),
        ("def f(n):\n  if n is not None: return\n", {"unknown"}),
        # Only the function around can call it.
        ("def f():\n def go(n):\n  assert n > 0\n", {"unknown"}),
    ], 2),
)  # fmt: skip
def test_what_a_caller_says(function: str, status: set[str]) -> None:
    indent = "  "
    launch = "x = cp.empty(4, dtype=cp.int32)\nassert 0 < n < 100\nk((1,), (1,), (x, n))\n"
    text = _FLAGGED + function + "".join(f"{indent}{line}\n" for line in launch.split("\n"))
    found = decided(text)
    assert found <= status | {"proved"} and found - {"proved"} == status - {"proved"}
