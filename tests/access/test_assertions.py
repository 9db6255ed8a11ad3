"""Where an assertion fails a machine stops, or, compiled with NDEBUG, goes on.

So nothing is proved by an assertion, and nothing refuted behind one that fails. What compilers are
promised never to happen is asked, since they may leave the test away. So is what GPUVerify is told.
"""

from __future__ import annotations

import pytest

from symcute.kernel.launch.sources import check_kernel
from tests.full import some

BOUNDS, KEPT = "in_bounds", "promises_kept"


def verdicts(body: str, extent: str = "n") -> dict[str, set[str]]:
    """Return what is said of a kernel of 64 threads."""
    text = f"__global__ void k(int *x, int n, int m) {{ int i = threadIdx.x; {body} }}\n"
    found = check_kernel(
        text, launch="grid=1 block=64", extents={"x": extent}, properties=[BOUNDS, KEPT]
    )
    said: dict[str, set[str]] = {BOUNDS: set(), KEPT: set()}
    for f in found:
        said[f.property].add(f.status)
    return said


@pytest.mark.parametrize(
    ("body", "bounds", "kept"),
    some([
        ("assert(i < n); if (i < n) x[i] = 0;", "proved", "refuted"),
        ("assert(i < n); x[i] = 0;", "unknown", "refuted"),
        ("assert(i < 64); x[i] = 0;", "refuted", "not applicable"),
        ("assert(m > 1 && n > 9); x[i] = 0;", "refuted", "refuted"),  # n may be 10
        ("if (i >= n) __builtin_unreachable(); x[i] = 0;", "unknown", "refuted"),
        # What a compiler may take as given, it may have taken.
        ("__builtin_assume(n >= 64); x[i] = 0;", "unknown", "refuted"),
        ("__builtin_assume(n >= 64); x[i + n] = 0;", "refuted", "refuted"),
        ("__builtin_assume(n > 9); x[i] = 0;", "refuted", "refuted"),  # n may be 10
        ("if (n < 64) return; __builtin_assume(n >= 64); x[i] = 0;", "proved", "proved"),
        ("__builtin_assume(x[0] == 0); x[i] = 0;", "unknown", "unknown"),
        ("if (i >= n) { return; } if (i >= n) __builtin_unreachable(); x[i] = 0;",
         "proved", "not applicable"),
        ("switch (i < n) { case 1: break; default: __builtin_unreachable(); } x[i] = 0;",
         "unknown", "refuted"),
        ("if (i >= n) __trap(); x[i] = 0;", "proved", "not applicable"),
        # GPUVerify's words are asked, and not executed.
        ("__requires(n >= 64); x[i] = 0;", "unknown", "refuted"),
        ("__requires(n >= 64); if (i < n) x[i] = 0;", "proved", "refuted"),
        ("if (n < 64) return; __requires(n >= 64); x[i] = 0;", "proved", "proved"),
        ("if (n < 64) return; __requires(n >= 65); x[i] = 0;", "proved", "refuted"),
        ("__assert(x[n] == 0); if (i < n) x[i] = 0;", "proved", "unknown"),
        # One that is not followed may fail.
        ("__assert(x[0] == 0); x[i] = 0;", "unknown", "unknown"),
        ("__assert(__uniform_int(m)); x[i] = 0;", "unknown", "unknown"),
        ("if (i > n) __assert(x[0] == 0); x[i] = 0;", "refuted", "unknown"),  # n may be 63
        ("__requires_fresh_array(x + n); __invariant(x[n] == 0), __ensures(i > n); x[i] = 0;",
         "refuted", "not applicable"),
        ("__invariant(__implies(__write(x), __write_offset_bytes(x) < n)); if (i < n) x[i] = 0;",
         "proved", "not applicable"),
    ], 3),
)  # fmt: skip
def test_of_a_kernel(body: str, bounds: str, kept: str) -> None:
    assert verdicts(body) == {BOUNDS: {bounds}, KEPT: {kept}}


def test_an_assertion_may_stand_where_a_constant_is_asked_for() -> None:
    body = "constexpr auto f = [](int k) { assert(k > 2); return k; }; __shared__ int s[f(64)];"
    assert verdicts(f"{body} x[i] = (s[i] = 0);", "64")[BOUNDS] == {"proved"}


