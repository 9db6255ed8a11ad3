"""`python -m symcute.recheck [--queries] [--announce] FILE...`: checks files of certificates.

A file is a certificate, a JSON list, or JSON lines; instead of a certificate there may be an object
{"name", "part", "certificate"}. Prints an object a line for each certificate, and one that says why
for a file without any; with --announce {"file"} before each file. Exit codes: 0 all are checked,
1 some is not.
"""

import contextlib
import json
import stat
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from symcute.checker import Result, load
from symcute.checker.terms import Refused
from symcute.recheck.document import check

#: The longest file, and the memory that the process may take, in bytes.
MAX_FILE, MAX_MEMORY = 1 << 26, 1 << 30


def read(file: str) -> str:
    """Return the text of a file. Errors: Refused."""
    try:
        path = Path(file)
        if not stat.S_ISREG(path.stat().st_mode):
            raise Refused("no regular file")
        with path.open("rb") as stream:
            data = stream.read(MAX_FILE + 1)
        if len(data) > MAX_FILE:
            raise Refused(f"longer than {MAX_FILE} bytes")
        return data.decode("utf-8")
    except OSError as error:
        raise Refused(f"cannot be read: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise Refused(f"no UTF-8: {error.reason} at byte {error.start}") from None


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
    except Refused:
        return False


def told(entry: Any, queries: bool) -> tuple[str, Any, Result]:
    """Check one entry of a file; return its name, its part and what became of it."""
    name, part = "", 0
    try:
        entry = load(entry) if isinstance(entry, str) else entry
    except Refused as error:
        return name, part, Result("rejected", reason=str(error))
    if isinstance(entry, dict) and sorted(entry) == ["certificate", "name", "part"]:
        name, part, entry = str(entry["name"]), entry["part"], entry["certificate"]
    return name, part, check(entry, queries)


def results(file: str, queries: bool) -> Iterator[dict[str, Any]]:
    """Yield what became of each certificate in a file, or why there is none."""
    count = 0
    try:
        for count, entry in enumerate(entries(read(file)), 1):  # noqa: B007 (asked below)
            name, part, result = told(entry, queries)
            yield {"file": file, "name": name, "part": part} | vars(result)
        reason = "" if count else "no certificate in it"
    except Refused as error:
        reason = str(error)
    except MemoryError:
        reason = f"takes more than {MAX_MEMORY} bytes of memory"
    if reason:
        yield {"file": file, "name": "", "part": 0} | vars(Result("rejected", reason=reason))


def main(arguments: list[str]) -> int:
    """Check files and print what became of each certificate."""
    options = set(arguments) & {"--queries", "--announce"}
    _limit_memory()
    code = 0
    for file in arguments[len(options) :]:
        if "--announce" in options:
            print(json.dumps({"file": file}), flush=True)
        for result in results(file, "--queries" in options):
            print(json.dumps(result), flush=True)
            code = code if result["status"] == "checked" else 1
    return code


def _limit_memory() -> None:
    with contextlib.suppress(ImportError, OSError, ValueError):  # not every system can
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MAX_MEMORY, MAX_MEMORY))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
