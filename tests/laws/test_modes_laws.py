"""The post-conditions of the structural operations, on generated layouts, static and symbolic.

A symbolic layout is drawn together with an instance; what an operation gives for it must, at the
instance, be what it gives for the static layout.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import product as cartesian
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from symcute.errors import InputError, NotAdmissible, SymcuteError, Undecided
from symcute.expr.assumptions import dims
from symcute.expr.expression import value_at
from symcute.expr.htuple import leaves, product, transform, wrap
from symcute.expr.htuple import unflatten as rebuild
from symcute.layout.algebra.build import (
    compact_major,
    compact_order,
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
from symcute.layout.algebra.product import tiled_product
from symcute.layout.algebra.shape_division import ceil_div, evenly_divides, shape_div
from symcute.layout.algebra.shapes import compatible, congruent, weakly_compatible, weakly_congruent
from symcute.layout.coordinates import crd2idx, idx2crd
from symcute.layout.layout import Layout, slice_
from symcute.layout.measures import cosize, rank, shape, size, stride

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


# --- picking and arranging modes ---------------------------------------------------------------


@settings(deadline=None)
@given(layouts(), st.data())
def test_get_is_the_map_along_one_mode(layout: Layout, data: st.DataObject) -> None:
    path = []
    here: Any = layout.shape
    while isinstance(here, tuple):
        path.append(data.draw(st.integers(0, len(here) - 1)))
        here = here[path[-1]]
        if data.draw(st.booleans()):
            break
    part = get(layout, *path)
    assert (part.shape, part.stride) == (shape(layout, *path), stride(layout, *path))
    assert (size(part), rank(part), cosize(part)) == (
        size(layout, *path),
        rank(layout, *path),
        cosize(layout, *path),
    )

    def embed(t: Any, way: list[int], inside: Any) -> Any:
        if not way:
            return inside
        return tuple(embed(x, way[1:], inside) if k == way[0] else 0 for k, x in enumerate(t))

    for crd in coordinates(part.shape):
        assert part(crd) == layout(embed(layout.shape, path, crd))


@settings(deadline=None)
@given(layouts(), st.data())
def test_taken_and_grouped_modes(layout: Layout, data: st.DataObject) -> None:
    begin = data.draw(st.integers(0, layout.rank() - 1))
    end = data.draw(st.integers(begin + 1, layout.rank()))
    taken = take(layout, begin, end)
    assert list(taken) == [layout[k] for k in range(begin, end)]
    grouped = group(layout, begin, end)
    assert grouped.rank() == layout.rank() - (end - begin) + 1
    assert grouped[begin] == taken
    assert flatten(grouped).modes() == layout.modes()
    assert offsets(grouped) == offsets(layout)
    assert group(layout, begin) == group(layout, begin, layout.rank())


@settings(deadline=None)
@given(layouts())
def test_unflatten_undoes_flatten(layout: Layout) -> None:
    assert unflatten(flatten(layout), layout) == layout
    assert unflatten(flatten(layout), layout.stride) == layout


@settings(deadline=None)
@given(layouts(), layouts(), st.integers(0, 3))
def test_append_and_prepend(layout: Layout, x: Layout, more: int) -> None:
    n = layout.rank() + more
    longer = append(layout, n, x)
    assert longer.rank() == prepend(layout, n, x).rank() == n
    assert list(longer) == [*layout, *[x] * more]
    assert list(prepend(layout, n, x)) == [*[x] * more, *layout]
    assert append(layout, x) == append(layout, layout.rank() + 1, x)
    # Modes 1:0 change nothing.
    for padded in (append(layout, n), prepend(layout, n)):
        assert offsets(padded) == offsets(layout)


@settings(deadline=None)
@given(layouts(), layouts(), st.data())
def test_replace(layout: Layout, x: Layout, data: st.DataObject) -> None:
    k = data.draw(st.integers(0, layout.rank() - 1))
    result = replace(layout, k, x)
    if isinstance(layout.shape, tuple):
        assert list(result) == [x if j == k else m for j, m in enumerate(layout)]
        assert replace(result, k, layout[k]) == layout
    else:
        assert result == x


@settings(deadline=None)
@given(st.lists(layouts(), min_size=1, max_size=3))
def test_zip(parts: list[Layout]) -> None:
    tuples = [isinstance(x.shape, tuple) for x in parts]
    ranks = {x.rank() for x in parts}
    if len(parts) > 1 and tuples[0] and not (all(tuples) and len(ranks) == 1):
        with pytest.raises(InputError):
            zip_(*parts)
        return
    if len(parts) == 1 and any(tuples) and isinstance(wrap(parts[0].shape)[0], tuple):
        inner = {len(s) if isinstance(s, tuple) else 0 for s in wrap(parts[0].shape)}
        assume(len(inner) == 1)
    zipped = zip_(*parts)
    assert sorted(map(str, zipped.modes())) == sorted(str(m) for x in parts for m in x.modes())
    if len(parts) > 1 and tuples[0]:
        for k in range(parts[0].rank()):
            assert [zipped[k][j] for j in range(len(parts))] == [x[k] for x in parts]
        # Zipped twice, the modes are back.
        assert list(zip_(zipped)) == parts


@settings(deadline=None)
@given(layouts())
def test_transform_leaf(layout: Layout) -> None:
    assert transform_leaf(layout, lambda s, d: (s, d)) == layout
    tripled = transform_leaf(layout, lambda s, d: (s, 3 * d))
    assert offsets(tripled) == [3 * x for x in offsets(layout)]


# --- filter ------------------------------------------------------------------------------------


@settings(deadline=None)
@given(layouts())
def test_filter_keeps_the_offsets(layout: Layout) -> None:
    zeroless = filter_zeros(layout)
    assert zeroless.stride == layout.stride
    assert set(offsets(zeroless)) == set(offsets(layout))
    assert all((s == 1) == (d == 0 or t == 1) for (s, d), t in
               zip(zeroless.modes(), leaves(layout.shape), strict=True))  # fmt: skip
    filtered = filter_(layout)
    assert set(offsets(filtered)) == set(offsets(layout))
    assert filtered.depth() <= 1
    assert filtered == Layout(1, 0) or all(s > 1 and d != 0 for s, d in filtered.modes())
    by_mode = filter_(layout, (0,) * layout.rank())
    assert list(by_mode) == [filter_(m) for m in layout]


@settings(deadline=None)
@given(layouts())
def test_filter_zeros_by_a_profile(layout: Layout) -> None:
    assert filter_zeros(layout, layout.stride) == filter_zeros(layout)
    assert filter_zeros(layout, 1) == layout
    assert filter_zeros(layout, 0).size() == 1
    first = (0, *[1] * (layout.rank() - 1))
    if isinstance(layout.shape, tuple):
        assert filter_zeros(layout, first)[0].size() == 1
        assert list(filter_zeros(layout, first))[1:] == [*layout][1:]


# --- coordinates -------------------------------------------------------------------------------


@settings(deadline=None)
@given(layouts(), st.data())
def test_dice_and_slice_share_the_modes(layout: Layout, data: st.DataObject) -> None:
    def draw(s: Any) -> Any:
        if isinstance(s, tuple) and data.draw(st.booleans()):
            return tuple(draw(x) for x in s)
        return data.draw(st.sampled_from((None, 0)))

    crd = draw(layout.shape)
    kept, fixed = slice_(crd, layout), dice(crd, layout)
    assert sorted((*kept.modes(), *fixed.modes())) == sorted(layout.modes())
    if isinstance(crd, tuple):
        swap = transform(lambda x: 0 if x is None else None, crd)
        assert dice(swap, layout) == kept


@settings(deadline=None)
@given(layouts(), st.data())
def test_domain_offset(layout: Layout, data: st.DataObject) -> None:
    index = data.draw(st.integers(0, layout.size() - 1))
    start = idx2crd(index, layout.shape)
    for crd in (start, index):
        same, offset = domain_offset(crd, layout)
        assert same == layout
        assert all(
            offset + same(c) == layout(added(start, c)) for c in coordinates(layout.shape)[:20]
        )


@settings(deadline=None)
@given(layouts(), layouts(), st.booleans())
def test_crd2crd_keeps_the_index(a: Layout, other: Layout, reuse: bool) -> None:
    # Half of the time a shape of equal size: two shapes drawn apart seldom are.
    b = Layout((*wrap(flatten(a).shape), 1)) if reuse else other
    if not isinstance(b.shape, tuple):
        assert [crd2crd(c, a.shape, b.shape) for c in coordinates(a.shape)] == [*range(a.size())]
    elif a.size() == b.size():
        for i in range(a.size()):
            crd = crd2crd(i, a.shape, b.shape)
            assert crd2idx(crd, b.shape) == i
            natural = idx2crd(i, a.shape)
            assert crd2crd(natural, a.shape, a.shape) == natural
    else:
        with pytest.raises(NotAdmissible):
            crd2crd(0, a.shape, b.shape)


# --- building ----------------------------------------------------------------------------------


@settings(deadline=None)
@given(layouts(), st.data())
def test_compact_strides_are_onto_an_interval(layout: Layout, data: st.DataObject) -> None:
    shape_ = layout.shape
    order = rebuild(tuple(data.draw(st.permutations(range(len(layout.modes()))))), shape_)
    results = [compact_major(shape_, "left"), compact_major(shape_, "right")]
    results += [compact_order(shape_, order), compact_order(shape_, "right")]
    for result in results:
        assert sorted(offsets(Layout(shape_, result))) == list(range(product(shape_)))
    assert results[1] == results[3]
    assert results[0] == Layout(shape_).stride
    assert all((s == 1) == (d == 0) for s, d in Layout(shape_, results[2]).modes())
    # An extent above 1 comes later than another exactly if its stride is larger.
    pairs = [
        (o, d)
        for o, d, s in zip(leaves(order), leaves(results[2]), leaves(shape_), strict=True)
        if s > 1
    ]
    assert sorted(pairs) == sorted(pairs, key=lambda x: x[1])


@settings(deadline=None)
@given(layouts(), st.integers(1, 6))
def test_compact_major_starts_where_it_is_told(layout: Layout, start: int) -> None:
    for major in ("left", "right"):
        base = compact_major(layout.shape, major)
        assert compact_major(layout.shape, major, start) == transform(lambda d: start * d, base)


@settings(deadline=None)
@given(layouts())
def test_a_layout_like_another(layout: Layout) -> None:
    steps = [d for s, d in layout.modes() if s > 1 and d != 0]
    if len(set(steps)) < len(steps):
        with pytest.raises(NotAdmissible):
            make_layout_like(layout)
        return
    like = make_layout_like(layout)
    assert like.shape == layout.shape
    kept = filter_zeros(layout)
    assert sorted(offsets(Layout(kept.shape, like.stride))) == list(range(kept.size()))
    assert [d for s, d in zip(leaves(kept.shape), leaves(like.stride), strict=True) if s == 1] == [
        0 for s in leaves(kept.shape) if s == 1
    ]
    order = [
        x for s, x, y in zip(leaves(kept.shape), leaves(layout.stride), leaves(like.stride),
                             strict=True) if s > 1 for x in ((y, x),)
    ]  # fmt: skip
    assert [x for _, x in sorted(order)] == sorted(x for _, x in order)


@settings(deadline=None)
@given(layouts())
def test_a_fragment_like_a_layout(layout: Layout) -> None:
    if layout.rank() < 2:
        assert (
            make_fragment_like(layout) == Layout(layout.shape) == make_fragment_like(layout.shape)
        )
        return
    steps = [d for mode in [*layout][1:] for s, d in mode.modes() if s > 1]
    if len(set(steps)) < len(steps):
        with pytest.raises(NotAdmissible):
            make_fragment_like(layout)
        return
    fragment = make_fragment_like(layout)
    assert fragment.shape == layout.shape
    first = filter_zeros(layout[0]).shape
    assert fragment[0].stride == Layout(first).stride
    kept = Layout((first, *wrap(layout.shape)[1:]), fragment.stride)
    assert sorted(offsets(kept)) == list(range(kept.size()))
    # As the headers write it: the product of mode 0 with the rest in order.
    rest = make_ordered_layout(layout.shape[1:], layout.stride[1:])
    by_product = tiled_product(Layout(layout.shape[0], fragment[0].stride), rest)
    assert offsets(by_product) == offsets(fragment)


@settings(deadline=None)
@given(layouts(), st.data())
def test_dynamic_order_entries_come_last_from_left_to_right(
    layout: Layout, data: st.DataObject
) -> None:
    count = len(layout.modes())
    numbers = data.draw(st.permutations(range(-2, count - 2)))
    dynamic = data.draw(st.lists(st.booleans(), min_size=count, max_size=count))
    order = [DIMS["M"] if late else n for late, n in zip(dynamic, numbers, strict=True)]
    static = [1000 + k if late else n for k, (late, n) in enumerate(zip(dynamic, numbers))]  # noqa: B905
    got = make_ordered_layout(layout.shape, rebuild(tuple(order), layout.shape))
    assert got == make_ordered_layout(layout.shape, rebuild(tuple(static), layout.shape))


# --- relations and division of shapes ----------------------------------------------------------

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


@settings(deadline=None)
@given(st.one_of(st.tuples(shapes, shapes), refined()))
def test_compatible_means_that_coordinates_carry_over(pair: tuple[Any, Any]) -> None:
    a, b = pair
    fits = all(_accepted(c, b) for c in coordinates(a)[:MOST])
    same = product(a) == product(b) and weakly_congruent(a, b)
    leafwise = (
        fits and same and sorted(crd2idx(c, b) for c in coordinates(a)) == [*range(product(b))]
    )
    assert compatible(a, b) == leafwise
    if compatible(a, b):
        assert weakly_congruent(a, b)
        assert weakly_compatible(a, b)
        assert compatible(b, a) == congruent(a, b)


def _accepted(crd: Any, shape_: Any) -> bool:
    """Return whether a coordinate fits a shape and stays inside it."""
    if isinstance(crd, tuple):
        return (
            isinstance(shape_, tuple)
            and len(crd) == len(shape_)
            and all(_accepted(c, s) for c, s in zip(crd, shape_, strict=True))
        )
    return bool(0 <= crd < product(shape_))


@settings(deadline=None)
@given(refined(), st.data())
def test_weakly_compatible_means_compatible_after_scaling(
    pair: tuple[Any, Any], data: st.DataObject
) -> None:
    coarse, fine = pair
    factors = rebuild(tuple(data.draw(st.integers(1, 4)) for _ in leaves(coarse)), coarse)
    scaled = transform(lambda s, c: s * c, coarse, factors)
    assert weakly_compatible(coarse, scaled)
    assert weakly_compatible(coarse, fine)
    assert weakly_congruent(coarse, fine)
    grown = transform(lambda s: 6 * s + 1, coarse)
    assert weakly_compatible(grown, coarse) is False


@settings(deadline=None)
@given(st.one_of(st.tuples(shapes, shapes), refined()))
def test_ceil_div_covers_and_evenly_divides_says_when_exactly(pair: tuple[Any, Any]) -> None:
    b, a = pair
    try:
        tiles = ceil_div(a, b)
    except InputError:
        assert not evenly_divides(a, b)  # the tiler is deeper somewhere, or has more modes
        return
    assert product(tiles) * product(b) >= product(a)
    if congruent(a, b):
        assert transform(lambda x, y: -(-x // y), a, b) == tiles
        assert evenly_divides(a, b) == all(
            x % y == 0 for x, y in zip(leaves(a), leaves(b), strict=True)
        )
    try:
        assert shape_div(a, b) == tiles
    except InputError:
        assert rank(a) != rank(b) or not evenly_divides(a, b) or not congruent(a, b)


# --- symbolic: the result at an instance is the result of the instance ---------------------------

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
