"""How claims were decided, step by step: what stands there is what the proof holds."""

from __future__ import annotations

import re

import pytest

from symcute import prove
from symcute.claims.language import read_claim
from symcute.expr.formula import Formula
from symcute.prover.theorems import find
from symcute.report.steps import steps

#: Claims for every lemma that proofs come by, and most ways to settle an obligation.
PROVED = [
    ("injective((M,N):(LD,1))", ["LD >= N"], "chain"),
    ("bijective(((4,8),(m,n)):((1,4*m),(4,32*m)))", [], "chain"),
    ("in_bounds((M,N):(N,1), M*N)", [], "bounds"),
    ("in_bounds((T,ceil_div(M,T)):(1,T), M, where((T,ceil_div(M,T)):(1,T), M))", [], "given bound"),
    ("in_bounds((128,P):(1,128), M, where((128,P):(1,128), M))", [], "given bound"),
    ("partition((m,ceil_div(M,m)):(1,m), M)", [], "cover"),
    ("injective((N,2):(2,2*k+1))", [], "mod"),
    ("apart((D,H,S):(1,3*D,3*D*H), (D,H,S):(1,3*D,3*D*H), D)", [], "offset mod"),
    ("apart((bM,bK):(1,bM), (bM,bK):(1,bM), bK*bM*d)", ["d >= 1"], "beyond"),
    ("disjoint((m,n):(n,1), (P,Q):(Q*m*n,m*n))", [], "together"),
    ("is_composition((M,N):(N,1), M*N:1, (M,N):(N,1))", [], "agree"),
    ("in_bounds(Sw<3,3,3> o 0 o (64,M):(1,64), 64*M)", [], "swizzle"),
    ("sectors(access((32,M/32,N):(N,32*N,1), 32), 32, 32)", ["M % 32 == 0", "N >= 8"], "residues"),
    ("same_elements((32,(M/32,K)):(1,(32,M)), (32,(K,M/32)):(1,(M,32)))", ["M % 32 == 0"],
     "reorder"),
    ("d*x == g*x", ["0 <= x", "x <= s-1", "0 <= d", "0 <= g", "(d-g)*(s-1) == 0"], "formula"),
    ("N <= a+b implies (a+b) % N == a+b-N", ["0 <= a", "a < N", "0 <= b", "b < N"], "formula"),
    ("injective((4,8):(8,1))", [], "evaluate"),
    ("injective((1024,1024):(1024,1))", [], "chain"),
]  # fmt: skip


def decided(claim: str, given: list[str]) -> tuple[dict, list[dict]]:
    verdict = prove(claim, given)
    part = verdict.to_json()
    return part, steps(verdict.claim, part)


def lemmas(proof: object) -> set[str]:
    if isinstance(proof, dict):
        own = {proof["lemma"]} if "lemma" in proof else set()
        return own.union(*map(lemmas, proof.values()))
    return set().union(*map(lemmas, proof)) if isinstance(proof, list) else set()


@pytest.mark.parametrize(("claim", "given", "lemma"), PROVED)
def test_a_proof_is_told(claim: str, given: list[str], lemma: str) -> None:
    part, found = decided(claim, given)
    assert part["status"] == "proved"
    assert lemma in lemmas(part["certificate"]["proof"])
    assert found
    assert not any("cannot be told" in s["text"] for s in found)
    for definitions in part["certificate"]["definitions"]:
        for kind, name, *_ in definitions:
            shown = (i["shows"] for s in found for i in s["items"])
            assert kind == "fact" or any(x.startswith(f"{name} = ") for x in shown)


def test_what_is_shown_holds() -> None:
    """Every obligation, read again, holds at all small instances of the dims."""
    for claim, given, _ in PROVED[:10]:
        verdict = prove(claim, given)
        shown = [
            i["shows"]
            for s in steps(verdict.claim, verdict.to_json())
            if s["kind"] in ("defined", "lemma")
            for i in s["items"]
            if i["because"] != "numbers"
        ]
        assert shown
        assumptions = [read_claim(g).formula for g in given]
        for text in shown:
            formula = read_claim(re.sub(r"^(.+) \| (.+)$", r"(\2) % (\1) == 0", text)).formula
            assert isinstance(formula, Formula)
            names = sorted(formula.dims().union(*(a.dims() for a in assumptions)))
            for base in range(1, 5):
                values = {n: base + k % 3 for k, n in enumerate(names)}
                if all(a.holds(values) for a in assumptions):
                    assert formula.holds(values), (claim, text, values)


