"""Arguments for templates of kernels: those that are given, and what is tried where none are."""

from __future__ import annotations

import re
from collections.abc import Mapping

from clang.cindex import Cursor, CursorKind, Type

from symcute.frontends.cuda.library import children, kind_of

__all__ = ["choices", "filled", "template_parameters"]

#: Numbers that stand for those of a template, if its text compares it with none.
_NUMBERS = ("32", "128", "64", "4", "8", "16", "256", "1", "2")
_INTEGERS = {
    "INT", "UINT", "LONG", "ULONG", "LONGLONG", "ULONGLONG", "SHORT", "USHORT",
    "CHAR_S", "SCHAR", "UCHAR",
}  # fmt: skip
_TYPES = ("float", "int", "__half")
#: Choices of one template that are tried.
_MOST = 12


def template_parameters(template: Cursor) -> list[str]:
    """Return the names of what a template is over."""
    return [c.spelling for c in _over(template)]


def _over(template: Cursor) -> list[Cursor]:
    return [
        c
        for c in children(template)
        if kind_of(c).startswith("TEMPLATE_") and kind_of(c).endswith("PARAMETER")
    ]


def filled(template: Cursor, given: Mapping[str, str]) -> str | None:
    """Return template arguments as text, or None where one that is needed is not given."""
    values: list[str] = []
    for name in template_parameters(template):
        if name not in given:
            break
        values.append(str(given[name]))
    # Those that are not given must have defaults; clang says so when they have not.
    return ", ".join(values) if values else None


def choices(template: Cursor) -> list[str]:
    """Return arguments for a template of which nothing is made, the likeliest first.

    Types are `float`, numbers those that the text compares them with, or else 32 and other powers
    of 2, and what has a default is that. None where a parameter is of another kind. What is said
    of such an instance is said of no other.
    """
    words = [t.spelling for t in template.get_tokens()]
    columns: list[list[str]] = []
    for parameter in _over(template):
        tokens = [t.spelling for t in parameter.get_tokens()]
        if "=" in tokens or "..." in tokens:
            break
        column = _column(parameter, words)
        if not column:
            return []
        columns.append(column)
    first = [column[0] for column in columns]
    found = {", ".join(first): None}
    # One after the other, and all of them together.
    for n, column in enumerate(columns):
        found |= {", ".join([*first[:n], value, *first[n + 1 :]]): None for value in column[1:3]}
    longest = max(map(len, columns), default=0)
    for row in range(1, longest):
        found[", ".join(column[min(row, len(column) - 1)] for column in columns)] = None
    return list(found)[:_MOST]


def _column(parameter: Cursor, words: list[str]) -> list[str]:
    if kind_of(parameter) == "TEMPLATE_TYPE_PARAMETER":
        return list(_TYPES)
    if kind_of(parameter) != "TEMPLATE_NON_TYPE_PARAMETER":
        return []
    type: Type = parameter.type.get_canonical()
    if type.kind.name == "BOOL":
        return ["false", "true"]
    if type.kind.name in _INTEGERS:
        return list(dict.fromkeys((*_compared(parameter.spelling, words), *_NUMBERS)))
    constants = children(type.get_declaration()) if type.kind.name == "ENUM" else []
    named = [c for c in constants if c.kind == CursorKind.ENUM_CONSTANT_DECL]
    return [f"static_cast<{type.spelling}>({c.enum_value})" for c in named]


def _compared(name: str, words: list[str]) -> list[str]:
    """Return the numbers that a name is said to be equal to.

    >>> _compared("N", ["if", "(", "N", "==", "64", ")"])
    ['64']
    """
    found = []
    for n, word in enumerate(words):
        if word == "==" and 0 < n < len(words) - 1:
            one, other = words[n - 1], words[n + 1]
            number = other if one == name else one if other == name else ""
            found += [number] if re.fullmatch(r"\d+", number) else []
    return found
