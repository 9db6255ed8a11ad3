"""Certificates: a proof as a document that others can check.

Their form: `docs/reference/certificates.md`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, TypeAlias

from symcute.expr.formula import Formula
from symcute.prover.decision import Settled
from symcute.solve.obligations import By, Parametrisation

__all__ = ["VERSION", "Cases", "Proof", "certificate", "solvers_of"]

#: The numbers of the ways that proofs use, by their definitions.
Ways: TypeAlias = dict[tuple[tuple[str, ...], ...], int]
#: The version of the format.
VERSION = 3


@dataclass(frozen=True)
class Proof:
    """Proofs of what a claim needs to make sense, and of each of its primitive claims."""

    sense: tuple[By, ...]
    parts: tuple[Settled, ...]


@dataclass(frozen=True)
class Cases:
    """A proof by cases, each with the formula that is assumed in it.

    The formulas are those of a disjunction that assumption number `given` states, or, where that is
    None, a formula and its negation.
    """

    given: int | None
    cases: tuple[tuple[Formula, Proof | Cases], ...]


def certificate(
    claim: str,
    given: Sequence[str],
    proof: Proof | Cases,
    rests_on: Iterable[str],
    operations: Iterable[tuple[str, str]] = (),
) -> dict[str, Any]:
    """Return the document that says how a claim is proved; operations in it have their results.

    >>> from symcute.prover import prove
    >>> prove("1 <= M").certificate["proof"]
    {'sense': [], 'parts': [{'lemma': 'formula', 'by': [['way', 0]]}]}
    """
    ways: Ways = {}
    document = {
        "version": VERSION,
        "claim": claim,
        "given": list(given),
        "operations": [list(pair) for pair in operations],
        "proof": _proof(proof, ways),
        "ways": [],
        "rests_on": sorted(rests_on),
    }
    document["ways"] = [[list(definition) for definition in way] for way in ways]
    document["digest"] = sha256(_canonical(document).encode("ascii")).hexdigest()
    return document


def _canonical(document: Mapping[str, Any]) -> str:
    return json.dumps(document, sort_keys=True, separators=(",", ":"))


def _proof(proof: Proof | Cases, ways: Ways) -> dict[str, Any]:
    if isinstance(proof, Cases):
        found = [_proof(inner, ways) for _, inner in proof.cases]
        if proof.given is not None:
            return {"either": proof.given, "proofs": found}
        return {"case": str(proof.cases[0][0]), "then": found[0], "else": found[1]}
    return {
        "sense": [_plain(by, ways) for by in proof.sense],
        "parts": [_part(part, ways) for part in proof.parts],
    }


def _part(part: Settled, ways: Ways) -> dict[str, Any]:
    found: dict[str, Any] = {"lemma": part.step.lemma, **part.step.hints}
    if part.step.lemma == "residues":
        return found | {"way": _plain(found["way"], ways)}
    if part.step.lemma not in ("evaluate", "exact", "solver"):
        found["by"] = [_plain(by, ways) for by in part.proofs]
    return found | {key: _part(inner, ways) for key, inner in part.inner.items()}


def _plain(by: By, ways: Ways) -> Any:
    """Return how an obligation is settled as plain data, ways by their numbers."""
    if isinstance(by, Parametrisation):
        return ways.setdefault(by.text, len(ways))
    if isinstance(by, Formula):
        return str(by)
    return [_plain(x, ways) for x in by] if isinstance(by, (tuple, list)) else by


def solvers_of(by: By) -> set[str]:
    """Return the solvers, with their versions, on whose answers an obligation's proof rests."""
    if not isinstance(by, (tuple, list)) or not by:
        return set()
    if by[0] == "solver":
        return {f"solver {by[1]} {by[2]}"}
    return set().union(*(solvers_of(x) for x in by))
