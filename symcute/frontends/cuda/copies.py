"""Asynchronous copies of a thread: the store may happen at any time until the thread has waited.

A copy is lowered as a load and a store where it begins. That is all it does where no access of the
thread to shared memory, to what is copied, and no barrier comes before the wait for it: then the
store happens between the same two barriers, and no access of the thread's own can tell when. What
else there is while copies are on their way is not understood.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace

from symcute.frontends.cuda.builder import Builder
from symcute.frontends.cuda.conversions import to_int
from symcute.frontends.cuda.ctype import BOOL, INT
from symcute.kernel.ir.place import Place
from symcute.kernel.ir.program import (
    Atomic,
    Barrier,
    Binary,
    Cast,
    Const,
    Expr,
    If,
    Int,
    Leave,
    Load,
    Loop,
    NotUnderstood,
    Scope,
    Select,
    Stmt,
    Store,
)

__all__ = ["commit", "copy", "in_phases", "wait"]

_WHY = "memory is used while asynchronous copies are on their way"

#: Which arrays pointers may point to; None where that is not known.
Arrays = Callable[[Iterable[Expr]], "tuple[str, ...] | None"]


def copy(b: Builder, to: Expr, source: Expr, size: int, read: Expr, place: Place) -> Store:
    """Begin to copy `size` bytes, of which only the first `read` come from the source."""
    while isinstance(read, Cast):
        read = read.arg
    load = Load(source, size, place)
    b.copies.append(load)
    match read:
        case Const(value=value) if 0 <= value <= size:
            load = replace(load, width=value)
            b.copies[-1] = load
            if value:
                b.emit(load)
        case Select(test=test, then=then, other=other) if _of(then) == size and _of(other) == 0:
            b.emit(If(to_int(b, test, BOOL, place), (load,), (), place))
        case _:
            whole = Binary("==", to_int(b, read, INT, place, True), Const(size, INT), BOOL, place)
            none = Binary("==", to_int(b, read, INT, place, True), Const(0, INT), BOOL, place)
            part = NotUnderstood("a copy of a part", place, (), ())
            b.pointers[id(part)] = (source,)
            b.emit(If(whole, (load,), (If(none, (), (part,), place),), place))
    store = Store(to, size, place)
    b.copies.append(store)
    b.emit(store)
    return store


def _of(value: Expr) -> int | None:
    while isinstance(value, Cast) and isinstance(value.type, Int) and value.type.bits >= 32:
        value = value.arg
    return value.value if isinstance(value, Const) else None


def wait(b: Builder, groups: int | None, place: Place) -> None:
    """Wait until all copies of groups but the last few are done; None: all copies."""
    after = (0, 0, 0, 0) if groups is None else (0, 0, 2, 2) if groups == 0 else (0, 1, 2, 3)
    _mark(b, after, place)


def commit(b: Builder, place: Place) -> None:
    """Make a group of the copies that are of none yet."""
    _mark(b, (0, 1, 1, 1), place)


def _mark(b: Builder, after: tuple[int, int, int, int], place: Place) -> None:
    marker = NotUnderstood(_WHY, place, (), (), barrier=False)
    b.waits[id(marker)] = (marker, after)
    b.emit(marker)


def in_phases(b: Builder, statements: list[Stmt], arrays: Arrays) -> list[Stmt]:
    """Return statements without marks, and with what is not understood of copies."""
    if not b.copies and not b.waits:
        return statements
    loads = [s for s in b.copies if isinstance(s, Load)]
    sources = arrays(s.pointer for s in loads)
    phases = _Phases(b, arrays, sources, {id(s) for s in b.copies})
    return list(phases.block(statements, 0)[0])


@dataclass
class _Phases:
    """A walk over a program that knows which copies may be on their way.

    A state is 1 where some of a group may be, 2 where some of no group yet, 3 where both.
    """

    b: Builder
    arrays: Arrays
    sources: tuple[str, ...] | None
    copies: set[int]
    leaves: dict[str, int] = field(default_factory=dict)

    def block(self, statements: Iterable[Stmt], pending: int) -> tuple[tuple[Stmt, ...], int]:
        out: list[Stmt] = []
        for s in statements:
            if id(s) in self.b.waits:
                pending = self.b.waits[id(s)][1][pending]
                continue
            if id(s) in self.copies:
                pending |= 2 * isinstance(s, Store)
                out.append(s)
                continue
            match s:
                case If():
                    then, one = self.block(s.then, pending)
                    other, two = self.block(s.other, pending)
                    s, pending = replace(s, then=then, other=other), one | two
                case Scope():
                    inner, end = self.block(s.body, pending)
                    s, pending = replace(s, body=inner), end | self.leaves.pop(s.label, 0)
                case Loop():
                    s, pending = self.loop(s, pending)
                case Leave(label=label):
                    self.leaves[label] = self.leaves.get(label, 0) | pending
                    pending = 0
                case _ if pending and self.matters(s):
                    place: Place = s.place
                    out.append(NotUnderstood(_WHY, place, (), None, barrier=False))
            out.append(s)
        return tuple(out), pending

    def loop(self, s: Loop, pending: int) -> tuple[Loop, int]:
        """Walk a loop, once more where a round leaves copies on their way to the next."""
        while True:
            if s.test_last:
                body, here = self.block(s.body, pending)
                step, here = self.block(s.step, here)
                before, end = self.block(s.before, here)
                leaving = end
            else:
                before, leaving = self.block(s.before, pending)
                body, here = self.block(s.body, leaving)
                step, end = self.block(s.step, here)
            if end | pending == pending:
                break
            pending |= end
        after = leaving | self.leaves.pop(s.label, 0)
        return replace(s, before=before, body=body, step=step), after

    def matters(self, s: Stmt) -> bool:
        """May a statement tell when a copy happens?"""
        if not isinstance(s, Load | Store | Atomic):
            return isinstance(s, Barrier)
        touched = self.arrays([s.pointer])
        if touched is None or self.sources is None:
            return True
        if any(self.b.arrays[name].space == "shared" for name in touched):
            return True
        return not isinstance(s, Load) and bool({*touched} & {*self.sources})
