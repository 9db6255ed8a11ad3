"""Proofs by solver: the whole claim as one query, and the obligations of a lemma once more.

A claim is proved when the query "a counterexample exists" is unsatisfiable and every side condition
the query rests on is proved. A model is a counterexample only after its re-evaluation in plain
integers.
"""

from __future__ import annotations

from dataclasses import replace

from symcute import solvers
from symcute.claims import Claim
from symcute.errors import InputError
from symcute.facts import Facts
from symcute.formula import not_
from symcute.prover.decision import Disproved, Open, Settled

__all__ = ["by_solver", "confirm"]


def by_solver(claim: Claim, known: Facts, timeout: float) -> Settled | Disproved | Open:
    """Ask Z3 for a counterexample over natural coordinates."""
    query = known.query(claim.dims())
    try:
        claim.encode(query)
    except NotImplementedError:
        return Open("this claim has no query")
    script = query.script()
    answer = solvers.solve(script, timeout=timeout)
    if answer.status == "unknown":
        return Open(f"{answer.solver}: {answer.reason}")
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
    name = f"{answer.solver} {answer.version}"
    return Settled(
        f"smt: {answer.solver}",
        "smt",
        (),
        (name,),
        {"smt2": [script]},
    )


#: Seconds the solver gets to confirm one obligation of a structural proof.
CONFIRM_SECONDS = 0.5
ARITHMETIC = "integer polynomial arithmetic in symcute"


def confirm(settled: Settled, known: Facts) -> Settled | Open:
    """Ask Z3 for an instance that breaks an obligation of a structural proof.

    Polynomials settled most obligations; for those the solver is a second road: "unknown" leaves
    the proof resting on the polynomials. What the solver alone settled is said to rest on it alone.
    A model means that one of the two is wrong: nothing is claimed.
    """
    solver = f"z3 {solvers.version('z3')}"
    alone = any(o in known.solver_alone for o in settled.obligations)
    rests_on = (ARITHMETIC, f"{solver} alone, for an obligation") if alone else (ARITHMETIC,)
    scripts = []
    for obligation in settled.obligations:
        query = known.query(obligation.dims())
        query.assume(not_(obligation))
        answer = solvers.solve(query.script(), timeout=CONFIRM_SECONDS)
        if answer.status == "sat":
            return Open(f"{answer.solver} contradicts the lemma {settled.lemma}; please report it")
        if answer.status == "unknown" or not all(known.discharges(c) for c in query.conditions):
            return replace(settled, rests_on=rests_on)
        scripts.append(query.script())
    if scripts and not alone:
        rests_on = (*rests_on, solver)
    return replace(settled, rests_on=rests_on, details={"smt2": scripts})
