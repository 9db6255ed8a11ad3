"""Integers of terms, built with constants folded.

The functions keep terms small and change no value. Sums and products of unknowns are left as they
were written, since what bounds a term is found again by its structure.
"""

from __future__ import annotations

from collections.abc import Callable

from symcute.expr.node import Node, Term

__all__ = [
    "MAX_SHIFT",
    "add",
    "bit_and",
    "bit_or",
    "bit_xor",
    "divide",
    "maximum",
    "minimum",
    "mul",
    "remainder",
    "shift_left",
    "shift_right",
    "sub",
]

#: A shift to the left by more than this is refused, not computed.
MAX_SHIFT = 4096


def add(a: Term, b: Term) -> Term:
    """Return a + b.

    >>> add(add("i", 3), -3), add(2, "i")
    ('i', ('+', 'i', 2))
    """
    if type(a) is int:
        if type(b) is int:
            return a + b
        a, b = b, a
    if type(b) is int:
        if b == 0:
            return a
        if isinstance(a, Node) and a.op == "+" and type(a.args[1]) is int:
            return add(a.args[0], a.args[1] + b)
    return Node("+", a, b)


def mul(a: Term, b: Term) -> Term:
    """Return a * b, a number on the right.

    >>> mul(2, mul("i", 3)), mul("i", 0)
    (('*', 'i', 6), 0)
    """
    if type(a) is int:
        if type(b) is int:
            return a * b
        a, b = b, a
    if type(b) is int:
        if b == 0:
            return 0
        if b == 1:
            return a
        if isinstance(a, Node) and a.op == "*" and type(a.args[1]) is int:
            return mul(a.args[0], a.args[1] * b)
    return Node("*", a, b)


def sub(a: Term, b: Term) -> Term:
    """Return a - b.

    >>> sub("n", 1), sub("i", "i"), sub("n", "i")
    (('+', 'n', -1), 0, ('+', 'n', ('*', 'i', -1)))
    """
    if a == b:
        return 0
    return add(a, -b) if type(b) is int else add(a, mul(b, -1))


def divide(a: Term, b: Term) -> Term:
    """Return a // b, rounded down.

    >>> divide(mul("i", 4), 2), divide(7, 2), divide("i", 1)
    (('*', 'i', 2), 3, 'i')
    """
    if type(b) is int:
        if b == 1:
            return a
        if b > 0:
            if type(a) is int:
                return a // b
            if isinstance(a, Node) and type(c := a.args[-1]) is int:
                if a.op == "*" and c % b == 0:
                    return mul(a.args[0], c // b)
                if a.op == "//" and c > 0:
                    return divide(a.args[0], c * b)
    return Node("//", a, b)


def remainder(a: Term, b: Term) -> Term:
    """Return a % b, what is left by the division rounded down.

    >>> remainder(mul("i", 4), 2), remainder(-1, 4)
    (0, 3)
    """
    if type(b) is int and b > 0:
        if b == 1:
            return 0
        if type(a) is int:
            return a % b
        if isinstance(a, Node) and type(c := a.args[-1]) is int:
            if a.op == "*" and c % b == 0:
                return 0
            if a.op == "%" and c > 0 and c % b == 0:
                return remainder(a.args[0], b)
    return Node("%", a, b)


def minimum(a: Term, b: Term) -> Term:
    """Return the smaller of two."""
    if type(a) is int and type(b) is int:
        return min(a, b)
    return a if a == b else Node("min", a, b)


def maximum(a: Term, b: Term) -> Term:
    """Return the larger of two."""
    if type(a) is int and type(b) is int:
        return max(a, b)
    return a if a == b else Node("max", a, b)


def _bits(sign: str, on_ints: Callable[[int, int], int]) -> Callable[[Term, Term], Term]:
    def build(a: Term, b: Term) -> Term:
        if type(a) is int and type(b) is int:
            return on_ints(a, b)
        return Node(sign, b, a) if type(a) is int else Node(sign, a, b)

    return build


_and, _or, _xor = (
    _bits("&", lambda a, b: a & b),
    _bits("|", lambda a, b: a | b),
    _bits("^", lambda a, b: a ^ b),
)


def bit_and(a: Term, b: Term) -> Term:
    """Return a & b in endless two's complement; a mask of bits in a row becomes // and %.

    >>> bit_and("i", 31), bit_and("i", -32), bit_and("i", 12)
    (('%', 'i', 32), ('*', ('//', 'i', 32), 32), ('*', ('%', ('//', 'i', 4), 4), 4))
    """
    if type(a) is int:
        a, b = b, a
    if type(b) is not int or type(a) is int:
        return _and(a, b)
    if b == 0:
        return 0
    low = b & -b
    field = b // low  # the bits from the lowest one up
    if b < 0:
        return mul(divide(a, low), low) if field == -1 else _and(a, b)
    if field & (field + 1):
        return _and(a, b)
    return mul(remainder(divide(a, low), field + 1), low)


def bit_or(a: Term, b: Term) -> Term:
    """Return a | b; where the bits of both cannot meet, their sum.

    >>> bit_or(mul("i", 4), 3), bit_or("i", 0)
    (('+', ('*', 'i', 4), 3), 'i')
    """
    if type(a) is int:
        a, b = b, a
    if b == 0 or a == b:
        return a
    if type(a) is not int and type(b) is int and 0 < b < _step(a):
        return add(a, b)
    return _or(a, b)


def bit_xor(a: Term, b: Term) -> Term:
    """Return a ^ b."""
    if a == b:
        return 0
    if a == 0 or b == 0:
        return b if a == 0 else a
    return _xor(a, b)


def _step(a: Term) -> int:
    """Return a power of two that divides a term."""
    if isinstance(a, Node) and a.op == "*" and type(a.args[1]) is int:
        return a.args[1] & -a.args[1]
    if isinstance(a, Node) and a.op == "+":
        return min(_step(a.args[0]), _step(a.args[1]))
    if type(a) is int:
        return a & -a if a else 1 << 64
    return 1


def shift_left(a: Term, b: Term) -> Term:
    """Return a << b, a product where b is a number."""
    if type(b) is int and 0 <= b <= MAX_SHIFT:
        return mul(a, 1 << b)
    return Node("<<", a, b)


def shift_right(a: Term, b: Term) -> Term:
    """Return a >> b, a quotient where b is a number."""
    if type(b) is int and 0 <= b <= MAX_SHIFT:
        return divide(a, 1 << b)
    return Node(">>", a, b)
