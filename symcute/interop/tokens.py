"""Text of other languages as tokens, and what reads them one after the other."""

from __future__ import annotations

import re
from typing import NamedTuple, NoReturn

from symcute.errors import InputError, TextError

__all__ = ["Token", "TokenReader", "scan"]

#: Characters of a text.
MAX_LENGTH = 20_000


class Token(NamedTuple):
    """A piece of the text. `kind` is a group of the pattern, END, or the sign itself."""

    kind: str
    text: str
    pos: int


def scan(text: str, pattern: re.Pattern[str], fix: str) -> list[Token]:
    """Return the tokens, the last one being END; what the group SPACE matches is dropped.

    Errors: TextError for a character that the pattern does not match, with `fix`, and for text that
    is too long.

    >>> pattern = re.compile(r"(?P<SPACE>\\s+)|(?:cute::)?(?P<NAME>[a-z]+)|(?P<SIGN>[<>])")
    >>> [(token.kind, token.text) for token in scan("cute::shape <", pattern, "")]
    [('NAME', 'shape'), ('<', '<'), ('END', 'the end')]
    """
    if len(text) > MAX_LENGTH:
        what = f"this text is longer than {MAX_LENGTH} characters"
        raise TextError(what, text, MAX_LENGTH, "give one layout")
    tokens, position = [], 0
    while position < len(text):
        match = pattern.match(text, position)
        if match is None:
            what = f"the character {text[position]!r} is not understood"
            raise TextError(what, text, position, fix)
        kind = match.lastgroup or ""
        word = match[kind]
        if kind != "SPACE":
            tokens.append(Token(word if kind == "SIGN" else kind, word, position))
        position = match.end()
    return [*tokens, Token("END", "the end", len(text))]


class TokenReader:
    """Where in the tokens of a text a reader is, what it takes, needs and refuses."""

    def __init__(self, text: str, pattern: re.Pattern[str], language: str, fix: str) -> None:
        if not isinstance(text, str):
            raise InputError(f"the {language} text is a {type(text).__name__}", "give it as a str")
        self.text, self.place = text, 0
        self.tokens = scan(text, pattern, fix)

    @property
    def _here(self) -> Token:
        return self.tokens[self.place]

    def _take(self, kind: str) -> bool:
        found = self._here.kind == kind
        self.place += found
        return found

    def _need(self, kind: str) -> Token:
        token = self._here
        if not self._take(kind):
            self._refuse(f"expected {kind.lower() if kind.isalpha() else repr(kind)}")
        return token

    def _refuse(self, what: str, fix: str = "", token: Token | None = None) -> NoReturn:
        token = token or self._here
        raise TextError(f"{what}, found {token.text!r}", self.text, token.pos, fix)
