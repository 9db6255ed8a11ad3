"""A block tiled up to a shape, and layouts of elements read as layouts of wider or narrower ones.

Source: cute/layout.hpp (tile_to_shape, upcast, downcast, recast_layout).
"""

from __future__ import annotations

from math import gcd
from typing import NamedTuple

from symcute.errors import InputError, NotAdmissible
from symcute.expr.assumptions import Given
from symcute.expr.basis import require_integers
from symcute.expr.expression import as_leaf, ceil_div, divided
from symcute.expr.formula import divides, le
from symcute.expr.htuple import HTuple, Leaf, product, show, unflatten, wrap
from symcute.layout.algebra.build import make_ordered_layout
from symcute.layout.algebra.product import blocked_product
from symcute.layout.algebra.swizzled import reached_bits
from symcute.layout.layout import Layout, make_layout, plain_layout
from symcute.layout.swizzle import ComposedLayout, LayoutT, MapT, Swizzle
from symcute.solve.entailment import Entailment, Where, facts

__all__ = ["downcast", "recast", "tile_to_shape", "upcast"]


def tile_to_shape(
    block: LayoutT, trg_shape: HTuple, ord_shape: HTuple = None, *, given: Given = ()
) -> LayoutT:
    """Return the block repeated until the result has the target shape.

    `ord_shape` orders the repetitions of the modes as in make_ordered_layout; without it they
    repeat along the first mode first.
    Mode k is (block mode k, repetitions).
    Pre-conditions:
        rank(block) <= rank(trg_shape)
    Post-conditions:
        size(result, k) == size(trg_shape, k) for k in range(rank(trg_shape))
        coalesce(result[k][0]) == coalesce(block[k]) for k in range(rank(block))
        # No two copies of the block meet.
        len(set(map(result, range(size(result))))) * size(block)
            == len(set(map(block, range(size(block))))) * size(result)
    Errors: InputError for a block of more modes; NotAdmissible when an extent of the block does not
    divide the target's, Undecided when the dims leave that open; as blocked_product.

    >>> print(tile_to_shape(Layout.parse("(8,64):(64,1)"), (128, 128)))
    ((8,16),(64,2)):((64,512),(1,8192))
    >>> print(tile_to_shape(Layout.parse("(8,64):(64,1)"), Layout.parse("(M,N)").shape, (1, 0),
    ...                     given=["M % 8 == 0", "N % 64 == 0"]))
    ((8,M/8),(64,N/64)):((64,8*N),(1,512))
    """
    if isinstance(block, ComposedLayout):
        return block.map(tile_to_shape, trg_shape, ord_shape, given=given)
    target = Layout(trg_shape).shape
    extents = [product(s) for s in wrap(target)]
    rank = len(extents)
    if block.rank() > rank:
        raise InputError(
            f"the block {block} has {block.rank()} modes, the target shape {show(target)} {rank}",
            "give a target extent for every mode of the block",
        )
    known = facts(given)
    where = f"tile_to_shape({block}, {show(target)})"
    padded = make_layout(*block, *[Layout(1, 0)] * (rank - block.rank()))
    repetitions = []
    for mode, extent in zip(padded, extents, strict=True):
        known.require(divides(mode.size(), extent), where)
        repetitions.append(divided(extent, mode.size()))
    shape = tuple(repetitions)
    tiler = Layout(shape) if ord_shape is None else make_ordered_layout(shape, ord_shape)
    return blocked_product(padded if rank > 1 else block, tiler, given=given)


class _Cast(NamedTuple):
    """A leaf of a layout in words: its extent and stride there, and what it adds inside a word."""

    extent: Leaf
    stride: Leaf
    inside: Leaf


