"""CuTe DSL, asked for the module of a host function: traced, never compiled or run.

The DSL traces in the process that calls it, since a function and its arguments cannot be handed to
another; it runs the function's Python, as `cute.compile` does. The module is taken as text as soon
as it is whole.
"""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from symcute.errors import InputError, needs

__all__ = ["TESTED", "traced"]

#: The versions whose modules are read: their text may change with each.
TESTED = ("4.8.1",)


class _Traced(Exception):
    """The module is there; nothing more is to be done."""


def traced(
    host: Any, arguments: tuple[Any, ...], keywords: Mapping[str, Any]
) -> tuple[str, tuple[str, ...]]:
    """Return the text of a host function's module, and the names of its parameters.

    Errors: InputError where the DSL is not installed, is of a version that is not known, or does
    not trace the function.
    """
    needs("check_cute", "cutlass")
    try:
        found = version("nvidia-cutlass-dsl")
    except PackageNotFoundError:
        found = ""
    if found not in TESTED:
        raise InputError(
            f"nvidia-cutlass-dsl {found or 'of no known version'} is not one that is read",
            f"install one of {', '.join(TESTED)}: pip install nvidia-cutlass-dsl=={TESTED[-1]}",
        )
    from cutlass import cute
    from cutlass.cutlass_dsl import CuTeDSL

    texts: list[str] = []

    def take(owner: Any, module: Any, name: str) -> None:
        form = {"print_generic_op_form": True, "enable_debug_info": True}
        texts.append(module.operation.get_asm(**form))
        raise _Traced

    try:
        with CuTeDSL._get_dsl().trace_finalize_hooks(take):
            cute.compile(host, *arguments, options="--generate-line-info", **keywords)
    except Exception as error:
        if not texts:
            name = getattr(host, "__name__", type(host).__name__)
            raise InputError(
                f"CuTe DSL does not trace {name}: {type(error).__name__}: {_first(error)}",
                "call it as cute.compile would be called",
            ) from error
    if not texts:
        raise InputError(f"CuTe DSL made no module of {host}", "give a function under @cute.jit")
    return texts[-1], _names(host)


def _first(error: Exception) -> str:
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return lines[0] if lines else ""


def _names(host: Any) -> tuple[str, ...]:
    """Return the names of the parameters, for those of dims; () where they are not known."""
    try:
        return tuple(inspect.signature(host).parameters)
    except (TypeError, ValueError):
        return ()
