"""Integer points of boxes against plain loops."""

from __future__ import annotations

import random
from itertools import product

import pytest

from symcute.prover.box import TooHard, point_in


def test_a_point_is_found_exactly_where_there_is_one() -> None:
    rng, seen = random.Random(7), set()
    for _ in range(400):
        extents = [rng.randint(1, 6) for _ in range(rng.randint(1, 3))]
        limits = [
            ([rng.randint(-4, 4) for _ in extents], rng.randint(-12, 8))
            for _ in range(rng.randint(1, 3))
        ]

        def inside(x: tuple[int, ...], limits: list[tuple[list[int], int]] = limits) -> bool:
            return all(sum(a * y for a, y in zip(f, x, strict=True)) <= b for f, b in limits)

        expected = any(inside(x) for x in product(*map(range, extents)))
        found = point_in(extents, limits)
        assert (found is not None) == expected
        if found is not None:
            assert inside(found)
            assert all(0 <= y < s for y, s in zip(found, extents, strict=True))
        seen.add(expected)
    assert seen == {True, False}


def test_enormous_boxes_take_few_steps() -> None:
    extents = [1 << 40, 1 << 30]
    assert point_in(extents, [((1, 1 << 40), -1)]) is None
    found = point_in(extents, [((-1, -(1 << 40)), -(1 << 69))])
    assert found is not None
    assert found[0] + (found[1] << 40) >= 1 << 69


def test_what_takes_too_long_is_given_up() -> None:
    # 2*(x - y + ...) == 1 has no integer solution, and no bound shows it.
    factors = [2, -2, 4, -4]
    limits = [(factors, 1), ([-a for a in factors], -1)]
    with pytest.raises(TooHard, match="given up"):
        point_in([10**6] * 4, limits)
