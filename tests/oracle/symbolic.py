"""Symbolic cases: operations on layouts with dims, and the points at which they are compared.

A dim is a multiple of its modulus, which the assumptions state; a padded stride is a dim of at
least what it must hold.  So every case is admissible by construction, and `Undecided` is a loss.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import symcute
from symcute.expr.assumptions import assuming
from symcute.expr.basis import ScaledBasis
from symcute.expr.expression import value_at
from symcute.layout.layout import Layout

from .cases import divisors, fill
from .compare import REFUSALS
from .operations import OPERATIONS
from .postconditions import Basis, Lay

POINTS = 20
MODULI = (1, 2, 4, 4, 6, 8)
Leaf = Any
Digit = tuple[Leaf, Leaf]


@dataclass
class Context:
    """The dims of one case and what is assumed about them."""

    rng: random.Random
    moduli: dict[str, int] = field(default_factory=dict)
    least: dict[str, Leaf] = field(default_factory=dict)
    coordinates: dict[str, Leaf] = field(default_factory=dict)

    def dim(self, modulus: int | None = None) -> Leaf:
        """A dim of the modulus: mostly a new one, while there are fewer than three."""
        known = [n for n, m in self.moduli.items() if modulus is None or m % modulus == 0]
        if known and (len(self.moduli) >= 3 or self.rng.random() < 0.1):
            return symcute.dims(self.rng.choice(known))
        if len(self.moduli) >= 3:
            return (modulus or 1) * self.rng.choice((1, 2))
        name = "MNK"[len(self.moduli)]
        self.moduli[name] = modulus or self.rng.choice(MODULI)
        return symcute.dims(name)

    def at_least(self, value: Leaf) -> Leaf:
        """A dim for a leading dimension that holds `value`."""
        if isinstance(value, int) or self.least:
            return value
        self.least["LD"] = value
        return symcute.dims("LD")

    def index(self, extent: Leaf) -> Leaf:
        """A dim for a coordinate below `extent`."""
        name = "ijkl"[len(self.coordinates) % 4]
        if name in self.coordinates:
            return 0
        self.coordinates[name] = extent
        return symcute.dims(name)

    def given(self) -> list[str]:
        """The assumptions, in the grammar."""
        return [
            *(f"{name} % {m} == 0" for name, m in self.moduli.items() if m > 1),
            *(f"{name} >= {value}" for name, value in self.least.items()),
            *(f"{name} >= 0" for name in self.coordinates),
            *(f"{name} < {value}" for name, value in self.coordinates.items()),
        ]

    def points(self) -> list[dict[str, int]]:
        """`POINTS` values of the dims that meet the assumptions."""
        return [self._point(number) for number in range(POINTS)]

    def _point(self, number: int) -> dict[str, int]:
        largest = 1 + number // 5
        point = {n: m * self.rng.randint(1, largest) for n, m in self.moduli.items()}
        for name, value in self.least.items():
            point[name] = value_at(value, point) + self.rng.randrange(largest)
        for name, value in self.coordinates.items():
            point[name] = self.rng.randrange(value_at(value, point))
        return point

    def factors(self, extent: Leaf) -> list[Leaf]:
        """What is known to divide an extent: small integers, and the extent itself."""
        if isinstance(extent, int):
            return list(divisors(extent))
        return [*divisors(self.moduli.get(str(extent), 1)), extent]


#: Operations of which more than one result is right: where leaves are known, a larger inverse, say.
#: A result unlike the static one is held against the promise, coordinate by coordinate.
BY_PROMISE = (
    "right_inverse",
    "left_inverse",
    "make_layout_like",
    "make_fragment_like",
    "max_common_layout",
    "max_common_vector",
)


@dataclass(frozen=True)
class SymbolicCase:
    """One symbolic call and the points of its dims."""

    name: str
    args: tuple[Any, ...]
    given: tuple[str, ...]
    points: tuple[dict[str, int], ...]

    def __str__(self) -> str:
        return f"{self.name}({', '.join(map(str, self.args))}) given {', '.join(self.given)}"

    def result(self) -> Any:
        """The symbolic result; raises what symcute raises."""
        with assuming(list(self.given)):
            return OPERATIONS[self.name].ours(*self.args)

    def difference(self, result: Any, point: dict[str, int]) -> str:
        """How the symbolic result, at the point, differs from the static one; "" when it does not.

        A refusal of the static operation is a difference as well.
        """
        args = tuple(at(arg, point) for arg in self.args)
        value = at(result, point)
        operation = OPERATIONS[self.name]
        if self.name == "make_fragment_like" and result == Layout(self.args[0].shape):
            return ""  # column-major is what CuTe makes of extents that are not known
        try:
            static = operation.ours(*args)
        except REFUSALS as refusal:
            return f"{value}, refused as static: {refusal}"
        if self.name.startswith("compact"):
            value, static = (Layout(args[0], stride) for stride in (value, static))
        if same(value, static):
            return ""
        if self.name not in BY_PROMISE:
            return f"{value}, static {static}"
        why = operation.promise(*map(as_lay, args), as_lay(value))
        return f"{value}: {why}, static {static}" if why else ""


def at(value: Any, point: dict[str, int]) -> Any:
    """The value with its dims replaced."""
    if isinstance(value, Layout):
        return value.at(point)
    if isinstance(value, tuple):
        return tuple(at(part, point) for part in value)
    return value if value is None or isinstance(value, int) else value_at(value, point)


def as_lay(value: Any) -> Any:
    """Static layouts as those of the post-conditions, which know nothing of symcute.

    A coordinate as a stride becomes a number of its own, far larger than any extent.
    """
    if isinstance(value, Layout):
        return Lay(value.shape, numbers(value.stride))
    return tuple(map(as_lay, value)) if isinstance(value, tuple) else value


def numbers(stride: Any) -> Any:
    """A stride with each coordinate made a number of its own."""
    if isinstance(stride, tuple):
        return tuple(map(numbers, stride))
    if not isinstance(stride, (ScaledBasis, Basis)):
        return stride
    place = sum((mode + 1) * 8**level for level, mode in enumerate(stride.modes))
    return stride.value * 10007**place


def same(a: Any, b: Any) -> bool:
    """Whether two static results are the same map (for layouts), or the same value."""
    if isinstance(a, Layout) and isinstance(b, Layout):
        if a == b:
            return True
        one, other = as_lay(a), as_lay(b)
        return one.size == other.size and one.offsets() == other.offsets()
    if isinstance(a, tuple) and isinstance(b, tuple):
        return len(a) == len(b) and all(map(same, a, b))
    return bool(a == b)


# --- random symbolic layouts ---------------------------------------------------------------------


def _leaf(context: Context) -> Leaf:
    if context.rng.random() < 0.6:
        return context.dim()
    return context.rng.choice((1, 2, 2, 3, 4, 4, 8))


def _nested(rng: random.Random, parts: list[Any]) -> Any:
    """The leaves as a shape, some neighbours grouped; a single one mostly without a tuple."""
    parts = list(parts)
    if len(parts) > 2 and rng.random() < 0.3:
        place = rng.randrange(len(parts) - 1)
        parts[place : place + 2] = [tuple(parts[place : place + 2])]
    if len(parts) == 1 and rng.random() < 0.6:
        return parts[0]
    return tuple(parts)


def _extents(context: Context, rank: int | None = None) -> list[Leaf]:
    count = rank or context.rng.choice((1, 2, 2, 3))
    extents = [_leaf(context) for _ in range(count)]
    if not context.moduli:
        extents[context.rng.randrange(count)] = context.dim()
    return extents


def _strides(context: Context, extents: list[Leaf], kind: str) -> list[Leaf]:
    rng = context.rng
    order = list(range(len(extents)))
    if kind == "row":
        order.reverse()
    elif kind != "column":
        rng.shuffle(order)
    strides: list[Leaf] = [0] * len(extents)
    current: Leaf = 1
    for place in order:
        if kind == "repeating" and rng.random() < 0.4:
            continue
        strides[place] = 0 if extents[place] == 1 else current
        current = current * extents[place]
        if kind == "padded" and rng.random() < 0.5:
            current = current * 2 if rng.random() < 0.5 else context.at_least(current)
    return strides


KINDS = ("column", "row", "permuted", "padded", "repeating")
COMPACT = ("column", "row", "permuted")


def _layout(context: Context, kinds: tuple[str, ...] = KINDS, rank: int | None = None) -> Layout:
    extents = _extents(context, rank)
    strides = _strides(context, extents, context.rng.choice(kinds))
    shape = tuple(extents) if rank else _nested(context.rng, extents)
    return Layout(shape, fill(shape, iter(strides)))


def _digits(context: Context, layout: Layout) -> list[Digit]:
    """The domain as (extent, weight) digits that refine the leaves."""
    digits: list[Digit] = []
    weight: Leaf = 1
    for extent, _ in layout.modes():
        first = context.rng.choice(context.factors(extent))
        rest = extent // first if isinstance(extent, int) else extent / first
        for part in (first, rest):
            if part != 1:
                digits.append((part, weight))
            weight = weight * part
    return digits


def _some_digits(context: Context, layout: Layout, shuffled: float) -> Layout:
    rng = context.rng
    digits = [digit for digit in _digits(context, layout) if rng.random() < 0.6]
    if rng.random() < shuffled:
        rng.shuffle(digits)
    if not digits:
        return Layout(1, 0)
    shape = _nested(rng, [extent for extent, _ in digits])
    return Layout(shape, fill(shape, iter([weight for _, weight in digits])))


def _tiles(context: Context, layout: Layout) -> tuple[Any, ...]:
    """A tile for each of the first modes: what divides the mode's first leaf."""
    modes = list(layout)[: context.rng.randint(1, layout.rank())]
    return tuple(context.rng.choice(context.factors(mode.modes()[0][0])) for mode in modes)


