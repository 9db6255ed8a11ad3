"""Loads, stores and atomics of tensors: what the thread of an element does.

A mask is a condition around the access. What a load gives where its mask is false is `other`, or
anything. A tensor descriptor has bounds of its own: an element beyond them is neither read nor
written, whatever was asked for, and a load gives 0 there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Protocol, TypeAlias

from symcute.frontends.triton.descriptors import MAKES_A_DESCRIPTOR
from symcute.frontends.triton.operations import Op, Value
from symcute.frontends.triton.types import BOOL, I64, Unread, element_bytes
from symcute.frontends.triton.values import Coordinates, Elements, both, number
from symcute.kernel.ir.expression import Binary, Cast, Expr, PtrAdd, Var
from symcute.kernel.ir.place import Place
from symcute.kernel.ir.program import Atomic, Havoc, If, Int, Let, Load, Stmt, Store

__all__ = ["ACCESSES", "Access", "Walk", "Wanted", "access", "groups"]

#: The variables of a value, by the coordinates at which it is asked for.
Wanted: TypeAlias = tuple[tuple[Coordinates, Var], ...]
_SCOPES = {"cta": "block", "gpu": "device", "sys": "system"}
_ORDERS = {"relaxed", "acquire", "release", "acq_rel"}


class Walk(Elements, Protocol):
    """Who lowers the body of a function for the threads of one shape, at coordinates `at`."""

    shape: tuple[int, ...]
    at: Coordinates

    def takes(self, op: Op, shape: tuple[int, ...]) -> bool:
        """Return whether these threads make an access to elements of a shape."""

    def wanted(self, value: Value) -> Wanted:
        """Return what is asked of a value."""

    def may_change(self, pointer: Value) -> bool:
        """Return whether the kernel may write to what a pointer, or a descriptor, is to."""

    def arrays(self, pointer: Value) -> frozenset[str]:
        """Return the arrays that a pointer, or a descriptor, may be to."""

    def anything(self, op: Op, result: Value, variable: Var, why: str = "") -> Havoc:
        """Return that a variable may be anything."""


@dataclass(frozen=True)
class Spot:
    """Where an element is in memory: a pointer, the bytes, and when it is touched (None: always).

    `other` is what a load gives elsewhere, None where that is not known.
    """

    pointer: Expr
    width: int
    when: Expr | None
    other: Expr | None = None


@dataclass(frozen=True)
class Access:
    """An operation that touches memory: the shape of its elements, and where each of them is."""

    shape: Callable[[Op], tuple[int, ...]]
    spot: Callable[[Walk, Op, Coordinates], Spot]
    make: Callable[[Walk, Op, Access], list[Stmt]]


def access(walk: Walk, op: Op) -> list[Stmt]:
    """Return what a thread does in an operation that touches memory. Errors: Unread."""
    kind = ACCESSES[op.name]
    return kind.make(walk, op, kind)


def _under(op: Op, spot: Spot, then: Stmt, other: Stmt | None) -> list[Stmt]:
    if spot.when is None:
        return [then]
    return [If(spot.when, (then,), () if other is None else (other,), op.place)]


# --- where --------------------------------------------------------------------------------------


def _masked(mask: int, other: int | None = None) -> Callable[[Walk, Op, Coordinates], Spot]:
    """Return where an element of a pointer tensor is; the mask and `other` are operands."""

    def spot(walk: Walk, op: Op, at: Coordinates) -> Spot:
        pointer, *_ = op.operands
        pointee = pointer.type.pointee
        if pointee is None:
            raise Unread(f"{op.name} of no pointer")
        when = walk.element(op.operands[mask], at) if len(op.operands) > mask else None
        given = None
        if other is not None and len(op.operands) > other:
            value = op.operands[other]
            given = walk.element(value, at) if isinstance(value.type.held, Int) else None
        return Spot(walk.element(pointer, at), element_bytes(pointee), when, given)

    return spot


def _described(walk: Walk, op: Op, at: Coordinates) -> Spot:
    """Return where an element of a block of a descriptor is."""
    descriptor, *offsets = _of_descriptor(op)
    made = descriptor.op
    if made is None or made.name not in MAKES_A_DESCRIPTOR:
        raise Unread("a descriptor that is chosen, carried or handed over")
    parts = groups(made)
    block = descriptor.type.described
    if block is None or len(parts) != 2:
        raise Unread("a descriptor")
    shape, strides = parts
    rank = len(block.shape)
    if not len(shape) == len(strides) == len(offsets) == rank:
        raise Unread("a block of a descriptor that has another number of axes")
    when: Expr | None = None
    pointer = walk.element(made.operands[0], ())
    width = element_bytes(block.element)
    inner = _in_block(block.shape, _of_block(op), at)
    for offset, extent, stride, c in zip(offsets, shape, strides, inner, strict=True):
        index = _wide(walk.element(offset, ()), op.place)
        if c != number(0):
            index = Binary("+", index, _wide(c, op.place), I64, op.place)
        size = _wide(walk.element(extent, ()), op.place)
        inside = both(
            Binary("<=", number(0, I64), index, BOOL, op.place),
            Binary("<", index, size, BOOL, op.place),
            op.place,
        )
        when = both(when, inside, op.place)
        step = _wide(walk.element(stride, ()), op.place)
        by = index if step == number(1, I64) else Binary("*", index, step, I64, op.place)
        pointer = PtrAdd(pointer, by, width, op.place)
    held = block.held
    zero = number(0, held) if isinstance(held, Int) else None
    return Spot(pointer, width, when, zero)


def _in_block(block: tuple[int, ...], shape: tuple[int, ...], at: Coordinates) -> Iterator[Expr]:
    """Return the coordinates in a block of an element of a tensor: either may have axes of one."""
    if [n for n in block if n > 1] != [n for n in shape if n > 1]:
        raise Unread("a block of a descriptor as another shape")
    inner = (c for c, n in zip(at, shape, strict=True) if n > 1)
    return (next(inner) if n > 1 else number(0) for n in block)


def _of_descriptor(op: Op) -> list[Value]:
    """Return the descriptor and the offsets: `%d[%i, %j]`."""
    end = op.head.index("]") if "]" in op.head else 0
    many = sum(w.startswith("%") for w in op.head[:end])
    if not many or op.head[1] != "[":
        raise Unread("the head of an access through a descriptor")
    return op.operands[:many]


def groups(made: Op) -> list[list[Value]]:
    """Return the values in each pair of brackets."""
    found: list[list[Value]] = []
    values = iter(op_value for op_value in made.operands)
    inside = False
    for word in made.head:
        if word == "[":
            inside = True
            found.append([])
        elif word == "]":
            inside = False
        elif word.startswith("%"):
            value = next(values)
            if inside:
                found[-1].append(value)
    return found


def _wide(e: Expr, place: Place) -> Expr:
    return e if e.type == I64 else Cast(e, I64, place)


# --- what ---------------------------------------------------------------------------------------


def _load(walk: Walk, op: Op, kind: Access) -> list[Stmt]:
    (result,) = op.results
    found: list[Stmt] = []
    wanted = dict(walk.wanted(result))
    own = walk.takes(op, kind.shape(op))
    if own and walk.at not in wanted:
        spot = kind.spot(walk, op, walk.at)
        found += _under(op, spot, Load(spot.pointer, spot.width, op.place), None)
    for at, variable in wanted.items():
        if not (own and walk.at == at) and walk.may_change(op.operands[0]):
            # Another thread reads it, and the number is handed on to this one.
            found.append(walk.anything(op, result, variable, "what a load gives"))
            continue
        spot = kind.spot(walk, op, at)
        part = (variable.name, 0, variable.type)
        load = Load(spot.pointer, spot.width, op.place, (part,))
        why = "what a load gives where its mask is false"
        other: Stmt = walk.anything(op, result, variable, why)
        if spot.other is not None:
            other = Let(variable.name, spot.other, op.place)
        found += _under(op, spot, load, other)
    return found


def _store(value: Callable[[Op], Value]) -> Callable[[Walk, Op, Access], list[Stmt]]:
    def make(walk: Walk, op: Op, kind: Access) -> list[Stmt]:
        if not walk.takes(op, kind.shape(op)):
            return []
        spot = kind.spot(walk, op, walk.at)
        stored, held = value(op), None
        if isinstance(stored.type.held, Int) and stored.type.held != BOOL:
            held = walk.element(stored, walk.at)
        store = Store(spot.pointer, spot.width, op.place, held)
        return _under(op, spot, store, None)

    return make


def _atomic(walk: Walk, op: Op, kind: Access) -> list[Stmt]:
    words = [w for w in op.head if w.isidentifier()]
    scopes = [w for w in words if w in _SCOPES]
    orders = [w for w in words if w in _ORDERS]
    if len(scopes) != 1 or len(orders) != 1:
        raise Unread(f"{op.name} without order or scope")
    name = "cas" if op.name == "tt.atomic_cas" else next(w for w in words if w not in orders)
    return _atomically(walk, op, kind, f"tl.atomic_{name}", _SCOPES[scopes[0]])


def _reduced(walk: Walk, op: Op, kind: Access) -> list[Stmt]:
    """An atomic of a block through a descriptor."""
    return _atomically(walk, op, kind, f"an atomic {op.head[0]}", "device")


def _atomically(walk: Walk, op: Op, kind: Access, name: str, scope: str) -> list[Stmt]:
    result = op.results[0] if op.results else None
    wanted = dict(walk.wanted(result)) if result is not None else {}
    found: list[Stmt] = []
    if walk.takes(op, kind.shape(op)):
        spot = kind.spot(walk, op, walk.at)
        variable = wanted.pop(walk.at, None)
        part = other = None
        if result is not None and variable is not None:
            if not isinstance(variable.type, Int):
                raise Unread(f"{op.name} of pointers")
            part = (variable.name, variable.type)
            other = walk.anything(op, result, variable, "what an atomic gives without its mask")
        atomic = Atomic(name, spot.pointer, spot.width, op.place, part, scope=scope)
        found += _under(op, spot, atomic, other)
    if result is not None:
        found += [walk.anything(op, result, v, f"what {name} found") for v in wanted.values()]
    return found


def _of_pointer(op: Op) -> tuple[int, ...]:
    return op.operands[0].type.shape


def _of_block(op: Op) -> tuple[int, ...]:
    return (op.results or op.operands[-1:])[0].type.shape


#: What touches memory, and is understood.
ACCESSES: Mapping[str, Access] = {
    "tt.load": Access(_of_pointer, _masked(1, 2), _load),
    "tt.store": Access(_of_pointer, _masked(2), _store(lambda op: op.operands[1])),
    "tt.atomic_rmw": Access(_of_pointer, _masked(2), _atomic),
    "tt.atomic_cas": Access(_of_pointer, _masked(3), _atomic),
    "tt.descriptor_load": Access(_of_block, _described, _load),
    "tt.descriptor_store": Access(_of_block, _described, _store(lambda op: op.operands[-1])),
    "tt.descriptor_reduce": Access(_of_block, _described, _reduced),
}
