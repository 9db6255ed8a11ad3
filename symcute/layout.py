"""Layouts: immutable `shape:stride` maps from coordinates to offsets.

A coordinate is 1-D (an index in colexicographic order), rank-R, natural (congruent to the shape),
or anything between. It may hold ints, SymPy expressions or NumPy arrays. As in CuTe the last mode
is not reduced modulo its extent, so a layout extends beyond its size.

Source: cute/layout.hpp, cute/stride.hpp; CuTe white paper, sections on layouts and coordinates.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from symcute.basis import (
    ArithmeticTuple,
    ScaledBasis,
    as_arithmetic_tuple,
    check_summable,
    fit,
    number,
    rescaled,
)
from symcute.errors import InputError, NotAdmissible, TextError
from symcute.exprs import as_leaf, floor_div, free_dims, is_symbolic, maximum, mod, read, value_at
from symcute.facts import facts
from symcute.formula import le
from symcute.htuple import (
    HTuple,
    Leaf,
    leaves,
    product,
    same_profile,
    show,
    times,
    transform,
    unflatten,
    wrap,
)
from symcute.htuple import (
    depth as _depth,
)
from symcute.htuple import (
    flatten as _flatten,
)
from symcute.htuple import (
    rank as _rank,
)
from symcute.text import Node, parse

__all__ = [
    "Layout",
    "coshape",
    "cosize",
    "crd2idx",
    "depth",
    "idx2crd",
    "make_layout",
    "make_ordered_layout",
    "rank",
    "shape",
    "size",
    "slice_",
    "slice_and_offset",
    "stride",
]


class Layout:
    """The map `shape:stride`; immutable, hashable, callable at coordinates.

    `shape` and `stride` are congruent htuples; without a stride the layout is compact and
    column-major. Extents are at least 1, strides any integer; symbolic extents are taken to be at
    least 1, and a proof about the layout proves that too. Strides may also be coordinates (scaled
    basis elements such as `2@1`, see stride.py); the layout then maps to coordinates.

    Errors: InputError for incongruent tuples, an extent below 1, a leaf that is no integer, or
    strides that have no sum.

    >>> L = Layout((4, (2, 2)), (2, (1, 8)))
    >>> print(L, L(2, (1, 0)), L(6), L(2, 1))
    (4,(2,2)):(2,(1,8)) 5 5 5
    >>> Layout((2, 3))
    Layout((2,3):(1,2))
    >>> from symcute.basis import E
    >>> print(Layout((4, 8), (E(0), 2 * E(1)))(3, 5))
    (3,10)
    """

    __slots__ = ("coordinate_strides", "plain", "shape", "stride")
    shape: HTuple
    stride: HTuple
    #: Whether some stride is a coordinate.
    coordinate_strides: bool
    #: Whether every leaf is an int: such layouts take the short road through the algebra.
    plain: bool

    def __init__(self, shape: HTuple, stride: HTuple = None) -> None:
        if stride is None:
            if (compact := _compact_ints(shape, 1)) is not None:
                _set_fields(self, shape, compact[0])
                return
        elif is_plain(shape, stride):
            _set_fields(self, shape, stride)
            return
        shape = _checked(shape, "the shape")
        for s in leaves(shape):
            if isinstance(s, int) and s < 1:
                raise InputError(f"extent {s} in the shape {show(shape)}", "extents are at least 1")
        bases: list[ScaledBasis] = []
        if stride is None:
            stride = compact_col_major(shape)
        else:
            stride = _checked_stride(stride, bases)
            if not same_profile(shape, stride):
                raise InputError(
                    f"shape {show(shape)} and stride {show(stride)} differ in hierarchy",
                    "give every extent its stride, in the same parentheses",
                )
            if bases:
                check_summable(leaves(stride))
        _set_fields(self, shape, stride, is_plain(shape, stride), bool(bases))

    @classmethod
    def parse(cls, text: str) -> Layout:
        """Return the layout that text such as `(M,N):(LD,1)` writes.

        A dim named in the text is an integer of at least 1. Errors: TextError with the place.

        >>> Layout.parse("((2,2),(2,4)):((1,4),(2,8))").size()
        32
        """

        def hook(node: Node) -> Any:
            if node.op == "layout":
                return read_layout(node, text, hook)
            raise TextError("expected shape:stride", text, node.pos)

        value = read(parse(text, what="layout"), text, hook)
        return value if isinstance(value, Layout) else cls(value)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("a Layout is immutable")

    def __eq__(self, other: object) -> bool:
        """Return whether shape and stride are the same tuples (not: the same map)."""
        if not isinstance(other, Layout):
            return NotImplemented
        return bool(self.shape == other.shape and self.stride == other.stride)

    def __hash__(self) -> int:
        return hash((self.shape, self.stride))

    def __str__(self) -> str:
        """Return the text that CuTe prints."""
        return f"{show(self.shape)}:{show(self.stride)}"

    def __repr__(self) -> str:
        return f"Layout({self})"

    def __reduce__(self) -> Any:
        return Layout, (self.shape, self.stride)

    def __call__(self, *coordinate: Any) -> Any:
        """Return the offset at a coordinate, or the slice if the coordinate holds `_` (None).

        >>> Layout((3, (2, 3)), (3, (12, 1)))(16)
        17
        >>> print(Layout((5, 2, 3), (1, 4, 3))(None, 1, None))
        (5,3):(1,3)
        """
        crd = coordinate[0] if len(coordinate) == 1 else coordinate
        if self.plain:
            offset = _int_offset(crd, self.shape, self.stride)
            if offset is not None:
                return offset
        if _has_any(crd):
            return slice_(crd, self)
        return _evaluated(crd, self.shape, self.stride)

    def __getitem__(self, mode: int) -> Layout:
        """Return one top-level mode as a layout.

        >>> print(Layout((4, (2, 3)))[1])
        (2,3):(4,8)
        """
        shapes, strides = self.shape, self.stride
        if not isinstance(shapes, tuple):
            shapes, strides = (shapes,), (strides,)
        if not isinstance(mode, int) or not -len(shapes) <= mode < len(shapes):
            raise InputError(f"{self} has no mode {mode}", f"its rank is {len(shapes)}")
        make = plain_layout if self.plain else Layout
        return make(shapes[mode], strides[mode])

    def __iter__(self) -> Iterator[Layout]:
        """Yield the top-level modes."""
        make = plain_layout if self.plain else Layout
        return map(make, wrap(self.shape), wrap(self.stride))

    def __len__(self) -> int:
        """Return the rank."""
        return len(self.shape) if isinstance(self.shape, tuple) else 1

    def rank(self) -> int:
        """Return the number of top-level modes."""
        return _rank(self.shape)

    def depth(self) -> int:
        """Return how deeply the shape nests."""
        return _depth(self.shape)

    def size(self) -> Leaf:
        """Return the number of coordinates."""
        return product(self.shape)

    def cosize(self) -> Leaf:
        """Return 1 + sum of (extent - 1) * |stride|; see the function `cosize`."""
        return cosize(self)

    def modes(self) -> tuple[tuple[Leaf, Leaf], ...]:
        """Return the flat (extent, stride) pairs.

        >>> Layout((2, (3, 4))).modes()
        ((2, 1), (3, 2), (4, 6))
        """
        return tuple(zip(_flatten(self.shape), _flatten(self.stride), strict=True))

    def dims(self) -> set[str]:
        """Return the names of the dims that occur."""
        return set().union(*(free_dims(number(x)) for pair in self.modes() for x in pair))

    def at(self, dims: dict[str, int]) -> Layout:
        """Return the static layout at integer values of the dims.

        Errors: InputError when a dim has no value, an extent is below 1, or a quotient is no
        integer.

        >>> print(Layout.parse("(M,N):(N,1)").at({"M": 2, "N": 3}))
        (2,3):(3,1)
        """
        return Layout(
            transform(lambda x: value_at(x, dims), self.shape),
            transform(lambda x: rescaled(x, value_at(number(x), dims)), self.stride),
        )

    def is_static(self) -> bool:
        """Return whether every leaf is an int."""
        return self.plain or not any(is_symbolic(number(x)) for pair in self.modes() for x in pair)


_set_shape, _set_stride = Layout.__dict__["shape"].__set__, Layout.__dict__["stride"].__set__
_set_plain = Layout.__dict__["plain"].__set__
_set_coordinate_strides = Layout.__dict__["coordinate_strides"].__set__


def _set_fields(
    layout: Layout, shape: HTuple, stride: HTuple, plain: bool = True, basis: bool = False
) -> None:
    # The slots themselves: a fifth of the time that object.__setattr__ takes in all.
    _set_shape(layout, shape)
    _set_stride(layout, stride)
    _set_plain(layout, plain)
    _set_coordinate_strides(layout, basis)


def _compact_ints(shape: HTuple, start: int) -> tuple[HTuple, int] | None:
    """Return the compact column-major stride of a plain shape, and where it ends; else None."""
    if type(shape) is int:
        return (start if shape > 1 else 0, start * shape) if shape >= 1 else None
    if type(shape) is not tuple or not shape:
        return None
    stride: list[HTuple] = []
    for s in shape:
        if type(s) is int:
            if s < 1:
                return None
            stride.append(start if s > 1 else 0)
            start *= s
        else:
            part = _compact_ints(s, start)
            if part is None:
                return None
            stride.append(part[0])
            start = part[1]
    return tuple(stride), start


def plain_layout(shape: HTuple, stride: HTuple) -> Layout:
    """Return the layout of what the caller knows to be congruent tuples of ints, extents >= 1.

    Nothing is checked: this is for results of operations on plain layouts.
    """
    layout: Layout = object.__new__(Layout)
    _set_shape(layout, shape)
    _set_stride(layout, stride)
    _set_plain(layout, True)
    _set_coordinate_strides(layout, False)
    return layout


def is_plain(shape: HTuple, stride: HTuple) -> bool:
    """Return whether these are congruent tuples of ints, extents >= 1, and no tuple is empty."""
    if type(shape) is int:
        return shape >= 1 and type(stride) is int
    if type(shape) is not tuple or type(stride) is not tuple or len(shape) != len(stride):
        return False
    for s, d in zip(shape, stride, strict=True):
        if type(s) is int:
            if s < 1 or type(d) is not int:
                return False
        elif type(s) is not tuple or not is_plain(s, d):
            return False
    return bool(shape)


def _checked(t: HTuple, where: str) -> HTuple:
    """Return the htuple with lists made tuples and every leaf an int or an expression in dims."""
    if type(t) is int:
        return t
    if isinstance(t, (tuple, list)):
        if any(isinstance(x, (tuple, list)) and not x for x in t):
            raise InputError(f"an empty tuple inside {where}", "give every mode an extent")
        return tuple([_checked(x, where) for x in t])
    return as_leaf(t, where)


def _checked_stride(t: HTuple, bases: list[ScaledBasis]) -> HTuple:
    """Return a stride checked as `_checked` does; its basis elements are appended to `bases`."""
    if type(t) is int:
        return t
    if isinstance(t, (tuple, list)):
        return tuple([_checked_stride(x, bases) for x in t])
    if isinstance(t, ScaledBasis):
        t = ScaledBasis(as_leaf(t.value, "the stride"), t.modes)
        bases.append(t)
        return t
    return as_leaf(t, "the stride")


def read_layout(node: Node, text: str, hook: Any) -> Layout:
    """Return the layout of a `shape:stride` node; errors carry its place in the text."""
    left, right = node.args
    if not isinstance(left, Node) or not isinstance(right, Node):
        raise TypeError("a layout node has two nodes")
    # `(M*N):1` groups, `(8):(1)` is a rank-1 tuple: parentheses on both sides decide.
    if (left.op == "paren") != (right.op == "paren"):
        left, right = (_ungroup(x) for x in (left, right))
    try:
        return Layout(read(left, text, hook), read(right, text, hook))
    except TextError:
        raise
    except InputError as error:
        raise TextError(error.what, text, node.pos, error.fix) from None


def _ungroup(node: Node) -> Node:
    while node.op == "paren" and isinstance(node.args[0], Node):
        node = node.args[0]
    return node


def compact_col_major(shape: HTuple, start: Leaf = 1) -> HTuple:
    """Return the compact column-major stride; an extent that is the int 1 gets stride 0.

    >>> compact_col_major((4, 1, 3))
    (1, 0, 4)
    """
    current = start

    def build(s: HTuple) -> HTuple:
        nonlocal current
        if isinstance(s, tuple):
            return tuple([build(x) for x in s])
        if isinstance(s, int) and s == 1:
            return 0
        here, current = current, times(current, s)
        return here

    return build(shape)


def make_layout(*args: Any) -> Layout:
    """Return a layout from a shape, a shape and a stride, or the concatenation of layouts.

    >>> print(make_layout((4, 3)), make_layout((4, 3), (3, 1)))
    (4,3):(1,4) (4,3):(3,1)
    >>> print(make_layout(Layout(4), Layout((2, 2), (8, 4))))
    (4,(2,2)):(1,(8,4))
    """
    shapes, strides, make = [], [], plain_layout
    for x in args:
        if not isinstance(x, Layout):
            break
        shapes.append(x.shape)
        strides.append(x.stride)
        if not x.plain:
            make = Layout
    else:
        if args:
            return make(tuple(shapes), tuple(strides))
    if len(args) in (1, 2):
        return Layout(*args)
    raise InputError(
        f"make_layout takes a shape, a shape and a stride, or layouts; it got {len(args)} values",
        "write make_layout((4,8), (8,1))",
    )


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
    >>> from symcute.assumptions import dims
    >>> a, b, M = dims("a b M")
    >>> print(make_ordered_layout((2, M, 4, 5), (2, a, b, 50)))
    (2,M,4,5):(1,10,10*M,2)
    """
    shape = _checked(shape, "the shape")
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


