"""The report's parts: tables, the JSON document, the page, the terminal's lines."""

from __future__ import annotations

import gzip
import json
from base64 import b64decode
from html.parser import HTMLParser
from pathlib import Path

import pytest

from symcute import Layout, prove
from symcute.prover.theorems import Theorem, TheoremResult
from symcute.report import html, terminal
from symcute.report.certificates import write_certificates
from symcute.report.html import page
from symcute.report.json import document, record, totals, write_document
from symcute.report.pages import write_page
from symcute.report.table import LIMIT, grid, picture

NASTY = "<script>alert('1')</script> & \"quoted\" `a<b`"


def theorem(name: str, **changes: object) -> Theorem:
    fields = {
        "name": name,
        "file": "proofs/x.py",
        "line": 3,
        "statement": f"The statement of {name}.",
        "details": "",
        "given": (),
        "expected": "proved",
        "source": "",
        "corrects": "",
        "function": lambda: None,
    }
    return Theorem(**{**fields, **changes})


def result(name: str, claim: str, **changes: object) -> dict:
    owner = theorem(name, **changes)
    verdict = prove(claim, list(owner.given))
    return record(
        TheoremResult(owner, (verdict,), verdict.status, verdict.how, verdict.reason, 0.5)
    )


@pytest.fixture(scope="module")
def records() -> list[dict]:
    return [
        result("good", "injective((4,8):(8,1))", statement=NASTY, details=NASTY, source=NASTY),
        result("wrong", "injective((M,N):(LD,1))", expected="refuted", line=9),
        result(
            "right",
            "injective((M,N):(LD,1))",
            given=("LD >= N",),
            corrects="wrong",
            file="proofs/y.py",
        ),
        result("doubtful", "injective((M,N):(LD,1))", given=("LD >= N", "LD < N")),
    ]


