"""What stands at the outermost level of a source: few of the thousands of names are the user's."""

from __future__ import annotations

import ctypes
from itertools import count

from clang import cindex
from clang.cindex import Cursor, TranslationUnit

from symcute.frontends.cuda.library import once

__all__ = ["lacks_ours", "top_level"]


def lacks_ours(unit: TranslationUnit) -> bool:
    """Return whether what our headers declare is left out at the outermost level of a unit."""
    return _before(unit) > 0


def _before(unit: TranslationUnit) -> int:
    return once(unit, "before", lambda: 0)


def top_level(unit: TranslationUnit) -> list[Cursor]:
    """Return what stands at the outermost level of a unit, but for what was read before it."""
    return list(once(unit, "top level", lambda: _behind(unit, _before(unit))))


def _behind(unit: TranslationUnit, first: int) -> list[Cursor]:
    """Return the children of a unit but for the first ones, which are many, as they are passed."""
    found: list[Cursor] = []
    numbers = count()

    def visit(child: _Raw, parent: _Raw, into: object) -> int:
        if next(numbers) >= first:
            found.append(Cursor.from_buffer_copy(child))
            found[-1]._tu = unit
        return 1

    visitor = ctypes.cast(_PASS(visit), cindex.callbacks["cursor_visit"])
    cindex.conf.lib.clang_visitChildren(unit.cursor, visitor, None)
    return found


class _Raw(ctypes.Structure):
    """A cursor of which nothing is asked."""

    _fields_ = (("held", ctypes.c_ubyte * ctypes.sizeof(Cursor)),)


_PASS = ctypes.CFUNCTYPE(ctypes.c_int, _Raw, _Raw, ctypes.c_void_p)
