"""symcute proves properties of CuTe layouts and CUDA kernels, for all sizes at once.

Public names are loaded on first use, so that importing the package, and working with static
layouts, loads neither SymPy nor a solver. Their one list is `__init__.pyi`, which type checkers and
editors read as well. Here is only the standard library: the checker runs without any other.
"""

from __future__ import annotations

import importlib
from functools import cache
from pathlib import Path
from types import FunctionType
from typing import Any

__version__ = "0.1.0"

#: `_` in a coordinate or tiler: keep this mode.
_ = None


@cache
def _listed() -> dict[str, list[str]]:
    """Return the names that the stub takes from each module; `*` are all that it makes public."""
    import ast

    stub = ast.parse(Path(__file__).with_suffix(".pyi").read_text(encoding="utf-8"))
    imports = (node for node in stub.body if isinstance(node, ast.ImportFrom))
    return {f"symcute.{node.module}": [alias.name for alias in node.names] for node in imports}


def _names(home: str) -> list[str]:
    names = _listed()[home]
    return names if names != ["*"] else importlib.import_module(home).__all__


@cache
def _home_of(name: str) -> str | None:
    """Return the module that a public name is loaded from; None for what is not public."""
    if name.startswith("_"):
        return None
    # First what is listed by name: for that, nothing is imported.
    homes = sorted(_listed(), key=lambda home: _listed()[home] == ["*"])
    return next((home for home in homes if name in _names(home)), None)


def __getattr__(name: str) -> Any:
    if name == "__all__":
        return ["__version__", *(name for home in _listed() for name in _names(home))]
    home = _home_of(name)
    if home is None:
        raise AttributeError(f"module 'symcute' has no attribute {name!r}")
    try:
        value = getattr(importlib.import_module(home), name)
    except ModuleNotFoundError as error:
        # A library of an extra: the message has the command that brings it.
        raise importlib.import_module("symcute.errors").missing(error.name, name) or error from None
    if isinstance(value, FunctionType):
        value = importlib.import_module("symcute.expr.arguments").with_door(value)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__getattr__("__all__")})
