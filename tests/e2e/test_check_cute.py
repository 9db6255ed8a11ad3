"""`symcute check FILE.py`: host functions of CuTe DSL, traced with what notes say of arguments."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from symcute.errors import InputError
from symcute.frontends.cutedsl.files import host_functions
from symcute.frontends.cutedsl.source import Host, constant, hosts, kind
from symcute.schemas import schema
from tests.e2e.conftest import Symcute

NOTES = """# symcute: type mA, mB = Float16 (64*M,64*N):(8*ld,1) align 16
# symcute: constexpr room = 4608
# symcute: bank_conflicts 1
"""
STAGED = f"""import cutlass
from cutlass import cute


@cute.kernel
def staged(mA: cute.Tensor, mB: cute.Tensor, copy: cute.TiledCopy, room: cutlass.Constexpr):
    tidx, _, _ = cute.arch.thread_idx()
    bidx, bidy, _ = cute.arch.block_idx()
    gA = cute.local_tile(mA, (64, 64), (bidx, bidy))
    gB = cute.local_tile(mB, (64, 64), (bidx, bidy))
    smem = cutlass.memory.SmemAllocator()
    start = smem.allocate_array(mA.element_type, room, byte_alignment=128)
    sA = cute.make_tensor(start, cute.make_layout((64, 64), stride=(72, 1)))
    thread = copy.get_slice(tidx)
    cute.copy(copy, thread.partition_S(gA), thread.partition_D(sA))
    cute.arch.sync_threads()
    registers = cute.make_fragment_like(thread.partition_S(sA))
    cute.autovec_copy(thread.partition_S(sA), registers)
    cute.autovec_copy(registers, thread.partition_D(gB))


{NOTES}@cute.jit
def through(mA: cute.Tensor, mB: cute.Tensor, room: cutlass.Constexpr):
    op = cute.nvgpu.CopyUniversalOp()
    atom = cute.make_copy_atom(op, mA.element_type, num_bits_per_copy=128)
    threads = cute.make_ordered_layout((16, 8), order=(1, 0))
    copy = cute.make_tiled_copy_tv(atom, threads, cute.make_ordered_layout((1, 8), order=(1, 0)))
    staged(mA, mB, copy, room).launch(grid=[1, 1, 1], block=[128, 1, 1])
"""
TOO_SMALL = STAGED.replace("room = 4608", "room = 4096")
ADDED = """import triton
import triton.language as tl
import cutlass
from cutlass import cute


# symcute: type x = *fp32
# symcute: type n = i32
# symcute: launch grid=(ceil_div(n,256))
# symcute: extent x = n
@triton.jit
def zero(x, n):
    i = tl.program_id(0) * 256 + tl.arange(0, 256)
    tl.store(x + i, 0.0, mask=i < n)


@cute.kernel
def one(mA: cute.Tensor, value: cutlass.Constexpr):
    tidx, _, _ = cute.arch.thread_idx()
    mA[tidx] = mA.element_type(value)


class Filled:
    def __init__(self, value):
        self.value = value

    # symcute: type mA = Float32 (32*N):(1)
    # symcute: constexpr value = 2
    @cute.jit
    def __call__(self, mA: cute.Tensor, n: cutlass.Int32, m: cutlass.Int32 = 3):
        one(mA, self.value).launch(grid=[1, 1, 1], block=[32, 1, 1])
