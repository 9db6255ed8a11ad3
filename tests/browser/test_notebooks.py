"""Is what notebooks show readable in a browser, in light and in dark, and on a phone?"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from symcute import Layout, evaluate, prove, suggest

pytestmark = pytest.mark.full

#: What JupyterLab's style does to tables, and more strongly than ours without care.
JUPYTER = """
.jp-RenderedHTMLCommon td { text-align: right; padding: .5em; }
.jp-RenderedHTMLCommon tbody tr:nth-child(odd) { background: #ffeeee; }
.jp-RenderedHTMLCommon tbody tr:hover { background: #e1f5fe; }
"""


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A page of what cells show."""
    values = [
        Layout((4, 8), (8, 1)),
        evaluate("Sw<2,0,2> o 0 o (4,4):(4,1)"),
        prove("injective((M,N):(LD,1))"),
        prove("injective((M,N):(LD,1))", given=["LD >= N"]),
        prove("bank_conflict(access((32,C):(32,1), 32), 1)"),
        suggest("injective((M,N):(LD,1))"),
    ]
    outputs = "".join(f"<div class=jp-RenderedHTMLCommon>{v._repr_html_()}</div>" for v in values)
    file = tmp_path_factory.mktemp("notebook") / "notebook.html"
    file.write_text(
        f"<!doctype html><html lang=en><meta charset=utf-8><title>outputs</title>"
        f"<style>{JUPYTER}</style><body>{outputs}",
        encoding="utf-8",
    )
    return file


@pytest.fixture
def shown(page: Any, file: Path) -> Any:
    page.goto(file.as_uri())
    return page


@pytest.mark.parametrize(("ink", "paper"), [("#000", "#fff"), ("#e6e6e6", "#111")])
def test_text_stands_out_on_light_and_dark_paper(shown: Any, ink: str, paper: str) -> None:
    from axe_playwright_python.sync_playwright import Axe

    shown.add_style_tag(content=f"body {{ color: {ink}; background: {paper}; }}")
    found = Axe().run(shown, options={"runOnly": ["color-contrast"]})
    assert found.violations_count == 0, found.generate_report()


def test_tables_keep_their_style_inside_that_of_jupyter(shown: Any) -> None:
    cell = shown.locator(".grid td").first
    assert cell.evaluate("x => getComputedStyle(x).textAlign") == "center"
    row = shown.locator(".grid tbody tr").first
    assert row.evaluate("x => getComputedStyle(x).backgroundColor") == "rgba(0, 0, 0, 0)"


def test_a_cell_says_what_it_is_and_steps_open(shown: Any) -> None:
    assert "1" in shown.locator(".grid td").nth(9).get_attribute("title")
    steps = shown.locator("details ol").first
    assert not steps.is_visible()
    shown.locator("summary").first.click()
    assert steps.is_visible()


def test_a_phone_scrolls_wide_tables_and_not_the_page(shown: Any) -> None:
    shown.set_viewport_size({"width": 390, "height": 800})
    assert shown.evaluate("document.documentElement.scrollWidth") <= 390
