"""`symcute verify`: table, report, exit codes, Ctrl-C, a clean checkout."""

from __future__ import annotations

import json
import os
import re
import resource
import shutil
import signal
import sqlite3
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path

import pytest

from tests.e2e.terminals import started, wait_for

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_all_as_expected(symcute, rows: Path, tmp_path: Path, jobs) -> None:
    outcome = symcute("verify", "proofs", "--jobs", jobs)
    assert outcome.code == 0
    table = outcome.out.splitlines()
    assert table[0].split() == ["theorem", "verdict", "time", "how"]
    assert table[1].split()[:2] == ["padded_rows", "proved"]
    assert table[2].split()[:2] == ["any_rows", "refuted"]
    assert table[3].startswith("    counterexample LD=1, M=2, N=2: ")
    assert table[4].split()[:2] == ["small_tiles", "proved"]
    assert table[-2].startswith("3 theorems: 2 proved, 1 refuted, 0 unknown; all as expected, in ")
    assert table[-1] == "report: reports/latest/report.html"
    # Without a terminal there is no progress.
    assert outcome.err == ""
    report = json.loads((tmp_path / "reports/latest/report.json").read_text(encoding="utf-8"))
    assert report["schema"] == {"name": "symcute-report", "version": 1}
    assert report["finished"] is True
    assert report["totals"]["as_expected"] == 3
    assert [t["name"] for t in report["theorems"]] == ["padded_rows", "any_rows", "small_tiles"]
    assert "(check-sat)" in report["theorems"][0]["parts"][0]["formula"]


def test_an_unexpected_verdict_is_exit_code_1(symcute, rows: Path) -> None:
    rows.write_text(rows.read_text().replace('expect="refuted"', 'expect="proved"'))
    outcome = symcute("verify", "proofs", "--quiet")
    assert outcome.code == 1
    assert outcome.err == ""
    assert "EXPECTED proved" in outcome.out
    assert "padded_rows" not in outcome.out
    assert "1 not as expected" in outcome.out
    assert "not as expected:" not in symcute("verify", "proofs").out


@pytest.mark.full
def test_a_long_table_tells_of_the_unexpected_once_more_at_its_end(symcute, rows: Path) -> None:
    text = rows.read_text().replace('expect="refuted"', 'expect="proved"')
    more = '\n\n@theorem()\ndef small_{}():\n    """S."""\n    return "injective(4:1)"\n'
    rows.write_text(text + "".join(more.format(k) for k in range(20)))
    table, _, end = symcute("verify", "proofs").out.partition("\nnot as expected:\n")
    assert [part.count("EXPECTED proved") for part in (table, end)] == [1, 1]
    assert "any_rows" in end
    assert "padded_rows" not in end


def test_a_theorem_whose_code_fails_is_an_error_and_the_others_run(symcute, rows: Path) -> None:
    rows.write_text(
        rows.read_text() + '\n\n@theorem()\ndef broken():\n    """B."""\n    return 1 / 0\n'
    )
    outcome = symcute("verify", "proofs")
    assert outcome.code == 2
    assert "proofs/rows.py:30 raised ZeroDivisionError: division by zero" in outcome.out
    assert "4 theorems: 2 proved, 1 refuted, 0 unknown, 1 error; 1 not as expected" in outcome.out


@pytest.mark.parametrize(
    "claim", ['"injectve(4)"', '"injective((4,8"', "3", '"size((True,4)) == 4"']
)
def test_a_claim_that_is_a_mistake_is_never_the_verdict_expected(
    symcute, rows: Path, claim: str
) -> None:
    rows.write_text(
        "from symcute import theorem\n\n\n"
        f'@theorem(expect="unknown")\ndef mistaken():\n    """B."""\n    return {claim}\n'
    )
    outcome = symcute("verify", "proofs")
    assert outcome.code == 2
    assert re.search(r"mistaken +error .*could not be run  EXPECTED unknown", outcome.out)
    assert "0 unknown, 1 error; 1 not as expected" in outcome.out
    concise = symcute("verify", "proofs", "--output-format", "concise")
    assert concise.code == 2
    assert "rows.py:4:1: error: mistaken could not be run" in concise.out


