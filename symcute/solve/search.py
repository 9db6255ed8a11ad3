"""Proofs of goals in the steps of certificates: by elimination, by polynomials, by cases.

What is found is the proof: `docs/reference/certificates.md` has the steps, and the checker does
them again.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from functools import cached_property
from math import inf
from typing import Any, NamedTuple

from symcute.expr.assumptions import Assumptions
from symcute.expr.formula import Formula, negation
from symcute.expr.lowering import lower
from symcute.expr.node import Node, Term
from symcute.expr.polynomial import ONE, Poly, add, neg, variable, variables
from symcute.expr.ranges import Names, ranges_under
from symcute.expr.ratio import ATOMS, Ratio
from symcute.solve.elimination import MAX_NODES, shared, slackened, weights
from symcute.solve.entailment import Entailment
from symcute.solve.obligations import By, Parametrisation
from symcute.solve.obligations.handelman import Constraint, Terms, weighted
from symcute.solve.obligations.parametrisation import Definition
from symcute.solve.wording import conjuncts, formula

__all__ = ["MAX_GIVEN", "RANGE", "Line", "Search"]

#: How many hypotheses polynomials are tried with; how many cases a proof has, how deep.
MAX_GIVEN, MAX_LEAVES, MAX_DEPTH = 60, 24, 4
#: How much is done in search of products for one goal, and for one of many orders of two threads.
WORK, LITTLE_WORK = 200_000, 40_000
#: How many polynomials are looked at for one of the parts by which threads overlap.
FEW_NODES = 32
RANGE: By = ("range", ())


class Line(NamedTuple):
    """A hypothesis as a formula, and what of it is at least 0 where it is polynomials.

    One that does not tell bounds dims by numbers: they start from there, or it leads nowhere.
    """

    formula: Formula
    gap: Poly | None
    tells: bool


class Search:
    """Looks for proofs under hypotheses, whose numbers are their places in the list.

    `lines` remembers what hypotheses are as formulas.
    """

    def __init__(
        self, given: Iterable[Term], dims: Collection[str], lines: dict[Term, Line] | None = None
    ) -> None:
        self.dims = frozenset(dims)
        self.given = list(given)
        self._lines: dict[Term, Line] = {} if lines is None else lines
        self.lines = [self._line(h) for h in self.given]
        self.assumptions = Assumptions(tuple(x.formula for x in self.lines))
        self._found: dict[Formula, By | None] = {}
        self._bounded: dict[frozenset[Term], By | None] = {}
        self._more: dict[tuple[Term, ...], Search] = {}
        self._ways: dict[frozenset[str], Parametrisation] = {}
        self._values: dict[Parametrisation, list[tuple[int, Poly, set[str]]]] = {}

    def _line(self, h: Term) -> Line:
        if h not in self._lines:
            f = formula(h)
            gap = gap_of(f)
            told = f.op in ("le", "lt", "eq") and (not f.dims() <= self.dims or _mixed(gap))
            self._lines[h] = Line(f, gap, told)
        return self._lines[h]

    @cached_property
    def facts(self) -> Entailment:
        """What follows by polynomials; its work is renewed for each goal."""
        return Entailment(self.assumptions, frozenset(self.assumptions.dims()), work=WORK)

    def plus(self, *more: Term) -> Search:
        """Return the search under more hypotheses, the same one each time: it remembers."""
        if more not in self._more:
            added = [y for x in more for y in conjuncts(x)]
            self._more[more] = Search([*self.given, *added], self.dims, self._lines)
        return self._more[more]

    def condition(self, asked: str) -> By:
        """Return a proof of what makes a text make sense."""
        (f,) = Assumptions.of(asked).formulas or (None,)
        return (self.facts.proof(f, solver=False) if f is not None else None) or RANGE

    def by_polynomials(self, goal: Term) -> By | None:
        """Return a proof by elimination, or by polynomials in parameters, or None."""
        if isinstance(goal, Node) and goal.op == "and":
            parts = [self.by_polynomials(x) for x in goal.args]
            return None if None in parts else ("and", parts)
        by = self.eliminated(goal)
        return (
            self._by_products(formula(goal)) if by is None and len(self.given) <= MAX_GIVEN else by
        )

    def _by_products(self, target: Formula) -> By | None:
        self.facts.renew(WORK)
        by = self.facts.proof(target, solver=False)
        if by is None and target.op in ("le", "lt", "eq", "or", "false"):
            against = self.facts.under(negation(target)).contradicted()
            by = against and ("absurd", against)
        return by

    # --- elimination ---------------------------------------------------------------------------

    def eliminated(self, goal: Term) -> By | None:
        """Return a proof by bounds that are polynomials as they stand, or None."""
        if isinstance(goal, Node) and goal.op == "and":
            parts = [self.eliminated(x) for x in goal.args]
            return None if None in parts else ("and", parts)
        target = formula(goal)
        if target not in self._found:
            self._found[target] = self._eliminated(target)
        return self._found[target]

    def nearby(self, goal: Term, beside: Collection[str] = ()) -> By | None:
        """Return a proof by bounds of the names in a relation, and some beside, alone; or None."""
        return self._eliminated(formula(goal), beside)

    def _eliminated(self, target: Formula, beside: Collection[str] | None = None) -> By | None:
        if target.op == "eq":
            low = self._eliminated(Formula("le", target.args), beside)
            high = low and self._eliminated(Formula("le", target.args[::-1]), beside)
            return ("both", low, high) if low and high else None
        if target.op not in ("le", "lt"):
            return None
        p = gap_of(target)
        if p is None:
            return None
        way = self.way(variables(p))
        if way is None:
            return None
        p = way.value(Ratio(p, ONE)).num
        content, p = shared(p), slackened(p)
        # What speaks of nothing else comes first: it is what most proofs take.
        least: tuple[Collection[str] | None, ...] = (variables(p), None)
        if beside is not None:
            told = (way.values[n] for n in beside if n in way.values)
            least = (variables(p).union(*map(variables, told)),)
        for near in least:
            terms = self.products(p, way, content, near=near)
            if terms is not None:
                return ("sum", way, terms)
        return None

    def products(
        self,
        p: Any,
        way: Parametrisation,
        content: int = 1,
        nodes: int = MAX_NODES,
        near: Collection[str] | None = None,
    ) -> list[Any] | None:
        """Return products of hypotheses that leave nothing negative of p / content."""
        hypotheses = []
        for k, value, of in self._valued(way):
            if near is not None and not of <= {*near}:
                continue
            kinds = ("e", "e") if self.lines[k].formula.op == "eq" else ("g",)
            for sign, kind in zip((1, -1), kinds, strict=False):
                hypotheses.append((kind, k, sign, value))
        polys = [{m: c * s for m, c in q.items()} for _, _, s, q in hypotheses]
        if not all(map(way.known, set[str]().union(*map(variables, (p, *polys))))):
            return None
        found = weights(p, polys, nodes)
        if found is None:
            return None
        terms = []
        for weight, monomial, j in found:
            kind, k, sign, _ = hypotheses[j]
            factors = [v for v, e in monomial for _ in range(e)]
            terms.append((str(weight * sign / content), [(kind, k), *factors]))
        return terms

    def _valued(self, way: Parametrisation) -> list[tuple[int, Poly, set[str]]]:
        """Return the hypotheses that tell on a way: their numbers, values, and names in these."""
        if way not in self._values:
            self._values[way] = found = []
            for k, (_, q, tells) in enumerate(self.lines):
                if tells and q is not None and variables(q) <= way.values.keys():
                    value = way.value(Ratio(q, ONE)).num
                    found.append((k, value, variables(value)))
        return self._values[way]

    @cached_property
    def _names(self) -> set[str]:
        return set().union(*(variables(x.gap) for x in self.lines if x.gap))

    def way(self, wanted: Collection[str]) -> Parametrisation | None:
        """Return the way that has each name from its lower bound, or as another it is equal to."""
        every = frozenset(self._names.union(wanted))
        if every not in self._ways:
            self._ways[every] = self._way(every)
        way = self._ways[every]
        return way if {*wanted} <= way.values.keys() else None

    def _way(self, every: Collection[str]) -> Parametrisation:
        left = sorted(v for v in every if v not in ATOMS)
        same = {a: b for a, b in _renamed(self.given) if a != b}
        lows = {v: self.assumptions.lower_bound(v) for v in left}
        definitions: dict[str, Definition] = {}
        while left:
            # Of names that are equal in a circle, one is where it starts.
            free = [v for v in left if v not in same] or left[:1]
            known = [v for v in left if same.get(v) in definitions]
            for v in known:
                definitions[v] = Definition(v, "is", Ratio(variable(same[v]), ONE))
            for v in free if not known else ():
                definitions[v] = Definition(v, "from", lower(lows[v]))
            left = [v for v in left if v not in definitions]
        return Parametrisation(definitions.values(), lows, {})

    # --- cases ---------------------------------------------------------------------------------

    def by_cases(self, goal: Term) -> By | None:
        """Return a proof that looks at the alternatives of hypotheses, or None."""
        return self._cases(goal, iter(range(MAX_LEAVES)), MAX_DEPTH, frozenset())

    def _cases(
        self, goal: Term, leaves: Iterator[int], depth: int, done: frozenset[int]
    ) -> By | None:
        for k, h in enumerate(self.given if depth else ()):
            if k in done or not isinstance(h, Node) or h.op not in ("or", "!="):
                continue
            a, b = h.args[:2]
            parts = h.args if h.op == "or" else (Node("<", a, b), Node("<", b, a))
            found = []
            for part in parts:
                if next(leaves, None) is None:
                    return None
                inner = self.plus(part)
                by = inner.leaf(goal) or inner._cases(goal, leaves, depth - 1, done | {k})
                if by is None:
                    break
                found.append(by)
            else:
                return ("either", k, found)
        return None

    def leaf(self, goal: Term) -> By | None:
        """Return a proof of a goal, or that the hypotheses contradict each other."""
        by = self.by_polynomials(goal)
        return RANGE if by is None and self.in_ranges(goal) else by

    def in_ranges(self, goal: Term) -> bool:
        """Return whether constant ranges show a goal, or that nothing meets the hypotheses."""
        known = self.ranges
        empty = any(low > high for low, high in known.values())
        return (
            empty
            or any(known.ranges.decides(h) is False for h in self.given)
            or bool(known.ranges.decides(goal))
        )

    @cached_property
    def ranges(self) -> Names:
        """The constant ranges of the names."""
        lows = {n: self.assumptions.lower_bound(n) for n in self.assumptions.dims()}
        return ranges_under(self.given, {n: (low, inf) for n, low in lows.items()})

    def absurd(self, overlap: Collection[Term], tries: Iterator[int]) -> By | None:
        """Return a proof of 1 <= 0: some part of an overlap fails where the rest holds.

        By bounds, and thoroughly as long as there are tries left.
        """
        parts = frozenset(overlap)
        if parts not in self._bounded:
            self._bounded[parts] = self._absurd(parts)
        if self._bounded[parts] is not None or next(tries, None) is None:
            return self._bounded[parts]
        return self._contradicted

    @cached_property
    def _contradicted(self) -> By | None:
        self.facts.renew(LITTLE_WORK)
        return self.facts.contradicted()

    def _absurd(self, overlap: Collection[Term]) -> By | None:
        """Return a proof of 1 <= 0 by bounds."""
        way = self.way(())
        if way is None:
            return None
        terms = self._linear(overlap, way)
        if terms is not None:
            return ("sum", way, terms)
        for k, (h, (f, q, _)) in enumerate(zip(self.given, self.lines, strict=True)):
            if h not in overlap or q is None or not variables(q) <= way.values.keys():
                continue
            p = way.value(Ratio(q, ONE)).num
            equation = f.op == "eq"
            for sign in (1, -1) if equation else (1,):
                less = {m: -c for m, c in add({m: sign * c for m, c in p.items()}, ONE).items()}
                terms = self.products(less, way, nodes=FEW_NODES)
                if terms is not None:  # q >= 0 and -(q + 1) >= 0
                    kind = "e" if equation else "g"
                    return ("sum", way, [*terms, (str(sign), [(kind, k)])])
        return None

    def _linear(self, overlap: Collection[Term], way: Parametrisation) -> Terms | None:
        """Return weights of hypotheses that contradict equations in names which are no dims.

        All are linear and speak of these names alone, so that a small program decides it.
        """
        told = [x for h, x in zip(self.given, self.lines, strict=True) if h in overlap]
        equations = [variables(x.gap) for x in told if x.formula.op == "eq" and x.gap]
        every = set[str]().union(*(names for names in equations if names.isdisjoint(self.dims)))
        if not every or not every <= way.values.keys():
            return None
        columns: list[Constraint] = []
        for k, (f, q, _) in enumerate(self.lines):
            if q and variables(q) <= every and all(sum(e for _, e in m) <= 1 for m in q):
                equation = f.op == "eq"
                value = way.value(Ratio(q, ONE)).num
                columns.append(Constraint((("e" if equation else "g", k),), value, equation))
        return weighted(neg(ONE), columns, way)


def _renamed(given: Iterable[Term]) -> Iterator[tuple[str, str]]:
    """Yield names that are equal to another, with that."""
    for h in given:
        if isinstance(h, Node) and h.op == "==":
            a, b = h.args
            if isinstance(a, str) and isinstance(b, str):
                yield a, b


def _mixed(q: Any) -> bool:
    """Return whether a polynomial in dims has several of them."""
    return q is not None and len(variables(q)) > 1


def gap_of(f: Formula) -> Poly | None:
    """Return what is at least 0 in a relation between polynomials (0, in an equation)."""
    if f.op not in ("le", "lt", "eq"):
        return None
    a, b = (lower(x) for x in f.args)
    if a.den != ONE or b.den != ONE:
        return None
    gap = b - a
    gap = gap - 1 if f.op == "lt" else gap
    return None if variables(gap.num) & ATOMS.keys() else gap.num
