"""How a claim is decided: the strategies in order, from the cheap to the patient.

For each primitive claim the lemmas suggest steps. First their obligations are put to polynomials
alone; then small instances may refute the claim; then the solver gets the obligations that are
left, then the order of two leaves is split into cases, and last the whole claim is one query.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import chain, islice
from typing import TypeAlias

from symcute.claims import (
    Claim,
    Covers,
    Denied,
    Either,
    Holds,
    PrintsAs,
    Requests,
    SwizzledAgree,
    Table,
)
from symcute.errors import InputError, NotAdmissible, Undecided
from symcute.expr import limits
from symcute.expr.assumptions import Assumptions
from symcute.expr.expression import free_dims, value_at
from symcute.expr.formula import Formula, negation
from symcute.prover import requests, static, structural
from symcute.prover.certificate import Cases, Proof, solvers_of
from symcute.prover.decision import Disproved, Open, Settled, Step
from symcute.prover.definedness import Condition, conditions
from symcute.prover.refutation import Case, confirmed, refute
from symcute.prover.smt import by_solver
from symcute.prover.splitting import splits, stated
from symcute.solve.entailment import Entailment
from symcute.solve.obligations import By

__all__ = ["WORK", "Outcome", "Vacuous", "decide"]

Outcome: TypeAlias = Proof | Cases | Disproved | Open

#: How many small instances are decided before and after the solver is asked.
FEW, MANY = 40, 400
#: How many steps of the lemmas are looked at for a claim, and how many splits of how many levels.
MAX_STEPS, MAX_SPLITS, MAX_LEVELS = 24, 6, 2
#: The work of each solver for a claim, where nobody says, and what of it may refute, before cases
#: are tried, what polynomials do not prove.
WORK, GLANCE = 6000, 300
#: How many branches of cases are tried for a claim.
MAX_BRANCHES = 16
#: The largest claim without dims that a checker evaluates coordinate by coordinate.
MAX_EVALUATED = 1 << 16

#: What one has to trust.
ARITHMETIC = "arithmetic"
SEARCH = "exact search"


#: How many modes a layout may have (what a checker reads), how many thousand terms the polynomials
#: of a claim may multiply, and how many more to refute it.
MAX_MODES, PRODUCTS, LAST_PRODUCTS = 64, 1000, 200


class Vacuous(Open):
    """No instance meets the assumptions."""


@dataclass
class _Task:
    """A primitive claim, the steps that were suggested for it, and its proof once there is one."""

    claim: Claim
    known: Entailment
    proof: Settled | None = None
    reason: str = "no lemma applies"
    steps: list[Step] = field(default_factory=list)


def decide(claim: Claim, known: Entailment, work: int) -> Outcome:
    """Decide a claim under the assumptions of `known`; a query may take each solver so much work.

    Where the block around counts the work of polynomials, and that is done, small instances may
    still refute the claim.
    Errors: TimeLimit, WorkLimit of the block around (see `limits`).
    """
    case = Case(claim, conditions(claim, known.assumptions))
    try:
        longest = max((len(list(x.modes())) for x in claim.layouts()), default=0)
        if longest > MAX_MODES:
            reason = f"a layout of {longest} modes: claims about up to {MAX_MODES} are proved"
            return refute(case, known, FEW) or Open(reason)
        return _decided(case, known, work)
    except limits.TooLarge as struck:
        with limits.expanding(LAST_PRODUCTS, anew=True), suppress(limits.TooLarge):
            refuted = refute(case, known, FEW)
            if refuted is not None:
                return refuted
        return Open(str(struck))


def _decided(case: Case, known: Entailment, work: int) -> Outcome:
    claim = case.claim
    contradictory = known.contradictory() if known.assumptions.formulas else False
    if contradictory:
        core = "; ".join(map(str, known.contradiction()))
        return Vacuous(f"vacuous: the assumptions contradict each other: {core}")
    if contradictory is None:
        names = "; ".join(known.assumptions.texts())
        return Open(f"no instance that meets the assumptions was found: {names}")
    sense = _sense(case, known)
    if isinstance(sense, Open):
        return refute(case, known, FEW) or sense
    if _without_dims(claim):
        return _static(claim, sense)
    tasks = [_Task(part, known) for part in claim.parts()]
    for task in tasks:
        task.proof = _by_lemmas(task)
    if all(t.proof for t in tasks):
        return _proof(sense, tasks)
    refuted = refute(case, known, FEW)
    if refuted is not None:
        return refuted
    return _patiently(case, known, sense, tasks, work)


def _patiently(
    case: Case, known: Entailment, sense: tuple[By, ...], tasks: list[_Task], work: int
) -> Outcome:
    """Go on where neither polynomials nor small instances decided."""
    answers: dict[int, Settled | Open] = {}
    for k, task in enumerate(tasks):
        if task.proof is None:
            answer = _asked(task, min(work, GLANCE))
            if isinstance(answer, Disproved):
                return confirmed(answer, case, known)
            answers[k] = answer
    open_ = [t.claim for t in tasks if not t.proof]
    split = _by_cases(case, known, open_, MAX_LEVELS, iter(range(MAX_BRANCHES)))
    if split is not None:
        return split
    for k, task in enumerate(tasks):
        if task.proof is None:
            task.proof = _by_lemmas_and_solver(task)
        if task.proof is None:
            answer = answers[k]
            if isinstance(answer, Open) and work > GLANCE:
                answer = _asked(task, work)
            if isinstance(answer, Disproved):
                return confirmed(answer, case, known)
            if isinstance(answer, Open):
                refuted = refute(case, known, MANY)
                return refuted or Open(f"{answer.reason}; no small instance refutes it either")
            task.proof = answer
    return _proof(sense, tasks)


def _asked(task: _Task, work: int) -> Settled | Disproved | Open:
    """Put a claim to the solvers; one about requests, and a denial, has no query."""
    if isinstance(task.claim, Requests | Either | Denied):
        return Open(task.reason)
    return by_solver(task.claim, task.known, work)


def _proof(sense: tuple[By, ...], tasks: Iterable[_Task]) -> Proof:
    return Proof(sense, tuple(t.proof for t in tasks if t.proof is not None))


# --- sense --------------------------------------------------------------------------------------


def _sense(case: Case, known: Entailment) -> tuple[By, ...] | Open:
    """Return how the conditions of sense are settled, or which one is not."""
    found: list[By] = []
    for condition in case.asked:
        by = known.proof(condition.formula)
        if by is None:
            return Open(_senseless(condition, known))
        found.append(by)
    return tuple(found)


def _senseless(condition: Condition, known: Entailment) -> str:
    witness = known.counterexample(condition.formula) or {}
    at = ", ".join(f"{k}={v}" for k, v in sorted(witness.items()))
    shown = f" (at {at})" if at and condition.kind != "quotient" else ""
    extent = f"{condition.source} >= 1" if condition.kind == "extent" else condition.formula
    return f'{condition.wrong}{shown}; assume "{extent}"'


# --- claims without dims ------------------------------------------------------------------------


def _static(claim: Claim, sense: tuple[By, ...]) -> Outcome:
    found = []
    for k, part in enumerate(claim.parts()):
        try:
            failure = static.decide(part)
        except static.TooHard as error:
            return Open(str(error))
        if failure is not None:
            worded = claim.worded(k, {}) or failure
            return Disproved("static: exact arithmetic", {}, worded)
        exact = _exact(part)
        if exact is None:
            return Open(f"{part.text()} is true, but has more coordinates than are evaluated")
        found.append(exact)
    return Proof(sense, tuple(found))


def _without_dims(claim: Claim) -> bool:
    """Return whether no leaf has a dim, also where it does not count; text is compared as it is."""
    return isinstance(claim, PrintsAs) or not any(map(free_dims, claim.leaves()))


def _exact(part: Claim) -> Settled | None:
    """Return the proof of a primitive claim without dims that the exact search found true.

    None where the checker does not do that search again.
    """
    how = "static: exact arithmetic"
    if _small(part):
        return Settled(how, Step("evaluate"), rests_on=(ARITHMETIC,))
    settled = _by_lemmas(_Task(part, Entailment(Assumptions())))
    if settled is not None:
        return settled
    if isinstance(part, Either | Denied):
        return None
    return Settled(how, Step("evaluate"), rests_on=(ARITHMETIC, SEARCH))


def _small(part: Claim) -> bool:
    """Return whether a checker evaluates the claim coordinate by coordinate."""
    if isinstance(part, (PrintsAs, Requests, Table)):
        return True  # the dims of a text stand for themselves, requests come down to few classes
    sizes = [value_at(layout.size(), {}) for layout in part.layouts()]
    if isinstance(part, Covers):
        sizes.append(value_at(part.bound, {}))
    elif isinstance(part, SwizzledAgree):  # its domain counts, too
        sizes.append(sizes[0])
    return sum(sizes) <= MAX_EVALUATED


# --- lemmas -------------------------------------------------------------------------------------


def _suggested(task: _Task) -> Iterator[Step]:
    """Yield the steps that the lemmas suggest, remembering them."""
    if isinstance(task.claim, Holds):
        found: Iterator[Step] = iter([Step("formula", {}, (task.claim.formula,))])
    else:
        found = structural.steps(task.claim, task.known)
    while len(task.steps) < MAX_STEPS:
        try:
            step = next(found, None)
        except (Undecided, NotAdmissible, InputError) as error:
            task.reason = str(error)
            return
        if step is None:
            return
        task.steps.append(step)
        yield step


def _by_lemmas(task: _Task) -> Settled | None:
    """Prove the claim by a step whose obligations polynomials settle, or by residues."""
    if isinstance(task.claim, Requests):
        found = requests.settle(task.claim, task.known)
        task.reason = found.reason if isinstance(found, Open) else ""
        return None if isinstance(found, Open) else found
    if isinstance(task.claim, Either):
        return _by_one(task.claim, task.known)
    for step in _suggested(task):
        settled = _settle(step, task.known, solver=False)
        if settled is not None:
            return settled
    return None


def _by_one(either: Either, known: Entailment) -> Settled | None:
    """Prove that one of some claims is true: the first that is, by lemmas.

    Of a claim and its denial one is.
    """
    for k, claim in enumerate(either.claims):
        if isinstance(claim, Denied) and claim.claims[0] in either.claims:
            return Settled("structural: denial", Step("denial", {"which": k}))
    for k, claim in enumerate(either.claims):
        found = _by_lemmas(_Task(claim, known))
        if found is not None:
            step = Step("one", {"which": k}, inner={"rest": found.step})
            return Settled(found.how, step, inner={"rest": found}, rests_on=found.rests_on)
    return None


def _by_lemmas_and_solver(task: _Task) -> Settled | None:
    """Prove the claim by a step whose obligations no instance breaks, with the solver's help."""
    for step in task.steps:
        if any(task.known.counterexample(f) for f in step.all_obligations()):
            continue
        settled = _settle(step, task.known, solver=True)
        if settled is not None:
            return settled
    return None


