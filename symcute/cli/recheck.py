"""`symcute recheck`: certificates through the checker, in a process of its own."""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path
from typing import IO, Any

import click

from symcute.cli import options
from symcute.cli.failures import EXPECTED, UNEXPECTED
from symcute.errors import InputError, SymcuteError
from symcute.processes.programs import Ended, Failed, Late, Program

__all__ = ["checked", "good", "recheck_command", "told"]

#: The checker alone: no site packages, no environment, no working directory on the path.
_BOOT = "import sys; sys.path.insert(0, sys.argv.pop(1)); import runpy; " \
        "runpy.run_module('symcute.recheck', run_name='__main__', alter_sys=True)"  # fmt: skip
_ROOT = Path(__file__).parents[2]
#: Files that a folder is searched for.
PATTERN = "*.certificates.json*"
#: Seconds that the checker may be silent: its work is counted, so that it never takes as long.
SILENCE_S = 120.0
#: What a certificate may rest on that was not done again, by how that is written.
TRUSTS = {
    "solver": "solver ",
    "search": "exact search",
    "algebra": "the layout algebra",
    "assumptions": "assumptions that can be met",
}
#: What becomes of a certificate, in the order in which it is told.
STATUSES = ("checked", "trusted", "vacuous", "rejected")
ARITHMETIC = "arithmetic"
#: What Rocq says of one.
ROCQ = ("accepted", "rejected", "not covered")


@click.command("recheck", short_help="Check certificates again, without the prover.")
@click.argument("paths", nargs=-1, required=True, metavar="PATH...", shell_complete=options.paths)
@click.option(
    "--solver",
    type=click.Choice(["z3", "cvc5"]),
    help="Ask this solver to prove every obligation once more.",
)
@click.option(
    "--trust",
    "trusts",
    multiple=True,
    type=click.Choice(list(TRUSTS)),
    help="Accept certificates that rest on this; may be repeated.",
)
@click.option(
    "--rocq",
    is_flag=True,
    help="Have the checker that Rocq proved right check the proofs, too (needs coqc).",
)
@click.option(
    "--kernel",
    is_flag=True,
    help="With --rocq: compute in Rocq's kernel, and not in OCaml.",
)
@options.timeout
@options.json_flag
@options.quiet
def recheck_command(
    paths: tuple[str, ...],
    solver: str | None,
    trusts: tuple[str, ...],
    rocq: bool,
    kernel: bool,
    timeout: float,
    as_json: bool,
    quiet: bool,
) -> int:
    """Check certificates: files PATH, and the files *.certificates.json* in folders PATH.

    The checker is a small program that imports nothing of the prover. It reads the claim and the
    assumptions of a certificate, works out by itself what there is to prove, and prints the
    statement that it checked. It needs neither SymPy nor a solver.

    \b
    checked   everything was done again, by arithmetic alone
    trusted   something was not done again, and is named: the answer of a solver, an exact
              search, the layout algebra, or that some sizes meet the assumptions
    VACUOUS   the assumptions contradict each other, so the claim says nothing
    REJECTED  the proof does not hold, or could not be read

    With --rocq the data of each certificate that is not rejected go through a checker whose
    soundness is a theorem (proofs/rocq): it accepts or rejects them, or what it lacks for them is
    named. It runs as Rocq extracts it to OCaml where ocamlfind is there, and otherwise, or with
    --kernel, in Rocq's kernel, which is slower and leaves less to be believed.

    \b
    symcute recheck proofs/ --trust solver --trust algebra
    symcute prove "injective((M,N):(N,1))" --certificate mine.json; symcute recheck mine.json
    symcute recheck proofs/notes --solver cvc5 --timeout 30
    symcute recheck mine.json --rocq

    Exit codes: 0 all are checked, or trusted as --trust allows (and confirmed by the solver that
    --solver names, and accepted by Rocq with --rocq); 1 some are not; 2 bad input.
    """
    files = _files(paths)
    found = checked(files, queries=solver is not None)
    if solver is not None:
        _confirm(found, solver, timeout)
    if kernel and not rocq:
        raise InputError("--kernel says how Rocq computes", "say --rocq, too")
    if rocq:
        _ask_rocq(found, files, kernel)
    found.sort(key=lambda result: (not good(result, trusts), STATUSES.index(result["status"])))
    totals = _totals(found)
    if as_json:
        shown = [{k: v for k, v in x.items() if k != "queries"} for x in found]
        options.print_json("recheck", {"certificates": shown, "totals": totals})
    else:
        for result in found:
            if not quiet or not good(result, trusts):
                click.echo(told(result))
        click.echo(_summary(totals))
    return EXPECTED if all(good(result, trusts) for result in found) else UNEXPECTED


