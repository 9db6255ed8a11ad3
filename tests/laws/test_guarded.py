"""Does a guarded division visit each element exactly once, whatever the tile leaves over?"""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from symcute import Layout, evaluate, guarded_divide, idx2crd, logical_divide
from symcute.errors import InputError, NotAdmissible, Undecided
from symcute.layout.algebra import GuardedLayout

EXTENTS = st.integers(1, 13)


def visited(divided: GuardedLayout) -> list[int]:
    """The offsets at the coordinates that the guard lets through, by 1-D index of the layout."""
    layout = divided.layout
    coordinates = (idx2crd(i, layout.shape) for i in range(layout.size()))
    return sorted(layout(c) for c in coordinates if divided.guard(c))


def offsets(layout: Layout) -> list[int]:
    return sorted(layout(i) for i in range(layout.size()))


@settings(deadline=None, max_examples=300)
@given(EXTENTS, EXTENTS, st.integers(-3, 20), st.integers(-3, 20), EXTENTS, EXTENTS)
def test_by_mode_each_element_once(m: int, n: int, d: int, e: int, t: int, u: int) -> None:
    layout = Layout((m, n), (d, e))
    assert visited(guarded_divide(layout, (t, u))) == offsets(layout)
    assert visited(guarded_divide(layout, (None, u))) == offsets(layout)
    assert visited(guarded_divide(layout, (t,))) == offsets(layout)


@settings(deadline=None, max_examples=200)
@given(st.lists(EXTENTS, min_size=1, max_size=3), st.integers(1, 40), st.integers(1, 3))
def test_over_the_whole_layout(extents: list[int], tile: int, stride: int) -> None:
    layout = Layout(tuple(extents))
    try:
        divided = guarded_divide(layout, Layout(tile, stride))
    except NotAdmissible:
        return
    assert visited(divided) == offsets(layout)


def test_symbolic_results_hold_at_every_instance() -> None:
    compared = 0
    for text, tiler in (("(M,N):(N,1)", "(4,3)"), ("(M,N):(1,M)", "5"), ("(M,N):(N+2,1)", "(_,4)")):
        divided: Any = evaluate(f"guarded_divide({text}, {tiler})")
        for m, n in product(range(1, 9), repeat=2):
            at = {"M": m, "N": n}
            here = divided.at(at)
            assert visited(here) == offsets(Layout.parse(text).at(at))
            compared += 1
    assert compared == 192


def test_a_tile_that_divides_needs_no_guard() -> None:
    layout = Layout.parse("(M,N):(N,1)")
    given_ = ["M % 128 == 0", "N % 64 == 0"]
    divided = guarded_divide(layout, (128, 64), given=given_)
    assert str(divided) == str(logical_divide(layout, (128, 64), given=given_))
    assert guarded_divide(layout, (128, 64)).guard.parts


def test_the_guard_takes_arrays() -> None:
    divided = guarded_divide(Layout(10, 2), 4)
    t, b = np.meshgrid(np.arange(4), np.arange(3), indexing="ij")
    inside = divided.guard((t, b))
    assert inside.sum() == 10
    assert sorted(divided.layout((t, b))[inside]) == list(range(0, 20, 2))


def test_without_its_guard_the_tail_leaves_the_layout() -> None:
    divided = guarded_divide(Layout(10, 2), 4)
    everywhere = [divided.layout(i) for i in range(divided.layout.size())]
    assert max(everywhere) == 22 > max(offsets(Layout(10, 2)))


def test_what_is_refused() -> None:
    with pytest.raises(InputError, match="the tiler has 2 modes"):
        guarded_divide(Layout(8), (2, 2))
    with pytest.raises(InputError, match="a nested tiler"):
        guarded_divide(Layout(((4, 2), 4)), ((2, 2), 4))
    with pytest.raises(Undecided, match="128"):
        guarded_divide(Layout.parse("(M,N):(N,1)"), 128)
    with pytest.raises(NotAdmissible, match="index 96"):
        guarded_divide(Layout.parse("(12,(4,8)):(7,(1,30))"), 128)
