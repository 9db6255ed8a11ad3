"""The structural operations on layouts with dims: as on what these are at an instance.

A symbolic layout is drawn together with an instance; what an operation gives for it must, at the
instance, be what it gives for the static layout.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from symcute.errors import NotAdmissible, SymcuteError, Undecided
from symcute.expr.expression import value_at
from symcute.expr.htuple import leaves, product, transform
from symcute.expr.htuple import unflatten as rebuild
from symcute.layout.algebra.build import (
    compact_major,
    make_fragment_like,
    make_layout_like,
    make_ordered_layout,
)
from symcute.layout.algebra.coalesce import filter_, filter_zeros, flatten
from symcute.layout.algebra.coordinates import crd2crd, dice, domain_offset
from symcute.layout.algebra.modes import (
    append,
    get,
    group,
    prepend,
    replace,
    take,
    transform_leaf,
    unflatten,
    zip_,
)
from symcute.layout.algebra.shape_division import ceil_div, evenly_divides, shape_div
from symcute.layout.algebra.shapes import compatible, weakly_compatible
from symcute.layout.coordinates import idx2crd
from symcute.layout.layout import Layout
from symcute.layout.measures import cosize, rank, size

from .shapes import DIMS, MOST, offsets, points, symbolic

STRUCTURAL: dict[str, Callable[[Layout], Layout]] = {
    "get": lambda x: get(x, x.rank() - 1),
    "take": lambda x: take(x, 0, (x.rank() + 1) // 2),
    "group": lambda x: group(x, x.rank() // 2),
    "unflatten": lambda x: unflatten(flatten(x), ((0,) * len(x.modes()),)),
    "append": lambda x: append(x, x.rank() + 2, Layout(3, DIMS["K"])),
    "prepend": lambda x: prepend(x, x),
    "replace": lambda x: replace(x, x.rank() - 1, Layout((2, 2), (DIMS["M"], 1))),
    "zip": lambda x: zip_(x, x),
    "transform_leaf": lambda x: transform_leaf(x, lambda s, d: ((s, 2), (2 * d, d))),
    "filter_zeros": filter_zeros,
    "filter_zeros by profile": lambda x: filter_zeros(x, (0,) * rank(x)),
    "dice": lambda x: dice((0, *[None] * (x.rank() - 1)), x) if x.depth() else dice(0, x),
    "compact_major": lambda x: Layout(x.shape, compact_major(x.shape, "right")),
    "make_ordered_layout": lambda x: make_ordered_layout(
        x.shape, rebuild(tuple(range(len(x.modes()), 0, -1)), x.shape)
    ),
}


@pytest.mark.parametrize("name", STRUCTURAL)
@settings(max_examples=40, deadline=None)
@given(layout=symbolic(), point=points)
def test_symbolic_structure(name: str, layout: Layout, point: dict[str, int]) -> None:
    operation = STRUCTURAL[name]
    try:
        result = operation(layout).at(point)
    except SymcuteError:
        # Refused for the shape of the tuples: then for the instance as well.
        with pytest.raises(SymcuteError):
            operation(layout.at(point))
        return
    expected = operation(layout.at(point)).at(point)
    assert result.shape == expected.shape
    assume(result.size() <= MOST)
    assert offsets(result) == offsets(expected)


@settings(max_examples=60, deadline=None)
@given(symbolic(), points)
def test_symbolic_filter(layout: Layout, point: dict[str, int]) -> None:
    result, expected = filter_(layout).at(point), filter_(layout.at(point))
    assert result.size() == expected.size()
    assume(result.size() <= MOST)
    assert offsets(result) == offsets(expected)


@settings(max_examples=60, deadline=None)
@given(symbolic(), points)
def test_symbolic_sizes_by_mode(layout: Layout, point: dict[str, int]) -> None:
    static = layout.at(point)
    for k in range(layout.rank()):
        assert value_at(size(layout, k), point) == size(static, k)
        assert value_at(cosize(layout, k), point) == cosize(static, k)
        assert rank(layout, k) == rank(static, k)


@settings(max_examples=60, deadline=None)
@given(symbolic(), points, st.integers(0, 1000))
def test_symbolic_coordinates(layout: Layout, point: dict[str, int], n: int) -> None:
    static = layout.at(point)
    index = n % static.size()
    crd = crd2crd(index, layout.shape, layout.shape)
    at = transform(lambda c: value_at(c, point), crd)
    assert at == crd2crd(index, static.shape, static.shape)
    _, offset = domain_offset(idx2crd(index, static.shape), layout)
    assert value_at(offset, point) == domain_offset(index, static)[1]


@settings(max_examples=60, deadline=None)
@given(symbolic(), points)
def test_a_layout_like_a_symbolic_one_is_compact(layout: Layout, point: dict[str, int]) -> None:
    """Its strides need not be those of the instance: symbolic ones are ordered by position."""
    for like in (make_layout_like, make_fragment_like):
        try:
            result = like(layout)
        except NotAdmissible:
            continue
        static = result.at(point)
        assert static.shape == layout.at(point).shape
        steps = [d == 0 and isinstance(d, int) for d in leaves(result.stride)]
        kept = [1 if zero else s for s, zero in zip(leaves(static.shape), steps, strict=True)]
        compact = Layout(tuple(kept), tuple(leaves(static.stride)))
        assume(compact.size() <= MOST)
        assert sorted(offsets(compact)) == list(range(compact.size()))


@settings(max_examples=60, deadline=None)
@given(symbolic(), symbolic(), points)
def test_symbolic_relations_hold_at_every_instance(
    a: Layout, b: Layout, point: dict[str, int]
) -> None:
    """A decided answer is that of the instance; the same shapes in other parentheses decide."""
    flat = flatten(b)
    shapes_ = [(a.shape, b.shape), (product(b.shape), flat.shape), (flat.shape, flat.shape)]
    for relation in (compatible, weakly_compatible, evenly_divides):
        for left, right in shapes_:
            try:
                answer = relation(left, right)
            except Undecided:
                assert (left, right) == shapes_[0] or relation is evenly_divides
                continue
            at = [transform(lambda x: value_at(x, point), x) for x in (left, right)]
            assert answer == relation(*at)


@settings(max_examples=60, deadline=None)
@given(symbolic(), symbolic(), points)
def test_symbolic_ceil_div(a: Layout, b: Layout, point: dict[str, int]) -> None:
    divisor = product(b.shape)
    try:
        result = ceil_div(a.shape, divisor)
    except (NotAdmissible, Undecided):
        assert isinstance(a.shape, tuple)  # the tiles that CuTe counts may not cover a tuple
        return
    at = transform(lambda x: value_at(x, point), result)
    assert at == ceil_div(a.at(point).shape, value_at(divisor, point))
    try:
        exact = shape_div(a.shape, divisor)
    except (NotAdmissible, Undecided):
        return
    assert transform(lambda x: value_at(x, point), exact) == at


def test_the_generators_reach_what_they_should() -> None:
    """Zero strides, units, nested tuples and dims are all drawn."""
    seen: set[str] = set()

    @settings(max_examples=200, database=None, deadline=None)
    @given(symbolic())
    def draw(layout: Layout) -> None:
        seen.update(
            name
            for name, here in {
                "zero": any(d == 0 for _, d in layout.modes()),
                "unit": any(s == 1 for s, _ in layout.modes()),
                "deep": layout.depth() > 1,
                "leaf": layout.depth() == 0,
                "dims": bool(layout.dims()),
                "large": math.prod(1 for _ in layout.modes()) >= 1 and layout.rank() > 1,
            }.items()
            if here
        )

    draw()
    assert seen == {"zero", "unit", "deep", "leaf", "dims", "large"}
