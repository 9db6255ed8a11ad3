"""Formulas that know dims by their remainders alone: decided in each class of residues.

What a sum of products of dims leaves when divided by a number rests on what the dims leave
(`proofs/lemmas/classes.py`), so that finitely many instances stand for all.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import product
from math import lcm

from symcute.expr import limits
from symcute.expr.formula import Formula, le
from symcute.expr.lowering import lower
from symcute.expr.polynomial import ONE, is_constant, variable, variables
from symcute.expr.ratio import ATOMS, Atom, Ratio, show_ratio
from symcute.solve.obligations import By
from symcute.solve.powers import Known

__all__ = ["by_classes", "by_whole"]

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


def by_whole(known: Known, f: Formula) -> By | None:
    """Settle an equation with a quotient that leaves no remainder in any class; or None.

    >>> from symcute.solve.entailment import facts
    >>> from symcute.expr.assumptions import Assumptions
    >>> even, odd = Assumptions.of(["M*(M+1)//2*2 == M*(M+1)", "M*M//2*2 == M*M"]).formulas
    >>> str(by_whole(facts(), even)[1]), by_whole(facts(), odd)
    ('mod(M**2+M,2) <= 0', None)
    """
    given = known.assumptions.formulas
    for name in sorted(_quotients(f)) if f.op == "eq" else ():
        _, a, b = ATOMS[name]
        rest = f"mod({show_ratio(a)},{show_ratio(b)})"
        ATOMS[rest] = Atom("Modulo", a, b)
        said = le(Ratio(variable(rest), ONE), 0)
        by = None if said in given else by_classes(said, given)
        then = by and known.under(said).proof(f, solver=False)
        if then is not None:
            return ("cut", said, by, then)
    return None


def _quotients(f: Formula) -> set[str]:
    """Return the quotients by numbers of at least 2 that an equation has."""
    found = set().union(*(variables(lower(x).num) for x in f.args)) & ATOMS.keys()
    return {
        v for v in found
        if ATOMS[v].kind == "FloorDiv" and ATOMS[v].a.den == ATOMS[v].b.den == ONE
        and (is_constant(ATOMS[v].b.num) or 0) >= 2
    }  # fmt: skip


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
