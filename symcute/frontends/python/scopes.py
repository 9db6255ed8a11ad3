"""What names of a Python file mean: modules that are imported, constants that are bound once."""

from __future__ import annotations

import ast
import re
import string
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

__all__ = [
    "Constant", "Function", "Owner", "Scope", "bound", "inside", "put_into_modules", "scopes",
]  # fmt: skip

#: Values that a text may be made of.
Constant = str | int
Function = ast.FunctionDef | ast.AsyncFunctionDef
Owner = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)
_PERCENT = re.compile(r"%(?:\((\w+)\))?([sdi%])|%")
#: Characters of a text that is put together.
_MOST_TEXT = 4_000_000
#: What may bind names that are not seen to be bound.
_REFLECTING = ("exec", "eval", "globals", "vars", "__builtins__")
#: What names of a module may be put by that are nowhere written, and what is called with names.
_INSIDES = ("__dict__", "__globals__", "__code__")
_PUTTING = re.compile(r"\b(setattr|__setattr__|delattr|__delattr__|patch|setitem)\b")
#: What is sure to be no module.
_OWN = ("self", "cls", "ctx")
_ALL = 1 << 60


def inside(body: Sequence[ast.stmt]) -> Iterator[ast.AST]:
    """Yield what statements consist of, without the insides of functions and classes in them."""
    waiting: list[ast.AST] = list(reversed(body))
    while waiting:
        node = waiting.pop()
        yield node
        if not isinstance(node, _SCOPES):
            waiting += reversed(list(ast.iter_child_nodes(node)))


def bound(body: Sequence[ast.stmt]) -> Iterator[str]:
    """Yield a name for each time that statements may bind it."""
    for node in inside(body):
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            yield node.id
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            yield node.name
        elif isinstance(node, ast.alias):
            yield (node.asname or node.name).split(".")[0]
        elif isinstance(node, (ast.ExceptHandler, ast.MatchAs, ast.MatchStar)) and node.name:
            yield node.name
        elif isinstance(node, ast.MatchMapping) and node.rest:
            yield node.rest


def put_into_modules(nodes: Sequence[ast.AST]) -> Iterator[str | None]:
    """Yield names by which a file puts something into what may be a module; None is any name.

    >>> text = "lib.a = 1; self.b = 2; setattr(m, 'c', 3); setattr(m, n, 4); f = setattr"
    >>> [*put_into_modules([*ast.walk(ast.parse(text))])]
    ['a', 'c', None, None]
    """
    calls = [n for n in nodes if isinstance(n, ast.Call) and (n.args or n.keywords)]
    called = {part for n in calls for part in ast.walk(n.func)}
    for n in nodes:
        match n:
            case ast.Attribute(value=of, attr=name) if name in _INSIDES:
                if ast.unparse(of) not in _OWN:
                    yield None
            case ast.Attribute(value=of, attr=name, ctx=ast.Store() | ast.Del()):
                if ast.unparse(of) not in _OWN:
                    yield name
            case ast.Call(func=func) if n in calls and _PUTTING.search(title := ast.unparse(func)):
                if not n.args or ast.unparse(n.args[0]) not in _OWN:
                    yield from _said(n, title)
            case ast.Name(id=name) | ast.Attribute(attr=name) if n not in called:
                # Who is handed it may call it with anything; a variable may be called patch.
                if _PUTTING.fullmatch(name) and not (name == "patch" and isinstance(n, ast.Name)):
                    yield None


def _said(call: ast.Call, title: str) -> Iterator[str | None]:
    """Yield the names that a call is given: as texts, or of what it is given by name."""
    given = (*call.args[:2], *(k.value for k in call.keywords))
    texts = [a.value.split(".")[-1] for a in given
             if isinstance(a, ast.Constant) and isinstance(a.value, str)]  # fmt: skip
    yield from texts
    yield from (k.arg for k in call.keywords)
    if not (texts or title.endswith("multiple")) or {*texts} & {*_INSIDES}:
        yield None


