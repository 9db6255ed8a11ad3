"""A swizzle pulled to the other side of a layout: what composition and inverses need.

`layout o swizzle` is `swizzle' o layout` where the layout puts the two fields of the swizzle into
two runs of bits that do the same to its offsets. CuTe looks at the fields alone; here the two maps
are compared: bit by bit where no addition carries, for a block of indices that holds both fields
where the rest of the layout steps over the fields of swizzle', else index by index.

Source: cute/swizzle.hpp (composition of swizzles), cute/swizzle_layout.hpp (composition,
right_inverse, left_inverse).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from symcute.errors import InputError, NotAdmissible
from symcute.expr.formula import divides, le
from symcute.expr.htuple import Leaf
from symcute.layout.f2 import to_f2
from symcute.layout.layout import Layout
from symcute.layout.swizzle import ComposedLayout, Swizzle, make_swizzle
from symcute.solve.entailment import Entailment

__all__ = [
    "MAX_COMPARED",
    "first_difference",
    "merged_swizzles",
    "moved_swizzle",
    "narrowed",
    "reached_bits",
    "turned",
    "unswizzled",
]

#: The largest domain that is compared index by index.
MAX_COMPARED = 1 << 16


def merged_swizzles(last: Swizzle, first: Swizzle) -> Swizzle:
    """Return one swizzle after another as one swizzle.

    Post-conditions: result(x) == last(first(x)) for all integers x.
    Errors: NotAdmissible where the shifts differ, or what is left of the fields is no run of bits.

    >>> print(merged_swizzles(Swizzle(1, 0, 3), Swizzle(1, 1, 3)))
    Sw<2,0,3>
    """
    where = f"composition({last}, {first})"
    if first.bits == 0 or last.bits == 0:
        return last if first.bits == 0 else first
    if last.shift != first.shift:
        raise NotAdmissible(
            where,
            condition="both swizzles have the same shift",
            witness=f"{last.shift} and {first.shift}",
        )
    try:
        # As the shift exceeds the bits of the result, no field of one is the other of the other.
        return make_swizzle(last.source ^ first.source, last.target ^ first.target)
    except InputError as error:
        raise NotAdmissible(where, condition="one swizzle does both", witness=error.what) from error


def unswizzled(
    layout: Layout, swizzle: Swizzle, where: str, known: Entailment, *, inside: bool
) -> ComposedLayout:
    """Return `layout o swizzle` as `swizzle' o layout`; with `inside`, none leaves the layout.

    The fields of the new swizzle are where the layout puts those of the old one.
    Post-conditions: result(i) == layout(swizzle(i)) for i in range(layout.size()), and with
    `inside` swizzle(i) < layout.size() for these.
    Errors: NotAdmissible where no swizzle does that; InputError for dims that leave it open.
    """
    block = _block(layout, swizzle.reach, where, known)
    moved = moved_swizzle(layout if block is None else block[0], swizzle, where)
    if block is not None and _keeps(block, moved, known):
        low, inside = block[0], True
    elif not layout.is_static():
        raise InputError(f"{where} has dims", "give values for all dims")
    else:
        low = layout
    wrong = _first_unlike(low, swizzle, moved, where, inside)
    if wrong is not None:
        raise NotAdmissible(
            where,
            condition=f"{layout} after {swizzle} is {moved} after it",
            witness=f"index {wrong}",
        )
    return ComposedLayout(moved, 0, layout)


def turned(
    layout: Layout, right: ComposedLayout, inside: Layout, where: str, known: Entailment
) -> ComposedLayout:
    """Return `layout o right` as a swizzle after `inside`, which is the layout after right's.

    Pre-conditions: the offset of `right` is 0.
    Post-conditions: result(i) == layout(right(i)) for i in range(inside.size()).
    Errors: as `unswizzled`.
    """
    if layout.is_static() and inside.is_static() and int(inside.size()) <= MAX_COMPARED:
        found = ComposedLayout(moved_swizzle(layout, right.swizzle, where), 0, inside)
        wrong = first_difference(found, lambda i: layout(right(i)), inside.size(), where)
        if wrong is None:
            return found
        raise NotAdmissible(where, condition=f"it is {found}", witness=f"index {wrong}")
    for _, d in right.layout.modes():
        known.require(le(0, d), where)
    known.require(le(right.layout.cosize(), layout.size()), where)
    moved = unswizzled(layout, right.swizzle, where, known, inside=False).swizzle
    return ComposedLayout(moved, 0, inside)


def moved_swizzle(layout: Layout, swizzle: Swizzle, where: str) -> Swizzle:
    """Return the swizzle whose fields are where a layout puts those of another."""
    try:
        return make_swizzle(*(layout(mask) for mask in (swizzle.source, swizzle.target)))
    except InputError as error:
        raise NotAdmissible(
            where, condition=f"a swizzle does after {layout} what {swizzle} does before it"
        ) from error


def narrowed(swizzle: Swizzle, reached: int) -> Swizzle:
    """Return the swizzle with the bits only that read one of those reached, and those between.

    Post-conditions: result(x) == swizzle(x) for every x of the reached bits.

    >>> print(narrowed(Swizzle(3, 0, 3), 0b10000), narrowed(Swizzle(3, 0, 3), 0b111))
    Sw<1,1,3> Sw<0,0,0>
    """
    read = (swizzle.source & reached) >> swizzle.base + max(0, swizzle.shift)
    if not read:
        return Swizzle(0, 0, 0)
    first, end = (read & -read).bit_length() - 1, read.bit_length()
    return Swizzle(end - first, swizzle.base + first, swizzle.shift)


def reached_bits(layout: Layout) -> int:
    """Return the bits that some offset of a layout has, or more: -1, all bits, where dims hide it.

    >>> bin(reached_bits(Layout((4, 2), (1, 8))))
    '0b1011'
    """
    if not layout.is_static():
        return -1
    try:
        columns = to_f2(layout).columns
    except NotAdmissible:
        if int(layout.size()) > MAX_COMPARED:
            return -1
        columns = tuple(layout(i) for i in range(int(layout.size())))
    found = 0
    for x in columns:
        found |= x
    return found


def first_difference(
    one: Callable[[int], Any], other: Callable[[int], Any], size: Leaf, where: str
) -> int | None:
    """Return the first index below a static size where two maps differ.

    Errors: NotAdmissible for a size too large to compare.
    """
    if int(size) > MAX_COMPARED:
        raise NotAdmissible(
            where, condition=f"there are at most {MAX_COMPARED} indices to compare"
        ) from None
    return next((i for i in range(int(size)) if one(i) != other(i)), None)


def _block(
    layout: Layout, room: int, where: str, known: Entailment
) -> tuple[Layout, list[Leaf]] | None:
    """Return the layout on its first `room` indices, and the strides from there on.

    None where no modes of numbers, cut once, have that many indices.
    Errors: InputError and Undecided where dims are in the way.
    """
    extents: list[int] = []
    strides: list[int] = []
    above: list[Leaf] = []
    for s, d in layout.modes():
        if room > 1:
            if not isinstance(d, int):
                raise InputError(f"{where} has dims", "give values for all dims")
            if isinstance(s, int) and room % s == 0:
                part = s
            else:
                if layout.is_static() and s % room:
                    return None
                known.require(divides(room, s), where)
                part = room
                above.append(d * room)
            extents.append(part)
            strides.append(d)
            room //= part
        else:
            above.append(d)
    if room > 1:
        if not layout.is_static():
            raise InputError(f"{where} has dims", "give values for all dims")
        return None
    return Layout(tuple(extents) or 1, tuple(strides) or 0), above


def _keeps(block: tuple[Layout, list[Leaf]], moved: Swizzle, known: Entailment) -> bool:
    """Return whether the strides above step over the fields of a swizzle that the block reaches."""
    low, above = block
    room = moved.reach
    inside = all(d >= 0 for _, d in low.modes()) and low.cosize() <= room
    return inside and all(known.divides(room, d) for d in above)


def _first_unlike(
    layout: Layout, first: Swizzle, last: Swizzle, where: str, inside: bool
) -> int | None:
    """Return an index where `layout o first` is not `last o layout`, or leaves the layout."""
    size = int(layout.size())
    try:
        # Without carries both sides are linear over F2: single bits decide.
        to_f2(layout)
        bits = [1 << k for k in range(size.bit_length() - 1)]
    except NotAdmissible:
        bits = []
    if bits and all(first(i) < size for i in bits):
        return next((i for i in bits if layout(first(i)) != last(layout(i))), None)
    if inside:
        beyond = next((i for i in bits or range(min(size, MAX_COMPARED)) if first(i) >= size), None)
        if beyond is not None:
            return beyond
    return first_difference(lambda i: layout(first(i)), lambda i: last(layout(i)), size, where)
