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

from symcute.algebra import coalesce, composition
from symcute.claims import Agree, Claim, Disjoint, Holds, InBounds, Injective, PrintsAs, Table
from symcute.claims.base import MAX_ENUMERATED, static
from symcute.errors import NotAdmissible
from symcute.layout import Layout

__all__ = ["TooHard", "decide", "reduced", "smallest_zero"]

#: How many nodes a search may visit, and how many offsets may be listed where it fails.
MAX_NODES, MAX_LISTED = 50_000, 1 << 16


class TooHard(Exception):
    """The exact search was given up; the reason is the message."""


def decide(claim: Claim) -> str | None:
    """Return what goes wrong, or None when the static claim is true.

    Errors: TooHard when the search is given up.
    """
    for kind, function in _DECIDE.items():
        if isinstance(claim, kind):
            return function(claim)
    raise TooHard(f"no exact decision for {claim.text()}")


def _injective(claim: Injective) -> str | None:
    modes = claim.layout.modes()
    found = smallest_zero([(static(s), static(d)) for s, d in modes])
    if found is None:
        return None
    deltas = {f"delta!{k}": x for k, x in enumerate(found)}
    failure = claim.fails_at(deltas)
    if failure is None:
        raise RuntimeError(f"{found} is no clash in {claim.layout}")
    return failure


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
    if _chain_of(modes):
        return None
    return _search([(1 - s, s - 1, d) for s, d in modes], any)


def _chain_of(modes: list[tuple[int, int]]) -> bool:
    """Return whether each stride exceeds the reach of the smaller ones (lemma "chain")."""
    reach = 0
    for d, s in sorted((abs(d), s) for s, d in modes if s > 1):
        if d <= reach:
            return False
        reach += (s - 1) * d
    return True


def _search(
    terms: list[tuple[int, int, int]], accept: Callable[[list[int]], bool]
) -> list[int] | None:
    """Return x with low_k <= x_k <= high_k and sum x_k * d_k == 0 that is accepted, or None.

    `terms` are (low, high, d) with low <= 0 <= high; x_k is 0 where d is 0. Depth first, largest
    |d| first, pruned by what the rest can reach and by the gcd of the rest.
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
    nodes = 0

    def visit(i: int, rest: int) -> bool:
        nonlocal nodes
        nodes += 1
        if nodes > MAX_NODES:
            raise TooHard(f"the exact search was given up after {MAX_NODES} nodes")
        if i == n:
            return rest == 0 and accept(x)
        low, high, d = parts[i]
        for value in _candidates(rest, d, (low, high), (-most[i + 1], -least[i + 1]), step[i + 1]):
            x[order[i]] = value
            if visit(i + 1, rest + d * value):
                return True
        x[order[i]] = 0
        return False

    return x if visit(0, 0) else None


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
    modes = [(static(s), static(d)) for s, d in claim.layout.modes()]
    lowest = claim.outside(tuple(s - 1 if d < 0 else 0 for s, d in modes))
    return lowest or claim.outside(tuple(s - 1 if d > 0 else 0 for s, d in modes))


def _holds(claim: Holds) -> str | None:
    return claim.brute()


def _disjoint(claim: Disjoint) -> str | None:
    left = [(static(s), static(d)) for s, d in claim.left.modes()]
    right = [(static(s), static(d)) for s, d in claim.right.modes()]
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


_DECIDE: dict[type, Callable[[Any], str | None]] = {
    Injective: _injective,
    InBounds: _in_bounds,
    Holds: _holds,
    Disjoint: _disjoint,
    Agree: _agree,
    PrintsAs: _plain,
    Table: _plain,
}
