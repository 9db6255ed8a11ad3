"""Expressions as functions of a thread, with C's arithmetic at the type of each."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any, TypeAlias

from symcute.kernel.ir.expression import (
    Base,
    Binary,
    Builtin,
    Cast,
    Const,
    Expr,
    PtrAdd,
    Select,
    Unary,
    Var,
)
from symcute.kernel.ir.interpreter.state import Loose, Thread
from symcute.kernel.ir.place import Place
from symcute.kernel.ir.program import Int, Pointer
from symcute.kernel.ir.semantics import BITS

__all__ = ["Evaluate", "expression", "used"]

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
                if name in t.lost:
                    t.unsupported(*t.lost[name])
                return None
            return t.first_read(name, type, at)

    return value


def _moved(expr: PtrAdd, role: str, at: Place) -> Evaluate:
    pointer, index = expression(expr.pointer, role, at), expression(expr.index, role, at)
    scale, low, high = expr.scale, _ADDRESS.low, _ADDRESS.high
    if not (isinstance(expr.index.type, Int) and expr.index.type.bits >= _ADDRESS.bits):
        index = used(expr.index, index)

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
    explicit = explicit or _of_numbers(expr.arg)
    if type.bits == 1:
        if _never_loose(expr.arg):
            return lambda t: int(arg(t) != 0)
        return lambda t: int(_told_apart(t, arg(t), 0))
    if isinstance(expr.arg.type, Int) and type.bits > expr.arg.type.bits:
        arg = used(expr.arg, arg)

    def value(t: Thread) -> int:
        v: int = arg(t)
        if low <= v <= high:
            return int(v)
        return t.loose(key, int(v), type, place, role, True, explicit)

    return value


def _unary(expr: Unary, role: str, at: Place) -> Evaluate:
    arg, type, place = expression(expr.arg, role, at), expr.type, expr.place
    low, high, key = type.low, type.high, id(expr)
    if expr.op in BITS and isinstance(expr.arg.type, Int):
        count, bits, arg = BITS[expr.op], expr.arg.type.bits, used(expr.arg, arg)
        return lambda t: count(arg(t), bits)
    if expr.op == "!":
        return lambda t: int(not arg(t))
    if expr.op == "~":
        bits = low + high  # the sum of a number and of its complement
        return lambda t: _fitted(t, bits - arg(t), type, key, place, role)
    if type.signed:
        arg = used(expr.arg, arg)
    take, meant = (Thread.wrap, False) if type.signed else (Thread.loose, _of_numbers(expr.arg))

    def value(t: Thread) -> int:
        v: int = -arg(t)
        return v if low <= v <= high else take(t, key, v, type, place, role, False, meant)

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
        closed, type, place, key = _CLOSED[op], expr.type, expr.place, id(expr)
        if op in ("min", "max"):
            a, b = used(expr.left, a), used(expr.right, b)
        return lambda t: _fitted(t, closed(a(t), b(t)), type, key, place, role)
    if op in ("/", "%"):
        return _division(expr, a, b, role)
    if op in ("<<", ">>"):
        return _shift(expr, a, b, role)
    f, type, place = _PLAIN[op], expr.type, expr.place
    low, high, key = type.low, type.high, id(expr)
    if type.signed:
        a, b = used(expr.left, a), used(expr.right, b)

        def signed(t: Thread) -> int:
            v = f(a(t), b(t))
            return v if low <= v <= high else t.wrap(key, v, type, place, role)

        return signed
    meant = _of_numbers(expr)

    def value(t: Thread) -> int:
        x, y = a(t), b(t)
        v = f(x, y)
        if low <= v <= high:
            return v
        # With a conversion that was written, what it leaves is meant as well.
        w = f(_as_written(t, x), _as_written(t, y))
        return t.loose(key, v, type, place, role, False, meant or low <= w <= high)

    return value


def _fitted(t: Thread, v: int, type: Int, key: int, place: Place, role: str) -> int:
    """Return a number of two's complement without an end, in its type or for others to go on."""
    if type.low <= v <= type.high:
        return int(v)
    return t.loose(key, v, type, place, role, True)  # what is converted for bits leaves the type


def _as_written(t: Thread, v: int) -> int:
    return t.used(v) if isinstance(v, Loose) and v.behind[-1] else v


