"""Triton kernels: read through TTIR, lowered, decided, and held to TTIR evaluated in NumPy.

What Triton makes of the kernels is recorded; `pytest --full` has it made again.
"""

from __future__ import annotations

import dataclasses
import json
import random
import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from symcute.errors import InputError
from symcute.expr.expression import value_at
from symcute.frontends import for_file
from symcute.frontends.front_end import SourceError
from symcute.frontends.triton.compiler import Compiler
from symcute.frontends.triton.operations import Function, TtirError
from symcute.frontends.triton.reading import program
from symcute.frontends.triton.source import Jitted, jitted
from symcute.frontends.triton.ttir import read_ttir
from symcute.kernel.checking import check
from symcute.kernel.contracts.contract import contract
from symcute.kernel.ir.interpreter import run as execute
from symcute.kernel.ir.place import Place
from symcute.kernel.ir.program import Havoc, Int, Kernel, NotUnderstood, Pointer
from symcute.kernel.ir.setting import Setting
from symcute.kernel.ir.verify import verified
from symcute.kernel.launch.notes import read_setting
from tests.access.triton import random_kernels, tensors
from tests.full import some
from tests.oracle.recorded import recorded

FILE = Path(__file__).with_name("triton") / "kernels.py"
#: What an execution says of memory; the rest is said of arithmetic, and is written down.
SEEN = ("in_bounds", "write_race_free")


@dataclass
class Case:
    kernel: Jitted
    truth: dict[str, str] = field(default_factory=dict)
    runs: list[dict[str, int]] = field(default_factory=list)


def cases() -> dict[str, Case]:
    """Return the kernels, with what is written above each."""
    text = FILE.read_text(encoding="utf-8")
    found = {k.name: Case(k) for k in jitted("kernels.py", text)}
    here = Case(next(iter(found.values())).kernel)
    for line in text.splitlines():
        if line.startswith("# truth: "):
            here.truth |= dict(p.split("=") for p in line.split()[2:])
        elif line.startswith("# run: "):
            for words in line.split()[2:]:
                pairs = (p.split("=") for p in words.split(",") if words != "*")
                here.runs.append({n: int(v) for n, v in pairs})
        elif match := re.match(r"def (\w+)", line):
            found[match[1]].truth, found[match[1]].runs = here.truth, here.runs
            here = Case(here.kernel)
    return found


CASES = cases()


@cache
def answers() -> dict[str, Any]:
    """Return what Triton makes of each kernel."""
    text = FILE.read_text(encoding="utf-8")
    parts = {m[1]: m[0] for m in re.finditer(r"^def (\w+)[\s\S]*?(?=\n\n\n|\Z)", text, re.M)}

    def ask() -> list[Any]:
        compiler = Compiler(120)
        try:
            found = []
            for k in jitted(str(FILE), text):
                answer = compiler.ttir(k)
                found.append(
                    answer | {"text": re.sub(r'"/[^"]*/([^"/]+\.py)"', r'"\1"', answer["text"])}
                )
            return found
        finally:
            compiler.close()

    questions = [
        json.dumps([parts[n], c.kernel.types, c.kernel.constants]) for n, c in CASES.items()
    ]
    return dict(zip(CASES, recorded("ttir", ("triton",), questions, ask), strict=True))


def lowered(name: str) -> tuple[Kernel, Function]:
    case = CASES[name]
    kernel = verified(program(case.kernel, answers()[name]))
    (function,) = read_ttir(answers()[name]["text"], case.kernel.place)
    return kernel, function


Touches = Counter[tuple[tuple[int, int, int], tensors.Touch]]

# --- executions -----------------------------------------------------------------------------------


def contents(kernel: Kernel, setting: Setting, dims: dict[str, int]) -> dict[str, list[int]]:
    draw = random.Random(7)
    found = {}
    for a in kernel.arrays:
        if a.integer is not None:
            low, high = setting.contents.get(a.name, (0, 9))
            ends = value_at(low, dims), value_at(high, dims)
            size = value_at(setting.extents[a.name], dims)
            found[a.name] = [draw.randint(*ends) for _ in range(size)]
    return found


