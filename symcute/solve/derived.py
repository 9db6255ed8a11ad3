"""What follows from the assumptions and is worth being one: it is proved first, then used."""

from __future__ import annotations

from symcute.expr.formula import Formula, all_of, states_power
from symcute.solve.obligations import By
from symcute.solve.powers import Cut, Known, following
from symcute.solve.units import units

__all__ = ["Derived"]


class Derived:
    """Formulas that follow from assumptions, found once they are asked for."""

    def __init__(self, known: Known) -> None:
        self._known = known
        self._found: list[Cut] | None = None

    def proof(self, f: Formula) -> By | None:
        """Settle a formula with what follows, each part of which is proved first; or None."""
        if self._found is None:
            self._found = []  # while these are looked for, there are none
            given = self._known.assumptions.formulas
            if any(map(states_power, given)):
                self._found = following(self._known)
            if any(x.op == "or" for x in given):
                self._found += units(self._known)
            self._found = list({x: (x, by) for x, by in self._found}.values())
        if not self._found:
            return None
        formulas, proofs = zip(*self._found, strict=True)
        between = all_of(*formulas)
        by = self._known.under(between).proof(f, solver=False)
        first = ("and", list(proofs)) if len(proofs) > 1 else proofs[0]
        return by and ("cut", between, first, by)
