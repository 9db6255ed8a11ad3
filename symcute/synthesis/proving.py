"""Several claims proved together."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from symcute.claims import Claim
from symcute.errors import InputError
from symcute.expr.assumptions import Assumptions
from symcute.expr.notebook import Shown
from symcute.prover import Verdict, prove

__all__ = ["Least", "NoInstance", "NotFound", "as_list", "proved"]


class Least(Shown, ABC):
    """What was found, the proofs of all claims with it, and what became of each smaller one."""

    proofs: tuple[Verdict, ...]

    @property
    @abstractmethod
    def tried(self) -> list[tuple[str, Verdict]]:
        """The smaller ones as text, each with the verdict of a claim that is not proved there."""

    @property
    def minimal(self) -> bool:
        """Whether every smaller one is refuted; else some of them are not decided."""
        return all(v.status == "refuted" for _, v in self.tried)


@dataclass(frozen=True)
class NotFound:
    """Nothing was found: all that was tried, each with the verdict of a claim not proved there."""

    tried: list[tuple[str, Verdict]]
    #: How the verdicts are written as data.
    fields: dict[str, Any]

    def to_json(self) -> dict[str, Any]:
        """Return plain data."""
        return self.fields


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
