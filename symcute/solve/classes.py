"""Formulas that know dims by their remainders alone: decided in each class of residues.

What a sum of products of dims leaves when divided by a number rests on what the dims leave
(`proofs/lemmas/classes.py`), so that finitely many instances stand for all.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import product
from math import lcm

from symcute.expr import limits
from symcute.expr.formula import Formula
from symcute.expr.lowering import lower
from symcute.expr.polynomial import ATOMS, ONE, Ratio, is_constant, variables
from symcute.solve.obligations import By

__all__ = ["by_classes"]

#: How many classes are gone through, and what looking at one costs, in steps.
MAX_CLASSES, CLASS_STEPS = 1 << 12, 20


def by_classes(f: Formula, given: Sequence[Formula]) -> By | None:
    """Return that a formula holds in each class in which some assumptions do, or None.

    >>> from symcute.expr.assumptions import Assumptions
    >>> given = Assumptions.of("M % 2 == 1").formulas
    >>> odd, any_ = Assumptions.of(["M*M % 8 == 1", "M*(M + 1) % 2 == 0"]).formulas
    >>> by_classes(odd, given), by_classes(odd, ()), by_classes(any_, ())
    (('classes', [0]), None, ('classes', []))
    """
    modulus, dims = period(f), sorted(f.dims())
    if modulus is None or not dims or modulus ** len(dims) > MAX_CLASSES:
        return None
    facts: list[int] = []
    for k, fact in enumerate(given):
        other = period(fact) if fact.dims() <= set(dims) else None
        if other is not None and lcm(modulus, other) ** len(dims) <= MAX_CLASSES:
            modulus = lcm(modulus, other)
            facts.append(k)
    for values in product(range(modulus), repeat=len(dims)):
        limits.spend(CLASS_STEPS)
        at = dict(zip(dims, values, strict=True))
        if all(given[k].holds(at) for k in facts) and not f.holds(at):
            return None
    return "classes", facts


def period(f: Formula) -> int | None:
    """Return a modulus on whose residues alone a formula depends, or None."""
    if f.op in ("true", "false"):
        return 1
    if f.op in ("and", "or", "not", "implies"):
        return _all(period(x) for x in f.args)
    a, b = (lower(x) for x in f.args)
    if f.op == "divides":
        return _remainder(b, a)
    return _all([_same(a), _same(b)])


def _all(parts: Iterable[int | None]) -> int | None:
    found = 1
    for x in parts:
        if x is None:
            return None
        found = lcm(found, x)
    return found


def _remainder(a: Ratio, b: Ratio) -> int | None:
    """Return a modulus on which a % b depends."""
    c = is_constant(b.num) if b.den == ONE else None
    if c is None or c < 1 or a.den != ONE:
        return None
    return _all([c, *(_value(v) for v in variables(a.num) if v in ATOMS)])


def _same(a: Ratio) -> int | None:
    """Return a modulus such that a ratio is the same for dims that are congruent."""
    return _all(map(_value, variables(a.num))) if a.den == ONE else None


def _value(name: str) -> int | None:
    """Return a modulus on which a quotient, remainder, minimum or maximum depends; no dim does."""
    if name not in ATOMS:
        return None
    kind, a, b = ATOMS[name]
    if kind == "Modulo":
        return _remainder(a, b)
    if kind in ("FloorDiv", "CeilDiv") and not is_constant(b.num):
        return None
    return _all([_same(a), _same(b)])
