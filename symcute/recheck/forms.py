"""Trees as what they stand for: leaves, tuples, layouts, formulas.

A leaf that is the same number whatever the dims are counts as that number.
"""

from __future__ import annotations

from typing import Any

from symcute.checker.poly import value
from symcute.checker.settle import Place
from symcute.checker.swizzle import Fields, fields_of
from symcute.checker.terms import MAX_MODES, Modes, Node, Refused, conjunction, lit
from symcute.recheck import text
from symcute.recheck.parametrisation import Parametrisation, opaque
from symcute.recheck.text import show, strip

RELATIONS = ("eq", "ne", "le", "lt", "ge", "gt", "divides")
#: Powers of two are what divides this.
POWERS = 1 << 64
#: What a swizzle, an offset and a layout are in a text.
SWIZZLED = "swizzled"


def number(x: Node) -> Node:
    """Return a leaf, as a number if its polynomial is one."""
    if x.op in ("int", "dim"):
        return x
    try:
        c = value(Parametrisation(Place({}, [])).poly(opaque(x)))
    except Refused:  # a quotient
        return x
    return x if c is None or c.denominator != 1 else lit(int(c))


def alike(x: Node, y: Node) -> bool:
    """Return whether two leaves are the same sum of products."""
    if x == y:
        return True
    try:
        return not Parametrisation(Place({}, [])).poly(opaque(x) - opaque(y))
    except Refused:
        return False


def leaf(node: Node) -> Node:
    """Return the expression that a tree stands for."""
    return number(text.leaf(node))


def htuple(node: Node) -> Any:
    """Return nested tuples of leaves; a parenthesis standing alone is a tuple of one."""
    return _each(number, text.htuple(node))


def _each(function: Any, item: Any) -> Any:
    return function(item) if isinstance(item, Node) else tuple(_each(function, x) for x in item)


def flat(item: Any) -> list[Node]:
    """Return the leaves of nested tuples."""
    return [item] if isinstance(item, Node) else [x for part in item for x in flat(part)]


def layout(node: Node) -> Node:
    """Return the tree of a layout, swizzled or not; a shape has the strides of its columns.

    As in CuTe, an extent that is the number 1 has the stride 0.
    """
    inner = strip(node)
    if inner.op in ("layout", "swizzled"):
        return inner
    stride = lit(1)

    def column(extent: Node) -> Node:
        nonlocal stride
        found, stride = stride, number(stride * extent)
        return lit(0) if extent == lit(1) else found

    strides = _tree(_each(column, htuple(node)))
    if node.op == "paren":  # a tuple of one, on both sides
        strides = Node("paren", strides.args)
    return Node("layout", (node, strides))


def _tree(item: Any) -> Node:
    return item if isinstance(item, Node) else Node("tuple", tuple(map(_tree, item)))


def turned(node: Node) -> tuple[Fields, Node, Node]:
    """Return the swizzle, the offset and the tree of the layout of `Sw<..> o offset o layout`."""
    *fields, offset, inner = node.args
    return fields_of(fields), leaf(offset), inner


def modes(node: Node) -> Modes:
    """Return the modes of a layout."""
    node = layout(node)
    if node.op != "layout":
        raise Refused(f"{show(node)} is no layout")
    shape, stride = sides(node)
    if not congruent(shape, stride) or len(flat(shape)) > MAX_MODES:
        raise Refused(f"shape and stride of {show(node)} differ in their hierarchy, or are long")
    return tuple(zip(flat(shape), flat(stride), strict=True))


def sides(node: Node, read: Any = htuple) -> tuple[Any, Any]:
    """Return shape and stride of what is written shape:stride."""
    left, right = node.args
    if (left.op == "paren") != (right.op == "paren"):
        left, right = strip(left), strip(right)  # `(M*N):1` groups, `(8):(1)` has rank-1 tuples
    return read(left), read(right)


def congruent(a: Any, b: Any) -> bool:
    """Return whether two tuples have the same hierarchy."""
    if isinstance(a, Node) or isinstance(b, Node):
        return isinstance(a, Node) and isinstance(b, Node)
    return len(a) == len(b) and all(map(congruent, a, b))


def formula(node: Node) -> Node:
    """Return the formula of a tree; `x % c == 0` says that c is not 0 and divides x."""
    node = strip(node)
    if node.op in ("and", "or", "not", "implies"):
        parts = [formula(x) for x in node.args]
        return conjunction(parts) if node.op == "and" else Node(node.op, tuple(parts))
    if node.op == "call" and node.args[0] == "pow2" and len(node.args) == 2:
        x = leaf(node.args[1])
        return conjunction([Node("le", (lit(1), x)), Node("divides", (x, lit(POWERS)))])
    if node.op not in RELATIONS:
        raise Refused(f"{show(node)} is no formula")
    # What an operation came to is read as if it were written.
    divided = remainder(Node(node.op, tuple(map(strip, node.args))))
    if divided:
        return Node("divides", tuple(map(leaf, divided[::-1])))
    if node.op in ("eq", "ne"):
        a, b = (htuple(_ungrouped(x)) for x in node.args)
        if not (isinstance(a, Node) and isinstance(b, Node)):
            same = _equal(a, b)
            return same if node.op == "eq" else Node("not", (same,))
    else:
        a, b = (leaf(x) for x in node.args)
    return Node({"ge": "le", "gt": "lt"}[node.op], (b, a)) if node.op in ("ge", "gt") else Node(
        node.op, (a, b))  # fmt: skip


def remainder(node: Node) -> tuple[Node, ...]:
    """Return x and c of `x % c == 0`; nothing for any other tree."""
    if node.op != "eq" or _ungrouped(node.args[1]) != lit(0):
        return ()
    x = _ungrouped(node.args[0])
    called = x.op == "call" and x.args[0] == "mod" and len(x.args) == 3
    found: tuple[Node, ...] = x.args[-2:] if x.op == "mod" or called else ()
    if found and leaf(found[1]) == lit(0):
        raise Refused(f"{show(node)} divides by 0")
    return found


def _ungrouped(node: Node) -> Node:
    return _ungrouped(node.args[0]) if node.op == "paren" else node


def _equal(a: Any, b: Any) -> Node:
    """Return that tuples are equal leaf by leaf."""
    if isinstance(a, Node) and isinstance(b, Node):
        return Node("eq", (a, b))
    if isinstance(a, Node) or isinstance(b, Node) or len(a) != len(b):
        return Node("eq", (lit(0), lit(1)))
    return conjunction([_equal(x, y) for x, y in zip(a, b, strict=True)])
