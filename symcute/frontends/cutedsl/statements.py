"""The table of rules for what a kernel does: accesses, barriers, conditions, integers.

A rule takes the walk, the operation with its values, and its place; it adds statements, and says
what the results are that the evaluation does not know. Errors: Unwritten for what has no rule.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from math import prod
from typing import Any, TypeAlias

from symcute.frontends.cutedsl import asynchrony, conditions, types
from symcute.frontends.cutedsl.arithmetic import (
    BOOL,
    I32,
    Unwritten,
    offset,
    offset_type,
)
from symcute.frontends.cutedsl.claims import copied_vectors, is_tma
from symcute.frontends.cutedsl.conditions import as_truth
from symcute.frontends.cutedsl.evaluation import Step
from symcute.frontends.cutedsl.flow import branches, loop, rounds
from symcute.frontends.cutedsl.shares import pointer_of
from symcute.frontends.cutedsl.text import Value
from symcute.frontends.cutedsl.transfers import transferred
from symcute.frontends.cutedsl.values import Pointer, Tensor, dims_of
from symcute.frontends.cutedsl.vectors import Mode, vectors
from symcute.frontends.cutedsl.walk import Rule, Walk
from symcute.frontends.nested import nested
from symcute.kernel.ir.expression import Binary, Const, Expr, PtrAdd, Var
from symcute.kernel.ir.place import Place
from symcute.kernel.ir.program import (
    Barrier,
    Commit,
    Havoc,
    If,
    Int,
    Load,
    NotUnderstood,
    Stmt,
    Store,
    Wait,
)
from symcute.layout.coordinates import crd2idx
from symcute.layout.layout import Layout

__all__ = ["ACCESSES", "RULES"]

RULES: dict[str, Rule] = {
    **asynchrony.RULES,
    **conditions.RULES,
    "scf.for": loop,
    "scf.if": branches,
    "scf.while": rounds,
}
#: Operations that touch what their operands point to, and nothing else.
ACCESSES = ("cute.copy", "cute.gemm", "cute.memref.load", "cute.memref.store",
            "cute.memref.load_vec", "cute.memref.store_vec")  # fmt: skip
#: The elements of fragments of predicates: a truth in each.
_PREDICATE = "i8"


def _rule(*names: str) -> Callable[[Rule], Rule]:
    def enter(function: Rule) -> Rule:
        RULES.update(dict.fromkeys(names, function))
        return function

    return enter


# --- accesses -------------------------------------------------------------------------------------

#: What says whether a vector is accessed, by its number in V and its number in the rest.
Guard: TypeAlias = Callable[[Expr, Expr], Expr]


def _access(
    walk: Walk,
    value: Value,
    tensor: Tensor,
    length: int,
    kind: str,
    guard: Guard | None,
    at: Place,
    late: bool = False,
) -> None:
    """Add the accesses to a tensor (V, Rest) in memory, vector by vector.

    `late`: they are of an asynchronous copy.
    """
    start = pointer_of(tensor)
    if start is None:
        raise Unwritten("a tensor that lies in no memory that is known")
    bits = types.bits_of(start.element)
    if bits % 8:
        raise Unwritten(f"elements of {bits} bits")
    address, layout = walk.shares.seen(value.name, tensor, length)
    each = vectors(layout, length)
    modes = (*each.first, *each.rest)
    type = offset_type(walk.scope, *(d for _, d in modes))

    def inside(counters: Sequence[Expr]) -> Sequence[Stmt]:
        pointer, moved = address, _sum(walk, counters, modes, type, at)
        if moved is not None:
            pointer = PtrAdd(address, moved, bits // 8, at)
        size = length * bits // 8
        done: Load | Store = Store(pointer, size, at, late=late)
        if kind == "read":
            done = Load(pointer, size, at, late=late)
        if guard is None:
            return [done]
        first = _number(counters[: len(each.first)], [s for s, _ in each.first], at)
        rest = _number(counters[len(each.first) :], [s for s, _ in each.rest], at)
        try:
            return [If(guard(first, rest), (done,), (), at)]
        except Unwritten as error:
            asked, why = Var(walk.name(), BOOL), error.what
            unknown = NotUnderstood(why, at, (asked.name,), ())
            return [Havoc(asked.name, BOOL, why, at), unknown, If(asked, (done,), (), at)]

    walk.out += nested([s for s, _ in modes], walk.name, inside, at)


def _sum(
    walk: Walk, counters: Sequence[Expr], modes: Sequence[Mode], type: Int, at: Place
) -> Expr | None:
    """Return the offset of counters in modes; None for 0."""
    found: Expr | None = None
    for counter, (_, stride) in zip(counters, modes, strict=True):
        if stride == 0:
            continue
        own = offset_type(walk.scope, stride)
        term = walk.cast(counter, own, at)
        if stride != 1:
            term = Binary("*", term, walk.integer(stride, at, own), own, at)
        term = walk.cast(term, type, at)
        found = term if found is None else Binary("+", found, term, type, at)
    return found


def _number(counters: Sequence[Expr], extents: Sequence[int], at: Place) -> Expr:
    """Return the number that counters count, the first one fastest."""
    found: Expr = Const(0, I32)
    weight = 1
    for k, (counter, extent) in enumerate(zip(counters, extents, strict=True)):
        scaled = Binary("*", counter, Const(weight, I32), I32, at) if weight > 1 else counter
        found = scaled if k == 0 else Binary("+", found, scaled, I32, at)
        weight *= extent
    return found


@_rule("cute.copy")
def _(walk: Walk, step: Step, at: Place) -> None:
    """Vectors from a source to a destination, where their predicates say so."""
    kind, *tensors = step.operands
    sizes = step.operation.properties.get("operandSegmentSizes", "")
    counts = re.fullmatch(r"array<i32: 1, 1, 1, ([01])>", sizes)
    bits = copied_vectors(kind)
    if is_tma(kind):
        transferred(walk, step, at)
        return
    if counts is None or any(not isinstance(x, Tensor) for x in tensors):
        raise Unwritten("a copy of what is no tensor")
    if all(walk.shares.array_of(x) == () for x in tensors[:2]):
        walk.registers.forget({x.start.root for x in tensors[1:2] if isinstance(x.start, Pointer)})
        return
    if bits is None:
        raise Unwritten(f"the copy instruction {_called(kind)}")
    values = step.operation.operands[1:]
    source, destination, *predicates = tensors
    late = "simt_async_copy" in _called(kind)
    for value, tensor, way in zip(values, (source, destination), ("read", "write"), strict=False):
        if walk.shares.array_of(tensor) == ():
            continue
        start = tensor.start
        length = max(1, bits // types.bits_of(start.element))
        guard = _guard(walk, predicates[0], tensor, length, at) if predicates else None
        _access(walk, value, tensor, length, way, guard, at, late)
    if isinstance(destination.start, Pointer):
        walk.registers.forget({destination.start.root})


def _called(kind: Any) -> str:
    atom = kind.atom if isinstance(kind, types.TiledCopyType) else kind
    text = atom.text if isinstance(atom, types.AtomType) else str(kind)
    return text.removeprefix("!cute_nvgpu.").partition("<")[0]


def _guard(walk: Walk, predicates: Tensor, tensor: Tensor, length: int, at: Place) -> Guard:
    """Return the predicate of each vector: one for each of V, and for each of the rest."""
    start, layout = predicates.start, predicates.layout
    if not isinstance(tensor.layout, Layout):
        raise Unwritten(f"{tensor.layout} is swizzled")
    each = vectors(tensor.layout, length)
    counts = each.count, prod(s for s, _ in each.rest)
    if not isinstance(start, Pointer) or start.space != "rmem" or start.offset != 0:
        raise Unwritten("predicates that are no fragment of their own")
    if start.element != _PREDICATE:
        raise Unwritten("predicates that are no fragment of their own")
    if not isinstance(layout, Layout) or layout.rank() != 2:
        raise Unwritten(f"predicates {layout}")
    if (int(layout[0].size()), int(layout[1].size())) != counts:
        raise Unwritten(f"predicates {layout} for {counts[0]} x {counts[1]} vectors")
    return lambda first, rest: walk.registers.holds(start.root, layout, first, rest, at)


@_rule("cute.memref.load", "cute.memref.store")
def _(walk: Walk, step: Step, at: Place) -> None:
    """One element at a coordinate."""
    tensor, coordinate = step.operands[:2]
    value = step.operation.operands[0]
    stores = step.operation.name == "cute.memref.store"
    if not isinstance(tensor, Tensor) or not isinstance(tensor.layout, Layout):
        raise Unwritten("an element of what is no plain tensor")
    start = tensor.start
    if isinstance(start, Pointer) and walk.shares.array_of(tensor) == ():
        if stores:
            stored = step.operation.operands[2]
            known = as_truth(walk, stored, step.operands[2])
            if known is None or start.offset != 0 or start.element != _PREDICATE:
                walk.registers.forget({start.root})
            else:
                walk.registers.store(start.root, tensor.layout, coordinate, known, walk.around)
        return
    address, layout = walk.shares.seen(value.name, tensor, 1)
    moved = crd2idx(coordinate, layout.shape, layout.stride)
    bits = types.bits_of(start.element)
    if bits % 8:
        raise Unwritten(f"elements of {bits} bits")
    if moved != 0:
        address = PtrAdd(address, offset(moved, walk.dims, walk.scope, at), bits // 8, at)
    if stores:
        walk.out.append(Store(address, bits // 8, at))
        return
    (result,) = step.results
    names = sorted(dims_of(result) - walk.dims.keys())
    parts: tuple[tuple[str, int, Int], ...] = ()
    if len(names) == 1 and str(result) == names[0]:
        type = Int(bits, True)
        parts = ((names[0], 0, walk.type_of(names[0])),) if type == walk.type_of(names[0]) else ()
    walk.out.append(Load(address, bits // 8, at, parts))
    if parts:
        walk.registers.levels[names[0]] = len(walk.around)
        walk.dims[names[0]] = Var(names[0], parts[0][2])


@_rule("cute.memref.load_vec", "cute.memref.store_vec")
def _(walk: Walk, step: Step, at: Place) -> None:
    """All elements of a tensor."""
    stores = step.operation.name == "cute.memref.store_vec"
    value, tensor = step.operation.operands[stores], step.operands[stores]
    if len(step.operands) != 1 + stores or not isinstance(tensor, Tensor):
        raise Unwritten("some of the elements of a tensor")
    if walk.shares.array_of(tensor) == ():
        if stores and isinstance(tensor.start, Pointer):
            if walk.clears(step) and isinstance(tensor.layout, Layout):
                walk.registers.clear(tensor.start.root, tensor.layout)
            else:
                walk.registers.forget({tensor.start.root})
        return
    _access(walk, value, tensor, 1, "write" if stores else "read", None, at)


# --- order ----------------------------------------------------------------------------------------


@_rule("nvvm.cp.async.commit.group")
def _(walk: Walk, step: Step, at: Place) -> None:
    walk.out.append(Commit(at))


@_rule("nvvm.cp.async.wait.group")
def _(walk: Walk, step: Step, at: Place) -> None:
    found = re.fullmatch(r"(\d+) : i32", step.operation.properties.get("n", ""))
    if found is None:
        raise Unwritten("a wait for so many groups")
    walk.out.append(Wait(int(found.group(1)), at))


@_rule("nvvm.cp.async.wait.all")
def _(walk: Walk, step: Step, at: Place) -> None:
    walk.out.append(Wait(None, at))


@_rule("nvvm.bar.warp.sync")
def _(walk: Walk, step: Step, at: Place) -> None:
    walk.out.append(Barrier("warp" if step.operands[0] in (-1, 2**32 - 1) else "lanes", at))
