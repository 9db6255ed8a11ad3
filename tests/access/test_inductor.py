"""Files in the form that torch.compile's Inductor writes, against what they do when they run.

A stand-in for PyTorch and Triton runs a file as it is: its launches are executed program by program
for every block size, with arrays of which only the addresses count.
"""

from __future__ import annotations

import types
from contextlib import nullcontext
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

from symcute import check_kernel
from symcute.frontends.front_end import SourceError
from symcute.frontends.python.front_end import PYTHON
from symcute.frontends.triton.inductor import generated
from symcute.frontends.triton.inductor_host import launches_in
from tests.full import some

STAND_IN = Path(__file__).parents[1] / "triton" / "inductor"
SIZES = [*product((1, 2, 3, 7, 16, 33), (1, 2, 5, 64))]
PLAIN = "tl.store(out_ptr0 + x0, tl.load(in_ptr0 + x0, xmask), xmask)"
DENSE = "buf0 = empty_strided_cuda((s0, s1), (s1, 1), torch.float32)"
RUN = "kernel_0.run(arg2_1, buf0, s0*s1, stream=stream0)"


class Case(NamedTuple):
    """A file: what is in its kernel and in its host code, and what is refuted of it."""

    name: str
    refuted: tuple[str, ...] = ()
    body: str = PLAIN
    host: str = f"{DENSE}\n            {RUN}"
    grid: str = "Grid1D"
    more: str = ""


CASES = [
    Case("right"),
    Case("mask_missing", ("in_bounds",), "tl.store(out_ptr0 + x0, tl.load(in_ptr0 + x0, xmask))"),
    Case("small_buffer", ("in_bounds",), host=f"{DENSE.replace('(s1, 1)', '(1, 1)')}\n"
         f"            {RUN}"),
    Case("wide_buffer", host=f"{DENSE.replace('(s1, 1)', '(2*s1, 1)')}\n            {RUN}"),
    Case("too_many", ("in_bounds",),
         host=f"{DENSE}\n            {RUN.replace('s0*s1', '2*s0*s1')}"),
    Case("floored", ("in_bounds",), host=f"{DENSE}\n            "
         f"{RUN.replace('s0*s1', 's0*s1 - (-s0*s1)//2 - s0*s1//2')}"),
    Case("remainder", ("in_bounds",), host=f"{DENSE}\n            "
         f"{RUN.replace('s0*s1', 's0*s1 + (-s0*s1) % 2')}"),
    Case("fewer", host=f"{DENSE}\n            {RUN.replace('s0*s1', '(s0*s1 + 1) // 2')}"),
    Case("reused", host=f"{DENSE}\n            buf1 = buf0; del buf0  # reuse\n            "
         "kernel_0.run(buf1, buf1, s0*s1, stream=stream0)"),
    Case("reused_race", ("read_write_race_free",),
         "tl.store(out_ptr0 + x0, tl.load(in_ptr0 + (xnumel - 1 - x0), xmask), xmask)",
         f"{DENSE}\n            buf1 = buf0; del buf0  # reuse\n            "
         "kernel_0.run(buf1, buf1, s0*s1, stream=stream0)"),
    Case("half", host="buf0 = empty_strided_cuda((2*s0, s1), (s1, 1), torch.float32)\n            "
         "kernel_0.run(arg2_1, reinterpret_tensor(buf0, (s0, s1), (s1, 1), s0*s1), s0*s1, "
         "stream=stream0)"),
    Case("behind", ("in_bounds",),
         host="buf0 = empty_strided_cuda((2*s0, s1), (s1, 1), torch.float32)\n            "
         "kernel_0.run(arg2_1, reinterpret_tensor(buf0, (s0, s1), (s1, 1), s0*s1 + s1), s0*s1, "
         "stream=stream0)"),
    Case("twice", ("write_race_free",), grid="Grid2D", more="ynumel, ",
         host=f"{DENSE}\n            {RUN.replace('stream=', 's0, stream=')}"),
    Case("helped", (), "tl.store(out_ptr0 + x0, tl.load(in_ptr0 + "
         "triton_helpers.minimum(x0, xnumel - 1), xmask), xmask)"),
]  # fmt: skip


