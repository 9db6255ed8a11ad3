"""The page of `symcute check`: worst first, places in their sources, text that stays text."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path
from typing import Any

import pytest

from symcute.kernel.findings import WORDS
from symcute.report.kernels import kernels_page

SOURCE = "// é\n__global__ void k(int *x) {\n  /* é */ x[1] = 0; // </pre><script>\n}\n"


def finding(status: str, name: str = "in_bounds", **more: Any) -> dict[str, Any]:
    plain = {
        "kernel": "k", "property": name, "status": status, "file": "k.cu", "line": 3, "column": 12,
        "subject": "write to x", "text": "<b>write to x</b>", "counterexample": None, "reason": "",
        "how": "ranges", "rests_on": ["arithmetic"], "holds_if": "", "count": 1, "certificates": [],
        "layouts": [],
    }  # fmt: skip
    return {**plain, **more}


def kernel(name: str, *findings: dict[str, Any], **more: Any) -> dict[str, Any]:
    plain = {
        "kernel": name, "launch": None, "contract": None, "file": "k.cu", "line": 2,
        "verdicts": {f["property"]: f["status"] for f in findings},
        "findings": list(findings), "seconds": 0.25, "cached": False,
    }  # fmt: skip
    return {**plain, **more}


REFUTED = finding("refuted", counterexample={"words": "n=1, thread 0", "other": None})
UNKNOWN = finding("unknown", reason="the work limit of 9,000 was reached")
CONTRACT = {
    "lines": [
        {"text": "numel(x) >= 2", "properties": ["in_bounds"], "known": "necessary",
         "counterexamples": {"in_bounds": {"words": "numel_x=1"}}},
    ],
    "given": ["gridDim.x >= 1"],
    "verdicts": {"in_bounds": "proved"},
}  # fmt: skip


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "k.cu").write_text(SOURCE, encoding="utf-8")
    return tmp_path


def standings(page: str) -> list[str]:
    return re.findall(r'<summary><span class="badge [\w-]+">([\w ]+)</span>', page)


def test_kernels_come_worst_first_and_under_their_conditions() -> None:
    kernels = [
        kernel("fine", finding("proved")),
        kernel("under", finding("unknown", reason="no launch is known"), contract=CONTRACT),
        kernel("open_", UNKNOWN),
        kernel("wrong", finding("proved", "aligned"), REFUTED),
    ]
    page = kernels_page(kernels, [], WORDS)
    assert standings(page) == ["refuted", "unknown", "conditional", "proved"]
    assert "4 kernels: 1 refuted, 1 unknown, 1 conditional, 1 proved" in page
    assert "numel(x) &gt;= 2" in page and "otherwise numel_x=1" in page
    # What is unknown for want of a launch alone is no open question.
    assert "the work limit of N was reached" in page
    assert "no launch is known</td>" not in page


def test_a_file_with_something_wrong_comes_before_one_without(folder: Path) -> None:
    kernels = [
        kernel("a", finding("proved"), file="a.cu"),
        kernel("b", REFUTED, file="b.cu"),
    ]
    page = kernels_page(kernels, [], WORDS)
    assert re.findall(r'class="file">([^<]+)<', page) == ["b.cu", "a.cu"]


def test_the_place_is_marked_in_its_source_which_stays_text() -> None:
    page = kernels_page([kernel("k", REFUTED)], [], WORDS)
    # Columns are bytes of UTF-8, as compilers count them.
    assert "/* é */ <mark>x</mark>[1] = 0;" in page
    assert "</pre><script>" not in page and "// &lt;/pre&gt;&lt;script&gt;" in page
    assert "<b>write to x</b>" not in page and "<b>write to x</b>" in unescape(page)


def test_both_places_of_a_race_are_shown() -> None:
    other = {"words": "n=2", "other": {"place": "k.cu:2:17"}}
    race = finding("refuted", "write_race_free", counterexample=other)
    page = kernels_page([kernel("k", race)], [], WORDS)
    assert page.count('<pre class="source"') == 2
    assert "k.cu:3:12 and k.cu:2:17" in page


def test_layouts_through_which_memory_is_accessed_are_shown() -> None:
    named = {**REFUTED, "layouts": ["A: _8:_1", "C: <b>:_1"]}
    page = kernels_page([kernel("k", named), kernel("l", REFUTED)], [], WORDS)
    assert page.count("<dt>Through") == 1
    assert "<code>A: _8:_1; C: &lt;b&gt;:_1</code>" in page


def test_a_source_that_cannot_be_read_is_not_shown(folder: Path) -> None:
    (folder / "k.cu").unlink()
    page = kernels_page([kernel("k", REFUTED)], [], WORDS)
    assert '<pre class="source"' not in page and "k.cu:3:12" in page


def test_a_line_beyond_the_end_or_a_column_beyond_the_line_is_no_trouble() -> None:
    page = kernels_page([kernel("k", {**REFUTED, "line": 99}, {**REFUTED, "column": 999})], [], {})
    assert page.count('<pre class="source"') == 1 and "<mark>" not in page


def test_what_could_not_be_checked_is_said() -> None:
    error = {"what": "no <header>", "fix": "give -I", "where": "a.cu", "place": "a.cu:1:1"}
    page = kernels_page([], [error], WORDS)
    assert "no &lt;header&gt;; give -I" in page and "1 could not be checked" in page
    assert 'class="verdict bad"' in page
