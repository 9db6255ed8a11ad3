"""Obligations: a truth that must hold wherever other truths do, over dims, threads and rounds.

The roads, from the cheap to the patient: constant ranges; polynomials, which hold for all values;
every point, where all that matters is bounded; a solver. Fewer hypotheses than there are may be
handed on, which is sound. What refutes is a model: values at which the hypotheses hold and the goal
does not, evaluated in integers; whether the machine does the same is for execution to say.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain, islice
from typing import Any, Literal

import numpy as np

from symcute.errors import InputError
from symcute.expr import limits
from symcute.expr.assumptions import Assumptions
from symcute.expr.formula import Formula, all_of, any_of, le, lt, negation
from symcute.expr.lowering import lower
from symcute.expr.node import Node, Term
from symcute.expr.polynomial import ONE, Ratio, variable
from symcute.expr.ranges import Names, ranges_under
from symcute.expr.terms import evaluate, names
from symcute.kernel.properties.certifying import Obligation
from symcute.kernel.properties.elimination import shows
from symcute.kernel.properties.enumeration import MAX_POINTS, TooLarge, grid, points_in, vector
from symcute.kernel.properties.lowering import FRESH, Case, Lowering
from symcute.prover.certificate import solvers_of
from symcute.solve import solvers
from symcute.solve.entailment import Facts
from symcute.solve.obligations import By
from symcute.solve.smtlib import Query

__all__ = ["Answer", "Sequent"]

ARITHMETIC, ENUMERATION = "arithmetic", "enumeration of all points"
#: How many hypotheses polynomials are tried with, how many cases are looked at, how deep.
MAX_GIVEN, MAX_LEAVES, MAX_DEPTH = 60, 24, 4
#: How much is done in search of products for one of many orders of two threads.
LITTLE_WORK = 40_000
#: Points that are enumerated before a solver is asked.
FEW_POINTS = 1 << 16
#: How many values a name may have that is enumerated though no goal speaks of it.
FEW_VALUES = 1 << 12
#: The work of each solver for one obligation: a glance, and more when that is worth it; and what
#: two solvers need of it, second looks included.
SOLVER_WORK, BOTH = (100, 600, 1500), 2.3


@dataclass(frozen=True)
class Answer:
    """What is known of an obligation: proved, refuted in integers by a model, or open.

    `obligations` are what was shown, to be certified; `document` is the certificate where there is
    one already; `said` what was found, where the question asks for a number.
    """

    status: Literal["proved", "refuted", "open"]
    how: str = ""
    rests_on: tuple[str, ...] = ()
    model: dict[str, int] = field(default_factory=dict)
    reason: str = ""
    obligations: tuple[Obligation, ...] = ()
    document: dict[str, Any] | None = None
    said: str = ""


class Sequent:
    """Hypotheses, under which several goals are asked for: what holds at one place of a kernel."""

    def __init__(self, hypotheses: Iterable[Term], dims: Collection[str]) -> None:
        parts = dict.fromkeys(p for h in hypotheses for p in _conjuncts(h))
        self.hypotheses: tuple[Term, ...] = tuple(parts)
        self.dims = frozenset(dims)
        self._tried: dict[str, int] = {}

    def extended(self, more: Iterable[Term]) -> Sequent:
        """Return the sequent in which more holds."""
        return Sequent((*self.hypotheses, *more), self.dims)

    @cached_property
    def ranges(self) -> Names:
        """The constant ranges of the names."""
        start = {n: (1, float("inf")) for n in self._default_dims}
        return ranges_under(self.hypotheses, start)

    @cached_property
    def _default_dims(self) -> set[str]:
        """Dims that nothing bounds from below by a constant: they are at least 1."""
        bounded = ranges_under(self.hypotheses)
        return {n for n in self.dims if bounded.get(n, (-float("inf"), 0))[0] == -float("inf")}

    @cached_property
    def empty(self) -> bool:
        """Whether ranges alone show that it never happens."""
        known = self.ranges
        if any(low > high for low, high in known.values()):
            return True
        return any(known.ranges.decides(h) is False for h in self.hypotheses)

    @cached_property
    def _plain(self) -> tuple[Lowering, list[Formula]]:
        """The hypotheses that are polynomials as they stand, for cheap questions of lowering."""
        low = Lowering(self.ranges, self.dims)
        given: list[Formula] = []
        for h in self.hypotheses:
            formula = low.formula(h)
            fresh = any(n.startswith(FRESH) for n in formula.dims())
            if not fresh and formula.op in ("le", "lt", "eq"):
                given.append(formula)
        return low, given

    def _evident(self, formula: Formula) -> bool:
        """Return whether polynomials prove a relation from what is said of its names."""
        wanted = formula.dims()
        low, given = self._plain
        if not wanted <= low.lows.keys():
            return False  # nothing is known of a name
        for relevant in islice(_relevant(wanted, given), 2):
            here = _assume(relevant, formula, low)
            if len(relevant) <= MAX_GIVEN and here.proves(formula, solver=False):
                return True
        return False

    @cached_property
    def _lowered(self) -> tuple[Lowering, tuple[Formula, ...]]:
        low = Lowering(self.ranges, self.dims, self._evident)
        found = [low.formula(h) for h in self.hypotheses]
        flat = [x for f in found for x in (f.args if f.op == "and" else (f,))]
        return low, tuple(f for f in dict.fromkeys(flat) if f.op != "true")

    # --- the roads -----------------------------------------------------------------------------

    def quickly(self, goal: Term) -> Answer:
        """Decide a goal by ranges and polynomials; never refuted.

        >>> here = Sequent([Node("<=", 0, "i"), Node("<", "i", "N")], {"N"})
        >>> here.quickly(Node("<=", Node("+", Node("*", 4, "i"), 4), Node("*", 4, "N"))).status
        'proved'
        """
        if self.empty or self.ranges.ranges.decides(goal):
            return self._shown(goal, Answer("proved", "ranges", (ARITHMETIC,)))
        return self._shown(goal, self._by_polynomials(goal))

    def _shown(self, goal: Term, answer: Answer) -> Answer:
        """Return an answer with what it shows."""
        if answer.status != "proved":
            return answer
        shown = Obligation(self.hypotheses, goal, self.dims)
        return replace(answer, obligations=(shown,), model={})

    def contradicts(self, parts: Iterable[Term], thorough: bool = True) -> bool:
        """Return whether polynomials show that some of the hypotheses do not hold with the rest.

        Each of `parts`, which are among the hypotheses, is shown to fail where the others hold;
        unless `thorough`, by bounds alone.
        """
        if self.empty:
            return True
        every = list(parts)
        if any(self._eliminated(part) for part in every):
            return True
        if not thorough:
            return False
        low, given = self._lowered
        for part in every:
            formula = low.formula(part)
            if formula.op in ("true", "false"):
                if formula.op == "false":
                    return True
                continue
            others = [f for f in given if f != formula]
            if self._prove(negation(formula), others, low, LITTLE_WORK).status == "proved":
                return True
        return False

    def _eliminated(self, part: Term) -> bool:
        """Return whether bounds that are polynomials as they stand show a hypothesis to fail."""
        low, given = self._plain
        formula = low.formula(part)
        known = [f for f in self._telling(given) if f != formula]
        return shows(negation(formula), known, low.lows)

    def bounded(self, goal: Term) -> bool:
        """Return whether bounds that are polynomials as they stand show a goal."""
        low, given = self._plain
        formula = low.formula(goal)
        known = [*self._telling(given), *low.rooms(formula, given)]
        return shows(formula, known, low.lows)

    def _telling(self, given: Iterable[Formula]) -> list[Formula]:
        """Return hypotheses without bounds of dims by numbers and of products of dims."""
        return [f for f in given if not f.dims() <= self.dims or len(f.dims()) > 1 == _degree(f)]

    def patiently(self, goal: Term) -> Answer:
        """Decide a goal that the cheap roads left open."""
        found = self._by_points(goal, FEW_POINTS)
        if found is None:
            found = self._by_solver(goal)
            if found.status == "open":
                found = self._by_points(goal, MAX_POINTS) or found
        return self._shown(goal, found)

    def decide(self, goal: Term) -> Answer:
        """Decide a goal by all roads."""
        found = self.quickly(goal)
        return found if found.status == "proved" else self.patiently(goal)

    def _by_polynomials(self, goal: Term) -> Answer:
        low, given = self._lowered
        target = low.formula(goal)
        if target.op == "true":
            return Answer("proved", "evident", (ARITHMETIC,))
        if target.op == "and":
            parts = [self._prove(x, given, low) for x in target.args]
            if all(p.status == "proved" for p in parts):
                rests = dict.fromkeys(r for p in parts for r in p.rests_on)
                hows = dict.fromkeys(p.how for p in parts)
                return Answer("proved", " and ".join(hows), tuple(rests))
            return next(p for p in parts if p.status != "proved")
        return self._prove(target, given, low)

    def _prove(
        self,
        target: Formula,
        given: Sequence[Formula],
        low: Lowering,
        work: int | None = None,
    ) -> Answer:
        pool = [*given, *low.sides]
        tried: set[tuple[Formula, ...]] = set()
        wanted = target.dims()
        for relevant in _relevant(wanted, pool):
            key = tuple(relevant)
            if key in tried or len(key) > MAX_GIVEN:
                continue
            tried.add(key)
            here = _assume(key, target, low, work)
            by = _settle(here, target)
            if by is not None:
                return Answer("proved", "polynomials", (ARITHMETIC, *sorted(solvers_of(by))))
        if target.op == "false" or self._cases(wanted, low, pool):
            for relevant in _relevant(wanted, pool):
                if len(relevant) > MAX_GIVEN:
                    break
                cases = self._cases(_names_of(relevant) | wanted, low, relevant)
                budget = iter(range(MAX_LEAVES))
                if cases and _by_cases(relevant, target, cases, low, budget, MAX_DEPTH):
                    return Answer("proved", "polynomials, by cases", (ARITHMETIC,))
        return Answer("open", reason="polynomials do not show it")

    def _cases(
        self, wanted: Collection[str], low: Lowering, pool: Iterable[Formula]
    ) -> list[tuple[Case, ...]]:
        """Return the choices that what is wanted hangs on."""
        found = []
        for case in low.cases:
            if any(f.dims() & set(wanted) for alternative in case for f in alternative[1:]):
                found.append(case)
        for f in pool:
            if f.op == "or" and f.dims() & set(wanted):
                found.append(tuple((x,) for x in f.args))
            elif f.op == "ne" and f.dims() & set(wanted):
                a, b = f.args
                found.append(((lt(a, b),), (lt(b, a),)))
        return found

    def _by_points(self, goal: Term, limit: int) -> Answer | None:
        """Evaluate the goal wherever what it hangs on is bounded."""
        wanted = names(goal)
        for relevant in self._hops(wanted):
            every = sorted(wanted.union(*map(names, relevant)))
            try:
                if points_in(every, self.ranges) > limit:
                    continue
                found = self._over(every, relevant, goal, limit)
            except TooLarge:
                continue
            if found is None or found:
                return found or Answer("proved", "enumeration", (ARITHMETIC, ENUMERATION))
        return None

    def _hops(self, wanted: frozenset[str]) -> Iterator[list[Term]]:
        """Yield hypotheses: those that small ranges connect with the wanted names, then fewer."""
        small = wanted | {n for n, (a, b) in self.ranges.items() if b - a <= FEW_VALUES}
        among = [h for h in self.hypotheses if names(h) <= small]
        reached = wanted
        for _ in range(len(among)):
            more = reached.union(*(names(h) for h in among if names(h) & reached))
            if more == reached:
                break
            reached = more
        yield [h for h in among if names(h) <= reached]
        yield [h for h in among if names(h) <= wanted]

    def _over(
        self, every: list[str], relevant: list[Term], goal: Term, limit: int
    ) -> Answer | Literal[False] | None:
        """Return None when the goal holds at all points, False when the points do not tell."""
        values = grid(every, self.ranges, limit)
        size = len(values[every[0]]) if every else 1
        met = np.ones(size, dtype=bool)
        for h in relevant:
            met &= vector(h, values, self.ranges, size) != 0
        failing = np.flatnonzero(met & (vector(goal, values, self.ranges, size) == 0))
        if not failing.size:
            return None
        model = {n: int(values[n][failing[0]]) for n in every}
        if len(relevant) < len(self.hypotheses) and not self._met(model):
            return False
        return Answer("refuted", "enumeration", model=model)

    def _met(self, model: dict[str, int]) -> bool:
        """Return whether a model gives all names values at which all hypotheses hold."""
        try:
            return all(evaluate(h, model) for h in self.hypotheses)
        except (KeyError, InputError, ZeroDivisionError):
            return False

    def _by_solver(self, goal: Term) -> Answer:
        low, given = self._lowered
        target = low.formula(goal)
        query = Query()
        choices = [any_of(*(all_of(*alternative) for alternative in case)) for case in low.cases]
        for f in chain(given, low.sides, choices):
            query.assume(f)
        query.assume(negation(target))
        for name in sorted(names(goal).union(*map(names, self.hypotheses))):
            query.name(name)
        for name, bound in low.lows.items():
            query.assume(_at_least(name, bound))
        answer = self._asked(query.script())
        if answer.status == "unsat" and not query.conditions:
            solver = f"solver {answer.solver} {answer.version}"
            return Answer("proved", f"smt: {answer.solver}", (ARITHMETIC, solver))
        if answer.status == "sat":
            model = self._model(answer.model)
            try:
                if self._met(model) and not evaluate(goal, model):
                    return Answer("refuted", f"smt: {answer.solver}", model=model)
            except (KeyError, InputError, ZeroDivisionError):
                pass
            return Answer("open", reason=f"{answer.solver} gave a model that is none in integers")
        return Answer("open", reason=answer.reason)

    def _asked(self, script: str) -> solvers.Answer:
        """Ask the solvers; what they had too little work for is not begun again with as much.

        Errors: WorkLimit where the block around has not the work for more.
        """
        while True:
            work = next(w for w in SOLVER_WORK if w > self._tried.get(script, 0))
            if limits.allowance() < BOTH * work:
                raise limits.WorkLimit
            answer = solvers.portfolio(script, work=work, first=work)
            if answer.limit != "work" or work == SOLVER_WORK[-1]:
                return answer
            self._tried[script] = work

    def _model(self, values: Any) -> dict[str, int]:
        return {k: int(v) for k, v in values.items() if not k.startswith(FRESH) and "!" not in k}


def _conjuncts(truth: Term) -> Iterator[Term]:
    if isinstance(truth, Node) and truth.op == "and":
        for x in truth.args:
            yield from _conjuncts(x)
    elif truth is not True:
        yield truth


def _at_least(name: str, bound: int) -> Formula:
    return le(bound, Ratio(variable(name), ONE))


def _degree(f: Formula) -> int:
    sides = [lower(x).num for x in f.args if not isinstance(x, Formula)]
    return max((sum(e for _, e in m) for p in sides for m in p), default=0)


def _names_of(formulas: Iterable[Formula]) -> set[str]:
    return set().union(*(f.dims() for f in formulas))


def _relevant(wanted: set[str], pool: Sequence[Formula]) -> Iterator[list[Formula]]:
    """Yield more and more hypotheses: over the wanted names, that share one, all connected."""
    known = [(f, f.dims()) for f in pool]
    yield [f for f, d in known if d <= wanted]
    reached = set(wanted)
    before: list[Formula] = []
    while True:
        found = [f for f, d in known if d & reached or not d]
        if len(found) == len(before):
            return
        yield found
        before, reached = found, reached | _names_of(found)


def _assume(
    given: Sequence[Formula], target: Formula, low: Lowering, work: int | None = None
) -> Facts:
    """Return facts in which every name has its lower bound, since a bare one counts as a dim."""
    every = _names_of(given) | target.dims()
    bounds = [_at_least(n, low.lows[n]) for n in sorted(every) if n in low.lows]
    assumptions = Assumptions(tuple(dict.fromkeys((*bounds, *given))))
    return Facts(assumptions, frozenset(every), work=work)


def _settle(here: Facts, target: Formula) -> By | None:
    """Return how polynomials prove a target, directly or because its contrary contradicts."""
    by = here.proof(target, solver=False)
    if by is None and target.op in ("le", "lt", "eq", "or", "false"):
        against = here.under(negation(target)).contradicted()
        by = against and ("absurd", against)
    return by


def _by_cases(
    given: Sequence[Formula],
    target: Formula,
    cases: list[tuple[Case, ...]],
    low: Lowering,
    budget: Iterator[int],
    depth: int,
) -> bool:
    if not cases or depth == 0:
        return False
    first, rest = cases[0], cases[1:]
    for alternative in first:
        if next(budget, None) is None:
            return False
        more = [x for f in alternative for x in (f.args if f.op == "and" else (f,))]
        if any(x.op == "false" for x in more):
            continue
        extended = [*given, *(x for x in more if x.op != "true")]
        here = _assume(extended, target, low)
        if _settle(here, target) is None and not _by_cases(
            extended, target, rest, low, budget, depth - 1
        ):
            return False
    return True
