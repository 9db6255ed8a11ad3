"""Arguments for every operation, static or symbolic, drawn by the same recipe."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from symcute.expr.htuple import HTuple, leaves, product, transform
from symcute.layout.layout import Layout, make_layout

from .draw import Draw


def _profile(draw: Draw, layout: Layout) -> HTuple:
    count = draw.rng.randint(1, layout.rank())
    return None if draw.chance(0.5) else tuple(draw.pick(0, 1) for _ in range(count))


def _profiled(draw: Draw) -> tuple[Any, ...]:
    layout = draw.layout()
    return layout, _profile(draw, layout)


def _filter_zeros(draw: Draw) -> tuple[Any, ...]:
    layout = draw.layout()
    profile = transform(lambda _: draw.pick(0, 1), layout.shape)
    return layout, draw.pick(None, profile, None)


def _select(draw: Draw) -> tuple[Any, ...]:
    layout = draw.layout()
    modes = list(range(layout.rank()))
    draw.rng.shuffle(modes)
    return layout, *modes[: draw.rng.randint(1, len(modes))]


def _composition(draw: Draw) -> tuple[Any, ...]:
    if draw.chance(0.5):
        shape = draw.shape(1)
        a = draw.layout(shape)
        b = draw.compact(draw.pick(shape, draw.refined(shape)))
        return a, b
    a = draw.layout()
    return a, draw.tiler(a)


def _complement(draw: Draw) -> tuple[Any, ...]:
    a = draw.compact(gaps=0.4, zeros=0.15)
    cotarget = draw.pick(a.cosize(), 2 * a.size(), a.size(), draw.extent(), draw.shape(1), 24)
    return a, draw.pick(cotarget, cotarget, Layout(cotarget))


def _divide(draw: Draw, open_modes: bool = False) -> tuple[Any, ...]:
    a = draw.layout()
    return a, draw.tiler(a, open_modes)


def _guarded(draw: Draw) -> tuple[Any, ...]:
    shape = draw.shape(1, most=2)
    n = draw.rng.randint(1, len(shape) if isinstance(shape, tuple) else 1)
    tile = tuple(draw.pick(2, 3, 4) for _ in range(n))
    return draw.compact(shape), draw.pick(tile, draw.pick(2, 3, 4))


def _tile_unzip(draw: Draw) -> tuple[Any, ...]:
    count = draw.rng.randint(1, 2)
    shape = tuple((draw.extent(), draw.extent()) for _ in range(count))
    extra = draw.pick((), (draw.extent(),))
    return draw.layout((*shape, *extra)), draw.pick(4, (2,) * count)


def _product(draw: Draw) -> tuple[Any, ...]:
    block = draw.compact(draw.shape(1, most=2), gaps=0.3)
    tiler = draw.compact(draw.shape(1, most=2), gaps=0.2, zeros=0.1)
    if draw.chance(0.5):
        return block, tiler
    by_mode = tuple(draw.pick(2, 3, Layout(2, 1)) for _ in range(block.rank()))
    return block, draw.pick(draw.pick(2, 3, 4), by_mode)


def _two(draw: Draw) -> tuple[Any, ...]:
    return draw.compact(draw.shape(1, most=2), gaps=0.2), draw.compact(draw.shape(1, most=2))


def _common(draw: Draw) -> tuple[Any, ...]:
    shape = draw.shape(1)
    return draw.layout(shape), draw.layout(draw.pick(shape, draw.refined(shape)))


def _shapes_with_common(draw: Draw) -> tuple[Any, ...]:
    shape = draw.shape()
    other = draw.pick(product(shape), draw.refined(shape), draw.shape())
    return draw.pick((shape, other), (other, Layout(shape)))


def _distribute(draw: Draw) -> tuple[Any, ...]:
    shape = draw.shape(1)
    first = shape[0] if isinstance(shape, tuple) else shape
    n = draw.pick(draw.divisor(first), product(shape), draw.pick(1, 2, 4, 6, 8, 12))
    return draw.pick(shape, Layout(shape)), n


def _major(draw: Draw) -> tuple[Any, ...]:
    shape = draw.shape()
    starts: HTuple = draw.pick(1, 1, 2)
    if isinstance(shape, tuple) and draw.chance(0.2):
        starts = tuple(draw.pick(1, 3) for _ in shape)
    return shape, draw.pick("left", "right"), starts


def _order(draw: Draw) -> tuple[Any, ...]:
    shape = draw.tuple_shape()
    order = list(range(len(shape)))
    draw.rng.shuffle(order)
    return shape, tuple(order)


def _any_order(draw: Draw) -> tuple[Any, ...]:
    return draw.pick(_order(draw), (draw.shape(), draw.pick("left", "right")))


def _sliced(draw: Draw) -> tuple[Any, ...]:
    layout = draw.layout(draw.tuple_shape())
    return draw.coordinate(layout.shape, draw.pick(0.2, 0.4)), layout


def _offset(draw: Draw) -> tuple[Any, ...]:
    layout = draw.layout()
    return draw.coordinate(layout.shape), layout


def _crd2crd(draw: Draw) -> tuple[Any, ...]:
    src = draw.shape()
    dst, crd = draw.pick(draw.refined(src), product(src)), draw.coordinate(src)
    return crd, src, dst if isinstance(crd, tuple) else draw.pick(dst, (product(src),))


def _get(draw: Draw) -> tuple[Any, ...]:
    layout = draw.layout()
    modes = []
    inner = layout
    for _ in range(draw.pick(0, 1, 1, 2)):
        modes.append(draw.rng.randrange(inner.rank()))
        inner = inner[modes[-1]]
    return layout, *modes


def _range(draw: Draw) -> tuple[Any, ...]:
    layout = draw.layout()
    return layout, *sorted((draw.rng.randint(0, layout.rank()), draw.rng.randint(0, layout.rank())))


def _group(draw: Draw) -> tuple[Any, ...]:
    args = _range(draw)
    return draw.pick(args, args, args[:2])


def _unflatten(draw: Draw) -> tuple[Any, ...]:
    flat = draw.layout(tuple(draw.extent() for _ in range(draw.rng.randint(1, 4))))
    profile = {1: 0, 2: (0, 0), 3: (0, (0, 0)), 4: ((0, 0), (0, 0))}[flat.rank()]
    return flat, draw.pick(profile, (0,) * flat.rank())


def _extended(draw: Draw) -> tuple[Any, ...]:
    layout, x = draw.layout(), draw.layout(draw.shape(1, most=2))
    rank = layout.rank() + draw.pick(0, 1, 2)
    return layout, *draw.pick((), (x,), (rank,), (rank, x))


def _replace(draw: Draw) -> tuple[Any, ...]:
    layout = draw.layout()
    return layout, draw.rng.randrange(layout.rank()), draw.layout(draw.shape(1))


def _zip(draw: Draw) -> tuple[Any, ...]:
    rank = draw.rng.randint(1, 3)
    found = [draw.layout(tuple(draw.extent() for _ in range(rank))) for _ in range(2)]
    return draw.pick(tuple(found), (make_layout(*found),), (Layout(draw.extent()), Layout(3, 5)))


def _transform(draw: Draw) -> tuple[Any, ...]:
    layout = draw.layout()
    return layout, draw.pick(lambda s, d: (s, 2 * d), lambda s, d: ((s, 2), (2 * d, d)))


def _shapes(draw: Draw) -> tuple[Any, ...]:
    shape = draw.shape()
    other = draw.pick(draw.refined(shape), draw.shape(), product(shape))
    return draw.pick((shape, other), (other, shape), (shape, Layout(other)))


def _multiple(draw: Draw) -> tuple[Any, ...]:
    if draw.chance(0.3):
        return _shapes(draw)
    shape, times = draw.shape(1), draw.pick(1, 2, 3)
    return shape, draw.refined(transform(lambda s: s * times, shape))


def _divisors(draw: Draw) -> tuple[Any, ...]:
    shape = draw.shape()
    if not isinstance(shape, tuple) or draw.chance(0.3):
        first = next(iter(leaves(shape)))
        return shape, draw.pick(draw.divisor(first), 2, 4, 6, (2, 2) if shape == first else 3)
    return shape, tuple(draw.divisor(product(s)) if draw.chance(0.9) else 2 for s in shape)


def _to_shape(draw: Draw) -> tuple[Any, ...]:
    block = draw.compact(draw.shape(1, most=2), gaps=0.2)
    modes = [m.size() for m in block]
    target = tuple(s * draw.pick(1, 2, 3) for s in modes) + draw.pick((), (), (2,))
    order = list(range(len(target)))
    draw.rng.shuffle(order)
    return block, *draw.pick((target, None), (target, tuple(order)), (target[0], None))


def _cast(draw: Draw) -> tuple[Any, ...]:
    inner = draw.pick(2, 4, 8)
    modes = [Layout(inner, 1), *(Layout(draw.extent(), inner * draw.pick(1, 2, 4)) for _ in "ab")]
    draw.rng.shuffle(modes)
    return make_layout(*modes[: draw.pick(2, 3)]), draw.pick(1, 2, 4)


def _recast(draw: Draw) -> tuple[Any, ...]:
    layout, _ = _cast(draw)
    return layout, draw.pick(8, 16), draw.pick(8, 16, 32, 24)


def _dominated(draw: Draw) -> tuple[Any, ...]:
    shape = draw.shape()
    return draw.coordinate(shape), shape, *draw.pick((), (draw.layout(shape).stride,))


def _indexed(draw: Draw) -> tuple[Any, ...]:
    shape = draw.shape()
    return draw.coordinate(shape), shape


def _shape_or_layout(draw: Draw) -> tuple[Any, ...]:
    return (draw.pick(draw.layout(), draw.shape()),)


def _alone(draw: Draw) -> tuple[Any, ...]:
    return (draw.layout(),)


def _gapped(draw: Draw) -> tuple[Any, ...]:
    return (draw.pick(draw.compact(gaps=0.4, zeros=0.15), draw.compact(), draw.padded()),)


RECIPES: Mapping[str, Callable[[Draw], tuple[Any, ...]]] = {
    "append": _extended,
    "blocked_product": _two,
    "ceil_div": _divisors,
    "coalesce": _profiled,
    "compact_major": _major,
    "compact_order": _any_order,
    "compatible": _shapes,
    "complement": _complement,
    "composition": _composition,
    "congruent": _shapes,
    "coshape": _get,
    "cosize": _get,
    "crd2crd": _crd2crd,
    "crd2idx": _dominated,
    "dice": _sliced,
    "domain_distribute": _distribute,
    "domain_offset": _offset,
    "downcast": _cast,
    "evenly_divides": _divisors,
    "filter_": _profiled,
    "filter_zeros": _filter_zeros,
    "flat_divide": _divide,
    "flat_product": _product,
    "flatten": _alone,
    "get": _get,
    "greatest_common_domain": _shapes_with_common,
    "group": _group,
    "guarded_divide": _guarded,
    "idx2crd": _indexed,
    "layout_add": _common,
    "left_inverse": _gapped,
    "logical_divide": lambda draw: _divide(draw, open_modes=True),
    "logical_product": _product,
    "make_fragment_like": _shape_or_layout,
    "make_identity_layout": _shape_or_layout,
    "make_layout_like": _gapped,
    "make_ordered_layout": _order,
    "max_common_layout": _common,
    "max_common_vector": _common,
    "nullspace": _alone,
    "prepend": _extended,
    "raked_product": _two,
    "recast": _recast,
    "replace": _replace,
    "right_inverse": _alone,
    "select": _select,
    "shape_div": _divisors,
    "slice_": _sliced,
    "slice_and_offset": _sliced,
    "take": _range,
    "tile_to_shape": _to_shape,
    "tile_unzip": _tile_unzip,
    "tiled_divide": _divide,
    "tiled_product": _product,
    "transform_leaf": _transform,
    "unflatten": _unflatten,
    "upcast": _cast,
    "weakly_compatible": _multiple,
    "weakly_congruent": _shapes,
    "zip_": _zip,
    "zipped_divide": _divide,
    "zipped_product": _product,
}
