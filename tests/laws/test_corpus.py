"""The corpus of symbolic claims: no verdict contradicts it, and it is what brute force says."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

from symcute import recheck
from symcute.claims.language import read_claim
from symcute.expr.assumptions import Assumptions
from symcute.prover import prove
from tests.full import many, some

from . import oracle
from .instances import instances, meets
from .oracle import NoSuchLayout, TooLarge

CORPUS = Path(__file__).parents[2] / "benchmarks" / "corpus" / "claims.jsonl"
RECORDS = [json.loads(line) for line in CORPUS.read_text().splitlines()]
#: Slices of the corpus, one of which is decided each time, and all of them with `--full`.
SLICES = range(8)
#: The share of claims that must be decided, also when the machine is slow.
DECIDED = 0.97


def test_the_corpus_is_what_it_should_be() -> None:
    """Two true claims for each false one, none twice, many families."""
    true = sum(r["holds"] for r in RECORDS)
    assert len(RECORDS) >= 600
    assert true == 2 * (len(RECORDS) - true)
    assert len({(r["claim"], *r["given"]) for r in RECORDS}) == len(RECORDS)
    assert len({r["family"] for r in RECORDS}) >= 30


def test_every_false_claim_fails_at_its_witness() -> None:
    for record in RECORDS:
        if not record["holds"]:
            given, claim = parsed(record)
            assert meets(given, record["witness"]), record
            assert not oracle.holds(claim, record["witness"]), record


def test_every_true_claim_holds_at_many_instances() -> None:
    rng, evaluated = random.Random(99), 0
    for record in some(RECORDS, len(SLICES)):
        if record["holds"]:
            given, claim = parsed(record)
            names = sorted(claim.dims() | set().union(*(f.dims() for f in given)))
            for env in instances(given, names, rng, many(5, 100)):
                try:
                    assert oracle.holds(claim, env), (record, env)
                except TooLarge:
                    continue
                evaluated += 1
    assert evaluated >= many(150, 20_000)


def parsed(record: dict[str, Any]) -> tuple[list[Any], Any]:
    given = list(Assumptions.of(record["given"]).formulas)
    return given, read_claim(record["claim"], given=record["given"])


@pytest.mark.parametrize("start", some(SLICES, len(SLICES), 3))
def test_no_verdict_is_wrong(start: int) -> None:
    records = RECORDS[start :: len(SLICES)]
    faults, decided = [], 0
    for record in records:
        verdict = prove(record["claim"], given=record["given"], work=1000)
        decided += verdict.status != "unknown"
        if verdict.vacuous or (verdict.status, record["holds"]) in WRONG:
            faults.append(f"{verdict.status}: {record}")
        elif verdict.status == "proved":
            result = recheck.check(json.dumps(verdict.certificate))
            if not result.accepted:
                faults.append(f"certificate rejected, {result.reason}: {record}")
        elif verdict.status == "refuted" and not fails(record, verdict.counterexample.dims):
            faults.append(f"refuted at {verdict.counterexample}: {record}")
    assert not faults, "\n".join(faults)
    assert decided >= DECIDED * len(records)


WRONG = {("proved", False), ("refuted", True)}


def fails(record: dict[str, Any], env: dict[str, int]) -> bool:
    """Return whether the dims meet the assumptions, and loops find the claim false there."""
    given, claim = parsed(record)
    try:
        return meets(given, env) and not oracle.holds(claim, env)
    except TooLarge:
        return True  # the loops cannot tell
    except NoSuchLayout:
        return False
