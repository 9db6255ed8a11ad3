"""Matrices in shared memory that MMAs of a warpgroup read: what descriptors name.

A descriptor holds where a matrix begins, how far its blocks of 8 rows lie from each other, and the
swizzle: of so many bytes in a row the pieces of 16 are mixed among the 8 rows of a block, by the
bits of the address above them. Source: PTX ISA, wgmma, Matrix descriptor and Strides; the same in
cute/arch/mma_sm90_desc.hpp and cute/atom/mma_traits_sm90_gmma.hpp.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from symcute.frontends.cuda.ctype import BOOL
from symcute.frontends.cuda.values import Described
from symcute.frontends.nested import nested
from symcute.kernel.ir.expression import Base, Binary, Cast, Const, Expr, PtrAdd, Var
from symcute.kernel.ir.place import Place
from symcute.kernel.ir.program import Havoc, If, Int, Let, Load, Stmt

__all__ = ["Matrix", "matrices", "matrix", "reading"]

_LONG = Int(64, True)
#: Bytes that lie together whatever the swizzle; a matrix has two of them along K.
PIECE, DEPTH = 16, 32
#: Bytes that the address in a descriptor tells apart, and those of them that no block can have.
_ROOM, _BEYOND = 256 << 10, 28 << 10
#: Which bits of a descriptor say what.
_LEADING, _STRIDE, _BASE, _SWIZZLE = (16, 14), (32, 14), (49, 3), (62, 2)
#: Bytes in a row that a swizzle mixes, by its number.
_LINES = (16, 128, 64, 32)
_FORM = re.compile(r"m64n(\d+)k(\d+)$")


@dataclass(frozen=True)
class Matrix:
    """Pieces of 16 bytes: `extents` of them at multiples of `strides`, in bytes.

    In rows of `line` bytes each piece lies where the swizzle puts it.
    """

    line: int
    extents: tuple[int, ...]
    strides: tuple[int, ...]

    @property
    def repeats(self) -> int:
        """What an address must be moved by a multiple of for the swizzle to be the same."""
        return self.line * (8 if self.line > PIECE else 1)

    def moved(self, offset: int) -> int:
        """Return where a piece lies that lay at an offset without the swizzle.

        >>> [Matrix(64, (), ()).moved(128 + 16 * n) for n in range(4)]
        [144, 128, 176, 160]
        """
        row = offset // self.line * self.line
        return row + (offset % self.line // PIECE ^ offset // 128 % (self.line // PIECE)) * PIECE


def matrix(bits: int, rows: int, element: int, across: bool) -> Matrix | None:
    """Return the matrix of so many rows that a descriptor names.

    None where it has a base of its own, or where a part of a row that is mixed would be left over.

    `element` are the bytes of one; `across`: what lies together is along the rows, and not along K.

    >>> matrix(0x4000_0040_0001_0000, 64, 2, False)
    Matrix(line=128, extents=(2, 8, 8), strides=(16, 128, 1024))
    """
    if _field(bits, _BASE):
        return None
    leading, stride = (_field(bits, f) * PIECE for f in (_LEADING, _STRIDE))
    line = _LINES[_field(bits, _SWIZZLE)]
    plain = line == PIECE
    if not across:
        return Matrix(line, (2, 8, rows // 8), (leading if plain else PIECE, line, stride))
    wide, deep = rows * element // PIECE, DEPTH // element // 8
    if plain:
        return Matrix(line, (8, wide, deep), (PIECE, stride, leading))
    inner = min(wide, line // PIECE)
    if wide % inner:
        return None
    return Matrix(line, (inner, 8, wide // inner, deep), (PIECE, line, leading, stride))


def _field(bits: int, where: tuple[int, int]) -> int:
    return bits >> where[0] & ((1 << where[1]) - 1)


def matrices(
    parts: tuple[str, ...], given: list[Described | None], transposed: list[int]
) -> Iterator[tuple[Described, Matrix]] | None:
    """Return what an MMA reads by descriptors, or None where that is not known.

    `parts` are those of the instruction's name; `given` the descriptors of A and of B, None for A
    in registers; `transposed` are the numbers that say so of what is given, if the MMA has these.
    """
    form = next((f for p in parts if (f := _FORM.match(p))), None)
    if form is None or "sp" in parts or DEPTH % int(form[2]) or len(transposed) not in (0, 1, 2):
        return None
    rows, element = (64, int(form[1])), DEPTH // int(form[2])
    turned = [0] * (2 - len(transposed)) + transposed
    if any(t not in (0, 1) for t in turned) or (1 in turned and element != 2):
        return None
    found = [
        (g, matrix(g.bits, n, element, bool(t)))
        for g, n, t in zip(given, rows, turned, strict=True)
        if g is not None
    ]
    if any(m is None or g.aligned % m.repeats for g, m in found):
        return None
    return ((g, m) for g, m in found if m is not None)


def reading(of: Described, m: Matrix, name: Callable[[], str], place: Place) -> list[Stmt]:
    """Return that each piece of a matrix is read.

    What is added to a descriptor may be meant for other bits than those of the address, or come
    around to where shared memory begins; then it is not known what is read.
    """

    def whole(op: str, one: Expr, other: Expr | int) -> Expr:
        number = Const(other, _LONG) if isinstance(other, int) else other
        return Binary(op, one, number, _LONG, place)

    def inside(counters: list[Expr]) -> list[Stmt]:
        at: Expr = Binary("-", of.pointer, Base(of.array), _LONG, place)
        for counter, step in zip(counters, strides, strict=True):
            at = whole("+", at, whole("*", Cast(counter, _LONG, place, True), step))
        held = Var(name(), _LONG)
        at, whence = held, Let(held.name, at, place)
        # Shifts of numbers below 0 round down, so that what lies before the array goes on to.
        row = whole("*", whole(">>", at, m.line.bit_length() - 1), m.line)
        piece = whole("&", whole(">>", at, 4), m.line // PIECE - 1)
        mixed = whole("^", piece, whole("&", whole(">>", at, 7), m.line // PIECE - 1))
        to = whole("+", row, whole("*", mixed, PIECE))
        return [whence, Load(PtrAdd(Base(of.array), to, 1, place), PIECE, place, agent="store")]

    pairs = [(n, d) for n, d in zip(m.extents, m.strides, strict=True) if n > 1]
    strides = [d for _, d in pairs]
    reads = nested([n for n, _ in pairs], name, lambda c: inside([*c]), place)
    begins = Binary("-", of.pointer, Base(of.array), _LONG, place)
    least = Binary("<=", Const(-_BEYOND, _LONG), begins, BOOL, place)
    most = Binary("<", begins, Const(_ROOM, _LONG), BOOL, place)
    any = Var(name(), _LONG)
    other = (
        Havoc(
            any.name, _LONG, "what is added to a descriptor may change more than its address", place
        ),
        Load(PtrAdd(Base(of.array), any, 1, place), PIECE, place, agent="store"),
    )
    return [If(Binary("&&", least, most, BOOL, place), tuple(reads), other, place)]
