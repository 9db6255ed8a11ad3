"""What runs leave for later ones: a cache that is written now and then, by one engine."""

from __future__ import annotations

import gzip
import time
from base64 import b64decode, b64encode
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any, Self

from symcute.errors import SymcuteError
from symcute.run.cache import FOR_GOOD, Cache, Entry
from symcute.run.engine import this_engine

__all__ = ["Store", "digest"]

#: Seconds between two writes: what is lost at most when the run is killed.
_WRITE_EVERY_S = 1.0


def digest(kind: str, *parts: str | bytes) -> str:
    """Return a digest that tells apart any two lists of parts."""
    found = sha256(kind.encode())
    for part in parts:
        data = part.encode("utf-8", "surrogateescape") if isinstance(part, str) else part
        found.update(b"%d:" % len(data))
        found.update(data)
    return found.hexdigest()


class Store:
    """Plain data by key in a cache; without a cache it is empty and stays so."""

    def __init__(self, path: Path | None, tell: Callable[[str], None] = lambda _: None) -> None:
        """Open the cache in the file; `tell` gets notices about it, one line each."""
        self._tell = tell
        self._cache: Cache | None = None
        self._pending: list[Entry] = []
        self._written = time.monotonic()
        self.engine = ""
        self.path = ""
        if path is None:
            return
        try:
            self.engine = this_engine().version
        except (SymcuteError, OSError) as error:
            tell(f"no cache is used: {error}")
            return
        self._cache = Cache(path, tell)
        self.path = str(path.resolve())

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def on(self) -> bool:
        """Return whether there is a cache."""
        return self._cache is not None

    def get(self, key: str, seconds: float = 0.0) -> Any | None:
        """Return what an earlier run left under the key for a time limit of at least `seconds`."""
        return None if self._cache is None else self._cache.get(key, seconds)

    def put(self, key: str, body: Any, seconds: float = FOR_GOOD) -> None:
        """Remember plain data under a key, found under a time limit where that matters."""
        if self._cache is not None:
            self._pending.append(Entry(key, float(seconds), body))

    def text(self, name: str, made_of: str, make: Callable[[], str]) -> str:
        """Return the text of a name: of an earlier run, if that was made of the same, or a new one.

        The last text of each name is kept.
        """
        key = digest("text", self.engine, name)
        found = self.get(key)
        if found is not None and found["made_of"] == made_of:
            return gzip.decompress(b64decode(found["text"])).decode()
        text = make()
        if self.on:
            packed = gzip.compress(text.encode("utf-8", "replace"), 1, mtime=0)
            self.put(key, {"made_of": made_of, "text": b64encode(packed).decode("ascii")})
        return text

    def write(self, at_once: bool = True) -> None:
        """Write what is remembered to the file, at once or when it is time."""
        if self._cache is None or not self._pending:
            return
        if not at_once and time.monotonic() - self._written <= _WRITE_EVERY_S:
            return
        if not this_engine().unchanged():
            self._tell("the sources of symcute changed during the run: its verdicts are not cached")
            self._cache.close()
            self._cache = None
            return
        self._cache.put(self.engine, self._pending)
        self._pending.clear()
        self._written = time.monotonic()

    def close(self) -> None:
        """Write, and let go of the file."""
        self.write()
        if self._cache is not None:
            self._cache.close()
