"""What two layouts, or two shapes, have in common; sums of layouts; the nullspace of one.

Source: cute/layout.hpp (max_common_layout, max_common_vector, domain_distribute, nullspace); CuTe
white paper (greatest common domain, addition of layouts).
"""

from __future__ import annotations

from math import gcd, lcm
from typing import Any, NamedTuple

from symcute.errors import InputError, NotAdmissible, Undecided
from symcute.expr.assumptions import Given
from symcute.expr.basis import ArithmeticTuple, ScaledBasis, canonical, number, require_integers
from symcute.expr.expression import as_leaf, divided
from symcute.expr.formula import Formula, divides, eq, le, ne, not_
from symcute.expr.htuple import HTuple, Leaf, flatten, show_leaf
from symcute.layout.algebra.coalesce import coalesce, from_modes, merged
from symcute.layout.algebra.composition import composition
from symcute.layout.algebra.inverse import right_inverse
from symcute.layout.layout import Layout
from symcute.layout.shape_stride import compact_col_major
from symcute.layout.swizzle import ComposedLayout
from symcute.solve.entailment import Entailment, facts

__all__ = [
    "domain_distribute",
    "greatest_common_domain",
    "layout_add",
    "max_common_layout",
    "max_common_vector",
    "nullspace",
]


def max_common_layout(
    a: Layout | ComposedLayout, b: Layout | ComposedLayout, *, given: Given = ()
) -> Layout:
    """Return the layout of the contiguous elements that correspond in A and B.

    It is `1:0` where A and B share no run that holds for all instances of the dims.
    Post-conditions:
        a(result(i)) == b(result(i)) == i for i in range(size(result))
        0 <= result(i) < min(size(a), size(b)) for i in range(size(result))
    Errors: NotAdmissible when the run leaves the domain of A (CuTe does not look,
    and gives a longer run than A has elements); Undecided when the dims leave that open.

    >>> print(max_common_layout(Layout.parse("(4,8):(1,4)"), Layout.parse("(4,8):(1,64)")))
    4:1
    >>> print(max_common_layout(Layout.parse("(N,M):(M,1)"), Layout.parse("(N,M):(M,1)")))
    (M,N):(N,1)
    """
    if isinstance(a, ComposedLayout) or isinstance(b, ComposedLayout):
        return _common_of_swizzled(a, b, given)
    for x in (a, b):
        if x.coordinate_strides:
            require_integers(x.stride, "max_common_layout")
    known = facts(given)
    inverse, run = _first_run(a, right_inverse(b, given=given), given)
    if not known.same(run[1], 1):
        return Layout(1, 0)
    if known.same(run[0], inverse.size()):
        result = coalesce(inverse, given=given)  # the composition with all of its domain
    else:
        result = composition(inverse, Layout(run[0], 1), given=given)
    reach, size = result.cosize(), a.size()
    if isinstance(reach, int) and isinstance(size, int) and reach > size:
        raise NotAdmissible(
            f"max_common_layout({a}, {b})",
            condition=f"the run of {result.size()} elements lies in {a}",
            witness=f"index {reach - 1}, beyond the size {size}",
            fix="give layouts of equal size",
        )
    known.require(le(reach, size), lambda: f"max_common_layout({a}, {b})")
    return result


def _common_of_swizzled(
    a: Layout | ComposedLayout, b: Layout | ComposedLayout, given: Given
) -> Layout:
    """Return the run of the layouts inside, cut where a swizzle begins to turn it around.

    The same swizzle and offset on both sides cut nothing. A swizzle moves runs of 2**base elements
    as they are when they start at a multiple of that.
    """
    known = facts(given)
    where = f"max_common_layout({a}, {b})"
    inner = [x.layout if isinstance(x, ComposedLayout) else x for x in (a, b)]
    run = max_common_layout(*inner, given=given)
    turned = [x for x in (a, b) if isinstance(x, ComposedLayout)]
    if len({(x.swizzle, x.offset) for x in turned}) < len(turned) or known.same(run.size(), 1):
        return run
    for x in turned:
        limit = 1 << x.swizzle.base
        if not known.at_most(run.size(), limit):
            known.require(le(limit, run.size()), where)
            run = composition(run, Layout(limit, 1), given=given)
        # Runs of a power of two lie in the blocks that the swizzle moves, as long as they begin at
        # a multiple of their length.
        size = run.size()
        step = size if isinstance(size, int) and not size & (size - 1) else limit
        known.require(divides(step, x.offset), where)
    return run


