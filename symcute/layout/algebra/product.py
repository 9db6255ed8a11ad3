"""Product: a block repeated in the arrangement of another layout.

Source: cute/layout.hpp, logical_product and its relatives; CuTe documentation, "02_layout_algebra".
Where CuTe DSL and the C++ headers print differently (raked_product), the C++ text is ours.
"""

from __future__ import annotations

from typing import Any, cast, overload

from symcute.errors import InputError, NotAdmissible
from symcute.expr.assumptions import Given
from symcute.expr.basis import require_integers
from symcute.expr.formula import divides, le
from symcute.expr.htuple import HTuple, show_leaf
from symcute.layout.algebra.complement import room_for_copies
from symcute.layout.algebra.composition import composition
from symcute.layout.algebra.divide import opened, tile_unzip
from symcute.layout.algebra.swizzled import (
    MAX_COMPARED,
    first_difference,
    narrowed,
    reached_bits,
    turned,
)
from symcute.layout.layout import Layout, make_layout, plain_layout
from symcute.layout.swizzle import ComposedLayout, LayoutT
from symcute.solve.entailment import facts

__all__ = [
    "blocked_product",
    "flat_product",
    "logical_product",
    "raked_product",
    "tiled_product",
    "zipped_product",
]


@overload
def logical_product(
    block: Layout, tiler: ComposedLayout, *, given: Given = ()
) -> ComposedLayout: ...
@overload
def logical_product(block: LayoutT, tiler: HTuple, *, given: Given = ()) -> LayoutT: ...
def logical_product(block: Any, tiler: Any, *, given: Given = ()) -> Any:
    """Return (block, repetitions): (A, complement(A, size(A)*cosize(T)) o T).

    `tiler` is a layout, an extent n (n:1), or a tuple of such and `_` that applies by mode.
    Post-conditions:
        # The repetitions are where the block leaves room: no two copies of it meet.
        result[0] == block if isinstance(tiler, (int, Layout))
        result[1](i) == complement(block, size(block) * cosize(tiler))(tiler(i))
            for i in range(size(tiler)) if isinstance(tiler, Layout)
        len(set(map(result, range(size(result)))))
            == len(set(map(block, range(size(block)))))
            * len(set(map(tiler, range(size(tiler))))) if isinstance(tiler, Layout)
        coalesce(result[k]) == coalesce(logical_product(block[k], t))
            for k, t in enumerate(tiler) if isinstance(tiler, tuple)
    Errors: as complement and composition.

    A swizzled tiler at offset 0 makes a swizzled product: its swizzle, where the repetitions have
    their strides; or it is refused.

    >>> print(logical_product(Layout.parse("4:1"), Layout.parse("8:1")))
    (4,8):(1,4)
    >>> print(logical_product(Layout.parse("M:1"), Layout.parse("N:1")))
    (M,N):(1,M)
    """
    if isinstance(block, ComposedLayout):
        return block.map(logical_product, tiler, given=given)
    if not isinstance(block, Layout):
        raise InputError(
            f"logical_product takes a layout, not {block!r}", "write logical_product(A, B)"
        )
    if tiler is None:
        return block
    if isinstance(tiler, tuple):
        if len(tiler) > block.rank():
            raise InputError(
                f"the tiler has {len(tiler)} modes, {block} has {block.rank()}",
                "give at most one entry for each mode",
            )
        modes = [
            logical_product(mode, tiler[k], given=given) if k < len(tiler) else mode
            for k, mode in enumerate(block)
        ]
        return make_layout(*modes)
    if isinstance(tiler, ComposedLayout):
        return _swizzled_repetitions(block, tiler, given)
    if not isinstance(tiler, Layout):
        tiler = Layout(tiler)
    return make_layout(block, _repetitions(block, tiler, given))


