"""Where a kernel's integers have to be inside their types: there they become dims of their own.

The algebra computes with integers that do not wrap. Sums and products are right of integers that
do, as long as what comes of them is inside its type. What divides, compares or widens takes them
for what they are: `(i*65536) // 65536` is no `i` where `i*65536` wraps. So what such operations
take is a dim, of which the scope knows what it is at which width; in a program it is a variable,
which is computed there.
"""

from __future__ import annotations

from contextlib import suppress
from math import gcd, prod
from typing import Any

from symcute.errors import SymcuteError
from symcute.expr.formula import ge
from symcute.expr.leaf import Expression
from symcute.frontends.cutedsl import types
from symcute.frontends.cutedsl.text import Operation
from symcute.frontends.cutedsl.values import Scope, Tensor, dims_of
from symcute.layout.layout import Layout
from symcute.solve.entailment import facts

__all__ = ["settled"]

#: What gives sums and products of what it takes, or hands it on; what asks for itself is among it.
_MODULAR = (
    "arith.addi", "arith.subi", "arith.muli", "arith.cmpi", "arith.minsi", "arith.maxsi",
    "arith.select", "cute.add_offset", "cute.append_to_rank", "cute.deref_arith", "cute.elem_less",
    "cute.get", "cute.make_arith", "cute.make_coord", "cute.make_int_tuple", "cute.make_shape",
    "cute.make_stride", "cute.size", "cute.to_int_tuple", "cute.tuple.product", "cute.tuple_add",
    "cute.tuple_mul", "cute.tuple_sub", "cute.make_view", "scf.",
)  # fmt: skip
#: What multiplies coordinates with strides, and adds that up, if a coordinate is one for each mode.
_PLACES = (
    "cute.crd2idx", "cute.local_tile", "cute.memref.load", "cute.memref.store", "cute.slice",
)  # fmt: skip
#: What is inside the type that its arguments are inside.
_INSIDE = ("dim", "CeilDiv", "FloorDiv", "Maximum", "Minimum", "Modulo")
_WIDENS = ("arith.extsi", "arith.extui")


def settled(operation: Operation, operands: tuple[Any, ...], scope: Scope) -> tuple[Any, ...]:
    """Return operands with dims for the integers that have to be inside their types.

    Post-conditions: `scope.settled` says of each such dim what it is, and in how many bits.
    """
    if operation.name.startswith(_MODULAR) or operation.regions:
        return operands
    if operation.name in _PLACES and not _spreads(operands, scope):
        return operands
    kinds = [_kind(x.type) for x in operation.operands]
    if operation.name in _WIDENS:
        made = _kind(operation.results[0].type)
        (kind,), (value,) = kinds, operands
        if isinstance(kind, types.IntegerType) and isinstance(made, types.IntegerType):
            wider = made.bits > max(32, kind.bits)
            if isinstance(value, Expression) and (wider or not _is_inside(value, kind.bits, scope)):
                return (_dim(value, kind.bits, made.bits, scope),)
        return operands
    return tuple([_of(k, x, scope) for k, x in zip(kinds, operands, strict=True)])


def _kind(text: str) -> Any:
    try:
        return types.read_type(text)
    except SymcuteError:
        return None


def _spreads(operands: tuple[Any, ...], scope: Scope) -> bool:
    """Return whether coordinates are widened or divided before they are an offset."""
    for x in operands:
        layout = x.layout if isinstance(x, Tensor) else x
        if isinstance(layout, Layout):
            if any(scope.bits.get(d, 32) > 32 for d in dims_of(layout)):
                return True
            modes = layout.shape if isinstance(layout.shape, tuple) else ()
            if len(modes) > 1 and any(isinstance(s, tuple) and len(s) > 1 for s in modes):
                return True
    coordinates = [x for x in operands if not isinstance(x, Tensor | Layout)]
    return any(isinstance(x, Expression) for x in coordinates) and any(
        isinstance(x, Tensor) and isinstance(x.layout.shape, tuple) and len(x.layout.shape) > 1
        for x in operands
    )


def _of(kind: Any, value: Any, scope: Scope) -> Any:
    """Return the integers of an operand, of each of which the type says how wide it is."""
    match kind:
        case types.IntegerType(bits):
            return _leaf(value, bits, scope)
        case types.TupleType(tree):
            return _tuple(tree, value, scope)
    return value


def _tuple(tree: Any, value: Any, scope: Scope) -> Any:
    if isinstance(tree, tuple) and isinstance(value, tuple) and len(tree) == len(value):
        return tuple([_tuple(t, x, scope) for t, x in zip(tree, value, strict=True)])
    return _leaf(value, tree.bits, scope) if isinstance(tree, types.Hole) else value


def _leaf(value: Any, bits: int, scope: Scope) -> Any:
    if not isinstance(value, Expression) or _is_inside(value, bits, scope):
        return value
    return _dim(value, bits, bits, scope)


def _dim(value: Expression, bits: int, made: int, scope: Scope) -> Any:
    """Return a dim for an integer of so many bits, which has `made` bits from here on."""
    divisor = _content(value)
    bounds = _bounds(value, scope)
    least = -(1 << bits - 1) if bounds is None else bounds[0]
    known = facts(scope.given(value))
    for low in (1, 0):
        with suppress(SymcuteError):
            if least < low and known.proves(ge(value, low)):
                least = low
    found = scope.integer("w", divisor, least=-(-least // divisor), bits=max(32, made))
    (name,) = dims_of(found)
    scope.below[name] = ((1 << bits - 1) - 1 if bounds is None else bounds[1]) // divisor + 1
    scope.settled[name] = value, bits
    if scope.is_uniform(value):
        scope.uniform.add(name)
    if dims_of(value) & scope.typed:
        scope.typed.add(name)
    return found


def _content(value: Any) -> int:
    """Return a number above 0 that divides a sum of products."""
    if isinstance(value, int):
        return abs(value)
    match value.op:
        case "+":
            return gcd(*map(_content, value.args))
        case "*":
            return prod(abs(x) for x in value.args if isinstance(x, int)) or 1
    return 1


def _is_inside(value: Any, bits: int, scope: Scope) -> bool:
    """Return whether an integer is seen to be inside its type, if what it is made of is."""
    if isinstance(value, Expression) and value.op in _INSIDE:
        return value.op != "dim" or scope.bits.get(value.args[0], 32) <= bits
    bounds = _bounds(value, scope)
    return bounds is not None and -(1 << bits - 1) <= bounds[0] and bounds[1] < 1 << bits - 1


def _bounds(value: Any, scope: Scope) -> tuple[int, int] | None:
    """Return numbers between which a sum of products is known to be."""
    if isinstance(value, int):
        return value, value
    if not isinstance(value, Expression):
        return None
    if value.op == "dim":
        name = value.args[0]
        high = scope.threads.get(name, scope.below.get(name))
        return (scope.least[name], high - 1) if isinstance(high, int) else None
    each = [_bounds(x, scope) for x in value.args]
    if value.op in ("FloorDiv", "Modulo") and isinstance(value.args[1], int) and value.args[1] > 0:
        if value.op == "Modulo":
            return 0, value.args[1] - 1
        return (
            None if each[0] is None else (each[0][0] // value.args[1], each[0][1] // value.args[1])
        )
    if None in each or value.op not in ("+", "*"):
        return None
    low, high = each[0] or (0, 0)
    for x in each[1:]:
        a, b = x or (0, 0)
        if value.op == "+":
            low, high = low + a, high + b
        else:
            ends = [low * a, low * b, high * a, high * b]
            low, high = min(ends), max(ends)
    return low, high
