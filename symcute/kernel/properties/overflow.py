"""no_overflow: arithmetic of indices and conditions stays inside the types that C gives it."""

from __future__ import annotations

from collections.abc import Iterator

from symcute.expr.node import Node, Term
from symcute.kernel.access_map import Computation
from symcute.kernel.properties.context import Context
from symcute.kernel.properties.question import Question, about, under

__all__ = ["no_overflow"]


def no_overflow(context: Context, every: bool = False) -> Iterator[Question]:
    """Yield, for every computation of an index or a condition, that it does not wrap.

    Nor divides by 0, nor shifts by what the width does not allow. With `every`, also those that
    reach neither an index nor a condition.
    """
    for k, c in enumerate(context.map.computations):
        if c.role == "other" and not every:
            continue
        goals: list[Term] = []
        if c.divisor is not None:
            goals.append(Node("!=", c.divisor, 0))
        if c.shift is not None:
            goals += [Node("<=", 0, c.shift), Node("<", c.shift, c.type.bits)]
        goals += [Node("<=", c.type.low, c.value), Node("<=", c.value, c.type.high)]
        goal = Node("and", *goals)
        quick, patient = about(context.at(c.guard), goal)
        yield Question(
            "no_overflow",
            c.place,
            f"{c.text or 'arithmetic'}",
            f"inside {type_text(c)}",
            quick,
            patient,
            needs=c.needs,
            computation=k,
            under=under(context.at(c.guard), goal),
        )


def type_text(c: Computation) -> str:
    """Return the name of the type in which a result must fit."""
    kind = "signed" if c.type.signed else "unsigned"
    return f"{c.type.bits}-bit {kind} integers"
