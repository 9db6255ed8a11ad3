"""What do notebooks show of layouts, claims, verdicts, and of what was found?"""

from __future__ import annotations

import re
from html.parser import HTMLParser
from typing import Any

import pytest

import symcute
from symcute import (
    Access,
    Composition,
    Injective,
    Layout,
    PrintsAs,
    atom,
    check_kernel,
    evaluate,
    find_padding,
    find_swizzle,
    guarded_divide,
    make_tiled_mma,
    prove,
    read_claim,
    suggest,
)
from symcute.prover.theorems import find
from symcute.report.mathematics import in_signs

ROWS = Layout.parse("(M,N):(LD,1)")
VOID = {"br", "col", "hr", "img", "input", "link", "meta"}


class Text(HTMLParser):
    """The words of a page, without its style; fails where a tag is closed that is not open."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.words: list[str] = []
        self.marked = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.marked += "mark" in (dict(attrs).get("class") or "").split()
        assert not any(name.startswith("on") for name, _ in attrs)
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] != "style":
            self.words += data.split()


def shown(value: Any) -> Text:
    page = Text()
    html = value._repr_html_()
    assert "<script" not in html
    page.feed(html)
    assert page.open == []
    return page


def words(value: Any) -> str:
    return " ".join(shown(value).words)


def test_a_layout_of_numbers_is_a_table() -> None:
    assert words(Layout((2, 3), (3, 1))) == "(2,3):(3,1) size 6 cosize 6 0 1 2 0 0 1 2 1 3 4 5"
    assert words(Layout((2, 2, 2))).endswith("0 1 2 3 0 0 2 4 6 1 1 3 5 7")


def test_a_layout_with_dims_shows_its_modes() -> None:
    assert words(ROWS) == (
        "(M,N):(LD,1) size M*N cosize LD*(M-1)+N dims LD , M , N "
        "mode 0 mode 1 shape M N stride LD 1"
    )
    assert "mode 0 mode 1 shape 64 1024" in words(Layout((64, 1024)))


def test_a_layout_without_modes_has_no_table() -> None:
    shown = Layout(())._repr_html_()
    assert "<code>():()</code>" in shown and shown.count("<table") == 1


def test_a_guarded_layout_says_where_it_may_be_used() -> None:
    found = words(guarded_divide(Layout.parse("M:1"), 4))
    assert found.startswith("(4,ceil_div(M,4)):(1,4) where 4*b+t < M size 4*ceil_div(M,4)")
    assert "where 4*b+t < M mode 0" in found


def test_a_swizzle_is_shown_before_and_after() -> None:
    found = words(evaluate("Sw<1,0,1> o 0 o (2,2):(2,1)"))
    assert "before: (2,2):(2,1)" in found
    assert "after: Sw<1,0,1> o 0 o (2,2):(2,1)" in found
    assert found.endswith("0 1 0 0 1 1 3 2")


def test_a_verdict_shows_its_status_and_what_goes_wrong() -> None:
    refuted = shown(prove(Injective(ROWS)))
    assert refuted.words[:2] == ["refuted", "injective((M,N):(LD,1))"]
    assert refuted.marked == 2
    text = " ".join(refuted.words)
    assert "counterexample LD=1, M=2, N=2: L(1,0) = L(0,1) = 1 in L = (2,2):(1,1)" in text
    assert "assert L(1, 0) != L(0, 1) # 1 == 1" in text
    proved = words(prove(Injective(ROWS), given=["LD >= N"]))
    assert proved.startswith("proved injective")
    assert "given LD >= N how structural: chain rests on arithmetic" in proved
    assert "How it was decided, step by step" in proved
    assert words(prove("injective(M:1)", given=["M <= 1", "M >= 2"])).startswith("vacuous")


def test_what_is_a_claim_is_said_in_words_and_signs() -> None:
    assert words(Injective(Layout((2, 2)))) == (
        "injective((2,2):(1,2)) says no two coordinates of (2,2):(1,2) share an offset that is "
        "∀ c ≠ c′: L(c) ≠ L(c′), where L = (2,2):(1,2) 0 1 0 0 2 1 1 3"
    )


def test_what_was_found_is_shown() -> None:
    assert words(suggest(Injective(ROWS))).startswith("holds if LD >= N then")
    padding = find_padding("access((32,4):(32+P,1), 32)", "P")
    assert words(padding).startswith("proved P = 1 the least every smaller padding is refuted")
    swizzle = find_swizzle("access((32,32):(1,32), 32)")
    assert words(swizzle).startswith("proved Sw<0,0,0>")
    assert "lanes 32:1 bits 32 a lane byte address over bank" in words(
        Access(Layout((32, 4), (1, 32)), 32)
    )


def test_thread_value_layouts_are_tables_of_their_tiles() -> None:
    mma = atom("SM70_8x8x4_F16F16F16F16_TN")
    assert words(mma).startswith("SM70_8x8x4_F16F16F16F16_TN A (8,4):(1,8) into (8,4) B")
    assert words(mma).count("T7 V3") == 3
    tiled = words(make_tiled_mma("SM80_16x8x8_F32TF32TF32F32_TN", Layout((2, 1))))
    assert "C ((4,8,2),((2,2),(1,1))):((64,1,16),((32,8),(0,0))) into (32,8)" in tiled
    assert "T63 V3" in tiled


def test_findings_of_a_kernel_are_told_one_by_one() -> None:
    found = check_kernel(
        "__global__ void k(float *x, int n) { x[threadIdx.x] = 0; }",
        launch="grid=(1) block=64",
        extents={"x": "n"},
        properties=["in_bounds", "aligned"],
    )
    text = words(found)
    assert text.startswith("refuted k refuted in_bounds kernel.cu:1:")
    assert "at n=1, thread 1" in text or "thread 1" in text
    assert text.endswith("proved aligned steps of pointers")
    assert str(found).splitlines()[0].startswith("kernel.cu:1:")


def test_text_of_others_is_escaped() -> None:
    claim = PrintsAs(Layout(4), "<script>alert('x')</script> & `b`")
    for value in (claim, prove(claim)):
        assert "<script" not in value._repr_html_()
        assert "&lt;script&gt;" in value._repr_html_()
    assert r"\& " in claim._repr_latex_()


@pytest.mark.parametrize(
    ("text", "latex"),
    [
        ("(M,N):(LD,1)", r"(M,N):(\mathit{LD},1)"),
        ("(M/4,2*K):(2**3,K+1)", r"(M/4,2\,K):(8,K+1)"),
        ("(ceil_div(M,128)):(1)", r"(\lceil M/128\rceil ):(1)"),
        ("Sw<3,0,3> o M o 8:1", r"\mathrm{Sw}\langle 3,0,3\rangle \circ M\circ 8:1"),
        ("2:1@0", "2:1@0"),
        ("(_a,b_1):(1,2)", r"(\mathit{\_a},\mathit{b\_1}):(1,2)"),
    ],
)
def test_a_layout_as_latex(text: str, latex: str) -> None:
    assert evaluate(text)._repr_latex_() == rf"$\displaystyle {latex}$"


@pytest.mark.parametrize(
    ("text", "latex"),
    [
        ("M % 4 == 0", r"M\bmod 4=0"),
        (
            "in_bounds(M:1, N, where(M:2, 9))",
            r"\forall c,G(c)<9\colon 0\le L(c)<N\quad\text{where }L=M:1,\;G=M:2",
        ),
        (
            "covers(8:1, M)",
            r"\forall m,0\le m<M\colon \exists c\colon L(c)=m\quad\text{where }L=8:1",
        ),
    ],
)
def test_a_claim_as_latex(text: str, latex: str) -> None:
    found = read_claim(text)._repr_latex_()
    assert found == rf"$\displaystyle {latex}$"


def test_a_verdict_as_latex_says_its_status() -> None:
    proved = prove(Injective(ROWS), given=["LD >= N"])._repr_latex_()
    assert r"\text{proved: }\;N\le \mathit{LD}\implies \forall c\neq c'" in str(proved)
    refuted = prove(Injective(ROWS))._repr_latex_()
    assert r"\\ \text{LD=1, M=2, N=2: L(1,0)" in str(refuted)


def test_every_family_has_signs_and_latex_that_close_what_they_open() -> None:
    families = {}
    for theorem in find(["proofs/notes", "proofs/tilings"]):
        if theorem.expected != "unknown":
            families |= {claim.name: claim for claim in theorem.build()}
    assert len(families) >= 15
    for claim in families.values():
        latex = re.sub(r"\\[{}]", "", claim._repr_latex_())
        depths = [latex[: k + 1].count("{") - latex[: k + 1].count("}") for k in range(len(latex))]
        assert min(depths) == depths[-1] == 0, latex
        assert "«" not in latex
        assert "«" not in in_signs(claim)
        shown(claim)


def test_a_claim_about_maps_names_its_letters() -> None:
    claim = Composition(Layout(4), Layout(8), Layout(4))
    assert in_signs(claim) == (
        "|C| = |B|, ∀ i, 0 ≤ i < |B|: C(i) = A(B(i)), where A = 8:1, B = 4:1, C = 4:1"
    )


def test_other_values_are_left_to_the_notebook() -> None:
    assert symcute.to_html((4, 8)) is None
    assert symcute.to_latex(suggest(Injective(ROWS))) is None


def test_the_text_beside_it_is_what_print_gives() -> None:
    verdict = prove(Injective(ROWS), given=["LD >= N"])
    assert verdict._repr_mimebundle_() == {"text/plain": str(verdict)}
    assert str(atom("SM70_8x8x4_F16F16F16F16_TN")) == "SM70_8x8x4_F16F16F16F16_TN"
