"""`cuda::barrier`: its accesses are known, and what it orders is not: no race is certain."""

from __future__ import annotations

import pytest

from symcute import check_kernel
from symcute.kernel.findings import verdict_of

KERNEL = """__global__ void k(int *x, int *y) {
    __shared__ int s[64];
    __shared__ cuda::barrier<cuda::thread_scope_block> bar;
    int t = threadIdx.x;
    if (t == 0) init(&bar, blockDim.x);
    __syncthreads();
    s[t] = x[t];
    auto token = bar.arrive();
    y[t] = 0;
    bar.wait(std::move(token));
    x[t] = s[63 - t];
}
"""


def said(old: str = "", new: str = "") -> dict[str, str]:
    """Return the verdicts on the kernel with something else in it."""
    assert not old or KERNEL.count(old) == 1
    text = KERNEL.replace(old, new) if old else KERNEL
    found = check_kernel(text, launch="grid=1 block=64", extents={"x": 64, "y": 64})
    return dict(verdict_of(found))


def test_what_does_not_rest_on_it_is_decided() -> None:
    found = said()
    assert [found[p] for p in ("in_bounds", "aligned")] == ["proved", "proved"]
    assert found["write_race_free"] == "proved"
    # A thread reads what another wrote: it does so behind the barrier alone.
    assert found["read_write_race_free"] == "unknown"
    # Who waits for more than come waits for ever.
    assert found["barrier_uniform"] == "unknown"


@pytest.mark.parametrize(
    ("old", "new", "property", "verdict"),
    [
        # Behind a wait that may not end nothing is certain to happen; before it, it is.
        ("s[63 - t]", "s[64 - t]", "in_bounds", "unknown"),
        ("y[t] = 0", "y[t + 1] = 0", "in_bounds", "refuted"),
        # Written twice, on both sides of it or on one: it may order that.
        ("x[t] = s[63 - t]", "y[63 - t] = s[t]", "write_race_free", "unknown"),
        ("y[t] = 0", "y[t / 2] = 0", "write_race_free", "unknown"),
        # Each thread reads what it wrote itself.
        ("s[63 - t]", "s[t]", "read_write_race_free", "proved"),
        # A barrier of the block orders as ever, before it or behind.
        ("bar.wait(std::move(token));", "bar.wait(std::move(token)); __syncthreads();",
         "read_write_race_free", "proved"),
        ("bar.wait(std::move(token));", "bar.arrive_and_wait();", "read_write_race_free",
         "unknown"),
        ("bar.wait(std::move(token));", "", "read_write_race_free", "refuted"),
        # Nothing orders what made it.
        ("__syncthreads();", "", "read_write_race_free", "unknown"),
    ],
)  # fmt: skip
def test_neighbours(old: str, new: str, property: str, verdict: str) -> None:
    assert said(old, new)[property] == verdict
