"""Tiers: polynomials that hold for all values of what is in them, by elimination or by products."""

from __future__ import annotations

from collections.abc import Callable

from symcute.expr.node import Node, Term
from symcute.solve.obligation import ARITHMETIC, Answer, Shown
from symcute.solve.obligations import By
from symcute.solve.search import MAX_GIVEN, Search
from symcute.solve.sequent import Sequent
from symcute.solve.stated import Stated

__all__ = [
    "by_elimination", "by_named", "by_plain", "by_products", "divides", "eliminated", "in_cases",
    "multiplied",
]  # fmt: skip


def by_elimination(here: Sequent, goal: Term) -> Answer | None:
    """Prove a goal by bounds that are polynomials as they stand, quotients by names of theirs."""
    return by_plain(here, goal) or by_named(here, goal)


def by_plain(here: Sequent, goal: Term) -> Answer | None:
    """Prove a goal by bounds that are polynomials as they stand."""
    shown = eliminated(here.stated(goal))
    return None if shown is None else _proved("polynomials", shown)


def by_named(here: Sequent, goal: Term) -> Answer | None:
    """Prove a goal by bounds, where names stand for the quotients and remainders in it."""
    if not divides(goal):
        return None
    shown = eliminated(here.stated(goal, named=True))
    return None if shown is None else _proved("polynomials", shown)


def divides(x: Term) -> bool:
    """Return whether something in a term is divided, as what a mask has bits of is."""
    if not isinstance(x, Node):
        return False
    masked = x.op in ("&", "|", "^") and any(type(y) is int for y in x.args)
    return masked or x.op in ("//", "%") or any(map(divides, x.args))


def by_products(here: Sequent, goal: Term) -> Answer:
    """Prove a goal by polynomials in parameters, by cases where it hangs on choices."""
    stated = here.stated(goal)
    shown = multiplied(stated)
    if shown is None:
        # Minima and maxima may be choices, too.
        choices = here.stated(goal, choices=True) if stated.chooses else None
        shown = in_cases(stated) or (None if choices is None else in_cases(choices))
        if shown is None:
            return Answer("open", reason="polynomials do not show it")
        return _proved("polynomials, by cases", shown)
    return _proved("polynomials", shown)


def eliminated(stated: Stated) -> Shown | None:
    """Return a proof by bounds that are polynomials as they stand, or None."""
    return _first(stated, lambda search: search.eliminated(stated.goal))


def multiplied(stated: Stated) -> Shown | None:
    """Return a proof by polynomials in parameters, or None."""

    def found(search: Search) -> By | None:
        return search.by_polynomials(stated.goal) if len(search.given) <= MAX_GIVEN else None

    return _first(stated, found)


def in_cases(stated: Stated) -> Shown | None:
    """Return a proof by the alternatives of hypotheses, or None."""
    return _first(stated, lambda search: search.by_cases(stated.goal))


def _first(stated: Stated, road: Callable[[Search], By | None]) -> Shown | None:
    """Return the proof under the fewest hypotheses."""
    for search in stated.searches():
        by = road(search)
        if by is not None:
            return stated.shown(by, search.given)
    return None


def _proved(how: str, shown: Shown) -> Answer:
    return Answer("proved", how, (ARITHMETIC,), shown=shown)
