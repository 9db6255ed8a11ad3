"""What `verify` and `check` write for other programs and people: JUnit XML, SARIF, Markdown."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
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

__all__ = ["Formats", "formats"]

_STANDARD_OUTPUT = Path("-")
_OPTIONS = {
    "junit": "Write JUnit XML, which every CI reads.",
    "sarif": "Write what is wrong or not decided as SARIF 2.1.0, for code scanning and editors.",
    "markdown": "Write a summary as Markdown, for a pull request or the summary of a CI job.",
}


@dataclass(frozen=True)
class Formats:
    """The files that are asked for."""

    junit: Path | None = None
    sarif: Path | None = None
    markdown: Path | None = None

    @property
    def named(self) -> list[Path]:
        """The files, without the formats that are not asked for."""
        return [path for path in (self.junit, self.sarif, self.markdown) if path is not None]

    @property
    def take_stdout(self) -> bool:
        """Whether one of them goes to standard output, which then has nothing else."""
        return _STANDARD_OUTPUT in self.named

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
            if self.named:
                self.write(_failed(command, error))
            raise

    def write(self, run: Run) -> None:
        """Write them.

        Errors: InputError when one cannot be written.
        """
        if self.junit is not None:
            from symcute.report.junit import junit_text

            options.write_text(self.junit, junit_text(run))
        if self.sarif is not None:
            from symcute.report.sarif import sarif_log

            log = json.dumps(sarif_log(run), indent=1, ensure_ascii=False)
            options.write_text(self.sarif, f"{log}\n")
        if self.markdown is not None:
            from symcute.report.markdown import markdown_text

            options.write_text(self.markdown, markdown_text(run))

    def _make_room(self, as_json: bool, others: Iterable[Path]) -> None:
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
    """Give a command the options --junit, --sarif and --markdown, as its parameter `formats`."""

    @wraps(command)
    def gathered(*args: Any, **fields: Any) -> Any:
        chosen = Formats(**{name: fields.pop(name) for name in _OPTIONS})
        return command(*args, formats=chosen, **fields)

    for name, text in reversed(_OPTIONS.items()):
        gathered = click.option(
            f"--{name}", name, type=options.out_file(), metavar="FILE", help=text
        )(gathered)
    return gathered


def _failed(command: str, error: BaseException) -> Run:
    """Return the run that ended before anything could be said of theorems or kernels."""
    from symcute.report.cases import Run, failure

    if isinstance(error, SymcuteError):
        told = error
    elif isinstance(error, Exception):
        told = internal_error(error)
    else:
        told = SymcuteError("interrupted", "")
    unit = {"verify": "theorem", "check": "property"}[command]
    errors = (failure(told.what, told.fix),)
    return Run(command, unit, "Nothing was decided.", (), errors, {})
