"""The post-conditions of the structural operations, on generated static layouts."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from symcute.errors import InputError, NotAdmissible
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

from .shapes import DIMS, MOST, added, coordinates, layouts, offsets, refined, shapes

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
