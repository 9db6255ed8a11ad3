"""The access patterns that are measured, as data: which element each thread takes in each request.

A layout maps (thread, request) to the offset of the first element that a thread takes; threads
count through the warps. The kernel's index function is generated from it, and so is the prediction.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, TypeAlias

from symcute import ComposedLayout, Layout, Swizzle

__all__ = ["KINDS", "PATTERNS", "Pattern", "by_name"]

WARP = 32
ALL = (1 << WARP) - 1

Map: TypeAlias = Layout | ComposedLayout

#: What a request does, and the short name of its instruction.
KINDS = {
    "shared load": "lds", "shared store": "sts", "global load": "ldg", "global store": "stg",
    "matrix load": "ldmatrix", "matrix load trans": "ldmatrix.trans", "matrix store": "stmatrix",
}  # fmt: skip


@dataclass(frozen=True)
class Pattern:
    """One kernel: every warp issues the same number of requests, each with the lanes of `active`.

    A thread takes `vector` elements of `bytes` bytes from `base` + layout(thread, request) on. Of
    the matrix kinds, `vector` is the number of 8x8 matrices, and the layout maps (row, request) to
    the offset of a row of 16 bytes, 8 * `vector` rows a warp.
    """

    what: str
    kind: str
    layout: Map
    bytes: int = 4
    vector: int = 1
    base: int = 0
    active: int = ALL

    @property
    def name(self) -> str:
        """The instruction, its width, and what it is about."""
        form = f"x{self.vector}" if self.matrices else f"{8 * self.width}"
        return f"{KINDS[self.kind]}.{form} {self.what}"

    @property
    def kernel(self) -> str:
        """The name as a C identifier."""
        return "p_" + re.sub(r"\W+", "_", self.name)

    @property
    def matrices(self) -> int:
        """How many 8x8 matrices a request moves; 0 when it moves none."""
        return self.vector if self.kind.startswith("matrix") else 0

    @property
    def width(self) -> int:
        """The bytes that one address stands for."""
        return 16 if self.matrices else self.bytes * self.vector

    @property
    def lanes(self) -> int:
        """How many addresses a warp gives."""
        return 8 * self.matrices or WARP

    @property
    def warps(self) -> int:
        """How many warps there are."""
        return int(self.layout[0].size()) // self.lanes

    @property
    def requests(self) -> int:
        """How many requests a warp makes."""
        return int(self.layout[1].size())

    def addresses(self, warp: int, request: int) -> tuple[int | None, ...]:
        """Return the byte address of each lane of a request, None for a lane that is not active.

        >>> by_name("lds.32 stride 2").addresses(0, 0)[:4]
        (0, 8, 16, 24)
        """
        return tuple(
            (self.base + self.layout(warp * self.lanes + lane, request)) * self.bytes
            if self.active >> lane & 1
            else None
            for lane in range(self.lanes)
        )

    def every(self) -> Iterator[tuple[int | None, ...]]:
        """Yield the addresses of every request of every warp."""
        for warp in range(self.warps):
            for request in range(self.requests):
                yield self.addresses(warp, request)

    def extent(self) -> int:
        """Return the bytes from address 0 to the end of what is touched."""
        return self.width + max(a for lanes in self.every() for a in lanes if a is not None)


def _once(shape: Any, stride: Any) -> Layout:
    """Return the layout of threads that make one request."""
    return Layout((shape, 1), (stride, 0))


def _swizzled(swizzle: tuple[int, int, int], layout: Layout) -> ComposedLayout:
    return ComposedLayout(Swizzle(*swizzle), 0, layout)


#: Layouts of one warp in which some lanes take the same element: those whose numbers differ in the
#: bit that is named, the halves, the quarters.
_SHARING = {
    "lanes 1 apart alike": ((2, 16), (0, 1)),
    "lanes 2 apart alike": ((2, 2, 8), (1, 0, 2)),
    "lanes 4 apart alike": ((4, 2, 4), (1, 0, 4)),
    "lanes 8 apart alike": ((8, 2, 2), (1, 0, 8)),
    "lanes 16 apart alike": ((16, 2), (1, 0)),
    "fours alike": ((4, 8), (0, 1)),
    "eights alike": ((8, 4), (0, 1)),
    "quarters alike": ((8, 4), (1, 0)),
    "all alike": (32, 0),
}
#: Which lanes take part.
_ACTIVE = {
    "one lane": 1 << 7,
    "lower half": 0x0000FFFF,
    "upper half": 0xFFFF0000,
    "one quarter": 0x0000FF00,
    "even lanes": 0x55555555,
    "odd lanes": 0xAAAAAAAA,
    "lanes 0 and 1 of four": 0x33333333,
    "one lane of four": 0x11111111,
    "one lane of each quarter": 0x01010101,
    "ragged": 0x7FFF_F00F,
    "even lanes of the lower half": 0xFFFF5555,
    "even lanes of the upper half": 0x5555FFFF,
    "even lanes of the first quarter": 0xFFFFFF55,
    "even lanes of every second quarter": 0xFF55FF55,
    "even lanes, then pairs": 0x33335555,
    "even lanes, then pairs, by quarters": 0x33553355,
    "even lanes of the lower half alone": 0x00005555,
    "pairs of the upper half alone": 0x33330000,
}


def _shared_words(kind: str, strides: tuple[int, ...]) -> Iterator[Pattern]:
    """Yield what is asked of 32-bit accesses to shared memory."""
    for stride in strides:
        yield Pattern(f"stride {stride}", kind, _once(32, stride))
    tile, padded = _once(32, 32), _once(32, 33)
    yield Pattern("row 7 of a 32x32 tile", kind, _once(32, 1), base=7 * 32)
    yield Pattern("column 5 of a 32x32 tile", kind, tile, base=5)
    yield Pattern("row 7 of a padded 32x33 tile", kind, _once(32, 1), base=7 * 33)
    yield Pattern("column 5 of a padded 32x33 tile", kind, padded, base=5)
    yield Pattern("column 5 of a padded 32x36 tile", kind, _once(32, 36), base=5)
    full, half = (5, 0, 5), (3, 0, 5)
    yield Pattern("row 7 of a swizzled tile", kind,
                  ComposedLayout(Swizzle(*full), 7 * 32, _once(32, 1)))  # fmt: skip
    yield Pattern("column 5 of a swizzled tile", kind, ComposedLayout(Swizzle(*full), 5, tile))
    yield Pattern("column of a tile swizzled by 3 bits", kind, _swizzled(half, tile))
    yield Pattern("columns of a tile, 8 warps", kind, _once((32, 8), (32, 1)))
    yield Pattern("columns of a padded tile, 8 warps", kind, _once((32, 8), (33, 1)))
    yield Pattern("columns of a tile, 8 requests", kind, Layout((32, 8), (32, 1)))
    yield Pattern("columns of a padded tile, 8 requests", kind, Layout((32, 8), (33, 1)))
    yield Pattern("columns of a swizzled tile, 4 warps, 8 requests", kind,
                  _swizzled(full, Layout(((32, 4), 8), ((32, 8), 1))))  # fmt: skip
    for base in (1, 17, 31):
        yield Pattern(f"stride 1 from word {base}", kind, _once(32, 1), base=base)
        yield Pattern(f"stride 2 from word {base}", kind, _once(32, 2), base=base)
    yield Pattern("backwards", kind, _once(32, -1), base=31)
    yield Pattern("permuted", kind, _swizzled((2, 0, 3), _once(32, 1)))
    yield Pattern("8x4 patches of a tile", kind, _once((8, 4), (1, 32)))
    yield Pattern("8x4 patches of a tile of 40", kind, _once((8, 4), (1, 40)))
    yield Pattern("halves 32 words apart", kind, _once((16, 2), (1, 32)))
    yield Pattern("halves 48 words apart", kind, _once((16, 2), (1, 48)))
    yield Pattern("two words of a bank in turn", kind, _once((2, 16), (32, 0)))
    yield Pattern("two words of every bank, lanes 1 apart", kind, _once((2, 16), (32, 1)))


def _shared_narrow(kind: str) -> Iterator[Pattern]:
    """Yield what is asked of 8-bit and 16-bit accesses to shared memory."""
    for stride in (0, 1, 2, 3, 4, 5, 32, 33, 128, 132):
        yield Pattern(f"stride {stride}", kind, _once(32, stride), bytes=1)
    for stride in (0, 1, 2, 3, 64, 65, 66):
        yield Pattern(f"stride {stride}", kind, _once(32, stride), bytes=2)
    yield Pattern("bytes 3 to 34", kind, _once(32, 1), bytes=1, base=3)
    yield Pattern("two words of a bank, 16 lanes each", kind, _once((2, 16), (64, 0)), bytes=2)
    yield Pattern("column of a swizzled 64x64 tile", kind,
                  _swizzled((5, 1, 5), _once(32, 64)), bytes=2)  # fmt: skip


def _shared_doubles(kind: str) -> Iterator[Pattern]:
    """Yield what is asked of 64-bit accesses to shared memory, as elements and as pairs."""
    for stride in (1, 2, 3, 4, 5, 8, 15, 16, 17, 32):
        yield Pattern(f"stride {stride}", kind, _once(32, stride), bytes=8)
    for base in (1, 8, 15):
        yield Pattern(f"stride 1 from double {base}", kind, _once(32, 1), bytes=8, base=base)
    for what, (shape, stride) in _SHARING.items():
        yield Pattern(what, kind, _once(shape, stride), bytes=8)
    for what, active in _ACTIVE.items():
        yield Pattern(what, kind, _once(32, 1), bytes=8, active=active)
    yield Pattern("column of pairs in a tile of 32", kind, _once(32, 32), vector=2)
    yield Pattern("column of pairs in a tile of 34", kind, _once(32, 34), vector=2)
    yield Pattern("lower half at stride 2", kind, _once(32, 2), bytes=8, active=0xFFFF)
    yield Pattern("even lanes at stride 2", kind, _once(32, 2), bytes=8, active=0x55555555)
    yield Pattern("lanes 1 apart alike at stride 2", kind, _once((2, 16), (0, 2)), bytes=8)
    yield Pattern("lanes 16 apart alike at stride 2", kind, _once((16, 2), (2, 0)), bytes=8)
    yield Pattern("halves at banks of their own", kind, _once((16, 2), (16, 1)), bytes=8)
    yield Pattern("halves at banks of their own, lanes 1 apart alike", kind,
                  _once((2, 8, 2), (0, 16, 1)), bytes=8)  # fmt: skip
    yield Pattern("halves at banks of their own, lanes 2 apart alike", kind,
                  _once((2, 2, 4, 2), (16, 0, 32, 1)), bytes=8)  # fmt: skip
    yield Pattern("two elements of all banks", kind, _once((2, 16), (16, 0)), bytes=8)
    yield Pattern("halves at two elements of a bank", kind, _once((16, 2), (0, 16)), bytes=8)


def _shared_vectors(kind: str) -> Iterator[Pattern]:
    """Yield what is asked of 128-bit accesses to shared memory."""
    for stride in (4, 8, 12, 16, 20, 32, 36, 40, 64):
        yield Pattern(f"stride {stride} words", kind, _once(32, stride), vector=4)
    for base in (4, 12, 28):
        yield Pattern(f"stride 4 from word {base}", kind, _once(32, 4), vector=4, base=base)
    for what, (shape, stride) in _SHARING.items():
        four = tuple(4 * d for d in stride) if isinstance(stride, tuple) else 4 * stride
        yield Pattern(what, kind, _once(shape, four), vector=4)
    for what, active in _ACTIVE.items():
        yield Pattern(what, kind, _once(32, 4), vector=4, active=active)
    halves, swizzle = _once((8, 4), (64, 8)), (3, 3, 3)
    more: dict[str, Any] = {"bytes": 2, "vector": 8}
    yield Pattern("8 rows of 64 halves", kind, halves, **more)
    yield Pattern("8 rows of 72 halves", kind, _once((8, 4), (72, 8)), **more)
    yield Pattern("8 swizzled rows of 64 halves", kind, _swizzled(swizzle, halves), **more)
    yield Pattern("8 threads down 64 halves", kind, _once(32, 64), active=0xFF, **more)
    yield Pattern("8 threads down swizzled 64 halves", kind,
                  _swizzled(swizzle, _once(32, 64)), active=0xFF, **more)  # fmt: skip
    yield Pattern("even lanes at stride 8 words", kind, _once(32, 8), vector=4, active=0x55555555)
    yield Pattern("quarters at two rows", kind, _once((8, 4), (4, 32)), vector=4)
    for what, shape, stride in (
        ("", (8, 4), (32, 4)),
        (", lanes 1 apart alike", (2, 4, 4), (0, 32, 4)),
        (", lanes 2 apart alike", (2, 2, 2, 4), (32, 0, 64, 4)),
    ):
        yield Pattern(f"quarters at banks of their own{what}", kind, _once(shape, stride),
                      vector=4)  # fmt: skip
    yield Pattern("stride 4 words, 4 warps, 2 requests", kind,
                  Layout(((32, 4), 2), ((4, 128), 512)), vector=4)  # fmt: skip


def _matrices(kind: str, counts: tuple[int, ...]) -> Iterator[Pattern]:
    """Yield what is asked of the instructions that move 8x8 matrices of 16-bit elements."""
    for count in counts:
        rows = 8 * count
        for stride in (0, 8, 16, 24, 32, 40, 64, 72, 128):
            what = f"rows {stride} halves apart"
            yield Pattern(what, kind, _once(rows, stride), bytes=2, vector=count)
        swizzled = _swizzled((3, 3, 3), _once(rows, 64))
        yield Pattern("swizzled rows of 64 halves", kind, swizzled, bytes=2, vector=count)
    for what, layout in (
        ("16x16 of 64 halves", _once((16, 2), (64, 8))),
        ("16x16 of 72 halves", _once((16, 2), (72, 8))),
        ("16x16 of 64 swizzled halves", _swizzled((3, 3, 3), _once((16, 2), (64, 8)))),
        ("16x16 of 32 halves", _once((16, 2), (32, 8))),
        ("16x16 of 32 swizzled halves", _swizzled((2, 3, 3), _once((16, 2), (32, 8)))),
        ("16x16 of 16 halves", _once((16, 2), (16, 8))),
        ("16x16 of 16 swizzled halves", _swizzled((1, 3, 3), _once((16, 2), (16, 8)))),
        ("16x16 by 4 warps, 4 requests", Layout(((16, 2, 4), 4), ((64, 8, 1024), 16))),
        ("16x16 swizzled by 4 warps, 4 requests",
         _swizzled((3, 3, 3), Layout(((16, 2, 4), 4), ((64, 8, 1024), 16)))),
    ):  # fmt: skip
        yield Pattern(what, kind, layout, bytes=2, vector=4)


def _global(kind: str) -> Iterator[Pattern]:
    """Yield what is asked of accesses to global memory."""
    for stride in (0, 1, 2, 3, 4, 5, 7, 8, 9, 16, 32, 33, 1000):
        yield Pattern(f"stride {stride}", kind, _once(32, stride))
    for base in (1, 4, 7, 8, 33):
        yield Pattern(f"stride 1 from element {base}", kind, _once(32, 1), base=base)
    for stride in (0, 1, 2, 31, 32):
        yield Pattern(f"stride {stride}", kind, _once(32, stride), bytes=1)
    yield Pattern("bytes 30 to 61", kind, _once(32, 1), bytes=1, base=30)
    for stride in (1, 2, 16, 17):
        yield Pattern(f"stride {stride}", kind, _once(32, stride), bytes=2)
    for stride in (1, 2, 3, 4, 5):
        yield Pattern(f"stride {stride}", kind, _once(32, stride), bytes=8)
    yield Pattern("stride 1 from element 1", kind, _once(32, 1), bytes=8, base=1)
    for stride in (4, 8, 12, 16, 128):
        yield Pattern(f"stride {stride} words", kind, _once(32, stride), vector=4)
    yield Pattern("stride 4 from word 4", kind, _once(32, 4), vector=4, base=4)
    for what, (shape, stride) in _SHARING.items():
        yield Pattern(what, kind, _once(shape, stride))
        yield Pattern(what, kind, _once(shape, stride), bytes=8)
        four = tuple(4 * d for d in stride) if isinstance(stride, tuple) else 4 * stride
        yield Pattern(what, kind, _once(shape, four), vector=4)
    for what, active in _ACTIVE.items():
        yield Pattern(what, kind, _once(32, 1), active=active)
        yield Pattern(what, kind, _once(32, 4), vector=4, active=active)
    yield Pattern("backwards", kind, _once(32, -1), base=31)
    yield Pattern("permuted", kind, _swizzled((2, 0, 3), _once(32, 1)))
    yield Pattern("gathered", kind, _swizzled((4, 3, 5), _once((4, 8), (37, 256))))
    yield Pattern("row 3 of a matrix 64 wide", kind, _once(32, 1), base=3 * 64)
    yield Pattern("column 3 of a matrix 64 wide", kind, _once(32, 64), base=3)
    yield Pattern("8x4 patches of a matrix 64 wide", kind, _once((8, 4), (1, 64)))
    yield Pattern("4x8 patches of a matrix 64 wide", kind, _once((4, 8), (64, 1)))
    yield Pattern("consecutive, 4 warps", kind, _once((32, 4), (1, 32)))
    yield Pattern("rows of 8 of a matrix 64 wide, 4 requests", kind,
                  Layout(((8, 4), 4), ((1, 64), 8)))  # fmt: skip
    yield Pattern("16x16 tile over 4x8 threads, 8 requests", kind,
                  Layout(((8, 4), (2, 4)), ((1, 16), (8, 64))))  # fmt: skip
    yield Pattern("8x128 tile over 256 threads", kind, _once((32, 8), (4, 128)), vector=4)
    yield Pattern("8x128 tile in rows of 132, 256 threads", kind,
                  _once((32, 8), (4, 132)), vector=4)  # fmt: skip


#: Of how many bytes an access is, and how many patterns of it are drawn.
_DRAWN = {1: 4, 2: 4, 4: 8, 8: 24, 16: 24}


def _scattered(kind: str) -> Iterator[Pattern]:
    """Yield patterns that nobody chose: a drawn stride for each bit of the lane, drawn lanes."""
    draw = random.Random(kind)  # noqa: S311 (always the same patterns)
    for width, count in _DRAWN.items():
        for k in range(count):
            strides = [draw.choice((1, 2, 3, 4, 5, 8, 12, 16, 17, 32, 33)) for _ in range(5)]
            for bit in range(5):
                if draw.random() < 0.3:
                    strides[bit] = 0
            some = draw.getrandbits(32) | draw.getrandbits(32)
            lanes = draw.choice((ALL, ALL, some, some & 0x55555555, some & 0x33333333)) or ALL
            vector = width // 4 if width == 16 else 1
            layout = _once((2,) * 5, tuple(vector * d for d in strides))
            yield Pattern(f"scattered {k}", kind, layout, width // vector, vector, active=lanes)


def _all() -> Iterator[Pattern]:
    yield from _shared_words("shared load", tuple(range(34)))
    yield from _shared_words("shared store", (0, 1, 2, 3, 4, 5, 8, 16, 31, 32, 33))
    for kind in ("shared load", "shared store"):
        yield from _shared_narrow(kind)
        for what, (shape, stride) in _SHARING.items():
            yield Pattern(what, kind, _once(shape, stride))
        for what, active in _ACTIVE.items():
            yield Pattern(what, kind, _once(32, 1), active=active)
            yield Pattern(f"{what} at stride 8", kind, _once(32, 8), active=active)
        yield from _shared_doubles(kind)
        yield from _shared_vectors(kind)
    yield from _matrices("matrix load", (1, 2, 4))
    yield from _matrices("matrix load trans", (1, 4))
    yield from _matrices("matrix store", (1, 2, 4))
    yield from _global("global load")
    yield from _global("global store")
    for kind in ("shared load", "shared store", "global load", "global store"):
        yield from _scattered(kind)


PATTERNS: tuple[Pattern, ...] = tuple(_all())


def by_name(name: str) -> Pattern:
    """Return the pattern of that name."""
    return next(p for p in PATTERNS if p.name == name)
