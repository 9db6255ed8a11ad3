"""What holds of every command: help, messages, exit codes, pipes."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
import time
import tomllib
from pathlib import Path
from statistics import median

import pytest

COMMANDS = ("show", "eval", "prove", "verify", "gpu")


def test_help_is_quick(symcute) -> None:
    seconds = []
    for _ in range(5):
        started = time.perf_counter()
        outcome = symcute("--help")
        seconds.append(time.perf_counter() - started)
        assert outcome.code == 0
        assert all(command in outcome.out for command in COMMANDS)
    assert median(seconds) < 1.0


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_an_example_and_its_exit_codes_in_its_help(symcute, command) -> None:
    outcome = symcute(command, "--help")
    assert outcome.code == 0
    assert f"\n  symcute {command} " in outcome.out
    assert "Exit codes:" in outcome.out


def test_the_version_is_that_of_the_project(symcute) -> None:
    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text())["project"]
    assert symcute("--version").out == f"symcute {project['version']}\n"


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (("nope",), "symcute: no such command 'nope'\nsee: symcute --help\n"),
        (("prove", "--bogus"), "symcute: no such option '--bogus'\nsee: symcute prove --help\n"),
        (
            ("eval",),
            "symcute: EXPR or --batch FILE is needed, and not both\n"
            "give one EXPR, or a file of them with --batch\n",
        ),
        (
            ("eval", "--batch", "absent.jsonl"),
            "symcute: cannot read absent.jsonl: No such file or directory\n"
            "name a file that exists\n",
        ),
    ],
)
def test_a_wrong_call_is_told_in_two_lines(symcute, args, message) -> None:
    outcome = symcute(*args)
    assert (outcome.code, outcome.out, outcome.err) == (2, "", message)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "(4,8):(8,1",
            "symcute: in this expression: expected an operator, ',' or ')', found the end at "
            "column 11\n(4,8):(8,1\n          ^\nclose the '(' of column 7\n",
        ),
        (
            "logical_divde(4,2)",
            "symcute: there is no function logical_divde at column 1\n"
            "logical_divde(4,2)\n^\ndid you mean logical_divide?\n",
        ),
        (
            "size((4,0):(1,4))",
            "symcute: extent 0 in the shape (4,0) at column 6\n"
            "size((4,0):(1,4))\n     ^\nextents are at least 1\n",
        ),
        (
            "(4,8):8",
            "symcute: shape (4,8) and stride 8 differ in hierarchy at column 1\n"
            "(4,8):8\n^\ngive every extent its stride, in the same parentheses\n",
        ),
    ],
)
def test_bad_text_is_shown_with_a_caret(symcute, text, message) -> None:
    outcome = symcute("eval", text)
    assert (outcome.code, outcome.out, outcome.err) == (2, "", message)


@pytest.mark.parametrize(
    "text",
    ["1" + "+1" * 500_000, "7" * 1_000_000, "(" * 10_000 + "1" + ")" * 10_000, "(((" * 300_000],
    ids=["1 MB sum", "1 MB number", "nested 10,000 deep", "1 MB of brackets"],
)
@pytest.mark.parametrize("command", ["show", "eval", "prove"])
def test_enormous_text_is_refused(symcute, command, text) -> None:
    outcome = symcute(command, "-", text=text)
    assert (outcome.code, outcome.out) == (2, "")
    assert outcome.err.startswith("symcute: ")
    assert len(outcome.err) < 1000


def test_what_a_terminal_cannot_show_is_escaped(symcute, rows: Path) -> None:
    rows.write_text(rows.read_text().replace("M, N, LD = dims", "raise ValueError('é')\n    M"))
    outcome = symcute("verify", "proofs", PYTHONIOENCODING="ascii", PYTHONUTF8="0")
    assert outcome.code == 1
    assert "raised ValueError: \\xe9" in outcome.out


def test_an_internal_error_says_how_to_report_it(tmp_path: Path) -> None:
    code = (
        "import symcute.language\n"
        "symcute.language.evaluate = lambda *a: 1 / 0\n"
        "from symcute.cli import main\n"
        "main(['eval', '4'])\n"
    )
    for debug in ("", "1"):
        done = subprocess.run(
            [sys.executable, "-c", code],
            capture_output=True,
            text=True,
            env={**os.environ, "SYMCUTE_DEBUG": debug},
            check=False,
        )
        assert done.returncode == 3
        assert "symcute: internal error: ZeroDivisionError: division by zero\n" in done.stderr
        assert "please report" in done.stderr
        assert ("Traceback" in done.stderr) == bool(debug)


def test_a_reader_that_leaves_early_is_no_error(tmp_path: Path) -> None:
    show = f"{sys.executable} -m symcute show '(64,64)'"
    done = subprocess.run(
        ["bash", "-c", f"{show} | head -1"], capture_output=True, text=True, check=False
    )
    assert (done.stdout, done.stderr) == ("(64,64):(1,64)\n", "")


def on_a_terminal(*args: str, **environment: str) -> str:
    """Return what the command prints when standard output is a terminal."""
    leader, follower = pty.openpty()
    inherited = {k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "TERM")}
    with subprocess.Popen(
        [sys.executable, "-m", "symcute", *args],
        stdout=follower,
        stderr=subprocess.DEVNULL,
        env={**inherited, "TERM": "xterm-256color", **environment},
    ) as process:
        os.close(follower)
        shown = b""
        while chunk := _read(leader):
            shown += chunk
        process.wait(60)
    os.close(leader)
    return shown.decode()


def _read(descriptor: int) -> bytes:
    try:
        return os.read(descriptor, 65536)
    except OSError:  # the other end is closed
        return b""


def test_colour_is_for_terminals_that_want_it() -> None:
    claim = ("prove", "injective((4,8):(8,1))")
    green = "\x1b[1;32m"
    assert f"{green}PROVED" in on_a_terminal(*claim)
    assert "32m" not in on_a_terminal(*claim, NO_COLOR="1")


def test_no_escape_codes_in_a_pipe(symcute) -> None:
    assert "\x1b" not in symcute("prove", "injective((4,8):(8,1))").out
