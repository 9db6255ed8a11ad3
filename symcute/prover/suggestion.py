"""What would have to be assumed: the weakest assumption found under which a claim is proved.

Candidates are ranked by how many instances they keep; one that keeps an instance at which the claim
fails is out, with that instance as its counterexample. The first that is proved is suggested if
nothing a little weaker is proved as well; if none is like that, one weakened as far as it goes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain, combinations, islice
from typing import Any

from symcute.claims import Claim, Counterexample, Holds
from symcute.claims.language import read_claim
from symcute.errors import InputError, SymcuteError, Undecided
from symcute.expr import limits
from symcute.expr.assumptions import Assumptions, Given
from symcute.expr.formula import Formula, all_of, le
from symcute.expr.htuple import show_leaf
from symcute.expr.lowering import lower
from symcute.expr.notebook import Shown
from symcute.prover import prove, static
from symcute.prover.candidates import EQUATION, NARROW, NATURAL, candidates, relaxed
from symcute.prover.definedness import conditions, sensible
from symcute.prover.lemmas.samples import number
from symcute.prover.verdict import Verdict
from symcute.solve.entailment import Entailment, facts

__all__ = ["Suggestion", "suggest"]

#: How many instances are decided to rank candidates, and how many pairs of candidates are ranked.
MAX_INSTANCES, MAX_PAIRS = 300, 4000
#: How many weaker assumptions are shown; how many candidates are tried for one that cannot be
#: weakened when one that can has been found, and by how much that one is at most.
MAX_SHOWN, MAX_SPARE, MAX_STRETCH = 6, 8, 1 << 40
#: How many proofs are tried, and for how many one counts that ends undecided; the work of each
#: solver in one, and in that of the claim as it stands.
MAX_TRIES, UNDECIDED, TRY_WORK, WORK = 200, 10, 150, 2000
#: The work of a whole search, and of one proof in it, in units of `limits.budget`: what ends
#: undecided may ask solvers many times.
SEARCH_WORK, PROOF_WORK = 1500, 300
#: What goes wrong where a claim has no value.
NO_VALUE = "the claim makes no sense there"
#: How many thousand terms the polynomials of all that is tried may multiply.
MAX_PRODUCTS = 1000
#: How many assumptions a text may need before there is a claim at all.
MAX_READ = 4

Instance = Mapping[str, int]


@dataclass(frozen=True)
class Suggestion(Shown):
    """An assumption under which a claim is proved, and why no weaker one that was tried will do.

    `verdict` is the proof under the assumption. `weaker` are weaker assumptions, each with an
    instance that meets it and at which the claim fails.
    """

    assumption: Formula
    verdict: Verdict
    weaker: tuple[tuple[Formula, Counterexample], ...] = field(default=())

    def words(self) -> str:
        """Return the assumption as one says it: a stride is at least so much."""
        return _words(self.assumption)

    def __str__(self) -> str:
        """Return the suggestion in one line."""
        return f"holds if {self.words()}"

    def to_json(self) -> dict[str, Any]:
        """Return plain data."""
        return {
            "assumption": self.words(),
            "how": self.verdict.how,
            "weaker": [
                {"assumption": _words(f), "counterexample": example.to_json()}
                for f, example in self.weaker
            ],
        }


def suggest(
    claim: Claim | Formula | str, given: Given = (), *, timeout: float = 60.0
) -> Suggestion | None:
    """Return the weakest assumption found under which the claim is proved, or None.

    The assumption is a relation over the dims and leaves of the claim, or two: divisibility, order,
    bounds. Never is it one that no dims meet, nor one that leaves a dim a single value where
    another was found. None too when the claim is proved as it stands, and after `timeout` seconds,
    a backstop: so many proofs are tried, and so much work is done.
    Errors: as `prove`.

    >>> found = suggest("injective((M,N):(LD,1))")
    >>> print(found)
    holds if LD >= N
    >>> print(found.weaker[0][0], "|", found.weaker[0][1])
    N <= LD+1 | LD=1, M=2, N=2: L(1,0) = L(0,1) = 1 in L = (2,2):(1,1)
    """
    try:
        with limits.within(timeout), limits.expanding(MAX_PRODUCTS):
            return _suggested(claim, given)
    except (limits.TimeLimit, limits.TooLarge):
        return None


def _suggested(claim: Claim | Formula | str, given: Given) -> Suggestion | None:
    assumptions = Assumptions.of(given)
    needed: list[Formula] = []
    if isinstance(claim, str):
        claim, needed = _read(claim, assumptions)
    elif isinstance(claim, Formula):
        claim = Holds(claim)
    extended = Assumptions.of([assumptions, *needed])
    search = _Search(claim, extended)
    if needed or not search.failing:
        verdict = prove(claim, extended, work=WORK)
        if verdict.status == "proved":
            return Suggestion(all_of(*needed), verdict) if needed else None
        if verdict.counterexample is not None:
            search.failing.append((verdict.counterexample.dims, verdict.counterexample.text))
    with limits.budget(SEARCH_WORK):
        found = search.weakest()
    if found is None or not needed:
        return found
    return Suggestion(all_of(*needed, found.assumption), found.verdict, found.weaker)


def _read(text: str, assumptions: Assumptions) -> tuple[Claim, list[Formula]]:
    """Return the claim, and the assumptions that the operations in its text ask for."""
    needed: list[Formula] = []
    for _ in range(MAX_READ):
        try:
            return read_claim(text, given=[assumptions, *needed]), needed
        except Undecided as error:
            needed += Assumptions.of(error.assumption).formulas
    return read_claim(text, given=[assumptions, *needed]), needed


class _Search:
    """Instances of a claim, those at which it fails and those at which it holds."""

    def __init__(self, claim: Claim, assumptions: Assumptions) -> None:
        self.claim, self.assumptions, self._tries = claim, assumptions, MAX_TRIES
        self.failing: list[tuple[Instance, str]] = []
        self.holding: list[Instance] = []
        self.fallback: Suggestion | None = None
        known = facts(assumptions)
        asked = conditions(claim, assumptions)
        for at in _instances(known, claim):
            failure = _failure(claim, at) if sensible(asked, at) else NO_VALUE
            if failure is None:
                self.holding.append(at)
            elif failure:
                self.failing.append((at, failure))
            limits.check()

    def left(self) -> bool:
        """Return whether more proofs may be tried."""
        limits.check()
        return self._tries > 0 and limits.allowance() > 0

    def weakest(self) -> Suggestion | None:
        """Return the suggestion that keeps most instances, among those that are proved.

        Where the work ends first it is the best that was proved until then.
        """
        try:
            return self._weakest()
        except limits.WorkLimit:
            return self.fallback

    def _weakest(self) -> Suggestion | None:
        ranked = candidates(self.claim, self.assumptions)
        kept = {f: _met(f, self.holding) for f in ranked}
        useful = sorted(
            (f for f in ranked if kept[f] and not self._keeps_all(f)),
            key=lambda f: (-len(kept[f]), len(_words(f))),
        )
        for f in useful:
            if self._narrow(kept[f]):
                ranked[f] = NARROW
        natural, equations, narrow = (
            [f for f in useful if ranked[f] == rank] for rank in (NATURAL, EQUATION, NARROW)
        )
        if isinstance(self.claim, Holds):
            narrow = []  # one value of a dim says nothing about a relation
        singles = chain(natural, equations)
        pairs = chain(self._pairs(natural, kept), self._pairs([*natural, *equations], kept))
        spare = MAX_SPARE
        for assumption in chain(singles, pairs, narrow):
            if not self.left() or (self.fallback and not spare):
                break
            if self._kept_failure(assumption) is not None:
                continue
            spare -= self.fallback is not None
            found = self._try(assumption)
            if found is None:
                continue
            tight, weaker = self._next(found.assumption)
            if tight:
                return self._shown(found, weaker, useful, kept)
            self.fallback = self.fallback or found
        if self.fallback is None:
            return None
        found = self._stretched(self.fallback)
        return self._shown(found, self._next(found.assumption)[1], useful, kept)

    def _pairs(
        self, useful: list[Formula], kept: Mapping[Formula, frozenset[int]]
    ) -> Iterator[Formula]:
        """Yield two assumptions at a time that together leave no failure, the widest first."""
        broken = {f: _met(f, [at for at, _ in self.failing]) for f in useful}
        pairs: list[tuple[int, int, int, Formula, Formula]] = []
        for a, b in islice(combinations(useful, 2), MAX_PAIRS):
            both = kept[a] & kept[b]
            if self._narrow(both):
                continue
            if broken[a] and broken[b] and not broken[a] & broken[b]:
                pairs.append((-len(both), len(_words(a)) + len(_words(b)), len(pairs), a, b))
        for *_, a, b in sorted(pairs, key=lambda pair: pair[:3]):
            yield all_of(a, b)

    def _narrow(self, kept: frozenset[int]) -> bool:
        """Return whether a dim has one value here, and others where the claim holds."""
        for name in self.claim.dims():
            values = {self.holding[k][name] for k in kept}
            if len(values) <= 1 < len({at[name] for at in self.holding}):
                return True
        return False

    def _keeps_all(self, assumption: Formula) -> bool:
        """Return whether an assumption leaves every failure that is known."""
        return bool(self.failing) and all(_holds(assumption, at) for at, _ in self.failing)

    def _kept_failure(self, assumption: Formula) -> Counterexample | None:
        """Return a known failure that an assumption leaves."""
        for at, failure in self.failing:
            if _holds(assumption, at):
                return Counterexample(self._own(at), failure)
        return None

    def _try(self, assumption: Formula) -> Suggestion | None:
        """Prove the claim under an assumption; a refutation is one failure more."""
        given = [self.assumptions, assumption]
        try:
            with limits.budget(PROOF_WORK):
                verdict = prove(self.claim, given, work=TRY_WORK)
        except SymcuteError:
            return None
        except limits.WorkLimit:
            self._tries -= UNDECIDED
            return None
        self._tries -= UNDECIDED if verdict.status == "unknown" else 1
        if verdict.counterexample is not None:
            self.failing.append((verdict.counterexample.dims, verdict.counterexample.text))
        return Suggestion(assumption, verdict) if verdict.status == "proved" else None

    def _next(self, assumption: Formula) -> tuple[bool, list[tuple[Formula, Counterexample]]]:
        """Return whether nothing a little weaker will do, and what shows it."""
        weaker: list[tuple[Formula, Counterexample]] = []
        for f in islice(relaxed(assumption), MAX_SHOWN):
            if self._kept_failure(f) is None and self._try(f) is not None:
                if self._is_weaker(f, assumption):
                    return False, weaker
                continue
            example = self._kept_failure(f)
            if example is not None:
                weaker.append((f, example))
        return True, weaker

    def _is_weaker(self, f: Formula, assumption: Formula) -> bool:
        """Return whether the first says less than the second: at an instance, or by a number."""
        known = facts([self.assumptions, f])
        more = known.instances(self.claim.dims(), MAX_INSTANCES)
        if any(not _holds(assumption, at) for at in chain(known.samples(f.dims()), more)):
            return True
        # Where a bound is a large number, small instances do not show the difference.
        bounded = f.op == "le" and number(lower(f.args[1])) is not None
        return bounded and not known.proves(assumption, solver=False)

    def _stretched(self, found: Suggestion) -> Suggestion:
        """Weaken an order or a bound as far as the claim is proved, and anything else in steps."""
        f = found.assumption
        if f.op != "le":
            steps = list(relaxed(f))
            while steps and self.left():
                weaker = steps.pop(0)
                if self._kept_failure(weaker) is None and (better := self._try(weaker)):
                    found, steps = better, list(relaxed(weaker))
            return found
        a, b = map(lower, f.args)
        low, high = 0, 1
        while self.left() and high < MAX_STRETCH:
            better = self._proved(le(a, b + high))
            if better is None:
                break
            found, low, high = better, high, 2 * high
        while high - low > 1 and self.left():
            middle = (low + high) // 2
            better = self._proved(le(a, b + middle))
            found, low, high = (better, middle, high) if better else (found, low, middle)
        return found

    def _proved(self, assumption: Formula) -> Suggestion | None:
        return None if self._kept_failure(assumption) else self._try(assumption)

    def _shown(
        self,
        found: Suggestion,
        weaker: list[tuple[Formula, Counterexample]],
        useful: list[Formula],
        kept: Mapping[Formula, frozenset[int]],
    ) -> Suggestion:
        """Return the suggestion with what is too weak: what is next to it, and other candidates."""
        mine = _met(found.assumption, self.holding)
        for f in sorted(useful, key=lambda f: len(kept[f])):
            if mine < kept[f] and len(weaker) < MAX_SHOWN and all(f != g for g, _ in weaker):
                example = self._kept_failure(f)
                if example is not None:
                    weaker = [*weaker, (f, example)]
        return Suggestion(found.assumption, found.verdict, tuple(weaker))

    def _own(self, at: Instance) -> dict[str, int]:
        names = self.claim.dims() | self.assumptions.dims()
        return {k: v for k, v in at.items() if k in names}


def _instances(known: Entailment, claim: Claim) -> Iterator[Instance]:
    yield from known.samples(claim.dims())
    yield from known.instances(claim.dims(), MAX_INSTANCES)


def _failure(claim: Claim, at: Instance) -> str | None:
    """Return what goes wrong at an instance, None when nothing does, "" when that is not known."""
    try:
        parts = claim.at(at).parts()
    except InputError as error:
        return str(error)
    open_ = False
    for k, part in enumerate(parts):
        try:
            failure = static.decide(part)
        except (SymcuteError, static.TooHard):
            open_ = True
            continue
        if failure is not None:
            return claim.worded(k, at) or failure
    return "" if open_ else None


def _met(formula: Formula, instances: list[Instance]) -> frozenset[int]:
    return frozenset(k for k, at in enumerate(instances) if _holds(formula, at))


def _holds(formula: Formula, at: Instance) -> bool:
    try:
        return formula.holds(at)
    except InputError:
        return False


def _words(f: Formula) -> str:
    """Return a relation with what is at least so much on the left."""
    f = f.balanced()
    if f.op == "and":
        return " and ".join(map(_words, f.args))
    if f.op != "le" or number(lower(f.args[1])) is not None:
        return str(f)
    return f"{show_leaf(f.args[1])} >= {show_leaf(f.args[0])}"
