"""Bits worked out again: `bit_and` and its like as quotients and remainders."""

from __future__ import annotations

from symcute.checker.settle import Place
from symcute.checker.terms import Node, Refused, lit, total
from symcute.recheck.forms import POWERS, number
from symcute.recheck.parametrisation import Parametrisation, constant_bounds, opaque
from symcute.recheck.text import leaf, strip

__all__ = ["BITS", "bits"]

BITS = ("bit_and", "bit_or", "bit_xor", "bit_not")
#: How many rows of ones a mask may have, and how many bits one of two unknowns.
MAX_ROWS, MAX_WIDTH = 32, 12


def bits(call: Node, place: Place) -> Node:
    """Return the term that an operation on bits is, others inside it too.

    Errors: Refused where nothing that a place assumes says how many bits there are.
    """
    name, *args = call.args
    a, *rest = (number(leaf(_expanded(x, place))) for x in args)
    if name == "bit_not":
        return lit(0) - a - 1
    [b] = rest
    both = _by_mask(a, b, place)
    if both is None and name == "bit_xor":
        return _xor(a, b, place)
    if both is None:
        both = total(Node("min", (_bit(a, k), _bit(b, k))) * (1 << k)
                     for k in range(_fewest(a, b, place)))  # fmt: skip
    return both if name == "bit_and" else a + b - both * (1 if name == "bit_or" else 2)


def _expanded(node: Node, place: Place) -> Node:
    """Return a tree in which operations on bits are terms."""
    node = strip(node)
    if node.op == "call" and node.args[0] in BITS:
        return bits(node, place)
    parts = (_expanded(x, place) if isinstance(x, Node) else x for x in node.args)
    return Node(node.op, tuple(parts))


def _by_mask(a: Node, b: Node, place: Place) -> Node | None:
    """Return a & b where one is a number, or a mask by a power of two."""
    if a.op == "int":
        a, b = b, a
    if b.op == "int":
        c = b.args[0]
        if a.op == "int":
            return lit(a.args[0] & c)
        return a - _masked(a, ~c) if c < 0 else _masked(a, c)
    for x, mask in ((a, b), (b, a)):
        if _is_power(mask + 1, place):
            return Node("mod", (x, mask + 1))
        if _is_power(lit(0) - mask, place):
            return x - Node("mod", (x, lit(0) - mask))
        if _is_power(mask, place):
            return Node("mod", (Node("floor_div", (x, mask)), lit(2))) * mask
    return None


def _xor(a: Node, b: Node, place: Place) -> Node:
    width = _fewest(a, b, place)
    # What is above the bits of one of them stays.
    high = [x - Node("mod", (x, lit(1 << width))) for x in (a, b) if _width(x, place) != width]
    low = [Node("mod", (_bit(a, k) + _bit(b, k), lit(2))) * (1 << k) for k in range(width)]
    return total(high + low)


def _fewest(a: Node, b: Node, place: Place) -> int:
    """Return in how many bits one of two terms fits."""
    widths = [w for w in (_width(x, place) for x in (a, b)) if w is not None]
    if not widths or min(widths) > MAX_WIDTH:
        raise Refused("nothing says how many bits there are")
    return min(widths)


def _bit(x: Node, k: int) -> Node:
    return Node("mod", (Node("floor_div", (x, lit(1 << k))), lit(2)))


def _masked(x: Node, mask: int) -> Node:
    """Return x & mask, for a mask of at least 0: each row of ones is a remainder of a quotient."""
    found, low = [], 0
    while mask >> low:
        if not mask >> low & 1:
            low += 1
            continue
        width = 1
        while mask >> (low + width) & 1:
            width += 1
        part = Node("floor_div", (x, lit(1 << low))) if low else x
        row = Node("mod", (part, lit(1 << width)))
        found.append(row * (1 << low) if low else row)
        low += width
    if len(found) > MAX_ROWS:
        raise Refused("a mask has too many rows of ones")
    return found[0] if len(found) == 1 else total(found)  # of a sole row the width is seen


def _is_power(x: Node, place: Place) -> bool:
    """Return whether a term is a power of two: a number, a product of dims that are, a half."""
    if x.op == "floor_div" and x.args[1].op == "int":
        inner, c = x.args[0], x.args[1].args[0]
        known = inner.op == "dim" and place.bounds[inner.args[0]] >= c >= 1
        return known and c & (c - 1) == 0 and _is_power(inner, place)
    try:
        p = Parametrisation(Place({}, [])).poly(opaque(x))
    except Refused:
        return False
    if len(p) != 1:
        return False
    [(m, c)] = p.items()
    if c.denominator != 1 or c < 1 or int(c) & (int(c) - 1):
        return False
    return all(Node("divides", (Node("dim", (v,)), lit(POWERS))) in place.facts
               and place.bounds[v] >= 1 for v, _ in m)  # fmt: skip


def _width(x: Node, place: Place) -> int | None:
    """Return in how many bits a term fits, which is then at least 0."""
    if x.op == "mod" and x.args[1].op == "int" and x.args[1].args[0] > 0:
        return int(x.args[1].args[0] - 1).bit_length()
    if x.op != "dim" or place.bounds[x.args[0]] < 0:
        return None
    tops = [c for f in place.facts for n, c in constant_bounds(f, upper=True) if n == x.args[0]]
    return max(min(tops), 0).bit_length() if tops else None
