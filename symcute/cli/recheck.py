"""`symcute recheck`: certificates through the checker, in a process of its own."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import click

from symcute.cli import options
from symcute.cli.failures import EXPECTED, UNEXPECTED
from symcute.errors import InputError, SymcuteError
from symcute.schemas import stamped

__all__ = ["checked", "recheck_command"]

#: The checker alone: no site packages, no environment, no working directory on the path.
_BOOT = "import sys; sys.path.insert(0, sys.argv.pop(1)); import runpy; " \
        "runpy.run_module('symcute.checker', run_name='__main__', alter_sys=True)"  # fmt: skip
_ROOT = Path(__file__).parents[2]
#: Files that a folder is searched for.
PATTERN = "*.certificates.json*"
ARITHMETIC = "arithmetic"


@click.command("recheck", short_help="Check certificates again, without the prover.")
@click.argument("paths", nargs=-1, required=True, metavar="PATH...", shell_complete=options.paths)
@click.option(
    "--solver",
    type=click.Choice(["z3", "cvc5"]),
    help="Let this solver prove every obligation once more.",
)
@options.timeout
@options.json_flag
@options.quiet
def recheck_command(
    paths: tuple[str, ...], solver: str | None, timeout: float, as_json: bool, quiet: bool
) -> int:
    """Check the certificates in files PATH, and in the *.certificates.json* of folders PATH.

    The checker is a small program that imports nothing of the prover. It reads a certificate's
    claim and assumptions, works out by itself what there is to prove, and prints the statement it
    checked. It needs neither SymPy nor a solver.

    \b
    symcute recheck proofs/
    symcute prove "injective((M,N):(N,1))" --certificate mine.json; symcute recheck mine.json
    symcute recheck proofs/notes --solver cvc5 --timeout 30

    Exit codes: 0 all accepted, 1 some rejected (or not confirmed by the solver), 2 bad input.
    """
    found = checked(_files(paths), queries=solver is not None)
    if solver is not None:
        _confirm(found, solver, timeout)
    found.sort(key=_rank)
    totals = _totals(found)
    if as_json:
        shown = [{k: v for k, v in x.items() if k != "queries"} for x in found]
        click.echo(json.dumps(stamped("recheck", {"certificates": shown, "totals": totals})))
    else:
        for result in found:
            if not quiet or not _good(result):
                click.echo(_told(result))
        click.echo(_summary(totals))
    return EXPECTED if all(map(_good, found)) else UNEXPECTED


def _files(paths: Iterable[str]) -> list[Path]:
    found: list[Path] = []
    for text in paths:
        if not text.strip():
            raise InputError("the name of a file is empty", "name a file, or a folder")
        path = Path(text)
        inside = sorted(p for p in path.rglob(PATTERN) if p.is_file()) if path.is_dir() else [path]
        if not inside:
            raise InputError(
                f"no {PATTERN} below {path}", "write them with: symcute verify PATH --certificates"
            )
        found += inside
    for file in found:
        if not file.is_file():
            raise InputError(f"cannot read {file}: no such file", "name a file or a folder")
        if file.suffix == ".py":
            there = file.with_suffix(".certificates.jsonl").name
            raise InputError(f"{file} is no file of certificates", f"those of theorems: {there}")
    return list(dict.fromkeys(found))


def checked(files: list[Path], queries: bool = False) -> list[dict[str, Any]]:
    """Return what the checker, in a process of its own, says of each certificate in files.

    Errors: InputError for what is no file of certificates, SymcuteError when the checker dies.
    """
    command = [sys.executable, "-I", "-S", "-c", _BOOT, str(_ROOT)]
    command += ["--queries"] * queries + [str(file.absolute()) for file in files]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    if run.returncode == 2:
        raise InputError(f"cannot check {run.stderr.strip()}", "name a file of certificates")
    if run.returncode not in (0, 1):
        raise SymcuteError(f"the checker died: {run.stderr.strip()[-300:]}", "please report it")
    found: list[dict[str, Any]] = [json.loads(line) for line in run.stdout.splitlines()]
    named = {str(file.absolute()): str(file) for file in files}
    for result in found:
        result["file"] = named[result["file"]]
    if not found or (run.returncode == 0) != all(result["accepted"] for result in found):
        raise SymcuteError(f"the checker died: {run.stderr.strip()[-300:]}", "please report it")
    return found


def _confirm(found: list[dict[str, Any]], solver: str, timeout: float) -> None:
    """Ask a solver for an instance that breaks an obligation, for all of them."""
    from symcute import solvers

    known: dict[str, str] = {}
    version = solvers.version(solver)
    for result in found:
        for query in result["queries"]:
            if not query:
                known[query] = "unknown"  # it takes a quantifier to say it
            elif query not in known:
                known[query] = solvers.solve(query, timeout=timeout, solver=solver).status
        said = Counter(known[query] for query in result["queries"])
        result["solver"] = {
            "name": f"{solver} {version}",
            "obligations": len(result["queries"]),
            "confirmed": said["unsat"],
            "contradicted": said["sat"],
        }


def _good(result: dict[str, Any]) -> bool:
    again = result.get("solver")
    confirmed = again is None or again["confirmed"] == again["obligations"]
    return bool(result["accepted"]) and confirmed


def _rank(result: dict[str, Any]) -> tuple[bool, bool, bool]:
    """Put what rests on arithmetic alone first, what rests on a solver after it, failures last."""
    rests_on = result["rests_on"]
    return not _good(result), any("solver" in x for x in rests_on), rests_on != [ARITHMETIC]


def _totals(found: list[dict[str, Any]]) -> dict[str, Any]:
    basis = Counter(x for r in found if r["accepted"] for x in r["rests_on"])
    arithmetic = sum(r["accepted"] and r["rests_on"] == [ARITHMETIC] for r in found)
    totals: dict[str, Any] = {
        "certificates": len(found),
        "accepted": sum(r["accepted"] for r in found),
        "rejected": sum(not r["accepted"] for r in found),
        "arithmetic_alone": arithmetic,
        "rests_on": {k: v for k, v in sorted(basis.items()) if k != ARITHMETIC},
    }
    again = [r["solver"] for r in found if "solver" in r]
    if again:
        totals["solver"] = {
            "name": again[0]["name"],
            **{k: sum(x[k] for x in again) for k in ("obligations", "confirmed", "contradicted")},
        }
    return totals


def _told(result: dict[str, Any]) -> str:
    name = f"{result['name']} " if result["name"] else ""
    if not result["accepted"]:
        about = result["statement"] or f"a certificate in {result['file']}"
        return f"REJECTED {name}{about}\n  {result['reason']}"
    lines = f"accepted {name}{result['statement']}\n  rests on {', '.join(result['rests_on'])}"
    again = result.get("solver")
    if again:
        lines += f"; {again['name']} confirms {again['confirmed']} of {again['obligations']}"
        still = again["obligations"] - again["confirmed"] - again["contradicted"]
        if still:
            lines += f", leaves {still} open (--timeout gives it longer)"
        if again["contradicted"]:
            lines += f" and CONTRADICTS {again['contradicted']}"
    return lines


def _summary(totals: dict[str, Any]) -> str:
    n, alone = totals["certificates"], totals["arithmetic_alone"]
    text = f"{n} certificate{'' if n == 1 else 's'}: {totals['accepted']} accepted"
    text += f" ({alone} rest{'s' if alone == 1 else ''} on arithmetic alone"
    text += "".join(f", {n} on {name}" for name, n in totals["rests_on"].items()) + ")"
    text += f", {totals['rejected']} rejected"
    if "solver" in totals:
        s = totals["solver"]
        text += f"; {s['name']} confirms {s['confirmed']} of {s['obligations']} obligations"
        text += f" and contradicts {s['contradicted']}"
    return text
