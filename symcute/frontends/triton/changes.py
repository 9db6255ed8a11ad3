"""What a statement that failed may have changed: by itself, or by what it calls.

Names are taken away for what they are bound to: each that reaches an object that may be another.
"""

from __future__ import annotations

import ast
import dis
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from types import BuiltinMethodType, CellType, CodeType, FunctionType, MethodType, ModuleType
from typing import Any

from symcute.frontends.triton.compiling import LOST

__all__ = ["BODY", "bound_by", "changed_by"]

#: In a module of a user: its statements.
BODY = "__symcute_body__"

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_SCOPES = (*_FUNCTIONS, ast.ClassDef)
_PLAIN = (int, float, complex, str, bytes, range, slice, type(None), type(...))
#: Modules whose objects say nothing of a kernel, or do not change.
_IDLE = frozenset({"typing", "typing_extensions", "re", "pathlib", "logging", "_io", "_thread"})
#: What binds names in ways that no one sees.
_HIDDEN = frozenset({"exec", "globals", "locals", "modules", "__dict__"})
_SETTERS = frozenset({"setattr", "delattr", "__setattr__"})

_Names = dict[str, Any]


@dataclass(frozen=True)
class _Piece:
    """What a piece of code mentions, the globals that it binds, and roots of what it stores to."""

    used: frozenset[str]
    stored: frozenset[str]
    patched: frozenset[str]


def bound_by(node: ast.stmt, module: _Names) -> set[str]:
    """Return the names that a statement may bind; a star binds all but modules."""
    found: set[str] = set()
    for n in _here(node, _SCOPES):
        if isinstance(n, ast.Name) and not isinstance(n.ctx, ast.Load):
            found.add(n.id)
        elif isinstance(n, (*_SCOPES, ast.ExceptHandler, ast.MatchAs, ast.MatchStar)):
            found |= {n.name} if n.name else set()
        elif isinstance(n, ast.MatchMapping):
            found |= {n.rest} if n.rest else set()
        elif isinstance(n, ast.alias) and n.name == "*":
            found |= _open(module)
        elif isinstance(n, ast.alias):
            found.add(n.asname or n.name.partition(".")[0])
    return found


def changed_by(node: ast.stmt, module: _Names) -> Iterator[tuple[_Names, str]]:
    """Yield what a statement may have changed besides: modules and names."""
    return _Changes(node, module).names()


def _open(module: _Names) -> set[str]:
    return {n for n, v in module.items() if n[:2] != "__" and not isinstance(v, ModuleType)}


def _here(node: ast.AST, scopes: tuple[type[ast.AST], ...]) -> Iterator[ast.AST]:
    """Yield what is run with a statement, but for the bodies of scopes."""
    yield node
    for name, value in ast.iter_fields(node):
        if name == "body" and isinstance(node, scopes):
            continue
        for each in value if isinstance(value, list) else [value]:
            if isinstance(each, ast.AST):
                yield from _here(each, scopes)


class _Changes:
    """Follows what a statement mentions to the objects that may be others now."""

    def __init__(self, node: ast.stmt, module: _Names) -> None:
        self._stored: list[tuple[_Names, str]] = []
        self._objects: set[int] = set()
        self._packages: set[str] = set()
        self._seen: set[tuple[int, str | _Piece]] = set()
        self._follow(module, _piece([*_here(node, _FUNCTIONS)]))

    def names(self) -> Iterator[tuple[_Names, str]]:
        yield from self._stored
        if not (self._objects or self._packages):
            return
        modules = [getattr(m, "__dict__", {}) for m in [*sys.modules.values()]]
        for names in (m for m in modules if LOST in m):
            for name, value in [*names.items()]:
                if name[:2] == "__":
                    continue
                if isinstance(value, ModuleType):
                    if LOST not in vars(value) and _package(value) in self._packages:
                        yield names, name
                elif not self._objects.isdisjoint(_reached(value)):
                    yield names, name

    def _follow(self, names: _Names, piece: _Piece) -> None:
        self._stored += [(names, n) for n in piece.stored]
        if piece.used & _HIDDEN:
            self._stored += [(names, n) for n in _open(names)]
        sets = bool(piece.used & _SETTERS)
        for name in piece.used:
            if name in names:
                self._visit(names[name], piece, sets or name in piece.patched)
            elif name in names.get(LOST, ()) and (id(names), name) not in self._seen:
                self._seen.add((id(names), name))
                line, body = names[LOST][name][0], names[BODY]
                made = [n for n in body if n.lineno == line]
                self._follow(names, _piece([x for n in made for x in ast.walk(n)]))

    def _visit(self, value: object, piece: _Piece, is_patched: bool) -> None:
        if isinstance(value, ModuleType):
            self._visit_module(value, piece, is_patched)
            return
        if is_patched:
            self._objects.add(id(value))
        if (id(value), "") in self._seen or isinstance(value, _PLAIN):
            return
        if isinstance(value, dict) and LOST in value:  # a module by another way
            self._stored += [(value, n) for n in _open(value)]
        if _of(value) == "triton" and _fields(value).keys().isdisjoint(piece.used):
            return  # a kernel that is launched stays what it is
        self._seen.add((id(value), ""))
        if isinstance(value, FunctionType) and LOST in value.__globals__:
            self._follow(value.__globals__, _of_code(value.__code__))
        for part in _parts(value):
            self._visit(part, piece, False)
        if _is_mutable(value):
            self._objects.add(id(value))

    def _visit_module(self, module: ModuleType, piece: _Piece, is_patched: bool) -> None:
        names = vars(module)
        if LOST not in names:
            self._packages |= {_package(module)} if is_patched else set()
        elif (id(module), piece) not in self._seen:
            self._seen.add((id(module), piece))
            if is_patched:
                self._stored += [(names, n) for n in piece.used if n in names]
            self._follow(names, piece)


