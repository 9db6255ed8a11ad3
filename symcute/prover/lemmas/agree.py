"""Agreement of two chains of layouts: each side as flat modes over the domain, then mode by mode.

A side starts as its first layout (or as the identity) and takes on the others by "no carry": where
every stride of the inner layout is a sum of digits times the radices of the outer one, and no
digit position overflows, the outer layout is additive on what it gets. Modes that cross a radix are
split there first. Both sides are coalesced and split to common extents in the end.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice, product
from typing import Any, NamedTuple

from symcute.expr.formula import Formula, eq, le
from symcute.expr.polynomial import ONE, quotient
from symcute.expr.ratio import Ratio
from symcute.prover.decision import Step
from symcute.prover.lemmas.modes import ONE_LEAF, ZERO_LEAF, Mode, Modes, meaning, text, whole
from symcute.prover.lemmas.rewriting import Rewriting
from symcute.prover.lemmas.samples import Samples, number

__all__ = ["agree"]

#: How many ways of taking on the layouts of one side are tried.
MAX_SIDES = 4


class Side(NamedTuple):
    """A chain as flat modes over the domain, with the steps that led there."""

    modes: Modes
    steps: tuple[Any, ...]
    asked: tuple[Formula, ...]
    obligations: tuple[Formula, ...]


def agree(
    left: tuple[Modes, ...], right: tuple[Modes, ...], domain: Modes, samples: Samples
) -> Iterator[Step]:
    """Yield steps by which the chains agree on the indices of the domain."""
    size = _size(domain)
    sides = [list(islice(_sides(chain, size, samples), MAX_SIDES)) for chain in (left, right)]
    for one, other in product(*sides):
        found = _matched(one, other, samples)
        if found is not None:
            yield found


def _size(modes: Modes) -> Ratio:
    size = ONE_LEAF
    for mode in modes:
        size = size * mode.s
    return size


def _sides(chain: tuple[Modes, ...], size: Ratio, samples: Samples) -> Iterator[Side]:
    """Yield a chain, applied from the right, as modes over the domain."""
    if not chain:
        yield Side((Mode(size, ONE_LEAF),), (), (), ())
        return
    *outer, first = chain
    if not samples.all(_size(first) - size, 0):
        return
    begun = Rewriting(first, samples)
    begun.coalesce()
    side = Side(
        tuple(begun.modes),
        (["first"], *_steps(begun)),
        tuple(begun.asked),
        (eq(_size(first), size), *begun.obligations),
    )
    yield from _through(tuple(outer), side, samples)


def _through(outer: tuple[Modes, ...], side: Side, samples: Samples) -> Iterator[Side]:
    if not outer:
        yield side
        return
    for bounded in (False, True):
        found = _after(outer[-1], side, bounded, samples)
        if found is not None:
            yield from _through(outer[:-1], found, samples)


def _after(layout: Modes, side: Side, bounded: bool, samples: Samples) -> Side | None:
    """Return a layout after a side, or None where digits carry at a sample."""
    outer = Rewriting(layout, samples)
    outer.coalesce(keep_last=not bounded)
    if not outer.modes:
        outer = Rewriting(layout, samples)
    radices = [ONE_LEAF]
    for mode in outer.modes[:-1]:
        radices.append(radices[-1] * mode.s)
    inner = Rewriting(side.modes, samples)
    for radix in radices[1:]:
        _cut(inner, radix, samples)
    rows = []
    for mode in inner.modes:
        row = _digits(mode, radices, samples)
        if row is None:
            return None
        rows.append(row)
    obligations = _no_carry(inner.modes, outer.modes, radices, rows, bounded)
    named = meaning(*(c for row in rows for c in row))
    if not _promising(obligations, samples):
        return None
    strides = [
        sum((c * m.d for c, m in zip(row, outer.modes, strict=True)), ZERO_LEAF) for row in rows
    ]
    modes = tuple(Mode(m.s, d) for m, d in zip(inner.modes, strides, strict=True))
    digits = [[text(c) for c in row] for row in rows]
    return Side(
        modes,
        (*side.steps, *_steps(inner), ["after", outer.rewrites, digits, bounded]),
        (*side.asked, *inner.asked, *outer.asked, *named),
        (*side.obligations, *inner.obligations, *outer.obligations, *obligations),
    )


def _steps(rewriting: Rewriting) -> list[Any]:
    return [["rewrite", rewriting.rewrites]] if rewriting.rewrites else []


def _cut(inner: Rewriting, radix: Ratio, samples: Samples) -> None:
    """Split the modes that step across a radix at some sample, where the stride divides it."""
    k = 0
    while k < len(inner.modes):
        s, d = inner.modes[k]
        at = _crossing(s, d, radix, samples)
        if at is not None:
            inner.split(k, at)
            k += 1
        k += 1


def _crossing(s: Ratio, d: Ratio, radix: Ratio, samples: Samples) -> Ratio | None:
    """Return radix / d where it cuts the mode in two at a sample and divides s at all of them."""
    extents, strides, limits = samples.of(s), samples.of(d), samples.of(radix)
    if not extents or not strides or not limits or not d.num:
        return None
    rows = list(zip(extents, strides, limits, strict=True))
    if not any(0 < x < limit < x * extent for extent, x, limit in rows):
        return None
    cut = whole(radix / d)
    parts = samples.of(cut)
    if not parts or any(
        t < 1 or n % t or t * x != r for t, (n, x, r) in zip(parts, rows, strict=True)
    ):
        return None
    return cut


def _digits(mode: Mode, radices: list[Ratio], samples: Samples) -> list[Ratio] | None:
    """Return c with d == sum of c_j * radices[j], the digits of d where the extent exceeds 1."""
    extents = samples.of(mode.s)
    if extents is None:
        return None
    counting = [at for at, s in enumerate(extents) if s > 1]
    row: list[Ratio] = []
    rest = mode.d
    for radix in reversed(radices[1:]):
        digit = _digit(rest, radix, samples, counting)
        if digit is None:
            return None
        row.append(digit)
        if digit.num:
            rest = rest - digit * radix
    return [whole(rest), *reversed(row)]


def _digit(rest: Ratio, radix: Ratio, samples: Samples, counting: list[int]) -> Ratio | None:
    """Return the leaf that is rest // radix at the samples that count, if one is in sight."""
    values, limits = samples.of(rest), samples.of(radix)
    if values is None or limits is None or any(limits[at] < 1 for at in counting):
        return None
    digits = [values[at] // limits[at] for at in counting]
    if not any(digits):
        return ZERO_LEAF
    if not any(values[at] % limits[at] for at in counting):
        return whole(rest / radix)
    if rest.den == ONE == radix.den and radix.num[max(radix.num)] > 0:
        q = Ratio(quotient(rest.num, radix.num)[0], ONE)
        found = samples.of(q)
        if found is not None and [found[at] for at in counting] == digits:
            return q
    return None


def _no_carry(
    inner: list[Mode],
    outer: list[Mode],
    radices: list[Ratio],
    rows: list[list[Ratio]],
    bounded: bool,
) -> tuple[Formula, ...]:
    """Return that the digits are those of the strides, and that no position overflows."""
    found = []
    for mode, row in zip(inner, rows, strict=True):
        found.append(eq(mode.d, sum((c * a for c, a in zip(row, radices, strict=True)), ZERO_LEAF)))
    for row in rows:
        found += [le(0, c) for c in row if (n := number(c)) is None or n < 0]
    for j, mode in enumerate(outer if bounded else outer[:-1]):
        total = sum(((m.s - 1) * row[j] for m, row in zip(inner, rows, strict=True)), ZERO_LEAF)
        found.append(le(total, mode.s - 1))
    return tuple(found)


def _promising(obligations: tuple[Formula, ...], samples: Samples) -> bool:
    """Return whether relations hold at all samples."""
    for f in obligations:
        gap = f.args[1] - f.args[0]
        values = samples.of(gap)
        if values is None or any(x if f.op == "eq" else x < 0 for x in values):
            return False
    return True


def _matched(one: Side, other: Side, samples: Samples) -> Step | None:
    """Return the step that compares two sides mode by mode, or None where a sample tells them."""
    sides = [Rewriting(side.modes, samples) for side in (one, other)]
    for rewriting in sides:
        rewriting.coalesce()
    if not _aligned(sides[0], sides[1], samples):
        return None
    end = []
    for (s, d), (t, e) in zip(sides[0].modes, sides[1].modes, strict=True):
        end += [eq(s, t), eq(ZERO_LEAF, (s - 1) * (d - e))]
    if not _promising(tuple(end), samples):
        return None
    steps = []
    asked: list[Formula] = []
    obligations: list[Formula] = []
    for side, rewriting in zip((one, other), sides, strict=True):
        steps.append([*side.steps, *_steps(rewriting)])
        asked += [*side.asked, *rewriting.asked]
        obligations += [*side.obligations, *rewriting.obligations]
    return Step("agree", {"left": steps[0], "right": steps[1]}, (*asked, *obligations, *end))


def _aligned(one: Rewriting, other: Rewriting, samples: Samples) -> bool:
    """Split modes until both sides have the same extents; return whether that was possible."""
    k = 0
    while k < len(one.modes) and k < len(other.modes):
        s, t = one.modes[k].s, other.modes[k].s
        if s != t and not samples.all(s - t, 0):
            if _splits(t, s, samples):
                one.split(k, whole(t))
            elif _splits(s, t, samples):
                other.split(k, whole(s))
            else:
                return False
        k += 1
    return len(one.modes) == len(other.modes)


def _splits(t: Ratio, s: Ratio, samples: Samples) -> bool:
    parts, values = samples.of(t), samples.of(s)
    if not parts or not values:
        return False
    return all(p >= 1 and x % p == 0 for p, x in zip(parts, values, strict=True))
