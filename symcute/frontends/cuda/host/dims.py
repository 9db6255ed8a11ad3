"""Loops over all dims of a tensor: that multiply its sizes, or compare them with another's."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import cast

from clang.cindex import Cursor

from symcute.frontends.cuda.builder import Builder
from symcute.frontends.cuda.conversions import to_int
from symcute.frontends.cuda.host.program import Alike
from symcute.frontends.cuda.host.tensors import is_tensor
from symcute.frontends.cuda.library import (
    binary_operator,
    children,
    initializer,
    key,
    kind_of,
    pure_constant,
    unary_operator,
    within,
)
from symcute.frontends.cuda.loops import for_parts, loop
from symcute.frontends.cuda.memory import read, write
from symcute.frontends.cuda.rules import run, spot_of, value_of
from symcute.frontends.cuda.values import Parts, Slot
from symcute.kernel.ir.expression import Binary, Expr, Var
from symcute.kernel.ir.program import If, Int, Leave, Stmt

__all__ = ["goes_through_dims"]

_LONG, _MODULO, _TRUTH = Int(64, True), Int(64, False), Int(1, False)
_EITHER = "the result of symcute_either"
_OF_SHAPE = re.compile(r"symcute_(?:rank|numel)|size_\d+|last_\d+")
_VARIABLES = {"VAR_DECL", "PARM_DECL"}
_CASTS = {"CSTYLE_CAST_EXPR", "CXX_STATIC_CAST_EXPR"}


@dataclass(frozen=True)
class _Loop:
    """A loop that counts up to a bound by one, in its parts."""

    cursor: Cursor
    first: Cursor
    test: Cursor
    step: Cursor
    body: Cursor
    counter: int

    @property
    def bound(self) -> Cursor:
        return children(self.test)[1]


def goes_through_dims(b: Builder, cursor: Cursor) -> bool:
    """Lower a loop whose rounds are known together, if a statement is one.

    For all dims of a tensor they are; of how many dims it goes through else, it is a loop.
    """
    parts = for_parts(cursor) if kind_of(cursor) == "FOR_STMT" else None
    if parts is None or parts[0] is None or parts[1] is None or parts[2] is None:
        return False
    first, test, step, body = parts[0], parts[1], parts[2], parts[3]
    counter = _counter(first)
    if counter is None or not _counts(b, test, step, counter):
        return False
    if kind_of(body) == "COMPOUND_STMT" and len(children(body)) == 1:
        (body,) = children(body)
    here = _Loop(cursor, first, test, step, body, counter)
    return _multiplies(b, here) or _compares(b, here)


def _multiplies(b: Builder, here: _Loop) -> bool:
    """Lower `for (int i = 0; i < d; ++i) n *= x.size(i);`.

    Where d is how many dims x has, n is multiplied by how many elements it has: each product is
    congruent to that of integers, so that the last one is what its type leaves of that.
    """
    body = here.body
    if kind_of(body) != "COMPOUND_ASSIGNMENT_OPERATOR" or binary_operator(body) != "*=":
        return False
    number, factor = children(body)
    type, place = b.types(number.type), b.place(here.cursor)
    if _named(b, number) in (None, here.counter) or not isinstance(type, Int) or type.bits == 1:
        return False
    tensor = _sized(b, factor, here.counter, type.bits)
    if tensor is None or not _stays(b, here.bound, number):
        return False
    of, spot = spot_of(b, number), spot_of(b, tensor)
    if not (isinstance(of, Slot) and isinstance(spot, Parts) and is_tensor(spot.record)):
        return False
    with b.block() as then:
        before = to_int(b, read(b, of, type, place), _MODULO, place)
        numel = to_int(b, _part(spot, "symcute_numel"), _MODULO, place)
        whole = Binary("*", before, numel, _MODULO, place)
        write(b, of, to_int(b, whole, type, place, True), type, place)
    _or_loop(b, here, [spot], then)
    return True


def _compares(b: Builder, here: _Loop) -> bool:
    """Lower `for (int i = 0; i < d; ++i) if (x.size(i) != y.size(i)) throw ..;`.

    Where d is how many dims both have, what is behind it has two shapes that are one.
    """
    parts = children(here.body) if kind_of(here.body) == "IF_STMT" else []
    if len(parts) != 2 or not _throws(parts[1]) or not _stays(b, here.bound, None):
        return False
    test = within(parts[0])
    if kind_of(test) != "BINARY_OPERATOR" or binary_operator(test) != "!=":
        return False
    tensors = [_sized(b, side, here.counter, _LONG.bits) for side in children(test)]
    spots = [spot_of(b, t) for t in tensors if t is not None]
    both = [s for s in spots if isinstance(s, Parts) and is_tensor(s.record)]
    if len(both) != 2:
        return False
    place = b.place(here.cursor)
    with b.block() as then:
        differ = b.havoc(_TRUTH, _EITHER, place, hint="either")
        with b.block() as alike:
            for name in sorted(n for n in both[0].spots if _OF_SHAPE.fullmatch(n)):
                one = Alike(_part(both[0], name), _part(both[1], name), place)
                b.emit(cast(Stmt, one))
        b.emit(If(differ, (Leave("kernel", place),), tuple(alike), place))
    _or_loop(b, here, both, then)
    return True


def _or_loop(b: Builder, here: _Loop, tensors: list[Parts], then: list[Stmt]) -> None:
    """Do something where a loop goes through all dims of tensors, and the loop else."""
    place = b.place(here.cursor)
    run(b, here.first)
    dims = to_int(b, value_of(b, here.bound), _LONG, place)
    for tensor in tensors:
        with b.block() as otherwise:
            loop(b, here.cursor, here.test, here.body, here.step)
        test = Binary("==", dims, _part(tensor, "symcute_rank"), _TRUTH, place)
        then = [If(test, tuple(then), tuple(otherwise), place)]
    for s in then:
        b.emit(s)


def _throws(body: Cursor) -> bool:
    inner = children(body) if kind_of(body) == "COMPOUND_STMT" else [body]
    return len(inner) == 1 and kind_of(within(inner[0])) == "CXX_THROW_EXPR"


def _part(spot: Parts, name: str) -> Expr:
    found = spot.spots[name]
    assert isinstance(found, Slot)
    return Var(found.name, _LONG)


def _plain(b: Builder, cursor: Cursor, bits: int) -> Cursor:
    """Return what stands in parentheses, and in conversions that keep so many bits of it."""
    here = within(cursor)
    while kind_of(here) in _CASTS and isinstance(to := b.types(here.type), Int) and to.bits >= bits:
        here = within(children(here)[-1])
    return here


def _named(b: Builder, cursor: Cursor) -> int | None:
    """Return the variable that a text is, if it is one: of a counter of dims 8 bits are enough."""
    plain = _plain(b, cursor, 8)
    if kind_of(plain) != "DECL_REF_EXPR" or plain.referenced is None:
        return None
    return key(plain.referenced.canonical)


def _stays(b: Builder, bound: Cursor, number: Cursor | None) -> bool:
    """Is a bound a variable, or a tensor's dims, that a number which changes is no part of?"""
    plain = _plain(b, bound, 8)
    if kind_of(plain) == "CALL_EXPR" and plain.spelling in ("dim", "ndimension"):
        of = [x for c in children(plain)[:1] for x in children(c)[:1] if _named(b, x) is not None]
        spots = [spot_of(b, x) for x in of]
        return any(isinstance(s, Parts) and is_tensor(s.record) for s in spots)
    ours = [_plain(b, x, 8).referenced for x in (bound, number) if x is not None]
    plainly = all(v is not None and kind_of(v) in _VARIABLES for v in ours)
    other = number is None or _named(b, bound) != _named(b, number)
    return plainly and other and not any(map(_refers, ours))


