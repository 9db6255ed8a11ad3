"""Architectures, and the model of what memory does with one request."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from symcute.errors import InputError
from symcute.hardware import (
    ARCHITECTURES,
    architecture,
    bank_conflicts,
    ldmatrix_wavefronts,
    sectors,
    shared_wavefronts,
)
from symcute.hardware.memory import groups, phases, ways

from ..laws import oracle

WIDTHS = st.sampled_from((1, 2, 4, 8, 16))


@st.composite
def requests(draw: Any) -> tuple[list[int | None], int]:
    """Draw up to 32 addresses, often close together, some lanes inactive, and their width."""
    width = draw(WIDTHS)
    places = st.integers(0, draw(st.sampled_from((3, 40, 1000))))
    found = st.lists(st.one_of(places, places, st.none()), max_size=32)
    return [x if x is None else x * width for x in draw(found)], width


# --- architectures ------------------------------------------------------------------------------


def test_architectures_differ_where_their_guides_say() -> None:
    assert list(ARCHITECTURES) == [
        "sm70", "sm75", "sm80", "sm86", "sm87", "sm89", "sm90", "sm100", "sm103", "sm120",
    ]  # fmt: skip
    kib = {name: a.shared_bytes // 1024 for name, a in ARCHITECTURES.items()}
    assert kib == {
        "sm70": 96, "sm75": 64, "sm80": 163, "sm86": 99, "sm87": 163, "sm89": 99, "sm90": 227,
        "sm100": 227, "sm103": 227, "sm120": 99,
    }  # fmt: skip
    wide = {name for name, a in ARCHITECTURES.items() if a.largest_global_access == 32}
    assert wide == {"sm100", "sm103", "sm120"}


@pytest.mark.parametrize("name", ARCHITECTURES)
def test_an_architecture_cites_its_source_and_is_one(name: str) -> None:
    a = architecture(name)
    assert str(a) == name and architecture(a) is a
    assert "CUDA C++ Programming Guide" in a.source
    assert a.banks * a.bank_bytes == a.row_bytes == a.line_bytes == 128
    assert a.line_bytes % a.sector_bytes == 0
    assert a.static_shared_bytes <= a.shared_bytes
    assert a.threads_per_multiprocessor % a.warp == 0


def test_an_unknown_architecture_is_refused_with_those_known() -> None:
    with pytest.raises(InputError) as caught:
        architecture("sm95")
    assert str(caught.value) == (
        "there is no architecture 'sm95'; "
        "known are sm70, sm75, sm80, sm86, sm87, sm89, sm90, sm100, sm103, sm120"
    )


# --- shared memory ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("addresses", "width", "wavefronts", "conflicts"),
    [
        ([4 * t for t in range(32)], 4, 1, 0),
        ([128 * t for t in range(32)], 4, 32, 31),
        ([132 * t for t in range(32)], 4, 1, 0),
        ([8 * t for t in range(32)], 4, 2, 1),
        ([0] * 32, 4, 1, 0),
        (list(range(32)), 1, 1, 0),
        ([2 * t for t in range(32)], 2, 1, 0),
        ([66 * t for t in range(32)], 2, 1, 0),
        ([66 * t + 2 for t in range(32)], 2, 2, 1),
        ([8 * t for t in range(32)], 8, 2, 0),
        ([256 * t for t in range(32)], 8, 32, 30),
        ([264 * t for t in range(32)], 8, 2, 0),
        ([16 * t for t in range(32)], 16, 4, 0),
        ([128 * t for t in range(32)], 16, 32, 28),
        ([144 * t for t in range(32)], 16, 4, 0),
        ([16 * (t % 8) for t in range(32)], 16, 4, 0),
        ([0] * 32, 8, 1, 0),
        ([0] * 32, 16, 2, 0),
        ([128, 0], 4, 2, 1),
        ([], 4, 0, 0),
        ([None] * 32, 16, 0, 0),
        ([None] * 8 + [16 * t for t in range(8)], 16, 1, 0),
    ],
)
def test_wavefronts_of_known_patterns(
    addresses: list[int | None], width: int, wavefronts: int, conflicts: int
) -> None:
    assert shared_wavefronts(addresses, width) == wavefronts
    assert bank_conflicts(addresses, width) == conflicts


def test_phases_fill_all_banks() -> None:
    assert [len(phases(width)) for width in (1, 2, 4, 8, 16)] == [1, 1, 1, 2, 4]
    assert [x for phase in phases(16) for x in phase] == list(range(32))


@pytest.mark.parametrize("step", [1, 2])
@pytest.mark.parametrize(("width", "count"), [(4, 1), (8, 2), (16, 4)])
def test_a_load_whose_lanes_go_in_pairs_is_served_two_phases_at_once(
    step: int, width: int, count: int
) -> None:
    paired = [width * (t & ~step) for t in range(32)]
    half = max(1, count // 2)
    assert len(groups(paired, width)) == half
    assert len(groups([*paired[:-1], None], width)) == half
    assert len(groups([*paired[:-1], paired[-1] + 512], width)) == count
    assert len(groups(paired, width, store=True)) == count


@given(requests())
@settings(deadline=None)
def test_ways_are_counted_as_by_bits(request: tuple[list[int | None], int]) -> None:
    addresses, width = request
    for phase in phases(width):
        lanes = [x for n in phase if n < len(addresses) and (x := addresses[n]) is not None]
        count, bank = ways(lanes, width)
        uses = oracle._uses([8 * x for x in lanes], 8 * width)
        assert count == max(uses.values(), default=0) == uses.get(bank, 0)


@given(requests(), st.integers(0, 5))
@settings(deadline=None)
def test_moving_all_by_a_row_of_banks_or_by_words_changes_nothing(
    request: tuple[list[int | None], int], words: int
) -> None:
    addresses, width = request
    step = words * max(4, width)
    moved = [x if x is None else x + step for x in addresses]
    assert shared_wavefronts(moved, width) == shared_wavefronts(addresses, width)
    assert bank_conflicts(moved, width) == bank_conflicts(addresses, width)


@given(requests())
@settings(deadline=None)
def test_groups_have_each_active_lane_once(request: tuple[list[int | None], int]) -> None:
    addresses, width = request
    found = sorted(pair for group in groups(addresses, width) for pair in group)
    assert found == [(n, x) for n, x in enumerate(addresses) if x is not None]
    served = groups(addresses, width)
    least = len({x // 128 for _, x in found}) and len(served)
    assert least <= shared_wavefronts(addresses, width) <= max(1, len(found)) + len(served)


def test_ldmatrix_serves_each_matrix_by_itself() -> None:
    assert ldmatrix_wavefronts([16 * r for r in range(8)]) == 1
    assert ldmatrix_wavefronts([128 * r for r in range(8)]) == 8
    assert ldmatrix_wavefronts([144 * r for r in range(16)]) == 2
    assert ldmatrix_wavefronts([0] * 32) == 4
    assert ldmatrix_wavefronts([128 * (r % 8) + 16 * (r % 8) for r in range(32)]) == 4


# --- global memory ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("addresses", "width", "count"),
    [
        ([4 * t for t in range(32)], 4, 4),
        ([4 * t + 4 for t in range(32)], 4, 5),
        ([32 * t for t in range(32)], 4, 32),
        ([28 * t for t in range(32)], 4, 28),
        ([16 * t for t in range(32)], 16, 16),
        (list(range(32)), 1, 1),
        ([0] * 32, 8, 1),
        ([None, 40, None, 41], 1, 1),
        ([], 4, 0),
    ],
)
def test_sectors_of_known_patterns(addresses: list[int | None], width: int, count: int) -> None:
    assert sectors(addresses, width) == count


@given(requests())
@settings(deadline=None)
def test_sectors_are_those_of_the_bytes(request: tuple[list[int | None], int]) -> None:
    addresses, width = request
    touched = {b // 32 for x in addresses if x is not None for b in range(x, x + width)}
    assert sectors(addresses, width) == len(touched)


def test_wide_accesses_are_for_global_memory_of_newer_architectures() -> None:
    rows = [32 * t for t in range(32)]
    assert sectors(rows, 32, "sm100") == 32
    with pytest.raises(InputError, match="sm90 takes at most 16 bytes a lane there"):
        sectors(rows, 32, "sm90")
    with pytest.raises(InputError, match="to shared memory; sm100 takes at most 16 bytes"):
        shared_wavefronts(rows, 32, "sm100")


# --- bad input ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: shared_wavefronts([0] * 33, 4), "33 lanes; a warp of sm90 has 32"),
        (lambda: sectors([0] * 40, 4), "40 lanes; a warp of sm90 has 32"),
        (
            lambda: shared_wavefronts([0], 3),
            "an access of 3 bytes a lane; the width is a power of two",
        ),
        (
            lambda: sectors([0], 0),
            "an access of 0 bytes a lane; the width is a power of two",
        ),
        (
            lambda: bank_conflicts([0, 6], 4),
            "the address 6 of lane 1 is no multiple of 4; an access of 4 bytes is aligned to 4",
        ),
        (
            lambda: sectors([None, -4], 4),
            "the address -4 of lane 1; addresses are ints from 0 on",
        ),
        (lambda: sectors([1.5], 4), "the address 1.5 of lane 0; addresses are ints from 0 on"),
        (lambda: phases(4, "sm1"), "there is no architecture 'sm1'; known are sm70, "),
        (
            lambda: ldmatrix_wavefronts([0] * 7),
            "ldmatrix with 7 rows; it takes 8, 16 or 32 row addresses",
        ),
        (
            lambda: ldmatrix_wavefronts([8] * 8),
            "the address 8 of lane 0 is no multiple of 16; an access of 16 bytes is aligned",
        ),
        (
            lambda: ldmatrix_wavefronts([None] * 8),
            "ldmatrix with a row that is None; give an address for every row",
        ),
    ],
)
def test_bad_input_is_refused_in_words(call: Any, words: str) -> None:
    with pytest.raises(InputError) as caught:
        call()
    assert str(caught.value).startswith(words)
