"""What an execution makes up refutes nothing; what is made up later does not take a fault back."""

from __future__ import annotations

import pytest

from symcute.kernel.launch.sources import check_kernel

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


@pytest.mark.parametrize("type", ["int", "float"])
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
