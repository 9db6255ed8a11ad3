"""Verdicts: what is proved, what is refuted and how, and what is left unknown."""

from __future__ import annotations

from typing import Any

import pytest
import sympy

from symcute import Layout, dims
from symcute.claims import Injective
from symcute.errors import InputError, TextError
from symcute.expr.assumptions import assuming
from symcute.prover import check, prove
from tests.work import calls

Given = list[str]


def status(claim: Any, given: Any = ()) -> str:
    return prove(claim, given=given, work=2000).status


TRUE: list[tuple[str, Given]] = [
    ("injective((M,N):(LD,1))", ["LD >= N"]),
    ("injective((M,N):(-LD,1))", ["LD >= N"]),
    ("injective((2,2*N+1):(N,2))", ["N % 2 == 1", "N == 3"]),
    ("bijective((M,N,K):(N,1,M*N))", []),
    ("bijective((128,M/128):(M/128,1))", ["M % 128 == 0"]),
    ("in_bounds((M,N):(LD,1), (M-1)*LD+N)", ["LD >= 0"]),
    ("in_bounds((M,N):(1,M), 4096)", ["M <= 64", "N <= 64"]),
    ("equal((M,N):(1,M), M*N:1)", []),
    ("equal((4,M/4):(1,4), M:1)", ["M % 4 == 0"]),
    ("compatible(M*N, (M,N))", []),
    ("disjoint(M:1, N:M)", []),
    ("is_complement(N:M, M:1, M*N)", []),
    ("is_composition((N,M):(M,1), (M,N):(1,M), (N,M):(M,1))", []),
    ("is_right_inverse((N,M):(M,1), (M,N):(N,1))", []),
    ("is_left_inverse((LD,M):(M,1), (M,N):(LD,1))", ["LD >= N"]),
    ("size((M,N):(LD,1)) == M*N", []),
    ("M % N == 0 implies N <= M", []),
    ("M // 4 * 4 <= M", []),
]


@pytest.mark.parametrize(("claim", "given"), TRUE)
def test_true_claims_are_proved(claim: str, given: Given) -> None:
    verdict = prove(claim, given=given)
    assert verdict.status == "proved", verdict.reason
    assert verdict.certificate is not None
    assert verdict.rests_on


FALSE: list[tuple[str, Given]] = [
    ("injective((M,N):(LD,1))", ["LD >= N-1"]),
    ("injective((M,N):(0,1))", []),
    ("bijective((M,N,K):(N,1,M*N+1))", []),
    ("bijective((128,M/128):(M/128,2))", ["M % 128 == 0"]),
    ("in_bounds((M,N):(LD,1), (M-1)*LD+N-1)", ["LD >= 0"]),
    ("in_bounds((M,N):(1,M), 4095)", ["M <= 64", "N <= 64"]),
    ("in_bounds(M:-1, M)", []),
    ("equal((M,N):(1,M), (N,M):(1,M))", []),
    ("equal((4,M/4):(1,5), M:1)", ["M % 4 == 0"]),
    ("compatible((M,N), (N,M))", []),
    ("disjoint(M:1, N:M-1)", []),
    ("is_complement(N:M, M:1, M*N+1)", []),
    ("is_composition((N,M):(M,1), (M,N):(1,M), (N,M):(1,N))", []),
    ("is_right_inverse((N,M):(M,1), (M,N):(1,M))", []),
    ("is_left_inverse((LD,M):(N,1), (M,N):(LD,1))", ["LD >= N"]),
    ("size((M,N):(LD,1)) == M*N+1", []),
    ("N <= M implies M % N == 0", []),
    ("M // 4 * 4 >= M", []),
]


@pytest.mark.parametrize(("claim", "given"), FALSE)
def test_false_neighbours_are_refuted_by_an_instance_that_fails(claim: str, given: Given) -> None:
    verdict = prove(claim, given=given)
    assert verdict.status == "refuted", verdict.reason
    assert verdict.counterexample is not None
    if verdict.counterexample.dims:
        with assuming(given):
            assert check(verdict.claim, **verdict.counterexample.dims) is not None


