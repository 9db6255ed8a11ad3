"""Swizzled layouts: exact decisions, and the lemma for all sizes of an interval."""

from __future__ import annotations

from collections.abc import Iterator

from symcute.claims import SwizzledAgree, SwizzledInBounds
from symcute.claims.base import MAX_ENUMERATED, static
from symcute.errors import NotAdmissible
from symcute.expr.formula import divides, le
from symcute.expr.htuple import Leaf
from symcute.expr.lowering import lower
from symcute.expr.ratio import Ratio
from symcute.layout.f2 import to_f2
from symcute.layout.layout import Layout
from symcute.layout.swizzle import ComposedLayout, Swizzle
from symcute.prover.box import TooHard
from symcute.prover.decision import Step
from symcute.prover.lemmas.bounds import in_bounds
from symcute.prover.lemmas.modes import guards_of, meaning, modes_of, text
from symcute.prover.lemmas.samples import Samples

__all__ = ["agree", "decide", "steps"]


def decide(claim: SwizzledInBounds) -> str | None:
    """Return what goes wrong, or None when the static claim is true.

    No offset leaves its block, so the extremes before the swizzle decide unless the bound is inside
    the block of the largest one.
    Errors: TooHard when the block counts and neither enumeration nor bits decide.
    """
    swizzle, layout = claim.layout.swizzle, claim.layout.layout
    offset, bound = static(claim.layout.offset), static(claim.bound)
    modes = [(static(s), static(d)) for s, d in layout.modes()]
    lowest = tuple(s - 1 if d < 0 else 0 for s, d in modes)
    highest = tuple(s - 1 if d > 0 else 0 for s, d in modes)
    low, high = (
        offset + sum(x * d for x, (_, d) in zip(ends, modes, strict=True))
        for ends in (lowest, highest)
    )
    if low >= 0 and (high // swizzle.period + 1) * swizzle.period <= bound:
        return None
    failure = claim.outside(lowest) or claim.outside(highest)
    if failure is not None:
        return failure
    if static(layout.size()) <= MAX_ENUMERATED:
        return claim.brute()
    if claim.where:
        raise TooHard(f"the guards of {layout} admit too many coordinates to list")
    return claim.outside(_highest(claim))


def _highest(claim: SwizzledInBounds) -> tuple[int, ...]:
    """Return the coordinate of the largest offset, by elimination over F2. Errors: TooHard."""
    swizzle, offset = claim.layout.swizzle, static(claim.layout.offset)
    try:
        bits = to_f2(claim.layout.layout)
        used = sum(bits.columns)  # no two of them share a bit
        if offset < 0 or offset & used:
            raise TooHard(f"the offset {offset} carries into {claim.layout.layout}")
        matrix = to_f2(type(claim.layout)(swizzle, 0, claim.layout.layout))
    except NotAdmissible as error:
        raise TooHard(f"too large to enumerate, and {error}") from None
    _, index = matrix.largest(swizzle(offset))
    found = []
    for s, _ in claim.layout.modes():
        index, digit = divmod(index, static(s))
        found.append(digit)
    return tuple(found)


def agree(claim: SwizzledAgree) -> str | None:
    """Return where two swizzled layouts differ, or None when the static claim is true.

    Where no addition carries both are exclusive ors over the bits of the index, and agree where
    they do at 0 and at each bit.
    Errors: TooHard for a large domain where one does carry.
    """
    size = static(claim.left.size())
    one, other = (_affine(x) for x in (claim.left, claim.right))
    if one is None or other is None or len(one) > len(other):
        if size > MAX_ENUMERATED:
            raise TooHard(f"too large to enumerate, and additions carry in {claim.text()}")
        return claim.brute()
    return next((f for k in range(len(one)) if (f := claim.differs(1 << k >> 1))), None)


def _affine(layout: Layout | ComposedLayout) -> tuple[int, ...] | None:
    """Return the offset at 0 and the change that each bit of the index makes; None for carries."""
    if isinstance(layout, Layout):
        layout = ComposedLayout(Swizzle(0, 0, 0), 0, layout)
    swizzle, offset = layout.swizzle, static(layout.offset)
    try:
        columns = to_f2(layout.layout).columns
    except NotAdmissible:
        return None
    if offset < 0 or offset & sum(columns):  # no two of them share a bit
        return None
    return swizzle(offset), *map(swizzle, columns)


def steps(claim: SwizzledInBounds, samples: Samples) -> Iterator[Step]:
    """Yield steps that put the offsets before the swizzle below a multiple of the period.

    The swizzle permutes [0, q) for each multiple q >= 0 of its period: what is inside stays inside.
    """
    layout, period = claim.layout.layout, claim.layout.swizzle.period
    offset, bound = lower(claim.layout.offset), lower(claim.bound)
    modes, guards = modes_of(layout), guards_of(claim.where)
    for q, multiple in _multiples(claim.bound, period, samples):
        obligations = (*meaning(q), divides(period, multiple), le(q, bound))
        for rest in in_bounds(modes, q, guards, samples, offset):
            yield Step("swizzle", {"bound": text(q)}, obligations, {"rest": rest})


def _multiples(leaf: Leaf, period: int, samples: Samples) -> Iterator[tuple[Ratio, Leaf | Ratio]]:
    """Yield the bound, and what is below it by its remainder where that is always the same.

    Each twice: lowered, and as it is stated, since an assumption may state that it is a multiple.
    """
    bound = lower(leaf)
    yield bound, leaf
    rests = {x % period for x in samples.of(bound) or ()}
    if len(rests) == 1 and rests != {0}:
        below = bound - rests.pop()
        yield below, below
