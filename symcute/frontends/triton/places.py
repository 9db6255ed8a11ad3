"""Locations of MLIR to places of the user's file."""

from __future__ import annotations

import re
from pathlib import Path

from symcute.kernel.ir.place import Place

__all__ = ["Places"]


class Places:
    """What the aliases of locations stand for."""

    def __init__(self, text: str, default: Place) -> None:
        self._lines = dict(re.findall(r"^(#\w+) = loc\((.*)\)$", text, re.MULTILINE))
        self._known: dict[str, Place | None] = {}
        self._default = default
        # Triton names files by their whole paths.
        self._whole = str(Path(default.file).resolve())

    def of(self, text: str) -> Place:
        """Return the place in the user's file: of what was inlined, where it is called.

        A place in another file is taken where nothing of the user's file is there.
        """
        return self._of(text, frozenset()) or self._default

    def _of(self, text: str, seen: frozenset[str]) -> Place | None:
        text = text.strip()
        if text not in self._known:
            found = None if text in seen else self._look(text, seen | {text})
            self._known[text] = found
        return self._known[text]

    def _look(self, text: str, seen: frozenset[str]) -> Place | None:
        if text in self._lines:
            return self._of(self._lines[text], seen)
        if found := re.fullmatch(r'"((?:[^"\\]|\\.)*)":(\d+):(\d+)(?: to .*)?', text):
            file = self._default.file if found[1] == self._whole else found[1]
            return Place(file, max(int(found[2]), 1), max(int(found[3]), 1))
        if found := re.fullmatch(r'"(?:[^"\\]|\\.)*"\((.*)\)', text):
            return self._of(found[1], seen)
        if found := re.fullmatch(r"callsite\((#\w+|.+?) at (#\w+|.+)\)", text):
            places = [self._of(part, seen) for part in found.groups()]
            return next((p for p in places if p and p.file == self._default.file), places[1])
        if found := re.fullmatch(r"fused(?:<.*>)?\[(.*)\]", text):
            parts = (self._of(part, seen) for part in found[1].split(", "))
            return next((p for p in parts if p), None)
        return None
