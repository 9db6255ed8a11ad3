"""Blocks and jumps to loops, branches and scopes.

A block that is reached in several ways forward stands behind a scope that holds all of these; a
natural loop is a loop whose body is a scope of its own, which the way back leaves. So each block
stands once, and what leads to it are the ways of the function.
Source: N. Ramsey, Beyond Relooper: Recursive Translation of Unstructured Control Flow to Structured
Control Flow (ICFP 2022).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from symcute.kernel.ir.expression import Expr, Unary
from symcute.kernel.ir.inside import with_blocks
from symcute.kernel.ir.place import Place
from symcute.kernel.ir.program import If, Int, Leave, Loop, Scope, Stmt

__all__ = ["Graph", "Ways", "structured"]


@dataclass(frozen=True)
class Ways:
    """How a block ends: for each way a test (None: always) and the block that it leads to."""

    ways: Sequence[tuple[Expr | None, str]]
    place: Place


class Graph:
    """Blocks in reverse postorder, with what dominates them, and natural loops.

    `reducible` says whether each way back leads to a block that dominates where it comes from.
    """

    def __init__(self, start: str, edges: dict[str, list[str]]) -> None:
        self.start, self.edges = start, edges
        self.number = {b: n for n, b in enumerate(self._order())}
        self.before: dict[str, list[str]] = {b: [] for b in self.number}
        for b in self.number:
            for s in edges[b]:
                self.before[s].append(b)  # as often as there are ways
        self._dominator = self._dominators()
        self.inside: dict[str, set[str]] = {}
        self.reducible = True
        for b in self.number:
            for s in edges[b]:
                if self.number[s] <= self.number[b]:
                    if not self._dominates(s, b):
                        self.reducible = False
                        continue
                    body, waiting = self.inside.setdefault(s, {s}), [b]
                    while waiting:
                        x = waiting.pop()
                        if x not in body:
                            body.add(x)
                            waiting += self.before[x]
        self.below: dict[str, list[str]] = {b: [] for b in self.number}
        for b in self.number:
            if b != start:
                self.below[self._dominator[b]].append(b)

    def joins(self, b: str) -> bool:
        """Do several ways lead forward to a block?"""
        return sum(self.number[p] < self.number[b] for p in self.before[b]) > 1

    def _order(self) -> list[str]:
        seen, post = {self.start}, []
        stack = [(self.start, iter(self.edges[self.start]))]
        while stack:
            here, left = stack[-1]
            for s in left:
                if s not in seen:
                    seen.add(s)
                    stack.append((s, iter(self.edges[s])))
                    break
            else:
                post.append(here)
                stack.pop()
        return post[::-1]

    def _dominators(self) -> dict[str, str]:
        found = {self.start: self.start}
        moving = True
        while moving:
            moving = False
            for b in self.number:
                if b == self.start:
                    continue
                known = [p for p in self.before[b] if p in found]
                new = known[0]
                for p in known[1:]:
                    new = self._common(new, p, found)
                if found.get(b) != new:
                    found[b], moving = new, True
        return found

    def _common(self, a: str, b: str, found: dict[str, str]) -> str:
        while a != b:
            while self.number[a] > self.number[b]:
                a = found[a]
            while self.number[b] > self.number[a]:
                b = found[b]
        return a

    def _dominates(self, a: str, b: str) -> bool:
        while self.number[b] > self.number[a]:
            b = self._dominator[b]
        return a == b


def structured(
    graph: Graph,
    block: Callable[[str], tuple[list[Stmt], Ways]],
    edge: Callable[[str, str], list[Stmt]],
) -> tuple[Stmt, ...]:
    """Return the statements of a function whose graph is reducible.

    `block` lowers a block and says how it ends; it is asked in an order in which dominators come
    first. `edge` returns what is set on a way between two.
    """
    return _without(_plain(_Structure(graph, block, edge).statements()), "kernel")


class _Structure:
    """Goes through the tree of dominators."""

    def __init__(
        self,
        graph: Graph,
        block: Callable[[str], tuple[list[Stmt], Ways]],
        edge: Callable[[str, str], list[Stmt]],
    ) -> None:
        self._graph, self._block, self._edge = graph, block, edge
        self._ends: dict[str, tuple[list[Stmt], Ways]] = {}
        for label in graph.number:  # dominators come first
            self._ends[label] = block(label)

    def statements(self) -> list[Stmt]:
        """Return the statements of all blocks."""
        return self._tree(self._graph.start)

    def _tree(self, b: str) -> list[Stmt]:
        """Return a block, and all that it dominates."""
        g = self._graph
        body = g.inside.get(b)
        joins = sorted((x for x in g.below[b] if g.joins(x)), key=g.number.__getitem__)
        outer = [x for x in joins if body and x not in body]
        inner = [x for x in joins if x not in outer]
        if body is None:
            return self._within(lambda: self._node(b), inner)
        return self._within(lambda: self._loop(b, inner), outer)

    def _within(self, first: Callable[[], list[Stmt]], joins: list[str]) -> list[Stmt]:
        """Return statements, and behind them blocks to which several of their ways lead."""
        if not joins:
            return first()
        last = joins[-1]
        inner = self._within(first, joins[:-1])
        return [Scope(f"to {last}", tuple(inner)), *self._tree(last)]

    def _loop(self, b: str, inner: list[str]) -> list[Stmt]:
        place = self._ends[b][1].place
        rest = self._within(lambda: self._node(b), inner)
        return _tested(b, rest, place)

    def _node(self, b: str) -> list[Stmt]:
        """Return the statements of a block, and where it goes."""
        statements, end = self._ends[b]
        if not end.ways:
            return [*statements, Leave("kernel", end.place)]
        return [*statements, *self._branch(b, list(end.ways), end.place)]

    def _branch(self, b: str, ways: list[tuple[Expr | None, str]], place: Place) -> list[Stmt]:
        test, target = ways[0]
        if test is None:
            return self._go(b, target, place)
        then = self._go(b, target, place)
        return [If(test, tuple(then), tuple(self._branch(b, ways[1:], place)), place)]

    def _go(self, b: str, target: str, place: Place) -> list[Stmt]:
        g = self._graph
        out = self._edge(b, target)
        if g.number[target] <= g.number[b]:
            return [*out, Leave(f"again {target}", place)]
        if g.joins(target):
            return [*out, Leave(f"to {target}", place)]
        return [*out, *self._tree(target)]


def _tested(b: str, rest: list[Stmt], place: Place) -> list[Stmt]:
    """Return a loop of these statements, and what is behind it.

    Where they end with a branch of which one side never comes back, that is the loop's test, and
    the side stands behind the loop.
    """
    again = f"again {b}"
    *before, last = rest
    if isinstance(last, If) and not _leaves(before):
        back = [_left(side, again) for side in (last.then, last.other)]
        if back == [True, False]:
            test, body, behind = last.test, last.then, last.other
        elif back == [False, True]:
            test = Unary("!", last.test, Int(1, False), last.place)
            body, behind = last.other, last.then
        else:
            return [Loop(f"loop {b}", (), None, (Scope(again, tuple(rest)),), (), place)]
        round = (Scope(again, body),)
        return [Loop(f"loop {b}", tuple(before), test, round, (), last.place), *behind]
    return [Loop(f"loop {b}", (), None, (Scope(again, tuple(rest)),), (), place)]


def _leaves(statements: Iterable[Stmt]) -> set[str]:
    """Return what statements leave that is not among them."""
    found: set[str] = set()
    for s in statements:
        match s:
            case Leave(label=label):
                found.add(label)
            case If(then=then, other=other):
                found |= _leaves(then) | _leaves(other)
            case Loop(label=label, before=before, body=body):
                found |= _leaves((*before, *body)) - {label}
            case Scope(label=label, body=body):
                found |= _leaves(body) - {label}
    return found


# --- plainer ------------------------------------------------------------------------------------


def _plain(statements: Iterable[Stmt]) -> tuple[Stmt, ...]:
    """Return statements without scopes and ways that change nothing."""
    out: list[Stmt] = []
    for s in statements:
        match s:
            case Scope(label=label, body=body):
                inner = _without(_plain(body), label)
                if _left(inner, label):
                    out.append(Scope(label, inner))
                else:
                    out += inner
            case _:
                out.append(with_blocks(s, _plain))
    return tuple(out)


def _without(statements: tuple[Stmt, ...], label: str) -> tuple[Stmt, ...]:
    """Return statements that end where they would go anyway."""
    if not statements:
        return statements
    *first, last = statements
    match last:
        case Leave(label=other) if other == label:
            return _without(tuple(first), label) if not first else tuple(first)
        case If(then=then, other=other_side):
            last = replace(last, then=_without(then, label), other=_without(other_side, label))
        case Scope(body=body):
            last = replace(last, body=_without(body, label))
    return (*first, last)


def _left(statements: Iterable[Stmt], label: str) -> bool:
    """Does something leave a scope?"""
    return label in _leaves(statements)