def test_a_decorator_without_parentheses_is_bad_input(symcute, rows: Path) -> None:
    rows.write_text(
        rows.read_text().replace('@theorem(given=["LD >= N"], corrects="any_rows")', "@theorem")
    )
    outcome = symcute("verify", "proofs")
    assert (outcome.code, outcome.out) == (2, "")
    assert outcome.err == (
        "symcute: proofs/rows.py: @theorem without parentheses\nwrite @theorem()\n"
    )


def test_only_takes_a_pattern(symcute, rows: Path) -> None:
    assert "1 theorem: 0 proved, 1 refuted" in symcute("verify", "proofs", "--only", "any*").out
    assert "2 theorems" in symcute("verify", "proofs", "--only", "rows").out
    nothing = symcute("verify", "proofs", "--only", "nothing*")
    assert (nothing.code, nothing.out) == (2, "")


@pytest.mark.parametrize("path", ["absent", "empty", "broken.py", "notes.txt"])
def test_what_holds_no_theorem_is_bad_input(symcute, tmp_path: Path, path) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "broken.py").write_text("def (:\n")
    (tmp_path / "notes.txt").write_text("hello")
    outcome = symcute("verify", path)
    assert (outcome.code, outcome.out) == (2, "")
    assert path in outcome.err
    assert len(outcome.err.splitlines()) == 2


@pytest.mark.full
def test_files_can_go_elsewhere(symcute, rows: Path, tmp_path: Path) -> None:
    args = ("--out", "a/b", "--json", "c/d.json", "--html", "c/d.html")
    assert symcute("verify", "proofs", *args).code == 0
    assert (tmp_path / "a/b/report.json").read_text() == (tmp_path / "c/d.json").read_text()
    assert (tmp_path / "c/d.html").read_text().startswith("<!DOCTYPE html>")
    assert not (tmp_path / "reports").exists()
    wrong = symcute("verify", "proofs", "--out", "proofs/rows.py/x")
    assert wrong.code == 2
    assert wrong.err.startswith("symcute: cannot write proofs/rows.py/x/report.json: ")


