"""Assumptions that a claim may lack: divisibility, order and bounds over its dims and leaves."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, permutations
from math import prod
from typing import Any

from symcute.claims import (
    Aligned,
    Apart,
    Claim,
    Coalesced,
    Covers,
    Holds,
    InBounds,
    NoOverflow,
    Partition,
    Requests,
    Vectorizable,
)
from symcute.errors import InputError
from symcute.expr.assumptions import Assumptions, dims
from symcute.expr.expression import mod
from symcute.expr.formula import Formula, divides, eq, le
from symcute.expr.lowering import lower
from symcute.expr.polynomial import ONE, variable
from symcute.expr.ratio import Ratio
from symcute.layout.layout import Layout
from symcute.prover.definedness import conditions
from symcute.prover.lemmas.modes import ONE_LEAF, ZERO_LEAF, Modes, modes_of
from symcute.prover.lemmas.samples import number

__all__ = ["EQUATION", "NARROW", "NATURAL", "candidates", "relaxed"]

#: Natural assumptions come first, then equations, then bounds that leave a dim one value.
NATURAL, EQUATION, NARROW = range(3)
#: How many dims and numbers of a claim are combined.
MAX_DIMS, MAX_NUMBERS = 7, 6
#: Of so many dims at most, products of two are compared with a third.
MAX_FACTORS = 4


def candidates(claim: Claim, assumptions: Assumptions) -> dict[Formula, int]:
    """Return what might be assumed, each with its rank: the less it narrows, the smaller."""
    found: dict[Formula, int] = {}
    seen = {_key(p.formula) for p in claim.parts() if isinstance(p, Holds)}
    for rank, formula in _all(claim, assumptions):
        key = _key(formula)
        if key not in seen and formula.dims() and not _has_quotient(formula):
            seen.add(key)
            found[formula] = rank
    return found


def _key(formula: Formula) -> Any:
    """Return what two ways to write a relation have in common."""
    if formula.op in ("eq", "le", "lt", "ne"):
        a, b = map(lower, formula.args)
        return formula.op, b - a
    return (formula.op, *map(lower, formula.args)) if formula.op == "divides" else formula


def _has_quotient(formula: Formula) -> bool:
    """Return whether a relation other than divisibility holds a quotient: it would hide one."""
    if formula.op not in ("eq", "le", "lt", "ne"):
        return formula.op != "divides"
    return any(lower(x).den != ONE for x in formula.args)


def _all(claim: Claim, assumptions: Assumptions) -> Iterator[tuple[int, Formula]]:
    for condition in conditions(claim, assumptions):
        yield NATURAL, condition.formula
    flat = [modes_of(layout) for layout in claim.layouts()]
    for modes in flat:
        yield from _strides(modes)
    yield from _of_kind(claim)
    if isinstance(claim, NoOverflow):
        yield from _room(claim, assumptions)
    if len(flat) > 1:
        yield from _between(flat)
    yield from _dims(claim)


def _strides(modes: Modes) -> Iterator[tuple[int, Formula]]:
    """Yield that a stride exceeds what others reach, has a sign, continues the one before."""
    for k, (_, d) in enumerate(modes):
        others = [mode for j, mode in enumerate(modes) if j != k]
        for mode in others:
            yield NATURAL, le(mode.s * mode.d, d)
            yield NATURAL, le(mode.s, d)
        for size in range(1, min(len(others), 3) + 1):
            for chosen in combinations(others, size):
                yield NATURAL, le(sum((m.reach for m in chosen), ONE_LEAF), d)
        yield NATURAL, le(0, d)
        yield NATURAL, le(1, d)
        if k:
            yield EQUATION, eq(d, modes[k - 1].s * modes[k - 1].d)


def _of_kind(claim: Claim) -> Iterator[tuple[int, Formula]]:
    """Yield what is asked of the bounds that the claim names."""
    if isinstance(claim, InBounds):
        if isinstance(claim.layout, Layout):
            yield NATURAL, le(_end(claim.layout), lower(claim.bound))
        for _, bound in claim.where:
            yield NATURAL, le(lower(bound), lower(claim.bound))
    elif isinstance(claim, (Covers, Partition)) and isinstance(claim.layout, Layout):
        yield NATURAL, le(lower(claim.bound), _end(claim.layout))
    elif isinstance(claim, Aligned):
        for mode in modes_of(claim.layout):
            yield NATURAL, divides(lower(claim.n), mode.d)
    elif isinstance(claim, Apart):
        yield NATURAL, le(_end(claim.left), lower(claim.shift))
        yield NATURAL, le(_end(claim.right) + lower(claim.shift), ZERO_LEAF)
    elif isinstance(claim, (Requests, Coalesced, Vectorizable)):
        for x in (dims(n) for n in sorted(claim.dims())[:MAX_DIMS]):
            for c in _alignments(claim):
                yield NATURAL, divides(c, x)
            yield NATURAL, eq(mod(x, 2), 1)
    elif isinstance(claim, NoOverflow):
        limit = (1 << (claim.bits - 1)) - 1
        names = [Ratio(variable(n), ONE) for n in sorted(claim.dims())][:MAX_DIMS]
        for size in (3, 2, 1):
            for chosen in combinations(names, size):
                product = ONE_LEAF
                for x in chosen:
                    product = product * x
                yield NATURAL, le(product, limit)


def _room(claim: NoOverflow, assumptions: Assumptions) -> Iterator[tuple[int, Formula]]:
    """Yield for each dim how large it may be where all others are as large as is assumed."""
    tops = _tops(assumptions)
    if not claim.dims() <= tops.keys():
        return
    for name in sorted(claim.dims())[:MAX_DIMS]:
        low, high = assumptions.lower_bound(name), tops[name]
        while low < high:
            middle = (low + high + 1) // 2
            fits = all(part.holds({**tops, name: middle}) for part in _formulas(claim))
            low, high = (middle, high) if fits else (low, middle - 1)
        yield NATURAL, le(Ratio(variable(name), ONE), low)


def _formulas(claim: Claim) -> Iterator[Formula]:
    return (part.formula for part in claim.parts() if isinstance(part, Holds))


def _tops(assumptions: Assumptions) -> dict[str, int]:
    """Return what the dims are at most, by bounds that are numbers or sums of other dims."""
    tops: dict[str, int] = {}
    facts = [f for f in assumptions.formulas if f.op in ("le", "lt", "eq")]
    for _ in facts:
        for f in facts:
            a, b = map(lower, f.args)
            room = b - a - (f.op == "lt")
            if room.den != ONE:
                continue
            for monomial, factor in room.num.items():
                others = {m: c for m, c in room.num.items() if m != monomial}
                if factor != -1 or len(monomial) != 1 or monomial[0][1] != 1:
                    continue
                if all(
                    not m or (len(m) == 1 and c > 0 and m[0][0] in tops) for m, c in others.items()
                ):
                    most = sum(c * prod(tops[n] ** e for n, e in m) for m, c in others.items())
                    name = monomial[0][0]
                    tops[name] = min(most, tops.get(name, most))
    return tops


def _alignments(claim: Requests | Coalesced | Vectorizable) -> list[int]:
    """Return the elements of an access and of what memory is cut into, where more than one."""
    if isinstance(claim, Vectorizable):
        found = {claim.length}
    else:
        access = claim.access
        parts = [p for p in claim.parts() if isinstance(p, Requests)]
        bits = {access.width, *(p.service.unit for p in parts)}
        found = {b // access.element_bits for b in bits}
    return sorted(found - {1})


def _end(layout: Layout) -> Ratio:
    return sum((mode.reach for mode in modes_of(layout)), ONE_LEAF)


def _between(flat: list[Modes]) -> Iterator[tuple[int, Formula]]:
    """Yield that leaves of different layouts are the same, or in order."""
    for one, other in permutations(flat, 2):
        for s, d in one:
            for t, e in other:
                yield EQUATION, eq(s, t)
                yield EQUATION, eq(d, e)
                yield NATURAL, le(s * d, e)
                yield NATURAL, le(s, e)
                yield NATURAL, le(s, t)
                yield NATURAL, le(d, e)
                if number(s) != 1:
                    yield NATURAL, divides(s, t)


def _dims(claim: Claim) -> Iterator[tuple[int, Formula]]:
    """Yield divisibility, order and bounds of the dims themselves."""
    names = [Ratio(variable(n), ONE) for n in sorted(claim.dims())][:MAX_DIMS]
    numbers = sorted(_numbers(claim))[:MAX_NUMBERS]
    # What divides what makes no index smaller.
    division = EQUATION if isinstance(claim, NoOverflow) else NATURAL
    for x in names:
        for c in numbers:
            yield division, divides(c, x)
            yield NATURAL, le(x, c)
            yield NATURAL, le(c, x)
        yield NARROW, le(x, 1)
    for x, y in permutations(names, 2):
        yield NATURAL, le(x, y)
        yield division, divides(x, y)
        for c in numbers:
            yield NATURAL, le(x * c, y)
    for x, y in combinations(names, 2):
        yield EQUATION, eq(x, y)
        for z in names if len(names) <= MAX_FACTORS else ():
            if z not in (x, y):
                yield NATURAL, le(x * y, z)


def _numbers(claim: Claim) -> set[int]:
    """Return the numbers above 1 that occur in the leaves of the claim."""
    found: set[int] = set()
    for leaf in claim.leaves():
        try:
            r = lower(leaf)
        except InputError:
            continue
        found |= {abs(c) for c in [*r.num.values(), *r.den.values()] if abs(c) > 1}
    return found


def relaxed(formula: Formula) -> Iterator[Formula]:
    """Yield what is a little weaker: one less, a divisor less, one side of an equation, one part.

    >>> from symcute.expr.assumptions import dims
    >>> M, N = dims("M N")
    >>> [str(f) for f in (*relaxed(le(N, M)), *relaxed(divides(8, M)), *relaxed(eq(M, N)))]
    ['N <= M+1', 'M % 4 == 0', 'M <= N', 'N <= M']
    """
    if formula.op == "and":
        for k, part in enumerate(formula.args):
            others = [*formula.args[:k], *formula.args[k + 1 :]]
            yield others[0] if len(others) == 1 else Formula("and", tuple(others))
            for weaker in relaxed(part):
                yield Formula("and", (*formula.args[:k], weaker, *formula.args[k + 1 :]))
    elif formula.op == "le":
        a, b = map(lower, formula.args)
        yield le(a, b + 1)
    elif formula.op == "eq":
        yield le(*formula.args)
        yield le(formula.args[1], formula.args[0])
    elif formula.op == "divides":
        c = number(lower(formula.args[0]))
        for p in range(2, min(c or 0, 1 << 16) + 1):
            if c and c % p == 0 and all(p % q for q in range(2, p)) and c != p:
                yield divides(c // p, formula.args[1])
