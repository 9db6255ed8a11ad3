"""Suggestions: the weakest assumption found, proved, and why nothing weaker will do."""

from __future__ import annotations

import pytest

from symcute.claims import Claim
from symcute.claims.language import read_claim
from symcute.errors import InputError
from symcute.expr import limits
from symcute.expr.assumptions import Assumptions
from symcute.expr.formula import divides, eq, le
from symcute.expr.leaf import dim
from symcute.prover import check, prove
from symcute.prover.candidates import candidates, relaxed
from symcute.prover.suggestion import SEARCH_WORK, Suggestion, suggest
from symcute.solve.entailment import facts

Given = list[str]

BOUNDED = ["0 <= row < 2**20", "0 <= col < stride <= 2**20"]
WANTED: list[tuple[str, Given, str]] = [
    ("injective((M,N):(LD,1))", [], "LD >= N"),
    ("injective((M,N,B):(LD,1,S))", ["LD >= N"], "S >= LD*M-LD+N"),
    ("injective((M,N):(K,K+1))", [], "K+1 >= M"),
    ("injective(M/4:1)", [], "M % 4 == 0"),
    ("injective((M,N):(0,1))", [], "M <= 1"),
    ("bijective((M,N):(LD,1))", [], "LD == N"),
    ("equal((4,M//4):(1,4), M:1)", [], "M % 4 == 0"),
    ("in_bounds((M,N):(LD,1), S)", ["LD >= N"], "S >= LD*M-LD+N"),
    ("size(logical_divide((M,N), (128,64))) == M*N", [], "M % 128 == 0 and N % 64 == 0"),
    ("aligned((M,N):(LD,1), 8)", ["N == 1"], "LD % 8 == 0"),
    ("partition((128,P):(1,128), M)", [], "128*P >= M"),
    ("is_complement(N:D, M:1, M*N)", [], "D >= M"),
    ("apart(M:1, N:1, K)", ["K >= 0"], "K >= M"),
    ("covers((M,N):(1,LD), M*N)", ["LD >= 1"], "LD == M"),
    ("is_composition((M,K):(LD,LD*P), (P*Q,N):(LD,1), (M,K):(1,P))", ["M <= P"], "Q >= K"),
    ("no_overflow((M,N):(N,1), 32)", [], "M*N <= 2147483648"),
    ('no_overflow("row*stride + col", 32)', BOUNDED, "row <= 2047"),
]


def built(text: str, given: Given, found: Suggestion) -> Claim:
    return read_claim(text, given=[*given, found.assumption])


@pytest.mark.parametrize(("text", "given", "wanted"), WANTED)
def test_the_weakest_assumption_is_named_and_proved(text: str, given: Given, wanted: str) -> None:
    found = suggest(text, given)
    assert found is not None
    assert str(found) == f"holds if {wanted}"
    assert found.verdict.status == "proved"
    again = prove(built(text, given, found), [*given, wanted])
    assert again.status == "proved"
    assert again.certificate is not None


@pytest.mark.parametrize(("text", "given", "wanted"), WANTED)
def test_the_assumption_is_met_and_every_weaker_one_fails(
    text: str, given: Given, wanted: str
) -> None:
    found = suggest(text, given)
    assert found is not None
    claim = built(text, given, found)
    met, all_ = (list(facts(x).instances(claim.dims(), 200)) for x in ([*given, wanted], given))
    assert met
    for name in claim.dims():  # a dim keeps several values, unless it is named for want of better
        if len({at[name] for at in all_}) > 1 and wanted != f"{name} <= 1":
            assert len({at[name] for at in met}) > 1
    for weaker, example in found.weaker:
        dims = dict(example.dims)
        assert weaker.holds(dims)
        assert Assumptions.of(given).hold(dims)
        if max(dims.values()) < 1000:
            assert fails(claim, dims)


def fails(claim: Claim, dims: dict[str, int]) -> bool:
    try:
        return check(claim, **dims) is not None
    except InputError:  # an extent below 1, a quotient that is no integer: there is no such layout
        return True


@pytest.mark.parametrize(
    ("text", "given"),
    [
        ("injective((M,N):(LD,1))", ["LD >= N"]),  # proved as it stands
        ("injective(4:0)", []),  # false whatever the dims
        ("M % 4 == 0", []),  # nothing but itself would do
        ("M*N < 0", []),
        ("injective((M,2):(0,0))", []),
    ],
)
def test_no_suggestion_where_there_is_none(text: str, given: Given) -> None:
    assert suggest(text, given) is None


def test_what_is_shown_as_weaker_is_weaker() -> None:
    found = suggest("injective((M,N):(LD,1))")
    assert found is not None
    told = found.to_json()
    assert told["assumption"] == "LD >= N"
    assert told["weaker"][0]["assumption"] == "LD+1 >= N"
    assert told["weaker"][0]["counterexample"]["dims"] == {"LD": 1, "M": 2, "N": 2}


def test_a_relaxed_assumption_is_implied_by_the_one_it_comes_from() -> None:
    m, n = dim("M"), dim("N")
    for formula in (le(n, m), divides(12, m), eq(m, n)):
        assert list(relaxed(formula))
        for weaker in relaxed(formula):
            assert facts([formula]).proves(weaker)
            assert not facts([weaker]).proves(formula)


def test_candidates_are_relations_over_the_dims_each_once() -> None:
    claim = read_claim("in_bounds((M,N):(LD,1), S)")
    found = candidates(claim, Assumptions())
    assert le(dim("N"), dim("LD")) in {le(*map(str_to_leaf, f.args)) for f in found}
    assert all(f.dims() <= claim.dims() for f in found)


def str_to_leaf(x: object) -> object:
    text = str(x)
    return dim(text) if text.isidentifier() else 0


def test_a_search_does_so_much_work(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the bound that is plain, what is tried asks solvers in vain many times."""
    monkeypatch.setattr("symcute.prover.candidates._room", lambda *_: iter(()))
    with limits.budget(10 * SEARCH_WORK) as work:
        found = suggest('no_overflow("row*stride + col", 32)', BOUNDED)
    assert "%" not in str(found)
    assert SEARCH_WORK <= work.done < 1.5 * SEARCH_WORK
