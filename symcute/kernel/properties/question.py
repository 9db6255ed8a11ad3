"""A question about one place of a kernel: what is asked, and how it is answered."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from symcute.expr.node import Term
from symcute.kernel.access_map import Access, Variable
from symcute.kernel.ir.place import Place
from symcute.solve.obligation import Answer, Obligation
from symcute.solve.sequent import Sequent
from symcute.solve.tiers import patiently, quickly

__all__ = ["Common", "Model", "Question", "Ways", "about", "all_proved", "settled", "under"]

#: What keeps threads from being at two accesses at the same time.
ORDER = "the order that barriers give"
#: The quick and the patient way to an answer.
Ways: TypeAlias = "tuple[Callable[[], Answer], Callable[[], Answer]]"
Model: TypeAlias = "dict[str, int]"


@dataclass(eq=False)
class Common:
    """What answers `count` questions together, if it is proved.

    Where it is refuted, `model` returns what a model is in the names of one of them, or None where
    it is not the one; that `tells` where no execution would show more of the others. Where each
    `waits`, none is asked quickly before the patient way to all of them was taken. `tried` is the
    work that each road was given so far, `found` what it came to at its end.
    """

    quick: Callable[[], Answer]
    patient: Callable[[], Answer]
    count: int
    model: Callable[[Model, tuple[Access, ...]], Model | None]
    tells: bool = False
    waits: bool = False
    tried: dict[str, float] = field(default_factory=dict)
    found: dict[str, Answer] = field(default_factory=dict)

    def told(self, road: str, accesses: tuple[Access, ...], late: bool) -> Answer | None:
        """Return what is known for the question about some accesses, or nothing.

        What is refuted of all is so of those that the model speaks of; others are not asked longer
        where that `tells`, or it is late.
        """
        ends = [self.found[r] for r in ("quick", road) if r in self.found]
        known = next((a for a in ends if a.status != "open"), None)
        if known is None or known.status == "proved":
            return known
        model = self.model(known.model, accesses)
        if model is not None:
            return replace(known, model=model)
        values = ", ".join(f"{k}={v}" for k, v in sorted(known.model.items()))
        reason = f"a copy of it may fail ({values})"
        return Answer("open", reason=reason) if self.tells or late else None


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
    asked before it of it and others. `warps`: a proof may rest on barriers of warps.
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
    warps: bool = False

    def key(self) -> object:
        """Return what it reads like: of the same accesses of a map, and the same of them."""
        about = self.property, self.place, self.other, self.subject, self.claim, self.alone
        return *about, self.computation, *map(id, self.accesses)


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
