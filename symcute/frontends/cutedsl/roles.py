"""What an earlier branch gave, read in a branch that says which way the earlier one went.

Warps have roles: one branch is for `warp == 5`, a later one for `warp == 4`, and what the first
hands on, as it is or changed, the second reads. A warp of the second was not in the first: what it
reads there is what was before. So wherever comparisons of one integer with constants, those of the
branches around, decide an earlier comparison of the same integer with a constant, a result of the
earlier branch is what that side of it gives, if that was made before the branch.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Mapping
from typing import NamedTuple, TypeAlias

from symcute.frontends.cutedsl.folding import block_of, operation_of
from symcute.frontends.cutedsl.text import Block, Operation, Value

__all__ = ["parted"]

_INTEGER = re.compile(r"(-?[0-9]+) : i[0-9]+\Z")
#: The predicates of `arith.cmpi` that compare signed integers.
_COMPARES = dict(
    enumerate((operator.eq, operator.ne, operator.lt, operator.le, operator.gt, operator.ge))
)
#: What makes the names that are seen; None for a block's argument.
_Made: TypeAlias = "Mapping[str, Operation | None]"


class _Test(NamedTuple):
    """A comparison of an integer with a constant, by the predicate's number."""

    value: str
    predicate: int
    constant: int

    def holds(self, x: int) -> bool:
        return bool(_COMPARES[self.predicate](x, self.constant))


#: The comparisons of the branches around, and whether they hold.
_Known: TypeAlias = "tuple[tuple[_Test, bool], ...]"


def parted(function: Operation) -> Operation:
    """Return a function whose branches read of earlier ones what these gave to their threads."""
    return _operation(function, {}, ())


def _operation(old: Operation, made: _Made, known: _Known) -> Operation:
    operands = tuple(_given(x, made, known) for x in old.operands) if known else old.operands
    test = _test(old.operands[0].name, made) if old.name == "scf.if" else None
    regions = []
    for number, region in enumerate(old.regions):
        inner = known if test is None else (*known, (test, number == 0))
        regions.append(tuple(_block(b, made, inner) for b in region))
    return operation_of(old, operands, tuple(regions))


def _block(old: Block, made: _Made, known: _Known) -> Block:
    seen = {**made, **{x.name: None for x in old.arguments}}
    found = []
    for operation in old.operations:
        found.append(_operation(operation, seen, known))
        seen |= {x.name: operation for x in operation.results}
    return block_of(old, found)


def _given(value: Value, made: _Made, known: _Known) -> Value:
    """Return what a value is where comparisons are known to hold, or not to."""
    while (branch := made.get(value.name)) is not None and branch.name == "scf.if":
        test = _test(branch.operands[0].name, made)
        taken = None if test is None else _decided(test, known)
        if taken is None or [len(r) for r in branch.regions] != [1, 1]:
            break
        (block,) = branch.regions[not taken]
        own = {
            x.name for x in (*block.arguments, *(r for o in block.operations for r in o.results))
        }
        last = block.operations[-1] if block.operations else None
        number = [x.name for x in branch.results].index(value.name)
        if last is None or last.name != "scf.yield" or last.operands[number].name in own:
            break
        value = last.operands[number]
    return value


def _test(name: str, made: _Made) -> _Test | None:
    """Return the comparison that a condition is, if it is one with a constant."""
    asked = made.get(name)
    if asked is None or asked.name != "arith.cmpi":
        return None
    predicate = _number(asked, "predicate")
    value, number = asked.operands[0].name, _constant(asked.operands[1].name, made)
    if predicate not in _COMPARES or number is None:
        return None
    return _Test(value, predicate, number)


def _constant(name: str, made: _Made) -> int | None:
    found = made.get(name)
    return _number(found, "value") if found and found.name == "arith.constant" else None


def _number(operation: Operation, name: str) -> int | None:
    value = _INTEGER.match(operation.properties.get(name, ""))
    return int(value.group(1)) if value else None


def _decided(test: _Test, known: _Known) -> bool | None:
    """Return whether a comparison holds for all integers for which the known are as they are.

    Between the constants no comparison changes: the constants and what is beside them are all that
    has to be gone through.
    """
    mine = [(t, holds) for t, holds in known if t.value == test.value]
    constants = [t.constant for t, _ in mine] + [test.constant]
    points = {c + d for c in constants for d in (-1, 0, 1)}
    told = {test.holds(x) for x in points if all(t.holds(x) is holds for t, holds in mine)}
    return told.pop() if len(told) == 1 else None
