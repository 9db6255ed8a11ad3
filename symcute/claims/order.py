"""Layouts whose offsets grow with the index."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

from symcute.claims.base import Claim
from symcute.claims.formulas import Holds
from symcute.expr.formula import Formula, all_of, any_of, eq, le, lt
from symcute.expr.htuple import Leaf
from symcute.layout.layout import Layout

__all__ = ["Increasing", "Monotone", "growing"]


def growing(layout: Layout, relation: Callable[[Leaf, Leaf], Formula]) -> Formula:
    """Return the formula that says that layout(0), layout(1), ... are ordered by `<=` or `<`.

    Going from one index to the next resets the modes below k and steps mode k: the offset grows by
    d_k - sum of (s_j - 1) * d_j over j < k, which happens exactly when s_k > 1.

    >>> print(growing(Layout((4, 8), (1, 6)), le))
    (4 == 1 or 0 <= 1) and (8 == 1 or 3 <= 6)
    """
    steps = []
    below: Leaf = 0
    for s, d in layout.modes():
        steps.append(any_of(eq(s, 1), relation(below, d)))
        below = below + (s - 1) * d
    return all_of(*steps)


@dataclass(frozen=True)
class Monotone(Claim):
    """L(i) <= L(i+1) for all i < size - 1.

    >>> Monotone(Layout((4, 8), (1, 3))).words()
    'the offsets of (4,8):(1,3) never fall as the index grows'
    """

    layout: Layout
    name: ClassVar[str] = "monotone"

    def words(self) -> str:
        """Return the claim as a sentence."""
        return f"the offsets of {self.layout} never fall as the index grows"

    def parts(self) -> tuple[Claim, ...]:
        """Return that no step from one index to the next goes down."""
        return (Holds(growing(self.layout, le)),)


@dataclass(frozen=True)
class Increasing(Claim):
    """L(i) < L(i+1) for all i < size - 1.

    >>> Increasing(Layout((4, 8), (1, 4))).words()
    'the offsets of (4,8):(1,4) grow with the index'
    """

    layout: Layout
    name: ClassVar[str] = "increasing"

    def words(self) -> str:
        """Return the claim as a sentence."""
        return f"the offsets of {self.layout} grow with the index"

    def parts(self) -> tuple[Claim, ...]:
        """Return that every step from one index to the next goes up."""
        return (Holds(growing(self.layout, lt)),)
