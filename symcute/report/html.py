"""The report as one HTML page that needs nothing beside it: style and script are inside."""

from __future__ import annotations

import gzip
import json
import os
from base64 import b64encode
from collections.abc import Hashable, Mapping, Sequence
from html import escape
from itertools import groupby
from pathlib import Path
from typing import Any, TypeAlias

from symcute.claims.language import evaluate
from symcute.codegen.forms import FORMS, to_text
from symcute.errors import SymcuteError
from symcute.report.certificates import Place
from symcute.report.choices import choices, fits, places
from symcute.report.json import STATUSES, Record
from symcute.report.requests import drawn_panels
from symcute.report.tables import colour_rules, to_html
from symcute.report.templates import resource, template
from symcute.report.terminal import run_line

__all__ = ["evidence_key", "page", "render"]

_MEANING = {
    "proved": "for all values of the dims that meet the assumptions",
    "refuted": "by a counterexample that was evaluated again",
    "unknown": "not decided, with the reason; never counted as proved",
    "error": "could not be run: its claim is a mistake",
}
_BASIS = {
    "arithmetic": "a lemma, and integer arithmetic that the checker of certificates does again",
    "exact search": "symcute's own search, for a layout of numbers",
    "evaluation in plain integers": "a counterexample, which anybody can compute",
    "confirmed by": "this solver proved each obligation once more",
    "solver": "this solver's answer alone, for some obligation",
    "z3 ": "this solver proved the whole claim as well",
    "cvc5 ": "this solver proved the whole claim as well",
    "the layout algebra": "what these operations came to, which the checker does not do again",
}
#: What theorems can be chosen by.
_LABELS = {
    "status": "Verdict",
    "expected": "Expected",
    "rests": "Rests on",
    "how": "How",
    "file": "File or folder",
}
#: The most characters of a formula in the page.
_FORMULA_LIMIT = 20_000

#: What machines said, by `evidence_key`.
_Evidence: TypeAlias = Mapping[Hashable, Sequence[str]]


def page(
    document: Mapping[str, Any],
    folder: Path | None = None,
    evidence: _Evidence | None = None,
    problems: Sequence[str] = (),
    certificates: Mapping[tuple[str, int], Place] | None = None,
    run: str | None = None,
) -> str:
    """Return the page; `folder` is where it will lie, for its links to the theorem files.

    `evidence` gives what machines said of a claim, by `evidence_key`; `problems` says which
    evidence was left out, and why; `certificates` where that of a theorem's claim stands;
    `run` what stands in place of when and how fast that was.
    """
    view = _View(folder, evidence or {}, certificates or {})
    run = escape(run_line(document)) if run is None else run
    values = {**view.of(document), "problems": problems, "run": run}
    return render("page.html", values, ("search.js", "formulas.js", "pictures.js"))


def render(name: str, values: Mapping[str, Any], scripts: Sequence[str]) -> str:
    """Return a template of this folder with its values, our style and scripts filled in."""
    style = resource("colours.css") + resource("page.css") + colour_rules()
    return template(name).render(values, style=style, script="".join(map(resource, scripts)))


def evidence_key(theorem: str, part: Mapping[str, Any]) -> Hashable:
    """Return what evidence of a claim is found by: what it was about, and the verdict then."""
    return theorem, part["claim"], part["status"], tuple(part["given"])


