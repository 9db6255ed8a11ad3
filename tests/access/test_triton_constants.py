"""Constexprs for which an argument of 32 bits is taken, against the programs of their values."""

from __future__ import annotations

import ast
import random
from pathlib import Path

import pytest

from symcute.frontends.triton.compiler import Compiler
from symcute.frontends.triton.constants import Constants, constants
from symcute.frontends.triton.launched import Given, Launched
from symcute.frontends.triton.members import Tuning, members
from symcute.frontends.triton.reading import program
from symcute.frontends.triton.source import jitted
from symcute.kernel.ir.families import Family
from symcute.kernel.ir.interpreter import run as execute
from symcute.kernel.ir.program import Kernel, NotUnderstood
from symcute.kernel.ir.setting import Setting
from symcute.kernel.ir.verify import verified
from tests.full import many

_HEAD = "import triton\nimport triton.language as tl\n\n\n"
_VALUES = (-7, 0, 1, 3, 8, 1 << 30)


def uses(*lines: str) -> Constants:
    body = "\n".join(f"    {line}" for line in lines)
    text = f"def k(x, n, N: tl.constexpr, B: tl.constexpr):\n{body}\n"
    (node,) = ast.parse(text).body
    assert isinstance(node, ast.FunctionDef)
    return constants(node, text)


@pytest.mark.parametrize(
    "line",
    [
        "tl.store(x + tl.program_id(0) * N, 0.0)",
        "tl.store(x, 0.0, mask=tl.arange(0, B) < N)",
        "for i in range(0, N, B): tl.store(x + i, 0.0)",
        "half = N // 2; tl.store(x + tl.program_id(0) * half, 0.0)",
        "if N > 4: tl.store(x, 0.0)",
        "tl.store(x + tl.program_id(0) // (N - 3), 0.0)",
        "tl.store(x + tl.program_id(0) * (N - 1), 0.0)",
        "tl.store(x + tl.program_id(0) % tl.cdiv(N, 2), 0.0)",
        "a = 4 if N > 2 else 7; tl.store(x + tl.program_id(0) + a // 2, 0.0)",
    ],
)
def test_a_size_is_an_integer_like_any_other(line: str) -> None:
    assert "N" in uses(line).sizes


@pytest.mark.parametrize(
    "line",
    [
        "tl.store(x + tl.arange(0, N), 0.0)",
        "at = tl.zeros((N,), tl.int32); tl.store(x + at, 0.0)",
        "if N is None: tl.store(x, 0.0)",
        "half: tl.constexpr = N // 2; tl.store(x + half, 0.0)",
        # Rounded down, and to 0.
        "tl.store(x + tl.program_id(0) + (N - 9) // 2, 0.0)",
        "a = N - 9; tl.store(x + tl.program_id(0) + a // 2, 0.0)",
        "a = N - n; tl.store(x + tl.program_id(0) + a % 4, 0.0)",
        "a = N; a //= -2; tl.store(x + tl.program_id(0) + a, 0.0)",
        "a = n; a -= 9; tl.store(x + tl.program_id(0) + (N + a) // 2, 0.0)",
        "a = helper(n); tl.store(x + tl.program_id(0) + (N - a) // 2, 0.0)",
        "for i in tl.static_range(4): tl.store(x + tl.program_id(0) + (N - i) // 2, 0.0)",
        "tl.store(x + tl.program_id(0) + tl.cdiv(N - 9, 2), 0.0)",
        # It chooses among constants, which an argument makes tensors of.
        "a = 4 if N > 2 else -7; tl.store(x + tl.program_id(0) + a // 2, 0.0)",
        "a = 4 if not N > 2 else n - 7; tl.store(x + tl.program_id(0) + helper(a), 0.0)",
        "tl.store(x + tl.program_id(0) + (4 if N > 2 else -7) // 2, 0.0)",
        # What is imported may give a constant.
        "a = given(tl.program_id(0)); tl.store(x + tl.program_id(0) + a // N, 0.0)",
        "a = module.given(tl.program_id(0)); tl.store(x + tl.program_id(0) + a % N, 0.0)",
        "tl.store(x + helper(N), 0.0)",
        "tl.store(x + (N << 2), 0.0)",
        "tl.store(x + (N ** 2), 0.0)",
        "tl.store(x + tl.program_id(0) * (N > 3) * 2, 0.0)",
        "N = N + 1; tl.store(x + tl.program_id(0) * N, 0.0)",
        "a = tl.load(x).to(tl.int8) * N; tl.store(x + a, 0.0)",
        "tl.store(x + tl.program_id(0), 0.0, mask=N)",
    ],
)
def test_what_tells_a_constant_from_an_argument_is_no_size(line: str) -> None:
    assert "N" not in uses("def helper(a): return a", line).sizes


