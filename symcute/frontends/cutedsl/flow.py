"""Loops and branches of a kernel in a program, and what they hand on.

What a loop carries, and what a branch gives, are variables: of each dim that is new in its value,
of a pointer, of a truth. They are set where control flow hands them on; inside one round of a loop
none changes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from symcute.expr.htuple import flatten
from symcute.expr.leaf import Expression, dim
from symcute.frontends.cutedsl import types
from symcute.frontends.cutedsl.arithmetic import BOOL, Unwritten
from symcute.frontends.cutedsl.carried import passes_on
from symcute.frontends.cutedsl.evaluation import Step
from symcute.frontends.cutedsl.registers import Content, Counter, Registers
from symcute.frontends.cutedsl.shares import pointer_of
from symcute.frontends.cutedsl.stages import Stage, stages
from symcute.frontends.cutedsl.text import Block, Operation, Value
from symcute.frontends.cutedsl.values import dims_of
from symcute.frontends.cutedsl.walk import Walk
from symcute.kernel.ir.expression import Binary, Const, Expr, Var
from symcute.kernel.ir.place import Place
from symcute.kernel.ir.program import If, Int, Let, Loop, Stmt
from symcute.kernel.ir.program import Pointer as Address

__all__ = ["branches", "loop", "rounds"]


@dataclass(frozen=True)
class _Slot:
    """A variable in which a value is handed on: all of it, or one of its integers, divided."""

    name: str
    type: Int | Address
    leaf: int = 0
    divisor: int = 1


def _slots(walk: Walk, target: Value, value: Any) -> list[_Slot]:
    """Return the variables of a value, which is made new, and let it be what they are."""
    kind = types.read_type(target.type)
    if isinstance(kind, types.IntegerType) and kind.bits == 1:
        name = walk.name()
        walk.truths[target.name] = Var(name, BOOL)
        return [_Slot(name, BOOL)]
    if pointer_of(value) is not None:
        name = walk.name()
        walk.shares.pointers[target.name] = Var(name, Address())
        return [_Slot(name, Address())]
    if not isinstance(kind, types.IntegerType | types.TupleType):
        return []
    found = []
    for k, leaf in enumerate(flatten(value)):
        for name in sorted(dims_of(leaf) - walk.dims.keys()):
            divisor = leaf / dim(name) if isinstance(leaf, Expression) else 0
            if isinstance(divisor, int) and divisor > 0:
                type = walk.type_of(name)
                found.append(_Slot(name, type, k, divisor))
                walk.dims[name] = Var(name, type)
    return found


def _hand_on(
    walk: Walk, slots: Sequence[tuple[_Slot, Value, Any]], at: Place, at_once: bool = False
) -> None:
    """Set variables to what some values are, where they are known; `at_once`: all at one time."""
    last = []
    for slot, source, value in slots:
        made = _given(walk, slot, source, value, at)
        if made is None:
            walk.unknown(slot.name, slot.type, "what is handed on is not known", at)
        elif at_once and len(slots) > 1:
            name = walk.name()
            walk.assign(name, made, at)
            last.append((slot.name, Var(name, slot.type)))
        else:
            walk.assign(slot.name, made, at)
    for name, held in last:
        walk.assign(name, held, at)


def _given(walk: Walk, slot: _Slot, source: Value, value: Any, at: Place) -> Expr | None:
    if slot.type == BOOL:
        return walk.truths.get(source.name)
    if isinstance(slot.type, Address):
        if dims_of(value) & walk.scope.bent.keys():  # what is added later is not swizzled
            return None
        return walk.shares.pointers.get(source.name)
    try:
        found = walk.integer(flatten(value)[slot.leaf], at, slot.type)
    except Unwritten:
        return None
    if slot.divisor == 1:
        return _around(walk, slot, found, at)
    return Binary("/", found, Const(slot.divisor, slot.type), slot.type, at)


def loop(walk: Walk, step: Step, at: Place) -> None:
    """`scf.for`: from a start below an end in steps, with what it carries."""
    operation = step.operation
    (block,) = operation.regions[0]
    start, end, by, *carried = step.operands
    counter, *others = walk.function.arguments[id(block)]
    kind = types.read_type(operation.operands[0].type)
    if not isinstance(kind, types.IntegerType) or kind.bits not in (32, 64):
        raise Unwritten("a loop over other numbers")
    fresh = sorted(dims_of(counter) - walk.dims.keys())
    if not isinstance(by, int) or by < 1 or len(fresh) != 1:
        raise Unwritten(f"a loop in steps of {by}")
    if not block.operations or block.operations[-1].name != "scf.yield":
        raise Unwritten("a loop that does not end as loops do")
    type = Int(kind.bits, True)
    first, last = walk.integer(start, at, type), walk.integer(end, at, type)
    ((name,), own) = fresh, walk.type_of(fresh[0])
    # A dim is the loop's counter, or how many rounds there were.
    itself = counter == dim(name)
    if not itself and counter != start + by * dim(name):
        raise Unwritten("a counter of another form")
    rounds = end if itself and start == 0 and by == 1 and isinstance(end, int) else None

    depth, inner, before = len(walk.around), walk.stored(operation), walk.known()
    kept = _kept(walk, operation, at)
    walk.registers.forget(set(inner))
    walk.registers.contents.update({r: c.where(Var(n, BOOL)) for r, (n, c) in kept.items()})
    slots = [_slots(walk, x, v) for x, v in zip(block.arguments[1:], others, strict=True)]
    found = stages(walk, step)
    derived, slots = slots, [[] if k in found else x for k, x in enumerate(slots)]
    given = zip(slots, operation.operands[3:], carried, strict=True)
    _hand_on(walk, [(s, x, v) for each, x, v in given for s in each], at)
    walk.registers.levels |= {s.name: depth + 1 for each in derived for s in each}
    walk.registers.levels |= {name: depth + 1 for name, _ in kept.values()}
    walk.assign(name, walk.cast(first, own, at) if itself else Const(0, own), at)
    walk.registers.levels[name] = depth + 1
    walk.dims[name] = Var(name, own)
    test = Binary("<", walk.integer(counter, at, type), last, BOOL, at)

    def ended() -> None:
        for root, (flag, _) in kept.items():
            content = walk.registers.contents.get(root)
            if content is None:  # cleared or not: nothing else is stored
                walk.unknown(flag, BOOL, "whether predicates were cleared is not known", at)
            else:
                walk.assign(flag, content.kept, at)
        _ended(walk, block, slots, at)

    first_lines = list(_staged(walk, derived, found, Var(name, own), at))
    body = [*first_lines, *walk.inside(block, Counter(name, rounds), ended)]
    more = Binary("+", Var(name, own), Const(by if itself else 1, own), own, at)
    walk.out.append(Loop(walk.name(), (), test, tuple(body), (Let(name, more, at),), at))
    walk.registers.left(depth, inner)
    walk.registers.levels |= {name: depth for name, _ in kept.values()}
    walk.registers.contents.update({r: c.where(Var(n, BOOL)) for r, (n, c) in kept.items()})
    walk.restore(before)
    if found:  # they are what they would be in one more round
        walk.out += _staged(walk, derived, found, Var(name, own), at)
    for target, value, each in zip(operation.results, step.results, derived, strict=True):
        for mine, theirs in zip(_slots(walk, target, value), each, strict=False):
            walk.assign(mine.name, _around(walk, mine, Var(theirs.name, theirs.type), at), at)


def rounds(walk: Walk, step: Step, at: Place) -> None:
    """`scf.while`: again as long as its condition holds, which hands on what it is asked of."""
    operation = step.operation
    if not passes_on(operation):
        raise Unwritten("a loop whose condition hands on something else")
    (ask,), (body,) = operation.regions
    depth, inner, before = len(walk.around), walk.stored(operation), walk.known()
    walk.registers.forget(set(inner))
    values = walk.function.arguments[id(ask)]
    slots = [_slots(walk, x, v) for x, v in zip(ask.arguments, values, strict=True)]
    given = zip(slots, operation.operands, step.operands, strict=True)
    _hand_on(walk, [(s, x, v) for each, x, v in given for s in each], at)
    walk.registers.levels |= {s.name: depth + 1 for each in slots for s in each}
    tests: list[Expr] = []
    first = walk.inside(
        ask, Counter(), lambda: tests.append(walk.truth(ask.operations[-1].operands[0]))
    )
    for inside, asked in zip(body.arguments, ask.arguments, strict=True):
        for known in (walk.truths, walk.shares.pointers):
            if asked.name in known:
                known[inside.name] = known[asked.name]
    lines = walk.inside(body, Counter(), partial(_ended, walk, body, slots, at))
    walk.out.append(Loop(walk.name(), tuple(first), tests[0], tuple(lines), (), at))
    walk.registers.left(depth, inner)
    walk.restore(before)
    for target, value, each in zip(operation.results, step.results, slots, strict=True):
        for mine, theirs in zip(_slots(walk, target, value), each, strict=False):
            walk.assign(mine.name, _around(walk, mine, Var(theirs.name, theirs.type), at), at)


def _kept(walk: Walk, operation: Operation, at: Place) -> dict[str, tuple[str, Content]]:
    """Return what a loop may clear in registers, and a variable for each that says if it did not.

    What is cleared holds what it held before the loop, or nothing.
    """
    found = {}
    for root in sorted(walk.cleared(operation)):
        content = walk.registers.contents.get(root)
        if content is not None:
            found[root] = walk.name(), content
            walk.assign(found[root][0], content.kept, at)
    return found


def _staged(
    walk: Walk,
    slots: Sequence[Sequence[_Slot]],
    found: Mapping[int, Stage],
    counter: Var,
    at: Place,
) -> Iterator[Let]:
    """Yield what stages are set to, by the number that goes up beside them."""
    for k, stage in found.items():
        for slot in slots[k]:
            count: Expr = counter
            if stage.beside is not None:
                (beside,) = slots[stage.beside]
                count = Var(beside.name, beside.type)
            if not isinstance(slot.type, Int) or not isinstance(count.type, Int):
                continue
            count = walk.cast(count, slot.type, at)
            op, of = ("%", stage.of) if stage.phase is None else ("/", stage.of)
            value: Expr = Binary(op, count, Const(of, slot.type), slot.type, at)
            if stage.phase is not None:
                walk.phases.add(slot.name)
                value = Binary("+", value, Const(stage.phase, slot.type), slot.type, at)
                value = Binary("%", value, Const(2, slot.type), slot.type, at)
            yield Let(slot.name, value, at)


def _around(walk: Walk, slot: _Slot, value: Expr, at: Place) -> Expr:
    """Return a number that goes round, as one of its ring, which it is."""
    count, type = walk.scope.below.get(slot.name), slot.type
    if isinstance(value, Const):
        return value
    least = walk.scope.least.get(slot.name)
    if not isinstance(count, int) or least != 0 or not isinstance(type, Int) or slot.divisor != 1:
        return value
    low = Binary("max", value, Const(0, type), type, at)
    return Binary("min", low, Const(count - 1, type), type, at)


def _ended(walk: Walk, block: Block, slots: Sequence[Sequence[_Slot]], at: Place) -> None:
    """Hand on what a block ends with."""
    last = block.operations[-1]
    values = walk.steps[id(last)].operands
    given = zip(slots, last.operands, values, strict=True)
    _hand_on(walk, [(s, x, v) for each, x, v in given for s in each], at, at_once=True)


def branches(walk: Walk, step: Step, at: Place) -> None:
    """`scf.if`: what one branch does, or the other, and what each gives."""
    operation = step.operation
    asked = operation.operands[0].name
    if asked not in walk.truths:
        name = walk.name()
        walk.unknown(name, BOOL, "a condition that is not known", at)
        walk.truths[asked] = Var(name, BOOL)
    test, before = walk.truths[asked], walk.registers
    if len(operation.regions) != 2 or any(len(r) > 1 for r in operation.regions):
        raise Unwritten("branches of several blocks")
    slots = [_slots(walk, x, v) for x, v in zip(operation.results, step.results, strict=True)]
    then, yes = _branch(walk, operation.regions[0], slots, at)
    other, no = _branch(walk, operation.regions[1], slots, at)
    walk.registers = before
    before.merge(test, yes, no, len(walk.around))
    if then or other:
        walk.out.append(If(test, then, other, at))


def _branch(
    walk: Walk, region: tuple[Block, ...], slots: Sequence[Sequence[_Slot]], at: Place
) -> tuple[tuple[Stmt, ...], Registers]:
    """Return the statements of a branch, and what registers hold behind it."""
    before = walk.registers
    walk.registers = before.copy()
    found: list[Stmt] = []
    for block in region:
        if block.operations:
            found += walk.inside(block, Counter(), partial(_ended, walk, block, slots, at))
    after, walk.registers = walk.registers, before
    return tuple(found), after
