"""What kernels promise of values, or assert: promises of the program, each asked where it is said.

`tl.assume` and `tl.device_assert` (and Python's `assert`) say a condition, of every element of a
tensor. `tl.multiple_of`, `tl.max_contiguous` and `tl.max_constancy` speak of runs along an axis, as
Triton's axis analysis reads them: of a tensor, the first element of each run of contiguous ones is
a multiple; runs of so many elements are contiguous, or constant. How long a run is that only
`multiple_of` speaks of is what that analysis sees; where it is not known, neither is the promise.

`tl.make_tensor_descriptor` and the host's `TensorDescriptor` promise the machine that strides, but
for that of the last axis, are multiples of 16 bytes.

TTIR keeps no place of the three of runs, so the process that makes it writes them down (`marked`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from math import gcd
from typing import Protocol

from symcute.frontends.triton.accesses import groups
from symcute.frontends.triton.compiling import marked
from symcute.frontends.triton.descriptors import MAKES_A_DESCRIPTOR
from symcute.frontends.triton.operations import Block, Op, Value
from symcute.frontends.triton.types import BOOL, I32, Unread, element_bytes
from symcute.frontends.triton.values import Coordinates, Elements, both, number
from symcute.kernel.ir.expression import Binary, Cast, Expr
from symcute.kernel.ir.place import Place
from symcute.kernel.ir.program import Int, Promise

__all__ = ["Asked", "hints_of", "promise", "promised_shape"]

_MOST_BITS = 128
#: What the strides of a descriptor are multiples of, in bytes.
_UNIT = 16
_CONDITIONS = {"llvm.intr.assume": "tl.assume", "tt.assert": "tl.device_assert"}
_NAMES = _CONDITIONS | MAKES_A_DESCRIPTOR


class Asked(Elements, Protocol):
    """Who knows elements, the coordinates of a thread, and what is promised to be contiguous."""

    at: Coordinates
    hints: dict[int, list[int]]


def promised_shape(op: Op) -> tuple[int, ...] | None:
    """Return the shape of what an operation promises something of; None where it does not."""
    if op.name in MAKES_A_DESCRIPTOR:
        return () if len(groups(op)) == 2 and len(groups(op)[1]) > 1 else None
    if (op.name in _CONDITIONS or _said(op) is not None) and op.operands:
        return op.operands[0].type.shape
    return None


def hints_of(blocks: Sequence[Block]) -> dict[int, list[int]]:
    """Return how many elements of values are promised to be contiguous along each axis."""
    found: dict[int, list[int]] = {}
    for block in blocks:
        for op in block.ops:
            said = _said(op)
            if said is not None and said[0] == "max_contiguous":
                found[op.operands[0].number] = said[1]
            for region in op.regions:
                found |= hints_of(region)
    return found


def promise(walk: Asked | None, op: Op) -> Promise:
    """Return what an operation promises, of the element of a thread; without one, unread."""
    said = _said(op)
    name = f"tl.{said[0]}" if said else _NAMES[op.name]
    believed = op.name != "tt.assert"
    try:
        if walk is None:
            raise Unread("a promise of elements that are of no thread")
        return Promise(name, _test(walk, op), op.place, believed)
    except Unread:
        return Promise(name, None, op.place, believed)


def _said(op: Op) -> tuple[str, list[int]] | None:
    text = op.head[0] if op.name == "tt.print" and op.head else ""
    return marked(text.strip('"')) if len(op.operands) == 1 else None


def _test(walk: Asked, op: Op) -> Expr:
    if op.name in MAKES_A_DESCRIPTOR:
        return _strides(walk, op)
    value, said = op.operands[0], _said(op)
    at = walk.at if value.type.shape else ()
    if said is None:
        return walk.element(value, at)
    name, values = said
    if len(values) != max(1, len(at)) or any(v < 1 for v in values):
        raise Unread("a promise of another number of axes, or of no number")
    if not at:
        return _multiple(walk, value, (), values[0], op.place)
    found: Expr | None = None
    for axis, v in enumerate(values):
        run = v if name != "multiple_of" else _contiguous(value, axis, walk.hints)
        start = (
            *at[:axis],
            _start(at[axis], run, value.type.shape[axis], op.place),
            *at[axis + 1 :],
        )
        if v == 1 or (start == at and name != "multiple_of"):
            continue
        if name == "multiple_of":
            part = _multiple(walk, value, start, v, op.place)
        else:
            part = _from_start(walk, value, (at, start, axis), name, op.place)
        found = both(found, part, op.place)
    return number(1, BOOL) if found is None else found


def _strides(walk: Asked, op: Op) -> Expr:
    described = op.results[0].type.described
    if described is None:
        raise Unread("a descriptor")
    least = max(1, _UNIT // element_bytes(described.element))
    found: Expr | None = None
    for stride in groups(op)[1][:-1]:
        found = both(found, _multiple(walk, stride, (), least, op.place), op.place)
    return number(1, BOOL) if found is None else found


def _start(c: Expr, run: int, extent: int, place: Place) -> Expr:
    """Return the coordinate of the first element of a run."""
    if run == 1 or c == number(0):
        return c
    if run >= extent:
        return number(0)
    return Binary("-", c, Binary("%", c, number(run), I32, place), I32, place)


def _integer(walk: Asked, value: Value, at: Coordinates) -> tuple[Expr, Int]:
    e = walk.element(value, at)
    if not isinstance(e.type, Int):
        raise Unread("a promise of pointers")
    return e, e.type


def _multiple(walk: Asked, value: Value, at: Coordinates, of: int, place: Place) -> Expr:
    e, type = _integer(walk, value, at)
    if of & (of - 1) == 0 and of < 1 << type.bits:  # its lowest bits say so, whatever the sign
        type = Int(type.bits, False)
    elif of > type.high:
        raise Unread("a multiple of what is no number of the type")
    left = Binary("%", _as(e, type, place), number(of, type), type, place)
    return Binary("==", left, number(0, type), BOOL, place)


def _as(e: Expr, type: Int, place: Place) -> Expr:
    return e if e.type == type else Cast(e, type, place, True)


def _from_start(
    walk: Asked, value: Value, where: tuple[Coordinates, Coordinates, int], name: str, place: Place
) -> Expr:
    at, start, axis = where
    if walk.marked and name == "max_contiguous":
        raise Unread("a run of numbers that may be unsigned")
    (first, type), (e, _) = (_integer(walk, value, c) for c in (start, at))
    wide = Int(min(2 * type.bits, _MOST_BITS), True)  # no sum of two leaves it
    first, e = _as(first, wide, place), _as(e, wide, place)
    if name == "max_contiguous":
        by: Expr = at[axis]
        if start[axis] != number(0):
            by = Binary("-", by, start[axis], I32, place)
        first = Binary("+", first, _as(by, wide, place), wide, place)
    return Binary("==", e, first, BOOL, place)


# --- the analysis of Triton, as far as it is plain ----------------------------------------------


def _contiguous(value: Value, axis: int, hints: dict[int, list[int]]) -> int:
    """Return how many elements along an axis Triton sees to be contiguous. Errors: Unread."""
    if value.number in hints and axis < len(hints[value.number]):
        return max(1, hints[value.number][axis])
    op, extent = value.op, value.type.shape[axis]
    match op.name if op is not None else "":
        case "tt.make_range":
            return extent
        case "tt.splat" | "arith.constant" | "arith.muli" | "tt.load":
            return 1
        case "arith.extsi" | "arith.extui" if op is not None:
            return _contiguous(op.operands[0], axis, hints)
        case "arith.addi" if op is not None:
            a, b = op.operands
            return max(
                gcd(_contiguous(a, axis, hints), _constant(b, axis)),
                gcd(_constant(a, axis), _contiguous(b, axis, hints)),
            )
        case "tt.expand_dims" if op is not None:
            new = op.number("axis")
            return 1 if axis == new else _contiguous(op.operands[0], axis - (axis > new), hints)
        case "tt.broadcast" if op is not None:
            source = op.operands[0]
            return _contiguous(source, axis, hints) if source.type.shape[axis] == extent else 1
    raise Unread("a run of elements")


def _constant(value: Value, axis: int) -> int:
    """Return how many elements along an axis Triton sees to be the same. Errors: Unread."""
    op, extent = value.op, value.type.shape[axis]
    match op.name if op is not None else "":
        case "tt.splat":
            return extent
        case "arith.constant" if op is not None and re.fullmatch(
            r"dense<-?\d+>", op.head[0] if op.head else ""
        ):
            return extent
        case "tt.make_range":
            return 1
        case "arith.extsi" | "arith.extui" if op is not None:
            return _constant(op.operands[0], axis)
        case "arith.addi" | "arith.muli" if op is not None:
            return gcd(*(_constant(v, axis) for v in op.operands))
        case "tt.expand_dims" if op is not None:
            new = op.number("axis")
            return 1 if axis == new else _constant(op.operands[0], axis - (axis > new))
        case "tt.broadcast" if op is not None:
            source = op.operands[0]
            return _constant(source, axis) if source.type.shape[axis] == extent else extent
    raise Unread("a run of elements")
