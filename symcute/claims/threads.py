"""Claims about thread-value layouts: who holds what of a tile.

A thread-value layout maps (thread, value) to an element of a tile, counted column-major. Mode 0 is
the thread, the other modes are its values.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import chain
from typing import Any, ClassVar

from symcute.claims.base import Claim, domain, flat_offset, static
from symcute.claims.bounds import InBounds
from symcute.claims.fields import show_field
from symcute.claims.formulas import Holds
from symcute.claims.image import SameImage
from symcute.claims.injective import Injective
from symcute.claims.maps import Equal
from symcute.errors import InputError
from symcute.expr.expression import as_leaf
from symcute.expr.formula import all_of, eq, le
from symcute.expr.htuple import HTuple, Leaf, leaves, product, show, show_leaf, transform
from symcute.layout.coordinates import idx2crd
from symcute.layout.layout import Layout, make_layout

__all__ = ["PartitionExact", "SameElements", "repetitions"]


@dataclass(frozen=True)
class PartitionExact(Claim):
    """Every element of the tile belongs to exactly `copies` pairs (thread, value).

    `tile` is a shape, or the layout whose shape it is. With the default of 1 copy no element is
    left out and none is held twice; where threads share what they hold, as the warps along N share
    the fragments of A, every element is held by as many.

    Only modes of stride 0 repeat elements evenly: among the offsets of the other modes the largest
    occurs once. So the claim says that those without stride 0 map one to one onto the tile, and
    that the extents of the others multiply to `copies`.

    >>> claim = PartitionExact(Layout(((4, 8), 2), ((16, 1), 8)), (8, 8))
    >>> print(claim)
    partition_exact(((4,8),2):((16,1),8), (8,8))
    >>> [part.text() for part in claim.parts()]  # doctest: +NORMALIZE_WHITESPACE
    ['64 == 64 and 1 == 1', 'injective(((4,8),2):((16,1),8))',
     'in_bounds(((4,8),2):((16,1),8), 64)']
    """

    tv: Layout
    tile: HTuple
    copies: Leaf = 1
    name: ClassVar[str] = "partition_exact"

    def __post_init__(self) -> None:
        """Check that there are threads and values, and that the tile is a shape."""
        _require_threads(self.tv, self.name)
        tile = self.tile.shape if isinstance(self.tile, Layout) else self.tile
        tile = transform(lambda s: as_leaf(s, "the tile of partition_exact"), tile)
        if any(isinstance(s, int) and s < 1 for s in leaves(tile)) or not list(leaves(tile)):
            raise InputError(f"{show(tile)} is no tile", "extents are at least 1")
        object.__setattr__(self, "tile", tile)
        object.__setattr__(self, "copies", as_leaf(self.copies, "copies"))
        super().__post_init__()

    def spelled(self) -> str:
        """Return the claim in our grammar; 1 copy is not written."""
        values: list[Any] = [self.tv, self.tile]
        once = isinstance(self.copies, int) and self.copies == 1
        values += [] if once else [self.copies]
        return f"{self.name}({', '.join(show_field(v) for v in values)})"

    def words(self) -> str:
        """Return the claim as a sentence."""
        copies = show_leaf(self.copies)
        often = "one (thread, value)" if copies == "1" else f"{copies} (thread, value)"
        return (
            f"every element of the tile {show(self.tile)} belongs to exactly {often} of {self.tv}"
        )

    def parts(self) -> tuple[Claim, ...]:
        """Return the sizes, that no element is held twice, and that none lies outside."""
        kept, repeated = _split(self.tv.shape, self.tv.stride)
        layout = Layout(*kept) if kept else Layout(1, 0)
        size = product(self.tile)
        extents = [le(1, s) for s in leaves(self.tile) if not isinstance(s, int)]
        sizes = (eq(layout.size(), size), eq(product(tuple(repeated)), self.copies))
        return Holds(all_of(*sizes, *extents)), Injective(layout), InBounds(layout, size)

    def worded(self, number: int, dims: Mapping[str, int]) -> str | None:
        """Return what goes wrong as the element that is held too often, or not often enough."""
        return _worded(self, dims) or super().worded(number, dims)

    def brute(self) -> str | None:
        """Return an element outside the tile, or one that is not held that often."""
        size, copies = static(product(self.tile)), static(self.copies)
        holders: dict[int, list[tuple[int, int]]] = defaultdict(list)
        for thread, value, element in _held(self.tv):
            if not 0 <= element < size:
                return (
                    f"thread {thread}, value {value} is element {element}, "
                    f"outside the {size} of the tile {show(self.tile)}"
                )
            holders[element].append((thread, value))
        for element in range(size):
            found = holders.get(element, [])
            if len(found) != copies:
                at = show(idx2crd(element, self.tile))
                who = [f"thread {t}, value {v}" for t, v in found[: copies + 1][:3]]
                return (
                    f"element {at} of the tile {show(self.tile)} belongs to "
                    f"{len(found)} (thread, value), not {copies}"
                    + (
                        f": {'; '.join(who)}{' ...' if len(found) > len(who) else ''}"
                        if who
                        else ""
                    )
                )
        return None


@dataclass(frozen=True)
class SameElements(Claim):
    """Two partitions of a tile agree which thread holds which elements, in any order of its values.

    A thread's elements are a(t, 0) + {a(0, v)}: so the claim says that the threads of both start
    at the same elements and that both have the same set of values. (The sets of thread 0 are those
    of the values. Where they agree, those of thread t agree exactly where their least elements do.)
    That they come in the same order too is `Equal(a, b)`.

    >>> a, b = Layout((4, (2, 2)), (2, (1, 8))), Layout((4, (2, 2)), (2, (8, 1)))
    >>> [part.text() for part in SameElements(a, b).parts()]  # doctest: +NORMALIZE_WHITESPACE
    ['4 == 4', '(4:2)(i) == (4:2)(i) for 0 <= i < 4',
     'same_image(((2,2)):((1,8)), ((2,2)):((8,1)))']
    """

    left: Layout
    right: Layout
    name: ClassVar[str] = "same_elements"

    def __post_init__(self) -> None:
        """Check that there are threads and values."""
        for layout in (self.left, self.right):
            _require_threads(layout, self.name)
        super().__post_init__()

    def words(self) -> str:
        """Return the claim as a sentence."""
        return f"every thread holds the same elements in {self.left} as in {self.right}"

    def parts(self) -> tuple[Claim, ...]:
        """Return that the threads start alike, and that the values are the same set."""
        values = [make_layout(*list(x)[1:]) for x in (self.left, self.right)]
        return *Equal(self.left[0], self.right[0]).parts(), SameImage(*values)

    def worded(self, number: int, dims: Mapping[str, int]) -> str | None:
        """Return what goes wrong as a thread and what it holds."""
        return _worded(self, dims) or super().worded(number, dims)

    def brute(self) -> str | None:
        """Return a thread that holds something in one partition only."""
        sides = []
        for layout in (self.left, self.right):
            found: dict[int, set[int]] = defaultdict(set)
            for thread, _, element in _held(layout):
                found[thread].add(element)
            sides.append(found)
        threads = [len(side) for side in sides]
        if threads[0] != threads[1]:
            return f"{self.left} has {threads[0]} threads, {self.right} has {threads[1]}"
        for thread, mine in sides[0].items():
            differing = mine ^ sides[1][thread]
            if differing:
                element = min(differing)
                one, other = (self.left, self.right) if element in mine else (self.right, self.left)
                return f"thread {thread} holds element {element} in {one}, not in {other}"
        return None


def repetitions(tv: Layout) -> Leaf:
    """Return the product of the extents whose stride is the number 0: how often a thread-value
    layout repeats its elements, if it does so evenly.

    >>> repetitions(Layout(((8, 4), 128), ((128, 0), 1)))
    4
    """
    return product(tuple(_split(tv.shape, tv.stride)[1]))


def _require_threads(layout: Any, name: str) -> None:
    if not isinstance(layout, Layout) or layout.rank() < 2:
        raise InputError(
            f"{layout} in {name} is no thread-value layout",
            "give a layout of (thread, value), such as (4,2):(2,1)",
        )


def _split(shape: HTuple, stride: HTuple) -> tuple[Any, list[Leaf]]:
    """Return the modes whose stride is not the number 0, in their hierarchy, and other extents."""
    if not isinstance(shape, tuple):
        zero = isinstance(stride, int) and stride == 0
        return (None, [shape]) if zero else ((shape, stride), [])
    found = [_split(s, d) for s, d in zip(shape, stride, strict=True)]
    kept = [pair for pair, _ in found if pair]
    repeated = list(chain.from_iterable(extents for _, extents in found))
    return ((tuple(s for s, _ in kept), tuple(d for _, d in kept)) if kept else None), repeated


def _held(layout: Layout) -> Any:
    """Yield thread, value and element of a static thread-value layout, from first principles."""
    threads = static(product(layout[0].shape))
    for index, flat in enumerate(domain(layout)):
        yield index % threads, index // threads, flat_offset(layout, flat)


def _worded(claim: PartitionExact | SameElements, dims: Mapping[str, int]) -> str | None:
    try:
        return claim.at(dims).brute()
    except InputError:
        return None
