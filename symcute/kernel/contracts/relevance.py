"""Which lines of a contract may be of use for a question: those about what it hangs on.

That is what its accesses and their guards name, and what is known of every launch connects with
that. A line that names something else is taken to say nothing: a guess, as all of the search is.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from symcute.expr.node import Term, names
from symcute.kernel.access_map import Access
from symcute.kernel.contracts.lines import Line, Unlaunched
from symcute.kernel.properties.context import Context
from symcute.kernel.properties.question import Question

__all__ = ["Relevance"]


class Relevance:
    """Which lines may be of use for questions; `always` is what is known where there are none."""

    def __init__(self, blank: Unlaunched, always: Context) -> None:
        self._blank = blank
        self._promises = always.map.promises
        facts = (*always.map.facts, *always.axis_facts(tuple(always.extents)))
        every = dict.fromkeys(frozenset(names(f)) for f in facts)
        self._facts = [known for known in every if len(known) > 1]
        self._found: dict[frozenset[Term], frozenset[str]] = {}
        self._named: dict[Line, frozenset[str]] = {}

    def of(self, q: Question, context: Context, lines: Iterable[Line]) -> frozenset[Line]:
        """Return the lines that may be of use for a question, which is one of the context."""
        arrays = {a.array for a in q.accesses} if q.property in ("in_bounds", "aligned") else set()
        terms = frozenset((*_terms(context, q), *self._promised(q)))
        if terms not in self._found:
            self._found[terms] = self._reached(terms)
        sizes = (context.bytes_of(context.arrays[a]) for a in arrays)
        reached = self._found[terms].union(*(names(n) for n in sizes if n is not None))
        about = {"in_bounds": "extent", "aligned": "align"}.get(q.property)

        def tells(x: Line) -> bool:
            if x.kind in ("extent", "align"):
                return x.kind == about and x.name in arrays
            return x.kind in ("pin", "contents") or self._names(x) <= reached

        return frozenset(filter(tells, lines))

    def _promised(self, q: Question) -> Iterator[Term]:
        """Yield the terms of promises as they are without lines: under these one may be plain."""
        for p in self._promises if q.property == "promises_kept" else ():
            if p.place == q.place:
                yield from p.guard
                yield from (t for t in (p.truth,) if t is not None)

    def _names(self, line: Line) -> frozenset[str]:
        if line not in self._named:
            self._named[line] = frozenset(names(self._blank.truths(line)))
        return self._named[line]

    def _reached(self, terms: Iterable[Term]) -> frozenset[str]:
        """Return the names in terms and all that facts connect with them."""
        reached = {n for t in terms for n in names(t)}
        left = self._facts
        while True:
            apart = [known for known in left if reached.isdisjoint(known)]
            if len(apart) == len(left):
                return frozenset(reached)
            reached = reached.union(*(known for known in left if not reached.isdisjoint(known)))
            left = apart


def _terms(context: Context, q: Question) -> Iterator[Term]:
    """Yield the terms of what a question is about, all that guards it included."""
    for a in q.accesses:
        yield from _of_access(a)
    if q.computation is not None:
        c = context.map.computations[q.computation]
        yield from (c.value, *c.guard)
        yield from (t for t in (c.divisor, c.shift) if t is not None)
    if q.property == "barrier_uniform":
        for event in context.map.events:
            if event.place == q.place:
                yield from event.guard


def _of_access(a: Access) -> Iterator[Term]:
    yield from (a.offset, *a.guard)
    if a.value is not None:
        yield a.value
    for phase in a.phases:
        yield from phase.when
        yield from (t for _, t in phase.rounds)
