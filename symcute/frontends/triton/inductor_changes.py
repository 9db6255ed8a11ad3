"""What host code in a file of Inductor's may change: the names it binds, the tensors it passes."""

from __future__ import annotations

import ast

__all__ = ["bound_otherwise", "is_harmless", "may_change"]

#: Calls that change no memory but what is in it, and no size.
_PLAIN = ("extern_kernels.", "aten.", "torch.cuda.set_device", "assert_alignment")
#: Operators whose `_` says that they write to what is in memory; others set where a tensor is.
_IN_PLACE = {"copy_", "fill_", "index_put_", "scatter_", "scatter_add_", "scatter_reduce_", "zero_"}
#: Calls within an argument that make a number or another view.
_WITHIN = {"reinterpret_tensor", "max", "min"}


def bound_otherwise(node: ast.AST) -> list[str]:
    """Return the names that a statement binds without a name of the syntax."""
    match node:
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            return [name]
        case ast.alias(name=name, asname=other):
            return [other or name]
        case ast.arg(arg=name) | ast.ExceptHandler(name=str(name)):
            return [name]
    return []


def is_harmless(node: ast.expr) -> bool:
    """Does a call change nothing that is known of its arguments, nor what is called for them?"""
    if not isinstance(node, ast.Call):
        return False
    said = ast.unparse(node.func)
    changes = said.startswith("aten.") and any(
        n.endswith("_") and n not in _IN_PLACE for n in said.split(".")
    )
    within = [n for n in ast.walk(node) if n is not node]
    return (said.startswith(_PLAIN) or said in ("args.clear", "get_raw_stream")) and not (
        changes or any(may_change(n) for n in within)
    )


def may_change(node: ast.AST) -> bool:
    """Is it a call that may change what is known, or a name that is bound within an expression?"""
    return isinstance(node, ast.NamedExpr) or (
        isinstance(node, ast.Call)
        and not (isinstance(node.func, ast.Name) and node.func.id in _WITHIN)
    )
