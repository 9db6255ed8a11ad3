"""What the operations promise that only CuTe's C++ headers offer, by brute force on integers.

Each function takes the operation's arguments and its result, and says which promise the result
breaks, or "".  Written against the definitions, without symcute, as `postconditions.py`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from itertools import product as cartesian

from .postconditions import (
    Arg,
    Basis,
    Lay,
    Tree,
    complement_offsets,
    depth,
    leaves,
    render,
    render_profile,
    sliced,
)


def expect(expected: object, value: object) -> str:
    return "" if expected == value else f"should be {render(expected)}"


def same_map(expected: Lay, result: Lay) -> str:
    return "" if expected.offsets() == result.offsets() else "not the same map"


def joined(modes: Sequence[Lay]) -> Lay:
    """The layout with these top-level modes."""
    return Lay(tuple(mode.shape for mode in modes), tuple(mode.stride for mode in modes))


def mode_at(layout: Lay, path: Sequence[int]) -> Lay:
    for number in path:
        layout = layout.modes[number]
    return layout


# --- modes ---------------------------------------------------------------------------------------


def group(layout: Lay, begin: int, end: int, result: Lay) -> str:
    modes = layout.modes
    inner = [joined(modes[begin:end])] if begin < end else []
    return expect(joined([*modes[:begin], *inner, *modes[end:]]), result)


def unflatten(layout: Lay, profile: Tree, result: Lay) -> str:
    if render_profile(result.shape) != render_profile(profile):
        return "not congruent with the profile"
    return expect(layout.flat, result.flat)


def extended(layout: Lay, rank: int | None, mode: Lay | None, front: bool, result: Lay) -> str:
    """append and prepend, with a target rank or without."""
    added = [mode or Lay(1, 0)] * (1 if rank is None else rank - len(layout.modes))
    if not added:
        return expect(layout, result)
    modes = [*added, *layout.modes] if front else [*layout.modes, *added]
    return expect(joined(modes), result)


def replace(layout: Lay, number: int, mode: Lay, result: Lay) -> str:
    if not isinstance(layout.shape, tuple):
        return expect(mode, result)
    modes = layout.modes
    return expect(joined([*modes[:number], mode, *modes[number + 1 :]]), result)


def zipped(layouts: Sequence[Lay], result: Lay) -> str:
    if not isinstance(layouts[0].shape, tuple):
        return expect(joined([joined(layouts)]), result)
    if len({len(layout.modes) for layout in layouts}) != 1:
        return "the ranks differ"
    columns = zip(*(layout.modes for layout in layouts), strict=True)
    return expect(joined([joined(column) for column in columns]), result)


def without_zeros(layout: Lay) -> Lay:
    flat = [(extent, stride) for extent, stride in layout.flat if stride != 0]
    return Lay(tuple(s for s, _ in flat), tuple(d for _, d in flat))


def filtered(layout: Lay, profile: Tree, result: Lay) -> str:
    if isinstance(profile, tuple):
        parts = zip(layout.modes, result.modes, strict=True)
        for number, (old, new) in enumerate(parts):
            beyond = number >= len(profile)
            why = expect(old, new) if beyond else filtered(old, profile[number], new)
            if why:
                return f"mode {number}: {why}"
        return ""
    if depth(result.shape) > 1:
        return "not flat"
    if result.size > 1 and (1 in leaves(result.shape) or 0 in leaves(result.stride)):
        return "keeps an extent 1 or a stride 0"
    return same_map(without_zeros(layout), result)


def filter_zeros(layout: Lay, result: Lay) -> str:
    wanted = [(1 if d == 0 else s, d) for s, d in layout.flat]
    return expect(layout.stride, result.stride) or expect(wanted, result.flat)


def doubled(layout: Lay, result: Lay) -> str:
    return expect(layout.shape, result.shape) or expect(
        [2 * d for d in leaves(layout.stride)], leaves(result.stride)
    )


# --- building ------------------------------------------------------------------------------------


def compact(shape: Tree, stride: Tree, start: int = 1) -> str:
    """The strides make a bijection onto the multiples of `start` below `start` times the size."""
    if render_profile(shape) != render_profile(stride):
        return "not congruent with the shape"
    layout = Lay(shape, stride)
    wanted = [start * place for place in range(layout.size)]
    return "" if sorted(layout.offsets()) == wanted else "not a bijection"


def compact_major(shape: Tree, start: int, result: Tree, row: bool) -> str:
    strides = leaves(result)
    kept = [d for s, d in zip(leaves(shape), strides, strict=True) if s > 1]
    if kept != sorted(kept, reverse=row):
        return "not in order"
    return compact(shape, result, start)


def like(layout: Lay, kept: Lay, result: Lay) -> str:
    """The result has the layout's shape and is compact on what is `kept` of it."""
    if result.shape != layout.shape:
        return "another shape"
    return "" if sorted(set(result.offsets())) == list(range(kept.size)) else "not compact"