def touches(name: str, dims: dict[str, int]) -> Touches:
    """Return what TTIR touches, evaluated in NumPy."""
    kernel, function = lowered(name)
    setting = read_setting(kernel)
    arguments: list[Any] = []
    known = {
        p.name: value_at(setting.arguments.get(p.name, p_dim(p.name)), dims)
        for p in kernel.params if isinstance(p.type, Int)
    }  # fmt: skip
    for p in kernel.params:
        if found := re.fullmatch(r"tensordesc<.*\[(.+)\]>", p.text):
            axes = [f"{p.name}_{{}}_{k}" for k in range(found[1].count(",") + 1)]
            shape = [known.pop(n.format("shape")) for n in axes]
            strides = [known.pop(n.format("stride"), 1) for n in axes]
            arguments += [(p.name, shape, strides), *shape, *strides]
        elif p.type == Pointer():
            arguments.append(p.name)
        elif p.name not in known and isinstance(p.type, Int):
            continue
        elif isinstance(p.type, Int):
            arguments.append(known[p.name])
        else:
            arguments.append(None)
    machine = tensors.Machine([a.name for a in kernel.arrays], contents(kernel, setting, dims))
    x, y, z = (value_at(g, dims) for g in setting.grid)
    tensors.run(function, arguments, (x, y, z), machine)
    return Counter(machine.touched)


def p_dim(name: str) -> Any:
    from symcute.expr.assumptions import dims

    return dims(name)


RUNS = [
    pytest.param(n, r, id=f"{n}-{k}")
    for n, c in CASES.items() for k, r in enumerate(c.runs) if "programs" not in r
]  # fmt: skip


@pytest.mark.parametrize(("name", "dims"), RUNS)
def test_programs_touch_what_ttir_touches(name: str, dims: dict[str, int]) -> None:
    kernel, _ = lowered(name)
    setting = read_setting(kernel)
    memory = contents(kernel, setting, dims)
    trace = execute(kernel, setting, dims, memory=memory, limit=10_000_000)
    assert trace.complete and name.startswith("described") >= bool(trace.unsupported)
    found = Counter(
        (t.block, (t.array, t.offset, t.width, t.kind, t.place.line)) for t in trace.accesses
    )
    meant = touches(name, dims)
    assert meant, "nothing is touched"
    compare(found, meant)


def compare(found: Touches, meant: Touches) -> None:
    # A number that several threads need is read by each of them, and what is read twice is alike.
    assert {t for t in found if t[1][3] == "read"} == {t for t in meant if t[1][3] == "read"}
    assert {t: n for t, n in found.items() if t[1][3] != "read"} == {
        t: n for t, n in meant.items() if t[1][3] != "read"
    }


@pytest.mark.full
def test_random_programs_touch_what_ttir_touches(tmp_path: Path) -> None:
    done, touched = 0, 0
    for seed in range(6):
        path = tmp_path / f"seed{seed}.py"
        path.write_text(random_kernels.kernels(seed, 10), encoding="utf-8")
        compiler = Compiler(120)
        try:
            made = [(k, compiler.ttir(k)) for k in jitted(str(path), path.read_text("utf-8"))]
        finally:
            compiler.close()
        for k, answer in made:
            kernel = verified(program(k, answer))
            (function,) = read_ttir(answer["text"], k.place)
            for n, m in ((1, 2), (7, 3), (12, 40)):
                draw = random.Random(seed)
                memory = {a: [draw.randint(-20, 20) for _ in range(64)] for a in "xy"}
                machine = tensors.Machine(["x", "y"], memory)
                tensors.run(function, ["x", "y", n, m], (2, 2, 1), machine)
                trace = execute(
                    kernel, read_setting(kernel), {"n": n, "m": m}, memory=memory, limit=5_000_000
                )
                assert trace.complete and not trace.unsupported
                found = Counter(
                    (t.block, (t.array, t.offset, t.width, t.kind, t.place.line))
                    for t in trace.accesses
                )
                compare(found, Counter(machine.touched))
                done, touched = done + 1, touched + len(found)
    assert done == 180 and touched > 5000


