"""Layouts that stay inside an interval."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from symcute.claims.base import (
    AnyLayout,
    Claim,
    Where,
    call,
    coordinates,
    domain,
    dot,
    flat_offset,
    inside,
    natural,
    numbers,
    plain,
    static,
    where_words,
    within,
)
from symcute.claims.formulas import Holds
from symcute.claims.swizzled import SwizzledInBounds
from symcute.expr.formula import all_of, any_of, divides, eq, le
from symcute.expr.htuple import Leaf, show_leaf
from symcute.layout.layout import Layout
from symcute.layout.swizzle import ComposedLayout
from symcute.solve.smtlib import Query

__all__ = ["Aligned", "InBounds"]


@dataclass(frozen=True)
class InBounds(Claim):
    """Every offset lies in [0, bound); with guards, every offset at a coordinate they let through.

    `where` holds pairs (G, M): the coordinates c with G(c) < M. The extents of G are those of the
    layout, which may be swizzled.

    >>> InBounds(Layout(4, 2), 7).words()
    'every offset of 4:2 is at least 0 and less than 7'
    """

    layout: AnyLayout
    bound: Leaf
    where: Where = ()
    name: ClassVar[str] = "in_bounds"
    takes_swizzles: ClassVar[bool] = True

    def __post_init__(self) -> None:
        """Check the guards."""
        super().__post_init__()
        object.__setattr__(self, "where", self._check_guards(self.layout, self.where))

    def spelled(self) -> str:
        """Return the claim in our grammar."""
        return self._guarded_text(self.layout, self.bound)

    def words(self) -> str:
        """Return the claim as a sentence."""
        limits = f"is at least 0 and less than {show_leaf(self.bound)}"
        return f"every offset of {self.layout}{where_words(self.where)} {limits}"

    def parts(self) -> tuple[Claim, ...]:
        """Return the claim itself, or the primitive claim about a swizzled layout."""
        if isinstance(self.layout, ComposedLayout):
            return (SwizzledInBounds(self.layout, self.bound, self.where),)
        return (self,)

    def encode(self, query: Query) -> None:
        """Assert that a coordinate the guards let through has an offset outside."""
        layout = plain(self.layout)
        x = coordinates(query, layout, "x")
        within(query, x, self.where)
        offset = dot(query, x, layout)
        query.require(f"(or (< {offset} 0) (>= {offset} {query.leaf(self.bound)}))")

    def fails_at(self, model: Mapping[str, int]) -> str | None:
        """Return the coordinate of the model if its offset lies outside."""
        return self.outside(numbers(model, plain(self.layout), "x"))

    def outside(self, flat: tuple[int, ...]) -> str | None:
        """Return what goes wrong at a flat coordinate, or None."""
        layout = plain(self.layout)
        if not inside(flat, layout, self.where):
            return None
        offset = flat_offset(layout, flat)
        if 0 <= offset < static(self.bound):
            return None
        where = call(layout, natural(layout, flat))
        return f"{where} = {offset}, outside [0, {self.bound}), in L = {layout}"

    def brute(self) -> str | None:
        """Return the first coordinate whose offset lies outside."""
        return next((f for x in domain(plain(self.layout)) if (f := self.outside(x))), None)


@dataclass(frozen=True)
class Aligned(Claim):
    """Every offset is a multiple of n, and n is at least 1.

    An offset is a sum of strides, and each stride of an extent above 1 is an offset itself.

    >>> Aligned(Layout((4, 8), (2, 16)), 4).words()
    'every offset of (4,8):(2,16) is a multiple of 4'
    """

    layout: Layout
    n: Leaf
    name: ClassVar[str] = "aligned"

    def words(self) -> str:
        """Return the claim as a sentence."""
        return f"every offset of {self.layout} is a multiple of {show_leaf(self.n)}"

    def parts(self) -> tuple[Claim, ...]:
        """Return that n is at least 1, and that it divides the strides."""
        modes = self.layout.modes()
        multiples = all_of(*(any_of(eq(s, 1), divides(self.n, d)) for s, d in modes))
        return Holds(le(1, self.n)), Holds(multiples)
