"""Loops of a few rounds that order threads, round by round.

`range_constexpr`, and `range(..., unroll_full=True)`, go through the blocks of a tile in a loop of
a known number of rounds, of which one waits and another copies. Which one that is, is then known in
each, and what a round hands on is what the next one begins with.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import count

from symcute.frontends.cutedsl.registers import replaced
from symcute.kernel.ir.inside import assigned, every
from symcute.kernel.ir.program import (
    Atomic,
    Barrier,
    Binary,
    Cast,
    Commit,
    Const,
    Expr,
    If,
    Int,
    Leave,
    Let,
    Load,
    Loop,
    NotUnderstood,
    Promise,
    PtrAdd,
    Scope,
    Select,
    Signal,
    Stmt,
    Store,
    Unary,
    Wait,
)

__all__ = ["folded", "unrolled"]

#: The most rounds of a loop that are told one by one, and the most statements that come of them.
ROUNDS, STATEMENTS = 16, 4000
_ORDERS = (Barrier, Wait, Commit, Signal)


def unrolled(body: Sequence[Stmt]) -> tuple[Stmt, ...]:
    """Return statements without loops of at most `ROUNDS` rounds that order threads.

    >>> from symcute.kernel.ir.place import Place
    >>> from symcute.kernel.ir.program import Var
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
            then, other = (tuple(_block(x, values, labels)) for x in (s.then, s.other))
            yield replace(s, test=test, then=then, other=other)
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
            first, body, step = (
                tuple(_block(x, values, labels)) for x in (s.before, s.body, s.step)
            )
            label = next(labels) if values else s.label
            asked = None if s.test is None else folded(s.test, values)
            yield replace(s, label=label, before=first, test=asked, body=body, step=step)
        case Scope():
            yield replace(s, body=tuple(_block(s.body, values, labels)))
        case _:
            yield _read(s, values)


def _read(s: Stmt, values: Mapping[str, Expr]) -> Stmt:
    """Return a statement with other values of the variables that it reads."""
    match s:
        case Let():
            return replace(s, value=folded(s.value, values))
        case Load():
            return replace(s, pointer=folded(s.pointer, values))
        case Store() | Atomic() | Signal():
            value = None if s.value is None else folded(s.value, values)
            return replace(s, pointer=folded(s.pointer, values), value=value)
        case Promise() if s.test is not None:
            return replace(s, test=folded(s.test, values))
    return s


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
    match e:
        case Unary() | Cast():
            e = replace(e, arg=_fold(e.arg))
            if isinstance(e, Cast) and isinstance(e.arg, Const):
                return _number(e.arg.value, e.type) or e
            return e
        case Binary():
            e = replace(e, left=_fold(e.left), right=_fold(e.right))
            return _both(e)
        case Select():
            test, then, other = (_fold(x) for x in (e.test, e.then, e.other))
            if isinstance(test, Const):
                return then if test.value else other
            return replace(e, test=test, then=then, other=other)
        case PtrAdd():
            return replace(e, pointer=_fold(e.pointer), index=_fold(e.index))
    return e


def _both(e: Binary) -> Expr:
    if not isinstance(e.left, Const) or not isinstance(e.right, Const):
        return e
    a, b = e.left.value, e.right.value
    match e.op:
        case "+":
            found = a + b
        case "-":
            found = a - b
        case "*":
            found = a * b
        case "/" | "%" if a >= 0 and b > 0:
            found = a // b if e.op == "/" else a % b
        case "<":
            found = a < b
        case "<=":
            found = a <= b
        case ">":
            found = a > b
        case ">=":
            found = a >= b
        case "==":
            found = a == b
        case "!=":
            found = a != b
        case "&&":
            found = bool(a and b)
        case "||":
            found = bool(a or b)
        case "min":
            found = min(a, b)
        case "max":
            found = max(a, b)
        case _:
            return e
    return _number(int(found), e.type) or e


def _number(value: int, type: Int) -> Const | None:
    return Const(value, type) if type.low <= value <= type.high else None
