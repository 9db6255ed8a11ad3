"""Common factors and moduli of strides: what polynomials show, and what samples show."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import reduce
from itertools import combinations
from math import gcd

from symcute.expr.polynomial import ONE, Monomial, Poly, constant, divide
from symcute.expr.ratio import Ratio
from symcute.prover.lemmas.modes import Modes
from symcute.prover.lemmas.samples import Samples, number

__all__ = ["common_factor", "common_polynomial", "moduli"]

#: How many moduli are tried.
MAX_MODULI = 16


def common_factor(strides: Sequence[Ratio], samples: Samples) -> Ratio | None:
    """Return a common factor of the strides other than 1, positive at all samples, or None."""
    if any(d.den != ONE for d in strides):
        return None
    factor = Ratio(common_polynomial([d.num for d in strides if d.num]), ONE)
    if samples.least(factor) < 0:
        factor = -factor
    if number(factor) in (0, 1) or samples.least(factor) < (1 if len(samples) else 0):
        return None
    return factor


def common_polynomial(polys: Sequence[Poly]) -> Poly:
    """Return a common factor of polynomials: content, common powers, and one that divides the rest.

    >>> from symcute.expr.lowering import lower

    >>> from symcute.expr.polynomial import show
    >>> from symcute import dims
    >>> M, N = dims("M N")
    >>> show(common_polynomial([lower(6 * N * (M + 1)).num, lower(4 * N * M + 4 * N).num]))
    '2*M*N+2*N'
    """
    if not polys:
        return ONE
    content = gcd(*(c for p in polys for c in p.values()))
    powers = reduce(_least_powers, (dict(m) for p in polys for m in p))
    monomial: Monomial = tuple(sorted((v, e) for v, e in powers.items() if e))
    common: Poly = {monomial: content}
    primitive = [_primitive(divide(p, common) or p) for p in polys]
    for p in sorted(primitive, key=len):
        if len(p) > 1 and all(divide(q, p) is not None for q in primitive):
            return {_times(monomial, m): content * c for m, c in p.items()}
    return common


def _primitive(p: Poly) -> Poly:
    """Return p without its content and its common powers."""
    content = gcd(*p.values())
    powers = reduce(_least_powers, (dict(m) for m in p))
    monomial = tuple(sorted((v, e) for v, e in powers.items() if e))
    return divide(p, {monomial: content}) or p


def _least_powers(a: dict[str, int], b: dict[str, int]) -> dict[str, int]:
    return {v: min(e, b[v]) for v, e in a.items() if v in b}


def _times(a: Monomial, b: Monomial) -> Monomial:
    powers = dict(a)
    for v, e in b:
        powers[v] = powers.get(v, 0) + e
    return tuple(sorted(powers.items()))


def moduli(modes: Modes, samples: Samples) -> Iterator[Ratio]:
    """Yield what may divide some strides and not others: strides, and factors of pairs of them."""
    seen: list[Ratio] = []
    for g in _candidates(modes, samples):
        size = samples.of(g)
        if g in seen or size is None or max(size, default=2) <= 1:
            continue
        seen.append(g)
        yield g
        if len(seen) == MAX_MODULI:
            return


def _candidates(modes: Modes, samples: Samples) -> Iterator[Ratio]:
    strides = []
    for mode in modes:
        values = samples.of(mode.d)
        if values is not None and any(values):
            strides.append(mode.d if max(values) > 0 else -mode.d)
    yield from strides
    for one, other in combinations(strides, 2):
        if one.den == other.den == ONE:
            yield Ratio(common_polynomial([one.num, other.num]), ONE)
    # An extent that divides a stride: the other modes may be its digits.
    yield from (mode.s for mode in modes)
    columns = [values for d in strides if (values := samples.of(d))]
    for column in columns:
        yield Ratio(constant(gcd(*column)), ONE)
    for size in (2, 3):
        for chosen in combinations(columns, size):
            yield Ratio(constant(gcd(*(x for column in chosen for x in column))), ONE)
