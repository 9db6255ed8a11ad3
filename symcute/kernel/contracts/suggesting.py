"""Conditions that the accesses of a kernel suggest: what would perhaps prove an open question."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations, pairwise, product
from math import gcd

from symcute.expr.node import Node, Term, names
from symcute.expr.terms import (
    Polynomial,
    all_of,
    any_of,
    at_most,
    equal,
    evaluate,
    from_polynomial,
    negate,
    plus,
    polynomial,
    remainder,
)
from symcute.kernel.access_map import Access
from symcute.kernel.contracts.bounding import above, inequality
from symcute.kernel.contracts.joining import elements, lowest
from symcute.kernel.contracts.lines import Line, Unlaunched
from symcute.kernel.properties.bounds import MAX_ALIGNMENT
from symcute.kernel.properties.context import AXES, Context
from symcute.kernel.properties.question import Question

__all__ = ["Suggestion", "suggestions"]

#: Lines that are tried together.
Suggestion = tuple[Line, ...]
#: How many bounds of one term are tried.
MOST = 4


def suggestions(
    blank: Unlaunched, context: Context, q: Question, patient: bool
) -> Iterator[Suggestion]:
    """Yield lines under which a question is perhaps proved, the weakest first.

    The `patient` have some that leave little of a launch.
    """
    if q.computation is not None:
        yield from _wrapping(blank, context, q.computation)
    elif q.property == "in_bounds":
        yield from _inside(blank, context, q.accesses[0])
    elif q.property == "aligned":
        yield from _multiples(blank, context, q.accesses[0])
    elif q.property == "barrier_uniform":
        yield from _met(blank, context, q)
    elif q.property == "promises_kept":  # of parameters they are what is assumed first
        yield from _kept(blank, context, q)
    else:
        for s in _apart(blank, context, q.accesses, patient):
            if _possible(blank, s):
                yield tuple(x for x in s if x.term is not True)


def _assumed(relations: Iterable[Term]) -> Suggestion:
    return tuple(Line("assume", t) for t in relations if t is not True)


# --- overflow and bounds ------------------------------------------------------------------------


def _bounds(
    blank: Unlaunched,
    context: Context,
    p: Polynomial | None,
    guard: tuple[Term, ...],
    of_launch: bool = False,
) -> list[Polynomial]:
    """Return bounds of a sum by dims: those first that say little of the launch, then small ones.

    With `of_launch`, those first that say little of parameters.
    """
    if p is None:
        return []
    sums = above(p, (*guard, *context.map.facts), context.dims)
    found = [polynomial(lowest(from_polynomial(q))) or {} for q in sums]
    unwanted = {*blank.params.values()} if of_launch else {*blank.grid, *blank.block}

    def rank(q: Polynomial) -> tuple[int, int]:
        used = {n for m in q for a in m for n in names(a)}
        return len(used & unwanted), _sample(blank, from_polynomial(q))

    return sorted(filter(_written, found), key=rank)[:MOST]


def _written(p: Polynomial) -> bool:
    """Return whether a sum can be written in the language of assumptions."""

    def plain(term: Term) -> bool:
        if not isinstance(term, Node):
            return True
        return term.op in ("+", "*", "//", "%", "min", "max") and all(map(plain, term.args))

    return all(plain(atom) for m in p for atom in m)


def _sample(blank: Unlaunched, term: Term) -> int:
    """Return a term at sizes that differ from each other."""
    at = {n: 5 + 2 * k for k, n in enumerate((*blank.grid, *blank.block)) if isinstance(n, str)}
    at |= {n: 1009 + 100 * k for k, n in enumerate(sorted(names(term) - at.keys()))}
    return int(evaluate(term, at))


def _wrapping(blank: Unlaunched, context: Context, number: int) -> list[Suggestion]:
    """Return lines under which a computation stays in its type."""
    c = context.map.computations[number]
    value = polynomial(c.value)
    if value is None:
        return []
    sides: list[list[Term]] = []
    for guard in _cases(c.guard):
        known = context.at(guard).ranges.ranges.of(c.value)
        for sign, far in ((1, known[1] > c.type.high), (-1, known[0] < c.type.low)):
            if far:
                end = c.type.high if sign == 1 else -c.type.low
                signed = {m: sign * k for m, k in value.items()}
                most = _bounds(blank, context, signed, guard)
                sides.append([inequality(plus(p, {(): -end})) for p in most])
    if c.divisor is not None:
        sides.append([at_most(1, c.divisor)])
    if c.shift is not None:
        sides.append([all_of(at_most(0, c.shift), at_most(c.shift, c.type.bits - 1))])
    some = [side[: MOST if len(sides) == 1 else 2] for side in sides if side]
    found = [_assumed(choice) for choice in product(*some)] if len(some) <= 4 else []
    found += [_assumed([x]) for side in sides for x in side]
    return [s for s in dict.fromkeys(found) if s and _possible(blank, s)]


def _cases(guard: tuple[Term, ...]) -> list[tuple[Term, ...]]:
    """Return the guard in each case of the first choice in it, such as of a loop's first round."""
    for g in guard:
        if isinstance(g, Node) and g.op == "or":
            rest = tuple(h for h in guard if h is not g)
            return [(*rest, case) for case in g.args]
    return [guard]


