"""Calls that host code makes: launches, and what CUDA's runtime does with memory."""

from __future__ import annotations

import re

from clang.cindex import Cursor

from symcute.frontends.cuda.builder import Builder
from symcute.frontends.cuda.conversions import to_int
from symcute.frontends.cuda.ctype import CPointer, CType, Record, Void
from symcute.frontends.cuda.headers import is_ours
from symcute.frontends.cuda.host.by_name import Handed, handed
from symcute.frontends.cuda.host.errors import FREE, by_python
from symcute.frontends.cuda.host.lowering import HostCode, emit, is_launch
from symcute.frontends.cuda.host.program import INPUT, Alike, Allocate, Free, Launch
from symcute.frontends.cuda.inlining import body, parameters
from symcute.frontends.cuda.library import callee, children, has_effects, key, kind_of, place_of
from symcute.frontends.cuda.memory import EXPRS, unknown
from symcute.frontends.cuda.rules import value_of
from symcute.frontends.cuda.values import OPAQUE, Address, Choice, Fields, Function, Slot, Value
from symcute.kernel.ir.expression import Const, Expr
from symcute.kernel.ir.place import Place
from symcute.kernel.ir.program import If, Int, Pointer

__all__ = ["called"]

_SIZE, _LONG = Int(64, False), Int(64, True)
#: `symcute_repack(&p, q, bytes)`: memory that is that of q, or is new.
_REPACK = "symcute_repack"
#: `symcute_alike(a, b)`: two integers that are one from here on.
_ALIKE = "symcute_alike"
_ALLOCATE = {
    "cudaMalloc", "cudaMallocManaged", "cudaMallocHost", "cudaHostAlloc", "cudaMallocAsync",
    "symcute_allocate", _REPACK,
}  # fmt: skip
#: `argv[1]`: another number of another argument.
_WRITTEN = re.compile(r"\w+\[\d+\]")


def called(
    b: Builder, host: HostCode, cursor: Cursor, function: Cursor | None = None
) -> Value | None:
    """Return the value of a call that is the host's, or None for one like any other.

    `function` is what is called where that is not the name of it.
    """
    if is_launch(cursor):
        by_name = handed(cursor)
        return _launched(b, cursor) if by_name is None else _launched_by_name(b, cursor, by_name)
    function = callee(cursor) if function is None else function
    if function is None:
        return host.not_understood(b, cursor, "a call of something that is not known")
    if "FUNCTION" not in kind_of(function) and kind_of(function) not in _METHODS:
        return None
    if is_ours(place_of(function).file):
        return _of_runtime(b, host, cursor, function.spelling)
    opaque = key(function.canonical) in host.opaque or host.errors.declared(function)
    text = body(function)
    if opaque or text is None or host.errors.within(text) or host.errors.hanging(function):
        if text is None and (function.is_default_method() or _copies(function)):
            return None
        title = function.spelling
        if by_python(title):
            title = title.replace("_", " ")
        return host.not_understood(b, cursor, f"{title} is not followed")
    return None


_METHODS = ("CXX_METHOD", "CONVERSION_FUNCTION", "CONSTRUCTOR")


def _copies(function: Cursor) -> bool:
    return bool(function.is_copy_constructor() or function.is_move_constructor())


def _of_runtime(b: Builder, host: HostCode, cursor: Cursor, name: str) -> Value | None:
    arguments = list(cursor.get_arguments())
    place = b.place(cursor)
    if name in INPUT and arguments:
        text = "".join(t.spelling for t in arguments[0].get_tokens())
        apart = all(map(_WRITTEN.fullmatch, (text, *host.asked))) and text not in host.asked
        again = bool(host.asked) and not apart
        host.asked.add(text)
        if again:
            value_of(b, arguments[0])
            return unknown(b, b.types(cursor.type), f"{name} of what may have been read", place)
    if name in _ALLOCATE and len(arguments) >= 2:
        target = value_of(b, arguments[0])
        other = value_of(b, arguments[1]) if name == _REPACK else None
        same = other if isinstance(other, EXPRS) and other.type == Pointer() else None
        bytes = to_int(b, value_of(b, arguments[-1 if name == _REPACK else 1]), _SIZE, place)
        size = b.steady(bytes, "bytes", place)
        if isinstance(target, Address) and isinstance(target.spot, Slot) and same is other:
            emit(b, Allocate(target.spot.name, size, place, name, same))
        else:
            reason = "memory for a pointer that is not followed"
            b.not_understood(reason, place, (), None, barrier=False)
        return unknown(b, b.types(cursor.type), f"the result of {name}", place)
    if name == _ALIKE:
        a, d = (to_int(b, value_of(b, x), _LONG, place) for x in arguments)
        emit(b, Alike(b.steady(a, "v", place), b.steady(d, "v", place), place))
        return OPAQUE
    if name in FREE:
        pointer = value_of(b, arguments[0]) if arguments else None
        known = isinstance(pointer, EXPRS) and pointer.type == Pointer()
        emit(b, Free(pointer if isinstance(pointer, EXPRS) and known else None, place))
        return unknown(b, b.types(cursor.type), f"the result of {name}", place)
    return None


