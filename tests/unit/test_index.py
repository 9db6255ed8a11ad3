"""Do index expressions compute the layout, and with fewer operations than the plain form?"""

from __future__ import annotations

import ast
import ctypes
import random
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from symcute.codegen.index import c_expression, python_expression
from symcute.errors import InputError
from symcute.layout.layout import Layout
from symcute.layout.measures import size

#: Layout text, assumptions, and dims to run at (each meets the assumptions).
SYMBOLIC = [
    ("(M,N):(N,1)", (), [{"M": 3, "N": 5}, {"M": 1, "N": 4}, {"M": 4, "N": 1}]),
    ("(M,N):(LD,1)", ("LD >= N",), [{"M": 3, "N": 5, "LD": 7}]),
    ("(M,N,K):(N*K,K,1)", (), [{"M": 2, "N": 3, "K": 4}, {"M": 1, "N": 1, "K": 1}]),
    ("((8,M),(4,N)):((1,32*N),(8,32))", (), [{"M": 3, "N": 2}]),
    ("(128,floor_div(M,128),N):(1,128,M)", ("M % 128 == 0",), [{"M": 256, "N": 3}]),
    ("(128,floor_div(M,128),N):(1,128,M)", (), [{"M": 300, "N": 3}, {"M": 257, "N": 2}]),
    ("(4,ceil_div(M,4),N):(N,4*N,1)", (), [{"M": 7, "N": 3}]),
    ("(4,ceil_div(M,4),N):(N,4*N,1)", ("M % 4 == 0",), [{"M": 8, "N": 3}]),
    ("(M/4,4,N):(-N,M,1)", ("M % 4 == 0",), [{"M": 12, "N": 3}]),
    ("(M,min(M,N),8):(-1,M,-64)", (), [{"M": 3, "N": 2}, {"M": 2, "N": 9}]),
    ("(M,min(M,N),max(N,3)):(1,64,8*M)", ("N >= M",), [{"M": 3, "N": 5}]),
    ("(8,mod(M,8)+1,4):(1,M-N,-N*M)", (), [{"M": 11, "N": 2}, {"M": 3, "N": 9}]),
    ("(8,4):(floor_div(M-N,3),ceil_div(M-N,3))", (), [{"M": 2, "N": 9}, {"M": 9, "N": 2}]),
    ("(8,4):(mod(M-N,3),mod(N-M,3)+1)", (), [{"M": 2, "N": 9}, {"M": 9, "N": 2}]),
    ("(M+1,(N,2)):((M+1)*N,(M**2,0))", (), [{"M": 2, "N": 3}]),
    ("((M+N)/2,3):(3,(M-N)/2)", ("(M+N) % 2 == 0",), [{"M": 5, "N": 3}, {"M": 3, "N": 5}]),
    ("(16,M,2,N):(4,64,1,64*M)", (), [{"M": 3, "N": 2}]),
    ("(2,4,M):(16,1,32)", (), [{"M": 5}]),
    ("(M,1,N):(0,5,2)", (), [{"M": 3, "N": 4}]),
    ("(N,8):(8,1)", ("N == 1",), [{"N": 1}]),
]


def generated(count: int = 300) -> list[Layout]:
    """Static layouts, half of them with powers of two alone."""
    chance = random.Random(20260311)
    found = []
    for k in range(count):
        extents, strides = [1, 2, 4, 8, 16], [0, 1, 2, 4, 8, 32, -1, -4, 64]
        if k % 2:
            extents, strides = [*extents, 3, 5, 6], [*strides, 3, -6, 20]
        rank = chance.randint(1, 5)
        shape = tuple(chance.choice(extents) for _ in range(rank))
        stride = tuple(chance.choice(strides) for _ in range(rank))
        if rank > 2 and k % 3 == 0:
            shape, stride = (shape[:2], *shape[2:]), (stride[:2], *stride[2:])
        found.append(Layout(shape, stride))
    # Permuted compact layouts, where masks can be shared.
    for _ in range(60):
        bits = [chance.randint(1, 3) for _ in range(chance.randint(2, 5))]
        places = list(range(len(bits)))
        chance.shuffle(places)
        stride_of, position = {}, 0
        for p in places:
            stride_of[p] = 1 << position
            position += bits[p]
        found.append(
            Layout(tuple(1 << b for b in bits), tuple(stride_of[k] for k in range(len(bits))))
        )
    return found


STATIC = [Layout.parse(t) for t in ("7:2", "1:0", "4:0", "(4,8):(0,0)", "(8):(-1)", "1:9")]
STATIC += generated()
OPTIONS = [{}, {"shifts": True}, {"quotients": "q"}, {"shifts": True, "quotients": "q"}]

_OPERATORS = {
    ast.Add: lambda a, b: a + b, ast.Sub: lambda a, b: a - b, ast.Mult: lambda a, b: a * b,
    ast.FloorDiv: lambda a, b: a // b, ast.Mod: lambda a, b: a % b,
    ast.LShift: lambda a, b: a << b, ast.RShift: lambda a, b: a >> b,
    ast.BitAnd: lambda a, b: a & b,
}  # fmt: skip
_FUNCTIONS = {"min": min, "max": max}


