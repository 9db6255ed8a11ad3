"""What is to be said of a theorem file: the verdicts that are not expected, and how to mend them.

The file is run, so this happens in a process of its own (`worker.py`), and only for a file that
marks theorems.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

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
from symcute.errors import SymcuteError, TextError
from symcute.prover.suggestion import suggest
from symcute.prover.theorems import Theorem, load
from symcute.report.terminal import counterexample_text
from symcute.run.results import ResultCache
from symcute.run.task import Outcome, perform, task_of

__all__ = ["TheoremFile"]

_LINE = re.compile(r":(\d+)(?::(\d+))?[ :]")
#: Seconds at most in which what would have to be assumed is looked for.
_SUGGESTION_S = 20.0


class TheoremFile:
    """A theorem file as it stands in the editor, decided theorem by theorem."""

    def __init__(self, path: Path, text: str, root: Path, seconds: float) -> None:
        self._path = path
        self._lines = lines_of(text)
        self._seconds = seconds
        self._shelf = ResultCache(root / ".symcute" / "cache.sqlite")
        self._theorems: list[Theorem[Any]] = []
        #: What is wrong with the file as a whole.
        self.remarks: list[Remark] = []
        try:
            tree = ast.parse(text)
            self._functions = {f.name: f for f in tree.body if isinstance(f, ast.FunctionDef)}
            self._theorems = list(load(path, text.encode()))
        except SyntaxError as error:
            line = (error.lineno or 1) - 1
            start = max((error.offset or 1) - 1, 0)
            start, end = word_at(self._lines, line, start)
            self.remarks.append(Remark(line, start, max(end, start + 1), ERROR, error.msg))
        except SymcuteError as error:
            found = _LINE.search(error.what)
            self.remarks.append(of_error(error, self._lines, int(found[1]) - 1 if found else 0))

    def units(self) -> list[Unit]:
        """Return the theorems."""
        return [Unit(t.name, str(self._path), t.line - 1) for t in self._theorems]

    def decide(self, number: int) -> list[Remark]:
        """Return what is to be said of a theorem."""
        theorem = self._theorems[number]
        outcome = self._shelf.outcome(theorem, self._seconds)
        if outcome is None:
            task = task_of(theorem, self._seconds, self._shelf.engine, self._shelf.path)
            outcome = perform(task)
            self._shelf.keep(theorem, outcome, self._seconds)
            self._shelf.write()
        record = outcome.record(theorem)
        if record["ok"]:
            return [self._remark(theorem, NOTHING, record["status"], _verdict(theorem, record))]
        if outcome.status == "error":
            return [self._mistake(theorem, outcome)]
        holds_if: str = ""
        fixes: tuple[Fix, ...] = ()
        bad = next((k for k, p in enumerate(record["parts"]) if p["status"] == record["status"]), 0)
        if record["parts"] and theorem.expected == "proved":
            holds_if, fixes = self._suggested(theorem, bad)
        told = f"{record['status']}, expected {record['expected']}: {_why(record, bad)}"
        told += f"; holds if {holds_if}" if holds_if else ""
        severity = WARNING if record["status"] == "unknown" else ERROR
        more = _verdict(theorem, record, holds_if)
        return [self._remark(theorem, severity, told, more, fixes)]

    def _remark(
        self,
        theorem: Theorem[Any],
        severity: int,
        text: str,
        more: str,
        fixes: tuple[Fix, ...] = (),
    ) -> Remark:
        line, column = self._place(theorem)
        return Remark(line, *word_at(self._lines, line, column), severity, text, more, fixes)

    def _place(self, theorem: Theorem[Any]) -> tuple[int, int]:
        """Return where the name of the function stands."""
        function = self._functions.get(theorem.name)
        line = theorem.line - 1 if function is None else function.lineno - 1
        column = self._lines[line].find(theorem.name) if line < len(self._lines) else -1
        return line, max(column, 0)

    def _mistake(self, theorem: Theorem[Any], outcome: Outcome) -> Remark:
        """Return what is wrong with a theorem that could not be run, in its text if it is there."""
        try:
            theorem.build()
        except TextError as error:
            return of_error(error, self._lines, theorem.line - 1, [self._place(theorem)])
        except Exception:  # noqa: S110 - what its author's Python raised is the outcome's reason
            pass
        return self._remark(theorem, ERROR, outcome.reason, _heading(theorem, "could not be run"))

    def _suggested(self, theorem: Theorem[Any], number: int) -> tuple[str, tuple[Fix, ...]]:
        """Return what would have to be assumed of a claim, and the change that assumes it."""
        try:
            claim = theorem.build()[number]
            found = suggest(claim, list(theorem.given), timeout=min(self._seconds, _SUGGESTION_S))
        except SymcuteError:
            found = None
        if found is None:
            return "", ()
        words = found.words()
        edit = self._assuming(theorem.name, words)
        return words, () if edit is None else (Fix(f"Assume {words}", edit),)

    def _assuming(self, name: str, assumption: str) -> Edit | None:
        """Return the change of a theorem's decorator that adds an assumption, if there is one."""
        function = self._functions.get(name)
        for call in function.decorator_list if function is not None else ():
            if isinstance(call, ast.Call) and ast.unparse(call.func).split(".")[-1] == "theorem":
                return self._in_call(call, json.dumps(assumption, ensure_ascii=False))
        return None

    def _in_call(self, call: ast.Call, new: str) -> Edit | None:
        given = next((k.value for k in call.keywords if k.arg == "given"), None)
        if given is None:
            line, column = self._end(call, 1)
            first = not (call.keywords or call.args)
            return Edit((line, column), (line, column), f"{'' if first else ', '}given=[{new}]")
        if isinstance(given, ast.List):
            line, column = self._end(given, 1)
            trailing = self._lines[line][:column].rstrip().endswith(",")
            comma = " " if trailing and given.elts else ", " if given.elts else ""
            return Edit((line, column), (line, column), f"{comma}{new}")
        if isinstance(given, ast.Constant) and isinstance(given.value, str):
            text = self._lines[given.lineno - 1]
            start = _column(text, given.col_offset)
            line, end = self._end(given, 0)
            if line != given.lineno - 1:
                return None
            return Edit((line, start), (line, end), f"[{text[start:end]}, {new}]")
        return None

    def _end(self, node: ast.expr, back: int) -> tuple[int, int]:
        """Return the line and the column at which a node ends, less so many characters."""
        line = (node.end_lineno or node.lineno) - 1
        return line, _column(self._lines[line], node.end_col_offset or 0) - back


