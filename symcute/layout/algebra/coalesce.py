"""Simplifying a layout without changing its map: flatten, coalesce, filter; and picking modes.

Source: cute/layout.hpp (coalesce, filter_zeros, flatten, select); CuTe documentation,
"02_layout_algebra", Coalesce.
"""

from __future__ import annotations

from collections.abc import Iterable

from symcute.errors import InputError
from symcute.expr.assumptions import Given
from symcute.expr.basis import ScaledBasis
from symcute.expr.expression import as_leaf
from symcute.expr.formula import ne
from symcute.expr.htuple import HTuple, Leaf, show, times, transform
from symcute.expr.htuple import flatten as _flatten
from symcute.layout.layout import Layout, make_layout, plain_layout
from symcute.layout.swizzle import ComposedLayout, LayoutT
from symcute.solve.entailment import Entailment, facts

__all__ = ["coalesce", "filter_", "filter_zeros", "flatten", "from_modes", "merged", "select"]

Modes = tuple[tuple[Leaf, Leaf], ...]


def flatten(layout: LayoutT) -> LayoutT:
    """Return the layout without hierarchy: the same map on 1-D indices.

    Post-conditions:
        depth(result) <= 1
        size(result) == size(layout)
        result(i) == layout(i) for i in range(size(layout))

    >>> print(flatten(Layout.parse("((2,(1,3)),4):((1,(2,2)),6)")))
    (2,1,3,4):(1,2,2,6)
    """
    if not isinstance(layout.shape, tuple):
        return layout
    if isinstance(layout, ComposedLayout):
        return layout.map(flatten)
    make = plain_layout if layout.plain else Layout
    return make(_flatten(layout.shape), _flatten(layout.stride))


def select(layout: LayoutT, *modes: int) -> LayoutT:
    """Return the chosen top-level modes, in that order.

    Post-conditions:
        rank(result) == len(modes)
        result[k] == layout[m] for k, m in enumerate(modes)
    Errors: InputError for a mode that is not there.

    >>> print(select(Layout((4, 5, 6)), 2, 0))
    (6,4):(20,1)
    """
    if isinstance(layout, ComposedLayout):
        return layout.map(select, *modes)
    if not modes:
        raise InputError("select needs at least one mode", "write select(layout, 1, 0)")
    return make_layout(*(layout[m] for m in modes))