def value(text: str, names: dict[str, object]) -> object:
    """The value of what python_expression returns: assignments, then an expression."""

    def of(node: ast.expr) -> Any:
        if isinstance(node, ast.Constant):
            return node.value
        if isinstance(node, ast.Name):
            return names[node.id]
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            return -of(node.operand)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            return _FUNCTIONS[node.func.id](*map(of, node.args))
        assert isinstance(node, ast.BinOp), ast.dump(node)
        return _OPERATORS[type(node.op)](of(node.left), of(node.right))

    names = dict(names)
    *assignments, last = ast.parse(text).body
    for line in assignments:
        assert isinstance(line, ast.Assign) and isinstance(line.targets[0], ast.Name)
        names[line.targets[0].id] = of(line.value)
    assert isinstance(last, ast.Expr)
    return of(last.value)


def operations(text: str) -> int:
    return sum(isinstance(n, (ast.BinOp, ast.UnaryOp)) for n in ast.walk(ast.parse(text)))


def plain(layout: Layout) -> str:
    """The form of the definition: every digit divided, reduced and multiplied."""
    terms, before = [], 1
    for extent, stride in layout.modes():
        terms.append(f"i // {before} % {extent} * {stride}")
        before = before * int(extent)
    return " + ".join(terms)


def whole(layout: Layout) -> np.ndarray:
    return np.asarray(layout(np.arange(size(layout))))


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_python_computes_static_layouts(options: dict):
    for layout in STATIC:
        text = python_expression(layout, **options)
        got = value(text, {"i": np.arange(size(layout))})
        assert np.array_equal(np.broadcast_to(got, (size(layout),)), whole(layout)), (layout, text)


@pytest.mark.parametrize("options", OPTIONS, ids=str)
@pytest.mark.parametrize(("text", "assumed", "points"), SYMBOLIC)
def test_python_computes_symbolic_layouts(text: str, assumed: tuple, points: list, options: dict):
    layout = Layout.parse(text)
    code = python_expression(layout, given=assumed, **options)
    for dims in points:
        static = layout.at(dims)
        got = value(code, {"i": np.arange(size(static)), **dims})
        assert np.array_equal(np.broadcast_to(got, (size(static),)), whole(static)), (dims, code)


def test_names_for_modes():
    for layout in STATIC:
        if not isinstance(layout.shape, tuple):
            continue
        names = [f"i{k}" for k in range(layout.rank())]
        at = [np.arange(size(mode)) for mode in layout]
        grid = np.meshgrid(*at, indexing="ij")
        expected = layout(*grid) if len(grid) > 1 else layout(grid[0])
        for options in OPTIONS:
            text = python_expression(layout, names, **options)
            got = value(text, dict(zip(names, grid, strict=True)))
            assert np.array_equal(np.broadcast_to(got, grid[0].shape), expected), (layout, text)


def c_functions() -> tuple[str, list[tuple[Layout, dict[str, int], str]]]:
    """One C file with a function for each expression, and the runs: layout, dims, function."""
    lines, runs = [], []
    todo = [(layout, (), [{}]) for layout in STATIC]
    todo += [(Layout.parse(text), assumed, points) for text, assumed, points in SYMBOLIC]
    for layout, assumed, points in todo:
        for options in OPTIONS:
            name = f"f{len(lines)}"
            *before, last = c_expression(layout, given=assumed, **options).split("\n")
            names = sorted(layout.dims())
            parameters = "".join(f", long long {n}" for n in names)
            unused = "".join(f" (void){n};" for n in ("i", *names))
            body = " ".join([*before, f"out[i] = {last};"])
            lines.append(
                f"void {name}(long long n, long long *out{parameters}) "
                f"{{ for (long long i = 0; i < n; ++i) {{{unused} {body} }} }}"
            )
            runs += [(layout, dims, name) for dims in points]
    return "\n".join(lines) + "\n", runs


