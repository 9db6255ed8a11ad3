"""All that reading a source may take from the machine, as a digest.

Which headers clang takes hangs on macros. Here every name that any text includes or asks for is
looked for in every folder that is searched, so that nothing clang reads is left out; that a file is
not there counts as well. A text that includes in a way this module does not know has no digest.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from hashlib import sha256
from pathlib import Path

from symcute.frontends.cuda.headers import ROOT
from symcute.frontends.cuda.project import HEADERS, MOST_INCLUDERS, built, includers, located

__all__ = ["fingerprint"]

#: How many files are read, and looked for, before it takes longer than reading the source.
_FILES, _PLACES = 400, 20_000
#: Where clang looks by itself for headers that a user may have put there.
_ALWAYS = ("/usr/local/include",)

_SPLICE = re.compile(rb"\\[^\S\n]*\n")
_NAMED = re.compile(
    rb"(?:#[^\S\n]*(?:include_next|include)[^\S\n]*|__has_include(?:_next)?[^\S\n]*\([^\S\n]*)"
    rb'(?:<([^<>"\n]+)>|"([^<>"\n]+)")'
)
_WORD = re.compile(rb"include|import|embed|_has_")
#: A `#` behind which a comment or the name of another file may come.
_ODD = re.compile(rb"(?:#|%:)[^\S\n]*(?:/[*/]|line\b|\d)")
#: What a line has that is, or ends, a directive.
_DIRECTIVE = re.compile(rb"#|%:|\*/")


def fingerprint(
    path: Path, include_dirs: Iterable[str | Path] = (), defines: Mapping[str, str] | None = None
) -> str | None:
    """Return a digest of the text of a source and of all that it may include, or None.

    Post-conditions: while it is the same, `read_kernels` gives the same for the same arguments.
    """
    names = _named("\n".join((defines or {}).values()).encode())
    project = built(path)
    folders = dict.fromkeys([ROOT, *_ALWAYS, *map(str, include_dirs), str(path.parent)])
    folders |= project.folders
    seen = {f"built {place}": _digest(place) for place in project.asked}
    waiting = [str(path)]
    if path.suffix in HEADERS:
        # Sources that include it may say how its kernels are launched.
        sources, looked = includers(path)
        seen |= {f"includes {place}": _digest(str(place)) for place in looked}
        sources = sources[:MOST_INCLUDERS]
        for source in sources:
            folders |= dict.fromkeys([str(source.parent), *built(source).folders])
        waiting += map(str, sources)
    files = 0
    while waiting:
        for place in waiting:
            seen[place] = _digest(place)
            text = _text(place)
            if text is None:
                continue
            files += 1
            more = _named(text)
            if names is None or more is None or files > _FILES:
                return None
            names |= more
            folders[str(Path(place).parent)] = None
        if len(folders) * len(names or ()) > _PLACES:
            return None
        here = {n for n in names or () if not any(Path(f, n).exists() for f in folders)}
        folders |= dict.fromkeys(located(path, here))
        places = {str(Path(folder, name)) for folder in folders for name in names or ()}
        waiting = sorted(places - seen.keys())
    return sha256(repr(sorted(seen.items())).encode("utf-8", "surrogateescape")).hexdigest()


def _digest(place: str) -> str:
    text = _text(place)
    return str(os.path.lexists(place)) if text is None else sha256(text).hexdigest()


def _text(place: str) -> bytes | None:
    """Return what a file holds, or None where there is none that can be read."""
    try:
        return Path(place).read_bytes() if Path(place).is_file() else None
    except (OSError, ValueError):
        return None


def _named(text: bytes) -> set[str] | None:
    """Return the names that a text includes or asks for; None where that is not plain to see."""
    text = _SPLICE.sub(b"", text.replace(b"\r\n", b"\n").replace(b"\r", b"\n"))
    if _ODD.search(text):
        return None
    names: set[str] = set()
    for line in text.split(b"\n"):
        if _WORD.search(line) and _DIRECTIVE.search(line):
            if _WORD.search(_NAMED.sub(b" ", line)):
                return None
            names |= {os.fsdecode(a or b) for a, b in _NAMED.findall(line)}
    return names
