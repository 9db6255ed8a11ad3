"""Arithmetic on values: the types in which C computes, integers, pointers."""

from __future__ import annotations

from symcute.frontends.cuda.builder import Builder
from symcute.frontends.cuda.conversions import convert, given, to_int
from symcute.frontends.cuda.ctype import BOOL, INT, CArray, CPointer, CType, Void, size_of
from symcute.frontends.cuda.memory import EXPRS, LONG, as_pointer
from symcute.frontends.cuda.values import OPAQUE, Numbered, Value
from symcute.kernel.ir.expression import Base, Binary, Cast, Const, Expr, PtrAdd, Unary
from symcute.kernel.ir.place import Place
from symcute.kernel.ir.program import Int

__all__ = ["ARITHMETIC", "COMPARISONS", "compound", "compute"]

COMPARISONS = ("<", ">", "<=", ">=", "==", "!=")
#: What else `Binary` can say of integers.
ARITHMETIC = ("+", "-", "*", "/", "%", "<<", ">>", "&", "|", "^")


def promoted(type: CType) -> CType:
    """Return the type to which an operand is promoted."""
    if isinstance(type, Int) and type.bits < 32:
        return INT
    return type


def common(one: CType, other: CType) -> CType:
    """Return the type in which C computes with two types."""
    one, other = promoted(one), promoted(other)
    if not isinstance(one, Int) or not isinstance(other, Int):
        return other if isinstance(one, Int) else one
    if one.bits != other.bits:
        return one if one.bits > other.bits else other
    return Int(one.bits, one.signed and other.signed)


def pointee(b: Builder, type: CType) -> CType:
    """Return what a pointer points to, or a parameter that is written as an array."""
    if isinstance(type, CArray):
        return type.element
    return b.types(type.target) if isinstance(type, CPointer) else Void()


def compute(
    b: Builder,
    operator: str,
    one: Value,
    other: Value,
    types: tuple[CType, CType],
    result: CType,
    place: Place,
) -> Value:
    """Return the value of an operation on two values of these types."""
    if any(isinstance(t, CPointer | CArray) for t in types):
        return _pointers(b, operator, one, other, types, result, place)
    if isinstance(other, Numbered) and operator == "+":
        one, other = other, one
    if isinstance(one, Numbered) and operator in ("+", "-") and isinstance(other, EXPRS):
        return _shifted(b, one, other, operator == "-", place)
    if not isinstance(one, EXPRS) or not isinstance(other, EXPRS):
        if isinstance(result, Int):
            return b.havoc(result, "from floating point", place)
        return OPAQUE
    assert isinstance(result, Int)
    if operator in COMPARISONS:
        both = one.type if one.type == other.type else common(_int(one), _int(other))
        assert isinstance(both, Int)
        left, right = to_int(b, one, both, place), to_int(b, other, both, place)
        return Binary(operator, left, right, BOOL, place)
    left = to_int(b, one, result, place)
    right = other if operator in ("<<", ">>") else to_int(b, other, result, place)
    return Binary(operator, left, right, result, place)


def _shifted(b: Builder, one: Numbered, by: Expr, back: bool, place: Place) -> Numbered:
    """Return an address moved by bytes: of shared memory it has 32 bits, which may wrap."""
    if one.shared and not isinstance(by, Const):
        by = Cast(by, INT, place, True)
    moved_to = moved(b, one.pointer, by, 1, back, place)
    return Numbered(b.steady(moved_to, "at", place), one.shared)


def _int(value: Expr) -> Int:
    assert isinstance(value.type, Int)
    return value.type


def _pointers(
    b: Builder,
    operator: str,
    one: Value,
    other: Value,
    types: tuple[CType, CType],
    result: CType,
    place: Place,
) -> Value:
    if operator in ("+", "-") and isinstance(result, CPointer | CArray):
        if not isinstance(types[0], CPointer | CArray):
            one, other, types = other, one, (types[1], types[0])
        scale = size_of(pointee(b, types[0]))
        if isinstance(other, Const) and other.value == 0:
            return one
        index = other
        if not isinstance(index, EXPRS):
            index = b.havoc(LONG, "an index that was not understood", place)
        return moved(b, as_pointer(b, one, place), index, scale, operator == "-", place)
    left, right = as_pointer(b, one, place), as_pointer(b, other, place)
    if operator == "-":
        distance = Binary("-", left, right, LONG, place)
        scale = size_of(pointee(b, types[0]))
        if scale == 1:
            return distance
        return Binary("/", distance, Const(scale, LONG), LONG, place)
    if operator in ("==", "!="):
        for here, there in ((left, right), (right, left)):
            if there == Base("nullptr"):
                present = given(b, here, place)
                return present if operator == "!=" else Unary("!", present, BOOL, place)
    return Binary(operator, left, right, BOOL, place)


def moved(b: Builder, pointer: Expr, index: Expr, scale: int, back: bool, place: Place) -> Expr:
    """Return a pointer moved by an index, which is first widened to that of a pointer."""
    if back:
        # Exact: a pointer has 64 bits, and so has what is taken from it.
        index = Unary("-", _wide(index, place), LONG, place)
    return PtrAdd(pointer, index, scale, place)


def _wide(index: Expr, place: Place) -> Expr:
    if index.type == LONG:
        return index
    if isinstance(index, Const):
        return Const(index.value, LONG)
    return Cast(index, LONG, place)


def compound(
    b: Builder,
    operator: str,
    old: Value,
    value: Value,
    types: tuple[CType, CType],
    place: Place,
) -> Value:
    """Return what a compound assignment puts into a place of the first type."""
    here, there = types
    if isinstance(here, CPointer):
        return compute(b, operator, old, value, types, here, place)
    within = promoted(here) if operator in ("<<", ">>") else common(here, there)
    if not isinstance(within, Int):
        return convert(b, OPAQUE, here, place)
    old = convert(b, old, within, place)
    return convert(b, compute(b, operator, old, value, (within, there), within, place), here, place)
