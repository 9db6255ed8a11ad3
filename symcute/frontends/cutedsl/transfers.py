"""Copies by TMA: a box of shared memory, and one of a tensor in global memory.

One lane of each warp that comes to a copy begins it, by itself, as the DSL's page of `elect_one`
says. A load writes the box at any time until it is complete on its mbarrier; a store reads it, and
writes its elements where their coordinates are inside of the tensor.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, NamedTuple

from symcute.expr.basis import ScaledBasis
from symcute.frontends.cutedsl import types
from symcute.frontends.cutedsl.arithmetic import (
    BOOL,
    I32,
    WIDE,
    Unwritten,
    all_of,
    width,
)
from symcute.frontends.cutedsl.evaluation import Step
from symcute.frontends.cutedsl.signals import elected, touched
from symcute.frontends.cutedsl.values import Pointer, Tensor, dims_of
from symcute.frontends.cutedsl.vectors import vectors
from symcute.frontends.cutedsl.walk import Walk
from symcute.frontends.nested import nested
from symcute.kernel.ir.expression import Base, Binary, Const, Expr, PtrAdd
from symcute.kernel.ir.place import Place
from symcute.kernel.ir.program import If, Load, NotUnderstood, Signal, Stmt, Store
from symcute.layout.layout import Layout

__all__ = ["Descriptor", "transferred", "unseen"]


class Descriptor(NamedTuple):
    """What a copy by TMA is of: an array, its tensor, and the tensor of its coordinates."""

    array: str
    tensor: Tensor
    coordinates: Any


def transferred(walk: Walk, step: Step, at: Place) -> None:
    """A copy by TMA: a box of shared memory; in global memory it stays inside of its tensor."""
    kind, *tensors = step.operands
    values = step.operation.operands
    loads = "tma_load" in kind.text
    memory, far = (1, 0) if loads else (0, 1)
    inside, touches = False, walk.shares.array_of(tensors[memory])
    done: list[Stmt] = []
    try:
        if len(tensors) != 2 or not touches or not isinstance(tensors[memory], Tensor):
            raise Unwritten("a copy by TMA whose box in shared memory is not known")
        address, size = walk.shares.hull(values[1 + memory].name, tensors[memory])
        _boxes(kind.text, tensors[memory], size)
        test = _counted(walk, tensors[far], at)
        inside = True
    except Unwritten as error:
        shared = walk.shares.in_space("shared")
        done.append(unseen(error.what, shared, "access", at))
    descriptor = walk.descriptors.get(values[0].name)
    if inside and loads:
        done += _loaded(walk, kind.text, values[0].name, address, size, at)
    elif inside:
        done.append(Load(address, size, at, agent="store"))
    if loads and not inside:
        touched(walk, "a copy by TMA", walk.carried.get(values[0].name), at)
    if loads:
        walk.loaded[descriptor.array if descriptor else ""] = at
    else:
        done += _stored(walk, descriptor, tensors[far], at)
    if inside:
        # What is copied hangs on the coordinates, so that these must not wrap; where, and on which
        # mbarrier it is complete, does not.
        done = [If(test, (), (), at), *done]
    walk.out.append(If(elected(), tuple(done), (), at))


def _loaded(walk: Walk, atom: str, name: str, address: Expr, size: int, at: Place) -> list[Stmt]:
    """Return what a load does: it writes, and is complete on its mbarrier by so many bytes."""
    write = Store(address, size, at, agent="load")
    pointer = walk.carried.get(name)
    if pointer is None or "num_cta = 1" not in atom or "multicast" in atom:
        held, walk.out = walk.out, []
        touched(walk, "a copy by TMA", pointer, at)
        made, walk.out = walk.out, held
        return [write, *made]
    return [write, Signal("complete", pointer, Const(size, I32), at)]


def _stored(walk: Walk, descriptor: Descriptor | None, far: Any, at: Place) -> Sequence[Stmt]:
    """Return what a store writes: each element of the box whose coordinates are inside."""
    try:
        if descriptor is None:
            raise Unwritten("which tensor TMA writes to is not known")
        return _elements(walk, descriptor, far, at)
    except Unwritten as error:
        arrays = (descriptor.array,) if descriptor else walk.shares.in_space("global")
        return [unseen(error.what, arrays, "inside", at)]


def _elements(walk: Walk, to: Descriptor, far: Any, at: Place) -> Sequence[Stmt]:
    start, layout, whole = to.tensor.start, to.tensor.layout, to.coordinates
    if not isinstance(start, Pointer) or not isinstance(layout, Layout):
        raise Unwritten(f"TMA to {to.array}, whose layout is not known")
    if not isinstance(whole, Tensor) or not isinstance(whole.layout, Layout):
        raise Unwritten("coordinates that are not known")
    bits = types.bits_of(start.element)
    modes, named = layout.modes(), whole.layout.modes()
    if bits % 8 or start.offset != 0 or len(modes) != len(named):
        raise Unwritten(f"TMA to {layout}")
    place: dict[tuple[int, ...], tuple[Any, Any]] = {}
    for (extent, stride), (_, basis) in zip(modes, named, strict=True):
        if not isinstance(basis, ScaledBasis) or basis.value != 1 or basis.modes in place:
            raise Unwritten(f"coordinates {whole.layout}")
        place[basis.modes] = extent, stride
    if any(leaf != 0 for _, leaf in _leaves(whole.start)):
        raise Unwritten("coordinates that begin elsewhere")
    box = [(n, d) for n, d in far.layout.modes() if n != 1]
    begin = dict(_leaves(far.start))
    if dims_of(far.start) & walk.unclear:
        raise Unwritten("where TMA writes a box is not known")
    if not all(isinstance(n, int) and isinstance(d, ScaledBasis) for n, d in box):
        raise Unwritten(f"a box {far.layout}")
    if not {d.modes for _, d in box} <= place.keys() <= begin.keys():
        raise Unwritten(f"a box {far.layout} of {whole.layout}")

    def inside(counters: Sequence[Expr]) -> Sequence[Stmt]:
        tests: list[Expr] = []
        address: Expr = Base(to.array)
        for modes, (extent, stride) in place.items():
            type = width(walk.scope, begin[modes], extent)
            c = walk.integer(begin[modes], at, type)
            for counter, (_, basis) in zip(counters, box, strict=True):
                if basis.modes == modes:
                    step = walk.cast(counter, type, at)
                    if basis.value != 1:
                        step = Binary("*", step, Const(basis.value, type), type, at)
                    c = Binary("+", c, step, type, at)
            if not isinstance(begin[modes], int) or begin[modes] < 0:
                tests.append(Binary(">=", c, Const(0, type), BOOL, at))
            tests.append(Binary("<", c, walk.integer(extent, at, type), BOOL, at))
            wide = walk.cast(c, WIDE, at)
            if stride != 1:
                wide = Binary("*", wide, walk.integer(stride, at, WIDE), WIDE, at)
            address = PtrAdd(address, wide, bits // 8, at)
        store = Store(address, bits // 8, at, agent="store")
        return [If(all_of(tests, at), (store,), (), at)]

    return nested([n for n, _ in box], walk.name, inside, at)


def unseen(what: str, arrays: tuple[str, ...] | None, effect: str, at: Place) -> NotUnderstood:
    """Return that something accesses arrays beside the threads, nobody knows when."""
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
