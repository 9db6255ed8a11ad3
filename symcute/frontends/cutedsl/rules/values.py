"""Rules of what is in what: parts of tensors and layouts, tuples, and sums of integers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from symcute.expr.formula import ge, gt
from symcute.expr.htuple import flatten, product, transform
from symcute.frontends.cutedsl import types
from symcute.frontends.cutedsl.rules.call import (
    Call,
    Unruled,
    integers_of,
    layout_of,
    like,
    plain,
    rule,
)
from symcute.frontends.cutedsl.values import Pointer, Tensor, Tile, added, dims_of
from symcute.layout import algebra
from symcute.layout.coordinates import crd2idx
from symcute.layout.layout import Layout, make_layout
from symcute.layout.measures import cosize, shape
from symcute.layout.swizzle import ComposedLayout, Swizzle
from symcute.solve.entailment import facts


@rule("get_iter")
def _(call: Call) -> Any:
    (x,) = call.values
    if not isinstance(x, Tensor):
        raise Unruled("no tensor")
    return x.start


@rule("get_layout")
def _(call: Call) -> Any:
    return layout_of(call.values[0])


@rule("get_shape")
def _(call: Call) -> Any:
    return shape(layout_of(call.values[0]))


@rule("get_stride")
def _(call: Call) -> Any:
    return plain(call.values[0]).stride


@rule("to_int_tuple", "deref_arith_tuple_iter", "make_arith_tuple_iter")
def _(call: Call) -> Any:
    return integers_of(call.values[0])


@rule("get_leaves")
def _(call: Call) -> Any:
    return tuple(flatten(integers_of(call.values[0])))


@rule("get_scalars")
def _(call: Call) -> Any:
    """The integers that the type shows as `?`."""
    (x,) = call.values
    kind = types.read_type(call.operation.operands[0].type)
    return tuple(_dynamic(kind, integers_of(x)))


def _dynamic(kind: Any, value: Any) -> list[Any]:
    match kind:
        case types.TupleType(tree):
            return _under_holes(tree, value)
        case types.IntegerType():
            return [value]
    raise Unruled("no integers")


def _under_holes(tree: Any, value: Any) -> list[Any]:
    if isinstance(tree, tuple):
        if not isinstance(value, tuple) or len(value) != len(tree):
            raise Unruled("another form")
        return [x for t, v in zip(tree, value, strict=True) for x in _under_holes(t, v)]
    if isinstance(tree, types.Hole):
        return [value]
    if isinstance(tree, types.Basis) and types.holes(tree):
        return [value.value]
    return []


@rule("make_coord", "make_shape", "make_stride", "make_int_tuple")
def _(call: Call) -> Any:
    """The tuple that the type shows, its `?` filled from left to right with the operands'."""
    kind = call.type()
    if not isinstance(kind, types.TupleType):
        raise Unruled("no tuple")
    found: list[Any] = []
    for operand, value in zip(call.operation.operands, call.values, strict=True):
        found += _dynamic(types.read_type(operand.type), integers_of(value))
    if len(found) != len(types.holes(kind.tree)):
        raise Unruled("another number of integers")
    each = iter(found)
    return call.scope.filled(kind.tree, each)


@rule("make_layout")
def _(call: Call) -> Any:
    if call.numbers("operandSegmentSizes") == (1, 0):
        return Layout(integers_of(call.values[0]))
    form, stride = map(integers_of, call.values)
    return Layout(form, stride)


@rule("make_tile")
def _(call: Call) -> Any:
    kind = call.type()
    if not call.values:
        return call.scope.make(kind, "")
    each = iter([integers_of(x) for x in call.values])
    modes = [
        None
        if x is None
        else Layout(call.scope.filled(x.shape, each), call.scope.filled(x.stride, each))
        for x in kind.modes
    ]
    if next(each, None) is not None or any(x is not None and x.swizzle for x in kind.modes):
        raise Unruled("a tile of other layouts")
    return Tile(tuple(modes), kind.by_mode)


@rule("static", "make_swizzle")
def _(call: Call) -> Any:
    kind = call.type()
    if isinstance(kind, types.TupleType | types.LayoutType) and types.holes(
        kind.tree if isinstance(kind, types.TupleType) else kind
    ):
        raise Unruled("a ?")
    return call.scope.make(kind, "")


@rule("make_view")
def _(call: Call) -> Any:
    start, layout = call.values
    return Tensor(start if isinstance(start, Pointer) else integers_of(start), layout_of(layout))


@rule("make_composed_layout")
def _(call: Call) -> Any:
    swizzle, offset, layout = call.values
    if not isinstance(swizzle, Swizzle):
        raise Unruled("composed of other layouts")
    if not swizzle.bits and offset == 0:  # the DSL leaves it out
        return plain(layout)
    return ComposedLayout(swizzle, integers_of(offset), plain(layout))


@rule("composed_get_outer")
def _(call: Call) -> Any:
    (x,) = call.values
    if not isinstance(x, ComposedLayout):
        raise Unruled("not composed")
    return x.layout


@rule("composed_get_inner")
def _(call: Call) -> Any:
    (x,) = call.values
    if not isinstance(x, ComposedLayout):
        raise Unruled("not composed")
    return x.swizzle


@rule("composed_get_offset")
def _(call: Call) -> Any:
    (x,) = call.values
    if not isinstance(x, ComposedLayout):
        raise Unruled("not composed")
    return x.offset


@rule("get")
def _(call: Call) -> Any:
    (x,) = call.values
    modes = call.numbers("mode")
    return like(x, algebra.get(plain(x), *modes))


