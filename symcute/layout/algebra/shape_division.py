"""Division of shapes: exact, rounded up, and whether it is even.

A layout stands for its shape. Extents are at least 1, as in a layout.

Source: cute/int_tuple.hpp (evenly_divides, shape_div, ceil_div).
"""

from __future__ import annotations

from collections.abc import Callable

from symcute.errors import InputError, NotAdmissible
from symcute.expr.assumptions import Given
from symcute.expr.expression import ceil_div as _ceil_div
from symcute.expr.expression import divided
from symcute.expr.formula import FALSE, Formula, all_of, any_of, divides, eq, le
from symcute.expr.htuple import HTuple, Leaf, product, show, wrap
from symcute.layout.algebra.shapes import decide, extents, settled, text_of
from symcute.layout.layout import Layout
from symcute.layout.shape_stride import is_plain
from symcute.solve.entailment import Entailment, facts

__all__ = ["ceil_div", "evenly_divides", "shape_div"]


def evenly_divides(shape: HTuple, tiler: HTuple, *, given: Given = ()) -> bool:
    """Return whether a tiler of extents divides a shape evenly, so that no tile is rounded up.

    A tuple tiler divides by mode; modes beyond it are not asked. A leaf n divides a leaf s when
    n | s, and a tuple when it divides its extents from the left, as `ceil_div` does: 4 divides
    (2,6), but neither (6,4) nor (6,2), though it divides their sizes.
    As in CuTe sizes decide there: 3 divides (2,3), whose layouts cannot be divided by 3.
    Post-conditions:
        size(shape) % size(tiler) == 0 if result
        size(shape) == tiler * size(ceil_div(shape, tiler)) if result and isinstance(tiler, int)
        result == (shape % tiler == 0) if isinstance(shape, int) and isinstance(tiler, int)
        evenly_divides(s, t) for s, t in zip(shape, tiler)
            if result and isinstance(shape, tuple) and isinstance(tiler, tuple)
    Errors: InputError for a tiler that is no shape; Undecided.

    >>> evenly_divides((256, 512), (128, 64)), evenly_divides((256, 100), (128, 64))
    (True, False)
    >>> evenly_divides((2, 6), 4), evenly_divides((6, 4), 4), evenly_divides(8, (2, 2))
    (True, False, False)
    >>> evenly_divides(Layout.parse("(M,N)"), (128,), given="M % 128 == 0")
    True
    """
    known = facts(given)
    if isinstance(tiler, Layout):
        raise InputError(f"the tiler {tiler} is a layout", "give a shape")
    where = f"evenly_divides({text_of(shape)},{text_of(tiler)})"
    formula = _divided(extents(shape, known, where), extents(tiler, known, where), known)
    return decide(formula, where, known)


def _divided(shape: HTuple, tiler: HTuple, known: Entailment) -> Formula:
    if isinstance(tiler, tuple):
        modes = wrap(shape)
        if len(tiler) > len(modes):
            return FALSE
        parts = [_divided(s, t, known) for s, t in zip(modes, tiler, strict=False)]
        return FALSE if FALSE in parts else all_of(*parts)
    if not isinstance(shape, tuple):
        return settled(divides(tiler, shape))
    tiles = product(_divide(shape, tiler, _rounded_up(known)))
    return settled(eq(product(shape), tiler * tiles))


def ceil_div(a: HTuple, b: HTuple, *, given: Given = ()) -> HTuple:
    """Return a shape divided by a shape, rounded up.

    Tuple by tuple: mode by mode, modes beyond `b` kept. Tuple by leaf: from the left, each extent
    dividing what the ones before left of `b`. Leaf by tuple: by the product of `b`. That is the C++
    function; the DSL's answers a tuple by a leaf with one number.
    A tuple `b` has no more modes than a tuple `a`.
    Post-conditions:
        size(result) * size(b) >= size(a)  # which C++ breaks for (3,2) by 4
        congruent(result, a)
        result == -(-a // size(b)) if isinstance(a, int)
    Errors: InputError when `b` has more modes, or for extents below 1; NotAdmissible when the tiles
    that CuTe counts do not cover the shape; Undecided when that is not known.

    >>> ceil_div((256, 100), (128, 64)), ceil_div((4, 5, 6), 40), ceil_div(100, (8, 4))
    ((2, 2), (1, 1, 3), 4)
    >>> from symcute.expr.assumptions import dims
    >>> ceil_div(dims("M N"), (128,)), ceil_div(dims("M N"), (128,), given="M % 128 == 0")
    ((ceil_div(M,128), N), (M/128, N))
    """
    known, where = facts(given), f"ceil_div({text_of(a)},{text_of(b)})"
    a, b = extents(a, known, where), extents(b, known, where)
    tiles = _divide(a, b, _rounded_up(known), padded=True)
    if isinstance(a, tuple):
        known.require(le(product(a), product(tiles) * product(b)), where)
    return tiles


