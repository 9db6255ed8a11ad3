"""Options and arguments that several commands share."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from symcute.errors import InputError

__all__ = ["batch", "given", "json_flag", "make_room", "one_text", "only", "timeout", "write_text"]

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

timeout: _Decorator = click.option(
    "--timeout",
    type=click.FloatRange(min=0, min_open=True, max=1e6),
    default=10.0,
    show_default=True,
    metavar="SECONDS",
    help="Time limit of one solver query.",
)

only: _Decorator = click.option(
    "--only",
    default="",
    metavar="PATTERN",
    help='Take the theorems whose name has this part, or matches it as "coal*".',
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
        raise InputError(f"cannot write {path}: {error.strerror}", "name another place") from None


def write_text(path: Path, text: str) -> None:
    """Write a file and the folders above it.

    Errors: InputError when the file cannot be written.
    """
    make_room(path)
    path.write_text(text, encoding="utf-8")
