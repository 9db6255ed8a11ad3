"""The corpus of index arithmetic: no verdict contradicts it, and it is what loops say."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest

from symcute import recheck
from symcute.errors import SymcuteError, TextError
from symcute.expr.assumptions import assuming
from symcute.prover import prove
from symcute.prover.verdict import Verdict
from tests.full import many, some

from .oracle import TooLarge
from .texts import Text, false_at

CORPUS = Path(__file__).parents[2] / "benchmarks" / "corpus" / "arithmetic.jsonl"
RECORDS = [json.loads(line) for line in CORPUS.read_text().splitlines()]
#: Slices of the corpus, one of which is decided each time, and all of them with `--full`. Each has
#: claims of every family, and of those that lie side by side and are much alike at most one.
SLICES = range(8)
#: The share of the claims of each slice that must be decided.
DECIDED = 0.95
#: Words that are no dims.
WORDS = {"and", "or", "not", "implies", "exists", "Sw", "o"}


def sliced(start: int) -> list[dict[str, Any]]:
    """Return a slice of the corpus."""
    return sorted(RECORDS, key=lambda r: str(r["family"]))[start :: len(SLICES)]


@cache
def decided(claim: str, given: tuple[str, ...]) -> Verdict:
    """Return the verdict on a claim of the corpus, which several tests look at."""
    return prove(claim, given=given, work=300)


def test_the_corpus_is_what_it_should_be() -> None:
    assert len(RECORDS) >= 340
    assert len({(r["claim"], *r["given"]) for r in RECORDS}) == len(RECORDS)
    assert sum(not r["holds"] for r in RECORDS) * 3 >= len(RECORDS)
    families = {r["family"] for r in RECORDS}
    assert len(families) >= 16
    assert all({r["family"] for r in sliced(k)} == families for k in SLICES)


def test_every_false_claim_fails_at_its_witness() -> None:
    for record in RECORDS:
        if not record["holds"]:
            assert false_at(record, record["witness"]), record


TABLES = [
    # what looks safe, and is not
    ("page[i] < N", ["table(page, N, P)", "0 <= i < N"], "refuted"),
    ("page[i] < P", ["table(page, N, P)"], "unknown"),
    ("page[i + 1] < P", ["table(page, N, P)", "0 <= i < N"], "unknown"),
    ("page[i] <= page[i + 1]", ["table(page, N, P)", "0 <= i < N - 1"], "refuted"),
    ("page[i] != page[j]", ["table(page, N, P)", "distinct(page)", "0 <= i < N", "0 <= j < N"],
     "refuted"),
    ("page[0] == page[1]", ["table(page, 2, 1)"], "proved"),
    ("page[0] != page[1]", ["table(page, 2, 1)", "distinct(page)"], "unknown"),
    ("p[i] == q[i]", ["table(p, N, N)", "table(q, N, N)", "0 <= i < N"], "refuted"),
    ("p[p[i]] < N", ["table(p, N, N)", "0 <= i < N"], "proved"),
    ("p[p[i]] == i", ["table(p, N, N)", "distinct(p)", "0 <= i < N"], "refuted"),
    ("p[0] < 2", ["table(p, 4, P)", "table(q, M, P)"], "refuted"),
    ("0 == 1", ["table(p, N, P)", "N >= 5"], "refuted"),
    ("0 == 1", ["table(p, N, 2)", "N >= 5", "distinct(p)"], "unknown"),
    # an index that is in its table says nothing of what i is at least
    ("p[i] >= 1 or i >= 1", ["table(p, N, P)"], "unknown"),
    ("injective((p[i] + 1,2):(2,i))", ["table(p, N, 1)"], "unknown"),
    ("p[i ^ 1] < 8", ["table(p, 7, 9)", "0 <= i < 7"], "refuted"),
    ("i < N implies p[i] < N", ["table(p, N, N)", "i >= 0"], "proved"),
    ("i < N implies p[i] < N - 1", ["table(p, N, N)", "i >= 0"], "refuted"),
    ("p[i] + 1 <= p[j]", ["table(p, N, P)", "increasing(p)", "0 <= i < j", "j < N"], "proved"),
    ("p[i] + 2 <= p[j]", ["table(p, N, P)", "increasing(p)", "0 <= i < j", "j < N"], "refuted"),
    ("p[i] >= i", ["table(p, N, P)", "increasing(p)", "0 <= i < N"], "proved"),
    ("p[i] < p[i+1] and p[i] >= i", ["table(p, N, P)", "increasing(p)", "0 <= i < N - 1"],
     "proved"),
    ("p[i] + N <= P + i", ["table(p, N, P)", "increasing(p)", "0 <= i < N"], "proved"),
    ("p[i] + 2 <= p[i+2]", ["table(p, N, P)", "increasing(p)", "0 <= i < N - 2"], "proved"),
    ("p[i] > i", ["table(p, N, P)", "increasing(p)", "0 <= i < N"], "refuted"),
    ("p[i] >= i", ["table(p, N, P)", "monotone(p)", "0 <= i < N"], "refuted"),
    ("p[i] + N < P + i", ["table(p, N, P)", "increasing(p)", "0 <= i < N"], "refuted"),
    ("p[i] + 3 <= p[i+2]", ["table(p, N, P)", "increasing(p)", "0 <= i < N - 2"], "refuted"),
    ("p[i] >= i", ["table(p, N, P)", "increasing(p)"], "unknown"),
]  # fmt: skip


def test_the_dim_of_an_entry_is_no_other_dim() -> None:
    sizes = ["table(page, N, P)", "table(other, N, page_0)"]
    assert prove("page[0] >= 1", given=sizes).status == "refuted"
    with assuming("page_0 >= 1"):
        assert prove("page[0] >= 1", given=sizes[:1]).status == "refuted"


def test_a_table_has_one_size() -> None:
    sizes = ["table(page, 4, P)", "table(page, N, P)"]
    with pytest.raises(TextError, match="a second size of page"):
        prove("N == 4", given=sizes)
    assert prove("page[3] < P", given=[sizes[0], sizes[0]]).status == "proved"


@pytest.mark.parametrize(("claim", "given", "expected"), some(TABLES, 2))
def test_claims_about_tables(claim: str, given: list[str], expected: str) -> None:
    verdict = prove(claim, given=given, work=100)
    allowed = (expected,) if expected != "unknown" else ("unknown", "proved")
    assert verdict.status in allowed, (verdict.reason, verdict.counterexample)
    if verdict.status == "refuted":
        record = {"claim": claim, "given": given}
        assert false_at(record, dict(verdict.counterexample.dims)), verdict.counterexample


EXISTENCE = [
    ("exists i < N: i == i", [], "proved"),
    ("exists i < N: i + 1 == N", [], "proved"),
    ("exists i < N: i == N", [], "refuted"),
    ("exists i < N - 1: i == i", [], "refuted"),
    ("exists i < 8: i % M == 1", [], "refuted"),
    ("exists i < M: exists j < i + 1: i + j == 2*M - 2", [], "proved"),
    ("exists i < M: exists j < i: j == j", [], "refuted"),
    ("M >= 2 implies exists i < M: i == 1", [], "proved"),
    ("exists i < N: i*i == x", ["0 <= x < N"], "refuted"),
    ("exists i < N: 4 // i == 2", ["N >= 3"], "unknown"),  # no value where i is 0
    ("exists i < N: 4 // i == 4", ["N >= 2"], "unknown"),  # nor here, though i = 1 is a witness
    ("exists i < N: i == 0 or 4 // i == 4", [], "unknown"),
    ("exists i < N: i / 2 == 0", [], "unknown"),
    ("exists i < M: exists j < 4 // i: j == 0", [], "unknown"),
    ("exists i < N: 4 // (i + 1) == 4", [], "proved"),
    ("exists i < N: i % (N - i) == 0", [], "proved"),
    ("exists i < N: (N - i - 1) | i", [], "refuted"),  # 0 divides nothing
    ("exists i < N: i % (N - i - 1) <= 0", [], "unknown"),
    ("exists i < N: i*M / M == i", [], "proved"),
    ("exists i < M: exists j < 4 // (i + 1): j == 0", [], "proved"),
    # what a premise says a dim is at least, it may be
    ("k >= 0 implies k >= 1", [], "refuted"),
    ("k >= 0 and k < N implies k // N == 0", [], "proved"),
    ("0 <= k < N implies k < N", [], "proved"),
    ("k >= -3 implies (k + 3) // N >= 0", [], "proved"),
    ("k >= -3 implies (k + 2) // N >= 0", [], "refuted"),
    ("k >= 0 implies k >= 1", ["k >= 2"], "proved"),
    ("k >= 0 implies in_bounds(N:k, N*k)", [], "refuted"),
    ("k >= 0 implies in_bounds(N:k, N*k + 1)", [], "proved"),
    ("k >= 0 implies (j >= 0 implies k + j >= 1)", [], "refuted"),
    ("k >= 1 implies k >= 1", [], "proved"),
]


@pytest.mark.parametrize(("claim", "given", "expected"), EXISTENCE)
def test_claims_of_existence(claim: str, given: list[str], expected: str) -> None:
    verdict = prove(claim, given=given, work=100)
    assert verdict.status == expected, (verdict.reason, verdict.counterexample)
    if verdict.status == "refuted":
        text = Text(claim, given)
        at = dict(verdict.counterexample.dims)
        assert text.meets(at)
        assert not text.true(at)


def test_joined_claims_are_proved_only_with_a_certificate_that_holds() -> None:
    assert prove('prints_as(4:2, "4:2") and injective(4:2)').status == "unknown"
    verdict = prove("injective(4:2) and in_bounds(4:2, 7)")
    assert verdict.status == "proved"
    assert recheck.check(json.dumps(verdict.certificate)).status == "checked"


def test_every_true_claim_holds_at_many_instances() -> None:
    evaluated = 0
    for record in some(RECORDS, 40):
        if record["holds"]:
            text = Text(record["claim"], record["given"])
            for env in text.instances(Random(7), many(40, 300), many(10, 60)):
                try:
                    assert text.true(env), (record, env)
                except TooLarge:
                    continue
                evaluated += 1
    assert evaluated >= many(100, 40_000)


def fault(record: dict[str, Any], verdict: Any) -> str:
    """Return what is wrong with a verdict, or nothing."""
    if verdict.vacuous or (verdict.status, record["holds"]) in WRONG:
        return str(verdict.status)
    if verdict.status == "proved":
        result = recheck.check(json.dumps(verdict.certificate))
        return "" if result.accepted else f"certificate rejected, {result.reason}"
    if verdict.status == "refuted" and not false_at(record, dict(verdict.counterexample.dims)):
        return f"refuted at {verdict.counterexample}"
    return ""


WRONG = {("proved", False), ("refuted", True)}


SAID_OTHERWISE = [
    ("(x ^ 1) != x", ["x >= 0"]),
    ("(y + z - 1) % z != y % z", ["y >= 0", "z >= 2"]),
    ("2*(x // 2) != y // 2", ["y // 2 != (x // 2)*2"]),
    ("2*x < 4*y + 1", ["x + x < 2*y + 2*y + 1"]),
    ("2*x - 4*(y % 3) <= 8", ["-4*(y % 3) + 2*x <= 8"]),
    ("(y + x) % z <= (x + z) % y", ["(x + y) % z <= (z + x) % y"]),
    ("x*y*2 != y*4", ["y*4 != 2*x*y"]),
    ("2*x*y < 4*z + 3", ["3 + 4*z > x*y*2"]),
]


@pytest.mark.parametrize(("claim", "given"), SAID_OTHERWISE)
def test_what_is_assumed_may_be_written_otherwise(claim: str, given: list[str]) -> None:
    random = Random(claim)
    for _ in range(many(2, 25)):
        other = renamed({"claim": claim, "given": given}, random)
        verdict = prove(other["claim"], given=other["given"], work=100)
        assert verdict.status == "proved", (other, verdict.reason)
        assert recheck.check(json.dumps(verdict.certificate)).status == "checked"


@pytest.mark.parametrize("start", some(SLICES, len(SLICES), 5))
def test_no_verdict_is_wrong(start: int) -> None:
    records, faults, told = sliced(start), [], 0
    for record in records:
        try:
            verdict = decided(record["claim"], tuple(record["given"]))
        except SymcuteError:
            continue
        told += verdict.status != "unknown"
        found = fault(record, verdict)
        faults += [f"{found}: {record}"] if found else []
    assert not faults, "\n".join(faults)
    assert told >= DECIDED * len(records)


def renamed(record: dict[str, Any], rng: Random) -> dict[str, Any]:
    """Return a claim with other names for its dims and tables, drawn at random."""
    texts = [record["claim"], *record["given"]]
    calls = {x for t in texts for x in re.findall(r"([A-Za-z_]\w*)\s*\(", t)}
    names = sorted({x for t in texts for x in re.findall(r"[A-Za-z_]\w*", t)} - calls - WORDS)
    letters = [a + b for a in "abcdefghijklmnpqrtuvwxyzABCDEFGHIJKLMNPQRTUVWXYZ" for b in "xyzQ7_"]
    others = dict(zip(names, rng.sample(letters, len(names)), strict=True))

    def turned(text: str) -> str:
        return re.sub(r"[A-Za-z_]\w*", lambda m: others.get(m[0], m[0]), text)

    witness = {others.get(n, n): x for n, x in record.get("witness", {}).items()}
    return {**record, "claim": turned(record["claim"]), "witness": witness,
            "given": [turned(x) for x in record["given"]]}  # fmt: skip


@pytest.mark.parametrize("start", some(SLICES, len(SLICES), 5))
def test_no_verdict_depends_on_names(start: int) -> None:
    rng, told, records = Random(start), 0, some(sliced(start), 3)
    for record in records:
        other = renamed(record, rng)
        try:
            one = decided(record["claim"], tuple(record["given"]))
            two = prove(other["claim"], given=other["given"], work=300)
        except SymcuteError:
            continue
        assert one.status == two.status, (record, other, one.reason, two.reason)
        assert not fault(other, two), other
        told += one.status != "unknown"
    assert told >= DECIDED * len(records)
