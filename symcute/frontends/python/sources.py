"""The CUDA C++ texts of a Python file, and which expressions are kernels of them."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Callable, Container, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from symcute.frontends.cuda.options import macros
from symcute.frontends.cuda.words import kernels_in, macro_bodies, plain
from symcute.frontends.python.scopes import Owner, Scope, bound, inside, scopes

__all__ = ["Code", "Handle", "Parameter", "Sources"]

_KERNEL, _MODULE, _INLINE = ("RawKernel",), ("RawModule", "SourceModule"), ("load_inline",)
_LIBRARIES = ("cupy", "pycuda", "torch")
_QUALIFIER = re.compile(r"\b(?:const|volatile|__restrict__|__restrict|__grid_constant__)\b")
_BITS = {
    "char": 8, "signed char": 8, "unsigned char": 8, "int8_t": 8, "uint8_t": 8,
    "short": 16, "unsigned short": 16, "int16_t": 16, "uint16_t": 16,
    "int": 32, "unsigned": 32, "unsigned int": 32, "int32_t": 32, "uint32_t": 32,
    "long": 64, "unsigned long": 64, "long long": 64, "unsigned long long": 64, "size_t": 64,
    "int64_t": 64, "uint64_t": 64, "ptrdiff_t": 64, "ssize_t": 64, "long int": 64,
    "long long int": 64, "unsigned long int": 64, "unsigned long long int": 64,
}  # fmt: skip
_FRACTIONS = ("float", "double", "half", "__half", "__nv_bfloat16", "bool")
#: What may be asked of a kernel or of a module without a launch.
_ASKED = frozenset({
    "attributes", "num_regs", "max_threads_per_block", "max_dynamic_shared_size_bytes",
    "preferred_shared_memory_carveout", "shared_size_bytes", "local_size_bytes", "binary_version",
    "const_size_bytes", "ptx_version", "cache_mode_ca", "set_cache_config", "set_attribute",
    "compile", "get_global", "get_texref", "get_surfref", "code", "options", "name", "backend",
})  # fmt: skip
_T = TypeVar("_T")
#: Names that lead to names that are followed.
_MOST = 20


@dataclass(frozen=True)
class Parameter:
    """A parameter of a kernel: the type of its elements, if it is a pointer, or its own type."""

    element: str | None
    bits: int | None = None
    fraction: bool = False


@dataclass(eq=False)
class Code:
    """A text of CUDA C++: what it is, what the compiler is told besides, or why it is not known."""

    node: ast.expr
    text: str = ""
    defines: tuple[tuple[str, str], ...] = ()
    trouble: str = ""
    library: str = "cupy"

    @property
    def macros(self) -> list[str]:
        """The macros that the text and its options define."""
        said = [name for name, _ in macro_bodies(plain(self.text))]
        return list(dict.fromkeys((*said, *(name for name, _ in self.defines))))

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
        type = " ".join(_QUALIFIER.sub(" ", text.partition("=")[0]).split()[:-1])
        return Parameter(None, _BITS.get(type), type in _FRACTIONS)
    return Parameter(" ".join(_QUALIFIER.sub(" ", element).split()))


@dataclass(frozen=True)
class Handle:
    """What an expression is: a kernel of a text, by its name, or what was compiled of it."""

    code: Code
    kernel: str
    warmup: ast.Call | None = None


@dataclass
class Sources:
    """What a file says of kernels."""

    tree: ast.Module
    codes: list[Code] = field(default_factory=list)
    scopes: list[tuple[Owner | None, Scope]] = field(default_factory=list)
    _made: dict[ast.expr, Code] = field(default_factory=dict)
    _attributes: dict[str, tuple[ast.expr, Scope]] = field(default_factory=dict)
    #: How often attributes are assigned to, and how often other names are bound.
    _stored: Counter[str] = field(default_factory=Counter)
    _named: Counter[str] = field(default_factory=Counter)
    _returns: dict[str, list[tuple[ast.expr | None, Scope]]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.scopes = list(scopes(self.tree))
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Attribute) and not isinstance(node.ctx, ast.Load):
                self._stored[node.attr] += 1
            elif isinstance(node, ast.arg):
                self._named[node.arg] += 1
        for owner, scope in self.scopes:
            (self._stored if isinstance(owner, ast.ClassDef) else self._named).update(
                bound(scope.body)
            )
            for node in inside(scope.body):
                match node:
                    case ast.Assign(targets=[ast.Attribute(attr=attr)], value=value):
                        self._attributes[attr] = (value, scope)
                    case ast.Assign(targets=[ast.Name(id=attr)], value=value) if isinstance(
                        owner, ast.ClassDef
                    ):
                        self._attributes[attr] = (value, scope)
                    case ast.Return() if owner is not None:
                        self._returns.setdefault(owner.name, []).append((node.value, scope))
        for node, _, scope in self._nodes():
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

    def elsewhere(
        self, code: Code, followed: Container[ast.expr]
    ) -> Iterator[tuple[ast.expr, str, str]]:
        """Yield where kernels of a text may be launched out of sight: the place, the kernel, why.

        A kernel whose name is not known is "".
        """
        for node, parent, scope in self._nodes():
            if not isinstance(node, ast.expr) or isinstance(getattr(node, "ctx", None), ast.Store):
                continue
            match node:
                case ast.Attribute(value=asked, attr="get_function"):
                    called = parent if isinstance(parent, ast.Call) else None
                    known = called is not None and self.handle(called, scope) is not None
                    if not known and self._module(asked, scope, _MOST) is code:
                        yield node, "", "the name of the kernel is not plain to see"
                    continue
            handle = self.handle(node, scope)
            of = handle.code if handle is not None else self._module(node, scope, _MOST)
            if of is not code or node in followed or self._is_kept(node, parent, scope):
                continue
            kernel = handle.kernel if handle is not None else ""
            launched = isinstance(parent, ast.Call) and parent.func is node
            yield node, kernel, (
                "a launch is followed only in the body of a function" if launched
                else "the kernel is handed on here, and what is done with it there is not followed"
            )  # fmt: skip

    def _is_kept(self, node: ast.expr, parent: ast.AST, scope: Scope) -> bool:
        """Is a kernel, or a module of them, known by another name here, or nothing done with it?"""
        match parent:
            case ast.Expr() | ast.Compare():
                return True
            case ast.Attribute(attr="get_function"):
                return True  # it is a kernel itself, or asked for one
            case ast.Attribute(attr=attr):
                return attr in _ASKED
            case ast.Assign(targets=[target]) | ast.AnnAssign(target=target):
                return self._through(target, scope, lambda n, s, most: True, 2) is not None
            case ast.Tuple():  # several that are assigned to several
                return all(
                    scope.value(name) is not None
                    for name, value in scope.pairs() if value is node
                ) and any(value is node for _, value in scope.pairs())  # fmt: skip
            case ast.Return():
                made = [n for n, all in self._returns.items() if any(v is node for v, _ in all)]
                return all(map(self._is_once, made))
        return False

    def _nodes(self) -> Iterator[tuple[ast.AST, ast.AST, Scope]]:
        """Yield all of a file with what it stands in; names in a lambda are those around it."""
        for _, scope in self.scopes:
            for node in inside(scope.body):
                for child in ast.iter_child_nodes(node):
                    if not isinstance(node, Owner):
                        yield child, node, scope
                    elif not isinstance(child, ast.stmt):
                        yield from _below(child, node, scope)
                    if isinstance(node, ast.Lambda):
                        for inner in ast.iter_child_nodes(child):
                            yield from _below(inner, child, scope)

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
                found = self._attributes.get(attr) if self._stored[attr] == 1 else None
            case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)):
                returned = self._returns.get(name, ())
                found = returned[0] if self._is_once(name) and returned else None
        if found is None or found[0] is None:
            return None
        return find(found[0], found[1], most - 1)

    def _is_once(self, name: str) -> bool:
        """Is this the name of one function, which returns at one place, and of nothing else?"""
        bindings = self._named[name] + self._stored[name]
        return bindings == 1 == len(self._returns.get(name, ()))

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


def _below(
    node: ast.AST, parent: ast.AST, scope: Scope
) -> Iterator[tuple[ast.AST, ast.AST, Scope]]:
    yield node, parent, scope
    for child in ast.iter_child_nodes(node):
        yield from _below(child, node, scope)


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
    name, at, option, behind = {
        "SourceModule": ("source", 0, "options", 2),
        "load_inline": ("cuda_sources", 2, "extra_cuda_cflags", 5),
    }.get(what, ("code", 0, "options", 2))
    said = _argument(node, at, name)
    parts = said.elts if isinstance(said, (ast.List, ast.Tuple)) else [said] if said else []
    texts = [scope.constant(p) for p in parts]
    defines = _defines(_argument(node, behind, option), scope)
    if any(isinstance(a, ast.Starred) for a in node.args) or None in {k.arg for k in node.keywords}:
        why = f"what is handed to {what} is put together while the program runs"
    elif not parts:
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
    found = macros(scope.constant(part) for part in node.elts)
    return None if found is None else tuple(found.items())
