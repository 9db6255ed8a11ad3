"""`symcute schema`: the forms of the JSON that symcute writes."""

from __future__ import annotations

import json

import click

from symcute.cli.failures import EXPECTED
from symcute.schemas import schema, schema_names

__all__ = ["schema_command"]


def _matching(_ctx: click.Context, _param: click.Parameter, incomplete: str) -> list[str]:
    return [name for name in schema_names() if name.startswith(incomplete)]


@click.command("schema", short_help="Print the JSON Schema of what symcute writes.")
@click.argument("name", required=False, shell_complete=_matching)
def schema_command(name: str | None) -> int:
    """Print the JSON Schema (draft 2020-12) called NAME, or list what there is.

    The schema is whole: what it refers to lies in it. A document says its form under "schema", as
    {"name": "symcute-prove", "version": 1}; symcute-error stands for every command that ends with
    an error.

    \b
    symcute schema
    symcute schema report > report.schema.json

    Exit codes: 0 done, 2 there is no such schema.
    """
    if name is not None:
        click.echo(json.dumps(schema(name), indent=2, ensure_ascii=False))
        return EXPECTED
    width = max(map(len, schema_names()))
    for known in schema_names():
        click.echo(f"{known:{width}}  {schema(known)['title']}")
    return EXPECTED
