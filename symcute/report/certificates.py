"""The certificates of a run, one file beside each theorem file: a line for each claim proved."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

__all__ = ["SUFFIX", "certificate_lines", "write_certificates"]

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
