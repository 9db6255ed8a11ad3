"""`symcute doctor`: whether everything that symcute uses is here and works."""

from __future__ import annotations

from typing import Any

import click

from symcute import __version__
from symcute.cli import options
from symcute.cli.failures import EXPECTED, UNEXPECTED

__all__ = ["doctor_command"]


@click.command("doctor", short_help="Try solvers, compilers, GPU and terminal of this machine.")
@options.json_flag
@options.quiet
def doctor_command(as_json: bool, quiet: bool) -> int:
    """Try what symcute uses on this machine, and say what is missing, what for, and how to get it.

    Each solver is asked a question, a claim is proved and its certificate checked, a kernel is
    read, a module is compiled. Nothing is installed, nothing is kept.

    \b
    symcute doctor
    symcute doctor --quiet
    symcute doctor --json

    Exit codes: 0 everything that is required works, 1 something required is missing or broken.
    """
    from symcute.cli.probes import findings
    from symcute.report.terminal import part_text, write

    told: list[dict[str, Any]] = []
    if not as_json and not quiet:
        click.echo(f"symcute {__version__}")
    for part, status, found in findings():
        fields = {
            "name": part.name,
            "status": status,
            "required": part.required,
            "found": found,
            "for": part.serves,
            "fix": "" if status == "ok" else part.remedy,
        }
        told.append(fields)
        if not as_json and not (quiet and status == "ok"):
            write(part_text(fields))
    ok = all(x["status"] == "ok" for x in told if x["required"])
    if as_json:
        options.print_json("doctor", {"version": __version__, "ok": ok, "parts": told})
    else:
        click.echo(_summary(told))
    return EXPECTED if ok else UNEXPECTED


def _summary(told: list[dict[str, Any]]) -> str:
    """Return what the parts come to, in one line."""
    needed = [x["name"] for x in told if x["required"] and x["status"] != "ok"]
    others = [x["name"] for x in told if not x["required"] and x["status"] != "ok"]
    head = (
        f"required and not working: {', '.join(needed)}" if needed else "all that is required works"
    )
    return f"{head}; optional and not there: {', '.join(others)}" if others else head
