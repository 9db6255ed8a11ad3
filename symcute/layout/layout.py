"""Layouts: immutable `shape:stride` maps from coordinates to offsets.

How a coordinate becomes an offset is in `evaluation.py`.

Source: cute/layout.hpp, cute/stride.hpp; CuTe white paper, sections on layouts and coordinates.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from symcute.errors import InputError, TextError
from symcute.expr.basis import (
    ScaledBasis,
    as_arithmetic_tuple,
    check_summable,
    number,
    rescaled,
)
from symcute.expr.expression import (
    NO_DIMS,
    free_dims,
    is_symbolic,
    maximum,
    read,
    value_at,
)
from symcute.expr.formula import le
from symcute.expr.htuple import (
    HTuple,
    Leaf,
    leaves,
    product,
    same_profile,
    show,
    transform,
    wrap,
)
from symcute.expr.htuple import (
    depth as _depth,
)
from symcute.expr.htuple import (
    flatten as _flatten,
)
from symcute.expr.notebook import Shown
from symcute.expr.parser import parse
from symcute.expr.syntax import Node, ungrouped
from symcute.layout.coordinates import evaluated, has_any, int_offset, sliced
from symcute.layout.shape_stride import (
    checked_shape,
    checked_stride,
    compact_col_major,
    compact_ints,
    is_plain,
)
from symcute.solve.entailment import facts

__all__ = ["Layout", "make_layout", "slice_", "slice_and_offset"]

#: Layouts made before, by the identity of their stride tuple: the same tuples, as the literals in
#: a loop are, need no second check. A layout keeps its tuples alive, so no id is taken twice; what
#: is kept is plain, ints in tuples that no one can change.
_MADE: dict[int, Layout] = {}
MAX_MADE = 4096


class _Making(type):
    """The making of a layout."""

    def __call__(cls, shape: HTuple, stride: HTuple = None) -> Layout:
        try:
            found = _MADE[id(stride)]
        except KeyError:
            pass
        else:
            if found.shape is shape:
                return found
        return _made(shape, stride)


class _Fields(Shown):
    """What a layout holds; writable until the class becomes that of a layout."""

    __slots__ = ("coordinate_strides", "parts", "plain", "shape", "stride")
    shape: HTuple
    stride: HTuple
    #: Whether some stride is a coordinate.
    coordinate_strides: bool
    #: Whether every leaf is an int: such layouts take the short road through the algebra.
    plain: bool
    #: The top-level modes, once they have been asked for.
    parts: tuple[Layout, ...]


class Layout(_Fields, metaclass=_Making):
    """The map `shape:stride`; immutable, hashable, callable at coordinates.

    `shape` and `stride` are congruent htuples; without a stride the layout is compact and
    column-major. Extents are at least 1, strides any integer; symbolic extents are taken to be at
    least 1, and a proof about the layout proves that too. Strides may also be coordinates (scaled
    basis elements such as `2@1`, see `ScaledBasis`); the layout then maps to coordinates.

    Errors: InputError for incongruent tuples, an extent below 1, a leaf that is no integer, or
    strides that have no sum.

    >>> L = Layout((4, (2, 2)), (2, (1, 8)))
    >>> print(L, L(2, (1, 0)), L(6), L(2, 1))
    (4,(2,2)):(2,(1,8)) 5 5 5
    >>> Layout((2, 3))
    Layout((2,3):(1,2))
    >>> from symcute.expr.basis import E
    >>> print(Layout((4, 8), (E(0), 2 * E(1)))(3, 5))
    (3,10)
    """

    __slots__ = ()

    def __init__(self, shape: HTuple, stride: HTuple = None) -> None:
        """Take a shape and a stride; the metaclass makes the layout, here are the types."""

    def __init_subclass__(cls) -> None:
        raise TypeError("a Layout has no subclasses")

    @classmethod
    def parse(cls, text: str) -> Layout:
        """Return the layout that text such as `(M,N):(LD,1)` writes, or CuTe prints or takes.

        A dim named in the text is an integer of at least 1. A swizzled layout, and an operation on
        layouts, is what `evaluate` reads. Errors: TextError with the place.

        >>> Layout.parse("((2,2),(2,4)):((1,4),(2,8))").size()
        32
        >>> Layout.parse("Layout<Shape<_8,_64>,Stride<_64,_1>>{}")
        Layout((8,64):(64,1))
        """

        def hook(node: Node) -> Any:
            if node.op == "layout":
                return read_layout(node, text, hook)
            if node.op == "call" and node.args[0] == "make_layout":
                return make_layout(*(read(x, text, hook) for x in node.args if isinstance(x, Node)))
            fix = "symcute.evaluate reads operations and swizzled layouts" if node.args else ""
            raise TextError("expected shape:stride", text, node.pos, fix)

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

    def _repr_svg_(self) -> str | None:
        """Return the picture that a notebook shows, None where there is none to draw."""
        import symcute  # pictures stand above layouts: they are reached through the front door

        try:
            return str(symcute.to_svg(self))
        except InputError:
            return None

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
            offset = int_offset(crd, self.shape, self.stride)
            if offset is not None:
                return offset
        if has_any(crd):
            return slice_(crd, self)
        return evaluated(crd, self.shape, self.stride)

    def __getitem__(self, mode: int) -> Layout:
        """Return one top-level mode as a layout.

        >>> print(Layout((4, (2, 3)))[1])
        (2,3):(4,8)
        """
        if type(mode) is int:
            try:
                return self.parts[mode]
            except IndexError:
                pass
            except AttributeError:
                _set_parts(self, tuple(self))
                return self[mode]
        raise InputError(f"{self} has no mode {mode}", f"its rank is {len(self)}")

    def __iter__(self) -> Iterator[Layout]:
        """Yield the top-level modes."""
        make = plain_layout if self.plain else _mode_layout
        return map(make, wrap(self.shape), wrap(self.stride))

    def __len__(self) -> int:
        """Return the rank."""
        return len(self.shape) if isinstance(self.shape, tuple) else 1

    def rank(self) -> int:
        """Return the number of top-level modes."""
        return len(self)

    def depth(self) -> int:
        """Return how deeply the shape nests."""
        return _depth(self.shape)

    def size(self) -> Leaf:
        """Return the number of coordinates."""
        return product(self.shape)

    def cosize(self) -> Leaf:
        """Return 1 + sum of (extent - 1) * |stride|; see the function `cosize`."""
        if self.plain:
            reach = 1
            pairs = zip(_flatten(self.shape), _flatten(self.stride))  # noqa: B905 - takes time
            for s, d in pairs:
                reach += (s - 1) * abs(d)
            return reach
        if self.coordinate_strides:
            return product(self.coshape())
        total: Leaf = 1
        for s, d in self.modes():
            total = total + (s - 1) * _absolute(d)
        return total

    def coshape(self) -> HTuple:
        """Return the shape of the codomain; see the function `coshape`."""
        if not self.coordinate_strides:
            return self.cosize()
        last: Any = 0
        for s, d in self.modes():
            last = last + (s - 1) * rescaled(d, _absolute(number(d)))
        return transform(lambda c: c + 1, tuple(as_arithmetic_tuple(last)))

    def modes(self) -> tuple[tuple[Leaf, Leaf], ...]:
        """Return the flat (extent, stride) pairs.

        >>> Layout((2, (3, 4))).modes()
        ((2, 1), (3, 2), (4, 6))
        """
        return tuple(zip(_flatten(self.shape), _flatten(self.stride), strict=True))

    def dims(self) -> set[str]:
        """Return the names of the dims that occur."""
        return set().union(*(free_dims(number(x)) for pair in self.modes() for x in pair))

    def at(self, dims: Mapping[str, int] = NO_DIMS, /, **named: int) -> Layout:
        """Return the static layout at integer values of the dims.

        Errors: InputError when a dim has no value, an extent is below 1, or a quotient is no
        integer.

        >>> print(Layout.parse("(M,N):(N,1)").at(M=2, N=3))
        (2,3):(3,1)
        """
        dims = {**dims, **named}
        return Layout(
            transform(lambda x: value_at(x, dims), self.shape),
            transform(lambda x: rescaled(x, value_at(number(x), dims)), self.stride),
        )

    def is_static(self) -> bool:
        """Return whether every leaf is an int."""
        return self.plain or not any(is_symbolic(number(x)) for pair in self.modes() for x in pair)


def _absolute(d: Leaf) -> Leaf:
    if isinstance(d, int):
        return abs(d)
    if facts().proves(le(0, d), solver=False):
        return d
    result: Leaf = maximum(d, -d)
    return result


_set_parts = _Fields.__dict__["parts"].__set__


def _made(shape: HTuple, stride: HTuple) -> Layout:
    """Return the layout of a shape and a stride that have yet to be checked."""
    if stride is None:
        if (compact := compact_ints(shape, 1)) is not None:
            return plain_layout(shape, compact[0])
    elif is_plain(shape, stride):
        layout = plain_layout(shape, stride)
        if len(_MADE) >= MAX_MADE:
            _MADE.clear()
        _MADE[id(stride)] = layout
        return layout
    if isinstance(shape, str):
        raise InputError(
            f"Layout takes tuples of integers, not the text {shape!r}",
            f"write Layout.parse({shape!r})",
        )
    shape = checked_shape(shape)
    bases: list[ScaledBasis] = []
    if stride is None:
        stride = compact_col_major(shape)
    else:
        stride = checked_stride(stride, bases)
        if not same_profile(shape, stride):
            raise InputError(
                f"shape {show(shape)} and stride {show(stride)} differ in hierarchy",
                "give every extent its stride, in the same parentheses",
            )
        if bases:
            check_summable(leaves(stride))
    return _filled(shape, stride, is_plain(shape, stride), bool(bases))


def _filled(shape: HTuple, stride: HTuple, plain: bool, coordinate_strides: bool) -> Layout:
    layout: Any = _Fields()
    layout.shape = shape
    layout.stride = stride
    layout.plain = plain
    layout.coordinate_strides = coordinate_strides
    layout.__class__ = Layout
    result: Layout = layout
    return result


def plain_layout(shape: HTuple, stride: HTuple) -> Layout:
    """Return the layout of what the caller knows to be congruent tuples of ints, extents >= 1.

    Nothing is checked: this is for results of operations on plain layouts.
    """
    layout: Any = _Fields()
    layout.shape = shape
    layout.stride = stride
    layout.plain = True
    layout.coordinate_strides = False
    layout.__class__ = Layout
    result: Layout = layout
    return result


def _symbolic(shape: HTuple, stride: HTuple) -> Layout:
    """Return the layout of checked layouts side by side, some of them with dims."""
    return _filled(shape, stride, plain=False, coordinate_strides=False)


def _mode_layout(shape: HTuple, stride: HTuple) -> Layout:
    """Return the layout of one mode of a layout: its leaves were checked with the whole."""
    if shape == ():
        return Layout(shape, stride)
    basis = any(isinstance(d, ScaledBasis) for d in leaves(stride))
    return _filled(shape, stride, is_plain(shape, stride), basis)


def read_layout(node: Node, text: str, hook: Any) -> Layout:
    """Return the layout of a `shape:stride` node; errors carry its place in the text."""
    left, right = node.args
    if not isinstance(left, Node) or not isinstance(right, Node):
        raise TypeError("a layout node has two nodes")
    # `(M*N):1` groups, `(8):(1)` is a rank-1 tuple: parentheses on both sides decide.
    if (left.op == "paren") != (right.op == "paren"):
        left, right = (ungrouped(x) for x in (left, right))
    try:
        return Layout(read(left, text, hook), read(right, text, hook))
    except TextError:
        raise
    except InputError as error:
        raise TextError(error.what, text, node.pos, error.fix) from None


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
            make = Layout if x.coordinate_strides or x.shape == () or make is Layout else _symbolic
    else:
        if args:
            return make(tuple(shapes), tuple(strides))
    if len(args) in (1, 2):
        return Layout(*args)
    raise InputError(
        f"make_layout takes a shape, a shape and a stride, or layouts; it got {len(args)} values",
        "write make_layout((4,8), (8,1))",
    )


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
    offset = sliced(crd, layout.shape, layout.stride, kept)
    make = plain_layout if layout.plain and kept else Layout
    return make(tuple([s for s, _ in kept]), tuple([d for _, d in kept])), offset