@dataclass
class Scope:
    """A module, or a function in it: what its names are, as far as that is plain to see."""

    body: Sequence[ast.stmt]
    around: Scope | None = None
    parameters: frozenset[str] = frozenset()
    #: Names that functions in it may bind as well.
    elsewhere: frozenset[str] = frozenset()
    _modules: dict[str, set[str]] = field(default_factory=dict)
    _imports: Counter[str] = field(default_factory=Counter)
    #: The last line from which any name may be bound.
    _unseen: int = 0
    _values: dict[str, ast.expr] = field(default_factory=dict)
    _functions: dict[str, ast.FunctionDef] = field(default_factory=dict)
    _bound: Counter[str] = field(default_factory=Counter)
    #: What is put into modules, as `cdiv`: by the file into others, or into this.
    patched: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        self._bound = Counter(bound(self.body))
        inner = [n for s in self.body for n in ast.walk(s)]
        self.elsewhere = frozenset(
            name for n in inner if isinstance(n, (ast.Global, ast.Nonlocal)) for name in n.names
        )
        self._unseen = max(
            (n.lineno for n in inner if isinstance(n, ast.ImportFrom) and n.names[0].name == "*"),
            default=0,
        )
        if any(isinstance(n, ast.Name) and n.id in _REFLECTING for n in inner):
            self._unseen = _ALL
        for node in inside(self.body):
            if isinstance(node, ast.Import):
                for a in node.names:
                    title = a.name if a.asname else a.name.split(".")[0]
                    self._imported(a.asname or title, title)
            elif isinstance(node, ast.ImportFrom) and not node.level:
                for a in node.names:
                    self._imported(a.asname or a.name, f"{node.module}.{a.name}")
            elif isinstance(node, ast.Assign) and len(node.targets) == 1:
                match node:
                    case ast.Assign(targets=[ast.Name(id=name)], value=ast.Constant(value=None)):
                        self._imports[name] += 1  # where a module is not there
                self._note(node.targets[0], node.value)
            elif isinstance(node, ast.AnnAssign) and node.value is not None:
                self._note(node.target, node.value)
            elif isinstance(node, ast.FunctionDef):
                self._functions[node.name] = node

        if self.around is not None:
            self.patched = self.around.patched
            return
        names = [*put_into_modules(inner)]
        if any(isinstance(n, ast.Name) and n.id == "locals" for n in inside(self.body)):
            names.append(None)  # those of a module are its names
        self.patched |= {name for name in names if name is not None}
        if None in names:
            self._unseen = _ALL

    def _imported(self, name: str, title: str) -> None:
        self._modules.setdefault(name, set()).add(title)
        self._imports[name] += 1

    def _note(self, target: ast.expr, value: ast.expr) -> None:
        match target, value:
            case ast.Name(id=name), _:
                self._values[name] = value
            case ast.Tuple(elts=names), ast.Tuple(elts=values) if len(names) == len(values):
                if not any(isinstance(x, ast.Starred) for x in (*names, *values)):
                    for one, held in zip(names, values, strict=True):
                        self._note(one, held)

    def binds(self, name: str) -> bool:
        """May this scope bind a name, a parameter of it among others?"""
        return name in self.parameters or self._bound[name] > 0

    def is_bound_once(self, name: str) -> bool:
        """Is a name bound at one place here, and at none in a function inside?"""
        return (
            self._bound[name] == 1
            and name not in self.parameters
            and name not in self.elsewhere
            and self._unseen < _ALL
        )

    def is_patched(self, name: str) -> bool:
        """May the file put something by this name into a module?"""
        return name in self.patched

    def _is_put(self, name: str) -> bool:
        """May something else by a name be put into this, a module?"""
        return self.around is None and self.is_patched(name)

    def is_fixed(self, name: str) -> bool:
        """Does a name mean one thing here, once it has one: a parameter, or bound once?"""
        if name in self.parameters:
            return not self._bound[name] and name not in self.elsewhere and self._unseen < _ALL
        if self._bound[name]:
            return self.is_bound_once(name)
        return self.around is not None and self.around.is_fixed(name)

    def value(self, name: str) -> tuple[ast.expr, Scope] | None:
        """Return what a name is bound to, and where, if it is bound once."""
        if name in self.parameters:
            return None
        if self._bound[name]:
            once = self._bound[name] == 1 and name in self._values
            seen = once and name not in self.elsewhere and not self._is_put(name)
            if seen and self._values[name].lineno >= self._unseen:
                return self._values[name], self
            return None
        return self.around.value(name) if self.around is not None else None

    def function(self, name: str) -> tuple[ast.FunctionDef | ast.Lambda, Scope] | None:
        """Return the function that a name is bound to, and where, if it is bound once."""
        known = self.value(name)
        if known is not None:
            return (known[0], known[1]) if isinstance(known[0], ast.Lambda) else None
        if name in self.parameters:
            return None
        if not self._bound[name]:
            return self.around.function(name) if self.around is not None else None
        made = self._functions.get(name)
        if made is None or self._bound[name] > 1 or name in self.elsewhere or self._is_put(name):
            return None
        return (made, self) if made.lineno >= self._unseen else None

    def pairs(self) -> Iterator[tuple[str, ast.expr]]:
        """Yield the names that are assigned to by themselves, each with the last such value."""
        yield from self._values.items()

    def title(self, node: ast.expr) -> str:
        """Return the full name of what an expression names, as `cupy.RawKernel`, or nothing."""
        match node:
            case ast.Name(id=name):
                if name in self.parameters or name in self.elsewhere:
                    return ""
                if self._bound[name]:
                    titles = self._modules.get(name, set())
                    if self._imports[name] < self._bound[name] or self._is_put(name):
                        return ""
                    # NumPy, where CuPy is not there
                    return "cupy" if titles == {"cupy", "numpy"} else _only(titles)
                if self.around is not None:
                    return self.around.title(node)
                return name if not self._unseen else ""
            case ast.Attribute(value=value, attr=attr):
                of = self.title(value)
                return f"{of}.{attr}" if of and attr not in self.patched else ""
        return ""

    def constant(self, node: ast.expr, depth: int = 40) -> Constant | None:
        """Return the text or the number that an expression is, if that is plain to see."""
        if depth == 0:
            return None

        def inner(part: ast.expr) -> Constant | None:
            return self.constant(part, depth - 1)

        found: Constant | None = None
        match node:
            case ast.Constant(value=str() | int() as value) if not isinstance(value, bool):
                found = value
            case ast.Name(id=name):
                known = self.value(name)
                found = known[1].constant(known[0], depth - 1) if known else None
            case ast.JoinedStr(values=parts):
                found = _joined([inner(p) for p in parts])
            case ast.FormattedValue(value=value, conversion=-1, format_spec=None):
                found = inner(value)
            case ast.BinOp(left=left, op=ast.Add(), right=right):
                found = _added(inner(left), inner(right))
            case ast.BinOp(left=left, op=ast.Mult(), right=right):
                a, b = inner(left), inner(right)
                found = a * b if isinstance(a, int) and isinstance(b, int) else None
            case ast.BinOp(left=left, op=ast.Mod(), right=right):
                found = self._percent(inner(left), right, inner)
            case ast.Call(func=f, args=[value], keywords=[]) if self.title(f) == "str":
                held = inner(value)
                found = None if held is None else str(held)
            case ast.Call(func=ast.Attribute(value=text, attr=attr), args=args, keywords=named):
                given = [inner(a) for a in args]
                words = {str(k.arg): inner(k.value) for k in named}
                if attr in _METHODS and None not in (*given, *words.values()):
                    found = _METHODS[attr](inner(text), given, words)
        if isinstance(found, int):
            return found if abs(found) < 1 << 63 else None
        return None if found is not None and len(found) > _MOST_TEXT else found

    def _percent(
        self, text: Constant | None, right: ast.expr, inner: Callable[[ast.expr], Constant | None]
    ) -> str | None:
        """Return what `text % values` gives, of `%s`, `%d` and `%(name)s` alone."""
        if not isinstance(text, str):
            return None
        named: dict[str, Constant | None] = {}
        given: list[Constant | None] = []
        match right:
            case ast.Dict(keys=keys, values=values):
                if None in keys:
                    return None
                for key, value in zip(keys, values, strict=True):
                    named[str(inner(key)) if key is not None else ""] = inner(value)
            case ast.Tuple(elts=parts):
                given = [inner(p) for p in parts]
            case _:
                given = [inner(right)]

        def said(found: re.Match[str]) -> str:
            if found[2] == "%":
                return "%"
            value = named.get(found[1]) if found[1] else (given.pop(0) if given else None)
            whole = found[2] in ("d", "i")
            if found[2] is None or value is None or (whole and not isinstance(value, int)):
                raise _Unclear
            return str(value)

        try:
            return _PERCENT.sub(said, text)
        except _Unclear:
            return None


