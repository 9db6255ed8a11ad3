"""Findings as SARIF 2.1.0, which code hosts and editors show beside the source.

Source: OASIS, Static Analysis Results Interchange Format (SARIF) Version 2.1.0.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote

from symcute import __version__

__all__ = ["sarif_log"]

SCHEMA = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)
_KINDS = {"proved": "pass", "refuted": "fail", "unknown": "open"}
_LEVELS = {"proved": "none", "refuted": "error", "unknown": "none"}


def sarif_log(
    findings: Iterable[Mapping[str, Any]],
    rules: Mapping[str, str],
    errors: Sequence[Mapping[str, str]] = (),
) -> dict[str, Any]:
    """Return a log of one run: a result for each finding, as its JSON says it.

    `rules` say each property in words; `errors` are what could not be checked at all, as
    {"what", "fix"}.

    >>> errors = [{"what": "no launch", "fix": ""}]
    >>> log = sarif_log([], {"in_bounds": "Accesses are inside."}, errors)
    >>> log["runs"][0]["invocations"][0]["executionSuccessful"]
    False
    """
    names = list(rules)
    invocation: dict[str, Any] = {"executionSuccessful": not errors}
    if errors:
        invocation["toolExecutionNotifications"] = [
            {"level": "error", "message": {"text": _sentence(e["what"], e["fix"])}} for e in errors
        ]
    driver = {
        "name": "symcute",
        "version": __version__,
        "rules": [{"id": name, "shortDescription": {"text": text}} for name, text in rules.items()],
    }
    return {
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {"driver": driver},
                "invocations": [invocation],
                "columnKind": "utf16CodeUnits",
                "results": [_result(f, names) for f in findings],
            }
        ],
    }


def _result(f: Mapping[str, Any], rules: Sequence[str]) -> dict[str, Any]:
    parts = [f"{f['kernel']}: {f['text']}" if f["kernel"] else str(f["text"])]
    if f["counterexample"]:
        parts.append(f"counterexample {f['counterexample']['words']}")
    if f["reason"] and f["reason"] != f["text"]:
        parts.append(f"not decided: {f['reason']}")
    if f["holds_if"]:
        parts.append(f"holds if {f['holds_if']}")
    result: dict[str, Any] = {
        "ruleId": f["property"],
        "ruleIndex": rules.index(f["property"]),
        "kind": _KINDS[f["status"]],
        "level": _LEVELS[f["status"]],
        "message": {"text": "; ".join(parts)},
        "locations": [_location(f["file"], f["line"], f["column"])],
    }
    other = (f["counterexample"] or {}).get("other")
    if other and other["place"]:
        file, line, column = other["place"].rsplit(":", 2)
        there = _location(file, int(line), int(column))
        result["relatedLocations"] = [there | {"message": {"text": "the other access"}}]
    return result


def _location(file: str, line: int, column: int) -> dict[str, Any]:
    return {
        "physicalLocation": {
            "artifactLocation": {"uri": quote(Path(file).as_posix())},
            "region": {"startLine": max(line, 1), "startColumn": max(column, 1)},
        }
    }


def _sentence(what: str, fix: str) -> str:
    return f"{what}; {fix}" if fix else what
