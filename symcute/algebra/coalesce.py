"""Simplifying a layout without changing its map: flatten, coalesce, filter; and picking modes.

Source: cute/layout.hpp (coalesce, filter_zeros, flatten, select); CuTe documentation,
"02_layout_algebra", Coalesce.
"""

from __future__ import annotations

from collections.abc import Iterable

from symcute.assumptions import Given
from symcute.errors import InputError
from symcute.facts import Facts, facts
from symcute.htuple import HTuple, Leaf, wrap
from symcute.htuple import flatten as _flatten
from symcute.layout import Layout, make_layout

__all__ = ["coalesce", "filter_zeros", "flatten", "from_modes", "merged", "select"]

Modes = tuple[tuple[Leaf, Leaf], ...]


def flatten(layout: Layout) -> Layout:
    """Return the layout without hierarchy: the same map on 1-D indices.

    >>> print(flatten(Layout.parse("((2,(1,3)),4):((1,(2,2)),6)")))
    (2,1,3,4):(1,2,2,6)
    """
    if not isinstance(layout.shape, tuple):
        return layout
    return Layout(_flatten(layout.shape), _flatten(layout.stride))


def select(layout: Layout, *modes: int) -> Layout:
    """Return the chosen top-level modes, in that order.

    Errors: InputError for a mode that is not there.

    >>> print(select(Layout((4, 5, 6)), 2, 0))
    (6,4):(20,1)
    """
    if not modes:
        raise InputError("select needs at least one mode", "write select(layout, 1, 0)")
    return make_layout(*(layout[m] for m in modes))


def filter_zeros(layout: Layout) -> Layout:
    """Return the layout with the extent of every stride-0 mode set to 1.

    >>> print(filter_zeros(Layout((4, 2), (0, 1))))
    (1,2):(0,1)
    """

    def build(s: HTuple, d: HTuple) -> HTuple:
        if isinstance(s, tuple):
            return tuple(build(x, y) for x, y in zip(s, d, strict=True))
        return 1 if isinstance(d, int) and d == 0 else s

    return Layout(build(layout.shape, layout.stride), layout.stride)


def coalesce(layout: Layout, profile: HTuple = None, *, given: Given = ()) -> Layout:
    """Return the layout with as few modes as the assumptions allow, the same map on 1-D indices.

    Without a profile the result is flat. With one, each mode that the profile names is coalesced by
    itself and the others are kept.
    Post-conditions: size(result) == size(layout); result(i) == layout(i) for all i.
    Errors: InputError for a profile of more modes than the layout.

    >>> print(coalesce(Layout.parse("(2,(1,6)):(1,(6,2))")))
    12:1
    >>> print(coalesce(Layout.parse("(192,N):(1,192)")))
    192*N:1
    >>> print(coalesce(Layout.parse("((2,2),(2,2)):((1,2),(4,8))"), (1, 1)))
    (4,4):(1,4)
    """
    known = facts(given)
    if not isinstance(profile, tuple):
        return from_modes(merged(layout.modes(), known))
    shapes, strides = wrap(layout.shape), wrap(layout.stride)
    if len(profile) > len(shapes):
        raise InputError(
            f"the profile has {len(profile)} modes, {layout} has {len(shapes)}",
            "give at most one profile entry for each mode",
        )
    modes = [
        coalesce(Layout(s, d), profile[k], given=given) if k < len(profile) else Layout(s, d)
        for k, (s, d) in enumerate(zip(shapes, strides, strict=True))
    ]
    return make_layout(*modes)


def merged(modes: Iterable[tuple[Leaf, Leaf]], known: Facts) -> Modes:
    """Return flat modes with extents 1 dropped and neighbours merged where d1 == s0 * d0."""
    result: list[tuple[Leaf, Leaf]] = []
    for s, d in modes:
        if known.same(s, 1):
            continue
        if result:
            s0, d0 = result[-1]
            if known.same(d, s0 * d0):
                result[-1] = (s0 * s, d0)
                continue
        result.append((s, d))
    return tuple(result)


def from_modes(modes: Modes) -> Layout:
    """Return the layout of flat modes: `1:0` for none, without a tuple for one."""
    if not modes:
        return Layout(1, 0)
    if len(modes) == 1:
        return Layout(*modes[0])
    return Layout(tuple(s for s, _ in modes), tuple(d for _, d in modes))
