"""Functions that the front end knows by name: barriers, atomics, min and max, what is not known."""

from __future__ import annotations

import re

from clang.cindex import Cursor

from symcute.frontends.cuda.builder import Builder
from symcute.frontends.cuda.conversions import to_int
from symcute.frontends.cuda.copies import commit, copy, wait
from symcute.frontends.cuda.ctype import BOOL, CPointer, Record, Reference, size_of
from symcute.frontends.cuda.headers import is_ours
from symcute.frontends.cuda.library import (
    children,
    constant,
    kind_of,
    place_of,
    pure_constant,
    within,
)
from symcute.frontends.cuda.memory import EXPRS, LONG, PRINTED, as_pointer, unknown
from symcute.frontends.cuda.rules import not_understood, sequenced, value_of
from symcute.frontends.cuda.values import OPAQUE, Numbered, Value
from symcute.kernel.ir.expression import Base, Binary, Cast, Const, Expr, Unary, Var
from symcute.kernel.ir.place import Place
from symcute.kernel.ir.program import (
    Array,
    Atomic,
    Barrier,
    Int,
    Leave,
    Load,
    Pointer,
    Promise,
    Signal,
    Store,
)
from symcute.kernel.ir.semantics import BARRIERS, BITS, unordered

__all__ = ["known"]

_BARRIERS = {
    "__syncthreads": "block",
    "__barrier_sync": "block",
    "__syncwarp": "warp",
    "symcute_warp_barrier": "warp",
    "symcute_lanes_barrier": "lanes",
    "symcute_grid_barrier": "grid",
}
#: What makes an address a number within memory of a kind: is it shared?
_WINDOWS = {"__cvta_generic_to_shared": True, "__cvta_generic_to_global": False}
_ALL_LANES = 0xFFFFFFFF
#: Functions of the bits of a number, of which there are so many.
_BITS = {
    f"__{name}{suffix}": (name, bits)
    for name in BITS
    for suffix, bits in (("", 32), ("ll", 64))
}  # fmt: skip
_ENDS = {"__trap", "exit", "abort"}
#: GPUVerify's: conditions that are asked, and what helps its prover along, which nothing executes.
_CONDITIONS = {"__requires", "__assert"}
_HELP = {"__ensures", "__invariant", "__global_invariant", "__requires_fresh_array"}
#: What atomic instructions access, in bytes.
_ATOMIC_BYTES = (1, 2, 4, 8, 16)
#: `enum cuda::thread_scope`.
_SCOPES = {0: "system", 1: "device", 2: "block", 10: "thread"}