@pytest.mark.parametrize(
    ("before", "chosen", "is_size"),
    [
        ("a = 4", "a = 7", True),
        ("a = 4", "a = -7", False),
        ("a = -7", "a = 4", False),
        ("a = -7", "a = tl.load(x)", False),
        ("a = tl.load(x)", "a = tl.load(x) - 7", True),
        ("a = 4", "a: tl.constexpr = -7", False),
        ("a = 4", "a -= 7", False),
    ],
)
def test_a_size_chooses_among_constants(before: str, chosen: str, is_size: bool) -> None:
    lines = (before, "if N > 2:", f"    {chosen}", "tl.store(x + tl.program_id(0) + a // 2, 0.0)")
    assert ("N" in uses(*lines).sizes) == is_size


def test_what_else_is_done_with_constants() -> None:
    found = uses("if B and not N:", "    tl.store(x, tl.load(x).to(n))")
    assert found.truths == {"N", "B"} and found.types == {"n"} and not found.idle
    assert uses("tl.store(x, 0.0)").idle == {"N", "B", "n"}
    assert uses("a = N // 2; tl.store(x + tl.program_id(0) * a, 0.0)").counted == {"N"}


@pytest.mark.parametrize(
    ("line", "given", "type"),
    [
        ("tl.store(x + tl.program_id(0) * N, 0.0)", Given("number", "rows"), "i32"),
        ("tl.store(x + tl.program_id(0) * N, 0.0)", Given("", "rows"), "fp32"),
        ("tl.store(x, tl.load(x) * other.scaled(N))", Given("float"), "fp32"),
        # It may be None, of which a function may ask.
        ("tl.store(x, tl.load(x) * other.scaled(N))", Given("", "rows"), ""),
        ("tl.store(x + (tl.program_id(0) + (N - 9) // 2), 0.0)", Given("number", "rows"), ""),
        ("tl.store(x + tl.arange(0, 4) * N, 0.0)", Given("word", word="rows"), ""),
    ],
)
def test_what_is_no_number_for_certain_is_no_argument(line: str, given: Given, type: str) -> None:
    text = f"{_HEAD}@triton.jit\ndef k(x, n, N: tl.constexpr, B: tl.constexpr):\n    {line}\n"
    (kernel,) = jitted("k.py", text)
    launch = {"x": Given("tensor", "*fp32"), "n": Given("number", "n"), "N": given}
    family = Family(kernel.place, "f", ())
    found = list(members(kernel, Launched(family, launch), Tuning(constexprs=frozenset("NB"))))
    assert found and all(m.types.get("N", "") == type for m in found)


@pytest.mark.parametrize(("type", "is_argument"), [("i32", True), ("i8", False), ("u16", False)])
def test_no_size_is_an_argument_beside_narrow_numbers(type: str, is_argument: bool) -> None:
    line = "tl.store(x + (tl.program_id(0) + N), 0.0)"
    (kernel,) = jitted("k.py", f"{_HEAD}@triton.jit\ndef k(x, n, N: tl.constexpr):\n    {line}\n")
    launch = {"x": Given("tensor", "*fp32"), "n": Given("number", "n"), "N": Given("number", "r")}
    tuning = Tuning(constexprs=frozenset("N"), types={"n": type})
    found = list(members(kernel, Launched(Family(kernel.place, "f", ()), launch), tuning))
    assert found and all(("N" in m.types) == is_argument for m in found)


# --- drawn kernels --------------------------------------------------------------------------------


