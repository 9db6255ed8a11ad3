"""Layouts that stay inside an interval."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from symcute.claims.base import (
    Claim,
    call,
    coordinates,
    domain,
    flat_offset,
    natural,
    static,
)
from symcute.htuple import Leaf, leaves, show_leaf
from symcute.layout import Layout
from symcute.smtlib import Query, apply

__all__ = ["InBounds"]


@dataclass(frozen=True)
class InBounds(Claim):
    """Every offset lies in [0, bound).

    >>> InBounds(Layout(4, 2), 7).words()
    'every offset of 4:2 is at least 0 and less than 7'
    """

    layout: Layout
    bound: Leaf
    name: ClassVar[str] = "in_bounds"

    def words(self) -> str:
        """Return the claim as a sentence."""
        return f"every offset of {self.layout} is at least 0 and less than {show_leaf(self.bound)}"

    def encode(self, query: Query) -> None:
        """Assert that a coordinate has an offset outside."""
        x = coordinates(query, self.layout, "x")
        terms = [
            f"(* {c} {query.leaf(d)})" for c, d in zip(x, leaves(self.layout.stride), strict=True)
        ]
        offset = apply("+", terms, "0")
        query.require(f"(or (< {offset} 0) (>= {offset} {query.leaf(self.bound)}))")

    def fails_at(self, model: Mapping[str, int]) -> str | None:
        """Return the coordinate of the model if its offset lies outside."""
        n = len(list(leaves(self.layout.shape)))
        return self.outside(tuple(model[f"x!{k}"] for k in range(n)))

    def outside(self, flat: tuple[int, ...]) -> str | None:
        """Return what goes wrong at a flat coordinate, or None."""
        extents = [static(s) for s in leaves(self.layout.shape)]
        if not all(0 <= x < s for x, s in zip(flat, extents, strict=True)):
            return None
        offset = flat_offset(self.layout, flat)
        if 0 <= offset < static(self.bound):
            return None
        where = call(self.layout, natural(self.layout, flat))
        return f"{where} = {offset}, outside [0, {self.bound}), in L = {self.layout}"

    def brute(self) -> str | None:
        """Return the first coordinate whose offset lies outside."""
        return next((f for x in domain(self.layout) if (f := self.outside(x))), None)
