"""A swizzle pulled to the other side of a layout, as inverses of swizzled layouts need it.

Source: cute/swizzle_layout.hpp (right_inverse, left_inverse, and composition with a swizzle).
"""

from __future__ import annotations

from symcute.errors import InputError, NotAdmissible
from symcute.f2 import to_f2
from symcute.layout import Layout
from symcute.swizzle import ComposedLayout, Swizzle, make_swizzle

__all__ = ["unswizzled"]

#: The largest inverse that is compared index by index.
MAX_COMPARED = 1 << 16


def unswizzled(inverse: Layout, swizzled: ComposedLayout, operation: str) -> ComposedLayout:
    """Return the inverse after the swizzle, which undoes itself, as a swizzle after the inverse.

    The fields of the new swizzle are where the inverse puts the two fields.
    Post-conditions: result(i) == inverse(swizzled.swizzle(i)) for i in range(inverse.size()), and
    the swizzle keeps that range.
    Errors: NotAdmissible where no swizzle does that, and for an offset; InputError for dims.
    """
    where, swizzle = f"{operation}({swizzled})", swizzled.swizzle
    if not swizzled.is_static():
        raise InputError(f"{where} has dims", "give values for all dims")
    if swizzled.offset != 0:
        raise NotAdmissible(where, condition="the offset is 0", witness=str(swizzled.offset))
    try:
        moved = make_swizzle(*(inverse(mask) for mask in (swizzle.source, swizzle.target)))
    except InputError as error:
        raise NotAdmissible(where, condition=f"a swizzle undoes it after {inverse}") from error
    wrong = _first_difference(inverse, swizzle, moved, where)
    if wrong is not None:
        raise NotAdmissible(
            where,
            condition=f"{inverse} after {swizzle} is {moved} after it",
            witness=f"index {wrong}",
        )
    return ComposedLayout(moved, 0, inverse)


def _first_difference(layout: Layout, first: Swizzle, last: Swizzle, where: str) -> int | None:
    """Return an index where `layout o first` is not `last o layout`, or leaves the layout."""
    size = int(layout.size())
    try:
        # Without carries both sides are linear over F2: single bits decide.
        to_f2(layout)
        indices = [1 << k for k in range(size.bit_length() - 1)]
    except NotAdmissible:
        if size > MAX_COMPARED:
            raise NotAdmissible(
                where, condition=f"the inverse {layout} has at most {MAX_COMPARED} elements"
            ) from None
        indices = list(range(size))
    for i in indices:
        moved = first(i)
        if moved >= size or layout(moved) != last(layout(i)):
            return i
    return None
