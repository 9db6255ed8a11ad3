"""The types of CuTe DSL's values, read from their text.

    !cute.memref<f16, gmem, align<16>, "(?,?{div=8}):(?{i64 div=8},1)">

Static integers are numbers; a `?` is an integer that is known when the kernel runs, with the
divisor that the DSL knows of it. Which `?` is which integer the type does not say: that follows
from what the operations do (`rules/`).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, TypeAlias

from symcute.errors import InputError

__all__ = [
    "AtomType", "Basis", "Hole", "IntegerType", "LayoutType", "PointerType", "SwizzleType",
    "TensorType", "TileType", "TiledCopyType", "TiledMmaType", "Tree", "TupleType", "arguments",
    "bits_of", "filled", "holes", "read_layout", "read_tree", "read_type",
]  # fmt: skip


@dataclass(frozen=True)
class Hole:
    """A `?`: an integer that is not in the type, but is a multiple of `divisor`.

    It has 32 bits where the type says nothing of them.
    """

    divisor: int = 1
    bits: int = field(default=32, repr=False, compare=False)


@dataclass(frozen=True)
class Basis:
    """A coordinate stride such as `2@1`, its modes outermost first."""

    value: int | Hole
    modes: tuple[int, ...]


#: Tuples of integers, `?`, coordinate strides, and None for `_`.
Tree: TypeAlias = Any


@dataclass(frozen=True)
class TupleType:
    """Integers in a hierarchy: a shape, a stride, a coordinate, or what an iterator stands at."""

    tree: Tree


@dataclass(frozen=True)
class LayoutType:
    """A layout; `swizzle` and `offset` where it is composed."""

    shape: Tree
    stride: Tree
    swizzle: tuple[int, int, int] | None = None
    offset: Tree = 0


@dataclass(frozen=True)
class TileType:
    """A layout, `_`, or tiles of its modes, for each mode of what is tiled."""

    modes: tuple[LayoutType | TileType | None, ...]
    by_mode: bool = True


@dataclass(frozen=True)
class PointerType:
    """Where elements lie: their type, the memory, an alignment in bytes, and a swizzle of bytes."""

    element: str
    space: str
    alignment: int
    swizzle: tuple[int, int, int] | None = None


@dataclass(frozen=True)
class TensorType:
    """A pointer, or a coordinate, and the layout behind it."""

    start: PointerType | TupleType
    layout: LayoutType


@dataclass(frozen=True)
class SwizzleType:
    """A swizzle."""

    swizzle: tuple[int, int, int]


@dataclass(frozen=True)
class AtomType:
    """An instruction; `text` says which, in NVIDIA's words."""

    text: str


@dataclass(frozen=True)
class TiledCopyType:
    """A copy instruction repeated: (thread, value) to an element of the tile."""

    atom: AtomType
    layout_tv: LayoutType
    tiler: TileType


@dataclass(frozen=True)
class TiledMmaType:
    """An MMA instruction repeated over M, N and K, with what permutes the tile."""

    atom: AtomType
    atom_layout: LayoutType
    permutation: TileType


@dataclass(frozen=True)
class IntegerType:
    """An integer that operations of `arith` work on, or one promised to be a multiple."""

    bits: int
    divisor: int = 1


_INTEGER = re.compile(r"i(1|8|16|32|64)|!cute\.i(8|16|32|64)<divby ([1-9][0-9]*)>")
_TOKEN = re.compile(
    r"\?(?:\{(?:i(?P<bits>8|16|32|64) ?)?(?:div=(?P<div>[1-9][0-9]*))?\})?|-?[0-9]+|[@(),_:;\[\]]"
)
_SWIZZLE = re.compile(r"S<([0-9]+),([0-9]+),(-?[0-9]+)>")
_WIDTH = re.compile(r"(?:f|i|tf|bf|u|si|ui)([0-9]+)(?:E[0-9]+M[0-9]+[A-Z]*)?\Z")
_ALIGN = re.compile(r"align<([1-9][0-9]*)>\Z")


def bits_of(element: str) -> int:
    """Return how many bits an element has in memory.

    Errors: InputError for a type that is not known.

    >>> bits_of("bf16"), bits_of("f8E4M3FN")
    (16, 8)
    """
    found = _WIDTH.match(element)
    if found is None:
        raise InputError(f"elements of type {element}", "integers and floats are read")
    return int(found.group(1))


