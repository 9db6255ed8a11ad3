"""Loops, and what leaves them and functions."""

from __future__ import annotations

from clang.cindex import Cursor

from symcute.frontends.cuda.builder import Builder
from symcute.frontends.cuda.conversions import convert
from symcute.frontends.cuda.ctype import Reference
from symcute.frontends.cuda.library import children, is_written_here, kind_of, within
from symcute.frontends.cuda.lifetimes import copied
from symcute.frontends.cuda.memory import unknown, write
from symcute.frontends.cuda.rules import (
    bind,
    condition,
    not_understood,
    run,
    statement_rule,
    value_of,
)
from symcute.frontends.cuda.values import Function
from symcute.kernel.ir.expression import Const, Expr
from symcute.kernel.ir.program import Leave, Loop, Scope

__all__: list[str] = []


def loop(
    b: Builder,
    cursor: Cursor,
    test: Cursor | None,
    body: Cursor,
    step: Cursor | None,
    *,
    test_last: bool = False,
) -> None:
    """Lower a loop of any kind."""
    place = b.place(cursor)
    label = b.fresh("loop")
    again = f"{label}.next"
    b.frame.loops.append((label, again))
    with b.block() as inner:
        run(b, body)
    b.frame.loops.pop()
    if again in b.frame.used:
        inner = [Scope(again, tuple(inner))]
    with b.block() as after:
        if step is not None:
            run(b, step)
    with b.block() as before:
        tested: Expr | None = condition(b, test) if test is not None else None
    if isinstance(tested, Const) and tested.value:
        tested = None
    b.emit(
        Loop(
            label, tuple(before), tested, tuple(inner), tuple(after), place, test_last,
            b.invariants(cursor),
        )
    )  # fmt: skip


@statement_rule("FOR_STMT")
def _for(b: Builder, cursor: Cursor) -> None:
    parts = for_parts(cursor)
    if parts is None:
        not_understood(b, cursor, "a for loop whose parts cannot be told apart")
        return
    first, test, step, body = parts
    if first is not None:
        run(b, first)
    loop(b, cursor, test, body, step)


def for_parts(
    cursor: Cursor,
) -> tuple[Cursor | None, Cursor | None, Cursor | None, Cursor] | None:
    """Return start, test, step and body of a for loop; clang leaves out those that are empty.

    None where they cannot be told apart, or where the test declares a variable.
    """
    parts = children(cursor)
    body = parts.pop()
    if any(kind_of(part) == "VAR_DECL" for part in parts):
        return None
    if len(parts) == 3:
        return parts[0], parts[1], parts[2], body
    slots: list[Cursor | None] = [None, None, None]
    semicolons = _semicolons(cursor, body)
    if semicolons is None:
        return None
    for part in parts:
        at = part.extent.start.offset
        slots[sum(1 for s in semicolons if s < at)] = part
    if sum(1 for s in slots if s is not None) != len(parts):
        return None
    return slots[0], slots[1], slots[2], body


def _semicolons(cursor: Cursor, body: Cursor) -> tuple[int, int] | None:
    """Return where the two semicolons of a for loop stand, unless a macro wrote them, or it."""
    depth, found = 0, []
    tokens = iter(cursor.get_tokens())
    first = next(tokens, None)
    if first is None or first.spelling != "for" or not is_written_here(cursor):
        return None
    for token in tokens:
        if token.spelling in ("(", "{", "["):
            depth += 1
        elif token.spelling in (")", "}", "]"):
            depth -= 1
            if depth == 0:
                break
        elif token.spelling == ";" and depth == 1:
            found.append(token.extent.start.offset)
    return (found[0], found[1]) if len(found) == 2 else None


@statement_rule("WHILE_STMT")
def _while(b: Builder, cursor: Cursor) -> None:
    parts = children(cursor)
    if len(parts) != 2:
        not_understood(b, cursor, "a while that declares a variable")
        return
    loop(b, cursor, parts[0], parts[1], None)


@statement_rule("DO_STMT")
def _do(b: Builder, cursor: Cursor) -> None:
    body, test = children(cursor)
    loop(b, cursor, test, body, None, test_last=True)


# --- jumps ----------------------------------------------------------------------------------------


@statement_rule("BREAK_STMT")
def _break(b: Builder, cursor: Cursor) -> None:
    _leave(b, cursor, 0)


@statement_rule("CONTINUE_STMT")
def _continue(b: Builder, cursor: Cursor) -> None:
    _leave(b, cursor, 1)


def _leave(b: Builder, cursor: Cursor, which: int) -> None:
    labels = [pair[which] for pair in b.frame.loops if pair[which]]
    if not labels:
        not_understood(b, cursor, "a jump out of nothing")
        return
    b.frame.used.add(labels[-1])
    b.emit(Leave(labels[-1], b.place(cursor)))


@statement_rule("RETURN_STMT")
def _return(b: Builder, cursor: Cursor) -> None:
    frame, place = b.frame, b.place(cursor)
    inner = children(cursor)
    if inner:
        _give_back(b, inner[0])
    if not frame.direct:
        frame.leaves = True
        b.emit(Leave(frame.label, place))


def _is_variable(cursor: Cursor) -> bool:
    """Is it a variable of the function's own, of which a compiler may leave out the copy?

    Source: C++17, [class.copy.elision].
    """
    while kind_of(cursor) == "CALL_EXPR" and len(children(cursor)) == 1:
        cursor = within(children(cursor)[0])
    named = cursor.referenced if kind_of(cursor) == "DECL_REF_EXPR" else None
    return named is not None and kind_of(named) == "VAR_DECL"


def _give_back(b: Builder, cursor: Cursor) -> None:
    """Put what is returned where the caller looks for it."""
    frame, place = b.frame, b.place(cursor)
    if isinstance(frame.type, Reference):
        frame.returned.append(bind(b, cursor))
        return
    if copied(frame.type) and _is_variable(within(cursor)):
        reason = f"whether {cursor.type.spelling} is copied when it is returned"
        not_understood(b, cursor, reason)
        value = unknown(b, frame.type, reason, place)
    else:
        value = convert(b, value_of(b, cursor), frame.type, place)
    frame.returned.append(value)
    # A function is no value that a variable of the program could have.
    if not frame.direct and frame.result is not None and not isinstance(value, Function):
        write(b, frame.result, value, frame.type, place)
