"""Launches of Triton kernels in Python code, against what the same code launches when it runs.

What stands for Triton keeps what kernels are launched with, what stands for PyTorch has tensors
without elements. A launch that is executed must be of a program of the kernel and of its family, or
its tensors are not what the family says it takes them for.
"""

from __future__ import annotations

import ast
import copy
import re
import sys
import types
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from symcute import check_kernel
from symcute.errors import InputError
from symcute.frontends.python.front_end import PYTHON
from symcute.frontends.python.jit_families import launches_of
from symcute.kernel.ir.families import Family
from symcute.kernel.ir.program import Int, Kernel
from tests.access.test_host import Launched, covers, setting
from tests.access.test_torch import meant
from tests.full import full, some

FOLDER = Path(__file__).parents[1] / "triton" / "launches"
FILES = [FOLDER / "hosts.py", FOLDER / "shapes.py", FOLDER / "chosen.py", FOLDER / "helped.py"]
FUNCTIONS = [
    (FILE, f.name) for FILE in FILES for f in ast.parse(FILE.read_text(encoding="utf-8")).body
    if isinstance(f, ast.FunctionDef) and [a.arg for a in f.args.args] == ["x", "y", "n"]
]  # fmt: skip
#: Constexprs of kernels that are compiled before they are launched.
CONSTANT = ("BLOCK", "HAS")
#: Parameters that no value of a kernel hangs on.
HINTS = ("num_warps", "num_stages")
#: The kernels of one file take long to compile.
EXECUTED = some([f for f in FUNCTIONS if full() or f[0].stem != "helped"], 8)
NUMBERS = [-2, 0, 1, 3, 4, 6, 15, 33]


class Seen(NamedTuple):
    """A launch: the kernel, the line, the grid, and what each parameter was given."""

    kernel: str
    line: int
    grid: tuple[int, ...]
    given: dict[str, Any]
    #: What it was compiled for, if that was before.
    compiled: dict[str, Any] | None = None


def torch() -> types.ModuleType:
    """Return what stands for PyTorch."""
    module = types.ModuleType("torch")
    text = (FOLDER / "torch.py").read_text(encoding="utf-8")
    exec(compile(text, "torch.py", "exec"), module.__dict__)
    return module


class Standing:
    """A kernel: what it is launched with is kept."""

    def __init__(self, function: Any, seen: list[Seen]) -> None:
        self.name, self.fn = function.__name__, self
        self.names = function.__code__.co_varnames[: function.__code__.co_argcount]
        defaults = function.__defaults__ or ()
        behind = self.names[len(self.names) - len(defaults) :]
        self.defaults = dict(zip(behind, defaults, strict=True))
        self.configs: list[dict[str, Any]] = [{}]
        self.heuristics: list[tuple[str, Any]] = []
        self.seen = seen

    def __getitem__(self, grid: Any) -> Any:
        def launch(*args: Any, num_warps: int = 4, **words: Any) -> None:
            line = sys._getframe(1).f_lineno
            if len(args) > len(self.names) or set(words) - set(self.names):
                raise TypeError("arguments")
            given = dict(zip(self.names, args, strict=False)) | words
            for config in self.configs:
                whole = {**given, **{n: v for n, v in config.items() if n in self.names}}
                for name, value in self.heuristics:
                    whole[name] = value(whole)
                whole = {**self.defaults, **whole}
                if set(whole) != set(self.names):
                    raise TypeError("missing")
                extents = grid(whole) if callable(grid) else grid
                self.seen.append(Seen(self.name, line, (*extents, 1, 1)[:3], whole))

        return launch

    def warmup(self, *args: Any, grid: Any, num_warps: int = 4, **words: Any) -> Any:
        """Return what launches the program for these arguments, if it is given such ones."""
        compiled = {**self.defaults, **dict(zip(self.names, args, strict=False)), **words}
        if set(compiled) != set(self.names):
            raise TypeError("missing")
        return Compiled(self, compiled)


class Compiled:
    """A program of a kernel: what it was compiled for holds of it, whatever it is given."""

    n_regs = 32

    def __init__(self, kernel: Standing, compiled: dict[str, Any]) -> None:
        self.kernel, self.compiled = kernel, compiled

    def __getitem__(self, grid: Any) -> Any:
        def launch(*args: Any) -> None:
            line = sys._getframe(1).f_lineno
            given = dict(zip(self.kernel.names, args, strict=False))
            whole = {**self.compiled, **{n: given[n] for n in given if n not in CONSTANT}}
            # A number that was 1, or had 32 bits, is so in the program.
            self.kernel.seen.append(Seen(self.kernel.name, line, grid[:3], whole, self.compiled))

        return launch


