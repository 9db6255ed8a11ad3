"""Claims joined by and, or, not and implies: no verdict contradicts loops, renamed and drawn."""

from __future__ import annotations

import json
from random import Random

import pytest

from symcute import recheck
from symcute.prover import prove
from tests.full import many

from .texts import NoSuchLayout, Text, TooLarge

#: What is joined, and what may be assumed: of two extents and a stride.
CLAIMS = (
    "injective((M,N):(LD,1))", "injective((M,N):(1,LD))", "injective((M,N):(N,1))",
    "injective((M,N):(N - 1,1))", "injective((M,N):(2,3))", "injective((2,M):(M,1))",
    "injective((M,N):(0,1))", "injective((M,4):(1,LD), where((M,4):(1,M), 2*M))",
    "in_bounds((M,N):(LD,1), M*LD)", "in_bounds((M,N):(N,1), M*N - 1)", "in_bounds(M:LD, N)",
    "bijective((M,N):(N,1))", "bijective((M,N):(LD,1))", "equal((M,N):(N,1), (M,N):(1,M))",
    "equal((M,N):(1,M), M*N:1)", "equal((M,N):(1,LD), M*N:1)", "covers((M,N):(LD,1), M)",
    'no_overflow("M*LD", 4)', "M < LD", "LD >= N", "LD < N", "M == 1", "N >= 2", "M*N <= 6",
)  # fmt: skip
GIVEN = ("M >= 2", "N >= 2", "LD >= N", "LD >= M", "LD < N", "M <= N", "M == 2*N", "LD == N + 1",
         "LD == 1")  # fmt: skip


def drawn(rng: Random, depth: int = 2) -> str:
    """Return a claim that joins others."""
    if depth == 0:
        return rng.choice(CLAIMS)
    op = rng.choice(("and", "or", "or", "not", "not", "implies"))
    if op == "not":
        return f"not ({drawn(rng, depth - 1)})"
    left, right = (drawn(rng, rng.randrange(depth)) for _ in range(2))
    return f"({left}) {op} ({right})"


def test_no_verdict_on_joined_claims_is_wrong() -> None:
    decided, asked = 0, many(60, 1500)
    for k in range(asked):
        rng = Random(f"joined {k}")
        claim, given = drawn(rng), rng.sample(GIVEN, rng.randrange(3))
        verdict = prove(claim, given, work=300)
        if verdict.status == "unknown":
            decided += verdict.vacuous
            continue
        decided += 1
        text = Text(claim, [*given, *(x for x in verdict.given if x not in given)])
        if verdict.status == "refuted":
            env = dict.fromkeys(text.names, 1) | dict(verdict.counterexample.dims)
            assert text.meets(env), (claim, given, env)
            assert not text.true(env), (claim, given, env)
            continue
        assert recheck.check(json.dumps(verdict.certificate)).accepted, (claim, given)
        for env in text.instances(rng, 60, 20):
            try:
                assert text.true(env), (claim, given, env)
            except (TooLarge, NoSuchLayout):
                continue
    assert decided >= 0.85 * asked


@pytest.mark.parametrize(
    ("claim", "given", "status"),
    [
        ("injective((M,N):(LD,1)) implies LD >= N", ["M >= 2"], "proved"),
        ("injective((M,N):(LD,1)) implies LD >= N", [], "refuted"),
        ("injective((M,N):(LD,1)) implies LD > N", ["M >= 2"], "refuted"),
        ("(LD >= N and injective((M,N):(LD,1))) or (LD < N and not injective((M,N):(LD,1)))",
         ["M >= 2"], "proved"),
        ("(LD >= N and injective((M,N):(LD,1))) or (LD <= N and not injective((M,N):(LD,1)))",
         ["M >= 2"], "proved"),
        ("(LD > N and injective((M,N):(LD,1))) or (LD <= N and not injective((M,N):(LD,1)))",
         ["M >= 2"], "refuted"),
        ("not injective((M,N):(4,6))", ["M >= 4", "N >= 3"], "proved"),
        ("not injective((M,N):(4,6))", ["M >= 3", "N >= 3"], "refuted"),
        ("not injective((M,N):(4*K,6*K))", ["M >= 4", "N >= 3"], "proved"),
        ("not injective((M,N,K):(N*K,K,2))", ["M >= 2", "N >= 2", "K >= 2"], "refuted"),
        ("not injective((M,N,K):(N,1,1))", ["N >= 2", "K >= 2"], "proved"),
        ("not in_bounds((M,N):(N,1), M*N)", [], "refuted"),
        ("not in_bounds(N:-1, N)", ["N >= 2"], "proved"),
        ("not in_bounds(N:-1, N)", [], "refuted"),
        ("not equal((M,N):(N,1), (M,N):(1,M))", ["M >= 2", "N >= 2"], "proved"),
        ("not equal((M,N):(N,1), (M,N):(1,M))", ["M >= 2"], "refuted"),
        ("not equal((M,N):(N,1), M*N:1)", ["M >= 2", "N >= 2"], "proved"),
        ("not bijective((M,N):(2*N,1))", ["M >= 2"], "proved"),
        ("not bijective((M,N):(2*N,1))", [], "refuted"),
        ("injective((4,8):(7,1)) or injective((4,8):(8,1))", [], "proved"),
        ("injective((4,8):(7,1)) or injective((4,8):(6,1))", [], "refuted"),
        # what is asked of the text is asked of all its parts, whichever is true
        ("injective((M,N):(N,1)) or injective((M/2):(1))", [], "unknown"),
        ("injective((M,N):(N,1)) implies 4 // (M - 1) >= 0", [], "unknown"),
        ("not coalesced(access((32,M):(1,32), 32))", [], "refuted"),
    ],
)  # fmt: skip
def test_joined_claims_and_false_neighbours(claim: str, given: list[str], status: str) -> None:
    verdict = prove(claim, given)
    assert verdict.status == status, verdict.reason
    if status == "proved":
        assert recheck.check(json.dumps(verdict.certificate)).status == "checked"