def _possible(blank: Unlaunched, suggestion: Suggestion) -> bool:
    """Return whether no line is false, or says of blocks or threads that there are none."""
    return not any(x.term is False or _says_none(blank, x.term) for x in suggestion)


def _says_none(blank: Unlaunched, relation: Term) -> bool:
    if not isinstance(relation, Node) or relation.op not in ("<", "<="):
        return False
    low, high = (polynomial(x) for x in relation.args)
    if low is None or high is None:
        return False
    over = plus(plus(low, high, -1), {(): 1 if relation.op == "<" else 0})
    extents = (polynomial(n) for n in (*blank.grid, *blank.block))
    more = (plus(over, e, -1) for e in extents if e is not None)
    return any(p.keys() <= {()} and p.get((), 0) >= 0 for p in more)


def _inside(blank: Unlaunched, context: Context, a: Access) -> list[Suggestion]:
    """Return lines under which an access is inside its array."""
    array = context.arrays[a.array]
    offset = polynomial(a.offset)
    if offset is None:
        return []
    found: list[Suggestion] = []
    outside = array.name in blank.extents
    for end in _bounds(blank, context, plus(offset, {(): a.width}), a.guard, not outside):
        if outside:
            found.append((Line("extent", elements(end, array.element), array.name),))
        else:
            size = polynomial(context.bytes_of(array) or 0) or {}
            found.append(_assumed([inequality(plus(end, size, -1))]))
    if context.at(a.guard).ranges.ranges.of(a.offset)[0] < 0:
        low = _bounds(blank, context, {m: -c for m, c in offset.items()}, a.guard)
        starts = [_assumed([inequality(p)]) for p in low]
        found += [(*x, *y) for y in starts for x in found] + starts
    return [s for s in found if s and _possible(blank, s)]


# --- alignment and barriers ---------------------------------------------------------------------


def _multiples(blank: Unlaunched, context: Context, a: Access) -> Iterator[Suggestion]:
    """Yield that the array is aligned, and parameters in an offset multiples, for an access."""
    offset = polynomial(a.offset) or {}
    wanted = min(a.width & -a.width, MAX_ALIGNMENT)
    pointed = {x.name for x in blank.pointed()}
    start: Suggestion = ()
    if a.array in pointed and context.alignment_of(context.arrays[a.array])[0] % wanted:
        start = (Line("align", wanted, a.array),)
        yield start
    factors: dict[str, int] = {}
    for m, c in offset.items():
        step = wanted // _common(c, wanted)
        for n in (_multiple_of(x, step) for x in m):
            if n in blank.params.values() and step > 1:
                factors[n] = max(factors.get(n, 1), step)
    every = [equal(remainder(n, k), 0) for n, k in factors.items()]
    yield from ((*start, *_assumed([t])) for t in every)
    if len(every) > 1:
        yield (*start, *_assumed(every))


def _multiple_of(term: Term, step: int) -> str:
    """Return the name of which a term is a multiple of a step just where the name is, or nothing.

    n % 2**64 is one of 4 just where n is.
    """
    if isinstance(term, Node) and term.op == "%":
        term, by = term.args
        if not isinstance(by, int) or by % step:
            return ""
    return term if isinstance(term, str) else ""


def _common(c: int, power: int) -> int:
    """Return the largest power of two that divides both."""
    return min(c & -c, power)


