"""A command whose help lists the functions and claims that text can name."""

from __future__ import annotations

import click

__all__ = ["CommandWithNames"]


class CommandWithNames(click.Command):
    """Adds the tables of `symcute.claims.language` to the help, which are loaded for that only."""

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the functions and the claims with their arguments."""
        from symcute.claims.vocabulary import CLAIMS, FUNCTIONS

        for title, table in (("Functions", FUNCTIONS), ("Claims", CLAIMS)):
            with formatter.section(title):
                formatter.write_dl([(name, entry.help) for name, entry in table.items()])
        super().format_epilog(ctx, formatter)
