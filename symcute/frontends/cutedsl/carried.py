"""What loops carry and never change, by the names in a module."""

from __future__ import annotations

from symcute.frontends.cutedsl.text import Block, Operation, Value

__all__ = ["handed_on", "passes_on", "unchanged"]


def handed_on(block: Block, argument: Value, number: int) -> bool:
    """Return whether a loop's body hands on what it carries, through inner loops and branches."""
    last = block.operations[-1]
    if last.name != "scf.yield" or len(last.operands) < number:
        return False
    return _is_argument(block, last.operands[number - 1].name, argument)


def _is_argument(block: Block, name: str, argument: Value) -> bool:
    """Return whether what a name stands for at the end of a block is an argument of a loop."""
    if name == argument.name:
        return True
    for inner in block.operations:
        for k, result in enumerate(inner.results):
            if result.name != name:
                continue
            if inner.name == "scf.for":
                body = inner.regions[0][0]
                if _is_argument(block, inner.operands[3 + k].name, argument):
                    return handed_on(body, body.arguments[1 + k], 1 + k)
            elif inner.name == "scf.if" and [len(r) for r in inner.regions] == [1, 1]:
                ends = [r[0].operations[-1] for r in inner.regions if r[0].operations]
                return len(ends) == 2 and all(
                    end.name == "scf.yield"
                    and _is_argument(region[0], end.operands[k].name, argument)
                    for end, region in zip(ends, inner.regions, strict=True)
                )
    return False


def passes_on(operation: Operation) -> bool:
    """Return whether the condition of an `scf.while` hands on just what it is asked of."""
    blocks = [b for region in operation.regions for b in region]
    if operation.name != "scf.while" or len(blocks) != 2 or not all(b.operations for b in blocks):
        return False
    last, given = blocks[0].operations[-1], [x.name for x in blocks[0].arguments]
    ends = blocks[1].operations[-1].name == "scf.yield" and last.name == "scf.condition"
    return ends and [x.name for x in last.operands[1:]] == given


def unchanged(operation: Operation) -> set[int]:
    """Return the places of what an `scf.while` carries and never changes."""
    if not passes_on(operation):
        return set()
    (body,) = operation.regions[1]
    return {k for k, x in enumerate(body.arguments) if handed_on(body, x, 1 + k)}
