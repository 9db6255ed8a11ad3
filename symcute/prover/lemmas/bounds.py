"""Bounds: the largest offset is the sum of (s-1)*d over the positive strides.

The smallest is that over the negative ones; both are attained. Under a guard that is the offset
itself, the guard is the bound.
"""

from __future__ import annotations

from collections.abc import Iterator

from symcute.expr.formula import Formula, eq, le
from symcute.expr.ratio import Ratio
from symcute.prover.decision import Step
from symcute.prover.lemmas.chain import signs_of
from symcute.prover.lemmas.guard import merges
from symcute.prover.lemmas.modes import ZERO_LEAF, Guarded, Modes
from symcute.prover.lemmas.samples import Samples

__all__ = ["extremes", "in_bounds", "signed"]


def in_bounds(
    modes: Modes,
    bound: Ratio,
    guards: tuple[Guarded, ...],
    samples: Samples,
    start: Ratio = ZERO_LEAF,
) -> Iterator[Step]:
    """Yield steps that put every offset, counted from `start`, into [0, bound)."""
    signs = signs_of(modes, samples)
    if signs is not None:
        low, high = (start + x for x in extremes(modes, signs))
        if samples.least(low) >= 0 and samples.least(bound - high - 1) >= 0:
            inside = (le(0, low), le(high + 1, bound))
            obligations = (*signed(modes, signs), *inside)
            yield Step("bounds", {"signs": list(signs)}, obligations)
    for k, guard in enumerate(guards):
        alike = [(s - 1) * (d - g) for (s, d), g in zip(modes, guard.strides, strict=True)]
        if all(samples.all(x, 0) for x in alike):
            obligations = (
                *(eq(x, 0) for x in alike),
                *(le(0, mode.reach) for mode in modes),
                le(0, start),
                le(start + guard.bound, bound),
            )
            yield Step("given bound", {"guard": k}, obligations)
    for merged in merges(modes, guards, samples):
        for rest in in_bounds(merged.modes, bound, merged.guards, samples, start):
            yield merged.step(rest)


def extremes(modes: Modes, signs: tuple[int, ...]) -> tuple[Ratio, Ratio]:
    """Return the smallest and the largest offset of modes whose strides have these signs."""
    low, high = ZERO_LEAF, ZERO_LEAF
    for mode, sign in zip(modes, signs, strict=True):
        if sign > 0:
            high = high + mode.reach
        else:
            low = low + mode.reach
    return low, high


def signed(modes: Modes, signs: tuple[int, ...]) -> Iterator[Formula]:
    """Yield that each stride has its sign, where the extent exceeds 1."""
    for mode, sign in zip(modes, signs, strict=True):
        yield le(0, mode.reach if sign > 0 else -mode.reach)
