"""Swizzled layouts that stay inside an interval, and that are the same map.

A swizzle permutes the integers, so a swizzled layout is injective exactly where the layout is. It
permutes each aligned block of `Swizzle.period` offsets, so bounds that are multiples of the period
are those of offset and layout; others depend on which offsets of the last block occur.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from symcute.claims.base import (
    MAX_ENUMERATED,
    UNNAMED,
    AnyLayout,
    Claim,
    Where,
    call,
    domain,
    flat_offset,
    inside,
    natural,
    static,
    where_words,
)
from symcute.errors import InputError
from symcute.expr.htuple import Leaf, show_leaf
from symcute.layout.swizzle import ComposedLayout

__all__ = ["SwizzledAgree", "SwizzledInBounds"]


@dataclass(frozen=True)
class SwizzledInBounds(Claim):
    """Every offset of a swizzled layout lies in [0, bound), where guards let it through.

    It is the primitive claim of `InBounds` for a swizzled layout. It has no query.
    """

    layout: ComposedLayout
    bound: Leaf
    where: Where = ()
    name: ClassVar[str] = "in_bounds"
    takes_swizzles: ClassVar[bool] = True

    def spelled(self) -> str:
        """Return the claim in our grammar."""
        return self._guarded_text(self.layout, self.bound)

    def words(self) -> str:
        """Return the claim as a sentence."""
        limits = f"is at least 0 and less than {show_leaf(self.bound)}"
        return f"every offset of {self.layout}{where_words(self.where)} {limits}"

    def outside(self, flat: tuple[int, ...]) -> str | None:
        """Return what goes wrong at a flat coordinate, or None."""
        inner = self.layout.layout
        if not inside(flat, inner, self.where):
            return None
        offset = self.layout.swizzle(static(self.layout.offset) + flat_offset(inner, flat))
        if 0 <= offset < static(self.bound):
            return None
        where = call(inner, natural(inner, flat))
        return f"{where} = {offset}, outside [0, {self.bound}), in L = {self.layout}"

    def brute(self) -> str | None:
        """Return the first coordinate whose offset lies outside."""
        return next((f for x in domain(self.layout.layout) if (f := self.outside(x))), None)


@dataclass(frozen=True)
class SwizzledAgree(Claim):
    """Two layouts, turned around by different swizzles, have equal offsets at every index.

    It is the primitive claim of `Equal` where one swizzle does not come off on both sides. It has
    no query.
    """

    left: AnyLayout
    right: AnyLayout
    name: ClassVar[str] = UNNAMED
    takes_swizzles: ClassVar[bool] = True

    def spelled(self) -> str:
        """Return the claim as an equation (it has no name of its own in our grammar)."""
        size = show_leaf(self.left.size())
        return f"({self.left})(i) == ({self.right})(i) for 0 <= i < {size}"

    def words(self) -> str:
        """Return the claim as a sentence."""
        return self.spelled()

    def differs(self, index: int) -> str | None:
        """Return both offsets at an index if they differ (static)."""
        if not 0 <= index < static(self.left.size()):
            return None
        one, other = self.left(index), self.right(index)
        if one == other:
            return None
        return f"at i = {index}, ({self.left})(i) = {one} but ({self.right})(i) = {other}"

    def brute(self) -> str | None:
        """Return the first index where the offsets differ."""
        size = static(self.left.size())
        if size > MAX_ENUMERATED:
            raise InputError(f"{self.left} has {size} coordinates", "too many to enumerate")
        return next((f for i in range(size) if (f := self.differs(i))), None)
