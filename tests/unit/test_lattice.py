"""Relations between strides: exact, also where enumeration is out of reach."""

from __future__ import annotations

import random
from itertools import product

import pytest

from symcute.prover.box import TooHard
from symcute.prover.lattice import relation
from symcute.prover.static import smallest_zero


def meets(x: list[int], strides: list[int], widths: list[int]) -> bool:
    inside = all(abs(a) <= w for a, w in zip(x, widths, strict=True))
    return any(x) and inside and sum(a * d for a, d in zip(x, strides, strict=True)) == 0


@pytest.mark.parametrize("seed", range(4))
def test_a_relation_is_found_exactly_where_there_is_one(seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(300):
        n = rng.randint(1, 4)
        strides = [rng.choice((-1, 1, 1)) * rng.randint(1, 40) for _ in range(n)]
        widths = [rng.randint(1, 5) for _ in range(n)]
        found = relation(strides, widths)
        every = product(*(range(-w, w + 1) for w in widths))
        there = any(meets(list(x), strides, widths) for x in every)
        assert (found is not None) == there, (strides, widths, found)
        assert found is None or meets(found, strides, widths)


def test_a_hidden_relation_among_large_strides_is_found() -> None:
    rng = random.Random(7)
    for n in range(3, 9):
        widths = [rng.randint(20, 60) for _ in range(n)]
        hidden = [rng.randint(1, w) * rng.choice((-1, 1)) for w in widths]
        strides = [rng.randint(1, 1 << 40) * hidden[-1] for _ in range(n - 1)]
        rest = -sum(a * d for a, d in zip(hidden, strides, strict=False))
        strides.append(rest // hidden[-1])
        found = relation(strides, widths)
        assert found is not None and meets(found, strides, widths)


def test_layouts_the_search_gives_up_are_decided() -> None:
    modes = [(48, 1_099_511_627_689), (40, 907_313_456_731), (56, 815_730_721_111)]
    modes += [(44, 701_408_733_001), (52, 611_953_001_117), (38, 549_755_813_881)]
    clash = smallest_zero(modes)
    assert clash is None or meets(clash, [d for _, d in modes], [s - 1 for s, _ in modes])
    # With the sum of two strides as a third, there is a clash, and it is found.
    double = [*modes, (3, modes[0][1] + modes[1][1])]
    found = smallest_zero(double)
    assert found is not None
    assert meets(found, [d for _, d in double], [s - 1 for s, _ in double])


def test_too_many_dimensions_end_in_a_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("symcute.prover.lattice.MAX_NODES", 1)
    with pytest.raises(TooHard, match="the exact search was given up after 1 combinations"):
        relation([6, 10, 15], [4, 2, 1])
