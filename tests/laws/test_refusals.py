"""A static composition is refused only where no layout is the composition."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from symcute import composition
from symcute.errors import NotAdmissible
from symcute.layout.layout import Layout

from . import oracle
from .draw import Draw

CASES = 400


def _operands(seed: int) -> list[tuple[Layout, Layout]]:
    """Pairs of which the right one often steps over the extents of the left one."""
    rng = random.Random(seed)
    draw = Draw(rng)
    pairs = []
    for _ in range(CASES):
        left = draw.layout()
        extents = [rng.choice((1, 2, 3, 4, 6, 8)) for _ in range(rng.choice((1, 1, 2, 2)))]
        strides = [rng.choice((0, 1, 2, 3, 4, 6, 8, 12, 24)) for _ in extents]
        pairs.append((left, Layout(tuple(extents), tuple(strides))))
    return pairs


@pytest.mark.parametrize("seed", range(4))
def test_a_refused_composition_is_no_layout(seed: int) -> None:
    kinds: Counter[str] = Counter()
    for a, b in _operands(seed):
        try:
            result = composition(a, b)
        except NotAdmissible:
            kinds["refused"] += 1
            assert not oracle.composition_exists(list(a.modes()), list(b.modes())), f"{a} o {b}"
            continue
        kinds["accepted"] += 1
        assert result.size() == b.size()
        offsets = [result(i) for i in range(int(b.size()))]
        assert offsets == [a(b(i)) for i in range(int(b.size()))], f"{a} o {b} = {result}"
    assert min(kinds["refused"], kinds["accepted"]) >= CASES / 20


@pytest.mark.parametrize(
    ("a", "b", "result"),
    [
        ("((2),4,3):((1),12,1)", "(4):(12)", "((2,2)):((25,3))"),
        ("(8,4):(1,4)", "((6,3)):((12,8))", "(((2,3),3)):(((8,12),4))"),
        ("(4,3):(1,8)", "3:8", "3:16"),
    ],
)
def test_a_layout_is_found_where_the_strides_do_not_divide(a: str, b: str, result: str) -> None:
    assert str(composition(Layout.parse(a), Layout.parse(b))) == result


@pytest.mark.parametrize("b", ["2:-1", "(2,2):(4,-1)"])
def test_an_index_below_0_is_no_coordinate(b: str) -> None:
    with pytest.raises(NotAdmissible):
        composition(Layout.parse("(4,2):(1,8)"), Layout.parse(b))
