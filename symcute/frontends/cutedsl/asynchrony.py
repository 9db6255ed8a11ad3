"""What accesses memory beside the threads, and what orders threads in ways that are not followed.

TMA and MMAs read and write shared memory on their own: where is known, when is not. mbarriers,
fences, clusters and barriers of some of the threads order accesses; what they order is not
followed, so that no race is certain, and a proof rests on none of them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from math import prod
from typing import Any

from symcute.expr.basis import ScaledBasis
from symcute.frontends.cutedsl import types
from symcute.frontends.cutedsl.arithmetic import (
    BOOL,
    I32,
    WIDE,
    Unwritten,
    all_of,
    is_at_least,
    offset,
    width,
)
from symcute.frontends.cutedsl.evaluation import Step
from symcute.frontends.cutedsl.text import Operation
from symcute.frontends.cutedsl.values import Pointer, Tensor, dims_of
from symcute.frontends.cutedsl.vectors import vectors
from symcute.frontends.cutedsl.walk import Rule, Walk
from symcute.kernel.ir.place import Place
from symcute.kernel.ir.program import (
    Atomic,
    Barrier,
    Binary,
    Builtin,
    Const,
    Expr,
    Havoc,
    If,
    Load,
    NotUnderstood,
    Promise,
    PtrAdd,
    Stmt,
    Store,
    Var,
)
from symcute.kernel.ir.semantics import MBARRIER, unordered
from symcute.layout.layout import Layout
from symcute.layout.slices import slice_and_offset

__all__ = ["RULES", "transferred"]

#: What makes an mbarrier of memory, and memory of an mbarrier.
_MADE = ("nvvm.mbarrier.init", "nvvm.mbarrier.inval")
#: Barriers with numbers, of which each counts who comes to it.
_BARRIERS = ("nvvm.barrier", "nvvm.barrier0", "nvvm.barrier.arrive")
#: Bytes of an address in tensor memory, and of the least that TMA and MMAs move.
_ADDRESS, _UNIT = 4, 16


def _barrier(walk: Walk, step: Step, at: Place) -> None:
    """All threads of a block, whatever the barrier's number, unless some may come to another."""
    if len(step.operands) > 2:
        raise Unwritten("a barrier that computes")
    others = [s for s in walk.function.steps if s.operation.name in _BARRIERS]
    if _is_whole(walk, step) and not any(_is_mixed(walk, step, s) for s in others):
        walk.out.append(Barrier("block", at))
    else:
        # Who comes to it is not followed.
        walk.out.append(unordered("a barrier of some of the threads", at, barrier=True))


def _is_whole(walk: Walk, step: Step) -> bool:
    """Return whether a barrier waits for all threads of a block."""
    threads = step.operands[1:2]
    known = all(isinstance(x, int) for x in step.operands)
    waits = not step.operation.name.endswith("arrive")
    return waits and known and (not threads or threads[0] == prod(walk.function.threads))


