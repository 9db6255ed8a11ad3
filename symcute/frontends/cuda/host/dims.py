"""Loops over all dims of a tensor that multiply its sizes: what they come to are its elements."""

from __future__ import annotations

from clang.cindex import Cursor

from symcute.frontends.cuda.builder import Builder
from symcute.frontends.cuda.conversions import to_int
from symcute.frontends.cuda.host.tensors import is_tensor
from symcute.frontends.cuda.library import (
    binary_operator,
    children,
    key,
    kind_of,
    pure_constant,
    unary_operator,
)
from symcute.frontends.cuda.loops import for_parts, loop
from symcute.frontends.cuda.memory import read, write
from symcute.frontends.cuda.rules import run, spot_of, value_of
from symcute.frontends.cuda.values import Parts, Slot
from symcute.kernel.ir.program import Binary, Expr, If, Int, Var

__all__ = ["multiplies_sizes"]

_LONG, _MODULO, _TRUTH = Int(64, True), Int(64, False), Int(1, False)
_VARIABLES = {"VAR_DECL", "PARM_DECL"}
_AROUND = {"PAREN_EXPR", "UNEXPOSED_EXPR", "CSTYLE_CAST_EXPR", "CXX_STATIC_CAST_EXPR"}


def multiplies_sizes(b: Builder, cursor: Cursor) -> bool:
    """Lower `for (int i = 0; i < d; ++i) n *= x.size(i);`, if a statement is that.

    Where d is how many dims x has, n is multiplied by how many elements it has: each product is
    congruent to that of integers, so that the last one is what its type leaves of that. Where d is
    something else, it is a loop.
    """
    parts = for_parts(cursor) if kind_of(cursor) == "FOR_STMT" else None
    if parts is None or parts[0] is None or parts[1] is None or parts[2] is None:
        return False
    first, test, step, body = parts[0], parts[1], parts[2], parts[3]
    counter = _counter(first)
    product = _product(body, counter)
    if counter is None or product is None or not _counts(test, step, counter):
        return False
    number, tensor = product
    bound = children(test)[1]
    type, place = b.types(number.type), b.place(cursor)
    of, spot = spot_of(b, number), spot_of(b, tensor)
    if not isinstance(type, Int) or type.bits == 1 or not isinstance(of, Slot):
        return False
    if not (isinstance(spot, Parts) and is_tensor(spot.record) and _stays(bound, number)):
        return False
    rank, numel = (_part(spot, name) for name in ("symcute_rank", "symcute_numel"))
    run(b, first)
    dims = to_int(b, value_of(b, bound), _LONG, place)
    with b.block() as then:
        before = to_int(b, read(b, of, type, place), _MODULO, place)
        whole = Binary("*", before, to_int(b, numel, _MODULO, place), _MODULO, place)
        write(b, of, to_int(b, whole, type, place, True), type, place)
    with b.block() as otherwise:
        loop(b, cursor, test, body, step)
    b.emit(If(Binary("==", dims, rank, _TRUTH, place), tuple(then), tuple(otherwise), place))
    return True


def _part(spot: Parts, name: str) -> Expr:
    found = spot.spots[name]
    assert isinstance(found, Slot)
    return Var(found.name, _LONG)


def _plain(cursor: Cursor) -> Cursor:
    """Return what stands in parentheses and conversions."""
    while kind_of(cursor) in _AROUND:
        inner = [c for c in children(cursor) if not kind_of(c).endswith("_REF")]
        if len(inner) != 1:
            return cursor
        cursor = inner[0]
    return cursor


def _named(cursor: Cursor) -> int | None:
    """Return the variable that a text is, if it is one."""
    plain = _plain(cursor)
    if kind_of(plain) != "DECL_REF_EXPR" or plain.referenced is None:
        return None
    return key(plain.referenced.canonical)


def _stays(bound: Cursor, number: Cursor) -> bool:
    """Is a bound a variable, or a tensor's dims, that a number which changes is no part of?"""
    plain = _plain(bound)
    if kind_of(plain) == "CALL_EXPR" and plain.spelling in ("dim", "ndimension"):
        return True
    ours = [_plain(x).referenced for x in (bound, number)]
    plainly = all(v is not None and kind_of(v) in _VARIABLES for v in ours)
    return plainly and _named(bound) != _named(number) and not any(map(_refers, ours))


def _refers(variable: Cursor) -> bool:
    return bool(variable.type.get_canonical().kind.name.endswith("REFERENCE"))


def _counter(first: Cursor) -> int | None:
    """Return the variable that a loop declares, if it begins with 0."""
    declared = children(first) if kind_of(first) == "DECL_STMT" else []
    if len(declared) != 1 or kind_of(declared[0]) != "VAR_DECL":
        return None
    start = children(declared[0])
    zero = len(start) == 1 and pure_constant(start[0]) == 0
    return key(declared[0].canonical) if zero else None


def _counts(test: Cursor, step: Cursor, counter: int) -> bool:
    """Does a loop count up to a bound, by one?"""
    if kind_of(test) != "BINARY_OPERATOR" or binary_operator(test) not in ("<", "!="):
        return False
    by_one = kind_of(step) == "UNARY_OPERATOR" and unary_operator(step) in ("++", "_++")
    return by_one and _named(children(test)[0]) == counter and _named(children(step)[0]) == counter


def _product(body: Cursor, counter: int | None) -> tuple[Cursor, Cursor] | None:
    """Return the number that a body multiplies by a size, and the tensor that it is of."""
    if kind_of(body) == "COMPOUND_STMT" and len(children(body)) == 1:
        body = children(body)[0]
    if kind_of(body) != "COMPOUND_ASSIGNMENT_OPERATOR" or binary_operator(body) != "*=":
        return None
    number, factor = children(body)
    call = _plain(factor)
    member = children(call)[:1] if kind_of(call) == "CALL_EXPR" else []
    if not member or call.spelling != "size" or kind_of(member[0]) != "MEMBER_REF_EXPR":
        return None
    asked, of = list(call.get_arguments()), children(member[0])[:1]
    if len(asked) != 1 or _named(asked[0]) != counter or not of or _named(of[0]) is None:
        return None
    return (number, of[0]) if _named(number) not in (None, counter) else None
