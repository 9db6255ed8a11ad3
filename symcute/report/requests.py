"""One request of a warp as SVG: what each lane accesses, and where; and what records draw."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from symcute.claims.language import evaluate
from symcute.errors import InputError
from symcute.hardware import architecture, memory
from symcute.hardware.access import Access
from symcute.report.pictures import LIGHT, bank_colour, bank_of, panels_of
from symcute.report.svg import Cell, Panel, draw

__all__ = ["drawn_panels", "request_panel", "request_to_svg"]

#: How many lanes stand in a row where a request is served whole.
_SECTOR_ROW = 8


def request_to_svg(
    access: Access,
    request: tuple[int, ...] | None = None,
    *,
    sectors: bool = False,
) -> str:
    """Return a picture of a request: the byte address of each lane, and the bank it begins in.

    A row is what shared memory serves at once, for a load; lanes that need different words of its
    busiest bank have a frame, or those whose access is not aligned, if there are any. With
    `sectors`, the sector of global memory instead of the bank. `request` is a flat coordinate of
    the access's requests, the first when it is not given.
    Errors: InputError for dims without values, a request that is not there, and an access that is
    wider than the memory takes.

    >>> from symcute.layout.layout import Layout
    >>> request_to_svg(Access(Layout((32, 4), (4, 1)), 32)).count('class="cell"')
    32
    """
    return draw([request_panel(access, request, sectors)], str(access))


def request_panel(
    access: Access, request: tuple[int, ...] | None = None, sectors: bool = False
) -> Panel:
    """Return the table of the picture that `request_to_svg` draws.

    Errors: InputError as there.
    """
    if names := sorted(access.dims()):
        raise InputError(
            f"{access} is symbolic in {', '.join(names)}: there is no picture",
            f"give values for its dims, as access.at({{{names[0]!r}: 8}})",
        )
    chosen = (0,) * len(access.requests) if request is None else tuple(request)
    found = access.addresses(chosen)
    shown = f"request ({','.join(map(str, chosen))}) of {access}" if chosen else str(access)
    drawn = _sectors(found) if sectors else _phases(access.on("sm90", shared=True), found)
    return replace(drawn, caption=shown)


def drawn_panels(picture: Mapping[str, Any]) -> list[Panel]:
    """Return the tables of a picture in a record, see `drawn`.

    Errors: InputError as for `request_panel` and `panels_of`.
    """
    if "access" in picture:
        access, request = evaluate(picture["access"]), tuple(picture["request"])
        return [request_panel(access, request, picture["sectors"])]
    tile = picture.get("tile")
    return panels_of(
        evaluate(picture["layout"]),
        tile=None if tile is None else tuple(tile),
        mark=[(i, j) for i, j in picture["marked"]],
        grouped=True,
    )


def _phases(access: Access, found: list[int]) -> Panel:
    """Return what is told of a request to shared memory, and its cells."""
    width, together = access.width // 8, "a row is served at once"
    phases = [[n for n in phase if n < len(found)] for phase in memory.phases(width)]
    lanes = [phase for phase in phases if phase]
    row_bytes = architecture("sm90").row_bytes
    askew = any(x % width for x in found)
    if askew:
        together = f"framed: not aligned to {width} bytes"
    else:
        start = min(found) // row_bytes * row_bytes  # the model takes addresses from 0 on
        served = memory.groups([x - start for x in found], width)
        if len(served) < len(lanes):
            lanes = [[lane for lane, _ in group] for group in served]
            together += " by a load, as its lanes go in pairs"
    marked = set()
    for i, row in enumerate(lanes):
        ways, busiest = memory.ways([found[n] for n in row], width)
        for j, x in enumerate(found[n] for n in row):
            if x % width if askew else ways > 1 and busiest in _banks(x, width):
                marked.add((i, j))

    def cell(lane: int) -> Cell:
        address = found[lane]
        banks = _banks(address, width)
        one = len(banks) == 1
        name = f"b{banks[0]}" if one else f"b{banks[0]}-{banks[-1]}"
        said = f"bank {banks[0]}" if one else f"banks {banks[0]} to {banks[-1]}"
        about = f"lane {lane}: byte {address}, {said}"
        return Cell((str(address), name), bank_colour(banks[0]), about)

    cells = tuple(tuple(map(cell, row)) for row in lanes)
    note = f"byte address over bank, lane after lane; {together}"
    facts = {"kind": "lane", "lanes": lanes}
    return Panel("", note, cells, (1, len(cells[0])), frozenset(marked), facts)


def _banks(address: int, width: int) -> list[int]:
    """Return the banks that an access of a lane needs."""
    unit = architecture("sm90").bank_bytes
    first, last = address // unit, (address + width - 1) // unit
    return [bank_of(word, unit) for word in range(first, last + 1)]


def _sectors(found: list[int]) -> Panel:
    """Return what is told of a request to global memory, and its cells."""
    unit = architecture("sm90").sector_bytes

    def cell(lane: int) -> Cell:
        sector = found[lane] // unit
        about = f"lane {lane}: byte {found[lane]}, sector {sector}"
        return Cell((str(found[lane]), f"s{sector}"), LIGHT[sector % len(LIGHT)], about)

    lanes = [
        list(range(k, min(k + _SECTOR_ROW, len(found)))) for k in range(0, len(found), _SECTOR_ROW)
    ]
    rows = tuple(tuple(map(cell, row)) for row in lanes)
    count = len({x // unit for x in found})
    note = f"byte address over sector, lane after lane; {count} sectors"
    facts = {"kind": "lane", "lanes": lanes}
    return Panel("", note, rows, (len(rows), len(rows[0])), frozenset(), facts)
