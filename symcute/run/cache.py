"""Verdicts that outlive a run: one SQLite file, which several runs may share.

Every entry carries a checksum. A file that is damaged is set aside and begun anew; one that cannot
be used for another reason (a full disk, no rights) is done without. Either is told in one line,
and never ends a run.
"""

from __future__ import annotations

import contextlib
import json
import os
import sqlite3
from collections.abc import Callable, Iterable
from hashlib import sha256
from itertools import chain, count
from pathlib import Path
from typing import Any, NamedTuple

__all__ = ["DEFAULT_PATH", "FOR_GOOD", "Cache", "Entry"]

#: Where the cache lies when no other place is named, from the working directory on.
DEFAULT_PATH = Path(".symcute/cache.sqlite")

#: The limit of an entry that holds for any time limit: a decided verdict.
FOR_GOOD = float("inf")

#: Marks our files among SQLite's (the bytes "symc"), and the form of their tables.
_APPLICATION_ID = 0x73796D63
_FORM = 1
_HEADER = b"SQLite format 3\0"
_ID_OFFSET, _VERSIONS = 68, slice(18, 20)

#: Seconds that one run waits for another to finish writing.
_BUSY_S = 5.0
#: Engines whose entries are kept: those of the last ones that wrote.
_ENGINES_KEPT = 8

_TABLES = """
CREATE TABLE entries (
    key TEXT PRIMARY KEY, engine TEXT NOT NULL, seconds REAL NOT NULL, body TEXT NOT NULL,
    checksum TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE engines (engine TEXT PRIMARY KEY, used REAL NOT NULL) WITHOUT ROWID;
"""
# An answer under a shorter limit never replaces one under a longer limit.
_PUT = """
INSERT INTO entries VALUES (?, ?, ?, ?, ?) ON CONFLICT (key) DO UPDATE SET
    engine = excluded.engine, seconds = excluded.seconds, body = excluded.body,
    checksum = excluded.checksum
WHERE excluded.seconds >= entries.seconds
"""
_GET = "SELECT seconds, body, checksum FROM entries WHERE key = ? AND seconds >= ?"
_USED = """
INSERT INTO engines VALUES (?, (SELECT coalesce(max(used), 0) + 1 FROM engines))
ON CONFLICT (engine) DO UPDATE SET used = excluded.used
"""
_OLD = "engine NOT IN (SELECT engine FROM engines ORDER BY used DESC LIMIT ?)"


class Entry(NamedTuple):
    """Plain data under a key, and the time limit under which it was found."""

    key: str
    seconds: float
    body: Any


class _Damaged(Exception):
    """The file is ours but does not hold what we wrote."""


class _Foreign(Exception):
    """The file is no cache."""


#: What goes wrong with a file. sqlite3 raises a UnicodeError where it complains of a damaged schema
#: by quoting it.
_TROUBLE = (sqlite3.Error, OSError, UnicodeError, _Damaged, _Foreign)


