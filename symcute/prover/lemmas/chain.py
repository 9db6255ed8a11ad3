"""Chain: each stride outweighs what the earlier modes can make up for.

In some order of the modes, with R = sum over earlier modes of (s_j - 1)*|d_j|, each mode has
(s_k - 1)*(|d_k| - 1 - R) >= 0. Then the layout is injective: at the last mode where two coordinates
differ, the difference exceeds what the earlier ones reach. Signs are removed by the reflection
x -> s-1-x. The order is that of the strides at some instance.
"""

from __future__ import annotations

from collections.abc import Iterator

from symcute.expr.formula import le
from symcute.prover.decision import Step
from symcute.prover.lemmas.modes import ZERO_LEAF, Modes
from symcute.prover.lemmas.samples import Samples, Values

__all__ = ["chain", "chains", "orders", "signs_of"]

#: How many orders of the modes are tried.
MAX_ORDERS = 4


def chains(modes: Modes, samples: Samples) -> Iterator[Step]:
    """Yield the chains that hold at every sample.

    Lemma: injective.
    """
    signs = signs_of(modes, samples)
    if signs is not None:
        for order in orders(modes, samples):
            yield chain(modes, order, signs)


def chain(modes: Modes, order: tuple[int, ...], signs: tuple[int, ...]) -> Step:
    """Return the step that takes the modes in this order."""
    reach, obligations = ZERO_LEAF, []
    for k in order:
        s, d = modes[k]
        d = d if signs[k] > 0 else -d
        obligations.append(le(0, (s - 1) * (d - 1 - reach)))
        reach = reach + (s - 1) * d
    return Step("chain", {"order": list(order), "signs": list(signs)}, tuple(obligations))


def signs_of(modes: Modes, samples: Samples) -> tuple[int, ...] | None:
    """Return the sign of each stride, or None when one changes where the extent exceeds 1."""
    found = []
    for s, d in modes:
        extents, strides = samples.of(s), samples.of(d)
        if extents is None or strides is None:
            return None
        signs = {x > 0 for x, t in zip(strides, extents, strict=True) if x and t > 1}
        if len(signs) > 1:
            return None
        found.append(-1 if signs == {False} else 1)
    return tuple(found)


def orders(modes: Modes, samples: Samples) -> list[tuple[int, ...]]:
    """Return the orders by stride that samples show and in which a chain holds at all of them."""
    columns = [(samples.of(s), samples.of(d)) for s, d in modes]
    if any(s is None or d is None for s, d in columns):
        return []
    values = [(s, d) for s, d in columns if s is not None and d is not None]
    found: list[tuple[int, ...]] = []
    # The last samples are the largest: there strides show their order.
    for at in reversed(range(len(samples))):
        keys = [(abs(d[at]), s[at] > 1, k) for k, (s, d) in enumerate(values)]
        order = tuple(sorted(range(len(modes)), key=keys.__getitem__))
        if order not in found:
            found.append(order)
    if not len(samples):
        found = [tuple(range(len(modes)))]
    return [order for order in found if _holds(values, order, len(samples))][:MAX_ORDERS]


def _holds(values: list[tuple[Values, Values]], order: tuple[int, ...], count: int) -> bool:
    """Return whether the modes form a chain at every sample."""
    for at in range(count):
        reach = 0
        for k in order:
            s, d = values[k][0][at], abs(values[k][1][at])
            if s > 1 and d <= reach:
                return False
            reach += (s - 1) * d
    return True
