"""The report as one HTML page that needs nothing beside it: style and script are inside."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Hashable, Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any, TypeAlias

from markupsafe import Markup, escape

from symcute.language import evaluate
from symcute.report.json import STATUSES, Record
from symcute.report.pictures import to_svg
from symcute.report.requests import request_to_svg
from symcute.report.templates import resource, template

__all__ = ["evidence_key", "page", "render", "write_page"]

_MEANING = {
    "proved": "for all values of the dims that meet the assumptions",
    "refuted": "by a counterexample that was evaluated again",
    "unknown": "not decided, with the reason; never counted as proved",
}
#: The most characters of a formula in the page.
_FORMULA_LIMIT = 20_000

#: What machines said, by `evidence_key`.
_Evidence: TypeAlias = Mapping[Hashable, Sequence[str]]


def write_page(
    path: Path,
    document: Mapping[str, Any],
    evidence: _Evidence | None = None,
    problems: Sequence[str] = (),
) -> None:
    """Write the page of a document, with what machines said; see `page`."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(page(document, path.parent, evidence, problems), encoding="utf-8")


def page(
    document: Mapping[str, Any],
    folder: Path | None = None,
    evidence: _Evidence | None = None,
    problems: Sequence[str] = (),
) -> str:
    """Return the page; `folder` is where it will lie, for its links to the theorem files.

    `evidence` gives what machines said of a claim, by `evidence_key`;
    `problems` says which evidence was left out, and why.
    """
    return render("page.html", {**_view(document, folder, evidence or {}), "problems": problems})


def render(name: str, values: Mapping[str, Any]) -> str:
    """Return a template of this folder with its values, our style and our script filled in."""
    filters: dict[str, Callable[..., Any]] = {"prose": _prose, "time": _time, "words": _words}
    return template(name, filters).render(
        values,
        style=Markup(resource("page.css") + resource("picture.css")),  # noqa: S704 (our own files)
        script=Markup(resource("page.js")),  # noqa: S704 (our own file)
    )


def _view(document: Mapping[str, Any], folder: Path | None, evidence: _Evidence) -> dict[str, Any]:
    """Return what the template shows."""
    theorems = _theorems(document["theorems"], folder, evidence)
    totals = document["totals"]
    surprises = [t for t in theorems if not t["ok"]]
    refuted = [t for t in theorems if t["status"] == "refuted"]
    corrected = [t for t in refuted if t["corrected_by"]]
    return {
        "headline": f"{_count(totals['theorems'], 'theorem')}, {totals['proved']} proved",
        "subline": _subline(totals),
        "all_expected": not surprises,
        "tool": document["tool"],
        "started": document["started"].replace("T", " ").replace("+00:00", " UTC"),
        "seconds": document["seconds"],
        "finished": document["finished"],
        "surprises": surprises,
        "statuses": [{"name": s, "count": totals[s], "meaning": _MEANING[s]} for s in STATUSES],
        "rests_on": sorted(totals["rests_on"].items(), key=lambda item: (-item[1], item[0])),
        "lacking": _lacking(theorems) if evidence else [],
        "wrong": corrected or refuted,
        "also_wrong": [t for t in refuted if not t["corrected_by"]] if corrected else [],
        "groups": [
            {"file": file, "theorems": list(inside)}
            for file, inside in groupby(theorems, key=lambda t: t["file"])
        ],
    }


def evidence_key(theorem: str, part: Mapping[str, Any]) -> Hashable:
    """Return what evidence of a claim is found by: what it was about, and the verdict then."""
    return theorem, part["claim"], part["status"], tuple(part["given"])


def _lacking(theorems: Sequence[Mapping[str, Any]]) -> list[tuple[str, str]]:
    """Return the decided claims about layouts of which no machine said anything as they stand."""
    return [
        (t["name"], p["claim"])
        for t in theorems
        for p in t["parts"]
        if p["layouts"] and p["status"] != "unknown" and not p["evidence"]
    ]


