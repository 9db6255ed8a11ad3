"""What an execution makes up refutes nothing; what is made up later does not take a fault back."""

from __future__ import annotations

import pytest

from symcute.kernel.launch.sources import check_kernel
from tests.full import some

SCAN = """// symcute: launch grid=1 block=(b) shared=8*b
// symcute: extent v = 2*b
// symcute: assume b <= 512
__global__ void k({type} *v) {{
  extern __shared__ {type} s[];
  int t = threadIdx.x, step = {start};
  s[2 * t] = v[2 * t];
  s[2 * t + 1] = v[2 * t + 1];
  for (int d = blockDim.x; d > 0; d >>= 1) {{
    __syncthreads();
    if (t < d) s[step * (2 * t + 2) - 1] += s[step * (2 * t + 1) - 1];
    step *= 2;
  }}
  __syncthreads();
  v[2 * t] = s[2 * t];
}}
"""


@pytest.mark.parametrize("type", some(["int", "float"], 2))
@pytest.mark.parametrize(("start", "refuted"), [(1, False), (2, True)])
def test_a_fault_before_anything_is_made_up(type: str, start: int, refuted: bool) -> None:
    text = SCAN.format(type=type, start=start)
    found = check_kernel(text, properties=("in_bounds",))
    assert any(f.status == "refuted" for f in found) is refuted


GARBAGE = """// symcute: launch grid=1 block=32
// symcute: extent v = {extent}
__global__ void k(int *v) {{
  __shared__ int s[32];
  int i = s[threadIdx.x] & 7;
  v[i] = 1;
}}
"""


@pytest.mark.parametrize(("extent", "status"), [(8, "proved"), (7, "unknown")])
def test_what_hangs_on_what_is_made_up_refutes_nothing(extent: int, status: str) -> None:
    found = check_kernel(GARBAGE.format(extent=extent), properties=("in_bounds",))
    assert {f.status for f in found} - {"proved"} == ({status} - {"proved"})


HEAD = """// symcute: launch grid=1 block=(b) shared=4*b
// symcute: extent v = b
// symcute: extent o = b
// symcute: assume b <= 512
// symcute: assume b >= 8
__global__ void k({type} *v, int *o) {{
  extern __shared__ {type} s[];
  int t = threadIdx.x, n = blockDim.x;
  {body}
}}
"""
RACES = ("read_write_race_free", "write_race_free")


def _said(body: str, properties: tuple[str, ...], type: str = "int", block: str = "(b)") -> str:
    text = HEAD.format(type=type, body=body).replace("block=(b)", f"block={block}")
    if block != "(b)":
        text = text.replace("= b\n", f"= {block}\n").replace("4*b", "4096")
    return check_kernel(text, properties=properties).status


SUMS = """s[t] = v[t];
  __syncthreads();
  for (int d = 1; d < n; d *= 2) {{
    {sum}
    __syncthreads();
  }}
  v[t] = s[t];"""


@pytest.mark.parametrize("type", ["int", "float"])
@pytest.mark.parametrize(
    ("sum", "refuted"),
    [
        ("if (t >= d) s[t] += s[t - d];", True),
        ("{type} x = 0; if (t >= d) x = s[t - d]; __syncthreads(); s[t] += x;", False),
    ],
)
def test_a_race_of_what_the_kernel_writes_later(type: str, sum: str, refuted: bool) -> None:
    said = _said(SUMS.format(sum=sum.format(type=type)), RACES, type)
    assert (said == "refuted") is refuted


