"""Truths of terms, built with what is certain folded, and the choice between two integers."""

from __future__ import annotations

from symcute.expr.node import Node, Term
from symcute.expr.terms.integers import maximum, minimum
from symcute.expr.terms.sums import plus, polynomial

__all__ = [
    "all_of",
    "any_of",
    "at_most",
    "equal",
    "if_",
    "if_truth",
    "is_truth",
    "less",
    "negate",
    "number_of",
    "unequal",
]


def is_truth(term: Term) -> bool:
    """Return whether a term is a truth, not an integer.

    >>> is_truth(Node("<", "i", "N")), is_truth(True), is_truth(1)
    (True, True, False)
    """
    return isinstance(term, bool) or (isinstance(term, Node) and term.sort == "truth")


def less(a: Term, b: Term) -> Term:
    """Return a < b."""
    if type(a) is int and type(b) is int:
        return a < b
    return False if a == b else Node("<", a, b)


def at_most(a: Term, b: Term) -> Term:
    """Return a <= b."""
    if type(a) is int and type(b) is int:
        return a <= b
    return True if a == b else Node("<=", a, b)


def equal(a: Term, b: Term) -> Term:
    """Return a == b.

    >>> equal(if_(Node("<", "i", "N"), 1, 0), 1)
    ('<', 'i', 'N')
    """
    return negate(unequal(a, b))


def unequal(a: Term, b: Term) -> Term:
    """Return a != b; bits that both sides change are changed in neither.

    >>> unequal(Node("^", "i", "c"), "i"), unequal(Node("^", "i", 3), Node("^", "j", 3))
    (('!=', 'c', 0), ('!=', 'i', 'j'))
    """
    if type(a) is int:
        if type(b) is int:
            return a != b
        a, b = b, a
    if a == b:
        return False
    if type(b) is int and isinstance(a, Node) and a.op == "if":
        test, then, other = a.args
        if type(then) is int and type(other) is int:
            return if_truth(test, then != b, other != b)
    sides = [x.args if isinstance(x, Node) and x.op == "^" else (x, 0) for x in (a, b)]
    if sides != [(a, 0), (b, 0)]:
        for x, c in (sides[0], sides[0][::-1]):
            for y, d in (sides[1], sides[1][::-1]):
                if x == y:
                    return unequal(c, d)
    return Node("!=", a, b)


def if_truth(test: Term, then: Term, other: Term) -> Term:
    """Return the truth of one of two truths.

    >>> if_truth("c", True, False), if_truth(Node("<", 0, "i"), Node("<", "i", 4), True)
    ('c', ('or', ('<=', 'i', 0), ('<', 'i', 4)))
    >>> if_truth(Node("<", "i", "n"), Node("<", "i", 4), Node("<", "i", "n"))
    ('and', ('<', 'i', 'n'), ('<', 'i', 4))
    """
    then, other = _where(test, then), _where(negate(test), other)
    if then == other:
        return then
    if other is True:
        return any_of(negate(test), then)
    if then is True:
        return any_of(test, other)
    return any_of(all_of(test, then), all_of(negate(test), other))


def _where(test: Term, truth: Term) -> Term:
    """Return a truth where a test holds."""
    return True if truth == test else False if truth == negate(test) else truth


def all_of(*terms: Term) -> Term:
    """Return whether all hold.

    >>> all_of(True, Node("<", 0, "i"), all_of()), all_of(Node("<", 0, "i"), False)
    (('<', 0, 'i'), False)
    """
    return _joined("and", True, terms)


def any_of(*terms: Term) -> Term:
    """Return whether one holds."""
    return _joined("or", False, terms)


def _joined(op: str, neutral: bool, terms: tuple[Term, ...]) -> Term:
    parts: dict[Term, None] = {}
    for t in terms:
        inner = t.args if isinstance(t, Node) and t.op == op else (t,)
        parts.update(dict.fromkeys(inner))
    if any(t is (not neutral) for t in parts):
        return not neutral
    kept = [t for t in parts if t is not neutral]
    if not kept:
        return neutral
    return kept[0] if len(kept) == 1 else Node(op, *kept)


def negate(a: Term) -> Term:
    """Return whether a truth does not hold, `not` pushed inwards.

    >>> negate(Node("and", Node("<", "i", "N"), Node("==", "j", 0)))
    ('or', ('<=', 'N', 'i'), ('!=', 'j', 0))
    """
    if a is True or a is False:
        return not a
    if isinstance(a, Node):
        op, args = a.op, a.args
        if op in ("<", "<="):
            return Node("<=" if op == "<" else "<", args[1], args[0])
        if op in ("==", "!="):
            return Node("!=" if op == "==" else "==", *args)
        if op in ("and", "or"):
            return _joined("or" if op == "and" else "and", op == "or", tuple(map(negate, args)))
        if op == "not":
            return args[0]
    return Node("not", a)


def if_(test: Term, then: Term, other: Term) -> Term:
    """Return one of two integers.

    >>> if_(Node("<", "n", 4), "n", 4), if_(Node("==", "i", 0), 1, "i")
    (('min', 'n', 4), ('if', ('==', 'i', 0), 1, 'i'))
    >>> if_(Node("<=", "n", "i"), Node("+", "n", -1), "i")
    ('min', ('+', 'n', -1), 'i')
    """
    if test is True or then == other:
        return then
    if test is False:
        return other
    if isinstance(test, Node) and test.op in ("<", "<="):
        if test.args == (then, other):
            return minimum(then, other)
        if test.args == (other, then):
            return maximum(then, other)
        if then in test.args or other in test.args:
            if _goes_with(test, then, other):
                return minimum(then, other)
            if _goes_with(test, other, then):
                return maximum(then, other)
    return Node("if", test, then, other)


def _goes_with(test: Node, low: Term, high: Term) -> bool:
    """Return whether low <= high where a test holds, and low >= high where it does not.

    `high - low` is then what is asked to be at least 0, or that and 1: `minimum_by_a_choice` of
    `proofs/lemmas/rounding.py`.
    """
    sides = [polynomial(x) for x in (*test.args, low, high)]
    least, most, a, b = sides
    if least is None or most is None or a is None or b is None:
        return False
    asked = plus(plus(most, least, -1), {(): -1 if test.op == "<" else 0})
    left = plus(plus(b, a, -1), asked, -1)
    return left in ({}, {(): 1})


def number_of(a: Term) -> Term:
    """Return 1 where a truth holds, 0 where it does not."""
    return if_(a, 1, 0)
