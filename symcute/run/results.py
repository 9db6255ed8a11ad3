"""What earlier runs left for this one: lists of theorems, and the outcomes of theorems.

A theorem of a file that reaches nothing outside is answered from the file's text alone: neither is
the file run, nor a claim built. Others, and those of a file that has changed, are built where they
run; the verdicts about their claims may still be there.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

from symcute.claims import Claim
from symcute.prover.theorems import Theorem, load, shown_path
from symcute.run.cache import FOR_GOOD
from symcute.run.keys import file_key, self_contained, theorem_key
from symcute.run.store import Store
from symcute.run.task import Outcome

__all__ = ["ResultCache"]


class ResultCache(Store):
    """Theorems and outcomes by key in a cache; without a cache it is empty and stays so."""

    def load(self, file: Path, text: bytes) -> tuple[Theorem[Any], ...]:
        """Return the theorems of a file's text; what is known of it is not run.

        Errors: as `symcute.prover.theorems.load`.
        """
        if not self.on:
            return load(file, text)
        key = file_key(self.engine, text)
        heads = self.get(key)
        if heads is not None:
            shown = shown_path(file)
            return tuple(_revived({**head, "file": shown}, file, text) for head in heads)
        theorems = load(file, text)
        if self_contained(text):
            self.put(key, [{**t.to_json(), "lines": t.code} for t in theorems])
        return theorems

    def outcome(self, theorem: Theorem[Any], timeout: float) -> Outcome | None:
        """Return what the theorem gave in an earlier run, if that answers for this time limit."""
        if not (self.on and theorem.text):
            return None
        key = theorem_key(self.engine, theorem.text, theorem.name)
        body = self.get(key, timeout)
        if body is None:
            return None
        parts: list[dict[str, Any]] = []
        for part_key in body["keys"]:
            part = self.get(part_key, timeout)
            if part is None:
                return None
            parts.append(part)
        return Outcome(
            body["status"],
            body["how"],
            body["reason"],
            tuple({**part, "cached": True} for part in parts),
            tuple(body["keys"]),
            body["seconds"],
            recalled=True,
        )

    def keep(self, theorem: Theorem[Any], outcome: Outcome, timeout: float) -> None:
        """Remember an outcome, as far as it would come out again."""
        if not self.on or outcome.failed or outcome.recalled:
            return
        for key, part in zip(outcome.keys, outcome.parts, strict=True):
            known = part["status"] != "unknown"
            if key and not part["cached"] and (known or outcome.lasting):
                body = {k: v for k, v in part.items() if k != "cached"}
                self.put(key, body, FOR_GOOD if known else timeout)
        if outcome.lasting and all(outcome.keys) and self_contained(theorem.text):
            known = outcome.status != "unknown"
            body = {k: getattr(outcome, k) for k in ("status", "how", "reason", "seconds", "keys")}
            key = theorem_key(self.engine, theorem.text, theorem.name)
            self.put(key, body, FOR_GOOD if known else timeout)
        self.write(at_once=False)


def _revived(head: dict[str, Any], file: Path, text: bytes) -> Theorem[Any]:
    """Return a theorem that runs its file only when it is built."""
    fields: dict[str, Any] = {k: tuple(v) if isinstance(v, list) else v for k, v in head.items()}
    return Theorem(**fields, function=partial(_value, file, text, head["name"]), text=text)


def _value(file: Path, text: bytes, name: str) -> Claim | tuple[Claim, ...]:
    theorem = next(t for t in load(file, text) if t.name == name)
    value: Claim | tuple[Claim, ...] = theorem.function()
    return value
