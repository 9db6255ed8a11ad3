"""Tier: the digits of an index as numbers of their own, each with the bounds that digits have.

Where `0 <= a < D` and b divides D, `a // b < D/b`; and `a % b < b`. What holds of all numbers in
these bounds holds of the digits, and polynomials show it at once: a chain of quotients of quotients
is gone. `restored.py` has the certificate of what is shown so.

A tier of kernels, before products are sought: nothing of a digit is left but its bounds, so that no
equation between digits and index is shown. What claims and kernels have besides is `quotients.py`,
where digits stay what they are, and their bounds become facts with proofs of their own.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from symcute.expr.node import Node, Term
from symcute.expr.polynomial import ONE, Poly, add, divide, variables
from symcute.expr.ranges import Names, ranges_under
from symcute.expr.terms import names
from symcute.solve.obligation import ARITHMETIC, Answer, Shown
from symcute.solve.polynomials import eliminated, multiplied
from symcute.solve.search import gap_of
from symcute.solve.sequent import Sequent
from symcute.solve.stated import Stated, bounded
from symcute.solve.wording import formula, number, term

__all__ = ["Digit", "Parts", "by_parts"]

#: So many digits are told apart.
MAX_PARTS = 12
#: What only says that a number is none that its type does not hold leads the search astray.
WIDE = (1 << 31) - 1


def by_parts(here: Sequent, goal: Term) -> Answer | None:
    """Prove a goal for all numbers that lie where its quotients and remainders do.

    >>> index = [Node("<=", 0, "i"), Node("<", "i", Node("*", "c", "n"))]
    >>> goal = Node("<", Node("*", Node("//", "i", "n"), "n"), Node("*", "c", "n"))
    >>> by_parts(Sequent(index, {"c", "n"}), goal).status
    'proved'
    """
    shown = Parts(here, here.stated(goal)).shown
    return None if shown is None else Answer("proved", "digits as numbers", (ARITHMETIC,))


@dataclass(frozen=True)
class Digit:
    """A quotient or a remainder, the name that stands for it, and what it is below."""

    name: str
    of: Node
    end: Term

    def bounds(self, x: Term) -> tuple[Node, Node]:
        """Return the bounds of the digit, said of its name or of what it is."""
        return Node("<=", 0, x), Node("<", x, self.end)


class Parts:
    """A goal in the words of certificates, and the same with names for its digits."""

    def __init__(self, here: Sequent, stated: Stated) -> None:
        self.stated, self.digits = stated, dict[Term, Digit]()
        every = set(names(stated.goal)).union(*map(names, stated.given))
        self._every = every | stated.words.dims
        # The words have names of their own, each with its bounds beside it.
        more = [h for h in stated.given if not names(h) <= here.ranges.keys()]
        self._known = ranges_under(more, Names(here.ranges)).ranges

    @cached_property
    def shown(self) -> Shown | None:
        """The proof of the goal for all numbers that lie where the digits do, if there is one."""
        goal = self._told(self.stated.goal)
        if not self.digits:
            return None
        taken = set().union(*(names(d) for d in self.digits)) - self.stated.words.dims
        # What bounds a name from below stays: without it the name would count from 1.
        given = [x for h in self.stated.given if ((x := self.said(h)) is h and bounded(h))
                 or not (names(x) & taken or _idle(x))]  # fmt: skip
        given += [h for d in self.digits.values() for h in d.bounds(d.name)]
        general = Stated(self.stated.words, goal, given, (), goal, given)
        return eliminated(general) or multiplied(general)

    def said(self, h: Term) -> Term:
        """Return a hypothesis with the names of the digits of the goal."""
        found = self.digits.get(h)
        if found is not None:
            return found.name
        return Node(h.op, *map(self.said, h.args)) if isinstance(h, Node) and _divides(h) else h

    def _told(self, x: Term) -> Term:
        """Return a term in which names stand for digits."""
        if not isinstance(x, Node):
            return x
        if x.op in ("//", "%") and x not in self.digits and len(self.digits) < MAX_PARTS:
            self._add(x)
        found = self.digits.get(x)
        return Node(x.op, *map(self._told, x.args)) if found is None else found.name

    def _add(self, x: Node) -> None:
        a, b = x.args
        if self._known.of(b)[0] < 1 or self._known.of(a)[0] < 0:
            return
        end = self._end(x)
        if end is None:
            return
        name = f"digit_{len(self.digits)}"
        while name in self._every:
            name += "_"
        self._every.add(name)
        self.digits[x] = Digit(name, x, end)

    def _end(self, x: Node) -> Term | None:
        """Return what a quotient or a remainder of a number that is at least 0 is below."""
        if x.op == "%":
            return x.args[1]
        below = self._below(x)
        return None if below is None else term(below)

    def _below(self, x: Term) -> Poly | None:
        """Return what a term, which is at least 0, is below, as a polynomial in dims."""
        value = number(x)
        if value.den != ONE:
            return None
        for gap in self._gaps:
            end = add(add(gap, value.num), ONE)
            if variables(end) <= self.stated.words.dims:
                return end
        if not isinstance(x, Node) or x.op not in ("//", "%"):
            return None
        a, b = x.args
        divisor = number(b)
        if self._known.of(b)[0] < 1 or divisor.den != ONE:
            return None
        if x.op == "%":
            return divisor.num if variables(divisor.num) <= self.stated.words.dims else None
        whole = self._below(a)
        return None if whole is None else divide(whole, divisor.num)

    @cached_property
    def _gaps(self) -> list[Poly]:
        """What hypotheses say is at least 0."""
        relations = [h for h in self.stated.given if isinstance(h, Node) and h.op in ("<", "<=")]
        gaps = (gap_of(formula(h)) for h in relations if not _idle(h))
        return [gap for gap in gaps if gap]


def _idle(h: Term) -> bool:
    """Return whether a hypothesis is the range of a type, or about a quotient."""
    if not isinstance(h, Node):
        return False
    ends = h.op in ("<", "<=") and any(type(x) is int and abs(x) >= WIDE for x in h.args)
    return ends or _divides(h)


def _divides(x: Term) -> bool:
    return isinstance(x, Node) and (x.op in ("//", "%") or any(map(_divides, x.args)))
