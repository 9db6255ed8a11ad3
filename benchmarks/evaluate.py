"""Time the evaluation of a whole layout of 2**20 elements beside Python loops over its indices."""

from __future__ import annotations

import time
from collections.abc import Callable
from statistics import median
from typing import Any

import pycute as p
import tensor_layouts as t
from common import options, report, show_seconds

import symcute as s

#: Layouts of 2**20 elements; a loop over one takes seconds.
LAYOUTS = (
    "1048576:1",
    "(1024,1024):(1024,1)",
    "(64,128,128):(16384,1,128)",
    "((32,32),(32,32)):((1,1024),(32,32768))",
    "((8,16),(4,(2,1024))):((16,1),(128,(512,1024)))",
)


def seconds(call: Callable[[], Any]) -> float:
    """Return how long a call takes."""
    begin = time.perf_counter()
    call()
    return time.perf_counter() - begin


def loop(layout: Any, size: int) -> list[int]:
    """Return the offsets of a layout one by one."""
    return [layout(i) for i in range(size)]


def measure(text: str, repeats: int) -> dict[str, Any]:
    """Return the seconds of each way to evaluate a layout; all of them agree, or it raises."""
    layout = s.Layout.parse(text)
    size = int(layout.size())
    others = {
        "pycute": p.Layout(layout.shape, layout.stride),
        "tensor-layouts": t.Layout(layout.shape, layout.stride),
    }
    expected = s.offsets(layout).tolist()
    found: dict[str, list[float]] = {"symcute": [], **{name: [] for name in others}}
    for name, other in others.items():
        begin = time.perf_counter()
        offsets = loop(other, size)
        found[name].append(time.perf_counter() - begin)
        if offsets != expected:
            raise SystemExit(f"{text}: {name} and symcute give different offsets")
    for _ in range(max(repeats, 3) * 3):
        found["symcute"].append(seconds(lambda: s.offsets(layout)))
    return {"layout": text, "size": size, **{name: median(times) for name, times in found.items()}}


def main() -> None:
    """Run the benchmark."""
    chosen = options()
    found = [measure(text, chosen.repeats) for text in LAYOUTS if chosen.only in text]
    names = ("symcute", "pycute", "tensor-layouts")
    rows = [
        [
            row["layout"],
            *(show_seconds(row[name]) for name in names),
            *(f"{row[name] / row['symcute']:.0f}" for name in names[1:]),
        ]
        for row in found
    ]
    head = ["layout", *names, "pycute/symcute", "tensor-layouts/symcute"]
    report("All offsets of 2**20 elements: symcute.offsets and Python loops", head, rows, found)


if __name__ == "__main__":
    main()
