"""Comments that speak to this program: `// symcute: ...`."""

from __future__ import annotations

import re

from symcute.kernel.ir.place import Place

__all__ = ["invariants", "notes_of"]

_NOTE = re.compile(r"^\s*//\s*symcute:\s*(.*?)\s*$")
_COMMENT = re.compile(r"^\s*(//.*)?$")


def _note(path: str, number: int, line: str) -> tuple[str, Place] | None:
    found = _NOTE.match(line)
    if not found:
        return None
    return found.group(1), Place(path, number, line.index("symcute:") + 1)


def notes_of(path: str, text: str, line: int) -> tuple[tuple[str, Place], ...]:
    """Return the notes for a kernel that begins at a line: those above it, and those of the file.

    Those of the file stand before anything but comments and directives, and not directly above
    what is the first thing in it.
    """
    lines = text.split("\n")
    above: list[tuple[str, Place]] = []
    start = min(line - 1, len(lines))
    while start > 0 and _belongs(lines[start - 1].strip()):
        start -= 1
        note = _note(path, start + 1, lines[start])
        if note:
            above.insert(0, note)
    top: list[tuple[str, Place]] = []
    block: list[tuple[str, Place]] = []
    for number, here in enumerate(lines[:start], 1):
        note = _note(path, number, here)
        if note:
            block.append(note)
        elif not here.strip() or here.lstrip().startswith("#"):
            top += block
            block = []
        elif not _COMMENT.match(here):
            break
    else:
        top += block
    return (*top, *above)


def _belongs(line: str) -> bool:
    """May a line above that of a kernel's name be part of its declaration, or speak of it?"""
    if line.startswith("//"):
        return True
    return line.startswith(("template", "extern", "__", "static")) and not re.search("[{};]", line)


def invariants(path: str, text: str) -> dict[tuple[str, int], tuple[str, ...]]:
    """Return the invariants that comments give for the loop that begins behind them."""
    found: dict[tuple[str, int], tuple[str, ...]] = {}
    waiting: list[str] = []
    for number, line in enumerate(text.split("\n"), 1):
        note = _NOTE.match(line)
        if note and note.group(1).startswith("invariant "):
            waiting.append(note.group(1).removeprefix("invariant ").strip())
        elif waiting and not _COMMENT.match(line):
            found[(path, number)] = tuple(waiting)
            waiting = []
    return found
