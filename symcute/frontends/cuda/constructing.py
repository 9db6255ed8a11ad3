"""Constructors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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
from symcute.frontends.cuda.library import children, key, kind_of, place_of, walk
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
        reason = f"the constructor {function.spelling}, which is inherited"
        anything(b, spot, type, cursor, reason)
        return
    _inlined(b, cursor, handed, arguments, base, spot)
    b.frames.append(Frame(b.fresh(type.name or "constructor"), Void(), this=spot))
    _rest(b, function, type, spot, {}, [(base, None)])
    b.frames.pop()


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
    """Initialise bases and fields, as the constructor says or as their declarations do.

    That is done in the order of their declarations, whatever the order in which they are written.
    Source: C++17, [class.base.init].
    """
    given: dict[str, Cursor] = {}
    bases: list[tuple[Record, Cursor]] = []
    for name, initial in pairwise(children(function)):
        if kind_of(name) == "MEMBER_REF" and initial.kind.is_expression():
            field = type.named(name.referenced) if name.referenced is not None else None
            if field is None:
                not_understood(b, initial, f"the member {name.spelling}")
            else:
                given[field.name] = initial
        elif _begins_base(name, initial):
            base = b.types(initial.type)
            if same_record(base, type):
                initialise(b, spot, type, initial, b.place(initial))
                return
            if not isinstance(base, Record) or _as_base(base, type, spot) is None:
                not_understood(b, initial, f"a base class of {type.name}")
            else:
                bases.append((base, initial))
    _rest(b, function, type, spot, given, bases)


def _begins_base(name: Cursor, initial: Cursor) -> bool:
    """Does an expression of a constructor's begin a base class? Names stand before, as written."""
    named = initial.referenced if kind_of(initial) == "CALL_EXPR" else None
    if named is not None and kind_of(named) == "CONSTRUCTOR":
        return kind_of(name) != "MEMBER_REF"
    return kind_of(name) in ("TYPE_REF", "TEMPLATE_REF") and initial.kind.is_expression()


def _as_base(base: CType, type: Record, spot: Spot) -> Spot | None:
    """Return the place of a base class within that of a struct."""
    if base in type.bases:
        return spot
    alone = type.trouble == FIRST_BASE and isinstance(base, Record)
    return Memory(spot.pointer, base) if alone and isinstance(spot, Memory) else None


def _rest(
    b: Builder, function: Cursor, type: Record, spot: Spot, given: Mapping[str, Cursor],
    bases: Sequence[tuple[Record, Cursor | None]],
) -> None:  # fmt: skip
    """Initialise bases, of which those without an expression are so already, and then fields.

    What a constructor does not name begins as declarations and default constructors say.
    """
    if type.trouble == FIRST_BASE and not bases:
        not_understood(b, function, f"the constructor of a base class of {type.name}")
    done: set[str] = set()
    # Of a base that hangs on a template nothing more is known than what is written.
    for base in [t for t, _ in bases] if type.trouble == FIRST_BASE else type.bases:
        named = [(t, initial) for t, initial in bases if t == base]
        if not named and begins(base):
            reason = f"the constructor of a base class of {type.name}"
            anything(b, _as_base(base, type, spot) or spot, base, function, reason)
            done |= {f.name for f in base.fields} if isinstance(base, Record) else set()
        for record, initial in named:
            done |= {f.name for f in record.fields}
            held = _as_base(record, type, spot)
            if initial is not None and held is not None:
                initialise(b, held, record, initial, b.place(initial))
    fields = [f for f in type.fields if f.name not in done]
    first = {f.name: given.get(f.name) or first_value(b, f) for f in fields}
    early = _asked_early(type, first)
    for field in fields:
        here = field_of(b, spot, field, b.place(function))
        if field.name in early and not isinstance(here, Memory | Bits):
            initialise(b, here, field.type, None, b.place(function))
    for field in fields:
        initial, place = first[field.name], b.place(given.get(field.name) or function)
        here = field_of(b, spot, field, place)
        if initial is None and begins(field.type):
            anything(b, here, field.type, function, f"the constructor of {field.name}")
        elif initial is not None or not isinstance(here, Memory | Bits):
            initialise(b, here, field.type, initial, place)


def _asked_early(type: Record, first: Mapping[str, Cursor | None]) -> set[str]:
    """Return the fields that may be asked for before their turn, of which nothing is known then."""
    early: set[str] = set()
    names = list(first)
    for n, initial in enumerate(first.values()):
        for c in walk(initial) if initial is not None else ():
            if kind_of(c) == "CXX_THIS_EXPR":
                early |= {*names[n:]}
            elif kind_of(c) == "MEMBER_REF_EXPR" and not children(c) and c.referenced is not None:
                field = type.named(c.referenced)
                early |= {*names[n:]} & ({*names} if field is None else {field.name})
    return early
