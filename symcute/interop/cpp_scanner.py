"""Cuts CuTe C++ text into tokens: names without their namespace, integers, signs.

Source: cute/numeric/integral_constant.hpp (`_4`, `_m1`; printed: `_4`, `_-1`).
"""

from __future__ import annotations

import re
from typing import NamedTuple

from symcute.errors import InputError, TextError

__all__ = ["Token", "scan"]

#: Characters of a text.
MAX_LENGTH = 20_000

_TOKEN = re.compile(
    r"""
      (?P<SPACE>  \s+ | //[^\n]* | /\*.*?\*/ )
    | (?P<STATIC> (?: (?:::)? cute:: )? _[m-]?[0-9]+ (?!\w) )
    | (?P<NUMBER> (?: 0[xX][0-9a-fA-F]+ | [0-9]+ (?:'[0-9]+)* ) (?: [uUlL]{1,3} | _c )? (?!\w) )
    | (?P<NAME>   (?:::)? [A-Za-z_]\w* (?: ::[A-Za-z_]\w* )* )
    | (?P<SIGN>   [-+*/%<>(){},:;=] )
    """,
    re.VERBOSE | re.DOTALL | re.ASCII,
)


class Token(NamedTuple):
    """A piece of the text. `kind` is STATIC, NUMBER, NAME, END, or the sign itself."""

    kind: str
    text: str
    pos: int


def scan(text: str) -> list[Token]:
    """Return the tokens, the last one being END; comments and white space are dropped.

    Errors: TextError for a character that is not understood, or text that is too long.

    >>> [token.text for token in scan("cute::Int<4>{} /* static */, _m1")]
    ['Int', '<', '4', '>', '{', '}', ',', '_m1', 'the end']
    """
    if not isinstance(text, str):
        raise InputError(f"the C++ text is a {type(text).__name__}", "give it as a str")
    if len(text) > MAX_LENGTH:
        what = f"this text is longer than {MAX_LENGTH} characters"
        raise TextError(what, text, MAX_LENGTH, "give one layout")
    tokens, position = [], 0
    while position < len(text):
        match = _TOKEN.match(text, position)
        if match is None:
            what = f"the character {text[position]!r} is not understood"
            raise TextError(what, text, position, "name the integer before, and use that")
        kind, word = match.lastgroup or "", match.group()
        if kind in ("NAME", "STATIC"):
            word = re.sub(r"\A(::)?(cute|std)::", "", word)
        if kind != "SPACE":
            tokens.append(Token(word if kind == "SIGN" else kind, word, position))
        position = match.end()
    return [*tokens, Token("END", "the end", len(text))]
