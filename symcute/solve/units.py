"""Parts of disjunctions that are left: where all parts but one are refuted, that one holds.

`joined_one_is_left` of `proofs/lemmas/joined.py`.
"""

from __future__ import annotations

from symcute.expr.formula import Formula, negation
from symcute.solve.obligations import By
from symcute.solve.powers import Cut, Known

__all__ = ["units"]

#: How many disjunctions are looked at.
MAX_LOOKED = 40


def units(known: Known) -> list[Cut]:
    """Return what is left of the disjunctions that are assumed, and how that is proved.

    >>> from symcute.solve.entailment import facts
    >>> [str(f) for f, _ in units(facts(["M < N or K == 1", "M >= N"]))]
    ['K == 1']
    """
    formulas = known.assumptions.formulas
    found: list[Cut] = []
    for number, f in enumerate(formulas[:MAX_LOOKED]):
        if f.op == "or" and not any(x in formulas for x in f.args):
            cut = _unit(known, number, f)
            found += [cut] if cut is not None else []
    return found


def _unit(known: Known, number: int, f: Formula) -> Cut | None:
    """Return the part of assumption `number` that is left, if the others are refuted."""
    left: list[Formula] = []
    for x in f.args:
        if x.op not in ("eq", "le", "lt", "ne", "divides"):
            return None
        if x.op == "divides" or known.proof(negation(x), solver=False) is None:
            left.append(x)
            if len(left) > 1:
                return None
    if not left:
        return None
    proofs: list[By] = []
    for x in f.args:
        if x == left[0]:
            proofs.append(("given", len(known.assumptions.formulas)))
            continue
        by = known.under(x).under(negation(left[0])).contradicted()
        if by is None:
            return None
        proofs.append(("absurd", by))
    return left[0], ("either", number, proofs)
