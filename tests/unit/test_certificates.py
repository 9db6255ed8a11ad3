"""Certificates: what the prover writes down is what the checker accepts, and says what it needs."""

from __future__ import annotations

import json
from hashlib import sha256
from typing import Any

import pytest

from symcute.claims import Agree
from symcute.layout.layout import Layout
from symcute.prover import prove
from symcute.recheck import check, written
from symcute.solve.solvers import version

Given = list[str]

PROVED: list[tuple[str, str, Given]] = [
    ("sum", "injective((M,N):(LD,1))", ["LD >= N"]),
    ("sum", "bijective((128,M/128):(M/128,1))", ["M % 128 == 0"]),
    ("sum", "injective((2,N):(N,2))", ["N % 2 == 1"]),
    ("sum", "LD % 24 == 0", ["LD % 8 == 0", "LD % 6 == 0"]),
    ("sum", "i % (A*B) // A == i // A % B", ["i >= 0"]),
    ("sum", "bijective(((T,M/T),(U,N/U)):((1,T),(M,U*M)))", ["M % T == 0", "N % U == 0"]),
    ("sum", "M // 4 * 4 <= M", []),
    ("sum", "in_bounds((M,N):(1,M), 4096)", ["M <= 64", "N <= 64"]),
    ("sum", "M*N*K <= 2**30", ["M*N <= 2**20", "K <= 1024"]),
    ("sum", "in_bounds((M,N):(LD,1), 2**31)", ["M*LD <= 2**31", "N <= LD"]),
    ("sum", "8*ceil_div(N,8) <= LD", ["LD >= N", "LD % 8 == 0"]),
    ("sum", "k // N < M", ["k >= 0", "k < M*N"]),
    ("sum", "(a + b) % N == a + b - N", ["N <= a + b", "a + b < 2*N"]),
    ("sum", "min(M,N) <= M*N", []),
    ("and", "M == N", ["M <= N", "N <= M"]),
    ("given", "M*M <= N + 2", ["M*M <= N + 2"]),
    ("implies", "M % N == 0 implies M/N >= 1", []),
    ("and", "monotone((M,N):(1,LD))", ["LD >= M"]),
    ("or", "increasing((M,N):(1,M))", []),
    ("and", "not (M == M + 1)", []),
    ("case", "min(M,N) + max(M,N) == M + N", []),
    ("case", "M <= N or N <= M", []),
    ("solver", "M*M + N*N != 3", []),
]


def kinds(by: Any) -> set[str]:
    """The kinds of everything that settles something, however deep."""
    if by == "-":
        return {"-"}
    if not isinstance(by, list) or not by or not isinstance(by[0], str):
        return set().union(*map(kinds, by)) if isinstance(by, list) else set()
    inner = {"implies": by[1:], "and": by[1], "case": by[2:]}
    return {by[0]}.union(*map(kinds, by[2:] if by[0] == "or" else inner.get(by[0], [])))


def settled(proof: dict[str, Any]) -> set[str]:
    """The kinds that a proof uses."""
    inner = [proof[k] for k in ("then", "else") if k in proof] + proof.get("proofs", [])
    found = [kinds(by) for by in proof.get("defined", [])] + [settled(p) for p in inner]
    return set().union(*found, *(_of_part(p) for p in proof.get("parts", [])))


def _of_part(part: dict[str, Any]) -> set[str]:
    inner = [_of_part(part[k]) for k in ("rest", "outer") if k in part]
    return set().union(*map(kinds, part.get("by", [])), *inner)


@pytest.mark.parametrize(("kind", "claim", "given"), PROVED)
def test_the_checker_accepts_every_kind_of_proof(kind: str, claim: str, given: Given) -> None:
    verdict = prove(claim, given=given)
    assert verdict.status == "proved", verdict.reason
    assert verdict.certificate is not None
    text = json.dumps(verdict.certificate)
    assert kind in settled(verdict.certificate["proof"])
    result = check(text)
    assert result.accepted, result.reason
    assert result.rests_on == verdict.rests_on
    assert (result.rests_on == ("arithmetic",)) is (kind != "solver")


