"""Do the helps say what is there, and does every example in them run?"""

from __future__ import annotations

import re
import shlex
import webbrowser
from pathlib import Path

import click
import pytest

from symcute import cli
from symcute.cli.failures import error_fields
from symcute.errors import TextError
from tests.e2e.inside import Outcome, run
from tests.full import full

COMMANDS: dict[str, click.Command] = cli.symcute.commands

THEOREMS = '''"""Notes."""

from symcute import theorem


@theorem(given=["LD >= N"])
def note_30_rows():
    """The rows of a padded matrix do not meet."""
    return "injective((M,N):(LD,1))"
'''
KERNEL = """// symcute: launch grid=(ceil_div(n,256)) block=256
// symcute: extent x=n
// symcute: extent y=n
// symcute: assume n <= 2**30
__global__ void saxpy(int n, float a, const float* x, float* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}
"""
#: What takes another machine, or long; such an example is parsed, and not run.
PARSED = re.compile(
    r"--executor|symcute doctor|symcute lsp|symcute gpu (?!.*--(status|verify-evidence))"
)


def examples(text: str) -> list[str]:
    """Return the calls in a help: lines of two spaces and `symcute`, without what a shell does."""
    joined = re.sub(r" *\\\n +", " ", text)
    lines = re.findall(r"^  (symcute [a-z].*)$", joined, re.MULTILINE)
    return [call.strip() for line in lines for call in re.split(r" ; |; | > \S+", line) if call]


def help_of(name: str) -> str:
    return run(*([name] if name else []), "--help").out


EXAMPLES = {call: name for name in ("", *COMMANDS) for call in examples(help_of(name))}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("examples")
    for name, text in {
        "proofs/notes/rows.py": THEOREMS,
        "mine.py": THEOREMS,
        "saxpy.cu": KERNEL,
        "kernels/saxpy.cu": KERNEL,
    }.items():
        (made / name).parent.mkdir(parents=True, exist_ok=True)
        (made / name).write_text(text, encoding="utf-8")
    evidence = made / "reports/gpu"
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(made)
        assert run("verify", "proofs", "--certificates", "--quiet").code == 0
        if full():
            small = ("--backend", "cpu", "--instances", "1", "--coordinates", "16")
            assert run("gpu", "proofs", *small, "--out", str(evidence)).code == 0
            (evidence / "cpu.json").rename(evidence / "nvidia-h200.json")
    return made


def test_there_are_examples() -> None:
    assert len(EXAMPLES) >= 45
    assert {*EXAMPLES.values()} == {"", *COMMANDS}


#: Rocq compiles the theorems about the checker first.
CALLS = [pytest.param(c, marks=pytest.mark.full) if "--rocq" in c else c for c in EXAMPLES]


@pytest.mark.parametrize("call", CALLS)
def test_an_example_runs(folder: Path, monkeypatch: pytest.MonkeyPatch, call: str) -> None:
    monkeypatch.chdir(folder)
    monkeypatch.setattr(webbrowser, "open", lambda *_: True)
    words = shlex.split(call)[1:]
    # What `symcute gpu` writes takes a C compiler, which is there with `--full`; Rocq takes long.
    long = words[0] == "gpu" or "--rocq" in words
    if PARSED.search(call) or (long and not full()):
        COMMANDS[words[0]].make_context(words[0], words[1:])
        return
    outcome = run(*words)
    assert outcome.code == 0, outcome


@pytest.mark.parametrize("name", COMMANDS)
def test_a_help_has_examples_and_exit_codes(name: str) -> None:
    text = help_of(name)
    assert any(call.startswith(f"symcute {name}") for call in examples(text))
    assert "Exit codes: 0 " in " ".join(text.split())
    assert run("help", name).out == text


@pytest.mark.parametrize("name", COMMANDS)
def test_an_option_means_the_same_everywhere(name: str) -> None:
    """The options that several commands have are said in the same words, or nearly."""
    said = {
        option: parameter.help or ""
        for parameter in COMMANDS[name].params
        if isinstance(parameter, click.Option)
        for option in parameter.opts
    }
    for option, start in {
        "--json": "Print one JSON object instead of text",
        "--quiet": "Print ",
        "--given": "An assumption on the dims",
        "--timeout": "Time limit of one ",
        "--jobs": "How many run at the same time",
        "--arch": "",
        "--out": "",
    }.items():
        assert said.get(option, start).startswith(start)
    assert ("-q" in said) == ("--quiet" in said) and ("-g" in said) == ("--given" in said)


@pytest.mark.parametrize("name", ["prove", "eval"])
def test_the_errors_of_a_batch_have_the_keys_that_the_help_lists(name: str) -> None:
    listed = re.search(r'\{"error":\s+\{(.*?)\}', help_of(name), re.DOTALL)
    assert listed and re.findall(r'"(\w+)"', listed[1]) == [*error_fields(TextError("", "", 0))]


def test_what_prints_results_prints_them_as_json() -> None:
    without = {n for n, c in COMMANDS.items() if not any("--json" in p.opts for p in c.params)}
    assert without == {"completion", "export", "help", "lsp", "schema"}  # `export` prints a file


def test_no_command_at_all_lists_them_in_groups() -> None:
    shown: Outcome = run()
    assert (shown.code, shown.err) == (0, "")
    assert shown.out == help_of("") == run("help").out
    titles = re.findall(r"^(\S.*):$", shown.out, re.MULTILINE)
    assert titles == [
        "Options", "Layouts", "Claims", "Kernels", "Theorem files, reports and evidence",
        "This machine",
    ]  # fmt: skip
    for name in COMMANDS:
        assert len(re.findall(rf"^  {name} ", shown.out, re.MULTILINE)) == 1
    assert len(shown.out.splitlines()) <= 50