def seen(name: str) -> set[str]:
    """Return which properties executions show not to hold."""
    found = set[str]()
    kernel, _ = lowered(name)
    setting = read_setting(kernel)
    elements = {a.name: a.element for a in kernel.arrays}
    for dims in CASES[name].runs:
        if "programs" in dims:
            continue
        sizes = {n: value_at(e, dims) * elements[n] for n, e in setting.extents.items()}
        writers = defaultdict[tuple[str, int], list[Any]](list)
        for (block, (array, offset, width, kind, line)), many in touches(name, dims).items():
            if not 0 <= offset <= sizes[array] - width:
                found.add("in_bounds")
            if kind == "write":
                writers[array, offset] += [(block, line)] * many
        for who in writers.values():
            if len({block for block, _ in who}) > 1 or len(set(who)) < len(who):
                found.add("write_race_free")
    return found


#: What goes wrong in the others hangs on floats, or is too far away.
SHOWN = [n for n, c in CASES.items() if c.runs and not any("programs" in r for r in c.runs)]


@pytest.mark.parametrize("name", SHOWN)
def test_what_is_written_down_is_what_executions_show(name: str) -> None:
    said = {p for p in SEEN if CASES[name].truth.get(p) == "no"}
    assert seen(name) == said


# --- verdicts -------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", some([*CASES], 2))
def test_no_verdict_is_wrong(name: str) -> None:
    kernel, _ = lowered(name)
    truth = CASES[name].truth
    by = defaultdict[str, set[str]](set)
    for f in check(kernel, read_setting(kernel), hints=0):
        by[f.property].add(f.status)
    for property, found in by.items():
        right = truth.get(property, "yes") == "yes"
        if right:
            assert "refuted" not in found, property
        else:
            assert found - {"proved", "not applicable"}, property
    unknown = {p for p, found in by.items() if "unknown" in found and "refuted" not in found}
    assert unknown <= OPEN.get(name, set()), unknown
    assert len(by) >= 7


#: What is not decided yet: coordinates that are digits of another, numbers that are handed on.
OPEN: dict[str, set[str]] = {
    "of_four_axes": {"covers"},
    "indices_that_are_overwritten": {"covers", "in_bounds"},
    "chosen": {"in_bounds", "write_race_free"},
    "described_of_any_rows": {
        "in_bounds",
        "no_overflow",
        "aligned",
        "write_race_free",
        "read_write_race_free",
    },
    "described_by_any_rows": {"in_bounds", "aligned", "write_race_free"},
    "chosen_one_too_many": {"in_bounds", "write_race_free"},
    # What is promised is not so, and a compiler may rest on it.
    "assumed": {"in_bounds", "aligned", "write_race_free"},
}


def test_the_contract_of_a_kernel_is_about_its_grid_and_its_sizes() -> None:
    kernel, _ = lowered("add")
    found = contract(dataclasses.replace(kernel, notes=()))
    said = [*found.notes, *found.limits, *(c.text for c in found.conditions)]
    assert not [line for line in said if "block" in line]
    setting = read_setting(dataclasses.replace(kernel, notes=tuple((n, AT) for n in found.notes)))
    statuses = {f.property: f.status for f in check(kernel, setting, hints=0)}
    assert {statuses[p] for p in ("in_bounds", "no_overflow", "write_race_free")} == {"proved"}


# --- what is not read -----------------------------------------------------------------------------

AT = Place("k.py", 3, 1)
HEAD = """
#loc = loc("k.py":3:1)
#loc1 = loc("k.py":5:7)
#loc2 = loc("p"(#loc1))
module {
  tt.func public @k(%x: !tt.ptr<f32> loc("x"(#loc)), %n: i32 loc("n"(#loc))) attributes {} {
    %c1 = arith.constant 1 : i32 loc(#loc)
"""
FOOT = "    tt.return loc(#loc)\n  } loc(#loc)\n} loc(#loc)\n"


