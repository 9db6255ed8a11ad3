"""Do theorems run by several workers have the same results, whatever happens to the workers?"""

from __future__ import annotations

import multiprocessing
import os
import time
from collections.abc import Callable
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from symcute import Injective, Layout, assuming, dims
from symcute.claims.language import read_claim
from symcute.errors import InputError
from symcute.prover.theorems import Theorem, find
from symcute.run import run_all, runner, store
from symcute.run.keys import claim_key, self_contained, structure
from symcute.run.results import ResultCache
from symcute.run.runner import results

HEAD = '''"""Theorems."""

from symcute import Injective, Layout, dims, theorem

'''
GOOD = '''
@theorem(given=["LD >= N"])
def good_{n}():
    """Padded rows."""
    M, N, LD = dims("M N LD")
    return Injective(Layout((M, N), (LD + {n}, 1)))

'''
BAD = '''
@theorem()
def {name}():
    """Does harm."""
    {deed}
    return Injective(Layout(4))

'''


def library(folder: Path, *deeds: tuple[str, str], good: int = 6) -> list[Theorem]:
    """Write a theorem file: good theorems, and among them some that do harm."""
    texts = [GOOD.format(n=n) for n in range(good)]
    for index, (name, deed) in enumerate(deeds):
        texts.insert(2 * index + 1, BAD.format(name=name, deed=deed))
    file = folder / "library.py"
    file.write_text(HEAD + "".join(texts))
    return find([file])


def statuses(records: list[dict[str, Any]]) -> dict[str, str]:
    return {r["name"]: r["status"] for r in records}


