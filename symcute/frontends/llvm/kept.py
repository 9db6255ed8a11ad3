"""What clang and its passes made before, by the text that they made it of."""

from __future__ import annotations

import gzip
import hashlib
import json
import os
import tempfile
import zlib
from collections.abc import Iterable
from contextlib import suppress
from functools import cache
from pathlib import Path

__all__ = ["keep", "key_of", "known"]

#: Where, in the folder of the user.
_PLACE = Path(".cache", "symcute", "llvm")
#: So many are kept, those that were used last.
_MOST = 64


def key_of(parts: Iterable[str]) -> str:
    """Return the name under which is kept what is made of texts by this version of the road."""
    found = hashlib.sha256(_engine())
    for part in parts:
        found.update(f"{len(part)} ".encode() + part.encode("utf-8", "surrogateescape"))
    return found.hexdigest()[:32]


def known(key: str) -> tuple[str, ...] | None:
    """Return the texts that are kept under a name, or None."""
    try:
        path = Path.home() / _PLACE / f"{key}.json.gz"
        texts = json.loads(gzip.decompress(path.read_bytes()))
        os.utime(path)
    except (OSError, EOFError, ValueError, RuntimeError, zlib.error):
        return None
    return tuple(map(str, texts)) if isinstance(texts, list) else None


def keep(key: str, texts: Iterable[str]) -> None:
    """Keep texts under a name; where there is no place for them they are not kept."""
    with suppress(OSError, RuntimeError):  # the latter where a user has no folder
        folder = Path.home() / _PLACE
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        with tempfile.NamedTemporaryFile(dir=folder, delete=False) as file:
            file.write(gzip.compress(json.dumps([*texts]).encode(), 1))
        Path(file.name).rename(folder / f"{key}.json.gz")
        files = sorted(folder.glob("*.json.gz"), key=lambda f: f.stat().st_mtime)
        for old in files[:-_MOST]:
            old.unlink(missing_ok=True)


@cache
def _engine() -> bytes:
    files = sorted(Path(__file__).parent.glob("*.py"))
    return hashlib.sha256(b"\0".join(f.read_bytes() for f in files)).digest()