@pytest.mark.parametrize(
    "given",
    [["M >= 5", "M <= 4"], ["M % 2 == 0", "M % 2 == 1"], ["M == M + 1"], ["M <= 0"], ["1 == 2"]],
)
def test_contradictory_assumptions_are_vacuous_never_proved(given: Given) -> None:
    for claim in ("injective(M:1)", "injective(4:1)", "injective(M:0)", "M == M", "M == 0"):
        verdict = prove(claim, given=given)
        assert (verdict.status, verdict.vacuous) == ("unknown", True)
        assert "contradict" in verdict.reason


def test_assumptions_that_the_solver_cannot_refute_prove_nothing() -> None:
    verdict = prove("injective((M,N):(1,M))", given=["M*M == 2*N*N"], work=1000)
    assert verdict.status == "unknown"
    assert "no instance" in verdict.reason


def test_a_quotient_in_an_assumption_does_not_prove_its_own_side_condition() -> None:
    verdict = prove("M != 100001", given=["M == 100001 or M/4 >= 1"])
    assert verdict.status != "proved"


@pytest.mark.parametrize(
    "claim",
    [
        "in_bounds(4:1, M/4+16)",
        "M/4 <= M",
        "min(M/4,N) >= 0",
        "injective((M//4/2+1):1)",
        "bijective(M/4:1)",
        "(M*M-1)/(M-1) == M+1",
    ],
)
def test_what_is_no_integer_for_some_dims_is_not_proved(claim: str) -> None:
    verdict = prove(claim, work=2000)
    assert verdict.status == "unknown"
    assert "assume" in verdict.reason


@pytest.mark.parametrize(
    ("claim", "given"),
    [("bijective(M:1)", ["M >= 0"]), ("injective((M-1):1)", []), ("injective(M//4:1)", [])],
)
def test_extents_that_may_be_0_are_not_proved(claim: str, given: Given) -> None:
    verdict = prove(claim, given=given)
    assert verdict.status == "unknown"
    assert "may be less than 1" in verdict.reason


def test_a_dim_is_at_least_1_unless_an_assumption_bounds_it() -> None:
    assert status("M >= 1") == "proved"
    assert status("M >= 1", ["M >= 0"]) == "refuted"
    assert status("M >= 0", ["M >= 0"]) == "proved"
    assert status("M >= 0", ["M >= -2"]) == "refuted"


def test_a_verdict_is_no_bool() -> None:
    with pytest.raises(TypeError, match="status"):
        bool(prove("M == M"))


def test_a_claim_is_no_bool() -> None:
    with pytest.raises(TypeError, match="prove"):
        bool(Injective(Layout(4)))


def test_what_is_no_claim_is_refused() -> None:
    with pytest.raises(InputError, match="is not a claim"):
        prove(True)
    with pytest.raises(TextError, match="not a claim"):
        prove("(4,8):(8,1)")


def test_sympy_equality_is_refused_as_an_assumption() -> None:
    m, p = dims("M P")
    with pytest.raises(InputError, match="bare bool False"):
        prove("injective(M:1)", given=[m == 4 * p])
    assert status("M % 4 == 0", [sympy.Eq(m, 4 * p)]) == "proved"


def test_a_counterexample_has_a_value_for_every_dim_of_the_claim() -> None:
    verdict = prove("is_complement((M,N):(1,M*N), M:1, ceil_div(N,K))", given=["N <= M"])
    assert verdict.counterexample is not None
    assert set(verdict.counterexample.dims) == {"M", "N", "K"}
    assert check(verdict.claim, **verdict.counterexample.dims) is not None


def test_check_names_a_missing_dim() -> None:
    with pytest.raises(InputError, match="no value for N"):
        check("injective((M,N):(1,M))", M=3)


def test_check_refuses_what_is_too_large() -> None:
    with pytest.raises(InputError, match="too many to enumerate"):
        check("injective(M:1)", M=1 << 40)


B = 1 << 20
GOOD = f"({B},{B},{B}):({B},1,{B * B})"
OFF = f"({B},{B},{B}):({B},1,{B * B - 1})"
WILD = f"({B},{B},{B}):({B + 1},3,{B * B + 7})"


