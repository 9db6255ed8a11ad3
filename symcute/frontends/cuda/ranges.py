"""Loops over ranges, names for parts of a struct, and statements within expressions."""

from __future__ import annotations

from clang.cindex import Cursor, TypeKind

from symcute.frontends.cuda.builder import Builder
from symcute.frontends.cuda.categories import REFERENCES
from symcute.frontends.cuda.conversions import convert
from symcute.frontends.cuda.ctype import BOOL, CArray, CType, Record, Reference, size_of
from symcute.frontends.cuda.headers import is_ours
from symcute.frontends.cuda.hidden import begins_plainly, has_hidden_end
from symcute.frontends.cuda.initial import initialise
from symcute.frontends.cuda.library import children, file_text, key, kind_of, place_of, walk
from symcute.frontends.cuda.lifetimes import copied, ends, is_aggregate
from symcute.frontends.cuda.memory import LONG, declare, field_of, read, unknown, write
from symcute.frontends.cuda.rules import (
    bind,
    hidden,
    not_understood,
    put_away,
    run,
    spot_of,
    statement_rule,
    value_of,
    value_rule,
)
from symcute.frontends.cuda.values import Memory, Parts, Spot, Value
from symcute.kernel.ir.expression import Binary, Const, PtrAdd, Var
from symcute.kernel.ir.program import Let, Loop, Scope

__all__: list[str] = []

#: A list with more elements than this is not written out.
_ELEMENTS = 64


@statement_rule("CXX_FOR_RANGE_STMT")
def _for_each(b: Builder, cursor: Cursor) -> None:
    parts = children(cursor)
    if len(parts) != 3 or kind_of(parts[0]) != "VAR_DECL":
        not_understood(b, cursor, "a loop over a range that declares more than a variable")
        return
    if not begins_plainly(cursor):
        hidden(b, cursor, "a statement may stand before what the loop is over")
        return
    variable, over, body = parts
    if has_hidden_end(variable):
        hidden(b, variable, f"what is called at the end of {variable.spelling} is not shown")
    items = _listed(over)
    if items is not None and len(items) <= _ELEMENTS:
        _written_out(b, variable, items, body)
        return
    held = _elements(b, over)
    if held is None:
        not_understood(b, cursor, f"a loop over {over.type.spelling}")
        return
    memory, type = held
    place, label = b.place(cursor), b.fresh("loop")
    name = b.fresh("element")
    b.emit(Let(name, Const(0, LONG), place))
    element = Memory(
        PtrAdd(memory.pointer, Var(name, LONG), size_of(type.element), place), type.element
    )
    with b.block() as inner:
        _take(b, variable, over, element)
        b.frame.loops.append((label, f"{label}.next"))
        with b.block() as out:
            run(b, body)
        b.frame.loops.pop()
        b.emit(Scope(f"{label}.next", tuple(out)))
    test = Binary("<", Var(name, LONG), Const(type.count or 0, LONG), BOOL, place)
    step = Let(name, Binary("+", Var(name, LONG), Const(1, LONG), LONG, place), place)
    b.emit(Loop(label, (), test, tuple(inner), (step,), place, False, b.invariants(cursor)))


def _listed(over: Cursor) -> list[Cursor] | None:
    """Return the elements of a range that is written in braces."""
    here = over
    while kind_of(here) in ("UNEXPOSED_EXPR", "CALL_EXPR") and len(children(here)) == 1:
        here = children(here)[0]
    return children(here) if kind_of(here) == "INIT_LIST_EXPR" else None


def _elements(b: Builder, over: Cursor) -> tuple[Memory, CArray] | None:
    """Return the array that a range consists of, or None."""
    type = b.types(over.type)
    if isinstance(type, Reference):
        type = b.types(type.target)
    if isinstance(type, Record):
        ours = type.name == "array" and is_ours(place_of(type.cursor).file)
        if not ours or len(type.fields) != 1:
            return None
        spot: Spot = field_of(b, spot_of(b, over), type.fields[0], b.place(over))
        type = type.fields[0].type
    elif isinstance(type, CArray):
        spot = bind(b, over)
    else:
        return None
    if isinstance(spot, Memory) and isinstance(type, CArray) and type.count is not None:
        return spot, type
    return None


def _same_kind(type: Reference, over: Cursor) -> bool:
    """Is a reference to the type of the elements, and not to one that only looks like it?"""
    held = over.type.get_canonical()
    held = held.get_pointee().get_canonical() if held.kind in REFERENCES else held
    listed = held.kind == TypeKind.RECORD
    element = held.get_template_argument_type(0) if listed else held.get_array_element_type()
    return bool(type.target.get_canonical().kind == element.get_canonical().kind)


