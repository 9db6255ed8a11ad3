"""Random leaves, shapes, layouts and tilers, static or symbolic, and instances of their dims."""

from __future__ import annotations

import random
from typing import Any

from symcute.expr.assumptions import Assumptions, dims
from symcute.expr.expression import exact_div, free_dims, is_symbolic
from symcute.expr.htuple import HTuple, Leaf, leaves, product, transform, unflatten
from symcute.layout.layout import Layout

NAMES = ("M", "N", "K")
SYMBOLS = dict(zip((*NAMES, "LD"), dims("M N K LD"), strict=True))
EXTENTS = (1, 2, 2, 3, 4, 4, 6, 8)
VALUES = (1, 2, 2, 3, 4, 4, 5, 6, 8)
LIMIT = 64


class Draw:
    """Random leaves, shapes and layouts; with dims when `symbolic`. `given` are the assumptions."""

    def __init__(self, rng: random.Random, symbolic: bool = False) -> None:
        self.rng, self.symbolic = rng, symbolic
        self.given: list[str] = []

    def pick(self, *xs: Any) -> Any:
        return self.rng.choice(xs)

    def chance(self, p: float) -> bool:
        return self.rng.random() < p

    def extent(self) -> Leaf:
        if not self.symbolic or self.chance(0.35):
            return self.rng.choice(EXTENTS)
        dim = SYMBOLS[self.rng.choice(NAMES)]
        return self.rng.choice((dim, dim, dim, 2 * dim))

    def divisor(self, s: Leaf) -> int:
        """Return a number that divides an extent, by assumption where it is symbolic."""
        if is_symbolic(s):
            n = self.rng.choice((2, 4))
            self.given.append(f"({s}) % {n} == 0")
            return n
        return self.rng.choice([n for n in range(1, int(s) + 1) if s % n == 0])

    def shape(self, depth: int = 2, most: int = 3) -> HTuple:
        for _ in range(100):
            found = self._shape(depth, most)
            size = product(found)
            if is_symbolic(size) or size <= LIMIT:
                return found
        raise AssertionError("no small shape")

    def _shape(self, depth: int, most: int) -> HTuple:
        if depth == 0 or self.chance(0.3):
            return self.extent()
        return tuple(self._shape(depth - 1, 2) for _ in range(self.rng.randint(1, most)))

    def tuple_shape(self, depth: int = 2) -> HTuple:
        found = self.shape(depth)
        return found if isinstance(found, tuple) else (found, self.rng.choice((1, 2, 3)))

    def compact(self, shape: HTuple = None, gaps: float = 0.0, zeros: float = 0.0) -> Layout:
        """Return a layout that is a permutation of its offsets, with gaps and zeros if wanted."""
        shape = self.shape() if shape is None else shape
        flat = list(leaves(shape))
        order = list(range(len(flat)))
        self.rng.shuffle(order)
        strides: list[Leaf] = [0] * len(flat)
        current: Leaf = 1
        for k in order:
            if self.chance(zeros):
                continue
            strides[k] = current
            current = current * flat[k]
            if self.chance(gaps):
                current = current * 2
        return Layout(shape, unflatten(tuple(strides), shape))

    def layout(self, shape: HTuple = None) -> Layout:
        """Return any layout: compact, with gaps, padded, with zeros, or with whatever strides."""
        kind = self.rng.random()
        if kind < 0.35:
            return self.compact(shape)
        if kind < 0.75:
            return self.compact(shape, gaps=0.4, zeros=0.2)
        if kind < 0.85 and shape is None:
            return self.padded()
        shape = self.shape() if shape is None else shape
        return Layout(shape, transform(lambda _: self.stride(), shape))

    def stride(self) -> Leaf:
        if self.symbolic and self.chance(0.5):
            return SYMBOLS[self.rng.choice(("M", "N", "LD"))]
        return self.rng.choice((0, 1, 1, 2, 3, 4, 6, 8, 12, -1))

    def padded(self) -> Layout:
        if not self.symbolic:
            m, n = self.rng.choice(EXTENTS), self.rng.choice(EXTENTS)
            return Layout((m, n), (n + self.rng.choice((0, 1, 2)), 1))
        pitch = SYMBOLS["LD"]
        row = self.rng.choice((SYMBOLS["N"], 4))
        self.given.append(f"LD >= {row}")
        return Layout((SYMBOLS["M"], row), (pitch, 1))

    def refined(self, shape: HTuple) -> HTuple:
        """Return a shape that the shape is compatible with."""
        if isinstance(shape, tuple):
            return tuple(self.refined(s) for s in shape)
        if self.chance(0.5):
            return shape
        n = self.divisor(shape)
        return (n, exact_div(shape, n))

    def index(self, size: Leaf) -> Leaf:
        return self.rng.randrange(4) if is_symbolic(size) else self.rng.randrange(int(size))

    def coordinate(self, shape: HTuple, free: float = 0.0) -> Any:
        """Return a coordinate into the shape, some of its modes `_`."""
        if self.chance(free):
            return None
        if isinstance(shape, tuple) and self.chance(0.7):
            return tuple(self.coordinate(s, free) for s in shape)
        return self.index(product(shape))

    def tiler(self, layout: Layout, open_modes: bool = True) -> HTuple:
        """Return a tiler: an extent, a layout, or a tuple by mode, mostly dividing."""
        if self.chance(0.4):
            return self.tile(layout.size())
        count = self.rng.randint(1, layout.rank())
        return tuple(
            None if open_modes and self.chance(0.2) else self.tile(layout[k].size())
            for k in range(count)
        )

    def tile(self, size: Leaf) -> HTuple:
        n = self.divisor(size) if self.chance(0.85) else self.rng.choice(EXTENTS)
        if self.chance(0.4):
            return n
        return Layout(n, self.rng.choice((1, 1, 1, 2, 3)))


def points(values: Any, given: list[str], rng: random.Random, count: int) -> list[dict[str, int]]:
    """Return up to `count` distinct instances of the dims in arguments, that are as assumed."""
    known = Assumptions.of(given)
    names = sorted(_dims(values) | known.dims())
    found: list[dict[str, int]] = []
    for _ in range(400):
        point = {n: rng.choice(VALUES) for n in names}
        if point not in found and known.hold(point):
            found.append(point)
            if len(found) == count:
                break
    return found


def _dims(value: Any) -> set[str]:
    if isinstance(value, Layout):
        return value.dims()
    if isinstance(value, tuple):
        return set().union(*map(_dims, value))
    return free_dims(value) if is_symbolic(value) else set()