def _column(line: str, offset: int) -> int:
    """Return the characters that so many bytes of a line hold: Python counts bytes."""
    return len(line.encode()[:offset].decode(errors="ignore"))


def _why(record: dict[str, Any], number: int) -> str:
    if not record["parts"]:
        return str(record["reason"])
    part = record["parts"][number]
    if part["counterexample"]:
        return counterexample_text(part["counterexample"])
    return str(part["reason"] or record["reason"] or part["how"])


def _heading(theorem: Theorem[Any], status: str) -> str:
    return f"**{status}** {theorem.statement}"


def _verdict(theorem: Theorem[Any], record: dict[str, Any], holds_if: str = "") -> str:
    """Return a verdict as Markdown."""
    status = record["status"]
    if status != record["expected"]:
        status += f", expected {record['expected']}"
    return "\n\n".join([_heading(theorem, status), *_details(theorem, record, holds_if)])


def _details(theorem: Theorem[Any], record: dict[str, Any], holds_if: str) -> Iterator[str]:
    if theorem.given:
        yield f"given {_code(theorem.given)}"
    for part in record["parts"]:
        yield f"{part['status']} `{part['claim']}`: {part['words']}"
        if part["counterexample"]:
            yield f"counterexample `{counterexample_text(part['counterexample'])}`"
        elif part["reason"]:
            yield f"because {part['reason']}"
    if holds_if:
        yield f"holds if `{holds_if}`"
    if not record["parts"] and record["reason"]:
        yield str(record["reason"])
    if record["how"]:
        yield f"how: {record['how']}; rests on {', '.join(record['rests_on'])}"


def _code(texts: Sequence[Any]) -> str:
    return ", ".join(f"`{text}`" for text in texts)
