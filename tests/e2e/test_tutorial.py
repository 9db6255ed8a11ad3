"""Does the notebook run, and does it show what is stored in it?"""

from __future__ import annotations

from doctest import DocTestParser
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient

from tests.e2e.pages import ROOT, blocks
from tools.tutorial import FILE, executed, notebook

LARGEST = 400_000


def texts(cell: Any) -> list[str]:
    """Return what a cell shows, as text."""
    return [o.get("text") or o["data"]["text/plain"] for o in cell.get("outputs", ())]


@pytest.fixture(scope="module")
def stored() -> Any:
    return nbformat.read(FILE, as_version=4)


def test_the_stored_notebook_is_small_and_of_these_cells(stored: Any) -> None:
    nbformat.validate(stored)
    assert FILE.stat().st_size < LARGEST
    assert [(c.id, c.source) for c in stored.cells] == [
        (c.id, c.source) for c in notebook().cells
    ], "make tutorial writes it again"


def test_its_links_lead_to_pages(stored: Any) -> None:
    prose = "".join(c.source for c in stored.cells if c.cell_type == "markdown")
    links = [x.split(")")[0] for x in prose.split("](")[1:]]
    assert len(links) >= 3
    for link in links:
        assert (FILE.parent / Path(link)).exists(), link


def test_it_shows_what_is_stored(stored: Any) -> None:
    fresh = executed()
    for was, now in zip(stored.cells, fresh.cells, strict=True):
        assert texts(was) == texts(now), f"{was.id}: make tutorial writes it again"
    assert sum(bool(texts(c)) for c in fresh.cells) >= 12
    assert not any(o.output_type == "error" for c in fresh.cells for o in c.get("outputs", ()))


def test_what_the_page_for_students_types_works_in_a_notebook() -> None:
    sessions = [b.text for b in blocks(ROOT / "docs/start/student.md") if b.is_session]
    typed = [e for text in sessions for e in DocTestParser().get_examples(text)]
    cells = [nbformat.v4.new_code_cell(e.source) for e in typed]
    book = nbformat.v4.new_notebook(cells=cells)
    NotebookClient(book, timeout=120, kernel_name="python3", allow_errors=True).execute()
    drawn = []
    for example, cell in zip(typed, book.cells, strict=True):
        shown = (cell.outputs or [{"output_type": "nothing"}])[-1]
        # What is printed may come in parts.
        assert all(o["output_type"] == "stream" for o in cell.outputs[:-1])
        assert (shown["output_type"] == "error") == ("Traceback" in example.want), example.source
        if "data" in shown and "text/html" in shown["data"]:
            drawn.append(example.source.strip())
        elif shown["output_type"] != "error":
            assert "".join(texts(cell)).strip() == example.want.strip()
    assert drawn == ["A"]