"""


def only(text: str) -> Host:
    (found,) = hosts("k.py", text)
    return found


def test_notes_are_read_without_running_the_file() -> None:
    host = only(STAGED)
    assert (host.name, host.place.line, host.ways) == ("through", 26, 1)
    assert host.types["mB"] == ["tensor", "Float16", [["M", 64], ["N", 64]], [["ld", 8], 1], 16]
    assert host.constants == {"room": 4608}
    method = only(ADDED)
    assert (method.name, method.owner) == ("Filled.__call__", "Filled")
    assert method.parameters == ["mA", "n", "m"] and method.optional == {"m"}
    assert method.types["n"] == ["number", "Int32"] and method.constants == {"value": 2}


def test_without_notes_a_host_function_is_one_that_launches() -> None:
    bare = STAGED.replace("# symcute", "#")
    assert only(bare).types == {}
    helper = "\n\n@cute.jit\ndef helper(x):\n    return x\n"
    assert only(bare + helper).name == "through"
    assert only(bare.replace("def through", "def other") + STAGED).name == "through"
    assert hosts("k.py", bare.replace("from cutlass import cute", "import cute")) == []


@pytest.mark.parametrize(
    ("old", "new", "line", "said"),
    [
        ("(64*M,64*N):", "64*M,64*N:", 22, "is no type of an argument"),
        ("(8*ld,1)", "(8*ld)", 22, "has other strides than modes"),
        ("(8*ld,1)", "(N,1)", 22, "N is an extent and a stride"),
        ("8*ld", "ld+1", 22, "'ld+1' is no size"),
        ("8*ld", "0*ld", 22, "'0*ld' is no size"),
        ("mA, mB =", "mA, mC =", 22, "through has no parameter mC"),
        ("= 4608", "= f(1)", 23, "'f(1)' is no constant"),
        ("room = 4608", "room", 23, "'room' binds nothing"),
        ("constexpr room", "constexpr size", 23, "through has no parameter size"),
        ("bank_conflicts 1", "bank_conflicts 0", 24, "is no note of a host function"),
        ("bank_conflicts 1", "extent mA = n", 24, "is no note of a host function"),
        ("import cutlass\n", "import cutlass as\n", 1, "this is not Python"),
    ],
)
def test_other_notes_are_refused_at_their_line(old: str, new: str, line: int, said: str) -> None:
    assert STAGED.count(old) >= 1
    with pytest.raises(InputError) as caught:
        hosts("k.py", STAGED.replace(old, new, 1))
    assert str(caught.value).startswith(f"k.py:{line}:") and said in str(caught.value)


@pytest.mark.parametrize("text", ["__import__('os')", "a.b.C", "lambda: 1", "[f()]", "1 + 1", ""])
def test_constants_are_never_run(text: str) -> None:
    with pytest.raises(ValueError, match="is no constant"):
        constant(text)


@pytest.mark.parametrize("text", ["", "Float16", "Int32 x", "Int31", "Float16 (M):(1) align"])
def test_other_types_are_refused(text: str) -> None:
    if text == "Float16":  # a number
        assert kind(text) == ["number", "Float16"]
        return
    with pytest.raises(ValueError, match="is no type"):
        kind(text)


def test_a_host_function_is_found_by_its_name(tmp_path: Path) -> None:
    path = tmp_path / "k.py"
    path.write_text(ADDED)
    for name, count in ((None, 1), ("Filled", 1), ("Filled.__call__", 1), ("zero", 0)):
        assert len(host_functions(path, name)) == count
    assert host_functions(tmp_path / "none.py", None) == []


@pytest.mark.full
def test_a_file_is_checked(symcute: Symcute, tmp_path: Path) -> None:
    (tmp_path / "k.py").write_text(STAGED)
    outcome = symcute("check", "k.py", "--json", "--certificates")
    told = json.loads(outcome.out)
    Draft202012Validator(schema("check")).validate(told)
    (kernel,) = told["kernels"]
    assert outcome.code == 0 and told["errors"] == []
    assert set(kernel["verdicts"].values()) <= {"proved", "not applicable"}
    assert len(kernel["verdicts"]) == 15 and kernel["verdicts"]["read_write_race_free"] == "proved"
    again = symcute("recheck", "k.certificates.jsonl")
    assert again.code == 0 and "0 rejected" in again.out, again.out


@pytest.mark.full
def test_what_is_wrong_is_told_at_its_line(symcute: Symcute, tmp_path: Path) -> None:
    (tmp_path / "k.py").write_text(TOO_SMALL)
    outcome = symcute("check", "k.py", "--sarif", "log.sarif", "--html", "page.html")
    assert outcome.code == 1 and "REFUTED  in_bounds" in outcome.out
    assert "where          k.py:13:10" in outcome.out
    (run,) = json.loads((tmp_path / "log.sarif").read_text())["runs"]
    places = [x["locations"][0]["physicalLocation"] for x in run["results"]]
    assert {x["region"]["startLine"] for x in places} == {13, 15, 18}
    assert {x["artifactLocation"]["uri"] for x in places} == {"k.py"}
    assert "through" in (tmp_path / "page.html").read_text()


@pytest.mark.full
def test_settings_say_what_notes_may(symcute: Symcute, tmp_path: Path) -> None:
    (tmp_path / "k.py").write_text(STAGED.replace("# symcute", "#"))
    settings = [
        'files = ["*.py"]', "[kernel.through]",
        'type = { mA = "Float16 (M,N):(8*ld,1) align 16", mB = "Float16 (M,N):(ld,1)" }',
        "template = { room = 4608 }", 'property = ["vectorizable"]',
    ]  # fmt: skip
    (tmp_path / "symcute.toml").write_text("\n".join(settings))
    (kernel,) = json.loads(symcute("check", ".", "--json").out)["kernels"]
    assert kernel["verdicts"] == {"types_agree": "proved", "vectorizable": "proved"}
    # Stores to B are of an element each; with vectors of A that are not aligned it is not so.
    (tmp_path / "symcute.toml").write_text("\n".join(settings).replace("8*ld", "ld"))
    (kernel,) = json.loads(symcute("check", ".", "--json").out)["kernels"]
    assert kernel["verdicts"]["vectorizable"] == "refuted"


@pytest.mark.full
def test_triton_and_cute_stand_in_one_file(symcute: Symcute, tmp_path: Path) -> None:
    (tmp_path / "k.py").write_text(ADDED)
    told = json.loads(symcute("check", "k.py", "--json").out)
    assert {k["kernel"] for k in told["kernels"]} == {"zero", "Filled.__call__"}
    assert all(set(k["verdicts"].values()) <= {"proved", "not applicable"} for k in told["kernels"])
    assert symcute("check", "k.py::Filled").code == 0


@pytest.mark.full
@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("import cutlass\n", "import cutlass\nimport nothing\n", "k.py:2:1: through: it"),
        ("type mA, mB", "type mA", "k.py:26:1: through: what is mB?; write above it: # symcute"),
        ("num_bits_per_copy=128", "num_bits_per_copy=127", "k.py:28:1: through: CuTe DSL does"),
        ("import cutlass\n", "import os; os._exit(3); import cutlass\n", "k.py:26:1: through is"),
    ],
)  # fmt: skip
def test_what_cannot_be_traced_is_a_line(
    symcute: Symcute, tmp_path: Path, old: str, new: str, said: str
) -> None:
    (tmp_path / "k.py").write_text(STAGED.replace(old, new, 1))
    outcome = symcute("check", "k.py")
    lines = "; ".join(outcome.err.splitlines())
    assert outcome.code == 2 and f"symcute: {said}" in lines, outcome.err