def _swizzled_repetitions(block: Layout, tiler: ComposedLayout, given: Given) -> ComposedLayout:
    """Return (block, gaps o tiler), which turns around the repetitions and leaves the block."""
    where, known = f"logical_product({block}, {tiler})", facts(given)
    if not (isinstance(tiler.offset, int) and tiler.offset == 0):
        raise NotAdmissible(where, condition="the offset is 0", witness=show_leaf(tiler.offset))
    # What the tiler never reaches does not turn it around.
    tiler = ComposedLayout(narrowed(tiler.swizzle, reached_bits(tiler.layout)), 0, tiler.layout)
    gaps = room_for_copies(block, tiler.cosize(), given=given)
    inside = make_layout(block, composition(gaps, tiler.layout, given=given))
    swizzle = turned(gaps, tiler, inside[1], where, known).swizzle
    found = ComposedLayout(swizzle, 0, inside)
    if inside.is_static() and int(inside.size()) <= MAX_COMPARED:
        count = int(block.size())
        wrong = first_difference(
            found, lambda i: block(i % count) + gaps(tiler(i // count)), inside.size(), where
        )
        if wrong is not None:
            raise NotAdmissible(where, condition=f"it is {found}", witness=f"index {wrong}")
        return found
    # Where the block ends below the fields and the copies step over them, nothing carries.
    field = 1 << swizzle.base
    for _, d in block.modes():
        known.require(le(0, d), where)
    known.require(le(block.cosize(), field), where)
    for _, d in inside[1].modes():
        known.require(divides(field, d), where)
    return found


def _repetitions(block: Layout, tiler: Layout, given: Given) -> Layout:
    if tiler.coordinate_strides:
        require_integers(tiler.stride, "logical_product by a tiler")
    gaps = room_for_copies(block, tiler.cosize(), given=given)
    return composition(gaps, tiler, given=given)


def zipped_product(block: LayoutT, tiler: HTuple, *, given: Given = ()) -> LayoutT:
    """Return logical_product with blocks gathered in mode 0 and repetitions in mode 1.

    Post-conditions:
        rank(result) == 2
        coalesce(result) == coalesce(tile_unzip(logical_product(block, tiler), tiler))
        coalesce(result[0]) == coalesce(tile_unzip(logical_product(block, tiler), tiler)[0])

    >>> print(zipped_product(Layout.parse("(2,2):(4,1)"), Layout.parse("6:1")))
    ((2,2),(2,3)):((4,1),(2,8))
    """
    found: Any = logical_product(block, tiler, given=given)
    return cast("LayoutT", tile_unzip(found, tiler))


def tiled_product(block: LayoutT, tiler: HTuple, *, given: Given = ()) -> LayoutT:
    """Return zipped_product with the repetitions opened.

    Post-conditions:
        coalesce(result[0]) == coalesce(zipped_product(block, tiler)[0])
        coalesce(result) == coalesce(zipped_product(block, tiler))

    >>> print(tiled_product(Layout.parse("(2,2):(4,1)"), Layout.parse("6:1")))
    ((2,2),2,3):((4,1),2,8)
    """
    return opened(zipped_product(block, tiler, given=given), tile=False)


def flat_product(block: LayoutT, tiler: HTuple, *, given: Given = ()) -> LayoutT:
    """Return zipped_product with blocks and repetitions opened.

    Post-conditions:
        coalesce(result) == coalesce(zipped_product(block, tiler))
        rank(result) == len(tiler) + rank(block) if isinstance(tiler, tuple)

    >>> print(flat_product(Layout.parse("(2,2):(4,1)"), Layout.parse("6:1")))
    (2,2,2,3):(4,1,2,8)
    """
    return opened(zipped_product(block, tiler, given=given), tile=True)


def blocked_product(block: LayoutT, tiler: Layout, *, given: Given = ()) -> LayoutT:
    """Return the product with mode k = (block mode k, tiler mode k): blocks side by side.

    Post-conditions:
        rank(result) == max(rank(block), rank(tiler))
        coalesce(result[k][0]) == coalesce(block[k]) for k in range(rank(block))
        size(result) == size(block) * size(tiler)
        set(map(result, range(size(result))))
            == {x + y for x in map(block, range(size(block)))
            for y in map(logical_product(block, tiler)[1], range(size(tiler)))}

    >>> print(blocked_product(Layout.parse("(2,5):(5,1)"), Layout.parse("(3,4):(1,3)")))
    ((2,3),(5,4)):((5,10),(1,30))
    """
    if isinstance(block, ComposedLayout):
        return block.map(blocked_product, tiler, given=given)
    return _interleaved(block, tiler, given, raked=False)


def raked_product(block: LayoutT, tiler: Layout, *, given: Given = ()) -> LayoutT:
    """Return the product with mode k = (tiler mode k, block mode k): blocks interleaved.

    Post-conditions:
        rank(result) == max(rank(block), rank(tiler))
        coalesce(result[k][1]) == coalesce(block[k]) for k in range(rank(block))
        coalesce(result[k][0]) == coalesce(blocked_product(block, tiler)[k][1])
            for k in range(rank(result))

    >>> print(raked_product(Layout.parse("(2,5):(5,1)"), Layout.parse("(3,4):(1,3)")))
    ((3,2),(4,5)):((10,5),(30,1))
    """
    if isinstance(block, ComposedLayout):
        return block.map(raked_product, tiler, given=given)
    return _interleaved(block, tiler, given, raked=True)


def _interleaved(block: Layout, tiler: Layout, given: Given, *, raked: bool) -> Layout:
    """Return the product, both padded to one rank, with a mode for each pair of their modes."""
    for x in (block, tiler):
        if not isinstance(x, Layout):
            raise InputError(f"{x!r} is not a layout", "give two layouts")
    rank = max(block.rank(), tiler.rank())

    def pad(x: Layout) -> Layout:
        missing = rank - x.rank()
        return make_layout(*x, *[Layout(1, 0)] * missing) if missing else x

    block = pad(block)
    repeated = _repetitions(block, pad(tiler), given)
    first, second = (repeated, block) if raked else (block, repeated)
    shapes, strides = (first.shape, second.shape), (first.stride, second.stride)
    make = plain_layout if block.plain and repeated.plain else Layout
    if all(isinstance(s, tuple) and len(s) == rank for s in shapes):
        return make(tuple(zip(*shapes, strict=True)), tuple(zip(*strides, strict=True)))
    return make((shapes,), (strides,))
