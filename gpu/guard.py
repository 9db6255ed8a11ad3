"""`python -m gpu.guard`: CuPy kernels behind `symcute.guard` on a CUDA device.

The right ones run, and what they give is compared with NumPy. The wrong ones must be refused before
anything is launched; where it can be done without harm they are launched without the guard as
well, to see that they do go wrong.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from statistics import median
from typing import Any

from symcute import InputError, LaunchRefused, __version__, guard
from symcute.evidence.backends import CupyBackend, cupy_available

CODE = (Path(__file__).parent / "guard.cu").read_text(encoding="utf-8")
OUT = Path("reports/gpu/guard/guard.json")
#: Calls of which the time is taken, and elements of the arrays they are about.
CALLS, ELEMENTS = 2000, 100_000


@dataclass(frozen=True)
class Seen:
    """One launch: whether the guard let it through, and what came of it."""

    case: str
    expected: str  # "runs" or "refused"
    got: str
    detail: str
    #: What the kernel did on the device: elements wrong of those compared; None where not launched.
    wrong: int | None = None
    compared: int = 0

    @property
    def ok(self) -> bool:
        """Whether the guard did what it should, and nothing is wrong with what it let through."""
        return self.got == self.expected and (self.got == "refused" or self.wrong == 0)


def digest() -> str:
    """Return what tells whether evidence is about the kernels as they are."""
    return hashlib.sha256(CODE.encode()).hexdigest()


def launch(
    case: str,
    kernel: Any,
    arguments: tuple[Any, ...],
    expected: str,
    out: Any = None,
    want: Any = None,
) -> Seen:
    """Launch through the guard, and compare what is in `out` with what should be there.

    With `out`, a kernel that is refused is launched without the guard as well.
    """
    try:
        guard(kernel)(*arguments)
    except (InputError, LaunchRefused) as error:
        if out is None:
            return Seen(case, expected, "refused", str(error))
        kernel(*arguments)
        return Seen(case, expected, "refused", str(error), int((out != want).sum()), int(out.size))
    return Seen(case, expected, "runs", "", int((out != want).sum()), int(out.size))


def cases(cp: Any, np: Any) -> Iterator[Seen]:
    """Yield what came of every launch."""

    def raw(name: str) -> Any:
        return cp.RawKernel(CODE, name, options=("--std=c++17",))

    rng = np.random.default_rng(1)
    n = ELEMENTS
    blocks = -(-n // 256)
    floats = cp.asarray(rng.integers(0, 1000, n + 1).astype(np.float32))
    for name, expected in (("saxpy", "runs"), ("saxpy_too_far", "refused")):
        # The arrays are views of longer ones, so that an element too many is seen and harms nobody.
        buffer, want = cp.ones(n + 1, cp.float32), cp.ones(n + 1, cp.float32)
        want[:n] += 2 * floats[:n]
        passed: tuple[Any, ...] = (floats[:n], buffer[:n], np.float32(2), n)
        yield launch(name, raw(name), ((blocks,), (256,), passed), expected, buffer, want)
    host = rng.integers(0, 1000, n).astype(np.int32)
    ints = cp.asarray(host)
    totals = cp.asarray(np.add.reduceat(host, np.arange(0, n, 256)).astype(np.int32))
    for name, expected in (("block_sums", "runs"), ("block_sums_racy", "refused")):
        sums = cp.zeros(blocks, cp.int32)
        passed = (ints, sums, n)
        yield launch(name, raw(name), ((blocks,), (256,), passed), expected, sums, totals)
    moved = cp.concatenate([ints[1:], ints[-1:]])
    y, z = ints.copy(), ints.copy()
    yield launch("shift", raw("shift"), ((blocks,), (256,), (ints, y, n)), "runs", y, moved)
    yield launch("shift_racy", raw("shift_racy"), ((blocks,), (256,), (z, n)), "refused", z, moved)
    yield from residuals(cp, np, raw)
    x, y = floats[:n], cp.zeros(n, cp.float32)
    for case, block, given in (
        ("a view, whose strides the kernel does not see", 256, (x[::2], y, np.float32(2), n // 2)),
        ("a double for a float", 256, (x, y, 2.0, n)),
        ("an array of doubles", 256, (x.astype(cp.float64), y, np.float32(2), n)),
        ("an argument too few", 256, (x, y, np.float32(2))),
        ("an array that is too short", 256, (x[: n // 2], y, np.float32(2), n)),
        ("2048 threads a block", 2048, (x, y, np.float32(2), n)),
    ):
        yield launch(case, raw("saxpy"), ((blocks,), (block,), given), "refused")


def residuals(cp: Any, np: Any, raw: Callable[[str], Any]) -> Iterator[Seen]:
    """Yield the launches of cupy/cupy#7539, on an array of 8.6 GB."""
    for name, rows, expected in (
        ("residuals", 429496, "runs"),
        ("residuals", 429498, "refused"),
        ("residuals_wide", 429498, "runs"),
    ):
        array = cp.zeros((rows, 5000), cp.float32)
        launched = (-(-rows // 32), -(-5000 // 32)), (32, 32), (array, rows, 5000)
        out = array if expected == "runs" else None
        yield launch(f"{name}, {rows} x 5000", raw(name), launched, expected, out, 1)
        del array, out, launched
        cp.get_default_memory_pool().free_all_blocks()


def times(cp: Any, np: Any) -> dict[str, float]:
    """Return what a later call costs in microseconds, with and without the guard (medians)."""
    kernel = cp.RawKernel(CODE, "saxpy", options=("--std=c++17",))
    x, y = cp.zeros(ELEMENTS, cp.float32), cp.zeros(ELEMENTS, cp.float32)
    arguments = ((-(-ELEMENTS // 256),), (256,), (x, y, np.float32(2), ELEMENTS))
    guarded = guard(kernel)
    start = time.perf_counter()
    guarded(*arguments)
    found = {"first call, ms": 1e3 * (time.perf_counter() - start)}
    for name, call in (("guarded, us", guarded), ("plain, us", kernel)):
        seen = []
        for _ in range(CALLS):
            start = time.perf_counter()
            call(*arguments)
            seen.append(1e6 * (time.perf_counter() - start))
            cp.cuda.Device().synchronize()
        found[name] = median(seen)
    return {name: round(value, 2) for name, value in found.items()}


def main() -> int:
    """Run every case, print a line each, write the evidence; 1 when one is not as it should be."""
    parser = argparse.ArgumentParser(prog="python -m gpu.guard", description=__doc__)
    parser.add_argument("--out", type=Path, default=OUT, help=f"the evidence (default: {OUT})")
    arguments = parser.parse_args()
    reason = cupy_available()
    if reason:
        print(f"no GPU: {reason}; the kernels run on a CUDA device only", file=sys.stderr)
        return 2
    import cupy as cp
    import numpy as np

    seen = []
    for case in cases(cp, np):
        seen.append(case)
        did = "" if case.wrong is None else f", {case.wrong} of {case.compared} wrong"
        print(f"{'ok' if case.ok else 'NOT OK':6} {case.case:48} {case.got}{did}")
    document = {
        "created": datetime.now(UTC).isoformat(timespec="seconds"),
        "symcute": __version__,
        "code": digest(),
        "backend": CupyBackend().describe(),
        "times": times(cp, np),
        "cases": [{**asdict(x), "ok": x.ok} for x in seen],
    }
    arguments.out.parent.mkdir(parents=True, exist_ok=True)
    arguments.out.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")
    print(f"{document['times']}, evidence: {arguments.out}")
    return 0 if seen and all(x.ok for x in seen) else 1


if __name__ == "__main__":
    sys.exit(main())
