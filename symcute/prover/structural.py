"""Proofs by structure: lemmas general in the rank, and small obligations over the dims.

Each function returns `Settled` with the lemma and the obligations it proved, or `Open`. It never
refutes: a lemma that does not apply says nothing.

The lemmas, for extents s >= 1:

chain        in some order of the modes, with R = sum over earlier modes of (s_j - 1)*|d_j|, each
             mode has (s_k - 1)*(|d_k| - 1 - R) >= 0. Then the layout is injective: take two
             coordinates and the last mode where they differ; its contribution exceeds what the
             earlier modes can make up for. Signs are removed by the reflection x -> s-1-x.
bounds       the largest offset is the sum of (s-1)*d over the positive strides, the smallest that
             over the negative ones; both are attained.
no carry     digits that never carry between the modes of A make A additive (see `composition`).
coalescing   both maps as layouts, coalesced and split to common extents, agree mode by mode.
apart        A and B together are injective, so an offset of both is that of coordinate 0 in both.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice
from typing import Any

from symcute.algebra.coalesce import merged
from symcute.claims import Agree, Claim, Disjoint, Holds, InBounds, Injective
from symcute.errors import InputError, NotAdmissible, Undecided
from symcute.exprs import exact_div, free_dims, value_at
from symcute.facts import Facts
from symcute.formula import eq, le
from symcute.htuple import Leaf
from symcute.prover.decision import Open, Settled
from symcute.prover.static import reduced

__all__ = ["decide"]

Modes = list[tuple[Leaf, Leaf]]


def decide(claim: Claim, known: Facts) -> Settled | Open:
    """Return a proof by structure, or Open."""
    function = _DECIDE.get(type(claim))
    if function is None:
        return Open("no lemma speaks of this claim")
    with known.recording() as obligations:
        try:
            lemma = function(claim, known)
        except (Undecided, NotAdmissible, InputError) as error:
            return Open(str(error))
    if lemma is None:
        return Open("no lemma applies")
    return Settled(f"structural: {lemma}", lemma, tuple(dict.fromkeys(obligations)))


def _injective(claim: Injective, known: Facts) -> str | None:
    return "chain" if _chain(list(claim.layout.modes()), known) else None


def _chain(modes: Modes, known: Facts) -> bool:
    """Return whether the modes form a chain in an order that some small instance suggests."""
    signed = [(s, _absolute(d, known)) for s, d in modes if not known.same(s, 1)]
    if any(d is None for _, d in signed):
        return False
    positive: Modes = [(s, d) for s, d in signed if d is not None]
    return any(_is_chain(order, known) for order in _orders(positive, known))


def _absolute(d: Leaf, known: Facts) -> Leaf | None:
    """Return |d| when the sign is the same everywhere, else None."""
    if known.at_most(0, d):
        return d
    return -d if known.at_most(d, 0) else None


def _orders(modes: Modes, known: Facts) -> list[Modes]:
    names = set().union(*(free_dims(x) for pair in modes for x in pair))
    found: list[tuple[int, ...]] = []
    for values in islice(known.instances(names, 60), 0, None, 6):
        keys = [value_at(d, values) * 4 + (value_at(s, values) > 1) for s, d in modes]
        order = tuple(sorted(range(len(modes)), key=lambda k: (keys[k], k)))
        if order not in found:
            found.insert(0, order)
    return [[modes[k] for k in order] for order in found[:4]]


def _is_chain(modes: Modes, known: Facts) -> bool:
    reach: Leaf = 0
    for s, d in modes:
        if not known.proves(le(0, (s - 1) * (d - 1 - reach))):
            return False
        reach = reach + (s - 1) * d
    return True


def _in_bounds(claim: InBounds, known: Facts) -> str | None:
    lowest: Leaf = 0
    highest: Leaf = 0
    for s, d in claim.layout.modes():
        if known.at_most(0, d):
            highest = highest + (s - 1) * d
        elif known.at_most(d, 0):
            lowest = lowest + (s - 1) * d
        else:
            return None
    inside = known.proves(le(0, lowest)) and known.proves(le(highest + 1, claim.bound))
    return "bounds" if inside else None


def _holds(claim: Holds, known: Facts) -> str | None:
    return "coefficients" if known.proves(claim.formula, solver=False) else None


def _disjoint(claim: Disjoint, known: Facts) -> str | None:
    modes = [*claim.left.modes(), *claim.right.modes()]
    return "apart" if _chain(modes, known) else None


def _agree(claim: Agree, known: Facts) -> str | None:
    given = known.assumptions
    left, right = (reduced(chain, claim.domain, given) for chain in (claim.left, claim.right))
    one = list(merged(left.modes(), known))
    other = list(merged(right.modes(), known))
    if not _same(one, other, known):
        return None
    composed = max(len(claim.left), len(claim.right)) > 1
    return "no carry, coalescing" if composed else "coalescing"


def _same(one: Modes, other: Modes, known: Facts) -> bool:
    """Return whether two flat layouts are one map: split to common extents, then mode by mode."""
    while one and other:
        (s, d), (t, e) = one.pop(0), other.pop(0)
        if not known.proves(eq(s, t)):
            if known.divides(t, s):
                one.insert(0, (exact_div(s, t), t * d))
                s = t
            elif known.divides(s, t):
                other.insert(0, (exact_div(t, s), s * e))
            else:
                return False
        if not known.proves(eq((s - 1) * (d - e), 0)):
            return False
    return all(known.proves(eq((s - 1) * d, 0)) and known.proves(eq(s, 1)) for s, d in one + other)


_DECIDE: dict[type, Callable[[Any, Facts], str | None]] = {
    Injective: _injective,
    InBounds: _in_bounds,
    Holds: _holds,
    Disjoint: _disjoint,
    Agree: _agree,
}
