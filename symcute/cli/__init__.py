"""The commands.

Only click is imported before a command runs, so that `symcute --help` answers at once.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import NoReturn

import click

from symcute import __version__
from symcute.cli.atoms import atoms_command
from symcute.cli.check import check_command
from symcute.cli.eval import eval_command
from symcute.cli.failures import guarded, lenient_output
from symcute.cli.find import find_padding_command, find_swizzle_command
from symcute.cli.gpu import gpu_command
from symcute.cli.prove import prove_command
from symcute.cli.recheck import recheck_command
from symcute.cli.show import show_command
from symcute.cli.verify import verify_command

__all__ = ["main"]


def _print_version(ctx: click.Context, _parameter: click.Parameter, asked: bool) -> None:
    if asked and not ctx.resilient_parsing:
        click.echo(f"symcute {__version__}")
        ctx.exit()


@click.group(
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Exit codes: 0 all as expected, 1 some claim refuted or undecided, 2 bad input, "
    "3 an internal error.",
)
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_print_version,
    help="Print the version and exit.",
)
@click.pass_context
def symcute(ctx: click.Context) -> None:
    """Prove what the index maps of GPU kernels do, for all sizes at once.

    \b
    symcute show  "((2,2),(2,4)):((1,4),(2,8))"
    symcute eval  "logical_divide((256,512), (128,64))"
    symcute prove "injective((M,N):(LD,1))" --given "LD >= N"
    symcute find-padding "bank_conflict(access((32,32):(32+P,1), 32), 1)"
    symcute find-swizzle "access((8,8):(64,8), 16, 128)"
    symcute atoms SM80_16x8x16_F32F16F16F32_TN
    symcute check kernels/saxpy.cu
    symcute verify proofs/
    symcute recheck proofs/
    symcute gpu proofs/
    """
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


for _command in (
    show_command,
    eval_command,
    prove_command,
    check_command,
    find_padding_command,
    find_swizzle_command,
    atoms_command,
    verify_command,
    recheck_command,
    gpu_command,
):
    symcute.add_command(_command)


def main(args: Sequence[str] | None = None) -> NoReturn:
    """Run the command line and exit; every failure ends in a message and an exit code."""
    lenient_output()
    sys.exit(guarded(lambda: symcute.main(args, "symcute", standalone_mode=False)))
