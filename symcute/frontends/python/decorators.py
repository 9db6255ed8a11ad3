"""Decorators of functions that launch kernels: which hand on what they are given as it is."""

from __future__ import annotations

import ast

from symcute.frontends.python.scopes import Function, Scope, bound

__all__ = ["hands_on"]

#: By their full names, so that a function of the file by such a name is none of them. Whoever has
#: values of its own is not here: `pytest.mark.parametrize`, fixtures, `triton.testing.perf_report`.
_PLAIN = frozenset({
    "staticmethod", "classmethod",
    "torch.no_grad", "torch.enable_grad", "torch.inference_mode", "torch.compile",
})  # fmt: skip
_MARKS = frozenset({"skip", "skipif", "slow", "xfail", "timeout", "cuda", "gpu", "filterwarnings"})


def hands_on(function: Function, scope: Scope) -> bool:
    """Return whether a function is given whatever a caller gives, as far as that is plain.

    `scope` is the one that the function stands in. A decorator that is not known may call it with
    something else, check before, or never call it; that of a class, or its metaclass, may do so to
    its methods. What a test is given, pytest has of its fixtures.

    >>> def hands(text):
    ...     tree = ast.parse(text)
    ...     found = [n for n in ast.walk(tree) if isinstance(n, ast.FunctionDef)]
    ...     return hands_on(found[-1], Scope(tree.body))
    >>> hands("import torch\\n@torch.no_grad()\\ndef f(n): pass")
    True
    >>> hands("from torch import no_grad\\n@checked\\n@no_grad()\\ndef f(n): pass")
    False
    >>> hands("def staticmethod(f): return print\\n@staticmethod\\ndef f(n): pass")
    False
    >>> hands("@checked\\nclass A:\\n def f(n): pass")
    False
    >>> hands("def test_f(n): pass"), hands("def test_f(): pass")
    (False, True)
    """
    a = function.args
    if function.name.startswith("test_") and (a.posonlyargs or a.args or a.kwonlyargs):
        return False
    classes = [n for s in scope.body for n in ast.walk(s) if isinstance(n, ast.ClassDef)]
    around = [c for c in classes if function in ast.walk(c)]
    own = {name for c in around for name in bound(c.body)}
    return not any(c.decorator_list or c.keywords for c in around) and all(
        _is_plain(d, scope, own) for d in function.decorator_list
    )


def _is_plain(decorator: ast.expr, scope: Scope, own: set[str]) -> bool:
    """Is this one of those that are known, where some names are those of a class?"""
    if own & {n.id for n in ast.walk(decorator) if isinstance(n, ast.Name)}:
        return False
    title = scope.title(decorator.func if isinstance(decorator, ast.Call) else decorator)
    mark = title.removeprefix("pytest.mark.")
    return title in _PLAIN or (mark != title and mark in _MARKS)
