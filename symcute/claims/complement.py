"""Complements: disjoint but for 0, ordered, covering."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from symcute.claims.base import (
    Claim,
    coordinates,
    domain,
    dot,
    flat_offset,
    inside,
    natural,
    numbers,
)
from symcute.claims.formulas import Holds
from symcute.claims.order import growing
from symcute.expr.formula import all_of, any_of, eq, le, lt, ne
from symcute.expr.htuple import Leaf, product, show, show_leaf
from symcute.layout.layout import Layout
from symcute.solve.smtlib import Query

__all__ = ["Complement", "Disjoint"]


@dataclass(frozen=True)
class Disjoint(Claim):
    """The images of two layouts have at most the offset 0 in common."""

    left: Layout
    right: Layout
    name: ClassVar[str] = "disjoint"

    def words(self) -> str:
        """Return the claim as a sentence."""
        return f"{self.left} and {self.right} have no offset but 0 in common"

    def encode(self, query: Query) -> None:
        """Assert that an offset other than 0 is in both images."""
        one, other = (
            dot(query, coordinates(query, layout, name), layout)
            for layout, name in ((self.left, "x"), (self.right, "y"))
        )
        query.require(f"(and (= {one} {other}) (not (= {one} 0)))")

    def fails_at(self, model: Mapping[str, int]) -> str | None:
        """Return the two coordinates of the model if they share an offset other than 0."""
        x, y = numbers(model, self.left, "x"), numbers(model, self.right, "y")
        return self._common(x, y) if inside(x, self.left) and inside(y, self.right) else None

    def _common(self, x: tuple[int, ...], y: tuple[int, ...]) -> str | None:
        offset = flat_offset(self.left, x)
        if offset == 0 or offset != flat_offset(self.right, y):
            return None
        a, b = show(natural(self.left, x)), show(natural(self.right, y))
        return f"{self.left} at {a} and {self.right} at {b} are both {offset}"

    def brute(self) -> str | None:
        """Return an offset other than 0 that is in both images."""
        seen = {flat_offset(self.left, x): x for x in domain(self.left)}
        for y in domain(self.right):
            x = seen.get(flat_offset(self.right, y))
            if x is not None and (failure := self._common(x, y)):
                return failure
        return None


@dataclass(frozen=True)
class Complement(Claim):
    """B is a complement of A up to M: disjoint but for 0, B strictly increasing, sizes cover M.

    Covering means size(filter(A)) * size(B) >= M, where filter(A) leaves out the modes of stride 0.
    Source: post-conditions in cute/layout.hpp, complement.
    """

    complement: Layout
    layout: Layout
    cotarget: Leaf
    name: ClassVar[str] = "is_complement"

    def words(self) -> str:
        """Return the claim as a sentence."""
        return (
            f"{self.complement} is a complement of {self.layout} up to {show_leaf(self.cotarget)}:"
            " disjoint but for 0, strictly increasing, covering"
        )

    def parts(self) -> tuple[Claim, ...]:
        """Return the three conditions.

        What counts for covering are the modes whose stride is not the number 0; that no other
        stride is 0 where the extent exceeds 1 is part of the third condition.
        """
        modes = [(s, d) for s, d in self.layout.modes() if not (isinstance(d, int) and d == 0)]
        moving = [any_of(eq(s, 1), ne(d, 0)) for s, d in modes if not isinstance(d, int)]
        size = product(tuple(s for s, _ in modes)) * self.complement.size()
        return (
            Disjoint(self.layout, self.complement),
            Holds(growing(self.complement, lt)),
            Holds(all_of(*moving, le(self.cotarget, size))),
        )

    def worded(self, number: int, dims: Mapping[str, int]) -> str | None:
        """Return what goes wrong as it is written, unless a stride is 0 there only."""
        there = self.layout.at(dict(dims)).modes()
        vanish = any(
            d == 0 for (_, d), (_, e) in zip(there, self.layout.modes(), strict=True) if e != 0
        )
        return None if vanish else super().worded(number, dims)
