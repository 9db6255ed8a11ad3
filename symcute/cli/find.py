"""`symcute find-padding` and `symcute find-swizzle`: the smallest that is proved to do."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from symcute.cli import options
from symcute.cli.completion import architectures, language_names
from symcute.cli.failures import EXPECTED, UNEXPECTED
from symcute.cli.names import CommandWithNames
from symcute.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path
    from typing import TypeAlias

    from symcute.claims import Claim
    from symcute.layout.layout import Layout
    from symcute.layout.swizzle import ComposedLayout
    from symcute.prover import Verdict
    from symcute.synthesis import Padding, Swizzling
    from symcute.synthesis.proving import NotFound

    Map: TypeAlias = Layout | ComposedLayout

__all__ = ["find_padding_command", "find_swizzle_command"]

#: How many of the smaller ones are shown with what is wrong with them.
SHOWN = 3


@click.command("find-padding", cls=CommandWithNames, short_help="Find the smallest padding.")
@click.argument(
    "claims", nargs=-1, required=True, metavar="CLAIM...", shell_complete=language_names
)
@click.option(
    "--pad",
    "name",
    default="P",
    show_default=True,
    metavar="DIM",
    help="The dim that is the padding.",
)
@click.option(
    "--step",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    metavar="N",
    help="Try only multiples of N: 8 keeps rows aligned to 8 elements.",
)
@click.option(
    "--most",
    type=click.IntRange(min=0),
    default=128,
    show_default=True,
    metavar="N",
    help="The largest padding to try.",
)
@options.given
@options.timeout
@options.as_form
@options.json_flag
@options.quiet
def find_padding_command(
    claims: tuple[str, ...],
    name: str,
    step: int,
    most: int,
    given: tuple[str, ...],
    timeout: float,
    form: str | None,
    as_json: bool,
    quiet: bool,
) -> int:
    """Find the smallest padding with which every CLAIM is proved, and refute all smaller ones.

    The padding is a dim of the claims: P, unless --pad names another. 0, 1, 2, ... are tried. The
    claims are proved for all values of the other dims. An access stands for the claim that it is
    free of bank conflicts.

    \b
    symcute find-padding "access((32,32):(1,32+P), 32)" "access((32,32):(32+P,1), 32)"
    symcute find-padding "bank_conflict(access((8,R):(N+P,8), 16, 128), 1)" \\
        --given "N % 64 == 0" --step 8
    symcute find-padding "access((32,32):(32+P,1), 32)" --as torch

    --as writes the layout of each CLAIM with the padding.

    Exit codes: 0 found, 1 none up to --most is proved, 2 bad input, 3 internal error.
    """
    from symcute.synthesis.padding import Padding, search_padding

    _check_form(form, as_json)
    found = search_padding(claims, name, list(given), step=step, most=most, timeout=timeout)
    if isinstance(found, Padding) and form is not None:
        padded = [x for v in found.proofs for x in _padded(v.claim, name, found.value)]
        return _write_as(padded, form, given)
    none = f"no {name} up to {most} is proved to do; --most looks further"
    return _tell("find-padding", found, none, as_json, quiet)


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
    help="Allow conflicts of up to N ways; 1 is none.",
)
@click.option(
    "--bits",
    type=click.IntRange(min=0),
    metavar="N",
    help="How many bits of an offset a swizzle may use (default: as many as offsets have).",
)
@click.option(
    "--arch",
    default="sm90",
    show_default=True,
    metavar="ARCH",
    shell_complete=architectures,
    help="The architecture on which the accesses are made.",
)
@options.given
@options.timeout
@options.svg
@options.as_form
@options.json_flag
@options.quiet
def find_swizzle_command(
    accesses: tuple[str, ...],
    ways: int,
    bits: int | None,
    arch: str,
    given: tuple[str, ...],
    timeout: float,
    svg: Path | None,
    form: str | None,
    as_json: bool,
    quiet: bool,
) -> int:
    """Find the smallest swizzle with which no ACCESS has bank conflicts; refute all smaller ones.

    The accesses are those of one tile in shared memory: for example, how it is written and how it
    is read. The smallest swizzle is one of the fewest bits.

    \b
    symcute find-swizzle "access((32,32):(1,32), 32)" "access((32,32):(32,1), 32)"
    symcute find-swizzle "access(((8,4),2):((8,64),256), 16, 128)" \\
        "access((8,8):(64,8), 16, 128)"
    symcute find-swizzle "access((8,8):(64,8), 16, 128)" --svg swizzle.svg
    symcute find-swizzle "access((32,32):(32,1), 32)" --as cpp

    --svg draws each ACCESS before and after the swizzle: lanes are rows, requests are columns, and
    colours are banks. --as writes the layout of each ACCESS with the swizzle.

    Exit codes: 0 found, 1 none is proved to do, 2 bad input, 3 internal error.
    """
    from symcute.synthesis.swizzling import Swizzling, search_swizzle

    _check_form(form, as_json)
    found = search_swizzle(accesses, list(given), ways=ways, bits=bits, arch=arch, timeout=timeout)
    if isinstance(found, Swizzling) and svg is not None:
        from symcute.report.swizzled import swizzling_to_svg

        options.write_text(svg, swizzling_to_svg(found))
    if isinstance(found, Swizzling) and form is not None:
        return _write_as([x for v in found.proofs for x in v.claim.maps()], form, given)
    least = f"at most {ways} way{'' if ways == 1 else 's'}"
    within = bits if isinstance(found, Swizzling) else found.fields["bits"]
    none = f"no swizzle within {within} bits is proved to leave {least}; --bits looks further"
    return _tell("find-swizzle", found, none, as_json, quiet)


def _tell(
    command: str, found: Padding | Swizzling | NotFound, none: str, as_json: bool, quiet: bool
) -> int:
    """Print what was found, or that there is `none` and why; return the exit code."""
    from symcute.synthesis.proving import NotFound

    missed = isinstance(found, NotFound)
    if as_json:
        options.print_json(command, {"found": not missed, **found.to_json()})
    elif isinstance(found, NotFound):
        click.echo(f"NOT FOUND  {none}")
        _show_tried(found.tried, "")
    else:
        click.echo(f"FOUND  {found}{'' if found.minimal else NOT_MINIMAL}")
        if not quiet:
            for verdict in found.proofs:
                click.echo(f"  proved   {verdict.claim}")
            _show_tried(found.tried, "smaller ones ")
    return UNEXPECTED if missed else EXPECTED


#: What is said where a smaller one is neither proved nor refuted.
NOT_MINIMAL = "  (smaller ones are not decided)"


def _show_tried(tried: Sequence[tuple[str, Verdict]], what: str) -> None:
    for name, verdict in tried[:SHOWN]:
        click.echo(f"  {verdict.status:8} {name}: {verdict.counterexample or verdict.reason}")
    if len(tried) > SHOWN:
        refuted = sum(v.status == "refuted" for _, v in tried)
        click.echo(f"  refuted  {refuted} of {len(tried)} {what}in all")


def _check_form(form: str | None, as_json: bool) -> None:
    if form is not None and as_json:
        raise InputError("--as beside --json", "ask for one of them")


def _write_as(maps: Sequence[Map], form: str, given: Sequence[str]) -> int:
    """Print layouts in a form, each once; return the exit code."""
    from symcute.codegen.forms import to_text

    for text in dict.fromkeys(to_text(x, form, given=list(given)) for x in maps):
        click.echo(text)
    return EXPECTED


def _padded(claim: Claim, name: str, value: int) -> list[Map]:
    """Return the layouts of a claim that have the padding, with its value in its place."""
    from symcute.expr.expression import with_values

    chosen = claim.with_leaves(lambda leaf: with_values(leaf, {name: value}))
    padded = zip(claim.maps(), chosen.maps(), strict=True)
    return [after for before, after in padded if name in before.dims()]
