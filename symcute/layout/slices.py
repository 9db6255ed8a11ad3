"""Slices of layouts and of swizzled layouts: the modes under `_`, and what the others add.

A swizzle is additive on a slice that meets only one of two bits that are swizzled together: then
the slice of a swizzled layout is a layout, with other strides, as CuTe makes it. CuTe reads that
off the fields of the swizzle, and takes layout and offset for granted; here both sides are compared
where an addition might carry, and what is no such layout stays swizzled, with all of its offset.

Source: cute/layout.hpp (slice, slice_and_offset), cute/swizzle_layout.hpp (slice_and_offset).
"""

from __future__ import annotations

from typing import Any, NamedTuple, overload

from symcute.errors import NotAdmissible, Undecided
from symcute.expr.assumptions import Given
from symcute.expr.expression import free_dims, value_at
from symcute.expr.htuple import Leaf
from symcute.layout import layout as layouts
from symcute.layout.algebra.composition import composition
from symcute.layout.f2 import to_f2
from symcute.layout.layout import Layout
from symcute.layout.swizzle import ComposedLayout, Swizzle
from symcute.solve.entailment import Entailment, facts

__all__ = ["slice_", "slice_and_offset"]

#: The largest slice that is compared index by index.
MAX_COMPARED = 1 << 14


@overload
def slice_(crd: Any, layout: Layout, *, given: Given = ()) -> Layout: ...
@overload
def slice_(crd: Any, layout: ComposedLayout, *, given: Given = ()) -> Layout | ComposedLayout: ...
def slice_(
    crd: Any, layout: Layout | ComposedLayout, *, given: Given = ()
) -> Layout | ComposedLayout:
    """Return the modes where the coordinate is `_` (None), as `slice_and_offset` does.

    >>> print(slice_((None, 1, None), Layout((5, 2, 3), (1, 4, 3))))
    (5,3):(1,3)
    """
    return slice_and_offset(crd, layout, given=given)[0]


@overload
def slice_and_offset(crd: Any, layout: Layout, *, given: Given = ()) -> tuple[Layout, Any]: ...
@overload
def slice_and_offset(
    crd: Any, layout: ComposedLayout, *, given: Given = ()
) -> tuple[Layout | ComposedLayout, Any]: ...
def slice_and_offset(
    crd: Any, layout: Layout | ComposedLayout, *, given: Given = ()
) -> tuple[Layout | ComposedLayout, Any]:
    """Return the slice and the offset that comes on top of it.

    Of a swizzled layout the slice is a layout where the swizzle is additive on it, and the offset
    is known in the bits that it is swizzled with; else it is swizzled and keeps the offset of those
    bits inside.
    Post-conditions: where the coordinate with `i` for `_` is c, result[0](i) + result[1] ==
    layout(c).
    Errors: InputError when the coordinate does not fit.

    >>> tile = ComposedLayout(Swizzle(3, 0, 3), 0, Layout((8, 8), (8, 1)))
    >>> print(*slice_and_offset((3, None), tile))
    ((4,2)):((-1,4)) 27
    >>> print(*slice_and_offset((None, 3), tile))
    ((4,2)):((7,36)) 3
    >>> print(*slice_and_offset((Layout.parse("M:1").size(), None), tile))
    Sw<3,0,3> o 8*M o (8):(1) 0
    """
    if isinstance(layout, Layout):
        return layouts.slice_and_offset(crd, layout)
    kept, moved = layouts.slice_and_offset(crd, layout.layout)
    if layout.swizzle.bits == 0:
        return kept, layout.offset + moved
    everything = ComposedLayout(layout.swizzle, layout.offset + moved, kept)
    if _all_any(crd):
        return everything, 0
    known = facts(given)
    slice_of = _Slice.of(layout, kept, moved, known)
    if slice_of is None:
        return everything, 0
    if not slice_of.meets_both():
        found = slice_of.decayed()
        if found is not None:
            return found
    return slice_of.split() or (everything, 0)


def _all_any(crd: Any) -> bool:
    return all(map(_all_any, crd)) if isinstance(crd, (tuple, list)) else crd is None


