"""Tier: the digits of an index as numbers of their own, each with the bounds that digits have.

Where `0 <= a < D` and b divides D, `a // b < D/b`; and `a % b < b`. What holds of all numbers in
these bounds holds of the digits, and polynomials show it at once: a chain of quotients of quotients
is gone.

A tier of kernels, before products are sought: nothing of a digit is left but its bounds, and so
products may be sought of them. Quotients of sizes that digits are divided by keep what they are of:
`n // k * k` is at most n. Others show what this one does not:
- `by_named` (`polynomials.py`) has the index as well: it shows `i - i // n * n < n`, or that
  `i ^ 3` ends where i does; with so much beside it nothing is found by products;
- `places.py` needs no products, and shows a long sum of digits that has too many to be expanded;
- `quotients.py` is for claims, which have formulas and not terms: digits stay what they are, and
  their bounds become facts with proofs of their own.
All three that are for kernels ask `Sequent.stated` for digits with names, which makes them once.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from symcute.expr.node import Node, Term
from symcute.expr.terms import names
from symcute.solve.digits import division
from symcute.solve.obligation import ARITHMETIC, Answer
from symcute.solve.polynomials import divides, eliminated, multiplied
from symcute.solve.sequent import Sequent
from symcute.solve.stated import Stated, bounded

__all__ = ["by_parts"]

#: What only says that a number is none that its type does not hold leads the search astray.
WIDE = (1 << 31) - 1


def by_parts(here: Sequent, goal: Term) -> Answer | None:
    """Prove a goal for all numbers that lie where its quotients and remainders do.

    >>> index = [Node("<=", 0, "i"), Node("<", "i", Node("*", "c", "n"))]
    >>> goal = Node("<", Node("*", Node("//", "i", "n"), "n"), Node("*", "c", "n"))
    >>> by_parts(Sequent(index, {"c", "n"}), goal).status
    'proved'
    """
    if not divides(goal):
        return None
    named = here.stated(goal, named=True)
    taken, digits = _divided(named.given, names(named.goal), named.words.dims)
    # What bounds a name from below stays: without it the name would count from 1.
    given = [h for h in named.given if (bounded(h) and not divides(h)) or h in digits
             or not (names(h) & taken or division(h) or _idle(h))]  # fmt: skip
    general = Stated(named.words, named.goal, given, (), named.goal, given)
    shown = eliminated(general) or multiplied(general)
    if shown is None:
        return None
    shown = named.shown(shown.by, shown.given)
    return Answer("proved", "digits as numbers", (ARITHMETIC,), shown=shown)


def _divided(
    given: Iterable[Term], wanted: Iterable[str], dims: Collection[str]
) -> tuple[set[str], set[Term]]:
    """Return the names, no dims, in what digits are of that are wanted or divide those.

    And what says of those digits that are of dims alone which these are.
    """
    said = [(h, d) for h in given if isinstance(h, Node) and (d := division(h)) is not None]
    digits = {n: (h, divisor) for h, (divisor, q, r) in said for n in (*names(q), r)}
    reached, left = set[str](), [*wanted]
    while left:
        n = left.pop()
        if n in digits and n not in reached:
            reached.add(n)
            h, divisor = digits[n]
            left += names(h.args[0]) | names(divisor)
    found = {digits[n][0] for n in reached}
    taken = set[str]().union(*(names(h.args[0]) for h in found)) - digits.keys() - {*dims}
    return taken, {h for h in found if names(h.args[0]) <= {*dims}}


def _idle(h: Term) -> bool:
    """Return whether a hypothesis is the range of a type, or about a quotient."""
    if not isinstance(h, Node):
        return False
    ends = h.op in ("<", "<=") and any(type(x) is int and abs(x) >= WIDE for x in h.args)
    return ends or divides(h)