def _only(titles: set[str]) -> str:
    return next(iter(titles)) if len(titles) == 1 else ""


class _Unclear(Exception):
    """A text that is put together in a way that is not followed."""


def _added(a: Constant | None, b: Constant | None) -> Constant | None:
    if isinstance(a, str) and isinstance(b, str):
        return a + b
    return a + b if isinstance(a, int) and isinstance(b, int) else None


def _joined(parts: Sequence[Constant | None]) -> str | None:
    return None if None in parts else "".join(map(str, parts))


def _replace(text: Constant | None, given: list[Any], words: dict[str, Any]) -> str | None:
    if not isinstance(text, str) or words or [type(x) for x in given] != [str, str]:
        return None
    old, new = given
    return text.replace(old, new) if text.count(old) * len(new) <= _MOST_TEXT else None


def _format(text: Constant | None, given: list[Any], words: dict[str, Any]) -> str | None:
    """Return what `text.format(...)` gives, of plain fields alone."""
    if not isinstance(text, str):
        return None
    pieces: list[str] = []
    count = 0
    try:
        for plain, name, width, conversion in string.Formatter().parse(text):
            pieces.append(plain)
            if name is None:
                continue
            known = words | {str(n): v for n, v in enumerate(given)}
            if not name:  # the next one
                name, count = str(count), count + 1
            if width or conversion or name not in known:
                return None
            pieces.append(str(known[name]))
    except ValueError:
        return None
    return "".join(pieces)


_METHODS: dict[str, Callable[[Any, list[Any], dict[str, Any]], str | None]] = {
    "replace": _replace,
    "format": _format,
}


def scopes(tree: ast.Module) -> Iterator[tuple[Owner | None, Scope]]:
    """Yield the module, and each function and class in it, with its scope."""
    module = Scope(tree.body)
    yield None, module
    yield from _below(tree.body, module)


def _below(body: Sequence[ast.stmt], around: Scope) -> Iterator[tuple[Owner | None, Scope]]:
    for node in inside(body):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            a = node.args
            given = [*a.posonlyargs, *a.args, *a.kwonlyargs, *filter(None, (a.vararg, a.kwarg))]
            own = Scope(node.body, around, frozenset(x.arg for x in given))
            yield node, own
            yield from _below(node.body, own)
        elif isinstance(node, ast.ClassDef):
            yield node, Scope(node.body, around)
            # What a class binds is not seen in its methods.
            yield from _below(node.body, around)