def triton(seen: list[Seen]) -> types.ModuleType:
    """Return what stands for Triton."""
    module = types.ModuleType("triton")
    held: Any = module
    held.jit = lambda f: Standing(f, seen)
    held.cdiv = lambda a, b: (a + b - 1) // b
    held.next_power_of_2 = lambda n: 1 << (n - 1).bit_length() if n > 0 else 0
    held.Config = lambda words, num_warps=4: {**words, "num_warps": num_warps}

    def autotune(configs: Any, key: Any) -> Any:
        def found(kernel: Standing) -> Standing:
            tuned = copy.copy(kernel)
            tuned.configs, tuned.fn = configs, kernel
            return tuned

        return found

    def heuristics(values: Any) -> Any:
        def found(kernel: Standing) -> Standing:
            kernel.heuristics = [*values.items(), *kernel.heuristics]
            return kernel

        return found

    held.autotune, held.heuristics = autotune, heuristics
    held.language = types.SimpleNamespace(constexpr=None)
    return module


@cache
def program(file: Path) -> tuple[dict[str, Any], list[Seen], Any]:
    seen: list[Seen] = []
    made = torch()
    standing = {"torch": made, "triton": triton(seen)}
    language: Any = types.ModuleType("triton.language")
    language.constexpr = None
    names: dict[str, Any] = {"__name__": "hosts"}
    held = {n: sys.modules.get(n) for n in (*standing, "triton.language", "settings")}
    sys.modules |= {**standing, "triton.language": language}
    beside = types.ModuleType("settings")
    try:
        text = (file.parent / "settings.py").read_text(encoding="utf-8")
        exec(compile(text, "settings.py", "exec"), beside.__dict__)
        sys.modules["settings"] = beside
        exec(compile(file.read_text(encoding="utf-8"), str(file), "exec"), names)
    finally:
        for n, module in held.items():
            if module is None:
                del sys.modules[n]
            else:
                sys.modules[n] = module
    return names, seen, made


def tensors(torch: Any) -> list[Any]:
    return [
        torch.empty(6), torch.empty(3, 5), torch.empty(8, 4).t(), torch.empty(2, 3, 4),
        torch.empty(2, 0), torch.Tensor((3, 5), (10, 1)), torch.Tensor((4, 6), (0, 1)),
        torch.empty(1, 9), torch.empty(5, 3, dtype=torch.float16), torch.empty(64, 2),
        torch.Tensor((1, 7), (50, 1)), torch.empty(15, 5), torch.Tensor((4,), (2,)),
    ]  # fmt: skip


def executed(file: Path, function: str, a: int, b: int, n: int) -> Iterator[tuple[Seen, Any, Any]]:
    names, seen, made = program(file)
    seen.clear()
    x, y = tensors(made)[a], tensors(made)[b]
    raised = (
        RuntimeError, AssertionError, TypeError, ValueError, IndexError, ZeroDivisionError,
        UnboundLocalError,
    )  # fmt: skip
    with suppress(*raised):
        names[function](x, y, n)
    for one in seen:
        yield one, tensors(made)[a], tensors(made)[b]


@cache
def families(file: Path) -> list[tuple[Kernel, Family]]:
    return [(k, f) for k in PYTHON.read(file).kernels.values() for f in k.families]


def asked(name: str, x: Any) -> dict[str, int]:
    """Return what a tensor answers, under what families call that."""
    found = {"dim": x.dim(), "numel": x.numel(), "contiguous": int(x.is_contiguous())}
    titles = {"dim()": x.dim(), "numel()": x.numel(), "contiguous": found["contiguous"]}
    for axis, (size, stride) in enumerate(zip(x.shape, x.stride(), strict=True)):
        for n in (axis, axis - x.dim()):
            found |= {f"size_{n}".replace("-", "_"): size}
            titles |= {f"size({n})": size, f"stride({n})": stride}
    return {f"{name}_{k}": v for k, v in found.items()} | {
        f"{k} of the tensor {name}": v for k, v in titles.items()
    }


def shown(value: Any) -> str:
    """Return a constant as a note has it."""
    return repr(value)


