"""Functions of a Python file that are one expression of what they are given, as `cdiv(a, b)`."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from symcute.frontends.python.scopes import Scope

__all__ = ["Helper", "helper"]

#: What is not evaluated each time, or more than once, or binds names.
_ODD = (
    ast.IfExp, ast.BoolOp, ast.Lambda, ast.NamedExpr, ast.Await, ast.Yield, ast.YieldFrom,
    ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp, ast.Starred,
)  # fmt: skip


@dataclass(frozen=True)
class Helper:
    """A function that evaluates one expression, with each of its parameters, and nothing else."""

    parameters: tuple[str, ...]
    result: ast.expr
    scope: Scope

    def given(self, call: ast.Call) -> dict[str, ast.expr] | None:
        """Return the arguments of a call by the names of the parameters, or None."""
        if any(isinstance(a, ast.Starred) for a in call.args) or len(call.args) > len(
            self.parameters
        ):
            return None
        found = dict(zip(self.parameters, call.args, strict=False))
        for k in call.keywords:
            if k.arg is None or k.arg in found:
                return None
            found[k.arg] = k.value
        return found if found.keys() == set(self.parameters) else None

    def numbers(self, call: ast.Call) -> list[ast.expr]:
        """Return the arguments of a call with which the result computes."""
        parts = [x for n in ast.walk(self.result) if isinstance(n, ast.BinOp)
                 for x in (n.left, n.right)]  # fmt: skip
        computed = {x.id for x in parts if isinstance(x, ast.Name)}
        return [x for name, x in (self.given(call) or {}).items() if name in computed]


def helper(function: ast.expr, scope: Scope) -> Helper | None:
    """Return the helper that an expression names, if that is plain to see.

    What comes of an argument has to be in the result: where evaluating it raises, so does the
    result. So each parameter is there, and nothing that may be left out.
    """
    if not isinstance(function, ast.Name):
        return None
    found = scope.function(function.id)
    if found is None or found[0].lineno >= function.lineno:
        return None
    node, around = found
    a = node.args
    if a.vararg or a.kwarg or a.kwonlyargs or a.defaults:
        return None
    parameters = tuple(x.arg for x in (*a.posonlyargs, *a.args))
    result = _result(node)
    if result is None or any(isinstance(n, _ODD) for n in ast.walk(result)):
        return None
    chained = any(isinstance(n, ast.Compare) and len(n.ops) > 1 for n in ast.walk(result))
    used = {n.id for n in ast.walk(result) if isinstance(n, ast.Name)}
    if chained or not {*parameters} <= used:
        return None
    body = [] if isinstance(node, ast.Lambda) else node.body
    return Helper(parameters, result, Scope(body, around, frozenset(parameters)))


def _result(node: ast.FunctionDef | ast.Lambda) -> ast.expr | None:
    if isinstance(node, ast.Lambda):
        return node.body
    match node:
        case ast.FunctionDef(decorator_list=[], body=[ast.Return(value=result)]):
            return result
        case ast.FunctionDef(
            decorator_list=[],
            body=[ast.Expr(value=ast.Constant(value=str())), ast.Return(value=result)],
        ):
            return result
    return None
