"""Functions that host code calls for numbers, as statements of the host's own.

`BLOCK, warps = settings(n)` is what the statements of `settings` do, where these are assignments,
conditions, `raise` and `return`: the block of a launch then has the relation to `n` that it has.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import cast

from symcute.frontends.python.modules import Found, Modules
from symcute.frontends.python.pruning import idle, launches, pruned
from symcute.frontends.python.scopes import Function, Scope, bound, inside, scopes

__all__ = ["inlined"]

#: What a function may consist of; and how many statements, as ways part.
_STATEMENTS = (
    ast.Assign, ast.AnnAssign, ast.AugAssign, ast.If, ast.Raise, ast.Return, ast.Assert, ast.Expr,
    ast.Pass,
)  # fmt: skip
_ODD = (
    ast.Lambda, ast.NamedExpr, ast.Await, ast.Yield, ast.YieldFrom, ast.Starred,
    ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp,
)  # fmt: skip
_MOST, _DEEPEST = 120, 3


def inlined(tree: ast.Module, path: Path) -> ast.Module:
    """Return a file in which functions that launch kernels have the statements of what they call.

    The functions that are called are those of the file, and of modules in the folder of its
    package. New names have spaces in them, so that they are no others. The tree itself is changed.

    >>> text = '''
    ... import triton
    ... def settings(n):
    ...     if n > 100:
    ...         raise ValueError
    ...     return triton.next_power_of_2(n), 4
    ... def host(x, n):
    ...     BLOCK, warps = settings(n)
    ...     kernel[(1,)](x, n, BLOCK=BLOCK)
    ... '''
    >>> print(ast.unparse(inlined(ast.parse(text), Path("k.py")).body[-1]).splitlines()[2])
            raise ValueError
    """
    parts = list(scopes(tree))
    inlining = _Inlining(path, Modules(parts[0][1].patched))
    for owner, scope in parts:
        if isinstance(owner, ast.FunctionDef) and any(map(launches, inside(owner.body))):
            inlining.idle = idle(owner)
            owner.body = inlining.body(owner.body, scope, path, _DEEPEST)
    first = tree.body[0].lineno if tree.body else 1
    for made in inlining.imports():
        tree.body.insert(0, _placed(made, first, 0))
    return tree


@dataclass
class _Inlining:
    path: Path
    modules: Modules
    count: int = 0
    #: Names of the host of which nobody asks what they are.
    idle: frozenset[str] = frozenset()
    #: Modules and what is of them, by their full names, and what they are called.
    named: dict[str, str] = field(default_factory=dict)

    def imports(self) -> Iterator[ast.stmt]:
        for title, name in self.named.items():
            module, _, last = title.rpartition(".")
            alias = ast.alias(last, name)
            yield ast.ImportFrom(module, [alias], 0) if module else ast.Import([alias])

    def body(
        self, body: Sequence[ast.stmt], scope: Scope, path: Path, depth: int
    ) -> list[ast.stmt]:
        """Return statements with those of what they call, where a statement is such a call."""
        found: list[ast.stmt] = []
        for s in body:
            if not isinstance(s, (Function, ast.ClassDef)):
                for name in ("body", "orelse", "finalbody"):
                    inner = getattr(s, name, None)
                    if inner:
                        setattr(s, name, self.body(inner, scope, path, depth))
                for h in getattr(s, "handlers", ()):
                    h.body = self.body(h.body, scope, path, depth)
            found += self._statements(s, scope, path, depth) or [s]
        return found

    def _statements(
        self, s: ast.stmt, scope: Scope, path: Path, depth: int
    ) -> list[ast.stmt] | None:
        """Return what a statement does that is a call of a function, or None."""
        targets: list[ast.expr] = []
        match s:
            case ast.Assign(targets=[ast.Tuple(elts=targets)], value=ast.Call() as call):
                pass
            case ast.Assign(targets=[one], value=ast.Call() as call):
                targets = [one]
            case ast.Expr(value=ast.Call() as call):
                pass
            case _:
                return None
        name = call.func.id if isinstance(call.func, ast.Name) else ""
        found = self.modules.function(name, scope, path) if name and depth else None
        if found is None or not found.is_there(path, s) or not _is_plain(found.node):
            return None
        given = _given(found.node, call)
        if given is None:
            return None
        self.count += 1
        mark = f"of {name} {self.count}"
        own = self.body(copy.deepcopy(found.node).body, found.inside(), found.path, depth - 1)
        renaming = _Renaming(self, found, (scope, path), given, mark)
        results = [f"result {n} {mark}" for n in range(len(targets))]
        is_whole = isinstance(s, ast.Assign) and not isinstance(s.targets[0], ast.Tuple)
        body = _flat([renaming.visit(x) for x in own], results, is_whole)
        if body is None:
            return None
        body[:0] = [
            ast.Assign([ast.Name(renaming.local(p), ast.Store())], x)
            for p, x in given.items() if p not in renaming.put
        ]  # fmt: skip
        read = {
            r for r, t in zip(results, targets, strict=True)
            if not (isinstance(t, ast.Name) and t.id in self.idle)
        }  # fmt: skip
        body, _ = pruned(body, read)
        if isinstance(s, ast.Assign):
            names = [r if r in read else f"unknown {r}" for r in results]
            values: list[ast.expr] = [ast.Name(n, ast.Load()) for n in names]
            body.append(
                ast.Assign(s.targets, values[0] if is_whole else ast.Tuple(values, ast.Load()))
            )
        return [_placed(x, call.lineno, call.col_offset) for x in body]

    def name_of(self, title: str) -> str:
        """Return what something of a library is called, once more."""
        return self.named.setdefault(title, f"{title} imported")


class _Renaming(ast.NodeTransformer):
    """The names of a function as names in another: its own are new, others mean what they mean."""

    def __init__(
        self,
        whole: _Inlining,
        found: Found,
        caller: tuple[Scope, Path],
        given: Mapping[str, ast.expr],
        mark: str,
    ) -> None:
        self.whole, self.found, self.caller, self.mark = whole, found, caller, mark
        stored = frozenset(bound(found.node.body))
        self.own = stored | given.keys()
        #: What is given as it is, since nobody changes it.
        self.put = {
            p: x for p, x in given.items()
            if isinstance(x, (ast.Name, ast.Constant)) and p not in stored
        }  # fmt: skip

    def local(self, name: str) -> str:
        return f"{name} {self.mark}"

    def visit_Call(self, node: ast.Call) -> ast.AST:
        """Return what a function gives that takes nothing and is one expression."""
        name = node.func.id if isinstance(node.func, ast.Name) else ""
        if not name or node.args or node.keywords:
            return self.generic_visit(node)
        found = self.whole.modules.function(name, self.found.inside(), self.found.path)
        if found is None or not found.is_there(self.found.path, node) or not _is_plain(found.node):
            return self.generic_visit(node)
        match _flat(copy.deepcopy(found.node.body), ["result"], True):
            case [ast.Assign(value=value)] if _given(found.node, node) == {}:
                inner = _Renaming(self.whole, found, self.caller, {}, self.mark)
                return cast(ast.expr, inner.visit(value))
        return self.generic_visit(node)

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        """Return an attribute, unless the function's file puts one of this name into modules."""
        if self.found.scope.is_patched(node.attr):
            return ast.Name(f"unknown {self.local(node.attr)}", ast.Load())
        return self.generic_visit(node)

    def visit_Name(self, node: ast.Name) -> ast.AST:
        """Return what a name is there."""
        name = node.id
        if name in self.put:
            return copy.deepcopy(self.put[name])
        if name in self.own:
            return ast.Name(self.local(name), node.ctx)
        if " " in name:
            return node
        module = self.found.scope
        known = module.constant(node)
        title = module.title(node)
        if isinstance(known, str) or (isinstance(known, int) and known >= 0):
            return ast.Constant(known)
        if title and title != name:
            return ast.Name(self.whole.name_of(title), ast.Load())
        scope, path = self.caller
        if title and scope.title(node) == title:
            return node  # a name of Python's
        here = self.whole.modules.function(name, scope, path)
        own = module.function(name)
        if here is not None and own is not None and here.node is own[0]:
            return node
        return ast.Name(f"unknown {self.local(name)}", ast.Load())


