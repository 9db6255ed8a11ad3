"""Contracts: what they say, executions inside of them, and what is so just outside."""

from __future__ import annotations

import random
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from symcute.expr.expression import value_at
from symcute.expr.node import Node
from symcute.expr.terms import add
from symcute.frontends import CUDA_CPP
from symcute.kernel.checking import check
from symcute.kernel.contracts.contract import Contract, contract
from symcute.kernel.contracts.lines import Line, Unlaunched
from symcute.kernel.execution import Executor
from symcute.kernel.findings import RACES, verdict_of
from symcute.kernel.ir.program import Kernel
from symcute.kernel.launch.notes import read_setting
from symcute.kernel.properties.context import Context
from symcute.kernel.symexec import symexecute
from tests.full import many, some

SOURCE = Path(__file__).parent / "contracts/kernels.cu"
THREADS = "blockDim.x*gridDim.x <= 2147483648"
#: Axes that a kernel does not look at.
PLANES = ("gridDim.y == 1", "gridDim.z == 1", "blockDim.y == 1", "blockDim.z == 1")

#: What must be so of a launch, and of which properties no condition is found.
CONTRACTS: dict[str, tuple[set[str], set[str]]] = {
    "saxpy": ({THREADS, "numel(x) >= n", "numel(y) >= n", *PLANES}, set()),
    "unguarded": (
        {"numel(x) >= blockDim.x*gridDim.x", "numel(y) >= blockDim.x*gridDim.x", *PLANES},
        set(),
    ),
    "inclusive": ({THREADS, "numel(y) >= n + 1", *PLANES}, set()),
    "vectors": (
        {
            "blockDim.x*gridDim.x <= 536870912",
            "numel(x) >= ceil_div(n, 4)*4",
            "numel(y) >= ceil_div(n, 4)*4",
            "x at a multiple of 16 bytes",
            "y at a multiple of 16 bytes",
            *PLANES,
        },
        set(),
    ),
    "vectors_whole": (
        {THREADS, "0 <= n", "numel(x) >= n // 4", "numel(y) >= n // 4", *PLANES},
        set(),
    ),
    "pairs": (
        {"blockDim.x*gridDim.x <= 1073741824", "numel(y) >= ceil_div(n, 2)", *PLANES},
        set(),
    ),
    "strided": (
        {
            "blockDim.x + n <= 4294967296",
            "numel(x) >= n",
            "numel(y) >= n",
            "gridDim.x == 1",
            *PLANES,
        },
        set(),
    ),
    "grid_stride": (
        {
            "blockDim.x*gridDim.x + n <= 9223372036854775808",
            "numel(x) >= n",
            "numel(y) >= n",
            *PLANES,
        },
        set(),
    ),
    "stencil": ({THREADS, "0 <= n", "numel(x) >= n", "numel(y) >= n - 1", *PLANES}, set()),
    "histogram": (
        {
            THREADS,
            "0 <= data[i] < end_data for all i read",
            "numel(data) >= n",
            "numel(bins) >= end_data",
        },
        set(),
    ),
    "bytes": ({THREADS, "numel(data) >= n", "numel(bins) >= 256"}, set()),
    "gather": (
        {
            THREADS,
            "0 <= index[i] < end_index for all i read",
            "numel(index) >= n",
            "numel(x) >= end_index",
            "numel(y) >= n",
            *PLANES,
        },
        set(),
    ),
    "embedding": (
        {
            "0 <= index[i] < end_index for all i read",
            "blockDim.x + width <= 2147483648",
            "end_index*width <= 9223372036854775808",
            "numel(index) >= gridDim.x",
            "numel(w) >= end_index*width",
            "numel(y) >= gridDim.x*width",
            *PLANES,
        },
        set(),
    ),
    "block_sums": (
        {
            THREADS,
            "numel(x) >= n",
            "blockDim.x*4 <= shared_bytes",
            "numel(y) >= gridDim.x",
            *PLANES,
        },
        set(),
    ),
    "fixed_sums": (
        {
            "numel(x) >= blockDim.x + gridDim.x*256 - 256",
            "blockDim.x <= 256",
            "numel(y) >= gridDim.x",
            *PLANES,
        },
        set(),
    ),
    "early": (
        {
            THREADS,
            "numel(x) >= n",
            "blockDim.x <= 128",
            "numel(y) >= n",
            "0 <= n",
            "n % blockDim.x == 0",
            *PLANES,
        },
        set(),
    ),
    "reversed_in_block": (
        {
            "numel(x) >= blockDim.x",
            "blockDim.x*4 <= shared_bytes",
            "numel(y) >= blockDim.x",
            "gridDim.x == 1",
            *PLANES,
        },
        set(),
    ),
    "row_max": (
        {
            "blockDim.x + cols <= 2147483648",
            "numel(x) >= cols*gridDim.x",
            "numel(y) >= gridDim.x",
            *PLANES,
        },
        set(),
    ),
    "row_copy": (
        {
            "0 <= pitch",
            "numel(x) >= gridDim.x*pitch + cols - pitch",
            "numel(y) >= cols*gridDim.x",
            *PLANES,
        },
        set(),
    ),
    "pitched": (
        {
            "0 <= cols",
            "0 <= pitch",
            "numel(y) >= gridDim.x*pitch + cols - pitch",
            "cols <= pitch",
            *PLANES,
        },
        set(),
    ),
    "transpose": (
        {
            "blockDim.x + gridDim.x*32 <= 2147483680",
            "blockDim.y + gridDim.x*32 <= 2147483680",
            "numel(x) >= h*w",
            "blockDim.x + blockDim.y*33 <= 1089",
            "blockDim.x*33 + blockDim.y <= 1089",
            "numel(y) >= h*w",
            "blockDim.x <= 32",
            "blockDim.y <= 32",
            "blockDim.z == 1",
            "gridDim.z == 1",
        },
        set(),
    ),
    "column": ({THREADS, "numel(y) >= cols*rows", *PLANES}, set()),
    "constant_shift": (
        {THREADS, "0 <= shift", "numel(x) >= n + shift", "numel(y) >= n", *PLANES},
        set(),
    ),
    "divided": (
        {
            THREADS,
            "1 <= group",
            "numel(x) >= (n - 1) // group + 1",
            "numel(y) >= n",
            *PLANES,
        },
        set(),
    ),
    "one_thread": ({"numel(counter) >= 1", *PLANES}, set()),
    "warps": (
        {
            "gridDim.x*(blockDim.x // 32) + (blockDim.x - 1) // 32"
            " <= blockDim.x // 32 + 4294967295",
            "numel(x) >= 32",
            "numel(y) >= gridDim.x*(blockDim.x // 32) - blockDim.x // 32"
            " + ceil_div(blockDim.x, 32)",
        },
        {"write_race_free"},
    ),
}
QUICK = (
    "saxpy", "histogram", "gather", "reversed_in_block",
)  # fmt: skip
LONGER = ["block_sums", "unguarded", "vectors"]
LONGER += some([k for k in CONTRACTS if k not in (*QUICK, *LONGER)], 1, 0, 3)
KERNELS = [*QUICK, *(pytest.param(k, marks=pytest.mark.full) for k in LONGER)]


