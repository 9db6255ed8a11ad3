"""Branches of which a constant says which one is taken: it stands where they stood."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import count
from operator import is_

from symcute.frontends.cutedsl.text import Block, Operation, Value

__all__ = ["block_of", "folded", "operation_of"]


def folded(function: Operation) -> Operation:
    """Return a function without branches that constants choose.

    What stood in a branch has names of its own then: those of regions beside each other are the
    same.
    """
    return _Folder().operation(function, {}, {})


def block_of(old: Block, operations: list[Operation]) -> Block:
    """Return a block of other operations: the same one, where they are the same."""
    same = len(operations) == len(old.operations) and all(map(is_, operations, old.operations))
    return old if same else Block(old.arguments, operations)


def operation_of(
    old: Operation, operands: tuple[Value, ...], regions: tuple[tuple[Block, ...], ...]
) -> Operation:
    """Return an operation of other operands and regions: the same one, where they are the same."""
    pairs = zip(old.regions, regions, strict=True)
    if operands == old.operands and all(all(map(is_, a, b)) for a, b in pairs):
        return old
    return replace(old, operands=operands, regions=regions)


class _Folder:
    def __init__(self) -> None:
        self.numbers = count(1)

    def operation(
        self, old: Operation, names: Mapping[str, Value], constants: Mapping[str, bool]
    ) -> Operation:
        """Return an operation with other names for what it takes, and its regions folded."""
        operands = tuple(names.get(x.name, x) for x in old.operands)
        regions = tuple(
            tuple(block_of(b, self.inside(b, names, constants)) for b in region)
            for region in old.regions
        )
        return operation_of(old, operands, regions)

    def inside(
        self, block: Block, names: Mapping[str, Value], constants: Mapping[str, bool]
    ) -> list[Operation]:
        """Return the operations of a block, which has names of its own."""
        own = {x.name for x in block.arguments}
        known = {k: v for k, v in names.items() if k not in own}
        return self.operations(block, known, dict(constants), "")

    def operations(
        self, block: Block, names: dict[str, Value], constants: dict[str, bool], suffix: str
    ) -> list[Operation]:
        """Return the operations of a block, whose results have a suffix; they are in the names."""
        found: list[Operation] = []
        for old in block.operations:
            taken = constants.get(old.operands[0].name) if old.name == "scf.if" else None
            if taken is not None and [len(r) for r in old.regions] == [1, 1]:
                (branch,) = old.regions[not taken]
                inner = dict(names)
                each = self.operations(branch, inner, dict(constants), f"_in{next(self.numbers)}")
                given = each.pop().operands if each and each[-1].name == "scf.yield" else ()
                if len(given) == len(old.results):
                    found += each
                    names |= {r.name: x for r, x in zip(old.results, given, strict=True)}
                    continue
            made = self.operation(old, names, constants)
            for x in old.results:
                names.pop(x.name, None)
                constants.pop(x.name, None)
            if suffix:
                results = tuple(Value(f"{x.name}{suffix}", x.type) for x in old.results)
                made = replace(made, results=results)
                names |= {x.name: y for x, y in zip(old.results, results, strict=True)}
            if old.name == "arith.constant":
                value = old.properties.get("value")
                if value in ("true", "false"):
                    constants[old.results[0].name] = value == "true"
            found.append(made)
        return found