def known(b: Builder, cursor: Cursor, function: Cursor, arguments: list[Cursor]) -> Value | None:
    """Return the value of a call of a function known by name, or None."""
    if not is_ours(place_of(function).file):
        return None
    name = function.spelling
    place = b.place(cursor)
    if name in _BARRIERS:
        number = None
        for argument in arguments:
            if children(argument):  # not a default
                value_of(b, argument)
                if name == "__syncwarp" and constant(argument) != _ALL_LANES:
                    b.not_understood("a barrier for some lanes of a warp", place, (), ())
                    return OPAQUE
                number = constant(argument) if name == "__barrier_sync" else None
                if name == "__barrier_sync" and number not in BARRIERS:
                    b.not_understood("a barrier of a number that is not known", place, (), ())
                    return OPAQUE
        b.emit(Barrier(_BARRIERS[name], place, number))
        return OPAQUE
    if name in _ENDS:
        b.emit(Leave("kernel", place, stops=True))
        return OPAQUE
    if name in ("symcute_range", "symcute_uniform"):
        low, high = (constant(a) for a in arguments)
        return b.havoc(LONG, "the result of an intrinsic", place, low, high, name.endswith("form"))
    if name in ("min", "max") and len(arguments) == 2:
        type = b.types(function.result_type)
        if isinstance(type, Reference):  # to one of the two, which is their value at least
            type = b.types(type.target)
        one, mark = value_of(b, arguments[0]), len(b.out)
        other = value_of(b, arguments[1])
        one = sequenced(b, one, mark, place)
        if not isinstance(type, Int):
            return OPAQUE
        left, right = to_int(b, one, type, place), to_int(b, other, type, place)
        return Binary(name, left, right, type, place)
    if name in _WINDOWS:
        pointer = as_pointer(b, value_of(b, arguments[0]), place)
        return Numbered(b.steady(pointer, "at", place), _WINDOWS[name])
    if name == "symcute_copy":
        return _copied(b, arguments, place)
    if name == "symcute_wait":
        groups = pure_constant(arguments[0])
        if groups is None:
            value_of(b, arguments[0])
        wait(b, groups, place)
        return OPAQUE
    if name == "symcute_commit":
        commit(b, place)
        return OPAQUE
    if name in _BITS or name == "__mul24":
        return _computed(b, function, name, arguments, place)
    if name == "printf":
        return _printed(b, cursor, arguments)
    if name.startswith("atomic") and arguments:
        scope = next((s for s in ("block", "system") if name.endswith(f"_{s}")), "device")
        return _atomic(b, cursor, name, scope, arguments)
    if name.startswith("symcute_atomic_"):
        wanted = _scope_of(arguments[-1])
        if wanted is None:
            return not_understood(b, cursor, "an atomic access whose scope is not known")
        return _atomic(b, cursor, name.removeprefix("symcute_atomic_"), wanted, arguments[:-1])
    if name in ("symcute_gather", "symcute_gathered"):
        pointer = as_pointer(b, value_of(b, arguments[0]), place)
        token = to_int(b, value_of(b, arguments[1]), LONG, place)
        b.emit(Signal(name.removeprefix("symcute_"), pointer, token, place))
        return OPAQUE
    if name == "symcute_barrier":
        b.emit(unordered(_text(arguments[0]), place, barrier=True))
        return OPAQUE
    if name == "symcute_promise":
        return _promised(b, _text(arguments[0]), arguments[1], place, believed=True)
    if name in _CONDITIONS:
        return _promised(b, name, arguments[0], place, believed=False)
    if name in _HELP:
        return OPAQUE
    if name == "symcute_failed":
        b.emit(Promise(_text(arguments[0]), Const(0, BOOL), place, believed=False))
        return OPAQUE
    if name in ("symcute_unknown", "symcute_elsewhere"):
        what, *memory = (_text(a) for a in arguments)
        touched = [_array(b, name, "what is written elsewhere", place) for name in memory]
        b.not_understood(what, place, () if memory else None, touched or None, not memory)
        return OPAQUE
    return None


def _promised(b: Builder, name: str, condition: Cursor, place: Place, *, believed: bool) -> Value:
    """Ask a condition, which is not executed: one that would do something is not followed."""
    mark = len(b.out)
    test = to_int(b, value_of(b, condition), BOOL, place)
    acts = len(b.out) > mark
    del b.out[mark:]
    b.emit(Promise(name, None if acts else test, place, believed))
    return OPAQUE


def _copied(b: Builder, arguments: list[Cursor], place: Place) -> Value:
    """Begin to copy bytes, of which the last so many are zeros instead."""
    to, source = (as_pointer(b, value_of(b, a), place) for a in arguments[:2])
    size, zeros = (constant(a) for a in arguments[2:])
    if size is None or zeros is None or not 0 <= zeros <= size:
        b.not_understood("a copy of a size that is not known", place, (), [to, source])
        return OPAQUE
    b.windows.append((copy(b, to, source, size, Const(size - zeros, LONG), place), "shared"))
    return OPAQUE