def sealed(document: dict[str, Any]) -> str:
    """The text of a document whose digest fits."""
    rest = {k: v for k, v in document.items() if k != "digest"}
    text = json.dumps(rest, sort_keys=True, separators=(",", ":"))
    return json.dumps({**rest, "digest": sha256(text.encode()).hexdigest()})


#: What a solver is said to have answered is counted, and asked again by recheck.
@pytest.mark.parametrize(("claim", "given"), [p[1:] for p in PROVED if p[0] != "solver"])
def test_a_proof_proves_nothing_else(claim: str, given: Given) -> None:
    """With a claim that is false, or without an assumption that is needed, it must fail."""
    document = prove(claim, given=given).certificate
    assert document is not None
    assert check(sealed(document)).accepted
    assert not check(written({**document, "claim": "M < M"})).accepted
    for k in range(len(given)):
        fewer = given[:k] + given[k + 1 :]
        if prove(claim, given=fewer, work=1000).status == "refuted":
            assert not check(written({**document, "given": fewer})).accepted, fewer


CASES: list[tuple[set[str], str, Given]] = [
    ({"cases"}, "injective((2,2):(S,T))", ["S != T"]),
    ({"cases"}, "injective((M,N):(LD,1))", ["M == 1 or LD >= N"]),
    ({"cases"}, "(M - N)*(M - N) >= 0", []),
    ({"defined", "parts"}, "injective((M,N):(1,M))", []),
]


@pytest.mark.parametrize(("keys", "claim", "given"), CASES)
def test_proofs_by_cases_are_accepted(keys: set[str], claim: str, given: Given) -> None:
    verdict = prove(claim, given=given)
    assert verdict.certificate is not None
    assert set(verdict.certificate["proof"]) == keys
    assert verdict.how.endswith(", by cases") is (keys != {"defined", "parts"})
    assert check(json.dumps(verdict.certificate)).accepted


def test_a_part_that_a_solver_settled_names_it() -> None:
    verdict = prove("disjoint(N:1, M:-1)")
    assert verdict.certificate is not None
    (part,) = verdict.certificate["proof"]["parts"]
    assert part["lemma"] == "solver"
    assert part["version"] == version(part["solver"])
    assert verdict.rests_on == ("arithmetic", f"solver {part['solver']} {part['version']}")
    assert check(json.dumps(verdict.certificate)).rests_on == verdict.rests_on


@pytest.mark.parametrize(
    ("claim", "lemma", "searched"),
    [
        ("injective((4,8):(8,1))", "evaluate", False),
        ("in_bounds((4,8):(8,1), 32)", "evaluate", False),
        (f"injective(({2**40},{2**40}):({2**40},1))", "chain", False),
        (
            f"injective(({2**20},{2**20},{2**20}):({2**41},{2**20 + 3},{3 * 2**20}))",
            "evaluate",
            True,
        ),
    ],
)
def test_static_claims_are_evaluated_where_that_is_quick(
    claim: str, lemma: str, searched: bool
) -> None:
    verdict = prove(claim)
    if verdict.status == "refuted":
        pytest.fail(f"{verdict}")
    assert verdict.certificate is not None
    assert verdict.certificate["proof"]["parts"][0]["lemma"] == lemma
    result = check(json.dumps(verdict.certificate))
    assert ("exact search" in verdict.rests_on) is searched
    assert result.status == "checked", result


def test_an_instance_of_the_dims_that_is_no_claim_has_no_text() -> None:
    """`Agree` has no name in the grammar: its proof cannot be handed to others."""
    rows, both = Layout.parse("(M,N):(1,M)"), Layout.parse("M*N:1")
    verdict = prove(Agree((rows,), (both,), rows))
    assert verdict.status == "proved"
    assert not check(json.dumps(verdict.certificate)).accepted
