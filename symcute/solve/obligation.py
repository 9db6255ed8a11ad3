"""What is asked of the tiers, and what they answer: proved, refuted by a model, or open."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any, Literal

from symcute.expr.node import Term
from symcute.solve.obligations import By

__all__ = ["ARITHMETIC", "ENUMERATION", "Answer", "Obligation", "Shown"]

#: What a proof rests on.
ARITHMETIC, ENUMERATION = "arithmetic", "enumeration of all points"


@dataclass(frozen=True)
class Shown:
    """A goal in the words of certificates, the hypotheses that its proof numbers, and the proof.

    `overlap` are those of them that fail, with the others, where it matters; `derived` are what
    follows from the others and what there is `beside` them, one after another.
    """

    goal: Term
    given: tuple[Term, ...]
    by: By
    dims: frozenset[str]
    overlap: tuple[Term, ...] = ()
    derived: tuple[Term, ...] = ()
    beside: tuple[Term, ...] = ()


@dataclass(frozen=True)
class Obligation:
    """A goal under hypotheses, and the dims, which are at least 1 unless a hypothesis says else.

    `digits` are pairs of names, of two threads, in the order in which they are shown to be equal;
    `overlap` the hypotheses that fail where they are not. `shown` is the proof, if the tier that
    answered has one.
    """

    hypotheses: tuple[Term, ...]
    goal: Term
    dims: frozenset[str]
    digits: tuple[tuple[str, str], ...] = ()
    overlap: tuple[Term, ...] = ()
    shown: Shown | None = None


@dataclass(frozen=True)
class Answer:
    """What is known of an obligation: proved, refuted in integers by a model, or open.

    `shown` is the proof, `obligations` what was proved; `document` is the certificate where there
    is one already; `said` what was found, where the question asks for a number.
    """

    status: Literal["proved", "refuted", "open"]
    how: str = ""
    rests_on: tuple[str, ...] = ()
    model: dict[str, int] = field(default_factory=dict)
    reason: str = ""
    shown: Shown | None = None
    obligations: tuple[Obligation, ...] = ()
    document: dict[str, Any] | None = None
    said: str = ""

    def about(self, asked: Obligation) -> Answer:
        """Return the answer with what it shows, if it is proved."""
        if self.status != "proved":
            return self
        return replace(self, obligations=(replace(asked, shown=self.shown),), model={})
