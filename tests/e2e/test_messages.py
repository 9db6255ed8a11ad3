"""What commands say when they are called wrongly, word for word."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import pytest

from tests.e2e.inside import run

THEOREM = (
    'from symcute import theorem\n\n\n@theorem({})\ndef a():\n    {}\n    return "injective(4)"\n'
)
KERNEL = (
    "__global__ void saxpy(int n, float a, const float* x, float* y) {\n"
    "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "  if (i < n) y[i] = a * x[i] + y[i];\n"
    "}\n"
)
FILES = {
    "file.txt": "hello\n",
    "mine.py": THEOREM.format("", '"""A."""'),
    "nodoc.py": THEOREM.format("", "x = 1"),
    "bare.py": THEOREM.format("", '"""A."""').replace("()", "", 1),
    "corrects.py": THEOREM.format('corrects="gone"', '"""A."""'),
    "expects.py": THEOREM.format('expect="true"', '"""A."""'),
    "twice.py": THEOREM.format("", '"""A."""')
    + "\n\nb = a\n\n\n"
    + THEOREM.format("", '"""A."""').partition("\n\n\n")[2],
    "broken.py": "def (:\n",
    "raising.py": 'raise ValueError("no")\n',
    "plain.cu": "int f();\n",
    "saxpy.cu": KERNEL,
    "two.cu": "// symcute: launch grid=(ceil_div(n,256)) block=256\n// symcute: extent x=n y=n\n"
    + KERNEL,
    "toml/saxpy.cu": KERNEL,
    "toml/symcute.toml": 'lunch = "grid=1"\n',
}
CALL = re.compile(
    r"^\$ symcute(.*?)(?:  # exit code (\d))?\n(.*?)(?=^\$ |\Z)", re.MULTILINE | re.DOTALL
)
CALLS = CALL.findall((Path(__file__).parent / "messages.txt").read_text(encoding="utf-8"))


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "folder").mkdir()
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_there_are_messages() -> None:
    assert len(CALLS) >= 150
    assert len({call for call, *_ in CALLS}) == len(CALLS)


@pytest.mark.parametrize(("call", "code", "said"), CALLS, ids=[call for call, *_ in CALLS])
def test_every_word_of_a_message(folder: Path, call: str, code: str, said: str) -> None:
    outcome = run(*shlex.split(call))
    assert outcome.err.rstrip("\n") == said.rstrip("\n")
    assert outcome.code == int(code or 2)
    checked = "could not be checked" in outcome.out  # the summary of symcute check
    assert outcome.out == "" or checked or "--json" in call


def test_a_message_says_what_and_what_to_do() -> None:
    """Two lines; with text and a caret under it between them, four."""
    for call, _, said in CALLS:
        lines = said.rstrip("\n").split("\n")
        assert len(lines) in (2, 4) or "such as LD >= N" in said, call
        assert lines[0].startswith("symcute: "), call
        assert all(line == line.rstrip() for line in (lines[0], lines[-1])), call
        assert not re.search(r"[^.]\.$", lines[-1]), call


@pytest.mark.parametrize(
    "call",
    [
        ("show", "4:", "--json"), ("eval", "4 +", "--json"), ("prove", "M", "--json"),
        ("find-padding", "4", "--json"), ("find-swizzle", "4", "--json"),
        ("atoms", "nope", "--json"), ("verify", "absent", "--json"), ("gpu", "absent", "--json"),
        ("gpu", "--verify-evidence", "absent", "--json"), ("recheck", "absent", "--json"),
        ("check", "absent.cu", "--json"), ("explore", "4:", "--json"),
        ("prove", "--json"), ("eval", "4", "--bogus", "--json"),
        ("show", "4", "--svg", "", "--json"),
        ("check", "saxpy.cu", "--property", "fast", "--json"), ("nope", "--json"),
    ],
    ids=" ".join,
)  # fmt: skip
def test_an_error_is_json_where_json_is_asked_for(folder: Path, call: tuple[str, ...]) -> None:
    outcome = run(*call)
    assert outcome.code == 2
    told = json.loads(outcome.out)
    assert told["schema"]["name"] == "symcute-error"
    assert f"symcute: {told['error']['what']}\n" in outcome.err
    assert told["error"]["fix"]
