"""Conversions, written and unwritten."""

from __future__ import annotations

from clang.cindex import Cursor

from symcute.frontends.cuda.builder import Builder
from symcute.frontends.cuda.categories import (
    CASTS,
    gives_reference,
    is_place,
    makes_temporary,
    operand,
)
from symcute.frontends.cuda.conversions import convert, only_values
from symcute.frontends.cuda.ctype import (
    FIRST_BASE,
    Callable,
    CArray,
    CPointer,
    CType,
    Record,
    Void,
    bits_of,
    same_record,
    similar,
)
from symcute.frontends.cuda.hidden import computed_extents
from symcute.frontends.cuda.library import (
    children,
    constant,
    kind_of,
    pure_constant,
)
from symcute.frontends.cuda.lifetimes import ends
from symcute.frontends.cuda.memory import EXPRS, address, read, unknown
from symcute.frontends.cuda.rules import (
    SIMILAR,
    made,
    not_understood,
    put_away,
    run,
    spot_of,
    spot_rule,
    statement_rule,
    target,
    value_of,
    value_rule,
)
from symcute.frontends.cuda.values import OPAQUE, Fields, Memory, Opaque, Parts, Spot, Value
from symcute.kernel.ir.expression import Const
from symcute.kernel.ir.program import Int

__all__: list[str] = []


@statement_rule("PAREN_EXPR")
def _unused(b: Builder, cursor: Cursor) -> None:
    run(b, children(cursor)[-1])


@statement_rule("UNEXPOSED_EXPR")
def _unused_implicit(b: Builder, cursor: Cursor) -> None:
    inner = operand(cursor)
    if inner is None or b.types(inner.type) != b.types(cursor.type):
        value_of(b, cursor)
    else:
        _temporary(b, cursor)
        run(b, inner)


def _temporary(b: Builder, cursor: Cursor) -> None:
    """Say what happens to an object that nothing names where its expression has ended."""
    inner = children(cursor)
    new = inner and kind_of(inner[-1]) in ("INIT_LIST_EXPR", "CALL_EXPR", *CASTS)
    new = new and (kind_of(inner[-1]) not in CASTS or is_place(inner[-1]) is False)
    if kind_of(cursor) == "UNEXPOSED_EXPR" and new and ends(b.types(cursor.type)):
        why, place = f"{cursor.type.spelling} has a destructor", b.place(cursor)
        if b.host is not None:
            not_understood(b, cursor, why)
            b.not_understood(why, place, (), (), barrier=True)  # it may end the program
        else:
            b.not_understood(why, place)


@statement_rule("ARRAY_SUBSCRIPT_EXPR", "MEMBER_REF_EXPR", "DECL_REF_EXPR")
def _unread(b: Builder, cursor: Cursor) -> None:
    if cursor.type.is_volatile_qualified():
        value_of(b, cursor)
    else:
        spot_of(b, cursor)


@value_rule("PAREN_EXPR")
def _paren(b: Builder, cursor: Cursor) -> Value:
    return value_of(b, children(cursor)[-1])


@spot_rule("PAREN_EXPR")
def _paren_spot(b: Builder, cursor: Cursor) -> Spot:
    return spot_of(b, children(cursor)[-1])


@value_rule("UNEXPOSED_EXPR")
def _implicit(b: Builder, cursor: Cursor) -> Value:
    return _converted(b, cursor, explicit=False)


@value_rule(*CASTS)
def _cast(b: Builder, cursor: Cursor) -> Value:
    refers = gives_reference(cursor)
    if refers is None:
        return not_understood(b, cursor, _EITHER)
    if refers:
        return read(b, _cast_spot(b, cursor), b.types(cursor.type), b.place(cursor))
    _run_extents(b, cursor)
    value = _converted(b, cursor, explicit=True)
    within = bits_of(cursor.type) if b.host is not None else None
    if within is not None and isinstance(value, EXPRS):
        only_values(b, value, within, b.place(cursor))
    return value


@spot_rule(*CASTS)
def _cast_spot(b: Builder, cursor: Cursor) -> Spot:
    inner, type, refers = operand(cursor), b.types(cursor.type), gives_reference(cursor)
    if refers is None:
        return put_away(b, not_understood(b, cursor, _EITHER), type, cursor)
    if refers and _goes_to_part(b, cursor):
        return put_away(b, not_understood(b, cursor, _PART), type, cursor)
    _run_extents(b, cursor)
    if inner is None or not refers:
        return made(b, _converted(b, cursor, explicit=True), cursor)
    found = plain_spot(b, cursor)
    if found is not None:
        return found
    place = b.place(cursor)
    return target(b, address(b, spot_of(b, inner), place), type, place)


_EITHER = "a cast that may be to a reference"
_PART = "a conversion between a class and one of its bases, which may not begin where it does"


