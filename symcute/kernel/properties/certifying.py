"""Certificates of what was shown of a kernel: a proof of each obligation, to be done again.

An obligation is a goal under hypotheses, whatever road proved it. It is stated in the words of
certificates (`wording.py`) with as many hypotheses as its proof takes, and a proof in the steps of
`docs/reference/certificates.md` is looked for: constant ranges, elimination, polynomials, digit by
digit, cases, and all points of a box last. What is returned the checker has accepted.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import inf, prod
from typing import Any

from symcute import checker
from symcute.checker.sense import sense
from symcute.checker.text import parse, show
from symcute.expr.node import Node, Term
from symcute.expr.ranges import ranges_under
from symcute.expr.terms import evaluate, names
from symcute.kernel.properties.searching import MAX_GIVEN, RANGE, Search
from symcute.kernel.properties.wording import Unwritten, Wording, conjuncts, formula, text
from symcute.prover.certificate import Proof, certificate
from symcute.prover.decision import Settled, Step
from symcute.solve.obligations import By

__all__ = ["Obligation", "certified", "has_bits"]

#: How many points a box has at most that is cut to the end.
MAX_POINTS = 1 << 14


@dataclass(frozen=True)
class Obligation:
    """A goal under hypotheses, and the dims, which are at least 1 unless a hypothesis says else.

    `digits` are pairs of names, of two threads, in the order in which they are shown to be equal;
    `overlap` the hypotheses that fail where they are not.
    """

    hypotheses: tuple[Term, ...]
    goal: Term
    dims: frozenset[str]
    digits: tuple[tuple[str, str], ...] = ()
    overlap: tuple[Term, ...] = ()


def certified(asked: Obligation) -> dict[str, Any] | None:
    """Return a certificate that the checker has checked, or None where none was found.

    >>> hypotheses = (Node("<=", 0, "i"), Node("<", "i", "N"))
    >>> goal = Node("<", "i", Node("*", "N", 2))
    >>> certified(Obligation(hypotheses, goal, frozenset({"N"})))["claim"]
    'i < N*2'
    """
    for choices in (False, True):
        try:
            stated = _Stated(asked, choices)
        except Unwritten:
            return None
        for by, used in stated.proofs():
            for premise in (stated.overlap, stated.conditions(used)):
                document = stated.document(by, used, premise)
                result = checker.check(document)
                if result.status == "checked":
                    return document
                if result.status == "rejected":
                    break
        if not stated.chooses:
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


class _Stated:
    """An obligation in words: the goal, and the hypotheses."""

    def __init__(self, asked: Obligation, choices: bool) -> None:
        known = ranges_under(asked.hypotheses)
        wording = Wording(known, asked.dims, choices)
        goal: Term = wording.truth(asked.goal)
        given: list[Term] = []
        for h in asked.hypotheses:
            try:
                given += conjuncts(wording.truth(h))
            except Unwritten:
                continue  # fewer hypotheses say more
        given += wording.defined
        before = len(wording.defined)
        bounded = {n for h in given if (n := _bounded(h))}
        parts = [wording.truth(x) for x in asked.overlap]
        goal, *given = wording.unsigned([goal, *given], bounded)
        self.overlap = wording.unsigned(parts, bounded)
        self.goal, self.given = goal, [*given, *wording.defined[before:]]
        self.given = list(dict.fromkeys(h for h in self.given if names(h) or not evaluate(h, {})))
        self.bounds = {h: n for h in self.given if (n := _bounded(h))}
        self.chooses = not choices and any("min(" in text(h) or "max(" in text(h)
                                           for h in (goal, *given))  # fmt: skip
        self.digits, self.dims = asked.digits, asked.dims
        self.ranges = ranges_under(self.given, dict.fromkeys(self._default(), (1, inf)))

    def _default(self) -> set[str]:
        return set(self.dims) - set(self.bounds.values())

    def proofs(self) -> Iterator[tuple[By, list[Term]]]:
        """Yield proofs to be tried, with the hypotheses each takes, the cheap ones first."""
        rings = list(self._rings())
        for used in (rings[0], rings[-1]):
            yield RANGE, used
        for used in rings:
            if len(used) <= MAX_GIVEN:
                search = Search(used, self.dims)
                by = None
                if self.digits and {*self.overlap} <= {*used}:
                    by = search.digits(self.goal, self.digits, self.overlap)
                by = by or search.settled(self.goal)
                if by is not None:
                    yield by, used
        for used in rings:
            by = Search(used, self.dims).by_cases(self.goal)
            if by is not None:
                yield by, used
        for used in rings:
            yield from ((by, used) for by in self._points(used))

    def _rings(self) -> Iterator[list[Term]]:
        """Yield the hypotheses over the names of the goal, then those connected with these."""
        reached = set(names(self.goal)).union(*map(names, self.overlap))
        last: list[Term] = []
        for k in range(len(self.given) + 1):
            used = [h for h in self.given if names(h) <= reached or (k and names(h) & reached)]
            if k and used == last:
                return
            # What bounds a name from below belongs to it: without it the name would count as a dim.
            every = reached.union(*map(names, used))
            used = [h for h in self.given if h in set(used) or self.bounds.get(h) in every]
            yield used
            last, reached = used, every

    def _points(self, used: Sequence[Term]) -> Iterator[By]:
        """Yield ways to cut the box of what is bounded, the names of the goal first."""
        every = set(names(self.goal)).union(*map(names, used))
        sizes = {n: b - a + 1 for n in every for a, b in [self.ranges.get(n, (-inf, inf))]}
        small = sorted((n for n in every if sizes[n] <= MAX_POINTS), key=lambda n: (sizes[n], n))
        first = [n for n in small if n in names(self.goal)]
        for cut in (first, [*first, *(n for n in small if n not in first)]):
            if cut and prod(max(1, sizes[n]) for n in cut) <= MAX_POINTS**2:
                yield ("range", tuple(cut))

    def conditions(self, used: Iterable[Term]) -> list[Term]:
        """Return the hypotheses but for the lower bounds of names."""
        return [h for h in used if h not in self.bounds]

    def document(self, by: By, used: Sequence[Term], premise: Collection[Term]) -> dict[str, Any]:
        """Return the document of a proof; what is a premise of the claim need not be met by any."""
        # What bounds a name from below stays: without it the name would count as a dim.
        before = [h for h in used if h in premise and h not in self.bounds]
        rest = [h for h in used if h not in before]
        claim, given = text(self.goal), [text(h) for h in rest]
        if before:
            claim = f"({' and '.join(f'({text(h)})' for h in before)}) implies ({claim})"
            order = [used.index(h) for h in (*rest, *before)]
            by = ("implies", _renumbered(by, {k: j for j, k in enumerate(order)}))
        asked = sense(parse(claim), [parse(g) for g in given])
        search = Search(rest, self.dims)
        conditions = tuple(search.condition(show(f)) for f in asked)
        step = Step("formula", {}, (formula(self.goal),))
        part = Settled("structural: formula", step, (by,), {}, ("arithmetic",))
        return certificate(claim, given, Proof(conditions, (part,)), ("arithmetic",))


def _renumbered(by: By, numbers: Mapping[int, int]) -> By:
    """Return a proof in which hypotheses have other numbers; later ones keep theirs."""
    if isinstance(by, (tuple, list)):
        kind = by[0] if by else None
        if kind in ("given", "g", "e", "either") and type(by[1]) is int:
            return (kind, numbers.get(by[1], by[1]), *(_renumbered(x, numbers) for x in by[2:]))
        return type(by)(_renumbered(x, numbers) for x in by)
    return by


def _bounded(h: Term) -> str:
    """Return the name that a hypothesis bounds from below by a number, or nothing."""
    if not isinstance(h, Node) or h.op not in ("<=", "<", "=="):
        return ""
    sides = (h.args, h.args[::-1]) if h.op == "==" else (h.args,)
    return next((b for a, b in sides if type(a) is int and isinstance(b, str)), "")
