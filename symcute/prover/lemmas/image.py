"""Same image: an offset is a sum over the modes, in whatever order they are taken.

With the modes of both layouts in the order of their strides at an instance, and without those that
add nothing, the same image is proved as the same map.
"""

from __future__ import annotations

from collections.abc import Iterator

from symcute.expr.formula import eq
from symcute.expr.ratio import Ratio
from symcute.prover.decision import Step
from symcute.prover.lemmas.agree import agree
from symcute.prover.lemmas.modes import ONE_LEAF, ZERO_LEAF, Mode, Modes
from symcute.prover.lemmas.samples import Samples

__all__ = ["same_image"]

#: How many orders are tried.
MAX_ORDERS = 4


def same_image(left: Modes, right: Modes, samples: Samples) -> Iterator[Step]:
    """Yield steps by which two layouts have the same offsets."""
    seen: list[tuple[list[int], list[int]]] = []
    for at in reversed(range(max(len(samples), 1))):
        orders = (_order(left, samples, at), _order(right, samples, at))
        if orders in seen:
            continue
        seen.append(orders)
        yield from _steps(left, right, orders, samples)
        if len(seen) == MAX_ORDERS:
            return


def _order(modes: Modes, samples: Samples, at: int) -> list[int]:
    """Return the modes that move, by their strides and then their extents at a sample."""

    def value(leaf: Ratio) -> int:
        found = samples.of(leaf)
        return found[at] if found else 0

    moving = [k for k, mode in enumerate(modes) if not samples.surely(mode.reach)]
    return sorted(moving, key=lambda k: (value(modes[k].d), value(modes[k].s)))


def _steps(
    left: Modes, right: Modes, orders: tuple[list[int], list[int]], samples: Samples
) -> Iterator[Step]:
    obligations = []
    kept = []
    for modes, order in zip((left, right), orders, strict=True):
        obligations += [eq(ZERO_LEAF, m.reach) for k, m in enumerate(modes) if k not in order]
        kept.append(tuple(modes[k] for k in order) or (Mode(ONE_LEAF, ZERO_LEAF),))
    sizes = [ONE_LEAF, ONE_LEAF]
    for side, modes in enumerate(kept):
        for mode in modes:
            sizes[side] = sizes[side] * mode.s
    obligations.append(eq(*sizes))
    hints = {"left": orders[0], "right": orders[1]}
    for step in agree((kept[0],), (kept[1],), kept[0], samples):
        yield Step("reorder", hints, tuple(obligations), {"rest": step})
