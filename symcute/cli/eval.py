"""`symcute eval`: what an expression comes to."""

from __future__ import annotations

import time

import click

from symcute.cli import options
from symcute.cli.batch import run_batch
from symcute.cli.completion import language_names
from symcute.cli.failures import EXPECTED
from symcute.cli.names import CommandWithNames
from symcute.cli.show import layout_of
from symcute.errors import InputError

__all__ = ["eval_command"]


def _evaluated(text: str, given: tuple[str, ...]) -> dict[str, object]:
    from symcute.claims.language import evaluate, show_value

    return {"result": show_value(evaluate(text, given))}


def _written(text: str, given: tuple[str, ...], form: str) -> str:
    from symcute.codegen.forms import to_text
    from symcute.expr.assumptions import assuming

    with assuming(list(given)):
        return to_text(layout_of(text), form)


@click.command("eval", cls=CommandWithNames, short_help="Print the value of an expression.")
@click.argument("expr", required=False, shell_complete=language_names)
@options.given
@options.batch
@options.as_form
@options.json_flag
def eval_command(
    expr: str | None,
    given: tuple[str, ...],
    batch_file: str | None,
    form: str | None,
    as_json: bool,
) -> int:
    """Print the value of the expression EXPR, as CuTe prints it.

    EXPR is a layout, a shape, or an operation on them under its CuTe name. A dash (-) reads it
    from standard input.

    \b
    symcute eval "logical_divide((256,512), (128,64))"
    symcute eval "composition((M,N):(N,1), (N,M):(M,1))" --given "M == N"
    symcute eval "tile_to_shape(GMMA::Layout_K_SW128_Atom<half_t>{}, (128,64))" --as cpp

    With --batch, each line is an object {"expr": TEXT, "given": [TEXT...], "id": ANYTHING}, of
    which only "expr" is needed, and each line of the output is {"result": TEXT, "seconds": S}
    or {"error": {"what", "fix", "text", "position"}, "seconds": S}, with the "id" if there was
    one; "text" and "position" stand there where the error has a place.
    The output has the order of the input; blank lines are left out.

    Exit codes: 0 done, 1 a side condition was not decided, 2 bad input (in a batch: in some
    line; undecided lines count as answered), 3 internal error.
    """
    text = options.one_text(expr, batch_file, "EXPR")
    if form is not None and (text is None or as_json):
        raise InputError("--as beside --json or --batch", "ask for one of them")
    if text is None:
        return run_batch(str(batch_file), "expr", lambda t, g: _evaluated(t, (*given, *g)))
    started = time.perf_counter()
    options.remark(text)
    if form is not None:
        click.echo(_written(text, given, form))
        return EXPECTED
    answer = _evaluated(text, given)
    if as_json:
        answer["seconds"] = round(time.perf_counter() - started, 6)
        options.print_json("eval", answer)
    else:
        click.echo(answer["result"])
    return EXPECTED
