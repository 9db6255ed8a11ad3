"""Relations between shapes, and their division.

The relations answer with a bool. For static shapes that is arithmetic; for symbolic ones it is
True or False for every instance of the dims that meets the assumptions, or Undecided is raised,
naming what would have to be assumed. `symcute.claims` states them as claims instead.

A layout stands for its shape. Extents are at least 1, as in a layout.

Source: cute/int_tuple.hpp (congruent, compatible, weakly_congruent, evenly_divides, shape_div,
ceil_div); weakly_compatible is that of CUTLASS 3.5, which later versions left out.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from symcute import htuple
from symcute.assumptions import Given
from symcute.errors import InputError, NotAdmissible, Undecided
from symcute.exprs import as_leaf, exact_div, is_symbolic
from symcute.exprs import ceil_div as _ceil_div
from symcute.facts import Facts, Where, facts
from symcute.formula import FALSE, TRUE, Formula, all_of, any_of, divides, eq, le, not_
from symcute.htuple import HTuple, Leaf, leaves, product, show, wrap
from symcute.layout import Layout, is_plain

__all__ = [
    "ceil_div",
    "compatible",
    "congruent",
    "evenly_divides",
    "shape_div",
    "weakly_compatible",
    "weakly_congruent",
]


def _shape(x: Any) -> HTuple:
    """Return the htuple of a shape or layout, lists made tuples; leaves are not looked at."""
    if isinstance(x, Layout):
        return x.shape
    return tuple(_shape(y) for y in x) if isinstance(x, (tuple, list)) else x


def _extents(x: Any, known: Facts, where: Where) -> HTuple:
    """Return the shape of `x` with every extent an int or expression of at least 1."""
    if is_plain(x, x):
        return x
    where = where if isinstance(where, str) else where()
    shape = htuple.transform(lambda s: as_leaf(s, where), _shape(x))
    for s in leaves(shape):
        if is_symbolic(s):
            known.require(le(1, s), f"{where}, where {s} is an extent")
        elif s < 1:
            raise InputError(f"extent {s} in {where}", "extents are at least 1")
    return shape


def decide(formula: Formula, where: str, known: Facts) -> bool:
    """Return whether a formula is true for all instances, or for none.

    Errors: Undecided otherwise, naming the formula as the assumption to make.
    """
    if not formula.dims():
        return formula.holds({})
    if known.proves(formula):
        return True
    if known.proves(not_(formula)):
        return False
    witness = known.counterexample(formula)
    shown = ", ".join(f"{k}={v}" for k, v in sorted((witness or {}).items()))
    raise Undecided(str(formula), where, str(formula), f"it fails at {shown}" if shown else "")


def congruent(a: HTuple, b: HTuple) -> bool:
    """Return whether two shapes (or layouts, strides, coordinates) have the same hierarchy.

    Post-conditions:
        result == (weakly_congruent(a, b) and weakly_congruent(b, a))
        depth(a) == depth(b) and rank(a) == rank(b) or not result

    >>> congruent((4, (2, 2)), (1, (4, 8))), congruent((4, 4), (4, (2, 2)))
    (True, False)
    >>> congruent(Layout.parse("(M,(N,4))"), (1, (2, 3)))
    True
    """
    if type(a) is not tuple or type(b) is not tuple:
        a, b = _nest(a), _nest(b)
        if not isinstance(a, tuple) or not isinstance(b, tuple):
            return not isinstance(a, tuple) and not isinstance(b, tuple)
    if len(a) != len(b):
        return False
    for x, y in zip(a, b, strict=True):
        if not (type(x) is int and type(y) is int) and not congruent(x, y):
            return False
    return True


def _nest(x: Any) -> Any:
    """Return the shape that a layout stands for, or a list as a tuple."""
    if isinstance(x, Layout):
        return x.shape
    return tuple(x) if isinstance(x, list) else x


def weakly_congruent(a: HTuple, b: HTuple) -> bool:
    """Return whether `b` has the hierarchy of `a`, or refines it: a leaf of `a` takes anything.

    It is a partial order on hierarchies.
    Post-conditions:
        result or not congruent(a, b)
        depth(a) <= depth(b) or not result
        result or depth(a) > 0

    >>> weakly_congruent(8, (4, 2)), weakly_congruent((8, 3), ((4, 2), 3))
    (True, True)
    >>> weakly_congruent((4, 2), 8), weakly_congruent((1, 2), Layout.parse("(M,N,K)"))
    (False, False)
    """
    if type(a) is not tuple or type(b) is not tuple:
        a, b = _nest(a), _nest(b)
        if not isinstance(a, tuple) or not isinstance(b, tuple):
            return not isinstance(a, tuple)
    if len(a) != len(b):
        return False
    for x, y in zip(a, b, strict=True):
        if type(x) is not int and not weakly_congruent(x, y):
            return False
    return True


def _refines(a: HTuple, b: HTuple, at_leaf: Callable[[Leaf, HTuple], Formula]) -> Formula:
    """Return what makes `b` a refinement of `a`, asked at each leaf of `a`; FALSE is absorbing."""
    if not isinstance(a, tuple):
        return at_leaf(a, b)
    if not isinstance(b, tuple) or len(a) != len(b):
        return FALSE
    parts = [_refines(x, y, at_leaf) for x, y in zip(a, b, strict=True)]
    return FALSE if FALSE in parts else all_of(*parts)


def _settled(formula: Formula) -> Formula:
    """Return a relation between two leaves as TRUE or FALSE when both are ints."""
    if formula.dims():
        return formula
    return TRUE if formula.holds({}) else FALSE


def compatible(a: HTuple, b: HTuple, *, given: Given = ()) -> bool:
    """Return whether `a` is compatible with `b`: every coordinate into `a` is one into `b`.

    That is: equal sizes at each leaf of `a`. It is a partial order on shapes.
    Post-conditions:
        result == (size(a) == size(b)) if depth(a) == 0
        size(a) == size(b) and weakly_congruent(a, b) or not result
        # A coordinate into a is one into b: both have the index that it has in a.
        crd2idx(idx2crd(i, shape(a)), shape(b)) == i for i in range(size(a)) if result
    Errors: Undecided for symbolic shapes that are compatible for some instances only.

    >>> compatible(24, (4, 6)), compatible((4, 6), 24), compatible((4, 6), ((2, 2), 6))
    (True, False, True)
    >>> compatible(Layout.parse("(M,N)"), Layout.parse("((128,M/128),N)"), given="M % 128 == 0")
    True
    >>> compatible(24, Layout.parse("(M,4)"))
    Traceback (most recent call last):
    symcute.errors.Undecided: cannot decide 24 == 4*M in compatible(24,(M,4)) ...
    """
    return _relation("compatible", a, b, lambda x, y: eq(x, product(y)), given)


def weakly_compatible(a: HTuple, b: HTuple, *, given: Given = ()) -> bool:
    """Return whether `a`, its extents multiplied by some integers, is compatible with `b`.

    That is: at each leaf of `a` the size of `b` is a multiple of it. It is a partial order on
    shapes.
    Post-conditions:
        result == (size(b) % size(a) == 0) if depth(a) == 0
        size(b) % size(a) == 0 and weakly_congruent(a, b) or not result
        result or not compatible(a, b)
    Errors: Undecided for symbolic shapes for which it is true for some instances only.

    >>> weakly_compatible(4, (2, 6)), weakly_compatible((4, 3), ((2, 4), 3))
    (True, True)
    >>> weakly_compatible(Layout.parse("(M,4)"), Layout.parse("(M*N,(2,6))"))
    True
    """
    return _relation("weakly_compatible", a, b, lambda x, y: divides(x, product(y)), given)


def _relation(
    name: str, a: Any, b: Any, at_leaf: Callable[[Leaf, HTuple], Formula], given: Given
) -> bool:
    known = facts(given)
    x, y = _nest(a), _nest(b)
    if is_plain(x, x) and is_plain(y, y):
        return _refines_ints(x, y, name == "compatible")
    where = f"{name}({_text(a)},{_text(b)})"
    left, right = _extents(a, known, where), _extents(b, known, where)
    formula = _refines(left, right, lambda x, y: _settled(at_leaf(x, y)))
    return decide(formula, where, known)


def _refines_ints(a: HTuple, b: HTuple, equal: bool) -> bool:
    """Return whether the size of `b` is, at each leaf of `a`, that leaf (or a multiple of it)."""
    if type(a) is int:
        size = b if type(b) is int else product(b)
        return bool(size == a if equal else size % a == 0)
    if not isinstance(b, tuple) or len(a) != len(b):
        return False
    for x, y in zip(a, b, strict=True):  # noqa: SIM110 - `all` takes twice the time
        if not _refines_ints(x, y, equal):
            return False
    return True


def _text(x: Any) -> str:
    shape = _shape(x)
    return show(shape)


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
    where = f"evenly_divides({_text(shape)},{_text(tiler)})"
    formula = _divided(_extents(shape, known, where), _extents(tiler, known, where), known)
    return decide(formula, where, known)


def _divided(shape: HTuple, tiler: HTuple, known: Facts) -> Formula:
    if isinstance(tiler, tuple):
        modes = wrap(shape)
        if len(tiler) > len(modes):
            return FALSE
        parts = [_divided(s, t, known) for s, t in zip(modes, tiler, strict=False)]
        return FALSE if FALSE in parts else all_of(*parts)
    if not isinstance(shape, tuple):
        return _settled(divides(tiler, shape))
    tiles = product(_divide(shape, tiler, _rounded_up(known)))
    return _settled(eq(product(shape), tiler * tiles))


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
    >>> from symcute.assumptions import dims
    >>> ceil_div(dims("M N"), (128,)), ceil_div(dims("M N"), (128,), given="M % 128 == 0")
    ((ceil_div(M,128), N), (M/128, N))
    """
    known, where = facts(given), f"ceil_div({_text(a)},{_text(b)})"
    a, b = _extents(a, known, where), _extents(b, known, where)
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
    >>> from symcute.assumptions import dims
    >>> M, N = dims("M N")
    >>> shape_div((M, N), 128, given="M % 128 == 0")
    (M/128, N)
    >>> shape_div(12, 8)
    Traceback (most recent call last):
    symcute.errors.NotAdmissible: shape_div(12,8) needs that 12 % 8 == 0 or 8 % 12 == 0; ...
    """
    known = facts(given)

    def where() -> str:
        return f"shape_div({_text(a)},{_text(b)})"

    def leaf(x: Leaf, y: Leaf) -> Leaf:
        if type(x) is int and type(y) is int:
            if x % y == 0:
                return x // y
            if y % x == 0:
                return 1
        if known.divides(y, x):
            return exact_div(x, y)
        if known.divides(x, y):
            return 1
        one_divides = any_of(divides(y, x), divides(x, y))
        if not one_divides.dims():
            raise NotAdmissible(where(), condition=str(one_divides), fix="use ceil_div to round up")
        known.require(one_divides, where)
        return _rounded_up(known)(x, y)

    return _divide(_extents(a, known, where), _extents(b, known, where), leaf)


def _rounded_up(known: Facts) -> Callable[[Leaf, Leaf], Leaf]:
    """Return the division of extents rounded up, without the rounding where none is needed."""

    def divide(x: Leaf, y: Leaf) -> Leaf:
        if isinstance(x, int) and isinstance(y, int):
            return -(-x // y)
        if known.proves(divides(y, x), solver=False):
            return exact_div(x, y)
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
