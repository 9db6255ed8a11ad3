"""The results of a run as one JSON document, from which every other report is made.

A theorem's record is plain data, made where the theorem ran, so that it crosses processes as text.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from symcute import __version__
from symcute.claims.base import Claim
from symcute.claims.requests import BankConflict, Requests
from symcute.errors import InputError, SymcuteError
from symcute.hardware.access import NARROWEST
from symcute.layout import Layout
from symcute.report.table import grid
from symcute.swizzle import ComposedLayout

if TYPE_CHECKING:
    from symcute.prover import Verdict
    from symcute.theorems import TheoremResult

__all__ = [
    "SCHEMA",
    "STATUSES",
    "Record",
    "document",
    "part_record",
    "read_document",
    "record",
    "totals",
    "write_document",
]

#: The name and the version of the document's form; the version grows when a reader would break.
SCHEMA = {"name": "symcute-report", "version": 1}

#: Every status a theorem can have, in the order in which reports list them.
STATUSES = ("proved", "refuted", "unknown")

#: A theorem and its result as plain data.
Record = dict[str, Any]


def record(result: TheoremResult) -> Record:
    """Return a theorem's result as plain data, with the formula of every part."""
    return {**result.to_json(), "parts": [part_record(verdict) for verdict in result.parts]}


def part_record(verdict: Verdict) -> Record:
    """Return the verdict about one claim as plain data, with its layouts and its formula."""
    part: Record = verdict.to_json()
    claim = verdict.claim
    if isinstance(claim, Claim):
        part["layouts"] = [str(layout) for layout in dict.fromkeys(claim.layouts())]
        part["formula"] = _formula(claim, verdict.given)
        part["pictures"] = _pictures(claim, verdict)
    return part


#: The most cells of a layout that is drawn, and the most in a row.
_CELLS, _WIDEST = 256, 64
#: The most requests that are looked through for one that goes against a claim.
_REQUESTS = 4096
#: The claims that say no offset is reached twice.
_ONCE = ("injective", "bijective", "compact", "partition")


def _pictures(claim: Claim, verdict: Verdict) -> list[Record]:
    """Return the small layouts of numbers that a claim speaks of, or those of its counterexample.

    With each the places (row, column) that go against the claim: what shares its offset, or lies
    outside the bound.
    """
    against = verdict.counterexample
    here = claim if against is None else claim.at(against.dims)
    found: list[Record] = []
    if isinstance(here, Requests) and not here.access.dims():
        found += _request(here, against is not None)
    for value in dict.fromkeys(getattr(here, f.name) for f in fields(here)):
        if not isinstance(value, (Layout, ComposedLayout)) or value.rank() != 2:
            continue
        cells = grid(value, _CELLS)
        if cells is not None and 1 < cells.columns <= _WIDEST:
            marked = [] if against is None else [list(p) for p in _against(here, cells.rows)]
            found.append({"layout": str(value), "marked": marked})
    return found


def _request(claim: Requests, refuted: bool) -> list[Record]:
    """Return the first request of an access, or the first that goes against the claim."""
    first = islice(claim.access.coordinates(), _REQUESTS)
    chosen = next((x for x in first if not refuted or claim.failure(x)), None)
    if chosen is None or any(x % NARROWEST for x in claim.access.bit_addresses(chosen)):
        return []
    return [
        {
            "access": str(claim.access),
            "request": list(chosen),
            "sectors": not isinstance(claim, BankConflict),
            "marked": refuted,
        }
    ]


def _against(claim: Claim, rows: Sequence[Sequence[int]]) -> list[tuple[int, int]]:
    """Return the places of a table that go against a claim about it."""
    places = defaultdict(list)
    for i, row in enumerate(rows):
        for j, offset in enumerate(row):
            places[offset].append((i, j))
    if claim.name in _ONCE:
        return sorted(p for shared in places.values() if len(shared) > 1 for p in shared)
    if claim.name == "in_bounds":
        bound = getattr(claim, "bound", 0)
        return sorted(p for x, there in places.items() if not 0 <= x < bound for p in there)
    return []


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
    path.write_text("{\n" + ",\n".join(fields) + "\n}\n", encoding="utf-8")


def _value(value: Any) -> str:
    if isinstance(value, list) and value:
        return "[\n" + ",\n".join(map(_text, value)) + "\n]"
    return _text(value)


def _text(value: Any) -> str:
    # Without indentation, which costs Python's encoder five times as long.
    return json.dumps(value, ensure_ascii=False)


def read_document(path: Path) -> dict[str, Any]:
    """Read a document that `write_document` wrote.

    Errors: InputError when the file cannot be read or is no such document.
    """
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise InputError(f"cannot read the report {path}: {error}", "run symcute verify") from None
    if not isinstance(content, dict) or content.get("schema") != SCHEMA:
        raise InputError(
            f"{path} is no report of version {SCHEMA['version']}", "run symcute verify again"
        )
    return content
