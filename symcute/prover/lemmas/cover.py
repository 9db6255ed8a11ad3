"""Cover: taken in the order of their strides, modes leave no gap.

With R = sum over earlier modes of (s_j - 1)*d_j, all of [0, R] is covered; a stride 0 <= d <= R+1
leads on to R + (s-1)*d.
"""

from __future__ import annotations

from collections.abc import Iterator

from symcute.expr.formula import le
from symcute.expr.polynomial import Ratio
from symcute.prover.decision import Step
from symcute.prover.lemmas.chain import MAX_ORDERS
from symcute.prover.lemmas.modes import ZERO_LEAF, Modes
from symcute.prover.lemmas.samples import Samples

__all__ = ["covers"]


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
