"""Claims as values: text, words, query, brute force, and tables."""

from __future__ import annotations

import pytest

from symcute import Layout
from symcute.claims import Injective, PrintsAs, Table
from symcute.errors import InputError
from symcute.language import CLAIMS, read_claim
from symcute.prover import check, prove

TEXTS = [
    "injective((M,N):(LD,1))",
    "bijective(((2,2),M):((M,2*M),1))",
    "in_bounds((M,N):(LD,-1), M*LD-N)",
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
        ("compatible((2,2), 4)", True),
        ("compatible(4, (2,2))", False),
    ],
)
def test_brute_force_finds_what_goes_wrong(claim: str, fails: bool) -> None:
    assert (check(claim) is not None) == fails


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
