"""Do the README and the pages of docs/ hold when they are followed by the letter?

Every page is followed from top to bottom in a folder of its own: files are written, commands and
Python sessions run, and what is shown must be what they say.
"""

from __future__ import annotations

import doctest
import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.e2e.forks import Forks
from tests.e2e.pages import PAGES, ROOT, Block, Step, blocks, missing, steps
from tests.full import some

#: What a page may run but symcute, and what belongs to an installation, which nothing runs.
PROGRAMS = ("cat", "cp", "head", "jq", "ls", "pytest", "python", "sed")
INSTALLING = (".", "apt-get", "cd", "git", "make", "pip", "python3", "symcute")
#: What pages read of a clone of the repository; each that does gets a copy.
SHARED = ("proofs/lemmas", "proofs/notes")


#: Pages whose commands take long.
LONG = {
    ROOT / "docs" / name
    for name in (
        "how-to/pytest.md", "how-to/check-a-kernel.md", "how-to/check-a-triton-kernel.md",
        "how-to/check-a-cute-dsl-kernel.md",
        "start/kernel-engineer.md",
        "what-it-does.md",
    )
}  # fmt: skip


@pytest.mark.parametrize(
    "page",
    [pytest.param(p, marks=[pytest.mark.full] * (p in LONG)) for p in some(PAGES, 3)],
    ids=lambda p: str(p.relative_to(ROOT)),
)
def test_a_page_can_be_followed(
    page: Path, forks: Forks, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clone = tmp_path.resolve() / "symcute"
    clone.mkdir()
    text = page.read_text(encoding="utf-8")
    for folder in SHARED:
        if f" {folder}" in text:
            shutil.copytree(ROOT / folder, clone / folder)
    monkeypatch.chdir(clone)
    names: dict[str, Any] = {}
    for block in blocks(page):
        if block.title:
            path = clone / block.title
            path.parent.mkdir(parents=True, exist_ok=True)
            assert path.resolve().is_relative_to(clone), f"{block.place}: a file somewhere else"
            path.write_text(block.text, encoding="utf-8")
        if block.is_session:
            run_session(block, names)
        elif block.language in READERS:
            READERS[block.language](block.text)
        elif block.language == "console":
            for step in steps(block):
                run_step(step, forks, clone)
    for path in pictures(page):
        drawn = (clone / path.name).read_text(encoding="utf-8")
        assert drawn == path.read_text(encoding="utf-8"), f"{page} does not draw {path.name}"


def pictures(page: Path) -> list[Path]:
    """Return the pictures that a page shows: its commands have to draw just them."""
    return [page.parent / found for found in PICTURE.findall(page.read_text(encoding="utf-8"))]


def run_session(block: Block, names: dict[str, Any]) -> None:
    parser = doctest.DocTestParser()
    session = parser.get_doctest(block.text, names, block.place, block.place, 0)
    said: list[str] = []
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    runner.run(session, out=said.append, clear_globs=False)
    names.update(session.globs)
    assert runner.summarize(verbose=False).failed == 0, "".join(said)


def run_step(step: Step, forks: Forks, folder: Path) -> None:
    arguments = step.arguments
    if arguments is not None:
        code, out, err = forks.run(arguments, folder)
    else:
        code, out, err = run_in_shell(step, folder)
    where = f"{step.place}: {step.command}"
    line = missing(step.shown, out + err)
    assert not line, f"{where}\ndoes not say\n{line}\nbut\n{out}{err}"
    refused = any(x.startswith("symcute: ") for x in step.shown)
    assert code in ((2, 1) if refused else (0, 1)), f"{where}\nends with {code}\n{out}{err}"
    assert "Traceback" not in err, where


def run_in_shell(step: Step, folder: Path) -> tuple[int, str, str]:
    first = step.command.split()[0]
    assert first in (*PROGRAMS, "symcute"), f"{step.place}: {first} is not run; mark it ```sh"
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "-c", step.command],
        capture_output=True,
        text=True,
        cwd=folder,
        env={**os.environ, "PATH": path},
        timeout=120,
        check=False,
    )
    return done.returncode, done.stdout, done.stderr


def run_python(text: str) -> None:
    compile(text, "block", "exec")


def read_install(text: str) -> None:
    for line in text.splitlines():
        assert not line or line.split()[0] in INSTALLING, f"{line!r} installs nothing"


READERS: dict[str, Callable[[str], Any]] = {
    "json": json.loads,
    "python": run_python,
    "sh": read_install,
    "toml": tomllib.loads,
    "yaml": yaml.safe_load,
}


def test_every_block_is_run_or_known_not_to_be() -> None:
    count = {"console": 0, "session": 0, "text": 0}
    for page in PAGES:
        for block in blocks(page):
            kind = "session" if block.is_session else block.language
            count[kind] = count.get(kind, 0) + 1
            known = {"console", "session", "text", "cuda", *READERS}
            assert kind in known, f"{block.place}: a block of the kind {kind!r}"
            if kind in ("cuda", "python"):
                assert block.title, f"{block.place}: say which file this is, with title="
    assert count["console"] >= 30 and count["session"] >= 8
    assert count["text"] <= 12, "blocks that nothing runs or reads should be few"


def test_files_that_pages_write_are_used() -> None:
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        for block in blocks(page):
            if block.title:
                assert text.count(Path(block.title).name) > 1, f"{block.place} is used nowhere"


def test_what_is_shown_must_be_said_in_its_order() -> None:
    said = "  one  2 ms\ntwo (a*b)\nthree\n"
    assert missing(("one ... ms", "two (a*b)", "three"), said) == ""
    assert missing(("three", "one ... ms"), said) == "one ... ms"
    assert missing(("two (a+b)",), said) == "two (a+b)"
    assert missing(("thre",), said) == "thre"


def test_commands_are_read_as_they_stand() -> None:
    block = Block("page:1", "console", "", '$ symcute eval \\\n "2 | M"\n  a\n\n  b\n$ ls | head\n')
    first, second = steps(block)
    assert (first.arguments, first.shown) == (["eval", "2 | M"], ("a", "b"))
    assert second.arguments is None


PICTURE = re.compile(r"!\[[^\]]+\]\(([^)\s]+)\)")


def test_pages_show_pictures() -> None:
    assert {page.name for page in PAGES if pictures(page)} >= {"README.md", "find-a-swizzle.md"}


LINK = re.compile(r"\]\(([^)#\s]+)(?:#[^)\s]*)?\)")


def test_links_of_the_readme_lead_somewhere() -> None:
    links = LINK.findall((ROOT / "README.md").read_text(encoding="utf-8"))
    assert len(links) >= 10
    for link in links:
        assert link.startswith("https://") or (ROOT / link).exists(), link