def _is_plain(node: ast.FunctionDef) -> bool:
    """Is this a function of statements that are followed, and no launch?"""
    parts = [n for s in node.body for n in ast.walk(s)]
    return not node.decorator_list and not any(
        isinstance(n, _ODD)
        or launches(n)
        or (isinstance(n, ast.stmt) and not isinstance(n, _STATEMENTS))
        or (isinstance(n, (ast.Attribute, ast.Subscript)) and not isinstance(n.ctx, ast.Load))
        for n in parts
    )


def _given(node: ast.FunctionDef, call: ast.Call) -> dict[str, ast.expr] | None:
    """Return what each parameter is given, in the order in which that is evaluated."""
    a = node.args
    if a.vararg or a.kwarg or any(isinstance(x, ast.Starred) for x in call.args):
        return None
    places = [x.arg for x in (*a.posonlyargs, *a.args)]
    named = {x.arg for x in (*a.args, *a.kwonlyargs)}
    if len(call.args) > len(places):
        return None
    given = dict(zip(places, call.args, strict=False))
    for k in call.keywords:
        if k.arg is None or k.arg in given or k.arg not in named:
            return None
        given[k.arg] = k.value
    defaults = dict(zip(places[::-1], a.defaults[::-1], strict=False))
    defaults |= {x.arg: d for x, d in zip(a.kwonlyargs, a.kw_defaults, strict=True) if d}
    for p, d in defaults.items():
        if p not in given:
            if not isinstance(d, ast.Constant):
                return None
            given[p] = d
    return given if given.keys() == {*places, *named} else None


