"""Kernels of whose launches nothing is known, or too little: each has a contract."""

from __future__ import annotations

import ast
from math import inf
from pathlib import Path

import pytest

from symcute.cli import main
from symcute.expr import limits
from symcute.expr.node import names
from symcute.frontends.cuda import read_kernels
from symcute.frontends.python.front_end import PYTHON
from symcute.frontends.triton.constants import constants
from symcute.frontends.triton.uses import extents
from symcute.kernel.contracts.contract import contract
from symcute.kernel.ir.program import Kernel, NotUnderstood
from symcute.kernel.launch.notes import read_setting

HEAD = "import triton\nimport triton.language as tl\n"
COPY = """
@triton.jit
def copy(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y_ptr + at, tl.load(x_ptr + at, mask=at < n), mask=at < n)
"""
LAUNCH = """
import torch

def f(x):
    y = torch.empty_like(x)
    {}
"""


def read(folder: Path, text: str) -> dict[str, Kernel]:
    file = folder / "mine.py"
    file.write_text(HEAD + text, encoding="utf-8")
    return dict(PYTHON.read(file).kernels)


OF_ROWS = """
@triton.jit
def rows(y_ptr, y_stride_n: tl.constexpr, y_stride_d: tl.constexpr, D: tl.constexpr):
    col = tl.arange(0, D)
    tl.store(y_ptr + tl.program_id(0) * y_stride_n + col * y_stride_d, 1.0)
"""
OF_FOUR = """
@triton.jit
def deep(
    y_ptr, stride_yn: tl.constexpr, stride_yt: tl.constexpr, stride_yi: tl.constexpr,
    stride_yj: tl.constexpr, D: tl.constexpr,
):
    at = y_ptr + tl.program_id(0) * stride_yn + 3 * stride_yt
    row, col = tl.arange(0, D)[:, None], tl.arange(0, D)[None, :]
    tl.store(at + row * stride_yi + col * stride_yj, 1.0)
"""
OF_MANY_WAYS = """
@triton.jit
def ways(y_ptr, n):
    row, col = tl.arange(0, 16), tl.arange(0, 16)
    tl.store(y_ptr + row[:, None] * 16 + col[None, :], 1.0)
    for i in tl.static_range({}):
        if n == i:
            tl.store(y_ptr + row, 2.0)
            if tl.program_id(0) == 5:
                return
    tl.debug_barrier()
    tl.store(y_ptr + col * 16, 1.0)
"""
OF_TILES = """
@triton.jit
def tiles(y_ptr, M, N, stride_m, stride_n, BLOCK: tl.constexpr):
    tiles_n = tl.cdiv(N, BLOCK)
    row = tl.program_id(0) // tiles_n * BLOCK + tl.arange(0, BLOCK)[:, None]
    col = tl.program_id(0) % tiles_n * BLOCK + tl.arange(0, BLOCK)[None, :]
    tl.store(y_ptr + row * stride_m + col * stride_n, 1.0, mask=(row < M) & (col < N))
"""


def test_strides_that_are_constants_are_guessed_as_those_of_rows(tmp_path: Path) -> None:
    (kernel,) = read(tmp_path, OF_ROWS).values()
    assert "constexpr y_stride_n = 4096, constexpr y_stride_d = 1" in kernel.granted[0]
    assert contract(kernel, quick=True).verdicts()["write_race_free"] == "proved"
    # Its neighbour puts each row one element behind the one before.
    (other,) = read(tmp_path, OF_ROWS.replace("* y_stride_n", "* y_stride_d")).values()
    found = contract(other, quick=True)
    lines = {c.text for c in found.conditions if "write_race_free" in c.properties}
    assert found.verdicts()["write_race_free"] != "proved" or "gridDim.x == 1" in lines


@pytest.mark.full
def test_strides_that_are_constants_are_numbers_of_32_bits(tmp_path: Path) -> None:
    (kernel,) = read(tmp_path, OF_FOUR).values()
    assert "stride_yn = 16777216, constexpr stride_yt = 65536" in kernel.granted[0]
    assert contract(kernel, quick=True).verdicts()["write_race_free"] == "proved"


def test_ways_with_barriers_are_not_followed_without_an_end(tmp_path: Path) -> None:
    """Each `if` that may return doubles the ways to the barrier behind them."""
    (kernel,) = read(tmp_path, OF_MANY_WAYS.format(2)).values()
    assert not any(isinstance(s, NotUnderstood) for s in kernel.body)
    (kernel,) = read(tmp_path, OF_MANY_WAYS.format(20)).values()
    (said,) = (s for s in kernel.body if isinstance(s, NotUnderstood))
    assert "too many ways" in said.reason


