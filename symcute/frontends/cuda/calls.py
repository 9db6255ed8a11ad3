"""Calls: of functions, methods, operators, lambdas."""

from __future__ import annotations

import re
from itertools import pairwise

from clang.cindex import Cursor

from symcute.frontends.cuda.builder import Builder
from symcute.frontends.cuda.constructing import construct
from symcute.frontends.cuda.conversions import convert
from symcute.frontends.cuda.ctype import CPointer, Other, Record, Reference
from symcute.frontends.cuda.inlining import bind_arguments, inline
from symcute.frontends.cuda.intrinsics import known
from symcute.frontends.cuda.library import (
    callee,
    children,
    configuration,
    key,
    kind_of,
    spelled,
    walk,
    within,
)
from symcute.frontends.cuda.lifetimes import assigned, copied, ends
from symcute.frontends.cuda.memory import declare, read, write
from symcute.frontends.cuda.rules import (
    hidden,
    made,
    not_understood,
    spot_of,
    spot_rule,
    statement_rule,
    target,
    value_of,
    value_rule,
)
from symcute.frontends.cuda.values import (
    OPAQUE,
    SPOTS,
    Bound,
    Closure,
    Function,
    Hole,
    Memory,
    Spot,
    Value,
)
from symcute.kernel.ir.program import Int, NotUnderstood

__all__: list[str] = []

_METHODS = ("CXX_METHOD", "CONVERSION_FUNCTION")


@value_rule("CALL_EXPR")
def _call(b: Builder, cursor: Cursor) -> Value:
    result = _called(b, cursor)
    if isinstance(result, SPOTS):
        return read(b, result, b.types(cursor.type), b.place(cursor))
    return result


@spot_rule("CALL_EXPR")
def _call_spot(b: Builder, cursor: Cursor) -> Spot:
    result = _called(b, cursor)
    if isinstance(result, SPOTS):
        return result
    return made(b, result, cursor)


@statement_rule("CALL_EXPR")
def _call_unused(b: Builder, cursor: Cursor) -> None:
    _called(b, cursor)


def _called(b: Builder, cursor: Cursor) -> Value | Spot:
    special = b.host.called(b, cursor) if b.host is not None else None
    if special is not None:
        return special
    function = callee(cursor)
    sizes = configuration(cursor)
    if sizes is not None:
        return _launched(b, cursor, function, sizes)
    if function is None:
        return _through_value(b, cursor)
    kind = kind_of(function)
    arguments = list(cursor.get_arguments())
    if kind == "CONSTRUCTOR":
        return _constructed(b, cursor, arguments)
    if kind in ("VAR_DECL", "PARM_DECL", "FIELD_DECL"):
        return _through_value(b, cursor)
    if kind not in ("FUNCTION_DECL", *_METHODS):
        return not_understood(b, cursor, f"a call of {cursor.spelling or 'something'}")
    if kind == "FUNCTION_DECL":
        special = known(b, cursor, function, arguments)
        return special if special is not None else inline(b, cursor, function, arguments, None)
    if _is_assignment(function, arguments):
        return _assign(b, cursor, function, arguments)
    if function.is_virtual_method():
        return not_understood(b, cursor, f"a call of the virtual method {function.spelling}")
    this, arguments = _object(b, cursor, function, arguments)
    if isinstance(this, Bound) and isinstance(this.value, Closure):
        if kind == "CONVERSION_FUNCTION":
            return this.value
        return inline(b, cursor, function, arguments, None, this.value)
    record = b.types(function.semantic_parent.type)
    if isinstance(record, Record) and record.closure:
        return not_understood(b, cursor, "a call of a lambda that is not known here")
    return inline(b, cursor, function, arguments, this)


def _launched(b: Builder, cursor: Cursor, kernel: Cursor | None, sizes: Cursor) -> Value:
    """A launch by a kernel: what the other one does, and where, is asked of its own launches.

    It does that at any time from here on, to all memory but what is the block's or the thread's.
    """
    configure = callee(sizes)
    if kernel is None or configure is None or kind_of(kernel) != "FUNCTION_DECL":
        return not_understood(b, cursor, "a launch of a kernel that is not known here")
    bind_arguments(b, sizes, configure, list(sizes.get_arguments()))
    bind_arguments(b, cursor, kernel, list(cursor.get_arguments()))
    place = b.place(cursor)
    reason = f"what {kernel.spelling} does, which is launched here, and when"
    beside = NotUnderstood(reason, place, (), (), False, "inside")
    itself = key(kernel.get_definition() or kernel) == b.active[0]
    b.launched.append((beside, itself))
    b.windows.append((beside, "global"))
    b.emit(beside)
    return OPAQUE


