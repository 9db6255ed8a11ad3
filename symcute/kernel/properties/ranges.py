"""Constant ranges: what the numbers of an access map lie between, whatever the dims are.

Ranges are found by passing bounds through relations until nothing changes, a few times at most;
that is cheap, and enough for most of what is asked about threads and constants.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import inf, isinf
from typing import TypeAlias

from symcute.expr.node import Node, Term

__all__ = ["ANY", "Range", "Ranges", "range_of", "ranges_under", "truth_of"]

#: The smallest and the largest value; an end that is not known is infinite.
Range: TypeAlias = tuple[int | float, int | float]
Ranges: TypeAlias = dict[str, Range]

ANY: Range = (-inf, inf)
#: How often bounds are passed through all relations.
ROUNDS = 4
#: What is larger counts as infinite: beyond the numbers that a float can be compared with.
HUGE = 1 << 900
_RELATIONS = {"<", "<=", "==", "!="}


def range_of(term: Term, known: Mapping[str, Range]) -> Range:
    """Return what a term lies between when its names lie in their ranges.

    >>> range_of(Node("+", Node("*", 256, "bx"), "tx"), {"bx": (0, 9), "tx": (0, 255)})
    (0, 2559)
    """
    if isinstance(term, (bool, int)):
        value = int(term)
        return (value, value) if abs(value) < HUGE else ANY
    if isinstance(term, str):
        return known.get(term, ANY)
    op = term.op
    if op in _RELATIONS or op in ("and", "or", "not"):
        told = truth_of(term, known)
        return (0, 1) if told is None else (int(told), int(told))
    if op == "if":
        told = truth_of(term.args[0], known)
        if told is not None:
            return range_of(term.args[1 if told else 2], known)
        return _hull(range_of(term.args[1], known), range_of(term.args[2], known))
    sides = [range_of(x, known) for x in term.args]
    found = sides[0]
    for side in sides[1:]:
        found = _apply(op, found, side)
    return found


def truth_of(term: Term, known: Mapping[str, Range]) -> bool | None:
    """Return whether a relation holds throughout (True), nowhere (False), or neither is plain.

    >>> truth_of(Node("<", "tx", 256), {"tx": (0, 255)})
    True
    """
    if isinstance(term, bool):
        return term
    if not isinstance(term, Node):
        low, high = range_of(term, known)
        return False if low == high == 0 else True if low > 0 or high < 0 else None
    op = term.op
    if op == "not":
        told = truth_of(term.args[0], known)
        return None if told is None else not told
    if op in ("and", "or"):
        every = [truth_of(x, known) for x in term.args]
        stop = op == "or"
        if stop in every:
            return stop
        return None if None in every else not stop
    if op not in _RELATIONS:
        low, high = range_of(term, known)
        return False if low == high == 0 else True if low > 0 or high < 0 else None
    (a, b), (c, d) = (range_of(x, known) for x in term.args)
    if op == "<":
        return True if b < c else False if a >= d else None
    if op == "<=":
        return True if b <= c else False if a > d else None
    same: bool | None = None
    if b < c or d < a:
        same = False
    elif a == b == c == d:
        same = True
    return same if op == "==" or same is None else not same


def ranges_under(truths: Iterable[Term], start: Mapping[str, Range] | None = None) -> Ranges:
    """Return the ranges of all names under relations that hold.

    >>> ranges_under([Node("<=", 0, "i"), Node("<", Node("*", 4, "i"), 30)])
    {'i': (0, 7)}
    """
    known: Ranges = dict(start or {})
    parts = [part for truth in truths for part in _parts(truth)]
    for _ in range(ROUNDS):
        before = dict(known)
        for part in parts:
            _narrow_by(part, known)
        if known == before:
            break
    return known


def _parts(truth: Term) -> Iterable[Node]:
    if isinstance(truth, Node):
        if truth.op == "and":
            for x in truth.args:
                yield from _parts(x)
        elif truth.op in ("<", "<=", "=="):
            yield truth


def _narrow_by(part: Node, known: Ranges) -> None:
    op, (a, b) = part.op, part.args
    (low_a, high_a), (low_b, high_b) = range_of(a, known), range_of(b, known)
    step = 1 if op == "<" else 0
    _push(a, (low_b if op == "==" else -inf, high_b - step), known)
    _push(b, (low_a + step, high_a if op == "==" else inf), known)


def _push(term: Term, bound: Range, known: Ranges) -> None:
    """Narrow the names of a term that is known to lie in a range."""
    low, high = bound
    if isinf(low) and isinf(high):
        return
    if isinstance(term, str):
        a, b = known.get(term, ANY)
        known[term] = (max(a, low), min(b, high))
        return
    if not isinstance(term, Node):
        return
    op, args = term.op, term.args
    if op == "+":
        for k, x in enumerate(args):
            rest: Range = (0, 0)
            for j, y in enumerate(args):
                if j != k:
                    rest = _apply("+", rest, range_of(y, known))
            _push(x, (low - rest[1], high - rest[0]), known)
    elif op == "*" and len(args) == 2:
        for c, x in (args, args[::-1]):
            if isinstance(c, int) and not isinstance(c, bool) and c:
                ends = (low, high) if c > 0 else (-high, -low)
                size = abs(c)
                _push(x, (_up(ends[0], size), _down(ends[1], size)), known)
                return
    elif op == "//" and type(c := args[1]) is int and c >= 1:
        _push(args[0], (low * c, high * c + c - 1), known)
    elif op == "min":
        for x in args:
            _push(x, (low, inf), known)
    elif op == "max":
        for x in args:
            _push(x, (-inf, high), known)


def _up(value: int | float, size: int) -> int | float:
    return value if isinf(value) else -(-int(value) // size)


def _down(value: int | float, size: int) -> int | float:
    return value if isinf(value) else int(value) // size


def _apply(op: str, a: Range, b: Range) -> Range:
    low, high = _combined(op, a, b)
    return low if low > -HUGE else -inf, high if high < HUGE else inf


def _combined(op: str, a: Range, b: Range) -> Range:
    if a[0] > a[1] or b[0] > b[1]:
        return ANY  # it never happens
    if op == "+":
        return a[0] + b[0], a[1] + b[1]
    if op == "*":
        ends = [_times(x, y) for x in a for y in b]
        return min(ends), max(ends)
    if op in ("min", "max"):
        pick = min if op == "min" else max
        return pick(a[0], b[0]), pick(a[1], b[1])
    if op == "//":
        return _quotient(a, b)
    if op == "%":
        if b[0] < 1:
            return ANY
        if a[0] >= 0 and a[1] < b[0]:
            return a
        high = b[1] - 1
        return 0, min(high, a[1]) if a[0] >= 0 else high
    if op in ("<<", ">>"):
        return _shifted(op, a, b)
    return _bits(op, a, b)


def _times(a: int | float, b: int | float) -> int | float:
    if a == 0 or b == 0:
        return 0
    if isinf(a) or isinf(b):
        return inf if (a > 0) == (b > 0) else -inf
    return a * b


def _quotient(a: Range, b: Range) -> Range:
    if b[0] < 1:
        return ANY
    small, large = b

    def over(x: int | float, y: int | float) -> int | float:
        if isinf(x):
            return x
        if isinf(y):
            return 0 if x >= 0 else -1
        return int(x) // int(y)

    low = over(a[0], large if a[0] >= 0 else small)
    high = over(a[1], small if a[1] >= 0 else large)
    return low, high


def _shifted(op: str, a: Range, b: Range) -> Range:
    if b[0] < 0 or isinf(b[1]) or b[1] > 256:
        if op == ">>" and b[0] >= 0 and a[0] >= 0:
            return 0, a[1]
        return ANY
    powers: Range = (1 << int(b[0]), 1 << int(b[1]))
    return _apply("*" if op == "<<" else "//", a, powers)


def _bits(op: str, a: Range, b: Range) -> Range:
    if op == "&":
        if a[0] >= 0 and b[0] >= 0:
            return 0, min(a[1], b[1])
        if a[0] >= 0 or b[0] >= 0:
            return 0, a[1] if a[0] >= 0 else b[1]
        return ANY
    if a[0] < 0 or b[0] < 0 or isinf(a[1]) or isinf(b[1]):
        return ANY
    top = (1 << max(int(a[1]), int(b[1])).bit_length()) - 1
    return (max(a[0], b[0]) if op == "|" else 0), top


def _hull(a: Range, b: Range) -> Range:
    return min(a[0], b[0]), max(a[1], b[1])