def used(expr: Expr, evaluate: Evaluate) -> Evaluate:
    """Return what takes a number as the machine has it."""
    if _never_loose(expr):
        return evaluate
    if isinstance(expr, Var):
        name = expr.name

        def held(t: Thread) -> Any:
            v = t.env[name] if name in t.env else evaluate(t)
            return t.used(v) if type(v) is Loose else v

        return held

    def value(t: Thread) -> Any:
        v = evaluate(t)
        return t.used(v) if type(v) is Loose else v

    return value


def _never_loose(expr: Expr) -> bool:
    """Return whether what an expression evaluates to is in its type."""
    if isinstance(expr, Binary):
        op, signed = expr.op, isinstance(expr.type, Int) and expr.type.signed
        return op in _COMPARISONS or op in ("&&", "||") or (signed and op in (*_PLAIN, "<<", ">>"))
    return isinstance(expr, (Const, Builtin))


def _of_numbers(expr: Expr) -> bool:
    """Return whether an expression is written in numbers alone, so that its wraps are meant."""
    if isinstance(expr, Binary):
        return _of_numbers(expr.left) and _of_numbers(expr.right)
    return isinstance(expr, Const) or (isinstance(expr, (Unary, Cast)) and _of_numbers(expr.arg))


def _comparison(expr: Binary, role: str, at: Place) -> Evaluate:
    a, b, f = (
        expression(expr.left, role, at),
        expression(expr.right, role, at),
        _COMPARISONS[expr.op],
    )
    equality = expr.op in ("==", "!=")
    if not isinstance(expr.left.type, Pointer):
        if equality and not (_never_loose(expr.left) and _never_loose(expr.right)):
            same = expr.op == "=="
            return lambda t: int(_told_apart(t, a(t), b(t)) is not same)
        a, b = used(expr.left, a), used(expr.right, b)
        return lambda t: int(f(a(t), b(t)))
    place = expr.place

    def value(t: Thread) -> int:
        p, q = a(t), b(t)
        if p is not None and q is not None and p[0] is q[0]:
            return int(f(p[1], q[1]))
        if equality:
            return int((p is q) is (expr.op == "=="))
        t.fault("pointer", place, "pointers into different arrays are compared")
        return t.choose("fault", expr.op, expr.type, place)

    return value


def _told_apart(t: Thread, x: int, y: int) -> bool:
    """Return whether the machine has two different numbers.

    What unsigned arithmetic comes to is used only where it would be otherwise without wraps.
    """
    x, y = (t.used(v) if type(v) is Loose and not _unsigned_arithmetic(v) else v for v in (x, y))
    different = int(x) != int(y)
    if type(x) is Loose or type(y) is Loose:
        a, b = (v.behind[1].wrap(int(v)) if type(v) is Loose else v for v in (x, y))
        if (a != b) != different:
            return t.used(x) != t.used(y)
    return different


def _unsigned_arithmetic(v: Loose) -> bool:
    _, type, _, _, conversion, meant = v.behind
    return not (type.signed or conversion or meant)


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
    b = used(expr.right, b)

    def value(t: Thread) -> int:
        x, y = a(t), b(t)
        if y == 0:
            t.fault("division", place, f"{t.used(x)} {expr.op} 0")
            return t.choose("fault", expr.op, type, place)
        if remainder and not type.signed and y & (y - 1) == 0:
            return int(x & (y - 1))  # the low bits, which are right whatever wraps
        x = t.used(x)
        q = abs(x) // abs(y)
        if (x < 0) != (y < 0):
            q = -q
        if remainder:
            return int(x - q * y)
        return q if q <= type.high else t.wrap(key, q, type, place, role)

    return value


def _shift(expr: Binary, a: Evaluate, b: Evaluate, role: str) -> Evaluate:
    type, place, key, left = expr.type, expr.place, id(expr), expr.op == "<<"
    b = used(expr.right, b)
    if not left or type.signed:
        a = used(expr.left, a)
    take, meant = (Thread.wrap, False) if type.signed else (Thread.loose, _of_numbers(expr))

    def value(t: Thread) -> int:
        x, y = a(t), b(t)
        if not 0 <= y < type.bits:
            t.fault("shift", place, f"{x} {expr.op} {y} at {type.bits} bits")
            return t.choose("fault", expr.op, type, place)
        if not left:
            return int(x >> y)
        v = x << y
        inside = type.low <= v <= type.high
        return v if inside else take(t, key, v, type, place, role, type.signed, meant)

    return value
