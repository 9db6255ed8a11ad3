"""What the explorer tells of a layout of numbers: its measures, and what a warp's reads cost."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeAlias

from symcute.claims import Bijective, Claim, Injective
from symcute.errors import SymcuteError
from symcute.hardware import architecture, bank_conflicts, shared_wavefronts
from symcute.layout.layout import Layout
from symcute.layout.swizzle import ComposedLayout
from symcute.prover import prove
from symcute.report.explorer.views import MAX_LISTED, Grid, Holding

__all__ = ["costs", "facts"]

#: A request of a warp: what names it, and the offsets of its lanes.
Request: TypeAlias = tuple[str, list[int]]

_WARP = architecture("sm90").warp


def facts(layout: Layout | ComposedLayout) -> list[tuple[str, str]]:
    """Return the measures of a layout and what is proved of it, in pairs (what, answer)."""
    found = [("size", str(layout.size()))]
    if isinstance(layout, Layout):
        found.append(("cosize", str(layout.cosize())))
    inside = layout.layout if isinstance(layout, ComposedLayout) else layout
    found += [("rank", str(layout.rank())), ("depth", str(inside.depth()))]
    if isinstance(layout, Layout):
        reach = [(int(s) - 1) * int(d) for s, d in layout.modes()]
        lowest, highest = (sum(x for x in reach if x * sign > 0) for sign in (-1, 1))
        found.append(("offsets", f"{lowest} to {highest}"))
    elif int(layout.size()) <= MAX_LISTED:
        offsets = [int(layout(i)) for i in range(int(layout.size()))]
        found.append(("offsets", f"{min(offsets)} to {max(offsets)}"))
    return [
        *found,
        ("injective", _decided(Injective(layout))),
        ("bijective", _decided(Bijective(layout))),
    ]


def _decided(claim: Claim) -> str:
    """Return what is proved of a claim, in a few words."""
    verdict = prove(claim)
    if verdict.status == "proved":
        return "yes"
    return f"no: {verdict.counterexample}" if verdict.status == "refuted" else verdict.reason


def costs(grid: Grid, bits: int, holding: Holding | None) -> list[tuple[str, str]]:
    """Return what it costs a warp to read a layout from shared memory, in pairs (how, answer)."""
    if grid.rows * grid.columns > MAX_LISTED:
        return []
    found = []
    for down, count in ((True, grid.rows), (False, grid.columns)):
        how = f"{min(count, _WARP)} lanes {'down a column' if down else 'along a row'}"
        found.append((how, _cost(_reads(grid, down), bits)))
    if holding is not None:
        threads = min(int(holding.layout[0].size()), _WARP)
        how = f"{threads} lanes, a value each"
        found.append((how, _cost(_of_values(grid, holding.layout), bits)))
    return found


def _reads(grid: Grid, down: bool) -> Iterator[Request]:
    """Yield the requests of warps that read down the columns of a layout, or along its rows."""
    lanes, others = (grid.rows, grid.columns) if down else (grid.columns, grid.rows)
    for k in range(others):
        for first in range(0, lanes, _WARP):
            places = range(first, min(first + _WARP, lanes))
            offsets = [
                int(grid.layout(grid.index(x, k) if down else grid.index(k, x))) for x in places
            ]
            name = f"{'column' if down else 'row'} {k}"
            yield name + (f", from {first}" if lanes > _WARP else ""), offsets


def _of_values(grid: Grid, held: Layout | ComposedLayout) -> Iterator[Request]:
    """Yield the requests of warps whose threads each read one value of what they hold."""
    threads, values = (int(mode.size()) for mode in held)
    for v in range(values):
        for first in range(0, threads, _WARP):
            lanes = range(first, min(first + _WARP, threads))
            offsets = [int(grid.layout(int(held(t, v)))) for t in lanes]
            yield f"value {v} of threads {lanes[0]} to {lanes[-1]}", offsets


def _cost(requests: Iterable[Request], bits: int) -> str:
    """Return the wavefronts of the costliest request, and what there is no way around."""
    if bits < 8:
        return f"not told: {bits}-bit elements are not read one by one"
    width, worst = bits // 8, (0, 0, "")
    try:
        for name, offsets in requests:
            addresses = [x * width for x in offsets]
            waves, more = shared_wavefronts(addresses, width), bank_conflicts(addresses, width)
            if not worst[2] or more > worst[1]:
                worst = (waves, more, name)
    except SymcuteError as error:
        return f"not told: {error.what}"
    waves, more, name = worst
    if not more:
        return f"{waves} wavefront{'' if waves == 1 else 's'}, no bank conflict"
    return f"{waves} wavefronts instead of {waves - more}, worst in {name}"
