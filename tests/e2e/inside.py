"""Commands run in this process, which is quicker than a process for each."""

from __future__ import annotations

import io
import sys
from contextlib import redirect_stderr, redirect_stdout
from typing import NamedTuple

from symcute import cli

__all__ = ["Outcome", "run"]


class Outcome(NamedTuple):
    code: int
    out: str
    err: str


def run(*args: str, text: str = "") -> Outcome:
    """Return what a command prints, and its exit code."""
    out, err, before = io.StringIO(), io.StringIO(), sys.stdin
    sys.stdin = io.TextIOWrapper(io.BytesIO(text.encode()))
    try:
        with redirect_stdout(out), redirect_stderr(err):
            code = cli.run(args)
    finally:
        sys.stdin = before
    return Outcome(code, out.getvalue(), err.getvalue())
