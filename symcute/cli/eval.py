"""`symcute eval`: what an expression comes to."""

from __future__ import annotations

import json
import time

import click

from symcute.cli import options
from symcute.cli.batch import run_batch
from symcute.cli.completion import language_names
from symcute.cli.failures import EXPECTED
from symcute.cli.names import CommandWithNames
from symcute.schemas import stamped

__all__ = ["eval_command"]


def _evaluated(text: str, given: tuple[str, ...]) -> dict[str, object]:
    from symcute.claims.language import evaluate, show_value

    return {"result": show_value(evaluate(text, given))}


@click.command("eval", cls=CommandWithNames, short_help="Print what an expression comes to.")
@click.argument("expr", required=False, shell_complete=language_names)
@options.given
@options.batch
@options.json_flag
def eval_command(
    expr: str | None, given: tuple[str, ...], batch_file: str | None, as_json: bool
) -> int:
    """Print what the expression EXPR comes to, as CuTe prints it.

    EXPR is a layout, a shape, or an operation on them under its CuTe name; - reads it from
    standard input.

    \b
    symcute eval "logical_divide((256,512), (128,64))"
    symcute eval "composition((M,N):(N,1), (N,M):(M,1))" --given "M == N"

    With --batch, each line is an object {"expr": TEXT, "given": [TEXT...], "id": ANYTHING}, of
    which only "expr" is needed, and each line of the output is {"result": TEXT, "seconds": S}
    or {"error": {"what", "fix", "position"}, "seconds": S}, with the "id" if there was one.
    Lines come out in the order they came in, each as soon as it is known; blank ones are passed
    over.

    Exit codes: 0 done, 1 a side condition was not decided, 2 bad input (in a batch: in some
    line; undecided lines count as answered), 3 internal error.
    """
    text = options.one_text(expr, batch_file, "EXPR")
    if text is None:
        return run_batch(str(batch_file), "expr", lambda t, g: _evaluated(t, (*given, *g)))
    started = time.perf_counter()
    answer = _evaluated(text, given)
    if as_json:
        answer["seconds"] = round(time.perf_counter() - started, 6)
        click.echo(json.dumps(stamped("eval", answer)))
    else:
        click.echo(answer["result"])
    return EXPECTED
