"""Where a text has a value: its quotients are exact, its divisors not 0, its extents at least 1.

The conditions are read off the syntax tree as it was written, before anything is simplified:
`2*(n/2)` asks that 2 divides n, though it comes to n. Their order is the one that
`docs/reference/certificates.md` fixes.

Beside the nodes of `text.py` a tree may hold `result` (what is written, what the operations in it
came to, and the text of that) and `shape` (a shape that stands for a layout).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from symcute.errors import TextError
from symcute.expr.expression import FUNCTIONS as LEAF_FUNCTIONS
from symcute.expr.expression import read, read_leaf
from symcute.expr.formula import Formula, divides, implies, is_zero, le, ne, read_formula, remainder
from symcute.expr.htuple import Leaf, show_leaf
from symcute.expr.parser import parse
from symcute.expr.syntax import Node, ungrouped

__all__ = [
    "CONNECTIVES",
    "RELATIONS",
    "Condition",
    "is_relation",
    "of_extents",
    "of_operators",
    "stripped",
]

RELATIONS = frozenset(("eq", "ne", "le", "lt", "ge", "gt", "divides"))
CONNECTIVES = frozenset(("and", "or", "not", "implies"))
#: Operators that round, as calls.
_ROUNDED = ("ceil_div", "floor_div", "mod")
#: Which arguments of a claim or an operation are shapes, or layouts.
_SHAPES = {"compatible": (1, 2), "refines": (1, 2), "size": (1,), "crd2idx": (2,), "idx2crd": (2,)}
_NO_SHAPE = ("layout", "apply", "any", "keyword", "basis", "swizzle", "text")


class Condition(NamedTuple):
    """What has to hold for a part of a text to have a value: a quotient, divisor or extent."""

    formula: Formula
    source: str
    kind: str

    @property
    def wrong(self) -> str:
        """What is wrong where it is not known to hold."""
        return {
            "quotient": f"{self.source} is not known to be an integer",
            "divisor": f"{self.source} may divide by 0",
            "extent": f"the extent {self.source} may be less than 1",
        }[self.kind]

    @property
    def fix(self) -> str:
        """How that is mended, in a note about a program."""
        rounded = "write // to round down, as C does, or ceil_div to round up; or "
        return f'{rounded * (self.kind == "quotient")}assume "{self.formula}"'


def is_relation(node: Node) -> bool:
    """Return whether a tree is made of relations, no claim among them."""
    node = ungrouped(node)
    if node.op in CONNECTIVES:
        return all(map(is_relation, _nodes(node)))
    return node.op in RELATIONS or (node.op == "call" and node.args[0] == "pow2")


def stripped(node: Node) -> Node:
    """Return a tree without the parentheses around it, and with the result of an operation."""
    while node.op in ("paren", "result"):
        node = _nodes(node)[-1]
    return node


def of_operators(node: Node, text: str) -> Iterator[Condition]:
    """Yield what the operators in a tree ask for, operands first.

    A quotient asks that its divisor divides, `//`, `%` and their like that it is not 0.
    `x % c == 0` is a relation, which asks for nothing itself; a conclusion asks under its premise.

    >>> [str(c.formula) for c in of_operators(parse("2*(n/2) + n // (m-1)"), "")]
    ['n % 2 == 0', 'm-1 != 0']
    """
    for inner, its, premise in _operands(node, text):
        for condition in of_operators(inner, its):
            if premise is not None:
                condition = condition._replace(formula=implies(premise, condition.formula))
            yield condition
    rounded = node.op in ("floordiv", "mod") or (node.op == "call" and node.args[0] in _ROUNDED)
    if node.op == "div" or rounded:
        a, b = (x for x in node.args[-2:] if isinstance(x, Node))
        source = text[node.pos : node.end]
        if node.op == "div":
            yield Condition(divides(_leaf(b, text), _leaf(a, text)), source, "quotient")
        elif not _is_number(b):
            yield Condition(ne(_leaf(b, text), 0), source, "divisor")


def of_extents(node: Node, text: str) -> Iterator[Condition]:
    """Yield that each extent of the layouts in a tree is at least 1, unless it is a number.

    >>> [str(c.formula) for c in of_extents(parse("f((4,M-1):(1,4))"), "")]
    ['1 <= M-1']
    """
    if node.op in ("layout", "shape"):
        for extent in _flat(_nodes(node)[0]):
            if not _is_number(extent):
                leaf = _leaf(extent, text)
                yield Condition(le(1, leaf), show_leaf(leaf), "extent")
    shapes = _SHAPES.get(str(node.args[0]), ()) if node.op == "call" else ()
    for k, (inner, its, _) in enumerate(_operands(node, text), 1):
        if k in shapes and _is_shape(inner):
            yield from of_extents(Node("shape", (inner,), inner.pos, inner.end), its)
        else:
            yield from of_extents(inner, its)


def _is_shape(node: Node) -> bool:
    """Return whether a tree is made of tuples and expressions, without operations."""
    node = stripped(node)
    known = node.op != "call" or node.args[0] in LEAF_FUNCTIONS
    return known and node.op not in _NO_SHAPE and all(map(_is_shape, _nodes(node)))


def _operands(node: Node, text: str) -> Iterator[tuple[Node, str, Formula | None]]:
    """Yield the parts of a construct with their texts, and the premise under which they count."""
    parts = _nodes(node)
    if node.op == "result":
        yield parts[0], text, None
        yield parts[1], str(node.args[2]), None
    elif node.op == "eq" and is_zero(parts[1]) and remainder(parts[0]):
        for x in remainder(parts[0]):
            yield x, text, None
    elif node.op == "implies":
        yield parts[0], text, None
        known = is_relation(parts[0])  # what a claim about layouts premises, no condition may use
        yield parts[1], text, read_formula(parts[0], text, _result) if known else None
    elif node.op == "call" and node.args[0] == "no_overflow" and parts and parts[0].op == "text":
        yield parse(str(parts[0].args[0])), str(parts[0].args[0]), None
        for x in parts[1:]:
            yield x, text, None
    else:
        for x in parts:
            yield x, text, None


def _nodes(node: Node) -> tuple[Node, ...]:
    return tuple(x for x in node.args if isinstance(x, Node))


def _flat(node: Node) -> Iterator[Node]:
    inner = stripped(node)
    if inner.op == "tuple":
        for x in _nodes(inner):
            yield from _flat(x)
    else:
        yield node


def _is_number(node: Node) -> bool:
    """Return whether this is written as a number other than 0."""
    node = stripped(node)
    if node.op == "neg":
        node = _nodes(node)[0]
    return node.op == "int" and node.args[0] != 0


def _leaf(node: Node, text: str) -> Leaf:
    return read_leaf(node, text, _result)


def _result(node: Node) -> Any:
    """Return what an operation came to, for a reader of leaves and tuples."""
    if node.op != "result":
        raise TextError("expected a number or an expression in dims", "", node.pos)
    return read(_nodes(node)[1], str(node.args[2]), _result)