def _mode(t: HTuple, modes: tuple[int, ...]) -> HTuple:
    """Return the mode of a mode ... of an htuple; mode 0 of a leaf is the leaf."""
    for m in modes:
        items = wrap(t)
        if not isinstance(m, int) or not -len(items) <= m < len(items):
            raise InputError(f"{show(t)} has no mode {m}", f"its rank is {len(items)}")
        t = items[m]
    return t


def shape(x: Any, *modes: int) -> HTuple:
    """Return the shape of a layout (of a shape: itself), or of the mode of a mode ... of it.

    Errors: InputError for a mode that is not there.

    >>> L = Layout((4, (2, 3)))
    >>> shape(L), shape(L, 1), shape(L, 1, 0)
    ((4, (2, 3)), (2, 3), 2)
    """
    return _mode(x.shape if isinstance(x, Layout) else _checked(x, "a shape"), modes)


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
    t = x.shape if isinstance(x, Layout) else x
    if modes:
        t = _mode(t, modes)
    return len(t) if isinstance(t, tuple) else 1


def depth(x: Any, *modes: int) -> int:
    """Return how deeply a layout's shape, or an htuple, or a mode of it, nests.

    >>> depth(6), depth((3, (6, 2), 8)), depth(Layout((4, 3))), depth(Layout((4, 3)), 1)
    (0, 2, 1, 0)
    """
    return _depth(_mode(x.shape if isinstance(x, Layout) else x, modes))


