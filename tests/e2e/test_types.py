"""What type checkers and editors know of a user's file."""

from __future__ import annotations

import json
import subprocess
import sys
import sysconfig
from pathlib import Path

import jedi
import pytest

import symcute

#: What a user writes, and the types that are to be known of it.
GOOD = """\
import symcute
from symcute import Injective, Layout, check_kernel, dims, find_padding, prove, theorem

reveal_type(prove("injective((4,8))", given=["M >= 2"]))
M, N = dims("M N")
rows = Layout((M, N), (N, 1))
reveal_type(symcute.composition(rows, Layout(8)))
reveal_type(check_kernel("kernel.cu"))
reveal_type(find_padding("bank_conflict(L) <= 1", "P"))
reveal_type(symcute.__version__)


@theorem(given=["LD >= N"])
def padded() -> Injective:
    '''Rows that are padded share no element.'''
    return Injective(rows)


reveal_type(padded)
reveal_type(padded.function)
reveal_type(padded())
"""
TYPES = {
    4: "Verdict",
    7: "Layout",
    8: "Findings",
    9: "Padding | None",
    10: "str",
    19: "Theorem[Injective]",
    20: "() -> Injective",
    21: "Injective",
}

#: A mistake a line, from the third on.
WRONG = """\
import symcute
from symcute import Injective, Layout, prove, theorem
from symcute import prov
prove("injective(4)", gven=["M >= 2"])
symcute.Layuot((4, 8))
prove(3.5)
prove("injective(4)").stattus
Layout(4).shpae
number: int = prove("injective(4)")
theorem(given=[])(lambda: 3)
"""


def mypy(file: Path, cache: Path) -> list[tuple[int, str, str]]:
    """Return the line, kind and text of each thing that mypy says."""
    told = [sys.executable, "-m", "mypy", "--strict", "--no-error-summary", "--output", "json"]
    run = subprocess.run(
        [*told, "--cache-dir", cache, file], cwd=file.parent, capture_output=True, text=True
    )
    assert run.stderr == ""
    found = [json.loads(line) for line in run.stdout.splitlines()]
    return [(x["line"], x["severity"], x["message"]) for x in found]


def pyright(file: Path, cache: Path) -> list[tuple[int, str, str]]:
    """Return the line, kind and text of each thing that pyright's own rules say."""
    settings = {"typeCheckingMode": "standard"}
    (file.parent / "pyrightconfig.json").write_text(json.dumps(settings), encoding="utf-8")
    program = Path(sysconfig.get_path("scripts"), "basedpyright")
    told = [program, "--outputjson", "--pythonpath", sys.executable, file]
    run = subprocess.run(told, cwd=file.parent, capture_output=True, text=True)
    found = json.loads(run.stdout)["generalDiagnostics"]
    kinds = {"error": "error", "information": "note", "warning": "warning"}
    lines = [x["range"]["start"]["line"] + 1 for x in found]
    return [
        (line, kinds[x["severity"]], x["message"]) for line, x in zip(lines, found, strict=True)
    ]


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What mypy knows of symcute already."""
    return tmp_path_factory.mktemp("mypy")


@pytest.fixture(params=["mypy", pytest.param("pyright", marks=pytest.mark.full)])
def said(request, tmp_path: Path, cache: Path):
    def ask(text: str) -> list[tuple[int, str, str]]:
        file = tmp_path / "mine.py"
        file.write_text(text, encoding="utf-8")
        return {"mypy": mypy, "pyright": pyright}[request.param](file, cache)

    return ask


def test_the_types_of_a_users_file_are_known(said) -> None:
    found = said(GOOD)
    assert [x for x in found if x[1] != "note"] == []
    shown = {line: text for line, _, text in found if '"' in text}
    assert shown.keys() == TYPES.keys()
    for line, wanted in TYPES.items():
        # mypy writes whole names, and functions as `def`.
        told = shown[line].removeprefix("Revealed type is ").replace("def ", "")
        short = [".".join(part.split(".")[-1:]) for part in _names(told)]
        assert short == _names(wanted), (line, told)


def _names(text: str) -> list[str]:
    """Return the names in the text of a type, in their order."""
    kept = "".join(c if c.isalnum() or c in "._" else " " for c in text.rpartition(" is ")[2])
    return kept.split()


def test_every_mistake_is_found_at_its_line(said) -> None:
    errors = [line for line, kind, _ in said(WRONG) if kind == "error"]
    assert sorted(set(errors)) == list(range(3, 1 + WRONG.count("\n")))


def test_the_stub_names_what_is_there() -> None:
    assert len(symcute.__all__) >= 200
    assert [name for name in symcute.__all__ if not hasattr(symcute, name)] == []
    with pytest.raises(AttributeError):
        _ = symcute.nothing_of_this_name


@pytest.mark.full
def test_editors_complete_public_names() -> None:
    script = jedi.Script("import symcute\nsymcute.logical_\nsymcute.prove('').cert")
    assert {x.name for x in script.complete(2, 16)} == {"logical_divide", "logical_product"}
    assert {x.name for x in script.complete(3, 22)} == {"certificate"}
    assert "Decide a claim" in script.help(3, 10)[0].docstring()
