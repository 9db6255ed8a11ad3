"""Functions inlined: their parameters, their bodies, what they return."""

from __future__ import annotations

from clang.cindex import Cursor

from symcute.frontends.cuda.builder import Builder, Frame
from symcute.frontends.cuda.conversions import convert
from symcute.frontends.cuda.ctype import CType, Record, Reference, Void
from symcute.frontends.cuda.headers import is_ours
from symcute.frontends.cuda.hidden import computed_extents
from symcute.frontends.cuda.initial import initialise
from symcute.frontends.cuda.library import children, key, kind_of, place_of, walk
from symcute.frontends.cuda.lifetimes import ends
from symcute.frontends.cuda.memory import EXPRS, declare, numbered, read, unknown, write
from symcute.frontends.cuda.rules import (
    bind,
    hidden,
    involved,
    not_understood,
    put_away,
    run,
    spot_of,
    value_of,
)
from symcute.frontends.cuda.values import (
    OPAQUE,
    Address,
    Bound,
    Choice,
    Closure,
    Function,
    Lost,
    Spot,
    Value,
)
from symcute.kernel.ir.expression import Base, Expr
from symcute.kernel.ir.place import Place
from symcute.kernel.ir.program import Leave, Pointer, Scope

__all__ = ["bind_arguments", "body", "computed", "inline", "parameters", "without_body"]


def definition(function: Cursor) -> Cursor | None:
    """Return the declaration of a function that has its body, or None."""
    for cursor in (function, function.get_definition()):
        if cursor is not None:
            inner = children(cursor)
            if inner and kind_of(inner[-1]) in ("COMPOUND_STMT", "CXX_TRY_STMT"):
                return cursor
    return None


def body(function: Cursor) -> Cursor | None:
    """Return the body of a function, or None."""
    found = definition(function)
    return None if found is None else children(found)[-1]


def parameters(function: Cursor) -> list[Cursor]:
    """Return the parameters of which the body of a function speaks."""
    found = definition(function) or function
    return [c for c in children(found) if kind_of(c) == "PARM_DECL"]


def computed(b: Builder, function: Cursor) -> None:
    """Compute the extents in the types of parameters. Source: clang, `EmitVariablyModifiedType`."""
    for parameter in parameters(function):
        if computed_extents(parameter, None):
            hidden(b, parameter, f"what the type of {parameter.spelling} computes")


def inline(
    b: Builder,
    cursor: Cursor,
    function: Cursor,
    arguments: list[Cursor],
    this: Spot | None,
    closure: Closure | None = None,
) -> Value | Spot:
    """Lower a call by the body of what is called."""
    text, place, result = body(function), b.place(cursor), b.types(function.result_type)
    if text is None:
        return without_body(b, cursor, function, arguments, this)
    name = key(function.canonical)
    if name in b.active:
        return not_understood(b, cursor, f"{function.spelling} calls itself")
    b.reached.append(function)
    label = b.fresh(function.spelling or "call")
    frame = Frame(label, result, this=this if closure is None else closure.this)
    frame.direct = _returns_last(text)
    if not frame.direct and not isinstance(result, Void | Reference):
        frame.result = declare(b, key(cursor), result, f"{label}.result", place, "a result")
    bound = bind_arguments(b, cursor, function, arguments)
    kept = {}
    if closure is not None:
        # Inside, these names are the copies; outside they stay what they are.
        kept = {name: b.bound[name] for name in closure.copies}
        bound |= closure.copies
    # What our own headers do is done where they are called.
    pinned = is_ours(place_of(function).file) and not b.pins
    if pinned:
        b.pins.append(place)
    b.bound |= bound
    b.active.append(name)
    b.frames.append(frame)
    with b.block() as out:
        computed(b, function)
        run(b, text)
    b.frames.pop()
    b.active.pop()
    b.bound |= kept
    if pinned:
        b.pins.pop()
    last = out[-1] if out else None
    if isinstance(last, Leave) and last.label == label:
        out.pop()
    if frame.leaves:
        b.emit(Scope(label, tuple(out)))
    else:
        b.out += out
    return _result(b, cursor, frame)


def _result(b: Builder, cursor: Cursor, frame: Frame) -> Value | Spot:
    place = b.place(cursor)
    if isinstance(frame.type, Void):
        return OPAQUE
    if isinstance(frame.type, Reference):
        if len(frame.returned) == 1:
            return frame.returned[0]
        b.not_understood("a function that returns one of several places", place)
        return Lost()
    first, *others = frame.returned or [OPAQUE]
    if frame.direct or (isinstance(first, Function) and all(x == first for x in others)):
        return first
    if any(isinstance(x, Function | Choice) for x in frame.returned):
        return unknown(b, frame.type, "one of several functions", place)
    assert frame.result is not None
    return read(b, frame.result, frame.type, place)


def _returns_last(text: Cursor) -> bool:
    """Is the one return of a function its last statement?"""
    returns = [c for c in walk(text, but=("LAMBDA_EXPR",)) if kind_of(c) == "RETURN_STMT"]
    inner = children(text)
    return len(returns) == 1 and bool(inner) and inner[-1] == returns[0]


