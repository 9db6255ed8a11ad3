"""Evidence as a Markdown table, one row a pattern: what was predicted, and what was measured."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Any

from gpu.memory._evidence import rows
from gpu.memory._model import METRICS
from gpu.memory.patterns import ALL, Pattern

__all__ = ["table"]


def table(data: Mapping[str, Any], patterns: Sequence[Pattern]) -> str:
    """Return the evidence about patterns as Markdown, a table for each kind of request."""
    found = {row["name"]: row for row in rows(data, patterns)}
    wrong = sum(bool(row["problems"]) for row in found.values())
    backend = data["backend"]
    lines = [
        "# Access patterns, predicted and measured",
        "",
        f"{len(patterns)} patterns on an {backend['device']} (driver {backend['driver']}, Nsight"
        f" Compute {data['profiler']}), {data['created'][:10]}: {len(patterns) - wrong} as"
        f" predicted, {wrong} not. Written by `python -m gpu.memory`, which explains itself with"
        " `--help`.",
        "",
        "A layout maps (thread, request) to the element where an access begins, counted from the"
        " element in the column `base`; of ldmatrix and stmatrix it maps rows. Every number is the"
        " sum over all warps and requests; one number stands where the prediction and the counter"
        " are the same, `predicted / measured` where they are not.",
    ]
    for kind, group in groupby(sorted(patterns, key=_kind), key=lambda p: p.kind):
        numbers = METRICS[kind]
        lines += ["", f"## {kind.capitalize()}", ""]
        lines += [f"- {name}: `{metric}`" for name, metric in numbers.items()]
        head = ["pattern", "layout", "bytes", "base", "lanes", *numbers]
        lines += ["", f"| {' | '.join(head)} |", "|" + "---|" * len(head)]
        lines += [_line(p, found[p.name]) for p in group]
    return "\n".join(lines) + "\n"


def _kind(pattern: Pattern) -> int:
    return list(METRICS).index(pattern.kind)


def _line(pattern: Pattern, row: Mapping[str, Any]) -> str:
    size = f"{pattern.bytes}" if pattern.vector == 1 else f"{pattern.bytes} x {pattern.vector}"
    if pattern.matrices:
        size = f"{pattern.bytes}"
    lanes = "all" if pattern.active == ALL else f"`{pattern.active:08x}`"
    numbers = [
        f"{value}" if row["measured"][name] == value else f"{value} / {row['measured'][name]}"
        for name, value in row["predicted"].items()
    ]
    cells = [pattern.name, f"`{pattern.layout}`", size, str(pattern.base), lanes, *numbers]
    return f"| {' | '.join(cells)} |"
