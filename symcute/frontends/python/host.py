"""Python code that comes to launches, as C++ that comes to the same launches.

Each function that launches a kernel becomes a function of C++: integers are 64 bits wide there,
arrays are PyTorch's tensors, and what is not understood is a value of which nothing is known. So
every execution of the Python code is one of the C++ code, up to where a number has more than 63
bits. The C++ is followed as host code of CUDA is (`frontends/cuda/host`).
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass

from symcute.frontends.python.expressions import reshapes
from symcute.frontends.python.function import HostFunction
from symcute.frontends.python.jit import JitSources
from symcute.frontends.python.jit_launches import Line, Word
from symcute.frontends.python.names import Names
from symcute.frontends.python.scopes import Scope, inside
from symcute.frontends.python.sources import Code, Handle, Sources

__all__ = ["Lost", "translated"]

_NOT_FOLLOWED = (
    ast.NamedExpr, ast.Global, ast.Nonlocal, ast.Yield, ast.YieldFrom, ast.Await, ast.AsyncFor,
    ast.AsyncWith, ast.Match,
)  # fmt: skip


_NEVER = "no way to it is found"


@dataclass(frozen=True)
class Lost:
    """A launch that is not followed, and why."""

    node: ast.expr
    kernel: str
    host: str
    why: str


def translated(
    code: Code, sources: Sources | JitSources, default: str, words: list[Word] | None = None
) -> tuple[list[Line], list[Lost], list[Lost]]:
    """Return the functions of a file that launch kernels of a text, as C++, and what is lost.

    The last are the launches in the C++, which are lost if nothing is found there. `default` is
    the type of elements that PyTorch takes where none is said. `words` gets the constants that
    Triton's kernels are given and that are no numbers.
    """
    lines: list[Line] = []
    lost: list[Lost] = []
    made: list[Lost] = []
    functions = Names.inside(code.text, code.macros)
    changing = reshapes(sources.tree)
    torch = any(map(_is_of_torch, ast.walk(sources.tree)))
    followed: set[ast.expr] = set()
    for function, scope in sources.scopes:
        calls = _launches(scope.body, scope, sources, code)
        followed |= {c.func for c, _ in calls}
        if not calls:
            continue
        title = function.name if function is not None else "__main__"
        odd = next((n for n in inside(scope.body) if _is_odd(n)), None)
        if odd is not None or isinstance(function, (ast.AsyncFunctionDef, ast.ClassDef)):
            why = f"{title} is not followed: {type(odd or function).__name__} is not understood"
            lost += [Lost(c, h.kernel, title, why) for c, h in calls]
            continue
        jits = sources.kernels if isinstance(sources, JitSources) else {}
        known = [(c, h) for c, h in calls if jits or code.parameters(h.kernel) is not None]
        for c, h in calls:
            if (c, h) not in known:
                lost.append(Lost(c, h.kernel, title, f"the parameters of {h.kernel} are not plain"))
        host = HostFunction(
            scope, default, dict(known), reshapes=changing, torch=torch, function=function,
            name=functions.spelled(title), names=Names.beside(code.text, code.macros),
            triton=bool(jits), jits=jits, words=words if words is not None else [],
        )  # fmt: skip
        lines += host.lines()
        lost += [Lost(c, h.kernel, title, host.refused[c]) for c, h in known if c in host.refused]
        made += [Lost(c, h.kernel, title, _NEVER) for c, h in known if c not in host.refused]
    for node, kernel, why in sources.elsewhere(code, followed):
        lost.append(Lost(node, kernel, "Python", why))
    begin, end = ("namespace symcute_in_python {", "}") if lines else ("", "")
    return [Line(begin, 1, 1), *lines, Line(end, 1, 1)], lost, made


def _is_of_torch(node: ast.AST) -> bool:
    """Does a file with this have arrays of PyTorch's, or may it?"""
    match node:
        case ast.Import(names=names):
            return any(n.name.split(".")[0] == "torch" for n in names)
        case ast.ImportFrom(module=str() as module):
            return module.split(".")[0] == "torch"
        case ast.Attribute(attr=attr):
            return attr in ("data_ptr", "numel", "is_contiguous", "contiguous")
    return False


def _is_odd(node: ast.AST) -> bool:
    """Is a function that has this not followed?"""
    if isinstance(node, ast.Try) and node.finalbody:
        parts = [*node.body, *node.handlers, *node.orelse]
        return any(isinstance(n, (ast.Break, ast.Continue)) for p in parts for n in ast.walk(p))
    return isinstance(node, _NOT_FOLLOWED)


def _launches(
    body: Sequence[ast.stmt], scope: Scope, sources: Sources | JitSources, code: Code
) -> list[tuple[ast.Call, Handle]]:
    found = []
    for node in inside(body):
        if isinstance(node, ast.Call):
            handle = sources.handle(node.func, scope)
            if handle is not None and handle.code is code:
                found.append((node, handle))
    return found
