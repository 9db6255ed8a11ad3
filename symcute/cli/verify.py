"""`symcute verify`: the main job. Runs theorem files and reports."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from symcute.cli import options
from symcute.cli.failures import EXPECTED, INTERRUPTED, UNEXPECTED
from symcute.errors import InputError

if TYPE_CHECKING:
    from symcute.report.json import Record
    from symcute.theorems import Theorem

__all__ = ["verify_command"]

_FILE = click.Path(dir_okay=False, path_type=Path)
_FOLDER = click.Path(file_okay=False, path_type=Path)


@click.command("verify", short_help="Run theorem files and write the report.")
@click.argument("paths", nargs=-1, required=True, metavar="PATH...")
@options.only
@options.timeout
@click.option(
    "--jobs",
    "-j",
    type=click.IntRange(min=1),
    metavar="N",
    help="Theorems run at the same time (default: the number of CPUs).",
)
@click.option(
    "--out",
    type=_FOLDER,
    default=Path("reports/latest"),
    show_default=True,
    metavar="DIR",
    help="Where report.html and report.json go.",
)
@click.option("--json", "json_file", type=_FILE, metavar="FILE", help="Write the JSON here too.")
@click.option("--html", "html_file", type=_FILE, metavar="FILE", help="Write the page here too.")
@click.option(
    "--evidence",
    type=_FOLDER,
    default=Path("reports/gpu"),
    show_default=True,
    metavar="DIR",
    help="Where the evidence of `symcute gpu` lies, for the page to show.",
)
@click.option("--quiet", "-q", is_flag=True, help="Print the summary and what went wrong only.")
def verify_command(
    paths: tuple[str, ...],
    only: str,
    timeout: float,
    jobs: int | None,
    out: Path,
    json_file: Path | None,
    html_file: Path | None,
    evidence: Path,
    quiet: bool,
) -> int:
    """Run the theorems in the files and folders PATH..., print a table, write a report.

    A theorem file is Python that uses symcute's public names and marks functions with @theorem;
    each theorem says which verdict it expects.

    \b
    symcute verify proofs/
    symcute verify proofs/notes --only "coalesce*" --timeout 30
    symcute verify mine.py --out /tmp/report --quiet

    Exit codes: 0 every verdict is the one expected, 1 some is not, 2 bad input, 3 internal error,
    130 interrupted (what was finished is written).
    """
    from symcute.cli.runner import cpus
    from symcute.theorems import find

    theorems = find(paths, only)
    targets = _targets(out, json_file, html_file)
    document = _run(paths, theorems, timeout, jobs or cpus(), quiet)
    _write(document, targets, evidence)
    _tell(document, out, quiet)
    if not document["finished"]:
        return INTERRUPTED
    totals = document["totals"]
    return EXPECTED if totals["as_expected"] == totals["theorems"] else UNEXPECTED


def _targets(out: Path, json_file: Path | None, html_file: Path | None) -> list[Path]:
    """Return the files to write, and fail now rather than after the run when one cannot be."""
    for path, kind in ((json_file, ".json"), (html_file, ".html")):
        if path is not None and path.suffix != kind:
            raise InputError(f"{path} does not end in {kind}", f"name it {path.stem}{kind}")
    targets = [out / "report.json", out / "report.html"]
    if json_file is not None:
        targets.append(json_file)
    if html_file is not None:
        targets.append(html_file)
    for target in targets:
        options.make_room(target)
    return targets


def _run(
    paths: tuple[str, ...], theorems: list[Theorem], timeout: float, jobs: int, quiet: bool
) -> dict[str, Any]:
    """Run the theorems and return the document; on Ctrl-C with those that were finished."""
    from datetime import UTC, datetime

    from symcute.cli.runner import results
    from symcute.report.json import document
    from symcute.report.terminal import Ticker

    started = datetime.now(UTC).isoformat(timespec="seconds")
    clock = time.perf_counter()
    done: dict[str, Record] = {}
    finished = True
    try:
        with Ticker(len(theorems), quiet) as ticker:
            for result in results(paths, theorems, timeout, jobs):
                done[result["name"]] = result
                ticker.finished(result)
    except KeyboardInterrupt:
        finished = False
    return document(
        [done[t.name] for t in theorems if t.name in done],
        started=started,
        seconds=time.perf_counter() - clock,
        finished=finished,
    )


def _write(document: dict[str, Any], targets: list[Path], evidence: Path) -> None:
    from symcute.report.html import write_page
    from symcute.report.json import write_document

    for path in targets:
        if path.suffix == ".json":
            write_document(path, document)
        else:
            write_page(path, document, evidence)


def _tell(document: dict[str, Any], out: Path, quiet: bool) -> None:
    from symcute.report.terminal import console, seconds_text, summary_line, theorem_table

    shown = [r for r in document["theorems"] if not (quiet and r["ok"])]
    screen = console()
    if shown:
        screen.print(theorem_table(shown), soft_wrap=True)
        screen.print()
    if not document["finished"]:
        click.echo("interrupted: what follows is what was finished")
    click.echo(f"{summary_line(document['totals'])}, in {seconds_text(document['seconds'])}")
    click.echo(f"report: {out / 'report.html'}")
