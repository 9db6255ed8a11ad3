"""A claim refuted: small instances at which it makes sense, decided one after the other."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import chain
from typing import NamedTuple

from symcute.claims import Claim, Requests
from symcute.errors import SymcuteError
from symcute.expr import limits
from symcute.prover import requests, static
from symcute.prover.decision import Disproved, Open
from symcute.prover.definedness import Condition, sensible
from symcute.solve.entailment import Entailment

__all__ = ["Case", "confirmed", "refute"]


class Case(NamedTuple):
    """A claim, and what has to hold for it and the assumptions to make sense."""

    claim: Claim
    asked: list[Condition]


def refute(case: Case, known: Entailment, limit: int) -> Disproved | None:
    """Decide small instances; the first that fails is a counterexample."""
    claim = case.claim
    for values in chain(_suspects(claim, known), known.instances(claim.dims(), limit)):
        limits.check()
        failure = _failure(case, values)
        if failure is not None:
            missing = (claim.dims() | known.assumptions.dims()) - values.keys()
            return Disproved(
                "refuted by a small instance", {**dict.fromkeys(missing, 1), **values}, failure
            )
    return None


def _suspects(claim: Claim, known: Entailment) -> Iterator[dict[str, int]]:
    """Yield instances at which a claim about requests may well fail."""
    for part in claim.parts():
        if isinstance(part, Requests):
            yield from requests.suspects(part, known)


def _failure(case: Case, values: dict[str, int]) -> str | None:
    """Return what goes wrong with the claim at an instance where it makes sense, or None."""
    claim = case.claim
    if not sensible(case.asked, values):
        return None
    try:
        parts = claim.at(values).parts()
    except SymcuteError:
        return None
    for k, part in enumerate(parts):
        try:
            failure = static.decide(part)
        except (SymcuteError, static.TooHard):
            continue
        if failure is not None:
            return claim.worded(k, values) or failure
    return None


def confirmed(found: Disproved, case: Case, known: Entailment) -> Disproved | Open:
    """Return the refutation of a part as one of the claim, which may say less than its parts."""
    missing = (case.claim.dims() | known.assumptions.dims()) - found.dims.keys()
    values = {**dict.fromkeys(missing, 1), **found.dims}
    failure = _failure(case, values) if known.assumptions.hold(values) else None
    if failure is None:
        return Open("what the lemmas ask for fails, but no counterexample to the claim was found")
    return replace(found, dims=values, text=failure)
