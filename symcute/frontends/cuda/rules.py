"""One rule for each kind of cursor; what has none is not understood."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias, overload

from clang.cindex import Cursor

from symcute.frontends.cuda.builder import Builder, NeedsVariable
from symcute.frontends.cuda.categories import is_place
from symcute.frontends.cuda.conversions import to_int
from symcute.frontends.cuda.ctype import (
    BOOL,
    CPointer,
    CType,
    Other,
    Record,
    Reference,
    same_record,
    similar,
)
from symcute.frontends.cuda.library import children, key, kind_of, walk
from symcute.frontends.cuda.memory import EXPRS, as_pointer, declare, read, unknown, write
from symcute.frontends.cuda.storage import global_spot
from symcute.frontends.cuda.values import (
    OPAQUE,
    Address,
    Bits,
    Bound,
    Choice,
    Closure,
    Function,
    Hole,
    Memory,
    Numbered,
    Parts,
    Slot,
    Spot,
    Value,
    Window,
)
from symcute.kernel.ir.expression import Expr, Var
from symcute.kernel.ir.inside import assigned, reads
from symcute.kernel.ir.place import Place
from symcute.kernel.ir.program import Int, Let, Pointer

__all__ = [
    "MAKERS",
    "SIMILAR",
    "SPOTS",
    "STATEMENTS",
    "VALUES",
    "bind",
    "condition",
    "hidden",
    "involved",
    "made",
    "maker_rule",
    "not_understood",
    "put_away",
    "run",
    "sequenced",
    "spot_of",
    "spot_rule",
    "statement_rule",
    "target",
    "value_of",
    "value_rule",
]

ValueRule: TypeAlias = Callable[[Builder, Cursor], Value]
SpotRule: TypeAlias = Callable[[Builder, Cursor], Spot]
StatementRule: TypeAlias = Callable[[Builder, Cursor], None]
MakerRule: TypeAlias = Callable[[Builder, Cursor, Record, Spot], None]

VALUES: dict[str, ValueRule] = {}
SPOTS: dict[str, SpotRule] = {}
STATEMENTS: dict[str, StatementRule] = {}
MAKERS: dict[str, MakerRule] = {}


def value_rule(*kinds: str) -> Callable[[ValueRule], ValueRule]:
    """Register what the value of an expression of these kinds is."""

    def register(rule: ValueRule) -> ValueRule:
        VALUES.update(dict.fromkeys(kinds, rule))
        return rule

    return register


def spot_rule(*kinds: str) -> Callable[[SpotRule], SpotRule]:
    """Register which place an expression of these kinds is."""

    def register(rule: SpotRule) -> SpotRule:
        SPOTS.update(dict.fromkeys(kinds, rule))
        return rule

    return register


def statement_rule(*kinds: str) -> Callable[[StatementRule], StatementRule]:
    """Register what a statement of these kinds does."""

    def register(rule: StatementRule) -> StatementRule:
        STATEMENTS.update(dict.fromkeys(kinds, rule))
        return rule

    return register


def maker_rule(*kinds: str) -> Callable[[MakerRule], MakerRule]:
    """Register how an expression of these kinds makes a struct in a place that is there."""

    def register(rule: MakerRule) -> MakerRule:
        MAKERS.update(dict.fromkeys(kinds, rule))
        return rule

    return register


def value_of(b: Builder, cursor: Cursor) -> Value:
    """Evaluate an expression here, and return its value, which has the expression's type."""
    kind = kind_of(cursor)
    if kind in VALUES:
        return VALUES[kind](b, cursor)
    if kind in SPOTS:
        return read(b, SPOTS[kind](b, cursor), b.types(cursor.type), b.place(cursor))
    return not_understood(b, cursor, f"an expression that is not known ({kind.lower()})")


def spot_of(b: Builder, cursor: Cursor) -> Spot:
    """Evaluate an expression here as a place; a value is put into a new one."""
    kind = kind_of(cursor)
    if kind in SPOTS:
        return SPOTS[kind](b, cursor)
    return made(b, value_of(b, cursor), cursor)


def made(b: Builder, value: Value, cursor: Cursor) -> Spot:
    """Return a new place with the value of an expression, of which there must be none already.

    What is written to a copy would be lost where the expression names a place; a text is constant.
    """
    alone = isinstance(value, Function | Choice | Closure) or kind_of(cursor) == "STRING_LITERAL"
    if not alone and is_place(cursor) is not False:
        value = not_understood(b, cursor, "a place that is not followed")
    return put_away(b, value, b.types(cursor.type), cursor)


def put_away(b: Builder, value: Value, type: CType, cursor: Cursor) -> Spot:
    """Return a new place with the value of an expression in it."""
    if isinstance(type, Reference):
        type = b.types(type.target)
    if isinstance(value, Function | Choice | Closure):
        return Bound(value)
    place = b.place(cursor)
    spot = declare(b, key(cursor), type, "t", place, "a temporary")
    write(b, spot, value, type, place)
    return spot


#: Where a reference may be to a pointer, or to a copy of it with more `const` behind it.
SIMILAR = "a reference to a pointer to what is not const"


