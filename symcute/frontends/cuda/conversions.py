"""Values as values of another type."""

from __future__ import annotations

from symcute.frontends.cuda.builder import Builder
from symcute.frontends.cuda.ctype import BOOL, CPointer, CType, Other, Record, Void
from symcute.frontends.cuda.lifetimes import is_constructed, is_of_source
from symcute.frontends.cuda.memory import EXPRS, null, unknown
from symcute.frontends.cuda.values import (
    OPAQUE,
    Address,
    Choice,
    Closure,
    Described,
    Fields,
    Function,
    Numbered,
    Opaque,
    Value,
)
from symcute.kernel.ir.expression import Base, Binary, Cast, Const, Expr, Var
from symcute.kernel.ir.place import Place
from symcute.kernel.ir.program import Havoc, If, Int, Leave, Pointer

__all__ = ["convert", "given", "only_values", "to_int"]


def convert(b: Builder, value: Value, to: CType, place: Place, *, explicit: bool = False) -> Value:
    """Return a value as one of another type.

    What the source's own constructors and conversions do for it is not shown: it may be anything.
    """
    if isinstance(value, Fields):
        hidden = not isinstance(to, Record | Void) and is_of_source(value.record)
    else:
        hidden = not isinstance(value, Closure) and is_constructed(to)
    if hidden:
        b.not_understood("how a struct is converted", place)
    match to:
        case Int(bits=bits) if isinstance(value, Numbered) and bits >= 32:
            return value
        case Int():
            return to_int(b, value, to, place, explicit)
        case CPointer():
            if isinstance(value, Const) and value.value == 0:
                return null(b, place)
            if isinstance(value, Address | Function | Choice | Closure):
                return value
            if isinstance(value, EXPRS) and value.type == Pointer():
                return value
            return b.havoc(Pointer(), "a number used as a pointer", place)
        case Record():
            if isinstance(value, Fields | Closure):
                return value
            return unknown(b, to, "a struct made of something else", place)
        case Other(number=number):
            return OPAQUE if number or isinstance(value, EXPRS) else value
        case _:
            return value


def to_int(b: Builder, value: Value, to: Int, place: Place, explicit: bool = False) -> Expr:
    """Return a value as an integer of a type."""
    if isinstance(value, Numbered | Described):
        return b.havoc(to, "an address as a number", place)
    if isinstance(value, Function | Choice | Closure | Address):
        if to == BOOL:
            return Const(1, BOOL)
        return b.havoc(to, "a pointer as a number", place)
    if isinstance(value, Opaque | Fields):
        reason = "floating point" if isinstance(value, Opaque) else "a struct as a number"
        return b.havoc(to, f"from {reason}", place)
    if value.type == Pointer():
        if to == BOOL:
            return given(b, value, place)
        return b.havoc(to, "a pointer as a number", place)
    if value.type == to:
        return value
    if isinstance(value, Const):
        if to == BOOL:
            return Const(int(value.value != 0), BOOL)
        if to.low <= value.value <= to.high:
            return Const(value.value, to)
    return Cast(value, to, place, explicit)


def only_values(b: Builder, number: Expr, within: Int, place: Place) -> None:
    """Leave host code where a number is no value of an enum, whose values have these bits.

    What a cast to the enum gives then is not defined, so that no launch is said to have it.
    """
    type = number.type
    known = number.value if isinstance(number, Const) else None
    inside = known is not None and within.low <= known <= within.high
    if not isinstance(type, Int) or type.bits <= within.bits or inside:
        return
    least, most = (Const(n, type) for n in (within.low, within.high))
    for test in (Binary("<", number, least, BOOL, place), Binary("<", most, number, BOOL, place)):
        b.emit(If(test, (Leave("kernel", place),), (), place))


def given(b: Builder, pointer: Expr, place: Place) -> Expr:
    """Return whether a pointer is not null.

    Of an array that the kernel is given it is not known, but it is the same for all threads.
    """
    if isinstance(pointer, Base) and pointer.array != "nullptr":
        array = b.arrays[pointer.array]
        if array.space != "global" or array.bytes is not None:
            return Const(1, BOOL)
        if array.name not in b.given:
            name = b.fresh(f"{array.name}_given")
            reason = f"whether {array.name} is a null pointer"
            b.prologue.append(Havoc(name, BOOL, reason, array.place, 0, 1, True))
            b.given[array.name] = Var(name, BOOL)
        return b.given[array.name]
    return Binary("!=", pointer, null(b, place), BOOL, place)