@cache
def kernels() -> dict[str, Kernel]:
    return dict(CUDA_CPP.read(SOURCE).kernels)


@cache
def contract_of(name: str) -> Contract:
    return contract(kernels()[name])


def test_every_kernel_has_its_contract_here() -> None:
    assert kernels().keys() == CONTRACTS.keys()


@pytest.mark.parametrize("name", KERNELS)
def test_a_contract_says_what_must_be_so(name: str) -> None:
    lines, open_ = CONTRACTS[name]
    found = contract_of(name)
    assert {c.text for c in found.conditions} == lines
    assert {p for p, v in found.verdicts().items() if v == "unknown"} == open_
    # Nothing is proved, where there are conditions, without them.
    unconditional = verdict_of(found.unconditional())
    for condition in found.conditions:
        assert {unconditional[p] for p in condition.properties} == {"unknown"}
    assert unconditional["launch_valid"] == "unknown"


@pytest.mark.parametrize("name", KERNELS)
def test_no_execution_inside_of_a_contract_goes_wrong(name: str) -> None:
    """Each property is put to executions under its own lines, at sizes that are drawn."""
    found, kernel, blank = contract_of(name), kernels()[name], Unlaunched(kernels()[name])
    executed = 0
    for wanted in (("no_overflow",), ("in_bounds",), ("aligned",), ("barrier_uniform",), RACES):
        if any(found.verdicts()[p] != "proved" for p in wanted):
            continue
        lines = [c.line for c in found.conditions if wanted[0] in c.properties]
        setting = blank.setting(lines)
        executor = Executor(kernel, Context(symexecute(kernel, setting), setting, kernel))
        for dims in _drawn(executor, random.Random(name), many(12, 150, 60)):
            if any(value_at(x, dims) < 0 for x in setting.extents.values()):
                continue
            executed += 1
            for execution in executor.at(dims):
                wrong = [e for e in execution.events if e.property in wanted and e.certain]
                # What reaches neither an address nor a condition may wrap.
                assert not wrong or wanted == ("no_overflow",), (dims, lines, wrong)
    if found.conditions:
        assert executed >= many(5, 10, 10)


