"""The lemmas of claims that others join: which of some is true, and by what one is not."""

from __future__ import annotations

from typing import Any

from symcute.checker.primitive import Primitive
from symcute.checker.settle import number
from symcute.checker.swizzle import PLAIN
from symcute.checker.terms import Modes, Node, Refused, eq, le, lit, total


def one(hint: Any, claim: Primitive) -> tuple[list[Node], dict[str, Primitive]]:
    """One of the claims is true."""
    return [], {"rest": claim.body[number(hint.get("which"), len(claim.body))]}


def witness(hint: Any, claim: Primitive) -> tuple[list[Node], dict[str, Primitive]]:
    """A coordinate that the guards admit whose offset is out of bounds; or two that differ, with
    one offset; or, against the equality of two layouts, of the first of which all indices are
    meant, coordinates of both with the same index and different offsets."""
    [denied] = claim.body
    if denied.swizzle != PLAIN or denied.body not in (None, PLAIN):
        raise Refused("there is no witness against what is swizzled")
    first, *others = denied.layouts
    if denied.kind == "agree" and (denied.split != 1 or others[1:] != [first]):
        raise Refused("there is no witness against a chain of layouts")
    sides = {"injective": [first, first], "in_bounds": [first], "agree": [first, *others[:1]]}
    found, points = list[Node](), []
    for key, layout in zip(("at", "other"), sides.get(denied.kind, []), strict=False):
        points.append(hint.leaves(key, len(layout)))
        for c, (s, _) in zip(points[-1], layout, strict=True):
            found += [le(0, c), le(c + 1, s)]
        found += [Node("lt", (_offset(g, points[-1]), m)) for g, m in denied.guards]
    offsets = [_offset(m, crd) for m, crd in zip(sides.get(denied.kind, []), points, strict=True)]
    if denied.kind == "in_bounds":
        x = denied.offset + offsets[0]
        found.append(Node("or", (Node("lt", (x, lit(0))), le(denied.leaf, x))))
    elif denied.kind == "injective":
        differ = (Node("ne", pair) for pair in zip(*points, strict=True))
        found += [eq(*offsets), Node("or", tuple(differ))]
    elif denied.kind == "agree":
        indices = (_index(m, crd) for m, crd in zip(sides["agree"], points, strict=True))
        values = (x + y for x, y in zip((denied.offset, denied.leaf), offsets, strict=True))
        found += [eq(*indices), Node("ne", tuple(values))]
    else:
        raise Refused(f"there is no witness against {denied.kind}")
    return found, {}


def _offset(layout: Modes, crd: list[Node]) -> Node:
    return total(c * d for c, (_, d) in zip(crd, layout, strict=True))


def _index(layout: Modes, crd: list[Node]) -> Node:
    """Return the index of a coordinate: the first mode moves the fastest."""
    found, size = lit(0), lit(1)
    for c, (s, _) in zip(crd, layout, strict=True):
        found, size = found + c * size, size * s
    return found