# --- arguments by operation ----------------------------------------------------------------------


def _path(context: Context, layout: Layout) -> tuple[int, ...]:
    first = context.rng.randrange(layout.rank())
    inner = layout[first]
    if isinstance(inner.shape, tuple) and context.rng.random() < 0.5:
        return first, context.rng.randrange(inner.rank())
    return (first,)


def _natural(context: Context, shape: Any, underscores: float = 0.0) -> Any:
    if context.rng.random() < underscores:
        return None
    if isinstance(shape, tuple):
        return tuple(_natural(context, part, underscores) for part in shape)
    return context.index(shape) if context.rng.random() < 0.7 else 0


def _flat(context: Context) -> tuple[Any, ...]:
    layout = _layout(context)
    flat = symcute.flatten(layout)
    profile = fill(layout.shape, iter([0] * len(layout.modes())))
    return flat, profile


def _complement(context: Context) -> tuple[Any, ...]:
    base = _layout(context, ("column",))
    if context.rng.random() < 0.3:
        layout = _layout(context, COMPACT)
        return layout, layout.size() * context.rng.choice((1, 2, 3))
    return _some_digits(context, base, 0.3), base.size() * context.rng.choice((1, 1, 2))


def _target(context: Context) -> tuple[Any, ...]:
    block = _layout(context, COMPACT, context.rng.choice((1, 2)))
    factors = [context.rng.choice((1, 2, 3, context.dim(1))) for _ in block]
    sizes = tuple(mode.size() * factor for mode, factor in zip(block, factors, strict=True))
    order = tuple(context.rng.sample(range(len(sizes)), len(sizes)))
    return block, sizes, context.rng.choice((None, order))


