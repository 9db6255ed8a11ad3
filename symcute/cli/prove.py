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
from symcute.cli.names import CommandWithNames
from symcute.errors import Undecided
from symcute.schemas import stamped

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
@options.quiet
@click.option(
    "--certificate",
    type=options.out_file(),
    metavar="FILE",
    help="Write the certificate of a proved claim to FILE.",
)
@click.option(
    "--suggest/--no-suggest",
    "with_suggestion",
    default=True,
    help="Look for what would have to be assumed where the claim is not proved.",
)
def prove_command(
    claim: str | None,
    given: tuple[str, ...],
    timeout: float,
    work: int | None,
    batch_file: str | None,
    as_json: bool,
    quiet: bool,
    certificate: Path | None,
    with_suggestion: bool,
) -> int:
    """Decide CLAIM for all values of its dims: PROVED, REFUTED by a counterexample, or UNKNOWN.

    CLAIM is one of the claims below, or a relation between expressions such as
    "size(A) == M*N"; - reads it from standard input. A dim is an integer of at least 1, unless an
    assumption bounds it from below, as "r >= 0".

    \b
    symcute prove "injective((M,N):(LD,1))" --given "LD >= N"
    symcute prove "size(logical_divide((M,N), (128,64))) == M*N" \\
        --given "M % 128 == 0" --given "N % 64 == 0"

    Where it is refuted or unknown, the weakest assumption found under which it is proved is named
    ("holds if LD >= N"), unless --no-suggest is given.

    With --batch, each line is an object {"claim": TEXT, "given": [TEXT...], "id": ANYTHING}, of
    which only "claim" is needed, and each line of the output is {"status", "vacuous", "how",
    "counterexample", "reason", "seconds"} or {"error": {"what", "fix", "position"}, "seconds"},
    with the "id" if there was one. Lines come out in the order they came in, each as soon as it
    is decided; blank ones are passed over. Assumptions by --given hold for every line.

    Exit codes: 0 proved, 1 refuted or unknown, 2 bad input, 3 internal error. In a batch every
    verdict is a valid answer: 0 when each line had one, 2 when some line was bad input.
    """
    text = options.one_text(claim, batch_file, "CLAIM")
    if text is None:

        def fields(line: str, more: Sequence[str]) -> dict[str, Any]:
            return _fields(line, (*given, *more), timeout, work)

        return run_batch(str(batch_file), "claim", fields)
    verdict = _verdict(text, given, timeout, work)
    if certificate is not None:
        _write_certificate(certificate, verdict)
    told = verdict.to_json()
    if with_suggestion:
        told["suggestion"] = _suggestion(verdict, timeout)
    if as_json:
        click.echo(json.dumps(stamped("prove", told)))
    else:
        from symcute.report.terminal import console, verdict_text

        shown = verdict_text(told, verdict.given, _note(verdict), quiet)
        console().print(shown, soft_wrap=True)
    return EXPECTED if verdict.status == "proved" else UNEXPECTED


def _verdict(text: str, given: tuple[str, ...], timeout: float, work: int | None) -> Verdict:
    from symcute.prover import prove
    from symcute.prover.driver import WORK

    return prove(text, given, timeout=timeout, work=work or WORK)


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
