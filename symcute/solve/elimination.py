"""A polynomial shown to be at least 0 by taking away what is, until no term is negative.

Every variable is at least 0, and so is every hypothesis. A negative term is cancelled by a
hypothesis times a monomial; what is left is looked at again, the least negative first. It finds no
more than the products of `symcute.solve.obligations` do, but finds the usual ones at once: a
digit's bound times its stride.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import gcd
from typing import NamedTuple, TypeAlias

from symcute.expr import limits
from symcute.expr.polynomial import Monomial, Poly, add

__all__ = ["MAX_NODES", "cofactor", "degree", "shared", "slackened", "weights"]

#: A weight, a monomial, and the number of the hypothesis they are multiplied with.
Weight: TypeAlias = tuple[Fraction, Monomial, int]

#: How many polynomials are looked at, and how many steps one takes.
MAX_NODES, MAX_STEPS = 240, 12
#: Polynomials that were looked at are told apart by their values at one point, but for this prime.
#: Where two are taken for one, no more is lost than a way that was not tried.
PRIME = (1 << 61) - 1


def shared(p: Poly) -> int:
    """Return what the coefficients of a polynomial but the constant have in common.

    >>> shared({(): 9, (("x", 1),): -4, (("y", 1),): 6})
    2
    """
    return gcd(*(c for m, c in p.items() if m)) or 1


def slackened(p: Poly) -> Poly:
    """Return the most that is at least 0 at no more integers than p.

    At integers p is what its terms share times something, and its constant: between two of
    these values it makes no difference where it ends.

    >>> slackened({(): -4, (("x", 1),): 4}), slackened({(): -3, (("x", 1),): 4})
    ({(): -1, (('x', 1),): 4}, {(): -1, (('x', 1),): 4})
    """
    content, least = shared(p), p.get((), 0)
    return add(p, {(): (content - 1) - least % content})


def weights(p: Poly, hypotheses: Sequence[Poly], nodes: int = MAX_NODES) -> list[Weight] | None:
    """Return weights, monomials and numbers of hypotheses whose products leave nothing negative.

    What is left of p, when those products are taken away, has no negative coefficient, but perhaps
    a constant above -1: p is an integer. So many `nodes` are looked at.

    >>> x = (("x", 1),)
    >>> weights({(): 9, x: -2}, [{(): 4, x: -1}])
    [(Fraction(2, 1), (), 0)]
    >>> y = (("y", 1),)
    >>> weights({(): -1, y: 1, x: -1}, [{(): -1, y: 4, x: -4}])
    [(Fraction(1, 4), (), 0)]
    """
    packing = _Packing((p, *hypotheses))
    search = _Elimination(packing, [packing.packed(h) for h in hypotheses], nodes)
    start = packing.packed(p)
    taken = search.search(start, search.value(start), 1, MAX_STEPS)
    if taken is None:
        return None
    scale, result = 1, []
    for step in taken:
        scale *= step.scale
        cofactor = packing.monomial(step.cofactor)
        result.append((Fraction(step.times, scale), cofactor, step.hypothesis))
    return result


#: A monomial as one number, in which each name has bits for its exponent: a product is a sum.
_Packed: TypeAlias = int


class _Packing:
    """How monomials are written as numbers, and back."""

    def __init__(self, polynomials: Iterable[Poly]) -> None:
        monomials = {m for p in polynomials for m in p}
        every = sorted({v for m in monomials for v, _ in m})
        most = max((e for m in monomials for _, e in m), default=1)
        # Each step may add as much, and the bit above says whether something was taken away.
        self._bits = bits = (most * (MAX_STEPS + 2)).bit_length() + 1
        self._names = every
        shifts = {v: k * bits for k, v in enumerate(every)}
        self._numbers = {m: sum([e << shifts[v] for v, e in m]) for m in monomials}
        self.guards = sum(1 << (k * bits + bits - 1) for k in range(len(every)))
        self._points = {v: pow(5, (k + 1) ** 5, PRIME) for k, v in enumerate(every)}
        #: The number of a monomial's factors, and the monomial: the order in which they go away.
        self.order = _Order(self)

    def packed(self, p: Poly) -> dict[_Packed, int]:
        """Return a polynomial with numbers for its monomials."""
        numbers = self._numbers
        return {numbers[m]: c for m, c in p.items()}

    def monomial(self, number: _Packed) -> Monomial:
        """Return the monomial that a number stands for."""
        bits = self._bits
        low = (1 << bits) - 1
        powers = ((v, number >> k * bits & low) for k, v in enumerate(self._names))
        return tuple([(v, e) for v, e in powers if e])

    def value(self, m: Monomial) -> int:
        """Return the value of a monomial at one point that is far from others, but for a prime."""
        found = 1
        for v, e in m:
            found = found * pow(self._points[v], e, PRIME) % PRIME
        return found


class _Order(dict[_Packed, tuple[int, Monomial]]):
    """Degree and monomial of a number, computed once."""

    def __init__(self, packing: _Packing) -> None:
        super().__init__()
        self._packing = packing

    def __missing__(self, number: _Packed) -> tuple[int, Monomial]:
        m = self._packing.monomial(number)
        found = self[number] = degree(m), m
        return found


class _Step(NamedTuple):
    """A polynomial times `scale`, less `times` the cofactor times a hypothesis."""

    scale: int
    times: int
    cofactor: _Packed
    hypothesis: int


#: The number of a hypothesis, by what it is multiplied, how often it then has a monomial, and the
#: value of the product.
_Fit: TypeAlias = tuple[int, _Packed, int, int]


#: How many terms are negative after a step, how high they are, and which step of some it is; what
#: is left, its value, and the step.
_Way: TypeAlias = tuple[int, int, int, dict[_Packed, int], int, _Step]


def _first(way: _Way) -> tuple[int, int, int]:
    """Return what says which way is taken first."""
    return way[:3]


class _Elimination:
    """The search for steps after which nothing is negative."""

    def __init__(
        self, packing: _Packing, hypotheses: Sequence[dict[_Packed, int]], nodes: int
    ) -> None:
        self._order, self._guards, self._left = packing.order, packing.guards, nodes
        self._hypotheses = [[*h.items()] for h in hypotheses]
        self._packing = packing
        self._seen: set[int] = set()
        self._values = [self.value(h) for h in hypotheses]
        # What can be cancelled by which hypothesis, and how often it has that: its largest first.
        every = [(k, m, -c) for k, h in enumerate(hypotheses) for m, c in h.items() if c < 0]
        kinds: dict[frozenset[str], int] = {}
        for _, m, _ in every:
            kinds.setdefault(self._names(m), len(kinds))
        every.sort(key=lambda x: (x[0], -self._order[x[1]][0], kinds[self._names(x[1])]))
        self._cancels = every
        self._fitting: dict[_Packed, list[_Fit]] = {}

    def _names(self, m: _Packed) -> frozenset[str]:
        return frozenset([v for v, _ in self._order[m][1]])

    def value(self, p: dict[_Packed, int]) -> int:
        """Return the value of a polynomial at one point, but for a prime."""
        return sum([c * self._packing.value(self._order[m][1]) for m, c in p.items()]) % PRIME

    def search(
        self, p: dict[_Packed, int], value: int, scale: int, steps: int
    ) -> list[_Step] | None:
        """Return steps, or None where so many do not do, or no more is to be looked at."""
        negative = [m for m, c in p.items() if c < 0 and (m or c <= -scale)]
        if not negative:
            return []
        if steps == 0 or not self._left or value in self._seen:
            return None
        self._left -= 1
        self._seen.add(value)
        limits.spend(len(self._hypotheses) + len(p))
        target = max(negative, key=self._order.__getitem__)
        for _, _, _, rest, after, step in sorted(self._ways(p, value, target), key=_first):
            inner = self.search(rest, after, scale * step.scale, steps - 1)
            if inner is not None:
                return [step, *inner]
        return None

    def _ways(self, p: dict[_Packed, int], value: int, target: _Packed) -> list[_Way]:
        """Return steps after which a term is gone, with what they leave."""
        if target not in self._fitting:
            self._fitting[target] = self._fits(target)
        need = -p[target]
        found: list[_Way] = []
        for k, left, have, times in self._fitting[target]:
            exact = need % have == 0
            step = _Step(1 if exact else have, need // have if exact else need, left, k)
            after = (value * step.scale - step.times * times) % PRIME
            if after in self._seen:
                limits.spend(len(p))
                continue
            rest = self._less(p, step)
            limits.spend(len(rest))
            below = [m for m, c in rest.items() if c < 0]
            high = sum([self._order[m][0] for m in below])
            found.append((len(below), high, len(found), rest, after, step))
        return found

    def _fits(self, target: _Packed) -> list[_Fit]:
        """Return by what the target goes away, one for a hypothesis: its largest term.

        A number has no other part to be taken away from than a number.
        """
        found: dict[int, _Fit] = {}
        guards = self._guards
        for k, m, have in self._cancels:
            if k not in found and bool(m) == bool(target):
                left = (target | guards) - m
                if left & guards == guards:  # no exponent was too small
                    left ^= guards
                    times = self._values[k] * self._packing.value(self._order[left][1])
                    found[k] = k, left, have, times
        return list(found.values())

    def _less(self, p: dict[_Packed, int], step: _Step) -> dict[_Packed, int]:
        """Return what a step leaves."""
        scale, times, left, k = step
        hypothesis = self._hypotheses[k]
        limits.multiply(len(hypothesis))
        rest = dict(p) if scale == 1 else {m: c * scale for m, c in p.items()}
        for n, c in hypothesis:
            m = n + left
            total = rest.get(m, 0) - times * c
            if total:
                rest[m] = total
            else:
                rest.pop(m, None)
        return rest


def degree(m: Monomial) -> int:
    """Return how many factors a monomial has."""
    found = 0
    for _, e in m:
        found += e
    return found


def cofactor(m: Monomial, n: Monomial) -> Monomial | None:
    """Return m / n when n divides m."""
    powers = dict(m)
    for v, e in n:
        left = powers.get(v, 0) - e
        if left < 0:
            return None
        powers[v] = left
    return tuple(sorted((v, e) for v, e in powers.items() if e))
