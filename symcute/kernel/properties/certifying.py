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
from symcute.solve.obligation import Obligation, Shown
from symcute.solve.obligations import By
from symcute.solve.search import Search
from symcute.solve.stated import bounded
from symcute.solve.tiers import proofs
from symcute.solve.wording import formula, text

__all__ = ["certified", "has_bits"]


def certified(asked: Obligation) -> dict[str, Any] | None:
    """Return a certificate that the checker has checked, or None where there is none.

    >>> hypotheses = (Node("<=", 0, "i"), Node("<", "i", "N"))
    >>> goal = Node("<", "i", Node("*", "N", 2))
    >>> certified(Obligation(hypotheses, goal, frozenset({"N"})))["claim"]
    'i < N*2'
    """
    for shown in proofs(asked):
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


def _renumbered(by: By, numbers: Mapping[int, int]) -> By:
    """Return a proof in which hypotheses have other numbers; later ones keep theirs."""
    if isinstance(by, (tuple, list)):
        kind = by[0] if by else None
        if kind in ("given", "g", "e", "either") and type(by[1]) is int:
            return (kind, numbers.get(by[1], by[1]), *(_renumbered(x, numbers) for x in by[2:]))
        return type(by)(_renumbered(x, numbers) for x in by)
    return by
