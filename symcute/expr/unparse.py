"""Syntax trees to canonical text."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import pairwise

from symcute.errors import InputError
from symcute.expr.syntax import Node, swizzled

__all__ = ["unparse"]

# How tightly a construct binds; a part that binds less than its place asks for gets parentheses.
_IMPLIES, _OR, _AND, _NOT, _COMPARE, _COMPOSED, _LAYOUT, _SHIFT, _SUM, _PRODUCT = range(10)
_SIGNED, _POWER, _OPERAND, _HEAD, _CALLEE = range(10, 15)

# sign, how tightly it binds, what its left and its right part must bind at least
_INFIX: dict[str, tuple[str, int, int, int]] = {
    "implies": (" implies ", _IMPLIES, _OR, _IMPLIES),
    **{
        op: (sign, _COMPARE, _COMPOSED, _COMPOSED)
        for op, sign in {
            "eq": " == ", "ne": " != ", "le": " <= ", "lt": " < ", "ge": " >= ", "gt": " > ",
            "divides": " | ",
        }.items()
    },
    "layout": (":", _LAYOUT, _SHIFT, _SHIFT),
    "shl": (" << ", _SHIFT, _SHIFT, _SUM),
    "shr": (" >> ", _SHIFT, _SHIFT, _SUM),
    "add": (" + ", _SUM, _SUM, _PRODUCT),
    "sub": (" - ", _SUM, _SUM, _PRODUCT),
    "mul": ("*", _PRODUCT, _PRODUCT, _SIGNED),
    "div": ("/", _PRODUCT, _PRODUCT, _SIGNED),
    "floordiv": ("//", _PRODUCT, _PRODUCT, _SIGNED),
    "mod": (" % ", _PRODUCT, _PRODUCT, _SIGNED),
    "pow": ("**", _POWER, _OPERAND, _SIGNED),
}  # fmt: skip

_LINKS = frozenset({"eq", "ne", "le", "lt", "ge", "gt"})

# A piece of the output: text, or a part with how tightly it must bind there.
_Piece = str | tuple["Node | str | int", int]


def unparse(node: Node) -> str:
    """Return the canonical text of a tree.

    Post-conditions: `parse(unparse(node)) == node` for each node that parse returns. A tree built
    by hand gets the parentheses it needs, and those are nodes when it is read again.
    Raises InputError where the tree has a node that no text gives.

    >>> from symcute.expr.parser import parse
    >>> unparse(parse("( 0x10, 2 ) : <1,16>  o 4:1"))
    'composition((16,2):(1,16), 4:1)'
    >>> unparse(parse("0<=i && i<N => !(N==0)"))
    '0 <= i < N implies not (N == 0)'
    """
    written: list[str] = []
    stack: list[_Piece] = [(node, _IMPLIES)]
    while stack:
        piece = stack.pop()
        if isinstance(piece, str):
            written.append(piece)
            continue
        part, needed = piece
        if not isinstance(part, Node):
            written.append(str(part))
            continue
        binds, pieces = _pieces(part)
        stack.extend(reversed(pieces if binds >= needed else ["(", *pieces, ")"]))
    return "".join(written)


def _pieces(node: Node) -> tuple[int, list[_Piece]]:
    """Return how tightly a construct binds, and its text with its parts still to be written."""
    if node.op in _INFIX:
        sign, binds, left, right = _INFIX[node.op]
        return binds, [(node.args[0], left), sign, (node.args[1], right)]
    writer = _WRITERS.get(node.op)
    if writer is None or (node.op == "text" and '"' in str(node.args[0])):
        raise InputError(f"no text gives the node {node.op} with {node.args!r}")
    return writer(node)


def _joined(parts: Iterable[Node | str | int], sign: str, needed: int) -> list[_Piece]:
    pieces: list[_Piece] = []
    for part in parts:
        pieces += [sign, (part, needed)] if pieces else [(part, needed)]
    return pieces


def _write_tuple(node: Node) -> tuple[int, list[_Piece]]:
    close = ",)" if len(node.args) == 1 else ")"
    # A tuple cannot be applied, but it can be scaled: `(2,3)@1` is for later stages to judge.
    return _HEAD, ["(", *_joined(node.args, ",", _IMPLIES), close]


def _write_and(node: Node) -> tuple[int, list[_Piece]]:
    links = [part for part in node.args if isinstance(part, Node) and part.op in _LINKS]
    if len(links) < len(node.args) or any(
        left.args[1] != right.args[0] for left, right in pairwise(links)
    ):
        return _AND, _joined(node.args, " and ", _NOT)
    pieces: list[_Piece] = [(links[0].args[0], _COMPOSED)]
    for link in links:
        pieces += [_INFIX[link.op][0], (link.args[1], _COMPOSED)]
    return _COMPARE, pieces


def _write_call(node: Node) -> tuple[int, list[_Piece]]:
    parts = swizzled(node)
    if parts:
        first, *others = parts
        return _COMPOSED, [(first, _HEAD), *(x for y in others for x in (" o ", (y, _LAYOUT)))]
    return _CALLEE, [(node.args[0], _CALLEE), "(", *_joined(node.args[1:], ", ", _IMPLIES), ")"]


_WRITERS: dict[str, Callable[[Node], tuple[int, list[_Piece]]]] = {
    "int": lambda node: (_HEAD, [(node.args[0], 0)]),
    "name": lambda node: (_CALLEE, [(node.args[0], 0)]),
    "text": lambda node: (_OPERAND, [f'"{node.args[0]}"']),
    "any": lambda node: (_OPERAND, ["_"]),
    "paren": lambda node: (_CALLEE, ["(", (node.args[0], _IMPLIES), ")"]),
    "tuple": _write_tuple,
    "call": _write_call,
    "apply": _write_call,
    "entry": lambda node: (_CALLEE, [f"{node.args[0]}[", (node.args[1], _IMPLIES), "]"]),
    "exists": lambda node: (
        _IMPLIES,
        [f"exists {node.args[0]} < ", (node.args[1], _SHIFT), ": ", (node.args[2], _IMPLIES)],
    ),
    "keyword": lambda node: (_IMPLIES, [f"{node.args[0]}=", (node.args[1], _IMPLIES)]),
    "basis": lambda node: (_OPERAND, [(node.args[0], _HEAD), *(f"@{m}" for m in node.args[1:])]),
    "swizzle": lambda node: (_CALLEE, [f"Sw<{','.join(map(str, node.args))}>"]),
    "neg": lambda node: (_SIGNED, ["-", (node.args[0], _SIGNED)]),
    "not": lambda node: (_NOT, ["not ", (node.args[0], _NOT)]),
    "and": _write_and,
    "or": lambda node: (_OR, _joined(node.args, " or ", _AND)),
}
