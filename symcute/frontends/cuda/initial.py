"""What variables begin with: expressions, braces, constructors."""

from __future__ import annotations

from clang.cindex import Cursor

from symcute.frontends.cuda.builder import Builder, Frame
from symcute.frontends.cuda.conversions import convert
from symcute.frontends.cuda.ctype import (
    CArray,
    CPointer,
    CType,
    Field,
    Record,
    Reference,
    Void,
    size_of,
)
from symcute.frontends.cuda.library import children, key, kind_of
from symcute.frontends.cuda.lifetimes import begins, copied, is_aggregate, is_constructed, is_zeroed
from symcute.frontends.cuda.memory import (
    address,
    declare,
    field_of,
    holds_lambda,
    read,
    shift,
    unknown,
    write,
)
from symcute.frontends.cuda.rules import MAKERS, bind, not_understood, value_of, value_rule
from symcute.frontends.cuda.values import OPAQUE, Fields, Hole, Memory, Slot, Spot, Value
from symcute.kernel.ir.expression import Const
from symcute.kernel.ir.place import Place
from symcute.kernel.ir.program import Int

__all__ = ["anything", "first_value", "initialise"]

#: An array with more elements than this is not set one by one where its braces leave them out.
_ELEMENTS = 4096


def initialise(b: Builder, spot: Spot, type: CType, initial: Cursor | None, place: Place) -> None:
    """Put into a new place what its declaration says."""
    if initial is None:
        if isinstance(spot, Slot) and spot.bits is None:
            b.havoc_into(spot.name, spot.type, "not initialised", place)
        elif not isinstance(spot, Memory | Hole):
            write(b, spot, unknown(b, type, "not initialised", place), type, place)
        return
    kind, inner = kind_of(initial), children(initial)
    around = isinstance(type, CArray) and kind == "UNEXPOSED_EXPR"
    if around and [kind_of(c) for c in inner] == ["INIT_LIST_EXPR"]:
        # What stands around the braces only ends the temporaries of the elements.
        initial, kind = inner[0], "INIT_LIST_EXPR"
    if isinstance(type, Reference):
        write(b, spot, address(b, bind(b, initial), place), type, place)
    elif kind == "INIT_LIST_EXPR":
        _braces(b, spot, type, initial, place)
    elif isinstance(type, CArray):
        if kind == "STRING_LITERAL":
            write(b, spot, OPAQUE, type, place)
        elif not (kind == "CALL_EXPR" and not list(initial.get_arguments())):
            anything(b, spot, type, initial, "how an array is initialised")
    elif isinstance(type, Record) and kind in MAKERS:
        MAKERS[kind](b, initial, type, spot)
    elif copied(type):  # what copies it is not shown
        anything(b, spot, type, initial, f"a copy of {initial.type.spelling}")
    else:
        write(b, spot, convert(b, value_of(b, initial), type, place), type, place)


def first_value(b: Builder, field: Field) -> Cursor | None:
    """Return what a field begins with; the size of an array in its type is not that."""
    found = [c for c in children(field.cursor) if c.kind.is_expression()]
    if not found or field.bits is not None:
        return None
    fits = kind_of(found[-1]) == "INIT_LIST_EXPR" or b.types(found[-1].type) == field.type
    return found[-1] if fits or not isinstance(field.type, CArray) else None


def zero(b: Builder, type: CType, place: Place) -> Value:
    """Return the value that braces give to what they leave out."""
    match type:
        case Int():
            return Const(0, type)
        case CPointer():
            return convert(b, Const(0, Int(32, True)), type, place)
        case Record(fields=fields):
            return Fields(type, {f.name: zero(b, f.type, place) for f in fields})
        case _:
            return OPAQUE


def _braces(b: Builder, spot: Spot, type: CType, cursor: Cursor, place: Place) -> None:
    items = children(cursor)
    if not isinstance(type, CArray | Record):
        value = convert(b, value_of(b, items[0]), type, place) if items else zero(b, type, place)
        write(b, spot, value, type, place)
        return
    if len(items) == 1 and b.types(items[0].type) == type and kind_of(items[0]) != "INIT_LIST_EXPR":
        initialise(b, spot, type, items[0], place)
        return
    if any(kind_of(i) == "UNEXPOSED_EXPR" and _designated(i) for i in items):
        anything(b, spot, type, cursor, "an initializer that names fields")
        return
    left = _fill(b, spot, type, items, place)
    if left:
        anything(b, spot, type, cursor, "an initializer of an unknown shape")