@pytest.mark.parametrize(
    ("body", "refuted"),
    some([
        # Addresses and guards hang on shuffles, whose values nobody knows here.
        ("int x = __shfl_sync(-1, t, 0); o[t] = o[(t + x) % n];", False),
        ("int x = __shfl_sync(-1, t, 0); if (x != 0) o[t] = o[(t + 1) % n];", False),
        ("int x = __shfl_sync(-1, t, 0); if (x != 0) return; o[t] = o[(t + 1) % n];", False),
        ("int x = __shfl_sync(-1, t, 0), i = 0; if (x) i = 1; o[t] = o[(t + i) % n];", False),
        ("for (int x = __shfl_sync(-1, t, 0); x; --x) v[t] = x; o[t] = o[(t + 1) % n];", False),
        # What is stored does, and the accesses do not.
        ("int x = __shfl_sync(-1, t, 0); o[t] = o[(t + 1) % n] + x;", True),
        ("int x = __shfl_sync(-1, t, 0); if (x) v[t] = x; o[t] = o[(t + 1) % n];", True),
        # Memory that nothing has set gives an address, or is stored.
        ("int x = s[t] & 1; o[t] = o[(t + x) % n];", False),
        ("int x = s[t]; o[t] = o[(t + 1) % n] + x;", True),
        # What the kernel writes later is input.
        ("if (v[t] > 0) o[0] = t; v[t] = 0;", True),
    ], 3),
)  # fmt: skip
def test_races_that_hang_on_what_is_made_up(body: str, refuted: bool) -> None:
    text = HEAD.format(type="int", body=body)
    found = check_kernel(text, properties=RACES)
    about = [f for f in found if f.status == "refuted" and "of o" in f"{f}"]
    assert bool(about) is refuted


COUNTED = """__shared__ int c;
  if (t == 0) c = 0;
  __syncthreads();
  s[t] = t;
  __threadfence_block();
  int k = {count};
  if (k == {last}) {{ __threadfence_block(); int x = 0; for (int i = 0; i < n; ++i) x += s[i];
    o[0] = x; }}"""


@pytest.mark.parametrize(
    ("count", "last", "refuted"),
    [
        ("atomicAdd(&c, 1)", "n - 1", False),  # the last one comes when all have come by
        ("t", "n - 1", True),
    ],
)
def test_what_atomics_tell_keeps_threads_apart(count: str, last: str, refuted: bool) -> None:
    said = _said(COUNTED.format(count=count, last=last), ("read_write_race_free",))
    assert (said == "refuted") is refuted


@pytest.mark.parametrize("block", some(["(b)", "32", "1024"], 3))
@pytest.mark.parametrize(
    ("body", "refuted"),
    [
        # What one thread reads behind a barrier, another has written before it.
        ("v[t] = t; __syncthreads(); int i = v[(t + 1) % n]; o[i] = 1;", False),
        ("v[n - 1 - t] = 0; __syncthreads(); if (v[t]) o[5 * n] = 1;", False),
        ("if (t == 0) v[0] = n; __syncthreads(); if (t == 5) v[0] = 1; __syncthreads();"
         "o[v[0]] = 1;", False),
        ("if (t == 0) v[0] = n; __syncthreads(); if (t == 5) v[0] = n; __syncthreads();"
         "o[v[0]] = 1;", True),
        ("v[t] = t + 1; __syncthreads(); int i = v[t]; o[i] = 1;", True),
        ("v[t] = t; __syncthreads(); int i = v[t]; o[i + 1] = 1;", True),
    ],
)  # fmt: skip
def test_threads_that_did_not_run_have_written(body: str, block: str, refuted: bool) -> None:
    assert (_said(body, ("in_bounds",), block=block) == "refuted") is refuted


@pytest.mark.parametrize(
    ("row", "refuted"), [("tile / tn", False), ("tile / tm", True)]
)  # fmt: skip
def test_an_element_that_tiles_leave_out(row: str, refuted: bool) -> None:
    column = row.replace("/", "%")
    text = f"""// symcute: launch grid=(g) block=(64)
// symcute: extent o = m*n
// symcute: assume m*n <= 2**20
// symcute: assume g <= 2**10
// symcute: covers o
__global__ void k(float *o, int m, int n) {{
  int tm = (m + 7) / 8, tn = (n + 7) / 8;
  for (int tile = blockIdx.x; tile < tm * tn; tile += gridDim.x) {{
    int row = {row} * 8 + threadIdx.x / 8, col = {column} * 8 + threadIdx.x % 8;
    if (row < m && col < n) o[row * n + col] = 1.f;
  }}
}}
"""
    found = check_kernel(text, properties=("covers",))
    assert (found.status == "refuted") is refuted
