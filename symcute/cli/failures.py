"""The one place where a failure becomes a message and an exit code."""

from __future__ import annotations

import json
import os
import sys
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import click

from symcute.errors import InputError, SymcuteError, TextError

__all__ = [
    "BAD_INPUT",
    "EXPECTED",
    "INTERNAL",
    "INTERRUPTED",
    "UNEXPECTED",
    "also_as_json",
    "as_json",
    "debugging",
    "exit_code",
    "guarded",
    "internal_error",
    "lenient_output",
    "say",
]

EXPECTED = 0  # all as expected
UNEXPECTED = 1  # some claim refuted or undecided
BAD_INPUT = 2
INTERNAL = 3
INTERRUPTED = 130  # as shells have it: 128 + SIGINT
_PIPE_CLOSED = 141  # 128 + SIGPIPE


def guarded(run: Callable[[], object]) -> int:
    """Run a command and return its exit code; a failure is told on standard error."""
    try:
        code = run()
        sys.stdout.flush()
        return code if isinstance(code, int) else EXPECTED
    except BrokenPipeError:
        # The reader has gone (`symcute ... | head`): no message, and none at exit either.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return _PIPE_CLOSED
    except (KeyboardInterrupt, click.Abort):
        click.echo("symcute: interrupted", err=True)
        return INTERRUPTED
    except click.ClickException as error:
        say(_from_click(error))
        return BAD_INPUT
    except SymcuteError as error:
        say(error)
        return exit_code(error)
    except Exception as error:
        say(internal_error(error))
        return INTERNAL


def lenient_output() -> None:
    """Let a terminal that cannot show a character show its escape instead."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace")


def say(error: SymcuteError) -> None:
    """Print what went wrong, the place in the text, and what to do, on standard error."""
    click.echo(f"symcute: {error.what}", err=True)
    if isinstance(error, TextError):
        click.echo(error.picture(), err=True)
    if error.fix:
        click.echo(error.fix, err=True)


@contextmanager
def also_as_json(wanted: bool) -> Iterator[None]:
    """Print an error of the block as a JSON object on standard output too, if that is wanted."""
    try:
        yield
    except SymcuteError as error:
        if wanted:
            click.echo(json.dumps({"error": as_json(error)}))
        raise


def as_json(error: SymcuteError) -> dict[str, object]:
    """Return the error as the JSON output shows it; `position` counts characters from 0.

    >>> as_json(TextError("expected a number", "(4,", 3))
    {'what': 'expected a number at column 4', 'fix': '', 'position': 3}
    """
    told: dict[str, object] = {"what": error.what, "fix": error.fix}
    if isinstance(error, TextError):
        told["position"] = error.position
    return told


def exit_code(error: SymcuteError) -> int:
    """Return 2 for bad input, 1 when something could not be decided.

    >>> exit_code(InputError("no such file"))
    2
    """
    return BAD_INPUT if isinstance(error, InputError) else UNEXPECTED


def internal_error(error: Exception) -> SymcuteError:
    """Return the message for an exception nobody expected; SYMCUTE_DEBUG=1 adds the traceback.

    >>> print(internal_error(KeyError("x")).what)
    internal error: KeyError: 'x'
    """
    if debugging():
        traceback.print_exception(error)
    detail = str(error).partition("\n")[0][:200]
    return SymcuteError(
        f"internal error: {type(error).__name__}{': ' if detail else ''}{detail}",
        "this is a defect of symcute: please report the command together with the traceback "
        "that SYMCUTE_DEBUG=1 shows",
    )


def debugging() -> bool:
    """Return whether tracebacks are asked for by SYMCUTE_DEBUG=1."""
    return os.environ.get("SYMCUTE_DEBUG", "") not in ("", "0")


def _from_click(error: click.ClickException) -> SymcuteError:
    message = error.format_message()
    context = getattr(error, "ctx", None)
    path = context.command_path if context is not None else "symcute"
    return InputError(message[:1].lower() + message[1:].rstrip("."), f"see: {path} --help")
