"""Docstrings of symcute as Markdown, and its public names where readers look for them.

A docstring is plain text with sections such as `Errors:` and sessions that begin with `>>>`. Here
it becomes Markdown: sessions and conditions are blocks of code, sections have bold names.
"""

from __future__ import annotations

import importlib
import inspect
import re
from collections.abc import Iterator
from textwrap import dedent
from typing import Any

import griffe

__all__ = ["Docstrings", "markdown"]

_SECTION = re.compile(r"^(Pre-conditions|Post-conditions|Errors|Source): ?(.*)$")
_ITEM = re.compile(r"^( *)(- |\d+\. )")


class Docstrings(griffe.Extension):
    """Gives griffe the names that symcute loads on first use, and docstrings as Markdown."""

    def on_package(self, *, pkg: griffe.Module, **_: Any) -> None:
        """Add every public name of the package, as an alias of what it names."""
        if pkg.path != "symcute":
            return
        public = importlib.import_module("symcute")
        for name in public.__all__:
            if name not in pkg.members:
                pkg.set_member(name, griffe.Alias(name, target=home(name)))

    def on_object(self, *, obj: griffe.Object, **_: Any) -> None:
        """Write the docstring as Markdown; a class says itself what its `__init__` takes."""
        if obj.name == "__init__":
            obj.docstring = None
        elif obj.docstring is not None:
            obj.docstring.value = markdown(obj.docstring.value)


def home(name: str) -> str:
    """Return the path at which a public name of symcute is defined."""
    value = inspect.unwrap(getattr(importlib.import_module("symcute"), name))
    return f"{value.__module__}.{name}"


def markdown(text: str) -> str:
    """Return the text of a docstring as Markdown.

    >>> print(markdown("Return x*y.\\nErrors: none.\\n\\n>>> 1 + 1\\n2"))
    Return x\\*y.
    <BLANKLINE>
    **Errors.** none.
    <BLANKLINE>
    ```pycon
    >>> 1 + 1
    2
    ```
    """
    return re.sub(r"\n{3,}", "\n\n", "\n".join(_lines(text.splitlines()))).strip()


def _lines(lines: list[str]) -> Iterator[str]:
    place, before = 0, ""
    while place < len(lines):
        line = lines[place]
        section = _SECTION.match(line)
        if line.startswith(">>> "):
            end = _end(lines, place, lambda x: bool(x.strip()))
            yield from _fenced("pycon", lines[place:end])
        elif section and not section[2]:
            end = _end(lines, place + 1, lambda x: x.startswith("    "))
            yield from ("", f"**{section[1]}.**", "")
            yield from _fenced("python", dedent("\n".join(lines[place + 1 : end])).splitlines())
        elif line.startswith("    ") and not before.strip():
            end = _end(lines, place, lambda x: x.startswith("    "))
            yield from _fenced("{ .text .wrap }", [x.strip() for x in lines[place:end]])
        else:
            end = _end(lines, place + 1, _goes_on) if line.strip() else place + 1
            prose = "\n".join(lines[place:end])
            if section:
                yield from ("", f"**{section[1]}.** {_escaped(prose[len(section[1]) + 2 :])}")
            else:
                if _ITEM.match(line) and not (_ITEM.match(before) or before.startswith("  ")):
                    yield ""
                yield _escaped(prose)
        before, place = lines[end - 1], end


def _goes_on(line: str) -> bool:
    """Return whether a line belongs to the paragraph, or the item, of the line before."""
    begins = _SECTION.match(line) or _ITEM.match(line) or line.startswith(">>> ")
    return bool(line.strip()) and not begins


def _end(lines: list[str], place: int, holds: Any) -> int:
    """Return the first place from `place` on whose line does not hold."""
    return next((k for k in range(place, len(lines)) if not holds(lines[k])), len(lines))


def _fenced(language: str, lines: list[str]) -> Iterator[str]:
    yield from ("", f"```{language}", *lines, "```", "")


def _escaped(prose: str) -> str:
    """Return a paragraph with what Markdown would take for marks written as characters."""
    parts = re.split(r"(`[^`]*`)", prose)
    for k in range(0, len(parts), 2):
        parts[k] = re.sub(r"(?<=\S)\*|\*(?=\S)|_(?=\W|$)|(?<!\w)_", r"\\\g<0>", parts[k])
        parts[k] = parts[k].replace("<", "&lt;").replace("[", "\\[")
    return "".join(parts)