OF_BATCHES = """
@triton.jit
def batches(y_ptr, stride_b, stride_h, stride_n, stride_d, BLOCK: tl.constexpr, D: tl.constexpr):
    row = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)[:, None]
    col = tl.arange(0, D)[None, :]
    at = tl.program_id(0) * stride_b + tl.program_id(2) * stride_h + row * stride_n + col * stride_d
    tl.store(y_ptr + at, 1.0, mask=(row < 4) & (tl.program_id(2) < 4))
"""


@pytest.mark.full
def test_strides_are_taken_in_the_order_of_parameters(tmp_path: Path) -> None:
    (kernel,) = read(tmp_path, OF_BATCHES).values()
    found = contract(kernel, quick=True)
    assert found.verdicts()["write_race_free"] == "proved"
    lines = [c.line.term for c in found.conditions if "write_race_free" in c.properties]
    assert all(any(n in names(t) for t in lines) for n in ("stride_b", "stride_h", "stride_n"))
    # Its neighbour takes heads as far from each other as rows are.
    (other,) = read(tmp_path, OF_BATCHES.replace("(2) * stride_h", "(2) * stride_n")).values()
    found = contract(other, quick=True)
    texts = {c.text for c in found.conditions if "write_race_free" in c.properties}
    alone = {"gridDim.y == 1", "gridDim.z == 1"}
    assert found.verdicts()["write_race_free"] != "proved" or texts & alone


OF_HALVES = """
@triton.jit
def halves(desc_x, y_ptr, n, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)[:, None] * BLOCK + tl.arange(0, BLOCK)[None, :]
    d = tl.make_tensor_descriptor(desc_x, [n, BLOCK], [BLOCK, 1], [BLOCK, BLOCK])
    p = tl.load(y_ptr + at).to(tl.float16)
    tl.store(y_ptr + at, tl.dot(p, d.load([0, 0])).to(tl.float16))
"""


def test_arrays_are_of_halves_where_nothing_else_is_taken(tmp_path: Path) -> None:
    (kernel,) = read(tmp_path, OF_HALVES).values()
    assert "type desc_x = *fp16, type y_ptr = *fp16, type n = i32" in kernel.granted[0]


OF_HELPERS = """
@triton.jit
def inner(q, lens, n, BLOCK: tl.constexpr):
    at = q + tl.arange(0, BLOCK)
    tl.store(at, tl.load(lens + n))

@triton.jit
def outer(Q, n, M, stride, BLOCK: tl.constexpr):
    M += stride
    inner(Q + n, lens=M, n=n, BLOCK=BLOCK)
"""
OF_MULTIPLES = """
@triton.jit
def multiples(x_ptr, y_ptr, n, K: tl.constexpr, BLOCK: tl.constexpr, KIND: tl.constexpr):
    tl.static_assert(K % (4 * BLOCK) == 0)
    if KIND == 32:
        at = tl.arange(0, BLOCK)[:, None] * BLOCK + tl.arange(0, BLOCK)[None, :]
    x = tl.load(x_ptr + at)
    tl.store(y_ptr + at, tl.dot(x, x.to(tl.int8)).to(tl.int8))
"""
OF_ADDRESSES = """
@triton.jit
def grouped(groups, n, BLOCK: tl.constexpr):
    x = tl.load(groups + tl.program_id(0)).to(tl.pointer_type(tl.float16))
    tl.store(x + tl.arange(0, BLOCK), 0.0)
"""


def test_what_arguments_are_is_guessed_of_what_is_called(tmp_path: Path) -> None:
    (kernel,) = read(tmp_path, OF_HELPERS).values()
    said = "type Q = *fp32, type n = i32, type M = *fp32, type stride = i32, constexpr BLOCK = 64: "
    assert kernel.granted[0].startswith(said)


def test_numbers_are_large_or_of_a_kind_where_nothing_else_is_taken(tmp_path: Path) -> None:
    (kernel,) = read(tmp_path, OF_MULTIPLES).values()
    said = "type x_ptr = *i8, type y_ptr = *i8, type n = i32, constexpr K = 1024, "
    assert kernel.granted[0].startswith(f"{said}constexpr BLOCK = 64, constexpr KIND = 32: ")


