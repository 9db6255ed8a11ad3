"""tile_to_shape, upcast, downcast and recast against their contracts, by brute force."""

from __future__ import annotations

from itertools import product as cartesian
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from symcute.errors import InputError, NotAdmissible, Undecided
from symcute.expr.htuple import flatten, product
from symcute.layout.algebra.tile import downcast, recast, tile_to_shape, upcast
from symcute.layout.layout import Layout

P = Layout.parse
MODES = st.lists(
    st.tuples(st.integers(1, 6), st.sampled_from([0, 1, 1, 2, 3, 4, 6, 8, 16, -1, -2])),
    min_size=1,
    max_size=3,
)


def layout_of(modes: list[tuple[int, int]]) -> Layout:
    return Layout(tuple(s for s, _ in modes), tuple(d for _, d in modes))


def coordinates(layout: Layout) -> Any:
    return cartesian(*(range(int(s)) for s in flatten(layout.shape)))


def upcast_is_right(layout: Layout, result: Layout, n: int) -> bool:
    widths = [n // d if 0 < d < n and n % d == 0 else 1 for _, d in layout.modes()]
    return all(
        result(tuple(c // w for c, w in zip(crd, widths, strict=True))) == layout(crd) // n
        for crd in coordinates(layout)
    )


@given(MODES, st.sampled_from([1, 2, 3, 4, 8]))
def test_upcast_addresses_the_word_of_every_element(modes: list[tuple[int, int]], n: int) -> None:
    layout = layout_of(modes)
    try:
        result = upcast(layout, n)
    except NotAdmissible:
        assert n > 1
        return
    assert upcast_is_right(layout, result, n)


@given(MODES, st.sampled_from([2, 4, 8]))
def test_upcast_refuses_only_what_has_no_right_result(modes: list[tuple[int, int]], n: int) -> None:
    """Where every stride is a positive divisor or a multiple of n, a refusal must be due."""
    layout = layout_of(modes)
    if not all(d % n == 0 or (d > 0 and n % d == 0) for _, d in modes):
        return
    shape = tuple(-(-s // max(1, n // d)) if 0 < d < n else s for s, d in modes)
    naive = Layout(shape, tuple(-(-d // n) for _, d in modes))
    try:
        upcast(layout, n)
        refused = False
    except NotAdmissible:
        refused = True
    assert refused != upcast_is_right(layout, naive, n)


@given(MODES, st.sampled_from([2, 3, 4]))
def test_downcast_reaches_every_element_of_every_word(modes: list[tuple[int, int]], n: int) -> None:
    layout = layout_of(modes)
    ones = [k for k, (_, d) in enumerate(modes) if d == 1]
    try:
        result = downcast(layout, n)
    except NotAdmissible:
        assert len(ones) != 1 or any(d == -1 for _, d in modes)
        return
    (k,) = ones
    for crd in coordinates(layout):
        for r in range(n):
            fine = (*crd[:k], n * crd[k] + r, *crd[k + 1 :])
            assert result(fine) == n * layout(crd) + r
    assert result.size() == n * int(layout.size())


@given(MODES, st.sampled_from([2, 4]))
def test_downcast_undoes_upcast_of_whole_words(modes: list[tuple[int, int]], n: int) -> None:
    layout = downcast_or_none(layout_of(modes), n)
    if layout is not None:
        assert upcast(layout, n) == layout_of(modes)


def downcast_or_none(layout: Layout, n: int) -> Layout | None:
    try:
        return downcast(layout, n)
    except NotAdmissible:
        return None


@pytest.mark.parametrize(
    ("text", "old", "new", "result"),
    [
        ("(8,16):(16,1)", 8, 8, "(8,16):(16,1)"),
        ("(8,16):(16,1)", 8, 32, "(8,4):(4,1)"),
        ("(8,4):(4,1)", 32, 8, "(8,16):(16,1)"),
        ("(8,12):(12,1)", 4, 6, "(8,8):(8,1)"),
        ("(64,M):(1,64)", 16, 128, "(8,M):(1,8)"),
        ("(M,N):(N,1)", 32, 8, "(M,4*N):(4*N,1)"),
        ("((2,3),(5,7)):((1,2),(6,30))", 8, 4, "((4,3),(5,7)):((1,4),(12,60))"),
        ("(3,4):(1,4)", 8, 16, "(2,4):(1,2)"),
    ],
)
def test_recast_text(text: str, old: int, new: int, result: str) -> None:
    assert str(recast(P(text), old, new)) == result


@pytest.mark.parametrize(
    "refused",
    [
        lambda: upcast(P("(4,2):(1,3)"), 2),  # 2 and 3 divide neither way
        lambda: upcast(P("4:-1"), 2),  # the elements 0 and -1 are in two words
        lambda: upcast(P("(4,2):(1,2)"), 4),  # 3 + 2 leaves the word
        lambda: upcast(P("(2,2):(2,2)"), 4),
        lambda: downcast(P("4:2"), 2),
        lambda: downcast(P("(2,2):(1,1)"), 2),
        lambda: downcast(P("(2,2):(1,-1)"), 2),
        lambda: tile_to_shape(P("(3,2):(1,3)"), (8, 8)),
    ],
)
def test_what_cute_gets_wrong_or_refuses_is_refused(refused: Any) -> None:
    with pytest.raises(NotAdmissible):
        refused()


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: upcast(P("4:1"), 0),
        lambda: downcast(P("4:1"), -1),
        lambda: upcast(P("4:1@0"), 2),
        lambda: downcast(P("4:1@0"), 2),
        lambda: recast(P("4:1"), 0, 8),
        lambda: tile_to_shape(P("(2,2):(1,2)"), 8),
        lambda: tile_to_shape(P("2:1"), (8, 0)),
    ],
)
def test_input_that_makes_no_sense_is_refused(wrong: Any) -> None:
    with pytest.raises(InputError):
        wrong()


def test_symbolic_casts_ask_for_what_they_need() -> None:
    with pytest.raises(Undecided, match="LD % 8 == 0"):
        upcast(P("(64,M):(1,LD)"), 8)
    with pytest.raises(Undecided, match="M % 8 == 0"):
        tile_to_shape(P("(8,4):(4,1)"), P("(M,N)").shape)
    cast = upcast(P("(M,4):(1,LD)"), 4, given=["LD % 4 == 0"])
    for m in range(1, 10):
        dims = {"M": m, "LD": 12}
        assert cast.at(dims) == upcast(P("(M,4):(1,LD)").at(dims), 4)


BLOCKS = ["(2,3):(1,2)", "(2,3):(3,1)", "((2,2),3):((1,2),4)", "4:1", "(2,2):(2,8)", "(4,2):(1,0)"]


@pytest.mark.parametrize("text", BLOCKS)
@pytest.mark.parametrize("more", [(1, 1), (2, 3), (3, 2, 2), (1, 4, 1)])
def test_tiles_fill_the_target_shape(text: str, more: tuple[int, ...]) -> None:
    block = P(text)
    sizes = [int(m.size()) for m in block] + [1] * (len(more) - block.rank())
    target = tuple(s * m for s, m in zip(sizes, more, strict=True))
    for order in (None, tuple(range(len(more)))[::-1]):
        try:
            result = tile_to_shape(block, target, order)
        except NotAdmissible:
            assert text in ("(2,2):(2,8)", "(4,2):(1,0)")
            continue
        assert [product(mode.shape) for mode in result] == list(target)
        for k, mode in enumerate(block):
            assert result[k][0] == mode
        starts = [
            result(tuple((0, c) for c in crd)) for crd in cartesian(*(range(m) for m in more))
        ]
        tiles = [{start + block(i) for i in range(int(block.size()))} for start in starts]
        assert len(set().union(*tiles)) == sum(len(t) for t in tiles)


@pytest.mark.parametrize(
    ("text", "target", "order", "result"),
    [
        ("(8,64):(64,1)", (128, 128), None, "((8,16),(64,2)):((64,512),(1,8192))"),
        ("(8,64):(64,1)", (128, 128), (1, 0), "((8,16),(64,2)):((64,1024),(1,512))"),
        ("4:1", 8, None, "((4,(2))):((1,(4)))"),
        ("(4):(1)", 8, None, "((4,2)):((1,4))"),
        ("4:1", (8, 3), (1, 0), "((4,2),(1,3)):((1,12),(0,4))"),
    ],
)
def test_tile_to_shape_text(text: str, target: Any, order: Any, result: str) -> None:
    assert str(tile_to_shape(P(text), target, order)) == result


def test_symbolic_tiles_are_the_static_ones_at_every_point() -> None:
    facts = ["M % 8 == 0", "N % 4 == 0"]
    for order in (None, (1, 0)):
        tiled = tile_to_shape(P("(8,4):(4,1)"), P("(M,N)").shape, order, given=facts)
        for m, n in cartesian((8, 16, 24), (4, 8, 40)):
            static = tile_to_shape(P("(8,4):(4,1)"), (m, n), order)
            got = tiled.at({"M": m, "N": n})
            assert [got(i) for i in range(m * n)] == [static(i) for i in range(m * n)]
