"""Text of claims to trees, by recursive descent; written from the language's reference alone.

A tree is a tuple: an operator and its operands. `("int", 3)`, `("name", "M")`, `("text", "...")`,
`("any",)`, `("paren", x)`, `("tuple", x...)`, `("layout", shape, stride)`, `("call", name, x...)`,
`("apply", callee, x...)`, `("compose", a, b)`, `("swizzle", bits, base, shift)`,
`("basis", x, mode...)`, `("neg", x)`, binary operators and relations by their sign, `and`, `or`,
`not`, `implies`, and `("exists", "i", end, x)`.
"""

from __future__ import annotations

import re
from typing import Any

Tree = tuple[Any, ...]


class Unreadable(Exception):
    """The text is not in the grammar, as far as it is read here."""


_TOKEN = re.compile(
    r"\s+|(?P<number>0[xX][0-9a-fA-F_]+|[0-9][0-9_]*)|(?P<name>[A-Za-z_][A-Za-z0-9_]*)"
    r'|(?P<text>"[^"\n]*")|(?P<sign>\*\*|//|<<|>>|<=|>=|==|!=|=>|&&|\|\||[-+*/%<>()=:,@|!])'
)
_WORDS = {"&&": "and", "||": "or", "=>": "implies", "!": "not"}
_RELATIONS = ("==", "!=", "<=", "<", ">=", ">", "|")
#: Left-associative operators, the loosest first.
_LEVELS = (("<<", ">>"), ("+", "-"), ("*", "/", "//", "%"))
_SHORT_SWIZZLE = re.compile(r'S<-?[0-9]+,-?[0-9]+,-?[0-9]+>\s*(?:o\b|[^-+\w\s("<]|$)')


def read(text: str) -> Tree:
    """Return the tree of a text."""
    reader = _Reader(text)
    tree = reader.implication()
    if reader.kind != "end":
        raise Unreadable(f"{reader.word!r} at {reader.at} of {text!r}")
    return tree


