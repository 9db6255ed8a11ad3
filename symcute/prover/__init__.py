"""prove(claim, given=[...]): the strategies in order, and the verdict they lead to.

Static claims are decided exactly. Symbolic ones go to the lemmas, to small instances (which
refute), then to the solver. A counterexample is re-evaluated in plain integers before it is
reported. What is proved carries a certificate that others can check.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator

from symcute.claims import Claim, Counterexample, Holds
from symcute.claims.language import read_claim
from symcute.errors import InputError
from symcute.expr import limits
from symcute.expr.assumptions import Assumptions, Given
from symcute.expr.formula import Formula
from symcute.prover.certificate import Cases, Proof, certificate, solvers_of
from symcute.prover.decision import Disproved, Open, Settled
from symcute.prover.definedness import conditions, sensible, with_numbers
from symcute.prover.driver import ARITHMETIC, PRODUCTS, WORK, Outcome, Vacuous, decide
from symcute.prover.smt import confirm as confirm_proof
from symcute.prover.verdict import Verdict
from symcute.solve import solvers
from symcute.solve.entailment import Facts

__all__ = ["Verdict", "check", "prove"]


def prove(
    claim: Claim | Formula | str,
    given: Given = (),
    *,
    timeout: float = 60.0,
    work: int = WORK,
    confirm: bool = False,
) -> Verdict:
    """Decide a claim for all values of the dims that meet the assumptions.

    `claim` is a claim, a formula over dims, or text in our grammar. `work` is what each solver may
    do for a query, in units that it counts itself: 1,000 are about a second of an idle machine. So
    the verdict is the same on a busy one. `timeout` bounds the seconds for the claim; where they
    are over first, the verdict is unknown, and says so. With `confirm`, Z3 is asked for every
    obligation of a structural proof as well; one that it contradicts is no proof. The verdict is
    proved, refuted (with a counterexample) or unknown (with a reason); contradictory assumptions
    make it unknown and vacuous.
    Errors: InputError for text, values or limits that make no sense.

    >>> v = prove("injective((M,N):(LD,1))", given=["LD >= N"])
    >>> v.status, v.how
    ('proved', 'structural: chain')
    >>> print(prove("injective((M,N):(LD,1))").counterexample)
    LD=1, M=2, N=2: L(1,0) = L(0,1) = 1 in L = (2,2):(1,1)
    """
    started = time.perf_counter()
    if not isinstance(timeout, int | float) or not 0 < timeout < math.inf:
        raise InputError(f"{timeout!r} is no time limit", "give seconds, as timeout=30")
    if not isinstance(work, int) or isinstance(work, bool) or work < 1:
        raise InputError(f"{work!r} is no work limit", f"give a number, as work={WORK}")
    assumptions = Assumptions.of(given)
    if isinstance(claim, str):
        claim = read_claim(claim, given=assumptions)
    elif isinstance(claim, Formula):
        claim = Holds(claim)
    if not isinstance(claim, Claim):
        raise InputError(f"{claim!r} is not a claim", 'write prove("injective((4,8):(8,1))")')
    claim = with_numbers(claim)
    known = Facts(assumptions, frozenset(claim.dims() | assumptions.dims()))
    confirmed = False
    try:
        with limits.within(timeout), limits.expanding(PRODUCTS):
            outcome = decide(claim, known, work)
            if confirm and isinstance(outcome, (Proof, Cases)):
                answer = confirm_proof(outcome, known)
                if isinstance(answer, Open):
                    outcome = answer
                else:
                    confirmed = answer
    except (limits.TimeLimit, limits.TooLarge) as struck:
        outcome = Open(str(struck))
    return _verdict(claim, known, outcome, confirmed, started)


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
    for condition in conditions(claim, Assumptions()):
        if not sensible([condition], dims):
            at = ", ".join(f"{name}={dims[name]}" for name in sorted(claim.dims()))
            raise InputError(
                f"{condition.source} has no value at {at}", f"meet {condition.formula}"
            )
    instance = claim.at(dims)
    for k, part in enumerate(instance.parts()):
        failure = part.brute()
        if failure is not None:
            worded = claim.worded(k, dims) or failure
            return Counterexample({n: dims[n] for n in sorted(claim.dims())}, worded)
    return None


def _verdict(
    claim: Claim, known: Facts, outcome: Outcome, confirmed: bool, started: float
) -> Verdict:
    given = known.assumptions.texts()
    if isinstance(outcome, Disproved):
        speaks_of = claim.dims() | known.assumptions.dims()
        dims = {k: v for k, v in outcome.dims.items() if k in speaks_of}
        return Verdict(
            claim,
            given,
            "refuted",
            outcome.how,
            counterexample=Counterexample(dims, outcome.text),
            rests_on=("evaluation in plain integers",),
            seconds=time.perf_counter() - started,
        )
    if isinstance(outcome, Open):
        return Verdict(
            claim,
            given,
            "unknown",
            "",
            reason=outcome.reason,
            vacuous=isinstance(outcome, Vacuous),
            seconds=time.perf_counter() - started,
        )
    parts = list(_parts(outcome))
    names = {x for part in parts for x in part.rests_on}.union(*map(solvers_of, _sense(outcome)))
    operations = claim.statement().operations
    rests_on = tuple(sorted(names | {ARITHMETIC} | claim.statement().trusted))
    how = " + ".join(dict.fromkeys(part.how for part in parts))
    how = f"{how}, by cases" if isinstance(outcome, Cases) else how
    document = certificate(claim.text(), given, outcome, rests_on, operations)
    if operations or _rounds(" ".join((claim.text(), *given))):
        # What rounds, or was worked out, the prover and the checker may write in two ways.
        from symcute.checker import check as check_again

        result = check_again(document)
        if result.status == "rejected":
            reason = f"a proof was found that the checker does not accept: {result.reason}"
            return _verdict(claim, known, Open(reason), confirmed, started)
    if confirmed:
        rests_on = (*rests_on, f"confirmed by z3 {solvers.version('z3')}")
    seconds = time.perf_counter() - started
    return Verdict(
        claim, given, "proved", how, certificate=document, rests_on=rests_on, seconds=seconds
    )


def _rounds(text: str) -> bool:
    """Return whether a text may have quotients, remainders, minima or maxima in it."""
    return any(sign in text for sign in ("/", "%", ">>", "min", "max", "mod", "_div"))


def _parts(proof: Proof | Cases) -> Iterator[Settled]:
    if isinstance(proof, Cases):
        for _, inner in proof.cases:
            yield from _parts(inner)
    else:
        yield from proof.parts


def _sense(proof: Proof | Cases) -> Iterator[object]:
    if isinstance(proof, Cases):
        for _, inner in proof.cases:
            yield from _sense(inner)
    else:
        yield from proof.sense
