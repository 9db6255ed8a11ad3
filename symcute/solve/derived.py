"""What follows from the assumptions and is worth being one: it is proved first, then used."""

from __future__ import annotations

from collections.abc import Iterator

from symcute.expr.formula import Formula, all_of, states_power
from symcute.solve.obligations import By
from symcute.solve.powers import Cut, Known, following
from symcute.solve.quotients import bounds_of_quotients
from symcute.solve.units import units

__all__ = ["Derived"]


#: How much is done in search of products once bounds are cut in; see `Entailment.renew`.
WORK = 500_000


class Derived:
    """Formulas that follow from assumptions, found once they are asked for."""

    def __init__(self, known: Known, *, outermost: bool) -> None:
        self._known, self._outermost = known, outermost
        self._found: list[Cut] | None = None
        self._looking = False

    def proof(self, f: Formula) -> By | None:
        """Settle a formula with what follows, each part of which is proved first; or None."""
        if self._looking:
            return None
        self._looking = True
        try:
            if self._found is None:
                self._found = list(self._following())
            cuts = [*self._found, *bounds_of_quotients(self._known, f)]
        finally:
            self._looking = False
        given = self._known.assumptions.formulas
        cuts = list({x: (x, by) for x, by in cuts if x not in given}.values())
        if not cuts:
            return None
        formulas, proofs = zip(*cuts, strict=True)
        between = all_of(*formulas)
        inside = self._known.under(between)
        if self._outermost:
            inside.renew(WORK)  # what was looked for in vain without them counts no more
        by = inside.proof(f, solver=False)
        first = ("and", list(proofs)) if len(proofs) > 1 else proofs[0]
        return by and ("cut", between, first, by)

    def _following(self) -> Iterator[Cut]:
        """Yield what follows from the assumptions alone."""
        given = self._known.assumptions.formulas
        if any(map(states_power, given)):
            yield from following(self._known)
        if any(x.op == "or" for x in given):
            yield from units(self._known)
