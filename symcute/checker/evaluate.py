"""Primitive claims without dims: what each means, by evaluation over all coordinates."""

from __future__ import annotations

from math import prod

from symcute.checker.poly import budget
from symcute.checker.primitive import Primitive
from symcute.checker.residues import costs_so
from symcute.checker.settle import Place, Settler, Trail, Way
from symcute.checker.swizzle import swizzle
from symcute.checker.terms import Modes, Node, Refused, names
from symcute.checker.values import number, truth

#: How many coordinates a claim without dims may have.
MAX_COORDINATES = 1 << 16
Pairs = list[tuple[int, int]]


def coordinates(claim: Primitive) -> int:
    """Return how many coordinates there are to evaluate of a claim without dims."""
    count = sum(prod(s for s, _ in numbers(m)) for m in claim.layouts)
    return max(count, integer(claim.leaf)) if claim.kind == "covers" else count


def without_dims(claim: Primitive) -> bool:
    """Return whether only numbers occur."""
    return not any(True for x in claim.leaves() for _ in names(x))


def is_true(claim: Primitive) -> bool:
    """Return whether a primitive claim without dims is true, by its definition."""
    if claim.kind == "holds":
        return truth(claim.body, {})
    if claim.joined():
        return any(map(is_true, claim.joined())) != (claim.kind == "denied")
    if claim.kind == "requests":
        return costs_so(claim, Way(Place({}, []), Settler([], Trail()).settle), {})
    layouts = [numbers(m) for m in claim.layouts]
    guards = [(numbers(m), integer(b)) for m, b in claim.guards]
    bound, count = integer(claim.leaf), coordinates(claim)
    if count > MAX_COORDINATES:
        raise Refused(f"{count} coordinates are too many to evaluate")
    # A step of these is short beside a product of two terms of polynomials.
    budget.spend(count * (1 + sum(map(len, layouts)) // 8))
    x = integer(claim.offset)
    if claim.kind == "agree":
        left, right = layouts[: claim.split], layouts[claim.split : -1]
        size = prod(s for s, _ in layouts[-1])
        return all(swizzle(claim.swizzle, x + through(left, i))
                   == swizzle(claim.body, bound + through(right, i))
                   for i in range(size))  # fmt: skip
    images = [_offsets(m, guards) for m in layouts]
    first, other = images[0], images[-1]
    if claim.kind == "injective":
        return len(set(first)) == len(first)
    if claim.kind == "vectors":
        [m], v = layouts, claim.split
        return len(first) % v == 0 and all(
            vector(claim, m, bound, i) for i in range(0, len(first), v)
        )
    if claim.kind == "in_bounds":
        return all(0 <= swizzle(claim.swizzle, x + y) < bound for y in first)
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
    return number(x, {})


def _offsets(m: Pairs, guards: list[tuple[Pairs, int]]) -> list[int]:
    """Return the offsets at the coordinates that guards admit; guards have the extents of m."""
    plain = [0]
    for s, d in m:
        plain = [x + c * d for x in plain for c in range(s)]
    compared = [_offsets([(s, d) for (s, _), (_, d) in zip(m, g, strict=True)], [])
                for g, _ in guards]  # fmt: skip
    below = [b for _, b in guards]
    return [x for x, *ys in zip(plain, *compared, strict=True) if all(map(int.__lt__, ys, below))]


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


def vector(claim: Primitive, m: Pairs, base: int, i: int) -> bool:
    """Return whether the elements of one vector are contiguous and aligned, the first being i."""
    start, v = integer(claim.offset), claim.split
    found = [swizzle(claim.swizzle, start + at_index(m, i + k)) for k in range(v)]
    return (base + found[0]) % v == 0 and found == list(range(found[0], found[0] + v))
