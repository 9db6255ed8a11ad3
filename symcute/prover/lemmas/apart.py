"""Images that do not meet, or only in 0.

together    A and B together are injective, so a common offset belongs to coordinate 0 of both.
beyond      one image ends before the other begins.
offset mod  modulo g the residues of A stay below those of B.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from symcute.expr.formula import divides, eq, le
from symcute.expr.polynomial import ONE, quotient
from symcute.expr.ratio import Ratio
from symcute.prover.decision import Step
from symcute.prover.lemmas.bounds import extremes, signed
from symcute.prover.lemmas.chain import signs_of
from symcute.prover.lemmas.factors import moduli
from symcute.prover.lemmas.injective import MAX_REST, injective
from symcute.prover.lemmas.modes import ZERO_LEAF, Modes, meaning, text
from symcute.prover.lemmas.samples import Samples, number

__all__ = ["apart", "disjoint"]


def disjoint(left: Modes, right: Modes, samples: Samples) -> Iterator[Step]:
    """Yield steps that leave the images no offset but 0 in common."""
    every = (*left, *right)
    # A stride of 0 contributes no offset, whatever the coordinate.
    still = [k for k, mode in enumerate(every) if samples.surely(mode.reach)]
    moving = [k for k in range(len(every)) if k not in still]
    obligations = tuple(eq(ZERO_LEAF, every[k].reach) for k in still)
    rest = tuple(every[k] for k in moving)
    for step in islice(injective(rest, (), samples), 2 * MAX_REST):
        yield Step("together", {"modes": still}, obligations, {"rest": step})


def apart(left: Modes, right: Modes, shift: Ratio, samples: Samples) -> Iterator[Step]:
    """Yield steps that leave the left image and the shifted right one no offset in common."""
    yield from _beyond(left, right, shift, samples)
    yield from _offset_mod(left, right, shift, samples)


def _beyond(left: Modes, right: Modes, shift: Ratio, samples: Samples) -> Iterator[Step]:
    every = (*left, *right)
    signs = signs_of(every, samples)
    if signs is None:
        return
    n = len(left)
    low, high = extremes(left, signs[:n])
    start, end = (x + shift for x in extremes(right, signs[n:]))
    for below, (first, second) in enumerate(((high, start), (end, low))):
        if samples.least(second - first - 1) >= 0:
            obligations = (*signed(every, signs), le(first + 1, second))
            yield Step("beyond", {"below": below, "signs": list(signs)}, obligations)


def _offset_mod(left: Modes, right: Modes, shift: Ratio, samples: Samples) -> Iterator[Step]:
    every = (*left, *right)
    for modulus in moduli(every, samples):
        divisors = samples.of(modulus)
        if not divisors or min(divisors) < 1:
            continue
        rho = _residue(shift, modulus, samples)
        residues = [_residue(mode.d, modulus, samples) for mode in every]
        found = [r for r in residues if r is not None]
        if rho is None or len(found) < len(every):
            continue
        reaches = [(mode.s - 1) * r for mode, r in zip(every, found, strict=True)]
        one = sum(reaches[: len(left)], start=ZERO_LEAF)
        other = rho + sum(reaches[len(left) :], start=ZERO_LEAF)
        if samples.least(rho - one - 1) < 0 or samples.least(modulus - 1 - other) < 0:
            continue
        obligations = [
            *meaning(modulus, rho, *found),
            le(1, modulus),
            divides(modulus, shift - rho),
        ]
        for mode, r, reach in zip(every, found, reaches, strict=True):
            obligations += [divides(modulus, mode.d - r), le(0, reach)]
        obligations += [le(one + 1, rho), le(other, modulus - 1)]
        hints = {
            "modulus": text(modulus),
            "rho": text(rho),
            "residues": [text(r) for r in found],
        }
        yield Step("offset mod", hints, tuple(obligations))


def _residue(leaf: Ratio, modulus: Ratio, samples: Samples) -> Ratio | None:
    """Return r with 0 <= r < modulus and modulus | leaf - r at all samples, if one is in sight."""
    values, divisors = samples.of(leaf), samples.of(modulus)
    if not values or not divisors:
        return None
    candidates = [ZERO_LEAF]
    if number(modulus) is not None:
        candidates = [ZERO_LEAF + values[0] % divisors[0]]
    elif leaf.den == ONE == modulus.den and modulus.num[max(modulus.num)] > 0:
        r = Ratio(quotient(leaf.num, modulus.num)[1], ONE)
        candidates = [ZERO_LEAF, r, r + modulus]
    for r in candidates:
        rests = samples.of(r)
        if rests and all(
            0 <= y < g and (x - y) % g == 0 for x, y, g in zip(values, rests, divisors, strict=True)
        ):
            return r
    return None
