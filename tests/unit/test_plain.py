"""Layouts of ints take a short road through the algebra; the long one must agree with it."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest

import symcute as s
from symcute.layout.layout import _filled


def random_layout(rng: random.Random, depth: int = 2) -> s.Layout:
    def shape(level: int) -> Any:
        nested = level > 0 and rng.random() < 0.4
        return tuple(shape(level - 1) for _ in range(rng.randint(1, 3))) if nested else leaf()

    def leaf() -> int:
        return rng.choice((1, 2, 2, 3, 4, 6, 8))

    found = tuple(shape(depth - 1) for _ in range(rng.randint(1, 3)))
    if rng.random() < 0.5:
        return s.Layout(found)
    strides = [rng.choice((-1, 0, 1, 1, 2, 3, 4, 8, 12)) for _ in s.Layout(found).modes()]
    items = iter(strides)

    def build(t: Any) -> Any:
        return tuple(build(x) for x in t) if isinstance(t, tuple) else next(items)

    return s.Layout(found, build(found))


def on_the_long_road(layout: s.Layout) -> s.Layout:
    return _filled(layout.shape, layout.stride, plain=False, coordinate_strides=False)


def outcome(function: Callable[..., Any], *args: Any) -> str:
    try:
        return str(function(*args))
    except s.SymcuteError as error:
        return f"{type(error).__name__}: {error}"


ONE = (
    s.coalesce,
    s.filter_,
    s.flatten,
    s.right_inverse,
    s.left_inverse,
    s.cosize,
    s.size,
    lambda x: x(5),
    lambda x: x((0,) * x.rank()),
    lambda x: x(*(None,) * x.rank()),
    lambda x: s.slice_and_offset((1, *(None,) * (x.rank() - 1)), x),
    lambda x: s.complement(x, 96),
    lambda x: [str(mode) for mode in x],
    lambda x: x[-1],
    lambda x: x.is_static(),
)
TWO = (s.composition, s.logical_divide, s.logical_product, s.make_layout, s.blocked_product)


@pytest.mark.parametrize("seed", range(4))
def test_the_short_road_ends_where_the_long_one_does(seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(60):
        a, b = random_layout(rng), random_layout(rng)
        assert a.plain and b.plain
        long_a, long_b = on_the_long_road(a), on_the_long_road(b)
        for function in ONE:
            assert outcome(function, a) == outcome(function, long_a), (function, str(a))
        for function in TWO:
            assert outcome(function, a, b) == outcome(function, long_a, long_b), (str(a), str(b))


@pytest.mark.parametrize("seed", range(4))
def test_an_offset_of_ints_is_that_of_the_definition(seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(200):
        layout = random_layout(rng)
        index = rng.randrange(-5, 200)
        rest, expected, step = index, 0, 0
        for k, (extent, step) in enumerate(layout.modes()):
            last = k == len(layout.modes()) - 1
            expected += (rest if last else rest % extent) * step
            rest //= extent
        assert layout(index) == expected
        assert s.crd2idx(index, layout.shape, layout.stride) == expected
        assert layout(s.idx2crd(index, layout.shape)) == expected


@pytest.mark.parametrize(
    ("shape", "stride"),
    [
        ((4, True), (1, 4)),
        ((4, 2.0), (1, 4)),
        ((4, ()), (1, ())),
        ((4, 2), (1, 4, 8)),
        ((4, (2, 2)), (1, 4)),
        ((4, 2), (1, "4")),
    ],
)
def test_what_is_not_plain_is_still_checked(shape: Any, stride: Any) -> None:
    with pytest.raises(s.InputError):
        s.Layout(shape, stride)
    with pytest.raises(s.InputError):
        s.crd2idx(3, shape, stride)


def test_an_extent_below_one_is_refused() -> None:
    with pytest.raises(s.InputError):
        s.Layout((4, 0), (1, 4))
    with pytest.raises(s.InputError):
        s.Layout((4, (2, -1)))


def test_a_layout_with_a_dim_is_not_plain() -> None:
    assert not s.Layout.parse("(M,4)").plain
    assert not s.make_identity_layout((4, 2)).plain
    assert s.Layout.parse("(M,4)")[1].is_static() is False
    assert s.Layout.parse("(M,4):(1,2)")[1].plain
    assert s.Layout.parse("(M,4):(1,2)").at({"M": 3}).plain


def test_the_same_tuples_give_the_same_layout_and_equal_ones_are_checked_again() -> None:
    shape, stride = (1, 4), (0, 1)
    layout = s.Layout(shape, stride)
    assert s.Layout(shape, stride) is layout
    assert s.Layout(tuple(iter(shape)), tuple(iter(stride))) == layout
    for bad in ((True, 4), (1.0, 4), (1, 4.0)):
        with pytest.raises(s.InputError):
            s.Layout(bad, stride)
    for bad in ((False, 1), (0, True), (0.0, 1)):
        with pytest.raises(s.InputError):
            s.Layout(shape, bad)
    assert str(s.Layout((2, 2), stride)) == "(2,2):(0,1)"


def test_a_layout_cannot_be_changed_or_refined() -> None:
    layout = s.Layout((4, 8), (8, 1))
    for name in ("shape", "stride", "plain", "parts", "other"):
        with pytest.raises(AttributeError):
            setattr(layout, name, 3)
    with pytest.raises(TypeError):
        type("Other", (s.Layout,), {})
    for mode in (2, -3, True, slice(0, 1)):
        with pytest.raises(s.InputError, match="has no mode"):
            layout[mode]
    assert (str(layout[0]), str(layout[-1])) == ("4:8", "8:1")