def upcast(layout: MapT, n: int, *, given: Given = ()) -> MapT:
    """Return the layout of the words of n elements that hold the elements of the layout.

    A leaf of a stride that n divides keeps its extent; of a stride d that divides n, n/d
    neighbours fall into one word. Of a swizzle: that of the words.
    At natural coordinates, result(..., c // w, ...) == L(..., c, ...) // n, where w is n/d for a
    stride d that divides n, else 1.
    Post-conditions:
        congruent(result, layout)
        # The words of the result are those that hold an element.
        set(map(result, range(size(result)))) == {layout(i) // n for i in range(size(layout))}
    Errors: NotAdmissible for a stride that n does not divide and that is no positive divisor of n,
    and when leaves reach into the next word together (CuTe gives a layout that misses words);
    Undecided when the dims leave it open; InputError for n < 1 or coordinate strides.

    >>> print(upcast(Layout.parse("(8,(4,2)):(4,(1,32))"), 4))
    (8,(1,2)):(1,(1,8))
    >>> print(upcast(Layout.parse("(64,M):(1,LD)"), 8, given=["LD % 8 == 0"]))
    (8,M):(1,LD/8)
    """
    if isinstance(layout, ComposedLayout):
        return _swizzled_words(layout, n, given)
    if isinstance(layout, Swizzle):
        return _word_swizzle(layout, n, f"upcast({layout}, {n})")
    _check_factor(n, "upcast", layout)
    known = facts(given)

    def where() -> str:
        return f"upcast({layout}, {n})"

    cast = [_upcast(s, d, n, known, where) for s, d in layout.modes()]
    partial = [x.inside for x in cast if not (isinstance(x.inside, int) and x.inside == 0)]
    if len(partial) > 1:
        total: Leaf = 0
        for x in partial:
            total = total + x
        # At the largest coordinates that each leaf has in word 0 the sum must still be in word 0.
        if isinstance(total, int) and total >= n:
            raise NotAdmissible(
                where(),
                condition=f"leaves that stay in a word of {n} stay there together",
                witness=f"offset {total}, which the sum of such leaves reaches",
                fix="the layout overlaps itself inside a word",
            )
        known.require(le(total, n - 1), where)
    make = plain_layout if layout.plain else Layout
    return make(
        unflatten(tuple([x.extent for x in cast]), layout.shape),
        unflatten(tuple([x.stride for x in cast]), layout.shape),
    )


def _swizzled_words(c: ComposedLayout, n: int, given: Given) -> ComposedLayout:
    """Return a swizzled layout in words of n elements, a power of two."""
    where = f"upcast({c}, {n})"
    _log2(n, "upcast", c)
    facts(given).require(divides(n, c.offset), where)
    offset = c.offset // n if isinstance(c.offset, int) else divided(c.offset, n)
    reached = reached_bits(c.layout) if c.swizzle.shift < 0 else -1
    swizzle = _word_swizzle(c.swizzle, n, where, reached)
    return ComposedLayout(swizzle, offset, upcast(c.layout, n, given=given))


def _word_swizzle(swizzle: Swizzle, n: int, where: str, reached: int = -1) -> Swizzle:
    """Return the swizzle of the words of n elements, with result(x // n) == swizzle(x) // n.

    Of the field that changes and the one it is changed by, the bits inside a word are dropped. The
    word is known without them unless one of them, if it is reached, changes a bit above: upwards.
    """
    inside = _log2(n, "upcast", swizzle)
    base, bits = swizzle.base - inside, swizzle.bits
    upwards = swizzle.source & reached & n - 1 & ~(n - 1 >> max(0, -swizzle.shift))
    if swizzle.shift < 0 and upwards:
        raise NotAdmissible(
            where,
            condition="no bit inside a word changes one above",
            witness=f"bit {(upwards & -upwards).bit_length() - 1}",
            fix="the swizzle turns elements of one word into different words",
        )
    if base >= 0:
        return Swizzle(bits, base, swizzle.shift)
    return Swizzle(max(bits + base, 0), 0, swizzle.shift)


def _swizzled_elements(c: ComposedLayout, n: int, given: Given) -> ComposedLayout:
    """Return a swizzled layout of words in their elements, n a word, a power of two."""
    elements = _element_swizzle(c.swizzle, _log2(n, "downcast", c))
    return ComposedLayout(elements, c.offset * n, downcast(c.layout, n, given=given))


def _element_swizzle(words: Swizzle, inside: int) -> Swizzle:
    """Return the swizzle of the elements of words, which moves whole words."""
    return Swizzle(words.bits, words.base + inside, words.shift)


def _log2(n: int, operation: str, c: Swizzle | ComposedLayout) -> int:
    """Return the binary logarithm of a factor. Errors: NotAdmissible for no power of two."""
    _check_factor(n, operation, c)
    if n & (n - 1):
        raise NotAdmissible(
            f"{operation}({c}, {n})",
            condition="the factor of a swizzled layout is a power of two",
            witness=str(n),
        )
    return n.bit_length() - 1


