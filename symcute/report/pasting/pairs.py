"""Refutations of claims about maps that agree, images that meet or miss, and shapes."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from symcute import claims as c
from symcute.claims.maps import Agree
from symcute.layout.layout import Layout
from symcute.report.pasting.call import Call, Writer, at, ints, places
from symcute.report.pasting.offsets import growing

__all__ = ["agree", "complement", "covers", "meeting", "same_image", "same_map", "shapes"]


def same_map(left: str, right: str, **named: str) -> Writer:
    """Return a writer for `left(i) == right(i)`; each letter stands for the layout of a field."""

    def write(claim: Any, text: str) -> Call | None:
        values = {name: getattr(claim, field) for name, field in named.items()}
        found = re.match(r"at i = (\d+),", text)
        if found:
            i = int(found[1])
            (a, x), (b, y) = (_chained(chain, values, i) for chain in (left, right))
            return None if x == y else Call(values, f"{a} == {b}", f"{x} != {y}")
        if not left or not right:
            return None
        a, b = left[-1], right[-1]
        x, y = values[a].size(), values[b].size()
        return None if x == y else Call(values, f"{a}.size() == {b}.size()", f"{x} != {y}")

    return write


def _chained(chain: str, values: Mapping[str, Any], i: int) -> tuple[str, Any]:
    text, value = str(i), i
    for name in reversed(chain):
        text, value = f"{name}({text})", values[name](value)
    return text, value


def agree(claim: Agree, text: str) -> Call | None:
    """Return two chains of layouts that differ, each under a letter of its own."""
    names: dict[Layout, str] = {}
    for layout in (*claim.left, *claim.right):
        names.setdefault(layout, "ABCDEFGH"[len(names)])
    left, right = ("".join(names[x] for x in chain) for chain in (claim.left, claim.right))
    found = re.match(r"at i = (\d+),", text)
    values = {name: layout for layout, name in names.items()}
    if not found:
        return None
    (a, x), (b, y) = (_chained(chain, values, int(found[1])) for chain in (left, right))
    return None if x == y else Call(values, f"{a} == {b}", f"{x} != {y}")


def meeting(claim: Any, text: str) -> Call | None:
    """Return a coordinate of each layout with the same offset."""
    found, shift = places(text), getattr(claim, "shift", 0)
    if len(found) != 2:
        return None
    (a, x), (b, y) = at(claim.left, found[0]), at(claim.right, found[1])
    added = f"{shift} + B({b})" if shift else f"B({b})"
    if x != shift + y:
        return None
    values = {"A": claim.left, "B": claim.right}
    return Call(values, f"A({a}) != {added}", f"{x} == {shift + y}")


def same_image(claim: c.SameImage, text: str) -> Call | None:
    """Return an offset that the other layout has not."""
    values = {"A": claim.left, "B": claim.right}
    one, other = ("A", "B") if text.startswith(f"{claim.left} at ") else ("B", "A")
    found = places(text)
    if len(found) != 1 or claim.brute() is None:
        return None
    a, x = at(values[one], found[0])
    reached = f"{{{other}(i) for i in range({other}.size())}}"
    return Call(values, f"{one}({a}) in {reached}", f"{x} is no offset of {other}")


def covers(claim: c.Covers, text: str) -> Call | None:
    """Return a number that is no offset."""
    if "is no offset of" not in text or not text.endswith(f" {claim.layout}"):
        return None
    if claim.brute() is None:
        return None
    m = ints(text)[0]
    reached = "{L(i) for i in range(L.size())}"
    return Call({"L": claim.layout}, f"{m} in {reached}", f"{m} is no offset of L")


def complement(claim: c.Complement, text: str) -> Call | None:
    """Return a step of the complement that does not go up."""
    return None if " at " in text else growing(claim.complement, 1, "B")


def shapes(claim: Any, text: str) -> Call | None:
    """Return the shapes that are not compatible."""
    a, b = (x.shape if isinstance(x, Layout) else x for x in (claim.left, claim.right))
    pair = f"{a!r}, {b!r}" if isinstance(claim, c.Compatible) else f"{b!r}, {a!r}"
    return Call({}, f"compatible({pair})", "it is False")
