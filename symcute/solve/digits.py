"""Tier: two threads whose accesses overlap are one, digit by digit, from the largest stride down.

Were one digit larger, the smaller ones could not make up for it. Where that does not do, what a
stride counts is told apart from the rest before.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, NamedTuple, TypeAlias

from symcute.expr.node import Node, Term
from symcute.expr.polynomial import ONE, Poly, Ratio, mul, neg, sub, variable, variables
from symcute.expr.polynomial import substitute as substituted
from symcute.expr.terms import substitute
from symcute.solve.elimination import shared
from symcute.solve.obligations import By
from symcute.solve.search import RANGE, Search, gap_of
from symcute.solve.wording import conjuncts, formula, term, text

__all__ = ["Digits", "merged"]

#: How many equations are looked at where names become one.
MAX_MERGED = 64

#: Facts, each with a proof under those before it.
Steps: TypeAlias = list[tuple[Term, By]]


@dataclass(frozen=True)
class Digits:
    """Shows a goal where `overlap`, which is among the hypotheses, makes pairs of names equal.

    More than bounds is tried as often as `tries` says.
    """

    goal: Term
    pairs: Sequence[tuple[str, str]]
    overlap: Collection[Term]
    tries: Iterator[int]

    def proof(self, here: Search) -> By | None:
        """Return a proof: each pair of digits equal, one after another, and then the goal."""
        return self._equal(here, []) or self._by_places(here)

    def _equal(self, here: Search, steps: Steps) -> By | None:
        """Return a proof after some steps, which are hypotheses."""
        left = [p for p in self.pairs if Node("==", *p) not in here.given]
        found: Node | None = Node("==", 0, 0)
        while found is not None:
            found = None
            for x, y in left:
                low = self._at_most(here, Node("<=", x, y))
                high = low and self._at_most(here, Node("<=", y, x))
                if high is not None:
                    found = Node("==", x, y)
                    steps = [*steps, (found, ("both", low, high))]
                    here, left = here.plus(found), [p for p in left if p != (x, y)]
                    break
        last = self._last(here)
        for fact, by in reversed(steps):
            last = last and ("cut", text(fact), by, last)
        return last

    def _last(self, here: Search) -> By | None:
        """Return a proof of the goal from what was shown, or that nothing is left to be met."""
        parts = [
            ("given", here.given.index(x)) if x in here.given
            else RANGE if here.in_ranges(x) else None
            for x in conjuncts(self.goal)
        ]  # fmt: skip
        if None not in parts:
            return ("and", parts) if len(parts) > 1 else parts[0]
        against = here.absurd(self.overlap, self.tries)
        return against and ("absurd", against)

    def _at_most(self, here: Search, goal: Node) -> By | None:
        """Return a proof of a <= b: if b were less, nothing would overlap."""
        if here.ranges.ranges.decides(goal):
            return RANGE
        by = here.plus(Node("<", *goal.args[::-1])).absurd(self.overlap, self.tries)
        return by and ("absurd", by)

    # --- what a stride counts, and the rest ------------------------------------------------------

    def _by_places(self, here: Search) -> By | None:
        """Return a proof that first shows A == 0 and B == 0 where s*A + B == 0 and -s < B < s."""
        steps, parts = Steps(), set[Term]()
        for found in _places(self.overlap, here.dims):
            more = _place(here, found)
            if more is not None:
                steps += more
                here = here.plus(*(fact for fact, _ in more))
                parts |= {fact for fact, _ in more[2:]}
        return replace(self, overlap=parts)._equal(here, steps) if steps else None


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
        for s, above, below in _splits(gap_of(formula(h)) or {}, dims):
            yield _Places(s, above, below, h, other)
        return


def _splits(p: Poly, dims: Collection[str]) -> Iterator[tuple[Poly, Poly, Poly]]:
    """Yield s, a and b with p == s*a + b, large strides first."""
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
            yield {s: c}, above, below


def merged(here: Search, goal: Term, overlap: Iterable[Term]) -> bool:
    """Return whether equations make a goal plain, names that they make equal being one.

    Of s*A + B == 0 with -s < B < s both A and B are 0. Two numbers with the same quotient and the
    same remainder are one: `here` says what these are by equations.
    """
    parts = [*overlap]
    left = [gap_of(formula(h)) for h in parts[:1] if {_turned(h)} <= {*parts}]
    for _ in range(MAX_MERGED):
        p = left.pop() if left else None
        if p is None:
            return False
        pair = _pair(p)
        if pair is not None:
            instead: dict[str, Term] = {pair[1]: pair[0]}
            goal = substitute(goal, instead)
            given = [x for h in here.given if (x := substitute(h, instead)) is not True]
            if goal is True:
                return True
            if not all(isinstance(h, Node) for h in given):
                return False
            here = Search(dict.fromkeys(given), here.dims)
            one = {pair[1]: variable(pair[0])}
            left = [q for x in left if x and (q := substituted(x, one))]
            left = [*_alike(here.given), *left]
            continue
        for s, above, below in _splits(p, here.dims):
            bounds = [Node("<", term(b), term(s)) for b in (below, neg(below))]
            if all(here.eliminated(b) is not None for b in bounds):
                left += [above, below]
                break
    return False


def _pair(p: Poly) -> tuple[str, str] | None:
    """Return the names in x - y."""
    if sorted(p.values()) != [-1, 1] or not all(len(m) == 1 and m[0][1] == 1 for m in p):
        return None
    (x, _), (y, _) = sorted(m[0] for m in p)
    return x, y


def _alike(given: Iterable[Term]) -> Iterator[Poly]:
    """Yield the differences of what is equal to the same."""
    found: dict[Term, Term] = {}
    for h in given:
        if isinstance(h, Node) and h.op == "==" and isinstance(h.args[1], Node):
            other = found.setdefault(h.args[1], h.args[0])
            p = gap_of(formula(Node("==", other, h.args[0])))
            if p:
                yield p


def _turned(h: Term) -> Term:
    return Node(h.op, *h.args[::-1]) if isinstance(h, Node) and h.op == "<=" else False


def _place(here: Search, found: _Places) -> Steps | None:
    """Return facts, each with a proof, the last that A == 0 and that B == 0.

    Were A at least 1, s*(A-1) + (s-1+B) - (s*A+B) would be -1, and all of it is at least 0.
    """
    way = here.way(variables(found.s) | variables(found.a) | variables(found.b))
    if way is None or not {found.least, found.most} <= {*here.given}:
        return None
    stride = way.value(Ratio(found.s, ONE)).num
    if not way.nonnegative(stride):
        return None
    bounds: list[Term] = [Node("<", term(p), term(found.s)) for p in (found.b, neg(found.b))]
    bys: list[By] = []
    for bound in bounds:
        by = here.eliminated(bound)
        if by is None:
            return None
        bys.append(by)
    count, zero = len(here.given), 0
    equations = [here.given.index(h) for h in (found.most, found.least)]

    def times(key: tuple[str, int], sign: int, content: int = 1) -> list[Any]:
        return [(str(Fraction(sign * c, content)), [key, *(v for v, e in m for _ in range(e))])
                for m, c in stride.items()]  # fmt: skip

    def plain(key: tuple[str, int], content: int = 1) -> tuple[str, list[Any]]:
        return str(Fraction(1, content)), [key]

    a, b = term(found.a), term(found.b)
    # Of the bounds, number `count` says B < s and the next -B < s; what is supposed comes last.
    sides = [("absurd", ("sum", way, [*times(("g", count + 2), 1),
              plain(("g", side)), plain(("g", part))]))
             for side, part in ((count + 1, equations[0]), (count, equations[1]))]  # fmt: skip
    value = way.value(Ratio(found.b, ONE)).num
    content = shared(value)
    rest = [("sum", way, [plain(("g", part), content),
             *times(("e", count + 2), sign, content)])
            for part, sign in ((equations[0], -1), (equations[1], 1))]  # fmt: skip
    return [
        *zip(bounds, bys, strict=True),
        (Node("==", a, zero), ("both", *sides)),
        (Node("==", b, zero), ("both", *rest)),
    ]
