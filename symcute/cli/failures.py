"""The one place where a failure becomes a message and an exit code."""

from __future__ import annotations

import errno
import json
import os
import sys
import traceback
from collections.abc import Callable, Mapping
from typing import Any, TypeGuard

import click

from symcute.errors import (
    InputError,
    InternalError,
    SymcuteError,
    TextError,
    caret,
    missing,
    visible,
)

__all__ = [
    "BAD_INPUT",
    "EXPECTED",
    "INTERNAL",
    "INTERRUPTED",
    "UNEXPECTED",
    "debugging",
    "error_fields",
    "exit_code",
    "guarded",
    "internal_error",
    "lenient_output",
    "say",
    "say_fields",
    "standard_streams",
]

EXPECTED = 0  # all as expected
UNEXPECTED = 1  # some claim refuted or undecided
BAD_INPUT = 2
INTERNAL = 3
INTERRUPTED = 130  # as shells have it: 128 + SIGINT
_PIPE_CLOSED = 141  # 128 + SIGPIPE


def guarded(run: Callable[[], object], as_json: bool = False) -> int:
    """Run a command and return its exit code; a failure is told on standard error.

    Where the command was to print JSON, standard output gets the failure as JSON.
    """
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
        return _told(_from_click(error), BAD_INPUT, as_json)
    except SymcuteError as error:
        return _told(error, exit_code(error), as_json)
    except Exception as error:
        if isinstance(error, ModuleNotFoundError) and (told := missing(error.name, "this command")):
            return _told(told, BAD_INPUT, as_json)
        if _output_failed(error):
            os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
            full = InputError(f"cannot write the output: {error.strerror}", "send it elsewhere")
            return _told(full, BAD_INPUT, as_json=False)
        return _told(internal_error(error), INTERNAL, as_json)


def _told(error: SymcuteError, code: int, as_json: bool) -> int:
    say(error)
    if as_json:
        from symcute.schemas import stamped

        click.echo(json.dumps(stamped("error", {"error": error_fields(error)})))
    return code


def _output_failed(error: Exception) -> TypeGuard[OSError]:
    """Return whether standard output takes no more: a disk is full, a device has gone."""
    full = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EBADF)
    return isinstance(error, OSError) and error.filename is None and error.errno in full


def standard_streams() -> None:
    """Open what the shell closed (`>&-`), so that no other file takes its place."""
    for descriptor in range(3):
        try:
            os.fstat(descriptor)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # takes the lowest that is free: this one
    sys.stdin = sys.stdin or os.fdopen(0, encoding="utf-8")
    sys.stdout = sys.stdout or os.fdopen(1, "w", encoding="utf-8")
    sys.stderr = sys.stderr or os.fdopen(2, "w", encoding="utf-8")


def lenient_output() -> None:
    """Let a terminal that cannot show a character show its escape instead."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace")


def say(error: SymcuteError) -> None:
    """Print what went wrong, the place in the text, and what to do, on standard error."""
    say_fields(error_fields(error))


def say_fields(told: Mapping[str, Any]) -> None:
    """Print what `error_fields` made of an error."""
    click.echo(f"symcute: {visible(told['what'])}", err=True)
    if "text" in told:
        click.echo(visible(caret(told["text"], told["position"])), err=True)
    if told["fix"]:
        click.echo(visible(told["fix"]), err=True)


def error_fields(error: SymcuteError) -> dict[str, object]:
    """Return the error as the JSON output shows it; `position` counts characters of `text` from 0.

    >>> error_fields(TextError("expected a number", "(4,", 3))
    {'what': 'expected a number at column 4', 'fix': '', 'text': '(4,', 'position': 3}
    """
    told: dict[str, object] = {"what": error.what, "fix": error.fix}
    if isinstance(error, TextError):
        told |= {"text": error.text, "position": error.position}
    return told


def exit_code(error: SymcuteError) -> int:
    """Return 2 for bad input, 3 for a fault of ours, 1 when something could not be decided.

    >>> exit_code(InputError("no such file"))
    2
    """
    if isinstance(error, InternalError):
        return INTERNAL
    return BAD_INPUT if isinstance(error, InputError) else UNEXPECTED


def internal_error(error: Exception) -> InternalError:
    """Return the message for an exception nobody expected; SYMCUTE_DEBUG=1 adds the traceback.

    >>> print(internal_error(KeyError("x")).what)
    internal error: KeyError: 'x'
    """
    if debugging():
        traceback.print_exception(error)
    detail = str(error).partition("\n")[0][:200]
    return InternalError(
        f"internal error: {type(error).__name__}{': ' if detail else ''}{detail}",
        "this is a defect of symcute: please report the command together with the traceback "
        "that SYMCUTE_DEBUG=1 shows",
    )


def debugging() -> bool:
    """Return whether tracebacks are asked for by SYMCUTE_DEBUG=1."""
    return os.environ.get("SYMCUTE_DEBUG", "") not in ("", "0")


def _from_click(error: click.ClickException) -> SymcuteError:
    """Return click's complaint in our words; an option nearly right is named."""
    context = getattr(error, "ctx", None)
    path = context.command_path if context is not None else "symcute"
    see = f"see: {path} --help"
    if isinstance(error, click.NoSuchOption):
        near = f"did you mean {error.possibilities[0]}? " if error.possibilities else ""
        return InputError(f"no such option {error.option_name!r}", near + see)
    message = " ".join(error.format_message().split())
    message = message.replace("is not a valid integer range", "is no integer")
    return InputError(message[:1].lower() + message[1:].rstrip("."), see)
