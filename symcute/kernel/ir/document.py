"""Programs as JSON, and back; what is read is verified."""

from __future__ import annotations

import dataclasses
from typing import Any

from symcute.kernel.ir.program import Kernel
from symcute.kernel.ir.rules import RULES
from symcute.kernel.ir.verify import IllFormed, verified

__all__ = ["from_json", "to_json"]

_CLASSES: dict[str, Any] = {kind.__name__: kind for kind in RULES}
_FIELDS = {name: [f.name for f in dataclasses.fields(c)] for name, c in _CLASSES.items()}


def to_json(value: Any) -> Any:
    """Return a kernel, or any part of one, as lists, numbers and text.

    >>> from symcute.kernel.ir.program import Int
    >>> to_json(Int(32, True))
    ['Int', 32, True]
    >>> from_json(to_json((Int(32, True), None))) == (Int(32, True), None)
    True
    """
    if isinstance(value, tuple):
        return ["", *map(to_json, value)]
    name = type(value).__name__
    if name in _FIELDS:
        return [name, *(to_json(getattr(value, f)) for f in _FIELDS[name])]
    return value


def from_json(value: Any) -> Any:
    """Return what `to_json` wrote.

    Errors: IllFormed for a kernel that breaks a rule, or what `to_json` does not write.
    """
    if not isinstance(value, list):
        return value
    head, *parts = value
    inner = [from_json(p) for p in parts]
    if not head:
        return tuple(inner)
    if len(inner) != len(_FIELDS.get(head, ())):
        raise IllFormed("a class of programs has its fields", str(head), None)
    found = _CLASSES[head](*inner)
    return verified(found) if isinstance(found, Kernel) else found
