"""What holds of every command: help, messages, exit codes, pipes."""

from __future__ import annotations

import ast
import io
import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from symcute import cli
from symcute.cli import main, probes
from symcute.prover import prove
from tests.e2e.inside import run
from tests.e2e.terminals import on_a_terminal


def test_help_loads_little(symcute) -> None:
    code = (
        "import sys; from symcute.cli import main\n"
        "try: main(['--help'])\n"
        "except SystemExit: print(sorted({m.split('.')[0] for m in sys.modules}))"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "symcute prove" in run.stdout
    loaded = set(ast.literal_eval(run.stdout.splitlines()[-1]))
    assert not loaded & {"sympy", "numpy", "z3", "cvc5", "jinja2", "clang"}


def test_a_claim_in_text_is_proved_and_rechecked_without_a_heavy_library(tmp_path: Path) -> None:
    """Neither SymPy nor a parser is waited for, nor rich where nothing is shown in colour."""
    certificate = str(tmp_path / "c.json")
    claim = ["prove", "injective((M,N):(LD,1))", "--given", "LD >= N"]
    for words in ([*claim, "--certificate", certificate], ["recheck", certificate]):
        code = (
            "import sys; from symcute.cli import run\n"
            f"assert run({words!r}) == 0\n"
            "print(sorted({m.split('.')[0] for m in sys.modules}))"
        )
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        loaded = set(ast.literal_eval(done.stdout.splitlines()[-1]))
        assert not loaded & {"sympy", "lark", "rich", "jinja2", "numpy", "z3", "cvc5", "clang"}


def test_the_version_is_that_of_the_project(symcute) -> None:
    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text())["project"]
    assert symcute("--version").out == f"symcute {project['version']}\n"


#: A call of every command, its exit code, and a line that it prints.
GOLDEN = {
    "show": (("(4,2):(2,1)",), 0, "size 8, cosize 8, rank 2, depth 1"),
    "explore": (("(M,4):(4,1)", "--at", "M=2", "--json"), 0, '"layout": "(M,4):(4,1)"'),
    # The server itself speaks with an editor: test_lsp.py.
    "lsp": (("--help",), 0, "Usage: symcute lsp"),
    "eval": (("logical_divide((M,64), (8,4))", "-g", "M % 8 == 0"), 0, "((8,M/8),(4,16)):"),
    "atoms": (("SM70_8x8x4_F16F16F16F16_NN",), 0, "PROVED  partition_exact("),
    "prove": (("injective((M,N):(LD,1))", "-g", "N <= LD"), 0, "PROVED  injective("),
    "find-padding": (("access((32,32):(32+P,1), 32)", "-q"), 0, "FOUND  P = 1"),
    "find-swizzle": (("access((8,8):(64,8), 16, 128)",), 0, "FOUND  Sw<3,3,3>"),
    "export": (("--rocq", "covers(4:1, 4)"), 0, "forall y0, 0 <= y0 < 4 ->"),
    "check": (("fill.cu",), 1, "1 kernel, 7 properties: 4 proved, 1 refuted, 0 unknown"),
    "verify": (("proofs",), 0, "3 theorems: 2 proved, 1 refuted, 0 unknown; all as expected"),
    "recheck": (("one.json",), 0, "1 certificate: 1 checked"),
    "gpu": (("--verify-evidence", "evidence.json", "--json"), 1, "the evidence has no created"),
    "schema": ((), 0, "report "),
    "doctor": (("-q",), 0, "all that is required works"),
    "completion": (("bash",), 0, "_SYMCUTE_COMPLETE=bash_complete"),
    "help": (("prove",), 0, "--no-suggest"),
}
FILL = """// symcute: launch grid=(ceil_div(n,64)) block=64
// symcute: extent x=n
__global__ void fill(int n, float *x) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i <= n) x[i] = 0;
}
"""


def test_there_is_a_call_of_every_command() -> None:
    assert set(GOLDEN) == set(cli.symcute.commands)


@pytest.mark.parametrize("command", GOLDEN)
def test_a_command_in_a_process_that_has_loaded_nothing(
    process, rows: Path, tmp_path: Path, command: str
) -> None:
    (tmp_path / "fill.cu").write_text(FILL)
    (tmp_path / "evidence.json").write_text("{}")
    certificate = prove("bijective((4,M):(1,4))").certificate
    (tmp_path / "one.json").write_text(json.dumps(certificate))
    arguments, code, line = GOLDEN[command]
    outcome = process(command, *arguments)
    assert (outcome.code, outcome.err) == (code, "") or command == "explore", outcome.err
    assert line in outcome.out


@pytest.mark.parametrize(
    "text",
    ["1" + "+1" * 500_000, "7" * 1_000_000, "(" * 10_000 + "1" + ")" * 10_000, "(((" * 300_000],
    ids=["1 MB sum", "1 MB number", "nested 10,000 deep", "1 MB of brackets"],
)
@pytest.mark.parametrize("command", ["show", "eval", "prove"])
def test_enormous_text_is_refused(command, text) -> None:
    outcome = run(command, "-", text=text)
    assert (outcome.code, outcome.out) == (2, "")
    assert outcome.err.startswith("symcute: ")
    assert len(outcome.err) < 1000


