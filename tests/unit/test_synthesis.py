"""Paddings and swizzles that are found, and that they are the smallest."""

from __future__ import annotations

from typing import Any

import pytest

from symcute import BankConflict, Swizzle, checker, find_padding, find_swizzle, prove
from symcute.claims.language import evaluate
from symcute.errors import InputError, TextError
from symcute.layout.swizzle import ComposedLayout
from symcute.synthesis.swizzling import swizzles

COLUMNS = "bank_conflict(access((32,C):(32*N+P,1), 32), 1)"
ROWS = "bank_conflict(access((32,R):(1,32*N+P), 32), 1)"


# --- paddings -----------------------------------------------------------------------------------


def test_the_smallest_padding_for_rows_and_columns_of_every_width() -> None:
    found = find_padding([ROWS, COLUMNS], "P")
    assert found is not None and (found.name, found.value) == ("P", 1)
    assert found.minimal and [k for k, _ in found.smaller] == [0]
    assert [v.status for v in found.proofs] == ["proved", "proved"]
    assert all(checker.check(v.certificate).accepted for v in found.proofs)
    assert "32 ways" in str(found.smaller[0][1].counterexample)


def test_values_that_the_assumptions_leave_out_are_passed_over() -> None:
    found = find_padding(COLUMNS, "P", "P % 4 == 3")
    assert found is not None and found.value == 3 and found.smaller == ()
    assert find_padding(COLUMNS, "P", "P % 32 == 0", most=33) is None


def test_a_padding_in_steps_keeps_the_vectors_aligned() -> None:
    claim = "bank_conflict(access((8,R):(64*N+P,8), 16, 128), 1)"
    found = find_padding(claim, "P", step=8)
    assert found is not None and found.value == 8 and found.minimal
    one = find_padding(claim, "P")
    assert one is not None and one.value == 8 and [k for k, _ in one.smaller] == list(range(8))
    assert one.minimal
    assert "not aligned" in str(one.smaller[1][1].counterexample)


def test_a_padding_that_serves_two_ways_of_use() -> None:
    writes = "bank_conflict(access(((8,4),R):((128+P,1),4), 32), 1)"
    reads = "bank_conflict(access((32,R):(1,128+P), 32), 1)"
    found = find_padding([writes, reads], "P")
    assert found is not None and found.value == 4 and found.minimal
    assert [v.status for _, v in found.smaller] == ["refuted"] * 4
    for value in range(4):
        assert prove(writes, [f"P == {value}"]).status == "refuted"


def test_an_access_stands_for_being_free_of_conflicts() -> None:
    text = "access((32,C):(32+P,1), 32)"
    for item in (text, evaluate(text)):
        found = find_padding([item], "P")
        assert found is not None and found.value == 1
        assert str(found.proofs[0].claim) == "bank_conflict(access((32,C):(P+32,1), 32), 1)"


def test_assumptions_are_kept() -> None:
    claim = "bank_conflict(access((32,C):(LD+P,1), 32), 1)"
    found = find_padding(claim, "P", ["LD % 2 == 1"])
    assert found is not None and found.value == 0 and found.smaller == ()
    assert found.proofs[0].given == ("mod(LD,2) == 1", "P == 0")
    assert find_padding(claim, "P", ["LD >= 1"], most=40) is None


def test_what_is_not_decided_is_not_called_minimal() -> None:
    claim, given = "sectors(access(32:LD - P*LD, 32), 8)", ["LD <= 2"]
    assert prove(claim, [*given, "P == 0"]).status == "unknown"
    found = find_padding(claim, "P", given)
    assert found is not None and found.value == 1 and not found.minimal
    assert [(k, v.status) for k, v in found.smaller] == [(0, "unknown")]
    assert find_padding(claim, "P", given, most=0) is None


def test_nothing_is_found_where_no_padding_helps() -> None:
    assert find_padding("bank_conflict(access((32,C):(2*N+2*P,1), 32), 1)", "P", most=64) is None


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((ROWS, "Q"), "bank_conflict(access((32,R):(1,32*N + P), 32), 1) does not speak of Q; "),
        (([], "P"), "no claim; write a stride such as 32+P"),
        ((ROWS, "P", "P >= 200"), "no P up to 128 meets the assumptions; leave one out"),
        (([7], "P"), "7 is no claim; give claims or accesses"),
        (("32+P", "P"), "this is P+32, not a claim at column 1; write a relation, such as "),
    ],
)
def test_bad_input_for_a_padding(arguments: tuple[Any, ...], words: str) -> None:
    with pytest.raises(InputError) as caught:
        find_padding(*arguments)
    assert str(caught.value).startswith(words)