def _package(module: ModuleType) -> str:
    return module.__name__.partition(".")[0]


def _of(value: object) -> str:
    return str(type(value).__module__).partition(".")[0]


def _fields(value: object) -> _Names:
    found = getattr(value, "__dict__", {})
    return dict(found) if isinstance(found, dict) or isinstance(value, type) else {}


def _is_own(value: type) -> bool:
    return LOST in vars(sys.modules.get(str(value.__module__), ast))


def _is_mutable(value: object) -> bool:
    if isinstance(value, type):
        return _is_own(value)
    return (
        not isinstance(
            value,
            (*_PLAIN, tuple, frozenset, FunctionType, MethodType, BuiltinMethodType, CellType),
        )
        and _of(value) not in _IDLE
    )


def _parts(value: object) -> Iterator[object]:
    """Yield what an object holds, as far as it is a user's or a container."""
    if isinstance(value, dict):
        is_module = LOST in value  # whose names are asked one by one
        yield from () if is_module else [*value.keys(), *value.values()]
    elif isinstance(value, (list, tuple, set, frozenset)):
        yield from [*value]
    elif isinstance(value, FunctionType):
        yield from (value.__defaults__ or ())
        yield from (value.__kwdefaults__ or {}).values()
        yield from value.__closure__ or ()
    elif isinstance(value, CellType):
        try:
            yield value.cell_contents
        except ValueError:  # it is empty yet
            return
    elif isinstance(value, MethodType):
        yield from (value.__func__, value.__self__)
    elif isinstance(value, BuiltinMethodType):
        yield value.__self__
    elif isinstance(value, type):
        yield from (v for c in value.__mro__ if _is_own(c) for v in [*vars(c).values()])
    elif isinstance(value, partial):
        yield from (value.func, value.args, value.keywords)
    elif isinstance(value, (property, staticmethod, classmethod)):
        yield value.fget if isinstance(value, property) else value.__func__
    if not isinstance(value, (type, ModuleType)) and _of(value) not in _IDLE:
        yield from _fields(value).values()
        yield type(value)


def _reached(value: object) -> set[int]:
    """Return all that an object holds, and what that holds."""
    found: set[int] = set()
    todo = [value]
    while todo:
        one = todo.pop()
        if id(one) in found or isinstance(one, (*_PLAIN, ModuleType)):
            continue
        if not isinstance(one, type) or _is_own(one):
            found.add(id(one))
            todo += _parts(one)
    return found


def _piece(nodes: list[ast.AST]) -> _Piece:
    """Return what nodes say; names of a scope that is among them are taken for the module's."""
    used, stored, patched = set[str](), set[str](), set[str]()
    for n in nodes:
        if isinstance(n, ast.Name):
            used.add(n.id)
        elif isinstance(n, ast.Global):
            stored |= {*n.names}
        elif isinstance(n, (ast.Attribute, ast.Subscript)):
            used |= {n.attr} if isinstance(n, ast.Attribute) else set()
            root: ast.expr = n
            while isinstance(root, (ast.Attribute, ast.Subscript)):
                root = root.value
            if isinstance(root, ast.Name) and not isinstance(n.ctx, ast.Load):
                patched.add(root.id)
    return _Piece(frozenset(used), frozenset(stored), frozenset(patched))


def _of_code(code: CodeType) -> _Piece:
    """Return what a function says, with those inside of it."""
    used, stored, patched = set(code.co_names), set[str](), set[str]()
    root = None
    for i in dis.get_instructions(code):
        if i.opname in ("STORE_GLOBAL", "DELETE_GLOBAL"):
            stored.add(str(i.argval))
        elif i.opname in ("STORE_ATTR", "DELETE_ATTR") and root:
            patched.add(root)
        if i.opname in ("LOAD_GLOBAL", "LOAD_NAME"):
            root = str(i.argval)
        elif i.opname != "LOAD_ATTR":
            root = None
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            more = _of_code(inner)
            used, stored, patched = used | more.used, stored | more.stored, patched | more.patched
    return _Piece(frozenset(used), frozenset(stored), frozenset(patched))