def _upcast(s: Leaf, d: Leaf, n: int, known: Entailment, where: Where) -> _Cast:
    if type(d) is int and d % n == 0:
        return _Cast(s, d // n, 0)
    if known.divides(n, d):
        return _Cast(s, divided(d, n), 0)
    if known.same(s, 1) and isinstance(d, int):
        return _Cast(1, ceil_div(d, n) if d > 0 else -int(ceil_div(-d, n)), 0)
    if not isinstance(d, int) or d < 1 or n % d:
        known.require(divides(n, d), where)
    width = divided(n, d)
    if known.divides(width, s):
        return _Cast(divided(s, width), 1, n - int(d))
    if known.at_most(s, width):
        return _Cast(1, 1, (s - 1) * d)
    return _Cast(ceil_div(s, width), 1, n - int(d))


def downcast(layout: MapT, n: int, *, given: Given = ()) -> MapT:
    """Return the layout of the elements of the words of the layout, n elements a word.

    The leaf of stride 1 is made n times longer, all other strides n times larger.
    Exactly one leaf is to have stride 1, unless n is 1. At natural coordinates, result(..., n*c +
    r, ...) == n*L(..., c, ...) + r for 0 <= r < n, where c is the coordinate of that leaf.
    Post-conditions:
        congruent(result, layout)
        size(result) == n * size(layout)
        set(map(result, range(size(result))))
            == {n * layout(i) + r for i in range(size(layout)) for r in range(n)}
    Errors: NotAdmissible when no leaf has stride 1 (the elements of a word would not be adjacent),
    or another has stride 1 or -1 (CuTe gives a layout that misses elements); InputError for n < 1
    or coordinate strides.

    >>> print(downcast(Layout.parse("(8,4):(4,1)"), 2))
    (8,8):(8,1)
    >>> print(downcast(Layout.parse("(M,N):(N,1)"), 4))
    (M,4*N):(4*N,1)
    """
    if isinstance(layout, ComposedLayout):
        return _swizzled_elements(layout, n, given)
    if isinstance(layout, Swizzle):
        return _element_swizzle(layout, _log2(n, "downcast", layout))
    _check_factor(n, "downcast", layout)
    if n == 1:
        return layout
    known = facts(given)
    modes = layout.modes()
    adjacent = [k for k, (_, d) in enumerate(modes) if known.same(d, 1)]
    reverse = [d for _, d in modes if isinstance(d, int) and d == -1]
    if len(adjacent) != 1 or reverse:
        raise NotAdmissible(
            f"downcast({layout}, {n})",
            condition="exactly one leaf has stride 1, and none -1",
            witness=f"{len(adjacent)} leaves of stride 1, {len(reverse)} of stride -1",
            fix="the elements of a word must be neighbours in one leaf",
        )
    extents = tuple(s * n if k in adjacent else s for k, (s, _) in enumerate(modes))
    strides = tuple(d if k in adjacent else d * n for k, (_, d) in enumerate(modes))
    make = plain_layout if layout.plain else Layout
    return make(unflatten(extents, layout.shape), unflatten(strides, layout.shape))


def recast(layout: MapT, old_bits: int, new_bits: int, *, given: Given = ()) -> MapT:
    """Return the layout of elements of `old_bits` bits as a layout of elements of `new_bits` bits.

    The ratio new/old in lowest terms is p/q: upcast by p, then downcast by q.
    Post-conditions:
        congruent(result, layout)
        # The first bit of every element lies in an element of the result.
        {layout(i) * old_bits // new_bits for i in range(size(layout))}
            <= set(map(result, range(size(result))))
    Errors: as upcast and downcast; InputError for sizes below 1.

    >>> print(recast(Layout.parse("(8,16):(16,1)"), 8, 32), recast(Layout.parse("M:1"), 32, 8))
    (8,4):(4,1) 4*M:1
    """
    for bits in (old_bits, new_bits):
        if type(bits) is not int or bits < 1:
            raise InputError(f"elements of {bits} bits", "give sizes of at least 1 bit")
    common = gcd(old_bits, new_bits)
    wider, narrower = new_bits // common, old_bits // common
    if wider > 1:
        layout = upcast(layout, wider, given=given)
    return downcast(layout, narrower, given=given) if narrower > 1 else layout


def _check_factor(n: int, operation: str, layout: Layout | ComposedLayout | Swizzle) -> None:
    if isinstance(layout, Layout) and layout.coordinate_strides:
        require_integers(layout.stride, operation)
    if not isinstance(as_leaf(n, f"the factor of {operation}"), int) or n < 1:
        raise InputError(f"{operation}({layout}, {n}) by a factor of {n}", "give an int >= 1")
