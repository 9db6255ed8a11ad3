"""`symcute lsp`: what an editor starts."""

from __future__ import annotations

import sys

import click

from symcute.cli.failures import EXPECTED
from symcute.errors import InputError, needs

__all__ = ["lsp_command"]


@click.command("lsp", short_help="Serve an editor: diagnostics, counterexamples, fixes.")
def lsp_command() -> int:
    """Serve an editor over the Language Server Protocol, on standard input and output.

    It takes theorem files, the sources of kernels and symcute.toml. What is refuted or not decided
    is shown at its place, the counterexample where the cursor rests, and "holds if" is a quick fix.
    A Python file that marks theorems is run, in a process of its own.

    \b
    symcute lsp

    Exit codes: 0 the editor left, 2 the library pygls is missing.
    """
    needs("symcute lsp", "pygls")
    if sys.stdin.isatty():
        raise InputError("symcute lsp is started by an editor", "see docs/how-to/editors.md")
    from symcute.editor.server import serve_editor

    serve_editor()
    return EXPECTED
