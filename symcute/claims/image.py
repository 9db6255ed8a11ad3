"""Layouts that reach the same offsets, whatever the order."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from symcute.claims.base import Claim, domain, flat_offset, natural
from symcute.expr.htuple import show
from symcute.layout.layout import Layout

__all__ = ["SameImage"]


@dataclass(frozen=True)
class SameImage(Claim):
    """Two layouts have the same set of offsets.

    >>> SameImage(Layout((2, 4), (4, 1)), Layout(8)).words()
    '(2,4):(4,1) and 8:1 have the same offsets'
    """

    left: Layout
    right: Layout
    name: ClassVar[str] = "same_image"

    def words(self) -> str:
        """Return the claim as a sentence."""
        return f"{self.left} and {self.right} have the same offsets"

    def brute(self) -> str | None:
        """Return an offset that only one of the layouts has."""
        for one, other in ((self.left, self.right), (self.right, self.left)):
            theirs = {flat_offset(other, x) for x in domain(other)}
            for x in domain(one):
                offset = flat_offset(one, x)
                if offset not in theirs:
                    at = show(natural(one, x))
                    return f"{one} at {at} is {offset}, which is no offset of {other}"
        return None