def _first_run(a: Layout, inverse: Layout, given: Given) -> tuple[Layout, tuple[Leaf, Leaf]]:
    """Return an inverse cut to the modes on which A after it is a layout, and that first mode."""
    modes = inverse.modes()
    for count in range(len(modes), 0, -1):
        prefix = from_modes(modes[:count])
        try:
            return prefix, coalesce(composition(a, prefix, given=given), given=given).modes()[0]
        except NotAdmissible:
            continue
    return inverse, (1, 0)


def max_common_vector(
    a: Layout | ComposedLayout, b: Layout | ComposedLayout, *, given: Given = ()
) -> Leaf:
    """Return how many contiguous elements correspond in A and B: the size of max_common_layout.

    Post-conditions:
        result >= 1
        # The element at offset i has one coordinate in both.
        any(a(c) == b(c) == i for c in range(min(size(a), size(b)))) for i in range(result)
    Errors: as max_common_layout.

    >>> max_common_vector(Layout.parse("(4,8):(1,4)"), Layout.parse("(4,8):(1,64)"))
    4
    >>> max_common_vector(Layout.parse("(8,M):(1,8)"), Layout.parse("(8,M):(1,LD)"))
    8
    """
    return max_common_layout(a, b, given=given).size()


def nullspace(layout: Layout | ComposedLayout, *, given: Given = ()) -> Layout:
    """Return the layout of the coordinates that the modes of stride 0 span.

    Of a swizzled layout it is that of its layout (CuTe does not attempt it, and gives 1:0).
    Post-conditions:
        layout(result(i)) == 0 for i in range(size(result))
        size(result) * size(filter_zeros(layout)) == size(layout)
        len(set(map(result, range(size(result))))) == size(result)
    Errors: Undecided for a symbolic stride that is 0 for some instances and not for others.

    >>> print(nullspace(Layout.parse("(4,(2,M)):(0,(1,0))")))
    (4,M):(1,8)
    >>> print(nullspace(Layout.parse("(4,2):(1,4)")))
    1:0
    """
    if isinstance(layout, ComposedLayout):
        return coalesce(nullspace(layout.layout, given=given), given=given)
    known = facts(given)
    before = flatten(compact_col_major(flatten(layout.shape)))
    found = [
        (s, step)
        for (s, d), step in zip(layout.modes(), before, strict=True)
        if _is_zero(number(d), known, layout)
    ]
    return from_modes(tuple(found))


def _is_zero(d: Leaf, known: Entailment, layout: Layout) -> bool:
    if isinstance(d, int):
        return d == 0
    if known.same(d, 0):
        return True
    known.require(ne(d, 0), lambda: f"nullspace({layout})")
    return False


