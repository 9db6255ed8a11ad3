"""A kernel of ours read by the front end and executed by the simulator, as on the CPU."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

from symcute.frontends import Source
from symcute.frontends.cuda import read_kernels
from symcute.frontends.llvm.source import read_through_llvm
from symcute.kernel.ir.interpreter import Choice, Trace, run
from symcute.kernel.ir.program import Kernel
from symcute.kernel.ir.setting import Setting
from symcute.kernel.launch.notes import read_setting
from tests.access.cases import Case, Run
from tests.access.host import Record, contents

#: Statements that one execution may take.
LIMIT = 400_000


@cache
def source(file: Path) -> Source:
    """A file of kernels as programs; what is of CuTe through LLVM."""
    through_llvm = file.parent.name == "llvm"
    return read_through_llvm(file, timeout=600) if through_llvm else read_kernels(file)


@cache
def kernel_of(case: Case) -> Kernel:
    """The program of a case, by its name without the arguments of a template."""
    found = [k for name, k in source(case.file).kernels.items() if name.split("<")[0] == case.name]
    assert len(found) == 1, (case.label, list(source(case.file).kernels))
    return found[0]


@cache
def setting_of(case: Case) -> Setting:
    return read_setting(kernel_of(case))


class Answers:
    """Answers 0 to all questions, and keeps those that the CPU might answer differently."""

    def __init__(self, kernel: Kernel, given: Iterable[str]) -> None:
        self.asked: list[Choice] = []
        arrays = (a for a in kernel.arrays if not a.name.startswith("__const"))  # the compiler's
        self._known = {a.name for a in arrays if a.space in ("shared", "constant")}
        self._known.update(given)

    def __call__(self, choice: Choice) -> int:
        # Shared memory is 0 at the start on the CPU, and so is what is read outside of an array or
        # behind the numbers that it is given; numbers of tables reach no address here.
        if choice.kind != "fault" and not (choice.kind == "content" and choice.name in self._known):
            self.asked.append(choice)
        return min(max(0, choice.low), choice.high)


def simulate(
    case: Case, run_: Run, kernel: Kernel | None = None, setting: Setting | None = None
) -> tuple[Trace, list[Choice]]:
    """Execute the program at the dims of a run; the choices are those that the CPU did not have.

    The program is that of the case, or another that is read from it, with its setting.
    """
    kernel, setting = kernel or kernel_of(case), setting or setting_of(case)
    memory = {
        p.name: contents(case, p, run_)
        for p in case.parameters
        if p.pointer and p.integer is not None
    }
    answers = Answers(kernel, memory)
    lanes = {p.name: p.parts[0] for p in case.parameters}
    packed = {
        name: b"".join(k.to_bytes(4, "little", signed=True) for k in values) if lanes[name] > 1
        else values
        for name, values in memory.items()
    }  # fmt: skip
    trace = run(
        kernel, setting, run_.dims, blocks=run_.blocks, threads=run_.threads,
        memory=packed, choices=answers, limit=LIMIT,
    )  # fmt: skip
    return trace, answers.asked


def records(case: Case, run_: Run, trace: Trace, kernel: Kernel | None = None) -> Iterator[Record]:
    """The accesses of an execution, but those of private arrays, as the CPU writes them down."""
    grid, block = case.launch(run_.dims)
    spaces = {a.name: a for a in (kernel or kernel_of(case)).arrays}
    for t in trace.accesses:
        array = spaces[t.array]
        if array.space != "private":
            dynamic = array.space == "shared" and array.bytes is None
            yield Record(
                "dynamic" if dynamic else t.array, t.kind, t.offset, t.width,
                _number(t.block, grid), _number(t.thread, block),
                t.epoch, t.warp[1], t.grid, t.place.line,
            )  # fmt: skip


def _number(at: tuple[int, ...], extents: tuple[int, ...]) -> int:
    return at[0] + extents[0] * (at[1] + extents[1] * at[2])


def alike(found: list[Record]) -> tuple[set[Record], list[Record]]:
    """What two executions of one kernel have in common: reads, and writes with their number.

    How often a compiler reads what it has read before is its own affair. Twelve bytes are three
    times four.
    """
    parts = [r._replace(offset=r.offset + k, width=4) for r in found if r.width == 12
             for k in (0, 4, 8)] + [r for r in found if r.width != 12]  # fmt: skip
    return {r for r in parts if r.kind == "read"}, sorted(r for r in parts if r.kind != "read")
