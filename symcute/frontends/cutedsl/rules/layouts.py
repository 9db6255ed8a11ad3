"""Rules of the algebra: layouts divided, composed, inverted, sliced. Tiles are rounded up."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from symcute.expr.htuple import transform
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
from symcute.frontends.cutedsl.rules.values import moved
from symcute.frontends.cutedsl.values import Tensor, Tile
from symcute.layout import algebra
from symcute.layout.layout import Layout
from symcute.layout.slices import slice_and_offset
from symcute.layout.swizzle import ComposedLayout
from symcute.layout.tv.slicing import every, padded, projected


def _tiler(x: Any) -> Any:
    return x.tiler() if isinstance(x, Tile) else plain(x)


def _divided(layout: Any, tiler: Any, given: Any) -> Any:
    """Return (tile, rest), rounded up; the layouts inside swizzled ones are what is divided."""
    if isinstance(layout, ComposedLayout):
        return layout.map(_divided, tiler, given)
    if isinstance(tiler, tuple) and any(isinstance(t, tuple) for t in tiler):
        return algebra.logical_divide(layout, tiler, given=given)
    return algebra.guarded_divide(layout, tiler, given=given).layout


@rule("logical_divide")
def _(call: Call) -> Any:
    x, tile = call.values
    return like(x, _divided(layout_of(x), _tiler(tile), call.given()))


def _zipped(call: Call) -> Any:
    x, tile = call.values[:2]
    tiler = _tiler(tile)
    return algebra.tile_unzip(_divided(layout_of(x), tiler, call.given()), tiler)


@rule("zipped_divide")
def _(call: Call) -> Any:
    return like(call.values[0], _zipped(call))


@rule("local_tile")
def _(call: Call) -> Any:
    x, tile, coordinate = call.values[:3]
    if not isinstance(x, Tensor) or not isinstance(tile, Tile) or not tile.by_mode:
        raise Unruled("a tile that is not by mode")
    tiler, place = tile.tiler(), integers_of(coordinate)
    kept = call.operation.properties.get("proj")
    if kept is not None:
        found = re.fullmatch(r'#cute\.coord<"([^"]*)">', kept)
        if found is None:
            raise Unruled(f"proj = {kept}")
        projection = types.read_tree(found.group(1))
        tiler = projected(projection, tiler)
        if isinstance(place, tuple) and isinstance(projection, tuple):
            more = len(place) - len(projection)  # of modes that have no tile
            projection = (*projection, *[1] * more)
        place = projected(projection, place)
    tiled = algebra.tile_unzip(_divided(x.layout, tiler, call.given()), tiler)
    place = padded(place, tiled[1])
    return _sliced(x, tiled, (every(tiled[0]), place))


def _sliced(x: Tensor, layout: Any, coordinate: Any) -> Tensor:
    if isinstance(layout, ComposedLayout):
        raise Unruled("a slice of what is swizzled")
    kept, offset = slice_and_offset(coordinate, layout)
    return replace(x, start=moved(x.start, offset), layout=kept)


@rule("slice")
def _(call: Call) -> Any:
    x, coordinate = call.values
    if isinstance(x, Tensor):
        return _sliced(x, x.layout, coordinate)
    return slice_and_offset(coordinate, plain(x))[0]


@rule("composition")
def _(call: Call) -> Any:
    x, inner = call.values
    by = inner.tiler() if isinstance(inner, Tile) else plain(inner)
    found = algebra.composition(layout_of(x), by, given=call.given())
    if isinstance(inner, Tile) and isinstance(found, Layout):
        kind = call.type()
        said = kind.layout if isinstance(kind, types.TensorType) else kind
        found = _spelled(said, found, plain(x))
    return like(x, found)


def _spelled(said: Any, found: Layout, left: Layout) -> Layout:
    """Return a composition by modes as the DSL spells it, where sizes are not known.

    It keeps a mode for each one of the left layout: those that are gone through have extent 1, as
    those have that are never come to. Of a mode that steps through one alone it is seen which.
    """
    if not isinstance(said, types.LayoutType) or not isinstance(said.shape, tuple):
        return found
    if len(said.shape) != found.rank() or found.rank() != left.rank():
        return found
    modes = [_one(said.shape[k], found[k], left[k]) for k in range(found.rank())]
    return Layout(tuple(m.shape for m in modes), tuple(m.stride for m in modes))


def _one(said: Any, found: Layout, left: Layout) -> Layout:
    if not isinstance(found.shape, tuple):
        steps = left.modes()
        at = [k for k, (_, d) in enumerate(steps) if d == found.stride]
        whole = len(at) == 1 and (at[0] == len(steps) - 1 or steps[at[0]][0] == found.shape)
        if not isinstance(said, tuple) or len(said) != len(steps) or not whole:
            return found
        places = range(len(steps))
        shape = tuple(found.shape if k == at[0] else 1 for k in places)
        return Layout(shape, tuple(found.stride if k == at[0] else 0 for k in places))
    if not isinstance(said, tuple) or len(said) != len(found.shape):
        return found
    modes = [_one(x, found[k], left) for k, x in enumerate(said)]
    return Layout(tuple(m.shape for m in modes), tuple(m.stride for m in modes))


@rule("coalesce")
def _(call: Call) -> Any:
    x, *profile = call.values
    return like(x, algebra.coalesce(plain(x), *profile, given=call.given()))


@rule("right_inverse")
def _(call: Call) -> Any:
    return algebra.right_inverse(plain(call.values[0]), given=call.given())


@rule("left_inverse")
def _(call: Call) -> Any:
    return algebra.left_inverse(plain(call.values[0]), given=call.given())


@rule("raked_product")
def _(call: Call) -> Any:
    block, tiler = call.values
    return algebra.raked_product(plain(block), plain(tiler), given=call.given())


@rule("make_ordered_layout")
def _(call: Call) -> Any:
    form, order = map(integers_of, call.values)
    return algebra.make_ordered_layout(form, order)


@rule("make_layout_like")
def _(call: Call) -> Any:
    return algebra.make_layout_like(plain(call.values[0]), given=call.given())


@rule("tile_to_shape")
def _(call: Call) -> Any:
    block, form, order = call.values
    return algebra.tile_to_shape(layout_of(block), integers_of(form), integers_of(order))


@rule("make_identity_tensor")
def _(call: Call) -> Any:
    form = integers_of(call.values[0])
    zero = transform(lambda _: 0, form)
    return Tensor(zero, algebra.make_identity_layout(form))


@rule("make_identity_layout")
def _(call: Call) -> Any:
    return algebra.make_identity_layout(integers_of(call.values[0]))
