"""What accesses memory beside the threads, and what orders threads in ways that are not followed.

MMAs read shared memory on their own. Clusters and barriers of some of the threads order accesses;
what they order is not followed, so that no race is certain, and a proof rests on none of them.
"""

from __future__ import annotations

from math import prod

from symcute.frontends.cutedsl import signals, types
from symcute.frontends.cutedsl.arithmetic import (
    BOOL,
    I32,
    Unwritten,
    is_at_least,
    offset,
)
from symcute.frontends.cutedsl.evaluation import Step
from symcute.frontends.cutedsl.signals import elected
from symcute.frontends.cutedsl.transfers import unseen
from symcute.frontends.cutedsl.values import Pointer, Tensor, dims_of
from symcute.frontends.cutedsl.walk import Rule, Walk
from symcute.kernel.ir.expression import Binary, Builtin, Const, PtrAdd, Var
from symcute.kernel.ir.place import Place
from symcute.kernel.ir.program import Barrier, Havoc, If, Load, Promise, Signal, Store
from symcute.kernel.ir.semantics import BARRIERS, unordered
from symcute.layout.layout import Layout
from symcute.layout.slices import slice_and_offset

__all__ = ["RULES"]

#: Barriers with numbers, of which each counts who comes to it.
_BARRIERS = ("nvvm.barrier", "nvvm.barrier0", "nvvm.barrier.arrive")
#: Bytes of an address in tensor memory.
_ADDRESS = 4


def _barrier(walk: Walk, step: Step, at: Place) -> None:
    """All threads of a block, whatever the barrier's number, unless some may come to another."""
    if len(step.operands) > 2:
        raise Unwritten("a barrier that computes")
    if any(type(x) is int and x not in BARRIERS for x in step.operands[:1]):
        raise Unwritten("a barrier whose number no device has")
    others = [s for s in walk.function.steps if s.operation.name in _BARRIERS]
    if _is_whole(walk, step) and not any(_is_mixed(walk, step, s) for s in others):
        walk.out.append(Barrier("block", at))
    elif (counted := _counted(walk, step)) is not None:
        bar = walk.numbered(*counted, at)
        walk.out.append(Signal("arrive", bar, None, at))
        walk.out.append(Signal("wait", bar, Const(0, I32), at))
    else:
        # Who comes to it is not followed.
        walk.out.append(unordered("a barrier of some of the threads", at, barrier=True))


def _counted(walk: Walk, step: Step) -> tuple[int, int] | None:
    """Return the number of a barrier, and how many threads it waits for.

    That is where no other has the number, or may have it, and each thread comes once at most.
    """
    others = [
        s for s in walk.function.steps
        if s.operation.name in _BARRIERS and s.operation is not step.operation
    ]  # fmt: skip
    loops = [
        s.operation for s in walk.function.steps if s.operation.name in ("scf.for", "scf.while")
    ]
    if len(step.operands) != 2 or not all(type(x) is int and x > 0 for x in step.operands):
        return None
    number, threads = step.operands
    apart = all(type(x) is int and x != number for s in others for x in (s.operands or (0,))[:1])
    once = not any(x is step.operation for loop in loops for x in loop.walk())
    return (number, threads) if apart and once else None


def _is_whole(walk: Walk, step: Step) -> bool:
    """Return whether a barrier waits for all threads of a block."""
    threads = step.operands[1:2]
    known = all(isinstance(x, int) for x in step.operands)
    waits = not step.operation.name.endswith("arrive")
    return waits and known and (not threads or threads[0] == prod(walk.function.threads))


