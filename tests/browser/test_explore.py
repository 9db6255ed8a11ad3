"""The explorer's pages as people use them: written ones, and live ones whose fields are changed."""

from __future__ import annotations

import threading
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs

import pytest

from symcute.claims.language import evaluate
from symcute.cli.serving import Server
from symcute.codegen.forms import to_text
from symcute.layout.layout import Layout
from symcute.report.explorer.page import explorer_page, page_state

pytestmark = pytest.mark.full

SWIZZLED = "Sw<3,3,3> o 0 o (8,64):(64,1)"


def state_of(text: str, **more: Any) -> dict[str, Any]:
    value = evaluate(text)
    return page_state(Layout(value) if isinstance(value, (tuple, int)) else value, **more)


@pytest.fixture
def written(page: Any, tmp_path: Path) -> Any:
    """Return a function that writes the page of a layout and opens it, cut off from all else."""

    def at(text: str, **more: Any) -> Any:
        path = tmp_path / "explore.html"
        path.write_text(explorer_page(state_of(text, **more)), encoding="utf-8")
        page.goto(path.as_uri())
        return page

    return at


@pytest.fixture
def live(browser: Any) -> Iterator[Any]:
    """Return a function that serves the page of a layout; it may ask nobody but the server."""
    servers: list[Server] = []
    context = browser.new_context(viewport={"width": 1200, "height": 900})
    page, wrong = context.new_page(), []
    page.on("console", lambda m: wrong.append(f"console: {m.type}: {m.text}"))
    page.on("pageerror", lambda error: wrong.append(f"error: {error}"))

    def at(text: str, address: str = "", **more: Any) -> Any:
        server = Server(state_of(text, **more))
        servers.append(server)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        page.goto(server.address + address)
        page.locator(".stage:not(.unknown)").wait_for()
        return page

    def asked(request: Any) -> None:
        if not request.url.startswith((*(s.address for s in servers), "data:")):
            wrong.append(f"asked for {request.url}")

    page.on("request", asked)
    yield at
    context.close()
    for server in servers:
        server.shutdown()
        server.server_close()
    assert wrong == []


def see(locator: Any) -> Any:
    from playwright.sync_api import expect

    return expect(locator, "what the page comes to show")


def cell(page: Any, i: int, j: int) -> Any:
    return page.locator(f'td[data-i="{i}"][data-j="{j}"]')


def row(page: Any, call: str) -> Any:
    return page.locator("#results tr", has_text=call)


# --- a page that was written --------------------------------------------------------------------


def test_a_written_page_has_all_views(written: Any) -> None:
    page = written(SWIZZLED, element_bits=16, threads="(8,64):(1,8)", tile="(4,8)", view="banks")
    swizzled = evaluate(SWIZZLED)
    offset = swizzled(3, 9)
    assert cell(page, 3, 9).inner_text().split() == [str(offset), f"b{offset // 2 % 32}"]
    cell(page, 3, 9).hover()
    told = page.inner_text("#cell").split("\n")
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
    for view, shown in (("offsets", f"{offset}"), ("tiles", f"{offset} t2"), ("threads", "T3 V9")):
        page.check(f"#view-{view}")
        assert cell(page, 3, 9).inner_text().split() == shown.split()
    page.check("#view-chunks")
    chunk = offset // 8
    assert cell(page, 3, 1).inner_text().split()[0] == str(chunk)
    assert row(page, "right_inverse(A)").inner_text().split()[-1] == "(64,8):(8,1)"


def test_a_written_page_says_that_it_cannot_be_changed(written: Any) -> None:
    page = written("(4,8)")
    assert "symcute explore --serve" in page.inner_text("#written")
    assert page.locator("#claims").is_hidden()
    assert page.locator("#results button").count() == 0
    for name in ("layout", "given", "shape", "stride", "tile", "threads", "with"):
        assert not page.locator(f"#{name}").is_editable()
    page.check("#view-tiles")
    assert page.inner_text("#no-table").startswith("no tile is given")


def test_it_prints_without_its_fields(written: Any) -> None:
    page = written("(4,8)")
    page.emulate_media(media="print")
    assert page.locator("#inputs").is_hidden()
    assert page.locator("#table").is_visible() and page.locator("#results code").first.is_visible()


@pytest.mark.parametrize("view", ["offsets", "banks"])
def test_a_wide_table_fits_on_paper(written: Any, view: str) -> None:
    page = written(SWIZZLED, view=view)
    page.set_viewport_size({"width": 700, "height": 1000})  # about A4 between its margins
    page.emulate_media(media="print")
    assert page.evaluate("document.documentElement.scrollWidth") <= 700
    right = page.evaluate("document.querySelector('#table').getBoundingClientRect().right")
    assert 500 < right <= 700


def test_a_wide_table_is_made_to_fit_and_larger(written: Any) -> None:
    page = written(SWIZZLED, view="banks")

    def width() -> float:
        return float(page.locator("#table").bounding_box()["width"])

    whole = width()
    assert whole > 1200
    page.click("#fit")
    assert 700 < width() <= 1170 and page.inner_text("#zoom") != "100 %"
    page.set_viewport_size({"width": 800, "height": 900})
    page.wait_for_timeout(100)
    assert 400 < width() <= 770
    page.click("#fit")
    assert width() == whole and page.inner_text("#zoom") == "100 %"
    page.click("#larger")
    assert width() > 1.1 * whole
    page.click("#smaller")
    page.click("#smaller")
    assert width() < 0.95 * whole


