"""What each layout operation promises, decided by brute force over the whole domain.

Written against the definitions alone, in plain integers and without symcute, so that it can judge
both sides of a comparison.  `broken(op, args, text)` reads the printed result of an operation and
says in words which promise it breaks, or "" when it keeps them all.

A layout is evaluated beyond its size as CuTe does it: the last mode has no end.  A tile that does
not divide, and a composition that leaves the left layout's domain, reach there.  A result that is
right inside of the domain and differs only beyond it is told apart by the prefix `BEYOND`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import product as cartesian

#: How a reason begins when the result is wrong only where a layout is read beyond its domain.
BEYOND = "beyond the domain: "


@dataclass(frozen=True)
class Basis:
    """The coordinate `value@mode@mode`: all zeros but in the mode of a mode, outermost first."""

    value: int
    modes: tuple[int, ...]

    def __str__(self) -> str:
        return "@".join(map(str, (self.value, *reversed(self.modes))))


#: An integer, the underscore (None), a basis element of a stride, or a tuple of trees.
Tree = int | None | Basis | tuple["Tree", ...]


@dataclass(frozen=True)
class Lay:
    """A concrete layout: nothing but its shape and its stride."""

    shape: Tree
    stride: Tree

    def __str__(self) -> str:
        return f"{render(self.shape)}:{render(self.stride)}"

    @property
    def modes(self) -> list[Lay]:
        """The top-level modes; a layout of an integer shape is its own only mode."""
        if isinstance(self.shape, tuple) and isinstance(self.stride, tuple):
            return [Lay(s, d) for s, d in zip(self.shape, self.stride, strict=True)]
        return [self]

    @property
    def flat(self) -> list[tuple[int, int]]:
        """The (extent, stride) of every leaf, left to right."""
        return list(zip(leaves(self.shape), leaves(self.stride), strict=True))

    @property
    def size(self) -> int:
        return math.prod(leaves(self.shape))

    @property
    def cosize(self) -> int:
        return 1 + sum((s - 1) * d for s, d in self.flat)

    def at(self, index: int) -> int:
        """The offset at a 1-D coordinate, which may lie beyond the size."""
        offset, flat = 0, self.flat
        for extent, stride in flat[:-1]:
            index, digit = divmod(index, extent)
            offset += digit * stride
        return offset + (index * flat[-1][1] if flat else 0)

    def at_coordinate(self, coordinate: Tree) -> int:
        """The offset at a coordinate of any form; an underscore counts as 0."""
        if coordinate is None:
            return 0
        if isinstance(coordinate, int):
            return self.at(coordinate)
        pairs = zip(self.modes, coordinate, strict=True)
        return sum(mode.at_coordinate(part) for mode, part in pairs)

    def offsets(self) -> list[int]:
        """The offsets at all 1-D coordinates, in order."""
        result = [0]
        for extent, stride in self.flat:
            result = [base + digit * stride for digit in range(extent) for base in result]
        return result


Value = Tree | Lay | tuple[Lay, int]
Arg = Tree | Lay | tuple["Arg", ...]


def leaves(tree: Tree) -> list[int]:
    """The integers of a tree, left to right."""
    if isinstance(tree, tuple):
        return [leaf for part in tree for leaf in leaves(part)]
    if tree is None:
        raise ValueError("an underscore is no integer")
    return [tree]


def depth(tree: Tree) -> int:
    """0 for an integer, else one more than the deepest part."""
    return 1 + max(map(depth, tree), default=0) if isinstance(tree, tuple) else 0


def render(value: object) -> str:
    """Text as CuTe prints it: `(2,(3,_))`, `(8):(1)`, `((5):(1),4)`."""
    if isinstance(value, tuple):
        return "(" + ",".join(render(part) for part in value) + ")"
    return "_" if value is None else str(value)


def read(text: str) -> Value:
    """The value of a printed integer, tuple, layout, or pair of a layout and an offset."""
    if text.count(":") == 1 and _split_top(text, ":") != [text]:
        shape, stride = _split_top(text, ":")
        return Lay(_read_tree(shape), _read_tree(stride))
    if ":" in text:
        layout, offset = _split_top(text[1:-1], ",")
        shape, stride = _split_top(layout, ":")
        return Lay(_read_tree(shape), _read_tree(stride)), int(offset)
    return _read_tree(text)


def _split_top(text: str, separator: str) -> list[str]:
    parts, level, start = [], 0, 0
    for place, character in enumerate(text):
        level += (character == "(") - (character == ")")
        if character == separator and level == 0:
            parts.append(text[start:place])
            start = place + 1
    return [*parts, text[start:]]


def _read_tree(text: str) -> Tree:
    if text == "()":
        return ()
    if text.startswith("("):
        return tuple(_read_tree(part) for part in _split_top(text[1:-1], ","))
    if "@" in text:
        value, *modes = map(int, text.split("@"))
        return Basis(value, tuple(reversed(modes)))
    return int(text)


# --- the definitions -----------------------------------------------------------------------------


def complement_offsets(layout: Lay, least: int) -> list[int] | None:
    """The offsets of the ordered complement of `layout` in [0, n), n the first fit from `least` on.

    Greedy: the next offset is the smallest number not yet covered; the complement is done when
    the copies of the image cover an initial interval that holds [0, least).  None when the image
    (stride-0 modes aside) meets itself or one of its copies: there is no complement then.
    """
    image = [0]
    for extent, stride in layout.flat:
        if stride != 0:
            image = [base + digit * stride for digit in range(extent) for base in image]
    if len(set(image)) != len(image):
        return None
    offsets: list[int] = []
    covered: set[int] = set()
    smallest, largest = 0, -1
    while smallest < least or smallest <= largest:
        copy = [smallest + offset for offset in image]
        if not covered.isdisjoint(copy):
            return None
        covered.update(copy)
        offsets.append(smallest)
        largest = max(largest, *copy)
        while smallest in covered:
            smallest += 1
    return offsets


@dataclass(frozen=True)
class Reading:
    """An offset, and whether it was read inside of the layout's domain."""

    offset: int
    inside: bool = True

    def __add__(self, other: Reading) -> Reading:
        return Reading(self.offset + other.offset, self.inside and other.inside)


