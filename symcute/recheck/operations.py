"""Operations of the layout algebra that are worked out again, because they are plain sums."""

from __future__ import annotations

from math import prod
from typing import Any

from symcute.checker.lemmas import size
from symcute.checker.settle import Place
from symcute.checker.terms import Node, Refused, lit, total
from symcute.recheck.bits import BITS, bits
from symcute.recheck.claims import shape_of
from symcute.recheck.forms import congruent, flat, layout, sides
from symcute.recheck.text import htuple, strip


def again_of(call: Node, place: Place) -> Any:
    """Return what an operation comes to, a leaf or a tuple; None for one that is not known here.

    A number is what is written as one.

    That is an operation on bits, the size of a layout, its cosize where its strides are numbers,
    its offset at a coordinate, and the coordinate of an index where all are numbers.
    """
    name, args = call.args[0] if call.op == "call" else "", call.args[1:]
    try:
        if name in BITS:
            return bits(call, place)
        if name == "size" and len(args) == 1:
            return size(tuple((s, s) for s in flat(shape_of(args[0]))))
        if name == "cosize" and len(args) == 1 and strip(args[0]).op == "layout":
            return _cosize(*sides(strip(args[0]), htuple))
        if name == "crd2idx" and len(args) == 3:
            return _offset(*map(htuple, args))
        if name == "crd2idx" and len(args) == 2 and strip(args[1]).op != "layout":
            return _offset(htuple(args[0]), *sides(layout(args[1]), htuple))
        if name == "idx2crd" and len(args) == 2:
            return _coordinate(*map(htuple, args))
        if call.op == "apply" and strip(call.args[0]).op == "layout":
            crd = htuple(strip(args[0])) if len(args) == 1 else tuple(map(htuple, args))
            return _offset(crd, *sides(strip(call.args[0]), htuple))
    except Refused:  # a slice, or no tuples of numbers
        return None
    return None


def _cosize(shape: Any, stride: Any) -> Node | None:
    strides = flat(stride)
    if not congruent(shape, stride) or any(d.op != "int" for d in strides):
        return None
    pairs = zip(flat(shape), strides, strict=True)
    return lit(1) + total((s - 1) * abs(d.args[0]) for s, d in pairs)


def _offset(crd: Any, shape: Any, stride: Any) -> Node | None:
    """Return the offset at a coordinate, parts of which may be indices into modes of numbers."""
    found = _coordinate(crd, shape) if not congruent(crd, shape) else crd
    if found is None or not congruent(shape, stride):
        return None
    return total(c * d for c, d in zip(flat(found), flat(stride), strict=True))


def _coordinate(crd: Any, shape: Any) -> Any:
    """Return a coordinate as a natural one; the last mode takes what is left."""
    if isinstance(shape, Node):
        return crd if isinstance(crd, Node) else None
    if isinstance(crd, Node):
        sizes = [[s.args[0] if s.op == "int" else 0 for s in flat(x)] for x in shape]
        if crd.op != "int" or crd.args[0] < 0 or not all(map(all, sizes)) or not shape:
            return None
        index, digits = crd.args[0], []
        for x in sizes[:-1]:
            digits.append(lit(index % prod(x)))
            index //= prod(x)
        crd = (*digits, lit(index))
    if len(crd) != len(shape):
        return None
    found = tuple(_coordinate(c, s) for c, s in zip(crd, shape, strict=True))
    return None if None in found else found
