"""Terms and formulas as data, JSON lists, and as trees.

A term is an int, the name of a dim, or `[operator, term...]`; a formula is `[operator, ...]` over
terms or formulas. Operators mean what docs/reference/certificates.md says, for all integers.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, TypeAlias

MAX_DEPTH, MAX_MODES, MAX_EXPONENT = 300, 64, 64


class Refused(Exception):
    """Why a certificate is rejected."""


@dataclass(frozen=True, slots=True)
class Node:
    """A construct: `int` and `dim` with their value, else an operator and its operands."""

    op: str
    args: tuple[Any, ...]

    def __add__(self, other: Node | int) -> Node:
        return Node("add", (self, lit(other)))

    def __sub__(self, other: Node | int) -> Node:
        return Node("sub", (self, lit(other)))

    def __mul__(self, other: Node | int) -> Node:
        return Node("mul", (self, lit(other)))


#: The modes of a layout, flat: (extent, stride).
Modes: TypeAlias = tuple[tuple[Node, Node], ...]

#: The integer functions that are no polynomials, beside the exact quotient `div`.
ATOMS = ("floor_div", "ceil_div", "mod", "min", "max")
RELATIONS = ("eq", "ne", "le", "lt", "divides")
#: Operators as data and in text, how many operands each has (0: any number), how it binds.
_TERMS = {"+": ("add", 2, 7), "-": ("sub", 2, 7), "*": ("mul", 2, 8), "/": ("div", 2, 8),
          "//": ("floor_div", 2, 8), "%": ("mod", 2, 8), "**": ("pow", 2, 10),
          "neg": ("neg", 1, 9), "ceil_div": ("ceil_div", 2, 11), "min": ("min", 2, 11),
          "max": ("max", 2, 11)}  # fmt: skip
_FORMULAS = {"==": ("eq", 2, 4), "!=": ("ne", 2, 4), "<=": ("le", 2, 4), "<": ("lt", 2, 4),
             "|": ("divides", 2, 4), "and": ("and", 0, 2), "or": ("or", 0, 1),
             "not": ("not", 1, 3), "implies": ("implies", 2, 0)}  # fmt: skip
_SIGNS = {op: (sign, level) for sign, (op, _, level) in (_TERMS | _FORMULAS).items()}
_NAME = re.compile("[A-Za-z_][A-Za-z0-9_]*")


def listed(item: Any, *kinds: type) -> list[Any]:
    """Return a JSON list whose items have these types."""
    if type(item) is not list or len(item) != len(kinds):
        raise Refused(f"{str(item)[:60]} is no list of {len(kinds)} items")
    for x, kind in zip(item, kinds, strict=True):
        if kind is not object and type(x) is not kind:
            raise Refused(f"{str(x)[:40]!r} is no {kind.__name__}")
    return list(item)


def every(item: Any, kind: type = object) -> list[Any]:
    """Return a JSON list, of any length, of items of a type."""
    return listed(item, *[kind] * (len(item) if type(item) is list else 0))


def number(item: Any, end: int) -> int:
    """Return an int from 0 to end - 1."""
    if type(item) is not int or not 0 <= item < end:
        raise Refused(f"{str(item)[:40]!r} is no number from 0 to {end - 1}")
    return item


def lit(value: Node | int) -> Node:
    """Return an int as a leaf."""
    return value if isinstance(value, Node) else Node("int", (value,))


def dim(key: str) -> Node:
    """Return a name as a leaf."""
    return Node("dim", (key,))


def le(a: Node | int, b: Node | int) -> Node:
    """Return `a <= b`."""
    return Node("le", (lit(a), lit(b)))


def eq(a: Node | int, b: Node | int) -> Node:
    """Return `a == b`."""
    return Node("eq", (lit(a), lit(b)))


def divides(a: Node, b: Node) -> Node:
    """Return `a divides b`."""
    return Node("divides", (a, b))


def total(terms: Iterable[Node]) -> Node:
    """Return a sum."""
    found = lit(0)
    for x in terms:
        found = found + x
    return found


def conjunction(parts: list[Node]) -> Node:
    """Return the flat conjunction; of one part that part, of none what is true."""
    found = tuple(y for x in parts for y in (x.args if x.op == "and" else (x,)))
    return found[0] if len(found) == 1 else Node("and", found)


def negation(f: Node) -> Node:
    """Return the negation, pushed inwards as far as it goes."""
    if f.op in ("le", "lt"):
        return Node("lt" if f.op == "le" else "le", f.args[::-1])
    if f.op in ("eq", "ne"):
        return Node("ne" if f.op == "eq" else "eq", f.args)
    if f.op == "and":
        return Node("or", tuple(map(negation, f.args)))
    if f.op == "or":
        return conjunction([negation(x) for x in f.args])
    if f.op == "implies":
        return conjunction([f.args[0], negation(f.args[1])])
    return f.args[0] if f.op == "not" else Node("not", (f,))


def name(item: Any) -> str:
    """Return a name; primes behind it are for the variables of definitions."""
    if type(item) is not str or not _NAME.fullmatch(item):
        raise Refused(f"{str(item)[:40]!r} is no dim")
    return item


def term(item: Any, depth: int = 0) -> Node:
    """Return the term that data is."""
    if type(item) is int:
        return Node("int", (item,))
    if type(item) is str:
        return Node("dim", (name(item[:-1]) + "'" if item[-1:] == "'" else name(item),))
    op, args = _operands(item, _TERMS, "term", depth)
    found = tuple(term(x, depth + 1) for x in args)
    if op == "pow" and not (found[1].op == "int" and 0 <= found[1].args[0] <= MAX_EXPONENT):
        raise Refused(f"an exponent is not a number from 0 to {MAX_EXPONENT}")
    return Node(op, found)


def formula(item: Any, depth: int = 0) -> Node:
    """Return the formula that data is."""
    op, args = _operands(item, _FORMULAS, "formula", depth)
    read = term if op in RELATIONS else formula
    return Node(op, tuple(read(x, depth + 1) for x in args))


def _operands(item: Any, known: Any, what: str, depth: int) -> tuple[str, list[Any]]:
    sign = item[0] if type(item) is list and item and type(item[0]) is str else ""
    op, count, _ = known.get(sign, ("", 0, 0))
    if not op or (count and len(item) != count + 1):
        raise Refused(f"{str(item)[:40]} is no {what}")
    if depth > MAX_DEPTH:
        raise Refused(f"a {what} is nested too deeply")
    return op, item[1:]


def data(x: Node) -> Any:
    """Return a term or a formula as data."""
    return x.args[0] if x.op in ("int", "dim") else [_SIGNS[x.op][0], *map(data, x.args)]


def names(x: Node) -> Iterator[str]:
    """Yield the dims in a term or formula."""
    if x.op == "dim":
        yield x.args[0]
    elif x.op != "int":
        for y in x.args:
            yield from names(y)


def asked(x: Node) -> Iterator[Node]:
    """Yield what the operators in a term or formula ask for to have a value, operands first.

    Exact quotients and divisors that are not 0; a conclusion asks under its premise.
    """
    if x.op in ("int", "dim"):
        return
    if x.op == "implies":
        yield from asked(x.args[0])
        yield from (Node("implies", (x.args[0], f)) for f in asked(x.args[1]))
        return
    for y in x.args:
        yield from asked(y)
    if x.op == "div":
        yield Node("divides", x.args[::-1])
    elif x.op in ("floor_div", "ceil_div", "mod"):
        divisor = x.args[1]
        if divisor.op != "int" or divisor.args[0] == 0:
            yield Node("ne", (divisor, lit(0)))


def show(x: Node, place: int = 0) -> str:
    """Return a term or a formula as text."""
    if x.op in ("int", "dim"):
        return str(x.args[0])
    sign, level = _SIGNS[x.op]
    if level == 11:
        return f"{sign}({', '.join(map(show, x.args))})"
    if len(x.args) == 1 and x.op in ("neg", "not"):
        text = ("-" if x.op == "neg" else "not ") + show(x.args[0], level + 1)
    else:
        space = "" if sign in ("*", "/", "**") else " "
        places = [level + (k > 0 or level in (0, 1, 2, 4, 10)) for k in range(len(x.args))]
        text = f"{space}{sign}{space}".join(map(show, x.args, places)) or f"no {sign}"
    return f"({text})" if level < place else text