#: Readings of A by (place in the tile, number of the tile).
Table = list[list[Reading]]


def reading(layout: Lay, index: int) -> Reading:
    """The layout at a 1-D coordinate that may lie beyond its size."""
    return Reading(layout.at(index), index < layout.size)


def differ(expected: Sequence[Reading], offsets: Sequence[int]) -> str:
    """Where the offsets are not the expected ones; inside of the domain first."""
    if len(expected) != len(offsets):
        return f"{len(offsets)} elements, should be {len(expected)}"
    wrong = [i for i, (e, o) in enumerate(zip(expected, offsets, strict=True)) if e.offset != o]
    for index in sorted(wrong, key=lambda i: not expected[i].inside):
        why = f"at {index} is {offsets[index]}, should be {expected[index].offset}"
        return why if expected[index].inside else BEYOND + why
    return ""


def _as_tiler(tiler: Arg) -> Lay | tuple[Arg, ...] | None:
    return Lay(tiler, 1) if isinstance(tiler, int) else tiler


def divide_table(layout: Lay, tiler: Arg) -> Table | None:
    """A(T(i) + C(j)) for the tiler T and its complement C in [0, size(A)); by mode for a tuple."""
    tiler = _as_tiler(tiler)
    if tiler is None:
        return [[Reading(offset)] for offset in layout.offsets()]
    if isinstance(tiler, Lay):
        rest = complement_offsets(tiler, layout.size)
        if rest is None:
            return None
        return [[reading(layout, place + base) for base in rest] for place in tiler.offsets()]
    if len(tiler) > len(layout.modes):
        return None
    table: Table = [[Reading(0)]]
    for number, mode in enumerate(layout.modes):
        inside = [[Reading(offset) for offset in mode.offsets()]]
        part = divide_table(mode, tiler[number]) if number < len(tiler) else inside
        if part is None:
            return None
        table = [
            [old + new for new in new_row for old in old_row]
            for new_row in part
            for old_row in table
        ]
    return table