@pytest.mark.parametrize(
    ("claim", "given", "status"),
    [
        ("covers((M,N):(N,1), 7) or N % 4 - M <= M*8", (), "proved"),
        ("covers((M,N):(N,1), 7) or N % 4 - M <= M*8 or N == 3", (), "proved"),
        ("covers((M,N):(N,1), 7) or M < N", ("M >= N + 1",), "refuted"),
        ("N >= 2 or (LD < N implies injective((2,M):(M,1)))", ("LD >= N",), "proved"),
        ("N >= 2 or (LD < N implies injective((2,M):(1,1)))", ("LD >= N",), "proved"),
        ("N >= 3 or (LD < N implies injective((2,N):(1,1)))", (), "refuted"),
        ("covers((M,N):(N,1), 7) or M <= N", ("M >= N + 1", "M < N"), "unknown"),
        ("N % 4 - M > M*8 implies covers((M,N):(N,1), 7)", (), "unknown"),
        ("bijective((M,N):(LD,1)) implies injective((M,N):(LD,1))", (), "proved"),
        ("injective((M,N):(LD,1)) implies bijective((M,N):(LD,1))", (), "refuted"),
        ("injective((M,N):(LD,1)) or not injective((M,N):(LD,1))", (), "proved"),
        ("injective((M,N):(LD,1)) or not injective((M,N):(1,LD))", (), "refuted"),
        ("injective((M,N):(LD,1)) and not injective((M,N):(LD,1))", (), "refuted"),
        ("covers(M:1, N) or not covers(M:1, N + 1)", (), "proved"),
        ("not covers(M:1, N) or covers(M:1, N + 1)", (), "refuted"),
        ("not covers((M,N):(2*N,1), M*N)", ("M >= 2",), "proved"),
        ("not covers((M,N):(2*N,1), M*N)", (), "refuted"),
        ("not covers((M,N):(2*N,1), N)", ("M >= 2",), "refuted"),
        ("not partition((M,N):(N + 1,1), M*N)", ("M >= 2",), "proved"),
        ("not partition((M,N):(N,1), M*N)", ("M >= 2",), "refuted"),
    ],
)
def test_what_joins_and_denies(claim: str, given: tuple[str, ...], status: str) -> None:
    verdict = prove(claim, given)
    assert (verdict.status, verdict.vacuous) == (status, status == "unknown")
    if status == "proved":
        assert recheck.check(json.dumps(verdict.certificate)).status == "checked"


@pytest.mark.parametrize(
    ("claim", "given", "status"),
    [
        ("covers((4,4):(x,1), x) or 2/x < 0", (), "unknown"),
        ("covers((4,4):(x,1), x) or 2/x < 0", ("x <= 2",), "proved"),
        ("covers((4,4):(x,1), x) or 5 // (x - 3) >= 9", (), "refuted"),
        ("injective((M,N):(LD,1)) or LD < N or 5 // (N - 1) < 0", (), "unknown"),
        ("injective((M,N):(LD,1)) or LD < N or 5 // (N - 1) < 0", ("N >= 2",), "proved"),
        ("injective((M,N):(LD,1)) or LD < N or N < 2 or 5 // (N - 1) < 0", (), "unknown"),
    ],
)
def test_what_is_true_instead_has_to_have_a_value(
    claim: str, given: tuple[str, ...], status: str
) -> None:
    verdict = prove(claim, given)
    assert verdict.status == status, verdict.reason
    assert (verdict.certificate is not None) is (status == "proved")