def is_program(kernel: Kernel, family: Family, seen: Seen) -> bool:
    """Is this the program that Triton compiles for what a launch was given?"""
    said = {n.text: n.why for n in family.notes}
    if seen.compiled is not None and not _is_same(seen.compiled, seen.given):
        return False
    for name, value in seen.given.items():
        constants = [s for s in said if s.startswith(f"constexpr {name} = ")]
        if constants and name in HINTS:
            continue
        if constants:
            others = re.findall(r"the same for ([^,]+)", said[constants[0]])
            if constants != [f"constexpr {name} = {shown(value)}"] and shown(value) not in others:
                return False
            continue
        type = next(p.type for p in kernel.params if p.name == name)
        if isinstance(type, Int):
            if not isinstance(value, int) or not type.low <= value <= type.high:
                return False
        elif type is None:
            if not isinstance(value, (int, float)):
                return False
        elif not hasattr(value, "shape"):
            return False
    return True


def _is_same(compiled: dict[str, Any], given: dict[str, Any]) -> bool:
    """Is a program launched with what it was compiled for?"""
    for name, value in compiled.items():
        other = given[name]
        if hasattr(value, "shape"):
            if not hasattr(other, "dtype") or value.dtype != other.dtype:
                return False
        elif value != other:
            return False
    return True


def is_of(kernel: Kernel, family: Family, seen: Seen, given: dict[str, int]) -> bool:
    """Is a launch of a program, with the tensors as they were?"""
    if not is_program(kernel, family, seen):
        return False
    arguments = []
    for p in kernel.params:
        value = seen.given[p.name]
        if hasattr(value, "shape"):
            element = next(a.element for a in kernel.arrays if a.name == p.array)
            value = (0, 0, value.extent() * element)
        arguments.append(value)
    fixed = {}
    for note in family.notes:
        what, _, rest = note.why.partition(", ")
        words = note.text.split()
        if what in given and words[0] == "assume" and words[2] in ("<=", "==") and rest:
            fixed[words[1]] = given[what]
    launched = Launched(seen.line, seen.grid, kernel.block or (1, 1, 1), 0, tuple(arguments))
    return covers(kernel, family, launched, fixed, exactly=True)


def judged(file: Path, function: str, a: int, b: int, n: int) -> int:
    """Return how many launches there are, of which each is of a family or said not to be known."""
    seen = 0
    for launched, x, y in executed(file, function, a, b, n):
        if not all(1 <= e <= 65535 for e in launched.grid):
            continue
        if any(launched.given.get(p) == 0 for p in ("BLOCK",)):
            continue  # Triton compiles no tensor without elements
        seen += 1
        given = asked("x", x) | asked("y", y)
        own = [(k, f) for k, f in families(file) if k.name == launched.kernel]
        at = [(k, f) for k, f in own if f.place.line == launched.line]
        at = at or [(k, f) for k, f in own if f.host == "Python" and f.trouble]
        assert at, f"nothing is said of line {launched.line}"
        try:
            known = any(is_of(k, f, launched, given) for k, f in at if not f.trouble)
        except InputError as error:  # it is said
            known = "the divisor of" in str(error)
        wrong = (file.read_text(), a, b, n, launched.line, launched.grid, launched.given)
        assert known or any(f.trouble or not meant(f, given) for _, f in at), wrong
    return seen


@pytest.mark.parametrize(("file", "function"), EXECUTED, ids=[f for _, f in EXECUTED])
def test_what_is_launched_is_of_a_program(file: Path, function: str) -> None:
    seen = 0
    for n, (a, b) in product(NUMBERS, product(range(13), repeat=2)):
        if (a + 3 * b + n) % (2 if a == b else 29) == 1:
            seen += judged(file, function, a, b, n)
    assert seen >= 3


def test_most_launches_are_understood() -> None:
    good = {f.place.line for _, f in families(FILES[0]) if not f.trouble}
    lost = {f.place.line for _, f in families(FILES[0]) if f.trouble}
    assert len(FUNCTIONS) >= 40 and len(good - lost) >= 25


