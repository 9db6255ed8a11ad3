"""Proofs of obligations in the steps of certificates: by elimination, polynomials, digits, cases.

What is found is a proposal; the checker decides whether it is a proof.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from fractions import Fraction
from functools import cached_property, lru_cache, reduce
from math import gcd, inf
from typing import Any, NamedTuple

from symcute.checker.forms import formula as read_formula
from symcute.checker.poly import budget
from symcute.checker.ranges import in_ranges
from symcute.checker.text import Node as Syntax
from symcute.checker.text import Refused, conjunction, parse
from symcute.checker.text import names as dims_of
from symcute.checker.ways import Place, constant_bounds
from symcute.expr.assumptions import Assumptions
from symcute.expr.formula import Formula, negation
from symcute.expr.lowering import lower
from symcute.expr.node import Node, Term
from symcute.expr.polynomial import (
    ATOMS,
    ONE,
    Poly,
    Ratio,
    add,
    mul,
    neg,
    sub,
    variable,
    variables,
)
from symcute.expr.ranges import Names, ranges_under
from symcute.kernel.properties.elimination import weights
from symcute.kernel.properties.wording import conjuncts, formula, text
from symcute.solve.entailment import Facts
from symcute.solve.obligations import By, Parametrisation
from symcute.solve.obligations.parametrisation import Definition

__all__ = ["MAX_GIVEN", "RANGE", "Search"]

#: How many hypotheses polynomials are tried with; how many cases a proof has, how deep.
MAX_GIVEN, MAX_LEAVES, MAX_DEPTH = 60, 24, 4
#: How often it may fail to show that two digits are equal.
MAX_FAILED = 8
#: How much is done in search of products for one proof.
WORK = 200_000
RANGE: By = ("range", ())


class Search:
    """Looks for proofs under hypotheses, whose numbers are their places in the list."""

    def __init__(
        self, given: Iterable[Term], dims: Collection[str], failed: list[int] | None = None
    ) -> None:
        self.dims = frozenset(dims)
        self.failed = [0] if failed is None else failed
        self.given = list(given)
        self.formulas = tuple(map(formula, self.given))
        self.assumptions = Assumptions(self.formulas)
        names_ = frozenset(self.assumptions.dims())
        self.gaps = [_gap(f) for f in self.formulas]
        # Bounds of dims by numbers are what the dims start from, or lead nowhere.
        self.telling = [f.op in ("le", "lt", "eq") and (not f.dims() <= self.dims or _mixed(q))
                        for f, q in zip(self.formulas, self.gaps, strict=True)]  # fmt: skip
        self.facts = Facts(self.assumptions, names_, work=WORK)

    def plus(self, *more: Term) -> Search:
        """Return the search under more hypotheses."""
        added = [y for x in more for y in conjuncts(x)]
        return Search([*self.given, *added], self.dims, self.failed)

    def condition(self, asked: str) -> By:
        """Return a proof of what makes a text make sense."""
        (f,) = Assumptions.of(asked).formulas or (None,)
        return (self.facts.proof(f, solver=False) if f is not None else None) or RANGE

    def settled(self, goal: Term) -> By | None:
        """Return a proof by elimination, or by polynomials, or None."""
        if isinstance(goal, Node) and goal.op == "and":
            parts = [self.settled(x) for x in goal.args]
            return None if None in parts else ("and", parts)
        target = formula(goal)
        by = self._eliminated(target)
        if by is None and len(self.given) <= MAX_GIVEN:
            by = self._by_polynomials(target)
        return by

    def _by_polynomials(self, target: Formula) -> By | None:
        by = self.facts.proof(target, solver=False)
        if by is None and target.op in ("le", "lt", "eq", "or", "false"):
            against = self.facts.under(negation(target)).contradicted()
            by = against and ("absurd", against)
        return by

    # --- elimination ---------------------------------------------------------------------------

    def _eliminated(self, target: Formula) -> By | None:
        if target.op == "eq":
            low = self._eliminated(Formula("le", target.args))
            high = low and self._eliminated(Formula("le", target.args[::-1]))
            return ("both", low, high) if low and high else None
        if target.op not in ("le", "lt"):
            return None
        p = _gap(target)
        if p is None:
            return None
        way = self.way(variables(p))
        if way is None:
            return None
        p = way.value(Ratio(p, ONE)).num
        content = gcd(*(c for m, c in p.items() if m)) or 1
        terms = self._products(p, way, content)
        return None if terms is None else ("handelman", way, terms)

    def _products(self, p: Any, way: Parametrisation, content: int = 1) -> list[Any] | None:
        """Return products of hypotheses that leave nothing negative of p / content."""
        hypotheses = []
        for k, f in enumerate(self.formulas):
            q = self.gaps[k]
            if self.telling[k] and q is not None and variables(q) <= way.values.keys():
                kinds = ("e", "e") if f.op == "eq" else ("g",)
                for sign, kind in zip((1, -1), kinds, strict=False):
                    hypotheses.append((kind, k, sign, way.value(Ratio(q, ONE)).num))
        polys = [{m: c * s for m, c in q.items()} for _, _, s, q in hypotheses]
        found = weights(p, polys)
        if found is None:
            return None
        terms = []
        for weight, monomial, j in found:
            kind, k, sign, _ = hypotheses[j]
            factors = [v for v, e in monomial for _ in range(e)]
            terms.append((str(weight * sign / content), [(kind, k), *factors]))
        return terms

    def way(self, wanted: Collection[str]) -> Parametrisation | None:
        """Return the way that has each name from its lower bound, or as another it is equal to."""
        every = set(wanted).union(*(variables(q) for q in self.gaps if q))
        every = {v for v in every if v not in ATOMS}
        same = dict(_renamed(self.given))
        lows = {v: self.assumptions.lower_bound(v) for v in every}
        first = [Definition(v, "from", lower(lows[v])) for v in sorted(every - same.keys())]
        then = [Definition(v, "is", Ratio(variable(same[v]), ONE)) for v in sorted(every)
                if v in same]  # fmt: skip
        way = Parametrisation([*first, *then], lows, {})
        return way if set(wanted) <= way.values.keys() else None

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
                by = inner._leaf(goal) or inner._cases(goal, leaves, depth - 1, done | {k})
                if by is None:
                    break
                found.append(by)
            else:
                return ("either", k, found)
        return None

    def _leaf(self, goal: Term) -> By | None:
        """Return a proof of a goal, or that the hypotheses contradict each other."""
        by = self.settled(goal)
        if by is None and shown_by_ranges(goal, self.given):
            by = RANGE
        return by

    # --- digits --------------------------------------------------------------------------------

    def digits(
        self, goal: Term, pairs: Iterable[tuple[str, str]], overlap: Collection[Term]
    ) -> By | None:
        """Return a proof that two threads are one: each pair of digits equal, one after another.

        Where that does not do, what a stride counts is told apart from the rest before.
        """
        return self._digits(goal, pairs, overlap, []) or self._by_places(goal, pairs, overlap)

    def _by_places(
        self, goal: Term, pairs: Iterable[tuple[str, str]], overlap: Collection[Term]
    ) -> By | None:
        """Return a proof that first shows A == 0 and B == 0 where s*A + B == 0 and -s < B < s."""
        here, steps, parts = self, list[tuple[Term, By]](), set(overlap)
        for found in _places(overlap, self.dims):
            more = here._place(found)
            if more is not None:
                steps += more
                here = here.plus(*(fact for fact, _ in more))
                parts |= {fact for fact, _ in more[2:]}
        return here._digits(goal, pairs, parts, steps) if steps else None

    def _place(self, found: _Places) -> list[tuple[Term, By]] | None:
        """Return facts, each with a proof, the last that A == 0 and that B == 0.

        Were A at least 1, s*(A-1) + (s-1+B) - (s*A+B) would be -1, and all of it is at least 0.
        """
        bounds: list[Term] = [Node("<", _term(p), _term(found.s)) for p in (found.b, neg(found.b))]
        bys = [self._eliminated(formula(f)) for f in bounds]
        way = self.way(variables(found.s) | variables(found.a) | variables(found.b))
        if None in bys or way is None or found.least not in self.given:
            return None
        count, zero = len(self.given), 0
        equations = [self.given.index(h) for h in (found.most, found.least)]
        stride = way.value(Ratio(found.s, ONE)).num

        def times(key: tuple[str, int], sign: int, content: int = 1) -> list[Any]:
            return [(str(Fraction(sign * c, content)), [key, *(v for v, e in m for _ in range(e))])
                    for m, c in stride.items()]  # fmt: skip

        def plain(key: tuple[str, int], content: int = 1) -> tuple[str, list[Any]]:
            return str(Fraction(1, content)), [key]

        a, b = _term(found.a), _term(found.b)
        # Of the bounds, number `count` says B < s and the next -B < s; what is supposed comes last.
        sides = [("absurd", ("handelman", way, [*times(("g", count + 2), 1),
                  plain(("g", bound)), plain(("g", part))]))
                 for bound, part in ((count + 1, equations[0]), (count, equations[1]))]  # fmt: skip
        value = way.value(Ratio(found.b, ONE)).num
        content = gcd(*(c for m, c in value.items() if m)) or 1
        rest = [("handelman", way, [plain(("g", part), content),
                 *times(("e", count + 2), sign, content)])
                for part, sign in ((equations[0], -1), (equations[1], 1))]  # fmt: skip
        return [
            *zip(bounds, bys, strict=True),
            (Node("==", a, zero), ("both", *sides)),
            (Node("==", b, zero), ("both", *rest)),
        ]

    def _digits(
        self,
        goal: Term,
        pairs: Iterable[tuple[str, str]],
        overlap: Collection[Term],
        steps: list[tuple[Term, By]],
    ) -> By | None:
        here: Search = self
        for x, y in pairs:
            if Node("==", y, x) in here.given:
                continue
            low, high = (here._at_most(Node("<=", a, b), overlap) for a, b in ((x, y), (y, x)))
            if low is None or high is None:
                continue
            equal = Node("==", y, x)
            steps.append((equal, ("both", high, low)))
            here = here.plus(equal)
        last = here._leaf(goal)
        if last is None:
            against = here.absurd(overlap)
            last = against and ("absurd", against)
        if last is None:
            return None
        for fact, by in reversed(steps):
            last = ("cut", text(fact), by, last)
        return last

    def _at_most(self, goal: Node, overlap: Collection[Term]) -> By | None:
        """Return a proof of a <= b: if b were less, nothing would overlap."""
        if self.ranges.ranges.decides(goal):
            return RANGE
        by = self.plus(Node("<", *goal.args[::-1])).absurd(overlap)
        return None if by is None else ("absurd", by)

    @cached_property
    def ranges(self) -> Names:
        """The constant ranges of the names."""
        lows = {n: self.assumptions.lower_bound(n) for n in self.assumptions.dims()}
        return ranges_under(self.given, {n: (low, inf) for n, low in lows.items()})

    def absurd(self, overlap: Collection[Term]) -> By | None:
        """Return a proof of 1 <= 0: some part of an overlap fails where the rest holds."""
        way = self.way(())
        if way is None or self.failed[0] >= MAX_FAILED:
            return None
        for k, h in enumerate(self.given):
            q = self.gaps[k]
            if h not in overlap or q is None or not variables(q) <= way.values.keys():
                continue
            p = way.value(Ratio(q, ONE)).num
            equation = self.formulas[k].op == "eq"
            for sign in (1, -1) if equation else (1,):
                less = {m: -c for m, c in add({m: sign * c for m, c in p.items()}, ONE).items()}
                terms = self._products(less, way)
                if terms is not None:  # q >= 0 and -(q + 1) >= 0
                    kind = "e" if equation else "g"
                    return ("handelman", way, [*terms, (str(sign), [(kind, k)])])
        by = self.facts.contradicted()
        if by is None:
            self.failed[0] += 1
        return by


class _Places(NamedTuple):
    """Polynomials with s*a + b == 0: `least` says that it is at least 0, `most` at most 0."""

    s: Poly
    a: Poly
    b: Poly
    least: Term
    most: Term


def _places(overlap: Collection[Term], dims: Collection[str]) -> Iterator[_Places]:
    """Yield the ways to tell what a stride counts from the rest, large strides first.

    The equation is written as x <= y and y <= x; s is a coefficient with the dims beside it.
    """
    for h in overlap:
        if not isinstance(h, Node) or h.op != "<=":
            continue
        other = Node("<=", *h.args[::-1])
        if other not in overlap:
            continue
        p = _gap(formula(h)) or {}
        strides = {(abs(c), tuple((v, e) for v, e in m if v in dims)) for m, c in p.items() if m}
        for c, s in sorted(strides, key=lambda x: (-sum(e for _, e in x[1]), -x[0])):
            above: Poly = {}
            for m, d in p.items():
                rest = dict(m)
                for v, e in s:
                    rest[v] = rest.get(v, 0) - e
                if d % c == 0 and min(rest.values(), default=0) >= 0:
                    above[tuple((v, e) for v, e in sorted(rest.items()) if e)] = d // c
            below = sub(p, mul({s: c}, above))
            if above and below and (s or c > 1) and variables(above) - {*dims}:
                yield _Places({s: c}, above, below, h, other)
        return


def _term(p: Poly) -> Term:
    products = [([v for v, e in m for _ in range(e)], c) for m, c in sorted(p.items())]
    return _folded("+", [_folded("*", [*atoms, c]) for atoms, c in products])


def _folded(op: str, parts: Iterable[Term]) -> Term:
    return reduce(lambda x, y: Node(op, x, y), parts)


def shown_by_ranges(goal: Term, given: Iterable[Term]) -> bool:
    """Return whether the checker shows a goal by ranges."""
    facts = [_read(text(h)) for h in given]
    f = _read(text(goal))
    flat = conjunction(facts)
    place = Place({}, flat.args if flat.op == "and" else (flat,))
    for fact in place.facts:
        for name, bound in constant_bounds(fact):
            place.bounds[name] = max(bound, place.bounds.get(name, bound))
    place.bounds.update({n: 1 for x in (f, *facts) for n in dims_of(x) if n not in place.bounds})
    budget.renew()
    try:
        return in_ranges(f, place, [])
    except Refused:
        return False


@lru_cache(maxsize=4096)
def _read(text: str) -> Syntax:
    return read_formula(parse(text))


def _renamed(given: Iterable[Term]) -> Iterator[tuple[str, str]]:
    """Yield names that are equal to another, with that."""
    for h in given:
        if isinstance(h, Node) and h.op == "==":
            a, b = h.args
            if isinstance(a, str) and isinstance(b, str):
                yield a, b


def _mixed(q: Any) -> bool:
    """Return whether a polynomial in dims has several of them, and a product."""
    degree = max((sum(e for _, e in m) for m in q or ()), default=0)
    return q is not None and len(variables(q)) > 1 == degree


def _gap(f: Formula) -> Any:
    """Return what is at least 0 in a relation between polynomials (0, in an equation)."""
    if f.op not in ("le", "lt", "eq"):
        return None
    a, b = (lower(x) for x in f.args)
    if a.den != ONE or b.den != ONE:
        return None
    gap = b - a
    gap = gap - 1 if f.op == "lt" else gap
    return None if variables(gap.num) & ATOMS.keys() else gap.num