def _count(number: int, noun: str, plural: str = "") -> str:
    return f"{number} {noun if number == 1 else plural or noun + 's'}"


def _subline(totals: Mapping[str, Any]) -> str:
    surprises = totals["theorems"] - totals["as_expected"]
    if surprises:
        return f"{_count(surprises, 'verdict')} not as expected."
    return "Every verdict is the one expected."


def _theorems(
    records: Sequence[Record], folder: Path | None, evidence: _Evidence
) -> list[dict[str, Any]]:
    """Return the theorems as the page shows them, in the order of their files."""
    named = {r["name"]: r for r in records}
    shown = []
    for r in records:
        parts = [_part(p, evidence.get(evidence_key(r["name"], p), ())) for p in r["parts"]]
        shown.append(
            {
                **r,
                "parts": parts,
                "counterexamples": [p["counterexample"] for p in parts if p["counterexample"]],
                "corrected_by": [b for b in records if b["corrects"] == r["name"]],
                "puts_right": named.get(r["corrects"]),
                "search": " ".join(
                    [
                        r["name"],
                        _words(r["name"]),
                        r["file"],
                        r["statement"],
                        r["details"],
                        r["how"],
                    ]
                    + [p["claim"] for p in parts]
                ).lower(),
                "link": _link(r, folder),
            }
        )
    return sorted(shown, key=lambda t: (t["file"], t["line"]))


def _part(part: Record, evidence: Sequence[str]) -> dict[str, Any]:
    formula = part.get("formula", "")
    if len(formula) > _FORMULA_LIMIT:
        formula = formula[:_FORMULA_LIMIT] + "\n; ... the rest is in report.json"
    counterexample = part["counterexample"]
    if counterexample is not None:
        at = ", ".join(f"{name}={value}" for name, value in counterexample["dims"].items())
        counterexample = {"at": at, "text": counterexample["text"]}
    return {
        **part,
        "formula": formula,
        "counterexample": counterexample,
        "pictures": [_picture(p) for p in part.get("pictures", [])],
        "evidence": evidence,
    }


def _picture(picture: Mapping[str, Any]) -> dict[str, Any]:
    """Return the picture of a layout or a request, framed what goes against the claim."""
    if "access" in picture:
        text, marked = picture["access"], picture["marked"]
        request, sectors = tuple(picture["request"]), picture["sectors"]
        svg = request_to_svg(evaluate(text), request, sectors=sectors, inline=True)
    else:
        text, marked = picture["layout"], bool(picture["marked"])
        places = [(i, j) for i, j in picture["marked"]]
        svg = to_svg(evaluate(text), mark=places, inline=True)
    return {"of": text, "marked": marked, "svg": Markup(svg)}  # noqa: S704 (escaped there)


def _link(r: Record, folder: Path | None) -> str:
    """Return the link from the page to the theorem's place in its file."""
    if folder is None:
        return ""
    return f"{Path(os.path.relpath(r['file'], folder)).as_posix()}#L{r['line']}"


def _prose(text: str) -> Markup:
    """Return text with what stands in backquotes as code.

    >>> print(_prose("`(4,8):(8,1)` is <fine>"))
    <code>(4,8):(8,1)</code> is &lt;fine&gt;
    """
    return Markup(  # noqa: S704 (every piece is escaped)
        "".join(
            f"<code>{escape(piece[1:-1])}</code>" if piece.startswith("`") else escape(piece)
            for piece in re.split(r"(`[^`]+`)", text)
            if piece
        )
    )


def _words(name: str) -> str:
    """Return a theorem's name as words.

    >>> _words("row_major_is_injective")
    'row major is injective'
    """
    return name.replace("_", " ")


def _time(seconds: float) -> str:
    if seconds < 0.001:
        return "under 1\u00a0ms"
    return f"{seconds * 1000:.0f}\u00a0ms" if seconds < 1 else f"{seconds:.1f}\u00a0s"