class Page(HTMLParser):
    """Collects what a page asks the network for, and the tags it has."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.outside: list[str] = []
        self.tags: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        for name, value in attrs:
            if name == "src" or (name == "href" and (value or "").startswith(("http", "//"))):
                self.outside.append(f"{tag} {name}={value}")


def test_the_page_is_one_file_that_shows_the_truth(symcute, rows: Path, tmp_path: Path) -> None:
    symcute("verify", "proofs")
    text = (tmp_path / "reports/latest/report.html").read_text(encoding="utf-8")
    page = Page(text)
    assert page.outside == []
    assert page.tags.count("article") == 1  # the one wrong statement
    assert "<b>injective</b>" not in text
    assert "&lt;b&gt;injective&lt;/b&gt;" in text
    assert 'href="../../proofs/rows.py#L7"' in text
    assert "True instead" in text
    for status in ("proved", "refuted"):
        assert f'<span class="badge {status}">{status}</span>' in text


@pytest.mark.full
def test_ctrl_c_writes_what_is_finished(rows: Path, tmp_path: Path) -> None:
    rows.write_text(
        rows.read_text()
        + '\n\n@theorem()\ndef slow():\n    """S."""\n    import time\n    time.sleep(60)\n'
    )
    process, terminal = started(
        *("verify", "proofs", "--jobs", "2"),
        cwd=tmp_path,
        start_new_session=True,
        # A background job of a shell ignores Ctrl-C, and so would its children.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    wait_for(terminal, "3/4")
    # As a terminal does it: to the whole group, workers included.
    os.killpg(process.pid, signal.SIGINT)
    out, _ = process.communicate(timeout=30)
    assert process.returncode == 130
    os.close(terminal)
    assert "interrupted: what follows is what was finished" in out
    report = json.loads((tmp_path / "reports/latest/report.json").read_text(encoding="utf-8"))
    assert report["finished"] is False
    assert {t["name"] for t in report["theorems"]} == {"padded_rows", "any_rows", "small_tiles"}
    # What was finished need not be done again.
    with sqlite3.connect(tmp_path / ".symcute/cache.sqlite") as cache:
        assert cache.execute("SELECT count(*) FROM entries").fetchone()[0] >= 3
    cache.close()
    with pytest.raises(ProcessLookupError):  # no worker is left
        os.killpg(process.pid, 0)


# --- the cache -----------------------------------------------------------------------------------


def report_of(folder: Path) -> dict:
    return json.loads((folder / "reports/latest/report.json").read_text(encoding="utf-8"))


def test_the_second_run_is_from_the_cache(symcute, rows: Path, tmp_path: Path) -> None:
    first = symcute("verify", "proofs")
    assert "from the cache" not in first.out
    before = report_of(tmp_path)
    second = symcute("verify", "proofs")
    assert second.code == 0
    assert "all as expected, 3 from the cache, in " in second.out
    after = report_of(tmp_path)
    assert after["totals"] == {**before["totals"], "cached": 3}
    for old, new in zip(before["theorems"], after["theorems"], strict=True):
        assert (old.pop("cached"), new.pop("cached")) == (False, True)
        assert [p.pop("cached") for p in old["parts"]] == [False]
        assert [p.pop("cached") for p in new["parts"]] == [True]
        assert new == old


def test_a_page_is_made_anew_when_what_it_is_made_of_changes(
    symcute, rows: Path, tmp_path: Path
) -> None:
    file = tmp_path / "reports/latest/report.html"

    def shown(*options: str) -> str:
        """Run, and return the page without its run."""
        assert symcute("verify", "proofs", *options).code == 0
        return re.sub(r'<p class="meta">symcute [^\n]*', "", file.read_text("utf-8"))

    first = shown()
    file.write_text("something else", encoding="utf-8")
    assert shown() == first
    assert "3 from the cache" in file.read_text("utf-8")
    assert "certificate</a>" not in first
    assert "certificate</a>" in shown("--certificates")
    (tmp_path / "reports/gpu").mkdir()
    (tmp_path / "reports/gpu/machine.json").write_text("no JSON", encoding="utf-8")
    assert "Evidence left out, machine.json" in shown()
    rows.with_suffix(".certificates.jsonl").write_text("no certificate", encoding="utf-8")
    assert "certificate</a>" not in shown()
    before = rows.read_text("utf-8")
    rows.write_text(before.replace("hit every", "reach each"), encoding="utf-8")
    assert "Tiles of a small matrix reach each offset once." in shown()
    rows.write_text(f"#\n{before}", encoding="utf-8")
    line = 2 + before[: before.index("@theorem(source=")].count("\n")
    assert f'rows.py#L{line}"' in shown()


@pytest.mark.full
def test_the_command_itself_loads_neither_sympy_nor_a_solver(rows: Path, tmp_path: Path) -> None:
    command = [sys.executable, "-X", "importtime", "-m", "symcute", "verify", "proofs"]
    heavy = []
    for _ in range(2):
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
        names = {line.rpartition("|")[2].strip() for line in done.stderr.splitlines()}
        heavy.append(sorted(names & {"sympy", "numpy", "z3", "cvc5", "distributed"}))
    # The first run decides in processes of its own, the second has everything from the cache.
    assert heavy == [[], []]


@pytest.mark.full
def test_the_place_of_the_cache(symcute, rows: Path, tmp_path: Path) -> None:
    assert symcute("verify", "proofs", "--no-cache").code == 0
    assert not (tmp_path / ".symcute").exists()
    assert symcute("verify", "proofs", SYMCUTE_CACHE="env.sqlite").code == 0
    assert symcute("verify", "proofs", "--cache", "a/b.sqlite").code == 0
    assert (tmp_path / "env.sqlite").exists()
    assert not (tmp_path / ".symcute").exists()
    again = symcute("verify", "proofs", "--cache", "a/b.sqlite", SYMCUTE_CACHE="none.sqlite")
    assert "3 from the cache" in again.out
    assert not (tmp_path / "none.sqlite").exists()
    fresh = symcute("verify", "proofs", "--cache", "a/b.sqlite", "--no-cache")
    assert "from the cache" not in fresh.out
    assert symcute("verify", "proofs").code == 0
    assert (tmp_path / ".symcute/cache.sqlite").exists()


@pytest.mark.full
def test_a_damaged_cache_is_begun_anew(symcute, rows: Path, tmp_path: Path) -> None:
    cache = tmp_path / ".symcute/cache.sqlite"
    cache.parent.mkdir()
    cache.write_text("garbage " * 1000)
    outcome = symcute("verify", "proofs", "-q")
    assert outcome.code == 0
    assert outcome.err == (
        "symcute: the cache .symcute/cache.sqlite is damaged (file is not a database): "
        "it is now cache.sqlite.damaged, and a fresh one is begun\n"
    )
    again = symcute("verify", "proofs", "-q")
    assert again.err == ""
    assert "3 from the cache" in again.out


@pytest.mark.full
def test_two_runs_share_a_cache(rows: Path, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "symcute", "verify", "proofs", "-q", "--out"]
    runs = [
        subprocess.Popen(
            [*command, f"out{n}"],
            cwd=tmp_path,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for n in range(3)
    ]
    for run in runs:
        out, err = run.communicate(timeout=120)
        assert (run.returncode, err) == (0, "")
        assert "all as expected" in out


def limited(size: int):
    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))

    return limit


def test_a_full_disk_is_told_and_the_results_are_shown(rows: Path, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "symcute", "verify", "proofs", "-q"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        # No file may grow beyond this, as on a disk that is nearly full.
        preexec_fn=limited(1000),
        check=False,
    )
    assert "3 theorems: 2 proved, 1 refuted, 0 unknown; all as expected" in done.stdout
    cache, report, advice = done.stderr.splitlines()
    assert cache.startswith("symcute: the cache .symcute/cache.sqlite is not used: ")
    assert report == "symcute: cannot write reports/latest/report.json: File too large"
    assert advice == "name another place"
    assert done.returncode == 2


# --- trouble with solvers and workers ------------------------------------------------------------


def test_a_solver_that_dies_costs_no_theorem_that_needs_none(
    process, rows: Path, tmp_path: Path
) -> None:
    broken = tmp_path / "broken" / "z3"
    broken.mkdir(parents=True)
    (broken / "__init__.py").write_text("raise SystemExit(3)\n")
    path = os.pathsep.join([str(broken.parent), os.environ.get("PYTHONPATH", "")])
    rows.write_text(
        rows.read_text()
        + '\n\n@theorem()\ndef hard():\n    """Needs a solver."""\n'
        + '    return "not x*x*x*x*x + 7*x == 1000000007*y*y"\n'
    )
    outcome = process("verify", "proofs", PYTHONPATH=path)
    found = {t["name"]: t for t in report_of(tmp_path)["theorems"]}
    assert found["small_tiles"]["status"] == "proved"
    assert found["any_rows"]["status"] == "refuted"
    assert found["hard"]["status"] == "unknown"
    assert "solver died (exit code 3)" in found["hard"]["reason"]
    assert outcome.code == 1


def test_a_theorem_that_kills_its_process_is_unknown_and_the_others_run(
    symcute, rows: Path
) -> None:
    rows.write_text(
        rows.read_text()
        + '\n\n@theorem()\ndef deadly():\n    """D."""\n'
        + "    import os\n    os.kill(os.getpid(), 9)\n"
    )
    outcome = symcute("verify", "proofs", "--jobs", "2")
    assert outcome.code == 1
    assert "4 theorems: 2 proved, 1 refuted, 1 unknown; 1 not as expected" in outcome.out
    assert "the process that ran it died, and once more when it ran alone" in outcome.out


@pytest.mark.full
def test_memory_and_time_of_a_theorem_are_limited(symcute, rows: Path) -> None:
    rows.write_text(
        rows.read_text()
        + '\n\n@theorem()\ndef hog():\n    """H."""\n    return bytearray(3 * 2**30)\n'
        + '\n\n@theorem()\ndef endless():\n    """E."""\n    while True:\n        pass\n'
    )
    outcome = symcute("verify", "proofs", "--memory", "600", "--limit", "3")
    assert outcome.code == 1
    assert "    memory limit\n" in outcome.out
    assert "    time limit of 3 s for the whole theorem\n" in outcome.out
    assert "5 theorems: 2 proved, 1 refuted, 2 unknown; 2 not as expected" in outcome.out


@pytest.mark.full
def test_the_checkout_stays_clean(symcute, rows: Path, tmp_path: Path) -> None:
    shutil.copy(ROOT / ".gitignore", tmp_path)

    def git(*args: str) -> str:
        identity = ("-c", "user.name=t", "-c", "user.email=t@localhost")
        done = subprocess.run(
            ["git", *identity, *args], cwd=tmp_path, capture_output=True, text=True, check=True
        )
        return done.stdout

    git("init", "-q")
    git("add", ".")
    git("commit", "-q", "-m", "start")
    assert symcute("verify", "proofs").code == 0
    assert symcute("gpu", "proofs", "--backend", "cpu").code == 0
    assert git("status", "--porcelain") == ""
    assert (tmp_path / "reports/latest/report.html").exists()
