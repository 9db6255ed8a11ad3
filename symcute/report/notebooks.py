"""What notebooks show: layouts, claims, verdicts, what was found, as HTML and as LaTeX.

The HTML carries its own style and no script; where a page takes the style away, as code hosts do,
tables and words are left. Everything that comes from a value is escaped by the template.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from symcute.claims import Claim
from symcute.errors import InputError
from symcute.expr.assumptions import Assumptions
from symcute.expr.htuple import show, show_leaf
from symcute.hardware.access import Access
from symcute.kernel.findings import GOOD, Finding, Findings
from symcute.layout.algebra import GuardedLayout
from symcute.layout.atoms import CopyOp, MmaAtom
from symcute.layout.layout import Layout
from symcute.layout.swizzle import ComposedLayout
from symcute.layout.tv import TiledCopy, TiledMMA
from symcute.prover.suggestion import Suggestion
from symcute.prover.verdict import Verdict
from symcute.report.json import Record, part_record
from symcute.report.mathematics import in_signs, tex, tex_of_claim, tex_of_words
from symcute.report.pictures import panels_of
from symcute.report.requests import drawn_panels, request_panel
from symcute.report.svg import Panel, text_colour
from symcute.report.swizzled import swizzling_panels
from symcute.report.templates import resource, template
from symcute.synthesis import Padding, Swizzling

__all__ = ["to_html", "to_latex"]

#: The most cells of a table, and the most in a row.
_CELLS, _WIDEST = 1024, 64
#: The most smaller paddings and swizzles of which it is told why they will not do.
_TOLD = 3


@dataclass(frozen=True)
class Note:
    """What is shown: a status, a line of code, and below it what there is to say.

    `rows` are pairs of a name and a text with code in backquotes; `modes` pairs of an extent and a
    stride; `verdicts` have a status, a name and texts; `steps` say how a claim was decided; `lines`
    are Python.
    """

    code: str
    status: str = ""
    rows: Sequence[tuple[str, str]] = ()
    modes: Sequence[tuple[str, str]] = ()
    panels: Sequence[Panel] = ()
    steps: Sequence[Record] = ()
    lines: Sequence[str] = ()
    verdicts: Sequence[tuple[str, str, Sequence[str]]] = ()


def to_html(value: Any) -> str | None:
    """Return a layout, a claim, a verdict, or what was found, as HTML for a notebook.

    None for a value that we have no HTML for.

    >>> to_html(Layout((2, 2))).split(">")[0], to_html(8)
    ('<div class="symcute"', None)
    """
    make = next((f for kind, f in _NOTES.items() if isinstance(value, kind)), None)
    if make is None:
        return None
    return template("notebook.html").render(note=_view(make(value)), style=resource("notebook.css"))


def to_latex(value: Any) -> str | None:
    r"""Return a layout, a claim or a verdict as mathematics in LaTeX; None for other values.

    >>> print(to_latex(Layout.parse("(M,N):(LD,1)")))
    $\displaystyle (M,N):(\mathit{LD},1)$
    """
    if isinstance(value, (Layout, ComposedLayout, Access)):
        return rf"$\displaystyle {tex(value)}$"
    if isinstance(value, Claim):
        return rf"$\displaystyle {tex_of_claim(value)}$"
    return _latex_of_verdict(value) if isinstance(value, Verdict) else None


def _latex_of_verdict(verdict: Verdict) -> str:
    given = r",\;".join(tex(formula) for formula in Assumptions.of(list(verdict.given)).formulas)
    said = tex_of_claim(verdict.claim)
    said = rf"\text{{{verdict.status}: }}\;" + (rf"{given}\implies {said}" if given else said)
    more = str(verdict.counterexample or verdict.reason)
    tail = rf"\\ \text{{{tex_of_words(more)}}}" if more else ""
    return rf"$\displaystyle \begin{{array}}{{l}} {said}{tail}\end{{array}}$"


# --- layouts ------------------------------------------------------------------------------------


def _layout(layout: Layout | ComposedLayout) -> Note:
    rows = [("size", _code(layout.size()))]
    if isinstance(layout, Layout) and not layout.coordinate_strides:
        rows.append(("cosize", _code(layout.cosize())))
    rows += _dims(layout.dims())
    panels = _drawn(lambda: panels_of(layout, grouped=True))
    inner = layout.layout if isinstance(layout, ComposedLayout) else layout
    modes = [] if panels else [(show(mode.shape), show(mode.stride)) for mode in inner]
    return Note(str(layout), rows=rows, modes=modes, panels=panels)


def _guarded(value: GuardedLayout) -> Note:
    note = _layout(value.layout)
    rows = [*note.rows, ("where", f"`{value.guard}`" if value.guard.parts else "")]
    return replace(note, code=str(value), rows=rows)


def _access(access: Access) -> Note:
    lanes = " ".join(f"{show_leaf(s)}:{show_leaf(d)}" for s, d in access.lanes)
    rows = [("lanes", f"`{lanes}`"), ("bits", f"{access.width} a lane"), *_dims(access.dims())]
    return Note(str(access), rows=rows, panels=_drawn(lambda: [request_panel(access, None, False)]))


def _tilings(value: MmaAtom | CopyOp | TiledMMA | TiledCopy) -> Note:
    found: Mapping[str, tuple[Layout, Any]] = value.layouts()
    rows = [(name, f"`{layout}` into `{show(tile)}`") for name, (layout, tile) in found.items()]
    panels = [
        replace(panel, caption=name)
        for name, (layout, tile) in found.items()
        for panel in _drawn(lambda: panels_of(layout, tile=tile))  # noqa: B023 - called at once
    ]
    return Note(str(value), rows=rows, panels=panels)


def _code(leaf: Any) -> str:
    """Return a leaf as code: multiplied out where that leaves no quotient."""
    text = show_leaf(leaf)
    whole = show_leaf(leaf.expand()) if "/" in text else text
    return f"`{text if '/' in whole else whole}`"


def _dims(names: Iterable[str]) -> list[tuple[str, str]]:
    """Return the row that says which dims there are."""
    shown = ", ".join(f"`{name}`" for name in sorted(names))
    return [("dims", shown)] if shown else []


def _drawn(make: Callable[[], Sequence[Panel]]) -> Sequence[Panel]:
    """Return tables, none where there is none to draw, or it is too large for a notebook."""
    try:
        panels = make()
    except InputError:
        return ()
    sizes = [(len(p.rows), len(p.rows[0])) for p in panels]
    return panels if all(m * n <= _CELLS and n <= _WIDEST for m, n in sizes) else ()


# --- claims and verdicts ------------------------------------------------------------------------


def _claim(claim: Claim) -> Note:
    rows = [("says", claim.words()), ("that is", _signs(claim))]
    pictures = [x for layout in dict.fromkeys(claim.layouts()) for x in _table(layout)]
    return Note(claim.text(), rows=[*rows, *_dims(claim.dims())], panels=pictures)


def _signs(claim: Claim) -> str:
    """Return the claim in signs where that is more than its text."""
    signs = in_signs(claim)
    return f"`{signs}`" if signs not in ("", claim.text()) else ""


def _table(layout: Layout) -> Sequence[Panel]:
    return _drawn(lambda: panels_of(layout)) if layout.rank() == 2 else ()


def _verdict(verdict: Verdict) -> Note:
    part = part_record(verdict)
    example = verdict.counterexample
    rows = [
        ("says", part["words"]),
        ("that is", _signs(verdict.claim)),
        ("given", ", ".join(f"`{x}`" for x in verdict.given)),
        ("counterexample", f"`{example}`" if example else ""),
        ("because", verdict.reason),
        ("how", verdict.how),
        ("rests on", ", ".join(verdict.rests_on)),
    ]
    return Note(
        part["claim"],
        "vacuous" if verdict.vacuous else verdict.status,
        rows,
        panels=[p for x in part["pictures"] for p in _drawn(partial(drawn_panels, x))],
        steps=part["steps"],
        lines=part["call"],
    )


# --- what was found -----------------------------------------------------------------------------


def _suggestion(found: Suggestion) -> Note:
    weaker = [("weaker", f"`{f}` is not enough: `{example}`") for f, example in found.weaker]
    proof = found.verdict
    rows = [("then", f"`{proof.claim.text()}` is proved, by {proof.how}"), *weaker]
    return Note(f"holds if {found.words()}", rows=rows)


def _synthesis(found: Padding | Swizzling) -> Note:
    noun = "padding" if isinstance(found, Padding) else "swizzle"
    least = f"every smaller {noun} is refuted"
    rows = [("the least", least if found.minimal else f"some smaller {noun} is undecided")]
    rows += [("proved", f"`{v.claim.text()}`") for v in found.proofs]
    rows += [(name, f"`{v.counterexample or v.reason}`") for name, v in found.tried[:_TOLD]]
    left = len(found.tried) - _TOLD
    rows += [("", f"and {left} more, each with its counterexample")] if left > 0 else []
    panels = _drawn(partial(swizzling_panels, found)) if isinstance(found, Swizzling) else ()
    few = sum(len(p.rows) * len(p.rows[0]) for p in panels) <= 2 * _CELLS
    return Note(str(found), "proved", rows, panels=panels if few else ())


def _findings(found: Findings) -> Note:
    names = ", ".join(dict.fromkeys(f.kernel for f in found))
    verdicts = [(f.status, f.property, list(_told(f))) for f in found]
    return Note(names, found.status, verdicts=verdicts)


def _told(f: Finding) -> Iterator[str]:
    """Yield what there is to say of a finding."""
    if f.status in GOOD:
        yield f.how or f.text
        return
    yield f"`{f.place}` {f.text}"
    if f.layouts:
        yield f"through {'; '.join(f'`{x}`' for x in f.layouts)}"
    if f.counterexample:
        yield f"at `{f.counterexample}`"
    if f.reason and f.reason != f.text:
        yield f"because {f.reason}"
    if f.holds_if:
        yield f"holds if `{f.holds_if}`"


_NOTES: dict[Any, Callable[[Any], Note]] = {
    (Layout, ComposedLayout): _layout,
    GuardedLayout: _guarded,
    Access: _access,
    (MmaAtom, CopyOp, TiledMMA, TiledCopy): _tilings,
    Claim: _claim,
    Verdict: _verdict,
    Suggestion: _suggestion,
    (Padding, Swizzling): _synthesis,
    Findings: _findings,
}


# --- the view of the template -------------------------------------------------------------------


def _view(note: Note) -> dict[str, Any]:
    """Return a note as the template takes it: rows without a text left out."""
    captions = len(note.panels) > 1
    return {
        **vars(note),
        "rows": [(name, text) for name, text in note.rows if text],
        "panels": [_panel(p, captions) for p in note.panels],
    }


def _panel(panel: Panel, caption: bool) -> dict[str, Any]:
    down, across = panel.blocks
    return {
        "caption": panel.caption if caption else "",
        "note": panel.note,
        "columns": range(len(panel.rows[0])),
        "rows": [
            [
                {
                    "lines": cell.lines,
                    "about": cell.about,
                    "style": f"background:{cell.fill}" if cell.fill else "",
                    "classes": " ".join(_classes(panel, i, j, down, across)),
                }
                for j, cell in enumerate(row)
            ]
            for i, row in enumerate(panel.rows)
        ],
    }


def _classes(panel: Panel, i: int, j: int, down: int, across: int) -> Iterator[str]:
    """Yield how a cell is marked, the colour of its text, and where a heavier line begins."""
    if (i, j) in panel.marked:
        yield "mark"
    if fill := panel.rows[i][j].fill:
        yield text_colour(fill)
    if down > 1 and i and i % down == 0:
        yield "over"
    if across > 1 and j and j % across == 0:
        yield "left"
