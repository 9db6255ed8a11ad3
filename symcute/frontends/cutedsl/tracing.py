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
) -> tuple[str, tuple[str, ...], tuple[tuple[str, tuple[str, ...]], ...]]:
    """Return the text of a host function's module, and what its parameters are called.

    These are their names, and for each tensor its name with a symbol for each size that is
    symbolic: sizes that are one integer have one symbol.

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
    return texts[-1], _names(host), _tensors(host, arguments, keywords)


def _first(error: Exception) -> str:
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return lines[0] if lines else ""


def _tensors(
    host: Any, arguments: tuple[Any, ...], keywords: Mapping[str, Any]
) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return the tensors among some arguments, in their order, with the symbols of their sizes."""
    try:
        bound = inspect.signature(host).bind(*arguments, **keywords).arguments
    except (TypeError, ValueError):
        return ()
    symbols: dict[int, str] = {}
    found = []
    for name, value in bound.items():
        several = isinstance(value, list | tuple)
        for k, x in enumerate(value if several else (value,)):
            shape, stride = getattr(x, "shape", None), getattr(x, "stride", None)
            if isinstance(shape, tuple) and isinstance(stride, tuple):
                sizes = [n for n in (*_leaves(shape), *_leaves(stride)) if hasattr(n, "symbol")]
                for n in sizes:
                    if id(n) not in symbols:  # a name may be given twice, to two integers
                        names = (n.symbol, *(f"n{k}" for k in range(1, len(symbols) + 2)))
                        used = {None, *symbols.values()}
                        symbols[id(n)] = next(x for x in names if x not in used)
                each = tuple(symbols[id(n)] for n in sizes)
                found.append((f"{name}_{k}" if several else name, each))
    return tuple(found)


def _leaves(x: tuple[Any, ...]) -> list[Any]:
    return [n for y in x for n in (_leaves(y) if isinstance(y, tuple) else [y])]


def _names(host: Any) -> tuple[str, ...]:
    """Return the names of the parameters, for those of dims; () where they are not known."""
    try:
        return tuple(inspect.signature(host).parameters)
    except (TypeError, ValueError):
        return ()
