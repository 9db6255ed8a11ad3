"""Statements as functions of a thread; those that may wait at a barrier as generators.

Running a statement gives None, or the label that a `Leave` goes to.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from symcute.kernel.ir.interpreter.expressions import Evaluate, expression, used
from symcute.kernel.ir.interpreter.state import Thread
from symcute.kernel.ir.program import (
    Atomic,
    Barrier,
    Commit,
    Fence,
    Havoc,
    If,
    Int,
    Leave,
    Let,
    Load,
    Loop,
    NotUnderstood,
    Pointer,
    Promise,
    Scope,
    Signal,
    Stmt,
    Store,
)
from symcute.kernel.ir.program import Wait as Awaited
from symcute.kernel.ir.semantics import GATHERS

__all__ = ["Code", "program"]

Wait: TypeAlias = Generator[Barrier | Signal, None, "str | None"]
Straight: TypeAlias = Callable[[Thread], "str | None"]
Waiting: TypeAlias = Callable[[Thread], Wait]
#: What runs a statement, and whether it may wait: then it gives a generator, else a label or None.
Code: TypeAlias = tuple[Callable[[Thread], Any], bool]


def program(
    body: Sequence[Stmt], roles: Mapping[str, str]
) -> Callable[[Thread], Iterator[Barrier | Signal]]:
    """Return what runs the statements in a thread, and yields the barriers at which it waits."""
    run: Callable[[Thread], Iterator[Barrier | Signal]] = _waiting(_sequence(body, roles))
    return run


def _waiting(code: Code) -> Any:
    run, waits = code
    if waits:
        return run

    def generator(t: Thread) -> Wait:
        label: str | None = run(t)
        return label
        yield

    return generator


def _sequence(body: Sequence[Stmt], roles: Mapping[str, str]) -> Code:
    codes = [_statement(s, roles) for s in body]
    steps = max(len(codes), 1)
    if not any(waits for _, waits in codes):
        straight: list[Any] = [run for run, _ in codes]

        def run(t: Thread) -> str | None:
            t.spend(steps)
            for f in straight:
                label = f(t)
                if label is not None:
                    return str(label)
            return None

        return run, False

    def wait(t: Thread) -> Wait:
        t.spend(steps)
        for f, waits in codes:
            label: Any = (yield from f(t)) if waits else f(t)
            if label is not None:
                return str(label)
        return None

    return wait, True


def _statement(s: Stmt, roles: Mapping[str, str]) -> Code:
    match s:
        case If():
            return _if(s, roles)
        case Loop():
            return _loop(s, roles)
        case Scope():
            return _scope(s, roles)
        case Barrier():
            return _barrier(s), True
        case Let():
            return _let(s, roles), False
        case Load():
            return _load(s), False
        case Store():
            return _store(s), False
        case Atomic():
            return _atomic(s), False
        case Havoc():
            return _havoc(s), False
        case Commit():
            return lambda t: t.commit(), False
        case Awaited(groups=groups):
            return lambda t: t.wait(groups), False
        case Signal():
            return _signal(s), s.op not in ("init", "expect", *GATHERS)
        case Fence(of=of):
            return (_moved if of == "elements" else lambda t: None), False
        case Promise():
            return _promise(s), False
        case NotUnderstood():
            return _not_understood(s), False
        case Leave(label=label, stops=stops):
            return (_stop if stops else lambda t: label), False


# --- control ------------------------------------------------------------------------------------


def _if(s: If, roles: Mapping[str, str]) -> Code:
    test = expression(s.test, "test", s.place)
    then, other = _sequence(s.then, roles), _sequence(s.other, roles)
    if not (then[1] or other[1]):
        a, b = then[0], other[0]
        return lambda t: a(t) if test(t) else b(t), False
    p: Waiting = _waiting(then)
    q: Waiting = _waiting(other)

    def wait(t: Thread) -> Wait:
        return (yield from (p(t) if test(t) else q(t)))

    return wait, True


def _scope(s: Scope, roles: Mapping[str, str]) -> Code:
    body, waits = _sequence(s.body, roles)
    name = s.label
    if not waits:
        straight: Any = body

        def run(t: Thread) -> str | None:
            label: str | None = straight(t)
            return None if label == name else label

        return run, False
    waiting: Waiting = _waiting((body, waits))

    def wait(t: Thread) -> Wait:
        label = yield from waiting(t)
        return None if label == name else label

    return wait, True


def _loop(s: Loop, roles: Mapping[str, str]) -> Code:
    """One round is before, test, body, step; with `test_last`, body, step, before, test."""
    test: Evaluate = (lambda t: 1) if s.test is None else expression(s.test, "test", s.place)
    name = s.label
    before, body = _sequence(s.before, roles), _sequence((*s.body, *s.step), roles)
    if not (before[1] or body[1]):
        first, rest = before[0], body[0]

        def run(t: Thread) -> str | None:
            outer, k, last = t.rounds, 0, s.test_last
            label: Any = None
            while True:
                t.rounds = (*outer, (name, k))
                if not last and ((label := first(t)) is not None or not test(t)):
                    break
                if (label := rest(t)) is not None:
                    break
                if last and ((label := first(t)) is not None or not test(t)):
                    break
                k += 1
            t.rounds = outer
            return None if label == name else label

        return run, False
    early, later = _waiting(before), _waiting(body)

    def wait(t: Thread) -> Wait:
        outer, k, last = t.rounds, 0, s.test_last
        label: Any = None
        while True:
            t.rounds = (*outer, (name, k))
            if not last and ((label := (yield from early(t))) is not None or not test(t)):
                break
            if (label := (yield from later(t))) is not None:
                break
            if last and ((label := (yield from early(t))) is not None or not test(t)):
                break
            k += 1
        t.rounds = outer
        return None if label == name else label

    return wait, True


def _barrier(s: Barrier) -> Waiting:
    def wait(t: Thread) -> Wait:
        yield s
        return None

    return wait


def _going_on(s: Signal, act: Straight) -> Waiting:
    """Return what a thread does behind which others may go on first."""

    def run(t: Thread) -> Wait:
        act(t)
        yield s
        return None

    return run


def _signal(s: Signal) -> Callable[[Thread], Any]:
    pointer, place = expression(s.pointer, "index", s.place), s.place
    if s.value is None:
        return _going_on(s, lambda t: t.signal(pointer(t), place, arrivals=1))
    if s.op in GATHERS:
        return lambda t: t.gather(pointer(t), place, waits=s.op == "gathered")
    value = used(s.value, expression(s.value, "test", s.place))
    if s.op == "init":
        return lambda t: t.make(pointer(t), value(t), place)
    if s.op == "expect":
        return lambda t: t.signal(pointer(t), place, bytes=value(t))
    if s.op == "complete":
        return _going_on(s, lambda t: t.signal(pointer(t), place, bytes=-value(t)))

    def wait(t: Thread) -> Wait:
        bar, parity = t.bar(pointer(t), place), value(t)
        if parity not in (0, 1):
            t.unsupported("a wait for a parity that is none", place)
        elif bar is not None:
            t.awaits = bar, parity
            while not t.is_free():
                yield s
            t.freed()
            if t.machine.trace.unordered:
                t.unsupported("a wait for an mbarrier of which not all is followed", place)
            yield s
        return None

    return wait


# --- variables and memory -----------------------------------------------------------------------


def _let(s: Let, roles: Mapping[str, str]) -> Straight:
    name, value = s.name, expression(s.value, roles.get(s.name, "other"), s.place)

    def run(t: Thread) -> None:
        t.env[name] = value(t)

    return run


def _load(s: Load) -> Straight:
    pointer, width, place = expression(s.pointer, "index", s.place), s.width, s.place
    scope, late = s.scope, s.late

    def run(t: Thread) -> None:
        where = t.touch("read", pointer(t), width, place, None, scope, late=late)
        for name, shift, type in s.parts:
            if isinstance(type, Pointer):
                value, known = where[0].read_pointer(where[1] + shift) if where else (None, False)
                if not known:
                    t.unsupported("a pointer is read that was not stored before", place)
                t.env[name] = value
            else:
                t.env[name] = t.part(where, name, shift, type, place)

    return run


def _store(s: Store) -> Straight:
    pointer, width, place = expression(s.pointer, "index", s.place), s.width, s.place
    scope, late = s.scope, s.late
    if s.value is None:
        return lambda t: t.store(pointer(t), width, place, None, False, scope, late)
    value = used(s.value, expression(s.value, "other", s.place))

    def run(t: Thread) -> None:
        what = value(t)
        t.store(pointer(t), width, place, what, True, scope)

    return run


def _havoc(s: Havoc) -> Straight:
    name, type, place = s.name, s.type, s.place
    if isinstance(type, Pointer):

        def forget(t: Thread) -> None:
            t.env.pop(name, None)
            t.lost[name] = s.reason, place

        return forget
    low = type.low if s.low is None else max(s.low, type.low)
    high = type.high if s.high is None else min(s.high, type.high)

    def run(t: Thread) -> None:
        t.later(name, place, low, high)

    def run_together(t: Thread) -> None:
        known, key = t.machine.uniform, (id(s), t.epoch, t.rounds)
        if key not in known:
            known[key] = t.choose("havoc", name, type, place, low=low, high=high)
        t.env[name] = known[key]

    return run_together if s.uniform else run


def _promise(s: Promise) -> Straight:
    holds = expression(s.test, "other", s.place) if s.test is not None else None

    def run(t: Thread) -> None:
        if holds is None:  # nobody knows whether it is so
            t.machine.trace.checked = True
        elif not holds(t):
            t.fault("promise", s.place, "what it says is not so")
            t.machine.trace.checked = True

    return run


def _moved(t: Thread) -> None:
    """Count what perhaps orders the threads of a block."""
    t.moves += 1


def _stop(t: Thread) -> str:
    """Leave the kernel at a trap: what other threads do, they may never come to."""
    t.machine.trace.checked = True
    return "kernel"


def _not_understood(s: NotUnderstood) -> Straight:
    def run(t: Thread) -> None:
        if s.effect == "aligned":
            return
        if s.effect == "any":
            t.unsupported(s.reason, s.place)
        else:
            t.lose_order(s.barrier)
        names = [n for n in t.env if n[0] != "@"] if s.variables is None else s.variables
        for name in names:
            t.env.pop(name, None)
            t.pending.pop(name, None)
        t.forget(s.arrays, s.effect != "order")

    return run


_UPDATES: dict[str, Callable[[int, int], int]] = {
    "add": lambda old, v: old + v,
    "sub": lambda old, v: old - v,
    "exch": lambda old, v: v,
    "exchange": lambda old, v: v,
    "min": min,
    "max": max,
    "and": lambda old, v: old & v,
    "or": lambda old, v: old | v,
    "xor": lambda old, v: old ^ v,
    "inc": lambda old, v: 0 if old >= v else old + 1,
    "dec": lambda old, v: v if old == 0 or old > v else old - 1,
}


def _atomic(s: Atomic) -> Straight:
    pointer, place = expression(s.pointer, "index", s.place), s.place
    value = None if s.value is None else used(s.value, expression(s.value, "other", s.place))
    update = _UPDATES.get(s.op.removeprefix("atomic").removeprefix("fetch_").split("_")[0].lower())
    width, result, scope, unit = s.width, s.result, s.scope, s.unit

    def run(t: Thread) -> None:
        operand = None if value is None else value(t)
        where = t.touch("atomic", pointer(t), width, place, None, scope, unit)
        type = Int(8 * width, False) if result is None else result[1]
        known = operand is not None and update is not None
        old = 0
        if result is not None or known:
            old = t.part(where, s.op if result is None else result[0], 0, type, place)
        if result is not None:
            t.env[result[0]] = old
        if where is not None and where[2]:
            room, offset, _ = where
            if known and operand is not None and update is not None:
                room.write(offset, width, update(old, operand))
            else:
                room.write(offset, width, None, False)

    return run