def _is_mixed(walk: Walk, step: Step, other: Step) -> bool:
    """Return whether threads at two barriers may wait for each other.

    Those of one number are one barrier wherever they stand, which threads that part in branches and
    loops may come to as well; `__syncthreads()` is not allowed there.
    """
    if other.operation is step.operation:
        return False
    a, b = (x.operands[0] if x.operands else 0 for x in (step, other))
    if isinstance(a, int) and isinstance(b, int) and a != b:
        return False
    if 0 in (a, b) and is_at_least(walk.scope, b if a == 0 else a, 1):
        return False
    if not _is_whole(walk, other):
        return True
    apart = id(step.operation) in walk.divided or id(other.operation) in walk.divided
    return apart and bool(step.operands or other.operands)


def _order(what: str) -> Rule:
    return lambda walk, step, at: walk.out.append(unordered(what, at))


def _cluster(walk: Walk, step: Step, at: Place) -> None:
    # Outside of branches and loops all threads come to it.
    walk.out.append(unordered("a barrier of a cluster", at, barrier=bool(walk.around)))


def _carried(number: int) -> Rule:
    """Return the rule of a value of another type that carries the address of an operand."""

    def rule(walk: Walk, step: Step, at: Place) -> None:
        source, (result,) = step.operation.operands[number], step.operation.results
        found = walk.shares.pointers.get(source.name, walk.carried.get(source.name))
        if found is not None:
            walk.carried[result.name] = found
        else:
            walk.carried.pop(result.name, None)
        _described_by(walk, step)

    return rule


def _described_by(walk: Walk, step: Step) -> None:
    """Let an atom be of what the one is that it is made of."""
    source, (result,) = step.operation.operands[0], step.operation.results
    found = walk.descriptors.get(source.name)
    walk.descriptors.pop(result.name, None)
    if found is not None:
        walk.descriptors[result.name] = found


def _set_value(walk: Walk, step: Step, at: Place) -> None:
    bar = "tma_bar" in step.operation.properties.get("field", "")
    _carried(int(bar))(walk, step, at)


def _register(walk: Walk, step: Step, at: Place) -> None:
    """A register of clusters of several blocks: it is the same in a block."""
    for name in sorted(dims_of(step.results) - walk.dims.keys()):
        type = walk.type_of(name)
        walk.out.append(Havoc(name, type, step.operation.name, at, low=0, uniform=True))
        walk.registers.levels[name] = len(walk.around)
        walk.dims[name] = Var(name, type)


def _assertion(walk: Walk, step: Step, at: Place) -> None:
    """It is asked, and taken for granted nowhere."""
    if step.operands[0] != 1:
        test = walk.truths.get(step.operation.operands[0].name)
        walk.out.append(Promise("assert", test, at, believed=False))


# --- tensor memory ------------------------------------------------------------------------------


def _allocated(walk: Walk, step: Step, at: Place) -> None:
    """A warp writes, once, where its columns of tensor memory begin."""
    pointer = walk.shares.pointers.get(step.operation.operands[1].name)
    if pointer is None:
        raise Unwritten("where the address of tensor memory is put is not known")
    one = Binary("==", Builtin("laneId", I32), Const(0, I32), BOOL, at)
    walk.out.append(If(one, (Store(pointer, _ADDRESS, at),), (), at))


def _retrieved(walk: Walk, step: Step, at: Place) -> None:
    pointer = walk.shares.pointers.get(step.operation.operands[0].name)
    if pointer is None:
        raise Unwritten("where the address of tensor memory lies is not known")
    walk.out.append(Load(pointer, _ADDRESS, at))


# --- MMAs ---------------------------------------------------------------------------------------


def _described(walk: Walk, step: Step, at: Place) -> None:
    """A fragment in shared memory is that tensor, whose elements an MMA reads by itself."""
    source, (result,) = step.operation.operands[1], step.operation.results
    tensor = step.operands[1]
    pointer = walk.shares.pointers.get(source.name)
    if "smem_desc_view" in result.type and isinstance(tensor, Tensor) and pointer is not None:
        walk.fragments[result.name] = pointer, tensor


