"""promises_kept: what the programmer says of values is so wherever a thread comes by."""

from __future__ import annotations

from collections.abc import Iterator

from symcute.expr.terms import show
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
            quick, patient = about(context.at(p.guard), p.truth)
            remedy = under(context.at(p.guard), p.truth)
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
