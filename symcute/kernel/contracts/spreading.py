"""Conditions under which threads are perhaps not at one place: extents of 1, and strides."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations, pairwise
from math import gcd

from symcute.expr.node import Node, Term, names
from symcute.expr.terms import (
    Polynomial,
    equal,
    plus,
    polynomial,
    remainder,
)
from symcute.kernel.access_map import Access
from symcute.kernel.contracts.bounding import inequality
from symcute.kernel.contracts.ends import Suggestion, assumed, bounds, ranges
from symcute.kernel.contracts.lines import Line, Unlaunched
from symcute.kernel.properties.context import Context

__all__ = ["apart", "pins"]


def apart(
    blank: Unlaunched, context: Context, accesses: tuple[Access, ...], patient: bool
) -> Iterator[Suggestion]:
    """Yield lines under which threads are perhaps not at one place: extents of 1, and strides."""
    shared = any(context.arrays[a.array].space == "shared" for a in accesses)
    axes = dict(zip(("bx", "by", "bz", "tx", "ty", "tz"), (*blank.grid, *blank.block), strict=True))
    if shared:
        axes = {k: n for k, n in axes.items() if k[0] == "t"}
    axes = {k: n for k, n in axes.items() if k in context.extents}
    terms = [t for a in accesses for t in (a.offset, *_branches(context, a))]
    used = set().union(*map(names, terms))
    idle = pins(n for k, n in axes.items() if k not in used)
    strides = [*_whole_vectors(blank, context, accesses), *_warps(blank, terms)]
    strides += _strides(blank, context, accesses)
    if idle:
        yield idle
    rows = tuple(dict.fromkeys(x for a in accesses for x in _rows(blank, context, a)))
    if len(rows) > 1:
        yield (*idle, *rows)
    for one in dict.fromkeys(x for a in accesses for x in _ends(blank, context, a)):
        yield (*idle, one)
        if rows:
            yield (*idle, *rows, one)
    for one in strides:
        yield (*idle, one)
    yield from ((*idle, *pair) for pair in combinations(strides, 2))
    if not patient:
        return
    for size in _sizes(blank, context, accesses):
        yield (*idle, *pins(blank.block[:1], size))
        yield (*idle, *pins(blank.block[:2], size))
    flat = pins(n for k, n in axes.items() if k[1] != "x")
    if flat and flat != idle:
        yield flat
        yield from ((*flat, one) for one in strides)
    if "bx" in axes:
        yield (*flat, *pins([axes["bx"]]))


def _warps(blank: Unlaunched, terms: Iterable[Term]) -> Iterator[Line]:
    """Yield that a block is a whole number of warps, or of whatever else its threads are cut into.

    Where tx // 32 and tx % 32 are, threads of two blocks are told apart by no more than that.
    """
    by_axis = dict(zip(("tx", "ty", "tz"), blank.block, strict=True))
    found: dict[Line, None] = {}
    todo = list(terms)
    while todo:
        term = todo.pop(0)
        if isinstance(term, Node):
            todo += term.args
            if term.op in ("//", "%") and isinstance(term.args[1], int):
                extent = by_axis.get(str(term.args[0]))
                if extent is not None:
                    found[Line("assume", equal(remainder(extent, term.args[1]), 0))] = None
    yield from found


def _whole_vectors(
    blank: Unlaunched, context: Context, accesses: Iterable[Access]
) -> Iterator[Line]:
    """Yield that rows are a whole number of what a thread touches, if that is several elements.

    The last of a row else reaches into the next one.
    """
    found: dict[str, int] = {}
    for a in accesses:
        if a.width <= context.arrays[a.array].element:
            continue
        wide = a.width & -a.width
        for m, c in (polynomial(a.offset) or {}).items():
            step = wide // gcd(wide, c)
            for n in {*blank.params.values()}.intersection(x for x in m if isinstance(x, str)):
                found[n] = max(found.get(n, 1), step)
    for n in sorted(found):
        if found[n] > 1:
            yield Line("assume", equal(remainder(n, found[n]), 0))


def _sizes(blank: Unlaunched, context: Context, accesses: tuple[Access, ...]) -> list[int]:
    """Return numbers that coordinates are taken times, which may be extents of a block."""
    found: dict[int, None] = {}
    for a in accesses:
        for step, _ in _digits(blank, context, polynomial(a.offset) or {}):
            size = step.get((), 0)
            if 1 < size <= context.map.target.threads:
                found[size] = None
    return list(found)


def _branches(context: Context, a: Access) -> list[Term]:
    """Return what a guard says besides the ranges of coordinates."""
    always = ranges(context)
    return [g for g in a.guard if g not in always]


def pins(extents: Iterable[Term], size: int = 1) -> Suggestion:
    """Return that extents of a launch are of a size; one that is no dim is a relation of some."""
    return tuple(
        Line("pin", size, n) if isinstance(n, str) else Line("assume", equal(n, size))
        for n in extents
    )


def _strides(blank: Unlaunched, context: Context, accesses: tuple[Access, ...]) -> Iterator[Line]:
    """Yield that what a coordinate is taken times is no less than what is beside it."""
    seen: set[Term] = set()
    starts = [(polynomial(a.offset) or {}).get((), 0) for a in accesses]
    for a in accesses:
        for step, beside in _digits(blank, context, polynomial(a.offset) or {}, *starts):
            of_launch = step.keys() == {()}
            for p in bounds(blank, context, plus(beside, {(): 1}), a.guard, of_launch)[:2]:
                relation = inequality(plus(p, step, -1))
                plain = not of_launch or not names(relation) & {*blank.params.values()}
                if relation not in seen and plain and _leaves_launches(blank, relation):
                    seen.add(relation)
                    yield Line("assume", relation)


def _rows(blank: Unlaunched, context: Context, a: Access) -> Suggestion:
    """Return that each stride is no less than all that moves in those of later parameters."""
    steps: dict[tuple[Term, ...], Polynomial] = {}
    for m, c in (polynomial(a.offset) or {}).items():
        if not set().union(*map(names, m)) <= context.dims:
            steps.setdefault(tuple(x for x in m if names(x) <= context.dims), {})[m] = c
    order = {n: k for k, n in enumerate(blank.params.values())}
    inner: Polynomial = {}
    found: list[Term] = []
    for fixed in sorted(steps, key=lambda f: [-order.get(n, -1) for x in f for n in names(x)]):
        if fixed and inner:
            least = gcd(*inner.values())
            beside = plus({m: c // least for m, c in inner.items()}, {(): 1})
            most = bounds(blank, context, beside, a.guard)[:1]
            size = min(map(abs, steps[fixed].values())) // least or 1
            found += [inequality(plus(p, {fixed: size}, -1)) for p in most]
        inner = {**inner, **steps[fixed]}
    return assumed(found)


def _ends(blank: Unlaunched, context: Context, a: Access) -> Iterator[Line]:
    """Yield that a guard keeps pieces of several elements inside of a whole number of them.

    Where `8*i < n`, the eight elements from `8*i` on are below n where that is a multiple of 8.
    """
    params = {*blank.params.values()}
    for g in _branches(context, a):
        if not isinstance(g, Node) or g.op not in ("<", "<="):
            continue
        low, high = (polynomial(x) for x in g.args)
        if low is None or high is None:
            continue
        gap = plus(high, low, -1)
        fixed = [m for m in gap if m and set().union(*map(names, m)) <= context.dims]
        piece = gcd(*(c for m, c in gap.items() if m and m not in fixed))
        (n,) = fixed[0] if len(fixed) == 1 and len(fixed[0]) == 1 else ("",)
        if piece > 1 and n in params and abs(gap[fixed[0]]) == 1:
            yield Line("assume", equal(remainder(n, piece), 0))


def _leaves_launches(blank: Unlaunched, relation: Term) -> bool:
    """Return whether a relation is one, and leaves more than blocks of one thread."""
    if not isinstance(relation, Node):
        return False
    low, high = relation.args
    return not (high == 1 and low in (*blank.grid, *blank.block))


def _digits(
    blank: Unlaunched, context: Context, offset: Polynomial, *starts: int
) -> Iterator[tuple[Polynomial, Polynomial]]:
    """Yield what a coordinate is taken times in an offset, with the sum of what moves less.

    So far as the `starts` are from each other, others move beside it.
    """
    launch: frozenset[Term] = frozenset((*blank.grid, *blank.block))
    by_step: dict[tuple[Term, ...], Polynomial] = {}
    for m, c in offset.items():
        moving = tuple(x for x in m if not names(x) <= context.dims)
        if moving:
            fixed = tuple(x for x in m if names(x) <= context.dims)
            by_step.setdefault(fixed, {})[moving] = c
    for fixed, digits in by_step.items():
        sizes = sorted({abs(c) for c in digits.values()})
        for small, large in pairwise(sizes):
            low = {m: c // small for m, c in digits.items() if abs(c) <= small}
            yield {(): large // small}, low
        if fixed and launch.isdisjoint(fixed):
            beside = {
                tuple(sorted((*m, *f), key=repr)): c
                for f, others in by_step.items() if not set(fixed) <= set(f)
                for m, c in others.items()
            }  # fmt: skip
            if beside:
                least = gcd(*beside.values())
                low = {m: c // least for m, c in beside.items()}
                yield {fixed: sizes[0] // least or 1}, low
            away = max(starts, default=0) - min(starts, default=0)
            if away:
                low = plus(beside, {(): away})
                least = gcd(sizes[0], *low.values())
                yield {fixed: sizes[0] // least}, {m: c // least for m, c in low.items()}
