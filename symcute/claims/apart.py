"""Images that do not meet."""

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
    static,
)
from symcute.claims.fields import show_field
from symcute.expr.htuple import Leaf, show, show_leaf
from symcute.layout.layout import Layout
from symcute.solve.smtlib import Query

__all__ = ["Apart"]


@dataclass(frozen=True)
class Apart(Claim):
    """No offset of the left layout equals shift + an offset of the right one.

    >>> print(Apart(Layout(4), Layout(4), 4))
    apart(4:1, 4:1, 4)
    """

    left: Layout
    right: Layout
    shift: Leaf = 0
    name: ClassVar[str] = "apart"

    def spelled(self) -> str:
        """Return the claim in our grammar; a shift of 0 is not written."""
        values = [self.left, self.right]
        shift = [] if isinstance(self.shift, int) and self.shift == 0 else [self.shift]
        return f"{self.name}({', '.join(show_field(v) for v in [*values, *shift])})"

    def words(self) -> str:
        """Return the claim as a sentence."""
        shift = show_leaf(self.shift)
        moved = "" if shift == "0" else f" moved by {shift}"
        return f"{self.left} and {self.right}{moved} have no offset in common"

    def encode(self, query: Query) -> None:
        """Assert that an offset is in both images."""
        one, other = (
            dot(query, coordinates(query, layout, name), layout)
            for layout, name in ((self.left, "x"), (self.right, "y"))
        )
        query.require(f"(= {one} (+ {query.leaf(self.shift)} {other}))")

    def fails_at(self, model: Mapping[str, int]) -> str | None:
        """Return the two coordinates of the model if their offsets are the same."""
        return self.common(numbers(model, self.left, "x"), numbers(model, self.right, "y"))

    def common(self, x: tuple[int, ...], y: tuple[int, ...]) -> str | None:
        """Return what goes wrong at a flat coordinate of each layout, or None."""
        if not (inside(x, self.left) and inside(y, self.right)):
            return None
        offset, shift = flat_offset(self.left, x), static(self.shift)
        if offset != shift + flat_offset(self.right, y):
            return None
        a, b = show(natural(self.left, x)), show(natural(self.right, y))
        moved = f" moved by {shift}" if shift else ""
        return f"{self.left} at {a} and {self.right}{moved} at {b} are both {offset}"

    def brute(self) -> str | None:
        """Return an offset that is in both images."""
        seen = {flat_offset(self.left, x): x for x in domain(self.left)}
        shift = static(self.shift)
        for y in domain(self.right):
            x = seen.get(shift + flat_offset(self.right, y))
            if x is not None:
                return self.common(x, y)
        return None