def test_what_a_terminal_cannot_show_is_escaped(process, rows: Path) -> None:
    rows.write_text(rows.read_text().replace("M, N, LD = dims", "raise ValueError('é')\n    M"))
    outcome = process("verify", "proofs", PYTHONIOENCODING="ascii", PYTHONUTF8="0")
    assert outcome.code == 2
    assert "raised ValueError: \\xe9" in outcome.out


def test_an_internal_error_says_how_to_report_it(tmp_path: Path) -> None:
    code = (
        "import symcute.claims.language\n"
        "symcute.claims.language.evaluate = lambda *a: 1 / 0\n"
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


CLAIM = ("prove", "injective((4,8):(8,1))")


@pytest.mark.parametrize(
    ("environment", "coloured"),
    [
        ({}, True),
        ({"NO_COLOR": "1"}, False),
        ({"NO_COLOR": ""}, True),
        ({"NO_COLOR": "1", "FORCE_COLOR": "1"}, False),
        ({"CLICOLOR": "0"}, False),
        ({"TERM": "dumb"}, False),
        ({"TERM": "dumb", "FORCE_COLOR": "1"}, False),
    ],
)
def test_colour_is_for_terminals_that_want_it(
    monkeypatch: pytest.MonkeyPatch, environment: dict[str, str], coloured: bool
) -> None:
    from symcute.report.terminal import coloured as asked

    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    surroundings = {"TERM": "xterm", **environment}
    assert asked(Terminal(), surroundings) is coloured
    assert asked(io.StringIO(), surroundings) is False or "FORCE_COLOR" in environment


def test_a_terminal_gets_colours_and_a_dumb_one_plain_text() -> None:
    assert "\x1b[1;32mPROVED" in on_a_terminal(*CLAIM)
    for plain in ({"NO_COLOR": "1"}, {"TERM": "dumb", "FORCE_COLOR": "1"}):
        assert "\x1b" not in on_a_terminal(*CLAIM, **plain)


def test_no_escape_codes_in_a_pipe(symcute) -> None:
    assert "\x1b" not in symcute(*CLAIM).out
    assert "\x1b[1;32mPROVED" in symcute(*CLAIM, FORCE_COLOR="1").out


def test_progress_is_for_terminals_that_can_move(rows: Path, monkeypatch) -> None:
    monkeypatch.chdir(rows.parents[1])
    verify = ("verify", "proofs", "--only", "any_rows")
    assert "0/1" in (shown := on_a_terminal(*verify, stream="stderr", NO_COLOR="1"))
    assert not re.search("\x1b\\[[0-9;]*m", shown)  # it moves, and has no colours
    assert on_a_terminal(*verify, stream="stderr", TERM="dumb") == ""


@pytest.mark.parametrize("call", ["show '(4,8)'", "prove 'injective(4)'", "--version"])
def test_an_output_that_is_closed_or_full(call: str) -> None:
    def shell(redirection: str) -> tuple[int, str]:
        command = f"{sys.executable} -m symcute {call} {redirection}"
        done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False)
        return done.returncode, done.stderr

    assert shell(">&-") == (0, "")
    full = "symcute: cannot write the output: No space left on device\nsend it elsewhere\n"
    assert shell("> /dev/full") == (2, full)


def test_a_claim_from_an_input_that_is_closed() -> None:
    command = f"{sys.executable} -m symcute eval - <&-"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert "expected a number, a name or '(', found the end" in done.stderr


