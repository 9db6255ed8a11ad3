"""What the lanes of a warp access, as data: `access((32,R):(LD,1), 32)`.

The first mode of the layout is the lane, the others enumerate requests: loop iterations, warps of
a block, registers. At a coordinate the lane accesses `access_bits` bits, beginning with the element
base + layout(lane, request) of an array of elements of `element_bits` bits.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from math import prod
from typing import TypeAlias

from symcute.errors import InputError
from symcute.expr.basis import require_integers
from symcute.expr.expression import NO_DIMS, as_leaf, free_dims, value_at
from symcute.expr.htuple import Leaf, leaves, show, show_leaf
from symcute.expr.notebook import Shown
from symcute.hardware.architecture import ARCHITECTURES, Architecture, architecture
from symcute.layout.layout import Layout
from symcute.layout.swizzle import ComposedLayout, Swizzle

__all__ = ["Access"]

#: Flat (extent, stride) pairs.
Modes: TypeAlias = tuple[tuple[Leaf, Leaf], ...]

#: The lanes of a warp, of every architecture.
(WARP,) = {a.warp for a in ARCHITECTURES.values()}
#: Bits of the narrowest access of a lane, and of the widest that any architecture takes.
NARROWEST, WIDEST = 8, 8 * max(a.largest_global_access for a in ARCHITECTURES.values())


@dataclass(frozen=True)
class Access(Shown):
    """The accesses of a warp; `access_bits` are those of one element unless they are given.

    Leaves may be expressions in dims, but the extents of the first mode, the lanes, are numbers
    whose product is at most a warp; where it is less, the other lanes are inactive. The layout may
    be swizzled; `base` is added behind the swizzle, as the address of an array is.
    Errors: InputError for widths that are no powers of two, an access narrower than an element or a
    byte, or wider than any architecture takes, lanes that are no numbers or more than a warp, a
    layout that gives coordinates.

    >>> column = Access(Layout((32, 4), (64, 1)), 16)
    >>> print(column, column.lanes, column.requests)
    access((32,4):(64,1), 16) ((32, 64),) ((4, 1),)
    >>> column.addresses((3,))[:4]
    [6, 134, 262, 390]
    """

    layout: Layout | ComposedLayout
    element_bits: int
    access_bits: int | None = None
    base: Leaf = 0

    def __post_init__(self) -> None:
        """Check the widths, the lanes and the layout."""
        if not isinstance(self.layout, (Layout, ComposedLayout)):
            raise InputError(
                f"an access through {self.layout!r}", "give a layout such as (32,4):(4,1)"
            )
        if self.inner.coordinate_strides:
            require_integers(self.inner.stride, "an access")
        object.__setattr__(self, "base", as_leaf(self.base, "a base"))
        if self.access_bits is None:
            object.__setattr__(self, "access_bits", self.element_bits)
        self._check_widths()
        extents = [s for s, _ in self.lanes]
        if not all(isinstance(s, int) for s in extents):
            shown = next(show_leaf(s) for s in extents if not isinstance(s, int))
            raise InputError(
                f"the lanes of {self.layout} are {shown}",
                "the first mode is the lanes of one warp, with numbers for extents",
            )
        count = prod(int(s) for s in extents if isinstance(s, int))
        if count > WARP:
            raise InputError(
                f"{self.layout} has {count} lanes",
                f"a warp has {WARP}: divide the threads, as in zipped_divide(layout, {WARP})",
            )

    def _check_widths(self) -> None:
        for name, width in (("an element", self.element_bits), ("an access", self.width)):
            if type(width) is not int or width < 1 or width & (width - 1):
                raise InputError(f"{name} of {width} bits", "the width is a power of two")
        if self.width < max(self.element_bits, NARROWEST):
            least = f"an element of {self.element_bits} bits"
            least = least if self.element_bits > NARROWEST else "a byte"
            raise InputError(f"an access of {self.width} bits", f"it is at least {least} wide")
        if self.width > WIDEST:
            raise InputError(
                f"an access of {self.width} bits", f"the widest of any architecture is {WIDEST}"
            )

    def on(self, arch: str | Architecture, shared: bool = False) -> Access:
        """Return the access if the architecture takes it, in global or in shared memory.

        Errors: InputError where it is too wide there, and for an unknown architecture.
        """
        a = architecture(arch)
        most = 8 * (a.largest_shared_access if shared else a.largest_global_access)
        if self.width > most:
            where = "shared" if shared else "global"
            raise InputError(
                f"{self} in {where} memory", f"{a} takes at most {most} bits a lane there"
            )
        return self

    @property
    def width(self) -> int:
        """The bits that a lane accesses."""
        return self.element_bits if self.access_bits is None else self.access_bits

    @property
    def swizzle(self) -> Swizzle:
        """The swizzle of the layout; one of no bits where it has none."""
        return self.layout.swizzle if isinstance(self.layout, ComposedLayout) else Swizzle(0, 0, 0)

    @property
    def offset(self) -> Leaf:
        """The offset that is added before the swizzle."""
        return self.layout.offset if isinstance(self.layout, ComposedLayout) else 0

    @property
    def inner(self) -> Layout:
        """The layout without its swizzle."""
        return self.layout.layout if isinstance(self.layout, ComposedLayout) else self.layout

    @property
    def lanes(self) -> Modes:
        """The flat modes of the lanes."""
        return self.inner[0].modes()

    @property
    def requests(self) -> Modes:
        """The flat modes that enumerate requests."""
        return self.inner.modes()[len(self.lanes) :]

    def dims(self) -> set[str]:
        """Return the names of the dims that occur."""
        return self.layout.dims() | free_dims(self.base)

    def at(self, dims: Mapping[str, int] = NO_DIMS, /, **named: int) -> Access:
        """Return the access at integer values of the dims.

        Errors: InputError as for a layout.
        """
        dims = {**dims, **named}
        base = value_at(self.base, dims)
        return Access(self.layout.at(dims), self.element_bits, self.access_bits, base)

    def coordinates(self) -> Iterator[tuple[int, ...]]:
        """Yield the flat coordinates of the requests, the first mode fastest (static)."""
        extents = [range(int(s)) for s, _ in reversed(self.requests) if isinstance(s, int)]
        for reverse in product(*extents):
            yield reverse[::-1]

    def addresses(self, request: tuple[int, ...] = ()) -> list[int]:
        """Return the byte addresses of the lanes in one request, lane 0 first.

        Pre-conditions: the access has no dims; `request` is a flat coordinate of `requests`.
        Errors: InputError where dims have no value, for a request that is not there, and where an
        element begins inside a byte.
        """
        found = []
        for bits in self.bit_addresses(request):
            if bits % NARROWEST:
                raise InputError(
                    f"an element of {self} begins at bit {bits}", "addresses are whole bytes"
                )
            found.append(bits // NARROWEST)
        return found

    def bit_addresses(self, request: tuple[int, ...] = ()) -> list[int]:
        """Return the addresses of `addresses` in bits."""
        swizzle, extents = self.swizzle, [_number(s) for s, _ in self.requests]
        within = all(0 <= x < s for x, s in zip(request, extents, strict=False))
        if len(request) != len(extents) or not within:
            raise InputError(
                f"{self} has no request {show(request)}", "give a coordinate of its requests"
            )
        start = _number(self.offset) + sum(
            x * _number(d) for x, (_, d) in zip(request, self.requests, strict=True)
        )
        found = []
        lanes = [(_number(s), _number(d)) for s, d in self.lanes]
        for reverse in product(*(range(s) for s, _ in reversed(lanes))):
            lane = sum(x * d for x, (_, d) in zip(reverse[::-1], lanes, strict=True))
            found.append(self.element_bits * (_number(self.base) + swizzle(start + lane)))
        return found

    def leaves(self) -> tuple[Leaf, ...]:
        """Return every leaf as it is written: offset, extents, strides, base."""
        offset = (self.layout.offset,) if isinstance(self.layout, ComposedLayout) else ()
        return (*offset, *leaves(self.inner.shape), *leaves(self.inner.stride), self.base)

    def __str__(self) -> str:
        """Return the access in our grammar."""
        parts = [str(self.layout), str(self.element_bits)]
        if self.width != self.element_bits or self.base != 0:
            parts.append(str(self.width))
        if self.base != 0:
            parts.append(show_leaf(self.base))
        return f"access({', '.join(parts)})"


def _number(leaf: Leaf) -> int:
    if not isinstance(leaf, int):
        raise InputError(f"{show_leaf(leaf)} is not a number", "give values for all dims")
    return leaf
