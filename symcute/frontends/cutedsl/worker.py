"""A process that imports a user's file, and has CuTe DSL trace one of its host functions.

What the file imports must be there. Importing a file runs it.
"""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from symcute.errors import SymcuteError
from symcute.frontends.cutedsl.tracing import traced
from symcute.frontends.importing import imported, place_in, said_by
from symcute.processes.serving import serve

__all__ = ["main"]


def main() -> None:
    """Greet, then answer requests for modules; the architecture is the first argument."""
    os.environ["CUTE_DSL_ARCH"] = sys.argv[1]
    warnings.simplefilter("ignore")
    serve({}, _answer)


def _answer(request: dict[str, Any]) -> dict[str, Any]:
    path = request["file"]
    try:
        module = imported(Path(path).resolve())
    except BaseException as error:
        return {
            "error": f"it does not import: {said_by(error)}",
            "fix": "does the file import by itself?",
            **place_in(path, error),
        }
    try:
        host = _host(module, request)
        arguments, keywords = _arguments(request)
        text, names, tensors = traced(host, arguments, keywords)
    except SymcuteError as error:
        return {"error": error.what, "fix": error.fix, **place_in(path, error.__cause__ or error)}
    except Exception as error:
        return {"error": said_by(error), "fix": "", **place_in(path, error)}
    return {"text": text, "names": names, "tensors": tensors}


def _host(module: Any, request: Mapping[str, Any]) -> Any:
    """Return the function, or the method of an object of its class."""
    owner, _, name = request["name"].rpartition(".")
    if not owner:
        return getattr(module, name)
    given = request["constants"].items()
    more = {k: _value(v) for k, v in given if k not in request["parameters"]}
    made = getattr(module, owner)(**more)
    return made if name == "__call__" else getattr(made, name)


def _arguments(request: Mapping[str, Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """Return the arguments: by position as long as none is left out, then by name."""
    names: dict[tuple[str, int, bool], Any] = {}
    types, constants = request["types"], request["constants"]
    found = {
        name: _value(constants[name]) if name in constants else _typed(types[name], names)
        for name in request["parameters"]
        if name in constants or name in types
    }
    first = []
    for name in request["parameters"]:
        if name not in found or name in request["keywords"]:
            break
        first.append(found.pop(name))
    return tuple(first), found


def _typed(kind: list[Any], names: dict[tuple[str, int, bool], Any]) -> Any:
    import cutlass
    from cutlass import cute
    from cutlass.cute.runtime import make_fake_stream, make_fake_tensor

    if kind[0] == "stream":
        return make_fake_stream()
    if kind[0] == "number":
        return getattr(cutlass, kind[1])(1)
    _, element, shape, stride, align = kind

    def size(x: Any, make: Any) -> Any:
        if isinstance(x, int):
            return x
        key = x[0], x[1], make is cute.sym_int32
        if key not in names:
            names[key] = make(divisibility=x[1], symbol=x[0])
        return names[key]

    return make_fake_tensor(
        getattr(cutlass, element),
        tuple(size(x, cute.sym_int32) for x in shape),
        stride=tuple(size(x, cute.sym_int64) for x in stride),
        assumed_align=align,
    )


def _value(value: Any) -> Any:
    import cutlass

    if not isinstance(value, list):
        return value
    kind, *parts = value
    if kind == "type":
        return getattr(cutlass, parts[0])
    found = [_value(x) for x in parts]
    return tuple(found) if kind == "tuple" else found


if __name__ == "__main__":
    main()
