"""What the checks reach on a GPU, beside the machine's own ceilings in the same run.

    python -m benchmarks.gpu [--out FILE.json]

Needs CuPy and a CUDA device. Every figure is the median of repeated runs, timed with CUDA events.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

from symcute.claims.language import read_claim
from symcute.codegen import checks_of, narrow_function, source
from symcute.evidence.backends import CupyBackend
from symcute.evidence.backends.base import PRELUDE
from symcute.layout.layout import Layout

REPEATS = 9

#: A matrix of 128x64 tiles, row-major inside and out: rank 4, as a tiled kernel walks it.
TILED = "((128,M),(64,N)):((64*N,8192*N),(1,64))"
#: The same map where K == M and P == N, which a compiler cannot know: both are evaluated.
AGREES = "((128,K),(64,P)):((64*P,8192*P),(1,64))"

CEILINGS = r"""
extern "C" __global__ void fill(uint4 *out, long long n, unsigned value)
{
    const uint4 v = make_uint4(value, value, value, value);
    for (long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x; i < n;
         i += (long long)gridDim.x * blockDim.x)
        out[i] = v;
}

/* Eight independent chains of multiply-add and shift-add: integer instructions and nothing else. */
extern "C" __global__ void integers(unsigned *out, int rounds, unsigned a, unsigned b)
{
    unsigned x[8];
    for (int k = 0; k < 8; ++k) x[k] = threadIdx.x + k;
    for (int r = 0; r < rounds; ++r) {
#pragma unroll
        for (int k = 0; k < 8; ++k) {
            x[k] = x[k] * a + b;      /* IMAD */
            x[k] = (x[k] ^ a) + x[k]; /* LOP3 and IADD3 */
        }
    }
    unsigned sum = 0;
    for (int k = 0; k < 8; ++k) sum ^= x[k];
    if (sum == 12345u) out[0] = sum;
}
"""


def seconds(run: Callable[[], None]) -> float:
    """Return the median time of a run on the device."""
    import cupy

    times = []
    for k in range(REPEATS + 2):
        start, stop = cupy.cuda.Event(), cupy.cuda.Event()
        start.record()
        run()
        stop.record()
        stop.synchronize()
        if k >= 2:
            times.append(cupy.cuda.get_elapsed_time(start, stop) / 1e3)
    return median(times)


def ceilings(blocks: int) -> dict[str, float]:
    """Return bytes a second of a fill with 16-byte stores, integer instructions a second."""
    import cupy

    module = cupy.RawModule(code=CEILINGS, options=("--std=c++17",))
    fill, integers = module.get_function("fill"), module.get_function("integers")
    out = cupy.empty(1 << 30, dtype=cupy.uint32)
    n = out.nbytes // 16
    best = {}
    for per in (4, 8, 16, 32):
        grid = (blocks // 8 * per,)
        best[per] = seconds(lambda g=grid: fill(g, (256,), (out, np.int64(n), np.uint32(7))))
    rounds = 20000
    threads = blocks * 256
    t = seconds(
        lambda: integers((blocks,), (256,), (out, np.int32(rounds), np.uint32(3), np.uint32(5)))
    )
    # 3 instructions in a step, 8 steps a round.
    return {"fill": out.nbytes / min(best.values()), "integers": threads * rounds * 24 / t}


def compare_only(backend: CupyBackend, road: str, dims: dict[str, int]) -> dict[str, float]:
    """Return coordinates a second where two maps are evaluated in registers and compared."""
    claim = read_claim(f"equal({TILED}, {AGREES})", given=["K == M", "P == N"])
    dims = {**dims, "K": dims["M"], "P": dims["N"]}
    checks = checks_of(claim, [road])
    number, check = next((k, c) for k, c in enumerate(checks) if c.expects is None)
    module = backend.load(source(checks, road), road)
    (step,) = check.steps
    assert check.runs_at(dims)
    count, parameters = step.count(dims), step.parameters(dims)
    results = []

    def run() -> None:
        results.append(module.start(f"check_{number}_0", parameters, count))

    t = seconds(run)
    assert all(r.read().failures == 0 for r in results)
    return {"coordinates": count, "seconds": t, "per_second": count / t}


def table(dims: dict[str, int], blocks: int) -> dict[str, float]:
    """Return bytes a second of a kernel that writes the offsets as 64-bit integers."""
    import cupy

    layout = Layout.parse(TILED)
    text = narrow_function(layout, "map")
    prepare = "const map_at m = map_for(p[0], p[1])"
    text += f"SC_TABLE(table, {prepare}, map(m, i), map(m, i + 1))\n"
    kernel = cupy.RawModule(code=PRELUDE + text, options=("--std=c++17",)).get_function("table")
    p = cupy.asarray(np.array([dims["M"], dims["N"]], dtype=np.int64))
    count = int(layout.at(dims).size())
    out = cupy.empty(count, dtype=cupy.int64)
    arguments = (p, np.int64(0), np.int64(count), out, p)
    best = {}
    for per in (4, 8, 16, 32):
        grid = (blocks // 8 * per,)
        best[per] = seconds(lambda g=grid: kernel(g, (256,), arguments))
    t = min(best.values())
    at = np.linspace(0, count - 1, 1000).astype(np.int64)
    static = layout.at(dims)
    assert [int(x) for x in cupy.asnumpy(out[cupy.asarray(at)])] == [static(int(i)) for i in at]
    return {"coordinates": count, "seconds": t, "bytes_per_second": out.nbytes / t}


def bitmap(backend: CupyBackend, dims: dict[str, int]) -> dict[str, float]:
    """Return the seconds to see on a bitmap that no offset of 2**32 comes twice."""
    claim = read_claim(f"injective({TILED})")
    checks = checks_of(claim, ["wide"])
    number, check = next((k, c) for k, c in enumerate(checks) if c.marks)
    module = backend.load(source(checks, "wide"), "wide")
    (step,) = check.steps
    low, bits = check.window(dims)
    count, parameters = step.count(dims), [*step.parameters(dims), low, bits]
    found = []

    def run() -> None:
        words = backend.bitmap(bits)
        found.append((module.start(f"check_{number}_0", parameters, count, words), words))
        del found[:-1]

    t = seconds(run)
    result, words = found[-1]
    assert result.read().failures == 0
    assert backend.count_bits(words) == count
    return {"coordinates": count, "seconds": t}


def main() -> None:
    """Measure, print and write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, help="write the figures as JSON here")
    out = parser.parse_args().out
    import cupy

    backend = CupyBackend()
    blocks = cupy.cuda.runtime.getDeviceProperties(0)["multiProcessorCount"] * 8
    top = ceilings(blocks)
    narrow_dims = {"M": 512, "N": 511}  # 2.1e9 coordinates: just inside 31 bits
    figures: dict[str, Any] = {
        "machine": backend.describe(),
        "ceilings": top,
        "compare_narrow": compare_only(backend, "narrow", narrow_dims),
        "compare_wide": compare_only(backend, "wide", {"M": 512, "N": 512}),
        "table": table(narrow_dims, blocks),
        "bitmap": bitmap(backend, {"M": 512, "N": 1024}),
    }
    figures["table"]["of_fill"] = figures["table"]["bytes_per_second"] / top["fill"]
    print(f"fill with 16-byte stores     {top['fill'] / 1e12:8.2f} TB/s")
    print(f"integer instructions         {top['integers'] / 1e12:8.2f} T/s")
    for road in ("narrow", "wide"):
        f = figures[f"compare_{road}"]
        print(f"compare only, {road:6}         {f['per_second'] / 1e9:8.1f} G coordinates/s")
    f = figures["table"]
    print(f"offset table                 {f['bytes_per_second'] / 1e12:8.2f} TB/s, "
          f"{f['of_fill']:.1%} of the fill")  # fmt: skip
    f = figures["bitmap"]
    print(f"bitmap of {f['coordinates']} offsets {f['seconds'] * 1e3:8.1f} ms")
    if out is not None:
        out.parent.mkdir(parents=True, exist_ok=True)
        out.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
