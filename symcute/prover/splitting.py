"""Cases that a claim may be split into: what assumptions leave open, and orders of two leaves."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain, combinations

from symcute.claims import Claim, Either, Holds, Requests
from symcute.errors import InputError
from symcute.expr.expression import free_dims
from symcute.expr.formula import Formula, le, lt, negation
from symcute.expr.htuple import Leaf, leaves
from symcute.expr.lowering import lower
from symcute.expr.polynomial import ONE, variable, variables
from symcute.expr.ratio import ATOMS, Ratio
from symcute.solve.cases import case
from symcute.solve.entailment import Entailment

__all__ = ["splits", "stated"]


def stated(known: Entailment) -> Iterator[tuple[int | None, tuple[Formula, ...]]]:
    """Yield the assumptions that leave a choice, with their numbers: `or`, and `!=`."""
    for number, f in enumerate(known.assumptions.formulas):
        if f.op == "or":
            yield number, f.args
        elif f.op == "ne":
            a, b = f.args
            yield number, (lt(a, b), lt(b, a))


def splits(claims: Iterable[Claim], known: Entailment) -> Iterator[Formula]:
    """Yield formulas that hold at some small instances and fail at others: orders of leaves."""
    seen: set[Formula] = set()
    for claim in claims:
        if isinstance(claim, Requests) or (isinstance(claim, Holds) and _rounds(claim.formula)):
            continue  # an order of dims says little about residues and quotients
        strides = dict.fromkeys(d for layout in claim.layouts() for d in leaves(layout.stride))
        extents = dict.fromkeys(s for layout in claim.layouts() for s in leaves(layout.shape))
        names = set().union(*map(free_dims, [*strides, *extents]), claim.dims())
        samples = known.samples(names)
        inner = claim.claims if isinstance(claim, Either) else ()
        said = [f for x in inner if isinstance(x, Holds) for f in _relations(x.formula)]
        for formula in chain(said, _candidates(list(strides), list(extents), names)):
            if formula in seen or not formula.dims() or case(known.assumptions, formula) != formula:
                continue
            seen.add(formula)
            if len({_at(formula, values) for values in samples}) == 2:
                yield formula


def _relations(f: Formula) -> Iterator[Formula]:
    """Yield the relations of a formula, one that denies another as that other."""
    if any(isinstance(x, Formula) for x in f.args):
        for x in f.args:
            yield from _relations(x)
    elif f.op in ("le", "lt", "eq", "divides"):
        yield f
    elif f.op == "ne":
        yield negation(f)


def _rounds(f: Formula) -> bool:
    """Return whether a formula has quotients that are rounded."""
    if any(isinstance(x, Formula) for x in f.args):
        return any(_rounds(x) for x in f.args)
    found = (ATOMS.get(v) for x in map(lower, f.args) for v in variables(x.num))
    return any(atom is not None and atom.kind not in ("Minimum", "Maximum") for atom in found)


def _candidates(
    strides: list[Leaf], extents: list[Leaf], names: Iterable[str]
) -> Iterator[Formula]:
    # Polynomials, so that what the checker reads is what is meant here.
    polys = [lower(x) for x in strides]
    for a, b in combinations(polys, 2):
        yield le(a, b)
    for s in extents:
        yield le(lower(s), 1)
    for d in polys:
        yield le(0, d)
    for one, other in combinations(sorted(names), 2):
        yield le(Ratio(variable(one), ONE), Ratio(variable(other), ONE))


def _at(formula: Formula, values: dict[str, int]) -> bool | None:
    try:
        return formula.holds(values)
    except InputError:
        return None
