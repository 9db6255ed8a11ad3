"""Right and left inverses.

Source: cute/layout.hpp, right_inverse and left_inverse.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

from symcute.errors import InputError, NotAdmissible, Undecided
from symcute.expr.assumptions import Given
from symcute.expr.basis import require_integers
from symcute.expr.expression import divided
from symcute.expr.formula import divides, le
from symcute.expr.htuple import Leaf, show_leaf, times
from symcute.layout.algebra.coalesce import from_modes, merged
from symcute.layout.algebra.complement import sorted_modes
from symcute.layout.algebra.swizzled import MAX_COMPARED, moved_swizzle, unswizzled
from symcute.layout.swizzle import ComposedLayout, MapT, Swizzle, UnswizzledLayout
from symcute.solve.entailment import Entailment, facts

__all__ = ["left_inverse", "right_inverse"]


def right_inverse(layout: MapT, *, given: Given = ()) -> MapT:
    """Return R with L(R(i)) == i for all i < size(R), as long as the strides of L allow.

    Never fails: without a mode of stride 1 the result is `1:0`.
    Post-conditions:
        layout(result(i)) == i for i in range(size(result))
        0 <= result(i) < size(layout) for i in range(size(result))

    >>> from symcute.layout.layout import Layout
    >>> print(right_inverse(Layout.parse("((4,32),8):((256,1),32)")))
    (256,4):(4,1)
    >>> print(right_inverse(Layout.parse("(M,N):(N,1)")))
    (N,M):(M,1)

    A swizzle undoes itself; a swizzled layout is undone by a swizzle after the inverse of its
    layout, or by the inverse after the swizzle, an `UnswizzledLayout` (NotAdmissible, with the
    index where CuTe's goes wrong, where the swizzle leaves the inverse).
    >>> print(right_inverse(ComposedLayout(Swizzle(3, 3, 3), 0, Layout.parse("(64,8*M):(1,64)"))))
    Sw<3,3,3> o 0 o 512*M:1
    """
    if isinstance(layout, Swizzle):
        return layout
    if isinstance(layout, ComposedLayout):
        return cast("MapT", _right_of_swizzled(layout, given))
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


def left_inverse(layout: MapT, *, given: Given = ()) -> MapT:
    """Return I with I(L(i)) == i for all i < size(L); modes of stride 0 are passed over.

    Post-conditions:
        result(layout(i)) == i for i in range(size(layout)) if size(nullspace(layout)) == 1
        layout(result(layout(i))) == layout(i) for i in range(size(layout))
    Errors: NotAdmissible when the strides, sorted, do not each divide the next and leave room for
    the mode below (L is not injective, or its gaps are uneven); Undecided when the dims leave it
    open.

    >>> from symcute.layout.layout import Layout
    >>> print(left_inverse(Layout.parse("(4,2):(1,8)")))
    (8,2):(1,4)
    >>> print(left_inverse(Layout.parse("(M,N):(LD,1)"), given=["LD >= N"]))
    (LD,M):(M,1)

    A swizzled layout is undone by a swizzle after the inverse of its layout, or, where that is none
    and at an offset, by the inverse after an offset after the swizzle, an `UnswizzledLayout`.
    >>> print(left_inverse(ComposedLayout(Swizzle(3, 3, 3), 128, Layout((16, 2)))))
    32:1 o -128 o Sw<3,3,3>
    """
    if isinstance(layout, Swizzle):
        return layout
    if isinstance(layout, ComposedLayout):
        return cast("MapT", _left_of_swizzled(layout, given))
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
        radices.append(divided(d, below))
        strides.append(before[mode])
        below, room = d, times(s, d)
        last = s
    if not radices:
        return from_modes(modes, layout.plain)
    radices.append(last)
    return from_modes(merged(zip(radices, strides, strict=True), known), layout.plain)


def _right_of_swizzled(layout: ComposedLayout, given: Given) -> ComposedLayout | UnswizzledLayout:
    """Return the right inverse after the swizzle: as a swizzle after it where that is the same.

    layout(inverse(i)) is i below the size of the inverse, so swizzled(inverse(swizzle(i))) is i as
    long as the swizzle keeps these.
    """
    where, known = f"right_inverse({layout})", facts(given)
    inverse = right_inverse(layout.layout, given=given)
    if not (isinstance(layout.offset, int) and layout.offset == 0):
        # A right inverse begins with the coordinate of offset 0.
        raise NotAdmissible(where, condition="the offset is 0", witness=show_leaf(layout.offset))
    try:
        return unswizzled(inverse, layout.swizzle, where, known, inside=True)
    except (InputError, Undecided):
        if known.divides(layout.swizzle.period, inverse.size()):
            return UnswizzledLayout(inverse, 0, layout.swizzle)
        raise


def _left_of_swizzled(layout: ComposedLayout, given: Given) -> ComposedLayout | UnswizzledLayout:
    """Return the left inverse after the swizzle: as a swizzle after it where that is the same.

    inverse(-offset + swizzle(swizzle(offset + layout(i)))) is inverse(layout(i)), always.
    """
    inverse = left_inverse(layout.layout, given=given)
    undone = UnswizzledLayout(inverse, -layout.offset, layout.swizzle)
    if not (isinstance(layout.offset, int) and layout.offset == 0):
        return undone
    where, known = f"left_inverse({layout})", facts(given)
    size = layout.size()
    try:
        if layout.is_static() and int(size) <= MAX_COMPARED:
            found = ComposedLayout(moved_swizzle(inverse, layout.swizzle, where), 0, inverse)
            same = all(found(x) == undone(x) for x in map(layout, range(int(size))))
            return found if same else undone
        return unswizzled(inverse, layout.swizzle, where, known, inside=True)
    except (InputError, Undecided):
        return undone


def _require(known: Entailment, below: Leaf, room: Leaf, d: Leaf, where: Callable[[], str]) -> None:
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