def size(x: Any, *modes: int) -> Leaf:
    """Return the number of coordinates of a layout or a shape, or of a mode of it.

    >>> size(Layout((4, (2, 3)))), size((4, 2)), size(Layout((4, (2, 3))), 1)
    (24, 8, 6)
    """
    t = x.shape if isinstance(x, Layout) else _checked(x, "a shape")
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
    if not x.coordinate_strides:
        return cosize(x)
    last: Any = 0
    for s, d in x.modes():
        last = last + (s - 1) * rescaled(d, _absolute(number(d)))
    return transform(lambda c: c + 1, tuple(as_arithmetic_tuple(last)))


def cosize(x: Layout, *modes: int) -> Leaf:
    """Return 1 + the sum of (extent - 1) * |stride|, the size of the interval the offsets span.

    With modes: of the mode of a mode ... of the layout. With coordinate strides it is the size of
    the coshape.
    Post-conditions:
        result == 1 + max(map(x, range(size(x)))) - min(map(x, range(size(x))))
            if not modes and not x.coordinate_strides
        result == cosize(get(x, *modes))

    >>> cosize(Layout(4, 2)), cosize(Layout(8, 0)), cosize(Layout((2, 3), (3, -1)))
    (7, 1, 6)
    >>> cosize(Layout((2, (3, 4))), 1, 0), cosize(Layout.parse("(M,N):(N,1)"), 0)
    (5, N*(M - 1) + 1)
    """
    for m in modes:
        x = x[m]
    if x.plain:
        reach = 1
        for s, d in zip(_flatten(x.shape), _flatten(x.stride), strict=True):
            reach += (s - 1) * abs(d)
        return reach
    if x.coordinate_strides:
        return product(coshape(x))
    total: Leaf = 1
    for s, d in x.modes():
        total = total + (s - 1) * _absolute(d)
    return total


