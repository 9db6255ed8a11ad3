"""The report in a browser: what it says, how it is searched, read and printed; size and speed."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe

from symcute.claims.language import evaluate
from symcute.codegen.forms import to_text
from symcute.prover.theorems import find, run
from symcute.report.evidence import write_evidence_page
from symcute.report.json import document, record, totals
from symcute.report.pages import write_page
from symcute.report.pictures import panels_of
from symcute.report.requests import request_panel

pytestmark = pytest.mark.full

ROOT = Path(__file__).parents[2]

THEOREMS = '''\
"""Theorems of every kind that a report shows."""

from symcute import theorem


@theorem(given=["LD >= N"], source="a note, <1>", corrects="rows_meet")
def rows_do_not_meet():
    """The rows of a padded matrix `(M,N):(LD,1)` do not meet.

    Whatever <M> is.
    """
    return "injective((M,N):(LD,1))"


@theorem(expect="refuted")
def rows_meet():
    """Rows do not meet, whatever LD is."""
    return "injective((M,N):(LD,1))"


@theorem(given=["LD >= N", "LD < N"])
def nothing_at_all():
    """Under contradictory assumptions anything would do."""
    return "injective((M,N):(LD,1))"


@theorem()
def pictures():
    """Layouts, swizzles, requests and tiles are drawn."""
    return (
        "injective(((2,2),(2,4)):((1,4),(2,8)))",
        "bijective(Sw<1,1,2> o 0 o ((2,2),4):((1,8),2))",
        "bank_conflict(access((32,4):(1,33), 32), 1)",
        "bank_conflict(access((32,4):(4,128), 32, 128), 1)",
        "bank_conflict(access(((2,8,2),1):((0,2,16),0), 32, 64), 1)",
        "sectors(access((32,2):(3,1000), 32), 13)",
        "partition_exact(((4,8),(2,2)):((32,1),(16,8)), (16,8))",
        "partition_exact(((2,2),4):((0,1),2), (2,4), 2)",
    )


@theorem(expect="refuted")
def column_without_padding():
    """A column of a tile is read without conflicts."""
    return "bank_conflict(access((32,32):(32,1), 32), 1)"


@theorem(expect="refuted")
def overlapping_threads():
    """Threads that overlap hold each element once."""
    return "partition_exact(((2,2),2):((1,2),3), (2,4))"


@theorem(expect="refuted")
def three_modes():
    """A layout of three modes with a repeated stride is injective."""
    return "injective((2,2,2):(1,2,-2))"
'''


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Any]]:
    """The page of a small run, and its document."""
    folder = tmp_path_factory.mktemp("report")
    for name, text in (("first.py", THEOREMS), ("second.py", _SECOND)):
        (folder / name).write_text(text, encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        content = document([record(run(t)) for t in find(["first.py", "second.py"])])
        write_page(folder / "report.html", content)
    return folder / "report.html", content


_SECOND = '''\
from symcute import theorem


@theorem()
def small_rectangle():
    """A small rectangle is counted once."""
    return "bijective((2,3):(3,1))"
'''


@pytest.fixture
def opened(page: Any, report: tuple[Path, dict[str, Any]]) -> Any:
    page.goto(report[0].as_uri())
    return page


def unfold(page: Any, name: str) -> Any:
    """Open a theorem, and wait for what stands in it: the browser tells the page later."""
    theorem = page.locator(f"#theorem-{name}")
    theorem.locator("summary").first.click()
    theorem.locator(".part").first.wait_for()
    return theorem


SHOWN = "[...document.querySelectorAll('.theorem:not([hidden])')].map((t) => t.id.slice(8))"


def shows(page: Any, names: list[str]) -> None:
    """The names of the theorems that are not hidden, once the page has heard of what was done."""
    with suppress(Exception):
        page.wait_for_function(f"(names) => {SHOWN}.join() === names.join()", arg=names)
    assert page.evaluate(SHOWN) == names


ALL = [
    "rows_do_not_meet", "rows_meet", "nothing_at_all", "pictures", "column_without_padding",
    "overlapping_threads", "three_modes", "small_rectangle",
]  # fmt: skip


class TestContent:
    def test_the_summary_comes_first(self, opened: Any) -> None:
        assert opened.title() == "symcute: 8 theorems, 3 proved"
        headings = opened.locator("h1, h2").all_inner_texts()
        assert headings == [
            "8 theorems, 3 proved", "Not as expected", "What the verdicts rest on",
            "Statements that are wrong", "All theorems",
        ]  # fmt: skip
        assert opened.locator(".tile .count").all_inner_texts() == ["3", "4", "1"]
        assert "1 verdict not as expected." in opened.locator("header").inner_text()

    def test_a_theorem_says_how_it_was_decided(self, opened: Any) -> None:
        theorem = unfold(opened, "rows_do_not_meet")
        for summary in theorem.locator(".inner > summary").all():
            summary.click()
        text = theorem.inner_text()
        for said in (
            "no two coordinates of (M,N):(LD,1) share an offset",
            "Whatever <M> is.",
            '    return "injective((M,N):(LD,1))"',
            "LD = N + LD': assumed: N <= LD; M = 1 + M': M is at least 1",
            "In the order N:1, M:LD each stride outweighs",
            "0 <= (M - 1)*(LD - 1 - (N - 1)): the difference is LD'*M'",
            "proved each obligation once more.",
            "first.py:6 · a note, <1> · expected proved",
        ):
            assert said in text
        formula = theorem.locator(".formula pre")
        formula.get_by_text("(check-sat)").wait_for()
        assert "(declare-const |LD| Int)" in formula.inner_text()

    def test_a_counterexample_is_worked_through_and_drawn(self, opened: Any) -> None:
        theorem = unfold(opened, "rows_meet")
        text = theorem.inner_text()
        assert "L(1,0) = 1: 1*1 + 0*1\nL(0,1) = 1: 0*1 + 1*1" in text
        assert "With LD = 1, M = 2, N = 2 the claim is injective((2,2):(1,1))." in text
        assert "assert L(1, 0) != L(0, 1)" in text
        assert marked(theorem) == [[0, 1], [1, 0]]
        assert "True instead" in text

    def test_what_is_held_twice_or_by_nobody_is_marked(self, opened: Any) -> None:
        theorem = unfold(opened, "overlapping_threads")
        # Elements 0 to 3, and 3 to 6 of 2 rows: 3 twice, 7 by nobody.
        assert marked(theorem) == [[1, 1], [1, 3]]
        assert theorem.locator("td.m").all_inner_texts() == ["T0\nV1 +1", "-"]
        three = unfold(opened, "three_modes")
        assert marked(three) == [[0, 0], [0, 3], [1, 0], [1, 3]]

    @pytest.mark.parametrize(
        ("name", "layout", "given", "forms"),
        [
            ("rows_do_not_meet", "(M,N):(LD,1)", ["LD >= N"], 6),
            ("pictures", "Sw<1,1,2> o 0 o ((2,2),4):((1,8),2)", [], 5),
        ],
    )
    def test_a_layout_is_copied_in_every_form_that_can_say_it(
        self, opened: Any, name: str, layout: str, given: list[str], forms: int
    ) -> None:
        opened.context.grant_permissions(["clipboard-read", "clipboard-write"])
        unfold(opened, name)
        select = opened.get_by_label(f"Copy {layout} as", exact=True)
        select.locator("option:nth-child(2)").wait_for(state="attached")
        labels = [x for x in select.locator("option").all_inner_texts() if x != "copy as"]
        assert len(labels) == forms
        for form in labels:
            select.select_option(label=form)
            opened.get_by_text(f"copied {form}", exact=True).first.wait_for(state="attached")
            copied = opened.evaluate("navigator.clipboard.readText()")
            assert copied == to_text(evaluate(layout), form, given=given)

    def test_open_all_builds_what_comes_into_sight(self, opened: Any) -> None:
        opened.set_viewport_size({"width": 900, "height": 60})
        assert opened.locator(".part").count() == 0
        opened.locator("#open").evaluate("(button) => button.click()")
        assert opened.locator(".theorem[open]").count() == len(ALL)
        for theorem in opened.locator(".theorem").all():
            theorem.scroll_into_view_if_needed()
            theorem.locator(".part .formula").first.wait_for()
        assert opened.locator(".waiting").count() == 0

    def test_it_is_read_without_a_script_too(
        self, browser: Any, report: tuple[Path, dict[str, Any]]
    ) -> None:
        context = browser.new_context(offline=True, java_script_enabled=False)
        plain = context.new_page()
        plain.goto(report[0].as_uri())
        assert plain.locator("#filter").is_hidden()
        plain.locator("#theorem-rows_meet summary").first.click()
        assert plain.locator("#theorem-rows_meet table td.m").count() == 2
        context.close()


def marked(theorem: Any) -> list[list[int]]:
    """Return the rows and columns of the marked cells."""
    return list(
        theorem.locator("td.m").evaluate_all(
            "(cells) => cells.map((c) => [c.parentNode.rowIndex - 1, c.cellIndex - 1])"
        )
    )


class TestSearch:
    def test_all_words_count_and_nothing_found_is_said(self, opened: Any) -> None:
        words = opened.locator("#words")
        assert opened.locator("#shown").inner_text() == "8 theorems"
        words.fill("ROWS outweighs")
        shows(opened, ["rows_do_not_meet"])
        assert opened.locator("#shown").inner_text() == "1 of 8 theorems shown"
        assert opened.locator(".group:not([hidden])").count() == 1
        words.fill("bank_conflict")
        shows(opened, ["pictures", "column_without_padding"])
        words.fill("second.py")
        shows(opened, ["small_rectangle"])
        words.fill("rows zebra")
        assert opened.locator("#none").is_visible()
        opened.locator("#none button").click()
        shows(opened, ALL)
        assert opened.locator("#none").is_hidden()
        assert opened.evaluate("document.activeElement.id") == "words"

    @pytest.mark.parametrize(
        ("choice", "value", "names"),
        [
            ("status", "refuted", [ALL[1], *ALL[4:7]]),
            ("expected", "not as expected", ["nothing_at_all"]),
            ("rests", "evaluation in plain integers", [ALL[1], *ALL[4:7]]),
            ("how", "structural: chain", ["rows_do_not_meet"]),
            ("file", "second.py", ["small_rectangle"]),
        ],
    )
    def test_choices(self, opened: Any, choice: str, value: str, names: list[str]) -> None:
        opened.locator(f"select[name={choice}]").select_option(value)
        shows(opened, names)

    def test_the_state_is_in_the_address(
        self, opened: Any, report: tuple[Path, dict[str, Any]]
    ) -> None:
        opened.locator("#words").fill("tile column")
        opened.locator("select[name=status]").select_option("refuted")
        address = opened.url
        assert address.endswith("#q=tile+column&status=refuted")
        opened.goto("about:blank")
        opened.goto(address)
        shows(opened, ["column_without_padding"])
        assert opened.locator("#words").input_value() == "tile column"
        opened.locator("#reset").click()
        assert opened.url == report[0].as_uri()
        shows(opened, ALL)

    def test_summaries_lead_to_what_they_count(self, opened: Any) -> None:
        opened.locator("a.tile.unknown").click()
        shows(opened, ["nothing_at_all"])
        opened.locator(".basis a", has_text="evaluation in plain integers").click()
        shows(opened, [ALL[1], *ALL[4:7]])
        # A link to a theorem that a filter hides shows it.
        opened.locator(".plain a", has_text="nothing at all").click()
        opened.locator("#theorem-nothing_at_all[open]").wait_for()
        shows(opened, ALL)

    def test_by_keyboard(self, opened: Any) -> None:
        opened.keyboard.press("Tab")
        assert opened.evaluate("document.activeElement.className") == "skip"
        assert opened.locator(".skip").bounding_box()["x"] >= 0
        opened.keyboard.press("/")
        assert opened.evaluate("document.activeElement.id") == "words"
        opened.keyboard.type("rectangle/")
        opened.keyboard.press("Backspace")
        shows(opened, ["small_rectangle"])
        assert opened.evaluate(
            "getComputedStyle(document.activeElement).outlineStyle"
        ) == "solid"  # fmt: skip
        opened.keyboard.press("Escape")
        shows(opened, ALL)
        for name in ("status", "expected", "rests", "how", "file"):
            opened.keyboard.press("Tab")
            assert opened.evaluate("document.activeElement.name") == name
        for name in ("open", "close", "reset"):
            opened.keyboard.press("Tab")
            assert opened.evaluate("document.activeElement.id") == name
        opened.keyboard.press("Tab")
        opened.keyboard.press("Enter")
        assert opened.locator("#theorem-rows_do_not_meet").get_attribute("open") is not None


def panels(picture: dict[str, Any]) -> list[Any]:
    if "access" in picture:
        request = tuple(picture["request"])
        return [request_panel(evaluate(picture["access"]), request, picture["sectors"])]
    tile = tuple(picture["tile"]) if "tile" in picture else None
    return panels_of(evaluate(picture["layout"]), tile=tile, grouped=True)


#: Points at every cell of a table and returns what is said of it.
POINT = """(table) => [...table.querySelectorAll("tbody tr")].map((row) =>
  [...row.querySelectorAll("td")].map((cell) => {
    cell.dispatchEvent(new PointerEvent("pointerover", { bubbles: true }));
    return document.getElementById("cell").textContent;
  }))"""


class TestPictures:
    def test_every_cell_of_every_picture_says_what_the_library_says(
        self, opened: Any, report: tuple[Path, dict[str, Any]]
    ) -> None:
        opened.locator("#open").click()
        count = 0
        for theorem in report[1]["theorems"]:
            opened.locator(f"#theorem-{theorem['name']}").scroll_into_view_if_needed()
            opened.locator(f"#theorem-{theorem['name']}:not(.waiting)").wait_for()
            tables = opened.locator(f"#theorem-{theorem['name']} .picture table").all()
            wanted = [x for part in theorem["parts"] for p in part["pictures"] for x in panels(p)]
            assert len(tables) == len(wanted)
            for table, panel in zip(tables, wanted, strict=True):
                said = table.evaluate(POINT)
                plain = [[s.removesuffix(" (goes against the claim)") for s in row] for row in said]
                assert plain == [[c.about for c in row] for row in panel.rows]
                count += 1
        assert count == 14

    def test_the_box_stands_beside_the_cell(self, opened: Any) -> None:
        unfold(opened, "rows_meet")
        cells = opened.locator("#theorem-rows_meet .picture tbody td").all()
        for cell in cells:
            cell.hover()
            box, own = opened.locator("#cell").bounding_box(), cell.bounding_box()
            assert box["y"] + box["height"] <= own["y"] or box["y"] >= own["y"] + own["height"]
            assert box["x"] >= 0
        assert opened.locator("#cell").inner_text() == (
            "coordinate (1,1): offset 2, bank 2 (elements of 4 bytes)"
        )
        opened.mouse.move(5, 5)
        assert opened.locator("#cell").is_hidden()

    def test_cells_are_reached_with_the_arrow_keys(self, opened: Any) -> None:
        unfold(opened, "pictures")
        details = opened.locator("#theorem-pictures .inner", has_text="Picture of").first
        details.locator("summary").focus()
        opened.keyboard.press("Enter")
        opened.keyboard.press("Tab")
        told = opened.locator("#told")
        assert told.inner_text().startswith("coordinate ((0,0),(0,0)): offset 0")
        assert told.get_attribute("aria-live") == "polite"
        for key, start in (
            ("ArrowRight", "coordinate ((0,0),(1,0)): offset 2"),
            ("ArrowDown", "coordinate ((1,0),(1,0)): offset 3"),
            ("End", "coordinate ((1,0),(1,3)): offset 27"),
            ("ArrowRight", "coordinate ((1,0),(1,3)): offset 27"),
            ("Home", "coordinate ((1,0),(0,0)): offset 1"),
            ("ArrowUp", "coordinate ((0,0),(0,0)): offset 0"),
            ("ArrowUp", "coordinate ((0,0),(0,0)): offset 0"),
        ):
            opened.keyboard.press(key)
            assert told.inner_text().startswith(start)
        assert opened.locator("td.here").count() == 1
        opened.keyboard.press("Escape")
        assert opened.locator("#cell").is_hidden()

    def test_a_warp_fits_and_on_a_phone_it_scrolls_and_says_so(self, opened: Any) -> None:
        opened.set_viewport_size({"width": 1300, "height": 900})
        unfold(opened, "column_without_padding")
        picture = opened.locator("#theorem-column_without_padding .picture")
        assert picture.evaluate("(p) => p.scrollWidth <= p.clientWidth")
        opened.set_viewport_size({"width": 390, "height": 844})
        picture.and_(opened.locator(".wide")).wait_for()
        assert picture.evaluate("(p) => p.scrollWidth > p.clientWidth")
        picture.focus()
        opened.keyboard.press("Home")
        opened.keyboard.press("End")
        last = picture.locator("td").last.bounding_box()
        assert last["x"] + last["width"] <= 390


class TestReading:
    def test_nothing_is_wider_than_a_phone(self, opened: Any) -> None:
        opened.set_viewport_size({"width": 390, "height": 844})
        opened.evaluate("for (const d of document.querySelectorAll('details')) d.open = true")
        assert opened.evaluate("document.documentElement.scrollWidth") <= 390

    def test_on_paper_everything_is_open_and_nothing_cut_off(self, opened: Any) -> None:
        opened.set_viewport_size({"width": 680, "height": 1000})
        opened.emulate_media(media="print", color_scheme="dark")
        closed = opened.locator(".theorem:not([open])").count()
        assert closed == len(ALL)
        opened.evaluate("dispatchEvent(new Event('beforeprint'))")
        assert opened.locator("details:not([open], .formula)").count() == 0
        for hidden in ("#filter", ".skip"):
            assert opened.locator(hidden).is_hidden()
        assert opened.locator(".picture").evaluate_all(
            "(all) => all.every((p) => p.scrollWidth <= p.clientWidth + 1)"
        )
        # Dark ink on light paper, whatever the screen has.
        assert opened.evaluate("getComputedStyle(document.body).color") == "rgb(28, 32, 36)"
        opened.evaluate("dispatchEvent(new Event('afterprint'))")
        assert opened.locator(".theorem:not([open])").count() == closed
        assert opened.pdf().startswith(b"%PDF")

    @pytest.mark.parametrize("scheme", ["light", "dark"])
    def test_axe_finds_nothing(self, opened: Any, scheme: str) -> None:
        opened.emulate_media(color_scheme=scheme)
        assert violations(opened) == []
        opened.locator("#open").click()
        opened.evaluate("for (const d of document.querySelectorAll('.inner')) d.open = true")
        opened.locator("#theorem-rows_meet td.m").first.hover()
        assert violations(opened) == []


def violations(page: Any) -> list[str]:
    found = Axe().run(page).response["violations"]
    return [f"{v['id']}: {v['nodes'][0]['html'][:120]}" for v in found]


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A page of 2,000 theorems: those of the sample report, again and again."""
    sample = json.loads((ROOT / "reports" / "sample" / "report.json").read_text())
    theorems = list(_many(sample["theorems"], 2000))
    path = tmp_path_factory.mktemp("large") / "report.html"
    write_page(path, {**sample, "theorems": theorems, "totals": totals(theorems)})
    return path


