"""Which threads are the elements of which tensors: the layout that `lowering.py` speaks of."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count
from math import prod
from typing import TypeAlias

from symcute.frontends.triton.accesses import ACCESSES
from symcute.frontends.triton.operations import Block, Function, Op, Value
from symcute.frontends.triton.promises import promised_shape
from symcute.frontends.triton.types import BOOL, I32, Unread
from symcute.frontends.triton.values import Coordinates, both, number
from symcute.kernel.ir.expression import Binary, Builtin, Cast, Expr
from symcute.kernel.ir.inside import with_blocks
from symcute.kernel.ir.place import Place
from symcute.kernel.ir.program import Barrier, Int, NotUnderstood, Stmt

__all__ = [
    "MOST_PIECES",
    "Choice",
    "Line",
    "Part",
    "Passed",
    "Phase",
    "has_barrier",
    "is_barrier",
    "parts_of",
    "shapes_of",
    "thread_of",
    "without_barriers",
]


@dataclass(frozen=True)
class Passed:
    """What a way on hands to the block it leads to."""

    targets: Sequence[Value]
    sources: Sequence[Value]
    place: Place


#: What may have barriers on its ways.
_BRANCHES = ("scf.if", "cf.cond_br", "cf.br")
#: How many blocks are followed, each as often as ways lead to it.
MOST_PIECES = 64
#: Operations in the order in which they are met, whatever they are nested in.
Line: TypeAlias = tuple[Op | Passed, ...]


@dataclass(frozen=True)
class Phase:
    """What is between two barriers: what is met up to its end, and the operations that act in it.

    Where no phases are told apart (`ops` is None) all of them do.
    """

    line: Line
    ops: frozenset[int] | None = None

    def has(self, op: Op) -> bool:
        """Return whether an operation is of it."""
        return self.ops is None or id(op) in self.ops


@dataclass(frozen=True)
class Choice:
    """A branch with barriers in it: what is met in front of it, and what is done on both ways."""

    line: Line
    op: Op
    ways: tuple[tuple[Part, ...], ...]


#: What the threads of a program do, one after the other; a place is that of a barrier.
Part: TypeAlias = Phase | Choice | Place


def is_barrier(op: Op) -> bool:
    """Return whether all that the threads of a program did before it is seen behind it."""
    return op.name == "gpu.barrier" or (op.name == "ttg.barrier" and op.head == ["all"])


def has_barrier(function: Function) -> bool:
    """Return whether there is a barrier in a function."""
    every = (op for block in function.blocks for op in block.ops)
    return any(is_barrier(x) for op in every for x in (op, *_inside(op)))


def parts_of(function: Function) -> tuple[Part, ...]:
    """Return what the threads of a program do: phases, barriers, and branches with these in them.

    A barrier in a loop is left where it is. Errors: Unread for a jump back, or too many ways.
    """
    entry = function.blocks[0]
    if not has_barrier(function):
        return (Phase((*entry.ops,)),)
    return _parts(entry.ops, (), (entry,), count(2))


def _parts(
    ops: Sequence[Op], line: Line, path: tuple[Block, ...], pieces: Iterator[int]
) -> tuple[Part, ...]:
    """Return the parts of operations that are met behind a line."""
    found: list[Part] = []
    here = set[int]()
    for op in ops:
        inner = {id(x): x for x in (*_inside(op), *_behind(op))}
        if is_barrier(op):
            found += [Phase(line, frozenset(here)), op.place]
            here = set()
            continue
        if op.name in _BRANCHES and any(map(is_barrier, inner.values())):
            found.append(Phase(line, frozenset(here)))
            here = set()
            ways = [_parts(region[0].ops[:-1], line, path, pieces) for region in op.regions]
            for target, passed in op.successors:
                if target in path or next(pieces) > MOST_PIECES:
                    raise Unread("a jump back, or too many ways through a function")
                handed = Passed(target.arguments, passed, op.place)
                ways.append(_parts(target.ops, (*line, handed), (*path, target), pieces))
            found += ways[0] if op.name == "cf.br" else [Choice(line, op, tuple(ways))]
        else:
            here |= {id(op), *inner}
        line = (*line, op)
    return (*found, Phase(line, frozenset(here))) if here else tuple(found)


def _behind(op: Op) -> Iterator[Op]:
    """Yield all operations of the blocks that an operation leads to."""
    seen = dict[int, Block]()
    left = [target for target, _ in op.successors]
    while left:
        block = left.pop()
        if id(block) not in seen:
            seen[id(block)] = block
            left += [target for inner in block.ops for target, _ in inner.successors]
    for block in seen.values():
        for inner in block.ops:
            yield inner
            yield from _inside(inner)


def _inside(op: Op) -> Iterator[Op]:
    for region in op.regions:
        for block in region:
            for inner in block.ops:
                yield inner
                yield from _inside(inner)


def shapes_of(function: Function) -> list[tuple[int, ...]]:
    """Return the shapes of which elements are accessed: those of stores first.

    Shapes of which something is promised have threads too, unless barriers order threads: these
    are among the threads of one shape.
    """
    found: dict[tuple[int, ...], bool] = {}
    promises = not has_barrier(function)

    def look(blocks: Sequence[Block]) -> None:
        for block in blocks:
            for op in block.ops:
                if op.name in ACCESSES:
                    shape = ACCESSES[op.name].shape(op)
                    found[shape] = found.get(shape, False) or "store" in op.name
                elif promises and (said := promised_shape(op)):
                    found.setdefault(said, False)
                for region in op.regions:
                    look(region)

    look(function.blocks)
    return sorted(found, key=lambda s: (not found[s], -prod(s), s))


def without_barriers(body: Sequence[Stmt]) -> list[Stmt]:
    """Return statements whose barriers are not understood."""
    found: list[Stmt] = []
    for s in body:
        if isinstance(s, Barrier):
            why = "a barrier among tensors of several shapes"
            found.append(NotUnderstood(why, s.place, (), (), True))
        else:
            found.append(with_blocks(s, without_barriers))
    return found


def thread_of(
    shape: tuple[int, ...], start: int, extents: tuple[int, int, int], place: Place
) -> tuple[Coordinates, Expr | None]:
    """Return the coordinates of a thread's element, and which threads have one of the shape."""

    def axis(name: str) -> Expr:
        return Cast(Builtin(f"threadIdx.{name}", Int(32, False)), I32, place, True)

    guard: Expr | None = None
    found: list[Expr] = []
    for name, extent, size in (
        ("x", extents[0], shape[-1] if shape else 1),
        ("y", extents[1], shape[-2] if len(shape) > 1 else 1),
    ):
        if size < extent:
            guard = both(guard, Binary("<", axis(name), number(size), BOOL, place), place)
        found.insert(0, axis(name) if size > 1 else number(0))
    outer = prod(shape[:-2])
    if outer < extents[2]:
        low = Binary(">=", axis("z"), number(start), BOOL, place) if start else None
        high = Binary("<", axis("z"), number(start + outer), BOOL, place)
        if outer == 1:
            low, high = None, Binary("==", axis("z"), number(start), BOOL, place)
        guard = both(both(guard, low, place), high, place)
    left = Binary("-", axis("z"), number(start), I32, place) if start else axis("z")
    leading: list[Expr] = []
    for k, size in enumerate(shape[:-2]):
        inner = prod(shape[k + 1 : -2])
        digit = left if inner == 1 else Binary("/", left, number(inner), I32, place)
        digit = digit if k == 0 else Binary("%", digit, number(size), I32, place)
        leading.append(digit if size > 1 else number(0))
    return (*leading, *found[max(0, 2 - len(shape)) :]), guard
