"""Layouts that reach every element, or each exactly once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from symcute.claims.base import Claim, domain, flat_offset, static
from symcute.claims.formulas import Holds
from symcute.claims.injective import Injective
from symcute.errors import InputError
from symcute.expr.expression import as_leaf
from symcute.expr.formula import all_of, any_of, eq, le
from symcute.expr.htuple import Leaf, show_leaf, transform, unwrap
from symcute.layout.layout import Layout

__all__ = ["Covers", "Partition"]


@dataclass(frozen=True)
class Covers(Claim):
    """Every m in [0, bound) is an offset of the layout.

    >>> Covers(Layout((4, 8), (1, 3)), 24).words()
    'every number from 0 to 24 - 1 is an offset of (4,8):(1,3)'
    """

    layout: Layout
    bound: Leaf
    name: ClassVar[str] = "covers"

    def words(self) -> str:
        """Return the claim as a sentence."""
        return f"every number from 0 to {show_leaf(self.bound)} - 1 is an offset of {self.layout}"

    def missing(self, number: int) -> str:
        """Return what goes wrong where a number of [0, bound) is no offset."""
        return f"{number} is no offset of {self.layout}"

    def brute(self) -> str | None:
        """Return the first number that is no offset."""
        bound = static(self.bound)
        offsets = {flat_offset(self.layout, x) for x in domain(self.layout)}
        # A set of n offsets leaves out one of the first n + 1 numbers.
        first = next(m for m in range(len(offsets) + 1) if m not in offsets)
        return self.missing(first) if first < bound else None


@dataclass(frozen=True)
class Partition(Claim):
    """Every m in [0, bound) is L(c) for exactly one coordinate c, and no offset is negative.

    The coordinates with L(c) >= bound are those that the guard `L(c) < bound` of a tail cuts off.
    By mode: a tuple of layouts with a tuple of bounds.

    >>> Partition(Layout((4, 3), (1, 4)), 10).words()
    '(4,3):(1,4) visits every number from 0 to 10 - 1 exactly once, under the guard L(c) < 10'
    """

    layout: Any
    bound: Any
    name: ClassVar[str] = "partition"

    def __post_init__(self) -> None:
        """Check that there is a bound for every layout."""
        layout, bound = unwrap(self.layout), unwrap(self.bound)
        bound = transform(lambda m: as_leaf(m, "partition"), bound)
        pairs = list(zip(_items(layout), _items(bound), strict=False))
        alike = isinstance(layout, tuple) == isinstance(bound, tuple)
        if not alike or len(pairs) != max(len(_items(layout)), len(_items(bound))) or not pairs:
            raise InputError(
                "partition takes a layout and a bound, or as many of each",
                "write partition(L, M), or partition((L0,L1), (M0,M1))",
            )
        for x, _ in pairs:
            if not isinstance(x, Layout):
                raise InputError(f"{x!r} in partition is not a layout", "give layouts")
        object.__setattr__(self, "layout", layout)
        object.__setattr__(self, "bound", bound)
        super().__post_init__()

    def words(self) -> str:
        """Return the claim as a sentence."""
        return "; ".join(
            f"{x} visits every number from 0 to {show_leaf(m)} - 1 exactly once, "
            f"under the guard L(c) < {show_leaf(m)}"
            for x, m in zip(_items(self.layout), _items(self.bound), strict=True)
        )

    def parts(self) -> tuple[Claim, ...]:
        """Return, for each layout: no offset below the bound twice, all of them, none negative."""
        return tuple(
            part
            for x, m in zip(_items(self.layout), _items(self.bound), strict=True)
            for part in (
                Injective(x, ((x, m),)),
                Covers(x, m),
                Holds(all_of(*(any_of(eq(s, 1), le(0, d)) for s, d in x.modes()))),
            )
        )


def _items(value: Any) -> tuple[Any, ...]:
    return value if isinstance(value, tuple) else (value,)
