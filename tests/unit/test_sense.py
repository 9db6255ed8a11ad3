"""Conditions are read off the text as it was written, before anything cancels."""

from __future__ import annotations

import pytest

from symcute import InputError, Layout, dims, prove
from symcute.checker.document import digest
from symcute.claims import Holds, Injective
from symcute.expr.expression import exact_div, floor_div, mod
from symcute.expr.formula import eq, le
from symcute.prover import check as brute
from symcute.recheck import check

#: Claims of which nothing is known until what they ask for is assumed, with that.
ASKING = [
    ("2*(n/2) == n", "2 | n"),
    ("(M/N)*N == M", "N | M"),
    ("in_bounds((M,N):(N,1), M*(N/8)*8)", "8 | N"),
    ("injective((M,N/4*4):(1,M))", "4 | N"),
    ("covers((M,N):(1,M), M*N/5*5)", "5 | M*N"),
    ("0 * (M // (N-1)) == 0", "N >= 2"),
    ("vectorizable((4,N):(1,4*(LD/4)), 32, 128)", "4 | LD"),
    ("((mod(12,K))*(K-K)) % 6 == 0", "K != 0"),
    ("M == M/3*3", "3 | M"),
    ("M/2 - M/2 == 0", "2 | M"),
    ("(M/N)*0 == 0", "N | M"),
    ("min(M/2, M/2) <= M", "2 | M"),
    ("(N-1)/(N-1) == 1", "N >= 2"),
    ("0/(N-1) == 0", "N >= 2"),
    ("M % (N-1) == M % (N-1)", "N >= 2"),
    ("M <= M/2*2 <= M", "2 | M"),
    ("4 | 4*(M/2)", "2 | M"),
    ("M/2*4 % 4 == 0", "2 | M"),
    ("M >= 1 or M/2 >= 1", "2 | M"),
    ("not (M/2*2 < M)", "2 | M"),
    ("M % 3 == 0 implies M/2*2 == M", "2 | M"),
    ("injective((M,N):(1,M), where((M,N):(1,M), N/2*2))", "2 | N"),
    ("injective((M,N):(1,2*(M/2)))", "2 | M"),
    ("apart(M:1, M:1, 2*(M/2) + M % 2)", "2 | M"),
    ("coalesced(access((32,N):(1,32*(M/2)*2), 32))", "2 | M"),
    ("bank_conflict(access((32,N):(1,32), 32, 32, 32*(M/2)), 1)", "2 | M"),
    ('no_overflow("0*(M/2)", 8)', "2 | M"),
    ("size(coalesce((M/2*2,N):(1,M))) == M*N", "2 | M"),
    ("injective(logical_divide((M,N/4*4):(1,M), (2,_)))", "4 | N"),
    ("injective((M-1,N):(1,M))", "M >= 2"),
    ("injective((M-1,N))", "M >= 2"),
    ("equal(((M-1)*1,N), (M-1,N))", "M >= 2"),
    ("compatible((M,N/2*2):(1,M), (M,N))", "2 | N"),
]


@pytest.mark.parametrize(("claim", "assumption"), ASKING)
def test_what_cancels_is_asked_for(claim: str, assumption: str) -> None:
    needed = {"K": "K > -3", "no_overflow": "M <= 8", "logical_divide": "2 | M"}
    bounds = [text for word, text in needed.items() if word in claim]
    verdict = prove(claim, given=bounds, work=200)
    assert verdict.status == "unknown"
    assert verdict.claim.text() == verdict.to_json()["claim"]
    proved = prove(claim, given=[*bounds, assumption])
    assert proved.status == "proved", proved.reason
    assert check(proved.certificate).accepted


@pytest.mark.parametrize(
    ("claim", "given"),
    [
        ("M % 2 == 0 implies M/2*2 == M", []),
        ("5 % -3 == -1", []),
        ("-5 // -3 == 1 and 5 // -3 == -2 and ceil_div(5, -3) == -1", []),
        ("M % (-3) <= 0", []),
        ("M // (-1) == -M", []),
        ('no_overflow("mod((-2) // 2, 5 % 7)", 16)', []),
        ("injective((_128,_64):(_1,_128))", []),
        ("M >= 5", ["5 | min(M,M)"]),
        ("M % 2 == 0", ["M/2*2 == M"]),
        ("N >= 2", ["(N-1)*M/(N-1) >= 1"]),
        ("M % 4 == 0 and M >= 4*N", ["M/4 >= N"]),
        ("M % 2 == 1", ["not (M % 2 == 0)"]),
        ("M % 4 != 2", ["(M + 0) % (2 + 2) == 1"]),
        ("(M << 2) >> 2 == M", []),
        ("shape((4,M)) == (4,M)", []),
        ("compatible((6 + (2 % 1)*0):1, 6:1)", []),
        ("in_bounds((N//2+1,M):(M,1), N, where((N//2+1,M):(1,N//2+1), N))", ["N >= N*N"]),
    ],
)
def test_what_makes_sense_is_proved_with_a_certificate(claim: str, given: list[str]) -> None:
    verdict = prove(claim, given=given)
    assert verdict.status == "proved", verdict.reason
    assert check(verdict.certificate).accepted


