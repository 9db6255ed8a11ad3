"""The vectors that a copy moves: how long each is, and where it begins."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from symcute.expr.htuple import Leaf
from symcute.frontends.cutedsl.arithmetic import Unwritten
from symcute.layout.layout import Layout

__all__ = ["Mode", "Vectors", "vectors"]

#: An extent and a stride.
Mode = tuple[int, Leaf]


@dataclass(frozen=True)
class Vectors:
    """Vectors of so many elements: `first` are modes over those of V, `rest` over the others."""

    length: int
    first: tuple[Mode, ...]
    rest: tuple[Mode, ...]

    @property
    def count(self) -> int:
        """How many vectors V has."""
        found = 1
        for extent, _ in self.first:
            found *= extent
        return found


def vectors(layout: Layout, length: int) -> Vectors:
    """Return the vectors of a tensor (V, Rest), each of elements that follow one another.

    Errors: Unwritten for extents that are not known, and elements that do not follow.

    >>> vectors(Layout(((4, 2), 3), ((1, 64), 8)), 4)
    Vectors(length=4, first=((2, 64),), rest=((3, 8),))
    """
    if isinstance(layout.shape, tuple):
        inner, outer = layout[0], [m for k in range(1, layout.rank()) for m in layout[k].modes()]
    else:
        inner, outer = layout, []
    modes, rest = _modes(inner.modes()), _modes(outer)
    have, left = 1, list(modes)
    while have < length:
        if not left:
            raise Unwritten(f"{layout} has no vectors of {length}")
        extent, stride = left.pop(0)
        if stride != have:
            raise Unwritten(f"the elements of a vector of {length} in {layout} do not follow")
        need = length // have
        if extent > need:
            if extent % need:
                raise Unwritten(f"vectors of {length} in {layout} are not whole")
            left.insert(0, (extent // need, stride * need))
            extent = need
        elif need % extent:
            raise Unwritten(f"vectors of {length} in {layout} are not whole")
        have *= extent
    return Vectors(length, tuple(left), tuple(rest))


def _modes(modes: Any) -> list[Mode]:
    found = []
    for extent, stride in modes:
        if not isinstance(extent, int):
            raise Unwritten(f"there are {extent} elements to copy")
        if extent != 1:
            found.append((extent, stride))
    return found
