"""Compact strides, and layouts built to resemble another one.

Source: cute/stride.hpp (compact_major, compact_order), cute/layout.hpp (make_layout_like,
make_fragment_like). "Static" is CuTe's word for a leaf that is an int; a symbolic leaf is a value
known at run time only.
"""

from __future__ import annotations

from symcute.errors import InputError, NotAdmissible
from symcute.expr.assumptions import Given
from symcute.expr.expression import as_leaf, is_symbolic
from symcute.expr.htuple import HTuple, Leaf, leaves, product, show, transform, unflatten
from symcute.layout.algebra.coalesce import filter_zeros
from symcute.layout.layout import Layout
from symcute.layout.shape_stride import checked, compact_col_major
from symcute.layout.swizzle import ComposedLayout

__all__ = [
    "compact_major",
    "compact_order",
    "make_fragment_like",
    "make_layout_like",
    "make_ordered_layout",
]


def make_ordered_layout(shape: HTuple, order: HTuple) -> Layout:
    """Return the compact layout whose strides grow in the given order.

    `order` is congruent to `shape`, or shallower: an order leaf over a tuple orders it
    column-major. An int is a static order entry; a dim stands for one known at run time only. As
    in CuTe such entries rank after all static ones, from left to right, whatever their values.
    Post-conditions:
        result.shape == Layout(shape).shape
        sorted(map(result, range(size(shape)))) == list(range(size(shape)))
    Errors: NotAdmissible for tied static entries, unless all but one of them have extent 1 (CuTe
    gives tied modes the same stride, so that they overlap); InputError for a deeper order.

    >>> print(make_ordered_layout((2, 2, 2, 2), (0, 2, 3, 1)))
    (2,2,2,2):(1,4,8,2)
    >>> from symcute.expr.assumptions import dims
    >>> a, b, M = dims("a b M")
    >>> print(make_ordered_layout((2, M, 4, 5), (2, a, b, 50)))
    (2,M,4,5):(1,10,10*M,2)
    """
    shape = checked(shape, "the shape")
    groups: list[tuple[Leaf, HTuple]] = []

    def collect(s: HTuple, o: HTuple) -> None:
        if not isinstance(o, tuple):
            groups.append((as_leaf(o, "the order"), s))
            return
        if not isinstance(s, tuple) or len(s) != len(o):
            raise InputError(
                f"order {show(order)} does not fit the shape {show(shape)}",
                "give one order entry for each mode",
            )
        for x, y in zip(s, o, strict=True):
            collect(x, y)

    collect(shape, order)
    _check_ties(groups, f"order {show(order)} of the shape {show(shape)}")
    # Static entries by value, then the others by position.
    ranks = [(0, key) if isinstance(key, int) else (1, k) for k, (key, _) in enumerate(groups)]
    strides: list[HTuple] = [0] * len(groups)
    current: Leaf = 1
    for k in sorted(range(len(groups)), key=lambda k: ranks[k]):
        strides[k] = compact_col_major(groups[k][1], current)
        current = current * product(groups[k][1])
    return Layout(shape, unflatten(tuple(strides), order))


def _check_ties(groups: list[tuple[Leaf, HTuple]], where: str) -> None:
    """Refuse equal static entries of two modes that both have more than one coordinate."""
    seen: dict[int, int] = {}
    for k, (key, s) in enumerate(groups):
        if not isinstance(key, int) or product(s) == 1:
            continue
        if key in seen:
            raise NotAdmissible(
                where,
                condition="every mode has its own place",
                witness=f"the entries {seen[key]} and {k}, both {key}",
                fix="give every mode its own place in the order",
            )
        seen[key] = k


def compact_major(shape: HTuple, major: str, current: HTuple = 1) -> HTuple:
    """Return the compact stride of a shape: "left" is column-major, "right" row-major.

    The stride starts at `current`; if that is a tuple, each of its leaves starts the mode it stands
    for. An extent that is the int 1 gets stride 0. "left" and "right" are CuTe's LayoutLeft and
    LayoutRight (GenColMajor and GenRowMajor).
    Post-conditions:
        congruent(result, shape)
        sorted(map(Layout(shape, result), range(size(shape)))) == list(range(size(shape)))
            if current == 1
        Layout(shape, result)(i) == i
            for i in range(size(shape)) if current == 1 and major == "left"
    Errors: InputError for another word, an extent below 1, or a `current` that does not fit.

    >>> compact_major((4, (2, 3)), "left"), compact_major((4, (2, 3)), "right")
    ((1, (4, 8)), (6, (3, 1)))
    >>> print(*compact_major(Layout.parse("(M,(1,N))").shape, "right"))
    N (0, 1)
    """
    if major not in ("left", "right"):
        raise InputError(f"{major!r} is no major order", 'write "left" or "right"')
    return _compact(Layout(shape).shape, major, current)


