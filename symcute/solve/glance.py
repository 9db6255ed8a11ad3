"""What can be seen of a relation at once, before anything is searched for."""

from __future__ import annotations

from symcute.expr.assumptions import Assumptions
from symcute.expr.expression import free_dims
from symcute.expr.formula import Formula
from symcute.expr.lowering import lower
from symcute.expr.polynomial import ONE, Poly, is_constant, sub, variables
from symcute.expr.ratio import ATOMS, Ratio, evaluate, make_ratio

__all__ = ["divisors_in", "glance", "speaks", "variables_of"]


def glance(assumptions: Assumptions, f: Formula) -> bool | None:
    """Return what can be seen at once of a <= b or a | b, where every dim is at least 1.

    Every monomial is at least 1 there, and so is a sum of them, whatever is assumed besides;
    without assumptions one point that breaks the formula decides as well.
    """
    if f.op not in ("le", "divides"):
        return None
    a, b = (lower(x) for x in f.args)
    if a.den != ONE or b.den != ONE:
        return None
    names = sorted(variables_of(a) | variables_of(b))
    low = assumptions.lower_bound
    if any(v in ATOMS or low(v) < 1 for v in names):
        return None
    gap = sub(b.num, a.num)
    if f.op == "le" and _is_nonnegative(gap):
        return True
    positive = f.op == "divides" and _is_nonnegative(sub(a.num, ONE))
    if positive and make_ratio(b.num, a.num).den == ONE:
        return True
    if assumptions.formulas:
        return None
    at = {v: 3 + 2 * k for k, v in enumerate(names)}
    if f.op == "le":
        return None if evaluate(gap, at) >= 0 else False
    divisor = evaluate(a.num, at)
    return None if divisor >= 1 and evaluate(b.num, at) % divisor == 0 else False


def _is_nonnegative(p: Poly) -> bool:
    """Return whether the coefficients alone make p >= 0 where every variable is at least 1."""
    return sum(p.values()) >= 0 and all(c >= 0 for m, c in p.items() if m)


def variables_of(r: Ratio) -> set[str]:
    """Return the variables of a ratio, atoms among them."""
    return variables(r.num) | variables(r.den)


def divisors_in(r: Ratio) -> set[tuple[str, int]]:
    """Return (dim, c) for every division of a dim by a number inside the atoms of a ratio."""
    found: set[tuple[str, int]] = set()
    for name in variables_of(r):
        atom = ATOMS.get(name)
        if atom is None:
            continue
        found |= divisors_in(atom.a) | divisors_in(atom.b)
        c = is_constant(atom.b.num) if atom.b.den == ONE else None
        if c and c >= 2 and atom.kind in ("FloorDiv", "CeilDiv", "Modulo"):
            found |= {(v, c) for v in variables(atom.a.num) if v not in ATOMS}
    return found


def speaks(f: Formula) -> bool:
    """Return whether any dim occurs."""
    return any(
        speaks(x) if isinstance(x, Formula) else not isinstance(x, int) and bool(free_dims(x))
        for x in f.args
    )
