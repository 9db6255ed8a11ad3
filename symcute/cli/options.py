"""Options and arguments that several commands share."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from symcute.errors import InputError

__all__ = [
    "batch",
    "cache",
    "cannot_write",
    "given",
    "jobs",
    "json_flag",
    "limit",
    "make_room",
    "memory",
    "no_cache",
    "notice",
    "one_text",
    "only",
    "svg",
    "timeout",
    "write_text",
]

_Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]

given: _Decorator = click.option(
    "--given",
    "-g",
    multiple=True,
    metavar="ASSUMPTION",
    help='What holds of the dims, as "LD >= N" or "M % 128 == 0"; may be repeated.',
)

json_flag: _Decorator = click.option(
    "--json", "as_json", is_flag=True, help="Print one JSON object instead of text."
)

svg: _Decorator = click.option(
    "--svg",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Draw the picture as SVG.",
)

timeout: _Decorator = click.option(
    "--timeout",
    type=click.FloatRange(min=0, min_open=True, max=1e6),
    default=10.0,
    show_default=True,
    metavar="SECONDS",
    help="Time limit of one solver query.",
)

limit: _Decorator = click.option(
    "--limit",
    type=click.FloatRange(min=0, min_open=True, max=1e6),
    metavar="SECONDS",
    help="Time limit of one theorem (default: ten times --timeout).",
)

only: _Decorator = click.option(
    "--only",
    default="",
    metavar="PATTERN",
    help='Take the theorems whose name has this part, or matches it as "coal*".',
)

jobs: _Decorator = click.option(
    "--jobs",
    "-j",
    type=click.IntRange(min=1),
    metavar="N",
    help="Theorems run at the same time (default: the number of CPUs).",
)

memory: _Decorator = click.option(
    "--memory",
    "memory_mb",
    type=click.IntRange(min=1, max=2**30),
    default=2048,
    show_default=True,
    metavar="MB",
    help="Memory that a theorem may take, beside that of the solvers it asks.",
)

cache: _Decorator = click.option(
    "--cache",
    type=click.Path(dir_okay=False, path_type=Path),
    default=Path(".symcute/cache.sqlite"),
    show_default=True,
    envvar="SYMCUTE_CACHE",
    show_envvar=True,
    metavar="FILE",
    help="Where verdicts are kept from run to run.",
)

no_cache: _Decorator = click.option(
    "--no-cache", is_flag=True, help="Decide everything anew, and keep nothing."
)

batch: _Decorator = click.option(
    "--batch",
    "batch_file",
    metavar="FILE",
    help="Read one JSON object a line from FILE (- is standard input), write one a line.",
)


def one_text(text: str | None, batch_file: str | None, name: str) -> str | None:
    """Return the text to work on, or None when a batch is asked for; `-` reads standard input.

    Errors: InputError when both or neither are given, or standard input is no UTF-8 text.
    """
    if (text is None) == (batch_file is None):
        raise InputError(
            f"{name} or --batch FILE is needed, and not both",
            f"give one {name}, or a file of them with --batch",
        )
    if text != "-":
        return text
    try:
        return sys.stdin.buffer.read().decode("utf-8").rstrip("\n")
    except UnicodeDecodeError:
        raise InputError("standard input is no UTF-8 text", "give text in UTF-8") from None


def make_room(path: Path) -> None:
    """Make the folder of a file that is to be written.

    Errors: InputError when the file could not be written there.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("a", encoding="utf-8"):
            pass
    except OSError as error:
        raise cannot_write(path, error) from None


def cannot_write(path: Path, error: OSError) -> InputError:
    """Return the message for a file that could not be written."""
    return InputError(f"cannot write {path}: {error.strerror}", "name another place")


def notice(text: str) -> None:
    """Print a line on standard error that the run goes on after."""
    click.echo(f"symcute: {text}", err=True)


def write_text(path: Path, text: str) -> None:
    """Write a file and the folders above it.

    Errors: InputError when the file cannot be written.
    """
    make_room(path)
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise cannot_write(path, error) from None
