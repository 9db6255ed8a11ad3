"""Does the cache keep what it was given, share it, and do no harm when its file is damaged?"""

from __future__ import annotations

import multiprocessing
import os
import resource
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest

from symcute.run import cache as cache_module
from symcute.run.cache import DEFAULT_PATH, FOR_GOOD, Cache, Entry
from tests.full import many

BODY = {"status": "proved", "certificate": {"parts": [1, 2]}, "text": "M ≥ 1"}


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """Where a cache lies that is nobody else's file."""
    return tmp_path / DEFAULT_PATH


@pytest.fixture
def notices() -> list[str]:
    return []


def filled(path: Path, count: int = 20) -> None:
    with Cache(path, fail) as cache:
        cache.put("e", [Entry(f"k{i}", FOR_GOOD, {**BODY, "i": i}) for i in range(count)])


def fail(notice: str) -> None:
    raise AssertionError(notice)


# --- what it keeps -------------------------------------------------------------------------------


def test_what_is_put_is_there_in_the_next_run(place: Path) -> None:
    filled(place)
    with Cache(place, fail) as cache:
        assert cache.get("k7", 10.0) == {**BODY, "i": 7}
        assert cache.get("k99", 10.0) is None
    assert cache.get("k7", 10.0) is None  # closed


def test_its_own_folder_is_passed_over_by_git(tmp_path: Path) -> None:
    filled(tmp_path / ".symcute" / "cache.sqlite")
    assert (tmp_path / ".symcute" / ".gitignore").read_text() == "*\n"
    filled(tmp_path / "mine" / "cache.sqlite")
    assert not (tmp_path / "mine" / ".gitignore").exists()


def test_an_answer_holds_for_limits_up_to_its_own(place: Path) -> None:
    with Cache(place, fail) as cache:
        cache.put("e", [Entry("k", 10.0, "ten")])
        assert [cache.get("k", s) for s in (1.0, 10.0, 10.5)] == ["ten", "ten", None]
        cache.put("e", [Entry("k", 5.0, "five")])  # no answer for as long: the other stays
        assert cache.get("k", 7.0) == "ten"
        cache.put("e", [Entry("k", 20.0, "twenty")])
        assert cache.get("k", 15.0) == "twenty"
        cache.put("e", [Entry("k", FOR_GOOD, "proved")])
        cache.put("e", [Entry("k", 30.0, "unknown")])
        assert cache.get("k", 1e6) == "proved"


def test_all_entries_of_a_put_or_none(place: Path) -> None:
    with Cache(place, fail) as cache:
        with pytest.raises(TypeError):
            cache.put("e", [Entry("a", 1.0, 1), Entry("b", 1.0, object())])
        assert cache.get("a", 1.0) is None


def test_entries_of_engines_long_gone_are_dropped(place: Path) -> None:
    with Cache(place, fail) as cache:
        for number in range(12):
            cache.put(f"engine {number}", [Entry(f"k{number}", 1.0, number)])
    with Cache(place, fail) as cache:
        kept = [n for n in range(12) if cache.get(f"k{n}", 1.0) is not None]
    assert kept == list(range(4, 12))


def _write_many(path: Path, who: int) -> None:
    with Cache(path, fail) as cache:
        for i in range(60):
            cache.put("e", [Entry(f"{who}.{i}", 1.0, [who, i]), Entry("shared", float(i), who)])
            assert cache.get(f"{who}.{i}", 1.0) == [who, i]


