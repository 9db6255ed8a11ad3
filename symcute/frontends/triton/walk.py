"""The body of a function of TTIR for the threads of one shape: see `lowering.py`."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count

from symcute.frontends.triton.accesses import ACCESSES, Wanted, access
from symcute.frontends.triton.effects import acts, computes
from symcute.frontends.triton.nodes import names_of, size_of
from symcute.frontends.triton.operations import Block, Op, Value
from symcute.frontends.triton.promises import promise, promised_shape
from symcute.frontends.triton.roots import Roots
from symcute.frontends.triton.threads import (
    MOST_PIECES,
    Passed,
    Phase,
    is_barrier,
)
from symcute.frontends.triton.types import BOOL, I32, Unread
from symcute.frontends.triton.values import RULES, Coordinates
from symcute.kernel.ir.expression import Base, Binary, Cast, Expr, PtrAdd, Var
from symcute.kernel.ir.place import Place
from symcute.kernel.ir.program import (
    Barrier,
    Fence,
    Havoc,
    If,
    Int,
    Leave,
    Let,
    Loop,
    NotUnderstood,
    Stmt,
)

__all__ = ["ShapeWalk", "array_of"]

#: Nodes of an expression from which on it becomes a variable.
_LARGE = 48
#: Rounds in which a loop must have said all that it asks for.
_ROUNDS = 64
#: What hands numbers from one element to another: some wait for others there, or for all of them.
_MOVES = frozenset(
    f"tt.{name}"
    for name in (
        "cat", "dot", "dot_scaled", "gather", "histogram", "reduce", "reshape", "scan", "trans",
    )
)  # fmt: skip
#: What does nothing to memory, and orders no threads of a launch: another launch may begin before,
#: or is waited for.
_SAID = frozenset(
    {
        "tt.print", "tt.return", "cf.br", "cf.cond_br", "tt.grid_dependency_wait",
        "tt.grid_dependency_launch_dependents",
    }
)  # fmt: skip


class ShapeWalk:
    """Lowers the body of a function for the threads of one shape."""

    def __init__(
        self,
        arguments: dict[int, Expr],
        shape: tuple[int, ...],
        at: Coordinates,
        suffix: tuple[str, ...],
        labels: count[int],
        roots: Roots,
        phase: Phase,
    ) -> None:
        self.shape, self.at, self.may_change = shape, at, roots.may_change
        #: All shapes that have threads, and what is promised to be contiguous.
        self.shapes: Sequence[tuple[int, ...]] = [shape]
        self.hints: dict[int, list[int]] = {}
        self._phase = phase
        self.marked, self._contested = roots.marked, roots.contested
        self._roots = roots
        self._arguments, self._suffix, self._labels = arguments, suffix, labels
        #: The variables of values, by the coordinates at which these are asked for.
        self._asked: dict[int, dict[Coordinates, str]] = {}
        #: The numbers that reductions choose, each below an extent.
        self._chosen: dict[int, dict[Coordinates, tuple[str, int]]] = {}
        self._known: dict[tuple[int, Coordinates], tuple[Expr, int]] = {}
        self._pieces = 0

    def arrays(self, pointer: Value) -> frozenset[str]:
        """Return the arrays that a pointer, or a descriptor, may be to."""
        found = (array_of(self._arguments.get(n)) for n in self._roots.of(pointer))
        return frozenset(a for a in found if a is not None)

    def takes(self, op: Op, shape: tuple[int, ...]) -> bool:
        """Return whether these threads make an access to elements of a shape."""
        return self.shape == shape and self._phase.has(op)

    # --- elements

    def element(self, value: Value, at: Coordinates) -> Expr:
        """Return an element that is an integer or a pointer; see `Elements`."""
        if value.number in self._arguments:
            return self._arguments[value.number]
        if value.type.held is None:
            raise Unread("an index that is no integer")
        found = self._known.get((value.number, at))
        if found is None:
            found = self._found(value, at)
            if found[1] > _LARGE:
                found = self._variable(value, at), 1
            self._known[value.number, at] = found
        return found[0]

    def _found(self, value: Value, at: Coordinates) -> tuple[Expr, int]:
        if value.op is not None and value.op.name in RULES:
            try:
                e = RULES[value.op.name](self, value.op, value.index, at)
            except Unread:
                return self._variable(value, at), 1
            return e, size_of(e)
        return self._variable(value, at), 1

    def _variable(self, value: Value, at: Coordinates) -> Var:
        type = value.type.held
        if type is None:
            raise Unread("an index that is no integer")
        names = self._asked.setdefault(value.number, {})
        if at not in names:
            more = (str(len(names)),) if names else ()
            names[at] = ".".join((value.name, str(value.number), *more, *self._suffix))
        return Var(names[at], type)

    def some(self, op: Op, index: int, at: Coordinates, extent: int) -> Var:
        """Return a number below an extent that an operation chooses; see `Elements`."""
        names = self._chosen.setdefault(op.results[index].number, {})
        value = op.results[index]
        if at not in names:
            words = value.name, str(value.number), "at", str(len(names)), *self._suffix
            names[at] = ".".join(words), extent
        return Var(names[at][0], I32)

    def is_computed(self, place: Var) -> bool:
        """Return whether no variable is asked for at a number; else forget these; see `Elements`.

        The number is chosen where the reduction stands, behind what sets such variables.
        """
        asked = [
            (n, at)
            for n, names in self._asked.items()
            for at in names
            if any(place.name in names_of(c) for c in at)
        ]
        for n, at in asked:
            del self._asked[n][at]
        if asked:
            self._known = {
                k: e
                for k, e in self._known.items()
                if all(place.name not in names_of(c) for c in k[1])
            }
        return not asked

    def wanted(self, value: Value) -> Wanted:
        """Return what is asked of a value: the variable for each coordinates."""
        type = value.type.held
        if type is None:
            return ()
        return tuple((at, Var(n, type)) for at, n in self._asked.get(value.number, {}).items())

    # --- blocks

    def blocks(self, block: Block, path: tuple[Block, ...]) -> list[Stmt]:
        """Return the statements from a block on: blocks where ways meet stand on each of them."""
        self._pieces += 1
        if block in path or self._pieces > MOST_PIECES:
            raise Unread("a jump back, or too many ways through a function")
        return self.line((*block.ops,), (*path, block))

    def line(self, line: Sequence[Op | Passed], path: tuple[Block, ...] = ()) -> list[Stmt]:
        """Return the statements of operations, of which all that follows has been lowered."""
        found: list[list[Stmt]] = []
        for met in reversed(line):
            if isinstance(met, Passed):
                found.append(self.assign(met.targets, met.sources, met.place))
            else:
                ends = met.successors or met.name == "tt.return"
                found.append(self._end(met, path) if ends else self._op(met))
        return [s for group in reversed(found) for s in group]

    def _end(self, last: Op, path: tuple[Block, ...]) -> list[Stmt]:
        """Return the statements of what a block ends with."""
        if last.name == "cf.cond_br" and len(last.successors) == 2:
            ways = [self._way(last, k, path) for k in (0, 1)]
            test = self.element(last.operands[0], ())
            return [If(test, tuple(ways[0]), tuple(ways[1]), last.place)]
        if last.name == "cf.br" and len(last.successors) == 1:
            return self._way(last, 0, path)
        if last.name == "tt.return":
            return [Leave("kernel", last.place)] if path else []
        raise Unread(f"a block that ends with {last.name}")

    def _way(self, op: Op, k: int, path: tuple[Block, ...]) -> list[Stmt]:
        target, passed = op.successors[k]
        body = self.blocks(target, path)
        return self.assign(target.arguments, passed, op.place) + body

    def assign(
        self, targets: Sequence[Value], sources: Sequence[Value], place: Place
    ) -> list[Stmt]:
        """Return the statements that set the variables of values to those of others, at once."""
        if len(targets) != len(sources):
            raise Unread("a way on that takes another number of values")
        pairs: list[tuple[Var, Expr]] = []
        for target, source in zip(targets, sources, strict=True):
            for at, variable in self.wanted(target):
                e = self.element(source, at)
                if e != variable:
                    pairs.append((variable, e))
        first: list[Stmt] = []
        then: list[Stmt] = []
        for k, (variable, e) in enumerate(pairs):
            if any(variable.name in names_of(later) for _, later in pairs[k + 1 :]):
                held = Var(f"{variable.name}.next", variable.type)
                first.append(Let(held.name, e, place))
                then.append(Let(variable.name, held, place))
            else:
                first.append(Let(variable.name, e, place))
        return first + then

    # --- operations

    def _op(self, op: Op) -> list[Stmt]:
        if op.name in ACCESSES:
            try:
                return access(self, op)
            except Unread as unread:
                return self._not_understood(op, str(unread))
        if (shape := promised_shape(op)) is not None:
            return self._promised(op, shape)
        if op.name == "scf.for":
            return self._for(op)
        if op.name == "scf.while":
            return self._while(op)
        if op.name == "scf.if":
            return self._if(op)
        if is_barrier(op):
            return [Barrier("block", op.place)] if self._phase.has(op) else []
        if op.name in _SAID:
            return []
        if not computes(op):
            return self._not_understood(op, op.name)
        found: list[Stmt] = []
        for k, result in enumerate(op.results):
            for name, extent in self._chosen.get(result.number, {}).values():
                why = "the place of what a reduction chooses"
                uniform = not result.type.shape
                found.append(Havoc(name, I32, why, op.place, 0, extent - 1, uniform))
            for at, variable in self.wanted(result):
                try:
                    e = RULES[op.name](self, op, k, at) if op.name in RULES else None
                except Unread:
                    e = None
                if e is not None:
                    found.append(Let(variable.name, e, op.place))
                else:
                    found.append(self.anything(op, result, variable))
        if op.name in _MOVES and self._contested and self._phase.has(op):
            found.append(Fence("elements", op.place))
        return found

    def _promised(self, op: Op, shape: tuple[int, ...]) -> list[Stmt]:
        """Return a promise: of a tensor its threads make it, of a number those of one shape."""
        if shape in self.shapes and shape:
            return [promise(self, op)] if self.takes(op, shape) else []
        if not self.takes(op, self.shapes[0]):
            return []
        return [promise(None if shape else self, op)]

    def anything(self, op: Op, result: Value, variable: Var, why: str = "") -> Havoc:
        """Return that a variable may be anything: a scalar is the same in all elements."""
        reason = why or f"what {op.name} gives"
        return Havoc(variable.name, variable.type, reason, op.place, uniform=not result.type.shape)

    def _not_understood(self, op: Op, what: str) -> list[Stmt]:
        found: list[Stmt] = [
            self.anything(op, r, variable) for r in op.results for _, variable in self.wanted(r)
        ]
        return [*found, NotUnderstood(what, op.place, (), None, True)]

    # --- loops and branches

    def _if(self, op: Op) -> list[Stmt]:
        ways = []
        for region in op.regions:
            ops, passed = _split(region, "scf.yield")
            assigned = self.assign(op.results, passed, op.place)
            ways.append(self.line(ops) + assigned)
        then, other = (*ways, [], [])[:2]
        if not then and not other:
            return []
        return [If(self.element(op.operands[0], ()), tuple(then), tuple(other), op.place)]

    def _results(self, op: Op, held: Sequence[Value]) -> list[Stmt]:
        """Return what sets the results of a loop to what it holds in the end."""
        return [
            Let(variable.name, self._variable(value, at), op.place)
            for result, value in zip(op.results, held, strict=True)
            for at, variable in self.wanted(result)
        ]

    def _count(self, values: Sequence[Value]) -> int:
        return sum(len(self._asked.get(v.number, ())) for v in values)

    def _for(self, op: Op) -> list[Stmt]:
        index, *carried = op.entry
        words = [w for w in op.head if not w.startswith("%")]
        if words[:3] != ["=", "to", "step"] and words[:4] != ["unsigned", "=", "to", "step"]:
            raise Unread("the head of a loop")
        low, high, step, *initial = op.operands
        ops, passed = _split(op.regions[0], "scf.yield")
        after = self._results(op, carried)
        for _ in range(_ROUNDS):
            before = self._count(carried)
            assigned = self.assign(carried, passed, op.place)
            inner = self.line(ops) + assigned
            if self._count(carried) == before:
                break
        else:
            raise Unread("a loop that asks for ever more elements")
        if not after and not any(map(acts, inner)):
            return []
        i = self._variable(index, ())
        if not isinstance(i.type, Int):
            raise Unread("a loop over what is no integer")
        number = i.type if words[0] != "unsigned" else Int(i.type.bits, False)
        ends = (i, self.element(high, ()), self.element(step, ()))
        one, other, by = (e if e.type == number else Cast(e, number, op.place, True) for e in ends)
        test = Binary("<", one, other, BOOL, op.place)
        next_one: Expr = Binary("+", one, by, number, op.place)
        if number != i.type:
            next_one = Cast(next_one, i.type, op.place, True)
        loop = Loop(
            f"loop{next(self._labels)}", (), test, tuple(inner),
            (Let(i.name, next_one, op.place),), op.place,
        )  # fmt: skip
        start = Let(i.name, self.element(low, ()), op.place)
        return [*self.assign(carried, initial, op.place), start, loop, *after]

    def _while(self, op: Op) -> list[Stmt]:
        carried = op.entry
        first, (condition, *passed) = _split(op.regions[0], "scf.condition")
        second, again = _split(op.regions[1], "scf.yield")
        held = op.regions[1][0].arguments
        after = self._results(op, held)
        for _ in range(_ROUNDS):
            before = self._count(carried), self._count(held)
            assigned = self.assign(carried, again, op.place)
            inner = self.line(second) + assigned
            test = self.element(condition, ())
            taken = self.assign(held, passed, op.place)
            asked = self.line(first) + taken
            if (self._count(carried), self._count(held)) == before:
                break
        else:
            raise Unread("a loop that asks for ever more elements")
        label = f"loop{next(self._labels)}"
        loop = Loop(label, tuple(asked), test, tuple(inner), (), op.place)
        return [*self.assign(carried, op.operands, op.place), loop, *after]


def array_of(argument: Expr | None) -> str | None:
    """Return the array that an argument is a pointer to."""
    base = argument.pointer if isinstance(argument, PtrAdd) else argument
    return base.array if isinstance(base, Base) else None


def _split(region: Sequence[Block], end: str) -> tuple[list[Op], list[Value]]:
    """Return the operations of a region of one block, and the values that its last one hands on."""
    if len(region) != 1 or not region[0].ops or region[0].ops[-1].name != end:
        raise Unread(f"a region that does not end with {end}")
    *ops, last = region[0].ops
    return ops, last.operands
