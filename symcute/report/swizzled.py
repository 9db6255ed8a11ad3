"""A swizzle that was found, as SVG: each access before and after it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from symcute.claims import BankConflict
from symcute.errors import InputError
from symcute.hardware.access import Access
from symcute.layout.swizzle import ComposedLayout, Swizzle
from symcute.report.pictures import panels_of
from symcute.report.svg import Panel, draw
from symcute.synthesis import Swizzling

__all__ = ["swizzling_panels", "swizzling_to_svg"]


def swizzling_to_svg(found: Swizzling) -> str:
    """Return a picture of the accesses of a swizzle that was found, before and after it.

    Rows are the lanes, columns the requests. Under each offset stands the bank where the element
    begins; a frame is around the request that has the most ways without the swizzle. Dims have the
    values of the counterexample to no swizzle at all.
    Errors: InputError for dims that it has no values for, elements narrower than a byte, a base,
    and more cells than a picture takes.

    >>> from symcute.synthesis import find_swizzle
    >>> picture = swizzling_to_svg(find_swizzle("access((8,8):(64,8), 16, 128)"))
    >>> "8 ways in bank 0" in picture, "proved: at most 1 way in every request" in picture
    (True, True)
    """
    return draw(swizzling_panels(found), str(found.swizzle))


def swizzling_panels(found: Swizzling) -> list[Panel]:
    """Return the tables of the picture that `swizzling_to_svg` draws.

    Errors: InputError as there.
    """
    against = found.fewer[0][1].counterexample if found.fewer else None
    dims = dict(against.dims) if against else {}
    claims = [v.claim for v in found.proofs if isinstance(v.claim, BankConflict)]
    if missing := sorted({d for claim in claims for d in claim.dims()} - dims.keys()):
        raise InputError(f"no picture: nothing says what {missing[0]} is", "write a number for it")
    return [p for claim in claims for p in _panels(claim.access.at(dims), claim)]


def _panels(access: Access, claim: BankConflict) -> Iterator[Panel]:
    """Yield the tables of an access, before and after its swizzle."""
    if access.base != 0 or access.element_bits % 8:
        raise InputError(
            f"there is no picture of {access}", "draw an access of whole bytes without a base"
        )
    swizzled = ComposedLayout(access.swizzle, access.offset, access.inner)
    width = access.element_bits // 8
    before, after = panels_of(swizzled, banks=True, element_bytes=width, grouped=True)
    plain = replace(access, layout=ComposedLayout(Swizzle(0, 0, 0), access.offset, access.inner))
    costs = [_cost(claim, plain, request) for request in access.coordinates()]
    worst = max(range(len(costs)), key=lambda j: (costs[j][0], -j))
    framed = frozenset((i, worst) for i in range(len(before.rows)))
    ways = "1 way" if claim.most == 1 else f"{claim.most} ways"
    yield replace(before, note=f"lanes are rows; framed: {costs[worst][1]}", marked=framed)
    yield replace(after, note=f"proved: at most {ways} in every request", marked=framed)


def _cost(claim: BankConflict, access: Access, request: tuple[int, ...]) -> tuple[int, str]:
    """Return the ways of the most costly phase of a request, and that in words."""
    ways, words = max(claim.costs(access.addresses(request)), key=lambda cost: cost[0])
    return ways, words.partition(" (")[0]