def _drawn(executor: Executor, draw: random.Random, count: int) -> list[dict[str, int]]:
    """Return sizes that meet all facts: small blocks and grids, and parameters of both signs."""
    found: list[dict[str, int]] = []
    for _ in range(200 * count):
        dims = {}
        for n in sorted(executor.context.dims):
            size = (1, 1, 2, 3, 5, 8, 32) if n.endswith("Dim_x") else (1, 1, 1, 2, 3)
            launch = n.startswith(("gridDim", "blockDim"))
            dims[n] = draw.choice(size) if launch else draw.choice((-2, 0, 1, 2, 3, 4, 7, 12, 33))
            if n == "shared_bytes":
                dims[n] = 4 * draw.choice((0, 1, 2, 3, 5, 8, 32))
        if executor.sizes.admits(dims):
            found.append(dims)
        if len(found) == count:
            break
    return found


@pytest.mark.parametrize("name", KERNELS)
def test_what_is_weaker_by_one_is_not_proved(name: str) -> None:
    """Of each line that is said to be necessary."""
    found, blank = contract_of(name), Unlaunched(kernels()[name])
    necessary = [(c, p) for c in found.conditions for p in c.counterexamples]
    assert necessary or name == "warps"
    for condition, wanted in necessary:
        if _is_sign(condition.line):
            continue  # said as such, however far below 0 a fault begins
        group = [c.line for c in found.conditions if wanted in c.properties]
        weaker = [_weaker(x) if x == condition.line else x for x in group]
        told = check(kernels()[name], blank.setting(weaker), [wanted], work=0, hints=0)
        assert any(f.status in ("refuted", "unknown") for f in told), condition.text


def _is_sign(line: Line) -> bool:
    return isinstance(line.term, Node) and line.term.op == "<=" and line.term.args[0] == 0


