"""Verdicts on kernels: nothing against the truth, and false neighbours refuted."""

from __future__ import annotations

import json
from collections import Counter
from functools import cache

import pytest

from symcute import checker
from symcute.access.checking import PROPERTIES, check
from symcute.access.cuda import read_kernels
from symcute.access.finding import Finding, verdict_of
from symcute.access.notes import read_setting
from tests.access.cases import Case, cases

#: Right kernels and their false neighbours, one or two a theme; `measure.py` runs all of them.
CHOSEN = (
    "elementwise.saxpy", "elementwise.saxpy_unguarded", "elementwise.saxpy_off_by_one",
    "elementwise.grid_stride", "elementwise.shift_in_place", "elementwise.pairs_collide",
    "stencil.halo", "stencil.halo_too_small", "stencil.halo_no_barrier", "stencil.early_return",
    "transpose.transpose_padded", "transpose.transpose_swizzled", "transpose.transpose_no_barrier",
    "histogram.histogram_small", "histogram.histogram_not_atomic", "language.short_counter",
    "vectors.copy4",
)  # fmt: skip
KNOWN = {c.label: c for c in cases()}
TALLY: Counter[str] = Counter()


@cache
def findings(label: str) -> tuple[Finding, ...]:
    case: Case = KNOWN[label]
    kernel = read_kernels(case.file, name=case.name).kernels[case.name]
    return tuple(check(kernel, read_setting(kernel), timeout=20))


@pytest.mark.parametrize("label", CHOSEN)
def test_no_verdict_is_against_the_truth(label: str) -> None:
    verdicts = verdict_of(findings(label))
    for name, holds in KNOWN[label].truth.items():
        if name not in verdicts:
            continue
        assert verdicts[name] != ("refuted" if holds else "proved"), name
        TALLY["decided" if verdicts[name] != "unknown" else "unknown"] += 1
        TALLY["false and refuted"] += not holds and verdicts[name] == "refuted"


def test_most_is_decided() -> None:
    assert TALLY["decided"] >= 0.9 * (TALLY["decided"] + TALLY["unknown"]) > 100
    assert TALLY["false and refuted"] >= 10


@pytest.mark.parametrize("label", CHOSEN)
def test_a_finding_says_what_it_must(label: str) -> None:
    for f in findings(label):
        assert f.property in PROPERTIES and f.place.file.endswith(".cu") and f.text
        assert (f.counterexample is not None) is (f.status == "refuted")
        assert bool(f.reason) is (f.status == "unknown")
        assert bool(f.how and f.rests_on) is (f.status == "proved")


def test_a_race_shows_both_accesses() -> None:
    race = next(f for f in findings("elementwise.shift_in_place") if f.status == "refuted")
    example = race.counterexample
    assert race.property == "read_write_race_free" and example is not None
    assert example.other is not None and example.thread is not None
    assert (example.block, example.thread) != example.other[:2]
    assert "both touch bytes" in str(example) and example.dims["N"] >= 2


def test_proofs_by_polynomials_come_with_certificates() -> None:
    proof = next(f for f in findings("elementwise.saxpy") if f.property == "in_bounds")
    assert proof.status == "proved" and proof.count == 3
    assert len(proof.certificates) >= 6
    for document in proof.certificates:
        result = checker.check(json.loads(json.dumps(document)))
        assert result.accepted, (document["claim"], result)
