"""Exact decisions about static layouts, without enumerating their domain.

Every function takes a primitive claim whose leaves are ints and returns what goes wrong (a text,
re-evaluated in plain integers), `None` when the claim is true, or raises `TooHard`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from heapq import merge
from itertools import pairwise
from math import gcd
from typing import Any

from symcute.claims import (
    Agree,
    Apart,
    Claim,
    Covers,
    Denied,
    Disjoint,
    Either,
    Holds,
    InBounds,
    Injective,
    PrintsAs,
    Requests,
    SameImage,
    SwizzledAgree,
    SwizzledInBounds,
    Table,
    Vectorizable,
)
from symcute.claims.base import MAX_ENUMERATED, plain, static
from symcute.errors import NotAdmissible
from symcute.layout.algebra import coalesce, composition
from symcute.layout.layout import Layout
from symcute.prover import requests, swizzled
from symcute.prover.box import TooHard, point_in
from symcute.prover.lattice import relation

__all__ = ["TooHard", "decide", "reduced", "smallest_zero"]

#: How many nodes a search may visit, how many where lattice reduction comes next, and how many
#: offsets may be listed where it fails.
MAX_NODES, FEW_NODES, MAX_LISTED = 50_000, 400, 1 << 16
#: The widest interval of offsets that is kept as bits.
MAX_WIDTH = 1 << 22


def decide(claim: Claim) -> str | None:
    """Return what goes wrong, or None when the static claim is true.

    Errors: TooHard when the search is given up.
    """
    for kind, function in _DECIDE.items():
        if isinstance(claim, kind):
            return function(claim)
    raise TooHard(f"no exact decision for {claim.text()}")


def _injective(claim: Injective) -> str | None:
    modes = _numbers(plain(claim.layout))
    if claim.where:
        return _injective_under_guards(claim, modes)
    found = smallest_zero(modes)
    if found is None:
        return None
    deltas = {f"delta!{k}": x for k, x in enumerate(found)}
    failure = claim.fails_at(deltas)
    if failure is None:
        raise RuntimeError(f"{found} is no clash in {claim.layout}")
    return failure


def _numbers(layout: Layout) -> list[tuple[int, int]]:
    return [(static(s), static(d)) for s, d in layout.modes()]


def _injective_under_guards(claim: Injective, modes: list[tuple[int, int]]) -> str | None:
    """Decide by differences: under guards without negative strides the smallest pair decides."""
    if _chain_of(modes):
        return None
    if any(static(d) < 0 for guard, _ in claim.where for _, d in guard.modes()):
        return _listed(claim, plain(claim.layout))
    failure = None

    def clashes(deltas: list[int]) -> bool:
        nonlocal failure
        pair = [tuple(max(sign * x, 0) for x in deltas) for sign in (1, -1)]
        failure = claim.clash(*sorted(pair, key=lambda x: x[::-1]))
        return failure is not None

    for k, (s, d) in enumerate(modes):
        if d == 0 and s > 1 and clashes([int(j == k) for j in range(len(modes))]):
            return failure
    # A difference in a mode of stride 0 that no guard lets through is none in any other pair.
    try:
        _search([(1 - s, s - 1, d) for s, d in modes], clashes)
    except TooHard:
        return _listed(claim, plain(claim.layout))
    return failure


def _listed(claim: Claim, *layouts: Layout) -> str | None:
    """Decide by enumeration what is small enough. Errors: TooHard."""
    size = max(static(layout.size()) for layout in layouts)
    if size > MAX_LISTED:
        raise TooHard(f"{size} coordinates are too many to list")
    return claim.brute()


def smallest_zero(modes: list[tuple[int, int]]) -> list[int] | None:
    """Return x != 0 with |x_k| < s_k and sum x_k * d_k == 0, or None when there is none.

    Errors: TooHard.

    >>> smallest_zero([(2, 1), (3, 1)])
    [1, -1]
    >>> smallest_zero([(1 << 20, 1), (1 << 20, 1 << 20)]) is None
    True
    """
    for k, (s, d) in enumerate(modes):
        if d == 0 and s > 1:
            return [int(j == k) for j in range(len(modes))]
    seen: dict[int, int] = {}
    for k, (s, d) in enumerate(modes):
        other = seen.setdefault(abs(d), k) if s > 1 else k
        if other != k:  # two modes of one stride, up to its sign
            sign = -1 if modes[other][1] == d else 1
            return [int(j == other) + sign * int(j == k) for j in range(len(modes))]
    if _chain_of(modes):
        return None
    try:
        return _search([(1 - s, s - 1, d) for s, d in modes], any, nodes=FEW_NODES)
    except TooHard:
        places = [k for k, (s, _) in enumerate(modes) if s > 1]
        short = relation([modes[k][1] for k in places], [modes[k][0] - 1 for k in places])
        found = dict(zip(places, short or (), strict=False))
        return [found.get(k, 0) for k in range(len(modes))] if short else None


def _chain_of(modes: list[tuple[int, int]]) -> bool:
    """Return whether each stride exceeds the reach of the smaller ones (lemma "chain")."""
    reach = 0
    for d, s in sorted((abs(d), s) for s, d in modes if s > 1):
        if d <= reach:
            return False
        reach += (s - 1) * d
    return True


def _search(
    terms: list[tuple[int, int, int]],
    accept: Callable[[list[int]], bool],
    start: int = 0,
    nodes: int = MAX_NODES,
) -> list[int] | None:
    """Return accepted x with low_k <= x_k <= high_k and start + sum x_k * d_k == 0, or None.

    `terms` are (low, high, d) with low <= 0 <= high; x_k is 0 where d is 0. Depth first, largest
    |d| first, pruned by what the rest can reach and by the gcd of the rest. `nodes` are the places
    that may be visited; then it is TooHard.
    """
    order = sorted(
        (k for k, (low, high, d) in enumerate(terms) if low < high and d != 0),
        key=lambda k: -abs(terms[k][2]),
    )
    n = len(order)
    parts = [terms[k] for k in order]
    ends = [sorted((low * d, high * d)) for low, high, d in parts]
    least = [sum(e[0] for e in ends[i:]) for i in range(n + 1)]
    most = [sum(e[1] for e in ends[i:]) for i in range(n + 1)]
    step = [gcd(*(d for _, _, d in parts[i:])) for i in range(n + 1)]
    x = [0] * len(terms)
    looked = 0

    def visit(i: int, rest: int) -> bool:
        nonlocal looked
        looked += 1
        if looked > nodes:
            raise TooHard(f"the exact search was given up after {nodes} nodes")
        if i == n:
            return rest == 0 and accept(x)
        low, high, d = parts[i]
        for value in _candidates(rest, d, (low, high), (-most[i + 1], -least[i + 1]), step[i + 1]):
            x[order[i]] = value
            if visit(i + 1, rest + d * value):
                return True
        x[order[i]] = 0
        return False

    return x if visit(0, start) else None


def _candidates(
    rest: int, d: int, width: tuple[int, int], target: tuple[int, int], step: int
) -> Iterator[int]:
    """Yield v of the width, smallest |v| first, with rest + d*v in the target, a multiple of step.

    The target is what the terms still to come can cancel, in multiples of `step` (0: none to come).
    """
    if d < 0:
        yield from (-v for v in _candidates(rest, -d, (-width[1], -width[0]), target, step))
        return
    first = max(width[0], -((rest - target[0]) // d))
    last = min(width[1], (target[1] - rest) // d)
    stride = 1
    if step:
        common = gcd(d, step)
        if rest % common:
            return
        stride = step // common
        start = -rest // common * pow(d // common, -1, stride) % stride if stride > 1 else 0
        first += (start - first) % stride
    # The last candidate at or below 0; from there upwards and downwards.
    middle = first + max(-1, min(-first, last - first) // stride) * stride
    up, down = range(middle + stride, last + 1, stride), range(middle, first - 1, -stride)
    yield from merge(up, down, key=abs)


def _in_bounds(claim: InBounds) -> str | None:
    modes, bound = _numbers(plain(claim.layout)), static(claim.bound)
    lowest = tuple(s - 1 if d < 0 else 0 for s, d in modes)
    highest = tuple(s - 1 if d > 0 else 0 for s, d in modes)
    failure = claim.outside(lowest) or claim.outside(highest)
    if failure or not claim.where:
        return failure
    strides = [d for _, d in modes]
    guards = [([d for _, d in _numbers(g)], static(m) - 1) for g, m in claim.where]
    for limit in ((strides, -1), ([-d for d in strides], -bound)):
        found = point_in([s for s, _ in modes], [limit, *guards])
        if found is not None:
            return claim.outside(found)
    return None


def _holds(claim: Holds) -> str | None:
    return claim.brute()


def _disjoint(claim: Disjoint) -> str | None:
    left, right = _numbers(claim.left), _numbers(claim.right)
    if _chain_of([*left, *right]):
        return None
    n = len(left)
    # The coordinates of the left count up, those of the right down.
    terms = [(0, s - 1, d) for s, d in left] + [(1 - s, 0, d) for s, d in right]

    def common(x: list[int]) -> bool:
        return sum(v * d for v, (_, d) in zip(x[:n], left, strict=True)) != 0

    try:
        found = _search(terms, common)
    except TooHard:
        if max(static(claim.left.size()), static(claim.right.size())) > MAX_LISTED:
            raise
        return claim.brute()
    if found is None:
        return None
    model = {f"x!{k}": v for k, v in enumerate(found[:n])}
    model |= {f"y!{k}": -v for k, v in enumerate(found[n:])}
    return claim.fails_at(model)


def _apart(claim: Apart) -> str | None:
    left, right = _numbers(claim.left), _numbers(claim.right)
    n, shift = len(left), static(claim.shift)
    terms = [(0, s - 1, d) for s, d in left] + [(1 - s, 0, d) for s, d in right]
    try:
        found = _search(terms, lambda _: True, -shift)
    except TooHard:
        return _listed(claim, claim.left, claim.right)
    return None if found is None else claim.common(tuple(found[:n]), tuple(-v for v in found[n:]))


def _covers(claim: Covers) -> str | None:
    """Walk through the strides from the smallest: what they reach has no gap up to the first jump.

    Where no stride is negative the number behind a jump is out of reach, so the walk is exact.
    """
    modes, bound = [(s, d) for s, d in _numbers(claim.layout) if s > 1 and d], static(claim.bound)
    below = sum((s - 1) * -d for s, d in modes if d < 0)
    # With the modes of negative stride turned around, [below, below + bound) has to be covered.
    reach = 0
    for d, s in sorted((abs(d), s) for s, d in modes):
        if d > reach + 1:
            break
        reach += (s - 1) * d
    if below + bound <= reach + 1 or bound < 1:
        return None
    if not below:
        return claim.missing(reach + 1)
    width = sum((s - 1) * abs(d) for s, d in modes) + 1
    if width > MAX_WIDTH:
        raise TooHard(f"offsets {width} apart are too many to list")
    reached = 1
    for s, d in modes:
        count, step = 1, abs(d)
        while count < s:  # double what the mode has reached so far
            more = min(count, s - count)
            reached |= reached << more * step
            count += more
    wanted = (1 << bound) - 1
    gaps = wanted & ~(reached >> below)
    return claim.missing((gaps & -gaps).bit_length() - 1) if gaps else None


def _same_image(claim: SameImage) -> str | None:
    """Compare the modes in the order of their strides, else the offsets one by one."""
    sides = []
    for layout in (claim.left, claim.right):
        modes = sorted((d, s) for s, d in _numbers(layout) if s > 1 and d)
        sides.append(coalesce(Layout(tuple(s for _, s in modes), tuple(d for d, _ in modes))))
    return None if sides[0] == sides[1] else _listed(claim, claim.left, claim.right)


def _agree(claim: Agree) -> str | None:
    size = static(claim.domain.size())
    try:
        left, right = (reduced(chain, claim.domain) for chain in (claim.left, claim.right))
    except NotAdmissible as error:
        if size <= MAX_ENUMERATED:
            return claim.brute()
        failure = _differs(claim, *claim.left, *claim.right, claim.domain)
        if failure:
            return failure
        raise TooHard(f"not a layout, and too large to enumerate: {error}") from None
    if static(left.size()) == static(right.size()):
        one, other = coalesce(left), coalesce(right)
        if one == other:
            return None
        failure = _differs(claim, one, other)
        if failure:
            return failure
    if size <= MAX_ENUMERATED:
        return claim.brute()
    raise TooHard(f"{left} and {right} differ, but where was not found")


def reduced(chain: tuple[Layout, ...], domain: Layout, given: Any = ()) -> Layout:
    """Return the one layout that a chain is on a domain.

    Errors: NotAdmissible or Undecided when a composition is none.
    """
    if not chain:
        return Layout(domain.size())
    result = chain[-1]
    for layout in reversed(chain[:-1]):
        result = composition(layout, result, given=given)
    return result


def _differs(claim: Agree, *layouts: Layout) -> str | None:
    """Return what goes wrong at an index where the layouts are likely to tell, or None."""
    return next((f for i in _telling(layouts) if (f := claim.differs(i))), None)


def _telling(layouts: Iterable[Layout]) -> list[int]:
    """Return indices at which different layouts are likely to differ: where their modes begin."""
    found = {0, 1}
    for layout in layouts:
        current = 1
        for s, _ in layout.modes():
            found |= {current, current * (static(s) - 1)}
            current *= static(s)
    return sorted({*found, *(a + b for a, b in pairwise(sorted(found)))})


def _plain(claim: PrintsAs | Table) -> str | None:
    return claim.brute()


def _vectorizable(claim: Vectorizable) -> str | None:
    """Decide where the swizzle moves elements inside vectors: by listing them."""
    return _listed(claim, *claim.layouts())


def _either(claim: Either) -> str | None:
    failures, hard = [], None
    for x in claim.claims:
        try:
            failures.append(decide(x))
        except TooHard as error:
            hard = error
        if None in failures:
            return None
    if hard is not None:
        raise hard
    return "; ".join(map(str, failures))


def _denied(claim: Denied) -> str | None:
    found: str = claim.claims[0].words()
    return found if decide(claim.claims[0]) is None else None


_DECIDE: dict[type, Callable[[Any], str | None]] = {
    Injective: _injective,
    InBounds: _in_bounds,
    SwizzledInBounds: swizzled.decide,
    SwizzledAgree: swizzled.agree,
    Holds: _holds,
    Disjoint: _disjoint,
    Apart: _apart,
    Covers: _covers,
    SameImage: _same_image,
    Agree: _agree,
    PrintsAs: _plain,
    Table: _plain,
    Requests: requests.decide,
    Vectorizable: _vectorizable,
    Either: _either,
    Denied: _denied,
}
