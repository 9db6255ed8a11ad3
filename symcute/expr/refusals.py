"""What could have stood where a text is not in the grammar, in words."""

from __future__ import annotations

from itertools import takewhile

from symcute.expr.lalr import END, Unexpected
from symcute.expr.scanner import ENDS_VALUE, Refusal, Scanner

__all__ = ["BINARY", "BITWISE", "explain"]

#: The node that each operator between two parts makes.
BINARY = {
    "PLUS": "add", "MINUS": "sub", "STAR": "mul", "SLASH": "div", "FLOORDIV": "floordiv",
    "PERCENT": "mod", "POW": "pow", "SHL": "shl", "SHR": "shr", "EQ": "eq", "NE": "ne",
    "LE": "le", "LT": "lt", "GE": "ge", "GT": "gt", "BAR": "divides",
}  # fmt: skip

#: Operators that are calls.
BITWISE = {"AMPERSAND": "bit_and", "CARET": "bit_xor"}

_OPERATORS = frozenset(BINARY) | frozenset(BITWISE) | {"AND", "OR", "IMPLIES", "OF", "COLON", "AT"}
_CLOSERS = {"COMMA": "','", "RPAR": "')'", "RANGLE": "'>'", "$END": "the end"}
_STARTS_VALUE = frozenset({"NUMBER", "NAME", "STRING", "ANY", "SWIZZLE", "LPAR", "LANGLE", "NOT"})


def explain(text: str, what: str, error: Unexpected) -> Refusal:
    """Say in words what could have stood where the parser met a token that fits nowhere."""
    kind, word, position, _ = error.token
    possible = error.possible
    scanner = Scanner(text)
    before = list(takewhile(lambda lexeme: lexeme[1] < position, scanner))
    # The parser may have closed a value already because of the token that it then refused; an
    # operator could still have followed it, but for the bare ints of a swizzle.
    if before and before[-1][0] in ENDS_VALUE and possible not in ({"COMMA"}, {"RANGLE"}):
        possible |= _OPERATORS
    if kind == END:
        found, fix = "the end", _how_to_end(scanner, before, what, possible)
    else:
        found = f"'{word}'" if len(word) <= 20 else f"'{word[:20]}...'"
        fix = _how_to_go_on(kind, possible)
    return Refusal(f"expected {_expected(possible)}, found {found}", position, fix)


def _expected(possible: frozenset[str]) -> str:
    words = []
    if "NUMBER" in possible:
        words.append("a number")
        words += ["a name", "'('"] if "NAME" in possible else []
    elif "NAME" in possible:
        words.append("a name")
    elif possible & _OPERATORS:
        words.append("an operator")
    words += [word for kind, word in _CLOSERS.items() if kind in possible]
    return " or ".join(filter(None, [", ".join(words[:-1]), words[-1]]))


def _how_to_end(
    scanner: Scanner, before: list[tuple[str, int, int]], what: str, possible: frozenset[str]
) -> str:
    if not before:
        return f"write the {what}"
    if scanner.open and possible & {"RPAR", "RANGLE"}:
        bracket, position = scanner.open[-1]
        return f"close the '{bracket}' of column {position + 1}"
    _, start, end = before[-1]
    return f"write what follows '{scanner.text[start:end]}'"


def _how_to_go_on(found: str, possible: frozenset[str]) -> str:
    after_value = "NUMBER" not in possible
    if found == "ASSIGN":
        return "write == to compare"
    if found == "COMMA" and "$END" in possible:
        return "put the items of a tuple in parentheses"
    if found == "COLON" and after_value:
        return "a layout has one ':', so put the inner layout in parentheses"
    if found in ("RPAR", "RANGLE") and after_value and not possible & {"RPAR", "RANGLE"}:
        return "remove it, or open the bracket that it closes"
    if found in _STARTS_VALUE and after_value:
        return "put an operator or ',' before it"
    return "remove it, or write what is missing before it"