def product_parts(block: Lay, tiler: Lay) -> tuple[list[int], list[int]] | None:
    """The block's offsets, and where the tiler puts its copies: C(T(j)), C the complement of A."""
    bases = complement_offsets(block, block.size * tiler.cosize)
    if bases is None:
        return None
    return block.offsets(), [bases[place] for place in tiler.offsets()]


def refines(shape: Tree, coarse: Tree) -> bool:
    """Every leaf of `coarse` is the size of the part of `shape` that stands in its place."""
    if isinstance(coarse, tuple):
        return (
            isinstance(shape, tuple)
            and len(shape) == len(coarse)
            and all(refines(s, c) for s, c in zip(shape, coarse, strict=True))
        )
    return math.prod(leaves(shape)) == coarse


def sliced(coordinate: Tree, shape: Tree) -> tuple[Tree, ...]:
    """The parts of `shape` where the coordinate has an underscore."""
    if coordinate is None:
        return (shape,)
    if isinstance(coordinate, tuple) and isinstance(shape, tuple):
        pairs = zip(coordinate, shape, strict=True)
        return tuple(part for c, s in pairs for part in sliced(c, s))
    return ()


def _worst(reasons: Sequence[str]) -> str:
    """The first reason that counts inside of the domain, else the first of all, else ""."""
    found = [reason for reason in reasons if reason]
    inside = [reason for reason in found if not reason.startswith(BEYOND)]
    return next(iter(inside + found), "")


# --- the promises --------------------------------------------------------------------------------


def _same_map(expected: Lay, result: Lay) -> str:
    return "" if expected.offsets() == result.offsets() else "not the same map"


def _expect(expected: object, value: object) -> str:
    return "" if expected == value else f"should be {render(expected)}"


def _coalesce(layout: Lay, result: Lay) -> str:
    if depth(result.shape) > 1:
        return "not flat"
    if result.size > 1 and 1 in leaves(result.shape):
        return "keeps a mode of extent 1"
    return _same_map(layout, result)


def _coalesce_by_mode(layout: Lay, profile: Tree, result: Lay) -> str:
    if not isinstance(profile, tuple):
        return _coalesce(layout, result)
    if len(result.modes) != len(layout.modes):
        return "another rank"
    for number, (old, new) in enumerate(zip(layout.modes, result.modes, strict=True)):
        part = profile[number] if number < len(profile) else None
        why = _same_map(old, new) if part is None else _coalesce_by_mode(old, part, new)
        if why:
            return f"mode {number}: {why}"
    return ""


def _composition(layout: Lay, right: Arg, result: Lay) -> str:
    right = _as_tiler(right)
    if right is None:
        return _same_map(layout, result)
    if isinstance(right, tuple):
        if len(result.modes) != len(right) or len(right) > len(layout.modes):
            return "another rank than the tiler's"
        triples = zip(layout.modes, right, result.modes, strict=False)
        reasons = [_composition(mode, part, new) for mode, part, new in triples]
        return _worst(reasons)
    if not refines(result.shape, right.shape):
        return "not compatible with B"
    return differ([reading(layout, place) for place in right.offsets()], result.offsets())


def _complement(layout: Lay, cotarget: Tree, result: Lay) -> str:
    expected = complement_offsets(layout, math.prod(leaves(cotarget)))
    if expected is None:
        return "there is no complement"
    return _expect(tuple(expected), tuple(result.offsets()))


def _flattened(table: Table) -> list[Reading]:
    return [row[number] for number in range(len(table[0])) for row in table]


