"""Guarded Triton launches on a GPU: right ones are compared, wrong ones leave memory as it was.

    python3 -m tests.triton.device_guard [OUT.json]

It needs a GPU, PyTorch, Triton and what symcute itself needs; CuPy arrays are launched with where
CuPy is there. What it prints is a line a check, and the median microseconds of a later call.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from statistics import median
from typing import Any

import torch
import triton
import triton.language as tl

import symcute

POISON = 12345.0


@triton.jit
def add(x, y, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = at < n
    tl.store(out + at, tl.load(x + at, mask=mask) + tl.load(y + at, mask=mask), mask=mask)


@symcute.guard
@triton.jit
def softmax(x, out, cols, stride, BLOCK: tl.constexpr):
    row, at = tl.program_id(0), tl.arange(0, BLOCK)
    v = tl.load(x + row * stride + at, mask=at < cols, other=float("-inf"))
    e = tl.exp(v - tl.max(v, 0))
    tl.store(out + row * cols + at, e / tl.sum(e, 0), mask=at < cols)


@triton.autotune([triton.Config({"BLOCK": b}) for b in (64, 256, 1024)], key=["n"])
@triton.jit
def doubled(x, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + at, 2 * tl.load(x + at, mask=at < n), mask=at < n)


@triton.jit
def reversed_(x, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + n - 1 - at, tl.load(x + at, mask=at < n), mask=at < n)


def grid(meta: dict[str, Any]) -> tuple[int]:
    return (triton.cdiv(meta["n"], meta["BLOCK"]),)


def refused(launch: Callable[[], Any], kind: str) -> str:
    """What a launch is refused with; empty where it is launched, or refused for something else."""
    try:
        launch()
    except symcute.LaunchRefused as error:
        return str(error) if {f.property for f in error.findings} == {kind} else ""
    return ""


def microseconds(launch: Callable[[], Any]) -> float:
    took = []
    for _ in range(300):
        begin = time.perf_counter()
        launch()
        took.append(1e6 * (time.perf_counter() - begin))
    torch.cuda.synchronize()
    return median(took[100:])


def checks() -> dict[str, Any]:
    """What was seen, by what was launched: True, or a text, where it is as it should be."""
    n, found = 100_003, {}
    x, y = (torch.rand(n, device="cuda") for _ in range(2))
    whole = torch.full((n + 4096,), POISON, device="cuda")
    out = whole[2048 : 2048 + n]
    guarded = symcute.guard(add)
    guarded[grid](x, y, out, n, BLOCK=512)
    rim = torch.cat([whole[:2048], whole[2048 + n :]])
    found["add"] = bool((out == x + y).all()) and bool((rim == POISON).all())
    held = whole.clone()
    short = torch.rand(n, device="cuda")
    found["add beyond its inputs, refused"] = refused(
        lambda: guarded[grid](short, y, out, n + 1, BLOCK=512), "in_bounds"
    )
    found["which left nothing"] = bool((whole == held).all())
    a = x.clone()
    guarded[grid](a, y, a, n, BLOCK=512)
    found["add in place"] = bool((a == x + y).all())
    turn = symcute.guard(reversed_)
    turn[grid](x, out, n, BLOCK=512)
    found["reverse"] = bool((out == x.flip(0)).all())
    found["reverse in place, refused"] = refused(
        lambda: turn[grid](a, a, n, BLOCK=512), "read_write_race_free"
    )
    wide = torch.rand(300, 128, device="cuda")
    part = wide[:, :100]
    rows = torch.empty(300, 100, device="cuda")
    softmax[(300,)](part, rows, 100, part.stride(0), BLOCK=128)
    found["softmax of a view"] = bool(torch.allclose(rows, part.softmax(1), atol=1e-6))
    found["softmax of too many rows, refused"] = refused(
        lambda: softmax[(301,)](part, rows, 100, 128, BLOCK=128), "in_bounds"
    )
    symcute.guard(doubled)[grid](x, out, n)
    found["autotuned"] = bool((out == 2 * x).all())
    if find_spec("cupy"):
        import cupy

        c = cupy.arange(n, dtype="float32")
        guarded[grid](torch.from_dlpack(c), y, out, n, BLOCK=512)
        found["arrays of CuPy"] = bool((out == torch.from_dlpack(c) + y).all())
    found["us of a later call"] = {
        "guarded": microseconds(lambda: guarded[grid](x, y, out, n, BLOCK=512)),
        "bare": microseconds(lambda: add[grid](x, y, out, n, BLOCK=512)),
    }
    return found


def report(machine: dict[str, str], found: dict[str, Any]) -> str:
    """What was seen, as Markdown."""
    took = found["us of a later call"]
    lines = [
        "# Launches of Triton kernels behind the guard", "",
        f"{machine['device']}, torch {machine['torch']}, Triton {machine['triton']}. Written by "
        "`python3 -m tests.triton.device_guard`, which says what is launched.", "",
        "| launch | seen |", "|---|---|",
        *(f"| {name} | {'as it should be' if seen is True else str(seen).rpartition('/')[2]} |"
          for name, seen in found.items() if not isinstance(seen, dict)),
        "", f"A later call takes {took['guarded']:.1f} us with the guard and {took['bare']:.1f} "
        "without: the median of many.",
    ]  # fmt: skip
    return "\n".join(lines) + "\n"


def main() -> int:
    found = checks()
    for name, seen in found.items():
        print(f"{name}: {seen}")
    if len(sys.argv) > 1:
        machine = {"device": torch.cuda.get_device_name(), "torch": torch.__version__,
                   "triton": triton.__version__}  # fmt: skip
        path = Path(sys.argv[1])
        path.write_text(json.dumps(machine | {"seen": found}, indent=1) + "\n")
        path.with_suffix(".md").write_text(report(machine, found))
    return 0 if all(found.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
