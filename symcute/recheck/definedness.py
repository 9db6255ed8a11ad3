"""What it takes for a text to have a value: read off its tree, before anything is simplified."""

from __future__ import annotations

from collections.abc import Iterator

from symcute.checker.terms import ATOMS, Node, Refused, divides, le, lit, negation
from symcute.recheck import text
from symcute.recheck.claims import is_literal, is_relation
from symcute.recheck.forms import RELATIONS, formula, number, remainder
from symcute.recheck.text import parse, show, strip

#: How many of the first arguments of a claim are layouts.
_LAYOUTS = {
    "equal": 2,
    "disjoint": 2,
    "apart": 2,
    "is_complement": 2,
    "is_composition": 3,
    "is_right_inverse": 2,
    "is_left_inverse": 2,
    "same_elements": 2,
    "same_image": 2,
}
_LAYOUTS |= dict.fromkeys(
    ("injective", "bijective", "compact", "in_bounds", "covers", "partition_exact", "monotone",
     "increasing", "aligned", "vectorizable", "table", "where", "access"), 1)  # fmt: skip
#: Which arguments of a claim or an operation are shapes, or layouts.
_SHAPES = {"compatible": (1, 2), "refines": (1, 2), "size": (1,), "crd2idx": (2,), "idx2crd": (2,)}
_ROUNDED = ("floor_div", "ceil_div", "mod")
_ARITHMETIC = ("int", "dim", "neg", "add", "sub", "mul", "div", "floor_div", "mod", "pow", "shl",
               "shr", "tuple", "paren")  # fmt: skip


def conditions(claim: Node, given: list[Node]) -> list[Node]:
    """Return what has to hold for the claim and the assumptions to have values.

    An assumption that is a relation is met only where its quotients are integers.
    """
    found = [le(1, s) for s in _extents(claim)] + list(asked(claim))
    for part in (x for fact in given for x in _parts(fact)):
        alone = part.op in RELATIONS
        found += [f for f in asked(part) if not (alone and f.op == "divides")]
    return found


def facts(given: Node) -> Iterator[Node]:
    """Yield what an assumption says: its parts, and behind a relation that it has a value."""
    for part in _parts(given):
        yield from _opened(formula(part))
        if part.op in RELATIONS:
            yield from (f for f in asked(part) if f.op == "divides")


def _parts(fact: Node) -> Iterator[Node]:
    """Yield the parts of a conjunction."""
    fact = strip(fact)
    if fact.op == "and":
        for x in fact.args:
            yield from _parts(x)
    else:
        yield fact


def _opened(f: Node) -> Iterator[Node]:
    """Yield the parts of a conjunction, `not` pushed inwards; not even is the remainder 1."""
    f = negation(f.args[0]) if f.op == "not" else f
    if f.op == "and":
        for x in f.args:
            yield from _opened(x)
        return
    odd = None
    if f.op == "not" and f.args[0].op == "divides":
        odd = Node("mod", f.args[0].args[::-1])
    elif f.op == "ne" and f.args[1] == lit(0) and f.args[0].op == "mod":
        odd = f.args[0]
    yield Node("eq", (odd, lit(1))) if odd and number(odd.args[1]) == lit(2) else f


def _extents(node: Node, inside: bool = False) -> Iterator[Node]:
    """Yield the extents of the layouts in a tree that are no numbers, in the order written.

    `inside` an operation only what is written shape:stride is known to be a layout, and some
    arguments to be shapes.
    """
    if node.op == "layout":
        yield from _of_shape(node.args[0])
    name = node.args[0] if node.op == "call" else ""
    places = range(1, _LAYOUTS.get(name, 0) + 1)
    for k, x in enumerate(node.args):
        if isinstance(x, Node):
            bare = k in places or (node.op == "swizzled" and k == 4)
            bare = bare and not inside and strip(x).op not in ("layout", "swizzled")
            if bare or (k in _SHAPES.get(name, ()) and _is_shape(x)):
                yield from _of_shape(x)
            yield from _extents(x, inside or (node.op == "result" and k == 0))


def _is_shape(node: Node) -> bool:
    """Return whether a tree is made of tuples and expressions, without operations."""
    found = strip(node)
    if found.op not in _ARITHMETIC and not (found.op == "call" and found.args[0] in ATOMS):
        return False
    return all(_is_shape(x) for x in found.args if isinstance(x, Node))


def _of_shape(node: Node) -> Iterator[Node]:
    found = strip(node)
    if found.op == "tuple":
        for x in found.args:
            yield from _of_shape(x)
        return
    extent = text.leaf(node)
    if is_literal(extent) and extent.args[0] < 1:
        raise Refused(f"the extent {show(node)} is below 1")
    if not is_literal(extent):
        yield extent


def asked(node: Node) -> Iterator[Node]:
    """Yield what the operators in a tree ask for, operands first: quotients exact, divisors not 0.

    `x % c == 0` is a relation that asks for nothing itself; a conclusion asks under its premise.
    """
    if node.op == "implies" and is_relation(node.args[0]):
        yield from asked(node.args[0])
        for f in asked(node.args[1]):
            yield Node("implies", (formula(node.args[0]), f))
        return
    quoted = node.op == "call" and node.args[0] == "no_overflow" and node.args[1].op == "text"
    inner = remainder(node) or node.args
    if quoted:
        inner = (parse(node.args[1].args[0]), *node.args[2:])
    for x in inner:
        if isinstance(x, Node):
            yield from asked(x)
    op = node.args[0] if node.op == "call" else node.op
    if op == "div" or op in _ROUNDED:
        if node.op == "call" and len(node.args) != 3:
            raise Refused(f"{op} takes two numbers")
        a, b = (text.leaf(x) for x in node.args[-2:])
        if op == "div":
            yield divides(b, a)
        elif not is_literal(b) or b.args[0] == 0:
            yield Node("ne", (b, lit(0)))
