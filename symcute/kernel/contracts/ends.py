"""Bounds of sums by dims, as lines: those first that say little of a launch, or of parameters."""

from __future__ import annotations

from collections.abc import Iterable

from symcute.expr.node import Node, Term, names
from symcute.expr.terms import Polynomial, evaluate, from_polynomial, polynomial
from symcute.kernel.contracts.bounding import above
from symcute.kernel.contracts.joining import lowest
from symcute.kernel.contracts.lines import Line, Unlaunched
from symcute.kernel.properties.context import Context
from symcute.solve.folding import ways

__all__ = ["MOST", "Suggestion", "assumed", "bounds", "ends", "ranges"]

#: How many bounds of one term are tried, and the choices in it that are cases of their own.
MOST, CHOICES = 4, 2
#: Lines that are tried together.
Suggestion = tuple[Line, ...]


def assumed(relations: Iterable[Term]) -> Suggestion:
    """Return relations as lines, but for what is certain."""
    return tuple(Line("assume", t) for t in relations if t is not True)


def bounds(
    blank: Unlaunched,
    context: Context,
    p: Polynomial | None,
    guard: tuple[Term, ...],
    of_launch: bool = False,
) -> list[Polynomial]:
    """Return bounds of a sum by dims: those first that say little of the launch, then small ones.

    With `of_launch`, those first that say little of parameters.
    """
    if p is None:
        return []
    sums = above(p, (*guard, *context.map.facts), context.dims)
    found = [polynomial(lowest(from_polynomial(q))) or {} for q in sums]
    unwanted = {*blank.params.values()} if of_launch else {*blank.grid, *blank.block}

    def rank(q: Polynomial) -> tuple[int, int]:
        used = {n for m in q for a in m for n in names(a)}
        return len(used & unwanted), _sample(blank, from_polynomial(q))

    ranked = sorted(filter(_written, found), key=rank)
    # That a quotient of dims is a bound is hard to show: one without any is tried as well.
    plain = [q for q in ranked if not any(isinstance(a, Node) for m in q for a in m)]
    return [*ranked[:MOST], *(q for q in plain[:1] if q not in ranked[:MOST])]


def ends(
    blank: Unlaunched, context: Context, value: Term, guard: tuple[Term, ...], launch: bool = False
) -> list[list[Polynomial]]:
    """Return bounds of a number, and of each side of its choices where it has none as a whole."""
    whole = bounds(blank, context, polynomial(value), guard, launch)
    if whole:
        return [whole]
    cases = [((*guard, test), way) for test, way in ways(value, CHOICES) if test is not True]
    cases = [(all, way) for all, way in cases if not context.at(all).empty]
    return [bounds(blank, context, polynomial(way), all, launch) for all, way in cases]


def _written(p: Polynomial) -> bool:
    """Return whether a sum can be written in the language of assumptions."""

    def plain(term: Term) -> bool:
        if not isinstance(term, Node):
            return True
        return term.op in ("+", "*", "//", "%", "min", "max") and all(map(plain, term.args))

    return all(plain(atom) for m in p for atom in m)


def _sample(blank: Unlaunched, term: Term) -> int:
    """Return a term at sizes that differ from each other."""
    at = {n: 5 + 2 * k for k, n in enumerate((*blank.grid, *blank.block)) if isinstance(n, str)}
    at |= {n: 1009 + 100 * k for k, n in enumerate(sorted(names(term) - at.keys()))}
    return int(evaluate(term, at))


def ranges(context: Context) -> frozenset[Term]:
    """Return that coordinates lie in their ranges, which is no branch."""
    return frozenset(context.axis_facts(tuple(context.extents)))
