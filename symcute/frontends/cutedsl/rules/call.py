"""The table of rules, and what every rule asks of its operands.

A rule takes the operation and the values of its operands, and returns the values of its results. An
operation without a rule, and one for which a rule raises, has results of which only their types are
known.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any, NamedTuple, TypeAlias

from symcute.errors import InputError
from symcute.expr.basis import ScaledBasis
from symcute.expr.expression import is_symbolic
from symcute.frontends.cutedsl import types
from symcute.frontends.cutedsl.text import Operation
from symcute.frontends.cutedsl.values import Scope, Tensor
from symcute.layout.layout import Layout
from symcute.layout.swizzle import ComposedLayout

__all__ = ["RULES", "Call", "Unruled", "integers_of", "layout_of", "like", "plain", "rule"]


class Unruled(InputError):
    """A rule does not speak of these operands."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason, "its results are known by their types alone")


class Call(NamedTuple):
    """An operation with the values it takes, and the scope of new dims."""

    operation: Operation
    values: tuple[Any, ...]
    scope: Scope

    def type(self, number: int = 0) -> Any:
        """Return the type of a result."""
        return types.read_type(self.operation.results[number].type)

    def numbers(self, name: str) -> tuple[int, ...]:
        """Return the integers of a property: `2 : i32` or `array<i32: 1, 3>`; () for none."""
        text = self.operation.properties.get(name)
        if text is None:
            return ()
        found = re.fullmatch(r"array<i(?:32|64)(?:: ([-0-9, ]+))?>|(-?[0-9]+) : s?i(?:32|64)", text)
        if found is None:
            raise Unruled(f"{name} = {text}")
        return tuple(map(int, (found.group(1) or found.group(2) or "").replace(",", " ").split()))

    def given(self) -> tuple[str, ...]:
        """Return what is known of the dims of the operands."""
        return self.scope.given(*self.values)


Rule: TypeAlias = Callable[[Call], Any]
RULES: dict[str, Rule] = {}


def rule(*names: str) -> Callable[[Rule], Rule]:
    """Enter a rule in the table."""

    def enter(function: Rule) -> Rule:
        RULES.update(dict.fromkeys((f"cute.{name}" for name in names), function))
        return function

    return enter


def layout_of(x: Any) -> Any:
    """Return a layout, or that of a tensor."""
    found = x.layout if isinstance(x, Tensor) else x
    if not isinstance(found, Layout | ComposedLayout):
        raise Unruled(f"{found!r} is no layout")
    return found


def plain(x: Any) -> Layout:
    """Return a layout that is not swizzled."""
    found = layout_of(x)
    if not isinstance(found, Layout):
        raise Unruled(f"{found} is swizzled")
    return found


def like(x: Any, layout: Any) -> Any:
    """Return a layout where the operand is one, and a tensor with the layout for a tensor."""
    return replace(x, layout=layout) if isinstance(x, Tensor) else layout


def integers_of(x: Any) -> Any:
    """Return integers in a hierarchy."""
    if isinstance(x, tuple):
        return tuple(map(integers_of, x))
    if x is None or isinstance(x, int | ScaledBasis) or is_symbolic(x):
        return x
    raise Unruled("no integers")
