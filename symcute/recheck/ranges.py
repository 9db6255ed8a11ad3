"""What constant ranges show: interval arithmetic under the assumptions of a place.

A box gives every dim a range. The first is that of the lower bounds, which holds every instance
that meets the assumptions, and each assumption in turn narrows it. That keeps every such instance:
where a sum is at most c, so is a part plus the least the other parts may be; where
k*x lies in [a, b] for a number k >= 1, x lies in [a/k, b/k], rounded inwards, as it is an integer;
where floor(x/k) lies in [a, b], x lies in [k*a, k*b + k - 1]; where a minimum is at least c, so are
both of its parts, and likewise for a maximum; where all parts of a disjunction but one fail
throughout the box, that one holds. A formula is shown on a box where its ranges make it true at
every point, or where the box is empty: an end passes the other, or an assumption fails throughout.

A box on which neither is so is cut in halves along the first of the named dims that has more than
one value there: the halves hold every integer point of the box, so what is shown on both is shown
on it. Cut to the end this is enumeration, of no more points than the work of a document allows.

The range of an expression holds its value at every point of the box at which the expression has
one: ends of sums and products are taken at the ends of the parts, of quotients by a divisor that
is at least 1 throughout too, as floor(x/y) grows with x, and grows (falls) with y where x < 0 (x >=
0); a remainder by such a divisor lies in [0, y - 1], and is x itself where 0 <= x < y throughout.
Of every other operation nothing is said: any value.
"""

from __future__ import annotations

from math import inf
from typing import TypeAlias

from symcute.checker.poly import MAX_BITS, budget
from symcute.checker.settle import Place
from symcute.checker.terms import Node, Refused

__all__ = ["in_ranges"]

Range: TypeAlias = tuple[int | float, int | float]
Box: TypeAlias = dict[str, Range]

