"""Complements: disjoint but for 0, ordered, covering."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from symcute.claims.base import (
    Claim,
    coordinates,
    domain,
    flat_offset,
    natural,
    static,
)
from symcute.claims.formulas import Holds
from symcute.exprs import minimum
from symcute.formula import Formula, all_of, any_of, eq, le, lt
from symcute.htuple import Leaf, leaves, show, show_leaf
from symcute.layout import Layout
from symcute.smtlib import Query, apply

__all__ = ["Complement", "Disjoint", "increasing"]


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
        offsets = []
        for layout, name in ((self.left, "x"), (self.right, "y")):
            crd = coordinates(query, layout, name)
            strides = zip(crd, leaves(layout.stride), strict=True)
            offsets.append(apply("+", [f"(* {c} {query.leaf(d)})" for c, d in strides], "0"))
        query.require(f"(and (= {offsets[0]} {offsets[1]}) (not (= {offsets[0]} 0)))")

    def fails_at(self, model: Mapping[str, int]) -> str | None:
        """Return the two coordinates of the model if they share an offset other than 0."""
        found = []
        for layout, name in ((self.left, "x"), (self.right, "y")):
            extents = [static(s) for s in leaves(layout.shape)]
            found.append(tuple(model[f"{name}!{k}"] for k in range(len(extents))))
            if not all(0 <= x < s for x, s in zip(found[-1], extents, strict=True)):
                return None
        return self._common(found[0], found[1])

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


def increasing(layout: Layout) -> Formula:
    """Return the formula that says that layout(0) < layout(1) < ... < layout(size - 1).

    Going from one index to the next resets the modes below k and steps mode k: the offset grows by
    d_k - sum of (s_j - 1) * d_j over j < k, which happens exactly when s_k > 1.
    """
    steps = []
    below: Leaf = 0
    for s, d in layout.modes():
        steps.append(any_of(eq(s, 1), lt(below, d)))
        below = below + (s - 1) * d
    return all_of(*steps)


def filtered_size(layout: Layout) -> Leaf:
    """Return the product of the extents whose stride is not 0.

    >>> filtered_size(Layout((4, 2), (0, 1)))
    2
    """
    size: Leaf = 1
    for s, d in layout.modes():
        if isinstance(d, int):
            size = size * (s if d else 1)
        else:
            size = size * (1 + (s - 1) * minimum(1, d * d))  # s, or 1 where d is 0
    return size


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
        """Return the three conditions."""
        cover = le(self.cotarget, filtered_size(self.layout) * self.complement.size())
        return (
            Disjoint(self.layout, self.complement),
            Holds(increasing(self.complement)),
            Holds(cover),
        )
