"""Tiled copies: a copy instruction repeated over threads and values.

Source: cute/atom/copy_atom.hpp.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from symcute.errors import InputError, NotAdmissible
from symcute.expr.assumptions import Given
from symcute.expr.htuple import HTuple, Leaf, product, show
from symcute.expr.notebook import Shown
from symcute.layout.algebra import (
    coalesce,
    composition,
    logical_product,
    recast,
    right_inverse,
    upcast,
    zip_,
    zipped_divide,
)
from symcute.layout.atoms import CopyOp, MmaAtom, atom
from symcute.layout.atoms.entry import notebook_picture
from symcute.layout.layout import Layout, make_layout
from symcute.layout.slices import slice_and_offset
from symcute.layout.swizzle import ComposedLayout, LayoutT
from symcute.layout.tv.slicing import require_divides, require_whole_tiles

__all__ = ["CopyAtom", "ThrCopy", "TiledCopy", "make_copy_atom"]

AnyLayout = Layout | ComposedLayout


@dataclass(frozen=True)
class CopyAtom:
    """A copy instruction for elements of so many bits: its layouts count elements, not bits."""

    op: CopyOp
    bits: int

    @cached_property
    def layout_src(self) -> Layout:
        """(thread, value) -> element at the source."""
        return recast(self.op.layout_src, 1, self.bits)

    @cached_property
    def layout_dst(self) -> Layout:
        """(thread, value) -> element at the destination."""
        return recast(self.op.layout_dst, 1, self.bits)

    @cached_property
    def layout_ref(self) -> Layout:
        """(thread, value) -> element on the side that a tiled copy is written for."""
        return recast(self.op.layout_ref, 1, self.bits)

    def __str__(self) -> str:
        return f"{self.op.name} of {self.bits}-bit elements"


def make_copy_atom(op: CopyOp | str, bits: int) -> CopyAtom:
    """Return a copy instruction, by its name, for elements of that many bits.

    Errors: InputError for an unknown name, and for elements that do not fit the instruction.

    >>> print(make_copy_atom("SM75_U32x4_LDSM_N", 16).layout_dst)
    (32,(2,4)):(2,(1,64))
    """
    found = atom(op) if isinstance(op, str) else op
    if isinstance(found, MmaAtom) or not isinstance(found, CopyOp):
        raise InputError(
            f"{getattr(found, 'name', found)} is no copy instruction", "symcute atoms has them"
        )
    result = CopyAtom(found, bits)
    threads = product(found.thr_id.shape)
    try:
        sides = (result.layout_src, result.layout_dst, result.layout_ref)
        fits = all(product(x[0].shape) == threads for x in sides)
    except NotAdmissible:
        fits = False
    if not fits:
        raise InputError(
            f"{found.name} does not move elements of {bits} bits",
            "give a width that it moves whole",
        )
    return result


@dataclass(frozen=True)
class TiledCopy(Shown):
    """A copy atom, the thread-value layout of a tile, and the tile.

    `layout_tv` maps (thread, value) to an element of the tile as the reference side of the atom
    holds it; `tiler_mn` has an extent or a layout for each mode of the tensor.
    Errors: NotAdmissible where the atom's threads or values do not divide those of the layout.
    """

    atom: CopyAtom
    layout_tv: Layout
    tiler_mn: HTuple

    def __post_init__(self) -> None:
        if not isinstance(self.atom, CopyAtom) or not isinstance(self.layout_tv, Layout):
            raise InputError(
                f"a tiled copy of {self.atom!r} by {self.layout_tv!r}",
                "give a copy atom and a layout of (thread, value), or use make_tiled_copy",
            )
        if self.layout_tv.rank() != 2:
            raise InputError(
                f"{self.layout_tv} is no thread-value layout", "give a layout of (thread, value)"
            )
        for k, what in enumerate(("threads", "values")):
            unit, size = (product(x[k].shape) for x in (self.atom.layout_ref, self.layout_tv))
            require_divides(unit, size, f"the {what} of {self}")

    def size(self) -> Leaf:
        """Return the number of threads."""
        return product(self.layout_tv[0].shape)

    def tile_shape(self) -> HTuple:
        """Return the shape of the tile."""
        return _shape_of(self.tiler_mn)

    def tidfrg_S(self, layout: LayoutT, *, given: Given = ()) -> LayoutT:
        """Return a source of (M,N,...) as (Thr,(FrgV,FrgX),(RestM,RestN,...)).

        Errors: NotAdmissible where the tile does not divide the layout.
        """
        return self._tidfrg(layout, self.atom.layout_src, given)

    def tidfrg_D(self, layout: LayoutT, *, given: Given = ()) -> LayoutT:
        """Return a destination of (M,N,...) as (Thr,(FrgV,FrgX),(RestM,RestN,...))."""
        return self._tidfrg(layout, self.atom.layout_dst, given)

    def _tidfrg(self, layout: LayoutT, side: Layout, given: Given) -> LayoutT:
        tiles = self.tiler_mn if isinstance(self.tiler_mn, tuple) else (self.tiler_mn,)
        if layout.rank() < len(tiles):
            raise InputError(
                f"{layout} has fewer modes than the tile {show(self.tile_shape())} of {self}",
                "give a layout with a mode for each of the tile's",
            )
        require_whole_tiles(tiles, layout, f"a tensor of {self}", given)
        tiled = zipped_divide(layout, self.tiler_mn, given=given)
        mapped = self._tile2thrfrg(side)
        if isinstance(tiled, ComposedLayout):
            return tiled.map(_dealt, mapped, given)
        return _dealt(tiled, mapped, given)

    def _tile2thrfrg(self, side: Layout) -> Layout:
        """Return (thread, value) of a side -> element of the tile."""
        reference = self.atom.layout_ref
        ref2side = composition(right_inverse(reference), side)
        unit = tuple(product(x.shape) for x in reference)
        atoms = zipped_divide(self.layout_tv, unit)
        found: Layout = composition(atoms, (ref2side, None))
        return coalesce(zip_(found), (1, (1, 1)))

    def get_layoutS_TV(self) -> Layout:
        """Return (thread, value) of the source -> element of the tile."""
        return self._layout_tv(self.atom.layout_src)

    def get_layoutD_TV(self) -> Layout:
        """Return (thread, value) of the destination -> element of the tile."""
        return self._layout_tv(self.atom.layout_dst)

    def layouts(self) -> dict[str, tuple[Layout, HTuple]]:
        """Return, for source and destination, the thread-value layout and the tile it maps into."""
        shape = self.tile_shape()
        tile = tuple(map(product, shape)) if isinstance(shape, tuple) else shape
        return {"S": (self.get_layoutS_TV(), tile), "D": (self.get_layoutD_TV(), tile)}

    def _repr_svg_(self) -> str | None:
        """Return the picture that a notebook shows: who moves each element of the tile."""
        return notebook_picture(self.layouts(), str(self))

    def _layout_tv(self, side: Layout) -> Layout:
        tile = Layout((self.tile_shape(), 1))
        found = _dealt(tile, self._tile2thrfrg(side), ())
        return make_layout(found[0], found[1])

    def get_slice(self, thread: Leaf) -> ThrCopy:
        """Return what a thread sees.

        Errors: InputError for a number that is no thread.
        """
        size = self.size()
        if isinstance(thread, int) and isinstance(size, int) and not 0 <= thread < size:
            raise InputError(f"{self} has no thread {thread}", f"give one of 0 ... {size - 1}")
        return ThrCopy(self, thread)

    def retile(self, layout: Layout, *, given: Given = ()) -> Layout:
        """Return a thread's registers, as an MMA partitions them, in the order of this copy.

        The modes of the layout are (values, M, N, ...) of a share of the tile.
        """
        values = product(layout[0].shape)
        inverse = composition(right_inverse(self.layout_tv), Layout(self.tile_shape()))
        threads = product(self.layout_tv[0].shape)
        fragment = upcast(inverse, int(threads) * int(values))
        order = logical_product(Layout(values), right_inverse(fragment))
        by_atom = zipped_divide(order, Layout(product(self.atom.layout_ref[1].shape)))
        tile = (values, *(product(x.shape) for x in fragment))
        tiled = zipped_divide(layout, tile, given=given)
        found = composition(tiled, (by_atom, None), given=given)
        kept = (None, (0, *(None,) * (layout.rank() - 1)))
        result: Layout = slice_and_offset(kept, found)[0]
        return result

    def __str__(self) -> str:
        """Return what it was made of."""
        tile = show(self.tile_shape())
        return f"TiledCopy({self.atom.op.name}, {self.layout_tv}, tile {tile})"


@dataclass(frozen=True)
class ThrCopy:
    """A tiled copy as one thread sees it."""

    tiled_copy: TiledCopy
    thread: Leaf

    def partition_S(self, layout: LayoutT, *, given: Given = ()) -> tuple[AnyLayout, Any]:
        """Return the thread's ((FrgV,FrgX),RestM,RestN,...) of a source, and its offset.

        >>> from symcute.layout.tv import make_tiled_copy
        >>> copy = make_tiled_copy(make_copy_atom("UniversalCopy<uint128_t>", 16),
        ...                        Layout((32, 8), (8, 1)), Layout((1, 8)))
        >>> print(*copy.get_slice(9).partition_S(Layout.parse("(M,K):(K,1)"),
        ...                                      given=["M % 32 == 0", "K % 64 == 0"]))
        ((8,1),M/32,K/64):((1,0),32*K,64) K+8
        """
        return self._share(self.tiled_copy.tidfrg_S(layout, given=given), layout)

    def partition_D(self, layout: LayoutT, *, given: Given = ()) -> tuple[AnyLayout, Any]:
        """Return the thread's ((FrgV,FrgX),RestM,RestN,...) of a destination, and its offset."""
        return self._share(self.tiled_copy.tidfrg_D(layout, given=given), layout)

    def retile_S(self, layout: Layout, *, given: Given = ()) -> Layout:
        """Return the thread's registers, as an MMA partitions them, as sources of this copy."""
        return self.tiled_copy.retile(layout, given=given)

    def retile_D(self, layout: Layout, *, given: Given = ()) -> Layout:
        """Return the thread's registers, as an MMA partitions them, as destinations."""
        return self.tiled_copy.retile(layout, given=given)

    def _share(self, shares: AnyLayout, layout: AnyLayout) -> tuple[AnyLayout, Any]:
        rest = (None,) * layout.rank() if isinstance(shares[2].shape, tuple) else None
        return slice_and_offset((self.thread, None, rest), shares)


def _dealt(tiled: Layout, thrval: Layout, given: Given) -> Layout:
    """Return (thread, values, rest) of a layout of (tile, rest)."""
    tv: Layout = composition(tiled[0], thrval, given=given)
    return make_layout(tv[0], tv[1], tiled[1])


def _shape_of(tiler: HTuple) -> HTuple:
    if isinstance(tiler, tuple):
        return tuple(map(_shape_of, tiler))
    return tiler.shape if isinstance(tiler, Layout) else tiler