def _files(paths: Iterable[str]) -> list[Path]:
    found: list[Path] = []
    for text in paths:
        if not text.strip():
            raise InputError("the name of a file is empty", "name a file, or a folder")
        path = Path(text)
        inside = sorted(path.rglob(PATTERN)) if path.is_dir() else [path]
        if not inside:
            raise InputError(
                f"no {PATTERN} below {path}", "write them with: symcute verify PATH --certificates"
            )
        found += inside
    for file in found:
        if not os.path.lexists(file):
            raise InputError(f"cannot read {file}: no such file", "name a file or a folder")
        if file.suffix == ".py":
            there = file.with_suffix(".certificates.jsonl").name
            raise InputError(f"{file} is no file of certificates", f"those of theorems: {there}")
    return list(dict.fromkeys(found))


def checked(files: list[Path], queries: bool = False) -> list[dict[str, Any]]:
    """Return what the checker, in a process of its own, says of each certificate in files.

    A file on which the process dies is rejected; another process goes on with the next.
    Errors: SymcuteError when the checker does not even begin.
    """
    named = {str(file.absolute()): str(file) for file in files}
    left, found = list(named), list[dict[str, Any]]()
    while left:
        current, why = "", ""
        with tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as errors:
            try:
                for item in _said(left, queries, errors):
                    if item.keys() == {"file"}:
                        current = item["file"]
                    else:
                        found.append(item)
            except Late:
                why = f"was silent for {SILENCE_S:g} s"
            except Failed as failure:
                done = isinstance(failure, Ended) and failure.code in (0, 1)
                if not done or current != left[-1]:
                    errors.seek(0)
                    why = f"{failure} {errors.read().strip()[-300:]}"
        if not why:
            break
        if not current:
            raise SymcuteError(f"the checker {why}", "please report it")
        found.append(_unread(current, f"the checker {why}".strip()))
        left = left[left.index(current) + 1 :]
    for result in found:
        result["file"] = named[result["file"]]
    return found


def _unread(file: str, reason: str) -> dict[str, Any]:
    found = {"file": file, "name": "", "part": 0, "status": "rejected", "statement": ""}
    return found | {"reason": reason, "rests_on": [], "queries": []}


def _said(files: list[str], queries: bool, errors: IO[str]) -> Iterator[dict[str, Any]]:
    """Yield what a checker process says, line after line, until it ends. Raises `Failed`."""
    command = [sys.executable, "-I", "-S", "-c", _BOOT, str(_ROOT), "--announce"]
    process = Program([*command, *["--queries"] * queries, *files], errors)
    try:
        while True:
            yield process.hear(time.monotonic() + SILENCE_S)
    finally:
        process.kill()


def _confirm(found: list[dict[str, Any]], solver: str, timeout: float) -> None:
    """Ask a solver for an instance that breaks an obligation, for all of them."""
    from symcute.solve import solvers

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


def _ask_rocq(found: list[dict[str, Any]], files: list[Path], kernel: bool) -> None:
    """Ask Rocq about each certificate that is accepted: what that takes is bounded by count."""
    from symcute.rocq import Unavailable, ask, documents

    items = {str(file): list(documents(str(file))) for file in files}
    pairs: list[tuple[dict[str, Any], Any]] = []
    for name, there in items.items():
        # A file that could not be read to its end has one result more, which is rejected.
        results = [r for r in found if r["file"] == name]
        pairs += [x for x in zip(results, there, strict=False) if x[0]["status"] != "rejected"]
    try:
        said = ask([document for _, document in pairs], options.notice, kernel)
    except Unavailable as error:
        raise SymcuteError(error.what, error.remedy) from None
    for (result, _), one in zip(pairs, said, strict=True):
        result["rocq"] = {
            "verdict": one.verdict,
            "text": one.text,
            "missing": one.missing,
            "checker": one.checker,
        }


