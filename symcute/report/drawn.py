"""Which layouts of a claim are drawn, and what in them goes against it.

Of a refuted claim the layouts are those of its counterexample.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import fields
from itertools import islice
from typing import Any, TypeAlias

from symcute.claims import Agree, Claim, Disjoint, PartitionExact
from symcute.claims.base import inside, static
from symcute.claims.requests import BankConflict, Requests
from symcute.expr.htuple import leaves, product
from symcute.hardware.access import NARROWEST
from symcute.layout.layout import Layout
from symcute.layout.swizzle import ComposedLayout

__all__ = ["pictures_of"]

#: The most cells of a layout that is drawn, and the most in a row; of a tile.
_CELLS, _WIDEST = 256, 64
#: The most requests, indices and offsets that are looked through for what goes against a claim.
_REQUESTS = _LOOKED_AT = 4096

#: A layout with numbers only, as claims speak of it.
_Map: TypeAlias = Layout | ComposedLayout
#: The indices, counted as the layout counts them, at which something is wrong.
_Wrong: TypeAlias = set[int]


def pictures_of(claim: Claim, dims: dict[str, int] | None) -> list[dict[str, Any]]:
    """Return what is drawn of a claim, as plain data; `dims` are those of a counterexample.

    A picture is of a layout, with the places (row, column) that go against the claim: rows are its
    first mode, columns the others. A thread-value layout has the tile that it is into, and its
    places are those of the tile. Of an access it is one request.
    """
    here = claim if dims is None else claim.at(dims)
    found: list[dict[str, Any]] = []
    for part in here.parts():
        if isinstance(part, Requests) and not part.access.dims():
            found += _request(part, dims is not None)
    if isinstance(here, PartitionExact) and not here.dims():
        found += _tile(here)
    if found:
        return found
    for value in dict.fromkeys(getattr(here, f.name) for f in fields(here)):
        if not isinstance(value, (Layout, ComposedLayout)) or not _small(value, dims is not None):
            continue
        wrong = sorted(_wrong(here, value)) if dims is not None else []
        rows = _rows(value)
        found.append({"layout": str(value), "marked": sorted([i % rows, i // rows] for i in wrong)})
    return found


def _rows(layout: _Map) -> int:
    first, *others = (static(mode.size()) for mode in layout)
    return first if others else 1


def _small(layout: _Map, refuted: bool) -> bool:
    """Return whether a layout is drawn: more readily where it shows what is wrong."""
    if not layout.is_static() or layout.rank() == 0:
        return False
    size = static(layout.size())
    columns = size // _rows(layout)
    if not 1 < size <= _CELLS or columns > _WIDEST:
        return False
    return refuted or (layout.rank() == 2 and columns > 1)


def _request(claim: Requests, refuted: bool) -> list[dict[str, Any]]:
    """Return the first request of an access, or the first that goes against the claim."""
    first = islice(claim.access.coordinates(), _REQUESTS)
    chosen = next((x for x in first if not refuted or claim.failure(x)), None)
    if chosen is None or any(x % NARROWEST for x in claim.access.bit_addresses(chosen)):
        return []
    return [
        {
            "access": str(claim.access),
            "request": list(chosen),
            "sectors": not isinstance(claim, BankConflict),
            "marked": refuted,
        }
    ]


def _tile(claim: PartitionExact) -> list[dict[str, Any]]:
    """Return the tile with who holds what; marked is what is not held as often as is said."""
    extents = [static(s) for s in leaves(claim.tile)]
    size = static(product(claim.tile))
    tile = extents if len(extents) == 2 else [1, size]
    pairs = static(claim.tv.size())
    if size > _CELLS or tile[1] > _WIDEST or pairs > 4 * _CELLS:
        return []
    held = [0] * size
    for i in range(pairs):
        element = static(claim.tv(i))
        if not 0 <= element < size:
            return []  # what lies outside cannot be drawn
        held[element] += 1
    copies = static(claim.copies)
    marked = [[x % tile[0], x // tile[0]] for x, count in enumerate(held) if count != copies]
    values = claim.tv if claim.tv.rank() == 2 else _two(claim.tv)
    return [{"layout": str(values), "tile": tile, "marked": sorted(marked)}]


def _two(tv: Layout) -> Layout:
    """Return a thread-value layout with all its values in one mode."""
    return Layout((tv.shape[0], tuple(tv.shape[1:])), (tv.stride[0], tuple(tv.stride[1:])))


# --- what goes against a claim ------------------------------------------------------------------


def _wrong(claim: Claim, layout: _Map) -> _Wrong:
    """Return the indices of a layout of the claim at which it fails, as far as cells show it."""
    size = static(layout.size())
    offsets = [static(layout(i)) for i in range(size)]
    judge = _JUDGES.get(claim.name)
    if judge is not None:
        return judge(claim, layout, offsets)
    found: _Wrong = set()
    for part in claim.parts():
        if isinstance(part, Agree):
            found |= _path(part, layout)
        elif isinstance(part, Disjoint):
            found |= _meeting(part, layout, offsets)
    return found


def _shared(indices: Iterator[tuple[int, Any]]) -> _Wrong:
    """Return the indices whose keys occur more than once."""
    places = defaultdict(list)
    for i, key in indices:
        places[key].append(i)
    return {i for there in places.values() if len(there) > 1 for i in there}


def _let_through(claim: Any, layout: _Map, offsets: list[int]) -> Iterator[tuple[int, int]]:
    """Yield the indices that the guards let through, with their offsets."""
    plain = layout.layout if isinstance(layout, ComposedLayout) else layout
    for i, x in enumerate(offsets):
        if not claim.where or inside(_digits(plain, i), plain, claim.where):
            yield i, x


def _digits(layout: Layout, index: int) -> tuple[int, ...]:
    found = []
    for s in leaves(layout.shape):
        found.append(index % static(s))
        index //= static(s)
    return tuple(found)


def _once(claim: Any, layout: _Map, offsets: list[int]) -> _Wrong:
    return _shared(_let_through(claim, layout, offsets))


def _outside(claim: Any, layout: _Map, offsets: list[int]) -> _Wrong:
    bound = static(claim.bound)
    return {i for i, x in _let_through(claim, layout, offsets) if not 0 <= x < bound}


def _onto(claim: Any, layout: _Map, offsets: list[int]) -> _Wrong:
    beyond = {i for i, x in enumerate(offsets) if not 0 <= x < len(offsets)}
    return beyond | _shared(iter(enumerate(offsets)))


def _filled(claim: Any, layout: _Map, offsets: list[int]) -> _Wrong:
    """Modes of stride 0 repeat what there is: of those cells the first counts."""
    plain = layout.layout if isinstance(layout, ComposedLayout) else layout
    still = [k for k, d in enumerate(leaves(plain.stride)) if d == 0]
    first = [i for i in range(len(offsets)) if not any(_digits(plain, i)[k] for k in still)]
    beyond = {i for i in first if not 0 <= offsets[i] < len(first)}
    return beyond | _shared((i, offsets[i]) for i in first)


def _partition(claim: Any, layout: _Map, offsets: list[int]) -> _Wrong:
    if not isinstance(claim.bound, int):
        return set()
    return _shared((i, x) for i, x in enumerate(offsets) if x < claim.bound)


def _differing(claim: Any, layout: _Map, offsets: list[int]) -> _Wrong:
    other = claim.right if layout is claim.left else claim.left
    count = min(len(offsets), static(other.size()))
    return {i for i in range(count) if static(other(i)) != offsets[i]}


def _meeting(claim: Any, layout: _Map, offsets: list[int]) -> _Wrong:
    """Offsets that the other layout has too; 0 is no meeting unless one of them is moved."""
    shift = static(getattr(claim, "shift", 0))
    moved = hasattr(claim, "shift")
    found: _Wrong = set()
    for one, other, by in ((claim.left, claim.right, -shift), (claim.right, claim.left, shift)):
        if one == layout:
            count = min(static(other.size()), _LOOKED_AT)
            theirs = {static(other(i)) for i in range(count)}
            met = (i for i, x in enumerate(offsets) if x + by in theirs and (moved or x))
            found |= set(met)
    return found


def _path(claim: Agree, layout: _Map) -> _Wrong:
    """Return where the first index at which two chains differ goes through a layout."""
    count = min(static(claim.domain.size()), _LOOKED_AT)
    index = next((i for i in range(count) if claim.differs(i)), None)
    found: _Wrong = set()
    if index is None:
        return found
    for side in (claim.left, claim.right):
        x = index
        for step in reversed(side):
            if step == layout and 0 <= x < static(layout.size()):
                found.add(x)
            x = static(step(x))
    return found


def _beyond(claim: Any, layout: _Map, offsets: list[int]) -> _Wrong:
    size = static(product(claim.tile))
    return {i for i, x in enumerate(offsets) if not 0 <= x < size}


def _falling(claim: Any, layout: _Map, offsets: list[int]) -> _Wrong:
    least = 1 if claim.name == "increasing" else 0
    return {i for i in range(1, len(offsets)) if offsets[i] < offsets[i - 1] + least}


def _askew(claim: Any, layout: _Map, offsets: list[int]) -> _Wrong:
    n = static(claim.n)
    return {i for i, x in enumerate(offsets) if n < 1 or x % n}


_JUDGES: dict[str, Callable[[Any, _Map, list[int]], _Wrong]] = {
    "injective": _once,
    "bijective": _onto,
    "compact": _filled,
    "partition": _partition,
    "partition_exact": _beyond,
    "in_bounds": _outside,
    "equal": _differing,
    "disjoint": _meeting,
    "apart": _meeting,
    "monotone": _falling,
    "increasing": _falling,
    "aligned": _askew,
}
