"""Layouts to and from Triton: `#ttg.linear<{...}>` and `#ttg.blocked<{...}>` of its MLIR text.

The bases of a linear layout do not say how large the tile is; without a shape it is the smallest
that holds them. A blocked layout is put on a tile as Triton does: repeated in registers where the
tile is larger, and with bases of 0 where it is smaller.

Source: Triton, include/triton/Dialect/TritonGPU/IR/TritonGPUAttrDefs.td (LinearEncodingAttr,
BlockedEncodingAttr, SwizzledSharedEncodingAttr, CTALayoutAttr),
lib/Dialect/TritonGPU/IR/LinearLayoutConversions.cpp.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from symcute.errors import InputError
from symcute.expr.htuple import show
from symcute.interop.tokens import TokenReader
from symcute.layout.layout import Layout
from symcute.layout.linear import PLACES, Bases, LinearLayout, from_linear
from symcute.layout.swizzle import ComposedLayout, Swizzle

__all__ = ["blocked_layout", "from_triton", "layout_of_triton", "to_triton"]

#: Digits of a number.
MAX_DIGITS = 20

_TOKEN = re.compile(
    r"""
      (?P<SPACE>  \s+ | //[^\n]* )
    | (?P<NUMBER> [0-9]+ (?!\w) )
    | (?P<NAME>   [\#!]? [A-Za-z_][\w.]* )
    | (?P<SIGN>   [<>{}\[\],=] )
    """,
    re.VERBOSE | re.ASCII,
)
_LINEAR = ("#ttg.linear", "#triton_gpu.linear", "#linear")
_BLOCKED = ("#ttg.blocked", "#triton_gpu.blocked", "#blocked")
_SHARED = re.compile(
    r"#(?:ttg|triton_gpu)\.(?:swizzled_)?shared\s*<\{\s*vec\s*=\s*(\d{1,9}),\s*perPhase\s*=\s*(\d{1,9}),"
    r"\s*maxPhase\s*=\s*(\d{1,9}),\s*order\s*=\s*\[([01]),\s*([01])\]\s*\}>"
)
_LISTS = ("sizePerThread", "threadsPerWarp", "warpsPerCTA", "order")
_CLUSTER = ("CTAsPerCGA", "CTASplitNum", "CTAOrder")


def from_triton(text: str, shape: Sequence[int] | None = None) -> LinearLayout:
    """Return the linear layout that the text of a linear or blocked layout of Triton stands for.

    `shape` is the tile's; a blocked layout needs it, a linear one only where the tile is larger
    than its bases reach.
    Errors: TextError with the place for other text; InputError for what is no linear layout, or a
    blocked layout without a shape.

    >>> L = from_triton("#ttg.linear<{register = [[0, 1]], lane = [[1, 0], [2, 0]], warp = []}>")
    >>> L.shape, L(register=1, lane=3)
    ((4, 2), (3, 1))
    >>> print(from_triton("#ttg.blocked<{sizePerThread = [2], threadsPerWarp = [4], "
    ...     "warpsPerCTA = [1], order = [0]}>", (32,)))
    {register = [[1], [8], [16]], lane = [[2], [4]], warp = [], block = []}
    """
    return _Reader(text).layout(None if shape is None else tuple(shape))


def layout_of_triton(text: str, shape: Any = None) -> Layout | ComposedLayout:
    """Return the ((threads), (values)) layout of an attribute of Triton on a tile.

    Offsets are 1-D indices of the tile, its first mode fastest, as of CuTe's TV layouts. Of
    `#ttg.swizzled_shared` it is the layout of the tile in shared memory.
    Errors: as `from_triton` and `from_linear`; InputError for a tile that is no list of integers.

    >>> print(layout_of_triton("#ttg.blocked<{sizePerThread = [1, 2], threadsPerWarp = [2, 2], "
    ...     "warpsPerCTA = [1, 1], order = [1, 0]}>", (2, 4)))
    ((2,2),(2)):((4,1),(2))
    >>> print(layout_of_triton("#ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, "
    ...     "order = [1, 0]}>", (8, 64)))
    Sw<3,3,3> o 0 o (8,64):(64,1)
    """
    extents = (shape,) if isinstance(shape, int) else shape
    if extents is not None and not (
        isinstance(extents, tuple) and all(type(x) is int for x in extents)
    ):
        raise InputError(f"the tile {show(shape)}", "give its extents, such as (32,16)")
    shared = _SHARED.fullmatch(text)
    if shared is not None:
        return _shared(shared.groups(), extents)
    return from_linear(from_triton(text, extents))


def _shared(fields: Sequence[str], shape: tuple[int, ...] | None) -> Layout | ComposedLayout:
    """Return the layout of a tile in shared memory: in row r the pieces of `vec` elements change
    places, piece p with piece p ^ (r // perPhase % maxPhase); order[0] is the mode along a row."""
    vec, per_phase, phases, first, second = map(int, fields)
    if shape is None or len(shape) != 2 or {first, second} != {0, 1}:
        raise InputError(
            "a tile in shared memory needs its two extents",
            "give them, as in !ttg.memdesc<8x64xf16, #ttg.swizzled_shared<{...}>, #smem>",
        )
    width = shape[first]
    layout = Layout(shape, (width, 1) if first == 1 else (1, width))
    if phases == 1:
        return layout
    _check_powers("vec, perPhase, maxPhase, width", (vec, per_phase, phases, width), 4)
    if vec * phases > width:
        raise InputError(
            f"{phases} pieces of {vec} elements in rows of {width}", "give a tile that holds them"
        )
    base, bits = vec.bit_length() - 1, phases.bit_length() - 1
    return ComposedLayout(
        Swizzle(bits, base, (per_phase * width).bit_length() - 1 - base), 0, layout
    )


def to_triton(linear: LinearLayout) -> str:
    """Return the text of a linear layout as Triton prints it.

    Post-conditions: from_triton(to_triton(L), L.shape) == L, where L has all four places.

    >>> print(to_triton(LinearLayout((("register", ((0, 1),)), ("lane", ((1, 0),))), (2, 2))))
    #ttg.linear<{register = [[0, 1]], lane = [[1, 0]], warp = [], block = []}>
    """
    bases = dict(linear.bases)
    every = LinearLayout(tuple((name, bases.get(name, ())) for name in PLACES), linear.shape)
    return f"#ttg.linear<{every}>"


def blocked_layout(
    shape: Sequence[int],
    size_per_thread: Sequence[int],
    threads_per_warp: Sequence[int],
    warps_per_block: Sequence[int],
    order: Sequence[int],
    *,
    blocks: Sequence[int] | None = None,
    split: Sequence[int] | None = None,
    block_order: Sequence[int] | None = None,
) -> LinearLayout:
    """Return Triton's blocked layout on a tile: registers in lanes in warps, `order[0]` fastest.

    `blocks`, `split` and `block_order` are CTAsPerCGA, CTASplitNum and CTAOrder: of the blocks of a
    cluster along a mode, `split` hold different parts, the others the same ones again.
    Errors: InputError for lists of another length than the shape, numbers that are no powers of
    two, an order that is no permutation, and a `split` that does not divide the blocks.

    >>> print(blocked_layout((16, 16), (1, 4), (8, 4), (2, 1), (1, 0)))
    {register = [[0, 1], [0, 2]], lane = [[0, 4], [0, 8], [1, 0], [2, 0], [4, 0]], \
warp = [[8, 0]], block = []}
    """
    for given in (shape, size_per_thread, threads_per_warp, warps_per_block, order):
        if not isinstance(given, (tuple, list)):
            raise InputError(f"{given!r} is no list of integers", "give one for each mode: (1, 4)")
    rank = len(shape)
    blocks, split = blocks or (1,) * rank, split or (1,) * rank
    block_order = tuple(range(rank)) if block_order is None else block_order
    named = {
        "shape": shape, "size_per_thread": size_per_thread, "threads_per_warp": threads_per_warp,
        "warps_per_block": warps_per_block, "blocks": blocks, "split": split,
    }  # fmt: skip
    for name, values in named.items():
        _check_powers(name, values, rank)
    for name, values in (("order", order), ("block_order", block_order)):
        if sorted(values) != list(range(rank)):
            raise InputError(
                f"{name} {list(values)} orders no {rank} modes", f"permute 0 ... {rank - 1}"
            )
    if any(n % s for n, s in zip(blocks, split, strict=True)):
        raise InputError(
            f"split {list(split)} of the blocks {list(blocks)}", "each divides its number of blocks"
        )
    cluster = _Grower(rank)
    cluster.add("block", split, block_order, blocks)
    part = [max(1, s // min(s, n)) for s, n in zip(shape, cluster.size, strict=True)]
    inside = _Grower(rank)
    for place, sizes in zip(PLACES, (size_per_thread, threads_per_warp, warps_per_block)):  # noqa: B905
        inside.add(place, sizes, order)
    missing = [max(1, s // n) for s, n in zip(part, inside.size, strict=True)]
    inside.add("register", missing, order)
    found = {place: inside.below(place, part) for place in PLACES[:3]}
    outside = cluster.below("block", shape)
    found["block"] = tuple(tuple(x * s for x, s in zip(v, part, strict=True)) for v in outside)
    return LinearLayout(tuple(found.items()), tuple(shape))


class _Grower:
    """Bases by place, each place going on where the ones before end."""

    def __init__(self, rank: int) -> None:
        self.size = [1] * rank
        self.bases: dict[str, list[tuple[int, ...]]] = {}

    def add(
        self,
        place: str,
        sizes: Sequence[int],
        order: Sequence[int],
        copies: Sequence[int] | None = None,
    ) -> None:
        """Add bits that count to `sizes[m]` along each mode m, and bits that change nothing."""
        found = self.bases.setdefault(place, [])
        rank = len(self.size)
        for m in order:
            for k in range(sizes[m].bit_length() - 1):
                found.append(tuple(self.size[m] << k if j == m else 0 for j in range(rank)))
            self.size[m] *= sizes[m]
            if copies is not None:
                found += [(0,) * rank] * ((copies[m] // sizes[m]).bit_length() - 1)

    def below(self, place: str, shape: Sequence[int]) -> Bases:
        """Return the bases of a place, 0 where they leave the shape."""
        return tuple(
            tuple(x if x < s else 0 for x, s in zip(v, shape, strict=True))
            for v in self.bases.get(place, ())
        )


def _check_powers(name: str, values: Sequence[int], rank: int) -> None:
    if len(values) != rank:
        raise InputError(
            f"{name} {list(values)} has {len(values)} modes, the shape {rank}", "give one for each"
        )
    wrong = next((x for x in values if type(x) is not int or x < 1 or x & (x - 1)), None)
    if wrong is not None:
        raise InputError(f"{name} {list(values)} has {wrong}", "give powers of two")


class _Reader(TokenReader):
    """Reads one layout; `layout` is its only door."""

    def __init__(self, text: str) -> None:
        super().__init__(text, _TOKEN, "Triton", "give one linear or blocked layout")

    def layout(self, shape: tuple[int, ...] | None) -> LinearLayout:
        """Return the layout of the whole text."""
        if [t.kind for t in self.tokens[:2]] == ["NAME", "="]:  # `#linear = ...`
            self.place = 2
        kind = self._here
        self.place += kind.kind == "NAME"
        if kind.text not in (*_LINEAR, *_BLOCKED):
            self._refuse("expected #ttg.linear or #ttg.blocked", token=kind)
        for sign in "<{":
            self._need(sign)
        fields: dict[str, Any] = {}
        while True:
            name = self._need("NAME")
            if name.text in fields:
                self._refuse(f"{name.text} is given twice", token=name)
            self._need("=")
            fields[name.text] = self._list(2)
            if not self._take(","):
                break
        for sign in "}>":
            self._need(sign)
        if self._here.kind != "END":
            self._refuse("expected the end of the layout")
        return (_linear if kind.text in _LINEAR else _blocked)(fields, shape)

    def _list(self, levels: int) -> tuple[Any, ...]:
        self._need("[")
        items: list[Any] = []
        while self._here.kind != "]":
            if self._here.kind == "[" and levels > 1:
                items.append(self._list(levels - 1))
            else:
                number = self._need("NUMBER")
                if len(number.text) > MAX_DIGITS:
                    self._refuse(f"a number of more than {MAX_DIGITS} digits", token=number)
                items.append(int(number.text))
            if not self._take(","):
                break
        self._need("]")
        return tuple(items)


def _linear(fields: dict[str, Any], shape: tuple[int, ...] | None) -> LinearLayout:
    for name, vectors in fields.items():
        if name not in PLACES or any(not isinstance(v, tuple) for v in vectors):
            raise InputError(
                f"{name} = {show(vectors)} in a linear layout",
                f"give lists of coordinates for {', '.join(PLACES)}",
            )
    every = [v for vectors in fields.values() for v in vectors]
    if shape is None:
        if not every or len({len(v) for v in every}) != 1:
            raise InputError("the bases do not tell the rank of the tile", "give its shape")
        shape = tuple(1 << max(column).bit_length() for column in zip(*every, strict=True))
    bases = sorted(fields.items(), key=lambda item: PLACES.index(item[0]))
    return LinearLayout(tuple(bases), shape)


def _blocked(fields: dict[str, Any], shape: tuple[int, ...] | None) -> LinearLayout:
    unknown = [name for name in fields if name not in (*_LISTS, *_CLUSTER)]
    missing = [name for name in _LISTS if name not in fields]
    if unknown or missing:
        raise InputError(
            f"a blocked layout {'with' if unknown else 'without'} {(unknown or missing)[0]}",
            f"give {', '.join(_LISTS)}",
        )
    for name, values in fields.items():
        if any(isinstance(v, tuple) for v in values):
            raise InputError(f"{name} = {show(values)} in a blocked layout", "give one list")
    if shape is None:
        raise InputError(
            "a blocked layout by itself has no tile",
            "give the shape of the tile, as in tensor<32x16xf16, #ttg.blocked<{...}>>",
        )
    blocks, split, block_order = (fields.get(name) for name in _CLUSTER)
    per_thread, lanes, warps, order = (fields[name] for name in _LISTS)
    return blocked_layout(
        shape, per_thread, lanes, warps, order,
        blocks=blocks, split=split, block_order=block_order,
    )  # fmt: skip
