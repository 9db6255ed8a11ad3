"""Constructors."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from clang.cindex import Cursor

from symcute.frontends.cuda.builder import Builder, Frame
from symcute.frontends.cuda.conversions import convert
from symcute.frontends.cuda.ctype import (
    FIRST_BASE,
    CType,
    Record,
    Void,
    same_record,
)
from symcute.frontends.cuda.headers import is_ours
from symcute.frontends.cuda.initial import anything, first_value, initialise
from symcute.frontends.cuda.inlining import bind_arguments, body, definition, without_body
from symcute.frontends.cuda.library import children, key, kind_of, place_of
from symcute.frontends.cuda.lifetimes import begins, copied
from symcute.frontends.cuda.memory import field_of, unknown, write
from symcute.frontends.cuda.rules import maker_rule, not_understood, run, value_of
from symcute.frontends.cuda.values import Bits, Memory, Parts, Spot
from symcute.kernel.ir.program import Scope

__all__ = ["construct"]


@maker_rule("CALL_EXPR")
def construct(b: Builder, cursor: Cursor, type: Record, spot: Spot) -> None:
    """Construct a struct in a place, as an expression says."""
    function, place = cursor.referenced, b.place(cursor)
    arguments = list(cursor.get_arguments())
    if function is None or kind_of(function) != "CONSTRUCTOR":
        given = None if function is None else b.types(function.result_type)
        if copied(type) and not isinstance(given, Record):
            anything(b, spot, type, cursor, f"a copy of {type.name}")
            return
        write(b, spot, convert(b, value_of(b, cursor), type, place), type, place)
        return
    text = body(function)
    made = function.is_default_method()
    copies = function.is_copy_constructor() or function.is_move_constructor()
    if copies and copied(type) and (made or text is None):
        anything(b, spot, type, cursor, f"a copy of {type.name}")
        return
    if copies and (made or (text is None and is_ours(place_of(function).file))):
        write(b, spot, convert(b, value_of(b, arguments[0]), type, place), type, place)
        return
    if text is None and not made:
        without_body(b, cursor, function, arguments, spot)
        if is_ours(place_of(function).file):  # it sets what it constructs, and nothing else
            reason = f"what {function.spelling} constructs"
            write(b, spot, unknown(b, type, reason, place), type, place)
        return
    if made or function.spelling == function.semantic_parent.spelling:
        _inlined(b, cursor, function, arguments, type, spot)
        return
    # One that a base class hands down: clang shows its name, and no more of it.
    handed = _handed_down(b, function.spelling, arguments, type)
    base = type.bases[0] if type.bases else None
    if handed is None or not isinstance(base, Record) or not isinstance(spot, Memory | Parts):
        not_understood(b, cursor, f"the constructor {function.spelling}, which is inherited")
        return
    _inlined(b, cursor, handed, arguments, base, spot)
    _rest(b, function, type, spot, {f.name for f in base.fields}, [base])


def _handed_down(b: Builder, name: str, arguments: list[Cursor], type: Record) -> Cursor | None:
    """Return the one constructor of the one base class that takes arguments of just these types."""
    if len(type.bases) != 1 or type.trouble or not isinstance(type.bases[0], Record):
        return None
    given = [a.type.get_canonical().spelling for a in arguments]
    found = [
        c for c in children(type.bases[0].cursor)
        if kind_of(c) == "CONSTRUCTOR" and c.spelling == name
        and [p.type.get_canonical().spelling for p in c.get_arguments()] == given
    ]  # fmt: skip
    return found[0] if len(found) == 1 and body(found[0]) is not None else None


def _inlined(
    b: Builder, cursor: Cursor, function: Cursor, arguments: list[Cursor], type: Record, spot: Spot
) -> None:
    """Lower a constructor with its body."""
    text = body(function)
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
    bases: list[CType] = []
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
        elif _is_constructor(initial) and kind_of(name) != "MEMBER_REF":
            base = b.types(initial.type)
            if same_record(base, type):
                construct(b, initial, type, spot)
                return
            held = _as_base(base, type, spot)
            if held is None or not isinstance(base, Record):
                not_understood(b, initial, f"a base class of {type.name}")
                continue
            construct(b, initial, base, held)
            bases.append(base)
            done |= {f.name for f in base.fields}
    _rest(b, function, type, spot, done, bases)


def _is_constructor(cursor: Cursor) -> bool:
    named = cursor.referenced if kind_of(cursor) == "CALL_EXPR" else None
    return named is not None and kind_of(named) == "CONSTRUCTOR"


def _as_base(base: CType, type: Record, spot: Spot) -> Spot | None:
    """Return the place of a base class within that of a struct."""
    if base in type.bases:
        return spot
    alone = type.trouble == FIRST_BASE and isinstance(base, Record)
    return Memory(spot.pointer, base) if alone and isinstance(spot, Memory) else None


def _rest(
    b: Builder, function: Cursor, type: Record, spot: Spot, done: set[str], bases: Sequence[CType]
) -> None:
    """Initialise what a constructor does not name, as declarations and default constructors do."""
    unknown_base = type.trouble == FIRST_BASE and not bases
    left = [base for base in type.bases if base not in bases]
    if unknown_base or any(begins(base) for base in left):
        not_understood(b, function, f"the constructor of a base class of {type.name}")
    for field in type.fields:
        if field.name in done:
            continue
        place = b.place(function)
        here = field_of(b, spot, field, place)
        initial = first_value(b, field)
        if initial is None and begins(field.type):
            not_understood(b, function, f"the constructor of {field.name}")
        elif initial is not None or not isinstance(here, Memory | Bits):
            initialise(b, here, field.type, initial, place)
