"""Numbers that go round: the stages of pipelines, from 0 to below a count.

`p + 1`, and 0 where that is the count, takes a number of the ring to the next. What begins in the
ring, and is handed on by loops and branches in no other way, stays in it: each value of the set is
in the ring if those that it is made of are, from the first on. Where a name stands for values of
several regions, all of them have to be.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from symcute.frontends.cutedsl.text import Block, Operation

__all__ = ["rings"]

_INTEGER = re.compile(r"(-?[0-9]+) : i[0-9]+\Z")
#: The predicate of `arith.cmpi` that says equal.
_EQUAL = "0 : i64"


class _Handed(NamedTuple):
    """A value is one of others."""

    others: tuple[str, ...]


class _Next(NamedTuple):
    """A value is the next of another in a ring of so many, which begins at a number."""

    other: str
    below: int
    first: int


class _Kernel:
    """How the integers of a kernel are made: for each name, all ways."""

    def __init__(self, kernel: Operation) -> None:
        self.made: dict[str, list[int | _Handed | _Next | None]] = {}
        self.operations: dict[str, list[Operation]] = {}
        every = [x for region in kernel.regions for block in region for x in _all(block)]
        for operation in every:
            for result in operation.results:
                self.operations.setdefault(result.name, []).append(operation)
        for operation in every:
            for k, result in enumerate(operation.results):
                self.made.setdefault(result.name, []).append(self.way(operation, k))
            for number, region in enumerate(operation.regions):
                for block in region:
                    for k, argument in enumerate(block.arguments):
                        way = self.entered(operation, number, k)
                        self.made.setdefault(argument.name, []).append(way)

    def only(self, name: str, kind: str) -> Operation | None:
        """Return the operation that makes a value, if it is one of that kind and no other."""
        found = self.operations.get(name, [])
        return found[0] if len(found) == 1 and found[0].name == kind else None

    def number(self, name: str) -> int | None:
        """Return the integer that a constant of this name is."""
        found = self.only(name, "arith.constant")
        value = _INTEGER.match(found.properties.get("value", "")) if found else None
        return int(value.group(1)) if value else None

    def way(self, operation: Operation, k: int) -> int | _Handed | _Next | None:
        """Return how the k-th result of an operation is made."""
        if operation.name == "arith.constant":
            value = _INTEGER.match(operation.properties.get("value", ""))
            return int(value.group(1)) if value else None
        if operation.name == "scf.for":
            yielded = _yields(operation.regions[0][0])
            return _Handed((operation.operands[3 + k].name, yielded[k])) if yielded else None
        if operation.name == "scf.while":
            asked = _ends(operation.regions[0][0], "scf.condition")
            return _Handed((asked[1 + k],)) if asked else None
        if operation.name == "arith.select":
            condition, yes, no = (x.name for x in operation.operands)
            return self.next(condition, yes, no) or _Handed((yes, no))
        if operation.name == "scf.if" and all(len(r) == 1 for r in operation.regions):
            ends = [_yields(r[0]) for r in operation.regions]
            if len(ends) == 2 and all(ends):
                yes, no = ends[0][k], ends[1][k]
                return self.next(operation.operands[0].name, yes, no) or _Handed((yes, no))
        return None

    def entered(self, operation: Operation, number: int, k: int) -> _Handed | None:
        """Return what the k-th argument of a loop's region is."""
        if operation.name == "scf.while":
            asked, yielded = (
                _ends(r[0], x)
                for r, x in zip(operation.regions, ("scf.condition", "scf.yield"), strict=True)
            )
            if not asked or not yielded:
                return None
            both = (operation.operands[k].name, yielded[k])
            return _Handed(both) if number == 0 else _Handed((asked[1 + k],))
        if operation.name != "scf.for" or k == 0:
            return None
        yielded = _yields(operation.regions[0][0])
        return _Handed((operation.operands[2 + k].name, yielded[k - 1])) if yielded else None

    def next(self, condition: str, yes: str, no: str) -> _Next | None:
        """Return that a value is the next one: `x == count ? first : x`, where x is `p + 1`."""
        asked, added = self.only(condition, "arith.cmpi"), self.only(no, "arith.addi")
        first = self.number(yes)
        if asked is None or added is None or first is None:
            return None
        if asked.properties.get("predicate") != _EQUAL:
            return None
        names = [x.name for x in asked.operands]
        count = self.number(names[1]) if names[0] == no else self.number(names[0])
        left, right = (x.name for x in added.operands)
        if no not in names or count is None:
            return None
        if self.number(right) == 1:
            return _Next(left, count, first)
        return _Next(right, count, first) if self.number(left) == 1 else None


def rings(kernel: Operation) -> dict[str, int]:
    """Return, for each value that is known to be from 0 to below a count, the least such count."""
    ways = _Kernel(kernel).made
    counts = {x.below for each in ways.values() for x in each if isinstance(x, _Next)}
    found: dict[str, int] = {}
    for count in sorted(counts, reverse=True):
        inside = set(ways)
        before = -1
        while before != len(inside):
            before = len(inside)
            inside = {x for x in inside if all(_stays(way, count, inside) for way in ways[x])}
        found.update(dict.fromkeys(inside, count))
    return found


def _stays(way: int | _Handed | _Next | None, count: int, inside: set[str]) -> bool:
    match way:
        case int():
            return 0 <= way < count
        case _Handed(others):
            return all(x in inside for x in others)
        case _Next(other, of, first):
            return of == count and other in inside and 0 <= first < count
    return False


def _all(block: Block) -> Iterator[Operation]:
    for operation in block.operations:
        yield operation
        for region in operation.regions:
            for inner in region:
                yield from _all(inner)


def _yields(block: Block) -> tuple[str, ...]:
    return _ends(block, "scf.yield")


def _ends(block: Block, name: str) -> tuple[str, ...]:
    """Return what a block ends with, if that is of this name."""
    last = block.operations[-1] if block.operations else None
    if last is None or last.name != name:
        return ()
    return tuple(x.name for x in last.operands)
