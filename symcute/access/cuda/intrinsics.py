"""Functions that the front end knows by name: barriers, atomics, min and max, what is not known."""

from __future__ import annotations

from clang.cindex import Cursor

from symcute.access.cuda.builder import Builder
from symcute.access.cuda.conversions import to_int
from symcute.access.cuda.ctype import CPointer, size_of
from symcute.access.cuda.headers import is_ours
from symcute.access.cuda.library import children, constant, place_of
from symcute.access.cuda.memory import EXPRS, LONG, as_pointer
from symcute.access.cuda.rules import sequenced, value_of
from symcute.access.cuda.values import OPAQUE, Value
from symcute.access.program import Atomic, Barrier, Binary, Expr, Int, Leave, Var

__all__ = ["known"]

_BARRIERS = {
    "__syncthreads": "block",
    "__syncwarp": "warp",
    "symcute_warp_barrier": "warp",
    "symcute_grid_barrier": "grid",
}
_ALL_LANES = 0xFFFFFFFF
_ENDS = {"__trap", "exit", "abort"}


def known(b: Builder, cursor: Cursor, function: Cursor, arguments: list[Cursor]) -> Value | None:
    """Return the value of a call of a function known by name, or None."""
    if not is_ours(place_of(function).file):
        return None
    name = function.spelling
    place = b.place(cursor)
    if name in _BARRIERS:
        for argument in arguments:
            if children(argument):  # not a default
                value_of(b, argument)
                if name == "__syncwarp" and constant(argument) != _ALL_LANES:
                    b.not_understood("a barrier for some lanes of a warp", place, (), ())
                    return OPAQUE
        b.emit(Barrier(_BARRIERS[name], place))
        return OPAQUE
    if name in _ENDS:
        b.emit(Leave("kernel", place))
        return OPAQUE
    if name in ("symcute_range", "symcute_uniform"):
        low, high = (constant(a) for a in arguments)
        return b.havoc(LONG, "the result of an intrinsic", place, low, high, name.endswith("form"))
    if name in ("min", "max") and len(arguments) == 2:
        type = b.types(function.result_type)
        one, mark = value_of(b, arguments[0]), len(b.out)
        other = value_of(b, arguments[1])
        one = sequenced(b, one, mark, place)
        if not isinstance(type, Int):
            return OPAQUE
        left, right = to_int(b, one, type, place), to_int(b, other, type, place)
        return Binary(name, left, right, type, place)
    if name == "printf":
        for argument in arguments:
            value_of(b, argument)
        return OPAQUE
    if name.startswith("atomic") and arguments:
        return _atomic(b, cursor, name, arguments)
    return None


def _atomic(b: Builder, cursor: Cursor, name: str, arguments: list[Cursor]) -> Value:
    place = b.place(cursor)
    type = b.types(arguments[0].type)
    element = b.types(type.target) if isinstance(type, CPointer) else LONG
    pointer = value_of(b, arguments[0])
    mark = len(b.out)
    values = [value_of(b, a) for a in arguments[1:]]
    pointer = sequenced(b, pointer, mark, place)
    where = as_pointer(b, pointer, place)
    stored: Expr | None = None
    if len(values) == 1 and isinstance(element, Int) and isinstance(values[0], EXPRS):
        stored = to_int(b, values[0], element, place)
    if isinstance(element, Int):
        old = b.fresh("old")
        b.emit(Atomic(name, where, size_of(element), place, (old, element), stored))
        return Var(old, element)
    b.emit(Atomic(name, where, size_of(element), place))
    return OPAQUE
