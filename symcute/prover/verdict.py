"""Verdicts: proved, refuted or unknown; never a bool."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

from symcute.claims import Claim, Counterexample
from symcute.expr.notebook import Shown

__all__ = ["Status", "Verdict"]

Status = Literal["proved", "refuted", "unknown"]


@dataclass(frozen=True)
class Verdict(Shown):
    """What is known about a claim under assumptions.

    `how` names the strategy, `reason` says why nothing is known, `rests_on` lists what one has to
    trust, `certificate` is plain data that says how a proof goes. `vacuous` marks assumptions that
    contradict each other: the status is then unknown.
    """

    claim: Claim
    given: tuple[str, ...]
    status: Status
    how: str
    reason: str = ""
    counterexample: Counterexample | None = None
    certificate: dict[str, Any] | None = None
    rests_on: tuple[str, ...] = ()
    vacuous: bool = False
    seconds: float = field(default=0.0, compare=False)

    def __bool__(self) -> bool:
        """Refuse: there are three verdicts."""
        raise TypeError("a verdict is proved, refuted or unknown; compare .status")

    def __str__(self) -> str:
        """Return the verdict in one line."""
        if self.status == "refuted":
            return f"REFUTED {self.claim.text()}: {self.counterexample}"
        if self.status == "unknown":
            return f"UNKNOWN {self.claim.text()}: {self.reason}"
        return f"PROVED {self.claim.text()} ({self.how})"

    def to_json(self) -> dict[str, Any]:
        """Return plain data."""
        return {
            "claim": self.claim.text(),
            "words": self.claim.words(),
            "given": list(self.given),
            "status": self.status,
            "vacuous": self.vacuous,
            "how": self.how,
            "reason": self.reason,
            "counterexample": self.counterexample.to_json() if self.counterexample else None,
            "certificate": self.certificate,
            "rests_on": list(self.rests_on),
            "seconds": round(self.seconds, 6),
        }
