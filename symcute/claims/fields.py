"""What a claim speaks of, field by field: layouts, leaves and dims in it, and its text."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from symcute.expr.expression import free_dims, is_symbolic, value_at
from symcute.expr.formula import TRUE, Formula
from symcute.expr.htuple import Leaf, leaves, show, transform
from symcute.hardware.access import Access
from symcute.layout.layout import Layout
from symcute.layout.swizzle import ComposedLayout

__all__ = [
    "at_dims",
    "dims_in",
    "each_leaf",
    "layouts_in",
    "leaves_in",
    "show_field",
    "swizzled_in",
]


def show_field(value: Any) -> str:
    """Return a field of a claim in our grammar."""
    if isinstance(value, (Layout, ComposedLayout, Access, Formula)):
        return str(value)
    return f'"{value}"' if isinstance(value, str) else show(value)


def swizzled_in(value: Any) -> Iterator[ComposedLayout]:
    """Yield the swizzled layouts of a field."""
    if isinstance(value, ComposedLayout):
        yield value
    elif isinstance(value, tuple):
        for x in value:
            yield from swizzled_in(x)


def layouts_in(value: Any) -> Iterator[Layout]:
    """Yield the layouts of a field, without their swizzles."""
    if isinstance(value, ComposedLayout):
        yield value.layout
    elif isinstance(value, Layout):
        yield value
    elif isinstance(value, Access):
        yield value.inner
    elif isinstance(value, tuple):
        for x in value:
            yield from layouts_in(x)


def leaves_in(value: Any) -> Iterator[Leaf]:
    """Yield the leaves of a field, in order."""
    if isinstance(value, Layout):
        yield from leaves(value.shape)
        yield from leaves(value.stride)
    elif isinstance(value, ComposedLayout):
        yield value.offset
        yield from leaves_in(value.layout)
    elif isinstance(value, Access):
        yield from value.leaves()
    elif isinstance(value, (Formula, tuple)):
        for x in value.args if isinstance(value, Formula) else value:
            yield from leaves_in(x)
    elif not isinstance(value, str):
        yield value


def dims_in(value: Any) -> set[str]:
    """Return the dims of a field."""
    if isinstance(value, (Layout, ComposedLayout, Access, Formula)):
        return value.dims()
    if isinstance(value, tuple):
        return set().union(*(dims_in(x) for x in value))
    return free_dims(value)


def at_dims(value: Any, dims: Mapping[str, int]) -> Any:
    """Return what a claim speaks of, leaf by leaf, at integer values of the dims."""
    if isinstance(value, (Layout, ComposedLayout, Access)):
        return value.at(dict(dims))
    if isinstance(value, Formula):
        if value.op == "implies" and not value.args[0].holds(dims):
            return Formula("implies", (at_dims(value.args[0], dims), TRUE))  # it asks for no value
        return Formula(value.op, tuple(at_dims(x, dims) for x in value.args))
    if isinstance(value, tuple):
        return tuple(at_dims(x, dims) for x in value)
    return value_at(value, dims) if is_symbolic(value) else value


def each_leaf(function: Callable[[Leaf], Leaf], value: Any) -> Any:
    """Return what a claim speaks of with a function of each leaf in its place."""
    if isinstance(value, Layout):
        return Layout(transform(function, value.shape), transform(function, value.stride))
    if isinstance(value, ComposedLayout):
        inner = each_leaf(function, value.layout)
        return ComposedLayout(value.swizzle, function(value.offset), inner)
    if isinstance(value, Access):
        layout = each_leaf(function, value.layout)
        return Access(layout, value.element_bits, value.access_bits, function(value.base))
    if isinstance(value, Formula):
        return Formula(value.op, tuple(each_leaf(function, x) for x in value.args))
    if isinstance(value, tuple):
        return tuple(each_leaf(function, x) for x in value)
    return function(value) if is_symbolic(value) else value
