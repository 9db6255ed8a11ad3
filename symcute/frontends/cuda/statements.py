"""Statements: blocks, labels, declarations, branches."""

from __future__ import annotations

from clang.cindex import Cursor

from symcute.frontends.cuda.alignment import aligned
from symcute.frontends.cuda.builder import Builder
from symcute.frontends.cuda.conversions import convert
from symcute.frontends.cuda.ctype import (
    BOOL,
    CArray,
    CPointer,
    Record,
    Reference,
)
from symcute.frontends.cuda.hidden import computed_extents, has_hidden_end
from symcute.frontends.cuda.initial import initialise
from symcute.frontends.cuda.library import (
    binary_operator,
    children,
    initializer,
    key,
    kind_of,
    pure_constant,
    walk,
    within,
)
from symcute.frontends.cuda.lifetimes import begins, ends
from symcute.frontends.cuda.memory import declare, numbered, write
from symcute.frontends.cuda.rules import (
    bind,
    condition,
    hidden,
    not_understood,
    run,
    statement_rule,
    value_of,
)
from symcute.frontends.cuda.storage import global_spot, is_static, space_of
from symcute.frontends.cuda.tables import local_table
from symcute.frontends.cuda.values import Address, Bound, Choice, Closure, Function, Lost
from symcute.kernel.ir.program import If, Int, Leave, Scope

__all__: list[str] = []

_NOTHING = {
    "NULL_STMT", "TYPEDEF_DECL", "TYPE_ALIAS_DECL", "STRUCT_DECL", "CLASS_DECL", "ENUM_DECL",
    "UNION_DECL", "USING_DECLARATION", "USING_DIRECTIVE", "STATIC_ASSERT", "FUNCTION_DECL",
    "NAMESPACE_ALIAS",
}  # fmt: skip


@statement_rule("COMPOUND_STMT")
def _compound(b: Builder, cursor: Cursor) -> None:
    if b.host is not None:
        b.host.enter(cursor)
    _sequence(b, children(cursor))
    if b.host is not None:
        b.host.before(b, cursor, end=True)


def _sequence(b: Builder, statements: list[Cursor]) -> None:
    """Lower statements; `goto` to a label behind it among them leaves what lies between."""
    labels = [n for n, s in enumerate(statements) if kind_of(s) == "LABEL_STMT"]
    if labels and labels[-1] > 0:
        before, label = statements[: labels[-1]], statements[labels[-1]]
        inside = any(_jumps(s, label.spelling) for s in before)
        name = b.fresh(label.spelling)
        b.frame.labels[label.spelling] = name
        with b.block() as out:
            _sequence(b, before)
        del b.frame.labels[label.spelling]
        b.out += [Scope(name, tuple(out))] if inside else out
        statements = statements[labels[-1] :]
    waiting = list(reversed(statements))
    while waiting:
        statement = waiting.pop()
        if b.host is not None:
            b.host.before(b, statement)
        elif waiting and (late := _set_at_once(b, statement, waiting[-1])) is not None:
            waiting.pop()
            _declared(b, *late)
            continue
        run(b, statement)


def _set_at_once(b: Builder, statement: Cursor, behind: Cursor) -> tuple[Cursor, Cursor] | None:
    """Return a number that is declared, and what it is set to by the statement behind, if it is."""
    inner = children(statement) if kind_of(statement) == "DECL_STMT" else []
    if len(inner) != 1 or kind_of(inner[0]) != "VAR_DECL" or kind_of(behind) != "BINARY_OPERATOR":
        return None
    variable, (target, value) = inner[0], children(behind)
    plain = variable.storage_class.name == "NONE" and space_of(variable) != "shared"
    if not plain or initializer(variable) is not None or binary_operator(behind) != "=":
        return None
    own, named = key(variable), within(target)
    same = kind_of(named) == "DECL_REF_EXPR" and key(named.referenced) == own
    if not same or not isinstance(b.types(variable.type), Int):
        return None
    used = (c for c in walk(value) if kind_of(c) == "DECL_REF_EXPR")
    return None if any(key(c.referenced) == own for c in used) else (variable, value)


def _jumps(cursor: Cursor, label: str) -> bool:
    gotos = (c for c in walk(cursor) if kind_of(c) == "GOTO_STMT")
    return any(r.spelling == label for c in gotos for r in children(c))


@statement_rule("LABEL_STMT")
def _label(b: Builder, cursor: Cursor) -> None:
    run(b, children(cursor)[-1])


@statement_rule("GOTO_STMT")
def _goto(b: Builder, cursor: Cursor) -> None:
    names = [c.spelling for c in children(cursor)]
    if len(names) == 1 and names[0] in b.frame.labels:
        b.emit(Leave(b.frame.labels[names[0]], b.place(cursor)))
    else:
        not_understood(b, cursor, "a goto that goes back, or into a block")


