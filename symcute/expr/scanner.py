"""Text to tokens: what only the left context can tell is settled here.

`<` opens a tiler where a value is expected and compares after one, `>` closes the tiler it is
directly inside, `o` is composition after a value and a name elsewhere.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

__all__ = [
    "ENDS_VALUE",
    "MAX_DIGITS",
    "MAX_HEX_DIGITS",
    "MAX_NESTING",
    "Refusal",
    "Scanner",
]

#: Brackets open at one place.
MAX_NESTING = 64
#: Digits of a decimal number (Python itself stops at 4300).
MAX_DIGITS = 4_000
#: Digits of a hexadecimal number: such a number stays below MAX_DIGITS in decimal.
MAX_HEX_DIGITS = 3_200


class Refusal(Exception):
    """What is wrong and where, before the text and its kind are known."""

    def __init__(self, what: str, position: int, fix: str) -> None:
        self.what = what
        self.position = position
        self.fix = fix
        super().__init__(what)


_TOKEN = re.compile(
    r"""
      (?P<SPACE>   [ \t\r\n]+ )
    | (?P<NUMBER>  0[xX][0-9a-fA-F]+ (?:_[0-9a-fA-F]+)* | [0-9]+ (?:_[0-9]+)*
                 | _-?[0-9]+ (?![A-Za-z0-9_]) )
    | (?P<SWIZZLE> (?:Swizzle|Sw)(?=<)
                 | S(?=<-?[0-9]+,-?[0-9]+,-?[0-9]+> \s* (?: o\b | [^-+\w\s("<] | $ )) )
    | (?P<NAME>    [A-Za-z_][A-Za-z0-9_]* )
    | (?P<STRING>  "[^"\n]*" )
    | (?P<SIGN>    \*\* | // | << | >> | <= | >= | == | != | => | && | \|\| | [-+*/%<>()=:,@|!] )
    """,
    re.VERBOSE,
)

_SIGNS = {
    "**": "POW", "//": "FLOORDIV", "<<": "SHL", ">>": "SHR", "<=": "LE", ">=": "GE", "==": "EQ",
    "!=": "NE", "=>": "IMPLIES", "&&": "AND", "||": "OR", "-": "MINUS", "+": "PLUS", "*": "STAR",
    "/": "SLASH", "%": "PERCENT", "<": "LT", ">": "GT", "(": "LPAR", ")": "RPAR", "=": "ASSIGN",
    ":": "COLON", ",": "COMMA", "@": "AT", "|": "BAR", "!": "NOT",
}  # fmt: skip
_WORDS = {"and": "AND", "or": "OR", "not": "NOT", "implies": "IMPLIES", "_": "ANY"}
ENDS_VALUE = frozenset({"NUMBER", "NAME", "STRING", "ANY", "RPAR", "RANGLE"})
_INSTEAD = {
    "≤": "<=", "≥": ">=", "≠": "!=", "∘": "o", "−": "-", "×": "*", "·": "*", "∧": "and",
    "∨": "or", "¬": "not", "⇒": "=>", "→": "=>", "∣": "|", "^": "**", ".": "integers only",
    "'": 'double quotes (")', "[": "( and )", "]": "( and )", "{": "( and )", "}": "( and )",
    ";": ",", "&": "&&",
}  # fmt: skip


class Scanner:
    """Cuts a text into tokens (kind, start, end), lazily, left to right."""

    def __init__(self, text: str) -> None:
        self.text = text
        #: The brackets open so far: the character and its offset.
        self.open: list[tuple[str, int]] = []

    def __iter__(self) -> Iterator[tuple[str, int, int]]:
        position, after_value = 0, False
        while position < len(self.text):
            match = _TOKEN.match(self.text, position)
            if match is None:
                raise self._unknown(position)
            kind, end = match.lastgroup or "", match.end()
            if kind == "SIGN":
                kind, end = self._sign(match.group(), position, after_value)
            elif kind == "NAME":
                word = match.group()
                kind = "OF" if after_value and word == "o" else _WORDS.get(word, kind)
            elif kind == "NUMBER":
                _check_number(match.group(), position)
            elif kind == "STRING":
                self._check_string(match.group(), position)
            if kind != "SPACE":
                yield kind, position, end
                after_value = kind in ENDS_VALUE
            position = end

    def _sign(self, sign: str, position: int, after_value: bool) -> tuple[str, int]:
        """Return the kind and the end of a sign, keeping count of the brackets."""
        inside = self.open[-1][0] if self.open else ""
        if sign == "(" or (sign[0] == "<" and not after_value):
            if len(self.open) == MAX_NESTING:
                raise Refusal(
                    f"brackets are nested more than {MAX_NESTING} deep", position, "nest them less"
                )
            self.open.append((sign[0], position))
            return ("LPAR" if sign == "(" else "LANGLE"), position + 1
        if sign[0] == ">" and inside == "<":
            self.open.pop()
            return "RANGLE", position + 1
        if sign == ")" and inside == "(":
            self.open.pop()
        return _SIGNS[sign], position + len(sign)

    def _check_string(self, string: str, position: int) -> None:
        if not string.isprintable():
            bad = next(k for k, character in enumerate(string) if not character.isprintable())
            raise self._unknown(position + bad)

    def _unknown(self, position: int) -> Refusal:
        character = self.text[position]
        if character == '"':
            return Refusal("this double quote is not closed", position, 'write the second "')
        if not character.isprintable():
            return Refusal(f"the character {character!a} cannot be used", position, "remove it")
        if character.isalnum():
            fix = "names are made of the letters a-z and A-Z, digits and _"
            return Refusal(f"the letter '{character}' cannot be used", position, fix)
        instead = _INSTEAD.get(character)
        fix = f"write {instead}" if instead else "remove it"
        return Refusal(f"the character '{character}' means nothing here", position, fix)


def _check_number(number: str, position: int) -> None:
    digits = number.replace("_", "").removeprefix("-")
    if digits[:2] in ("0x", "0X"):
        size, limit = len(digits) - 2, MAX_HEX_DIGITS
    else:
        size, limit = len(digits), MAX_DIGITS
        if size > 1 and digits[0] == "0" and size <= limit:
            fix = f"write {digits.lstrip('0') or '0'}"
            raise Refusal("a number starts with 0", position, fix)
    if size > limit:
        raise Refusal(
            f"a number has {size} digits", position, f"numbers have at most {limit} digits"
        )
