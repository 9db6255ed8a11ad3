"""What earlier runs left for this one: lists of theorems, and the outcomes of theorems.

A theorem of a file that reaches nothing outside is answered from the file's text alone: neither is
the file run, nor a claim built. Others, and those of a file that has changed, are built where they
run; the verdicts about their claims may still be there.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from symcute.claims import Claim
from symcute.errors import SymcuteError
from symcute.prover.theorems import Theorem, load, shown_path
from symcute.run.cache import FOR_GOOD, Cache, Entry
from symcute.run.engine import this_engine
from symcute.run.keys import file_key, self_contained, theorem_key
from symcute.run.task import Outcome

__all__ = ["ResultCache"]

#: Seconds between two writes: what is lost at most when the run is killed.
_WRITE_EVERY_S = 1.0


class ResultCache:
    """Theorems and outcomes by key in a cache; without a cache it is empty and stays so."""

    def __init__(self, path: Path | None, tell: Callable[[str], None] = lambda _: None) -> None:
        """Open the cache in the file; `tell` gets notices about it, one line each."""
        self._tell = tell
        self._cache: Cache | None = None
        self._pending: list[Entry] = []
        self._written = time.monotonic()
        self.engine = ""
        self.path = ""
        if path is None:
            return
        try:
            self.engine = this_engine().version
        except (SymcuteError, OSError) as error:
            tell(f"no cache is used: {error}")
            return
        self._cache = Cache(path, tell)
        self.path = str(path.resolve())

    def __enter__(self) -> ResultCache:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def load(self, file: Path, text: bytes) -> tuple[Theorem, ...]:
        """Return the theorems of a file's text; what is known of it is not run.

        Errors: as `symcute.prover.theorems.load`.
        """
        if self._cache is None:
            return load(file, text)
        key = file_key(self.engine, text)
        heads = self._cache.get(key, 0.0)
        if heads is not None:
            return tuple(_revived(head, file, text) for head in heads)
        theorems = load(file, text)
        if self_contained(text):
            self._pending.append(Entry(key, FOR_GOOD, [t.to_json() for t in theorems]))
        return theorems

    def outcome(self, theorem: Theorem, timeout: float) -> Outcome | None:
        """Return what the theorem gave in an earlier run, if that answers for this time limit."""
        if self._cache is None or not theorem.text:
            return None
        key = theorem_key(self.engine, theorem.text, theorem.name)
        body = self._cache.get(key, timeout)
        if body is None:
            return None
        parts: list[dict[str, Any]] = []
        for part_key in body["keys"]:
            part = self._cache.get(part_key, timeout)
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

    def keep(self, theorem: Theorem, outcome: Outcome, timeout: float) -> None:
        """Remember an outcome, as far as it would come out again."""
        if self._cache is None or outcome.failed or outcome.recalled:
            return
        for key, part in zip(outcome.keys, outcome.parts, strict=True):
            known = part["status"] != "unknown"
            if key and not part["cached"] and (known or outcome.lasting):
                body = {k: v for k, v in part.items() if k != "cached"}
                self._pending.append(Entry(key, FOR_GOOD if known else timeout, body))
        if outcome.lasting and all(outcome.keys) and self_contained(theorem.text):
            known = outcome.status != "unknown"
            body = {k: getattr(outcome, k) for k in ("status", "how", "reason", "seconds", "keys")}
            key = theorem_key(self.engine, theorem.text, theorem.name)
            self._pending.append(Entry(key, FOR_GOOD if known else timeout, body))
        if time.monotonic() - self._written > _WRITE_EVERY_S:
            self.write()

    def write(self) -> None:
        """Write what is remembered to the file."""
        if self._cache is None or not self._pending:
            return
        if not this_engine().unchanged():
            self._tell("the sources of symcute changed during the run: its verdicts are not cached")
            self._cache.close()
            self._cache = None
            return
        self._cache.put(self.engine, self._pending)
        self._pending.clear()
        self._written = time.monotonic()

    def close(self) -> None:
        """Write, and let go of the file."""
        self.write()
        if self._cache is not None:
            self._cache.close()


def _revived(head: dict[str, Any], file: Path, text: bytes) -> Theorem:
    """Return a theorem that runs its file only when it is built."""
    fields: dict[str, Any] = {k: tuple(v) if isinstance(v, list) else v for k, v in head.items()}
    fields["file"] = shown_path(file)
    return Theorem(**fields, function=partial(_value, file, text, head["name"]), text=text)


def _value(file: Path, text: bytes, name: str) -> Claim | tuple[Claim, ...]:
    theorem = next(t for t in load(file, text) if t.name == name)
    value: Claim | tuple[Claim, ...] = theorem.function()
    return value
