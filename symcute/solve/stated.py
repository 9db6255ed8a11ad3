"""A goal under hypotheses in the words of certificates, and what of the hypotheses it may need."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from symcute.expr.node import Node, Term
from symcute.expr.terms import evaluate, names
from symcute.solve.obligation import Shown
from symcute.solve.obligations import By
from symcute.solve.search import Line, Search
from symcute.solve.wording import Wording, conjuncts, text

__all__ = ["Stated", "Words"]


class Words:
    """Hypotheses in the words of certificates, for all goals under them.

    `dims` are names that are at least 1 or have a bound of theirs.
    """

    def __init__(self, hypotheses: Iterable[Term], dims: frozenset[str], wording: Wording) -> None:
        self.dims, self.wording = dims, wording
        self.lines: dict[Term, Line] = {}
        self.searches: dict[tuple[Term, ...], Search] = {}
        written = [part for h in hypotheses for part in conjuncts(self.wording.truth(h))]
        written += self.wording.defined
        self.plain = [*written, *self.wording.rooms(written)]
        rooms = len(written)
        self.bounded = _bounded_in(self.plain)
        defined = len(self.wording.defined)
        signed = self.wording.unsigned(self.plain, self.bounded)
        self.derived = frozenset(signed[rooms:])
        self.given = _telling([*signed, *self.wording.defined[defined:]])

    def stated(self, goal: Term, overlap: Collection[Term] = ()) -> Stated:
        """Return a goal in these words, and parts of the hypotheses by which it is shown."""
        wording = self.wording.again(names(goal).union(*map(names, overlap)))
        before = len(wording.defined)
        truth, *parts = map(wording.truth, (goal, *overlap))
        defined = wording.defined[before:]
        rooms = 1 + len(parts) + len(defined)
        defined += wording.rooms([*self.plain, *defined])
        bounded, before = self.bounded | _bounded_in(defined), len(wording.defined)
        signed = wording.unsigned([truth, *parts, *defined], bounded)
        more = [*signed[1 + len(parts) :], *wording.defined[before:]]
        given = _telling([*self.given, *more]) if more else self.given
        plain = [*self.plain, *defined]
        overlap, derived = tuple(signed[1 : 1 + len(parts)]), self.derived.union(signed[rooms:])
        return Stated(self, signed[0], given, overlap, truth, plain, derived)


@dataclass(frozen=True, eq=False)
class Stated:
    """A goal under hypotheses; `plain` and `truth` are these before signs were told apart.

    `derived` are hypotheses that follow from the others: ends of quotients with names.
    """

    words: Words
    goal: Term
    given: list[Term]
    overlap: tuple[Term, ...]
    truth: Term
    plain: list[Term]
    derived: frozenset[Term] = frozenset()

    @property
    def chooses(self) -> bool:
        """Whether minima and maxima stand in it, which could be choices."""
        return not self.words.wording.choices and any(
            "min(" in text(h) or "max(" in text(h) for h in (self.goal, *self.given)
        )

    @cached_property
    def rings(self) -> list[list[Term]]:
        """The hypotheses over the names of the goal, then those connected with these."""
        bounds = {h: n for h in self.given if (n := bounded(h))}
        reached = set(names(self.goal)).union(*map(names, self.overlap))
        found: list[list[Term]] = []
        for k in range(len(self.given) + 1):
            used = [h for h in self.given if names(h) <= reached or (k and names(h) & reached)]
            if found and used == found[-1]:
                break
            # What bounds a name from below belongs to it: without it the name would count as a dim.
            every = reached.union(*map(names, used))
            used = [h for h in self.given if h in set(used) or bounds.get(h) in every]
            if found and used == found[-1]:
                break
            found.append(used)
            reached = every
        return found

    def search(self, used: Sequence[Term]) -> Search:
        """Return the search for proofs under some of the hypotheses."""
        key = tuple(used)
        if key not in self.words.searches:
            self.words.searches[key] = Search(used, self.words.dims, self.words.lines)
        return self.words.searches[key]

    def searches(self) -> Iterator[Search]:
        """Yield the searches under more and more hypotheses."""
        yield from map(self.search, self.rings)

    def shown(self, by: By, used: Sequence[Term]) -> Shown:
        """Return the proof with what it is a proof of."""
        left = self.given if not self.derived.isdisjoint(used) else ()
        derived = tuple(h for h in left if h in self.derived)
        beside = tuple(h for h in left if h not in self.derived and h not in used)
        return Shown(self.goal, tuple(used), by, self.words.dims, self.overlap, derived, beside)


def bounded(h: Term) -> str:
    """Return the name that a hypothesis bounds from below by a number, or nothing."""
    if not isinstance(h, Node) or h.op not in ("<=", "<", "=="):
        return ""
    sides = (h.args, h.args[::-1]) if h.op == "==" else (h.args,)
    return next((b for a, b in sides if type(a) is int and isinstance(b, str)), "")


def _bounded_in(given: Iterable[Term]) -> set[str]:
    return {n for h in given if (n := bounded(h))}


def _telling(given: Iterable[Term]) -> list[Term]:
    """Return hypotheses without those that are true of numbers alone."""
    return [h for h in dict.fromkeys(given) if names(h) or not evaluate(h, {})]
