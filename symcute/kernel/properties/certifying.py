"""Certificates of what was shown of a kernel: the proofs of its obligations, to be done again.

An obligation is a goal under hypotheses, stated in the words of certificates with as many of these
as its proof takes. What is returned the checker has accepted.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from symcute.expr.node import Node, Term
from symcute.prover.certificate import Proof, certificate
from symcute.prover.decision import Settled, Step
from symcute.recheck import check
from symcute.recheck.definedness import conditions
from symcute.recheck.text import parse, show
from symcute.solve.digits import ended
from symcute.solve.obligation import Obligation, Shown
from symcute.solve.obligations import By
from symcute.solve.search import Search
from symcute.solve.stated import bounded
from symcute.solve.tiers import proofs
from symcute.solve.wording import formula, text

__all__ = ["certified", "has_bits"]

#: What in a proof names a hypothesis by its number.
_NAMING = ("given", "g", "e", "either")


def certified(asked: Obligation) -> dict[str, Any] | None:
    """Return a certificate that the checker has checked, or None where there is none.

    >>> hypotheses = (Node("<=", 0, "i"), Node("<", "i", "N"))
    >>> goal = Node("<", "i", Node("*", "N", 2))
    >>> certified(Obligation(hypotheses, goal, frozenset({"N"})))["claim"]
    'i < N*2'
    """
    for told in proofs(asked):
        shown = _derived(told)
        if shown is None:
            continue
        for premise in (shown.overlap, [h for h in shown.given if not bounded(h)]):
            document = _document(shown, premise)
            result = check(document)
            if result.status == "checked":
                return document
            if result.status == "rejected":
                break
    return None


def has_bits(asked: Obligation) -> bool:
    """Return whether operations on bits stand in an obligation of which a range is all it says.

    >>> has_bits(Obligation((), Node("<", Node("^", "i", "j"), "N"), frozenset({"N"})))
    True
    """
    stack: list[Term] = [asked.goal, *asked.hypotheses]
    while stack:
        x = stack.pop()
        if isinstance(x, Node):
            if x.op in ("&", "|", "^", "<<", ">>"):
                return True
            stack += x.args
    return False


def _document(shown: Shown, premise: Collection[Term]) -> dict[str, Any]:
    """Return the document of a proof; what is a premise of the claim need not be met by any."""
    # What bounds a name from below stays: without it the name would count as a dim.
    before = [h for h in shown.given if h in premise and not bounded(h)]
    rest = [h for h in shown.given if h not in before]
    claim, given, by = text(shown.goal), [text(h) for h in rest], shown.by
    if before:
        claim = f"({' and '.join(f'({text(h)})' for h in before)}) implies ({claim})"
        order = [shown.given.index(h) for h in (*rest, *before)]
        by = ("implies", _renumbered(by, {k: j for j, k in enumerate(order)}))
    asked = conditions(parse(claim), [parse(g) for g in given])
    search = Search(rest, shown.dims)
    defined = tuple(search.condition(show(f)) for f in asked)
    step = Step("formula", {}, (formula(shown.goal),))
    part = Settled("structural: formula", step, (by,), {}, ("arithmetic",))
    return certificate(claim, given, Proof(defined, (part,)), ("arithmetic",))


def _derived(shown: Shown) -> Shown | None:
    """Return a proof in which the hypotheses that follow from others are shown from these first.

    None where one is not seen to follow.
    """
    if not shown.derived:
        return shown
    alone = [h for h in shown.given if h not in shown.derived]
    for base in (alone, [*alone, *shown.beside]):
        search, steps = Search(base, shown.dims), list[tuple[Term, By]]()
        for h in shown.derived:
            by = ended(search, h)
            if by is not None:
                steps.append((h, by))
                search = search.plus(h)
        known = {*search.given}
        if all(h in known or k not in _named(shown.by) for k, h in enumerate(shown.given)):
            # What the proof does not name it can do without.
            numbers = {k: search.given.index(h) for k, h in enumerate(shown.given) if h in known}
            # What is supposed inside comes after all of them.
            later = len(search.given) - len(shown.given)
            by = _renumbered(shown.by, numbers, later)
            for h, first in reversed(steps):
                by = ("cut", text(h), first, by)
            return Shown(shown.goal, tuple(base), by, shown.dims, shown.overlap)
    return None


def _named(by: By) -> set[int]:
    """Return the numbers of the hypotheses that a proof names, and of what is supposed in it."""
    if not isinstance(by, (tuple, list)):
        return set()
    here = {by[1]} if by and by[0] in _NAMING and type(by[1]) is int else set()
    return here.union(*map(_named, by))


def _renumbered(by: By, numbers: Mapping[int, int], later: int = 0) -> By:
    """Return a proof in which hypotheses have other numbers; later ones are so many further on."""
    if isinstance(by, (tuple, list)):
        kind = by[0] if by else None
        if kind in _NAMING and type(by[1]) is int:
            number = numbers.get(by[1], by[1] + later)
            return (kind, number, *(_renumbered(x, numbers, later) for x in by[2:]))
        return type(by)(_renumbered(x, numbers, later) for x in by)
    return by
