"""Claims about requests, decided over finitely many classes of residues."""

from __future__ import annotations

from collections import defaultdict
from itertools import product
from math import gcd, prod

from symcute.checker.poly import Poly, budget, combine, constant, mul, sub, variable
from symcute.checker.primitive import Primitive, Requests
from symcute.checker.settle import Way
from symcute.checker.swizzle import Fields, period, swizzle
from symcute.checker.terms import lit


def costs_so(claim: Primitive, way: Way, tops: dict[str, int]) -> bool:
    """Return whether every phase of every request is aligned and costs what is said.

    The lanes' offsets are polynomials, and the coordinates of the requests are variables of them,
    at least 0. Replacing a variable by one that differs by a multiple of Q/gcd(Q, c), for each c
    with which it occurs, changes no offset modulo Q. With Q beyond all bits that the swizzle reads
    or changes, and a multiple of the elements in one round of the places, each lane's unit moves by
    whole rounds, and lanes whose offsets differ by a number move alike: they need the same unit, or
    do not, as before. What all lanes have in common, behind the swizzle, counts modulo a unit only:
    it moves all lanes by whole units. So each class of residues is decided by one of its members,
    lanes whose offsets do not differ by a number counted as different units in the most, and in the
    least as different only where they are a unit apart by their coefficients. Lanes are taken to go
    in pairs unless some pair differs: by a number, modulo Q, or by its coefficients.
    """
    r, fields = claim.body, claim.swizzle
    inner, outer, ends = _offsets(claim, way)
    ends |= tops
    size = max(r.unit * r.places // r.element, 1 << sum(map(abs, fields)))
    periods: dict[str, int] = defaultdict(lambda: 1)
    for p, modulus in ((outer, r.unit // r.element), *((p, size) for p in inner)):
        for m, c in p.items():
            for v, _ in m:
                periods[v] = max(periods[v], modulus // gcd(modulus, int(c)))
    domains = [range(min(n, ends.get(v, n))) for v, n in periods.items()]
    # All domains count, as they are written down before one of them is seen to be empty.
    budget.spend(len(inner) * prod(max(d.stop, 1) for d in domains))
    numbers = [int(p.get((), 0)) for p in inner]
    rests = [sub(p, constant(c)) for p, c in zip(inner, numbers, strict=True)]
    kinds = [next(k for k, q in enumerate(rests) if q == p) for p in rests]
    far = _far(r, inner, fields, way) if r.least else set()
    lanes = range(len(inner))
    steps = [s for s in (1, 2) if r.pairs and not any(
        n ^ s in lanes and _apart(inner[n], inner[n ^ s], 1, way) for n in lanes)]  # fmt: skip
    for values in product(*domains):
        at = dict(zip(periods, values, strict=True))
        start, moved = _at(outer, at), [_at(p, at) for p in rests]
        offsets = [x + c for x, c in zip(moved, numbers, strict=True)]
        bits = [r.element * (start + swizzle(fields, x)) for x in offsets]
        units = [(k, x // r.unit) for k, x in zip(kinds, bits, strict=True)]
        if any(x % r.width for x in bits):
            return False
        for first in range(0, len(units), r.together):
            phase = range(first, min(first + r.together, len(units)))
            most, least = _cost(phase, units, r.places, far)
            if most > r.most or least < r.least:
                return False
        if any(all(_alike(n, n ^ s, kinds, offsets, size) for n in lanes if n ^ s in lanes)
               for s in steps):  # fmt: skip
            for first in range(0, len(units), 2 * r.together):
                phase = range(first, min(first + 2 * r.together, len(units)))
                if _cost(phase, units, r.places, set())[0] > r.most:
                    return False
    return True


def _alike(a: int, b: int, kinds: list[int], offsets: list[int], size: int) -> bool:
    """Return whether two lanes may have the same offset."""
    gap = offsets[a] - offsets[b]
    return gap == 0 if kinds[a] == kinds[b] else gap % size == 0


def _offsets(claim: Primitive, way: Way) -> tuple[list[Poly], Poly, dict[str, int]]:
    """Return the lanes' offsets that are swizzled, what is added behind, the ends of variables."""
    lanes, layout = claim.body.lanes, claim.layouts[0]
    ends: dict[str, int] = {}
    start = way.poly(claim.offset)
    for k, (s, d) in enumerate(layout[lanes:]):
        if s != lit(1):
            start = combine(start, mul(variable(f"[{k}]"), way.poly(d)))
            if s.op == "int":
                ends[f"[{k}]"] = s.args[0]
    pairs = [(s.args[0], way.poly(d)) for s, d in layout[:lanes]]
    inner = []
    for reverse in product(*(range(s) for s, _ in pairs[::-1])):
        terms = zip(reverse[::-1], pairs, strict=True)
        inner.append(start)
        for x, (_, step) in terms:
            inner[-1] = combine(inner[-1], step, x)
    outer = way.poly(claim.leaf)
    if not claim.swizzle[0]:  # nothing is swizzled
        outer = combine(outer, inner[0])
        inner = [sub(p, inner[0]) for p in inner]
    return inner, outer, ends


def _at(p: Poly, at: dict[str, int]) -> int:
    return int(sum(c * prod(at[v] ** e for v, e in m) for m, c in p.items()))


def _cost(
    phase: range, units: list[tuple[int, int]], places: int, far: set[tuple[int, int]]
) -> tuple[int, int]:
    """Return the most and, of those in `far`, the least units that a phase needs of one place."""
    found: dict[int, list[int]] = defaultdict(list)
    chosen: dict[int, list[int]] = defaultdict(list)
    for lane in phase:
        place, (kind, unit) = units[lane][1] % places, units[lane]
        found[place].append(lane)
        if all(
            unit != units[x][1] if kind == units[x][0] else (lane, x) in far for x in chosen[place]
        ):
            chosen[place].append(lane)
    most = max(len({units[x] for x in lanes}) for lanes in found.values())
    return most, max(map(len, chosen.values()))


def _far(r: Requests, inner: list[Poly], fields: Fields, way: Way) -> set[tuple[int, int]]:
    """Return the pairs of lanes that are a unit apart by coefficients, however they are swizzled.

    A swizzle moves an offset inside a block of its period.
    """
    unit, lanes = r.unit // r.element + 2 * (period(fields) - 1), range(len(inner))
    return {(a, b) for a in lanes for b in lanes if _apart(inner[a], inner[b], unit, way)}


def _apart(p: Poly, q: Poly, least: int, way: Way) -> bool:
    gap = sub(p, q)
    return any(way.known(x, least) for x in (gap, combine({}, gap, -1)))
