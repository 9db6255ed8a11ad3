"""Swizzles, and the layouts they turn around: `Sw<3,4,3> o 0 o (8,64):(64,1)`.

A swizzle exclusive-ors some bits of an offset with others, so that a column of a tile in shared
memory falls into different banks. It is no layout (no strides give it), hence composed layouts: a
swizzle after an offset after a layout, where the layout has the coordinates.

Source: cute/swizzle.hpp, cute/layout_composed.hpp, cute/swizzle_layout.hpp.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, TypeVar

from symcute.errors import InputError
from symcute.expr.expression import NO_DIMS, as_leaf, free_dims, is_symbolic, value_at
from symcute.expr.htuple import HTuple, Leaf, show, show_leaf
from symcute.expr.notebook import Shown
from symcute.layout.coordinates import has_any
from symcute.layout.layout import Layout, slice_and_offset

__all__ = [
    "ComposedLayout",
    "LayoutT",
    "MapT",
    "Swizzle",
    "UnswizzledLayout",
    "get_nonswizzle_portion",
    "get_swizzle_portion",
    "make_swizzle",
]


#: The widest offsets that are swizzled.
MAX_BITS = 64


@dataclass(frozen=True, slots=True)
class Swizzle:
    """`Sw<bits,base,shift>`: bits [base, base+bits) are exclusive-ored with those `shift` above.

    With a negative shift it is the upper field that changes, by the lower one. The two fields must
    not overlap, so a swizzle is its own inverse.
    Errors: InputError for a negative `bits` or `base`, |shift| < bits (fields that overlap), and
    fields that reach beyond 64 bits.

    >>> sw = Swizzle(3, 4, 3)
    >>> sw(0b1010000000), sw(sw(12345))
    (720, 12345)
    >>> print(sw, sw.period)
    Sw<3,4,3> 128
    """

    bits: int
    base: int
    shift: int

    def __post_init__(self) -> None:
        for name, value in (("bits", self.bits), ("base", self.base), ("shift", self.shift)):
            if type(value) is not int:
                raise InputError(
                    f"{name} of a swizzle is {value!r}", "bits, base and shift are ints"
                )
        if self.bits < 0 or self.base < 0:
            raise InputError(f"{self} has a negative field", "bits and base are at least 0")
        if abs(self.shift) < self.bits:
            raise InputError(
                f"the two fields of {self} overlap", f"the shift is at least {self.bits} either way"
            )
        if self.bits + self.base + abs(self.shift) > MAX_BITS:
            raise InputError(
                f"{self} reaches beyond bit {MAX_BITS - 1}",
                f"bits + base + |shift| is at most {MAX_BITS}",
            )

    @property
    def source(self) -> int:
        """The mask of the bits that are read (CuTe's yyy)."""
        return (1 << self.bits) - 1 << self.base + max(0, self.shift)

    @property
    def target(self) -> int:
        """The mask of the bits that change (CuTe's zzz)."""
        return (1 << self.bits) - 1 << self.base - min(0, self.shift)

    @property
    def period(self) -> int:
        """The smallest power of two whose aligned blocks of offsets the swizzle permutes.

        Each block [k*period, (k+1)*period) is mapped onto itself: no bit above it changes.
        """
        return 1 << self.target.bit_length()

    @property
    def reach(self) -> int:
        """The smallest power of two above both fields: its multiples pass through the swizzle.

        For all x and k, sw(x + k*reach) == sw(x) + k*reach.

        >>> Swizzle(3, 4, 3).reach, Swizzle(3, 4, 3).period
        (1024, 128)
        """
        return 1 << (self.source | self.target).bit_length()

    def __call__(self, offset: Any) -> Any:
        """Return the offset swizzled; works on ints and on NumPy or CuPy arrays of ints.

        Errors: InputError for an expression in dims, whose bits are not known.
        """
        if isinstance(offset, (tuple, Layout)) or is_symbolic(offset):
            shown = offset if isinstance(offset, Layout) else show(offset)
            raise InputError(
                f"{self} takes numbers, not {shown}", "give numbers, and values for all dims"
            )
        moved = offset & self.source
        return offset ^ (moved >> self.shift if self.shift >= 0 else moved << -self.shift)

    def __str__(self) -> str:
        """Return the text that CuTe prints."""
        return f"Sw<{self.bits},{self.base},{self.shift}>"


def make_swizzle(source: int, target: int) -> Swizzle:
    """Return the swizzle that exclusive-ors the bits of `target` with those of `source`.

    Pre-conditions: both masks are runs of the same number of bits that do not overlap.
    Errors: InputError otherwise.
    Source: cute/swizzle.hpp, make_swizzle.

    >>> print(make_swizzle(0b1000, 0b0100), make_swizzle(0b11000000, 0b00000110))
    Sw<1,2,1> Sw<2,1,5>
    """
    if type(source) is not int or type(target) is not int:
        raise InputError(f"the masks {source!r} and {target!r}", "give two integers")
    if source == target == 0:
        return Swizzle(0, 0, 0)
    starts = []
    for name, mask in (("source", source), ("target", target)):
        start = (mask & -mask).bit_length() - 1
        if mask <= 0 or (mask >> start) & ((mask >> start) + 1):
            raise InputError(f"the {name} mask {mask:#b} is no run of bits", "give one run of ones")
        starts.append(start)
    if source.bit_count() != target.bit_count():
        raise InputError(
            f"the masks {source:#b} and {target:#b} have different numbers of bits",
            "a swizzle reads as many bits as it changes",
        )
    return Swizzle(source.bit_count(), min(starts), starts[0] - starts[1])


@dataclass(frozen=True, slots=True)
class ComposedLayout(Shown):
    """`swizzle o offset o layout`: the coordinate c goes to swizzle(offset + layout(c)).

    The shape, and all that speaks of coordinates, is the layout's. The operations that CuTe has for
    these, such as `tile_to_shape` and `logical_divide`, act on the layout and keep swizzle and
    offset; they are the functions of those names.
    Errors: InputError when the layout gives coordinates instead of offsets.

    >>> C = ComposedLayout(Swizzle(3, 0, 3), 0, Layout((8, 8), (8, 1)))
    >>> print(C, C(1, 0), C(1, 1), C.size())
    Sw<3,0,3> o 0 o (8,8):(8,1) 9 8 64
    """

    swizzle: Swizzle
    offset: Leaf
    layout: Layout
    #: As for layouts: whether the short road through the algebra is open.
    plain: ClassVar[bool] = False

    def __post_init__(self) -> None:
        if not isinstance(self.swizzle, Swizzle) or not isinstance(self.layout, Layout):
            raise InputError(
                f"{self.swizzle} o {self.offset} o {self.layout} is no composed layout",
                "give a swizzle, an offset and a layout",
            )
        if self.layout.coordinate_strides:
            raise InputError(
                f"{self.layout} gives coordinates, which cannot be swizzled",
                "give a layout whose strides are numbers",
            )
        object.__setattr__(self, "offset", as_leaf(self.offset, "an offset"))

    @property
    def shape(self) -> HTuple:
        """The shape of the layout."""
        return self.layout.shape

    @property
    def stride(self) -> HTuple:
        """Nothing: a swizzled layout has no strides.

        Errors: InputError, always.
        """
        raise InputError(f"{self} has no strides", "ask for those of its layout")

    def map(self, function: Callable[..., Layout], *args: Any, **named: Any) -> ComposedLayout:
        """Return the swizzle and the offset after what a function makes of the layout.

        >>> print(ComposedLayout(Swizzle(3, 0, 3), 0, Layout(8)).map(lambda x: x[0]))
        Sw<3,0,3> o 0 o 8:1
        """
        return ComposedLayout(self.swizzle, self.offset, function(self.layout, *args, **named))

    def __getitem__(self, mode: int) -> ComposedLayout:
        """Return one top-level mode, the others at 0.

        Errors: InputError for a mode that is not there.
        """
        return ComposedLayout(self.swizzle, self.offset, self.layout[mode])

    def __iter__(self) -> Iterator[ComposedLayout]:
        """Yield the top-level modes, each with the others at 0."""
        return (ComposedLayout(self.swizzle, self.offset, mode) for mode in self.layout)

    def __len__(self) -> int:
        """Return the rank."""
        return len(self.layout)

    def rank(self) -> int:
        """Return the number of top-level modes."""
        return self.layout.rank()

    def depth(self) -> int:
        """Return how deeply the shape nests."""
        return self.layout.depth()

    def size(self) -> Leaf:
        """Return the number of coordinates."""
        return self.layout.size()

    def cosize(self) -> Leaf:
        """Return that of the layout, as CuTe does."""
        return self.layout.cosize()

    def modes(self) -> tuple[tuple[Leaf, Leaf], ...]:
        """Return the flat (extent, stride) pairs of the layout."""
        return self.layout.modes()

    def dims(self) -> set[str]:
        """Return the names of the dims that occur."""
        return self.layout.dims() | free_dims(self.offset)

    def at(self, dims: Mapping[str, int] = NO_DIMS, /, **named: int) -> ComposedLayout:
        """Return the composed layout at integer values of the dims.

        Errors: InputError as for a layout.
        """
        dims = {**dims, **named}
        return ComposedLayout(self.swizzle, value_at(self.offset, dims), self.layout.at(dims))

    def is_static(self) -> bool:
        """Return whether the offset and every leaf are ints."""
        return isinstance(self.offset, int) and self.layout.is_static()

    def __call__(self, *coordinate: Any) -> Any:
        """Return the swizzled offset at a coordinate; ints, or NumPy and CuPy arrays.

        With `_` (None) in it, the swizzled layout of the modes where it stands.
        Errors: InputError as for a layout, and where dims have no value.

        >>> C = ComposedLayout(Swizzle(3, 0, 3), 0, Layout((8, 8), (8, 1)))
        >>> C(3, 1), str(C(3, None))
        (26, 'Sw<3,0,3> o 24 o (8):(1)')
        """
        crd = coordinate[0] if len(coordinate) == 1 else coordinate
        if has_any(crd):
            kept, offset = slice_and_offset(crd, self.layout)
            return ComposedLayout(self.swizzle, self.offset + offset, kept)
        return self.swizzle(self.offset + self.layout(*coordinate))

    def _repr_svg_(self) -> str | None:
        """Return the picture that a notebook shows, None where there is none to draw."""
        import symcute  # pictures stand above layouts: they are reached through the front door

        try:
            return str(symcute.to_svg(self))
        except InputError:
            return None

    def __str__(self) -> str:
        """Return the text that CuTe prints."""
        return f"{self.swizzle} o {show_leaf(self.offset)} o {self.layout}"


@dataclass(frozen=True, slots=True)
class UnswizzledLayout:
    """`layout o offset o swizzle`: the index i goes to layout(offset + swizzle(i)).

    It is what undoes a swizzled layout where no swizzle after a layout does. It has an index only,
    no coordinates: no shape, and no operations.

    >>> U = UnswizzledLayout(Layout(8), -16, Swizzle(1, 0, 4))
    >>> print(U, U(17))
    8:1 o -16 o Sw<1,0,4> 0
    """

    layout: Layout
    offset: Leaf
    swizzle: Swizzle

    def __call__(self, index: Any) -> Any:
        """Return the value at an index, an int or an array of them.

        Errors: InputError where dims have no value.
        """
        return self.layout(self.offset + self.swizzle(index))

    def size(self) -> Leaf:
        """Return the size of the layout."""
        return self.layout.size()

    def dims(self) -> set[str]:
        """Return the names of the dims that occur."""
        return self.layout.dims() | free_dims(self.offset)

    def at(self, dims: Mapping[str, int] = NO_DIMS, /, **named: int) -> UnswizzledLayout:
        """Return the map at integer values of the dims."""
        dims = {**dims, **named}
        return UnswizzledLayout(self.layout.at(dims), value_at(self.offset, dims), self.swizzle)

    def __str__(self) -> str:
        """Return the text that CuTe prints."""
        return f"{self.layout} o {show_leaf(self.offset)} o {self.swizzle}"


def get_swizzle_portion(layout: Layout | ComposedLayout) -> Swizzle:
    """Return the swizzle of a layout; of one without, the one of no bits that CuTe gives.

    >>> print(get_swizzle_portion(Layout(8)))
    Sw<0,4,3>
    """
    return layout.swizzle if isinstance(layout, ComposedLayout) else Swizzle(0, 4, 3)


def get_nonswizzle_portion(layout: Layout | ComposedLayout) -> Layout:
    """Return the layout behind a swizzle and an offset; a layout without is that itself.

    >>> print(get_nonswizzle_portion(ComposedLayout(Swizzle(1, 0, 1), 2, Layout(8))))
    8:1
    """
    return layout.layout if isinstance(layout, ComposedLayout) else layout


#: Either kind of layout: what an operation takes is what it returns.
LayoutT = TypeVar("LayoutT", Layout, ComposedLayout)
#: The same, or a swizzle by itself.
MapT = TypeVar("MapT", Layout, ComposedLayout, Swizzle)
