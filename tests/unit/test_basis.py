"""Coordinate strides: values, text, layouts of them, and what refuses them."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from itertools import product as cartesian
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from symcute.claims.language import evaluate, read_claim, show_value
from symcute.errors import InputError
from symcute.expr.assumptions import dims
from symcute.expr.basis import ArithmeticTuple, E, ScaledBasis, as_arithmetic_tuple, canonical
from symcute.expr.htuple import leaves, product, show
from symcute.layout.algebra import (
    coalesce,
    complement,
    composition,
    left_inverse,
    logical_product,
    right_inverse,
    zipped_divide,
)
from symcute.layout.algebra.identity import make_identity_layout
from symcute.layout.coordinates import idx2crd
from symcute.layout.layout import Layout
from symcute.layout.measures import coshape

SHAPES = st.recursive(
    st.integers(1, 4), lambda t: st.lists(t, min_size=1, max_size=3).map(tuple), max_leaves=4
).filter(lambda s: product(s) <= 64)
PATHS = ((0, 0), (0, 1), (1,), (2,))
BASES = st.builds(lambda v, p: v * E(*p), st.integers(-3, 4), st.sampled_from(PATHS))


def unit(modes: tuple[int, ...], value: int) -> dict[tuple[int, ...], int]:
    return {modes: value} if value else {}


def components(x: object, path: tuple[int, ...] = ()) -> dict[tuple[int, ...], int]:
    """Return the places of a coordinate that are not 0, by definition of an arithmetic tuple."""
    if isinstance(x, ScaledBasis):
        return unit(path + x.modes, x.value)
    if isinstance(x, tuple):
        found: dict[tuple[int, ...], int] = {}
        for k, y in enumerate(x):
            found |= components(y, (*path, k))
        return found
    return unit(path, int(x))


def by_definition(layout: Layout, index: int) -> dict[tuple[int, ...], int]:
    """Return the coordinate at an index: digits times strides, added place by place."""
    total: dict[tuple[int, ...], int] = {}
    modes = layout.modes()
    for k, (s, d) in enumerate(modes):
        digit = index if k == len(modes) - 1 else index % int(s)
        index //= int(s)
        if isinstance(d, ScaledBasis):
            total[d.modes] = total.get(d.modes, 0) + digit * d.value
    return {p: v for p, v in total.items() if v}


@st.composite
def coordinate_layouts(draw: st.DrawFn) -> Layout:
    shape = draw(SHAPES)
    strides = iter(draw(st.lists(BASES, min_size=8, max_size=8)))

    def build(s: object) -> object:
        return tuple(build(x) for x in s) if isinstance(s, tuple) else next(strides)

    return Layout(shape, build(shape))


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (E(0), "1@0"),
        (E(0, 1), "1@1@0"),
        (2 * E(0, 1, 2), "2@2@1@0"),
        (-E(3), "-1@3"),
        (dims("M") * E(1), "M@1"),
        ((dims("M") + 1) * E(1), "(M+1)@1"),
        (E(0) + 3 * E(1), "(1,3)"),
        (E(1) - E(0, 2), "((0,0,-1),1)"),
    ],
)
def test_prints_as_cute_does_and_is_read_back(value: object, text: str) -> None:
    assert str(value) == text
    if isinstance(value, ScaledBasis):
        assert evaluate(text) == value


def test_values_are_immutable_hashable_and_picklable() -> None:
    with pytest.raises(AttributeError):
        E(0).value = 2
    assert len({E(0), E(0), 1 * E(0), E(1), 2 * E(0)}) == 3
    layout = Layout((4, 8), (E(0), 3 * E(1)))
    assert pickle.loads(pickle.dumps(layout)) == layout
    assert hash(layout) == hash(Layout.parse("(4,8):(1@0,3@1)"))
    assert layout != Layout((4, 8), (1, 3))


def test_sums_add_by_component_and_only_numbers_scale() -> None:
    assert E(0) + 2 * E(1) + E(0) == (2, 2)
    assert 0 + E(1) == E(1) and isinstance(E(0) + E(0), ArithmeticTuple)
    assert canonical(E(0, 1) - E(0, 1)) == 0
    for wrong in (lambda: E(0) + 1, lambda: E(0) + E(0, 1), lambda: E(0) * E(1)):
        with pytest.raises(InputError):
            wrong()
    with pytest.raises(InputError):
        ScaledBasis(1, (-1,))


@given(coordinate_layouts(), st.integers(0, 80))
def test_a_layout_evaluates_to_the_sum_of_its_strides(layout: Layout, index: int) -> None:
    assert components(layout(index)) == by_definition(layout, index)
    assert Layout.parse(str(layout)) == layout


@given(SHAPES)
def test_the_identity_gives_back_every_coordinate(shape: object) -> None:
    layout = make_identity_layout(shape)
    for i in range(int(layout.size())):
        crd = idx2crd(i, shape)
        if not isinstance(shape, tuple):
            assert layout(i) == i
        else:
            assert canonical(layout(i)) == canonical(crd) == canonical(layout(crd))


@given(coordinate_layouts())
def test_the_coshape_bounds_every_coordinate(layout: Layout) -> None:
    modes = layout.modes()
    places: dict[tuple[int, ...], int] = {}
    for s, d in modes:
        assert isinstance(d, ScaledBasis)
        places[d.modes] = places.get(d.modes, 0) + (int(s) - 1) * abs(d.value)
    shape = coshape(layout)
    assert components(show_minus_one(shape)) == {p: v for p, v in places.items() if v}
    assert layout.cosize() == product(shape)


def show_minus_one(shape: Any) -> object:
    return tuple(show_minus_one(x) for x in shape) if isinstance(shape, tuple) else shape - 1


@given(coordinate_layouts())
def test_coalesce_keeps_the_map(layout: Layout) -> None:
    result = coalesce(layout)
    assert all(canonical(result(i)) == canonical(layout(i)) for i in range(int(layout.size())))


@given(coordinate_layouts())
def test_composition_with_coordinates_on_the_right(b: Layout) -> None:
    a = Layout(((8, 3), (2, 16), 12), ((1, 100), (1000, 7), 5000))
    try:
        c = composition(a, b)
    except InputError:
        return
    for i in range(int(b.size())):
        crd = as_arithmetic_tuple(b(i))
        assert c(i) == a(crd if isinstance(crd, ArithmeticTuple) else ArithmeticTuple((crd,)))


@given(coordinate_layouts(), st.sampled_from(["2:1", "(2,2):(1,2)", "4:1", "(2,2):(2,1)", "3:0"]))
def test_composition_with_coordinates_on_the_left(a: Layout, text: str) -> None:
    b = Layout.parse(text)
    try:
        c = composition(a, b)
    except InputError:
        return
    assert all(canonical(c(i)) == canonical(a(b(i))) for i in range(int(b.size())))


@pytest.mark.parametrize(
    ("left", "right", "text"),
    [
        ("(4,8):(8,1)", "(2,(2,2)):(2@1,(1@0,4@1))", "(2,(2,2)):(2,(8,4))"),
        ("(4,(2,8)):(1,(4,100))", "(4,3):(1@1@1,0)", "(4,3):(100,0)"),
        ("(256,512):(1@0,1@1)", "6:2", "6:2@0"),
        ("(4,8):(1@0,1@1)", "(4,8):(8,0)", "(4,8):(2@1,0)"),
        ("(M,N):(N,1)", "(N,M):(1@1,1@0)", "(N,M):(1,N)"),
    ],
)
def test_composition_text(left: str, right: str, text: str) -> None:
    assert str(composition(Layout.parse(left), Layout.parse(right))) == text


def test_tiling_an_identity_gives_coordinates_of_tiles() -> None:
    whole = make_identity_layout(Layout.parse("(M,N)"))
    tiles = zipped_divide(whole, (4, 2), given=["M % 4 == 0", "N % 2 == 0"])
    assert str(tiles) == "((4,2),(M/4,N/2)):((1@0,1@1),(4@0,2@1))"
    at = tiles.at({"M": 8, "N": 6})
    for (i, j), (x, y) in cartesian(cartesian(range(4), range(2)), cartesian(range(2), range(3))):
        assert at((i, j), (x, y)) == (4 * x + i, 2 * y + j)


def test_symbolic_values_arrays_and_slices() -> None:
    M, N = dims("M N")
    layout = Layout((M, N), (N * E(0), E(1, 0)))
    assert layout.dims() == {"M", "N"} and not layout.is_static()
    assert str(layout.at({"M": 2, "N": 5})) == "(2,5):(5@0,1@0@1)"
    assert show(layout(1, 3)) == "(N,(3))"
    assert str(layout(None, 2)) == "(M):(N@0)"
    rows, columns = Layout((4, 8), (E(0), E(1)))(np.arange(32))
    assert (rows == np.arange(32) % 4).all() and (columns == np.arange(32) // 4).all()


@pytest.mark.parametrize(
    "operation",
    [
        lambda x: complement(x, 12),
        right_inverse,
        left_inverse,
        lambda x: logical_product(x, 2),
        lambda x: logical_product(Layout(4), x),
    ],
)
def test_operations_without_meaning_name_the_stride(operation: Callable[[object], object]) -> None:
    with pytest.raises(InputError, match="2@1"):
        operation(Layout((4, 2), (E(0), 2 * E(1)))[1])


@pytest.mark.parametrize(
    "text",
    [
        "injective((4,8):(1@0,2@1))",
        "in_bounds((4,8):(2@1,M@0),3)",
        "equal((4,8):(1,8), 32:2@1)",
        "disjoint(4:1, 4:2@1)",
        "is_complement(4:2@1, 4:1, 4)",
        "is_composition(4:2@1, 4:1, 4:1)",
        "is_right_inverse(4:2@1, 4:1)",
        "table(4:2@1, ((0,1,2,3)))",
    ],
)
def test_claims_name_the_stride(text: str) -> None:
    with pytest.raises(InputError, match="@"):
        read_claim(text)


@pytest.mark.parametrize(
    "text",
    ["1@0 % 2", "(1@0)*(1@1)", "4:1@0+1", "4:1@0/2", "(4,2):(1,1@0)", "(4,2):(1@0,1@1@0)",
     "max(1@0,2)", "(1@0,2):4", "1@0 <= 2", "(4,8):(8,1) o 4:1@2", "(4,8):(8,1) o 4:1@1@1"],
)  # fmt: skip
def test_text_that_makes_no_sense_is_refused(text: str) -> None:
    with pytest.raises(InputError):
        evaluate(text)


def test_text_of_sums_and_layouts() -> None:
    assert show_value(evaluate("2*1@0 + 3@1 - 1@0")) == "(1,3)"
    assert show_value(evaluate("((4,8):(1@0,1@1))(3,5)")) == "(3,5)"
    assert show_value(evaluate("coshape((4,M):(1@0,1@1))")) == "(4,M)"
    assert [show(x) for x in leaves(evaluate("(4,8):(1@0,(M*N)@1)").stride)] == ["1@0", "(M*N)@1"]
