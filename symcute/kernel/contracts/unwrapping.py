"""Remainders by which numbers wrap, and the terms without them where nothing does.

A host that makes an `int` of a 64-bit size gives a kernel `(n + 2**31) % 2**32 - 2**31`, which is n
where n is one: that is a line, under which everything is said in terms of n.
"""

from __future__ import annotations

from collections.abc import Callable

from symcute.expr.node import Node, Term
from symcute.expr.terms import add, all_of, build, plus, polynomial
from symcute.kernel.contracts.bounding import inequality

__all__ = ["unwrapped"]

#: How many numbers there are of so many bits.
SIZES = frozenset(2**bits for bits in (8, 16, 32, 64))


def unwrapped(term: Term, holds: Callable[[Term], bool]) -> Term:
    """Return a term that is equal where relations hold: without remainders that change nothing.

    Pre-conditions: `holds` is asked about relations over the names of the term, and returns False
    for those that nobody assumes.
    Post-conditions: the term is equal wherever all relations hold for which it returned True.

    >>> from symcute.expr.terms import remainder, show
    >>> wrapped = add(remainder(add("n", 2**31), 2**32), 255 - 2**31)
    >>> show(unwrapped(wrapped, lambda _: True)), unwrapped(wrapped, lambda _: False) == wrapped
    ('n + 255', True)
    >>> asked = []
    >>> _ = unwrapped(wrapped, lambda relation: bool(asked.append(show(relation))))
    >>> asked
    ['-2147483648 <= n and n <= 2147483647']
    """
    if not isinstance(term, Node):
        return term
    found = build(term.op, *(unwrapped(x, holds) for x in term.args))
    if not isinstance(found, Node) or found.op != "%" or found.args[1] not in SIZES:
        return found
    x, size = found.args
    p = polynomial(x)
    if p is None or not isinstance(size, int):
        return found
    # Where whole turns are added to what may be below 0, that much is meant to be left over.
    start = p.get((), 0) // size * size
    low, high = plus({(): start}, p, -1), plus(p, {(): -(start + size - 1)})
    return add(x, -start) if holds(all_of(inequality(low), inequality(high))) else found
