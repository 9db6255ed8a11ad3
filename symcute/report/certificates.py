"""The certificates of a run, one file beside each theorem file: a line for each claim proved."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, TypeAlias

__all__ = ["SUFFIX", "Place", "certificate_lines", "found_certificates", "write_certificates"]

#: A file of certificates, and a line of it, counted from 1.
Place: TypeAlias = tuple[Path, int]

#: What stands in place of a theorem file's `.py`.
SUFFIX = ".certificates.jsonl"


def certificate_lines(records: Iterable[Mapping[str, Any]]) -> dict[Path, str]:
    """Return the text of each file of certificates, by its path; without text: none is needed.

    A line is an object: the theorem's name, the number of the claim in it, the certificate.
    Theorems that are expected to be refuted or unknown have none.

    >>> certificate_lines([{"file": "a/b.py", "name": "t", "expected": "refuted", "parts": []}])
    {PosixPath('a/b.certificates.jsonl'): ''}
    """
    found: dict[Path, str] = {}
    for record in records:
        path = Path(record["file"]).with_suffix(SUFFIX)
        text = found.setdefault(path, "")
        if record["expected"] != "proved":
            continue
        for number, part in enumerate(record["parts"]):
            if part["certificate"] is not None:
                entry = {"name": record["name"], "part": number, "certificate": part["certificate"]}
                text += json.dumps(entry, separators=(",", ":")) + "\n"
        found[path] = text
    return found


def write_certificates(records: Iterable[Mapping[str, Any]]) -> list[Path]:
    """Write the files of certificates beside the theorem files, and return their paths.

    A file that no certificate is left for is removed.
    Errors: OSError when a file cannot be written.
    """
    written = []
    for path, text in certificate_lines(records).items():
        if text:
            path.write_text(text, encoding="utf-8")
            written.append(path)
        else:
            path.unlink(missing_ok=True)
    return written


def found_certificates(records: Iterable[Mapping[str, Any]]) -> dict[tuple[str, int], Place]:
    """Return where the certificates of records stand beside their theorem files.

    By the name of the theorem and the number of the claim; only where the file holds the very
    certificate of the record. A file that cannot be read holds none.
    """
    wanted: dict[Path, dict[tuple[str, int], Any]] = {}
    for record in records:
        beside = wanted.setdefault(Path(record["file"]).with_suffix(SUFFIX), {})
        for number, part in enumerate(record["parts"]):
            if part["certificate"] is not None:
                beside[record["name"], number] = part["certificate"]
    found = {}
    for path, certificates in wanted.items():
        for line, key, certificate in _entries(path):
            if certificates.get(key) == certificate:
                found[key] = (path, line)
    return found


def _entries(path: Path) -> Iterator[tuple[int, tuple[str, int], Any]]:
    """Yield the lines of a file of certificates: number, theorem and claim, certificate."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
        for number, line in enumerate(lines, start=1):
            entry = json.loads(line)
            yield number, (entry["name"], entry["part"]), entry["certificate"]
    except (OSError, ValueError, KeyError, TypeError):
        return