def _constructed(b: Builder, cursor: Cursor, arguments: list[Cursor]) -> Value | Spot:
    type = b.types(cursor.type)
    if not isinstance(type, Record):
        for argument in arguments:
            value_of(b, argument)
        return OPAQUE
    if type.closure and len(arguments) == 1:
        held = value_of(b, arguments[0])
        return _another(b, held, cursor) if isinstance(held, Closure) else held
    if ends(type):
        not_understood(b, cursor, f"{cursor.type.spelling} has a destructor")
    spot = declare(b, key(cursor), type, "t", b.place(cursor), "a temporary")
    construct(b, cursor, type, spot)
    return spot


def _through_value(b: Builder, cursor: Cursor) -> Value | Spot:
    """Call what a variable holds, or a call gives back, if that is known."""
    inner, named = children(cursor), cursor.referenced
    if named is not None and kind_of(named) == "FUNCTION_DECL" and named.spelling[:8] == "operator":
        return not_understood(b, cursor, f"a call of {named.spelling} with a function")
    arguments = list(cursor.get_arguments())
    if inner:
        value = value_of(b, inner[0])
        if isinstance(value, Closure) and (method := _operator(value)) is not None:
            return inline(b, cursor, method, arguments, None, value)
        if isinstance(value, Function):
            special = b.host.called(b, cursor, value.cursor) if b.host is not None else None
            if special is None:
                special = known(b, cursor, value.cursor, arguments)
            return (
                special if special is not None else inline(b, cursor, value.cursor, arguments, None)
            )
    return not_understood(b, cursor, f"a call through {cursor.spelling or 'a pointer'}")


def _operator(closure: Closure) -> Cursor | None:
    """Return what runs where a lambda is called, unless it is a template."""
    record = closure.cursor.type.get_canonical().get_declaration()
    found = [c for c in children(record) if c.spelling == "operator()"]
    return found[0] if [kind_of(c) for c in found] == ["CXX_METHOD"] else None


def _object(
    b: Builder, cursor: Cursor, function: Cursor, arguments: list[Cursor]
) -> tuple[Spot | None, list[Cursor]]:
    """Return the object of a method's call, and the other arguments."""
    count = len(list(function.get_arguments()))
    if function.is_static_method():
        return None, arguments[len(arguments) - count :]
    member = _member(cursor)
    if member is not None:
        held = [c for c in children(member) if not kind_of(c).endswith("_REF")]
        # Arguments of a template are no objects: `f<4>()` is of this one.
        held = [c for c in held if not isinstance(b.types(c.type), Int)]
        if not held:
            return b.frame.this, arguments
        type, place = b.types(held[0].type), b.place(member)
        if isinstance(type, CPointer):
            return target(b, value_of(b, held[0]), b.types(type.target), place), arguments
        return spot_of(b, held[0]), arguments
    if len(arguments) == count + 1:
        # An operator: the object is its first argument.
        return spot_of(b, arguments[0]), arguments[1:]
    not_understood(b, cursor, "the object of a call")
    return None, arguments


def _member(cursor: Cursor) -> Cursor | None:
    """Return the `object.method` that is called."""
    here = next(map(within, children(cursor)), None)
    if here is None or kind_of(here) != "MEMBER_REF_EXPR" or here.referenced is None:
        return None
    return here if kind_of(here.referenced) in _METHODS else None


def _is_assignment(function: Cursor, arguments: list[Cursor]) -> bool:
    """Is this an assignment of a struct that clang would write itself?"""
    if function.spelling != "operator=" or len(arguments) not in (1, 2):
        return False
    return bool(function.is_default_method())


def _assign(b: Builder, cursor: Cursor, function: Cursor, arguments: list[Cursor]) -> Spot:
    record, place = b.types(function.semantic_parent.type), b.place(cursor)
    if assigned(record):
        not_understood(b, cursor, f"an assignment of {function.semantic_parent.spelling}")
    value = value_of(b, arguments[-1])
    if len(arguments) == 2:
        spot = spot_of(b, arguments[0])
    else:
        held, _ = _object(b, cursor, function, arguments)
        spot = held if held is not None else Hole(0)
    if isinstance(record, Other):
        if isinstance(spot, Memory):
            write(b, spot, OPAQUE, record, place)
        return spot
    write(b, spot, convert(b, value, record, place), record, place)
    return spot


