"""Several claims proved together."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from symcute.claims import Claim
from symcute.errors import InputError
from symcute.expr.assumptions import Assumptions
from symcute.prover import Verdict, prove

__all__ = ["NoInstance", "as_list", "proved"]


class NoInstance(InputError):
    """The assumptions contradict each other."""


def as_list(value: Any, one: tuple[type, ...]) -> list[Any]:
    """Return a list of what was given: one of these classes, or several.

    Errors: InputError for what is neither.
    """
    if isinstance(value, one):
        return [value]
    if not isinstance(value, Iterable):
        raise InputError(f"{value!r} is no claim and no access", "give one of them, or several")
    return list(value)


def proved(
    claims: Iterable[Claim], given: Assumptions, timeout: float
) -> tuple[Verdict, ...] | Verdict:
    """Return the proofs of all claims, or a verdict that is none: a refutation if there is one.

    Errors: NoInstance for assumptions that contradict each other.
    """
    proofs: list[Verdict] = []
    undecided: list[Verdict] = []
    for claim in claims:
        verdict = prove(claim, given, timeout=timeout)
        if verdict.vacuous:
            raise NoInstance(
                f"no instance meets {'; '.join(verdict.given)}", "leave an assumption out"
            )
        if verdict.status == "refuted":
            return verdict
        (proofs if verdict.status == "proved" else undecided).append(verdict)
    return undecided[0] if undecided else tuple(proofs)
