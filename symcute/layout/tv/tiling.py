"""Tiled copies from layouts of threads and values, from offsets, and for an MMA.

Source: cute/atom/copy_atom.hpp; make_layout_tv is CuTe DSL's.
"""

from __future__ import annotations

from symcute.errors import NotAdmissible
from symcute.expr.htuple import HTuple, Leaf, product, show
from symcute.layout.algebra import (
    coalesce,
    composition,
    filter_,
    left_inverse,
    raked_product,
    right_inverse,
)
from symcute.layout.layout import Layout, make_layout
from symcute.layout.tv.copy import CopyAtom, TiledCopy
from symcute.layout.tv.mma import TiledMMA

__all__ = [
    "make_cotiled_copy",
    "make_layout_tv",
    "make_tiled_copy",
    "make_tiled_copy_A",
    "make_tiled_copy_B",
    "make_tiled_copy_C",
    "make_tiled_copy_D",
    "make_tiled_copy_S",
]


def make_layout_tv(thr_layout: Layout, val_layout: Layout) -> tuple[tuple[Leaf, ...], Layout]:
    """Return the tile and its thread-value layout: values, raked over threads.

    `thr_layout` and `val_layout` map coordinates to threads and to values.
    Errors: NotAdmissible where they are not bijections onto 0, 1, ..., n-1.

    >>> tile, tv = make_layout_tv(Layout((4, 8), (8, 1)), Layout((2, 2)))
    >>> print(tile, tv)
    (8, 16) ((8,4),(2,2)):((16,2),(1,8))
    """
    for x in (thr_layout, val_layout):
        if right_inverse(x).size() != x.size():
            raise NotAdmissible(
                f"make_layout_tv({thr_layout}, {val_layout})",
                condition=f"{x} is a bijection onto 0 ... {show(x.size())} - 1",
            )
    layout_mn = raked_product(thr_layout, val_layout)
    inverse = right_inverse(layout_mn)
    pair = Layout((product(thr_layout.shape), product(val_layout.shape)))
    tile = tuple(product(mode.shape) for mode in layout_mn)
    return tile, composition(inverse, pair)


def make_tiled_copy(
    copy_atom: CopyAtom, thr_layout: Layout, val_layout: Layout | None = None
) -> TiledCopy:
    """Return a copy whose threads and values lie in the tile as the layouts say.

    Errors: as make_layout_tv; NotAdmissible where the atom's values do not divide those given.
    Source: cute/atom/copy_atom.hpp, make_tiled_copy.

    >>> from symcute.layout.tv.copy import make_copy_atom
    >>> unit = make_copy_atom("UniversalCopy<uint32_t>", 32)
    >>> copy = make_tiled_copy(unit, Layout((4, 8), (8, 1)))
    >>> print(copy.tiler_mn, copy.layout_tv)
    (4, 8) ((8,4),1):((4,1),0)
    """
    tile, layout_tv = make_layout_tv(thr_layout, Layout(1, 0) if val_layout is None else val_layout)
    return TiledCopy(copy_atom, layout_tv, tile)


def make_cotiled_copy(
    copy_atom: CopyAtom, atom_layout_tv: Layout, data_layout: Layout
) -> TiledCopy:
    """Return a copy whose (thread, value) touch the data at the offsets that a layout says.

    The tiler has just the elements of the data that they touch.
    Errors: NotAdmissible where an offset is none of the data.
    Source: cute/atom/copy_atom.hpp, make_cotiled_copy.
    """
    beyond = Layout(1, 0)
    inverse = make_layout(left_inverse(data_layout), beyond)
    layout_tv: Layout = composition(inverse, atom_layout_tv)
    there: Layout = composition(make_layout(data_layout, beyond), layout_tv)
    if any(coalesce(x) != coalesce(y) for x, y in zip(there, atom_layout_tv, strict=True)):
        raise NotAdmissible(
            f"make_cotiled_copy({atom_layout_tv}, {data_layout})",
            condition="the offsets of threads and values are offsets of the data",
        )
    return TiledCopy(copy_atom, *_tiled(tuple(product(x.shape) for x in data_layout), layout_tv))


def _tiled(shape: tuple[Leaf, ...], layout_tv: Layout) -> tuple[Layout, HTuple]:
    """Return the smallest tiler that has the elements of a layout, and the layout in the tile."""
    tiler = tuple(
        filter_(
            composition(Layout(shape, tuple(int(j == k) for j in range(len(shape)))), layout_tv)
        )
        for k in range(len(shape))
    )
    tile: Layout = composition(Layout(shape), tiler)
    found: Layout = composition(left_inverse(tile), layout_tv)
    return found, tiler


def make_tiled_copy_A(copy_atom: CopyAtom, mma: TiledMMA) -> TiledCopy:
    """Return a copy whose reference side holds A as the MMA does."""
    return TiledCopy(copy_atom, mma.get_layoutA_TV(), (mma.tile_size(0), mma.tile_size(2)))


def make_tiled_copy_B(copy_atom: CopyAtom, mma: TiledMMA) -> TiledCopy:
    """Return a copy whose reference side holds B as the MMA does."""
    return TiledCopy(copy_atom, mma.get_layoutB_TV(), (mma.tile_size(1), mma.tile_size(2)))


def make_tiled_copy_C(copy_atom: CopyAtom, mma: TiledMMA) -> TiledCopy:
    """Return a copy whose reference side holds C as the MMA does."""
    return TiledCopy(copy_atom, mma.get_layoutC_TV(), (mma.tile_size(0), mma.tile_size(1)))


def make_tiled_copy_S(copy_atom: CopyAtom, tiled_copy: TiledCopy) -> TiledCopy:
    """Return a copy whose reference side is the source of another."""
    return TiledCopy(copy_atom, tiled_copy.get_layoutS_TV(), tiled_copy.tiler_mn)


def make_tiled_copy_D(copy_atom: CopyAtom, tiled_copy: TiledCopy) -> TiledCopy:
    """Return a copy whose reference side is the destination of another."""
    return TiledCopy(copy_atom, tiled_copy.get_layoutD_TV(), tiled_copy.tiler_mn)
