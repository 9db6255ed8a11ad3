"""Tier: what numbers leave when divided by a number, as far as that is known of each term.

A term is known to be r modulo m, r where m is 0: the domain of congruences (Granger, Static
analysis of arithmetical congruences, 1989). It settles most questions of alignment at once.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from math import gcd
from typing import TypeAlias

from symcute.expr.node import Node, Term
from symcute.expr.terms import add, from_polynomial, plus, polynomial, sub
from symcute.expr.terms.operators import OPERATORS
from symcute.expr.terms.sums import Polynomial
from symcute.solve.obligation import ARITHMETIC, Answer
from symcute.solve.sequent import Sequent

__all__ = ["Congruence", "Congruences", "by_congruences"]

#: A modulus, and what is left: of 0 the number itself, of 1 nothing is known.
Congruence: TypeAlias = tuple[int, int]
ANY: Congruence = (1, 0)
#: Shifts by other numbers are not looked at.
_SHIFTS = range(64)


class Congruences:
    """What is known of terms where some leave known remainders.

    >>> known = Congruences({"ld": (8, 0)})
    >>> i = Node("+", Node("*", Node("*", "i", "ld"), 2), 12)
    >>> known.of(i), known.of(Node("%", i, 4)), known.decides(Node("==", Node("%", i, 8), 0))
    ((16, 12), (0, 0), False)
    """

    def __init__(self, given: Mapping[Term, Congruence]) -> None:
        self._given = given
        self._found: dict[Node, Congruence] = {}

    def of(self, term: Term) -> Congruence:
        """Return what is known of an integer."""
        if isinstance(term, int):
            return 0, int(term)
        if isinstance(term, str):
            return self._given.get(term, ANY)
        found = self._found.get(term)
        if found is None:
            found = self._of_node(term) if term.sort == "integer" else ANY
            known = self._given.get(term, ANY)
            # Both are so: the one that says more, where one does.
            self._found[term] = found = known if found[0] and known[0] > found[0] else found
        return found

    def _of_node(self, x: Node) -> Congruence:
        if x.op in ("if", "min", "max"):
            (m, r), (n, s) = map(self.of, x.args[-2:])
            return _made(gcd(m, n, r - s), r)
        if len(x.args) != 2:
            return ANY
        (m, r), (n, s) = map(self.of, x.args)
        if m == n == 0 and x.op in ("+", "*", "&", "|", "^"):
            return 0, int(OPERATORS[x.op].value(r, s))
        match x.op:
            case "+":
                return _made(gcd(m, n), r + s)
            case "*":
                return _made(gcd(m * n, m * s, n * r), r * s)
            case "%" if n == 0 < s:
                return (0, r % s) if m % s == 0 else _made(gcd(m, s), r)
            case "//" if n == 0 < s and m % s == 0:
                return _made(m // s, r // s)
            case "<<" if n == 0 and s in _SHIFTS:
                return _made(m << s, r << s)
            case ">>" if n == 0 and s in _SHIFTS and m % (1 << s) == 0:
                return _made(m >> s, r >> s)
            case "&" | "|" | "^":
                low = gcd(_power(m), _power(n))
                return _made(low, int(OPERATORS[x.op].value(r % low, s % low)))
        return ANY

    def decides(self, truth: Term) -> bool | None:
        """Return whether a truth holds, where that is known."""
        if not isinstance(truth, Node):
            return truth if isinstance(truth, bool) else None
        if truth.op in ("and", "or"):
            parts = {self.decides(x) for x in truth.args}
            settles = truth.op == "or"
            if None in parts and settles and self._between(truth.args):
                return True
            return settles if settles in parts else None if None in parts else not settles
        if truth.op not in ("==", "!="):
            return None
        (m, r), (n, s) = map(self.of, truth.args)
        common = gcd(m, n)
        apart = (r - s) % common != 0 if common else r != s
        same = m == n == 0 and r == s
        return None if not (apart or same) else same == (truth.op == "==")

    def _between(self, parts: Sequence[Term]) -> bool:
        """Return whether one of two relations holds: no number that a sum may be lies between.

        >>> gap = Node("+", Node("*", "k", 64), 32)
        >>> Congruences({}).decides(Node("or", Node("<=", gap, -16), Node("<=", 16, gap)))
        True
        """
        if len(parts) != 2:
            return False
        first, second = map(_gap, parts)
        if first is None or second is None:
            return False
        low, high = second.pop((), 0), -first.pop((), 0)
        if plus(first, second):
            return False
        # Neither holds where low < sum < high.
        m, r = self.of(from_polynomial(first))
        least = low + 1 + (r - low - 1) % m if m else r
        return least >= high or least <= low


def _gap(truth: Term) -> Polynomial | None:
    """Return what is at least 0 in a relation, as a sum, or None."""
    if not isinstance(truth, Node) or truth.op not in ("<", "<="):
        return None
    a, b = truth.args
    return polynomial(sub(b, add(a, 1) if truth.op == "<" else a))


def _made(m: int, r: int) -> Congruence:
    return m, r % m if m else r


def _power(m: int) -> int:
    """Return the largest power of two in a modulus, 0 where it is 0."""
    return m & -m


@lru_cache(maxsize=64)
def _under(given: tuple[tuple[Term, Congruence], ...]) -> Congruences:
    return Congruences(dict(given))


def _said(hypotheses: Iterable[Term]) -> tuple[tuple[Term, Congruence], ...]:
    """Return of which terms hypotheses say what they leave when divided by numbers."""
    found = dict[Term, Congruence]()
    for h in hypotheses:
        if not isinstance(h, Node) or h.op != "==":
            continue
        for x, r in (h.args, h.args[::-1]):
            if isinstance(x, Node) and x.op == "%" and type(r) is int:
                of, c = x.args
                if type(c) is int and c > max(0, found.get(of, ANY)[0] - 1):
                    found[of] = _made(c, r)
    return tuple(found.items())


def by_congruences(here: Sequent, goal: Term) -> Answer | None:
    """Prove a goal by what terms leave when divided by numbers.

    >>> rows = [Node("==", Node("%", "ld", 8), 0)]
    >>> at = Node("+", Node("*", Node("*", "row", "ld"), 2), Node("*", "k", 16))
    >>> by_congruences(Sequent(rows, {"ld"}), Node("==", Node("%", at, 16), 0)).status
    'proved'
    >>> by_congruences(Sequent([], {"ld"}), Node("==", Node("%", at, 16), 0)) is None
    True
    """
    told = _under(_said(here.hypotheses)).decides(goal)
    return Answer("proved", "congruences", (ARITHMETIC,)) if told else None
