"""What blocks a file makes tensor descriptors of, as far as its text says so; nothing of it is run.

Hosts write `x = TensorDescriptor.from_tensor(a, [BLOCK_M, BLOCK_K])`, or have a hook before a
launch set `nargs["x"].block_shape`. Which of several a launch takes is not asked: it is a guess.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass

__all__ = ["Block", "blocks_of"]


@dataclass(frozen=True)
class Block:
    """The extents of a block, and by which names a function reads what it is given."""

    extents: tuple[ast.expr, ...]
    names: Mapping[str, str]

    def at(self, constants: Mapping[str, object]) -> tuple[int, ...] | None:
        """Return the extents for constants, None where these do not say them.

        >>> (found,) = blocks_of(ast.parse('''def hook(nargs):
        ...     B = nargs["BLOCK"]
        ...     nargs["x"].block_shape = [1, B // 2]'''))["x"]
        >>> found.at({"BLOCK": 64}), found.at({"B": 64})
        ((1, 32), None)
        """
        values = {n: constants.get(self.names.get(n, n)) for e in self.extents for n in _names(e)}
        found = [_number(e, values) for e in self.extents]
        whole = tuple(n for n in found if n is not None)
        return whole if len(whole) == len(found) else None


def blocks_of(tree: ast.Module) -> dict[str, list[Block]]:
    """Return the blocks of the descriptors that are called so, in the order of the text."""
    found: dict[str, list[Block]] = {}
    for function in ast.walk(tree):
        if not isinstance(function, ast.FunctionDef):
            continue
        names: dict[str, str] = {}
        said: list[tuple[str, list[ast.expr]]] = []
        for n in ast.walk(function):
            match n:
                case ast.Assign(
                    targets=[ast.Name(id=own)],
                    value=ast.Subscript(slice=ast.Constant(str() as key))
                    | ast.Call(
                        func=ast.Attribute(attr="get"), args=[ast.Constant(str() as key), *_]
                    ),
                ):
                    names[own] = key
                case ast.Assign(
                    targets=[
                        ast.Attribute(
                            ast.Subscript(slice=ast.Constant(str() as name)), "block_shape"
                        )
                    ],
                    value=ast.List(extents),
                ):
                    said.append((name, extents))
                case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call(func, args, words)) if (
                    "TensorDescriptor" in ast.unparse(func)
                ):
                    lists = [*args, *(k.value for k in words if k.arg == "block_shape")]
                    if lists and isinstance(lists[-1], ast.List):
                        said.append((name, lists[-1].elts))
        for name, extents in said:
            found.setdefault(name, []).append(Block(tuple(extents), names))
    return found


def _names(e: ast.expr) -> set[str]:
    return {n.id for n in ast.walk(e) if isinstance(n, ast.Name)}


def _number(e: ast.expr, values: Mapping[str, object]) -> int | None:
    match e:
        case ast.Constant(value=int() as n) if not isinstance(n, bool):
            return n
        case ast.Name(id=name):
            value = values.get(name)
            return value if isinstance(value, int) and not isinstance(value, bool) else None
        case ast.BinOp(left, op, right):
            a, b = _number(left, values), _number(right, values)
            if a is None or b is None:
                return None
            match op:
                case ast.Mult():
                    return a * b
                case ast.FloorDiv() if b > 0:
                    return a // b
    return None