class _Reader:
    """One token of look-ahead; whether a `<` opens a tiler is known where a value is expected."""

    def __init__(self, text: str) -> None:
        self.text, self.at, self.end = text, 0, 0
        self.kind, self.word = "", ""
        self.closing = 0  # how many tilers are open in the innermost parentheses
        self.next()

    def next(self) -> str:
        """Go to the next token; returns the word left behind."""
        before = self.word
        while True:
            self.at = self.end
            if self.at == len(self.text):
                self.kind = self.word = "end"
                return before
            m = _TOKEN.match(self.text, self.at)
            if m is None:
                raise Unreadable(f"{self.text[self.at]!r} in {self.text!r}")
            self.end = m.end()
            if m.lastgroup is None:
                continue
            self.kind, self.word = m.lastgroup, m[0]
            if self.kind == "sign" and self.word in _WORDS:
                self.kind, self.word = "name", _WORDS[self.word]
            return before

    def take(self, word: str) -> bool:
        if self.kind in ("sign", "name") and self.word == word:
            self.next()
            return True
        return False

    def need(self, word: str) -> None:
        if word == ">" and self.kind == "sign" and self.word[0] == ">" and len(self.word) > 1:
            self.end = self.at + 1  # `>>` closes two tilers, `>=` one
            self.next()
            return
        if not self.take(word):
            raise Unreadable(f"{word!r} expected, found {self.word!r} in {self.text!r}")

    # --- from the loosest to the tightest -------------------------------------------------------

    def implication(self) -> Tree:
        if self.take("exists"):
            name = self.next()
            self.need("<")
            end = self.binary(0)
            self.need(":")
            return ("exists", name, end, self.implication())
        left = self.joined("or")
        return ("implies", left, self.implication()) if self.take("implies") else left

    def joined(self, word: str) -> Tree:
        inner = (lambda: self.joined("and")) if word == "or" else self.negation
        parts = [inner()]
        while self.take(word):
            parts.append(inner())
        return parts[0] if len(parts) == 1 else (word, *parts)

    def negation(self) -> Tree:
        if self.kind == "name" and self.word == "not":
            self.next()
            return ("not", self.negation())
        return self.comparison()

    def comparison(self) -> Tree:
        values, signs = [self.composed()], []
        while self.kind == "sign" and self.word in _RELATIONS:
            if self.word == ">" and self.closing:
                break
            signs.append(self.next())
            values.append(self.composed())
        links = [(s, a, b) for s, a, b in zip(signs, values, values[1:], strict=False)]
        if not links:
            return values[0]
        return links[0] if len(links) == 1 else ("and", *links)

    def composed(self) -> Tree:
        found = self.layout()
        while self.take("o"):
            found = ("compose", found, self.layout())
        return found

    def layout(self) -> Tree:
        shape = self.binary(0)
        return ("layout", shape, self.binary(0)) if self.take(":") else shape

    def binary(self, level: int) -> Tree:
        if level == len(_LEVELS):
            return self.signed()
        found = self.binary(level + 1)
        while self.kind == "sign" and self.word in _LEVELS[level]:
            if self.word == ">>" and self.closing:
                break
            found = (self.next(), found, self.binary(level + 1))
        return found

    def signed(self) -> Tree:
        if self.take("-"):
            return ("neg", self.signed())
        if self.take("+"):
            return self.signed()
        base = self.operand()
        return ("**", base, self.signed()) if self.take("**") else base

    def operand(self) -> Tree:
        found = self.head()
        modes = []
        while self.take("@"):
            modes.append(self.integer())
        return ("basis", found, *modes) if modes else found

    def integer(self) -> int:
        sign = -1 if self.take("-") else 1
        if self.kind != "number":
            raise Unreadable(f"a number expected, found {self.word!r}")
        return sign * _number(self.next())

    def head(self) -> Tree:
        if self.kind == "number":
            return ("int", _number(self.next()))
        if self.kind == "text":
            return ("text", self.next()[1:-1])
        found = self.callee()
        while self.kind == "sign" and self.word == "(":
            arguments = self.arguments()
            if found[0] == "name":
                found = ("call", found[1], *arguments)
            else:
                found = ("apply", found, *arguments)
        return found

    def callee(self) -> Tree:
        if self.kind == "sign" and self.word == "<":
            return self.tiler()
        if self.kind == "sign" and self.word == "(":
            closed, self.closing = self.closing, 0
            self.next()
            items, comma = [], False
            while not (self.kind == "sign" and self.word == ")"):
                items.append(self.implication())
                comma = self.take(",")
                if not comma:
                    break
            self.need_closing(closed)
            if len(items) == 1 and not comma:
                return ("paren", items[0])
            return ("tuple", *items)
        if self.kind != "name" or self.word in ("and", "or", "not", "implies"):
            raise Unreadable(f"a value expected, found {self.word!r} in {self.text!r}")
        swizzled = self.word in ("Sw", "Swizzle") and self.text[self.end :].startswith("<")
        if swizzled or (self.word == "S" and _SHORT_SWIZZLE.match(self.text, self.at)):
            self.next()
            self.need("<")
            bits = self.integer()
            self.need(",")
            base = self.integer()
            self.need(",")
            shift = self.integer()
            self.need(">")
            return ("swizzle", bits, base, shift)
        word = self.next()
        if word == "_":
            return ("any",)
        if re.fullmatch("_[0-9]+", word):  # how CuTe prints a static number
            return ("int", int(word[1:]))
        return ("name", word)

    def tiler(self) -> Tree:
        self.need("<")
        self.closing += 1
        items = [self.composed()]
        while self.take(","):
            items.append(self.composed())
        self.closing -= 1
        self.need(">")
        return ("tuple", *items)

    def arguments(self) -> list[Tree]:
        closed, self.closing = self.closing, 0
        self.need("(")
        found = []
        while not (self.kind == "sign" and self.word == ")"):
            found.append(self.implication())
            if not self.take(","):
                break
        self.need_closing(closed)
        return found

    def need_closing(self, closed: int) -> None:
        self.closing = closed
        self.need(")")


def _number(word: str) -> int:
    return int(word.replace("_", ""), 16 if word[:2] in ("0x", "0X") else 10)


def names(tree: Tree) -> set[str]:
    """Return the dims of a tree, those in quoted expressions included."""
    if tree[0] == "name":
        return {tree[1]}
    if tree[0] == "call" and tree[1] == "no_overflow" and tree[2][0] == "text":
        return names(read(tree[2][1])).union(*map(names, tree[3:]))
    if tree[0] == "call" and tree[1] == "prints_as":
        return names(tree[2])
    found = set[str]().union(*(names(x) for x in tree[1:] if isinstance(x, tuple)))
    return found - {tree[1]} if tree[0] == "exists" else found
