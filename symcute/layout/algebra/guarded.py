"""Division where the tile need not divide: rounded up, with the predicate that guards the tail.

A kernel launches `ceil_div(M, 128)` blocks of 128 threads and asks `t + 128*b < M` before it
touches an element. `guarded_divide` gives that layout and that predicate together.

Source: CuTe kernels compare an identity tensor's coordinate with the shape for the same purpose.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from symcute.errors import InputError
from symcute.expr.assumptions import Given, dims
from symcute.expr.expression import as_leaf, value_at
from symcute.expr.formula import Formula, all_of, lt
from symcute.expr.htuple import HTuple, Leaf, flatten, same_profile, transform
from symcute.expr.notebook import Shown
from symcute.layout.algebra.complement import complement
from symcute.layout.algebra.composition import composition
from symcute.layout.layout import Layout, make_layout
from symcute.solve.entailment import facts

__all__ = ["Guard", "GuardedLayout", "guarded_divide"]


#: Mode (None: the whole coordinate), index of a coordinate, and the bound the index stays below.
GuardPart: TypeAlias = tuple[int | None, Layout, Leaf]


@dataclass(frozen=True)
class Guard:
    """The coordinates that lie inside: for each guarded mode, index(coordinate) < bound.

    Each part is (mode, index, bound); mode None stands for the whole coordinate.
    """

    parts: tuple[GuardPart, ...]

    def __call__(self, coordinate: Any) -> Any:
        """Return whether a coordinate of the divided layout is inside.

        Works on ints (a bool) and on NumPy arrays (an array of bools).
        """
        inside: Any = True
        for mode, index, bound in self.parts:
            inside = inside & (index(coordinate if mode is None else coordinate[mode]) < bound)
        return inside

    def at(self, values: Mapping[str, int]) -> Guard:
        """Return the guard at integer values of the dims."""
        return Guard(
            tuple((m, i.at(dict(values)), value_at(bound, values)) for m, i, bound in self.parts)
        )

    def formula(self, coordinate: HTuple) -> Formula:
        """Return the predicate at a coordinate that may hold dims."""
        return all_of(
            *(
                lt(as_leaf(index(coordinate if m is None else coordinate[m])), bound)
                for m, index, bound in self.parts
            )
        )

    def __str__(self) -> str:
        """Return the predicate with t for the coordinate in the tile, b for that of the tile."""
        if not self.parts:
            return "0==0"
        return " and ".join(_words(*part) for part in self.parts)


def _words(mode: int | None, index: Layout, bound: Leaf) -> str:
    suffix = "" if mode is None else str(mode)

    def named(letter: str, part: Layout) -> HTuple:
        count = len(flatten(part.shape))
        names = iter(f"{letter}{suffix}" + (f"_{k}" if count > 1 else "") for k in range(count))
        return transform(lambda _: dims(next(names)), part.shape)

    return str(lt(as_leaf(index((named("t", index[0]), named("b", index[1])))), bound))


@dataclass(frozen=True)
class GuardedLayout(Shown):
    """A divided layout that may reach beyond the original, and the guard that keeps it inside."""

    layout: Layout
    guard: Guard

    def at(self, values: Mapping[str, int]) -> GuardedLayout:
        """Return layout and guard at integer values of the dims."""
        return GuardedLayout(self.layout.at(dict(values)), self.guard.at(values))

    def __str__(self) -> str:
        """Return the layout, and where it may be used."""
        return f"{self.layout} where {self.guard}" if self.guard.parts else str(self.layout)


def guarded_divide(layout: Layout, tiler: HTuple, *, given: Given = ()) -> GuardedLayout:
    """Return (tile, rest) as logical_divide does, the number of tiles rounded up, with its guard.

    `tiler` is a layout, an extent, or a tuple of such and `_` that applies by mode. A mode that the
    tile is known to divide has no guard.
    Post-conditions:
        # What the guard lets through is each element of the original once, at its own offset.
        sorted(result.layout(i) for i in range(size(result.layout))
            if result.guard(idx2crd(i, result.layout.shape)))
            == sorted(map(layout, range(size(layout))))
        size(result.layout) >= size(layout)
    Errors: as composition and complement.

    >>> print(guarded_divide(Layout.parse("(M,N):(N,1)"), (128, 64), given="N % 64 == 0"))
    ((128,ceil_div(M,128)),(64,N/64)):((N,128*N),(1,64)) where 128*b0+t0 < M
    >>> g = guarded_divide(Layout.parse("100:3"), 32)
    >>> print(g.layout, g.guard((3, 3)), g.guard((4, 3)))
    (32,4):(3,96) True False
    """
    if not isinstance(tiler, tuple):
        result, parts = _divided(layout, tiler, None, given)
        return GuardedLayout(result, Guard(parts))
    if len(tiler) > layout.rank():
        raise InputError(
            f"the tiler has {len(tiler)} modes, {layout} has {layout.rank()}",
            "give at most one tile for each mode",
        )
    modes: list[Layout] = []
    guards: list[GuardPart] = []
    for k, mode in enumerate(layout):
        if k < len(tiler) and tiler[k] is not None:
            if isinstance(tiler[k], tuple):
                raise InputError("a nested tiler has no guard here", "give one tile for each mode")
            mode, parts = _divided(mode, tiler[k], k, given)
            guards += parts
        modes.append(mode)
    return GuardedLayout(make_layout(*modes), Guard(tuple(guards)))


def _divided(
    layout: Layout, tiler: Any, mode: int | None, given: Given
) -> tuple[Layout, tuple[GuardPart, ...]]:
    tile = tiler if isinstance(tiler, Layout) else Layout(tiler, 1)
    size = layout.size()
    index = make_layout(tile, complement(tile, size, given=given))
    result = composition(layout, index, given=given)
    if facts(given).same(index.size(), size):
        return result, ()
    if not same_profile(index.shape, result.shape):
        # A leaf of the tile was split: the guard takes the coordinates of the result.
        index = composition(index, Layout(result.shape), given=given)
    return result, ((mode, index, size),)
