"""Division: a layout cut into tiles and the rest that repeats them.

Source: cute/layout.hpp, logical_divide and its relatives; CuTe documentation, "02_layout_algebra".
"""

from __future__ import annotations

from symcute.errors import InputError, Undecided
from symcute.expr.assumptions import Given
from symcute.expr.expression import is_symbolic
from symcute.expr.formula import divides
from symcute.expr.htuple import HTuple
from symcute.layout.algebra.complement import complement
from symcute.layout.algebra.composition import composition
from symcute.layout.layout import Layout, make_layout
from symcute.layout.swizzle import ComposedLayout, LayoutT
from symcute.solve.entailment import facts

__all__ = ["flat_divide", "logical_divide", "tile_unzip", "tiled_divide", "zipped_divide"]


def logical_divide(layout: LayoutT, tiler: HTuple, *, given: Given = ()) -> LayoutT:
    """Return (tile, rest): A o (T, complement(T, size(A))).

    `tiler` is a layout, an extent n (n:1), or a tuple of such and `_` that applies by mode; modes
    of A beyond the tuple are kept.
    Post-conditions:
        # T and what it leaves out of A, then A; where T divides A, a rearrangement of A.
        result(i) == layout(make_layout(tiler, complement(tiler, size(layout)))(i))
            for i in range(size(result)) if isinstance(tiler, Layout)
        coalesce(result[k]) == coalesce(logical_divide(layout[k], t))
            for k, t in enumerate(tiler) if isinstance(tiler, tuple)
        size(result) >= size(layout)
        size(result) != size(layout)
            or sorted(map(result, range(size(result)))) == sorted(map(layout, range(size(layout))))
    Errors: as composition and complement; Undecided when symbolic sizes are not known to divide.

    >>> print(logical_divide(Layout.parse("(256,512)"), (128, 64)))
    ((128,2),(64,8)):((1,128),(256,16384))
    >>> print(logical_divide(Layout.parse("(M,N):(N,1)"), (128, 64),
    ...                      given=["M % 128 == 0", "N % 64 == 0"]))
    ((128,M/128),(64,N/64)):((N,128*N),(1,64))
    """
    if isinstance(layout, ComposedLayout):
        return layout.map(logical_divide, tiler, given=given)
    if tiler is None:
        return layout
    if isinstance(tiler, tuple):
        _check_rank(layout, tiler)
        modes = [
            logical_divide(mode, tiler[k], given=given) if k < len(tiler) else mode
            for k, mode in enumerate(layout)
        ]
        return make_layout(*modes)
    if not isinstance(tiler, Layout):
        tiler = Layout(tiler)
    size, tile = layout.size(), tiler.size()
    if is_symbolic(size) or is_symbolic(tile):
        fits = divides(tile, size)
        if not facts(given).proves(fits):
            where = f"logical_divide({layout}, {tiler})"
            raise Undecided(f"{tile} | {size}", where, str(fits))
    rest = complement(tiler, size, given=given)
    return composition(layout, make_layout(tiler, rest), given=given)


def _check_rank(layout: Layout, tiler: tuple[HTuple, ...]) -> None:
    if len(tiler) > layout.rank():
        raise InputError(
            f"the tiler has {len(tiler)} modes, {layout} has {layout.rank()}",
            "give at most one tile for each mode",
        )


def tile_unzip(layout: LayoutT, tiler: HTuple) -> LayoutT:
    """Return ((tiles), (rests and modes beyond the tiler)) of a by-mode divide or product.

    Post-conditions:
        size(result) == size(layout)
        sorted(result.modes()) == sorted(layout.modes())
        result[0][k] == tile_unzip(layout[k], t)[0]
            for k, t in enumerate(tiler) if isinstance(tiler, tuple)
    Errors: InputError for `_` in the tiler, or a mode under it that is not a (tile, rest) pair.

    >>> print(tile_unzip(Layout.parse("((128,2),(64,8)):((1,128),(256,16384))"), (128, 64)))
    ((128,64),(2,8)):((1,256),(128,16384))
    """
    if isinstance(layout, ComposedLayout):
        return layout.map(tile_unzip, tiler)
    if not isinstance(tiler, tuple):
        return layout
    tiles, rests = [], []
    for k, mode in enumerate(layout):
        if k < len(tiler):
            if tiler[k] is None:
                raise InputError("a tiler with _ has no tile to gather", "give a tile for the mode")
            pair = tile_unzip(mode, tiler[k])
            if pair.rank() != 2:
                raise InputError(
                    f"{pair} is no (tile, rest) pair", "divide by the same tiler first"
                )
            tile, rest = pair
            tiles.append(tile)
            rests.append(rest)
        else:
            rests.append(mode)
    return make_layout(make_layout(*tiles), make_layout(*rests))


def zipped_divide(layout: LayoutT, tiler: HTuple, *, given: Given = ()) -> LayoutT:
    """Return logical_divide with the tiles gathered in mode 0 and the rests in mode 1.

    Post-conditions:
        rank(result) == 2
        coalesce(result) == coalesce(tile_unzip(logical_divide(layout, tiler), tiler))
        coalesce(result[0]) == coalesce(tile_unzip(logical_divide(layout, tiler), tiler)[0])

    >>> print(zipped_divide(Layout.parse("(256,512)"), (128, 64)))
    ((128,64),(2,8)):((1,256),(128,16384))
    """
    return tile_unzip(logical_divide(layout, tiler, given=given), tiler)


def tiled_divide(layout: LayoutT, tiler: HTuple, *, given: Given = ()) -> LayoutT:
    """Return zipped_divide with the rests opened: (tile, rest, rest, ...).

    Post-conditions:
        rank(result) == 1 + rank(layout) if isinstance(tiler, tuple)
        coalesce(result[0]) == coalesce(zipped_divide(layout, tiler)[0])
        coalesce(result) == coalesce(zipped_divide(layout, tiler))

    >>> print(tiled_divide(Layout.parse("(256,512)"), (128, 64)))
    ((128,64),2,8):((1,256),128,16384)
    """
    return opened(zipped_divide(layout, tiler, given=given), tile=False)


def flat_divide(layout: LayoutT, tiler: HTuple, *, given: Given = ()) -> LayoutT:
    """Return zipped_divide with tiles and rests opened: (tile, tile, ..., rest, rest, ...).

    Post-conditions:
        rank(result) == len(tiler) + rank(layout) if isinstance(tiler, tuple)
        coalesce(result) == coalesce(zipped_divide(layout, tiler))

    >>> print(flat_divide(Layout.parse("(256,512)"), (128, 64)))
    (128,64,2,8):(1,256,128,16384)
    """
    return opened(zipped_divide(layout, tiler, given=given), tile=True)


def opened(zipped: LayoutT, *, tile: bool) -> LayoutT:
    """Return a rank-2 layout with mode 1, and mode 0 if `tile`, opened one level.

    A part of rank 1 stays what it is, also when it is a tuple: the C++ headers keep it, CuTe DSL
    does not.
    """
    if isinstance(zipped, ComposedLayout):
        return zipped.map(opened, tile=tile)

    def modes(part: Layout) -> list[Layout]:
        return list(part) if part.rank() > 1 else [part]

    return make_layout(*(modes(zipped[0]) if tile else [zipped[0]]), *modes(zipped[1]))
