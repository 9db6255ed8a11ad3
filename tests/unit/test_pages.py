"""Do docstrings and pages become the Markdown that shows what they say?"""

from __future__ import annotations

import importlib.util
import inspect
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from symcute import coalesce

TOOL = Path(__file__).resolve().parents[2] / "tools" / "docstrings.py"


@pytest.fixture(scope="module")
def tool() -> Any:
    spec = importlib.util.spec_from_file_location("docstrings", TOOL)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_a_session_and_conditions_are_code(tool: Any) -> None:
    text = (
        "Return it.\n\nMore.\nPost-conditions:\n    result == layout\n        for i in x\n"
        "Errors: none.\n\n>>> 1 + 1\n2\n\nAfter."
    )
    assert tool.markdown(text) == (
        "Return it.\n\nMore.\n\n**Post-conditions.**\n\n"
        "```python\nresult == layout\n    for i in x\n```\n\n"
        "**Errors.** none.\n\n```pycon\n>>> 1 + 1\n2\n```\n\nAfter."
    )


def test_marks_of_markdown_in_prose_are_characters(tool: Any) -> None:
    assert tool.markdown("x*y and <b> and `x*y<b>` and a_b") == (
        r"x\*y and &lt;b> and `x*y<b>` and a_b"
    )


def test_code_may_go_over_lines(tool: Any) -> None:
    assert tool.markdown("Where `a <\nb*c` and\nErrors: as `x <\ny`.") == (
        "Where `a <\nb*c` and\n\n**Errors.** as `x <\ny`."
    )


def test_lists_and_formulas_stand_apart(tool: Any) -> None:
    assert tool.markdown("Cases:\n- one\n- two\n\nthen\n\n    R <= 1\n\nend") == (
        "Cases:\n\n- one\n- two\n\nthen\n\n```{ .text .wrap }\nR <= 1\n```\n\nend"
    )


def test_names_lead_to_where_they_are_defined(tool: Any) -> None:
    assert tool.home("coalesce") == "symcute.layout.algebra.coalesce.coalesce"
    assert tool.home("Layout") == "symcute.layout.layout.Layout"
    assert tool.home("mod") == "symcute.expr.expression.mod"


@pytest.fixture
def pages(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(str(TOOL.parent))
    yield importlib.import_module("pages")
    for name in ("pages", "docstrings"):
        sys.modules.pop(name, None)


def test_links_out_of_the_docs_are_files_of_the_repository(pages: Any) -> None:
    page = SimpleNamespace(file=SimpleNamespace(src_uri="how-to/check-a-kernel.md"), meta={})
    assert pages.on_page_markdown("[the list](../../README.md), [it](../index.md#here)", page) == (
        "the list (`README.md`), [it](../index.md#here)"
    )
    code = "```\n[x](../../nowhere)\n```"
    assert pages.on_page_markdown(code, page) == code
    with pytest.raises(Exception, match=r"nowhere\.md is no file of the repository"):
        pages.on_page_markdown("[the list](../../nowhere.md)", page)


def test_what_is_written_from_the_sources_is_known(pages: Any) -> None:
    page = SimpleNamespace(file=SimpleNamespace(src_uri="reference/language.md"), meta={})
    told = pages.on_page_markdown("<!-- from the sources: claims -->", page)
    assert "| `injective` |" in told and "| `bank_conflict` |" in told
    with pytest.raises(Exception, match="nothing writes 'nonsense'"):
        pages.on_page_markdown("<!-- from the sources: nonsense -->", page)


def test_each_name_of_the_reference_has_the_first_line_of_its_docstring(pages: Any) -> None:
    """`make reference` writes them."""
    seen = 0
    for path in (pages.ROOT / "docs/reference/python").glob("*.md"):
        text = path.read_text("utf-8")
        assert pages.with_lines(text) == text, f"{path.name}: run make reference"
        seen += text.count("\n- `")
    assert seen >= 200
    assert pages.with_lines("- `mod`: x\n- `coalesce`") == (
        "- `mod`: Return the remainder of `a` by `b`; with dims it stays as it is written.\n"
        f"- `coalesce`: {inspect.getdoc(coalesce).splitlines()[0]}"
    )
    page = SimpleNamespace(file=SimpleNamespace(src_uri="reference/python/x.md"), meta={})
    assert pages.on_page_markdown("- `mod`: said.\n", page) == "::: symcute.mod\n\n"