class _Text:
    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0

    def fail(self) -> InputError:
        return InputError(
            f"{self.text!r} at {self.text[self.at :][:12]!r} is no type that is read",
            "please report it",
        )

    def next(self) -> re.Match[str] | None:
        return _TOKEN.match(self.text, self.at)

    def takes(self, sign: str) -> bool:
        found = self.text.startswith(sign, self.at)
        self.at += len(sign) if found else 0
        return found

    def expect(self, sign: str) -> None:
        if not self.takes(sign):
            raise self.fail()

    def done(self) -> None:
        if self.at < len(self.text):
            raise self.fail()

    def tree(self) -> Tree:
        if self.takes("("):
            items: list[Tree] = []
            if self.takes(")"):
                return ()
            while True:
                items.append(self.tree())
                if self.takes(")"):
                    return tuple(items)
                self.expect(",")
        if self.takes("_"):
            return None
        found = self.next()
        if found is None or found.group()[0] not in "?-0123456789":
            raise self.fail()
        self.at = found.end()
        known = found.group()[0] != "?"
        hole = Hole(int(found.group("div") or 1), int(found.group("bits") or 32))
        leaf: Any = int(found.group()) if known else hole
        modes: list[int] = []
        while self.takes("@"):
            mode = self.next()
            if mode is None or not mode.group().isdigit():
                raise self.fail()
            self.at = mode.end()
            modes.insert(0, int(mode.group()))
        return Basis(leaf, tuple(modes)) if modes else leaf

    def layout(self) -> LayoutType:
        swizzle, offset = None, 0
        if found := _SWIZZLE.match(self.text, self.at):
            self.at = found.end()
            swizzle = _swizzle(found)
            self.expect(" o ")
            offset = self.tree()
            self.expect(" o ")
        shape = self.tree()
        self.expect(":")
        stride = self.tree()
        if not _alike(shape, stride):
            raise self.fail()
        return LayoutType(shape, stride, swizzle, offset)

    def tiler(self) -> TileType:
        if not self.takes("["):
            whole = None if self.takes("_") else self.layout()
            return TileType((whole,), by_mode=False)
        modes: list[LayoutType | TileType | None] = []
        while True:
            inner = self.text.startswith("[", self.at)
            modes.append(self.tiler() if inner else None if self.takes("_") else self.layout())
            if self.takes("]"):
                return TileType(tuple(modes))
            self.expect(";")


def _swizzle(found: re.Match[str]) -> tuple[int, int, int]:
    bits, base, shift = map(int, found.groups())
    return bits, base, shift


def _alike(shape: Tree, stride: Tree) -> bool:
    if isinstance(shape, tuple) != isinstance(stride, tuple):
        return False
    if not isinstance(shape, tuple):
        return shape is not None and stride is not None
    return len(shape) == len(stride) and all(map(_alike, shape, stride))


def read_tree(text: str) -> Tree:
    """Return integers in a hierarchy.

    >>> read_tree("((_,?{i64 div=8}),2)")
    ((None, Hole(divisor=8)), 2)
    """
    reader = _Text(text)
    found = reader.tree()
    reader.done()
    return found


def read_layout(text: str) -> LayoutType:
    """Return a layout. Errors: InputError for what is none.

    >>> read_layout("S<3,4,3> o 0 o (8,64):(64,1)").swizzle
    (3, 4, 3)
    """
    reader = _Text(text)
    found = reader.layout()
    reader.done()
    return found


def _tiler(text: str) -> TileType:
    reader = _Text(text)
    found = reader.tiler()
    reader.done()
    return found


def arguments(text: str) -> list[str]:
    """Return what stands between commas, outside brackets and quotes.

    >>> arguments('f16, align<16>, "(1,2):(0,1)"')
    ['f16', 'align<16>', '"(1,2):(0,1)"']
    """
    found, start, depth, quoted = [], 0, 0, False
    for k, sign in enumerate(text):
        if sign == '"':
            quoted = not quoted
        elif quoted or (sign == ">" and text[k - 1] == "-"):
            continue
        elif sign in "<([":
            depth += 1
        elif sign in ">)]":
            depth -= 1
        elif sign == "," and depth == 0:
            found.append(text[start:k])
            start = k + 1
    return [x.strip() for x in (*found, text[start:])]


def _pointer(words: list[str]) -> PointerType:
    if len(words) < 2:
        raise InputError(f"a pointer of {', '.join(words)}", "please report it")
    element, space, *rest = words
    alignment, swizzle = max(1, _bytes(element)), None
    for word in rest:
        if found := _ALIGN.match(word):
            alignment = int(found.group(1))
        elif (inside := _SWIZZLE.match(word)) and inside.end() == len(word):
            swizzle = _swizzle(inside)
        else:
            raise InputError(f"a pointer with {word}", "please report it")
    return PointerType(element, space, alignment, swizzle)


def _bytes(element: str) -> int:
    found = _WIDTH.match(element)
    return int(found.group(1)) // 8 if found else 1


