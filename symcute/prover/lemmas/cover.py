"""Cover: taken in the order of their strides, modes leave no gap.

With R = sum over earlier modes of (s_j - 1)*d_j, all of [0, R] is covered; a stride 0 <= d <= R+1
leads on to R + (s-1)*d. What no offset is, is missing: the layout lies apart from that number.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from math import prod

from symcute.expr.formula import le
from symcute.expr.ratio import Ratio
from symcute.prover.decision import Step
from symcute.prover.lemmas.apart import apart
from symcute.prover.lemmas.chain import MAX_ORDERS
from symcute.prover.lemmas.modes import ONE_LEAF, ZERO_LEAF, Mode, Modes, meaning, text
from symcute.prover.lemmas.samples import Samples

__all__ = ["covers", "missing"]

#: How many offsets are listed at an instance, and how many steps a missing number suggests.
MAX_LISTED, SUGGESTED = 4096, 4


def covers(modes: Modes, bound: Ratio, samples: Samples) -> Iterator[Step]:
    """Yield steps that reach every number of [0, bound)."""
    seen: list[tuple[int, ...]] = []
    for every in (True, False):
        for at in reversed(range(len(samples))):
            order = _walk(modes, bound, samples, at, every)
            if order is not None and order not in seen:
                seen.append(order)
                yield _step(modes, bound, order)
            if len(seen) == MAX_ORDERS:
                return


def _walk(
    modes: Modes, bound: Ratio, samples: Samples, at: int, every: bool
) -> tuple[int, ...] | None:
    """Return modes that cover [0, bound) at a sample, in the order of their strides.

    `every` takes all modes that leave no gap there, else as many as it takes.
    """
    columns = [(samples.of(s), samples.of(d)) for s, d in modes]
    goal = samples.of(bound)
    if goal is None or any(s is None or d is None for s, d in columns):
        return None
    order, reach = [], 0
    for d, s, k in sorted((d[at], s[at], k) for k, (s, d) in enumerate(columns) if s and d):
        if d <= 0 or (d > reach + 1 and s == 1):
            continue
        if d > reach + 1 or (reach + 1 >= goal[at] and not every):
            break
        order.append(k)
        reach += (s - 1) * d
    return tuple(order) if reach + 1 >= goal[at] else None


def _step(modes: Modes, bound: Ratio, order: tuple[int, ...]) -> Step:
    reach, obligations = ZERO_LEAF, []
    for k in order:
        obligations += [le(0, modes[k].d), le(modes[k].d, reach + 1)]
        reach = reach + modes[k].reach
    return Step("cover", {"order": list(order)}, (*obligations, le(bound, reach + 1)))


def missing(modes: Modes, bound: Ratio, samples: Samples) -> Iterator[Step]:
    """Yield steps that leave a number of [0, bound) without a coordinate."""
    alone = (Mode(ONE_LEAF, ZERO_LEAF),)
    found = (x for x in dict.fromkeys(_numbers(modes, bound)) if _lacks(modes, bound, x, samples))
    for at in islice(found, SUGGESTED):
        obligations = (*meaning(at), le(0, at), le(at + 1, bound))
        for rest in islice(apart(modes, alone, at, samples), SUGGESTED):
            yield Step("missing", {"at": [text(at)]}, obligations, {"rest": rest})


def _numbers(modes: Modes, bound: Ratio) -> Iterator[Ratio]:
    """Yield numbers that may be missing: the last, those beside a stride, behind the reach."""
    yield from (bound - 1, ONE_LEAF, ZERO_LEAF, sum((m.reach for m in modes), start=ONE_LEAF))
    for s, d in modes:
        yield from (d - 1, d + 1, s * d, s, (s - 1) * d + 1)


def _lacks(modes: Modes, bound: Ratio, x: Ratio, samples: Samples) -> bool:
    """Return whether a number below the bound is no offset at the samples that are small."""
    values, ends = samples.of(x), samples.of(bound)
    columns = [(samples.of(s), samples.of(d)) for s, d in modes]
    if not values or not ends or any(s is None or d is None for s, d in columns):
        return False
    for k, (value, end) in enumerate(zip(values, ends, strict=True)):
        pairs = [(s[k], d[k]) for s, d in columns if s and d]
        small = prod(s for s, _ in pairs) <= MAX_LISTED
        if not 0 <= value < end or (small and value in _offsets(pairs)):
            return False
    return True


def _offsets(modes: Iterable[tuple[int, int]]) -> set[int]:
    """Return the offsets of a layout of numbers."""
    found = {0}
    for s, d in modes:
        found = {y + c * d for y in found for c in range(s)}
    return found
