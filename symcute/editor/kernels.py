"""What is to be said of the kernels of a source, and of the settings they are checked with.

A source is checked as it is on disk: it includes other files, and they are there.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from symcute.editor.remarks import (
    ERROR,
    NOTHING,
    WARNING,
    Edit,
    Fix,
    Remark,
    Unit,
    lines_of,
    of_error,
    word_at,
)
from symcute.errors import SymcuteError
from symcute.kernel.findings import GOOD, Finding, verdict_of
from symcute.kernel.ir.place import Place
from symcute.kernel.ir.program import Kernel
from symcute.kernel.launch.project import (
    Known,
    Reader,
    Request,
    Task,
    read_file,
    run_task,
    tasks,
)
from symcute.kernel.launch.settings import NAME, PROJECT

__all__ = ["Kernels"]

_PLACE = re.compile(r"(?P<file>[^\n:]+):(?P<line>\d+):(?P<column>\d+): ")
_TOML_PLACE = re.compile(r"at line (\d+), column (\d+)")
_KEY = re.compile(r"unknown key (?:kernel\.(\w+)\.)?([\w-]+)|no kernel (\w+)|kernel\.(\w+) is no")
_NOTE = "// symcute:"


class Kernels:
    """The kernels of a source, or of a folder whose settings were opened, one by one."""

    def __init__(self, path: Path, root: Path, seconds: float) -> None:
        self._path = path
        self._texts: dict[Path, list[str]] = {}
        self._tasks: list[Task] = []
        #: What is wrong with the file as a whole.
        self.remarks: list[Remark] = []
        is_settings = path.name in (NAME, PROJECT)
        self._settings = path if is_settings else _settings_of(path, root)
        request = replace(Request(), timeout=seconds)
        try:
            if self._settings is not None:
                found = list(tasks(str(self._settings.parent), request, self._reader(is_settings)))
            if self._settings is None or not (found or is_settings):
                found = list(tasks(str(path), request))
        except SymcuteError as error:
            self.remarks.append(self._trouble(error))
            return
        for each in found:
            if isinstance(each, Task):
                self._tasks.append(each)
            elif is_settings or each.where == str(path):
                self.remarks.append(self._trouble(each.error))

    def units(self) -> list[Unit]:
        """Return the kernels, each launch of one by itself."""
        return [
            Unit(t.kernel.name, _full(t.kernel.place), t.kernel.place.line - 1) for t in self._tasks
        ]

    def decide(self, number: int) -> list[Remark]:
        """Return what is to be said of a kernel."""
        task = self._tasks[number]
        try:
            findings = run_task(task)
        except SymcuteError as error:
            place = task.kernel.place
            lines = self._lines(Path(place.file))
            places = [*_named(error, place.file), (place.line - 1, place.column - 1)]
            return [replace(of_error(error, lines, 0, places), file=_full(place))]
        bad = [f for f in findings if f.status not in GOOD]
        shown = {f.property for f in bad}
        told = [self._remark(task, f) for f in bad]
        place = task.kernel.place
        lines = self._lines(Path(place.file))
        start, end = word_at(lines, place.line - 1, place.column - 1)
        verdicts = "\n".join(f"- {v} `{p}`" for p, v in verdict_of(findings).items())
        more = f"kernel `{task.kernel.name}`\n\n{_contract(task)}\n\n{verdicts}"
        text = f"{len(shown)} properties are not proved" if shown else "proved"
        return [*told, Remark(place.line - 1, start, end, NOTHING, text, more, file=_full(place))]

    def _reader(self, every: bool) -> Reader:
        def read(path: Path, name: str | None, request: Request) -> Sequence[Kernel | Known]:
            return read_file(path, name, request) if every or path.samefile(self._path) else ()

        return read

    def _lines(self, path: Path) -> list[str]:
        path = path.resolve()
        if path not in self._texts:
            try:
                text = path.read_text(encoding="utf-8", errors="replace")
            except OSError:
                text = ""
            self._texts[path] = lines_of(text)
        return self._texts[path]

    def _trouble(self, error: SymcuteError) -> Remark:
        """Return what keeps a source or its settings from being read."""
        lines = self._lines(self._path)
        places = list(_named(error, str(self._path)))
        if found := _TOML_PLACE.search(error.what):
            places.append((int(found[1]) - 1, max(int(found[2]) - 1, 0)))
        if found := _KEY.search(error.what):
            word = next(x for x in reversed(found.groups()) if x)
            pattern = re.compile(rf"\b{re.escape(word)}\b")
            hits = ((k, m.start()) for k, x in enumerate(lines) if (m := pattern.search(x)))
            places += [*hits][:1]
        return of_error(error, lines, 0, places)

    def _remark(self, task: Task, f: Finding) -> Remark:
        lines = self._lines(Path(f.place.file))
        line, column = f.place.line - 1, f.place.column - 1
        severity = WARNING if f.status == "unknown" else ERROR
        words = str(f.counterexample) if f.counterexample is not None else f.reason
        told = f"{f.property} {f.status}: {f.text}"
        if words and words not in told:
            told += f"; {words}"
        if f.holds_if:
            told += f"; holds if {f.holds_if}"
        rows = [f"**{f.status}** `{f.property}`: {f.text}"]
        if f.counterexample is not None:
            rows.append(f"counterexample `{f.counterexample!s}`")
        if f.reason:
            rows.append(f"because {f.reason}")
        if f.holds_if:
            rows.append(f"holds if `{f.holds_if}`")
        more = "\n\n".join([*rows, _contract(task)])
        fixes = tuple(self._assuming(task, f.holds_if)) if f.holds_if else ()
        span = word_at(lines, line, column)
        return Remark(line, *span, severity, told, more, fixes, _full(f.place))

    def _assuming(self, task: Task, assumption: str) -> Iterator[Fix]:
        """Yield the change that assumes it in a note above the kernel."""
        place = task.kernel.place
        lines = self._lines(Path(place.file))
        line = place.line - 1
        while 0 < line <= len(lines) and _goes_on(lines[line - 1]):
            line -= 1
        lead = lines[line][: len(lines[line]) - len(lines[line].lstrip())]
        edit = Edit((line, 0), (line, 0), f"{lead}{_NOTE} assume {assumption}\n")
        yield Fix(f"Assume {assumption}", edit)


def _full(place: Place) -> str:
    return str(Path(place.file).resolve())


def _goes_on(line: str) -> bool:
    """Return whether the declaration of a kernel may go on below a line."""
    text = line.strip()
    ended = (
        not text or text[-1] in ";}" or text.startswith(("//", "#", "/*")) or text.endswith("*/")
    )
    return not ended


def _named(error: SymcuteError, file: str) -> Iterator[tuple[int, int]]:
    """Yield the place that a message begins with, if it is in the file."""
    found = _PLACE.match(error.what)
    if found and Path(found["file"]).name == Path(file).name:
        yield int(found["line"]) - 1, int(found["column"]) - 1


def _contract(task: Task) -> str:
    """Return what a kernel is checked under, as Markdown."""
    r, rows = task.request, [text for text, _ in task.kernel.notes]
    if task.family is not None:
        rows += [n.text for n in task.family.notes]
    rows += [f"launch {r.launch}"] if r.launch else []
    for kind, values in (("arg", r.arguments), ("extent", r.extents), ("contents", r.contents),
                         ("align", r.alignment)):  # fmt: skip
        rows += [f"{kind} {name} = {value}" for name, value in values.items()]
    rows += [f"assume {text}" for text in r.given]
    return "\n".join(f"- `{row}`" for row in dict.fromkeys(rows))


def _settings_of(path: Path, root: Path) -> Path | None:
    """Return the nearest settings above a source, no further up than the root of the work."""
    for folder in path.parents:
        for file in (folder / NAME, folder / PROJECT):
            if file.is_file() and _has_settings(file):
                return file
        if folder == root or not folder.is_relative_to(root):
            break
    return None


def _has_settings(file: Path) -> bool:
    if file.name == NAME:
        return True
    try:
        return "symcute" in tomllib.loads(file.read_text(encoding="utf-8")).get("tool", {})
    except (OSError, ValueError):
        return False
