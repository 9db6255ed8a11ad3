"""Which values of a kernel may differ between the lanes of a warp, or the threads of a block.

Those are what an operation gives that does not only compute, as a thread's number or a load, what
is computed of such, and what control flow hands on under conditions that are such. Values of one
name in several regions count as one.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from symcute.frontends.cutedsl.carried import passes_on
from symcute.frontends.cutedsl.text import Operation, Value

__all__ = ["PURE", "asked", "varying"]

#: Operations of these names compute their results from their operands alone.
PURE = (
    "arith.", "cute.add_offset", "cute.append_to_rank", "cute.assume", "cute.ceil_div",
    "cute.coalesce", "cute.composed_", "cute.composition", "cute.crd2idx", "cute.deref_arith",
    "cute.fast_divmod.", "cute.get", "cute.group_modes", "cute.local_tile", "cute.logical_divide",
    "cute.make_", "cute.recast_iter", "cute.size", "cute.slice", "cute.static", "cute.tiled.",
    "cute.to_int_tuple", "cute.tuple", "cute.zipped_divide", "cute.cosize", "cute.select",
    "builtin.unrealized_conversion_cast",
)  # fmt: skip
#: What is the same in a block, and what makes one value of those of all lanes.
_OF_BLOCKS = (
    "nvvm.read.ptx.sreg.ctaid.", "nvvm.read.ptx.sreg.nctaid.", "nvvm.read.ptx.sreg.ntid.",
    "nvvm.read.ptx.sreg.cluster", "nvvm.read.ptx.sreg.ncluster", "cute.memref.alloca",
)  # fmt: skip
_OF_WARPS = (*_OF_BLOCKS, "cute_nvgpu.arch.make_warp_uniform")


def varying(
    kernel: Operation, whole: bool = False, same: Collection[str] = frozenset()
) -> set[str]:
    """Return the names of the values that may differ between the lanes of a warp.

    `whole`: between the threads of a block. Those in `same` are known to be the same for all.
    """
    found = _Varying(_OF_BLOCKS if whole else _OF_WARPS, frozenset(same))
    before = -1
    while before != len(found.names):
        before = len(found.names)
        for region in kernel.regions:
            for block in region:
                for operation in block.operations:
                    found.take_in(operation)
    return found.names


class _Varying:
    """The names of values that vary, as far as they are found."""

    def __init__(self, uniform: tuple[str, ...], same: frozenset[str]) -> None:
        self.uniform, self.same = uniform, same
        self.names: set[str] = set()

    def add(self, names: Iterable[str]) -> None:
        self.names.update(x for x in names if x not in self.same)

    def take_in(self, operation: Operation) -> None:
        """Add what an operation, or one inside it, makes that varies."""
        # What a loop carries is told apart; its bounds say for all of it how often it is gone
        # through.
        bounds = asked(operation)
        taken = any(x.name in self.names for x in bounds)
        results = {x.name for x in operation.results}
        if not operation.regions:
            pure = operation.name.startswith(PURE)
            if not operation.name.startswith(self.uniform) and (taken or not pure):
                self.add(results)
            return
        arguments = {x.name for r in operation.regions for b in r for x in b.arguments}
        if taken:  # who goes through it how often, and with what
            self.add(arguments)
        for region in operation.regions:
            for block in region:
                for inner in block.operations:
                    self.take_in(inner)
        if passes_on(operation):
            self.rounds(operation, taken)
            return
        if operation.name not in ("scf.for", "scf.if"):
            self.add(results | arguments)
            return
        for k, result in enumerate(operation.results):
            given = [last.operands[k] for last in _ends(operation)]
            if operation.name == "scf.for":
                given.append(operation.operands[3 + k])
            if taken or any(x.name in self.names for x in given):
                self.add((result.name,))
                self.add(
                    b.arguments[1 + k].name for r in operation.regions for b in r if b.arguments
                )

    def rounds(self, operation: Operation, taken: bool) -> None:
        """Add what an `scf.while` carries that varies: by whom it begins, or what is handed on."""
        (ask,), (body,) = operation.regions
        last = body.operations[-1]
        each = zip(operation.results, ask.arguments, body.arguments, strict=True)
        for k, names in enumerate(each):
            given = (operation.operands[k], last.operands[k])
            if taken or any(x.name in self.names for x in (*given, *names)):
                self.add(x.name for x in names)


def asked(operation: Operation) -> tuple[Value, ...]:
    """Return what says who goes through an operation's regions how often; all that it takes."""
    if operation.name == "scf.for":
        return operation.operands[:3]
    if passes_on(operation):
        return operation.regions[0][0].operations[-1].operands[:1]
    return operation.operands[:1] if operation.name == "scf.if" else operation.operands


def _ends(operation: Operation) -> Iterator[Operation]:
    for region in operation.regions:
        for block in region:
            if block.operations and block.operations[-1].name == "scf.yield":
                yield block.operations[-1]