def _compact(shape: HTuple, major: str, current: HTuple) -> HTuple:
    if isinstance(current, tuple):
        if not isinstance(shape, tuple) or len(shape) != len(current):
            raise InputError(
                f"the starting strides {show(current)} do not fit the shape {show(shape)}",
                "give one for each mode",
            )
        return tuple(_compact(s, major, c) for s, c in zip(shape, current, strict=True))
    start = as_leaf(current, "a starting stride")
    if major == "left":
        return compact_col_major(shape, start)
    return _mirrored(compact_col_major(_mirrored(shape), start))


def _mirrored(t: HTuple) -> HTuple:
    return tuple(_mirrored(x) for x in reversed(t)) if isinstance(t, tuple) else t


def compact_order(shape: HTuple, order: HTuple) -> HTuple:
    """Return the compact stride of a shape that grows in the given order.

    `order` is as in `make_ordered_layout`, or "left" or "right" as in `compact_major`.
    Post-conditions:
        congruent(result, shape)
        sorted(map(Layout(shape, result), range(size(shape)))) == list(range(size(shape)))
    Errors: as these.

    >>> compact_order((2, 3, 4), (1, 2, 0)), compact_order((2, 3), "right")
    ((4, 8, 1), (3, 1))
    >>> compact_order(Layout.parse("(M,N)").shape, (1, 0))
    (N, 1)
    """
    if isinstance(order, str):
        return compact_major(shape, order)
    return make_ordered_layout(shape, order).stride


def make_layout_like(layout: Layout, *, given: Given = ()) -> Layout:
    """Return the compact layout of the same shape, its strides in the order of those of `layout`.

    Modes of stride 0 keep it. The order is that of `make_ordered_layout`: static strides by value
    first, then, as in CuTe, the symbolic ones from left to right.
    Post-conditions:
        shape(result) == shape(layout)
        set(map(result, range(size(result)))) == set(range(size(filter_zeros(layout))))
    Errors: NotAdmissible for two equal static strides of extents above 1 (CuTe lets such modes
    overlap); Undecided for a symbolic stride that may be 0.

    >>> print(make_layout_like(Layout((2, 3, 4), (40, 0, 1))))
    (2,3,4):(4,0,1)
    >>> print(make_layout_like(Layout.parse("(M,N):(LD,1)")))
    (M,N):(N,1)
    """
    kept = filter_zeros(layout, given=given).shape
    return Layout(layout.shape, make_ordered_layout(kept, layout.stride).stride)


def make_fragment_like(layout: HTuple, *, given: Given = ()) -> Layout:
    """Return the layout for a register tile that resembles a layout, or has a shape.

    Mode 0 is column-major from stride 1, its stride-0 modes kept; the others follow, compact, in
    the order of their strides (also those of stride 0). A swizzle is dropped. A shape, a layout of
    rank 1 and, as in CuTe, a layout with a symbolic extent give the column-major layout of the
    shape. Of rank 2 the C++ headers print mode 1 as a rank-1 tuple, (4,(3)); here, as in the DSL,
    the shape is kept.
    Post-conditions:
        shape(result) == shape(layout)
        # No gaps: the offsets are all of [0, cosize).
        set(map(result, range(size(result)))) == set(range(cosize(result)))
    Errors: NotAdmissible for two equal static strides of extents above 1 after mode 0 (CuTe lets
    such modes overlap, also two of stride 0); Undecided for a symbolic stride in mode 0 that may be
    0.

    >>> print(make_fragment_like(Layout(((2, 4), 3, 5), ((0, 8), 1, 1000))))
    ((2,4),3,5):((0,1),4,12)
    >>> print(make_fragment_like(Layout.parse("((4,2),3,5):((LD,0),1,64*LD)")))
    ((4,2),3,5):((1,0),4,12)
    >>> print(make_fragment_like(Layout.parse("(4,M):(M,1)")))
    (4,M):(1,4)
    """
    if isinstance(layout, ComposedLayout):  # registers have no banks
        return make_fragment_like(layout.layout, given=given)
    if not isinstance(layout, Layout):
        return Layout(layout)
    if layout.rank() < 2 or any(is_symbolic(s) for s in leaves(layout.shape)):
        return Layout(layout.shape)
    first = filter_zeros(layout[0], given=given).shape
    block: Leaf = product(first)
    rest = make_ordered_layout(layout.shape[1:], layout.stride[1:]).stride
    return Layout(layout.shape, (compact_col_major(first), *transform(lambda d: block * d, rest)))
