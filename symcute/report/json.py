"""The results of a run as one JSON document, from which every other report is made.

A theorem's record is plain data, made where the theorem ran, so that it crosses processes as text.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from symcute import __version__
from symcute.claims.base import Claim
from symcute.errors import SymcuteError
from symcute.report.drawn import pictures_of
from symcute.report.pasting import call_lines
from symcute.report.steps import steps

if TYPE_CHECKING:
    from symcute.prover import Verdict
    from symcute.prover.theorems import TheoremResult

__all__ = [
    "SCHEMA",
    "STATUSES",
    "Record",
    "document",
    "part_record",
    "record",
    "totals",
    "write_document",
]

#: The name and the version of the document's form; the version grows when a reader would break.
SCHEMA = {"name": "symcute-report", "version": 1}

#: Every status a theorem can have, in the order in which reports list them.
STATUSES = ("proved", "refuted", "unknown", "error")

#: A theorem and its result as plain data.
Record = dict[str, Any]


def record(result: TheoremResult) -> Record:
    """Return a theorem's result as plain data, with the formula of every part."""
    parts = [{**part_record(verdict), "cached": False} for verdict in result.parts]
    return {
        **result.to_json(), "code": result.theorem.code, "parts": parts, "cached": False,
    }  # fmt: skip


def part_record(verdict: Verdict) -> Record:
    """Return the verdict about one claim as plain data, with what pages show of it.

    That is its layouts, its formula, its pictures, and how it was decided, step by step.
    """
    part: Record = verdict.to_json()
    claim = verdict.claim
    if isinstance(claim, Claim):
        part["layouts"] = [str(layout) for layout in dict.fromkeys(claim.maps())]
        part["formula"] = _formula(claim, verdict.given)
        against = verdict.counterexample
        part["pictures"] = pictures_of(claim, dict(against.dims) if against else None)
        part["call"] = list(call_lines(claim, against)) if against else []
        part["steps"] = steps(claim, part)
    return part


def _formula(claim: Claim, given: Sequence[str]) -> str:
    """Return the SMT-LIB text of the claim, or why there is none as a comment in SMT-LIB."""
    try:
        return claim.smt(given)
    except SymcuteError as error:
        return f"; no formula: {error}"


def document(
    records: Iterable[Record], *, started: str = "", seconds: float = 0.0, finished: bool = True
) -> dict[str, Any]:
    """Return the document of a run; `finished` is False when it was interrupted.

    >>> document([])["schema"]["name"]
    'symcute-report'
    """
    found = list(records)
    return {
        "schema": SCHEMA,
        "tool": {"name": "symcute", "version": __version__},
        "started": started,
        "seconds": round(seconds, 3),
        "finished": finished,
        "totals": totals(found),
        "theorems": found,
    }


def totals(records: Sequence[Record]) -> dict[str, Any]:
    """Return how many theorems there are by status, and how many rest on what.

    >>> found = totals([{"status": "proved", "ok": True, "rests_on": ["z3 4.13"]}])
    >>> found["proved"], found["as_expected"], found["rests_on"]
    (1, 1, {'z3 4.13': 1})
    """
    status = Counter(r["status"] for r in records)
    basis = Counter(name for r in records for name in r["rests_on"])
    return {
        "theorems": len(records),
        **{name: status[name] for name in STATUSES},
        "as_expected": sum(1 for r in records if r["ok"]),
        "cached": sum(1 for r in records if r.get("cached")),
        "rests_on": dict(sorted(basis.items())),
    }


def write_document(path: Path, content: Mapping[str, Any]) -> None:
    """Write the document as JSON, with a line for each theorem."""
    path.parent.mkdir(parents=True, exist_ok=True)
    fields = [f"{_text(key)}: {_value(value)}" for key, value in content.items()]
    # Half a character, as an exception may tell of, has no way to be written.
    path.write_text("{\n" + ",\n".join(fields) + "\n}\n", encoding="utf-8", errors="replace")


def _value(value: Any) -> str:
    if isinstance(value, list) and value:
        return "[\n" + ",\n".join(map(_text, value)) + "\n]"
    return _text(value)


def _text(value: Any) -> str:
    # Without indentation, which costs Python's encoder five times as long.
    return json.dumps(value, ensure_ascii=False)