def _settle(step: Step, known: Entailment, *, solver: bool) -> Settled | None:
    """Return the step with the proofs of its obligations, or None."""
    proofs = []
    for formula in step.obligations:
        by = known.proof(formula, solver=solver)
        if by is None:
            return None
        proofs.append(by)
    inner = {}
    for name, x in step.inner.items():
        settled = _settle(x, known, solver=solver)
        if settled is None:
            return None
        inner[name] = settled
    names = sorted(set().union(*map(solvers_of, proofs)))
    rests_on = dict.fromkeys(
        [ARITHMETIC, *names] + [x for part in inner.values() for x in part.rests_on]
    )
    return Settled(f"structural: {step.lemma}", step, tuple(proofs), inner, tuple(rests_on))


# --- cases --------------------------------------------------------------------------------------


def _by_cases(
    case: Case, known: Entailment, open_: Sequence[Claim], levels: int, budget: Iterator[int]
) -> Cases | None:
    """Prove the claim by cases, polynomials alone."""
    if levels == 0:
        return None
    choices = stated(known)
    orders = ((None, (f, negation(f))) for f in islice(splits(open_, known), MAX_SPLITS))
    for number, formulas in chain(choices, orders):
        found: list[tuple[Formula, Proof | Cases]] = []
        for formula in formulas:
            proof = _in_case(case, known.under(formula), levels - 1, budget)
            if proof is None:
                break
            found.append((formula, proof))
        else:
            return Cases(number, tuple(found))
    return None


def _in_case(
    case: Case, known: Entailment, levels: int, budget: Iterator[int]
) -> Proof | Cases | None:
    if next(budget, None) is None:
        return None
    sense = []
    for condition in case.asked:
        sense.append(known.proof(condition.formula, solver=False))
        if sense[-1] is None:
            return None
    tasks = [_Task(part, known) for part in case.claim.parts()]
    for task in tasks:
        task.proof = _by_lemmas(task)
    left = [t.claim for t in tasks if t.proof is None]
    if not left:
        return _proof(tuple(sense), tasks)
    return _by_cases(case, known, left, levels, budget)
