"""Claims about swizzled layouts: against plain loops, by certificates, and what is refused."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from itertools import product

import pytest

from symcute import Layout
from symcute.claims import (
    Aligned,
    Bijective,
    Claim,
    Compact,
    Covers,
    Equal,
    InBounds,
    Injective,
    NoOverflow,
    Partition,
)
from symcute.claims.language import read_claim
from symcute.errors import InputError, TextError
from symcute.layout.swizzle import ComposedLayout, Swizzle
from symcute.prover import check, prove, static
from symcute.recheck import check as recheck

from ..laws import oracle

SWIZZLES = [
    Swizzle(bits, base, sign * (bits + more))
    for bits, base, more, sign in product(range(3), range(3), range(2), (1, -1))
]
LAYOUTS = [
    Layout.parse(text)
    for text in (
        "1:0", "7:1", "16:1", "5:3", "(4,4):(4,1)", "(8,2):(1,8)", "(2,3):(1,1)", "(3,5):(5,1)",
        "(4,2,2):(1,8,4)", "(4,3):(-4,1)", "8:-1", "(2,(2,2)):(0,(1,2))",
    )
]  # fmt: skip
OFFSETS = (0, 1, 3, 7, 8, -1, -4)


def decided(claim: Claim) -> bool:
    """Return whether all parts of a static claim hold, by exact arithmetic and by enumeration."""
    exact = [static.decide(part) for part in claim.parts()]
    listed = [part.brute() for part in claim.parts()]
    assert [f is None for f in exact] == [f is None for f in listed], claim
    return all(f is None for f in exact)


@pytest.mark.parametrize("swizzle", SWIZZLES, ids=str)
def test_static_claims_against_loops(swizzle: Swizzle) -> None:
    for layout, offset in product(LAYOUTS, OFFSETS):
        composed = ComposedLayout(swizzle, offset, layout)
        for claim in (Injective(composed), Bijective(composed), Compact(composed)):
            assert decided(claim) == oracle.holds(claim, {}), claim
        last = max(composed(i) for i in range(int(layout.size())))
        for bound in {last - 1, last, last + 1, last + 2, 16, 0}:
            inside = InBounds(composed, bound)
            assert decided(inside) == oracle.holds(inside, {}), inside


def test_equal_static_layouts_against_loops() -> None:
    rng = random.Random(6)
    equal = 0
    for _ in range(1500):
        sides: list[Layout | ComposedLayout] = []
        layout = rng.choice(LAYOUTS)
        for _ in range(2):
            other = layout if rng.random() < 0.8 else rng.choice(LAYOUTS)
            offset = rng.choice((0, 0, 0, 8, 16, 3, -4))
            sides.append(ComposedLayout(rng.choice(SWIZZLES), offset, other))
        if rng.random() < 0.3:
            sides[1] = layout
        claim = Equal(sides[0], sides[1])
        assert decided(claim) == oracle.holds(claim, {}), claim
        equal += decided(claim)
    assert 100 < equal < 1400


def test_static_claims_under_guards_against_loops() -> None:
    layout, guard = Layout((4, 4), (1, 4)), Layout((4, 4), (4, 1))
    for swizzle, offset, limit, bound in product(SWIZZLES, (0, 2), (3, 9, 13), (8, 11, 13, 16)):
        composed = ComposedLayout(swizzle, offset, layout)
        for claim in (
            InBounds(composed, bound, ((guard, limit),)),
            Injective(ComposedLayout(swizzle, offset, Layout((4, 4), (1, 3))), ((guard, limit),)),
        ):
            assert decided(claim) == oracle.holds(claim, {}), claim


SYMBOLIC = [
    ("bijective(Sw<2,0,2> o 0 o (M,4,4):(16,1,4))", []),
    ("bijective(Sw<1,1,-2> o 0 o (M,N):(N,1))", ["M*N % 16 == 0"]),
    ("injective(Sw<2,0,2> o M-N o (M,N):(LD,1))", ["N <= LD"]),
    ("injective(Sw<2,0,2> o 3 o (4,P):(1,4), where((4,P):(1,4), M))", []),
    ("in_bounds(Sw<1,0,2> o 0 o (M,N):(N,1), 2*M*N)", []),
    ("in_bounds(Sw<1,0,1> o 4*K o (M,N):(N,1), 4*K + 2*M*N + 1)", []),
    ("in_bounds(Sw<2,0,-2> o K o (4,P):(1,4), 16*M, where((4,P):(1,4), 16*M - K))", []),
    ("in_bounds(Sw<1,0,1> o 0 o (M,N):(N,-1), 8*M*N)", ["N == 1"]),
    ("in_bounds(Sw<0,4,3> o K o M:1, M + K)", []),
    ("compact(Sw<2,0,2> o 0 o (M,4,4,N):(16,1,4,0))", []),
    ("equal(Sw<2,0,2> o 0 o (M,N):(N,1), Sw<2,0,2> o 0 o (M,(N,1)):(N,(1,0)))", []),
    ("equal(Sw<2,1,-2> o K o (2,M):(1,2), Sw<2,1,-2> o K o 2*M:1)", []),
    ("equal(Sw<2,0,2> o K o (M,N):(1,M), Sw<2,0,2> o 2*N o M*N:1)", ["K == 2*N"]),
    ("equal(Sw<0,4,3> o 0 o (M,N):(1,M), M*N:1)", []),
]


@pytest.mark.parametrize(("text", "given"), SYMBOLIC)
def test_what_is_proved_is_true_and_has_a_certificate(text: str, given: list[str]) -> None:
    verdict = prove(text, given=given)
    assert verdict.status == "proved", verdict.reason
    assert verdict.rests_on == ("arithmetic",)
    answer = recheck(json.dumps(verdict.certificate))
    assert answer.accepted, answer.reason
    claim = read_claim(text)
    names = sorted(claim.dims())
    met = 0
    for values in product((1, 2, 3, 4, 6, 16), repeat=len(names)):
        env = dict(zip(names, values, strict=True))
        if all(read_claim(x).at(env).brute() is None for x in given):
            met += 1
            assert oracle.holds(claim, env), env
    assert met >= 6


@pytest.mark.parametrize(
    ("text", "given"),
    [
        ("bijective(Sw<2,0,2> o 0 o (M,3,2):(6,1,3))", []),
        ("bijective(Sw<2,0,2> o 1 o (M,4,4):(16,1,4))", []),
        ("bijective(Sw<1,1,-2> o 0 o (M,N):(N,1))", ["M*N % 8 == 0"]),
        ("injective(Sw<2,0,2> o M-N o (M,N):(LD,1))", ["N <= LD + 1"]),
        ("in_bounds(Sw<1,0,2> o 0 o (M,N):(N,1), M*N)", []),
        ("in_bounds(Sw<1,0,1> o 4*K o (M,N):(N,1), 2*K + 2*M*N + 1)", []),
        ("in_bounds(Sw<1,0,1> o -K o (M,N):(N,1), 2*M*N)", []),
        ("in_bounds(Sw<0,4,3> o K o M:1, M + K - 1)", []),
        ("compact(Sw<2,0,2> o 0 o (M,4,4,N):(16,1,4,N))", []),
        ("equal(Sw<2,0,2> o 0 o (M,N):(N,1), Sw<2,0,2> o 0 o (M,N):(1,M))", []),
        ("equal(Sw<2,1,-2> o K o (2,M):(1,2), Sw<2,1,-2> o K+1 o 2*M:1)", []),
        ("equal(Sw<2,0,2> o 0 o (M,N):(1,M), M*N:1)", []),
        ("equal(Sw<2,0,2> o 0 o (M,N):(1,M), Sw<2,0,3> o 0 o M*N:1)", []),
        ("equal(Sw<0,4,3> o K o (M,N):(1,M), M*N:1)", []),
    ],
)
def test_false_neighbours_are_refuted(text: str, given: list[str]) -> None:
    verdict = prove(text, given=given)
    assert verdict.status == "refuted"
    assert verdict.counterexample is not None
    dims = dict(verdict.counterexample.dims)
    assert not oracle.holds(read_claim(text), dims)
    claim = read_claim(text)
    assert check(claim, **{k: v for k, v in dims.items() if k in claim.dims()}) is not None


#: Offsets that are even and below 1 << 63, and reach the bit below that.
BIG = f"({1 << 30},{1 << 30},4):({1 << 31},2,{1 << 61})"


@pytest.mark.parametrize(
    ("text", "status", "how"),
    [
        (f"bijective(Sw<3,4,3> o 0 o ({1 << 30},{1 << 30}):({1 << 30},1))", "proved", "swizzle"),
        (f"in_bounds(Sw<3,4,3> o 0 o {BIG}, {(1 << 63) - 1})", "proved", "exact"),
        (f"in_bounds(Sw<3,4,3> o 1 o {BIG}, {1 << 63})", "proved", "swizzle"),
        (f"in_bounds(Sw<3,4,3> o 1 o {BIG}, {(1 << 63) - 1})", "refuted", "exact"),
        (f"in_bounds(Sw<3,4,3> o 0 o (3,{1 << 30}):({1 << 32},4), {(1 << 33) + (1 << 32) - 1})",
         "unknown", "every extent is a power of two; it fails at 3"),
        (f"in_bounds(Sw<3,4,3> o 2 o {BIG}, {(1 << 63) + 100})", "unknown", "the offset 2 carries"),
    ],
)  # fmt: skip
def test_domains_too_large_to_list(text: str, status: str, how: str) -> None:
    verdict = prove(text)
    assert verdict.status == status
    assert how in (verdict.how or verdict.reason)


def test_the_largest_offset_is_found_by_bits() -> None:
    # The largest offsets before the swizzle are not the largest after it.
    composed = ComposedLayout(Swizzle(2, 0, 2), 0, Layout((1 << 20, 2, 2), (16, 5, 6)))
    with pytest.raises(static.TooHard, match="no addition carries"):
        static.decide(InBounds(composed, (1 << 24) - 5).parts()[0])
    composed = ComposedLayout(Swizzle(2, 0, 2), 16, Layout((1 << 20, 2, 2), (32, 8, 3)))
    last = (1 << 20) - 1
    top = composed(last, 1, 0)
    assert top == 32 * last + 16 + 10 > composed(last, 1, 1)
    [inside], [outside] = InBounds(composed, top + 1).parts(), InBounds(composed, top).parts()
    assert static.decide(inside) is None
    assert f"= {top}, outside" in str(static.decide(outside))


WIDE = (1 << 40, 2)


@pytest.mark.parametrize(
    ("text", "status", "words"),
    [
        # Bit 50 is never reached; bit 40 is, by index 1 << 39.
        (f"equal(Sw<1,0,50> o 0 o {WIDE}:(2,1), {WIDE}:(2,1))", "proved", "exact search"),
        (f"equal(Sw<1,0,40> o 0 o {WIDE}:(2,1), {WIDE}:(2,1))", "refuted", f"i = {1 << 39}, "),
        (
            f"equal(Sw<1,0,1> o 0 o ({1 << 40},3):(6,2), {1 << 40}*3:2)",
            "unknown",
            "additions carry",
        ),
        (f"equal(Sw<1,0,1> o 1 o {1 << 40}:2, Sw<1,0,1> o 1 o {1 << 40}:2)", "proved", ""),
    ],
)
def test_equal_layouts_too_large_to_list(text: str, status: str, words: str) -> None:
    verdict = prove(text)
    assert verdict.status == status
    shown = f"{verdict.rests_on} {verdict.reason} {verdict.counterexample}"
    assert words in shown


@pytest.mark.parametrize(
    "text",
    [
        "equal(Sw<1,0,2> o 0 o 4:1, 4:1)",
        "equal(4:1, Sw<1,0,2> o 0 o 4:1)",
        "equal(Sw<1,0,2> o 8 o (4,2):(1,8), Sw<1,4,2> o 8 o (4,2):(1,8))",
        "equal(Sw<1,0,1> o -8 o (4,2):(1,8), Sw<1,0,1> o -8 o (4,2):(1,8))",
    ],
)
def test_equal_layouts_have_certificates(text: str) -> None:
    verdict = prove(text)
    assert verdict.status == "proved", verdict
    certificate = json.dumps(verdict.certificate)
    assert recheck(certificate).accepted


COMPOSED = ComposedLayout(Swizzle(2, 0, 2), 0, Layout((4, 4), (4, 1)))


@pytest.mark.parametrize(
    ("make", "name"),
    [
        (lambda: Covers(COMPOSED, 16), "covers"),
        (lambda: Aligned(COMPOSED, 1), "aligned"),
        (lambda: Partition((COMPOSED, 4), (16, 4)), "partition"),
        (lambda: InBounds(Layout(4), 4, ((COMPOSED, 3),)), "in_bounds"),
        (lambda: NoOverflow(COMPOSED, 32), "no_overflow"),
    ],
)
def test_claims_that_do_not_speak_of_swizzles(make: Callable[[], Claim], name: str) -> None:
    with pytest.raises(InputError, match=name):
        make()


def test_the_message_names_the_claims_that_do() -> None:
    with pytest.raises(InputError) as error:
        Covers(COMPOSED, 16)
    assert str(error.value) == (
        "covers does not speak of swizzled layouts, as Sw<2,0,2> o 0 o (4,4):(4,1) is; "
        "injective, bijective, compact, in_bounds and equal do"
    )
    with pytest.raises(TextError):
        read_claim("covers(Sw<2,0,2> o 0 o (4,4):(4,1), 16)")


@pytest.mark.parametrize(("text", "_given"), SYMBOLIC)
def test_a_claim_is_printed_as_it_is_read(text: str, _given: list[str]) -> None:
    claim = read_claim(text)
    assert read_claim(claim.text()) == claim
    assert claim.words()
    assert "(check-sat)" in claim.smt() or "without a query" in claim.smt()


def test_equal_of_other_offsets_says_what_differs() -> None:
    verdict = prove("equal(Sw<2,1,3> o 0 o (64,M):(1,64), Sw<2,1,3> o M o (64,M):(1,64))")
    assert verdict.counterexample is not None
    assert "at i = 0, (Sw<2,1,3> o 0 o " in verdict.counterexample.text
