"""A question about one place of a kernel: what is asked, and how it is answered."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from symcute.access.access_map import Access, Term
from symcute.access.program import Place
from symcute.access.properties.obligations import Answer, Clock, Situation

__all__ = ["Question", "Ways", "about", "settled", "under"]

#: The quick and the patient way to an answer.
Ways: TypeAlias = "tuple[Callable[[], Answer], Callable[[Clock], Answer]]"


@dataclass(frozen=True)
class Question:
    """Something that must hold at a place, or of two places.

    `subject` says what it is about, `claim` what must hold. The answer counts on the machine when
    none of the computations in `needs` wraps. `doubt` says why it cannot be proved whatever the
    answer, `rests_on` what a proof takes for granted besides. `accesses` are those that a model
    speaks of; the names of two threads end in `__1` and `__2`. `under` says whether it would be
    proved if more were assumed.
    """

    property: str
    place: Place
    subject: str
    claim: str
    quick: Callable[[], Answer]
    patient: Callable[[Clock], Answer]
    needs: frozenset[int] = frozenset()
    doubt: str = ""
    rests_on: tuple[str, ...] = ()
    accesses: tuple[Access, ...] = ()
    other: Place | None = None
    computation: int | None = None
    under: Callable[[Term], bool] | None = None


def about(here: Situation, goal: Term) -> Ways:
    """Return the quick and the patient way to decide a goal in a situation."""
    return lambda: here.quickly(goal), lambda clock: here.patiently(goal, clock)


def settled(answer: Answer) -> Ways:
    """Return ways that both say what is known already."""

    def quick() -> Answer:
        return answer

    def patient(clock: Clock) -> Answer:
        return answer

    return quick, patient


def under(here: Situation, goal: Term) -> Callable[[Term], bool]:
    """Return whether a goal is quickly proved in a situation where more is assumed."""
    return lambda more: here.extended([more]).quickly(goal).status == "proved"
