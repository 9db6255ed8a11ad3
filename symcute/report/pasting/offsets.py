"""Refutations of claims about the offsets of one layout."""

from __future__ import annotations

import re
from typing import Any

from symcute import claims as c
from symcute.layout.layout import Layout
from symcute.layout.swizzle import ComposedLayout
from symcute.report.pasting.call import Call, at, ints

__all__ = ["aligned", "growing", "in_bounds", "injective", "no_overflow", "vectorizable"]


def injective(claim: c.Injective, text: str) -> Call | None:
    """Return two coordinates that share an offset."""
    if isinstance(claim.layout, ComposedLayout) or text.count(" = ") < 3:
        return None
    one, other = map(ints, text.split(" = ")[:2])
    (a, x), (b, y) = at(claim.layout, one), at(claim.layout, other)
    if x != y or one == other:
        return None
    values, true = _guards(claim, [one, other])
    return Call({"L": claim.layout, **values}, f"L({a}) != L({b})", f"{x} == {y}", true)


def _guards(claim: Any, flats: list[tuple[int, ...]]) -> tuple[dict[str, Any], tuple[str, ...]]:
    """Return the guards by name, and lines that say that they let coordinates through."""
    values, true = {}, []
    for k, (guard, bound) in enumerate(claim.where):
        name = "L" if guard == claim.layout else f"G{k}"
        values[name] = guard
        true += [f"assert {name}({at(guard, flat)[0]}) < {bound}" for flat in flats]
    return values, tuple(true)


def in_bounds(claim: Any, text: str) -> Call | None:
    """Return a coordinate whose offset lies outside."""
    if "outside [" not in text or " in L = " not in text:
        return None
    flat = ints(text.split(" = ")[0])
    a, x = at(claim.layout, flat)
    if 0 <= x < claim.bound:
        return None
    values, true = _guards(claim, [flat])
    outcome = f"{x} < 0" if x < 0 else f"{x} >= {claim.bound}"
    return Call({"L": claim.layout, **values}, f"0 <= L({a}) < {claim.bound}", outcome, true)


def aligned(claim: c.Aligned, text: str) -> Call | None:
    """Return a coordinate whose offset is no multiple."""
    for k, (s, d) in enumerate(claim.layout.modes()):
        if s > 1 and claim.n >= 1 and d % claim.n:
            a, x = at(claim.layout, _unit(claim.layout, k))
            outcome = f"{x} % {claim.n} == {x % claim.n}"
            return Call({"L": claim.layout}, f"L({a}) % {claim.n} == 0", outcome)
    return None


def _unit(layout: Layout, mode: int) -> tuple[int, ...]:
    return tuple(int(k == mode) for k in range(len(layout.modes())))


def growing(layout: Layout, least: int, name: str = "L") -> Call | None:
    """Return the first step from an index to the next that grows by less than `least`."""
    index, values = 1, {name: layout}
    for s, _ in layout.modes():
        if s > 1 and layout(index) - layout(index - 1) < least:
            sign, other = ("<", ">=") if least else ("<=", ">")
            outcome = f"{layout(index - 1)} {other} {layout(index)}"
            return Call(values, f"{name}({index - 1}) {sign} {name}({index})", outcome)
        index *= int(s)
    return None


def no_overflow(claim: c.NoOverflow, text: str) -> Call | None:
    """Return the coordinate whose offset is farthest from 0, for layouts."""
    layout, limit = claim.expression, 1 << (claim.bits - 1)
    if not isinstance(layout, Layout):
        return None
    for sign in (1, -1):
        far = tuple((int(s) - 1) * (sign * int(d) > 0) for s, d in layout.modes())
        a, x = at(layout, far)
        if not -limit <= x < limit:
            outcome = f"{x} >= {limit}" if sign > 0 else f"{x} < {-limit}"
            return Call({"L": layout}, f"{-limit} <= L({a}) < {limit}", outcome)
    return None


def vectorizable(claim: c.Vectorizable, text: str) -> Call | None:
    """Return a vector that is none."""
    layout, v, base, values = claim.layout, claim.length, claim.base, {"L": claim.layout}
    size = layout.size()
    if size % v:
        return Call(values, f"L.size() % {v} == 0", f"{size} % {v} == {size % v}")
    found = [int(x) for x in re.findall(r"L\((\d+)\)", text)]
    if len(found) == 1 and (base + layout(found[0])) % v:
        start = base + layout(found[0])
        added = f"({base} + L({found[0]}))" if base else f"L({found[0]})"
        return Call(values, f"{added} % {v} == 0", f"{start} % {v} == {start % v}")
    if len(found) == 2 and layout(found[1]) != layout(found[0]) + found[1] - found[0]:
        i, j = found
        outcome = f"{layout(j)} != {layout(i)} + {j - i}"
        return Call(values, f"L({j}) == L({i}) + {j - i}", outcome)
    return None
