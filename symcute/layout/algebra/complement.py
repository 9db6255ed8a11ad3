"""Complement: the layout that reaches what another leaves out.

Source: cute/layout.hpp, complement; CuTe documentation, "02_layout_algebra", Complement.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import itemgetter

from symcute.errors import InputError, NotAdmissible
from symcute.expr.assumptions import Given
from symcute.expr.basis import require_integers
from symcute.expr.expression import as_leaf, ceil_div, divided, free_dims, value_at
from symcute.expr.formula import divides, le
from symcute.expr.htuple import Leaf, product, times
from symcute.layout.algebra.coalesce import from_modes, merged
from symcute.layout.layout import Layout
from symcute.layout.swizzle import ComposedLayout
from symcute.solve.entailment import Entailment, facts

__all__ = ["complement", "room_for_copies", "sorted_modes"]


def complement(
    layout: Layout | ComposedLayout, cotarget: Leaf | Layout, *, given: Given = ()
) -> Layout:
    """Return the layout B whose offsets fill the gaps of A up to the cotarget M.

    `cotarget` is M, or a shape or layout of that size. Of a swizzled layout it is what the layout
    inside leaves out: swizzle and offset come after both.
    Post-conditions:
        # The images meet only in 0; the strides are positive and increase; together they cover M.
        set(map(layout, range(size(layout)))) & set(map(result, range(size(result)))) == {0}
        result(i - 1) < result(i) for i in range(1, size(result))
        size(filter_zeros(layout)) * size(result) >= size(cotarget)
    Errors: NotAdmissible when A's strides, sorted, do not each divide the next gap (A overlaps
    itself, or no layout fills its gaps); Undecided when the dims leave it open.

    >>> print(complement(Layout.parse("(2,4,8):(8,1,64)"), 460))
    (2,4):(4,16)
    >>> print(complement(Layout.parse("4:2"), Layout.parse("8*M:1").size()))
    (2,M):(1,8)
    """
    if isinstance(layout, ComposedLayout):
        return complement(layout.layout, cotarget, given=given)
    if layout.coordinate_strides:
        require_integers(layout.stride, "complement")
    if isinstance(cotarget, Layout):
        cotarget = cotarget.size()
    elif isinstance(cotarget, tuple):
        cotarget = product(cotarget)
    cotarget = as_leaf(cotarget, "the cotarget of a complement")
    if isinstance(cotarget, int) and cotarget < 1:
        raise InputError(
            f"the cotarget {cotarget} of complement({layout}, {cotarget})", "give M >= 1"
        )
    if layout.plain and isinstance(cotarget, int):
        found = _gaps(layout.modes(), cotarget)
        if found is not None:
            return from_modes(found, plain=True)
    known = facts(given)
    gaps, end = _below(layout, known, lambda: f"complement({layout}, {cotarget})")
    return from_modes(merged([*gaps, (_rest(cotarget, end, known), end)], known))


def room_for_copies(layout: Layout, count: Leaf, *, given: Given = ()) -> Layout:
    """Return complement(layout, size(layout) * count), without a division where A has no gaps."""
    if layout.plain and isinstance(count, int):
        return complement(layout, int(layout.size()) * count, given=given)
    if layout.coordinate_strides:
        require_integers(layout.stride, "complement")
    known, size = facts(given), layout.size()
    gaps, end = _below(layout, known, lambda: f"complement({layout}, {times(size, count)})")
    rest = count if end == size else _rest(times(size, count), end, known)
    return from_modes(merged([*gaps, (rest, end)], known))


def _below(
    layout: Layout, known: Entailment, where: Callable[[], str]
) -> tuple[list[tuple[Leaf, Leaf]], Leaf]:
    """Return the modes that fill the gaps below the end of a layout, and that end."""
    result: list[tuple[Leaf, Leaf]] = []
    current: Leaf = 1
    for s, d in sorted_modes(layout.modes(), known):
        _require(known, current, d, where)
        result.append((divided(d, current), current))
        current = times(s, d)
    return result, current


def _gaps(modes: Sequence[tuple[int, int]], cotarget: int) -> tuple[tuple[int, int], ...] | None:
    """Return the modes of the complement where all are ints, None where it is refused.

    No two of them merge: behind each lies a mode of the layout, of extent 2 at least.
    """
    result: list[tuple[int, int]] = []
    current = 1
    for d, s in sorted([(d, s) for s, d in modes if s != 1 and d != 0]):
        if d < 1 or d % current:
            return None
        if d != current:
            result.append((d // current, current))
        current = s * d
    if cotarget > current:
        result.append((-(-cotarget // current), current))
    return tuple(result)


def _require(known: Entailment, current: Leaf, d: Leaf, where: Callable[[], str]) -> None:
    """Require current | d and d >= 1."""
    if isinstance(d, int) and isinstance(current, int):
        if d < 1 or d % current:
            raise NotAdmissible(
                where(),
                condition=f"{current} divides the stride {d}",
                fix="the strides, sorted, must each be a multiple of the extent below them",
            )
        return
    known.require(le(1, d), where)
    if current != d:
        known.require(divides(current, d), where)


def _rest(cotarget: Leaf, current: Leaf, known: Entailment) -> Leaf:
    if known.divides(current, cotarget):
        return divided(cotarget, current)
    if known.at_most(cotarget, current):
        return 1
    rest: Leaf = ceil_div(cotarget, current)
    return rest


def sorted_modes(modes: Sequence[tuple[Leaf, Leaf]], known: Entailment) -> list[tuple[Leaf, Leaf]]:
    """Return the modes with extent > 1 and stride not 0, strides ascending.

    Symbolic strides are put in the order they have at a sample of the dims; whoever relies on the
    order must prove it (complement and the inverses do, by divisibility).
    """
    kept = [(s, d) for s, d in modes if not (known.same(s, 1) or known.same(d, 0))]
    if {type(d) for _, d in kept} <= {int}:
        return sorted(kept, key=itemgetter(1))
    names = set().union(*(free_dims(x) for mode in modes for x in mode))
    if known.assumptions.formulas:
        some = known.samples(names)
        sample = max(some, key=lambda at: (min(at.values()), sum(at.values())), default=None)
    else:
        sample = known.sample(names)
    if sample is None:
        return kept
    keys = {k: (value_at(d, sample), k) for k, (_, d) in enumerate(kept)}
    return [kept[k] for k in sorted(keys, key=lambda k: keys[k])]