def _quoted(text: str) -> str:
    if len(text) < 2 or text[0] != '"' or text[-1] != '"':
        raise InputError(f"{text} is no text in quotes", "please report it")
    return text[1:-1]


def _tensor(words: list[str]) -> TensorType:
    return TensorType(_pointer(words[:-1]), read_layout(_quoted(words[-1])))


def _coordinates(words: list[str]) -> TensorType:
    start, layout = words
    return TensorType(TupleType(read_tree(_quoted(start))), read_layout(_quoted(layout)))


def _named(words: list[str], *names: str) -> list[str]:
    """Return the atom, and the quoted text behind each of `names`."""
    found = [words[0]]
    for name, word in zip(names, words[1:], strict=True):
        left, _, right = word.partition(" = ")
        if left != name or right[:1] != "<" or right[-1:] != ">":
            raise InputError(f"{word} where {name} is expected", "please report it")
        found.append(_quoted(right[1:-1]))
    return found


def _tiled_copy(words: list[str]) -> TiledCopyType:
    atom, tv, tiler = _named(words, "layout_copy_tv", "tiler_mn")
    return TiledCopyType(AtomType(atom), read_layout(tv), _tiler(tiler))


def _tiled_mma(words: list[str]) -> TiledMmaType:
    atom, layout, permutation = _named(words, "atom_layout_MNK", "permutation_MNK")
    return TiledMmaType(AtomType(atom), read_layout(layout), _tiler(permutation))


def _tuple(words: list[str]) -> TupleType:
    (word,) = words
    return TupleType(read_tree(_quoted(word)))


def _swizzle_type(words: list[str]) -> SwizzleType:
    found = _SWIZZLE.match(_quoted(words[0]))
    if found is None or len(words) > 1:
        raise InputError(f"a swizzle {', '.join(words)}", "please report it")
    return SwizzleType(_swizzle(found))


_READERS: dict[str, Callable[[list[str]], Any]] = {
    "cute.memref": _tensor,
    "cute.ptr": _pointer,
    "cute.coord_tensor": _coordinates,
    "cute.layout": lambda words: read_layout(_quoted(*words)),
    "cute.composed_layout": lambda words: read_layout(_quoted(*words)),
    "cute.tile": lambda words: _tiler(_quoted(*words)),
    "cute.swizzle": _swizzle_type,
    "cute.tiled_copy": _tiled_copy,
    "cute.tiled_mma": _tiled_mma,
    **dict.fromkeys(
        ("cute.int_tuple", "cute.shape", "cute.stride", "cute.coord", "cute.arith_tuple_iter"),
        _tuple,
    ),
}


@lru_cache(maxsize=4096)
def read_type(text: str) -> Any:
    """Return the type that a text says, or None for one that says nothing of layouts.

    Errors: InputError for a type of layouts that is not of the form that is known.

    >>> read_type('!cute.coord_tensor<"(0,?{div=16})", "(16,128):(1@0,1@1)">').start
    TupleType(tree=(0, Hole(divisor=16)))
    >>> read_type("!cute.i32<divby 16>")
    IntegerType(bits=32, divisor=16)
    >>> read_type("!cuda.stream") is None
    True
    """
    if found := _INTEGER.fullmatch(text):
        return IntegerType(int(found[1] or found[2]), int(found[3] or 1))
    if text == "!cute.fast_divmod_divisor<32>":  # it is made of the integer that it divides by
        return IntegerType(32)
    name, bracket, inside = text.removeprefix("!").partition("<")
    if name.startswith("cute_nvgpu."):
        return AtomType(text)
    reader = _READERS.get(name)
    if reader is None or not bracket or not inside.endswith(">"):
        return None
    try:
        return reader(arguments(inside[:-1]))
    except (TypeError, ValueError) as error:
        raise InputError(f"{text} is no {name} that is read", "please report it") from error


def holes(tree: Tree) -> list[Hole]:
    """Return each `?` of integers or a layout, from left to right."""
    if isinstance(tree, LayoutType):
        return [*holes(tree.offset), *holes(tree.shape), *holes(tree.stride)]
    if isinstance(tree, tuple):
        return [hole for item in tree for hole in holes(item)]
    if isinstance(tree, Basis):
        return holes(tree.value)
    return [tree] if isinstance(tree, Hole) else []


def filled(tree: Tree, leaf: Callable[[Hole], Any], basis: Callable[[Any, Any], Any]) -> Tree:
    """Return integers with each `?`, from left to right, and each coordinate stride replaced."""
    if isinstance(tree, tuple):
        return tuple([filled(item, leaf, basis) for item in tree])
    if isinstance(tree, Basis):
        return basis(filled(tree.value, leaf, basis), tree.modes)
    return leaf(tree) if isinstance(tree, Hole) else tree
