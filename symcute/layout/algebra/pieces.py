"""The leaves of a right operand, written in the mixed radix that the left operand's extents form.

A piece is a part of a leaf that stays in one mode of A. When the digits of all pieces never carry
from one mode of A into the next, A is additive on them: the lemma "no carry".
"""

from __future__ import annotations

from typing import NamedTuple

from symcute.errors import Undecided
from symcute.expr.expression import ceil_div, divided, is_symbolic
from symcute.expr.formula import Formula, le
from symcute.expr.htuple import HTuple, Leaf, show_leaf
from symcute.layout.algebra.coalesce import from_modes
from symcute.layout.layout import Layout, make_layout
from symcute.solve.entailment import Entailment

__all__ = ["Carries", "Piece", "Pieces", "assembled"]


class Piece(NamedTuple):
    """A part of a leaf of B: `extent` values of `digit` in mode `mode` of A."""

    extent: Leaf
    digit: Leaf
    mode: int


class Carries(Exception):
    """The lemma does not apply to this static composition."""

    def __init__(self, condition: str) -> None:
        self.condition = condition


class Pieces:
    """Splits the leaves of B and keeps the digits that fall into each mode of A."""

    def __init__(
        self, modes: tuple[tuple[Leaf, Leaf], ...], known: Entailment, a: Layout, b: Layout
    ) -> None:
        self.modes, self.known, self.a, self.b = modes, known, a, b
        self.digits: list[list[Piece]] = [[] for _ in modes]

    def where(self) -> str:
        """Return the composition as text."""
        return f"{self.a} o {self.b}"

    def split(self, s: Leaf, b: Leaf) -> tuple[Piece, ...]:
        """Return the pieces of the leaf s:b."""
        last = len(self.modes) - 1
        if b == 0:
            return (Piece(s, 0, last),)
        if last > 0 and not self.known.at_most(0, b):
            self._refuse(le(0, b), f"the stride {b} of the right operand is not negative")
        pieces: list[Piece] = []
        for j, (extent, _) in enumerate(self.modes[:-1]):
            if isinstance(s, int) and s == 1:
                b = ceil_div(b, extent)
            elif b != 1 and self.known.divides(extent, b):
                b = divided(b, extent)
            elif self._stays(s, b, extent):
                pieces.append(Piece(s, b, j))
                s, b = 1, 1
            else:
                s, b = self._fill(s, b, j, pieces)
        if s != 1 or not pieces:
            pieces.append(Piece(s, b, last))
        for piece in pieces:
            self.digits[piece.mode].append(piece)
        return tuple(pieces)

    def _stays(self, s: Leaf, b: Leaf, extent: Leaf) -> bool:
        """Return whether the digits of the leaf s:b stay below the extent."""
        if isinstance(b, int) and b == 1:
            return s == extent or self.known.at_most(s, extent)
        return self.known.at_most((s - 1) * b, extent - 1)

    def _fill(self, s: Leaf, b: Leaf, j: int, pieces: list[Piece]) -> tuple[Leaf, Leaf]:
        """Fill the rest of mode j with one piece and return the leaf that remains."""
        extent = self.modes[j][0]
        fits = le((s - 1) * b, extent - 1)
        if not self.known.divides(b, extent):
            self._refuse(fits, f"the stride {b} divides {extent} or is a multiple of it")
        width = divided(extent, b)
        if not self.known.divides(width, s):
            room = show_leaf(width) if is_symbolic(width) or b == 1 else f"{extent}/{b}"
            self._refuse(fits, f"the extent {s} is a multiple of {room}")
        pieces.append(Piece(width, b, j))
        return divided(s, width), 1

    def no_carry(self) -> None:
        """Check that the digits in each mode of A but the last sum to less than its extent."""
        for (extent, _), pieces in zip(self.modes[:-1], self.digits[:-1], strict=True):
            if len(pieces) > 1:
                total: Leaf = 0
                for p in pieces:
                    total = total + (p.extent - 1) * p.digit
                if not self.known.at_most(total, extent - 1):
                    self._refuse(
                        le(total, extent - 1),
                        f"the digits of {self.b} in the extent {extent} "
                        f"sum to less than it ({total} + 1 <= {extent})",
                    )

    def _refuse(self, enough: Formula, condition: str) -> None:
        if enough.dims():
            raise Undecided(condition, self.where(), str(enough.balanced()))
        raise Carries(condition)


def assembled(split: HTuple, modes: tuple[tuple[Leaf, Leaf], ...]) -> Layout:
    """Return the layout of pieces, in the hierarchy that they come in."""

    def build(x: HTuple) -> Layout:
        if x and isinstance(x[0], Piece):
            return from_modes(tuple((p.extent, _step(p, modes)) for p in x))
        return make_layout(*(build(y) for y in x))

    return build(split)


def _step(piece: Piece, modes: tuple[tuple[Leaf, Leaf], ...]) -> Leaf:
    # As in CuTe a stride 0 stays the number 0, also where A's strides are coordinates.
    digit = piece.digit
    return 0 if isinstance(digit, int) and digit == 0 else digit * modes[piece.mode][1]