def _take(b: Builder, variable: Cursor, over: Cursor, element: Memory) -> None:
    """Let the variable of a loop stand for an element, or for a copy of it."""
    type, place = b.types(variable.type), b.place(variable)
    if isinstance(type, Reference):
        b.bound[key(variable)] = element
        inner = b.types(type.target)
        if inner != element.type or not _same_kind(type, over):
            reason = "a reference to what is made of an element"
            not_understood(b, variable, reason)
            b.bound[key(variable)] = put_away(b, unknown(b, inner, reason, place), inner, variable)
        return
    if isinstance(type, Record):
        not_understood(b, variable, f"a copy of {type.name}")  # its constructor may do anything
    spot = declare(b, key(variable), type, variable.spelling, place, variable.type.spelling)
    value = convert(b, read(b, element, element.type, place), type, place)
    write(b, spot, value, type, place)
    b.bound[key(variable)] = spot


def _written_out(b: Builder, variable: Cursor, items: list[Cursor], body: Cursor) -> None:
    """Lower the body once for each element, of which there are copies before the first round."""
    type, place = b.types(variable.type), b.place(variable)
    if isinstance(type, Reference):
        type = b.types(type.target)
    if isinstance(type, Record) and (copied(type) or not is_aggregate(type)):
        not_understood(b, variable, f"a copy of {type.name}")
    label = b.fresh("loop")
    with b.block() as all_rounds:
        listed: list[Spot] = []
        for item in items:
            name, text = variable.spelling, variable.type.spelling
            listed.append(declare(b, key(item), type, name, place, text))
            initialise(b, listed[-1], type, item, place)
        for number, spot in enumerate(listed):
            again = f"{label}.next{number}"
            b.bound[key(variable)] = spot
            b.frame.loops.append((label, again))
            with b.block() as out:
                run(b, body)
            b.frame.loops.pop()
            b.emit(Scope(again, tuple(out)))
    b.emit(Scope(label, tuple(all_rounds)))


# --- names for parts ------------------------------------------------------------------------------


@statement_rule("UNEXPOSED_DECL")
def _bindings(b: Builder, cursor: Cursor) -> None:
    """`auto [a, b] = value;` names the fields of a struct, or the elements of an array."""
    parts = children(cursor)
    names = [c for c in parts if kind_of(c) == "UNEXPOSED_DECL"]
    values = [c for c in parts if c.kind.is_expression()]
    if not names or len(values) != 1 or _has_tuples(cursor):
        not_understood(b, cursor, "a declaration that clang does not show")
        return
    if has_hidden_end(cursor):
        hidden(b, cursor, "what is called at the end of a declaration is not shown")
    declared, place = b.types(cursor.type), b.place(cursor)
    type: CType = declared
    if isinstance(declared, Reference):
        type = b.types(declared.target)
        spot = bind(b, values[0])
    elif isinstance(declared, Record) and not ends(declared):
        spot = declare(b, key(cursor), type, "parts", place, cursor.type.spelling)
        initialise(b, spot, type, values[0], place)
    else:
        not_understood(b, cursor, f"names for the parts of {cursor.type.spelling}")
        return
    held = _parts(b, spot, type)
    if held is None or len(held) != len(names):
        not_understood(b, cursor, f"names for the parts of {cursor.type.spelling}")
        return
    b.bound |= {key(name): part for name, part in zip(names, held, strict=True)}


def _parts(b: Builder, spot: Spot, type: CType) -> list[Spot] | None:
    if isinstance(type, Record) and not type.trouble and not type.union and not type.bases:
        if any(isinstance(f.type, Reference) or f.bits is not None for f in type.fields):
            return None
        if not isinstance(spot, Memory | Parts):
            return None
        return [field_of(b, spot, f, place_of(type.cursor)) for f in type.fields]
    if isinstance(type, CArray) and type.count is not None and isinstance(spot, Memory):
        size, at = size_of(type.element), spot.pointer
        place = place_of(type.element.cursor) if isinstance(type.element, Record) else b.last
        return [
            Memory(PtrAdd(at, Const(n * size, LONG), 1, place), type.element)
            for n in range(type.count)
        ]
    return None


def _has_tuples(cursor: Cursor) -> bool:
    """May a type of the source say for itself what its parts are?"""
    unit = cursor._tu
    files = {unit.spelling, *(i.include.name for i in unit.get_includes())}
    return any("tuple_size" in file_text(cursor, f) for f in files if not is_ours(f))


# --- statements within expressions ----------------------------------------------------------------


@value_rule("StmtExpr")
def _statement_expression(b: Builder, cursor: Cursor) -> Value:
    """`({ ...; value; })`: the value is that of its last statement."""
    (block,) = children(cursor)
    statements = children(block)
    labels = any(kind_of(c) in ("LABEL_STMT", "GOTO_STMT") for c in walk(block))
    if labels or not statements or not statements[-1].kind.is_expression():
        return not_understood(b, cursor, "a statement expression without a value")
    for statement in statements[:-1]:
        run(b, statement)
    return value_of(b, statements[-1])