def of_text(body: str) -> Kernel:
    text = HEAD + "".join(f"    {line}\n" for line in body.splitlines()) + FOOT
    answer = {"text": text, "parameters": [["x", "*fp32"], ["n", "i32"]], "name": "k"}
    notes = [("launch grid=(4)", AT), ("extent x = n", AT)]
    return verified(program(Jitted("k", AT, ["x", "n"], notes=notes), answer))


def unknown_of(kernel: Kernel) -> dict[str, str]:
    return {f.property: f.status for f in check(kernel, read_setting(kernel), hints=0)}


STORE = """%v = arith.constant 0.000000e+00 : f32 loc(#loc)
%p = tt.addptr %x, %c1 : !tt.ptr<f32>, i32 loc(#loc1)
{}tt.store %p, %v : !tt.ptr<f32> loc(#loc1)"""


def test_an_operation_without_a_rule_is_not_understood_at_its_place() -> None:
    for strange in ("tt.frob %c1 : i32 loc(#loc2)", "%y = nvws.get %n : i32 loc(#loc2)",
                    'tt.call @g(%n) : (i32) -> () loc(#loc2)'):  # fmt: skip
        kernel = of_text(STORE.format(strange + "\n"))
        (found,) = [s for s in kernel.body if isinstance(s, NotUnderstood)]
        assert (found.place.line, found.arrays, found.barrier) == (5, None, True)
        assert unknown_of(kernel)["in_bounds"] != "proved"
        assert unknown_of(kernel)["write_race_free"] != "proved"


def test_what_has_no_rule_may_be_anything() -> None:
    text = """%y = arith.frobi %n, %c1 : i32 loc(#loc2)
%v = arith.constant 0.000000e+00 : f32 loc(#loc)
%p = tt.addptr %x, %y : !tt.ptr<f32>, i32 loc(#loc1)
tt.store %p, %v : !tt.ptr<f32> loc(#loc1)"""
    assert unknown_of(of_text(text))["in_bounds"] != "proved"
    assert unknown_of(of_text(text.replace("frobi", "muli")))["in_bounds"] == "refuted"


def test_a_mark_says_what_wraps() -> None:
    text = """%y = arith.muli %n, %n{mark} : i32 loc(#loc2)
%z = arith.andi %y, %c1{other} : i32 loc(#loc2)
%v = arith.constant 0.000000e+00 : f32 loc(#loc)
%p = tt.addptr %x, %z : !tt.ptr<f32>, i32 loc(#loc1)
tt.store %p, %v : !tt.ptr<f32> loc(#loc1)"""

    def said(mark: str, other: str = "") -> str:
        return unknown_of(of_text(text.format(mark=mark, other=other)))["no_overflow"]

    unsigned, signed = (f" {{tt.unsigned = dense<{k}> : tensor<1xi32>}}" for k in (1, 0))
    assert said("") == said(signed) == "refuted"
    assert said(unsigned) in ("proved", "not applicable")
    # One that a pass made anew may be either, and wraps for certain in neither case.
    unmarked = of_text(text.format(mark="", other=signed))
    assert said("", signed) != "refuted"
    assert any(isinstance(s, Havoc) for s in unmarked.body)


@pytest.mark.parametrize(
    "text",
    [
        "%y = arith.addi %zz, %c1 : i32 loc(#loc)",
        "%y = arith.addi %n, %c1 : !ttg.memdesc<4xf32> loc(#loc)",
        "%y = arith.addi %n, %c1 : i32",
        "%y:2 = arith.addi %n, %c1 : i32, i32, i32 loc(#loc)",
        "%y = arith.addi %n, %c1 : i32 loc(#loc) }",
        "%y = arith.addi %n § %c1 : i32 loc(#loc)",
    ],
)
def test_text_that_is_not_read_is_an_error_and_the_kernel_is_unknown(text: str) -> None:
    with pytest.raises(TtirError):
        read_ttir(HEAD + text + "\n" + FOOT, AT)
    kernel = of_text(text)
    assert isinstance(kernel.body[0], NotUnderstood)
    assert "proved" not in {s for p, s in unknown_of(kernel).items() if p != "launch_valid"}


