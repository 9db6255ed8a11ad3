"""A question about a kernel with what became of it, while it is worked on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from symcute.kernel.access_map import Computation
from symcute.kernel.budget import Road
from symcute.kernel.events import Event
from symcute.kernel.findings import Example
from symcute.kernel.properties.question import Question
from symcute.solve.obligation import Answer

__all__ = ["Item", "fits"]

NOT_ASKED = Answer("open", reason="not decided")


@dataclass(eq=False)
class Item:
    """A question, its answer so far, and what an execution showed.

    `ends` has what was answered at the end of each road that came to its end.
    """

    question: Question
    answer: Answer = NOT_ASKED
    ends: dict[Road, Answer] = field(default_factory=dict)
    example: Example | None = None
    suspect: str = ""
    contradicted: Example | None = None


def fits(item: Item, event: Event, computations: Sequence[Computation]) -> bool:
    """Return whether an event is about what a question asks."""
    q = item.question
    if event.array:
        return q.subject.startswith(f"{event.array}[")
    if event.alone() != q.alone or (event.access is not None and event.access not in q.accesses):
        return False
    if event.wrap is not None and q.computation is not None:
        c = computations[q.computation]
        return (c.type, c.conversion) == event.wrap
    if event.kinds and q.accesses:
        return {a.kind for a in q.accesses} == event.kinds
    return True
