"""How a claim was decided, step by step, from what its verdict records: nothing is added."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from symcute.claims import Claim
from symcute.report.proofs import Step, step, told
from symcute.report.working import worked

__all__ = ["steps"]


def steps(claim: Claim, part: Mapping[str, Any]) -> list[Step]:
    """Return the steps by which a claim was decided; `part` is its verdict as plain data.

    A step has a kind, a text, a level (how deep it stands in cases and lemmas), and items: what it
    shows, each with the reason.

    >>> from symcute import prove
    >>> verdict = prove("injective((M,N):(LD,1))", ["LD >= N"])
    >>> found = steps(verdict.claim, verdict.to_json())
    >>> [s["kind"] for s in found]
    ['dims', 'defined', 'lemma']
    >>> for item in found[0]["items"]:
    ...     print(item["shows"], "|", item["because"])
    N = 1 + N' | N is at least 1
    LD = N + LD' | assumed: N <= LD
    M = 1 + M' | M is at least 1
    """
    if part["status"] == "proved":
        return [*told(part["certificate"]), *_again(part["rests_on"])]
    if part["status"] == "refuted":
        return list(worked(claim, part))
    return list(_stopped(part))


def _again(rests_on: list[str]) -> Iterator[Step]:
    """Yield who proved it once more."""
    for name in rests_on:
        solver = name.removeprefix("confirmed by ")
        if solver != name:
            yield step("confirmed", f"{solver} proved each obligation once more.")
        elif name.startswith(("z3 ", "cvc5 ")):
            yield step("confirmed", f"{name} proved the whole claim as well, on its own.")


def _stopped(part: Mapping[str, Any]) -> Iterator[Step]:
    """Yield why nothing is known, in the parts in which the reason was given."""
    reason = part["reason"]
    if part["vacuous"]:
        yield step("vacuous", f"{reason[:1].upper()}{reason[1:]}. Such a claim counts as unknown.")
        return
    for text in reason.split("; "):
        yield step("stopped", f"{text[:1].upper()}{text[1:]}.")
