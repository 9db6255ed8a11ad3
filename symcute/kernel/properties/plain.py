"""Pairs of accesses in which quotients of dims are dims of their own.

Of how many blocks a grid has mostly no more matters than that it is some number; but the quotient
that says it, with remainders by 2**32 in it where it is computed in unsigned integers, may be the
longest term there is. What holds of all numbers in a range holds of one that lies there: where a
pair is shown to be apart with names in place of such terms, it is apart.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import count
from math import inf

from symcute.expr.node import Node, Term, names
from symcute.expr.terms import at_most
from symcute.kernel.properties.apart import Pair
from symcute.kernel.properties.sides import Side
from symcute.solve.folding import instead_of
from symcute.solve.sequent import Sequent

__all__ = ["with_plain"]


def with_plain(pair: Pair) -> Pair:
    """Return a pair with its plain one, where there are quotients of dims in what is accessed when.

    Post-conditions: where the plain pair is apart, so is the pair.
    """
    sides = pair.a, pair.b
    if pair.orders or any(v.element for s in sides for v in s.access.variables):
        return pair
    own = [t for s in sides for t in _terms(s)]
    found = dict.fromkeys(q for t in own for q in _quotients(t, pair.dims))
    if not found:
        return pair
    known = Sequent((f for f in pair.facts if names(f) <= pair.dims), pair.dims).ranges.ranges
    taken = pair.dims.union(*map(names, (*pair.facts, *own)))
    fresh = (n for k in count() if (n := f"dim_{k}") not in taken)
    instead: dict[Term, Term] = {}
    ranges: list[Term] = []
    for quotient in found:
        low, high = known.of(quotient)
        if low > -inf:  # a dim that nothing bounds from below would be at least 1
            instead[quotient] = name = next(fresh)
            ranges.append(at_most(int(low), name))
            ranges += [at_most(name, int(high))] if high < inf else []

    def said(term: Term) -> Term:
        return instead_of(term, instead)

    def side(s: Side) -> Side:
        a = s.access
        value = None if a.value is None else said(a.value)
        a = replace(a, offset=said(a.offset), value=value, guard=tuple(map(said, a.guard)))
        return Side(a, tuple((n, said(t)) for n, t in s.terms))

    first = side(pair.a)
    plain = replace(
        pair,
        a=first,
        b=first if pair.b is pair.a else side(pair.b),
        facts=(*map(said, pair.facts), *ranges),
        dims=pair.dims.union(map(str, instead.values())),
        ties=tuple((said(x), said(y)) for x, y in pair.ties),
        wider=None if pair.wider is None else pair.wider.plain,
    )
    return replace(pair, plain=plain) if instead else pair


def _terms(side: Side) -> Iterator[Term]:
    yield from (side.access.offset, *side.access.guard, *(t for _, t in side.terms))
    if side.access.value is not None:
        yield side.access.value


def _quotients(term: Term, dims: frozenset[str]) -> Iterator[Node]:
    """Yield the largest quotients and remainders of dims alone."""
    if isinstance(term, Node):
        if term.op in ("//", "%") and names(term) <= dims:
            yield term
        else:
            for x in term.args:
                yield from _quotients(x, dims)
