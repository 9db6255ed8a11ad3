"""Where the variables of a program end: in addresses, in conditions, or elsewhere."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from symcute.kernel.ir.expression import Binary, Cast, Expr, PtrAdd, Select, Unary, Var
from symcute.kernel.ir.program import (
    Atomic,
    If,
    Kernel,
    Let,
    Load,
    Loop,
    Scope,
    Signal,
    Stmt,
    Store,
)

__all__ = ["roles"]


def roles(kernel: Kernel) -> Mapping[str, str]:
    """Return for each variable "index" where it reaches an address, "test" where only conditions.

    Those that reach neither are left out; what is stored to memory counts as reaching neither.
    """
    reads: dict[str, set[str]] = {}
    seeds: dict[str, set[str]] = {"index": set(), "test": set()}
    for statement in _statements(kernel.body):
        match statement:
            case Let(name=name, value=value):
                reads.setdefault(name, set()).update(_variables(value))
            case (
                Load(pointer=pointer)
                | Store(pointer=pointer)
                | Atomic(pointer=pointer)
                | Signal(pointer=pointer)
            ):
                seeds["index"].update(_variables(pointer))
                if isinstance(statement, Signal) and statement.value is not None:
                    seeds["test"].update(_variables(statement.value))
            case If(test=test) | Loop(test=test) if test is not None:
                seeds["test"].update(_variables(test))
            case _:
                pass
    found: dict[str, str] = {}
    for role, names in seeds.items():
        waiting = list(names)
        while waiting:
            name = waiting.pop()
            if name not in found:
                found[name] = role
                waiting.extend(reads.get(name, ()))
    return found


def _statements(body: Iterable[Stmt]) -> Iterator[Stmt]:
    for statement in body:
        yield statement
        match statement:
            case If(then=then, other=other):
                yield from _statements(then)
                yield from _statements(other)
            case Loop(before=before, body=inner, step=step):
                yield from _statements((*before, *inner, *step))
            case Scope(body=inner):
                yield from _statements(inner)
            case _:
                pass


def _variables(expr: Expr) -> Iterator[str]:
    match expr:
        case Var(name=name):
            yield name
        case Unary(arg=arg) | Cast(arg=arg):
            yield from _variables(arg)
        case Binary(left=left, right=right):
            yield from _variables(left)
            yield from _variables(right)
        case Select(test=test, then=then, other=other):
            yield from _variables(test)
            yield from _variables(then)
            yield from _variables(other)
        case PtrAdd(pointer=pointer, index=index):
            yield from _variables(pointer)
            yield from _variables(index)
        case _:
            pass