def _sliced(walk: Walk, step: Step, at: Place) -> None:
    """A slice of a fragment in shared memory: that of its tensor, of which it has the modes."""
    operation, coordinate = step.operation, step.operands[1]
    found = walk.fragments.get(operation.operands[0].name)
    if found is None:
        return
    pointer, tensor = found
    if not isinstance(tensor.layout, Layout) or not isinstance(tensor.start, Pointer):
        return
    if not isinstance(coordinate, tuple) or coordinate[0] is not None:
        return
    kept, moved = slice_and_offset(coordinate, tensor.layout)
    bits = types.bits_of(tensor.start.element)
    if moved != 0:
        index = offset(moved, walk.dims, walk.scope, at)
        pointer = PtrAdd(pointer, index, bits // 8, at)
    start = tensor.start.moved(moved)
    walk.fragments[operation.results[0].name] = pointer, Tensor(start, kept)


def _multiplied(walk: Walk, step: Step, at: Place) -> None:
    """An MMA: of what is in registers and tensor memory, and of fragments in shared memory."""
    for value, x in zip(step.operation.operands[1:], step.operands[1:], strict=True):
        if isinstance(x, Tensor) and walk.shares.array_of(x) == ():
            continue
        found = walk.fragments.get(value.name)
        if found is None:
            reason = "an MMA of what is not in registers"
            shared = walk.shares.in_space("shared") if "smem_desc_view" in value.type else None
            walk.out.append(unseen(reason, shared, "access", at))
            continue
        pointer, tensor = found
        arrays = walk.shares.array_of(tensor)
        try:
            size = walk.shares.hull_of(tensor)
        except Unwritten as error:
            walk.out.append(unseen(error.what, arrays, "access", at))
            continue
        if "sm100" in step.operation.operands[0].type or "tmem" in step.operation.operands[1].type:
            # One lane begins it for its warp; what it reads is told by that lane's commits.
            walk.out.append(If(elected(), (Load(pointer, size, at, agent="mma"),), (), at))
        else:
            walk.out.append(Load(pointer, size, at, agent="store"))


RULES: dict[str, Rule] = {
    "builtin.unrealized_conversion_cast": _carried(0),
    "cf.assert": _assertion,
    "cute.gemm": _multiplied,
    "cute.mma.make_fragment": _described,
    "cute.slice": _sliced,
    "cute_nvgpu.arch.sm100.alloc_tmem": _allocated,
    "cute_nvgpu.arch.sm100.retrieve_tmem_ptr": _retrieved,
    "cute_nvgpu.atom.make_exec_tma": _carried(0),
    "cute_nvgpu.atom.set_value": _set_value,
    **dict.fromkeys(("nvvm.barrier", "nvvm.barrier0"), _barrier),
    **signals.RULES,
    "llvm.fence": _order("a fence"),
    **{
        f"nvvm.read.ptx.sreg.{name}": _register
        for name in (
            "cluster.ctarank", "cluster.nctarank",
            *(f"{x}.{axis}" for x in ("clusterid", "nclusterid", "cluster.ctaid", "cluster.nctaid")
              for axis in "xyz"),
        )
    },
    **dict.fromkeys(
        ("nvvm.cluster.arrive", "nvvm.cluster.arrive.relaxed", "nvvm.cluster.wait"), _cluster
    ),
    **{
        f"nvvm.{name}": _order(what)
        for what, names in {
            "a fence": (
                "fence.proxy.acquire", "fence.proxy.release", "fence.acq_rel.cta",
                "fence.acq_rel.cluster", "fence.acq_rel.gpu", "fence.sc.cluster", "tcgen05.fence",
            ),
            "a wait for asynchronous operations": (
                "cp.async.bulk.commit.group", "cp.async.bulk.wait_group", "wgmma.fence.aligned",
                "wgmma.commit.group.sync.aligned", "wgmma.wait.group.sync.aligned",
                "tcgen05.wait",
            ),
            "a grid that another depends on": ("griddepcontrol",),
        }.items()
        for name in names
    },
}  # fmt: skip
