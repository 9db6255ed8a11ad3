"""Results in the terminal, through rich: in colour where that can be shown, else in plain text."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TextIO

from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.text import Text

from symcute.errors import visible
from symcute.report.json import Record
from symcute.report.pictures import bank_colour, bank_of
from symcute.report.svg import text_colour
from symcute.report.table import Grid, picture

__all__ = [
    "Ticker",
    "bank_table",
    "coloured",
    "console",
    "kernel_text",
    "kernels_line",
    "part_text",
    "seconds_text",
    "summary_line",
    "theorem_table",
    "verdict_text",
]

_STYLES = {"proved": "green", "refuted": "magenta", "unknown": "yellow", "not applicable": "dim"}
_PLAIN_WIDTH = 140
#: What is told of a claim that is not proved even where little is asked for.
_WRONG = ("note", "counterexample", "because", "holds if")


def coloured(stream: TextIO, environment: Mapping[str, str] = os.environ) -> bool:
    """Return whether to write colours: on a terminal that shows them, unless NO_COLOR is set.

    FORCE_COLOR asks for them in a pipe too; CLICOLOR=0 asks for none. A dumb terminal gets none.

    >>> coloured(sys.stdout, {"TERM": "xterm", "NO_COLOR": "1", "FORCE_COLOR": "1"})
    False

    Source: no-color.org, force-color.org, and CLICOLOR of the BSD tools.
    """

    def asked(name: str) -> bool:
        return environment.get(name, "") not in ("", "0")

    if environment.get("NO_COLOR") or _dumb(environment):
        return False
    if asked("FORCE_COLOR") or asked("CLICOLOR_FORCE"):
        return True
    return stream.isatty() and environment.get("CLICOLOR") != "0"


def _dumb(environment: Mapping[str, str]) -> bool:
    return environment.get("TERM", "") in ("dumb", "unknown")


def console(stderr: bool = False) -> Console:
    """Return a console: as wide as the terminal, or wide enough for a log file."""
    stream = sys.stderr if stderr else sys.stdout
    terminal, colour = stream.isatty(), coloured(stream)
    return Console(
        file=stream,
        width=None if terminal else _PLAIN_WIDTH,
        force_terminal=terminal or colour,
        color_system="auto" if colour else None,
        no_color=not colour,
        highlight=False,
        emoji=False,
        soft_wrap=False,
    )


def seconds_text(seconds: float) -> str:
    """Return a time as people write it.

    >>> seconds_text(0.0004), seconds_text(0.0213), seconds_text(12.34)
    ('<1 ms', '21 ms', '12.3 s')
    """
    if seconds < 0.001:
        return "<1 ms"
    return f"{seconds * 1000:.0f} ms" if seconds < 1 else f"{seconds:.1f} s"


def bank_table(cells: Grid, element_bytes: int) -> Text:
    """Return the table of offsets with their banks, each bank in its colour.

    Errors: InputError for elements of no byte.

    >>> from symcute.report.table import grid
    >>> print(bank_table(Grid(((0, 33),)), 4).plain.splitlines()[2])
       0 |  0 b0  | 33 b1  |
    """
    shown = Text()
    rows = iter(cells.rows)
    table = picture(cells, lambda offset: f"{offset} b{bank_of(offset, element_bytes):<2}")
    for line in table.splitlines():
        if "|" not in line:
            shown.append(f"{line}\n")
            continue
        edge, *entries, _ = line.split("|")
        shown.append(f"{edge}|")
        for offset, entry in zip(next(rows), entries, strict=True):
            fill = bank_colour(bank_of(offset, element_bytes))
            ink = {"dark": "black", "light": "white"}[text_colour(fill)]
            shown.append(entry, style=f"{ink} on {fill}")
            shown.append("|")
        shown.append("\n")
    shown.rstrip()
    return shown


def theorem_table(records: Sequence[Record]) -> Text:
    """Return the table of theorems, with counterexamples and reasons underneath."""
    width = max((len(r["name"]) for r in records), default=0)
    table = Text()
    table.append(f"{'theorem':<{width}}  {'verdict':<8} {'time':>7}  how", style="bold")
    for r in records:
        table.append(f"\n{r['name']:<{width}}  ")
        table.append(f"{r['status']:<8}", style=_STYLES[r["status"]])
        table.append(f" {seconds_text(r['seconds']):>7}  {r['how'] or 'not decided'}")
        if not r["ok"]:
            table.append(f"  EXPECTED {r['expected']}", style="bold red")
        for line in _remarks(r):
            table.append(f"\n    {visible(line)}", style="dim")
    return table


def _remarks(r: Record) -> list[str]:
    """Return what a reader needs beside the verdict: counterexamples, reasons for doubt."""
    lines = [] if r["parts"] or not r["reason"] else [r["reason"]]
    for part in r["parts"]:
        if part["status"] == "refuted" and part["counterexample"]:
            lines.append(f"counterexample {counterexample_text(part['counterexample'])}")
        elif part["status"] == "unknown":
            lines.append(f"{part['claim']}: {part['reason']}")
    return lines


def counterexample_text(counterexample: dict[str, Any]) -> str:
    """Return the values of the dims and what goes wrong there.

    >>> counterexample_text({"dims": {"M": 2}, "text": "L(0) = L(1) = 0"})
    'M=2: L(0) = L(1) = 0'
    """
    at = ", ".join(f"{name}={value}" for name, value in counterexample["dims"].items())
    return f"{at}: {counterexample['text']}" if at else str(counterexample["text"])


def summary_line(totals: dict[str, Any]) -> str:
    """Return the run in one line.

    >>> summary_line({"theorems": 3, "proved": 2, "refuted": 1, "unknown": 0, "as_expected": 3})
    '3 theorems: 2 proved, 1 refuted, 0 unknown; all as expected'
    """
    n, good = totals["theorems"], totals["as_expected"]
    end = "all as expected" if good == n else f"{n - good} not as expected"
    if totals.get("cached"):
        end += f", {totals['cached']} from the cache"
    return (
        f"{n} theorem{'' if n == 1 else 's'}: {totals['proved']} proved, "
        f"{totals['refuted']} refuted, {totals['unknown']} unknown; {end}"
    )


def verdict_text(
    fields: dict[str, Any],
    given: Iterable[str],
    note: str = "",
    quiet: bool = False,
) -> Text:
    """Return one verdict of `symcute prove` in lines.

    `note` is what the asker may have missed; `quiet` leaves out all but what went wrong.
    """
    word = "VACUOUS" if fields["vacuous"] else str(fields["status"]).upper()
    text = Text()
    text.append(word, style=f"bold {_STYLES[fields['status']]}")
    text.append(f"  {fields['claim']}")
    rows = [
        ("says", fields["words"]),
        ("given", ", ".join(given)),
        ("note", note),
        (
            "counterexample",
            counterexample_text(fields["counterexample"]) if fields["counterexample"] else "",
        ),
        ("because", fields["reason"]),
        ("holds if", (fields.get("suggestion") or {}).get("assumption", "")),
        ("how", fields["how"]),
        ("rests on", ", ".join(fields["rests_on"])),
        ("time", seconds_text(fields["seconds"])),
    ]
    for name, value in rows:
        if value and (not quiet or name in _WRONG):
            text.append(f"\n  {name:<15}", style="dim")
            text.append(str(value))
    return text


def kernel_text(result: dict[str, Any], quiet: bool = False) -> Text:
    """Return what `symcute check` found of one kernel, a line a property; details where not proved.

    `quiet` leaves out what is proved or not applicable.
    """
    text = Text()
    text.append(f"{result['kernel']}", style="bold")
    text.append(f"  {result['file']}:{result['line']}", style="dim")
    text.append(f"  {seconds_text(result['seconds'])}", style="dim")
    for f in result["findings"]:
        good = f["status"] in ("proved", "not applicable")
        if quiet and good:
            continue
        shown = "N/A" if f["status"] == "not applicable" else f["status"].upper()
        text.append(f"\n  {shown:<8}", style=f"bold {_STYLES[f['status']]}")
        text.append(f" {f['property']:<21} ")
        if good:
            text.append(f["text"])
            text.append(f"  {f['how'] or f['status']}", style="dim")
            continue
        text.append(f["text"])
        example = f["counterexample"]
        rows = [
            ("where", f"{f['file']}:{f['line']}:{f['column']}"),
            ("and", ((example or {}).get("other") or {}).get("place", "")),
            ("counterexample", example["words"] if example else ""),
            ("because", f["reason"] if f["reason"] != f["text"] else ""),
            ("holds if", f["holds_if"]),
        ]
        for name, value in rows:
            if value:
                text.append(f"\n    {name:<15}", style="dim")
                text.append(str(value))
    return text


def part_text(fields: dict[str, Any]) -> Text:
    """Return what `symcute doctor` found of one part of the machine.

    >>> part = {"name": "nvcc", "status": "missing", "found": "not on the PATH", "required": False}
    >>> print(part_text({**part, "for": "CuTe on a GPU", "fix": "install the CUDA toolkit"}).plain)
    missing  nvcc             not on the PATH
               for            CuTe on a GPU
               to mend it     install the CUDA toolkit
    """
    status = fields["status"]
    style = {"ok": "green", "broken": "bold red"}.get(status, "yellow")
    text = Text()
    text.append(
        f"{status:<8}", style="bold red" if status != "ok" and fields["required"] else style
    )
    text.append(f" {fields['name']:<16} ")
    text.append(fields["found"])
    if status != "ok":
        for name, value in (("for", fields["for"]), ("to mend it", fields["fix"])):
            text.append(f"\n           {name:<14} ", style="dim")
            text.append(value)
    return text


def kernels_line(results: Sequence[dict[str, Any]], errors: int) -> str:
    """Return a run over kernels in one line.

    >>> kernels_line([{"verdicts": {"aligned": "proved", "in_bounds": "refuted"}}], 0)
    '1 kernel, 2 properties: 1 proved, 1 refuted, 0 unknown'
    """
    every = [v for r in results for v in r["verdicts"].values()]
    shown = [*("proved", "refuted", "unknown"), *({"not applicable"} & {*every})]
    counts = ", ".join(f"{every.count(s)} {s}" for s in shown)
    kernels = f"{len(results)} kernel{'' if len(results) == 1 else 's'}"
    tail = f"; {errors} could not be checked" if errors else ""
    properties = f"{len(every)} propert{'y' if len(every) == 1 else 'ies'}"
    return f"{kernels}, {properties}: {counts}{tail}"


class Ticker:
    """Shows a run as it goes: a bar on standard error, where that is a terminal that can move."""

    def __init__(self, total: int, quiet: bool, what: str = "theorems") -> None:
        self._bar: Progress | None = None
        if quiet or not sys.stderr.isatty() or _dumb(os.environ):
            return
        self._bar = Progress(
            TextColumn(f"[bold]{escape(what)}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            TextColumn("{task.fields[now]}", markup=False),
            console=console(stderr=True),
            transient=True,
        )
        self._task = self._bar.add_task("", total=total, now="")

    def __enter__(self) -> Ticker:
        if self._bar is not None:
            self._bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.stop()

    def step(self, now: str) -> None:
        """Move the bar by one and show `now` beside it."""
        if self._bar is not None:
            self._bar.update(self._task, advance=1, now=now)
