"""The text that states a claim, kept as it was written."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from symcute.expr.expression import FUNCTIONS as LEAF_FUNCTIONS
from symcute.expr.parser import parse
from symcute.expr.syntax import Node, swizzled, ungrouped
from symcute.expr.unparse import unparse

__all__ = ["Statement"]

#: Operations on bits, which are worked out again.
BITS = frozenset(("bit_and", "bit_or", "bit_xor", "bit_not"))


@dataclass(frozen=True)
class Statement:
    """The text that states a claim, and what is asked of it before anything is simplified.

    `text` is how the tree of `source` is written, `tree` that tree with what its operations came to
    (see `definedness.py`); `operations` are those, each with its result, as text.
    """

    source: str
    text: str
    tree: Node
    operations: tuple[tuple[str, str], ...] = ()

    @property
    def names(self) -> frozenset[str]:
        """The dims that are written."""
        return frozenset(_names(self.tree))

    @property
    def trusted(self) -> set[str]:
        """What has to be believed of the operations: those that the checker does not do again."""
        prints = self.tree.op == "call" and self.tree.args[0] == "prints_as"
        found: set[str] = set()
        for call in (parse(text) for text, _ in self.operations):
            names = list(_operations(call))
            if swizzled(call) and not prints:
                found.update(["composition", *names])
            elif prints or not ({*names} <= BITS or (len(names) == 1 and _done_again(call))):
                found.update(names)
        return {f"the layout algebra ({', '.join(sorted(found))})"} if found else set()


def written(node: Node) -> str:
    """Return the text of a claim's tree; an expression that it quotes is written in one way too.

    >>> written(parse('no_overflow("i*LD+ 0x10")'))
    'no_overflow("i*LD + 16")'
    """
    node = ungrouped(node)
    if node.op == "call" and node.args[0] == "no_overflow":
        args = (Node("text", (unparse(parse(str(x.args[0]))),), x.pos, x.end)
                if isinstance(x, Node) and x.op == "text" else x for x in node.args)  # fmt: skip
        node = Node("call", tuple(args), node.pos, node.end)
    return unparse(node)


def _names(node: Node) -> Iterator[str]:
    """Yield the names in a tree."""
    if node.op == "name":
        yield str(node.args[0])
    for x in _nodes(node):
        yield from _names(x)


def _operations(node: Node) -> Iterator[str]:
    """Yield the names of the operations in a tree; a swizzle after a layout is none."""
    called = node.op == "call" and node.args[0] not in LEAF_FUNCTIONS and not swizzled(node)
    if called or node.op == "apply":
        yield str(node.args[0]) if called else "evaluation"
    parts = swizzled(node) or node.args
    for x in parts:
        if isinstance(x, Node):
            yield from _operations(x)


def _done_again(call: Node) -> bool:
    """Return whether the checker works an operation out again: `checker/operations.py`."""
    args, name = _nodes(call), call.args[0] if call.op == "call" else ""
    if name == "size":
        return len(args) == 1
    if name == "cosize" and len(args) == 1 and ungrouped(args[0]).op == "layout":
        shape, stride = _sides(ungrouped(args[0]))
        return _fits(stride, shape) and all(type(d) is int for d in _flat(stride))
    if name == "crd2idx" and len(args) == 3:
        crd, shape, stride = map(_tuple, args)
        return _fits(crd, shape) and _fits(stride, shape)
    if name in ("crd2idx", "idx2crd") and len(args) == 2:
        return _fits(*map(_tuple, args))
    if call.op == "apply" and ungrouped(args[0]).op == "layout":
        shape, stride = _sides(ungrouped(args[0]))
        inner = args[1:]
        crd = _tuple(ungrouped(inner[0])) if len(inner) == 1 else tuple(map(_tuple, inner))
        return _fits(crd, shape) and _fits(stride, shape)
    return False


def _sides(layout: Node) -> tuple[Any, Any]:
    left, right = _nodes(layout)
    if (left.op == "paren") != (right.op == "paren"):
        left, right = ungrouped(left), ungrouped(right)
    return _tuple(left), _tuple(right)


def _tuple(node: Node) -> Any:
    """Return nested tuples of numbers, texts for other leaves, None for `_`."""
    if node.op in ("tuple", "paren"):
        return tuple(map(_tuple, _nodes(node)))
    if node.op == "neg" and _nodes(node)[0].op == "int":
        return -int(str(_nodes(node)[0].args[0]))
    if node.op == "int":
        return node.args[0]
    return None if node.op == "any" else unparse(node)


def _flat(item: Any) -> list[Any]:
    return [x for part in item for x in _flat(part)] if isinstance(item, tuple) else [item]


def _fits(crd: Any, shape: Any) -> bool:
    """Return whether a coordinate is natural in a shape, but for indices into modes of numbers."""
    if crd is None or not isinstance(shape, tuple):
        return crd is not None and not isinstance(crd, tuple)
    if isinstance(crd, tuple):
        return len(crd) == len(shape) and all(map(_fits, crd, shape))
    return (
        type(crd) is int and crd >= 0 and all(type(s) is int for s in _flat(shape)) and shape != ()
    )


def _nodes(node: Node) -> tuple[Node, ...]:
    return tuple(x for x in node.args if isinstance(x, Node))
