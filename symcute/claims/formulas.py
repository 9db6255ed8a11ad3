"""Formulas over dims as claims; compatibility of shapes; and what a layout prints or tabulates."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

from symcute.claims.base import Claim
from symcute.claims.fields import at_dims
from symcute.errors import InputError
from symcute.expr.expression import NO_DIMS, value_at
from symcute.expr.formula import FALSE, Formula, all_of, eq
from symcute.expr.htuple import HTuple, product, show, show_leaf
from symcute.layout.layout import Layout
from symcute.solve.smtlib import Query

__all__ = ["Compatible", "Holds", "PrintsAs", "Refines", "Table", "compatible"]


@dataclass(frozen=True)
class Holds(Claim):
    """A formula over dims is true for all of them.

    `written` is the formula as it stood before the dims got values; it words a counterexample.
    """

    formula: Formula
    written: Formula | None = field(default=None, compare=False, repr=False)
    name: ClassVar[str] = "holds"

    def spelled(self) -> str:
        """Return the formula in our grammar."""
        return str(self.formula)

    def words(self) -> str:
        """Return the formula with its sides."""
        shown = self.formula.balanced()
        return f"{shown} holds" if not self.dims() else f"{shown}, for all dims"

    def at(self, dims: Mapping[str, int] = NO_DIMS, /, **named: int) -> Holds:
        """Return the claim at integer values of the dims."""
        return Holds(at_dims(self.formula, {**dims, **named}), self._as_written())

    def encode(self, query: Query) -> None:
        """Assert that the formula is false."""
        query.require(f"(not {query.formula(self.formula)})")

    def fails_at(self, model: Mapping[str, int]) -> str | None:
        """Return the values of both sides if the formula is false."""
        return self.brute()

    def brute(self) -> str | None:
        """Return the smallest part that is false, with its numbers, if the formula is false."""
        return None if self.formula.holds({}) else _why(self.formula, self._as_written())

    def reason_at(self, dims: Mapping[str, int]) -> str | None:
        """Return the smallest part that is false there, as it is written, with its numbers."""
        try:
            return self.at(dims).brute()
        except InputError:
            return None

    def _as_written(self) -> Formula:
        return self.formula if self.written is None else self.written

    def _values(self) -> list[Any]:
        return [self.formula]


def _why(f: Formula, written: Formula) -> str:
    """Return why a static formula is false, in the words in which it was written."""
    if f.op == "and":
        pairs = zip(f.args, written.args, strict=True)
        return next(_why(x, w) for x, w in pairs if not x.holds({}))
    if f.op == "implies":
        return f"{written.args[0]} is true, but {_why(f.args[1], written.args[1])}"
    if f.op == "false":
        return "the hierarchies differ"
    if f.op not in ("eq", "le", "lt", "ne", "divides"):
        return f"{written} is false"
    pairs = zip(f.args, written.args, strict=True)
    values = dict.fromkeys(f"{show_leaf(w)} = {x}" for x, w in pairs if not isinstance(w, int))
    return f"{written} is false, {' and '.join(values)}" if values else f"{written} is false"


@dataclass(frozen=True)
class _OfShapes(Claim):
    """What is said of two shapes, each of which may be that of a layout."""

    left: Any
    right: Any

    def __post_init__(self) -> None:
        """Refuse shapes with an extent that is a number below 1."""
        super().__post_init__()
        for x in (self.left, self.right):
            if isinstance(x, (int, tuple)):
                Layout(x)


@dataclass(frozen=True)
class Compatible(_OfShapes):
    """Shape A is compatible with shape B: equal sizes, and every coordinate of A is one of B."""

    name: ClassVar[str] = "compatible"

    def words(self) -> str:
        """Return the claim as a sentence."""
        a, b = (show(_shape(x)) for x in (self.left, self.right))
        return f"every coordinate of the shape {a} is a coordinate of the shape {b} of equal size"

    def parts(self) -> tuple[Claim, ...]:
        """Return the equations between extents that it comes down to."""
        return (Holds(compatible(_shape(self.left), _shape(self.right))),)


@dataclass(frozen=True)
class Refines(_OfShapes):
    """Shape A refines shape B: equal sizes, and every coordinate of B is one of A.

    >>> claim = Refines((4, (2, 3)), (4, 6))
    >>> print(claim, claim.parts()[0])
    refines((4,(2,3)), (4,6)) 4 == 4 and 6 == 6
    """

    name: ClassVar[str] = "refines"

    def words(self) -> str:
        """Return the claim as a sentence."""
        a, b = (show(_shape(x)) for x in (self.left, self.right))
        return f"the shape {a} refines the shape {b}: every coordinate of {b} is one of {a}"

    def parts(self) -> tuple[Claim, ...]:
        """Return the equations between extents that it comes down to."""
        return (Holds(compatible(_shape(self.right), _shape(self.left))),)


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
    takes_swizzles: ClassVar[bool] = True

    def words(self) -> str:
        """Return the claim as a sentence."""
        return f"{self.printed()} prints as {self.expected}"

    def layouts(self) -> tuple[Layout, ...]:
        """Return the layout, if the value is one whose offsets are numbers."""
        value = self.value
        return (value,) if isinstance(value, Layout) and not value.coordinate_strides else ()

    def dims(self) -> set[str]:
        """Return nothing: the text is compared, dims by their names."""
        return set()

    def at(self, dims: Mapping[str, int] = NO_DIMS, /, **named: int) -> PrintsAs:
        """Return the claim itself."""
        return self

    def printed(self) -> str:
        """Return how the value is written."""
        return str(self.value) if isinstance(self.value, Layout) else show(self.value)

    def brute(self) -> str | None:
        """Return what is printed if it differs."""
        printed = self.printed()
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
        """Return the first cell that differs.

        Errors: InputError when the rows do not fit the layout's shape, or its rank is above 2.
        """
        sizes = [mode.size() for mode in self.layout]
        if len(sizes) > 2:
            raise InputError(f"{self.layout} has rank {len(sizes)}", "a table has rank 1 or 2")
        rows, columns = sizes if len(sizes) == 2 else (1, sizes[0])
        if len(self.rows) != rows or any(len(row) != columns for row in self.rows):
            widths = ", ".join(str(len(row)) for row in self.rows)
            raise InputError(
                f"the table has {len(self.rows)} rows of {widths} cells, {self.layout} has "
                f"{rows} of {columns}",
                "give every row in full",
            )
        for i, row in enumerate(self.rows):
            for j, expected in enumerate(row):
                got = self.layout(i, j) if len(sizes) == 2 else self.layout(j)
                if got != value_at(expected, {}):
                    return f"L({i},{j}) = {got}, not {expected}, in L = {self.layout}"
        return None