def _absolute(d: Leaf) -> Leaf:
    if isinstance(d, int):
        return abs(d)
    if facts().proves(le(0, d), solver=False):
        return d
    result: Leaf = maximum(d, -d)
    return result


def crd2idx(crd: Any, shape: HTuple, stride: HTuple = None) -> Any:
    """Return the offset of a coordinate under `shape:stride` (column-major without a stride).

    Where the coordinate has a number and the shape a tuple, the number is split in
    colexicographic order; the last mode takes what is left.
    Pre-conditions:
        # Each coordinate lies within its extent; beyond it an extent of 1 may have any stride.
        0 <= c < s for s, c in Layout(shape, idx2crd(crd, shape)).modes()
    Post-conditions:
        result == crd2idx(idx2crd(crd, shape), shape, stride)
        idx2crd(result, shape) == idx2crd(crd, shape) if stride is None
    Errors: InputError when the coordinate's hierarchy does not fit.

    >>> crd2idx((1, 5), (3, (2, 3)), (3, (12, 1))), crd2idx(5, (2, 3), (3, 1))
    (17, 5)
    """
    offset = _int_offset(crd, shape, stride)
    if offset is not None:
        return offset
    shape = _checked(shape, "the shape")
    stride = compact_col_major(shape) if stride is None else _checked_stride(stride, [])
    if not same_profile(shape, stride):
        raise InputError(f"{show(shape)} and {show(stride)} differ in hierarchy", "")
    return _evaluated(crd, shape, stride)


