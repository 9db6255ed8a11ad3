"""What a strategy returns: it settles a primitive claim, or hands it on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from symcute.expr.formula import Formula
from symcute.solve.obligations import By

__all__ = ["Disproved", "Open", "Settled", "Step"]


@dataclass(frozen=True)
class Step:
    """A lemma applied to a primitive claim: its hints, and what it asks to be proved.

    Lemmas, hints and the order of the obligations are those of `docs/reference/certificates.md`.
    `inner` are the steps for what a lemma leaves to another ("rest", "outer"). A step is a
    suggestion until every obligation, those of inner steps included, has a proof.
    """

    lemma: str
    hints: Mapping[str, Any] = field(default_factory=dict)
    obligations: tuple[Formula, ...] = ()
    inner: Mapping[str, Step] = field(default_factory=dict)

    def all_obligations(self) -> Iterator[Formula]:
        """Yield the obligations of this step and of those inside it."""
        yield from self.obligations
        for step in self.inner.values():
            yield from step.all_obligations()


@dataclass(frozen=True)
class Settled:
    """Proved: by which strategy, the lemma, and how its obligations are settled.

    `proofs` has one entry for each obligation of the step itself, `inner` those of the steps
    inside; `rests_on` lists what one has to trust.
    """

    how: str
    step: Step
    proofs: tuple[By, ...] = ()
    inner: Mapping[str, Settled] = field(default_factory=dict)
    rests_on: tuple[str, ...] = ()


@dataclass(frozen=True)
class Disproved:
    """Refuted at these dims; `text` says what goes wrong, evaluated in plain integers."""

    how: str
    dims: Mapping[str, int]
    text: str


@dataclass(frozen=True)
class Open:
    """Not settled here, and why."""

    reason: str
