"""Relations that a proof may be split by: they have a value at every instance.

And the split by a bit: `x ^ c`, c a power of two, is `x + c - 2*c*b` with a bit b, so that it is
larger or smaller than x by c (`proofs/lemmas/bits.py`).
"""

from __future__ import annotations

from math import lcm

from symcute.expr.assumptions import Assumptions
from symcute.expr.formula import Formula, le, negation
from symcute.expr.lowering import lower
from symcute.expr.polynomial import ONE, Poly, is_constant, variable, variables
from symcute.expr.ratio import ATOMS, Ratio
from symcute.solve.obligations import By
from symcute.solve.powers import Known

__all__ = ["by_bit", "case"]


def case(assumptions: Assumptions, f: Formula) -> Formula | None:
    """Return a relation so that it has a value at every instance, as a case has; or None.

    >>> none, f = Assumptions(), Assumptions.of("M < N/2").formulas[0]
    >>> print(case(none, f), case(none, Assumptions.of("M // (N-1) < 2").formulas[0]))
    2*M < N None
    >>> print(case(none, Assumptions.of("K // (2*M*N) < 2").formulas[0]))
    floor_div(K,2*M*N) < 2
    """
    a, b = (lower(x) for x in f.args)
    c, d = is_constant(a.den), is_constant(b.den)
    if not c or not d or c < 0 or d < 0:
        return None
    if not (_valued(assumptions, a.num) and _valued(assumptions, b.num)):
        return None
    k = lcm(c, d)
    return f if k == 1 else Formula(f.op, (a * k, b * k))


def _valued(assumptions: Assumptions, p: Poly) -> bool:
    """Return whether a polynomial has no quotients that are exact or may divide by 0."""
    for atom in (ATOMS[v] for v in variables(p) if v in ATOMS):
        if not all(x.den == ONE and _valued(assumptions, x.num) for x in (atom.a, atom.b)):
            return False
        if atom.kind not in ("Minimum", "Maximum") and not _positive(assumptions, atom.b.num):
            return False
    return True


def _positive(assumptions: Assumptions, p: Poly) -> bool:
    """Return whether a polynomial is a product of numbers and dims that are at least 1.

    Or of a part of a dim, rounded down, where the dim is at least what it is divided by.
    """
    (m, c), *others = p.items() if p else [((), 0)]
    return c >= 1 and not others and all(_at_least_1(assumptions, v) for v, _ in m)


def _at_least_1(assumptions: Assumptions, name: str) -> bool:
    if name not in ATOMS:
        return assumptions.lower_bound(name) >= 1
    kind, a, b = ATOMS[name]
    c = is_constant(b.num) if a.den == b.den == ONE else None
    (m, k), *others = a.num.items() if a.num else [((), 0)]
    alone = k == 1 and not others and len(m) == 1 and m[0][1] == 1 and m[0][0] not in ATOMS
    known = kind == "FloorDiv" and c is not None and alone
    return known and assumptions.lower_bound(m[0][0]) >= (c or 1) >= 1


def by_bit(known: Known, f: Formula) -> By | None:
    """Settle a formula by the two values of a bit in it; or None.

    >>> from symcute.solve.entailment import facts
    >>> (f,) = Assumptions.of("x + H - 2*H*(x // 4 % 2) != x").formulas
    >>> print(by_bit(facts("H >= 1"), f)[1])
    mod(floor_div(x,4),2) <= 0
    """
    for name in sorted(set[str]().union(*(variables(lower(x).num) for x in f.args))):
        if name not in ATOMS or ATOMS[name].kind != "Modulo" or ATOMS[name].b != lower(2):
            continue
        split = case(known.assumptions, le(Ratio(variable(name), ONE), 0))
        if split is None or {split, negation(split)} & {*known.assumptions.formulas}:
            continue
        this = known.under(split).proof(f, solver=False)
        other = this and known.under(negation(split)).proof(f, solver=False)
        if other is not None:
            return ("case", split, this, other)
    return None
