"""What `verify`, `check` and `prove` write for other programs: lines, JUnit, SARIF, Markdown."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from symcute.cli import options
from symcute.cli.failures import internal_error
from symcute.errors import InputError, SymcuteError

if TYPE_CHECKING:
    from symcute.report.cases import Run

__all__ = ["Formats", "formats", "output_format"]

_STANDARD_OUTPUT = Path("-")
_OPTIONS = {
    "junit": "Write JUnit XML, which every CI reads.",
    "sarif": "Write what is wrong or not decided as SARIF 2.1.0, for code scanning and editors.",
    "markdown": "Write a summary as Markdown, for a pull request or the summary of a CI job.",
}


#: What standard output may be.
_OUTPUTS = ("text", "concise", "github", "json", "sarif")


@dataclass(frozen=True)
class Formats:
    """The files that are asked for, and what standard output is to be."""

    junit: Path | None = None
    sarif: Path | None = None
    markdown: Path | None = None
    output: str = "text"

    @property
    def named(self) -> list[Path]:
        """The files, without the formats that are not asked for."""
        return [path for path in (self.junit, self.sarif, self.markdown) if path is not None]

    @property
    def take_stdout(self) -> bool:
        """Whether one of them goes to standard output, which then has nothing else."""
        return _STANDARD_OUTPUT in self.named or self.output not in ("text", "json")

    @contextmanager
    def reporting(
        self, command: str, as_json: bool = False, others: Iterable[Path] = ()
    ) -> Iterator[None]:
        """Write them also when the block fails: a CI that reads them learns that it did.

        Errors: InputError, before the block runs, when one could not be written; `as_json` says
        that standard output is taken, `others` which files are.
        """
        self._make_room(as_json, others)
        try:
            yield
        except BaseException as error:
            if self.named or self.take_stdout:
                self.write(_failed(command, error))
            raise

    def write(self, run: Run) -> None:
        """Write them.

        Errors: InputError when one cannot be written.
        """
        if self.junit is not None:
            from symcute.report.junit import junit_text

            options.write_text(self.junit, junit_text(run))
        for path in (self.sarif, _STANDARD_OUTPUT if self.output == "sarif" else None):
            if path is not None:
                from symcute.report.sarif import sarif_log

                log = json.dumps(sarif_log(run), indent=1, ensure_ascii=False)
                options.write_text(path, f"{log}\n")
        if self.output in ("concise", "github"):
            from symcute.report.lines import concise_text, github_text

            text = concise_text if self.output == "concise" else github_text
            options.write_text(_STANDARD_OUTPUT, f"{text(run)}\n")
        if self.markdown is not None:
            from symcute.report.markdown import markdown_text

            options.write_text(self.markdown, markdown_text(run))

    def _make_room(self, as_json: bool, others: Iterable[Path]) -> None:
        own = self.output not in ("text", "json")
        if own and (as_json or _STANDARD_OUTPUT in self.named):
            raise InputError(
                f"--output-format {self.output} and another format both take standard output",
                "name a file for the other",
            )
        if as_json and self.take_stdout:
            raise InputError(
                "--json and a FILE called - both take standard output", "name the file"
            )
        taken = {path.resolve() for path in others}
        if len(taken.union(path.resolve() for path in self.named)) < len(taken) + len(self.named):
            raise InputError("two formats have the same FILE", "give each a file of its own")
        for path in self.named:
            if path != _STANDARD_OUTPUT:
                options.make_room(path)


def formats(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command --output-format and options for files, as its parameter `formats`."""
    return _gathering(command, _OPTIONS)


def output_format(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command --output-format alone, as its parameter `formats`."""
    return _gathering(command, {})


def _gathering(command: Callable[..., Any], files: dict[str, str]) -> Callable[..., Any]:
    @wraps(command)
    def gathered(*args: Any, **fields: Any) -> Any:
        chosen = Formats(
            **{name: fields.pop(name) for name in files}, output=fields.pop("output_format")
        )
        if chosen.output == "json":
            fields |= {"as_json": True} if "as_json" in fields else _to_stdout(fields)
        return command(*args, formats=chosen, **fields)

    gathered = click.option(
        "--output-format",
        type=click.Choice(_OUTPUTS),
        default="text",
        show_default=True,
        help="What to print: concise is FILE:LINE:COLUMN: error: TEXT, github shows beside lines.",
    )(gathered)
    for name, text in reversed(files.items()):
        gathered = click.option(
            f"--{name}", name, type=options.out_file(), metavar="FILE", help=text
        )(gathered)
    return gathered


def _to_stdout(fields: Mapping[str, Any]) -> dict[str, Path]:
    """Return the --json of `verify` that prints. Errors: InputError when it names a file."""
    if fields["json_file"] not in (None, _STANDARD_OUTPUT):
        raise InputError("--output-format json and --json FILE", "leave out one of them")
    return {"json_file": _STANDARD_OUTPUT}


def _failed(command: str, error: BaseException) -> Run:
    """Return the run that ended before anything could be said of theorems or kernels."""
    from symcute.report.cases import Run, failure

    if isinstance(error, SymcuteError):
        told = error
    elif isinstance(error, Exception):
        told = internal_error(error)
    else:
        told = SymcuteError("interrupted", "")
    unit = {"verify": "theorem", "check": "property", "prove": "claim"}[command]
    errors = (failure(told.what, told.fix),)
    return Run(command, unit, "Nothing was decided.", (), errors, {})
