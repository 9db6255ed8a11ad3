"""prove(claim, given=[...]): the strategies in order, and the verdict they lead to.

Static claims are decided exactly. Symbolic ones go to the lemmas, to small instances (which
refute), then to the solver. A counterexample is re-evaluated in plain integers before it is
reported. What is proved carries a certificate that says on what it rests.
"""

from __future__ import annotations

import time
from dataclasses import replace
from typing import Any

from symcute.assumptions import Assumptions, Given
from symcute.claims import Claim, Counterexample, Holds
from symcute.errors import InputError
from symcute.exprs import divisors_of, is_symbolic
from symcute.facts import Facts, facts
from symcute.formula import Formula, le
from symcute.htuple import leaves, show_leaf
from symcute.language import read_claim
from symcute.poly import ONE, lower
from symcute.prover import static, structural
from symcute.prover.decision import Disproved, Open, Settled
from symcute.prover.smt import by_solver, confirm
from symcute.prover.verdict import Verdict
from symcute.smtlib import Condition, Query

__all__ = ["Verdict", "check", "prove"]

#: How many small instances are decided before and after the solver is asked.
FEW, MANY = 40, 400

#: The version of the certificate format.
CERTIFICATE_VERSION = 1


def prove(claim: Claim | Formula | str, given: Given = (), *, timeout: float = 10.0) -> Verdict:
    """Decide a claim for all values of the dims that meet the assumptions.

    `claim` is a claim, a formula over dims, or text in our grammar; `timeout` bounds the seconds
    the solver gets. The verdict is proved, refuted (with a counterexample) or unknown (with a
    reason); contradictory assumptions make it unknown and vacuous.
    Errors: InputError for text or values that make no sense.

    >>> v = prove("injective((M,N):(LD,1))", given=["LD >= N"])
    >>> v.status, v.how
    ('proved', 'structural: chain')
    >>> print(prove("injective((M,N):(LD,1))").counterexample)
    LD=1, M=2, N=2: L(1,0) = L(0,1) = 1 in L = (2,2):(1,1)
    """
    started = time.perf_counter()
    assumptions = Assumptions.of(given)
    if isinstance(claim, str):
        claim = read_claim(claim, given=assumptions)
    elif isinstance(claim, Formula):
        claim = Holds(claim)
    if not isinstance(claim, Claim):
        raise InputError(f"{claim!r} is not a claim", 'write prove("injective((4,8):(8,1))")')
    outcome = _decide(claim, facts(assumptions), timeout)
    seconds = time.perf_counter() - started
    return _verdict(claim, assumptions, outcome, seconds)


def check(claim: Claim | str, **dims: int) -> Counterexample | None:
    """Evaluate a claim by brute force at one instance of the dims.

    Returns what goes wrong, or None when the claim is true there. This is the oracle the strategies
    are tested against, and the call a refutation prints.
    Errors: InputError when a dim is missing, or the domain is too large to enumerate.

    >>> print(check("injective((M,N):(LD,1))", M=2, N=2, LD=1))
    LD=1, M=2, N=2: L(1,0) = L(0,1) = 1 in L = (2,2):(1,1)
    >>> check("injective((M,N):(LD,1))", M=2, N=2, LD=2) is None
    True
    """
    if isinstance(claim, str):
        claim = read_claim(claim)
    missing = sorted(claim.dims() - set(dims))
    if missing:
        raise InputError(f"no value for {', '.join(missing)}", f"give {missing[0]}=...")
    instance = claim.at(dims)
    for part in instance.parts():
        failure = part.brute()
        if failure is not None:
            return Counterexample({k: dims[k] for k in sorted(claim.dims())}, failure)
    return None


def _decide(claim: Claim, known: Facts, timeout: float) -> list[tuple[Claim, Any]]:
    """Return the outcome of every part; the first that is not proved ends the list."""
    contradictory = known.contradictory() if known.assumptions.formulas else False
    if contradictory is not False:
        names = "; ".join(known.assumptions.texts())
        if contradictory:
            return [(claim, _Vacuous(f"vacuous: the assumptions contradict each other: {names}"))]
        return [(claim, Open(f"no instance that meets the assumptions was found: {names}"))]
    malformed = _malformed(claim, known)
    if malformed is not None:
        return [(claim, _refute(claim, known, FEW) or malformed)]
    outcomes: list[tuple[Claim, Any]] = []
    for part in claim.parts():
        outcome = _primitive(part, known, timeout)
        outcomes.append((part, outcome))
        if isinstance(outcome, Disproved):
            return [(part, _completed(outcome, claim, known))]
    return outcomes


