"""Witnesses against claims about layouts: coordinates in the dims, guessed from a few instances.

Two coordinates that share an offset may be taken apart in each mode: where both are above 0 there,
both may be moved down. So one of them is 0 in each mode, and what is sought is a vector of
differences between the extents whose offset is 0. An offset out of bounds is one of the extremes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import accumulate, islice, permutations, product
from operator import mul
from typing import TypeAlias

from symcute.expr.formula import Formula, any_of, eq, le, lt, ne
from symcute.expr.polynomial import ONE
from symcute.expr.ratio import Ratio
from symcute.prover.decision import Step
from symcute.prover.lemmas.modes import (
    ONE_LEAF,
    ZERO_LEAF,
    Guarded,
    Mode,
    Modes,
    meaning,
    text,
    whole,
)
from symcute.prover.lemmas.samples import Samples, Values

__all__ = ["differing", "witnesses"]

#: How many vectors are looked at, and how many steps are suggested.
LOOKED, SUGGESTED = 20_000, 6
#: A difference in a mode, its values, and what it adds to the offset, at each sample.
_Difference: TypeAlias = tuple[Ratio, Values, Values]


def witnesses(
    modes: Modes, bound: Ratio | None, guards: tuple[Guarded, ...], samples: Samples
) -> Iterator[Step]:
    """Yield steps against injectivity, or against a bound where there is one."""
    found = _apart(modes, samples) if bound is None else _outside(modes, bound, samples)
    for points in islice(found, SUGGESTED):
        admitted = [lt(_offset(guard.strides, crd), guard.bound)
                    for crd in points for guard in guards]  # fmt: skip
        offsets = [_offset(_strides(modes), crd) for crd in points]
        if bound is None:
            differ = any_of(*(ne(a, b) for a, b in zip(*points, strict=True)))
            wrong = [eq(*offsets), differ]
        else:
            wrong = [any_of(lt(offsets[0], 0), le(bound, offsets[0]))]
        yield _step([modes] * len(points), points, admitted, wrong)


def differing(left: Modes, right: Modes, samples: Samples) -> Iterator[Step]:
    """Yield steps against the equality of two layouts: an index where they differ.

    It is one step in a mode of the first, and some in one mode of the other.
    """
    for k, size in enumerate(_sizes(left)):
        at = [ONE_LEAF if j == k else ZERO_LEAF for j in range(len(left))]
        for n, other in enumerate(_sizes(right)):
            steps = size / other
            crd = [steps if j == n else ZERO_LEAF for j in range(len(right))]
            if steps.den != ONE:
                continue
            offsets = _offset(_strides(left), at), _offset(_strides(right), crd)
            if not samples.all(offsets[0] - offsets[1], 0):
                indices = eq(_offset(_sizes(left), at), _offset(_sizes(right), crd))
                yield _step([left, right], [at, crd], [], [indices, ne(*offsets)])


def _step(
    sides: list[Modes], points: list[list[Ratio]], admitted: list[Formula], wrong: list[Formula]
) -> Step:
    obligations = list(meaning(*(c for crd in points for c in crd)))
    count = len(admitted) // len(points)
    for n, (modes, crd) in enumerate(zip(sides, points, strict=True)):
        for c, mode in zip(crd, modes, strict=True):
            obligations += [le(0, c), le(c + 1, mode.s)]
        obligations += admitted[n * count : (n + 1) * count]
    hints = {key: list(map(text, crd)) for key, crd in zip(("at", "other"), points, strict=False)}
    return Step("witness", hints, (*obligations, *wrong))


def _strides(modes: Modes) -> list[Ratio]:
    return [mode.d for mode in modes]


def _sizes(modes: Modes) -> list[Ratio]:
    """Return how far one step in each mode moves the index."""
    return list(accumulate((mode.s for mode in modes[:-1]), mul, initial=ONE_LEAF))[: len(modes)]


def _offset(strides: Iterable[Ratio], crd: Iterable[Ratio]) -> Ratio:
    found = ZERO_LEAF
    for c, d in zip(crd, strides, strict=True):
        found = found + c * d
    return found


def _outside(modes: Modes, bound: Ratio, samples: Samples) -> Iterator[list[list[Ratio]]]:
    """Yield coordinates whose offset lies outside at all samples: ends of all modes."""
    bounds = samples.of(bound) or ()
    for ends in product(*([mode.s - 1, ZERO_LEAF] for mode in modes)):
        values = samples.of(_offset(_strides(modes), ends)) or ()
        if values and all(not 0 <= x < b for x, b in zip(values, bounds, strict=False)):
            yield [list(ends)]


def _apart(modes: Modes, samples: Samples) -> Iterator[list[list[Ratio]]]:
    """Yield pairs of coordinates that share an offset at all samples."""
    choices = [_differences(modes, mode, samples) for mode in modes]
    for chosen in islice(product(*choices), LOOKED):
        deltas, moved = (zip(*(x[k] for x in chosen), strict=True) for k in (1, 2))
        if all(map(any, deltas)) and not any(map(sum, moved)):
            yield [[_part(sign, *x[:2]) for x in chosen] for sign in (1, -1)]


def _differences(modes: Modes, mode: Mode, samples: Samples) -> list[_Difference]:
    """Return differences that fit into a mode at all samples, with their values and offsets."""
    found, tops, strides = [], samples.of(mode.s), samples.of(mode.d)
    for x in dict.fromkeys(_terms(modes, mode.s)):
        values = samples.of(x)
        if not (values and tops and strides):
            continue
        if all(0 <= v < s for v, s in zip(values, tops, strict=True)):
            for sign in (1, -1) if x.num else (1,):
                moved = tuple(sign * v * d for v, d in zip(values, strides, strict=True))
                found.append((sign * x, tuple(sign * v for v in values), moved))
    return found


def _part(sign: int, x: Ratio, values: Values) -> Ratio:
    """Return the coordinate of the first of two points, or of the second, in a mode."""
    return sign * x if any(sign * v > 0 for v in values) else ZERO_LEAF


def _terms(modes: Modes, extent: Ratio) -> Iterator[Ratio]:
    """Yield what a difference may be: small numbers, strides and their quotients, the end."""
    yield from (ZERO_LEAF, ONE_LEAF)
    strides = [sign * mode.d for mode in modes for sign in (1, -1)]
    yield from strides
    for a, b in permutations(strides, 2):
        if b.num:
            yield Ratio((a / b).num, ONE)
            yield from (whole(a / b), a - b * whole(a / b))
    for mode in modes:
        yield from (mode.s, mode.s - 1)
    yield from (whole(extent / 2), extent - 1)
