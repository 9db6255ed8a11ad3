"""Injectivity beyond chains: modulo g only the strides that g does not divide are seen.

Where their residues, or those of u times them, form a chain that stays below g they are told apart,
and the others are what is left, over g. So are

drop     modes of extent 1: modulo 1 nothing is seen, and they reach nothing.
content  strides p*d' with p >= 1: all are left, over p.
bezout   u*d0 + v*d1 == 1: modulo d1, which is left as 1, u*d0 is 1; and the other way round.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from symcute.expr.formula import divides, eq, le
from symcute.expr.polynomial import ONE, quotient
from symcute.expr.ratio import Ratio
from symcute.prover.decision import Step
from symcute.prover.lemmas.bounds import extremes, signed
from symcute.prover.lemmas.chain import chains
from symcute.prover.lemmas.factors import common_factor, moduli
from symcute.prover.lemmas.guard import merges
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
from symcute.prover.lemmas.samples import Samples, number

__all__ = ["injective"]

#: How deep lemmas nest, and how many proofs of what a lemma leaves are tried.
MAX_DEPTH, MAX_REST = 4, 2


def injective(
    modes: Modes, guards: tuple[Guarded, ...], samples: Samples, depth: int = MAX_DEPTH
) -> Iterator[Step]:
    """Yield steps that tell the coordinates of the modes apart."""
    yield from chains(modes, samples)
    for merged in merges(modes, guards, samples):
        for rest in injective(merged.modes, merged.guards, samples, depth):
            yield merged.step(rest)
    if depth and len(modes) > 1:
        yield from _drop(modes, samples, depth)
        yield from _content(modes, samples, depth)
        yield from _bezout(modes, samples, depth)
        yield from _mod(modes, samples, depth)


def _rest(modes: Modes, samples: Samples, depth: int) -> Iterator[Step]:
    return islice(injective(modes, (), samples, depth - 1), MAX_REST)


def _drop(modes: Modes, samples: Samples, depth: int) -> Iterator[Step]:
    out = [k for k, mode in enumerate(modes) if samples.surely(mode.s - 1)]
    if out:
        inner = [k for k in range(len(modes)) if k not in out]
        yield from _modulo(modes, ONE_LEAF, inner, [mode.d for mode in modes], samples, depth)


def _content(modes: Modes, samples: Samples, depth: int) -> Iterator[Step]:
    factor = common_factor([mode.d for mode in modes], samples)
    if factor is not None:
        strides = [whole(mode.d / factor) for mode in modes]
        yield from _modulo(modes, factor, [*range(len(modes))], strides, samples, depth)


def _mod(modes: Modes, samples: Samples, depth: int) -> Iterator[Step]:
    for modulus in moduli(modes, samples):
        values = samples.of(modulus)
        if values is None or min(values, default=1) < 1:
            continue
        inner = [k for k, mode in enumerate(modes) if _divides(modulus, mode.d, samples)]
        outer = [k for k in range(len(modes)) if k not in inner]
        if not inner or not outer:
            continue
        strides: list[Ratio] = []
        for k, mode in enumerate(modes):
            r = whole(mode.d / modulus) if k in inner else _residue(mode.d, modulus, samples)
            if r is None:
                break
            strides.append(r)
        else:
            yield from _modulo(modes, modulus, inner, strides, samples, depth)


def _modulo(
    modes: Modes,
    modulus: Ratio,
    inner: list[int],
    strides: list[Ratio],
    samples: Samples,
    depth: int,
    times: Ratio = ONE_LEAF,
) -> Iterator[Step]:
    """Yield steps modulo a leaf: of inner modes the quotients, of others the residues are given."""
    outer = tuple(Mode(modes[k].s, d) for k, d in enumerate(strides) if k not in inner)
    within = tuple(Mode(modes[k].s, strides[k]) for k in inner)
    multiples = [
        eq(mode.d, modulus * d) if k in inner else divides(modulus, times * mode.d - d)
        for k, (mode, d) in enumerate(zip(modes, strides, strict=True))
    ]
    hints = {
        "modulus": text(modulus),
        "times": text(times),
        "inner": inner,
        "strides": [text(d) for d in strides],
    }
    for below in islice(chains(outer, samples), 1):
        signs = below.hints["signs"]
        low, high = extremes(outer, signs)
        if samples.least(modulus - 1 - (high - low)) < 0:
            continue
        limits = (
            *meaning(modulus, times, *strides),
            le(1, modulus),
            *multiples,
            *signed(outer, signs),
            le(high - low, modulus - 1),
        )
        for rest in _rest(within, samples, depth):
            yield Step("mod", hints | {"signs": signs}, limits, {"outer": below, "rest": rest})


def _divides(modulus: Ratio, leaf: Ratio, samples: Samples) -> bool:
    divisors, values = samples.of(modulus), samples.of(leaf)
    if divisors is None or values is None:
        return False
    if not values:  # no sample: by polynomials
        return (leaf / modulus).den == ONE
    return all(x % g == 0 for x, g in zip(values, divisors, strict=True))


def _residue(leaf: Ratio, modulus: Ratio, samples: Samples) -> Ratio | None:
    """Return r, smallest in size, with modulus | leaf - r at all samples."""
    strides, divisors = samples.of(leaf), samples.of(modulus)
    if not strides or not divisors:
        return None
    fixed = number(modulus)
    candidates = []
    if fixed is not None:
        candidates = [ZERO_LEAF + strides[0] % fixed]
    elif leaf.den == ONE == modulus.den and modulus.num[max(modulus.num)] > 0:
        candidates = [Ratio(quotient(leaf.num, modulus.num)[1], ONE), leaf]
    for r in candidates:
        if not _divides(modulus, leaf - r, samples):
            continue
        near, far = samples.of(r), samples.of(r - modulus)
        if near and far:
            return r if abs(near[-1]) <= abs(far[-1]) else r - modulus
    return None


def _bezout(modes: Modes, samples: Samples, depth: int) -> Iterator[Step]:
    if len(modes) != 2:
        return
    found = _cofactors(modes[0].d, modes[1].d) or _units(modes[0].d, modes[1].d)
    if found is None:
        return
    for long, times in enumerate(found):
        modulus = modes[1 - long].d
        if samples.least(modulus - modes[long].s) >= 0 and samples.least(modulus - 1) >= 0:
            strides = [ONE_LEAF, ONE_LEAF]
            yield from _modulo(modes, modulus, [1 - long], strides, samples, depth, times)


def _units(a: Ratio, b: Ratio) -> tuple[Ratio, Ratio] | None:
    """Return u and v with u*a + v*b == 1 where one is its own inverse modulo the other."""
    for x, y, swapped in ((a, b, False), (b, a, True)):
        if y.num and (v := (1 - x * x) / y).den == ONE:
            return (v, x) if swapped else (x, v)
    return None


def _cofactors(a: Ratio, b: Ratio) -> tuple[Ratio, Ratio] | None:
    """Return u and v with u*a + v*b == 1, by Euclid's algorithm on numbers or polynomials."""
    if a.den != ONE or b.den != ONE:
        return None
    one, other = (a, ONE_LEAF, ZERO_LEAF), (b, ZERO_LEAF, ONE_LEAF)
    for _ in range(64 if number(a) is not None and number(b) is not None else 6):
        for r, u, v in (one, other):
            if (unit := number(r)) in (1, -1):
                return u * int(unit or 1), v * int(unit or 1)
        if not other[0].num or not one[0].num:
            return None
        one, other = _euclid(one, other)
    return None


_Row = tuple[Ratio, Ratio, Ratio]


def _euclid(one: _Row, other: _Row) -> tuple[_Row, _Row]:
    """Return (other, one - q*other), with q the quotient of the polynomials."""
    x, y = number(one[0]), number(other[0])
    if x is not None and y is not None:
        q = ZERO_LEAF + x // y
    else:
        lead = other[0].num[max(other[0].num)]
        sign = 1 if lead > 0 else -1
        q = Ratio(quotient(one[0].num, (other[0] * sign).num)[0], ONE) * sign
    return other, (one[0] - q * other[0], one[1] - q * other[1], one[2] - q * other[2])
