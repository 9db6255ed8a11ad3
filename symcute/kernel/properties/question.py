"""A question about one place of a kernel: what is asked, and how it is answered."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import TypeAlias

from symcute.expr.node import Term
from symcute.kernel.access_map import Access, Variable
from symcute.kernel.ir.place import Place
from symcute.solve.obligation import Answer, Obligation
from symcute.solve.sequent import Sequent
from symcute.solve.tiers import patiently, quickly

__all__ = ["Common", "Question", "Ways", "about", "all_proved", "settled", "under"]

#: What keeps threads from being at two accesses at the same time.
ORDER = "the order that barriers give"
#: The quick and the patient way to an answer.
Ways: TypeAlias = "tuple[Callable[[], Answer], Callable[[], Answer]]"


@dataclass(eq=False)
class Common:
    """What answers `count` questions together; what is open without a reason says nothing of them.

    `tried` is the work that each road was given so far, `found` what it came to at its end.
    """

    quick: Callable[[], Answer]
    patient: Callable[[], Answer]
    count: int
    tried: dict[str, float] = field(default_factory=dict)
    found: dict[str, Answer] = field(default_factory=dict)

    def told(self, road: str) -> Answer | None:
        """Return what is known for each of the questions: a proof, or why none is to be had."""
        every = (self.found.get(r) for r in ("quick", road))
        return next((a for a in every if a and (a.status == "proved" or a.reason)), None)


@dataclass(frozen=True)
class Question:
    """Something that must hold at a place, or of two places.

    `subject` says what it is about, `claim` what must hold. The answer counts on the machine when
    none of the computations in `needs` wraps. `unsupported` says why it cannot be proved whatever
    the answer, `rests_on` what a proof takes for granted besides. `accesses` are those that a model
    speaks of, with other `variables`; the names of two threads end in `__1` and `__2`. `under` says
    whether it would be proved if more were assumed, `unordered` what the answer is whatever
    barriers order. `alone`: of two accesses it is asked for each thread by itself. `endless` says
    why a thread may wait for ever before, so that it may not come to a barrier: then nobody gets
    behind that, and what comes before and behind it is ordered all the same. `common` is what is
    asked before it of it and others.
    """

    property: str
    place: Place
    subject: str
    claim: str
    quick: Callable[[], Answer]
    patient: Callable[[], Answer]
    needs: frozenset[int] = frozenset()
    unsupported: str = ""
    rests_on: tuple[str, ...] = ()
    accesses: tuple[Access, ...] = ()
    other: Place | None = None
    variables: tuple[Variable, ...] = ()
    computation: int | None = None
    under: Callable[[Term], bool] | None = None
    unordered: Callable[[], Answer] | None = None
    alone: bool = False
    endless: str = ""
    common: Common | None = None


def about(here: Sequent, goal: Term) -> Ways:
    """Return the quick and the patient way to decide a goal in a sequent."""
    return lambda: quickly(here, goal), lambda: patiently(here, goal)


def settled(answer: Answer) -> Ways:
    """Return ways that both say what is known already."""

    return lambda: answer, lambda: answer


def under(here: Sequent, goal: Term) -> Callable[[Term], bool]:
    """Return whether a goal is quickly proved in a sequent where more is assumed."""
    return lambda more: quickly(here.extended([more]), goal).status == "proved"


def all_proved(answers: Iterable[Answer]) -> Answer:
    """Return the proof of all that is asked, or the first answer that is none."""
    hows: dict[str, None] = {}
    rests: dict[str, None] = {}
    shown: list[Obligation] = []
    for answer in answers:
        if answer.status != "proved":
            return answer
        hows[answer.how] = None
        rests.update(dict.fromkeys(answer.rests_on))
        shown += answer.obligations
    how = " and ".join(hows) or "never at the same time"
    return Answer("proved", how, tuple(rests) or (ORDER,), obligations=tuple(shown))