def _words(context: Context) -> tuple[Layout, int]:
    """A layout of adjacent elements that come in words of `number`."""
    number = context.rng.choice((2, 4, 8))
    first = context.dim(number)
    rest = _extents(context, context.rng.choice((1, 2)))
    strides: list[Leaf] = [1]
    current = first
    for extent in rest:
        strides.append(current)
        current = current * extent
    return Layout((first, *rest), tuple(strides)), number


def _recast(context: Context) -> tuple[Any, ...]:
    layout, number = _words(context)
    bits = (8, 8 * number)
    return layout, *context.rng.sample(bits, 2)


def _same_shape(context: Context) -> tuple[Any, ...]:
    extents = _extents(context)
    kinds = [context.rng.choice(COMPACT) for _ in range(2)]
    return tuple(Layout(tuple(extents), tuple(_strides(context, extents, kind))) for kind in kinds)


def _refinement(context: Context) -> tuple[Any, ...]:
    shape = tuple(_extents(context))
    parts: list[Any] = []
    for extent in shape:
        first = context.rng.choice(context.factors(extent))
        rest = extent // first if isinstance(extent, int) else extent / first
        parts.append(context.rng.choice((extent, (first, rest))))
    return shape, tuple(parts)


def _with_digits(shuffled: float, kinds: tuple[str, ...]) -> Callable[[Context], tuple[Any, ...]]:
    def generate(context: Context) -> tuple[Any, ...]:
        layout = _layout(context, kinds)
        return layout, _some_digits(context, layout, shuffled)

    return generate


