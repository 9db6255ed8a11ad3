"""Constructors."""

from __future__ import annotations

from itertools import pairwise

from clang.cindex import Cursor

from symcute.frontends.cuda.builder import Builder, Frame
from symcute.frontends.cuda.conversions import convert
from symcute.frontends.cuda.ctype import CArray, Record, Void, same_record
from symcute.frontends.cuda.initial import initialise
from symcute.frontends.cuda.inlining import bind_arguments, body, definition, without_body
from symcute.frontends.cuda.library import children, key, kind_of
from symcute.frontends.cuda.memory import field_of, write
from symcute.frontends.cuda.rules import maker_rule, not_understood, run, value_of
from symcute.frontends.cuda.values import Bits, Memory, Spot
from symcute.kernel.ir.program import Scope

__all__ = ["construct"]


@maker_rule("CALL_EXPR")
def construct(b: Builder, cursor: Cursor, type: Record, spot: Spot) -> None:
    """Construct a struct in a place, as an expression says."""
    function, place = cursor.referenced, b.place(cursor)
    arguments = list(cursor.get_arguments())
    if function is None or kind_of(function) != "CONSTRUCTOR":
        write(b, spot, convert(b, value_of(b, cursor), type, place), type, place)
        return
    text = body(function)
    made = function.is_default_method()
    copies = function.is_copy_constructor() or function.is_move_constructor()
    if copies and (made or text is None):
        write(b, spot, convert(b, value_of(b, arguments[0]), type, place), type, place)
        return
    if text is None and not made:
        without_body(b, cursor, function, arguments, spot)
        return
    name = key(function.canonical)
    if name in b.active:
        not_understood(b, cursor, f"{type.name} is constructed from itself")
        return
    b.reached.append(function)
    b.bound |= bind_arguments(b, cursor, function, arguments)
    label = b.fresh(type.name or "constructor")
    b.frames.append(Frame(label, Void(), this=spot))
    b.active.append(name)
    with b.block() as out:
        _members(b, definition(function) or function, type, spot)
        if text is not None:
            run(b, text)
    b.active.pop()
    frame = b.frames.pop()
    b.out += [Scope(label, tuple(out))] if frame.leaves else out


def _members(b: Builder, function: Cursor, type: Record, spot: Spot) -> None:
    """Initialise bases and fields, as the constructor says or as their declarations do."""
    done: set[str] = set()
    inner = children(function)
    for name, initial in pairwise(inner):
        place = b.place(initial)
        if kind_of(name) == "MEMBER_REF" and initial.kind.is_expression():
            field = type.named(name.referenced) if name.referenced is not None else None
            if field is None:
                not_understood(b, initial, f"the member {name.spelling}")
                continue
            done.add(field.name)
            initialise(b, field_of(b, spot, field, place), field.type, initial, place)
        elif kind_of(name) in ("TYPE_REF", "TEMPLATE_REF") and kind_of(initial) == "CALL_EXPR":
            base = b.types(initial.type)
            if same_record(base, type):
                construct(b, initial, type, spot)
                return
            if isinstance(base, Record) and base in type.bases:
                construct(b, initial, base, spot)
                done |= {f.name for f in base.fields}
    for field in type.fields:
        if field.name in done:
            continue
        place = b.place(function)
        here = field_of(b, spot, field, place)
        initial = _initial(b, field.cursor) if field.bits is None else None
        if initial is not None or not isinstance(here, Memory | Bits):
            initialise(b, here, field.type, initial, place)


def _initial(b: Builder, field: Cursor) -> Cursor | None:
    """Return what a field begins with; the size of an array in its type is not that."""
    found = [c for c in children(field) if c.kind.is_expression()]
    if not found:
        return None
    type = b.types(field.type)
    fits = kind_of(found[-1]) == "INIT_LIST_EXPR" or b.types(found[-1].type) == type
    return found[-1] if fits or not isinstance(type, CArray) else None
