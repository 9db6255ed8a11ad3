"""Launches of what `kernel.warmup(...)` compiled: of a program for the arguments given there.

What is compiled holds for these arguments: a stride that is 1 is a constant of it, whatever a later
launch gives. So a launch is followed where it is given the same, by names that mean the same.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from symcute.frontends.python.scopes import Owner, Scope, inside

__all__ = ["Warmup", "differs", "warmups"]

#: What is asked of a compiled kernel, or done with it, without a launch or a change.
_ASKED = frozenset({
    "_init_handles", "asm", "hash", "metadata", "n_max_threads", "n_regs", "n_spills", "name",
    "shared",
})  # fmt: skip
_OF_TENSORS = frozenset({"stride", "size", "numel", "dim", "element_size"})
_EXTENTS = 3


@dataclass(frozen=True)
class Warmup:
    """A name for what `call` compiled of a kernel, and the expressions that launch it."""

    name: str
    kernel: str
    call: ast.Call
    launches: tuple[ast.Call, ...]


def warmups(scope: Scope, kernel: Callable[[ast.expr], str | None]) -> Iterator[Warmup]:
    """Yield what is compiled in a scope and used for launches there alone, behind it.

    `kernel` says which kernel an expression is. The launches are statements beside the one that
    compiles: whenever one is come to, that was just before.
    """
    for statements in _lists(scope.body):
        for n, statement in enumerate(statements):
            match statement:
                case ast.Assign(
                    targets=[ast.Name(id=name)],
                    value=ast.Call(func=ast.Attribute(value=of, attr="warmup")) as call,
                ):
                    title = kernel(of)
                case _:
                    continue
            if title is None or not scope.is_bound_once(name):
                continue
            launches = tuple(_launches(name, statements[n + 1 :]))
            functions = {id(launch.func) for launch in launches}
            if all(_is_idle(p, functions) for p in _uses(name, scope)):
                yield Warmup(name, title, call, launches)


def _lists(body: Sequence[ast.stmt]) -> Iterator[Sequence[ast.stmt]]:
    """Yield the lists of statements that a scope consists of."""
    yield body
    for node in inside(body):
        if isinstance(node, Owner):
            continue
        for _, value in ast.iter_fields(node):
            if isinstance(value, list) and value and isinstance(value[0], ast.stmt):
                yield value


def _launches(name: str, statements: Sequence[ast.stmt]) -> Iterator[ast.Call]:
    for statement in statements:
        match statement:
            case ast.Expr(value=ast.Call(func=ast.Subscript(value=ast.Name(id=of))) as call):
                if of == name:
                    yield call


def _uses(name: str, scope: Scope) -> Iterator[ast.AST]:
    """Yield what a name is part of, in functions inside as well."""
    for statement in scope.body:
        for parent in ast.walk(statement):
            for node in ast.iter_child_nodes(parent):
                is_load = isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)
                if isinstance(node, ast.Name) and is_load and node.id == name:
                    yield parent


def _is_idle(parent: ast.AST, launches: set[int]) -> bool:
    """Is this a launch that is known, or no launch?"""
    if isinstance(parent, ast.Attribute):
        return parent.attr in _ASKED and isinstance(parent.ctx, ast.Load)
    return id(parent) in launches


def differs(
    call: ast.Call, compiled: Mapping[str, ast.expr], parameters: Mapping[str, bool], scope: Scope
) -> str:
    """Return why a launch may be given something else than what was `compiled` for, or nothing.

    `parameters` are those of the kernel in their order, with whether each is a constexpr: of these,
    only what was compiled counts.
    """
    assert isinstance(call.func, ast.Subscript)
    grid = call.func.slice
    if not isinstance(grid, ast.Tuple) or len(grid.elts) != _EXTENTS:
        return "its grid is not understood"
    if call.keywords or any(isinstance(a, ast.Starred) for a in call.args):
        return "its arguments are put together while the program runs"
    if len(call.args) != len(parameters):
        return f"{len(call.args)} arguments are given, and the program has {len(parameters)}"
    for (name, is_constant), node in zip(parameters.items(), call.args, strict=True):
        before = compiled.get(name)
        if is_constant:
            continue
        if before is None or ast.dump(before) != ast.dump(node):
            return f"{name} is given {ast.unparse(node)}, for which it was not compiled"
        if not _means_the_same(node, scope):
            return f"{name} is given {ast.unparse(node)}, which may have changed"
    return ""


def _means_the_same(node: ast.expr, scope: Scope) -> bool:
    """Is an expression the same later, where no tensor changes its shape?"""
    match node:
        case ast.Constant():
            return True
        case ast.Name(id=name):
            return scope.is_fixed(name)
        case ast.Attribute(value=of, attr="shape") | ast.UnaryOp(operand=of):
            return _means_the_same(of, scope)
        case ast.Subscript(value=ast.Attribute(attr="shape") as of, slice=ast.Constant()):
            return _means_the_same(of, scope)
        case ast.Call(func=ast.Attribute(value=of, attr=attr), args=args, keywords=[]):
            plain = all(isinstance(a, ast.Constant) for a in args)
            return attr in _OF_TENSORS and plain and _means_the_same(of, scope)
        case ast.BinOp(left=left, right=right):
            return _means_the_same(left, scope) and _means_the_same(right, scope)
    return False
