"""`symcute prove`: one claim, one verdict."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from symcute.cli import options
from symcute.cli.batch import run_batch
from symcute.cli.completion import language_names
from symcute.cli.failures import EXPECTED, UNEXPECTED
from symcute.cli.formats import Formats, output_format
from symcute.cli.names import CommandWithNames
from symcute.errors import InputError, Undecided

if TYPE_CHECKING:
    from symcute.prover import Verdict

__all__ = ["prove_command"]

_BATCH_FIELDS = ("status", "vacuous", "how", "counterexample", "reason")


@click.command("prove", cls=CommandWithNames, short_help="Decide a claim for all sizes.")
@click.argument("claim", required=False, shell_complete=language_names)
@options.given
@options.timeout
@options.work
@options.batch
@options.json_flag
@output_format
@options.quiet
@click.option(
    "--certificate",
    type=options.out_file(),
    metavar="FILE",
    help="Write the certificate of a proved claim to FILE.",
)
@click.option(
    "--smt2",
    type=options.out_file(),
    metavar="FILE",
    help="Write the search for a counterexample to FILE as SMT-LIB 2; - only prints it.",
)
@click.option(
    "--suggest/--no-suggest",
    "with_suggestion",
    default=True,
    help="If the claim is not proved, look for an assumption with which it is.",
)
def prove_command(
    claim: str | None,
    given: tuple[str, ...],
    timeout: float,
    work: int | None,
    batch_file: str | None,
    as_json: bool,
    formats: Formats,
    quiet: bool,
    certificate: Path | None,
    smt2: Path | None,
    with_suggestion: bool,
) -> int:
    """Decide CLAIM for all values of its dims: PROVED, REFUTED by a counterexample, or UNKNOWN.

    CLAIM is one of the claims below, or a relation between expressions such as "size(A) == M*N".
    A dash (-) reads it from standard input. A dim is a named size: any integer of at least 1,
    unless an assumption sets another lower bound, such as "r >= 0".

    \b
    symcute prove "injective((M,N):(LD,1))" --given "LD >= N"
    symcute prove "size(logical_divide((M,N), (128,64))) == M*N" \\
        --given "M % 128 == 0" --given "N % 64 == 0"

    If the claim is not proved, "holds if LD >= N" names the weakest assumption that was found with
    which it is. --no-suggest does not look for one.

    The script that --smt2 writes has a (check-sat) for each part of the claim. The claim holds if
    every answer is unsat, and if what the comments in the script name holds too.

    With --batch, each line is an object {"claim": TEXT, "given": [TEXT...], "id": ANYTHING}, of
    which only "claim" is needed, and each line of the output is {"status", "vacuous", "how",
    "counterexample", "reason", "seconds"} or {"error": {"what", "fix", "text", "position"},
    "seconds"}, with the "id" if there was one; "text" and "position" stand there where the error
    has a place. The output has the order of the input; blank lines are left out. Assumptions by
    --given hold for every line.

    Exit codes: 0 proved, 1 refuted or unknown, 2 bad input, 3 internal error. In a batch every
    verdict is a valid answer: 0 when each line had one, 2 when some line was bad input.
    """
    text = options.one_text(claim, batch_file, "CLAIM")
    if text is None:
        if formats.output != "text":
            raise InputError(
                "--output-format with --batch", "leave it out: a batch has a form of its own"
            )

        def fields(line: str, more: Sequence[str]) -> dict[str, Any]:
            return _fields(line, (*given, *more), timeout, work)

        return run_batch(str(batch_file), "claim", fields)
    if smt2 is not None:
        options.write_text(smt2, _script(text, given))
        if str(smt2) == "-":
            return EXPECTED
    with formats.reporting("prove", as_json):
        verdict = _verdict(text, given, timeout, work)
    options.remark(text)
    if certificate is not None:
        _write_certificate(certificate, verdict)
    told = verdict.to_json()
    if with_suggestion:
        told["suggestion"] = _suggestion(verdict, timeout)
    if formats.take_stdout:
        from symcute.report.cases import claim_run

        formats.write(claim_run(told))
    elif as_json:
        options.print_json("prove", told)
    else:
        from symcute.report.terminal import verdict_text, write

        write(verdict_text(told, verdict.given, _note(verdict), quiet))
    return EXPECTED if verdict.status == "proved" else UNEXPECTED


def _verdict(text: str, given: tuple[str, ...], timeout: float, work: int | None) -> Verdict:
    from symcute.prover import prove
    from symcute.prover.driver import WORK

    return prove(text, given, timeout=timeout, work=work or WORK)


def _script(text: str, given: tuple[str, ...]) -> str:
    """Return a claim as SMT-LIB 2."""
    from symcute.claims.language import premises, read_claim
    from symcute.expr.assumptions import Assumptions

    claim, more = premises(text)
    assumptions = Assumptions.of((*given, *more))
    return read_claim(claim, assumptions, whole=text).smt(assumptions) + "\n"


def _suggestion(verdict: Verdict, timeout: float) -> dict[str, Any] | None:
    """Return what would have to be assumed, as data; None for a claim that needs nothing more."""
    if verdict.status == "proved" or verdict.vacuous:
        return None
    from symcute.prover.suggestion import suggest

    found = suggest(verdict.claim, list(verdict.given), timeout=timeout)
    return None if found is None else found.to_json()


def _note(verdict: Verdict) -> str:
    """Return which dims only the assumptions speak of, where that may be why nothing is proved."""
    from symcute.expr.assumptions import Assumptions

    others = sorted(Assumptions.of(list(verdict.given)).dims() - verdict.claim.dims())
    if verdict.status == "proved" or not others:
        return ""
    return f"{', '.join(others)}: in the assumptions, not in the claim"


def _fields(text: str, given: tuple[str, ...], timeout: float, work: int | None) -> dict[str, Any]:
    """Return the fields of a batch's line; a claim that cannot be built is unknown."""
    try:
        told = _verdict(text, given, timeout, work).to_json()
    except Undecided as error:
        told = dict.fromkeys(_BATCH_FIELDS) | {"vacuous": False, "how": ""}
        told |= {"status": "unknown", "reason": str(error)}
    return {name: told[name] for name in _BATCH_FIELDS}


def _write_certificate(path: Path, verdict: Verdict) -> None:
    if verdict.certificate is None:
        options.notice(f"no certificate written: the claim is {verdict.status}")
    else:
        options.write_text(path, json.dumps(verdict.certificate, indent=1) + "\n")
