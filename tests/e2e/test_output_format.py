"""--output-format of check, verify and prove, and the problem matcher of the documentation."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs" / "how-to" / "editors.md"
THEOREMS = """\
from symcute import theorem


@theorem()
def wrong():
    "Rows, that may overlap."
    return "injective((M,N):(LD,1))"


@theorem()
def right():
    "One."
    return "injective(4)"
"""
KERNEL = """\
// symcute: launch grid=(ceil_div(n,256)) block=256
// symcute: extent x = n
__global__ void fill(float *x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    x[i] = 0;
}
"""


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.py").write_text(THEOREMS)
    (tmp_path / "fill.cu").write_text(KERNEL)
    return tmp_path


CALLS = {
    "verify": ("verify", "mine.py", "--no-cache"),
    "check": ("check", "fill.cu", "--no-cache", "--property", "in_bounds"),
    "prove": ("prove", "injective((M,N):(LD,1))"),
}
CONCISE = {
    "verify": r"mine.py:4:1: error: wrong is refuted, expected proved; says: Rows.*"
    r" counterexample: LD=1, M=2, N=2.*\n2 theorems: .*",
    "check": r"fill.cu:5:5: error: write to x: .*; counterexample: n=1, .*\n1 kernel, 1 .*",
    "prove": r"symcute: error: injective\(\(M,N\):\(LD,1\)\) is refuted; counterexample: LD=1, M=2,"
    r" N=2.*; holds if: LD >= N\ninjective\(\(M,N\):\(LD,1\)\): refuted",
}


@pytest.mark.parametrize("command", CALLS)
def test_concise_is_a_line_for_each_trouble(symcute, files: Path, command: str) -> None:
    outcome = symcute(*CALLS[command], "--output-format", "concise")
    assert outcome.code == 1
    assert re.fullmatch(CONCISE[command] + "\n", outcome.out), outcome.out


@pytest.mark.parametrize("command", CALLS)
def test_github_shows_the_same_beside_the_line(symcute, files: Path, command: str) -> None:
    first, *_ = symcute(*CALLS[command], "--output-format=concise").out.splitlines()
    outcome = symcute(*CALLS[command], "--output-format=github")
    line, *_ = outcome.out.splitlines()
    assert outcome.code == 1
    fields, told = re.fullmatch(r"::error (.*?)::(.*)", line).groups()
    assert first.endswith(f": error: {told}")
    place = re.fullmatch(r"(?:file=(.*),line=(.*),col=(.*),)?title=symcute (\w+)", fields).groups()
    assert place[3] == command
    assert first.startswith(f"{':'.join(place[:3])}: " if place[0] else "symcute: ")


@pytest.mark.parametrize("command", CALLS)
def test_json_and_sarif_are_what_the_older_options_print(
    symcute, files: Path, command: str
) -> None:
    def document(*options: str) -> dict:
        outcome = symcute(*CALLS[command], *options)
        assert outcome.code == 1
        return json.loads(outcome.out)

    assert document("--output-format", "json")["schema"] == document("--json")["schema"]
    log = document("--output-format", "sarif")
    (result,) = log["runs"][0]["results"]
    assert result["level"] == "error"
    assert bool(result["locations"]) == (command != "prove")
    if command != "prove":
        older = document("--sarif", "-")
        assert older["runs"][0]["results"] == log["runs"][0]["results"]


@pytest.mark.parametrize("command", CALLS)
def test_what_cannot_be_looked_at_is_told_too(symcute, files: Path, command: str) -> None:
    word = {"verify": "none.py", "check": "none.cu", "prove": "injective((4,"}[command]
    outcome = symcute(command, word, "--output-format", "concise")
    assert outcome.code == 2
    assert outcome.out.startswith("symcute: error: ")
    assert outcome.err.startswith("symcute: ")
    failed = symcute(command, word, "--output-format", "json")
    assert json.loads(failed.out)["schema"]["name"] in ("symcute-error", "symcute-check")


WRONG = [
    ("verify", "mine.py", "--output-format", "concise", "--json"),
    ("verify", "mine.py", "--output-format", "github", "--junit", "-"),
    ("verify", "mine.py", "--output-format", "json", "--json", "x.json"),
    ("check", "fill.cu", "--output-format", "sarif", "--sarif", "-"),
    ("prove", "injective(4)", "--output-format", "sarif", "--json"),
    ("prove", "--batch", "mine.py", "--output-format", "concise"),
]


@pytest.mark.parametrize("words", WRONG, ids=" ".join)
def test_standard_output_is_one_thing(symcute, files: Path, words: tuple[str, ...]) -> None:
    outcome = symcute(*words)
    assert outcome.code == 2
    assert "--output-format" in outcome.err


def test_the_problem_matcher_reads_every_trouble(symcute, files: Path) -> None:
    page = DOCS.read_text("utf-8")
    block = re.search(r"```json title=\".vscode/tasks.json\"\n(.*?)```", page, re.DOTALL)
    tasks = json.loads(block[1])["tasks"]
    assert len(tasks) == 2
    for task in tasks:
        pattern = task["problemMatcher"]["pattern"]
        words = task["args"]
        command = "verify" if "verify" in words else "check"
        assert words[-2:] == ["--output-format", "concise"]
        found = [
            match
            for line in symcute(*CALLS[command], *words[-2:]).out.splitlines()
            if (match := re.match(pattern["regexp"], line))
        ]
        assert len(found) == 1
        assert found[0][pattern["file"]] == {"verify": "mine.py", "check": "fill.cu"}[command]
        assert int(found[0][pattern["line"]]) == {"verify": 4, "check": 5}[command]
        assert int(found[0][pattern["column"]]) >= 1
        assert found[0][pattern["severity"]] == "error"
        assert "counterexample" in found[0][pattern["message"]]
