"""Taking a layout apart and putting it together by its modes, as a tuple of (shape, stride) pairs.

Nothing here looks at what a leaf is, so everything holds for symbolic layouts as it stands.
Picking one mode by number is `get`; the functions `shape`, `stride`, `size`, `rank`, `depth`,
`coshape` and `cosize` of `symcute.layout.layout` take mode numbers themselves.

Source: cute/layout.hpp ("Operations to manipulate Layouts like a tuple of pairs", Append, Prepend,
Replace, Zip) and cute/algorithm/tuple_algorithms.hpp. Where the C++ headers and the CuTe
DSL differ (`group` with -1, `zip`), this is the C++ behaviour.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

from symcute.errors import InputError
from symcute.expr.htuple import HTuple, Leaf, depth, show, wrap
from symcute.expr.htuple import unflatten as _unflatten
from symcute.layout.layout import Layout
from symcute.layout.swizzle import ComposedLayout, LayoutT

__all__ = [
    "append",
    "get",
    "group",
    "prepend",
    "replace",
    "take",
    "transform_leaf",
    "unflatten",
    "zip_",
]

#: The (shape, stride) of top-level modes.
Pairs = tuple[tuple[HTuple, HTuple], ...]


def _pairs(layout: Layout) -> Pairs:
    return tuple(zip(wrap(layout.shape), wrap(layout.stride), strict=True))


def _joined(pairs: Pairs) -> Layout:
    return Layout(tuple(s for s, _ in pairs), tuple(d for _, d in pairs))


def get(layout: LayoutT, *modes: int) -> LayoutT:
    """Return the mode of a mode ... of a layout: CuTe's `layout<I, J, ...>(layout)`.

    Mode 0 of a layout without a tuple is the layout; without mode numbers the result is the layout.
    Post-conditions:
        shape(result) == shape(layout, *modes)
        stride(result) == stride(layout, *modes)
        # The map that the layout is at coordinates that are 0 but in that mode.
        result(i) == layout(tuple(i if k == modes[0] else 0 for k in range(rank(layout))))
            for i in range(size(result)) if len(modes) == 1 and isinstance(shape(layout), tuple)
    Errors: InputError for a mode that is not there.

    >>> print(get(Layout((4, (2, 3))), 1), get(Layout((4, (2, 3))), 1, 0))
    (2,3):(4,8) 2:4
    >>> print(get(Layout.parse("(M,(N,4)):(1,(M,M*N))"), 1, 1))
    4:M*N
    """
    for mode in modes:
        layout = layout[mode]
    return layout


def take(layout: LayoutT, begin: int, end: int) -> LayoutT:
    """Return the top-level modes begin, begin + 1, ..., end - 1.

    Pre-conditions:
        0 <= begin < end <= rank(layout)
    Post-conditions:
        rank(result) == end - begin
        result[k] == layout[begin + k] for k in range(end - begin)
    Errors: InputError for an empty range, or one that leaves the layout.

    >>> print(take(Layout((4, 5, 6)), 1, 3), take(Layout(8), 0, 1))
    (5,6):(4,20) (8):(1)
    >>> print(take(Layout.parse("(M,N,K):(N*K,K,1)"), 0, 2))
    (M,N):(K*N,K)
    """
    if isinstance(layout, ComposedLayout):
        return layout.map(take, begin, end)
    begin, end = _range(layout, begin, end)
    if begin == end:
        raise InputError(f"take({layout},{begin},{end}) takes no mode", "give begin < end")
    return _joined(_pairs(layout)[begin:end])


def _range(layout: Layout, begin: int, end: int) -> tuple[int, int]:
    if not (isinstance(begin, int) and isinstance(end, int) and 0 <= begin <= end <= layout.rank()):
        raise InputError(
            f"{layout} has no modes [{show(begin)},{show(end)})", f"its rank is {layout.rank()}"
        )
    return begin, end


def group(layout: LayoutT, begin: int, end: int = -1) -> LayoutT:
    """Return the layout with the modes [begin, end) made one mode; -1 stands for the rank.

    An empty range changes nothing.
    Pre-conditions:
        0 <= begin <= (rank(layout) if end == -1 else end) <= rank(layout)
    Post-conditions:
        result.modes() == layout.modes()
        result(i) == layout(i) for i in range(size(layout))
        result[begin] == take(layout, begin, end) if begin < end
    Errors: InputError for a range that leaves the layout.

    >>> print(group(Layout((2, 3, 5, 7)), 1, 3), group(Layout((2, 3, 5)), 1))
    (2,(3,5),7):(1,(2,6),30) (2,(3,5)):(1,(2,6))
    >>> print(group(Layout.parse("(M,N,K)"), 0, 2))
    ((M,N),K):((1,M),M*N)
    """
    if isinstance(layout, ComposedLayout):
        return layout.map(group, begin, end)
    begin, end = _range(layout, begin, layout.rank() if end == -1 else end)
    pairs: Pairs = _pairs(layout)
    if begin < end:
        inner = _joined(pairs[begin:end])
        pairs = (*pairs[:begin], (inner.shape, inner.stride), *pairs[end:])
    return _joined(pairs)


def unflatten(layout: Layout, profile: HTuple) -> Layout:
    """Return the flat layout arranged in the hierarchy of `profile` (an htuple or a layout).

    The layout is flat and has as many modes as the profile has leaves.
    Pre-conditions:
        depth(layout) <= 1
    Post-conditions:
        congruent(result, profile)
        result.modes() == layout.modes()
        result(i) == layout(i) for i in range(size(layout))
    Errors: InputError when a pre-condition is false.

    >>> print(unflatten(Layout.parse("(2,M,5):(1,2,2*M)"), (0, (0, 0))))
    (2,(M,5)):(1,(2,2*M))
    """
    if isinstance(profile, Layout):
        profile = profile.shape
    if depth(layout.shape) > 1:
        raise InputError(f"{layout} is not flat", "flatten it first")
    needed = len(list(_leaves(profile)))
    if needed != layout.rank():
        raise InputError(
            f"the profile {show(profile)} has {needed} leaves, {layout} has {layout.rank()} modes",
            "give one leaf for each mode",
        )
    shapes, strides = wrap(layout.shape), wrap(layout.stride)
    return Layout(_unflatten(shapes, profile), _unflatten(strides, profile))


def _leaves(profile: HTuple) -> list[Any]:
    if isinstance(profile, tuple):
        return [leaf for x in profile for leaf in _leaves(x)]
    return [profile]


def append(layout: LayoutT, *extension: Layout | int) -> LayoutT:
    """Return the layout with modes added at the end.

    append(A) adds the mode 1:0, append(A, X) the mode X; append(A, N) and append(A, N, X) add that
    mode as often as the rank N needs (not at all: the layout itself).
    Post-conditions:
        result[k] == layout[k] for k in range(rank(layout))
        result[k] in (Layout(1, 0), *extension) for k in range(rank(layout), rank(result))
        rank(result) == extension[0] if extension and isinstance(extension[0], int)
        rank(result) == rank(layout) + 1 if not extension or isinstance(extension[0], Layout)
    Errors: InputError when the rank is above N.

    >>> A = Layout((4, 8))
    >>> print(append(A), append(A, Layout(2, 32)), append(A, 4))
    (4,8,1):(1,4,0) (4,8,2):(1,4,32) (4,8,1,1):(1,4,0,0)
    >>> print(append(Layout.parse("M:2"), 3, Layout.parse("(2,N):(N,1)")))
    (M,(2,N),(2,N)):(2,(N,1),(N,1))
    """
    if isinstance(layout, ComposedLayout):
        return layout.map(append, *extension)
    pairs: Pairs = _pairs(layout)
    extra: Pairs = _extra(layout, extension, "append")
    return _joined(pairs + extra) if extra else layout


def prepend(layout: LayoutT, *extension: Layout | int) -> LayoutT:
    """Return the layout with modes added at the front; as `append` otherwise.

    Post-conditions:
        result[k - rank(layout)] == layout[k] for k in range(rank(layout))
        result[k] in (Layout(1, 0), *extension) for k in range(rank(result) - rank(layout))
        rank(result) == extension[0] if extension and isinstance(extension[0], int)
        rank(result) == rank(layout) + 1 if not extension or isinstance(extension[0], Layout)

    >>> A = Layout((4, 8))
    >>> print(prepend(A), prepend(A, Layout(2, 32)), prepend(A, 2))
    (1,4,8):(0,1,4) (2,4,8):(32,1,4) (4,8):(1,4)
    >>> print(prepend(Layout.parse("M:2"), Layout.parse("N:2*M")))
    (N,M):(2*M,2)
    """
    if isinstance(layout, ComposedLayout):
        return layout.map(prepend, *extension)
    extra: Pairs = _extra(layout, extension, "prepend")
    pairs: Pairs = _pairs(layout)
    return _joined(extra + pairs) if extra else layout


def _extra(layout: Layout, extension: tuple[Layout | int, ...], name: str) -> Pairs:
    """Return the pairs to add."""
    count, mode = 1, Layout(1, 0)
    rest = list(extension)
    if rest and isinstance(first := rest[0], int):
        count, rest = first - layout.rank(), rest[1:]
    if rest and isinstance(first := rest[0], Layout):
        mode, rest = first, rest[1:]
    if rest:
        raise InputError(
            f"{name} takes a layout, then a rank, a layout, or both",
            f"write {name}(A, 4), {name}(A, X) or {name}(A, 4, X)",
        )
    if count < 0:
        raise InputError(
            f"{layout} has rank {layout.rank()}, above {layout.rank() + count}",
            f"give {name} a rank that is not smaller",
        )
    return ((mode.shape, mode.stride),) * count


def replace(layout: LayoutT, mode: int, x: Layout) -> LayoutT:
    """Return the layout with one top-level mode replaced by the layout `x`.

    A layout without a tuple has the mode 0 only, and becomes `x`.
    Post-conditions:
        (result[mode] if isinstance(shape(layout), tuple) else result) == x
        result[k] == layout[k] for k in range(rank(layout)) if k != mode % rank(layout)
    Errors: InputError for a mode that is not there.

    >>> print(replace(Layout((4, 8, 2)), 1, Layout((3, 5), (5, 1))))
    (4,(3,5),2):(1,(5,1),32)
    >>> print(replace(Layout.parse("(M,N):(N,1)"), 0, Layout.parse("4:N")))
    (4,N):(N,1)
    """
    if isinstance(layout, ComposedLayout):
        return layout.map(replace, mode, x)
    if not isinstance(x, Layout):
        raise InputError(f"{x!r} is not a layout", "write replace(layout, 1, x) with a layout x")
    layout[mode]  # raises for a mode that is not there
    if not isinstance(layout.shape, tuple):
        return x
    pairs = list(_pairs(layout))
    pairs[mode] = (x.shape, x.stride)
    return _joined(tuple(pairs))


def zip_(*layouts: LayoutT) -> LayoutT:
    """Return the layouts zipped mode by mode: mode k has mode k of each. CuTe's name is `zip`.

    Of one layout, its modes are zipped: ((a,b),(x,y)) becomes ((a,x),(b,y)). Where the first has no
    tuple, there is nothing to transpose and the result is wrapped, as CuTe does it.
    Pre-conditions:
        rank(x) == rank(layouts[0]) for x in layouts
        isinstance(shape(x), tuple) == isinstance(shape(layouts[0]), tuple) for x in layouts
    Post-conditions:
        sorted(result.modes()) == sorted(m for x in layouts for m in x.modes())
        get(result, k, j) == x[k] for j, x in enumerate(layouts) for k in range(rank(x))
            if len(layouts) > 1
    Errors: InputError when the pre-condition is false.

    >>> print(zip_(Layout((2, 3)), Layout((5, 7), (7, 1))))
    ((2,5),(3,7)):((1,7),(2,1))
    >>> print(zip_(Layout.parse("((M,N),(4,8)):((1,M),(N,4*N))")))
    ((M,4),(N,8)):((1,N),(M,4*N))
    >>> print(zip_(Layout(2), Layout(6, 2)))
    ((2,6)):((1,2))
    """
    if not layouts:
        raise InputError("zip needs a layout", "write zip(A, B)")
    result: Any
    first = layouts[0]
    if len(layouts) == 1 and isinstance(first, ComposedLayout):
        result = first.map(zip_)
    elif any(isinstance(x, ComposedLayout) for x in layouts):
        raise InputError("swizzled layouts have no common zip", "zip the modes of one: zip(A)")
    elif len(layouts) == 1:
        result = Layout(_zipped(layouts[0].shape), _zipped(layouts[0].stride))
    else:
        shapes, strides = tuple(x.shape for x in layouts), tuple(x.stride for x in layouts)
        result = Layout(_zipped(shapes), _zipped(strides))
    return cast("LayoutT", result)


def _zipped(t: HTuple) -> HTuple:
    if not isinstance(t, tuple) or not t:
        return t
    if not isinstance(t[0], tuple):
        return (t,)
    if any(not isinstance(x, tuple) or len(x) != len(t[0]) for x in t):
        raise InputError(
            f"zip of {' and '.join(show(x) for x in t)}: the ranks differ",
            "give layouts of the same rank",
        )
    return tuple(zip(*t, strict=True))


def transform_leaf(layout: Layout, function: Callable[[Leaf, Leaf], Any]) -> Layout:
    """Return the layout with (extent, stride) of each leaf mode replaced by what `function` gives.

    `function(extent, stride)` returns a pair, extent and stride of the new mode; both may be
    htuples.
    Post-conditions:
        weakly_congruent(layout, result)
        result.modes()
            == tuple(m for s, d in layout.modes() for m in Layout(*function(s, d)).modes())
    Errors: InputError when it returns something else, or a pair that is no mode.

    >>> print(transform_leaf(Layout((4, (2, 3))), lambda s, d: (s, 2 * d)))
    (4,(2,3)):(2,(8,16))
    >>> print(transform_leaf(Layout.parse("(M,N):(N,1)"), lambda s, d: ((s, 2), (2 * d, d))))
    ((M,2),(N,2)):((2*N,N),(2,1))
    """
    if not callable(function):
        raise InputError(
            f"transform_leaf takes a function, not {function!r}",
            "give one of (extent, stride) that returns such a pair",
        )
    results = [function(s, d) for s, d in layout.modes()]
    for result in results:
        if not isinstance(result, tuple) or len(result) != 2:
            raise InputError(
                f"the function gave {result!r} for a mode of {layout}",
                "return a pair (extent, stride)",
            )
    extents, strides = (tuple(r[k] for r in results) for k in (0, 1))
    return Layout(_unflatten(extents, layout.shape), _unflatten(strides, layout.shape))