@statement_rule(*sorted(_NOTHING))
def _nothing(b: Builder, cursor: Cursor) -> None:
    pass


@statement_rule("UNEXPOSED_STMT")
def _attributed(b: Builder, cursor: Cursor) -> None:
    """A statement under a pragma or an attribute."""
    *attributes, statement = children(cursor) or [cursor]
    if statement is cursor or not all(_is_attribute(a) for a in attributes):
        not_understood(b, cursor, "a statement that clang does not show")
    else:
        run(b, statement)


def _is_attribute(cursor: Cursor) -> bool:
    return kind_of(cursor) == "?" or cursor.kind.is_attribute()


@statement_rule("DECL_STMT")
def _declarations(b: Builder, cursor: Cursor) -> None:
    for declaration in children(cursor):
        for extent in computed_extents(declaration, initializer(declaration)):
            run(b, extent)
        run(b, declaration)


@statement_rule("VAR_DECL")
def _variable(b: Builder, cursor: Cursor) -> None:
    _declared(b, cursor, initializer(cursor))


def _declared(b: Builder, cursor: Cursor, initial: Cursor | None) -> None:
    name, place, type = key(cursor), b.place(cursor), b.types(cursor.type)
    text = cursor.type.spelling
    if has_hidden_end(cursor):
        hidden(b, cursor, f"what is called at the end of {cursor.spelling} is not shown")
    if space_of(cursor) == "shared" or cursor.storage_class.name == "EXTERN":
        spot = global_spot(b, cursor)
        if spot is None:
            not_understood(b, cursor, f"the variable {cursor.spelling}")
        return
    if is_static(cursor):
        if global_spot(b, cursor) is None:
            not_understood(b, cursor, f"the static variable {cursor.spelling}")
        return
    if ends(type):
        not_understood(b, cursor, f"{cursor.type.spelling} has a destructor")
    if isinstance(type, CArray) and begins(type):
        not_understood(b, cursor, f"the constructor of {cursor.type.spelling}")
    if isinstance(type, Reference):
        b.bound[name] = bind(b, initial) if initial else Lost()
        return
    table = local_table(b, cursor, type)
    if table is not None:
        b.bound[name] = table
        aligned(b, cursor, table)
        return
    if isinstance(type, Record) and type.closure and initial is not None:
        b.bound[name] = Bound(value_of(b, initial))
        return
    if isinstance(type, Int) and initial is not None and kind_of(initial) != "INIT_LIST_EXPR":
        spot = declare(b, name, type, cursor.spelling, place, text)
        value = convert(b, value_of(b, initial), type, place)
        address = numbered(b, name, value, cursor.spelling, place)
        if address is None:
            write(b, spot, value, type, place)
        spot = address or spot
        aligned(b, cursor, spot)
    elif isinstance(type, CPointer) and initial is not None and name not in b.changed:
        value = convert(b, value_of(b, initial), type, place)
        if isinstance(value, Address | Function | Choice | Closure):
            b.bound[name] = Bound(value, name)
            return
        spot = declare(b, name, type, cursor.spelling, place, text)
        write(b, spot, value, type, place)
    else:
        spot = declare(b, name, type, cursor.spelling, place, text)
        aligned(b, cursor, spot)
        initialise(b, spot, type, initial, place)
    b.bound[name] = spot


# --- branches -------------------------------------------------------------------------------------


@statement_rule("IF_STMT")
def _if(b: Builder, cursor: Cursor) -> None:
    parts = children(cursor)
    place = b.place(cursor)
    # `if (T x = f())` and `if (init; test)` begin with a declaration.
    while parts and kind_of(parts[0]) in ("DECL_STMT", "VAR_DECL"):
        run(b, parts.pop(0))
    if len(parts) == 4 or (len(parts) == 3 and b.types(parts[0].type) != BOOL):
        run(b, parts.pop(0))
    if len(parts) not in (2, 3):
        not_understood(b, cursor, "an if of an unknown shape")
        return
    known = pure_constant(parts[0])
    if known is not None and not _has_labels(cursor):
        if known:
            run(b, parts[1])
        elif len(parts) == 3:
            run(b, parts[2])
        return
    test = condition(b, parts[0])
    with b.block() as then:
        run(b, parts[1])
    with b.block() as other:
        if len(parts) == 3:
            run(b, parts[2])
    b.emit(If(test, tuple(then), tuple(other), place))


def _has_labels(cursor: Cursor) -> bool:
    return any(kind_of(c) in ("LABEL_STMT", "CASE_STMT", "DEFAULT_STMT") for c in walk(cursor))
