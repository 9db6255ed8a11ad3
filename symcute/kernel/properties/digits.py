"""Threads whose accesses overlap, shown to be one: digit by digit, from the largest stride down."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from symcute.expr.node import Node, Term
from symcute.expr.terms import (
    Polynomial,
    add,
    at_most,
    from_polynomial,
    less,
    mul,
    polynomial,
    substitute,
)
from symcute.kernel.properties.obligations import Sequent

__all__ = ["Digits"]


class Digits:
    """Threads whose accesses overlap, and what is still to be shown of them: that they are one."""

    def __init__(
        self,
        here: Sequent,
        overlap: Iterable[Term],
        differ: Iterable[str],
        alike: bool,
        work: Iterator[int],
    ) -> None:
        self.here, self.overlap = here, tuple(overlap)
        self.differ, self.alike, self.work = tuple(differ), alike, work

    def same(self, own: list[str]) -> bool:
        """Return whether overlap makes the threads the same, looking at `own` in this order."""
        here = self.here
        known = here.ranges
        fixed = {
            n: low
            for n in self.differ
            for low, high in [known.get(f"{n}__1", (0, 1))]
            if low == high == known.get(f"{n}__2", (0, 1))[0] == known.get(f"{n}__2", (0, 1))[1]
        }
        left = tuple(n for n in self.differ if n not in fixed)
        if not left:
            return True
        places = self._places()
        if places is not None:
            return places.same(own)
        for name in own:
            if name in fixed:
                continue
            x, y = f"{name}__1", f"{name}__2"
            if not self._equal(x, y):
                continue
            merged = Sequent((substitute(h, {y: x}) for h in here.hypotheses), here.dims)
            overlap = [substitute(h, {y: x}) for h in self.overlap]
            rest = tuple(n for n in left if n != name)
            inner = Digits(merged, overlap, rest, self.alike, self.work)
            return inner.same([n for n in own if n != name])
        return not self.alike and self._contradicts(here, self.overlap)

    def _contradicts(self, here: Sequent, parts: Sequence[Term]) -> bool:
        """Ask by bounds, and thoroughly as long as there is work left."""
        if here.contradicts(parts, thorough=False):
            return True
        return next(self.work, None) is not None and here.contradicts(parts)

    def _places(self) -> Digits | None:
        """Return the same with two equations for one: what a dim counts, and what is left.

        Where s*A + B == 0 and B lies strictly between -s and s, both A and B are 0.
        """
        for part in self.overlap:
            p = self._gap(part)
            found = None if p is None else self._split(p)
            if found is None:
                continue
            done = {part, _turned(part)}
            nothing = [*found, *_undivided(*found)]
            more = [q for t in nothing for q in (at_most(t, 0), at_most(0, t))]
            kept = [h for h in self.here.hypotheses if h not in done]
            more += [h for h in self.overlap if h not in done]
            here = Sequent((*kept, *more), self.here.dims)
            return Digits(here, more, self.differ, self.alike, self.work)
        return None

    def _split(self, p: Polynomial) -> tuple[Term, Term] | None:
        """Return A and B with p == s*A + B, where s is a product of dims and -s < B < s."""
        strides = {tuple(a for a in m if a in self.here.dims) for m in p}
        for s in sorted(strides, key=len, reverse=True):
            above = {q: c for m, c in p.items() if (q := _without(m, s)) is not None}
            rest = {m: c for m, c in p.items() if _without(m, s) is None}
            if not s or not rest or all(set(m) <= self.here.dims for m in above):
                continue
            stride, low = from_polynomial({s: 1}), from_polynomial(rest)
            high = from_polynomial({m: -c for m, c in rest.items()})
            if self.here.bounded(less(low, stride)) and self.here.bounded(less(high, stride)):
                return from_polynomial(above), low
        return None

    def _gap(self, part: Term) -> Polynomial | None:
        """Return b - a of an equation that is written as a <= b and b <= a."""
        if _turned(part) not in self.overlap or not isinstance(part, Node):
            return None
        a, b = part.args
        return polynomial(add(b, mul(a, -1)))

    def _equal(self, x: str, y: str) -> bool:
        """Return whether overlap forces x == y."""
        # Where the first thread has the larger digit, its offset is too large to meet the other's.
        for order, parts in ((less(y, x), self.overlap), (less(x, y), self.overlap[::-1])):
            if not self._contradicts(self.here.extended([order]), parts):
                return False
            if self.alike:
                return True  # the other order is the same with the threads exchanged
        return True


def _turned(part: Term) -> Term | None:
    """Return b <= a for a <= b."""
    if isinstance(part, Node) and part.op == "<=":
        return Node("<=", *part.args[::-1])
    return None


def _undivided(a: Term, b: Term) -> Iterator[Term]:
    """Yield x - y where a and b, both 0, are x % d - y % d and x // d - y // d, or multiples.

    By Euclid's division x and y are the same: x == d*(x // d) + x % d.
    """
    pairs: dict[str, tuple[Term, Term, Term]] = {}
    for t in (a, b):
        p = polynomial(t)
        if p is None or len(p) != 2 or sum(p.values()) != 0 or any(len(m) != 1 for m in p):
            return
        one, two = (m[0] for m in p)
        if not isinstance(one, Node) or not isinstance(two, Node):
            return
        if one.op != two.op or one.args[1] != two.args[1]:
            return
        pairs[one.op] = (one.args[1], one.args[0], two.args[0])
    if set(pairs) != {"%", "//"}:
        return
    d, x, y = pairs["%"]
    if pairs["//"] in ((d, x, y), (d, y, x)):
        yield add(x, mul(y, -1))


def _without(m: tuple[Term, ...], s: tuple[Term, ...]) -> tuple[Term, ...] | None:
    """Return a monomial divided by another, or None."""
    left = list(m)
    for atom in s:
        if atom not in left:
            return None
        left.remove(atom)
    return tuple(left)
