"""Syntax trees: what a text says, as it was written.

Nothing here knows what a layout is: names and shapes get their meaning from whoever walks the tree.
`parser.py` reads text into trees, `unparse.py` writes them as canonical text. The notation is
CuTe's: https://docs.nvidia.com/cutlass (layouts, tilers, swizzles, `1@0` strides).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

__all__ = ["Node", "bitwise", "conjuncts", "swizzled", "ungrouped"]

#: What stands between numbers, and calls that take numbers.
_BETWEEN = (
    "add", "sub", "mul", "div", "floordiv", "mod", "pow", "shl", "shr", "neg", "entry",
    "eq", "ne", "le", "lt", "ge", "gt", "divides",
)  # fmt: skip
_CALLS = (
    "bit_and", "bit_or", "bit_xor", "bit_not", "ceil_div", "floor_div", "mod", "min", "max", "pow2",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Node:
    """A construct of the text: what it is, its parts, and where it stands.

    Two nodes are equal when they say the same thing, wherever they stand.

    | op | args |
    |---|---|
    | int, name, text | the value: an int, a str, the str between the quotes |
    | any | none: `_` |
    | paren | the one item in the parentheses |
    | tuple | the items of `(a,b)`, `(a,)`, `()` or `<a,b>` |
    | layout | shape, stride |
    | call | the name (a str), then the arguments; `A o B` is composition, `a & b` bit_and |
    | entry | the name of a table (a str), the index |
    | exists | the name (a str), the bound, what holds of one from 0 up to it |
    | apply | what is applied (not a bare name), then the arguments |
    | keyword | the name (a str), the value; only among arguments |
    | basis | the value, then the modes (ints): `2@1`, `1@0@1` |
    | swizzle | three ints |
    | neg, not | the operand |
    | add, sub, mul, div, floordiv, mod, pow, shl, shr | left, right |
    | eq, ne, le, lt, ge, gt, divides | left, right |
    | and, or | two or more items; `a < b < c` is the `and` of its links |
    | implies | the condition, the conclusion |

    >>> from symcute.expr.parser import parse
    >>> parse("M*2").args
    (Node(op='name', args=('M',), pos=0, end=1), Node(op='int', args=(2,), pos=2, end=3))
    """

    op: str
    args: tuple[Node | str | int, ...]
    #: Offset of the first character.
    pos: int = field(compare=False)
    #: Offset just past the last character.
    end: int = field(compare=False)


def ungrouped(node: Node) -> Node:
    """Return a tree without the parentheses around it."""
    while node.op == "paren" and isinstance(node.args[0], Node):
        node = node.args[0]
    return node


def conjuncts(tree: Node) -> Iterator[Node]:
    """Yield the parts of a conjunction, without parentheses."""
    tree = ungrouped(tree)
    if tree.op == "and":
        for x in tree.args:
            yield from conjuncts(x) if isinstance(x, Node) else ()
    else:
        yield tree


def swizzled(node: Node) -> tuple[Node | str | int, ...]:
    """Return the parts of a swizzle after a layout, with or without an offset; else none.

    >>> from symcute.expr.parser import parse
    >>> len(swizzled(parse("Sw<3,3,3> o 0 o (8,64)"))), swizzled(parse("A o B"))
    (3, ())
    """
    if node.op != "call" or node.args[0] != "composition" or len(node.args) != 3:
        return ()
    first, last = node.args[1:]
    if not isinstance(first, Node) or (isinstance(last, Node) and last.op == "swizzle"):
        return ()
    if first.op == "swizzle":
        return first, last
    inner = swizzled(first)
    return (*inner, last) if len(inner) == 2 else ()


def bitwise(node: Node) -> Node:
    """Return a tree in which `(a | b)` is the call of bit_or wherever a number has to stand.

    >>> from symcute.expr.parser import parse
    >>> from symcute.expr.unparse import unparse
    >>> unparse(bitwise(parse("(4*x | 3) == 7 and (2 | x)")))
    'bit_or(4*x, 3) == 7 and (2 | x)'
    """
    called = node.op == "call" and node.args[0] in _CALLS
    takes = node.op in _BETWEEN or called
    parts: list[Node | str | int] = []
    for x in node.args:
        if isinstance(x, Node):
            x, inner = bitwise(x), ungrouped(x)
            if takes and (called or x.op == "paren") and inner.op == "divides":
                x = Node("call", ("bit_or", *ungrouped(x).args), x.pos, x.end)
        parts.append(x)
    return Node(node.op, tuple(parts), node.pos, node.end)