# --- launches -------------------------------------------------------------------------------------


def _launched(b: Builder, cursor: Cursor) -> Value:
    named, configuration, *_ = children(cursor)
    place = b.place(cursor)
    function = value_of(b, named)
    if not isinstance(function, Function | Choice):
        reason = "a launch of a kernel that is not known here"
        b.not_understood(reason, place, (), (), barrier=False)
        return OPAQUE
    sizes = list(configuration.get_arguments())
    grid, block = (_three(b, value_of(b, c), place) for c in sizes[:2])
    shared: Expr | None = Const(0, _SIZE)
    if len(sizes) > 2 and children(sizes[2]):
        shared = _steady(b, to_int(b, value_of(b, sizes[2]), _SIZE, place), place)
    for stream in sizes[3:]:
        _acts(b, stream)
    given = [
        _flat(b, value_of(b, argument), b.types.of_parameter(argument), place)
        for argument in cursor.get_arguments()
    ]
    arguments = tuple(x for leaves in given for x in leaves)

    def launch(what: Function | Choice) -> None:
        if isinstance(what, Choice):
            with b.block() as then:
                launch(what.then)
            with b.block() as other:
                launch(what.other)
            b.emit(If(what.test, tuple(then), tuple(other), place))
            return
        fits = len(given) == len(parameters(what.cursor))
        kernel = what.cursor.get_usr()
        emit(b, Launch(kernel, grid, block, shared, arguments if fits else None, place))

    launch(function)
    return OPAQUE


def _launched_by_name(b: Builder, cursor: Cursor, by_name: Handed) -> Value:
    place = b.place(cursor)
    function = value_of(b, by_name.kernel)
    _, first, second, _, *rest = cursor.get_arguments()
    grid, block = (_three(b, value_of(b, c), place) for c in (first, second))
    shared: Expr | None = Const(0, _SIZE)
    if rest and children(rest[0]):
        shared = _steady(b, to_int(b, value_of(b, rest[0]), _SIZE, place), place)
    for stream in rest[1:]:
        _acts(b, stream)
    arguments: tuple[Expr | None, ...] | None = None
    if isinstance(function, Function):
        wanted = [b.types.of_parameter(p) for p in parameters(function.cursor)]
        if len(wanted) == len(by_name.arguments):
            arguments = tuple(
                x
                for c, type in zip(by_name.arguments, wanted, strict=True)
                for x in _flat(b, _as_it_lies(b, c, type), type, place)
            )
        kernel = function.cursor.get_usr()
        emit(b, Launch(kernel, grid, block, shared, arguments, place))
    return unknown(b, b.types(cursor.type), f"the result of {cursor.spelling}", place)


def _acts(b: Builder, stream: Cursor) -> None:
    """Run what gives the stream of a launch, which is of no interest but may do something."""
    if has_effects(stream):
        value_of(b, stream)


def _as_it_lies(b: Builder, variable: Cursor, type: CType) -> Value:
    """Return what a kernel reads of a variable: its value, if it is of the parameter's type."""
    own = b.types(variable.type)
    same = own == type or (isinstance(own, CPointer) and isinstance(type, CPointer))
    return value_of(b, variable) if same else OPAQUE


def _three(b: Builder, value: Value, place: Place) -> tuple[Expr | None, Expr | None, Expr | None]:
    """Return the extents of a dim3."""
    if not isinstance(value, Fields):
        return None, None, None
    x, y, z = (value.values.get(axis) for axis in "xyz")
    return (
        _steady(b, x, place),
        _steady(b, y, place),
        _steady(b, z, place),
    )


def _steady(b: Builder, value: Value | None, place: Place) -> Expr | None:
    return b.steady(value, "launch", place) if isinstance(value, EXPRS) else None


def _flat(b: Builder, value: Value, type: CType, place: Place) -> list[Expr | None]:
    """Return an argument by its parts, as the parameters of a kernel are taken apart."""
    match type:
        case Int() | CPointer():
            return [_steady(b, value, place)]
        case Record(fields=fields, union=False, trouble="") if fields:
            inner = value.values if isinstance(value, Fields) else {}
            return [x for f in fields for x in _flat(b, inner.get(f.name, OPAQUE), f.type, place)]
        case Void():
            return []
        case _:
            return [None]