def _without_text(body: Sequence[ast.stmt]) -> Sequence[ast.stmt]:
    """Return the statements of a function behind its docstring."""
    match body:
        case [ast.Expr(value=ast.Constant()), *rest]:
            return rest
    return body


def _flat(
    body: Sequence[ast.stmt], results: Sequence[str], is_whole: bool, room: int = _MOST
) -> list[ast.stmt] | None:
    """Return statements without `return`: what comes behind a way that returns is on the others.

    None where they are too many.
    """
    out: list[ast.stmt] = []
    body = _without_text(body)
    for n, s in enumerate(body):
        if len(out) > room:
            return None
        if isinstance(s, ast.Raise):
            return [*out, s]
        if isinstance(s, ast.Return):
            return [*out, *_returned(s.value, results, is_whole)]
        if isinstance(s, ast.If) and any(isinstance(x, ast.Return) for x in ast.walk(s)):
            ways = [_flat(copy.deepcopy([*way, *body[n + 1 :]]), results, is_whole, room // 2)
                    for way in (s.body, s.orelse)]  # fmt: skip
            if ways[0] is None or ways[1] is None:
                return None
            return [*out, ast.If(s.test, ways[0], ways[1])]
        out.append(s)
    return [*out, *_returned(None, results, is_whole)]


def _returned(value: ast.expr | None, results: Sequence[str], is_whole: bool) -> list[ast.stmt]:
    """Return what is left of `return`: its parts have names, if they are asked for."""
    value = value or ast.Constant(None)
    if not results:
        return [ast.Expr(value)]
    if is_whole:
        return [ast.Assign([ast.Name(results[0], ast.Store())], value)]
    if isinstance(value, ast.Tuple) and len(value.elts) == len(results):
        return [
            ast.Assign([ast.Name(r, ast.Store())], x)
            for r, x in zip(results, value.elts, strict=True)
        ]
    names: list[ast.expr] = [ast.Name(r, ast.Store()) for r in results]
    return [ast.Assign([ast.Tuple(names, ast.Store())], value)]


def _placed(node: ast.stmt, line: int, column: int) -> ast.stmt:
    for n in ast.walk(node):
        if isinstance(n, (ast.stmt, ast.expr, ast.alias, ast.keyword)):
            n.lineno, n.col_offset = line, column
            n.end_lineno, n.end_col_offset = line, column
    return node
