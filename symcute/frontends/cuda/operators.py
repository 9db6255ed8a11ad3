"""Operators: arithmetic, comparisons, assignments, pointers."""

from __future__ import annotations

from clang.cindex import Cursor, TypeKind

from symcute.frontends.cuda.arithmetic import ARITHMETIC, COMPARISONS, compound, compute
from symcute.frontends.cuda.builder import Builder
from symcute.frontends.cuda.categories import is_place
from symcute.frontends.cuda.conversions import convert, to_int
from symcute.frontends.cuda.ctype import (
    BOOL,
    INT,
    CArray,
    CPointer,
    Other,
    Void,
    size_of,
)
from symcute.frontends.cuda.library import binary_operator, children, key, kind_of, unary_operator
from symcute.frontends.cuda.memory import EXPRS, LONG, address, as_pointer, declare, read, write
from symcute.frontends.cuda.rules import (
    condition,
    made,
    not_understood,
    put_away,
    run,
    sequenced,
    spot_of,
    spot_rule,
    statement_rule,
    target,
    value_of,
    value_rule,
)
from symcute.frontends.cuda.values import (
    OPAQUE,
    Bits,
    Choice,
    Function,
    Lost,
    Memory,
    Parts,
    Slot,
    Spot,
    Value,
    Window,
)
from symcute.kernel.ir.expression import Binary, Const, PtrAdd, Select, Unary, Var
from symcute.kernel.ir.place import Place
from symcute.kernel.ir.program import If, Int, Let, Pointer

__all__: list[str] = []


@value_rule("BINARY_OPERATOR", "COMPOUND_ASSIGNMENT_OPERATOR")
def _binary(b: Builder, cursor: Cursor) -> Value:
    operator = binary_operator(cursor)
    left, right = children(cursor)
    place = b.place(cursor)
    if operator == ",":
        run(b, left)
        return value_of(b, right)
    if operator in ("&&", "||"):
        return _short(b, operator, left, right, place)
    if operator.endswith("=") and operator not in COMPARISONS:
        spot, value = _assign(b, cursor, operator, left, right)
        return value if value is not None else read(b, spot, b.types(cursor.type), place)
    if operator in COMPARISONS or operator in ARITHMETIC:
        one, mark = value_of(b, left), len(b.out)
        other = value_of(b, right)
        one = sequenced(b, one, mark, place)
        types = b.types(left.type), b.types(right.type)
        return compute(b, operator, one, other, types, b.types(cursor.type), place)
    return not_understood(b, cursor, f"the operator {operator}")


@spot_rule("BINARY_OPERATOR", "COMPOUND_ASSIGNMENT_OPERATOR")
def _binary_spot(b: Builder, cursor: Cursor) -> Spot:
    operator = binary_operator(cursor)
    left, right = children(cursor)
    if operator == ",":
        run(b, left)
        return spot_of(b, right)
    if operator.endswith("=") and operator not in COMPARISONS:
        return _assign(b, cursor, operator, left, right)[0]
    return made(b, _binary(b, cursor), cursor)


def _short(b: Builder, operator: str, left: Cursor, right: Cursor, place: Place) -> Value:
    """Evaluate the right side only where the left one does not decide."""
    test = condition(b, left)
    if isinstance(test, Const):
        if bool(test.value) == (operator == "||"):
            return test
        return condition(b, right)
    with b.block() as out:
        other = condition(b, right)
    if not out:
        return Binary(operator, test, other, BOOL, place)
    result = b.fresh("t")
    b.emit(Let(result, test, place))
    out.append(Let(result, other, place))
    first = Var(result, BOOL)
    if operator == "&&":
        b.emit(If(first, tuple(out), (), place))
    else:
        b.emit(If(first, (), tuple(out), place))
    return first


# --- assignment -----------------------------------------------------------------------------------


def _assign(
    b: Builder, cursor: Cursor, operator: str, left: Cursor, right: Cursor
) -> tuple[Spot, Value | None]:
    """Assign, the right side first; return the place, and what is in it if that is known."""
    place = b.place(cursor)
    type = b.types(left.type)
    value, mark = value_of(b, right), len(b.out)
    spot = spot_of(b, left)
    value = sequenced(b, value, mark, place)
    if operator != "=":
        value = compound(
            b, operator[:-1], read(b, spot, type, place), value,
            (type, b.types(right.type)), place,
        )  # fmt: skip
    write(b, spot, value, type, place)
    return spot, None if isinstance(spot, Slot | Parts | Bits | Window) else value


# --- one operand ----------------------------------------------------------------------------------


@value_rule("UNARY_OPERATOR")
def _unary(b: Builder, cursor: Cursor) -> Value:
    operator = unary_operator(cursor)
    (inner,) = children(cursor)
    place, type = b.place(cursor), b.types(cursor.type)
    if operator in ("_++", "_--"):
        return _step(b, cursor, inner, operator[1], used=True)[1]
    if operator in ("++", "--", "*"):
        return read(b, spot_of(b, cursor), type, place)
    if operator == "&":
        return address(b, spot_of(b, inner), place)
    if operator == "!":
        return Unary("!", condition(b, inner), BOOL, place)
    value = value_of(b, inner)
    if operator in ("+", "extension"):
        return value
    if operator in ("-", "~") and isinstance(type, Int) and isinstance(value, EXPRS):
        value = to_int(b, value, type, place)
        if operator == "-" and isinstance(value, Const) and -value.value >= type.low:
            return Const(-value.value, type)
        return Unary(operator, value, type, place)
    if operator == "-" and not isinstance(value, EXPRS):
        return OPAQUE
    return not_understood(b, cursor, f"the operator {operator}")


