"""Measures of a layout, or of the mode of a mode ... of it: shape, stride, rank, depth, sizes.

Source: cute/layout.hpp and cute/int_tuple.hpp, the functions of these names.
"""

from __future__ import annotations

from typing import Any

from symcute.errors import InputError
from symcute.expr.htuple import HTuple, Leaf, product, show, wrap
from symcute.expr.htuple import depth as _depth
from symcute.layout.layout import Layout
from symcute.layout.shape_stride import checked, checked_shape
from symcute.layout.swizzle import ComposedLayout

__all__ = ["coshape", "cosize", "depth", "rank", "shape", "size", "stride"]


def _mode(t: HTuple, modes: tuple[int, ...]) -> HTuple:
    """Return the mode of a mode ... of an htuple; mode 0 of a leaf is the leaf."""
    for m in modes:
        items = wrap(t)
        if not isinstance(m, int) or not -len(items) <= m < len(items):
            raise InputError(f"{show(t)} has no mode {m}", f"its rank is {len(items)}")
        t = items[m]
    return t


def _shape(x: Any) -> HTuple:
    """Return the shape of what is no layout: that of a swizzled one, or a shape itself."""
    return x.shape if isinstance(x, ComposedLayout) else checked(x, "a shape")


def shape(x: Any, *modes: int) -> HTuple:
    """Return the shape of a layout (of a shape: itself), or of the mode of a mode ... of it.

    Errors: InputError for a mode that is not there.

    >>> L = Layout((4, (2, 3)))
    >>> shape(L), shape(L, 1), shape(L, 1, 0)
    ((4, (2, 3)), (2, 3), 2)
    """
    return _mode(x.shape if isinstance(x, Layout) else _shape(x), modes)


def stride(x: Layout, *modes: int) -> HTuple:
    """Return the stride of a layout, or of the mode of a mode ... of it.

    Errors: InputError for a mode that is not there.

    >>> L = Layout((4, (2, 3)))
    >>> stride(L), stride(L, 1), stride(L, 1, 0)
    ((1, (4, 8)), (4, 8), 4)
    """
    return _mode(x.stride, modes)


def rank(x: Any, *modes: int) -> int:
    """Return the number of top-level modes of a layout or an htuple, or of a mode of it.

    >>> rank(Layout(8)), rank((4, 2)), rank(((2, 2), 2)), rank(Layout((4, (2, 3, 5))), 1)
    (1, 2, 2, 3)
    """
    t = x.shape if isinstance(x, (Layout, ComposedLayout)) else x
    if modes:
        t = _mode(t, modes)
    return len(t) if isinstance(t, tuple) else 1


def depth(x: Any, *modes: int) -> int:
    """Return how deeply a layout's shape, or an htuple, or a mode of it, nests.

    >>> depth(6), depth((3, (6, 2), 8)), depth(Layout((4, 3))), depth(Layout((4, 3)), 1)
    (0, 2, 1, 0)
    """
    return _depth(_mode(x.shape if isinstance(x, (Layout, ComposedLayout)) else x, modes))


def size(x: Any, *modes: int) -> Leaf:
    """Return the number of coordinates of a layout or a shape, or of a mode of it.

    >>> size(Layout((4, (2, 3)))), size((4, 2)), size(Layout((4, (2, 3))), 1)
    (24, 8, 6)
    """
    t = x.shape if isinstance(x, (Layout, ComposedLayout)) else checked_shape(x, "a shape")
    return product(_mode(t, modes) if modes else t)


def coshape(x: Layout, *modes: int) -> HTuple:
    """Return the shape of the codomain, of the layout or of the mode of a mode ... of it.

    With strides that are numbers it is the number `cosize`, with coordinate strides a shape.
    Post-conditions:
        size(result) == cosize(x, *modes)
        result == cosize(x, *modes) if not x.coordinate_strides

    >>> coshape(Layout((4, 8), (8, 1))), coshape(Layout.parse("(4,(2,3)):(1@0,(1@0@1,1@1@1))"))
    (32, (4, (2, 3)))
    """
    for m in modes:
        x = x[m]
    return x.coshape()


def cosize(x: Layout | ComposedLayout, *modes: int) -> Leaf:
    """Return 1 + the sum of (extent - 1) * |stride|, the size of the interval the offsets span.

    With modes: of the mode of a mode ... of the layout. With coordinate strides it is the size of
    the coshape, with a swizzled layout that without the swizzle, as CuTe has it.
    Post-conditions:
        result == 1 + max(map(x, range(size(x)))) - min(map(x, range(size(x))))
            if not modes and not x.coordinate_strides
        result == cosize(get(x, *modes))

    >>> cosize(Layout(4, 2)), cosize(Layout(8, 0)), cosize(Layout((2, 3), (3, -1)))
    (7, 1, 6)
    >>> cosize(Layout((2, (3, 4))), 1, 0), cosize(Layout.parse("(M,N):(N,1)"), 0)
    (5, N*(M-1)+1)
    """
    for m in modes:
        x = x[m]
    return x.cosize()
