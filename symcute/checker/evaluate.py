"""Primitive claims without dims, by evaluation over all coordinates."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import fields, replace
from itertools import product
from math import prod
from typing import Any

from symcute.checker.claims import Primitive
from symcute.checker.instances import Instance, breaking, instances, number
from symcute.checker.poly import budget, value
from symcute.checker.residues import costs_so
from symcute.checker.settle import plainly
from symcute.checker.swizzle import SWIZZLED, swizzle
from symcute.checker.text import Modes, Node, Refused, lit
from symcute.checker.ways import Place, Way

#: How many coordinates a claim without dims may have, and one with dims at each small instance.
MAX_COORDINATES, FEW_COORDINATES = 1 << 16, 1 << 10
Pairs = list[tuple[int, int]]


def coordinates(claim: Primitive) -> int:
    """Return how many coordinates there are to evaluate of a claim without dims."""
    count = sum(prod(s for s, _ in numbers(m)) for m in claim.layouts)
    return max(count, integer(claim.leaf)) if claim.kind == "covers" else count


def is_true(claim: Primitive) -> bool:
    """Return whether a primitive claim without dims is true, by its definition."""
    if claim.kind == "holds":
        return plainly(claim.body) is True
    if claim.kind == "requests":
        return costs_so(claim, Way(Place({}, ())))
    layouts = [numbers(m) for m in claim.layouts]
    guards = [(numbers(m), integer(b)) for m, b in claim.guards]
    bound, count = integer(claim.leaf), coordinates(claim)
    if count > MAX_COORDINATES:
        raise Refused(f"{count} coordinates are too many to evaluate")
    # A step of these is short beside a product of two terms of polynomials.
    budget.spend(count * (1 + sum(map(len, layouts)) // 8))
    if claim.kind == "table":
        return _table(claim, layouts[0], bound)
    if claim.kind == "agree":
        left, right = layouts[: claim.split], layouts[claim.split : -1]
        size = prod(s for s, _ in layouts[-1])
        return all(through(left, i) == through(right, i) for i in range(size))
    if claim.kind == "turned":
        x, (a, b) = integer(claim.offset), layouts
        return all(
            swizzle(claim.swizzle, x + at_index(a, i))
            == swizzle(claim.body, bound + at_index(b, i))
            for i in range(prod(s for s, _ in a))
        )
    images = [[offset(m, x) for x in _coordinates(m) if all(offset(g, x) < b for g, b in guards)]
              for m in layouts]  # fmt: skip
    first, other = images[0], images[-1]
    if claim.kind == "injective":
        return len(set(first)) == len(first)
    if claim.kind == "vectors":
        return _vectors(claim, layouts[0], bound)
    if claim.kind == SWIZZLED:
        return all(0 <= swizzle(claim.swizzle, integer(claim.offset) + x) < bound for x in first)
    if claim.kind == "in_bounds":
        return all(0 <= x < bound for x in first)
    if claim.kind == "covers":
        return set(range(bound)) <= set(first)
    if claim.kind == "same_image":
        return set(first) == set(other)
    if claim.kind == "disjoint":
        return set(first) & set(other) <= {0}
    return not set(first) & {bound + x for x in other}


def numbers(m: Modes) -> Pairs:
    """Return the modes of a layout without dims. Errors: Refused for an extent below 1."""
    found = [(integer(s), integer(d)) for s, d in m]
    if any(s < 1 for s, _ in found):
        raise Refused("an extent is below 1")
    return found


def integer(x: Node) -> int:
    """Return the number that a leaf without dims is."""
    c = value(Way(Place({}, ())).poly(x))
    if c is None or c.denominator != 1:
        raise Refused("a leaf is no integer")
    return int(c)


def _coordinates(m: Pairs) -> product[tuple[int, ...]]:
    return product(*(range(s) for s, _ in m))


def offset(m: Pairs, x: Iterable[int]) -> int:
    """Return the offset at a coordinate."""
    return sum(c * d for c, (_, d) in zip(x, m, strict=True))


def at_index(m: Pairs, index: int) -> int:
    """Return the offset at a 1-D index; the last mode takes what is left."""
    if not m:
        if index:
            raise Refused("a layout without modes has one index")
        return 0
    found = 0
    for s, d in m[:-1]:
        found += index % s * d
        index //= s
    return found + index * m[-1][1]


def through(chain: list[Pairs], index: int) -> int:
    """Return what a chain of layouts makes of an index, the last applied first."""
    for m in reversed(chain):
        index = at_index(m, index)
    return index


def _table(claim: Primitive, m: Pairs, rows: int) -> bool:
    cells = [[integer(x) for x in row] for row in claim.body]
    columns = prod(s for s, _ in m) // rows
    return [[at_index(m, i + rows * j) for j in range(columns)] for i in range(rows)] == cells


def _vectors(claim: Primitive, m: Pairs, base: int) -> bool:
    size, v = prod(s for s, _ in m), claim.split
    return size % v == 0 and all(vector(claim, m, base, i) for i in range(0, size, v))


def vector(claim: Primitive, m: Pairs, base: int, i: int) -> bool:
    """Return whether the elements of one vector are contiguous and aligned, the first being i."""
    start, v = integer(claim.offset), claim.split
    found = [swizzle(claim.swizzle, start + at_index(m, i + k)) for k in range(v)]
    return (base + found[0]) % v == 0 and found == list(range(found[0], found[0] + v))


def falsifying(claim: Primitive, place: Place) -> Instance | None:
    """Return a small instance at which a primitive claim is false, if one was found."""
    if claim.kind == "holds":
        return breaking(claim.body, place)
    found, tried = None, instances(place)
    with budget.searching():
        for at in tried:
            try:
                here = _instance(claim, at)
                if coordinates(here) <= FEW_COORDINATES and not is_true(here):
                    found = at
                    break
            except Refused:  # no value there, or too large
                budget.spend(1)
    return found


def _instance(item: Any, at: Instance) -> Any:
    """Return a claim, or what it consists of, at an instance."""
    if isinstance(item, Node):
        return lit(number(item, at))
    if isinstance(item, tuple):
        return tuple(_instance(x, at) for x in item)
    if isinstance(item, Primitive):
        return replace(item, **{f.name: _instance(getattr(item, f.name), at) for f in fields(item)})
    return item
