"""Layouts whose elements can be accessed in vectors.

Source: CUDA C++ Programming Guide, Device Memory Accesses (size and alignment); what CuTe's
`max_common_vector` asks of a layout of numbers.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from symcute.claims.base import MAX_ENUMERATED, AnyLayout, Claim, static
from symcute.claims.formulas import Holds
from symcute.errors import InputError
from symcute.expr.expression import as_leaf
from symcute.expr.formula import Formula, all_of, any_of, divides, eq
from symcute.expr.htuple import Leaf, show_leaf
from symcute.layout.layout import Layout

__all__ = ["Vectorizable"]

#: The widest access of a thread on any architecture, in bits.
WIDEST = 256


@dataclass(frozen=True)
class Vectorizable(Claim):
    """The elements, in the order of the layout's index, make whole vectors of `vector_bits` bits.

    With v elements a vector: v divides the size; from each index i that v divides the offsets go up
    in steps of one, L(i+j) == L(i) + j for j < v; and base + L(i) is a multiple of v. The mode that
    the vectors lie along comes first. The layout may be swizzled.
    Errors: InputError for widths that are no powers of two, a vector narrower than an element or
    wider than any architecture accesses.

    >>> rows = Layout((64, 8), (1, 72))
    >>> [Vectorizable(rows, 16, bits).text() for bits in (64, 128)]
    ['vectorizable((64,8):(1,72), 16, 64)', 'vectorizable((64,8):(1,72), 16, 128)']
    >>> Vectorizable(Layout((64, 8), (1, 68)), 16, 128).worded(0, {})
    'L(64) = 68, which is no multiple of 8'
    """

    layout: AnyLayout
    element_bits: int
    vector_bits: int
    base: Leaf = 0
    name: ClassVar[str] = "vectorizable"
    takes_swizzles: ClassVar[bool] = True

    def __post_init__(self) -> None:
        """Check the widths."""
        super().__post_init__()
        for name, width in (("an element", self.element_bits), ("a vector", self.vector_bits)):
            if type(width) is not int or width < 1 or width & (width - 1):
                raise InputError(f"{name} of {width} bits", "the width is a power of two")
        if not self.element_bits <= self.vector_bits <= WIDEST:
            raise InputError(
                f"a vector of {self.vector_bits} bits",
                f"it is at least an element of {self.element_bits} bits and at most {WIDEST} bits",
            )
        object.__setattr__(self, "base", as_leaf(self.base, "a base"))

    @property
    def length(self) -> int:
        """The elements of a vector."""
        return self.vector_bits // self.element_bits

    def spelled(self) -> str:
        """Return the claim in our grammar; a base of 0 is not written."""
        base = f", {show_leaf(self.base)}" if self.base != 0 else ""
        return f"{self.name}({self.layout}, {self.element_bits}, {self.vector_bits}{base})"

    def words(self) -> str:
        """Return the claim as a sentence."""
        base = "1 element" if self.base == 1 else f"{show_leaf(self.base)} elements"
        behind = f", {base} behind an aligned address," * (self.base != 0)
        return (
            f"{self.layout}{behind} is contiguous and aligned in vectors of {self.length} "
            f"elements ({self.vector_bits} bits)"
        )

    def parts(self) -> tuple[Claim, ...]:
        """Return the conditions on the modes, or the claim itself where bits of a vector move.

        A swizzle that keeps the low bits of offsets keeps what is contiguous and aligned before it;
        what only the base aligns it may tear apart. Modes of numbers that continue each other count
        as one: then no run goes on in the next mode.
        """
        if isinstance(self.layout, Layout):
            return (Holds(self._condition(self.layout, self.base)),)
        swizzle, offset, v = self.layout.swizzle, self.layout.offset, self.length
        if swizzle.bits and v > 1:
            if 1 << swizzle.base < v or (isinstance(offset, int) and offset % v):
                return (self,)
            if not isinstance(offset, int):
                return (Holds(self._condition(self.layout.layout, self.base, offset)),)
        return (Holds(self._condition(self.layout.layout, self.base + offset)),)

    def _condition(self, layout: Layout, *starts: Leaf) -> Formula:
        """Return when the modes are vectors, each of `starts` being a multiple of them."""
        v = self.length
        if v == 1:
            return all_of()
        (s, d), *others = _joined(layout.modes()) or [(1, 0)]
        aligned = [any_of(eq(t, 1), divides(v, e)) for t, e in others]
        return all_of(divides(v, s), eq(d, 1), *aligned, *(divides(v, x) for x in starts))

    def brute(self) -> str | None:
        """Return the first vector that is none."""
        size, v = static(self.layout.size()), self.length
        if size > MAX_ENUMERATED:
            raise InputError(
                f"{self.layout} has {size} coordinates, too many to enumerate",
                f"brute force takes at most {MAX_ENUMERATED}",
            )
        if size % v:
            return f"the size {size} of {self.layout} is no multiple of {v}"
        base, behind = static(self.base), f"{self.base} + " if self.base != 0 else ""
        for i in range(0, size, v):
            start = self.layout(i)
            if (base + start) % v:
                return f"{behind}L({i}) = {base + start}, which is no multiple of {v}"
            for j in range(1, v):
                if self.layout(i + j) != start + j:
                    return (
                        f"L({i}) = {start} and L({i + j}) = {self.layout(i + j)}, "
                        f"which is not {start} + {j}"
                    )
        return None

    def worded(self, number: int, dims: Mapping[str, int]) -> str | None:
        """Return the first vector that is none, where they can be listed."""
        instance = self.at(dims)
        if static(instance.layout.size()) <= MAX_ENUMERATED:
            return instance.brute()
        return super().worded(number, dims)


def _joined(modes: tuple[tuple[Leaf, Leaf], ...]) -> list[tuple[Leaf, Leaf]]:
    """Return the modes without extents of 1, those of numbers joined that continue each other."""
    found: list[tuple[Leaf, Leaf]] = []
    for s, d in modes:
        if isinstance(s, int) and s == 1:
            continue
        if found:
            t, e = found[-1]
            if isinstance(t, int) and isinstance(e, int) and isinstance(d, int) and d == t * e:
                found[-1] = (t * s, e)
                continue
        found.append((s, d))
    return found
