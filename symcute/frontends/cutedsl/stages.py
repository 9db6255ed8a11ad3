"""The stages of pipelines that a loop carries: index and phase, by how often the loop went round.

An index goes up by one in each round, and back to 0 where it is the count S; a phase, 0 or 1, is
the other where the index goes back. With a number c that goes up by one beside them, the index is
c % S and the phase (c // S + b) % 2, if it is so at the start: that holds for the next round if it
does for this one. c is carried too, or is the counter of a loop that counts from 0.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from symcute.frontends.cutedsl.evaluation import Step
from symcute.frontends.cutedsl.text import Block, Operation
from symcute.frontends.cutedsl.walk import Walk

__all__ = ["Stage", "stages"]

#: The predicate of `arith.cmpi` that says equal.
_EQUAL = "0 : i64"


class Stage(NamedTuple):
    """What a loop carries at a place: an index, or with `phase` one that begins as 0 or 1.

    `beside` is the place of the number that goes up beside it; None for the loop's counter.
    """

    beside: int | None
    of: int
    phase: int | None = None


def stages(walk: Walk, step: Step) -> dict[int, Stage]:
    """Return the stages among what a loop carries, by their places."""
    (block,) = step.operation.regions[0]
    arguments = [x.name for x in block.arguments[1:]]
    carried = step.operands[3:]
    made = {r.name: (o, k) for o in block.operations for k, r in enumerate(o.results)}
    yields = [x.name for x in block.operations[-1].operands]

    def added(name: str) -> str | None:
        """Return the argument that a value is one more than."""
        operation, _ = made.get(name, (None, 0))
        if operation is None or operation.name != "arith.addi":
            return None
        names = [x.name for x in operation.operands]
        left, right = walk.steps[id(operation)].operands
        if right == 1 and names[0] in arguments:
            return names[0]
        return names[1] if left == 1 and names[1] in arguments else None

    counts: list[tuple[int | None, int]] = [
        (k, carried[k])
        for k, name in enumerate(yields)
        if added(name) == arguments[k] and isinstance(carried[k], int) and carried[k] >= 0
    ]
    if step.operands[0] == 0 and step.operands[2] == 1:
        counts.append((None, 0))
    found: dict[int, Stage] = {}
    for k, name in enumerate(yields):
        operation, number = made.get(name, (None, 0))
        if operation is None or operation.name != "scf.if" or not isinstance(carried[k], int):
            continue
        of = _goes_round(walk, operation, number, arguments[k], made, added)
        fits = [(c, start) for c, start in counts if of and start % of == carried[k]]
        if of is None or not fits:
            continue
        count, start = fits[0]
        found[k] = Stage(count, of)
        for p, other in enumerate(yields):
            same, place = made.get(other, (None, 0))
            first = carried[p]
            if same is operation and first in (0, 1) and _flips(walk, same, place, arguments[p]):
                found[p] = Stage(count, of, (first - start // of) % 2)
    return found


def _goes_round(
    walk: Walk, operation: Operation, number: int, argument: str, made: Any, added: Any
) -> int | None:
    """Return the count at which a branch takes an index back to 0, that else goes up by one."""
    asked, _ = made.get(operation.operands[0].name, (None, 0))
    ends = list(_ends(walk, operation))
    if asked is None or asked.name != "arith.cmpi" or len(ends) != 2:
        return None
    if asked.properties.get("predicate") != _EQUAL:
        return None
    (back, _, _), (on, _, names) = ends
    one, of = walk.steps[id(asked)].operands[0], walk.steps[id(asked)].operands[1]
    name = asked.operands[0].name
    goes = added(name) == argument and names[number] == name and one is not None
    if not goes or back[number] != 0 or not isinstance(of, int) or of < 1 or not on:
        return None
    return of


def _flips(walk: Walk, operation: Operation, number: int, argument: str) -> bool:
    """Return whether the first branch gives the other of 0 and 1, and the second the same."""
    (_, block, names), (_, _, others) = _ends(walk, operation)
    flips = [
        o
        for o in block.operations
        if o.name == "arith.xori" and [x.name for x in o.results] == [names[number]]
    ]
    if len(flips) != 1 or others[number] != argument:
        return False
    left, right = (x.name for x in flips[0].operands)
    values = walk.steps[id(flips[0])].operands
    return (left == argument and values[1] == 1) or (right == argument and values[0] == 1)


def _ends(walk: Walk, operation: Operation) -> Iterator[tuple[Any, Block, list[str]]]:
    """Yield what each branch gives: values, its block, and names."""
    for region in operation.regions:
        if len(region) != 1 or not region[0].operations:
            return
        last = region[0].operations[-1]
        if last.name == "scf.yield":
            yield walk.steps[id(last)].operands, region[0], [x.name for x in last.operands]
