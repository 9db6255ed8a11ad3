"""What loops carry that is made of other things they carry, in the same way in each round.

A flag `t < n` beside the number t, the coordinates of tile t, the slice of a tensor at a stage: if
what a loop begins with, and what a round hands on, are made by the same operations of other things
that it carries, of constants and of what is the same in all rounds, then so it is at the start of
every round and behind the loop, by induction. There it is computed again, by copies of the
operations that make it, and what is carried of it is read no more.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import count
from typing import TypeAlias

from symcute.frontends.cutedsl.carried import passes_on
from symcute.frontends.cutedsl.folding import block_of, operation_of
from symcute.frontends.cutedsl.text import Block, Operation, Value
from symcute.frontends.cutedsl.uniformity import PURE

__all__ = ["derived"]

#: Operations, by what their names begin with, that compute of their operands and do nothing else.
_COMPUTES = (*PURE, "cute_nvgpu.arch.make_warp_uniform")
#: How many operations may make a value.
_MOST = 200

#: How names are made: by an operation, as one of its results; None for a block's argument.
_Made: TypeAlias = dict[str, Operation | None]
#: A value of a round: an argument by its place, a name from outside, or a result of an operation.
_Tree: TypeAlias = "int | str | tuple[Operation, int, tuple[_Tree, ...]]"


def derived(function: Operation) -> Operation:
    """Return a function in whose loops what is derived is computed where it is read."""
    return _Rewriter().operation(function, {}, {})


class _Rewriter:
    def __init__(self) -> None:
        self.numbers = count(1)

    def operation(self, old: Operation, names: Mapping[str, Value], made: _Made) -> Operation:
        """Return an operation of which some names are others."""
        operands = tuple(names.get(x.name, x) for x in old.operands)
        regions = tuple(
            tuple(self.block(b, [], names, made) for b in region) for region in old.regions
        )
        return operation_of(old, operands, regions)

    def block(
        self, old: Block, first: list[Operation], names: Mapping[str, Value], made: _Made
    ) -> Block:
        """Return a block that begins with other operations."""
        names, made = dict(names), {**made, **{x.name: None for x in old.arguments}}
        found = list(first)
        for operation in old.operations:
            if operation.name in ("scf.for", "scf.while"):
                found += self.loop(operation, names, made)
            else:
                found.append(self.operation(operation, names, made))
            made |= {x.name: operation for x in operation.results}
        return block_of(old, found)

    def loop(self, old: Operation, names: dict[str, Value], made: _Made) -> Iterator[Operation]:
        """Yield a loop, and behind it what it leaves of what is derived, which names then mean."""
        trees = _trees(old, made)
        if not trees:
            yield self.operation(old, names, made)
            return
        skipped = 1 if old.name == "scf.for" else 0
        regions = []
        for region in old.regions:
            (block,) = region
            own = block.arguments[skipped:]
            first, inner = self.copies(trees, own, names)
            new = self.block(block, first, {**names, **inner}, made)
            last = new.operations[-1]
            if last.name == "scf.condition":  # it hands on just what it is asked of
                last = replace(last, operands=(last.operands[0], *own))
                new = Block(block.arguments, [*new.operations[:-1], last])
            regions.append((new,))
        operands = tuple(names.get(x.name, x) for x in old.operands)
        new_loop = replace(old, operands=operands, regions=tuple(regions))
        behind, outer = self.copies(trees, old.results, names)
        names |= outer
        yield new_loop
        yield from behind

    def copies(
        self, trees: Mapping[int, _Tree], given: tuple[Value, ...], names: Mapping[str, Value]
    ) -> tuple[list[Operation], dict[str, Value]]:
        """Return copies of what makes derived values of others, and what their names mean then."""
        found: list[Operation] = []
        done: dict[int, tuple[Value, ...]] = {}

        def value(tree: _Tree, type: str) -> Value:
            if isinstance(tree, int):
                return given[tree]
            if isinstance(tree, str):
                return names.get(tree, Value(tree, type))
            operation, number, inner = tree
            if id(tree) not in done:
                each = zip(inner, operation.operands, strict=True)
                operands = tuple(value(x, o.type) for x, o in each)
                n = next(self.numbers)
                results = tuple(Value(f"{x.name}_again{n}", x.type) for x in operation.results)
                found.append(replace(operation, operands=operands, results=results))
                done[id(tree)] = results
            return done[id(tree)][number]

        return found, {given[k].name: value(tree, given[k].type) for k, tree in trees.items()}


def _trees(loop: Operation, made: _Made) -> dict[int, _Tree]:
    """Return how what a loop carries is made of the rest, by the places of what is."""
    if loop.name == "scf.while":
        if not passes_on(loop):
            return {}
        starts, block = loop.operands, loop.regions[1][0]
        arguments = block.arguments
    else:
        starts, block = loop.operands[3:], loop.regions[0][0]
        arguments = block.arguments[1:]
    if not block.operations or block.operations[-1].name != "scf.yield":
        return {}
    ends = block.operations[-1].operands
    if not len(starts) == len(ends) == len(arguments):
        return {}
    inside = {x.name: o for o in block.operations for x in o.results}
    #: What is one thing at the start and at the end of rounds: what is carried, changed or not.
    leaves: dict[tuple[str, str], int] = {}
    for k, (a, b) in enumerate(zip(starts, ends, strict=True)):
        leaves.setdefault((a.name, b.name), k)
        if b.name == arguments[k].name:
            leaves[a.name, b.name] = k
    seen: dict[tuple[str, str], _Tree | None] = {}

    def tree(a: str, b: str, own: int, budget: list[int]) -> _Tree | None:
        """Return what a name at the start and one at the end of rounds are, if that is the same."""
        leaf = leaves.get((a, b))
        if leaf is not None and leaf != own:
            return leaf
        if a == b and a in made and b not in inside:
            return a
        if (a, b) in seen:
            return seen[a, b]
        first, last = made.get(a), inside.get(b)
        budget[0] -= 1
        if first is None or last is None or budget[0] < 0 or not _alike(first, last):
            return None
        number = [x.name for x in last.results].index(b)
        if [x.name for x in first.results][number] != a:
            return None
        parts: list[_Tree] = []
        for x, y in zip(first.operands, last.operands, strict=True):
            part = tree(x.name, y.name, own, budget)
            if part is None:
                return None
            parts.append(part)
        found = last, number, tuple(parts)
        seen[a, b] = found
        return found

    found: dict[int, _Tree] = {}
    used = set[int]()
    for k, (a, b) in enumerate(zip(starts, ends, strict=True)):
        if b.name == arguments[k].name:
            continue
        seen.clear()
        known = tree(a.name, b.name, k, [_MOST])
        if known is None:
            continue
        reads = _leaves(known, {})
        if k not in used and not reads & found.keys():
            found[k] = known
            used |= reads
    return found


def _alike(a: Operation, b: Operation) -> bool:
    """Return whether two operations compute the same of the same operands."""
    return (
        a.name.startswith(_COMPUTES)
        and (a.name, a.properties, len(a.operands)) == (b.name, b.properties, len(b.operands))
        and [x.type for x in a.results] == [x.type for x in b.results]
        and [x.type for x in a.operands] == [x.type for x in b.operands]
    )


def _leaves(tree: _Tree, seen: dict[int, set[int]]) -> set[int]:
    """Return the places of what a tree is made of."""
    if isinstance(tree, int):
        return {tree}
    if isinstance(tree, str):
        return set()
    if id(tree) not in seen:
        seen[id(tree)] = set[int]().union(*(_leaves(x, seen) for x in tree[2]))
    return seen[id(tree)]
