"""Which lemmas speak of which claim: suggestions of proofs, general in the rank, best first.

A step is guessed from a few instances and says what has to be proved; it never refutes. The lemmas
are described where they are, one file a family in `lemmas/`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from symcute.claims import (
    Agree,
    Apart,
    Claim,
    Covers,
    Denied,
    Disjoint,
    InBounds,
    Injective,
    SameImage,
    SwizzledInBounds,
)
from symcute.claims.base import plain
from symcute.expr.lowering import lower
from symcute.prover import swizzled
from symcute.prover.decision import Step
from symcute.prover.lemmas.agree import agree
from symcute.prover.lemmas.apart import apart, disjoint
from symcute.prover.lemmas.bounds import in_bounds
from symcute.prover.lemmas.cover import covers, missing
from symcute.prover.lemmas.image import same_image
from symcute.prover.lemmas.injective import injective
from symcute.prover.lemmas.modes import guards_of, modes_of
from symcute.prover.lemmas.samples import Samples
from symcute.prover.lemmas.witness import differing, witnesses
from symcute.solve.entailment import Entailment

__all__ = ["steps"]


def steps(claim: Claim, known: Entailment) -> Iterator[Step]:
    """Yield ways to prove a primitive claim, best first; nothing where no lemma speaks of it."""
    function = _LEMMAS.get(type(claim))
    if function is not None:
        yield from function(claim, Samples(known, claim.dims()))


def _injective(claim: Injective, samples: Samples) -> Iterator[Step]:
    return injective(modes_of(plain(claim.layout)), guards_of(claim.where), samples)


def _in_bounds(claim: InBounds, samples: Samples) -> Iterator[Step]:
    bound = lower(claim.bound)
    return in_bounds(modes_of(plain(claim.layout)), bound, guards_of(claim.where), samples)


def _covers(claim: Covers, samples: Samples) -> Iterator[Step]:
    return covers(modes_of(claim.layout), lower(claim.bound), samples)


def _disjoint(claim: Disjoint, samples: Samples) -> Iterator[Step]:
    return disjoint(modes_of(claim.left), modes_of(claim.right), samples)


def _apart(claim: Apart, samples: Samples) -> Iterator[Step]:
    return apart(modes_of(claim.left), modes_of(claim.right), lower(claim.shift), samples)


def _same_image(claim: SameImage, samples: Samples) -> Iterator[Step]:
    return same_image(modes_of(claim.left), modes_of(claim.right), samples)


def _agree(claim: Agree, samples: Samples) -> Iterator[Step]:
    left, right = (tuple(map(modes_of, chain)) for chain in (claim.left, claim.right))
    return agree(left, right, modes_of(claim.domain), samples)


def _denied(claim: Denied, samples: Samples) -> Iterator[Step]:
    denied = claim.claims[0]
    if isinstance(denied, Agree) and (len(denied.left), len(denied.right)) == (1, 1):
        left, right, domain = map(modes_of, (*denied.left, *denied.right, denied.domain))
        return differing(left, right, samples) if left == domain else iter(())
    if isinstance(denied, Covers):
        return missing(modes_of(denied.layout), lower(denied.bound), samples)
    if not isinstance(denied, Injective | InBounds):
        return iter(())
    modes, guards = modes_of(plain(denied.layout)), guards_of(denied.where)
    bound = lower(denied.bound) if isinstance(denied, InBounds) else None
    return witnesses(modes, bound, guards, samples)


_LEMMAS: dict[type, Callable[[Any, Samples], Iterator[Step]]] = {
    Injective: _injective,
    InBounds: _in_bounds,
    SwizzledInBounds: swizzled.steps,
    Covers: _covers,
    Disjoint: _disjoint,
    Apart: _apart,
    SameImage: _same_image,
    Agree: _agree,
    Denied: _denied,
}
