"""Tables of cells, and such tables as SVG.

A picture stands by itself: style inside, a title and a description for those who do not see it, and
its own background in light and in dark. What is known of a cell is its tooltip.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeAlias

from symcute.report.templates import resource, template

__all__ = ["Cell", "Panel", "Place", "draw", "draw_operands", "said", "text_colour"]

#: A row and a column.
Place: TypeAlias = tuple[int, int]


@dataclass(frozen=True)
class Cell:
    """What stands in a cell, line under line, its colour ("" for none), what is known of it."""

    lines: tuple[str, ...]
    fill: str = ""
    about: str = ""


@dataclass(frozen=True)
class Panel:
    """One table of cells; `blocks` is how many rows and columns lie between heavier lines.

    `facts` is what a page needs to say of each cell what its `about` says: plain data, one value a
    table.
    """

    caption: str
    note: str
    rows: tuple[tuple[Cell, ...], ...]
    blocks: tuple[int, int]
    marked: frozenset[Place] = frozenset()
    facts: Mapping[str, Any] = field(default_factory=dict)


#: Distances in pixels: around a panel, between panels, of a letter, over the cells.
_MARGIN, _GAP, _LETTER = 12, 28, 7.3
_WIDE_PICTURE = 1600


def draw(panels: Sequence[Panel], title: str) -> str:
    """Return the SVG of panels, side by side where that is not too wide."""
    views = [_view(p, _sizes([p])) for p in panels]
    beside = sum(v["width"] for v in views) + _GAP * (len(views) - 1) <= _WIDE_PICTURE
    x = y = _MARGIN
    for v in views:
        v["x"], v["y"] = x, y
        x, y = (x + v["width"] + _GAP, y) if beside else (x, y + v["height"] + _GAP)
    return _rendered(panels, views, title)


def draw_operands(a: Panel, b: Panel, c: Panel, others: Sequence[Panel], title: str) -> str:
    """Return the SVG of the operands of a matrix multiplication, as CuTe arranges them.

    A (M,K) lies to the left of C (M,N), row beside row, and B above it, column above column: its
    panel is (K,N). The others follow below.
    """
    sizes = _sizes([a, b, c])
    first, above, corner = (_view(p, sizes) for p in (a, b, c))
    x, y = _MARGIN + first["width"] + _GAP, _MARGIN + above["height"] + _GAP
    for view, place in ((first, (_MARGIN, y)), (above, (x, _MARGIN)), (corner, (x, y))):
        view["x"], view["y"] = place
    views, x = [first, above, corner], _MARGIN
    y += max(first["height"], corner["height"]) + _GAP
    for panel in others:
        view = _view(panel, _sizes([panel]))
        view["x"], view["y"] = x, y
        x += view["width"] + _GAP
        views.append(view)
    return _rendered([a, b, c, *others], views, title)


def _rendered(panels: Sequence[Panel], views: Sequence[dict[str, Any]], title: str) -> str:
    return template("picture.svg").render(
        width=max(v["x"] + v["width"] for v in views) + _MARGIN,
        height=max(v["y"] + v["height"] for v in views) + _MARGIN,
        title=title,
        description=" ".join(map(said, panels)),
        style=resource("picture.css"),
        panels=views,
    )


def said(panel: Panel) -> str:
    """Return what a panel shows, in a sentence."""
    what = f"{panel.caption}: {len(panel.rows)} rows of {len(panel.rows[0])} cells"
    marked = ", ".join(f"({i},{j})" for i, j in sorted(panel.marked)[:8])
    return (
        what
        + (f"; {panel.note}" if panel.note else "")
        + (f"; marked are {marked}" if marked else "")
        + "."
    )


class _Sizes(NamedTuple):
    """In pixels: a cell and its height, what lies to the left and above; lines in a cell."""

    cell: int
    line: int
    left: int
    top: int
    deep: int


def _sizes(panels: Sequence[Panel]) -> _Sizes:
    """Return sizes that do for all of the panels."""
    cells = [c for panel in panels for row in panel.rows for c in row]
    deep = max(len(c.lines) for c in cells)
    letters = max(len(text) for c in cells for text in c.lines)
    rows = max(len(panel.rows) for panel in panels)
    return _Sizes(
        cell=max(28, round(_LETTER * letters) + 10),
        line=24 if deep == 1 else 36,
        left=10 + round(_LETTER * len(str(rows - 1))),
        top=52 if any(panel.note for panel in panels) else 36,
        deep=deep,
    )


def _view(panel: Panel, sizes: _Sizes) -> dict[str, Any]:
    """Return a panel in pixels, as the template takes it."""
    count, columns = len(panel.rows), len(panel.rows[0])
    cell, line, left, top, deep = sizes
    words = max(len(panel.caption) * 8, len(panel.note) * 6.8)
    return {
        "caption": panel.caption,
        "note": panel.note,
        "left": left,
        "top": top,
        "cell": cell,
        "line": line,
        "base": (16,) if deep == 1 else (16, 29),
        "columns": [j * cell + cell // 2 for j in range(columns)],
        "rows": [
            {
                "y": i * line,
                "middle": i * line + line // 2 + 4,
                "cells": [
                    {
                        "x": j * cell,
                        "middle": j * cell + cell // 2,
                        "lines": c.lines,
                        "fill": c.fill,
                        "style": text_colour(c.fill) if c.fill else "",
                        "about": c.about,
                    }
                    for j, c in enumerate(row)
                ],
            }
            for i, row in enumerate(panel.rows)
        ],
        "lines": _rules(count, columns, cell, line, (1, 1)),
        "blocks": _rules(count, columns, cell, line, panel.blocks),
        "marks": "".join(
            f"M{j * cell} {i * line}h{cell}v{line}h{-cell}z" for i, j in sorted(panel.marked)
        ),
        "width": max(left + columns * cell, round(words)),
        "height": top + count * line,
    }


def _rules(rows: int, columns: int, cell: int, line: int, every: tuple[int, int]) -> str:
    """Return the lines of a grid after every so many rows and columns, its edges included."""
    across = {*range(0, rows, every[0]), rows}
    down = {*range(0, columns, every[1]), columns}
    return "".join(
        [f"M0 {i * line}h{columns * cell}" for i in sorted(across)]
        + [f"M{j * cell} 0v{rows * line}" for j in sorted(down)]
    )


def text_colour(fill: str) -> str:
    """Return the class of text on a colour: "dark" or "light", whichever stands out more.

    >>> text_colour("#00224e"), text_colour("#fee838")
    ('light', 'dark')
    """
    channels = [int(fill[k : k + 2], 16) / 255 for k in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    luminance = 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    # The contrasts of WCAG 2: one of them is at least the square root of 21, above 4.5.
    return "dark" if (luminance + 0.05) / 0.05 >= 1.05 / (luminance + 0.05) else "light"