ANY: Range = (-inf, inf)
MAX_ROUNDS = 8
#: What is larger is not counted: it is beyond what is infinite for all that is asked of kernels.
FAR = 1 << (MAX_BITS // 8)


class _Empty(Exception):
    """An end of a range passed the other."""


def in_ranges(f: Node, place: Place, names: list[str]) -> bool:
    """Return whether ranges show a formula, the box being cut along the named dims."""
    if not place.bounds.keys() >= set(names):
        raise Refused("a dim that is cut is none of the statement")
    boxes: list[Box] = [{name: (low, inf) for name, low in place.bounds.items()}]
    while boxes:
        budget.spend(len(place.bounds))
        box = boxes.pop()
        if not _narrowed(box, place.facts) or _truth(f, box) is True:
            continue
        name = next((n for n in names if box[n][0] < box[n][1]), None)
        if name is None:
            return False
        low, high = box[name]
        if low == -inf or high == inf:
            return False
        middle = (int(low) + int(high)) // 2
        boxes += [box | {name: (middle + 1, high)}, box | {name: (low, middle)}]
    return True


def _narrowed(box: Box, facts: list[Node]) -> bool:
    """Narrow a box by assumptions; return False where none of its points meets them all."""
    for _ in range(MAX_ROUNDS):
        budget.spend(len(box) + len(facts))
        before = dict(box)
        try:
            if not all(_hold(fact, box) for fact in facts):
                return False
        except _Empty:
            return False
        if box == before:
            break
    return True


def _hold(fact: Node, box: Box) -> bool:
    """Narrow a box to where a formula may be true; return False where it is so nowhere."""
    op, args = fact.op, fact.args
    if op == "and":
        return all(_hold(x, box) for x in args)
    if op == "or":
        left = [x for x in args if _truth(x, box) is not False]
        return _hold(left[0], box) if len(left) == 1 else bool(left)
    if op == "not" and args[0].op in _OPPOSITE:
        inner = args[0]
        op, flip = _OPPOSITE[inner.op]
        return _hold(Node(op, inner.args[::-1] if flip else inner.args), box)
    if op in ("eq", "le", "lt"):
        (a, b), (c, d) = (_range(x, box) for x in args)
        step = op == "lt"
        _push(args[0], (c if op == "eq" else -inf, _add(d, -step)), box)
        _push(args[1], (_add(a, step), b if op == "eq" else inf), box)
    return _truth(fact, box) is not False


_OPPOSITE = {"le": ("lt", True), "lt": ("le", True), "eq": ("ne", False), "ne": ("eq", False)}


def _push(x: Node, bound: Range, box: Box) -> None:
    """Narrow the dims of an expression that lies in a range."""
    low, high = bound
    if bound == ANY:
        return
    op, args = x.op, x.args
    if op == "dim":
        a, b = box[args[0]]
        box[args[0]] = low, high = max(a, low), min(b, high)
        if low > high:
            raise _Empty
    elif op == "neg":
        _push(args[0], (-high, -low), box)
    elif op in ("add", "sub"):
        (a, b), (c, d) = (_range(y, box) for y in args)
        if op == "sub":
            _push(args[0], (_add(low, c), _add(high, d)), box)
            _push(args[1], (_add(a, -high), _add(b, -low)), box)
        else:
            _push(args[0], (_add(low, -d), _add(high, -c)), box)
            _push(args[1], (_add(low, -b), _add(high, -a)), box)
    elif op == "mul":
        for k, y in (args, args[::-1]):
            c, same = _range(k, box)
            if c == same and c not in (0, inf, -inf):
                a, b = (low, high) if c > 0 else (-high, -low)
                _push(y, (-_floor(-a, abs(c)), _floor(b, abs(c))), box)
                return
    elif op == "floor_div" and args[1].op == "int" and args[1].args[0] >= 1:
        k = args[1].args[0]
        _push(args[0], (_times(low, k), _add(_times(high, k), k - 1)), box)
    elif op == "min":
        for y in args:
            _push(y, (low, inf), box)
    elif op == "max":
        for y in args:
            _push(y, (-inf, high), box)


def _truth(f: Node, box: Box) -> bool | None:
    """Return whether a formula is true throughout a box, false throughout, or neither is known."""
    op = f.op
    if op == "not":
        told = _truth(f.args[0], box)
        return None if told is None else not told
    if op in ("and", "or"):
        every = [_truth(x, box) for x in f.args]
        end = op == "or"
        return end if end in every else None if None in every else not end
    if op == "implies":
        first, then = (_truth(x, box) for x in f.args)
        return True if first is False or then is True else then if first is True else None
    (a, b), (c, d) = (_range(x, box) for x in f.args)
    if op == "le":
        return True if b <= c else False if a > d else None
    if op == "lt":
        return True if b < c else False if a >= d else None
    if op in ("eq", "ne"):
        found = False if b < c or d < a else True if a == b == c == d else None
        return found if op == "eq" or found is None else not found
    if op == "divides" and a == b and c == d and a not in (0, inf, -inf) and abs(c) != inf:
        return int(c) % int(a) == 0
    return None


def _range(x: Node, box: Box) -> Range:
    """Return what an expression lies between at all points of a box."""
    budget.spend(1)
    op, args = x.op, x.args
    if op == "int":
        return _near((args[0], args[0]))
    if op == "dim":
        return box[args[0]]
    a, b = _range(args[0], box)
    if op == "neg":
        return -b, -a
    if op == "pow":
        found: Range = (1, 1)
        for _ in range(args[1].args[0]):
            found = _product(found, (a, b))
        return found
    c, d = _range(args[1], box)
    if op == "add":
        return _near((_add(a, c), _add(b, d)))
    if op == "sub":
        return _near((_add(a, -d), _add(b, -c)))
    if op == "mul":
        return _product((a, b), (c, d))
    if op in ("min", "max"):
        pick = min if op == "min" else max
        return pick(a, c), pick(b, d)
    if op in ("floor_div", "ceil_div", "mod") and c >= 1:
        if op == "floor_div":
            return _quotient((a, b), (c, d))
        if op == "ceil_div":
            low, high = _quotient((-b, -a), (c, d))
            return -high, -low
        if a >= 0 and b < c:
            return a, b
        return 0, min(_add(d, -1), b) if a >= 0 else _add(d, -1)
    return ANY


def _quotient(x: Range, y: Range) -> Range:
    (a, b), (small, large) = x, y
    return (
        _floor(a, large if a >= 0 else small),
        _floor(b, small if b >= 0 else large),
    )


def _floor(x: int | float, y: int | float) -> int | float:
    """Return floor(x / y), y >= 1, or what it comes to where an end is infinite."""
    if x in (inf, -inf):
        return x
    return (0 if x >= 0 else -1) if y == inf else int(x) // int(y)


def _product(x: Range, y: Range) -> Range:
    ends = [_times(p, q) for p in x for q in y]
    return _near((min(ends), max(ends)))


def _times(x: int | float, y: int | float) -> int | float:
    if x == 0 or y == 0:
        return 0
    if x in (inf, -inf) or y in (inf, -inf):
        return inf if (x > 0) == (y > 0) else -inf
    return x * y


def _add(x: int | float, y: int | float) -> int | float:
    return x if x in (inf, -inf) else y if y in (inf, -inf) else x + y


def _near(found: Range) -> Range:
    """Return a range whose far ends are infinite; no end is further out than FAR inwards."""
    low, high = found
    return -inf if low < -FAR else min(low, FAR), inf if high > FAR else max(high, -FAR)
