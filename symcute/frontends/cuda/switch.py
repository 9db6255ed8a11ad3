"""Switches as branches."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeAlias

from clang.cindex import Cursor

from symcute.frontends.cuda.builder import Builder
from symcute.frontends.cuda.conversions import to_int
from symcute.frontends.cuda.ctype import BOOL, INT
from symcute.frontends.cuda.hidden import begins_plainly
from symcute.frontends.cuda.library import children, kind_of, walk
from symcute.frontends.cuda.memory import EXPRS
from symcute.frontends.cuda.rules import hidden, not_understood, run, statement_rule, value_of
from symcute.kernel.ir.expression import Binary, Const, Expr, Var
from symcute.kernel.ir.inside import every
from symcute.kernel.ir.place import Place
from symcute.kernel.ir.program import If, Int, Leave, Let, Scope, Stmt

__all__: list[str] = []

#: A switch with more groups of labels is not nested branches.
_BRANCHES = 16
_ENDS = ("BREAK_STMT", "RETURN_STMT", "CONTINUE_STMT")
Segment: TypeAlias = tuple[list[Cursor | None], list[Cursor]]


@statement_rule("SWITCH_STMT")
def _switch(b: Builder, cursor: Cursor) -> None:
    parts = children(cursor)
    if len(parts) != 2 or kind_of(parts[1]) != "COMPOUND_STMT":
        not_understood(b, cursor, "a switch of an unknown shape")
        return
    if not begins_plainly(cursor):
        hidden(b, cursor, "a statement may stand before what the switch is over")
        return
    segments = _segments(children(parts[1]))
    if segments is None:
        not_understood(b, cursor, "a switch with labels inside other statements")
        return
    _lower(b, cursor, parts[0], segments)


def _segments(statements: Sequence[Cursor]) -> list[Segment] | None:
    """Return for each group of labels (None: default) the statements up to the next group."""
    found: list[Segment] = []
    for statement in statements:
        labels: list[Cursor | None] = []
        while kind_of(statement) in ("CASE_STMT", "DEFAULT_STMT"):
            inner = children(statement)
            labels.append(inner[0] if kind_of(statement) == "CASE_STMT" else None)
            if kind_of(statement) == "CASE_STMT" and len(inner) != 2:
                return None  # a range of cases
            statement = inner[-1]
        if labels:
            found.append((labels, []))
        if _has_case(statement):
            return None
        if found:
            found[-1][1].append(statement)
        elif kind_of(statement) != "NULL_STMT":
            return None
    return found


def _has_case(cursor: Cursor) -> bool:
    """Are there labels of the switch around a statement inside it?"""
    if kind_of(cursor) == "SWITCH_STMT":
        return False
    below = walk(cursor, but=("SWITCH_STMT",))
    return any(kind_of(c) in ("CASE_STMT", "DEFAULT_STMT") for c in below)


def _lower(b: Builder, cursor: Cursor, subject: Cursor, segments: list[Segment]) -> None:
    """Lower a switch whose labels stand at its top: branches where no segment falls through."""
    place = b.place(cursor)
    value = value_of(b, subject)
    if not isinstance(value, EXPRS):
        not_understood(b, cursor, "a switch over something that is no integer")
        return
    value = b.steady(value, "switch", place)
    label = b.fresh("switch")
    # `continue` in a switch is that of the loop around it.
    b.frame.loops.append((label, ""))
    tests = [_matches(b, value, labels, place) for labels, _ in segments]
    lowered = [_segment(b, inner) for _, inner in segments]
    b.frame.loops.pop()
    if len(segments) <= _BRANCHES and all(_ends(inner) for _, inner in segments[:-1]):
        out = _chain(tests, [_without_end(s, label) for s in lowered], place)
    else:
        out = _falling(b, tests, lowered, place)
    b.out += [Scope(label, tuple(out))] if _leaves(out, label) else out


def _without_end(statements: tuple[Stmt, ...], label: str) -> tuple[Stmt, ...]:
    """Return statements without a `break` at their end."""
    last = statements[-1] if statements else None
    return statements[:-1] if isinstance(last, Leave) and last.label == label else statements


def _leaves(statements: Iterable[Stmt], label: str) -> bool:
    return any(isinstance(s, Leave) and s.label == label for s in every(statements))


def _matches(b: Builder, value: Expr, labels: list[Cursor | None], place: Place) -> Expr | None:
    """Return whether the subject is one of some labels; None for the default."""
    test: Expr | None = None
    type = value.type
    assert isinstance(type, Int)
    for label in labels:
        if label is None:
            return None
        number = to_int(b, value_of(b, label), type, place)
        here = Binary("==", value, number, BOOL, place)
        test = here if test is None else Binary("||", test, here, BOOL, place)
    return test


def _segment(b: Builder, statements: list[Cursor]) -> tuple[Stmt, ...]:
    with b.block() as out:
        for statement in statements:
            run(b, statement)
    return tuple(out)


def _ends(statements: list[Cursor]) -> bool:
    """Does control never fall out of these statements?"""
    for statement in reversed(statements):
        if kind_of(statement) in _ENDS:
            return True
        if kind_of(statement) == "COMPOUND_STMT":
            return _ends(list(statement.get_children()))
        return False
    return False


def _chain(tests: list[Expr | None], lowered: list[tuple[Stmt, ...]], place: Place) -> list[Stmt]:
    """Return branches of which one runs: the default where no other does."""
    out: tuple[Stmt, ...] = ()
    if None in tests:
        out = lowered[tests.index(None)]
    for test, inner in reversed(list(zip(tests, lowered, strict=True))):
        if test is not None:
            out = (If(test, inner, out, place),)
    return list(out)


def _falling(
    b: Builder, tests: list[Expr | None], lowered: list[tuple[Stmt, ...]], place: Place
) -> list[Stmt]:
    """Say where to begin, and run everything from there on."""
    begin = b.fresh("case")
    default = tests.index(None) if None in tests else len(tests)
    out: list[Stmt] = [Let(begin, Const(default, INT), place)]
    for number, test in enumerate(tests):
        if test is None:
            continue
        out.append(If(test, (Let(begin, Const(number, INT), place),), (), place))
    for number, inner in enumerate(lowered):
        here = Binary("<=", Var(begin, INT), Const(number, INT), BOOL, place)
        out.append(If(here, inner, (), place))
    return out
