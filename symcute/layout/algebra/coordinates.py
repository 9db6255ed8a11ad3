"""Coordinates against layouts: dice, domain_offset, and one shape's coordinates in another.

`crd2idx` and `idx2crd` are in `symcute.layout.coordinates`, `slice_` and `slice_and_offset` in
`symcute.layout.layout`.

Source: cute/underscore.hpp (dice), cute/layout.hpp (dice, domain_offset), cute/stride.hpp
(crd2crd).
"""

from __future__ import annotations

from typing import Any

from symcute.errors import InputError, NotAdmissible
from symcute.expr.assumptions import Given
from symcute.expr.formula import eq
from symcute.expr.htuple import HTuple, Leaf, show
from symcute.layout.coordinates import crd2idx, idx2crd
from symcute.layout.layout import Layout
from symcute.layout.measures import size
from symcute.layout.swizzle import ComposedLayout, LayoutT
from symcute.solve.entailment import facts

__all__ = ["crd2crd", "dice", "domain_offset"]


def dice(crd: Any, layout: Layout) -> Layout:
    """Return the modes that the coordinate fixes: those that `slice_` drops.

    The values do not matter, only where `_` (None) stands. The kept modes form one tuple, nested
    tuples lifted one level; a coordinate without a tuple keeps the whole layout, `_` nothing, which
    is the rank-0 layout `():()`.
    Post-conditions:
        # slice_ and dice share out the modes.
        sorted(result.modes() + slice_(crd, layout).modes()) == sorted(layout.modes())
        size(result) * size(slice_(crd, layout)) == size(layout)
    Errors: InputError when the coordinate does not fit.

    >>> print(dice((1, None, (2, 3)), Layout((4, 5, (6, 7)))))
    (4,6,7):(1,20,120)
    >>> print(dice((0, None), Layout.parse("(M,N):(N,1)")))
    (M):(N)
    """
    if not isinstance(crd, (tuple, list)):
        return Layout((), ()) if crd is None else layout
    kept: list[tuple[HTuple, HTuple]] = []

    def collect(c: Any, s: HTuple, d: HTuple) -> None:
        if not isinstance(c, (tuple, list)):
            if c is not None:
                kept.append((s, d))
            return
        if not isinstance(s, tuple) or len(c) != len(s):
            raise InputError(
                f"the coordinate {_show(crd)} does not fit {layout}",
                "give one coordinate for each mode",
            )
        for x in zip(c, s, d, strict=True):
            collect(*x)

    collect(crd, layout.shape, layout.stride)
    return Layout(tuple(s for s, _ in kept), tuple(d for _, d in kept))


def _show(crd: Any) -> str:
    return show(_tuples(crd))


def _tuples(crd: Any) -> Any:
    return tuple(_tuples(x) for x in crd) if isinstance(crd, (tuple, list)) else crd


def domain_offset(crd: Any, layout: LayoutT) -> tuple[LayoutT, Any]:
    """Return (layout, offset): where the layout goes on when its domain starts at `crd`.

    Post-conditions:
        result[0] == layout
        # At the sum of two natural coordinates, from the identity layout, is the sum of offsets.
        result[1] + layout(i)
            == layout(make_identity_layout(layout)(i) + make_identity_layout(layout)(crd))
            for i in range(size(layout))
    Errors: InputError when the coordinate does not fit, or holds `_`.

    >>> print(*domain_offset((1, 2), Layout((4, 8), (8, 1))))
    (4,8):(8,1) 10
    >>> print(*domain_offset((3, 4), Layout.parse("(M,N):(N,1)")))
    (M,N):(N,1) 3*N+4
    """
    if _has_any(crd):
        raise InputError(
            f"the coordinate {_show(crd)} has _", "write 0 for the modes that start at 0"
        )
    if isinstance(layout, ComposedLayout):
        moved = layout.offset + domain_offset(crd, layout.layout)[1]
        return ComposedLayout(layout.swizzle, moved, layout.layout), 0
    return layout, crd2idx(crd, layout.shape, layout.stride)


def _has_any(crd: Any) -> bool:
    return crd is None or (isinstance(crd, (tuple, list)) and any(_has_any(x) for x in crd))


def crd2crd(crd: Any, src_shape: HTuple, dst_shape: HTuple, *, given: Given = ()) -> Any:
    """Return the coordinate in `dst_shape` that has the index of `crd` in `src_shape`.

    Where coordinate and both shapes have tuples this goes mode by mode, as in CuTe.
    The sizes are to be equal (in every such mode). A `dst_shape` without a tuple takes the index
    whatever its extent: CuTe's own callers write 1 there.
    Pre-conditions:
        0 <= c < s for s, c in Layout(src_shape, idx2crd(crd, src_shape)).modes()
        size(src_shape) == size(dst_shape) or not isinstance(dst_shape, tuple)
    Post-conditions:
        # Where one of the three is a number: the same index. Else so in every mode.
        crd2idx(result, dst_shape) == crd2idx(crd, src_shape)
            if min(map(depth, (crd, src_shape, dst_shape))) == 0
        result == tuple(map(crd2crd, crd, src_shape, dst_shape))
            if min(map(depth, (crd, src_shape, dst_shape))) > 0
    Errors: InputError when something does not fit; NotAdmissible for sizes that differ (CuTe does
    not check); Undecided when the assumptions do not make them equal.

    >>> crd2crd(7, (2, 4), (4, 2)), crd2crd((1, 3), (2, 4), (2, (2, 2))), crd2crd((1, 3), (2, 4), 8)
    ((3, 1), (1, (1, 1)), 7)
    >>> from symcute.expr.assumptions import dims
    >>> M, i, j = dims("M i j")
    >>> crd2crd((i, j), (M, 4), ((M,), (2, 2)))
    ((i,), (mod(j,2), floor_div(j,2)))
    """
    crd, src_shape, dst_shape = (_tuples(x) for x in (crd, src_shape, dst_shape))
    if all(isinstance(x, tuple) for x in (crd, src_shape, dst_shape)):
        if not len(crd) == len(src_shape) == len(dst_shape):
            raise InputError(
                f"the ranks of {show(crd)}, {show(src_shape)} and {show(dst_shape)} differ",
                "give one coordinate for each mode",
            )
        columns = zip(crd, src_shape, dst_shape, strict=True)
        return tuple(crd2crd(c, s, d, given=given) for c, s, d in columns)
    if isinstance(dst_shape, tuple):
        _check_sizes(size(src_shape), size(dst_shape), (src_shape, dst_shape), given)
    return idx2crd(crd2idx(crd, src_shape), dst_shape)


def _check_sizes(a: Leaf, b: Leaf, shapes: tuple[HTuple, HTuple], given: Given) -> None:
    where = f"crd2crd from {show(shapes[0])} to {show(shapes[1])}"
    if isinstance(a, int) and isinstance(b, int):
        if a != b:
            condition = f"{a} == {b}, the sizes"
            raise NotAdmissible(where, condition=condition, witness=f"the index {min(a, b)}")
        return
    facts(given).require(eq(a, b), where)
