"""Primitive claims without dims that are too large to evaluate: decided by a search of its own.

Questions about pairs of coordinates are questions about their differences: whether some x in a box
has sum of x_k*d_k == 0. Those about sets of offsets are answered by sets of bits where the offsets
lie close together.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from itertools import accumulate
from math import gcd, prod

from symcute.checker.evaluate import Pairs, at_index, integer, numbers, through, vector
from symcute.checker.poly import budget
from symcute.checker.primitive import Primitive
from symcute.checker.swizzle import PLAIN, swizzle
from symcute.recheck.division import searching

#: The widest interval of offsets that is kept as bits, and how many indices are tried.
MAX_WIDTH, SAMPLES = 1 << 22, 500


def decided(claim: Primitive) -> bool | None:
    """Return whether a primitive claim without dims is true; None where the search was given up."""
    found: bool | None = None
    with searching():
        layouts = [numbers(m) for m in claim.layouts]
        found = _SEARCHES[claim.kind](claim, layouts) if claim.kind in _SEARCHES else None
    return found  # noqa: RET504 (the block may have been ended before)


def solvable(
    terms: list[tuple[int, int, int]], accept: Callable[[list[int]], bool], total: int = 0
) -> bool:
    """Return whether an accepted x, low_k <= x_k <= high_k, has the sum of x_k*d_k == total.

    `terms` are (low, high, d); where d is 0 only 0 is tried. Depth first, the largest |d| first:
    what is left after k terms must lie between what the others reach, and be a multiple of their
    greatest common divisor.
    """
    order = sorted(range(len(terms)), key=lambda k: -abs(terms[k][2]))
    spans = [sorted((low * d, high * d)) for low, high, d in (terms[k] for k in order)]
    least, most = (_suffixes([span[end] for span in spans], int.__add__) for end in (0, 1))
    common = _suffixes([terms[k][2] for k in order], gcd)
    chosen = [0] * len(terms)

    def tried(k: int, wanted: int) -> bool:
        budget.spend(8)
        if k == len(order):
            return accept(chosen)
        low, high, d = terms[order[k]]
        if d == 0:
            chosen[order[k]] = 0
            return tried(k + 1, wanted)
        a, b = -((most[k + 1] - wanted) // abs(d)), (wanted - least[k + 1]) // abs(d)
        first, last = (max(low, a), min(high, b)) if d > 0 else (max(low, -b), min(high, -a))
        g = common[k + 1]
        part = gcd(d, g)
        if wanted % part:
            return False
        step = g // part if g else 0
        if not step:  # nothing else adds anything
            first, last, step = max(first, wanted // d), min(last, wanted // d), 1
        elif step > 1:
            first += (wanted // part * pow(d // part, -1, step) - first) % step
        for x in range(first, last + 1, step):
            chosen[order[k]] = x
            if tried(k + 1, wanted - x * d):
                return True
        return False

    return tried(0, total)


def _suffixes(items: list[int], f: Callable[[int, int], int]) -> list[int]:
    """Return for each k what the items from k on come to."""
    return [*accumulate(reversed(items), f, initial=0)][::-1]


def offset(m: Pairs, x: Iterable[int]) -> int:
    """Return the offset at a coordinate."""
    return sum(c * d for c, (_, d) in zip(x, m, strict=True))


def _ends(m: Pairs) -> tuple[int, int]:
    """Return the least and the largest offset."""
    spans = [(s - 1) * d for s, d in m]
    return sum(x for x in spans if x < 0), sum(x for x in spans if x > 0)


def _injective(claim: Primitive, layouts: list[Pairs]) -> bool | None:
    """Two coordinates that differ by x, at least: max(x, 0) and max(-x, 0).

    Where no guard falls from a coordinate to a larger one these two pass if any such pair does.
    """
    m = layouts[0]
    guards = [(numbers(g), integer(b)) for g, b in claim.guards]
    falling = any(d < 0 for g, _ in guards for _, d in g)

    def clash(x: list[int]) -> bool:
        pair = [tuple(max(sign * c, 0) for c in x) for sign in (1, -1)]
        return any(x) and all(offset(g, c) < b for g, b in guards for c in pair)

    low, high = _ends(m)
    still = [[int(j == k) for j in range(len(m))] for k, (s, d) in enumerate(m) if s > 1 and d == 0]
    if not guards:
        step = gcd(*(d for _, d in m)) or 1
        if still or prod(s for s, _ in m) > (high - low) // step + 1:  # more than there are places
            return False
    elif falling:
        return None if still or solvable([(1 - s, s - 1, d) for s, d in m], any) else True
    elif any(map(clash, still)):
        return False
    return not solvable([(1 - s, s - 1, d) for s, d in m], clash)


def _in_bounds(claim: Primitive, layouts: list[Pairs]) -> bool | None:
    """The extremes are at corners; those that no guard admits say nothing.

    Of what is swizzled some indices are tried.
    """
    m, start, bound = layouts[0], integer(claim.offset), integer(claim.leaf)
    guards = [(numbers(g), integer(b)) for g, b in claim.guards]
    if claim.swizzle != PLAIN:
        size = prod(s for s, _ in m)
        tried = [] if guards else _indices(size, layouts)
        tried += [j for i in tried if 0 <= (j := swizzle(claim.swizzle, i)) < size]
        images = (swizzle(claim.swizzle, start + at_index(m, i)) for i in tried)
        return None if all(0 <= y < bound for y in images) else False
    low, high = _ends(m)
    if start + low >= 0 and start + high < bound:
        return True
    corners = [tuple(s - 1 if sign * d > 0 else 0 for s, d in m) for sign in (1, -1)]
    admitted = [c for c in corners if all(offset(g, c) < b for g, b in guards)]
    return False if any(not 0 <= start + offset(m, c) < bound for c in admitted) else None


def _crossing(a: Pairs, b: Pairs) -> list[tuple[int, int, int]]:
    return [(0, s - 1, d) for s, d in a] + [(1 - s, 0, d) for s, d in b]


def _disjoint(claim: Primitive, layouts: list[Pairs]) -> bool:
    """An offset in common is A(x) - B(y) == 0; of modes that add nothing the coordinate is 0."""
    a, b = layouts
    return not solvable(_crossing(a, b), lambda x: offset(a, tuple(x[: len(a)])) != 0)


def _apart(claim: Primitive, layouts: list[Pairs]) -> bool:
    shift = integer(claim.leaf)
    return not solvable(_crossing(*layouts), lambda _: True, shift)


def _image(m: Pairs) -> int | None:
    """Return the offsets, counted from the least, as bits; None where they are far apart."""
    low, high = _ends(m)
    if high - low > MAX_WIDTH:
        return None
    bits = 1
    for s, d in m:
        reach = 1  # so many multiples of the stride are in it; they double, up to s
        while reach < s and d:
            more = min(reach, s - reach)
            budget.spend(1 + (high - low) // 512)
            bits |= bits << more * abs(d)
            reach += more
    return bits


def _covers(claim: Primitive, layouts: list[Pairs]) -> bool | None:
    m, bound = layouts[0], integer(claim.leaf)
    low, high = _ends(m)
    if bound < 1:
        return True
    if bound > min(prod(s for s, d in m if d), high + 1):
        return False
    # [0, reach] of the offsets counted from the least is covered: steps that are not too long.
    reach = 0
    for d, s in sorted((abs(d), s) for s, d in m if s > 1):
        if d > reach + 1:
            break
        reach += (s - 1) * d
    if bound - low <= reach + 1:
        return True
    if not low:  # what is behind the step that is too long is not reached
        return False
    bits = _image(m)
    return None if bits is None else not ~(bits >> -low) & ((1 << bound) - 1)


def _same_image(claim: Primitive, layouts: list[Pairs]) -> bool | None:
    a, b = layouts
    if _ends(a) != _ends(b):
        return False
    one, other = _image(a), _image(b)
    if one is not None and other is not None:
        return one == other
    sides = [_joined((s, d) for d, s in sorted((d, s) for s, d in m if d)) for m in (a, b)]
    return sides[0] == sides[1] or None


def _joined(m: Iterable[tuple[int, int]]) -> Pairs:
    """Return modes with the same map, each as long as it can be."""
    found: Pairs = []
    for s, d in m:
        if s == 1:
            continue
        if found and d == found[-1][0] * found[-1][1]:
            found[-1] = (found[-1][0] * s, found[-1][1])
        else:
            found.append((s, d))
    return found


def _indices(size: int, layouts: list[Pairs]) -> list[int]:
    """Return indices at which maps are likely to differ, and some at random."""
    found = {0, 1, size - 1}
    for m in layouts:
        for radix in accumulate((s for s, _ in m), int.__mul__, initial=1):
            found |= {radix - 1, radix, radix + 1}
    rng = random.Random(size)  # noqa: S311 (the same each time)
    found |= {rng.randrange(size) for _ in range(SAMPLES)}
    budget.spend(SAMPLES * sum(map(len, layouts)))
    return sorted(i for i in found if 0 <= i < size)


def _agree(claim: Primitive, layouts: list[Pairs]) -> bool | None:
    left, right, domain = layouts[: claim.split], layouts[claim.split : -1], layouts[-1]
    size, x, y = prod(s for s, _ in domain), integer(claim.offset), integer(claim.leaf)
    for i in _indices(size, layouts):
        one, other = x + through(left, i), y + through(right, i)
        if swizzle(claim.swizzle, one) != swizzle(claim.body, other):
            return False
    same = claim.swizzle == claim.body and x == y and len(left) == len(right) == 1
    if same and all(prod(s for s, _ in side[0]) == size for side in (left, right)):
        return _joined(left[0]) == _joined(right[0]) or None
    return None


def _vectors(claim: Primitive, layouts: list[Pairs]) -> bool | None:
    [a], v = layouts, claim.split
    size = prod(s for s, _ in a)
    if size % v:
        return False
    tried = {i - i % v for i in _indices(size, layouts)}
    return None if all(vector(claim, a, integer(claim.leaf), i) for i in tried) else False


_SEARCHES: dict[str, Callable[[Primitive, list[Pairs]], bool | None]] = {
    "injective": _injective, "in_bounds": _in_bounds, "disjoint": _disjoint, "apart": _apart,
    "covers": _covers, "same_image": _same_image, "agree": _agree, "vectors": _vectors,
}  # fmt: skip
