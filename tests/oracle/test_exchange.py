"""Does NVIDIA read what we write, and do we read what NVIDIA prints?"""

from __future__ import annotations

import json
import random
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from symcute.interop import dsl_facts, from_cpp, from_dsl, to_cpp, to_dsl
from symcute.layout.layout import Layout

from . import cpp, dsl
from .recorded import DSL, HEADERS, packed, recorded, unpacked

DIMS = {"M": 12, "N": 20}
GIVEN = ["M % 4 == 0", "N % 4 == 0", "N >= M"]
SYMBOLIC = [
    "(4,M):(N,1)",
    "((4,M),(N,2)):((1,4),(4*M,-1))",
    "(M/4,4):(4,1)",
    "((M),N):((N*M),M**2-N)",
    "(ceil_div(M,8),8):(floor_div(N,8),mod(N,8))",
    "(min(M,N),max(M,16)):(-M,(M+N)/4)",
    "8:floor_div(N-M,3)",
    "(3*(M/4)*(N+1),M*N+N):(1,0)",
    "M:1",
]


def static_layouts(count: int) -> list[Layout]:
    chance = random.Random(5)

    def shape(depth: int) -> object:
        if depth == 0 or chance.random() < 0.4:
            return chance.choice([1, 2, 3, 4, 5, 8, 11, 13, 128, 2**20 + 1])
        return tuple(shape(depth - 1) for _ in range(chance.randint(1, 3)))

    def stride(s: object) -> object:
        if isinstance(s, tuple):
            return tuple(stride(x) for x in s)
        return chance.choice([0, 1, 2, 7, 8, 11, 100, -1, -7, -16, 2**19, 2**33, -(2**40)])

    shapes = [shape(3) for _ in range(count)]
    return [Layout(s, stride(s)) for s in shapes]


def test_cpp_compiles_what_we_write_and_prints_what_we_read():
    layouts = static_layouts(60)
    symbolic = [Layout.parse(text) for text in SYMBOLIC]
    calls = [to_cpp(layout) for layout in layouts]
    calls += [f"{to_cpp(layout, form='type')}{{}}" for layout in layouts]
    calls += [to_cpp(layout, given=GIVEN) for layout in symbolic]
    printed = recorded("exchange", HEADERS, calls, lambda: printed_by_cute(calls))
    for k, layout in enumerate(layouts):
        assert printed[k] == printed[k + len(layouts)] == to_cpp(layout, form="printed")
        assert from_cpp(printed[k]) == layout
    for text, layout in zip(printed[2 * len(layouts) :], symbolic, strict=True):
        assert from_cpp(text) == layout.at(DIMS)


def printed_by_cute(calls: list[str]) -> list[str]:
    """What CuTe prints for the expressions, compiled in one program."""
    lines = [f"print({call});" for call in calls]
    dims = " ".join(f"int {name} = {value};" for name, value in DIMS.items())
    source = (
        "#include <cstdio>\n#include <cute/layout.hpp>\nusing namespace cute;\n"
        f"int main() {{ {dims}\n" + '\nprintf("\\n");\n'.join(lines) + "\n}\n"
    )
    with tempfile.TemporaryDirectory() as folder:
        errors = cpp.compile_program(source, Path(folder))
        assert not errors, errors[:2000]
        run = subprocess.run(
            [Path(folder) / "program"], capture_output=True, text=True, check=True, timeout=60
        )
    return run.stdout.splitlines()


def test_dsl_prints_what_we_read():
    layouts = [x for x in static_layouts(80) if all(abs(d) < 2**31 for _, d in x.modes())]
    assert len(layouts) > 20
    requests = [dsl.Request("slice_", (None, {"layout": _lists(x)})) for x in layouts]
    questions = [json.dumps(r.args) for r in requests]
    said = recorded("dsl_prints", DSL, questions, lambda: list(map(packed, dsl.ask(requests))))
    for layout, answer in zip(layouts, map(unpacked, said), strict=True):
        assert answer.text is not None, answer.error
        assert from_dsl(answer.text) == layout
        assert from_dsl(f'!cute.layout<"{answer.text}">') == layout


def _lists(layout: Layout) -> list[object]:
    def of(t: object) -> object:
        return [of(x) for x in t] if isinstance(t, tuple) else t

    return [of(layout.shape), of(layout.stride)]


PROGRAM = """
import os, sys
import cutlass, cutlass.cute as cute

@cute.jit
def run(M: cutlass.Int32, N: cutlass.Int32):
    N = cute.assume(N, divby=4)
{lines}
    sys.stdout.flush()
    os._exit(0)

run({M}, {N})
"""


@pytest.fixture(scope="module")
def printed_by_dsl() -> list[str]:
    """What the DSL prints for our text of layouts with run-time integers."""
    texts = [to_dsl(Layout.parse(text), given=GIVEN) for text in SYMBOLIC]
    return recorded("dsl_takes", DSL, texts, lambda: run_by_dsl(texts))


def run_by_dsl(texts: list[str]) -> list[str]:
    lines = "\n".join(f"    print({text})" for text in texts)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "program.py"
        path.write_text(PROGRAM.format(lines=lines, **DIMS))
        run = subprocess.run([sys.executable, path], capture_output=True, text=True, timeout=120)
    assert run.returncode == 0, run.stderr[-2000:]
    return run.stdout.splitlines()


def test_dsl_takes_what_we_write(printed_by_dsl: list[str]):
    assert len(printed_by_dsl) == len(SYMBOLIC)
    for printed, text in zip(printed_by_dsl, SYMBOLIC, strict=True):
        layout = Layout.parse(text)
        # Static integers stand where they stood; the others have no name.
        leaves = [x for pair in zip(*layout.modes(), strict=True) for x in pair]
        unnamed = re.sub(r"\{[^{}]*\}", "", printed)
        shown = re.findall(r"\?|-?[0-9]+", unnamed)
        assert [x for x in shown if x != "?"] == [str(x) for x in leaves if isinstance(x, int)]
        names = [str(x).replace(" ", "") for x in leaves if not isinstance(x, int)]
        if all(re.fullmatch(r"\w+", name) for name in names):
            assert from_dsl(printed, names) == layout


def test_dsl_states_divisors(printed_by_dsl: list[str]):
    assert "div=4" in printed_by_dsl[0]
    assert dsl_facts(printed_by_dsl[0], "M N") == ("N % 4 == 0",)
