"""Composition: the layout of `A after B`, or a refusal.

Every leaf `s:b` of B is written in the mixed radix that A's extents form: pieces `extent:digit` in
modes of A. When the digits of all leaves together never carry from one mode of A into the next,
A is additive on them, and `A o B` has the strides `digit * stride of A`. That is the lemma
"no carry" (`pieces.py`); where it does not apply the result is found and checked coordinate by
coordinate (static, `exhaustive.py`), or refused.

Source: cute/layout.hpp, composition; NVIDIA/cutlass#3177 for results that are silently wrong there.
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import lt
from typing import Any, overload

from symcute.errors import InputError, NotAdmissible
from symcute.expr.assumptions import Given
from symcute.expr.basis import ScaledBasis, number, require_integers
from symcute.expr.htuple import HTuple, Leaf, show, show_leaf, transform, unflatten
from symcute.layout.algebra.coalesce import merged
from symcute.layout.algebra.exhaustive import compare
from symcute.layout.algebra.pieces import Carries, Pieces, assembled
from symcute.layout.algebra.swizzled import merged_swizzles, turned, unswizzled
from symcute.layout.layout import Layout, make_layout, plain_layout
from symcute.layout.swizzle import ComposedLayout, LayoutT, Swizzle
from symcute.solve.entailment import Entailment, facts

__all__ = ["composition"]


@overload
def composition(a: Swizzle, b: Swizzle, *, given: Given = ()) -> Swizzle: ...
@overload
def composition(a: Swizzle, b: Layout, *, given: Given = ()) -> ComposedLayout: ...
@overload
def composition(
    a: Layout | ComposedLayout, b: Swizzle | ComposedLayout, *, given: Given = ()
) -> ComposedLayout: ...
@overload
def composition(a: LayoutT, b: HTuple, *, given: Given = ()) -> LayoutT: ...
def composition(a: Any, b: Any, *, given: Given = ()) -> Any:
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

    A swizzle may stand on either side, a swizzled layout at offset 0 on the right: the result is
    one swizzle before the layouts, where one does what both do, or it is refused.

    >>> print(composition(Layout.parse("(6,2):(8,2)"), Layout.parse("(4,3):(3,1)")))
    ((2,2),3):((24,2),8)
    >>> composition(Layout.parse("(4,6,8):(2,3,5)"), Layout.parse("6:3"))
    Traceback (most recent call last):
    symcute.errors.NotAdmissible: (4,6,8):(2,3,5) o 6:3 needs that the stride 3 divides 4 ...
    >>> print(composition(Layout.parse("(M,N):(N,1)"), Layout.parse("(N,M):(1@1,1@0)")))
    (N,M):(1,N)
    >>> print(composition(Layout.parse("(8,8):(8,1)"), Swizzle(3, 0, 3)))
    Sw<3,0,-3> o 0 o (8,8):(8,1)
    """
    if isinstance(a, Layout) and isinstance(b, Layout):
        return _compose(a, b, facts(given))
    if isinstance(a, Swizzle):
        if isinstance(b, (Swizzle, Layout)):
            return merged_swizzles(a, b) if isinstance(b, Swizzle) else ComposedLayout(a, 0, b)
        raise InputError(f"{a} o {b}", "a swizzle comes after a swizzle or a layout")
    if isinstance(b, (Swizzle, ComposedLayout)):
        return _swizzled(a, b, given)
    if isinstance(a, ComposedLayout):
        return a.map(composition, b, given=given)
    if not isinstance(a, Layout):
        raise InputError(f"composition takes a layout, not {a!r}", "write composition(A, B)")
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


def _swizzled(a: Layout | ComposedLayout, b: Swizzle | ComposedLayout, given: Given) -> Any:
    """Return A after a swizzle, or after a swizzled layout."""
    where = f"composition({a}, {b})"
    if isinstance(a, ComposedLayout):
        inner = _swizzled(a.layout, b, given)
        if not (isinstance(a.offset, int) and a.offset == 0):
            raise NotAdmissible(
                where, condition="the left offset is 0", witness=show_leaf(a.offset)
            )
        return ComposedLayout(merged_swizzles(a.swizzle, inner.swizzle), 0, inner.layout)
    if a.coordinate_strides:
        require_integers(a.stride, "composition with a swizzle")
    if isinstance(b, Swizzle):
        return unswizzled(a, b, where, facts(given), inside=False)
    if not (isinstance(b.offset, int) and b.offset == 0):
        raise NotAdmissible(where, condition="the offset is 0", witness=show_leaf(b.offset))
    return turned(a, b, composition(a, b.layout, given=given), where, facts(given))


def _tiler(b: HTuple) -> str:
    return f"<{','.join(str(x) if isinstance(x, Layout) else show(x) for x in b)}>"


def _compose(a: Layout, b: Layout, known: Entailment) -> Layout:
    if b.coordinate_strides:
        return _by_basis(a, b, known)
    modes = _unbounded(a, known)
    if a.plain and b.plain:
        reached = [0] * len(modes)
        found = _split_ints(b.shape, b.stride, modes, reached)
        if found and all(map(lt, reached, [extent for extent, _ in modes[:-1]])):
            return plain_layout(*found)
    careful = Pieces(modes, known, a, b)
    try:
        split = transform(careful.split, b.shape, b.stride)
        careful.no_carry()
    except Carries as problem:
        if not (a.is_static() and b.is_static()):
            raise NotAdmissible(careful.where(), condition=problem.condition) from None
        return compare(a, b, modes, problem.condition, careful.where())
    return assembled(split, modes)


def _split_ints(
    s: HTuple, b: HTuple, modes: Sequence[tuple[Any, Any]], reached: list[int]
) -> tuple[HTuple, HTuple] | None:
    """Return (shape, stride) of A o s:b where all are ints, None where `Pieces` would refuse.

    The largest digit in each mode of A is added to `reached`; with the check that none is beyond
    its extent this is `Pieces` and `_result` in one pass.
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


def _by_basis(a: Layout, b: Layout, known: Entailment) -> Layout:
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


def _unbounded(a: Layout, known: Entailment) -> tuple[tuple[Leaf, Leaf], ...]:
    """Return A coalesced, its last mode kept: beyond A's size its stride goes on."""
    flat = list(a.modes())
    if len(flat) > 1 and known.same(flat[-1][0], 1):
        flat[-1] = (2, flat[-1][1])
    return merged(flat, known) or (flat[-1] if flat else (1, 0),)
