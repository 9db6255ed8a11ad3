"""Why an obligation of a proof holds, in a sentence: read from how its certificate settles it.

The polynomials in the sentences are worked out here from the way that the certificate names.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from symcute.checker.poly import Poly
from symcute.checker.settle import Place, Settler, Way, branches, conjuncts, disjuncts
from symcute.checker.terms import Node, Refused, formula, lit, negation, show

__all__ = ["items", "tidy"]

#: The longest polynomial that is written out.
_LONG = 100


def items(f: Node, by: Any, place: Place, settler: Settler) -> Iterator[dict[str, str]]:
    """Yield what is to be shown, a conjunction part by part, each with why it holds.

    A difference is written in the parameters of a way, which are at least 0; its coefficients are
    so too.

    Errors: Refused when the proof does not fit what it is said to prove.
    """
    if by[0] == "and" == f.op:
        for part, inner in zip(f.args, by[1], strict=True):
            yield from items(part, inner, place, settler)
    else:
        yield {"shows": show(tidy(f)), "because": _because(f, by, place, settler)}


def _because(f: Node, by: Any, place: Place, settler: Settler) -> str:
    kind, *rest = by
    if kind == "sum" and not any(rest[1:]):
        return _sign(f, settler.way(rest[0], place)) + _named(rest[0], settler)
    if kind == "sum" and f.op in ("eq", "divides"):
        return f"what is 0 taken off, both sides are the same{_named(rest[0], settler)}"
    if kind == "sum":
        way = settler.way(rest[0], place)
        used = dict.fromkeys(_factor(x, way) for _, factors in rest[1] for x in factors)
        listed = ", ".join([*used, "terms that are never negative"])
        return f"the difference is above -1, a sum of {listed}{_named(rest[0], settler)}"
    if kind == "given":
        return f"assumed: {show(tidy(place.facts[rest[0]]))}"
    if kind == "solver":
        return f"{rest[0]} {rest[1]} answered that it cannot fail"
    return _compound(f, kind, rest, place, settler)


def _compound(f: Node, kind: str, rest: list[Any], place: Place, settler: Settler) -> str:
    """Return why, for what is proved by other proofs."""
    if kind == "and":
        parts = conjuncts(f) or ()
        sides = [(x, _because(x, b, place, settler)) for x, b in zip(parts, rest[0], strict=True)]
        if f.op == "and":
            return "; ".join(f"{show(tidy(x))}: {why}" for x, why in sides)
        whys = "; ".join(why for _, why in sides)
        return whys if len(sides) == 1 else f"from both sides: {whys}"
    if kind == "or":
        part = (disjuncts(f) or ())[rest[0]]
        return f"since {show(tidy(part))}: {_because(part, rest[1], place, settler)}"
    if kind == "implies":
        inside = place.plus(f.args[0])
        return f"where the premise holds, {_because(f.args[1], rest[0], inside, settler)}"
    if kind == "absurd":
        inside = place.plus(negation(f))
        why = _because(Node("le", (lit(1), lit(0))), rest[0], inside, settler)
        return f"were it false, 1 <= 0 would follow: {why}"
    if kind == "powers":
        a, b = f.args
        below = _because(Node("lt", (a, b + b)), rest[0], place, settler)
        return f"powers of two, {show(a)} less than twice {show(b)}: {below}"
    if kind == "classes":
        facts = " and ".join(show(tidy(place.facts[k])) for k in rest[0])
        return "in each class of residues" + (f" with {facts}" if facts else "")
    if kind == "cut":
        between = formula(rest[0])
        first = _because(between, rest[1], place, settler)
        then = _because(f, rest[2], place.plus(between), settler)
        return f"first {show(tidy(between))}: {first}; with it, {then}"
    if kind == "follows":
        return "from what was shown"
    if kind not in ("case", "either"):
        raise Refused(f"{kind!r} is told of nowhere")
    return "; ".join(
        f"where {show(tidy(inside.facts[-1]))}: {_because(f, inner, inside, settler)}"
        for inner, inside in branches([kind, *rest], place)
    )


def _named(number: int, settler: Settler) -> str:
    """Return which way is meant, where there are several."""
    several = sum(map(bool, settler.definitions)) > 1
    return f" (way {number + 1})" if several and settler.definitions[number] else ""


def _sign(f: Node, way: Way) -> str:
    """Return what a relation comes to once the dims are written in parameters."""
    if f.op == "divides":
        return "the division leaves no rest"
    gap = way.gap(f)
    if not gap:
        return "both sides are the same polynomial"
    text = _polynomial(gap)
    if len(text) > _LONG or "@" in text:
        return "the difference has no negative coefficient"
    return f"the difference is {text}" + (" more than 1" if f.op == "lt" else "")


def _polynomial(p: Poly) -> str:
    """Return a polynomial as text, its highest terms first.

    >>> _polynomial({(("M'", 1), ("N'", 2)): 2, (("M'", 1),): -1, (): 3})
    "2*M'*N'**2 - M' + 3"
    """
    found = ""
    for m, c in sorted(p.items(), key=lambda item: (-sum(e for _, e in item[0]), item[0])):
        factors = [v if e == 1 else f"{v}**{e}" for v, e in m]
        size = abs(c)
        term = "*".join(([str(size)] if size != 1 or not m else []) + factors)
        sign = (" - " if c < 0 else " + ") if found else ("-" if c < 0 else "")
        found += sign + term
    return found or "0"


def _factor(key: Any, way: Way) -> str:
    """Return something that is at least 0, in words."""
    if isinstance(key, int):
        return f"the assumption {show(tidy(way.place.facts[key]))}"
    return key if key[-1] == "'" else show(tidy(way.facts[key]))


def tidy(node: Node) -> Node:
    """Return a tree without the sums with 0 and the products with 1 that putting together leaves.

    >>> one = lit(1)
    >>> show(tidy(Node("le", (lit(0), (Node("dim", ("M",)) - 1) * one - (lit(0) + 0)))))
    '0 <= M - 1'
    """
    if node.op in ("int", "dim", "text"):
        return node
    args = tuple(tidy(x) if isinstance(x, Node) else x for x in node.args)
    zero, one = lit(0), lit(1)
    if node.op in ("add", "sub"):
        a, b = args
        if a.op == b.op == "int":
            return lit(a.args[0] + b.args[0] if node.op == "add" else a.args[0] - b.args[0])
        if b == zero or (node.op == "add" and a == zero):
            return a if b == zero else b
    if node.op == "mul":
        a, b = args
        if a.op == b.op == "int":
            return lit(a.args[0] * b.args[0])
        if zero in args:
            return zero
        if one in args:
            return b if a == one else a
    return Node(node.op, args)
