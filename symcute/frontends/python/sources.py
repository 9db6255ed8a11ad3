"""The CUDA C++ texts of a Python file, and which expressions are kernels of them."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from symcute.frontends.cuda.words import kernels_in, plain
from symcute.frontends.python.scopes import Function, Scope, inside, scopes

__all__ = ["Code", "Handle", "Parameter", "Sources"]

_KERNEL, _MODULE, _INLINE = ("RawKernel",), ("RawModule", "SourceModule"), ("load_inline",)
_LIBRARIES = ("cupy", "pycuda", "torch")
_DEFINE = re.compile(r"-D\s*([A-Za-z_]\w*)(?:=(.*))?", re.DOTALL)
_UNDEFINE = re.compile(r"-U|--undefine-macro|-include|--pre-include|--define-macro")
_QUALIFIER = re.compile(r"\b(?:const|volatile|__restrict__|__restrict|__grid_constant__)\b")
_T = TypeVar("_T")
#: Names that lead to names that are followed.
_MOST = 20


@dataclass(frozen=True)
class Parameter:
    """A parameter of a kernel: the type of its elements, if it is a pointer."""

    element: str | None


@dataclass(eq=False)
class Code:
    """A text of CUDA C++: what it is, what the compiler is told besides, or why it is not known."""

    node: ast.expr
    text: str = ""
    defines: tuple[tuple[str, str], ...] = ()
    trouble: str = ""
    library: str = "cupy"

    def same(self, other: Code) -> bool:
        """Is this the same text, told the same?"""
        one, two = ((c.text, c.defines, c.trouble, c.library) for c in (self, other))
        return one == two

    def parameters(self, kernel: str) -> list[Parameter] | None:
        """Return the parameters of a kernel of this text; None where they are not plain to see."""
        text = plain(self.text)
        places = [at for name, at in kernels_in(text) if name == kernel]
        if len(places) != 1:
            return None
        opening = re.compile(rf"\b{re.escape(kernel)}\s*\(").search(text, places[0])
        if opening is None:
            return None
        depth, pieces, begin = 0, [], opening.end()
        for sign in re.compile(r"[(<\[{,}\])>]").finditer(text, begin):
            if depth == 0 and sign.group() in ",)":
                pieces.append(text[begin : sign.start()])
                begin = sign.end()
                if sign.group() == ")":
                    break
            depth += (sign.group() in "(<[{") - (sign.group() in ")>]}")
        if [p.strip() for p in pieces] in ([""], ["void"]):
            return []
        return [_parameter(p) for p in pieces]


def _parameter(text: str) -> Parameter:
    element, star, rest = text.partition("*")
    if not star or "*" in rest or "&" in text or "[" in text:
        return Parameter(None)
    return Parameter(" ".join(_QUALIFIER.sub(" ", element).split()))


@dataclass(frozen=True)
class Handle:
    """What an expression is: a kernel of a text, by its name."""

    code: Code
    kernel: str


@dataclass
class Sources:
    """What a file says of kernels."""

    tree: ast.Module
    codes: list[Code] = field(default_factory=list)
    scopes: list[tuple[Function | None, Scope]] = field(default_factory=list)
    _made: dict[ast.expr, Code] = field(default_factory=dict)
    _attributes: dict[str, list[tuple[ast.expr, Scope]]] = field(default_factory=dict)
    _returns: dict[str, list[tuple[ast.expr | None, Scope]]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.scopes = list(scopes(self.tree))
        for function, scope in self.scopes:
            for node in inside(scope.body):
                if isinstance(node, ast.Assign):
                    for t in node.targets:
                        if isinstance(t, ast.Attribute):
                            self._attributes.setdefault(t.attr, []).append((node.value, scope))
                elif isinstance(node, ast.Return) and function is not None:
                    self._returns.setdefault(function.name, []).append((node.value, scope))
        for _, scope in self.scopes:
            for node in inside(scope.body):
                if isinstance(node, ast.Call) and _library(scope.title(node.func)):
                    self._code(node, scope)

    def handle(self, node: ast.expr, scope: Scope, most: int = _MOST) -> Handle | None:
        """Return which kernel an expression is, if that is plain to see."""
        match node:
            case ast.Call(func=func) if _library(scope.title(func), _KERNEL):
                named = _argument(node, 1, "name")
                name = scope.constant(named) if named is not None else None
                return Handle(self._code(node, scope), name) if isinstance(name, str) else None
            case ast.Call(func=ast.Attribute(value=module, attr="get_function"), args=[named]):
                code = self._module(module, scope, most)
                name = scope.constant(named)
                return Handle(code, name) if code is not None and isinstance(name, str) else None
        return self._through(node, scope, self.handle, most)

    def _module(self, node: ast.expr, scope: Scope, most: int) -> Code | None:
        if isinstance(node, ast.Call) and _library(scope.title(node.func), _MODULE):
            return self._code(node, scope)
        return self._through(node, scope, self._module, most)

    def _through(
        self,
        node: ast.expr,
        scope: Scope,
        find: Callable[[ast.expr, Scope, int], _T | None],
        most: int,
    ) -> _T | None:
        """Return what is found behind a name, an attribute or a function that returns it."""
        found: tuple[ast.expr | None, Scope] | None = None
        match node:
            case _ if most == 0:
                return None
            case ast.Name(id=name):
                found = scope.value(name)
            case ast.Attribute(attr=attr):
                known = self._attributes.get(attr, ())
                found = known[0] if len(known) == 1 else None
            case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)):
                returned = self._returns.get(name, ())
                found = returned[0] if len(returned) == 1 else None
        if found is None or found[0] is None:
            return None
        return find(found[0], found[1], most - 1)

    def _code(self, node: ast.Call, scope: Scope) -> Code:
        if node not in self._made:
            code = _code(node, scope)
            for known in self.codes:  # one text may be handed over at several places
                if not code.trouble and known.same(code):
                    code = known
            if code not in self.codes:
                self.codes.append(code)
            self._made[node] = code
        return self._made[node]


def _library(title: str, what: Sequence[str] = (*_KERNEL, *_MODULE, *_INLINE)) -> bool:
    parts = title.split(".")
    return parts[0] in _LIBRARIES and parts[-1] in what


def _argument(node: ast.Call, at: int, name: str) -> ast.expr | None:
    named = [k.value for k in node.keywords if k.arg == name]
    return named[0] if named else node.args[at] if len(node.args) > at else None


def _code(node: ast.Call, scope: Scope) -> Code:
    """Return what a call compiles."""
    title = scope.title(node.func)
    library, what = title.split(".")[0], title.split(".")[-1]
    name, at, option = {
        "SourceModule": ("source", 0, "options"),
        "load_inline": ("cuda_sources", 2, "extra_cuda_cflags"),
    }.get(what, ("code", 0, "options"))
    said = _argument(node, at, name)
    parts = said.elts if isinstance(said, (ast.List, ast.Tuple)) else [said] if said else []
    texts = [scope.constant(p) for p in parts]
    defines = _defines(_argument(node, 99, option), scope)
    if not parts:
        why = f"no text is handed to {what}"
    elif not all(isinstance(t, str) for t in texts):
        why = f"the text handed to {what} is put together while the program runs"
    elif defines is None:
        why = f"the options handed to {what} are not understood"
    else:
        text = "\n".join(map(str, texts))
        place = _origin(parts[0], scope) if len(parts) == 1 else node
        return Code(place, text, defines, library=library)
    return Code(node, trouble=why, library=library)


def _origin(node: ast.expr, scope: Scope) -> ast.expr:
    """Return the expression that a text is written in."""
    for _ in range(_MOST):
        known = scope.value(node.id) if isinstance(node, ast.Name) else None
        if known is None:
            break
        node, scope = known
    return node


def _defines(node: ast.expr | None, scope: Scope) -> tuple[tuple[str, str], ...] | None:
    """Return the macros that options define; None where options are not plain to see."""
    if node is None or (isinstance(node, ast.Constant) and node.value is None):
        return ()
    if not isinstance(node, (ast.Tuple, ast.List)):
        return None
    found: list[tuple[str, str]] = []
    for part in node.elts:
        option = scope.constant(part)
        if not isinstance(option, str) or _UNDEFINE.match(option):
            return None
        define = _DEFINE.fullmatch(option)
        if define is not None:
            found.append((define[1], "1" if define[2] is None else define[2]))
        elif option.startswith("-D"):
            return None
    return tuple(found)