@pytest.mark.parametrize(
    ("claim", "expected"),
    [
        (f"injective({GOOD})", "proved"),
        (f"injective({OFF})", "refuted"),
        (f"injective({WILD})", "refuted"),
        (f"bijective({GOOD})", "proved"),
        (f"bijective({OFF})", "refuted"),
        (f"in_bounds({GOOD}, {B**3})", "proved"),
        (f"in_bounds({GOOD}, {B**3 - 1})", "refuted"),
        (f"equal({GOOD}, coalesce({GOOD}))", "proved"),
        (f"equal({GOOD}, {OFF})", "refuted"),
        (f"compatible({B**3}, {GOOD})", "proved"),
        (f"disjoint({GOOD}, 2:{B**3})", "proved"),
        (f"disjoint({GOOD}, {OFF})", "refuted"),
        (f"disjoint(({B},{B}):(2,{2 * B}), {B}:-3)", "proved"),
        (f"is_complement(complement({GOOD}, {4 * B**3}), {GOOD}, {4 * B**3})", "proved"),
        (f"is_complement(2:{B**3}, {GOOD}, {4 * B**3})", "refuted"),
        (f"is_composition({GOOD}, {GOOD}, {B**3}:1)", "proved"),
        (f"is_composition({OFF}, {GOOD}, {B**3}:1)", "refuted"),
        (f"is_right_inverse(right_inverse({GOOD}), {GOOD})", "proved"),
        (f"is_right_inverse({OFF}, {GOOD})", "refuted"),
        (f"is_left_inverse(left_inverse({GOOD}), {GOOD})", "proved"),
        (f"is_left_inverse({WILD}, {GOOD})", "refuted"),
    ],
)
def test_layouts_of_2_to_the_60_elements_are_decided_at_once(claim: str, expected: str) -> None:
    verdicts = [prove("injective((M,8):(8,1))")]  # what is loaded for the first
    calls(lambda: verdicts.append(prove(claim)), 200_000)
    assert verdicts[1].status == expected


def test_what_the_solver_alone_settled_is_said_to_rest_on_it() -> None:
    by_polynomials = prove("injective((M,N):(LD,1))", given=["LD >= N"])
    assert (by_polynomials.how, by_polynomials.rests_on) == ("structural: chain", ("arithmetic",))
    by_solver = prove("M*M + N*N != 3")
    assert by_solver.how == "structural: formula"
    assert by_solver.rests_on[0] == "arithmetic"
    assert by_solver.rests_on[1].startswith("solver ")


def test_with_confirm_z3_is_asked_for_every_obligation_once_more() -> None:
    verdict = prove("injective((M,N):(LD,1))", given=["LD >= N"], confirm=True)
    assert verdict.status == "proved"
    assert [x.split()[:3] for x in verdict.rests_on[1:]] == [["confirmed", "by", "z3"]]


def test_only_the_assumptions_that_contradict_each_other_are_named() -> None:
    verdict = prove("injective(M:1)", given=["K >= 2", "M >= 5", "N <= K", "M <= 4"])
    assert verdict.vacuous
    assert verdict.reason == "vacuous: the assumptions contradict each other: 5 <= M; M <= 4"


@pytest.mark.parametrize("text", ["M**1000000", "2**(10**9)", "M**64**64", "(M+1)**(2*M)"])
def test_huge_powers_are_refused_at_once(text: str) -> None:
    prove("M + 1 >= 1")  # what is loaded for the first
    with pytest.raises(InputError):
        calls(lambda: prove(f"{text} >= 1"), 200_000)


def test_what_is_too_large_to_expand_is_refused() -> None:
    with pytest.raises(InputError, match="too large to expand"):
        prove("(A+B+C+D)**30 * (E+F+G+H)**30 >= 0")


def test_a_case_for_each_order_of_the_strides() -> None:
    verdict = prove("injective((2,2):(S,T))", given=["S >= 2*T or T >= 2*S"])
    assert (verdict.status, verdict.rests_on) == ("proved", ("arithmetic",))
    assert verdict.certificate is not None
    kind, _, proofs = verdict.certificate["proof"]["cases"]
    assert kind == "either"
    assert [p["parts"][0]["order"] for p in proofs] == [[1, 0], [0, 1]]


@pytest.mark.parametrize("limit", ["x", -1, 0, float("nan"), float("inf")])
def test_a_time_limit_is_a_number_of_seconds(limit: Any) -> None:
    with pytest.raises(InputError, match="is no time limit; give seconds"):
        prove("injective((4,8):(8,1))", timeout=limit)
