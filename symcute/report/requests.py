"""One request of a warp as SVG: what each lane accesses, and where that lies."""

from __future__ import annotations

from symcute.errors import InputError
from symcute.hardware import architecture, memory
from symcute.hardware.access import Access
from symcute.report.pictures import LIGHT, bank_colour, bank_of
from symcute.report.svg import Cell, Panel, Place, draw

__all__ = ["request_to_svg"]

#: How many lanes stand in a row where a request is served whole.
_SECTOR_ROW = 8


def request_to_svg(
    access: Access,
    request: tuple[int, ...] | None = None,
    *,
    sectors: bool = False,
    inline: bool = False,
) -> str:
    """Return a picture of a request: the byte address of each lane, and the bank it begins in.

    A row is what shared memory serves at once, for a load; lanes that need different words of its
    busiest bank have a frame, or those whose access is not aligned, if there are any. With
    `sectors`, the sector of global memory instead of the bank. `request` is a flat coordinate of
    the access's requests, the first when it is not given.
    Errors: InputError for dims without values, a request that is not there, and an access that is
    wider than the memory takes.

    >>> from symcute.layout import Layout
    >>> request_to_svg(Access(Layout((32, 4), (4, 1)), 32)).count('class="cell"')
    32
    """
    if names := sorted(access.dims()):
        raise InputError(
            f"{access} is symbolic in {', '.join(names)}: there is no picture",
            f"give values for its dims, as access.at({{{names[0]!r}: 8}})",
        )
    chosen = (0,) * len(access.requests) if request is None else tuple(request)
    found = access.addresses(chosen)
    panel = _sectors(found) if sectors else _phases(access.on("sm90", shared=True), found)
    shown = f"request ({','.join(map(str, chosen))}) of {access}" if chosen else str(access)
    return draw([Panel(shown, *panel)], str(access), inline)


def _phases(
    access: Access, found: list[int]
) -> tuple[str, tuple[tuple[Cell, ...], ...], tuple[int, int], frozenset[Place]]:
    """Return what is told of a request to shared memory, and its cells."""
    width, together = access.width // 8, "a row is served at once"
    lanes = [[n for n in phase if n < len(found)] for phase in memory.phases(width)]
    rows = [[found[n] for n in phase] for phase in lanes if phase]
    row_bytes = architecture("sm90").row_bytes
    askew = any(x % width for x in found)
    if askew:
        together = f"framed: not aligned to {width} bytes"
    else:
        start = min(found) // row_bytes * row_bytes  # the model takes addresses from 0 on
        served = memory.groups([x - start for x in found], width)
        if len(served) < len(rows):
            rows = [[x + start for _, x in group] for group in served]
            together += " by a load, as its lanes go in pairs"
    marked = set()
    for i, row in enumerate(rows):
        ways, busiest = memory.ways(row, width)
        for j, x in enumerate(row):
            if x % width if askew else ways > 1 and busiest in _banks(x, width):
                marked.add((i, j))

    def cell(x: int) -> Cell:
        banks = _banks(x, width)
        name = f"b{banks[0]}" if len(banks) == 1 else f"b{banks[0]}-{banks[-1]}"
        return Cell((str(x), name), bank_colour(banks[0]))

    cells = tuple(tuple(map(cell, row)) for row in rows)
    note = f"byte address over bank, lane after lane; {together}"
    return note, cells, (1, len(cells[0])), frozenset(marked)


def _banks(address: int, width: int) -> list[int]:
    """Return the banks that an access of a lane needs."""
    unit = architecture("sm90").bank_bytes
    first, last = address // unit, (address + width - 1) // unit
    return [bank_of(word, unit) for word in range(first, last + 1)]


def _sectors(
    found: list[int],
) -> tuple[str, tuple[tuple[Cell, ...], ...], tuple[int, int], frozenset[Place]]:
    """Return what is told of a request to global memory, and its cells."""
    unit = architecture("sm90").sector_bytes
    cells = [Cell((str(x), f"s{x // unit}"), LIGHT[x // unit % len(LIGHT)]) for x in found]
    rows = tuple(tuple(cells[k : k + _SECTOR_ROW]) for k in range(0, len(cells), _SECTOR_ROW))
    count = len({x // unit for x in found})
    note = f"byte address over sector, lane after lane; {count} sectors"
    return note, rows, (len(rows), len(rows[0])), frozenset()