def test_addresses_that_are_loaded_are_not_followed(tmp_path: Path) -> None:
    (kernel,) = read(tmp_path, OF_ADDRESSES).values()
    assert kernel.granted[0].startswith("type groups = *i64, ")
    found = contract(kernel, quick=True).verdicts()
    assert {found[p] for p in ("in_bounds", "write_race_free", "aligned")} == {"unknown"}


@pytest.mark.full
def test_programs_that_are_divided_by_a_parameter_have_bounds(tmp_path: Path) -> None:
    (kernel,) = read(tmp_path, OF_TILES).values()
    found = contract(kernel, quick=True)
    assert found.verdicts()["no_overflow"] == found.verdicts()["in_bounds"] == "proved"
    assert "gridDim.x <= 33554432" in {c.text for c in found.conditions}


def test_a_kernel_that_nothing_launches_has_the_contract_of_what_is_guessed(tmp_path: Path) -> None:
    (kernel,) = read(tmp_path, COPY).values()
    said = "type x_ptr = *fp32, type y_ptr = *fp32, type n = i32, constexpr BLOCK = 64"
    assert kernel.granted == (f"{said}: of these alone it is said",)
    found = contract(kernel, quick=True)
    assert found.to_json()["given"] == [*kernel.granted]
    assert found.verdicts()["in_bounds"] == found.verdicts()["write_race_free"] == "proved"
    # Of other types and constants it says nothing, where there is no line either.
    assert found.verdicts()["aligned"] == "proved"
    assert {f.status for f in found.unconditional()} == {"unknown"}
    assert "numel(y_ptr) >= n" in {c.text for c in found.conditions}
    assert all(line.startswith("# ") for line in found.comment())
    # Its neighbour without a mask needs whole blocks.
    (other,) = read(tmp_path, COPY.replace(", mask=at < n)\n", ")\n")).values()
    texts = {c.text for c in contract(other, quick=True).conditions}
    assert "numel(y_ptr) >= n" not in texts and any("gridDim.x" in t for t in texts)


