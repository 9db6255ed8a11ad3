"""Tiles and threads' shares of a tensor, and what the tiled copies and MMAs share.

A tensor is its layout here: what CuTe does to its pointer is the second part of a result, the
offset, as with `slice_and_offset`.

Source: cute/tensor_impl.hpp, inner_partition and outer_partition.
"""

from __future__ import annotations

from typing import Any

from symcute.errors import InputError, NotAdmissible, Undecided
from symcute.expr.assumptions import Given
from symcute.expr.expression import floor_div, is_symbolic, mod
from symcute.expr.formula import divides
from symcute.expr.htuple import HTuple, Leaf, product, show, unflatten
from symcute.layout.algebra import zipped_divide
from symcute.layout.coordinates import crd2idx
from symcute.layout.layout import Layout
from symcute.layout.slices import slice_and_offset
from symcute.layout.swizzle import ComposedLayout, LayoutT
from symcute.solve.entailment import facts

__all__ = [
    "flat_coordinate",
    "local_partition",
    "local_tile",
    "require_divides",
    "require_whole_tiles",
]

AnyLayout = Layout | ComposedLayout


def local_tile(
    layout: LayoutT, tiler: HTuple, coord: Any, proj: Any = None, *, given: Given = ()
) -> tuple[AnyLayout, Any]:
    """Return the tile at a coordinate among the tiles, and its offset.

    Modes of `coord` that are `_`, or that it lacks, stay as modes over the tiles. A projection such
    as (1,_,1) keeps the modes of tiler and coordinate where it is not `_`.
    Errors: as zipped_divide; NotAdmissible where the tile does not divide the tensor; InputError
    when the coordinate does not fit.

    >>> print(*local_tile(Layout.parse("(M,K):(K,1)"), (128, 64), (1, None),
    ...                   given=["M % 128 == 0", "K % 64 == 0"]))
    (128,64,K/64):(K,1,64) 128*K
    """
    tiler, coord = projected(proj, tiler), projected(proj, coord)
    require_whole_tiles(tiler, layout, "a tensor of local_tile", given)
    tiled = zipped_divide(layout, tiler, given=given)
    return slice_and_offset((every(tiled[0]), padded(coord, tiled[1])), tiled)


def local_partition(
    layout: LayoutT, tile: Layout, index: Leaf, proj: Any = None, *, given: Given = ()
) -> tuple[AnyLayout, Any]:
    """Return what thread `index` of a layout of threads gets of a tensor, and its offset.

    `tile` maps coordinates to threads; its shape, repeated, covers the tensor.
    Errors: as zipped_divide; NotAdmissible where the threads do not divide the tensor; InputError
    for threads with a stride below 1.

    >>> print(*local_partition(Layout((16, 64)), Layout((2, 16)), 5))
    (8,4):(2,256) 33
    """
    tile = _projected_layout(proj, tile)
    tiler = tuple(product(x.shape) for x in tile) if isinstance(tile.shape, tuple) else tile.shape
    require_whole_tiles(tiler, layout, "a tensor of local_partition", given)
    tiled = zipped_divide(layout, tiler, given=given)
    place: Any = flat_coordinate(index, tile)
    place = padded(place, tiled[0]) if isinstance(tile.shape, tuple) else place[0]
    return slice_and_offset((place, every(tiled[1])), tiled)


def flat_coordinate(index: Leaf, layout: Layout) -> tuple[Leaf, ...]:
    """Return where a layout takes the value `index`: a 1-D coordinate for each top-level mode.

    As CuTe's get_flat_coord: each leaf (s, d) has the coordinate (index / d) % s.
    Errors: InputError for an extent above 1 with a stride below 1.

    >>> flat_coordinate(37, Layout((32, 2, 4), (1, 32, 64)))
    (5, 1, 0)
    """
    found = []
    for mode in layout:
        crd = []
        for s, d in mode.modes():
            if isinstance(s, int) and s == 1:
                crd.append(0)
            elif isinstance(d, int) and d < 1:
                raise InputError(
                    f"{layout} does not say where {show(index)} is: its stride {d} is below 1",
                    "give threads with strides of at least 1",
                )
            else:
                crd.append(mod(floor_div(index, d), s))
        found.append(crd2idx(unflatten(tuple(crd), mode.shape), mode.shape))
    return tuple(found)


def require_divides(tile: Leaf, size: Leaf, where: str, given: Given = ()) -> None:
    """Check that a tile divides a size.

    Errors: NotAdmissible when it does not, Undecided when the dims leave it open.
    """
    if isinstance(tile, int) and isinstance(size, int):
        if size % tile:
            raise NotAdmissible(
                where,
                condition=f"{tile} divides {size}",
                fix="give a size that is a multiple of the tile",
            )
        return
    if (is_symbolic(tile) or is_symbolic(size)) and not facts(given).proves(divides(tile, size)):
        raise Undecided(f"{show(tile)} | {show(size)}", where, str(divides(tile, size)))


def require_whole_tiles(tiler: HTuple, layout: AnyLayout, what: str, given: Given = ()) -> None:
    """Check that a tile divides the modes of a tensor, or all of it where the tile is no tuple.

    Errors: as require_divides.
    """
    if not isinstance(tiler, tuple):
        require_divides(_extent(tiler), layout.size(), f"{layout} as {what}", given)
        return
    for k, tile in enumerate(tiler[: layout.rank()]):
        require_divides(_extent(tile), layout[k].size(), f"mode {k} of {layout} as {what}", given)


def _extent(tile: HTuple) -> Leaf:
    """Return how many elements a tile has: an extent, a layout, or tuples of those."""
    if isinstance(tile, tuple):
        return product(tuple(map(_extent, tile)))
    return tile.size() if isinstance(tile, Layout) else tile


def every(layout: AnyLayout) -> Any:
    return (None,) * layout.rank() if isinstance(layout.shape, tuple) else None


def padded(coord: Any, layout: AnyLayout) -> Any:
    """Return a coordinate with `_` for the modes it lacks."""
    if not isinstance(coord, tuple):
        return coord
    return (*coord, *(None,) * (layout.rank() - len(coord)))


def projected(proj: Any, t: Any) -> Any:
    """Return the items of a tuple where the projection is not `_`."""
    if proj is None:
        return t
    if not isinstance(t, tuple) or not isinstance(proj, tuple) or len(t) != len(proj):
        raise InputError(
            f"the projection {show(proj)} does not fit {t}", "give 1 or _ for each mode"
        )
    return tuple(x for p, x in zip(proj, t, strict=True) if p is not None)


def _projected_layout(proj: Any, layout: Layout) -> Layout:
    if proj is None:
        return layout
    pairs = projected(proj, tuple((x.shape, x.stride) for x in layout))
    return Layout(tuple(s for s, _ in pairs), tuple(d for _, d in pairs))