@pytest.mark.parametrize(
    ("above", "followed"),
    [
        ("@triton.jit", True),
        ("@other.wrapped\n@triton.jit", False),
        ("@triton.heuristics(FOUND)\n@triton.jit", False),
        ('@triton.heuristics({"B": lambda args: 4})\n@triton.jit', True),
    ],
)
def test_what_another_decorator_makes_of_a_launch_is_not_known(above: str, followed: bool) -> None:
    text = f"""import other
import triton
import triton.language as tl
{above}
def k(x, n, B: tl.constexpr = 8):
    tl.store(x + tl.arange(0, B), 0.0, mask=tl.arange(0, B) < n)
def f(x):
    k[(1,)](x, x.numel())
"""
    assert bool(launches_of("k.py", text)) is followed


@pytest.mark.parametrize(
    ("line", "followed"),
    [
        ("print(k.__name__)", True),
        ("k.configs.append(more)", False),
        ("k.fn[(1,)](x, 3)", False),
        ("k.best_config.kwargs['B'] = 3", False),
        ("k.src = x", False),
        ("@other(k)\n  def g(): pass", False),
        ("def g(l=k): l[(1,)](x, 3)", False),
        ("class C(other(k)): pass", False),
    ],
)
def test_what_else_is_done_with_a_kernel_may_launch_it(line: str, followed: bool) -> None:
    text = f"""import triton
import triton.language as tl
@triton.jit
def k(x, n, B: tl.constexpr = 8):
    tl.store(x + tl.arange(0, B), 0.0, mask=tl.arange(0, B) < n)
def f(x, other, more):
  k[(1,)](x, x.numel())
  {line}
"""
    assert all(not one.family.trouble for one in launches_of("k.py", text)["k"]) is followed


@pytest.mark.parametrize(
    ("above", "parameter", "given", "types"),
    some(
        [
            ("", "n", "m", ["type n = i32", "type n = i64"]),
            ("", "n: tl.int64", "m", ["type n = i64"]),
            ("", "n: tl.int32", "m", ["type n = i32"]),
            ("", "n: 'i8'", "m", []),
            ("", "n: tl.uint32", "m", []),
            ("", "n", "1", ["constexpr n = 1"]),
            ("", "n: tl.int64", "1", ["type n = i64"]),
            ("(do_not_specialize=['n'])", "n", "1", ["type n = i32"]),
        ],
        3,
    ),
)
def test_types_that_parameters_are_said_to_have(
    above: str, parameter: str, given: str, types: list[str], tmp_path: Path
) -> None:
    file = tmp_path / "k.py"
    file.write_text(f"""import triton
import triton.language as tl
@triton.jit{above}
def k(x, {parameter}, B: tl.constexpr):
    at = tl.program_id(0) * B + tl.arange(0, B)
    tl.store(x + at, 0.0, mask=at < n)
def f(x):
    m = x.numel()
    k[(triton.cdiv(m, 64),)](x, {given}, B=64)
""")
    found = [f for k in PYTHON.read(file).kernels.values() for f in k.families]
    said = {n.text for f in found for n in f.notes}
    assert sorted(t for t in said if re.match(r"\w+ n = ", t) and t[:4] != "arg ") == types
    assert all(bool(f.trouble) is (not types) for f in found)


def test_a_note_says_what_a_launch_does_not_say(tmp_path: Path) -> None:
    file = tmp_path / "k.py"
    file.write_text("""import triton
import triton.language as tl
# symcute: constexpr B = 1024
@triton.jit
def k(x, n, B: tl.constexpr):
    at = tl.arange(0, B)
    tl.store(x + at, 0.0, mask=at < n)
def f(x, unknown):
    k[(1,)](x, x.numel(), B=64)
    k[(1,)](x, x.numel(), B=unknown.size)
""")
    families = [f for k in PYTHON.read(file).kernels.values() for f in k.families]
    said = {(f.place.line, n.text) for f in families for n in f.notes}
    assert {s for s in said if "constexpr B" in s[1]} == {
        (9, "constexpr B = 64"), (10, "constexpr B = 1024")
    }  # fmt: skip