def good(result: dict[str, Any], trusts: Collection[str] = ()) -> bool:
    """Return whether a certificate is checked, or rests on nothing but what is trusted."""
    again = result.get("solver")
    confirmed = again is None or again["confirmed"] == again["obligations"]
    confirmed = confirmed and result.get("rocq", {"verdict": "accepted"})["verdict"] == "accepted"
    known = (ARITHMETIC, *(TRUSTS[x] for x in trusts))
    trusted = all(x.startswith(known) for x in result["rests_on"])
    return confirmed and result["status"] in ("checked", "trusted") and trusted


def _totals(found: list[dict[str, Any]]) -> dict[str, Any]:
    basis = Counter(x for r in found if r["status"] == "trusted" for x in r["rests_on"])
    totals: dict[str, Any] = {
        "certificates": len(found),
        **{status: sum(r["status"] == status for r in found) for status in STATUSES},
        "rests_on": {k: v for k, v in sorted(basis.items()) if not k.startswith(ARITHMETIC)},
    }
    again = [r["solver"] for r in found if "solver" in r]
    if again:
        totals["solver"] = {
            "name": again[0]["name"],
            **{k: sum(x[k] for x in again) for k in ("obligations", "confirmed", "contradicted")},
        }
    if any("rocq" in r for r in found):
        said = Counter(r["rocq"]["verdict"] for r in found if "rocq" in r)
        totals["rocq"] = {verdict.replace(" ", "_"): said[verdict] for verdict in ROCQ}
        where = Counter(r["rocq"]["checker"] for r in found if "rocq" in r)
        totals["rocq"]["checkers"] = {k: v for k, v in sorted(where.items()) if k}
    return totals


def told(result: dict[str, Any]) -> str:
    """Return the lines that tell of a result."""
    about = result["statement"] or f"a certificate in {result['file']}"
    status = result["status"]
    lines = [f"{status if status in ('checked', 'trusted') else status.upper()} {result['name']}"]
    lines[0] = f"{lines[0].rstrip()} {about}"
    if status == "trusted":
        lines.append(f"rests on {', '.join(x for x in result['rests_on'] if x != ARITHMETIC)}")
    if result["reason"]:
        lines.append(result["reason"])
    again = result.get("solver")
    if again and again["obligations"]:
        lines.append(f"{again['name']} confirms {again['confirmed']} of {again['obligations']}")
        still = again["obligations"] - again["confirmed"] - again["contradicted"]
        if still:
            lines[-1] += f", leaves {still} open (--timeout gives it longer)"
        if again["contradicted"]:
            lines[-1] += f" and CONTRADICTS {again['contradicted']}"
    if "rocq" in result:
        verdict, missing = result["rocq"]["verdict"], result["rocq"]["missing"]
        shown = "REJECTS it" if verdict == "rejected" else "accepts it"
        shown += ", and reads in its text what it proves" * result["rocq"]["text"]
        lines.append(f"Rocq: not covered: {missing}" if missing else f"Rocq {shown}")
    return "\n  ".join(map(_printable, lines))


def _printable(line: str) -> str:
    """Return a line without what a terminal or a reader would take for something else."""
    return "".join(c if c.isprintable() else "?" for c in line)


def _summary(totals: dict[str, Any]) -> str:
    n = totals["certificates"]
    text = f"{n} certificate{'' if n == 1 else 's'}: {totals['checked']} checked"
    text += f", {totals['trusted']} trusted"
    if totals["trusted"]:
        text += f" ({', '.join(f'{n} on {name}' for name, n in totals['rests_on'].items())})"
    text += f", {totals['vacuous']} vacuous" * bool(totals["vacuous"])
    text += f", {totals['rejected']} rejected"
    if "solver" in totals:
        s = totals["solver"]
        text += f"; {s['name']} confirms {s['confirmed']} of {s['obligations']} obligations"
        text += f" and contradicts {s['contradicted']}"
    if "rocq" in totals:
        r = totals["rocq"]
        text += f"; Rocq accepts {r['accepted']}, rejects {r['rejected']}"
        text += f", does not cover {r['not_covered']}" * bool(r["not_covered"])
        where = [f"{n} {name}" for name, n in r["checkers"].items()]
        text += f"; checked {', '.join(where)}" * bool(where)
    return text