def text(case: Case, hint: int = 256) -> str:
    """Return a file as Inductor writes it."""
    y = ", 'ynumel': 'i32'" if case.more else ""
    more = ", ynumel" if case.more else ""
    return f"""# AOT ID: ['0_inference']
import torch
from torch._inductor.async_compile import AsyncCompile
from torch._C import _cuda_getCurrentRawStream as get_raw_stream
assert_size_stride = torch._C._dynamo.guards.assert_size_stride
empty_strided_cuda = torch._C._dynamo.guards._empty_strided_cuda
reinterpret_tensor = torch._C._dynamo.guards._reinterpret_tensor
async_compile = AsyncCompile()


kernel_0 = async_compile.triton('kernel_0', '''
import triton
import triton.language as tl

from torch._inductor.runtime import triton_helpers, triton_heuristics
from torch._inductor.runtime.hints import DeviceProperties
triton_helpers.set_driver_to_gpu()

@triton_heuristics.pointwise(
    size_hints={{'x': {hint}}},
    filename=__file__,
    triton_meta={{
        'signature': {{
            'in_ptr0': '*fp32', 'out_ptr0': '*fp32', 'xnumel': 'i32'{y}, 'XBLOCK': 'constexpr'
        }},
        'device': DeviceProperties(type='cuda'), 'constants': {{}},
        'configs': [{{(0,): [['tt.divisibility', 16]]}}]
    }},
    inductor_meta={{'grid_type': '{case.grid}', 'autotune_hints': set(), 'no_x_dim': False}},
    min_elem_per_thread=0
)
@triton.jit
def kernel_0(in_ptr0, out_ptr0, xnumel{more}, XBLOCK : tl.constexpr):
    xoffset = tl.program_id(0) * XBLOCK
    xindex = xoffset + tl.arange(0, XBLOCK)[:]
    xmask = xindex < xnumel
    x0 = xindex
    {case.body}
''', device_str='cuda')


async_compile.wait(globals())
del async_compile

class Runner:
    def call(self, args):
        arg0_1, arg1_1, arg2_1 = args
        args.clear()
        s0 = arg0_1
        s1 = arg1_1
        assert_size_stride(arg2_1, (s0, s1), (s1, 1))
        with torch.cuda._DeviceGuard(0):
            torch.cuda.set_device(0)
            stream0 = get_raw_stream(0)
            {case.host}
            del arg2_1
        return ()

runner = Runner()
call = runner.call
"""


# --- what a file does -----------------------------------------------------------------------------


class Memory:
    """Some elements, and which of them programs read and wrote."""

    def __init__(self, count: int) -> None:
        self.count = count
        self.touched: list[tuple[int, str, int]] = []


@dataclass(frozen=True)
class Tensor:
    """Some memory from an element on, and the elements that a pointer into it is to."""

    memory: Memory
    start: int
    at: Any = 0

    def __add__(self, index: Any) -> Tensor:
        return Tensor(self.memory, self.start, self.at + index)


def _span(size: tuple[int, ...], step: tuple[int, ...]) -> int:
    return 1 + sum((n - 1) * s for n, s in zip(size, step, strict=True))


def module(names: dict[str, Any]) -> Any:
    return types.SimpleNamespace(**names)


