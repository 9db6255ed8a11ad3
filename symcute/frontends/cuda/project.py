"""What a project's own build files say of how its sources are compiled: folders and macros."""

from __future__ import annotations

import json
import os
import re
import shlex
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

__all__ = ["HEADERS", "MOST_INCLUDERS", "Built", "built", "includers", "located"]

#: What files are called that others include.
HEADERS = (".cuh", ".h", ".hpp")
#: How many sources that include a header are read for how its kernels are launched.
MOST_INCLUDERS = 6

#: How many folders above a source its project may begin.
_ABOVE = 8
_DATABASES = ("compile_commands.json", "build/compile_commands.json")
_FILES = ("CMakeLists.txt", "setup.py", "Makefile")
#: What stands where a project begins.
_MARKS = (".git", "pyproject.toml", *_FILES)
#: Where headers lie that all of a project includes.
_USUAL = ("include", "inc")
_LONGEST = 4_000_000
#: How many files, and folders, of a project are looked through for what includes a header, and how
#: many headers may stand between them.
_LOOKED, _BETWEEN = 600, 3
#: How many folders of a project are looked through for a header.
_FOLDERS = 4000

_CMAKE = re.compile(r"\b(?:target_)?include_directories\s*\(([^)]*)\)", re.IGNORECASE)
_INCLUDE = re.compile(r'#[ \t]*include[ \t]*[<"]([^<>"\n]+)[>"]')
_HERE = re.compile(
    r"\$\{(?:CMAKE_CURRENT_SOURCE_DIR|CMAKE_CURRENT_LIST_DIR|CMAKE_SOURCE_DIR|PROJECT_SOURCE_DIR)\}/?"
)
_SETUP = re.compile(r"include_dirs\s*=?\s*(.*?)\]", re.DOTALL)
_LITERAL = re.compile(r"[\"']([\w./+-]+)[\"']")
_OPTION = re.compile(r"(?:^|\s)-I\s*([\w./+-]+)")


@dataclass
class Built:
    """Folders of headers, macros, and every file that was looked for to find them."""

    folders: dict[str, None] = field(default_factory=dict)
    defines: dict[str, str] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)


def built(source: Path) -> Built:
    """Return what the build files above a source say of it.

    A compilation database that names it says all; otherwise these are the folders that
    `CMakeLists.txt`, `setup.py` and `Makefile` include as they are written, and those that are
    called `include`, from the source up to where its project begins. Nothing is executed.
    """
    found = Built()
    above = _project(source, found)
    for folder in above:
        for name in _DATABASES:
            if _from_database(source, folder / name, found):
                return found
    for folder in above:
        for name in _FILES:
            text = _text(folder / name, found)
            for written in _written(name, text):
                _add(found, folder, written)
        for usual in _USUAL:
            _add(found, folder, usual)
    return found


def includers(header: Path) -> tuple[list[Path], list[Path]]:
    """Return sources of its project that include a header, the nearest first, and all files seen.

    Which folder a name is looked for in is not asked: the sources are read to see what they say.
    """
    root = _project(header, Built())[-1]
    files: list[Path] = []
    for number, (folder, inner, names) in enumerate(os.walk(root)):
        files += [Path(folder, n) for n in sorted(names) if n.endswith((".cu", *HEADERS))]
        inner[:] = sorted(n for n in inner if not n.startswith("."))
        if not _is_project(root):
            break  # of no project: its own folder alone
        if len(files) > _LOOKED or number > _LOOKED:
            return [], []
    included = {p: {Path(n).name for n in _INCLUDE.findall(_text(p, Built()))} for p in files}
    found: list[Path] = []
    wanted = {header.name}
    for _ in range(_BETWEEN):
        near = [p for p in files if included[p] & wanted]
        found += [p for p in near if p.suffix == ".cu" and p not in found]
        wanted = {p.name for p in near if p.suffix != ".cu"} - wanted
    return found, sorted(files)


