"""Tables of cells as HTML, for pages: small, and with what a script needs to say of each cell."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from symcute.report.pictures import BANKS, LIGHT, STEPS
from symcute.report.svg import Panel, said, text_colour
from symcute.report.templates import template

__all__ = ["colour_rules", "to_html"]

#: The class of cells by their colour.
_CLASSES = {
    **{fill: f"b{k}" for k, fill in enumerate(BANKS)},
    **{fill: f"s{k}" for k, fill in enumerate(STEPS)},
    **{fill: f"l{k}" for k, fill in enumerate(LIGHT)},
}
#: In units of the size of letters: a letter of fixed width, and what lies between two columns.
_LETTER, _BETWEEN = 0.61, 0.55
#: The narrowest column.
_LEAST = 2.1


def to_html(panels: Sequence[Panel], captions: bool) -> str:
    """Return tables as HTML, one below the other; `captions` says whether each has its own.

    >>> from symcute.report.pictures import panels_of
    >>> from symcute import Layout
    >>> to_html(panels_of(Layout((2, 2))), captions=False).partition("<tbody>")[2].strip()
    '<tr><th>0<td>0<td>2<tr><th>1<td>1<td>3</table></div>'
    """
    return template("picture.html").render(
        panels=[_view(panel) for panel in panels], captions=captions
    )


def colour_rules() -> str:
    """Return the style of coloured cells."""
    ink = {"dark": "#000", "light": "#fff"}
    return "".join(
        f".{name}{{background:{fill};color:{ink[text_colour(fill)]}}}"
        for fill, name in _CLASSES.items()
    )


def _view(panel: Panel) -> dict[str, Any]:
    """Return a table as the template takes it."""
    columns = len(panel.rows[0])
    letters = max(len(line) for row in panel.rows for c in row for line in c.lines)
    letters = max(letters, len(str(columns - 1)))
    column = max(_LEAST, letters * _LETTER + _BETWEEN)
    margin = len(str(len(panel.rows) - 1)) * _LETTER + _BETWEEN
    down, across = panel.blocks
    return {
        "caption": panel.caption,
        "note": panel.note,
        "said": said(panel),
        "facts": {name: _compact(value) for name, value in panel.facts.items()},
        "column": round(column, 2),
        "wide": round(margin + columns * column, 1),
        "groups": [min(across, columns - k) for k in range(0, columns, across)],
        "columns": range(columns),
        "rows": [
            {"first": i % down == 0, "cells": list(_cells(panel, i))}
            for i in range(len(panel.rows))
        ],
    }


def _compact(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, separators=(",", ":"))


def _cells(panel: Panel, i: int) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield the classes and the lines of the cells of a row."""
    for j, cell in enumerate(panel.rows[i]):
        marked = "m" if (i, j) in panel.marked else ""
        yield " ".join(filter(None, [_CLASSES.get(cell.fill, ""), marked])), cell.lines
