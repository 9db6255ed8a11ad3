"""What functions are called, with their namespaces and what they are made for."""

from __future__ import annotations

from collections.abc import Collection

from clang.cindex import Cursor, TypeKind

from symcute.frontends.cuda.library import argument_kind, children, kind_of, template_of

__all__ = ["full_name", "instance_name", "unlike"]

_PARAMETERS = (
    "TEMPLATE_TYPE_PARAMETER", "TEMPLATE_NON_TYPE_PARAMETER", "TEMPLATE_TEMPLATE_PARAMETER",
)  # fmt: skip


def full_name(cursor: Cursor) -> str:
    """Return a name with the namespaces it stands in."""
    names = [cursor.spelling]
    parent = cursor.semantic_parent
    while parent is not None and kind_of(parent) == "NAMESPACE":
        if parent.spelling and not parent.spelling.startswith("("):
            names.append(parent.spelling)
        parent = parent.semantic_parent
    return "::".join(reversed(names))


def instance_name(function: Cursor, others: Collection[str]) -> str:
    """Return the name of an instance; with its types where another has it, whose pack differs."""
    arguments = []
    given = max(function.get_num_template_arguments(), 0)
    tests = _tests(function) if given else set()
    for number in range(given):
        kind = argument_kind(function, number)
        if kind == "TYPE":
            arguments.append(function.get_template_argument_type(number).spelling)
        elif kind == "INTEGRAL":
            value = function.get_template_argument_value(number)
            arguments.append(str(bool(value)).lower() if number in tests else str(value))
        else:
            arguments.append("?")
    name = f"{full_name(function)}<{', '.join(arguments)}>"
    if name in others:
        name += f"({', '.join(p.type.spelling for p in function.get_arguments())})"
    number, first = 1, name
    while name in others:
        number += 1
        name = f"{first} ({number})"
    return name


#: Types that have one name, in canonical types.
_PLAIN = {"bool", "char", "short", "int", "long", "float", "double", "unsigned int", "__half"}


def unlike(one: str, other: str) -> bool:
    """Return whether two names are of different instances: a number, or a plain type, differs.

    >>> unlike("k<T, 140>", "k<T, 64>"), unlike("k<T, 64>", "k<n::T, 64>")
    (True, False)
    """
    pairs = [_arguments(n) for n in (one, other)]
    return len(pairs[0]) == len(pairs[1]) and any(
        a != b and ((a.isdecimal() and b.isdecimal()) or {a, b} <= _PLAIN)
        for a, b in zip(*pairs, strict=True)
    )


def _arguments(name: str) -> list[str]:
    """Return the template arguments of a name."""
    found, depth = [""], 0
    for c in name.partition("<")[2].rpartition(">")[0]:
        depth += (c in "<([{") - (c in ">)]}")
        if c == "," and not depth:
            found.append("")
        else:
            found[-1] += c
    return [a.strip() for a in found]


def _tests(function: Cursor) -> set[int]:
    """Return which template arguments are of the type bool, of which libclang gives one bit."""
    template = template_of(function)
    of = [c for c in children(template) if kind_of(c) in _PARAMETERS] if template else []
    return {n for n, c in enumerate(of) if c.type.get_canonical().kind == TypeKind.BOOL}