def located(source: Path, names: Iterable[str]) -> list[str]:
    """Return the folders of a source's project from where names of headers lead to files.

    Only what is one file of the project is meant, and by a name without a folder in it only what
    lies in a folder above the source.
    """
    wanted: dict[str, list[str]] = {}
    for name in sorted(set(names)):
        if ".." not in name and not name.startswith("/"):
            wanted.setdefault(name.rsplit("/", 1)[-1], []).append(name)
    root = _project(source, Built())[-1]
    if not wanted or not _is_project(root):
        return []
    found: dict[str, list[str]] = {}
    for number, (folder, inner, files) in enumerate(os.walk(root)):
        inner[:] = sorted(n for n in inner if not n.startswith("."))
        if number > _FOLDERS:
            return []
        for file in wanted.keys() & set(files):
            for name in wanted[file]:
                if f"{folder}/{file}".endswith(f"/{name}"):
                    found.setdefault(name, []).append(f"{folder}/{file}"[: -len(name) - 1])
    above = {str(folder) for folder in source.resolve().parents}
    return sorted({
        where[0] for name, where in found.items()
        if len(where) == 1 and ("/" in name or where[0] in above)
    })  # fmt: skip


def _is_project(root: Path) -> bool:
    return any((root / mark).exists() for mark in _MARKS)


def _project(source: Path, found: Built) -> list[Path]:
    """Return the folders from that of a source up to the one where its project begins."""
    folders = list(source.resolve().parents)[:_ABOVE]
    last = 0
    for number, folder in enumerate(folders):
        found.asked += [str(folder / mark) for mark in _MARKS]
        if (folder / ".git").exists():
            return folders[: number + 1]
        if any((folder / mark).is_file() for mark in _MARKS):
            last = number
    return folders[: last + 1]


def _text(path: Path, found: Built) -> str:
    found.asked.append(str(path))
    try:
        return path.read_text(encoding="utf-8", errors="replace")[:_LONGEST]
    except OSError:
        return ""


def _written(name: str, text: str) -> Iterator[str]:
    """Yield the folders that the text of a build file includes."""
    if name == "CMakeLists.txt":
        for call in _CMAKE.findall(re.sub(r"#[^\n]*", "", text)):
            for word in call.split():
                plain = word.strip('"').removeprefix("$<BUILD_INTERFACE:").rstrip(">")
                yield _HERE.sub("", plain) or "."
    elif name == "setup.py":
        for call in _SETUP.findall(text):
            names = _LITERAL.findall(call)
            yield from names
            # Pieces of one path, as `os.path.join` and `/` have them.
            yield from ("/".join(names[a:b]) for a in range(len(names))
                        for b in range(a + 2, min(a + 4, len(names) + 1)))  # fmt: skip
    else:
        yield from _OPTION.findall(text)


def _add(found: Built, folder: Path, written: str) -> None:
    if not written or "$" in written or Path(written).is_absolute():
        return
    path = folder / written
    found.asked.append(str(path))
    if path.is_dir():
        found.folders[str(path.resolve())] = None


def _from_database(source: Path, path: Path, found: Built) -> bool:
    """Take what a compilation database says of a source, if it names it."""
    text = _text(path, found)
    try:
        entries: Any = json.loads(text) if text else []
    except ValueError:
        return False
    for entry in entries if isinstance(entries, list) else []:
        if not isinstance(entry, dict) or not isinstance(entry.get("file"), str):
            continue
        folder = Path(str(entry.get("directory", path.parent)))
        if (folder / entry["file"]).resolve() == source.resolve():
            _options(_words(entry), folder, found)
            return True
    return False


def _words(entry: dict[str, Any]) -> list[str]:
    words = entry.get("arguments")
    if isinstance(words, list):
        return [str(w) for w in words]
    try:
        return shlex.split(str(entry.get("command", "")))
    except ValueError:
        return []


def _options(words: list[str], folder: Path, found: Built) -> None:
    """Take `-I`, `-isystem` and `-D` of a command line."""
    waiting = ""
    for word in words:
        option, value = waiting, word
        waiting = ""
        if not option:
            option = next((o for o in ("-isystem", "-I", "-D") if word.startswith(o)), "")
            value = word[len(option) :]
            if option and not value:
                waiting = option
                continue
        if option in ("-I", "-isystem"):
            found.asked.append(str(folder / value))
            found.folders[str((folder / value).resolve())] = None
        elif option == "-D":
            name, sign, meaning = value.partition("=")
            found.defines[name] = meaning if sign else "1"
