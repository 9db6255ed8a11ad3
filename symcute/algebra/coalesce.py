"""Simplifying a layout without changing its map: flatten, coalesce, filter; and picking modes.

Source: cute/layout.hpp (coalesce, filter_zeros, flatten, select); CuTe documentation,
"02_layout_algebra", Coalesce.
"""

from __future__ import annotations

from collections.abc import Iterable

from symcute.assumptions import Given
from symcute.basis import ScaledBasis
from symcute.errors import InputError
from symcute.exprs import as_leaf
from symcute.facts import Facts, facts
from symcute.formula import ne
from symcute.htuple import HTuple, Leaf, show, transform, wrap
from symcute.htuple import flatten as _flatten
from symcute.layout import Layout, make_layout

__all__ = ["coalesce", "filter_", "filter_zeros", "flatten", "from_modes", "merged", "select"]

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


def filter_zeros(layout: Layout, profile: HTuple = None, *, given: Given = ()) -> Layout:
    """Return the layout with the extent of every stride-0 mode set to 1.

    With a profile: with all extents under its zeros set to 1, whatever their strides. Strides are
    kept.
    Pre-condition: the profile is a leaf, or has an entry for each mode, and so on inside.
    Errors: InputError for a profile that does not fit; Undecided for a symbolic stride (or entry)
    that is 0 for some instances and not for others.

    >>> print(filter_zeros(Layout((4, 2), (0, 1))))
    (1,2):(0,1)
    >>> print(filter_zeros(Layout.parse("(2,(3,M)):(1,(0,2))"), (1, (0, 2))))
    (2,(1,M)):(1,(0,2))
    """
    known = facts(given)

    def is_zero(leaf: Leaf) -> bool:
        if isinstance(leaf, int):
            return leaf == 0
        if known.same(leaf, 0):
            return True
        known.require(ne(leaf, 0), f"filter_zeros({layout})")
        return False

    def build(p: HTuple, s: HTuple) -> HTuple:
        if isinstance(p, ScaledBasis):
            return s
        if not isinstance(p, tuple):
            return transform(lambda _: 1, s) if is_zero(as_leaf(p, "the profile")) else s
        if not isinstance(s, tuple) or len(p) != len(s):
            raise InputError(
                f"the profile {show(profile)} does not fit {layout}",
                "give one entry for each mode",
            )
        return tuple(build(x, y) for x, y in zip(p, s, strict=True))

    return Layout(build(layout.stride if profile is None else profile, layout.shape), layout.stride)


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


def filter_(layout: Layout, profile: HTuple = None, *, given: Given = ()) -> Layout:
    """Return the layout without its stride-0 modes and extents 1, coalesced. CuTe's `filter`.

    Without a profile the result is flat; nothing left gives 1:0. With one, each mode that the
    profile names is filtered by itself and the others are kept.
    Post-condition: the same set of offsets; no stride 0 but in 1:0 and in modes that are kept.
    Errors: InputError for a profile of more modes than the layout; Undecided for a symbolic stride
    that may be 0.

    >>> print(filter_(Layout.parse("(2,(3,4),5):(1,(0,2),0)")))
    8:1
    >>> print(filter_(Layout.parse("(2,(3,4),5):(1,(0,2),0)"), (1, 1)))
    (2,4,5):(1,2,0)
    >>> print(filter_(Layout.parse("(M,8,N):(N,0,1)")))
    (M,N):(N,1)
    """
    if not isinstance(profile, tuple):
        return coalesce(filter_zeros(layout, given=given), given=given)
    if len(profile) > layout.rank():
        raise InputError(
            f"the profile has {len(profile)} modes, {layout} has {layout.rank()}",
            "give at most one profile entry for each mode",
        )
    modes = [
        filter_(mode, profile[k], given=given) if k < len(profile) else mode
        for k, mode in enumerate(layout)
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
