"""Which threads are the elements of which tensors: the layout that `lowering.py` speaks of."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import prod

from symcute.frontends.triton.accesses import ACCESSES
from symcute.frontends.triton.operations import Block, Function, Op
from symcute.frontends.triton.promises import promised_shape
from symcute.frontends.triton.types import BOOL, I32
from symcute.frontends.triton.values import Coordinates, both, number
from symcute.kernel.ir.expression import Binary, Builtin, Cast, Expr
from symcute.kernel.ir.inside import with_blocks
from symcute.kernel.ir.place import Place
from symcute.kernel.ir.program import Barrier, Int, NotUnderstood, Stmt

__all__ = [
    "Phase",
    "has_barrier",
    "is_barrier",
    "phases_of",
    "shapes_of",
    "thread_of",
    "without_barriers",
]


@dataclass(frozen=True)
class Phase:
    """What is between two barriers: its operations (None: all), and the barrier at its end."""

    ops: frozenset[int] | None = None
    end: Place | None = None

    def has(self, op: Op) -> bool:
        """Return whether an operation is of it."""
        return self.ops is None or id(op) in self.ops


def is_barrier(op: Op) -> bool:
    """Return whether all that the threads of a program did before it is seen behind it."""
    return op.name == "gpu.barrier" or (op.name == "ttg.barrier" and op.head == ["all"])


def has_barrier(function: Function) -> bool:
    """Return whether there is a barrier in a function."""
    every = (op for block in function.blocks for op in block.ops)
    return any(is_barrier(x) for op in every for x in (op, *_inside(op)))


def phases_of(function: Function) -> list[Phase]:
    """Return the phases of a function: one where a barrier is not met by all, or there is none."""
    if len(function.blocks) > 1:
        return [Phase()]
    found: list[Phase] = []
    ops: set[int] = set()
    for op in function.blocks[0].ops:
        if is_barrier(op):
            found.append(Phase(frozenset(ops), op.place))
            ops = set()
            continue
        inner = [*_inside(op)]
        if any(map(is_barrier, inner)):
            return [Phase()]
        ops |= {id(op), *map(id, inner)}
    return [*found, Phase(frozenset(ops))] if found else [Phase()]


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