def test_what_is_said_of_a_guess_is_no_success(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(HEAD + COPY, encoding="utf-8")
    for name in ("aligned", "barrier_uniform"):
        with pytest.raises(SystemExit) as ended:
            main(["check", str(tmp_path / "mine.py"), "--property", name, "--no-cache"])
        assert ended.value.code == 1


def test_what_nothing_launches_is_read_beside_what_is_launched(tmp_path: Path) -> None:
    other = COPY.replace("def copy", "def alone")
    helper = "\n@triton.jit\ndef twice(x):\n    return 2 * x\n"
    launch = LAUNCH.format("copy[(triton.cdiv(x.numel(), 64),)](x, y, x.numel(), BLOCK=64)")
    kernels = read(tmp_path, COPY + other + helper + launch)
    assert {k.name for k in kernels.values()} == {"copy", "alone"}
    assert not any(f.trouble for f in kernels["copy"].families) and not kernels["alone"].families


@pytest.mark.full
def test_what_is_known_of_a_launch_is_no_guess(tmp_path: Path) -> None:
    typed = COPY.replace("BLOCK: tl", "KIND: tl.constexpr, COUNT: tl.constexpr, BLOCK: tl")
    typed += "    for k in tl.static_range(COUNT):\n        tl.store(y_ptr + k, 0.0)\n"
    call = "copy[(1,)](x, y, x.numel(), KIND=tl.int8, COUNT=unknown(), BLOCK=32)"
    (kernel,) = read(tmp_path, typed + LAUNCH.format(call)).values()
    assert "the constexpr COUNT" in kernel.families[0].trouble
    assert (
        "constexpr KIND = tl.int8, constexpr COUNT = 4, constexpr BLOCK = 32" in kernel.granted[-1]
    )
    # What a note says is none either.
    noted = COPY.replace("@triton.jit", "# symcute: constexpr BLOCK = 16\n@triton.jit")
    kernels = read(tmp_path, noted + LAUNCH.format("copy[unknown](*x)"))
    (kernel,) = (k for k in kernels.values() if any(f.trouble for f in k.families))
    assert "constexpr BLOCK = 16" in kernel.granted[-1]


@pytest.mark.full
def test_what_is_unrolled_is_repeated_few_times(tmp_path: Path) -> None:
    body = "    for k in tl.static_range(0, MAX_BLOCKS - 1):\n        tl.store(y_ptr + k, 0.0)\n"
    signature = COPY.replace("BLOCK: tl", "MAX_BLOCKS: tl.constexpr, BLOCK: tl")
    (kernel,) = read(tmp_path, signature + body).values()
    assert "constexpr MAX_BLOCKS = 4, constexpr BLOCK = 64" in kernel.granted[-1]
    # An extent of tensors is small where Triton takes it, and that of a product of matrices large.
    few = COPY.replace("BLOCK", "H")
    (kernel,) = read(tmp_path, few).values()
    assert "constexpr H = 4" in kernel.granted[-1]
    tile = (
        "    tile = tl.zeros((H, H), tl.float32)\n    tl.store(y_ptr, tl.sum(tl.dot(tile, tile)))\n"
    )
    (kernel,) = read(tmp_path, few + tile).values()
    assert "constexpr H = 64" in kernel.granted[-1]


def test_kinds_may_be_numbers_and_arrays_may_be_of_integers_by_no_name(tmp_path: Path) -> None:
    made = read(tmp_path, """
@triton.jit
def chosen(x_ptr, y_ptr, LOSS_TYPE: tl.constexpr):
    if LOSS_TYPE == 0:
        value = 1.0
    tl.store(x_ptr + tl.load(y_ptr), value)
""")  # fmt: skip
    (said,) = made["chosen"].granted
    assert said.startswith("type x_ptr = *i32, type y_ptr = *i32, constexpr LOSS_TYPE = 0: ")


def test_what_no_guess_is_taken_of_is_not_understood(tmp_path: Path) -> None:
    (kernel,) = read(tmp_path, COPY.replace("tl.store(y_ptr", "tl.no_such_thing(y_ptr")).values()
    (found,) = kernel.body
    assert isinstance(found, NotUnderstood) and "no_such_thing" in found.reason


@pytest.mark.parametrize(
    ("above", "trouble"),
    [
        ("@triton.autotune(configs=made_of(gone.x), key=[])\n", True),
        ("@triton.autotune(configs=[triton.Config({'BLOCK': 32})], key=[])\n", False),
    ],
)
def test_decorators_that_do_not_run_leave_the_kernel(
    above: str, trouble: bool, tmp_path: Path
) -> None:
    launch = "copy[(triton.cdiv(x.numel(), 32),)](x, y, x.numel())"
    text = "import no_such_module as gone\ndef made_of(x): return x\n" + above + COPY.strip("\n")
    (*_, kernel) = read(tmp_path, text + "\n" + LAUNCH.format(launch)).values()
    assert bool(kernel.families[0].trouble) is trouble
    if trouble:
        assert kernel.families[0].trouble.startswith("what stands above it did not run: ")
        assert kernel.params and kernel.granted[-1].startswith("type x_ptr = *fp32, ")


@pytest.mark.full
def test_what_fails_on_names_of_a_module_leaves_its_kernels(tmp_path: Path) -> None:
    text = "made = []\nfor k in (1, 2):\n    made.append(k and gone.x)\n"
    kernels = read(tmp_path, COPY + "import no_such_module as gone\n" + text)
    assert kernels["copy"].params
    # What it holds by another way than its module is another matter.
    text = "for k in (1,):\n    copy.params.append(k and gone.x)\n"
    kernels = read(tmp_path, COPY + "import no_such_module as gone\n" + text)
    (found,) = kernels["copy"].body
    assert isinstance(found, NotUnderstood)


def used(body: str) -> tuple[dict[str, tuple[str, ...]], frozenset[str]]:
    text = f"def k(x, n, A: tl.constexpr):\n    {body}\n"
    (node,) = ast.parse(text).body
    assert isinstance(node, ast.FunctionDef)
    found = constants(node, text)
    return dict(found.words), found.idle & {"A"}


def test_constexprs_that_are_only_compared_with_texts() -> None:
    assert used("if A == 'relu' or A != 'tanh': tl.store(x, 1)")[0] == {"A": ("relu", "tanh")}
    for other in ("if A: pass", "y = A", "f(A)", "if A == n: pass", "if 'b' == A: pass",
                  "if A == 1: pass", "if A in 'relu': pass", "if A < 'a': pass"):  # fmt: skip
        assert used(f"if A == 'relu': pass\n    {other}")[0] == {}, other


def test_constexprs_that_only_say_how_many_rounds_are_under_way() -> None:
    assert used("for k in tl.range(0, n, num_stages=A): pass")[1]
    for other in ("for k in tl.range(0, n, A): pass", "for k in mine.range(0, num_stages=A): pass",
                  "for k in tl.range(0, n, num_stages=A + 1): pass",
                  "for k in tl.range(0, n, num_stages=A): tl.store(x, A)"):  # fmt: skip
        assert not used(other)[1], other


@pytest.mark.full
def test_a_text_that_is_not_known_is_each_that_matters_and_another(tmp_path: Path) -> None:
    kernel = COPY.replace("BLOCK: tl.constexpr)", "BLOCK: tl.constexpr, MODE: tl.constexpr)")
    kernel += "    if MODE == 'far':\n        tl.store(y_ptr + at + 1, 0.0, mask=at < n)\n"
    call = "copy[(triton.cdiv(x.numel(), 64),)](x, y, x.numel(), BLOCK=64, MODE=mode)"
    launch = LAUNCH.format(call).replace("f(x)", "f(x, mode='')")
    found = [f for k in read(tmp_path, kernel + launch).values() for f in k.families]
    assert not any(f.trouble for f in found)
    said = {n.text for f in found for n in f.notes if n.text.startswith("constexpr MODE")}
    assert said == {"constexpr MODE = 'far'", "constexpr MODE = ''"}
    assert not any("what MODE is given" in f.unknown for f in found)  # a caller gives either
    asked = launch.replace("    copy", "    mode = mode.lower()\n    copy")
    found = [f for k in read(tmp_path, kernel + asked).values() for f in k.families]
    assert all("what MODE is given" in f.unknown for f in found)


def test_an_extent_is_one_on_every_way_through_a_kernel() -> None:
    lines = ["i = tl.arange(0, A)", "j = tl.arange(0, B) if C else 0", "k = C and tl.arange(0, C)"]
    lines += ["for n in range(3):", "  m = tl.arange(0, D)", "  if m:", "    o = tl.arange(0, E)"]
    function = ast.parse("def k():\n" + "".join(f"  {line}\n" for line in lines)).body[0]
    assert isinstance(function, ast.FunctionDef)
    assert extents(function, frozenset("ABCDE")) == {"A", "D"}  # a loop's inside is compiled
    turned = ast.parse("def k():\n  for n in tl.static_range(C):\n    m = tl.arange(0, A)\n").body[
        0
    ]
    assert isinstance(turned, ast.FunctionDef)
    assert extents(turned, frozenset("AC")) == set()


TILES = """
@triton.autotune([triton.Config({"B": 32}), triton.Config({"B": 64})], key=["n"])
@triton.jit
def copy(x_ptr, y_ptr, n, B: tl.constexpr):
    at = tl.program_id(0) * B + tl.arange(0, B)
    tl.store(y_ptr + at, tl.load(x_ptr + at, mask=at < n), mask=at < n)
"""


@pytest.mark.full
def test_what_a_configuration_chooses_leaves_no_launch_that_cannot_be(tmp_path: Path) -> None:
    call = "n = x.numel()\n    copy[lambda m: (triton.cdiv(n, m['B']),)](x, y, n)"
    kernels = read(tmp_path, TILES + LAUNCH.format(call))
    said = {n.text for k in kernels.values() for f in k.families for n in f.notes}
    grids = {text for text in said if text.startswith("launch")}
    assert grids == {f"launch grid=((n + {b} - 1) // {b})" for b in (32, 64)}
    # Where no tensor is so large, the number may be any, and all but one way is never gone.
    of_64 = TILES.replace("tl.arange(0, B)", "tl.arange(0, 64)")
    kernels = read(tmp_path, of_64 + LAUNCH.format(call))
    said = {n.text for k in kernels.values() for f in k.families for n in f.notes}
    assert any(text.startswith("launch") for text in said)
    assert not any("< 0 or 32 <= 0" in text for text in said)


def test_to_read_what_is_assumed_costs_little() -> None:
    text = "__global__ void k(int *x, int n) { x[0] = n; }"
    given = [f"d{i} == 0 or d{j} < {i}*m" for i in range(6) for j in range(6) if i != j]
    (kernel,) = read_kernels(text).kernels.values()
    with limits.budget(inf) as work:
        read_setting(kernel, launch="grid=((m*d1 + 255)//256*d2) block=32", given=given)
    assert work.done <= 300
