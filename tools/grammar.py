"""Write the tables of the grammar, which parsing reads: `python tools/grammar.py`.

lark makes an LALR parser of `symcute/expr/grammar.lark`; what is kept of it is which rule or state
follows on which token in which state, so that nothing that parses needs lark, or waits for it.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from lark import Lark
from lark.lexer import Lexer
from lark.parsers.lalr_analysis import Shift

FOLDER = Path(__file__).parents[1] / "symcute" / "expr"


class _Scanned(Lexer):
    """Stands for the scanner: the tables need the names of the tokens alone."""

    def __init__(self, lexer_conf: object) -> None:
        """Take lark's configuration, which is not needed."""

    def lex(self, lexer_state: Any, parser_state: Any) -> Any:
        """Yield no tokens."""
        return iter(())


def tables() -> dict[str, Any]:
    """Return the rules, as (origin, length, what makes of the parts), and what each state does.

    In a state a token stands for the next state, or for -1 - k, which reduces by rule k; a rule's
    origin stands for the next state. States are numbered as a walk from the first meets them.
    """
    grammar = (FOLDER / "grammar.lark").read_text(encoding="utf-8")
    lark = Lark(grammar, parser="lalr", lexer=_Scanned)
    table = lark.parser.parser._parse_table
    numbers = {rule: k for k, rule in enumerate(lark.rules)}
    rules = [(r.origin.name, len(r.expansion), _action(r)) for r in lark.rules]
    order, states = [table.start_states["start"]], []
    for state in order:
        row = {}
        for symbol, (action, target) in sorted(table.states[state].items()):
            if action is Shift and target not in order:
                order.append(target)
            row[symbol] = order.index(target) if action is Shift else -1 - numbers[target]
        states.append(row)
    return {"rules": rules, "states": states, "end": order.index(table.end_states["start"])}


def _action(rule: Any) -> str:
    """Return the method that makes a node, "" for parts that go into the rule around, "=" for one
    part that stands for itself.
    """
    origin = rule.origin.name
    if origin.startswith("_"):
        return ""
    if rule.options.expand1 and not rule.alias and len(rule.expansion) == 1:
        return "="
    return str(rule.alias or origin)


def written() -> str:
    """Return the tables as they are kept: a rule or a state a line."""
    found = tables()
    rules, states = (
        ",\n".join(json.dumps(row) for row in found[name]) for name in ("rules", "states")
    )
    return f'{{"end": {found["end"]}, "rules": [\n{rules}\n], "states": [\n{states}\n]}}\n'


if __name__ == "__main__":
    (FOLDER / "grammar.json").write_text(written(), encoding="utf-8")