@pytest.mark.full
def test_programs_cover_every_number_that_is_given(tmp_path: Path) -> None:
    file = tmp_path / "k.py"
    file.write_text("""import triton
import triton.language as tl
@triton.jit
def odd(x, n, B: tl.constexpr):
    at = tl.arange(0, B)
    tl.store(x + (n - 4) // 8 + at, 0.0, mask=at < 100)
@triton.jit
def plain(x, n, m, B: tl.constexpr):
    at = tl.arange(0, B)
    tl.store(x + at // m, 0.0, mask=at < n)
def f(x, n: int):
    if n < 1 or n > 3 or x.numel() != 1024:
        return
    odd[(1,)](x, n, B=128)
def g(x, n: int, m: int):
    plain[(1,)](x, n or 5, m, B=128)
""")
    found = check_kernel(file, properties=("in_bounds",))
    wrong = [f for f in found if f.status == "refuted" and f.kernel == "odd"]
    # Python rounds -3 // 8 down, where n is a constant since it is 1.
    assert [f.counterexample.dims["n"] for f in wrong if f.counterexample] == [1]
    plain = [(k, k.families[0]) for k in PYTHON.read(file).kernels.values() if k.name == "plain"]
    tensor = {"x_numel": 1024, "x_contiguous": 1}
    for n, m in product((-(1 << 40), -1, 0, 1, 2, 1 << 40), repeat=2):
        fits = [setting(k, f).given.hold({**tensor, "n": n, "m": m}) for k, f in plain]
        assert fits.count(True) == 1, (n, m)


@pytest.mark.parametrize(
    ("before", "given", "followed"),
    [
        ("", "x[1:], x", False),
        ("z = x.transpose(0, 1)", "z, x", False),
        ("z = x[::2]\n    w = z.unsqueeze(0)", "w, x.t()", False),
        ("z = z[1:]", "z, z.T", False),
        ("z = x[::2]", "z, y", True),
        ("z = torch.empty_like(x)", "x[1:], z", True),
        ("z, w = x.split(3)", "z, w", True),
    ],
)
def test_views_that_are_not_followed_are_the_memory_of_their_tensor(
    before: str, given: str, followed: bool
) -> None:
    text = f"""import torch
import triton
import triton.language as tl
@triton.jit
def k(x, out, n, B: tl.constexpr):
    at = tl.arange(0, B)
    tl.store(out + at, tl.load(x + at, mask=at < n), mask=at < n)
def f(x, y, n):
    {before}
    k[(1,)]({given}, n, B=32)
"""
    (one,) = launches_of("k.py", text)["k"]
    assert one.family.trouble == ("" if followed else "x and out are the same memory")


def test_a_verdict_is_joined_of_all_programs(tmp_path: Path) -> None:
    file = tmp_path / "k.py"
    file.write_text("""import triton
import triton.language as tl
@triton.jit
def k(x, n, B: tl.constexpr):
    at = tl.program_id(0) * B + tl.arange(0, B)
    tl.store(x + at, 0.0, mask=at < n)
def f(x):
    m = x.numel()
    k[lambda meta: (triton.cdiv(m, meta["B"]),)](x, m, B=64)
""")
    found = check_kernel(file, properties=("in_bounds",))
    assert sorted(f.status for f in found) == ["proved", "refuted"]
    (wrong,) = [f for f in found if f.status == "refuted"]
    assert wrong.counterexample is not None
    assert max(wrong.counterexample.dims.values()) >= 1 << 31
    (right,) = [f for f in found if f.status == "proved"]
    rests = " ".join(right.rests_on)
    assert "x is contiguous: not checked" in rests and "type n = i32" in rests


def test_where_there_are_too_many_programs_those_of_64_bits_are_said_to_be_left_out(
    tmp_path: Path,
) -> None:
    file = tmp_path / "k.py"
    names = [f"n{k}" for k in range(8)]
    configs = ", ".join(f"triton.Config({{'B': {1 << k}}})" for k in range(5, 18))
    file.write_text(f"""import torch
import triton
import triton.language as tl
@triton.autotune(configs=[{configs}], key=[])
@triton.jit
def k(x, {", ".join(names)}, B: tl.constexpr):
    at = tl.program_id(0) * B + tl.arange(0, B)
    tl.store(x + at, 0.0, mask=at < {" + ".join(names)})
def f(x, {", ".join(f"{n}: int" for n in names)}):
    if n1 > 2**31 + 4:
        k[(4,)](x, {", ".join(names)})
""")
    found = [f for kernel in PYTHON.read(file).kernels.values() for f in kernel.families]
    assert len(found) == 13 and not any(f.trouble for f in found)
    for family in found:
        said = {n.text: n.why for n in family.notes}
        assert "type n0 = i32" in said and "type n1 = i64" in said
        limits = [why for text, why in said.items() if text.startswith("assume n0 < 2147483648")]
        assert limits == ["n0 has 32 bits up to there; others are not checked"]
