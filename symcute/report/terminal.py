"""Results in the terminal: in colour where that can be shown, through rich, else in plain text.

rich is loaded for a terminal and for colours alone; most commands that others start need neither.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TextIO

from symcute.errors import visible
from symcute.report.table import Grid, picture

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Progress

    from symcute.report.json import Record

__all__ = [
    "Lines",
    "Ticker",
    "bank_table",
    "coloured",
    "conditional",
    "kernel_text",
    "kernels_line",
    "part_text",
    "run_line",
    "seconds_text",
    "summary_line",
    "theorem_table",
    "verdict_text",
    "write",
]

_STYLES = {
    "proved": "green", "refuted": "magenta", "unknown": "yellow", "error": "bold red",
    "not applicable": "dim",
}  # fmt: skip
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


class Lines:
    """Text in pieces, each of which may have a style of rich.

    >>> lines = Lines()
    >>> lines.append("PROVED", "bold green")
    >>> lines.append("  4 == 4")
    >>> lines.plain
    'PROVED  4 == 4'
    """

    def __init__(self) -> None:
        self.pieces: list[tuple[str, str]] = []

    def append(self, text: str, style: str = "") -> None:
        """Add a piece, without the characters that move a terminal's cursor."""
        self.pieces.append((text.translate(_MOVES), style))

    @property
    def plain(self) -> str:
        """The text alone."""
        return "".join(text for text, _ in self.pieces)


#: Bell, backspace, vertical tab, form feed, carriage return.
_MOVES = dict.fromkeys((7, 8, 11, 12, 13))


def write(lines: Lines) -> None:
    """Print lines on standard output, none of them wrapped."""
    if sys.stdout.isatty() or coloured(sys.stdout):
        from rich.text import Text

        _console(sys.stdout).print(Text.assemble(*lines.pieces), soft_wrap=True)
    else:
        print(lines.plain)


def _console(stream: TextIO) -> Console:
    """Return a console: as wide as the terminal, or wide enough for a log file."""
    from rich.console import Console

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


def bank_table(cells: Grid, element_bytes: int) -> Lines:
    """Return the table of offsets with their banks, each bank in its colour.

    Errors: InputError for elements of no byte.

    >>> from symcute.report.table import grid
    >>> print(bank_table(Grid(((0, 33),)), 4).plain.splitlines()[2])
       0 |  0 b0  | 33 b1  |
    """
    from symcute.report.pictures import bank_colour, bank_of
    from symcute.report.svg import text_colour

    shown = Lines()
    rows = iter(cells.rows)
    table = picture(cells, lambda offset: f"{offset} b{bank_of(offset, element_bytes):<2}")
    for k, line in enumerate(table.splitlines()):
        shown.append("\n" if k else "")
        if "|" not in line:
            shown.append(line)
            continue
        edge, *entries, _ = line.split("|")
        shown.append(f"{edge}|")
        for offset, entry in zip(next(rows), entries, strict=True):
            fill = bank_colour(bank_of(offset, element_bytes))
            ink = {"dark": "black", "light": "white"}[text_colour(fill)]
            shown.append(entry, style=f"{ink} on {fill}")
            shown.append("|")
    return shown


def theorem_table(records: Sequence[Record]) -> Lines:
    """Return the table of theorems, with counterexamples and reasons underneath."""
    width = max((len(r["name"]) for r in records), default=0)
    table = Lines()
    table.append(f"{'theorem':<{width}}  {'verdict':<8} {'time':>7}  how", style="bold")
    for r in records:
        table.append(f"\n{r['name']:<{width}}  ")
        table.append(f"{r['status']:<8}", style=_STYLES[r["status"]])
        table.append(f" {seconds_text(r['seconds']):>7}  {r['how'] or _not_decided(r)}")
        if not r["ok"]:
            table.append(f"  EXPECTED {r['expected']}", style="bold red")
        for line in _remarks(r):
            table.append(f"\n    {visible(line)}", style="dim")
    return table


def _not_decided(r: Record) -> str:
    return "could not be run" if r["status"] == "error" else "not decided"


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


def run_line(document: Mapping[str, Any]) -> str:
    """Return when a run was, how long it took, and how much of it was known."""
    started = document["started"].replace("T", " ").replace("+00:00", " UTC")
    cached = document["totals"]["cached"]
    said = [started, seconds_text(document["seconds"]), f"{cached} from the cache" * bool(cached)]
    return " · ".join(x for x in said if x)


def summary_line(totals: dict[str, Any]) -> str:
    """Return the run in one line.

    >>> summary_line({"theorems": 3, "proved": 2, "refuted": 1, "unknown": 0, "as_expected": 3})
    '3 theorems: 2 proved, 1 refuted, 0 unknown; all as expected'
    """
    n, good = totals["theorems"], totals["as_expected"]
    end = "all as expected" if good == n else f"{n - good} not as expected"
    wrong = totals.get("error", 0)
    errors = f", {wrong} error{'' if wrong == 1 else 's'}" if wrong else ""
    if totals.get("cached"):
        end += f", {totals['cached']} from the cache"
    return (
        f"{n} theorem{'' if n == 1 else 's'}: {totals['proved']} proved, "
        f"{totals['refuted']} refuted, {totals['unknown']} unknown{errors}; {end}"
    )