def make_layout_like(layout: Lay, result: Lay) -> str:
    pairs = zip(leaves(layout.stride), leaves(result.stride), strict=True)
    if any(old == 0 and new != 0 for old, new in pairs):
        return "a stride 0 is lost"
    return like(layout, without_zeros(layout), result)


def make_fragment_like(layout: Lay, result: Lay) -> str:
    modes = layout.modes
    if len(modes) < 2:
        return like(layout, layout, result)
    return like(layout, joined([without_zeros(modes[0]), *modes[1:]]), result)


# --- coordinates ---------------------------------------------------------------------------------


def dice(coordinate: Tree, layout: Lay, result: Lay) -> str:
    if not isinstance(coordinate, tuple):
        return expect(Lay((), ()) if coordinate is None else layout, result)
    flipped = _flipped(coordinate)
    return expect(Lay(sliced(flipped, layout.shape), sliced(flipped, layout.stride)), result)


def _flipped(coordinate: Tree) -> Tree:
    """The coordinate with underscores for its numbers and numbers for its underscores."""
    if isinstance(coordinate, tuple):
        return tuple(map(_flipped, coordinate))
    return 0 if coordinate is None else None


def crd2crd(coordinate: Tree, source: Tree, target: Tree, result: Tree) -> str:
    if all(isinstance(tree, tuple) for tree in (coordinate, source, target)):
        rows = zip(coordinate, source, target, result, strict=True)
        return next((why for row in rows if (why := crd2crd(*row))), "")
    if isinstance(target, tuple) and math.prod(leaves(source)) != math.prod(leaves(target)):
        return "the sizes differ"
    if render_profile(result) != render_profile(target):
        return "not congruent with the target"
    return expect(_index(coordinate, source), _index(result, target))


def _index(coordinate: Tree, shape: Tree) -> int:
    """The 1-D index of a coordinate: column-major strides, unit extents included."""
    weights = [math.prod(leaves(shape)[:place]) for place in range(len(leaves(shape)))]
    return Lay(shape, _filled(shape, iter(weights))).at_coordinate(coordinate)


def _filled(shape: Tree, values: Iterator[int]) -> Tree:
    if isinstance(shape, tuple):
        return tuple(_filled(part, values) for part in shape)
    return next(values)


# --- shapes --------------------------------------------------------------------------------------


def weakly_congruent(a: Tree, b: Tree) -> bool:
    if not isinstance(a, tuple):
        return True
    if not isinstance(b, tuple) or len(a) != len(b):
        return False
    return all(map(weakly_congruent, a, b))


