"""Primitive claims without dims, by evaluation over all coordinates."""

from __future__ import annotations

from itertools import product
from math import prod

from symcute.checker.claims import Primitive
from symcute.checker.poly import budget, value
from symcute.checker.residues import costs_so
from symcute.checker.settle import plainly
from symcute.checker.swizzle import SWIZZLED, swizzle
from symcute.checker.text import Node, Refused
from symcute.checker.ways import Place, Way

MAX_COORDINATES = 1 << 16
Pairs = list[tuple[int, int]]


def is_true(claim: Primitive) -> bool:
    """Return whether a primitive claim without dims is true, by its definition."""
    if claim.kind == "holds":
        return plainly(claim.body) is True
    if claim.kind == "requests":
        return costs_so(claim, Way(Place({}, ())))
    if claim.kind == "printed":
        words = claim.body.rpartition('"')[0].rpartition('"')[2]
        return bool(claim.body == f'prints_as({words}, "{words}")')
    layouts = [[(_int(s), _int(d)) for s, d in m] for m in claim.layouts]
    guards = [([(_int(s), _int(d)) for s, d in m], _int(b)) for m, b in claim.guards]
    if any(s < 1 for m in layouts for s, _ in m):
        raise Refused("an extent is below 1")
    count = sum(prod(s for s, _ in m) for m in layouts)
    bound = _int(claim.leaf)
    if count > MAX_COORDINATES or (claim.kind == "covers" and bound > MAX_COORDINATES):
        raise Refused(f"{count} coordinates are too many to evaluate")
    budget.spend(count * sum(len(m) + 1 for m in layouts))
    if claim.kind == "table":
        return _table(claim, layouts[0], bound)
    if claim.kind == "agree":
        left, right = layouts[: claim.split], layouts[claim.split : -1]
        size = prod(s for s, _ in layouts[-1])
        return all(_through(left, i) == _through(right, i) for i in range(size))
    if claim.kind == "turned":
        x, (a, b) = _int(claim.offset), layouts
        return all(
            swizzle(claim.swizzle, x + _at(a, i)) == swizzle(claim.body, bound + _at(b, i))
            for i in range(prod(s for s, _ in a))
        )
    images = [[_offset(m, x) for x in _coordinates(m) if all(_offset(g, x) < b for g, b in guards)]
              for m in layouts]  # fmt: skip
    first, other = images[0], images[-1]
    if claim.kind == "injective":
        return len(set(first)) == len(first)
    if claim.kind == "vectors":
        return _vectors(claim, layouts[0], bound)
    if claim.kind == SWIZZLED:
        return all(0 <= swizzle(claim.swizzle, _int(claim.offset) + x) < bound for x in first)
    if claim.kind == "in_bounds":
        return all(0 <= x < bound for x in first)
    if claim.kind == "covers":
        return set(range(bound)) <= set(first)
    if claim.kind == "same_image":
        return set(first) == set(other)
    if claim.kind == "disjoint":
        return set(first) & set(other) <= {0}
    return not set(first) & {bound + x for x in other}


def _int(x: Node) -> int:
    c = value(Way(Place({}, ())).poly(x))
    if c is None or c.denominator != 1:
        raise Refused("a leaf is no integer")
    return int(c)


def _coordinates(m: Pairs) -> product[tuple[int, ...]]:
    return product(*(range(s) for s, _ in m))


def _offset(m: Pairs, x: tuple[int, ...]) -> int:
    return sum(c * d for c, (_, d) in zip(x, m, strict=True))


def _at(m: Pairs, index: int) -> int:
    """Return the offset at a 1-D index; the last mode takes what is left."""
    if not m:
        if index:
            raise Refused("a layout without modes has one index")
        return 0
    offset = 0
    for s, d in m[:-1]:
        offset += index % s * d
        index //= s
    return offset + index * m[-1][1]


def _through(chain: list[Pairs], index: int) -> int:
    for m in reversed(chain):
        index = _at(m, index)
    return index


def _table(claim: Primitive, m: Pairs, rows: int) -> bool:
    cells = [[_int(x) for x in row] for row in claim.body]
    columns = prod(s for s, _ in m) // rows
    return [[_at(m, i + rows * j) for j in range(columns)] for i in range(rows)] == cells


def _vectors(claim: Primitive, m: Pairs, base: int) -> bool:
    size, v, offset = prod(s for s, _ in m), claim.split, _int(claim.offset)
    found = [swizzle(claim.swizzle, offset + _at(m, i)) for i in range(size)]
    return size % v == 0 and all(
        (base + found[i]) % v == 0 and found[i : i + v] == list(range(found[i], found[i] + v))
        for i in range(0, size, v)
    )