@spot_rule("UNARY_OPERATOR")
def _unary_spot(b: Builder, cursor: Cursor) -> Spot:
    operator = unary_operator(cursor)
    (inner,) = children(cursor)
    if operator in ("++", "--"):
        return _step(b, cursor, inner, operator[0])[0]
    if operator == "*":
        return target(b, value_of(b, inner), b.types(cursor.type), b.place(cursor))
    if operator == "extension":
        return spot_of(b, inner)
    return made(b, _unary(b, cursor), cursor)


def _step(
    b: Builder, cursor: Cursor, inner: Cursor, sign: str, *, used: bool = False
) -> tuple[Spot, Value]:
    """Add or take 1; return the place and what was there before."""
    place, type = b.place(cursor), b.types(inner.type)
    spot = spot_of(b, inner)
    old = read(b, spot, type, place)
    if used and isinstance(spot, Slot) and isinstance(old, EXPRS):
        # The old value outlives the variable's.
        old = b.let("t", old, place)
    new = compound(b, sign, old, Const(1, INT), (type, INT), place)
    write(b, spot, new, type, place)
    return spot, old


@spot_rule("ARRAY_SUBSCRIPT_EXPR")
def _subscript(b: Builder, cursor: Cursor) -> Spot:
    left, right = children(cursor)
    place, type = b.place(cursor), b.types(cursor.type)
    one, mark = value_of(b, left), len(b.out)
    other = value_of(b, right)
    one = sequenced(b, one, mark, place)
    if isinstance(b.types(left.type), Int):
        one, other = other, one
    if not isinstance(other, EXPRS):
        other = b.havoc(LONG, "an index that was not understood", place)
    if isinstance(other, Const) and other.value == 0:
        return target(b, one, type, place)
    pointer = as_pointer(b, one, place)
    if isinstance(type, Void):
        return Lost()
    return Memory(PtrAdd(pointer, other, size_of(type), place), type)


@statement_rule("BINARY_OPERATOR", "COMPOUND_ASSIGNMENT_OPERATOR", "UNARY_OPERATOR")
def _unused(b: Builder, cursor: Cursor) -> None:
    """Evaluate an operator for what it does; a place is read that nobody looks at if volatile."""
    if kind_of(cursor) == "UNARY_OPERATOR":
        operator, (inner,) = unary_operator(cursor), children(cursor)
        if operator.endswith(("++", "--")):
            _step(b, cursor, inner, operator[-1])
        elif operator == "*" and cursor.type.is_volatile_qualified():
            value_of(b, cursor)
        elif operator in ("*", "&"):
            spot_of(b, cursor if operator == "*" else inner)
        else:
            run(b, inner)
        return
    operator = binary_operator(cursor)
    left, right = children(cursor)
    if operator == ",":
        run(b, left)
        run(b, right)
    elif operator.endswith("=") and operator not in COMPARISONS:
        _assign(b, cursor, operator, left, right)
    else:
        value_of(b, cursor)


@value_rule("CONDITIONAL_OPERATOR")
def _conditional(b: Builder, cursor: Cursor) -> Value:
    parts = children(cursor)
    if len(parts) != 3:
        return not_understood(b, cursor, "a conditional without its middle")
    place, type = b.place(cursor), b.types(cursor.type)
    if isinstance(type, CArray) and is_place(cursor):
        return address(b, spot_of(b, cursor), place)
    test = condition(b, parts[0])
    if isinstance(test, Const):
        return value_of(b, parts[1] if test.value else parts[2])
    with b.block() as then:
        one = value_of(b, parts[1])
    with b.block() as other_out:
        other = value_of(b, parts[2])
    pure = not then and not other_out
    if pure and isinstance(one, Function | Choice) and isinstance(other, Function | Choice):
        return Choice(b.steady(test, "either", place), one, other)
    pure = pure and isinstance(type, Int | CPointer)
    if pure and isinstance(one, EXPRS) and isinstance(other, EXPRS):
        return Select(test, one, other, one.type)
    if isinstance(type, Void | Other):
        b.emit(If(test, tuple(then), tuple(other_out), place))
        return OPAQUE
    spot = declare(b, key(cursor), type, "t", place, "a temporary")
    for out, value in ((then, one), (other_out, other)):
        with b.block() as extra:
            write(b, spot, convert(b, value, type, place), type, place)
        out += extra
    b.emit(If(test, tuple(then), tuple(other_out), place))
    return read(b, spot, type, place)


@spot_rule("CONDITIONAL_OPERATOR")
def _conditional_spot(b: Builder, cursor: Cursor) -> Spot:
    """One of two places: both must lie in memory, where there are pointers to them."""
    type, place = b.types(cursor.type), b.place(cursor)
    parts = children(cursor)
    function = cursor.type.get_canonical().kind == TypeKind.FUNCTIONPROTO
    are = [is_place(p) for p in parts[1:]]
    if None in are:
        reason = "one of two values that may be places"
        return put_away(b, not_understood(b, cursor, reason), type, cursor)
    if len(parts) != 3 or function or not all(are):
        return made(b, _conditional(b, cursor), cursor)
    test = condition(b, parts[0])
    chosen = b.fresh("chosen")
    ways = []
    for part in parts[1:]:
        with b.block() as out:
            pointer = as_pointer(b, address(b, spot_of(b, part), place), place)
            b.emit(Let(chosen, pointer, place))
        ways.append(tuple(out))
    b.emit(If(test, ways[0], ways[1], place))
    return Memory(Var(chosen, Pointer()), type)
