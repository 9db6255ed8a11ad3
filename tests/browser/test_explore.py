"""The explorer's page as people use it: its tables, its fields, the keyboard, light and dark."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from urllib.parse import parse_qs

import pytest

from symcute.claims.language import evaluate
from symcute.hardware.access import Access
from symcute.hardware.memory import shared_wavefronts
from symcute.layout.algebra import composition
from symcute.layout.layout import Layout
from symcute.report.explorer.page import explorer_page

pytestmark = pytest.mark.full

SWIZZLED = "Sw<3,3,3> o 0 o (8,64):(64,1)"


@pytest.fixture
def opened(page: Any, tmp_path: Path) -> Any:
    """Return a function that opens the page of a layout."""

    def at(text: str, address: str = "", **more: Any) -> Any:
        value = evaluate(text)
        value = Layout(value) if isinstance(value, (tuple, int)) else value
        path = tmp_path / "explore.html"
        path.write_text(explorer_page(value, **more), encoding="utf-8")
        page.goto(path.as_uri() + address)
        return page

    return at


def cost(page: Any, how: str) -> str:
    pair = page.locator("#costs div", has=page.locator("dt", has_text=how))
    return str(pair.locator("dd").inner_text())


def test_reads_of_a_column_and_a_row(opened: Any) -> None:
    page = opened("(4,8)")
    for text in ("(32,32):(32,1)", "(32,32):(33,1)", "Sw<5,0,5> o 0 o (32,32):(1,32)"):
        page.fill("#layout", text)
        layout = evaluate(text)
        for how, lanes in (("down a column", (None, 0)), ("along a row", (0, None))):
            waves = shared_wavefronts(Access(layout(*lanes), 32).addresses(), 4)
            one = waves == 1
            wanted = (
                "1 wavefront, no bank" if one else f"{waves} wavefronts instead of 1, worst in "
            )
            assert cost(page, f"32 lanes {how}").startswith(wanted)


def test_reads_of_values_are_those_of_the_partition(opened: Any) -> None:
    threads = "((4,8),(2,2)):((32,1),(16,8))"
    page = opened("(16,8):(1,16)", threads=threads, view="threads")
    partition = composition(evaluate("(16,8):(1,16)"), evaluate(threads))
    assert cost(page, f"composition(A, {threads})") == str(partition)
    access = Access(partition, 32)
    waves = shared_wavefronts(access.addresses((0, 0)), 4)
    assert cost(page, "32 lanes, a value each").startswith(
        f"{waves} wavefronts instead of 1, worst in value 0"
    )


def cell(page: Any, i: int, j: int) -> Any:
    return page.locator(f'td[data-i="{i}"][data-j="{j}"]')


def test_changing_the_fields_changes_the_table(opened: Any) -> None:
    page = opened("(4,8):(8,1)")
    assert cell(page, 1, 2).inner_text() == "10"
    page.fill("#stride", "(1,4)")
    assert page.input_value("#layout") == "(4,8):(1,4)"
    assert cell(page, 1, 2).inner_text() == "9"
    page.fill("#sw-bits", "2")
    assert page.input_value("#layout") == "Sw<2,3,3> o 0 o (4,8):(1,4)"
    page.fill("#sw-base", "0")
    page.fill("#sw-shift", "2")
    swizzled = evaluate("Sw<2,0,2> o 0 o (4,8):(1,4)")
    assert [cell(page, i, 3).inner_text() for i in range(4)] == [
        str(swizzled(i, 3)) for i in range(4)
    ]
    page.fill("#layout", "((2,2),(2,4)):((1,4),(2,8))")
    assert [page.input_value(x) for x in ("#shape", "#stride", "#sw-bits")] == [
        "((2,2),(2,4))",
        "((1,4),(2,8))",
        "0",
    ]
    page.click("#rows")
    assert page.input_value("#layout") == "((2,2),(2,4)):((16,8),(4,1))"
    assert page.inner_text("h1") == "((2,2),(2,4)):((16,8),(4,1))"
    page.check("#view-banks")
    page.select_option("#bits", "64")
    assert cell(page, 0, 1).inner_text().split() == ["4", "b8"]
    page.check("#view-tiles")
    page.fill("#tile", "(2,2)")
    assert cell(page, 3, 7).inner_text().split() == ["31", "t7"]


def test_results_are_live_and_can_be_used(opened: Any) -> None:
    page = opened("(8,8):(8,1)")
    page.fill("#with", "(2,4)")
    row = page.locator("#results tr", has_text="zipped_divide(A, B)")
    assert row.locator("td").first.inner_text() == str(
        evaluate("zipped_divide((8,8):(8,1), (2,4))")
    )
    row.get_by_role("button").click()
    assert page.input_value("#layout") == "((2,4),(4,2)):((8,1),(16,4))"
    page.fill("#with", "3")
    refused = page.locator("#results tr", has_text="zipped_divide(A, B)")
    assert "no layout of this hierarchy" in refused.inner_text()
    assert refused.get_by_role("button").count() == 0


REFUSED = [
    ("(4,8", "expected ')', found the end at column 5; write what is missing before it"),
    ("(4,8):(1", "expected ')', found the end at column 9; write what is missing before it"),
    ("(4,0)", "extent 0 in the shape (4,0); extents are at least 1"),
    (
        "(4,8):(1,(2,3))",
        "shape (4,8) and stride (1,(2,3)) differ in hierarchy at column 1; "
        "give every extent its stride, in the same parentheses",
    ),
    (
        "Sw<3,0,2> o 0 o 8:1",
        "the two fields of Sw<3,0,2> overlap at column 1; the shift is at least 3 either way",
    ),
    (
        "(4,8):(1@0,1@1)",
        "a stride that is a coordinate at column 9; "
        "it gives no offsets to show; symcute show prints the layout",
    ),
    ("(4,7/2)", "7/2 is not an integer at column 4; use // or ceil_div to round"),
    ("<img src=x>", "the character '=' means nothing here at column 9; remove it"),
    (
        "+".join("1" * 130),
        "more than 128 operators and brackets inside one another at column 1; "
        "group the terms in parentheses, or split it",
    ),
    ("<4:1", "expected '>', found the end at column 5; write what is missing before it"),
]


def test_what_is_no_layout_is_told_and_shows_nothing(opened: Any) -> None:
    page = opened("(4,8)")
    for text, said in REFUSED:
        page.fill("#layout", text)
        assert page.inner_text("#layout-problem") == said
        assert page.get_attribute("#layout", "aria-invalid") == "true"
        assert page.locator(".of-layout:visible").count() == 0
    page.fill("#layout", "(4,8)")
    assert page.inner_text("#layout-problem") == ""
    assert cell(page, 3, 7).inner_text() == "31"


def test_tiles_and_threads_that_do_not_fit_are_told(opened: Any) -> None:
    page = opened("(4,8)", tile="(3,2,2)", threads="(8,8):(1,8)", view="threads")
    assert page.inner_text("#tile-problem").startswith("the tiler has 3 modes, (4,8):(1,4) has 2")
    assert page.inner_text("#threads-problem").startswith("thread 0, value 4 is at 32, outside")
    assert page.locator("#drawn").is_hidden()
    page.fill("#threads", "")
    assert cell(page, 0, 0).inner_text().split() == ["T0", "V0"]


def test_nothing_of_another_layout_stays_in_sight(opened: Any) -> None:
    page = opened("(4,8)")
    page.fill("#layout", "9" * 9999)  # its text is too long to be read again
    (line,) = page.locator("#results tr:not(:has(.refused))").all()
    assert line.locator("th").inner_text() == "complement(B, size(A))"
    page.evaluate("""() => {
      Object.defineProperty(Layout.prototype, "cosize", { get() { throw new Error("broken"); } });
      state.layout = "(2,2)";
      try { render(); } catch (error) { if (error.message !== "broken") throw error; }
    }""")
    assert page.locator(".of-layout:visible").count() == 0


def test_parentheses_do_not_change_what_is_in_the_fields(opened: Any) -> None:
    page = opened("(4,8)")
    for text in ("((4,8):(8,1))", "(Sw<2,0,2> o 0 o (8,8):(8,1))", "(8)"):
        page.fill("#layout", text)
        title = page.inner_text("h1")
        page.click("#rows")
        assert page.inner_text("h1") == title


def test_dims_have_fields(opened: Any) -> None:
    page = opened("(M,N):(LD,1)", dims={"M": 4, "LD": 9})
    assert page.inner_text("h1") == "(4,8):(9,1)"
    page.get_by_label("LD").fill("12")
    assert cell(page, 3, 7).inner_text() == "43"
    page.get_by_label("M", exact=True).fill("")
    assert page.inner_text("#layout-problem") == "M has no value at column 2; give the dim a number"


def test_the_address_holds_what_is_shown(opened: Any) -> None:
    page = opened("(4,8)")
    page.fill("#layout", "(M,8):(8,1)")
    page.check("#view-tiles")
    page.fill("#tile", "(2,2)")
    page.get_by_label("M", exact=True).fill("6")
    page.wait_for_url("**dim.M=6")
    address = page.url[page.url.index("#") :]
    held = parse_qs(address[1:])
    assert held["layout"] == ["(M,8):(8,1)"]
    assert (held["view"], held["tile"], held["dim.M"]) == (["tiles"], ["(2,2)"], ["6"])
    shown = page.inner_text("#table")
    again = opened("(3,3)", address)
    assert again.inner_text("#table") == shown
    assert again.input_value("#layout") == "(M,8):(8,1)"
    again.evaluate("location.hash = '#layout=(2,2)&view=nonsense&bits=x&dim.__proto__=1'")
    again.wait_for_function("document.getElementById('layout').value === '(2,2)'")
    assert again.is_checked("#view-offsets")
    again.focus("#shape")
    again.evaluate("location.hash = '#layout=(7,6)'")
    again.wait_for_function("document.getElementById('shape').value === '(7,6)'")


def test_a_cell_tells_what_is_known_of_it(opened: Any) -> None:
    page = opened(SWIZZLED, element_bits=16, threads="(8,64):(1,8)", tile="(4,8)")
    cell(page, 3, 9).hover()
    told = page.inner_text("#cell").split("\n")
    swizzled = evaluate(SWIZZLED)
    offset = swizzled(3, 9)
    assert dict(zip(told[::2], told[1::2], strict=True)) == {
        "coordinate": "(3,9)",
        "index": "75",
        "before the swizzle": "201",
        "offset": str(offset),
        "bank": str(offset * 2 // 4 % 32),
        "held by": "T3 V9",
        "tile": "2, place 7",
    }
    assert cell(page, 3, 9).evaluate("e => e.classList.contains('kin')")
    page.fill("#layout", "((2,2),(2,4)):((1,4),(2,8))")
    page.fill("#threads", "")
    page.check("#view-threads")
    cell(page, 1, 6).hover()
    assert "(1,6) = ((1,0),(0,3))" in page.inner_text("#cell")
    threads = [cell(page, 1, 6).inner_text().split()[0], *page.locator("td.kin").all_inner_texts()]
    assert {x.split()[0] for x in threads} == {threads[0]}


def test_it_prints_without_its_fields(opened: Any) -> None:
    page = opened("(4,8)")
    page.emulate_media(media="print")
    assert page.locator("#inputs").is_hidden()
    assert page.locator("#table").is_visible() and page.locator("#results code").first.is_visible()


@pytest.mark.parametrize("view", ["offsets", "threads"])
def test_a_wide_table_fits_on_paper(opened: Any, view: str) -> None:
    page = opened("Sw<3,3,3> o 0 o (8,64):(64,1)", view=view)
    page.set_viewport_size({"width": 700, "height": 1000})  # about A4 between its margins
    page.emulate_media(media="print")
    assert page.evaluate("document.documentElement.scrollWidth") <= 700
    right = page.evaluate("document.querySelector('#table').getBoundingClientRect().right")
    assert 500 < right <= 700


def test_the_keyboard_is_enough(opened: Any) -> None:
    page = opened("(4,8)")
    page.focus("#layout")
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowUp")
    assert page.input_value("#layout") == "(5,8):(1,4)"
    page.keyboard.press("Shift+ArrowUp")
    assert page.input_value("#layout") == "(10,8):(1,4)"
    cell(page, 0, 0).focus()
    for key in ("ArrowDown", "ArrowRight", "ArrowRight", "ArrowUp", "ArrowUp", "End"):
        page.keyboard.press(key)
    assert (
        page.evaluate("document.activeElement.dataset.i + ',' + document.activeElement.dataset.j")
        == "0,7"
    )
    assert "(0,7)" in page.inner_text("#cell")
    assert page.locator("#table [tabindex='0']").count() == 1
    page.focus("#view-offsets")
    page.keyboard.press("ArrowRight")
    assert page.is_checked("#view-banks")


def test_large_layouts_show_a_corner_and_numbers_are_exact(opened: Any) -> None:
    page = opened("(256,512):(512,1)")
    assert "the first 32 x 128 of 256 x 512 cells" in page.inner_text("#note")
    assert page.locator("#table tbody td").count() == 4096
    page.fill("#layout", "(2,2):(9007199254740993,1)")
    assert cell(page, 1, 1).inner_text() == "9007199254740994"
    page.fill("#layout", "(1073741824,1073741824)")
    facts = page.inner_text("#facts")
    assert "1152921504606846976" in facts and "more than 16384, not listed" in facts
    page.check("#view-tiles")
    assert page.inner_text("#no-table") == "more than 16384 elements; give a smaller layout"
    assert page.inner_text("#tile-problem") == ""


def test_everybody_can_read_it(opened: Any) -> None:
    from axe_playwright_python.sync_playwright import Axe

    page = opened("Sw<2,0,3> o 0 o (4,8):(8,1)", dims={})
    for view, scheme, tile in (("banks", "light", "(2,2)"), ("threads", "dark", "(4")):
        page.emulate_media(color_scheme=scheme)
        page.check(f"#view-{view}")
        page.fill("#tile", tile)
        found = Axe().run(page)
        assert found.violations_count == 0, found.generate_report()


def test_a_phone_needs_no_sideways_scrolling(opened: Any) -> None:
    page = opened(SWIZZLED, view="banks")
    page.set_viewport_size({"width": 390, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.fill("#layout", "9" * 900)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
