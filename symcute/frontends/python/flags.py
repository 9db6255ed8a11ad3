"""Parameters of Python functions of which only the truth is asked, or whether they are None.

Which of the two it is, the caller says: it is a parameter of the C++ function, and both ways can be
gone. That holds as long as nobody changes the answer in between.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from symcute.frontends.python.scopes import Function, Scope, bound

__all__ = ["Flags"]

_TESTED = (ast.If, ast.IfExp, ast.While, ast.Assert)
_LOOPS = (ast.For, ast.While, ast.comprehension)


@dataclass
class Flags:
    """The tests that a caller decides, each with the name of what decides it."""

    tests: dict[ast.expr, str] = field(default_factory=dict)
    #: Statements of which one side has a parameter that is None.
    nothing: dict[ast.If, str] = field(default_factory=dict)
    names: list[str] = field(default_factory=list)

    @classmethod
    def of(cls, function: Function | None, scope: Scope, spelled: Callable[[str], str]) -> Flags:
        """Return those of a function; what is `spelled` is no other name of its."""
        found = cls()
        if function is None:
            return found
        body = function.body
        uses = Counter(n.id for s in body for n in ast.walk(s) if isinstance(n, ast.Name))
        rounds = {n for s in body for loop in ast.walk(s) if isinstance(loop, _LOOPS)
                  for n in ast.walk(loop)}  # fmt: skip
        kept = frozenset(bound(body)) | scope.elsewhere
        a = function.args
        given = [*a.posonlyargs, *a.args]
        defaults = dict(zip((x.arg for x in given[::-1]), a.defaults[::-1], strict=False))
        defaults |= {x.arg: d for x, d in zip(a.kwonlyargs, a.kw_defaults, strict=True) if d}
        for parameter in (*given, *a.kwonlyargs):
            name, said = parameter.arg, parameter.annotation
            truth = isinstance(said, ast.Name) and said.id == "bool"
            truth = truth or isinstance(getattr(defaults.get(name), "value", None), bool)
            # What is no truth may be changed between two tests of it, by another name.
            if name not in kept and (truth or uses[name] == 1):
                for node in (n for s in body for n in ast.walk(s)):
                    if isinstance(node, _TESTED) and (truth or node not in rounds):
                        found._tests(node.test, name, spelled(f"if {name}"))
            if name not in scope.elsewhere:
                found._is_none(body, name, spelled(f"{name} is None"))
        return found

    def _tests(self, test: ast.expr, name: str, said: str) -> None:
        match test:
            case ast.Name(id=id) if id == name:
                self._add(test, said)
            case ast.UnaryOp(op=ast.Not(), operand=inner):
                self._tests(inner, name, said)
            case ast.BoolOp(values=parts):
                for part in parts:
                    self._tests(part, name, said)

    def _is_none(self, body: Sequence[ast.stmt], name: str, said: str) -> None:
        """Find `if name is None:` as long as the name is the parameter."""
        for s in body:
            match s:
                case ast.If(test=ast.Compare(
                    ast.Name(id=id), [ast.Is() | ast.IsNot()], [ast.Constant(None)]
                )) if id == name:  # fmt: skip
                    self._add(s.test, said)
                    self.nothing[s] = name
            if name in bound([s]):
                break

    def _add(self, test: ast.expr, said: str) -> None:
        self.tests[test] = said
        if said not in self.names:
            self.names.append(said)
