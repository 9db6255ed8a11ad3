"""Kernels that launch kernels: what they do themselves is decided, what it may race with is not."""

from __future__ import annotations

from typing import Any

import pytest

from symcute import check_kernel
from symcute.frontends.cuda import read_kernels
from symcute.kernel.findings import Finding, verdict_of

#: A block counts, and launches as many blocks again: all that blocks share is atomic.
COUNTS = """__device__ int count;
__global__ void k(int most, int depth, int before) {
    __shared__ int mine;
    if (threadIdx.x == 0) {
        mine = atomicAdd(&count, 1);
    }
    __syncthreads();
    if (++depth >= most) {
        return;
    }
    k<<<gridDim.x, blockDim.x>>>(most, depth, mine);
}
"""
#: A thread launches what writes elsewhere, or perhaps not.
WRITES = """__global__ void other(int *x, int n) { x[threadIdx.x] = 1; }
__global__ void k(int *x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] = i;
    if (i == 0)
        other<<<1, 32>>>(x + n, n);
}
"""
ATOMIC: dict[str, Any] = {"launch": "grid=1 block=64", "given": ["depth <= 100"]}
PLAIN: dict[str, Any] = {"launch": "grid=ceil_div(n,128) block=128", "extents": {"x": "n"},
                         "given": ["n <= 2**20"]}  # fmt: skip
RACES = ("write_race_free", "read_write_race_free")


def findings(text: str, known: dict[str, Any]) -> list[Finding]:
    return [f for f in check_kernel(text, **known) if f.kernel == "k"]


def verdicts(text: str, known: dict[str, Any]) -> dict[str, str]:
    found = verdict_of(findings(text, known))
    return {p: v for p, v in found.items() if v != "not applicable"}


def test_all_is_decided_of_one_that_launches_itself_and_shares_by_atomics_alone() -> None:
    assert {*verdicts(COUNTS, ATOMIC).values()} == {"proved"}


def test_what_is_printed_is_no_memory_that_a_launch_shares() -> None:
    says = COUNTS.replace("if (++depth", 'printf("%d of %d\\n", mine, depth);\n    if (++depth')
    assert {*verdicts(says, ATOMIC).values()} == {"proved"}
    plain = says.replace("mine = atomicAdd(&count, 1)", "mine = count; count = 1")
    assert verdicts(plain, ATOMIC)["write_race_free"] == "unknown"


@pytest.mark.parametrize(
    ("old", "new", "broken", "verdict"),
    [
        # The argument of the launch is read while the first thread may still write it.
        ("__syncthreads();\n", "\n", "read_write_race_free", "refuted"),
        ("__syncthreads();", "if (threadIdx.x < most) __syncthreads();", "barrier_uniform",
         "refuted"),
        # What is launched writes it too, at the same time.
        ("mine = atomicAdd(&count, 1)", "mine = count; count = 1", "write_race_free", "unknown"),
        ("mine = atomicAdd(&count, 1)", "mine = atomicAdd_block(&count, 1)", "write_race_free",
         "unknown"),
        # One launch changes bytes of what the next one changes as a whole.
        ("mine = atomicAdd(&count, 1)",
         "mine = depth % 2 ? atomicAdd(&count, 1) : atomicCAS((unsigned short *)&count, 0, 1)",
         "write_race_free", "unknown"),
        # Another kernel may do what it wants with the counter.
        ("__device__ int count;", "__device__ int count;\n__global__ void j(int) { count = 0; }\n",
         "write_race_free", "proved"),
        ("k<<<gridDim.x, blockDim.x>>>(most, depth, mine);", "j<<<1, 1>>>(mine);",
         "write_race_free", "unknown"),
    ],
)  # fmt: skip
def test_neighbours_of_one_that_launches_itself(
    old: str, new: str, broken: str, verdict: str
) -> None:
    text = COUNTS if "j<<<" not in new else f"__global__ void j(int);\n{COUNTS}"
    assert text.count(old) == 1
    assert verdicts(text.replace(old, new), ATOMIC)[broken] == verdict


def test_what_a_kernel_launches_may_race_with_it() -> None:
    said = verdicts(WRITES, PLAIN)
    assert {said[p] for p in RACES} == {"unknown"}
    assert {v for p, v in said.items() if p not in RACES} == {"proved"}
    assert verdicts(WRITES.replace("i < n", "i <= n"), PLAIN)["in_bounds"] == "refuted"


def test_what_is_read_behind_a_launch_is_not_known() -> None:
    text = "__device__ int at;\n" + WRITES.replace("x + n);", "&at, n);\n    if (i < n) x[at] = 1;")
    assert verdicts(text.replace("int i =", "if (i0) at = 0; int i =").replace(
        "int n)", "int n, int i0)"), PLAIN)["in_bounds"] != "proved"  # fmt: skip


@pytest.mark.parametrize(
    "launch",
    [
        "CHECK((other<<<1, 32>>>(x, n)));",
        "for (int j = 0; j < 2; ++j, other<<<1, 32>>>(x, n)) ;",
        "bool b = (other<<<1, 32>>>(x, n), true);",
    ],
)
def test_a_launch_that_clang_does_not_keep_leaves_all_open(launch: str) -> None:
    text = "#define CHECK(x) x\n" + WRITES.replace("other<<<1, 32>>>(x + n, n);", launch)
    assert {*verdicts(text, PLAIN).values()} == {"unknown"}


def test_a_launch_of_what_is_handed_over_leaves_all_open() -> None:
    text = WRITES.replace("(int *x, int n) {\n", "(int *x, int n, void (*f)(int *)) {\n")
    said = verdicts(text.replace("other<<<1, 32>>>(x + n, n)", "f<<<1, 32>>>(x)"), PLAIN)
    assert {v for p, v in said.items() if p != "launch_valid"} == {"unknown"}


def test_the_place_of_a_launch_is_where_it_is_written() -> None:
    (place,) = {
        (f.place.line, f.place.column) for f in findings(WRITES, PLAIN) if f.property == RACES[1]
    }
    assert place == (6, 9)


def test_launches_by_kernels_are_launches() -> None:
    host = "void h(int *x, int n) { k<<<1, 32>>>(x, n); other<<<1, 32>>>(x, n); }\n"
    families = read_kernels(WRITES + host).kernels["other"].families
    assert [(f.host, bool(f.trouble)) for f in families] == [("h", False), ("k", True)]


@pytest.mark.parametrize(
    ("first", "verdict"), [("x[1] = 0; other<<<1, 1>>>(x + 1, n);", "unknown"),
                           ("x[1] = 0; other<<<1, 1>>>(x, n); x[1] = 4;", "refuted"),
                           ("other<<<1, 1>>>(x, n);", "unknown"), ("", "refuted")],
)  # fmt: skip
@pytest.mark.parametrize("at", ["x[x[1]] = 2;", "if (x[1] > 3) x[4] = 2;"])
def test_what_is_read_behind_a_launch_is_no_input(first: str, verdict: str, at: str) -> None:
    """The other kernel may put there what is right."""
    text = f"""__global__ void other(int *x, int n) {{ for (int i = 0; i < n; i++) x[i] = 0; }}
__global__ void k(int *x, int n) {{ if (threadIdx.x == 0) {{ {first} {at} }} }}
"""
    known: dict[str, Any] = {"launch": "grid=1 block=32", "extents": {"x": "4"}}
    assert verdicts(text, known)["in_bounds"] == verdict
