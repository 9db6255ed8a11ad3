"""Tables: arrays of integers that the source fills, and that nothing changes."""

from __future__ import annotations

from clang.cindex import Cursor

from symcute.frontends.cuda.builder import Builder
from symcute.frontends.cuda.ctype import BOOL, CArray, CType, element, size_of
from symcute.frontends.cuda.library import children, constant, initializer, key, kind_of, within
from symcute.frontends.cuda.values import Memory
from symcute.kernel.ir.expression import Base
from symcute.kernel.ir.program import Int

__all__ = ["characters", "local_table", "values_of"]

#: A longer table has no values.
_LONGEST = 1 << 16


class _Unknown(Exception):
    """An element is none that can be read."""


def values_of(b: Builder, type: CType, variable: Cursor) -> tuple[int, ...] | None:
    """Return the elements of an array of integers, as its declaration says, or None."""
    number, initial = element(type), initializer(variable)
    if not isinstance(type, CArray) or not isinstance(number, Int) or number == BOOL:
        return None
    if initial is None or size_of(type) > _LONGEST * size_of(number):
        return None
    found: list[int] = []
    try:
        left = _fill(type, [initial], found)
    except _Unknown:
        return None
    complete = not left and len(found) * size_of(number) == size_of(type)
    return tuple(found) if complete else None


def local_table(b: Builder, cursor: Cursor, type: CType) -> Memory | None:
    """Return the place of a local array that its declaration fills, if nothing else writes to it.

    Where that turns out to be wrong, all begins again without it.
    """
    name = key(cursor)
    if name in b.stored or name in b.in_memory or cursor.type.is_volatile_qualified():
        return None
    values = values_of(b, type, cursor)
    if values is None:
        return None
    text = f"constant {cursor.type.spelling}"
    array = b.array(cursor.spelling, "constant", type, b.place(cursor), text, values)
    b.tables[array] = name
    return Memory(Base(array), type)


def _fill(type: CType, items: list[Cursor], into: list[int]) -> list[Cursor]:
    """Append the elements that the first items are, and return the others.

    Inner braces may be left out; what is left out at the end is 0.
    """
    if isinstance(type, Int):
        into.append(type.wrap(_number(items[0])) if items else 0)
        return items[1:]
    assert isinstance(type, CArray)
    text = _text(type, items)
    if text is not None:
        into += text
        return items[1:]
    if items and kind_of(items[0]) == "INIT_LIST_EXPR":
        if _fill_all(type, children(items[0]), into):
            raise _Unknown
        return items[1:]
    return _fill_all(type, items, into)


def _fill_all(type: CArray, items: list[Cursor], into: list[int]) -> list[Cursor]:
    if len(items) == 1 and _text(type, items) is not None:
        return _fill(type, items, into)
    for _ in range(type.count or 0):
        items = _fill(type.element, items, into)
    return items


def _number(cursor: Cursor) -> int:
    inner = children(cursor)
    if kind_of(cursor) == "INIT_LIST_EXPR":
        if len(inner) > 1:
            raise _Unknown
        return _number(inner[0]) if inner else 0
    # Of an element that is named, clang shows the name.
    first = next(iter(cursor.get_tokens()), None)
    found = None if first is not None and first.spelling in (".", "[") else constant(cursor)
    if found is None:
        raise _Unknown
    return found


def _text(type: CArray, items: list[Cursor]) -> list[int] | None:
    """Return the characters of a literal that fills an array, and the zeros behind them."""
    here = within(items[0]) if items else None
    if here is None or kind_of(here) != "STRING_LITERAL":
        return None
    found = characters(here.spelling, type)
    if found is None:
        raise _Unknown
    return [*found]


def characters(written: str, type: CArray) -> tuple[int, ...] | None:
    """Return what a literal fills an array with, zeros behind it; None where that is not plain."""
    plain = len(written) >= 2 and written[0] == written[-1] == '"' and written.isascii()
    if not plain or "\\" in written or size_of(type.element) != 1 or type.count is None:
        return None
    held = [ord(c) for c in written[1:-1]][: type.count]
    return (*held, *[0] * (type.count - len(held)))