def _goes_to_part(b: Builder, cursor: Cursor) -> bool:
    """Is what is converted a class, or a pointer to one, and may a base lie elsewhere in it?"""
    inner = operand(cursor)
    if inner is None:
        return False
    before, type = b.types(inner.type), b.types(cursor.type)
    if isinstance(before, CPointer) and isinstance(type, CPointer):
        before, type = b.types(before.target), b.types(type.target)
    if not isinstance(before, Record) or not isinstance(type, Record) or same_record(before, type):
        return False
    return _may_lie_elsewhere(before, type) or _may_lie_elsewhere(type, before)


def _may_lie_elsewhere(whole: Record, part: CType) -> bool:
    return whole.trouble not in ("", FIRST_BASE) and _is_within(whole, part)


def _is_within(whole: Record, part: CType) -> bool:
    return any(
        not isinstance(base, Record) or same_record(base, part) or _is_within(base, part)
        for base in whole.bases
    )


def _run_extents(b: Builder, cursor: Cursor) -> None:
    for extent in computed_extents(cursor, operand(cursor)):
        run(b, extent)


def _converted(b: Builder, cursor: Cursor, *, explicit: bool) -> Value:
    inner = operand(cursor)
    type = b.types(cursor.type)
    _temporary(b, cursor)
    if inner is None:
        known = pure_constant(cursor)
        if isinstance(type, Int) and known is not None:
            return Const(type.wrap(known), type)
        return not_understood(b, cursor, "an expression that clang does not show")
    if isinstance(type, Void):
        run(b, inner)
        return OPAQUE
    if _goes_to_part(b, cursor):
        return not_understood(b, cursor, _PART)
    if explicit and kind_of(inner) == "UNEXPOSED_EXPR":
        # What is written as a cast, clang does in a conversion below it.
        value = _converted(b, inner, explicit=b.types(inner.type) == type)
    else:
        value = value_of(b, inner)
    before = b.types(inner.type)
    if before == type:
        return value
    if isinstance(before, Callable):
        return value
    return _between(b, cursor, value, inner, before, type, explicit)


def _between(
    b: Builder,
    cursor: Cursor,
    value: Value,
    inner: Cursor,
    before: CType,
    type: CType,
    explicit: bool,
) -> Value:
    place = b.place(cursor)
    if isinstance(type, Int) and not isinstance(value, EXPRS) and isinstance(value, Opaque):
        known = constant(cursor)
        if known is not None:
            return Const(type.wrap(known), type)
    if isinstance(before, CArray) and isinstance(type, CPointer):
        return value
    if isinstance(type, Record) and isinstance(value, Fields) and not same_record(before, type):
        return _base_value(b, cursor, value, type)
    return convert(b, value, type, place, explicit=explicit)


def _base_value(b: Builder, cursor: Cursor, value: Fields, type: Record) -> Value:
    if all(f.name in value.values for f in type.fields):
        return Fields(type, {f.name: value.values[f.name] for f in type.fields})
    return unknown(b, type, "a struct made of another", b.place(cursor))


def plain_spot(b: Builder, cursor: Cursor) -> Spot | None:
    """Return the place of an expression if it is one under conversions that change nothing."""
    inner = operand(cursor)
    if inner is None:
        return None
    before, type = b.types(inner.type), b.types(cursor.type)
    if before == type:
        return spot_of(b, inner)
    if similar(b.types, before, type):
        # Compilers differ: to nvcc it is a copy. Source: CWG 2352.
        return put_away(b, not_understood(b, cursor, SIMILAR), type, cursor)
    if not isinstance(before, Record) or not isinstance(type, Record):
        return None
    if not _is_base(type, before) and before.trouble != FIRST_BASE:
        return None
    held = spot_of(b, inner)
    match held:
        case Memory(pointer):
            return Memory(pointer, type)
        case Parts(_, spots, owner):
            return Parts(type, {f.name: spots[f.name] for f in type.fields}, owner)
        case _:
            return held


def _is_base(type: CType, of: CType) -> bool:
    """Is a struct the first base of another, or of its first base, and so on?"""
    if not isinstance(of, Record) or of.trouble:
        return False
    return any(same_record(type, base) or _is_base(type, base) for base in of.bases[:1])


@spot_rule("UNEXPOSED_EXPR")
def _implicit_spot(b: Builder, cursor: Cursor) -> Spot:
    if _goes_to_part(b, cursor):
        return put_away(b, not_understood(b, cursor, _PART), b.types(cursor.type), cursor)
    found = None if makes_temporary(cursor) else plain_spot(b, cursor)
    if found is not None:
        _temporary(b, cursor)
        return found
    if makes_temporary(cursor):
        return put_away(b, _implicit(b, cursor), b.types(cursor.type), cursor)
    return made(b, _implicit(b, cursor), cursor)
