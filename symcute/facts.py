"""The one place that answers "is a == b, a <= b, a | b?" under assumptions.

`Facts.proves` is one-sided: True means proved for every instance of the dims that meets the
assumptions, False means only "not proved". The cheap road comes first, polynomials in parameters
that are at least 0 (`parameters.py`); what that does not settle goes to the solver.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from itertools import islice
from typing import Any, TypeAlias

from symcute import solvers
from symcute.assumptions import Assumptions, Given, ambient
from symcute.basis import ScaledBasis
from symcute.errors import InputError, NotAdmissible, Undecided
from symcute.formula import FALSE, TRUE, Formula, divides, eq, le, not_
from symcute.htuple import Leaf
from symcute.parameters import (
    Parametrisation,
    at_least,
    large_parameters,
    rewrite,
    small_instances,
    ways,
)
from symcute.poly import (
    ATOMS,
    ONE,
    Poly,
    Ratio,
    lower,
    make_ratio,
    mul,
    neg,
    sub,
    substitute,
    variables,
)
from symcute.smtlib import Condition, Query

__all__ = ["Facts", "Where", "facts"]

#: The operation that asks, as text or as what gives the text when it is needed.
Where: TypeAlias = str | Callable[[], str]
_CONNECTIVES = ("and", "or", "not", "implies")
#: Seconds the solver gets for one question of the algebra.
SOLVER_SECONDS = 2.0
#: How many ways of writing the dims are tried, and how many instances are looked at.
MAX_WAYS, MAX_INSTANCES = 8, 400


class Facts:
    """Answers questions about leaves under assumptions. Use `facts(given)`, which caches."""

    def __init__(self, assumptions: Assumptions) -> None:
        self.assumptions = assumptions
        self._equations = any(f.op == "eq" for f in assumptions.formulas)
        #: The formulas that polynomials did not settle, and the solver did.
        self.solver_alone: set[Formula] = set()
        self._answers: dict[Formula, bool] = {}
        self._ways: dict[frozenset[str], list[Parametrisation]] = {}
        self._record: list[Formula] | None = None
        self._samples: dict[frozenset[str], dict[str, int] | None] = {}

    def proves(self, formula: Formula, *, solver: bool = True) -> bool:
        """Return whether the formula is proved for all instances. False says nothing.

        >>> from symcute.assumptions import dims
        >>> M, N = dims("M N")
        >>> facts("M % 128 == 0").proves(divides(64, M)), facts().proves(le(M, M * N))
        (True, True)
        """
        known = self._answers.get(formula)
        if known is None:
            if not formula.dims():
                return formula.holds({})
            known = self._by_parameters(formula)
            if not known and solver:
                known = self._by_instance(formula) is None and self._by_solver(formula)
                if known:
                    self.solver_alone.add(formula)
            if known or solver:
                self._answers[formula] = known
        if known and self._record is not None:
            self._record.append(formula)
        return known

    @contextmanager
    def recording(self) -> Iterator[list[Formula]]:
        """Collect every formula about dims that is proved inside the block."""
        outer, self._record = self._record, []
        try:
            yield self._record
        finally:
            self._record = outer

    def same(self, a: Leaf, b: Leaf) -> bool:
        """Return whether a == b is proved by polynomials alone (exact when both are ints)."""
        if isinstance(a, int) and isinstance(b, int):
            return a == b
        if isinstance(a, ScaledBasis) or isinstance(b, ScaledBasis):
            return self._same_basis(a, b)
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

    def counterexample(self, formula: Formula) -> dict[str, int] | None:
        """Return small dims that meet the assumptions and break the formula, if any are found."""
        return self._by_instance(formula)

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
        detail = f"it fails at {shown}" if witness else ""
        raise Undecided(str(formula), where, str(formula if assume is None else assume), detail)

    def contradictory(self) -> bool | None:
        """Return whether no instance meets the assumptions; None when that is not known.

        "No" takes an instance that meets them, "yes" a refutation by the solver.
        """
        if any(True for _ in self.instances(self.assumptions.dims(), 1)):
            return False
        query = self.query()
        answer = solvers.solve(query.script(), timeout=SOLVER_SECONDS)
        if answer.status == "unsat":
            return True
        names = self.assumptions.dims()
        values = {k: v for k, v in answer.model.items() if k in names}
        met = answer.status == "sat" and names == set(values) and _hold(self.assumptions, values)
        return False if met else None

    # --- the polynomial road -----------------------------------------------------------------

    def _by_parameters(self, f: Formula) -> bool:
        if f.op in ("and", "or"):
            parts = (self._by_parameters(x) for x in f.args)
            return all(parts) if f.op == "and" else any(parts)
        if f.op == "implies":
            return self._by_parameters(f.args[1])
        if f.op == "not":
            return self._by_parameters(_negation(f.args[0]))
        if f.op in ("true", "false"):
            return f.op == "true"
        if f in self.assumptions.formulas:
            return True
        a, b = (lower(x) for x in f.args)
        if f.op == "eq" and a.den == b.den == ONE and (a == b or not self._equations):
            return a == b  # ways without equations map different polynomials to different ones
        names = frozenset(
            _dims_of(variables(a.num) | variables(a.den) | variables(b.num) | variables(b.den))
        )
        return any(self._holds(f.op, a, b, way) for way in self._parametrisations(names))

    def _holds(self, op: str, a: Ratio, b: Ratio, way: Parametrisation) -> bool:
        left = rewrite(a, way)
        if op == "divides":
            # Only polynomials: a | b as values needs the quotient to be an integer everywhere.
            if left.den != ONE or not at_least(left.num, 1, way):
                return False
            if a.den == b.den == ONE and make_ratio(b.num, a.num).den == ONE:
                return True
            right = rewrite(b, way)
            return right.den == ONE and make_ratio(right.num, left.num).den == ONE
        right = rewrite(b, way)
        if not (at_least(left.den, 1, way) and at_least(right.den, 1, way)):
            return False
        gap = sub(mul(right.num, left.den), mul(left.num, right.den))
        if op == "eq":
            return not gap
        if op == "ne":
            return at_least(gap, 1, way) or at_least(neg(gap), 1, way)
        return at_least(gap, 1 if op == "lt" else 0, way)

    def _parametrisations(self, names: frozenset[str]) -> list[Parametrisation]:
        if names not in self._ways:
            self._ways[names] = list(islice(ways(self.assumptions, names), MAX_WAYS))
        return self._ways[names]

    # --- instances -----------------------------------------------------------------------------

    def instances(self, names: Iterable[str], limit: int) -> Iterator[dict[str, int]]:
        """Yield up to `limit` different small instances that meet the assumptions."""
        wanted = frozenset(names) | frozenset(self.assumptions.dims())
        seen: set[tuple[int, ...]] = set()
        order = sorted(wanted)
        for values in small_instances(self._parametrisations(wanted), wanted):
            key = tuple([values[n] for n in order])
            if key not in seen and _hold(self.assumptions, values):
                seen.add(key)
                yield values
                if len(seen) >= limit:
                    return

    def sample(self, names: Iterable[str]) -> dict[str, int] | None:
        """Return an instance whose dims are all large if possible, where strides show their order.

        A guess, not a fact: whoever uses it must prove what it suggests. None when no instance is
        found.
        """
        wanted = frozenset(names)
        if not self.assumptions.formulas:
            return {
                n: 1 + k for n, k in zip(sorted(wanted), large_parameters(len(wanted)), strict=True)
            }
        if wanted not in self._samples:
            found = self.instances(wanted, MAX_INSTANCES)
            self._samples[wanted] = max(
                found, key=lambda at: (min(at.values(), default=0), sum(at.values())), default=None
            )
        return self._samples[wanted]

    def _by_instance(self, formula: Formula) -> dict[str, int] | None:
        for values in self.instances(formula.dims(), MAX_INSTANCES):
            try:
                if not formula.holds(values):
                    return values
            except InputError:
                return values
        return None

    # --- the solver road -----------------------------------------------------------------------

    def _by_solver(self, formula: Formula) -> bool:
        query = self.query(formula.dims())
        query.assume(not_(formula))
        return self.unsat(query)

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
        return all(lone if c[0] == "divides" else self._positive(c[1]) for c in alone.conditions)

    def _positive(self, p: Poly) -> bool:
        """Return whether p >= 1 by polynomials alone."""
        ways = self._parametrisations(frozenset(_dims_of(variables(p))))
        return any(at_least(substitute(p, way), 1, way) for way in ways)

    def unsat(self, query: Query, timeout: float = SOLVER_SECONDS) -> bool:
        """Return whether a query is unsatisfiable and every condition it rests on is proved."""
        if solvers.solve(query.script(), timeout=timeout).status != "unsat":
            return False
        return all(self.discharges(c) for c in query.conditions)

    def discharges(self, condition: Condition) -> bool:
        """Return whether a side condition of a query is proved (see `Query.conditions`)."""
        kind, p, q = condition
        names = _dims_of(variables(p) | variables(q))
        for way in self._parametrisations(frozenset(names)):
            left, right = rewrite(Ratio(p, ONE), way), rewrite(Ratio(q, ONE), way)
            if left.den != ONE or right.den != ONE or not at_least(left.num, 1, way):
                continue
            if kind == "positive" or make_ratio(right.num, left.num).den == ONE:
                return True
        query = self.query(names)
        before = len(query.conditions)
        term = query.poly(p)
        if kind == "positive":
            query.require(f"(< {term} 1)")
        else:
            quotient, rest = query.fresh("q"), query.fresh("r")
            query.require(f"(>= {term} 1)")
            query.require(f"(= {query.poly(q)} (+ (* {term} {quotient}) {rest}))")
            query.require(f"(and (< 0 {rest}) (< {rest} {term}))")
        if len(query.conditions) > before:
            return False  # a condition under a condition: too deep to be worth a round
        return solvers.solve(query.script(), timeout=SOLVER_SECONDS).status == "unsat"


@lru_cache(maxsize=1024)
def _facts(assumptions: Assumptions) -> Facts:
    return Facts(assumptions)


def facts(given: Given = ()) -> Facts:
    """Return the facts under `given` and the enclosing `assuming` blocks.

    >>> facts(["LD >= N"]).proves(Assumptions.of("LD + 1 > N").formulas[0])
    True
    """
    if type(given) is tuple and not given and not ambient():
        return _NO_ASSUMPTIONS
    return _facts(Assumptions.of(given))


_NO_ASSUMPTIONS = Facts(Assumptions())


def _negation(f: Formula) -> Formula:
    """Return the negation with `not` pushed one step inwards where that helps."""
    if f.op == "le":
        return Formula("lt", (f.args[1], f.args[0]))
    if f.op == "lt":
        return Formula("le", (f.args[1], f.args[0]))
    if f.op in ("eq", "ne"):
        return Formula("ne" if f.op == "eq" else "eq", f.args)
    if f.op == "not":
        inner: Formula = f.args[0]
        return inner
    if f.op in ("and", "or"):
        return Formula("or" if f.op == "and" else "and", tuple(_negation(x) for x in f.args))
    return FALSE if f == TRUE else TRUE if f == FALSE else FALSE


def _dims_of(names: Iterable[str]) -> set[str]:
    """Return the dims among variables, those inside atoms included."""
    found: set[str] = set()
    for name in names:
        if name in ATOMS:
            atom = ATOMS[name]
            for r in (atom.a, atom.b):
                found |= _dims_of(variables(r.num) | variables(r.den))
        else:
            found.add(name)
    return found


def _hold(assumptions: Assumptions, values: dict[str, int]) -> bool:
    try:
        return assumptions.hold(values)
    except InputError:
        return False