def bind(b: Builder, cursor: Cursor) -> Spot:
    """Return the place that a reference to an expression stands for from here on.

    One to what stands alone in braces, of its own type, is to that. Source: C++17, [dcl.init.list].
    """
    inner = children(cursor) if kind_of(cursor) == "INIT_LIST_EXPR" else []
    if len(inner) == 1:
        held, type = b.types(inner[0].type), b.types(cursor.type)
        if held == type:
            return bind(b, inner[0])
        if similar(b.types, held, type):
            return put_away(b, not_understood(b, cursor, SIMILAR), type, cursor)
    spot = spot_of(b, cursor)
    if isinstance(spot, Memory):
        return Memory(b.steady(spot.pointer, "ref", b.place(cursor)), spot.type)
    if isinstance(spot, Bits):
        return Bits(b.steady(spot.pointer, "ref", b.place(cursor)), spot.type, spot.bits)
    return spot


def target(b: Builder, pointer: Value, type: CType, place: Place) -> Spot:
    """Return the place of a type that a pointer points to."""
    if isinstance(pointer, Address) and _fits(pointer.spot, type):
        return pointer.spot
    if isinstance(pointer, Function | Choice | Closure):
        return Bound(pointer)
    return Memory(as_pointer(b, pointer, place), type)


def _fits(spot: Spot, type: CType) -> bool:
    """Can a place outside memory be seen as one of a type?"""
    match spot:
        case Slot(type=kind):
            return kind == type or (kind == Pointer() and isinstance(type, CPointer))
        case Window():
            return isinstance(type, Int) and type.bits >= 32
        case Parts(record):
            return same_record(record, type)
        case Hole():
            return isinstance(type, Other)
        case Bound():
            return True
        case _:
            return False


def run(b: Builder, cursor: Cursor) -> None:
    """Lower a statement."""
    kind = kind_of(cursor)
    if b.host is not None and b.host.takes(b, cursor):
        return
    if kind in STATEMENTS:
        STATEMENTS[kind](b, cursor)
    elif kind in VALUES:
        VALUES[kind](b, cursor)
    elif kind in SPOTS:
        SPOTS[kind](b, cursor)
    else:
        not_understood(b, cursor, f"a statement that is not known ({kind.lower()})")


def condition(b: Builder, cursor: Cursor) -> Expr:
    """Evaluate an expression as a bool."""
    return to_int(b, value_of(b, cursor), BOOL, b.place(cursor))


def not_understood(b: Builder, cursor: Cursor, reason: str) -> Value:
    """Say that an expression or statement was not understood, and return any value of its type.

    It may change every variable that it names and touch what every pointer in it points to; a
    statement, and whatever calls something, may do anything.
    """
    if b.host is not None:
        return b.host.not_understood(b, cursor, reason)
    place = b.place(cursor)
    variables: list[str] = []
    pointers: list[Expr] = []
    anything = kind_of(cursor) == "?" or not cursor.kind.is_expression()
    for inner in walk(cursor):
        kind = kind_of(inner)
        anything = anything or kind in _MAY_DO_ANYTHING
        if kind == "DECL_REF_EXPR" and inner.referenced is not None:
            spot = b.bound.get(key(inner.referenced))
            if spot is None and kind_of(inner.referenced) == "VAR_DECL":
                spot = global_spot(b, inner.referenced)
            involved(b, spot, variables, pointers)
    if anything:
        b.not_understood(reason, place)
    else:
        b.not_understood(reason, place, tuple(variables), pointers, barrier=False)
    return unknown(b, b.types(cursor.type), reason, place)


def hidden(b: Builder, cursor: Cursor, reason: str) -> Value:
    """Say that something that clang does not show was not understood: it may do anything."""
    if b.host is not None:
        b.host.refused(reason)
    b.not_understood(reason, b.place(cursor))
    return OPAQUE


#: Behind these may be code that is not below the cursor.
_MAY_DO_ANYTHING = {
    "?", "CALL_EXPR", "LAMBDA_EXPR", "CXX_THIS_EXPR", "CXX_NEW_EXPR", "CXX_DELETE_EXPR",
    "StmtExpr", "UNEXPOSED_STMT", "ASM_STMT",
}  # fmt: skip


def involved(b: Builder, spot: Spot | None, variables: list[str], pointers: list[Expr]) -> None:
    """Append the variables that a place consists of, and the pointers that lie in it."""
    match spot:
        case Slot(name, type):
            variables.append(name)
            if type == Pointer():
                pointers.append(Var(name, type))
        case Parts(_, spots):
            for inner in spots.values():
                involved(b, inner, variables, pointers)
        case Memory(pointer) | Bits(pointer):
            pointers.append(pointer)
        case Window(name):
            variables.append(name)
            pointers.append(Var(name, Pointer()))
        case Bound(Numbered(), owner) if owner and owner not in b.changed:
            raise NeedsVariable(owner)
        case Bound(Address(inner)):
            involved(b, inner, variables, pointers)
        case Bound(value) if isinstance(value, EXPRS) and value.type == Pointer():
            pointers.append(value)


@overload
def sequenced(b: Builder, first: Expr, mark: int, place: Place) -> Expr: ...


@overload
def sequenced(b: Builder, first: Value, mark: int, place: Place) -> Value: ...


def sequenced(b: Builder, first: Value, mark: int, place: Place) -> Value:
    """Return a value that was evaluated before the statements from `mark` on, as it was then."""
    later = b.out[mark:]
    if not later or not isinstance(first, EXPRS):
        return first
    changed = assigned(later)
    names = reads(first)
    if not names or (changed is not None and not names & changed):
        return first
    name = b.fresh("t")
    b.out.insert(mark, Let(name, first, place))
    return Var(name, first.type)
