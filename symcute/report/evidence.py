"""Evidence as one HTML page, and in a sentence a claim for the report."""

from __future__ import annotations

import json
from collections.abc import Hashable, Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

from symcute.evidence import verify
from symcute.evidence.record import must_fail
from symcute.report.choices import options
from symcute.report.html import evidence_key, render

__all__ = ["found_evidence", "write_evidence_page"]


def write_evidence_page(path: Path, data: Mapping[str, Any]) -> None:
    """Write the page of evidence in JSON."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(render("evidence.html", _view(data), ["search.js"]), encoding="utf-8")


def _view(data: Mapping[str, Any]) -> dict[str, Any]:
    totals = data["totals"]
    ok = totals["coordinates"] > 0 and totals["mismatches"] == totals["not_reproduced"] == 0
    groups = [
        _group(theorem, list(items))
        for theorem, items in groupby(data["items"], key=lambda item: item["theorem"])
    ]
    outcomes = options([g["outcome"]] for g in groups)
    for g in groups:
        g["key"] = [value for value, _ in outcomes].index(g["outcome"])
    against = "nothing went against a verdict" if ok else "something went against a verdict"
    return {
        "data": data,
        "headline": data["backend"].get("device", "an unnamed device"),
        "good": ok,
        "version": data["symcute"],
        "line": f"{totals['coordinates']:,} coordinates compared, {against}.",
        "created": data["created"].replace("T", " ").replace("+00:00", " UTC"),
        "tiles": _tiles(totals),
        "groups": groups,
        "search": {
            "hint": "name, claim, device check",
            "noun": "theorems",
            "choices": [{"name": "outcome", "label": "Outcome", "options": outcomes}],
        },
    }


def _tiles(totals: Mapping[str, int]) -> list[dict[str, Any]]:
    ran = totals["items"] - totals["skipped"]
    return [
        {
            "style": "proved", "count": ran, "name": "claims run",
            "note": f"{totals['skipped']} more were not, each with its reason",
        },
        {
            "style": "proved", "count": totals["instances"], "name": "instances",
            "note": "of their dims, over whole domains",
        },
        {
            "style": "refuted" if totals["mismatches"] else "proved",
            "count": totals["mismatches"], "name": "mismatches",
            "note": "coordinates that failed a check which should hold",
        },
        {
            "style": "refuted", "count": totals["reproduced"], "name": "refutations reproduced",
            "note": f"{totals['not_reproduced']} did not fail where they should",
        },
    ]  # fmt: skip


def _group(theorem: str, items: list[Mapping[str, Any]]) -> dict[str, Any]:
    entries = [_entry(item) for item in items]
    bad = any(e["bad"] for e in entries)
    ran = any(not e["skipped"] for e in entries)
    status = "refuted" if any(e["status"] == "refuted" for e in entries) else "proved"
    fine = "counterexample reproduced" if status == "refuted" else "agrees"
    return {
        "theorem": theorem,
        "entries": entries,
        "bad": bad,
        "status": status if ran else "unknown",
        "outcome": "goes against the verdict" if bad else fine if ran else "not run",
    }


def _entry(item: Mapping[str, Any]) -> dict[str, Any]:
    rows = []
    expecting = failed = wrong = False
    for k, label in enumerate(item["checks"]):
        seen = [run["outcomes"][k] for run in item["runs"] if run["outcomes"][k] is not None]
        failures = sum(o[1] for o in seen)
        expected = must_fail(item, label)
        expecting, failed = expecting or expected, failed or (expected and failures > 0)
        wrong = wrong or (failures > 0 and not expected)
        rows.append(
            {
                "label": label,
                "coordinates": f"{sum(o[0] for o in seen):,}" if seen else "not run",
                "outcome": f"{failures:,} fail" if failures else "all agree" if seen else "",
            }
        )
    return {
        "claim": item["claim"],
        "given": ", ".join(item["given"]),
        "status": item["status"],
        "skipped": item["skipped"],
        "notes": item["notes"],
        "bad": wrong or (expecting and not failed),
        "instances": f"{len(item['runs'])} instance{'' if len(item['runs']) == 1 else 's'}",
        "spread": _spread(item),
        "rows": rows,
    }


def _spread(item: Mapping[str, Any]) -> str:
    """Return the dims of the first and the last instance."""
    if not item["names"]:
        return "no dims"
    ends = [item["runs"][0]["dims"], *([item["runs"][-1]["dims"]] if len(item["runs"]) > 1 else [])]
    shown = (", ".join(f"{n}={v}" for n, v in zip(item["names"], e, strict=True)) for e in ends)
    return " to ".join(shown)


def found_evidence(
    folder: Path | None,
) -> tuple[dict[Hashable, list[str]], list[str]]:
    """Return what the evidence files of a folder say, by `evidence_key`, and what is wrong.

    A file that is not consistent is named and left out.
    """
    found: dict[Hashable, list[str]] = {}
    problems = []
    for path in sorted(folder.glob("*.json")) if folder is not None else ():
        try:
            data = json.loads(path.read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            problems.append(f"{path.name}: {error}")
            continue
        wrong = verify(data, deep=False)
        if wrong:
            problems.append(f"{path.name}: {wrong[0]}")
            continue
        for item in data["items"]:
            if item["runs"]:
                key = evidence_key(item["theorem"], item)
                found.setdefault(key, []).append(_ran(item, data["backend"], data["created"]))
    return found, problems


def _ran(item: Mapping[str, Any], machine: Mapping[str, str], created: str) -> str:
    """Return in a sentence what a machine said of one claim."""
    outcomes: Sequence[Any] = [o for run in item["runs"] for o in run["outcomes"] if o is not None]
    coordinates = sum(o[0] for o in outcomes)
    driver = f" (driver {machine['driver']})" if machine.get("driver") else ""
    count = len(item["runs"])
    instances = f"{count} instance{'' if count == 1 else 's'}"
    end = "the counterexample fails there too" if item["status"] == "refuted" else "all agree"
    return (
        f"{machine.get('device', 'an unnamed device')}{driver}, {created[:10]}: "
        f"{instances}, {coordinates:,} coordinates, {end}"
    )
