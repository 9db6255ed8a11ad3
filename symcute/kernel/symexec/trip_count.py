"""The test of a loop as a function of the round: when it holds, and when it first fails.

The rules are theorems of `proofs/lemmas/rounds.py`.
"""

from __future__ import annotations

from dataclasses import dataclass

from symcute.expr import terms
from symcute.expr.node import Node, Term
from symcute.expr.ranges import Ranges

__all__ = ["Course", "course", "first_failure", "settled"]


@dataclass(frozen=True, slots=True)
class Course:
    """`once`: where the test fails it fails ever after. `ends`: it fails in some round."""

    once: bool
    ends: bool


def course(test: Term, k: str, local: set[str], known: Ranges) -> Course:
    """Return how a test goes on with the rounds; `local` are other names that change with them.

    >>> course(Node("<", Node("*", "k", 4), "n"), "k", set(), Ranges({}))
    Course(once=True, ends=True)
    """
    if isinstance(test, Node) and test.op in ("and", "or"):
        parts = [course(x, k, local, known) for x in test.args]
        some = any if test.op == "and" else all
        return Course(all(p.once for p in parts), some(p.ends for p in parts))
    inside = terms.names(test)
    if inside & local:
        return Course(False, False)
    if k not in inside:
        return Course(True, test is False)
    split = _linear(test, k)
    if split is None:
        return Course(False, False)
    op, slope, _ = split
    low, high = known.of(slope)
    if op in ("<", "<="):
        return Course(low >= 0, low >= 1)
    # Equal in two rounds is equal in all; unequal is left for the caller to rewrite.
    return Course(False, op == "==" and (low >= 1 or high <= -1))


def settled(test: Term, k: str, known: Ranges) -> Term:
    """Return the test with `x != end` made `x < end`, where x comes to the end in equal steps.

    >>> settled(Node("!=", "k", "n"), "k", Ranges({"n": (0, 9)}))
    ('<', ('+', 'k', ('*', 'n', -1)), 0)
    """
    if isinstance(test, Node) and test.op in ("and", "or"):
        parts = [settled(x, k, known) for x in test.args]
        return terms.all_of(*parts) if test.op == "and" else terms.any_of(*parts)
    split = _linear(test, k)
    if split is None or split[0] != "!=":
        return test
    start = _over(split[2], split[1])
    if start is None or known.of(start)[1] > 0:
        return test
    return terms.less(terms.add(k, start), 0)


def first_failure(test: Term, k: str, known: Ranges) -> Term | None:
    """Return the first round in which a test fails that fails ever after, where that is plain.

    >>> first_failure(Node("<", "k", "n"), "k", Ranges({}))
    ('max', 'n', 0)
    """
    split = _linear(test, k)
    if split is None or split[0] not in ("<", "<="):
        return None
    op, slope, base = split
    need = terms.mul(base, -1) if op == "<" else terms.add(terms.mul(base, -1), 1)
    if type(slope) is not int or slope < 1:
        return None
    if slope > 1:
        if type(need) is not int:
            return None
        need = -(-need // slope)
    polynomial = terms.polynomial(need)
    if polynomial is not None:
        need = terms.from_polynomial(polynomial)
    return need if known.of(need)[0] >= 0 else terms.maximum(need, 0)


def _linear(test: Term, k: str) -> tuple[str, Term, Term] | None:
    """Return (op, slope, base) for a relation that says `slope*k + base op 0`."""
    if not isinstance(test, Node) or test.op not in ("<", "<=", "==", "!="):
        return None
    difference = terms.polynomial(terms.sub(*test.args))
    if difference is None:
        return None
    slope: terms.Polynomial = {}
    base: terms.Polynomial = {}
    for m, c in difference.items():
        rest = tuple(a for a in m if a != k)
        if len(m) - len(rest) > 1 or any(k in terms.names(a) for a in rest):
            return None
        into = base if len(rest) == len(m) else slope
        into[rest] = into.get(rest, 0) + c
    return test.op, terms.from_polynomial(slope), terms.from_polynomial(base)


def _over(base: Term, slope: Term) -> Term | None:
    """Return base // slope where that is plainly exact, as for pointers that move by an element."""
    parts = terms.polynomial(base)
    if (
        type(slope) is not int
        or slope == 0
        or parts is None
        or any(c % slope for c in parts.values())
    ):
        return None
    return terms.from_polynomial({m: c // slope for m, c in parts.items()})
