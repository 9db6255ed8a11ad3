"""The commands in groups, as `symcute --help` lists them, and names that were nearly right."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from difflib import get_close_matches

import click

from symcute.cli.bare import meant
from symcute.errors import InputError

__all__ = ["Grouped"]


class Grouped(click.Group):
    """A group of commands whose help has a section for each title of `sections`."""

    def list_sections(self, sections: Mapping[str, Iterable[click.Command]]) -> None:
        """Add the commands, in the order in which they are to be listed."""
        self.sections = {title: list(commands) for title, commands in sections.items()}
        for commands in self.sections.values():
            for command in commands:
                self.add_command(command)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands, section by section, in one column."""
        width = max(map(len, self.commands))
        for title, commands in self.sections.items():
            with formatter.section(title):
                formatter.write_dl(
                    [(f"{c.name:<{width}}", c.get_short_help_str(80)) for c in commands]
                )

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names in the order of the sections."""
        return list(self.commands)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command, or the one that a text or a file stands for.

        Another name is told with the command that may have been meant.
        """
        name = args[0]
        if name not in self.commands and name[:1] != "-" and not ctx.resilient_parsing:
            command = meant(name)
            if command is None:
                near = get_close_matches(name, self.commands, 1)
                fix = f"did you mean symcute {near[0]}?" if near else "see: symcute --help"
                raise InputError(f"no such command {name!r}", fix)
            args = [command, *args]
        return super().resolve_command(ctx, args)