def _completed(found: Disproved, claim: Claim, known: Facts) -> Disproved:
    """Give values to the dims of the claim that the part which fails does not speak of."""
    if not found.dims:
        # The part has no dims at all: it fails at every instance.
        return replace(found, dims=next(known.instances(claim.dims(), 1), {}))
    missing = claim.dims() - found.dims.keys()
    return replace(found, dims={**dict.fromkeys(missing, 1), **found.dims})


class _Vacuous(Open):
    """No instance meets the assumptions."""


def _primitive(claim: Claim, known: Facts, timeout: float) -> Settled | Disproved | Open:
    if not claim.dims():
        return _static(claim)
    settled = structural.decide(claim, known)
    if isinstance(settled, Settled):
        return confirm(settled, known)
    refuted = _refute(claim, known, FEW)
    if refuted is not None:
        return refuted
    answer = by_solver(claim, known, timeout)
    if isinstance(answer, Open):
        refuted = _refute(claim, known, MANY)
        return refuted or Open(f"{answer.reason}; no small instance refutes it either")
    return answer


def _static(claim: Claim) -> Settled | Disproved | Open:
    try:
        failure = static.decide(claim)
    except static.TooHard as error:
        return Open(str(error))
    if failure is not None:
        return Disproved("static: exact arithmetic", {}, failure)
    return Settled(
        "static: exact arithmetic", "exact", (), ("exact integer arithmetic in symcute",)
    )


def _refute(claim: Claim, known: Facts, limit: int) -> Disproved | None:
    """Decide small instances; the first that fails is a counterexample."""
    for values in known.instances(claim.dims(), limit):
        try:
            parts = claim.at(values).parts()
        except InputError:
            continue
        for part in parts:
            try:
                failure = static.decide(part)
            except (InputError, static.TooHard):
                continue
            if failure is not None:
                return Disproved("refuted by a small instance", values, failure)
    return None


def _malformed(claim: Claim, known: Facts) -> Open | None:
    """Return why a layout of the claim is none for some dims, or None.

    Extents must be at least 1, every exact quotient an integer, every divisor at least 1.
    """
    for leaf, is_extent in _leaves_of(claim):
        query = Query()
        query.leaf(leaf)
        divisors = [Condition(("positive", lower(x).num, ONE)) for x in divisors_of(leaf)]
        for condition in [*query.conditions, *divisors]:
            if not known.discharges(condition):
                return Open(
                    f'{show_leaf(leaf)} is not known to be an integer; assume "{condition}"'
                )
        if is_extent and not known.proves(le(1, leaf)):
            witness = known.counterexample(le(1, leaf))
            at = ", ".join(f"{k}={v}" for k, v in sorted((witness or {}).items()))
            text = show_leaf(leaf)
            shown = f" (at {at})" if at else ""
            return Open(f'the extent {text} may be less than 1{shown}; assume "{text} >= 1"')
    return None


def _leaves_of(claim: Claim) -> list[tuple[Any, bool]]:
    found = [(s, True) for layout in claim.layouts() for s in leaves(layout.shape)]
    found += [(x, False) for x in claim.leaves()]
    return [(x, e) for x, e in dict.fromkeys(found) if is_symbolic(x)]


def _verdict(
    claim: Claim, assumptions: Assumptions, outcomes: list[tuple[Claim, Any]], seconds: float
) -> Verdict:
    given = assumptions.texts()
    for _, outcome in outcomes:
        if isinstance(outcome, Disproved):
            dims = {k: v for k, v in outcome.dims.items() if k in claim.dims() | assumptions.dims()}
            example = Counterexample(dims, outcome.text)
            return Verdict(
                claim,
                given,
                "refuted",
                outcome.how,
                counterexample=example,
                rests_on=("evaluation in plain integers",),
                seconds=seconds,
            )
    for _, outcome in outcomes:
        if isinstance(outcome, Open):
            vacuous = isinstance(outcome, _Vacuous)
            return Verdict(
                claim, given, "unknown", "", reason=outcome.reason, vacuous=vacuous, seconds=seconds
            )
    how = " + ".join(dict.fromkeys(o.how for _, o in outcomes))
    rests_on = tuple(dict.fromkeys(x for _, o in outcomes for x in o.rests_on))
    certificate = {
        "version": CERTIFICATE_VERSION,
        "claim": claim.text(),
        "given": list(given),
        "dims": {n: assumptions.lower_bound(n) for n in sorted(claim.dims() | assumptions.dims())},
        "parts": [
            {
                "statement": part.text(),
                "lemma": o.lemma,
                "obligations": [str(f) for f in o.obligations],
                "rests_on": list(o.rests_on),
                **o.details,
            }
            for part, o in outcomes
        ],
    }
    return Verdict(
        claim, given, "proved", how, certificate=certificate, rests_on=rests_on, seconds=seconds
    )
