"""A run as lines, one for each trouble: for editors and terminals, or as commands of GitHub's."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from symcute.report.cases import Run, Trouble

__all__ = ["concise_text", "github_text"]


def concise_text(run: Run) -> str:
    """Return `FILE:LINE:COLUMN: error: TEXT` for each trouble, `warning` for what is not decided.

    What has no place begins with `symcute`. The last line is the summary.

    >>> from symcute.report.cases import failure
    >>> print(concise_text(Run("check", "property", "1 bad", (), (failure("no launch"),), {})))
    symcute: error: no launch
    1 bad
    """
    lines = []
    for level, t in _troubles(run):
        place = f"{t.file}:{max(t.line, 1)}:{max(t.column, 1)}" if t.file else "symcute"
        lines.append(f"{place}: {level}: {_told(t)}")
    return "\n".join([*lines, run.summary])


def github_text(run: Run) -> str:
    """Return a workflow command for each trouble, which GitHub shows beside its line.

    >>> from symcute.report.cases import failure
    >>> failed = failure("100%: no launch", "", "k", "a,b.cu:3:1")
    >>> print(github_text(Run("check", "property", "1 bad", (), (failed,), {})))
    ::error file=a%2Cb.cu,line=3,col=1,title=symcute check::100%25: no launch
    1 bad

    Source: GitHub, Workflow commands for GitHub Actions.
    """
    lines = []
    for level, t in _troubles(run):
        fields = {"title": f"symcute {run.command}"}
        if t.file:
            place = {"file": t.file, "line": str(max(t.line, 1)), "col": str(max(t.column, 1))}
            fields = place | fields
        told = ",".join(f"{k}={_escaped(v, ':,')}" for k, v in fields.items())
        kind = "notice" if level == "note" else level
        lines.append(f"::{kind} {told}::{_escaped(_told(t))}")
    return "\n".join([*lines, run.summary])


def _troubles(run: Run) -> Iterator[tuple[str, Trouble]]:
    for t in run.contracts:
        yield "note", replace(t, text=f"{t.subject}: {t.text}", remarks=_numbered(t))
    for case in run.bad:
        yield from (
            ("warning" if t.status == "unknown" else "error", t)
            for t in case.troubles
            if not t.conditional
        )
    yield from (("error", t) for t in run.errors)


def _numbered(t: Trouble) -> tuple[tuple[str, str], ...]:
    """Return the lines of a contract as remarks."""
    return tuple((f"if {line}", properties) for properties, line in t.remarks)


def _told(t: Trouble) -> str:
    remarks = [f"{name}: {text}" for name, text in t.remarks if text != t.text]
    return " ".join("; ".join([t.text, *remarks]).split())


def _escaped(text: str, more: str = "") -> str:
    for sign in f"%\r\n{more}":
        text = text.replace(sign, f"%{ord(sign):02X}")
    return text
