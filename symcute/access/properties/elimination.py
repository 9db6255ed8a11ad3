"""A polynomial shown to be at least 0 by taking away what is, until no term is negative.

Every variable is at least 0, and so is every hypothesis. A negative term is cancelled by a
hypothesis times a monomial; what is left is looked at again, the least negative first. It finds no
more than the products of `symcute.obligations` do, but finds the usual ones at once: a digit's
bound times its stride.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from symcute.formula import Formula
from symcute.poly import (
    ONE,
    Monomial,
    Poly,
    add,
    constant,
    lower,
    mul,
    sub,
    substitute,
    variable,
    variables,
)

__all__ = ["eliminates", "shows"]

#: How many polynomials are looked at, and how many steps one takes.
MAX_NODES, MAX_STEPS = 240, 12


def shows(target: Formula, given: Iterable[Formula], lows: Mapping[str, int]) -> bool:
    """Return whether a relation is shown under others, each variable being at least its bound.

    >>> from symcute.assumptions import Assumptions
    >>> given = Assumptions.of(["16*b+t <= N-1", "r <= M-1"]).formulas
    >>> target = Assumptions.of("r*N + 16*b + t < M*N").formulas[0]
    >>> shows(target, given, {"b": 0, "t": 0, "r": 0, "M": 1, "N": 1})
    True
    """
    wanted = list(_gaps(target))
    if not wanted:
        return False
    known = [p for f in given for p in _gaps(f)]
    every = set().union(*(variables(p) for p in (*wanted, *known)))
    if not every <= lows.keys():
        return False
    shifted = {v: add(variable(v), constant(lows[v])) for v in every if lows[v]}
    hypotheses = [substitute(p, shifted) for p in known]
    return all(eliminates(substitute(p, shifted), hypotheses) for p in wanted)


def _gaps(f: Formula) -> Iterable[Poly]:
    """Yield what is at least 0 in a relation between polynomials."""
    if f.op not in ("le", "lt", "eq"):
        return
    a, b = (lower(x) for x in f.args)
    if a.den != ONE or b.den != ONE:
        return
    gap = sub(b.num, a.num)
    yield sub(gap, ONE) if f.op == "lt" else gap
    if f.op == "eq":
        yield sub(a.num, b.num)


def eliminates(p: Poly, hypotheses: Sequence[Poly]) -> bool:
    """Return whether p is shown to be at least 0, all variables and hypotheses being so."""
    budget = iter(range(MAX_NODES))
    seen: set[frozenset[tuple[Monomial, int]]] = set()

    def search(p: Poly, steps: int) -> bool:
        negative = [m for m, c in p.items() if c < 0]
        if not negative:
            return True
        key = frozenset(p.items())
        if steps == 0 or key in seen or next(budget, None) is None:
            return False
        seen.add(key)
        target = max(negative, key=lambda m: (sum(e for _, e in m), m))
        found: list[tuple[tuple[int, int], int, Poly]] = []
        for h in hypotheses:
            rest = _cancelled(p, target, h)
            if rest is not None:
                found.append((_badness(rest), len(found), rest))
        return any(search(rest, steps - 1) for _, _, rest in sorted(found, key=lambda x: x[:2]))

    return search(p, MAX_STEPS)


def _cancelled(p: Poly, target: Monomial, h: Poly) -> Poly | None:
    """Return a positive multiple of p less a multiple of h without the target, if h can do it."""
    for m, c in h.items():
        if c >= 0 or not m:
            continue
        cofactor = _quotient(target, m)
        if cofactor is None:
            continue
        need, have = -p[target], -c
        scaled = p if need % have == 0 else {k: v * have for k, v in p.items()}
        times = need // have if need % have == 0 else need
        return sub(scaled, mul({cofactor: times}, h))
    if target == () and h.get((), 0) < 0:
        need, have = -p[()], -h[()]
        return sub({k: v * have for k, v in p.items()}, {k: v * need for k, v in h.items()})
    return None


def _quotient(a: Monomial, b: Monomial) -> Monomial | None:
    powers = dict(a)
    for v, e in b:
        left = powers.get(v, 0) - e
        if left < 0:
            return None
        powers[v] = left
    return tuple(sorted((v, e) for v, e in powers.items() if e))


def _badness(p: Poly) -> tuple[int, int]:
    """Return how many terms are negative, and how high they are."""
    negative = [m for m, c in p.items() if c < 0]
    return len(negative), sum(e for m in negative for _, e in m)
