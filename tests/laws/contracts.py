"""Contracts: the pre- and post-conditions in docstrings, read as code and run.

In a docstring a section `Pre-conditions:` or `Post-conditions:` holds lines of Python over the
parameters, `result` and the public names of symcute. A line indented deeper goes on with the one
above it; what follows `#` is prose. A line is

    an expression               size(result) == size(layout)
    an expression for every ... result(i) == layout(i) for i in range(size(layout))
    an expression where ...     rank(result) == extension[0] if isinstance(extension[0], int)

An `if` that names nothing which the `for` binds is asked first, and guards the whole line. A
pre-condition says which inputs count; a post-condition is true of every result, a symbolic one at
every instance of its dims. What cannot be said so stands in the summary, in words.
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import CodeType
from typing import Any

import symcute
from symcute.errors import NotAdmissible, SymcuteError, Undecided
from symcute.expr.expression import value_at
from symcute.expr.htuple import HTuple
from symcute.layout import algebra
from symcute.layout.algebra.guarded import GuardedLayout
from symcute.layout.coordinates import crd2idx, idx2crd
from symcute.layout.layout import Layout, slice_, slice_and_offset
from symcute.layout.measures import coshape, cosize

PRE, POST = "Pre-conditions:", "Post-conditions:"


@dataclass(frozen=True)
class Line:
    """One condition; `guard` says where it applies."""

    text: str
    guard: CodeType | None
    body: CodeType

    def applies(self, names: dict[str, Any]) -> bool:
        return self.guard is None or bool(eval(self.guard, names))

    def holds(self, names: dict[str, Any]) -> bool:
        return bool(eval(self.body, names))


@dataclass(frozen=True)
class Contract:
    """An operation with the conditions of its docstring."""

    name: str
    operation: Callable[..., Any]
    pre: tuple[Line, ...]
    post: tuple[Line, ...]

    def names(self, args: tuple[Any, ...]) -> dict[str, Any]:
        """Return what the lines may name: the public names, then the parameters."""
        bound = inspect.signature(self.operation).bind(*args)
        bound.apply_defaults()
        return {**VOCABULARY, **bound.arguments}

    def accepts(self, args: tuple[Any, ...]) -> bool:
        names = self.names(args)
        return all(x.holds(names) for x in self.pre if x.applies(names))

    def result(self, args: tuple[Any, ...], given: tuple[str, ...] = ()) -> Any:
        """Return the result; raises Refused where the operation refuses."""
        try:
            return self.operation(*args, given=given) if given else self.operation(*args)
        except (NotAdmissible, Undecided) as error:
            raise Refused from error

    def broken(self, args: tuple[Any, ...], result: Any) -> tuple[list[Line], list[Line]]:
        """Return the lines that apply to a static result, and those of them that are false.

        A line that cannot be computed because symcute refuses something in it is false, too.
        """
        names = self.names(args) | {"result": result}
        run = [x for x in self.post if x.applies(names)]
        return run, [x for x in run if not _true(x, names)]


def _true(line: Line, names: dict[str, Any]) -> bool:
    try:
        return line.holds(names)
    except SymcuteError:
        return False


class Refused(Exception):
    """The operation is not admissible there, or not decided."""


def _sections(doc: str) -> dict[str, list[str]]:
    """Return the lines of both sections, continuations joined, prose left out."""
    found: dict[str, list[str]] = {PRE: [], POST: []}
    section, column = "", 0
    for raw in inspect.cleandoc(doc).splitlines():
        text = raw.split("#", 1)[0].rstrip()
        indent = len(raw) - len(raw.lstrip())
        if raw in found:
            section, column = raw, 0
        elif indent == 0:
            section = ""
        elif section and text:
            column = column or indent
            if indent > column:
                found[section][-1] += " " + text.strip()
            else:
                found[section].append(text.strip())
    return found


def read_line(text: str) -> Line:
    """Return a line as code. Errors: SyntaxError."""
    for attempt in (text, f"({text})", f"{text} else True"):
        try:
            tree = ast.parse(attempt, mode="eval").body
        except SyntaxError:
            continue
        break
    else:
        raise SyntaxError(f"no condition: {text}")
    guard: ast.expr | None = None
    if isinstance(tree, ast.GeneratorExp):
        guard, tree = _hoisted(tree)
    elif isinstance(tree, ast.IfExp) and attempt != text:
        guard, tree = tree.test, tree.body
    return Line(text, None if guard is None else _code(guard, text), _code(tree, text))


def _hoisted(tree: ast.GeneratorExp) -> tuple[ast.expr | None, ast.expr]:
    """Return the conditions that name nothing bound, and all(...) of the rest."""
    bound = {x.id for g in tree.generators for x in ast.walk(g.target) if isinstance(x, ast.Name)}
    guards: list[ast.expr] = []
    for g in tree.generators:
        free = [c for c in g.ifs if not bound & _used(c)]
        guards += free
        g.ifs = [c for c in g.ifs if c not in free]
    guard = ast.BoolOp(ast.And(), guards) if len(guards) > 1 else (guards or [None])[0]
    return guard, ast.Call(ast.Name("all", ast.Load()), [tree], [])


def _used(tree: ast.AST) -> set[str]:
    return {x.id for x in ast.walk(tree) if isinstance(x, ast.Name)}


def _code(tree: ast.expr, text: str) -> CodeType:
    return compile(ast.fix_missing_locations(ast.Expression(tree)), f"<{text}>", "eval")


def read(name: str, operation: Callable[..., Any]) -> Contract:
    found = _sections(operation.__doc__ or "")
    pre, post = (tuple(map(read_line, found[section])) for section in (PRE, POST))
    return Contract(name, operation, pre, post)


def at(value: Any, dims: Mapping[str, int]) -> Any:
    """Return an argument or a result at integer values of the dims."""
    if isinstance(value, Layout):
        return value.at(dict(dims))
    if isinstance(value, GuardedLayout):
        return GuardedLayout(at(value.layout, dims), value.guard.at(dims))
    if isinstance(value, tuple):
        return type(value)(tuple(at(x, dims) for x in value))
    if value is None or isinstance(value, (bool, int, str)) or inspect.isfunction(value):
        return value
    return value_at(value, dims)


def sizes(value: HTuple) -> list[int]:
    """Return the sizes of the static layouts in a value."""
    if isinstance(value, GuardedLayout):
        value = value.layout
    if isinstance(value, Layout):
        return [int(value.size())]
    return [n for x in value for n in sizes(x)] if isinstance(value, tuple) else []


#: Operations below the algebra; the other functions there only read a layout.
BELOW = (crd2idx, idx2crd, slice_, slice_and_offset, coshape, cosize)
VOCABULARY = {name: getattr(symcute, name) for name in symcute.__all__}
OPERATIONS = {
    **{n: f for n in algebra.__all__ if inspect.isfunction(f := getattr(algebra, n))},
    **{f.__name__: f for f in BELOW},
}
CONTRACTS = {name: read(name, operation) for name, operation in OPERATIONS.items()}
