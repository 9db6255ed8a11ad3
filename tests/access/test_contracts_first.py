"""What is cheap of a launch is asked first, then lines are sought, then others asked at length."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from symcute import check_kernel
from symcute.expr import limits
from symcute.frontends.cuda import read_kernels
from symcute.kernel.checking import Check, check, has_none
from symcute.kernel.contracts.contract import Contract, contract
from symcute.kernel.contracts.search import Search
from symcute.kernel.findings import GOOD, KNOWN, PROPERTIES, Finding, verdict_of
from symcute.kernel.ir.program import Kernel
from symcute.kernel.launch import project
from symcute.kernel.launch.asking import Asking
from symcute.kernel.launch.notes import read_setting
from symcute.kernel.launch.project import Request, read_file, tasks
from symcute.kernel.symexec import symexecute

#: One element for every 2**s threads.
SHIFTED = """__global__ void k(const float *x, float *y, int n, int s) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = x[i >> s];
}
"""
#: A launch of blocks that the host is told.
TOLD = """__global__ void k(float *x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] = 0;
}
void go(float *x, int n, int threads) { k<<<(n + threads - 1) / threads, threads>>>(x, n); }
"""
#: A number that wraps whatever is assumed, in front of an access that does not hang on it.
WRAPS = """__global__ void k(float *x, int n) {
    int far = 1;
    for (int i = 0; i < 40; i++) far = far * 3 + i;
    x[(far & 0x7fffffff) % n] = x[threadIdx.x];
}
void go(float *x, int n) { k<<<1, 32>>>(x, n); }
"""


def texts(found: Contract) -> set[str]:
    return {c.text for c in found.conditions}


def test_a_shift_by_what_is_not_known_is_a_line() -> None:
    found = contract(read_kernels(SHIFTED).kernels["k"], ["in_bounds"], quick=True)
    assert found.verdicts() == {"in_bounds": "proved"}
    assert {"0 <= s and s <= 31", "numel(x) >= n"} <= texts(found)
    launch: dict[str, Any] = {"launch": "grid=1 block=8", "arguments": {"n": "8"}}
    for s, elements, verdict in ((0, 8, "proved"), (0, 7, "refuted"), (31, 8, "proved")):
        given = {**launch, "arguments": {"n": "8", "s": str(s)}}
        sizes = {"x": str(elements), "y": "8"}
        told = check_kernel(SHIFTED, extents=sizes, properties=["in_bounds"], **given)
        assert verdict_of(told)["in_bounds"] == verdict
    wide = check_kernel(SHIFTED, given=["s == 32"], properties=["no_overflow"], **launch)
    assert verdict_of(wide)["no_overflow"] == "refuted"


def test_what_a_device_asks_of_a_launch_that_was_found_is_a_line() -> None:
    kernel = read_kernels(TOLD).kernels["k"]
    found = contract(kernel, ["launch_valid"], family=kernel.families[0], quick=True)
    assert found.verdicts() == {"launch_valid": "proved"}
    assert "threads <= 1024" in texts(found)
    assert all("numel" not in x for x in texts(found))
    wide = contract(kernel, ["launch_valid"], quick=True)
    assert wide.verdicts() == {"launch_valid": "proved"} and not texts(wide)


def test_a_launch_that_no_device_accepts_has_no_lines() -> None:
    text = TOLD.replace("(n + threads - 1) / threads, threads", "n, 2048")
    kernel = read_kernels(text).kernels["k"]
    found = contract(kernel, ["launch_valid"], family=kernel.families[0], quick=True)
    assert (found.verdicts(), texts(found)) == ({"launch_valid": "unknown"}, set())


def test_what_rests_on_numbers_that_wrap_says_so() -> None:
    kernel = read_kernels(WRAPS).kernels["k"]
    found = contract(kernel, PROPERTIES, family=kernel.families[0], quick=True)
    (f,) = (f for f in found.findings if f.property == "in_bounds")
    assert (f.status, f.place.line) == ("unknown", 4)
    assert "which may wrap" in f.reason


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[tuple[str, ...]]]:
    """What is asked at length, in a list that grows."""
    found: list[tuple[str, ...]] = []
    real = Asking.longer

    def longer(self: Asking, told: list[Finding], properties: list[str]) -> list[Finding]:
        found.append(tuple(properties))
        return real(self, told, properties)

    monkeypatch.setattr(Asking, "longer", longer)
    yield found


@pytest.mark.parametrize(("how", "expected"), [("quick", []), ("long", ["in_bounds"])])
def test_what_has_lines_is_asked_at_length_where_a_contract_is(
    how: Any, expected: list[str], asked: list[tuple[str, ...]], tmp_path: Path
) -> None:
    file = tmp_path / "told.cu"
    file.write_text(TOLD)
    (task,) = tasks(str(file), Request(contract=how))
    assert isinstance(task, project.Task)
    found, lines = project.checked(task)
    assert lines is not None and lines.verdicts()["in_bounds"] == "proved"
    assert [p for every in asked for p in every] == expected
    (f,) = (f for f in found if f.property == "in_bounds")
    assert "numel(x) >= n" in f.holds_if


@pytest.mark.parametrize("text", [TOLD, WRAPS])
def test_a_check_that_is_gone_on_with_comes_to_the_same(text: str, tmp_path: Path) -> None:
    file = tmp_path / "k.cu"
    file.write_text(text)
    (kernel,) = read_file(file, None, Request())
    setting = read_setting(kernel, family=kernel.families[0])
    whole = check(kernel, setting)
    options: dict[str, Any] = {"timeout": 600, "same_value": False, "certificates": False}
    begun = Check(kernel, setting, PROPERTIES, work=250, sparing=True, **options)
    first = begun.findings()
    left = [p for p, v in verdict_of(first).items() if v == "unknown"]
    later = begun.longer(left, 25_000) if left else []
    both = {**verdict_of(first), **verdict_of(later)}
    assert {p: both[p] for p in both} == verdict_of(whole)
    assert [f.property for f in later] == sorted((f.property for f in later), key=KNOWN.index)
    assert any(v in GOOD for v in both.values())


@pytest.mark.parametrize("text", [TOLD, WRAPS, SHIFTED])
def test_what_a_kernel_has_nothing_of_is_known_without_asking(text: str) -> None:
    kernel = read_kernels(text).kernels["k"]
    setting = read_setting(kernel, launch="grid=2 block=32", extents={"x": "64"})
    map = symexecute(kernel, setting)
    told = verdict_of(check(kernel, setting, work=0))
    names = [p for p in PROPERTIES if p in told]
    assert len(names) > 5
    assert {p: has_none(map, setting, p) for p in names} == {
        p: told[p] == "not applicable" for p in names
    }


#: A grid of which C rounds the number towards zero: what it is below 0 is another launch.
DIVIDED = """__global__ void k(float *x, long n) { x[blockIdx.x * 256l + threadIdx.x] = n; }
void go(float *x, long n) { k<<<n / 256, 256>>>(x, n); }
void went(float *x, long n) { if (n < 0) return; k<<<n / 256, 256>>>(x, n); }
void both(float *x, long n, long m) { k<<<dim3(n / 256, m / 2), 256>>>(x, n); }
"""


def test_launches_of_which_a_size_is_below_0_hold_where_it_is_not(tmp_path: Path) -> None:
    file = tmp_path / "divided.cu"
    file.write_text(DIVIDED)
    found: dict[tuple[str, str], set[str]] = {}
    for task in tasks(str(file), Request(properties=("in_bounds",), contract="quick")):
        assert isinstance(task, project.Task) and task.family is not None
        family = task.family
        findings, lines = project.checked(task)
        open_ = [f for f in findings if f.property == "in_bounds"]
        assert {f.status for f in open_} == {"unknown"}  # of what size `x` is nothing is known
        found[family.host, family.avoided] = {f.holds_if for f in open_}
        if family.avoided:  # no lines are sought
            assert lines is None and found[family.host, family.avoided] == {family.avoided}
            kernel = task.kernel
            assert isinstance(kernel, Kernel)
            none = check(kernel, read_setting(kernel, given=[family.avoided], family=family))
            assert all("contradict" in f.reason for f in none)
    assert {*found} == {
        ("go", ""), ("go", "n >= 0"), ("went", ""),
        ("both", ""), ("both", "n >= 0"), ("both", "m >= 0"),
    }  # fmt: skip
    assert "numel(x)" in "".join(found["go", ""])


#: Lanes of a warp leave the loop together where no warp has threads of two rounds' ends.
STRIDED = """__global__ void k(const float *x) {
    unsigned all = gridDim.x * blockDim.x;
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < 1024; i += all) __syncwarp();
}
"""


def test_barriers_of_a_warp_have_the_line_that_blocks_are_whole_warps() -> None:
    found = contract(read_kernels(STRIDED).kernels["k"], ["barrier_uniform"], quick=True)
    assert found.verdicts() == {"barrier_uniform": "proved"}
    assert "blockDim.x % 32 == 0" in texts(found)
    for threads in (96, 48):
        told = check_kernel(
            STRIDED, launch=f"grid=3 block={threads}", properties=["barrier_uniform"]
        )
        assert (verdict_of(told)["barrier_uniform"] == "proved") is (threads % 32 == 0)


#: Eight columns for threads of one number along y, of as many rows as there are blocks along y.
PIECES = """__global__ void k(float *x, int n) {
    int i = blockIdx.x * 64 + threadIdx.y * 8;
    for (int k = threadIdx.z; k < 8; k += blockDim.z)
        if (threadIdx.x == 0 && i < n) x[i + k + blockIdx.y * n] = 0;
}
void go(float *x, int n, int rows) { k<<<dim3((n + 63) / 64, rows), dim3(4, 8, 8)>>>(x, n); }
"""


def test_pieces_of_rows_have_the_line_that_rows_are_whole_pieces() -> None:
    kernel = read_kernels(PIECES).kernels["k"]
    found = contract(kernel, ["write_race_free"], family=kernel.families[0], quick=True)
    assert found.verdicts() == {"write_race_free": "proved"}
    assert {"n % 8 == 0", "(n - 1) // 8*8 + 8 <= n"} & texts(found)
    for n, verdict in ((24, "proved"), (20, "refuted")):
        given = [f"n == {n}", "rows <= 2"]
        setting = read_setting(kernel, given=given, family=kernel.families[0])
        told = verdict_of(check(kernel, setting, ("write_race_free",)))
        assert told == {"write_race_free": verdict}


def test_lines_of_a_search_that_comes_to_no_end_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    kernel = read_kernels(TOLD).kernels["k"]
    whole = contract(kernel, ["in_bounds"], family=kernel.families[0], quick=True)

    def no_end(self: Search, *_: object) -> None:
        raise limits.WorkLimit(1)

    monkeypatch.setattr(Search, "_fewer", no_end)
    found = contract(kernel, ["in_bounds"], family=kernel.families[0], quick=True)
    assert found.verdicts() == whole.verdicts() == {"in_bounds": "proved"}
    assert "numel(x) >= n" in texts(found) and texts(whole) <= texts(found)