# --- notes ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("note", "shown"),
    [
        ("type z = *fp32", "k has no parameter z"),
        ("type x = float*", "'float*' is no type of a parameter"),
        ("constexpr B = 4 + 4", "'4 + 4' is no constant"),
        ("constexpr B", "binds nothing"),
    ],
)
def test_notes_that_make_no_sense_are_refused(note: str, shown: str) -> None:
    text = f"import triton\n# symcute: {note}\n@triton.jit\ndef k(x, B):\n    pass\n"
    with pytest.raises(SourceError, match=re.escape(shown)) as error:
        jitted("k.py", text)
    assert "k.py:2:1" in str(error.value)


def test_kernels_are_functions_with_notes_and_those_that_none_calls() -> None:
    text = (
        "import triton\nimport triton.language\nfrom triton import jit\nimport numba\n"
        "@numba.jit\ndef no(x):\n    pass\n\n@triton.jit\ndef f(x):\n    pass\n\n{}"
        "@triton.autotune(a)\n@jit\ndef g(x):\n    f(x)\n"
        "\n@triton.jit(noinline=True)\ndef h(x):\n    pass\n\ndef other():\n    pass\n"
    )
    assert [k.name for k in jitted("k.py", text.format(""))] == ["g", "h"]
    noted = jitted("k.py", text.format("# symcute: type x = i32\n"))
    assert [(k.name, k.noted) for k in noted] == [("g", True), ("h", False)]
    helper = text.replace("def h(x):\n    pass", "def h(x):\n    return x")
    assert [k.name for k in jitted("k.py", helper.format(""))] == ["g"]


def test_a_launch_is_a_grid() -> None:
    kernel, _ = lowered("add")
    assert kernel.block == (32, 1, 1)
    assert read_setting(kernel).block == (32, 1, 1)
    with pytest.raises(InputError, match="a program is one block"):
        read_setting(kernel, launch="grid=(1) block=(32)")
    with pytest.raises(InputError, match=r'write "grid=\(ceil_div\(N,256\)\)"'):
        read_setting(kernel, launch="")


# --- the process ----------------------------------------------------------------------------------


@pytest.fixture
def write(tmp_path: Path) -> Iterator[Any]:
    def written(text: str) -> Path:
        path = tmp_path / "mine.py"
        path.write_text("import triton\nimport triton.language as tl\n" + text, encoding="utf-8")
        return path

    yield written


FILL = """
# symcute: type x = *fp32
# symcute: type n = i32
# symcute: launch grid=(1)
# symcute: extent x = n
@triton.jit
def fill(x, n, B: tl.constexpr{}):
    at = tl.arange(0, B)
    tl.store(x + at, 1.0, mask=at < n)
"""


@pytest.mark.full
def test_a_file_is_compiled_in_a_process_of_its_own(write: Any) -> None:
    read = for_file("mine.py").read
    assert read(write(FILL.format(" = 8"))).kernels["fill"].block == (8, 1, 1)
    path = write(FILL.format(""))
    assert read(path, template_args={"B": "16"}).kernels["fill"].block == (16, 1, 1)
    for text, shown in (
        (FILL.format(""), "fill: what is the constexpr of B?"),
        (FILL.format(" = 8").replace("type n = i32", "extent x = 1"), "what is the type of n?"),
    ):
        with pytest.raises(SourceError, match=re.escape(shown)):
            read(write(text))
    for text, shown, line in (
        (FILL.format(" = 9"), "Triton does not take it: arange's range must be a power of 2", 10),
        ("raise OSError\n" + FILL.format(" = 8"), "it does not import: OSE", 3),
        (FILL.format(" = 8") + "del fill\n", "no function under triton.jit", 9),
    ):
        (found,) = read(write(text)).kernels["fill"].body
        assert isinstance(found, NotUnderstood)
        assert found.reason.startswith(shown) or shown in found.reason
        assert found.place.line == line
    with pytest.raises(SourceError, match="is not compiled: the process"):
        read(write("import os\nos._exit(3)\n" + FILL.format(" = 8")))