def verdict_text(
    fields: dict[str, Any],
    given: Iterable[str],
    note: str = "",
    quiet: bool = False,
) -> Lines:
    """Return one verdict of `symcute prove` in lines.

    `note` is what the asker may have missed; `quiet` leaves out all but what went wrong.
    """
    word = "VACUOUS" if fields["vacuous"] else str(fields["status"]).upper()
    text = Lines()
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


def conditional(result: Mapping[str, Any], finding: Mapping[str, Any]) -> bool:
    """Return whether a finding is unknown for nothing but that no launch is known.

    >>> conditional({"contract": None}, {"property": "aligned", "status": "unknown"})
    False
    """
    if (result.get("launch") or {}).get("notes"):
        return False  # what goes wrong in a launch that may be so is shown
    verdicts = (result.get("contract") or {}).get("verdicts", {})
    holds = verdicts.get(finding["property"]) in ("proved", "not applicable")
    return bool(holds and finding["status"] == "unknown")


def kernel_text(
    result: dict[str, Any], quiet: bool = False, before: Collection[str] = (), title: str = ""
) -> Lines:
    """Return what `symcute check` found of one kernel, a line a property; details where not proved.

    `quiet` leaves out what is proved or not applicable. Notes that were shown `before`, with
    another program of the same launch, are left out. `title` is a name that may be shorter.
    """
    text = Lines()
    text.append(title or result["kernel"], style="bold")
    text.append(f"  {result['file']}:{result['line']}", style="dim")
    text.append(f"  {seconds_text(result['seconds'])}", style="dim")
    launch = result.get("launch")
    for trouble in launch["troubles"] if launch is not None else ():
        text.append(f"\n  a launch is not understood: {trouble}", style="dim")
    if launch is not None and not launch["troubles"]:
        text.append(f"\n  launched by {launch['host']} at {launch['place']}", style="dim")
        if before:
            text.append(", as above, where", style="dim")
        for note in launch["notes"]:
            if note["text"] in before:
                continue
            text.append(f"\n    {note['text']}")
            text.append(f"  {note['why']}{_elsewhere(note['place'], launch['place'])}", style="dim")
    contract = result.get("contract") or {}
    for given in contract.get("given", ()):
        text.append(f"\n  given {given}")
    known = launch is not None and not launch["troubles"]
    for line in contract.get("lines", ()) if not known else ():
        text.append(f"\n  if {line['text']}")
        text.append(f"  {', '.join(line['properties'])}; {line['known']}", style="dim")
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
        if conditional(result, f) and f["property"] != "launch_valid":
            text.append("  no launch is known; proved where the lines above hold", style="dim")
            continue
        example = f["counterexample"]
        rows = [
            ("where", f"{f['file']}:{f['line']}:{f['column']}"),
            ("and", ((example or {}).get("other") or {}).get("place", "")),
            ("through", "; ".join(f["layouts"])),
            ("counterexample", example["words"] if example else ""),
            ("because", f["reason"] if f["reason"] != f["text"] else ""),
            ("holds if", f["holds_if"]),
        ]
        for name, value in rows:
            if value:
                text.append(f"\n    {name:<15}", style="dim")
                text.append(str(value))
    return text


def _elsewhere(place: str, launch: str) -> str:
    """Return where a note is from, as far as the line of the launch does not say it.

    >>> [_elsewhere(p, "a.py:7:5") for p in ("a.py:7:5", "a.py:3:1", "b.py:3:1")]
    ['', ', line 3', ', b.py:3:1']
    """
    file, line, _ = place.rsplit(":", 2)
    if place == launch:
        return ""
    return f", line {line}" if file == launch.rsplit(":", 2)[0] else f", {place}"


def part_text(fields: dict[str, Any]) -> Lines:
    """Return what `symcute doctor` found of one part of the machine.

    >>> part = {"name": "nvcc", "status": "missing", "found": "not on the PATH", "required": False}
    >>> print(part_text({**part, "for": "CuTe on a GPU", "fix": "install the CUDA toolkit"}).plain)
    missing  nvcc             not on the PATH
               for            CuTe on a GPU
               to fix it      install the CUDA toolkit
    """
    status = fields["status"]
    style = {"ok": "green", "broken": "bold red"}.get(status, "yellow")
    text = Lines()
    text.append(
        f"{status:<8}", style="bold red" if status != "ok" and fields["required"] else style
    )
    text.append(f" {fields['name']:<16} ")
    text.append(fields["found"])
    if status != "ok":
        for name, value in (("for", fields["for"]), ("to fix it", fields["fix"])):
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
        from rich.markup import escape
        from rich.progress import (
            BarColumn,
            MofNCompleteColumn,
            Progress,
            TextColumn,
            TimeElapsedColumn,
        )

        self._bar = Progress(
            TextColumn(f"[bold]{escape(what)}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            TextColumn("{task.fields[now]}", markup=False),
            console=_console(sys.stderr),
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