# --- lambdas --------------------------------------------------------------------------------------


_HOLDS = "what a lambda captures"
_COPY = re.compile(r"\s*(?:=|\*?this|\w+\s*=[\w\s.]+)\s*")
_CAPTURES = re.compile(r"\[([\w\s&=,*.]*)\]")


@value_rule("LAMBDA_EXPR")
def _lambda(b: Builder, cursor: Cursor) -> Value:
    # What is written there, since clang does not say it: no comments, nothing in brackets.
    written = _CAPTURES.match(spelled(cursor))
    if written is None:
        return hidden(b, cursor, _HOLDS)
    capture = re.findall(r"\w+|[^\w\s]+?", written[1])
    # What a macro writes may have other names than clang sees, in another order.
    names = [n for n in capture if n.isidentifier() and n != "this"]
    held = [c.spelling for c in children(cursor) if kind_of(c) == "VARIABLE_REF"]
    if {"=", "this", ".", "*"} & set(capture[1:]) or names != held:
        # Of what it captures by reference clang does not show what that is, if it has a new name.
        if not all(map(_COPY.fullmatch, written[1].split(","))):
            return hidden(b, cursor, _HOLDS)
        return not_understood(b, cursor, _HOLDS)
    copies = {} if capture in ([], ["&"]) else _copies(b, cursor, capture)
    return Closure(cursor, copies, b.frame.this)


def _copies(b: Builder, cursor: Cursor, capture: list[str]) -> dict[int, Spot]:
    """Copy what a lambda holds copies of: all it names, or names before which no & stands."""
    by_reference = {n for a, n in pairwise(capture) if a == "&"}
    by_value = {n for n in capture if n.isidentifier()} - by_reference
    everything = capture[:1] == ["="]
    copies: dict[int, Spot] = {}
    # What it declares itself may be bound as well, from where it was called before.
    own = {key(c) for c in walk(cursor) if kind_of(c) in ("PARM_DECL", "VAR_DECL")}
    for inner in walk(cursor):
        declaration = inner.referenced if kind_of(inner) == "DECL_REF_EXPR" else None
        if declaration is None or key(declaration) in copies or key(declaration) in own:
            continue
        spot = b.bound.get(key(declaration))
        wanted = everything or declaration.spelling in by_value
        if spot is None or not wanted or declaration.spelling in by_reference:
            continue
        if isinstance(spot, Bound) and isinstance(spot.value, Closure):
            held = _another(b, spot.value, cursor)
            copies[key(declaration)] = Bound(held, spot.owner)
        elif not isinstance(spot, Bound | Hole):
            copies[key(declaration)] = _copy(b, inner, spot, cursor)
    return copies


def _copy(b: Builder, named: Cursor, spot: Spot, cursor: Cursor) -> Spot:
    """Return a place with what the place of a variable holds, where an expression names it."""
    declaration = named.referenced
    type, place = b.types(declaration.type), b.place(cursor)
    if isinstance(type, Reference):
        type = b.types(type.target)
    if copied(type):
        not_understood(b, cursor, f"a copy of {declaration.spelling} in a lambda")
    copy = declare(b, key(named), type, declaration.spelling, place, "a copy")
    write(b, copy, read(b, spot, type, place), type, place)
    return copy


def _another(b: Builder, closure: Closure, cursor: Cursor) -> Closure:
    """Return a copy of a lambda: what it holds copies of is copied, as it may change its own."""
    copies: dict[int, Spot] = {}
    for inner in walk(closure.cursor):
        declaration = inner.referenced if kind_of(inner) == "DECL_REF_EXPR" else None
        spot = closure.copies.get(key(declaration)) if declaration is not None else None
        if declaration is None or spot is None or key(declaration) in copies:
            continue
        if isinstance(spot, Bound):
            held = (
                _another(b, spot.value, cursor) if isinstance(spot.value, Closure) else spot.value
            )
            copies[key(declaration)] = Bound(held, spot.owner)
        else:
            copies[key(declaration)] = _copy(b, inner, spot, cursor)
    return Closure(closure.cursor, copies, closure.this)