KERNEL = """#include <cassert>
__global__ void k(float *x) { x[blockIdx.x * blockDim.x + threadIdx.x] = 0; }
"""


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("assert(n % 256 == 0); k<<<(n + 255) / 256, 256>>>(x);", {"proved", "unknown"}),
        ("assert(n % 255 == 0); k<<<(n + 255) / 256, 256>>>(x);", {"refuted", "unknown"}),
        ("assert(n > 0); if (n % 256 == 0) k<<<n / 256, 256>>>(x);", {"proved"}),
        ("if (n % 256) __builtin_unreachable(); k<<<(n + 255) / 256, 256>>>(x);", {"proved"}),
    ],
)
def test_of_host_code(host: str, status: set[str]) -> None:
    text = f"{KERNEL}void f(int n) {{ float *x; cudaMalloc(&x, n * 4); {host} }}\n"
    assert {f.status for f in check_kernel(text, properties=[BOUNDS])} == status


@pytest.mark.parametrize(
    ("stop", "access", "refuted"),
    [
        # Nobody comes behind the barrier where thread 0 has stopped the launch.
        ("if (t == 0) assert(n >= 0);", "if (t == 1) x[n + 4] = 0;", False),
        ("if (t == 0 && n < 0) __trap();", "if (t == 1) x[n + 4] = 0;", False),
        ("if (t == 0) assert(n >= 0);", "if (t > 1) x[n < 0 ? 0 : t] = t;", False),
        ("if (t == 0 && n < 0) __trap();", "if (t > 1) x[n < 0 ? 0 : t] = t;", False),
        # Where it has not, they do.
        ("if (t == 0) assert(n >= 0);", "if (t) x[n + t] = 0;", True),
        ("if (t == 0 && n < 0) __trap();", "if (t) x[n + t] = 0;", True),
        ("if (t == 0 && n < 0) __trap();", "if (t > 1) x[n < 5] = t;", True),
        # And what has left the kernel keeps nobody from it.
        ("if (t == 0 && n < 0) return;", "if (t == 1) x[n + 4] = 0;", True),
    ],
)
def test_behind_a_barrier_are_only_threads_that_nobody_stopped(
    stop: str, access: str, refuted: bool
) -> None:
    text = f"""
    #include <cassert>
    __global__ void k(int *x, int n) {{ int t = threadIdx.x; {stop} __syncthreads(); {access} }}
    """
    found = check_kernel(
        text, launch="grid=1 block=64", extents={"x": 68}, given=["n >= -9", "n <= 5"],
        properties=["in_bounds", "write_race_free"],
    )  # fmt: skip
    assert ("refuted" in {f.status for f in found}) == refuted


@pytest.mark.parametrize("test", ["t == 0 && n < 0", "n < 5 && t == 40"])
@pytest.mark.parametrize("wait", ["__shfl_sync(~0u, t, 0);", "int v = __ballot_sync(~0u, t);"])
def test_a_shuffle_waits_for_who_has_stopped(test: str, wait: str) -> None:
    text = f"""
    __global__ void k(int *x, int n) {{
      int t = threadIdx.x;
      if ({test}) __trap();
      {wait}
      if (t == 1) x[n + 4] = 0;
    }}
    """
    found = check_kernel(
        text, launch="grid=1 block=64", extents={"x": 68}, given=["n >= -9", "n <= 5"],
        properties=["in_bounds"],
    )  # fmt: skip
    assert {f.status for f in found} == {"unknown"}


@pytest.mark.parametrize(
    ("body", "refuted"),
    [
        ("if (t > n) __trap(); x[t] = 0;", True),
        ("for (int i = 0; i < 2; i++) { if (t > n) __trap(); x[t] = i; }", True),
        ("if (t > n) __trap(); __syncwarp(); x[t] = 0;", False),
        # Who reads in a loop may wait for what another writes.
        ("if (t > n) __trap(); while (*(volatile int *)x != 7) {} x[t] = 0;", False),
    ],
)
def test_who_waits_for_nobody_may_come_first(body: str, refuted: bool) -> None:
    text = f"__global__ void k(int *x, int n) {{ int t = threadIdx.x; {body} }}\n"
    found = check_kernel(
        text, launch="grid=1 block=64", extents={"x": 32}, given=["n == 32"],
        properties=["in_bounds"],
    )  # fmt: skip
    assert ("refuted" in {f.status for f in found}) == refuted