@pytest.mark.full
def test_c_computes_every_layout(tmp_path: Path):
    source, runs = c_functions()
    (tmp_path / "f.c").write_text(source)
    flags = ["-std=c99", "-O0", "-Wall", "-Wextra", "-Werror", "-Wno-parentheses", "-shared"]
    command = ["cc", *flags, "-fPIC", tmp_path / "f.c", "-o", tmp_path / "f.so"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[:2000]
    library = ctypes.CDLL(str(tmp_path / "f.so"))
    assert len(runs) > 1000
    for layout, dims, name in runs:
        static = layout.at(dims)
        out = np.empty(size(static), dtype=np.int64)
        own = [ctypes.c_longlong(dims[n]) for n in sorted(layout.dims())]
        library[name](ctypes.c_longlong(out.size), ctypes.c_void_p(out.ctypes.data), *own)
        assert np.array_equal(out, whole(static)), (layout, dims, name)


def test_fewer_operations_than_the_plain_form():
    before = after = shifted = 0
    for layout in STATIC:
        n, m = operations(plain(layout)), operations(python_expression(layout))
        k = operations(python_expression(layout, shifts=True))
        assert m < n, layout
        assert k <= m, (layout, python_expression(layout), python_expression(layout, shifts=True))
        before, after, shifted = before + n, after + m, shifted + k
    assert after < before * 0.55
    assert shifted < after * 0.95


@pytest.mark.parametrize(
    ("layout", "index", "options", "expected"),
    [
        ("(4,8):(1,4)", "i", {}, "i"),
        ("(4,8):(8,1)", "i", {}, "i % 4 * 8 + i / 4"),
        ("(4,8):(8,1)", "i", {"shifts": True}, "((i & 3) << 3) + (i >> 2)"),
        ("(4,8):(8,1)", ("i", "j"), {}, "i * 8 + j"),
        ("(4,1,8):(8,3,1)", ("i", "j", "k"), {}, "i * 8 + k"),
        ("((2,M),8):((1,2),7)", ("i", "j"), {}, "i + j * 7"),
        ("((2,M),8):((1,3),7)", (("a", "b"), "j"), {}, "a + b * 3 + j * 7"),
        ("(4,8):(0,-1)", "i", {}, "-(i / 4)"),
        ("(4,8):(-1,0)", "i", {}, "-(i % 4)"),
        ("(4,8):(-2,1)", "i", {}, "i / 4 - i % 4 * 2"),
        ("(M,N):(-N,1)", ("m", "n"), {}, "n - m * N"),
        ("(2,2,2,2):(2,4,1,8)", "i", {"shifts": True}, "((i & 3) << 1) + ((i >> 2) & 1) + (i & 8)"),
        ("(2,4,8):(32,1,4)", "i", {"shifts": True}, "((i & 1) << 5) + (i >> 1)"),
        ("(M,8,4):(1,4*M,M)", "i", {"shifts": True},
         "i % M + ((i / M) & 7) * (4 * M) + i / (8 * M) * M"),
        ("(2,3,5):(15,5,1)", "i", {"quotients": "q"},
         "const long long q1 = i / 2;\ni % 2 * 15 + q1 % 3 * 5 + q1 / 3"),
        ("(M/128,128):(128,1)", ("i", "j"), {}, "i * 128 + j"),
        ("4:M/4", "i", {}, "i * (M / 4)"),
        ("4:floor_div(M,4)", "i", {}, "i * (M / 4)"),
        ("4:ceil_div(M,4)", "i", {}, "i * ((M + 4 - 1) / 4)"),
        ("4:min(M,N)", "i", {}, "i * (M < N ? M : N)"),
        ("1:0", "i", {}, "0"),
    ],
)  # fmt: skip
def test_expressions_as_printed(layout: str, index: Any, options: dict, expected: str):
    assert c_expression(Layout.parse(layout), index, **options) == expected


def test_facts_fold_what_they_decide():
    layout = Layout.parse("(128,floor_div(M,128),N):(1,128,M)")
    assert c_expression(layout, given="M % 128 == 0") == "i"
    layout = Layout.parse("(8,4):(mod(M,4)+1,min(M,8))")
    assert c_expression(layout, given="M % 4 == 0") == "i % 8 + i / 8 * (M < 8 ? M : 8)"
    assert c_expression(layout, ("i", "j"), given=["M % 4 == 0", "M >= 9"]) == "i + j * 8"
    assert c_expression(Layout.parse("8:floor_div(M,N)+1"), given="M < N") == "i"
    # Without the fact nothing is folded.
    assert "% 4" in c_expression(layout)


@pytest.mark.parametrize(
    ("layout", "index", "options", "words"),
    [
        ("M:1", "M", {}, "not all different"),
        ("(4,8):(1,4)", ("i", "i"), {}, "not all different"),
        ("(4,8):(1,4)", ("i", "j", "k"), {}, "do not fit the shape"),
        ("4:1", ("i",), {}, "do not fit the shape"),
        ("(4,8):(1,4)", ("i", ("j", "k")), {}, "do not fit the shape"),
        ("4:1", "i + 1", {}, "not a name"),
        ("4:1", "int", {}, "not a name"),
        ("(return,2):(2,1)", "i", {}, "not a name"),
        ("4:9223372036854775808", "i", {}, "does not fit 64 bits"),
        ("(2,3,q1):(15,5,1)", "i", {"quotients": "q"}, "q1 is taken"),
        ("(4,8):(1@0,1@1)", "i", {}, "coordinate stride"),
    ],
)
def test_refusals(layout: str, index: Any, options: dict, words: str):
    with pytest.raises(InputError, match=words):
        c_expression(Layout.parse(layout), index, **options)


def test_python_has_its_own_names_and_numbers():
    assert python_expression(Layout(4, 2**63)) == "i * 9223372036854775808"
    assert python_expression(Layout.parse("int:3"), "x") == "x * 3"
    with pytest.raises(InputError, match="not a name for a variable in Python"):
        python_expression(Layout(4), "lambda")