def shape_div(a: HTuple, b: HTuple, *, given: Given = ()) -> HTuple:
    """Return a shape divided by a shape where extents divide each other, rounded up.

    As `ceil_div`, but tuples have equal rank, and of two extents that meet one divides the other.
    Post-conditions:
        congruent(result, a)
        size(result) * size(b) >= size(a)
        result == -(-a // size(b)) if isinstance(a, int)
    Errors: InputError for ranks that differ or extents below 1; NotAdmissible when neither extent
    divides the other; Undecided when that is not known.

    >>> shape_div((4, 5, 6), 40), shape_div((12, 3), (4, 6)), shape_div(24, (2, 3))
    ((1, 1, 3), (3, 1), 4)
    >>> from symcute.expr.assumptions import dims
    >>> M, N = dims("M N")
    >>> shape_div((M, N), 128, given="M % 128 == 0")
    (M/128, N)
    >>> shape_div(12, 8)
    Traceback (most recent call last):
    symcute.errors.NotAdmissible: shape_div(12,8) needs that 12 % 8 == 0 or 8 % 12 == 0; ...
    """
    if not given and is_plain(a, a) and is_plain(b, b):
        quotient = _quotient_of_ints(a, b)
        if quotient is not None:
            return quotient
    known = facts(given)

    def where() -> str:
        return f"shape_div({text_of(a)},{text_of(b)})"

    def leaf(x: Leaf, y: Leaf) -> Leaf:
        if type(x) is int and type(y) is int:
            if x % y == 0:
                return x // y
            if y % x == 0:
                return 1
        if known.divides(y, x):
            return divided(x, y)
        if known.divides(x, y):
            return 1
        one_divides = any_of(divides(y, x), divides(x, y))
        if not one_divides.dims():
            raise NotAdmissible(where(), condition=str(one_divides), fix="use ceil_div to round up")
        known.require(one_divides, where)
        return _rounded_up(known)(x, y)

    return _divide(extents(a, known, where), extents(b, known, where), leaf)


def _quotient_of_ints(a: HTuple, b: HTuple) -> HTuple | None:
    """Return `shape_div(a, b)` of plain shapes, None where it refuses."""
    if type(a) is int:
        if type(b) is not int:
            b = product(b)
        return a // b if a % b == 0 else 1 if b % a == 0 else None
    quotients: list[HTuple] = []
    if type(b) is int:
        for x in a:
            if type(x) is int:
                if x % b == 0:
                    quotients.append(x // b)
                    b = 1
                elif b % x == 0:
                    quotients.append(1)
                    b //= x
                else:
                    return None
                continue
            part, rest = _quotient_of_ints(x, b), _quotient_of_ints(b, product(x))
            if part is None or rest is None:
                return None
            quotients.append(part)
            b = rest
    else:
        if len(a) != len(b):
            return None
        for x, y in zip(a, b, strict=True):
            part = _quotient_of_ints(x, y)
            if part is None:
                return None
            quotients.append(part)
    return tuple(quotients)


def _rounded_up(known: Entailment) -> Callable[[Leaf, Leaf], Leaf]:
    """Return the division of extents rounded up, without the rounding where none is needed."""

    def divide(x: Leaf, y: Leaf) -> Leaf:
        if isinstance(x, int) and isinstance(y, int):
            return -(-x // y)
        if known.proves(divides(y, x), solver=False):
            return divided(x, y)
        if known.proves(le(x, y), solver=False):
            return 1
        quotient: Leaf = _ceil_div(x, y)
        return quotient

    return divide


def _divide(
    a: HTuple, b: HTuple, leaf: Callable[[Leaf, Leaf], Leaf], *, padded: bool = False
) -> HTuple:
    """Return `a` divided by `b`, with `leaf` for two extents; `padded` lets `b` be shorter."""
    if isinstance(a, tuple) and isinstance(b, tuple):
        if len(b) > len(a) or (len(b) < len(a) and not padded):
            raise InputError(
                f"the ranks of {show(a)} and {show(b)} differ", "give a divisor for each mode"
            )
        divisors = (*b, *[1] * (len(a) - len(b)))
        return tuple(_divide(x, y, leaf, padded=padded) for x, y in zip(a, divisors, strict=True))
    if isinstance(b, tuple):
        return _divide(a, product(b), leaf, padded=padded)
    if not isinstance(a, tuple):
        return leaf(a, b)
    result = []
    for x in a:
        if isinstance(x, tuple):
            result.append(_divide(x, b, leaf, padded=padded))
            b = leaf(b, product(x))
        else:
            result.append(leaf(x, b))
            b = leaf(b, x)
    return tuple(result)
