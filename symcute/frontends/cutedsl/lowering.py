"""A kernel of a module as a program: what its threads access, under which conditions, and when.

The layouts are those of the evaluation, whose dims are the program's variables: parameters, numbers
of threads and blocks, counters of loops, and what loops and branches hand on. Loops stay loops, and
a copy is one guarded access of a vector, in loops over its vectors. Registers are no memory: of
them only the predicates of copies are followed.

What only computes gives integers; one that has no rule is not understood where something rests on
it. An operation that may do more, and has no rule here, is `NotUnderstood` at its place.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from symcute.expr.limits import collecting_rarely
from symcute.frontends.cutedsl.evaluation import Function
from symcute.frontends.cutedsl.statements import ACCESSES, RULES
from symcute.frontends.cutedsl.transfers import Descriptor, unseen
from symcute.frontends.cutedsl.unrolling import unrolled
from symcute.frontends.cutedsl.values import Scope
from symcute.frontends.cutedsl.walk import Walk
from symcute.kernel.ir.expression import Base, Expr, Var
from symcute.kernel.ir.inside import (
    every,
    expressions,
    inside,
    reads,
    with_blocks,
    with_expressions,
    with_parts,
)
from symcute.kernel.ir.place import Place
from symcute.kernel.ir.program import (
    Array,
    Atomic,
    Havoc,
    If,
    Int,
    Let,
    Loop,
    NotUnderstood,
    Stmt,
    Store,
)
from symcute.kernel.ir.program import Pointer as Address

__all__ = ["lowered", "pointed_to"]


@collecting_rarely()
def lowered(
    function: Function,
    scope: Scope,
    arrays: dict[str, Array],
    parameters: dict[str, Int],
    at: Place,
    descriptors: Mapping[str, Descriptor],
) -> tuple[Stmt, ...]:
    """Return the statements of a kernel.

    `arrays` are those that pointers begin in, by their roots, `parameters` the dims that are
    parameters; `at` is a place for what has none.
    """
    walk = Walk(function, scope, arrays, parameters, at, RULES, ACCESSES)
    (block,) = function.operation.regions[0]
    for value, found in zip(block.arguments, function.arguments[id(block)], strict=True):
        walk.shares.take(value.name, found, [], at)
    walk.descriptors |= descriptors
    walk.block(block)
    views = walk.shares.views()
    arrays.update((f"{a.name} of {a.view_of}", a) for a in views.values() if a.view_of)
    arrays.update((a.name, a) for a in walk.barriers)
    body = tuple(_seen([*walk.shares.doubts(at), *walk.begun(), *walk.out], views))
    return _needed(unrolled([*_read(walk, body), *body]))


def _read(walk: Walk, body: Sequence[Stmt]) -> Iterator[NotUnderstood]:
    """Yield what TMA reads of global memory, where something else may write it."""
    written = [s.pointer for s in every(body) if isinstance(s, Store | Atomic)]
    known = pointed_to(written)
    far = walk.shares.in_space("global")
    for name, place in walk.loaded.items():
        arrays = (name,) if name else far
        if known is None or any(a in known for a in arrays):
            yield unseen("what TMA reads, and when", arrays, "order", place)


def pointed_to(pointers: Iterable[Expr]) -> tuple[str, ...] | None:
    """Return the arrays that pointers are into; None where a variable holds one."""
    parts = [e for p in pointers for e in inside(p)]
    if any(isinstance(e, Var) and e.type == Address() for e in parts):
        return None
    return tuple(dict.fromkeys(e.array for e in parts if isinstance(e, Base)))


def _seen(body: Iterable[Stmt], views: Mapping[str, Array]) -> Iterator[Stmt]:
    """Yield statements in which arrays have the names of their views.

    What is not understood of an array is not understood of its views.
    """

    def named(e: Expr) -> Expr:
        if isinstance(e, Base):
            return replace(e, array=views[e.array].name) if e.array in views else e
        return with_parts(e, named)

    for s in body:
        if isinstance(s, NotUnderstood):
            known = s.arrays or ()
            more = {a.name: None for a in views.values() if a.view_of in known}
            yield replace(s, arrays=(*known, *more)) if more else s
        else:
            yield with_blocks(with_expressions(s, named), lambda inner: _seen(inner, views))


def _needed(statements: Sequence[Stmt]) -> tuple[Stmt, ...]:
    """Return statements without variables on which nothing rests but such variables."""
    sets: dict[str, set[str]] = {}
    used: set[str] = set()
    for s in every(statements):
        names = {n for e in expressions(s) for n in reads(e)}
        (sets.setdefault(s.name, set()) if isinstance(s, Let) else used).update(names)
    more = used
    while more:
        more = set().union(*(sets.get(n, ()) for n in more)) - used
        used |= more
    return _kept(statements, used)


def _kept(statements: Sequence[Stmt], used: set[str]) -> tuple[Stmt, ...]:
    found: list[Stmt] = []
    for s in statements:
        match s:
            case Let(name=name) | Havoc(name=name) | NotUnderstood(variables=(name,), arrays=()):
                if name not in used:
                    continue
            case If():
                asks = not s.then and not s.other  # what it asks must not wrap
                s = replace(s, then=_kept(s.then, used), other=_kept(s.other, used))
                if not asks and not s.then and not s.other:
                    continue
            case Loop():
                s = replace(s, before=_kept(s.before, used), body=_kept(s.body, used))
        found.append(s)
    return tuple(found)
