"""Certificates: a proof as a document that others can check.

Their form: `docs/reference/certificates.md`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from symcute.expr.formula import Formula
from symcute.prover.decision import Settled
from symcute.recheck import written
from symcute.solve.obligations import By, Parametrisation

__all__ = ["Cases", "Proof", "certificate", "solvers_of"]

#: The numbers of the parametrisations that proofs use, by their definitions.
Numbers: TypeAlias = dict[tuple[tuple[str, ...], ...], int]


@dataclass(frozen=True)
class Proof:
    """Proofs of what a claim needs to have a value, and of each of its primitive claims."""

    defined: tuple[By, ...]
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

    What the claim says stands in it as text and as data.

    >>> from symcute.prover import prove
    >>> prove("1 <= M").certificate["proof"]
    {'defined': [], 'parts': [{'lemma': 'formula', 'by': [['sum', 0]]}]}
    """
    numbers: Numbers = {}
    found = _proof(proof, numbers)
    return written(
        {
            "claim": claim,
            "given": list(given),
            "operations": list(operations),
            "proof": found,
            "parametrisations": list(numbers),
            "rests_on": sorted(rests_on),
        }
    )


def _proof(proof: Proof | Cases, numbers: Numbers) -> dict[str, Any]:
    if isinstance(proof, Cases):
        found = [_proof(inner, numbers) for _, inner in proof.cases]
        if proof.given is not None:
            return {"either": proof.given, "proofs": found}
        return {"case": str(proof.cases[0][0]), "then": found[0], "else": found[1]}
    return {
        "defined": [_plain(by, numbers) for by in proof.defined],
        "parts": [_part(part, numbers) for part in proof.parts],
    }


def _part(part: Settled, numbers: Numbers) -> dict[str, Any]:
    found: dict[str, Any] = {"lemma": part.step.lemma, **part.step.hints}
    if part.step.lemma == "residues":
        return found | {"parametrisation": _plain(found["parametrisation"], numbers)}
    if part.step.lemma not in ("evaluate", "solver"):
        found["by"] = [_plain(by, numbers) for by in part.proofs]
    return found | {key: _part(inner, numbers) for key, inner in part.inner.items()}


def _plain(by: By, numbers: Numbers) -> Any:
    """Return how an obligation is settled as plain data, parametrisations by their numbers."""
    if isinstance(by, Parametrisation):
        return numbers.setdefault(by.text, len(numbers))
    if isinstance(by, Formula):
        return str(by)
    return [_plain(x, numbers) for x in by] if isinstance(by, (tuple, list)) else by


def solvers_of(by: By) -> set[str]:
    """Return the solvers, with their versions, on whose answers an obligation's proof rests."""
    if not isinstance(by, (tuple, list)) or not by:
        return set()
    if by[0] == "solver":
        return {f"solver {by[1]} {by[2]}"}
    return set().union(*(solvers_of(x) for x in by))