def _met(blank: Unlaunched, context: Context, q: Question) -> Iterator[Suggestion]:
    """Yield lines under which a barrier's guard holds for all threads."""
    for event in context.map.events:
        if event.place != q.place:
            continue
        always: list[Term] = []
        for g in event.guard:
            if not names(g) & {*AXES} or not isinstance(g, Node) or g.op not in ("<", "<="):
                continue
            a, b = (polynomial(x) for x in g.args)
            if a is None or b is None or g in _ranges(context):
                continue
            over = plus(plus(a, b, -1), {(): 1 if g.op == "<" else 0})
            others = tuple(h for h in event.guard if h is not g)
            for n in sorted(names(g) & {*blank.params.values()}):
                for extent in blank.block:
                    if extent in {x for m in over for t in m for x in names(t)}:
                        yield _assumed([equal(remainder(n, extent), 0)])
            always += [inequality(p) for p in _bounds(blank, context, over, others)[:2]]
        yield from (_assumed([t]) for t in always if t is not False)


def _ranges(context: Context) -> frozenset[Term]:
    """Return that coordinates lie in their ranges, which is no branch."""
    return frozenset(context.axis_facts(tuple(context.extents)))


def _kept(blank: Unlaunched, context: Context, q: Question) -> Iterator[Suggestion]:
    """Yield what is promised at a place, or that nothing comes there, so far as dims say it."""
    always = frozenset((*context.map.facts, *_ranges(context)))
    for p in context.map.promises:
        if p.place == q.place:
            denied = [negate(g) for g in p.guard if g not in always]
            plain = [t for t in denied if names(t) <= context.dims]
            cases = [any_of(*plain)] if len(plain) > 1 else []
            for t in (p.truth, *cases, *denied):
                parts = t.args if isinstance(t, Node) and t.op == "and" else (t,)
                ways = (_true(blank, context, x, p.guard) for x in parts)
                yield from (tuple(x for s in some for x in s) for some in product(*ways))


def _true(
    blank: Unlaunched, context: Context, t: Term | None, guard: tuple[Term, ...]
) -> list[Suggestion]:
    """Return lines under which a relation holds wherever a guard does but for its opposite."""
    if not isinstance(t, Node):
        return []
    if names(t) <= context.dims:
        return [_pins(t.args[:1], 1) if _single(blank, t) else _assumed([t])]
    a, b = (polynomial(x) for x in t.args[:2])
    if a is None or b is None or t.op not in ("<", "<=", "=="):
        return []
    others = tuple(g for g in guard if g != negate(t))
    over = plus(plus(a, b, -1), {(): 1 if t.op == "<" else 0})
    both = (over, plus({}, over, -1)) if t.op == "==" else (over,)
    sides = [_bounds(blank, context, p, others)[:2] for p in both]
    return [x for ps in product(*sides) if _possible(blank, x := _assumed(map(inequality, ps)))]


def _single(blank: Unlaunched, t: Node) -> bool:
    """Return whether a relation says that there is one block or thread along an axis."""
    return t.op == "==" and t.args[0] in (*blank.grid, *blank.block) and t.args[1] == 1


# --- races --------------------------------------------------------------------------------------


def _apart(
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
    idle = _pins(n for k, n in axes.items() if k not in used)
    strides = [*_warps(blank, terms), *_strides(blank, context, accesses)]
    if idle:
        yield idle
    rows = tuple(dict.fromkeys(x for a in accesses for x in _rows(blank, context, a)))
    if len(rows) > 1:
        yield (*idle, *rows)
    for one in strides:
        yield (*idle, one)
    yield from ((*idle, *pair) for pair in combinations(strides, 2))
    if not patient:
        return
    for size in _sizes(blank, context, accesses):
        yield (*idle, *_pins(blank.block[:1], size))
        yield (*idle, *_pins(blank.block[:2], size))
    flat = _pins(n for k, n in axes.items() if k[1] != "x")
    if flat and flat != idle:
        yield flat
        yield from ((*flat, one) for one in strides)
    if "bx" in axes:
        yield (*flat, *_pins([axes["bx"]]))


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
    ranges = _ranges(context)
    return [g for g in a.guard if g not in ranges]


def _pins(extents: Iterable[Term], size: int = 1) -> Suggestion:
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
            for p in _bounds(blank, context, plus(beside, {(): 1}), a.guard, of_launch)[:2]:
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
            most = _bounds(blank, context, beside, a.guard)[:1]
            size = min(map(abs, steps[fixed].values())) // least or 1
            found += [inequality(plus(p, {fixed: size}, -1)) for p in most]
        inner = {**inner, **steps[fixed]}
    return _assumed(found)


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
