"""What orders threads, and accesses memory beside them, in kernels of CuTe DSL.

Each kernel's truth is said by hand: what is untrue is not proved, what is true is not refuted, and
what hangs on an order that is not followed is neither. What stands beside that is decided.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

import pytest

from symcute.frontends.cutedsl.checking import check_module
from symcute.kernel.findings import Finding
from tests.full import some

from .cutedsl_modules import modules_of

BOUNDS, RACES, WRITES = "in_bounds", "read_write_race_free", "write_race_free"
UNIFORM = "barrier_uniform"


@dataclass(frozen=True)
class Case:
    """A kernel of `ordering.py`."""

    family: str
    way: str


#: Of each kernel what must be proved, refuted, and unknown.
TOLD: dict[tuple[str, str], dict[str, str]] = {
    ("handing", "barrier"): {RACES: "proved", BOUNDS: "proved", UNIFORM: "proved"},
    ("handing", "none"): {RACES: "refuted", BOUNDS: "proved"},
    ("handing", "fence"): {RACES: "unknown", BOUNDS: "proved", WRITES: "proved"},
    ("handing", "half of them"): {RACES: "unknown", BOUNDS: "proved", UNIFORM: "unknown"},
    ("handing", "cluster"): {RACES: "unknown", BOUNDS: "proved"},
    ("handing", "mbarrier"): {RACES: "proved", BOUNDS: "proved", UNIFORM: "proved"},
    ("handing", "mbarrier outside"): {BOUNDS: "refuted"},
    ("handing", "mbarrier, one too far"): {RACES: "proved", BOUNDS: "refuted"},
    # Of odd threads those that come late wait for a phase that nobody ends.
    ("handing", "mbarrier, a phase of each thread"): {UNIFORM: "unknown", BOUNDS: "proved"},
    ("choosing", "elected"): {WRITES: "proved", BOUNDS: "proved"},
    ("choosing", "elected in each warp"): {WRITES: "refuted", BOUNDS: "proved"},
    ("choosing", "warps"): {WRITES: "proved", BOUNDS: "proved"},
    ("choosing", "lanes"): {WRITES: "unknown"},
    ("choosing", "pairs of warps"): {WRITES: "unknown"},
    ("numbering", "all"): {RACES: "proved", UNIFORM: "proved"},
    ("numbering", "others of some"): {RACES: "proved", UNIFORM: "proved"},
    ("numbering", "some and all"): {RACES: "unknown", UNIFORM: "unknown"},
    ("numbering", "0 of some"): {RACES: "unknown", UNIFORM: "unknown"},
    ("numbering", "0 of half"): {RACES: "unknown", UNIFORM: "unknown"},
    ("numbering", "by threads"): {RACES: "proved", UNIFORM: "unknown"},
    ("numbering", "by threads, 0 among them"): {RACES: "unknown", UNIFORM: "unknown"},
    ("numbering", "two places"): {RACES: "unknown", UNIFORM: "unknown"},
    ("numbering", "two numbers"): {RACES: "unknown", UNIFORM: "refuted"},
    ("sharing", "right"): {RACES: "proved", WRITES: "proved", UNIFORM: "proved"},
    ("sharing", "of no number"): {RACES: "unknown", WRITES: "unknown", UNIFORM: "unknown"},
    ("sharing", "none"): {RACES: "refuted", WRITES: "proved", UNIFORM: "proved"},
    ("sharing", "too many"): {RACES: "unknown", WRITES: "proved", UNIFORM: "refuted"},
    ("sharing", "too few"): {RACES: "unknown", WRITES: "proved", UNIFORM: "unknown"},
    # The hardware counts warps, and leaves open what the rest of one does.
    ("sharing", "a part of a warp"): {RACES: "unknown", WRITES: "proved", UNIFORM: "unknown"},
    ("sharing", "where data says"): {RACES: "refuted", WRITES: "proved", UNIFORM: "unknown"},
    ("sharing", "in a loop"): {RACES: "unknown", WRITES: "proved", UNIFORM: "unknown"},
    ("sharing", "the third reads"): {RACES: "refuted", WRITES: "proved", UNIFORM: "proved"},
    ("sharing", "told"): {RACES: "proved", WRITES: "proved", UNIFORM: "proved"},
    # Nobody gets behind the wait.
    ("sharing", "told for three"): {RACES: "proved", WRITES: "proved", UNIFORM: "unknown"},
    ("sharing", "told for one"): {RACES: "unknown", WRITES: "proved", UNIFORM: "unknown"},
    ("sharing", "told by the other phase"): {RACES: "refuted", UNIFORM: "unknown"},
    # It ends by what stands behind it.
    ("sharing", "told behind the wait"): {RACES: "proved", WRITES: "proved", UNIFORM: "proved"},
    ("loading", "right"): {RACES: "unknown", BOUNDS: "proved", "aligned": "proved"},
    ("loading", "second"): {RACES: "proved", BOUNDS: "proved", "aligned": "proved"},
    ("loading", "outside"): {RACES: "proved", BOUNDS: "refuted"},
    ("loading", "its mbarrier outside"): {BOUNDS: "refuted"},
    ("loading", "not awaited"): {RACES: "refuted", BOUNDS: "proved"},
    ("loading", "one too far"): {RACES: "unknown", BOUNDS: "refuted"},
    ("loading", "fenced"): {RACES: "proved", WRITES: "proved", BOUNDS: "proved", UNIFORM: "proved"},
    ("loading", "fenced, with the arrival before"): {RACES: "proved", WRITES: "proved"},
    ("loading", "fenced, by arrival"): {RACES: "proved", WRITES: "proved"},
    ("loading", "fenced, not awaited"): {RACES: "refuted"},
    ("loading", "fenced, the other phase"): {RACES: "refuted"},
    ("loading", "fenced, too few bytes"): {RACES: "unknown", UNIFORM: "unknown"},
    ("loading", "fenced, too many bytes"): {RACES: "unknown", UNIFORM: "unknown"},
    ("loading", "fenced, no bytes"): {RACES: "refuted"},
    ("loading", "fenced, two warps"): {RACES: "refuted", WRITES: "refuted"},
    ("loading", "fenced, two arrivals"): {RACES: "unknown"},
    ("loading", "fenced, written before"): {WRITES: "unknown"},
    ("loading", "fenced, written and fenced before"): {RACES: "proved", WRITES: "proved"},
    ("loading", "fenced, a row that wraps"): {
        BOUNDS: "proved", "aligned": "proved", "no_overflow": "refuted",
    },
    ("piping", "right"): {RACES: "proved", BOUNDS: "proved", UNIFORM: "proved"},
    ("piping", "one stage less goes round"): {RACES: "proved", UNIFORM: "proved"},
    # Nobody gets behind the first wait.
    ("piping", "the other phase of what is empty"): {RACES: "proved", UNIFORM: "unknown"},
    ("piping", "the other phase of what is full"): {RACES: "refuted", UNIFORM: "unknown"},
    ("piping", "no wait for what is empty"): {RACES: "refuted", UNIFORM: "unknown"},
    ("piping", "no wait for what is full"): {RACES: "refuted", UNIFORM: "unknown"},
    ("piping", "too few bytes"): {RACES: "unknown", UNIFORM: "unknown"},
    ("piping", "an arrival too early"): {RACES: "refuted", UNIFORM: "unknown"},
    ("storing", "right"): {RACES: "proved", WRITES: "proved", BOUNDS: "proved"},
    ("storing", "no fence"): {RACES: "unknown", WRITES: "proved"},
    ("storing", "no barrier"): {RACES: "refuted"},
    ("storing", "fence behind the barrier"): {RACES: "unknown"},
    ("storing", "written again"): {RACES: "unknown"},
    ("storing", "a row that is not known"): {
        BOUNDS: "proved", WRITES: "unknown", "no_overflow": "unknown",
    },
    ("storing", "a row of two blocks"): {WRITES: "refuted", "no_overflow": "proved"},
    ("storing", "one box"): {RACES: "proved", WRITES: "refuted"},
    ("counting", "a size"): {"no_overflow": "refuted"},
    ("counting", "a coordinate"): {"no_overflow": "not applicable"},
    ("counting", "a coordinate of nothing"): {"no_overflow": "unknown"},
    ("counting", "a coordinate of what is below 0"): {"no_overflow": "unknown"},
    ("counting", "a rest"): {"no_overflow": "not applicable"},
    ("counting", "a rest of nothing"): {"no_overflow": "refuted"},
}  # fmt: skip
CASES = [Case(*x) for x in TOLD]


@cache
def modules() -> dict[str, Any]:
    return modules_of("cutedsl_ordering", {f"{c.family}, {c.way}": c for c in CASES})


def told(case: Case) -> list[Finding]:
    text = modules()[f"{case.family}, {case.way}"]
    assert isinstance(text, str), text
    tensors = (("a", ("M", "N", "lda")), ("b", ("N",)))
    return [f for f in check_module(text, kernel="host", tensors=tensors) if f.kernel != "host"]


@pytest.mark.parametrize("case", some(CASES, 6, 2), ids=lambda c: f"{c.family}: {c.way}")
def test_what_hangs_on_order_is_not_decided_and_what_stands_beside_it_is(case: Case) -> None:
    found = told(case)
    for name, status in TOLD[case.family, case.way].items():
        order = ("refuted", "unknown", "proved", "not applicable")
        worst = min((f.status for f in found if f.property == name), key=order.index)
        assert worst == status, (name, [f for f in found if f.property == name])


def test_elements_of_what_tma_stores_to_are_apart() -> None:
    for way in ("right", "a row that is not known"):
        (found,) = [f for f in told(Case("storing", way)) if f.property == BOUNDS]
        assert any("no elements share a place" in x for x in found.rests_on), (way, found.rests_on)


def test_a_barrier_with_a_number_is_no_memory() -> None:
    for way in ("right", "too many", "a part of a warp"):
        asked = [f for f in told(Case("sharing", way)) if f.property != UNIFORM]
        assert not [f for f in asked if "barrier" in f"{f.subject} {f.text}"]
        (bounds,) = (f for f in asked if f.property == BOUNDS)
        (none,) = (f for f in told(Case("sharing", "none")) if f.property == BOUNDS)
        assert bounds.count == none.count
