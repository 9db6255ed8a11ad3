"""A polynomial shown to be at least 0 by taking away what is, until no term is negative.

Every variable is at least 0, and so is every hypothesis. A negative term is cancelled by a
hypothesis times a monomial; what is left is looked at again, the least negative first. It finds no
more than the products of `symcute.solve.obligations` do, but finds the usual ones at once: a
digit's bound times its stride.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from math import gcd
from typing import NamedTuple, TypeAlias

from symcute.expr import limits
from symcute.expr.polynomial import (
    Monomial,
    Poly,
    add,
    less,
)

__all__ = ["MAX_NODES", "cofactor", "degree", "shared", "slackened", "weights"]

#: A weight, a monomial, and the number of the hypothesis they are multiplied with.
Weight: TypeAlias = tuple[Fraction, Monomial, int]

#: How many polynomials are looked at, and how many steps one takes.
MAX_NODES, MAX_STEPS = 240, 12


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
    budget = iter(range(nodes))
    seen: set[frozenset[tuple[Monomial, int]]] = set()
    cancels = _cancels(hypotheses)
    fitting: dict[Monomial, list[_Fit]] = {}

    def search(p: Poly, scale: int, steps: int) -> list[_Step] | None:
        negative = [m for m, c in p.items() if c < 0 and (m or c <= -scale)]
        if not negative:
            return []
        key = frozenset(p.items())
        if steps == 0 or key in seen or next(budget, None) is None:
            return None
        seen.add(key)
        target = max(negative, key=lambda m: (degree(m), m))
        found: list[tuple[tuple[int, int], int, Poly, _Step]] = []
        limits.spend(len(hypotheses) + len(p))
        if target not in fitting:
            fitting[target] = _fitting(target, cancels)
        for step in _steps(-p[target], fitting[target]):
            scaled = p if step.scale == 1 else {m: c * step.scale for m, c in p.items()}
            rest = less(scaled, step.times, step.cofactor, hypotheses[step.hypothesis])
            limits.spend(len(rest))
            found.append((_badness(rest), len(found), rest, step))
        for _, _, rest, step in sorted(found, key=lambda x: x[:2]):
            inner = search(rest, scale * step.scale, steps - 1)
            if inner is not None:
                return [step, *inner]
        return None

    taken = search(p, 1, MAX_STEPS)
    if taken is None:
        return None
    scale, result = 1, []
    for step in taken:
        scale *= step.scale
        result.append((Fraction(step.times, scale), step.cofactor, step.hypothesis))
    return result


class _Step(NamedTuple):
    """A polynomial times `scale`, less `times` the cofactor times a hypothesis."""

    scale: int
    times: int
    cofactor: Monomial
    hypothesis: int


#: A hypothesis with a monomial that it can cancel, by its number, and how often it has it.
_Cancel: TypeAlias = tuple[int, Monomial, int]
#: The number of a hypothesis, by what it is multiplied, and how often it then has a monomial.
_Fit: TypeAlias = tuple[int, Monomial, int]


def _cancels(hypotheses: Sequence[Poly]) -> dict[frozenset[str], list[_Cancel]]:
    """Return what hypotheses can cancel by the names in it; a number where they have no other."""
    found: dict[frozenset[str], list[_Cancel]] = {}
    for k, h in enumerate(hypotheses):
        for m, c in h.items():
            if c < 0:
                found.setdefault(frozenset(v for v, _ in m), []).append((k, m, -c))
    return found


def _fitting(target: Monomial, cancels: Mapping[frozenset[str], list[_Cancel]]) -> list[_Fit]:
    """Return by what the target goes away, one for a hypothesis: its largest term."""
    names = frozenset(v for v, _ in target)
    every = [x for needed, group in cancels.items() if needed <= names for x in group
             if x[1] or not target]  # fmt: skip
    found: dict[int, _Fit] = {}
    for k, m, have in sorted(every, key=lambda x: (x[0], -degree(x[1]))):
        left = cofactor(target, m)
        if left is not None and k not in found:
            found[k] = k, left, have
    return list(found.values())


def _steps(need: int, fitting: Iterable[_Fit]) -> Iterator[_Step]:
    """Yield the steps after which a term is gone that is so often too few."""
    for k, left, have in fitting:
        exact = need % have == 0
        yield _Step(1 if exact else have, need // have if exact else need, left, k)


def degree(m: Monomial) -> int:
    """Return how many factors a monomial has."""
    found = 0
    for _, e in m:
        found += e
    return found


def _badness(p: Poly) -> tuple[int, int]:
    """Return how many terms are negative, and how high they are."""
    count = high = 0
    for m, c in p.items():
        if c < 0:
            count += 1
            for _, e in m:
                high += e
    return count, high


def cofactor(m: Monomial, n: Monomial) -> Monomial | None:
    """Return m / n when n divides m."""
    powers = dict(m)
    for v, e in n:
        left = powers.get(v, 0) - e
        if left < 0:
            return None
        powers[v] = left
    return tuple(sorted((v, e) for v, e in powers.items() if e))