def _many(theorems: list[dict[str, Any]], count: int) -> Iterator[dict[str, Any]]:
    for n in range(count):
        copy, t = divmod(n, len(theorems))
        original = theorems[t]
        corrects = f"{original['corrects']}_{copy}" if original["corrects"] else ""
        yield {
            **original,
            "name": f"{original['name']}_{copy}",
            "corrects": corrects,
            "file": f"copy_{copy}/{original['file']}",
        }


class TestLarge:
    def test_2000_theorems_are_small_and_a_few_elements_each(self, page: Any, large: Path) -> None:
        # 2 % of it are the layouts that can be copied in other forms.
        assert large.stat().st_size < 10.5e6
        page.goto(large.as_uri())
        assert page.locator("#shown").inner_text() == "2000 theorems"
        # What opening costs: what is folded away is laid out only once it is opened.
        elements = page.evaluate("document.querySelectorAll('*').length")
        laid_out = page.evaluate(
            "[...document.querySelectorAll('*')]"
            ".filter(x => x.checkVisibility({contentVisibilityAuto: true})).length"
        )
        assert elements < 150 * 2000
        assert laid_out < 10_000
        page.locator("#words").fill("swizzled tile")
        assert 0 < len(page.evaluate(SHOWN)) < 2000


class TestEvidence:
    def test_it_is_searched_like_the_report(self, page: Any, tmp_path: Path) -> None:
        data = json.loads((ROOT / "reports/gpu/nvidia-h200.json").read_text(encoding="utf-8"))
        data["items"] = data["items"][:30]
        path = tmp_path / "evidence.html"
        write_evidence_page(path, data)
        page.goto(path.as_uri())
        entries = page.locator(".entry").count()
        assert page.locator("#shown").inner_text() == f"{entries} theorems"
        name = page.locator(".entry strong").last.inner_text()
        page.keyboard.press("/")
        page.keyboard.type(name)
        assert page.locator(".entry:not([hidden]) strong").last.inner_text() == name
        assert "#q=" in page.url
        page.keyboard.press("Escape")
        assert page.locator(".entry:not([hidden])").count() == entries
        page.locator("select[name=outcome]").select_option(index=1)
        assert 0 < page.locator(".entry:not([hidden])").count() <= entries
        page.locator("#open").click()
        assert violations(page) == []