def _int_offset(crd: Any, shape: HTuple, stride: HTuple) -> int | None:
    """Return the offset when all are ints, extents at least 1, and fit together; else None."""
    if type(crd) is int:
        if type(shape) is int:
            return int(crd * stride) if shape >= 1 and type(stride) is int else None
        found = _walk(crd, shape, stride)
        if found is None:
            return None
        while type(shape) is tuple:
            shape, stride = shape[-1], stride[-1]
        return int(found[0] + found[1] * shape * stride)  # the last mode is not reduced
    total = 0
    if type(crd) is not tuple or type(shape) is not tuple or type(stride) is not tuple:
        return None
    if not crd or not len(crd) == len(shape) == len(stride):
        return None
    for c, s, d in zip(crd, shape, stride, strict=True):
        if type(c) is int and type(s) is int and type(d) is int and s >= 1:
            total += c * d
        else:
            part = _int_offset(c, s, d)
            if part is None:
                return None
            total += part
    return total


def _walk(idx: int, shape: HTuple, stride: HTuple) -> tuple[int, int] | None:
    """Return the offset of an index modulo the size, and the index divided by the size.

    None where not all are ints, extents at least 1, or shape and stride are not congruent tuples.
    """
    if type(shape) is not tuple or type(stride) is not tuple or len(shape) != len(stride):
        return None
    total = 0
    for s, d in zip(shape, stride, strict=True):
        if type(s) is int and type(d) is int and s >= 1:
            # The extents inside a mode multiply to its size: the leaves split the index in turn.
            idx, digit = divmod(idx, s)
            total += digit * d
        else:
            part = _walk(idx, s, d)
            if part is None:
                return None
            total += part[0]
            idx = part[1]
    return (total, idx) if shape else None


