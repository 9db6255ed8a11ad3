"""What loops carry and never change, by the names in a module."""

from __future__ import annotations

from symcute.frontends.cutedsl.text import Block, Value

__all__ = ["handed_on"]


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
