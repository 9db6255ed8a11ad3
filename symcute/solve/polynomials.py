"""Tiers: polynomials that hold for all values of what is in them, by elimination or by products."""

from __future__ import annotations

from symcute.expr.node import Node, Term
from symcute.solve.obligation import ARITHMETIC, Answer
from symcute.solve.obligations import By
from symcute.solve.search import MAX_GIVEN, Search
from symcute.solve.sequent import Sequent
from symcute.solve.stated import Stated

__all__ = ["by_elimination", "by_products"]


def by_elimination(here: Sequent, goal: Term) -> Answer | None:
    """Prove a goal by bounds that are polynomials as they stand, quotients by names of theirs."""
    stated = here.stated(goal)
    for search in stated.searches():
        by = search.eliminated(stated.goal)
        if by is not None:
            return _proved("polynomials", stated, search, by)
    if not _divides(goal):
        return None
    named = here.stated(goal, named=True)
    shown = any(search.eliminated(named.goal) is not None for search in named.searches())
    return Answer("proved", "polynomials", (ARITHMETIC,)) if shown else None


def _divides(x: Term) -> bool:
    return isinstance(x, Node) and (x.op in ("//", "%") or any(map(_divides, x.args)))


def by_products(here: Sequent, goal: Term) -> Answer:
    """Prove a goal by polynomials in parameters, by cases where it hangs on choices."""
    stated = here.stated(goal)
    for search in stated.searches():
        by = search.by_polynomials(stated.goal) if len(search.given) <= MAX_GIVEN else None
        if by is not None:
            return _proved("polynomials", stated, search, by)
    # Minima and maxima may be choices, too.
    for written in (stated, *([here.stated(goal, choices=True)] if stated.chooses else [])):
        for search in written.searches():
            by = search.by_cases(written.goal)
            if by is not None:
                return _proved("polynomials, by cases", written, search, by)
    return Answer("open", reason="polynomials do not show it")


def _proved(how: str, stated: Stated, search: Search, by: By) -> Answer:
    return Answer("proved", how, (ARITHMETIC,), shown=stated.shown(by, search.given))