def _evaluated(crd: Any, shape: HTuple, stride: HTuple) -> Any:
    """Return the offset of a coordinate yet to be checked under a checked layout."""
    crd = _coordinate(crd, shape)
    if _has_array(crd) and _reach(shape, stride) >= 1 << 62:
        crd = _exact(crd)
    return _offset(crd, shape, stride)


def _has_array(crd: Any) -> bool:
    return any(_has_array(x) for x in crd) if isinstance(crd, tuple) else hasattr(crd, "dtype")


def _reach(shape: HTuple, stride: HTuple) -> int:
    """Return the largest number met on the way to an offset, 0 where a leaf is symbolic."""
    pairs = [(s, number(d)) for s, d in zip(leaves(shape), leaves(stride), strict=True)]
    if any(is_symbolic(x) for pair in pairs for x in pair):
        return 0
    return max(int(product(shape)), sum(int(s) * abs(int(d)) for s, d in pairs))


def _exact(crd: Any) -> Any:
    """Return a coordinate whose arrays hold Python ints, which do not wrap."""
    if isinstance(crd, tuple):
        return tuple(_exact(x) for x in crd)
    return crd.astype(object) if hasattr(crd, "dtype") else crd


def _offset(crd: Any, shape: HTuple, stride: HTuple) -> Any:
    if isinstance(crd, tuple):
        if not isinstance(shape, tuple) or len(crd) != len(shape):
            raise InputError(
                f"the coordinate {show(crd)} does not fit the shape {show(shape)}",
                "give an index, or one coordinate for each mode",
            )
        parts = [_offset(*x) for x in zip(crd, shape, stride, strict=True)]
        return sum(parts[1:], parts[0]) if parts else 0
    if not isinstance(shape, tuple):
        return crd * stride
    if not shape:
        return 0
    total: Any = 0
    for s, d in zip(shape[:-1], stride[:-1], strict=True):
        extent = product(s)
        total = total + _offset(mod(crd, extent), s, d)
        crd = floor_div(crd, extent)
    return total + _offset(crd, shape[-1], stride[-1])


def idx2crd(idx: Any, shape: HTuple) -> Any:
    """Return the natural coordinate of an index (or coordinate) in a shape.

    The last mode is not reduced modulo its extent.
    Post-conditions:
        congruent(result, shape)
        crd2idx(result, shape) == crd2idx(idx, shape)

    >>> idx2crd(16, (3, (2, 3)))
    (1, (1, 2))
    """
    if type(idx) is int and is_plain(shape, shape):
        return _split_int(idx, shape)
    shape = _checked(shape, "the shape")
    return _split(_coordinate(idx, shape), shape)


def _split_int(idx: int, shape: HTuple) -> Any:
    """Return the natural coordinate of an int in a shape of ints."""
    if type(shape) is int:
        return idx
    result = []
    for s in shape[:-1]:
        idx, digit = divmod(idx, s if type(s) is int else int(product(s)))
        result.append(digit if type(s) is int else _split_int(digit, s))
    result.append(_split_int(idx, shape[-1]))
    return tuple(result)


def _split(crd: Any, shape: HTuple) -> Any:
    if isinstance(crd, tuple):
        if not isinstance(shape, tuple) or len(crd) != len(shape):
            raise InputError(
                f"the coordinate {show(crd)} does not fit the shape {show(shape)}",
                "give an index, or one coordinate for each mode",
            )
        return tuple(_split(c, s) for c, s in zip(crd, shape, strict=True))
    if not isinstance(shape, tuple):
        return crd
    if not shape:
        return ()
    result = []
    for s in shape[:-1]:
        extent = product(s)
        result.append(_split(mod(crd, extent), s))
        crd = floor_div(crd, extent)
    return (*result, _split(crd, shape[-1]))


