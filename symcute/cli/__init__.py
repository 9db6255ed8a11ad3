"""The commands.

Only click is imported before a command runs, so that `symcute --help` answers at once.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import NoReturn

import click
from click.shell_completion import CompletionItem

from symcute import __version__
from symcute.cli.atoms import atoms_command
from symcute.cli.check import check_command
from symcute.cli.completion import completion_command
from symcute.cli.doctor import doctor_command
from symcute.cli.eval import eval_command
from symcute.cli.explore import explore_command
from symcute.cli.export import export_command
from symcute.cli.failures import guarded, lenient_output, standard_streams
from symcute.cli.find import find_padding_command, find_swizzle_command
from symcute.cli.gpu import gpu_command
from symcute.cli.group import Grouped
from symcute.cli.lsp import lsp_command
from symcute.cli.options import prints_json
from symcute.cli.prove import prove_command
from symcute.cli.recheck import recheck_command
from symcute.cli.schema import schema_command
from symcute.cli.show import show_command
from symcute.cli.verify import verify_command

__all__ = ["main", "run"]


def _print_version(ctx: click.Context, _parameter: click.Parameter, asked: bool) -> None:
    if asked and not ctx.resilient_parsing:
        click.echo(f"symcute {__version__}")
        ctx.exit()


def _command_names(
    _ctx: click.Context, _param: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    return [
        CompletionItem(name, help=command.get_short_help_str(80))
        for name, command in symcute.commands.items()
        if name.startswith(incomplete)
    ]


@click.group(
    cls=Grouped,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="symcute COMMAND --help, or symcute help COMMAND, has examples. "
    "Exit codes: 0 all as expected, 1 something refuted or undecided, 2 bad input, "
    "3 an internal error, 130 interrupted.",
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
    """Prove properties of CuTe layouts and CUDA kernels, for all sizes at once.

    Without a command, a layout is shown, a claim is proved, and a file or a folder is checked or
    verified.

    \b
    symcute "Layout<Shape<_8,_64>,Stride<_64,_1>>{}"
    symcute show "((2,2),(2,4)):((1,4),(2,8))"
    symcute prove "injective((M,N):(LD,1))" --given "LD >= N"
    symcute check saxpy.cu
    symcute verify proofs/
    """
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


@click.command("help", short_help="Show the help of a command.")
@click.argument("command", required=False, shell_complete=_command_names)
@click.pass_context
def help_command(ctx: click.Context, command: str | None) -> None:
    """Show the help of COMMAND, as symcute COMMAND --help does.

    \b
    symcute help
    symcute help prove

    Exit codes: 0 shown, 2 there is no such command.
    """
    outer = ctx.parent or ctx
    if command is None:
        click.echo(outer.get_help())
        return
    name, found, _ = symcute.resolve_command(outer, [command])
    if found is not None:
        click.echo(found.get_help(click.Context(found, info_name=name, parent=outer)))


symcute.list_sections(
    {
        "Layouts": (show_command, explore_command, eval_command, atoms_command),
        "Claims": (prove_command, find_padding_command, find_swizzle_command, export_command),
        "Kernels": (check_command,),
        "Theorem files, reports and evidence": (
            verify_command,
            recheck_command,
            gpu_command,
            schema_command,
        ),
        "This machine": (lsp_command, doctor_command, completion_command, help_command),
    }
)


def run(words: Sequence[str]) -> int:
    """Run a command and return its exit code; every failure ends in a message."""
    as_json = bool(words) and prints_json(words)
    return guarded(lambda: symcute.main(list(words), "symcute", standalone_mode=False), as_json)


def main(words: Sequence[str] | None = None) -> NoReturn:
    """Run the command line and exit."""
    standard_streams()
    lenient_output()
    sys.exit(run(sys.argv[1:] if words is None else words))
