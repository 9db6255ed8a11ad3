"""What a pasted refutation consists of, and how it is written as Python."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from symcute.expr.htuple import unflatten
from symcute.hardware.access import Access
from symcute.layout.layout import Layout
from symcute.layout.swizzle import ComposedLayout

__all__ = ["Call", "Writer", "at", "ints", "lines", "places", "python"]

#: What lines import from the package, where they use it.
_NAMES = ("Access", "ComposedLayout", "Layout", "Swizzle", "check", "compatible", "evaluate")


@dataclass(frozen=True)
class Call:
    """Values by name, lines that follow from them, a condition that is false, what it comes to."""

    values: Mapping[str, Any]
    condition: str
    outcome: str
    before: tuple[str, ...] = ()
    imports: tuple[str, ...] = ()


#: Takes a claim without dims and the text of what is wrong with it; None where that is another's.
Writer: TypeAlias = Callable[[Any, str], Call | None]


def lines(call: Call) -> list[str]:
    """Return a call as lines: imports, values, and the assertion with what it comes to."""
    body = _assigned(call.values)
    body += [*call.before, f"assert {call.condition}  # {call.outcome}"]
    used = [name for name in _NAMES if any(f"{name}(" in line for line in body)]
    imports = [f"from symcute import {', '.join(used)}"] if used else []
    return [*imports, *call.imports, *body]


def _assigned(values: Mapping[str, Any]) -> list[str]:
    """Return the values by their names: numbers in one line."""
    if values and all(isinstance(x, int) for x in values.values()):
        return [f"{', '.join(values)} = {', '.join(map(str, values.values()))}"]
    return [f"{name} = {python(value)}" for name, value in values.items()]


def python(value: Any) -> str:
    """Return a layout, an access or an htuple of numbers as Python.

    >>> python(Layout((4, 8), (8, 1)))
    'Layout((4, 8), (8, 1))'
    """
    if isinstance(value, Layout):
        return f"Layout({value.shape!r}, {value.stride!r})"
    if isinstance(value, ComposedLayout):
        sw = value.swizzle
        swizzle = f"Swizzle({sw.bits}, {sw.base}, {sw.shift})"
        return f"ComposedLayout({swizzle}, {value.offset!r}, {python(value.layout)})"
    if isinstance(value, Access):
        widths = f"{value.element_bits}, {value.width}"
        base = "" if value.base == 0 else f", {value.base!r}"
        return f"Access({python(value.layout)}, {widths}{base})"
    return repr(value)


def ints(text: str) -> tuple[int, ...]:
    """Return the numbers in a text."""
    return tuple(map(int, re.findall(r"-?\d+", text)))


def places(text: str) -> list[tuple[int, ...]]:
    """Return the coordinates behind each ` at ` in a text."""
    return [ints(x) for x in re.findall(r" at (\S+)", text)]


def at(layout: Any, flat: tuple[int, ...]) -> tuple[str, Any]:
    """Return the arguments of a call at a flat coordinate, and the offset there."""
    crd = unflatten(flat, layout.shape)
    inside = ", ".join(map(repr, crd)) if isinstance(crd, tuple) else repr(crd)
    return inside, layout(crd)
