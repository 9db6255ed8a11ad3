"""What a certificate states: its claim and assumptions as they were written, and what they ask."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import astuple, dataclass, field, fields
from typing import Any

from symcute.checker.primitive import Primitive, Requests
from symcute.checker.settle import Place
from symcute.checker.terms import ATOMS, Node, Refused, data, eq, listed, lit
from symcute.recheck import printing
from symcute.recheck.bits import BITS
from symcute.recheck.claims import CLAIMS, primitives
from symcute.recheck.definedness import conditions, facts
from symcute.recheck.forms import congruent, flat, htuple
from symcute.recheck.operations import again_of
from symcute.recheck.parametrisation import Parametrisation, constant_bounds
from symcute.recheck.text import names, parse, show

#: Calls that are no operations of the algebra.
_PLAIN = (*ATOMS, *CLAIMS, "where", "access", "prints_as", "pow2")


@dataclass
class Statement:
    """A claim under assumptions: its parts, what has to hold for it to have a value, and where.

    `operations` are the names of those whose results are taken from the certificate, `printed` is
    what a value is said to print as.
    """

    claim: str
    given: list[Node]
    parts: list[Primitive]
    asked: list[Node]
    place: Place
    operations: set[str] = field(default_factory=set)
    printed: str = ""

    @property
    def trusted(self) -> set[str]:
        """What has to be believed of the results of operations."""
        names = ", ".join(sorted(self.operations))
        return {f"the layout algebra ({names})"} if names else set()

    def data(self) -> dict[str, Any]:
        """Return what there is to prove, as certificates have it."""
        return {
            "dims": dict(sorted(self.place.bounds.items())),
            "given": list(map(data, self.place.facts)),
            "defined": list(map(data, self.asked)),
            "parts": list(map(plain, self.parts)),
        }

    def __str__(self) -> str:
        """Return the statement with the bounds of its dims."""
        bounds = [f"{n} >= {c}" for n, c in sorted(self.place.bounds.items())]
        found = self.claim + (f" for all integers {', '.join(bounds)}" if bounds else "")
        return found + (f" with {'; '.join(map(show, self.given))}" if self.given else "")


def plain(claim: Primitive) -> dict[str, Any]:
    """Return a primitive claim as data: its kind, and what is not 0 or nothing."""
    found = {f.name: _plain(getattr(claim, f.name)) for f in fields(claim)}
    return {k: v for k, v in found.items() if v not in (0, [], None, [0, 0, 0])}


def _plain(item: Any) -> Any:
    if isinstance(item, Node):
        return data(item)
    if isinstance(item, Requests):
        return list(astuple(item))
    if isinstance(item, Primitive):
        return plain(item)
    return [_plain(x) for x in item] if isinstance(item, tuple) else item


def read(claim: Any, given: list[str], operations: list[Any]) -> Statement:
    """Return what the texts state; each operation has its result, and none is idle.

    An operation is a call that the algebra computes: its text, and that of its result.
    """
    pairs = [listed(x, str, str) for x in operations]
    known, used, prints = dict[Node, Node](), set[Node](), ""
    printed = type(claim) is str and claim.startswith("prints_as(")
    if printed:
        tree, said = lit(0), claim
        parts = [Primitive("printed", body=claim)]
        if pairs:
            [[value, prints]] = pairs if len(pairs) == 1 else [["", ""]]
            if value != printing.said(claim)[0]:
                raise Refused("what is printed is not the value of the claim")
            used = {parse(value)}
    else:
        known = {parse(call): parse(result) for call, result in pairs}
        written = parse(claim)
        tree, said = _done(written, known, used), show(written)
        parts = primitives(tree)
    assumed = [parse(text) for text in given]
    place = Place({}, [f for x in assumed for f in facts(x)])
    for fact in place.facts:
        for name, bound in constant_bounds(fact):
            place.bounds[name] = max(bound, place.bounds.get(name, bound))
    for x in (tree, *assumed):
        place.bounds.update({n: 1 for n in names(x) if n not in place.bounds})
    if not printed and (used != set(known) or len(known) < len(pairs)):
        raise Refused("an operation does not stand in the claim")
    done = {name for call in used for name in _trusted(call, known.get(call), place)}
    asked = [] if printed else conditions(tree, assumed)
    return Statement(said, assumed, parts, asked, place, done, prints)


def _done(node: Node, known: dict[Node, Node], used: set[Node]) -> Node:
    """Return a tree with the results of its operations, whose operands stay as they are written."""
    if _is_operation(node) and node in known:
        used.add(node)
        return Node("result", (node, known[node]))
    return Node(node.op, tuple(_done(x, known, used) if isinstance(x, Node) else x
                               for x in node.args))  # fmt: skip


def _is_operation(node: Node) -> bool:
    called = node.op == "call" and node.args[0] not in _PLAIN
    return called or node.op in ("apply", "swizzled")


def _trusted(call: Node, result: Node | None, place: Place) -> list[str]:
    """Return the operations in a call; none where it is worked out here."""
    found = list(_operations(call))
    if result is None:  # a value that prints
        return found
    if call.op == "swizzled":
        return ["composition", *found]
    alone = len(found) == 1 or set(found) <= {*BITS}
    again = again_of(call, place) if alone else None
    if again is None:
        return found
    if not _same(again, htuple(result)):
        raise Refused(f"{show(call)} is not {show(result)}")
    return []


def _same(a: Any, b: Any) -> bool:
    """Return whether tuples have equal leaves."""
    way = Parametrisation(Place({}, []))
    pairs = zip(flat(a), flat(b), strict=True) if congruent(a, b) else [(lit(0), lit(1))]
    return not any(way.gap(eq(x, y)) for x, y in pairs)


def _operations(node: Node) -> Iterator[str]:
    """Yield the names of the operations in a tree."""
    if _is_operation(node) and node.op != "swizzled":
        yield node.args[0] if node.op == "call" else "evaluation"
    for x in node.args:
        if isinstance(x, Node):
            yield from _operations(x)