def domain_distribute(a: HTuple | Layout, b: Leaf, *, given: Given = ()) -> Layout:
    """Return a layout of at most b coordinates of the shape A, taken from its first modes on.

    Each mode of A gives the greatest common divisor of its extent and of what is left of b.
    The size may be less than b.
    Post-conditions:
        b % size(result) == 0
        0 <= result(i - 1) < result(i) < size(a) for i in range(1, size(result))
        # The shape of A composed with the result, and divided by it, is admissible.
        c(i) == result(i) for c in [composition(Layout(shape(a)), result)]
            for i in range(size(result))
        size(logical_divide(Layout(shape(a)), result)) == size(a)
    Errors: InputError for b < 1; Undecided where a common divisor of symbolic extents is not known.

    >>> print(domain_distribute((15, 14), 6))
    (3,2):(1,15)
    >>> print(domain_distribute(Layout.parse("(M,N)"), 64, given=["M % 64 == 0"]))
    64:1
    """
    domain = a if isinstance(a, Layout) else Layout(a)
    rest = as_leaf(b, "the size to distribute")
    if isinstance(rest, int) and rest < 1:
        raise InputError(f"domain_distribute over {rest} coordinates", "give at least 1")
    known = facts(given)
    where = f"domain_distribute({show_shape(domain)}, {show_leaf(rest)})"
    shape = flatten(domain.shape)
    found: list[tuple[Leaf, Leaf]] = []
    for extent, step in zip(shape, flatten(compact_col_major(shape)), strict=True):
        taken = _gcd(extent, rest, known, where)
        found.append((taken, step))
        rest = divided(rest, taken)
    return from_modes(merged(found, known))


def show_shape(layout: Layout) -> str:
    """Return the shape of a layout as CuTe prints it."""
    return str(layout).split(":")[0]


class Shared(NamedTuple):
    """`extent` steps of `offset` in index space that stay in one mode of each of two shapes.

    `left` and `right` are (mode, step): the steps that these are in that mode.
    """

    extent: Leaf
    offset: Leaf
    left: tuple[int, Leaf]
    right: tuple[int, Leaf]


def greatest_common_domain(a: HTuple | Layout, b: HTuple | Layout, *, given: Given = ()) -> Layout:
    """Return the finest layout of indices on which the modes of two shapes agree.

    Mode k of a flat shape spans the indices from its prefix product p to p times its extent. The
    result has, in order, a mode (top/start):start for every two spans, one of each shape, where
    start, the least common multiple of their beginnings, properly divides top, the greatest common
    divisor of their ends. Strides play no part.
    The result is a tuple, `(1):(0)` where nothing is common.
    Post-conditions:
        size(a) % size(result) == 0 and size(b) % size(result) == 0
        coalesce(result) == coalesce(greatest_common_domain(b, a))
        # The shapes composed with the result are admissible.
        c(i) == result(i) for x in (a, b) for c in [composition(Layout(shape(x)), result)]
            for i in range(size(result))
        isinstance(shape(result), tuple)
    Errors: Undecided where the dims leave divisibility open.

    >>> print(greatest_common_domain((5, 3, 4), (10, 6)))
    (5,2):(1,30)
    >>> print(greatest_common_domain(Layout.parse("(M,N)"), Layout.parse("M*N")))
    (M,N):(1,M)
    """
    left, right = (x if isinstance(x, Layout) else Layout(x) for x in (a, b))
    known = facts(given)
    where = f"greatest_common_domain({show_shape(left)}, {show_shape(right)})"
    found = _shared(flatten(left.shape), flatten(right.shape), known, where)
    if not found:
        return Layout((1,), (0,))
    return Layout(tuple(x.extent for x in found), tuple(x.offset for x in found))


def layout_add(a: Layout, b: Layout, *, given: Given = ()) -> Layout:
    """Return the layout R with R(i) == A(i) + B(i); the two may differ in hierarchy.

    The result is coalesced.
    Pre-conditions:
        size(a) == size(b)
    Post-conditions:
        size(result) == size(a)
        result(i) == a(i) + b(i) for i in range(size(a))
        depth(result) <= 1
    Errors: NotAdmissible for different sizes, or modes that have no common refinement; Undecided
    where the dims leave that open; InputError where the sum of two strides is no stride.

    >>> print(layout_add(Layout.parse("(4,3):(1,4)"), Layout.parse("(4,3):(3,1)")))
    (4,3):(4,5)
    >>> print(layout_add(Layout.parse("(M,N):(N,1)"), Layout.parse("M*N:1")))
    (M,N):(N+1,M+1)
    """
    known = facts(given)
    where = f"layout_add({a}, {b})"
    known.require(eq(a.size(), b.size()), where)
    left, right = merged(a.modes(), known), merged(b.modes(), known)
    found = _shared([s for s, _ in left], [s for s, _ in right], known, where)
    size: Leaf = 1
    for piece in found:
        size = size * piece.extent
    if not known.same(size, a.size()):
        known.require(eq(size, a.size()), f"{where}, whose common domain has the size {size},")
    modes = []
    for piece in found:
        (i, x), (j, y) = piece.left, piece.right
        modes.append((piece.extent, _sum(x * left[i][1], y * right[j][1], where)))
    return from_modes(merged(modes, known))


