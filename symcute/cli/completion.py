"""`symcute completion`: what shells ask for on the Tab key, and the names that they are offered."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

import click
from click.shell_completion import CompletionItem, get_completion_class

from symcute.cli.failures import EXPECTED

__all__ = [
    "architectures",
    "atom_names",
    "completion_command",
    "language_names",
    "properties",
    "theorem_names",
]

#: How a theorem stands in its file; the file is not run.
_THEOREM = re.compile(r"^@theorem\b.*?^def (\w+)", re.MULTILINE | re.DOTALL)
#: Files that are looked through for the names of theorems.
_MOST_FILES = 400


@click.command("completion", short_help="Print the script that completes on the Tab key.")
@click.argument("shell", metavar="SHELL", type=click.Choice(["bash", "zsh", "fish"]))
@click.pass_context
def completion_command(ctx: click.Context, shell: str) -> int:
    """Print the script with which SHELL completes commands, options, files and names.

    Put it where the shell reads it when it starts:

    \b
    bash   echo 'eval "$(symcute completion bash)"' >> ~/.bashrc
    zsh    echo 'eval "$(symcute completion zsh)"' >> ~/.zshrc       (after compinit)
    fish   symcute completion fish > ~/.config/fish/completions/symcute.fish

    Claims and functions are completed in CLAIM and EXPR, atoms in symcute atoms, theorems behind
    --only, architectures and properties behind their options. bash has to be 4.4 or later.

    \b
    symcute completion bash
    symcute completion fish > symcute.fish

    Exit codes: 0 printed, 2 bad input.
    """
    script = get_completion_class(shell)
    if script is not None:
        root = ctx.find_root()
        click.echo(script(root.command, {}, "symcute", "_SYMCUTE_COMPLETE").source(), nl=False)
    return EXPECTED


def _items(names: Iterable[str], incomplete: str) -> list[CompletionItem]:
    return [CompletionItem(name) for name in names if name.startswith(incomplete)]


def language_names(
    _ctx: click.Context, param: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """Complete the name that a text ends in: of a claim, of a function or of both."""
    from symcute.claims.vocabulary import CLAIMS, FUNCTIONS

    start = re.findall(r"\w*\Z", incomplete)[0]
    before = incomplete.removesuffix(start)
    names = [*CLAIMS, *FUNCTIONS] if param.name in ("claim", "claims") else [*FUNCTIONS]
    return _items((before + name for name in names), before + start)


def atom_names(
    _ctx: click.Context, _param: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """Complete the names of the catalogue's instructions."""
    from symcute.layout.atoms import copy_ops, mma_atoms

    return _items([*(x.name for x in mma_atoms()), *(x.name for x in copy_ops())], incomplete)


def architectures(
    ctx: click.Context, _param: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """Complete the name of an architecture: of the catalogue, or of the memory model."""
    if ctx.info_name == "atoms":
        from symcute.layout.atoms import ARCHITECTURES

        return _items(ARCHITECTURES, incomplete)
    from symcute.hardware.architecture import ARCHITECTURES as KNOWN

    return _items(KNOWN, incomplete)


def properties(
    _ctx: click.Context, _param: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """Complete the name of a property of kernels."""
    from symcute.kernel.checking import KNOWN

    return _items(KNOWN, incomplete)


def theorem_names(
    ctx: click.Context, _param: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """Complete the names of the theorems in the files named so far; the files are only read."""
    found: dict[str, None] = {}
    # With an option that still waits for its value, click leaves the paths unread in `args`.
    for path in map(Path, ctx.params.get("paths") or ctx.args):
        for file in sorted(path.rglob("*.py"))[:_MOST_FILES] if path.is_dir() else [path]:
            try:
                found |= dict.fromkeys(_THEOREM.findall(file.read_text(encoding="utf-8")))
            except (OSError, ValueError):
                continue
    return _items(found, incomplete)
