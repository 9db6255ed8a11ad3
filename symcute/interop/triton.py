"""Layouts to and from Triton: `#ttg.linear<{...}>` and `#ttg.blocked<{...}>` of its MLIR text.

The bases of a linear layout do not say how large the tile is; without a shape it is the smallest
that holds them. A blocked layout is put on a tile as Triton does: repeated in registers where the
tile is larger, and with bases of 0 where it is smaller.

Source: Triton, include/triton/Dialect/TritonGPU/IR/TritonGPUAttrDefs.td (LinearEncodingAttr,
BlockedEncodingAttr, CTALayoutAttr), lib/Dialect/TritonGPU/IR/LinearLayoutConversions.cpp.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, NamedTuple, NoReturn

from symcute.errors import InputError, TextError
from symcute.expr.htuple import show
from symcute.layout.linear import PLACES, Bases, LinearLayout

__all__ = ["blocked_layout", "from_triton", "to_triton"]

#: Characters of a text, and digits of a number.
MAX_LENGTH, MAX_DIGITS = 20_000, 20

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


class _Token(NamedTuple):
    kind: str
    text: str
    pos: int


class _Reader:
    """Reads one layout; `layout` is its only door."""

    def __init__(self, text: str) -> None:
        if not isinstance(text, str):
            raise InputError(f"the Triton text is a {type(text).__name__}", "give it as a str")
        if len(text) > MAX_LENGTH:
            what = f"this text is longer than {MAX_LENGTH} characters"
            raise TextError(what, text, MAX_LENGTH, "give one layout")
        self.text, self.tokens, self.place, position = text, list[_Token](), 0, 0
        while position < len(text):
            match = _TOKEN.match(text, position)
            if match is None:
                what = f"the character {text[position]!r} is not understood"
                raise TextError(what, text, position, "give one linear or blocked layout")
            kind, word = match.lastgroup or "", match.group()
            if kind != "SPACE":
                self.tokens.append(_Token(word if kind == "SIGN" else kind, word, position))
            position = match.end()
        self.tokens.append(_Token("END", "the end", len(text)))

    def layout(self, shape: tuple[int, ...] | None) -> LinearLayout:
        """Return the layout of the whole text."""
        if [t.kind for t in self.tokens[:2]] == ["NAME", "="]:  # `#linear = ...`
            self.place = 2
        kind = self.tokens[self.place]
        self.place += kind.kind == "NAME"
        if kind.text not in (*_LINEAR, *_BLOCKED):
            self._refuse("expected #ttg.linear or #ttg.blocked", kind)
        for sign in "<{":
            self._need(sign)
        fields: dict[str, Any] = {}
        while True:
            name = self._need("NAME")
            if name.text in fields:
                self._refuse(f"{name.text} is given twice", name)
            self._need("=")
            fields[name.text] = self._list(2)
            if not self._take(","):
                break
        for sign in "}>":
            self._need(sign)
        if self.tokens[self.place].kind != "END":
            self._refuse("expected the end of the layout")
        return (_linear if kind.text in _LINEAR else _blocked)(fields, shape)

    def _list(self, levels: int) -> tuple[Any, ...]:
        self._need("[")
        items: list[Any] = []
        while self.tokens[self.place].kind != "]":
            if self.tokens[self.place].kind == "[" and levels > 1:
                items.append(self._list(levels - 1))
            else:
                number = self._need("NUMBER")
                if len(number.text) > MAX_DIGITS:
                    self._refuse(f"a number of more than {MAX_DIGITS} digits", number)
                items.append(int(number.text))
            if not self._take(","):
                break
        self._need("]")
        return tuple(items)

    def _take(self, kind: str) -> bool:
        found = self.tokens[self.place].kind == kind
        self.place += found
        return found

    def _need(self, kind: str) -> _Token:
        token = self.tokens[self.place]
        if not self._take(kind):
            self._refuse(f"expected {kind.lower() if kind.isalpha() else repr(kind)}")
        return token

    def _refuse(self, what: str, token: _Token | None = None) -> NoReturn:
        token = token or self.tokens[self.place]
        raise TextError(f"{what}, found {token.text!r}", self.text, token.pos)


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
        raise InputError("a blocked layout by itself has no tile", "give the shape of the tile")
    blocks, split, block_order = (fields.get(name) for name in _CLUSTER)
    per_thread, lanes, warps, order = (fields[name] for name in _LISTS)
    return blocked_layout(
        shape, per_thread, lanes, warps, order,
        blocks=blocks, split=split, block_order=block_order,
    )  # fmt: skip
