"""`symcute verify`: table, report, exit codes, Ctrl-C, a clean checkout."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from html.parser import HTMLParser
from pathlib import Path

import pytest

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
    # Without a terminal, progress is a line a theorem.
    assert sorted(line.split()[2] for line in outcome.err.splitlines()) == [
        "any_rows",
        "padded_rows",
        "small_tiles",
    ]
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


def test_a_theorem_whose_code_fails_is_unknown_and_the_others_run(symcute, rows: Path) -> None:
    rows.write_text(
        rows.read_text() + '\n\n@theorem()\ndef broken():\n    """B."""\n    return 1 / 0\n'
    )
    outcome = symcute("verify", "proofs")
    assert outcome.code == 1
    assert "proofs/rows.py:30 raised ZeroDivisionError: division by zero" in outcome.out
    assert "4 theorems: 2 proved, 1 refuted, 1 unknown; 1 not as expected" in outcome.out


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
        assert f'data-status="{status}"' in text


def test_ctrl_c_writes_what_is_finished(rows: Path, tmp_path: Path) -> None:
    rows.write_text(
        rows.read_text()
        + '\n\n@theorem()\ndef slow():\n    """S."""\n    import time\n    time.sleep(60)\n'
    )
    process = subprocess.Popen(
        [sys.executable, "-m", "symcute", "verify", "proofs", "--jobs", "2"],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        # A background job of a shell ignores Ctrl-C, and so would its children.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    assert process.stderr is not None
    for _ in range(3):
        assert process.stderr.readline()
    # As a terminal does it: to the whole group, workers included.
    os.killpg(process.pid, signal.SIGINT)
    started = time.monotonic()
    out, err = process.communicate(timeout=30)
    assert time.monotonic() - started < 10
    assert (process.returncode, err) == (130, "")
    assert "interrupted: what follows is what was finished" in out
    report = json.loads((tmp_path / "reports/latest/report.json").read_text(encoding="utf-8"))
    assert report["finished"] is False
    assert {t["name"] for t in report["theorems"]} == {"padded_rows", "any_rows", "small_tiles"}
    with pytest.raises(ProcessLookupError):  # no worker is left
        os.killpg(process.pid, 0)


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
