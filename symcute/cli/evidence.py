"""What `symcute gpu` says of evidence: of what was run, of a file, of what is stale."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from symcute.cli import options
from symcute.cli.failures import EXPECTED, UNEXPECTED
from symcute.errors import InputError

if TYPE_CHECKING:
    from symcute.evidence import Subject

__all__ = ["tell_consistency", "tell_evidence", "tell_states"]

#: How many notes are printed.
_NOTES = 5


def tell_evidence(data: dict[str, Any], path: Path, as_json: bool) -> None:
    """Print what a machine said of the theorems, and where it is written."""
    if as_json:
        wrong = [line for item in data["items"] for line in _went_wrong(item)]
        fields = {"machine": data["backend"], "totals": data["totals"], "seconds": data["seconds"]}
        fields |= {"problems": wrong, "evidence": str(path)}
        options.print_json("gpu", fields)
        return
    totals, about = data["totals"], data["backend"]
    driver = f", driver {about['driver']}" if about.get("driver") else ""
    click.echo(f"{about.get('device', 'no machine')}{driver}, {about.get('compiler', '')}")
    if about.get("name") == "cupy" and not about.get("cute_compiler"):
        click.echo("without CuTe: nvcc, or NVIDIA's headers (CUTLASS_PATH), are not there")
    for item in data["items"]:
        for line in _went_wrong(item):
            click.echo(line)
    notes = [f"note {item['theorem']}: {x}" for item in data["items"] for x in item["notes"]]
    for line in notes[:_NOTES]:
        click.echo(line)
    if len(notes) > _NOTES:
        click.echo(f"... and {len(notes) - _NOTES} more notes in the evidence")
    reasons = Counter(item["skipped"] for item in data["items"] if item["skipped"])
    for reason, count in reasons.most_common(8):
        click.echo(f"skipped {count}: {reason}")
    click.echo(_outcome(totals, data["seconds"]))
    click.echo(f"evidence: {path}")


def _outcome(totals: dict[str, Any], seconds: float) -> str:
    def count(key: str, word: str) -> str:
        return f"{totals[key]} {word}{'' if totals[key] == 1 else 's'}"

    failed = f", {totals['not_reproduced']} NOT" if totals["not_reproduced"] else ""
    return (
        f"{count('items', 'claim')} ({totals['skipped']} skipped), "
        f"{count('instances', 'instance')}, {count('coordinates', 'coordinate')} compared in "
        f"{seconds:.0f} s, {totals['mismatches']} mismatches, "
        f"{count('reproduced', 'refutation')} reproduced{failed}"
    )


def _went_wrong(item: dict[str, Any]) -> list[str]:
    """Return a line for each check that did not come out as it should."""
    from symcute.evidence.record import must_fail

    lines = []
    for run in item["runs"]:
        at = ", ".join(f"{k}={v}" for k, v in zip(item["names"], run["dims"], strict=True))
        for label, outcome in zip(item["checks"], run["outcomes"], strict=True):
            if outcome is not None and outcome[1] and not must_fail(item, label):
                lines.append(
                    f"MISMATCH {item['theorem']}: {label} at {at or 'its only instance'}: "
                    f"{outcome[1]} of {outcome[0]}, the first at {outcome[2]}"
                )
    return lines


def tell_consistency(path: Path, as_json: bool) -> int:
    """Print whether a file of evidence is consistent with itself; return the exit code."""
    from symcute.evidence import verify

    problems = verify(_read(path))
    if as_json:
        options.print_json("gpu-evidence", {"evidence": str(path), "problems": problems})
        return UNEXPECTED if problems else EXPECTED
    for problem in problems:
        click.echo(f"symcute: {path}: {problem}", err=True)
    if not problems:
        click.echo(f"{path}: consistent")
    return UNEXPECTED if problems else EXPECTED


def tell_states(subjects: list[Subject], folder: Path, as_json: bool) -> int:
    """Print which evidence is missing or stale; return the exit code."""
    from symcute.evidence import staleness

    files = []
    for path in sorted(folder.glob("*.json")):
        states = staleness(_read(path), subjects)
        counts = Counter(state.partition(":")[0] for state in states.values())
        wrong = [
            {"theorem": theorem, "claim": claim, "state": state}
            for (theorem, claim), state in states.items()
            if state.startswith(("missing", "stale"))
        ]
        files.append(
            {"evidence": str(path), "states": dict(sorted(counts.items())), "wrong": wrong}
        )
        if not as_json:
            for x in wrong:
                click.echo(f"{x['theorem']}: {x['claim']}: {x['state']}")
            click.echo(f"{path}: " + ", ".join(f"{n} {word}" for word, n in sorted(counts.items())))
    if as_json:
        options.print_json("gpu-status", {"files": files})
    return UNEXPECTED if any(x["wrong"] for x in files) else EXPECTED


def _read(path: Path) -> Any:
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(
            f"cannot read {path}: {error.strerror}", "name a file of evidence"
        ) from None
    except ValueError as error:
        raise InputError(
            f"{path} is no JSON: {error}", "name a file that symcute gpu wrote"
        ) from None