@rule("append_to_rank")
def _(call: Call) -> Any:
    x, more = call.values
    (rank,) = call.numbers("rank")
    found = plain(x)
    while found.rank() < rank:
        found = make_layout(*found, plain(more))
    return found


@rule("group_modes")
def _(call: Call) -> Any:
    (x,) = call.values
    (begin,), (end,) = call.numbers("begin"), call.numbers("end")
    return like(x, algebra.group(layout_of(x), begin, end))


@rule("size")
def _(call: Call) -> Any:
    (x,) = call.values
    found: Any = shape(layout_of(x)) if isinstance(x, Layout | ComposedLayout | Tensor) else x
    found = integers_of(found)
    for mode in call.numbers("mode"):
        found = found[mode]
    return product(found)


@rule("cosize")
def _(call: Call) -> Any:
    if call.numbers("mode"):
        raise Unruled("of a mode")
    return cosize(plain(call.values[0]))


@rule("tuple.product")
def _(call: Call) -> Any:
    return product(integers_of(call.values[0]))


@rule("tuple.product_each")
def _(call: Call) -> Any:
    found = integers_of(call.values[0])
    if not isinstance(found, tuple):
        raise Unruled("no tuple")
    return tuple(map(product, found))


def _even(x: Any, other: Any) -> Any:
    """Return integers with a 0 for each of another tuple behind the last.

    >>> _even((1, 2), (3, 4, (5, 6)))
    (1, 2, (0, 0))
    """
    if not isinstance(x, tuple) or not isinstance(other, tuple):
        return x
    more = (transform(lambda _: 0, y) for y in other[len(x) :])
    return (*(_even(a, b) for a, b in zip(x, other, strict=False)), *x[len(other) :], *more)


@rule("tuple_add", "tuple_sub", "tuple_mul")
def _(call: Call) -> Any:
    left, right = map(integers_of, call.values)
    if call.operation.name == "cute.tuple_add":
        left, right = _even(left, right), _even(right, left)
    act: dict[str, Callable[[Any, Any], Any]] = {
        "cute.tuple_add": lambda a, b: a + b,
        "cute.tuple_sub": lambda a, b: a - b,
        "cute.tuple_mul": lambda a, b: a * b,
    }
    return transform(act[call.operation.name], left, right)


@rule("tuple_div", "tuple_mod")
def _(call: Call) -> Any:
    """Quotients and remainders of what is at least 0: there all ways to round are one."""
    left, right = map(integers_of, call.values)
    known = facts(call.given())
    for a, b in zip(flatten(left), flatten(right), strict=True):
        if not (known.proves(ge(a, 0)) and known.proves(gt(b, 0))):
            raise Unruled("an integer that may be below 0")
    if call.operation.name == "cute.tuple_div":
        return transform(lambda a, b: a // b, left, right)
    return transform(lambda a, b: a % b, left, right)


@rule("ceil_div")
def _(call: Call) -> Any:
    sizes, tile = call.values
    sizes = integers_of(sizes)
    if not isinstance(tile, Tile):
        raise Unruled("by no tile")
    parts = sizes if isinstance(sizes, tuple) else (sizes,)
    if len(parts) < len(tile.modes) or isinstance(sizes, tuple) != tile.by_mode:
        raise Unruled("of other modes")
    modes = [x for x in tile.modes if not isinstance(x, Tile)]
    if len(modes) < len(tile.modes):
        raise Unruled("tiles of modes")
    found = [_up(s, t, call.given()) for s, t in zip(parts, modes, strict=False)]
    found += parts[len(modes) :]  # what has no tile stays as it is
    return tuple(found) if tile.by_mode else found[0]


def _up(size: Any, tile: Layout | None, given: Any) -> Any:
    if tile is None or isinstance(size, tuple):
        raise Unruled("by no layout")
    by = tile.size()
    return size if by == 1 else algebra.ceil_div(size, by)


@rule("crd2idx")
def _(call: Call) -> Any:
    coordinate, layout = call.values
    found = plain(layout)
    return crd2idx(integers_of(coordinate), found.shape, found.stride)


@rule("add_offset")
def _(call: Call) -> Any:
    start, offset = call.values
    return moved(start, integers_of(offset))


def moved(start: Any, offset: Any) -> Any:
    """Return a pointer or a coordinate behind an offset."""
    if isinstance(start, Pointer):
        if isinstance(offset, tuple):
            raise Unruled("a coordinate is added to a pointer")
        return start.moved(offset)
    return added(integers_of(start), offset)


@rule("ptrtoint")
def _(call: Call) -> Any:
    (start,) = call.values
    if not isinstance(start, Pointer):
        raise Unruled("no pointer")
    bits = start.offset * types.bits_of(start.element)
    if isinstance(bits, int) and bits % 8:
        raise Unruled("behind a part of a byte")
    if not isinstance(bits, int) and types.bits_of(start.element) % 8:
        raise Unruled("elements that are no bytes")
    address = call.scope.integer("address", start.alignment, least=0)
    call.scope.typed |= dims_of(address)
    return address + start.offset * (types.bits_of(start.element) // 8 or 1)


@rule("recast_iter")
def _(call: Call) -> Any:
    (start,) = call.values
    kind = call.type()
    if not isinstance(start, Pointer) or not isinstance(kind, types.PointerType):
        raise Unruled("no pointer")
    if start.space != kind.space or not isinstance(start.offset, int) or start.threads is not None:
        raise Unruled("behind an offset that is no number")
    bits = start.offset * types.bits_of(start.element)
    if bits % types.bits_of(kind.element):
        raise Unruled("behind a part of an element")
    offset = bits // types.bits_of(kind.element)
    return replace(start, element=kind.element, swizzle=kind.swizzle, offset=offset)
