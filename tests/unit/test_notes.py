"""The claims in circulation: each one stated, decided as expected, put right where it is wrong."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from symcute import Layout, NotAdmissible, Theorem, composition, logical_divide
from symcute.prover.theorems import find, run

NOTES = Path(__file__).parents[2] / "proofs" / "notes"
THEOREMS = find([NOTES])
NEIGHBOURS = [t for t in THEOREMS if t.name.endswith("_neighbour")]
STATEMENTS = [t for t in THEOREMS if t not in NEIGHBOURS]

#: The claims about layouts; those after 45 are about hardware.
CLAIMS = range(1, 51)

#: Claims of which the engine refutes a part.
WRONG = {5, 14, 18, 25, 27, 31, 35, 40, 41}

#: Claims with symbolic dims: each needs a false variant, to see that the engine can refute it.
SYMBOLIC = {10, 13, 16, 24, 28, 31, 32, 38, 39, 44, 46, 47, 48, 49}


def number(t: Theorem) -> int:
    """Return the number of the claim that a theorem's source names."""
    found = re.fullmatch(r"claims in circulation, (\d+)(; NVIDIA/cutlass#\d+)?", t.source)
    assert found, f"{t.name} has the source {t.source!r}"
    return int(found[1])


@pytest.mark.parametrize("t", THEOREMS, ids=lambda t: t.name)
def test_verdict_is_the_expected_one(t: Theorem) -> None:
    result = run(t)
    assert result.status == t.expected, result.reason or result.counterexample
    if result.status == "refuted":
        assert result.counterexample
    if result.status == "proved":
        assert all(v.certificate and v.rests_on for v in result.parts)


def test_every_claim_is_stated() -> None:
    assert {number(t) for t in STATEMENTS} == set(CLAIMS)
    assert len(STATEMENTS) >= len(CLAIMS)


def test_names_carry_the_number_of_their_claim() -> None:
    for t in THEOREMS:
        assert re.match(rf"note_{number(t):02}[a-e]?_", t.name), t.name


def test_nothing_is_expected_to_stay_open() -> None:
    assert {t.expected for t in THEOREMS} == {"proved", "refuted"}


def test_the_wrong_claims_are_these() -> None:
    assert {number(t) for t in STATEMENTS if t.expected == "refuted"} == WRONG


def test_every_wrong_claim_is_put_right() -> None:
    wrong = Counter(t.name for t in STATEMENTS if t.expected == "refuted")
    right = Counter(t.corrects for t in STATEMENTS if t.corrects)
    assert wrong == right
    assert all(t.expected == "proved" for t in THEOREMS if t.corrects)


def test_symbolic_claims_have_a_false_neighbour() -> None:
    assert {number(t) for t in NEIGHBOURS} >= SYMBOLIC
    assert all(t.expected == "refuted" for t in NEIGHBOURS)


@pytest.mark.parametrize("tile", [128, Layout(128)])
def test_the_divide_of_claim_40_is_refused(tile: int | Layout) -> None:
    with pytest.raises(NotAdmissible, match=r"index 96"):
        logical_divide(Layout.parse("(12,(4,8)):(7,(1,30))"), tile)


def test_the_composition_of_claim_35_is_refused() -> None:
    with pytest.raises(NotAdmissible, match=r"index 2"):
        composition(Layout.parse("(4,6,8):(2,3,5)"), Layout.parse("6:3"))
