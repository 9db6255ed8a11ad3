"""`symcute find-padding` and `symcute find-swizzle`: the smallest that is proved to do."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

from symcute.cli import options
from symcute.cli.completion import architectures, language_names
from symcute.cli.failures import EXPECTED, UNEXPECTED
from symcute.cli.names import CommandWithNames
from symcute.schemas import stamped

if TYPE_CHECKING:
    from collections.abc import Sequence

    from symcute.prover import Verdict
    from symcute.synthesis import Padding, Swizzling

__all__ = ["find_padding_command", "find_swizzle_command"]

#: How many of the smaller ones are shown with what is wrong with them.
SHOWN = 3


@click.command("find-padding", cls=CommandWithNames, short_help="Find the smallest padding.")
@click.argument(
    "claims", nargs=-1, required=True, metavar="CLAIM...", shell_complete=language_names
)
@click.option(
    "--pad", "name", default="P", show_default=True, metavar="DIM", help="The dim to choose."
)
@click.option(
    "--step",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    metavar="N",
    help="Look at multiples of N, as 8 for rows that stay aligned to 8 elements.",
)
@click.option(
    "--most",
    type=click.IntRange(min=0),
    default=128,
    show_default=True,
    metavar="N",
    help="The largest padding to look at.",
)
@options.given
@options.timeout
@options.json_flag
@options.quiet
def find_padding_command(
    claims: tuple[str, ...],
    name: str,
    step: int,
    most: int,
    given: tuple[str, ...],
    timeout: float,
    as_json: bool,
    quiet: bool,
) -> int:
    """Find the least padding with which every CLAIM is proved, and refute all smaller ones.

    The padding is a dim of the claims, P unless --pad names another; 0 and up are tried, each as an
    assumption, and the claims are proved for all values of the other dims. An access stands for the
    claim that it is free of bank conflicts.

    \b
    symcute find-padding "access((32,32):(1,32+P), 32)" "access((32,32):(32+P,1), 32)"
    symcute find-padding "bank_conflict(access((8,R):(N+P,8), 16, 128), 1)" \\
        --given "N % 64 == 0" --step 8

    Exit codes: 0 found, 1 none up to --most is proved, 2 bad input, 3 internal error.
    """
    from symcute.synthesis import find_padding

    found = find_padding(claims, name, list(given), step=step, most=most, timeout=timeout)
    if as_json:
        click.echo(json.dumps(_document("find-padding", found)))
    elif found is None:
        click.echo(f"NOT FOUND  no {name} up to {most} is proved to do")
    else:
        click.echo(f"FOUND  {name} = {found.value}{'' if found.minimal else NOT_MINIMAL}")
        if not quiet:
            _show(found.proofs, [(f"{name} = {k}", v) for k, v in found.smaller])
    return UNEXPECTED if found is None else EXPECTED


@click.command("find-swizzle", cls=CommandWithNames, short_help="Find the smallest swizzle.")
@click.argument(
    "accesses", nargs=-1, required=True, metavar="ACCESS...", shell_complete=language_names
)
@click.option(
    "--ways",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    metavar="N",
    help="The bank conflicts that may be left.",
)
@click.option(
    "--bits",
    type=click.IntRange(min=0),
    metavar="N",
    help="Bits of an offset that a swizzle may use (default: those the offsets have).",
)
@click.option(
    "--arch",
    default="sm90",
    show_default=True,
    metavar="ARCH",
    shell_complete=architectures,
    help="The architecture that has to take the accesses.",
)
@options.given
@options.timeout
@options.json_flag
@options.quiet
def find_swizzle_command(
    accesses: tuple[str, ...],
    ways: int,
    bits: int | None,
    arch: str,
    given: tuple[str, ...],
    timeout: float,
    as_json: bool,
    quiet: bool,
) -> int:
    """Find the swizzle of fewest bits with which no ACCESS conflicts; refute all of fewer bits.

    The accesses are those of one tile in shared memory, say how it is written and how it is read.

    \b
    symcute find-swizzle "access((32,32):(1,32), 32)" "access((32,32):(32,1), 32)"
    symcute find-swizzle "access(((8,4),2):((8,64),256), 16, 128)" \\
        "access((8,8):(64,8), 16, 128)"

    Exit codes: 0 found, 1 none is proved to do, 2 bad input, 3 internal error.
    """
    from symcute.synthesis import find_swizzle

    found = find_swizzle(accesses, list(given), ways=ways, bits=bits, arch=arch, timeout=timeout)
    if as_json:
        click.echo(json.dumps(_document("find-swizzle", found)))
    elif found is None:
        left = "1 way" if ways == 1 else f"{ways} ways"
        click.echo(f"NOT FOUND  no swizzle is proved to leave at most {left}")
    else:
        click.echo(f"FOUND  {found.swizzle}{'' if found.minimal else NOT_MINIMAL}")
        if not quiet:
            _show(found.proofs, [(str(s), v) for s, v in found.fewer])
    return UNEXPECTED if found is None else EXPECTED


def _document(name: str, found: Padding | Swizzling | None) -> dict[str, Any]:
    fields = {} if found is None else found.to_json()
    return stamped(name, {"found": found is not None, **fields})


#: What is said where a smaller one is neither proved nor refuted.
NOT_MINIMAL = "  (smaller ones are not decided)"


def _show(proofs: Sequence[Verdict], smaller: Sequence[tuple[str, Verdict]]) -> None:
    for verdict in proofs:
        click.echo(f"  proved   {verdict.claim}")
    for name, verdict in smaller[:SHOWN]:
        click.echo(f"  {verdict.status:8} {name}: {verdict.counterexample or verdict.reason}")
    if len(smaller) > SHOWN:
        refuted = sum(v.status == "refuted" for _, v in smaller)
        click.echo(f"  refuted  {refuted} of {len(smaller)} smaller ones in all")