# --- parameters -----------------------------------------------------------------------------------


def bind_arguments(
    b: Builder, cursor: Cursor, function: Cursor, arguments: list[Cursor]
) -> dict[int, Spot]:
    """Evaluate the arguments of a call, and return what the parameters stand for."""
    bound: dict[int, Spot] = {}
    defaults = [_default(p) for p in function.get_arguments()]
    for number, parameter in enumerate(parameters(function)):
        type, place = b.types.of_parameter(parameter), b.place(cursor)
        given = arguments[number] if number < len(arguments) else None
        if given is None or (kind_of(given) == "UNEXPOSED_EXPR" and not children(given)):
            # What clang does not show is an argument that was left out.
            given = _default(parameter) or (defaults[number] if number < len(defaults) else None)
        if given is None:
            reason = "a default argument that clang does not show"
            bound[key(parameter)] = put_away(b, unknown(b, type, reason, place), type, cursor)
        elif isinstance(type, Reference):
            bound[key(parameter)] = bind(b, given)
        else:
            bound[key(parameter)] = _by_value(b, parameter, given, type)
    return bound


def _default(parameter: Cursor) -> Cursor | None:
    return next((c for c in reversed(children(parameter)) if c.kind.is_expression()), None)


def _by_value(b: Builder, parameter: Cursor, given: Cursor, type: CType) -> Spot:
    owner, place = key(parameter), b.place(given)
    name, text = parameter.spelling or "t", parameter.type.spelling
    if isinstance(type, Record) and not type.closure:
        if ends(type):
            not_understood(b, given, f"{text} has a destructor")
        spot = declare(b, owner, type, name, place, text)
        initialise(b, spot, type, given, place)
        return spot
    value = convert(b, value_of(b, given), type, place)
    stands = isinstance(value, Address | Function | Choice | Closure | Base)
    if stands and owner not in b.changed:
        return Bound(value, owner)
    if (address := numbered(b, owner, value, name, place)) is not None:
        return address
    spot = declare(b, owner, type, name, place, text)
    write(b, spot, value, type, place)
    return spot


# --- what is not here -----------------------------------------------------------------------------


def without_body(
    b: Builder, cursor: Cursor, function: Cursor, arguments: list[Cursor], this: Spot | None
) -> Value | Spot:
    """Call a function that is not here: what it returns is not known.

    One of our headers computes with its arguments and its object, which it returns where it gives
    back a reference to one of that type; any other may do what it wants with the arrays it is given
    and those that all functions see.
    """
    place, result = b.place(cursor), b.types(function.result_type)
    ours = is_ours(place_of(function).file) or function.spelling.startswith("__builtin_")
    pointers: list[Expr] = []
    variables: list[str] = []
    # One that gives nothing back and constructs nothing does something.
    silent = isinstance(result, Void) and kind_of(function) != "CONSTRUCTOR"
    kinds = [b.types.of_parameter(p) for p in function.get_arguments()]
    own = function.semantic_parent.type if this is not None else None
    if ours and this is not None and own is not None:
        const = function.is_const_method()
        new = kind_of(function) == "CONSTRUCTOR"
        silent = not _used(b, this, b.types(own), const, place, new) and silent
    for number, argument in enumerate(arguments):
        type = kinds[number] if number < len(kinds) else b.types(argument.type)
        if kind_of(argument) == "UNEXPOSED_EXPR" and not children(argument):
            continue  # a default argument
        if isinstance(type, Reference):
            if ours:
                spot, inner = spot_of(b, argument), b.types(type.target)
                const = type.target.is_const_qualified()
                silent = not _used(b, spot, inner, const, b.place(argument)) and silent
            else:
                involved(b, spot_of(b, argument), variables, pointers)
            continue
        value = value_of(b, argument)
        if isinstance(value, Address):
            involved(b, value.spot, variables, pointers)
        elif isinstance(value, EXPRS) and value.type == Pointer():
            pointers.append(value)
    reason = f"{function.spelling} has no body here"
    if not ours:
        if this is not None:
            involved(b, this, variables, pointers)
        seen = [a for a in b.arrays.values() if a.space == "global" and a.bytes is not None]
        pointers += [Base(a.name) for a in seen]
    if pointers or variables or not ours or silent:
        b.not_understood(reason, place, tuple(variables), pointers, barrier=not ours)
    if ours and this is not None and isinstance(result, Reference) and own == result.target:
        return this
    return unknown(b, result, f"the result of {function.spelling}", place)


def _used(
    b: Builder, spot: Spot, type: CType, const: bool, place: Place, new: bool = False
) -> bool:
    """Do what a function of our headers does to a place: it reads it, and writes it if it may.

    Nothing is read of what is `new`. Return whether it may.
    """
    if not new:
        read(b, spot, type, place)
    if not const:
        write(b, spot, unknown(b, type, "the result of a function", place), type, place)
    return not const
