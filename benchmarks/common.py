"""What the benchmarks share: generated inputs, interleaved timing, and a table in plain text."""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from statistics import median
from typing import Any

from symcute import Layout

#: How often every call is timed; between two timings all the others have their turn.
REPEATS = 7
#: The shortest time that one timing of a call takes, in seconds.
SLICE = 100e-6


def random_shape(rng: random.Random, depth: int = 2) -> Any:
    """Return a shape of rank 1 to 4, nested at most `depth` deep, mostly of powers of 2."""
    extents = (2, 2, 3, 4, 4, 4, 6, 8, 8, 16)
    rank = rng.choice((1, 2, 2, 3, 3, 4))
    if depth < 2 and rank == 1:
        return rng.choice(extents)
    return tuple(
        random_shape(rng, depth - 1) if depth > 0 and rng.random() < 0.35 else rng.choice(extents)
        for _ in range(rank)
    )


def random_layout(rng: random.Random) -> Layout:
    """Return an injective layout: a random shape, compact in a random order, or stretched."""
    shape = random_shape(rng)
    compact = Layout(shape)
    pairs = list(compact.modes())
    rng.shuffle(order := list(range(len(pairs))))
    stride, current = [0] * len(pairs), rng.choice((1, 1, 1, 2, 4))
    for k in order:
        stride[k] = current
        current *= pairs[k][0] * rng.choice((1, 1, 1, 2))
    items = iter(stride)

    def build(t: Any) -> Any:
        return tuple(build(x) for x in t) if isinstance(t, tuple) else next(items)

    return Layout(shape, build(shape))


def interleaved(calls: Sequence[Callable[[], object]], repeats: int = REPEATS) -> list[float]:
    """Return the median seconds of each call; the calls take turns `repeats` times."""
    counts = [_count(call) for call in calls]
    seconds: list[list[float]] = [[] for _ in calls]
    for _ in range(repeats):
        for call, count, found in zip(calls, counts, seconds, strict=True):
            begin = time.perf_counter()
            for _ in range(count):
                call()
            found.append((time.perf_counter() - begin) / count)
    return [median(found) for found in seconds]


def _count(call: Callable[[], object]) -> int:
    """Return how many calls fill one timing."""
    call()
    begin = time.perf_counter()
    call()
    return max(1, min(1000, int(SLICE / max(time.perf_counter() - begin, 1e-8))))


def show_seconds(seconds: float) -> str:
    """Return a time with its unit.

    >>> show_seconds(2.5e-6)
    '2.50 us'
    """
    for unit, scale in (("s", 1.0), ("ms", 1e-3), ("us", 1e-6)):
        if seconds >= scale:
            return f"{seconds / scale:.2f} {unit}"
    return f"{seconds / 1e-9:.0f} ns"


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return rows of text in aligned columns, the first to the left, the others to the right."""
    lines = [list(head), *map(list, rows)]
    widths = [max(len(line[k]) for line in lines) for k in range(len(head))]
    lines.insert(1, ["-" * w for w in widths])

    def row(line: list[str]) -> str:
        first, *rest = zip(line, widths, strict=True)
        return "  ".join((first[0].ljust(first[1]), *(x.rjust(w) for x, w in rest)))

    return "\n".join(map(row, lines))


def report(title: str, head: Sequence[str], rows: list[list[str]], data: Any) -> None:
    """Print a table, and write `data` where the option --json says."""
    print(title, table(head, rows), sep="\n")
    target = options().json
    if target is not None:
        target.write_text(json.dumps(data, indent=1) + "\n")


def options() -> argparse.Namespace:
    """Return the options of the command line; exit with status 2 for others."""
    parser = argparse.ArgumentParser(description=sys.modules["__main__"].__doc__)
    parser.add_argument("--json", type=Path, help="write the numbers to this file")
    parser.add_argument("--repeats", type=int, default=REPEATS, help="timings of every call")
    parser.add_argument("--only", default="", help="only operations with this in the name")
    return parser.parse_args()
