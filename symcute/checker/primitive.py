"""Primitive claims: what a certificate proves, read from data."""

from __future__ import annotations

from dataclasses import dataclass, fields
from math import prod
from typing import Any, TypeAlias

from symcute.checker.swizzle import PLAIN, Fields, fields_of
from symcute.checker.terms import (
    MAX_MODES,
    Modes,
    Node,
    Refused,
    asked,
    every,
    formula,
    listed,
    lit,
    number,
    term,
)  # fmt: skip

ZERO = lit(0)
#: Shared memory has 32 banks of 32 bits; a warp has 32 lanes.
WARP = 32
Guards: TypeAlias = tuple[tuple[Modes, Node], ...]


@dataclass(frozen=True)
class Requests:
    """How the requests through a layout are served, and between which numbers each phase costs.

    Lanes are served in phases of `together`; memory is cut into units of `unit` bits, which lie in
    `places` round robin; a phase costs the most different units it needs of one place. `lanes` is
    the number of modes that are the lanes, whose accesses are no wider than a unit. With `pairs`
    two neighbouring phases also cost together what is said, where the lanes n and n^1 go to one
    address throughout the warp, or n and n^2 do.
    """

    element: int
    width: int
    lanes: int
    unit: int
    places: int
    together: int
    most: int
    least: int
    pairs: bool


@dataclass(frozen=True)
class Primitive:
    """Its kind: injective, in_bounds, covers, disjoint, apart, same_image, agree, holds, printed,
    requests, vectors, either or denied.

    `layouts` are what it speaks of, `leaf` a bound or a shift, `guards` pairs (G, M) that admit the
    coordinates c with G(c) < M, `body` a formula. `in_bounds` says it of swizzle(offset + layout).
    For `agree` the layouts are those of the left chain, of the right chain, and the domain; `split`
    is the left's length: swizzle(offset + left) is what the swizzle `body` makes of `leaf` + right.
    `requests` are those of the layout swizzled likewise, `leaf` added behind, and `body` says how
    memory serves them; `vectors` says that with `leaf` added behind each `split` elements are
    contiguous and aligned. `either` says that one of the claims of `body` is true, `denied` that
    the one there is false.
    """

    kind: str
    layouts: tuple[Modes, ...] = ()
    leaf: Node = ZERO
    guards: Guards = ()
    body: Any = None
    split: int = 0
    swizzle: Fields = PLAIN
    offset: Node = ZERO

    def leaves(self) -> list[Node]:
        """Return its terms and formulas: the extents and strides of its layouts are among them."""
        layouts = [*self.layouts, *(g for g, _ in self.guards)]
        found = [x for m in layouts for pair in m for x in pair] + [m for _, m in self.guards]
        found += [self.leaf, self.offset, *([self.body] if isinstance(self.body, Node) else [])]
        return found + [x for claim in self.joined() for x in claim.leaves()]

    def joined(self) -> tuple[Primitive, ...]:
        """Return the claims that it joins."""
        return self.body if self.kind in JOINED else ()

    def conditions(self) -> list[Node]:
        """Return what it asks for: extents of at least 1, terms that have values."""
        found = [Node("le", (lit(1), s)) for m in (*self.layouts, *(g for g, _ in self.guards))
                 for s, _ in m if s.op != "int" or s.args[0] < 1]  # fmt: skip
        found += [f for claim in self.joined() for f in claim.conditions()]
        return found + [f for x in self.leaves() for f in asked(x)]


#: What joins other claims, and those that cannot be denied: no witness is known, or a denial is
#: written otherwise.
JOINED = ("either", "denied")
UNDENIED = ("holds", "printed", "requests", *JOINED)
#: How many layouts there are, and what it has beside them. Of `agree` there are at least two.
_KINDS: dict[str, tuple[int, tuple[str, ...]]] = {
    "injective": (1, ("guards",)), "in_bounds": (1, ("leaf", "guards", "swizzle", "offset")),
    "covers": (1, ("leaf",)), "disjoint": (2, ()), "apart": (2, ("leaf",)), "same_image": (2, ()),
    "agree": (0, ("split", "leaf", "body", "swizzle", "offset")),
    "holds": (0, ("body",)), "printed": (0, ("body",)),
    "requests": (1, ("leaf", "body", "swizzle", "offset")),
    "vectors": (1, ("leaf", "split", "swizzle", "offset")),
    **dict.fromkeys(JOINED, (0, ("body",))),
}  # fmt: skip


def primitive(item: Any) -> Primitive:
    """Return the primitive claim that data is; what is left out is 0, or nothing."""
    kind = item.get("kind") if type(item) is dict else None
    if type(kind) is not str or kind not in _KINDS:
        raise Refused(f"{str(item)[:40]} is no primitive claim")
    count, beside = _KINDS[kind]
    if not item.keys() <= {"kind", "layouts", *beside}:
        raise Refused(f"a primitive claim {kind} has other keys")
    guards = [listed(x, object, object) for x in every(item.get("guards", []))]
    found = Primitive(
        kind, tuple(map(_modes, every(item.get("layouts", [])))), term(item.get("leaf", 0)),
        tuple((_modes(g), term(m)) for g, m in guards), _body(kind, item.get("body")),
        number(item.get("split", 0), 1 << 30), fields_of(item.get("swizzle", [*PLAIN])),
        term(item.get("offset", 0)),
    )  # fmt: skip
    layouts = found.layouts
    if len(layouts) != count if kind != "agree" else not found.split < len(layouts):
        raise Refused(f"a primitive claim {kind} with {len(layouts)} layouts")
    whole = all(len(g) == len(layouts[0]) for g, _ in found.guards)
    whole = whole and (kind != "vectors" or found.split >= 1)
    if kind == "requests":
        lanes = [s.args[0] if s.op == "int" else 0 for s, _ in layouts[0][: found.body.lanes]]
        whole = whole and len(lanes) == found.body.lanes and min(lanes, default=0) >= 1
        whole = whole and prod(lanes) <= WARP
    if not whole:
        raise Refused(f"a primitive claim {kind} that is not whole")
    return found


def _modes(item: Any) -> Modes:
    if len(every(item)) > MAX_MODES:
        raise Refused(f"more than {MAX_MODES} modes")
    return tuple((term(s), term(d)) for s, d in (listed(x, object, object) for x in item))


def _body(kind: str, item: Any) -> Any:
    if kind == "holds":
        return formula(item)
    if kind == "printed":
        return listed([item], str)[0]
    if kind == "agree":
        return PLAIN if item is None else fields_of(item)
    if kind in JOINED:
        claims = tuple(map(primitive, every(item)))
        if not claims or (kind == "denied" and (len(claims) > 1 or claims[0].kind in UNDENIED)):
            raise Refused(f"{kind} of what it cannot be said of")
        return claims
    if kind != "requests":
        return None
    service = Requests(*listed(item, *[int] * (len(fields(Requests)) - 1), bool))
    for x in item[:-1]:
        number(x, 1 << 30)
    powers = (service.element, service.width, service.unit, service.places, service.together)
    if any(x < 1 or x & (x - 1) for x in powers) or service.element > service.width > 1 << 10 \
            or service.width > service.unit:  # fmt: skip
        raise Refused("a service of requests whose numbers are no powers of two that fit")
    return service