class Cache:
    """Plain data by key, in a file; every method leaves trouble with the file to `tell`.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder, Cache(Path(folder) / "c.sqlite") as cache:
    ...     cache.put("engine 1", [Entry("k", 10.0, {"status": "unknown"})])
    ...     cache.get("k", 5.0), cache.get("k", 20.0)
    ({'status': 'unknown'}, None)
    """

    def __init__(
        self,
        path: Path,
        tell: Callable[[str], None] = lambda _: None,
        *,
        readonly: bool = False,
    ) -> None:
        """Open the file, or make it; `tell` gets each notice as one line of text.

        With `readonly` nothing is made, mended or written.
        """
        self._path = path
        self._tell = tell
        self._readonly = readonly
        self._connection: sqlite3.Connection | None = None
        self._file: tuple[int, int] | None = None
        self._guarded(self._open)

    def __enter__(self) -> Cache:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def on(self) -> bool:
        """Return whether the file is in use."""
        return self._connection is not None

    def get(self, key: str, seconds: float) -> Any | None:
        """Return what is stored under the key for a time limit of at least `seconds`."""
        return self._guarded(lambda: self._get(key, seconds))

    def put(self, engine: str, entries: Iterable[Entry]) -> None:
        """Store all entries or none."""
        rows = []
        for key, seconds, body in entries:
            text = json.dumps(body, ensure_ascii=False, separators=(",", ":"))
            rows.append((key, engine, seconds, text, _checksum(key, seconds, text)))
        if rows and not self._readonly:
            self._guarded(lambda: self._put(engine, rows))

    def close(self) -> None:
        """Let go of the file; afterwards it holds nothing and takes nothing."""
        if self._connection is not None:
            with contextlib.suppress(sqlite3.Error):
                self._connection.close()
            self._connection = None

    def _get(self, key: str, seconds: float) -> Any | None:
        if self._connection is None:
            return None
        row = self._connection.execute(_GET, (key, seconds)).fetchone()
        if row is None:
            return None
        limit, text, checksum = row
        if not isinstance(text, str) or checksum != _checksum(key, limit, text):
            raise _Damaged("an entry is not what was stored")
        return json.loads(text)

    def _put(self, engine: str, rows: list[tuple[str, str, float, str, str]]) -> None:
        if self._connection is None:
            return
        with _transaction(self._connection) as write:
            write.executemany(_PUT, rows)
            write.execute(_USED, (engine,))
            write.execute(f"DELETE FROM entries WHERE {_OLD}", (_ENGINES_KEPT,))  # noqa: S608
            write.execute(f"DELETE FROM engines WHERE {_OLD}", (_ENGINES_KEPT,))  # noqa: S608

    def _guarded(self, work: Callable[[], Any]) -> Any:
        """Do the work; a damaged file is set aside first, any other trouble ends the use of it."""
        try:
            return work()
        except _TROUBLE as error:
            self.close()
            if not self._readonly and _is_damage(error) and self._set_aside(error):
                try:
                    self._open()
                    return work() if work != self._open else None
                except _TROUBLE as again:
                    self.close()
                    error = again
            self._tell(f"the cache {self._path} is not used: {_why(error)}")
            return None

    def _open(self) -> None:
        if self._readonly:
            uri = f"{self._path.resolve().as_uri()}?mode=ro"
            self._connection = sqlite3.connect(uri, _BUSY_S, isolation_level=None, uri=True)
            if _form(self._connection) != (_APPLICATION_ID, _FORM):
                raise _Foreign("it is no cache of this version of symcute")
            return
        self._make_room()
        head = _head(self._path)  # once: another run may be writing it
        if _is_ours(head) and head[_VERSIONS] != b"\1\1":
            raise _Damaged("its header is damaged")  # SQLite would take it for one to be read only
        self._connection = sqlite3.connect(self._path, _BUSY_S, isolation_level=None)
        if _form(self._connection) != (_APPLICATION_ID, _FORM):
            with _transaction(self._connection) as write:
                _furnish(write)
        # A look at every page costs milliseconds, and finds damage before it does harm.
        if self._connection.execute("PRAGMA quick_check(1)").fetchone() != ("ok",):
            raise _Damaged("its pages are damaged")
        status = self._path.stat()
        self._file = status.st_dev, status.st_ino

    def _make_room(self) -> None:
        """Make the folder; git passes over one that is made for nothing but the cache."""
        folder = self._path.parent
        if folder.exists():
            return
        folder.mkdir(parents=True, exist_ok=True)
        if folder.name == DEFAULT_PATH.parts[0]:
            (folder / ".gitignore").write_text("*\n", encoding="utf-8")

    def _set_aside(self, error: Exception) -> bool:
        """Move the damaged file out of the way, and return whether the place is free.

        A file that was never ours stays where it is, unless it lies where only ours do.
        """
        if not (_is_ours(_head(self._path)) or self._path.parts[-2:] == DEFAULT_PATH.parts):
            return False
        names = chain([""], (f".{k}" for k in count(2)))
        places = (self._path.with_name(f"{self._path.name}.damaged{name}") for name in names)
        aside = next(place for place in places if not os.path.lexists(place))
        try:
            status = self._path.stat()
            if self._file in (None, (status.st_dev, status.st_ino)):
                self._path.replace(aside)
                for ending in ("-journal", "-wal", "-shm"):
                    self._path.with_name(self._path.name + ending).unlink(missing_ok=True)
        except FileNotFoundError:
            return True
        except OSError:
            return False
        self._file = None
        self._tell(
            f"the cache {self._path} is damaged ({_why(error)}): it is now {aside.name}, "
            "and a fresh one is begun"
        )
        return True


@contextlib.contextmanager
def _transaction(connection: sqlite3.Connection) -> Any:
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield connection
    except BaseException:
        with contextlib.suppress(sqlite3.Error):
            connection.execute("ROLLBACK")
        raise
    connection.execute("COMMIT")


def _furnish(connection: sqlite3.Connection) -> None:
    """Make the tables in a file that is empty, or ours of another form."""
    application, form = _form(connection)
    if (application, form) == (_APPLICATION_ID, _FORM):
        return  # another run was faster
    names = [n for (n,) in connection.execute("SELECT name FROM sqlite_master WHERE type='table'")]
    if application != _APPLICATION_ID and {"entries", "engines"} <= set(names):
        raise _Damaged("its mark is damaged")
    if application != _APPLICATION_ID and (application or names):
        raise _Foreign("it is a database of another program")
    for name in names:
        connection.execute(f'DROP TABLE "{name}"')
    for statement in _TABLES.strip().split(";")[:-1]:
        connection.execute(statement)
    connection.execute(f"PRAGMA application_id = {_APPLICATION_ID}")
    connection.execute(f"PRAGMA user_version = {_FORM}")


def _form(connection: sqlite3.Connection) -> tuple[int, int]:
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    (form,) = connection.execute("PRAGMA user_version").fetchone()
    return application, form


def _checksum(key: str, seconds: float, text: str) -> str:
    return sha256(f"{key} {seconds!r} {text}".encode()).hexdigest()


def _head(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            return file.read(_ID_OFFSET + 4)
    except OSError:
        return b""


def _is_ours(head: bytes) -> bool:
    return head.startswith(_HEADER) and head[_ID_OFFSET:] == _APPLICATION_ID.to_bytes(4, "big")


def _is_damage(error: Exception) -> bool:
    if isinstance(error, sqlite3.Error):
        # A table that is missing, or has other columns, is damage too.
        code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF
        return code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_ERROR)
    return isinstance(error, (_Damaged, UnicodeError))


def _why(error: Exception) -> str:
    if isinstance(error, OSError) and error.strerror:
        return error.strerror.lower()
    if isinstance(error, UnicodeError):
        return "its tables are damaged"
    text = "".join(c if c.isprintable() else "?" for c in " ".join(str(error).split()))
    return text[:80] or type(error).__name__
