"""`symcute show`: one layout, its measures and its table."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

from symcute.cli import options
from symcute.cli.failures import EXPECTED, also_as_json
from symcute.errors import InputError

if TYPE_CHECKING:
    from symcute.layout import Layout

__all__ = ["show_command"]


@click.command("show", short_help="Print a layout, its measures and its table.")
@click.argument("layout")
@options.given
@click.option("--table/--no-table", default=True, help="Draw the table of offsets (default: yes).")
@options.json_flag
def show_command(layout: str, given: tuple[str, ...], table: bool, as_json: bool) -> int:
    """Print LAYOUT as CuTe prints it, its size, cosize, rank and depth, and its table.

    LAYOUT is shape:stride, a shape alone (column-major), or any expression that gives a layout;
    - reads it from standard input. The table shows the offset at every coordinate (row, column)
    of a rank-2 layout whose leaves are all numbers.

    \b
    symcute show "((2,2),(2,4)):((1,4),(2,8))"
    symcute show "(M,N):(LD,1)" --given "LD >= N"
    symcute show "raked_product((32,8), (4,1))" --no-table

    Exit codes: 0 done, 1 a side condition was not decided, 2 bad input, 3 internal error.
    """
    from symcute.assumptions import assuming

    with also_as_json(as_json), assuming(list(given)):
        value = _layout(options.one_text(layout, None, "LAYOUT") or "")
        click.echo(json.dumps(_as_json(value, table)) if as_json else _as_text(value, table))
    return EXPECTED


def _layout(text: str) -> Layout:
    from symcute.language import evaluate, show_value
    from symcute.layout import Layout

    value = evaluate(text)
    if isinstance(value, Layout):
        return value
    if isinstance(value, (int, tuple)):
        return Layout(value)
    raise InputError(
        f"{show_value(value)} is not a layout", "use symcute eval for other expressions"
    )


def _as_text(layout: Layout, table: bool) -> str:
    from symcute.htuple import show
    from symcute.report.table import LIMIT, grid, picture

    lines = [
        str(layout),
        f"size {show(layout.size())}, cosize {show(layout.cosize())}, "
        f"rank {layout.rank()}, depth {layout.depth()}",
    ]
    if not table:
        return lines[0] + "\n" + lines[1]
    if not layout.is_static():
        lines.append(f"symbolic in {', '.join(sorted(layout.dims()))}: no table")
    elif layout.rank() > 2:
        lines.append(f"rank {layout.rank()}: no table (tables have rows and columns)")
    else:
        cells = grid(layout)
        if cells is None:
            lines.append(f"no table: {layout.size()} offsets are more than {LIMIT}")
        else:
            lines += ["", picture(cells)]
    return "\n".join(lines)


def _as_json(layout: Layout, table: bool) -> dict[str, Any]:
    from symcute.htuple import show
    from symcute.report.table import grid

    def number(leaf: Any) -> int | str:
        return leaf if isinstance(leaf, int) else show(leaf)

    cells = grid(layout) if table else None
    return {
        "layout": str(layout),
        "shape": show(layout.shape),
        "stride": show(layout.stride),
        "size": number(layout.size()),
        "cosize": number(layout.cosize()),
        "rank": layout.rank(),
        "depth": layout.depth(),
        "dims": sorted(layout.dims()),
        "table": None if cells is None else [list(row) for row in cells.rows],
    }
