"""What an element of a value is: one table, with a rule for each operation that computes one.

A tensor is a function of coordinates. A rule gives the element at coordinates as an expression of
the elements that it is made of, so that what only moves elements (splat, broadcast, expand_dims,
reshape, trans, join, split) is arithmetic on coordinates, and nothing is left of it.

TTIR has no signs: integers are signed here, as Python's are, and an operation that is unsigned says
so itself, or by the mark that the process gave it (`worker.py`). What it takes is then converted
and back, which is no arithmetic that may be wrong; its own wraps. Where some are marked, one
without a mark is of a pass of Triton, and may be either: what it gives is not known.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from math import prod
from typing import Protocol, TypeAlias

from symcute.frontends.triton.operations import Op, Value
from symcute.frontends.triton.types import BOOL, I32, Unread, element_bytes
from symcute.kernel.ir.expression import (
    Binary,
    Builtin,
    Cast,
    Const,
    Expr,
    PtrAdd,
    Select,
    Unary,
    Var,
)
from symcute.kernel.ir.place import Place
from symcute.kernel.ir.program import Int

__all__ = ["RULES", "Coordinates", "Elements", "both", "number"]

Coordinates: TypeAlias = tuple[Expr, ...]


class Elements(Protocol):
    """Who knows elements of values at coordinates."""

    #: Whether arithmetic says whether it is unsigned.
    marked: bool

    def element(self, value: Value, at: Coordinates) -> Expr:
        """Return an element that is an integer or a pointer."""

    def is_computed(self, place: Var) -> bool:
        """Return whether no variable is asked for at a number that is chosen after it is set."""

    def some(self, op: Op, index: int, at: Coordinates, extent: int) -> Var:
        """Return a number below an extent that an operation chooses for an element it gives."""


#: Return the element of a result of an operation at coordinates.
Rule: TypeAlias = Callable[[Elements, Op, int, Coordinates], Expr]


def number(value: int, type: Int = I32) -> Const:
    """Return a number, as the machine has it in the type."""
    return Const(type.wrap(value), type)


def both(one: Expr | None, other: Expr | None, place: Place) -> Expr | None:
    """Return that two conditions hold; None always does."""
    if one is None or other is None:
        return one if other is None else other
    return Binary("&&", one, other, BOOL, place)


def _type(op: Op, index: int = 0) -> Int:
    found = op.results[index].type.held
    if not isinstance(found, Int):
        raise Unread(f"{op.name} of what is no integer")
    return found


def _unsigned(f: Elements, value: Value, at: Coordinates, place: Place) -> Expr:
    """Return an element without its sign."""
    e = f.element(value, at)
    if not isinstance(e.type, Int):
        raise Unread("an unsigned pointer")
    return Cast(e, Int(e.type.bits, False), place, True)


# --- numbers ------------------------------------------------------------------------------------


def _constant(f: Elements, op: Op, index: int, at: Coordinates) -> Expr:
    text = op.head[0] if len(op.head) == 1 else ""
    if found := re.fullmatch(r"dense<(.*)>", text):
        text = found[1]
    if text in ("true", "false"):
        return Const(int(text == "true"), BOOL)
    if not re.fullmatch(r"-?\d+", text):
        raise Unread(f"the constant {text or op.head}")
    return number(int(text), _type(op))


def _arithmetic(sign: str, unsigned: bool = False) -> Rule:
    def rule(f: Elements, op: Op, index: int, at: Coordinates) -> Expr:
        type = _type(op)
        if (unsigned or _is_unsigned(f, op)) and type != BOOL:
            a, b = (_unsigned(f, v, at, op.place) for v in op.operands)
            found = Binary(sign, a, b, Int(type.bits, False), op.place)
            return Cast(found, type, op.place, True)
        a, b = (f.element(v, at) for v in op.operands)
        if type == BOOL:
            if sign not in ("&", "|", "^"):
                raise Unread(f"{op.name} of truths")
            word = {"&": "&&", "|": "||", "^": "!="}[sign]
            return Binary(word, a, b, BOOL, op.place)
        if (sign == "*" and a == number(1, type)) or (sign == "+" and a == number(0, type)):
            return b
        if (sign == "*" and b == number(1, type)) or (sign == "+" and b == number(0, type)):
            return a
        return Binary(sign, a, b, type, op.place)

    return rule


#: What wraps if it is unsigned, and is wrong to leave its type if it is not.
_SIGNED = frozenset({"arith.addi", "arith.subi", "arith.muli", "arith.shli"})


def _is_unsigned(f: Elements, op: Op) -> bool:
    if op.name not in _SIGNED or not f.marked:
        return False
    mark = re.match(r"dense<([01])>", op.attributes.get("tt.unsigned", ""))
    if mark is None:
        raise Unread(f"{op.name} that may be unsigned")
    return mark[1] == "1"


_COMPARED = {"eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">="}


def _compare(f: Elements, op: Op, index: int, at: Coordinates) -> Expr:
    word = op.head[0]
    a, b = (f.element(v, at) for v in op.operands)
    if not isinstance(a.type, Int):
        raise Unread("a comparison of pointers")
    if word in ("eq", "ne"):
        return Binary(_COMPARED[word], a, b, BOOL, op.place)
    if word[:1] not in ("s", "u") or word[1:] not in _COMPARED:
        raise Unread(f"the comparison {word}")
    if a.type == BOOL and word[0] == "s":
        raise Unread("an order of truths as signed numbers")
    if word[0] == "u" and a.type != BOOL:
        a, b = (_unsigned(f, v, at, op.place) for v in op.operands)
    return Binary(_COMPARED[word[1:]], a, b, BOOL, op.place)


def _extend(signed: bool) -> Rule:
    def rule(f: Elements, op: Op, index: int, at: Coordinates) -> Expr:
        (source,) = op.operands
        type, truth = _type(op), source.type.held == BOOL
        if not signed and not truth:
            return Cast(_unsigned(f, source, at, op.place), type, op.place)
        a = f.element(source, at)
        if truth and signed:
            return Select(a, number(-1, type), number(0, type), type)
        return Cast(a, type, op.place)

    return rule


def _truncate(f: Elements, op: Op, index: int, at: Coordinates) -> Expr:
    a, type = f.element(op.operands[0], at), _type(op)
    assert isinstance(a.type, Int)
    if type == BOOL:  # the last bit
        bit = Binary("&", a, number(1, a.type), a.type, op.place)
        return Binary("!=", bit, number(0, a.type), BOOL, op.place)
    return Cast(a, type, op.place, True)


def _select(f: Elements, op: Op, index: int, at: Coordinates) -> Expr:
    test, one, other = op.operands
    type = op.results[0].type.held
    assert type is not None
    condition = f.element(test, at if test.type.shape else ())
    return Select(condition, f.element(one, at), f.element(other, at), type)


def _absolute(f: Elements, op: Op, index: int, at: Coordinates) -> Expr:
    a, type = f.element(op.operands[0], at), _type(op)
    below = Binary("<", a, number(0, type), BOOL, op.place)
    return Select(below, Unary("-", a, type, op.place), a, type)


def _axis(name: str) -> Rule:
    def rule(f: Elements, op: Op, index: int, at: Coordinates) -> Expr:
        axis = op.head[0] if op.head else ""
        if axis not in ("x", "y", "z"):
            raise Unread(f"the axis {axis}")
        return Cast(Builtin(f"{name}.{axis}", Int(32, False)), I32, op.place, True)

    return rule


# --- coordinates --------------------------------------------------------------------------------


def _range(f: Elements, op: Op, index: int, at: Coordinates) -> Expr:
    start = op.number("start")
    return at[0] if not start else Binary("+", at[0], number(start), I32, op.place)


def _scalar(f: Elements, op: Op, index: int, at: Coordinates) -> Expr:
    return f.element(op.operands[0], ())


def _only(f: Elements, op: Op, index: int, at: Coordinates) -> Expr:
    return f.element(op.operands[0], tuple(number(0) for _ in op.operands[0].type.shape))


def _expand(f: Elements, op: Op, index: int, at: Coordinates) -> Expr:
    axis = op.number("axis")
    return f.element(op.operands[0], at[:axis] + at[axis + 1 :])


def _broadcast(f: Elements, op: Op, index: int, at: Coordinates) -> Expr:
    shape = op.operands[0].type.shape
    if len(shape) != len(at):
        raise Unread("a broadcast to another number of axes")
    return f.element(
        op.operands[0], tuple(number(0) if n == 1 else c for n, c in zip(shape, at, strict=True))
    )


def _transposed(f: Elements, op: Op, index: int, at: Coordinates) -> Expr:
    found = re.fullmatch(r"array<i32: ([\d, ]+)>", op.attributes.get("order", ""))
    order = [int(n) for n in found[1].split(",")] if found else []
    if sorted(order) != [*range(len(at))]:
        raise Unread("a transposition")
    source: list[Expr] = [*at]
    for k, axis in enumerate(order):
        source[axis] = at[k]
    return f.element(op.operands[0], tuple(source))


def _reshaped(f: Elements, op: Op, index: int, at: Coordinates) -> Expr:
    if "allow_reorder" in op.head or "allow_reorder" in op.attributes:
        raise Unread("a reshape that may change the order")
    (source,) = op.operands
    return f.element(source, _relinear(op.results[0].type.shape, source.type.shape, at, op.place))


def _relinear(
    shape: tuple[int, ...], source: tuple[int, ...], at: Coordinates, place: Place
) -> Coordinates:
    """Return coordinates in another shape of the element that has the same number.

    The extents of both are put into groups of one product, each with coordinates of its own.
    """
    if prod(shape) != prod(source):
        raise Unread("a reshape to another number of elements")
    found: list[Expr] = []
    i = j = 0
    while j < len(source):
        first, size, index = i, 1, number(0)
        group, wanted = j, 1
        while j < len(source) and (wanted == 1 or wanted != size):
            if wanted <= size:
                wanted *= source[j]
                j += 1
            while size < wanted:
                size *= shape[i]
                i += 1
        linear: Expr = index
        for k in range(first, i):
            if shape[k] > 1:
                linear = _plus(_times(linear, shape[k], place), at[k], place)
        rest = wanted
        for extent in source[group:j]:
            rest //= extent
            digit = linear if rest == 1 else Binary("/", linear, number(rest), I32, place)
            if rest * extent < wanted:
                digit = Binary("%", digit, number(extent), I32, place)
            found.append(number(0) if extent == 1 else digit)
    return tuple(found)


def _times(a: Expr, n: int, place: Place) -> Expr:
    return a if a == number(0) or n == 1 else Binary("*", a, number(n), I32, place)


def _plus(a: Expr, b: Expr, place: Place) -> Expr:
    return b if a == number(0) else Binary("+", a, b, I32, place)


def _joined(f: Elements, op: Op, index: int, at: Coordinates) -> Expr:
    one, other = (f.element(v, at[:-1]) for v in op.operands)
    first = Binary("==", at[-1], number(0), BOOL, op.place)
    type = op.results[0].type.held
    assert type is not None
    return Select(first, one, other, type)


def _split(f: Elements, op: Op, index: int, at: Coordinates) -> Expr:
    return f.element(op.operands[0], (*at, number(index)))


# --- pointers -----------------------------------------------------------------------------------


def _moved(f: Elements, op: Op, index: int, at: Coordinates) -> Expr:
    pointer, by = (f.element(v, at) for v in op.operands)
    pointee = op.results[0].type.pointee
    if pointee is None or not isinstance(by.type, Int):
        raise Unread("a pointer that is moved")
    return PtrAdd(pointer, by, element_bytes(pointee), op.place)


def _recast(f: Elements, op: Op, index: int, at: Coordinates) -> Expr:
    """A pointer to elements of another type is the same address; numbers are the same bits."""
    source, target = op.operands[0].type, op.results[0].type
    if source.held != target.held:
        raise Unread("the bits of another type")
    return f.element(op.operands[0], at)


# --- reductions


def _chosen(f: Elements, op: Op, index: int, at: Coordinates) -> Expr:
    """A reduction that hands on one of what it is given: an element at some place of the axis."""
    (block,) = op.regions[0]
    *_, last = block.ops
    many = len(op.operands)
    if last.name != "tt.reduce.return" or len(block.arguments) != 2 * many:
        raise Unread("a reduction")
    sides = {block.arguments[index].number, block.arguments[index + many].number}
    if not _is_one_of(last.operands[index], sides):
        raise Unread("a reduction that computes")
    axis = op.number("axis")
    extent = op.operands[index].type.shape[axis]
    place = f.some(op, index, at, extent)
    found = f.element(op.operands[index], (*at[:axis], place, *at[axis:]))
    if not f.is_computed(place):
        raise Unread("a reduction that chooses among what is not computed")
    return found


def _is_one_of(value: Value, wanted: set[int]) -> bool:
    op = value.op
    if op is None:
        return value.number in wanted
    ways = {"arith.select": op.operands[1:]}
    ways |= {f"arith.{m}{s}": op.operands for m in ("min", "max") for s in ("si", "ui")}
    return op.name in ways and all(_is_one_of(v, wanted) for v in ways[op.name])


#: The rules: what has none here computes what is not known.
RULES: Mapping[str, Rule] = {
    "arith.constant": _constant,
    **{
        f"arith.{name}": _arithmetic(sign)
        for name, sign in {
            "addi": "+", "subi": "-", "muli": "*", "divsi": "/", "remsi": "%", "andi": "&",
            "ori": "|", "xori": "^", "shli": "<<", "shrsi": ">>", "minsi": "min", "maxsi": "max",
        }.items()
    },
    **{
        f"arith.{name}": _arithmetic(sign, unsigned=True)
        for name, sign in {
            "divui": "/", "remui": "%", "shrui": ">>", "minui": "min", "maxui": "max",
        }.items()
    },
    "arith.cmpi": _compare,
    "arith.extsi": _extend(signed=True),
    "arith.extui": _extend(signed=False),
    "arith.trunci": _truncate,
    "arith.select": _select,
    "arith.bitcast": _recast,
    "math.absi": _absolute,
    "tt.get_program_id": _axis("blockIdx"),
    "tt.get_num_programs": _axis("gridDim"),
    "tt.make_range": _range,
    "tt.splat": _scalar,
    "tt.unsplat": _only,
    "tt.expand_dims": _expand,
    "tt.broadcast": _broadcast,
    "tt.trans": _transposed,
    "tt.reshape": _reshaped,
    "tt.reduce": _chosen,
    "tt.join": _joined,
    "tt.split": _split,
    "tt.addptr": _moved,
    "tt.bitcast": _recast,
}  # fmt: skip