class Drawn:
    """A kernel at random: sums, products and quotients of constants, arguments and tensors."""

    def __init__(self, seed: int) -> None:
        self.draw = random.Random(seed)
        self.names = ["N", "N", "n", "B", "row"]
        lines = ["row = tl.program_id(0)", "at = tl.arange(0, 4)"]
        for name in ("a", "b"):
            lines.append(f"{name} = {self.number(2)}")
            self.names.append(name)
        if self.draw.random() < 0.5:
            lines.append(f"a {self.draw.choice(['+=', '-=', '//='])} {self.number(1)}")
        if self.draw.random() < 0.4:
            lines.append(f"if {self.number(1)} {self.draw.choice(['<', '>=', '=='])} 3:")
            lines.append(f"    tl.store(x + {self.number(2)} + at, 1.0)")
        end = f"tl.minimum(row + {self.number(1)}, 3)"
        lines.append(f"for i in range({self.draw.choice(['N', end, 'a'])}):")
        lines.append(
            f"    tl.store(x + i + {self.number(2)} + at, 2.0, mask=at < {self.number(1)})"
        )
        self.text = _HEAD + "@triton.jit\ndef k(x, n, N: tl.constexpr, B: tl.constexpr):\n"
        self.text += "".join(f"    {line}\n" for line in lines)

    def number(self, depth: int) -> str:
        if depth == 0 or self.draw.random() < 0.2:
            return self.draw.choice([*self.names, str(self.draw.randint(0, 5))])
        a, b = self.number(depth - 1), self.number(depth - 1)
        op = self.draw.choice(["+", "-", "*", "//", "%", "cdiv"])
        return f"tl.cdiv({a}, {b})" if op == "cdiv" else f"({a} {op} {b})"


def touched(kernel: Kernel, n: int, size: int | None) -> set[tuple[object, ...]] | None:
    """Return what is touched; None where arithmetic wraps, or is not defined."""
    dims = {p.name: n if p.name == "n" else size for p in kernel.params if p.name in "nN"}
    extents = {a.name: 1 << 40 for a in kernel.arrays}
    setting = Setting((3, 1, 1), kernel.block or (1, 1, 1), extents=extents)
    known = {name: int(v) for name, v in dims.items() if v is not None}
    trace = execute(kernel, setting, known, limit=20_000)
    if trace.wraps or any(f.kind != "bounds" for f in trace.faults) or not trace.complete:
        return None
    return {(t.kind, t.offset, t.block, t.place.line) for t in trace.accesses}


def test_an_argument_touches_what_every_constant_does(tmp_path: Path) -> None:
    compared = sizes = differing = 0
    compiler = Compiler(120)
    try:
        for seed in range(24, 24 + many(12, 300, 120)):  # some of the first differ
            file = tmp_path / f"k{seed}.py"
            file.write_text(Drawn(seed).text, encoding="utf-8")
            (kernel,) = jitted(str(file), file.read_text("utf-8"))
            is_size = "N" in kernel.uses.sizes
            sizes += is_size
            for n in (1, 5):  # of an argument that is 1 Triton makes a constant
                fixed = {"B": 4} | ({"n": 1} if n == 1 else {})
                types = {"x": "*fp32", "N": "i32"} | ({} if n == 1 else {"n": "i32"})
                kernel.types, kernel.constants = types, dict(fixed)
                answer = compiler.ttir(kernel)
                if "error" in answer:
                    continue
                late = verified(program(kernel, answer))
                assert not any(isinstance(s, NotUnderstood) for s in late.body)
                for size in _VALUES:
                    if size < 0 and "N" in kernel.uses.counted:
                        continue
                    kernel.types = {k: t for k, t in types.items() if k != "N"}
                    kernel.constants = {**fixed, "N": size}
                    answer = compiler.ttir(kernel)
                    if "error" in answer:  # there is no such launch
                        continue
                    meant = touched(verified(program(kernel, answer)), n, None)
                    found = touched(late, n, size)
                    if found is None:  # no proof rests on it
                        continue
                    if is_size:
                        compared += 1
                        assert found == meant, (seed, n, size)
                    else:
                        differing += found != meant
    finally:
        compiler.close()
    # Of those that are refused some do differ: the test can tell.
    told = sizes, compared, differing
    assert sizes >= many(2, 4, 4) and compared >= many(14, 40, 40), told
    assert differing >= many(1, 2, 2), told