class Running:
    """A file on its way: what stands for PyTorch and Triton, and the launches that it makes."""

    def __init__(self, source: str, block: int) -> None:
        self.block, self.program = block, (0, 0)
        self.made: list[list[Memory]] = []
        guards = module({
            "assert_size_stride": lambda tensor, size, step: None,
            "_empty_strided_cuda": lambda size, step, type: Tensor(Memory(_span(size, step)), 0),
            "_reinterpret_tensor": lambda held, size, step, at: Tensor(
                held.memory, held.start + at
            ),
        })  # fmt: skip
        torch = module({
            "_C": module({"_dynamo": module({"guards": guards})}), "float32": "float32",
            "cuda": module({"_DeviceGuard": nullcontext, "set_device": lambda n: None}),
        })  # fmt: skip
        compiler = module({"triton": self.kernel, "wait": lambda names: None})
        self.names: dict[str, Any] = {
            "torch": torch, "AsyncCompile": lambda: compiler, "get_raw_stream": lambda n: 0,
        }  # fmt: skip
        body = "\n".join(s for s in source.splitlines() if not s.startswith(("import", "from")))
        exec(compile(body, "wrapper.py", "exec"), self.names)

    def kernel(self, name: str, source: str, device_str: str) -> Any:
        at = source.index("@triton.jit")
        tl = module({
            "program_id": lambda axis: self.program[axis], "arange": np.arange, "constexpr": None,
            "load": self.load, "store": self.store,
        })  # fmt: skip
        names: dict[str, Any] = {
            "tl": tl, "triton_helpers": module({"minimum": np.minimum}),
        }  # fmt: skip
        exec(compile(source[at + len("@triton.jit") :], name, "exec"), names)

        def run(x: Tensor, y: Tensor, *numels: int, stream: int) -> None:
            self.made.append([x.memory, y.memory])
            blocks = -(-numels[0] // self.block)
            for self.program in product(range(blocks), range(*(numels[1:] or (1,)))):
                names[name](x, y, *numels, self.block)

        return module({"run": run})

    def load(self, at: Tensor, mask: Any) -> int:
        self._touch(at, mask, "read")
        return 0

    def store(self, at: Tensor, value: Any, mask: Any = True) -> None:
        self._touch(at, mask, "written")

    def _touch(self, at: Tensor, mask: Any, how: str) -> None:
        number = hash(self.program)
        at.memory.touched += [(at.start + int(i), how, number) for i in at.at[mask].ravel()]

    def holds(self) -> dict[str, bool]:
        """Run the file's launches; return which properties hold of them."""
        every = [m for made in self.made for m in {id(m): m for m in made}.values()]
        found = {"in_bounds": True, "write_race_free": True, "read_write_race_free": True}
        for memory in every:
            found["in_bounds"] &= all(0 <= i < memory.count for i, _, _ in memory.touched)
            writers: dict[int, set[int]] = {}
            for i, how, program in memory.touched:
                if how == "written":
                    writers.setdefault(i, set()).add(program)
            found["write_race_free"] &= all(len(w) == 1 for w in writers.values())
            found["read_write_race_free"] &= all(
                writers.get(i, {program}) == {program} for i, how, program in memory.touched
                if how == "read"
            )  # fmt: skip
        return found


def truths(source: str, sizes: tuple[int, int], blocks: set[int]) -> dict[str, bool]:
    """Return what holds of a file for two sizes, whatever the block is."""
    found = {"in_bounds": True, "write_race_free": True, "read_write_race_free": True}
    for block in blocks:
        running = Running(source, block)
        s0, s1 = sizes
        running.names["call"]([s0, s1, Tensor(Memory(s0 * s1), 0)])
        held = running.holds()
        found = {p: v and held[p] for p, v in found.items()}
    return found


def verdicts(source: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, set[str]]:
    monkeypatch.syspath_prepend(str(STAND_IN))
    file = folder / "wrapper.py"
    file.write_text(source, encoding="utf-8")
    found: dict[str, set[str]] = {}
    for f in check_kernel(file):
        found.setdefault(f.property, set()).add(f.status)
    return found


ASKED = ("in_bounds", "write_race_free", "read_write_race_free")
GOOD = {"proved", "not applicable"}


@pytest.mark.parametrize("case", some(CASES, 8), ids=lambda c: c.name)
def test_verdicts_are_what_executions_show(
    case: Case, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = text(case)
    blocks = {128, 256}
    for sizes in (None, (33, 5)):
        source = whole
        if sizes is not None:
            body, _, host = whole.partition("class Runner")
            host = host.replace("s0 = arg0_1", "s0 = 33").replace("s1 = arg1_1", "s1 = 5")
            source = f"{body}class Runner{host}"
        ran = [truths(source, s, blocks) for s in (SIZES if sizes is None else [sizes])]
        found = verdicts(source, tmp_path, monkeypatch)
        for p in ASKED:
            true = all(r[p] for r in ran)
            assert true is (p not in case.refuted), (p, sizes)
            if true:
                assert found[p] <= GOOD, (p, sizes, found[p])
            else:  # sizes that are symbols may not be met: guards are in no file
                assert ("unknown" if sizes is None else "refuted") in found[p], (p, sizes, found[p])


@pytest.mark.parametrize(
    ("old", "new", "why"),
    some(
        [
            ("s0*s1, stream", "s0*s1, 4, stream", "4 arguments are given, and kernel_0 has 3"),
            ("(0,): [[", "(2,): [[", "xnumel is promised to be divisible by 16"),
            ("torch.float32", "torch.float16", "out_ptr0 is *fp32, and given a tensor of *fp16"),
            (
                "_empty_strided_cuda",
                "_empty_strided_cpu",
                "what out_ptr0 is given is not understood",
            ),
            ("buf0 = empty", "other(arg2_1); buf0 = empty", "what in_ptr0 is given is not"),
            ("'Grid1D'", "'FixedGrid'", "the grid FixedGrid is not understood"),
            (".pointwise(", ".template(", "what triton_heuristics.template chooses is not known"),
            ("runner = ", "kernel_0.more(); runner = ", "what is done with the kernel here is not"),
            ("runner = ", "kernel_0 = other; runner = ", ""),
            (
                "class Runner",
                "def kernel_0():\n    pass\n\nclass Runner",
                "what is done with the kernel",
            ),
            (
                "class Runner",
                "def empty_strided_cuda(*a):\n    pass\n\nclass Runner",
                "what out_ptr0 is given is not understood",
            ),
            ("(type='cuda')", "(type='hip')", "its blocks are chosen for a device that is not of"),
            (
                "{'x': 256}",
                "{'x': 256, 'y': 2, 'z': 2, 'r0_': 2}",
                "the hints of its sizes are not",
            ),
            ("{'x': 256}", "{'x': 256, 'z': 2}", "the hints of its sizes are not"),
            (
                "run(arg2_1, buf0, s0*s1, ",
                "run(arg2_1, reinterpret_tensor(buf0, (s0, s1), (s1, 1), -16), s0*s1, ",
                "what out_ptr0 is given is not understood",
            ),
            (
                "kernel_0.run(",
                "aten.set_.source_Tensor(buf0, arg2_1); kernel_0.run(",
                "what in_ptr0 is given is not understood",
            ),
            (
                "kernel_0.run(",
                "aten.resize_.default(buf0, (1,)); kernel_0.run(",
                "what out_ptr0 is given is not understood",
            ),
            (
                "kernel_0.run(",
                "extern_kernels.mm(buf0.resize_(1), out=arg2_1); kernel_0.run(",
                "what in_ptr0 is given is not understood",
            ),
            (
                "kernel_0.run(",
                "kernel_0.run(other(arg2_1), buf0, s0*s1, stream=stream0); kernel_0.run(",
                "what in_ptr0 is given is not understood: arg2_1",
            ),
            (
                "((s0, s1), (s1, 1), torch",
                "((2*s0, s1), (0, 1), torch",
                "what out_ptr0 is given is not understood",
            ),
            ("s0*s1, stream", "max(s0*s1, 1), stream", "what xnumel is given is not understood"),
            ("'*fp32', 'out", "'*fp8e4nv', 'out", "in_ptr0 is promised to be aligned to 16 bytes"),
        ],
        3,
    ),
)
def test_what_is_not_understood_of_a_launch_is_said(
    old: str, new: str, why: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(STAND_IN))
    whole = text(CASES[0])
    assert old in whole
    whole = whole.replace(old, new)
    if new.startswith("max"):
        whole = f"from other import max\n{whole}"
    if "fp8" in new:
        whole = whole.replace("run(arg2_1", "run(reinterpret_tensor(arg2_1, (1,), (1,), s0)")
    file = tmp_path / "wrapper.py"
    file.write_text(whole, encoding="utf-8")
    said = [f.trouble for k in PYTHON.read(file).kernels.values() for f in k.families]
    assert any(s and s.startswith(why) for s in said), said


@pytest.mark.parametrize(
    ("hint", "more", "blocks"),
    [
        (256, "", [128, 256]),
        (16, "", [16]),
        (1 << 20, "", [512, 1024]),
        (64, ", 'max_autotune': True", [1, 2, 4, 8, 16, 32, 64]),
        (64, ", 'coordinate_descent_tuning': True", [1, 2, 4, 8, 16, 32, 64]),
    ],
)
def test_blocks_are_all_that_may_be_chosen(hint: int, more: str, blocks: list[int]) -> None:
    whole = text(CASES[0], hint).replace("'no_x_dim': False", f"'no_x_dim': False{more}")
    found = generated("wrapper.py", whole)["kernel_0"]
    assert sorted(c["XBLOCK"] for c in found.tuning.configs) == blocks


def test_blocks_that_are_halved_for_their_registers_are_halved_again() -> None:
    whole = text(CASES[0], 1 << 14).replace(".pointwise(", ".reduction(")
    whole = whole.replace("{'x': 16384}", "{'x': 16384, 'r0_': 4096}")
    whole = whole.replace("min_elem_per_thread=0", "reduction_hint=ReductionHint.INNER")
    whole = whole.replace("XBLOCK : tl.constexpr", "XBLOCK : tl.constexpr, R0_BLOCK : tl.constexpr")
    found = generated("wrapper.py", whole)["kernel_0"]
    assert [(c["XBLOCK"], c["R0_BLOCK"]) for c in found.tuning.configs] == [
        (1, r) for r in (64, 128, 256, 512, 1024, 2048)
    ]


def test_an_argument_has_one_type_for_all_kernels(tmp_path: Path) -> None:
    other = text(CASES[0]).partition("kernel_0 = ")[2].partition("async_compile.wait")[0]
    other = f"kernel_0 = {other}".replace("kernel_0", "kernel_1").replace("'*fp32'", "'*fp64'", 1)
    whole = text(CASES[0]).replace("async_compile.wait", f"{other}async_compile.wait")
    whole = whole.replace(RUN, f"{RUN}; {RUN.replace('kernel_0', 'kernel_1')}")
    found = launches_in("wrapper.py", whole, generated("wrapper.py", whole))
    assert not found["kernel_0"][0].family.trouble
    assert found["kernel_1"][0].family.trouble == "in_ptr0 is *fp64, and given a tensor of *fp32"


def test_torch_that_is_missing_is_one_line(tmp_path: Path) -> None:
    file = tmp_path / "wrapper.py"
    file.write_text(text(CASES[-1]), encoding="utf-8")
    with pytest.raises(SourceError, match="imports torch") as caught:
        PYTHON.read(file)
    assert "pip install torch" in str(caught.value)
    line = text(CASES[-1]).splitlines().index("@triton.jit") + 2
    assert caught.value.place is not None and caught.value.place.line == line


def test_a_kernel_without_a_wrapper_has_a_contract(tmp_path: Path) -> None:
    whole = text(CASES[0])
    file = tmp_path / "kernel.py"
    file.write_text(whole[whole.index("\nimport triton\n") : whole.index("''', device")] + "\n")
    kernels = PYTHON.read(file).kernels
    assert len(kernels) == 2 and not any(k.families for k in kernels.values())
    assert all([a.name for a in k.arrays] == ["in_ptr0", "out_ptr0"] for k in kernels.values())


def test_numbers_that_a_type_does_not_hold_are_assumed_away_in_sight(tmp_path: Path) -> None:
    file = tmp_path / "wrapper.py"
    file.write_text(text(CASES[0]), encoding="utf-8")
    for kernel in PYTHON.read(file).kernels.values():
        (family,) = kernel.families
        said = [n.text for n in family.notes]
        assert any(s.startswith("assume ((s0 * s1)) < 2147483648 and") for s in said)
        assert family.unknown == ("s0", "s1")