#: What stands before a kernel that hangs on B, and whether B is known without the module.
WITHOUT = (
    ("import no_such_module\nB = 8\n", True),
    ("B = 8\nfrom no_such_module import C\n", True),
    ("import no_such_module\ndef host(x: no_such_module.T): ...\nB = 8\n", True),
    ("B = 8\nclass Own(__import__('no_such_module').Base):\n    B = 16\n", True),
    ("B = 8\ndef host():\n    print(B)\n    import no_such_module\nhost()\n", True),
    ("try:\n    import no_such_module\n    B = 8\nexcept ImportError:\n    B = 16\n", False),
    ("B = 8\ntry:\n    import no_such_module\nexcept:\n    B = 16\n", False),
    ("import importlib.util\nB = 16 if importlib.util.find_spec('no_such_module') else 8\n", False),
    ("def has(name):\n    import importlib\n    try:\n        importlib.import_module(name)\n"
     "    except ImportError:\n        return False\n    return True\n"
     "B = 16 if has('no_such_module') else 8\n", False),
    ("B = 8\nimport no_such_module\nif no_such_module.x:\n    B = 16\n", False),
    ("B = 8\nimport no_such_module\nB, C = 16, no_such_module.x\n", False),
    ("B = 8\ndef setup():\n    global B\n    B = 16\n    import no_such_module\nsetup()\n", False),
    ("B = 8\ndef inner():\n    setup()\ndef setup():\n    global B\n    B = 16\n"
     "    import no_such_module\n    B = 32\ninner()\n", False),
    ("import no_such_module\nfor B in (8, no_such_module.x):\n    pass\n", False),
    ("import no_such_module\nwith open(__file__) as B:\n    no_such_module.x(B)\nB = 8\n", True),
)  # fmt: skip


@pytest.mark.full
@pytest.mark.parametrize(("before", "known"), WITHOUT)
def test_a_file_runs_as_far_as_it_goes_without_what_is_not_installed(
    write: Any, before: str, known: bool
) -> None:
    text = FILL.format("").replace(", B: tl.constexpr", "").replace("= tl.arange(0, B)",
        "= tl.arange(0, WIDTH)")  # fmt: skip
    path = write(before + "import no_such_module\nWIDTH = tl.constexpr(B)\n" + text)
    kernel = for_file("mine.py").read(path).kernels["fill"]
    if known:
        assert kernel.block == (8, 1, 1)
        assert kernel.granted == (
            "what did not run of the file changes no kernel (no_such_module is not installed)",
        )
    else:
        (found,) = kernel.body
        assert isinstance(found, NotUnderstood)
        assert found.reason.startswith(
            "WIDTH is not known here, for no_such_module is not installed"
        )


@pytest.mark.full
def test_kernels_of_one_name_in_two_files_are_two(tmp_path: Path) -> None:
    compiler = Compiler(120)
    try:
        texts = []
        for folder, width in (("a", 1.0), ("b", 2.0)):
            (tmp_path / folder).mkdir()
            path = tmp_path / folder / "mine.py"
            text = "import triton\nimport triton.language as tl\n" + FILL.format(" = 8")
            path.write_text(text.replace("1.0", str(width)), encoding="utf-8")
            (kernel,) = jitted(str(path), path.read_text(encoding="utf-8"))
            texts.append(compiler.ttir(kernel)["text"])
    finally:
        compiler.close()
    assert "2.000000e+00" not in texts[0] and "2.000000e+00" in texts[1]
