"""promises_kept: what the programmer says of values is so wherever a thread comes by."""

from __future__ import annotations

from collections.abc import Iterator

from symcute.expr.node import Term
from symcute.expr.terms import negate, show
from symcute.kernel.properties.context import Context
from symcute.kernel.properties.question import Question, about, settled, under
from symcute.solve.obligation import Answer

__all__ = ["promises_kept"]


def promises_kept(context: Context) -> Iterator[Question]:
    """Yield, for every promise, that it is kept; one that is not understood is never proved."""
    for p in context.map.promises:
        claim, remedy = "is so", None
        if p.truth is None:
            quick, patient = settled(Answer("open", reason=f"what {p.name} says is not followed"))
        else:
            claim = f"says {show(p.truth)}"
            guard, truth = _said(context, p.guard, p.truth)
            quick, patient = about(context.at(guard), truth)
            remedy = under(context.at(guard), truth)
        yield Question(
            "promises_kept",
            p.place,
            p.name,
            claim,
            quick,
            patient,
            needs=p.needs,
            variables=p.variables,
            under=remedy,
        )


def _said(context: Context, guard: tuple[Term, ...], truth: Term) -> tuple[tuple[Term, ...], Term]:
    """Return what has to be so where: that nothing comes to a place, as the last branch's opposite.

    That is shown more readily than a contradiction.
    """
    ranges = frozenset(context.axis_facts(tuple(context.extents)))
    branch = next((g for g in reversed(guard) if g not in ranges), None)
    if truth is not False or branch is None:
        return guard, truth
    return tuple(g for g in guard if g != branch), negate(branch)