class _Slice(NamedTuple):
    """What is left of a swizzled layout, and the bits of its offset that count.

    `low` is the part of `kept` inside of `room`, the power of two above both fields of the swizzle;
    the strides of the other modes are multiples of it. `fixed` and `moved` are what the offset of
    the layout and the coordinate add, both known modulo `room`.
    """

    swizzle: Swizzle
    kept: Layout
    low: Layout
    room: int
    fixed: Leaf
    moved: Leaf
    bits: tuple[int, int]
    known: Entailment

    @classmethod
    def of(
        cls, layout: ComposedLayout, kept: Layout, moved: Leaf, known: Entailment
    ) -> _Slice | None:
        """Return the parts, None where dims hide those that count."""
        swizzle = layout.swizzle
        room = swizzle.reach
        modes = [m for m in kept.modes() if not known.divides(room, m[1])]
        if not all(isinstance(x, int) for mode in modes for x in mode):
            return None
        low = Layout(tuple(s for s, _ in modes), tuple(d for _, d in modes))
        fixed, fixing = layout.offset, _rest(layout.offset, room, known)
        moving = _rest(moved, room, known)
        if fixing is None or moving is None:
            return None
        return cls(swizzle, kept, low, room, fixed, moved, (fixing, moving), known)

    def columns(self) -> list[int] | None:
        """Return where the bits of the coordinates of `low` go; None where additions may carry.

        They do not carry among each other, nor into the offset.
        """
        if not self.low.modes():
            return []
        try:
            columns = list(to_f2(self.low).columns)
        except NotAdmissible:
            return None
        return columns if _disjoint([*columns, *self.bits]) else None

    def meets_both(self) -> bool:
        """Return whether the slice meets two bits that are swizzled together."""
        reached = 0
        for s, d in self.low.modes():
            reached |= (s - 1) * d  # the largest offset, as CuTe looks at
        active = reached & (self.swizzle.source | self.swizzle.target)
        return bool(active & ~self.swizzle(active))

    def decayed(self) -> tuple[Layout, Any] | None:
        """Return the layout that the swizzle makes of the slice, and its offset; None for none."""
        swizzle, start = self.swizzle, sum(self.bits)
        turned = _additive(swizzle, start)
        try:
            found = self.kept
            if found.modes():
                found = composition(turned, found, given=self.known.assumptions)
        except (NotAdmissible, Undecided):
            return None
        offset = swizzle(start) + (self.fixed + self.moved - start)
        columns = self.columns()
        if columns is None:
            return (found, offset) if self._same(found, offset) else None
        # Where the images of the columns share no bit, each changes bits of its own: both sides are
        # sums over the columns.
        turns = [swizzle(c) for c in columns]
        right = all(turned(c) == swizzle(start ^ c) - swizzle(start) for c in columns)
        return (found, offset) if right and _disjoint(turns) else None

    def split(self) -> tuple[ComposedLayout, Any] | None:
        """Return the slice behind the swizzle, the bits it does not look at outside of it."""
        swizzle = self.swizzle
        fields = swizzle.source | swizzle.target
        fixed, moved = self.bits
        inside = moved & fields
        outside = self.moved - inside
        if fixed & inside:
            return None
        found = ComposedLayout(swizzle, self.fixed + inside, self.kept)
        if self.columns() is not None or self._same(found, outside):
            return found, outside
        return None

    def _same(self, found: Layout | ComposedLayout, offset: Leaf) -> bool:
        """Return whether all of a static slice agrees with what it is to be."""
        whole = ComposedLayout(self.swizzle, self.fixed + self.moved, self.kept)
        if not whole.is_static() or not isinstance(offset, int):
            return False
        size = int(self.kept.size())
        return size <= MAX_COMPARED and all(whole(i) == found(i) + offset for i in range(size))


def _additive(swizzle: Swizzle, start: int) -> Layout:
    """Return what a swizzle does to offsets that differ from `start` in one bit of two at most.

    It is a layout of bits, CuTe's swizzle_layout. A bit that changes counts by itself, up or down
    as the bit that changes it is 0 or 1; a bit that changes another one counts with that.
    """
    shift, ones = swizzle.shift, range(swizzle.bits)
    changed = [1 << swizzle.base - min(0, shift) + k for k in ones]
    changing = [1 << swizzle.base + max(0, shift) + k for k in ones]
    of_changed = tuple(-z if start & y else z for y, z in zip(changing, changed, strict=True))
    of_changing = tuple(
        y - z if start & z else y + z for y, z in zip(changing, changed, strict=True)
    )
    low, high = (of_changed, of_changing) if shift > 0 else (of_changing, of_changed)
    twos, end, between = (2,) * swizzle.bits, swizzle.base + swizzle.bits, abs(shift) - swizzle.bits
    return Layout(
        (1 << swizzle.base, twos, 1 << between, twos, 1),
        (1, low, 1 << end, high, 1 << end + abs(shift)),
    )


def _disjoint(values: list[int]) -> bool:
    """Return whether no two of these numbers share a bit."""
    taken = 0
    for x in values:
        if x & taken:
            return False
        taken |= x
    return True


def _rest(leaf: Leaf, room: int, known: Entailment) -> int | None:
    """Return a leaf modulo a power of two, None where that is not the same for all dims."""
    if isinstance(leaf, int):
        return leaf % room
    sample = known.sample(free_dims(leaf))
    if sample is None:
        return None
    rest = value_at(leaf, sample) % room
    return rest if known.divides(room, leaf - rest) else None