def _logical_divide(layout: Lay, tiler: Arg, result: Lay) -> str:
    tiler = _as_tiler(tiler)
    if tiler is None:
        return _same_map(layout, result)
    if isinstance(tiler, Lay):
        return _zipped_divide(layout, tiler, result)
    if len(result.modes) != len(layout.modes) or len(tiler) > len(layout.modes):
        return "another rank"
    parts = [*tiler, *[None] * (len(layout.modes) - len(tiler))]
    triples = zip(layout.modes, parts, result.modes, strict=True)
    return _worst([_logical_divide(mode, part, new) for mode, part, new in triples])


def _divided_map(layout: Lay, tiler: Arg, result: Lay) -> str:
    table = divide_table(layout, tiler)
    if table is None:
        return "the tiler has no complement"
    return differ(_flattened(table), result.offsets())


def _zipped_divide(layout: Lay, tiler: Arg, result: Lay) -> str:
    table = divide_table(layout, tiler)
    if len(result.modes) != 2:
        return "not of rank 2"
    if table is not None and result.modes[0].size != len(table):
        return "the first mode is not the tile"
    return _divided_map(layout, tiler, result)


def _tiled_divide(layout: Lay, tiler: Arg, result: Lay) -> str:
    table = divide_table(layout, tiler)
    if table is not None and result.modes[0].size != len(table):
        return "the first mode is not the tile"
    return _divided_map(layout, tiler, result)


def _product_map(block: Lay, tiler: Lay, result: Lay) -> str:
    parts = product_parts(block, tiler)
    if parts is None:
        return "the block has no complement"
    expected = [base + offset for base in parts[1] for offset in parts[0]]
    return "" if expected == result.offsets() else "not the block repeated over the tiler"


def _logical_product(block: Lay, tiler: Arg, result: Lay) -> str:
    if tiler is None:
        return _same_map(block, result)
    if isinstance(tiler, tuple):
        if len(result.modes) != len(block.modes) or len(tiler) > len(block.modes):
            return "another rank"
        for number, (mode, new) in enumerate(zip(block.modes, result.modes, strict=True)):
            why = _logical_product(mode, tiler[number] if number < len(tiler) else None, new)
            if why:
                return f"mode {number}: {why}"
        return ""
    tiler = tiler if isinstance(tiler, Lay) else Lay(tiler, 1)
    if len(result.modes) != 2 or result.modes[0].offsets() != block.offsets():
        return "the first mode is not the block"
    return _product_map(block, tiler, result)


def _interleaved(block: Lay, tiler: Lay, result: Lay, raked: bool) -> str:
    parts = product_parts(block, tiler)
    if parts is None:
        return "the block has no complement"
    rank = max(len(block.modes), len(tiler.modes))
    if len(result.modes) != rank:
        return "another rank"
    extents = []
    for layout in (block, tiler):
        sizes = [mode.size for mode in layout.modes]
        extents.append(sizes + [1] * (rank - len(sizes)))
    # The result's digits, fastest first: per mode the block's and the tiler's, or the reverse.
    order = [(which, mode) for mode in range(rank) for which in ((1, 0) if raked else (0, 1))]
    ranges = [range(extents[which][mode]) for which, mode in order]
    weights = [[math.prod(sizes[:mode]) for mode in range(rank)] for sizes in extents]
    expected = []
    for digits in cartesian(*reversed(ranges)):
        index = [0, 0]
        for (which, mode), digit in zip(order, reversed(digits), strict=True):
            index[which] += digit * weights[which][mode]
        expected.append(parts[0][index[0]] + parts[1][index[1]])
    return "" if expected == result.offsets() else "not the block repeated over the tiler"


def _right_inverse(layout: Lay, result: Lay) -> str:
    for index, place in enumerate(result.offsets()):
        if not 0 <= place < layout.size or layout.at(place) != index:
            return f"L(R({index})) is not {index}"
    return ""


def _left_inverse(layout: Lay, result: Lay) -> str:
    offsets = layout.offsets()
    injective = len(set(offsets)) == len(offsets)
    for index, offset in enumerate(offsets):
        if offset >= result.size:
            return f"L({index}) lies outside of the inverse"
        back = result.at(offset)
        if (back != index) if injective else (layout.at(back) != offset):
            return f"I(L({index})) is {back}"
    return ""


