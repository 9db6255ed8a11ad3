"""A proof found once more by each of several solvers, on its own.

The lemmas of `structural.py` are theorems under `proofs/lemmas/`. The engine must not be the one
witness of its own rules: with `@theorem(solvers=("z3", "cvc5"))` a claim counts as proved only when
each of these solvers answers "unsat" to the whole claim's query, beside the engine's verdict.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from symcute.claims import Claim
from symcute.claims.base import NoQuery
from symcute.errors import SymcuteError
from symcute.expr.assumptions import Given
from symcute.prover.verdict import Verdict
from symcute.solve import solvers
from symcute.solve.entailment import Entailment, facts

__all__ = ["by_each"]


def by_each(verdict: Verdict, given: Given, names: Sequence[str], timeout: float = 60.0) -> Verdict:
    """Return a proved verdict that rests on each of the solvers as well, or an unknown one.

    A verdict that is not "proved" is returned as it is. Unknown, with that reason, is a claim that
    a solver does not prove with its usual work, or within `timeout` seconds, and any claim when a
    solver is not installed: what was to be proved twice was then not.

    >>> from symcute import prove
    >>> given = ["u >= 0", "u <= R", "d > R"]
    >>> verdict = by_each(prove("u < d", given), given, ["z3"])
    >>> verdict.status, verdict.how
    ('proved', 'structural: formula + smt: z3')
    """
    if verdict.status != "proved":
        return verdict
    known = facts(given)
    rests_on = list(verdict.rests_on)
    for part in verdict.claim.parts():
        for name in names:
            said = _ask(part, known, name, timeout)
            if said is not None:
                return replace(
                    verdict, status="unknown", how="", reason=said, certificate=None, rests_on=()
                )
    rests_on += [f"{name} {solvers.version(name)}" for name in names]
    how = " + ".join([*verdict.how.split(" + "), *(f"smt: {name}" for name in names)])
    return replace(verdict, how=how, rests_on=tuple(dict.fromkeys(rests_on)))


def _ask(claim: Claim, known: Entailment, name: str, timeout: float) -> str | None:
    """Return why a solver does not prove a primitive claim, or None when it does."""
    query = known.query(claim.dims())
    try:
        claim.encode(query)
        answer = solvers.solve(query.script(), timeout=timeout, solver=name)
    except NoQuery:
        return f"{name} cannot be asked: {claim.text()} has no query"
    except SymcuteError as error:
        return f"{name} was to prove it too: {error}"
    if answer.status == "sat":
        return f"{name} contradicts the proof; please report it"
    if answer.status == "unknown":
        return f"{name} was to prove it too: {answer.reason}"
    if not all(known.discharges(condition) for condition in query.conditions):
        return "the query divides by what is not known to divide"
    return None