def _is_mixed(walk: Walk, step: Step, other: Step) -> bool:
    """Return whether threads at two barriers may wait for each other.

    Those of one number are one barrier wherever they stand, which threads in different branches
    may come to as well; `__syncthreads()` is not allowed there.
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
    branches = [s.operation for s in walk.function.steps if s.operation.name == "scf.if"]
    inner = {id(x) for o in branches for x in o.walk()}
    apart = id(step.operation) in inner or id(other.operation) in inner
    return apart and bool(step.operands or other.operands)


def _order(what: str) -> Rule:
    return lambda walk, step, at: walk.out.append(unordered(what, at))


def _cluster(walk: Walk, step: Step, at: Place) -> None:
    # Outside of branches and loops all threads come to it.
    walk.out.append(unordered("a barrier of a cluster", at, barrier=bool(walk.around)))


def _mbarrier(walk: Walk, step: Step, at: Place) -> None:
    """An mbarrier is accessed; whether it was waited for is not known where that is asked."""
    operation, made = step.operation, step.operation.name in _MADE
    pointer = walk.carried.get(operation.operands[0].name)
    if _conditional(operation):
        pointer = None
    _touched(walk, operation.name, pointer, at, made)
    if not made:
        walk.out.append(unordered("an mbarrier", at))
    for result in operation.results:
        if result.type == "i1":
            name = walk.name()
            walk.out.append(Havoc(name, BOOL, f"what {operation.name} gives", at))
            walk.registers.levels[name] = len(walk.around)
            walk.truths[result.name] = Var(name, BOOL)


def _conditional(operation: Operation) -> bool:
    """Return whether an operand may say that an mbarrier is left alone: any behind the second."""
    sizes = re.findall(
        r"\d+", operation.properties.get("operandSegmentSizes", "").partition(":")[2]
    )
    return any(x != "0" for x in sizes[2:])


def _touched(walk: Walk, what: str, pointer: Expr | None, at: Place, made: bool = False) -> None:
    """Access an mbarrier: one that is `made` is written as other memory is."""
    if pointer is None:
        reason = f"where the mbarrier of {what} lies is not known"
        walk.out.append(NotUnderstood(reason, at, (), _shared(walk), False, "access"))
    elif made:
        walk.out.append(Store(pointer, MBARRIER, at))
    else:
        walk.out.append(Atomic(what, pointer, MBARRIER, at, scope="block"))


def _shared(walk: Walk) -> tuple[str, ...]:
    return tuple(a.name for a in walk.shares.arrays.values() if a.space == "shared")


def _carried(number: int) -> Rule:
    """Return the rule of a value of another type that carries the address of an operand."""

    def rule(walk: Walk, step: Step, at: Place) -> None:
        source, (result,) = step.operation.operands[number], step.operation.results
        found = walk.shares.pointers.get(source.name, walk.carried.get(source.name))
        if found is not None:
            walk.carried[result.name] = found

    return rule


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


# --- TMA ----------------------------------------------------------------------------------------


def transferred(walk: Walk, step: Step, at: Place) -> None:
    """A copy by TMA: a box of shared memory; in global memory it stays inside of its tensor."""
    kind, *tensors = step.operands
    values = step.operation.operands[1:]
    loads = "tma_load" in kind.text
    memory, far = (1, 0) if loads else (0, 1)
    effect, touched = "inside", walk.shares.array_of(tensors[memory])
    try:
        if len(tensors) != 2 or not touched or not isinstance(tensors[memory], Tensor):
            raise Unwritten("a copy by TMA whose box in shared memory is not known")
        address, size = walk.shares.hull(values[memory].name, tensors[memory])
        _boxes(kind.text, tensors[memory], size)
        walk.out += _first_and_last(address, size, loads, at)
        test = _counted(walk, tensors[far], at)
    except Unwritten as error:
        effect, test = "access", Const(1, BOOL)
        walk.out.append(_unseen(error.what, _shared(walk), "access", at))
    if loads:
        _touched(walk, "a copy by TMA", walk.carried.get(step.operation.operands[0].name), at)
        if touched:
            walk.out.append(_unseen("when TMA writes", touched, effect, at))
        rest = _unseen("what TMA reads, and when", None, "order", at)
    else:
        rest = _unseen("what TMA writes, and when", None, effect, at)
    # What is copied hangs on the coordinates, so that these must not wrap; whatever they are.
    walk.out.append(If(test, (rest,), (rest,), at))


def _unseen(what: str, arrays: tuple[str, ...] | None, effect: str, at: Place) -> NotUnderstood:
    return NotUnderstood(f"{what}; it is not decided", at, (), arrays, False, effect)


def _boxes(atom: str, tensor: Tensor, size: int) -> None:
    """Ask that a tensor of so many bytes is nothing but the boxes that an atom moves."""
    found = re.search(r"copy_bits = (\d+)", atom)
    start, layout = tensor.start, tensor.layout
    if found is None or not isinstance(start, Pointer) or not isinstance(layout, Layout):
        raise Unwritten("a copy by TMA whose box is not known")
    box = int(found.group(1)) // types.bits_of(start.element)
    whole = vectors(layout, box)
    if any(d % box for _, d in (*whole.first, *whole.rest)) or size * 8 % int(found.group(1)):
        raise Unwritten(f"boxes of {box} elements in {layout}")


def _first_and_last(address: Expr, size: int, writes: bool, at: Place) -> Sequence[Stmt]:
    """Return accesses to the first and the last bytes: where they lie, all in between does."""
    unit = min(_UNIT, size & -size)
    places = [address]
    if size > unit:
        places.append(PtrAdd(address, Const(size - unit, WIDE), 1, at))
    return [Store(p, unit, at) if writes else Load(p, unit, at) for p in places]


def _counted(walk: Walk, tensor: Any, at: Place) -> Expr:
    """Return that no coordinate of a box is below 0, the last of those that follow among them."""
    if not isinstance(tensor, Tensor) or not isinstance(tensor.layout, Layout):
        raise Unwritten("coordinates of a box that are not known")
    last: dict[tuple[int, ...], Any] = {}
    for extent, stride in tensor.layout.modes():
        if not isinstance(stride, ScaledBasis):
            if stride != 0:
                raise Unwritten(f"coordinates {tensor.layout}")
            continue
        last[stride.modes] = last.get(stride.modes, 0) + (extent - 1) * stride.value
    found = []
    for modes, leaf in _leaves(tensor.start):
        place = leaf + last.pop(modes, 0)
        if dims_of(place):
            type = width(walk.scope, place)
            found.append(Binary(">=", walk.integer(place, at), Const(0, type), BOOL, at))
    if last:
        raise Unwritten(f"coordinates {tensor.start} of {tensor.layout}")
    return all_of(found, at)


def _leaves(tree: Any, modes: tuple[int, ...] = ()) -> list[tuple[tuple[int, ...], Any]]:
    if not isinstance(tree, tuple):
        return [(modes, tree)]
    return [x for k, part in enumerate(tree) for x in _leaves(part, (*modes, k))]


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
            shared = _shared(walk) if "smem_desc_view" in value.type else None
            walk.out.append(_unseen(reason, shared, "access", at))
            continue
        pointer, tensor = found
        arrays = walk.shares.array_of(tensor)
        try:
            size = walk.shares.hull_of(tensor)
        except Unwritten as error:
            walk.out.append(_unseen(error.what, arrays, "access", at))
            continue
        walk.out += _first_and_last(pointer, size, False, at)
        walk.out.append(_unseen("when an MMA reads", arrays, "inside", at))


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
    "llvm.fence": _order("a fence"),
    "nvvm.tcgen05.commit": _mbarrier,
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
        f"nvvm.mbarrier.{name}": _mbarrier
        for name in (
            "init", "inval", "arrive", "arrive.nocomplete", "arrive.expect_tx", "expect_tx",
            "complete_tx", "test.wait", "try_wait", "wait.parity", "try_wait.parity",
        )
    },
    **{
        f"nvvm.{name}": _order(what)
        for what, names in {
            "a fence": (
                "fence.proxy", "fence.mbarrier.init", "fence.proxy.acquire",
                "fence.proxy.release", "fence.acq_rel.cta", "fence.acq_rel.cluster",
                "fence.acq_rel.gpu", "fence.sc.cluster", "tcgen05.fence",
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
