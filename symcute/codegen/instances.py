"""Which dims to run generated code at: a spread from the smallest instance to the largest."""

from __future__ import annotations

from collections.abc import Iterator
from math import log2

from symcute.assumptions import Assumptions, Given
from symcute.codegen.c import fits_int64
from symcute.errors import InputError
from symcute.facts import facts
from symcute.layout import Layout

__all__ = ["instances", "why_none"]

#: How many small instances are looked at, and how many of them are stretched to larger sizes.
LOOKED_AT, STRETCHED = 200, 6


def instances(
    layout: Layout, given: Given = (), count: int = 5, limit: int = 2**20
) -> list[dict[str, int]]:
    """Return up to `count` instances of the dims, by growing size of the layout.

    Post-conditions: each meets the assumptions and gives a layout whose extents are at least 1,
    whose quotients are integers, whose size is at most `limit`, and whose index function fits 64
    bits; the smallest one found is the first. A static layout has one instance, `{}`. An empty list
    says that none was found; `why_none` says why.
    Errors: TextError for assumptions that our grammar does not accept.

    >>> for d in instances(Layout.parse("(M/4,4):(4,1)"), ["M % 4 == 0"], count=3, limit=1000):
    ...     print(d)
    {'M': 4}
    {'M': 72}
    {'M': 768}
    """
    found: dict[tuple[tuple[str, int], ...], int] = {}
    for dims in _candidates(layout, given, limit):
        size = _usable_size(layout, dims, limit)
        if size is not None:
            found[tuple(sorted(dims.items()))] = size
    return [dict(key) for key in _spread(found, count)]


def why_none(layout: Layout, given: Given = (), limit: int = 2**20) -> str:
    """Return why `instances` finds none: one line for the report.

    >>> why_none(Layout(2**30))
    'the smallest instance has 1073741824 coordinates, more than the limit of 1048576'
    """
    smallest: int | None = None
    met = integral = False
    for dims in _candidates(layout, given, limit):
        met = True
        try:
            size = layout.at(dims).size()
        except InputError:
            continue
        integral = True
        if not isinstance(size, int) or (size <= limit and not fits_int64(layout, dims)):
            continue
        smallest = size if smallest is None else min(size, smallest)
    if not met:
        return "no instance of the assumptions was found"
    if not integral:
        return "no instance was found at which all extents are integers of at least 1"
    if smallest is None or smallest <= limit:
        return "no instance was found whose offsets fit 64 bits"
    return f"the smallest instance has {smallest} coordinates, more than the limit of {limit}"


def _candidates(layout: Layout, given: Given, limit: int) -> Iterator[dict[str, int]]:
    """Yield small instances that meet the assumptions, then stretched ones."""
    if layout.is_static():
        yield {}
        return
    known = facts(given)
    small = list(known.instances(layout.dims(), LOOKED_AT))
    yield from small
    step = max(1, len(small) // STRETCHED)
    for base in small[step - 1 :: step]:
        yield from _stretched(base, layout, known.assumptions, limit)


def _stretched(
    base: dict[str, int], layout: Layout, assumptions: Assumptions, limit: int
) -> Iterator[dict[str, int]]:
    """Yield the instance with all dims, or one dim, multiplied by powers of two."""
    for names in [tuple(base), *((n,) for n in base if len(base) > 1)]:
        for exponent in range(1, limit.bit_length() + 1):
            dims = {n: v << exponent if n in names else v for n, v in base.items()}
            try:
                if not assumptions.hold(dims):
                    continue
                size = layout.at(dims).size()
            except InputError:
                continue
            yield dims
            if isinstance(size, int) and size > limit:
                break


def _usable_size(layout: Layout, dims: dict[str, int], limit: int) -> int | None:
    try:
        size = layout.at(dims).size()
        if isinstance(size, int) and size <= limit and fits_int64(layout, dims):
            return size
    except InputError:
        pass
    return None


def _spread(
    found: dict[tuple[tuple[str, int], ...], int], count: int
) -> list[tuple[tuple[str, int], ...]]:
    """Return `count` keys, the smallest size first, the others geometrically spaced in size.

    Among sizes within a factor of two the instance with more different values of dims is taken
    (where all dims are equal, a wrong order of modes cannot be seen), then the one whose smallest
    dim is largest (an extent of 1 hides its stride).
    """
    left = sorted(found, key=lambda key: (found[key], key))
    if not left or count < 1:
        return []
    largest = log2(found[left[-1]])
    chosen = [left.pop(0)]
    start = log2(found[chosen[0]])
    for k in range(1, count):
        if not left:
            break
        target = start + (largest - start) * k / (count - 1)
        best = min(
            left,
            key=lambda key: (
                round(abs(log2(found[key]) - target)),
                -len({v for _, v in key}),
                -min((v for _, v in key), default=0),
                abs(log2(found[key]) - target),
                key,
            ),
        )
        left.remove(best)
        chosen.append(best)
    return sorted(chosen, key=lambda key: (found[key], key))
