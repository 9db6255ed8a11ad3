"""Static compositions that the lemma "no carry" does not cover: decided by their coordinates."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from symcute.errors import NotAdmissible
from symcute.expr.basis import canonical
from symcute.expr.expression import ceil_div
from symcute.expr.htuple import HTuple, Leaf, flatten, product, transform
from symcute.layout.algebra.coalesce import from_modes
from symcute.layout.algebra.pieces import Piece, assembled
from symcute.layout.layout import Layout, make_layout

__all__ = ["compare"]

#: How many coordinates of a static result are compared where the lemma does not apply.
MAX_CHECKED = 1 << 14


def compare(
    a: Layout, b: Layout, modes: tuple[tuple[Leaf, Leaf], ...], condition: str, where: str
) -> Layout:
    """Return the layout of a static composition outside the lemma, or refuse it with a witness.

    It is the layout that CuTe would print if that agrees at every coordinate; else the one that the
    values of each leaf of B suggest, if it does.
    """
    candidate = assembled(transform(lambda s, d: _rounded(s, d, modes), b.shape, b.stride), modes)
    total = int(product(b.shape))
    fix = "the extents of the right operand do not split evenly"
    witness = ""
    for i in _indices(b, modes, total):
        right, got = a(b(i)), candidate(i)
        if right != got and canonical(right) != canonical(got):
            witness = (
                f"index {i}, where A(B({i})) = A({b(i)}) = {right} but {candidate} gives {got}"
            )
            fix = "split the right operand so that its strides divide the extents"
            break
    if total <= MAX_CHECKED:
        if not witness and candidate.size() == total:
            return candidate
        found = _by_columns(a, b)
        if found is not None and all(found(i) == a(b(i)) for i in range(total)):
            return found
    raise NotAdmissible(where, condition=condition, witness=witness, fix=fix)


def _by_columns(a: Layout, b: Layout) -> Layout | None:
    """Return the only layout of B's hierarchy that may be A o B, where every leaf of B gives one.

    A layout is additive over its modes, so each leaf s:d of B must be a layout of the values
    A(0), A(d), ... by itself; that they add up remains to be seen. An index below 0 is none of A's.
    """
    if a.coordinate_strides or any(d < 0 and s > 1 for s, d in b.modes()):
        return None

    def leaf(s: int, d: int) -> Layout | None:
        found = _layout_of([a(i * d) for i in range(s)])
        return None if found is None else from_modes(found, plain=True)

    columns = transform(leaf, b.shape, b.stride)
    return None if None in flatten(columns) else _gathered(columns)


def _layout_of(values: Sequence[int]) -> tuple[tuple[int, int], ...] | None:
    """Return the coalesced modes whose offsets are these values, the first of which is 0; or None.

    The first mode is as long as the values grow by one step: no shorter one is coalesced.
    """
    total = len(values)
    if total == 1:
        return ()
    step, run = values[1], 2
    while run < total and values[run] == run * step:
        run += 1
    if total % run:
        return None
    starts = values[::run]
    if any(values[i] != starts[i // run] + i % run * step for i in range(total)):
        return None
    rest = _layout_of(starts)
    return None if rest is None else ((run, step), *rest)


def _gathered(parts: HTuple) -> Layout:
    return make_layout(*map(_gathered, parts)) if isinstance(parts, tuple) else parts


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
