"""What tables hold in executions: contents that are as the setting says, and which may be."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from math import gcd

from symcute.expr.expression import value_at
from symcute.kernel.ir.inside import every
from symcute.kernel.ir.interpreter import Choice
from symcute.kernel.ir.place import Place
from symcute.kernel.ir.program import Array, Atomic, Int, Kernel, Load, Type
from symcute.kernel.ir.setting import Setting, Table

__all__ = ["Filling", "fillings", "mixed", "possible"]


@dataclass(frozen=True)
class Filling:
    """One table at given sizes: `extent` elements of `width` bytes in [low, high]."""

    name: str
    table: Table
    extent: int
    low: int
    high: int
    width: int

    def at(self, offset: int, how: str) -> int:
        """Return the element at a byte, of contents of which there are four."""
        k = offset // self.width
        return self._increasing(k, how) if self.table.increasing else self._distinct(k, how)

    def _increasing(self, k: int, how: str) -> int:
        low, high = self.low, self.high
        if k == 0 or k >= self.extent - 1:
            return low if k == 0 else high
        if how == "":
            return low + (high - low) * k // (self.extent - 1)
        return {"low": low, "high": high}.get(how, min(low + k, high))

    def _distinct(self, k: int, how: str) -> int:
        size = max(self.high - self.low + 1, 1)
        if how == "high":
            return self.high - k
        # A permutation of [0, size), as an affine function modulo the size.
        factor, shift = {"": (_coprime(size), size // 3), "low": (1, 0)}.get(how, (1, 1))
        if self.table.inverse and self.table.inverse < self.name:
            return self.low + (k - shift) * pow(factor, -1, size) % size
        return self.low + (k * factor + shift) % size

    def holds(self, cells: Mapping[int, int]) -> bool:
        """Return whether there are contents of the table with these elements."""
        if any(not (0 <= k < self.extent and self.low <= x <= self.high) for k, x in cells.items()):
            return False
        if self.table.distinct and len({*cells.values()}) < len(cells):
            return False
        if not self.table.increasing:
            return self.extent <= self.high - self.low + 1
        ends = (
            cells.get(0, self.low) == self.low,
            cells.get(self.extent - 1, self.high) == self.high,
        )
        values = [cells[k] for k in sorted(cells)]
        return all(ends) and all(x <= y for x, y in pairwise(values))


def fillings(
    setting: Setting, arrays: Mapping[str, Array], at: Mapping[str, int]
) -> dict[str, Filling]:
    """Return the tables of a setting at given sizes."""
    found = {}
    for name, table in setting.tables.items():
        low, high = (value_at(x, at) for x in setting.contents[name])
        extent, type = value_at(setting.extents[name], at), arrays[name].integer
        if type is not None:
            low, high = max(low, type.low), min(high, type.high)
        found[name] = Filling(name, table, extent, low, high, arrays[name].element)
    return found


def possible(tables: Mapping[str, Filling], asked: Iterable[tuple[Choice, int]]) -> bool:
    """Return whether tables may hold what an execution took out of them."""
    cells: dict[str, dict[int, int]] = {name: {} for name in tables}
    for choice, value in asked:
        filling = tables.get(choice.name) if choice.kind == "content" else None
        if filling is None:
            continue
        if choice.offset % filling.width:
            return False
        cells[choice.name][choice.offset // filling.width] = value
    for name, filling in tables.items():
        other = cells.get(filling.table.inverse, {})
        back = {x: k for k, x in other.items()}
        if len(back) < len(other) or any(cells[name].get(k, x) != x for k, x in back.items()):
            return False
        if not filling.holds({**back, **cells[name]}):
            return False
    return True


def mixed(kernel: Kernel, setting: Setting, reads: Iterable[tuple[str, Place]]) -> bool:
    """Return whether a table is read as integers of another type than its own.

    What such integers are is not told by the elements that they are made of.
    """
    types: dict[Place, set[Type]] = {}
    for s in every(kernel.body):
        if isinstance(s, (Load, Atomic)):
            parts = s.parts if isinstance(s, Load) else ((s.op, 0, Int(8 * s.width, True)),)
            types.setdefault(s.place, set()).update(type for _, _, type in parts)
    own = {a.name: a.integer for a in kernel.arrays}
    return any(
        types.get(place, set()) - {own.get(array)}
        for array, place in reads
        if array in setting.tables
    )


def _coprime(size: int) -> int:
    """Return a factor that has no divisor in common with a size, far from 1."""
    found = max(size * 5 // 8, 1)
    while gcd(found, size) > 1:
        found += 1
    return found
