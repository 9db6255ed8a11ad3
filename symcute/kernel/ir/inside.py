"""What lies inside the expressions and statements of a program."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from symcute.kernel.ir.expression import Binary, Cast, Expr, PtrAdd, Select, Unary, Var
from symcute.kernel.ir.program import (
    Atomic,
    Barrier,
    Havoc,
    If,
    Kernel,
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
    Type,
    Wait,
)

__all__ = [
    "assigned",
    "compares_pointers",
    "every",
    "expressions",
    "inside",
    "may_wait",
    "reads",
    "sets",
    "with_blocks",
    "with_expressions",
    "with_parts",
]


def inside(expression: Expr) -> Iterator[Expr]:
    """Yield an expression and its parts."""
    stack = [expression]
    while stack:
        here = stack.pop()
        yield here
        match here:
            case Unary(arg=arg) | Cast(arg=arg):
                stack.append(arg)
            case Binary(left=left, right=right):
                stack += (left, right)
            case Select(test=test, then=then, other=other):
                stack += (test, then, other)
            case PtrAdd(pointer=pointer, index=index):
                stack += (pointer, index)


def reads(expression: Expr) -> set[str]:
    """Return the variables that an expression reads."""
    return {e.name for e in inside(expression) if isinstance(e, Var)}


def expressions(statement: Stmt) -> Iterator[Expr]:
    """Yield the expressions of a statement, those of the statements inside it left out."""
    match statement:
        case Let(value=value):
            yield value
        case Load(pointer=pointer):
            yield pointer
        case (
            Store(pointer=pointer, value=value)
            | Atomic(pointer=pointer, value=value)
            | Signal(pointer=pointer, value=value)
        ):
            yield pointer
            if value is not None:
                yield value
        case If(test=test) | Loop(test=test) | Promise(test=test):
            if test is not None:
                yield test


def every(statements: Iterable[Stmt]) -> Iterator[Stmt]:
    """Yield statements and those inside them, in their order."""
    stack = [*statements][::-1]
    while stack:
        here = stack.pop()
        yield here
        match here:
            case If(then=then, other=other):
                stack += reversed((*then, *other))
            case Loop(before=before, body=body, step=step):
                stack += reversed((*before, *body, *step))
            case Scope(body=body):
                stack += reversed(body)


def assigned(statements: Iterable[Stmt]) -> set[str] | None:
    """Return the variables that statements may set; None where that may be any."""
    found: set[str] = set()
    for here in every(statements):
        if isinstance(here, NotUnderstood):
            if here.variables is None:
                return None
            found.update(here.variables)
        found.update(name for name, _ in sets(here))
    return found


def sets(statement: Stmt) -> Iterator[tuple[str, Type]]:
    """Yield the variables that a statement itself sets, with their types."""
    match statement:
        case Let(name=name, value=value):
            yield name, value.type
        case Load(parts=parts):
            yield from ((name, type) for name, _, type in parts)
        case Atomic(result=result) if result is not None:
            yield result
        case Havoc(name=name, type=type):
            yield name, type


def may_wait(statement: Stmt) -> bool:
    """Return whether a thread may wait there for others: in a loop, for what it reads.

    >>> from symcute.kernel.ir.place import Place
    >>> from symcute.kernel.ir.program import Leave
    >>> here = Place("k.cu", 1, 1)
    >>> may_wait(Barrier("block", here)), may_wait(Leave("kernel", here))
    (True, False)
    """
    if isinstance(statement, Loop):
        return any(isinstance(s, (Load, Atomic)) for s in every([statement]))
    return isinstance(statement, (Barrier, Havoc, NotUnderstood, Signal, Wait))


# --- made new -------------------------------------------------------------------------------------


def with_parts(expression: Expr, change: Callable[[Expr], Expr]) -> Expr:
    """Return an expression whose parts are changed, each by itself.

    >>> from symcute.kernel.ir.place import Place
    >>> from symcute.kernel.ir.expression import Const
    >>> from symcute.kernel.ir.program import Int
    >>> i32, at = Int(32, True), Place("k.cu", 1, 1)
    >>> sum = Binary("+", Var("i", i32), Const(2, i32), i32, at)
    >>> found = with_parts(sum, lambda e: Var("j", i32) if isinstance(e, Var) else e)
    >>> found.left.name, found.right.value
    ('j', 2)
    """
    e = expression
    match e:
        case Unary() | Cast():
            return replace(e, arg=change(e.arg))
        case Binary():
            return replace(e, left=change(e.left), right=change(e.right))
        case Select():
            return replace(e, test=change(e.test), then=change(e.then), other=change(e.other))
        case PtrAdd():
            return replace(e, pointer=change(e.pointer), index=change(e.index))
    return e


def compares_pointers(kernel: Kernel) -> bool:
    """Return whether a kernel compares pointers, or takes one from another."""
    return any(
        isinstance(x, Binary) and isinstance(x.left.type, Pointer)
        for s in every(kernel.body)
        for e in expressions(s)
        for x in inside(e)
    )


def with_expressions(statement: Stmt, change: Callable[[Expr], Expr]) -> Stmt:
    """Return a statement whose own expressions are changed: those of `expressions`."""
    s = statement
    match s:
        case Let():
            return replace(s, value=change(s.value))
        case Load():
            return replace(s, pointer=change(s.pointer))
        case Store() | Atomic() | Signal():
            value = None if s.value is None else change(s.value)
            return replace(s, pointer=change(s.pointer), value=value)
        case If():
            return replace(s, test=change(s.test))
        case Loop() | Promise() if s.test is not None:
            return replace(s, test=change(s.test))
    return s


def with_blocks(statement: Stmt, change: Callable[[tuple[Stmt, ...]], Iterable[Stmt]]) -> Stmt:
    """Return a statement in which the blocks of statements are changed, each by itself."""
    s = statement
    match s:
        case If():
            return replace(s, then=(*change(s.then),), other=(*change(s.other),))
        case Loop():
            before, body, step = ((*change(x),) for x in (s.before, s.body, s.step))
            return replace(s, before=before, body=body, step=step)
        case Scope():
            return replace(s, body=(*change(s.body),))
    return s
