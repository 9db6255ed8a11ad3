"""Layouts and shapes as they are drawn: small, nested, with zeros and ones; and with dims."""

from __future__ import annotations

from itertools import product as cartesian
from typing import Any

from hypothesis import strategies as st

from symcute.expr.assumptions import dims
from symcute.expr.htuple import leaves, transform
from symcute.expr.htuple import unflatten as rebuild
from symcute.layout.layout import Layout

NAMES = ("M", "N", "K")
DIMS = dict(zip(NAMES, dims("M N K"), strict=True))
MOST = 400

profiles = st.recursive(
    st.just(0), lambda inner: st.lists(inner, min_size=1, max_size=3).map(tuple), max_leaves=5
)
extents = st.integers(1, 5)
strides = st.sampled_from((-3, -1, 0, 0, 1, 2, 3, 4, 7, 12))
points = st.fixed_dictionaries({name: st.integers(1, 5) for name in NAMES})


@st.composite
def layouts(draw: st.DrawFn, leaf: st.SearchStrategy[Any] = strides) -> Layout:
    profile = draw(profiles)
    count = len(list(leaves(profile)))
    shape_ = rebuild(tuple(draw(extents) for _ in range(count)), profile)
    return Layout(shape_, rebuild(tuple(draw(leaf) for _ in range(count)), profile))


@st.composite
def symbolic(draw: st.DrawFn) -> Layout:
    """Return a layout with dims among its extents and strides."""
    profile = draw(profiles)
    count = len(list(leaves(profile)))
    dim = st.sampled_from([DIMS[n] for n in NAMES])
    extent = st.one_of(extents, dim, st.builds(lambda x, c: c * x, dim, st.integers(1, 3)))
    step = st.one_of(strides, dim, st.builds(lambda x, y: x * y, dim, dim))
    return Layout(
        rebuild(tuple(draw(extent) for _ in range(count)), profile),
        rebuild(tuple(draw(step) for _ in range(count)), profile),
    )


def offsets(layout: Layout) -> list[int]:
    return [layout(i) for i in range(layout.size())]


def coordinates(shape_: Any) -> list[Any]:
    """Return the natural coordinates in colexicographic order."""
    flat = [range(s) for s in leaves(shape_)]
    return [rebuild(tuple(reversed(c)), shape_) for c in cartesian(*reversed(flat))]


def added(a: Any, b: Any) -> Any:
    return transform(lambda x, y: x + y, a, b)


shapes = layouts().map(lambda layout: layout.shape)


@st.composite
def refined(draw: st.DrawFn) -> tuple[Any, Any]:
    """Return a shape and one that splits some of its leaves into factors."""
    coarse = draw(shapes)

    def split(s: Any) -> Any:
        if isinstance(s, tuple):
            return tuple(split(x) for x in s)
        factors = [d for d in range(1, s + 1) if s % d == 0]
        d = draw(st.sampled_from(factors))
        return draw(st.sampled_from((s, (d, s // d), (d, (s // d, 1)))))

    return coarse, split(coarse)
