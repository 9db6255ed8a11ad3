"""Do the sessions in the README and the docs run, and say what is written there?"""

from __future__ import annotations

import doctest
import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
BLOCK = re.compile(r"^ *```console\n(.*?)^ *```", re.MULTILINE | re.DOTALL)
SOURCE = re.compile(r"^ *```cuda\n// (\w+\.cu)\n(.*?)^ *```", re.MULTILINE | re.DOTALL)
FILE = re.compile(r"^ *```python\n(.*?)^ *```", re.MULTILINE | re.DOTALL)


def sessions() -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """Yield (page, command, lines shown) for every `$ symcute ...` in a console block."""
    for page in PAGES:
        for block in BLOCK.findall(page.read_text(encoding="utf-8")):
            command, shown = "", []
            for line in (*block.splitlines(), "$ end"):
                text = line.strip()
                if text.startswith("$ "):
                    if command.startswith("symcute "):
                        yield page.name, command, tuple(shown)
                    command, shown = text[2:], []
                elif text:
                    shown.append(text)


SESSIONS = list(sessions())


def test_sessions_were_found() -> None:
    assert len(SESSIONS) >= 4


@pytest.mark.parametrize(("page", "command", "shown"), SESSIONS, ids=lambda x: str(x)[:40])
def test_a_session_says_what_is_written(
    page: str, command: str, shown: tuple[str, ...], symcute: Any, tmp_path: Path
) -> None:
    for path in (p for p in PAGES if p.name == page):
        for name, source in SOURCE.findall(path.read_text(encoding="utf-8")):
            (tmp_path / name).write_text(f"// {name}\n{source}", encoding="utf-8")
    outcome = symcute(*shlex.split(command)[1:])
    said = [line.strip() for line in (outcome.out + outcome.err).splitlines()]
    place = 0
    for line in shown:
        assert line in said[place:], f"{page}: {command} does not say {line!r}, but {said}"
        place = said.index(line, place) + 1


THEOREMS = [
    (page.name, dedent(text))
    for page in PAGES
    for text in FILE.findall(page.read_text(encoding="utf-8"))
    if "@theorem" in text
]


def test_theorem_files_were_found() -> None:
    assert THEOREMS


@pytest.mark.parametrize(("page", "text"), THEOREMS)
def test_a_theorem_file_has_the_verdicts_it_expects(
    page: str, text: str, symcute: Any, tmp_path: Path
) -> None:
    (tmp_path / "mine.py").write_text(text, encoding="utf-8")
    outcome = symcute("verify", "mine.py", "--quiet")
    assert outcome.code == 0, f"{page}: {outcome.out}{outcome.err}"
    assert "all as expected" in outcome.out


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.name)
def test_python_sessions_run(page: Path) -> None:
    results = doctest.testfile(str(page), module_relative=False, optionflags=doctest.ELLIPSIS)
    assert results.failed == 0
    assert page.name != "README.md" or results.attempted >= 5
