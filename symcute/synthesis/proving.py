"""Several claims proved together."""

from __future__ import annotations

from collections.abc import Iterable

from symcute.assumptions import Assumptions
from symcute.claims import Claim
from symcute.errors import InputError
from symcute.prover import Verdict, prove

__all__ = ["proved"]


def proved(
    claims: Iterable[Claim], given: Assumptions, timeout: float
) -> tuple[Verdict, ...] | Verdict:
    """Return the proofs of all claims, or a verdict that is none: a refutation if there is one.

    Errors: InputError for assumptions that contradict each other.
    """
    proofs: list[Verdict] = []
    undecided: list[Verdict] = []
    for claim in claims:
        verdict = prove(claim, given, timeout=timeout)
        if verdict.vacuous:
            raise InputError(
                f"no instance meets {'; '.join(verdict.given)}", "leave an assumption out"
            )
        if verdict.status == "refuted":
            return verdict
        (proofs if verdict.status == "proved" else undecided).append(verdict)
    return undecided[0] if undecided else tuple(proofs)
