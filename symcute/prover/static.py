"""Exact decisions about static layouts, without enumerating their domain.

Every function takes a primitive claim whose leaves are ints and returns what goes wrong (a text,
re-evaluated in plain integers), `None` when the claim is true, or raises `TooHard`.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from math import gcd
from typing import Any

from symcute.algebra import coalesce, composition
from symcute.claims import Agree, Claim, Disjoint, Holds, InBounds, Injective, PrintsAs, Table
from symcute.claims.base import MAX_ENUMERATED, static
from symcute.errors import NotAdmissible
from symcute.layout import Layout

__all__ = ["TooHard", "decide", "reduced", "smallest_zero"]

#: How many nodes a search may visit.
MAX_NODES = 200_000


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


def smallest_zero(
    modes: list[tuple[int, int]], wanted: Callable[[list[int]], bool] | None = None
) -> list[int] | None:
    """Return x != 0 with |x_k| < s_k and sum x_k * d_k == 0, or None when there is none.

    `wanted` restricts which non-zero x count. Errors: TooHard.

    >>> smallest_zero([(2, 1), (3, 1)])
    [1, -1]
    >>> smallest_zero([(1 << 20, 1), (1 << 20, 1 << 20)]) is None
    True
    """
    accept = wanted or any
    for k, (s, d) in enumerate(modes):
        if d == 0 and s > 1:
            unit = [int(j == k) for j in range(len(modes))]
            if accept(unit):
                return unit
    order = sorted(
        (k for k, (s, d) in enumerate(modes) if s > 1 and d != 0), key=lambda k: -abs(modes[k][1])
    )
    if wanted is None and _chain([(modes[k][0], abs(modes[k][1])) for k in reversed(order)]):
        return None
    return _search(modes, order, accept)


def _chain(ascending: list[tuple[int, int]]) -> bool:
    """Return whether each stride exceeds the reach of the smaller ones (lemma "chain")."""
    reach = 0
    for s, d in ascending:
        if d <= reach:
            return False
        reach += (s - 1) * d
    return True


def _search(
    modes: list[tuple[int, int]], order: list[int], accept: Callable[[list[int]], bool]
) -> list[int] | None:
    """Depth first over differences, largest stride first, pruned by reach and gcd of the rest."""
    n = len(order)
    sizes = [modes[k][0] - 1 for k in order]
    strides = [modes[k][1] for k in order]
    reach = [sum(sizes[j] * abs(strides[j]) for j in range(i, n)) for i in range(n + 1)]
    step = [gcd(*strides[i:]) if i < n else 0 for i in range(n + 1)]
    x = [0] * n
    nodes = 0

    def spread() -> list[int]:
        result = [0] * len(modes)
        for i, k in enumerate(order):
            result[k] = x[i]
        return result

    def visit(i: int, rest: int) -> list[int] | None:
        nonlocal nodes
        nodes += 1
        if nodes > MAX_NODES:
            raise TooHard(f"the exact search was given up after {MAX_NODES} nodes")
        if i == n:
            here = spread()
            return here if rest == 0 and any(here) and accept(here) else None
        for value in _candidates(rest, strides[i], sizes[i], reach[i + 1], step[i + 1]):
            x[i] = value
            found = visit(i + 1, rest + strides[i] * value)
            if found is not None:
                return found
        x[i] = 0
        return None

    return visit(0, 0)


def _candidates(rest: int, d: int, width: int, bound: int, step: int) -> list[int]:
    """Return v, smallest first, with |v| <= width, |rest + d*v| <= bound and step | rest + d*v.

    The modes still to come reach at most `bound`, in multiples of `step` (0: none are to come).
    """
    if d < 0:
        return [-v for v in _candidates(rest, -d, width, bound, step)]
    first, last = max(-width, -((bound + rest) // d)), min(width, (bound - rest) // d)
    stride = 1
    if step:
        common = gcd(d, step)
        if rest % common:
            return []
        stride = step // common
        start = -rest // common * pow(d // common, -1, stride) % stride if stride > 1 else 0
        first += (start - first) % stride
    if (last - first) // stride > MAX_NODES:
        raise TooHard(f"the exact search would look at {(last - first) // stride} values")
    return sorted(range(first, last + 1, stride), key=abs)


def _in_bounds(claim: InBounds) -> str | None:
    modes = [(static(s), static(d)) for s, d in claim.layout.modes()]
    lowest = claim.outside(tuple(s - 1 if d < 0 else 0 for s, d in modes))
    return lowest or claim.outside(tuple(s - 1 if d > 0 else 0 for s, d in modes))


def _holds(claim: Holds) -> str | None:
    return claim.brute()


def _disjoint(claim: Disjoint) -> str | None:
    left = [(static(s), static(d)) for s, d in claim.left.modes()]
    right = [(static(s), static(d)) for s, d in claim.right.modes()]
    n = len(left)
    if _chain_of([*left, *right]):
        return None
    if max(static(claim.left.size()), static(claim.right.size())) <= MAX_ENUMERATED:
        return claim.brute()
    # Coordinates, not differences: the left ones count up, the right ones down.
    extents = [s for s, _ in (*left, *right)]

    def common(x: list[int]) -> bool:
        return (
            all(0 <= v < s for v, s in zip(x[:n], extents[:n], strict=True))
            and any(v * d for v, (_, d) in zip(x[:n], left, strict=True))
            and all(-s < v <= 0 for v, s in zip(x[n:], extents[n:], strict=True))
        )

    found = smallest_zero([*left, *right], common)
    if found is None:
        return None
    model = {f"x!{k}": v for k, v in enumerate(found[:n])}
    model |= {f"y!{k}": -v for k, v in enumerate(found[n:])}
    return claim.fails_at(model)


def _chain_of(modes: list[tuple[int, int]]) -> bool:
    return _chain(sorted(((s, abs(d)) for s, d in modes if s > 1), key=lambda m: m[1]))


def _agree(claim: Agree) -> str | None:
    size = static(claim.domain.size())
    try:
        left, right = (reduced(chain, claim.domain) for chain in (claim.left, claim.right))
    except NotAdmissible as error:
        if size <= MAX_ENUMERATED:
            return claim.brute()
        raise TooHard(f"not a layout, and too large to enumerate: {error}") from None
    if static(left.size()) == static(right.size()):
        one, other = coalesce(left), coalesce(right)
        if one == other:
            return None
        for index in _telling(one, other):
            failure = claim.differs(index)
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


def _telling(one: Layout, other: Layout) -> list[int]:
    """Return indices at which two different coalesced layouts of one size are likely to differ."""
    found = {0, 1}
    for layout in (one, other):
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
