"""The layout explorer: a page on which a layout is looked at, and where Python answers changed.

Its scripts only draw. What they draw is computed by `answers`: beforehand, for the page that
`symcute explore` writes, which needs nothing beside it; or when it is asked, in a live page.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

from symcute import __version__
from symcute.errors import InputError
from symcute.expr.assumptions import ambient
from symcute.layout.layout import Layout
from symcute.layout.swizzle import ComposedLayout
from symcute.report.explorer.answers import WIDTHS, answer, values_for
from symcute.report.explorer.views import VIEWS
from symcute.report.templates import resource, template

__all__ = ["EXAMPLES", "explorer_page", "live_page", "page_state"]

Map: TypeAlias = Layout | ComposedLayout

#: The scripts of every page, from the ground up.
_SCRIPTS = ("fields.js", "view.js", "claims.js", "page.js")
#: How the buttons call the forms that a layout is copied in.
_FORMS = {
    "cute": "CuTe", "cpp": "C++", "dsl": "CuTe DSL", "torch": "PyTorch", "triton": "Triton",
    "c": "C", "python": "Python",
}  # fmt: skip
#: What a live page opens with, and offers: each a name and texts for the fields.
EXAMPLES: tuple[dict[str, Any], ...] = (
    {
        "name": "rows with a leading dimension",
        "layout": "(M,N):(LD,1)",
        "dims": {"M": "4", "N": "8", "LD": "9"},
        "claim": "injective((M,N):(LD,1))",
    },
    {
        "name": "a swizzled tile without bank conflicts",
        "layout": "Sw<3,3,3> o 0 o (8,64):(64,1)",
        "bits": "16",
        "view": "banks",
        "claim": "bank_conflict(access(Sw<3,3,3> o 0 o (8,8):(64,8), 16, 128), 1)",
    },
    {
        "name": "a matrix cut into tiles",
        "layout": "logical_divide((M,N), (128,64))",
        "given": "M % 128 == 0; N % 64 == 0",
        "claim": "size(logical_divide((M,N), (128,64))) == M*N",
    },
    {
        "name": "what CuTe prints, pasted",
        "layout": "Sw<3,4,3> o smem_ptr[16b](unset) o (_8,_64):(_64,_1)",
        "bits": "16",
        "view": "chunks",
        "claim": "bijective(Sw<3,4,3> o smem_ptr[16b](unset) o (_8,_64):(_64,_1))",
    },
    {
        "name": "who holds what of an accumulator",
        "layout": "(16,8):(8,1)",
        "threads": 'atom_layout("SM80_16x8x16_F32F16F16F32_TN", "C")',
        "view": "threads",
        "claim": 'partition_exact(atom_layout("SM80_16x8x16_F32F16F16F32_TN", "C"), (16,8))',
    },
    {"name": "an MMA instruction", "layout": "SM80_16x8x16_F32F16F16F32_TN"},
)


def explorer_page(state: Mapping[str, Any]) -> str:
    """Return the page of a layout, with all that it shows written into it.

    >>> page = explorer_page(page_state(Layout((4, 8), (8, 1))))
    >>> page.startswith("<!DOCTYPE html>"), "http://" in page
    (True, False)
    """
    return _page({"state": state, "answer": answer({"ask": "draw", "views": VIEWS, **state})})


def live_page(
    script: str,
    state: Mapping[str, Any] | None = None,
    *,
    policy: str,
    home: str = "",
    python: Mapping[str, Any] | None = None,
) -> str:
    """Return a page whose questions are answered by what a script asks, as the policy allows it.

    It opens with a state, or with the first of the examples. `home` is where its name leads, and
    `python` what the script needs to know of its files.
    """
    first: dict[str, Any] = {
        **dict.fromkeys(("layout", "given", "tile", "threads", "with", "claim"), "")
    }
    first |= {"bits": "32", "view": "offsets", "dims": {}, **(state or EXAMPLES[0])}
    setup = {"state": first, "answer": None, "python": python}
    return _page(setup, script=script, policy=policy, home=home)


def _page(setup: Mapping[str, Any], script: str = "", home: str = "", **more: str) -> str:
    live = bool(script)
    choices: dict[str, Any] = {
        "views": VIEWS,
        "bits": [str(bits) for bits in WIDTHS],
        "forms": _FORMS,
        "examples": EXAMPLES if live else (),
    }
    scripts = [resource(f"explorer/{name}") for name in _SCRIPTS]
    return template("explorer/explorer.html").render(
        setup={**setup, "choices": choices},
        examples=choices["examples"],
        home=home,
        live=live,
        version=__version__,
        style=resource("colours.css") + resource("explorer/explorer.css"),
        script='"use strict";\n' + "\n".join([*scripts, *([script] if live else [])]),
        **more,
    )


def page_state(
    layout: Map,
    *,
    tile: str = "",
    threads: str = "",
    element_bits: int = 32,
    view: str = "offsets",
    dims: Mapping[str, int] | None = None,
) -> dict[str, Any]:
    """Return what stands in the fields of the page of a layout.

    `tile` and `threads` are texts: a tiler, and a thread-value layout into the shape of the layout.
    Dims without a value get one at which the layout has one, and what is assumed holds.
    Errors: InputError for a layout that gives coordinates or has no modes, unknown `element_bits`
    or `view`, and dims that the layout does not have, or for whose values it is none.

    >>> page_state(Layout.parse("(M,8)"), dims={"M": 3})["dims"]
    {'M': '3'}
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
    for name in dims or {}:
        if name not in layout.dims():
            raise InputError(f"{layout} has no dim {name}", "leave it out")
    values = values_for(layout, ambient(), dims or {})
    return {
        "layout": str(layout),
        "given": "; ".join(ambient().texts()),
        "tile": tile,
        "threads": threads,
        "with": "",
        "claim": "",
        "bits": str(element_bits),
        "view": view,
        "dims": {name: str(value) for name, value in values.items()},
    }
