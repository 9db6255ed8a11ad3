"""Which arrays pointers are to, whatever moves them: which of these a kernel may write."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from symcute.frontends.triton.accesses import ACCESSES
from symcute.frontends.triton.operations import Block, Function, Op, Value

__all__ = ["Roots"]


class Roots:
    """The arguments of a function that each pointer may be made of, and those that are written.

    `arrays` are those that the arguments point to; what is written through one of two that point to
    the same array is written for both.
    """

    def __init__(self, function: Function, arrays: Sequence[str | None]) -> None:
        self._of: dict[int, frozenset[int]] = {
            v.number: frozenset({v.number}) for v in function.blocks[0].arguments
        }
        flows = [
            (target, source)
            for target, source in _flows(function.blocks)
            if _is_pointer(target) and _is_pointer(source)
        ]
        grown = True
        while grown:
            grown = False
            for target, source in flows:
                old = self._of.get(target.number, frozenset())
                new = old | self._of.get(source.number, frozenset())
                grown |= new != old
                self._of[target.number] = new
        written = [self.of(op.operands[0]) for op in _ops(function.blocks) if _writes(op)]
        changed = frozenset[int]().union(*written)
        pairs = [*zip((v.number for v in function.blocks[0].arguments), arrays, strict=True)]
        touched = {a for n, a in pairs if n in changed and a is not None}
        self.written = changed | {n for n, a in pairs if a in touched}
        self.contested = self._contested(function, dict(pairs))
        self.marked = any("tt.unsigned" in op.attributes for op in _ops(function.blocks))

    def _contested(self, function: Function, arrays: dict[int, str | None]) -> bool:
        """Return whether an array that is written may be accessed more than once."""
        every = [*_ops(function.blocks)]
        loops = [op for op in every if op.name in ("scf.for", "scf.while")]
        again = [x for op in loops for region in op.regions for x in _ops(region)]
        if len(function.blocks) > 1 or any(_writes(op) for op in again):
            return True
        to = [self.of(op.operands[0]) for op in every if op.name in ACCESSES]
        met = Counter(a for found in to for a in {arrays.get(n) or n for n in found})
        return not all(to) or any(met[arrays.get(n) or n] > 1 for n in self.written)

    def of(self, value: Value) -> frozenset[int]:
        """Return the arguments that a pointer, or a descriptor, may be made of."""
        return self._of.get(value.number, frozenset())

    def may_change(self, pointer: Value) -> bool:
        """Return whether what a pointer is to may be written; one of no known origin may."""
        found = self.of(pointer)
        return not found or bool(found & self.written)


def _writes(op: Op) -> bool:
    return op.name in ACCESSES and not op.name.endswith("load")


def _is_pointer(value: Value) -> bool:
    return value.type.pointee is not None or value.type.described is not None


def _ops(blocks: Sequence[Block]) -> Iterator[Op]:
    for block in blocks:
        for op in block.ops:
            yield op
            for region in op.regions:
                yield from _ops(region)


def _flows(blocks: Sequence[Block]) -> Iterator[tuple[Value, Value]]:
    """Yield values with those that they may be made of."""
    for op in _ops(blocks):
        for result in op.results:
            yield from ((result, source) for source in op.operands)
        for target, passed in op.successors:
            yield from zip(target.arguments, passed, strict=False)
        # What a loop or a branch holds is one of what any of its ways hands on.
        ends = [v for region in op.regions for b in region for v in b.ops[-1].operands]
        held = [v for region in op.regions for b in region for v in b.arguments]
        for target_value in (*op.results, *op.entry, *held):
            yield from ((target_value, source) for source in (*op.operands, *ends))