class Reader(HTMLParser):
    """The tags of a page with their attributes, the text, and whether every tag is closed."""

    VOID = frozenset({"meta", "link", "input", "br", "col"})
    #: Tags that the start of another one closes.
    SHORT = frozenset({"td", "th", "tr", "thead", "tbody", "dt", "dd", "li", "p"})

    def __init__(self, html: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in self.VOID | self.SHORT:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert tag in self.SHORT or self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data

    def with_tag(self, tag: str) -> list[dict[str, str | None]]:
        return [attrs for name, attrs in self.tags if name == tag]


class TestTable:
    def test_rank_2(self) -> None:
        cells = grid(Layout((4, (2, 2)), (2, (1, 8))))
        assert cells is not None
        assert cells.rows == ((0, 1, 8, 9), (2, 3, 10, 11), (4, 5, 12, 13), (6, 7, 14, 15))

    def test_rank_1_is_one_row(self) -> None:
        cells = grid(Layout(3, -2))
        assert cells is not None
        assert cells.rows == ((0, -2, -4),)

    @pytest.mark.parametrize("text", ["(M,4):(4,1)", "(2,2,2)", f"{LIMIT + 1}:1"])
    def test_others_have_none(self, text: str) -> None:
        assert grid(Layout.parse(text)) is None

    def test_columns_are_as_wide_as_their_widest_entry(self) -> None:
        cells = grid(Layout((12, 2), (1, -100)))
        assert cells is not None
        lines = picture(cells).splitlines()
        assert len({len(line) for line in lines[1:]}) == 1
        assert lines[2] == "   0 |    0 | -100 |"
        assert lines[-2] == "  11 |   11 |  -89 |"

    def test_many_rows_widen_the_margin(self) -> None:
        cells = grid(Layout((2048, 2)))
        assert cells is not None
        assert picture(cells).splitlines()[-2] == " 2047 | 2047 | 4095 |"


class TestDocument:
    def test_totals(self, records: list[dict]) -> None:
        found = totals(records)
        rests_on = found.pop("rests_on")
        assert found == {
            "theorems": 4,
            "proved": 2,
            "refuted": 1,
            "unknown": 1,
            "error": 0,
            "as_expected": 3,
            "cached": 0,
        }
        assert rests_on["evaluation in plain integers"] == 1

    def test_it_is_read_as_it_was_written(self, records: list[dict], tmp_path: Path) -> None:
        path = tmp_path / "deep" / "report.json"
        content = document(records, started="2030-01-01T00:00:00+00:00", seconds=1.0)
        write_document(path, content)
        assert json.loads(path.read_text()) == json.loads(json.dumps(content))

    def test_nothing_in_it_depends_on_the_machine(self, records: list[dict]) -> None:
        text = json.dumps(document(records))
        assert str(Path.cwd()) not in text

    def test_every_claim_has_its_formula(self, records: list[dict]) -> None:
        assert all("(check-sat)" in r["parts"][0]["formula"] for r in records)


class TestPage:
    def test_it_is_well_formed_and_asks_for_nothing(self, records: list[dict]) -> None:
        reader = Reader(page(document(records)))
        assert reader.open == []
        assert reader.with_tag("img") == []
        assert [a.get("type") for a in reader.with_tag("script")] == [
            "text/plain",
            "text/plain",
            None,
        ]
        assert [a for a in reader.with_tag("link") if not str(a["href"]).startswith("data:")] == []
        ids = [attrs["id"] for _, attrs in reader.tags if "id" in attrs]
        assert len(ids) == len(set(ids))
        linked = [str(a["href"])[1:] for a in reader.with_tag("a") if str(a["href"])[0] == "#"]
        targets = [x for x in linked if "=" not in x]  # the others are filters
        assert set(targets) <= set(ids)

    def test_text_is_never_markup(self, records: list[dict]) -> None:
        html = page(document(records))
        reader = Reader(html)
        assert "<script>alert" not in html
        assert reader.text.count("<script>alert('1')</script> & \"quoted\"") == 3

    def test_wrong_statements_come_with_counterexample_and_truth(self, records: list[dict]) -> None:
        html = page(document(records))
        article = html[html.index("<article") : html.index("</article>")]
        assert "The statement of wrong." in article
        assert "LD=1, M=2, N=2" in article
        assert "The statement of right." in article
        assert 'href="#theorem-right"' in article

    def test_surprises_come_first(self, records: list[dict]) -> None:
        html = page(document(records))
        assert "1 verdict not as expected." in html
        assert html.index("Not as expected") < html.index("Statements that are wrong")
        fine = page(document(records[:3]))
        assert "Every verdict is the one expected." in fine
        assert "Not as expected" not in fine

    def test_contradictory_assumptions_are_called_vacuous(self, records: list[dict]) -> None:
        html = page(document(records))
        assert "<dt>Vacuous<dd>vacuous: the assumptions contradict each other" in html

    def test_an_interrupted_run_says_so(self, records: list[dict]) -> None:
        assert "interrupted" in page(document(records, finished=False))

    def test_small_layouts_of_numbers_have_their_picture(self, records: list[dict]) -> None:
        reader = Reader(page(document(records)))
        assert reader.text.count("Picture of (4,8):(8,1)") == 1
        assert reader.text.count("Picture of (2,2):(1,1), what goes against the claim") == 1
        tables = [a for a in reader.with_tag("table") if "data-kind" in a]
        assert [a["data-shape"] for a in tables] == ["[4,8]", "[2,2]"]
        assert [a.get("class") for a in reader.with_tag("td")].count("m") == 2

    def test_requests_have_their_picture(self) -> None:
        (part,) = result("one", "bank_conflict(access((32,8):(1,32), 32), 1)")["parts"]
        assert part["pictures"] == [
            {"access": "access((32,8):(1,32), 32)", "request": [0], "sectors": False,
             "marked": False},
        ]  # fmt: skip
        against = result("two", "sectors(access((32,2):(1,4), 32), 4)", expected="refuted")
        assert [p["request"] for p in against["parts"][0]["pictures"]] == [[1]]
        reader = Reader(page(document([against])))
        assert "Picture of access((32,2):(1,4), 32), what goes against the claim" in reader.text
        assert "5 sectors" in reader.text

    def test_links_lead_from_the_page_to_the_theorem(self, records: list[dict]) -> None:
        html = page(document(records), Path("reports/latest"))
        assert 'href="../../proofs/x.py#L9"' in html

    def test_many_files_are_listed_with_their_counts(self, records: list[dict]) -> None:
        assert "files</summary>" not in page(document(records))
        many = [{**records[0], "name": f"t{i}", "file": f"proofs/f{i}.py"} for i in range(6)]
        reader = Reader(page(document(many)))
        assert reader.open == []
        assert "6 files" in reader.text
        linked = [a["href"] for a in reader.with_tag("a") if str(a["href"]).startswith("#file-")]
        assert linked == [f"#file-{i}" for i in range(1, 7)]

    def test_choices_count_what_fits_them(self, records: list[dict]) -> None:
        reader = Reader(page(document(records)))
        for value, count in (
            ("proved", 2), ("refuted", 1), ("unknown", 1), ("as expected", 3),
            ("not as expected", 1), ("arithmetic", 2), ("structural: chain", 1), ("proofs/", 4),
            ("proofs/x.py", 3), ("proofs/y.py", 1),
        ):  # fmt: skip
            assert f"{value} ({count})" in reader.text
        values = [a["value"] for a in reader.with_tag("option")]
        assert "proofs/y.py" in values
        # Each theorem names the options it fits by their numbers.
        keys = {a["id"]: a for a in reader.with_tag("details") if "data-file" in a}
        assert keys["theorem-right"]["data-file"] == "0 2"
        assert keys["theorem-wrong"]["data-file"] == "0 1"

    def test_what_came_from_the_cache_says_so(self, records: list[dict]) -> None:
        assert "from the cache" not in page(document(records))
        parts = [{**records[0]["parts"][0], "cached": True}]
        cached = {**records[0], "parts": parts, "cached": True}
        html = page(document([cached, *records[1:]]))
        assert "1 from the cache" in html

    def test_formulas_are_packed_and_whole(self, records: list[dict]) -> None:
        html = page(document(records))
        packed = html.partition('id="formulas">')[2].partition("<")[0]
        formulas = json.loads(gzip.decompress(b64decode(packed)))
        assert set(formulas) == {r["parts"][0]["formula"] for r in records}
        assert html.count("data-formula=") == len(records)

    def test_evidence_stands_beside_its_claim(self, records: list[dict]) -> None:
        key = ("right", "injective((M,N):(LD,1))", "proved", ("LD >= N",))
        html = page(document(records), evidence={key: ["a machine said <so>"]})
        assert html.count("a machine said &lt;so&gt;") == 1
        # Of the other claims about layouts nothing was said.
        assert "claims about layouts have no fresh evidence" in html
        assert "no fresh evidence" not in page(document(records))

    def test_evidence_of_another_claim_is_not_shown(self, records: list[dict]) -> None:
        for key in (
            ("right", "injective((M,N):(LD,1))", "proved", ()),
            ("right", "injective((M,N):(LD,1))", "refuted", ("LD >= N",)),
        ):
            html = page(document(records), evidence={key: ["a machine said so"]})
            assert "a machine said so" not in html

    def test_a_run_without_theorems_is_a_page(self) -> None:
        assert "0 theorems" in page(document([]))


class TestCertificates:
    def test_links_lead_to_the_very_certificate(
        self, records: list[dict], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.chdir(tmp_path)
        (tmp_path / "proofs").mkdir()
        found = document(records)
        path = tmp_path / "reports" / "report.html"
        write_page(path, found)
        assert "certificate</a>" not in path.read_text()
        write_certificates(records)
        write_page(path, found)
        html = path.read_text()
        assert '<a href="../proofs/x.certificates.jsonl#L1">certificate</a>' in html
        assert '<a href="../proofs/y.certificates.jsonl#L1">certificate</a>' in html
        assert "symcute recheck proofs/x.certificates.jsonl" in html
        # One of another proof is not linked, nor is a file that is none.
        other = Path("proofs/y.certificates.jsonl")
        other.write_text(other.read_text().replace('"signs":[1,1]', '"signs":[1,-1]'))
        Path("proofs/x.certificates.jsonl").write_text("no JSON")
        write_page(path, found)
        assert "certificate</a>" not in path.read_text()


class TestTerminal:
    def test_the_table(self, records: list[dict]) -> None:
        lines = terminal.theorem_table(records).plain.splitlines()
        assert lines[1].startswith("good      proved    500 ms  static")
        assert lines[3].startswith("    counterexample LD=1, M=2, N=2: ")
        assert lines[5].endswith("EXPECTED proved")
        assert "contradict" in lines[6]

    def test_square_brackets_are_text(self, records: list[dict]) -> None:
        shown = [{**records[0], "name": "[bold]x[/bold]"}]
        assert "[bold]x[/bold]" in terminal.theorem_table(shown).plain

    def test_what_steers_a_terminal_is_text(self, records: list[dict]) -> None:
        shown = [{**records[0], "parts": [], "reason": "raised \x1b[2J"}]
        assert "raised \\x1b[2J" in terminal.theorem_table(shown).plain


@pytest.mark.parametrize(
    "name, said",
    [
        ("z3 4.13.0", "proved the whole claim"),
        ("solver z3 4.13.0", "alone, for some obligation"),
        ("the layout algebra (composition)", "does not do again"),
        ("something new", "named in the certificates"),
    ],
)
def test_what_verdicts_rest_on_is_said_of_each(name: str, said: str) -> None:
    (found,) = html._basis({name: 1})
    assert said in found["meaning"]
