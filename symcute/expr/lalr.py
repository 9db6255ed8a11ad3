"""The LALR parser: tokens in, what a builder makes of them out, by the tables of `grammar.json`.

`tools/grammar.py` has lark make the tables from `grammar.lark`; here they are only followed. There
is no recursion, and each token is looked at once.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

__all__ = ["END", "Token", "Unexpected", "run"]

#: The token behind the last.
END = "$END"


class Token(NamedTuple):
    """A piece of the text."""

    kind: str
    word: str
    pos: int
    end: int


class Unexpected(Exception):
    """A token fits nowhere; `possible` are the kinds of those that would have."""

    def __init__(self, token: Token, possible: frozenset[str]) -> None:
        self.token, self.possible = token, possible
        super().__init__(token)


class _Tables(NamedTuple):
    """The rules, as (origin, length, method), and for each state what follows on a token or origin:
    the next state, or -1 - k for the end of rule k.
    """

    rules: list[tuple[str, int, str]]
    states: list[dict[str, int]]
    end: int


@cache
def _tables() -> _Tables:
    text = Path(__file__).with_name("grammar.json").read_text(encoding="utf-8")
    return _Tables(**json.loads(text))


def run(tokens: Iterable[Token], length: int, builder: object) -> Any:
    """Return what the methods of `builder`, one for each rule, make of the tokens of a text.

    `length` is that of the text. Errors: Unexpected, and what the methods raise.
    """
    tables = _tables()
    states, values = [0], list[Any]()
    for token in tokens:
        _reduced(tables, states, values, token, builder)
        states.append(tables.states[states[-1]][token.kind])
        values.append(token)
    _reduced(tables, states, values, Token(END, "", length, length), builder)
    return values[-1]


def _reduced(
    tables: _Tables, states: list[int], values: list[Any], token: Token, builder: object
) -> None:
    """End the rules that end before a token."""
    while True:
        step = tables.states[states[-1]].get(token.kind)
        if step is None:
            kinds = (k for k in tables.states[states[-1]] if k.isupper())
            raise Unexpected(token, frozenset(k for k in kinds if _fits(tables, states, k)))
        if step >= 0:
            return
        origin, size, method = tables.rules[-1 - step]
        parts: list[Any] = []
        for value in values[-size:]:
            parts += value if isinstance(value, list) else (value,)
        del states[-size:], values[-size:]
        states.append(tables.states[states[-1]][origin])
        values.append(
            parts[0] if method == "=" else getattr(builder, method)(parts) if method else parts
        )
        if token.kind == END and states[-1] == tables.end:
            return


def _fits(tables: _Tables, states: list[int], kind: str) -> bool:
    """Return whether a token of a kind could come next."""
    states = states.copy()
    while (step := tables.states[states[-1]].get(kind)) is not None and step < 0:
        origin, size, _ = tables.rules[-1 - step]
        del states[-size:]
        states.append(tables.states[states[-1]][origin])
        if kind == END and states[-1] == tables.end:
            return True
    return step is not None
