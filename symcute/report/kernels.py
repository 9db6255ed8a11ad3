"""The results of `symcute check` as one HTML page: worst first, places in their sources."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

from symcute import __version__
from symcute.report.choices import choices, fits, places
from symcute.report.html import render
from symcute.report.json import Record
from symcute.report.terminal import conditional, kernels_line

__all__ = ["kernels_page"]

#: What a kernel comes to, the worst first, with what that means.
_STANDINGS = {
    "refuted": "wrong, by an execution of the kernel",
    "unknown": "not decided, with the reason; never counted as proved",
    "conditional": "no launch is known: proved under the conditions that are shown",
    "proved": "every property that applies, for all sizes",
}
_LABELS = {
    "standing": "Comes to",
    "refuted": "Wrong",
    "unknown": "Not decided",
    "file": "File or folder",
}
#: The lines of a source that are shown before and after a place, and the most characters of one.
_AROUND, _LINE_LIMIT = 2, 400
#: The most kinds of reasons that are told at the top.
_REASONS = 12
#: The most cards at the top: what is left stands at its kernels.
_CARDS = 40


def kernels_page(
    kernels: Sequence[Record], errors: Sequence[Record], words: Mapping[str, str]
) -> str:
    """Return the page of the results of `symcute check`; `words` say the properties.

    The sources are read again, to show the places; where one cannot be read they are not shown.

    >>> "0 kernels, 0 properties" in kernels_page([], [], {})
    True
    """
    sources = _Sources()
    shown = [_kernel(k, words, sources) for k in kernels]
    values = [_choosable(k) for k in shown]
    found = choices(_LABELS, values)
    for number, (k, has) in enumerate(zip(shown, values, strict=True)):
        k["fits"], k["id"] = fits(found, has), f"kernel-{number}"
    groups = [(file, list(inside)) for file, inside in groupby(shown, key=lambda k: k["file"])]
    groups.sort(key=lambda group: min(map(_rank, group[1])))
    counts = Counter(k["standing"] for k in shown)
    wrong = [k for k in shown if k["standing"] == "refuted"]
    return render(
        "kernels.html",
        {
            "version": __version__,
            "headline": _headline(counts),
            "good": not errors and not counts["refuted"] and not counts["unknown"],
            "line": kernels_line([*map(dict, kernels)], len(errors)),
            "tiles": [
                {"name": name, "count": counts[name], "meaning": meaning}
                for name, meaning in _STANDINGS.items()
                if counts[name] or name != "conditional"
            ],
            "errors": errors,
            "wrong": wrong[:_CARDS],
            "more_wrong": len(wrong[_CARDS:]),
            "reasons": _reasons(kernels),
            "search": {"hint": "kernel, array, file", "noun": "kernels", "choices": found},
            "groups": [
                {"file": file, "kernels": sorted(inside, key=_rank)} for file, inside in groups
            ],
        },
        ["search.js"],
    )


def _rank(kernel: Mapping[str, Any]) -> int:
    return [*_STANDINGS].index(kernel["standing"])


def _headline(counts: Counter[str]) -> str:
    number = counts.total()
    told = ", ".join(f"{counts[name]} {name}" for name in _STANDINGS if counts[name])
    return f"{number} kernel{'' if number == 1 else 's'}{': ' if told else ''}{told}"


def _choosable(kernel: Mapping[str, Any]) -> dict[str, list[str]]:
    return {
        "standing": [kernel["standing"]],
        **{
            status: [name for name, verdict in kernel["verdicts"].items() if verdict == status]
            for status in ("refuted", "unknown")
        },
        "file": [*places(kernel["file"])],
    }


def _kernel(result: Record, words: Mapping[str, str], sources: _Sources) -> dict[str, Any]:
    """Return what is shown of a kernel: what is wrong and open in full, the rest in a table."""
    findings = [_finding(f, sources) for f in result["findings"]]
    under = [f for f in findings if conditional(result, f)]
    open_ = [f for f in findings if f["status"] in ("refuted", "unknown") and f not in under]
    statuses = {f["status"] for f in open_}
    standing = next((s for s in ("refuted", "unknown") if s in statuses), "")
    return {
        **result,
        "standing": standing or ("conditional" if under else "proved"),
        "findings": open_,
        "under": list(dict.fromkeys(f["property"] for f in under)),
        "rest": [
            {
                "property": f["property"],
                "says": words.get(f["property"], ""),
                "status": f["status"],
                "how": f["how"] or f["text"],
            }
            for f in findings
            if f["status"] in ("proved", "not applicable")
        ],
        "wrong": [f for f in open_ if f["status"] == "refuted"],
        "trusts": list(dict.fromkeys(x for f in findings for x in f["rests_on"])),
        "marks": list(dict.fromkeys((f["status"], f["property"]) for f in open_)),
    }


def _finding(f: Record, sources: _Sources) -> dict[str, Any]:
    example = f["counterexample"] or {}
    other = (example.get("other") or {}).get("place") or ""
    spots = [(f["file"], f["line"], f["column"])]
    if other:
        file, line, column = other.rsplit(":", 2)
        spots += [(file, int(line), int(column))]
    seen = [
        {"place": f"{file}:{line}:{column}", "lines": lines}
        for file, line, column in dict.fromkeys(spots)
        for lines in [list(sources.around(file, line, column))]
    ]
    return {**f, "words": example.get("words", ""), "spots": seen}


def _reasons(kernels: Sequence[Record]) -> list[tuple[str, int]]:
    """Return why properties are not decided, numbers aside, the most frequent first."""
    counts = Counter(
        re.sub(r"\b\d[\d,]*\b", "N", f["reason"] or f["text"])
        for k in kernels
        for f in k["findings"]
        if f["status"] == "unknown" and not conditional(k, f)
    )
    return counts.most_common(_REASONS)


class _Sources:
    """The lines of the files that findings speak of."""

    def __init__(self) -> None:
        self._lines: dict[str, list[str]] = {}

    def around(self, file: str, line: int, column: int) -> Iterator[dict[str, Any]]:
        """Yield the lines about a place; the place itself is apart, as what is marked."""
        lines = self._of(file)
        for number in range(max(1, line - _AROUND), min(len(lines), line + _AROUND) + 1):
            text = lines[number - 1][:_LINE_LIMIT]
            at = _characters(text, column - 1) if number == line else len(text)
            word = re.compile(r"\w+|.?").match(text, at)
            marked = word.group() if word is not None else ""
            yield {
                "number": number, "here": number == line,
                "before": text[:at], "marked": marked, "after": text[at + len(marked) :],
            }  # fmt: skip

    def _of(self, file: str) -> list[str]:
        if file not in self._lines:
            try:
                text = Path(file).read_text(encoding="utf-8", errors="replace")
            except (OSError, ValueError):
                text = ""
            self._lines[file] = text.expandtabs(1).splitlines()
        return self._lines[file]


def _characters(text: str, bytes_: int) -> int:
    """Return how many characters so many bytes of UTF-8 are: compilers count bytes."""
    return len(text.encode()[:bytes_].decode(errors="ignore"))
