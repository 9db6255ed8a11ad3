"""Pages in a real browser: headless Chromium through Playwright, cut off from the network."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from typing import Any

import pytest

#: What the browser is looked for as, on Debian and elsewhere; SYMCUTE_BROWSER names another.
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
#: As root in a container, and with no connection of its own.
FLAGS = (
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
)  # fmt: skip


def executable() -> str | None:
    """Return where Chromium is, or None."""
    named = os.environ.get("SYMCUTE_BROWSER")
    return named or next(filter(None, map(shutil.which, NAMES)), None)


# One browser a file and none longer: Playwright's loop would be in the way of other tests' own.
@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    path = executable()
    if path is None:
        pytest.fail("no Chromium here: apt-get install chromium, or set SYMCUTE_BROWSER")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=path, args=list(FLAGS))
        yield chromium
        chromium.close()


@pytest.fixture
def page(browser: Any) -> Iterator[Any]:
    """A page that may ask for no address but files, and may complain of nothing."""
    context = browser.new_context(offline=True, viewport={"width": 1200, "height": 900})
    opened = context.new_page()
    wrong: list[str] = []
    opened.on("console", lambda m: wrong.append(f"console: {m.type}: {m.text}"))
    opened.on("pageerror", lambda error: wrong.append(f"error: {error}"))
    opened.on(
        "request",
        lambda r: (
            wrong.append(f"asked for {r.url}")
            if not r.url.startswith(("file:", "data:", "blob:", "about:"))
            else None
        ),
    )
    yield opened
    context.close()
    assert wrong == []