def _coordinate(crd: Any, shape: HTuple = 1) -> Any:
    """Return a coordinate with lists made tuples; NumPy arrays pass through.

    A coordinate that another layout gave may be shorter than the shape: zeros follow.
    """
    if type(crd) is int:
        return crd
    if isinstance(crd, (ArithmeticTuple, ScaledBasis)):
        crd = fit(crd, shape)
    if isinstance(crd, (tuple, list)):
        return tuple([_coordinate(x) for x in crd])
    if hasattr(crd, "dtype") and crd.ndim > 0:
        if crd.dtype.kind not in "iuO":
            raise InputError(f"a coordinate array of {crd.dtype}", "use an integer array")
        return crd if crd.dtype.kind == "O" else crd.astype("int64")
    if isinstance(crd, Layout) or crd is None or isinstance(crd, str):
        raise InputError(f"{crd!r} is not a coordinate", "use integers and tuples of them")
    return as_leaf(crd, "a coordinate")


def _has_any(crd: Any) -> bool:
    if isinstance(crd, (tuple, list)):
        for x in crd:  # noqa: SIM110 - `any` takes twice the time
            if x is None or (type(x) is not int and _has_any(x)):
                return True
        return False
    return crd is None


def slice_(crd: Any, layout: Layout) -> Layout:
    """Return the modes where the coordinate is `_` (None).

    The kept modes form one tuple, nested tuples lifted one level, as CuTe does it; when no mode is
    kept the result is the rank-0 layout `():()`.
    Post-conditions:
        sorted(result.modes() + dice(crd, layout).modes()) == sorted(layout.modes())
        size(result) * size(dice(crd, layout)) == size(layout)
    Errors: InputError when the coordinate does not fit.

    >>> print(slice_((None, 1, None), Layout((5, 2, 3), (1, 4, 3))))
    (5,3):(1,3)
    """
    return slice_and_offset(crd, layout)[0]


def slice_and_offset(crd: Any, layout: Layout) -> tuple[Layout, Any]:
    """Return the slice and the offset that the fixed coordinates add.

    Post-conditions:
        result[0] == slice_(crd, layout)
        # The offset is what the fixed coordinates add; with it the slice is the layout there.
        result[1] == layout(tuple(c or 0 for c in crd)) if depth(crd) == 1
        result[1] + result[0](i) == layout(tuple(i if c is None else c for c in crd))
            for i in range(size(result[0])) if depth(crd) == 1 and crd.count(None) == 1

    >>> print(*slice_and_offset((None, 1, None), Layout((5, 2, 3), (1, 4, 3))))
    (5,3):(1,3) 4
    """
    if crd is None:
        return layout, 0
    kept: list[tuple[HTuple, HTuple]] = []
    offset = _slice(crd, layout.shape, layout.stride, kept)
    make = plain_layout if layout.plain and kept else Layout
    return make(tuple([s for s, _ in kept]), tuple([d for _, d in kept])), offset


def _slice(crd: Any, shape: HTuple, stride: HTuple, kept: list[tuple[HTuple, HTuple]]) -> Any:
    if crd is None:
        kept.append((shape, stride))
        return 0
    if type(crd) is int and type(shape) is int and type(stride) is int:
        return crd * stride
    if not _has_any(crd):
        return crd2idx(crd, shape, stride)
    if not isinstance(shape, tuple) or len(crd) != len(shape):
        raise InputError(
            f"the coordinate {show(tuple(crd))} does not fit {show(shape)}:{show(stride)}",
            "give one coordinate for each mode",
        )
    parts = [_slice(*x, kept) for x in zip(crd, shape, stride, strict=True)]
    return sum(parts[1:], parts[0])
