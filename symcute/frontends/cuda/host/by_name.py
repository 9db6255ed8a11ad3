"""Launches by a call: `cudaLaunchKernel((void *)kernel, grid, block, arguments)`.

The arguments are addresses, and what is there is read when the call is made. A list of them is
followed where it is made of the addresses of variables, and only handed to such calls. That
`cudaLaunchKernelEx(&how, kernel, ...)` launches is written in our header, and followed like a
function of the user's.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from clang.cindex import Cursor

from symcute.frontends.cuda.headers import is_ours
from symcute.frontends.cuda.inlining import body
from symcute.frontends.cuda.library import (
    callee,
    children,
    gathered,
    initializer,
    key,
    kind_of,
    of_block,
    place_of,
    unary_operator,
    walk,
    within,
)

__all__ = ["Handed", "handed", "is_configured", "is_list", "launched", "named_kernels"]

_CALLS = ("cudaLaunchKernel", "cudaLaunchCooperativeKernel")
_CONFIGURED = "cudaLaunchKernelEx"
_ASKING = ("cudaFunc", "cudaOccupancy")
_CASTS = (
    "CSTYLE_CAST_EXPR", "CXX_REINTERPRET_CAST_EXPR", "CXX_STATIC_CAST_EXPR", "CXX_CONST_CAST_EXPR",
)  # fmt: skip


@dataclass(frozen=True)
class Handed:
    """What a call launches: the expression that names the kernel, and those of its arguments."""

    kernel: Cursor
    arguments: tuple[Cursor, ...]


def handed(call: Cursor) -> Handed | None:
    """Return what a call launches; None where it is no such call, or not plain to see."""
    if kind_of(call) != "CALL_EXPR" or call.spelling not in _CALLS:
        return None
    given = list(call.get_arguments())
    declared = call.referenced
    if declared is None or not is_ours(place_of(declared).file) or len(given) < 4:
        return None
    kernel, named = _inside(given[0]), _inside(given[3])
    if kind_of(kernel) != "DECL_REF_EXPR" or kind_of(named) != "DECL_REF_EXPR":
        return None
    function, held = kernel.referenced, named.referenced
    if function is None or held is None or not is_list(held):
        return None
    if not _is_kernel(function):
        return None
    return Handed(kernel, _variables(held))


def is_configured(call: Cursor) -> bool:
    """Is this a call that our header says the launch of?"""
    named = call.referenced if call.spelling == _CONFIGURED else None
    return kind_of(call) == "CALL_EXPR" and named is not None and is_ours(place_of(named).file)


def launched(launch: Cursor) -> Cursor | None:
    """Return what is named where a launch says its kernel: this, or a variable."""
    by_name = handed(launch)
    if by_name is not None:
        return by_name.kernel.referenced
    if is_configured(launch):
        return _inside([*launch.get_arguments()][1]).referenced
    return callee(launch)


def is_list(declaration: Cursor) -> bool:
    """Is a variable a list of addresses of variables, which is only handed to such calls?"""
    if kind_of(declaration) != "VAR_DECL" or declaration.storage_class.name != "NONE":
        return False
    if not declaration.type.get_canonical().spelling.startswith("void *["):
        return False
    function = declaration.semantic_parent
    text = body(function) if function is not None and "FUNCTION" in kind_of(function) else None
    if text is None or not _variables(declaration):
        return False
    own = key(declaration)
    seen = [key(c) for c in _named(text, own)]
    # Behind a lambda, variables may be copies of those in the list.
    calls = (c for c in walk(text, but=("LAMBDA_EXPR",)) if kind_of(c) == "CALL_EXPR")
    asked = [list(c.get_arguments())[3:4] for c in calls if c.spelling in _CALLS]
    known = [key(r) for given in asked for a in given for r in _named(a, own) if _inside(a) == r]
    return bool(seen) and sorted(seen) == sorted(known)


def _named(top: Cursor, declaration: int) -> Iterator[Cursor]:
    for c in walk(top):
        named = c.referenced if kind_of(c) == "DECL_REF_EXPR" else None
        if named is not None and key(named) == declaration:
            yield c


def _variables(declaration: Cursor) -> tuple[Cursor, ...]:
    """Return the variables of which a list has the addresses; nothing where it has others."""
    first = initializer(declaration)
    if first is None or kind_of(first) != "INIT_LIST_EXPR":
        return ()
    found = []
    for part in map(_inside, children(first)):
        if kind_of(part) != "UNARY_OPERATOR" or unary_operator(part) != "&":
            return ()
        (of,) = children(part)
        named = of.referenced if kind_of(of) == "DECL_REF_EXPR" else None
        if named is None or kind_of(named) not in ("VAR_DECL", "PARM_DECL"):
            return ()
        found.append(of)
    return tuple(found) if len(found) == declaration.type.element_count else ()


def _inside(expression: Cursor) -> Cursor:
    """Return what stands within parentheses and casts."""
    here = within(expression)
    while kind_of(here) in _CASTS:
        here = within(children(here)[-1])
    return here


def named_kernels(host: Cursor) -> Iterator[tuple[Cursor, bool]]:
    """Yield where a function names a kernel and does not launch it: is it out of sight from there?

    CUDA's own functions ask of a kernel what it is, and no more.
    """
    text = body(host) if "FUNCTION" in kind_of(host) else host
    return iter(_kernels_below(text, False) if text is not None else ())


def _kernels_below(text: Cursor, outside: bool | None) -> list[tuple[Cursor, bool]]:
    """Return where a text names a kernel, from which one may be out of sight `outside` of it."""
    if not gathered(text, "kernels", _kernel_at):
        return []
    return of_block(text, f"kernels {outside}", lambda: _kernels_in(text, outside))


def _kernels_in(text: Cursor, outside: bool | None) -> list[tuple[Cursor, bool]]:
    known: list[tuple[Cursor, bool]] = []
    waiting = [(text, outside)]
    while waiting:
        here, away = waiting.pop()
        kind = kind_of(here)
        if kind == "COMPOUND_STMT" and here is not text:
            known += _kernels_below(here, away)
            continue
        if kind == "CALL_EXPR":
            named = callee(here)
            ours = named is not None and is_ours(place_of(named).file)
            ours = ours or here.spelling.startswith(_ASKING)
            gone = named is None or ("FUNCTION" in kind_of(named) and body(named) is None)
            away = None if ours or (named is not None and _is_kernel(named)) else gone
            away = None if handed(here) is not None else away
        elif kind in ("INIT_LIST_EXPR", *_CASTS) and away is False:
            away = True
        elif kind == "DECL_REF_EXPR" and away is not None and _names_kernel(here):
            known.append((here, away))
        waiting += [(c, away) for c in children(here)]
    return known


def _kernel_at(c: Cursor) -> Iterator[tuple[int, bool]]:
    """Yield once if an expression names a kernel."""
    if kind_of(c) == "DECL_REF_EXPR" and _names_kernel(c):
        yield 0, True


def _names_kernel(expression: Cursor) -> bool:
    return expression.referenced is not None and _is_kernel(expression.referenced)


def _is_kernel(function: Cursor) -> bool:
    return any(kind_of(c) == "CUDAGLOBAL_ATTR" for c in children(function))
