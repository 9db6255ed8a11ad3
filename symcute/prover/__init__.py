"""prove(claim, given=[...]): the strategies in order, and the verdict they lead to.

Static claims are decided exactly. Symbolic ones go to the lemmas, to small instances (which
refute), then to the solver. A counterexample is re-evaluated in plain integers before it is
reported. What is proved carries a certificate that others can check.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice, product

from symcute.claims import Claim, Counterexample, Holds, Joined, Statement
from symcute.claims.language import alternatives, premises, read_claim, sense
from symcute.claims.masked import without_bits
from symcute.claims.tables import names_in, read_tables
from symcute.errors import InputError
from symcute.expr import limits
from symcute.expr.assumptions import Assumptions, Given
from symcute.expr.formula import TRUE, Formula
from symcute.expr.parser import parse
from symcute.prover.certificate import Cases, Proof, certificate, solvers_of
from symcute.prover.decision import Disproved, Open, Settled
from symcute.prover.definedness import conditions, sensible, with_numbers
from symcute.prover.driver import ARITHMETIC, PRODUCTS, WORK, Outcome, Vacuous, decide
from symcute.prover.existence import Existence, read_existence
from symcute.prover.smt import confirm as confirm_proof
from symcute.prover.verdict import Verdict
from symcute.recheck import check as check_again
from symcute.solve import solvers
from symcute.solve.entailment import Entailment

__all__ = ["Verdict", "check", "prove"]

#: How many witnesses are tried, first with little work of the solvers.
MAX_WITNESSES, WITNESS_WORK = 4, (20, 500)

#: What one relies on for bits in an assumption.
MASKED = "bits of assumptions as quotients (expr/bits.py)"
#: What one relies on for a claim about tables; how many entries of one a counterexample shows.
TABLES, SHOWN = "tables said entry by entry (claims/tables.py)", 16


def prove(
    claim: Claim | Formula | str,
    given: Given = (),
    *,
    timeout: float = 60.0,
    work: int = WORK,
    confirm: bool = False,
) -> Verdict:
    """Decide a claim for all values of the dims that meet the assumptions.

    `claim` is a claim, a formula over dims, or text in our grammar; relations behind which a claim
    about layouts stands (`implies`) are as if they were given. `work` is what each solver may
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
    masked = without_bits(given)
    if masked is not None:
        found = prove(claim, masked, timeout=timeout, work=work, confirm=confirm)
        proved = found.status == "proved"
        return replace(found, rests_on=(*found.rests_on, MASKED)) if proved else found
    tables = _with_tables(claim, given, timeout, work) if isinstance(claim, str) else None
    if tables is not None:
        return tables
    existence = read_existence(claim) if isinstance(claim, str) else None
    if existence is not None:
        found = _exists(existence, given, timeout, work)
        return _valued(found, sense(existence.text), given, timeout, work)
    if not isinstance(timeout, int | float) or not 0 < timeout < math.inf:
        raise InputError(f"{timeout!r} is no time limit", "give seconds, as timeout=30")
    if not isinstance(work, int) or isinstance(work, bool) or work < 1:
        raise InputError(f"{work!r} is no work limit", f"give a number, as work={WORK}")
    assumptions = Assumptions.of(given)
    instead = behind = ""
    if isinstance(claim, str):
        stated, more = premises(claim)
        instead, behind = (alternatives(claim), sense(claim)) if more else ("", "")
        assumptions = Assumptions.of((assumptions, *more)) if more else assumptions
        claim = read_claim(stated, given=assumptions, whole=claim)
    elif isinstance(claim, Formula):
        claim = Holds(claim)
    if not isinstance(claim, Claim):
        raise InputError(f"{claim!r} is not a claim", 'write prove("injective((4,8):(8,1))")')
    claim = with_numbers(claim)
    known = Entailment(assumptions, frozenset(claim.dims() | assumptions.dims()))
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
    if instead and isinstance(outcome, Vacuous):  # one of them is always so
        return prove(instead, given, timeout=timeout, work=work, confirm=confirm)
    verdict = _verdict(claim, known, outcome, confirmed, started)
    return _valued(verdict, behind, given, timeout, work)


def _valued(verdict: Verdict, behind: str, given: Given, timeout: float, work: int) -> Verdict:
    """Return a verdict if what the claim stands behind has a value, which is asked of proofs."""
    if not behind or verdict.status != "proved":
        return verdict
    said = prove(behind, given, timeout=timeout, work=work)
    whole = said.status == "proved"
    return verdict if whole else replace(said, claim=verdict.claim, given=verdict.given)


