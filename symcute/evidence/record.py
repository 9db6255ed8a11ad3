"""What is recorded of a run, and its JSON."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from symcute.claims import Claim
from symcute.codegen import ROADS, Check, checks_of, source
from symcute.errors import SymcuteError
from symcute.evidence.backends.base import PRELUDE

__all__ = [
    "SCHEMA",
    "Evidence",
    "Item",
    "Run",
    "Subject",
    "is_about_claim",
    "must_fail",
    "source_hash",
    "totals",
    "write",
]

#: The version of the JSON that `Evidence.to_json` returns.
SCHEMA = 2

#: What one check gave at one instance: coordinates, failures, the first failing index; None where
#: the check could not run there.
Outcome = tuple[int, int, int | None] | None


@dataclass(frozen=True)
class Subject:
    """A decided claim of a theorem: what is to be run.

    `dims` is the counterexample of a refuted claim.
    """

    theorem: str
    claim: str
    given: tuple[str, ...] = ()
    status: str = "proved"
    dims: Mapping[str, int] | None = None

    @property
    def key(self) -> tuple[str, str]:
        """What tells it apart from other subjects."""
        return self.theorem, self.claim


@dataclass(frozen=True)
class Run:
    """One instance: the values of the dims, and the outcome of each check of the item."""

    dims: tuple[int, ...]
    outcomes: tuple[Outcome, ...]

    def to_json(self) -> dict[str, Any]:
        """Return the fields as JSON values."""
        return {"dims": list(self.dims), "outcomes": [o and list(o) for o in self.outcomes]}


@dataclass(frozen=True)
class Item:
    """What was seen of one claim: its runs, or why it was skipped.

    `names` are the dims whose values the runs give, `checks` the labels of the checks; `notes` say
    what could not be done.
    """

    theorem: str
    claim: str
    given: tuple[str, ...]
    status: str
    source_hash: str
    names: tuple[str, ...] = ()
    checks: tuple[str, ...] = ()
    runs: tuple[Run, ...] = ()
    skipped: str = ""
    notes: tuple[str, ...] = ()

    @property
    def key(self) -> tuple[str, str]:
        """What tells it apart from other items."""
        return self.theorem, self.claim

    def to_json(self) -> dict[str, Any]:
        """Return the fields as JSON values."""
        plain = {k: list(v) if isinstance(v, tuple) else v for k, v in vars(self).items()}
        return plain | {"runs": [run.to_json() for run in self.runs]}


@dataclass(frozen=True)
class Evidence:
    """What a machine said about a list of claims."""

    created: str
    symcute: str
    commit: str
    backend: Mapping[str, str]
    options: Mapping[str, int]
    seconds: float
    items: tuple[Mapping[str, Any], ...]

    def totals(self) -> dict[str, int]:
        """Return the sums over all items."""
        return totals(self.items)

    @property
    def ok(self) -> bool:
        """Return whether something ran, no proved claim failed and every refuted one did."""
        found = self.totals()
        return found["coordinates"] > 0 and found["mismatches"] == found["not_reproduced"] == 0

    def to_json(self) -> dict[str, Any]:
        """Return everything as JSON values; `verify` checks such a value."""
        return {
            "schema": SCHEMA,
            "created": self.created,
            "symcute": self.symcute,
            "commit": self.commit,
            "backend": dict(self.backend),
            "options": dict(self.options),
            "seconds": round(self.seconds, 3),
            "totals": self.totals(),
            "items": [dict(item) for item in self.items],
        }


def is_about_claim(label: str) -> bool:
    """Return whether a check's label speaks of the claim, not of a layout's offsets."""
    return not label.startswith("offsets of ")


def must_fail(item: Mapping[str, Any], label: str) -> bool:
    """Return whether a check of an item in JSON is one that a refuted claim has to fail."""
    return item["status"] == "refuted" and is_about_claim(label)


def totals(items: Iterable[Mapping[str, Any]]) -> dict[str, int]:
    """Return the sums over items in JSON: how many ran, and what went against the verdicts.

    `mismatches` are indices that failed a check which should hold (all checks of a proved claim,
    the offsets of a refuted one); `reproduced` counts the refuted claims that failed as they must.
    """
    found = dict.fromkeys(
        (
            "items", "skipped", "instances", "coordinates", "mismatches", "reproduced",
            "not_reproduced",
        ),
        0,
    )  # fmt: skip
    for item in items:
        found["items"] += 1
        found["skipped"] += bool(item["skipped"])
        found["instances"] += len(item["runs"])
        failed = False
        for run in item["runs"]:
            for label, outcome in zip(item["checks"], run["outcomes"], strict=True):
                if outcome is None:
                    continue
                found["coordinates"] += outcome[0]
                if must_fail(item, label):
                    failed = failed or outcome[1] > 0
                else:
                    found["mismatches"] += outcome[1]
        if item["status"] == "refuted" and item["runs"]:
            found["reproduced" if failed else "not_reproduced"] += 1
    return found


def source_hash(claim: Claim) -> str:
    """Return the SHA-256 of the code of all checks of a claim, along all roads."""
    checks: Sequence[Check] = checks_of(claim)
    text = PRELUDE + "".join(source(checks, road) for road in ROADS)
    return hashlib.sha256(text.encode()).hexdigest()


def write(evidence: Evidence, path: Path) -> None:
    """Write the evidence as JSON, one item a line; folders on the way are made.

    Errors: SymcuteError when the file cannot be written.
    """
    data = evidence.to_json()
    items = data.pop("items")
    head = json.dumps(data, indent=1, ensure_ascii=False).removesuffix("\n}")
    lines = ",\n".join(
        json.dumps(item, ensure_ascii=False, separators=(",", ":")) for item in items
    )
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f'{head},\n "items": [\n{lines}\n]}}\n', encoding="utf-8")
    except OSError as error:
        raise SymcuteError(
            f"cannot write {path}: {error.strerror}", "give a path that can be written"
        ) from None
