"""Claims as values: text, words, query, brute force, and tables."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Callable
from itertools import product as cartesian

import pytest

from symcute import Layout
from symcute.claims import (
    Apart,
    Claim,
    Compact,
    Covers,
    Holds,
    InBounds,
    Injective,
    NoOverflow,
    Partition,
    PrintsAs,
    Table,
)
from symcute.claims.language import read_claim
from symcute.claims.vocabulary import CLAIMS
from symcute.errors import InputError, TextError
from symcute.prover import check, prove, static

TEXTS = [
    "injective((M,N):(LD,1))",
    "bijective(((2,2),M):((M,2*M),1))",
    "in_bounds((M,N):(LD,-1), M*LD-N)",
    "in_bounds((128,P):(1,128), M, where((128,P):(1,128), M))",
    "injective((128,P):(1,64), where((128,P):(1,128), M), where((128,P):(1,0), 64))",
    "compact((M,8,N):(1,0,M))",
    "apart(M:1, N:1)",
    "apart(M:1, (N):(1), M-1)",
    "covers((M,N):(1,M), M*N)",
    "partition((128,P):(1,128), M)",
    "partition((M:1,(4,N):(1,4)), (M,4*N-3))",
    "monotone((M,N):(1,M))",
    "increasing((M,N):(1,M-1))",
    "aligned((M,N):(8,4*LD), 4)",
    'no_overflow("i*LD + j", 32)',
    "no_overflow((M,N):(LD,-1), 16)",
    "refines(((M,N),4), (M*N,4))",
    "bank_conflict(access((32,R):(LD,1), 32), 2, 1)",
    "sectors(access(Sw<3,3,3> o 64*s o (8,M):(64,8), 16, 128, B), 8)",
    "coalesced(access((32,R):(1,LD), 16))",
    "vectorizable((N,M):(1,LD), 16, 128, 8*B)",
    "partition_exact((32,(4,N)):(1,(32,128)), (32,4*N))",
    "partition_exact(((4,2),M):((1,0),4), 4*M, 2)",
    "same_elements((M,(2,N)):(1,(M,2*M)), (M,(N,2)):(1,(2*M,M)))",
    "same_image((M,N):(N,1), M*N:1)",
    "equal((M/4,4):(4,1), M:1)",
    "compatible((M*N,4), ((M,N),4))",
    "disjoint((8):(1), (4):(M+1))",
    "is_complement(N:M, M:1, M*N)",
    "is_composition((2,M):(1,2), (2,M):(1,2), 2*M:1)",
    "is_right_inverse(M:1, (M):(1))",
    "is_left_inverse(1:0, 1:7)",
    'prints_as((4,8):(8,1), "(4,8):(8,1)")',
    "table((2,2):(1,2), ((0,2),(1,3)))",
    "table(3:5, ((0,5,10)))",
    "M % 4 == 0 implies (M+N) % 4 != 1",
    "not (M == N) or M*N >= 1",
]


@pytest.mark.parametrize("text", TEXTS)
def test_a_claim_is_printed_as_it_is_read(text: str) -> None:
    claim = read_claim(text)
    assert read_claim(claim.text()) == claim


@pytest.mark.parametrize("text", TEXTS)
def test_a_claim_says_itself_in_words_and_as_a_query(text: str) -> None:
    claim = read_claim(text)
    assert claim.words()
    smt = claim.smt()
    assert "(check-sat)" in smt or "decided by evaluation" in smt


def test_every_claim_of_the_grammar_has_a_text_here() -> None:
    assert {t.split("(")[0] for t in TEXTS} >= set(CLAIMS)


@pytest.mark.parametrize(
    ("claim", "fails"),
    [
        ("injective((2,2):(1,1))", True),
        ("injective((2,2):(1,2))", False),
        ("bijective((2,2):(1,3))", True),
        ("in_bounds(4:-1, 4)", True),
        ("in_bounds(4:1, 4)", False),
        ("equal(4:1, 5:1)", True),
        ("disjoint(4:1, 2:3)", True),
        ("disjoint(4:1, 2:4)", False),
        ("is_complement(2:4, 4:1, 9)", True),
        ("is_complement((2,2):(8,4), 4:1, 16)", True),
        ("is_right_inverse(4:2, 4:1)", True),
        ("is_left_inverse(4:1, 4:2)", True),
        ("in_bounds((4,3):(1,4), 10, where((4,3):(1,4), 10))", False),
        ("in_bounds((4,3):(1,4), 10, where((4,3):(1,4), 11))", True),
        ("injective((4,3):(1,3), where((4,3):(1,0), 3))", False),
        ("injective((4,3):(1,3), where((4,3):(0,1), 2))", True),
        ("compact((4,5,2):(2,0,1))", False),
        ("compact((4,2):(1,5))", True),
        ("apart(4:1, 4:1, 4)", False),
        ("apart(4:1, 4:1, 3)", True),
        ("apart(4:2, 4:2, 1)", False),
        ("covers((4,3):(1,3), 10)", False),
        ("covers((4,3):(1,3), 11)", True),
        ("covers(4:-1, 1)", False),
        ("covers((4,2):(-1,3), 4)", False),
        ("covers((4,2):(-1,5), 3)", True),
        ("partition((4,3):(1,4), 10)", False),
        ("partition((4,3):(1,4), 13)", True),
        ("partition((4,3):(1,3), 3)", False),
        ("partition((4,3):(1,3), 4)", True),
        ("partition((4,3):(1,-4), 2)", True),
        ("partition((4:1,2:2), (4,2))", True),
        ("monotone((2,3):(1,1))", False),
        ("monotone((3,3):(1,1))", True),
        ("increasing((2,3):(1,1))", True),
        ("increasing((2,3):(1,2))", False),
        ("aligned((4,1):(8,3), 4)", False),
        ("aligned((4,2):(8,3), 4)", True),
        ("aligned(4:0, 0)", True),
        ("refines((2,2), 4)", False),
        ("bank_conflict(access(32:33, 32), 1)", False),
        ("bank_conflict(access(32:34, 32), 1)", True),
        ("bank_conflict(access(32:1, 8), 1, 2)", True),
        ("sectors(access(32:8, 32), 31)", True),
        ("coalesced(access(32:1, 64))", False),
        ("vectorizable((8,2):(1,16), 16, 128)", False),
        ("vectorizable((8,2):(1,16), 16, 128, 9)", True),
        ("refines(4, (2,2))", True),
        ('no_overflow("100*2-100", 8)', True),
        ('no_overflow("60*2-100", 8)', False),
        ('no_overflow("-128", 8)', False),
        ('no_overflow("0-128", 8)', True),
        ("no_overflow((4,2):(-43,100), 8)", True),
        ("no_overflow((4,2):(-42,100), 8)", False),
        ("compatible((2,2), 4)", True),
        ("compatible(4, (2,2))", False),
    ],
)
def test_brute_force_finds_what_goes_wrong(claim: str, fails: bool) -> None:
    assert (check(claim) is not None) == fails


def random_layout(rng: random.Random, negative: bool = True) -> Layout:
    rank = rng.randint(1, 3)
    shape = tuple(rng.randint(1, 4) for _ in range(rank))
    return Layout(shape, tuple(rng.randint(-4 if negative else 0, 9) for _ in range(rank)))


def guards(rng: random.Random, layout: Layout) -> tuple[tuple[Layout, int], ...]:
    return tuple(
        (Layout(layout.shape, tuple(rng.randint(-1, 5) for _ in layout)), rng.randint(0, 9))
        for _ in range(rng.randint(1, 2))
    )


def random_claims(rng: random.Random) -> list[Claim]:
    one, other = random_layout(rng), random_layout(rng)
    up, bound = random_layout(rng, negative=False), rng.randint(0, 20)
    return [
        Injective(one, guards(rng, one)),
        InBounds(one, bound, guards(rng, one)),
        Apart(one, other, rng.randint(-9, 9)),
        Covers(one, bound),
        Covers(up, bound),
        Partition(up, bound),
        Compact(up),
    ]


def meaning(claim: Claim) -> bool:
    """The claim in words, by plain loops over coordinates."""
    if isinstance(claim, Partition):
        offsets = [claim.layout(i) for i in range(claim.layout.size())]
        once = all(offsets.count(m) == 1 for m in range(claim.bound))
        return once and min(offsets) >= 0
    if isinstance(claim, Covers):
        return set(range(claim.bound)) <= {claim.layout(i) for i in range(claim.layout.size())}
    if isinstance(claim, Apart):
        left = {claim.left(i) for i in range(claim.left.size())}
        return not left & {claim.shift + claim.right(i) for i in range(claim.right.size())}
    if isinstance(claim, Compact):
        kept = [(s, d) for s, d in claim.layout.modes() if d != 0]
        layout = Layout(tuple(s for s, _ in kept), tuple(d for _, d in kept)) if kept else Layout(1)
        return sorted(layout(i) for i in range(layout.size())) == list(range(layout.size()))
    assert isinstance(claim, (Injective, InBounds))
    layout = claim.layout
    offsets = [
        layout(i)
        for i in range(layout.size())
        if all(guard(i) < bound for guard, bound in claim.where)
    ]
    if isinstance(claim, Injective):
        return len(set(offsets)) == len(offsets)
    return all(0 <= x < claim.bound for x in offsets)


def test_brute_force_and_the_exact_decision_say_what_the_claim_means() -> None:
    rng, seen = random.Random(4), Counter[tuple[str, bool]]()
    for _ in range(400):
        for claim in random_claims(rng):
            expected = meaning(claim)
            seen[claim.name, expected] += 1
            assert (check(claim) is None) == expected, claim
            found = [static.decide(part) for part in claim.parts()]
            assert (found == [None] * len(found)) == expected, claim
    assert len(seen) == 2 * len({name for name, _ in seen})
    assert min(seen.values()) > 20


def test_guards_of_any_stride_are_decided_where_there_are_many_coordinates() -> None:
    tiles, index = (
        Layout((1 << 30, 1 << 20), (1, 1 << 30)),
        Layout((1 << 30, 1 << 20), (2, 1 << 31)),
    )
    inside = (1 << 49) + 5
    assert static.decide(InBounds(tiles, inside, ((index, 2 * inside),))) is None
    failure = static.decide(InBounds(tiles, inside, ((index, 2 * inside + 1),)))
    assert failure is not None
    assert f"= {inside}, outside" in failure


def test_index_arithmetic_is_followed_in_the_order_written() -> None:
    claim = NoOverflow("(i*LD + j) * 4 - 7*-1", 32)
    assert isinstance(claim.parts()[0], Holds)
    sides = [str(f) for f in claim.parts()[0].formula.args[1::2]]
    limit = 1 << 31
    values = ["i", "LD", "LD*i", "j", "LD*i+j", "4", "4*LD*i+4*j", "7", "-1", "-7", "4*LD*i+4*j+7"]
    assert sides == [f"{x} < {limit}" for x in values]
    assert str(claim.at({"i": -3, "LD": 5, "j": 1})) == 'no_overflow("(-3*5 + 1)*4 - 7*-1", 32)'
    assert check(claim, i=3, LD=5, j=1) is None
    assert check(claim, i=1 << 29, LD=1, j=0) is not None
    assert check(NoOverflow("i - 2147483648", 33), i=-5) is None


@pytest.mark.parametrize("bits", range(1, 6))
def test_a_layout_overflows_where_a_partial_sum_does(bits: int) -> None:
    limit = 1 << (bits - 1)
    rng, seen = random.Random(bits), set()
    symbolic = Layout.parse("(M,N):(D,E)")
    for _ in range(200):
        dims = {"M": rng.randint(1, 4), "N": rng.randint(1, 4)}
        dims |= {"D": rng.randint(-4, 4), "E": rng.randint(-4, 4)}
        layout = symbolic.at(dims)
        fits = True
        for x, y in cartesian(range(dims["M"]), range(dims["N"])):
            for value in (x * dims["D"], y * dims["E"], x * dims["D"] + y * dims["E"]):
                fits &= -limit <= value < limit
        for claim in (NoOverflow(layout, bits), NoOverflow(symbolic, bits).parts()[0].at(dims)):
            assert (check(claim) is None) == fits
        seen.add(fits)
    assert seen == {True, False}


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: NoOverflow(Layout(4).modes()[0][0] + 1), "5 has no order of evaluation"),
        (lambda: NoOverflow("i", 0), "0 bits in no_overflow"),
        (lambda: NoOverflow("i < 4"), "expected an expression in dims"),
        (lambda: NoOverflow("4:1"), "expected an expression in dims"),
        (lambda: Injective(Layout(4), ((Layout(5), 3),)), "the guard 5:1 and 4:1 have different"),
        (lambda: InBounds(Layout(4), 4, (4,)), "4 is not a guard of in_bounds"),
        (lambda: Partition((Layout(4), Layout(4)), (4,)), "partition takes a layout and a bound"),
        (lambda: Partition((4, 4), (4, 4)), "4 in partition is not a layout"),
    ],
)
def test_what_makes_no_claim_is_refused(make: Callable[[], Claim], message: str) -> None:
    with pytest.raises((InputError, TextError), match=re.escape(message)):
        make()


def test_where_takes_a_guard_and_nothing_else() -> None:
    with pytest.raises(TextError, match="expected a guard"):
        read_claim("injective(4:1, M)")
    with pytest.raises(TextError, match="expected a guard"):
        read_claim("in_bounds(4:1, 4, where(4:1))")


@pytest.mark.parametrize(
    ("layout", "rows"),
    [
        ("8:1", "((0,1))"),
        ("8:1", "((0,1,2,3),(4,5,6,7))"),
        ("(2,2):(1,2)", "((0,2),(1))"),
        ("(2,2):(1,2)", "((0,2))"),
        ("(2,2,2):(1,2,4)", "((0,2),(1,3))"),
    ],
)
def test_a_table_that_leaves_cells_out_is_refused(layout: str, rows: str) -> None:
    with pytest.raises(InputError):
        prove(f"table({layout}, {rows})")


def test_a_table_compares_every_cell() -> None:
    assert prove(Table(Layout((2, 2), (1, 2)), ((0, 2), (1, 3)))).status == "proved"
    assert prove(Table(Layout((2, 2), (1, 2)), ((0, 2), (1, 4)))).status == "refuted"


def test_prints_as_compares_text() -> None:
    assert prove(PrintsAs(Layout(4), "4:1")).status == "proved"
    assert prove(PrintsAs(Layout(4), "(4):(1)")).status == "refuted"


def test_claims_are_values() -> None:
    assert Injective(Layout(4)) == Injective(Layout(4, 1))
    assert len({Injective(Layout(4)), Injective(Layout(4, 1))}) == 1


@pytest.mark.parametrize(
    ("claim", "dims", "words"),
    [
        ("monotone((M,N):(N,1))", {"M": 2, "N": 2}, "N == 1 or N*(M-1) <= 1 is false"),
        ("refines((M,N), (N,M))", {"M": 1, "N": 2}, "N == M is false, N = 2 and M = 1"),
        ('no_overflow("i*LD", 4)', {"i": 3, "LD": 3}, "LD*i < 8 is false, LD*i = 9"),
        ("aligned((M,N):(8,4), 8)", {"M": 1, "N": 2}, "N == 1 or 4 % 8 == 0 is false"),
        # At these dims the stride is 0: the condition has another form there than as written.
        ("is_complement(2:5, M:D, 9)", {"M": 2, "D": 0}, "9 <= 2 is false"),
    ],
)
def test_a_condition_that_fails_is_said_as_it_was_written(
    claim: str, dims: dict[str, int], words: str
) -> None:
    failure = check(claim, **dims)
    assert failure is not None
    assert failure.text == words
