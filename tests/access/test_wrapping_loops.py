"""Loops over unsigned numbers that are meant to wrap: what they hold is modulo their type."""

from __future__ import annotations

from itertools import product

import pytest

from symcute import check_kernel
from tests.full import some

STARTS = ["3u*0x80000001u", "2u*0x80000001u", "4000000000u + 500000000u", "i*0x80000001u"]
BODIES = [
    "h = h * 3u + i;", "h = h * 2654435761u + i;", "h = h & 0xffffffffu;", "h += 8u;", "h = h;",
    "if (y[0] > 1) h += 1;", "h ^= i;",
]  # fmt: skip


def statuses(start: str, rounds: str, body: str, at: str, extent: int, what: str) -> set[str]:
    found = check_kernel(
        "// symcute: launch grid=(1) block=(32)\n"
        f"// symcute: extent y = {extent}\n"
        "__global__ void k(float *y, int n) {\n  unsigned i = threadIdx.x;\n"
        f"  unsigned h = {start};\n  for (int r = 0; r < {rounds}; ++r) {{ {body} }}\n"
        f"  y[{at}] = 1;\n}}\n",
        properties=[what],
    )
    return {f.status for f in found}


@pytest.mark.parametrize(
    ("start", "body", "rounds"), some(list(product(STARTS, BODIES, ("2", "n"))), 10)
)
def test_no_number_that_wraps_hides_what_is_behind_a_loop(
    start: str, body: str, rounds: str
) -> None:
    # Whatever h holds, 99 is outside of 16 elements, and 32 threads share 16 places.
    outside = statuses(start, rounds, body, "99 + (h & 1)", 16, "in_bounds")
    assert outside & {"refuted", "unknown"}
    assert statuses(start, rounds, body, "h % 16u", 16, "write_race_free") <= {"refuted", "unknown"}
    assert (
        "refuted" not in statuses(start, rounds, body, "h % 16u", 17, "in_bounds") or "y[" in body
    )


@pytest.mark.parametrize("body", ["h = h * 2654435761u + i;", "h = h & 0xffffffffu;", "h = h;"])
def test_what_is_meant_to_wrap_is_decided(body: str) -> None:
    for start in STARTS[:3]:
        assert statuses(start, "n", body, "h % 16u", 16, "in_bounds") == {"proved"}
        assert statuses(start, "2", body, "99 + h % 2u", 16, "in_bounds") == {"refuted"}


def test_rounds_count_from_what_has_wrapped() -> None:
    # 4500000000 is 205032704 modulo 2**32.
    for extent, expected in ((205032705, "proved"), (205032704, "refuted")):
        body = "h = h & 0xffffffffu;"
        assert statuses(STARTS[2], "n", body, "h", extent, "in_bounds") == {expected}
