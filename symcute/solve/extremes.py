"""Minima and maxima: what is below both of two is below the smaller, which is one of them.

`minimum_compared` and its like of `proofs/lemmas/rounding.py`.
"""

from __future__ import annotations

from collections.abc import Iterator

from symcute.expr.formula import Formula, all_of, le, negation
from symcute.expr.lowering import lower
from symcute.expr.polynomial import ONE, variable, variables
from symcute.expr.ratio import ATOMS, Atom, Ratio
from symcute.solve.cases import case
from symcute.solve.obligations import By
from symcute.solve.powers import Known

__all__ = ["by_both", "by_order"]


def by_both(known: Known, f: Formula) -> By | None:
    """Settle `c <= min(a, b)` by `c <= a` and `c <= b`, `max(a, b) <= c` likewise; or None."""
    if f.op != "le":
        return None
    left, right = map(lower, f.args)
    least, most = _extreme(right, "Minimum"), _extreme(left, "Maximum")
    if least is not None:
        parts = [le(left, x) for x in (least.a, least.b)]
    elif most is not None:
        parts = [le(x, right) for x in (most.a, most.b)]
    else:
        return None
    found: list[By] = []
    for part in parts:
        found.append(known.proof(part, solver=False))
        if found[-1] is None:
            return None
    # What is asked may be written otherwise, as 1*min(a, b) is.
    said = case(known.assumptions, le(left, right))
    if said is None:
        return None
    return ("cut", said, ("and", found), ("given", len(known.assumptions.formulas)))


def _extreme(x: Ratio, kind: str) -> Atom | None:
    """Return the minimum, or the maximum, that a leaf is by itself."""
    names = variables(x.num)
    name = next(iter(names), "")
    alone = name in ATOMS and ATOMS[name].kind == kind and x == Ratio(variable(name), ONE)
    return ATOMS[name] if alone else None


def by_order(known: Known, f: Formula) -> By | None:
    """Settle a formula by which of the two the smaller, or the larger, is; or None."""
    for name in dict.fromkeys(x for side in f.args for x in _inside(lower(side))):
        split = case(known.assumptions, le(ATOMS[name].a, ATOMS[name].b))
        if split is None or {split, negation(split)} & {*known.assumptions.formulas}:
            continue
        this = _where(known, split, f, name, first=True)
        other = this and _where(known, negation(split), f, name, first=False)
        if other is not None:
            return ("case", split, this, other)
    return None


def _inside(x: Ratio) -> Iterator[str]:
    """Yield the minima and maxima in a leaf, then those that they are of."""
    names = [v for v in sorted(variables(x.num)) if v in ATOMS]
    names = [v for v in names if ATOMS[v].kind in ("Minimum", "Maximum")]
    yield from names
    for v in names:
        yield from _inside(ATOMS[v].a)
        yield from _inside(ATOMS[v].b)


def _where(known: Known, split: Formula, f: Formula, name: str, *, first: bool) -> By | None:
    """Settle a formula in a case, that a minimum is its first argument, or a maximum the second."""
    kind, a, b = ATOMS[name]
    least, extreme = kind == "Minimum", Ratio(variable(name), ONE)
    x = a if first == least else b
    said = case(known.assumptions, le(x, extreme) if least else le(extreme, x))
    shown = None if said is None else known.under(split).proof(said, solver=False)
    if said is None or shown is None:
        return known.under(split).proof(f, solver=False)
    by = known.under(all_of(split, said)).proof(f, solver=False)
    return by and ("cut", said, shown, by)
