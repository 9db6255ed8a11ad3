"""A function of TTIR to a program: an element of a tensor is a thread, a program of Triton a block.

**Elements.** The machinery follows one generic thread of one generic block. A block is a program,
and a thread is an element of the tensors of one shape: it makes the accesses of its element, in all
loads, stores and atomics of that shape. Each shape that is accessed has threads of its own, along z
one shape after the other, y and x its last two coordinates. So the elements that touch memory are
the threads, each once; an element of one shape is never the same thread as one of another. The body
of a kernel stands once for each shape, with nothing but the accesses of that shape in it (and
the loads that its addresses, masks and conditions rest on, where nothing writes to the array: such
a load reads the same in every thread). A number from an array that the kernel writes is read by the
threads of the load alone, and handed on: to all others it may be anything. A tensor is as large as
Triton allows, so there is no limit to threads.

**Order.** Threads of a block are not ordered but by barriers, and these are `tl.debug_barrier`
alone: how a reduction or a dot product moves elements among warps is the compiler's affair. It may
be with barriers, and what is stored of a sum waits for all that is in it: no race of one program
across such an operation is certain (a `Fence` of "elements"), and none is proved away by it. The
element at the same coordinates of the same shape is one thread, and is in order with itself; that
holds on the machine for in-place updates, where what is stored comes of what was loaded. Where
tensors of several shapes are accessed, barriers cut the body into phases: it stands once for each
shape in each phase, with the accesses of that phase alone, and barriers stand between. A branch
with a barrier in it is taken by the threads of all shapes together: it stands once, around its
phases. Barriers in loops are not understood: no race is decided in such a kernel.

**Values.** They are asked for: an access asks for its address and its mask at the coordinates of
its thread, which asks for what these are made of (`values.py`), up to what only a statement can
give: what was loaded, what a loop carries, what a branch chooses. Such a value becomes a variable
for each coordinates at which it is asked for. Operations are taken from the last to the first, so
that all that is asked of one is known where it stands. Floating point is data, and is never asked
for. A value that has no rule may be anything (`Havoc`); an operation that may do more than compute,
and has no rule, is `NotUnderstood`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import count
from math import prod

from symcute.frontends.triton.effects import acts
from symcute.frontends.triton.operations import Function
from symcute.frontends.triton.promises import hints_of
from symcute.frontends.triton.roots import Roots
from symcute.frontends.triton.threads import (
    Choice,
    Part,
    Phase,
    parts_of,
    shapes_of,
    thread_of,
    without_barriers,
)
from symcute.frontends.triton.values import Coordinates
from symcute.frontends.triton.walk import ShapeWalk, array_of
from symcute.kernel.ir.expression import Expr
from symcute.kernel.ir.place import Place
from symcute.kernel.ir.program import Barrier, If, Stmt

__all__ = ["Lowered", "lowered"]


class Lowered:
    """What became of a function: statements, and the extents of a block."""

    def __init__(self, body: tuple[Stmt, ...], block: tuple[int, int, int]) -> None:
        self.body, self.block = body, block


def lowered(function: Function, arguments: Sequence[Expr | None]) -> Lowered:
    """Return the program of a function, whose arguments are given (None: of no use for indices).

    Post-conditions: as the docstring of the module has it.
    Errors: Unread for a loop or branches that go beyond a limit.
    """
    shapes = shapes_of(function) or [()]
    hints = hints_of(function.blocks)
    x = max((s[-1] for s in shapes if s), default=1)
    y = max((s[-2] for s in shapes if len(s) > 1), default=1)
    z = sum(prod(s[:-2]) for s in shapes)
    values = {
        v.number: e for v, e in zip(function.blocks[0].arguments, arguments, strict=True) if e
    }
    roots = Roots(function, [array_of(e) for e in arguments])
    every = _Every(shapes, values, roots, hints, (x, y, z), function.place)
    parts = parts_of(function) if len(shapes) > 1 else (Phase((*function.blocks[0].ops,)),)
    return Lowered(tuple(every.parts(parts)), (x, y, z))


@dataclass
class _Every:
    """Lowers what the threads of all shapes do."""

    shapes: Sequence[tuple[int, ...]]
    arguments: dict[int, Expr]
    roots: Roots
    hints: dict[int, list[int]]
    block: tuple[int, int, int]
    place: Place
    _labels: count[int] = field(default_factory=count)
    _phases: count[int] = field(default_factory=count)

    def parts(self, parts: Sequence[Part]) -> list[Stmt]:
        """Return the statements of what is done one after the other."""
        body: list[Stmt] = []
        for part in parts:
            if isinstance(part, Phase):
                body += self._phase(part)
            elif isinstance(part, Choice):
                body += self._choice(part)
            else:
                body.append(Barrier("block", part))
        return body

    def _phase(self, phase: Phase) -> list[Stmt]:
        """Return what the threads of each shape do between two barriers."""
        body: list[Stmt] = []
        start, k = 0, next(self._phases)
        for number_of, shape in enumerate(self.shapes):
            at, guard = thread_of(shape, start, self.block, self.place)
            start += prod(shape[:-2])
            words = [f"shape{number_of}"] if len(self.shapes) > 1 else []
            words += [f"phase{k}"] if phase.ops is not None else []
            found = self._walk(shape, at, words, phase).line(phase.line)
            if len(self.shapes) > 1:
                found = without_barriers(found)
            if phase.ops is None or any(map(acts, found)):
                body += [If(guard, tuple(found), (), self.place)] if guard is not None else found
        return body

    def _choice(self, choice: Choice) -> list[Stmt]:
        """Return a branch that the threads of all shapes take together."""
        ways = [tuple(self.parts(way)) for way in choice.ways]
        walk = self._walk((), (), [f"phase{next(self._phases)}"], Phase((), frozenset()))
        test = walk.element(choice.op.operands[0], ())
        then, other = (*ways, ())[:2]
        return [*walk.line(choice.line), If(test, then, other, choice.op.place)]

    def _walk(
        self, shape: tuple[int, ...], at: Coordinates, words: Sequence[str], phase: Phase
    ) -> ShapeWalk:
        walk = ShapeWalk(self.arguments, shape, at, tuple(words), self._labels, self.roots, phase)
        walk.shapes, walk.hints = self.shapes, self.hints
        return walk
