"""Asynchronous copies of a thread in CUDA C++, from global to shared memory."""

from __future__ import annotations

from dataclasses import replace

from symcute.frontends.cuda.builder import Builder
from symcute.frontends.cuda.conversions import to_int
from symcute.frontends.cuda.ctype import BOOL, INT
from symcute.kernel.ir.expression import Binary, Cast, Const, Expr, Select
from symcute.kernel.ir.place import Place
from symcute.kernel.ir.program import Commit, If, Int, Load, NotUnderstood, Store, Wait

__all__ = ["commit", "copy", "wait", "wait_for_all"]


def copy(b: Builder, to: Expr, source: Expr, size: int, read: Expr, place: Place) -> Store:
    """Begin to copy `size` bytes, of which only the first `read` come from the source."""
    while isinstance(read, Cast):
        read = read.arg
    load = Load(source, size, place, late=True)
    match read:
        case Const(value=value) if 0 <= value <= size:
            if value:
                b.emit(replace(load, width=value))
        case Select(test=test, then=then, other=other) if _of(then) == size and _of(other) == 0:
            b.emit(If(to_int(b, test, BOOL, place), (load,), (), place))
        case _:
            whole = Binary("==", to_int(b, read, INT, place, True), Const(size, INT), BOOL, place)
            none = Binary("==", to_int(b, read, INT, place, True), Const(0, INT), BOOL, place)
            part = NotUnderstood("a copy of a part", place, (), ())
            b.touching(part, (source,))
            b.emit(If(whole, (load,), (If(none, (), (part,), place),), place))
    store = Store(to, size, place, late=True)
    b.emit(store)
    return store


def _of(value: Expr) -> int | None:
    while isinstance(value, Cast) and isinstance(value.type, Int) and value.type.bits >= 32:
        value = value.arg
    return value.value if isinstance(value, Const) else None


def wait(b: Builder, groups: int | None, place: Place) -> None:
    """Wait until all copies of groups but the last few are done.

    None: how many is not known. What is proved where none was waited for is so wherever some were.
    """
    if groups is None or groups < 0:
        reason = "a wait for all groups of copies but a number that is not known"
        b.emit(NotUnderstood(reason, place, (), (), effect="order"))
    else:
        b.emit(Wait(groups, place))


def wait_for_all(b: Builder, place: Place) -> None:
    """Wait until all copies are done, those of no group among them."""
    b.emit(Wait(None, place))


def commit(b: Builder, place: Place) -> None:
    """Make a group of the copies that are of none yet."""
    b.emit(Commit(place))
