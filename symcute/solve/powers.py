"""What follows from the fact that dims are powers of two: which of them divides which.

Of two powers of two, one that is less than twice the other divides it (`proofs/lemmas/powers.py`).
So whatever is known of their sizes becomes divisibility, which the ways of writing dims know.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from symcute.expr.assumptions import Assumptions
from symcute.expr.formula import Formula, divides, le, lt, states_power
from symcute.expr.leaf import dim
from symcute.expr.lowering import lower
from symcute.expr.ratio import Ratio
from symcute.solve.obligations import By
from symcute.solve.obligations.definitions import ceilings

__all__ = ["Cut", "Known", "following"]


class Known(Protocol):
    """What is known under assumptions: an `Entailment`."""

    assumptions: Assumptions

    def proof(self, formula: Formula, *, solver: bool = True) -> By | None:
        """Return how a formula is proved, or None."""

    def under(self, premise: Formula) -> Known:
        """Return what is known where a formula holds as well."""

    def renew(self, work: int) -> None:
        """Allow so much work in search of products for what is asked next."""

    def contradicted(self) -> By | None:
        """Return how it is proved that no instance meets the assumptions, or None."""


#: What makes a relation of two leaves.
Relation = Callable[[Any, Any], Formula]
#: A formula that follows, and how.
Cut = tuple[Formula, By]
#: How many dims that are powers of two are compared with each other.
MAX_POWERS = 6


def following(known: Known) -> list[Cut]:
    """Return what divisibility follows from powers of two, each formula from those before it.

    >>> from symcute.solve.entailment import facts
    >>> [str(f) for f, _ in following(facts("pow2(B) and B >= 32"))]
    ['B % 32 == 0']
    """
    formulas = known.assumptions.formulas
    names = [f.args[0].args[0] for f in formulas if states_power(f)]
    names = [n for n in dict.fromkeys(names) if known.assumptions.lower_bound(n) >= 1]
    found: list[Cut] = []
    ends = ceilings(known.assumptions)
    for n in names[:MAX_POWERS]:
        low = known.assumptions.lower_bound(n)
        least = 1 << (low - 1).bit_length()
        if least > 1:
            found += _cut(known, lower(least), lower(dim(n)))
        top = ends.get(n, 0)
        most = 1 << max(top.bit_length() - 1, 0)
        if 0 < most < top:
            found += _cut(known, lower(dim(n)), lower(most), le)
    for a in names[:MAX_POWERS]:
        for b in names[:MAX_POWERS]:
            if a != b:
                one, other = lower(dim(a)), lower(dim(b))
                found += _cut(known, one * 2, other) or _cut(known, one, other)
    return [(f, by) for f, by in found if f not in formulas]


def _cut(known: Known, a: Ratio, b: Ratio, says: Relation = divides) -> list[Cut]:
    """Return that a divides b, or is at most b, where that follows."""
    formula = says(a, b)
    if formula in known.assumptions.formulas:
        return []
    by = known.proof(lt(a, b * 2), solver=False)
    return [] if by is None else [(formula, ("powers", by))]
