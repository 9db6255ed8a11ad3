"""Guards: tile and rest under `t + T*b < M` behave as the one mode (M, d).

A kernel launches ceil_div(M, T) tiles of T and masks the tail; what the mask lets through are the
coordinates 0 .. M-1 of the mode that was cut into tiles.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from symcute.expr.formula import Formula, eq
from symcute.expr.ratio import Ratio
from symcute.prover.decision import Step
from symcute.prover.lemmas.modes import ZERO_LEAF, Guarded, Mode, Modes
from symcute.prover.lemmas.samples import Samples

__all__ = ["Merged", "merges"]


class Merged(NamedTuple):
    """Modes in which those of a guard are one, and the guards that are left."""

    guard: int
    joined: tuple[int, ...]
    modes: Modes
    guards: tuple[Guarded, ...]
    obligations: tuple[Formula, ...]

    def step(self, rest: Step) -> Step:
        """Return the step whose claim about the merged modes `rest` proves."""
        hints = {"guard": self.guard, "modes": list(self.joined)}
        return Step("merge", hints, self.obligations, {"rest": rest})


def merges(modes: Modes, guards: tuple[Guarded, ...], samples: Samples) -> Iterator[Merged]:
    """Yield, for each guard, the modes it speaks of as one."""
    for k, guard in enumerate(guards):
        joined = _joined(modes, guard, samples)
        if joined is None:
            continue
        others = (*guards[:k], *guards[k + 1 :])
        merged = _merged(modes, k, guard, joined, others)
        if all(samples.all(f.args[0] - f.args[1], 0) for f in merged.obligations):
            yield merged


def _joined(modes: Modes, guard: Guarded, samples: Samples) -> tuple[int, ...] | None:
    """Return the modes that the guard counts through, from the innermost: strides 1, T, T*T1."""
    left = [k for k, g in enumerate(guard.strides) if not samples.all((modes[k].s - 1) * g, 0)]
    found: list[int] = []
    step = ZERO_LEAF + 1
    while left:
        k = next((k for k in left if samples.all(guard.strides[k] - step, 0)), None)
        if k is None:
            return None
        found.append(k)
        left.remove(k)
        step = step * modes[k].s
    return tuple(found) if len(found) > 1 else None


def _merged(
    modes: Modes, k: int, guard: Guarded, joined: tuple[int, ...], others: tuple[Guarded, ...]
) -> Merged:
    first, *rest = joined
    obligations = [eq(guard.strides[first], 1)]
    steps: dict[int, Ratio] = {}
    step = modes[first].s
    for b in rest:
        steps[b] = step
        obligations += [eq(modes[b].d, step * modes[first].d), eq(guard.strides[b], step)]
        step = step * modes[b].s
    for j, mode in enumerate(modes):
        if j not in joined:
            obligations.append(eq(ZERO_LEAF, (mode.s - 1) * guard.strides[j]))
    for other in others:
        for b in rest:
            obligations.append(eq(other.strides[b], steps[b] * other.strides[first]))
    kept = [j for j in range(len(modes)) if j not in rest]
    whole = Mode(guard.bound, modes[first].d)
    return Merged(
        k,
        joined,
        tuple(whole if j == first else modes[j] for j in kept),
        tuple(Guarded(tuple(g.strides[j] for j in kept), g.bound) for g in others),
        tuple(obligations),
    )