def _refers(variable: Cursor) -> bool:
    return bool(variable.type.get_canonical().kind.name.endswith("REFERENCE"))


def _counter(first: Cursor) -> int | None:
    """Return the variable that a loop declares, if it begins with 0."""
    declared = children(first) if kind_of(first) == "DECL_STMT" else []
    if len(declared) != 1 or kind_of(declared[0]) != "VAR_DECL":
        return None
    start = initializer(declared[0])
    zero = start is not None and pure_constant(start) == 0
    return key(declared[0].canonical) if zero else None


def _counts(b: Builder, test: Cursor, step: Cursor, counter: int) -> bool:
    """Does a loop count up to a bound, by one?"""
    if kind_of(test) != "BINARY_OPERATOR" or binary_operator(test) not in ("<", "!="):
        return False
    by_one = kind_of(step) == "UNARY_OPERATOR" and unary_operator(step) in ("++", "_++")
    return by_one and all(_named(b, children(x)[0]) == counter for x in (test, step))


def _sized(b: Builder, size: Cursor, counter: int, bits: int) -> Cursor | None:
    """Return the tensor of which a text is the size of the dim that is counted, in so many bits."""
    call = _plain(b, size, bits)
    member = children(call)[:1] if kind_of(call) == "CALL_EXPR" else []
    if not member or call.spelling != "size" or kind_of(member[0]) != "MEMBER_REF_EXPR":
        return None
    asked, of = list(call.get_arguments()), children(member[0])[:1]
    if len(asked) != 1 or _named(b, asked[0]) != counter or not of or _named(b, of[0]) is None:
        return None
    return of[0]