def _weaker(line: Line) -> Line:
    """Return a line that one more case meets."""
    if line.kind == "align":
        return replace(line, term=int(str(line.term)) // 2)
    if line.kind == "assume":
        assert isinstance(line.term, Node)
        op, (low, high) = line.term.op, line.term.args
        return replace(line, term=Node(op, low, add(high, 1)))
    return replace(line, term=add(line.term, -1 if line.kind == "extent" else 1))


@pytest.mark.parametrize("name", KERNELS)
def test_notes_of_a_contract_are_proved_as_any_launch(name: str) -> None:
    found = contract_of(name)
    source = SOURCE.read_text(encoding="utf-8")
    start = source.index(f"__global__ void {name}(")
    text = "".join(f"// symcute: {note}\n" for note in found.notes) + source[start:]
    kernel = CUDA_CPP.read(text, name=name).kernels[name]
    proved = [p for p, v in found.verdicts().items() if v == "proved"]
    told = verdict_of(check(kernel, read_setting(kernel), proved))
    assert told == dict.fromkeys(proved, "proved")


def test_names_that_mean_something_else_are_other_dims() -> None:
    """Parameters may be called as the dims of a launch are."""
    text = "__global__ void k(float *numel_x, int gridDim_x, int bx) { numel_x[bx] = gridDim_x; }"
    found = contract(CUDA_CPP.read(text).kernels["k"])
    assert "numel(numel_x) >= bx + 1" in {c.text for c in found.conditions}
    assert found.verdicts()["in_bounds"] == "proved"


def test_lines_have_the_names_of_the_source() -> None:
    """Of a dim that had to be called otherwise, and of an array that is called as one."""
    text = """__global__ void k(float *blockDim_x, int tx, int end_z, const int *z) {
      if ((int)threadIdx.x < tx) atomicAdd(&blockDim_x[z[threadIdx.x]], end_z);
    }"""
    found = {c.text for c in contract(CUDA_CPP.read(text).kernels["k"]).conditions}
    assert {"0 <= z[i] < end_z_ for all i read", "numel(blockDim_x) >= end_z_"} <= found
    assert "numel(z) >= tx" in found
    assert not any("tx_" in line or "(blockDim.x)" in line for line in found)


def test_what_no_thread_reaches_inside_of_a_contract_is_not_outside_of_it() -> None:
    """`-n` wraps for one n only, and where n is not negative nothing is written."""
    text = "__global__ void k(float *y, int n) { if ((int)threadIdx.x < -n) y[threadIdx.x] = 1; }"
    found = contract(CUDA_CPP.read(text).kernels["k"])
    assert verdict_of(found.unconditional())["in_bounds"] == "unknown"
    lines = {c.text for c in found.conditions if "in_bounds" in c.properties}
    assert lines == {"-2147483647 <= n", "numel(y) >= n*(-1)"}


def test_a_contract_asks_for_what_a_device_does() -> None:
    text = "__global__ void k() { __shared__ char s[65536]; s[threadIdx.x] = 0; }"
    found = contract(CUDA_CPP.read(text).kernels["k"])
    assert found.verdicts()["launch_valid"] == "unknown"


def test_what_is_not_understood_stays_unknown() -> None:
    text = """extern __device__ void elsewhere(float *y);
    __global__ void k(float *y) { elsewhere(y); }"""
    found = contract(CUDA_CPP.read(text).kernels["k"])
    assert found.verdicts()["in_bounds"] == "unknown"
    assert not [c for c in found.conditions if "in_bounds" in c.properties]


LAUNCHED = """
#include <torch/extension.h>
__global__ void shifted(float *y, const float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i + 1];
}
__global__ void whole(float *y) { y[blockIdx.x * blockDim.x + threadIdx.x] = 0; }
__global__ void spread(float *y, int n, int s) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i * s] = 0;
}
__global__ void pairs(float2 *y, float *x, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < m / 2) y[i] = *reinterpret_cast<float2 *>(x + blockIdx.y * m + 2 * i);
}
__global__ void fours(float *y, int n) {
  int i = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) y[i + 3] = 0;
}
void four(torch::Tensor y, int n) { fours<<<(n + 1023) / 1024, 256>>>(y.data_ptr<float>(), n); }
void shift(float *y, const float *x, int n) { shifted<<<(n + 255) / 256, 256>>>(y, x, n); }
void fill(float *y, int m) { whole<<<(m + 255) / 256, 256>>>(y); }
void set(float *y, int n, int s) { spread<<<(n + 255) / 256, 256>>>(y, n, s); }
void pair(float2 *y, float *x, int m) { pairs<<<dim3((m + 255) / 256, 4), 256>>>(y, x, m); }
"""
#: What must be so of the arguments besides, for some properties.
OF_HOSTS: dict[str, tuple[tuple[str, ...], set[str]]] = {
    "shifted": (("in_bounds",), {"numel(y) >= n", "numel(x) >= n + 1"}),
    "whole": (("in_bounds",), {"numel(y) >= ceil_div(m, 256)*256"}),
    "spread": (RACES[:1], {"1 <= s", "n*s <= s + 2147483647"}),
    "fours": (("in_bounds",), {"(n - 1) // 4*4 + 4 <= y_numel"}),
    "pairs": (("aligned",), {"m % 2 == 0", "m <= 1431655765"}),
}


@pytest.mark.parametrize("name", OF_HOSTS)
def test_where_host_code_is_found_lines_are_about_its_arguments(name: str) -> None:
    kernel = CUDA_CPP.read(LAUNCHED).kernels[name]
    properties, lines = OF_HOSTS[name]
    found = contract(kernel, properties, family=kernel.families[0])
    assert {c.text for c in found.conditions} == lines
    assert set(found.verdicts().values()) == {"proved"}
    assert any(c.counterexamples for c in found.conditions)


@pytest.mark.parametrize(("name", "array", "less"), [("shifted", "x", "n"), ("whole", "y", "m")])
def test_one_element_fewer_than_a_host_is_told_is_too_few(name: str, array: str, less: str) -> None:
    kernel = CUDA_CPP.read(LAUNCHED).kernels[name]
    extents = {"y": "n + 1"} | {array: less} if name == "shifted" else {array: less}
    setting = read_setting(kernel, family=kernel.families[0], extents=extents)
    assert verdict_of(check(kernel, setting, ["in_bounds"])) == {"in_bounds": "refuted"}
