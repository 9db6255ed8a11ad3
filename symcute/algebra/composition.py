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
from typing import Any

from symcute.algebra.coalesce import merged
from symcute.algebra.exhaustive import compare
from symcute.algebra.pieces import Carries, Pieces, assembled
from symcute.assumptions import Given
from symcute.basis import ScaledBasis, number
from symcute.errors import InputError, NotAdmissible
from symcute.facts import Facts, facts
from symcute.htuple import HTuple, Leaf, show, transform, unflatten
from symcute.layout import Layout, make_layout, plain_layout
from symcute.swizzle import ComposedLayout, LayoutT

__all__ = ["composition"]


def composition(a: LayoutT, b: Layout | HTuple, *, given: Given = ()) -> LayoutT:
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
    if isinstance(a, ComposedLayout):
        return a.map(composition, b, given=given)
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
