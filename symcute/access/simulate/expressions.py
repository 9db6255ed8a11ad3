"""Expressions as functions of a thread, with C's arithmetic at the type of each."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any, TypeAlias

from symcute.access.program import (
    Base,
    Binary,
    Builtin,
    Cast,
    Const,
    Expr,
    Int,
    Place,
    Pointer,
    PtrAdd,
    Select,
    Unary,
    Var,
)
from symcute.access.simulate.state import Thread

__all__ = ["Evaluate", "expression"]

Evaluate: TypeAlias = Callable[[Thread], Any]

_COMPARISONS: dict[str, Callable[[Any, Any], bool]] = {
    "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
    "==": operator.eq, "!=": operator.ne,
}  # fmt: skip
_PLAIN: dict[str, Callable[[int, int], int]] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul,
}  # fmt: skip
_CLOSED: dict[str, Callable[[int, int], int]] = {
    "&": operator.and_, "|": operator.or_, "^": operator.xor, "min": min, "max": max,
}  # fmt: skip

#: What addresses are counted in: an index of 64 bits that is taken as -1 comes back to -1.
_ADDRESS = Int(64, True)


def expression(expr: Expr, role: str, at: Place) -> Evaluate:
    """Return the function that evaluates an expression in the statement at a place.

    `role` is what its wraps are recorded as.
    """
    match expr:
        case Const(value=value):
            return lambda t: value
        case Builtin(name=name):
            key = f"@{name}"
            return lambda t: t.env[key]
        case Var():
            return _variable(expr, at)
        case Base(array=array):
            return lambda t: (t.rooms[array], 0)
        case PtrAdd():
            return _moved(expr, role, at)
        case Cast():
            return _cast(expr, role, at)
        case Select(test=test, then=then, other=other):
            a, b, c = (
                expression(test, "test", at),
                expression(then, role, at),
                expression(other, role, at),
            )
            return lambda t: b(t) if a(t) else c(t)
        case Unary():
            return _unary(expr, role, at)
        case Binary():
            return _binary(expr, role, at)


def _variable(expr: Var, at: Place) -> Evaluate:
    name, type = expr.name, expr.type

    def value(t: Thread) -> Any:
        try:
            return t.env[name]
        except KeyError:
            if isinstance(type, Pointer):
                return None
            t.fault("unset", at, f"{name} is read before it is set")
            found = t.env[name] = t.choose("unset", name, type, at)
            return found

    return value


def _moved(expr: PtrAdd, role: str, at: Place) -> Evaluate:
    pointer, index = expression(expr.pointer, role, at), expression(expr.index, role, at)
    scale, low, high = expr.scale, _ADDRESS.low, _ADDRESS.high

    def value(t: Thread) -> Any:
        base = pointer(t)
        by = index(t) * scale
        if base is None:
            return None
        offset = base[1] + by
        return base[0], offset if low <= offset <= high else _ADDRESS.wrap(offset)

    return value


def _cast(expr: Cast, role: str, at: Place) -> Evaluate:
    arg, type, place, explicit = (
        expression(expr.arg, role, at),
        expr.type,
        expr.place,
        expr.explicit,
    )
    low, high, key = type.low, type.high, id(expr)
    if type.bits == 1:
        return lambda t: int(arg(t) != 0)

    def value(t: Thread) -> int:
        v: int = arg(t)
        if low <= v <= high:
            return v
        return t.wrap(key, v, type, place, role, True, explicit)

    return value


def _unary(expr: Unary, role: str, at: Place) -> Evaluate:
    arg, type, place = expression(expr.arg, role, at), expr.type, expr.place
    low, high, key = type.low, type.high, id(expr)
    if expr.op == "!":
        return lambda t: int(not arg(t))
    if expr.op == "~":
        return lambda t: type.wrap(~arg(t))

    def value(t: Thread) -> int:
        v: int = -arg(t)
        return v if low <= v <= high else t.wrap(key, v, type, place, role)

    return value


def _binary(expr: Binary, role: str, at: Place) -> Evaluate:
    op = expr.op
    if op in ("&&", "||"):
        a, b = expression(expr.left, role, at), expression(expr.right, role, at)
        if op == "&&":
            return lambda t: int(bool(a(t)) and bool(b(t)))
        return lambda t: int(bool(a(t)) or bool(b(t)))
    if op in _COMPARISONS:
        return _comparison(expr, role, at)
    a, b = expression(expr.left, role, at), expression(expr.right, role, at)
    if isinstance(expr.left.type, Pointer):
        return _distance(expr, a, b)
    if op in _CLOSED:
        closed = _CLOSED[op]
        return lambda t: closed(a(t), b(t))
    if op in ("/", "%"):
        return _division(expr, a, b, role)
    if op in ("<<", ">>"):
        return _shift(expr, a, b, role)
    f, type, place = _PLAIN[op], expr.type, expr.place
    low, high, key = type.low, type.high, id(expr)

    def value(t: Thread) -> int:
        v = f(a(t), b(t))
        return v if low <= v <= high else t.wrap(key, v, type, place, role)

    return value


def _comparison(expr: Binary, role: str, at: Place) -> Evaluate:
    a, b, f = (
        expression(expr.left, role, at),
        expression(expr.right, role, at),
        _COMPARISONS[expr.op],
    )
    if not isinstance(expr.left.type, Pointer):
        return lambda t: int(f(a(t), b(t)))
    place, equality = expr.place, expr.op in ("==", "!=")

    def value(t: Thread) -> int:
        p, q = a(t), b(t)
        if p is not None and q is not None and p[0] is q[0]:
            return int(f(p[1], q[1]))
        if equality:
            return int((p is q) is (expr.op == "=="))
        t.fault("pointer", place, "pointers into different arrays are compared")
        return t.choose("fault", expr.op, expr.type, place)

    return value


def _distance(expr: Binary, a: Evaluate, b: Evaluate) -> Evaluate:
    """Return the bytes from one pointer to another."""
    type, place = expr.type, expr.place

    def value(t: Thread) -> int:
        p, q = a(t), b(t)
        if p is not None and q is not None and p[0] is q[0]:
            return int(p[1] - q[1])
        t.fault("pointer", place, "pointers into different arrays are subtracted")
        return t.choose("fault", "-", type, place)

    return value


def _division(expr: Binary, a: Evaluate, b: Evaluate, role: str) -> Evaluate:
    type, place, key, remainder = expr.type, expr.place, id(expr), expr.op == "%"

    def value(t: Thread) -> int:
        x, y = a(t), b(t)
        if y == 0:
            t.fault("division", place, f"{x} {expr.op} 0")
            return t.choose("fault", expr.op, type, place)
        q = abs(x) // abs(y)
        if (x < 0) != (y < 0):
            q = -q
        if remainder:
            return int(x - q * y)
        return q if q <= type.high else t.wrap(key, q, type, place, role)

    return value


def _shift(expr: Binary, a: Evaluate, b: Evaluate, role: str) -> Evaluate:
    type, place, key, left = expr.type, expr.place, id(expr), expr.op == "<<"

    def value(t: Thread) -> int:
        x, y = a(t), b(t)
        if not 0 <= y < type.bits:
            t.fault("shift", place, f"{x} {expr.op} {y} at {type.bits} bits")
            return t.choose("fault", expr.op, type, place)
        if not left:
            return int(x >> y)
        v = x << y
        return v if type.low <= v <= type.high else t.wrap(key, v, type, place, role)

    return value
