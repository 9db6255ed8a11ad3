"""Right and left inverses.

Source: cute/layout.hpp, right_inverse and left_inverse.
"""

from __future__ import annotations

from collections.abc import Callable

from symcute.algebra.coalesce import from_modes, merged
from symcute.algebra.complement import sorted_modes
from symcute.algebra.swizzled import unswizzled
from symcute.assumptions import Given
from symcute.basis import require_integers
from symcute.errors import NotAdmissible
from symcute.exprs import exact_div
from symcute.facts import Facts, facts
from symcute.formula import divides, le
from symcute.htuple import Leaf, times
from symcute.swizzle import ComposedLayout, LayoutT

__all__ = ["left_inverse", "right_inverse"]


def right_inverse(layout: LayoutT, *, given: Given = ()) -> LayoutT:
    """Return R with L(R(i)) == i for all i < size(R), as long as the strides of L allow.

    Never fails: without a mode of stride 1 the result is `1:0`.
    Post-conditions:
        layout(result(i)) == i for i in range(size(result))
        0 <= result(i) < size(layout) for i in range(size(result))

    >>> from symcute.layout import Layout
    >>> print(right_inverse(Layout.parse("((4,32),8):((256,1),32)")))
    (256,4):(4,1)
    >>> print(right_inverse(Layout.parse("(M,N):(N,1)")))
    (N,M):(M,1)
    """
    if isinstance(layout, ComposedLayout):
        return unswizzled(right_inverse(layout.layout, given=given), layout, "right_inverse")
    if layout.coordinate_strides:
        require_integers(layout.stride, "right_inverse")
    known = facts(given)
    modes = merged(layout.modes(), known)
    before = _prefix_products(modes)
    result: list[tuple[Leaf, Leaf]] = []
    current: Leaf = 1
    left = list(zip(modes, before, strict=True))
    while True:
        for found in left:
            (s, d), step = found
            if known.same(d, current):
                break
        else:
            return from_modes(merged(result, known), layout.plain)
        left.remove(found)
        result.append((s, step))
        current = times(s, d)


def left_inverse(layout: LayoutT, *, given: Given = ()) -> LayoutT:
    """Return I with I(L(i)) == i for all i < size(L); modes of stride 0 are passed over.

    Post-conditions:
        result(layout(i)) == i for i in range(size(layout)) if size(nullspace(layout)) == 1
        layout(result(layout(i))) == layout(i) for i in range(size(layout))
    Errors: NotAdmissible when the strides, sorted, do not each divide the next and leave room for
    the mode below (L is not injective, or its gaps are uneven); Undecided when the dims leave it
    open.

    >>> from symcute.layout import Layout
    >>> print(left_inverse(Layout.parse("(4,2):(1,8)")))
    (8,2):(1,4)
    >>> print(left_inverse(Layout.parse("(M,N):(LD,1)"), given=["LD >= N"]))
    (LD,M):(M,1)
    """
    if isinstance(layout, ComposedLayout):
        return unswizzled(left_inverse(layout.layout, given=given), layout, "left_inverse")
    if layout.coordinate_strides:
        require_integers(layout.stride, "left_inverse")
    known = facts(given)
    modes = merged(layout.modes(), known)
    before = dict(zip(modes, _prefix_products(modes), strict=True))
    radices: list[Leaf] = []
    strides: list[Leaf] = [0]
    below: Leaf = 1
    room: Leaf = 1

    def where() -> str:
        return f"left_inverse({layout})"

    for mode in sorted_modes(modes, known):
        s, d = mode
        _require(known, below, room, d, where)
        radices.append(exact_div(d, below))
        strides.append(before[mode])
        below, room = d, times(s, d)
        last = s
    if not radices:
        return from_modes(modes, layout.plain)
    radices.append(last)
    return from_modes(merged(zip(radices, strides, strict=True), known), layout.plain)


def _require(known: Facts, below: Leaf, room: Leaf, d: Leaf, where: Callable[[], str]) -> None:
    """Require that the stride below divides d, and that d leaves room for the mode below."""
    if isinstance(d, int) and isinstance(below, int) and isinstance(room, int):
        if d < room or d % below:
            raise NotAdmissible(
                where(),
                condition=f"the stride {d} is a multiple of {below} and at least {room}",
                fix="the layout overlaps itself, or its gaps are uneven",
            )
        return
    known.require(le(room, d), where)
    known.require(divides(below, d), where)


def _prefix_products(modes: tuple[tuple[Leaf, Leaf], ...]) -> list[Leaf]:
    products: list[Leaf] = []
    current: Leaf = 1
    for s, _ in modes:
        products.append(current)
        current = times(current, s)
    return products