def _by_mode(context: Context) -> tuple[Any, ...]:
    layout = _layout(context)
    return layout, _tiles(context, layout)


def _either(context: Context) -> tuple[Any, ...]:
    return (_by_mode if context.rng.random() < 0.6 else _with_digits(0.2, KINDS))(context)


def _product(context: Context) -> tuple[Any, ...]:
    rank = context.rng.choice((1, 2))
    return _layout(context, COMPACT, rank), _layout(context, (*COMPACT, "repeating"), rank)


def _product_by_mode(context: Context) -> tuple[Any, ...]:
    block = _layout(context, ("column",))
    count = context.rng.randint(1, block.rank())
    return block, tuple(context.rng.choice((1, 2, context.dim())) for _ in range(count))


def _coordinate(context: Context) -> tuple[Any, ...]:
    layout = _layout(context)
    if context.rng.random() < 0.3:
        return context.index(layout.size()), layout
    return _natural(context, layout.shape), layout


def _sliced(context: Context) -> tuple[Any, ...]:
    layout = _layout(context)
    return _natural(context, layout.shape, 0.4), layout


def _shape_and_index(context: Context) -> tuple[Any, ...]:
    shape = _nested(context.rng, _extents(context))
    return context.index(symcute.size(shape)), shape


def _order(context: Context) -> tuple[Any, ...]:
    shape = _nested(context.rng, _extents(context))
    count = len(list(symcute.Layout(shape).modes()))
    return shape, fill(shape, iter(context.rng.sample(range(count), count)))


def _crd2crd(context: Context) -> tuple[Any, ...]:
    shape, refined = _refinement(context)
    return _natural(context, shape), shape, refined


def _one(context: Context) -> tuple[Any, ...]:
    return (_layout(context),)


def _with_path(context: Context) -> tuple[Any, ...]:
    layout = _layout(context)
    return layout, _path(context, layout)


def _range(context: Context) -> tuple[Any, ...]:
    layout = _layout(context, rank=context.rng.choice((1, 2, 3)))
    begin = context.rng.randrange(layout.rank())
    return layout, begin, context.rng.randint(begin + 1, layout.rank())


def _selected(context: Context) -> tuple[Any, ...]:
    layout = _layout(context, rank=context.rng.choice((2, 3)))
    return layout, tuple(context.rng.sample(range(layout.rank()), 2))


def _extension(context: Context) -> tuple[Any, ...]:
    layout = _layout(context)
    rank = context.rng.choice((None, layout.rank() + 1))
    return layout, rank, context.rng.choice((None, _layout(context)))


def _replaced(context: Context) -> tuple[Any, ...]:
    layout = _layout(context)
    return layout, context.rng.randrange(layout.rank()), _layout(context)


def _zipped(context: Context) -> tuple[Any, ...]:
    rank = context.rng.choice((1, 2, 3))
    return _layout(context, rank=rank), _layout(context, rank=rank)


def _profiled(context: Context) -> tuple[Any, ...]:
    layout = _layout(context)
    return layout, (1,) * context.rng.randint(1, layout.rank())


def _unzipped(context: Context) -> tuple[Any, ...]:
    pairs = [_layout(context, rank=2) for _ in range(context.rng.choice((1, 2)))]
    return symcute.make_layout(*pairs), (1,) * len(pairs)


def _tiled_shape(context: Context) -> tuple[Any, ...]:
    layout = _layout(context)
    return layout.shape if isinstance(layout.shape, tuple) else (layout.shape,), _tiles(
        context, layout
    )


def _divided_shape(context: Context) -> tuple[Any, ...]:
    shape = tuple(_extents(context))
    return shape, tuple(context.rng.choice(context.factors(extent)) for extent in shape)


def _shape(context: Context) -> tuple[Any, ...]:
    return (_nested(context.rng, _extents(context)),)


def _identity_and_digits(context: Context) -> tuple[Any, ...]:
    layout = _layout(context, ("column",), context.rng.choice((2, 3)))
    return layout.shape, _some_digits(context, layout, 0.3)


