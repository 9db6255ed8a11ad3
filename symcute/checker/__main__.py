"""`python -m symcute.checker [--queries] FILE...`: checks files of certificates.

A file is a certificate, a JSON list, or JSON lines; instead of a certificate there may be an object
{"name", "part", "certificate"}. Prints an object a line for each certificate. Exit codes: 0 all are
accepted, 1 some is rejected, 2 a file cannot be read or has no certificate.
"""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from symcute.checker import Result, check, load
from symcute.checker.text import Refused


def entries(text: str) -> Iterator[Any]:
    """Yield what a file holds: objects, its lines, or the whole text where no line is JSON."""
    try:
        whole = load(text)
    except Refused:
        lines = [line for line in text.splitlines() if line.strip()]
        yield from lines if any(map(_is_object, lines)) else [text][: len(lines)]
        return
    yield from whole if isinstance(whole, list) else [whole]


def _is_object(line: str) -> bool:
    try:
        return isinstance(load(line), dict)
    except (Refused, RecursionError, ValueError):
        return False


def told(file: str, entry: Any, queries: bool) -> dict[str, Any]:
    """Check one entry of a file."""
    name, part = "", 0
    try:
        entry = load(entry) if isinstance(entry, str) else entry
    except (Refused, RecursionError, ValueError) as error:
        return {"file": file, "name": "", "part": 0} | vars(Result(False, "", str(error)))
    if isinstance(entry, dict) and sorted(entry) == ["certificate", "name", "part"]:
        name, part, entry = str(entry["name"]), entry["part"], entry["certificate"]
    return {"file": file, "name": name, "part": part} | vars(check(entry, queries))


def main(arguments: list[str]) -> int:
    """Check files and print what became of each certificate."""
    queries = arguments[:1] == ["--queries"]
    code = 0
    for file in arguments[queries:]:
        try:
            text = Path(file).read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            print(f"{file}: {error}", file=sys.stderr)
            return 2
        found = [told(file, entry, queries) for entry in entries(text)]
        if not found:
            print(f"{file}: no certificate in it", file=sys.stderr)
            return 2
        for result in found:
            print(json.dumps(result), flush=True)
            code = code if result["accepted"] else 1
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