def test_quiet_says_what_went_wrong_and_the_summary(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert run("prove", "injective((M,N):(N,1))", "-q").out == "PROVED  injective((M,N):(N,1))\n"
    refuted = run("prove", "injective((M,N):(LD,1))", "-q").out.splitlines()
    assert [line.split()[0] for line in refuted] == ["REFUTED", "counterexample", "holds"]
    found = run("find-padding", "bank_conflict(access((32,32):(32+P,1), 32), 1)", "-q")
    assert (found.code, found.out) == (0, "FOUND  P = 1\n")
    assert run("find-swizzle", "access((8,8):(64,8), 16, 128)", "-q").out == "FOUND  Sw<3,3,3>\n"
    assert run("atoms", "SM70_*F16F16_NN", "-q").out == "SM70_8x8x4_F16F16F16F16_NN\n"
    one = run("atoms", "SM80_8x8x4_F64F64F64F64_TN", "-q")
    assert one.out == "SM80_8x8x4_F64F64F64F64_TN  8x8x4  f64 f64 f64 f64\n"


def test_a_file_that_is_written_is_named(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    shown = run("show", "(2,2)", "--svg", "new/x.svg", "--no-table")
    assert shown.err == "symcute: wrote new/x.svg, in the new folder new\n"
    again = run("show", "(2,2)", "--svg", "new/x.svg", "--no-table")
    assert again.err == "symcute: wrote new/x.svg\n"
    monkeypatch.setattr("symcute.report.pictures.PAIRS", 200)
    large = run("atoms", "SM80_16x8x16_F32F16F16F32_TN", "-q", "--svg", "atom.svg")
    assert large.code == 0
    assert large.err.endswith("symcute: too large for a picture, and left out: A\n")
    none = run("atoms", "SM90_64x256x16_F32F16F16_SS", "--svg", "none.svg")
    assert none.code == 2 and not Path("none.svg").exists()
    assert none.err.endswith(
        "no picture shows it; symcute atoms SM90_64x256x16_F32F16F16_SS prints its layouts\n"
    )


def test_verify_prints_json_where_no_file_is_named(rows: Path, monkeypatch) -> None:
    monkeypatch.chdir(rows.parents[1])
    for arguments in (("--json", "proofs"), ("proofs", "--json"), ("proofs", "--json", "-q")):
        outcome = run("verify", *arguments)
        assert (outcome.code, outcome.err) == (0, "")
        assert json.loads(outcome.out)["totals"]["theorems"] == 3
    run("verify", "proofs", "--json", "found.json", "-q")
    assert json.loads(Path("found.json").read_text())["totals"]["theorems"] == 3


# --- completion and doctor -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        (("symcute", "pr"), "plain,prove"),
        (("symcute", "prove", "--gi"), "plain,--given"),
        (("symcute", "prove", "injec"), "plain,injective"),
        (("symcute", "eval", "size(logical_pro"), "plain,size(logical_product"),
        (("symcute", "atoms", "SM80_8x8x4_F64"), "plain,SM80_8x8x4_F64F64F64F64_TN"),
        (("symcute", "atoms", "--arch", "sm7"), "plain,sm70\nplain,sm75"),
        (("symcute", "find-swizzle", "--arch", "sm12"), "plain,sm120"),
        (("symcute", "check", "--property", "bank"), "plain,bank_conflicts"),
        (("symcute", "verify", "pro"), "file,pro"),
        (("symcute", "verify", "proofs", "--only", "any"), "plain,any_rows"),
        (("symcute", "show", "4", "--svg", "x"), "file,x"),
        (("symcute", "help", "rech"), "plain,recheck"),
        (("symcute", "completion", "z"), "plain,zsh"),
    ],
)
def test_completion(rows: Path, monkeypatch, capsys, words: tuple[str, ...], offered: str) -> None:
    monkeypatch.chdir(rows.parents[1])
    monkeypatch.setenv("COMP_WORDS", " ".join(words))
    monkeypatch.setenv("COMP_CWORD", str(len(words) - 1))
    monkeypatch.setenv("_SYMCUTE_COMPLETE", "bash_complete")
    with pytest.raises(SystemExit) as left:
        main([])
    assert (left.value.code, capsys.readouterr().out.strip()) == (0, offered)


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_script_of_a_shell(shell: str, tmp_path: Path) -> None:
    outcome = run("completion", shell)
    assert outcome.code == 0 and f"_SYMCUTE_COMPLETE={shell}_complete" in outcome.out
    program = shutil.which(shell)
    if program is not None:
        (tmp_path / "script").write_text(outcome.out)
        subprocess.run([program, "-n", str(tmp_path / "script")], check=True)


def test_doctor_tries_every_part(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    outcome = run("doctor", "--json")
    told = json.loads(outcome.out)
    parts = {part["name"]: part for part in told["parts"]}
    assert outcome.code == (0 if told["ok"] else 1) == 0
    required = {name for name, part in parts.items() if part["required"]}
    assert required == {"Python", "libraries", "SymPy", "Z3", "prover"}
    assert all(parts[x]["status"] == "ok" for x in (*required, "cvc5", "libclang", "NumPy"))
    assert all(part["fix"] for part in parts.values() if part["status"] != "ok")
    assert list(tmp_path.iterdir()) == []  # it leaves nothing behind


def test_doctor_says_what_does_not_work(monkeypatch) -> None:
    def broken() -> str:
        raise RuntimeError("it is\nbroken")

    def missing() -> str:
        raise probes.Missing("not there")

    parts = (
        probes.Part("Z3", "claims", "install it", True, broken),
        probes.Part("GPU", "speed", "buy one", False, missing),
        probes.Part("lamp", "light", "", True, lambda: "1.0"),
    )
    monkeypatch.setattr(probes, "PARTS", parts)
    outcome = run("doctor", "--quiet")
    assert (outcome.code, outcome.err) == (1, "")
    assert outcome.out == (
        "broken   Z3               RuntimeError: it is\n"
        "           for            claims\n"
        "           to fix it      install it\n"
        "missing  GPU              not there\n"
        "           for            speed\n"
        "           to fix it      buy one\n"
        "required and not working: Z3; optional and not there: GPU\n"
    )
    monkeypatch.setattr(probes, "PARTS", parts[1:])
    assert run("doctor", "-q").code == 0