def plain(records: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the records without the times."""
    found = []
    for r in records:
        parts = [{k: v for k, v in p.items() if k != "seconds"} for p in r["parts"]]
        found.append({**{k: v for k, v in r.items() if k != "seconds"}, "parts": parts})
    return found


# --- executors -----------------------------------------------------------------------------------


def test_every_executor_gives_the_same(tmp_path: Path) -> None:
    theorems = library(tmp_path, ("wrong", "return Injective(Layout(4, 0))"), ("odd", "1 / 0"))
    local = run_all(theorems, jobs=2)
    assert [r["name"] for r in local] == [t.name for t in theorems]
    assert statuses(local)["wrong"] == "refuted"
    assert [s for n, s in statuses(local).items() if n.startswith("good")] == ["proved"] * 6
    (odd,) = (r for r in local if r["name"] == "odd")
    assert odd["status"] == "error"
    assert odd["ok"] is False
    assert odd["reason"].endswith("raised ZeroDivisionError: division by zero")
    with ThreadPoolExecutor(3) as threads:
        assert plain(run_all(theorems, executor=threads)) == plain(local)
        assert threads.submit(abs, -1).result() == 1  # it is not shut down
    spawn = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(2, spawn) as processes:
        assert plain(run_all(theorems, executor=processes)) == plain(local)


def test_progress_is_told_and_the_order_is_kept(tmp_path: Path) -> None:
    told: list[str] = []
    theorems = library(tmp_path)
    records = run_all(theorems, jobs=2, progress=lambda r: told.append(r["name"]))
    assert [r["name"] for r in records] == [t.name for t in theorems]
    assert sorted(told) == sorted(t.name for t in theorems)


def test_assumptions_of_the_caller_do_not_reach_theorems(tmp_path: Path) -> None:
    file = tmp_path / "rows.py"
    file.write_text(HEAD + GOOD.format(n=0).replace('given=["LD >= N"]', ""))
    with assuming("LD >= N"), ThreadPoolExecutor(1) as threads:
        (record,) = run_all(find([file]), executor=threads)
    assert record["status"] == "refuted"


def test_a_theorem_from_no_file_is_refused(tmp_path: Path) -> None:
    (first, *_) = library(tmp_path)
    with pytest.raises(InputError, match=r"^the theorem good_0 was not read from a file; find it"):
        run_all([replace(first, text=b"")])


# --- workers that die ----------------------------------------------------------------------------

DIE = "import os, signal; os.kill(os.getpid(), signal.SIGKILL)"
DIED = "the process that ran it died, and once more when it ran alone (died (signal 9))"


def test_a_theorem_that_kills_its_worker_harms_no_other(tmp_path: Path) -> None:
    theorems = library(tmp_path, ("deadly", DIE), ("fatal", DIE), good=12)
    records = {r["name"]: r for r in run_all(theorems, jobs=2)}
    assert len(records) == 14
    for name, record in records.items():
        if name in ("deadly", "fatal"):
            assert (record["status"], record["ok"]) == ("unknown", False)
            assert record["reason"] == DIED
        else:
            assert record["status"] == "proved"


def test_a_worker_killed_once_loses_nothing(tmp_path: Path) -> None:
    flag = tmp_path / "flag"
    once = f"""from pathlib import Path
    if not Path({str(flag)!r}).exists():
        Path({str(flag)!r}).touch()
        {DIE}"""
    records = run_all(library(tmp_path, ("unlucky", once), good=12), jobs=2)
    assert flag.exists()
    assert set(statuses(records).values()) == {"proved"}
    assert len(records) == 13


def test_a_theorem_that_eats_memory_is_unknown(tmp_path: Path) -> None:
    hog = "x = bytearray(3 * 2**30)"
    records = run_all(library(tmp_path, ("hog", hog)), jobs=2, memory_mb=600)
    found = {r["name"]: r for r in records}
    assert found["hog"]["reason"] == "memory limit"
    assert [r["status"] for n, r in found.items() if n != "hog"] == ["proved"] * 6


def test_a_theorem_that_never_ends_is_unknown(tmp_path: Path) -> None:
    stubborn = """while True:
        try:
            pass
        except Exception:
            pass"""
    records = run_all(library(tmp_path, ("endless", stubborn)), jobs=2, limit=3.0)
    found = {r["name"]: r for r in records}
    assert found["endless"]["reason"] == "time limit of 3 s for the whole theorem"
    assert [r["status"] for n, r in found.items() if n != "endless"] == ["proved"] * 6


def test_a_given_pool_that_breaks_keeps_what_is_done(tmp_path: Path) -> None:
    theorems = library(tmp_path, ("deadly", f"import time; time.sleep(2); {DIE}"), good=4)
    told: list[str] = []
    with ProcessPoolExecutor(1) as pool:
        records = run_all(theorems, executor=pool, progress=lambda r: told.append(r["name"]))
    assert statuses(records)["good_0"] == "proved"
    for name in ("deadly", "good_3"):
        (record,) = (r for r in records if r["name"] == name)
        assert record["status"] == "unknown"
        assert record["reason"].startswith("the executor takes no more work: BrokenProcessPool: ")
    assert sorted(told) == sorted(t.name for t in theorems)


class Flaky(Executor):
    """Runs what it gets at once; some futures come to nothing, and some day it is closed."""

    def __init__(self, loses: Callable[[int], bool], ends: int = 10**6) -> None:
        self.loses, self.ends, self.count = loses, ends, 0

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        self.count += 1
        if self.count > self.ends:
            raise RuntimeError("cannot schedule new futures after shutdown")
        future: Future[Any] = Future()
        if self.loses(self.count):
            future.set_exception(ConnectionError("the worker is gone"))
        else:
            future.set_result(fn(*args, **kwargs))
        return future


def test_a_lost_task_is_run_once_more_and_not_twice(tmp_path: Path) -> None:
    theorems = library(tmp_path)
    once = Flaky(lambda n: n <= 6)
    assert set(statuses(run_all(theorems, executor=once)).values()) == {"proved"}
    assert once.count == 12
    never = Flaky(lambda n: True)
    records = run_all(theorems, executor=never)
    assert never.count == 12
    assert {r["reason"] for r in records} == {
        "the process that ran it died, and once more when it ran alone "
        "(ConnectionError: the worker is gone)"
    }


def test_an_executor_that_is_closed_is_told(tmp_path: Path) -> None:
    records = run_all(library(tmp_path), executor=Flaky(lambda n: False, ends=2))
    assert [r["status"] for r in records] == ["proved"] * 2 + ["unknown"] * 4
    assert {r["reason"] for r in records[2:]} == {
        "the executor takes no more work: RuntimeError: cannot schedule new futures after shutdown"
    }


def test_a_worker_with_another_engine_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    theorems = library(tmp_path)
    real = runner.this_engine()
    version = real.version.replace("sympy=", "sympy=0.0.").replace("sources=", "sources=0")
    monkeypatch.setattr(runner, "this_engine", lambda: replace(real, version=version))
    with ThreadPoolExecutor(1) as threads:
        records = run_all(theorems, executor=threads)
    for record in records:
        assert record["status"] == "unknown"
        assert record["reason"].endswith(
            "has another engine (sources, sympy differ); "
            "install the same symcute and libraries there"
        )


# --- keys ----------------------------------------------------------------------------------------


def test_the_key_of_a_claim_has_what_matters_and_nothing_else(tmp_path: Path) -> None:
    theorem = library(tmp_path)[0]
    M, N, LD = dims("M N LD")
    claim = Injective(Layout((M, N), (LD, 1)))
    key = claim_key("engine", theorem, claim)
    assert key is not None
    same = {"name": "x", "file": "y.py", "line": 9, "statement": "s", "details": "d"}
    same |= {"expected": "refuted", "source": "s", "corrects": "c", "text": b"other"}
    for field, value in same.items():
        assert claim_key("engine", replace(theorem, **{field: value}), claim) == key, field
    assert claim_key("engine", theorem, Injective(Layout((M, N), (LD, 1)))) == key
    others = [
        claim_key("engine 2", theorem, claim),
        claim_key("engine", replace(theorem, given=("LD >= N", "M >= 2")), claim),
        claim_key("engine", replace(theorem, given=()), claim),
        claim_key("engine", replace(theorem, solvers=("z3",)), claim),
        claim_key("engine", theorem, Injective(Layout((M, N), (LD, 2)))),
        claim_key("engine", theorem, Injective(Layout((M, (N, 1)), (LD, (1, 0))))),
        # The same of the same layouts, by operations that a report and a certificate show.
        *(claim_key("engine", theorem, read_claim(f"{x} == 4")) for x in ("size(4:2)", "4", "2+2")),
    ]
    assert len({key, *others}) == len(others) + 1
    assert None not in others


def test_what_has_no_structure_has_no_key(tmp_path: Path) -> None:
    theorem = library(tmp_path)[0]

    class Strange:
        pass

    assert claim_key("engine", theorem, (1, Strange())) is None
    with pytest.raises(TypeError, match="float"):
        structure(1.5)
    assert structure(("a,b",)) != structure(("a", "b"))
    assert structure(1) != structure("1") != structure(True)


@pytest.mark.parametrize(
    "text",
    [
        "import random",
        "import os.path",
        "from pathlib import Path",
        "from . import helpers",
        "import helpers",
        "import symcute.solve.solvers",
        "from symcute import solvers",
        "from symcute.prover.theorems import sys",
        "from symcute.solve.solvers import solve",
        "def f():\n    import time",
        "open('x')",
        "eval('1')",
        "__import__('os')",
        "f.__globals__",
        "getattr(f, 'x')",
        "x = list({'a', 'b'})",
        "x = {c for c in 'ab'}",
        "x = list(set('ab'))",
        "x = (",
        "\0",
    ],
)
def test_what_reaches_outside_does_not_stand_for_itself(text: str) -> None:
    good = "from itertools import product\nfrom symcute import Layout, theorem\n"
    assert self_contained(good.encode())
    assert not self_contained((good + text).encode())


# --- the shelf -----------------------------------------------------------------------------------


@pytest.fixture
def place(tmp_path: Path) -> Path:
    return tmp_path / ".symcute" / "cache.sqlite"


def run_with(place: Path, file: Path, **options: Any) -> list[dict[str, Any]]:
    """Run a file as a command does: theorems that are known are not even loaded."""
    with ResultCache(place, _fail) as opened:
        theorems = find([file], load=opened.load)
        records = {r["name"]: r for r in results(theorems, jobs=2, shelf=opened, **options)}
    return [records[t.name] for t in theorems]


def _fail(notice: str) -> None:
    raise AssertionError(notice)


def test_the_second_run_is_the_first_from_the_cache(tmp_path: Path, place: Path) -> None:
    library(tmp_path, ("wrong", "return Injective(Layout((2, 2), (1, 1)))"))
    file = tmp_path / "library.py"
    first, second = run_with(place, file), run_with(place, file)
    assert not any(r["cached"] or p["cached"] for r in first for p in r["parts"])
    assert all(r["cached"] and p["cached"] for r in second for p in r["parts"])

    def without_marks(records: list[dict[str, Any]]) -> list[dict[str, Any]]:
        return [
            {**r, "cached": 0, "parts": [{**p, "cached": 0} for p in r["parts"]]} for r in records
        ]

    assert without_marks(second) == without_marks(first)
    assert first[0]["parts"][0]["certificate"] is not None


def test_a_change_of_the_file_costs_only_what_changed(tmp_path: Path, place: Path) -> None:
    library(tmp_path)
    file = tmp_path / "library.py"
    run_with(place, file)
    text = file.read_text()
    changed = text.replace("good_2", "renamed").replace("Padded rows", "Rows with padding")
    file.write_text(changed + BAD.format(name="added", deed="pass"))
    found = {r["name"]: r for r in run_with(place, file)}
    assert found["renamed"]["cached"] is True
    assert found["renamed"]["statement"] == "Rows with padding."
    assert [n for n, r in found.items() if not r["cached"]] == ["added"]
    file.write_text(text.replace("LD >= N", "LD >= N + 1"))
    assert not any(r["cached"] for r in run_with(place, file))
    file.write_text(text.replace('["LD >= N"]', "[]"))
    assert {r["status"] for r in run_with(place, file)} == {"refuted"}


def test_a_file_that_reaches_outside_is_run_every_time(tmp_path: Path, place: Path) -> None:
    extent = tmp_path / "extent"
    extent.write_text("0")
    deed = f"return Injective(Layout(4, int(open({str(extent)!r}).read())))"
    library(tmp_path, ("outside", deed), good=2)
    file = tmp_path / "library.py"
    assert statuses(run_with(place, file))["outside"] == "refuted"
    extent.write_text("1")
    found = {r["name"]: r for r in run_with(place, file)}
    assert found["outside"]["status"] == "proved"
    assert found["outside"]["cached"] is False
    assert found["good_0"]["cached"] is True  # the claim is what it was


def test_a_claim_without_a_key_is_remembered_only_with_a_text_that_says_it_all(
    tmp_path: Path, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("symcute.run.task.claim_key", lambda *_: None)
    library(tmp_path, good=1)
    file = tmp_path / "library.py"
    assert [run_with(place, file)[0]["cached"] for _ in range(2)] == [False, True]
    extent = tmp_path / "extent"
    extent.write_text("0")
    library(
        tmp_path, ("outside", f"return Injective(Layout(4, int(open({str(extent)!r}).read())))")
    )
    assert statuses(run_with(place, file))["outside"] == "refuted"
    extent.write_text("1")
    records = run_with(place, file)
    assert statuses(records)["outside"] == "proved"
    assert not any(r["cached"] for r in records)


FERMAT = '''
@theorem(expect="unknown")
def fermat():
    """No cube is the sum of two."""
    return "not x**3 + y**3 == z**3"

'''


def test_a_mistake_is_not_the_unknown_that_was_expected(tmp_path: Path, place: Path) -> None:
    file = tmp_path / "mistake.py"
    file.write_text(HEAD + FERMAT.replace('"not x**3 + y**3 == z**3"', "True"))
    (record,) = run_with(place, file)
    assert (record["status"], record["ok"]) == ("error", False)


def test_an_unknown_answers_for_no_longer_time(tmp_path: Path, place: Path) -> None:
    file = tmp_path / "fermat.py"
    file.write_text(HEAD + FERMAT)
    cached = []
    for timeout in (0.5, 0.5, 0.2, 1.0, 0.5, 1.0):
        (record,) = run_with(place, file, timeout=timeout, limit=60.0)
        assert "time limit of" in record["reason"]
        cached.append(record["cached"])
    assert cached == [False, True, True, False, True, True]


@pytest.mark.parametrize("deed", ["1 / 0", DIE, "x = bytearray(3 * 2**30)"])
def test_a_mishap_is_not_remembered(tmp_path: Path, place: Path, deed: str) -> None:
    library(tmp_path, ("mishap", deed), good=1)
    file = tmp_path / "library.py"
    for _ in range(2):
        found = {r["name"]: r for r in run_with(place, file, memory_mb=600)}
        assert found["mishap"]["status"] == ("error" if deed == "1 / 0" else "unknown")
        assert found["mishap"]["cached"] is False


def test_another_engine_has_other_verdicts(
    tmp_path: Path, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    library(tmp_path, good=2)
    file = tmp_path / "library.py"
    run_with(place, file)
    real = store.this_engine()
    other = replace(real, version=real.version + "x")
    monkeypatch.setattr(store, "this_engine", lambda: other)
    # Workers hold the tasks' engine against theirs only where they are not our own copies.
    assert not any(r["cached"] for r in run_with(place, file) if r["status"] == "proved")


def test_an_engine_that_changes_under_way_keeps_nothing(
    tmp_path: Path, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    library(tmp_path, good=2)
    real = store.this_engine()
    monkeypatch.setattr(store, "this_engine", lambda: replace(real, stamps=()))
    notices: list[str] = []
    with ResultCache(place, notices.append) as opened:
        find([tmp_path / "library.py"], load=opened.load)
    assert notices == ["the sources of symcute changed during the run: its verdicts are not cached"]


def test_no_worker_is_left(tmp_path: Path) -> None:
    before = set(multiprocessing.active_children())
    run_all(library(tmp_path, ("deadly", DIE)), jobs=2)
    deadline = time.monotonic() + 10
    while set(multiprocessing.active_children()) - before and time.monotonic() < deadline:
        time.sleep(0.05)
    assert set(multiprocessing.active_children()) <= before
    assert os.getpid() == multiprocessing.current_process().pid


def test_a_text_is_made_once_of_the_same(tmp_path: Path) -> None:
    made: list[str] = []

    def text(of: str, place: Path | None = tmp_path / "cache.sqlite") -> str:
        def make() -> str:
            made.append(of)
            return f"page of {of} \ud800"

        with store.Store(place) as kept:
            return kept.text("report.html", of, make)

    assert text("one") == "page of one \ud800"
    assert text("one") == "page of one ?"
    assert (text("two")[:11], text("two")[:11], text("one")[:11]) == (
        "page of two", "page of two", "page of one",
    )  # fmt: skip
    assert made == ["one", "two", "one"]
    text("one", None)
    assert made[3:] == ["one"]
