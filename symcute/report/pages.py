"""The page of a run in its place: made, or as an earlier run made it of the very same."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from hashlib import sha256
from html import escape
from importlib.resources import files
from pathlib import Path
from typing import Any, TypeAlias

from symcute.report.certificates import SUFFIX, found_certificates
from symcute.report.terminal import run_line

__all__ = ["write_page"]

#: Gives the text for a digest of what it is made of, or has it made.
_Kept: TypeAlias = Callable[[str, Callable[[], str]], str]

#: Stands in a page that is kept for the line that is of one run alone.
_RUN = "<!-- run -->"


def write_page(
    path: Path,
    document: Mapping[str, Any],
    evidence: Path | None = None,
    kept: _Kept = lambda _, make: make(),
) -> None:
    """Write the page of a document, with what machines said, and links to certificates.

    `evidence` is the folder of that; linked are the certificates beside the theorem files that are
    those of the document. `kept` may know the page from an earlier run: all that it is made of is
    read for that, and little of it understood.
    """
    path.parent.mkdir(parents=True, exist_ok=True)

    def make() -> str:
        from symcute.report.html import page

        found, problems = _found(evidence)
        certificates = found_certificates(document["theorems"])
        return page(document, path.parent, found, problems, certificates, run=_RUN)

    text = kept(_digest(document, path.parent, evidence), make)
    path.write_text(
        text.replace(_RUN, escape(run_line(document)), 1), encoding="utf-8", errors="replace"
    )


def _found(evidence: Path | None) -> tuple[Any, list[str]]:
    """Return what machines said; without any, what reads it need not be installed."""
    if evidence is None or not evidence.is_dir():
        return {}, []
    from symcute.report.evidence import found_evidence

    return found_evidence(evidence)


def _digest(document: Mapping[str, Any], folder: Path, evidence: Path | None) -> str:
    """Return a digest of what a page is made of, but for the engine and what is of one run."""
    theorems = document["theorems"]
    once = {"cached": 0, "seconds": 0}  # a page that is kept shows the times of the run it is of
    lasting = [{**t, **once, "parts": [{**p, **once} for p in t["parts"]]} for t in theorems]
    here = [str(Path.cwd()), str(folder.resolve()), document["finished"], document["tool"], lasting]
    found = sha256(json.dumps(here).encode())
    beside = {Path(t["file"]).with_suffix(SUFFIX) for t in theorems}
    said = evidence.glob("*.json") if evidence is not None else ()
    ours = (f for f in files("symcute.report").iterdir() if not f.name.endswith(".py"))
    for file in (*sorted(beside), *sorted(said), *sorted(ours, key=lambda f: f.name)):
        data = file.read_bytes() if file.is_file() else b""
        found.update(json.dumps([str(file), len(data)]).encode())
        found.update(data)
    return found.hexdigest()