def test_large_layouts_show_a_corner_and_numbers_are_exact(written: Any) -> None:
    page = written("(256,512):(512,1)")
    assert "the first 32 x 128 of 256 x 512 cells" in page.inner_text("#note")
    assert page.locator("#table tbody td").count() == 4096
    page = written("(2,2):(9007199254740993,1)")
    assert cell(page, 1, 1).inner_text() == "9007199254740994"


# --- a page that is changed ---------------------------------------------------------------------


def test_changing_the_fields_changes_the_table(live: Any) -> None:
    page = live("(4,8):(8,1)")
    see(cell(page, 1, 2)).to_have_text("10")
    page.fill("#stride", "(1,4)")
    see(page.locator("#layout")).to_have_value("(4,8):(1,4)")
    see(cell(page, 1, 2)).to_have_text("9")
    page.fill("#sw-bits", "2")
    see(page.locator("#layout")).to_have_value("Sw<2,3,3> o 0 o (4,8):(1,4)")
    page.fill("#sw-base", "0")
    page.fill("#sw-shift", "2")
    swizzled = evaluate("Sw<2,0,2> o 0 o (4,8):(1,4)")
    for i in range(4):
        see(cell(page, i, 3)).to_have_text(str(swizzled(i, 3)))
    page.fill("#layout", "cute.make_layout(((2,2),(2,4)), stride=((1,4),(2,8)))")
    see(page.locator("#shape")).to_have_value("((2,2),(2,4))")
    see(page.locator("#stride")).to_have_value("((1,4),(2,8))")
    see(page.locator("#sw-bits")).to_have_value("0")
    page.click("#rows")
    see(page.locator("h1")).to_have_text("((2,2),(2,4)):((16,8),(4,1))")
    page.check("#view-banks")
    page.select_option("#bits", "64")
    see(cell(page, 0, 1)).to_have_text("4b8")
    page.check("#view-tiles")
    page.fill("#tile", "(2,2)")
    see(cell(page, 3, 7)).to_have_text("31t7")


def test_results_are_live_and_can_be_used(live: Any) -> None:
    page = live("(8,8):(8,1)")
    page.fill("#with", "(2,4)")
    divided = row(page, "zipped_divide(A, B)")
    see(divided.locator("td").first).to_have_text("((2,4),(4,2)):((8,1),(16,4))")
    divided.get_by_role("button").click()
    see(page.locator("h1")).to_have_text("((2,4),(4,2)):((8,1),(16,4))")
    page.fill("#with", "3")
    see(divided).to_contain_text("needs that the extent 3 is a multiple")
    see(divided.get_by_role("button")).to_have_count(0)


def test_what_is_no_layout_is_told_and_shows_nothing(live: Any) -> None:
    page = live("(4,8)")
    for text, said in (
        ("(4,8", "close the '(' of column 1"),
        ("(4,0)", "extent 0"),
        ("<img src=x>", "expected an operator"),
        ("(4,8):(1@0,1@1)", "has coordinates: no offsets to show"),
    ):
        page.fill("#layout", text)
        see(page.locator("#layout-problem")).to_contain_text(said)
        see(page.locator("#layout")).to_have_attribute("aria-invalid", "true")
        assert page.locator(".of-layout:visible").count() == 0
    page.fill("#layout", "(4,8)")
    see(page.locator("#layout-problem")).to_have_text("")
    see(cell(page, 3, 7)).to_be_visible()
    see(cell(page, 3, 7)).to_have_text("31")


def test_the_last_key_counts(live: Any) -> None:
    """However fast one types, what is shown in the end is of what stands in the field."""
    page = live("(4,8)")
    page.fill("#layout", "")
    page.type("#layout", "(12,34):(34,1)")
    see(page.locator("h1")).to_have_text("(12,34):(34,1)")
    see(cell(page, 11, 33)).to_have_text("407")


def test_dims_and_the_address(live: Any) -> None:
    page = live("(M,N):(LD,1)", dims={"M": 4, "LD": 9})
    see(page.locator("h1")).to_have_text("(4,8):(9,1)")
    page.get_by_label("LD").fill("12")
    see(cell(page, 3, 7)).to_have_text("43")
    page.fill("#given", "LD >= N")
    page.get_by_label("LD").fill("3")
    see(page.locator("#dims-problem")).to_contain_text("do not meet N <= LD")
    page.get_by_label("LD").fill("12")
    page.fill("#claim", "injective((M,N):(LD,1))")
    page.check("#view-tiles")
    page.fill("#tile", "(2,2)")
    page.wait_for_url("**tile=%282%2C2%29**")
    held = parse_qs(page.url.partition("#")[2])
    assert (held["layout"], held["dim.LD"], held["given"]) == (
        ["(M,N):(LD,1)"],
        ["12"],
        ["LD >= N"],
    )
    again = live("(3,3)", page.url[page.url.index("#") :])
    see(again.locator("h1")).to_have_text("(4,8):(12,1)")
    assert again.input_value("#claim") == "injective((M,N):(LD,1))"
    see(cell(again, 3, 7)).to_have_text("43t7")
    again.evaluate("location.hash = '#layout=(2,2)&view=nonsense&bits=x&dim.__proto__=1'")
    see(again.locator("h1")).to_have_text("(2,2):(1,2)")
    assert again.is_checked("#view-offsets")


