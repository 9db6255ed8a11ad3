"""Where pointers come from that loops carry and branches give.

Such a pointer has a root of its own. It is behind the root of another where all that is handed on
to it is: by induction over the rounds, the first of them begins there, and each of the others where
one before did.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from symcute.expr.htuple import Leaf
from symcute.frontends.cutedsl.carried import passes_on
from symcute.frontends.cutedsl.evaluation import Function, Step
from symcute.frontends.cutedsl.values import Pointer, Tensor

__all__ = ["Origin", "origins"]


@dataclass(frozen=True)
class Origin:
    """The root that a pointer is behind, and the offsets at which it, or one before, was taken.

    All are of elements of one type.
    """

    root: str
    offsets: tuple[Leaf, ...]


def origins(function: Function) -> dict[str, Origin]:
    """Return where the roots are that control flow made, as far as each is behind one root."""
    sources: dict[str, list[Pointer | None]] = {}
    for made, given in _handed(function):
        if isinstance(made, Pointer):
            known = [x for x in given if not (isinstance(x, Pointer) and x.root == made.root)]
            of_one = (x if isinstance(x, Pointer) and _alike(x, made) else None for x in known)
            sources.setdefault(made.root, []).extend(of_one)
    found = {}
    for root, given in sources.items():
        offsets: dict[Leaf, None] = {}
        first: set[str] = set()
        todo, seen = list(given), {root}
        while todo:
            x = todo.pop()
            if x is None:
                break
            offsets[x.offset] = None
            if x.root not in sources:
                first.add(x.root)
            elif x.root not in seen:
                seen.add(x.root)
                todo += sources[x.root]
        else:
            if len(first) == 1:
                found[root] = Origin(first.pop(), tuple(offsets))
    return found


def _alike(x: Pointer, made: Pointer) -> bool:
    same = x.element == made.element and x.space == made.space and x.swizzle == made.swizzle
    return same and made.offset == 0


def _handed(function: Function) -> Iterator[tuple[Any, list[Any]]]:
    """Yield what control flow makes of pointers, each with all that is handed on to it."""
    steps: dict[int, Step] = {id(s.operation): s for s in function.steps}
    for step in function.steps:
        operation = step.operation
        blocks = [b for region in operation.regions for b in region]
        ends = [steps[id(b.operations[-1])].operands for b in blocks if b.operations]
        if operation.name == "scf.for" and len(ends) == 1:
            arguments = function.arguments[id(blocks[0])][1:]
            for k, (start, end) in enumerate(zip(step.operands[3:], ends[0], strict=True)):
                given = [_start(start), _start(end)]
                yield _start(arguments[k]), given
                yield _start(step.results[k]), given
        elif passes_on(operation):
            asked, body = (function.arguments[id(b)] for b in blocks)
            for k, (start, end) in enumerate(zip(step.operands, ends[1], strict=True)):
                for made in (asked[k], body[k], step.results[k]):
                    yield _start(made), [_start(start), _start(end)]
        elif operation.name == "scf.if" and len(ends) == len(blocks) == 2:
            for k, result in enumerate(step.results):
                yield _start(result), [_start(end[k]) for end in ends]
        else:
            inner = [x for b in blocks for x in function.arguments.get(id(b), ())]
            for x in (*inner, *(step.results if blocks else ())):
                yield _start(x), [None]


def _start(x: Any) -> Any:
    return x.start if isinstance(x, Tensor) else x
