"""`symcute verify`: the main job. Runs theorem files and reports."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from symcute.cli import options
from symcute.cli.failures import BAD_INPUT, EXPECTED, INTERRUPTED, UNEXPECTED
from symcute.cli.formats import Formats, formats
from symcute.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Generator

    from symcute.prover.theorems import Theorem
    from symcute.report.json import Record
    from symcute.run.results import ResultCache
    from symcute.run.workers import WorkerPool

__all__ = ["verify_command"]

_ALWAYS = 2  # files that every run writes, without a word: the report as JSON and as a page
_SCREEN = 20  # theorems of which the table can be seen at once


@click.command(
    "verify", cls=options.JsonWithoutFile, short_help="Run theorem files and write a report."
)
@click.argument("paths", nargs=-1, required=True, metavar="PATH...", shell_complete=options.paths)
@options.only
@options.timeout
@options.limit
@options.jobs
@options.memory
@options.cache
@options.no_cache
@click.option(
    "--executor",
    default="",
    metavar="ADDRESS",
    help="Run on the workers of a dask scheduler, tcp://host:port.",
)
@click.option(
    "--out",
    type=options.out_folder,
    default=Path("reports/latest"),
    show_default=True,
    metavar="DIR",
    help="The folder for report.html and report.json.",
)
@click.option(
    "--json",
    "json_file",
    type=options.out_file(".json"),
    metavar="[FILE]",
    help="Print one JSON object instead of text; with FILE, write it there as well.",
)
@options.html("Write the page to FILE as well.")
@click.option(
    "--evidence",
    type=options.out_folder,
    default=Path("reports/gpu"),
    show_default=True,
    metavar="DIR",
    help="The folder with evidence from `symcute gpu`, to show on the page.",
)
@click.option(
    "--certificates",
    is_flag=True,
    help="Write the proofs beside the theorem files, to FILE.certificates.jsonl.",
)
@formats
@options.quiet
def verify_command(
    paths: tuple[str, ...],
    only: str,
    timeout: float,
    limit: float | None,
    jobs: int | None,
    memory_mb: int,
    cache: Path | None,
    no_cache: bool,
    executor: str,
    out: Path,
    json_file: Path | None,
    html_file: Path | None,
    evidence: Path,
    certificates: bool,
    formats: Formats,
    quiet: bool,
) -> int:
    """Run the theorems in the files and folders PATH..., print a table, and write a report.

    A theorem file is Python with functions marked @theorem(), each of which says which verdict it
    expects. Verdicts are kept in a cache; they are used again while the claim, its assumptions and
    symcute are the same.

    \b
    symcute verify proofs/
    symcute verify proofs/notes --only "note_3*" --timeout 30
    symcute verify mine.py --out report --quiet --no-cache
    symcute verify proofs/ --junit junit.xml --sarif symcute.sarif --markdown summary.md
    symcute verify proofs/ --executor tcp://10.0.0.1:8786

    Exit codes: 0 every verdict is the one expected, 1 some is not, 2 bad input or a theorem that
    could not be read, 3 internal error, 130 interrupted (what was finished is written).
    """
    from symcute.prover.theorems import find
    from symcute.report.cases import theorem_run
    from symcute.run.results import ResultCache
    from symcute.run.runner import results

    if certificates and only:
        raise InputError(
            "--certificates with --only",
            "leave out --only: certificates are written for whole files",
        )
    as_json = json_file is not None and str(json_file) == "-"
    targets = _targets(out, None if as_json else json_file, html_file)
    with ResultCache(None if no_cache else cache, options.notice) as shelf:
        with formats.reporting("verify", as_json, targets):
            theorems = find(paths, only, shelf.load)
            with _crew(executor) as crew:
                stream = results(
                    theorems,
                    crew=crew,
                    timeout=timeout,
                    limit=limit,
                    jobs=jobs,
                    memory_mb=memory_mb,
                    shelf=shelf,
                )
                document = _run(theorems, stream, quiet)
        try:
            if certificates and document["finished"]:
                _write_certificates(document)  # first: the page links to them
            formats.write(theorem_run(document))
            _write(document, targets, evidence, shelf)
        finally:
            # What was found is shown also when the disk is full.
            if not as_json and not formats.take_stdout:
                _tell(document, out, quiet)
    if as_json:
        click.echo(json.dumps(document))
    if not document["finished"]:
        return INTERRUPTED
    totals = document["totals"]
    if totals["error"]:
        return BAD_INPUT
    return EXPECTED if totals["as_expected"] == totals["theorems"] else UNEXPECTED


def _targets(out: Path, json_file: Path | None, html_file: Path | None) -> list[Path]:
    """Return the files to write, and fail now rather than after the run when one cannot be."""
    targets = [out / "report.json", out / "report.html"]
    if json_file is not None:
        targets.append(json_file)
    if html_file is not None:
        targets.append(html_file)
    for target in targets:
        options.make_room(target)
    return targets


@contextmanager
def _crew(address: str) -> Iterator[WorkerPool | None]:
    """Connect to a cluster, if there is an address."""
    if not address:
        yield None
        return
    from symcute.run.cluster import dask_crew

    with dask_crew(address) as crew:
        yield crew


def _run(theorems: list[Theorem[Any]], results: Generator[Record], quiet: bool) -> dict[str, Any]:
    """Take the results and return the document; on Ctrl-C with those that were finished."""
    from datetime import UTC, datetime

    from symcute.report.json import document
    from symcute.report.terminal import Ticker

    started = datetime.now(UTC).isoformat(timespec="seconds")
    clock = time.perf_counter()
    done: dict[str, Record] = {}
    finished = True
    try:
        with Ticker(len(theorems), quiet) as ticker, closing(results):
            for result in results:
                done[result["name"]] = result
                ticker.step(result["name"])
    except KeyboardInterrupt:
        finished = False
    return document(
        [done[t.name] for t in theorems if t.name in done],
        started=started,
        seconds=time.perf_counter() - clock,
        finished=finished,
    )


def _write(
    document: dict[str, Any], targets: list[Path], evidence: Path, shelf: ResultCache
) -> None:
    from symcute.report.json import write_document
    from symcute.report.pages import write_page

    machines = evidence if evidence.exists() else None
    for path in targets:
        try:
            if path.suffix == ".json":
                write_document(path, document)
            else:
                write_page(path, document, machines, partial(shelf.text, str(path.resolve())))
        except OSError as error:
            raise options.cannot_write(path, error) from None
    for path in targets[_ALWAYS:]:
        options.wrote(path)


def _write_certificates(document: dict[str, Any]) -> None:
    from symcute.report.certificates import write_certificates

    try:
        written = write_certificates(document["theorems"])
    except OSError as error:
        path = error.filename or "the certificates"
        raise options.cannot_write(Path(path), error) from None
    files = f"{len(written)} file{'' if len(written) == 1 else 's'}"
    options.notice(f"wrote the certificates of {files}, to check with symcute recheck")


def _tell(document: dict[str, Any], out: Path, quiet: bool) -> None:
    from symcute.report.terminal import Lines, seconds_text, summary_line, theorem_table, write

    surprises = [r for r in document["theorems"] if not r["ok"]]
    shown = surprises if quiet else document["theorems"]
    if shown:
        write(theorem_table(shown))
        click.echo()
    if surprises and len(shown) > max(len(surprises), _SCREEN):
        # At the end as well, where the rest of the table does not hide them.
        heading = Lines()
        heading.append("not as expected:", "bold red")
        write(heading)
        write(theorem_table(surprises))
        click.echo()
    if not document["finished"]:
        click.echo("interrupted: what follows is what was finished")
    click.echo(f"{summary_line(document['totals'])}, in {seconds_text(document['seconds'])}")
    click.echo(f"report: {out / 'report.html'}")
