"""What of a host's statements nobody asks: options, which change no access."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Sequence
from typing import TypeGuard

from symcute.frontends.python.jit import OPTIONS

__all__ = ["idle", "launches", "pruned"]


def launches(node: ast.AST) -> TypeGuard[ast.Call]:
    """Is this in the form of a launch, `kernel[grid](...)`?"""
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Subscript)


def idle(owner: ast.FunctionDef) -> frozenset[str]:
    """Return names in a function that are read as options of launches, or returned, and no more."""
    kept: set[ast.expr] = set()
    for n in ast.walk(owner):
        if launches(n):
            kept |= {k.value for k in n.keywords if k.arg in OPTIONS}
        elif isinstance(n, ast.Return) and n.value is not None:
            kept |= {*(n.value.elts if isinstance(n.value, ast.Tuple) else [n.value])}
    read = Counter(
        n.id for n in ast.walk(owner) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)
    )
    harmless = Counter(n.id for n in kept if isinstance(n, ast.Name))
    return frozenset(name for name, times in harmless.items() if times == read[name])


def pruned(body: Sequence[ast.stmt], asked: set[str]) -> tuple[list[ast.stmt], set[str]]:
    """Return statements without those that give what nobody asks for, and what is asked before.

    What is left out raises nothing.

    >>> body = ast.parse("warps = 4; block = 8; last = 2; warps += n").body
    >>> print(ast.unparse(ast.Module(pruned(body, {"block"})[0], [])))
    warps = 4
    block = 8
    warps += n
    """
    kept: list[ast.stmt] = []
    for s in reversed(body):
        if isinstance(s, ast.If):
            ways = [pruned(s.body, {*asked}), pruned(s.orelse, {*asked})]
            if not ways[0][0] and not ways[1][0] and _is_calm(s.test):
                continue
            kept.append(ast.If(s.test, ways[0][0] or [ast.Pass()], ways[1][0]))
            asked = ways[0][1] | ways[1][1] | _names(s.test)
            continue
        match s:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                if name not in asked and _is_calm(value):
                    continue
                asked = asked - {name}
            case ast.Expr(value=value) if _is_calm(value):
                continue
        kept.append(s)
        asked = asked | _names(s)
    return kept[::-1], asked


def _is_calm(node: ast.expr) -> bool:
    """Is evaluating this sure to raise nothing?"""
    kinds = (ast.Name, ast.Constant, ast.Attribute, ast.IfExp, ast.BoolOp, ast.Compare,
             ast.expr_context, ast.cmpop, ast.boolop, ast.UnaryOp, ast.Not)  # fmt: skip
    return all(isinstance(n, kinds) for n in ast.walk(node))


def _names(node: ast.AST) -> set[str]:
    """Return the names that must have been set, as those that are changed or deleted."""
    changed = {n.target for n in ast.walk(node) if isinstance(n, ast.AugAssign)}
    return {
        n.id for n in ast.walk(node)
        if isinstance(n, ast.Name) and (n in changed or not isinstance(n.ctx, ast.Store))
    }  # fmt: skip
