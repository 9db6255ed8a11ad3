"""The schemas, and how a document says which one it has.

A document says which form it has: `"schema": {"name": "symcute-prove", "version": 1}`. A version
grows when a reader of the one before would break. Certificates and evidence of machines have a
version of their own form; the lines of a batch and of a file of certificates say none, as each
says little.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from symcute.errors import InputError

__all__ = ["schema", "schema_names", "stamped"]

_FOLDER = Path(__file__).parent
_URN = "urn:symcute:schema:"
#: The forms that are not at their first version.
_VERSIONS = {"check": 3, "recheck": 2}
#: What other schemas are made of, and no document of its own.
_SHARED = "common"


def stamped(name: str, fields: Mapping[str, Any]) -> dict[str, Any]:
    """Return a document of the form `name`, which says so first.

    >>> stamped("eval", {"result": "8", "seconds": 0.0})["schema"]
    {'name': 'symcute-eval', 'version': 1}
    """
    return {"schema": {"name": f"symcute-{name}", "version": _VERSIONS.get(name, 1)}, **fields}


def schema_names() -> tuple[str, ...]:
    """Return the names of the forms, sorted.

    >>> "prove" in schema_names()
    True
    """
    return tuple(sorted({file.stem for file in _FOLDER.glob("*.json")} - {_SHARED}))


def schema(name: str) -> dict[str, Any]:
    """Return the schema of a form, whole: the schemas it refers to lie in it under `$defs`.

    Errors: InputError when there is none of that name.

    >>> schema("eval")["$id"]
    'urn:symcute:schema:eval'
    """
    if name not in schema_names():
        raise InputError(f"there is no schema {name!r}", f"there are {', '.join(schema_names())}")
    whole = _read(name)
    inside: dict[str, Any] = {}
    waiting = list(_others(whole))
    while waiting:
        other = waiting.pop()
        if other not in (name, *inside):
            inside[other] = _read(other)
            waiting += _others(inside[other])
    # Each keeps its $id, by which the references find it.
    return whole | ({"$defs": whole.get("$defs", {}) | inside} if inside else {})


def _read(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((_FOLDER / f"{name}.json").read_text("utf-8"))
    return found


def _others(value: Any) -> Iterator[str]:
    """Yield the names of the schemas that one refers to."""
    if isinstance(value, dict):
        target = value.get("$ref")
        if isinstance(target, str) and target.startswith(_URN):
            yield target.removeprefix(_URN).partition("#")[0]
        for inner in value.values():
            yield from _others(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _others(inner)
