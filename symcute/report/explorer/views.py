"""The table of a layout in the explorer: rows and columns, and what each view says in them.

All is plain data: lines of text, colours, and what is known of each cell.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import prod
from typing import Any, TypeAlias

from symcute.errors import InputError
from symcute.expr.htuple import leaves, product, show
from symcute.layout.algebra import compact_major, zipped_divide
from symcute.layout.layout import Layout
from symcute.layout.swizzle import ComposedLayout, Swizzle
from symcute.report.pictures import (
    LARGEST,
    LIGHT,
    WIDEST,
    bank_colour,
    bank_of_bits,
    natural,
    swizzle_colour,
)
from symcute.report.svg import text_colour

__all__ = ["CHUNK_BITS", "MAX_LISTED", "VIEWS", "Grid", "Holding", "Tiling", "table"]

Map: TypeAlias = Layout | ComposedLayout
#: Of an index, the pairs that are there: (thread, value) or (place, tile).
Pairs: TypeAlias = dict[int, list[tuple[int, int]]]

#: What the cells can show.
VIEWS = ("offsets", "banks", "chunks", "tiles", "threads")
#: The most coordinates that are looked at one by one, and the most (thread, value) pairs.
MAX_LISTED, MAX_PAIRS = 1 << 14, 1 << 16
#: The bits of a chunk, which swizzles move as one and the widest access of a lane takes.
CHUNK_BITS = 128
#: How many of the pairs in a cell are told.
_FEW = 4


class Grid:
    """Rows and columns of a layout: mode 0, and all other modes together; of rank 1 one row."""

    def __init__(self, layout: Map) -> None:
        self.layout = layout
        first, *others = (_whole(mode.size()) for mode in layout)
        self.rows, self.columns = (first, prod(others)) if others else (1, first)
        self.shown_columns = min(self.columns, WIDEST)
        self.shown_rows = min(self.rows, max(1, LARGEST // self.shown_columns))

    def index(self, i: int, j: int) -> int:
        """Return the index of the cell, counted as the layout counts."""
        return i + self.rows * j

    @cached_property
    def offsets(self) -> list[list[int]]:
        """The offsets of the cells shown."""
        return [
            [_whole(self.layout(self.index(i, j))) for j in range(self.shown_columns)]
            for i in range(self.shown_rows)
        ]

    @property
    def blocks(self) -> tuple[int, int]:
        """After how many rows and columns the innermost modes begin anew."""
        modes = self.layout.shape if isinstance(self.layout.shape, tuple) else (self.layout.shape,)
        inner = [_whole(next(iter(leaves(mode)))) for mode in modes]
        return (inner[0], inner[1]) if len(inner) > 1 else (1, inner[0])


class Holding:
    """Who holds each element of a tile of `count` elements: by index, (thread, value) pairs."""

    def __init__(self, layout: Map, count: int) -> None:
        """Errors: InputError for no thread-value layout, and for one that leaves the tile."""

        def beyond(t: int, v: int, index: int) -> None:
            raise InputError(
                f"thread {t}, value {v} is at {index}, outside the {count} elements of the layout",
                "the thread-value layout is into the shape of the layout",
            )

        self.layout = layout
        self.owners = _pairs(layout, count, beyond)


class Tiling:
    """The tiles of a layout: `divided` by a tiler, and which tile each element is in."""

    def __init__(self, layout: Map, tiler: Any) -> None:
        """Errors: as `zipped_divide`, and InputError for a tiler without tiles."""
        whole: Any = layout
        self.divided = zipped_divide(whole, tiler)
        if tiler is None:
            raise InputError("_ gives no tiles", "give an extent or a layout")
        # A tile beyond its mode must not come out in the next one: digits with room for each.
        shape = _tiled(layout.shape, tiler)
        room = _whole(zipped_divide(Layout(shape, _each(shape, 1)), tiler).cosize())
        wide = _each(shape, room)
        places = zipped_divide(Layout(shape, compact_major(wide, "left")), tiler)
        extents = [_whole(s) for s in leaves(shape)]

        def index(number: int) -> int:
            found, step = 0, 1
            for extent in extents:
                number, digit = divmod(number, room)
                if digit >= extent:
                    return -1
                found, step = found + digit * step, step * extent
            return found

        self.beyond = 0

        def outside(*_: int) -> None:
            self.beyond += 1

        self.tiles = _pairs(places, _whole(layout.size()), outside, index)
        across = places[1].shape
        self.across = _whole(product(across[0] if isinstance(across, tuple) else across))


def _pairs(
    layout: Map,
    count: int,
    beyond: Callable[[int, int, int], None],
    index_of: Callable[[int], int] = lambda x: x,
) -> Pairs:
    """Return by index below a count the pairs of a layout of rank 2, first ones first."""
    if layout.rank() != 2:
        raise InputError(
            f"{layout} has rank {layout.rank()}",
            "a thread-value layout has rank 2: threads, values",
        )
    outer, inner = (_whole(mode.size()) for mode in layout)
    if outer * inner > MAX_PAIRS:
        raise InputError(
            f"{layout} has {outer * inner} threads and values", f"at most {MAX_PAIRS} are shown"
        )
    found: Pairs = {}
    for t in range(outer):
        for v in range(inner):
            index = index_of(_whole(layout(t, v)))
            if 0 <= index < count:
                found.setdefault(index, []).append((t, v))
            else:
                beyond(t, v, index)
    return found


def _tiled(shape: Any, tiler: Any) -> Any:
    """Return a shape with a number for each tile of a tiler, and for each mode it leaves alone."""
    if not isinstance(tiler, tuple):
        return product(shape)
    modes = shape if isinstance(shape, tuple) else (shape,)
    return tuple(_tiled(s, tiler[k] if k < len(tiler) else None) for k, s in enumerate(modes))


def _each(shape: Any, number: int) -> Any:
    return tuple(_each(s, number) for s in shape) if isinstance(shape, tuple) else number


def _whole(leaf: Any) -> int:
    if type(leaf) is not int:
        raise InputError(f"{leaf} is not a number", "give the dims numbers")
    return leaf


# --- the views ----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Painted:
    """What stands in a cell, its colour ("" for none), and what is known of it beside."""

    lines: tuple[str, ...]
    fill: str = ""
    story: tuple[tuple[str, str], ...] = ()


def table(
    grid: Grid, view: str, bits: int, tiling: Tiling | None, holding: Holding | None
) -> dict[str, Any]:
    """Return a view as plain data: cells, headings, and what is known of each cell.

    `palette` are the colours with the class of the text on them, `heads` what is told of a cell;
    each cell is its lines, its number in the palette (-1 for none), and what is told, in the order
    of `heads`. Cells are alike whose lines number `alike` are the same.
    Errors: InputError where there is nothing to show in this view.
    """
    if view == "chunks":
        rows, columns, cells, note = _chunks(grid, bits)
    else:
        paint, note = _PAINTERS[view](grid, bits, tiling, holding)
        rows = [str(i) for i in range(grid.shown_rows)]
        columns = [str(j) for j in range(grid.shown_columns)]
        cells = [
            [_told(grid, bits, tiling, holding, i, j, paint(i, j)) for j in range(len(columns))]
            for i in range(len(rows))
        ]
    palette = {
        fill: k for k, fill in enumerate({c.fill: 0 for row in cells for c in row if c.fill})
    }
    parts = [] if grid.layout.rank() <= 2 else ["rows are mode 0, columns the other modes together"]
    if (grid.shown_rows, grid.shown_columns) != (grid.rows, grid.columns):
        part = f"{grid.shown_rows} x {grid.shown_columns} of {grid.rows} x {grid.columns} cells"
        parts.append(f"the first {part}")
    return {
        "rows": rows,
        "columns": columns,
        "blocks": (1, 1) if view == "chunks" else grid.blocks,
        "note": "; ".join([note, *parts]),
        "alike": 1 if view in ("banks", "chunks", "tiles") else 0,
        "palette": [(fill, text_colour(fill)) for fill in palette],
        "heads": [head for head, _ in cells[0][0].story],
        "cells": [
            [(c.lines, palette.get(c.fill, -1), [text for _, text in c.story]) for c in row]
            for row in cells
        ],
    }


def _told(
    grid: Grid,
    bits: int,
    tiling: Tiling | None,
    holding: Holding | None,
    i: int,
    j: int,
    painted: Painted,
) -> Painted:
    """Return a cell with all that is known of it."""
    layout, index, offset = grid.layout, grid.index(i, j), grid.offsets[i][j]
    flat = str(j) if layout.rank() == 1 else f"({i},{j})"
    full = show(natural(index, layout.shape))
    story = [("coordinate", flat if flat == full else f"{flat} = {full}"), ("index", str(index))]
    if isinstance(layout, ComposedLayout):
        before = _whole(layout.layout(index)) + _whole(layout.offset)
        story.append(("before the swizzle", str(before)))
    story += [("offset", str(offset)), ("bank", str(bank_of_bits(offset, bits)))]
    if holding is not None:
        held = holding.owners.get(index, [])
        story.append(("held by", _few([f"T{t} V{v}" for t, v in held])))
    if tiling is not None:
        tiles = tiling.tiles.get(index, [])
        story.append(("tile", _few([f"{tile}, place {place}" for place, tile in tiles])))
    return Painted(painted.lines, painted.fill, tuple(story))


def _few(texts: Sequence[str]) -> str:
    more = f" and {len(texts) - _FEW} more" if len(texts) > _FEW else ""
    return ", ".join(texts[:_FEW]) + more or "none"


_Paint: TypeAlias = Callable[[int, int], Painted]


def _offsets(grid: Grid, *_: object) -> tuple[_Paint, str]:
    layout, note = grid.layout, "the offset at each coordinate"
    swizzle = layout.swizzle if isinstance(layout, ComposedLayout) else Swizzle(0, 0, 0)

    def paint(i: int, j: int) -> Painted:
        offset = grid.offsets[i][j]
        return Painted((str(offset),), swizzle_colour(swizzle, offset))

    coloured = isinstance(layout, ComposedLayout)
    return paint, note + (", coloured by the bits that the swizzle changes" if coloured else "")


def _banks(grid: Grid, bits: int, *_: object) -> tuple[_Paint, str]:
    def paint(i: int, j: int) -> Painted:
        bank = bank_of_bits(grid.offsets[i][j], bits)
        return Painted((str(grid.offsets[i][j]), f"b{bank}"), bank_colour(bank))

    where = "under each offset the bank of shared memory where it begins"
    return paint, f"{where}, elements of {bits} bits"


def _tiles(grid: Grid, _: int, tiling: Tiling | None, *__: object) -> tuple[_Paint, str]:
    if tiling is None:
        raise InputError("no tile is given", "write one in the field Tile, such as (2,4)")

    def paint(i: int, j: int) -> Painted:
        offset, found = str(grid.offsets[i][j]), tiling.tiles.get(grid.index(i, j))
        if not found:
            return Painted((offset, "-"))
        tile, others = found[0][1], len(found) - 1
        shade = tile % tiling.across + 3 * (tile // tiling.across)
        name = f"t{tile}" + (f" +{others}" if others else "")
        return Painted((offset, name), LIGHT[shade % len(LIGHT)])

    return paint, "under each offset the number of its tile"


def _threads(grid: Grid, _: int, __: object, holding: Holding | None) -> tuple[_Paint, str]:
    if holding is None:
        raise InputError(
            "no threads are given",
            "write a (thread, value) layout into the shape in the field Threads and values",
        )

    def paint(i: int, j: int) -> Painted:
        found = holding.owners.get(grid.index(i, j))
        if not found:
            return Painted(("-",))
        (t, v), others = found[0], len(found) - 1
        value = f"V{v}" + (f" +{others}" if others else "")
        return Painted((f"T{t}", value), LIGHT[t % len(LIGHT)])

    return paint, f"thread over value, coloured by thread mod {len(LIGHT)}"


_PAINTERS: dict[str, Callable[[Grid, int, Tiling | None, Holding | None], tuple[_Paint, str]]] = {
    "offsets": _offsets,
    "banks": _banks,
    "tiles": _tiles,
    "threads": _threads,
}


# --- chunks of 16 bytes -------------------------------------------------------------------------


def _chunks(grid: Grid, bits: int) -> tuple[list[str], list[str], list[list[Painted]], str]:
    """Return the headings and cells of a table of chunks, with elements beside or below each other.

    A chunk is there where the elements of one aligned run of 16 bytes are neighbours, in order.
    """
    count, offsets = CHUNK_BITS // bits, grid.offsets
    for down, across in ((1, count), (count, 1)):
        if grid.shown_rows % down or grid.shown_columns % across:
            continue
        cells = list(_runs(offsets, down, across, bits))
        if all(cell is not None for row in cells for cell in row):
            rows = [_span(i, down) for i in range(0, grid.shown_rows, down)]
            columns = [_span(j, across) for j in range(0, grid.shown_columns, across)]
            note = f"16-byte chunks of {count} elements, numbered in memory; below, their banks"
            return rows, columns, [[c for c in row if c] for row in cells], note
    raise InputError(
        f"{count} elements of {bits} bits that lie in 16 bytes are not always neighbours here",
        "16-byte chunks need a mode of stride 1 whose extent is a multiple, and an element width "
        "that fits",
    )


def _runs(
    offsets: list[list[int]], down: int, across: int, bits: int
) -> Iterator[list[Painted | None]]:
    """Yield rows of chunks, None where the elements are no chunk."""
    count = down * across
    for i in range(0, len(offsets), down):
        row: list[Painted | None] = []
        for j in range(0, len(offsets[0]), across):
            run = [offsets[i + k * (down > 1)][j + k * (across > 1)] for k in range(count)]
            if run[0] % count or run != list(range(run[0], run[0] + count)):
                row.append(None)
                continue
            chunk = run[0] // count
            first = bank_of_bits(run[0], bits)
            last = first + CHUNK_BITS // 32 - 1
            where = f"({_span(i, down)},{_span(j, across)})"
            story = (
                ("coordinates", where),
                ("chunk", str(chunk)),
                ("offsets", f"{run[0]} to {run[-1]}"),
                ("bytes", f"{16 * chunk} to {16 * chunk + 15}"),
                ("banks", f"{first} to {last}"),
            )
            lines = (str(chunk), f"b{first}-{last}")
            row.append(Painted(lines, LIGHT[chunk % len(LIGHT)], story))
        yield row


def _span(start: int, count: int) -> str:
    return str(start) if count == 1 else f"{start}-{start + count - 1}"
