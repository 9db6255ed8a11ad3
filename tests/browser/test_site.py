"""Is the documentation built without a warning, and can it be read from disk, by everybody?"""

from __future__ import annotations

import importlib
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.full

ROOT = Path(__file__).resolve().parents[2]
#: A page of each kind: prose, sessions, what a notebook showed, docstrings.
PAGES = ("index.html", "tutorial.html", "tutorial-notebook.html", "reference/python/kernels.html")
#: What is held against pages; without asking for the style sheets again, which files do not give.
ACCESSIBLE = {"runOnly": ["wcag2a", "wcag2aa"], "preload": False}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, built as `make site` builds it: a warning is an error."""
    folder = tmp_path_factory.mktemp("site")
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(folder)],
        capture_output=True,
        text=True,
        cwd=ROOT,
        env={**os.environ, "NO_MKDOCS_2_WARNING": "1"},
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


def test_every_public_name_is_described(site: Path) -> None:
    public = importlib.import_module("symcute")
    folder = site / "reference" / "python"
    pages = "\n".join(p.read_text(encoding="utf-8") for p in sorted(folder.glob("*.html")))
    names = [name for name in public.__all__ if name != "__version__"]
    assert len(names) > 150
    assert [n for n in names if pages.count(f'id="symcute.{n}"') != 1] == []


def test_every_command_lemma_and_claim_is_there(site: Path) -> None:
    commands = importlib.import_module("symcute.cli").symcute.commands
    told = (site / "reference" / "command-line.html").read_text(encoding="utf-8")
    assert [c for c in commands if f'id="symcute-{c}"' not in told] == []
    lemmas = (site / "explanation" / "lemmas.html").read_text(encoding="utf-8")
    files = [p.stem for p in (ROOT / "proofs" / "lemmas").glob("*.py")]
    assert len(files) >= 14
    assert [f for f in files if f'<h2 id="{f}"' not in lemmas] == []
    claims = importlib.import_module("symcute.claims.vocabulary").CLAIMS
    language = (site / "reference" / "language.html").read_text(encoding="utf-8")
    assert [c for c in claims if f"<code>{c}</code>" not in language] == []


def test_the_site_asks_for_nothing_from_outside(site: Path) -> None:
    loaded = re.compile(r'<(?:script|link|img|iframe)[^>]*(?:src|href)="?(https?:)?//')
    pages = sorted(site.rglob("*.html"))
    assert len(pages) >= 30
    assert [str(p) for p in pages if loaded.search(p.read_text(encoding="utf-8"))] == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_pages_open_from_disk_and_can_be_read(site: Path, page: Any, scheme: str) -> None:
    from axe_playwright_python.sync_playwright import Axe

    page.emulate_media(color_scheme=scheme)
    for name in PAGES:
        page.goto((site / name).as_uri())
        assert page.locator("h1").count() == 1, name
        found = Axe().run(page, options=ACCESSIBLE)
        wrong = [
            f"{name}: {v['id']}: {node['html']}"
            for v in found.response["violations"]
            for node in v["nodes"]
        ]
        assert wrong == []


def test_search_works_from_disk(site: Path, page: Any) -> None:
    page.goto((site / "index.html").as_uri())
    page.keyboard.press("/")
    page.get_by_text("Type to start searching").wait_for()
    page.keyboard.type("complement")
    found = page.locator(".md-search-result__link", has_text="Complement")
    found.first.wait_for()
    assert "reference/python" in found.first.get_attribute("href")


def test_what_is_copied_from_a_session_is_what_one_types(site: Path, page: Any) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto((site / "tutorial.html").as_uri())
    page.locator(".highlight", has_text="$ symcute show").get_by_role("button").click()
    page.get_by_text("Copied to clipboard").wait_for()
    assert page.evaluate("navigator.clipboard.readText()") == 'symcute show "(4,8):(9,1)"'
