"""Keys of the cache: they hold everything a verdict depends on, and nothing else.

A claim's key is made of its structure, the assumptions and the engine, so that theorems of any
name and file share verdicts. A file's key is made of its whole text; it stands for the claims in
it only if the text reaches nothing but itself, symcute and what is listed here.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable
from dataclasses import fields, is_dataclass
from functools import lru_cache
from typing import Any

import symcute
from symcute.expr.basis import ScaledBasis
from symcute.expr.leaf import Expression
from symcute.layout.layout import Layout
from symcute.prover.theorems import Theorem
from symcute.run.store import digest

__all__ = ["claim_key", "file_key", "self_contained", "structure", "theorem_key"]

#: Modules of the standard library that give the same in every run.
_CONSTANT_MODULES = frozenset(
    {
        "__future__",
        "collections",
        "collections.abc",
        "dataclasses",
        "fractions",
        "functools",
        "itertools",
        "math",
        "operator",
        "string",
        "textwrap",
        "typing",
    }
)
#: Of our own package a theorem file needs the public names, but for the one that asks what is
#: installed, and the decorator.
_OWN_NAMES = {
    "symcute": frozenset(symcute.__all__) - {"dsl_facts"},
    "symcute.prover.theorems": frozenset({"Theorem", "theorem"}),
}

#: Names by which a text reaches what is no part of it, or (sets) an order that changes from run to
#: run.
_DOORS = frozenset(
    {
        "breakpoint", "compile", "delattr", "eval", "exec", "frozenset", "getattr", "globals",
        "hash", "id", "input", "locals", "open", "set", "setattr", "vars",
    }
)  # fmt: skip


def file_key(engine: str, text: bytes) -> str:
    """Return the key of the list of theorems in a text."""
    return digest("file", engine, text)


def theorem_key(engine: str, text: bytes, name: str) -> str:
    """Return the key of what became of a theorem in a text."""
    return digest("theorem", engine, text, name)


def claim_key(engine: str, theorem: Theorem[Any], claim: Any) -> str | None:
    """Return the key of the verdict about a claim of a theorem, or None when there is none.

    There is none for a claim that is made of what this module does not know.
    """
    head = theorem.to_json()
    for told in ("name", "file", "line", "statement", "details", "expected", "source", "corrects"):
        # What is left over (the assumptions, and whatever else a theorem comes to ask for) counts.
        del head[told]
    try:
        # Its text has the operations in it, which are no part of what it says, but of its record.
        return digest("claim", engine, repr(sorted(head.items())), structure(claim), claim.text())
    except TypeError:
        return None


def structure(value: Any) -> str:
    """Return a text that two values share only if they are the same.

    Errors: TypeError for a value that is made of something unknown.

    >>> structure((1, "a"))
    "(1,'a',)"
    >>> structure(Layout((4, 8), (8, 1)))
    'Layout((4,8,),(8,1,))'
    """
    if value is None or isinstance(value, (bool, int, str)):
        return repr(value)
    if type(value) is tuple:
        return f"({_listed(value)})"
    if type(value) is Layout:
        return f"Layout({structure(value.shape)},{structure(value.stride)})"
    if type(value) is ScaledBasis:
        return f"ScaledBasis({structure(value.value)},{structure(value.modes)})"
    if is_dataclass(value) and not isinstance(value, type):
        kind = type(value)
        inner = _listed(getattr(value, f.name) for f in fields(value))
        return f"{kind.__module__}.{kind.__qualname__}({inner})"
    if type(value) is Expression:
        return f"Expression({value.op!r},{structure(value.args)})"
    raise TypeError(type(value).__name__)


def _listed(values: Iterable[Any]) -> str:
    return "".join(f"{structure(v)}," for v in values)


@lru_cache(maxsize=1024)
def self_contained(text: bytes) -> bool:
    """Return whether a theorem file reaches nothing but itself, symcute and constant modules.

    What it states is then the same in every run of one engine.

    >>> self_contained(b"from symcute import theorem"), self_contained(b"import random")
    (True, False)
    """
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError):
        return False
    return all(_inside(node) for node in ast.walk(tree))


def _inside(node: ast.AST) -> bool:
    match node:
        case ast.Import(names=names):
            return all(alias.name in _CONSTANT_MODULES for alias in names)
        case ast.ImportFrom(module=str(module), names=names, level=0) if module in _OWN_NAMES:
            return all(alias.name in _OWN_NAMES[module] for alias in names)
        case ast.ImportFrom(module=module, level=level):
            return level == 0 and module in _CONSTANT_MODULES
        case ast.Set() | ast.SetComp():
            return False
        case ast.Name(id=name):
            return name not in _DOORS and not _is_dunder(name)
        case ast.Attribute(attr=name):
            return not _is_dunder(name)
    return True


def _is_dunder(name: str) -> bool:
    return name.startswith("__") and name not in ("__name__", "__doc__")
