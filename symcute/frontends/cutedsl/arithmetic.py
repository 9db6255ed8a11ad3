"""Expressions in dims as arithmetic of a program, at the width at which the DSL computes them.

A dim is a variable, a parameter or a builtin of the program. What divides is written where the
dividend is known to be at least 0 and the divisor above 0: there all roundings are those of C.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import reduce
from typing import Any

from symcute.errors import InputError, SymcuteError
from symcute.expr.expression import free_dims
from symcute.expr.formula import ge
from symcute.expr.leaf import Expression
from symcute.frontends.cutedsl.values import Scope
from symcute.kernel.ir.expression import Binary, Cast, Const, Expr
from symcute.kernel.ir.place import Place
from symcute.kernel.ir.program import Int
from symcute.solve.entailment import facts

__all__ = [
    "BOOL",
    "I32",
    "I64",
    "RESTS",
    "WIDE",
    "Unwritten",
    "all_of",
    "joined",
    "negated",
    "offset",
    "offset_type",
    "width",
    "written",
]

BOOL, I32, I64 = Int(1, False), Int(32, True), Int(64, True)
#: Wide enough for every offset of 64 bits before it wraps.
WIDE = Int(128, True)


#: What follows where something is not understood.
RESTS = "what rests on it is not decided"


class Unwritten(InputError):
    """A value of which it is not known how a program computes it."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason, RESTS)


def width(scope: Scope, *values: Any) -> Int:
    """Return the type at which integers are computed: that of the widest dim among them."""
    names = [d for x in values if isinstance(x, Expression) for d in free_dims(x)]
    return I64 if any(scope.bits.get(d, 32) > 32 for d in names) else I32


def offset_type(scope: Scope, *values: Any) -> Int:
    """Return the type at which an offset in memory is computed.

    One of 64 bits is a sum of products, which wraps to what it is without wrapping, since memory
    is smaller: it is computed as if it did not.
    """
    return WIDE if width(scope, *values) == I64 else I32


def offset(value: Any, dims: Mapping[str, Expr], scope: Scope, place: Place) -> Expr:
    """Return an offset in memory, at the widths at which it is computed.

    What has 32 bits is summed in as many, wherever it stands, and widened then. Errors: Unwritten.
    """
    if offset_type(scope, value) == I32:
        return written(value, I32, dims, scope, place)
    terms = value.args if isinstance(value, Expression) and value.op == "+" else (value,)
    short = [x for x in terms if width(scope, x) == I32]
    found = [written(x, WIDE, dims, scope, place) for x in terms if width(scope, x) != I32]
    if short:
        low = written(sum(short[1:], short[0]), I32, dims, scope, place)
        found.append(low if isinstance(low, Const) else Cast(low, WIDE, place))
    return reduce(lambda a, b: Binary("+", a, b, WIDE, place), map(_widened, found))


def _widened(x: Expr) -> Expr:
    return Const(x.value, WIDE) if isinstance(x, Const) else x


#: So many powers of two are tried, of divisors that are added to a dividend.
_SHIFTS = 12


def is_at_least(scope: Scope, x: Any, low: int) -> bool:
    """Return whether an integer or an expression is known to be no less than a number."""
    if isinstance(x, int):
        return x >= low
    try:
        return facts(scope.given(x)).proves(ge(x, low))
    except SymcuteError:
        return False


def written(value: Any, type: Int, dims: Mapping[str, Expr], scope: Scope, place: Place) -> Expr:
    """Return an integer or an expression as one of a program.

    `dims` is what each dim is there. Errors: Unwritten for a dim that has no value there, a number
    that the type has not, and a quotient that may round otherwise.
    """

    def at_least(x: Any, low: int) -> None:
        if not is_at_least(scope, x, low):
            raise Unwritten(f"{x} in a quotient may be below {low}")

    def shifted(op: str, a: Any, b: Any) -> int:
        """Return so many whole divisors that a dividend is at least 0 with them."""
        most = 1 << (type.bits - 2)
        if op != "CeilDiv" and isinstance(b, int) and b >= 1 and is_at_least(scope, most - a, 0):
            for k in range(_SHIFTS):
                if is_at_least(scope, a + (b << k), 0):
                    return b << k
        raise Unwritten(f"{a} in a quotient may be below 0")

    def binary(op: str, left: Expr, right: Expr) -> Expr:
        return Binary(op, left, right, type, place)

    def of(x: Any) -> Expr:
        if isinstance(x, int):
            if not type.low <= x <= type.high:
                raise Unwritten(f"{x} is no number of {type.bits} bits")
            return Const(x, type)
        if not isinstance(x, Expression):
            raise Unwritten(f"{x} is no integer that is known")
        match x.op:
            case "dim":
                found = dims.get(x.args[0])
                if found is None:
                    raise Unwritten(f"{x.args[0]} is no value that is known here")
                return found if found.type == type else Cast(found, type, place)
            case "+":
                return reduce(lambda a, b: binary("+", a, b), map(of, x.args))
            case "*" if not any(isinstance(a, Expression) and a.op == "/" for a in x.args):
                return reduce(lambda a, b: binary("*", a, b), map(of, x.args))
            case "**" if isinstance(x.args[1], int) and x.args[1] > 0:
                return reduce(lambda a, b: binary("*", a, b), [of(x.args[0])] * x.args[1])
            case "FloorDiv" | "Modulo" | "CeilDiv":
                a, b = x.args
                if b == 1:
                    return Const(0, type) if x.op == "Modulo" else of(a)
                more = 0 if is_at_least(scope, a, 0) else shifted(x.op, a, b)
                if more:  # whole divisors are added, so that nothing is rounded up
                    op = "%" if x.op == "Modulo" else "/"
                    made = binary(op, of(a + more), of(b))
                    return made if op == "%" else binary("-", made, of(more // b))
                at_least(b, 1)
                if x.op == "CeilDiv":
                    a = a + b - 1
                return binary("%" if x.op == "Modulo" else "/", of(a), of(b))
            case "Minimum" | "Maximum":
                a, b = x.args
                return binary("min" if x.op == "Minimum" else "max", of(a), of(b))
        raise Unwritten(f"{x} is not written in integers")

    return of(value)


def joined(op: str, left: Expr, right: Expr, place: Place) -> Expr:
    """Return `&&` or `||` of two truths, folded where one is a number."""
    absorbing = int(op == "||")
    for one, other in ((left, right), (right, left)):
        if isinstance(one, Const):
            return one if one.value == absorbing else other
    return Binary(op, left, right, BOOL, place)


def all_of(truths: Iterable[Expr], place: Place) -> Expr:
    """Return that all of some truths hold."""
    found: Expr = Const(1, BOOL)
    for truth in truths:
        found = joined("&&", found, truth, place)
    return found


def negated(truth: Expr, place: Place) -> Expr:
    """Return that a truth does not hold."""
    if isinstance(truth, Const):
        return Const(1 - truth.value, BOOL)
    return Binary("==", truth, Const(0, BOOL), BOOL, place)
