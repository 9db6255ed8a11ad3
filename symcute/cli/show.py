"""`symcute show`: one layout, its measures and its table."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import click

from symcute.cli import options
from symcute.cli.completion import language_names
from symcute.cli.failures import EXPECTED
from symcute.errors import InputError

if TYPE_CHECKING:
    from symcute.layout.layout import Layout
    from symcute.layout.swizzle import ComposedLayout

    Map: TypeAlias = Layout | ComposedLayout

__all__ = ["layout_of", "show_command", "values_of"]


@click.command("show", short_help="Print a layout, its size and its table, or draw it.")
@click.argument("layout", shell_complete=language_names)
@options.given
@click.option("--table/--no-table", default=True, help="Draw the table of offsets (default: yes).")
@click.option("--at", multiple=True, metavar="DIM=N", help="The value of a dim; may be repeated.")
@click.option("--banks", is_flag=True, help="Show the bank of shared memory of each offset.")
@click.option(
    "--element-bytes", type=click.IntRange(min=1, max=1024), metavar="N",
    help="The bytes of an element, for --banks (default: 4).",
)  # fmt: skip
@options.svg
@click.option("--tv", metavar="(M,N)", help="Draw the (thread, value) LAYOUT over its tile.")
@options.as_form
@options.json_flag
def show_command(
    layout: str,
    given: tuple[str, ...],
    table: bool,
    at: tuple[str, ...],
    banks: bool,
    element_bytes: int | None,
    svg: Path | None,
    tv: str | None,
    form: str | None,
    as_json: bool,
) -> int:
    """Print LAYOUT as CuTe prints it, its size, cosize, rank and depth, and its table.

    LAYOUT is shape:stride, a shape alone (column-major), any expression whose value is a layout, or
    what CuTe C++, CuTe DSL, pycute, PyTorch or Triton prints. A dash (-) reads it from standard
    input. A layout of rank 2 without dims has a table: the offset at every (row, column). --svg
    draws a swizzled layout before and after the swizzle.

    \b
    symcute show "((2,2),(2,4)):((1,4),(2,8))"
    symcute show "(M,N):(LD,1)" --at M=4 --at N=8 --at LD=9
    symcute show "Sw<3,4,3> o smem_ptr[16b](unset) o (_8,_64):(_64,_1)" --as dsl
    symcute show "cute.make_layout((8, 64), stride=(64, 1))" --as cpp
    symcute show "(8,32):(33,1)" --banks
    symcute show "Sw<3,3,3> o 0 o (8,64):(64,1)" --svg swizzle.svg --banks --element-bytes 2
    symcute show "((4,8),(2,2)):((32,1),(16,8))" --tv "(16,8)" --svg mma.svg

    Exit codes: 0 done, 1 a side condition was not decided, 2 bad input, 3 internal error.
    """
    from symcute.expr.assumptions import assuming

    with assuming(list(given)):
        text = options.one_text(layout, None, "LAYOUT") or ""
        value = layout_of(text)
        options.remark(text)
        if at:
            from symcute.claims.language import defined_at

            dims = _values(at, value)
            defined_at(text, dims)
            value = value.at(dims)
        if element_bytes is not None and not banks:
            raise InputError("--element-bytes without --banks", "add --banks")
        if form is not None:
            _write_as(value, form, as_json or svg is not None)
            return EXPECTED
        if tv is not None and svg is None:
            raise InputError("--tv without --svg FILE", "name the file to draw it in")
        if svg is not None:
            _draw(value, svg, tv, banks, element_bytes or 4)
        if as_json:
            options.print_json("show", _as_json(value, table))
        else:
            click.echo(_measures(value))
            if table and tv is None:
                _print_table(value, banks, element_bytes or 4)
    return EXPECTED


def _write_as(value: Map, form: str, also: bool) -> None:
    from symcute.codegen.forms import to_text

    if also:
        raise InputError("--as beside --json or --svg", "ask for one of them")
    click.echo(to_text(value, form))


def values_of(at: tuple[str, ...]) -> dict[str, int]:
    """Return the values of dims from texts such as M=8. Errors: InputError for other texts."""
    found: dict[str, int] = {}
    for text in at:
        name, _, value = text.partition("=")
        try:
            found[name.strip()] = int(value)
        except ValueError:
            raise InputError(
                f"--at {text} gives no dim an integer", "write it as --at M=8"
            ) from None
    return found


def _values(at: tuple[str, ...], layout: Map) -> dict[str, int]:
    """Return the values of all dims of a layout from texts such as M=8."""
    found = values_of(at)
    if missing := sorted(layout.dims() - found.keys()):
        raise InputError(f"--at gives {missing[0]} no value", f"add --at {missing[0]}=8")
    if unknown := sorted(found.keys() - layout.dims()):
        raise InputError(f"{layout} has no dim {unknown[0]}", "leave it out")
    return found


def _draw(layout: Map, path: Path, tv: str | None, banks: bool, element_bytes: int) -> None:
    from symcute.claims.language import evaluate
    from symcute.report.pictures import to_svg

    tile = None if tv is None else evaluate(tv)
    drawn = to_svg(layout, tile=tile, banks=banks, element_bytes=element_bytes)
    options.write_text(path, drawn)


def layout_of(text: str) -> Map:
    """Return the layout that a text gives; a shape alone is column-major.

    Errors: InputError for what is no layout; as `evaluate`.
    """
    from symcute.claims.language import evaluate, show_value
    from symcute.layout.layout import Layout
    from symcute.layout.swizzle import ComposedLayout

    value = evaluate(text)
    if isinstance(value, (Layout, ComposedLayout)):
        return value
    if isinstance(value, (int, tuple)):
        return Layout(value)
    said = show_value(value)
    atom = said.startswith("SM") and said.isidentifier()
    fix = (
        f"symcute atoms {said} shows an atom" if atom else "use symcute eval for other expressions"
    )
    raise InputError(f"{said} is not a layout", fix)


def _measures(layout: Map) -> str:
    from symcute.expr.htuple import show

    return (
        f"{layout}\nsize {show(layout.size())}, cosize {show(layout.cosize())}, "
        f"rank {layout.rank()}, depth {layout.depth()}"
    )


def _print_table(layout: Map, banks: bool, element_bytes: int) -> None:
    """Print the table, or why there is none; banks have their colours where a terminal has."""
    from symcute.report.table import LIMIT, grid, picture

    cells = grid(layout)
    if not layout.is_static():
        names = sorted(layout.dims())
        sizes = " ".join(f"--at {name}=4" for name in names)
        click.echo(f"symbolic in {', '.join(names)}: no table; {sizes} gives one")
    elif layout.rank() > 2:
        click.echo(f"rank {layout.rank()}: no table (tables have rows and columns)")
    elif cells is None:
        click.echo(f"no table: {layout.size()} offsets are more than {LIMIT}")
    elif banks:
        from symcute.report.terminal import bank_table, write

        click.echo()
        write(bank_table(cells, element_bytes))
    else:
        click.echo(f"\n{picture(cells)}")


def _as_json(layout: Map, table: bool) -> dict[str, Any]:
    from symcute.expr.htuple import show
    from symcute.layout.swizzle import ComposedLayout
    from symcute.report.table import grid

    def number(leaf: Any) -> int | str:
        return leaf if isinstance(leaf, int) else show(leaf)

    swizzled = layout if isinstance(layout, ComposedLayout) else None
    inner = layout.layout if isinstance(layout, ComposedLayout) else layout
    cells = grid(layout) if table else None
    return {
        "layout": str(layout),
        "shape": show(layout.shape),
        "stride": show(inner.stride),
        "swizzle": str(swizzled.swizzle) if swizzled else None,
        "offset": number(swizzled.offset) if swizzled else 0,
        "size": number(layout.size()),
        "cosize": number(layout.cosize()),
        "rank": layout.rank(),
        "depth": layout.depth(),
        "dims": sorted(layout.dims()),
        "table": None if cells is None else [list(row) for row in cells.rows],
    }
