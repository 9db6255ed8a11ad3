"""Composition: the layout of `A after B`, or a refusal.

Every leaf `s:b` of B is written in the mixed radix that A's extents form: pieces `extent:digit` in
modes of A. When the digits of all leaves together never carry from one mode of A into the next,
A is additive on them, and `A o B` has the strides `digit * stride of A`. That is the lemma
"no carry"; where it does not apply the result is checked coordinate by coordinate (static), or
refused.

Source: cute/layout.hpp, composition; NVIDIA/cutlass#3177 for results that are silently wrong there.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from operator import lt
from typing import Any, NamedTuple

from symcute.algebra.coalesce import from_modes, merged
from symcute.assumptions import Given
from symcute.basis import ScaledBasis, canonical, number
from symcute.errors import InputError, NotAdmissible, Undecided
from symcute.exprs import ceil_div, exact_div
from symcute.facts import Facts, facts
from symcute.formula import Formula, le
from symcute.htuple import HTuple, Leaf, product, show, transform, unflatten
from symcute.layout import Layout, make_layout, plain_layout

__all__ = ["composition"]

#: How many coordinates of a static result are compared where the lemma does not apply.
MAX_CHECKED = 1 << 14


class Piece(NamedTuple):
    """A part of a leaf of B: `extent` values of `digit` in mode `mode` of A."""

    extent: Leaf
    digit: Leaf
    mode: int


def composition(a: Layout, b: Layout | HTuple, *, given: Given = ()) -> Layout:
    """Return the layout C with C(i) == A(B(i)).

    `b` is a layout, an extent n (meaning n:1), or a tuple of such and `_` that applies by mode to
    the first modes of A, the other modes of A being dropped.
    A's last mode is not bounded by its extent.
    Post-conditions:
        result(i) == a(b(i)) for i in range(size(b)) if isinstance(b, Layout)
        compatible(b, result) if isinstance(b, Layout)
        coalesce(result) == coalesce(composition(a, Layout(b, 1))) if isinstance(b, int)
        coalesce(result[k]) == coalesce(composition(a[k], t)) for k, t in enumerate(b)
            if isinstance(b, tuple)
    Errors: NotAdmissible with the first coordinate where no such layout agrees; Undecided, naming
    an assumption, when the dims leave it open.

    Where the strides of B are coordinates (`2@1`), each leaf of B goes into the mode of A that it
    names; where those of A are, the result gives coordinates.

    >>> print(composition(Layout.parse("(6,2):(8,2)"), Layout.parse("(4,3):(3,1)")))
    ((2,2),3):((24,2),8)
    >>> composition(Layout.parse("(4,6,8):(2,3,5)"), Layout.parse("6:3"))
    Traceback (most recent call last):
    symcute.errors.NotAdmissible: (4,6,8):(2,3,5) o 6:3 needs that the stride 3 divides 4 ...
    >>> print(composition(Layout.parse("(M,N):(N,1)"), Layout.parse("(N,M):(1@1,1@0)")))
    (N,M):(1,N)
    """
    if b is None:
        return a
    if isinstance(b, tuple):
        if len(b) > a.rank():
            raise InputError(
                f"the tiler {_tiler(b)} has {len(b)} modes, {a} has {a.rank()}",
                "give at most one tile for each mode",
            )
        return make_layout(*(composition(a[k], t, given=given) for k, t in enumerate(b)))
    if not isinstance(b, Layout):
        b = Layout(b, 1)
    return _compose(a, b, facts(given))


def _tiler(b: HTuple) -> str:
    return f"<{','.join(str(x) if isinstance(x, Layout) else show(x) for x in b)}>"


def _compose(a: Layout, b: Layout, known: Facts) -> Layout:
    if b.coordinate_strides:
        return _by_basis(a, b, known)
    modes = _unbounded(a, known)
    if a.plain and b.plain:
        reached = [0] * len(modes)
        found = _split_ints(b.shape, b.stride, modes, reached)
        if found and all(map(lt, reached, [extent for extent, _ in modes[:-1]])):
            return plain_layout(*found)
    careful = _Pieces(modes, known, a, b)
    try:
        split = transform(careful.split, b.shape, b.stride)
        careful.no_carry()
    except _Carries as problem:
        if not (a.is_static() and b.is_static()):
            raise NotAdmissible(careful.where(), condition=problem.condition) from None
        return _compare(a, b, modes, problem.condition, careful.where())
    return _result(split, modes)


def _split_ints(
    s: HTuple, b: HTuple, modes: Sequence[tuple[Any, Any]], reached: list[int]
) -> tuple[HTuple, HTuple] | None:
    """Return (shape, stride) of A o s:b where all are ints, None where `_Pieces` would refuse.

    The largest digit in each mode of A is added to `reached`; with the check that none is beyond
    its extent this is `_Pieces` and `_result` in one pass.
    """
    if isinstance(s, tuple):
        parts = []
        for x, y in zip(s, b, strict=True):
            part = _split_ints(x, y, modes, reached)
            if part is None:
                return None
            parts.append(part)
        return tuple([p[0] for p in parts]), tuple([p[1] for p in parts])
    if b == 0:
        return s, 0
    if b < 0 and len(modes) > 1:
        return None
    shape: list[int] = []
    stride: list[int] = []
    for j in range(len(modes) - 1):
        extent, step = modes[j]
        if s == 1:
            b = -(-b // extent)
            continue
        if b % extent == 0:
            b //= extent
            continue
        if (s - 1) * b < extent:
            width = s
        elif extent % b or s % (extent // b):
            return None
        else:
            width = extent // b
        shape.append(width)
        stride.append(b * step)
        reached[j] += (width - 1) * b
        s, b = s // width, 1
    if s != 1 or not shape:
        shape.append(s)
        stride.append(b * modes[-1][1])
    return (shape[0], stride[0]) if len(shape) == 1 else (tuple(shape), tuple(stride))


def _by_basis(a: Layout, b: Layout, known: Facts) -> Layout:
    """Compose where B gives coordinates: every leaf of B goes into the mode of A that it names.

    A is additive over its modes, so the leaves of B that name one mode are composed together.
    """
    pairs = b.modes()
    result = [Layout(s, 0) for s, _ in pairs]
    named: dict[tuple[int, ...], list[int]] = {}
    for k, (_, d) in enumerate(pairs):
        if isinstance(d, ScaledBasis):
            named.setdefault(d.modes, []).append(k)
    for path, places in named.items():
        mode = a
        for m in path:
            if not isinstance(mode.shape, tuple):
                raise InputError(
                    f"{a} has no mode {path} for the stride {pairs[places[0]][1]}",
                    "the coordinates of the right operand are those of the left one",
                )
            mode = mode[m]
        leaves_there = Layout(
            tuple(pairs[k][0] for k in places), tuple(number(pairs[k][1]) for k in places)
        )
        for k, part in zip(places, _compose(mode, leaves_there, known), strict=True):
            result[k] = part
    return _gathered(unflatten(tuple(result), b.shape))


def _gathered(parts: HTuple) -> Layout:
    return make_layout(*(_gathered(x) for x in parts)) if isinstance(parts, tuple) else parts


def _unbounded(a: Layout, known: Facts) -> tuple[tuple[Leaf, Leaf], ...]:
    """Return A coalesced, its last mode kept: beyond A's size its stride goes on."""
    flat = list(a.modes())
    if len(flat) > 1 and known.same(flat[-1][0], 1):
        flat[-1] = (2, flat[-1][1])
    return merged(flat, known) or (flat[-1] if flat else (1, 0),)


