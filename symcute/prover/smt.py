"""Proofs by solver: a whole claim as one query, and the obligations of a proof once more.

A claim is proved when the query "a counterexample exists" is unsatisfiable and every side condition
the query rests on is proved. A model is a counterexample only after its re-evaluation in plain
integers.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from symcute.claims import Claim
from symcute.claims.base import NoQuery
from symcute.errors import InputError
from symcute.expr.formula import Formula, any_of, not_
from symcute.prover.certificate import Cases, Proof
from symcute.prover.decision import Disproved, Open, Settled, Step
from symcute.solve import solvers
from symcute.solve.entailment import Entailment

__all__ = ["by_solver", "confirm"]

#: The work of the solver to confirm one obligation of a structural proof.
CONFIRM_WORK = 500


def by_solver(claim: Claim, known: Entailment, work: int) -> Settled | Disproved | Open:
    """Ask the solvers, in turn, for a counterexample over natural coordinates."""
    query = known.query(claim.dims())
    try:
        claim.encode(query)
    except NoQuery:
        return Open("this claim has no query")
    answer = solvers.portfolio(query.script(), work=work)
    if answer.status == "unknown":
        return Open(answer.reason + " (--work)" * (answer.limit == "work"))
    if answer.status == "sat":
        values = {k: v for k, v in answer.model.items() if k in claim.dims()}
        values |= {k: v for k, v in answer.model.items() if k in known.assumptions.dims()}
        try:
            failure = claim.at(values).fails_at(answer.model)
        except InputError as error:
            return Open(f"{answer.solver} gave a model that cannot be evaluated ({error})")
        if failure is None or not known.assumptions.hold(values):
            return Open(f"{answer.solver} gave a model that is no counterexample when evaluated")
        return Disproved(f"smt: {answer.solver}", values, failure)
    for condition in query.conditions:
        if not known.discharges(condition):
            return Open("the query divides by what is not known to divide")
    hints = {"solver": answer.solver, "version": answer.version}
    return Settled(
        f"smt: {answer.solver}",
        Step("solver", hints),
        rests_on=("arithmetic", f"solver {answer.solver} {answer.version}"),
    )


def confirm(proof: Proof | Cases, known: Entailment) -> bool | Open:
    """Ask Z3 for an instance that breaks an obligation of a proof: a second road to each.

    Returns whether Z3 was asked and proved all of them. A model means that one of the two roads is
    wrong: nothing is claimed then.
    """
    asked: dict[Entailment, list[Formula]] = {}
    for formula, here in _obligations(proof, known):
        if formula.dims():
            asked.setdefault(here, []).append(formula)
    proofs = []
    for here, formulas in asked.items():
        told = _confirmed(formulas, here)
        if told is False and len(formulas) > 1:
            # Which of them it is that the solver does not prove, or contradicts.
            each = [_confirmed([formula], here) for formula in formulas]
            told = next((e for e in each if isinstance(e, Open)), all(each))
        if isinstance(told, Open):
            return told
        proofs.append(told)
    return bool(proofs) and all(proofs)


def _confirmed(formulas: Sequence[Formula], known: Entailment) -> bool | Open:
    """Ask Z3 for an instance that breaks one of some obligations; several cost as much as one."""
    query = known.query({name for formula in formulas for name in formula.dims()})
    query.assume(any_of(*map(not_, formulas)))
    answer = solvers.solve(query.script(), work=CONFIRM_WORK)
    sure = answer.status != "unknown" and all(known.discharges(c) for c in query.conditions)
    if answer.status == "sat" and sure and len(formulas) == 1:
        return Open(f"{answer.solver} contradicts {formulas[0]}; please report it")
    return answer.status == "unsat" and sure


def _obligations(proof: Proof | Cases, known: Entailment) -> Iterator[tuple[Formula, Entailment]]:
    if isinstance(proof, Cases):
        for assumed, inner in proof.cases:
            yield from _obligations(inner, known.under(assumed))
        return
    for part in proof.parts:
        yield from ((f, known) for f in dict.fromkeys(part.step.all_obligations()))