def _distributed(context: Context) -> tuple[Any, ...]:
    extents = _extents(context)
    first = [factor for factor in context.factors(extents[0]) if isinstance(factor, int)]
    return tuple(extents), context.rng.choice(first)


SYMBOLIC: dict[str, Callable[[Context], tuple[Any, ...]]] = {
    "make_layout": _shape,
    "make_ordered_layout": _order,
    "size": _one,
    "cosize": _one,
    "rank": _one,
    "depth": _one,
    "crd2idx": _coordinate,
    "idx2crd": _shape_and_index,
    "evaluate": lambda context: _coordinate(context)[::-1],
    "slice_": _sliced,
    "slice_and_offset": _sliced,
    "flatten": _one,
    "coalesce": _one,
    "coalesce_by_mode": _profiled,
    "composition": _with_digits(0.3, KINDS),
    "composition_by_mode": _by_mode,
    "complement": _complement,
    "right_inverse": _one,
    "left_inverse": lambda context: (_layout(context, (*COMPACT, "padded")),),
    "logical_divide": _with_digits(0.2, KINDS),
    "logical_divide_by_mode": _by_mode,
    "zipped_divide": _either,
    "tiled_divide": _either,
    "flat_divide": _either,
    "logical_product": _product,
    "logical_product_by_mode": _product_by_mode,
    "zipped_product": _product,
    "tiled_product": _product,
    "flat_product": _product,
    "blocked_product": _product,
    "raked_product": _product,
    "get": _with_path,
    "shape_of_mode": _with_path,
    "stride_of_mode": _with_path,
    "size_of_mode": _with_path,
    "rank_of_mode": _with_path,
    "depth_of_mode": _with_path,
    "cosize_of_mode": _with_path,
    "coshape_of_mode": _with_path,
    "take": _range,
    "group": _range,
    "select": _selected,
    "unflatten": _flat,
    "append": _extension,
    "prepend": _extension,
    "replace": _replaced,
    "zip": _zipped,
    "transform_leaf": _one,
    "filter": _one,
    "filter_by_mode": _profiled,
    "filter_zeros": _one,
    "compact_major": lambda context: (*_shape(context), context.rng.choice((0, 1)), 1),
    "compact_order": _order,
    "make_layout_like": _one,
    "make_fragment_like": _one,
    "dice": _sliced,
    "domain_offset": _coordinate,
    "crd2crd": _crd2crd,
    "congruent": _refinement,
    "weakly_congruent": _refinement,
    "compatible": _refinement,
    "evenly_divides": _tiled_shape,
    "ceil_div": _divided_shape,
    "shape_div": _divided_shape,
    "make_identity_layout": _shape,
    "composition_of_identity": _identity_and_digits,
    "composition_by_mode_of_identity": _tiled_shape,
    "logical_divide_by_mode_of_identity": _tiled_shape,
    "zipped_divide_of_identity": _tiled_shape,
    "max_common_layout": _same_shape,
    "max_common_vector": _same_shape,
    "nullspace": _one,
    "domain_distribute": _distributed,
    "tile_to_shape": _target,
    "tile_unzip": _unzipped,
    "upcast": _words,
    "downcast": _words,
    "recast_layout": _recast,
}


def symbolic_cases(name: str, count: int) -> list[SymbolicCase]:
    """The first `count` different cases of the operation, the same at every call."""
    rng = random.Random(f"symbolic {name}")
    found: dict[str, SymbolicCase] = {}
    for _ in range(40 * count):
        if len(found) >= count:
            break
        context = Context(rng)
        args = SYMBOLIC[name](context)
        points = context.points()
        if max(_largest(arg, point) for arg in args for point in points) > 1 << 14:
            continue
        case = SymbolicCase(name, args, tuple(context.given()), tuple(points))
        found.setdefault(str(case), case)
    return list(found.values())


def _largest(arg: Any, point: dict[str, int]) -> int:
    """The number of coordinates of an argument at a point."""
    if isinstance(arg, Layout):
        return math.prod(value_at(extent, point) for extent, _ in arg.modes())
    if isinstance(arg, tuple):
        return math.prod(part for part in at(arg, point) if isinstance(part, int) and part > 0)
    return 1
