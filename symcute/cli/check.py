"""`symcute check`: the kernels of sources, before they are launched."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from symcute.cli import options
from symcute.cli.completion import architectures, properties
from symcute.cli.failures import (
    BAD_INPUT,
    EXPECTED,
    INTERNAL,
    UNEXPECTED,
    say,
)
from symcute.cli.formats import Formats, formats
from symcute.cli.outcomes import Result, check_all, fault
from symcute.cli.roads import ROADS, contradictions
from symcute.errors import InputError

if TYPE_CHECKING:
    from symcute.kernel.launch.project import Request

__all__ = ["check_command"]


@click.command("check", short_help="Check CUDA C++ kernels for all sizes.")
@click.argument(
    "targets",
    nargs=-1,
    required=True,
    metavar="FILE[::kernel]|DIR...",
    shell_complete=options.paths,
)
@click.option(
    "--launch",
    metavar="LAUNCH",
    help='The launch: "grid=(ceil_div(N,256)) block=(256) shared=BYTES".',
)
@options.given
@click.option("--extent", multiple=True, metavar="x=N", help="The number of elements of an array.")
@click.option("--arg", multiple=True, metavar="n=N", help="The value of an integer parameter.")
@click.option(
    "--contents",
    multiple=True,
    metavar="x=[0,N)",
    help='The range of the integers in an array, or "distinct in [0,N)", "increasing from 0 to T".',
)
@click.option("--align", multiple=True, metavar="x=512", help="The alignment of an array in bytes.")
@click.option(
    "--property",
    "wanted",
    multiple=True,
    metavar="NAME",
    shell_complete=properties,
    help="Decide only this property; may be repeated.",
)
@click.option("--define", "-D", multiple=True, metavar="X=1", help="Define a macro.")
@click.option("--include", "-I", multiple=True, metavar="DIR", help="Look for headers in DIR.")
@click.option(
    "--template", multiple=True, metavar="T=float", help="The argument of a template parameter."
)
@click.option(
    "--road",
    type=click.Choice(ROADS),
    help="How CUDA C++ is read: clang's syntax tree, its LLVM IR, or each beside the other "
    "(default: the syntax tree; where clang is there, LLVM for files that include CuTe, and for "
    "what the tree leaves open of templates).",
)
@click.option(
    "--cost",
    "limit",
    multiple=True,
    metavar='"x <= 4"',
    help="The most that a request may cost: bank conflicts, or sectors of global memory.",
)
@click.option(
    "--arch",
    metavar="ARCH",
    shell_complete=architectures,
    help="The architecture, such as sm80: __CUDA_ARCH__, and limits of a launch (default: sm90).",
)
@click.option(
    "--same-value", is_flag=True, help="Allow threads to write the same value to one place."
)
@click.option(
    "--certificates",
    is_flag=True,
    help="Write the proofs beside the sources, to FILE.certificates.jsonl.",
)
@click.option(
    "--init",
    is_flag=True,
    help="Check nothing; print the launches found in host code as comments to paste.",
)
@click.option(
    "--contract/--no-contract",
    default=None,
    help="Look longer, or not at all, for conditions under which kernels are right of which no "
    "launch is known.",
)
@options.jobs
@options.memory
@options.cache
@options.no_cache
@click.option(
    "--timeout",
    type=options.seconds,
    default=120,
    show_default=True,
    metavar="SECONDS",
    help="Time limit of one kernel; what is not decided by then is unknown.",
)
@click.option(
    "--work",
    type=click.IntRange(min=1),
    default=25_000,
    show_default=True,
    metavar="UNITS",
    help="Work limit of one kernel; a unit takes about a millisecond.",
)
@options.json_flag
@options.html("Write a page: kernels worst first, the places in their sources.")
@formats
@options.quiet
def check_command(
    targets: tuple[str, ...],
    launch: str | None,
    given: tuple[str, ...],
    extent: tuple[str, ...],
    arg: tuple[str, ...],
    contents: tuple[str, ...],
    align: tuple[str, ...],
    wanted: tuple[str, ...],
    define: tuple[str, ...],
    include: tuple[str, ...],
    template: tuple[str, ...],
    road: str | None,
    limit: tuple[str, ...],
    arch: str | None,
    same_value: bool,
    certificates: bool,
    init: bool,
    contract: bool | None,
    jobs: int | None,
    memory_mb: int,
    cache: Path | None,
    no_cache: bool,
    timeout: float,
    work: int,
    as_json: bool,
    html_file: Path | None,
    formats: Formats,
    quiet: bool,
) -> int:
    """Decide whether the accesses of every thread are right, for all sizes of a launch at once.

    How a kernel is launched, and how large its arrays are, is said in `// symcute:` comments above
    it, in a symcute.toml, or by options. Without any of these it is read from the host code in the
    same file; without that, conditions are given under which the kernel is right.

    \b
    symcute check saxpy.cu --property in_bounds
    symcute check saxpy.cu --init
    symcute check saxpy.cu::saxpy --launch "grid=(ceil_div(n,256)) block=256" \\
        --extent x=n --extent y=n --given "n <= 2**30"
    symcute check saxpy.cu --contract
    symcute check kernels/ --jobs 4 --html kernels.html --sarif symcute.sarif

    Every kernel is asked for launch_valid, in_bounds, no_overflow, aligned, write_race_free,
    read_write_race_free and barrier_uniform. covers and implements are asked for by comments;
    bank_conflicts and sectors by --property, --cost or comments.

    A counterexample is an execution with the arithmetic of the machine. Verdicts are kept in a
    cache; they are used again while the kernel, the question and symcute are the same.

    Exit codes: 0 everything proved or not applicable, 1 something refuted or unknown, 2 bad input,
    3 internal error.
    """
    from symcute.kernel.findings import KNOWN, LAYOUT_WORDS, PROPERTIES, WORDS
    from symcute.kernel.launch.project import Request
    from symcute.report.cases import kernel_run
    from symcute.report.programs import joined, printer
    from symcute.run.kernels import KernelCache

    for name in wanted:
        if name not in KNOWN:
            raise InputError(f"there is no property {name!r}", f"known are {', '.join(KNOWN)}")
    request = Request(
        launch,
        given,
        _bindings("--arg", arg),
        _bindings("--extent", extent),
        _bindings("--contents", contents),
        _bindings("--align", align),
        _bindings("--template", template),
        _bindings("--define", define, default="1"),
        include,
        wanted or PROPERTIES,
        arch,
        timeout,
        same_value,
        limit,
        certificates,
        work,
        "long" if contract else "no" if init or contract is False else "quick",
        road="ast" if road == "both" else road or "",
    )
    if init:
        for target in targets:
            _show_notes(target, request)
        return EXPECTED
    silent = as_json or formats.take_stdout
    stored = KernelCache(None if no_cache else cache, options.notice)
    pages = () if html_file is None else (html_file,)
    with formats.reporting("check", as_json, pages), stored as shelf:
        results, errors = check_all(
            targets, request, shelf, jobs, memory_mb, None if silent else printer(quiet)
        )
        if road == "both":
            other = replace(request, road="llvm")
            more, faults = check_all(targets, other, shelf, jobs, memory_mb, None)
            errors += faults
            for where, error in contradictions(results, more):
                say(error)
                errors.append(fault(error, where))
    if certificates:
        _write_certificates(results)
    words = {**WORDS, **LAYOUT_WORDS}
    formats.write(kernel_run(results, errors, words))
    if html_file is not None:
        from symcute.report.kernels import kernels_page

        options.write_text(html_file, kernels_page(results, errors, words))
    if as_json:
        options.print_json("check", {"kernels": results, "errors": errors})
    elif not silent:
        from symcute.report.terminal import kernels_line

        for line in joined(results):
            click.echo(line)
        click.echo(kernels_line(results, len(errors)))
    return _code(results, errors)


def _show_notes(target: str, request: Request) -> None:
    """Print what was found of the launches of kernels, as comments."""
    from symcute.kernel.launch.project import Trouble, contract_of, tasks
    from symcute.report.programs import titles

    title = titles()
    for task in tasks(target, request):
        if isinstance(task, Trouble):
            say(task.error)
            continue
        if not task.has_program:
            continue  # host code of its own, in which there is nothing to be found
        family, found = task.family, contract_of(task)
        click.echo(f"// {title(task.kernel.name)}, {task.kernel.place}")
        for line in found.comment() if found is not None else ():
            click.echo(line)
        if family is None and found is None:
            click.echo("//   no launch was found beside what is written")
        for trouble in task.troubles:
            click.echo(f"//   {trouble}")
        for note in family.notes if family is not None else ():
            click.echo(f"// symcute: {note.text}")
            click.echo(f"//   {note.why}, {note.place}")


def _write_certificates(results: Sequence[Result]) -> None:
    """Write the certificates of each source beside it, for `symcute recheck`."""
    from symcute.report.certificates import SUFFIX

    texts: dict[Path, list[str]] = {}
    for result in results:
        lines = texts.setdefault(Path(result["file"]).with_suffix(SUFFIX), [])
        lines += [
            json.dumps(line, separators=(",", ":"))
            for f in result["findings"]
            for line in f["certificates"]
        ]
    for path, lines in texts.items():
        if lines:
            options.write_text(path, "\n".join(lines) + "\n")
        else:
            path.unlink(missing_ok=True)


def _bindings(option: str, texts: tuple[str, ...], default: str | None = None) -> dict[str, str]:
    found = {}
    for text in texts:
        name, sign, value = text.partition("=")
        if not sign and default is None:
            raise InputError(f"{option} {text!r} binds nothing", f"write {option} NAME=VALUE")
        found[name.strip()] = value.strip() if sign else str(default)
    return found


def _code(results: Sequence[Result], errors: Sequence[Result]) -> int:
    if any(e["internal"] for e in errors):
        return INTERNAL
    if errors:
        return BAD_INPUT
    from symcute.kernel.findings import GOOD

    good = all(v in GOOD for r in results for v in r["verdicts"].values())
    return EXPECTED if good else UNEXPECTED
