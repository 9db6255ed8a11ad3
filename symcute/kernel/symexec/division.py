"""Quotients and remainders of C as terms, which round down: `proofs/lemmas/machine.py`."""

from __future__ import annotations

from math import inf

from symcute.expr import terms
from symcute.expr.node import Node, Term
from symcute.expr.ranges import Ranges
from symcute.kernel.symexec.state import Path

__all__ = ["choosing", "cut_remainder", "made_positive", "multiple", "quotient", "remainder"]


def cut_remainder(a: Term, size: Term) -> Term:
    """Return what C's division towards zero leaves of a number, which has its sign."""
    below = terms.mul(terms.remainder(terms.mul(a, -1), size), -1)
    return terms.if_(terms.less(a, 0), below, terms.remainder(a, size))


def made_positive(a: Term, size: Term) -> Term | None:
    """Return a % size rounded down where a number is `a % size + size` in C's arithmetic."""
    if not isinstance(a, Node) or a.op != "+":
        return None
    for left, right in (a.args, a.args[::-1]):
        test = left.args[0] if isinstance(left, Node) and left.op == "if" else None
        if right == size and isinstance(test, Node):
            inner = test.args[0]
            if left == cut_remainder(inner, size):
                return terms.remainder(inner, size)
    return None


def multiple(a: Term, c: Term) -> Term | None:
    """Return how often a number, at least 1, goes into a sum of which it divides each addend.

    Below 0, too, nothing is rounded then.

    >>> multiple(Node("+", Node("*", "i", 8), Node("*", Node("//", "i", 3), -32)), 8)
    ('+', 'i', ('*', ('//', 'i', 3), -4))
    """
    if type(c) is not int or c < 1:
        return None
    p = terms.polynomial(a)
    if p is None or any(k % c for k in p.values()):
        return None
    return terms.from_polynomial({m: k // c for m, k in p.items()})


def choosing(known: Ranges, a: Term) -> Ranges:
    """Return what is known besides of the choices in a term whose sides are at least 0, if chosen.

    >>> known = Ranges({"i": (0, 9), "n": (0, 9)})
    >>> wrapped = terms.if_(terms.less("i", "n"), "i", terms.sub("i", "n"))
    >>> known.of(wrapped), choosing(known, terms.add("i", wrapped)).of(wrapped)
    ((-9, 9), (0, 9))
    """
    if isinstance(a, Node) and known.of(a)[0] < 0:
        for x in a.args:
            known = choosing(known, x)
        if a.op == "if":
            test, one, other = a.args
            if _is_above(one, test, known) and _is_above(other, terms.negate(test), known):
                return known.with_range(a, (0, inf))
    return known


def _is_above(a: Term, test: Term, known: Ranges) -> bool:
    """Return whether a number is at least 0 where a relation holds, by ranges or as the relation
    says of a part of it.
    """
    if known.narrowed(test).of(a)[0] >= 0:
        return True
    if not isinstance(test, Node) or test.op not in ("<", "<="):
        return False
    low, high = test.args
    over = terms.sub(terms.sub(high, low), 1 if test.op == "<" else 0)
    return known.of(terms.sub(a, over))[0] >= 0


def _split(a: Term, c: Term, path: Path) -> tuple[Term, Term] | None:
    """Return quotient and remainder of a division by a number, where they are plainly seen."""
    if not isinstance(c, int):
        return None
    low, high = path.known.of(a)
    if low >= 0 and high < c:
        return 0, a
    whole = multiple(a, c)
    if whole is not None:
        return whole, 0
    if isinstance(a, Node) and a.op == "+":
        for whole, rest in (a.args, a.args[::-1]):
            if terms.remainder(whole, c) == 0:
                inner = _split(rest, c, path)
                if inner is not None:
                    quotient = terms.divide(whole, c)
                    return terms.add(quotient, inner[0]), inner[1]
    return None


def quotient(a: Term, c: Term, path: Path) -> Term:
    """Return a // c, where a part of it that c divides is plainly seen without that part."""
    found = _split(a, c, path)
    return terms.divide(a, c) if found is None else found[0]


def remainder(a: Term, c: Term, path: Path) -> Term:
    """Return a % c, without a part that c plainly divides."""
    found = _split(a, c, path)
    return terms.remainder(a, c) if found is None else found[1]
