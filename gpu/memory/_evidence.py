"""What was measured, as JSON: written, read, and compared with the predictions of today."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from gpu.memory._model import METRICS, predicted
from gpu.memory.patterns import Pattern
from symcute import __version__
from symcute.errors import SymcuteError

__all__ = ["check", "document", "read", "rows", "save", "write"]

SCHEMA = 1


def document(
    patterns: Sequence[Pattern],
    counters: Mapping[str, Mapping[str, float]],
    wrong_values: Mapping[str, int],
    metrics: Sequence[str],
    machine: Mapping[str, Any],
) -> dict[str, Any]:
    """Return the evidence: what each metric was for each pattern, in order, and on what machine."""
    entries = [
        described(p)
        | {
            "wrong_values": wrong_values[p.name],
            "measured": [counters.get(p.kernel, {}).get(metric) for metric in metrics],
        }
        for p in patterns
    ]
    return {
        "schema": SCHEMA,
        "created": datetime.now(UTC).isoformat(timespec="seconds"),
        "symcute": __version__,
        **machine,
        "metrics": list(metrics),
        "patterns": entries,
    }


def described(pattern: Pattern) -> dict[str, Any]:
    """Return what a pattern is, in JSON."""
    return {
        "name": pattern.name,
        "kind": pattern.kind,
        "layout": str(pattern.layout),
        "bytes": pattern.bytes,
        "vector": pattern.vector,
        "base": pattern.base,
        "active": f"{pattern.active:#010x}",
        "warps": pattern.warps,
        "requests": pattern.requests,
    }


def rows(data: Mapping[str, Any], patterns: Sequence[Pattern]) -> list[dict[str, Any]]:
    """Return for each pattern what is predicted today, what was measured, and what is wrong."""
    entries = {entry["name"]: entry for entry in data["patterns"]}
    return [_row(p, entries.get(p.name), data) for p in patterns]


def _row(
    pattern: Pattern, entry: Mapping[str, Any] | None, data: Mapping[str, Any]
) -> dict[str, Any]:
    expected = predicted(pattern, data["architecture"])
    numbers = [] if entry is None else entry["measured"]
    measured = dict(zip(data["metrics"], numbers, strict=False))
    seen = {name: measured.get(METRICS[pattern.kind][name]) for name in expected}
    problems = [
        f"{name}: predicted {expected[name]}, measured {'nothing' if v is None else v}"
        for name, v in seen.items()
        if v != expected[name]
    ]
    if entry is None:
        problems = ["not measured"]
    elif any(entry[key] != value for key, value in described(pattern).items()):
        problems = ["measured of another layout: measure again"]
    elif entry["wrong_values"]:
        problems.append(f"{entry['wrong_values']} of the values it moved are wrong")
    return {"name": pattern.name, "predicted": expected, "measured": seen, "problems": problems}


def check(data: Mapping[str, Any], patterns: Sequence[Pattern]) -> list[str]:
    """Return a line for each pattern whose counters are not as predicted; none when all agree."""
    return [
        f"{r['name']}: {'; '.join(r['problems'])}" for r in rows(data, patterns) if r["problems"]
    ]


def read(path: Path) -> dict[str, Any]:
    """Return evidence from a file. Errors: SymcuteError when it is none."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise SymcuteError(f"{path} cannot be read: {error}", "measure again") from None
    if not isinstance(data, dict) or data.get("schema") != SCHEMA:
        raise SymcuteError(f"{path} is no evidence of schema {SCHEMA}", "measure again")
    return data


def write(data: Mapping[str, Any], path: Path) -> None:
    """Write the evidence, one pattern a line. Errors: SymcuteError when it cannot be written."""
    head = {name: value for name, value in data.items() if name != "patterns"}
    start = json.dumps(head, indent=1).removesuffix("\n}")
    lines = ",\n".join(json.dumps(p, separators=(",", ":")) for p in data["patterns"])
    save(path, f'{start},\n "patterns": [\n{lines}\n]}}\n')


def save(path: Path, text: str) -> None:
    """Write a file and the folders above it. Errors: SymcuteError when it cannot be written."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise SymcuteError(f"{path} cannot be written: {error.strerror}", "give --out") from None