def _make_ordered(shape: Tree, order: Tree, result: Lay) -> str:
    del order  # ties and nested orders leave more than one reading; the map must be compact
    if result.shape != shape:
        return "another shape"
    ok = sorted(result.offsets()) == list(range(result.size))
    return "" if ok else "not a bijection onto [0,size)"


def _slice(coordinate: Tree, layout: Lay, result: Lay) -> str:
    if coordinate is None:
        return _expect(layout, result)
    kept = Lay(sliced(coordinate, layout.shape), sliced(coordinate, layout.stride))
    return _expect(kept, result)


def _slice_and_offset(coordinate: Tree, layout: Lay, result: tuple[Lay, int]) -> str:
    why = _slice(coordinate, layout, result[0])
    return why or _expect(layout.at_coordinate(coordinate), result[1])


def _idx2crd(index: int, shape: Tree, result: Tree) -> str:
    weights = [math.prod(leaves(shape)[:place]) for place in range(len(leaves(shape)))]
    if render_profile(shape) != render_profile(result):
        return "not congruent with the shape"
    digits = leaves(result)
    if any(digit >= extent for digit, extent in zip(digits[:-1], leaves(shape), strict=False)):
        return "out of range"
    total = sum(digit * weight for digit, weight in zip(digits, weights, strict=True))
    return _expect(index, total)


def render_profile(tree: Tree) -> str:
    """The nesting alone: every leaf is a star."""
    return "(" + "".join(map(render_profile, tree)) + ")" if isinstance(tree, tuple) else "*"


PROMISES: dict[str, Callable[..., str]] = {
    "make_layout": lambda shape, r: (
        _expect(shape, r.shape) or _expect(tuple(range(r.size)), tuple(r.offsets()))
    ),
    "make_ordered_layout": _make_ordered,
    "size": lambda a, r: _expect(a.size, r),
    "cosize": lambda a, r: _expect(a.cosize, r),
    "rank": lambda a, r: _expect(len(a.modes), r),
    "depth": lambda a, r: _expect(depth(a.shape), r),
    "crd2idx": lambda coordinate, a, r: _expect(a.at_coordinate(coordinate), r),
    "idx2crd": _idx2crd,
    "evaluate": lambda a, coordinate, r: _expect(a.at_coordinate(coordinate), r),
    "slice_": _slice,
    "slice_and_offset": _slice_and_offset,
    "flatten": lambda a, r: "nested" if depth(r.shape) > 1 else _expect(a.flat, r.flat),
    "coalesce": _coalesce,
    "coalesce_by_mode": _coalesce_by_mode,
    "composition": _composition,
    "composition_by_mode": _composition,
    "complement": _complement,
    "right_inverse": _right_inverse,
    "left_inverse": _left_inverse,
    "logical_divide": _logical_divide,
    "logical_divide_by_mode": _logical_divide,
    "zipped_divide": _zipped_divide,
    "tiled_divide": _tiled_divide,
    "flat_divide": _divided_map,
    "logical_product": _logical_product,
    "logical_product_by_mode": _logical_product,
    "zipped_product": _logical_product,
    "tiled_product": _product_map,
    "flat_product": _product_map,
    "blocked_product": lambda a, t, r: _interleaved(a, t, r, raked=False),
    "raked_product": lambda a, t, r: _interleaved(a, t, r, raked=True),
}


def broken(op: str, args: Sequence[Arg], text: str) -> str:
    """Which promise of `op` the printed result breaks for these arguments; "" when none."""
    value = read(text)
    layout = value[0] if isinstance(value, tuple) and value and isinstance(value[0], Lay) else value
    if isinstance(layout, Lay) and any(extent < 1 for extent in leaves(layout.shape)):
        return "an extent below 1"
    return PROMISES[op](*args, value)