class _Carries(Exception):
    """The lemma does not apply to this static composition."""

    def __init__(self, condition: str) -> None:
        self.condition = condition


class _Pieces:
    """Splits the leaves of B and keeps the digits that fall into each mode of A."""

    def __init__(
        self, modes: tuple[tuple[Leaf, Leaf], ...], known: Facts, a: Layout, b: Layout
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
            elif self.known.divides(extent, b):
                b = exact_div(b, extent)
            elif self.known.at_most((s - 1) * b, extent - 1):
                pieces.append(Piece(s, b, j))
                s, b = 1, 1
            else:
                s, b = self._fill(s, b, j, pieces)
        if s != 1 or not pieces:
            pieces.append(Piece(s, b, last))
        for piece in pieces:
            self.digits[piece.mode].append(piece)
        return tuple(pieces)

    def _fill(self, s: Leaf, b: Leaf, j: int, pieces: list[Piece]) -> tuple[Leaf, Leaf]:
        """Fill the rest of mode j with one piece and return the leaf that remains."""
        extent = self.modes[j][0]
        fits = le((s - 1) * b, extent - 1)
        if not self.known.divides(b, extent):
            self._refuse(fits, f"the stride {b} divides {extent} or is a multiple of it")
        width = exact_div(extent, b)
        if not self.known.divides(width, s):
            self._refuse(fits, f"the extent {s} is a multiple of {extent}/{b}")
        pieces.append(Piece(width, b, j))
        return exact_div(s, width), 1

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
            raise Undecided(condition, self.where(), str(enough))
        raise _Carries(condition)


def _result(split: HTuple, modes: tuple[tuple[Leaf, Leaf], ...]) -> Layout:
    def build(x: HTuple) -> Layout:
        if x and isinstance(x[0], Piece):
            return from_modes(tuple((p.extent, _step(p, modes)) for p in x))
        return make_layout(*(build(y) for y in x))

    return build(split)


def _step(piece: Piece, modes: tuple[tuple[Leaf, Leaf], ...]) -> Leaf:
    # As in CuTe a stride 0 stays the number 0, also where A's strides are coordinates.
    digit = piece.digit
    return 0 if isinstance(digit, int) and digit == 0 else digit * modes[piece.mode][1]


def _compare(
    a: Layout, b: Layout, modes: tuple[tuple[Leaf, Leaf], ...], condition: str, where: str
) -> Layout:
    """Decide a static composition outside the lemma by looking at its coordinates."""
    candidate = _result(transform(lambda s, d: _rounded(s, d, modes), b.shape, b.stride), modes)
    total = product(b.shape)
    for i in _indices(b, modes, int(total)):
        right, got = a(b(i)), candidate(i)
        if right != got and canonical(right) != canonical(got):
            raise NotAdmissible(
                where,
                condition=condition,
                witness=f"index {i}, where A(B({i})) = A({b(i)}) = {right} "
                f"but {candidate} gives {got}",
                fix="split the right operand so that its strides divide the extents",
            )
    if candidate.size() == total and int(total) <= MAX_CHECKED:
        return candidate
    raise NotAdmissible(
        where, condition=condition, fix="the extents of the right operand do not split evenly"
    )


def _indices(b: Layout, modes: tuple[tuple[Leaf, Leaf], ...], total: int) -> Iterable[int]:
    """Return the indices to compare: all, or the first and those where a digit may carry."""
    if total <= MAX_CHECKED:
        return range(total)
    found = set(range(MAX_CHECKED >> 4))
    below = 1
    for s, d in ((int(s), int(d)) for s, d in b.modes()):
        radix = 1
        for extent, _ in modes:
            radix *= int(extent)
            carry = -(-radix // abs(d)) if d else 0
            found |= {below * x for x in (carry - 1, carry, carry + 1, s - 1) if 0 <= x < s}
        below *= s
    return sorted(found)


def _rounded(s: Leaf, b: Leaf, modes: tuple[tuple[Leaf, Leaf], ...]) -> tuple[Piece, ...]:
    """Split a static leaf with every division rounded up: the layout CuTe would print."""
    last = len(modes) - 1
    pieces: list[Piece] = []
    for j, (extent, _) in enumerate(modes[:-1]):
        room, following = ceil_div(extent, max(abs(int(b)), 1)), ceil_div(abs(int(b)), extent)
        if s != 1 and room != 1:
            width = min(int(room), int(s))
            pieces.append(Piece(width, b, j))
            s = int(s) // width
        b = following if int(b) >= 0 else -following
    if s != 1 or not pieces:
        pieces.append(Piece(s, b, last))
    return tuple(pieces)
