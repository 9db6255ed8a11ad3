"""`symcute explore`: a page on which a layout is changed and looked at."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import click

from symcute.cli import options
from symcute.cli.completion import language_names
from symcute.cli.failures import EXPECTED
from symcute.cli.show import layout_of, values_of
from symcute.errors import InputError

__all__ = ["explore_command"]


@click.command("explore", short_help="Write a page on which you change a layout.")
@click.argument("layout", shell_complete=language_names)
@options.given
@click.option("--at", multiple=True, metavar="DIM=N", help="The value of a dim; may be repeated.")
@click.option("--tile", default="", metavar="TILER", help='Tiles to show, as "(2,4)".')
@click.option(
    "--threads", default="", metavar="TV",
    help="A (thread, value) layout into the shape of LAYOUT.",
)  # fmt: skip
@click.option(
    "--element-bits", default="32", show_default=True, metavar="N",
    type=click.Choice(["4", "8", "16", "32", "64", "128"]),
    help="The bits of an element, for banks: 4, 8, 16, 32, 64 or 128.",
)  # fmt: skip
@click.option(
    "--view", default="offsets", show_default=True, metavar="VIEW",
    type=click.Choice(["offsets", "banks", "chunks", "tiles", "threads"]),
    help="What the cells show: offsets, banks, 16-byte chunks, tiles or threads.",
)  # fmt: skip
@click.option(
    "--out", "-o", default="explore.html", show_default=True, metavar="FILE",
    type=options.out_file(".html"), help="The page to write.",
)  # fmt: skip
@click.option("--open", "open_it", is_flag=True, help="Open the page in a browser.")
@click.option(
    "--serve", is_flag=True,
    help="Serve a page on which the layout is changed and claims are decided, until Ctrl-C.",
)  # fmt: skip
@options.json_flag
def explore_command(
    layout: str,
    given: tuple[str, ...],
    at: tuple[str, ...],
    tile: str,
    threads: str,
    element_bits: str,
    view: str,
    out: Path,
    open_it: bool,
    serve: bool,
    as_json: bool,
) -> int:
    """Write one HTML page that shows LAYOUT from all sides.

    It shows the table of offsets, the bank of each cell, 16-byte chunks, the tiles, who holds what
    of a tile, what reads cost, and what the operations of the algebra make of the layout. All is
    computed when the page is written: it needs no network and no symcute. With --serve nothing is
    written: a page on this machine asks this process, so that every field can be changed.

    LAYOUT is shape:stride, a shape alone (column-major), or any expression that gives a layout;
    - reads it from standard input. Its dims get fields on the page.

    \b
    symcute explore "((2,2),(2,4)):((1,4),(2,8))" --open
    symcute explore "Sw<3,3,3> o 0 o (8,64):(64,1)" --view banks --element-bits 16
    symcute explore "(M,N):(LD,1)" --at M=4 --at N=8 --at LD=9 --out padded.html
    symcute explore "(16,8)" --threads "((4,8),(2,2)):((32,1),(16,8))" --view threads
    symcute explore "(16,16)" --threads 'atom_layout("SM80_16x8x16_F32F16F16F32_TN", "A")'

    Exit codes: 0 written, 1 a side condition was not decided, 2 bad input, 3 internal error.
    """
    from symcute.expr.assumptions import assuming
    from symcute.report.explorer.page import explorer_page, page_state

    with assuming(list(given)):
        if str(out) == "-" and (open_it or as_json):
            flag = "--open" if open_it else "--json"
            raise InputError(f"{flag} with the page on standard output", "name a file with --out")
        value = layout_of(options.one_text(layout, None, "LAYOUT") or "")
        state = page_state(
            value,
            tile=_tiler(tile) if tile else "",
            threads=str(layout_of(threads)) if threads else "",
            element_bits=int(element_bits),
            view=view,
            dims=values_of(at),
        )
        if serve:
            _serve(state, open_it, as_json)
            return EXPECTED
        page = explorer_page(state)
        options.write_text(out, page)
        if as_json:
            options.print_json("explore", {"file": str(out), "layout": str(value)})
        if open_it:
            _open(out.resolve().as_uri(), str(out))
    return EXPECTED


def _serve(state: Mapping[str, Any], open_it: bool, as_json: bool) -> None:
    """Serve the page until Ctrl-C."""
    from symcute.cli.serving import Server

    if as_json:
        raise InputError("--json with --serve", "leave one of them out")
    with Server(state) as server:
        click.echo(server.address)
        options.notice("Ctrl-C ends it")
        if open_it:
            _open(server.address, server.address)
        with suppress(KeyboardInterrupt):
            server.serve_forever()


def _tiler(text: str) -> str:
    """Return the text of a tiler as the page reads it: of an expression, its layout."""
    from symcute.claims.language import evaluate
    from symcute.layout.layout import Layout

    value = evaluate(text)
    return str(value) if isinstance(value, Layout) else text


def _open(address: str, name: str) -> None:
    import webbrowser

    if not webbrowser.open(address):
        options.notice(f"no browser was found; open {name} yourself")
