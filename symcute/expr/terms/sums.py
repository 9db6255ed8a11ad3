"""Integer terms as sums of products, to compare them."""

from __future__ import annotations

from itertools import product
from typing import TypeAlias

from symcute.expr.node import Node, Term
from symcute.expr.terms.integers import add, mul, remainder, sub

__all__ = ["MAX_POLYNOMIAL", "Polynomial", "difference", "from_polynomial", "plus", "polynomial"]

#: Monomials (atoms in order) and their coefficients.
Polynomial: TypeAlias = dict[tuple[Term, ...], int]
#: A polynomial of more monomials is given up.
MAX_POLYNOMIAL = 64


def polynomial(term: Term) -> Polynomial | None:
    """Return an integer term as a sum of products of atoms, or None if it is too large.

    >>> polynomial(Node("*", Node("+", "i", 1), 4))
    {('i',): 4, (): 4}
    """
    if type(term) is int:
        return {(): term} if term else {}
    if isinstance(term, Node) and term.op in ("+", "*"):
        a, b = (polynomial(x) for x in term.args)
        if a is None or b is None or len(a) * len(b) > MAX_POLYNOMIAL:
            return None
        if term.op == "+":
            return plus(a, b)
        found: Polynomial = {}
        for (m, c), (n, d) in product(a.items(), b.items()):
            key = tuple(sorted((*m, *n), key=repr))
            found[key] = found.get(key, 0) + c * d
        return {m: c for m, c in found.items() if c}
    return {(term,): 1}


def plus(p: Polynomial, q: Polynomial, times: int = 1) -> Polynomial:
    """Return p + times*q.

    >>> plus({("n",): 1}, {("n",): 1, (): 2}, -1)
    {(): -2}
    """
    found = dict(p)
    for m, c in q.items():
        found[m] = found.get(m, 0) + times * c
    return {m: c for m, c in found.items() if c}


def from_polynomial(p: Polynomial) -> Term:
    """Return the term of a sum of products.

    >>> from_polynomial({(): -1, ("n",): 1})
    ('+', 'n', -1)
    """
    total: Term = 0
    for m in sorted(p, key=lambda m: (-len(m), repr(m))):
        found: Term = 1
        for atom in m:
            found = mul(found, atom)
        total = add(total, mul(found, p[m]))
    return total


def difference(a: Term, b: Term) -> Term:
    """Return a - b: the remainder, where b is the divisor times the quotient of a.

    >>> difference("i", mul(Node("//", "i", "n"), "n"))
    ('%', 'i', 'n')
    """
    for atom in dict.fromkeys(atom for m in polynomial(b) or {} for atom in m):
        if isinstance(atom, Node) and atom.op == "//" and atom.args[0] == a:
            divisor = atom.args[1]
            if polynomial(b) == polynomial(mul(atom, divisor)):
                return remainder(a, divisor)
    return sub(a, b)
