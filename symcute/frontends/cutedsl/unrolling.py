"""Loops of a few rounds that order threads, round by round.

`range_constexpr`, and `range(..., unroll_full=True)`, go through the blocks of a tile in a loop of
a known number of rounds, of which one waits and another copies. Which one that is, is then known in
each, and what a round hands on is what the next one begins with.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import count

from symcute.frontends.cutedsl.registers import replaced
from symcute.kernel.ir.expression import Binary, Cast, Const, Expr, Select
from symcute.kernel.ir.inside import assigned, every, with_blocks, with_expressions, with_parts
from symcute.kernel.ir.program import (
    Barrier,
    Commit,
    If,
    Int,
    Leave,
    Let,
    Loop,
    NotUnderstood,
    Scope,
    Signal,
    Stmt,
    Wait,
)

__all__ = ["folded", "unrolled"]

#: The most rounds of a loop that are told one by one, and the most statements that come of them.
ROUNDS, STATEMENTS = 16, 4000
_ORDERS = (Barrier, Wait, Commit, Signal)
#: What operators give of numbers, if that is in their type; division is of no negative ones.
_EXACT: Mapping[str, Callable[[int, int], int]] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "min": min, "max": max,
    "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
    "==": operator.eq, "!=": operator.ne, "/": operator.floordiv, "%": operator.mod,
    "&&": lambda a, b: bool(a and b), "||": lambda a, b: bool(a or b),
}  # fmt: skip


def unrolled(body: Sequence[Stmt]) -> tuple[Stmt, ...]:
    """Return statements without loops of at most `ROUNDS` rounds that order threads.

    >>> from symcute.kernel.ir.place import Place
    >>> from symcute.kernel.ir.expression import Var
    >>> at, i32, i1 = Place("k.py", 1, 1), Int(32, True), Int(1, False)
    >>> i, one = Var("i", i32), Const(1, i32)
    >>> inner = If(Binary("==", i, one, i1, at), (Barrier("block", at),), (), at)
    >>> step = Let("i", Binary("+", i, one, i32, at), at)
    >>> loop = Loop("l", (), Binary("<", i, Const(4, i32), i1, at), (inner,), (step,), at)
    >>> [type(s).__name__ for s in unrolled((Let("i", Const(0, i32), at), loop))]
    ['Let', 'Let', 'Let', 'Barrier', 'Let', 'Let', 'Let']
    """
    taken = {s.label for s in every(body) if isinstance(s, Loop | Scope)}
    labels = (x for k in count(1) if (x := f"u{k}") not in taken)
    return tuple(_block(body, {}, labels))


def _block(
    body: Sequence[Stmt], values: Mapping[str, Expr], labels: Iterator[str]
) -> Iterator[Stmt]:
    """Yield statements with the values of the counters around them."""
    before: Stmt | None = None
    for s in body:
        yield from _one(s, before, values, labels)
        before = s


def _one(
    s: Stmt, before: Stmt | None, values: Mapping[str, Expr], labels: Iterator[str]
) -> Iterator[Stmt]:
    match s:
        case If():
            test = folded(s.test, values)
            if isinstance(test, Const):
                yield from _block(s.then if test.value else s.other, values, labels)
                return
        case Loop():
            rounds = _rounds(s, before)
            if rounds is not None:
                name, type, numbers, last = rounds
                for number in numbers:
                    here = Const(number, type)
                    yield Let(name, here, s.place)
                    yield from _block(s.body, {**values, name: here}, labels)
                yield Let(name, Const(last, type), s.place)
                return
            s = replace(s, label=next(labels) if values else s.label)
    s = with_expressions(s, lambda e: folded(e, values))
    yield with_blocks(s, lambda body: _block(body, values, labels))


def _rounds(s: Loop, before: Stmt | None) -> tuple[str, Int, list[int], int] | None:
    """Return the counter of a loop, its type, what it is in each round, and behind the last.

    None for a loop that is left as it is.
    """
    match before, s.before, s.step:
        case Let(name=name, value=Const(value=number, type=type)), (), (
            Let(name=again, value=value),
        ) if name == again:
            pass
        case _:
            return None
    inner = list(every(s.body))
    # Who leaves it ends it earlier, by a label that each copy would have.
    if s.test is None or s.test_last or any(isinstance(x, Leave | Scope) for x in inner):
        return None
    orders = any(isinstance(x, _ORDERS) or (isinstance(x, NotUnderstood) and x.barrier)
                 for x in inner)  # fmt: skip
    changed = assigned(s.body)
    if not orders or changed is None or name in changed:
        return None
    numbers: list[int] = []
    while len(numbers) <= ROUNDS:
        here = {name: Const(number, type)}
        test, following = folded(s.test, here), folded(value, here)
        if not isinstance(test, Const) or not isinstance(following, Const):
            return None
        if not test.value:
            small = len(numbers) * len(inner) <= STATEMENTS
            return (name, type, numbers, number) if small else None
        numbers.append(number)
        number = following.value
    return None


# --- numbers --------------------------------------------------------------------------------------


def folded(e: Expr, values: Mapping[str, Expr]) -> Expr:
    """Return an expression with values of some variables, computed where all is known.

    What leaves its type, or divides by 0, is left as it is written.
    """
    return _fold(replaced(e, values)) if values else e


def _fold(e: Expr) -> Expr:
    e = with_parts(e, _fold)
    match e:
        case Cast(arg=Const(value=value), type=type):
            return _number(value, type) or e
        case Binary(op="/" | "%", left=Const(value=a), right=Const(value=b)) if a < 0 or b <= 0:
            return e
        case Binary(op=op, left=Const(value=a), right=Const(value=b), type=type) if op in _EXACT:
            return _number(int(_EXACT[op](a, b)), type) or e
        case Select(test=Const(value=value), then=then, other=other):
            return then if value else other
    return e


def _number(value: int, type: Int) -> Const | None:
    return Const(value, type) if type.low <= value <= type.high else None
