"""`symcute explore`: the page is written, and what goes wrong is told. tests/browser opens it."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import urllib.request
from pathlib import Path
from typing import Any

import pytest

from symcute.cli import main


def test_it_writes_a_page_that_needs_nothing_beside_it(symcute, tmp_path: Path) -> None:
    assert symcute("explore", "((2,2),(2,4)):((1,4),(2,8))") == (
        0,
        "",
        "symcute: wrote explore.html\n",
    )
    page = (tmp_path / "explore.html").read_text(encoding="utf-8")
    assert page.startswith("<!DOCTYPE html>")
    assert "((2,2),(2,4)):((1,4),(2,8))" in page
    assert "http:" not in page and "https:" not in page and "src=" not in page
    assert len(page) < 100_000


def run(capsys: Any, *arguments: str) -> tuple[object, str, str]:
    """Run the command in this process."""
    with pytest.raises(SystemExit) as ended:
        main(["explore", *arguments])
    told = capsys.readouterr()
    return ended.value.code, told.out, told.err


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.chdir(tmp_path)


def test_the_page_may_go_to_another_place(capsys: Any) -> None:
    code, out, err = run(capsys, "(M,N):(LD,1)", "--at", "LD=9", "--out", "a/b.html", "--json")
    assert (code, err) == (0, "symcute: wrote a/b.html, in the new folder a\n")
    assert json.loads(out) == {
        "schema": {"name": "symcute-explore", "version": 1},
        "file": "a/b.html",
        "layout": "(M,N):(LD,1)",
    }
    assert '"LD": "9", "M": "8", "N": "8"' in Path("a/b.html").read_text(encoding="utf-8")
    for given, values in (("M % 48 == 0", '"720", "N": "720"'), ("M < N", '"8", "N": "8"')):
        code, out, _ = run(capsys, "(M,N)", "--given", given, "--out", "-")
        assert code == 0 and f'"M": {values}' in out
    code, out, err = run(capsys, "(4,8):(8,1)", "--out", "-")
    assert (code, err) == (0, "") and out.startswith("<!DOCTYPE html>")


def test_text_of_the_user_stays_text(capsys: Any) -> None:
    atom = 'atom_layout("SM80_16x8x16_F32F16F16F32_TN", "C")'
    code, _, _ = run(capsys, "(16,8)", "--threads", atom, "--tile", '"</script><b>"')
    assert code == 0
    page = Path("explore.html").read_text(encoding="utf-8")
    assert "</script><b>" not in page and r"\u003c/script\u003e\u003cb\u003e" in page
    assert '"threads": "((4,8),(2,2)):((32,1),(16,8))"' in page


REFUSED = [
    (
        ("(4,8",),
        "symcute: in this expression: expected an operator, ',' or ')', found the end at "
        "column 5\n(4,8\n    ^\nclose the '(' of column 1\n",
    ),
    (
        ("(M,N):(1@0,1@1)",),
        "symcute: (M,N):(1@0,1@1) has coordinates: no offsets to show\ngive strides of numbers\n",
    ),
    (
        ("(M,8)", "--at", "M=3", "--given", "M >= 4"),
        "symcute: the values of the dims do not meet 4 <= M\ngive others\n",
    ),
    (("(M,8)", "--at", "K=3"), "symcute: (M,8):(1,M) has no dim K\nleave it out\n"),
    (("(M,8)", "--at", "M"), "symcute: --at M gives no dim an integer\nwrite it as --at M=8\n"),
    (
        ("(M/8,8)", "--at", "M=3"),
        "symcute: (M)/(8) is 3/8 at M=3, not an integer\nassume that the divisor divides\n",
    ),
    (
        ("(4,8)", "--tile", "(2,"),
        "symcute: in this expression: expected a number, a name, '(' or ')', found the end at "
        "column 4\n(2,\n   ^\nclose the '(' of column 1\n",
    ),
    (
        ("size((4,8)) == 3",),
        "symcute: 32 == 3 is not a layout\nuse symcute eval for other expressions\n",
    ),
    (
        ("(4,8)", "--out", "-", "--json"),
        "symcute: --json with the page on standard output\nname a file with --out\n",
    ),
    (
        ("(4,8)", "--serve", "--json"),
        "symcute: --json with --serve\nleave one of them out\n",
    ),
    (
        ("(4,8)", "--out", "page.txt"),
        "symcute: page.txt does not end in .html\nname it page.html\n",
    ),
    (
        ("(4,8)", "--view", "cells"),
        "symcute: invalid value for '--view': 'cells' is not one of 'offsets', 'banks', "
        "'chunks', 'tiles', 'threads'\nsee: symcute explore --help\n",
    ),
]


@pytest.mark.parametrize(("arguments", "said"), REFUSED)
def test_what_goes_wrong_is_told(
    tmp_path: Path, capsys: Any, arguments: tuple[str, ...], said: str
) -> None:
    code, _, err = run(capsys, *arguments)
    assert (code, err) == (2, said)
    assert list(tmp_path.iterdir()) == []


def test_a_browser_opens_the_page(tmp_path: Path, monkeypatch: Any, capsys: Any) -> None:
    seen: list[str] = []
    monkeypatch.setattr("webbrowser.open", lambda address: bool(seen.append(address)))
    code, _, err = run(capsys, "(4,8)", "--open")
    assert code == 0
    assert seen == [(tmp_path / "explore.html").as_uri()]
    assert "no browser was found; open explore.html yourself" in err


def test_its_help_has_examples(capsys: Any) -> None:
    _, told, _ = run(capsys, "--help")
    assert 'symcute explore "((2,2),(2,4)):((1,4),(2,8))" --open' in told
    assert "4, 8, 16, 32, 64 or 128" in " ".join(told.split())


def test_it_serves_a_page_until_ctrl_c(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "symcute", "explore", "(M,N):(LD,1)", "--serve"]
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=tmp_path
    )
    assert process.stdout is not None and process.stderr is not None
    address = process.stdout.readline().strip()
    with urllib.request.urlopen(address, timeout=20) as answer:
        assert answer.read().decode("utf-8").startswith("<!DOCTYPE html>")
    asked = {"ask": "prove", "claim": "injective((M,N):(LD,1))", "given": "LD >= N"}
    request = urllib.request.Request(address + "ask", data=json.dumps(asked).encode())
    with urllib.request.urlopen(request, timeout=60) as answer:
        assert json.load(answer)["checked"] == "checked"
    process.send_signal(signal.SIGINT)
    assert process.wait(20) == 0
    assert process.stderr.read() == "symcute: Ctrl-C ends it\n"
    assert list(tmp_path.iterdir()) == []
