"""Which values of a kernel the lanes of a warp may have different ones of.

Those are what an operation gives that does not only compute, as a thread's number or a load, what
is computed of such, and what control flow hands on under conditions that are such. Values of one
name in several regions count as one.
"""

from __future__ import annotations

from collections.abc import Iterator

from symcute.frontends.cutedsl.text import Operation

__all__ = ["varying"]

#: Operations of these names compute their results from their operands alone.
_PURE = (
    "arith.", "cute.add_offset", "cute.append_to_rank", "cute.assume", "cute.ceil_div",
    "cute.coalesce", "cute.composed_", "cute.composition", "cute.crd2idx", "cute.deref_arith",
    "cute.fast_divmod.", "cute.get", "cute.group_modes", "cute.local_tile", "cute.logical_divide",
    "cute.make_", "cute.recast_iter", "cute.size", "cute.slice", "cute.static", "cute.tiled.",
    "cute.to_int_tuple", "cute.tuple", "cute.zipped_divide", "cute.cosize", "cute.select",
    "builtin.unrealized_conversion_cast",
)  # fmt: skip
#: What is the same in a block, and what makes one value of those of all lanes.
_UNIFORM = (
    "nvvm.read.ptx.sreg.ctaid.", "nvvm.read.ptx.sreg.nctaid.", "nvvm.read.ptx.sreg.ntid.",
    "cute_nvgpu.arch.make_warp_uniform", "cute.memref.alloca",
)  # fmt: skip


def varying(kernel: Operation) -> set[str]:
    """Return the names of the values that may differ between the lanes of a warp."""
    found: set[str] = set()
    before = -1
    while before != len(found):
        before = len(found)
        for region in kernel.regions:
            for block in region:
                for operation in block.operations:
                    found |= _made(operation, found)
    return found


def _made(operation: Operation, found: set[str]) -> set[str]:
    """Return what an operation, or one inside it, makes that varies."""
    # What a loop carries is told apart; its bounds say for all of it how often it is gone through.
    bounds = operation.operands[:3] if operation.name == "scf.for" else operation.operands
    taken = any(x.name in found for x in bounds)
    results = {x.name for x in operation.results}
    if not operation.regions:
        if operation.name.startswith(_UNIFORM):
            return set()
        pure = operation.name.startswith(_PURE)
        return results if taken or not pure else set()
    made: set[str] = set()
    for region in operation.regions:
        for block in region:
            # Who goes through it how often, and with what.
            if taken:
                made |= {x.name for x in block.arguments}
            for inner in block.operations:
                made |= _made(inner, found | made)
    if operation.name not in ("scf.for", "scf.if"):
        made |= results | {x.name for r in operation.regions for b in r for x in b.arguments}
        return made
    for k, result in enumerate(operation.results):
        given = [last.operands[k] for last in _ends(operation)]
        if operation.name == "scf.for":
            given.append(operation.operands[3 + k])
        if taken or any(x.name in found | made for x in given):
            made.add(result.name)
            made |= {b.arguments[1 + k].name for r in operation.regions for b in r if b.arguments}
    return made


def _ends(operation: Operation) -> Iterator[Operation]:
    for region in operation.regions:
        for block in region:
            if block.operations and block.operations[-1].name == "scf.yield":
                yield block.operations[-1]