def _exists(claim: Existence, given: Given, timeout: float, work: int) -> Verdict:
    """Decide a claim of existence: by a witness, or an instance that has none."""
    started = time.perf_counter()
    assumptions = Assumptions.of((Assumptions.of(given), *claim.premises))
    clash = sorted(assumptions.dims() & {name for name, _ in claim.variables})
    if clash:
        raise InputError(f"{clash[0]} of exists is a dim of what is given", "use another name")
    makes, free = claim.sense(), [f"{name} >= 0" for name, _ in claim.variables]
    ranging = Assumptions.of((assumptions, *free)) if makes else assumptions
    known = not makes or prove(" and ".join(makes), ranging, timeout=timeout, work=work)
    sensible = known is True or known.status == "proved"
    likely = list(islice(claim.witnesses(assumptions), MAX_WITNESSES)) if sensible else []
    for share, text in product(WITNESS_WORK, likely):
        whole = " and ".join([text, *makes])
        found = prove(whole, ranging, timeout=timeout, work=min(work, share))
        if found.status == "proved":
            return replace(found, how=f"witness, {found.how}")
    at = claim.counterexample(assumptions)
    stated = Holds(TRUE).stated(Statement(claim.text, claim.text, parse(claim.text)))
    seconds = time.perf_counter() - started
    if at is None:
        reason = "no witness was found in the dims, and no small instance without one"
        if not sensible:
            names = ", ".join(name for name, _ in claim.variables)
            reason = f"the text may have no value for some {names}: {'; '.join(makes)} is not known"
        return Verdict(stated, assumptions.texts(), "unknown", "", reason, seconds=seconds)
    return Verdict(
        stated, assumptions.texts(), "refuted", "refuted by a small instance", counterexample=at,
        rests_on=("evaluation in plain integers",), seconds=seconds,
    )  # fmt: skip


def _with_tables(claim: str, given: Given, timeout: float, work: int) -> Verdict | None:
    """Decide a claim about tables by one about their entries; None for one without tables.

    Where an index is beyond its table the claim has no value, and is not refuted.
    """
    texts = [given] if isinstance(given, str) else given
    if not isinstance(texts, list | tuple) or not all(isinstance(x, str) for x in texts):
        return None
    read = read_tables(claim, texts)
    if read is None:
        return None
    tables, said, rest = read
    inside = " and ".join(f"({x})" for x in tables.inside)
    whole = f"{inside} and ({said})" if inside else said
    found = prove(whole, rest, timeout=timeout, work=work)
    if found.status == "proved":
        return replace(found, rests_on=(*found.rests_on, TABLES))
    if inside:  # as an assumption it would lower what the dims in an index are at least
        known = Assumptions.of(rest)
        rest += [f"{n} >= {known.lower_bound(n)}" for n in sorted(names_in(parse(inside)))]
        said = f"({inside}) implies ({said})"
    other = prove(said, rest, timeout=timeout, work=work)
    if other.counterexample is None:
        return found if found.status == "unknown" else replace(
            found, status="unknown", counterexample=None, how="",
            reason=f"an index may be beyond its table: {inside}")  # fmt: skip
    at, assumed = other.counterexample, Assumptions.of(rest)
    names = {n for sizes in tables.sizes.values() for x in sizes for n in names_in(parse(x))}
    least = {n: assumed.lower_bound(n) for n in sorted((names | assumed.dims()) - at.dims.keys())}
    at = replace(at, dims={**least, **at.dims})
    filled = tables.filled(at.dims) if assumed.hold(at.dims) else None
    if filled is None:
        reason = f"no tables were found that have the entries of {at}"
        return replace(other, status="unknown", counterexample=None, how="", reason=reason)
    shown = "; ".join(f"{name} = {entries[:SHOWN]}{'...' * (len(entries) > SHOWN)}"
                      for name, entries in filled.items())  # fmt: skip
    return replace(other, counterexample=replace(at, text=f"{at.text}, where {shown}"))


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
    claim: Claim, known: Entailment, outcome: Outcome, confirmed: bool, started: float
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
    names = {x for part in parts for x in part.rests_on}.union(*map(solvers_of, _defined(outcome)))
    operations = claim.statement().operations
    rests_on = tuple(sorted(names | {ARITHMETIC} | claim.statement().trusted))
    how = " + ".join(dict.fromkeys(part.how for part in parts))
    how = f"{how}, by cases" if isinstance(outcome, Cases) else how
    document = certificate(claim.text(), given, outcome, rests_on, operations)
    if operations or isinstance(claim, Joined) or _rounds(" ".join((claim.text(), *given))):
        # What rounds, was worked out, or is joined, the prover and the checker may write in two
        # ways.
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


def _defined(proof: Proof | Cases) -> Iterator[object]:
    if isinstance(proof, Cases):
        for _, inner in proof.cases:
            yield from _defined(inner)
    else:
        yield from proof.defined
