"""Tier: the digits of an index as numbers of their own, each with the bounds that digits have.

Where `0 <= a < D` and b divides D, `a // b < D/b`; and `a % b < b`. What holds of all numbers in
these bounds holds of the digits, and polynomials show it at once: a chain of quotients of quotients
is gone.
"""

from __future__ import annotations

from math import inf

from symcute.expr.node import Node, Term
from symcute.expr.terms import (
    at_most,
    build,
    from_polynomial,
    less,
    names,
    polynomial,
)
from symcute.solve.obligation import ARITHMETIC, Answer
from symcute.solve.polynomials import by_elimination, by_products
from symcute.solve.sequent import Sequent

__all__ = ["by_parts"]

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
    parts = _Parts(here, goal)
    told = parts.told(goal)
    if not parts.bounds:
        return None
    kept = [h for h in here.hypotheses if not names(h) & parts.taken and not _idle(h)]
    # A dim whose bound was left out would count as one that is at least 1.
    lows = {n: here.ranges.ranges.of(n)[0] for n in sorted(here.dims)}
    if -inf in lows.values():
        return None
    starts = [at_most(int(low), n) for n, low in lows.items()]
    general = Sequent([*starts, *kept, *parts.bounds], here.dims)
    for tier in (by_elimination, by_products):
        found = tier(general, told)
        if found is not None and found.status == "proved":
            return Answer("proved", "digits as numbers", (ARITHMETIC,))
    return None


class _Parts:
    """Digits and the names that stand for them."""

    def __init__(self, here: Sequent, goal: Term) -> None:
        self.here = here
        #: What holds of the names, and the names that the digits are made of.
        self.bounds: list[Term] = []
        self.taken: set[str] = set()
        self._called: dict[Term, Term] = {}
        self._every = set(here.dims).union(*map(names, (goal, *here.hypotheses)))
        self._ends = [
            (p, h.args[1])
            for h in here.hypotheses
            if isinstance(h, Node) and h.op == "<" and (p := polynomial(h.args[0])) is not None
        ]

    def told(self, x: Term) -> Term:
        """Return a term in which names stand for digits."""
        if not isinstance(x, Node):
            return x
        if x.op in ("//", "%") and x not in self._called:
            self._called[x] = self._name(x)
        found = self._called.get(x)
        return build(x.op, *map(self.told, x.args)) if found is None else found

    def _name(self, x: Node) -> Term:
        a, b = x.args
        known = self.here.ranges.ranges
        if len(self.bounds) >= 2 * MAX_PARTS or known.of(b)[0] < 1 or known.of(a)[0] < 0:
            return build(x.op, *map(self.told, x.args))
        end = b if x.op == "%" else self._end(x)
        if end is None:
            return build(x.op, *map(self.told, x.args))
        number = sum(n.startswith("digit_") for n in self._every)
        name = f"digit_{number}"
        while name in self._every:
            name += "_"
        self._every.add(name)
        self.taken |= names(x) - self.here.dims
        self.bounds += [at_most(0, name), less(name, end)]
        return name

    def _end(self, x: Term) -> Term | None:
        """Return what a term, which is at least 0, is below, as a polynomial in dims."""
        p = polynomial(x)
        for left, right in self._ends:
            if p == left and names(right) <= self.here.dims:
                return right
        if not isinstance(x, Node) or x.op not in ("//", "%"):
            return None
        a, b = x.args
        if self.here.ranges.ranges.of(b)[0] < 1:
            return None
        if x.op == "%":
            return b if names(b) <= self.here.dims else None
        end = self._end(a)
        return None if end is None else _exact(end, b)


def _idle(h: Term) -> bool:
    """Return whether a hypothesis is the range of a type, or about a quotient."""
    if not isinstance(h, Node):
        return False
    ends = h.op in ("<", "<=") and any(type(x) is int and abs(x) >= WIDE for x in h.args)
    return ends or _divides(h)


def _divides(x: Term) -> bool:
    return isinstance(x, Node) and (x.op in ("//", "%") or any(map(_divides, x.args)))


def _exact(a: Term, b: Term) -> Term | None:
    """Return the exact quotient of a polynomial by a product of dims."""
    p, q = polynomial(a), polynomial(b)
    if p is None or q is None or len(q) != 1:
        return None
    ((m, c),) = q.items()
    found = {}
    for n, d in p.items():
        rest = [*n]
        for atom in m:
            if atom not in rest:
                return None
            rest.remove(atom)
        if d % c:
            return None
        found[tuple(rest)] = d // c
    return from_polynomial(found)
