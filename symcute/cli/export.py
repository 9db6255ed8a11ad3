"""`symcute export`: a proved claim as a theorem of another system."""

from __future__ import annotations

import click

from symcute.cli import options
from symcute.cli.completion import language_names
from symcute.cli.failures import EXPECTED
from symcute.cli.names import CommandWithNames
from symcute.errors import SymcuteError

__all__ = ["export_command"]


@click.command("export", cls=CommandWithNames, short_help="Write a proved claim as a theorem.")
@click.argument("claim", shell_complete=language_names)
@click.option(
    "--rocq",
    "form",
    flag_value="rocq",
    required=True,
    help="Write a file for Rocq (Coq 8.16 or later).",
)
@options.given
@options.timeout
def export_command(claim: str, form: str, given: tuple[str, ...], timeout: float) -> int:
    """Print CLAIM as a theorem in plain mathematics over the integers, with its proof.

    CLAIM is proved first, as symcute prove does. Layouts become sums over coordinates, guards and
    assumptions premises; what has to hold for quotients to have a value is stated as well. The
    proof is the certificate, computed by the checker of proofs/rocq, whose soundness is a theorem.

    \b
    symcute export --rocq "injective((M,N):(LD,1))" --given "LD >= N" > claim.v
    make rocq; coqc -R proofs/rocq Symcute claim.v

    Exit codes: 0 written, 1 it is not proved, or that checker does not cover the proof; 2 bad
    input.
    """
    from symcute.prover import prove
    from symcute.rocq import missing
    from symcute.rocq.plain import theorem

    text = options.one_text(claim, None, "CLAIM")
    verdict = prove(str(text), given, timeout=timeout)
    document = verdict.certificate
    if verdict.status != "proved" or verdict.vacuous or document is None:
        said = "vacuous" if verdict.vacuous else verdict.status
        raise SymcuteError(f"no theorem: the claim is {said}", "symcute prove says why")
    if lacking := missing(document):
        raise SymcuteError(
            f"no theorem: the checker in Rocq has not {lacking}",
            "symcute prove --certificate writes the proof for the checker in Python",
        )
    click.echo(theorem(document), nl=False)
    return EXPECTED
