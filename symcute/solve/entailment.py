"""The one place that answers "is a == b, a <= b, a | b?" under assumptions.

`Entailment.proves` is one-sided: True means proved for every instance of the dims that meets the
assumptions, False means only "not proved". `Entailment.proof` says how, in the words of
`docs/reference/certificates.md`. The cheap road comes first, polynomials in parameters that are at
least 0 (`obligations/`); a formula that a small instance breaks goes no further; solvers come last.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from itertools import islice
from typing import Any, TypeAlias

from symcute.errors import InputError, NotAdmissible, Undecided
from symcute.expr import limits
from symcute.expr.assumptions import Assumptions, Given, ambient
from symcute.expr.basis import ScaledBasis
from symcute.expr.formula import Formula, divides, eq, le, lt, ne, negation, not_
from symcute.expr.htuple import Leaf
from symcute.expr.lowering import lower
from symcute.expr.polynomial import ONE
from symcute.expr.ratio import ATOMS, Ratio, names_in
from symcute.solve import solvers
from symcute.solve.cases import by_bit, case
from symcute.solve.classes import by_classes, by_whole
from symcute.solve.derived import Derived
from symcute.solve.extremes import by_both, by_order
from symcute.solve.glance import divisors_in, glance, speaks, variables_of
from symcute.solve.obligations import By, Parametrisation, Pool, Work, harder, plain, ways
from symcute.solve.pairs import by_pairs
from symcute.solve.smtlib import Condition, Query

__all__ = ["Entailment", "Where", "facts"]

#: The operation that asks, as text or as what gives the text when it is needed.
Where: TypeAlias = str | Callable[[], str]
_CONNECTIVES = ("and", "or", "not", "implies")
#: The work of the solver for one question of the algebra, and to refute the assumptions.
SOLVER_WORK, CONTRADICTION_WORK = 2000, 500
#: How many ways of writing the dims are tried, and how many instances are looked at.
MAX_WAYS, MAX_INSTANCES, MANY_INSTANCES, FEW_INSTANCES = 8, 400, 120, 16
#: How much is done in search of products for all questions about one claim; see `Work`.
CLAIM_WORK = 500_000
#: What a question costs beside what is evaluated and multiplied for it, in steps.
PROOF_STEPS = 100
#: How deep premises and cases may be nested.
MAX_DEPTH = 3
#: The way that leaves every dim as it is.
UNWRITTEN = Parametrisation([], {}, {})


class Entailment:
    """Answers questions about leaves under assumptions. Use `facts(given)`, which caches.

    `names` are the dims of a claim that all questions are about: its proofs share their ways of
    writing the dims, and have so much `work` together.
    """

    def __init__(
        self,
        assumptions: Assumptions,
        names: frozenset[str] = frozenset(),
        depth: int = 0,
        work: int | None = None,
    ) -> None:
        self.assumptions = assumptions
        self._depth = depth
        # Bounds and divisibility leave room in every direction; equations do not.
        self._open_region = all(f.op in ("le", "lt", "ne", "divides") for f in assumptions.formulas)
        self._numbers = {f: k for k, f in reversed(list(enumerate(assumptions.formulas)))}
        self._proofs: dict[Formula, By] = {}
        self._open: set[tuple[Formula, bool]] = set()
        self._names = names
        self._ways: dict[Any, list[Parametrisation]] = {}
        self._pool = Pool(assumptions, self._ways_of)
        self._contradictory: tuple[bool | None] | None = None
        self._work = Work(CLAIM_WORK if work is None else work) if names else None
        self._inner: dict[Formula, Entailment] = {}
        self._derived = Derived(self, outermost=depth == 0)

    def proves(self, formula: Formula, *, solver: bool = True) -> bool:
        """Return whether the formula is proved for all instances. False says nothing.

        >>> from symcute.expr.assumptions import dims
        >>> M, N = dims("M N")
        >>> facts("M % 128 == 0").proves(divides(64, M)), facts().proves(le(M, M * N))
        (True, True)
        """
        if formula in self._proofs:
            return True
        seen = glance(self.assumptions, formula)
        return self.proof(formula, solver=solver) is not None if seen is None else seen

    def proof(self, formula: Formula, *, solver: bool = True) -> By | None:
        """Return how the formula is proved, or None, which says nothing.

        The proof is in the words of `docs/reference/certificates.md`, with a `Parametrisation` in
        place of its number.

        >>> from symcute.expr.assumptions import dims
        >>> facts().proof(le(2, 3)), facts("M >= 7").proof(le(7, dims("M")))
        ('-', ('given', 0))
        """
        found = self._proofs.get(formula)
        if found is not None:
            return found
        if (formula, True) in self._open or (formula, solver) in self._open:
            return None
        if not speaks(formula):
            try:
                return "-" if formula.holds({}) else None
            except InputError:
                return None
        limits.spend(PROOF_STEPS)
        found = by_whole(self, formula) if self._depth < MAX_DEPTH else None
        found = found or self._by_structure(formula, solver)
        found = found or by_classes(formula, self.assumptions.formulas)
        found = found or self._derived.proof(formula)
        if found is None and solver:
            found = self._by_solver(formula)
        if found is None:
            self._open.add((formula, solver))
        else:
            self._proofs[formula] = found
        return found

    def renew(self, work: int) -> None:
        """Allow so much work in search of products for what is asked next."""
        if self._work is not None:
            self._work.renew(work)

    def under(self, premise: Formula) -> Entailment:
        """Return the facts with a formula, or every part of a conjunction, assumed as well."""
        if premise not in self._inner:
            formula = negation(premise.args[0]) if premise.op == "not" else premise
            parts = formula.args if formula.op == "and" else (formula,)
            # What is plainly false is a relation like any other.
            parts = tuple(eq(0, 1) if x.op == "false" else x for x in parts)
            inner = Assumptions((*self.assumptions.formulas, *parts))
            self._inner[premise] = Entailment(inner, self._names, self._depth + 1)
            self._inner[premise]._work = self._work
            self._inner[premise]._pool = Pool(inner, self._inner[premise]._ways_of, self._pool)
        return self._inner[premise]

    def same(self, a: Leaf, b: Leaf) -> bool:
        """Return whether a == b is proved by polynomials alone (exact when both are ints)."""
        if isinstance(a, int) and isinstance(b, int):
            return a == b
        if isinstance(a, ScaledBasis) or isinstance(b, ScaledBasis):
            return self._same_basis(a, b)
        left, right = lower(a), lower(b)
        if left == right:
            return True
        if self._open_region and ATOMS.keys().isdisjoint(variables_of(left) | variables_of(right)):
            return False  # where no dim is tied to others, no two polynomials agree throughout
        return self.proves(eq(a, b), solver=False)

    def _same_basis(self, a: Any, b: Any) -> bool:
        """Return whether two strides, one of them a coordinate, are proved to be the same."""
        if not (isinstance(a, ScaledBasis) and isinstance(b, ScaledBasis)):
            return False
        return a.modes == b.modes and self.same(a.value, b.value)

    def at_most(self, a: Leaf, b: Leaf) -> bool:
        """Return whether a <= b is proved (exact when both are ints)."""
        if isinstance(a, int) and isinstance(b, int):
            return a <= b
        return self.proves(le(a, b))

    def divides(self, a: Leaf, b: Leaf) -> bool:
        """Return whether a | b is proved (exact when both are ints; 0 divides nothing)."""
        if type(a) is int and type(b) is int:
            return a != 0 and b % a == 0
        return self.proves(divides(a, b))

    def require(self, formula: Formula, where: Where, assume: Formula | None = None) -> None:
        """Raise unless the formula is proved.

        Errors: NotAdmissible when it is false for all instances, with a witness; Undecided, naming
        the assumption (`assume`, or the formula itself) that would decide it, otherwise.
        """
        if self.proves(formula):
            return
        where = where if isinstance(where, str) else where()
        witness = self.counterexample(formula)
        shown = ", ".join(f"{k}={v}" for k, v in sorted((witness or {}).items()))
        if self.proves(not_(formula)):
            raise NotAdmissible(where, condition=str(formula), witness=shown)
        wanted = (formula if assume is None else assume).balanced()
        detail = f"this condition is false at {shown}" if witness else ""
        raise Undecided(str(formula), where, str(wanted), detail)

    def contradictory(self) -> bool | None:
        """Return whether no instance meets the assumptions; None when that is not known.

        "No" takes an instance that meets them, "yes" a refutation by polynomials or the solver.
        """
        if self._contradictory is None:
            self._contradictory = (self._find_contradiction(),)
        return self._contradictory[0]

    def _find_contradiction(self) -> bool | None:
        if any(True for _ in self.instances(self.assumptions.dims(), 1)):
            return False
        if self.contradicted():
            return True
        answer = solvers.solve(self.query().script(), work=CONTRADICTION_WORK)
        if answer.status == "unsat":
            return True
        values = {k: v for k, v in answer.model.items() if k in self.assumptions.dims()}
        met = self.assumptions.dims() == set(values) and self._pool.holds(values)
        return False if met and answer.status == "sat" else None

    def contradiction(self) -> tuple[Formula, ...]:
        """Return assumptions that contradict each other, none of which can be left out.

        Pre-conditions: contradictory() is True.
        """
        core = list(self.assumptions.formulas)
        for f in self.assumptions.formulas:
            fewer = [x for x in core if x != f]
            if Entailment(Assumptions(tuple(fewer))).contradictory():
                core = fewer
        return tuple(core)

    # --- the polynomial road -----------------------------------------------------------------

    def _by_structure(self, f: Formula, solver: bool) -> By | None:
        if f in self._numbers:
            return ("given", self._numbers[f])
        if f.op == "and":
            parts: list[By] = []
            for x in f.args:
                parts.append(self.proof(x, solver=solver))
                if parts[-1] is None:
                    return None
            return ("and", parts)
        if f.op == "or":
            return self._by_part(f) or self._by_contradiction(f)
        if f.op == "implies":
            if self._depth >= MAX_DEPTH:
                return None
            by = self.under(f.args[0]).proof(f.args[1], solver=False)
            if by is not None:
                return ("implies", by)
            found = self._by_contradiction(f)
            if found is None and solver:
                by = self.under(f.args[0]).proof(f.args[1])
                found = by_pairs(self, f) if by is None else ("implies", by)
            return found
        if f.op == "not":
            inner = negation(f.args[0])
            by = self.proof(inner, solver=solver) if inner.op != "not" else None
            return by and ("not", by)
        if f.op in ("true", "false"):
            return "-" if f.op == "true" else None
        return self._by_relation(f)

    def _by_part(self, f: Formula) -> By | None:
        """Settle a disjunction by a part, or by a part where another is false."""
        for k, x in enumerate(f.args):
            by = self.proof(x, solver=False)
            if by is not None:
                return ("or", k, by)
        if self._depth >= MAX_DEPTH or self._broken(f, self._known(f.dims())):
            return None
        for k, x in enumerate(f.args):
            if x.op not in ("eq", "le", "lt"):
                continue
            a, b = x.args
            # An equation at the end of a range fails strictly inside it.
            for formula in (lt(b, a), lt(a, b)) if x.op == "eq" else (negation(x),):
                split = case(self.assumptions, formula)
                if split is None:
                    continue
                this = self.under(negation(split)).proof(x, solver=False)
                other = this and self.under(split).proof(f, solver=False)
                if other is not None:
                    return ("case", split, other, ("or", k, this))
        return None

    def _by_contradiction(self, f: Formula) -> By | None:
        """Settle a formula whose negation contradicts the assumptions."""
        if self._depth >= MAX_DEPTH or self._broken(f, self._known(f.dims())):
            return None
        by = self.under(not_(f)).contradicted()
        return by and ("absurd", by)

    def contradicted(self) -> By | None:
        """Return how polynomials prove 1 <= 0, or None."""
        names = frozenset(self.assumptions.dims())
        return self._by_polynomials("le", lower(1), lower(0), names)

    def _by_relation(self, f: Formula) -> By | None:
        a, b = (lower(x) for x in f.args)
        if f.op == "eq" and a == b:
            return ("sum", UNWRITTEN)
        names = frozenset(names_in(a) | names_in(b))
        if f.op == "eq" and self._broken(f, names):
            return None
        by = by_both(self, f)
        if by is not None:
            return by
        by = plain(f.op, a, b, self._ways_of(names, a, b))
        if by is not None or f.op == "divides" or (f.op != "eq" and self._broken(f, names)):
            return by
        # The harder roads are worth a closer look first.
        more = MANY_INSTANCES if self._depth == 0 else FEW_INSTANCES
        if self._pool.breaks(f, self.instances(names, more)) is not None:
            return None
        by = self._by_polynomials(f.op, a, b, names)
        if by is None and f.op == "eq":
            low = self._by_polynomials("le", a, b, names)
            high = low and self._by_polynomials("le", b, a, names)
            by = high and ("both", low, high)
        if by is None and f.op == "ne":
            by = by_bit(self, f) if self._depth < MAX_DEPTH else None
            by = (
                by
                or self._by_part(Formula("or", (lt(a, b), lt(b, a))))
                or self._by_contradiction(f)
            )
        return by or (by_order(self, f) if self._depth < MAX_DEPTH else None)

    def _by_polynomials(self, op: str, a: Ratio, b: Ratio, names: frozenset[str]) -> By | None:
        by = plain(op, a, b, found := self._ways_of(names, a, b))
        if by is not None or (self._work is not None and self._work.done):
            return by
        if not self.assumptions.dims() <= names:  # products are of what all assumptions say
            found = self._ways_of(names | self.assumptions.dims(), a, b)
        return harder(op, a, b, found, self.assumptions, self._work)

    def _ways_of(self, names: frozenset[str], *leaves: Ratio) -> list[Parametrisation]:
        divisors = tuple(sorted(set().union(*(divisors_in(r) for r in leaves))))
        if names < self._names:
            # More dims make no difference where all ways fit in.
            shared = self._ways_with(self._names, divisors)
            if len(shared) < MAX_WAYS:
                return shared
        return self._ways_with(names, divisors)

    def ways(self, names: Iterable[str], leaves: Iterable[Leaf]) -> list[Parametrisation]:
        """Return ways of writing the dims of leaves in parameters, the most telling first."""
        return self._ways_of(self._known(names), *map(lower, leaves))

    def _ways_with(
        self, names: frozenset[str], divisors: tuple[tuple[str, int], ...]
    ) -> list[Parametrisation]:
        key = (names, divisors)
        if key not in self._ways:
            self._ways[key] = list(islice(ways(self.assumptions, names, divisors), MAX_WAYS))
        return self._ways[key]

    def _known(self, names: Iterable[str]) -> frozenset[str]:
        """Return the dims of all questions when these are among them."""
        wanted = frozenset(names)
        return self._names if wanted <= self._names else wanted

    # --- instances -----------------------------------------------------------------------------

    def instances(self, names: Iterable[str], limit: int) -> Iterator[dict[str, int]]:
        """Yield up to `limit` different small instances that meet the assumptions."""
        return self._pool.instances(self._known(names), limit)

    def samples(self, names: Iterable[str]) -> list[dict[str, int]]:
        """Return a few instances that meet the assumptions, to guess by: small ones, then larger.

        In the larger ones the dims differ from each other, so that strides show their order.
        """
        return self._pool.samples(self._known(names))

    def sample(self, names: Iterable[str]) -> dict[str, int] | None:
        """Return an instance whose dims are all large if possible, where strides show their order.

        A guess, not a fact: whoever uses it must prove what it suggests. None when no instance is
        found.
        """
        return self._pool.large(names)

    def counterexample(self, formula: Formula) -> dict[str, int] | None:
        """Return small dims that meet the assumptions and break the formula, if any are found."""
        return self._pool.breaks(formula, self.instances(formula.dims(), MAX_INSTANCES))

    def _broken(self, formula: Formula, names: Iterable[str]) -> bool:
        """Return whether a sample breaks the formula."""
        return self._pool.breaks(formula, self.samples(names)) is not None

    # --- the solver road -----------------------------------------------------------------------

    def _by_solver(self, formula: Formula) -> By | None:
        if self.counterexample(formula) is not None:
            return None
        query = self.query(formula.dims())
        query.assume(not_(formula))
        answer = solvers.solve(query.script(), work=SOLVER_WORK)
        if answer.status != "unsat" or not all(self.discharges(c) for c in query.conditions):
            return None
        return ("solver", answer.solver, answer.version)

    def query(self, names: Iterable[str] = ()) -> Query:
        """Return a query that asserts the assumptions and the lower bounds of all dims.

        An assumption that rests on conditions of its own is dropped, unless it says them: a lone
        relation with a quotient is met only where the quotient is an integer.
        """
        query = Query()
        for fact in self.assumptions.all(names):
            if self._self_contained(fact):
                query.assume(fact)
        query.conditions.clear()
        return query

    def _self_contained(self, fact: Formula) -> bool:
        alone = Query()
        alone.assume(fact)
        lone = (fact.args[0] if fact.op == "not" else fact).op not in _CONNECTIVES
        return all(
            lone if c[0] == "divides" else self.proves(ne(Ratio(c[1], ONE), 0), solver=False)
            for c in alone.conditions
        )

    def discharges(self, condition: Condition) -> bool:
        """Return whether a side condition of a query is proved (see `Query.conditions`)."""
        kind, p, q = condition
        a, b = Ratio(p, ONE), Ratio(q, ONE)
        return self.proves(ne(a, 0) if kind == "nonzero" else divides(a, b))


@lru_cache(maxsize=1024)
def _facts(assumptions: Assumptions) -> Entailment:
    return Entailment(assumptions)


def facts(given: Given = ()) -> Entailment:
    """Return the facts under `given` and the enclosing `assuming` blocks.

    >>> facts(["LD >= N"]).proves(Assumptions.of("LD + 1 > N").formulas[0])
    True
    """
    if type(given) is tuple and not given and not ambient().formulas:
        return _NO_ASSUMPTIONS
    return _facts(Assumptions.of(given))


_NO_ASSUMPTIONS = Entailment(Assumptions())