def test_a_file_that_another_run_begins_meanwhile_is_not_damaged(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    head = cache_module._head

    def and_then_it_is_begun(path: Path) -> bytes:
        monkeypatch.setattr(cache_module, "_head", head)
        found = head(path)
        filled(path)
        return found

    monkeypatch.setattr(cache_module, "_head", and_then_it_is_begun)
    with Cache(place, fail) as cache:
        assert cache.get("k1", 10.0) == {**BODY, "i": 1}


def test_several_runs_share_it(place: Path) -> None:
    context = multiprocessing.get_context("spawn")
    runs = [context.Process(target=_write_many, args=(place, who)) for who in range(3)]
    for run in runs:
        run.start()
    for run in runs:
        run.join(120)
    assert [run.exitcode for run in runs] == [0, 0, 0]
    with Cache(place, fail) as cache:
        for who in range(3):
            assert all(cache.get(f"{who}.{i}", 1.0) == [who, i] for i in range(60))


def test_reading_changes_nothing(place: Path, notices: list[str]) -> None:
    with Cache(place, notices.append, readonly=True) as cache:
        assert cache.get("k1", 1.0) is None
    assert notices == [f"the cache {place} is not used: unable to open database file"]
    assert not place.parent.exists()
    filled(place)
    before = place.read_bytes()
    with Cache(place, fail, readonly=True) as cache:
        assert cache.get("k1", 1.0) == {**BODY, "i": 1}
        cache.put("e", [Entry("new", 1.0, 1)])
        assert cache.get("new", 1.0) is None
    assert place.read_bytes() == before


# --- damage --------------------------------------------------------------------------------------


def garbage(path: Path) -> None:
    path.write_bytes(b"this is no database\n" * 500)


def truncated(path: Path) -> None:
    os.truncate(path, path.stat().st_size // 2)


def torn(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[4096:] = os.urandom(len(data) - 4096)
    path.write_bytes(data)


def without_tables(path: Path) -> None:
    with sqlite3.connect(path) as other:
        other.execute("DROP TABLE entries")
    other.close()


def other_columns(path: Path) -> None:
    with sqlite3.connect(path) as other:
        other.execute("DROP TABLE entries")
        other.execute("CREATE TABLE entries (key TEXT PRIMARY KEY, verdict TEXT)")
    other.close()


@pytest.mark.parametrize("damage", [garbage, truncated, torn, without_tables, other_columns])
def test_a_damaged_file_is_set_aside(
    damage: Callable[[Path], None], place: Path, notices: list[str]
) -> None:
    filled(place, 400)
    damage(place)
    harmed = place.read_bytes()
    with Cache(place, notices.append) as cache:
        assert cache.get("k1", 1.0) is None
        cache.put("e", [Entry("k1", 1.0, "anew")])
        assert cache.get("k1", 1.0) == "anew"
    (notice,) = notices
    assert notice.startswith(f"the cache {place} is damaged (")
    assert notice.endswith("): it is now cache.sqlite.damaged, and a fresh one is begun")
    assert "\n" not in notice
    assert place.with_name("cache.sqlite.damaged").read_bytes() == harmed
    with Cache(place, fail) as cache:
        assert cache.get("k1", 1.0) == "anew"


def test_damaged_files_are_numbered(place: Path, notices: list[str]) -> None:
    for _ in range(3):
        filled(place)
        garbage(place)
        with Cache(place, notices.append) as cache:
            assert cache.on
    names = ["cache.sqlite.damaged", "cache.sqlite.damaged.2", "cache.sqlite.damaged.3"]
    assert [notice.split()[-7].rstrip(",") for notice in notices] == names
    assert all(place.with_name(name).read_bytes().startswith(b"this is no") for name in names)


def test_any_byte_may_be_damaged(place: Path) -> None:
    """One byte changed: nothing wrong is handed out, one notice, and the next run is well."""
    filled(place)
    data = place.read_bytes()
    told = 0
    changes = [
        (k, m) for m in (0xFF, 0x80, 0x01) for k in range(m % 64, len(data), many(631, 211, 421))
    ]
    header = [(k, m) for m in (0xFF, 0x01) for k in range(0, 100, many(2, 1, 1))]
    for k, mask in [*changes, *header]:
        for old in place.parent.iterdir():
            old.unlink()
        place.write_bytes(data[:k] + bytes([data[k] ^ mask]) + data[k + 1 :])
        with Cache(place, (said := list[str]()).append) as c:
            kept = [c.get(f"k{i}", 10.0) for i in range(20)]
            c.put("e", [Entry("new", 1.0, k)])
        assert all(body in (None, {**BODY, "i": i}) for i, body in enumerate(kept)), k
        assert len(said) <= 1, said
        assert all(notice.isprintable() for notice in said)
        told += len(said)
        with Cache(place, fail) as c:
            assert c.get("new", 1.0) == k
    assert told >= 50


@pytest.mark.parametrize("size", [0, 1, 15, 100, 4095, 4097])
def test_a_file_that_was_cut_off(size: int, place: Path, notices: list[str]) -> None:
    filled(place, 100)
    os.truncate(place, size)
    with Cache(place, notices.append) as cache:
        cache.put("e", [Entry("k1", 1.0, "anew")])
    assert len(notices) == (size > 1)  # SQLite takes a file of one byte for a new one
    with Cache(place, fail) as cache:
        assert cache.get("k1", 1.0) == "anew"


@pytest.mark.parametrize("column", ["body", "checksum", "seconds", "key"])
def test_an_entry_that_was_changed_is_no_verdict(
    column: str, place: Path, notices: list[str]
) -> None:
    filled(place)
    changed = {
        "body": "replace(body, 'proved', 'refuted')",
        "checksum": "'0'",
        "seconds": "5.0",
        "key": "'stolen'",
    }
    with sqlite3.connect(place) as other:
        # A verdict under another claim's key is the worst that could happen.
        other.execute(f"UPDATE entries SET {column} = {changed[column]} WHERE key = 'k3'")
    other.close()
    with Cache(place, notices.append) as cache:
        assert cache.get("stolen" if column == "key" else "k3", 1.0) is None
    reason = "an entry is not what was stored"
    assert notices == [
        f"the cache {place} is damaged ({reason}): it is now cache.sqlite.damaged, "
        "and a fresh one is begun"
    ]


def test_a_cache_of_another_form_is_emptied(place: Path) -> None:
    filled(place)
    with sqlite3.connect(place) as other:
        other.execute("PRAGMA user_version = 999")
    other.close()
    with Cache(place, fail) as cache:
        assert cache.get("k1", 1.0) is None
        cache.put("e", [Entry("k1", 1.0, "anew")])
        assert cache.get("k1", 1.0) == "anew"


@pytest.mark.parametrize("kind", ["text", "database"])
def test_files_of_others_are_left_alone(kind: str, tmp_path: Path, notices: list[str]) -> None:
    file = tmp_path / "precious"
    if kind == "text":
        file.write_text("dear diary\n" * 100)
        reason = "file is not a database"
    else:
        with sqlite3.connect(file) as other:
            other.execute("CREATE TABLE accounts (name TEXT)")
        other.close()
        reason = "it is a database of another program"
    before = file.read_bytes()
    with Cache(file, notices.append) as cache:
        assert not cache.on
        cache.put("e", [Entry("k", 1.0, 1)])
        assert cache.get("k", 1.0) is None
    assert notices == [f"the cache {file} is not used: {reason}"]
    assert file.read_bytes() == before
    assert [p.name for p in tmp_path.iterdir()] == ["precious"]


# --- a place that cannot be used -----------------------------------------------------------------


def test_places_where_nothing_can_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    (tmp_path / "folder").mkdir()
    for path, reason in [
        (tmp_path / "file" / "x" / "cache.sqlite", "not a directory"),
        (tmp_path / "folder", "unable to open database file"),
        (Path("/proc/symcute/cache.sqlite"), "no such file or directory"),
    ]:
        notices: list[str] = []
        with Cache(path, notices.append) as cache:
            cache.put("e", [Entry("k", 1.0, 1)])
            assert cache.get("k", 1.0) is None
        assert notices == [f"the cache {path} is not used: {reason}"]


def test_a_file_that_can_only_be_read_is_read(place: Path, notices: list[str]) -> None:
    filled(place)
    code = f"""
import os, sys
from pathlib import Path
from symcute.run.cache import Cache, Entry
if os.getuid() == 0:
    os.setuid(65534)  # root may write anywhere
cache = Cache(Path({str(place)!r}), print)
print(cache.get("k1", 1.0)["i"])
cache.put("e", [Entry("k", 1.0, 1)])
print(cache.on)
"""
    for path in (*place.parents[:2], place):
        path.chmod(0o755 if path.is_dir() else 0o444)
    for folder in place.parents[2:]:
        if folder == Path(tempfile.gettempdir()):
            break
        folder.chmod(0o755)  # up to where everybody may go
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    if "Permission" in done.stderr and not done.stdout:
        pytest.skip("the test's folder cannot be reached without rights")
    assert done.stdout.splitlines() == [
        "1",
        f"the cache {place} is not used: attempt to write a readonly database",
        "False",
    ]


FULL = """
import resource, sys
from pathlib import Path
from symcute.run.cache import Cache, Entry
cache = Cache(Path(sys.argv[1]), print)
cache.put("e", [Entry("small", 1.0, 1)])
resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, 200_000))
cache.put("e", [Entry(f"k{i}", 1.0, "x" * 1000) for i in range(1000)])
print(cache.on, cache.get("small", 1.0))
"""


def test_a_full_disk_ends_the_use_of_it_and_loses_nothing(place: Path) -> None:
    assert resource.getrlimit(resource.RLIMIT_FSIZE)[0] == resource.RLIM_INFINITY
    done = subprocess.run(
        [sys.executable, "-c", FULL, str(place)], capture_output=True, text=True, check=False
    )
    assert done.stderr == ""
    notice, state = done.stdout.splitlines()
    assert notice.startswith(f"the cache {place} is not used: ")
    assert notice.endswith(("disk I/O error", "database or disk is full"))
    assert state == "False None"
    with Cache(place, fail) as cache:
        assert cache.get("small", 1.0) == 1
        assert cache.get("k1", 1.0) is None


def test_a_file_that_another_process_holds_is_done_without(
    place: Path, notices: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    filled(place)
    monkeypatch.setattr(cache_module, "_BUSY_S", 0.1)
    with Cache(place, notices.append) as cache:
        other = sqlite3.connect(place, isolation_level=None)
        other.execute("BEGIN EXCLUSIVE")
        cache.put("e", [Entry("k", 1.0, 1)])
        other.execute("ROLLBACK")
        other.close()
    assert notices == [f"the cache {place} is not used: database is locked"]
