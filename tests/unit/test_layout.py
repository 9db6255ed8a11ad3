"""Layouts: construction, bad input, evaluation."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest
import sympy

from symcute import Layout, dims, evaluate
from symcute.claims.language import read_claim
from symcute.errors import InputError, TextError
from symcute.layout.algebra.build import make_ordered_layout
from symcute.layout.coordinates import crd2idx, idx2crd


@pytest.mark.parametrize(
    ("shape", "stride", "message"),
    [
        ((4, 8), (1,), "differ in hierarchy"),
        ((4, (2, 2)), (1, 4), "differ in hierarchy"),
        (4, (1,), "differ in hierarchy"),
        ((4, 0), None, "extent 0"),
        ((4, -2), (1, 4), "extent -2"),
        ((4, 2.5), None, "2.5 in the shape is a float"),
        (("4", 2), None, "not an integer"),
        ((True, 2), None, "not an integer"),
        (None, None, "not an integer"),
        (sympy.Rational(1, 2), None, "is not an integer"),
        (sympy.Symbol("M"), None, "is not a dim"),
        (sympy.Symbol("M", integer=True, positive=True), None, "is not a dim"),
    ],
)
def test_bad_shapes_are_refused(shape: Any, stride: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        Layout(shape, stride)


@pytest.mark.parametrize(
    "text",
    ["(4,8):(1)", "(4,8:(1,4)", "(0,8):(1,4)", "4:1.5", "4:", "(4,,8)", "4:1 5", "M=3", "4:M/0"],
)
def test_bad_text_is_refused_with_its_place(text: str) -> None:
    with pytest.raises(TextError, match="column"):
        Layout.parse(text)


@pytest.mark.parametrize("text", ["4:" + "1" * 1_000_000, "(" * 10_000 + "4" + ")" * 10_000])
def test_huge_text_is_an_error_not_a_crash(text: str) -> None:
    with pytest.raises(InputError):
        Layout.parse(text)


def test_unknown_dims_have_no_value() -> None:
    with pytest.raises(InputError, match="the dim N has no value"):
        Layout.parse("(M,N):(N,1)").at({"M": 3})


def test_an_instance_with_an_extent_of_0_is_refused() -> None:
    with pytest.raises(InputError, match="extent 0"):
        Layout.parse("(M-1):1").at({"M": 1})


def test_evaluation_agrees_with_loops_at_every_kind_of_coordinate() -> None:
    layout = Layout.parse("((2,3),(4,5)):((7,-3),(0,11))")
    index = 0
    for d in range(5):
        for c in range(4):
            for b in range(3):
                for a in range(2):
                    expected = 7 * a - 3 * b + 11 * d
                    assert layout((a, b), (c, d)) == expected
                    assert layout(a + 2 * b, c + 4 * d) == expected
                    assert layout(index) == expected
                    assert crd2idx(idx2crd(index, layout.shape), layout.shape) == index
                    index += 1
    assert (layout(np.arange(120)) == np.array([layout(i) for i in range(120)])).all()


def test_a_symbolic_coordinate_agrees_with_its_instances() -> None:
    layout, i = Layout.parse("(M,4):(4,1)"), dims("i")
    value = layout(i)
    from symcute.expr.expression import value_at

    for m in range(1, 5):
        for k in range(4 * m):
            assert value_at(value, {"M": m, "i": k}) == layout.at({"M": m})(k)


def test_a_layout_of_2_to_the_60_elements_is_just_numbers() -> None:
    side = 1 << 20
    layout = Layout((side, side, side))
    assert layout.size() == layout.cosize() == 1 << 60
    assert layout((1 << 60) - 1) == (1 << 60) - 1


def test_large_arrays_of_coordinates_do_not_wrap() -> None:
    layout = Layout((1 << 40, 1 << 40))
    at = np.array([(1 << 40) - 1])
    assert int(layout((at, at))[0]) == (1 << 80) - 1


def test_layouts_are_immutable_values() -> None:
    layout = Layout((4, 8), (8, 1))
    with pytest.raises(AttributeError):
        layout.shape = 4
    assert layout == Layout([4, 8], [8, 1])
    assert hash(layout) == hash(Layout((4, 8), (8, 1)))
    assert pickle.loads(pickle.dumps(layout)) == layout


def test_tied_orders_are_refused() -> None:
    with pytest.raises(InputError, match="its own place"):
        make_ordered_layout((2, 2), (0, 0))


@pytest.mark.parametrize("coordinate", [(1, 2, 3), ((1, 2), 3), 1.5, "1"])
def test_a_coordinate_that_does_not_fit_is_refused(coordinate: Any) -> None:
    with pytest.raises(InputError):
        Layout((4, 8))(coordinate)


def test_dims_have_values_by_name_or_in_a_mapping() -> None:
    layout = Layout.parse("(M,N):(N,1)")
    want = Layout((2, 3), (3, 1))
    assert layout.at(M=2, N=3) == layout.at({"M": 2, "N": 3}) == layout.at({"M": 2}, N=3) == want
    assert Layout.parse("(self,dims):(1,self)").at(self=2, dims=3) == Layout((2, 3))
    with pytest.raises(InputError, match="the dim N has no value"):
        layout.at(M=2)
    swizzled = evaluate("Sw<1,0,1> o M o (M,4)").at(M=2)
    assert str(swizzled) == "Sw<1,0,1> o 2 o (2,4):(1,2)"
    claim = read_claim("injective((M,N):(LD,1))")
    assert claim.at(M=2, N=3, LD=3) == claim.at({"M": 2, "N": 3, "LD": 3})
    assert read_claim("M <= N").at(M=2, N=3) == read_claim("2 <= 3")


def test_text_is_no_shape() -> None:
    with pytest.raises(InputError, match=r"write Layout.parse\('\(4,8\):\(8,1\)'\)"):
        Layout("(4,8):(8,1)")