def tiles(layout_shape: Tree, tiler: Tree) -> bool:
    """Every tile of the tiler lies inside of the shape, mode by mode."""
    if isinstance(tiler, tuple):
        modes = layout_shape if isinstance(layout_shape, tuple) else (layout_shape,)
        if len(tiler) > len(modes):
            return False
        return all(tiles(s, t) for s, t in zip(modes, tiler, strict=False))
    left, count = tiler, 1
    for extent in leaves(layout_shape):
        count *= -(-extent // left)
        left = -(-left // extent)
    return tiler * count == math.prod(leaves(layout_shape))


def divided(a: Tree, b: Tree, result: Tree, exact: bool) -> str:
    """ceil_div and shape_div, from their definition on integers."""
    try:
        return expect(_quotient(a, b, exact), result)
    except ValueError as error:
        return str(error)


def ceil_div(a: Tree, b: Tree, result: Tree) -> str:
    """As defined, and as many tiles as cover the shape."""
    covered = math.prod(leaves(b)) * math.prod(leaves(result))
    if covered < math.prod(leaves(a)):
        return f"tiles of {covered} in all do not cover the shape"
    return divided(a, b, result, exact=False)


def _quotient(a: Tree, b: Tree, exact: bool) -> Tree:
    if isinstance(a, tuple) and isinstance(b, tuple):
        if len(b) > len(a) or (exact and len(b) != len(a)):
            raise ValueError("the ranks differ")
        parts = (*b, *[1] * (len(a) - len(b)))
        return tuple(_quotient(x, y, exact) for x, y in zip(a, parts, strict=True))
    if isinstance(a, tuple):
        result = []
        for part in a:
            result.append(_quotient(part, b, exact))
            b = _quotient(b, part, exact)
        return tuple(result)
    number = math.prod(leaves(b))
    if exact and a % number and number % a:
        raise ValueError("neither divides the other")
    return -(-a // number)


def identity(shape: Tree, result: Lay) -> str:
    """Every leaf has the unit coordinate of its own mode as its stride."""
    return expect(shape, result.shape) or expect(_basis(shape, ()), result.stride)


def _basis(shape: Tree, path: tuple[int, ...]) -> object:
    if isinstance(shape, tuple):
        return tuple(_basis(part, (*path, number)) for number, part in enumerate(shape))
    return Basis(1, path) if path else 1


def weighted(shape: Tree, tree: Tree) -> Tree:
    """The tree with each coordinate as one number: every leaf of the shape weighs far more."""
    weights = {p: 10007**place for place, p in enumerate(_paths(shape, ()))}
    if isinstance(tree, tuple):
        return tuple(weighted(shape, part) for part in tree)
    return tree.value * weights[tree.modes] if isinstance(tree, Basis) else tree


def _paths(shape: Tree, path: tuple[int, ...]) -> list[tuple[int, ...]]:
    if not isinstance(shape, tuple):
        return [path]
    return [p for number, part in enumerate(shape) for p in _paths(part, (*path, number))]


def of_identity(promise: Callable[..., str], shape: Tree, other: Arg, result: Lay) -> str:
    """The promise about the identity layout of the shape, its coordinates taken as numbers."""
    layout = Lay(shape, weighted(shape, _basis(shape, ())))
    return promise(layout, other, Lay(result.shape, weighted(shape, result.stride)))


# --- common, tile, recast ------------------------------------------------------------------------


def max_common_layout(a: Lay, b: Lay, result: Lay) -> str:
    for index, place in enumerate(result.offsets()):
        if not (0 <= place < a.size and a.at(place) == index):
            return f"A(R({index})) is not {index}"
        if not (place < b.size and b.at(place) == index):
            return f"B(R({index})) is not {index}"
    return ""


def max_common_vector(a: Lay, b: Lay, result: int) -> str:
    places = {offset: place for place, offset in reversed(list(enumerate(b.offsets())))}
    for index in range(result):
        place = places.get(index)
        if place is None or place >= a.size or a.at(place) != index:
            return f"A and B part at {index}"
    return "" if result >= 1 else "below 1"


def domain_distribute(shape: Arg, number: int, result: Lay) -> str:
    if number % result.size:
        return f"size {result.size} does not divide {number}"
    offsets = result.offsets()
    if offsets != sorted(set(offsets)):
        return "not ascending"
    extents = leaves(shape.shape if isinstance(shape, Lay) else shape)
    if offsets[-1] >= math.prod(extents):
        return "leaves the domain"
    box = 1
    for place, extent in enumerate(extents):
        weight = math.prod(extents[:place])
        digits = sorted({offset // weight % extent for offset in offsets})
        if digits != list(range(len(digits))) or extent % len(digits):
            return f"does not divide the extent {extent}"
        box *= len(digits)
    return "" if box == result.size else "no box of coordinates"


def nullspace(layout: Lay, result: Lay) -> str:
    offsets = result.offsets()
    if any(not 0 <= place < layout.size or layout.at(place) for place in offsets):
        return "L(R(i)) is not 0"
    if len(set(offsets)) != len(offsets):
        return "not injective"
    return expect(layout.size // without_zeros(layout).size, result.size)


def tile_to_shape(block: Lay, target: Tree, result: Lay) -> str:
    """Copies of the block, and nothing else, tile the target shape."""
    modes = target if isinstance(target, tuple) else (target,)
    if len(result.modes) != len(modes) or len(block.modes) > len(modes):
        return "another rank than the target's"
    extents = [math.prod(leaves(part)) for part in modes]
    if [mode.size for mode in result.modes] != extents:
        return "not compatible with the target"
    inner = [*block.modes, *[Lay(1, 0)] * (len(modes) - len(block.modes))]
    bases: dict[tuple[int, ...], int] = {}
    for coordinate in cartesian(*map(range, extents)):
        digits = [divmod(c, mode.size) for c, mode in zip(coordinate, inner, strict=True)]
        offset = sum(m.at(c) for m, c in zip(result.modes, coordinate, strict=True))
        within = sum(m.at(d) for m, (_, d) in zip(inner, digits, strict=True))
        if bases.setdefault(tuple(tile for tile, _ in digits), offset - within) != offset - within:
            return f"not the block at {render(coordinate)}"
    fitting = complement_offsets(block, math.prod(extents))
    if fitting is None:
        return "the block has no complement"
    return expect(tuple(fitting[: len(bases)]), tuple(sorted(bases.values())))


def tile_unzip(layout: Lay, tiler: Tree, result: Lay) -> str:
    return expect(_unzipped(layout, tiler), result)


def _unzipped(layout: Lay, tiler: Tree) -> Lay:
    if not isinstance(tiler, tuple):
        return layout
    pairs = [_unzipped(m, t) for m, t in zip(layout.modes, tiler, strict=False)]
    rests = [pair.modes[1] for pair in pairs] + layout.modes[len(tiler) :]
    return joined([joined([pair.modes[0] for pair in pairs]), joined(rests)])


def upcast(layout: Lay, number: int, result: Lay) -> str:
    """Each element of the result is `number` neighbours of the layout, cut off evenly."""
    groups = [
        number // abs(d) if d and number % d == 0 and abs(d) < number else 1 for _, d in layout.flat
    ]
    if len(result.flat) != len(layout.flat) or render_profile(result.shape) != render_profile(
        layout.shape
    ):
        return "another hierarchy"
    for digits in cartesian(*(range(s) for s, _ in layout.flat)):
        offset = sum(i * d for i, (_, d) in zip(digits, layout.flat, strict=True))
        coarse = [i // g for i, g in zip(digits, groups, strict=True)]
        if any(i >= s for i, (s, _) in zip(coarse, result.flat, strict=True)):
            return "too small"
        place = sum(i * d for i, (_, d) in zip(coarse, result.flat, strict=True))
        if offset // number != place:
            return f"the element at {render(digits)} is not in its group"
    return ""


def downcast(layout: Lay, number: int, result: Lay) -> str:
    """Each element of the layout becomes `number` neighbours, along a mode of stride 1."""
    strides = leaves(layout.stride)
    if number == 1:
        return expect(layout, result)
    if len(result.flat) != len(strides) or strides.count(1) != 1:
        return "not one mode of stride 1"
    for digits in cartesian(*(range(s) for s, _ in result.flat)):
        place = sum(i * d for i, (_, d) in zip(digits, result.flat, strict=True))
        offset, rest = 0, 0
        for digit, (extent, stride) in zip(digits, layout.flat, strict=True):
            if stride == 1:
                digit, rest = divmod(digit, number)
            if digit >= extent:
                return "too large"
            offset += digit * stride
        if place != offset * number + rest:
            return f"wrong at {render(digits)}"
    return expect(layout.size * number, result.size)


def recast(layout: Lay, old: int, new: int, result: Lay) -> str:
    if old == new:
        return expect(layout, result)
    return upcast(layout, new // old, result) if new > old else downcast(layout, old // new, result)
