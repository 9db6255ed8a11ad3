"""What there is to say at a place of a file, as plain data: it crosses from process to process."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from symcute.errors import SymcuteError, TextError

__all__ = [
    "Edit",
    "Fix",
    "Remark",
    "Unit",
    "lines_of",
    "located",
    "marks_theorems",
    "of_error",
    "word_at",
]

#: How much a remark matters, as LSP numbers it; 0 is shown only where the cursor rests on it.
NOTHING, ERROR, WARNING, INFORMATION = 0, 1, 2, 3
_MARK = re.compile(r"^\s*@(?:\w+\.)*theorem\b", re.MULTILINE)


@dataclass(frozen=True)
class Edit:
    """New text from one place to another: lines from 0, columns in characters from 0."""

    start: tuple[int, int]
    end: tuple[int, int]
    text: str


@dataclass(frozen=True)
class Fix:
    """A change of the file that would mend what is wrong."""

    title: str
    edit: Edit


@dataclass(frozen=True)
class Remark:
    """What is to be said of a stretch of a line; `more` is Markdown for who asks.

    Lines count from 0, columns in characters from 0; no `file` is the one that was opened.
    """

    line: int
    start: int
    end: int
    severity: int
    text: str
    more: str = ""
    fixes: tuple[Fix, ...] = ()
    file: str = ""

    def to_json(self) -> dict[str, Any]:
        """Return plain data."""
        fixes = [{"title": f.title, "edit": vars(f.edit)} for f in self.fixes]
        return {**vars(self), "fixes": fixes}

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Remark:
        """Return the remark that `to_json` wrote."""
        fixes = tuple(
            Fix(
                f["title"],
                Edit(tuple(f["edit"]["start"]), tuple(f["edit"]["end"]), f["edit"]["text"]),
            )
            for f in data["fixes"]
        )
        return cls(**{**data, "fixes": fixes})


@dataclass(frozen=True)
class Unit:
    """A piece of the work: a theorem or a kernel, in a file, at a line from 0."""

    name: str
    file: str
    line: int


def marks_theorems(text: str) -> bool:
    """Return whether a Python file has theorems; only such a file is ever run.

    >>> marks_theorems("from symcute import theorem\\n@theorem()"), marks_theorems("import os")
    (True, False)
    """
    return "symcute" in text and _MARK.search(text) is not None


def lines_of(text: str) -> list[str]:
    """Return the lines of a text, as an editor and as Python count them.

    >>> lines_of("a\\r\\nb\\fc\\n")
    ['a', 'b\\x0cc', '']
    """
    return re.split(r"\r\n|\r|\n", text)


def word_at(lines: Sequence[str], line: int, column: int = 0) -> tuple[int, int]:
    """Return where the word at a place of a line begins and ends, all of the line without one.

    >>> word_at(["  x[i] = 0;"], 0, 2), word_at(["  x = 1"], 0)
    ((2, 3), (2, 7))
    """
    text = lines[line] if 0 <= line < len(lines) else ""
    indent = len(text) - len(text.lstrip())
    if column <= indent and column == 0:
        return indent, len(text.rstrip())
    end = column
    while end < len(text) and (text[end].isalnum() or text[end] == "_"):
        end += 1
    return column, max(end, min(column + 1, len(text)))


def located(lines: Sequence[str], text: str, first: int = 0) -> Iterator[tuple[int, int]]:
    """Yield the lines and columns at which a text stands, from a line on.

    >>> list(located(["a = 1", "b = 1"], "= 1", 1))
    [(1, 2)]
    """
    for k in range(max(first, 0), len(lines)):
        column = lines[k].find(text) if text else -1
        if column >= 0:
            yield k, column


def of_error(
    error: SymcuteError, lines: Sequence[str], first: int, places: Iterable[tuple[int, int]] = ()
) -> Remark:
    """Return what is to be said of an error: in the text that could not be read, where that stands.

    `places` are where it is said to be otherwise; `first` is the line that it is about at least.
    """
    told = f"{error.what}; {error.fix}" if error.fix else error.what
    if isinstance(error, TextError):
        for line, column in located(lines, error.text.strip(), first):
            lead = len(error.text) - len(error.text.lstrip())
            at = column + max(error.position - lead, 0)
            start, end = word_at(lines, line, min(at, len(lines[line])))
            return Remark(line, start, max(end, start + 1), ERROR, told)
    line, column = next(iter(places), (first, 0))
    return Remark(line, *word_at(lines, line, column), ERROR, told)
