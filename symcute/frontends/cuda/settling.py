"""What is known only when a program is whole: the arrays that pointers may point to."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from symcute.frontends.cuda.builder import Builder, NeedsStores
from symcute.frontends.cuda.memory import PRINTED
from symcute.kernel.ir.expression import Base, Expr, Var
from symcute.kernel.ir.inside import every, inside, with_blocks
from symcute.kernel.ir.program import (
    Atomic,
    Havoc,
    Let,
    Load,
    NotUnderstood,
    Pointer,
    Signal,
    Stmt,
    Store,
)

__all__ = ["settled"]

#: What a pointer points to that whoever launches a kernel hands over: nothing that is handed over
#: by value, which is not there before the kernel is.
_THEIRS = ""


def settled(b: Builder, statements: list[Stmt]) -> list[Stmt]:
    """Replace pointers by the arrays that they may point to."""
    handed = {a.name for a in b.arrays.values() if a.space == "argument"}
    targets = _targets(statements, handed)
    windows = {id(s): window for s, window in b.windows}
    launched = {id(s) for s, _ in b.launched}
    _keep_tables(b, statements, targets)

    def arrays(pointers: Iterable[Expr]) -> tuple[str, ...] | None:
        found: set[str] = set()
        for pointer in pointers:
            inner = _may_point_to(pointer, targets)
            if inner is None or _THEIRS in inner:
                return None
            found |= inner
        return tuple(sorted(found))

    def written(pointer: Expr) -> set[str]:
        found = _may_point_to(pointer, targets)
        return handed & found if found else set(handed)

    pointers = [s.pointer for s in every(statements) if isinstance(s, (Store, Atomic, Signal))]
    if any(map(written, pointers)):
        # What they hold then is not what was handed over.
        targets = {n: None if known and _THEIRS in known else known for n, known in targets.items()}

    def is_shared(s: Load | Store | Atomic) -> bool:
        """May a statement access what threads of other blocks do?"""
        touched = arrays([s.pointer])
        return touched is None or any(b.arrays[n].space == "global" for n in touched)

    alike = bool(launched) and all(itself for _, itself in b.launched)
    accesses = [s for s in every(statements) if alike and isinstance(s, (Load, Store, Atomic))]
    # Where what is printed goes nothing in the source has the address of.
    accesses = [s for s in accesses if is_shared(s) and s.pointer != Base(PRINTED)]
    # What is all atomic on both sides, of as many bytes, is no race.
    atomic = all(s.scope in ("device", "system") for s in accesses)
    units = {s.unit if isinstance(s, Atomic) and s.unit else s.width for s in accesses}
    beside = alike and atomic and len(units) <= 1

    def settle(block: Iterable[Stmt]) -> tuple[Stmt, ...]:
        out: list[Stmt] = []
        for s in block:
            match s:
                case NotUnderstood() if id(s) in b.pointers:
                    s = replace(s, arrays=arrays(b.pointers[id(s)]))
                case NotUnderstood() if id(s) in launched and beside:
                    continue
                case NotUnderstood() if id(s) in windows:
                    touched = (a.name for a in b.arrays.values() if a.space == windows[id(s)])
                    s = replace(s, arrays=tuple(sorted(touched)))
                case Store(pointer=pointer) | Atomic(pointer=pointer) | Signal(pointer=pointer) if (
                    handed
                ):
                    # Each thread would have a copy of its own from there on.
                    if changed := written(pointer):
                        reason = "a write to what is handed over by value"
                        out.append(NotUnderstood(reason, s.place, (), tuple(sorted(changed))))
            out.append(with_blocks(s, settle))
        return tuple(out)

    handled = list(settle(statements))
    for s in every(handled) if windows else ():
        window = windows.get(id(s))
        if window and isinstance(s, (Load, Store, Atomic, Signal)):
            touched = arrays([s.pointer])
            unknown = touched is None and window == "shared"
            if unknown or any(b.arrays[n].space != window for n in touched or ()):
                reason = f"an address in {window} memory of what may lie elsewhere"
                return [NotUnderstood(reason, s.place, barrier=True)]
    return handled


def _keep_tables(b: Builder, statements: list[Stmt], targets: dict[str, set[str] | None]) -> None:
    """Begin again where something may write to a local array that was taken for a table."""
    for s in every(statements) if b.tables else ():
        pointers: tuple[Expr, ...] = ()
        anything = False
        if isinstance(s, NotUnderstood):
            pointers = b.pointers.get(id(s), ())
            anything = s.arrays is None
        elif isinstance(s, (Store, Atomic, Signal)):
            pointers = (s.pointer,)
        held = [_may_point_to(pointer, targets) for pointer in pointers]
        for name, owner in b.tables.items():
            if anything or any(inner is None or {name, _THEIRS} & inner for inner in held):
                raise NeedsStores(owner)


def _may_point_to(pointer: Expr, targets: dict[str, set[str] | None]) -> set[str] | None:
    found: set[str] = set()
    for e in inside(pointer):
        if isinstance(e, Base):
            found.add(e.array)
        elif isinstance(e, Var) and e.type == Pointer():
            more = targets.get(e.name)
            if more is None:
                return None
            found |= more
    return found


def _targets(statements: list[Stmt], handed: set[str]) -> dict[str, set[str] | None]:
    """Return the arrays that each pointer variable may point to; None where that is not known."""
    lets: list[tuple[str, Expr]] = []
    loaded: list[tuple[str, Expr]] = []
    unknown: set[str] = set()
    for statement in every(statements):
        match statement:
            case Let(name, value) if value.type == Pointer():
                lets.append((name, value))
            case Load(pointer=pointer, parts=parts):
                loaded += [(n, pointer) for n, _, type in parts if type == Pointer()]
            case Havoc(name, type) if type == Pointer():
                unknown.add(name)
    targets: dict[str, set[str] | None] = {name: set() for name, _ in (*lets, *loaded)}
    targets |= dict.fromkeys(unknown)

    def now(pointer: Expr, *, is_read: bool) -> set[str] | None:
        found = _may_point_to(pointer, targets)
        if not is_read or found is None:
            return found
        return {_THEIRS} if found <= handed else None

    sources = [*((n, e, False) for n, e in lets), *((n, e, True) for n, e in loaded)]
    moving = True
    while moving:
        moving = False
        for name, value, is_read in sources:
            here = targets[name]
            more = now(value, is_read=is_read)
            if here is None:
                continue
            if more is None:
                targets[name], moving = None, True
            elif not more <= here:
                here |= more
                moving = True
    return targets