def _computed(
    b: Builder, function: Cursor, name: str, arguments: list[Cursor], place: Place
) -> Value:
    """Return what a function of the bits of its arguments gives, in which nothing overflows."""
    type = b.types(function.result_type)
    assert isinstance(type, Int)
    values: list[Expr] = []
    for argument in arguments:
        mark = len(b.out)
        found = value_of(b, argument)
        while isinstance(found, Cast) and isinstance(found.arg.type, Int) and not found.explicit:
            if found.arg.type.bits != found.type.bits:
                break
            found = found.arg  # only the bits are looked at
        own = found.type if isinstance(found, EXPRS) and isinstance(found.type, Int) else LONG
        value = to_int(b, found, own, place)
        values = [sequenced(b, v, mark, place) for v in values]
        values.append(value)
    if name in _BITS:
        op, width = _BITS[name]
        return Unary(op, to_int(b, values[0], Int(width, False), place, True), type, place)
    one, other = (Cast(Cast(v, Int(24, True), place, True), LONG, place) for v in values)
    return Cast(Binary("*", one, other, LONG, place), type, place, True)


def _atomic(b: Builder, cursor: Cursor, name: str, scope: str, arguments: list[Cursor]) -> Value:
    place = b.place(cursor)
    type = b.types(arguments[0].type)
    element = b.types(type.target) if isinstance(type, CPointer) else LONG
    pointer = value_of(b, arguments[0])
    mark = len(b.out)
    values = [value_of(b, a) for a in arguments[1:]]
    pointer = sequenced(b, pointer, mark, place)
    where, width = as_pointer(b, pointer, place), size_of(element)
    if width not in _ATOMIC_BYTES:
        b.not_understood(f"an atomic access of {width} bytes", place)
        return unknown(b, element, f"what {name} found", place)
    number = element if isinstance(element, Int) and element != BOOL else None
    stored: Expr | None = None
    if len(values) == 1 and number is not None and isinstance(values[0], EXPRS):
        stored = to_int(b, values[0], number, place)
    if name == "store":
        b.emit(Store(where, width, place, stored, scope))
        return OPAQUE
    found = None if number is None else Var(b.fresh("v" if name == "load" else "old"), number)
    if name == "load":
        parts = () if number is None or found is None else ((found.name, 0, number),)
        b.emit(Load(where, width, place, parts, scope))
    else:
        # Of vectors each element is added to on its own.
        vector = element.fields if isinstance(element, Record) and "atomicAdd" in name else ()
        unit = min((size_of(f.type) for f in vector), default=0)
        result = None if number is None or found is None else (found.name, number)
        b.emit(Atomic(name, where, width, place, result, stored, scope, unit))
    return found if found is not None else unknown(b, element, f"what {name} found", place)


def _scope_of(cursor: Cursor) -> str | None:
    number = constant(cursor)
    return None if number is None else _SCOPES.get(number)


def _printed(b: Builder, cursor: Cursor, arguments: list[Cursor]) -> Value:
    """Print: text is read, and what is printed goes to a buffer in which calls take turns."""
    place = b.place(cursor)
    form = _text(arguments[0])
    values = [value_of(b, a) for a in arguments[bool(form) :]]
    texts = [v for v in values if isinstance(v, EXPRS) and v.type == Pointer()]
    # A literal ends before its array does.
    texts = [v for v in texts if not isinstance(v, Base) or b.arrays[v.array].text[:1] != '"']
    if texts and (not form or re.search(r"%[-\d.*]*s", form)):
        b.not_understood("printf reads a text", place, (), texts, barrier=False)
    buffer = _array(b, PRINTED, "the buffer of printf", place)
    b.emit(Atomic("printf", buffer, 1, place, scope="system"))
    return OPAQUE


def _array(b: Builder, name: str, text: str, place: Place) -> Expr:
    """Return the start of memory that no name in the source stands for."""
    if name not in b.arrays:
        b.taken.add(name)
        b.arrays[name] = Array(name, "global", 1, 1, 1, place, text)
    return Base(name)


def _text(cursor: Cursor) -> str:
    """Return the string literal that an expression is, or nothing."""
    cursor = within(cursor)
    return cursor.spelling.strip('"') if kind_of(cursor) == "STRING_LITERAL" else ""