def test_a_claim_is_decided_mended_and_checked(live: Any) -> None:
    page = live("(M,N):(LD,1)")
    page.get_by_role("button", name="injective", exact=True).click()
    see(page.locator("#verdict")).to_contain_text("LD=1, M=2, N=2")
    see(page.locator("#verdict td.mark")).to_have_count(2)
    page.get_by_role("button", name="assume it").click()
    see(page.locator("#given")).to_have_value("LD >= N")
    see(page.locator("#verdict .check")).to_contain_text("checked The certificate was checked")
    page.fill("#claim", "a*a + b*b + 3 >= 2*a*b + c*(c-c)")
    page.keyboard.press("Enter")
    see(page.locator("#verdict b").first).to_have_text("proved")
    page.fill("#claim", "injective((M,")
    see(page.locator("#verdict")).to_be_empty()
    page.keyboard.press("Enter")
    see(page.locator("#claim-problem")).to_contain_text("close the '('")


def test_an_instruction_and_back(live: Any) -> None:
    page = live("(4,8)")
    page.fill("#layout", "SM80_16x8x16_F32F16F16F32_TN")
    see(page.locator("#instruction svg")).to_be_visible()
    see(page.locator("#results")).to_be_hidden()
    page.fill("#layout", "(4,8)")
    see(cell(page, 3, 7)).to_have_text("31")
    see(page.locator("#instruction")).to_be_hidden()


def test_a_layout_is_copied_in_a_form(live: Any) -> None:
    page = live(SWIZZLED)
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    for name, form in (("CuTe", "cute"), ("C++", "cpp"), ("CuTe DSL", "dsl"), ("C", "c")):
        page.get_by_role("button", name=name, exact=True).click()
        text = to_text(evaluate(SWIZZLED), form)
        see(page.locator("#copied")).to_have_text(text)
        assert page.evaluate("navigator.clipboard.readText()") == text
    page.get_by_role("button", name="PyTorch").click()
    see(page.locator("#copied")).to_contain_text("no swizzles")


def test_the_keyboard_is_enough(live: Any) -> None:
    page = live("(4,8)")
    page.focus("#layout")
    for key in ("Home", "ArrowRight", "ArrowUp"):
        page.keyboard.press(key)
    assert page.input_value("#layout") == "(5,8):(1,4)"
    page.keyboard.press("Shift+ArrowUp")
    see(page.locator("h1")).to_have_text("(10,8):(1,4)")
    cell(page, 0, 0).focus()
    for key in ("ArrowDown", "ArrowRight", "ArrowRight", "ArrowUp", "ArrowUp", "End"):
        page.keyboard.press(key)
    place = "document.activeElement.dataset.i + ',' + document.activeElement.dataset.j"
    assert page.evaluate(place) == "0,7"
    assert "(0,7)" in page.inner_text("#cell")
    assert page.locator("#table [tabindex='0']").count() == 1
    page.focus("#view-offsets")
    page.keyboard.press("ArrowRight")
    assert page.is_checked("#view-banks")


def test_everybody_can_read_it(live: Any) -> None:
    from axe_playwright_python.sync_playwright import Axe

    page = live("Sw<2,0,3> o 0 o (4,8):(8,1)")
    page.fill("#claim", "injective((M,N):(LD,1))")
    page.keyboard.press("Enter")
    page.get_by_role("button", name="assume it").wait_for()
    for view, scheme, tile in (("banks", "light", "(2,2)"), ("chunks", "dark", "(4")):
        page.emulate_media(color_scheme=scheme)
        page.check(f"#view-{view}")
        page.fill("#tile", tile)
        page.wait_for_timeout(300)
        found = Axe().run(page, options={"runOnly": ["wcag2a", "wcag2aa"]})
        assert found.violations_count == 0, found.generate_report()


def test_a_phone_needs_no_sideways_scrolling(live: Any) -> None:
    page = live(SWIZZLED, view="banks")
    page.set_viewport_size({"width": 390, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.fill("#layout", "9" * 900)
    see(page.locator("#facts")).to_contain_text("999")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_the_server_answers_nobody_else() -> None:
    with Server(state_of("(4,8)")) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        root = server.address.removesuffix(f"{server.secret}/")
        for address, headers in (
            (root, {}),
            (root + "ask", {}),
            (server.address, {"Host": "evil.example"}),
        ):
            with pytest.raises(urllib.error.HTTPError) as told:
                urllib.request.urlopen(urllib.request.Request(address, headers=headers), timeout=10)
            assert told.value.code == 404
        server.shutdown()
