"""Formulas over dims as claims; compatibility of shapes; and what a layout prints or tabulates."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from symcute.claims.base import Claim
from symcute.errors import InputError
from symcute.exprs import value_at
from symcute.formula import FALSE, Formula, all_of, eq
from symcute.htuple import HTuple, product, show
from symcute.layout import Layout
from symcute.smtlib import Query

__all__ = ["Compatible", "Holds", "PrintsAs", "Table", "compatible"]


@dataclass(frozen=True)
class Holds(Claim):
    """A formula over dims is true for all of them."""

    formula: Formula
    name: ClassVar[str] = "holds"

    def text(self) -> str:
        """Return the formula in our grammar."""
        return str(self.formula)

    def words(self) -> str:
        """Return the formula with its sides."""
        return f"{self.formula} holds" if not self.dims() else f"{self.formula}, for all dims"

    def encode(self, query: Query) -> None:
        """Assert that the formula is false."""
        query.require(f"(not {query.formula(self.formula)})")

    def fails_at(self, model: Mapping[str, int]) -> str | None:
        """Return the values of both sides if the formula is false."""
        return self.brute()

    def brute(self) -> str | None:
        """Return the formula with its numbers if it is false."""
        return None if self.formula.holds({}) else f"{_numbers(self.formula)} is false"


def _numbers(f: Formula) -> str:
    """Return a static formula, smallest false part first."""
    if f.op == "and":
        return next((_numbers(x) for x in f.args if not x.holds({})), str(f))
    if f.op == "implies":
        return f"{f.args[0]} is true and {_numbers(f.args[1])}"
    return str(f)


@dataclass(frozen=True)
class Compatible(Claim):
    """Shape A is compatible with shape B: equal sizes, and every coordinate of A is one of B."""

    left: Any
    right: Any
    name: ClassVar[str] = "compatible"

    def words(self) -> str:
        """Return the claim as a sentence."""
        a, b = (show(_shape(x)) for x in (self.left, self.right))
        return f"every coordinate of the shape {a} is a coordinate of the shape {b} of equal size"

    def parts(self) -> tuple[Claim, ...]:
        """Return the equations between extents that it comes down to."""
        return (Holds(compatible(_shape(self.left), _shape(self.right))),)


def _shape(x: Any) -> HTuple:
    return x.shape if isinstance(x, Layout) else x


def compatible(a: HTuple, b: HTuple) -> Formula:
    """Return the formula that says that shape `a` is compatible with shape `b`.

    >>> print(compatible(24, (4, 6)), compatible((4, 6), 24))
    24 == 24 0==1
    """
    if not isinstance(a, tuple):
        return eq(a, product(b))
    if not isinstance(b, tuple) or len(a) != len(b):
        return FALSE
    return all_of(*(compatible(x, y) for x, y in zip(a, b, strict=True)))


@dataclass(frozen=True)
class PrintsAs(Claim):
    """A value is written exactly like this (dims by their names)."""

    value: Any
    expected: str
    name: ClassVar[str] = "prints_as"

    def words(self) -> str:
        """Return the claim as a sentence."""
        return f"{self._printed()} prints as {self.expected}"

    def layouts(self) -> tuple[Layout, ...]:
        """Return the layout, if the value is one."""
        return (self.value,) if isinstance(self.value, Layout) else ()

    def dims(self) -> set[str]:
        """Return nothing: the text is compared, dims by their names."""
        return set()

    def at(self, dims: Mapping[str, int]) -> PrintsAs:
        """Return the claim itself."""
        return self

    def _printed(self) -> str:
        return str(self.value) if isinstance(self.value, Layout) else show(self.value)

    def brute(self) -> str | None:
        """Return what is printed if it differs."""
        printed = self._printed()
        return None if printed == self.expected else f"it prints as {printed}"


@dataclass(frozen=True)
class Table(Claim):
    """The rows of a rank-2 layout, or the values of a rank-1 layout as one row, are these."""

    layout: Layout
    rows: tuple[tuple[Any, ...], ...]
    name: ClassVar[str] = "table"

    def words(self) -> str:
        """Return the claim as a sentence."""
        rows = "; ".join(" ".join(str(x) for x in row) for row in self.rows)
        return f"{self.layout} has the rows {rows}"

    def brute(self) -> str | None:
        """Return the first cell that differs."""
        for i, row in enumerate(self.rows):
            for j, expected in enumerate(row):
                got = self.layout(i, j) if self.layout.rank() == 2 else self.layout(j)
                if got != value_at(expected, {}):
                    return f"L({i},{j}) = {got}, not {expected}, in L = {self.layout}"
        shape = (self.layout[0].size(), self.layout[1].size()) if self.layout.rank() == 2 else None
        if shape is not None and shape != (len(self.rows), len(self.rows[0])):
            raise InputError(
                f"the table has {len(self.rows)} rows of {len(self.rows[0])}, {self.layout} has "
                f"{shape[0]} rows of {shape[1]}",
                "give every row in full",
            )
        return None
