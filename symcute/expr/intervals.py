"""Intervals of integers: what an operation lies between when its sides lie between bounds.

A range is a pair of ints, or of infinities where nothing is known; a truth is 0 or 1. A range only
ever loses precision: where the sides lie in theirs, and the operation has a value, that value lies
in the range. Where a side has no value at all, everything may be said.
"""

from __future__ import annotations

from collections.abc import Callable
from math import inf
from typing import TypeAlias

__all__ = [
    "ANY",
    "FALSE",
    "TRUE",
    "Range",
    "Transfer",
    "all_hold",
    "at_most",
    "bit_and",
    "bit_or",
    "bit_xor",
    "chosen",
    "clamped",
    "equal",
    "fails",
    "join",
    "less",
    "maximum",
    "meet",
    "minimum",
    "one_holds",
    "product",
    "quotient",
    "remainder",
    "shift_left",
    "shift_right",
    "total",
    "truth",
    "unequal",
]

Range: TypeAlias = tuple[int | float, int | float]
#: What an operation makes of the ranges of its sides.
Transfer: TypeAlias = Callable[..., Range]
ANY: Range = (-inf, inf)
TRUE, FALSE, EITHER = (1, 1), (0, 0), (0, 1)
#: Beyond this nothing is counted: products of what is below it can still be compared with infinity.
FAR = 1 << 500
#: A shift by more is not counted.
MOST_SHIFT = 256


def join(a: Range, b: Range) -> Range:
    """Return the smallest range around two.

    >>> join((0, 4), (2, 9))
    (0, 9)
    """
    return min(a[0], b[0]), max(a[1], b[1])


def meet(a: Range, b: Range) -> Range:
    """Return what two ranges share."""
    return max(a[0], b[0]), min(a[1], b[1])


def clamped(low: int | float, high: int | float) -> Range:
    """Return the range around one whose ends are not too far to be counted with."""
    if -FAR < low < FAR and -FAR < high < FAR:
        return low, high
    return (-inf if low < -FAR else min(low, FAR)), (inf if high > FAR else max(high, -FAR))


def total(a: Range, b: Range) -> Range:
    """Return the range of a + b."""
    if a[0] > a[1] or b[0] > b[1]:
        return ANY
    return clamped(a[0] + b[0], a[1] + b[1])


def _times(a: int | float, b: int | float) -> int | float:
    return a * b if a and b else 0


def product(a: Range, b: Range) -> Range:
    """Return the range of a * b.

    >>> product((-2, 3), (4, 5))
    (-10, 15)
    """
    if a[0] > a[1] or b[0] > b[1]:
        return ANY
    corners = [_times(x, y) for x in a for y in b]
    return clamped(min(corners), max(corners))


def _over(a: int | float, b: int | float) -> int | float:
    """Return a // b for a divisor of at least 1 that may be infinite."""
    if abs(a) == inf:
        return a
    return (0 if a >= 0 else -1) if b == inf else a // b


def quotient(a: Range, b: Range) -> Range:
    """Return the range of a // b, which has a value where b is at least 1."""
    if a[0] > a[1] or not 1 <= b[0] <= b[1]:
        return ANY
    corners = [_over(x, y) for x in a for y in b]
    return min(corners), max(corners)


def remainder(a: Range, b: Range) -> Range:
    """Return the range of a % b, which has a value where b is at least 1."""
    if a[0] > a[1] or not 1 <= b[0] <= b[1]:
        return ANY
    if a[0] >= 0 and a[1] < b[0]:
        return a
    return 0, min(b[1] - 1, a[1]) if a[0] >= 0 else b[1] - 1


def minimum(*sides: Range) -> Range:
    """Return the range of the smallest."""
    return min(a for a, _ in sides), min(b for _, b in sides)


def maximum(*sides: Range) -> Range:
    """Return the range of the largest."""
    return max(a for a, _ in sides), max(b for _, b in sides)


def _bits(a: Range, b: Range) -> Range:
    """Return the range of all numbers that have no more bits than two."""
    if a[0] > a[1] or b[0] > b[1]:
        return ANY
    extremes = (*a, *b)
    if any(abs(x) == inf for x in extremes):
        return (0, inf) if a[0] >= 0 and b[0] >= 0 else ANY
    bits = max((int(x) if x >= 0 else ~int(x)).bit_length() for x in extremes)
    high = (1 << bits) - 1
    return clamped(0 if a[0] >= 0 and b[0] >= 0 else ~high, high)


def bit_and(a: Range, b: Range) -> Range:
    """Return the range of a & b."""
    tops = [high for low, high in (a, b) if low >= 0]
    if tops and a[0] <= a[1] and b[0] <= b[1]:
        return 0, min(tops)
    return _bits(a, b)


def bit_or(a: Range, b: Range) -> Range:
    """Return the range of a | b."""
    low, high = _bits(a, b)
    return (max(a[0], b[0]) if low == 0 else low), high


def bit_xor(a: Range, b: Range) -> Range:
    """Return the range of a ^ b."""
    return _bits(a, b)


def shift_left(a: Range, b: Range) -> Range:
    """Return the range of a << b, which has a value where b is at least 0."""
    if not 0 <= b[0] <= b[1] <= MOST_SHIFT:
        return ANY
    return product(a, (1 << int(b[0]), 1 << int(b[1])))


def shift_right(a: Range, b: Range) -> Range:
    """Return the range of a >> b, which has a value where b is at least 0."""
    if a[0] > a[1] or not 0 <= b[0] <= b[1]:
        return ANY
    if b[1] > MOST_SHIFT:
        return min(a[0], 0), max(a[1], -1)
    return quotient(a, (1 << int(b[0]), 1 << int(b[1])))


# --- truths: 1 where it holds, 0 where it does not ------------------------------------------------


def truth(a: Range) -> Range:
    """Return whether what lies in a range is not 0."""
    return TRUE if a[0] > 0 or a[1] < 0 else FALSE if a == FALSE else EITHER


def less(a: Range, b: Range) -> Range:
    """Return whether a < b.

    >>> less((0, 3), (4, 9)), less((0, 4), (4, 9)), less((4, 5), (3, 4))
    ((1, 1), (0, 1), (0, 0))
    """
    return TRUE if a[1] < b[0] else FALSE if a[0] >= b[1] else EITHER


def at_most(a: Range, b: Range) -> Range:
    """Return whether a <= b."""
    return TRUE if a[1] <= b[0] else FALSE if a[0] > b[1] else EITHER


def equal(a: Range, b: Range) -> Range:
    """Return whether a == b."""
    if a[1] < b[0] or b[1] < a[0]:
        return FALSE
    return TRUE if a[0] == a[1] == b[0] == b[1] else EITHER


def unequal(a: Range, b: Range) -> Range:
    """Return whether a != b."""
    return fails(equal(a, b))


def fails(a: Range) -> Range:
    """Return whether a truth does not hold."""
    low, high = truth(a)
    return 1 - high, 1 - low


def all_hold(*sides: Range) -> Range:
    """Return whether all hold."""
    return minimum(*map(truth, sides))


def one_holds(*sides: Range) -> Range:
    """Return whether one holds."""
    return maximum(*map(truth, sides))


def chosen(test: Range, a: Range, b: Range) -> Range:
    """Return the range of a where a truth holds, else of b."""
    told = truth(test)
    return a if told == TRUE else b if told == FALSE else join(a, b)
