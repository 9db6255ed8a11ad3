"""Claims about requests and vectors: what they say, decide and refute."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from symcute import (
    Access,
    BankConflict,
    Coalesced,
    ComposedLayout,
    Layout,
    Sectors,
    Swizzle,
    Vectorizable,
    check,
    checker,
    prove,
)
from symcute.claims.base import MAX_ENUMERATED
from symcute.claims.language import read_claim
from symcute.errors import InputError
from symcute.hardware import bank_conflicts
from symcute.prover import static
from symcute.prover.suggestion import suggest
from tests.work import calls

from ..laws import oracle

COLUMN = "access((32,C):(LD,1), 32)"
ROW = "access((32,R):(1,LD), 32)"


# --- what they say ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (
            "bank_conflict(access(32:LD, 32), 1)",
            "each phase of each request of access(32:LD, 32) needs at most 1 way of a bank",
        ),
        (
            "bank_conflict(access(32:LD, 32), 4, 2)",
            "each phase of each request of access(32:LD, 32) needs at most 4 ways and at least 2 "
            "of a bank",
        ),
        (
            "sectors(access(32:LD, 32), 32, 32)",
            "each request of access(32:LD, 32) touches at most 32 and at least 32 sectors",
        ),
        (
            "coalesced(access(32:LD, 32))",
            "the lanes of each request of access(32:LD, 32) fill the sectors they touch",
        ),
        (
            "vectorizable((N,M):(1,LD), 16, 128, B)",
            "(N,M):(1,LD), B elements behind an aligned address, is contiguous and aligned in "
            "vectors of 8 elements (128 bits)",
        ),
        (
            "vectorizable((N,M):(1,LD), 32, 64)",
            "(N,M):(1,LD) is contiguous and aligned in vectors of 2 elements (64 bits)",
        ),
    ],
)
def test_words(text: str, words: str) -> None:
    claim = read_claim(text)
    assert claim.words() == words
    assert claim.text() == text and read_claim(claim.text()) == claim


@pytest.mark.parametrize(
    ("text", "failure"),
    [
        (
            "bank_conflict(access((32,2):(32,1), 32), 31)",
            "in request (0) of access((32,2):(32,1), 32), 32 ways in bank 0 (lane 0 at byte 0, "
            "lane 1 at byte 128, ...), more than 31",
        ),
        (
            "bank_conflict(access(((8,4)):((16,128)), 8), 1)",
            "in the request of access(((8,4)):((16,128)), 8), 4 ways in bank 0 (lane 0 at byte 0, "
            "lane 8 at byte 128, ...), more than 1",
        ),
        (
            "bank_conflict(access((32,4):(1,64), 32), 2, 2)",
            "in request (0) of access((32,4):(1,64), 32), 1 way in bank 0 (lane 0 at byte 0), "
            "less than 2",
        ),
        (
            "bank_conflict(access(8:4, 16, 128), 8)",
            "in the request of access(8:4, 16, 128), lane 1 accesses 128 bits at byte 8, which is "
            "not aligned",
        ),
        (
            "bank_conflict(access(8:1, 4, 8), 8)",
            "in the request of access(8:1, 4, 8), lane 1 accesses 8 bits at bit 4, which is not "
            "aligned",
        ),
        (
            "sectors(access((32,3):(1,36), 32), 4)",
            "in request (1) of access((32,3):(1,36), 32), it touches 5 sectors, more than 4",
        ),
        (
            "sectors(access((32,3):(1,0), 32), 32, 5)",
            "in request (0) of access((32,3):(1,0), 32), it touches 4 sectors, less than 5",
        ),
        (
            "coalesced(access((32,3):(2,64), 32))",
            "in request (0) of access((32,3):(2,64), 32), it touches 8 sectors, more than 4",
        ),
        (
            "vectorizable((4,3):(1,4), 16, 128)",
            "the size 12 of (4,3):(1,4) is no multiple of 8",
        ),
        ("vectorizable((8,2):(1,12), 16, 128)", "L(8) = 12, which is no multiple of 8"),
        ("vectorizable((8,2):(1,8), 16, 128, 4)", "4 + L(0) = 4, which is no multiple of 8"),
        ("vectorizable((8,2):(2,16), 16, 32)", "L(0) = 0 and L(1) = 2, which is not 0 + 1"),
        (
            "vectorizable(Sw<1,0,1> o 0 o 8:1, 32, 64)",
            "L(2) = 3, which is no multiple of 2",
        ),
    ],
)
def test_a_static_claim_is_refuted_in_words(text: str, failure: str) -> None:
    verdict = prove(text)
    assert verdict.status == "refuted"
    assert str(verdict.counterexample) == failure
    assert check(verdict.claim) is not None


def test_numbers_that_are_none_are_refused() -> None:
    access = Access(Layout(32), 32)
    for numbers in ((-1,), (1, -2), (True,), (1.5,), ("1",)):
        with pytest.raises(InputError, match="give a number from 0 on"):
            BankConflict(access, *numbers)
    with pytest.raises(InputError, match="sectors takes an access, not 32:1"):
        Sectors(Layout(32), 4)


def test_coalesced_counts_the_lanes_there_are() -> None:
    assert [
        str(Coalesced(Access(Layout(lanes, 1), bits)).parts()[0])
        for lanes, bits in ((32, 32), (8, 32), (9, 32), (1, 8), (32, 128))
    ] == [
        "sectors(access(32:1, 32), 4)",
        "sectors(access(8:1, 32), 1)",
        "sectors(access(9:1, 32), 2)",
        "sectors(access(1:1, 8), 1)",
        "sectors(access(32:1, 128), 16)",
    ]


# --- what is proved, and its false neighbours ---------------------------------------------------


@pytest.mark.parametrize(
    ("claim", "given", "less"),
    [
        (f"bank_conflict({COLUMN}, 1)", ["LD % 32 == 1"], ["LD % 16 == 0"]),
        (f"bank_conflict({COLUMN}, 1)", ["LD % 2 == 1"], []),
        (f"bank_conflict({COLUMN}, 1)", ["LD % 2 != 0"], ["LD % 2 != 1"]),
        (f"bank_conflict({COLUMN}, 1)", ["not LD % 2 == 0"], ["not LD % 4 == 0"]),
        ("bank_conflict(access((32,C):(32*ceil_div(N,32)+1,1), 32), 1)", [], None),
        ("bank_conflict(access((32,C):(max(N,32)+1,1), 32), 1)", ["N % 32 == 0"], []),
        (f"bank_conflict({COLUMN}, 1)", ["LD % 32 == 1 or LD % 32 == 31"], ["LD % 32 == 2"]),
        (f"bank_conflict({COLUMN}, 1)", ["LD == 2*N + 1"], ["LD == 2*N"]),
        (f"bank_conflict({COLUMN}, 2, 2)", ["LD % 4 == 2"], ["LD % 2 == 0"]),
        (f"bank_conflict({COLUMN}, 32, 32)", ["LD % 32 == 0"], ["LD % 16 == 0"]),
        ("bank_conflict(access((32,C):(LD*N,1), 32), 1)", ["LD % 2 == 1", "N % 2 == 1"],
         ["LD % 2 == 1"]),
        ("bank_conflict(access((32,R):(1,LD), 16, 16, B), 1)", [], None),
        ("bank_conflict(access((8,R):(LD,8), 16, 128), 1)", ["LD % 64 == 8"], ["LD % 64 == 4"]),
        ("bank_conflict(access((8,R):(LD,8), 16, 128, 8*B), 1)", ["LD % 16 == 8"],
         ["LD % 8 == 0"]),
        ("bank_conflict(access(Sw<3,3,3> o 64*s o (8,8):(64,8), 16, 128), 1)", [], None),
        ("bank_conflict(access(Sw<3,3,3> o 0 o (8,R):(LD,512), 16, 128), 1)", ["LD % 512 == 64"],
         ["LD % 8 == 0"]),
        (f"sectors({ROW}, 4, 4)", ["LD % 8 == 0"], ["LD % 4 == 0"]),
        (f"sectors({COLUMN}, 32, 32)", ["LD >= 8"], ["LD >= 7"]),
        ("bank_conflict(access(((2,16),R):((0,LD),1), 64), 1)", ["LD % 2 == 1"], []),
        ("bank_conflict(access(((2,8,2),R):((0,2,LD),64), 32, 64), 2)", ["LD % 2 == 0"], []),
        ("bank_conflict(access(((2,8,2),R):((0,2,LD),64), 32, 64), 1)", ["LD % 32 == 16"],
         ["LD % 32 == 0"]),
        ("sectors(access((32,R):(1,LD), 32, 32, B), 5, 4)", [], None),
        (f"coalesced({ROW})", ["LD % 8 == 0"], []),
        ("sectors(access((32,R):(8,LD), 32, 256), 32, 32)", ["LD % 8 == 0"], ["LD % 4 == 0"]),
        ("vectorizable((N,M):(1,LD), 16, 128)", ["N % 8 == 0", "LD % 8 == 0"], ["N % 8 == 0"]),
        ("vectorizable((2,4,M):(1,2,8), 16, 128, B)", ["B % 8 == 0"], ["B % 4 == 0"]),
    ],
)  # fmt: skip
def test_proved_for_all_sizes_but_not_with_less(
    claim: str, given: list[str], less: list[str] | None
) -> None:
    verdict = prove(claim, given)
    assert verdict.status == "proved", verdict
    assert verdict.rests_on == ("arithmetic",)
    assert checker.check(verdict.certificate).accepted
    if less is not None:
        assert prove(claim, less).status == "refuted"


def test_what_classes_do_not_decide_is_unknown_with_the_class() -> None:
    verdict = prove("sectors(access(32:LD, 32), 8)", ["LD <= 2"])
    assert verdict.status == "unknown"
    assert verdict.reason == (
        "residues do not decide it, where LD' = 0; no small instance refutes it either"
    )


def test_too_many_classes_are_unknown_with_their_variables() -> None:
    verdict = prove("bank_conflict(access(Sw<3,4,10> o B o (4,8):(8,LD), 8), 32)")
    assert verdict.status == "unknown"
    assert verdict.reason.startswith("there are too many classes of residues of B', LD', [0]")


def test_a_quotient_that_is_no_integer_is_unknown() -> None:
    verdict = prove("bank_conflict(access(32:LD/2, 32), 32)")
    assert verdict.status == "unknown"
    assert verdict.reason == 'LD/2 is not known to be an integer; assume "LD % 2 == 0"'


def test_a_static_access_of_very_many_requests_is_decided_at_once() -> None:
    many = "access((32,1073741824,1073741824):(1,32,{}), 32)"
    verdicts = [prove("injective((M,8):(8,1))")]  # what is loaded for the first
    calls(lambda: verdicts.append(prove(f"bank_conflict({many.format(64)}, 1)")), 1_000_000)
    verdict = verdicts[1]
    assert verdict.status == "proved"
    assert checker.check(verdict.certificate).accepted
    assert prove(f"sectors({many.format(64)}, 4)").status == "proved"
    refuted = prove(f"sectors({many.format(63)}, 4)")
    assert "in request (0,1) of" in str(refuted.counterexample)
    claim = read_claim(f"sectors({many.format(63)}, 4)")
    with pytest.raises(InputError, match="too many to enumerate"):
        claim.parts()[0].brute()
    assert MAX_ENUMERATED < 32 * 2**60


@pytest.mark.parametrize(
    ("claim", "assumption"),
    [
        (f"bank_conflict({COLUMN}, 1)", "mod(LD,2) == 1"),
        (f"coalesced({ROW})", "LD % 8 == 0"),
        (f"sectors({ROW}, 4)", "LD % 8 == 0"),
    ],
)
def test_what_is_missing_is_suggested(claim: str, assumption: str) -> None:
    found = suggest(claim)
    assert found is not None and str(found.assumption) == assumption


# --- against the concrete model, and against loops ----------------------------------------------


@given(st.integers(0, 10**9))
@settings(deadline=None, max_examples=150)
def test_a_request_is_free_where_the_model_counts_no_conflicts(seed: int) -> None:
    """The claim is about loads and stores alike, so about the counters of both."""
    rng = random.Random(seed)
    lanes = rng.choice((32, (8, 4), (4, 8), (2, 16), (2, 8, 2), (2, 2, 8)))
    stride: Any = rng.choice((1, 2, 4, 8, 33))
    if isinstance(lanes, tuple):
        stride = tuple(rng.choice((0, 0, 1, 2, 4, 8, 16, 32, 33, 40)) for _ in lanes)
    bits = rng.choice((8, 16, 32, 64, 128))
    access = Access(Layout((lanes, 1), (stride, 0)), bits)
    addresses, width = access.addresses((0,)), bits // 8
    conflicts = [bank_conflicts(addresses, width, store=store) for store in (True, False)]
    assert (prove(BankConflict(access, 1)).status == "proved") == (conflicts == [0, 0])


@st.composite
def vectors(draw: Any) -> Vectorizable:
    rank = draw(st.integers(1, 3))
    shape = tuple(draw(st.sampled_from((1, 2, 3, 4, 8))) for _ in range(rank))
    strides = st.sampled_from((0, 1, 1, 2, 3, 4, 6, 8, 16, -1, -8))
    layout: Any = Layout(shape, tuple(draw(strides) for _ in shape))
    if draw(st.booleans()):
        bits = draw(st.integers(0, 2))
        shift = draw(st.integers(bits, 3)) * draw(st.sampled_from((1, -1)))
        layout = ComposedLayout(Swizzle(bits, draw(st.integers(0, 3)), shift),
                                draw(st.sampled_from((0, 4, 8, 3))), layout)  # fmt: skip
    base = draw(st.sampled_from((0, 0, 1, 4, 8, -8)))
    return Vectorizable(layout, 16, draw(st.sampled_from((16, 32, 64, 128))), base)


@given(vectors())
@settings(deadline=None, max_examples=300)
def test_vectors_are_decided_as_by_loops(claim: Vectorizable) -> None:
    """The conditions on the modes are exact where there are no dims."""
    true = oracle.holds(claim, {})
    verdict = prove(claim)
    assert verdict.status == ("proved" if true else "refuted")
    assert (claim.brute() is None) == true
    assert all(static.decide(part) is None for part in claim.parts()) == true
    if true:
        assert checker.check(verdict.certificate).accepted


def test_a_base_does_not_mend_an_offset_before_the_swizzle() -> None:
    for offset in ("7", "S"):
        claim = f"vectorizable(Sw<1,3,3> o {offset} o (64,M):(1,64), 16, 128, B)"
        verdict = prove(claim, [f"({offset}+B) % 8 == 0"])
        assert verdict.status == "refuted"
    assert prove(claim, ["S % 8 == 0", "B % 8 == 0"]).status == "proved"
    assert prove("vectorizable(Sw<1,3,9> o 7 o 64:1, 16, 128, 1)").status == "proved"
