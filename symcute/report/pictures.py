"""Layouts as SVG: offsets, banks, swizzles before and after, thread-value tilings.

In every coloured cell stands the number that the colour is for.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from math import prod
from typing import Any, TypeAlias

from symcute.errors import InputError
from symcute.expr.htuple import product, show
from symcute.hardware import architecture
from symcute.layout.layout import Layout
from symcute.layout.swizzle import ComposedLayout, Swizzle
from symcute.report.svg import Cell, Panel, Place, draw, draw_operands

__all__ = [
    "LARGEST",
    "WIDEST",
    "bank_colour",
    "bank_of",
    "bank_of_bits",
    "natural",
    "panels_of",
    "swizzle_colour",
    "tilings_to_svg",
    "to_svg",
]

#: The most cells of a picture, and the most in a row; of a tile that threads share.
LARGEST, WIDEST = 4096, 128
LARGEST_TILE, WIDEST_TILE = 1 << 14, 256
#: The most (thread, value) pairs that are looked at.
PAIRS = 1 << 18

#: Light colours that stay apart for colour-blind eyes, under black text.
#: Source: P. Tol, Colour Schemes, SRON/EPS/TN/09-002, "light".
LIGHT = (
    "#77aadd", "#ee8866", "#eedd88", "#ffaabb", "#99ddff", "#44bb99", "#bbcc33", "#aaaa00",
)  # fmt: skip
#: 32 steps from dark blue to yellow, even in lightness also for colour-blind eyes.
#: Source: cividis, Nuñez, Anderton and Renslow, PLOS ONE 13(7), 2018.
STEPS = (
    "#00224e", "#00285b", "#002e6a", "#053371", "#1c396f", "#293f6e", "#33446d", "#3c4a6c",
    "#45506c", "#4d556c", "#555b6d", "#5c616e", "#646770", "#6b6d72", "#727274", "#787877",
    "#807f78", "#888578", "#908b78", "#979177", "#a09875", "#a89e73", "#b0a571", "#b9ab6d",
    "#c2b369", "#cbb965", "#d3c05f", "#dcc859", "#e6d051", "#efd748", "#f8df3c", "#fee838",
)  # fmt: skip

#: A colour for each bank of shared memory, all far from one another, neighbours most of all.
#: Found by search in OKLab (Ottosson, 2020), for red-blind and green-blind eyes too, as Machado,
#: Oliveira and Fernandes simulate them (IEEE TVCG 15(6), 2009).
BANKS = (
    "#692d78", "#d27800", "#f0d2f0", "#f04bd2", "#0f3c4b", "#4ba55a", "#ff96ff", "#5a1ec3",
    "#96ffa5", "#0096c3", "#0000a5", "#ff6969", "#960f00", "#f0d25a", "#006996", "#d22d0f",
    "#87b4b4", "#5a5aff", "#3c783c", "#3c0078", "#c36996", "#d2fff0", "#694b4b", "#ffa578",
    "#964bc3", "#5a0f00", "#96c300", "#0000ff", "#ffff00", "#c30096", "#00e1b4", "#9687ff",
)  # fmt: skip

Map: TypeAlias = Layout | ComposedLayout


def to_svg(
    layout: Map,
    *,
    tile: Any = None,
    banks: bool = False,
    element_bytes: int = 4,
    mark: Collection[Place] = (),
) -> str:
    """Return a picture of a layout as SVG.

    Without more, the offset at every (row, column). With `banks`, coloured by the bank of shared
    memory where each element of `element_bytes` bytes begins. A swizzled layout is drawn before and
    after its swizzle; without `banks` it is coloured by the bits that change. With `tile` = (M,N),
    the layout is a (thread, value) layout into that tile, and the picture shows who holds each
    element. The cells of `mark` get a frame. What is known of a cell is its tooltip.
    Pre-conditions: the layout has numbers only, and rank 1 or 2.
    Errors: InputError for dims without values, another rank, more cells than `LARGEST` or more in a
    row than `WIDEST`, `banks` together with `tile`, and a tile that the layout leaves.

    >>> picture = to_svg(Layout((2, 4), (4, 1)))
    >>> picture.startswith("<svg"), picture.count('class="cell"')
    (True, 8)
    """
    drawn = panels_of(layout, tile=tile, banks=banks, element_bytes=element_bytes, mark=mark)
    return draw(drawn, str(layout))


def panels_of(
    layout: Map,
    *,
    tile: Any = None,
    banks: bool = False,
    element_bytes: int = 4,
    mark: Collection[Place] = (),
    grouped: bool = False,
) -> list[Panel]:
    """Return the tables of the picture that `to_svg` draws.

    With `grouped`, a layout of more than two modes has the first as its rows and the others
    together as its columns.
    Errors: InputError as for `to_svg`.
    """
    if tile is not None and banks:
        raise InputError("banks of a thread-value layout", "draw the banks of the tile's layout")
    if tile is not None:
        panels = [_owners(layout, tile, f"{layout} into {show(tile)}")]
    elif banks:
        panels = _in_banks(layout, element_bytes, grouped)
    elif isinstance(layout, ComposedLayout):
        panels = _swizzle(layout, grouped)
    else:
        panels = [_table(layout, str(layout), "", _plain, grouped=grouped)]
    return [_marked(p, mark) for p in panels]


def tilings_to_svg(tilings: Mapping[str, tuple[Map, Any]], title: str) -> str:
    """Return a picture of several (thread, value) layouts, each into its tile.

    They stand side by side; operands A, B and C as CuTe arranges them: A (M,K) to the left of C
    (M,N), and B (N,K) above it with K down, so that a cell of C is where a row of A and a column of
    B meet.
    Errors: InputError as for `to_svg`.

    >>> from symcute.layout.atoms import atom
    >>> mma = atom("SM70_8x8x4_F16F16F16F16_TN")
    >>> tilings_to_svg(mma.layouts(), mma.name).count('class="cell"')
    128
    """
    if not isinstance(tilings, Mapping):
        raise InputError(f"{tilings!r} names no layouts", 'give {"A": (layout, tile)}')
    panels = {
        name: _owners(layout, tile, f"{name}: {layout} into {show(tile)}")
        for name, (layout, tile) in tilings.items()
    }
    if not {"A", "B", "C"} <= panels.keys():
        return draw(list(panels.values()), title)
    a, b, c = (panels.pop(name) for name in "ABC")
    note = f"{b.note}; K down, N across"
    turned = replace(b, rows=tuple(zip(*b.rows, strict=True)), blocks=b.blocks[::-1], note=note)
    return draw_operands(a, turned, c, list(panels.values()), title)


def _plain(offset: Any) -> Cell:
    return Cell((str(offset) if isinstance(offset, int) else show(offset),))


def _table(
    layout: Map,
    caption: str,
    note: str,
    cell: Callable[[Any], Cell],
    element_bytes: int = 4,
    grouped: bool = False,
) -> Panel:
    """Return the table of what a function says of each offset."""
    rows, columns = _extents(layout, grouped)

    def at(index: int) -> Cell:
        offset = layout(index)
        made = cell(offset)
        where = show(natural(index, layout.shape))
        about = f"coordinate {where}: offset {made.lines[0]}"
        if isinstance(offset, int):
            bank = bank_of(offset, element_bytes)
            about += f", bank {bank} (elements of {_bytes(element_bytes)})"
        return replace(made, about=about)

    cells = tuple(tuple(at(i + rows * j) for j in range(columns)) for i in range(rows))
    inner = _inner(layout.shape)
    blocks = (1, inner[0]) if len(inner) == 1 else (inner[0], inner[1])
    facts = {"kind": "offset", "shape": layout.shape, "bytes": element_bytes}
    return Panel(caption, note, cells, blocks, facts=facts)


def natural(index: int, shape: Any) -> Any:
    """Return an index as a coordinate in the hierarchy of a shape.

    >>> natural(5, ((2, 2), 3))
    ((1, 0), 1)
    """
    if not isinstance(shape, tuple):
        return index
    found = []
    for mode in shape:
        size = int(product(mode))
        found.append(natural(index % size, mode))
        index //= size
    return tuple(found)


def _bytes(count: int) -> str:
    return f"{count} byte" if count == 1 else f"{count} bytes"


def _extents(layout: Map, grouped: bool = False) -> tuple[int, int]:
    """Return how many rows and columns a picture of a layout has. Errors: InputError."""
    if not layout.is_static():
        dims = ", ".join(sorted(layout.dims()))
        first = min(layout.dims())
        raise InputError(
            f"{layout} is symbolic in {dims}: there is no picture",
            f"give values for its dims, as --at {first}=8 or layout.at({{{first!r}: 8}})",
        )
    if layout.rank() == 0:
        raise InputError(f"{layout} has no modes: there is no picture", "draw a layout with modes")
    if layout.rank() > 2 and not grouped:
        raise InputError(
            f"{layout} has rank {layout.rank()}: a picture has rows and columns",
            "group its modes into two, or take two of them",
        )
    first_mode, *others = (int(mode.size()) for mode in layout)
    rows, columns = (first_mode, prod(others)) if others else (1, first_mode)
    _fits(rows, columns, str(layout), LARGEST, WIDEST)
    return rows, columns


def _fits(rows: int, columns: int, what: str, most: int, widest: int) -> None:
    if rows * columns > most or columns > widest:
        raise InputError(
            f"{what} has {rows} x {columns} cells: too many for a picture",
            f"draw a part of it, of at most {most} cells and {widest} in a row",
        )


def _inner(shape: Any) -> list[int]:
    """Return the innermost extent of each mode: where it is not nested, its size."""
    modes = shape if isinstance(shape, tuple) else (shape,)
    found = []
    for mode in modes:
        while isinstance(mode, tuple) and mode:
            mode = mode[0]
        found.append(mode if isinstance(mode, int) else 1)
    return found


def bank_of(offset: int, element_bytes: int) -> int:
    """Return the bank of shared memory where the element at an offset begins.

    Errors: InputError for elements of no byte.

    >>> [bank_of(33, width) for width in (1, 2, 4, 8)]
    [8, 16, 1, 2]
    """
    if type(element_bytes) is not int or element_bytes < 1:
        raise InputError(f"elements of {element_bytes} bytes", "an element has at least 1 byte")
    return bank_of_bits(offset, 8 * element_bytes)


def bank_of_bits(offset: int, element_bits: int) -> int:
    """Return the bank where the element at an offset begins, of elements of at least a bit.

    >>> [bank_of_bits(33, width) for width in (4, 8, 32)]
    [4, 8, 1]
    """
    a = architecture("sm90")
    return offset * element_bits // (8 * a.bank_bytes) % a.banks


def bank_colour(bank: int) -> str:
    """Return the colour of a bank.

    >>> bank_colour(0), bank_colour(31)
    ('#692d78', '#9687ff')
    """
    return BANKS[bank]


def _in_banks(layout: Map, element_bytes: int, grouped: bool) -> list[Panel]:
    """Return the offsets with the bank where each element begins."""

    def cell(offset: Any) -> Cell:
        if not isinstance(offset, int):
            raise InputError(
                f"{layout} gives coordinates, which have no bank", "draw it without banks"
            )
        bank = bank_of(offset, element_bytes)
        return Cell((str(offset), f"b{bank}"), bank_colour(bank))

    note = f"under each offset its bank, elements of {_bytes(element_bytes)}"
    return [
        _table(x, caption, note, cell, element_bytes, grouped) for caption, x in _states(layout)
    ]


def _states(layout: Map) -> list[tuple[str, Map]]:
    """Return what is drawn of a layout, each with its caption: before and after a swizzle."""
    if not isinstance(layout, ComposedLayout):
        return [(str(layout), layout)]
    plain = ComposedLayout(Swizzle(0, 0, 0), layout.offset, layout.layout)
    start = "" if layout.offset == 0 else f"{layout.offset} o "
    return [(f"before: {start}{layout.layout}", plain), (f"after: {layout}", layout)]


def _swizzle(layout: ComposedLayout, grouped: bool) -> list[Panel]:
    """Return a layout before and after its swizzle, coloured by the bits that change."""
    sw = layout.swizzle
    low = sw.base - min(0, sw.shift)

    def cell(offset: Any) -> Cell:
        return replace(_plain(offset), fill=swizzle_colour(sw, offset))

    bits = f"bit {low}" if sw.bits == 1 else f"bits {low} to {low + sw.bits - 1}"
    note = f"coloured by {bits} of the offset" if swizzle_colour(sw, 0) else ""
    return [_table(x, caption, note, cell, grouped=grouped) for caption, x in _states(layout)]


def swizzle_colour(swizzle: Swizzle, offset: int) -> str:
    """Return the colour for the bits of an offset that a swizzle changes; "" for none or many.

    >>> swizzle_colour(Swizzle(1, 0, 3), 1), swizzle_colour(Swizzle(0, 0, 0), 1)
    ('#ee8866', '')
    """
    colours = {1: LIGHT, 2: LIGHT, 3: LIGHT, 4: STEPS, 5: STEPS}.get(swizzle.bits)
    low = swizzle.base - min(0, swizzle.shift)
    return colours[(offset & swizzle.target) >> low] if colours else ""


def _owners(layout: Map, tile: Any, caption: str) -> Panel:
    """Return who holds each element of a tile, the elements counted down its columns."""
    if not layout.is_static():
        _extents(layout)
    if layout.rank() != 2:
        raise InputError(f"{layout} has rank {layout.rank()}", "a thread-value layout has rank 2")
    extents = tile if isinstance(tile, tuple) else (tile,)
    if len(extents) not in (1, 2) or not all(type(e) is int and e >= 1 for e in extents):
        raise InputError(f"the tile {show(tile)}", "give the rows and columns of the tile: (16,8)")
    rows, columns = extents if len(extents) == 2 else (1, extents[0])
    _fits(rows, columns, f"the tile {show(tile)}", LARGEST_TILE, WIDEST_TILE)
    threads, values = (int(mode.size()) for mode in layout)
    if threads * values > PAIRS:
        raise InputError(
            f"{layout} has {threads * values} threads and values",
            f"a picture takes {PAIRS} of them: draw a part",
        )
    first: dict[int, Place] = {}
    count: dict[int, int] = {}
    of_value = [layout(0, v) for v in range(values)]
    for t in range(threads):
        of_thread = layout(t, 0)
        for v in range(values):
            # A layout is the sum of what its modes give; behind a swizzle it is not.
            index = of_thread + of_value[v] if isinstance(layout, Layout) else layout(t, v)
            if not isinstance(index, int) or not 0 <= index < rows * columns:
                raise InputError(
                    f"{layout}: thread {t}, value {v} is at {index}, outside the tile {show(tile)}",
                    "give the tile that it is into",
                )
            first.setdefault(index, (t, v))
            count[index] = count.get(index, 0) + 1

    def cell(index: int) -> Cell:
        where = f"element {show(natural(index, extents))}, index {index}"
        if index not in first:
            return Cell(("-",), about=f"{where}: held by nobody")
        (t, v), others = first[index], count[index] - 1
        about = f"{where}: {_held('thread', t, layout.shape[0])}, "
        about += _held("value", v, layout.shape[1]) + (f", and {others} more" if others else "")
        lines = (f"T{t}", f"V{v}" + (f" +{others}" if others else ""))
        return Cell(lines, LIGHT[t % len(LIGHT)], about)

    cells = tuple(tuple(cell(i + rows * j) for j in range(columns)) for i in range(rows))
    note = "thread over value, coloured by thread mod 8"
    facts = {"kind": "tile", "tile": extents, "shape": layout.shape}
    return Panel(caption, note, cells, (rows, columns), facts=facts)


def _held(what: str, index: int, mode: Any) -> str:
    """Return a thread or a value, with its coordinate where it has one."""
    nested = isinstance(mode, tuple) and len(mode) > 1
    return f"{what} {index}" + (f" = {show(natural(index, mode))}" if nested else "")


def _marked(panel: Panel, mark: Collection[Place]) -> Panel:
    for i, j in mark:
        if not (0 <= i < len(panel.rows) and 0 <= j < len(panel.rows[0])):
            raise InputError(f"there is no cell ({i},{j}) to mark", "give places of the picture")
    return replace(panel, marked=frozenset(mark))
