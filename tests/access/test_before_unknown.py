"""Arithmetic that wraps before something that is not understood is refuted, and behind it not."""

from __future__ import annotations

import pytest

from symcute.kernel.launch.sources import check_kernel

WRAPS = "if (n * n == 5) i = 0;"
UNKNOWN = 'asm volatile("mystery;" ::: "memory");'
FIRST = "if (i == 0) {" + UNKNOWN + "}"


@pytest.mark.parametrize(
    ("lines", "refuted"),
    [
        ([WRAPS, UNKNOWN], True),
        (["if (i == 3) " + WRAPS, UNKNOWN], True),
        ([UNKNOWN, WRAPS], False),
        ([FIRST, WRAPS], False),  # the thread may be stopped, and with it the others
        (["for (int k = 0; k < 2; k++) { if (k) { " + WRAPS + " } " + UNKNOWN + " }"], False),
        ([UNKNOWN], False),
        (['o[i] = 1; asm volatile("mystery;" :: "r"(n * n));'], False),
    ],
)
def test_what_wraps_before_is_refuted(lines: list[str], refuted: bool) -> None:
    text = (
        f"__global__ void k(int *o, int n) {{ int i = threadIdx.x; {' '.join(lines)} o[i] = 0; }}"
    )
    found = check_kernel(
        text, launch="grid=1 block=4", extents={"o": "4"}, given=["n >= 0"],
        properties=["no_overflow", "in_bounds"],
    )  # fmt: skip
    assert ("refuted" in {f.status for f in found if f.property == "no_overflow"}) == refuted
    assert "refuted" not in {f.status for f in found if f.property == "in_bounds"}