def test_a_chain_names_the_order_of_the_modes() -> None:
    _, found = decided("injective((M,N):(LD,1))", ["LD >= N"])
    chain = next(s for s in found if "Chain" in s["text"])
    assert "In the order `N:1`, `M:LD` each stride" in chain["text"]
    assert {"shows": "0 <= (M - 1)*(LD - 1 - (N - 1))", "because": "the difference is LD'*M'"} in (
        chain["items"]
    )


def test_cases_are_told_apart() -> None:
    _, found = decided(*PROVED[14][:2])
    assert [s["text"] for s in found if s["kind"] == "case"] == ["Where d <= g:", "Where g < d:"]
    assert {s["level"] for s in found} == {0, 1}


def test_a_second_solver_is_named() -> None:
    verdict = prove("injective((M,N):(LD,1))", ["LD >= N"], confirm=True)
    last = steps(verdict.claim, verdict.to_json())[-1]
    assert last["kind"] == "confirmed"
    assert re.fullmatch(r"z3 [0-9.]+ proved each obligation once more\.", last["text"])


@pytest.mark.parametrize(
    ("claim", "given", "shown"),
    [
        ("injective((M,N):(LD,1))", [], {"L(1,0) = 1": "1*1 + 0*1", "L(0,1) = 1": "0*1 + 1*1"}),
        ("in_bounds((M,N):(LD,1), M*LD)", [], {"L(0,1) = 1": "0*1 + 1*1"}),
        ("equal((192,N):(1,193), 192*N:1)", [],
         {"((192,2):(1,193))(192) = 193": "0*1 + 1*193", "(384:1)(192) = 192": "192*1"}),
        ("is_composition(S*T:1, (T,S):(S,1), (T,S):(S,1))", [],
         {"((3,2):(2,1))(1) = 2": "1*2 + 0*1", "((3,2):(2,1))(2) = 4": "2*2 + 0*1"}),
        ("disjoint((2,2):(1,4), (2,2):(2,3))", [], {"((2,2):(1,4))(1,1) = 5": "1*1 + 1*4"}),
        ("covers((D,ceil_div(M,D*S)):(1,D*S), M)", ["D >= 2", "S >= 2"],
         {"2 is no offset": "all are 0, 1"}),
        ("partition_exact((2,(M/2,N)):(1,(1,M)), (M,N))", ["M % 2 == 0", "4 <= M"],
         {"thread 1, value 0: element = 1": "1*1 + 0*1 + 0*4"}),
        ("compact(Sw<3,3,3> o 0 o (4,8,9):(8,1,32))", [],
         {"L(3,7,8) = 319": "Sw<3,3,3> of 0 + 3*8 + 7*1 + 8*32 = 287"}),
        ("bank_conflict(access((32,M):(2,1), 32), 1)", [],
         {"lane 16 at byte 128": "the word of 4 bytes at 128, which lies in bank 0"}),
        ("monotone((M,N):(LD,1))", [],
         {"N == 1 or LD*(M-1) <= 1 is false": "2 == 1 or 1*(3-1) <= 1"}),
        ("8*ceil_div(M,8) == M", [], {"8*ceil_div(M,8) = 8": "8*ceil_div(1,8)", "M = 1": "1"}),
    ],
)  # fmt: skip
def test_a_counterexample_is_worked_through(claim: str, given: list[str], shown: dict) -> None:
    part, found = decided(claim, given)
    assert part["status"] == "refuted"
    lines = {i["shows"]: i["because"] for i in found[-1]["items"]}
    assert shown.items() <= lines.items()
    if part["given"]:
        assumed = next(s for s in found if s["kind"] == "assumptions")
        assert [i["shows"] for i in assumed["items"]] == part["given"]


def test_what_is_unknown_says_why() -> None:
    _, found = decided("injective((M,N):(LD,1))", ["LD >= N", "LD < N"])
    assert [s["kind"] for s in found] == ["vacuous"]
    assert "contradict each other: N <= LD; LD < N" in found[0]["text"]


def test_a_certificate_that_is_none_is_not_told_as_one() -> None:
    verdict = prove("injective((M,N):(LD,1))", ["LD >= N"])
    part = verdict.to_json()
    proof = part["certificate"]["proof"]
    proof["parts"][0]["order"] = [0, 0]
    (only,) = steps(verdict.claim, part)
    assert "cannot be told" in only["text"]


def test_the_source_of_a_theorem_is_its_own_lines() -> None:
    found = {t.name: t for t in find(["proofs/notes/09_threads.py"])}
    code = found["note_49a_every_tile_over_4x8_threads"].code
    assert code.startswith("@theorem(")
    assert "def note_49a_every_tile_over_4x8_threads()" in code
    assert code.count("def ") == 1
    assert code.rstrip().endswith(")")