def _sum(a: Any, b: Any, where: str) -> Any:
    """Return the sum of two stride leaves, which must be a stride leaf."""
    total = a + b
    if not isinstance(total, ArithmeticTuple):
        return total
    if isinstance(a, ScaledBasis) and isinstance(b, ScaledBasis) and a.modes == b.modes:
        return ScaledBasis(a.value + b.value, a.modes)
    for x, y in ((a, b), (b, a)):
        if canonical(x) == 0:
            return y
    raise InputError(
        f"{where}: the sum {show_leaf(a)} + {show_leaf(b)} names more than one mode",
        "add strides that name the same mode",
    )


def _shared(a: Any, b: Any, known: Entailment, where: str) -> list[Shared]:
    """Return what the modes of two flat shapes have in common, in order."""
    left, right = _spans(a, known), _spans(b, known)
    found: list[Shared] = []
    i = j = 0
    while i < len(left) and j < len(right):
        (k, p, p_end), (m, q, q_end) = left[i], right[j]
        start, top = _lcm(p, q, known, where), _gcd(p_end, q_end, known, where)
        if not known.same(start, top) and _decided(divides(start, top), known, where):
            extent = divided(top, start)
            found.append(Shared(extent, start, (k, divided(start, p)), (m, divided(start, q))))
        # The span that ends first has met all it can; both, when neither end divides the other.
        last_left, last_right = i == len(left) - 1, j == len(right) - 1
        if last_left or last_right:
            i, j = i + last_right, j + last_left
            continue
        if known.divides(p_end, q_end):
            i, j = i + 1, j + known.same(p_end, q_end)
        elif known.divides(q_end, p_end):
            j += 1
        else:
            for ends in (divides(p_end, q_end), divides(q_end, p_end)):
                _decided(ends, known, where)
            i, j = i + 1, j + 1
    return found


def _spans(shape: Any, known: Entailment) -> list[tuple[int, Leaf, Leaf]]:
    """Return (mode, beginning, end) of every mode whose extent is not known to be 1."""
    spans: list[tuple[int, Leaf, Leaf]] = []
    current: Leaf = 1
    for k, s in enumerate(shape):
        if not known.same(s, 1):
            spans.append((k, current, current * s))
            current = current * s
    return spans


def _gcd(a: Leaf, b: Leaf, known: Entailment, where: str) -> Leaf:
    if isinstance(a, int) and isinstance(b, int):
        return gcd(a, b)
    if known.divides(a, b):
        return a
    if known.divides(b, a):
        return b
    raise _open(a, b, where)


def _lcm(a: Leaf, b: Leaf, known: Entailment, where: str) -> Leaf:
    if isinstance(a, int) and isinstance(b, int):
        return lcm(a, b)
    if known.divides(a, b):
        return b
    if known.divides(b, a):
        return a
    raise _open(a, b, where)


def _open(a: Leaf, b: Leaf, where: str) -> Undecided:
    a, b = sorted((a, b), key=lambda x: (not isinstance(x, int), show_leaf(x)))
    return Undecided(f"{show_leaf(a)} | {show_leaf(b)}", where, str(divides(a, b)))


def _decided(formula: Formula, known: Entailment, where: str) -> bool:
    """Return whether a formula holds for all instances; raise unless it or its negation does."""
    if known.proves(formula):
        return True
    if known.proves(not_(formula)):
        return False
    raise Undecided(str(formula), where, str(formula.balanced()))
