"""Verdicts on kernels: nothing against the truth, and false neighbours refuted."""

from __future__ import annotations

import json
from collections import Counter
from functools import cache

import pytest

from symcute import recheck
from symcute.frontends.cuda import read_kernels
from symcute.kernel.checking import PROPERTIES, check
from symcute.kernel.findings import Finding, Findings, verdict_of
from symcute.kernel.launch.notes import read_setting
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
#: Of these the proofs are asked for their certificates.
CERTIFIED = (
    "elementwise.saxpy", "elementwise.grid_stride", "stencil.halo", "transpose.transpose_padded",
    "vectors.copy4", "language.short_counter", "stencil.early_return",
)  # fmt: skip
KNOWN = {c.label: c for c in cases()}
TALLY: Counter[str] = Counter()


@cache
def findings(label: str) -> tuple[Finding, ...]:
    case: Case = KNOWN[label]
    kernel = read_kernels(case.file, name=case.name).kernels[case.name]
    wanted = label in CERTIFIED
    return tuple(check(kernel, read_setting(kernel), timeout=20, certificates=wanted))


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


@pytest.mark.parametrize("label", CERTIFIED)
def test_proofs_come_with_certificates_that_are_checked(label: str) -> None:
    proofs = [f for f in findings(label) if f.status == "proved"]
    assert len(proofs) >= 2
    for f in proofs:
        assert {"the front end", "symbolic execution"} <= set(f.rests_on)
        places = {line["name"] for line in f.certificates}
        held = all("order" not in x and "without" not in x for x in f.rests_on)
        assert len(f.certificates) >= f.count if held else places is not None
        for line in f.certificates:
            result = recheck.check(json.loads(json.dumps(line["certificate"])))
            assert result.status == "checked", (line["certificate"]["claim"], result)


def test_certificates_are_made_where_they_are_asked_for() -> None:
    assert "transpose.transpose_swizzled" not in CERTIFIED
    assert not any(f.certificates for f in findings("transpose.transpose_swizzled"))


def test_what_a_kernel_has_nothing_of_is_not_applicable() -> None:
    found = {f.property: f for f in findings("elementwise.saxpy")}
    barriers = found["barrier_uniform"]
    assert (barriers.status, barriers.count, barriers.how) == ("not applicable", 0, "")
    assert not barriers.rests_on and not barriers.certificates
    kept = Findings([found["in_bounds"], barriers])
    assert kept.status == "proved" and Findings([barriers]).status == "not applicable"
    assert verdict_of([barriers]) == {"barrier_uniform": "not applicable"}


def test_accesses_that_ranges_keep_apart_rest_on_arithmetic_that_does_not_wrap() -> None:
    text = """
    // symcute: launch grid=1 block=2
    // symcute: assume n <= 100
    // symcute: extent x = 4096
    __global__ void k(int n, int *x) {
      int far = n * n * n * n * n;
      if (threadIdx.x == 0 && far < 1000) x[far] = 1;
      if (threadIdx.x == 1) x[2000] = 2;
    }
    """
    kernel = read_kernels(text).kernels["k"]
    found = verdict_of(check(kernel, read_setting(kernel), ("write_race_free", "no_overflow")))
    assert found == {"write_race_free": "unknown", "no_overflow": "refuted"}


def test_barriers_behind_one_that_some_miss_contradict_no_proof() -> None:
    source = """// symcute: launch grid=(2) block=(8)
    __global__ void k(int n, int *g) {
      __shared__ int s[8];
      if (threadIdx.x < 4) __syncthreads();
      s[threadIdx.x] = 1;
      __syncthreads();
      g[threadIdx.x] = s[7 - threadIdx.x];
      __syncthreads();
    }"""
    kernel = read_kernels(source).kernels["k"]
    found = check(kernel, read_setting(kernel), ("barrier_uniform", "read_write_race_free"))
    assert verdict_of(found)["barrier_uniform"] == "refuted"
    assert verdict_of(found)["read_write_race_free"] != "proved"
    assert not any("disagree" in f.reason for f in found)
