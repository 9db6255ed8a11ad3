"""What can be read off a program without walking it: who sets what, who writes where."""

from __future__ import annotations

from symcute.kernel.ir.expression import Base, Expr, PtrAdd, Select, Var
from symcute.kernel.ir.inside import every, sets
from symcute.kernel.ir.program import (
    Atomic,
    Barrier,
    Commit,
    Kernel,
    Leave,
    Let,
    Load,
    Loop,
    NotUnderstood,
    Pointer,
    Scope,
    Signal,
    Stmt,
    Store,
    Type,
    Wait,
)

__all__ = ["Scan", "ages", "has_barrier", "is_late", "leaves", "unwritten", "writes"]


class Scan:
    """What the statements of a kernel set, kept for each loop."""

    def __init__(self, kernel: Kernel) -> None:
        self.types: dict[str, Type] = {}
        for p in kernel.params:
            if p.type is not None:
                self.types[p.name] = p.type
        for s in every(kernel.body):
            self.types.update(sets(s))
        self._assigned: dict[int, tuple[str, ...]] = {}

    def assigned(self, loop: Loop) -> tuple[str, ...]:
        """Return the variables that a loop may set."""
        found = self._assigned.get(id(loop))
        if found is None:
            names: dict[str, None] = {}
            for s in every((loop,)):
                names.update(dict.fromkeys(name for name, _ in sets(s)))
                if isinstance(s, NotUnderstood):
                    names.update(dict.fromkeys(self.types if s.variables is None else s.variables))
            found = self._assigned[id(loop)] = tuple(names)
        return found


def has_barrier(loop: Loop) -> bool:
    """Return whether a loop has a barrier of the block in it."""
    return any(isinstance(s, Barrier) and s.scope in ("block", "grid") for s in every((loop,)))


def ages(loop: Loop) -> bool:
    """Return whether something in a loop commits or waits for late accesses."""
    return any(isinstance(s, Commit | Wait) for s in every((loop,)))


def is_late(loop: Loop) -> bool:
    """Return whether a loop has late accesses in it."""
    return any(isinstance(s, Load | Store) and s.late for s in every((loop,)))


def leaves(loop: Loop, beyond: bool = False) -> bool:
    """Return whether something in a loop may end it early; with `beyond`, and more than it."""
    own = {s.label for s in every((loop,)) if isinstance(s, (Scope, Loop))}
    if not beyond:
        own.discard(loop.label)
    return any((isinstance(s, Leave) and s.label not in own) or strays(s) for s in every((loop,)))


def strays(s: Stmt) -> bool:
    """Return whether it is not understood where a thread goes on behind a statement."""
    return isinstance(s, NotUnderstood) and s.effect == "any"


def writes(loop: Loop) -> bool:
    """Return whether a loop writes anything."""
    return any(isinstance(s, (Store, Atomic, Signal)) or _touches(s) for s in every((loop,)))


def _touches(s: Stmt) -> bool:
    """Return whether a statement that is not understood may write anything."""
    return isinstance(s, NotUnderstood) and s.effect not in ("order", "aligned")


def unwritten(kernel: Kernel) -> frozenset[str]:
    """Return the arrays of which it is plain that nothing in the kernel writes them.

    Shared and private memory is none of these: what it holds before it is written differs.
    """
    held: dict[str, set[str | None]] = {}
    for p in kernel.params:
        if p.array is not None:
            held[p.name] = {p.array}
    statements = list(every(kernel.body))
    targets: list[Expr] = []
    for s in statements:
        if isinstance(s, NotUnderstood) and (
            (s.arrays is None and _touches(s)) or s.variables is None
        ):
            return frozenset()
        if isinstance(s, NotUnderstood):
            for name in s.variables or ():
                held.setdefault(name, set()).add(None)
        if isinstance(s, (Store, Atomic, Signal)):
            targets.append(s.pointer)
    changed = True
    while changed:
        changed = False
        for s in statements:
            for name, type in sets(s):
                if isinstance(type, Pointer):
                    new = _places(s.value, held) if isinstance(s, Let) else {None}
                    before = held.setdefault(name, set())
                    changed = changed or not new <= before
                    before |= new
    written: set[str | None] = set()
    for t in targets:
        written |= _places(t, held)
    for s in statements:
        if isinstance(s, NotUnderstood) and _touches(s):
            written.update(s.arrays or ())
    if None in written:
        return frozenset()
    lasting = [a.name for a in kernel.arrays if a.space not in ("shared", "private")]
    return frozenset(lasting) - written


def _places(expr: Expr, held: dict[str, set[str | None]]) -> set[str | None]:
    """Return the arrays into which a pointer may point (None: any)."""
    match expr:
        case Base(array=array):
            return {array}
        case PtrAdd(pointer=pointer):
            return _places(pointer, held)
        case Select(then=then, other=other):
            return _places(then, held) | _places(other, held)
        case Var(name=name):
            return set(held.get(name, set()))
        case _:
            return {None}
