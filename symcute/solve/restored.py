"""Proofs about digits as numbers of their own, turned into proofs about the digits themselves.

The bounds of the digits are cut in, one after the other. Then a sum of products of what is at least
0 stays one where a name for a digit becomes the digit: it is the same identity of polynomials, with
what the name stands for in its place. A name is a variable that is at least 0, a digit is not; what
has the name for a factor gets the digit's lower bound for a factor instead.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any

from symcute.expr.formula import Formula, le, negation
from symcute.expr.lowering import lower
from symcute.expr.node import Node, Term
from symcute.expr.polynomial import (
    ONE,
    UNIT,
    Monomial,
    Poly,
    Ratio,
    constant,
    mul,
    names_in,
    sub,
    variable,
)
from symcute.expr.terms import names
from symcute.solve.elimination import shared
from symcute.solve.obligation import Shown
from symcute.solve.obligations import By, Parametrisation
from symcute.solve.obligations.parametrisation import Definition, NoValue
from symcute.solve.parts import Parts
from symcute.solve.search import RANGE, Search, gap_of
from symcute.solve.sequent import Sequent
from symcute.solve.stated import bounded
from symcute.solve.wording import formula, text

__all__ = ["restored"]


class _Lost(Exception):
    """A step has no counterpart."""


def restored(here: Sequent, goal: Term) -> Shown | None:
    """Return a proof of a goal from the bounds of its digits, in the steps of certificates.

    >>> index = [Node("<=", 0, "i"), Node("<", "i", Node("*", "c", "n"))]
    >>> goal = Node("<", Node("*", Node("//", "i", "n"), "n"), Node("*", "c", "n"))
    >>> restored(Sequent(index, {"c", "n"}), goal).by[0]
    'cut'
    """
    stated = here.stated(goal)
    parts = Parts(here, stated)
    if parts.shown is None:
        return None
    of = [*map(names, parts.digits)]
    near = set(names(stated.goal)).union(*of, *map(names, parts.shown.given))
    given = [h for h in stated.given if parts.said(h) in parts.shown.given or names(h) <= near]
    near = near.union(*map(names, given))
    bounds = [h for h in stated.given if bounded(h) in near and h not in given]
    search = stated.search([*bounds, *given])
    cuts: list[tuple[Node, By]] = []
    facts: dict[Term, int] = {parts.said(h): k for k, h in enumerate(search.given)}
    for digit in parts.digits.values():
        for bound, said in zip(digit.bounds(digit.of), digit.bounds(digit.name), strict=True):
            by = search.by_polynomials(bound) or (RANGE if search.in_ranges(bound) else None)
            if by is None:
                return None
            cuts.append((bound, by))
            facts[said] = len(search.given)
            search = search.plus(bound)
    try:
        by = _Restored(parts, search, facts).by(parts.shown.by, formula(parts.shown.goal),
                                                formula(stated.goal), [])  # fmt: skip
    except (_Lost, NoValue):
        return None
    for bound, first in reversed(cuts):
        by = ("cut", text(bound), first, by)
    return stated.shown(by, [*bounds, *given])


class _Restored:
    """Steps with digits in place of their names; `facts` are the numbers of the hypotheses."""

    def __init__(self, parts: Parts, search: Search, facts: dict[Term, int]) -> None:
        shown = parts.shown
        assert shown is not None
        self.digits = {d.name: d for d in parts.digits.values()}
        self.search, self.numbers = search, [facts[h] for h in shown.given]
        self.formulas = [formula(h) for h in shown.given]
        self.lower = {d.name: facts[d.bounds(d.name)[0]] for d in self.digits.values()}
        self.upper = {d.name: facts[d.bounds(d.name)[1]] for d in self.digits.values()}

    def by(self, by: By, f: Formula, goal: Formula, more: Sequence[Formula]) -> By:
        """Return the proof of a goal, where that of f, which has names for its digits, is known.

        `more` are formulas that are assumed beside.
        """
        if by == "-" or by == RANGE:
            return by
        kind = by[0]
        if kind == "given":
            return ("given", self._number(by[1]))
        if kind == "both":
            sides = [self.by(x, Formula("le", f.args[::s]), Formula("le", goal.args[::s]), more)
                     for x, s in zip(by[1:], (1, -1), strict=True)]  # fmt: skip
            return ("both", *sides)
        if kind == "and" and f.op == "and":
            return ("and", [self.by(*x, more) for x in zip(by[1], f.args, goal.args, strict=True)])
        if kind == "absurd":
            against = negation(f)
            added = against.args if against.op == "and" else (against,)
            return ("absurd", self.by(by[1], le(1, 0), le(1, 0), [*more, *added]))
        if kind == "sum" and len(by) == 3 and f.op in ("le", "lt"):
            return self._sum(by[1], by[2], f, goal, more)
        raise _Lost

    def _number(self, k: int) -> int:
        """Return the number of a hypothesis; what is assumed beside comes after all of them."""
        known = len(self.numbers)
        return self.numbers[k] if k < known else k - known + len(self.search.given)

    def _sum(
        self, way: Parametrisation, terms: Iterable[Any], f: Formula, goal: Formula,
        more: Sequence[Formula],
    ) -> By:  # fmt: skip
        """Return a sum in which what is left over with names for digits is written out."""
        other = self._way(way)
        facts = [*self.formulas, *more]
        p, content = _reduced(way, f)
        rest = {m: Fraction(c) for m, c in p.items()}
        _, instead = _reduced(other, goal)
        found: list[tuple[str, list[Any]]] = []
        scale = Fraction(content, instead)
        for weight, factors in terms:
            value = _product(self._value(way, x, facts) for x in factors)
            for m, c in value.items():
                rest[m] = rest.get(m, Fraction(0)) - Fraction(weight) * c
            written = [self._factor(x) for x in factors]
            found.append((str(Fraction(weight) * scale), written))
        for m, left in rest.items():
            if left and any(v[:-1] in self.digits for v, _ in m):
                written = [self._factor(v) for v, e in m for _ in range(e)]
                found.append((str(left * scale), written))
        return ("sum", other, found)

    def _way(self, way: Parametrisation) -> Parametrisation:
        """Return a way without names for digits, but with the names that these have in them."""
        kept: list[Definition] = []
        for d in way.definitions:
            if d.name in self.digits:
                if d.kind != "from" or d.p != lower(0):
                    raise _Lost
            elif names_in(d.p) & self.digits.keys():
                raise _Lost
            else:
                kept.append(d)
        least = self.search.assumptions.lower_bound
        defined = {d.name for d in kept}
        every = set().union(*(names(d.of) for d in self.digits.values()))
        kept += [Definition(n, "from", lower(least(n))) for n in sorted(every - defined)]
        return Parametrisation(kept, {d.name: least(d.name) for d in kept}, {})

    def _value(self, way: Parametrisation, factor: Any, facts: Sequence[Formula]) -> Poly:
        """Return what a factor is worth where digits have names."""
        if isinstance(factor, str):
            return variable(factor)
        kind, key = factor[:2]
        if kind in ("g", "e"):
            p = gap_of(facts[key])
            if p is None:
                raise _Lost
            return way.value(Ratio(p, ONE)).num
        if kind == "u" and key in way.boxes:
            return sub(constant(way.boxes[key]), variable(key))
        raise _Lost

    def _factor(self, factor: Any) -> Any:
        """Return what stands for a factor where digits have none."""
        if isinstance(factor, str):
            name = factor[:-1]
            return ("g", self.lower[name]) if name in self.digits else factor
        kind, key = factor[:2]
        if kind in ("g", "e"):
            return (kind, self._number(key))
        if kind == "u" and key[:-1] in self.digits:
            return ("g", self.upper[key[:-1]])
        raise _Lost


def _product(factors: Iterable[Poly]) -> Poly:
    """Return the product of polynomials."""
    found = ONE
    for p in factors:
        found = mul(found, p)
    return found


def _reduced(way: Parametrisation, f: Formula) -> tuple[Poly, int]:
    """Return p + 1 where f says p >= 0, divided by what its coefficients but the constant share.

    That number is returned beside it.
    """
    a, b = (way.value(lower(x)) for x in f.args)
    gap = b - a
    if gap.den != ONE:
        raise _Lost
    p = sub(gap.num, ONE) if f.op == "lt" else gap.num
    content = shared(p)
    reduced: dict[Monomial, int] = {m: c // content for m, c in p.items()}
    reduced[UNIT] = reduced.get(UNIT, 0) + 1
    return {m: c for m, c in reduced.items() if c}, content