@pytest.mark.parametrize(("step", "most"), [(0, 5), (1, -1), (1.5, 5)])
def test_bad_steps_for_a_padding(step: int, most: int) -> None:
    with pytest.raises(InputError, match="step is at least 1, most at least 0"):
        find_padding(ROWS, "P", step=step, most=most)


# --- swizzles -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("accesses", "swizzle"),
    [
        (["access((32,32):(1,32), 32)", "access((32,32):(32,1), 32)"], Swizzle(5, 0, 5)),
        (["access((8,8):(64,8), 16, 128)"], Swizzle(3, 3, 3)),
        (["access((8,4):(32,8), 16, 128)", "access(((4,8),2):((8,32),256), 16, 128)"],
         Swizzle(2, 3, 3)),
        (["access((8,2):(16,8), 16, 128)"], Swizzle(1, 3, 3)),
        (["access((8,4):(8,64), 16, 128)"], Swizzle(0, 0, 0)),
        (["access((16,16):(16,1), 64)"], Swizzle(4, 0, 4)),
    ],
)  # fmt: skip
def test_swizzles_of_known_tiles(accesses: list[str], swizzle: Swizzle) -> None:
    found = find_swizzle(accesses)
    assert found is not None and found.swizzle == swizzle and found.minimal
    assert len(found.proofs) == len(accesses)
    assert all(checker.check(v.certificate).accepted for v in found.proofs)
    assert all(s.bits < swizzle.bits and v.status == "refuted" for s, v in found.fewer)


def test_all_swizzles_of_fewer_bits_were_looked_at() -> None:
    found = find_swizzle("access((8,8):(64,8), 16, 128)")
    assert found is not None and (found.lowest, found.bits) == (3, 9)
    fewer = [s for s in swizzles(3, 9) if s.bits < 3]
    assert [s for s, _ in found.fewer] == fewer
    access = evaluate("access((8,8):(64,8), 16, 128)")
    for swizzle in fewer:
        turned = type(access)(ComposedLayout(swizzle, 0, access.layout), 16, 128)
        assert BankConflict(turned, 1).brute() is not None


def test_more_ways_take_fewer_bits() -> None:
    column = "access((32,32):(32,1), 32)"
    bits = [found.swizzle.bits for w in (1, 2, 4, 32) if (found := find_swizzle(column, ways=w))]
    assert bits == [5, 4, 3, 0]


def test_a_tile_of_any_number_of_atoms() -> None:
    found = find_swizzle("access((8,8,M):(64,8,512), 16, 128)", bits=9)
    assert found is not None and found.swizzle == Swizzle(3, 3, 3) and found.minimal


def test_nothing_is_found_where_no_swizzle_helps() -> None:
    assert find_swizzle("access((32,32):(64,1), 32)", bits=8) is None


@pytest.mark.parametrize(
    ("accesses", "more", "words"),
    [
        ([], {}, "no access to find a swizzle for; give one"),
        (
            "(8,8)",
            {},
            "(8,8) is no access; write access((8,8):(64,8), 16, 128): a layout, the bits of "
            "an element, of an access",
        ),
        (
            "access(Sw<1,3,3> o 0 o (8,8):(64,8), 16, 128)",
            {},
            "access(Sw<1,3,3> o 0 o (8,8):(64,8), 16, 128) is swizzled already; ",
        ),
        (
            "access((8,M):(64,8), 16, 128)",
            {},
            "the offsets of access((8,M):(64,8), 16, 128) are no numbers from 0 to a largest one; "
            "say how many bits of them a swizzle may use",
        ),
        ("access((8,8):(64,8), 16)", {"bits": 25}, "swizzles of 25 bits of an offset; 0 to 24 "),
        ("access((8,8):(64,8), 16)", {"bits": -1}, "swizzles of -1 bits of an offset; 0 to 24 "),
        ("access((8,8):(64,8), 16)", {"arch": "sm1"}, "there is no architecture 'sm1'; known are "),
        (
            "access((8,8):(64,16), 16, 256)",
            {"arch": "sm100"},
            "access((8,8):(64,16), 16, 256) in shared memory; sm100 takes at most 128 bits a lane",
        ),
        ("access((8,8):(64,8), 16)", {"given": "N < 1"}, "no instance meets "),
    ],
)
def test_bad_input_for_a_swizzle(accesses: str, more: dict[str, Any], words: str) -> None:
    with pytest.raises(InputError) as caught:
        find_swizzle(accesses, **more)
    assert str(caught.value).startswith(words)


def test_bad_text_is_shown_where_it_is() -> None:
    with pytest.raises(TextError, match="the width is a power of two"):
        find_swizzle("access((8,8):(64,8), 12)")