@pytest.mark.parametrize(
    ("claim", "given"),
    [
        ("M % 4 == 0", ["M/2*2 == M"]),
        ("N >= 3", ["(N-1)*M/(N-1) >= 1"]),
        ("M/2 >= 2", []),
        ("M <= 4", ["M/3 >= 1"]),
        ("M // (N-3) < M", []),
    ],
)
def test_a_counterexample_makes_sense(claim: str, given: list[str]) -> None:
    verdict = prove(claim, given=given)
    assert verdict.status == "refuted"
    at = {"M": 1, "N": 1} | dict(verdict.counterexample.dims)
    assert all(brute(text, **at) is None for text in given)
    assert brute(claim, **at) is not None


@pytest.mark.parametrize(
    "conclusion",
    ["M >= 2", "injective((M):(1))", "exists i < M: i == 1", "not injective((M):(0))",
     "(injective((M):(1)) or M >= 9)"],
)  # fmt: skip
def test_a_premise_has_to_have_a_value_whatever_stands_behind_it(conclusion: str) -> None:
    claim = f"M/2 >= 1 implies {conclusion}"
    assert prove(claim).status == "unknown"
    assert prove(claim, given="M % 2 == 0").status == "proved"
    behind = f"M % 2 == 0 implies (M/2 >= 1 implies {conclusion})"
    assert prove(behind).status == "proved"
    assert prove(behind.replace("M % 2", "M % 3")).status == "unknown"
    divided = f"4 // (M-1) >= 0 implies {conclusion}"
    assert prove(divided).status == "unknown"
    assert prove(divided, given="M >= 2").status == "proved"


def test_a_false_conclusion_is_refuted_where_the_premise_has_a_value() -> None:
    found = prove("M/2 >= 1 implies injective((M):(0))")
    assert found.status == "refuted" and found.counterexample.dims["M"] % 2 == 0


def test_an_instance_without_a_value_is_none_of_the_claim() -> None:
    with pytest.raises(InputError, match="n/2 has no value at n=1; meet n % 2 == 0"):
        brute("2*(n/2) == n", n=1)
    with pytest.raises(InputError, match="has no value"):
        brute("0 * (5 // (n-1)) == 0", n=1)
    assert brute("n % 2 == 0 implies 2*(n/2) == n", n=1) is None


def test_layouts_and_expressions_made_in_python_keep_their_quotients() -> None:
    M, N = dims("M N")
    assert str(Layout.parse("(M,N/4*4):(1,M)")) == "(M,4*(N/4)):(1,M)"
    for shape in ((M, 4 * exact_div(N, 4)), Layout.parse("(M,N/4*4):(1,M)").shape):
        claim = Injective(Layout(shape, (1, M)))
        assert prove(claim).status == "unknown"
        assert prove(claim, given="4 | N").status == "proved"
    assert prove(Holds(eq(exact_div(M, N) * N, M))).status == "unknown"
    assert prove(Holds(le(mod(M, N - 1) - mod(M, N - 1), 0))).status == "proved"  # SymPy dropped it
    assert prove(Holds(le(floor_div(M, N - 1), floor_div(M, N - 1)))).status == "unknown"


def test_a_claim_about_operations_is_trusted_for_what_they_came_to() -> None:
    verdict = prove("injective(coalesce((M,N):(1,M)))")
    assert verdict.certificate["operations"] == [["coalesce((M,N):(1,M))", "M*N:1"]]
    assert verdict.rests_on == ("arithmetic", "the layout algebra (coalesce)")
    result = check(verdict.certificate)
    assert (result.status, result.rests_on) == ("trusted", verdict.rests_on)
    assert result.statement.startswith("injective(coalesce((M,N):(1,M))) for all integers")


def test_the_width_of_an_overflow_makes_sense_too() -> None:
    """A forged certificate whose width has a quotient that is no integer is rejected."""
    verdict = prove('no_overflow("2 + 3", 16/2*4)')
    assert verdict.certificate is not None
    assert verdict.certificate["proof"]["defined"], "the quotient is asked for"
    assert check(verdict.certificate).status == "checked"
    forged = {**verdict.certificate, "claim": 'no_overflow("2 + 3", 15/2*4 + 2)'}
    forged["digest"] = digest(forged)
    assert check(forged).status == "rejected"


@pytest.mark.parametrize("stride", ["(1,2(5,16))", "(1,M(5))", "(1,(2,3)(1))"])
def test_only_a_layout_is_applied(stride: str) -> None:
    verdict = prove("compatible((2,2), (2,2):(1,2))")
    assert verdict.certificate is not None
    forged = {**verdict.certificate, "claim": f"compatible((2,2), (2,2):{stride})"}
    forged["digest"] = digest(forged)
    assert check(forged).status == "rejected"
