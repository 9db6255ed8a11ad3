"""A certificate with its text: read, compared with what the core checks, and that checked.

The core, `symcute.checker`, checks data and no text. Here the texts of the claim and of what is
given are read, and a document whose data are not exactly what they say is rejected. What the core
does not do is done here: instances that break what rests on a solver, exact searches, printing,
assumptions that nothing meets. None of that makes a rejected document any better.
"""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

from symcute import checker
from symcute.checker import Result
from symcute.checker.document import ASSUMPTIONS, opened
from symcute.checker.poly import budget
from symcute.checker.primitive import Primitive
from symcute.checker.settle import ABSURD, Place, Settler, Trail
from symcute.checker.terms import Node, Refused, every
from symcute.recheck.instances import breaking, falsifying, nothing_meets, shown, witness
from symcute.recheck.printing import Unknown, printed, said
from symcute.recheck.ranges import in_ranges
from symcute.recheck.search import decided
from symcute.recheck.smt import counterexample, script
from symcute.recheck.statement import Statement, read

__all__ = ["check"]


def check(document: Any, queries: bool = False) -> Result:
    """Check a certificate, JSON text or what `load` made of it; `queries` asks for those.

    Post-conditions: when the result is checked its statement, which is that of the texts, is true
    of all integers; when it is trusted, provided that what `rests_on` names can be relied on. Never
    raises, and always ends.

    >>> check("{}")
    Result(status='rejected', statement='', reason='the keys are not ...', ...)
    """
    again = _Again()
    try:
        return again.document(opened(document), queries)
    except Refused as refusal:
        return Result("rejected", again.statement, " ".join(str(refusal).split())[:400])
    except Exception as error:  # too deep, too large, or a defect: never accepted
        reason = f"cannot be checked: {type(error).__name__}"
        return Result("rejected", again.statement, reason)


def stated_in(document: dict[str, Any]) -> Statement:
    """Return what the texts of a document state."""
    for key, kind in ("given", str), ("operations", list):
        every(document[key], kind)
    budget.renew()
    return read(document["claim"], document["given"], document["operations"])


class _Again(Trail):
    """One document; what the core leaves to others is done here."""

    def __init__(self) -> None:
        super().__init__()
        self.statement = ""
        self.stated: Statement | None = None

    def document(self, document: dict[str, Any], queries: bool) -> Result:
        self.stated = stated = stated_in(document)
        self.statement = str(stated)
        if _canonical(document["statement"]) != _canonical(stated.data()):
            raise Refused("what is proved is not what the text says")
        result = replace(checker.check(document, self), statement=self.statement)
        if not result.accepted:
            return result
        named = sorted(self.named | stated.trusted)
        if document["rests_on"] != named:
            raise Refused(f"it rests on {', '.join(named)}, not on what it says")
        rests_on = {*result.rests_on}
        if ASSUMPTIONS in rests_on and witness(stated.place) is not None:
            rests_on.remove(ASSUMPTIONS)
        asked = tuple(_queries(self)) if queries else ()
        if ASSUMPTIONS in rests_on and self.vacuous(document["definitions"]):
            reason = "no instance meets the assumptions: they contradict each other"
            rests_on.remove(ASSUMPTIONS)
            return Result("vacuous", self.statement, reason, tuple(sorted(rests_on)), asked)
        again = all(x.startswith("arithmetic") for x in rests_on)
        status = "checked" if again else "trusted"
        return Result(status, self.statement, "", tuple(sorted(rests_on)), asked)

    def note(self, kind: str, place: Place, about: Any) -> bool:
        """Do what the core leaves; what is too much stays to be trusted."""
        super().note(kind, place, about)
        if kind in ("solver", "claim"):
            at = (breaking if kind == "solver" else falsifying)(about, place)
            if at is not None:
                raise Refused(f"{'it' if kind == 'solver' else 'the claim'} is false{shown(at)}")
        elif kind == "ranges":
            if not in_ranges(about[0], place, about[1]):
                raise Refused("ranges do not show it")
            return True
        elif kind == "search":
            found = decided(about)
            if found is False:
                raise Refused("the claim is false")
            return found is True
        elif kind == "printing":
            return self.stated is not None and _prints(about, self.stated)
        return False

    def vacuous(self, definitions: list[Any]) -> bool:
        """Return whether no instance meets what is assumed, in each case of the proof."""
        absurd = [(where, by) for kind, where, by in self.found if kind == "absurd"]
        return all(
            witness(end) is None
            and (nothing_meets(end) or _contradictory(end, absurd, definitions))
            for end in [where for kind, where, _ in self.found if kind == "end"]
        )


def _canonical(item: Any) -> str:
    return json.dumps(item, sort_keys=True)


def _contradictory(place: Place, absurd: list[Any], definitions: list[Any]) -> bool:
    """Return whether what contradicts the negation of an obligation contradicts a place."""
    for where, by in absurd:
        alone = Settler(definitions, _Again())
        try:
            if where is place:
                alone.settle(ABSURD, by, place)
        except Refused:
            continue
        if where is place and all(x.startswith("arithmetic") for x in alone.rests_on):
            return True
    return False


def _prints(claim: Primitive, stated: Statement) -> bool:
    """Return whether the value of a claim prints as is said; False where that is not known.

    What operations in it came to is taken from the certificate, which names them as what it rests
    on; and so is, as not known, a value without any that is not printed here.

    Errors: Refused for one that prints otherwise.
    """
    value, text = said(claim.body)
    value, known = stated.printed if stated.operations else value, True
    try:
        found = printed(value)
    except Unknown:
        found, known = stated.printed or value, False
    if found != text:
        raise Refused(f"it prints as {found[:100]}")
    return known


def _queries(trail: Trail) -> list[str]:
    """Return the obligations, and the claims that rest on a solver, as SMT-LIB text."""
    found = []
    for kind, place, about in trail.found:
        if kind == "obligation":
            budget.spend(len(place.facts))
            found.append(script(place, [Node("not", (about,))]))
        elif kind == "claim":
            broken = counterexample(about)
            found.append(script(place, broken) if broken is not None else "")
    return found
