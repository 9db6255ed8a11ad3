"""What can be read off a program without walking it: who sets what, who writes where."""

from __future__ import annotations

from collections.abc import Iterator

from symcute.kernel.ir.expression import Base, Expr, PtrAdd, Select, Var
from symcute.kernel.ir.inside import every, expressions, inside, sets
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
from symcute.kernel.ir.semantics import GATHERS

__all__ = ["Scan", "ages", "is_late", "leaves", "unwritten"]


class Scan:
    """What the statements of a kernel set, kept for each loop."""

    def __init__(self, kernel: Kernel) -> None:
        self.types: dict[str, Type] = {}
        for p in kernel.params:
            if p.type is not None:
                self.types[p.name] = p.type
        for s in every(kernel.body):
            self.types.update(sets(s))
        #: Whether barriers of warps are there, which order what lanes do.
        self.warps = any(isinstance(s, Barrier) and s.scope == "warp" for s in every(kernel.body))
        #: Whether barriers that count are there.
        self.gathers = any(isinstance(s, Signal) and s.op in GATHERS for s in every(kernel.body))
        #: Arrays of which no pointer is held: only accesses that name them are to them.
        self.hidden = _hidden(kernel)
        self._assigned: dict[int, tuple[str, ...]] = {}
        self._written: dict[int, frozenset[str]] = {}

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

    def has_barrier(self, loop: Loop, warp: bool = False) -> bool:
        """Return whether a loop has a barrier of the block in it, or one that orders a `warp`."""
        scopes = ("block", "grid", "warp") if warp else ("block", "grid")
        return any(
            (isinstance(s, Barrier) and s.scope in scopes)
            or (isinstance(s, Signal) and s.op in GATHERS)
            for s in every((loop,))
        )

    def writes(self, loop: Loop, array: str) -> bool:
        """Return whether a loop may write to an array."""
        found = self._written.get(id(loop))
        if found is None:
            found = self._written[id(loop)] = frozenset(_written(loop))
        return array in found or (bool(found) and array not in self.hidden)


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


def _written(loop: Loop) -> Iterator[str]:
    """Yield the arrays that the stores of a loop name; "" is for one that names none."""
    for s in every((loop,)):
        if isinstance(s, (Store, Atomic, Signal)):
            root = _root(s.pointer)
            yield root.array if isinstance(root, Base) else ""
        elif _touches(s):
            assert isinstance(s, NotUnderstood)
            yield from s.arrays or ("",)


def _hidden(kernel: Kernel) -> frozenset[str]:
    """Return the arrays of a thread that nothing holds a pointer to."""
    found = {a.name for a in kernel.arrays if a.space == "private" and not a.view_of}
    found -= {a.view_of for a in kernel.arrays}
    for s in every(kernel.body):
        if isinstance(s, NotUnderstood):
            if s.arrays is None:
                return frozenset()
            found.difference_update(s.arrays)
        access = s.pointer if isinstance(s, (Load, Store, Atomic, Signal)) else None
        for e in expressions(s):
            # The root of an access is named there, and not held.
            named = _root(access) if access is not None and e is access else None
            found -= {x.array for x in inside(e) if isinstance(x, Base) and x is not named}
    return frozenset(found)


def _root(pointer: Expr) -> Expr:
    while isinstance(pointer, PtrAdd):
        pointer = pointer.pointer
    return pointer


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