def filter_zeros(layout: Layout, profile: HTuple = None, *, given: Given = ()) -> Layout:
    """Return the layout with the extent of every stride-0 mode set to 1.

    With a profile: with all extents under its zeros set to 1, whatever their strides. Strides are
    kept.
    Pre-conditions:
        profile is None or weakly_congruent(profile, layout)
    Post-conditions:
        stride(result) == stride(layout)
        s in (1, t) for (s, _), (t, _) in zip(result.modes(), layout.modes())
        s == 1 or d != 0 for s, d in result.modes() if profile is None
        s == t for (s, d), (t, _) in zip(result.modes(), layout.modes())
            if profile is None and d != 0
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


def coalesce(layout: LayoutT, profile: HTuple = None, *, given: Given = ()) -> LayoutT:
    """Return the layout with as few modes as the assumptions allow, the same map on 1-D indices.

    Without a profile the result is flat. With one, each mode that the profile names is coalesced by
    itself and the others are kept.
    Post-conditions:
        size(result) == size(layout)
        result(i) == layout(i) for i in range(size(layout))
        rank(result) == rank(layout) if isinstance(profile, tuple) else depth(result) <= 1
    Errors: InputError for a profile of more modes than the layout.

    >>> print(coalesce(Layout.parse("(2,(1,6)):(1,(6,2))")))
    12:1
    >>> print(coalesce(Layout.parse("(192,N):(1,192)")))
    192*N:1
    >>> print(coalesce(Layout.parse("((2,2),(2,2)):((1,2),(4,8))"), (1, 1)))
    (4,4):(1,4)
    """
    if isinstance(layout, ComposedLayout):
        return layout.map(coalesce, profile, given=given)
    if layout.plain and profile is None:
        return _coalesced_ints(layout)
    return _coalesced(layout, profile, facts(given))


def _coalesced_ints(layout: Layout) -> Layout:
    """Return a plain layout coalesced: `merged` and `from_modes` in one pass."""
    if type(layout.shape) is int:
        return layout if layout.shape > 1 else plain_layout(1, 0)
    shape: list[int] = []
    stride: list[int] = []
    following = None  # what the stride of the next mode must be to be merged
    for s, d in zip(_flatten(layout.shape), _flatten(layout.stride)):  # noqa: B905 - `strict` takes time
        if s == 1:
            continue
        if d == following:
            shape[-1] *= s
        else:
            shape.append(s)
            stride.append(d)
        following = d * s
    if len(shape) > 1:
        return plain_layout(tuple(shape), tuple(stride))
    return plain_layout(shape[0], stride[0]) if shape else plain_layout(1, 0)


def _coalesced(layout: Layout, profile: HTuple, known: Entailment) -> Layout:
    if not isinstance(profile, tuple):
        if type(layout.shape) is int and layout.shape > 1:
            return layout
        return from_modes(merged(layout.modes(), known), layout.plain)
    if len(profile) > layout.rank():
        raise InputError(
            f"the profile has {len(profile)} modes, {layout} has {layout.rank()}",
            "give at most one profile entry for each mode",
        )
    modes = [
        _coalesced(mode, profile[k], known) if k < len(profile) else mode
        for k, mode in enumerate(layout)
    ]
    return make_layout(*modes)


def filter_(layout: LayoutT, profile: HTuple = None, *, given: Given = ()) -> LayoutT:
    """Return the layout without its stride-0 modes and extents 1, coalesced. CuTe's `filter`.

    Without a profile the result is flat; nothing left gives 1:0. With one, each mode that the
    profile names is filtered by itself and the others are kept.
    Post-conditions:
        set(map(result, range(size(result)))) == set(map(layout, range(size(layout))))
        d != 0 for _, d in result.modes() if profile is None and size(result) > 1
        size(result) <= size(layout)
    Errors: InputError for a profile of more modes than the layout; Undecided for a symbolic stride
    that may be 0.

    >>> print(filter_(Layout.parse("(2,(3,4),5):(1,(0,2),0)")))
    8:1
    >>> print(filter_(Layout.parse("(2,(3,4),5):(1,(0,2),0)"), (1, 1)))
    (2,4,5):(1,2,0)
    >>> print(filter_(Layout.parse("(M,8,N):(N,0,1)")))
    (M,N):(N,1)
    """
    if isinstance(layout, ComposedLayout):
        return layout.map(filter_, profile, given=given)
    if not isinstance(profile, tuple):
        if layout.plain:
            return from_modes(merged([m for m in layout.modes() if m[1] != 0], facts(given)), True)
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


def merged(modes: Iterable[tuple[Leaf, Leaf]], known: Entailment) -> Modes:
    """Return flat modes with extents 1 dropped and neighbours merged where d1 == s0 * d0."""
    result: list[tuple[Leaf, Leaf]] = []
    for s, d in modes:
        if s == 1 if type(s) is int else known.same(s, 1):
            continue
        if result:
            s0, d0 = result[-1]
            if type(d) is int and type(s0) is int and type(d0) is int:
                follows = d == s0 * d0
            else:
                follows = known.same(d, times(s0, d0))
            if follows:
                result[-1] = (times(s0, s), d0)
                continue
        result.append((s, d))
    return tuple(result)


def from_modes(modes: Modes, plain: bool = False) -> Layout:
    """Return the layout of flat modes: `1:0` for none, without a tuple for one.

    `plain` says that the caller knows the leaves to be ints, the extents at least 1.
    """
    make = plain_layout if plain else Layout
    if not modes:
        return plain_layout(1, 0)
    if len(modes) == 1:
        return make(*modes[0])
    return make(tuple([s for s, _ in modes]), tuple([d for _, d in modes]))
