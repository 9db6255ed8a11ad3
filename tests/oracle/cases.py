"""Deterministic cases for the comparison: at least `FLOOR` of them for every operation.

Most cases are admissible; some divide with a rest, overlap, repeat offsets, or have extents 1.
The fixed cases are examples from the literature and those on which implementations differ.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from .dsl import Request
from .postconditions import Arg, Lay, Tree, leaves, read, sliced

FLOOR = 300
EXTENTS = (1, 2, 3, 4, 5, 6, 8, 12, 16)
PER_OPERATION = 310

Random = random.Random


@dataclass(frozen=True)
class Case:
    """One call of an operation; the key of PROMISES names what it promises."""

    op: str
    args: tuple[Arg, ...]

    def __str__(self) -> str:
        return f"{self.op}({', '.join(map(_words, self.args))})"

    @property
    def request(self) -> Request:
        """The same call for the DSL, where by-mode forms share the name of the whole form."""
        name = self.op if self.op == "coalesce_by_mode" else self.op.removesuffix("_by_mode")
        return Request(name, tuple(_encode(arg) for arg in self.args))


def _words(arg: Arg) -> str:
    if isinstance(arg, tuple):
        return "(" + ",".join(map(_words, arg)) + ("," if len(arg) == 1 else "") + ")"
    return "_" if arg is None else str(arg)


def _encode(arg: Arg) -> Any:
    if isinstance(arg, Lay):
        return {"layout": [_encode(arg.shape), _encode(arg.stride)]}
    return [_encode(part) for part in arg] if isinstance(arg, tuple) else arg


def lay(text: str) -> Lay:
    """The layout that the text prints."""
    value = read(text)
    if not isinstance(value, Lay):
        raise ValueError(f"{text} is no layout")
    return value


# --- random parts --------------------------------------------------------------------------------


def divisors(number: int) -> list[int]:
    """All divisors, ascending."""
    return [k for k in range(1, number + 1) if number % k == 0]


def random_shape(rng: Random, most: int, levels: int = 3, rank: int | None = None) -> Tree:
    """A shape of at most `most` elements, nested at most `levels` deep."""
    if rank is None and (levels == 0 or rng.random() < (0.15 if levels == 3 else 0.6)):
        return rng.choice([extent for extent in EXTENTS if extent <= most])
    parts: list[Tree] = []
    for _ in range(rank or rng.choice((1, 2, 2, 2, 3, 3))):
        part = random_shape(rng, most, max(levels - 1, 0))
        most //= math.prod(leaves(part))
        parts.append(part)
    return tuple(parts)


def fill(shape: Tree, values: Iterator[int]) -> Tree:
    """The tree of the same nesting whose leaves are the values, left to right."""
    if isinstance(shape, tuple):
        return tuple(fill(part, values) for part in shape)
    return next(values)


def random_strides(rng: Random, extents: list[int], kind: str) -> list[int]:
    """Strides of the extents: compact in some order, padded, repeating, or overlapping."""
    if kind == "overlapping":
        return [rng.choice((0, 1, 1, 2, 3, 4, 5, 6, 8, 12)) for _ in extents]
    order = list(range(len(extents)))
    if kind == "row":
        order.reverse()
    elif kind != "column":
        rng.shuffle(order)
    strides, current = [0] * len(extents), 1
    for place in order:
        if kind == "repeating" and rng.random() < 0.4:
            continue
        if kind == "padded" and rng.random() < 0.5:
            current *= rng.choice((2, 2, 3, 4))
        if kind == "odd" and rng.random() < 0.5:
            current += rng.choice((1, 2, 3))
        strides[place] = current
        current *= extents[place]
    # A unit extent may carry any stride; CuTe's own compact layouts give it 0.
    return [
        0 if e == 1 and rng.random() < 0.6 else d for e, d in zip(extents, strides, strict=True)
    ]


KINDS = ("column", "row", "permuted", "permuted", "padded", "padded", "repeating", "odd")


def random_layout(
    rng: Random, most: int = 512, kinds: tuple[str, ...] = KINDS, rank: int | None = None
) -> Lay:
    """A layout of at most `most` elements with the strides of one of the kinds."""
    shape = random_shape(rng, most, rank=rank)
    strides = random_strides(rng, leaves(shape), rng.choice(kinds))
    return Lay(shape, fill(shape, iter(strides)))


def radices(rng: Random, layout: Lay) -> list[tuple[int, int]]:
    """The layout's domain as (extent, weight) digits that refine its leaves."""
    digits, weight = [], 1
    for extent in leaves(layout.shape):
        first = rng.choice(divisors(extent))
        for part in (first, extent // first):
            if part > 1:
                digits.append((part, weight))
            weight *= part
    return digits


def nest(rng: Random, digits: list[tuple[int, int]]) -> Lay:
    """A layout with these (extent, stride) modes, nested at random."""
    if not digits:
        return rng.choice((Lay(1, 0), Lay((1,), (0,))))
    modes = [Lay(extent, stride) for extent, stride in digits]
    while len(modes) > 1 and rng.random() < 0.35:
        place = rng.randrange(len(modes) - 1)
        pair = modes[place : place + 2]
        grouped = Lay(tuple(m.shape for m in pair), tuple(m.stride for m in pair))
        modes[place : place + 2] = [grouped]
    if len(modes) == 1 and rng.random() < 0.8:
        return modes[0]
    return Lay(tuple(m.shape for m in modes), tuple(m.stride for m in modes))


def random_tiler(rng: Random, layout: Lay) -> Lay:
    """A tiler of the layout's domain: mostly a choice of its digits, in any order."""
    if rng.random() < 0.12:
        return random_layout(rng, 16)
    if rng.random() < 0.3:
        return Lay(rng.choice(divisors(layout.size)), 1)
    digits = [digit for digit in radices(rng, layout) if rng.random() < 0.6]
    if rng.random() < 0.4:
        rng.shuffle(digits)
    if rng.random() < 0.15:
        digits.insert(rng.randrange(len(digits) + 1), (1, 0))
    return nest(rng, digits)


def tiler_by_mode(rng: Random, layout: Lay, nested: bool = True) -> tuple[Arg, ...]:
    """A tiler for each of the first modes: an integer, a layout, or a tuple of integers."""
    parts: list[Arg] = []
    modes = layout.modes
    for mode in modes[: rng.choice((len(modes), len(modes), rng.randint(1, len(modes))))]:
        choice = rng.random()
        if choice < 0.55:
            parts.append(rng.choice(divisors(mode.size)))
        elif choice < 0.65:
            parts.append(rng.choice(EXTENTS))
        elif choice < 0.75 and nested and isinstance(mode.shape, tuple):
            parts.append(tuple(rng.choice(divisors(m.size)) for m in mode.modes))
        else:
            parts.append(random_tiler(rng, mode))
    return tuple(parts)


def random_right(rng: Random, layout: Lay) -> Lay:
    """A right-hand side of a composition: a few modes that walk along the layout's digits."""
    if rng.random() < 0.1:
        return random_layout(rng, 64)
    modes: list[tuple[int, int]] = []
    for _ in range(rng.choice((1, 2, 2, 3))):
        extents = leaves(layout.shape)
        place = rng.randrange(len(extents))
        step = rng.choice(divisors(extents[place]))
        weight = math.prod(extents[:place]) * step
        length, room = 1, extents[place] // step
        while rng.random() < 0.5 and place + 1 < len(extents):
            length *= room
            place, room = place + 1, extents[place + 1]
        length *= rng.choice(divisors(room))
        modes.append((length, weight))
    if rng.random() < 0.15:
        modes[0] = (rng.choice((1, 2, 4)), 0)
    if rng.random() < 0.1:
        modes[0] = (rng.choice(EXTENTS), rng.choice((1, 2, 3, 4, 6)))
    while math.prod(extent for extent, _ in modes) > 512:
        modes.pop()
    return nest(rng, modes)


def random_coordinate(rng: Random, shape: Tree, underscores: float = 0.0) -> Tree:
    """A coordinate of the shape, some parts 1-D, some natural, some an underscore."""
    if rng.random() < underscores:
        return None
    if isinstance(shape, tuple) and rng.random() < 0.75:
        return tuple(random_coordinate(rng, part, underscores) for part in shape)
    return rng.randrange(math.prod(leaves(shape)))


def random_order(rng: Random, shape: Tree) -> Tree:
    """An order congruent with the shape, all numbers different."""
    numbers = list(range(len(leaves(shape))))
    rng.shuffle(numbers)
    return fill(shape, iter(numbers))


def random_profile(rng: Random, shape: Tree) -> Tree:
    """A profile for coalescing by mode: never longer than the shape."""
    if not isinstance(shape, tuple) or rng.random() < 0.4:
        return 1
    return tuple(random_profile(rng, part) for part in shape[: rng.randint(1, len(shape))])


# --- one generator for each operation ------------------------------------------------------------


def _layout_args(rng: Random) -> tuple[Arg, ...]:
    return (random_layout(rng, 1024, (*KINDS, "overlapping")),)


def _complement_args(rng: Random) -> tuple[Arg, ...]:
    kinds = ("column", "row", "permuted", "padded", "padded", "padded", "repeating", "odd")
    layout = random_layout(rng, 64, kinds)
    if rng.random() < 0.5:
        base = random_layout(rng, 128)
        layout = nest(rng, [d for d in radices(rng, base) if rng.random() < 0.5])
    return layout, rng.choice((1, 7, 24, 64, layout.cosize, 2 * layout.cosize, 6 * layout.size))


def _product_args(rng: Random, rank: int | None = None) -> tuple[Arg, ...]:
    block = random_layout(rng, 24, ("column", "row", "permuted", "padded", "repeating"), rank)
    if rng.random() < 0.05:
        block = random_layout(rng, 12, ("odd", "overlapping"), rank)
    tiler = random_layout(rng, 24, ("column", "row", "permuted", "padded", "repeating"), rank)
    return block, tiler


def _product_by_mode_args(rng: Random) -> tuple[Arg, ...]:
    block = random_layout(rng, 48, ("column", "row", "permuted", "padded"))
    count = rng.randint(1, len(block.modes))
    parts = [
        rng.choice((1, 2, 3, 4, random_layout(rng, 6, ("column", "row")))) for _ in range(count)
    ]
    return block, tuple(parts)


def _divide_args(rng: Random) -> tuple[Arg, ...]:
    layout = random_layout(rng)
    return layout, random_tiler(rng, layout)


def _divide_by_mode_args(rng: Random) -> tuple[Arg, ...]:
    layout = random_layout(rng)
    return layout, tiler_by_mode(rng, layout)


def _any_divide_args(rng: Random) -> tuple[Arg, ...]:
    return (_divide_args if rng.random() < 0.4 else _divide_by_mode_args)(rng)


def _composition_args(rng: Random) -> tuple[Arg, ...]:
    layout = random_layout(rng)
    return layout, random_right(rng, layout)


def _coalesce_by_mode_args(rng: Random) -> tuple[Arg, ...]:
    layout = random_layout(rng)
    return layout, random_profile(rng, layout.shape)


def _coordinate_args(rng: Random) -> tuple[Arg, ...]:
    layout = random_layout(rng)
    return random_coordinate(rng, layout.shape), layout


def _slice_args(rng: Random) -> tuple[Arg, ...]:
    layout = random_layout(rng)
    coordinate = random_coordinate(rng, layout.shape, 0.35)
    # A coordinate without any underscore leaves the layout of no modes: few of those.
    while rng.random() < 0.93 and not sliced(coordinate, layout.shape):
        layout = random_layout(rng)
        coordinate = random_coordinate(rng, layout.shape, 0.35)
    return coordinate, layout


def _idx2crd_args(rng: Random) -> tuple[Arg, ...]:
    shape = random_shape(rng, 4096)
    return rng.randrange(math.prod(leaves(shape))), shape


def _ordered_args(rng: Random) -> tuple[Arg, ...]:
    shape = random_shape(rng, 512)
    return shape, random_order(rng, shape)


GENERATORS: dict[str, Callable[[Random], tuple[Arg, ...]]] = {
    "make_layout": lambda rng: (random_shape(rng, 1024),),
    "make_ordered_layout": _ordered_args,
    "size": _layout_args,
    "cosize": _layout_args,
    "rank": _layout_args,
    "depth": _layout_args,
    "crd2idx": _coordinate_args,
    "idx2crd": _idx2crd_args,
    "evaluate": lambda rng: _coordinate_args(rng)[::-1],
    "slice_": _slice_args,
    "slice_and_offset": _slice_args,
    "flatten": _layout_args,
    "coalesce": _layout_args,
    "coalesce_by_mode": _coalesce_by_mode_args,
    "composition": _composition_args,
    "composition_by_mode": _divide_by_mode_args,
    "complement": _complement_args,
    "right_inverse": _layout_args,
    "left_inverse": lambda rng: (random_layout(rng, 512, (*KINDS, "padded", "column")),),
    "logical_divide": _divide_args,
    "logical_divide_by_mode": _divide_by_mode_args,
    "zipped_divide": _any_divide_args,
    "tiled_divide": _any_divide_args,
    "flat_divide": _any_divide_args,
    "logical_product": _product_args,
    "logical_product_by_mode": _product_by_mode_args,
    "zipped_product": _product_args,
    "tiled_product": _product_args,
    "flat_product": _product_args,
    "blocked_product": _product_args,
    "raked_product": _product_args,
}

_UNARY = [
    "(2,(2,2)):(4,(2,1))",
    "(4,(4,2)):(4,(1,16))",
    "((2,3),4):((3,1),1)",
    "4:2",
    "8:2",
    "8:0",
    "(8):(1)",
    "((8)):((1))",
    "1:0",
    "1:7",
    "(1,1):(3,5)",
    "(2,1):(1,5)",
    "(1,4):(9,1)",
    "(4,8):(8,1)",
    "(2,(1,6)):(1,(6,2))",
    "(16,16):(1,1)",
    "(192,5):(1,192)",
    "(2,4,8):(8,1,64)",
    "((4,32),8):((256,1),32)",
    "(3,(2,3)):(3,(12,1))",
    "((2,4),(3,5)):((1,6),(2,24))",
    "((4,2),(4,2)):((1,16),(4,32))",
    "(4,(2,4)):(2,(1,8))",
    "(2,3):(0,0)",
    "(4,2):(1,0)",
    "(2,4):(0,1)",
    "(4,2):(1,2)",
    "(2,3):(4,9)",
]

_FIXED: dict[str, list[tuple[str | int | Arg, ...]]] = {
    "make_layout": [((2, (2, 2)),), ((8,),), (1,), ((1, 1),), (((3,),),)],
    "make_ordered_layout": [((2, 2, 2, 2), (0, 2, 3, 1)), ((2, 3, 4, 5), (0, 2, 3, 1))],
    "crd2idx": [((1, 2), "(2,3):(1,2)"), ((2, (1, 0)), "(4,(2,2)):(4,(1,2))")],
    "evaluate": [("(4,(2,2)):(2,(1,8))", (2, (1, 0))), ("(3,(2,3)):(3,(12,1))", (1, 5))],
    "idx2crd": [(16, (3, (2, 3))), (5, (8,)), (18, (3, (2, 3))), (30, (4, 6)), (5, 8)],
    "slice_": [((None, 1, None), "(5,2,3):(1,4,3)"), ((1, 2), "(5,(2,3)):(1,(4,3))")],
    "slice_and_offset": [((None, 1, None), "(5,2,3):(1,4,3)"), (3, "8:2"), (None, "8:2")],
    "complement": [
        ("(2,4,8):(8,1,64)", 460),
        ("4:1", 24),
        ("6:4", 24),
        ("(4,6):(1,4)", 24),
        ("4:2", 24),
        ("(2,2):(1,1)", 8),
        ("(3,2):(2,3)", 24),
        ("1:0", 1),
        ("4:0", 12),
    ],
    "composition": [
        ("4:2", "2:2"),
        ("(4,3):(1,4)", "12:1"),
        ("(6,2):(8,2)", "(4,3):(3,1)"),
        ("(4,6,8):(2,3,5)", "6:3"),
        ("(3,4):(4,1)", "4:2"),
        ("(3,4):(4,1)", "6:2"),
        ("(4,8):(8,1)", "1:6"),
        ("(4,8):(8,1)", "2:6"),
        ("(4,1):(1,7)", "8:1"),
        ("8:3", "1:5"),
        ("(10,2):(16,4)", "(5,4):(1,5)"),
        ("(20):(2)", "(5,4):(4,1)"),
    ],
    "composition_by_mode": [
        ("(12,(4,8)):(59,(13,1))", (3, 8)),
        ("(12,(4,8)):(59,(13,1))", (Lay(3, 4), Lay(8, 2))),
        ("(12,(4,8)):(59,(13,1))", (3,)),
        ("(12,(4,8)):(59,(13,1))", (None, 8)),
        ("(12,8):(1,12)", (3, 8, 1)),
    ],
    "logical_divide": [
        ("(4,2,3):(2,1,8)", "4:2"),
        ("(4,2):(2,1)", "2:3"),
        ("(12,(4,8)):(7,(1,30))", "128:1"),
        ("8:3", "3:1"),
        ("8:3", "16:1"),
        ("12:1", "(2,2):(1,1)"),
    ],
    "logical_divide_by_mode": [
        ("(256,512):(1,256)", (128, 64)),
        ("(6,(4,6)):(2,(16,70))", (Lay(2, 3), lay("(2,3):(1,8)"))),
        ("(16,16):(16,1)", (8, 8)),
        ("(8,4):(1,8)", (None, 2)),
        ("(8,4):(1,8)", (2, 2, 2)),
        ("(8):(1)", (2,)),
    ],
    "zipped_divide": [
        ("(12,(4,8)):(7,(1,30))", "128:1"),
        ("(256,512):(1,256)", (128, 64)),
        ("(9,(4,8)):(59,(13,1))", (Lay(3, 3), lay("(2,4):(1,8)"))),
        ("(8):(1)", (2,)),
    ],
    "tiled_divide": [("(256,512):(1,256)", (128, 64)), ("8:1", "4:2"), ("(8):(1)", (2,))],
    "flat_divide": [("(256,512):(1,256)", (128, 64)), ("8:1", "4:2"), ("8:1", (2,))],
    "logical_product_by_mode": [("(32,8):(1,32)", (4, 1)), ("(32,8):(1,32)", (4,))],
}
_PRODUCTS = [
    ("4:1", "8:1"),
    ("2:3", "(2,2):(1,2)"),
    ("(2,2):(1,1)", "3:1"),
    ("(2,2):(4,1)", "6:1"),
    ("(2,2):(4,1)", "(4,2):(2,1)"),
    ("(32,8):(1,32)", "(4,1):(1,0)"),
    ("(2,5):(5,1)", "(3,4):(1,3)"),
    ("(4):(1)", "(8):(1)"),
    ("2:2", "2:1"),
    ("4:0", "2:1"),
    ("((8,2)):((4,1))", "16:1"),
    ("(16):(1)", "4:1"),
    ("16:1", "(4):(1)"),
    ("4:1", "((2,3)):((1,2))"),
]


def fixed(op: str) -> list[Case]:
    """The cases written down by hand."""
    rows = _FIXED.get(op, [])
    if GENERATORS[op] is _layout_args or op == "left_inverse":
        rows = [(text,) for text in _UNARY]
    elif op.endswith("_product"):
        rows = list(_PRODUCTS)
    return [Case(op, tuple(lay(a) if isinstance(a, str) else a for a in row)) for row in rows]


def cases(op: str) -> list[Case]:
    """All cases of the operation, the same at every call, without repetitions."""
    rng = Random(f"symcute {op}")
    found = dict.fromkeys(fixed(op))
    for _ in range(40 * PER_OPERATION):
        if len(found) >= PER_OPERATION:
            break
        found[Case(op, GENERATORS[op](rng))] = None
    return list(found)
