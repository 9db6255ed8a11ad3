"""What parameters of a Triton kernel are, as far as their uses say so."""

from __future__ import annotations

import ast

__all__ = ["extents", "tested", "uses"]


def uses(node: ast.FunctionDef, names: frozenset[str]) -> tuple[frozenset[str], frozenset[str]]:
    """Return which parameters addresses begin with, and which others are in addresses and masks.

    What a parameter is that a host function is given, and says nothing of, is taken from these.
    """
    begins: dict[str, set[str]] = {}
    inside: dict[str, set[str]] = {}
    pointers: set[str] = set()
    numbers: set[str] = set()
    for n in ast.walk(node):
        match n:
            case (
                ast.Assign(targets=[ast.Name(id=target)], value=value)
                | ast.AugAssign(target=ast.Name(id=target), value=value)
            ):
                first = _first(value)
                if first is not None:
                    begins.setdefault(target, set()).add(first)
                inside.setdefault(target, set()).update(_names(value))
            case ast.Call(func=ast.Attribute(attr=attr), args=[where, *_]) if attr in (
                "load",
                "store",
                "make_block_ptr",
                "make_tensor_descriptor",
            ) or attr.startswith("atomic_"):
                first = _first(where)
                if first is not None:
                    pointers.add(first)
                numbers |= _names(where)
            case ast.Compare() | ast.BinOp(op=ast.FloorDiv() | ast.Mod()):
                numbers |= _names(n)
            case ast.Call(func=called, args=args) if ast.unparse(called).endswith(
                ("range", "cdiv", "minimum", "maximum", "min", "max")
            ):
                numbers |= {
                    x.id for part in args for x in ast.walk(part) if isinstance(x, ast.Name)
                }
    grown = True
    while grown:
        more = set[str]().union(*(begins.get(p, set()) for p in pointers)) - pointers
        pointers |= more
        grown = bool(more)
    numbers = numbers.union(*(inside.get(p, set()) for p in pointers))
    return frozenset(pointers & names), frozenset((numbers & names) - pointers)


def _names(node: ast.AST) -> set[str]:
    return {x.id for x in ast.walk(node) if isinstance(x, ast.Name)}


def _first(node: ast.expr) -> str | None:
    while isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Add, ast.Sub)):
        node = node.left
    return node.id if isinstance(node, ast.Name) else None


def tested(node: ast.FunctionDef, names: frozenset[str]) -> frozenset[str]:
    """Return the parameters of which it may matter whether they are None."""
    found = set[str]()
    for n in ast.walk(node):
        match n:
            case ast.Compare(left=left, ops=[ast.Is() | ast.IsNot() | ast.Eq() | ast.NotEq()]):
                parts: list[ast.expr] = [left]
            case ast.If(test=test) | ast.IfExp(test=test):
                parts = [test]
            case ast.BoolOp(values=parts):
                pass
            case ast.UnaryOp(op=ast.Not(), operand=inner):
                parts = [inner]
            case ast.Call(func=ast.Name(), args=parts, keywords=words):
                parts = [*parts, *(k.value for k in words)]
            case _:
                continue
        found |= {x.id for x in parts if isinstance(x, ast.Name)}
    return frozenset(found & names)


def extents(node: ast.FunctionDef, names: frozenset[str]) -> frozenset[str]:
    """Return the parameters that are extents of tensors on every way through a kernel."""
    found = set[str]()
    for statement in node.body:
        if isinstance(statement, (ast.If, ast.For, ast.While)):
            break
        for n in ast.walk(statement):
            match n:
                case ast.Call(
                    func=ast.Attribute(attr="arange"),
                    args=[ast.Constant(value=0), ast.Name(id=name)],
                ):
                    found.add(name)
    return frozenset(found & names)
