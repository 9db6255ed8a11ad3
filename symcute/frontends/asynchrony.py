"""Asynchronous copies of a thread: the store may happen at any time until the thread has waited.

A copy is lowered as a load and a store where it begins. That is all it does where no access of the
thread to shared memory, to what is copied, and no barrier comes before the wait for it: then the
store happens between the same two barriers, and no access of the thread's own can tell when. What
else there is while copies are on their way, the order of is not understood.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace

from symcute.kernel.ir.place import Place
from symcute.kernel.ir.program import (
    Atomic,
    Barrier,
    Expr,
    If,
    Leave,
    Load,
    Loop,
    NotUnderstood,
    Scope,
    Stmt,
    Store,
)

__all__ = ["Copies"]

_WHY = "memory is used while asynchronous copies are on their way"

#: Which arrays pointers may point to; None where that is not known.
Arrays = Callable[[Iterable[Expr]], "tuple[str, ...] | None"]


@dataclass
class Copies:
    """The copies of a program that is made: what they consist of, and marks for what orders them.

    Statements are known by their identity.
    """

    statements: list[Load | Store] = field(default_factory=list)
    marks: dict[int, tuple[Stmt, tuple[int, ...]]] = field(default_factory=dict)

    def wait(self, groups: int | None, place: Place) -> Stmt:
        """Return a wait until all copies of groups but the last few are done; None: all copies."""
        every = (0, 0, 2, 2) if groups == 0 else (0, 1, 2, 3)
        return self._mark((0, 0, 0, 0) if groups is None else every, place)

    def commit(self, place: Place) -> Stmt:
        """Return what makes a group of the copies that are of none yet."""
        return self._mark((0, 1, 1, 1), place)

    def _mark(self, after: tuple[int, int, int, int], place: Place) -> Stmt:
        marker = NotUnderstood(_WHY, place, (), (), order=True)
        self.marks[id(marker)] = (marker, after)
        return marker

    def in_phases(
        self, statements: list[Stmt], arrays: Arrays, is_shared: Callable[[str], bool]
    ) -> list[Stmt]:
        """Return statements without marks, and with what is not understood of copies."""
        if not self.statements and not self.marks:
            return statements
        sources = arrays(s.pointer for s in self.statements if isinstance(s, Load))
        touched = arrays(s.pointer for s in self.statements)
        phases = _Phases(self, arrays, is_shared, sources, touched, set(map(id, self.statements)))
        return list(phases.block(statements, 0)[0])


@dataclass
class _Phases:
    """A walk over a program that knows which copies may be on their way.

    A state is 1 where some of a group may be, 2 where some of no group yet, 3 where both.
    """

    made: Copies
    arrays: Arrays
    is_shared: Callable[[str], bool]
    sources: tuple[str, ...] | None
    touched: tuple[str, ...] | None
    copies: set[int]
    leaves: dict[str, int] = field(default_factory=dict)

    def block(self, statements: Iterable[Stmt], pending: int) -> tuple[tuple[Stmt, ...], int]:
        out: list[Stmt] = []
        for s in statements:
            if id(s) in self.made.marks:
                pending = self.made.marks[id(s)][1][pending]
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
                    out.append(NotUnderstood(_WHY, place, (), self.touched, order=True))
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
        if any(map(self.is_shared, touched)):
            return True
        return not isinstance(s, Load) and bool({*touched} & {*self.sources})
