"""The pages of the documentation, as blocks of code and what is to be done with each."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from textwrap import dedent

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]

_BLOCK = re.compile(r"^( *)```(\w*)([^\n]*)\n(.*?)^\1```$", re.MULTILINE | re.DOTALL)
_TITLE = re.compile(r'title="([^"]+)"')


@dataclass(frozen=True)
class Block:
    """A block of code: where it stands, its language, the file it is, its text."""

    place: str
    language: str
    title: str
    text: str

    @property
    def is_session(self) -> bool:
        """Return whether the block is a Python session."""
        return self.language in ("python", "pycon") and self.text.lstrip().startswith(">>> ")


@dataclass(frozen=True)
class Step:
    """A command, and the lines that a page shows of what it says."""

    place: str
    command: str
    shown: tuple[str, ...]

    @property
    def arguments(self) -> list[str] | None:
        """Return the arguments of a plain `symcute` command; None where a shell has to read it."""
        lexer = shlex.shlex(self.command, posix=True, punctuation_chars="|&;<>")
        lexer.whitespace_split = True
        words = list(lexer)
        plain = words[0] == "symcute" and not any(set(w) <= set("|&;<>") for w in words if w)
        return shlex.split(self.command)[1:] if plain else None


def blocks(page: Path) -> list[Block]:
    """Return the blocks of a page in order."""
    text, found = page.read_text(encoding="utf-8"), []
    for match in _BLOCK.finditer(text):
        title = _TITLE.search(match[3])
        line = text.count("\n", 0, match.start()) + 1
        place = f"{page.relative_to(ROOT)}:{line}"
        found.append(Block(place, match[2], title[1] if title else "", dedent(match[4])))
    return found


def steps(block: Block) -> Iterator[Step]:
    """Yield the commands of a console block, each with the lines shown below it."""
    command, shown = "", []
    for line in (*block.text.replace("\\\n", " ").splitlines(), "$ "):
        text = line.strip()
        if text == "$" or text.startswith("$ "):
            if command:
                yield Step(block.place, command, tuple(shown))
            command, shown = text[2:], []
        elif text:
            shown.append(text)


def missing(shown: tuple[str, ...], said: str) -> str:
    """Return the first line shown that does not come, in its order; empty when all do.

    Three dots in a line stand for anything.
    """
    lines, place = [line.strip() for line in said.splitlines()], 0
    for line in shown:
        pattern = re.compile(".*".join(map(re.escape, line.split("..."))))
        while place < len(lines) and not pattern.fullmatch(lines[place]):
            place += 1
        if place == len(lines):
            return line
        place += 1
    return ""