class _View:
    """What the templates show of a document."""

    def __init__(
        self,
        folder: Path | None,
        evidence: _Evidence,
        certificates: Mapping[tuple[str, int], Place],
    ) -> None:
        self.folder = folder
        self.evidence = evidence
        self.certificates = certificates
        self.formulas: dict[str, int] = {}
        self.forms: dict[tuple[str, ...], int] = {}
        self.choices: list[dict[str, Any]] = []

    def of(self, document: Mapping[str, Any]) -> dict[str, Any]:
        theorems = self._theorems(document["theorems"])
        totals = document["totals"]
        held = {t["file"]: str(self.certificates[key][0]) for t in theorems
                for key in [(t["name"], 0)] if key in self.certificates}  # fmt: skip
        surprises = [t for t in theorems if not t["ok"]]
        refuted = [t for t in theorems if t["status"] == "refuted"]
        corrected = [t for t in refuted if t["corrected_by"]]
        return {
            "headline": f"{_count(totals['theorems'], 'theorem')}, {totals['proved']} proved",
            "line": _line(totals),
            "good": not surprises,
            "version": document["tool"]["version"],
            "finished": document["finished"],
            "surprises": surprises,
            "statuses": [
                {"name": s, "count": totals[s], "meaning": _MEANING[s]}
                for s in STATUSES
                if totals[s] or s != "error"
            ],
            "rests_on": _basis(totals["rests_on"]),
            "lacking": _lacking(theorems) if self.evidence else [],
            "wrong": corrected or refuted,
            "also_wrong": [t for t in refuted if not t["corrected_by"]] if corrected else [],
            "search": {
                "hint": "name, statement, layout, file",
                "noun": "theorems",
                "choices": self.choices,
            },
            "groups": [
                {"file": file, "theorems": list(inside), "certificates": held.get(file, "")}
                for file, inside in groupby(theorems, key=lambda t: t["file"])
            ],
            "formulas": _packed(list(self.formulas)),
            "form_names": " ".join(FORMS),
            "forms": _packed([forms_of(text, given) for text, *given in self.forms]),
        }

    def _theorems(self, records: Sequence[Record]) -> list[dict[str, Any]]:
        """Return the theorems as the page shows them, in the order of their files."""
        named = {r["name"]: r for r in records}
        corrections: dict[str, list[Record]] = {}
        for r in records:
            corrections.setdefault(r["corrects"], []).append(r)
        shown = []
        for r in records:
            parts = [self._part(r["name"], k, p) for k, p in enumerate(r["parts"])]
            shown.append(
                {
                    **r,
                    "parts": parts,
                    "counterexamples": [p["counterexample"] for p in parts if p["counterexample"]],
                    "corrected_by": corrections.get(r["name"], []),
                    "puts_right": named.get(r["corrects"]),
                    "link": self._link(r["file"], r["line"]),
                    "name_of_file": Path(r["file"]).name,
                }
            )
        values = [_choosable(t) for t in shown]
        self.choices = choices(_LABELS, values)
        for t, has in zip(shown, values, strict=True):
            t["fits"] = fits(self.choices, has)
        return sorted(shown, key=lambda t: (t["file"], t["line"]))

    def _part(self, name: str, number: int, part: Record) -> dict[str, Any]:
        counterexample = part["counterexample"]
        if counterexample is not None:
            at = ", ".join(f"{name}={value}" for name, value in counterexample["dims"].items())
            counterexample = {"at": at, "text": counterexample["text"]}
        steps = part["steps"]
        brief = len(steps) == 1 and not steps[0]["items"]
        return {
            **part,
            "short": steps[0]["text"] if brief else "",
            "formula": self._formula(part["formula"]),
            "counterexample": counterexample,
            "copies": [(text, self._forms(text, part["given"])) for text in part["layouts"]],
            "certificate_link": self._certificate_link(name, number),
            "pictures": [_picture(p) for p in part["pictures"]],
            "evidence": self.evidence.get(evidence_key(name, part), ()),
        }

    def _formula(self, text: str) -> int:
        """Return the number of a formula; each stands in the page once."""
        if len(text) > _FORMULA_LIMIT:
            text = text[:_FORMULA_LIMIT] + "\n; ... the rest is in report.json"
        return self.formulas.setdefault(text, len(self.formulas))

    def _forms(self, layout: str, given: Sequence[str]) -> int:
        """Return the number of a layout's forms; each stands in the page once."""
        return self.forms.setdefault((layout, *given), len(self.forms))

    def _certificate_link(self, name: str, number: int) -> str:
        """Return the link to a claim's certificate, empty where none stands in a file."""
        file, line = self.certificates.get((name, number), (None, 0))
        return "" if file is None else self._link(str(file), line)

    def _link(self, file: str, line: int) -> str:
        """Return the link from the page to a line of a file."""
        if self.folder is None:
            return ""
        return f"{Path(os.path.relpath(file, self.folder)).as_posix()}#L{line}"


def _choosable(theorem: Mapping[str, Any]) -> dict[str, list[str]]:
    """Return what a theorem has of each choice."""
    how = theorem["how"].removesuffix(", by cases").split(" + ")
    return {
        "status": [theorem["status"]],
        "expected": ["as expected" if theorem["ok"] else "not as expected"],
        "rests": theorem["rests_on"],
        "how": [x.removesuffix(", by cases") for x in how if x],
        "file": [*places(theorem["file"])],
    }


def _lacking(theorems: Sequence[Mapping[str, Any]]) -> list[tuple[str, str]]:
    """Return the decided claims about layouts of which no machine said anything as they stand."""
    return [
        (t["name"], p["claim"])
        for t in theorems
        for p in t["parts"]
        if p["layouts"] and p["status"] != "unknown" and not p["evidence"]
    ]


def _count(number: int, noun: str) -> str:
    return f"{number} {noun if number == 1 else noun + 's'}"


def _line(totals: Mapping[str, Any]) -> str:
    surprises = totals["theorems"] - totals["as_expected"]
    if surprises:
        return f"{_count(surprises, 'verdict')} not as expected."
    return "Every verdict is the one expected."


def _basis(counts: Mapping[str, int]) -> list[dict[str, Any]]:
    """Return what verdicts rest on, with what that means, the most used first."""
    return [
        {
            "name": name,
            "count": count,
            "meaning": next(
                (said for start, said in _BASIS.items() if name.startswith(start)),
                "named in the certificates",
            ),
        }
        for name, count in sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    ]


def forms_of(layout: str, given: Sequence[str]) -> list[str]:
    """Return a layout in each of `FORMS`, empty where that has no way to say it.

    >>> forms_of("(4,8):(8,1)", [])[3:]
    ['torch.empty_strided((4, 8), (8, 1))', '#ttg.swizzled_shared<{vec = 1, ...

    """
    try:
        value = evaluate(layout, given=list(given))
    except SymcuteError:
        return []
    return [_form(value, form, given) for form in FORMS]


def _form(layout: Any, form: str, given: Sequence[str]) -> str:
    try:
        return to_text(layout, form, given=list(given))
    except SymcuteError:
        return ""


def _packed(texts: Sequence[Any]) -> str:
    """Return texts as the page holds them: JSON, packed."""
    if not texts:
        return ""
    return b64encode(gzip.compress(json.dumps(texts).encode(), mtime=0)).decode("ascii")


def _picture(picture: Mapping[str, Any]) -> dict[str, Any]:
    """Return the table of a layout or a request, marked what goes against the claim."""
    access, panels = picture.get("access"), drawn_panels(picture)
    table = to_html(panels, captions=access is not None or len(panels) > 1)
    return {
        "of": access or picture["layout"],
        "marked": bool(picture["marked"]),
        "table": table,
    }
