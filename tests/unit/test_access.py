"""Accesses of a warp as data."""

from __future__ import annotations

from typing import Any

import pytest

from symcute import Access, ComposedLayout, Layout, Swizzle, dims
from symcute.claims.language import evaluate, show_value
from symcute.errors import InputError, TextError


def test_the_first_mode_is_the_lanes() -> None:
    access = Access(Layout(((8, 4), (2, 3)), ((4, 32), (1, 128))), 32)
    assert access.lanes == ((8, 4), (4, 32))
    assert access.requests == ((2, 1), (3, 128))
    assert list(access.coordinates()) == [(0, 0), (1, 0), (0, 1), (1, 1), (0, 2), (1, 2)]
    assert access.addresses((1, 2))[:10] == [4 * (257 + x) for x in (0, 4, 8, 12, 16, 20, 24, 28,
                                                                     32, 36)]  # fmt: skip


def test_a_layout_of_one_mode_has_one_request() -> None:
    access = Access(Layout(32, 2), 16)
    assert access.requests == () and list(access.coordinates()) == [()]
    assert access.addresses() == [4 * t for t in range(32)]


@pytest.mark.parametrize("request_", [(), (0, 0), (4,), (-1,)])
def test_a_request_that_is_not_there(request_: tuple[int, ...]) -> None:
    with pytest.raises(InputError, match="has no request"):
        Access(Layout((32, 4), (4, 1)), 32).addresses(request_)


def test_the_base_is_added_behind_the_swizzle() -> None:
    swizzled = ComposedLayout(Swizzle(1, 0, 3), 8, Layout(8))
    access = Access(swizzled, 8, 8, 5)
    assert access.addresses() == [5 + Swizzle(1, 0, 3)(8 + t) for t in range(8)]
    assert access.offset == 8 and access.swizzle == Swizzle(1, 0, 3)


def test_elements_of_half_a_byte() -> None:
    assert Access(Layout(8, 2), 4, 8).addresses() == list(range(8))
    with pytest.raises(InputError, match="begins at bit 4; addresses are whole bytes"):
        Access(Layout(8), 4, 8).addresses()


def test_an_access_at_dims() -> None:
    LD, B = dims("LD B")
    access = Access(Layout((32, 4), (LD, 1)), 32, 64, B)
    assert access.dims() == {"LD", "B"}
    assert access.at({"LD": 6, "B": 2}) == Access(Layout((32, 4), (6, 1)), 32, 64, 2)
    with pytest.raises(InputError, match="LD"):
        access.addresses((0,))


@pytest.mark.parametrize(
    "text",
    [
        "access((32,R):(LD,1), 32)",
        "access((32,R):(LD,1), 16, 128)",
        "access(32:1, 32, 32, B)",
        "access(Sw<3,3,3> o 64*s o (8,8):(64,8), 16, 128, B+1)",
        "access((32):(1), 8)",
    ],
)
def test_text_round_trips(text: str) -> None:
    value = evaluate(text)
    assert isinstance(value, Access)
    assert show_value(value) == text
    assert evaluate(str(value)) == value


def test_what_is_not_written_is_the_same() -> None:
    assert evaluate("access(32:1, 32, 32, 0)") == evaluate("access(32:1, 32)")
    assert str(evaluate("access((8,4), 32)")) == "access((8,4):(1,8), 32)"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (
            "access((64,4):(1,64), 32)",
            "(64,4):(1,64) has 64 lanes at column 1; "
            "a warp has 32: divide the threads, as in zipped_divide(layout, 32)",
        ),
        (
            "access((M,4):(1,M), 32)",
            "the lanes of (M,4):(1,M) are M at column 1; "
            "the first mode is the lanes of one warp, with numbers for extents",
        ),
        (
            "access(32:1, 24)",
            "an element of 24 bits at column 1; the width is a power of two",
        ),
        (
            "access(32:1, 32, 48)",
            "an access of 48 bits at column 1; the width is a power of two",
        ),
        (
            "access(32:1, 32, 16)",
            "an access of 16 bits at column 1; it is at least an element of 32 bits wide",
        ),
        (
            "access(32:1, 4)",
            "an access of 4 bits at column 1; it is at least a byte wide",
        ),
        (
            "access(32:1, 32, 512)",
            "an access of 512 bits at column 1; the widest of any architecture is 256",
        ),
        (
            "access(32:1, N)",
            "an element of N bits at column 1; the width is a power of two",
        ),
        ("access(32:1)", "access got 1 argument at column 1; write access((32,4):(64,1), 16, "),
        (
            "access(32:1@0, 32)",
            "an access of the coordinate stride 1@0 at column 1; it is defined for strides",
        ),
        (
            "bank_conflict(32:1, 1)",
            "bank_conflict takes an access, not 32:1 at column 1; write ",
        ),
        (
            "bank_conflict(access(32:1, 32), K)",
            "bank_conflict with K at column 1; give a number from 0 on",
        ),
        (
            "bank_conflict(access(32:8, 32, 256), 1)",
            "access(32:8, 32, 256) in shared memory at column 1; "
            "its accesses are at most 128 bits wide",
        ),
        (
            "vectorizable(32:1, 16, 512)",
            "a vector of 512 bits at column 1; "
            "it is at least an element of 16 bits and at most 256 bits",
        ),
        (
            "vectorizable(32:1, 12, 24)",
            "an element of 12 bits at column 1; the width is a power of two",
        ),
    ],
)
def test_bad_input_is_refused_in_words(text: str, words: str) -> None:
    with pytest.raises(TextError) as caught:
        evaluate(text)
    assert str(caught.value).startswith(words)


def test_what_is_no_layout_is_refused() -> None:
    with pytest.raises(InputError, match=r"an access through 7; give a layout such as"):
        Access(7, 32)


def test_an_architecture_takes_an_access_or_says_so() -> None:
    wide: Any = Access(Layout(32, 8), 32, 256)
    assert wide.on("sm100") is wide
    with pytest.raises(InputError) as caught:
        wide.on("sm80")
    assert str(caught.value) == (
        "access(32:8, 32, 256) in global memory; sm80 takes at most 128 bits a lane there"
    )
    with pytest.raises(InputError, match="in shared memory; sm100 takes at most 128 bits a lane"):
        wide.on("sm100", shared=True)
    with pytest.raises(InputError, match="there is no architecture 'hopper'; known are sm70"):
        wide.on("hopper")