def anything(b: Builder, spot: Spot, type: CType, cursor: Cursor, reason: str) -> None:
    """Put anything into a place whose first value is not understood.

    Of what is listed in braces clang does not show by which constructors it becomes elements.
    """
    place = b.place(cursor)
    if is_constructed(type) or begins(type):
        b.not_understood(reason, place)
    else:
        not_understood(b, cursor, reason)
    write(b, spot, unknown(b, type, reason, place), type, place)


def _designated(cursor: Cursor) -> bool:
    first = next(iter(cursor.get_tokens()), None)
    return first is not None and first.spelling in (".", "[")


def _fill(b: Builder, spot: Spot, type: CType, items: list[Cursor], place: Place) -> list[Cursor]:
    """Fill an array or struct from a list in which inner braces may be left out."""
    if isinstance(type, Record):
        if items and _is_plain_union(type) and isinstance(spot, Memory):
            # Braces fill the first member; of what is left nothing is known.
            first = type.fields[0]
            rest = unknown(b, type, "what a union holds beside its first member", place)
            write(b, spot, rest, type, place)
            return _one(b, field_of(b, spot, first, place), first.type, items, place)
        parts = type.trouble or type.union or type.bases
        if parts and (items or begins(type) or (type.bases and not is_zeroed(type))):
            reason = "the initializer of a union, or of a base class"
            if items:
                anything(b, spot, type, items[0], reason)
            else:
                b.not_understood(reason, place)
                write(b, spot, unknown(b, type, reason, place), type, place)
            return []
        if type.bases and not type.trouble:
            write(b, spot, zero(b, type, place), type, place)
        if parts:
            return []
        for f in type.fields:
            if items and isinstance(f.type, Record) and f.type.closure and not b.host:
                value, *items = value_of(b, items[0]), *items[1:]
                if not holds_lambda(b, spot, f, value):
                    b.not_understood("a lambda in a struct", place)
                continue
            here, initial = field_of(b, spot, f, place), None if items else first_value(b, f)
            if initial is None:
                items = _one(b, here, f.type, items, place)
                continue
            b.frames.append(Frame(b.fresh(type.name or "struct"), Void(), this=spot))
            initialise(b, here, f.type, initial, place)
            b.frames.pop()
        return items
    assert isinstance(type, CArray) and isinstance(spot, Memory)
    size = size_of(type.element)
    for number in range(type.count or 0):
        if not items and number > _ELEMENTS:
            b.not_understood("a large array of zeros", place, (), [spot.pointer], barrier=False)
            break
        inner = Memory(shift(spot.pointer, number * size, place), type.element)
        items = _one(b, inner, type.element, items, place)
    return items


def _is_plain_union(type: Record) -> bool:
    """Return whether a type is a union of which braces fill the first member, and nothing else."""
    first = next(iter(type.fields), None)
    whole = type.union and not (type.trouble or type.bases or is_constructed(type))
    return whole and first is not None and first.bits is None


def _one(b: Builder, spot: Spot, type: CType, items: list[Cursor], place: Place) -> list[Cursor]:
    if not items:
        if isinstance(type, CArray) or (not is_zeroed(type) and is_aggregate(type)):
            return _fill(b, spot, type, [], place)
        if not is_zeroed(type):
            b.not_understood("the constructor of what braces leave out", place)
            write(b, spot, unknown(b, type, "what braces leave out", place), type, place)
        else:
            write(b, spot, zero(b, type, place), type, place)
        return []
    first = items[0]
    # Clang shows what is written, and not by which constructor that becomes an element.
    if not is_aggregate(type) and b.types(first.type) != type:
        anything(b, spot, type, first, f"how {first.type.spelling or 'an element'} is converted")
        return items[1:]
    if isinstance(type, CArray | Record) and kind_of(first) != "INIT_LIST_EXPR":
        same = isinstance(type, Record) and isinstance(b.types(first.type), Record)
        if not same and kind_of(first) != "STRING_LITERAL":
            return _fill(b, spot, type, items, place)
    initialise(b, spot, type, first, place)
    return items[1:]


@value_rule("INIT_LIST_EXPR")
def _braces_value(b: Builder, cursor: Cursor) -> Value:
    type, place = b.types(cursor.type), b.place(cursor)
    spot = declare(b, key(cursor), type, "t", place, "a temporary")
    _braces(b, spot, type, cursor, place)
    return read(b, spot, type, place)
