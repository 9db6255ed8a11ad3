"""The layout explorer: one HTML page that needs nothing beside it, and computes by itself.

Its algebra is JavaScript on whole numbers, equal to the library's: tests compare the two letter by
letter, refusals included.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from symcute import __version__
from symcute.errors import InputError
from symcute.expr.assumptions import ambient
from symcute.hardware import architecture
from symcute.layout.layout import Layout
from symcute.layout.swizzle import ComposedLayout
from symcute.report.pictures import LARGEST, LIGHT, PAIRS, STEPS, WIDEST
from symcute.report.svg import text_colour
from symcute.report.templates import resource, template

__all__ = ["VIEWS", "WIDTHS", "explorer_page"]

Map: TypeAlias = Layout | ComposedLayout

#: What the cells show, and the bits of an element.
VIEWS = ("offsets", "banks", "tiles", "threads")
WIDTHS = (4, 8, 16, 32, 64, 128)

#: The script, from the ground up.
_SCRIPTS = (
    "layouts.js", "algebra.js", "swizzles.js", "text.js", "tables.js", "fields.js", "view.js",
)  # fmt: skip
#: Values that are tried for dims that have none; some have many divisors.
_SOME = (8, *(1 << k for k in range(4, 17)), 1, 720, 5040, 720720)


def explorer_page(
    layout: Map,
    *,
    tile: str = "",
    threads: str = "",
    element_bits: int = 32,
    view: str = "offsets",
    dims: Mapping[str, int] | None = None,
) -> str:
    """Return the page that opens with a layout; an empty field shows an example that fits.

    `tile` and `threads` are texts: a tiler, and a thread-value layout into the shape of the layout.
    Dims without a value get one at which the layout has one; the page has a field for each.
    Errors: InputError for a layout that gives coordinates or has no modes, unknown `element_bits`
    or `view`, and dims that the layout does not have, or for whose values it is none.

    >>> page = explorer_page(Layout((4, 8), (8, 1)))
    >>> page.startswith("<!DOCTYPE html>"), "http://" in page
    (True, False)
    """
    if view not in VIEWS:
        raise InputError(f"there is no view {view}", f"choose {', '.join(VIEWS)}")
    if element_bits not in WIDTHS:
        raise InputError(
            f"elements of {element_bits} bits", f"choose {', '.join(map(str, WIDTHS))}"
        )
    inside = layout.layout if isinstance(layout, ComposedLayout) else layout
    if inside.coordinate_strides or inside.shape == ():
        what = "coordinates" if inside.coordinate_strides else "no modes"
        raise InputError(f"{layout} has {what}: no offsets to show", "give strides of numbers")
    values = _values(layout, dims or {})
    setup = {
        "layout": str(layout),
        "tile": tile,
        "threads": threads,
        "with": "",
        "bits": str(element_bits),
        "view": view,
        "dims": {name: str(value) for name, value in values.items()},
        **_constants(),
    }
    style = resource("colours.css") + resource("explorer/explorer.css")
    script = '"use strict";\n' + "\n".join(resource(f"explorer/{name}") for name in _SCRIPTS)
    return template("explorer/explorer.html").render(
        setup=setup, widths=WIDTHS, views=VIEWS, version=__version__, style=style, script=script
    )


def _constants() -> dict[str, object]:
    """Return what the page takes from the library: hardware, colours, limits."""
    a = architecture("sm90")
    return {
        "hardware": {
            "banks": a.banks,
            "bankBytes": a.bank_bytes,
            "warp": a.warp,
            "widest": a.largest_shared_access,
        },
        "light": [(fill, text_colour(fill)) for fill in LIGHT],
        "steps": [(fill, text_colour(fill)) for fill in STEPS],
        "limits": {"cells": LARGEST, "columns": WIDEST, "pairs": PAIRS},
    }


def _values(layout: Map, given: Mapping[str, int]) -> dict[str, int]:
    """Return a value for each dim of a layout: where what is assumed holds, if such are found.

    Errors: InputError where it is no layout, or all are given and do not meet what is assumed.
    """
    names = sorted(layout.dims())
    assumed = [f for f in ambient().formulas if f.dims() <= set(names)]
    for name in given:
        if name not in names:
            raise InputError(f"{layout} has no dim {name}", "leave it out")
    missing = [name for name in names if name not in given]
    found: dict[str, int] = {}
    for some in _SOME if missing else (1,):
        values = {name: given.get(name, some) for name in names}
        try:
            layout.at(values)
        except InputError:
            if not missing:
                raise
            continue
        wrong = [f for f in assumed if not f.holds(values)]
        if not wrong:
            return values
        if not missing:
            raise InputError(f"the values of the dims do not meet {wrong[0]}", "give others")
        found = found or values
    if found:
        return found
    raise InputError(
        f"no values were found for the dims of {layout}", f"give one with --at {missing[0]}=8"
    )
